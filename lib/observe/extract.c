/* SPDX-License-Identifier: BSD-2-Clause */
/* extract.c - eulercl_extract: the points whose value is above or below a level, and their values.
 * kernels/extract.cl writes them on a device.
 *
 * The first pass counts them in each part, by a histogram without bins; sums of these counts are
 * the places of the parts' points in the list, which the second pass writes. */
#include "config.h"
#include "observe.h"
#include "../mem.h"
#include "../problem/problem.h"
#include "../run/solver.h"
#include "../text.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { POINT, VALUE, NUMBERS }; /* of a point in the list */

/* ---- a part on the host ---- */

/* Points of a part, in their order. */
struct found {
    int64_t count;
    double numbers[];
};

static void begin(const struct reduction *r, void *sums) {
    (void)r;
    ((struct found *)sums)->count = 0;
}

static double value_at(const struct reduction *r, const struct span *s, int64_t at) {
    const void *const y = s->y + (size_t)at * r->real_size;
    return r->real_size == sizeof(float) ? (double)*(const float *)y : *(const double *)y;
}

static void add(const struct reduction *r, void *sums, const struct span *s) {
    const struct extraction *const a = r->arguments;
    struct found *const found = sums;
    for (int64_t at = 0; at < s->count; at += r->unit) {
        const double value = value_at(r, s, at + a->component);
        if (!(a->is_less ? value < a->bound : value >= a->bound) || found->count == a->most)
            continue;
        double *const numbers = &found->numbers[found->count++ * NUMBERS];
        numbers[POINT] = (double)((s->at + at) / r->unit);
        numbers[VALUE] = value;
    }
}

static void finish(const struct reduction *r, void *sums, double *numbers) {
    const struct found *const found = sums;
    (void)r;
    memcpy(numbers, found->numbers, (size_t)(found->count * NUMBERS) * sizeof *numbers);
}

const struct reducer ecl_extract = {begin, add, finish};

/* ---- the condition ---- */

static const char *skip_blanks(const char *text) { return text + strspn(text, " "); }

/* > LEVEL is >= the next number, and <= LEVEL is < it. NaN is neither. */
static int read_condition(
    const char *text, const struct ode_grid *grid, struct extraction *a, eulercl_error *error) {
    const char *at = skip_blanks(text);
    const size_t digits = strspn(at, "0123456789");
    char level[64] = "";
    double bound;
    a->component = digits > 0 && digits < 10 ? atol(at) : -1;
    at = skip_blanks(at + digits);
    const int has_sign = *at == '<' || *at == '>', is_less = *at == '<',
              has_equal = has_sign && at[1] == '=';
    if (has_sign) {
        at = skip_blanks(at + 1 + has_equal);
        snprintf(level, sizeof level, "%.*s", (int)strcspn(at, " "), at);
    }
    if (digits == 0 || !has_sign || strlen(level) == sizeof level - 1 ||
        *skip_blanks(at + strlen(level)) != '\0' || !text_real(level, &bound))
        return ecl_fail(error, EULERCL_INVALID,
            "'%.100s' is not of the form C > LEVEL, with >, >=, < or <=", text);
    if (a->component < 0 || a->component >= grid->components)
        return ecl_fail(error, EULERCL_INVALID, "%.100s: a point has components 0 to %u", text,
            grid->components - 1);
    a->is_less = is_less;
    a->bound = is_less == has_equal ? nextafter(bound, (double)INFINITY) : bound;
    return EULERCL_OK;
}

/* ---- the whole ---- */

/* Where the points of each part begin in the list; places[parts] is where they end. */
static int find_places(const struct observed *observed, const struct reduction *r,
    struct extraction *a, int64_t *places, eulercl_error *error) {
    double *const counts = ecl_mem_zeroed((uint64_t)r->parts * (uint64_t)r->size, sizeof *counts);
    if (!counts) return ecl_no_memory(error, "the counts of the parts");
    const int status = ecl_reduce(observed->run, observed->state, r, counts, error);
    for (int64_t p = 0; !status && p < r->parts; p++) {
        const int64_t counter =
                          a->is_less ? HISTOGRAM_BELOW : HISTOGRAM_FIRST + 1 + HISTOGRAM_ABOVE,
                      count = (int64_t)counts[p * r->size + counter];
        places[p + 1] = places[p] + count * NUMBERS;
        if (a->most < count) a->most = count;
    }
    ecl_mem_free(counts);
    return status;
}

/* From the list of the parts to arrays for the caller. */
static int take_list(
    const double *numbers, int64_t count, int64_t **points, double **values, eulercl_error *error) {
    int64_t *const own_points = ecl_mem_zeroed((uint64_t)count, sizeof *own_points);
    double *const own_values = ecl_mem_zeroed((uint64_t)count, sizeof *own_values);
    if (!own_points || !own_values) {
        ecl_mem_free(own_points);
        ecl_mem_free(own_values);
        return ecl_no_memory(error, "the points");
    }
    for (int64_t i = 0; i < count; i++) {
        own_points[i] = (int64_t)numbers[i * NUMBERS + POINT];
        own_values[i] = numbers[i * NUMBERS + VALUE];
    }
    *points = own_points;
    *values = own_values;
    return EULERCL_OK;
}

static int extract(const struct observed *observed, struct extraction *a, int64_t *count,
    int64_t **points, double **values, eulercl_error *error) {
    const struct histogram two = {a->component, 1, a->bound, a->bound, 0};
    struct reduction r = ecl_histogram_reduction(observed, &two);
    int64_t *const places = ecl_mem_zeroed((uint64_t)r.parts + 1, sizeof *places);
    double *numbers = NULL;
    if (!places) return ecl_no_memory(error, "the places of the parts");
    int status = find_places(observed, &r, a, places, error);
    r.reducer = &ecl_extract;
    r.arguments = a;
    r.places = places;
    r.sums_bytes = sizeof(struct found) + (uint64_t)(a->most * NUMBERS) * sizeof(double);
    /* A state that others change at the same time could have more points in the last part. */
    if (!status) {
        numbers =
            ecl_mem_zeroed((uint64_t)(places[r.parts] + a->most * NUMBERS) + 1, sizeof *numbers);
        if (!numbers) status = ecl_no_memory(error, "the points");
    }
    if (!status) status = ecl_reduce(observed->run, observed->state, &r, numbers, error);
    if (!status) status = take_list(numbers, places[r.parts] / NUMBERS, points, values, error);
    if (!status) *count = places[r.parts] / NUMBERS;
    ecl_mem_free(numbers);
    ecl_mem_free(places);
    return status;
}

int eulercl_check_condition(
    const eulercl_problem *problem, const char *condition, eulercl_error *error) {
    EULERCL_NEEDS(problem);
    EULERCL_NEEDS(condition);
    struct extraction a;
    return read_condition(condition, &problem->size.grid, &a, error);
}

int eulercl_extract(eulercl_solver *solver, const char *condition, int64_t *count, int64_t **points,
    double **values, eulercl_error *error) {
    EULERCL_NEEDS(solver);
    EULERCL_NEEDS(condition);
    EULERCL_NEEDS(count);
    EULERCL_NEEDS(points);
    EULERCL_NEEDS(values);
    struct run *const run = &solver->run;
    const struct observed observed = {.run = run, .state = solver->settled.table->state};
    struct extraction a = {.most = 0};
    int status = ecl_check_process(run, error);
    if (!status) status = read_condition(condition, &run->system.context.grid, &a, error);
    return status ? status : extract(&observed, &a, count, points, values, error);
}
