/* SPDX-License-Identifier: BSD-2-Clause */
/* wisdom.h - measurements, kept in a file from one program to the next. */
#ifndef EULERCL_WISDOM_H
#define EULERCL_WISDOM_H
#include "../run/backend.h"

/* The file is text: the line "eulercl wisdom 1"; then any number of lines, by ascending KEY,

       KEY -> backend=NAME tuning=NAME=VALUE,... step_ps=N build_us=N

   and the line "end COUNT CHECKSUM". A key is words NAME=VALUE, as listed in wisdom.c, the value
   with %XX for special characters. The checksum is FNV-1a over all bytes before its line. A file
   with any difference is rejected as a whole. Writers are serialised by a lock on PATH.lock, and
   replace the file by a rename; readers need no lock. */

enum { WISDOM_KEY = 4096 };

/* A checksum of the problem's text, if it has one, and of its other properties. */
uint64_t ecl_problem_sum(const struct ode_problem *definition);

/* The key of a measurement: what it is valid for. backends: those that were compared. */
void ecl_wisdom_key(const struct run *run, const eulercl_device_info *device, const char *backends,
    char key[WISDOM_KEY]);

/* Look a key up. The entry fills in the unset parameters of proposal, whose options are the user's.
 * *found: there is an entry, and it agrees with the options. A missing file has no entries. Errors:
 * FILE (damaged, unreadable), MEMORY. */
int ecl_wisdom_find(const char *wisdom, const char *key, struct proposal *proposal, int *found,
    eulercl_error *error);

/* Add an entry, replacing an earlier one with that key. Errors: FILE, MEMORY, INVALID (there is no
 * path of a wisdom file). */
int ecl_wisdom_remember(
    const char *wisdom, const char *key, const struct proposal *proposal, eulercl_error *error);
#endif
