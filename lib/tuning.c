/* SPDX-License-Identifier: BSD-2-Clause */
/* tuning.c - see tuning.h. */
#include "config.h"
#include "tuning.h"
#include "schedule/diamond.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum type { TEXT, U32, U64, I64, FLAG };

static const struct {
    const char *name;
    enum type type;
    size_t offset;
} table[TUNINGS] = {
#define TUNING(NAME, SELECTS) \
    {#NAME,                                                                       \
        _Generic(((eulercl_options *)0)->NAME, const char *: TEXT, uint32_t: U32, \
            uint64_t: U64, int64_t: I64, int: FLAG),                              \
        offsetof(eulercl_options, NAME)},
#include "tuning.def"
#undef TUNING
};

const uint32_t eulercl_tuning_selects = 0
#define TUNING(NAME, SELECTS) | (uint32_t)SELECTS << TUNING_##NAME
#include "tuning.def"
#undef TUNING
    ;

/* A value: a name, or a number below 2^63, which every one that was checked is. */
struct value {
    const char *name;
    int64_t number;
};

static struct value get(const eulercl_options *options, int t) {
    const char *at = (const char *)options + table[t].offset;
    switch (table[t].type) {
    case TEXT: {
        const char *name = *(const char *const *)(const void *)at;
        return (struct value){name && strcmp(name, "auto") ? name : NULL, 0};
    }
    case U32:
        return (struct value){NULL, *(const uint32_t *)(const void *)at};
    case U64:
        return (struct value){NULL, (int64_t) * (const uint64_t *)(const void *)at};
    case I64:
        return (struct value){NULL, *(const int64_t *)(const void *)at};
    case FLAG:
        break;
    }
    return (struct value){NULL, *(const int *)(const void *)at};
}

static void set(eulercl_options *options, int t, struct value value) {
    char *at = (char *)options + table[t].offset;
    switch (table[t].type) {
    case TEXT:
        *(const char **)(void *)at = value.name;
        break;
    case U32:
        *(uint32_t *)(void *)at = (uint32_t)value.number;
        break;
    case U64:
        *(uint64_t *)(void *)at = (uint64_t)value.number;
        break;
    case I64:
        *(int64_t *)(void *)at = value.number;
        break;
    case FLAG:
        *(int *)(void *)at = (int)value.number;
        break;
    }
}

static int same(struct value a, struct value b) {
    return a.name && b.name ? !strcmp(a.name, b.name) : !a.name && !b.name && a.number == b.number;
}

uint32_t eulercl_tuning_given(const eulercl_options *options) {
    eulercl_options defaults;
    uint32_t given = 0;
    eulercl_options_init(&defaults);
    for (int t = 0; t < TUNINGS; t++)
        given |= (uint32_t)!same(get(options, t), get(&defaults, t)) << t;
    return given;
}

int eulercl_tuning_agrees(const eulercl_options *options, const eulercl_options *plan) {
    const uint32_t given = eulercl_tuning_given(options);
    for (int t = 0; t < TUNINGS; t++)
        if (given >> t & 1 && !same(get(options, t), get(plan, t))) return 0;
    return 1;
}

void eulercl_tuning_copy(const eulercl_options *from, eulercl_options *to) {
    for (int t = 0; t < TUNINGS; t++) set(to, t, get(from, t));
}

void eulercl_tuning_write(const eulercl_options *options, char text[TUNING_TEXT]) {
    const uint32_t given = eulercl_tuning_given(options);
    size_t used = (size_t)snprintf(text, TUNING_TEXT, "%s", given ? "" : "-");
    for (int t = 0; t < TUNINGS && used < TUNING_TEXT; t++) {
        if (!(given >> t & 1)) continue;
        const struct value value = get(options, t);
        const char *comma = used ? "," : "";
        used += (size_t)(value.name ? snprintf(text + used, TUNING_TEXT - used, "%s%s=%s", comma,
                                          table[t].name, value.name)
                                    : snprintf(text + used, TUNING_TEXT - used, "%s%s=%lld", comma,
                                          table[t].name, (long long)value.number));
    }
}

/* The library's own string for a name that an option may have; NULL: it has none. */
static const char *own_name(int t, const char *name) {
    if (t == TUNING_variant) {
        for (size_t b = 0; b < eulercl_backend_count; b++)
            for (const char *const *v = eulercl_backends[b].variants; *v; v++)
                if (!strcmp(*v, name)) return *v;
        return NULL;
    }
    const char *const *own =
        t == TUNING_storage ? eulercl_storage_names : eulercl_distribution_names;
    while (*own && strcmp(*own, name)) own++;
    return *own;
}

int eulercl_tuning_read(const char *text, eulercl_options *options) {
    char words[TUNING_TEXT], again[TUNING_TEXT];
    const size_t length = strlen(text);
    if (length >= sizeof words) return 0;
    memcpy(words, text, length + 1);
    char *rest = words;
    for (char *word; strcmp(text, "-") && (word = strsep(&rest, ","));) {
        char *value = strchr(word, '='), *end;
        int t = 0;
        if (!value) return 0;
        *value++ = 0;
        while (t < TUNINGS && strcmp(table[t].name, word)) t++;
        if (t == TUNINGS) return 0;
        const struct value read = {table[t].type == TEXT ? own_name(t, value) : NULL,
            table[t].type == TEXT ? 0 : strtoll(value, &end, 10)};
        if (table[t].type == TEXT && !read.name) return 0;
        set(options, t, read);
    }
    /* Whatever else is wrong - a number that does not fit, an order, a word twice - comes out
     * differently. */
    eulercl_tuning_write(options, again);
    return !strcmp(again, text);
}
