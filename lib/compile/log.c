/* SPDX-License-Identifier: BSD-2-Clause */
/* log.c - what a C compiler reports about a FILE.c, reduced to the user's own lines.
 *
 * Macros of the headers expand an equation once for float and once for double. So gcc and clang
 * repeat each message, and at places that no user knows. */
#include "config.h"
#include "log.h"
#include "../mem.h"
#include "../text.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int ecl_log_read(const char *path, struct log *log, eulercl_error *error) {
    *log = (struct log){0};
    int status = ecl_bytes_read(path, &log->text, error);
    if (status == EULERCL_FILE) return EULERCL_OK;
    if (status) return status;
    const char *const end = log->text.data + log->text.size;
    for (const char *at = log->text.data; at < end; at++) log->count += *at == '\n';
    log->lines = ecl_mem_zeroed(++log->count, sizeof *log->lines);
    if (!log->lines) {
        ecl_log_destroy(log);
        return ecl_no_memory(error, "the compiler's messages");
    }
    log->count = 0;
    for (char *line = log->text.data; line < end; line += strlen(line) + 1) {
        line[strcspn(line, "\n")] = 0;
        log->lines[log->count++] = line;
    }
    return EULERCL_OK;
}

void ecl_log_destroy(struct log *log) {
    ecl_mem_free(log->lines);
    ecl_mem_free(log->text.data);
}

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
        if (strstr(line, words[i])) return 1;
    return 0;
}

/* The text of an error; NULL if the line is not an error. The headers report mistakes as calls of
 * functions with an error attribute. */
static const char *error_in(const char *line) {
    static const char *const signs[] = {"declared with attribute error: ",
        "declared with 'error' attribute: ", ": fatal error: ", ": error: "};
    for (size_t i = 0; i < sizeof signs / sizeof signs[0]; i++) {
        const char *const found = strstr(line, signs[i]);
        if (found) return found + strlen(signs[i]);
    }
    return NULL;
}

/* The number of the line at the path in a message, or 0. */
static long line_at(const char *line, const char *path) {
    const char *const found = strstr(line, path);
    return found && found[strlen(path)] == ':' ? strtol(found + strlen(path) + 1, NULL, 10) : 0;
}

int ecl_log_error(const struct log *log, const char *source, const char *folder, long *at,
    char *text, size_t size) {
    int found = 0;
    *at = 0;
    for (size_t i = 0; i < log->count; i++) {
        const char *const line = log->lines[i];
        const char *const error =
            begins_at(line, source, ':') || begins_at(line, folder, '/') ? error_in(line) : NULL;
        const long number = line_at(line, source);
        if (found && (error || is_around(line))) break;
        if (number > 0)
            /* the line of the error, of the innermost macro around it, or of a note to it */
            *at = number;
        if (!error) continue;
        snprintf(text, size, "%s", error);
        found = 1;
        if (begins_at(line, source, ':')) break;
    }
    return found;
}

int ecl_log_missing(const struct log *log, char *text, size_t size) {
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
    size_t length = 0;
    int missing[WORDS] = {0};
    for (size_t i = 0; i < log->count; i++)
        for (size_t s = 0; s < SIGNS; s++)
            for (size_t w = 0; w < WORDS && strstr(log->lines[i], signs[s]); w++)
                missing[w] |= strstr(log->lines[i], words[w].function) != NULL;
    *text = '\0';
    for (size_t w = 0; w < WORDS; w++)
        if (missing[w] && length < size)
            length += (size_t)snprintf(
                text + length, size - length, "%s%s", length > 0 ? " and " : "", words[w].word);
    return length > 0;
}

const char *ecl_log_advice(const char *error) {
    static const struct {
        const char *sign, *advice;
    } known[] = {
        {"double-promotion",
            ": write REAL(0.1) for a number like 0.1, and ode_real for float or double"},
        {"float-conversion",
            ": write ode_real for float, and (int)(...) where a whole number is meant"},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strstr(error, known[i].sign)) return known[i].advice;
    return "";
}

size_t ecl_log_messages(const struct log *log, const char *folder, char *text, size_t size) {
    size_t length = 0;
    int is_ours = 0, errors = 0; /* is_ours also hides lines of the headers that are quoted */
    *text = 0;
    for (size_t i = 0; i < log->count; i++) {
        const char *const line = log->lines[i];
        errors += error_in(line) != NULL;
        if (errors > 1 || strstr(line, "each undeclared identifier is reported only once"))
            break; /* later errors mostly repeat it for another precision or instruction set */
        if (is_around(line)) continue;
        if (*line != ' ') is_ours = begins_at(line, folder, '/');
        if (is_ours || length + 2 > size) continue;
        text_escape(line, "\t", text + length, size - length - 1);
        length += strlen(text + length);
        text[length++] = '\n';
        text[length] = 0;
    }
    return length;
}
