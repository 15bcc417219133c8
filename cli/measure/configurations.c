/* SPDX-License-Identifier: BSD-2-Clause */
/* configurations.c - the configurations that eulercl bench and eulercl compare run: --backends,
 * --methods, --precisions, --baseline, --csv. */
#include "config.h"

#include "measure/configurations.h"
#include "format/file.h"
#include "shared/arguments.h"
#include "shared/message.h"
#include "shared/options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- options ---- */

enum { KEY_BACKENDS = 0x800, KEY_METHODS, KEY_PRECISIONS, KEY_BASELINE, KEY_CSV };

static const struct argp_option option_list[] = {
    {"backends", KEY_BACKENDS, "NAME,...", 0,
        "configurations BACKEND[:VARIANT][:OPTION=VALUE]..., for example "
        "cl-honeycomb:scalar:dia_blocks=12; all stands for each backend, BACKEND:all for each of "
        "its variants (the backend of --backend)",
        4},
    {"methods", KEY_METHODS, "NAME[:STAGES],...", 0,
        "methods of eulercl list, for example rk4,rock2:10; with a tolerance also auto, which "
        "chooses the method; bits and ratios are those of runs with the same method (the method "
        "of --method)",
        4},
    {"precisions", KEY_PRECISIONS, "TYPE,...", 0,
        "float, double or both (the precision of --precision)", 4},
    {"baseline", KEY_BASELINE, "NAME", 0,
        "the configuration BACKEND[:VARIANT][:OPTION=VALUE]... with whose time the others are "
        "compared; it is run, too",
        4},
    {"csv", KEY_CSV, "FILE", 0, "write all results as comma-separated values", 6},
    {0},
};

static int read_precisions(char *text, struct matrix *matrix) {
    struct list list = {0};
    eulercl_options scratch;
    int status = split("--precisions", text, &list);
    eulercl_options_init(&scratch);
    if (!status && list.count > 2)
        status = fail(EULERCL_INVALID, "--precisions: more than two; there are float and double");
    for (size_t p = 0; p < list.count && !status; p++)
        if (!(status = set_option_of("--precisions", "precision", list.items[p], &scratch)))
            matrix->precisions[p] = scratch.precision;
    matrix->n_precisions = list.count;
    free(list.items);
    return !status && matrix->n_precisions == 2 && matrix->precisions[0] == matrix->precisions[1]
               ? fail(EULERCL_INVALID, "--precisions: duplicate precision")
               : status;
}

/* NAME, NAME:STAGES or auto. The text is cut at the colon. */
static int read_method(char *text, struct matrix *matrix) {
    struct method_choice *const choice = &matrix->methods[matrix->n_methods];
    eulercl_method_info method;
    if (matrix->n_methods == MOST_METHODS)
        return fail(EULERCL_INVALID, "--methods: more than %d methods", MOST_METHODS);
    snprintf(choice->label, sizeof choice->label, "%s", text);
    for (size_t i = 0; i < matrix->n_methods; i++)
        if (strcmp(matrix->methods[i].label, choice->label) == 0)
            return fail(EULERCL_INVALID, "--methods: duplicate method");
    char *const colon = strchr(text, ':');
    if (colon != NULL) *colon = '\0';
    choice->name = NULL;
    choice->stages = 0;
    if (colon != NULL || strcmp(text, "auto") != 0) {
        eulercl_options scratch;
        eulercl_options_init(&scratch);
        int status =
            colon == NULL ? EULERCL_OK : set_option_of("--methods", "stages", colon + 1, &scratch);
        choice->stages = scratch.stages;
        if (!status) status = find_method(text, choice->stages, &method);
        if (status) return status;
        choice->name = method.name;
    }
    matrix->n_methods++;
    return EULERCL_OK;
}

static int read_methods(char *text, struct matrix *matrix) {
    struct list list = {0};
    int status = split("--methods", text, &list);
    matrix->n_methods = 0;
    for (size_t i = 0; i < list.count && !status; i++) status = read_method(list.items[i], matrix);
    free(list.items);
    return status;
}

