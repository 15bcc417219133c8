/* SPDX-License-Identifier: BSD-2-Clause */
/* options.c - where and how to solve: the fields of eulercl_options that a user may set, and the
 * tuning parameters that the library lists, by option or by key=value. */
#include "config.h"

#include "shared/options.h"
#include "shared/message.h"
#include "shared/number.h"

#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

enum kind { TEXT, PRECISION, METHOD, STAGES, THRESHOLD, BYTES };

/* The field, its kind, the argument's name, what --help says. */
#define FIELDS(FIELD)                                                                     \
    FIELD(backend, TEXT, "NAME", "see eulercl list (auto)")                               \
    FIELD(method, METHOD, "NAME", "one of the methods of eulercl list (euler)")           \
    FIELD(stages, STAGES, "S",                                                            \
        "stages of a step, for methods that have a choice (as few as are stable with h)") \
    FIELD(flush_below, THRESHOLD, "X",                                                    \
        "set components whose magnitude is below X to zero at fixed steps, which avoids " \
        "subnormal numbers; 0: none (as the problem says)")                               \
    FIELD(precision, PRECISION, "TYPE", "float or double (double)")                       \
    FIELD(device, TEXT, "DEVICE",                                                         \
        "OpenCL device: an id or part of a name from eulercl devices, cpu or gpu")        \
    FIELD(devices, TEXT, "LIST",                                                          \
        "several devices that share the grid: all (all GPUs), or names as for --device, " \
        "separated by commas")                                                            \
    FIELD(device_memory, BYTES, "BYTES",                                                  \
        "what the run may take of the device's memory, such as 16e9; a larger system "    \
        "streams through it in windows (all of it)")                                      \
    FIELD(state_file, TEXT, "FILE",                                                       \
        "a new file that holds the state during the run, where the host's memory is too " \
        "small; nothing is left of it")                                                   \
    FIELD(plan, TEXT, "NAME",                                                             \
        "how backend auto chooses: auto (wisdom, else an estimate), estimate or measure " \
        "(auto)")                                                                         \
    FIELD(wisdom, TEXT, "FILE",                                                           \
        "file in which measured plans are kept; '' for none (the user's cache)")

#define ENUMERATE(NAME, ...) FIELD_##NAME,
#define TABULATE(NAME, KIND, ...) {#NAME, KIND, offsetof(eulercl_options, NAME)},
#define LIST(NAME, KIND, ARGUMENT, DOC) {#NAME, FIRST_KEY + FIELD_##NAME, ARGUMENT, 0, DOC, USUAL},

/* Groups of --help. */
enum { USUAL = 3, THESIS = 9 };
enum {
    FIELDS(ENUMERATE) FIELD_COUNT,
    HEADINGS = 2,
    FIRST_KEY = 0x400,
    FIRST_TUNING_KEY = FIRST_KEY + FIELD_COUNT
};
static const struct {
    const char *name;
    enum kind kind;
    size_t offset;
} fields[] = {FIELDS(TABULATE)};

/* The tuning parameters follow from list_tuning_options on. */
static struct argp_option option_list[HEADINGS + FIELD_COUNT + EULERCL_TUNING_SLOTS + 1] = {
    {NULL, 0, NULL, 0, "Where and how:", USUAL},
    {NULL, 0, NULL, 0,
        "To repeat experiments of the thesis (as the variants strided and chunked of cl-linear):",
        THESIS},
    FIELDS(LIST)};
static char field_options[FIELD_COUNT][32];
static struct { char option[32], doc[256]; } tuning_texts[EULERCL_TUNING_SLOTS];
static int tuning_count;

int next_tuning(size_t index, eulercl_tuning_info *info) {
    info->struct_size = sizeof *info;
    return eulercl_get_tuning(index, info, NULL) == EULERCL_OK;
}

/* "BACKEND, BACKEND: DOC: a, b or auto (DEFAULT)", with the backends where they are few. */
static void describe(const eulercl_tuning_info *info, char *doc, size_t size) {
    enum { FEW = 3 };
    int length = 0, backends = 1;
    for (const char *c = info->backends; *c != '\0'; c++) backends += *c == ' ';
    for (const char *c = info->backends; *c != '\0' && backends <= FEW; c++)
        length += snprintf(doc + length, size - (size_t)length, "%s%c", *c == ' ' ? "," : "", *c);
    length +=
        snprintf(doc + length, size - (size_t)length, "%s%s", length > 0 ? ": " : "", info->doc);
    for (size_t i = 0; info->choices != NULL && info->choices[i] != NULL; i++)
        length += snprintf(
            doc + length, size - (size_t)length, "%s%s", i == 0 ? ": " : ", ", info->choices[i]);
    if (info->choices != NULL) length += snprintf(doc + length, size - (size_t)length, " or auto");
    if (*info->default_text != '\0')
        snprintf(doc + length, size - (size_t)length, " (%s)", info->default_text);
}

/* "workgroup-size" for "workgroup_size". */
static const char *option_of(const char *name, char option[32]) {
    snprintf(option, 32, "%s", name);
    for (char *c = option; *c != '\0'; c++)
        if (*c == '_') *c = '-';
    return option;
}

