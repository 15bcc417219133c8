/* how.h - how a run was done, in a few words for tables.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef CLI_REPORT_HOW_H
#define CLI_REPORT_HOW_H

#include <stdio.h>

#include "eulercl/eulercl.h"

/* Print the tiles, items and threads that were chosen. The texts of stats may be invalid. */
void print_how(FILE *file, const eulercl_stats *stats, const char *storage, const char *plan);

#endif
