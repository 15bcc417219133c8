/* SPDX-License-Identifier: BSD-2-Clause */
/* solve_report.c - the report of eulercl solve. */
#include "config.h"

#include "command/solve.h"
#include "lib/text.h"
#include "format/input.h"
#include "format/past.h"
#include "format/record.h"
#include "shared/facts.h"
#include "shared/json.h"
#include "shared/message.h"
#include "shared/number.h"
#include "shared/options.h"
#include "shared/problem.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static json_t *json_snapshots(const struct recording *recording) {
    if (!has_snapshots(recording)) return json_null();
    return json_pack("{s:I, s:I, s:f, s:f, s:b, s:s?}", "count", (json_int_t)recording->snapshots,
        "bytes", (json_int_t)recording->state_bytes, "write", recording->write_seconds, "wait",
        recording->wait_seconds, "beside_steps", recording->is_aside, "note",
        *recording->why_serial == '\0' ? NULL : recording->why_serial);
}

static json_t *json_checkpoint(const struct recording *recording) {
    return recording->checkpoint == NULL
               ? json_null()
               : json_pack("{s:o?, s:I}", "file", json_string(recording->checkpoint), "count",
                     (json_int_t)recording->checkpoints);
}

static const char *code_of(const eulercl_stats *stats) {
    return *stats->code == '\0' ? "fast" : stats->code;
}

/* A move from baseline code to fast code. */
static json_t *json_move(const eulercl_stats *stats) {
    return stats->moved_steps == 0
               ? json_null()
               : json_pack("{s:s, s:I, s:f}", "from", "baseline code", "steps",
                     (json_int_t)stats->moved_steps, "kernel_seconds", stats->moved_kernel_seconds);
}

static int print_json(const struct solve_report *report) {
    const eulercl_stats *const stats = &report->facts.stats;
    const struct recording *const recording = &report->run->recording;
    json_t *const object = json_facts(&report->facts), *const values = json_object();
    int failed = object == NULL || values == NULL;
    for (size_t i = 0; i < recording->layout.n_columns && !failed; i++)
        failed = json_object_set_new(
                     values, recording->columns[i], json_number(recording->values[i], 0)) != 0;
    if (!failed)
        failed =
            json_object_set(object, "values", values) != 0 ||
            json_object_set_new(object, "snapshots", json_snapshots(recording)) != 0 ||
            json_object_set_new(object, "checkpoint", json_checkpoint(recording)) != 0 ||
            json_object_set_new(object, "code", json_string(code_of(stats))) != 0 ||
            json_object_set_new(object, "moved", json_move(stats)) != 0 ||
            json_object_set_new(object, "compile_cached",
                report->run->choice.compile_seconds > 0
                    ? json_boolean(report->run->choice.compilation.is_cached)
                    : json_null()) != 0 ||
            json_object_set_new(object, "seconds",
                json_pack("{s:f, s:f, s:f, s:f, s:f, s:f, s:f}", "total", report->seconds,
                    "compile", report->run->choice.compile_seconds, "setup", stats->setup_seconds,
                    "build", stats->build_seconds, "upload", stats->upload_seconds, "kernel",
                    stats->kernel_seconds, "download", stats->download_seconds)) != 0;
    json_decref(values);
    if (!failed) return json_print(object);
    json_decref(object);
    return json_print(NULL);
}

/* Print a line with a file's name, whose control characters are shown. */
static void __attribute__((format(printf, 3, 4)))
print_named(const char *before, const char *name, const char *after, ...) {
    char shown[PATH_MAX];
    va_list arguments;
    text_escape(name, "", shown, sizeof shown);
    printf("%s%s", before, shown);
    va_start(arguments, after);
    vprintf(after, arguments);
    va_end(arguments);
}

static void print_method(const struct solve_run *run, const eulercl_stats *stats) {
    eulercl_method_info method;
    const int is_chosen = run->options.stages == 0 && !run->time.auto_stages &&
                          find_method(stats->method, 0, &method) == EULERCL_OK &&
                          has_choice(&method);
    printf("method   %s, order %d, %d stage%s%s\n", stats->method, stats->order, stats->stages,
        stats->stages == 1 ? "" : "s",
        !is_chosen              ? ""
        : run->options.rtol > 0 ? " at the end"
                                : ", chosen for h");
    if (*stats->method_reason != '\0') printf("         chosen: %s\n", stats->method_reason);
    if (stats->method_changes > 0)
        printf("         after %" PRId64 " change%s of the method\n", stats->method_changes,
            stats->method_changes == 1 ? "" : "s");
}

static void print_flush(const eulercl_stats *stats) {
    char buffer[32];
    if (stats->flush_steps == 0) return;
    printf("flush    components below %s become 0, after every %" PRId64 " step%s\n",
        isnan(stats->flush_below) ? "the problem's thresholds"
                                  : real_text(stats->flush_below, buffer),
        stats->flush_steps, stats->flush_steps == 1 ? "" : "s");
}

