/* SPDX-License-Identifier: BSD-2-Clause */
/* windows/windows.h - a system on several devices (doc/design/windows.md). The grid is cut along
 * its last axis into shares of neighbouring rows. A part is a run of any backend on a window of the
 * system: its share, and ghost rows at the cuts, which are copies of the neighbours' rows. The ends
 * of a window are ends of its grid, so a level spoils `radius` ghost rows more, and no own row as
 * long as there are right ghosts. Then the parts exchange rows. */
#ifndef EULERCL_WINDOWS_H
#define EULERCL_WINDOWS_H
#include "../run/backend.h"
#include "../plan/plan.h"
#include "../problem/system.h"
#include "../run/transport.h"

enum { MOST_PARTS = 256, DEVICE_NAME = 256 };

struct part {
    int64_t rank;   /* of the process whose part it is; else only the shares are known */
    struct run run; /* on a window of the system */
    struct settled settled;
    char device[DEVICE_NAME];  /* options.device of the run */
    int64_t begin, end;        /* its share of the rows */
    int64_t first, rows;       /* its window; first is negative where that goes round the grid */
    struct pinned edges[2][2]; /* of exchanges with even and odd numbers: its first and its last own
                                  rows. Those of another process's part are where they arrive */
    double compute_seconds, copy_seconds, wait_seconds; /* in steps, in copies of rows, and for the
                                                           rows of others */
    int32_t worst_error;                                /* of a job, as in struct run */
    int status;
    eulercl_error error;
};

struct windows {
    const struct transport *transport; /* NULL: there is one process */
    struct part *parts;                /* all, in the order of their rows */
    int64_t count;
    int64_t here, here_count; /* those of this process */
    int64_t rows, row;        /* rows of the whole grid; components in one */
    size_t real_size;
    int periodic;
    int64_t halo;     /* ghost rows at a cut */
    int64_t verified; /* of these, rows that are compared with the neighbour's; 0: none */
    int64_t interval; /* steps that they are enough for */
    int64_t valid;    /* steps that can be made before the next exchange */
    void **blocks; /* memory that the processes of this host share, by rank: the edges between them;
                      NULL: there is none */
    struct team *team;
    struct flag *flags; /* per part of this process: exchanges of the present job whose rows are
                           ready; and one for the rows of other processes */
    struct batch batch; /* the job: its steps, */
    int is_refreshed;   /* after an exchange, unless nothing is spoiled */
    int64_t before;     /* `valid` before the last steps, if undo can return there */
    uint64_t exchanges, sent; /* bytes */
};

static inline const struct backend *part_table(const struct part *p) { return p->settled.table; }
static inline int part_is_here(const struct windows *w, const struct part *p) {
    return !w->transport || p->rank == w->transport->rank;
}
/* The parts with the rows before and after those of a part. */
static inline int64_t part_before(const struct windows *w, int64_t index) {
    return (index + w->count - 1) % w->count;
}
static inline int64_t part_after(const struct windows *w, int64_t index) {
    return (index + 1) % w->count;
}
/* The bytes of the rows that a neighbour needs. */
static inline uint64_t windows_edge_bytes(const struct windows *w) {
    return (uint64_t)(w->halo * w->row) * w->real_size;
}
static inline int windows_agree(const struct windows *w, int status, eulercl_error *error) {
    return ecl_transport_agree(w->transport, status, error);
}

/* Rows of a part, also while it still computes others. */
static inline int part_put(
    struct part *p, int64_t at, int64_t count, const char *y, eulercl_error *error) {
    const struct backend *const table = part_table(p);
    return (p->run.orders.early.is_done ? table->early->put : table->state->write)(
        &p->run, at, count, y, error);
}
static inline int part_get(
    struct part *p, int64_t at, int64_t count, char *y, eulercl_error *error) {
    const struct backend *const table = part_table(p);
    return (p->run.orders.early.is_done ? table->early->fetch : table->state->read)(
        &p->run, at, count, y, error);
}

/* state.c: parts of the vtable. */
extern const struct state_table ecl_windows_state;
extern const struct copy_table ecl_windows_copies;
extern const struct process_table ecl_windows_processes;
/* jobs.c: all parts make the job's steps; and parts of the vtable. */
int ecl_windows_run_job(struct windows *windows, eulercl_error *error);
extern const struct step_table ecl_windows_steps;
extern const struct round_table ecl_windows_rounds;
/* compare.c: processes have the same text of the problem, the same values of its fields and the
 * same initial state. All of them get the same result; transport NULL: there is one process.
 * Errors: INVALID, MEMORY, and those of the transport. */
int ecl_compare_processes(const eulercl_problem *problem, const struct run *run,
    const struct transport *transport, eulercl_error *error);
/* reduce.c: the vtable's. */
int ecl_windows_reduce(
    struct run *run, const struct reduction *reduction, double *numbers, eulercl_error *error);
/* shares.c: for struct several_devices. List the parts, and cut the grid. */
int ecl_windows_verify(const eulercl_options *options, eulercl_error *error);
int ecl_windows_share_out(struct windows *windows, const struct run *whole, eulercl_error *error);
/* The general form may read four components at a time, so there a window begins with the first of
 * four: -> the number of rows of which the first row of a window is a multiple. */
int64_t ecl_windows_unit(const struct run *whole);
/* Rows that a step of so many stages spoils; INT64_MAX: too many to count. */
int64_t ecl_windows_reach(const struct run *whole, int64_t stages);
/* With a tolerance the method may change to any that estimates its errors, and the number of its
 * stages to any that it has: the most stages that it may get. */
int64_t ecl_windows_most_stages(const struct run *whole);
/* The run of a part, on its window, not yet made. The caller drops the window. */
int ecl_windows_make_run(const struct windows *windows, const struct run *whole, struct part *part,
    eulercl_error *error);
#endif
