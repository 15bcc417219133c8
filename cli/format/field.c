/* SPDX-License-Identifier: BSD-2-Clause */
/* field.c - see field.h. */
#include "config.h"

#include "format/field.h"
#include "format/image.h"
#include "format/input.h"
#include "shared/message.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

int read_field(char *argument, struct field *field) {
    char *const equals = strchr(argument, '=');
    if (equals == NULL) return fail(EULERCL_INVALID, "--field %s: expected NAME=FILE", argument);
    *equals = '\0';
    *field = (struct field){.name = argument, .path = equals + 1};
    return EULERCL_OK;
}

static int check_name(const eulercl_problem *problem, const char *name) {
    const char *known;
    for (size_t k = 0; (known = eulercl_problem_field_name(problem, k)) != NULL; k++)
        if (strcmp(known, name) == 0) return EULERCL_OK;
    return fail(EULERCL_INVALID,
        "--field %s: the problem has no such field; eulercl info shows its fields", name);
}

/* FILE.npy and FILE.h5 are read like the state of a problem of one component. */
static int read_values(const char *path, const struct layout *layout, void *values) {
    const size_t length = strlen(path);
    if (length > 4 && strcasecmp(path + length - 4, ".png") == 0) {
#ifdef HAVE_CAIRO
        return read_image(path, layout, values);
#else
        return fail(EULERCL_UNSUPPORTED, "%s: this eulercl was built without libpng", path);
#endif
    }
    struct input *in = NULL;
    int status = open_input(path, layout, &in);
    if (!status) status = read_input(in, 0, layout->info->n, values);
    close_input(in);
    return status;
}

static int set_field(eulercl_problem *problem, const struct layout *layout, struct field *field) {
    const int64_t points = layout->info->n;
    eulercl_error error;
    struct hash sum;
    void *const values = calloc((size_t)points, layout->precision);
    if (values == NULL) return fail(EULERCL_MEMORY, "no memory for the field %s", field->name);
    int status = read_values(field->path, layout, values);
    if (!status &&
        eulercl_problem_set_field(problem, field->name, layout->precision, values, &error))
        status = fail_library(&error);
    hash_begin(&sum);
    hash_add(&sum, values, (size_t)points * layout->precision);
    hash_end(&sum, field->hash);
    free(values);
    return status;
}

/* The last file of each field. */
static char *text_of(
    const eulercl_problem *problem, size_t names, const struct field *fields, size_t count) {
    char *text = NULL;
    size_t size, written = 0;
    FILE *const file = open_memstream(&text, &size);
    if (file == NULL) return NULL;
    for (size_t k = 0; k < names; k++) {
        const char *const name = eulercl_problem_field_name(problem, k);
        const struct field *last = NULL;
        for (size_t i = 0; i < count; i++)
            if (strcmp(fields[i].name, name) == 0) last = &fields[i];
        if (last != NULL) fprintf(file, "%s%s:%s", written++ > 0 ? "," : "", name, last->hash);
    }
    return fclose(file) == 0 ? text : NULL;
}

int set_fields(eulercl_problem *problem, const eulercl_problem_info *info,
    enum eulercl_precision precision, struct field *fields, size_t count, char **text) {
    eulercl_problem_info of_field = *info;
    const struct layout layout = {.info = &of_field, .precision = precision};
    of_field.n = info->n / info->components;
    of_field.components = 1;
    int status = EULERCL_OK;
    for (size_t i = 0; i < count && !status; i++) {
        status = check_name(problem, fields[i].name);
        if (!status) status = set_field(problem, &layout, &fields[i]);
    }
    if (status || count == 0) return status;
    *text = text_of(problem, info->fields, fields, count);
    return *text == NULL ? fail(EULERCL_MEMORY, "no memory for the names of fields") : EULERCL_OK;
}
