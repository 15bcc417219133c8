/* SPDX-License-Identifier: BSD-2-Clause */
/* findings.c - what the caller of eulercl_check is told. */
#include "config.h"
#include "check.h"

#define NAME_(NAME) #NAME,
static const char *const check_names[] = {CHECKS(NAME_)};

const char *eulercl_check_name(size_t index) {
    return index < CHECK_COUNT ? check_names[index] : NULL;
}

int ecl_check_tell(struct check *c, enum check_id id, enum eulercl_verdict verdict, int status,
    int64_t component, const char *log, const char *format, ...) {
    char text[LINE + 100];
    va_list arguments;
    va_start(arguments, format);
    ecl_vtext(text, sizeof text, format, arguments);
    va_end(arguments);
    c->report.holds += verdict == EULERCL_HOLDS;
    c->report.fails += verdict == EULERCL_FAILS;
    c->report.skipped += verdict == EULERCL_SKIPPED;
    const eulercl_finding finding = {.struct_size = sizeof finding,
        .check = check_names[id],
        .verdict = verdict,
        .status = status,
        .component = component,
        .text = text,
        .log = log};
    if (c->observer && c->observer(&finding, c->user))
        return ecl_fail(c->error, EULERCL_CANCELLED, "stopped during check %s", check_names[id]);
    return EULERCL_OK;
}
