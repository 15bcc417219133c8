/* SPDX-License-Identifier: BSD-2-Clause */
/* file.c - a file appears under its name only when it is complete. */
#include "config.h"

#include "format/file.h"
#include "shared/message.h"
#include "shared/processes.h"
#include "shared/stop.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

int fail_writing(const struct file *file) {
    return fail(
        EULERCL_FILE, "cannot write %s: %s", file->path, errno ? strerror(errno) : "write error");
}

/* Create a file with a new name. Returns a descriptor, or -1 and errno. */
static int open_secret(struct file *file) {
    const char *const slash = strrchr(file->path, '/');
    const int folder = slash == NULL ? 0 : (int)(slash - file->path) + 1;
    if (asprintf(&file->temporary, "%.*s.eulercl-XXXXXX", folder, file->path) < 0) {
        file->temporary = NULL;
        return -1;
    }
    const int descriptor = mkstemp(file->temporary);
    if (descriptor < 0) return -1;
    const mode_t mask = umask(0); /* mkstemp creates files with 0600 */
    umask(mask);
    fchmod(descriptor, 0666 & ~mask);
    return descriptor;
}

/* Is this the name of the open file? */
static int is_name_of(const char *name, int descriptor) {
    struct stat named, opened;
    return lstat(name, &named) == 0 && fstat(descriptor, &opened) == 0 &&
           named.st_dev == opened.st_dev && named.st_ino == opened.st_ino;
}

/* Replace FILE.part, which is locked, by a new file that begins with the kept part. The old file
 * may be the only one that has this part. Returns a descriptor, or -1 and errno. */
static int replace_part(struct file *file, int before) {
    char *const part = file->temporary;
    const size_t count = strlen(file->kept);
    const int descriptor = open_secret(file);
    const int is_there = descriptor >= 0 && flock(descriptor, LOCK_EX | LOCK_NB) == 0 &&
                         write(descriptor, file->kept, count) == (ssize_t)count &&
                         fsync(descriptor) == 0 && rename(file->temporary, part) == 0;
    const int error = errno;
    if (!is_there && descriptor >= 0) unlink(file->temporary), close(descriptor);
    close(before);
    free(file->temporary);
    file->temporary = part;
    errno = error;
    return is_there ? descriptor : -1;
}

/* Open FILE.part, which users can read meanwhile. The file of an earlier run that was killed is
 * overwritten; a running run holds a lock. Files that no run has created are left alone: a link and
 * its target, a pipe, a file with a second name. Returns a descriptor, or -1 with errno or *why. */
static int open_part(struct file *file, const char **why) {
    struct stat part;
    if (asprintf(&file->temporary, "%s.part", file->path) < 0) {
        file->temporary = NULL;
        return -1;
    }
    for (;;) {
        const int descriptor =
            open(file->temporary, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666);
        if (descriptor < 0) {
            *why = errno == ELOOP ? "its .part is a symbolic link" : NULL;
            return -1;
        }
        const int is_known = fstat(descriptor, &part) == 0,
                  is_regular = is_known && S_ISREG(part.st_mode);
        const int is_locked = is_regular && flock(descriptor, LOCK_EX | LOCK_NB) == 0;
        if (is_locked && !is_name_of(file->temporary, descriptor)) {
            close(descriptor); /* the run that held the lock has just renamed the file */
            continue;
        }
        if (is_locked && part.st_nlink == 1) {
            if (file->kept != NULL) return replace_part(file, descriptor);
            if (ftruncate(descriptor, 0) == 0) return descriptor;
        }
        const int error = errno == EWOULDBLOCK ? EBUSY : errno; /* "Device or resource busy" */
        *why = is_known && !is_regular           ? "its .part is not a regular file"
               : is_locked && part.st_nlink != 1 ? "its .part has a second name"
                                                 : NULL;
        close(descriptor);
        errno = error;
        return -1;
    }
}

/* Remove the file, unless another one has its name now. */
static void remove_temporary(struct file *file, int descriptor) {
    if (is_name_of(file->temporary, descriptor)) unlink(file->temporary);
    release_file(file->temporary);
    free(file->temporary);
    file->temporary = NULL;
}

char *name_old(const struct file *file) {
    char *name;
    return asprintf(&name, "%s.old", file->path) < 0 ? NULL : name;
}

static int check_old(const struct file *file) {
    struct stat entry;
    char *const old = name_old(file);
    int status = old == NULL ? fail(EULERCL_MEMORY, "no memory for a file name") : EULERCL_OK;
    if (!status && lstat(old, &entry) == 0 && !S_ISREG(entry.st_mode))
        status = fail(EULERCL_FILE, "cannot write %s: it is not a regular file", old);
    free(old);
    return status;
}

