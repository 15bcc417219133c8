/* SPDX-License-Identifier: BSD-2-Clause */
/* values.c - what a problem has per grid point beside its state: the initial state, the exact
 * solution and the fields, from the problem's functions or from arrays that its user sets. */
#include "config.h"
#include "grid.h"
#include "../mem.h"
#include "problem.h"
#include "../reals.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

int ecl_host_context(const eulercl_problem *p, struct ode_context *context, eulercl_error *error) {
    const struct ode_problem *d = p->definition;
    double *constants = ecl_mem_zeroed((uint64_t)d->constant_count + 1, sizeof *constants);
    if (!constants)
        return ecl_fail(error, EULERCL_MEMORY, "no memory for %u constants", d->constant_count);
    memcpy(constants, p->parameters, d->parameter_count * sizeof *constants);
    if (d->derive) d->derive(p->parameters, constants);
    *context = (struct ode_context){p->size.n, p->size.grid, constants, NULL, .high = p->size.n};
    return EULERCL_OK;
}

void ecl_host_context_destroy(struct ode_context *context) {
    ecl_mem_free((void *)(uintptr_t)context->constants);
}

/* ---- arrays that the user sets ---- */

/* What array number k of a problem is called in messages. */
static const char *name_of(const eulercl_problem *p, size_t k, char text[256]) {
    ecl_text(text, 256, "%s%s", k ? "field " : "the initial state",
        k ? p->definition->fields[k - 1] : "");
    return text;
}

static void give_up(struct given *given) {
    if (!given || atomic_fetch_sub(&given->users, 1) != 1) return;
    ecl_mem_free(given->reals);
    ecl_mem_free(given);
}

void ecl_given_share(const eulercl_problem *p) {
    for (size_t k = 0; k <= p->definition->field_count; k++)
        if (p->given[k]) atomic_fetch_add(&p->given[k]->users, 1);
}

void ecl_given_destroy(const eulercl_problem *p) {
    for (size_t k = 0; k <= p->definition->field_count; k++) give_up(p->given[k]);
}

/* Parameters may have changed the size since array number k was set. */
static int check_grid(const eulercl_problem *p, size_t k, eulercl_error *error) {
    const struct ode_grid *const then = &p->given[k]->grid, *const now = &p->size.grid;
    char name[256], before[GRID_TEXT], after[GRID_TEXT];
    return memcmp(then->extents, now->extents, sizeof now->extents)
               ? ecl_fail(error, EULERCL_INVALID,
                     "problem %s: %s was set for a size of %s, and the size is %s now: set it "
                     "again",
                     p->definition->name, name_of(p, k, name), ecl_grid_text(then, before),
                     ecl_grid_text(now, after))
               : EULERCL_OK;
}

/* Given values first .. first + count - 1. */
static void copy_reals(
    void *to, size_t real_size, const struct given *given, int64_t first, int64_t count) {
    for (int64_t i = 0; i < count; i++)
        real_set(to, i, real_size, real_get(given->reals, first + i, given->real_size));
}

/* Set array number k to a copy of `count` reals. */
static int set_array(eulercl_problem *p, size_t k, enum eulercl_precision precision,
    const void *values, int64_t count, eulercl_error *error) {
    const uint64_t bytes = (uint64_t)count * (size_t)precision;
    char name[256];
    struct given *given = ecl_mem_zeroed(1, sizeof *given);
    if (!given) return ecl_no_memory(error, name_of(p, k, name));
    const int status = ecl_mem_state(bytes, name_of(p, k, name), &given->reals, error);
    if (status) {
        ecl_mem_free(given);
        return status;
    }
    memcpy(given->reals, values, bytes);
    given->users = 1;
    given->grid = p->size.grid;
    given->real_size = (size_t)precision;
    give_up(p->given[k]);
    p->given[k] = given;
    return EULERCL_OK;
}

static int check_precision(enum eulercl_precision precision, eulercl_error *error) {
    return precision == EULERCL_FLOAT || precision == EULERCL_DOUBLE
               ? EULERCL_OK
               : ecl_fail(error, EULERCL_INVALID, "unknown precision %d", (int)precision);
}

int eulercl_problem_set_initial(eulercl_problem *problem, enum eulercl_precision precision,
    const void *y, eulercl_error *error) {
    EULERCL_NEEDS(problem);
    EULERCL_NEEDS(y);
    const int status = check_precision(precision, error);
    return status ? status : set_array(problem, 0, precision, y, problem->size.n, error);
}

