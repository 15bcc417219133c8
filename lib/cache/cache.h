/* SPDX-License-Identifier: BSD-2-Clause */
/* cache.h - results of earlier processes, in private, bounded folders of the user. */
#ifndef EULERCL_CACHE_H
#define EULERCL_CACHE_H
#include "../internal.h"

struct bytes {
    char *data;
    size_t size;
};
/* Read the file into memory, with a 0 behind it. data is to be freed by ecl_mem_free, and NULL on
 * failure. Errors: FILE (it cannot be read, or is too large for an entry), MEMORY. */
int ecl_bytes_read(const char *path, struct bytes *bytes, eulercl_error *error);
/* Write all of them; -> whether that worked. */
int ecl_bytes_write(int file, const struct bytes *bytes);
/* Append to bytes that have room. */
void ecl_bytes_append(struct bytes *bytes, const char *more, size_t size);
/* A number that other bytes hardly have. */
uint64_t ecl_bytes_hash(const struct bytes *bytes);

/* A descriptor of the folder of this kind of results, which is made if it is not there; -1: no
 * folder can be used. */
int ecl_cache_open(const char *kind);
/* 1: the value that was made from the key, with a 0 behind it; to be freed by ecl_mem_free. */
int ecl_cache_get(const char *kind, const struct bytes *key, struct bytes *value);
/* Keep it, if that is possible. */
void ecl_cache_put(const char *kind, const struct bytes *key, const struct bytes *value);
#endif