/* Only processors are slow with subnormal numbers. */
static void print_subnormals(const struct solve_report *report) {
    const eulercl_stats *const stats = &report->facts.stats;
    const int64_t count = report->run->recording.subnormals;
    if (count == 0 || stats->threads == 0) return;
    printf("note: %" PRId64
           " components of the state are subnormal numbers, with which a processor "
           "computes slowly; %s\n",
        count,
        stats->flush_steps == 0
            ? stats->precision == EULERCL_FLOAT
                  ? "--flush-below 1e-12 sets components that are smaller than that to zero"
                  : "--flush-below 1e-100 sets components that are smaller than that to zero"
            : "a greater --flush-below sets more components to zero");
}

/* What each part of a run made that began with baseline code. */
static void print_move(const eulercl_stats *stats) {
    const double before = stats->moved_kernel_seconds, after = stats->kernel_seconds - before;
    const int64_t first = stats->moved_steps,
                  later = stats->steps - stats->resumed_steps - stats->moved_steps;
    if (*stats->code != '\0')
        puts("code     baseline, for the fast code was not compiled before the run ended");
    if (first == 0) return;
    printf("moved    from baseline code to fast code: %" PRId64 " steps in %.3g s before, %" PRId64
           " in %.3g s after\n",
        first, before, later, after);
}

static void print_rates(const eulercl_stats *stats) {
    if (!isfinite(steps_rate(stats))) return;
    printf("rate     %.4g Gcs/s (1e9 component-steps per second)", 1e-9 * steps_rate(stats));
    if (stages_rate(stats) > steps_rate(stats))
        printf(", %.4g Gstages/s (1e9 component-stages per second)", 1e-9 * stages_rate(stats));
    putchar('\n');
}

static void print_steps(const struct solve_run *run, const eulercl_stats *stats) {
    printf("steps    %" PRId64 " of h = %.9g", stats->steps, run->options.h);
    if (run->time.auto_stages > 0)
        printf(" (auto, for %d stages)", run->time.auto_stages);
    else if (run->time.is_auto)
        printf(" (auto)");
    printf(", from t = %.9g to %.9g\n", run->options.t0, stats->t);
}

enum { SHOWN_UNKNOWNS = 8 };

/* If unknowns have atols of their own. */
static void print_atols(const eulercl_stats *stats) {
    int64_t c = 1;
    while (c < stats->unknowns && stats->atols[c] == stats->atols[0]) c++;
    if (c >= stats->unknowns) return;
    printf("         atol");
    for (c = 0; c < stats->unknowns && c < SHOWN_UNKNOWNS; c++)
        printf("%s %.3g of unknown %" PRId64, c > 0 ? "," : "", stats->atols[c], c);
    puts(c < stats->unknowns ? ", ..." : "");
}

/* Errors of an unknown may be as large as it is. */
static void note_small_unknowns(const eulercl_stats *stats) {
    int64_t shown = 0;
    for (int64_t c = 0; c < stats->unknowns && shown < SHOWN_UNKNOWNS; c++) {
        if (!is_below_atol(stats, c)) continue;
        printf("note: unknown %" PRId64 " stayed below its ATOL, %.3g, as far as was looked (its "
               "greatest magnitude was %.3g), so its errors are not controlled; --tol "
               "RTOL,ATOL0,ATOL1,... or ODE_ATOL can give it a smaller one\n",
            c, stats->atols[c], stats->greatest[c]);
        shown++;
    }
}

/* Steps whose sizes followed from their errors. */
static void print_tolerance(const struct solve_run *run, const eulercl_stats *stats) {
    printf("tol      rtol = %.3g, atol = %.3g\n", run->options.rtol, stats->atol);
    print_atols(stats);
    printf("steps    %" PRId64 ", and %" PRId64
           " rejected, of h = %.4g to %.4g, from t = %.9g to %.9g\n",
        stats->steps, stats->rejected, stats->h_least, stats->h_greatest, run->options.t0,
        stats->t);
    printf("         %" PRIu64 " evaluations; h = %.4g at first, %.4g at last, with an error of "
           "%.2g tolerances\n",
        stats->rhs_evaluations, stats->h_first, stats->h_last, stats->error_estimate);
    if (stats->is_steady)
        printf("         steady: dy/dt is at most %.3g\n", stats->derivative);
    else if (run->options.steady > 0)
        printf("         not steady: dy/dt is still greater than %.3g\n", run->options.steady);
    if (stats->spectral_radius > 0)
        printf("         spectral radius at most %.4g, estimated %" PRId64 " time%s\n",
            stats->spectral_radius, stats->spectral_estimates,
            stats->spectral_estimates == 1 ? "" : "s");
}

