/* SPDX-License-Identifier: BSD-2-Clause */
/* compiler_log.c - what a C compiler reports about a FILE.c, reduced to the user's own lines.
 *
 * Macros of the headers expand an equation once for float and once for double. So gcc and clang
 * repeat each message, and at places that no user knows. */
#include "config.h"

#include "shared/compiler_log.h"
#include "lib/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Does the line begin with the path and the character? */
static int begins_at(const char *line, const char *path, char after) {
    const size_t length = strlen(path);
    return strncmp(line, path, length) == 0 && line[length] == after;
}

/* Is this a line around a message: what was being compiled, where it was included from, or that the
 * compiler stops? */
static int is_around(const char *line) {
    static const char *const words[] = {"In file included from ", "                 from ",
        "    inlined from ", "In function ", "At top level", "compilation terminated"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strstr(line, words[i]) != NULL) return 1;
    return 0;
}

/* The text of an error; NULL if the line is not an error. The headers report mistakes as calls of
 * functions with an error attribute. */
static const char *error_in(const char *line) {
    static const char *const signs[] = {"declared with attribute error: ",
        "declared with 'error' attribute: ", ": fatal error: ", ": error: "};
    for (size_t i = 0; i < sizeof signs / sizeof signs[0]; i++) {
        const char *const found = strstr(line, signs[i]);
        if (found != NULL) return found + strlen(signs[i]);
    }
    return NULL;
}

/* The number of the line at the path in a message, or 0. */
static long line_at(const char *line, const char *path) {
    const char *const found = strstr(line, path);
    return found != NULL && found[strlen(path)] == ':' ? strtol(found + strlen(path) + 1, NULL, 10)
                                                       : 0;
}

int find_error(
    const char *log, const char *source, const char *folder, long *at, char *text, size_t size) {
    FILE *const file = fopen(log, "r");
    char *line = NULL;
    size_t room = 0;
    int found = 0;
    *at = 0;
    while (file != NULL && getline(&line, &room, file) >= 0) {
        const char *const error =
            begins_at(line, source, ':') || begins_at(line, folder, '/') ? error_in(line) : NULL;
        const long number = line_at(line, source);
        if (found && (error != NULL || is_around(line))) break;
        if (number > 0)
            /* the line of the error, of the innermost macro around it, or of a note to it */
            *at = number;
        if (error == NULL) continue;
        snprintf(text, size, "%.*s", (int)strcspn(error, "\n"), error);
        found = 1;
        if (begins_at(line, source, ':')) break;
    }
    free(line);
    if (file != NULL) fclose(file);
    return found;
}

int find_missing(const char *log, char *text, size_t size) {
    static const char *const signs[] = {"used but never defined",
        "declared 'static' but never defined", "internal linkage but is not defined",
        "undefined reference to"};
    static const struct {
        const char *function, *word;
    } words[] = {
        {"ode_point_f", "ODE_POINT_RHS"},
        {"ode_component_f", "ODE_EVAL_COMP"},
        {"ode_components4_f", "ODE_EVAL_COMP4"},
        {"ode_initial", "ODE_INITIAL"},
        {"ode_exact", "ODE_EXACT"},
    };
    enum { SIGNS = sizeof signs / sizeof signs[0], WORDS = sizeof words / sizeof words[0] };
    FILE *const file = fopen(log, "r");
    char *line = NULL;
    size_t room = 0, length = 0;
    int missing[WORDS] = {0};
    while (file != NULL && getline(&line, &room, file) >= 0)
        for (size_t s = 0; s < SIGNS; s++)
            for (size_t w = 0; w < WORDS && strstr(line, signs[s]) != NULL; w++)
                missing[w] |= strstr(line, words[w].function) != NULL;
    free(line);
    if (file != NULL) fclose(file);
    *text = '\0';
    for (size_t w = 0; w < WORDS; w++)
        if (missing[w] && length < size)
            length += (size_t)snprintf(
                text + length, size - length, "%s%s", length > 0 ? " and " : "", words[w].word);
    return length > 0;
}

const char *advice(const char *error) {
    static const struct {
        const char *sign, *advice;
    } known[] = {
        {"double-promotion",
            ": write REAL(0.1) for a number like 0.1, and ode_real for float or double"},
        {"float-conversion",
            ": write ode_real for float, and (int)(...) where a whole number is meant"},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strstr(error, known[i].sign) != NULL) return known[i].advice;
    return "";
}

int show_messages(const char *log, const char *folder) {
    FILE *const file = fopen(log, "r");
    char *line = NULL, shown[4096];
    size_t room = 0;
    int is_ours = 0, errors = 0,
        are_shown = 0; /* also hides the lines of the headers that a message quotes */
    while (file != NULL && getline(&line, &room, file) >= 0) {
        errors += error_in(line) != NULL;
        if (errors > 1 || strstr(line, "each undeclared identifier is reported only once") != NULL)
            break; /* later errors mostly repeat it for another precision or instruction set */
        if (is_around(line)) continue;
        if (*line != ' ') is_ours = begins_at(line, folder, '/');
        if (!is_ours) {
            text_escape(line, "\n\t", shown, sizeof shown);
            fputs(shown, stderr);
            are_shown = 1;
        }
    }
    free(line);
    if (file != NULL) fclose(file);
    return are_shown;
}
