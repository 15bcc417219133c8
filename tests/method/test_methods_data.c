/* SPDX-License-Identifier: BSD-2-Clause */
/* test_methods_data.c - the methods' numbers: order of convergence, limits of stability, damping,
 * rounding errors and the form of the tables, for every method and number of stages. */
#include "config.h"
#include "../support.h"
#include "mem.h"
#include "method/method.h"
#include <complex.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_odeiv2.h>
#include <math.h>
#include <string.h>

enum { MOST_STAGES = 256, SIZE = 4, MOST_SIZE = 4000 };

/* A member of a family. */
struct member {
    const struct method_family *family;
    int stages, is_partitioned;
    struct stage table[MOST_STAGES];
};

static int fill(const struct method_family *family, int stages, struct member *member) {
    if (family->next && family->next(stages) != stages) return 0;
    *member = (struct member){.family = family, .stages = stages};
    ecl_fill_stages(family, stages, 0, member->table);
    ecl_set_weights(stages, member->table);
    for (int s = 0; s < stages; s++) member->is_partitioned |= !!member->table[s].components;
    return 1;
}

/* The members that tests look at: all, but few of the families that have every number of stages. */
static int next_member(struct member *member) {
    const struct method_family *family = member->family;
    int at = 0, stages = member->stages + 1;
    while (ecl_methods[at] != family) at++;
    for (;; stages++) {
        if (stages > family->most) {
            family = ecl_methods[++at];
            if (!family) return 0;
            stages = family->least;
        }
        if (!family->next && stages > 12 && stages != 25 && stages != 57 && stages != 100 &&
            stages < family->most - 1)
            continue;
        if (fill(family, stages, member)) return 1;
    }
}
#define EACH_MEMBER(M) (struct member M = {.family = ecl_methods[0]}; next_member(&M);)

/* ---- a step, written out here once more ---- */

/* `size` components; odd ones are velocities. rhs(data, t, y, f). */
#define DEFINE_STEP(NAME, VALUE, FMA)                                                          \
    typedef void rhs_##NAME(const void *data, double t, const VALUE *y, VALUE *f);             \
    static void make_step_##NAME(const struct member *m, rhs_##NAME *rhs, const void *data,    \
        int size, double t, double h, VALUE *y) {                                              \
        static VALUE x[ODE_MOST_ARRAYS_][MOST_SIZE], f[MOST_SIZE];                             \
        VALUE now[ODE_MOST_ARRAYS_] = {0};                                                     \
        memcpy(x[0], y, (size_t)size * sizeof *y);                                             \
        for (int s = 0; s < m->stages; s++) {                                                  \
            const struct stage *g = &m->table[s];                                              \
            rhs(data, t + g->c * h, x[0], f);                                                  \
            for (int i = 0; i < size; i++) {                                                   \
                if (g->components == STAGE_POSITIONS && i % 2) continue;                       \
                if (g->components == STAGE_VELOCITIES && i % 2 == 0) continue;                 \
                for (int k = 0; k < m->family->arrays; k++) now[k] = x[k][i];                  \
                for (int k = m->family->arrays - 1; k >= 0; k--) {                             \
                    VALUE sum = 0;                                                             \
                    for (int j = 0; j < m->family->arrays; j++)                                \
                        if (g->a[k][j] != 0)                                                   \
                            sum = FMA((VALUE)g->a[k][j], g->in_place ? x[j][i] : now[j], sum); \
                    x[k][i] = g->b[k] != 0 ? FMA((VALUE)(h * g->b[k]), f[i], sum) : sum;       \
                }                                                                              \
            }                                                                                  \
        }                                                                                      \
        memcpy(y, x[0], (size_t)size * sizeof *y);                                             \
    }
DEFINE_STEP(f32, float, fmaf)
DEFINE_STEP(f64, double, fma)
#define MULTIPLY_ADD(A, X, S) ((A) * (X) + (S))
DEFINE_STEP(complex, double complex, MULTIPLY_ADD)

/* ---- order ---- */

/* Nonlinear systems that depend on the time in several ways. The second is one of positions and
 * velocities, by turns, whose derivatives depend on each other's. */
