/* SPDX-License-Identifier: BSD-2-Clause */
/* opencl/source.c - the text of a program: settings, prelude, problem, forms, common kernels, one
 * tiling. */
#include "config.h"
#include "runtime.h"
#include "embedded.h"
#include "../mem.h"
#include <stdio.h>
#include <string.h>

struct text {
    char *bytes; /* NULL in the first pass, which only counts */
    size_t size;
};

static void put(struct text *text, const void *bytes, size_t size) {
    if (text->bytes) memcpy(text->bytes + text->size, bytes, size);
    text->size += size;
}

static void put_string(struct text *text, const char *string) { put(text, string, strlen(string)); }

/* #line, so that a compiler's message names the file that the reader knows. */
static void put_line(struct text *text, unsigned long line, const char *file) {
    char directive[64];
    snprintf(directive, sizeof directive, "#line %lu \"", line);
    put_string(text, directive);
    for (; *file; file++) {
        if (*file == '"' || *file == '\\') put(text, "\\", 1);
        put(text, file, 1);
    }
    put_string(text, "\"\n");
}

static void put_embedded(
    struct text *text, const char *name, const unsigned char *bytes, unsigned long size) {
    put_line(text, 1, name);
    put(text, bytes, size);
}

/* ---- the problem's text ----
   In C the equations are arguments of macros; some OpenCL compilers refuse variadic macros, and one
   function per address space is wanted. So the blocks are found here, and written out as functions;
   all else passes through, line by line. */

enum { SPACES = 3 };

/* In the order: state in global memory, window in private memory, tile in local memory. */
static const struct {
    const char *word, *openings[SPACES];
} blocks[] = {
    {"ODE_POINT_RHS", {"ODE_POINT_BEGIN_(ode_point_global, ODE_STATE)\n",
                          "ODE_POINT_BEGIN_(ode_point_window, __private)\n",
                          "ODE_POINT_BEGIN_(ode_point_local, __local)\n"}},
    {"ODE_EVAL_COMP", {"ODE_COMPONENT_BEGIN_(ode_component_global, ODE_STATE)\n",
                          "ODE_COMPONENT_BEGIN_(ode_component_window, __private)\n",
                          "ODE_COMPONENT_BEGIN_(ode_component_local, __local)\n"}},
    {"ODE_EVAL_COMP4", {"ODE_COMPONENTS4_BEGIN_(ode_four_global, ODE_STATE)\n", NULL,
                           "ODE_COMPONENTS4_BEGIN_(ode_four_local, __local)\n"}},
    {"ODE_INITIAL", {NULL}}, /* the rest is for the host */
    {"ODE_EXACT", {NULL}},
    {"ODE_FIELD_VALUES", {NULL}},
};

