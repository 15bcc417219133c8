/* SPDX-License-Identifier: BSD-2-Clause */
/* past.c - the run that a state in an HDF5 file comes from: its end, and a command without HDF5. */
#include "config.h"

#include "format/past.h"
#include "shared/message.h"

#include <stdlib.h>

#ifndef HAVE_HDF5
int read_past(const char *path, int needed, struct past *past) {
    (void)past;
    return needed ? fail(EULERCL_UNSUPPORTED, "%s: this eulercl was built without HDF5", path)
                  : EULERCL_OK;
}
#endif

void free_past(struct past *past) {
    for (size_t i = 0; i < past->n_parameters; i++) free((char *)past->parameters[i].name);
    free(past->parameters);
    free(past->problem);
    free(past->method);
    free(past->breakpoints);
    free(past->fields);
    free(past->state_hash);
    *past = (struct past){0};
}