static double number_of(const eulercl_stats *stats, const char *name) {
    const eulercl_fact *const fact = eulercl_find_fact(stats, name);
    return fact != NULL ? (double)fact->number : 0;
}

/* The cost of several devices, beside the components that each step must compute. */
static void print_exchanges(const eulercl_stats *stats) {
    if (number_of(stats, "devices") < 2) return;
    printf("devices  twice   %.3g %% of the components\n",
        100 * number_of(stats, "halo_components") / (double)stats->n);
    printf("         sent    %.4g MB in %.0f exchanges\n",
        1e-6 * number_of(stats, "exchanged_bytes"), number_of(stats, "exchanges"));
    printf(
        "         waited  %.3g s for other devices, and %.3g s for copies of rows; computed %.3g "
        "s (the most of a device here)\n",
        1e-6 * number_of(stats, "wait_microseconds"), 1e-6 * number_of(stats, "copy_microseconds"),
        1e-6 * number_of(stats, "compute_microseconds"));
}

/* The cost of a state that is larger than the device. */
static void print_stream(const eulercl_stats *stats) {
    if (number_of(stats, "windows") < 1) return;
    printf("streams  twice   %.3g %% of the components\n",
        100 * number_of(stats, "halo_components") / (double)stats->n);
    printf("         moved   %.4g MB in %.0f visits of %.0f windows\n",
        1e-6 * number_of(stats, "streamed_bytes"), number_of(stats, "visits"),
        number_of(stats, "windows"));
    printf("         waited  %.3g s of %.3g s\n",
        1e-6 * number_of(stats, "stream_wait_microseconds"), stats->kernel_seconds);
}

enum { MOST_LISTED = 8 }; /* values of an observer */

static void print_values(const struct recording *r) {
    char buffer[32];
    const size_t single = r->n_probes + r->n_figures; /* columns of probes and figures */
    size_t column = 0;
    for (size_t i = 0; i < 1 + r->n_observers; i++) {
        const size_t count = i == 0 ? single : eulercl_observation_columns(r->observations[i - 1]),
                     end = column + count;
        if (i > 0 && count > MOST_LISTED)
            printf("value    %s = %zu values, which FILE.csv and --json have\n",
                r->observers[i - 1], count);
        else
            for (size_t j = column; j < end; j++)
                printf("value    %s = %s\n", r->columns[j], real_text(r->values[j], buffer));
        column = end;
    }
}

static void print_text(const struct solve_report *report) {
    const struct solve_run *const run = report->run;
    const eulercl_stats *const stats = &report->facts.stats;
    const struct recording *const recording = &run->recording;
    const eulercl_problem_info *const info = recording->layout.info;
    const int chosen = run->options.backend == NULL || strcmp(run->options.backend, "auto") == 0;
    printf("problem  %s, n = %" PRId64 ", access distance %" PRId64 "\n", info->name, stats->n,
        info->access_distance);
    print_method(run, stats);
    print_flush(stats);
    printf("backend  %s%s%s, %s%s\n", stats->backend, *stats->variant ? " " : "", stats->variant,
        precision_name(stats->precision), chosen ? " (chosen by auto)" : "");
    printf("device   %s", stats->device);
    if (*stats->device_id != '\0')
        printf(
            " (%s %s)", strchr(stats->device_id, ',') ? "--devices" : "--device", stats->device_id);
    if (stats->threads > 0)
        printf(", %" PRIu64 " thread%s", stats->threads, stats->threads == 1 ? "" : "s");
    printf("\nfacts    steps_per_launch=%" PRIu64, stats->steps_per_launch);
    print_solver_facts(stdout, ", ", stats, 1);
    if (*stats->plan != '\0') printf("\nplan     %s: %s", stats->plan, stats->plan_reason);
    putchar('\n');
    if (run->options.rtol > 0)
        print_tolerance(run, stats);
    else
        print_steps(run, stats);
    if (run->resume != NULL)
        print_named("resumed  ", run->resume, ", after step %" PRId64 ", t = %.9g\n",
            stats->resumed_steps, run->past.t);
    printf("seconds  %.3g (", report->seconds);
    if (report->run->choice.compile_seconds > 0)
        printf("compile %.3g%s, ", report->run->choice.compile_seconds,
            report->run->choice.compilation.is_cached ? " (cached)" : "");
    printf("setup %.3g, build %.3g, upload %.3g, kernel %.3g, download %.3g)\n",
        stats->setup_seconds, stats->build_seconds, stats->upload_seconds, stats->kernel_seconds,
        stats->download_seconds);
    print_move(stats);
    print_rates(stats);
    print_exchanges(stats);
    print_stream(stats);
    print_values(recording);
    if (*recording->hash != '\0') printf("hash     %s\n", recording->hash);
    for (size_t i = 0; i < recording->n_out; i++) print_named("written  ", recording->out[i], "\n");
    if (recording->extraction.path) print_named("written  ", recording->extraction.path, "\n");
    if (recording->snapshots > 1)
        printf("         %" PRId64
               " snapshots, %.4g MB of states: %.3g s to read and write, the steps waited %.3g s\n",
            recording->snapshots, 1e-6 * (double)recording->state_bytes, recording->write_seconds,
            recording->wait_seconds);
    if (recording->checkpoint != NULL) {
        printf("         %" PRId64, recording->checkpoints);
        print_named(recording->checkpoints == 1 ? " checkpoint in " : " checkpoints in ",
            recording->checkpoint, "\n");
    }
    if (run->last_h > 0)
        printf(
            "note: the last step was shorter, %.9g, to end at t = %.9g\n", run->last_h, stats->t);
    if (*recording->why_serial != '\0')
        printf("note: snapshots were written between the steps: %s\n", recording->why_serial);
    print_subnormals(report);
    note_small_unknowns(stats);
    if (*stats->note != '\0') printf("note: %s\n", stats->note);
    if (!stats->bits_guaranteed)
        printf("note: the run uses functions whose bits differ between devices; the hash is "
               "this device's\n");
}

