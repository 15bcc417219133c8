/* SPDX-License-Identifier: BSD-2-Clause */
/* script.h - plots and pages by eulercl-report, a script in Python whose text is a part of the
 * command. */
#ifndef CLI_REPORT_SCRIPT_H
#define CLI_REPORT_SCRIPT_H

#include "shared/json.h"
#include "shared/list.h"

extern const unsigned char report_script[];

/* Run the script with these options. It prints its messages itself. csv: the file of --csv, or
 * NULL. document: what was measured; NULL: the script only finds errors in the options. */
int run_script(const struct list *options, const char *csv, const json_t *document);

#endif
