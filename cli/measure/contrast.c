/* SPDX-License-Identifier: BSD-2-Clause */
/* contrast.c - a state compared with that of seq and with the truth; references from files. */
#include "config.h"

#include "measure/comparison.h"
#include "format/format.h"
#include "format/input.h"
#include "shared/message.h"
#include "shared/problem.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Map reals to integers in the same order, so that neighbours differ by 1. */
static int64_t place_of(const void *y, int64_t i, enum eulercl_precision precision) {
    if (precision == EULERCL_DOUBLE) {
        int64_t bits;
        memcpy(&bits, (const double *)y + i, sizeof bits);
        return bits < 0 ? INT64_MIN - bits : bits;
    }
    int32_t bits;
    memcpy(&bits, (const float *)y + i, sizeof bits);
    return bits < 0 ? (int64_t)INT32_MIN - bits : bits;
}

int take_chunk(int64_t first, int64_t count, const void *y, void *user) {
    struct contrast *const contrast = user;
    const size_t real = (size_t)contrast->precision;
    char *const seq = (char *)contrast->seq + (size_t)first * real;
    if (contrast->keep)
        memcpy(seq, y, (size_t)count * real);
    else if (contrast->seq_works && memcmp(seq, y, (size_t)count * real) != 0)
        for (int64_t i = 0; i < count; i++) {
            const int64_t a = place_of(y, i, contrast->precision),
                          b = place_of(seq, i, contrast->precision);
            const uint64_t distance = a > b ? (uint64_t)a - (uint64_t)b : (uint64_t)b - (uint64_t)a;
            contrast->ulps = distance > contrast->ulps ? distance : contrast->ulps;
            contrast->differing +=
                memcmp((const char *)y + (size_t)i * real, seq + (size_t)i * real, real) != 0;
        }
    for (int64_t i = 0; i < count && contrast->truth != NULL; i++) {
        const double value = contrast->precision == EULERCL_DOUBLE ? ((const double *)y)[i]
                                                                   : (double)((const float *)y)[i];
        contrast->error = fmax(contrast->error, fabs(value - contrast->truth[first + i]));
    }
    return EULERCL_OK;
}

int check_reference(
    const char *path, const eulercl_problem *problem, const eulercl_problem_info *info, double t) {
    int status = EULERCL_OK;
#ifdef HAVE_JANSSON
    char *beside = NULL;
    struct stat entry;
    const int is_there = asprintf(&beside, "%s.json", path) >= 0 && stat(beside, &entry) == 0 &&
                         S_ISREG(entry.st_mode);
    json_t *const facts = is_there ? json_load_file(beside, 0, NULL) : NULL;
    const json_t *const name = json_object_get(facts, "problem"), *const end = json_object_get(
                                                                      facts, "t_end");
    const json_t *const parameters = json_object_get(facts, "parameters");
    if (json_is_string(name) && strcmp(json_string_value(name), info->name) != 0)
        status = fail(EULERCL_INVALID, "--reference %s belongs to the problem %s", path,
            json_string_value(name));
    else if (json_is_number(end) && fabs(json_number_value(end) - t) > 1e-9 * fmax(1, fabs(t)))
        status = fail(EULERCL_INVALID,
            "--reference %s is the state at t = %.9g, but the runs end at t = %.9g", path,
            json_number_value(end), t);
    for (size_t i = 0; i < info->parameters && !status; i++) {
        eulercl_parameter parameter;
        const json_t *const value = get_parameter(problem, i, &parameter) == EULERCL_OK
                                        ? json_object_get(parameters, parameter.name)
                                        : NULL;
        if (json_is_number(value) && json_number_value(value) != parameter.value)
            status = fail(EULERCL_INVALID, "--reference %s was computed with %s = %g, not %g", path,
                parameter.name, json_number_value(value), parameter.value);
    }
    json_decref(facts);
    free(beside);
#else
    (void)path;
    (void)problem;
    (void)info;
    (void)t;
#endif
    return status;
}

int read_reference(const char *path, const eulercl_problem_info *info, double **truth) {
    const struct layout layout = {.info = info, .precision = EULERCL_DOUBLE};
    struct input *input = NULL;
    *truth = calloc((size_t)info->n, sizeof **truth);
    int status = *truth == NULL ? fail(EULERCL_MEMORY, "no memory for the reference")
                                : open_input(path, &layout, &input);
    if (!status) status = read_input(input, 0, info->n, *truth);
    close_input(input);
    return status;
}
