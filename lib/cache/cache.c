/* SPDX-License-Identifier: BSD-2-Clause */
/* cache.c - results that take long to make, kept in private folders of the user, one for each kind.
 *
 * An entry is one file: a line with sizes and a checksum, the key, the value. The key is all that
 * the value was made from, in full, and is compared in full, so the hash that names the file
 * decides nothing. An entry that cannot be used is ignored: nothing here is an error. Another
 * format needs another number in the first line. */
#include "config.h"
#include "cache.h"
#include "../mem.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
    MOST_ENTRIES = 200,
    MOST_BYTES = 128 << 20, /* the most bytes of the folder */
    MOST_ENTRY = 16 << 20,
    LOST_SECONDS = 3600, /* after which an unfinished file counts as abandoned */
    NAME_SIZE = 64,
};
static const char unfinished[] = "new-";

/* FNV-1a, 64 bits. */
static uint64_t add_to_hash(uint64_t hash, const struct bytes *bytes) {
    for (size_t i = 0; i < bytes->size; i++)
        hash = (hash ^ (unsigned char)bytes->data[i]) * 0x100000001b3u;
    return hash;
}

static uint64_t hash_of(const struct bytes *first, const struct bytes *second) {
    return add_to_hash(add_to_hash(0xcbf29ce484222325u, first), second);
}

uint64_t ecl_bytes_hash(const struct bytes *bytes) { return hash_of(bytes, &(struct bytes){0}); }

static void name_entry(const struct bytes *key, char name[NAME_SIZE]) {
    snprintf(name, NAME_SIZE, "%016" PRIx64, ecl_bytes_hash(key));
}

static int begin_line(
    const char *kind, const struct bytes *key, const struct bytes *value, char line[128]) {
    return snprintf(line, 128, "eulercl-%s 1 %zu %zu %016" PRIx64 "\n", kind, key->size,
        value->size, hash_of(key, value));
}

/* ---- the folder ---- */

/* Is the folder private to this user? */
static int is_private(const struct stat *entry) {
    return entry->st_uid == geteuid() && (entry->st_mode & (S_IRWXG | S_IRWXO)) == 0;
}

/* Its path, whose folders are made if `makes`; 0: there is none. */
static int find_path(const char *kind, int makes, char path[PATH_MAX]) {
    const char *const below[] = {"eulercl", kind};
    const char *const cache = getenv("XDG_CACHE_HOME"), *const home = getenv("HOME");
    const int is_given = cache != NULL && *cache != '\0';
    int length = snprintf(path, PATH_MAX, "%s%s",
        is_given       ? cache
        : home == NULL ? ""
                       : home,
        is_given ? "" : "/.cache");
    if (*path != '/' || length >= PATH_MAX - 32) return 0;
    if (makes) mkdir(path, 0700);
    for (size_t i = 0; i < sizeof below / sizeof below[0]; i++) {
        length += snprintf(path + length, PATH_MAX - (size_t)length, "/%s", below[i]);
        if (makes) mkdir(path, 0700); /* a failure is found when the folder is opened */
    }
    return 1;
}

/* As ecl_cache_open, of a folder that is there. */
static int open_folder(const char *kind, int makes) {
    char path[PATH_MAX];
    struct stat entry;
    if (!find_path(kind, makes, path)) return -1;
    const int folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (folder >= 0 && fstat(folder, &entry) == 0 && is_private(&entry)) return folder;
    if (folder >= 0) close(folder);
    return -1;
}

int ecl_cache_open(const char *kind) {
    const int folder = open_folder(kind, 0);
    return folder >= 0 ? folder : open_folder(kind, 1);
}

/* ---- files in memory ---- */

/* Read the whole file and close it. */
static int read_descriptor(int file, struct bytes *bytes, eulercl_error *error) {
    struct stat entry;
    *bytes = (struct bytes){0};
    const int is_readable = file >= 0 && !fstat(file, &entry) && S_ISREG(entry.st_mode) &&
                            entry.st_size >= 0 && entry.st_size <= MOST_ENTRY;
    if (is_readable) bytes->data = ecl_mem_zeroed((uint64_t)entry.st_size + 1, 1);
    const int status = is_readable && !bytes->data ? ecl_no_memory(error, "a file") : EULERCL_FILE;
    while (bytes->data && bytes->size < (size_t)entry.st_size) {
        const ssize_t count =
            read(file, bytes->data + bytes->size, (size_t)entry.st_size - bytes->size);
        if (count > 0)
            bytes->size += (size_t)count;
        else if (count == 0 || errno != EINTR)
            break;
    }
    if (file >= 0) close(file);
    if (bytes->data && bytes->size == (size_t)entry.st_size) return EULERCL_OK;
    ecl_mem_free(bytes->data);
    *bytes = (struct bytes){0};
    return status == EULERCL_MEMORY ? status : ecl_fail(error, status, "a file cannot be read");
}

int ecl_bytes_read(const char *path, struct bytes *bytes, eulercl_error *error) {
    return read_descriptor(open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC), bytes, error);
}

