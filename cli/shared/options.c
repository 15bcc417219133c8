/* SPDX-License-Identifier: BSD-2-Clause */
/* options.c - the options that the library lists, its fields of eulercl_options and its tuning
 * parameters, as options of the command or by name=value. */
#include "config.h"

#include "shared/options.h"
#include "shared/message.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

enum { USUAL = 3, THESIS = 9 }; /* groups of --help */
enum { HEADINGS = 2, FIRST_KEY = 0x400, FIRST_TUNING_KEY = FIRST_KEY + MOST_FIELDS };

/* list_options adds the rest. */
static struct argp_option option_list[HEADINGS + MOST_FIELDS + EULERCL_TUNING_SLOTS + 1] = {
    {NULL, 0, NULL, 0, "Where and how:", USUAL},
    {NULL, 0, NULL, 0,
        "To repeat experiments of the thesis (as the variants strided and chunked of cl-linear):",
        THESIS}};
static struct { char option[32], doc[256]; } texts[MOST_FIELDS + EULERCL_TUNING_SLOTS];

static int next_option(size_t index, eulercl_option_info *info) {
    info->struct_size = sizeof *info;
    return eulercl_get_option(index, info, NULL) == EULERCL_OK;
}

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

/* The option with this key: "workgroup-size" for "workgroup_size". */
static const char *option_of(const char *name, int key) {
    char *const option = texts[key - FIRST_KEY].option;
    snprintf(option, sizeof texts->option, "%s", name);
    for (char *c = option; *c != '\0'; c++)
        if (*c == '_') *c = '-';
    return option;
}

size_t list_fields(struct argp_option *list, int are_for_tolerance, int group) {
    eulercl_option_info info;
    size_t count = 0;
    for (int key = FIRST_KEY;
         key < FIRST_TUNING_KEY && next_option((size_t)(key - FIRST_KEY), &info); key++) {
        if (*info.word == '\0' || info.is_for_tolerance != are_for_tolerance) continue;
        char *const doc = texts[key - FIRST_KEY].doc;
        snprintf(doc, sizeof texts->doc, *info.default_text != '\0' ? "%s (%s)" : "%s", info.doc,
            info.default_text);
        list[count++] =
            (struct argp_option){option_of(info.name, key), key, info.word, 0, doc, group};
    }
    return count;
}

void list_options(void) {
    eulercl_tuning_info info;
    struct argp_option *next = option_list + HEADINGS;
    next += list_fields(next, 0, USUAL);
    for (int key = FIRST_TUNING_KEY; next_tuning((size_t)(key - FIRST_TUNING_KEY), &info); key++) {
        describe(&info, texts[key - FIRST_KEY].doc, sizeof texts->doc);
        *next++ = (struct argp_option){.name = option_of(info.key, key),
            .key = key,
            .arg = info.kind == EULERCL_SWITCH   ? NULL
                   : info.kind == EULERCL_CHOICE ? "NAME"
                                                 : "N",
            .doc = texts[key - FIRST_KEY].doc,
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

/* ---- values ---- */

int set_option_of(const char *what, const char *name, const char *text, eulercl_options *options) {
    eulercl_error error;
    const size_t length = strlen(name);
    if (eulercl_options_set(options, name, text, &error) == EULERCL_OK) return EULERCL_OK;
    const int begins = strncmp(error.message, name, length) == 0 && error.message[length] == ':';
    return fail(error.code, "%s: %s", what, error.message + (begins ? length + 2 : 0));
}

int set_option(const char *name, const char *text, eulercl_options *options) {
    eulercl_error error;
    eulercl_option_info option;
    eulercl_tuning_info tuning;
    for (size_t i = 0; next_option(i, &option); i++)
        if (strcmp(name, option.name) == 0 && *option.word != '\0' && !option.is_for_tolerance)
            return eulercl_options_set(options, name, text, &error) ? fail_library(&error)
                                                                    : EULERCL_OK;
    for (size_t i = 0; next_tuning(i, &tuning); i++)
        if (strcmp(name, tuning.key) == 0)
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

error_t parse_option(int key, char *argument, struct argp_state *state) {
    eulercl_error error;
    eulercl_option_info option;
    eulercl_tuning_info tuning;
    if (key >= FIRST_KEY && key < FIRST_TUNING_KEY &&
        next_option((size_t)(key - FIRST_KEY), &option)) {
        char what[sizeof texts->option + 2];
        if (!option.is_for_tolerance) return set_option(option.name, argument, state->input);
        snprintf(what, sizeof what, "--%s", texts[key - FIRST_KEY].option);
        return set_option_of(what, option.name, argument, state->input);
    }
    if (key < FIRST_TUNING_KEY || !next_tuning((size_t)(key - FIRST_TUNING_KEY), &tuning))
        return ARGP_ERR_UNKNOWN;
    return eulercl_options_set(state->input, tuning.key, argument == NULL ? "1" : argument, &error)
               ? fail(error.code, "--%s %s: %s", texts[key - FIRST_KEY].option, argument,
                     error.message)
               : EULERCL_OK;
}

const struct argp options_argp = {.options = option_list, .parser = parse_option};