static void general(const void *data, double t, const double *y, double *f) {
    (void)data;
    f[0] = y[1] - y[0] * y[0] * y[0] / 3 + 0.5 * sin(2 * t);
    f[1] = -y[0] * (1 + 0.3 * cos(t)) - 0.2 * y[1] * y[2];
    f[2] = y[0] * y[1] - y[2] * (1 + 0.5 * sin(t));
    f[3] = cos(3 * y[2] + 2 * t) - 2 * y[3] * (1 + y[0] * y[0]);
}
static void partitioned(const void *data, double t, const double *y, double *f) {
    (void)data;
    f[0] = (y[1] + 0.1 * y[1] * y[1] * y[1]) * (1 + 0.2 * sin(t)) + 0.1 * y[3];
    f[1] = -sin(y[0]) * (1 + 0.3 * cos(t)) + 0.2 * y[2];
    f[2] = y[3] * (1 + 0.1 * cos(2 * t)) + 0.1 * y[1];
    f[3] = -y[2] * y[2] * y[2] - 0.5 * y[2] + 0.2 * y[0] + 0.3 * sin(t);
}
static const double start[SIZE] = {1, 0.5, 0.7, 0.4}, t_start = 0.3, duration = 4;

static int for_gsl(double t, const double y[], double f[], void *rhs) {
    (*(rhs_f64 **)rhs)(NULL, t, y, f);
    return GSL_SUCCESS;
}

static void find_reference(rhs_f64 *rhs, double *y) {
    gsl_odeiv2_system system = {.function = for_gsl, .dimension = SIZE, .params = &rhs};
    gsl_odeiv2_driver *const driver =
        gsl_odeiv2_driver_alloc_y_new(&system, gsl_odeiv2_step_rk8pd, 1e-3, 1e-14, 1e-14);
    double t = t_start;
    memcpy(y, start, sizeof start);
    ck_assert_int_eq(gsl_odeiv2_driver_apply(driver, &t, t_start + duration, y), GSL_SUCCESS);
    gsl_odeiv2_driver_free(driver);
}

static double error_of(const struct member *m, const double *reference, int steps) {
    const double h = duration / steps;
    double y[SIZE], worst = 0;
    memcpy(y, start, sizeof start);
    for (int i = 0; i < steps; i++)
        make_step_f64(
            m, m->is_partitioned ? partitioned : general, NULL, SIZE, t_start + i * h, h, y);
    for (int i = 0; i < SIZE; i++) worst = fmax(worst, fabs(y[i] - reference[i]));
    return worst;
}

START_TEST(converges) {
    static const int steps[] = {0, 4096, 512, 256, 128, 128};
    double references[2][SIZE];
    find_reference(general, references[0]);
    find_reference(partitioned, references[1]);
    for
        EACH_MEMBER(m) {
            const double *const reference = references[m.is_partitioned];
            const int n = steps[m.family->order];
            const double rough = error_of(&m, reference, n), fine = error_of(&m, reference, 2 * n),
                         order = log2(rough / fine);
            ck_assert_msg(fabs(order - m.family->order) < 0.1,
                "%s, %d stages: order %.3f from the errors %.3g and %.3g", m.family->name, m.stages,
                order, rough, fine);
        }
}
END_TEST

/* ---- boundary values ---- */

/* y' = g'(t) with g = t^power: what stages see of g is y. */
static struct {
    const struct member *member;
    int stage, power;
} watched;

static void compare_stage_value(const void *data, double t, const double *y, double *f) {
    const struct stage *const stage = &watched.member->table[watched.stage++];
    const double neighbour = y[stage->components == STAGE_POSITIONS];
    double seen = 0;
    (void)data;
    for (int k = 1; k < ODE_STEP_POINTS; k++)
        seen += stage->weights[k - 1] * pow((double)k / (ODE_STEP_POINTS - 1), watched.power);
    ck_assert_msg(fabs(seen - neighbour) < 1e-11,
        "%s with %d stages: stage %d sees %.16g of t^%d, the method makes %.16g",
        watched.member->family->name, watched.member->stages, watched.stage, seen, watched.power,
        neighbour);
    f[0] = f[1] = watched.power * pow(t, watched.power - 1);
}

START_TEST(boundary_values_are_those_of_the_method) {
    for
        EACH_MEMBER(m) {
            watched.member = &m;
            for (watched.power = 1; watched.power < ODE_STEP_POINTS; watched.power++) {
                double y[2] = {0};
                watched.stage = 0;
                make_step_f64(&m, compare_stage_value, NULL, 2, 0, 1, y);
            }
        }
}
END_TEST

