/* SPDX-License-Identifier: BSD-2-Clause */
/* registers/costs.c - see registers/kernel.h: what the search knows of a method and of a
 * right-hand side. */
#include "config.h"
#include "kernel.h"
#include "../../problem/lexer.h"
#include "../../problem/function_work.h"
#include "../../problem/problem_text.h"
#include "../../problem/time_factors.h"
#include "../../problem/system.h"
#include <string.h>

/* Whether neighbours read components that are positions, or that are not. */
static int has_shared(const struct system *s, int positions) {
    const struct ode_grid *grid = &s->definition->grid;
    const uint64_t shared = ecl_find_reads(s->definition).components;
    for (uint32_t c = 0; c < grid->components; c++)
        if ((c > 63 || shared >> c & 1) && ecl_is_position(s, c) == positions) return 1;
    return !grid->rank;
}

struct stage_edges ecl_registers_edges(const struct system *s, const struct stage *stage) {
    if (stage->components == STAGE_ALL) return (struct stage_edges){1, 1};
    /* The derivatives of positions are made of velocities alone: `eulercl check` verifies that. */
    const int positions = stage->components == STAGE_POSITIONS;
    return (struct stage_edges){
        .reads = !positions || has_shared(s, 0), .hands_over = has_shared(s, positions)};
}

/* Add the points of velocities and of positions that a step spoils. */
static void spoil(const struct system *s, const struct method *m, int64_t depth[2]) {
    for (int k = 0; k < m->stages; k++) {
        const struct stage *stage = &m->table[k];
        const int64_t reads = ecl_registers_edges(s, stage).reads;
        if (stage->components == STAGE_ALL) {
            depth[0] = depth[1] = int_max(depth[0], depth[1]) + reads;
        } else {
            const int kind = stage->components == STAGE_POSITIONS;
            depth[kind] = int_max(depth[kind], depth[!kind] + reads);
        }
    }
}

/* The carried values that the stage replaces by its solution, which the next stage replaces again,
   as bits: rows of REGISTER_STREAM's levels are there as long as that. */
static unsigned passing_copies(const struct method *m, int stage) {
    unsigned copies = 0;
    for (int i = 1; stage + 1 < m->stages && i < m->arrays; i++) {
        const struct stage_row row = ecl_stage_row(&m->table[stage], i),
                               next = ecl_stage_row(&m->table[stage + 1], i);
        const int is_copy = row.terms == 1 && row.ones == 1, is_kept = next.terms == 1u << i;
        copies |= (unsigned)(is_copy && !is_kept) << (i - 1);
    }
    return copies;
}

struct method_costs ecl_register_costs(const struct system *s, struct cut cut, int from, int end) {
    const struct method *m = s->method;
    struct method_costs c = {.cut = cut,
        .launches = end - from,
        .arrays = m->arrays,
        .evaluations = (double)m->evaluations / m->stages};
    const int first = (int)(ecl_section(m, cut, from).table - m->table);
    for (int k = from; k < end; k++) {
        const struct method section = ecl_section(m, cut, k);
        const int64_t begin = section.table - m->table;
        int64_t depth[2] = {0, 0};
        spoil(s, &section, depth);
        const int64_t once = int_max(depth[0], depth[1]);
        spoil(s, &section, depth);
        c.depth[0] = int_max(c.depth[0], once);
        c.depth[1] = int_max(c.depth[1], int_max(depth[0], depth[1]) - once);
        c.stages = int_max(c.stages, section.stages);
        c.all_stages += section.stages;
        c.enters = int_max(c.enters, ecl_carried_into(m, begin));
        c.leaves = int_max(c.leaves, ecl_carried_into(m, begin + section.stages));
        c.factors = int_max(c.factors,
            (int64_t)section.stages * ecl_stage_factors(&section) * (int64_t)s->real_size);
    }
    for (int k = first; k < first + c.all_stages; k++) {
        const unsigned wanted = ecl_wanted_behind(m, k);
        c.live += __builtin_popcount(wanted);
        c.live_in_stream += __builtin_popcount(wanted & ~passing_copies(m, k));
        for (int i = 0; i < m->arrays; i++) {
            const struct stage_row row = ecl_stage_row(&m->table[k], i);
            const int first_is_one = row.ones >> __builtin_ctz(row.terms | 1u << 31) & 1;
            c.updates += __builtin_popcount(row.terms) - (row.terms ? first_is_one : 0);
        }
    }
    /* Partitioned methods: of some components only. */
    c.updates *= c.evaluations / (double)c.all_stages;
    c.live /= (double)c.all_stages;
    c.live_in_stream /= (double)c.all_stages;
    return c;
}

