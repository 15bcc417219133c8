/* SPDX-License-Identifier: BSD-2-Clause */
/* number.c - numbers as options give them: the whole text or an error, never a guess. */
#include "config.h"

#include "shared/number.h"
#include "shared/message.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Underflow is an error only if the result is 0: 1e-310 is a number, 1e-400 is not. */
static int parse_real(const char *text, double *value) {
    char *end;
    errno = 0;
    *value = strtod(text, &end);
    return end != text && *end == '\0' && !isspace((unsigned char)*text) && isfinite(*value) &&
           !(errno == ERANGE && *value == 0);
}

int read_real(const char *what, const char *text, double *value) {
    double read;
    if (!parse_real(text, &read))
        return fail(EULERCL_INVALID, "%s: '%s' is not a finite number", what, text);
    *value = read;
    return EULERCL_OK;
}

int read_reals(const char *what, const char *text, double **list, int64_t *count) {
    char *const copy = strdup(text), *rest = copy;
    int status = copy == NULL ? fail(EULERCL_MEMORY, "no memory for %s", what) : EULERCL_OK;
    *count = 0;
    for (const char *one; !status && (one = strsep(&rest, ",")) != NULL;) {
        double *const more = reallocarray(*list, (size_t)*count + 1, sizeof **list);
        if (more == NULL)
            status = fail(EULERCL_MEMORY, "no memory for %s", what);
        else
            status = read_real(what, one, &(*list = more)[(*count)++]);
    }
    free(copy);
    return status;
}

int read_whole(const char *what, const char *text, int64_t least, int64_t most, int64_t *value) {
    char *end;
    double real;
    errno = 0;
    long long read = strtoll(text, &end, 10);
    int valid = end != text && *end == '\0' && !isspace((unsigned char)*text) && errno == 0;
    /* 1e8: below 2^53 a double represents every whole number. */
    if (!valid && errno == 0 && parse_real(text, &real) && real == floor(real) &&
        fabs(real) < 0x1p53) {
        read = (long long)real;
        valid = 1;
    }
    if (!valid || read < least || read > most)
        return fail(EULERCL_INVALID, "%s: '%s' is not a whole number from %" PRId64 " to %" PRId64,
            what, text, least, most);
    *value = read;
    return EULERCL_OK;
}

const char *real_text(double value, char buffer[32]) {
    snprintf(buffer, 32, "%.15g", value);
    if (strtod(buffer, NULL) != value) snprintf(buffer, 32, "%.17g", value);
    return buffer;
}

int read_positive(const char *what, const char *text, double *value) {
    double read = 0;
    const int status = read_real(what, text, &read);
    if (status) return status;
    if (!(read > 0)) return fail(EULERCL_INVALID, "%s: '%s' is not greater than 0", what, text);
    *value = read;
    return EULERCL_OK;
}
