/* SPDX-License-Identifier: BSD-2-Clause */
/* new.c - eulercl new: the source of a problem to begin with, from the templates in cli/templates/.
 */
#include "config.h"

#include "command/commands.h"
#include "command/templates.h"
#include "shared/arguments.h"
#include "shared/json.h"
#include "shared/message.h"
#include "shared/number.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    MAX_DIMENSIONS = 3,
    MAX_COMPONENTS = 64,
    KEY_GRID = 0x300,
    KEY_GENERAL,
    KEY_COMPONENTS,
    KEY_BOUNDARY,
    KEY_SIDES
};

/* Where the points of the unit interval are under each boundary rule, by its number; a rule without
 * an entry has those of the first one. The templates contain the texts of the first entry: the
 * number of intervals, and the place of a point. */
enum { PLACE_TEXTS = 4 };
static const char *const all_places[][PLACE_TEXTS] = {
    /* inside; the boundary value is at 0 and 1 */
    {"(m + 1)", "(double)(ix + 1) / (double)(nx + 1)", "(double)(iy + 1) / (double)(ny + 1)",
        "(double)(iz + 1) / (double)(nz + 1)"},
    /* in the centres of cells */
    {"m", "((double)ix + 0.5) / (double)nx", "((double)iy + 0.5) / (double)ny",
        "((double)iz + 0.5) / (double)nz"},
    /* the last ones at 0 and 1 */
    {"(m - 1)", "(double)ix / (double)(nx - 1)", "(double)iy / (double)(ny - 1)",
        "(double)iz / (double)(nz - 1)"},
    /* the first at 0, which is 1 */
    {"m", "(double)ix / (double)nx", "(double)iy / (double)ny", "(double)iz / (double)nz"},
    /* the last ones at 0 and 1, as for a mirror */
    {"(m - 1)", "(double)ix / (double)(nx - 1)", "(double)iy / (double)(ny - 1)",
        "(double)iz / (double)(nz - 1)"},
};

struct new_problem {
    struct common common;
    const char *name;
    char boundary[32]; /* "ODE_FIXED"; "": not given */
    const char *const *places;
    int64_t dimensions, components; /* 0: not given */
    int is_general, has_sides;
};

/* With --sides the lines of the axes that there are take the place of the boundary's. */
enum { CELLS = 1 }; /* the number of their places in all_places */
static const char *const sides_of_axes[] = {
    "#define ODE_CENTRED ODE_CELLS          /* points are in the middle of cells, and the walls "
    "half a cell beyond the\n"
    "                                          last ones; ODE_NODES: the last points are at the "
    "walls */\n"
    "#define ODE_SPACING 1 / m              /* the distance of points; one for each axis: dx, dy, "
    "dz */\n"
    "/* What is known at each wall; n points outwards. ODE_VALUE(g): u = g; ODE_GRADIENT(q): du/dn "
    "= q; ODE_ROBIN(a, b, g):\n"
    "   a u + b du/dn = g; ODE_MIRROR_SIDE: du/dn = 0; ODE_GHOST(e): any expression of IN(k), the "
    "value k points inwards.\n"
    "   They may read t, parameters, the unknown's number c and the place along the wall. */\n"
    "#define ODE_SIDES(SIDE)                                                \\\n"
    "    SIDE(X_LOW, ODE_VALUE(0))                                          \\\n"
    "    SIDE(X_HIGH, ODE_GRADIENT(0))",
    "                                      \\\n"
    "    SIDE(Y_LOW, ODE_ROBIN(1, 1, 0))                                    \\\n"
    "    SIDE(Y_HIGH, ODE_MIRROR_SIDE)",
    "                                      \\\n"
    "    SIDE(Z_LOW, ODE_VALUE(t))                                          \\\n"
    "    SIDE(Z_HIGH, ODE_CLAMP_SIDE)"};

static int read_boundary(const char *text, struct new_problem *new) {
    char known[128] = "";
    const char *name;
    for (size_t i = 0; (name = eulercl_boundary_name(i)) != NULL; i++) {
        const size_t length = strlen(known);
        if (strcmp(text, name) == 0) {
            snprintf(new->boundary, sizeof new->boundary, "ODE_%s", name);
            for (char *c = new->boundary; *c != '\0'; c++) *c = (char)toupper((unsigned char)*c);
            new->places = all_places[i < sizeof all_places / sizeof *all_places ? i : 0];
            return EULERCL_OK;
        }
        snprintf(known + length, sizeof known - length, "%s%s", i == 0 ? "" : ", ", name);
    }
    return fail(EULERCL_INVALID, "--boundary: '%s' is not one of %s", text, known);
}

