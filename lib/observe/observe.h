/* SPDX-License-Identifier: BSD-2-Clause */
/* observe.h - observers: what they compute from a state, as reductions (run/reduce.h), and how they
 * are named in texts such as "histogram:0:256:0:1". */
#ifndef EULERCL_OBSERVE_H
#define EULERCL_OBSERVE_H
#include "../problem/grid.h"
#include "../run/reduce.h"

enum { MOST_BINS = 4096, MOST_LAGS = 1024, MOST_ARGUMENTS = 5 };

/* An observer with its arguments. */
struct eulercl_observation {
    const struct observer *observer;
    char *text;                       /* as it was given */
    struct ode_grid grid;             /* that it was made for */
    double arguments[MOST_ARGUMENTS]; /* the numbers of the text; the first one is the component */
    /* of the state that was observed last; NaN: none was */
    double last_t, last_mean;
};

/* A state that is observed, and the observation. */
struct observed {
    struct run *run;
    const struct state_table *state;
    eulercl_observation *observation;
    double t;
};

/* A row of the table in observe.c. */
struct observer {
    const char *form; /* the name, and names of the arguments: "histogram:C:BINS:LOW:HIGH" */
    int has_places;   /* it needs a grid */
    /* Check the arguments but the component. NULL: all finite numbers are allowed. */
    int (*check)(const eulercl_observation *o, eulercl_error *error);
    int64_t (*columns)(const eulercl_observation *o);
    /* What column number `column` is called behind the observer's text. */
    void (*name)(const eulercl_observation *o, int64_t column, char *name, size_t size);
    int (*find)(const struct observed *observed, double *values, eulercl_error *error);
};
extern const struct observer ecl_observe_histogram, ecl_observe_patterns, ecl_observe_length,
    ecl_observe_front, ecl_observe_correlation;

static inline int64_t observed_component(const eulercl_observation *o) {
    return (int64_t)o->arguments[0];
}

/* reduction.c: a reduction of the observed state, which the caller cuts. Its units are grid points,
 * or rows along the last axis. */
struct reduction ecl_observe_reduction(
    const struct observed *observed, const struct reducer *reducer, const void *arguments);
/* Sums of the numbers of all parts, part after part. Errors: MEMORY, and those of the backend. */
int ecl_observe_sum(const struct observed *observed, const struct reduction *reduction,
    double *sums, eulercl_error *error);
/* A reducer's `begin`, where all sums begin with 0. */
void ecl_sums_begin(const struct reduction *reduction, void *sums);
/* The mean of the observed component. */
int ecl_observe_mean(const struct observed *observed, double *mean, eulercl_error *error);

/* histogram.c: counts of values below all bins, in each bin, above, and of NaN. */
struct histogram {
    int64_t component, bins;
    double low, high, scale; /* value y is in bin (y - low) * scale, rounded down */
};
enum { HISTOGRAM_BELOW, HISTOGRAM_FIRST }; /* counters, and behind those of the bins: */
enum { HISTOGRAM_ABOVE, HISTOGRAM_NAN, HISTOGRAM_OTHER };
enum { HISTOGRAM_COPIES = 4 }; /* sets of counters while values are added on the host */
static inline int64_t histogram_counters(const struct histogram *h) {
    return HISTOGRAM_FIRST + h->bins + HISTOGRAM_OTHER;
}
extern const struct reducer ecl_histogram;
/* Counts of each part, which the caller adds. */
struct reduction ecl_histogram_reduction(
    const struct observed *observed, const struct histogram *histogram);

/* patterns.c: counts in the set of points whose component is greater than a level. A pair, a square
 * or a cube of neighbouring points is full if all belong to the set, and touched if one does. */
struct level_set {
    int64_t component;
    double level;
};
enum {
    POINTS,
    PAIRS,               /* that are full, along x, along lines, along rows */
    FULL = PAIRS + 3,    /* squares: x and line, x and row, line and row */
    TOUCHED = FULL + 3,  /* the same */
    CUBES = TOUCHED + 3, /* full, touched */
    PATTERNS = CUBES + 2
};
extern const struct reducer ecl_patterns;

/* loops.c: code for the instruction set of the processor. `y` is the first value of a component. */
struct loops {
    void (*count)(uint64_t *counts, const struct histogram *histogram, const void *y,
        size_t real_size, int64_t points, int64_t components);
    /* values[i] = the one of point i */
    void (*take)(
        double *values, const void *y, size_t real_size, int64_t points, int64_t components);
    /* sums[i] += values[i] - less, or the square of that; add_slopes: less[i] */
    void (*add)(double *sums, const double *values, double less, int64_t points);
    void (*add_squares)(double *sums, const double *values, double less, int64_t points);
    void (*add_slopes)(double *sums, const double *values, const double *less, int64_t points);
    void (*find_above)(unsigned char *is_above, const double *values, double level, int64_t points);
    /* Add what begins with some points, `points` < 2^32; a, b, c, d: whether these, those of the
     * next line, and both of the next row belong to the set. The bytes behind the last ones are
     * those of the next points. */
    void (*add_patterns)(int64_t *counts, uint32_t rank, const unsigned char *a,
        const unsigned char *b, const unsigned char *c, const unsigned char *d, int64_t points);
};
const struct loops *ecl_loops(void);

/* length.c: sums of squares of differences of values, and of neighbours along each axis. Its
 * argument is the number of the component. */
extern const struct reducer ecl_length;

/* front.c: number of crossings of lines, sum of their places, and of squared distances from the
 * mean. */
struct crossing {
    int64_t component;
    double level, mean;
};
extern const struct reducer ecl_front;

/* correlation.c: number 0 is the sum of the squares of y - mean; number 1 + axis * lags + lag - 1
 * the sum of the products of y - mean at two points. */
struct correlated {
    int64_t component, lags;
    double mean;
};
extern const struct reducer ecl_correlation;

/* extract.c: number and value of each point whose value is less than the bound, or else not less.
 */
struct extraction {
    int64_t component;
    int is_less;
    double bound;
    int64_t most; /* points that a part has at most */
};
extern const struct reducer ecl_extract;

/* The weights of a mask: of its middle point, and of the two points at each distance from it. */
struct mask {
    double weights[EULERCL_MOST_SMOOTHING + 1];
};

/* thin.c: blocks, layer after layer; sums for means. On a grid of one axis a part is a line. */
struct thinning {
    eulercl_region region; /* that is thinned */
    int64_t component;
    int64_t n;           /* points along the edge of a block, */
    int64_t taken;       /* of which the first ones are taken */
    int64_t blocks;      /* of the region */
    int64_t x, points;   /* of a line: its first point, counted from the line's, and how many */
    int64_t line, lines; /* of a row: its first line, and how many */
    int64_t across, up;  /* blocks of a line, and along the lines of a row */
    int mode;            /* EULERCL_THIN_MEAN, _MAX or _MIN */
    int64_t radius;      /* of the mask; 0: the points themselves are thinned */
    struct mask mask;
};
extern const struct reducer ecl_thin;
/* smooth.c: */
struct mask ecl_smooth_mask(int64_t radius);
/* Bytes that its sums need behind those of thin.c. */
uint64_t ecl_smooth_bytes(const struct reduction *reduction);
#endif
