/* SPDX-License-Identifier: BSD-2-Clause */
/* breakpoints.c - see breakpoints.h. */
#include "config.h"
#include "breakpoints.h"
#include "../mem.h"
#include <float.h>
#include <stdlib.h>
#include <string.h>

static int compare(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

int ecl_find_breakpoints(const eulercl_problem *problem, const eulercl_options *options,
    struct breakpoints *breakpoints, eulercl_error *error) {
    const struct ode_problem *const d = ecl_problem_definition(problem);
    const int64_t given = options->breakpoint_count, own = d->breakpoint_count, all = given + own;
    double *const times = ecl_mem_zeroed((uint64_t)all + 1, sizeof *times);
    int64_t count = 0;
    *breakpoints = (struct breakpoints){0};
    if (!times) return ecl_no_memory(error, "the breakpoints");
    for (int64_t i = 0; i < given; i++) times[i] = options->breakpoints[i] + 0.0;
    if (own) ecl_problem_breakpoints(problem, times + given);
    for (int64_t i = given; i < all; i++)
        if (!isfinite(times[i])) {
            const double time = times[i];
            ecl_mem_free(times);
            return ecl_fail(error, EULERCL_INVALID,
                "problem %s: breakpoint number %lld is %g, which is not finite", d->name,
                (long long)(i - given), time);
        }
    qsort(times, (size_t)all, sizeof *times, compare);
    for (int64_t i = 0; i < all; i++)
        if (!count || times[i] != times[count - 1]) times[count++] = times[i];
    *breakpoints = (struct breakpoints){times, count};
    return EULERCL_OK;
}

/* How many are not after t. */
static int64_t count_until(const struct breakpoints *b, double t) {
    int64_t low = 0, high = b->count;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (b->times[middle] <= t)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

int ecl_add_breakpoint(struct breakpoints *b, double t, eulercl_error *error) {
    const int64_t place = count_until(b, t), later = b->count - place;
    if (ecl_is_breakpoint(b, t)) return EULERCL_OK;
    double *const times = ecl_mem_zeroed((uint64_t)b->count + 2, sizeof *times);
    if (!times) return ecl_no_memory(error, "the breakpoints");
    if (place) memcpy(times, b->times, (size_t)place * sizeof *times);
    times[place] = t;
    if (later) memcpy(times + place + 1, b->times + place, (size_t)later * sizeof *times);
    ecl_mem_free(b->times);
    *b = (struct breakpoints){times, b->count + 1};
    return EULERCL_OK;
}

double ecl_next_breakpoint(const struct breakpoints *breakpoints, double t) {
    const int64_t next = count_until(breakpoints, t);
    return next < breakpoints->count ? breakpoints->times[next] : (double)INFINITY;
}

int ecl_is_breakpoint(const struct breakpoints *breakpoints, double t) {
    const int64_t next = count_until(breakpoints, t);
    return next > 0 && breakpoints->times[next - 1] == t;
}

struct time_range ecl_time_range(
    const struct breakpoints *breakpoints, double t, size_t real_size) {
    /* Two units in the last place. */
    const double unit = real_size == sizeof(float) ? 2 * (double)FLT_EPSILON : 2 * DBL_EPSILON,
                 tiny = real_size == sizeof(float) ? (double)FLT_MIN : DBL_MIN;
    const int64_t next = count_until(breakpoints, t);
    struct time_range range = {-(double)INFINITY, (double)INFINITY};
    if (!breakpoints->count) return (struct time_range){0};
    if (next > 0) {
        const double time = breakpoints->times[next - 1];
        range.first = time + fmax(unit * fabs(time), tiny);
    }
    if (next < breakpoints->count) {
        const double time = breakpoints->times[next];
        range.last = time - fmax(unit * fabs(time), tiny);
    }
    return range;
}
