/* SPDX-License-Identifier: BSD-2-Clause */
/* reference.c - eulercl-reference: an accurate solution of a problem, for eulercl compare
 * --reference.
 *
 * It is computed twice by GSL's Runge-Kutta-Prince-Dormand method of order 8 with step size
 * control, in double. The second solution is 100 times more accurate, so the difference is the
 * error of the first. */
#include "config.h"

#include "format/format.h"
#include "format/hdf5.h"
#include "format/npy.h"
#include "format/output.h"
#include "format/state.h"
#include "shared/arguments.h"
#include "shared/clock.h"
#include "shared/facts.h"
#include "shared/json.h"
#include "shared/message.h"
#include "shared/number.h"
#include "shared/options.h"
#include "shared/problem.h"
#include "shared/stop.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_odeiv2.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct reference_request {
    struct problem_choice choice;
    double t0, t_end, tolerance;
    int has_t_end;
    const char *out;
};

enum { KEY_T0 = 0x300, KEY_T_END, KEY_TOLERANCE, KEY_OUT };

static const struct argp_option option_list[] = {
    {"t0", KEY_T0, "T", 0, "initial time (0)", 2},
    {"t-end", KEY_T_END, "T", 0, "final time", 2},
    {"tolerance", KEY_TOLERANCE, "EPS", 0, "absolute and relative tolerance of a step (1e-12)", 2},
    {"out", KEY_OUT, "FILE", 0, "write the state at the final time to FILE.npy or FILE.h5", 2},
    {0},
};

static int check_request(const struct reference_request *request) {
    if (!request->has_t_end || request->out == NULL)
        return fail(EULERCL_INVALID, "%s is missing", request->has_t_end ? "--out" : "--t-end");
    if (!(request->t_end >= request->t0))
        return fail(EULERCL_INVALID, "--t-end %g is before --t0 %g", request->t_end, request->t0);
    if (!(request->tolerance >= 1e-15 && request->tolerance <= 1e-2))
        return fail(
            EULERCL_INVALID, "--tolerance %g is not from 1e-15 to 1e-2", request->tolerance);
    return EULERCL_OK;
}

