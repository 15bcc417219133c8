/* SPDX-License-Identifier: BSD-2-Clause */
/* field.h - fields of a problem from files: --field NAME=FILE. */
#ifndef CLI_FORMAT_FIELD_H
#define CLI_FORMAT_FIELD_H

#include "eulercl/eulercl.h"
#include "shared/hash.h"

struct field {
    const char *name, *path; /* FILE.npy, FILE.h5[:DATASET] or FILE.png */
    char hash[HASH_DIGITS + 1];
};
/* Read NAME=FILE, whose = becomes the end of the name. */
int read_field(char *argument, struct field *field);
/* Set the fields from their files, which have this precision. *text says which fields were set, as
 * NAME:HASH with commas between them, in the order of the problem; it is to be freed, NULL if there
 * are none. */
int set_fields(eulercl_problem *problem, const eulercl_problem_info *info,
    enum eulercl_precision precision, struct field *fields, size_t count, char **text);

#endif
