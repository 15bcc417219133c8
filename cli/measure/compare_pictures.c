/* SPDX-License-Identifier: BSD-2-Clause */
/* compare_pictures.c - pictures of states for the report of eulercl compare. */
#include "config.h"

#include "format/format.h"
#include "format/picture.h"
#include "format/state.h"
#include "measure/comparison.h"
#include "report/compare.h"
#include "shared/facts.h"
#include "shared/message.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef HAVE_CAIRO
static int add_to(int64_t first, int64_t count, const void *y, void *output) {
    return add_to_picture(output, first, count, y);
}

static int draw_state(struct comparison *c, eulercl_solver *solver, const char *what,
    int64_t component, struct compare_picture *picture) {
    const struct layout layout = {
        .info = &c->info, .precision = stats_of(solver).precision, .component = component};
    struct output output = {.file.path = c->report, .layout = &layout};
    const double t = stats_of(solver).t;
    char hash[17];
    int status = begin_picture(&output);
    if (!status) status = begin_picture_state(&output);
    if (!status)
        status = stream_state(solver, c->info.n, layout.precision, c->chunk, add_to, &output, hash);
    FILE *const file = !status ? open_memstream(&picture->png, &picture->size) : NULL;
    if (!status)
        status = file == NULL ? fail(EULERCL_MEMORY, "no memory for a picture")
                              : draw_picture(&output, t, file, NULL);
    if (file != NULL && fclose(file) != 0 && !status)
        status = fail(EULERCL_MEMORY, "no memory for a picture");
    if (c->info.boundary != NULL)
        snprintf(picture->title, sizeof picture->title,
            "The %s state, component %" PRId64 ", t = %g", what, component, t);
    else
        snprintf(picture->title, sizeof picture->title, "The %s state, t = %g", what, t);
    free(output.data);
    return status;
}

int draw_states(struct comparison *c, eulercl_solver *solver, const char *what) {
    const int64_t components = c->info.components;
    int status = EULERCL_OK;
    for (int64_t i = 0; i < components && i < MOST_COMPONENTS && !status; i++)
        status = draw_state(c, solver, what, i, &c->compare->pictures[c->compare->n_pictures++]);
    return status;
}
#else
int draw_states(struct comparison *c, eulercl_solver *solver, const char *what) {
    (void)c;
    (void)solver;
    (void)what;
    return EULERCL_OK;
}
#endif
