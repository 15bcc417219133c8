/* configurations.h - the configurations that eulercl bench and eulercl compare run: --backends,
 * --precisions, --baseline, --csv.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef CLI_MEASURE_CONFIGURATIONS_H
#define CLI_MEASURE_CONFIGURATIONS_H

#include <argp.h>

#include "eulercl/eulercl.h"
#include "shared/list.h"

/* The child's input is a struct matrix. */
struct matrix {
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
    char label[160]; /* all of this in words */
};
struct configurations {
    struct configuration list[MOST_CONFIGURATIONS];
    size_t count, baseline;
};
/* Its number, in *index; it is not added twice. */
int add_configuration(struct configurations *configurations,
    const struct configuration *configuration, size_t *index);
/* BACKEND[:VARIANT][:OPTION=VALUE]...; cuts the text at the colons. The index is of the last that
 * was added. */
int read_configuration(
    struct configurations *configurations, char *text, int may_be_all, size_t *index);
/* Those that --backends lists. What is not listed, precisions too, is as the options say. */
int list_configurations(
    struct matrix *matrix, const eulercl_options *options, struct configurations *configurations);
int apply_configuration(const struct configuration *configuration, eulercl_options *options);
int name_configuration(const struct configuration *configuration, char *text, size_t size);
/* May a list of values be of this option, or does another option list it? */
int check_free(const char *what, const char *name);

#endif
