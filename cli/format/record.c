/* SPDX-License-Identifier: BSD-2-Clause */
/* record.c - what is recorded of a run: when (--every), what (states, --probe, --monitor), and in
 * which files (--out). */
#include "config.h"

#include "format/record.h"
#include "format/format.h"
#include "format/numbered.h"
#include "format/output.h"
#include "format/state.h"
#include "shared/clock.h"
#include "shared/facts.h"
#include "shared/message.h"
#include "shared/stop.h"

#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A snapshot that is being written. From its start until it is joined, the writer's thread owns
 * this struct and the targets, hash, values and counts of the recording. */
struct snapshot_job {
    pthread_t writer;
    int is_running;         /* it has to be joined */
    int as, is_read;        /* as: the sum of SNAPSHOT, CHECKPOINT, LAST, AT_ONCE */
    eulercl_solver *solver; /* to read from; NULL: the snapshot holds the state */
    eulercl_stats stats;    /* when it was taken, */
    double *atols;          /* with these arrays */
    eulercl_clock clock;
    int status;
};

/* A path of --out, or the checkpoint. */
struct record_target {
    enum target_kind kind;
    const char *path;
    struct output output; /* NUMBERED and REPLACED: of the present state */
    char *name;           /* NUMBERED: of the present snapshot */
};

/* ---- the beginning ---- */

/* The component of a place, whose coordinates are the `rank` numbers from `place` on. */
static int find_component(
    const struct probe_number *place, const eulercl_problem_info *info, int64_t *component) {
    int64_t point = 0;
    for (int axis = info->rank; axis-- > 0;) {
        if (place[axis].number >= info->extents[axis])
            return fail(EULERCL_INVALID,
                "--probe: %" PRId64 " is beyond the points 0 to %" PRId64 " along %c",
                place[axis].number, info->extents[axis] - 1, "xyz"[axis]);
        point = point * info->extents[axis] + place[axis].number;
    }
    *component = point * info->components + place[info->rank - 1].component;
    return place[info->rank - 1].component < info->components
               ? EULERCL_OK
               : fail(EULERCL_INVALID, "--probe: the problem has components 0 to %d per point",
                     info->components - 1);
}

/* "y[7]", or the place and the component behind it: "y[3 4 5:0]". A comma would end a column. */
static void name_probe(char *name, size_t size, const struct probe_number *numbers, size_t count) {
    size_t used = (size_t)snprintf(name, size, "y[%" PRId64, numbers->number);
    for (size_t i = 1; i < count; i++)
        used += (size_t)snprintf(name + used, size - used, " %" PRId64, numbers[i].number);
    if (numbers[count - 1].component >= 0)
        used +=
            (size_t)snprintf(name + used, size - used, ":%" PRId64, numbers[count - 1].component);
    snprintf(name + used, size - used, "]");
}

/* The components that --probe means, and the names of their columns. A number with a component
 * behind it ends a place: as many numbers as the grid has axes. */
static int settle_probes(struct recording *r, const eulercl_problem_info *info) {
    for (size_t i = 0, count; i < r->n_probe_numbers; i += count) {
        const struct probe_number *const numbers = &r->probe_numbers[i];
        int64_t *const component = &r->probes[r->n_probes];
        const size_t rank = (size_t)info->rank, rest = r->n_probe_numbers - i;
        size_t to_colon = 0;
        while (to_colon < rest && numbers[to_colon].component < 0) to_colon++;
        const int is_place = to_colon < rest && to_colon < rank;
        if (is_place && (to_colon + 1 != rank))
            return fail(EULERCL_INVALID,
                "--probe: a place of this problem has %zu coordinates, such as %s:C", rank,
                rank == 1   ? "X"
                : rank == 2 ? "X,Y"
                            : "X,Y,Z");
        if (to_colon < rest && rank == 0)
            return fail(EULERCL_INVALID, "--probe: the problem has no grid, and no places");
        count = is_place ? rank : 1;
        int status = EULERCL_OK;
        if (is_place)
            status = find_component(numbers, info, component);
        else if ((*component = numbers->number) >= info->n)
            status = fail(EULERCL_INVALID,
                "--probe %" PRId64 ": the system has components 0 to %" PRId64, *component,
                info->n - 1);
        if (status) return status;
        name_probe(r->names[r->n_probes++], sizeof r->names[0], numbers, count);
    }
    return EULERCL_OK;
}

