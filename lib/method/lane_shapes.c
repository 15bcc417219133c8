/* SPDX-License-Identifier: BSD-2-Clause */
/* lane_shapes.c - print eulercl/detail/ode_lane_shapes.h: the shapes of stages that have code in
 * SIMD lanes, which follow from the methods. `make lane-shapes` writes the header; no library
 * contains this file. */
#include "config.h"
#include "methods.h"
#include "../mem.h"
#include <eulercl/detail/ode_lane_shapes.h>
#include <stdio.h>

/* The rows that the code of a shape has. */
enum { ROWS = 3, MOST_SHAPES = 64 };
struct shape {
    int in_place;
    struct stage_row rows[ROWS];
};
/* Shapes, each with the number of members that have it. */
struct shapes {
    struct shape of[MOST_SHAPES];
    int members[MOST_SHAPES], count;
};

static int is_equal(const struct shape *a, const struct shape *b) {
    int is = a->in_place == b->in_place;
    for (int i = 0; i < ROWS; i++)
        is &= a->rows[i].terms == b->rows[i].terms && a->rows[i].ones == b->rows[i].ones;
    return is;
}

/* The number of the shape, which is added if it is new. */
static int number_of(struct shapes *shapes, const struct shape *shape) {
    int i = 0;
    while (i < shapes->count && !is_equal(&shapes->of[i], shape)) i++;
    if (i == shapes->count && i < MOST_SHAPES) {
        shapes->of[i] = *shape;
        shapes->members[i] = 0;
        shapes->count++;
    }
    return i;
}

/* A carried value that is a sum of F, or is the first of its terms, and that no other row reads:
 * the lanes add it beside any shape. */
static int is_sum(const struct stage_row *rows, int row) {
    const unsigned self = 1u << row, f = 1u << ODE_MOST_ARRAYS_;
    for (int i = 0; i < ODE_MOST_ARRAYS_; i++)
        if (i != row && rows[i].terms & self) return 0;
    return row && (rows[row].terms == f || (rows[row].terms == (self | f) && rows[row].ones));
}

/* -> whether the stage has a shape that can have code. */
static int shape_of(const struct method *method, int number, struct shape *shape) {
    const struct stage *const stage = &method->table[number];
    struct stage_row rows[ODE_MOST_ARRAYS_] = {{0}};
    union ecl_stage rounded;
    ecl_stage_of(method, number, 1, sizeof(double), &rounded);
    for (int i = 0; i < method->arrays; i++)
        if (rounded.f64.writes >> i & 1) rows[i] = ecl_stage_row(stage, i);
    *shape = (struct shape){.in_place = stage->in_place};
    for (int i = 0; i < ODE_MOST_ARRAYS_; i++)
        if (rows[i].terms && !is_sum(rows, i)) {
            if (i == ROWS) return 0;
            shape->rows[i] = rows[i];
        }
    return stage->components == STAGE_ALL && !stage->is_buffered;
}

/* Add the shapes that most members of a family have. Single members have others where a coefficient
 * happens to be 0 or 1. */
static int add_family(const struct method_family *family, enum estimates estimates,
    struct shapes *shapes, eulercl_error *error) {
    struct shapes found = {.count = 0};
    int members = 0;
    for (int stages = family->least; stages <= family->most; stages++) {
        struct method *method;
        struct shapes own = {.count = 0};
        struct shape shape;
        const int status = ecl_method_create(family, stages, estimates, &method, error);
        if (status) return status;
        stages = method->own_stages;
        members++;
        for (int s = 0; s < method->stages; s++)
            if (shape_of(method, s, &shape)) number_of(&own, &shape);
        for (int i = 0; i < own.count; i++) found.members[number_of(&found, &own.of[i])]++;
        ecl_mem_free(method);
    }
    for (int i = 0; i < found.count; i++)
        if (2 * found.members[i] > members) number_of(shapes, &found.of[i]);
    return EULERCL_OK;
}

/* Shapes that have code keep their order, since what compilers make of a problem depends on it:
 * some methods ran at 0.75 and others at 1.3 times their rates in another order. */
#define KNOWN_(NUMBER, IN_PLACE, T0, O0, T1, O1, T2, O2) {IN_PLACE, {{T0, O0}, {T1, O1}, {T2, O2}}},
static const struct shape known[] = {ODE_LANE_SHAPES_(KNOWN_)};

static const char head[] =
    "/* SPDX-License-Identifier: BSD-2-Clause */\n"
    "/* ode_lane_shapes.h - the shapes of stages that have code in SIMD lanes.\n"
    " *\n"
    " * lib/method/lane_shapes.c makes it from the methods: `make lane-shapes`. A shape is a\n"
    " * number, whether the stage is in place, and of U, P1 and P2 the terms and those of\n"
    " * them that have the coefficient 1, as bits: U, P1, P2, P3, h b F. A component without\n"
    " * terms remains, and so does P3. Number 0 is the shape of Euler steps. Each shape takes\n"
    " * time to compile. */\n"
    "/* clang-format off */\n"
    "#define ODE_LANE_SHAPES_(SHAPE)";

int main(void) {
    struct shapes wanted = {.count = 0}, ordered = {.count = 0};
    const char *origin[MOST_SHAPES];
    eulercl_error error;
    for (size_t m = 0; ecl_methods[m]; m++) {
        const int before = wanted.count;
        /* Estimates for equations that read t add few stages of other shapes. */
        for (int e = NO_ESTIMATES; e <= (ecl_methods[m]->fill_estimate ? ESTIMATES : 0); e++)
            if (add_family(ecl_methods[m], (enum estimates)e, &wanted, &error))
                return fprintf(stderr, "lane_shapes: %s\n", error.message), 1;
        for (int i = before; i < wanted.count; i++) origin[i] = ecl_methods[m]->name;
    }
    for (size_t k = 0; k < sizeof known / sizeof *known; k++)
        for (int i = 0; i < wanted.count; i++)
            if (is_equal(&wanted.of[i], &known[k])) number_of(&ordered, &known[k]);
    for (int i = 0; i < wanted.count; i++) number_of(&ordered, &wanted.of[i]);
    fputs(head, stdout);
    for (int i = 0; i < ordered.count; i++) {
        const struct stage_row *const r = ordered.of[i].rows;
        printf(" \\\n    SHAPE(%d, %d, %u, %u, %u, %u, %u, %u) /* %s */", i, ordered.of[i].in_place,
            r[0].terms, r[0].ones, r[1].terms, r[1].ones, r[2].terms, r[2].ones,
            origin[number_of(&wanted, &ordered.of[i])]);
    }
    puts("\n/* clang-format on */");
    return 0;
}
