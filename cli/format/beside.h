/* SPDX-License-Identifier: BSD-2-Clause */
/* beside.h - FILE.json beside FILE, with the facts, for formats that cannot hold them. */
#ifndef CLI_FORMAT_BESIDE_H
#define CLI_FORMAT_BESIDE_H

#include "config.h"

#include "format/format.h"

#ifdef HAVE_JANSSON
char *name_json_beside(const struct output *output);
int write_json_beside(const struct output *output, FILE *file, const struct facts *facts);
#define JSON_BESIDE .name_beside = name_json_beside, .write_beside = write_json_beside
#else
#define JSON_BESIDE .name_beside = NULL
#endif

#endif
