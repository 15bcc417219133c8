/* SPDX-License-Identifier: BSD-2-Clause */
/* problem_text.c - see problem_text.h. */
#include "config.h"
#include "problem_text.h"
#include "grid.h"
#include <string.h>

struct cl_block ecl_cl_block(struct token word, struct lexer *lexer) {
    static const struct {
        const char *word;
        enum cl_block_kind kind;
    } blocks[] = {{"ODE_POINT_RHS", CL_POINT_BLOCK}, {"ODE_EVAL_COMP", CL_COMPONENT_BLOCK},
        {"ODE_EVAL_COMP4", CL_FOUR_COMPONENTS_BLOCK}, {"ODE_INITIAL", CL_HOST_BLOCK},
        {"ODE_EXACT", CL_HOST_BLOCK}, {"ODE_FIELD_VALUES", CL_HOST_BLOCK}};
    struct lexer ahead = *lexer;
    struct cl_block block = {.kind = CL_NO_BLOCK};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        if (token_is(word, blocks[i].word)) block.kind = blocks[i].kind;
    if (!block.kind) return block;
    block.open = lexer_take(&ahead);
    if (token_is(block.open, "(")) block.close = lexer_take_closing(&ahead);
    if (!block.close.kind) return (struct cl_block){.kind = CL_NO_BLOCK};
    *lexer = ahead;
    return block;
}

struct token ecl_cl_take(struct lexer *lexer) {
    for (;;) {
        const struct token token = lexer_take(lexer);
        struct lexer ahead = *lexer;
        if (!token.kind || ecl_cl_block(token, &ahead).kind != CL_HOST_BLOCK) return token;
        *lexer = ahead;
    }
}

enum cl_line_kind ecl_cl_line(struct lexer lexer) {
    static const char header[] = "eulercl/ode_problem.h";
    if (!token_is(lexer_take_in_line(&lexer), "include")) return CL_OTHER_LINE;
    const struct token name = lexer_take_in_line(&lexer);
    if (!token_begins(name, "<") && !token_begins(name, "\"")) return CL_OTHER_LINE;
    if ((size_t)(lexer.end - name.begin) > sizeof header &&
        !memcmp(name.begin + 1, header, sizeof header - 1))
        return CL_OUR_HEADER;
    return token_begins(name, "<") ? CL_SYSTEM_HEADER : CL_OTHER_LINE;
}

static struct lexer start(const struct ode_problem *definition) {
    return lexer_start(definition->text, definition->text_end);
}

int ecl_includes_others(struct lexer lexer) {
    for (struct token token; (token = lexer_take(&lexer)).kind;) {
        struct lexer line = lexer;
        if (token.starts_line && token_is(token, "#") &&
            token_is(lexer_take_in_line(&line), "include") && ecl_cl_line(lexer) == CL_OTHER_LINE)
            return 1;
    }
    return 0;
}

int ecl_is_open(const struct ode_problem *definition) {
    struct lexer lexer = start(definition);
    if (ecl_includes_others(lexer)) return 1;
    for (struct token token; (token = lexer_take(&lexer)).kind;)
        if (token_is(token, "##") || token_begins(token, "%:")) return 1;
    return 0;
}

/* An argument of a macro call: how many tokens it has, and the first one. */
enum { ARGUMENTS = ODE_MOST_AXES + 1 };
struct argument {
    int tokens;
    struct token first;
};

/* The first arguments of the call whose word the lexer took last. -> how many there are; 0 if it is
 * not a call. */
static int arguments_of(struct lexer lexer, struct argument arguments[ARGUMENTS]) {
    int count = 1;
    if (!token_is(lexer_take(&lexer), "(")) return 0;
    for (int depth = 1;;) {
        const struct token token = lexer_take(&lexer);
        depth += token_is(token, "(") - token_is(token, ")");
        if (!token.kind) return 0;
        if (!depth) return count;
        if (depth == 1 && token_is(token, ","))
            count++;
        else if (count <= ARGUMENTS && !arguments[count - 1].tokens++)
            arguments[count - 1].first = token;
    }
}

/* The value of a decimal number; -1 if the token is another one. */
static int decimal(struct token token) {
    int value = 0;
    if (token_begins(token, "0")) return token_is(token, "0") ? 0 : -1; /* octal, hexadecimal */
    for (const char *p = token.begin; p < token.end; p++) {
        if (*p < '0' || *p > '9' || value >= 1000) return -1;
        value = 10 * value + (*p - '0');
    }
    return value;
}

