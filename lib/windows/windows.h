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

/* statistics.c: for the vtable's monitor; `table` reads the state. */
int ecl_windows_monitor(struct run *run, const struct backend *table,
    const struct monitor_plan *plan, double *parts, eulercl_error *error);
/* compare.c: processes have the same text of the problem and the same values of its fields. All of
 * them get the same result. Errors: INVALID, MEMORY, and those of the transport. */
int ecl_compare_processes(const struct run *run, eulercl_error *error);
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
