/* SPDX-License-Identifier: BSD-2-Clause */
/* npy.c - NumPy's .npy: a magic, a version, the length of a Python dictionary, the dictionary, the
 * reals.
 *
 * The format: numpy.lib.format, versions 1.0, 2.0 and 3.0 (which differ in the width of the length
 * and in the encoding of field names; a plain array has no field names). The reader is strict:
 * unknown content is an error. */
#include "config.h"

#include "format/npy.h"
#include "format/beside.h"
#include "format/file.h"
#include "format/format.h"
#include "format/state.h"
#include "shared/message.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char magic[6] = "\x93NUMPY";

enum { MAX_HEADER = 65535, MAX_DIMENSIONS = 64 };

/* ---- reading ---- */

struct header_text {
    const char *at;
};

static void skip_spaces(struct header_text *text) {
    while (*text->at == ' ') text->at++;
}

/* Is this the next token? Then skip it. */
static int take(struct header_text *text, const char *token) {
    skip_spaces(text);
    const size_t length = strlen(token);
    if (strncmp(text->at, token, length) != 0) return 0;
    text->at += length;
    return 1;
}

/* Read a quoted string without escapes. */
static int take_string(struct header_text *text, char *string, size_t size) {
    skip_spaces(text);
    const char quote = *text->at;
    if (quote != '\'' && quote != '"') return 0;
    const char *const end = strchr(text->at + 1, quote);
    if (end == NULL || (size_t)(end - text->at) > size) return 0;
    memcpy(string, text->at + 1, (size_t)(end - text->at) - 1);
    string[end - text->at - 1] = '\0';
    text->at = end + 1;
    return 1;
}

struct shape {
    int dimensions, longer_than_one;
    int64_t extents[MAX_DIMENSIONS], elements; /* INT64_MAX also for more than that */
};

/* (), (3,), (3, 4) */
static int take_shape(struct header_text *text, struct shape *shape) {
    *shape = (struct shape){.elements = 1};
    if (!take(text, "(")) return 0;
    while (!take(text, ")")) {
        char *end;
        skip_spaces(text);
        if (*text->at < '0' || *text->at > '9' || shape->dimensions == MAX_DIMENSIONS) return 0;
        errno = 0;
        const long long extent = strtoll(text->at, &end, 10);
        text->at = end;
        if (errno != 0) return 0;
        if (shape->elements != 0 && extent > INT64_MAX / shape->elements)
            shape->elements = INT64_MAX;
        else
            shape->elements *= extent;
        shape->extents[shape->dimensions++] = extent;
        shape->longer_than_one += extent > 1;
        const int comma = take(text, ",");
        skip_spaces(text);
        if (!comma &&
            (*text->at != ')' || shape->dimensions == 1)) /* (3) is a number, not a tuple */
            return 0;
    }
    return 1;
}

/* {'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), } */
static int parse_dictionary(
    const char *dictionary, char *type, size_t type_size, int *fortran, struct shape *shape) {
    struct header_text text = {dictionary};
    enum { TYPE = 1, ORDER = 2, SHAPE = 4 };
    int seen = 0;
    if (!take(&text, "{")) return 0;
    while (!take(&text, "}")) {
        char key[16];
        int now = 0;
        if (!take_string(&text, key, sizeof key) || !take(&text, ":")) return 0;
        if (strcmp(key, "descr") == 0 && take_string(&text, type, type_size))
            now = TYPE;
        else if (strcmp(key, "fortran_order") == 0 &&
                 ((*fortran = take(&text, "True")) || take(&text, "False")))
            now = ORDER;
        else if (strcmp(key, "shape") == 0 && take_shape(&text, shape))
            now = SHAPE;
        if (now == 0 || seen & now) return 0;
        seen |= now;
        const int comma = take(&text, ",");
        skip_spaces(&text);
        if (!comma && *text.at != '}') return 0;
    }
    skip_spaces(&text);
    return seen == (TYPE | ORDER | SHAPE) && (strcmp(text.at, "\n") == 0 || *text.at == '\0');
}

static const char *type_name(enum eulercl_precision precision) {
    return precision == EULERCL_DOUBLE ? BYTE_ORDER_MARK "f8" : BYTE_ORDER_MARK "f4";
}