int ecl_is_macro_parameter(struct token word, struct lexer lexer) {
    struct token token = lexer_take(&lexer);
    if (!token.adjoins || !token_is(token, "(")) return 0;
    while (token.kind && !token_is(token, ")") && !token_equals(token, word))
        token = lexer_take(&lexer);
    return token_equals(token, word);
}

/* The number that the argument is, or that it is the name of: by `#define NAME number`, before the
 * argument, outside of #if, and nothing else about that name. -1: it is neither. */
static int number_of(const struct ode_problem *definition, struct argument argument) {
    const struct token word = argument.first;
    int value = -1, conditions = 0;
    if (argument.tokens != 1) return -1;
    if (word.kind == TOKEN_NUMBER) return decimal(word);
    struct lexer lexer = start(definition);
    for (struct token token; (token = lexer_take(&lexer)).kind;) {
        if (!token.starts_line || !token_is(token, "#")) continue;
        const struct token directive = lexer_take_in_line(&lexer),
                           name = lexer_take_in_line(&lexer);
        const int is_define = token_is(directive, "define");
        conditions += token_begins(directive, "if") - token_is(directive, "endif");
        if (is_define && ecl_is_macro_parameter(word, lexer)) return -1;
        if (!token_equals(name, word)) continue;
        const struct token number = lexer_take_in_line(&lexer), after = lexer_peek(&lexer);
        if (!is_define || conditions || name.begin > word.begin || number.kind != TOKEN_NUMBER ||
            (after.kind && !after.starts_line) || value >= 0)
            return -1;
        value = decimal(number);
        if (value < 0) return -1;
    }
    return value;
}

static int is_zero(struct argument argument) {
    return argument.tokens == 1 && token_is(argument.first, "0");
}

/* The author's words that read neighbours, with the component as their last argument. */
static const struct {
    const char *name;
    int before;    /* arguments before the component, besides an offset for each axis */
    int offsets;   /* 1: it has these */
    int diagonals; /* 1: it reads neighbours along no axis */
} readers[] = {{"AT", 0, 1, 0}, {"LAPLACE", 0, 0, 0}, {"FLOW", 0, 0, 0}, {"DIV_X", 2, 0, 0},
    {"DIV_Y", 2, 0, 0}, {"DIV_Z", 2, 0, 0}, {"DIV_GRAD", 2, 0, 0}, {"DIV_XY", 2, 0, 1},
    {"DIV_XZ", 2, 0, 1}, {"DIV_YZ", 2, 0, 1}};
enum { READERS = sizeof readers / sizeof *readers };

struct reads ecl_find_reads(const struct ode_problem *definition) {
    static const char *const indices[] = {"ix", "iy", "iz"}, *const extents[] = {"nx", "ny", "nz"};
    const uint64_t all = UINT64_MAX;
    const uint32_t last = grid_last_axis(&definition->grid);
    const int rank = (int)definition->grid.rank,
              certain = definition->text && !ecl_is_open(definition);
    struct reads reads = {.time = !certain,
        .place = !certain,
        .diagonals = !certain,
        .components = certain && has_grid(definition) ? 0 : all};
    if (!certain) return reads;
    struct lexer lexer = start(definition);
    for (struct token word; (word = ecl_cl_take(&lexer)).kind;) {
        struct argument a[ARGUMENTS] = {{0}};
        if (token_is(word, "t")) reads.time = 1;
        if (token_is(word, indices[last]) || token_is(word, extents[last])) reads.place = 1;
        int r = 0;
        while (r < READERS && !token_is(word, readers[r].name)) r++;
        if (r == READERS) continue;
        const int count = arguments_of(lexer, a), is_at = readers[r].offsets,
                  offsets = is_at ? rank : 0, is_usual = count == readers[r].before + offsets + 1;
        int away = 0; /* the number of axes along which the offset is not 0 */
        for (int axis = 0; is_usual && axis < offsets; axis++) away += !is_zero(a[axis]);
        if (readers[r].diagonals ||
            (is_at && (away > 1 || (!is_usual && !grid_is_line(&definition->grid)))))
            reads.diagonals = 1;
        if (is_at && is_usual && !away) continue; /* the point itself */
        const int component = is_usual ? number_of(definition, a[count - 1]) : -1;
        reads.components |= component < 0 || component > 63 ? all : (uint64_t)1 << component;
    }
    return reads;
}

/* Whether the word is t, or a macro whose replacement has such a word. looks: how many replacements
 * may be looked through until the answer is yes. */