/* Make the observations, and count their columns. */
static int make_observations(struct recording *r, const eulercl_problem *problem, size_t *columns) {
    eulercl_error error;
    r->observations = calloc(r->n_observers + 1, sizeof(eulercl_observation *));
    if (r->observations == NULL) return fail(EULERCL_MEMORY, "no memory for the observers");
    for (size_t i = 0; i < r->n_observers; i++) {
        if (eulercl_observation_create(problem, r->observers[i], &r->observations[i], &error))
            return fail(error.code, "--monitor: %s", error.message);
        *columns += eulercl_observation_columns(r->observations[i]);
    }
    return EULERCL_OK;
}

static int check_figures(const struct recording *recording, const eulercl_problem_info *info) {
    for (size_t i = 0; i < recording->n_figures; i++)
        if (recording->figures[i].component >= info->components)
            return fail(EULERCL_INVALID, "--monitor: the problem has components 0 to %d per point",
                info->components - 1);
    return EULERCL_OK;
}

static int check_points(const struct recording *r, const eulercl_problem *problem) {
    eulercl_error error;
    return r->extraction.condition != NULL &&
                   eulercl_check_condition(problem, r->extraction.condition, &error)
               ? fail(error.code, "--extract: %s", error.message)
               : EULERCL_OK;
}

/* columns: at most so many. */
static int allocate(struct recording *r, const eulercl_problem_info *info, size_t columns) {
    r->n_targets = r->n_out + (r->checkpoint != NULL);
    r->targets = calloc(r->n_targets + 1, sizeof *r->targets);
    r->job = calloc(1, sizeof *r->job);
    r->probes = calloc(columns + 1, sizeof *r->probes);
    r->names = calloc(columns + 1, sizeof *r->names);
    r->columns = calloc(columns + 1, sizeof *r->columns);
    r->values = calloc(columns + 1, sizeof *r->values);
    r->chunk = malloc((size_t)(info->n < CHUNK ? info->n : CHUNK) * r->layout.precision);
    if (r->targets == NULL || r->job == NULL || r->probes == NULL || r->names == NULL ||
        r->columns == NULL || r->values == NULL || r->chunk == NULL)
        return fail(EULERCL_MEMORY, "no memory for a part of the state");
    return EULERCL_OK;
}

static void name_figure(char *name, const eulercl_statistic *figure) {
    const char *const quantity = eulercl_quantity_name((size_t)figure->quantity);
    if (figure->component < 0)
        snprintf(name, COLUMN_NAME, "%s", quantity);
    else
        snprintf(name, COLUMN_NAME, "%s:%" PRId64, quantity, figure->component);
}

static int name_columns(struct recording *r) {
    eulercl_error error;
    size_t columns = r->n_probes;
    for (size_t i = 0; i < r->n_figures; i++) name_figure(r->names[columns++], &r->figures[i]);
    for (size_t i = 0; i < r->n_observers; i++)
        for (size_t j = 0; j < eulercl_observation_columns(r->observations[i]); j++)
            if (eulercl_observation_column(
                    r->observations[i], j, r->names[columns++], COLUMN_NAME, &error))
                return fail_library(&error);
    for (size_t i = 0; i < columns; i++) r->columns[i] = r->names[i];
    r->layout.columns = r->columns;
    r->layout.n_columns = columns;
    return EULERCL_OK;
}

/* Does a target show blocks of points? A checkpoint has the state itself. */
static int is_thinned(const struct recording *r, const struct record_target *target) {
    return r->thinned.n > 0 && target->kind != REPLACED;
}

static const struct layout *layout_of(
    const struct recording *r, const struct record_target *target) {
    return is_thinned(r, target) ? &r->thinned.layout : &r->layout;
}

/* Begin one of the files of a target that has many. */
static int begin_one(struct recording *r, struct record_target *target) {
    if (target->kind == REPLACED)
        return begin_checkpoint(&target->output, target->path, &r->layout);
    target->name = numbered_name(target->path, r->snapshots);
    return target->name == NULL
               ? EULERCL_MEMORY
               : begin_output(&target->output, target->name, layout_of(r, target), 0);
}

