/* hdf5_past.c - the run that a state in an HDF5 file comes from; compiled only with HDF5.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include "config.h"

#include "format/hdf5_library.h"
#include "format/hdf5_read.h"
#include "format/past.h"
#include "shared/compile.h"
#include "shared/facts.h"
#include "shared/message.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* Read one number of that kind, or a text; other attributes do not fit the variable. */
static int read_fact(hid_t place, const char *name, enum fact_kind kind, void *value) {
    const hid_t attribute =
        H5Aexists(place, name) > 0 ? H5Aopen(place, name, H5P_DEFAULT) : H5I_INVALID_HID;
    if (attribute < 0) return 0;
    const hid_t type = H5Aget_type(attribute), space = H5Aget_space(attribute),
                text = H5Tcopy(H5T_C_S1);
    const H5T_class_t class = H5Tget_class(type);
    H5Tset_size(text, H5T_VARIABLE);
    H5Tset_cset(text, H5Tget_cset(type));
    const int fits = H5Sget_simple_extent_npoints(space) == 1 &&
                     (kind == FACT_TEXT ? class == H5T_STRING && H5Tis_variable_str(type) > 0
                                        : class == (kind == FACT_REAL ? H5T_FLOAT : H5T_INTEGER));
    const herr_t status = !fits ? -1
                                : H5Aread(attribute,
                                      kind == FACT_TEXT   ? text
                                      : kind == FACT_REAL ? H5T_NATIVE_DOUBLE
                                                          : H5T_NATIVE_INT64,
                                      value);
    H5Tclose(text);
    H5Sclose(space);
    H5Tclose(type);
    H5Aclose(attribute);
    return status >= 0 && (kind != FACT_TEXT || *(char **)value != NULL);
}

/* Read the last number of a list in this file. */
static int read_last(hid_t file, const char *name, enum fact_kind kind, void *value) {
    char why[WHY];
    const hid_t set = open_own(file, name, 0, why);
    if (set < 0) return 0;
    const hid_t type = H5Dget_type(set), space = H5Dget_space(set), one = H5Screate(H5S_SCALAR);
    hsize_t extent = 0, count = 1;
    int fits = H5Tget_class(type) == (kind == FACT_REAL ? H5T_FLOAT : H5T_INTEGER) &&
               H5Sget_simple_extent_ndims(space) == 1 &&
               H5Sget_simple_extent_dims(space, &extent, NULL) == 1 && extent > 0;
    if (fits) {
        extent--;
        fits = H5Sselect_hyperslab(space, H5S_SELECT_SET, &extent, NULL, &count, NULL) >= 0 &&
               H5Dread(set, kind == FACT_REAL ? H5T_NATIVE_DOUBLE : H5T_NATIVE_INT64, one, space,
                   H5P_DEFAULT, value) >= 0;
    }
    H5Sclose(one);
    H5Sclose(space);
    H5Tclose(type);
    H5Dclose(set);
    return fits;
}

static herr_t add_parameter(hid_t place, const char *name, const H5A_info_t *info, void *user) {
    struct past *const past = user;
    double real = 0;
    int64_t whole = 0;
    (void)info;
    const int is_whole = read_fact(place, name, FACT_WHOLE, &whole);
    struct setting *const more =
        reallocarray(past->parameters, past->n_parameters + 1, sizeof *more);
    if (more == NULL || (!is_whole && !read_fact(place, name, FACT_REAL, &real))) return -1;
    past->parameters = more;
    more[past->n_parameters] =
        (struct setting){.name = strdup(name), .value = is_whole ? (double)whole : real};
    return more[past->n_parameters++].name == NULL ? -1 : 0;
}

static int read_parameters(hid_t file, struct past *past) {
    const hid_t group = H5Lexists(file, "parameters", H5P_DEFAULT) > 0
                            ? H5Gopen2(file, "parameters", H5P_DEFAULT)
                            : H5I_INVALID_HID;
    const herr_t status =
        group < 0 ? -1 : H5Aiterate2(group, H5_INDEX_NAME, H5_ITER_INC, NULL, add_parameter, past);
    H5Gclose(group);
    return status >= 0;
}

static void read_shape(hid_t file, int is_series, struct past *past) {
    char why[WHY];
    const hid_t set = open_own(file, "state", 1, why),
                space = set < 0 ? H5I_INVALID_HID : H5Dget_space(set);
    hsize_t extents[MAX_INPUT_RANK];
    const int rank = space < 0 ? -1 : H5Sget_simple_extent_dims(space, extents, NULL) - is_series;
    for (int i = 0; i < rank && rank <= MAX_RANK - 1; i++)
        past->extents[i] = (int64_t)extents[is_series + i];
    past->rank = rank >= 1 && rank <= MAX_RANK - 1 ? rank : 0;
    H5Sclose(space);
    H5Dclose(set);
}

