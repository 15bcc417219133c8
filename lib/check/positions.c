/* SPDX-License-Identifier: BSD-2-Clause */
/* check/positions.c - what partitioned methods rely on: the derivatives of positions read only
 * velocities, in the stencil form those of their own point, and the derivatives of velocities read
 * only positions. */
#include "config.h"
#include "check.h"

/* What is changed in the state before the derivatives are compared with those of the unchanged one.
 */
enum change { POSITIONS, VELOCITIES, SOME_POINTS, CHANGES };
enum { SUBSETS = 4 }; /* random ones, of half of the points each */

static int64_t point_of(const struct check *c, int64_t i) {
    return i / c->definition->grid.components;
}

static int is_changed(const struct check *c, enum change change, int subset, int64_t i) {
    if (change != SOME_POINTS) return eulercl_is_position(&c->system, i) == (change == POSITIONS);
    return (int)eulercl_check_random_below(2, point_of(c, i), 40 + (uint64_t)subset);
}

/* Whether the derivative of component i must be the same in spite of a change. */
static int is_kept(const struct check *c, enum change change, int subset, int64_t i) {
    const int is_position = eulercl_is_position(&c->system, i);
    return change == SOME_POINTS ? is_position && !is_changed(c, change, subset, i)
                                 : is_position == (change == POSITIONS);
}

static int compare(struct check *c, enum change change, int subset, int64_t i, int *holds) {
    static const char *const reads[CHANGES] = {"the derivative of a position reads a position",
        "the derivative of a velocity reads a velocity",
        "the derivative of a position reads another point"};
    if (!is_kept(c, change, subset, i)) return EULERCL_OK;
    const double before = evaluate(c, i, c->clean), after = evaluate(c, i, c->scratch);
    *holds = is_same(before, after);
    return *holds ? EULERCL_OK
                  : FAILS(positions, EULERCL_INTERNAL, i,
                        "%s: the derivative of component %lld changes from %.17g to %.17g %s, but "
                        "ODE_POSITION says that it cannot",
                        reads[change], (long long)i, before, after, place(c));
}

static int check_change(struct check *c, enum change change, int subset, int *holds) {
    int64_t ranges[RANGES][2];
    const int count = eulercl_check_get_ranges(c, ranges);
    int status = EULERCL_OK;
    for (int64_t i = 0; i < c->system.n; i++)
        set(c, c->scratch, i,
            get(c, c->clean, i) +
                (is_changed(c, change, subset, i) ? eulercl_check_random(i, 50) : 0));
    for (int r = 0; !status && *holds && r < count; r++)
        for (int64_t i = ranges[r][0]; !status && *holds && i < ranges[r][1]; i++)
            status = compare(c, change, subset, i, holds);
    return status;
}

int eulercl_check_positions(struct check *c) {
    int status = EULERCL_OK, holds = 1;
    if (!c->definition->is_position) return EULERCL_OK;
    for (int state = 0; !status && holds && state < STATES; state++) {
        status = eulercl_check_make_state(c, state, c->clean);
        for (int change = 0; !status && holds && change < CHANGES; change++) {
            if (change == SOME_POINTS && !c->definition->grid.rank) continue;
            for (int s = 0; !status && holds && s < (change == SOME_POINTS ? SUBSETS : 1); s++)
                status = check_change(c, (enum change)change, s, &holds);
        }
    }
    return status || !holds
               ? status
               : HOLDS(positions,
                     "the derivatives of positions read velocities%s alone, and those of "
                     "velocities read positions alone",
                     c->definition->grid.rank ? " of the same point" : "");
}
