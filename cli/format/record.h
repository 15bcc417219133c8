/* record.h - what is recorded of a run: when, what, and in which files.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef CLI_FORMAT_RECORD_H
#define CLI_FORMAT_RECORD_H

#include "eulercl/eulercl.h"
#include "format/format.h"

/* How often something happens: one of these is not 0, or all are. */
struct interval {
    int64_t steps;
    double time;    /* of the problem */
    double seconds; /* on the wall clock */
};
/* What the state is recorded as. */
enum {
    SNAPSHOT = 1, /* in files of --out with all or numbered snapshots */
    CHECKPOINT = 2,
    LAST = 4,    /* in files with the final state */
    AT_ONCE = 8, /* not beside steps that follow; LAST is, too */
};

struct recording {
    /* from the options */
    const char **out; /* paths, as many as n_out */
    size_t n_out;
    struct interval every;  /* between snapshots; zeros: none */
    const char *checkpoint; /* path; NULL: none */
    struct interval checkpoint_every;
    int64_t *probes; /* components */
    size_t n_probes;
    eulercl_statistic *figures;
    size_t n_figures;
    int verbose;          /* say what is written when */
    struct layout layout; /* component and range; the rest of the run */
    /* of the run */
    struct target *targets; /* of --out, then the checkpoint */
    size_t n_targets;
    char (*names)[32]; /* of the columns: probes, then figures */
    const char **columns;
    double *values; /* of the last snapshot */
    int64_t snapshots, checkpoints;
    void *chunk;              /* CHUNK reals, or n */
    struct snapshot_job *job; /* the present snapshot */
    eulercl_snapshot
        *snapshot;        /* states are written from it, beside the steps; NULL: between them */
    int is_aside;         /* there was such a snapshot */
    char why_serial[512]; /* "": nothing stood against it */
    double wait_seconds;  /* in which no step was made, for snapshots */
    double write_seconds; /* of reading and writing them */
    int64_t state_bytes;  /* that were read for them */
    char hash[17]; /* of the last state that was read, 16 hex digits; empty in a command without
                      xxHash */
};
/* N, t=T or, for checkpoints, SECONDSs */
int read_every(const char *text, struct interval *every);
int read_checkpoint_every(const char *text, struct interval *every);
int read_probes(const char *text, struct recording *recording);
int read_figures(const char *text, struct recording *recording);
int read_range(const char *text, struct recording *recording);
/* Do the options fit together? Asked when all were read. */
int check_recording(const struct recording *recording);
/* Open the files and allocate: the reasons to fail that must come before a long run. What pictures
 * show is in recording->layout. */
int begin_recording(struct recording *recording, const struct origin *origin);
/* Are there files for snapshots? */
int has_snapshots(const struct recording *recording);
/* The first step after the clock's that is at or after a multiple of the interval, counted from
 * step 0 at t0; INT64_MAX: none. */
int64_t next_moment(const struct interval *every, const eulercl_clock *clock, double t0);
/* Before the first record_state: memory for states that are written beside the steps. Where there
 * is none they are written between them, as why_serial says. */
int begin_snapshots(struct recording *recording, eulercl_solver *solver);
/* The state as it is. But for LAST and AT_ONCE it may still be being written when this returns; how
 * that ended, the next call says, or finish_snapshot. */
int record_state(struct recording *recording, eulercl_solver *solver, int as);
/* Wait for the snapshot that is being written, if there is one. */
int finish_snapshot(struct recording *recording);
/* After that, and before the solver is destroyed. */
void end_snapshots(struct recording *recording);
/* Put the files in their places; of a run that was stopped early, the series. */
int end_recording(struct recording *recording, const struct facts *facts, int complete);
void discard_recording(struct recording *recording);

#endif