/* Read a text, to be freed. */
static int read_text(hid_t place, const char *name, char **text) {
    char *read = NULL;
    if (!read_fact(place, name, FACT_TEXT, &read)) return 0;
    *text = strdup(read);
    H5free_memory(read);
    return *text != NULL;
}

/* A file without a method was written by a command that had one only. */
static int read_method(hid_t file, struct past *past) {
    int64_t stages = 0;
    if (H5Aexists(file, "method") <= 0) return 1;
    if (!read_text(file, "method", &past->method) ||
        !read_fact(file, "stages", FACT_WHOLE, &stages) || stages < 1 || stages > INT_MAX)
        return 0;
    past->stages = (int)stages;
    return 1;
}

/* Of steps to a tolerance. The file describes the end of its run, and the last state of a series
 * may be an earlier one. -> the name of what is missing. */
static const char *read_control(hid_t file, struct past *past) {
    char *text = NULL;
    int64_t steps = 0;
    if (!read_fact(file, "rtol", FACT_REAL, &past->rtol)) return NULL;
    past->clock.h = 1; /* valid, and not used */
    if (past->clock.steps == 0) return "the control of step sizes, before the first step,";
    if (!read_fact(file, "steps", FACT_WHOLE, &steps) || steps != past->clock.steps)
        return "the control of step sizes after the last snapshot";
    if (!read_text(file, "control", &text)) return "control";
    const int fits = strlen(text) < sizeof past->clock.control;
    if (fits) strcpy(past->clock.control, text);
    free(text);
    return fits ? NULL : "control";
}

/* Returns the name of what is missing; NULL: nothing is. */
static const char *read_facts(hid_t file, struct past *past) {
    char *text = NULL;
    int64_t n = 0;
    const int is_series = H5Lexists(file, "step", H5P_DEFAULT) > 0;
    read_shape(file, is_series, past);
    past->clock.struct_size = sizeof past->clock;
    if (!read_fact(file, "precision", FACT_TEXT, &text)) return "precision";
    past->precision = strcmp(text, "float") == 0 ? EULERCL_FLOAT : EULERCL_DOUBLE;
    H5free_memory(text);
    if (!read_fact(file, "n", FACT_WHOLE, &n)) return "n";
    past->n = n;
    if (!read_fact(file, "t0", FACT_REAL, &past->t0)) return "t0";
    if (!(is_series ? read_last(file, "step", FACT_WHOLE, &past->clock.steps)
                    : read_fact(file, "steps", FACT_WHOLE, &past->clock.steps)))
        return "steps";
    if (!(is_series ? read_last(file, "base_steps", FACT_WHOLE, &past->clock.base_steps)
                    : read_fact(file, "base_steps", FACT_WHOLE, &past->clock.base_steps)))
        return "base_steps";
    if (!(is_series ? read_last(file, "t_base", FACT_REAL, &past->clock.t_base)
                    : read_fact(file, "t_base", FACT_REAL, &past->clock.t_base)))
        return "t_base";
    const char *const lacks = read_control(file, past);
    if (lacks != NULL) return lacks;
    if (past->rtol == 0 && !read_fact(file, "h", FACT_REAL, &past->clock.h)) return "h";
    past->t = past->clock.t_base + (double)past->clock.base_steps * past->clock.h;
    if (!read_parameters(file, past)) return "parameters";
    if (!read_method(file, past)) return "method or stages";
    if (!read_fact(file, "flush_below", FACT_REAL, &past->flush_below))
        past->flush_below = EULERCL_AS_PROBLEM; /* it differs from component to component */
    return read_text(file, "problem", &past->problem) ? NULL : "problem";
}

static void look_at_facts(const void *path) {
    struct past past = {0};
    hid_t file;
    if (open_hdf5_file(path, &file) == EULERCL_OK) read_facts(file, &past);
}

int read_past(const char *path, int needed, struct past *past) {
    hid_t file;
    *past = (struct past){0};
    start_hdf5();
    int status = look_first(path, look_at_facts, path);
    if (!status) status = open_hdf5_file(path, &file);
    if (status) return status;
    const char *const missing = read_facts(file, past);
    H5Fclose(file);
    if (missing != NULL && needed)
        return fail(EULERCL_FILE, "%s cannot be resumed: %s is missing", path, missing);
    return EULERCL_OK;
}
