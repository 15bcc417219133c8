/* SPDX-License-Identifier: BSD-2-Clause */
/* hdf5_past.c - the run that a state in an HDF5 file comes from; compiled only with HDF5. */
#include "config.h"

#include "format/hdf5_library.h"
#include "format/hdf5_read.h"
#include "format/past.h"
#include "shared/facts.h"
#include "shared/message.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The facts that a resumed run reads beside the state and the parameters. A name with a slash is
 * the last entry of a list in a series. The checksum covers the facts that the file has, in this
 * order, then the lists. */
enum past_fact {
    PROBLEM,
    N,
    PRECISION,
    T0,
    H,
    RTOL,
    CONTROL,
    BREAKPOINTS,
    METHOD,
    STAGES,
    FLUSH_BELOW,
    FIELDS,
    STEPS,
    BASE_STEPS,
    T_BASE,
    SNAPSHOT_COUNT,
    STATE_HASH,
    LAST_STEP,
    LAST_BASE_STEPS,
    LAST_T_BASE,
    LAST_STATE_HASH,
    PAST_FACTS
};
static const struct fact past_facts[PAST_FACTS] = {
    [PROBLEM] = {.name = "problem", .kind = FACT_TEXT},
    [N] = {.name = "n", .kind = FACT_WHOLE},
    [PRECISION] = {.name = "precision", .kind = FACT_TEXT},
    [T0] = {.name = "t0", .kind = FACT_REAL},
    [H] = {.name = "h", .kind = FACT_REAL},
    [RTOL] = {.name = "rtol", .kind = FACT_REAL},
    [CONTROL] = {.name = "control", .kind = FACT_TEXT},
    [BREAKPOINTS] = {.name = "breakpoints", .kind = FACT_TEXT},
    [METHOD] = {.name = "method", .kind = FACT_TEXT},
    [STAGES] = {.name = "stages", .kind = FACT_WHOLE},
    [FLUSH_BELOW] = {.name = "flush_below", .kind = FACT_REAL},
    [FIELDS] = {.name = "fields", .kind = FACT_TEXT},
    [STEPS] = {.name = "steps", .kind = FACT_WHOLE},
    [BASE_STEPS] = {.name = "base_steps", .kind = FACT_WHOLE},
    [T_BASE] = {.name = "t_base", .kind = FACT_REAL},
    [SNAPSHOT_COUNT] = {.name = "snapshot_count", .kind = FACT_WHOLE},
    [STATE_HASH] = {.name = "state_hash", .kind = FACT_TEXT},
    [LAST_STEP] = {.name = "/step", .kind = FACT_WHOLE},
    [LAST_BASE_STEPS] = {.name = "/base_steps", .kind = FACT_WHOLE},
    [LAST_T_BASE] = {.name = "/t_base", .kind = FACT_REAL},
    [LAST_STATE_HASH] = {.name = "/state_hash", .kind = FACT_TEXT},
};
struct past_file {
    struct fact facts[PAST_FACTS]; /* FACT_NONE: it is missing; a text is to be freed */
    struct fact *parameters;       /* with names that are to be freed */
    size_t n_parameters;
};

static int fits_kind(hid_t type, enum fact_kind kind) {
    const H5T_class_t class = H5Tget_class(type);
    return class == (kind == FACT_TEXT ? H5T_STRING : kind == FACT_REAL ? H5T_FLOAT : H5T_INTEGER);
}

/* Read an attribute of one value of the fact's name and kind. */
static int read_attribute(hid_t place, struct fact *fact) {
    const hid_t attribute = H5Aexists(place, fact->name) > 0
                                ? H5Aopen(place, fact->name, H5P_DEFAULT)
                                : H5I_INVALID_HID;
    char *text = NULL;
    if (attribute < 0) return 0;
    const hid_t type = H5Aget_type(attribute), space = H5Aget_space(attribute),
                of_text = H5Tcopy(H5T_C_S1);
    H5Tset_size(of_text, H5T_VARIABLE);
    H5Tset_cset(of_text, H5Tget_cset(type));
    int is_read = H5Sget_simple_extent_npoints(space) == 1 && fits_kind(type, fact->kind) &&
                  (fact->kind != FACT_TEXT || H5Tis_variable_str(type) > 0) &&
                  H5Aread(attribute,
                      fact->kind == FACT_TEXT   ? of_text
                      : fact->kind == FACT_REAL ? H5T_NATIVE_DOUBLE
                                                : H5T_NATIVE_INT64,
                      fact->kind == FACT_TEXT   ? (void *)&text
                      : fact->kind == FACT_REAL ? (void *)&fact->real
                                                : (void *)&fact->whole) >= 0;
    if (is_read && fact->kind == FACT_TEXT) {
        fact->text = text == NULL ? NULL : strdup(text);
        is_read = fact->text != NULL;
    }
    H5free_memory(text);
    H5Tclose(of_text);
    H5Sclose(space);
    H5Tclose(type);
    H5Aclose(attribute);
    return is_read;
}

