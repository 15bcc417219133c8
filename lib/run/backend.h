/* SPDX-License-Identifier: BSD-2-Clause */
/* backend.h - the small vtable behind every backend. A backend only moves and launches: checks of
   options, the life of a run and the statistics of transfers are solver.c's. */
#ifndef EULERCL_BACKEND_H
#define EULERCL_BACKEND_H
#include "../method/method.h"
#include "../plan/tuning.h"
#include <string.h>
#include <sys/types.h>

/* Rows of a window that its neighbours need first. The last step computes them before the others,
 * if the backend can do that. */
struct early {
    int64_t begin, end; /* the window's own rows */
    int64_t rows;       /* how many each neighbour needs; 0: none */
    int is_done; /* `step` sets it: it has returned before the other rows were computed. Until
                    the next step only `fetch` and `put` may be called. */
};

/* What the steps that follow are asked to do beside their batch. */
struct orders {
    struct batch ahead; /* that will follow the present one if its errors are as expected: a
                           backend may launch it before they are known; no steps: none */
    struct early early; /* rows that are wanted before the others */
};

/* What is told of a run: by its backend, and by those who predict it or make copies of its state.
 */
struct report {
    /* When it is created: */
    char device[256], device_id[32];
    uint64_t device_bytes, threads, steps_per_launch;
    int64_t visit_steps; /* fewer steps in a batch take as long as these or longer; 0: a batch may
                            have any number */
    double memory_bytes; /* of the machine or the device: what device_bytes are a part of */
    double predicted_seconds; /* of a step; 0: not predicted */
    double build_seconds;
    char note[200]; /* what the user should know of the configuration; "" */
    /* After steps: */
    uint64_t launches;
    double device_seconds;
    int32_t worst_error; /* of the steps of the last batch: the greatest ratio (ODE_RATIO_), if the
                            method estimates errors */
};

/* What cores reach while all of them compute, as parts of what the table of machine/ says. */
struct core_rates {
    int64_t cores;  /* that the process may use; 0: nothing is known, and all parts are 1 */
    double compute; /* operations on what is in the first cache, */
    double cache;   /* or on what fills the second one; */
    double memory;  /* what all cores together read and write there */
};

struct run {
    struct system system;
    eulercl_options asked;   /* checked */
    eulercl_options options; /* with the tuning parameters that the planner has chosen, too */
    size_t variant;          /* index into the backend's variants */
    pid_t process;           /* the only one that can use the run; 0: its children can, too */
    struct orders orders;    /* of the caller of its steps */
    struct core_rates rates; /* for predictions */
    struct report report;
    void *impl; /* the backend's own */
};

/* A configuration proposed to the planner: run->options with the tuning parameters filled in that
   decide how the system is run. Their strings are the library's own or the user's. */
struct proposal {
    eulercl_options options; /* the planner sets the backend; the variant is the proposer's */
    int64_t steps;           /* between two visits to memory; 0: one, or not known */
    /* As predicted: of a step; of all that comes before the first one, and of all programs of the
     * run; and the part of that which compilers take, unless their results are cached. */
    double step_seconds, build_seconds, compile_seconds;
    int programs; /* that are compiled */
};

/* Memory of the host that a device reaches without a copy in between. */
struct pinned {
    void *memory, *handle;
};

struct reduction;  /* reduce.h */
struct state_part; /* system.h */

/* ---- the vtable: a few functions, and parts, each of which a backend has as a whole or not at
 * all. Backends of an engine share most of them. ---- */

/* The state that `create` has made. */
struct state_table {
    int (*write)(
        struct run *run, int64_t first, int64_t count, const void *y, eulercl_error *error);
    int (*read)(struct run *run, int64_t first, int64_t count, void *y, eulercl_error *error);
    int (*find_nonfinite)(
        struct run *run, int64_t *component, eulercl_error *error); /* the first one; -1: none */
    int (*reduce)(struct run *run, const struct reduction *reduction, double *numbers,
        eulercl_error *error); /* the numbers of every part; UNSUPPORTED: the host shall do it */
    /* run->system has other coefficients in the same memory; NULL: nothing else has a copy */
    int (*change_coefficients)(struct run *run, eulercl_error *error);
};

struct step_table {
    /* returns when the steps are done; *seconds: wall time from the first enqueue to the finish */
    int (*step)(struct run *run, const struct batch *batch, double *seconds, eulercl_error *error);
    /* Go on with the method and the code that are now run->system's; the state remains. On failure,
     * nothing has changed. */
    int (*change_method)(struct run *run, eulercl_error *error);
};

