/* SPDX-License-Identifier: BSD-2-Clause */
/* method.c - see method.h. */
#include "config.h"
#include "methods.h"
#include "../mem.h"
#include <stdio.h>
#include <string.h>

static const struct stage derivative_table[] = {{.b = {1}}};
const struct method ecl_derivative = {
    .name = "derivative", .stages = 1, .arrays = 1, .evaluations = 1, .table = derivative_table};

/* ---- members of families ---- */

int ecl_find_method(const char *name, const struct method_family **family, eulercl_error *error) {
    for (size_t i = 0; ecl_methods[i]; i++)
        if (!strcmp(ecl_methods[i]->name, name)) {
            *family = ecl_methods[i];
            return EULERCL_OK;
        }
    return ecl_fail(
        error, EULERCL_INVALID, "unknown method '%s'; `eulercl list` shows the methods", name);
}

int ecl_check_stages(const struct method_family *family, int stages, eulercl_error *error) {
    const int is_single = family->least == family->most;
    if (stages == 0 || (is_single ? stages == family->least : stages <= family->most))
        return EULERCL_OK;
    return ecl_fail(error, EULERCL_INVALID, "method %s has %s%d stage%s, not %d", family->name,
        is_single ? "" : "at most ", family->most, family->most == 1 ? "" : "s", stages);
}

int ecl_check_estimate(const struct method_family *family, eulercl_error *error) {
    char names[256] = "";
    if (family->fill_estimate) return EULERCL_OK;
    for (size_t i = 0, length = 0; ecl_methods[i] && length < sizeof names; i++)
        if (ecl_methods[i]->fill_estimate)
            length += (size_t)snprintf(names + length, sizeof names - length, "%s%s",
                length ? ", " : "", ecl_methods[i]->name);
    return ecl_fail(error, EULERCL_UNSUPPORTED,
        "method %s has no estimate of its errors, so it takes no tolerance; %s have one",
        family->name, names);
}

enum estimates ecl_estimates_of(const struct system *system) {
    return system->reads_time ? ESTIMATES_OF_TIMES : ESTIMATES;
}

int ecl_family_arrays(const struct method_family *family, enum estimates estimates) {
    return family->arrays + (estimates ? family->more_arrays : 0);
}

int ecl_most_stages(const struct method_family *family, int stages, enum estimates estimates) {
    return stages + (estimates ? family->more_stages : 0) + (estimates == ESTIMATES_OF_TIMES);
}

int ecl_fill_stages(
    const struct method_family *family, int stages, enum estimates estimates, struct stage *table) {
    const int arrays = ecl_family_arrays(family, estimates);
    int all = stages + (estimates ? family->more_stages : 0);
    family->fill(stages, table);
    if (estimates) family->fill_estimate(stages, table);
    if (estimates == ESTIMATES_OF_TIMES) all = ecl_see_whole_step(family, stages, all, table);
    for (int s = 0; s < all; s++)
        for (int i = 1; i < arrays; i++)
            if (!ecl_stage_row(&table[s], i).terms) table[s].a[i][i] = 1;
    return all;
}

int ecl_method_create(const struct method_family *family, int stages, enum estimates estimates,
    struct method **method, eulercl_error *error) {
    if (stages > family->most) return ecl_check_stages(family, stages, error);
    const int status = estimates ? ecl_check_estimate(family, error) : EULERCL_OK;
    if (status) return status;
    if (stages < family->least) stages = family->least;
    if (family->next) stages = family->next(stages);
    struct made {
        struct method method;
        struct stage table[];
    } *const made = ecl_mem_zeroed(1,
        sizeof *made + (uint64_t)ecl_most_stages(family, stages, estimates) * sizeof *made->table);
    if (!made) return ecl_no_memory(error, "a method");
    const int all = ecl_fill_stages(family, stages, estimates, made->table);
    ecl_set_weights(all, made->table);
    made->method = (struct method){.name = family->name,
        .order = family->order,
        .stages = all,
        .own_stages = stages,
        .arrays = ecl_family_arrays(family, estimates),
        .evaluations = (family->evaluations ? family->evaluations : stages) + all - stages,
        .real_limit = family->real_limit(stages),
        .imaginary_limit = family->imaginary_limit(stages),
        .estimate = estimates ? family->estimate : 0,
        .estimate_order = estimates ? family->estimate_order : 0,
        .table = made->table};
    *method = &made->method;
    return EULERCL_OK;
}