static int word_reads_time(const struct ode_problem *definition, struct token word, int *looks) {
    struct lexer lexer = start(definition);
    if (word.kind != TOKEN_WORD) return 0;
    if (token_is(word, "t")) return 1;
    for (struct token token; (token = lexer_take(&lexer)).kind;) {
        if (!token.starts_line || !token_is(token, "#")) continue;
        struct lexer line = lexer;
        if (!token_is(lexer_take_in_line(&line), "define") ||
            !token_equals(lexer_take_in_line(&line), word))
            continue;
        if (--*looks < 0) return 1;
        for (struct token next; (next = lexer_take_in_line(&line)).kind;)
            if (!token_equals(next, word) && word_reads_time(definition, next, looks)) return 1;
    }
    return 0;
}

enum { ALL_SIDES = (2 << ODE_SIDE_Z_HIGH_) - 2 };

/* All sides, if the word with this name may read the time. */
static uint32_t sides_of_name(const struct ode_problem *definition, const char *name, int *looks) {
    const struct token word = {.kind = TOKEN_WORD, .begin = name, .end = name + strlen(name)};
    return word_reads_time(definition, word, looks) ? ALL_SIDES : 0;
}

/* The number of the side with this name; 0: none has it. */
static int side_of(struct token name) {
    static const char *const names[] = {
        "", "X_LOW", "X_HIGH", "Y_LOW", "Y_HIGH", "Z_LOW", "Z_HIGH"};
    int side = ODE_SIDE_Z_HIGH_;
    while (side > 0 && !token_is(name, names[side])) side--;
    return side;
}

/* The sides whose own rules may read the time, from the line behind `#define ODE_SIDES`:
 * SIDE(X_LOW, rule) and nothing else. All, if it has another form. */
static uint32_t sides_of_line(const struct ode_problem *definition, struct lexer line, int *looks) {
    uint32_t sides = 0;
    const struct token open = lexer_take_in_line(&line), word = lexer_take_in_line(&line);
    if (!token_is(open, "(") || !token_is(lexer_take_in_line(&line), ")")) return ALL_SIDES;
    for (struct token token; (token = lexer_take_in_line(&line)).kind;) {
        const int is_rule = token_equals(token, word) && token_is(lexer_take_in_line(&line), "("),
                  side = side_of(lexer_take_in_line(&line));
        if (!is_rule || !side) return ALL_SIDES;
        for (int depth = 1; depth;) {
            const struct token next = lexer_take_in_line(&line);
            if (!next.kind) return ALL_SIDES;
            depth += token_is(next, "(") - token_is(next, ")");
            if (word_reads_time(definition, next, looks)) sides |= UINT32_C(1) << side;
        }
    }
    return sides;
}

static uint32_t sides_of_text(const struct ode_problem *definition, int *looks) {
    struct lexer lexer = start(definition);
    uint32_t sides = 0;
    for (struct token token; (token = lexer_take(&lexer)).kind;) {
        struct lexer line = lexer;
        if (token.starts_line && token_is(token, "#") &&
            token_is(lexer_take_in_line(&line), "define") &&
            token_is(lexer_take_in_line(&line), "ODE_SIDES"))
            sides |= sides_of_line(definition, line, looks);
    }
    return sides;
}

uint32_t ecl_moving_sides(const struct ode_problem *definition) {
    const int certain = definition->text && !ecl_is_open(definition);
    int looks = 1000;
    uint32_t moving = 0;
    if (!has_grid(definition)) return 0;
    const uint32_t own = certain ? sides_of_text(definition, &looks) : ALL_SIDES,
                   outside = certain ? sides_of_name(definition, "ODE_OUTSIDE", &looks) : ALL_SIDES,
                   robin = certain ? sides_of_name(definition, "ODE_ROBIN_G", &looks) : ALL_SIDES;
    for (int side = 1; side <= ODE_SIDE_((int)definition->grid.rank - 1, 1); side++) {
        const uint32_t rule = definition->grid.boundary[ODE_AXIS_OF_(side)][ODE_IS_HIGH_(side)];
        const uint32_t candidates = ODE_IS_UNIFORM_(rule)      ? outside
                                    : ODE_IS_ROBIN_(rule)      ? robin
                                    : ODE_HAS_OWN_VALUE_(rule) ? own
                                                               : 0;
        moving |= candidates & UINT32_C(1) << side;
    }
    return moving;
}

int ecl_rhs_has(const struct ode_problem *definition, const char *beginning) {
    if (!definition->rhs) return 1;
    const char *const text = definition->rhs();
    struct lexer lexer = lexer_start(text, text + strlen(text));
    for (struct token token; (token = lexer_take(&lexer)).kind;)
        if (token.kind == TOKEN_WORD && token_begins(token, beginning)) return 1;
    return 0;
}