static int has_many_files(const struct record_target *target) {
    return target->kind == NUMBERED || target->kind == REPLACED;
}

static void end_one(struct record_target *target) {
    discard_output(&target->output);
    free(target->name);
    target->name = NULL;
}

/* Begin the file. For a target of many files, check that the first one can be written. */
static int begin_target(struct recording *r, struct record_target *target) {
    if (!has_many_files(target))
        return begin_output(
            &target->output, target->path, layout_of(r, target), target->kind == SERIES);
    const int status = begin_one(r, target);
    end_one(target);
    return status;
}

int begin_recording(struct recording *r, const struct origin *origin) {
    r->layout.info = origin->info;
    r->layout.precision = origin->options->precision;
    r->layout.origin = origin;
    r->layout.has_errors = origin->options->rtol > 0;
    r->layout.has_parts = r->asks_for_parts && process_count() > 1;
    size_t columns = r->n_probe_numbers + r->n_figures;
    int status = make_observations(r, origin->problem, &columns);
    if (!status) status = allocate(r, origin->info, columns);
    if (!status && r->layout.component >= origin->info->components)
        status = fail(EULERCL_INVALID, "--component: the problem has components 0 to %d per point",
            origin->info->components - 1);
    if (!status) status = settle_probes(r, origin->info);
    if (!status && r->layout.view != VIEW_DEFAULT && !is_box(origin->info))
        status = fail(EULERCL_INVALID,
            "--view is for grids of three axes; pictures of %s have one view", origin->info->name);
    if (!status) status = check_figures(r, origin->info);
    if (!status) status = check_points(r, origin->problem);
    if (!status) status = name_columns(r);
    if (!status && r->thinned.n > 0) status = begin_thinned(&r->thinned, &r->layout);
    if (status) return status;
    for (size_t i = 0; i < r->n_targets && !status; i++) {
        struct record_target *const target = &r->targets[i];
        target->path = i < r->n_out ? r->out[i] : r->checkpoint;
        target->kind = i < r->n_out ? kind_of(r, target->path) : REPLACED;
        status = begin_target(r, target);
    }
    return status;
}

/* ---- a snapshot ---- */

static int read_values(struct recording *r, eulercl_solver *solver) {
    eulercl_error error;
    for (size_t i = 0; i < r->n_probes; i++) {
        float single;
        double value;
        if (eulercl_get_components(solver, r->probes[i], 1,
                r->layout.precision == EULERCL_DOUBLE ? (void *)&value : (void *)&single, &error))
            return fail_library(&error);
        r->values[i] = r->layout.precision == EULERCL_DOUBLE ? value : (double)single;
    }
    double *values = r->values + r->n_probes;
    if (eulercl_monitor(solver, r->figures, r->n_figures, values, &error))
        return fail_library(&error);
    values += r->n_figures;
    for (size_t i = 0; i < r->n_observers; i++) {
        if (eulercl_observe(solver, r->observations[i], values, &error))
            return fail_library(&error);
        values += eulercl_observation_columns(r->observations[i]);
    }
    return EULERCL_OK;
}

/* Does the target take a state that is recorded so? */
static int takes(const struct record_target *target, int as) {
    return as & (target->kind == FINAL ? LAST : target->kind == REPLACED ? CHECKPOINT : SNAPSHOT);
}

/* Add rows to the files that are in parts, or to the others. */
static int add_to(struct recording *r, int in_parts, int64_t first, int64_t count, const void *y) {
    int status = EULERCL_OK;
    for (size_t i = 0; i < r->n_targets && !status; i++) {
        struct output *const output = &r->targets[i].output;
        if (takes(&r->targets[i], r->job->as) && output->format->add != NULL &&
            !is_thinned(r, &r->targets[i]) && is_in_parts(output) == in_parts)
            status = output->format->add(output, first, count, y);
    }
    return status;
}

