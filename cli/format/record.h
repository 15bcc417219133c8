/* SPDX-License-Identifier: BSD-2-Clause */
/* record.h - what is recorded of a run: when, what, and in which files. */
#ifndef CLI_FORMAT_RECORD_H
#define CLI_FORMAT_RECORD_H

#include "eulercl/eulercl.h"
#include "format/extraction.h"
#include "format/format.h"
#include "format/thinned.h"

/* How often something happens: at most one of these is not 0. */
struct interval {
    int64_t steps;
    double time;    /* in the problem's unit of time */
    double seconds; /* seconds on the wall clock */
};
/* The values that are recorded of a state. */
enum {
    SNAPSHOT = 1, /* in files of --out with all or numbered snapshots */
    CHECKPOINT = 2,
    LAST = 4,    /* in files with the final state */
    AT_ONCE = 8, /* not beside the steps that follow; implied by LAST */
};

/* The file of the final state; one with all snapshots; a file for each of them; the checkpoint,
 * which each new one replaces. */
enum target_kind { FINAL, SERIES, NUMBERED, REPLACED };

enum { COLUMN_NAME = 320 }; /* bytes of the name of a column */

/* A number of --probe: a component, or a coordinate. The last coordinate of a place has the
 * component of the point behind it. */
struct probe_number {
    int64_t number, component; /* component -1: none stands behind it */
};

struct recording {
    /* From the options: */
    const char **out; /* n_out paths */
    size_t n_out;
    struct interval every;  /* interval between snapshots; zeros: no snapshots */
    const char *checkpoint; /* path of the checkpoint; NULL: no checkpoint */
    struct interval checkpoint_every;
    struct probe_number *probe_numbers; /* those of --probe, n_probe_numbers */
    size_t n_probe_numbers;
    eulercl_statistic *figures;
    size_t n_figures;
    char **observers; /* those of --monitor, as texts, n_observers */
    size_t n_observers;
    int appends;        /* series go on behind the states up to that of --resume */
    int asks_for_parts; /* each of several processes writes a part of HDF5 files */
    int verbose;        /* report what is written, and when */
    struct extraction extraction;
    struct thinned thinned; /* what files of --out show */
    struct layout layout;   /* component and range from the options; the rest from the run */
    /* Of the run: */
    struct record_target *targets; /* targets of --out, then the checkpoint */
    size_t n_targets;
    int64_t *probes; /* the components that they mean, n_probes */
    size_t n_probes;
    eulercl_observation **observations; /* of the observers */
    char (*names)[COLUMN_NAME]; /* names of the columns: probes, then figures, then observers */
    const char **columns;
    double *values; /* values of the last snapshot */
    int64_t snapshots, checkpoints;
    void *chunk;              /* CHUNK reals, or n */
    struct snapshot_job *job; /* the present snapshot */
    /* The states that are written beside the steps; NULL: they are written between the steps. */
    eulercl_snapshot *snapshot;
    int is_aside;         /* a snapshot was written beside the steps */
    char why_serial[512]; /* why snapshots are written between the steps; "": they are not */
    double wait_seconds;  /* time during which snapshots held up the steps */
    double write_seconds; /* time spent on reading and writing snapshots */
    int64_t state_bytes;  /* bytes read for snapshots */
    int failed;           /* a file that one process writes for all could not be written */
    char hash[17]; /* hash of the last state that was read, 16 hex digits; empty without xxHash */
    int64_t subnormals; /* components of that state that are subnormal numbers */
};

/* ---- record_options.c ---- */

/* step, N, t=T or, for checkpoints, SECONDSs */
int read_every(const char *text, struct interval *every);
int read_checkpoint_every(const char *text, struct interval *every);
int read_probes(const char *text, struct recording *recording);
int read_figures(const char *text, struct recording *recording);
int read_range(const char *text, struct recording *recording);
int read_view(const char *text, struct recording *recording);
/* Do the options fit together? To be called when all were read. */
int check_recording(const struct recording *recording);
/* Are snapshots taken? */
int has_snapshots(const struct recording *recording);
/* The kind of a path of --out. */
enum target_kind kind_of(const struct recording *recording, const char *path);

/* ---- record.c ---- */

/* Open the files and allocate memory, so that failures come before a long run.
 * recording->layout says what pictures show. */
int begin_recording(struct recording *recording, const struct origin *origin);
/* Allocate memory for states that are written beside the steps, before the first record_state.
 * Without memory they are written between the steps, and why_serial says why. */
int begin_snapshots(struct recording *recording, eulercl_solver *solver);
/* Record the present state. Unless `as` contains LAST or AT_ONCE, it may still be written when this
 * returns; the next call, or finish_snapshot, then returns the status. */
int record_state(struct recording *recording, eulercl_solver *solver, int as);
/* Wait for the snapshot that is being written, if there is one. */
int finish_snapshot(struct recording *recording);
/* Call it before the solver is destroyed. */
void end_snapshots(struct recording *recording);
/* Put the files in their places; for a run that stopped early, only the series. */
int end_recording(struct recording *recording, const struct facts *facts, int complete);
void discard_recording(struct recording *recording);

#endif
