/* SPDX-License-Identifier: BSD-2-Clause */
/* list.c - lists of words in options. */
#include "config.h"

#include "shared/list.h"
#include "shared/message.h"

#include <stdlib.h>
#include <string.h>

int split(const char *what, char *text, struct list *list) {
    char *rest;
    free(list->items);
    *list = (struct list){.items = calloc(strlen(text) + 1, sizeof *list->items)};
    if (list->items == NULL) return fail(EULERCL_MEMORY, "no memory for a list");
    for (char *item = strtok_r(text, ",", &rest); item != NULL; item = strtok_r(NULL, ",", &rest))
        list->items[list->count++] = item;
    return list->count > 0 ? EULERCL_OK : fail(EULERCL_INVALID, "%s: the list is empty", what);
}