/* A round of steps that is rejected, without a copy of the state. */
struct round_table {
    /* Whether the state before a batch outlives it, so that undo, called after it, returns to that
     * state. */
    int (*outlives)(const struct run *run, const struct batch *batch);
    void (*undo)(struct run *run);
};

/* A copy of the state: behind snapshot.c, where one thread reads it while another one uses the run,
 * and behind replay.c, where it is put back. */
struct copy_table {
    int (*create)(struct run *run, int is_read, void **copy,
        eulercl_error *error); /* is_read: part will be called; on failure nothing is left */
    int (*take)(struct run *run, void *copy,
        eulercl_error *error); /* of the state as it is; returns when it is made */
    int (*restore)(struct run *run, void *copy, eulercl_error *error); /* make the copy the state */
    /* Where `count` reals from `first` on stand until the next call: from 0 on, one part of
     * SNAPSHOT_PART after the other. Touches nothing but the copy. */
    int (*part)(void *copy, int64_t first, int64_t count, const void **y, eulercl_error *error);
    void (*destroy)(void *copy);
};
enum { SNAPSHOT_PART = 1 << 20 }; /* reals */
/* snapshot.c: eulercl_snapshot_create, for state.c. */
int ecl_snapshot_make(struct run *run, const struct copy_table *table, eulercl_snapshot **snapshot,
    eulercl_error *error);

/* A run on a window through which a state streams (windows/stream.h). */
struct slot_table {
    /* run->system is a window that has been moved (ecl_system_move_window), or of which other rows
     * are kept. If it fails, nothing else may be called but destroy. */
    int (*move)(struct run *run, eulercl_error *error);
    /* Move components first .. first + count - 1 of a copy that is read from memory of the host, or
     * to it. Any thread may call them while another one uses the run. */
    int (*fill)(void *copy, int64_t first, int64_t count, const void *y, eulercl_error *error);
    int (*fetch)(void *copy, int64_t first, int64_t count, void *y, eulercl_error *error);
    /* The copy becomes the state; the state becomes the copy. What the other one is then is not
     * defined, so that a device may swap both. */
    int (*enter)(struct run *run, void *copy, eulercl_error *error);
    int (*leave)(struct run *run, void *copy, eulercl_error *error);
};

/* A device with memory of its own. */
struct memory_table {
    int (*gather)(struct run *run, const struct state_part *parts, int64_t count,
        eulercl_error *error); /* is faster than one read after the other */
    int (*borrow)(struct run *run, void **cl_mem_state, eulercl_error *error);
    /* Memory that read fills, and from which other runs write, at the speed of the device's link:
     * pinned->memory, whole pages, or new one if that is NULL. unpin frees what was new. */
    int (*pin)(struct run *run, uint64_t bytes, struct pinned *pinned, eulercl_error *error);
    void (*unpin)(struct run *run, struct pinned *pinned);
};

/* After a step that has made rows early: read some of them; and write others, beside the window's
 * own. `put` does not wait: y must stay as it is until the next step has returned, which sees what
 * is written. Without this part no rows are early. */
struct early_table {
    int (*fetch)(struct run *run, int64_t first, int64_t count, void *y, eulercl_error *error);
    int (*put)(struct run *run, int64_t first, int64_t count, const void *y, eulercl_error *error);
};

/* A system that several processes may share. */
struct process_table {
    /* The components that this process computes. */
    void (*own)(const struct run *run, int64_t *begin, int64_t *end);
    /* Read some of them, without the other processes. */
    int (*read_own)(struct run *run, int64_t first, int64_t count, void *y, eulercl_error *error);
    /* *any becomes 1 in all processes if it is 1 in one of them. */
    int (*agree)(struct run *run, int *any, eulercl_error *error);
};

struct backend {
    int (*create)(
        struct run *run, eulercl_error *error); /* the state is zero; on failure nothing is left */
    void (*destroy)(struct run *run);
    /* Up to `most` (at least 1) ways to run run->system under run->options, the best first, without
       touching the device (NULL for a CPU backend); -> how many. What the user gave stands;
       the variant in run->options is unset or one of the backend's. 0: none can work. NULL: the
       planner never takes this backend. */
    int (*propose)(const struct run *run, const eulercl_device_info *device,
        struct proposal *proposals, int most);
    int (*source)(const struct run *run, char **source, eulercl_error *error); /* of a run that was
                    not created: without a device. NULL: it compiles none */
    /* List what only this backend knows about the run, by the functions below. NULL: nothing. */
    void (*facts)(const struct run *run, eulercl_stats *stats);
    /* Every backend that can run has these, */
    const struct state_table *state;
    const struct step_table *steps;
    const struct copy_table *copies;
    /* and some have these, or else NULL: */
    const struct round_table *rounds;
    const struct slot_table *slot;
    const struct memory_table *memory;
    const struct early_table *early;
    const struct process_table *processes;
};

