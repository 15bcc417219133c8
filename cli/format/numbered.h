/* SPDX-License-Identifier: BSD-2-Clause */
/* numbered.h - names of files with a number, such as frame-%06d.png. */
#ifndef CLI_FORMAT_NUMBERED_H
#define CLI_FORMAT_NUMBERED_H

#include <stdint.h>

int is_numbered(const char *path);
/* Is the number in this path of an option valid, if there is one? */
int check_numbered(const char *option, const char *path);
/* The name of file `number`, to be freed; NULL with a message. */
char *numbered_name(const char *path, int64_t number);
/* Is the other path one of the files of a numbered path? */
int is_one_of(const char *path, const char *other);

#endif
