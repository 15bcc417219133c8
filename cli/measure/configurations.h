/* SPDX-License-Identifier: BSD-2-Clause */
/* configurations.h - the configurations that eulercl bench and eulercl compare run: --backends,
 * --methods, --precisions, --baseline, --csv. */
#ifndef CLI_MEASURE_CONFIGURATIONS_H
#define CLI_MEASURE_CONFIGURATIONS_H

#include <argp.h>

#include "eulercl/eulercl.h"
#include "shared/arguments.h"

/* A method of --methods. */
struct method_choice {
    const char *name; /* NULL: the library chooses it, and may change it during the run */
    int stages;       /* 0: as the options say */
    char label[64];   /* NAME[:STAGES], or auto */
};

enum { MOST_METHODS = 64 };
/* The child's input is a struct matrix. */
struct matrix {
    struct method_choice methods[MOST_METHODS];
    size_t n_methods;
    struct list backends;
    enum eulercl_precision precisions[2];
    size_t n_precisions;
    char *baseline;
    const char *csv;
};
extern const struct argp matrix_argp;

enum { MOST_CONFIGURATIONS = 256, MOST_SETTINGS = 8 };
struct configuration {
    const char *backend, *variant; /* variant NULL: the backend's default */
    struct {
        const char *name, *value;
    } settings[MOST_SETTINGS];
    size_t n_settings;
    char label[160]; /* all of this as text */
};
struct configurations {
    struct configuration list[MOST_CONFIGURATIONS];
    size_t count, baseline;
    int has_baseline;
};
/* Add a configuration that is not listed yet; *index is its number. */
int add_configuration(struct configurations *configurations,
    const struct configuration *configuration, size_t *index);
/* Add that of --baseline and those that --backends lists. Without a list, backend, method and
 * precision are those of the options. */
int list_configurations(
    struct matrix *matrix, const eulercl_options *options, struct configurations *configurations);
/* The method of the options. */
struct method_choice method_of(const eulercl_options *options);
/* Errors: stages that the method does not have; a method that takes no tolerance, or needs one. */
int apply_method(const struct method_choice *method, eulercl_options *options);
int apply_configuration(const struct configuration *configuration, eulercl_options *options);
int name_configuration(const struct configuration *configuration, char *text, size_t size);
/* Can this option be set in a list of values, or does another option list it? */
int check_free(const char *what, const char *name);

#endif
