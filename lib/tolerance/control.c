/* SPDX-License-Identifier: BSD-2-Clause */
/* control.c - see control.h. */
#include "config.h"
#include "control.h"
#include <math.h>
#include <string.h>

/* ---- the ladder ---- */

/* 2^(k/8). */
static const double powers[RUNGS + 1] = {1, 0x1.172b83c7d517bp0, 0x1.306fe0a31b715p0,
    0x1.4bfdad5362a27p0, 0x1.6a09e667f3bcdp0, 0x1.8ace5422aa0dbp0, 0x1.ae89f995ad3adp0,
    0x1.d5818dcfba487p0, 2};

double ecl_rung(int rung) {
    const int exponent = rung >= 0 ? rung / RUNGS : -((RUNGS - 1 - rung) / RUNGS);
    return ldexp(powers[rung - exponent * RUNGS], exponent);
}

int ecl_rung_below(double x) {
    int exponent, k = 0;
    if (!(x < ecl_rung(MOST_RUNG))) return MOST_RUNG; /* also of infinity and NaN */
    if (!(x > ecl_rung(LEAST_RUNG))) return LEAST_RUNG;
    const double fraction = 2 * frexp(x, &exponent); /* 1 .. 2 */
    while (powers[k + 1] <= fraction) k++;
    return (exponent - 1) * RUNGS + k;
}

int ecl_rung_above(double x) {
    const int below = ecl_rung_below(x);
    return below < MOST_RUNG && ecl_rung(below) < x ? below + 1 : below;
}

/* ---- controllers ---- */

/* log2 of the next step size over this one is
 *
 *     -(now * e + before * e') / order - memory * change,
 *
 * where e and e' are log2 of the errors of this round and of the one before, as multiples of what
 * is aimed at. i: as if the error were that of one power of h alone. pi: K. Gustafsson, ACM Trans.
 * Math. Softw. 17 (1991) 533; where stability limits the steps, i lets them swing. h211b: G.
 * Soderlind, ACM Trans. Math. Softw. 29 (2003) 1, the digital filter of second order with b = 4. */
struct controller {
    const char *name;
    double now, before, memory;
};
static const struct controller controllers[] = {
    {"pi", 0.7, -0.4, 0}, {"i", 1, 0, 0}, {"h211b", 0.25, 0.25, 0.25}};
enum { CONTROLLERS = sizeof controllers / sizeof *controllers };

const char *eulercl_controller_name(size_t index) {
    return index < CONTROLLERS ? controllers[index].name : NULL;
}

const char *ecl_controller_of(const struct controller *controller) { return controller->name; }

int ecl_find_controller(
    const char *name, const struct controller **controller, eulercl_error *error) {
    char names[64] = "";
    for (size_t i = 0; i < CONTROLLERS; i++) {
        if (!name || !strcmp(name, controllers[i].name)) {
            *controller = &controllers[i];
            return EULERCL_OK;
        }
        strcat(strcat(names, i ? ", " : ""), controllers[i].name);
    }
    return ecl_fail(error, EULERCL_INVALID, "unknown controller '%s' (known: %s)", name, names);
}

enum {
    MOST_RISE = 18,        /* the greatest rise at once, in rungs: a factor of 4.8 */
    MOST_FIRST_RISE = 106, /* if the step size is a guess: a factor of 10,000 */
    WARY_RISE = RUNGS,     /* if a jump may follow that no step has seen yet: a factor of 2 */
    MOST_FALL = 24,        /* the greatest fall: a factor of 1/8 */
    SECOND_FALL = 14,      /* the least fall after a second failure: a factor of 0.3 */
    /* smaller rises are ignored, up to a factor of 1.19: steps of one size are faster */
    DEAD_BAND = 2,
    MOST_DOUBTS = 4, /* doubts about one jump, at most */
};
/* log2 of the step size over the one whose error would be the tolerance. */
static const double safety = -0.152; /* 0.9 */
/* Where the right-hand side jumps, estimates say little of the error, which may be a thousand times
 * as large. It is as small as the tolerance where the estimate is 2^-8 of that, unless it is as
 * large as rounding errors make it. A jump shows in errors that are 2^6 times as large as those of
 * the steps before let expect, or that do not fall with h as its order says. */
static const double jump_share = -8, surprise = 6, rounding_errors = 64;

struct control ecl_control_begin(
    const struct controller *controller, int order, int is_wary, double unit) {
    return (struct control){.controller = controller,
        .order = order,
        .is_wary = is_wary,
        .doubtless = fmax(jump_share, (double)ecl_rung_above(rounding_errors * unit) / RUNGS),
        .is_first = 1};
}

double ecl_control_error(const struct control *control) {
    return control->last + control->order * safety;
}

int ecl_control_rise(const struct control *control) {
    return control->failures   ? 0
           : control->is_wary  ? WARY_RISE
           : control->is_first ? MOST_FIRST_RISE
                               : MOST_RISE;
}

/* Whether an error that is small enough may be that of a jump. */
static int is_doubtful(const struct control *c, double e, int rung) {
    const double order = c->order;
    if (!c->is_wary || e <= c->doubtless || c->doubts == MOST_DOUBTS) return 0;
    if (!c->is_first && e > c->last + order * (rung - c->last_rung) / RUNGS + surprise) return 1;
    return c->failures && c->failed - e < (order + 1) / 2 * (c->failed_rung - rung) / RUNGS;
}

int ecl_control(
    struct control *control, int32_t worst, size_t real_size, int rung, int *is_accepted) {
    const struct controller *c = control->controller;
    const double unit = real_size == sizeof(float) ? 0x1p-23 : 0x1p-20, order = control->order,
                 e = worst * unit - order * safety;
    const int is_accurate = ecl_is_accurate(worst),
              doubt = is_accurate && is_doubtful(control, e, rung);
    *is_accepted = is_accurate && !doubt;
    if (!*is_accepted) {
        /* Earlier errors say nothing about steps that fail. */
        int fall = (int)fmin(fmax(-floor(-e / order * RUNGS), 1), MOST_FALL);
        if (++control->failures > 1 && fall < SECOND_FALL) fall = SECOND_FALL;
        if (doubt) fall = MOST_FALL;
        control->doubts += doubt;
        control->failed = e;
        control->failed_rung = rung;
        return -fall;
    }
    const double change = control->is_first ? -e / order
                                            : -(c->now * e + c->before * control->last) / order -
                                                  c->memory * control->change;
    int rungs =
        (int)fmin(fmax(floor(change * RUNGS), -MOST_FALL), (double)ecl_control_rise(control));
    if (rungs > 0 && rungs <= DEAD_BAND) rungs = 0;
    control->last = e;
    control->last_rung = rung;
    control->change = (double)rungs / RUNGS;
    control->is_first = 0;
    control->failures = control->doubts = 0;
    return rungs;
}
