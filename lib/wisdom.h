/* SPDX-License-Identifier: BSD-2-Clause */
/* wisdom.h - what was measured, kept in a file from one program to the next. */
#ifndef EULERCL_WISDOM_H
#define EULERCL_WISDOM_H
#include "backend.h"

/* The file is text:
       eulercl wisdom 1
       KEY -> backend=NAME tuning=NAME=VALUE,... step_ps=N build_us=N      any number of them, by
   ascending KEY end COUNT CHECKSUM A key is words NAME=VALUE, as listed in wisdom.c, the value with
   %XX for what is no plain character. The checksum is FNV-1a over all bytes before its line. A file
   in which anything is different is rejected whole. Writers take turns by a lock on PATH.lock, and
   replace the file by a rename; readers need no lock. */

enum { WISDOM_KEY = 4096 };

/* What a measurement is valid for. backends: the group that was chosen from. */
void eulercl_wisdom_key(const struct run *run, const eulercl_device_info *device,
    const char *backends, char key[WISDOM_KEY]);

/* Look a key up. What is known replaces in proposal, whose options are the user's, only what these
   leave open. *found: it is there and agrees with them. No file: nothing is found. Errors: FILE
   (damaged, unreadable), MEMORY. */
int eulercl_wisdom_find(const char *wisdom, const char *key, struct proposal *proposal, int *found,
    eulercl_error *error);

/* Put one in, in the place of an earlier one with that key. Errors: FILE, MEMORY, INVALID (no file
 * is known). */
int eulercl_wisdom_remember(
    const char *wisdom, const char *key, const struct proposal *proposal, eulercl_error *error);
#endif