/* ---- estimates of errors ---- */

/* The estimate of one step from t_start: the greatest component. */
static double estimate_of(const struct method *m, double h) {
    double x[ODE_MOST_ARRAYS_][SIZE] = {{0}}, f[SIZE], worst = 0;
    memcpy(x[0], start, sizeof start);
    for (int s = 0; s < m->stages; s++) {
        union ecl_stage stage;
        ecl_stage_of(m, s, h, sizeof(double), &stage);
        const enum stage_components components = m->table[s].components;
        (ecl_is_partitioned(m) ? partitioned : general)(NULL, t_start + m->table[s].c * h, x[0], f);
        for (int i = 0; i < SIZE; i++) {
            double values[ODE_MOST_ARRAYS_] = {0};
            if (components == (i % 2 ? STAGE_POSITIONS : STAGE_VELOCITIES)) continue;
            for (int k = 0; k < m->arrays; k++) values[k] = x[k][i];
            ode_update_f64(&stage.f64, m->arrays, 0, f[i], values);
            for (int k = 0; k < m->arrays; k++) x[k][i] = values[k];
        }
    }
    for (int i = 0; i < SIZE; i++) worst = fmax(worst, fabs(x[m->estimate][i]));
    return worst;
}

/* Estimates have the order that the method declares, for a nonlinear system that depends on the
 * time. The solution is that of the method without an estimate. */
START_TEST(estimates_errors) {
    int count = 0;
    for
        EACH_MEMBER(m) {
            struct method *made, *plain;
            const enum estimates estimates = _i ? ESTIMATES_OF_TIMES : ESTIMATES;
            if (!m.family->fill_estimate || m.stages > 60) continue;
            OK(ecl_method_create(m.family, m.stages, estimates, &made, &error));
            OK(ecl_method_create(m.family, m.stages, NO_ESTIMATES, &plain, &error));
            const double h = made->estimate_order > 3 ? 0.02 : 0.002, rough = estimate_of(made, h),
                         fine = estimate_of(made, h / 2), order = log2(rough / fine);
            ck_assert_msg(fabs(order - made->estimate_order) < 0.1,
                "%s, %d stages: an estimate of order %.3f, from %.3g and %.3g", made->name,
                m.stages, order, rough, fine);
            ck_assert_int_eq(made->order, plain->order);
            ck_assert_int_eq(made->own_stages, plain->stages);
            ck_assert_int_ge(made->stages, plain->stages + m.family->more_stages);
            ck_assert_int_le(made->stages, ecl_most_stages(m.family, m.stages, estimates));
            ck_assert(made->real_limit == plain->real_limit);
            ecl_mem_free(made);
            ecl_mem_free(plain);
            count++;
        }
    ck_assert_int_gt(count, 60);
}
END_TEST

/* Wherever F jumps within a step, the estimate shows it: of y' = (t < jump ? 0 : 1) with h = 1 it
 * is not much smaller than the error. */
START_TEST(jumps_show) {
    enum { PLACES = 1000 };
    for
        EACH_MEMBER(m) {
            struct method *made;
            if (!m.family->fill_estimate || m.is_partitioned) continue;
            OK(ecl_method_create(m.family, m.stages, ESTIMATES_OF_TIMES, &made, &error));
            static const double most = 30000;
            for (int k = 0; k < PLACES; k++) {
                const double jump = (k + 0.5) / PLACES;
                double x[ODE_MOST_ARRAYS_] = {0};
                for (int s = 0; s < made->stages; s++)
                    ecl_apply_stage(&made->table[s], ODE_MOST_ARRAYS_, made->table[s].c >= jump, x);
                const double wrong = fabs(x[0] - (1 - jump)), estimate = fabs(x[made->estimate]);
                ck_assert_msg(wrong <= most * estimate + 1e-9,
                    "%s, %d stages: a jump at %g is an error of %g, and the estimate is %g",
                    made->name, m.stages, jump, wrong, estimate);
            }
            ecl_mem_free(made);
        }
}
END_TEST

/* Also with many stages the estimate does not change a step. The estimate of a mode that decays at
 * once is at most the mode times the number of stages; h F would be the mode times its square. */
