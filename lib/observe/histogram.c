/* SPDX-License-Identifier: BSD-2-Clause */
/* histogram.c - the observer histogram, and what follows from its counts. kernels/histogram.cl
 * counts on a device. */
#include "config.h"
#include "lines.h"
#include "../int.h"
#include <math.h>
#include <stdio.h>

/* Of all parts together: adding them up takes longer than counting if there are many. */
enum { MOST_COUNTERS = 1 << 13, MOST_PARTS = 512 };

static void add(const struct reduction *r, void *sums, const struct span *s) {
    const struct histogram *const h = r->arguments;
    const int64_t components = r->grid->components;
    ecl_loops()->count(sums, h, s->y + (size_t)h->component * r->real_size, r->real_size,
        s->count / components, components);
}

static void finish(const struct reduction *r, void *sums, double *numbers) {
    const uint64_t *const counts = sums;
    for (int64_t i = 0; i < r->size; i++) {
        uint64_t sum = 0;
        for (int64_t copy = 0; copy < HISTOGRAM_COPIES; copy++) sum += counts[copy * r->size + i];
        numbers[i] = (double)sum;
    }
}

const struct reducer ecl_histogram = {ecl_sums_begin, add, finish};

/* ---- the observer ---- */

static struct histogram histogram_of(const eulercl_observation *o) {
    const double bins = o->arguments[1], low = o->arguments[2], high = o->arguments[3];
    return (struct histogram){observed_component(o), (int64_t)bins, low, high, bins / (high - low)};
}

static int check_bins(
    const char *what, double bins, double low, double high, eulercl_error *error) {
    if (!(bins >= 1 && bins <= MOST_BINS && bins == floor(bins)))
        return ecl_fail(error, EULERCL_INVALID,
            "%.200s: the number of bins must be a whole number from 1 to %d", what, MOST_BINS);
    if (!(low < high))
        return ecl_fail(error, EULERCL_INVALID,
            "%.200s: the lower end of the bins must be less than the upper one", what);
    if (!isfinite(high - low) || !isfinite(bins / (high - low)))
        return ecl_fail(error, EULERCL_INVALID, "%.200s: the bins are too %s for double precision",
            what, isfinite(high - low) ? "narrow" : "wide");
    return EULERCL_OK;
}

static int check(const eulercl_observation *o, eulercl_error *error) {
    return check_bins(o->text, o->arguments[1], o->arguments[2], o->arguments[3], error);
}

static int64_t columns(const eulercl_observation *o) {
    return (int64_t)o->arguments[1] + HISTOGRAM_FIRST + HISTOGRAM_OTHER;
}

static void name(const eulercl_observation *o, int64_t column, char *text, size_t size) {
    const int64_t bins = (int64_t)o->arguments[1], behind = column - HISTOGRAM_FIRST - bins;
    if (column != HISTOGRAM_BELOW && behind < 0)
        snprintf(text, size, "%lld", (long long)(column - HISTOGRAM_FIRST));
    else
        snprintf(text, size, "%s",
            column == HISTOGRAM_BELOW   ? "below"
            : behind == HISTOGRAM_ABOVE ? "above"
                                        : "nan");
}

struct reduction ecl_histogram_reduction(
    const struct observed *observed, const struct histogram *h) {
    struct reduction r = ecl_observe_reduction(observed, &ecl_histogram, h);
    r.unit = r.grid->components;
    r.size = histogram_counters(h);
    r.sums_bytes = (uint64_t)(HISTOGRAM_COPIES * r.size) * sizeof(uint64_t);
    ecl_reduction_cut_into(&r, int_clamp(1, MOST_COUNTERS / r.size, MOST_PARTS));
    return r;
}

static int find(const struct observed *observed, double *values, eulercl_error *error) {
    const struct histogram h = histogram_of(observed->observation);
    const struct reduction r = ecl_histogram_reduction(observed, &h);
    return ecl_observe_sum(observed, &r, values, error);
}

const struct observer ecl_observe_histogram = {
    "histogram:C:BINS:LOW:HIGH", 0, check, columns, name, find};

/* ---- what follows from the counts ---- */

int eulercl_histogram_quantile(int64_t bins, double low, double high, const double *counts,
    double quantile, double *value, eulercl_error *error) {
    EULERCL_NEEDS(counts);
    EULERCL_NEEDS(value);
    const int status = check_bins(__func__, (double)bins, low, high, error);
    if (status) return status;
    if (!(quantile >= 0 && quantile <= 1))
        return ecl_fail(error, EULERCL_INVALID, "%g is not a quantile from 0 to 1", quantile);
    double all = 0, sum = counts[HISTOGRAM_BELOW];
    for (int64_t i = HISTOGRAM_BELOW; i <= HISTOGRAM_FIRST + bins + HISTOGRAM_ABOVE; i++)
        all += counts[i];
    const double wanted = quantile * all;
    int64_t bin = 0;
    while (bin < bins &&
           !(counts[HISTOGRAM_FIRST + bin] > 0 && sum + counts[HISTOGRAM_FIRST + bin] >= wanted))
        sum += counts[HISTOGRAM_FIRST + bin++];
    if (!(all > 0))
        *value = (double)NAN;
    else if (counts[HISTOGRAM_BELOW] > 0 && wanted <= counts[HISTOGRAM_BELOW])
        *value = -(double)INFINITY;
    else if (bin == bins)
        *value = (double)INFINITY;
    else
        *value =
            low + (high - low) * (((double)bin + (wanted - sum) / counts[HISTOGRAM_FIRST + bin]) /
                                     (double)bins);
    return EULERCL_OK;
}

int eulercl_histogram_threshold(int64_t bins, double low, double high, const double *counts,
    double *level, eulercl_error *error) {
    EULERCL_NEEDS(counts);
    EULERCL_NEEDS(level);
    const int status = check_bins(__func__, (double)bins, low, high, error);
    if (status) return status;
    double all = 0, sum = 0, lower = 0, lower_sum = 0, best = 0, first = 0, last = 0;
    for (int64_t i = 0; i < bins; i++) {
        all += counts[HISTOGRAM_FIRST + i];
        sum += counts[HISTOGRAM_FIRST + i] * (double)i;
    }
    for (int64_t i = 0; i < bins - 1; i++) { /* bins 0 .. i are the lower class */
        lower += counts[HISTOGRAM_FIRST + i];
        lower_sum += counts[HISTOGRAM_FIRST + i] * (double)i;
        const double upper = all - lower, distance = (sum - lower_sum) / upper - lower_sum / lower,
                     between = lower * upper * distance * distance;
        if (between > best) first = (double)(i + 1);
        if (between >= best && between > 0) {
            best = between;
            last = (double)(i + 1);
        }
    }
    *level = best > 0 ? low + (high - low) * ((first + last) / 2 / (double)bins) : (double)NAN;
    return EULERCL_OK;
}