static error_t parse_request(int key, char *argument, struct argp_state *state) {
    struct reference_request *const request = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &request->choice;
        return 0;
    case KEY_T0:
        return read_real("--t0", argument, &request->t0);
    case KEY_T_END:
        request->has_t_end = 1;
        return read_real("--t-end", argument, &request->t_end);
    case KEY_TOLERANCE:
        return read_real("--tolerance", argument, &request->tolerance);
    case KEY_OUT:
        request->out = argument;
        if (find_format(argument) != &npy_format && find_format(argument) != &hdf5_format)
            return fail(EULERCL_INVALID, "--out %s: the name must end in .npy or .h5", argument);
        return check_output(argument);
    case ARGP_KEY_END:
        return check_request(request);
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_child children[] = {{&problem_argp, 0, NULL, 0}, {0}};
static const struct argp argp = {
    .options = option_list,
    .parser = parse_request,
    .args_doc = "PROBLEM|FILE.c|FILE.so",
    .children = children,
    .doc = "Solve a problem accurately with a method of order 8 (GSL, rk8pd), and write its state "
           "at the final time for eulercl compare --reference.",
};

/* ---- the integration ---- */

struct reference_system {
    eulercl_solver *solver; /* only for its right-hand side */
    int64_t evaluations;
    size_t n;
    int status; /* why the integration ended */
};

static int evaluate(double t, const double y[], double f[], void *parameters) {
    struct reference_system *const system = parameters;
    eulercl_error error;
    system->evaluations++;
    if (eulercl_evaluate(system->solver, t, y, f, &error))
        system->status = fail_library(&error);
    else
        system->status = check_interrupt();
    for (size_t i = 0; i < system->n && !system->status; i++)
        if (!isfinite(f[i]))
            system->status = fail(
                EULERCL_NONFINITE, "the derivative of component %zu is not finite at t = %g", i, t);
    return !system->status ? GSL_SUCCESS : GSL_EBADFUNC;
}

static int integrate(struct reference_system *system, const struct reference_request *request,
    double tolerance, double *y) {
    const gsl_odeiv2_system equations = {evaluate, NULL, system->n, system};
    const double span = request->t_end - request->t0;
    double t = request->t0;
    if (!(span > 0)) return EULERCL_OK;
    gsl_odeiv2_driver *const driver = gsl_odeiv2_driver_alloc_y_new(
        &equations, gsl_odeiv2_step_rk8pd, 1e-6 * span, tolerance, tolerance);
    if (driver == NULL) return fail(EULERCL_MEMORY, "no memory for GSL's integrator");
    const int result = gsl_odeiv2_driver_apply(driver, &t, request->t_end, y);
    gsl_odeiv2_driver_free(driver);
    if (system->status) return system->status;
    return result == GSL_SUCCESS
               ? EULERCL_OK
               : fail(EULERCL_UNSUPPORTED, "GSL stops at t = %g: %s; a larger --tolerance may help",
                     t, gsl_strerror(result));
}

/* ---- the file ---- */

static int write_state(const struct reference_request *request, const struct layout *layout,
    const double *y, const struct facts *facts) {
    struct output output = {0};
    const struct moment moment = {.t = request->t_end, .hash = ""};
    int status = begin_output(&output, request->out, layout, 0);
    if (!status && output.format->begin_state != NULL) status = output.format->begin_state(&output);
    for (int64_t first = 0; first < layout->info->n && !status; first += CHUNK) {
        const int64_t left = layout->info->n - first;
        status = output.format->add(&output, first, left < CHUNK ? left : CHUNK, y + first);
    }
    if (!status && output.format->end_state != NULL)
        status = output.format->end_state(&output, &moment);
    if (!status) status = commit_output(&output, facts);
    discard_output(&output);
    return status;
}

static int report(const struct reference_request *request, const struct facts *facts) {
    if (request->choice.common.json) return json_print(json_facts(facts));
    print_facts(stdout, "", facts);
    printf("written: %s\n", request->out);
    return EULERCL_OK;
}

static int solve(const struct reference_request *request, struct origin *origin,
    struct reference_system *system, double *rough, double *y) {
    const double start = wall_clock();
    const struct layout layout = {
        .info = origin->info, .precision = EULERCL_DOUBLE, .origin = origin};
    struct facts facts;
    eulercl_error error;
    double difference = 0;
    if (eulercl_problem_initial(origin->problem, EULERCL_DOUBLE, 0, origin->info->n, y, &error))
        return fail_library(&error);
    memcpy(rough, y, system->n * sizeof *rough);
    int status = integrate(system, request, 100 * request->tolerance, rough);
    if (!status) status = integrate(system, request, request->tolerance, y);
    if (!status) status = begin_facts(origin, 8, &facts);
    if (status) return status;
    for (size_t i = 0; i < system->n; i++) difference = fmax(difference, fabs(y[i] - rough[i]));
    add_text_fact(&facts, "precision", precision_name(EULERCL_DOUBLE));
    add_real_fact(&facts, "t0", request->t0);
    add_real_fact(&facts, "t_end", request->t_end);
    add_text_fact(&facts, "method", "GSL rk8pd");
    add_real_fact(&facts, "tolerance", request->tolerance);
    add_real_fact(&facts, "difference_to_100_times_the_tolerance", difference);
    add_whole_fact(&facts, "evaluations", system->evaluations);
    add_real_fact(&facts, "seconds", wall_clock() - start);
    status = write_state(request, &layout, y, &facts);
    if (!status) status = report(request, &facts);
    free_facts(&facts);
    return status;
}

int main(int argc, char **argv) {
    struct reference_request request = {
        .choice.common.command = "eulercl-reference", .tolerance = 1e-12};
    struct origin origin = {0};
    struct reference_system system = {0};
    eulercl_problem_info info;
    eulercl_problem *problem;
    eulercl_options options;
    eulercl_error error;
    double *rough = NULL, *y = NULL;
    begin_program("eulercl-reference", argc, argv);
    char *const command = join_arguments("eulercl-reference", argc, argv);
    gsl_set_error_handler_off();
    eulercl_options_init(&options);

    int status = command == NULL
                     ? fail(EULERCL_MEMORY, "no memory for the command line")
                     : open_chosen(&argp, argc, argv, &request, &request.choice, &problem, &info);
    if (!status) {
        origin = (struct origin){
            .command = command, .problem = problem, .info = &info, .options = &options};
        format_date(origin.date);
        options.backend = "seq";
        system.n = (size_t)info.n;
        rough = calloc(system.n, sizeof *rough);
        y = calloc(system.n, sizeof *y);
        if (rough == NULL || y == NULL)
            status =
                fail(EULERCL_MEMORY, "no memory for a state of %" PRId64 " components", info.n);
        else if (eulercl_solver_create(problem, &options, &system.solver, &error))
            status = fail_library(&error);
        if (!status) status = solve(&request, &origin, &system, rough, y);
        eulercl_solver_destroy(system.solver);
        eulercl_problem_destroy(problem);
    }
    free(rough);
    free(y);
    free(command);
    return status;
}