int open_file(struct file *file) {
    struct stat target;
    const char *why = NULL;
    if (!is_first_process() && !file->is_part) {
        file->stream = fopen("/dev/null", "wb");
        return file->stream != NULL ? EULERCL_OK : fail_writing(file);
    }
    /* A rename would replace a folder or a device by a file. */
    if (stat(file->path, &target) == 0 && !S_ISREG(target.st_mode))
        return fail(EULERCL_FILE, "cannot write %s: it is not a regular file", file->path);
    const int refused = file->keeps_old ? check_old(file) : EULERCL_OK;
    if (refused) return refused;
    begin_private();
    const int descriptor = file->is_live ? open_part(file, &why) : open_secret(file);
    const int error = errno;
    end_private(descriptor < 0 ? NULL : file->temporary);
    errno = error;
    if (descriptor < 0) {
        const int status = why == NULL ? fail_writing(file)
                                       : fail(EULERCL_FILE, "cannot write %s: %s", file->path, why);
        free(file->temporary);
        file->temporary = NULL;
        return status;
    }
    file->stream = fdopen(descriptor, "wb");
    if (file->stream == NULL) {
        const int status = fail(EULERCL_MEMORY, "cannot write %s: %s", file->path, strerror(errno));
        remove_temporary(file, descriptor);
        close(descriptor);
        return status;
    }
    return EULERCL_OK;
}

int begin_file(struct file *file, const char *path) {
    *file = (struct file){.path = path};
    return open_file(file);
}

int check_file(const char *path) {
    struct file file;
    const int status = begin_file(&file, path);
    discard_file(&file);
    return status;
}

/* ---- the end ---- */

/* At every moment there is a complete file under the path or, if the file system has no links,
 * under its old name. */
static int keep_old(const struct file *file) {
    struct stat entry;
    if (lstat(file->path, &entry) != 0 ||
        !S_ISREG(entry.st_mode)) /* a link is replaced; what it leads to keeps its name */
        return EULERCL_OK;
    char *const old = name_old(file);
    if (old == NULL) return fail(EULERCL_MEMORY, "no memory for a file name");
    unlink(old);
    const int failed = link(file->path, old) != 0 && rename(file->path, old) != 0;
    free(old);
    return failed ? fail_writing(file) : EULERCL_OK;
}

int commit_file(struct file *file) {
    if (!is_first_process() && !file->is_part) return EULERCL_OK;
    errno = 0;
    const int failed =
        ferror(file->stream) || fflush(file->stream) != 0 || fsync(fileno(file->stream)) != 0;
    if (failed) return fail_writing(file);
    if (!is_name_of(file->temporary, fileno(file->stream)))
        return fail(EULERCL_FILE, "cannot write %s: %s was replaced meanwhile", file->path,
            file->temporary);
    if (file->keeps_old && keep_old(file)) return EULERCL_FILE;
    if (rename(file->temporary, file->path) != 0) return fail_writing(file);
    release_file(file->temporary);
    free(file->temporary);
    file->temporary = NULL;
    return EULERCL_OK;
}

void discard_file(struct file *file) {
    if (file->temporary != NULL) remove_temporary(file, fileno(file->stream));
    if (file->stream != NULL) fclose(file->stream);
    free(file->kept);
    *file = (struct file){0};
}

/* ---- no file is written twice ---- */

/* The last part of a path. A rename replaces it, even if it is a link; links before it are
 * followed. */
static const char *split_path(const char *path, struct stat *folder) {
    const char *const slash = strrchr(path, '/');
    char *const before = slash == NULL ? strdup(".") : strndup(path, (size_t)(slash - path) + 1);
    const int is_there = before != NULL && stat(before, folder) == 0;
    free(before);
    return !is_there ? NULL : slash == NULL ? path : slash + 1;
}

int is_same_file(const char *a, const char *b) {
    struct stat folder_a, folder_b;
    const char *const name_a = split_path(a, &folder_a), *const name_b = split_path(b, &folder_b);
    return name_a != NULL && name_b != NULL && strcmp(name_a, name_b) == 0 &&
           folder_a.st_dev == folder_b.st_dev && folder_a.st_ino == folder_b.st_ino;
}

int claim_file(const char *option, const char *path, const char *name) {
    static char **claimed; /* until the command ends */
    static size_t count;
    for (size_t i = 0; i < count; i++)
        if (is_same_file(claimed[i], name))
            return fail(EULERCL_INVALID, "%s %s: %s would be written twice", option, path, name);
    char **const more = reallocarray(claimed, count + 1, sizeof *more);
    if (more != NULL) claimed = more;
    if (more == NULL || (more[count] = strdup(name)) == NULL)
        return fail(EULERCL_MEMORY, "no memory for a file name");
    count++;
    return EULERCL_OK;
}

/* ---- reading ---- */

int open_regular(const char *path, FILE **file) {
    struct stat entry;
    const int descriptor = open(path,
        /* this open does not wait for the other end of a pipe */
        O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    const int is_known = descriptor >= 0 && fstat(descriptor, &entry) == 0,
              is_regular = is_known && S_ISREG(entry.st_mode);
    *file = is_regular ? fdopen(descriptor, "rb") : NULL;
    if (*file != NULL) return EULERCL_OK;
    const int status = is_known && !is_regular
                           ? fail(EULERCL_FILE, "%s is not a regular file", path)
                           : fail(EULERCL_FILE, "%s: %s", path, strerror(errno));
    if (descriptor >= 0) close(descriptor);
    return status;
}
