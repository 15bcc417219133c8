/* SPDX-License-Identifier: BSD-2-Clause */
/* test_bits.c - the same bits everywhere: all forms of a problem, all instruction sets, all
   backends. Each is compared with the definition: y[j] <- fma(h, eval_comp(j), y[j]), one call per
   component. */
#include "config.h"
#include "../support.h"
#include "run/backend.h"
#include <eulercl/detail/ode_math_c.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const enum eulercl_precision precisions[] = {EULERCL_FLOAT, EULERCL_DOUBLE};

/* Sizes around the places where something changes: windows that do not fit, multiples of 4, whole
 * cache lines. */
static const int64_t lengths[] = {1, 2, 3, 4, 5, 6, 7, 9, 13, 16, 17, 31, 65, 130, 257};

/* The problem with sizes number `size` and, from size 1 on, random values for the other parameters.
 */
static eulercl_problem *problem_with(const struct ode_problem *definition, int size) {
    eulercl_problem *problem;
    OK(eulercl_problem_create(definition, &problem, &error));
    const int64_t count = (int64_t)(sizeof lengths / sizeof *lengths);
    for (uint32_t i = 0; i < definition->parameter_count; i++) {
        const struct ode_parameter *p = &definition->parameters[i];
        /* At most 65 along an axis of a plane, and 7 of a volume. */
        const int64_t most = definition->grid.rank < 2    ? count
                             : definition->grid.rank == 2 ? count - 3
                                                          : 7;
        double value = p->integer ? (double)lengths[i == 0 ? size % most : random_below(most)]
                                  : p->value * random_real(0.5, 1.5);
        value = fmin(fmax(value, p->min), p->max);
        if (size)
            eulercl_problem_set(
                problem, p->name, value, &error); /* refused: too small for a mirror */
    }
    return problem;
}

/* `steps` steps by definition. */
static void reference(const struct system *s, void *y, double t0, double h, int64_t steps) {
    const struct ode_problem *d = s->definition;
    char *next = zeroed(s->n, s->real_size);
    for (int64_t step = 0; step < steps; step++) {
        const double t = t0 + (double)step * h;
        for (int64_t i = 0; i < s->n; i++)
            if (s->real_size == sizeof(float))
                ((float *)next)[i] =
                    fmaf((float)h, d->eval_comp_f32(&s->context, i, (float)t, y), ((float *)y)[i]);
            else
                ((double *)next)[i] =
                    fma(h, d->eval_comp_f64(&s->context, i, t, y), ((double *)y)[i]);
        if (s->kernels && s->kernels->solve_points)
            s->kernels->solve_points(&s->context, next, s->n / (int64_t)d->grid.components, 1, h);
        memcpy(y, next, s->state_bytes);
    }
    free(next);
}

/* ---- the forms of one problem, for every instruction set ---- */

static void check_step_ranges(
    const struct system *s, const struct ode_kernels *kernels, const void *in, double t, double h) {
    char *expected = zeroed(s->n, s->real_size), *out = zeroed(s->n, s->real_size),
         *pattern = zeroed(s->n, s->real_size);
    const struct ode_instant at = ode_instant_at(t);
    memset(pattern, 0xA5, s->state_bytes);
    memcpy(expected, in, s->state_bytes);
    reference(s, expected, t, h, 1);
    for (int k = 0; k < 12; k++) {
        /* All of it, nothing, then any range of whole points. */
        const int64_t point =
            s->definition->grid.rank ? (int64_t)s->definition->grid.components : 1;
        int64_t begin = k ? point * random_below(s->n / point + 1) : 0,
                end = k ? begin + point * random_below((s->n - begin) / point + 1) : s->n;
        if (k == 1) end = begin;
        const size_t b = (size_t)begin * s->real_size, e = (size_t)end * s->real_size;
        memcpy(out, pattern, s->state_bytes);
        kernels->step_range(&s->context, out, in, begin, end, &at, h);
        SAME(out + b, expected + b, end - begin, s->real_size,
            "%s, %s, step_range %lld .. %lld of %lld", s->definition->name, kernels->isa,
            (long long)begin, (long long)end, (long long)s->n);
        ck_assert_msg(!memcmp(out, pattern, b) && !memcmp(out + e, pattern, s->state_bytes - e),
            "%s, %s, step_range %lld .. %lld writes elsewhere", s->definition->name, kernels->isa,
            (long long)begin, (long long)end);
    }
    free(expected);
    free(out);
    free(pattern);
}

static void check_eval_ranges(
    const struct system *s, const struct ode_kernels *kernels, const void *y, double t) {
    char *expected = zeroed(s->n, s->real_size), *dot = zeroed(s->n, s->real_size);
    const struct ode_instant at = ode_instant_at(t);
    for (int64_t i = 0; i < s->n; i++)
        if (s->real_size == sizeof(float))
            ((float *)expected)[i] = s->definition->eval_comp_f32(&s->context, i, (float)t, y);
        else
            ((double *)expected)[i] = s->definition->eval_comp_f64(&s->context, i, t, y);
    for (int k = 0; k < 4; k++) {
        const int64_t begin = k ? random_below(s->n + 1) : 0,
                      end = k ? begin + random_below(s->n - begin + 1) : s->n;
        memset(dot, 0xA5, s->state_bytes);
        kernels->eval_range(&s->context, dot, y, begin, end, &at);
        SAME(dot + (size_t)begin * s->real_size, expected + (size_t)begin * s->real_size,
            end - begin, s->real_size, "%s, %s, eval_range %lld .. %lld of %lld",
            s->definition->name, kernels->isa, (long long)begin, (long long)end, (long long)s->n);
    }
    free(expected);
    free(dot);
}

static void check_eval_comp4(
    const struct system *s, const struct ode_kernels *kernels, const void *y, double t) {
    const struct ode_instant at = ode_instant_at(t);
    for (int64_t i4 = 0; 4 * i4 + 3 < s->n; i4++) {
        union {
            float f32[4];
            double f64[4];
        } four, ones;
        kernels->eval_comp4(&s->context, i4, &at, y, &four);
        for (int k = 0; k < 4; k++)
            if (s->real_size == sizeof(float))
                ones.f32[k] = s->definition->eval_comp_f32(&s->context, 4 * i4 + k, (float)t, y);
            else
                ones.f64[k] = s->definition->eval_comp_f64(&s->context, 4 * i4 + k, t, y);
        SAME(&four, &ones, 4, s->real_size, "%s, %s, eval_comp4(%lld) of n = %lld",
            s->definition->name, kernels->isa, (long long)i4, (long long)s->n);
    }
}

