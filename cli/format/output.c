/* output.c - files that are there in full or not at all.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include "shared/cli.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#ifndef HAVE_CAIRO
const struct output_format png_format = {
    .extension = ".png", .missing = "Cairo and libpng, it draws no pictures"};
const struct output_format apng_format = {
    .extension = ".apng", .missing = "Cairo and libpng, it draws no pictures"};
#endif
#ifndef HAVE_HDF5
const struct output_format hdf5_format = {.extension = ".h5", .missing = "HDF5"},
                           checkpoint_format = {.extension = ".h5", .missing = "HDF5"};
#endif
static const struct output_format *const formats[] = {
    &npy_format, &hdf5_format, &png_format, &apng_format, &table_format};
enum { FORMATS = sizeof formats / sizeof formats[0] };

static int ends_with(const char *path, const char *extension) {
    const size_t length = strlen(path), end = strlen(extension);
    return length > end && strcasecmp(path + length - end, extension) == 0;
}

const struct output_format *find_format(const char *path) {
    for (int i = 0; i < FORMATS; i++)
        if (ends_with(path, formats[i]->extension)) return formats[i];
    return NULL;
}

int check_output(const char *path) {
    const struct output_format *const format = find_format(path);
    if (format == NULL)
        return fail(
            EULERCL_INVALID, "--out %s: the name must end in .npy, .h5, .png, .apng or .csv", path);
    if (format->missing != NULL)
        return fail(EULERCL_UNSUPPORTED, "--out %s: this eulercl was built without %s", path,
            format->missing);
    return EULERCL_OK;
}

int check_checkpoint(const char *path) {
    if (checkpoint_format.missing != NULL)
        return fail(EULERCL_UNSUPPORTED, "--checkpoint %s: this eulercl was built without %s", path,
            checkpoint_format.missing);
    if (!ends_with(path, checkpoint_format.extension))
        return fail(EULERCL_INVALID, "--checkpoint %s: the name must end in .h5", path);
    return EULERCL_OK;
}

int fail_writing(const struct output *output) {
    return fail(
        EULERCL_FILE, "cannot write %s: %s", output->path, errno ? strerror(errno) : "write error");
}

/* A name that nobody has. -> a descriptor, or -1, with errno. */
static int open_secret(struct output *output) {
    const char *const slash = strrchr(output->path, '/');
    const int folder = slash == NULL ? 0 : (int)(slash - output->path) + 1;
    if (asprintf(&output->temporary, "%.*s.eulercl-XXXXXX", folder, output->path) < 0) {
        output->temporary = NULL;
        return -1;
    }
    const int descriptor = mkstemp(output->temporary);
    if (descriptor < 0) return -1;
    const mode_t mask = umask(0); /* mkstemp's 0600 is for secrets */
    umask(mask);
    fchmod(descriptor, 0666 & ~mask);
    return descriptor;
}

/* Does the name stand for the open file? */
static int is_name_of(const char *name, int descriptor) {
    struct stat named, opened;
    return lstat(name, &named) == 0 && fstat(descriptor, &opened) == 0 &&
           named.st_dev == opened.st_dev && named.st_ino == opened.st_ino;
}

/* FILE.part, which people can look at meanwhile. What an earlier run that was killed has left there
   is overwritten; a run that is alive holds a lock. What no run has made stays as it is: a link, or
   the file that it leads to, a pipe, a file with a second name. -> a descriptor, or -1, with errno
   or what *why says. */
static int open_part(struct output *output, const char **why) {
    struct stat part;
    if (asprintf(&output->temporary, "%s.part", output->path) < 0) {
        output->temporary = NULL;
        return -1;
    }
    for (;;) {
        const int descriptor =
            open(output->temporary, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666);
        if (descriptor < 0) {
            *why = errno == ELOOP ? "its .part is a symbolic link" : NULL;
            return -1;
        }
        const int is_known = fstat(descriptor, &part) == 0,
                  is_regular = is_known && S_ISREG(part.st_mode);
        const int is_locked = is_regular && flock(descriptor, LOCK_EX | LOCK_NB) == 0;
        if (is_locked && !is_name_of(output->temporary, descriptor)) {
            close(descriptor); /* the run that had it has just finished, and the file has its own
                                  name now */
            continue;
        }
        if (is_locked && part.st_nlink == 1 && ftruncate(descriptor, 0) == 0) return descriptor;
        const int error = errno == EWOULDBLOCK ? EBUSY : errno; /* "Device or resource busy" */
        *why = is_known && !is_regular           ? "its .part is not a regular file"
               : is_locked && part.st_nlink != 1 ? "its .part has a second name"
                                                 : NULL;
        close(descriptor);
        errno = error;
        return -1;
    }
}

/* Unless somebody has put another file in its place. */
static void remove_temporary(struct output *output, int descriptor) {
    if (is_name_of(output->temporary, descriptor)) unlink(output->temporary);
    release_file(output->temporary);
    free(output->temporary);
    output->temporary = NULL;
}

static int open_temporary(struct output *output) {
    struct stat target;
    const char *why = NULL;
    /* A rename would put a file in the place of a folder or a device. */
    if (stat(output->path, &target) == 0 && !S_ISREG(target.st_mode))
        return fail(EULERCL_FILE, "cannot write %s: it is not a regular file", output->path);
    begin_private();
    const int descriptor = output->format != NULL && output->format->is_live
                               ? open_part(output, &why)
                               : open_secret(output);
    const int error = errno;
    end_private(descriptor < 0 ? NULL : output->temporary);
    errno = error;
    if (descriptor < 0) {
        const int status = why == NULL
                               ? fail_writing(output)
                               : fail(EULERCL_FILE, "cannot write %s: %s", output->path, why);
        free(output->temporary);
        output->temporary = NULL;
        return status;
    }
    output->file = fdopen(descriptor, "wb");
    if (output->file == NULL) {
        const int status =
            fail(EULERCL_MEMORY, "cannot write %s: %s", output->path, strerror(errno));
        remove_temporary(output, descriptor);
        close(descriptor);
        return status;
    }
    return EULERCL_OK;
}

