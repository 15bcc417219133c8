/* solve.c - eulercl solve: read the options, run, write the state, report.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include "cli.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { DEFAULT_STEPS = 1000 };

/* ---- options ---- */

struct run {
    struct problem_choice choice;
    eulercl_options options;
    int has_h, has_t_end, has_steps, print_kernel;
    int is_auto;               /* --h auto */
    double t_end;
    int64_t steps, component;
    const char *in;
    const char **out;          /* as many as outputs */
    size_t n_out;
};

enum {
    KEY_T0 = 0x300, KEY_T_END, KEY_STEPS, KEY_H, KEY_IN, KEY_OUT, KEY_COMPONENT, KEY_PRINT_KERNEL,
};

static const struct argp_option option_list[] = {
    {NULL, 0, NULL, 0, "Time:", 2},
    {"t0", KEY_T0, "T", 0, "initial time (0)", 2},
    {"h", KEY_H, "H|auto", 0, "step size (1e-4); auto: 0.9 of the largest that is stable at the start, as estimated", 2},
    {"steps", KEY_STEPS, "S", 0, "number of steps (1000)", 2},
    {"t-end", KEY_T_END, "T", 0, "final time, instead of --steps or of --h", 2},
    {NULL, 0, NULL, 0, "Files and output:", 4},
    {"in", KEY_IN, "FILE.npy", 0, "initial state (the problem's own)", 4},
    {"out", KEY_OUT, "FILE", 0, "write the final state to FILE.npy or draw it to FILE.png (repeatable)", 4},
    {"component", KEY_COMPONENT, "C", 0, "the component per grid point that a picture shows (0)", 4},
    {"print-kernel", KEY_PRINT_KERNEL, NULL, 0, "print the OpenCL source that would be built, and do nothing else", 4},
    {0},
};

/* Any two of --t-end, --h and --steps give the third. */
static int settle_time(struct run *run)
{
    if (run->has_t_end && run->has_h && run->has_steps)
        return fail(EULERCL_INVALID, "--t-end, --h and --steps together say too much: leave one of them out");
    if (run->has_t_end && run->has_steps) {
        run->options.h = (run->t_end - run->options.t0) / (double)run->steps;
        run->has_t_end = 0;
        if (!(run->options.h > 0 && isfinite(run->options.h)))
            return fail(EULERCL_INVALID, "--t-end with --steps: no step size leads from %g to %g in %" PRId64 " steps",
                        run->options.t0, run->t_end, run->steps);
    }
    if (run->print_kernel && run->choice.common.json)
        return fail(EULERCL_INVALID, "--print-kernel prints OpenCL C, not JSON");
    return EULERCL_OK;
}

/* As far as they are known: few steps are not worth a long build. */
static void expect_steps(struct run *run)
{
    const double steps = run->has_t_end ? (run->t_end - run->options.t0) / run->options.h : (double)run->steps;
    run->options.expected_steps = steps >= 1 && steps < 0x1p53 ? (int64_t)steps : steps < 1;
}

