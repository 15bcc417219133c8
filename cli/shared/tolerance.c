/* SPDX-License-Identifier: BSD-2-Clause */
/* tolerance.c - see tolerance.h. */
#include "config.h"

#include "shared/tolerance.h"
#include "shared/message.h"
#include "shared/number.h"
#include "shared/options.h"

#include <stdlib.h>
#include <string.h>

enum { KEY_TOL = 0x900 };
enum { TIME = 2 }; /* the group of --help: that of timespan.c */

/* list_tolerance_options adds the rest. */
static struct argp_option option_list[1 + MOST_FIELDS + 1] = {{"tol", KEY_TOL, "RTOL[,ATOL...]", 0,
    "choose the step sizes, and without --method the method, so that the error of a step in "
    "each component y, as estimated, is at most ATOL + RTOL |y|; one ATOL for all unknowns, or "
    "one for each (steps of size --h; ATOL: as the problem says, or for each unknown RTOL "
    "times its own greatest |y| at the start)",
    TIME}};
void list_tolerance_options(void) { list_fields(option_list + 1, 1, TIME); }

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

static error_t parse_tolerance(int key, char *argument, struct argp_state *state) {
    return key == KEY_TOL ? read_tolerance("--tol", argument, state->input)
                          : parse_option(key, argument, state);
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