/* What executes the schedules of its backends. */
struct engine {
    const char *name; /* of all its backends together, in plans and in wisdom; no backend has it */
    const char *only_device; /* the name of its device in options; NULL: it may have several */
    int64_t chunk;           /* components of the initial state that are written at once */
    int has_own_memory;      /* which may be too small for a state that fits the host's, and which a
                                link connects with that */
    int compiles;      /* create compiles a program, so it is not called for its error alone */
    int survives_fork; /* a child of the process that made a run can use the run, too */
    /* The device that its backends take under these options, without making anything on it.
       gpus_only: a GPU or none. *chosen_by_user: a name, the environment or a queue says which.
       Errors: NO_DEVICE, INVALID (the caller's queue). */
    int (*find_device)(const eulercl_options *options, int gpus_only, eulercl_device_info *device,
        int *chosen_by_user, eulercl_error *error);
    /* What the device can do at most; the options are checked. */
    int (*measure_ceilings)(
        const eulercl_options *options, eulercl_ceilings *ceilings, eulercl_error *error);
    /* What its cores reach; NULL: it has none. */
    int (*measure_rates)(struct core_rates *rates, eulercl_error *error);
};
extern const struct engine ecl_engine_cpu, ecl_engine_opencl;

#define BACKEND(NAME, TABLE, ENGINE, DOC, ...) extern const struct backend TABLE;
#include "../plan/backends.def"
#undef BACKEND

/* backends.c: all of them. */
extern const struct backend_entry {
    const char *name, *doc;
    const struct backend *table;
    const struct engine *engine;
    const char *const *variants; /* the default first, NULL at the end */
} ecl_backends[];
extern const size_t ecl_backend_count;
int ecl_find_backend(const char *name, size_t *backend, eulercl_error *error);
int ecl_find_variant(size_t backend, const char *name, size_t *variant,
    eulercl_error *error); /* NULL: the default */
/* Whether the backend that the options name has those tuning parameters of the set that they set.
 * Errors: INVALID. */
int ecl_check_parameters(const eulercl_options *options, uint32_t set, eulercl_error *error);
/* Both for a run: the backend with this name, and run->variant from its options. */
int ecl_find_configuration(
    struct run *run, const char *name, size_t *backend, eulercl_error *error);

/* ---- backend.c: what backends, schedules and engines call ---- */

/* Add a fact to the list of stats. The strings are literals, or the library's own. */
void ecl_add_count(eulercl_stats *stats, const char *name, const char *unit, uint64_t number);
void ecl_add_total(eulercl_stats *stats, const char *name, const char *unit, uint64_t number);
void ecl_add_text(eulercl_stats *stats, const char *name, const char *text);

/* Errors: NO_DEVICE (the run is one of OpenCL, and another process made it). */
int ecl_check_process(const struct run *run, eulercl_error *error);

/* The components that this process computes: all of them, unless several share the system. */
void ecl_own_components(
    const struct run *run, const struct backend *table, int64_t *begin, int64_t *end);

/* The predicted seconds of so many steps with the build, because few steps are not worth a long
 * compilation; of one step alone if expected_steps is 0. */
double ecl_proposal_cost(const struct proposal *proposal, int64_t expected_steps);
/* Set what comes before the steps of a proposal on a device whose program takes so long to compile.
 * is_for_stages: it has a fixed number of stages, which may change in a run to a tolerance; else a
 * program serves all numbers that a method has. */
void ecl_proposal_compile(
    struct proposal *proposal, const struct run *run, double compile_seconds, int is_for_stages);
/* Its programs were compiled before. */
void ecl_proposal_load(struct proposal *proposal);
/* Put one more into a list of at most `most` that has the cheapest first; -> how many there are
 * now. */
int ecl_insert_proposal(struct proposal *proposals, int count, int most,
    const struct proposal *proposal, int64_t expected_steps);
/* The same by the seconds of a step: for the vtable's propose. */
int ecl_propose(struct proposal *proposals, int count, int most, const struct proposal *proposal);

static inline int ecl_is_automatic(const eulercl_options *options) {
    return !options->backend || !strcmp(options->backend, "auto");
}
/* The name that the user gave to the device, in the options or else in the environment; NULL:
 * none. */
const char *ecl_wanted_device(const eulercl_options *options);
/* Whether the CPU may stand in for an OpenCL device that is not found: not for a device with a
 * name, unless that is "cpu". */
int ecl_cpu_will_do(const eulercl_options *options);

#endif
