/* SPDX-License-Identifier: BSD-2-Clause */
/* extraction.c - see extraction.h. */
#include "config.h"

#include "format/extraction.h"
#include "format/file.h"
#include "format/npy.h"
#include "format/numbered.h"
#include "format/state.h"
#include "shared/message.h"
#include "shared/number.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static int is_array(const char *path) {
    const size_t length = strlen(path);
    return length > 4 && strcasecmp(path + length - 4, ".npy") == 0;
}

static int is_table(const char *path) {
    const size_t length = strlen(path);
    return length > 4 && strcasecmp(path + length - 4, ".csv") == 0;
}

int check_extraction(const struct extraction *e, int has_snapshots) {
    if (e->condition == NULL && e->path == NULL) return EULERCL_OK;
    if (e->condition == NULL || e->path == NULL)
        return fail(EULERCL_INVALID, "--extract CONDITION and --extract-to FILE need each other");
    if (!is_array(e->path) && !is_table(e->path))
        return fail(EULERCL_INVALID, "--extract-to %s: the name must end in .npy or .csv", e->path);
    int status = check_numbered("--extract-to", e->path);
    if (!status && is_numbered(e->path) && !has_snapshots)
        status = fail(EULERCL_INVALID,
            "--extract-to %s needs --every, which sets when snapshots are taken", e->path);
    char *const first = is_numbered(e->path) ? numbered_name(e->path, 0) : strdup(e->path);
    if (!status && first == NULL) status = fail(EULERCL_MEMORY, "no memory for a file name");
    if (!status) status = claim_file("--extract-to", e->path, first);
    if (!status) status = check_file(first); /* before a long run */
    free(first);
    return status;
}

/* ---- the file ---- */

/* What the whole numbers of a point are called. Without a grid it has one, that of a component. */
static const char *axis_name(const eulercl_problem_info *info, int axis) {
    static const char *const names[AXES] = {"ix", "iy", "iz"};
    return info->boundary == NULL ? "i" : names[axis];
}

static int count_axes(const eulercl_problem_info *info) {
    return info->boundary == NULL ? 1 : info->rank;
}

static void write_head(FILE *file, const eulercl_problem_info *info, int as_array, int64_t count) {
    char types[200] = "[", shape[32];
    for (int axis = 0; axis < count_axes(info); axis++) {
        if (!as_array) fprintf(file, "%s,", axis_name(info, axis));
        snprintf(types + strlen(types), sizeof types - strlen(types),
            "('%s', '" BYTE_ORDER_MARK "i8'), ", axis_name(info, axis));
    }
    snprintf(
        types + strlen(types), sizeof types - strlen(types), "('value', '" BYTE_ORDER_MARK "f8')]");
    snprintf(shape, sizeof shape, "%" PRId64 ",", count);
    if (as_array)
        write_npy_head(file, types, shape);
    else
        fputs("value\n", file);
}

static void write_point(
    FILE *file, const eulercl_problem_info *info, int as_array, int64_t point, double value) {
    char buffer[32];
    for (int axis = 0; axis < count_axes(info); axis++) {
        const int64_t index = point % info->extents[axis];
        point /= info->extents[axis];
        if (as_array)
            fwrite(&index, sizeof index, 1, file);
        else
            fprintf(file, "%" PRId64 ",", index);
    }
    if (as_array)
        fwrite(&value, sizeof value, 1, file);
    else
        fprintf(file, "%s\n", real_text(value, buffer));
}

static int write_file(const char *path, const eulercl_problem_info *info, int64_t count,
    const int64_t *points, const double *values) {
    struct file file;
    const int as_array = is_array(path);
    int status = begin_file(&file, path);
    if (!status) {
        write_head(file.stream, info, as_array, count);
        for (int64_t i = 0; i < count; i++)
            write_point(file.stream, info, as_array, points[i], values[i]);
        status = commit_file(&file); /* it checks the file's error flag */
    }
    discard_file(&file);
    return status;
}

int write_extraction(const struct extraction *e, const eulercl_problem_info *info,
    eulercl_solver *solver, int64_t number) {
    eulercl_error error;
    int64_t count, *points;
    double *values;
    char *const name = is_numbered(e->path) ? numbered_name(e->path, number) : strdup(e->path);
    if (name == NULL) return fail(EULERCL_MEMORY, "no memory for a file name");
    int status = EULERCL_OK;
    if (eulercl_extract(solver, e->condition, &count, &points, &values, &error)) {
        status = fail_library(&error);
    } else {
        status = write_file(name, info, count, points, values);
        eulercl_free(points);
        eulercl_free(values);
    }
    free(name);
    return status;
}
