/* SPDX-License-Identifier: BSD-2-Clause */
/* thinned.c - see thinned.h. */
#include "config.h"

#include "format/thinned.h"
#include "shared/message.h"
#include "shared/number.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int find_mode(const char *name, struct thinned *thinned) {
    const char *known;
    char all[128] = "";
    for (size_t i = 0; (known = eulercl_thin_mode_name(i)) != NULL; i++) {
        thinned->mode = (int32_t)i;
        if (strcmp(name, known) == 0) return EULERCL_OK;
        snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s", i ? ", " : "", known);
    }
    return fail(EULERCL_INVALID, "--thin: '%s' is not one of %s", name, all);
}

int read_thin(const char *text, struct thinned *thinned) {
    char *const number = strdup(text), *const colon = number == NULL ? NULL : strchr(number, ':');
    if (number == NULL) return fail(EULERCL_MEMORY, "no memory for the options");
    if (colon != NULL) *colon = '\0';
    int status = read_whole("--thin", number, 1, INT64_MAX, &thinned->n);
    if (!status)
        status = find_mode(
            colon != NULL ? colon + 1 : eulercl_thin_mode_name(EULERCL_THIN_MEAN), thinned);
    if (!status)
        snprintf(thinned->text, sizeof thinned->text, "%" PRId64 ":%s", thinned->n,
            eulercl_thin_mode_name((size_t)thinned->mode));
    free(number);
    return status;
}

int read_smooth(const char *text, struct thinned *thinned) {
    const int status = read_whole("--smooth", text, 0, EULERCL_MOST_SMOOTHING, &thinned->smoothing);
    if (!status && thinned->smoothing > 0 && thinned->n == 0) { /* all points, but for --thin */
        thinned->n = 1;
        thinned->mode = EULERCL_THIN_EVERY;
    }
    return status;
}

int begin_thinned(struct thinned *thinned, const struct layout *layout) {
    eulercl_problem_info *const info = &thinned->info;
    int64_t blocks = 1;
    *info = *layout->info;
    thinned->layout = *layout;
    thinned->layout.info = info;
    thinned->layout.thin = thinned->text[0] != '\0' ? thinned->text : NULL;
    thinned->layout.smoothing = thinned->smoothing;
    for (int d = 0; d < AXES; d++) {
        info->extents[d] = (info->extents[d] - 1) / thinned->n + 1;
        blocks *= info->extents[d];
    }
    info->n = blocks * info->components;
    info->has_marks = 0; /* those are marks of points */
    thinned->values = calloc((size_t)blocks, sizeof *thinned->values);
    thinned->reals = calloc((size_t)info->n, layout->precision);
    return thinned->values == NULL || thinned->reals == NULL
               ? fail(EULERCL_MEMORY, "no memory for the thinned state")
               : EULERCL_OK;
}

int take_thinned(struct thinned *thinned, eulercl_solver *solver) {
    const eulercl_problem_info *const info = &thinned->info;
    const int64_t blocks = info->n / info->components;
    struct hash sum;
    eulercl_error error;
    for (int c = 0; c < info->components; c++) {
        if (eulercl_thin(solver, NULL, c, thinned->n, thinned->mode, thinned->smoothing,
                thinned->values, blocks, &error))
            return fail_library(&error);
        for (int64_t i = 0; i < blocks; i++)
            if (thinned->layout.precision == EULERCL_FLOAT)
                ((float *)thinned->reals)[i * info->components + c] = (float)thinned->values[i];
            else
                ((double *)thinned->reals)[i * info->components + c] = thinned->values[i];
    }
    hash_begin(&sum);
    hash_add(&sum, thinned->reals, (size_t)info->n * thinned->layout.precision);
    hash_end(&sum, thinned->hash);
    return EULERCL_OK;
}

int add_thinned(const struct thinned *thinned, struct output *output) {
    int status = EULERCL_OK;
    for (int64_t first = 0; first < thinned->info.n && !status; first += CHUNK) {
        const int64_t left = thinned->info.n - first;
        status = output->format->add(output, first, left < CHUNK ? left : CHUNK,
            (const char *)thinned->reals + (size_t)first * thinned->layout.precision);
    }
    return status;
}

void free_thinned(struct thinned *thinned) {
    free(thinned->values);
    free(thinned->reals);
}