static int add_blocks(struct recording *r) {
    int status = EULERCL_OK;
    for (size_t i = 0; i < r->n_targets && !status; i++)
        if (takes(&r->targets[i], r->job->as) && is_thinned(r, &r->targets[i]) &&
            r->targets[i].output.format->add != NULL)
            status = add_thinned(&r->thinned, &r->targets[i].output);
    return status;
}

/* Where other processes read together with this one, it reads on after a failure. */
static int hand_out(int64_t first, int64_t count, const void *y, void *user) {
    struct recording *const r = user;
    if (!r->failed) r->failed = add_to(r, 0, first, count, y);
    r->state_bytes += count * (int64_t)r->layout.precision;
    r->subnormals += count_subnormals(r->layout.precision, y, count);
    return r->layout.has_parts ? EULERCL_OK : r->failed;
}

static int hand_out_own(int64_t first, int64_t count, const void *y, void *user) {
    struct recording *const r = user;
    r->subnormals += count_subnormals(r->layout.precision, y, count);
    return add_to(r, 1, first, count, y);
}

/* With parts all processes get the same status. */
static int agree(const struct recording *r, int status) {
    return r->layout.has_parts ? agree_on(status) : status;
}

/* Are there files that one process writes for all? */
static int has_whole_files(const struct recording *r, int as) {
    int has = 0;
    for (size_t i = 0; i < r->n_targets; i++)
        has |= takes(&r->targets[i], as) && !is_in_parts(&r->targets[i].output) &&
               find_format(r->targets[i].path)->add != NULL;
    return has;
}

/* Each process writes its part, and the hash is found in the parts in turn, unless all processes
 * need the whole state anyway. */
static int read_parts(struct recording *r, eulercl_solver *solver) {
    const struct division *const division = &r->layout.division;
    int status = agree(r, stream_own(solver, division, r->chunk, hand_out_own, r));
    if (status) return status;
    if (has_whole_files(r, r->job->as)) {
        r->subnormals = 0;
        status = stream_state(
            solver, r->layout.info->n, r->layout.precision, r->chunk, hand_out, r, r->hash);
        return agree(r, status ? status : r->failed);
    }
    r->state_bytes += r->layout.info->n * (int64_t)r->layout.precision;
    return agree(
        r, hash_parts(solver, division, r->layout.precision, r->chunk, r->hash, &r->subnormals));
}

static int begin_and_divide(struct recording *r, struct record_target *target) {
    int status = begin_one(r, target);
    if (!is_in_parts(&target->output)) return status;
    status = agree(r, status);
    return !status ? divide_output(&target->output) : status;
}

static int begin_states(struct recording *r) {
    int status = EULERCL_OK;
    for (size_t i = 0; i < r->n_targets && !status; i++) {
        struct record_target *const target = &r->targets[i];
        if (!takes(target, r->job->as)) continue;
        if (has_many_files(target)) status = begin_and_divide(r, target);
        if (!status && target->output.format->begin_state != NULL)
            status = target->output.format->begin_state(&target->output);
    }
    return status;
}

static int end_states(struct recording *r) {
    const int is_first = r->job->stats.steps == 0;
    struct moment moment = {.step = r->job->stats.steps,
        .t = r->job->stats.t,
        .h = is_first ? (double)NAN : r->job->stats.h_last,
        .error = is_first ? (double)NAN : r->job->stats.error_estimate,
        .clock = r->job->clock,
        .values = r->values};
    int status = EULERCL_OK;
    for (size_t i = 0; i < r->n_targets && !status; i++) {
        struct output *const output = &r->targets[i].output;
        if (!takes(&r->targets[i], r->job->as)) continue;
        moment.hash = is_thinned(r, &r->targets[i]) ? r->thinned.hash : r->hash;
        if (output->format->end_state != NULL) status = output->format->end_state(output, &moment);
        output->states += !status;
    }
    return status;
}

/* Commit the files that hold only this state. */
static int commit_states(struct recording *r) {
    struct facts facts;
    const struct ending ending = {.hash = r->hash,
        .subnormals = r->job->is_read ? &r->subnormals : NULL,
        .snapshots = r->snapshots + ((r->job->as & SNAPSHOT) != 0)};
    int status =
        collect_facts_of(r->layout.origin, &r->job->stats, &r->job->clock, &ending, &facts);
    for (size_t i = 0; i < r->n_targets && !status; i++) {
        struct record_target *const target = &r->targets[i];
        if (!has_many_files(target) || !takes(target, r->job->as)) continue;
        status = commit_output(&target->output, &facts);
        end_one(target);
    }
    free_facts(&facts);
    return status;
}