static int is_letter(char c) {
    return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

/* The end of the token at p: a comment, a string, a word, or one character. */
static const char *token_end(const char *p, const char *end) {
    const char *q = p + 1;
    if (end - p >= 2 && p[0] == '/' && p[1] == '*') {
        for (q = p + 2; q < end; q++)
            if (q[0] == '*' && q + 1 < end && q[1] == '/') return q + 2;
    } else if (end - p >= 2 && p[0] == '/' && p[1] == '/') {
        while (q < end && *q != '\n') q += *q == '\\' && q + 1 < end ? 2 : 1;
        if (q > end) q = end;
    } else if (*p == '"' || *p == '\'') {
        for (; q < end && *q != *p && *q != '\n'; q++)
            if (*q == '\\' && q + 1 < end) q++;
        if (q < end) q++;
    } else if (is_letter(*p)) {
        while (q < end && is_letter(*q)) q++;
    }
    return q;
}

/* The end of the preprocessor line at p, continuations and comments over several lines included. */
static const char *directive_end(const char *p, const char *end) {
    while (p < end && *p != '\n') {
        if (*p == '\\' && end - p >= 2)
            p += p[1] == '\r' && end - p >= 3 ? 3 : 2;
        else if (*p == '/')
            p = token_end(p, end);
        else
            p++;
    }
    return p < end ? p + 1 : end;
}

static int is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v'; }

/* Past white space and comments. */
static const char *skip_blank(const char *p, const char *end) {
    while (p < end && (is_space(*p) || *p == '\n' ||
                          (end - p >= 2 && p[0] == '/' && (p[1] == '*' || p[1] == '/'))))
        p = token_end(p, end);
    return p;
}

/* What the preprocessor line at p is to OpenCL: our header is replaced, system headers are for the
 * host, the rest passes. */
static enum { PASSES, OUR_HEADER, SYSTEM_HEADER } directive_kind(const char *p, const char *end) {
    static const char word[] = "include", header[] = "eulercl/ode_problem.h";
    p = skip_blank(p + 1, end);
    if ((size_t)(end - p) < sizeof word - 1 || memcmp(p, word, sizeof word - 1)) return PASSES;
    p = skip_blank(p + sizeof word - 1, end);
    if (p < end && (*p == '<' || *p == '"') && (size_t)(end - p) > sizeof header &&
        !memcmp(p + 1, header, sizeof header - 1))
        return OUR_HEADER;
    return p < end && *p == '<' ? SYSTEM_HEADER : PASSES;
}

static int is_word(const char *p, const char *q, const char *word) {
    return (size_t)(q - p) == strlen(word) && !memcmp(p, word, (size_t)(q - p));
}

/* The bracket that closes the one at p; NULL if the text or a preprocessor line comes first: then
 * it was no block (`#if 0`...). */
static const char *closing_bracket(const char *p, const char *end) {
    int depth = 0, at_line_start = 0;
    while (p < end && !(at_line_start && *p == '#')) {
        if (*p == '(') depth++;
        if (*p == ')' && !--depth) return p;
        at_line_start = *p == '\n' || (at_line_start && is_space(*p));
        p = token_end(p, end);
    }
    return NULL;
}

static unsigned long count_lines(const char *p, const char *q) {
    unsigned long lines = 0;
    for (; p < q; p++) lines += *p == '\n';
    return lines;
}

/* -> how many right-hand sides were found */
static int put_problem(
    struct text *text, const struct ode_problem *definition, int in_local_memory) {
    static const char byte_order_mark[] = "\xef\xbb\xbf";
    const char *end = definition->text_end, *p = definition->text;
    unsigned long line = 1;
    int at_line_start = 1, found = 0;
    if ((size_t)(end - p) >= sizeof byte_order_mark - 1 &&
        !memcmp(p, byte_order_mark, sizeof byte_order_mark - 1))
        p += sizeof byte_order_mark - 1;
    put_line(text, line, definition->file);
    for (const char *next; p < end; line += count_lines(p, next), p = next) {
        next = token_end(p, end);
        if (at_line_start && *p == '#') {
            next = directive_end(p, end);
            switch (directive_kind(p, next)) {
            case PASSES:
                put(text, p, (size_t)(next - p));
                break;
            case OUR_HEADER:
                put_embedded(
                    text, "ode_words.h", eulercl_text_ode_words, eulercl_text_ode_words_size);
                put_embedded(text, "words.cl", eulercl_text_words, eulercl_text_words_size);
                put_embedded(text, "ode_functions.h", eulercl_text_ode_functions,
                    eulercl_text_ode_functions_size);
                /* fall through */
            case SYSTEM_HEADER:
                put_line(text, line + count_lines(p, next), definition->file);
            }
            continue;
        }
        const int blank =
            is_space(*p) || (next - p >= 2 && p[0] == '/' && (p[1] == '*' || p[1] == '/'));
        at_line_start = *p == '\n' || (at_line_start && blank);
        size_t block = 0;
        while (block < sizeof blocks / sizeof *blocks && !is_word(p, next, blocks[block].word))
            block++;
        const char *open = block < sizeof blocks / sizeof *blocks ? skip_blank(next, end) : end;
        const char *close = open < end && *open == '(' ? closing_bracket(open, end) : NULL;
        if (!close) {
            put(text, p, (size_t)(next - p));
            continue;
        }
        next = close + 1;
        put_string(text, "\n");
        for (size_t k = 0; k < (in_local_memory ? SPACES : SPACES - 1); k++) {
            if (!blocks[block].openings[k]) continue;
            found++;
            put_string(text, blocks[block].openings[k]);
            put_line(text, line + count_lines(p, open), definition->file);
            put(text, open + 1, (size_t)(close - open - 1));
            put_string(text, "\n}\n");
        }
        put_line(text, line + count_lines(p, next), definition->file);
    }
    put_string(text, "\n");
    return found;
}

/* Tokens of the problem's text that the device sees, one after the other; *p is where to go on.
 * NULL: no more. */
static const char *next_word(
    const struct ode_problem *definition, const char **p, const char **word_end) {
    const char *end = definition->text_end;
    while (*p < end) {
        const char *word = *p, *next = token_end(word, end);
        *p = next;
        for (size_t block = 0; block < sizeof blocks / sizeof *blocks; block++) {
            if (blocks[block].openings[0] || !is_word(word, next, blocks[block].word)) continue;
            const char *open = skip_blank(next, end),
                       *close = open < end && *open == '(' ? closing_bracket(open, end) : NULL;
            if (close) *p = close + 1;
        }
        if (*p != next || !is_letter(*word)) continue;
        *word_end = next;
        return word;
    }
    return NULL;
}

/* Past continuations of a line. */
static const char *skip_splices(const char *p, const char *end) {
    for (;;) {
        const char *q = p + 1;
        if (q < end && *q == '\r') q++;
        if (q >= end || *p != '\\' || *q != '\n') return p;
        p = q + 1;
    }
}

/* Whether words can be made of parts, or come from another file: then the text does not say what is
 * read. */
static int is_open(const struct ode_problem *definition) {
    const char *end = definition->text_end;
    for (const char *p = definition->text, *next; p < end; p = next) {
        next = token_end(p, end);
        const char *on = skip_splices(next, end);
        if (on < end && ((*p == '#' && *on == '#') || (*p == '%' && *on == ':') ||
                            (on > next && is_letter(next[-1]) && is_letter(*on))))
            return 1;
        if (*p != '#') continue;
        const char *directive = skip_blank(next, end);
        if (directive < end && is_word(directive, token_end(directive, end), "include") &&
            directive_kind(p, end) == PASSES)
            return 1;
    }
    return 0;
}

/* The arguments of the macro call whose word ends at p, as far as there is room; -> how many, 0 if
 * it is no call. */
enum { ARGUMENTS = 3 };
struct argument {
    const char *begin, *end;
};
static int arguments_of(
    const struct ode_problem *definition, const char *p, struct argument *arguments) {
    const char *end = definition->text_end;
    int count = 0, depth = 0;
    p = skip_blank(p, end);
    if (p == end || *p != '(') return 0;
    for (p++; p < end; p = token_end(p, end)) {
        if (!depth && count < ARGUMENTS && (count == 0 || arguments[count - 1].end)) {
            p = skip_blank(p, end);
            arguments[count++] = (struct argument){.begin = p};
        }
        if (p == end) break;
        if (!depth && (*p == ',' || *p == ')')) {
            const char *last = p;
            while (last > arguments[count - 1].begin && (is_space(last[-1]) || last[-1] == '\n'))
                last--;
            if (!arguments[count - 1].end) arguments[count - 1].end = last;
            if (*p == ')') return count;
        }
        depth += (*p == '(') - (*p == ')');
    }
    return 0;
}

/* The number that the text is, or that it is the name of, by `#define NAME number` before it, once
 * and for all; -1: it is neither. */
static int number_of(const struct ode_problem *definition, struct argument text) {
    int value = 0, found = 0, conditions = 0;
    const char *p = text.begin, *end = definition->text_end;
    if (p == text.end) return -1;
    if (*p >= '0' && *p <= '9') {
        if (*p == '0' && p + 1 < text.end) return -1; /* octal or hexadecimal */
        for (; p < text.end && *p >= '0' && *p <= '9' && value < 1000; p++)
            value = 10 * value + (*p - '0');
        return p == text.end ? value : -1;
    }
    for (p = definition->text; p < end; p = token_end(p, end)) {
        if (*p != '#') continue;
        const char *directive = skip_blank(p + 1, end),
                   *directive_word_end = directive < end ? token_end(directive, end) : end;
        const char *name = skip_blank(directive_word_end, end),
                   *name_end = name < end ? token_end(name, end) : end;
        const int is_define = is_word(directive, directive_word_end, "define");
        conditions += directive_word_end - directive >= 2 && !memcmp(directive, "if", 2);
        conditions -= is_word(directive, directive_word_end, "endif");
        for (const char *q = name_end; is_define && q < end && *name_end == '(' && *q != ')';
             q = token_end(q, end))
            if ((size_t)(text.end - text.begin) == (size_t)(token_end(q, end) - q) &&
                !memcmp(q, text.begin, (size_t)(text.end - text.begin)))
                return -1; /* a parameter */
        if ((size_t)(name_end - name) != (size_t)(text.end - text.begin) ||
            memcmp(name, text.begin, (size_t)(name_end - name)))
            continue;
        const char *digits = skip_blank(name_end, end),
                   *digits_end = digits < end ? token_end(digits, end) : end, *after = digits_end;
        while (after < end && *after != '\n' && skip_blank(after, end) > after)
            after = token_end(after, end);
        const int is_number = is_define && !conditions && name < text.begin && digits < end &&
                              *digits >= '0' && *digits <= '9' && (after == end || *after == '\n');
        if (!is_number || found++) return -1;
        value = number_of(definition, (struct argument){digits, digits_end});
    }
    return found ? value : -1;
}

static int is_zero(struct argument a) { return a.end == a.begin + 1 && *a.begin == '0'; }

struct cl_reads eulercl_cl_reads(const struct ode_problem *definition) {
    const uint64_t all = UINT64_MAX;
    const char *p = definition->text, *word_end;
    const int two = definition->grid.rank == 2, certain = !is_open(definition);
    struct cl_reads reads = {.time = !certain,
        .diagonals = !certain,
        .components = certain && definition->grid.rank ? 0 : all};
    for (const char *word; certain && (word = next_word(definition, &p, &word_end));) {
        struct argument a[ARGUMENTS] = {{0}};
        if (is_word(word, word_end, "t")) reads.time = 1;
        const int is_at = is_word(word, word_end, "AT"),
                  is_laplace = is_word(word, word_end, "LAPLACE");
        if (!is_at && !is_laplace) continue;
        const int count = arguments_of(definition, word_end, a);
        const int is_usual = count == (is_laplace ? 1 : two ? 3 : 2);
        if (is_at && two && (!is_usual || !(is_zero(a[0]) || is_zero(a[1])))) reads.diagonals = 1;
        if (is_at && is_usual && is_zero(a[0]) && (!two || is_zero(a[1])))
            continue; /* the point itself */
        const int component = is_usual ? number_of(definition, a[count - 1]) : -1;
        reads.components |= component < 0 || component > 63 ? all : (uint64_t)1 << component;
    }
    return reads;
}

int eulercl_cl_source(const struct ode_problem *definition, const eulercl_options *options,
    int64_t largest_index, const struct cl_program_text *tiling, char **source,
    eulercl_error *error) {
    if (!definition->text)
        return eulercl_fail(error, EULERCL_UNSUPPORTED,
            "problem %s carries no text: it runs on the CPU only", definition->name);
    struct text text = {NULL, 0};
    for (int pass = 0; pass < 2; pass++) {
        char settings[128];
        snprintf(settings, sizeof settings,
            "#define ODE_DOUBLE %d\n#define ODE_UNCACHED %d\n#define ODE_INDEX %s\n",
            options->precision == EULERCL_DOUBLE, (int)TUNED(options, uncached),
            largest_index < INT32_MAX ? "int" : "long");
        text.size = 0;
        put_string(&text, settings);
        if (tiling->settings) put_string(&text, tiling->settings);
        put_embedded(&text, "prelude.cl", eulercl_text_prelude, eulercl_text_prelude_size);
        if (!put_problem(&text, definition, tiling->in_local_memory)) {
            eulercl_mem_free(text.bytes);
            return eulercl_fail(error, EULERCL_COMPILE,
                "%s: no ODE_POINT_RHS( ... ) or ODE_EVAL_COMP( ... ), written out by that name, is "
                "in the text for OpenCL",
                definition->file);
        }
        put_embedded(&text, "forms.cl", eulercl_text_forms, eulercl_text_forms_size);
        put_embedded(&text, "ode_forms.h", eulercl_text_ode_forms, eulercl_text_ode_forms_size);
        if (tiling->in_local_memory) {
            put_embedded(
                &text, "local_forms.cl", eulercl_text_local_forms, eulercl_text_local_forms_size);
            put_embedded(&text, "ode_forms.h", eulercl_text_ode_forms, eulercl_text_ode_forms_size);
        }
        put_embedded(&text, "ode_update.h", eulercl_text_ode_update, eulercl_text_ode_update_size);
        put_embedded(&text, "common.cl", eulercl_text_common, eulercl_text_common_size);
        put_string(&text, "#define TILE_INT ode_offset\n"); /* of the geometries */
        for (const struct cl_text *t = tiling->texts; t->name; t++)
            put_embedded(&text, t->name, t->bytes, *t->size);
        put(&text, "", 1);
        if (!pass && !(text.bytes = eulercl_mem_zeroed(text.size, 1)))
            return eulercl_no_memory(error, "the program's text");
    }
    *source = text.bytes;
    return EULERCL_OK;
}
