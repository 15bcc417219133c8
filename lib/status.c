/* SPDX-License-Identifier: BSD-2-Clause */
/* status.c - names and texts of statuses, and the caller's error record. */
#include "config.h"
#include "internal.h"
#include "text.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const struct {
    int value;
    const char *name, *text;
} statuses[] = {
#define STATUS(NAME, VALUE, TEXT) {VALUE, "EULERCL_" #NAME, TEXT},
#include "status.def"
#undef STATUS
};
#define STATUS(NAME, VALUE, TEXT) \
    _Static_assert(EULERCL_##NAME == VALUE, "eulercl.h and status.def disagree");
#include "status.def"
#undef STATUS

const char *eulercl_status_name(int status) {
    for (size_t i = 0; i < sizeof statuses / sizeof *statuses; i++)
        if (statuses[i].value == status) return statuses[i].name;
    return "?";
}

const char *eulercl_status_text(int status) {
    for (size_t i = 0; i < sizeof statuses / sizeof *statuses; i++)
        if (statuses[i].value == status) return statuses[i].text;
    return "?";
}

const char *eulercl_version(void) { return PACKAGE_VERSION; }

void ecl_vtext(char *to, size_t size, const char *format, va_list arguments) {
    char text[1024]; /* longer than any `to`, so that its end, which may split a character, is cut
                        off */
    vsnprintf(text, sizeof text, format, arguments);
    text_escape(text, "", to, size);
}

void ecl_text(char *to, size_t size, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    ecl_vtext(to, size, format, arguments);
    va_end(arguments);
}

int ecl_fail(eulercl_error *error, int code, const char *format, ...) {
    if (!error) return code;
    va_list arguments;
    va_start(arguments, format);
    ecl_vtext(error->message, sizeof error->message, format, arguments);
    va_end(arguments);
    error->code = code;
    error->cl_code = 0;
    error->log[0] = 0;
    return code;
}

int ecl_fail_as(eulercl_error *error, const eulercl_error *why) {
    if (error) *error = *why;
    return why->code;
}

int ecl_no_memory(eulercl_error *error, const char *what) {
    return ecl_fail(error, EULERCL_MEMORY, "no memory for %s", what);
}

int ecl_copy_out(void *to, size_t given, const void *from, size_t size, eulercl_error *error) {
    if (given < sizeof(size_t))
        return ecl_fail(error, EULERCL_INVALID,
            "struct_size is %zu: set it to the size of the struct before the call", given);
    size_t bytes = given < size ? given : size;
    memcpy(
        (char *)to + sizeof(size_t), (const char *)from + sizeof(size_t), bytes - sizeof(size_t));
    return EULERCL_OK;
}
