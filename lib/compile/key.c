/* SPDX-License-Identifier: BSD-2-Clause */
/* key.c - see key.h. */
#include "config.h"
#include "key.h"
#include "../mem.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Look up the names that the caller will set in the preprocessed table of parameters, so that a
 * wrong name is found without the compiler. */
static int check_parameters(const char *file, const struct bytes *text,
    const eulercl_compilation *how, eulercl_error *error) {
    static const char head[] = "ode_parameters[] = {", entry[] = "{\"";
    const char *const end = text->data + text->size;
    const char *const first = memmem(text->data, text->size, head, strlen(head));
    const char *last = first; /* the end of the table; quoted text may look like it */
    for (int is_quoted = 0; last && (is_quoted || *last != ';'); last++) {
        if (last + 1 >= end) return EULERCL_OK;
        is_quoted ^= *last == '"';
        last += is_quoted && *last == '\\';
    }
    if (!last)
        return EULERCL_OK; /* another notation: the library checks the names after compilation */
    for (const char *const *names = how->parameters; names && *names; names++) {
        const char *const name = *names;
        char known[256] = "";
        size_t used = 0;
        int is_known = 0;
        for (const char *at = first;
             !is_known && (at = memmem(at, (size_t)(last - at), entry, strlen(entry))); at++) {
            const char *const word = at + strlen(entry);
            const int length = (int)strcspn(word, "\"");
            is_known = strlen(name) == (size_t)length && strncmp(word, name, (size_t)length) == 0;
            if (used < sizeof known)
                used += (size_t)snprintf(known + used, sizeof known - used, "%s%.*s",
                    used == 0 ? "" : ", ", length, word);
        }
        if (!is_known)
            return ecl_fail(error, EULERCL_INVALID, "%s has no parameter '%s' (its parameters: %s)",
                file, name, *known == '\0' ? "none" : known);
    }
    return EULERCL_OK;
}

int ecl_plugin_key(
    const struct source *from, struct compiler *compiler, struct bytes *key, eulercl_error *error) {
    const struct workshop *const shop = compiler->shop;
    const char *const more[] = {
        "-E", "-P", "-dD", "-w", "-o", shop->preprocessed, from->path, NULL};
    const char *const version = eulercl_version();
    const size_t words = compiler->common - 1; /* without the last, the private folder */
    char program[PATH_MAX + 128];
    struct bytes text;
    int result = 0;
    *key = (struct bytes){0};
    int status = ecl_compiler_run(compiler, more, &result, error);
    if (status || result || ecl_bytes_read(shop->preprocessed, &text, NULL)) return status;
    status = check_parameters(from->file, &text, compiler->how, error);
    ecl_compiler_describe(compiler, program, sizeof program);
    size_t size =
        strlen(version) + strlen(from->path) + strlen(program) + from->plain.size + text.size + 2;
    for (size_t i = 0; i < words; i++) size += strlen(compiler->arguments[i]) + 1;
    if (!status && from->plain.data) key->data = ecl_mem_zeroed(size, 1);
    if (key->data) {
        ecl_bytes_append(key, version, strlen(version));
        ecl_bytes_append(key, "\n", 1);
        ecl_bytes_append(key, from->path, strlen(from->path));
        ecl_bytes_append(key, "\n", 1);
        ecl_bytes_append(key, program, strlen(program));
        for (size_t i = 0; i < words; i++) {
            ecl_bytes_append(key, compiler->arguments[i], strlen(compiler->arguments[i]));
            ecl_bytes_append(key, "\n", 1);
        }
        ecl_bytes_append(key, from->plain.data, from->plain.size);
        ecl_bytes_append(key, text.data, text.size);
    }
    ecl_mem_free(text.data);
    return status;
}