START_TEST(estimates_are_damped) {
    for
        EACH_MEMBER(m) {
            struct method *made;
            if (!m.family->fill_estimate || m.family->least == m.family->most) continue;
            OK(ecl_method_create(
                m.family, m.stages, _i ? ESTIMATES_OF_TIMES : ESTIMATES, &made, &error));
            for (int k = 1; k <= 200 && made->estimate_order == 2; k++) {
                const double z = -made->real_limit * k / 200;
                double x[ODE_MOST_ARRAYS_] = {1}, plain[ODE_MOST_ARRAYS_] = {1};
                for (int s = 0; s < made->stages; s++)
                    ecl_apply_stage(&made->table[s], made->arrays, z * x[0], x);
                for (int s = 0; s < m.stages; s++)
                    ecl_apply_stage(&m.table[s], m.family->arrays, z * plain[0], plain);
                ck_assert_msg(fabs(x[0] - plain[0]) < 1e-9, "%s, %d stages: R(%g) is %g and %g",
                    made->name, m.stages, z, x[0], plain[0]);
                ck_assert_msg(fabs(x[made->estimate]) < 0.4 * m.stages + 2,
                    "%s, %d stages: the estimate at %g is %g", made->name, m.stages, z,
                    x[made->estimate]);
            }
            ecl_mem_free(made);
        }
}
END_TEST

/* ---- stability ---- */

#define I_AXIS __builtin_complex(0.0, 1.0) /* CMPLX, which clang does not have */

static void multiply(const void *z, double t, const double complex *y, double complex *f) {
    (void)t;
    f[0] = *(const double complex *)z * y[0];
}
/* q' = x p, p' = -x q */
static void oscillate(const void *x, double t, const double complex *y, double complex *f) {
    (void)t;
    f[0] = *(const double complex *)x * y[1];
    f[1] = -*(const double complex *)x * y[0];
}

/* The factor by which a step multiplies solutions at h lambda = z. */
static double growth(const struct member *m, double complex z) {
    double complex y[2] = {1, 0}, other[2] = {0, 1};
    if (!m->is_partitioned) {
        make_step_complex(m, multiply, &z, 1, 0, 1, y);
        return cabs(y[0]);
    }
    const double complex x = -I_AXIS * z;
    make_step_complex(m, oscillate, &x, 2, 0, 1, y);
    make_step_complex(m, oscillate, &x, 2, 0, 1, other);
    /* eigenvalues of a matrix of determinant 1 */
    const double half = creal(y[0] + other[1]) / 2;
    return fabs(half) <= 1 ? 1 : fabs(half) + sqrt(half * half - 1);
}

static int is_stable(const struct member *m, double complex z) { return growth(m, z) <= 1 + 1e-10; }

/* The largest r with |R| <= 1 between 0 and r * axis, up to `most`. R varies evenly with the square
 * root of the argument. */
static double find_limit(const struct member *m, double complex axis, double most) {
    double stable = 0, unstable = 0;
    while (stable < most) {
        unstable = stable + 0.02 * fmax(0.1, sqrt(stable));
        if (!is_stable(m, axis * unstable)) break;
        stable = unstable;
    }
    for (int i = 0; i < 40; i++) {
        const double middle = (stable + unstable) / 2;
        *(is_stable(m, axis * middle) ? &stable : &unstable) = middle;
    }
    return stable;
}

static void expect_limit(const struct member *m, const char *axis, double listed, double found) {
    ck_assert_msg(listed == 0 ? found < 0.1 : listed < 1.000001 * found && listed >= 0.995 * found,
        "%s, %d stages: the limit on the %s axis is %g, not %g", m->family->name, m->stages, axis,
        found, listed);
}

START_TEST(is_stable_up_to_the_limits) {
    for
        EACH_MEMBER(m) {
            const double real = m.family->real_limit(m.stages),
                         imaginary = m.family->imaginary_limit(m.stages);
            if (m.is_partitioned)
                ck_assert_double_eq(real, 0);
            else
                expect_limit(&m, "real", real, find_limit(&m, -1, 1.05 * real + 1));
            expect_limit(&m, "imaginary", imaginary, find_limit(&m, I_AXIS, 1.05 * imaginary + 1));
        }
}
END_TEST

/* The largest |R| on the real axis from -far to -near. */
static double least_damping(const struct member *m, double near, double far) {
    double worst = 0;
    for (double z = near; z < far; z += 0.02 * sqrt(z)) worst = fmax(worst, growth(m, -z));
    return worst;
}

