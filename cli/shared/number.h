/* SPDX-License-Identifier: BSD-2-Clause */
/* number.h - numbers in options: the whole text is a number, or it is an error. `what` names the
 * option in messages. */
#ifndef CLI_SHARED_NUMBER_H
#define CLI_SHARED_NUMBER_H

#include <inttypes.h>
#include <stdint.h>

int read_real(const char *what, const char *text, double *value);
int read_positive(const char *what, const char *text, double *value);
/* least <= value <= most; 1e8 means 100000000. */
int read_whole(const char *what, const char *text, int64_t least, int64_t most, int64_t *value);
/* Read finite numbers, separated by commas. The caller frees the list, which may be NULL before. */
int read_reals(const char *what, const char *text, double **list, int64_t *count);
/* The value, with the digits that are needed to read it back exactly. */
const char *real_text(double value, char buffer[32]);

#endif
