/* SPDX-License-Identifier: BSD-2-Clause */
/* parts.h - a file in parts: FILE.h5, and FILE.TAG.0.h5, FILE.TAG.1.h5... beside it, one for each
 * process that wrote it. The tag is new for each file, so the parts of the file that it replaces
 * stay until it has replaced it. FILE.h5 begins with a line that says which parts are its own. */
#ifndef CLI_FORMAT_PARTS_H
#define CLI_FORMAT_PARTS_H

#include "format/file.h"

enum {
    TAG = 6,           /* letters and digits */
    PARTS_BYTES = 512, /* before the content of FILE.h5; HDF5 looks for this there, too */
};

/* The parts of a file; count 0: the file has no parts. */
struct parts {
    char tag[TAG + 1];
    int count;
};

/* FILE.TAG.NUMBER.h5, to be freed; NULL without memory. */
char *part_name(const char *path, const char *tag, int number);
/* Can a part of a file have this name? It has no folder. */
int is_part_name(const char *name);
/* Where the file's name begins, behind its folder. */
const char *without_folder(const char *path);
/* Write the line at the beginning of a file that has room for it. */
int write_parts_line(const struct file *file, const struct parts *parts);
/* The parts of the file that is gone when this one is committed; to be asked before. */
void find_replaced_parts(const struct file *file, struct parts *parts);
void remove_parts(const char *path, const struct parts *parts);

#endif