void list_tuning_options(void) {
    eulercl_tuning_info info;
    for (int i = 0; i < FIELD_COUNT; i++)
        option_list[HEADINGS + i].name = option_of(fields[i].name, field_options[i]);
    for (tuning_count = 0; next_tuning((size_t)tuning_count, &info); tuning_count++) {
        const char *const option = option_of(info.key, tuning_texts[tuning_count].option);
        describe(&info, tuning_texts[tuning_count].doc, sizeof tuning_texts->doc);
        option_list[HEADINGS + FIELD_COUNT + tuning_count] = (struct argp_option){.name = option,
            .key = FIRST_TUNING_KEY + tuning_count,
            .arg = info.kind == EULERCL_SWITCH   ? NULL
                   : info.kind == EULERCL_CHOICE ? "NAME"
                                                 : "N",
            .doc = tuning_texts[tuning_count].doc,
            .group = info.is_thesis ? THESIS : USUAL};
    }
}

const char *precision_name(enum eulercl_precision precision) {
    return precision == EULERCL_DOUBLE ? "double" : "float";
}

/* ---- methods ---- */

int next_method(size_t index, int stages, eulercl_method_info *method) {
    *method = (eulercl_method_info){.struct_size = sizeof *method};
    return eulercl_get_method(index, stages, method, NULL) == EULERCL_OK;
}

int find_method(const char *name, int stages, eulercl_method_info *method) {
    eulercl_error error;
    size_t i = 0;
    while (next_method(i, 0, method) && name != NULL && strcmp(method->name, name) != 0) i++;
    if (method->name == NULL)
        return fail(EULERCL_INVALID, "unknown method '%s'; `eulercl list` shows the methods", name);
    return eulercl_get_method(i, stages, method, &error) ? fail_library(&error) : EULERCL_OK;
}

int has_choice(const eulercl_method_info *method) {
    return method->least_stages < method->most_stages;
}

int find_moderate_method(const eulercl_options *options, eulercl_method_info *method) {
    const int status = find_method(options->method, options->stages, method);
    return status || options->stages > 0 || !has_choice(method)
               ? status
               : find_method(options->method, MODERATE_STAGES, method);
}

int read_stages(const char *what, const char *text, int *stages) {
    int64_t read = 0;
    const int status = read_whole(what, text, 1, INT_MAX, &read);
    if (!status) *stages = (int)read;
    return status;
}

static int read_method(const char *text, const char **name) {
    eulercl_method_info method;
    const int status = find_method(text, 0, &method);
    if (!status) *name = method.name;
    return status;
}

/* ---- fields ---- */

int read_precision(const char *what, const char *text, enum eulercl_precision *precision) {
    if (strcmp(text, "double") == 0)
        *precision = EULERCL_DOUBLE;
    else if (strcmp(text, "float") == 0)
        *precision = EULERCL_FLOAT;
    else
        return fail(EULERCL_INVALID, "%s: '%s' is neither float nor double", what, text);
    return EULERCL_OK;
}

static int read_threshold(const char *text, double *below) {
    double read;
    const int status = read_real("flush_below", text, &read);
    if (status) return status;
    if (read < 0) return fail(EULERCL_INVALID, "flush_below: '%s' is not a number >= 0", text);
    *below = read;
    return EULERCL_OK;
}

static int set_field(int field, const char *text, eulercl_options *options) {
    void *const target = (char *)options + fields[field].offset;
    switch (fields[field].kind) {
    case PRECISION:
        return read_precision(fields[field].name, text, target);
    case METHOD:
        return read_method(text, target);
    case STAGES:
        return read_stages(fields[field].name, text, target);
    case THRESHOLD:
        return read_threshold(text, target);
    case BYTES:
        return read_whole(fields[field].name, text, 1, INT64_MAX, target);
    case TEXT:
        *(const char **)target = text;
    }
    return EULERCL_OK;
}

int set_option(const char *name, const char *text, eulercl_options *options) {
    eulercl_error error;
    eulercl_tuning_info info;
    for (int i = 0; i < FIELD_COUNT; i++)
        if (strcmp(name, fields[i].name) == 0) return set_field(i, text, options);
    for (size_t i = 0; next_tuning(i, &info); i++)
        if (strcmp(name, info.key) == 0)
            return eulercl_options_set(options, name, text, &error)
                       ? fail(error.code, "%s=%s: %s", name, text, error.message)
                       : EULERCL_OK;
    return fail(EULERCL_INVALID, "no option is called '%s'", name);
}

const char *variant_of(const eulercl_options *options) {
    eulercl_backend_info backend = {.struct_size = sizeof backend};
    char name[64];
    eulercl_options_get(options, "variant", name, sizeof name, NULL);
    if (strcmp(name, "auto") == 0) return NULL;
    for (size_t b = 0; eulercl_get_backend(b, &backend, NULL) == EULERCL_OK; b++)
        for (const char *const *v = backend.variants; *v != NULL; v++)
            if (strcmp(*v, name) == 0) return *v;
    return NULL;
}

static error_t parse_options_of(int key, char *argument, struct argp_state *state) {
    eulercl_error error;
    eulercl_tuning_info info;
    if (key < FIRST_KEY || key >= FIRST_TUNING_KEY + tuning_count) return ARGP_ERR_UNKNOWN;
    if (key < FIRST_TUNING_KEY) return set_field(key - FIRST_KEY, argument, state->input);
    const size_t index = (size_t)(key - FIRST_TUNING_KEY);
    next_tuning(index, &info);
    return eulercl_options_set(state->input, info.key, argument == NULL ? "1" : argument, &error)
               ? fail(
                     error.code, "--%s %s: %s", tuning_texts[index].option, argument, error.message)
               : EULERCL_OK;
}

const struct argp options_argp = {.options = option_list, .parser = parse_options_of};