START_TEST(damps) {
    for
        EACH_MEMBER(m) {
            const double real = m.family->real_limit(m.stages);
            double near = 0, listed = 0;
            if (!strcmp(m.family->name, "rock2")) near = 3, listed = 0.963;
            if (!strcmp(m.family->name, "rkc4")) near = 6, listed = 0.965;
            if (!strcmp(m.family->name, "rock4")) near = fmin(6, real / 2), listed = 0.9985;
            if (!strcmp(m.family->name, "rkl2") && m.stages % 2) near = 3, listed = 0.78;
            if (near == 0) continue;
            const double worst = least_damping(&m, near, 0.98 * real);
            ck_assert_msg(
                worst < listed, "%s, %d stages: |R| = %g", m.family->name, m.stages, worst);
        }
}
END_TEST

/* R of rock2 as published: the recurrence and the last two stages of rock2.f, for three numbers of
 * stages. */
struct published {
    int stages;
    double mu[6], kappa[6], fp1, fp2;
};
static double published_growth(const struct published *p, double z) {
    double before = 1, y = 1 + p->mu[0] * z;
    for (int j = 1; j < p->stages - 2; j++) {
        const double next = (p->mu[j] * z + 1 + p->kappa[j]) * y - p->kappa[j] * before;
        before = y;
        y = next;
    }
    const double v = y + p->fp1 * z * y;
    return v + p->fp1 * z * v + p->fp2 * z * (v - y);
}

START_TEST(has_the_published_polynomials) {
    static const struct published cases[] = {
        {3, {0.1794612899156781}, {0}, 0.4102693550421609, 0.4495196112243335},
        {5, {0.0578662712551911, 0.07776456841673993, 0.09528922876588625},
            {0, 0.02157791817707098, 0.08723622960881584}, 0.3804692420283886, 0.4084335547255627},
        {8,
            {0.02193602641069006, 0.02980001095383432, 0.03566742298660092, 0.04023410528284037,
                0.0442110049482293, 0.04869809870617736},
            {0, 0.02364036352805737, 0.0901769635289683, 0.1575736612169138, 0.221743062150858,
                0.2940499060453847},
            0.3719340231904236, 0.3934034185789226},
    };
    const struct method_family *family;
    OK(ecl_find_method("rock2", &family, &error));
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct member m;
        ck_assert(fill(family, cases[i].stages, &m));
        const double real = family->real_limit(m.stages);
        for (int k = 0; k <= 1000; k++) {
            const double complex z = -real * k / 1000;
            double complex y = 1;
            make_step_complex(&m, multiply, &z, 1, 0, 1, &y);
            const double published = published_growth(&cases[i], creal(z));
            ck_assert_msg(fabs(creal(y) - published) < 1e-13, "%d stages: R(%g) = %.16g, not %.16g",
                m.stages, creal(z), creal(y), published);
            for (struct member part = m; part.stages > 0; part.stages--)
                ck_assert_msg(growth(&part, z) < 1 + 1e-13,
                    "stage %d of %d is larger than y for z = %g", part.stages, m.stages, creal(z));
        }
    }
}
END_TEST

/* R = 1 + z + z^2 / 2 + ... + z^p / p! + ...: what the order needs of linear equations, to the
 * digits that the tables have. A partitioned method makes the even terms of the cosine and the odd
 * ones of the sine from q' = p, p' = -q. */
START_TEST(begins_as_the_exponential) {
    enum { TERMS = 6 };
    for
        EACH_MEMBER(m) {
            const double tolerance = !strcmp(m.family->name, "rkl2") ? 2e-13 : 1e-14;
            double x[2][ODE_MOST_ARRAYS_][TERMS] = {{{1}}}, exact = 1;
            for (int s = 0; s < m.stages; s++) {
                const struct stage *g = &m.table[s];
                const int half = g->components == STAGE_VELOCITIES;
                double u[TERMS], old[ODE_MOST_ARRAYS_][TERMS];
                memcpy(u, x[m.is_partitioned ? !half : 0][0], sizeof u);
                memcpy(old, x[half], sizeof old);
                for (int k = ODE_MOST_ARRAYS_ - 1; k >= 0; k--)
                    for (int p = 0; p < TERMS; p++) {
                        double sum = p ? (half ? -g->b[k] : g->b[k]) * u[p - 1] : 0;
                        for (int j = 0; j < ODE_MOST_ARRAYS_; j++)
                            sum += g->a[k][j] * (g->in_place && j > k ? x[half] : old)[j][p];
                        x[half][k][p] = sum;
                    }
            }
            for (int p = 0; p <= m.family->order; p++) {
                const double found = fabs(x[0][0][p] + x[1][0][p]);
                if (p) exact /= p;
                ck_assert_msg(fabs(found - exact) < tolerance,
                    "%s, %d stages: z^%d has the coefficient %.16g", m.family->name, m.stages, p,
                    found);
            }
        }
}
END_TEST

