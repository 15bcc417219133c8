/* SPDX-License-Identifier: BSD-2-Clause */
/* cache.h - libraries of problems that were compiled before. */
#ifndef CLI_SHARED_CACHE_H
#define CLI_SHARED_CACHE_H

#include <stddef.h>

struct bytes {
    char *data;
    size_t size;
};
/* Read the file into memory; data, to be freed, is NULL if that fails. */
void read_bytes(const char *path, struct bytes *bytes);
/* 1: the library that was made from the key is at that path now. */
int fetch_compiled(const struct bytes *key, const char *library);
/* Wait for the turn of this process. Of processes that were started together one compiles, and the
 * others of its host find the result. -1: there is no cache. */
int take_turn(void);
void end_turn(int turn);
/* Keep it, if that is possible. */
void store_compiled(const struct bytes *key, const char *library);

#endif