/* ---- fields ---- */

static int find_field(
    const eulercl_problem *p, const char *name, uint32_t *field, eulercl_error *error) {
    const struct ode_problem *const d = p->definition;
    for (*field = 0; *field < d->field_count; ++*field)
        if (!strcmp(d->fields[*field], name)) return EULERCL_OK;
    char known[256] = "none";
    for (size_t i = 0, used = 0; i < d->field_count && used < sizeof known; i++)
        used += (size_t)snprintf(
            known + used, sizeof known - used, "%s%s", i ? ", " : "", d->fields[i]);
    return ecl_fail(error, EULERCL_INVALID, "problem %s has no field '%s' (its fields: %s)",
        d->name, name, known);
}

/* All values of a field are finite. is_computed: by the problem's function. */
static int check_finite(const eulercl_problem *p, uint32_t field, size_t real_size,
    const void *values, int is_computed, eulercl_error *error) {
    const int64_t at = ecl_first_nonfinite(values, ecl_grid_points(&p->size.grid), real_size);
    if (at < 0) return EULERCL_OK;
    const double value = real_get(values, at, real_size);
    const int is_missing = isnan(value) && is_computed;
    char place[GRID_TEXT];
    return ecl_fail(error, EULERCL_INVALID, "problem %s: field %s of point (%s) is %g in %s%s%s%s",
        p->definition->name, p->definition->fields[field],
        ecl_place_text(&p->size.grid, ecl_grid_place(&p->size.grid, at), place), value,
        real_name(real_size), is_missing ? "; does ODE_FIELD_VALUES set FIELD(" : "",
        is_missing ? p->definition->fields[field] : "", is_missing ? ")?" : "");
}

/* The values of a field from the problem's function. */
static int compute_field(
    const eulercl_problem *p, uint32_t field, size_t real_size, void *to, eulercl_error *error) {
    const struct ode_problem *const d = p->definition;
    const int64_t points = ecl_grid_points(&p->size.grid);
    struct ode_context context;
    double *values = ecl_mem_zeroed(d->field_count, sizeof *values);
    int status = values ? ecl_host_context(p, &context, error) : ecl_no_memory(error, "a point");
    for (int64_t point = 0; !status && point < points; point++) {
        values[field] = (double)NAN; /* a missing value must not be that of a previous point */
        d->field_values(&context, point, values);
        real_set(to, point, real_size, values[field]);
    }
    if (!status) ecl_host_context_destroy(&context);
    ecl_mem_free(values);
    return status;
}

static int copy_field(const eulercl_problem *p, uint32_t field, size_t real_size, void *values,
    eulercl_error *error) {
    const struct ode_problem *const d = p->definition;
    if (!p->given[field + 1])
        return d->field_values ? compute_field(p, field, real_size, values, error)
                               : ecl_fail(error, EULERCL_INVALID,
                                     "problem %s: field %s has no values: set them, or compute "
                                     "them in ODE_FIELD_VALUES",
                                     d->name, d->fields[field]);
    const int status = check_grid(p, field + 1, error);
    if (!status)
        copy_reals(values, real_size, p->given[field + 1], 0, ecl_grid_points(&p->size.grid));
    return status;
}

int ecl_fill_field(const eulercl_problem *problem, uint32_t field, size_t real_size, void *values,
    eulercl_error *error) {
    const int status = copy_field(problem, field, real_size, values, error);
    return status
               ? status
               : check_finite(problem, field, real_size, values, !problem->given[field + 1], error);
}

int eulercl_problem_set_field(eulercl_problem *problem, const char *name,
    enum eulercl_precision precision, const void *values, eulercl_error *error) {
    EULERCL_NEEDS(problem);
    EULERCL_NEEDS(name);
    EULERCL_NEEDS(values);
    uint32_t field;
    int status = check_precision(precision, error);
    if (!status) status = find_field(problem, name, &field, error);
    if (!status) status = check_finite(problem, field, (size_t)precision, values, 0, error);
    return status ? status
                  : set_array(problem, field + 1, precision, values,
                        ecl_grid_points(&problem->size.grid), error);
}