int eulercl_get_method(size_t index, int stages, eulercl_method_info *info, eulercl_error *error) {
    EULERCL_NEEDS(info);
    size_t count = 0;
    struct method *method;
    while (ecl_methods[count]) count++;
    if (index >= count) return ecl_fail(error, EULERCL_INVALID, "there are %zu methods", count);
    const struct method_family *family = ecl_methods[index];
    int status = ecl_check_stages(family, stages, error);
    if (!status) status = ecl_method_create(family, stages, NO_ESTIMATES, &method, error);
    if (status) return status;
    const eulercl_method_info full = {.name = family->name,
        .doc = family->doc,
        .source = family->source,
        .order = family->order,
        .arrays = family->arrays,
        .least_stages = family->least,
        .most_stages = family->most,
        .is_partitioned = ecl_is_partitioned(method),
        .estimate_order = family->estimate_order,
        .stages = method->stages,
        .evaluations = method->evaluations,
        .real_limit = method->real_limit,
        .imaginary_limit = method->imaginary_limit};
    ecl_mem_free(method);
    return ecl_copy_out(info, info->struct_size, &full, sizeof full, error);
}

/* ---- stability ---- */

/* One step with h = 1 from U = (q, p): q' = (re + i im) q, where p is the imaginary part of q; or,
 * if the method is partitioned, q' = r p, p' = -r q. */
static void make_test_step(
    const struct method *m, int is_partitioned, double re, double im, double *q, double *p) {
    double x[2][ODE_MOST_ARRAYS_] = {{*q}, {*p}};
    for (int s = 0; s < m->stages; s++) {
        const struct stage *stage = &m->table[s];
        const double u = x[0][0], v = x[1][0];
        const double f[2] = {
            is_partitioned ? im * v : re * u - im * v, is_partitioned ? -im * u : re * v + im * u};
        if (stage->components != STAGE_VELOCITIES) ecl_apply_stage(stage, m->arrays, f[0], x[0]);
        if (stage->components != STAGE_POSITIONS) ecl_apply_stage(stage, m->arrays, f[1], x[1]);
    }
    *q = x[0][0];
    *p = x[1][0];
}

/* Whether errors do not grow at h lambda = re + i im, but for rounding. */
static int is_stable(const struct method *m, int is_partitioned, double re, double im) {
    const double close_to_1 = 1 + 1e-11;
    double q1 = 1, p1 = 0, q2 = 0, p2 = 1;
    make_test_step(m, is_partitioned, re, im, &q1, &p1);
    if (!is_partitioned) return q1 * q1 + p1 * p1 <= close_to_1;
    make_test_step(m, is_partitioned, re, im, &q2, &p2);
    /* The product of the eigenvalues is 1, so they are on the unit circle if their sum is small. */
    return fabs(q1 + p2) <= 2 * close_to_1;
}

int ecl_method_is_stable(const struct method *method, double re, double im) {
    return is_stable(method, ecl_is_partitioned(method), re, im);
}

double ecl_method_reach(const struct method *method, double re, double im) {
    /* R varies least where the argument is large. A stretch on the imaginary axis that is shorter
     * than `least` is ignored: there the growth is hidden by rounding. */
    const double first = 0.02, growth = 1.002, least = 0.1;
    const int is_partitioned = ecl_is_partitioned(method);
    double stable = 0, unstable = first;
    while (is_stable(method, is_partitioned, unstable * re, unstable * im)) {
        stable = unstable;
        unstable = fmax(unstable + first, unstable * growth);
        if (unstable > 1e9) return (double)INFINITY;
    }
    for (int i = 0; i < 60; i++) {
        const double middle = (stable + unstable) / 2;
        if (is_stable(method, is_partitioned, middle * re, middle * im))
            stable = middle;
        else
            unstable = middle;
    }
    return re == 0 && stable < least ? 0 : stable;
}

/* ---- what a level is ---- */

int ecl_is_plain(const struct method *method) {
    for (int s = 0; s < method->stages; s++)
        if (method->table[s].a[0][0] != 1 || method->table[s].components != STAGE_ALL) return 0;
    return method->arrays == 1;
}

int ecl_is_partitioned(const struct method *method) {
    for (int s = 0; s < method->stages; s++)
        if (method->table[s].components != STAGE_ALL) return 1;
    return 0;
}