/* The name becomes a part of C identifiers; a reserved word would not compile. */
static int check_name(const char *name) {
    eulercl_error error;
    int is_valid = isalpha((unsigned char)*name) || *name == '_';
    for (const char *c = name; *c != '\0'; c++)
        is_valid =
            is_valid && (*c == '_' || (isascii((unsigned char)*c) && isalnum((unsigned char)*c)));
    if (!is_valid)
        return fail(EULERCL_INVALID,
            "'%s' is no name for a problem: letters, digits and _, no digit first; the file's .c "
            "is added",
            name);
    return eulercl_verify_name(name, &error) == EULERCL_OK ? EULERCL_OK : fail_library(&error);
}

static int settle(struct new_problem *new) {
    if (new->is_general &&
        (new->dimensions != 0 || new->components != 0 || *new->boundary != '\0' || new->has_sides))
        return fail(EULERCL_INVALID,
            "--general has no grid: leave out --grid, --components, --boundary and --sides");
    if (new->has_sides &&*new->boundary != '\0')
        return fail(
            EULERCL_INVALID, "--sides takes the place of --boundary: leave one of them out");
    if (new->dimensions == 0) new->dimensions = 1;
    if (new->components == 0) new->components = 1;
    const int status =
        *new->boundary == '\0' ? read_boundary(eulercl_boundary_name(0), new) : EULERCL_OK;
    if (new->has_sides) new->places = all_places[CELLS];
    return status;
}

