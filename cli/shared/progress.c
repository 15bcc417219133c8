/* progress.c - the line that a user sees while a run goes on.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include "config.h"

#include "shared/progress.h"
#include "shared/clock.h"
#include "shared/facts.h"
#include "shared/message.h"
#include "shared/stop.h"

#include <inttypes.h>
#include <stdio.h>

int show_progress(eulercl_solver *solver, const eulercl_progress *done, void *user) {
    struct progress *const progress = user;
    const double elapsed = wall_clock() - progress->start;
    if (progress->terminal && elapsed > 1 && done->steps_done > 0) {
        eulercl_stats stats = {.struct_size = sizeof stats};
        eulercl_get_stats(solver, &stats, NULL);
        const double steps = (double)stats.steps, made = steps - (double)stats.resumed_steps,
                     left = (double)progress->steps_total - steps;
        char line[128];
        snprintf(line, sizeof line,
            "%5.1f %%  step %" PRId64 " of %" PRId64 "  t = %g  %.3g Gcs/s  %.0f s left",
            100 * steps / (double)progress->steps_total, stats.steps, progress->steps_total,
            done->t, 1e-9 * steps_rate(&stats), elapsed * left / made);
        show_line(line);
    }
    return is_stopping() || is_due(progress->limit) || is_due(progress->due);
}