static error_t parse_run(int key, char *argument, struct argp_state *state)
{
    struct run *const run = state->input;
    eulercl_options *const options = &run->options;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &run->choice;
        state->child_inputs[1] = options;
        run->out = calloc((size_t)state->argc, sizeof *run->out);
        return run->out == NULL ? fail(EULERCL_MEMORY, "no memory for the options") : 0;
    case KEY_T0:
        return read_real("--t0", argument, &options->t0);
    case KEY_T_END:
        run->has_t_end = 1;
        return read_real("--t-end", argument, &run->t_end);
    case KEY_STEPS:
        run->has_steps = 1;
        return read_whole("--steps", argument, 0, INT64_MAX, &run->steps);
    case KEY_H:
        run->has_h = 1;
        run->is_auto = strcmp(argument, "auto") == 0;
        return run->is_auto ? 0 : read_real("--h", argument, &options->h);
    case KEY_IN:
        run->in = argument;
        return 0;
    case KEY_OUT:
        run->out[run->n_out++] = argument;
        return check_output(argument);
    case KEY_COMPONENT:
        return read_whole("--component", argument, 0, INT64_MAX, &run->component);
    case KEY_PRINT_KERNEL:
        run->print_kernel = 1;
        return 0;
    case ARGP_KEY_END:
        return settle_time(run);
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_child children[] = {{&problem_argp, 0, NULL, 0}, {&options_argp, 0, NULL, 0}, {0}};
static const struct argp argp = {
    .options = option_list,
    .parser = parse_run,
    .args_doc = "PROBLEM|FILE.c|FILE.so",
    .children = children,
    .doc = "Solve a problem with the explicit Euler method and report how it went.",
};

/* ---- the report ---- */

struct report {
    const struct run *run;
    const eulercl_problem *problem;
    const eulercl_problem_info *info;
    eulercl_stats stats;
    double last_h;             /* of the last shorter step; 0: there was none */
    double seconds;            /* until compute ends: the start on the wall clock */
    char hash[17];
};

/* Component-steps per second; NaN where there is nothing to divide. */
static double rate(const eulercl_stats *stats)
{
    return stats->steps > 0 && stats->kernel_seconds > 0 ? (double)stats->n * (double)stats->steps / stats->kernel_seconds : (double)NAN;
}

#ifdef HAVE_JANSSON
static const char *or_null(const char *text)
{
    return *text == '\0' ? NULL : text;
}

static int print_json(const struct report *report)
{
    const eulercl_stats *const stats = &report->stats;
    return json_print(json_pack("{s:s, s:I, s:I, s:o, s:I, s:f, s:f, s:f, s:o, s:s, s:s?, s:s, s:s, s:s?, s:o, s:o, s:o, s:b,"
                                " s:o, s:I, s:I, s:s?, s:s?, s:s?, s:s?, s:o, s:s?, s:s?, s:o, s:o, s:o, s:I, s:I, s:o, s:I, s:o, s:o, s:o, s:o, s:{s:f, s:f, s:f, s:f, s:f, s:f}}",
        "problem", report->info->name, "n", (json_int_t)stats->n, "access_distance", (json_int_t)report->info->access_distance,
        "parameters", json_parameters(report->problem),
        "steps", (json_int_t)stats->steps, "t0", report->run->options.t0, "t_end", stats->t, "h", report->run->options.h,
        "last_h", report->last_h > 0 ? json_real(report->last_h) : json_null(),
        "backend", stats->backend, "variant", or_null(stats->variant), "precision", precision_name(stats->precision),
        "device", stats->device, "device_id", or_null(stats->device_id),
        "threads", json_count(stats->threads), "workgroup_size", json_count(stats->workgroup_size),
        "workgroups", json_count(stats->workgroups), "bits_guaranteed", report->info->bits_guaranteed,
        "component_steps_per_second", json_number(rate(stats), 0),
        "launches", (json_int_t)stats->launches, "device_bytes", (json_int_t)stats->device_bytes,
        "state_hash", or_null(report->hash), "note", or_null(stats->note),
        "plan", or_null(stats->plan), "plan_reason", or_null(stats->plan_reason),
        "predicted_seconds", stats->predicted_seconds > 0 ? json_real(stats->predicted_seconds) : json_null(),
        "storage", or_null(stats->storage), "distribution", or_null(stats->distribution), "tiles", json_count(stats->tiles),
        "dia_blocks", json_count(stats->dia_blocks), "block_size", json_count(stats->block_size),
        "steps_per_launch", (json_int_t)stats->steps_per_launch, "local_bytes", (json_int_t)stats->local_bytes,
        "global_bytes", json_count(stats->global_bytes), "redundant_component_steps", (json_int_t)stats->redundant_component_steps,
        "points_per_item", json_count(stats->points_per_item), "rows_per_item", json_count(stats->rows_per_item),
        "workgroup_rows", json_count(stats->workgroup_rows), "steps_per_exchange", json_count(stats->steps_per_exchange),
        "seconds", "total", report->seconds, "setup", stats->setup_seconds, "build", stats->build_seconds,
        "upload", stats->upload_seconds, "kernel", stats->kernel_seconds, "download", stats->download_seconds));
}
#endif

/* The tiles of cl-register. */
static void print_registers(const eulercl_stats *stats)
{
    printf("\ntiles    %" PRIu64 ", %" PRIu64 " x %" PRIu64 " points per work-item, %" PRIu64 " step%s per launch", stats->tiles,
           stats->points_per_item, stats->rows_per_item, stats->steps_per_launch, stats->steps_per_launch == 1 ? "" : "s");
    if (stats->steps_per_exchange > 1)
        printf(" and %" PRIu64 " per exchange", stats->steps_per_exchange);
    printf(", %" PRIu64 " bytes of local memory", stats->local_bytes);
    if (stats->steps > 0)
        printf(", %.3g %% computed more than once", 100 * (double)stats->redundant_component_steps / ((double)stats->n * (double)stats->steps));
}

static void print_text(const struct report *report)
{
    const struct run *const run = report->run;
    const eulercl_stats *const stats = &report->stats;
    const int chosen = run->options.backend == NULL || strcmp(run->options.backend, "auto") == 0;
    printf("problem  %s, n = %" PRId64 ", access distance %" PRId64 "\n", report->info->name, stats->n,
           report->info->access_distance);
    printf("backend  %s%s%s, %s%s\n", stats->backend, *stats->variant ? " " : "", stats->variant,
           precision_name(stats->precision), chosen ? " (chosen by auto)" : "");
    printf("device   %s%s%s%s", stats->device, *stats->device_id ? " (--device " : "", stats->device_id,
           *stats->device_id ? ")" : "");
    if (stats->threads > 0)
        printf(", %" PRIu64 " thread%s", stats->threads, stats->threads == 1 ? "" : "s");
    if (stats->workgroups > 0)
        printf(", %" PRIu64 " work-group%s of %" PRIu64, stats->workgroups, stats->workgroups == 1 ? "" : "s", stats->workgroup_size);
    if (stats->points_per_item > 0)
        print_registers(stats);
    else if (stats->tiles > 0)
        printf("\ntiles    %" PRIu64 " of %" PRIu64 " blocks of %" PRIu64 " components, %" PRIu64 " step%s per launch, storage %s (%" PRIu64
               " bytes)%s%s", stats->tiles, stats->dia_blocks, stats->block_size, stats->steps_per_launch,
               stats->steps_per_launch == 1 ? "" : "s", stats->storage, stats->local_bytes,
               *stats->distribution ? ", distribution " : "", stats->distribution);
    if (*stats->plan != '\0')
        printf("\nplan     %s: %s", stats->plan, stats->plan_reason);
    printf("\nsteps    %" PRId64 " of h = %.9g%s, from t = %.9g to %.9g\n", stats->steps, run->options.h, run->is_auto ? " (auto)" : "",
           run->options.t0, stats->t);
    printf("seconds  %.3g (setup %.3g, build %.3g, upload %.3g, kernel %.3g, download %.3g)\n", report->seconds,
           stats->setup_seconds, stats->build_seconds, stats->upload_seconds, stats->kernel_seconds, stats->download_seconds);
    if (isfinite(rate(stats)))
        printf("rate     %.4g Gcs/s (1e9 component-steps per second)\n", 1e-9 * rate(stats));
    if (*report->hash != '\0')
        printf("hash     %s\n", report->hash);
    for (size_t i = 0; i < run->n_out; i++)
        printf("written  %s\n", run->out[i]);
    if (report->last_h > 0)
        printf("note: the last step was shorter, %.9g, to end at t = %.9g\n", report->last_h, stats->t);
    if (*stats->note != '\0')
        printf("note: %s\n", stats->note);
    if (!report->info->bits_guaranteed)
        printf("note: the problem uses functions whose bits differ between devices; the hash is this device's\n");
}

/* ---- the run ---- */

static int print_kernel(const eulercl_problem *problem, const eulercl_options *options)
{
    eulercl_error error;
    char *source;
    if (eulercl_kernel_source(problem, options, &source, &error) != EULERCL_OK)
        return fail_library(&error);
    fputs(source, stdout);
    eulercl_free(source);
    return EULERCL_OK;
}

static int advance(eulercl_solver *solver, struct run *run, double *last_h)
{
    struct progress *const progress = run->options.observer_user;
    eulercl_error error;
    double h = 0;
    progress->start = wall_clock();
    const int status = run->has_t_end ? eulercl_advance_to(solver, run->t_end, &h, &error)
                                      : eulercl_advance(solver, run->steps, &error);
    wipe_progress(progress);
    *last_h = h < run->options.h ? h : 0;
    return status == EULERCL_OK ? EULERCL_OK : fail_library(&error);
}

/* --h auto: near the state that the run starts with; the file is left where it was. */
static int choose_step(const struct layout *layout, const eulercl_problem *problem, FILE *in, struct run *run)
{
    eulercl_error error;
    void *y = NULL;
    int status = EULERCL_OK;
    if (in != NULL) {
        const off_t begin = ftello(in);
        const size_t n = (size_t)layout->info->n;
        y = calloc(n, layout->precision);
        if (y == NULL)
            return fail(EULERCL_MEMORY, "no memory for the state");
        if (begin < 0)
            status = fail(EULERCL_FILE, "%s: --h auto reads the state twice, which this is not made for", run->in);
        else if (fread(y, layout->precision, n, in) != n || fseeko(in, begin, SEEK_SET) != 0)
            status = fail(EULERCL_FILE, "%s: %s", run->in, ferror(in) ? strerror(errno) : "truncated");
    }
    if (status == EULERCL_OK && eulercl_stable_step(problem, &run->options, y, &run->options.h, &error) != EULERCL_OK)
        status = fail(error.code, "--h auto: %s", error.message);
    free(y);
    return status;
}

/* Everything after the files are open: they are the reasons to fail that must come before a long run. */
static int compute(const struct layout *layout, FILE *in, struct output *outputs, struct report *report, struct run *run)
{
    eulercl_error error;
    eulercl_solver *solver = NULL;
    int status = EULERCL_OK;
    const int64_t n = layout->info->n;
    void *const chunk = malloc((size_t)(n < CHUNK ? n : CHUNK) * layout->precision);
    if (chunk == NULL)
        return fail(EULERCL_MEMORY, "no memory for a part of the state");
    if (eulercl_solver_create(report->problem, &run->options, &solver, &error) != EULERCL_OK
        || (in == NULL && eulercl_set_initial_state(solver, &error) != EULERCL_OK))
        status = fail_library(&error);
    if (status == EULERCL_OK && in != NULL)
        status = load_state(solver, run->in, in, layout, chunk);
    if (status == EULERCL_OK)
        status = check_interrupt();
    if (status == EULERCL_OK)
        status = advance(solver, run, &report->last_h);
    if (status == EULERCL_OK)
        status = save_state(solver, outputs, run->n_out, layout, chunk, report->hash);
    if (status == EULERCL_OK) {
        report->stats.struct_size = sizeof report->stats;
        eulercl_get_stats(solver, &report->stats, NULL);
        report->seconds = wall_clock() - report->seconds;
#ifdef HAVE_JANSSON
        if (run->choice.common.json)
            status = print_json(report);
        else
#endif
            print_text(report);
    }
    eulercl_solver_destroy(solver);
    free(chunk);
    return status;
}

static int solve(struct run *run, const eulercl_problem *problem, const eulercl_problem_info *info, double start)
{
    const struct layout layout = {info, run->options.precision, run->component};
    struct report report = {.run = run, .problem = problem, .info = info, .seconds = start};
    struct output *const outputs = calloc(run->n_out + 1, sizeof *outputs);
    FILE *in = NULL;
    int status = EULERCL_OK;
    if (outputs == NULL)
        return fail(EULERCL_MEMORY, "no memory for the outputs");
    if (run->component >= info->components)
        status = fail(EULERCL_INVALID, "--component: the problem has components 0 to %d per point", info->components - 1);
    if (status == EULERCL_OK && run->in != NULL)
        status = open_npy(run->in, &layout, &in);
    if (status == EULERCL_OK && run->is_auto)
        status = choose_step(&layout, problem, in, run);
    expect_steps(run);
    for (size_t i = 0; i < run->n_out && status == EULERCL_OK; i++)
        status = begin_output(&outputs[i], run->out[i], &layout);
    if (status == EULERCL_OK)
        status = compute(&layout, in, outputs, &report, run);
    for (size_t i = 0; i < run->n_out; i++)
        discard_output(&outputs[i]);
    if (in != NULL)
        fclose(in);
    free(outputs);
    return status;
}

int solve_main(int argc, char **argv)
{
    struct progress progress = {.terminal = isatty(STDERR_FILENO)};
    struct run run = {.choice.common.command = "eulercl solve", .steps = DEFAULT_STEPS};
    eulercl_problem_info info;
    eulercl_problem *problem;
    const double start = wall_clock();
    eulercl_options_init(&run.options);
    run.options.observer = show_progress;
    run.options.observer_user = &progress;

    int status = parse_options(&argp, argc, argv, &run);
    if (status == EULERCL_OK) {
        catch_interrupt();
        status = open_problem(&run.choice, &problem, &info);
        free(run.choice.settings);
    }
    if (status == EULERCL_OK) {
        status = run.print_kernel ? print_kernel(problem, &run.options) : solve(&run, problem, &info, start);
        eulercl_problem_destroy(problem);
    }
    free(run.out);
    return status;
}
