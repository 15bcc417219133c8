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

enum { MAX_COMPONENTS = 64, KEY_GRID = 0x300, KEY_GENERAL, KEY_COMPONENTS, KEY_BOUNDARY };

/* Where the points of the unit interval are. The templates contain the texts of the first entry:
 * the number of intervals, and the place of a point. */
enum { PLACE_TEXTS = 3 };
static const struct boundary {
    const char *name, *word, *places[PLACE_TEXTS];
} boundaries[] = {
    {"fixed", "ODE_FIXED",
        {"(m + 1)", "(double)(ix + 1) / (double)(nx + 1)",
            "(double)(iy + 1) / (double)(ny + 1)"}}, /* inside; the boundary value is at 0 and 1 */
    {"clamp", "ODE_CLAMP",
        {"m", "((double)ix + 0.5) / (double)nx",
            "((double)iy + 0.5) / (double)ny"}}, /* in the centres of cells */
    {"mirror", "ODE_MIRROR",
        {"(m - 1)", "(double)ix / (double)(nx - 1)",
            "(double)iy / (double)(ny - 1)"}}, /* the last ones at 0 and 1 */
    {"periodic", "ODE_PERIODIC",
        {"m", "(double)ix / (double)nx",
            "(double)iy / (double)ny"}}, /* the first at 0, which is 1 */
};
enum { BOUNDARIES = sizeof boundaries / sizeof boundaries[0] };

struct new_problem {
    struct common common;
    const char *name;
    const struct boundary *boundary;
    int64_t dimensions, components; /* 0: not given */
    int is_general;
};

static int read_boundary(const char *text, const struct boundary **boundary) {
    for (int i = 0; i < BOUNDARIES; i++)
        if (strcmp(text, boundaries[i].name) == 0) {
            *boundary = &boundaries[i];
            return EULERCL_OK;
        }
    return fail(
        EULERCL_INVALID, "--boundary: '%s' is not one of fixed, clamp, mirror, periodic", text);
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
    if (new->is_general && (new->dimensions != 0 || new->components != 0 || new->boundary != NULL))
        return fail(EULERCL_INVALID,
            "--general has no grid: leave out --grid, --components and --boundary");
    if (new->dimensions == 0) new->dimensions = 1;
    if (new->components == 0) new->components = 1;
    if (new->boundary == NULL) new->boundary = &boundaries[0];
    return EULERCL_OK;
}

