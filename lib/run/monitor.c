/* SPDX-License-Identifier: BSD-2-Clause */
/* monitor.c - see monitor.h: statistics over the state in one pass, on the device if it supports
 * that. */
#include "config.h"
#include "monitor.h"
#include "../int.h"
#include "../mem.h"
#include <math.h>

enum {
    MOST_LANES = 256, /* a work-group: see lib/opencl/monitor.c */
    MOST_PARTS = 512,
    MOST_PARTIAL_STATISTICS =
        1 << 18, /* times STATISTICS; of all parts together, where a point has many components */
    BLOCK = 8,   /* accumulators that are summed side by side, in registers */
    ROWS = 16,   /* rows per block, which fits into the first-level cache */
    CHUNK = 1 << 16, /* components per read, for backends without a monitor */
};

static struct monitor_plan plan_for(const struct system *s) {
    const int64_t c = (int64_t)s->definition->grid.components;
    struct monitor_plan plan = {.components = c, .accumulators = c};
    while (2 * plan.accumulators <= MOST_LANES) plan.accumulators *= 2;
    int64_t parts = MOST_PARTIAL_STATISTICS / c;
    if (parts < 1) parts = 1;
    if (parts > MOST_PARTS) parts = MOST_PARTS;
    const int64_t rows = s->n / plan.accumulators + (s->n % plan.accumulators != 0);
    plan.share = (rows / parts + (rows % parts != 0)) * plan.accumulators;
    plan.parts = s->n / plan.share + (s->n % plan.share != 0);
    plan.end = s->n;
    return plan;
}

/* ---- one part on the host; accumulators[statistic * plan->accumulators + accumulator] ---- */

void ecl_monitor_begin(const struct monitor_plan *plan, double *accumulators) {
    for (int64_t l = 0; l < STATISTICS * plan->accumulators; l++)
        accumulators[l] = l < plan->accumulators       ? (double)INFINITY
                          : l < 2 * plan->accumulators ? -(double)INFINITY
                                                       : 0;
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

void ecl_monitor_add(const struct monitor_plan *plan, double *accumulators, const void *y,
    int64_t count, size_t real_size) {
    if (real_size == sizeof(float))
        add_floats(accumulators, plan->accumulators, y, count);
    else
        add_doubles(accumulators, plan->accumulators, y, count);
}

/* Add b to a; both have a statistic every `stride`. */
static void combine(double *a, const double *b, int64_t stride) {
    if (b[LEAST * stride] < a[LEAST * stride]) a[LEAST * stride] = b[LEAST * stride];
    if (b[GREATEST * stride] > a[GREATEST * stride]) a[GREATEST * stride] = b[GREATEST * stride];
    for (int f = SUM; f < STATISTICS; f++) a[f * stride] += b[f * stride];
}

void ecl_monitor_finish(const struct monitor_plan *plan, double *accumulators, double *statistics) {
    for (int64_t half = plan->accumulators / 2; half >= plan->components; half /= 2)
        for (int64_t l = 0; l < half; l++)
            combine(&accumulators[l], &accumulators[l + half], plan->accumulators);
    for (int64_t c = 0; c < plan->components; c++)
        for (int f = 0; f < STATISTICS; f++)
            statistics[c * STATISTICS + f] = accumulators[f * plan->accumulators + c];
}

int ecl_monitor_read(struct run *run, const struct state_table *state,
    const struct monitor_plan *plan, double *parts, eulercl_error *error) {
    const int64_t chunk = plan->accumulators < CHUNK
                              ? CHUNK / plan->accumulators * plan->accumulators
                              : plan->accumulators;
    double *accumulators =
        ecl_mem_zeroed((uint64_t)plan->accumulators * STATISTICS, sizeof *accumulators);
    char *y = ecl_mem_zeroed((uint64_t)chunk, run->system.real_size);
    int status = accumulators && y ? EULERCL_OK : ecl_no_memory(error, "a part of the state");
    for (int64_t p = 0; !status && p < plan->parts; p++) {
        const int64_t begin = plan->first + p * plan->share,
                      end = int_min(plan->end, begin + plan->share);
        ecl_monitor_begin(plan, accumulators);
        for (int64_t first = begin; !status && first < end; first += chunk) {
            const int64_t count = end - first < chunk ? end - first : chunk;
            status = state->read(run, first, count, y, error);
            if (!status) ecl_monitor_add(plan, accumulators, y, count, run->system.real_size);
        }
        ecl_monitor_finish(plan, accumulators, &parts[p * plan->components * STATISTICS]);
    }
    ecl_mem_free(accumulators);
    ecl_mem_free(y);
    return status;
}

/* For a device without doubles the host does it. */
int ecl_monitor_parts(struct run *run, const struct state_table *state,
    const struct monitor_plan *plan, double *parts, eulercl_error *error) {
    const int status = state->monitor(run, plan, parts, error);
    return status == EULERCL_UNSUPPORTED ? ecl_monitor_read(run, state, plan, parts, error)
                                         : status;
}

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
    const struct monitor_plan plan = plan_for(&run->system);
    const double n = (double)run->system.n, points = n / (double)plan.components;
    int status = check_statistics(&run->system, wanted, count, error);
    if (status || !count) return status;
    /* The first part becomes the sum of all parts, per component. One more set of statistics at the
     * end is over all components. */
    const int64_t set = plan.components * STATISTICS;
    double *parts = ecl_mem_zeroed((uint64_t)(plan.parts * set + STATISTICS), sizeof *parts),
           *all = parts + plan.parts * set;
    if (!parts) return ecl_no_memory(error, "the statistics of the parts");
    status = ecl_monitor_parts(run, state, &plan, parts, error);
    for (int64_t p = 1; !status && p < plan.parts; p++)
        for (int64_t c = 0; c < plan.components; c++)
            combine(&parts[c * STATISTICS], &parts[p * set + c * STATISTICS], 1);
    for (int f = 0; f < STATISTICS; f++) all[f] = parts[f];
    for (int64_t c = 1; c < plan.components; c++) combine(all, &parts[c * STATISTICS], 1);
    for (size_t i = 0; !status && i < count; i++) {
        const int64_t c = wanted[i].component;
        values[i] = quantities[wanted[i].quantity].find(
            c < 0 ? all : &parts[c * STATISTICS], c < 0 ? n : points);
    }
    ecl_mem_free(parts);
    return status;
}