/* ---- rounding ---- */

static void multiply_f32(const void *lambda, double t, const float *y, float *f) {
    (void)t;
    f[0] = (float)*(const double *)lambda * y[0];
}
static void multiply_f64(const void *lambda, double t, const double *y, double *f) {
    (void)t;
    f[0] = (double)(float)*(const double *)lambda * y[0];
}

/* The largest error of `steps` steps in float, of many values of size 1. */
static double rounding(const struct member *m, double lambda, int steps) {
    double worst = 0;
    for (int i = 0; i < 50; i++) {
        float y = 1 + 0.02F * (float)i;
        double exact = (double)y;
        for (int step = 0; step < steps; step++) {
            make_step_f32(m, multiply_f32, &lambda, 1, 0, 1, &y);
            make_step_f64(m, multiply_f64, &lambda, 1, 0, 1, &exact);
        }
        worst = fmax(worst, fabs((double)y - exact));
    }
    return worst;
}

START_TEST(rounds_little) {
    const double u = 0x1p-24;
    for
        EACH_MEMBER(m) {
            const double real = m.family->real_limit(m.stages), s = m.stages,
                         lambdas[] = {0, -0.01, -0.1, -1, -0.3 * real, -0.9 * real};
            if (m.is_partitioned) continue;
            for (size_t i = 0; i < sizeof lambdas / sizeof *lambdas; i++) {
                /* The recurrence of rkl2 amplifies a difference of two stages; rock2, rkc4 and
                 * rock4 keep differences, so a constant solution remains. */
                const int is_rkl2 = !strcmp(m.family->name, "rkl2"),
                          remains = !strncmp(m.family->name, "rock", 4) ||
                                    !strcmp(m.family->name, "rkc4");
                const double bound = is_rkl2             ? s * s + 20
                                     : remains && i == 0 ? 0
                                                         : 80 + 2 * s,
                             found = rounding(&m, lambdas[i], 1) / u;
                ck_assert_msg(found <= bound,
                    "%s, %d stages, h lambda = %g: the rounding errors are %g u", m.family->name,
                    m.stages, lambdas[i], found);
            }
        }
}
END_TEST

/* Heat in a rod of *SIZE points between two blocks of ice, and the Brusselator on a periodic square
 * of WIDTH points per side, with *DIFFUSION as the diffusivity over the grid spacing squared. */
enum { WIDTH = 40 };
#define DEFINE_DIFFUSION(NAME, VALUE)                                                     \
    static void conduct_##NAME(const void *size, double t, const VALUE *y, VALUE *f) {    \
        const int n = *(const int *)size;                                                 \
        (void)t;                                                                          \
        for (int i = 0; i < n; i++)                                                       \
            f[i] = (i > 0 ? y[i - 1] : 0) - 2 * y[i] + (i < n - 1 ? y[i + 1] : 0);        \
    }                                                                                     \
    static void react_##NAME(const void *diffusion, double t, const VALUE *y, VALUE *f) { \
        const VALUE d = (VALUE) * (const double *)diffusion;                              \
        (void)t;                                                                          \
        for (int i = 0; i < WIDTH * WIDTH; i++) {                                         \
            const int x = i % WIDTH, row = i - x, last = WIDTH - 1, all = WIDTH * WIDTH,  \
                      near[4] = {row + (x ? x - 1 : last), row + (x < last ? x + 1 : 0),  \
                          (i + WIDTH) % all, (i + all - WIDTH) % all};                    \
            const VALUE u = y[2 * i], v = y[2 * i + 1], made = u * u * v;                 \
            VALUE flow[2] = {-4 * u, -4 * v};                                             \
            for (int k = 0; k < 8; k++) flow[k % 2] += y[2 * near[k / 2] + k % 2];        \
            f[2 * i] = d * flow[0] + 1 + made - (VALUE)4.4 * u;                           \
            f[2 * i + 1] = d * flow[1] + (VALUE)3.4 * u - made;                           \
        }                                                                                 \
    }
