/* SPDX-License-Identifier: BSD-2-Clause */
/* number.c - numbers as options give them: the whole text or an error, never a guess. */
#include "config.h"

#include "shared/number.h"
#include "lib/text.h"
#include "shared/message.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int read_real(const char *what, const char *text, double *value) {
    double read;
    if (!text_real(text, &read))
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
    int64_t read;
    if (!text_whole(text, &read) || read < least || read > most)
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