int begin_file(struct output *output, const char *path) {
    *output = (struct output){.path = path};
    return open_temporary(output);
}

int check_file(const char *path) {
    struct output output;
    const int status = begin_file(&output, path);
    discard_output(&output);
    return status;
}

/* ---- no file is written twice ---- */

/* A path's last part, which a rename replaces whatever it is; a link before that leads on. */
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

int claim_output(const char *option, const char *path) {
    const struct output output = {.path = path, .format = find_format(path)};
    int status = claim_file(option, path, path);
    if (!status && output.format->name_beside != NULL) {
        char *const beside = output.format->name_beside(&output);
        status = beside == NULL ? fail(EULERCL_MEMORY, "no memory for a file name")
                                : claim_file(option, path, beside);
        free(beside);
    }
    return status;
}

/* ---- beginning and end ---- */

static int begin_as(struct output *output) {
    int status = open_temporary(output);
    if (!status && output->format->name_beside != NULL) {
        char *const beside = output->format->name_beside(output);
        status =
            beside == NULL ? fail(EULERCL_MEMORY, "no memory for a file name") : check_file(beside);
        free(beside);
    }
    return !status ? output->format->begin(output) : status;
}

int begin_output(struct output *output, const char *path, const struct layout *layout, int many) {
    *output =
        (struct output){.path = path, .format = find_format(path), .layout = layout, .many = many};
    return begin_as(output);
}

/* Its name, to be freed; NULL without memory. */
static char *name_old(const struct output *output) {
    char *name;
    return asprintf(&name, "%s.old", output->path) < 0 ? NULL : name;
}

int begin_checkpoint(struct output *output, const char *path, const struct layout *layout) {
    struct stat entry;
    *output = (struct output){
        .path = path, .format = &checkpoint_format, .layout = layout, .keeps_old = 1};
    char *const old = name_old(output);
    int status = old == NULL ? fail(EULERCL_MEMORY, "no memory for a file name") : EULERCL_OK;
    if (!status && lstat(old, &entry) == 0 && !S_ISREG(entry.st_mode))
        status = fail(EULERCL_FILE, "cannot write %s: it is not a regular file", old);
    free(old);
    return !status ? begin_as(output) : status;
}

/* There is a complete file under the path at every moment, or under its old name where the file
 * system has no links. */
static int keep_old(const struct output *output) {
    struct stat entry;
    if (lstat(output->path, &entry) != 0 ||
        !S_ISREG(entry.st_mode)) /* a link is replaced; what it leads to keeps its name */
        return EULERCL_OK;
    char *const old = name_old(output);
    if (old == NULL) return fail(EULERCL_MEMORY, "no memory for a file name");
    unlink(old);
    const int failed = link(output->path, old) != 0 && rename(output->path, old) != 0;
    free(old);
    return failed ? fail_writing(output) : EULERCL_OK;
}

int commit_file(struct output *output) {
    errno = 0;
    const int failed =
        ferror(output->file) || fflush(output->file) != 0 || fsync(fileno(output->file)) != 0;
    if (failed) return fail_writing(output);
    if (!is_name_of(output->temporary, fileno(output->file)))
        return fail(EULERCL_FILE, "cannot write %s: %s was replaced meanwhile", output->path,
            output->temporary);
    if (output->keeps_old && keep_old(output)) return EULERCL_FILE;
    if (rename(output->temporary, output->path) != 0) return fail_writing(output);
    release_file(output->temporary);
    free(output->temporary);
    output->temporary = NULL;
    return EULERCL_OK;
}

static int accompany(const struct output *output, const struct facts *facts) {
    struct output beside = {0};
    char *const path = output->format->name_beside(output);
    int status = path == NULL ? fail(EULERCL_MEMORY, "no memory for a file name")
                              : begin_file(&beside, path);
    if (!status) status = output->format->write_beside(output, beside.file, facts);
    if (!status) status = commit_file(&beside);
    discard_output(&beside);
    free(path);
    return status;
}

int commit_output(struct output *output, const struct facts *facts) {
    int status =
        output->format->finish == NULL ? EULERCL_OK : output->format->finish(output, facts);
    if (!status) status = commit_file(output);
    if (!status && output->format->name_beside != NULL) status = accompany(output, facts);
    return status;
}

void discard_output(struct output *output) {
    if (output->format != NULL && output->format->discard != NULL && output->data != NULL)
        output->format->discard(output);
    if (output->temporary != NULL) remove_temporary(output, fileno(output->file));
    if (output->file != NULL) fclose(output->file);
    free(output->data);
    *output = (struct output){0};
}

#ifdef HAVE_JANSSON
char *name_json_beside(const struct output *output) {
    char *name;
    return asprintf(&name, "%s.json", output->path) < 0 ? NULL : name;
}

int write_json_beside(const struct output *output, FILE *file, const struct facts *facts) {
    json_t *const object = json_facts(facts);
    if (object == NULL)
        return fail(EULERCL_INTERNAL, "cannot describe %s: no memory, or a text that is not UTF-8",
            output->path);
    json_dumpf(object, file, JSON_INDENT(2));
    putc('\n', file);
    json_decref(object);
    return EULERCL_OK;
}
#endif
