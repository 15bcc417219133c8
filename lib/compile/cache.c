/* SPDX-License-Identifier: BSD-2-Clause */
/* cache.c - compiled problems are kept, so that the same text is compiled once. The key is all that
 * a plug-in was made from. */
#include "config.h"
#include "cache.h"
#include "../mem.h"
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

static const char kind[] = "compiled";

int ecl_plugin_take_turn(void) {
    const int folder = ecl_cache_open(kind);
    if (folder >= 0) flock(folder, LOCK_EX); /* a signal ends the wait: then it compiles, too */
    return folder;
}

void ecl_plugin_end_turn(int turn) {
    if (turn >= 0) close(turn);
}

int ecl_plugin_fetch(const struct bytes *key, const char *library) {
    struct bytes plugin;
    if (!ecl_cache_get(kind, key, &plugin)) return 0;
    const int copy = open(library, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    int is_fetched = copy >= 0 && ecl_bytes_write(copy, &plugin);
    is_fetched = copy >= 0 && close(copy) == 0 && is_fetched;
    if (!is_fetched) unlink(library);
    ecl_mem_free(plugin.data);
    return is_fetched;
}

void ecl_plugin_store(const struct bytes *key, const char *library) {
    struct bytes plugin;
    if (!ecl_bytes_read(library, &plugin, NULL)) ecl_cache_put(kind, key, &plugin);
    ecl_mem_free(plugin.data);
}
