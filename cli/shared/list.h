/* SPDX-License-Identifier: BSD-2-Clause */
/* list.h - lists of words in options. */
#ifndef CLI_SHARED_LIST_H
#define CLI_SHARED_LIST_H

#include <stddef.h>

struct list {
    char **items; /* to be freed; they point into the text */
    size_t count;
};
/* Split the text at commas, which become ends. */
int split(const char *what, char *text, struct list *list);

#endif