/* Read the last entry of a list of this file; a text has the digits of a hash. */
static int read_last(hid_t file, struct fact *fact) {
    char why[WHY], digits[HASH_DIGITS + 1] = "";
    const hid_t set = open_own(file, fact->name, 0, why);
    if (set < 0) return 0;
    const hid_t type = H5Dget_type(set), space = H5Dget_space(set), one = H5Screate(H5S_SCALAR),
                of_text = H5Tcopy(H5T_C_S1);
    hsize_t extent = 0, count = 1;
    H5Tset_size(of_text, sizeof digits);
    int is_read = fits_kind(type, fact->kind) && H5Sget_simple_extent_ndims(space) == 1 &&
                  (fact->kind != FACT_TEXT || H5Tget_size(type) == sizeof digits) &&
                  H5Sget_simple_extent_dims(space, &extent, NULL) == 1 && extent > 0;
    if (is_read) {
        extent--;
        is_read = H5Sselect_hyperslab(space, H5S_SELECT_SET, &extent, NULL, &count, NULL) >= 0 &&
                  H5Dread(set,
                      fact->kind == FACT_TEXT   ? of_text
                      : fact->kind == FACT_REAL ? H5T_NATIVE_DOUBLE
                                                : H5T_NATIVE_INT64,
                      one, space, H5P_DEFAULT,
                      fact->kind == FACT_TEXT   ? (void *)digits
                      : fact->kind == FACT_REAL ? (void *)&fact->real
                                                : (void *)&fact->whole) >= 0;
    }
    if (is_read && fact->kind == FACT_TEXT) is_read = (fact->text = strdup(digits)) != NULL;
    H5Tclose(of_text);
    H5Sclose(one);
    H5Sclose(space);
    H5Tclose(type);
    H5Dclose(set);
    return is_read;
}

static herr_t add_parameter(hid_t place, const char *name, const H5A_info_t *info, void *user) {
    struct past_file *const past = user;
    struct fact read = {.name = name, .kind = FACT_WHOLE, .is_parameter = 1};
    (void)info;
    if (!read_attribute(place, &read)) read.kind = FACT_REAL;
    if (read.kind == FACT_REAL && !read_attribute(place, &read)) return -1;
    struct fact *const more = reallocarray(past->parameters, past->n_parameters + 1, sizeof *more);
    if (more == NULL || (read.name = strdup(name)) == NULL) return -1;
    past->parameters = more;
    more[past->n_parameters++] = read;
    return 0;
}

/* Returns 0 if the parameters cannot be read. */
static int read_file(hid_t file, struct past_file *past) {
    *past = (struct past_file){.n_parameters = 0};
    for (int i = 0; i < PAST_FACTS; i++) {
        struct fact *const fact = &past->facts[i];
        *fact = past_facts[i];
        const int is_read = *fact->name != '/' ? read_attribute(file, fact)
                            : H5Lexists(file, fact->name, H5P_DEFAULT) > 0 ? read_last(file, fact)
                                                                           : 0;
        if (!is_read) fact->kind = FACT_NONE;
    }
    const hid_t group = H5Lexists(file, "parameters", H5P_DEFAULT) > 0
                            ? H5Gopen2(file, "parameters", H5P_DEFAULT)
                            : H5I_INVALID_HID;
    const herr_t status =
        group < 0 ? -1 : H5Aiterate2(group, H5_INDEX_NAME, H5_ITER_INC, NULL, add_parameter, past);
    H5Gclose(group);
    return status >= 0;
}

static void free_file(struct past_file *past) {
    for (int i = 0; i < PAST_FACTS; i++) free((char *)past->facts[i].text);
    for (size_t i = 0; i < past->n_parameters; i++) free((char *)past->parameters[i].name);
    free(past->parameters);
}

/* The lists of a series, which --append goes on with. */
static const char *const lists[] = {"step", "t", "base_steps", "t_base", "state_hash"};

/* Add the entries to the checksum in the byte order of the file, so that it is the same on all
 * machines. */
