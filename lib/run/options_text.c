/* SPDX-License-Identifier: BSD-2-Clause */
/* options_text.c - options by their names, with values as text: the rows of options.def, and the
 * tuning parameters. */
#include "config.h"
#include "../method/method.h"
#include "../plan/tuning.h"
#include "../text.h"
#include "../tolerance/control.h"
#include <limits.h>
#include <stdio.h>
#include <string.h>

enum kind { IS_NAME, IS_METHOD, IS_CONTROLLER, IS_PRECISION, IS_WHOLE, IS_REAL, IS_POSITIVE };
#define NAME .kind = IS_NAME, .shown = EULERCL_NAME
#define METHOD .kind = IS_METHOD, .shown = EULERCL_NAME
#define CONTROLLER .kind = IS_CONTROLLER, .shown = EULERCL_NAME
#define PRECISION .kind = IS_PRECISION, .shown = EULERCL_NAME
#define WHOLE(LEAST, MOST) .kind = IS_WHOLE, .shown = EULERCL_NUMBER, .least = LEAST, .most = MOST
#define SWITCH .kind = IS_WHOLE, .shown = EULERCL_SWITCH, .most = 1
#define REAL .kind = IS_REAL, .shown = EULERCL_REAL, .least = INT64_MIN
#define LEAST(BOUND) .kind = IS_REAL, .shown = EULERCL_REAL, .least = BOUND
#define POSITIVE .kind = IS_POSITIVE, .shown = EULERCL_POSITIVE
enum { RUN, TOLERANCE };

static const struct option {
    const char *name;
    size_t offset, size; /* of the field */
    enum kind kind;
    int shown;           /* enum eulercl_tuning_kind */
    int64_t least, most; /* bounds of a whole number; a real number has the lower one */
    const char *word, *usual;
    int is_for_tolerance;
    const char *doc;
} rows[] = {
#define OPTION(FIELD, KIND, WORD, DEFAULT, GROUP, DOC)        \
    {.name = #FIELD,                                          \
        .offset = offsetof(eulercl_options, FIELD),           \
        .size = sizeof((const eulercl_options *)NULL)->FIELD, \
        KIND,                                                 \
        .word = WORD,                                         \
        .usual = DEFAULT,                                     \
        .is_for_tolerance = GROUP,                            \
        .doc = DOC},
#include "options.def"
#undef OPTION
};
enum { ROWS = sizeof rows / sizeof *rows };

int eulercl_get_option(size_t index, eulercl_option_info *info, eulercl_error *error) {
    EULERCL_NEEDS(info);
    if (index >= ROWS) return ecl_fail(error, EULERCL_INVALID, "there are %d options", (int)ROWS);
    const struct option *row = &rows[index];
    const eulercl_option_info full = {.name = row->name,
        .doc = row->doc,
        .kind = row->shown,
        .least = row->kind == IS_WHOLE ? row->least : 0,
        .most = row->most,
        .word = row->word,
        .default_text = row->usual,
        .is_for_tolerance = row->is_for_tolerance};
    return ecl_copy_out(info, info->struct_size, &full, sizeof full, error);
}

/* The row; NULL: there is none, as for tuning parameters. */
static int find_row(const eulercl_options *options, const char *name, const struct option **found,
    eulercl_error *error) {
    *found = NULL;
    for (size_t i = 0; i < ROWS; i++)
        if (!strcmp(rows[i].name, name)) *found = &rows[i];
    return !*found || (*found)->offset + (*found)->size <= options->struct_size
               ? EULERCL_OK
               : ecl_fail(error, EULERCL_INVALID,
                     "the program was compiled for options that do not have %s", name);
}

/* ---- values from text ---- */

static int read_whole(
    const struct option *row, const char *text, void *field, eulercl_error *error) {
    int64_t value;
    if (!text_whole(text, &value) || value < row->least || value > row->most)
        return ecl_fail(error, EULERCL_INVALID, "%s: '%s' is not a whole number from %lld to %lld",
            row->name, text, (long long)row->least, (long long)row->most);
    const int narrow = (int)value;
    memcpy(field, row->size == sizeof narrow ? (const void *)&narrow : &value, row->size);
    return EULERCL_OK;
}