DEFINE_DIFFUSION(f32, float)
DEFINE_DIFFUSION(f64, double)

/* The largest difference of steps in float and in double from the same state. It is infinite if a
 * value is not finite. */
static double diffusion_rounding(const struct member *m, int size, const float *from, rhs_f32 *f32,
    rhs_f64 *f64, const void *data, double h, int steps) {
    static float y[MOST_SIZE];
    static double exact[MOST_SIZE];
    double worst = 0;
    for (int i = 0; i < size; i++) exact[i] = (double)(y[i] = from[i]);
    for (int step = 0; step < steps; step++) {
        make_step_f32(m, f32, data, size, step * h, h, y);
        make_step_f64(m, f64, data, size, step * h, h, exact);
    }
    for (int i = 0; i < size; i++) {
        const double difference = fabs((double)y[i] - exact[i]);
        worst = isfinite(difference) ? fmax(worst, difference) : (double)INFINITY;
    }
    return worst;
}

/* y' = lambda y does not show rounding errors in short waves: there they are damped with the
 * solution. Here the solution is smooth, or becomes so, but its rounding errors are not. The steps
 * are 0.9 of the longest stable ones. The errors of rock2 and rkc4 grow with the stages, those of
 * rkl2 with their square, those of rock4 with their eighth power, so it is left out. */
START_TEST(rounds_little_in_diffusion) {
    const double u = 0x1p-24, diffusion = 8000;
    const int rod = 4000, square = 2 * WIDTH * WIDTH;
    static float smooth[MOST_SIZE], rough[MOST_SIZE];
    uint32_t random = 1;
    for (int i = 0; i < rod; i++) smooth[i] = sinf((float)(M_PI * (i + 1) / (rod + 1)));
    for (int i = 0; i < square; i++) {
        random = random * 1664525 + 1013904223;
        rough[i] = 0.5F + (i % 2 ? 5.0F : 1.0F) * (float)(random >> 8) * 0x1p-24F;
    }
    for
        EACH_MEMBER(m) {
            const int is_rkl2 = !strcmp(m.family->name, "rkl2");
            if (!is_rkl2 && strcmp(m.family->name, "rock2") && strcmp(m.family->name, "rkc4"))
                continue;
            const double reach = 0.9 * m.family->real_limit(m.stages), s = m.stages,
                         more = is_rkl2 ? s * s / 8 : 0,
                         heat = diffusion_rounding(
                             &m, rod, smooth, conduct_f32, conduct_f64, &rod, reach / 4, 1),
                         reaction = diffusion_rounding(&m, square, rough, react_f32, react_f64,
                             &diffusion, reach / (8 * diffusion), 2);
            ck_assert_msg(heat <= (3 * s + more) * u && reaction <= (20 * s + more) * u,
                "%s, %d stages: the rounding errors are %g u for heat, %g u for the Brusselator",
                m.family->name, m.stages, heat / u, reaction / u);
        }
}
END_TEST

/* ---- form ---- */

/* Carried values are read after they were written, and none is read by the first stage of a step.
 */
static void expect_written_values(const struct member *m) {
    int is_written[ODE_MOST_ARRAYS_] = {1}, is_read[ODE_MOST_ARRAYS_] = {0};
    for (int s = 0; s < m->stages; s++) {
        const struct stage *g = &m->table[s];
        int is_next[ODE_MOST_ARRAYS_] = {0};
        for (int k = ODE_MOST_ARRAYS_ - 1; k >= 0; k--) {
            const struct stage_row row = ecl_stage_row(g, k);
            is_next[k] = g->b[k] != 0;
            if (row.terms == 1u << k && row.ones == row.terms) { /* it remains */
                is_next[k] = is_written[k];
                continue;
            }
            for (int j = 0; j < ODE_MOST_ARRAYS_; j++) {
                if (g->a[k][j] == 0) continue;
                is_next[k] = 1;
                is_read[j] = 1;
                ck_assert_msg((g->in_place && j > k ? is_next : is_written)[j],
                    "%s, %d stages: stage %d reads P%d", m->family->name, m->stages, s, j);
            }
        }
        ck_assert_msg(is_next[0], "%s, %d stages: no U", m->family->name, m->stages);
        memcpy(is_written, is_next, sizeof is_next);
    }
    /* The shortest ones of a family may need fewer. */
    for (int k = 0; k < ODE_MOST_ARRAYS_; k++)
        ck_assert_msg(m->stages < m->family->most ? k < m->family->arrays || !is_read[k]
                                                  : is_read[k] == (k < m->family->arrays),
            "%s, %d stages: array %d", m->family->name, m->stages, k);
}