static void sum_list(hid_t file, const char *name, struct hash *sum) {
    enum { ENTRIES = 512 };
    char why[WHY], entries[ENTRIES][HASH_DIGITS + 1];
    const hid_t set =
        H5Lexists(file, name, H5P_DEFAULT) > 0 ? open_own(file, name, 0, why) : H5I_INVALID_HID;
    if (set < 0) return;
    const hid_t type = H5Dget_type(set), space = H5Dget_space(set), digits = H5Tcopy(H5T_C_S1);
    const H5T_class_t class = H5Tget_class(type);
    const size_t size = H5Tget_size(type);
    hsize_t extent = 0;
    herr_t status = H5Tset_size(digits, HASH_DIGITS + 1);
    if (size > sizeof *entries || H5Tis_variable_str(type) > 0 ||
        H5Sget_simple_extent_ndims(space) != 1 ||
        H5Sget_simple_extent_dims(space, &extent, NULL) != 1)
        extent = 0;
    for (hsize_t first = 0, count; first < extent && status >= 0; first += count) {
        count = extent - first < ENTRIES ? extent - first : ENTRIES;
        const hid_t part = H5Screate_simple(1, &count, NULL);
        status = H5Sselect_hyperslab(space, H5S_SELECT_SET, &first, NULL, &count, NULL);
        if (status >= 0)
            status = H5Dread(set,
                class == H5T_STRING  ? digits
                : class == H5T_FLOAT ? H5T_IEEE_F64LE
                                     : H5T_STD_I64LE,
                part, space, H5P_DEFAULT, entries);
        if (status >= 0)
            hash_add(sum, entries, (size_t)count * (class == H5T_STRING ? sizeof *entries : 8));
        H5Sclose(part);
    }
    H5Tclose(digits);
    H5Sclose(space);
    H5Tclose(type);
    H5Dclose(set);
}

static void sum_fact(struct hash *sum, const struct fact *fact) {
    char buffer[32];
    const char *const parts[] = {
        fact->is_parameter ? "parameter " : "", fact->name, ": ", fact_text(fact, buffer), "\n"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts && fact->kind != FACT_NONE; i++)
        hash_add(sum, parts[i], strlen(parts[i]));
}

/* The checksum covers the lines of the facts, then the parameters by their names, as in a table,
 * then the lists. */
static void sum_file(hid_t file, const struct past_file *past, char digits[HASH_DIGITS + 1]) {
    struct hash sum;
    hash_begin(&sum);
    for (int i = 0; i < LAST_STEP; i++) sum_fact(&sum, &past->facts[i]);
    for (size_t i = 0; i < past->n_parameters; i++) sum_fact(&sum, &past->parameters[i]);
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) sum_list(file, lists[i], &sum);
    hash_end(&sum, digits);
}

