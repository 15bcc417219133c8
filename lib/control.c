/* control.c - see control.h.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include "config.h"
#include "control.h"
#include <math.h>
#include <string.h>

/* ---- the ladder ---- */

/* 2^(k/8). */
static const double powers[RUNGS + 1] = {1, 0x1.172b83c7d517bp0, 0x1.306fe0a31b715p0,
    0x1.4bfdad5362a27p0, 0x1.6a09e667f3bcdp0, 0x1.8ace5422aa0dbp0, 0x1.ae89f995ad3adp0,
    0x1.d5818dcfba487p0, 2};

double eulercl_rung(int rung) {
    const int exponent = rung >= 0 ? rung / RUNGS : -((RUNGS - 1 - rung) / RUNGS);
    return ldexp(powers[rung - exponent * RUNGS], exponent);
}

int eulercl_rung_below(double x) {
    int exponent, k = 0;
    const double fraction = 2 * frexp(x, &exponent); /* 1 .. 2 */
    while (powers[k + 1] <= fraction) k++;
    return (exponent - 1) * RUNGS + k;
}

int eulercl_rung_above(double x) {
    const int below = eulercl_rung_below(x);
    return eulercl_rung(below) < x ? below + 1 : below;
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

const char *eulercl_controller_of(const struct controller *controller) { return controller->name; }

int eulercl_find_controller(
    const char *name, const struct controller **controller, eulercl_error *error) {
    char names[64] = "";
    for (size_t i = 0; i < CONTROLLERS; i++) {
        if (!name || !strcmp(name, controllers[i].name)) {
            *controller = &controllers[i];
            return EULERCL_OK;
        }
        strcat(strcat(names, i ? ", " : ""), controllers[i].name);
    }
    return eulercl_fail(error, EULERCL_INVALID, "controller '%s' is none of %s", name, names);
}

struct control eulercl_control_begin(const struct controller *controller, int order) {
    return (struct control){.controller = controller, .order = order, .is_first = 1};
}

enum {
    MOST_RISE = 18,        /* rungs at once: a factor of 4.8; */
    MOST_FIRST_RISE = 106, /* of 10,000 where the step size is a guess */
    MOST_FALL = 24,        /* of 1/8 */
    SECOND_FALL = 14,      /* of 0.3 at least, after a second failure */
    DEAD_BAND = 2 /* a rise of so many rungs, 1.19, is none: steps of one size are faster */
};
/* log2 of the step size over the one whose error would be the tolerance. */
static const double safety = -0.152; /* 0.9 */

double eulercl_control_error(const struct control *control) {
    return control->last + control->order * safety;
}

int eulercl_control(struct control *control, int32_t worst, size_t real_size) {
    const struct controller *c = control->controller;
    const double unit = real_size == sizeof(float) ? 0x1p-23 : 0x1p-20, order = control->order,
                 e = worst * unit - order * safety;
    if (!eulercl_is_accurate(worst)) {
        /* What led here says nothing of steps that fail. */
        int fall = (int)fmin(fmax(-floor(-e / order * RUNGS), 1), MOST_FALL);
        if (++control->failures > 1 && fall < SECOND_FALL) fall = SECOND_FALL;
        return -fall;
    }
    const double change = control->is_first ? -e / order
                                            : -(c->now * e + c->before * control->last) / order -
                                                  c->memory * control->change;
    const int most = control->failures ? 0 : control->is_first ? MOST_FIRST_RISE : MOST_RISE;
    int rungs = (int)fmin(fmax(floor(change * RUNGS), -MOST_FALL), most);
    if (rungs > 0 && rungs <= DEAD_BAND) rungs = 0;
    control->last = e;
    control->change = (double)rungs / RUNGS;
    control->is_first = 0;
    control->failures = 0;
    return rungs;
}
