/* SPDX-License-Identifier: BSD-2-Clause */
/* cache.h - plug-ins that were compiled before. */
#ifndef EULERCL_COMPILE_CACHE_H
#define EULERCL_COMPILE_CACHE_H
#include "../internal.h"

struct bytes {
    char *data;
    size_t size;
};
/* Read the file into memory, with a 0 behind it. data is to be freed by ecl_mem_free, and NULL on
 * failure. Errors: FILE (it cannot be read, or is too large for an entry), MEMORY. */
int ecl_bytes_read(const char *path, struct bytes *bytes, eulercl_error *error);

/* 1: the plug-in that was made from the key is at that path now. */
int ecl_cache_fetch(const struct bytes *key, const char *library);
/* Keep it, if that is possible. */
void ecl_cache_store(const struct bytes *key, const char *library);
/* Wait for the turn of this process. Of processes that were started together one compiles, and the
 * others of its host find the result. -1: there is no cache. */
int ecl_cache_take_turn(void);
void ecl_cache_end_turn(int turn);
#endif