static int check_dictionary(const char *path, const char *dictionary, const struct layout *layout) {
    char type[8] = "";
    int fortran = 0;
    struct shape shape = {0};
    const enum eulercl_precision other =
        layout->precision == EULERCL_DOUBLE ? EULERCL_FLOAT : EULERCL_DOUBLE;
    if (!parse_dictionary(dictionary, type, sizeof type, &fortran, &shape))
        return fail(
            EULERCL_FILE, "%s does not have the header of a .npy file of real numbers", path);
    if (strcmp(type, type_name(other)) == 0)
        return fail(EULERCL_FILE, "%s holds '%s', but the run computes in '%s'; use --precision %s",
            path, type, type_name(layout->precision), other == EULERCL_DOUBLE ? "double" : "float");
    if (strcmp(type, type_name(layout->precision)) != 0)
        return fail(EULERCL_FILE, "%s holds '%s'; only '%s' and '%s' can be read", path, type,
            type_name(EULERCL_FLOAT), type_name(EULERCL_DOUBLE));
    if (fortran && shape.longer_than_one > 1)
        return fail(EULERCL_FILE, "%s is in Fortran order; only C order can be read", path);
    if (shape.elements != layout->info->n)
        return fail(EULERCL_FILE,
            "%s holds %" PRId64 " reals, but the problem has %" PRId64 " components", path,
            shape.elements, layout->info->n);
    return check_axes(path, layout->info, shape.dimensions, shape.extents);
}

/* The dictionary as a string, to be freed; NULL with a message. */
static char *read_dictionary(const char *path, FILE *file, int *status) {
    unsigned char start[12];
    char *dictionary = NULL;
    size_t length = 0;
    *status = EULERCL_OK;
    if (fread(start, 1, 8, file) != 8 || memcmp(start, magic, sizeof magic) != 0) {
        *status = ferror(file) ? fail(EULERCL_FILE, "%s: %s", path, strerror(errno))
                               : fail(EULERCL_FILE, "%s is not a .npy file", path);
        return NULL;
    }
    const unsigned major = start[6], minor = start[7], width = major == 1 ? 2 : 4;
    if (major < 1 || major > 3 || minor != 0) {
        *status = fail(EULERCL_FILE, "%s: version %u.%u of .npy is unknown", path, major, minor);
        return NULL;
    }
    if (fread(start + 8, 1, width, file) == width)
        for (unsigned i = width; i-- > 0;) length = length << 8 | start[8 + i];
    if (length > 0 && length <= MAX_HEADER) dictionary = calloc(length + 1, 1);
    if (dictionary == NULL || fread(dictionary, 1, length, file) != length ||
        strlen(dictionary) != length) {
        *status = fail(EULERCL_FILE, "%s: the header is truncated or damaged", path);
        free(dictionary);
        return NULL;
    }
    return dictionary;
}

int open_npy(const char *path, const struct layout *layout, FILE **file) {
    int status = open_regular(path, file);
    if (status) return status;
    char *const dictionary = read_dictionary(path, *file, &status);
    if (!status) status = check_dictionary(path, dictionary, layout);
    free(dictionary);
    if (status) {
        fclose(*file);
        *file = NULL;
    }
    return status;
}

/* ---- writing ---- */

void write_npy_head(FILE *file, const char *type, const char *shape) {
    char dictionary[512];
    snprintf(dictionary, sizeof dictionary,
        "{'descr': %s, 'fortran_order': False, 'shape': (%s), }", type, shape);
    /* Spaces and a newline fill the header up to a multiple of 64 bytes, so that the reals lie
     * aligned. */
    const size_t fixed = sizeof magic + 4,
                 size = (fixed + strlen(dictionary) + 1 + 63) / 64 * 64 - fixed;
    const unsigned char version_and_length[4] = {
        1, 0, (unsigned char)(size & 255), (unsigned char)(size >> 8)};
    fwrite(magic, 1, sizeof magic, file);
    fwrite(version_and_length, 1, sizeof version_and_length, file);
    fprintf(file, "%-*s\n", (int)size - 1, dictionary);
}

static int write_header(struct output *output) {
    const eulercl_problem_info *const info = output->layout->info;
    int64_t extents[MOST_STATE_RANK];
    char shape[100], type[8];
    int length = 0;
    const int rank = state_shape(info, extents);
    for (int i = 0; i < rank; i++) /* a tuple of one number ends in a comma */
        length += snprintf(shape + length, sizeof shape - (size_t)length, "%s%" PRId64 "%s",
            i > 0 ? " " : "", extents[i], rank == 1 || i + 1 < rank ? "," : "");
    snprintf(type, sizeof type, "'%s'", type_name(output->layout->precision));
    write_npy_head(output->file.stream, type, shape);
    return EULERCL_OK; /* commit_file checks the file's error flag */
}

static int write_reals(struct output *output, int64_t first, int64_t count, const void *y) {
    (void)first;
    const size_t wanted = (size_t)count;
    errno = 0;
    if (fwrite(y, output->layout->precision, wanted, output->file.stream) != wanted)
        return fail_writing(&output->file);
    return EULERCL_OK;
}

/* NumPy accepts exactly three keys in the header, so the facts are in a file beside it. */
const struct output_format npy_format = {
    .extension = ".npy", .begin = write_header, .add = write_reals, JSON_BESIDE};
