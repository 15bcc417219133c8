/* SPDX-License-Identifier: BSD-2-Clause */
/* progress.c - the line that a user sees while a run goes on. */
#include "config.h"

#include "shared/progress.h"
#include "shared/clock.h"
#include "shared/facts.h"
#include "shared/message.h"
#include "shared/stop.h"

#include <inttypes.h>
#include <stdio.h>

/* How much of the run is done, by steps or by time. */
static double done_share(
    const struct progress *progress, const eulercl_stats *stats, int64_t total) {
    return total > 0 ? (double)stats->steps / (double)total
                     : (stats->t - progress->t0) / (progress->t_end - progress->t0);
}

int show_progress(eulercl_solver *solver, const eulercl_progress *done, void *user) {
    struct progress *const progress = user;
    static const double between = 0.1; /* lines, in seconds */
    const double now = wall_clock(), elapsed = now - progress->start;
    const int is_shown = progress->terminal && elapsed > 1 && done->steps_done > 0 &&
                         now - progress->shown > between;
    const eulercl_stats stats = stats_of(solver);
    if (is_shown) {
        progress->shown = now;
        const int64_t total = progress->last_step != NULL ? *progress->last_step : 0;
        const double share = done_share(progress, &stats, total),
                     resumed = total > 0 ? (double)stats.resumed_steps / (double)total : 0;
        char line[128], of[32] = "";
        if (total > 0) snprintf(of, sizeof of, " of %" PRId64, total);
        snprintf(line, sizeof line, "%5.1f %%  step %" PRId64 "%s  t = %g  %.3g Gcs/s  %.0f s left",
            100 * share, stats.steps, of, done->t, 1e-9 * steps_rate(&stats),
            elapsed * (1 - share) / (share - resumed));
        show_line(line);
    }
    return is_stopping() || is_due(progress->limit) || is_due(progress->due);
}
