/* SPDX-License-Identifier: BSD-2-Clause */
/* table.h - .csv files: probes and monitors over time. */
#ifndef CLI_FORMAT_TABLE_H
#define CLI_FORMAT_TABLE_H

#include "format/format.h"

extern const struct output_format table_format;

#endif
