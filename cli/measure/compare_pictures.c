/* SPDX-License-Identifier: BSD-2-Clause */
/* compare_pictures.c - pictures of states for the page of eulercl compare. */
#include "config.h"

#include "format/format.h"
#include "format/picture.h"
#include "format/state.h"
#include "measure/comparison.h"
#include "shared/facts.h"
#include "shared/json.h"
#include "shared/message.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef HAVE_CAIRO
static int add_to(int64_t first, int64_t count, const void *y, void *output) {
    return add_to_picture(output, first, count, y);
}

static json_t *json_base64(const char *bytes, size_t size) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char *const text = malloc(size / 3 * 4 + 5), *end = text;
    for (size_t i = 0; i < size && text != NULL; i += 3) {
        uint32_t group = 0;
        for (size_t k = 0; k < 3; k++)
            group = group << 8 | (i + k < size ? (unsigned char)bytes[i + k] : 0);
        for (size_t k = 0; k < 4; k++)
            *end++ = k > 1 && i + k > size ? '=' : digits[group >> (18 - 6 * k) & 63];
    }
    json_t *const string = text == NULL ? NULL : json_stringn(text, (size_t)(end - text));
    free(text);
    return string;
}

static int draw_state(
    struct comparison *c, eulercl_solver *solver, const char *what, int64_t component) {
    const struct layout layout = {
        .info = &c->system->info, .precision = stats_of(solver).precision, .component = component};
    struct output output = {.file.path = "a picture", .layout = &layout};
    const double t = stats_of(solver).t;
    char hash[17], title[128], *png = NULL;
    size_t size = 0;
    int status = begin_picture(&output);
    if (!status) status = begin_picture_state(&output);
    if (!status)
        status = stream_state(
            solver, c->system->info.n, layout.precision, c->chunk, add_to, &output, hash);
    FILE *const file = !status ? open_memstream(&png, &size) : NULL;
    if (file != NULL) status = draw_picture(&output, t, file, NULL);
    if (c->system->info.boundary != NULL)
        snprintf(
            title, sizeof title, "The %s state, component %" PRId64 ", t = %g", what, component, t);
    else
        snprintf(title, sizeof title, "The %s state, t = %g", what, t);
    if (!status &&
        (file == NULL || fflush(file) != 0 ||
            json_array_append_new(c->report->pictures,
                json_pack("{s:s, s:o}", "title", title, "png", json_base64(png, size))) != 0))
        status = fail(EULERCL_MEMORY, "no memory for a picture");
    if (file != NULL) fclose(file);
    free(png);
    free(output.data);
    return status;
}

int draw_states(struct comparison *c, eulercl_solver *solver, const char *what) {
    int status = EULERCL_OK;
    if (c->report->pictures == NULL) c->report->pictures = json_array();
    for (int64_t i = 0; i < c->system->info.components && i < MOST_COMPONENTS && !status; i++)
        status = draw_state(c, solver, what, i);
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