START_TEST(forms_agree) {
    const struct ode_problem *definition = test_problems[_i].definition;
    const char *names[ISA_LEVELS] = {""};
    random_start((uint64_t)_i);
    for (int size = 0; size < 24; size++)
        for (int p = 0; p < 2; p++) {
            eulercl_problem *problem = problem_with(definition, size);
            for (test_isa_level = 0; test_isa_level < ISA_LEVELS; test_isa_level++) {
                struct system s;
                OK(ecl_system_create(problem, precisions[p], &s, &error));
                names[test_isa_level] = s.kernels->isa;
                if (test_isa_level && !strcmp(names[test_isa_level - 1], s.kernels->isa)) {
                    ecl_system_destroy(&s);
                    break; /* the processor or the build has no more */
                }
                void *y = zeroed(s.n, s.real_size);
                random_state(y, s.n, s.real_size);
                const double
                    t = random_real(-3, 3),
                    h = random_real(
                        0.1, 2); /* one step: a large one shows the last bit of the derivative */
                check_step_ranges(&s, s.kernels, y, t, h);
                check_eval_ranges(&s, s.kernels, y, t);
                check_eval_comp4(&s, s.kernels, y, t);
                free(y);
                ecl_system_destroy(&s);
            }
            eulercl_problem_destroy(problem);
        }
#if defined(__x86_64__)
    /* The plain code is always there; the others where the processor has them: then they must have
     * been reached. Some builds of check-long have the plain code alone of two in three problems.
     */
    ck_assert_str_eq(names[0], "x86-64");
    const int all = definition->each_kernels(sizeof(double), 1) != NULL;
    ck_assert_msg(all || definition != &test_problem_bruss2d, "plain code alone");
    if (all && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        ck_assert_str_eq(names[1], "avx2");
#endif
}
END_TEST

/* ---- the words of the contract, against right-hand sides written out by hand ---- */

/* A point of a grid, in double. at() finds a neighbour in the plainest way there is. */
struct point {
    const struct system *s;
    const double *y, *constants;
    double t, outside[4];
    struct {
        double a, b, g;
    } robin[2]; /* per component */
    double spacing;
    int64_t ix, iy;
    /* The ghost of a side's own rule, d points beyond it; ix, iy: its place along the side; in[k]:
     * the value k points inwards, as far as the rule reads. */
    double (*own)(
        const struct point *, int side, int d, int64_t ix, int64_t iy, int c, const double *in);
};

static int64_t settle(int64_t i, int64_t size, uint32_t boundary) {
    while (i < 0 || i >= size) {
        const int64_t before = i;
        if (boundary == ODE_FIXED) return -1;
        if (boundary == ODE_CLAMP) i += i < 0 ? 1 : -1;
        if (boundary == ODE_MIRROR) i = i < 0 ? -i : 2 * (size - 1) - i;
        if (boundary == ODE_RULE_MIRROR_CELLS_) i = i < 0 ? -1 - i : 2 * size - 1 - i;
        if (boundary == ODE_PERIODIC) i += i < 0 ? size : -size;
        if (i == before) ck_abort_msg("boundary rule %u is not written by hand", boundary);
    }
    return i;
}

static double at_place(const struct point *p, const int64_t place[2], int c);

/* What stands beyond an end of an axis under a rule that computes it; the place along the end is
 * inside, or beyond an end of x where the ghost is one of y. */
static double ghost(const struct point *p, uint32_t rule, const int64_t place[2], int axis, int c) {
    const struct ode_grid *const grid = &p->s->context.grid;
    const int64_t last = grid->extents[axis] - 1, i = place[axis];
    const int is_high = i > last, d = (int)(is_high ? i - last : -i);
    double in[8];
    if (rule == ODE_FIXED) return p->outside[c];
    for (int k = 0; k <= ODE_INWARDS_(rule, d, (int)grid->radius); k++) {
        int64_t inside[2] = {place[0], place[1]};
        inside[axis] = is_high ? last - k : k;
        in[k] = at_place(p, inside, c);
    }
    if (rule == ODE_ROBIN)
        return in[d] +
               2 * (double)d * p->spacing * (p->robin[c].g - p->robin[c].a * in[0]) / p->robin[c].b;
    if (!p->own) ck_abort_msg("boundary rule %u is not written by hand", rule);
    int64_t along[2] = {place[0], place[1]};
    along[axis] = is_high ? last : 0;
    return p->own(p, 2 * axis + is_high, d, along[0], along[1], c, in);
}

/* The rows beyond an end of y are made of whole rows, so x comes first. */
static double at_place(const struct point *p, const int64_t place[2], int c) {
    const struct ode_grid *const grid = &p->s->context.grid;
    int64_t i[2] = {place[0], place[1]};
    if (ODE_IS_PERIODIC_(grid->boundary[0][0])) i[0] = settle(i[0], grid->extents[0], ODE_PERIODIC);
    for (int axis = 1; axis >= 0; axis--) {
        const uint32_t rule = grid->boundary[axis][i[axis] >= grid->extents[axis]];
        if (i[axis] >= 0 && i[axis] < grid->extents[axis]) continue;
        if (!ODE_IS_COPY_(rule)) return ghost(p, rule, i, axis, c);
        i[axis] = settle(i[axis], grid->extents[axis], rule);
    }
    return p->y[(i[1] * grid->extents[0] + i[0]) * grid->components + c];
}

static double at(const struct point *p, int dx, int dy, int c) {
    return at_place(p, (const int64_t[]){p->ix + dx, p->iy + dy}, c);
}

static double laplace1(const struct point *p, int c) {
    return fma(-2, at(p, 0, 0, c), at(p, -1, 0, c) + at(p, 1, 0, c));
}
static double laplace2(const struct point *p, int c) {
    return fma(-4, at(p, 0, 0, c),
        (at(p, 0, -1, c) + at(p, 0, 1, c)) + (at(p, -1, 0, c) + at(p, 1, 0, c)));
}

static void by_hand_bruss2d(struct point *p, double *dot) {
    const double A = p->constants[2], B = p->constants[3], d = p->constants[4],
                 B1 = p->constants[5], u = at(p, 0, 0, 0), w = u * u * at(p, 0, 0, 1);
    dot[0] = fma(d, laplace2(p, 0), fma(-B1, u, A + w));
    dot[1] = fma(d, laplace2(p, 1), fma(B, u, -w));
}
static void by_hand_string(struct point *p, double *dot) {
    dot[0] = at(p, 0, 0, 1);
    dot[1] = p->constants[2] * laplace1(p, 0);
}
static void by_hand_forced_wave(struct point *p, double *dot) {
    p->outside[0] = p->constants[2] * p->t;
    p->outside[1] = 0.75;
    dot[0] = at(p, 0, 0, 1);
    dot[1] = fma(p->constants[3], laplace1(p, 0) + at(p, -1, 0, 1) - at(p, 1, 0, 1),
                 p->t * (1 - p->t) / (1 + p->t * p->t)) -
             at(p, 0, 0, 0) / p->constants[4];
}
static void by_hand_heat_fields(struct point *p, double *dot) {
    const double nx = (double)p->s->context.grid.extents[0],
                 ny = (double)p->s->context.grid.extents[1], kappa = p->constants[2];
    const double conductivity = 1 + (double)(p->ix % 4) / 3 + (double)p->iy / ny;
    dot[0] = fma(kappa * conductivity, laplace2(p, 0),
        (double)(p->iy % 3) / 10 - kappa / 100 + (double)p->ix / nx);
}
static void by_hand_advection(struct point *p, double *dot) {
    dot[0] =
        p->constants[1] * (fma(2, at(p, -1, 0, 0), -1.5 * at(p, 0, 0, 0)) - at(p, -2, 0, 0) / 2) +
        fma(0.01, at(p, 2, 0, 0), -0.01 * at(p, 1, 0, 0));
}
static void by_hand_diagonal(struct point *p, double *dot) {
    const double rate = p->constants[2], corners = (at(p, -1, -1, 0) + at(p, 1, 1, 0)) +
                                                   (at(p, -1, 1, 1) + at(p, 1, -1, 2));
    dot[0] = rate * corners - at(p, 0, 0, 0) * at(p, 0, 0, 1);
    dot[1] = fma(rate, laplace2(p, 1), at(p, -1, -1, 2));
    dot[2] = at(p, 1, -1, 0) - at(p, 0, 0, 2) * corners;
}
static void by_hand_rod_clamp(struct point *p, double *dot) {
    dot[0] = p->constants[0] * laplace1(p, 0);
}
static void by_hand_rod_fixed(struct point *p, double *dot) {
    p->outside[0] = p->constants[2] - 0.1;
    dot[0] = p->constants[1] *
             fma(0.25, at(p, -2, 0, 0) + at(p, 2, 0, 0), laplace1(p, 0) - at(p, 0, 0, 0) / 2);
}
static void by_hand_position(struct point *p, double *dot) {
    const double x = (double)p->ix / (double)p->s->context.grid.extents[0],
                 y = (double)(p->iy + 1) / (double)p->s->context.grid.extents[1];
    for (int c = 0; c < 4; c++) p->outside[c] = p->constants[2] + c;
    dot[0] = x * laplace2(p, 0);
    dot[1] = y * laplace2(p, 1) - at(p, 0, 0, 0);
    dot[2] = (x - y) * at(p, 1, 0, 3) + at(p, 0, -1, 2);
    dot[3] = p->ix == p->s->context.grid.extents[0] - 1 ? at(p, -1, 0, 3)
                                                        : fma(x, at(p, 0, 1, 1), -at(p, 0, 0, 3));
}
static void by_hand_mirror2(struct point *p, double *dot) {
    const double cross = (at(p, -1, 0, 0) + at(p, 1, 0, 0)) + (at(p, 0, -1, 0) + at(p, 0, 1, 0));
    const double corners =
        (at(p, -1, -1, 0) + at(p, 1, 1, 0)) + (at(p, -1, 1, 0) + at(p, 1, -1, 0));
    const double far = (at(p, -2, 0, 0) + at(p, 2, 0, 0)) + (at(p, 0, -2, 0) + at(p, 0, 2, 0));
    dot[0] = -p->constants[2] *
             (fma(20, at(p, 0, 0, 0), fma(-8, cross, fma(2, corners, far))) + at(p, 2, -2, 0) / 64);
}
static void by_hand_beam(struct point *p, double *dot) {
    dot[0] = at(p, 0, 0, 1);
    dot[1] = -p->constants[1] *
             fma(6, at(p, 0, 0, 0),
                 fma(-4, at(p, -1, 0, 0) + at(p, 1, 0, 0), at(p, -2, 0, 0) + at(p, 2, 0, 0)));
}
static void by_hand_far_star(struct point *p, double *dot) {
    p->outside[0] = p->constants[2] + p->t / 2;
    const double near = (at(p, -1, 0, 0) + at(p, 1, 0, 0)) + (at(p, 0, -1, 0) + at(p, 0, 1, 0));
    const double far = (at(p, -2, 0, 0) - at(p, 0, 2, 0) / 3) + (at(p, 2, 0, 0) + at(p, 0, -2, 0));
    dot[0] = fma(1.25, near, fma(-5, at(p, 0, 0, 0), far / -12));
}
static void by_hand_excited(struct point *p, double *dot) {
    const double rate = p->constants[2], v = at(p, 0, 0, 1);
    dot[0] = rate * (v - at(p, 0, 0, 0));
    dot[1] = laplace2(p, 1) + at(p, 1, -1, 1) / 8 - v * v * v / 3 - at(p, 0, 0, 0);
    dot[2] = at(p, 0, 1, 1) - at(p, 0, 0, 2);
}
static void by_hand_hidden(struct point *p, double *dot) {
    const double rate = p->constants[2];
    dot[0] = rate * (at(p, 1, 0, 1) - at(p, 0, 0, 1)) + at(p, -1, 0, 2);
    dot[1] = rate * (at(p, 0, -1, 2) - at(p, 0, 0, 2)) + at(p, 1, 1, 0);
    dot[2] = (at(p, 1, 0, 0) - at(p, 0, 0, 0)) + at(p, -1, 1, 0) / 4;
}
static void by_hand_pasted(struct point *p, double *dot) {
    dot[0] = p->constants[2] * laplace2(p, 1) - p->t / 4;
    dot[1] = at(p, 1, 1, 0) - at(p, 0, 0, 1);
}
static void by_hand_rotor(struct point *p, double *dot) {
    for (int c = 0; c < 4; c += 2) {
        const volatile double less = at(p, -1, 0, c) * at(p, 0, 0, c + 1),
                              more = at(p, -1, 0, c + 1) * at(p, 0, 0, c);
        dot[c] = less - at(p, 1, 0, c);
        dot[c + 1] = more + at(p, 1, 0, c + 1);
    }
}

static void by_hand_robin_rod(struct point *p, double *dot) {
    const double kappa = p->constants[1], loss = p->constants[2], t = p->t;
    p->spacing = p->constants[3];
    p->robin[0].a = loss;
    p->robin[0].b = kappa;
    p->robin[0].g = loss * (0.0625 + 3 * kappa * t + 12 * kappa * kappa * t * t) +
                    kappa * (0.5 + 12 * kappa * t);
    dot[0] = p->constants[4] *
             (16 * laplace1(p, 0) - fma(-2, at(p, 0, 0, 0), at(p, -2, 0, 0) + at(p, 2, 0, 0))) / 12;
}
static void by_hand_robin_plate(struct point *p, double *dot) {
    const double leak = p->constants[2];
    p->spacing = p->constants[3];
    p->robin[0].a = leak;
    p->robin[1].a = 0.75;
    p->robin[0].g = 0.3;
    p->robin[1].g = p->t * leak;
    p->robin[0].b = p->robin[1].b = 3;
    dot[0] = fma(0.125, at(p, 1, 1, 0) - at(p, -1, 1, 0) - at(p, 1, -1, 1) + at(p, -1, -1, 0),
        laplace2(p, 0) / 2);
    dot[1] = laplace2(p, 1) / 3 - at(p, 0, 0, 0) * at(p, 0, 0, 1) / 8;
}

static void by_hand_swing(struct point *p, double *dot) {
    const double drive = ode_math_sin_f64(p->constants[2] * p->t + p->constants[3]) / 4;
    p->outside[0] = drive;
    p->outside[1] = 0.5 - p->t;
    dot[0] = fma(0.5, laplace2(p, 0), drive * at(p, 0, 0, 1));
    dot[1] = laplace2(p, 1) / 4 - ode_math_cos_f64(p->t / 3) * at(p, 1, 0, 0) -
             (p->t + 1) * at(p, 0, -1, 0) / 8;
}

static double own_sides_plate(
    const struct point *p, int side, int d, int64_t ix, int64_t iy, int c, const double *in) {
    const double leak = p->constants[2], wide = p->constants[3], t = p->t;
    const int64_t nx = p->s->context.grid.extents[0], ny = p->s->context.grid.extents[1];
    if (side == 0) {
        const double g = c == 0 ? leak * t + (double)iy / 4 : 0.75;
        return d == 1 ? g : 2 * g - in[0];
    }
    if (side == 1) return in[d] + 2 * (double)d * wide * (c == 0 ? leak : (double)(ny - iy) / 8);
    if (side == 2)
        return in[d] + 2 * (double)d * 0.25 * (t - (double)ix / 4 - leak * in[0]) / (2 + c);
    return c == 0 ? 2 * (double)(nx - ix) - in[0] : in[2] / 2 - in[1] + d * t;
}
static void by_hand_sides_plate(struct point *p, double *dot) {
    p->own = own_sides_plate;
    dot[0] = fma(0.125, at(p, 1, 2, 0) - at(p, -1, 1, 0) - at(p, 2, -1, 1) + at(p, -2, -2, 0),
        laplace2(p, 0) / 4);
    dot[1] = (at(p, 2, 0, 1) - at(p, -2, 0, 1) + at(p, 0, 2, 1) - at(p, 0, -2, 1)) / 8 -
             at(p, 0, 0, 0) * at(p, 0, 0, 1) / 8;
}
static double own_sides_cells(
    const struct point *p, int side, int d, int64_t ix, int64_t iy, int c, const double *in) {
    const double leak = p->constants[2], width = p->constants[3], a = 1 + c;
    (void)d, (void)iy;
    if (side == 1)
        return (2 * width * p->t + (2 * leak - width * a) * in[0]) / (2 * leak + width * a);
    return 2 * (leak * (double)ix) - in[0];
}
static void by_hand_sides_cells(struct point *p, double *dot) {
    p->own = own_sides_cells;
    p->outside[0] = 0 + p->t;
    p->outside[1] = 1 + p->t;
    dot[0] = laplace2(p, 0) / 4 - at(p, 0, 0, 1);
    dot[1] = laplace2(p, 1) / 8 + at(p, 0, 0, 0);
}
static double own_sides_tube(
    const struct point *p, int side, int d, int64_t ix, int64_t iy, int c, const double *in) {
    (void)d, (void)iy, (void)c;
    if (side == 2) return in[0] + ((double)(ix % 3) - p->t);
    return in[1] - (double)(2 * ix - p->s->context.grid.extents[0]) / 16;
}
static void by_hand_sides_tube(struct point *p, double *dot) {
    p->own = own_sides_tube;
    dot[0] = fma(p->constants[2], laplace2(p, 0),
        at(p, 1, 1, 0) / 8 - at(p, -1, 1, 0) / 16 - at(p, 1, -1, 0) / 8 + at(p, -1, -1, 0) / 16);
}
static double own_sides_rod(
    const struct point *p, int side, int d, int64_t ix, int64_t iy, int c, const double *in) {
    const double push = p->constants[1], apart = (2 * d - 1) * p->constants[2];
    (void)iy;
    if (side == 0)
        return in[d - 1] + apart * (c == 0 ? p->t : (double)p->s->context.grid.extents[0] / 64);
    return (2 * apart * (push * (double)ix / 32) + (4 - apart * c) * in[d - 1]) / (4 + apart * c);
}
static void by_hand_sides_rod(struct point *p, double *dot) {
    p->own = own_sides_rod;
    dot[0] = laplace1(p, 0) / 4 + (at(p, 2, 0, 1) - at(p, -2, 0, 0)) / 16;
    dot[1] = laplace1(p, 1) / 8 - at(p, 0, 0, 0) * at(p, 0, 0, 1) + at(p, -2, 0, 1) / 8;
}

/* The place of a point dx, dy away, where fields are asked for: the nearest one, or round. */
static void field_place(const struct point *p, int dx, int dy, int64_t place[2]) {
    const struct ode_grid *const grid = &p->s->context.grid;
    const int64_t at[2] = {p->ix + dx, p->iy + dy};
    for (int axis = 0; axis < 2; axis++) {
        const int64_t n = grid->extents[axis];
        place[axis] = ODE_IS_PERIODIC_(grid->boundary[axis][0]) ? (at[axis] % n + n) % n
                      : at[axis] < 0                            ? 0
                      : at[axis] >= n                           ? n - 1
                                                                : at[axis];
    }
}

/* A conductivity, and whether a point is an obstacle, of the problem at hand. */
struct medium {
    double (*conductivity)(const struct point *p, int dx, int dy);
    int (*is_obstacle)(const struct point *p, const int64_t place[2]);
};
static double arithmetic(double a, double b) { return a / 2 + b / 2; }
static double harmonic(double a, double b) { return 2 / (1 / a + 1 / b); }

/* Whether the face towards the neighbour is open: beyond the grid's ends are no obstacles. */
static int is_open(const struct point *p, const struct medium *m, int dx, int dy) {
    const struct ode_grid *const grid = &p->s->context.grid;
    const int64_t here[2] = {p->ix, p->iy};
    int64_t there[2];
    field_place(p, dx, dy, there);
    const int axis = dx ? 0 : 1;
    const int64_t to = here[axis] + dx + dy;
    const int is_outside =
        !ODE_IS_PERIODIC_(grid->boundary[axis][0]) && (to < 0 || to >= grid->extents[axis]);
    return !m->is_obstacle(p, here) && (is_outside || !m->is_obstacle(p, there));
}

/* What goes up through the face between the points dx, dy away, and the next one along x or y. */
static double flux(const struct point *p, const struct medium *m, double (*mean)(double, double),
    int along_x, int dx, int dy, int c) {
    const int to_x = dx + along_x, to_y = dy + !along_x, is_here = !dx && !dy;
    const double d =
        m->conductivity ? mean(m->conductivity(p, dx, dy), m->conductivity(p, to_x, to_y)) : 1;
    if (!is_open(p, m, is_here ? to_x : dx, is_here ? to_y : dy)) return 0;
    return d * (at(p, to_x, to_y, c) - at(p, dx, dy, c));
}
static double flow_along(const struct point *p, const struct medium *m,
    double (*mean)(double, double), int along_x, int c) {
    return flux(p, m, mean, along_x, 0, 0, c) - flux(p, m, mean, along_x, -along_x, -!along_x, c);
}
static double across(const struct point *p, const struct medium *m, int along_x, int d, int c) {
    const int dx = along_x ? d : 0, dy = along_x ? 0 : d, tx = !along_x, ty = along_x,
              ux = dx + along_x, uy = dy + !along_x, is_here = !d;
    if (!is_open(p, m, is_here ? ux : dx, is_here ? uy : dy)) return 0;
    return arithmetic(m->conductivity(p, dx, dy), m->conductivity(p, ux, uy)) *
           ((at(p, dx + tx, dy + ty, c) - at(p, dx - tx, dy - ty, c)) +
               (at(p, ux + tx, uy + ty, c) - at(p, ux - tx, uy - ty, c)));
}

static double maze_wall(const int64_t i[2]) {
    return (double)((5 * i[0] + 3 * i[1] + i[0] * i[1]) % 11) / 10 - 0.05;
}
static int maze_is_obstacle(const struct point *p, const int64_t place[2]) {
    return maze_wall(place) > p->constants[2];
}
static double maze_conductivity(const struct point *p, int dx, int dy) {
    int64_t i[2];
    field_place(p, dx, dy, i);
    return (double)((3 * i[0] + 7 * i[1]) % 5) / 5;
}
static double maze_product(const struct point *p, int dx, int dy) {
    return 1 + maze_conductivity(p, dx, dy) * at(p, dx, dy, 0);
}
static void by_hand_maze(struct point *p, double *dot) {
    const struct medium plain = {NULL, maze_is_obstacle},
                        field = {maze_conductivity, maze_is_obstacle},
                        product = {maze_product, maze_is_obstacle};
    const int64_t here[2] = {p->ix, p->iy};
    dot[0] = dot[1] = -0.0;
    if (maze_is_obstacle(p, here) || maze_wall(here) < 0 || p->iy == 3) return;
    dot[0] =
        (flow_along(p, &plain, NULL, 0, 0) + flow_along(p, &plain, NULL, 1, 0)) / 8 +
        (flow_along(p, &product, arithmetic, 1, 1) + flow_along(p, &product, arithmetic, 0, 1)) /
            16;
    dot[1] = (flow_along(p, &field, harmonic, 1, 1) + flow_along(p, &field, harmonic, 0, 1)) / 8 -
             at(p, 0, 0, 0) * maze_conductivity(p, 0, 0) / 8 +
             ((across(p, &field, 1, 0, 0) - across(p, &field, 1, -1, 0)) +
                 (across(p, &field, 0, 0, 0) - across(p, &field, 0, -1, 0))) /
                 4 / 32 +
             is_open(p, &plain, 0, -1) * 0.125;
}

/* Of a corner the field is that of the nearest point. */
static double own_inflow(
    const struct point *p, int side, int d, int64_t ix, int64_t iy, int c, const double *in) {
    const int64_t nx = p->s->context.grid.extents[0];
    const int64_t x = ix < 0 ? 0 : ix >= nx ? nx - 1 : ix;
    const double bed = (double)((3 * x + 5 * iy) % 8) / 8, inlet = (double)((x + 2 * iy) % 5) / 5;
    (void)d, (void)c;
    if (side == 0) return inlet * (1 + p->t);
    if (side == 1) return in[1] + 2 * 0.5 * (-inlet / 4);
    if (side == 2) return bed - in[0];
    return in[1] + 2 * 0.5 * (inlet - bed * in[0]) / 2;
}
static void by_hand_inflow(struct point *p, double *dot) {
    const double bed = (double)((3 * p->ix + 5 * p->iy) % 8) / 8;
    p->own = own_inflow;
    dot[0] = p->constants[2] *
             (bed * laplace2(p, 0) + (at(p, 1, 1, 0) - at(p, -1, 1, 0) + at(p, -1, -1, 0)) / 8);
}

static int scar_is_obstacle(const struct point *p, const int64_t place[2]) {
    (void)p;
    return place[0] % 17 == 5;
}
static double scar_conductivity(const struct point *p, int dx, int dy) {
    int64_t i[2];
    field_place(p, dx, dy, i);
    return (double)(7 * i[0] % 5) / 5;
}
static void by_hand_scar(struct point *p, double *dot) {
    const struct medium plain = {NULL, scar_is_obstacle},
                        field = {scar_conductivity, scar_is_obstacle};
    dot[0] = dot[1] = -0.0;
    if (p->ix % 17 == 5 || p->ix % 13 == 11) return;
    dot[0] = flow_along(p, &field, harmonic, 1, 0) / 4 +
             scar_conductivity(p, 2, 0) * at(p, -2, 0, 1) / 16 -
             scar_conductivity(p, -2, 0) * at(p, 2, 0, 0) / 16;
    dot[1] = p->constants[1] *
             (flow_along(p, &plain, NULL, 1, 1) - scar_conductivity(p, 0, 0) * at(p, 0, 0, 0));
}

static const struct {
    int problem;
    void (*rhs)(struct point *, double *);
} written_by_hand[] = {
    {TEST_bruss2d, by_hand_bruss2d},
    {TEST_string, by_hand_string},
    {TEST_forced_wave, by_hand_forced_wave},
    {TEST_heat_fields, by_hand_heat_fields},
    {TEST_advection, by_hand_advection},
    {TEST_diagonal, by_hand_diagonal},
    {TEST_rod_clamp, by_hand_rod_clamp},
    {TEST_rod_fixed, by_hand_rod_fixed},
    {TEST_position, by_hand_position},
    {TEST_mirror2, by_hand_mirror2},
    {TEST_beam, by_hand_beam},
    {TEST_far_star, by_hand_far_star},
    {TEST_excited, by_hand_excited},
    {TEST_hidden, by_hand_hidden},
    {TEST_pasted, by_hand_pasted},
    {TEST_rotor, by_hand_rotor},
    {TEST_robin_rod, by_hand_robin_rod},
    {TEST_robin_plate, by_hand_robin_plate},
    {TEST_swing, by_hand_swing},
    {TEST_sides_plate, by_hand_sides_plate},
    {TEST_sides_cells, by_hand_sides_cells},
    {TEST_sides_tube, by_hand_sides_tube},
    {TEST_sides_rod, by_hand_sides_rod},
    {TEST_maze, by_hand_maze},
    {TEST_scar, by_hand_scar},
    {TEST_inflow, by_hand_inflow},
};

START_TEST(words_mean_what_they_say) {
    const struct ode_problem *definition = test_problems[written_by_hand[_i].problem].definition;
    random_start(200 + (uint64_t)_i);
    for (int size = 0; size < 30; size++) {
        eulercl_problem *problem = problem_with(definition, size);
        struct system s;
        OK(ecl_system_create(problem, EULERCL_DOUBLE, &s, &error));
        double *y = zeroed(s.n, sizeof *y);
        random_state(y, s.n, sizeof *y);
        const double t = random_real(-2, 2);
        for (int64_t i = 0; i < s.n; i += definition->grid.components) {
            const int64_t point = i / definition->grid.components;
            struct point p = {.s = &s,
                .y = y,
                .constants = s.constants,
                .t = t,
                .ix = point % s.context.grid.extents[0],
                .iy = point / s.context.grid.extents[0]};
            double dot[4];
            written_by_hand[_i].rhs(&p, dot);
            for (uint32_t c = 0; c < definition->grid.components; c++) {
                const double got = definition->eval_comp_f64(&s.context, i + c, t, y);
                ck_assert_msg(got == dot[c],
                    "%s, %lld x %lld points: component %u of (%lld, %lld) is %a, by hand %a (seed "
                    "%llu)",
                    definition->name, (long long)s.context.grid.extents[0],
                    (long long)s.context.grid.extents[1], c, (long long)p.ix, (long long)p.iy, got,
                    dot[c], (unsigned long long)seed());
            }
        }
        free(y);
        ecl_system_destroy(&s);
        eulercl_problem_destroy(problem);
    }
}
END_TEST

/* The largest error of robin_rod after a fixed time. The error of steps falls as fast as that in
 * space, since their length is a part of the spacing's square. */
static double robin_error(int points) {
    eulercl_problem *problem;
    struct system s;
    double worst = 0;
    OK(eulercl_problem_create(&test_problem_robin_rod, &problem, &error));
    OK(eulercl_problem_set(problem, "points", points, &error));
    OK(eulercl_problem_set(problem, "kappa", 0.25, &error));
    OK(ecl_system_create(problem, EULERCL_DOUBLE, &s, &error));
    double *y = zeroed(s.n, sizeof *y), *exact = zeroed(s.n, sizeof *y);
    const int64_t steps = 2 * (points - 1) * (points - 1);
    OK(eulercl_problem_initial(problem, EULERCL_DOUBLE, 0, s.n, y, &error));
    OK(eulercl_problem_exact(problem, 1, EULERCL_DOUBLE, 0, s.n, exact, &error));
    reference(&s, y, 0, 1 / (double)steps, steps);
    for (int64_t i = 0; i < s.n; i++) worst = fmax(worst, fabs(y[i] - exact[i]));
    free(y);
    free(exact);
    ecl_system_destroy(&s);
    eulercl_problem_destroy(problem);
    return worst;
}

START_TEST(robin_is_of_second_order) {
    double last = robin_error(11);
    for (int points = 21; points <= 41; points = 2 * points - 1) {
        const double next = robin_error(points), order = log2(last / next);
        ck_assert_msg(fabs(order - 2) < 0.1, "%d points: error %g, before %g, order %g", points,
            next, last, order);
        last = next;
    }
}
END_TEST

/* ---- the access distance: nothing beyond it is read, and the declared one is no larger than
 * needed ---- */

/* Whether component i changes when y[j] becomes not-a-number. */
static int depends(const struct system *s, void *y, int64_t i, int64_t j) {
    const double value = value_at(y, j, s->real_size);
    double dot;
    if (s->real_size == sizeof(float)) {
        ((float *)y)[j] = (float)NAN;
        dot = (double)s->definition->eval_comp_f32(&s->context, i, 0.5f, y);
        ((float *)y)[j] = (float)value;
    } else {
        ((double *)y)[j] = NAN;
        dot = s->definition->eval_comp_f64(&s->context, i, 0.5, y);
        ((double *)y)[j] = value;
    }
    return isnan(dot);
}

START_TEST(access_distance_is_true) {
    const struct ode_problem *definition = test_problems[_i].definition;
    random_start((uint64_t)_i);
    int64_t slack = INT64_MAX;
    for (int size = 0; size < 16; size++)
        for (int p = 0; p < 2; p++) {
            eulercl_problem *problem = problem_with(definition, size);
            eulercl_problem_info info = {.struct_size = sizeof info};
            OK(eulercl_problem_get_info(problem, &info, &error));
            struct system s;
            if (info.n > 700) { /* n^2 calls */
                eulercl_problem_destroy(problem);
                continue;
            }
            OK(ecl_system_create(problem, precisions[p], &s, &error));
            void *y = zeroed(s.n, s.real_size);
            for (int64_t i = 0; i < s.n; i++)
                if (s.real_size == sizeof(float))
                    ((float *)y)[i] = (float)random_real(1, 2);
                else
                    ((double *)y)[i] = random_real(1, 2);
            int64_t reached = 0;
            for (int64_t i = 0; i < s.n; i++)
                for (int64_t j = 0; j < s.n; j++)
                    if (llabs(i - j) > reached && depends(&s, y, i, j)) reached = llabs(i - j);
            ck_assert_msg(reached <= info.access_distance,
                "%s, n = %lld: reads at distance %lld, declares %lld", definition->name,
                (long long)s.n, (long long)reached, (long long)info.access_distance);
            const int64_t declared =
                info.access_distance < s.n - 1 ? info.access_distance : s.n - 1;
            if (declared - reached < slack) slack = declared - reached;
            free(y);
            ecl_system_destroy(&s);
            eulercl_problem_destroy(problem);
        }
    /* Both built-in problems and those of the general form state it themselves: exactly. */
    if (_i == TEST_bruss2d || _i == TEST_string || !definition->grid.rank)
        ck_assert_msg(
            slack == 0, "%s declares an access distance that no size reaches", definition->name);
}
END_TEST

/* ---- all backends ---- */

struct run_case {
    eulercl_problem *problem;
    enum eulercl_precision precision;
    double t0, h;
    int64_t steps, n;
    const void *start, *expected;
};

static void check_way(const struct run_case *c, const struct way *way, const eulercl_options *extra,
    const char *detail) {
    const size_t real_size = (size_t)c->precision;
    eulercl_options options = *extra;
    eulercl_solver *solver;
    void *y = zeroed(c->n, real_size);
    options.backend = way->backend;
    GIVE_NAME(&options, variant, way->variant);
    options.precision = c->precision;
    options.t0 = c->t0;
    options.h = c->h;
    OK(create_somehow(c->problem, &options, &solver, &error));
    OK(eulercl_set_state(solver, c->start, &error));
    OK(eulercl_advance(solver, c->steps, &error));
    OK(eulercl_get_state(solver, y, &error));
    eulercl_solver_destroy(solver);
    eulercl_problem_info info = {.struct_size = sizeof info};
    OK(eulercl_problem_get_info(c->problem, &info, &error));
    SAME(y, c->expected, c->n, real_size,
        "%s, %lld x %lld points, %zu bytes per real, %lld steps of %a from %a: %s %s %s", info.name,
        (long long)info.extents[0], (long long)info.extents[1], real_size, (long long)c->steps,
        c->h, c->t0, way->backend, way->variant ? way->variant : "", detail);
    free(y);
}

/* The backends without tiles; those have tests of their own below, which compile fewer programs.
   The built-in problems, which are the first, in every variant, the others in the default and by
   turns another one. */
static size_t get_plain_ways(struct way *ways, int problem, int opencl) {
    static const char *const with_tiles[] = {
        "cl-row-diamond", "cl-column-diamond", "cl-honeycomb", "cl-register"};
    size_t count = 0;
    const size_t all = get_ways(ways, MAX_WAYS, opencl);
    for (size_t w = 0; w < all; w++) {
        const char *const variant = ways[w].variant;
        int is_wanted = !ways[w].is_opencl || problem < BUILT_IN_PROBLEMS || !variant ||
                        !strcmp(variant, "vector") || ((size_t)problem + w) % 2;
        for (size_t b = 0; b < sizeof with_tiles / sizeof *with_tiles; b++)
            is_wanted &= strcmp(ways[w].backend, with_tiles[b]) != 0;
        if (is_wanted) ways[count++] = ways[w];
    }
    return count;
}

/* Per problem and precision one choice of work-group size and check, since OpenCL implementations
 * compile a kernel anew for each. */
static void check_all_ways(
    const struct run_case *c, int choice, const struct way *ways, size_t way_count) {
    char detail[100];
    for (size_t w = 0; w < way_count; w++) {
        eulercl_options extra;
        eulercl_options_init(&extra);
        if (ways[w].is_opencl) {
            GIVE(&extra, workgroup_size, choice % 2 ? 3 : 0);
            GIVE(&extra, workgroups, random_below(6));
            extra.check_finite = choice % 3 == 0;
            extra.allow_inexact =
                1; /* one kernel less to compile; other tests have the self-test */
            snprintf(detail, sizeof detail, "%d items in %d groups",
                (int)GIVEN(&extra, workgroup_size), (int)GIVEN(&extra, workgroups));
        } else {
            GIVE(&extra, threads, random_below(6));
            test_isa_level = (int)random_below(ISA_LEVELS);
            snprintf(detail, sizeof detail, "%d threads, instruction set %d",
                (int)GIVEN(&extra, threads), test_isa_level);
        }
        check_way(c, &ways[w], &extra, detail);
    }
}

static void run_case(const struct ode_problem *definition, int size,
    enum eulercl_precision precision, int choice, const struct way *ways, size_t way_count) {
    struct run_case c = {.problem = problem_with(definition, size),
        .precision = precision,
        .t0 = random_real(-2, 2),
        .h = pow(10, random_real(-5, -2)),
        .steps = random_below(9)};
    struct system s;
    OK(ecl_system_create(c.problem, precision, &s, &error));
    void *start = zeroed(s.n, s.real_size), *expected = zeroed(s.n, s.real_size);
    random_state(start, s.n, s.real_size);
    memcpy(expected, start, s.state_bytes);
    reference(&s, expected, c.t0, c.h, c.steps);
    c.n = s.n;
    c.start = start;
    c.expected = expected;
    check_all_ways(&c, choice, ways, way_count);
    free(start);
    free(expected);
    ecl_system_destroy(&s);
    eulercl_problem_destroy(c.problem);
}

START_TEST(backends_agree) {
    if (!test_problems[_i].bits_guaranteed) return;
    struct way ways[MAX_WAYS], cpu_ways[MAX_WAYS];
    const size_t way_count = get_plain_ways(ways, _i, have_opencl()),
                 cpu_count = get_ways(cpu_ways, MAX_WAYS, 0);
    random_start((uint64_t)_i);
    const int sizes = (int)(cases(250, 1000) < 1000 ? cases(250, 1000) / 25 : 40);
    for (int size = 0; size < sizes; size++)
        for (int p = 0; p < 2; p++) {
            /* Compilers of OpenCL are slow: in make check by turns. */
            const int has_turn = _i < BUILT_IN_PROBLEMS ||
                                 (p == _i % 2 && (test_level() != QUICK_TESTS || _i / 2 % 3 == 0));
            const int all = size < 30 && (size + _i) % 4 == 0 && has_turn;
            run_case(test_problems[_i].definition, size, precisions[p], _i + p,
                all ? ways : cpu_ways, all ? way_count : cpu_count);
        }
}
END_TEST

/* ---- one system written in several ways ---- */

START_TEST(forms_of_the_string_agree) {
    static const int forms[] = {TEST_string, TEST_string_thesis, TEST_string_thesis4};
    struct way ways[MAX_WAYS];
    const size_t way_count = get_ways(ways, MAX_WAYS, have_opencl());
    random_start(100);
    for (int size = 0; size < 6; size++) {
        const int64_t n = 2 * (1 + random_below(200)), steps = 1 + random_below(30);
        double *start = zeroed(n, sizeof *start), *expected = zeroed(n, sizeof *expected),
               *y = zeroed(n, sizeof *y);
        random_state(start, n, sizeof *start);
        for (size_t f = 0; f < 3; f++)
            for (size_t w = 0; w < way_count; w++) {
                eulercl_problem *problem;
                eulercl_options options;
                if (ways[w].is_opencl && strcmp(ways[w].variant, "vector")) continue;
                if (ways[w].is_opencl && strcmp(ways[w].backend, "cl-linear") &&
                    strcmp(ways[w].backend, "cl-honeycomb"))
                    continue;
                options_for(&options, &ways[w], EULERCL_DOUBLE);
                OK(eulercl_problem_create(test_problems[forms[f]].definition, &problem, &error));
                OK(eulercl_problem_set_size(problem, n, &error));
                memcpy(y, start, (size_t)n * sizeof *y);
                const int status = eulercl_solve(problem, &options, steps, y, NULL, &error);
                if (status == EULERCL_UNSUPPORTED && !ways[w].is_opencl) { /* this variant */
                    eulercl_problem_destroy(problem);
                    continue;
                }
                OK(status);
                if (!f && !w) memcpy(expected, y, (size_t)n * sizeof *y);
                SAME(y, expected, n, sizeof *y, "form %zu, %s %s", f, ways[w].backend,
                    ways[w].variant ? ways[w].variant : "");
                eulercl_problem_destroy(problem);
            }
        free(start);
        free(expected);
        free(y);
    }
}
END_TEST

/* A program with 64-bit indices, as a system of 2^31 components needs it, has the same bits. */
START_TEST(wide_indices_agree) {
    if (!have_opencl()) return;
    struct way ways[MAX_WAYS];
    const size_t way_count = get_plain_ways(ways, 0, 1);
    const int64_t n = 90;
    double start[90], expected[90], y[90];
    random_start(101);
    random_state(start, n, sizeof *start);
    for (size_t w = 0; w < way_count; w++) {
        eulercl_problem *problem;
        eulercl_options options;
        options_for(&options, &ways[w], EULERCL_DOUBLE);
        if (ways[w].is_opencl) {
            GIVE(&options, workgroup_size, 256);
            GIVE(&options, workgroups, 1 << 21);
        }
        OK(eulercl_problem_create(test_problems[TEST_diagonal].definition, &problem, &error));
        memcpy(y, start, sizeof y);
        const int status = eulercl_solve(problem, &options, 1, y, NULL, &error);
        if (status == EULERCL_UNSUPPORTED && !ways[w].is_opencl) { /* this variant */
            eulercl_problem_destroy(problem);
            continue;
        }
        OK(status);
        if (!w) memcpy(expected, y, sizeof y);
        SAME(y, expected, n, sizeof *y, "%s %s", ways[w].backend,
            ways[w].variant ? ways[w].variant : "");
        eulercl_problem_destroy(problem);
    }
}
END_TEST

/* ---- indices ---- */

/* The width of indices: they go up to n plus four times the work-items. A wrong choice would read
 * elsewhere, in a run too long for a test. */
static const struct {
    double points;
    uint64_t workgroup_size, workgroups;
    const char *type;
} widths[] = {
    {10, 0, 0, "int"},
    {1e8, 0, 0, "int"},
    {0x1p29, 0, 0, "long"},
    {1e12, 0, 0, "long"},
    {10, 64, 0, "int"},
    {10, 1024, 1024, "int"},
    {10, 1024, 1 << 20, "long"},
    {10, 0, 1 << 23, "long"},
    {10, 0, INT32_MAX, "long"},
    {10, INT32_MAX, INT32_MAX, "long"},
};

START_TEST(indices_are_wide_enough) {
    eulercl_problem *problem;
    eulercl_options options;
    char *source = NULL, line[40];
    options_for(&options, &(struct way){"cl-linear", NULL, 1}, EULERCL_FLOAT);
    GIVE(&options, workgroup_size, widths[_i].workgroup_size);
    GIVE(&options, workgroups, widths[_i].workgroups);
    OK(eulercl_problem_create(test_problems[TEST_string].definition, &problem, &error));
    OK(eulercl_problem_set(problem, "points", widths[_i].points, &error));
#ifdef HAVE_OPENCL
    OK(eulercl_kernel_source(problem, &options, &source, &error));
    snprintf(line, sizeof line, "#define ODE_INDEX %s\n", widths[_i].type);
    ck_assert_msg(strstr(source, line) != NULL, "case %d: the index is no %s", _i, widths[_i].type);
#else
    (void)line;
    EXPECT(EULERCL_NO_DEVICE, eulercl_kernel_source(problem, &options, &source, &error));
#endif
    eulercl_free(source);
    eulercl_problem_destroy(problem);
}
END_TEST

/* Tiles of any width fit 32-bit indices below 2^28 components. */
START_TEST(indices_of_tiles_are_wide_enough) {
#ifdef HAVE_OPENCL
    static const char *const backends[] = {"cl-row-diamond", "cl-column-diamond", "cl-honeycomb"};
    for (int b = 0; b < 3; b++)
        for (int is_wide = 0; is_wide < 2; is_wide++) {
            eulercl_problem *problem;
            eulercl_options options;
            char *source = NULL;
            options_for(&options, &(struct way){backends[b], NULL, 1}, EULERCL_FLOAT);
            OK(eulercl_problem_create(test_problems[TEST_string].definition, &problem, &error));
            OK(eulercl_problem_set(problem, "points", 0x1p27 - !is_wide, &error));
            OK(eulercl_kernel_source(problem, &options, &source, &error));
            ck_assert_msg(strstr(source, is_wide ? "#define ODE_INDEX long\n"
                                                 : "#define ODE_INDEX int\n") != NULL,
                "%s, %d", backends[b], is_wide);
            eulercl_free(source);
            eulercl_problem_destroy(problem);
        }
#endif
}
END_TEST

START_TEST(guarantee_is_told) {
    eulercl_problem *problem;
    eulercl_problem_info info = {.struct_size = sizeof info};
    OK(eulercl_problem_create(test_problems[_i].definition, &problem, &error));
    OK(eulercl_problem_get_info(problem, &info, &error));
    ck_assert_msg(info.bits_guaranteed == test_problems[_i].bits_guaranteed,
        "%s: bits_guaranteed is %d", info.name, info.bits_guaranteed);
    eulercl_problem_destroy(problem);
}
END_TEST

static void add(TCase *tests) {
    ADD(robin_is_of_second_order);
    ADD_LOOP(words_mean_what_they_say, (int)(sizeof written_by_hand / sizeof *written_by_hand));
    ADD_LOOP(forms_agree, TEST_PROBLEMS);
    ADD_LOOP(access_distance_is_true, TEST_PROBLEMS);
    ADD_LOOP(backends_agree, TEST_PROBLEMS);
    ADD(forms_of_the_string_agree);
    ADD(wide_indices_agree);
    ADD_LOOP(indices_are_wide_enough, (int)(sizeof widths / sizeof *widths));
    ADD(indices_of_tiles_are_wide_enough);
    ADD_LOOP(guarantee_is_told, TEST_PROBLEMS);
}

int main(void) { return run_tests("bits", add); }