int print_report(const struct solve_report *report) {
    if (report->run->choice.common.json) return print_json(report);
    if (!report->run->quiet) print_text(report);
    return EULERCL_OK;
}

/* ---- differences from the run that --in comes from ---- */

/* Add to a list of differences; it is cut where the room ends. */
static void differ(char list[400], const char *what, const char *there, const char *here) {
    const size_t length = strlen(list);
    if (snprintf(list + length, 400 - length, "%s%s is %s in the file and %s here",
            *list == '\0' ? "" : ", ", what, there, here) >= 400 - (int)length)
        list[text_cut(list, 399)] = '\0';
}

enum { SHAPE_TEXT = 100 };
static void describe_shape(const int64_t *extents, int rank, char text[SHAPE_TEXT]) {
    *text = '\0';
    for (int i = 0; i < rank; i++)
        snprintf(text + strlen(text), SHAPE_TEXT - strlen(text), "%s%" PRId64, i == 0 ? "" : " x ",
            extents[i]);
}

static void compare_shapes(
    const struct past *past, const eulercl_problem_info *info, char list[400]) {
    int64_t here[MOST_STATE_RANK];
    const int rank = state_shape(info, here);
    char first[SHAPE_TEXT], second[SHAPE_TEXT];
    if (past->rank < 2 ||
        (past->rank == rank && memcmp(past->extents, here, (size_t)rank * sizeof *here) == 0))
        return;
    describe_shape(past->extents, past->rank, first);
    describe_shape(here, rank, second);
    differ(list, "the shape", first, second);
}

int compare_resumed(const struct solve_run *run, const struct origin *origin) {
    char list[400] = "";
    compare_shapes(&run->past, origin->info, list);
    return *list == '\0' ? EULERCL_OK
                         : fail(EULERCL_FILE, "%s cannot be resumed: %s", run->resume, list);
}

static int compare_parameters(
    const struct past *past, const eulercl_problem *problem, size_t count, char list[400]) {
    for (size_t i = 0; i < count; i++) {
        eulercl_parameter parameter;
        char there[32], here[32];
        if (get_parameter(problem, i, &parameter)) return EULERCL_INTERNAL;
        for (size_t j = 0; j < past->n_parameters; j++)
            if (strcmp(past->parameters[j].name, parameter.name) == 0 &&
                past->parameters[j].value != parameter.value)
                differ(list, parameter.name, real_text(past->parameters[j].value, there),
                    real_text(parameter.value, here));
    }
    return EULERCL_OK;
}

int note_differences(const struct solve_run *run, const struct origin *origin) {
    struct past past = {0};
    char list[400] = "", there[32], here[32];
    const char *const end = end_of_hdf5(run->in);
    if (run->quiet || end == NULL || (*end == ':' && strcmp(end, ":state") != 0)) return EULERCL_OK;
    char *const file = strndup(run->in, (size_t)(end - run->in));
    if (file == NULL) return fail(EULERCL_MEMORY, "no memory for a file name");
    int status = read_past(file, 0, &past);
    free(file);
    compare_shapes(&past, origin->info, list);
    if (past.problem != NULL) {
        if (strcmp(past.problem, origin->info->name) != 0)
            differ(list, "the problem", past.problem, origin->info->name);
        else if (!status)
            status = compare_parameters(&past, origin->problem, origin->info->parameters, list);
        if (past.t != run->options.t0)
            differ(list, "t", real_text(past.t, there), real_text(run->options.t0, here));
    }
    if (!status && *list != '\0')
        say("note: --in %s: %s; --in reads only the state; --resume continues the run", run->in,
            list);
    free_past(&past);
    return status;
}