/* Runs between two steps, or on the writer's thread beside them; job->solver is NULL there. */
static int write_state(struct recording *r) {
    const struct snapshot_job *const job = r->job;
    const double start = wall_clock();
    int status = agree(r, begin_states(r));
    if (!status) status = add_blocks(r);
    r->hash[0] = '\0';
    r->subnormals = 0;
    if (!status && job->is_read)
        status = r->layout.has_parts ? read_parts(r, job->solver)
                 : job->solver == NULL
                     ? stream_snapshot(r->snapshot, r->layout.precision, hand_out, r, r->hash)
                     : stream_state(job->solver, r->layout.info->n, r->layout.precision, r->chunk,
                           hand_out, r, r->hash);
    if (!status) status = agree(r, end_states(r));
    if (!status) status = agree(r, commit_states(r));
    r->write_seconds += wall_clock() - start;
    if (status) return status;
    r->snapshots += (job->as & SNAPSHOT) != 0;
    r->checkpoints += (job->as & CHECKPOINT) != 0;
    if (r->verbose && (job->as & CHECKPOINT))
        say("checkpoint at step %" PRId64 ", t = %.9g", job->stats.steps, job->stats.t);
    if (r->verbose && (job->as & SNAPSHOT))
        say("snapshot %" PRId64 " at step %" PRId64 ", t = %.9g", r->snapshots - 1,
            job->stats.steps, job->stats.t);
    return status;
}

static void *run_writer(void *user) {
    struct recording *const r = user;
    r->job->status = write_state(r);
    if (r->job->status) ask_to_stop();
    return NULL;
}

/* Returns 1 if it runs. Signals are left to the thread that computes. */
static int start_writer(struct recording *r) {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    r->job->is_running = pthread_create(&r->job->writer, NULL, run_writer, r) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return r->job->is_running;
}

int finish_snapshot(struct recording *r) {
    if (r->job == NULL || !r->job->is_running) return EULERCL_OK;
    pthread_join(r->job->writer, NULL);
    r->job->is_running = 0;
    return r->job->status;
}

/* Is a state that is recorded so read? The report has the hash of the last one. */
static int reads_states(const struct recording *r, int as) {
    int reads = as & LAST;
    for (size_t i = 0; i < r->n_targets; i++)
        reads |= takes(&r->targets[i], as) && !is_thinned(r, &r->targets[i]) &&
                 (r->targets[i].kind == REPLACED || find_format(r->targets[i].path)->add != NULL);
    return reads;
}

/* A list with a number in its name belongs to a snapshot. */
static int extract_points(struct recording *r, eulercl_solver *solver, int as) {
    const struct extraction *const e = &r->extraction;
    return e->condition != NULL && as & (is_numbered(e->path) ? SNAPSHOT : LAST)
               ? write_extraction(e, r->layout.info, solver, r->snapshots)
               : EULERCL_OK;
}

int record_state(struct recording *r, eulercl_solver *solver, int as) {
    const double start = wall_clock();
    eulercl_error error;
    int status = finish_snapshot(r);
    if (!status && (as & (SNAPSHOT | LAST))) status = read_values(r, solver);
    if (!status && (as & (SNAPSHOT | LAST)) && r->thinned.n > 0)
        status = take_thinned(&r->thinned, solver);
    if (!status) status = extract_points(r, solver, as);
    if (status) return status;
    const int is_read = reads_states(r, as), aside = is_read && r->snapshot != NULL;
    free(r->job->atols);
    *r->job = (struct snapshot_job){.as = as,
        .is_read = is_read,
        .solver = aside ? NULL : solver,
        .stats.struct_size = sizeof r->job->stats,
        .clock.struct_size = sizeof r->job->clock};
    eulercl_get_stats(solver, &r->job->stats, NULL);
    if ((status = keep_stats(&r->job->stats, &r->job->atols))) return status;
    eulercl_get_clock(solver, &r->job->clock, NULL);
    if (aside && eulercl_snapshot_take(r->snapshot, &error)) return fail_library(&error);
    r->is_aside |= aside;
    if (!aside || (as & (LAST | AT_ONCE)) || !start_writer(r)) status = write_state(r);
    r->wait_seconds += wall_clock() - start;
    return status;
}

