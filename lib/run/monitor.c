/* SPDX-License-Identifier: BSD-2-Clause */
/* monitor.c - see monitor.h: statistics over the state in one pass, on the device if it supports
 * that. */
#include "config.h"
#include "monitor.h"
#include "../int.h"
#include "../mem.h"
#include <math.h>

enum {
    MOST_LANES = 256, /* a work-group: see lib/opencl/reduce.c */
    BLOCK = 8,        /* accumulators that are summed side by side, in registers */
    ROWS = 16,        /* rows per block, which fits into the first-level cache */
};

static struct reduction reduction_for(const struct system *s) {
    struct reduction r = {.reducer = &ecl_statistics,
        .grid = &s->context.grid,
        .real_size = s->real_size,
        .n = s->n,
        .unit = (int64_t)s->definition->grid.components,
        .batch = 1};
    r.size = r.unit * STATISTICS;
    while (2 * r.unit <= MOST_LANES) r.unit *= 2;
    r.sums_bytes = (uint64_t)r.unit * STATISTICS * sizeof(double);
    ecl_reduction_cut(&r);
    return r;
}

/* ---- one part on the host; accumulators[statistic * unit + accumulator] ---- */

static void begin(const struct reduction *r, void *sums) {
    double *const accumulators = sums;
    for (int64_t l = 0; l < STATISTICS * r->unit; l++)
        accumulators[l] = l < r->unit ? (double)INFINITY : l < 2 * r->unit ? -(double)INFINITY : 0;
}

/* Comparisons instead of fmin: the first of two equal zeros is kept, and NaN is ignored. The kernel
 * in kernels/monitor.cl does the same. */
#define TAKE(statistics, stride, value)                                                    \
    do {                                                                                   \
        const double v = (double)(value);                                                  \
        (statistics)[LEAST * (stride)] =                                                   \
            v < (statistics)[LEAST * (stride)] ? v : (statistics)[LEAST * (stride)];       \
        (statistics)[GREATEST * (stride)] =                                                \
            v > (statistics)[GREATEST * (stride)] ? v : (statistics)[GREATEST * (stride)]; \
        (statistics)[SUM * (stride)] += v;                                                 \
        (statistics)[SUM_OF_ABSOLUTES * (stride)] += fabs(v);                              \
        (statistics)[SUM_OF_SQUARES * (stride)] += v * v;                                  \
    } while (0)

#define ADD(NAME, REAL)                                                                            \
    static void NAME(double *accumulators, int64_t width, const REAL *y, int64_t count) {          \
        const int64_t whole = count / width, blocks = width / BLOCK * BLOCK;                       \
        for (int64_t first = 0; first < whole; first += ROWS) {                                    \
            const int64_t last = whole - first < ROWS ? whole : first + ROWS;                      \
            for (int64_t l = 0; l < blocks; l += BLOCK) {                                          \
                double sums[STATISTICS * BLOCK];                                                   \
                for (int f = 0; f < STATISTICS; f++)                                               \
                    for (int i = 0; i < BLOCK; i++)                                                \
                        sums[f * BLOCK + i] = accumulators[f * width + l + i];                     \
                for (int64_t row = first; row < last; row++)                                       \
                    for (int i = 0; i < BLOCK; i++) TAKE(&sums[i], BLOCK, y[row * width + l + i]); \
                for (int f = 0; f < STATISTICS; f++)                                               \
                    for (int i = 0; i < BLOCK; i++)                                                \
                        accumulators[f * width + l + i] = sums[f * BLOCK + i];                     \
            }                                                                                      \
            for (int64_t row = first; row < last; row++)                                           \
                for (int64_t l = blocks; l < width; l++)                                           \
                    TAKE(&accumulators[l], width, y[row * width + l]);                             \
        }                                                                                          \
        for (int64_t l = 0; l < count - whole * width; l++)                                        \
            TAKE(&accumulators[l], width, y[whole * width + l]);                                   \
    }
ADD(add_floats, float)
ADD(add_doubles, double)

static void add(const struct reduction *r, void *sums, const struct span *span) {
    if (r->real_size == sizeof(float))
        add_floats(sums, r->unit, (const float *)span->y, span->count);
    else
        add_doubles(sums, r->unit, (const double *)span->y, span->count);
}

/* Add b to a; both have a statistic every `stride`. */
static void combine(double *a, const double *b, int64_t stride) {
    if (b[LEAST * stride] < a[LEAST * stride]) a[LEAST * stride] = b[LEAST * stride];
    if (b[GREATEST * stride] > a[GREATEST * stride]) a[GREATEST * stride] = b[GREATEST * stride];
    for (int f = SUM; f < STATISTICS; f++) a[f * stride] += b[f * stride];
}

