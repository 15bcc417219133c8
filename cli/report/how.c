/* how.c - how a run was done, in a few words for tables.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include "config.h"

#include "report/how.h"

#include <inttypes.h>
#include <stdio.h>

static const char *plural(uint64_t count) { return count == 1 ? "" : "s"; }

void print_how(FILE *file, const eulercl_stats *stats, const char *storage, const char *plan) {
    if (stats->threads > 0)
        fprintf(file, "%" PRIu64 " thread%s", stats->threads, plural(stats->threads));
    else
        fprintf(file, "%" PRIu64 " x %" PRIu64 " items", stats->workgroups, stats->workgroup_size);
    if (stats->dia_blocks > 0)
        fprintf(file, ", %" PRIu64 " tile%s of %" PRIu64 " x %" PRIu64, stats->tiles,
            plural(stats->tiles), stats->dia_blocks, stats->block_size);
    if (stats->points_per_item > 0)
        fprintf(file, ", %" PRIu64 " x %" PRIu64 " points each", stats->points_per_item,
            stats->rows_per_item);
    if (stats->steps_per_launch > 1)
        fprintf(file, ", %" PRIu64 " steps a launch", stats->steps_per_launch);
    if (stats->persistent) fprintf(file, ", persistent");
    if (*storage != '\0') fprintf(file, ", %s", storage);
    if (*plan != '\0') fprintf(file, " (%s)", plan);
}
