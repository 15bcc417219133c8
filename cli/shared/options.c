/* options.c - where and how to solve: the fields of eulercl_options that a user may set, by option
 * or by key=value.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include "config.h"

#include "shared/options.h"
#include "shared/message.h"
#include "shared/number.h"

#include <stddef.h>
#include <string.h>

enum kind { TEXT, PRECISION, THREADS, POSITIVE, COUNT, FLAG };

/* The field, its option, its kind, the argument's name, what --help says. */
#define FIELDS(FIELD)                                                                            \
    FIELD(backend, "backend", TEXT, "NAME", "see eulercl list (auto)")                           \
    FIELD(variant, "variant", TEXT, "NAME", "of the backend (its first)")                        \
    FIELD(precision, "precision", PRECISION, "TYPE", "float or double (double)")                 \
    FIELD(device, "device", TEXT, "DEVICE",                                                      \
        "OpenCL device: an id or part of a name from eulercl devices, cpu or gpu")               \
    FIELD(threads, "threads", THREADS, "N", "threads of the CPU backends (all cores)")           \
    FIELD(workgroup_size, "workgroup-size", POSITIVE, "N", "work-items per work-group")          \
    FIELD(workgroups, "workgroups", POSITIVE, "N", "work-groups")                                \
    FIELD(dia_blocks, "dia-blocks", POSITIVE, "N",                                               \
        "tiles: blocks in the widest row of a tile, rounded up to even")                         \
    FIELD(honeycomb_steps, "honeycomb-steps", COUNT, "N",                                        \
        "cl-honeycomb: steps per launch, where tiles are cut off")                               \
    FIELD(distribution, "distribution", TEXT, "NAME",                                            \
        "how many tiles: mult, add, corr or auto (auto)")                                        \
    FIELD(storage, "storage", TEXT, "NAME",                                                      \
        "where a tile keeps its rows: local, global or column (the backend's own)")              \
    FIELD(uncached, "uncached", FLAG, NULL,                                                      \
        "OpenCL: declare the state volatile, to see what caches do")                             \
    FIELD(points_per_item, "points-per-item", POSITIVE, "N",                                     \
        "cl-register: neighbouring points that a work-item holds")                               \
    FIELD(rows_per_item, "rows-per-item", POSITIVE, "N", "cl-register in 2-D: rows of them")     \
    FIELD(workgroup_rows, "workgroup-rows", POSITIVE, "N",                                       \
        "cl-register in 2-D: rows of work-items in a work-group")                                \
    FIELD(steps_per_launch, "steps-per-launch", POSITIVE, "N",                                   \
        "cl-register, cpu, pthreads: steps between two visits to memory")                        \
    FIELD(steps_per_exchange, "steps-per-exchange", POSITIVE, "N",                               \
        "cl-register in 1-D: steps between two exchanges of edges")                              \
    FIELD(persistent, "persistent", FLAG, NULL,                                                  \
        "cl-register: keep the tiles of a small system on the device; OpenCL does not promise "  \
        "that it works")                                                                         \
    FIELD(tile_points, "tile-points", POSITIVE, "N",                                             \
        "cpu, pthreads: points of a tile; in 2-D columns")                                       \
    FIELD(plan, "plan", TEXT, "NAME",                                                            \
        "how backend auto chooses: auto (wisdom, else an estimate), estimate or measure (auto)") \
    FIELD(wisdom, "wisdom", TEXT, "FILE",                                                        \
        "what measured plans are kept in; '' for none (the user's cache)")

#define ENUMERATE(NAME, ...) FIELD_##NAME,
#define TABULATE(NAME, OPTION, KIND, ...) \
    {#NAME, "--" OPTION, KIND, offsetof(eulercl_options, NAME)},
#define LIST(NAME, OPTION, KIND, ARGUMENT, DOC) \
    {OPTION, FIRST_KEY + FIELD_##NAME, ARGUMENT, 0, DOC, 3},

enum { FIELDS(ENUMERATE) FIELD_COUNT, FIRST_KEY = 0x400 };
static const struct {
    const char *name, *option;
    enum kind kind;
    size_t offset;
} fields[] = {FIELDS(TABULATE)};
static const struct argp_option option_list[] = {
    {NULL, 0, NULL, 0, "Where and how:", 3},
    FIELDS(LIST){0},
};

const char *precision_name(enum eulercl_precision precision) {
    return precision == EULERCL_DOUBLE ? "double" : "float";
}

int read_precision(const char *what, const char *text, enum eulercl_precision *precision) {
    if (strcmp(text, "double") == 0)
        *precision = EULERCL_DOUBLE;
    else if (strcmp(text, "float") == 0)
        *precision = EULERCL_FLOAT;
    else
        return fail(EULERCL_INVALID, "%s: '%s' is neither float nor double", what, text);
    return EULERCL_OK;
}

static int set_field(int field, const char *what, const char *text, eulercl_options *options) {
    void *const target = (char *)options + fields[field].offset;
    int64_t whole = 0;
    int status = EULERCL_OK;
    switch (fields[field].kind) {
    case TEXT:
        *(const char **)target = text;
        break;
    case PRECISION:
        status = read_precision(what, text, target);
        break;
    case THREADS:
        if (!(status = read_whole(what, text, 1, UINT32_MAX, &whole)))
            *(uint32_t *)target = (uint32_t)whole;
        break;
    case POSITIVE:
        if (!(status = read_whole(what, text, 1, INT64_MAX, &whole)))
            *(uint64_t *)target = (uint64_t)whole;
        break;
    case COUNT:
        status = read_whole(what, text, 0, INT64_MAX, target);
        break;
    case FLAG: /* an option has no argument, key=value has 0 or 1 */
        if (text == NULL || (status = read_whole(what, text, 0, 1, &whole)) == EULERCL_OK)
            *(int *)target = text == NULL || whole;
        break;
    }
    return status;
}

int set_option(const char *name, const char *text, eulercl_options *options) {
    for (int i = 0; i < FIELD_COUNT; i++)
        if (strcmp(name, fields[i].name) == 0) return set_field(i, name, text, options);
    return fail(EULERCL_INVALID, "no option is called '%s'", name);
}

static error_t parse_options_of(int key, char *argument, struct argp_state *state) {
    if (key < FIRST_KEY || key >= FIRST_KEY + FIELD_COUNT) return ARGP_ERR_UNKNOWN;
    return set_field(key - FIRST_KEY, fields[key - FIRST_KEY].option, argument, state->input);
}

const struct argp options_argp = {.options = option_list, .parser = parse_options_of};