static error_t parse_new(int key, char *argument, struct argp_state *state) {
    struct new_problem *const new = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &new->common;
        return 0;
    case KEY_GRID:
        return read_whole("--grid", argument, 1, 2, &new->dimensions);
    case KEY_GENERAL:
        new->is_general = 1;
        return 0;
    case KEY_COMPONENTS:
        return read_whole("--components", argument, 1, MAX_COMPONENTS, &new->components);
    case KEY_BOUNDARY:
        return read_boundary(argument, &new->boundary);
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
    {"grid", KEY_GRID, "1|2", 0, "grid problem with this number of dimensions (1)", 1},
    {"components", KEY_COMPONENTS, "C", 0, "unknowns per grid point, 1 to 64 (1)", 1},
    {"boundary", KEY_BOUNDARY, "RULE", 0,
        "values beyond the grid: fixed, clamp, mirror or periodic (fixed); for no flux use clamp "
        "(points in cells) or mirror (points on the edge)",
        1},
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

static int begins(const char *line, const char *end, const char *word) {
    const size_t length = strlen(word);
    return (size_t)(end - line) >= length && memcmp(line, word, length) == 0;
}

/* U, V, W, U3, U4... */
static void name_component(int64_t c, char name[8]) {
    if (c < 3)
        snprintf(name, 8, "%c", (int)('U' + c));
    else
        snprintf(name, 8, "U%d", (int)c);
}

/* Is there one of the template's texts about the places of points? Its number, or PLACE_TEXTS. */
static int find_place(const char *line, const char *end) {
    int i = 0;
    while (i < PLACE_TEXTS && !begins(line, end, boundaries[0].places[i])) i++;
    return i;
}

/* Copy a line. The template's name is replaced by the problem's, the places of points by those of
 * the boundary and, as whole words, U by the component's name. */
static void put_line(FILE *file, const char *line, const char *end, const struct template *template,
    const struct new_problem *new, const char *component) {
    const size_t length = strlen(template->name);
    while (line < end) {
        const int place = find_place(line, end);
        if (place < PLACE_TEXTS) {
            fputs(new->boundary->places[place], file);
            line += strlen(boundaries[0].places[place]);
            continue;
        }
        const char *word = line;
        while (word < end && (isalnum((unsigned char)*word) || *word == '_')) word++;
        const size_t size = (size_t)(word - line);
        if (size == length && memcmp(line, template->name, length) == 0)
            fputs(new->name, file);
        else if (component != NULL && size == 1 && *line == 'U')
            fputs(component, file);
        else
            fwrite(line, 1, size > 0 ? size : 1, file);
        line += size > 0 ? size : 1;
    }
}

static void write_source(
    FILE *file, const struct template *template, const struct new_problem *new) {
    const char *line = (const char *)template->bytes;
    const char *const all = line + template->size;
    for (const char *end; line < all; line = end) {
        end = memchr(line, '\n', (size_t)(all - line));
        end = end == NULL ? all : end + 1;
        const char *const text = line + strspn(line, " ");
        const int is_list = begins(text, end, "DOT(U)") ||
                            begins(text, end, "Y0(U)"); /* a line for each component */
        if (begins(line, end, "#define U ")) {
            for (int64_t c = 0; c < new->components; c++) {
                char component[8];
                name_component(c, component);
                fprintf(file, "#define %s %d\n", component, (int)c);
            }
        } else if (begins(line, end, "#define ODE_COMPONENTS ") ||
                   begins(line, end, "#define ODE_BOUNDARY ")) {
            /* the value, and the comment at its old place */
            const char *const value = strchr(line + strlen("#define "), ' ') + 1, *const comment =
                                                                                      strstr(line,
                                                                                          "/*");
            char word[16];
            snprintf(word, sizeof word, "%d", (int)new->components);
            fprintf(file, "%.*s%-*s", (int)(value - line), line, (int)(comment - value),
                begins(line, end, "#define ODE_BOUNDARY ") ? new->boundary->word : word);
            put_line(file, comment, end, template, new, NULL);
        } else {
            for (int64_t c = 0; c < (is_list ? new->components : 1); c++) {
                char component[8];
                name_component(c, component);
                put_line(file, line, end, template, new, is_list ? component : NULL);
            }
        }
    }
}

/* Write a new file, completely or not at all; an existing file is never replaced. */
static int write_file(
    const char *path, const struct template *template, const struct new_problem *new) {
    FILE *const file = fopen(path, "wx");
    if (file == NULL)
        return errno == EEXIST
                   ? fail(EULERCL_FILE, "%s already exists and is not overwritten", path)
                   : fail(EULERCL_FILE, "cannot write %s: %s", path, strerror(errno));
    write_source(file, template, new);
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
    char *path;
    int status = parse_options(&argp, argc, argv, &new);
    if (status) return status;
    const struct template *const template = &templates[new.is_general ? 0 : new.dimensions];
    if (asprintf(&path, "%s.c", new.name) < 0)
        return fail(EULERCL_MEMORY, "no memory for a file name");
    status = write_file(path, template, &new);
    if (!status) {
        if (new.common.json)
            status = json_print(json_pack("{s:s}", "written", path));
        else
            printf("written  %s\nnext     eulercl check %s\n         eulercl solve %s --h auto\n",
                path, path, path);
    }
    free(path);
    return status;
}