static void finish(const struct reduction *r, void *sums, double *statistics) {
    double *const accumulators = sums;
    const int64_t components = r->size / STATISTICS;
    for (int64_t half = r->unit / 2; half >= components; half /= 2)
        for (int64_t l = 0; l < half; l++)
            combine(&accumulators[l], &accumulators[l + half], r->unit);
    for (int64_t c = 0; c < components; c++)
        for (int f = 0; f < STATISTICS; f++)
            statistics[c * STATISTICS + f] = accumulators[f * r->unit + c];
}

const struct reducer ecl_statistics = {begin, add, finish};

/* ---- the quantities ---- */

static double find_min(const double *f, double count) {
    (void)count;
    return f[LEAST];
}
static double find_max(const double *f, double count) {
    (void)count;
    return f[GREATEST];
}
static double find_mean(const double *f, double count) { return f[SUM] / count; }
static double find_l1(const double *f, double count) {
    (void)count;
    return f[SUM_OF_ABSOLUTES];
}
static double find_l2(const double *f, double count) {
    (void)count;
    return sqrt(f[SUM_OF_SQUARES]);
}
static double find_linf(const double *f, double count) {
    (void)count;
    return fmax(fabs(f[LEAST]), fabs(f[GREATEST]));
}
static double find_rms(const double *f, double count) { return sqrt(f[SUM_OF_SQUARES] / count); }

static const struct {
    const char *name;
    double (*find)(const double *statistics, double count);
} quantities[] = {
    [EULERCL_MIN] = {"min", find_min},
    [EULERCL_MAX] = {"max", find_max},
    [EULERCL_MEAN] = {"mean", find_mean},
    [EULERCL_L1] = {"l1", find_l1},
    [EULERCL_L2] = {"l2", find_l2},
    [EULERCL_LINF] = {"linf", find_linf},
    [EULERCL_RMS] = {"rms", find_rms},
};
enum { QUANTITIES = sizeof quantities / sizeof *quantities };

const char *eulercl_quantity_name(size_t index) {
    return index < QUANTITIES ? quantities[index].name : NULL;
}

static int check_statistics(
    const struct system *s, const eulercl_statistic *wanted, size_t count, eulercl_error *error) {
    const long long components = s->definition->grid.components;
    for (size_t i = 0; i < count; i++) {
        if (wanted[i].quantity < 0 || wanted[i].quantity >= QUANTITIES)
            return ecl_fail(
                error, EULERCL_INVALID, "unknown quantity number %d", wanted[i].quantity);
        if (wanted[i].component < -1 || wanted[i].component >= components)
            return ecl_fail(error, EULERCL_INVALID,
                "component %lld is out of range: a point has components 0 to %lld, and -1 selects "
                "all",
                (long long)wanted[i].component, components - 1);
    }
    return EULERCL_OK;
}

int ecl_monitor_state(struct run *run, const struct state_table *state,
    const eulercl_statistic *wanted, size_t count, double *values, eulercl_error *error) {
    const struct reduction r = reduction_for(&run->system);
    const int64_t set = r.size, components = set / STATISTICS;
    const double n = (double)run->system.n, points = n / (double)components;
    int status = check_statistics(&run->system, wanted, count, error);
    if (status || !count) return status;
    /* The first part becomes the sum of all parts, per component. One more set of statistics at the
     * end is over all components. */
    double *parts = ecl_mem_zeroed((uint64_t)(r.parts * set + STATISTICS), sizeof *parts),
           *all = parts + r.parts * set;
    if (!parts) return ecl_no_memory(error, "the statistics of the parts");
    status = ecl_reduce(run, state, &r, parts, error);
    for (int64_t p = 1; !status && p < r.parts; p++)
        for (int64_t c = 0; c < components; c++)
            combine(&parts[c * STATISTICS], &parts[p * set + c * STATISTICS], 1);
    for (int f = 0; f < STATISTICS; f++) all[f] = parts[f];
    for (int64_t c = 1; c < components; c++) combine(all, &parts[c * STATISTICS], 1);
    for (size_t i = 0; !status && i < count; i++) {
        const int64_t c = wanted[i].component;
        values[i] = quantities[wanted[i].quantity].find(
            c < 0 ? all : &parts[c * STATISTICS], c < 0 ? n : points);
    }
    ecl_mem_free(parts);
    return status;
}