/* Instructions of a mean of two numbers; 0: the word is no mean. */
static double mean_cost(struct token word) {
    if (token_begins(word, "ode_arithmetic_mean")) return 2;
    return token_begins(word, "ode_harmonic_mean") ? 3 * machine_gpu.division_instructions + 1 : 0;
}

/* Instructions of a math function; those of a mean are also added to *means. In the preprocessed
 * text it is `_Generic(ode_zero, float : ode_fma_f32, ...)`, whose first word the lexer took last;
 * the lexer goes on after its bracket. */
static double call_cost(struct lexer *lexer, double *means) {
    double mean = 0, cost = machine_gpu.call_instructions;
    struct token token;
    do {
        token = lexer_take(lexer);
        const double work = ecl_function_work_of(token);
        if (token_begins(token, "ode_fma")) cost = 1;
        if (mean_cost(token) > 0) cost = mean = mean_cost(token);
        if (work > 0) cost = work * machine_gpu.exp_instructions;
    } while (token.kind && !token_is(token, ")"));
    *means += mean;
    return cost;
}

/* Skip what stands between a bracket, which was taken, and the one that closes it. */
static void skip_brackets(struct lexer *lexer) {
    struct token token;
    for (int depth = 0; (token = lexer_take(lexer)).kind;) {
        depth += token_is(token, "(") - token_is(token, ")");
        if (!depth) return;
    }
}

/* What it takes to read the coefficients of a point from memory. */
static double read_cost(const struct ode_problem *d) {
    return d->field_count * (ecl_rhs_has(d, "ode_neighbour_field")
                                    ? machine_gpu.neighbour_field_instructions
                                    : machine_gpu.field_instructions) +
           (d->find_marks ? machine_gpu.marks_instructions : 0);
}

/* Instructions of an operator. */
static double operator_cost(struct token token) {
    if (token.kind != TOKEN_PUNCTUATION || token_is(token, "->")) return 0;
    return token_begins(token, "/") ? machine_gpu.division_instructions
                                    : strchr("+-*", *token.begin) != NULL;
}

/* Take what stands between a test and what goes through a face (ODE_OPEN_, ODE_THROUGH_); ->
 * whether both are there. */
static int take_to_flux(struct lexer *lexer) {
    static const char *const between[] = {"!=", "0", ")", ")", "?"};
    struct lexer ahead = *lexer;
    for (size_t i = 0; i < sizeof between / sizeof *between; i++)
        if (!token_is(lexer_take(&ahead), between[i])) return 0;
    *lexer = ahead;
    return 1;
}

/* Operators outside index brackets, and calls, up to the texts of sides. What goes through a face
 * is computed once for both points beside it. `- ode_zero`, by which the words of problems give a
 * number the type of a real, is not an operator. */
static void count_operations(struct lexer lexer, double test, double *count, double *means) {
    int brackets = 0, after_operand = 0, depth = 0, shared = 0; /* the depth around a flux */
    for (struct token token; (token = lexer_take(&lexer)).kind && !token_is(token, "ode_sides");) {
        int ends_operand = token.kind == TOKEN_WORD || token.kind == TOKEN_NUMBER ||
                           token_is(token, ")") || token_is(token, "]");
        brackets += token_is(token, "[") - token_is(token, "]");
        depth += token_is(token, "(") - token_is(token, ")");
        if (token_is(token, ")") && depth == shared) shared = 0;
        const int sharing = shared ? 2 : 1; /* points */
        if (!brackets && token_is(token, "_Generic")) {
            double mean = 0;
            *count += call_cost(&lexer, &mean) / sharing;
            *means += mean / sharing;
        } else if (!brackets && token_is(token, "ode_is_open")) {
            skip_brackets(&lexer);
            ends_operand = 1;
            if (take_to_flux(&lexer)) {
                *count += test / 2;
                shared = depth -= 2;
                ends_operand = 0;
            } else {
                *count += test;
            }
        } else if (!brackets && token_is(token, "-") &&
                   token_begins(lexer_peek(&lexer), "ode_zero")) {
            lexer_take(&lexer);
            ends_operand = 1;
        } else if (!brackets && after_operand) {
            *count += operator_cost(token) / sharing;
        }
        after_operand = ends_operand;
    }
}

struct register_operations ecl_register_operations(const struct ode_problem *d) {
    const char *text = d->rhs ? d->rhs() : NULL;
    double count = 0, means = 0;
    if (!text)
        return (struct register_operations){
            .each_level = machine_gpu.component_instructions * d->grid.components};
    count_operations(lexer_start(text, text + strlen(text)),
        d->find_marks ? machine_gpu.test_instructions : 0, &count, &means);
    if (!d->field_count) means = 0;
    return (struct register_operations){
        .each_level =
            fmax(0, count - means - ecl_time_factor_work(d) * machine_gpu.exp_instructions),
        .of_fields = means,
        .reads = read_cost(d)};
}