static error_t parse_new(int key, char *argument, struct argp_state *state) {
    struct new_problem *const new = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &new->common;
        return 0;
    case KEY_GRID:
        return read_whole("--grid", argument, 1, MAX_DIMENSIONS, &new->dimensions);
    case KEY_GENERAL:
        new->is_general = 1;
        return 0;
    case KEY_COMPONENTS:
        return read_whole("--components", argument, 1, MAX_COMPONENTS, &new->components);
    case KEY_BOUNDARY:
        return read_boundary(argument, new);
    case KEY_SIDES:
        new->has_sides = 1;
        return 0;
    case ARGP_KEY_ARG:
        if (new->name != NULL) return ARGP_ERR_UNKNOWN; /* common_argp prints the message */
        new->name = argument;
        return check_name(argument);
    case ARGP_KEY_NO_ARGS:
        return fail(EULERCL_INVALID, "missing name of the new problem");
    case ARGP_KEY_SUCCESS:
        return settle(new);
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_option option_list[] = {
    {"grid", KEY_GRID, "1|2|3", 0, "grid problem with this number of dimensions (1)", 1},
    {"components", KEY_COMPONENTS, "C", 0, "unknowns per grid point, 1 to 64 (1)", 1},
    {"boundary", KEY_BOUNDARY, "RULE", 0,
        "values beyond the grid: fixed, clamp, mirror, periodic or robin (fixed); for no flux use "
        "clamp (points in cells) or mirror (points on the edge)",
        1},
    {"sides", KEY_SIDES, NULL, 0,
        "a boundary rule for each side: a value, a gradient, a mixed condition, no flux", 1},
    {"general", KEY_GENERAL, NULL, 0, "general problem: one equation per component, without a grid",
        1},
    {0},
};
static const struct argp_child children[] = {{&common_argp, 0, NULL, 0}, {0}};
static const struct argp argp = {
    .options = option_list,
    .parser = parse_new,
    .args_doc = "NAME",
    .children = children,
    .doc = "Write NAME.c, a problem that compiles and runs as it is, with comments that explain "
           "what to change. An existing file is not overwritten.",
};

/* ---- from the template to the file ---- */

/* Replace a part of the text by another one, wherever it occurs. The text is allocated anew. */
static int replace(char **text, const char *part, const char *other) {
    char *const old = *text, *rest = old;
    size_t size;
    FILE *const file = open_memstream(text, &size);
    for (char *at; file != NULL && (at = strstr(rest, part)) != NULL; rest = at + strlen(part))
        fprintf(file, "%.*s%s", (int)(at - rest), rest, other);
    if (file != NULL) fputs(rest, file);
    free(old);
    return file == NULL || fclose(file) != 0 ? fail(EULERCL_MEMORY, "no memory for the problem")
                                             : EULERCL_OK;
}

/* Repeat the line that begins so for each unknown: U, V, W, U3, U4... */
static int repeat_line(char **text, const char *begin, int unknowns) {
    char *lines, *const line = strstr(*text, begin);
    if (line == NULL) return EULERCL_OK;
    size_t size;
    FILE *const file = open_memstream(&lines, &size);
    char *const one = strndup(line, strcspn(line, "\n") + 1);
    for (int u = 0; u < unknowns && file != NULL && one != NULL; u++)
        for (const char *c = one; *c != '\0'; c++)
            if (*c == 'U' && !isalpha((unsigned char)c[1]))
                fprintf(file, u < 3 ? "%c" : "U%d", u < 3 ? 'U' + u : u);
            else if (c[0] == '0' && c[1] == '\n')
                fprintf(file, "%d", u);
            else
                fputc(*c, file);
    const int failed = one == NULL || file == NULL || fclose(file) != 0;
    const int status =
        failed ? fail(EULERCL_MEMORY, "no memory for the problem") : replace(text, one, lines);
    free(one);
    if (file != NULL) free(lines);
    return status;
}

/* Replace the definition of the boundary and its comment by rules of sides. */
static int put_sides(char **source, int64_t dimensions) {
    char *const begin = strstr(*source, "#define ODE_BOUNDARY"), *const end =
                                                                     begin != NULL
                                                                         ? strstr(begin, "*/")
                                                                         : NULL;
    if (end == NULL) return EULERCL_OK; /* the general form */
    char *const old = strndup(begin, (size_t)(end - begin) + 2), *lines = NULL;
    const int status = old == NULL || asprintf(&lines, "%s%s%s", sides_of_axes[0],
                                          dimensions > 1 ? sides_of_axes[1] : "",
                                          dimensions > 2 ? sides_of_axes[2] : "") < 0
                           ? fail(EULERCL_MEMORY, "no memory for the problem")
                           : replace(source, old, lines);
    free(old);
    free(lines);
    return status;
}

/* Make the source of the problem from the template. */
static int make_source(
    const struct template *template, const struct new_problem *new, char **source) {
    static const char *const lines[] = {"#define U 0", "    DOT(U)", "    Y0(U)"};
    char components[32], boundary[64];
    snprintf(components, sizeof components, "ODE_COMPONENTS %-2d", (int)new->components);
    snprintf(boundary, sizeof boundary, "ODE_BOUNDARY %-12s", new->boundary);
    *source = strdup((const char *)template->text);
    if (*source == NULL) return fail(EULERCL_MEMORY, "no memory for the problem");
    int status = replace(source, "ODE_COMPONENTS 1 ", components);
    if (!status && new->has_sides) status = put_sides(source, new->dimensions);
    if (!status) status = replace(source, "ODE_BOUNDARY ODE_FIXED   ", boundary);
    for (int i = 0; i < PLACE_TEXTS && !status; i++)
        status = replace(source, all_places[0][i], new->places[i]);
    for (int i = 0; i < 3 && !status; i++)
        status = repeat_line(source, lines[i], (int)new->components);
    return !status ? replace(source, template->name, new->name) : status;
}

/* Write a new file, completely or not at all; an existing file is never replaced. */
static int write_file(const char *path, const char *source) {
    FILE *const file = fopen(path, "wx");
    if (file == NULL)
        return errno == EEXIST
                   ? fail(EULERCL_FILE, "%s already exists and is not overwritten", path)
                   : fail(EULERCL_FILE, "cannot write %s: %s", path, strerror(errno));
    fputs(source, file);
    const int failed = ferror(file);
    errno = 0;
    if (fclose(file) != 0 || failed) {
        const int error = errno;
        unlink(path);
        return fail(EULERCL_FILE, "cannot write %s: %s", path,
            error != 0 ? strerror(error) : "write error");
    }
    return EULERCL_OK;
}

int new_main(int argc, char **argv) {
    struct new_problem new = {.common.command = "eulercl new"};
    char *path, *source = NULL;
    int status = parse_options(&argp, argc, argv, &new);
    if (status) return status;
    const struct template *const template = &templates[new.is_general ? 0 : new.dimensions];
    if (asprintf(&path, "%s.c", new.name) < 0)
        return fail(EULERCL_MEMORY, "no memory for a file name");
    status = make_source(template, &new, &source);
    if (!status) status = write_file(path, source);
    if (!status) {
        if (new.common.json)
            status = json_print(json_pack("{s:s}", "written", path));
        else
            printf("written  %s\nnext     eulercl check %s\n         eulercl solve %s --h auto\n",
                path, path, path);
    }
    free(path);
    free(source);
    return status;
}