static int read_real(
    const struct option *row, const char *text, double *field, eulercl_error *error) {
    double value;
    if (!text_real(text, &value))
        return ecl_fail(error, EULERCL_INVALID, "%s: '%s' is not a finite number", row->name, text);
    if (row->kind == IS_POSITIVE && !(value > 0))
        return ecl_fail(error, EULERCL_INVALID, "%s: '%s' is not greater than 0", row->name, text);
    if (value < (double)row->least)
        return ecl_fail(error, EULERCL_INVALID, "%s: '%s' is not a number >= %lld", row->name, text,
            (long long)row->least);
    *field = value;
    return EULERCL_OK;
}

static int read_precision(
    const struct option *row, const char *text, enum eulercl_precision *field, eulercl_error *e) {
    const int is_float = !strcmp(text, "float");
    if (!is_float && strcmp(text, "double") != 0)
        return ecl_fail(
            e, EULERCL_INVALID, "%s: '%s' is neither float nor double", row->name, text);
    *field = is_float ? EULERCL_FLOAT : EULERCL_DOUBLE;
    return EULERCL_OK;
}

static int read_value(
    const struct option *row, const char *text, void *field, eulercl_error *error) {
    const struct method_family *family;
    const struct controller *controller;
    const char *name;
    int status;
    switch (row->kind) {
    case IS_METHOD:
        if (!(status = ecl_find_method(text, &family, error))) *(const char **)field = family->name;
        return status;
    case IS_CONTROLLER:
        if ((status = ecl_find_controller(text, &controller, error))) return status;
        for (size_t i = 0; (name = eulercl_controller_name(i)); i++)
            if (!strcmp(name, text)) *(const char **)field = name;
        return EULERCL_OK;
    case IS_PRECISION:
        return read_precision(row, text, field, error);
    case IS_WHOLE:
        return read_whole(row, text, field, error);
    case IS_REAL:
    case IS_POSITIVE:
        return read_real(row, text, field, error);
    case IS_NAME:
        *(const char **)field = text;
    }
    return EULERCL_OK;
}

int eulercl_options_set(
    eulercl_options *options, const char *name, const char *value, eulercl_error *error) {
    EULERCL_NEEDS(options);
    EULERCL_NEEDS(name);
    const struct option *row;
    eulercl_options usual;
    const int status = find_row(options, name, &row, error);
    if (status) return status;
    if (!row) return ecl_tuning_set(options, name, value, error);
    char *const field = (char *)options + row->offset;
    if (value && (row->kind == IS_NAME || strcmp(value, "auto") != 0))
        return read_value(row, value, field, error);
    eulercl_options_init(&usual);
    memcpy(field, (const char *)&usual + row->offset, row->size);
    return EULERCL_OK;
}

/* ---- values as text ---- */

/* A number; "auto" for one that is not allowed as a value, as most defaults are. */
static void write_number(const struct option *row, const void *field, char text[VALUE_TEXT]) {
    double real;
    int64_t whole;
    int narrow;
    strcpy(text, "auto");
    if (row->kind == IS_WHOLE) {
        memcpy(&whole, field, row->size);
        memcpy(&narrow, field, sizeof narrow);
        if (row->size == sizeof narrow) whole = narrow;
        if (whole >= row->least) snprintf(text, VALUE_TEXT, "%lld", (long long)whole);
    } else {
        memcpy(&real, field, sizeof real);
        if (real >= (double)row->least && (real > 0 || row->kind != IS_POSITIVE))
            snprintf(text, VALUE_TEXT, "%.17g", real);
    }
}

int eulercl_options_get(const eulercl_options *options, const char *name, char *value, size_t size,
    eulercl_error *error) {
    EULERCL_NEEDS(options);
    EULERCL_NEEDS(name);
    EULERCL_NEEDS(value);
    char number[VALUE_TEXT];
    const char *text = number;
    const struct option *row;
    int status = find_row(options, name, &row, error);
    if (!status && !row) status = ecl_tuning_get(options, name, number, error);
    if (status) return status;
    const void *const field = (const char *)options + (row ? row->offset : 0);
    if (row && row->kind == IS_PRECISION)
        text = *(const enum eulercl_precision *)field == EULERCL_FLOAT ? "float" : "double";
    else if (row && row->shown == EULERCL_NAME)
        text = *(const char *const *)field ? *(const char *const *)field : "auto";
    else if (row)
        write_number(row, field, number);
    if (strlen(text) >= size)
        return ecl_fail(
            error, EULERCL_INVALID, "the value of %s needs %zu bytes", name, strlen(text) + 1);
    strcpy(value, text);
    return EULERCL_OK;
}