int ecl_is_euler_step(const struct method *method) {
    const struct stage *first = method->table;
    return method->stages == 1 && ecl_is_plain(method) && first->b[0] == 1 && first->c == 0;
}

struct method ecl_section(const struct method *method, struct cut cut, int section) {
    const int equal = cut.sections - (cut.tail > 0), end = method->stages - cut.tail,
              most = (end + equal - 1) / equal, first = section < equal ? section * most : end,
              limit = section < equal ? end : method->stages;
    struct method m = *method;
    m.table += first;
    m.stages = limit - first < most || section == equal ? limit - first : most;
    return m;
}

struct stage_row ecl_stage_row(const struct stage *stage, int row) {
    struct stage_row r = {(unsigned)(stage->b[row] != 0) << ODE_MOST_ARRAYS_, 0};
    for (int j = 0; j < ODE_MOST_ARRAYS_; j++) {
        r.terms |= (unsigned)(stage->a[row][j] != 0) << j;
        r.ones |= (unsigned)(stage->a[row][j] == 1) << j;
    }
    return r;
}

int ecl_have_one_shape(const struct method *method, const struct stage *a, const struct stage *b) {
    for (int i = 0; i < method->arrays; i++) {
        const struct stage_row ra = ecl_stage_row(a, i), rb = ecl_stage_row(b, i);
        if (ra.terms != rb.terms || ra.ones != rb.ones) return 0;
    }
    return a->components == b->components && a->in_place == b->in_place;
}

/* A one needs no coefficient. */
static int row_factors(struct stage_row row) { return __builtin_popcount(row.terms & ~row.ones); }

int ecl_stage_factors(const struct method *method) {
    int most = 0;
    for (int s = 0; s < method->stages; s++) {
        int count = 0;
        for (int i = 0; i < method->arrays; i++)
            count += row_factors(ecl_stage_row(&method->table[s], i));
        most = count > most ? count : most;
    }
    return most;
}

/* ---- what is left of a step ---- */

unsigned ecl_wanted_behind(const struct method *m, int stage) {
    unsigned wanted = 1u | 1u << m->estimate;
    for (int k = m->stages - 1; k > stage; k--) {
        unsigned before = 0;
        for (int i = 0; i < m->arrays; i++) {
            const unsigned terms = ecl_stage_row(&m->table[k], i).terms & ((1u << m->arrays) - 1),
                           behind = m->table[k].in_place ? terms & ~((2u << i) - 1) : 0;
            if (!(wanted >> i & 1)) continue;
            before |= terms & ~behind;
            /* values of the other components */
            if (m->table[k].components != STAGE_ALL) before |= 1u << i;
            wanted |= behind; /* new values */
        }
        wanted = before | 1;
    }
    return wanted >> 1;
}

int ecl_carried_into(const struct method *m, int64_t stage) {
    int count = 0;
    if (stage <= 0 || stage >= m->stages) return 0;
    for (unsigned wanted = ecl_wanted_behind(m, (int)stage - 1); wanted; wanted >>= 1) count++;
    return count;
}

/* Row i of the first stage in the shape of the second stage's row. A term of an old carried value
 * is replaced by the solution, if the first stage has that and the second has not, and else by
 * -0. */
static int row_begins_alike(const struct stage *first, const struct stage *second, int i,
    struct body *body, unsigned *zeros) {
    const unsigned has = ecl_stage_row(first, i).terms, wants = ecl_stage_row(second, i).terms;
    unsigned lacks = wants & ~has, spare = has & ~wants;
    for (int j = 1; j <= i; j++) {
        if (has >> j & 1) return 0; /* a value that is not there */
        if (!(lacks >> j & 1)) continue;
        /* Nothing may be between the solution's place in the sum and this one. */
        if (spare & 1 && !(wants & ((1u << j) - 1))) {
            body->first.a[i][j] = first->a[i][0];
            body->first.a[i][0] = 0;
            body->begins_as_solution |= 1u << j;
            spare &= ~1u;
        } else {
            body->first.a[i][j] = 1;
            *zeros |= 1u << j;
        }
        lacks &= ~(1u << j);
    }
    body->rows[i] = ecl_stage_row(&body->first, i);
    return !lacks && !spare && !(*zeros & body->begins_as_solution);
}

static int is_kept(const struct stage *stage, int i) {
    const struct stage_row row = ecl_stage_row(stage, i);
    return row.terms == 1u << i && row.ones == 1u << i;
}

