/* SPDX-License-Identifier: BSD-2-Clause */
/* file.h - a file appears under its name only when it is complete. */
#ifndef CLI_FORMAT_FILE_H
#define CLI_FORMAT_FILE_H

#include <stdio.h>

/* A file being written under a temporary name in the same folder; commit_file() renames it. A file
 * of zeros can be discarded. */
struct file {
    const char *path;
    char *temporary;
    FILE *stream;
    int is_live;   /* the temporary name is PATH.part, which can be read while it grows */
    char *kept;    /* with is_live: its beginning, to be freed; NULL: it is empty */
    int keeps_old; /* the file that it replaces becomes PATH.old */
    int is_part;   /* each process writes one, not the first process alone */
};
int begin_file(struct file *file, const char *path);
/* As begin_file, for a file whose path is set, and is_live or keeps_old. */
int open_file(struct file *file);
/* Put it in its place. */
int commit_file(struct file *file);
/* Remove it if it was not committed. */
void discard_file(struct file *file);
/* Print that writing failed, with the reason in errno. */
int fail_writing(const struct file *file);
/* PATH.old, to be freed; NULL without memory. */
char *name_old(const struct file *file);
/* Can this file be written? Asked before the computation of what it is to hold. */
int check_file(const char *path);

/* Do both names belong to one file, whatever folders they name? */
int is_same_file(const char *a, const char *b);
/* Reserve the name, which belongs to the option's path, so that this command writes nothing else to
 * it. Call it once for each name, after all options were read. */
int claim_file(const char *option, const char *path, const char *name);

/* Open for reading; a pipe, which may never deliver a byte, or a device is an error. */
int open_regular(const char *path, FILE **file);

#endif