static error_t parse_matrix(int key, char *argument, struct argp_state *state) {
    struct matrix *const matrix = state->input;
    switch (key) {
    case KEY_BACKENDS:
        return split("--backends", argument, &matrix->backends);
    case KEY_METHODS:
        return read_methods(argument, matrix);
    case KEY_PRECISIONS:
        return read_precisions(argument, matrix);
    case KEY_BASELINE:
        matrix->baseline = argument;
        return 0;
    case KEY_CSV:
        matrix->csv = argument;
        return check_file(argument);
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

const struct argp matrix_argp = {.options = option_list, .parser = parse_matrix};

/* ---- the configurations ---- */

/* Backend, variant, method and precision cannot be swept, since other options list them. */
int check_free(const char *what, const char *name) {
    static const char *const listed[] = {"backend", "variant", "method", "precision"};
    for (size_t i = 0; i < sizeof listed / sizeof listed[0]; i++)
        if (strcmp(name, listed[i]) == 0)
            return fail(EULERCL_INVALID,
                "%s: %s cannot be set here; --backends, --methods and --precisions list them", what,
                name);
    return EULERCL_OK;
}

/* Find the backend. For auto, which is not a backend, the name in *found is NULL. */
static int find_backend(const char *name, eulercl_backend_info *found) {
    *found = (eulercl_backend_info){.struct_size = sizeof *found};
    if (strcmp(name, "auto") == 0) return EULERCL_OK;
    for (size_t b = 0; eulercl_get_backend(b, found, NULL) == EULERCL_OK; b++)
        if (strcmp(found->name, name) == 0) return EULERCL_OK;
    return fail(EULERCL_INVALID, "unknown backend '%s'; `eulercl list` shows the backends", name);
}

static int has_variant(const eulercl_backend_info *backend, const char *variant) {
    for (size_t v = 0; backend->variants != NULL && backend->variants[v] != NULL; v++)
        if (strcmp(backend->variants[v], variant) == 0) return 1;
    return 0;
}

/* A variant of auto may belong to any backend. */
static int check_variant(
    const eulercl_backend_info *backend, const char *name, const char *variant) {
    eulercl_backend_info other = {.struct_size = sizeof other};
    int found = variant == NULL || has_variant(backend, variant);
    for (size_t b = 0;
         !found && backend->name == NULL && eulercl_get_backend(b, &other, NULL) == EULERCL_OK; b++)
        found = has_variant(&other, variant);
    return found ? EULERCL_OK
                 : fail(EULERCL_INVALID, "backend %s has no variant '%s'", name, variant);
}

int name_configuration(const struct configuration *configuration, char *text, size_t size) {
    int length = snprintf(text, size, "%s%s%s", configuration->backend,
        configuration->variant == NULL ? "" : " ",
        configuration->variant == NULL ? "" : configuration->variant);
    for (size_t i = 0; i < configuration->n_settings && length < (int)size; i++)
        length += snprintf(text + length, size - (size_t)length, " %s=%s",
            configuration->settings[i].name, configuration->settings[i].value);
    return length < (int)size
               ? EULERCL_OK
               : fail(EULERCL_INVALID, "--backends %s: the configuration is too long",
                     configuration->backend);
}

int add_configuration(struct configurations *configurations,
    const struct configuration *configuration, size_t *index) {
    struct configuration new = *configuration;
    const int status = name_configuration(configuration, new.label, sizeof new.label);
    if (status) return status;
    for (*index = 0; *index < configurations->count; ++*index)
        if (strcmp(configurations->list[*index].label, new.label) == 0) return EULERCL_OK;
    if (configurations->count == MOST_CONFIGURATIONS)
        return fail(
            EULERCL_INVALID, "--backends: more than %d configurations", MOST_CONFIGURATIONS);
    configurations->list[configurations->count++] = new;
    return EULERCL_OK;
}

static int add_variants(struct configurations *configurations, struct configuration configuration,
    const eulercl_backend_info *backend, int all_variants, size_t *index) {
    if (!all_variants || backend->variants == NULL || backend->variants[0] == NULL)
        return add_configuration(configurations, &configuration, index);
    int status = EULERCL_OK;
    for (size_t v = 0; backend->variants[v] != NULL && !status; v++) {
        configuration.variant = backend->variants[v];
        status = add_configuration(configurations, &configuration, index);
    }
    return status;
}

/* The colon in device=P:D does not separate words. */
static int continues_device(const char *name, const char *value, const char *word) {
    return strcmp(name, "device") == 0 && *value != '\0' &&
           value + strspn(value, "0123456789") + 1 == word &&
           word[strspn(word, "0123456789")] == '\0';
}

/* Read BACKEND[:VARIANT][:OPTION=VALUE]..., which cuts the text at the colons. The index is that of
 * the last configuration that was added. */
static int read_configuration(
    struct configurations *configurations, char *text, int may_be_all, size_t *index) {
    struct configuration configuration = {.backend = text};
    eulercl_options scratch;
    eulercl_backend_info backend;
    char *rest, *word = strtok_r(text, ":", &rest);
    int status = word == NULL ? fail(EULERCL_INVALID, "--backends: missing name") : EULERCL_OK;
    eulercl_options_init(&scratch);
    while (!status && (word = strtok_r(NULL, ":", &rest)) != NULL) {
        char *const equals = strchr(word, '=');
        if (equals == NULL && configuration.variant == NULL && configuration.n_settings == 0) {
            configuration.variant = word;
        } else if (configuration.n_settings > 0 &&
                   continues_device(configuration.settings[configuration.n_settings - 1].name,
                       configuration.settings[configuration.n_settings - 1].value, word)) {
            word[-1] = ':';
        } else if (equals == NULL || configuration.n_settings == MOST_SETTINGS) {
            status = fail(EULERCL_INVALID,
                "--backends %s: '%s' is not OPTION=VALUE, or there are too many", text, word);
        } else {
            *equals = '\0';
            configuration.settings[configuration.n_settings].name = word;
            configuration.settings[configuration.n_settings++].value = equals + 1;
            status = check_free("--backends", strcmp(word, "stages") == 0 ? "method" : word);
            if (!status && strcmp(word, "flush_below") == 0)
                status = fail(EULERCL_INVALID,
                    "--backends: flush_below cannot be set here, because it changes the result; "
                    "--flush-below sets it for all");
            if (!status) status = set_option(word, equals + 1, &scratch);
        }
    }
    if (status) return status;
    const int all_variants =
        configuration.variant != NULL && strcmp(configuration.variant, "all") == 0;
    if (!may_be_all && (all_variants || strcmp(text, "all") == 0))
        return fail(EULERCL_INVALID, "--baseline takes a single configuration, not all");
    if (all_variants) configuration.variant = NULL;
    if (strcmp(text, "all") == 0) {
        if (configuration.variant != NULL)
            return fail(EULERCL_INVALID,
                "--backends all:%s: variants are not the same for all; all:all is each variant of "
                "each",
                configuration.variant);
        for (size_t b = 0; eulercl_get_backend(b, (backend.struct_size = sizeof backend, &backend),
                               NULL) == EULERCL_OK &&
                           !status;
             b++) {
            configuration.backend = backend.name;
            status = add_variants(configurations, configuration, &backend, all_variants, index);
        }
        return status;
    }
    if (!(status = find_backend(text, &backend)) &&
        !(status = check_variant(&backend, text, configuration.variant)))
        status = add_variants(configurations, configuration, &backend, all_variants, index);
    return status;
}

struct method_choice method_of(const eulercl_options *options) {
    struct method_choice method = {.name = options->method, .stages = options->stages};
    eulercl_method_info info;
    if (method.name == NULL && options->rtol > 0) return (struct method_choice){.label = "auto"};
    if (find_method(method.name, 0, &info) == EULERCL_OK) method.name = info.name;
    snprintf(method.label, sizeof method.label, method.stages > 0 ? "%s:%d" : "%s", method.name,
        method.stages);
    return method;
}

/* Whether a configuration's backend has a tuning parameter. */
static int has_parameter(
    const struct configuration *configuration, const eulercl_tuning_info *parameter) {
    const size_t length = strlen(configuration->backend);
    const char *at = parameter->backends;
    if (strcmp(configuration->backend, "auto") == 0) return 1;
    while ((at = strstr(at, configuration->backend)) != NULL &&
           ((at != parameter->backends && at[-1] != ' ') || (at[length] != ' ' && at[length] != 0)))
        at += length;
    return at != NULL;
}

static int is_set(const eulercl_options *options, const char *key) {
    char value[64];
    return eulercl_options_get(options, key, value, sizeof value, NULL) == EULERCL_OK &&
           strcmp(value, "auto") != 0 && strcmp(value, "0") != 0;
}

/* Options beside a list of backends are for those that have them: at least one must. */
static int check_parameters(
    const eulercl_options *options, const struct configurations *configurations) {
    eulercl_tuning_info parameter = {.struct_size = sizeof parameter};
    for (size_t k = 0; eulercl_get_tuning(k, &parameter, NULL) == EULERCL_OK; k++) {
        int found = !is_set(options, parameter.key);
        for (size_t i = 0; i < configurations->count; i++)
            found |= has_parameter(&configurations->list[i], &parameter);
        if (!found)
            return fail(EULERCL_INVALID, "no backend of this run has %s, which is for %s",
                parameter.key, parameter.backends);
    }
    return EULERCL_OK;
}

static void drop_parameters(const struct configuration *configuration, eulercl_options *options) {
    eulercl_tuning_info parameter = {.struct_size = sizeof parameter};
    for (size_t k = 0; eulercl_get_tuning(k, &parameter, NULL) == EULERCL_OK; k++)
        if (is_set(options, parameter.key) && !has_parameter(configuration, &parameter))
            eulercl_options_set(options, parameter.key, NULL, NULL);
}

int list_configurations(
    struct matrix *matrix, const eulercl_options *options, struct configurations *configurations) {
    struct configuration own = {.backend = options->backend == NULL ? "auto" : options->backend,
        .variant = variant_of(options)};
    eulercl_backend_info backend;
    size_t index;
    int status = EULERCL_OK;
    if (matrix->n_methods == 0) matrix->methods[matrix->n_methods++] = method_of(options);
    if (matrix->n_precisions == 0) matrix->precisions[matrix->n_precisions++] = options->precision;
    configurations->has_baseline |= matrix->baseline != NULL;
    if (matrix->baseline != NULL)
        status = read_configuration(configurations, matrix->baseline, 0, &configurations->baseline);
    for (size_t i = 0; i < matrix->backends.count && !status; i++)
        status = read_configuration(configurations, matrix->backends.items[i], 1, &index);
    if (!status && matrix->backends.count > 0) return check_parameters(options, configurations);
    if (!status) status = find_backend(own.backend, &backend);
    if (!status) status = check_variant(&backend, own.backend, own.variant);
    if (!status) status = add_configuration(configurations, &own, &index);
    return status ? status : check_parameters(options, configurations);
}

int apply_method(const struct method_choice *method, eulercl_options *options) {
    eulercl_method_info info;
    const int is_adaptive = options->rtol > 0;
    options->method = method->name;
    if (method->stages > 0) options->stages = method->stages;
    if (method->name == NULL && !is_adaptive)
        return fail(EULERCL_INVALID, "method auto needs a tolerance: --tol or --tols of compare");
    if (method->name == NULL)
        return options->stages > 0
                   ? fail(EULERCL_INVALID, "--stages needs a method; auto chooses the stages, too")
                   : EULERCL_OK;
    const int status = find_method(options->method, options->stages, &info);
    return !status && is_adaptive && info.estimate_order == 0
               ? fail(EULERCL_UNSUPPORTED,
                     "method %s has no estimate of its errors, so it takes no tolerance; `eulercl "
                     "list` shows which methods have one",
                     info.name)
               : status;
}

int apply_configuration(const struct configuration *configuration, eulercl_options *options) {
    eulercl_error error;
    int status = EULERCL_OK;
    options->backend = configuration->backend;
    drop_parameters(configuration, options);
    if (eulercl_options_set(options, "variant", configuration->variant, &error))
        status = fail_library(&error);
    for (size_t i = 0; i < configuration->n_settings && !status; i++)
        status =
            set_option(configuration->settings[i].name, configuration->settings[i].value, options);
    return status;
}
