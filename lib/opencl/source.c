/* SPDX-License-Identifier: BSD-2-Clause */
/* source.c - the text of a program: settings, prelude, problem, forms, common kernels, and
 * those of one schedule. */
#include "config.h"
#include "runtime.h"
#include "../problem/problem_text.h"
#include "opencl/embedded.h"
#include "../problem/flush.h"
#include "../mem.h"
#include "../reals.h"
#include "../problem/system.h"
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

/* #line, so that a compiler's message names the file that the reader knows. It has no folders,
 * because drivers find a compiled program in their caches by its text: a problem in another folder
 * is the same program. */
static void put_line(struct text *text, unsigned long line, const char *file) {
    char directive[64];
    const char *const folders = strrchr(file, '/');
    if (folders) file = folders + 1;
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
   In C the equations are arguments of macros. Some OpenCL compilers reject variadic macros, and a
   program needs one function per address space. So the blocks are written out as functions here.
   All else is copied, but for blocks and headers that are for the host. */

enum space { GLOBAL_STATE, WINDOW, HELD_COEFFICIENTS, LOCAL_STATE, SPACES };

/* The state is in global memory, in a window in private memory, in one whose coefficients are in
 * private memory, too, or in local memory. */
static const struct opening {
    const char *begin, *end; /* macros of words.cl; end: NULL for none */
    const char *of[SPACES];  /* their arguments */
} openings[] = {
    [CL_POINT_BLOCK] = {"ODE_POINT_BEGIN_", "ODE_POINT_END_",
        {"(ode_point_global, ODE_STATE, __global, ODE_PLANE_ROW_)\n",
            "(ode_point_window, __private, __global, ODE_PLANE_ROW_)\n",
            "(ode_point_held, __private, __private, REGISTER_HELD_ROW)\n",
            "(ode_point_local, __local, __global, ODE_PLANE_ROW_)\n"}},
    [CL_COMPONENT_BLOCK] = {"ODE_COMPONENT_BEGIN_", NULL,
        {"(ode_component_global, ODE_STATE)\n", "(ode_component_window, __private)\n", NULL,
            "(ode_component_local, __local)\n"}},
    [CL_FOUR_COMPONENTS_BLOCK] = {"ODE_COMPONENTS4_BEGIN_", NULL,
        {"(ode_four_global, ODE_STATE)\n", NULL, NULL, "(ode_four_local, __local)\n"}},
    [CL_HOST_BLOCK] = {NULL, NULL, {NULL}},
};

/* #line for what follows p in the problem's file. */
static void put_line_at(struct text *text, const struct ode_problem *definition, const char *p) {
    unsigned long line = 1;
    for (const char *q = definition->text; q < p; q++) line += *q == '\n';
    put_line(text, line, definition->file);
}

static void put_boundary(struct text *text) {
    put_embedded(text, "ode_boundary.h", ecl_text_ode_boundary, ecl_text_ode_boundary_size);
}

/* What the problem's #include of our header reads. */
static void put_header(struct text *text, int calls_functions) {
    put_boundary(text);
    put_embedded(text, "ode_words.h", ecl_text_ode_words, ecl_text_ode_words_size);
    put_embedded(
        text, "ode_coefficients.h", ecl_text_ode_coefficients, ecl_text_ode_coefficients_size);
    put_embedded(text, "words.cl", ecl_text_words, ecl_text_words_size);
    if (calls_functions) { /* 40 KB, which take a compiler a while */
        put_embedded(text, "math_words.cl", ecl_text_math_words, ecl_text_math_words_size);
        put_embedded(text, "ode_math_constants.h", ecl_text_ode_math_constants,
            ecl_text_ode_math_constants_size);
        put_embedded(text, "ode_math.h", ecl_text_ode_math, ecl_text_ode_math_size);
    }
    put_embedded(text, "ode_functions.h", ecl_text_ode_functions, ecl_text_ode_functions_size);
}

/* A part of the problem's text. OpenCL compilers may replace trigraphs, such as two question marks
 * and a slash for a backslash, which those of C leave alone: they are torn apart. */
static void put_part(struct text *text, const char *begin, const char *end) {
    for (const char *p = begin; end - p > 2; p++)
        if (p[0] == '?' && p[1] == '?' && p[2] && strchr("=/'()!<>-", p[2])) {
            put(text, begin, (size_t)(p + 1 - begin));
            put_string(text, " ");
            begin = p + 1;
        }
    put(text, begin, (size_t)(end - begin));
}

/* The same with the values of time factors in place of the calls. Lines keep their numbers. */
static void put_equations(
    struct text *text, const struct time_factors *factors, const char *begin, const char *end) {
    for (int k = 0; k < factors->calls; k++) {
        const char *const call = factors->call[k].begin, *const after = factors->call[k].end;
        char name[32];
        if (call < begin || call >= end) continue;
        put_part(text, begin, call);
        snprintf(name, sizeof name, "ode_now.ode_factor[%d]", factors->call[k].factor);
        put_string(text, name);
        for (const char *p = call; p < after; p++) /* a macro's line goes on */
            if (*p == '\n') put_string(text, "\\\n");
        begin = after;
    }
    put_part(text, begin, end);
}

/* -> how many functions were written */
static int put_block(struct text *text, const struct ode_problem *definition,
    const struct time_factors *factors, const struct cl_block *block,
    const struct cl_program_text *tiling) {
    const struct opening *const opening = &openings[block->kind];
    int count = 0;
    put_string(text, "\n");
    for (enum space k = 0; k < SPACES; k++) {
        if (!opening->of[k] || (k == LOCAL_STATE && !tiling->in_local_memory) ||
            (k == HELD_COEFFICIENTS && !tiling->holds_coefficients) ||
            (k == WINDOW && tiling->has_no_windows))
            continue;
        count++;
        put_string(text, opening->begin);
        put_string(text, opening->of[k]);
        put_line_at(text, definition, block->open.begin);
        put_equations(text, factors, block->open.end, block->close.begin);
        put_string(text, "\n}\n");
        if (!opening->end) continue;
        put_string(text, opening->end);
        put_string(text, opening->of[k]);
    }
    return count;
}

/* -> how many right-hand sides were found */
static int put_problem(struct text *text, const struct ode_problem *definition,
    const struct time_factors *factors, const struct cl_program_text *tiling) {
    struct lexer lexer = lexer_start(definition->text, definition->text_end);
    const char *copied = lexer.next; /* the text before it is written */
    const int calls_functions =
        ecl_rhs_has(definition, "ode_math_") && !ecl_has_only_time_factors(definition, factors);
    int found = 0;
    put_line(text, 1, definition->file);
    for (struct token token; (token = lexer_take(&lexer)).kind;) {
        struct cl_block block = {.kind = CL_NO_BLOCK};
        enum cl_line_kind line = CL_OTHER_LINE;
        if (token.starts_line && token_is(token, "#")) {
            line = ecl_cl_line(lexer);
            lexer_skip_line(&lexer);
        } else {
            block = ecl_cl_block(token, &lexer);
        }
        if (!block.kind && line == CL_OTHER_LINE) continue;
        put_equations(text, factors, copied, token.begin);
        copied = lexer.next;
        if (block.kind) found += put_block(text, definition, factors, &block, tiling);
        if (line == CL_OUR_HEADER) put_header(text, calls_functions);
        put_line_at(text, definition, copied);
    }
    put_equations(text, factors, copied, definition->text_end);
    put_string(text, "\n");
    return found;
}

/* Thresholds of tiny values, exactly: see stages.cl. */
static void put_flush(struct text *text, const struct system *s) {
    char line[128];
    const char *const suffix = s->real_size == sizeof(float) ? "f" : "";
    if (!s->flush.reals) return;
    if (!isnan(s->flush_below)) {
        snprintf(line, sizeof line, "#define FLUSH_BELOW(i) %a%s\n",
            real_get(s->flush.reals, 0, s->real_size), suffix);
        put_string(text, line);
        return;
    }
    put_string(text, "__constant const ode_real flush_below[ODE_COMPONENTS] = {\n");
    for (int64_t c = 0; c < (int64_t)s->definition->grid.components; c++) {
        snprintf(
            line, sizeof line, "    %a%s,\n", real_get(s->flush.reals, c, s->real_size), suffix);
        put_string(text, line);
    }
    put_string(text, "};\n#define FLUSH_BELOW(i) flush_below[(i) % ODE_COMPONENTS]\n");
}

int ecl_cl_is_place_constant(const struct system *s) {
    const struct ode_grid *const grid = &s->context.grid;
    return s->moves && grid->rank &&
           (s->real_size == sizeof(cl_long) || grid->global[grid_last_axis(grid)] <= INT32_MAX);
}

static int reads_place(const struct system *s) {
    return ecl_is_window(s) && (!s->context.grid.rank || ecl_find_reads(s->definition).place);
}

struct cl_place ecl_cl_place(const struct system *s) {
    const struct ode_grid *const grid = &s->context.grid;
    struct cl_place place = {0};
    /* The text is not searched for what moves. */
    if (!ecl_cl_is_place_constant(s) && reads_place(s))
        place.first = grid->origin[grid_last_axis(grid)];
    if (ecl_is_window(s) && !grid->rank) {
        place.low = s->context.low;
        place.high = s->context.high;
    }
    if (ecl_is_window(s) && s->method->estimate) {
        place.kept = s->kept;
        place.kept_end = s->kept_end;
    }
    return place;
}

/* Define which array has the errors, and which of them count in a window: see estimate.cl. */
static void put_estimate(struct text *text, const struct system *s) {
    const struct cl_place place = ecl_cl_place(s);
    const long long row = (long long)ecl_system_row(s), kept = (long long)place.kept,
                    end = (long long)place.kept_end;
    char lines[256];
    snprintf(lines, sizeof lines, "#define ESTIMATE %d\n#define ESTIMATE_ATOLS_BY_VALUE %d\n",
        s->method->estimate, s->definition->grid.components <= MOST_ATOLS);
    put_string(text, lines);
    if (!ecl_is_window(s)) return;
    snprintf(lines, sizeof lines,
        "#define ESTIMATE_ROW_COUNTS(row) ((row) >= %lldL && (row) < %lldL)\n"
        "#define ESTIMATE_COUNTS(i) ((i) >= %lldL && (i) < %lldL)\n",
        kept, end, kept * row, end * row);
    put_string(text, lines);
}

/* Define the place of a window in the whole grid: see words.cl. */
static void put_window(struct text *text, const struct system *s) {
    const struct ode_grid *const grid = &s->context.grid;
    const struct cl_place place = ecl_cl_place(s);
    char lines[128];
    if (!reads_place(s)) return;
    if (ecl_cl_is_place_constant(s))
        put_string(text, "#define ODE_WINDOW_MOVES\n");
    else {
        snprintf(lines, sizeof lines, "#define ODE_WINDOW_FIRST %lldL\n", (long long)place.first);
        put_string(text, lines);
    }
    snprintf(lines, sizeof lines, "#define ODE_WINDOW_WHOLE %lldL\n",
        (long long)grid->global[grid_last_axis(grid)]);
    put_string(text, lines);
    if (grid->rank) return;
    snprintf(lines, sizeof lines, "#define ODE_WINDOW_LOW %lldL\n#define ODE_WINDOW_HIGH %lldL\n",
        (long long)place.low, (long long)place.high);
    put_string(text, lines);
}

void ecl_cl_find_factors(const struct ode_problem *definition, const eulercl_options *options,
    struct time_factors *factors) {
    memset(factors, 0, sizeof *factors);
    if (!TUNED(options, vendor_functions)) ecl_find_time_factors(definition, factors);
}

int ecl_cl_source(const struct system *system, const eulercl_options *options,
    int64_t largest_index, const struct cl_program_text *tiling, char **source,
    eulercl_error *error) {
    const struct ode_problem *const definition = system->definition;
    if (!definition->text)
        return ecl_fail(error, EULERCL_UNSUPPORTED,
            "problem %s has no source text, so it runs on the CPU only", definition->name);
    struct text text = {NULL, 0};
    struct time_factors factors;
    const int64_t coefficients = (int64_t)(system->field_bytes / system->real_size);
    if (largest_index < coefficients) largest_index = coefficients;
    ecl_cl_find_factors(definition, options, &factors);
    for (int pass = 0; pass < 2; pass++) {
        char settings[160];
        snprintf(settings, sizeof settings,
            "#define ODE_DOUBLE %d\n#define ODE_UNCACHED %d\n#define ODE_INDEX %s\n%s",
            options->precision == EULERCL_DOUBLE, (int)TUNED(options, uncached),
            largest_index < INT32_MAX ? "int" : "long",
            TUNED(options, vendor_functions) ? "#define ODE_VENDOR_FUNCTIONS_\n" : "");
        text.size = 0;
        put_string(&text, settings);
        if (factors.count) {
            snprintf(settings, sizeof settings, "#define ODE_TIME_FACTORS %d\n", factors.count);
            put_string(&text, settings);
        }
        if (system->moving_sides) {
            snprintf(settings, sizeof settings, "#define ODE_MOVING_SIDES %u\n",
                (unsigned)system->moving_sides);
            put_string(&text, settings);
        }
        if (tiling->settings) put_string(&text, tiling->settings);
        put_window(&text, system);
        put_embedded(&text, "prelude.cl", ecl_text_prelude, ecl_text_prelude_size);
        put_boundary(&text);
        if (!put_problem(&text, definition, &factors, tiling)) {
            ecl_mem_free(text.bytes);
            return ecl_fail(error, EULERCL_COMPILE,
                "%s: the text for OpenCL contains no ODE_POINT_RHS( ... ) or ODE_EVAL_COMP( ... ) "
                "under that name",
                definition->file);
        }
        put_embedded(&text, "forms.cl", ecl_text_forms, ecl_text_forms_size);
        put_embedded(&text, "ode_forms.h", ecl_text_ode_forms, ecl_text_ode_forms_size);
        if (tiling->in_local_memory) {
            put_embedded(&text, "local_forms.cl", ecl_text_local_forms, ecl_text_local_forms_size);
            put_embedded(&text, "ode_forms.h", ecl_text_ode_forms, ecl_text_ode_forms_size);
        }
        put_embedded(&text, "ode_update.h", ecl_text_ode_update, ecl_text_ode_update_size);
        put_embedded(&text, "common.cl", ecl_text_common, ecl_text_common_size);
        put_string(&text, "#define TILE_INT ode_offset\n"); /* the integers of the geometries */
        if (tiling->ending) put_flush(&text, tiling->ending);
        if (tiling->ending && tiling->ending->method->estimate) put_estimate(&text, tiling->ending);
        put_embedded(&text, "estimate.cl", ecl_text_estimate, ecl_text_estimate_size);
        for (const struct cl_text *t = tiling->texts; t->name; t++)
            put_embedded(&text, t->name, t->bytes, *t->size);
        put(&text, "", 1);
        if (!pass && !(text.bytes = ecl_mem_zeroed(text.size, 1)))
            return ecl_no_memory(error, "the program's text");
    }
    *source = text.bytes;
    return EULERCL_OK;
}
