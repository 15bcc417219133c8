/* SPDX-License-Identifier: BSD-2-Clause */
/* positions.c - whether ODE_POSITION is right, at all components that are compared. */
#include "config.h"
#include "check.h"
#include "../problem/positions.h"

static int check_change(struct check *c, enum position_change change, int *holds) {
    int64_t ranges[RANGES][2];
    const int count = ecl_check_get_ranges(c, ranges);
    struct misread misread;
    ecl_change_positions(&c->system, change, c->peak > 0 ? c->peak : 1, c->clean, c->scratch);
    for (int r = 0; r < count; r++)
        for (int64_t i = ranges[r][0]; i < ranges[r][1]; i++) {
            *holds =
                ecl_reads_as_declared(&c->system, change, i, c->t, c->clean, c->scratch, &misread);
            if (!*holds)
                return FAILS(positions, EULERCL_INTERNAL, i,
                    "%s: the derivative of component %lld changes from %.17g to %.17g %s, but "
                    "ODE_POSITION says that it cannot",
                    misread.what, (long long)i, misread.before, misread.after, place(c));
        }
    return EULERCL_OK;
}

int ecl_check_positions(struct check *c) {
    int status = EULERCL_OK, holds = 1;
    if (!c->definition->is_position) return EULERCL_OK;
    for (int state = 0; !status && holds && state < STATES; state++) {
        status = ecl_check_make_state(c, state, c->clean);
        for (int change = 0; !status && holds && change < POSITION_CHANGES; change++)
            status = check_change(c, (enum position_change)change, &holds);
    }
    return status || !holds
               ? status
               : HOLDS(positions,
                     "the derivatives of positions read velocities alone, and those of velocities "
                     "read positions alone");
}
