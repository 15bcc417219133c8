/* SPDX-License-Identifier: BSD-2-Clause */
/* beside.c - FILE.json beside FILE, with the facts, for formats that cannot hold them; compiled
 * only with Jansson. */
#include "config.h"

#include "format/beside.h"
#include "format/format.h"
#include "shared/facts.h"
#include "shared/message.h"

#include <stdio.h>
#include <stdlib.h>

char *name_json_beside(const struct output *output) {
    char *name;
    return asprintf(&name, "%s.json", output->file.path) < 0 ? NULL : name;
}

int write_json_beside(const struct output *output, FILE *file, const struct facts *facts) {
    json_t *const object = json_facts(facts);
    if (object == NULL)
        return fail(EULERCL_INTERNAL, "cannot describe %s: no memory, or a text that is not UTF-8",
            output->file.path);
    json_dumpf(object, file, JSON_INDENT(2));
    putc('\n', file);
    json_decref(object);
    return EULERCL_OK;
}