static void advance_clock(const void *data, double t, const double *y, double *f) {
    (void)data, (void)t, (void)y;
    f[0] = f[1] = 1;
}

/* The time of a stage is that of what it reads: U for y' = 1. Positions depend on velocities, and
 * velocities on positions. */
static void expect_times(const struct member *m) {
    struct member part = *m;
    for (part.stages = 0; part.stages <= m->stages; part.stages++) {
        double y[2] = {0};
        make_step_f64(&part, advance_clock, NULL, 2, 0, 1, y);
        const double c = part.stages < m->stages ? m->table[part.stages].c : 1;
        const enum stage_components components =
            part.stages < m->stages ? m->table[part.stages].components : STAGE_ALL;
        if (components != STAGE_POSITIONS)
            ck_assert_msg(fabs(y[0] - c) < 1e-13, "%s, %d stages: stage %d is at %.16g, not %.16g",
                m->family->name, m->stages, part.stages, y[0], c);
        if (components != STAGE_VELOCITIES)
            ck_assert_msg(fabs(y[1] - c) < 1e-13, "%s, %d stages: stage %d is at %.16g, not %.16g",
                m->family->name, m->stages, part.stages, y[1], c);
    }
}

START_TEST(has_the_form_of_a_method) {
    for
        EACH_MEMBER(m) {
            ck_assert_double_eq(m.table[0].c, 0);
            expect_written_values(&m);
            expect_times(&m);
        }
}
END_TEST

/* Each family says what it is, and which numbers of stages exist. */
START_TEST(lists_what_exists) {
    static const struct {
        const char *name;
        int members;
    } counts[] = {{"rock2", 46}, {"rkc4", 18}, {"rock4", 48}, {"ssp", 199}, {"rkl2", 200}};
    struct member m;
    ck_assert(fill(ecl_methods[0], 1, &m));
    ck_assert_mem_eq(m.table, ecl_euler.table, sizeof *m.table);
    for (size_t i = 0; ecl_methods[i]; i++) {
        const struct method_family *const family = ecl_methods[i];
        int members = 0, expected = 1;
        for (size_t k = 0; k < i; k++) ck_assert_str_ne(ecl_methods[k]->name, family->name);
        ck_assert(family->doc && family->source && family->most < MOST_STAGES);
        for (int s = family->least; s <= family->most; s++) {
            const int next = family->next ? family->next(s) : s;
            ck_assert_int_ge(next, s);
            ck_assert_int_le(next, family->most);
            members += next == s;
            if (next == s) ck_assert(fill(family, s, &m));
        }
        for (size_t k = 0; k < sizeof counts / sizeof *counts; k++)
            if (!strcmp(counts[k].name, family->name)) expected = counts[k].members;
        ck_assert_msg(members == expected, "%s has %d members", family->name, members);
        /* Kicks and drifts are evaluations of half of the components. The last kick of a step has
         * the F of the first one of the next. */
        if (m.is_partitioned) ck_assert_int_eq(family->evaluations, m.stages / 2);
        if (!m.is_partitioned) ck_assert_int_eq(family->evaluations, 0);
    }
}
END_TEST

static void add(TCase *tests) {
    ADD(converges);
    ADD(boundary_values_are_those_of_the_method);
    ADD_LOOP(estimates_errors, 2);
    ADD(jumps_show);
    ADD_LOOP(estimates_are_damped, 2);
    ADD(is_stable_up_to_the_limits);
    ADD(damps);
    ADD(has_the_published_polynomials);
    ADD(begins_as_the_exponential);
    ADD(rounds_little);
    ADD(rounds_little_in_diffusion);
    ADD(has_the_form_of_a_method);
    ADD(lists_what_exists);
}

int main(void) { return run_tests("methods_data", add); }