/* Find which rows of the state each process has. */
static int find_division(struct recording *r, const eulercl_solver *solver) {
    struct division *const division = &r->layout.division;
    eulercl_error error;
    int64_t own[2] = {0, 0}, end = 0;
    int is_cut = 1;
    division->rank = process_rank();
    division->ranks = process_count();
    division->firsts = calloc((size_t)division->ranks + 1, sizeof *division->firsts);
    const int status = agree_on(
        division->firsts == NULL ? fail(EULERCL_MEMORY, "no memory for a list of processes")
        : eulercl_solver_window(solver, &own[0], &own[1], &error) ? fail_library(&error)
                                                                  : EULERCL_OK);
    for (int i = 0; i < division->ranks && !status; i++) {
        int64_t theirs[2] = {own[0], own[1]};
        broadcast_from(i, theirs, sizeof theirs);
        is_cut &= theirs[0] == end;
        end += theirs[1];
        division->firsts[i + 1] = end;
    }
    return !status && !(is_cut && end == r->layout.info->n)
               ? fail(EULERCL_INTERNAL, "the parts of the processes are not in their order")
               : status;
}

/* The first parts of files, before a long run. */
static int divide_targets(struct recording *r) {
    int status = EULERCL_OK;
    for (size_t i = 0; i < r->n_targets && !status; i++) {
        struct record_target *const target = &r->targets[i];
        if (!has_many_files(target))
            status = divide_output(&target->output);
        else {
            status = begin_and_divide(r, target);
            end_one(target);
        }
    }
    return agree(r, status);
}

int begin_snapshots(struct recording *r, eulercl_solver *solver) {
    eulercl_error error;
    if (r->layout.has_parts) {
        const int status = find_division(r, solver);
        return !status ? divide_targets(r) : status;
    }
    if (!(has_snapshots(r) && reads_states(r, SNAPSHOT)) && r->checkpoint == NULL)
        return EULERCL_OK;
    if (eulercl_snapshot_create(solver, &r->snapshot, &error) == EULERCL_OK) return EULERCL_OK;
    if (error.code != EULERCL_MEMORY && error.code != EULERCL_UNSUPPORTED)
        return fail_library(&error);
    snprintf(r->why_serial, sizeof r->why_serial, "%s", error.message);
    return EULERCL_OK;
}

void end_snapshots(struct recording *r) {
    eulercl_snapshot_destroy(r->snapshot);
    r->snapshot = NULL;
}

/* ---- the end ---- */

int end_recording(struct recording *r, const struct facts *facts, int complete) {
    int status = EULERCL_OK;
    for (size_t i = 0; i < r->n_targets && !status; i++) {
        struct record_target *const target = &r->targets[i];
        if (has_many_files(target) || target->output.states == 0 ||
            !(complete || target->kind == SERIES))
            continue;
        status = commit_output(&target->output, facts);
        if (!status && r->verbose) say("%s is complete", target->output.file.path);
    }
    return agree(r, status);
}

void discard_recording(struct recording *r) {
    for (size_t i = 0; i < r->n_targets && r->targets != NULL; i++) {
        discard_output(&r->targets[i].output);
        free(r->targets[i].name);
    }
    free(r->targets);
    if (r->job != NULL) free(r->job->atols);
    free(r->job);
    free(r->names);
    free(r->columns);
    free(r->values);
    free(r->chunk);
    free(r->probe_numbers);
    free(r->probes);
    free(r->figures);
    for (size_t i = 0; i < r->n_observers; i++) {
        if (r->observations != NULL) eulercl_observation_destroy(r->observations[i]);
        free(r->observers[i]);
    }
    free(r->observations);
    free(r->observers);
    free_thinned(&r->thinned);
    free(r->out);
    free(r->layout.division.firsts);
}