int eulercl_problem_get_field(const eulercl_problem *problem, const char *name,
    enum eulercl_precision precision, void *values, eulercl_error *error) {
    EULERCL_NEEDS(problem);
    EULERCL_NEEDS(name);
    EULERCL_NEEDS(values);
    uint32_t field;
    int status = check_precision(precision, error);
    if (!status) status = find_field(problem, name, &field, error);
    return status ? status : copy_field(problem, field, (size_t)precision, values, error);
}

/* ---- initial states and exact solutions ---- */

/* One of the host functions over components first .. first + count - 1, `per_point` values each
 * point. */
struct sampler {
    const struct ode_problem *definition;
    enum { INITIAL, EXACT } what;
    double t;
};

/* The values of a few points lie in the first cache before they become reals. */
enum { SAMPLED_POINTS = 64 };

static void sample_point(
    const struct sampler *s, const struct ode_context *context, int64_t point, double *values) {
    if (s->what == INITIAL)
        s->definition->initial(context, point, values);
    else
        s->definition->exact(context, point, s->t, values);
}

static int sample(const struct sampler *s, const struct ode_context *context, uint32_t per_point,
    size_t real_size, int64_t first, int64_t count, void *y, eulercl_error *error) {
    double *values = ecl_mem_zeroed((uint64_t)SAMPLED_POINTS * per_point, sizeof *values);
    if (!values) return ecl_no_memory(error, "some grid points");
    for (int64_t i = first; i < first + count;) {
        const int64_t point = i / per_point, last = (first + count - 1) / per_point,
                      points = last - point < SAMPLED_POINTS ? last - point + 1 : SAMPLED_POINTS,
                      begin = point * per_point, end = begin + points * per_point,
                      to = end < first + count ? end : first + count;
        /* A missing value must not be the value of a previous point. */
        for (int64_t c = 0; c < points * per_point; c++) values[c] = (double)NAN;
        for (int64_t k = 0; k < points; k++)
            sample_point(s, context, point + k, values + k * per_point);
        for (; i < to; i++) real_set(y, i - first, real_size, values[i - begin]);
    }
    ecl_mem_free(values);
    return EULERCL_OK;
}

static int sample_components(const eulercl_problem *problem, const struct sampler *s,
    enum eulercl_precision precision, int64_t first, int64_t count, void *y, eulercl_error *error) {
    if (check_precision(precision, error)) return EULERCL_INVALID;
    if (first < 0 || count < 0 || first > problem->size.n || count > problem->size.n - first)
        return ecl_fail(error, EULERCL_INVALID,
            "components %lld .. +%lld are out of range: the system has %lld", (long long)first,
            (long long)count, (long long)problem->size.n);
    if (!count) return EULERCL_OK;
    EULERCL_NEEDS(y);
    const struct given *const given = s->what == INITIAL ? problem->given[0] : NULL;
    struct ode_context context;
    int status = given ? check_grid(problem, 0, error) : ecl_host_context(problem, &context, error);
    if (status) return status;
    if (given) {
        copy_reals(y, (size_t)precision, given, first, count);
        return EULERCL_OK;
    }
    status = sample(s, &context, problem->definition->grid.components, (size_t)precision, first,
        count, y, error);
    ecl_host_context_destroy(&context);
    return status;
}

int ecl_has_initial(const eulercl_problem *problem) {
    return problem->given[0] ? !check_grid(problem, 0, NULL) : problem->definition->initial != NULL;
}

int eulercl_problem_initial(const eulercl_problem *problem, enum eulercl_precision precision,
    int64_t first, int64_t count, void *y, eulercl_error *error) {
    EULERCL_NEEDS(problem);
    const struct sampler s = {problem->definition, INITIAL, 0};
    if (!problem->definition->initial && !problem->given[0])
        return ecl_fail(error, EULERCL_UNSUPPORTED, "problem %s has no initial state: set one",
            problem->definition->name);
    return sample_components(problem, &s, precision, first, count, y, error);
}

int eulercl_problem_exact(const eulercl_problem *problem, double t,
    enum eulercl_precision precision, int64_t first, int64_t count, void *y, eulercl_error *error) {
    EULERCL_NEEDS(problem);
    const struct sampler s = {problem->definition, EXACT, t};
    if (!problem->definition->exact)
        return ecl_fail(error, EULERCL_UNSUPPORTED, "problem %s has no exact solution",
            problem->definition->name);
    return sample_components(problem, &s, precision, first, count, y, error);
}
