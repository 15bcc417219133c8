/* SPDX-License-Identifier: BSD-2-Clause */
/* tolerance.c - see tolerance.h. */
#include "config.h"

#include "shared/tolerance.h"
#include "shared/message.h"
#include "shared/number.h"

#include <stdlib.h>
#include <string.h>

enum { KEY_TOL = 0x900, KEY_H0, KEY_H_MAX, KEY_MAX_STEPS, KEY_CONTROLLER, KEY_SPECTRAL_RADIUS };

enum { TIME = 2 }; /* the group of --help: that of timespan.c */

static const struct argp_option option_list[] = {
    {"tol", KEY_TOL, "RTOL[,ATOL...]", 0,
        "choose the step sizes, and without --method the method, so that the error of a step in "
        "each component y, as estimated, is at most ATOL + RTOL |y|; one ATOL for all unknowns, or "
        "one for each (steps of size --h; ATOL: as the problem says, or for each unknown RTOL "
        "times its own greatest |y| at the start)",
        TIME},
    {"h0", KEY_H0, "H", 0, "with --tol: the first step size (chosen)", TIME},
    {"h-max", KEY_H_MAX, "H", 0, "with --tol: the largest step size (no limit)", TIME},
    {"max-steps", KEY_MAX_STEPS, "S", 0,
        "with --tol: fail after this many steps, accepted or not (no limit)", TIME},
    {"controller", KEY_CONTROLLER, "NAME", 0,
        "with --tol: how step sizes follow from errors: pi, i or h211b (pi)", TIME},
    {"spectral-radius", KEY_SPECTRAL_RADIUS, "R", 0,
        "with --tol, for rock2, rkc4, rock4 and rkl2: a bound for the magnitudes of the Jacobian's "
        "eigenvalues during the whole run (estimated)",
        TIME},
    {0},
};

/* RTOL, or RTOL and one or more ATOL. */
int read_tolerance(const char *what, const char *text, eulercl_options *options) {
    static double *list; /* the last list: copies of the options refer to its atols */
    char number[32];
    int64_t count = 0;
    int status = read_reals(what, text, &list, &count);
    for (int64_t i = 0; i < count && !status; i++)
        if (!(list[i] > 0))
            status = fail(EULERCL_INVALID, "%s: '%s' is not greater than 0", what,
                real_text(list[i], number));
    if (status) return status;
    options->rtol = list[0];
    options->atol = count == 2 ? list[1] : 0;
    options->atols = count > 2 ? list + 1 : NULL;
    options->atol_count = count > 2 ? count - 1 : 0;
    return EULERCL_OK;
}

static int read_controller(const char *text, const char **name) {
    const char *known;
    for (size_t i = 0; (known = eulercl_controller_name(i)) != NULL; i++)
        if (strcmp(known, text) == 0) {
            *name = known;
            return EULERCL_OK;
        }
    return fail(
        EULERCL_INVALID, "--controller: unknown controller '%s' (known: pi, i, h211b)", text);
}

static error_t parse_tolerance(int key, char *argument, struct argp_state *state) {
    eulercl_options *const options = state->input;
    switch (key) {
    case KEY_TOL:
        return read_tolerance("--tol", argument, options);
    case KEY_H0:
        return read_positive("--h0", argument, &options->h0);
    case KEY_H_MAX:
        return read_positive("--h-max", argument, &options->h_max);
    case KEY_MAX_STEPS:
        return read_whole("--max-steps", argument, 1, INT64_MAX, &options->max_steps);
    case KEY_CONTROLLER:
        return read_controller(argument, &options->controller);
    case KEY_SPECTRAL_RADIUS:
        return read_positive("--spectral-radius", argument, &options->spectral_radius);
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

const struct argp tolerance_argp = {.options = option_list, .parser = parse_tolerance};

int check_tolerance(const eulercl_options *options) {
    if (options->rtol > 0 ||
        (!(options->h0 > 0) && !(options->h_max > 0) && options->max_steps == 0 &&
            options->controller == NULL && !(options->spectral_radius > 0)))
        return EULERCL_OK;
    return fail(EULERCL_INVALID,
        "--h0, --h-max, --max-steps, --controller and --spectral-radius need --tol");
}