int sum_facts(hid_t file, char digits[HASH_DIGITS + 1]) {
    struct past_file past;
    const int is_read = read_file(file, &past);
    sum_file(file, &past, digits);
    free_file(&past);
    return is_read;
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

/* ---- from the file to the run ---- */

/* Take over the control of steps to a tolerance. The file describes the end of its run, and the
 * last state of a series may be an earlier one. Returns what is missing, or NULL. */
static const char *take_control(const struct fact *facts, struct past *past) {
    past->rtol = facts[RTOL].real;
    past->clock.h = 1; /* valid, and not used */
    if (past->clock.steps == 0) return "the control of step sizes, before the first step,";
    if (facts[STEPS].kind == FACT_NONE || facts[STEPS].whole != past->clock.steps)
        return "the control of step sizes after the last snapshot";
    if (facts[CONTROL].kind == FACT_NONE ||
        strlen(facts[CONTROL].text) >= sizeof past->clock.control)
        return "control";
    strcpy(past->clock.control, facts[CONTROL].text);
    return NULL;
}

/* Take over the size of equal steps. */
static const char *take_size(const struct fact *facts, struct past *past) {
    if (facts[H].kind == FACT_NONE) return "h";
    past->clock.h = facts[H].real;
    if (facts[METHOD].kind == FACT_NONE) return "method";
    if (facts[STAGES].kind == FACT_NONE || facts[STAGES].whole < 1 || facts[STAGES].whole > INT_MAX)
        return "stages";
    past->stages = (int)facts[STAGES].whole;
    return NULL;
}

/* Give the text to the caller, who frees it. */
static char *move_text(struct fact *fact) {
    char *const text = (char *)fact->text;
    fact->text = NULL;
    fact->kind = FACT_NONE;
    return text;
}

static int take_parameters(struct past_file *from, struct past *past) {
    past->parameters = calloc(from->n_parameters + 1, sizeof *past->parameters);
    if (past->parameters == NULL) return 0;
    for (size_t i = 0; i < from->n_parameters; i++) {
        struct fact *const fact = &from->parameters[i];
        past->parameters[i] = (struct setting){.name = fact->name,
            .value = fact->kind == FACT_WHOLE ? (double)fact->whole : fact->real};
        fact->name = NULL;
    }
    past->n_parameters = from->n_parameters;
    return 1;
}

/* The past gets the texts. The problem comes last, since a past without it describes no run. */
static const char *take_facts(struct past_file *from, int is_series, struct past *past) {
    struct fact *const facts = from->facts;
    const enum past_fact steps = is_series ? LAST_STEP : STEPS,
                         base_steps = is_series ? LAST_BASE_STEPS : BASE_STEPS,
                         t_base = is_series ? LAST_T_BASE : T_BASE,
                         hash = is_series ? LAST_STATE_HASH : STATE_HASH,
                         needed[] = {PRECISION, N, T0, steps, base_steps, t_base, PROBLEM};
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
        if (facts[needed[i]].kind == FACT_NONE) return past_facts[needed[i]].name;
    past->precision = strcmp(facts[PRECISION].text, "float") == 0 ? EULERCL_FLOAT : EULERCL_DOUBLE;
    past->n = facts[N].whole;
    past->t0 = facts[T0].real;
    past->clock = (eulercl_clock){.struct_size = sizeof past->clock,
        .steps = facts[steps].whole,
        .base_steps = facts[base_steps].whole,
        .t_base = facts[t_base].real};
    const char *missing = (facts[RTOL].kind != FACT_NONE ? take_control : take_size)(facts, past);
    if (!take_parameters(from, past)) return "memory for the parameters";
    past->t = past->clock.t_base + (double)past->clock.base_steps * past->clock.h;
    past->flush_below = facts[FLUSH_BELOW].kind != FACT_NONE
                            ? facts[FLUSH_BELOW].real
                            : EULERCL_AS_PROBLEM; /* it differs from component to component */
    past->snapshots = facts[SNAPSHOT_COUNT].kind != FACT_NONE ? facts[SNAPSHOT_COUNT].whole : 0;
    past->method = move_text(&facts[METHOD]);
    past->fields = move_text(&facts[FIELDS]);
    past->breakpoints = move_text(&facts[BREAKPOINTS]);
    past->state_hash = move_text(&facts[hash]);
    past->problem = move_text(&facts[PROBLEM]);
    return missing;
}

/* Returns 0 and the reason if the run cannot be continued. Everything is read in any case, since a
 * child process looks first. */
static int take_file(hid_t file, struct past *past, char why[WHY]) {
    const int is_series = H5Lexists(file, past_facts[LAST_STEP].name, H5P_DEFAULT) > 0;
    struct fact checksum = {.name = CHECKSUM, .kind = FACT_TEXT};
    struct past_file from;
    char digits[HASH_DIGITS + 1];
    read_shape(file, is_series, past);
    const int is_read = read_file(file, &from), has_checksum = read_attribute(file, &checksum);
    sum_file(file, &from, digits);
    const int is_whole = is_read && has_checksum && strcmp(checksum.text, digits) == 0;
    past->is_whole = is_whole;
    const char *missing = take_facts(&from, is_series, past);
    if (missing == NULL && past->state_hash == NULL) missing = "the hash of its state";
    free((char *)checksum.text);
    free_file(&from);
    if (!has_checksum)
        snprintf(why, WHY, "its checksum is missing; --in reads the state alone");
    else if (!is_whole)
        snprintf(why, WHY, "it is damaged: what it says of its run has another checksum");
    else if (missing != NULL)
        snprintf(why, WHY, "%s is missing", missing);
    return is_whole && missing == NULL;
}

static void look_at_facts(const void *path) {
    struct past past = {0};
    char why[WHY];
    hid_t file;
    if (open_hdf5_file(path, &file) == EULERCL_OK) take_file(file, &past, why);
}

int read_past(const char *path, int needed, struct past *past) {
    char why[WHY];
    hid_t file;
    *past = (struct past){0};
    if (needed && !HAS_HASHES)
        return fail(EULERCL_UNSUPPORTED,
            "%s cannot be resumed: this eulercl was built without xxHash", path);
    start_hdf5();
    int status = look_first(path, look_at_facts, path, 0);
    if (!status) status = open_hdf5_file(path, &file);
    if (status) return status;
    const int is_whole = take_file(file, past, why);
    H5Fclose(file);
    return !is_whole && needed ? fail(EULERCL_FILE, "%s cannot be resumed: %s", path, why)
                               : EULERCL_OK;
}
