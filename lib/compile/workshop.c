/* SPDX-License-Identifier: BSD-2-Clause */
/* workshop.c - the private folder in which a FILE.c is compiled, with the public headers from this
 * library's own bytes. */
#include "config.h"
#include "workshop.h"
#include <errno.h>
#include <ftw.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static int remove_entry(const char *path, const struct stat *status, int type, struct FTW *walk) {
    (void)status, (void)type, (void)walk;
    return remove(path);
}

static int path_of(const struct workshop *shop, const struct header *header, char path[PATH_MAX]) {
    return snprintf(path, PATH_MAX, "%s/%s", shop->include, header->name) < PATH_MAX;
}

static void guard(const eulercl_compilation *how, const char *path, int is_there) {
    if (how->guards && *path) how->guards(path, is_there, how->user);
}

/* Report everything that may be in the folder. */
static void guard_content(
    const struct workshop *shop, const eulercl_compilation *how, int is_there) {
    const char *const names[] = {
        shop->detail, shop->include, shop->library, shop->preprocessed, shop->text, shop->log};
    char path[PATH_MAX];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) guard(how, names[i], is_there);
    for (const struct header *header = ecl_headers; header->name; header++)
        if (path_of(shop, header, path)) guard(how, path, is_there);
}

static int write_file(const char *path, const void *bytes, size_t size) {
    FILE *const file = fopen(path, "we");
    const int is_written = file && fwrite(bytes, 1, size, file) == size;
    return file && fclose(file) == 0 && is_written;
}

static int fill(const struct workshop *shop, const eulercl_compilation *how, eulercl_error *error) {
    char path[PATH_MAX];
    int is_written = !mkdir(shop->include, 0700) && !mkdir(shop->detail, 0700);
    for (const struct header *header = ecl_headers; header->name && is_written; header++)
        is_written = path_of(shop, header, path) && write_file(path, header->bytes, header->size);
    if (!is_written)
        return ecl_fail(error, EULERCL_FILE, "cannot write the headers to %s: %s", shop->include,
            strerror(errno));
    if (how->text && !write_file(shop->text, how->text, strlen(how->text)))
        return ecl_fail(error, EULERCL_FILE, "cannot write %s: %s", shop->text, strerror(errno));
    return EULERCL_OK;
}

int ecl_workshop_open(
    struct workshop *shop, const char *name, const eulercl_compilation *how, eulercl_error *error) {
    const char *parent = getenv("TMPDIR");
    sigset_t all, before;
    if (!parent || !*parent) parent = "/tmp";
    /* The longest name in the folder must fit, too. */
    const int most = PATH_MAX - 64 - (how->text ? (int)strnlen(name, PATH_MAX / 2) : 0);
    if (snprintf(shop->directory, (size_t)most, "%s/eulercl-XXXXXX", parent) >= most)
        return ecl_fail(error, EULERCL_FILE, "the path in TMPDIR is too long");
    sigfillset(&all); /* a handler that ends the program finds the folder guarded */
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const int failed = mkdtemp(shop->directory) ? 0 : errno;
    if (!failed) guard(how, shop->directory, 1);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (failed)
        return ecl_fail(
            error, EULERCL_FILE, "cannot create a folder in %s: %s", parent, strerror(failed));
    stpcpy(stpcpy(shop->include, shop->directory), "/eulercl");
    stpcpy(stpcpy(shop->detail, shop->include), "/detail");
    stpcpy(stpcpy(shop->library, shop->directory), "/problem.so");
    stpcpy(stpcpy(shop->preprocessed, shop->directory), "/text");
    stpcpy(stpcpy(shop->log, shop->directory), "/log");
    *shop->text = 0;
    if (how->text) stpcpy(stpcpy(stpcpy(shop->text, shop->directory), "/"), name);
    guard_content(shop, how, 1);
    const int status = fill(shop, how, error);
    if (status) ecl_workshop_close(shop, how);
    return status;
}

void ecl_workshop_close(const struct workshop *shop, const eulercl_compilation *how) {
    nftw(shop->directory, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
    guard_content(shop, how, 0);
    guard(how, shop->directory, 0);
}
