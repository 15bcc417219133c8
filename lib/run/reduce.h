/* SPDX-License-Identifier: BSD-2-Clause */
/* reduce.h - numbers that are computed from the whole state where it is: statistics (monitor.h) and
 * observations (lib/observe/). This file fixes the order of all sums, which depends only on the
 * sizes of the system, so that every backend returns the same bits. */
#ifndef EULERCL_REDUCE_H
#define EULERCL_REDUCE_H
#include "backend.h"

struct reduction;

/* Components of the state that stand next to each other, and what a reduction reads before and
 * behind them. */
struct span {
    const char *y;      /* components at .. at + count - 1, those before and those behind them */
    const char *beyond; /* the first components of the state, where the reduction goes round */
    const char *ahead;  /* what is behind the last components of the state, where it does */
    int64_t at, count;
};

/* How a part becomes numbers on the host: `begin`; `add` its components in order, any number of
 * units at a time; `finish`. A table in lib/opencl/reduce.c lists those that have a kernel. */
struct reducer {
    void (*begin)(const struct reduction *reduction, void *sums);
    void (*add)(const struct reduction *reduction, void *sums, const struct span *span);
    void (*finish)(const struct reduction *reduction, void *sums, double *numbers);
};

/* Part p is the `share` components from first + p * share on (the last part is shorter). Its
 * numbers depend on nothing but its components and those before and behind it. Then the caller
 * combines part after part. Components have their numbers in the whole state. */
struct reduction {
    const struct reducer *reducer;
    const void *arguments;       /* of the reducer */
    const struct ode_grid *grid; /* the whole one */
    size_t real_size;
    int64_t n;             /* components of the whole state */
    int64_t size;          /* numbers of a part, unless they have places */
    const int64_t *places; /* where the numbers of each part begin, and where the last ones end;
                              NULL: part p has the `size` numbers from p * size on */
    uint64_t sums_bytes;   /* memory of a part while it is added up */
    int64_t unit;          /* components that are added together; the share is a multiple of it */
    int64_t batch;         /* units: a share and a span are multiples of it, but the last ones */
    /* components before and behind a part that it reads, if the state has them */
    int64_t before, behind;
    int is_ring;  /* behind the last component there is the first one; 0: nothing is there */
    int is_total; /* only sums over all parts are wanted, and the numbers are counts: they may be
                     those of any other parts, as many or fewer */
    int64_t share, parts;
    int64_t first, end; /* the components that the parts are made of */
    int64_t offset;     /* the number of the run's first component; negative where its rows go round
                           the grid */
};

/* Cut the whole state into parts, once `size`, `unit` and `batch` are set. */
void ecl_reduction_cut(struct reduction *reduction);
/* The same, into not more parts than `most`. */
void ecl_reduction_cut_into(struct reduction *reduction, int64_t most);

/* Where the numbers of a part begin, counted from those of part 0; of part `parts`: how many there
 * are. */
static inline int64_t reduction_place(const struct reduction *r, int64_t part) {
    return r->places ? r->places[part] - r->places[0] : part * r->size;
}
/* Some parts of a reduction, as a reduction. */
struct reduction ecl_reduction_parts(const struct reduction *r, int64_t from, int64_t parts);

/* The components of a span from number `at` on, which may be before its first one or behind its
 * end; NULL: there are none. */
static inline const char *span_at(const struct reduction *r, const struct span *s, int64_t at) {
    if (at < s->at - r->before) return NULL;
    if (at < 0) return r->is_ring ? s->ahead - (size_t)-at * r->real_size : NULL;
    if (at < r->n) return s->y + (at - s->at) * (int64_t)r->real_size;
    return r->is_ring ? s->beyond + (size_t)(at - r->n) * r->real_size : NULL;
}

/* The numbers of all parts, part after part: by the backend, or else by the host, which reads them.
 */
int ecl_reduce(struct run *run, const struct state_table *state, const struct reduction *reduction,
    double *numbers, eulercl_error *error);
int ecl_reduce_read(struct run *run, const struct state_table *state,
    const struct reduction *reduction, double *numbers, eulercl_error *error);
/* The same of a state in the host's memory; y is its component number `offset`. */
int ecl_reduce_here(
    const struct reduction *reduction, const char *y, double *numbers, eulercl_error *error);
#endif