/* Whether a stage has the shape but for coefficients that are 1, and leaves other arrays alone. */
static int fits_body(const struct method *m, const struct stage *stage, const struct body *body) {
    int fits = stage->in_place && stage->components == STAGE_ALL;
    for (int i = 0; i < m->arrays; i++)
        fits &= i < body->arrays ? ecl_stage_row(stage, i).terms == body->rows[i].terms
                                 : is_kept(stage, i);
    return fits;
}

struct body ecl_find_body(const struct method *m) {
    const struct stage *const first = m->table, *const second = m->table + 1;
    struct body body = {.arrays = m->arrays, .first = *first};
    unsigned zeros = 0;
    if (m->stages < 2) return body;
    while (body.arrays > 1 && is_kept(first, body.arrays - 1) && is_kept(second, body.arrays - 1))
        body.arrays--;
    for (int i = 0; i < body.arrays; i++)
        if (!row_begins_alike(first, second, i, &body, &zeros)) return body;
    if (!fits_body(m, &body.first, &body) || !fits_body(m, second, &body)) return body;
    for (body.stages = 1; body.stages < m->stages; body.stages++) {
        const struct stage *const stage = &m->table[body.stages];
        if (!fits_body(m, stage, &body)) break;
        for (int i = 0; i < body.arrays; i++) body.rows[i].ones &= ecl_stage_row(stage, i).ones;
    }
    return body;
}

int ecl_body_factors(const struct body *body) {
    int count = 0;
    for (int i = 0; i < body->arrays; i++) count += row_factors(body->rows[i]);
    return count;
}

/* ---- the coefficients of a level ---- */

/* Find which values a stage reads and which it writes, as bits. A row that leaves its value as it
 * is needs neither, but a stage of some components also writes back those of the others. After the
 * last stage only the estimate of all carried values is needed. It is read if it is not written,
 * because it is compared; but a row in place may read its new value. */
static void find_use(const struct method *m, const struct stage *s, int *reads, int *writes) {
    const int all = (1 << m->arrays) - 1, is_last = s == &m->table[m->stages - 1];
    int wanted = is_last ? 1 | 1 << m->estimate : all;
    *reads = *writes = 0;
    for (int i = 0; i < m->arrays; i++) {
        if (!(wanted >> i & 1) || (i && is_kept(s, i))) continue;
        *writes |= 1 << i;
        if (s->in_place) wanted |= (int)ecl_stage_row(s, i).terms;
    }
    for (int i = 0; i < m->arrays; i++) {
        const int new_values = s->in_place ? *writes & -(2 << i) : 0;
        if (*writes >> i & 1) *reads |= (int)ecl_stage_row(s, i).terms & all & ~new_values;
    }
    if (s->components != STAGE_ALL) *reads |= *writes;
    if (is_last) *reads |= 1 << m->estimate & ~*writes;
    *reads |= 1;
}

/* The products are computed in double and rounded once. */
#define ROUND_STAGE_(STAGE, VALUE)                                                    \
    for (int i = 0; i < method->arrays; i++) {                                        \
        for (int j = 0; j < method->arrays; j++) (STAGE).a[i][j] = (VALUE)s->a[i][j]; \
        (STAGE).hb[i] = (VALUE)(h * s->b[i]);                                         \
    }                                                                                 \
    (STAGE).components = (int)s->components;                                          \
    (STAGE).in_place = s->in_place;                                                   \
    find_use(method, s, &(STAGE).reads, &(STAGE).writes);

void ecl_stage_of(const struct method *method, int64_t level, double h, size_t real_size,
    union ecl_stage *stage) {
    const struct stage *s = &method->table[level % method->stages];
    *stage = (union ecl_stage){0};
    if (real_size == sizeof(float)) {
        ROUND_STAGE_(stage->f32, float)
    } else {
        ROUND_STAGE_(stage->f64, double)
    }
}

int ecl_carried_bytes(const struct system *system, uint64_t *bytes, eulercl_error *error) {
    uint64_t all;
    if (__builtin_mul_overflow(system->state_bytes, (uint64_t)system->method->arrays + 1, &all))
        return ecl_fail(error, EULERCL_MEMORY,
            "the memory for the %d arrays of method %s overflows 64 bits", system->method->arrays,
            system->method->name);
    *bytes = system->state_bytes * (uint64_t)(system->method->arrays - 1);
    return EULERCL_OK;
}
