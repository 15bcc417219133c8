/* SPDX-License-Identifier: BSD-2-Clause */
/* timespan.c - the time that a run takes the state through: --t0, --h, --steps, --t-end,
 * --breakpoints. */
#include "config.h"

#include "shared/timespan.h"
#include "shared/message.h"
#include "shared/number.h"
#include "shared/options.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { KEY_T0 = 0x600, KEY_H, KEY_STEPS, KEY_T_END, KEY_BREAKPOINTS };

static const struct argp_option option_list[] = {
    {NULL, 0, NULL, 0, "Time:", 2},
    {"t0", KEY_T0, "T", 0, "initial time (0)", 2},
    {"h", KEY_H, "H|auto", 0,
        "step size (1e-4); auto: 0.9 of the estimated stability limit at the initial state, which "
        "may be too large later",
        2},
    {"steps", KEY_STEPS, "S", 0, "number of steps (1000)", 2},
    {"t-end", KEY_T_END, "T", 0, "final time, instead of --steps or --h", 2},
    {"breakpoints", KEY_BREAKPOINTS, "T1[,T2...]", 0,
        "times at which the equations may jump: a step ends at each of them, and with --tol the "
        "step size is chosen anew behind it (those of the problem)",
        2},
    {0},
};

int read_breakpoints(const char *what, const char *text, eulercl_options *options) {
    static double *list; /* times of the last text: copies of the options refer to them */
    const int status = read_reals(what, text, &list, &options->breakpoint_count);
    options->breakpoints = list;
    return status;
}

static error_t parse_time(int key, char *argument, struct argp_state *state) {
    struct time_choice *const time = state->input;
    switch (key) {
    case KEY_T0:
        time->has_t0 = 1;
        return read_real("--t0", argument, &time->options->t0);
    case KEY_H:
        time->has_h = 1;
        time->is_auto = strcmp(argument, "auto") == 0;
        return time->is_auto ? 0 : read_real("--h", argument, &time->options->h);
    case KEY_STEPS:
        time->has_steps = 1;
        return read_whole("--steps", argument, 0, INT64_MAX, &time->steps);
    case KEY_T_END:
        time->has_t_end = 1;
        return read_real("--t-end", argument, &time->t_end);
    case KEY_BREAKPOINTS:
        return read_breakpoints("--breakpoints", argument, time->options);
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

const struct argp time_argp = {.options = option_list, .parser = parse_time};

int settle_time(struct time_choice *time) {
    if (time->options->rtol > 0 && time->has_h)
        return fail(EULERCL_INVALID,
            "--h and --tol are mutually exclusive: with --tol the step sizes follow from the "
            "errors, and --h0 gives the first");
    if (time->options->rtol > 0 && time->has_steps == time->has_t_end)
        return fail(EULERCL_INVALID, "--tol needs either --t-end or --steps");
    if (time->has_t_end && time->has_h && time->has_steps)
        return fail(
            EULERCL_INVALID, "--t-end, --h and --steps over-determine the run: omit one of them");
    if (time->has_t_end && time->has_steps) {
        time->options->h = (time->t_end - time->options->t0) / (double)time->steps;
        time->has_t_end = 0;
        if (!(time->options->h > 0 && isfinite(time->options->h)))
            return fail(EULERCL_INVALID,
                "--t-end with --steps: no step size leads from %g to %g in %" PRId64 " steps",
                time->options->t0, time->t_end, time->steps);
    }
    return EULERCL_OK;
}

int choose_step(struct time_choice *time, const eulercl_problem *problem, const void *y) {
    eulercl_error error;
    eulercl_method_info method;
    eulercl_options *const options = time->options;
    int status = find_moderate_method(options, &method);
    if (status) return status;
    if (options->stages == 0 && has_choice(&method))
        options->stages = time->auto_stages = method.stages;
    status = eulercl_stable_step(problem, options, y, &options->h, &error);
    return status ? fail(error.code, "--h auto: %s", error.message) : EULERCL_OK;
}

int read_duration(const char *what, const char *text, double *seconds) {
    unsigned int hours, minutes, rest;
    int length = 0;
    if (strchr(text, ':') != NULL) {
        if (strspn(text, "0123456789:") != strlen(text) ||
            sscanf(text, "%6u:%2u:%2u%n", &hours, &minutes, &rest, &length) != 3 ||
            text[length] != '\0' || minutes > 59 || rest > 59)
            return fail(EULERCL_INVALID, "%s: '%s' is not SECONDS or HH:MM:SS", what, text);
        *seconds = 3600.0 * hours + 60.0 * minutes + rest;
    } else if (read_real(what, text, seconds)) {
        return EULERCL_INVALID;
    }
    return *seconds > 0 ? EULERCL_OK
                        : fail(EULERCL_INVALID, "%s: the time must be greater than 0", what);
}

/* A long build does not pay for a few steps. */
void expect_steps(const struct time_choice *time) {
    if (time->options->rtol > 0) {
        if (time->has_t_end)
            time->options->expected_end = time->t_end;
        else
            time->options->expected_steps = time->steps;
        return;
    }
    const double steps = time->has_t_end ? (time->t_end - time->options->t0) / time->options->h
                                         : (double)time->steps;
    time->options->expected_steps = steps >= 1 && steps < 0x1p53 ? (int64_t)steps : steps < 1;
}