void ecl_bytes_append(struct bytes *bytes, const char *more, size_t size) {
    memcpy(bytes->data + bytes->size, more, size);
    bytes->size += size;
}

int ecl_bytes_write(int file, const struct bytes *bytes) {
    for (size_t done = 0; done < bytes->size;) {
        const ssize_t count = write(file, bytes->data + done, bytes->size - done);
        if (count > 0)
            done += (size_t)count;
        else if (count == 0 || errno != EINTR)
            return 0;
    }
    return 1;
}

/* ---- entries ---- */

int ecl_cache_get(const char *kind, const struct bytes *key, struct bytes *value) {
    const int folder = open_folder(kind, 0);
    char name[NAME_SIZE], line[128];
    struct bytes bytes = {0};
    struct stat entry;
    *value = (struct bytes){0};
    if (folder < 0) return 0;
    name_entry(key, name);
    const int file = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (file >= 0 && fstat(file, &entry) == 0 && is_private(&entry))
        read_descriptor(dup(file), &bytes, NULL);
    const char *const end = bytes.data == NULL ? NULL : memchr(bytes.data, '\n', bytes.size);
    const size_t begin = end == NULL ? 0 : (size_t)(end - bytes.data) + 1;
    if (begin > 0 && bytes.size - begin > key->size &&
        memcmp(bytes.data + begin, key->data, key->size) == 0) {
        const struct bytes rest = {bytes.data + begin + key->size, bytes.size - begin - key->size};
        if (begin_line(kind, key, &rest, line) == (int)begin &&
            memcmp(line, bytes.data, begin) == 0) {
            /* Mark it as used: the least recently used entries are removed first. */
            futimens(file, NULL);
            memmove(bytes.data, rest.data, rest.size + 1);
            *value = (struct bytes){bytes.data, rest.size};
        }
    }
    if (!value->data) ecl_mem_free(bytes.data);
    if (file >= 0) close(file);
    close(folder);
    return value->data != NULL;
}

struct entry {
    char name[NAME_SIZE];
    time_t used;
    off_t size;
};

static int by_age(const void *a, const void *b) {
    const struct entry *const first = a, *const second = b;
    return (first->used < second->used) - (first->used > second->used);
}

/* Remove the least recently used entries until the rest is within the bounds. Two processes may do
 * so at the same time. */
static void trim(int folder) {
    DIR *const names = fdopendir(dup(folder));
    size_t count = 0, room = 0;
    off_t bytes = 0;
    if (!names) return;
    rewinddir(names); /* all copies of the descriptor share the position */
    while (readdir(names)) room++;
    struct entry *const entries = ecl_mem_zeroed(room, sizeof *entries);
    rewinddir(names);
    for (const struct dirent *next; entries && count < room && (next = readdir(names));) {
        struct stat entry;
        if (strlen(next->d_name) >= NAME_SIZE ||
            fstatat(folder, next->d_name, &entry, AT_SYMLINK_NOFOLLOW) != 0 ||
            !S_ISREG(entry.st_mode))
            continue;
        if (strncmp(next->d_name, unfinished, sizeof unfinished - 1) == 0) {
            if (time(NULL) - entry.st_mtime > LOST_SECONDS) unlinkat(folder, next->d_name, 0);
            continue;
        }
        strcpy(entries[count].name, next->d_name);
        entries[count].used = entry.st_mtime;
        entries[count++].size = entry.st_size;
    }
    closedir(names);
    if (count > 0) qsort(entries, count, sizeof *entries, by_age);
    for (size_t i = 0; i < count; i++) {
        bytes += entries[i].size;
        if (i >= MOST_ENTRIES || bytes > MOST_BYTES) unlinkat(folder, entries[i].name, 0);
    }
    ecl_mem_free(entries);
}

void ecl_cache_put(const char *kind, const struct bytes *key, const struct bytes *value) {
    const int folder = ecl_cache_open(kind);
    char name[NAME_SIZE], temporary[NAME_SIZE], line[128];
    struct timespec now;
    if (folder < 0) return;
    if (value->size < MOST_ENTRY - sizeof line &&
        key->size < MOST_ENTRY - sizeof line - value->size) {
        const struct bytes first = {line, (size_t)begin_line(kind, key, value, line)};
        name_entry(key, name);
        clock_gettime(CLOCK_REALTIME, &now);
        snprintf(temporary, sizeof temporary, "%s%ld-%lld-%ld", unfinished, (long)getpid(),
            (long long)now.tv_sec, now.tv_nsec);
        const int file =
            openat(folder, temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
        int is_written = file >= 0 && ecl_bytes_write(file, &first) && ecl_bytes_write(file, key) &&
                         ecl_bytes_write(file, value);
        is_written = file >= 0 && close(file) == 0 && is_written;
        if (is_written && renameat(folder, temporary, folder, name) == 0)
            trim(folder);
        else if (file >= 0)
            unlinkat(folder, temporary, 0);
    }
    close(folder);
}
