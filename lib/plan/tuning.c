/* SPDX-License-Identifier: BSD-2-Clause */
/* tuning.c - see tuning.h. */
#include "config.h"
#include "tuning.h"
#include "../run/backend.h"
#include "../text.h"
#include <stdio.h>
#include <string.h>

#define NUMBER(LEAST, MOST) .kind = EULERCL_NUMBER, .least = LEAST, .most = MOST
#define SWITCH .kind = EULERCL_SWITCH, .least = 1, .most = 1
#define CHOICE(...)                                                              \
    .kind = EULERCL_CHOICE,                                                      \
    .most = (int64_t)(sizeof(const char *[]){__VA_ARGS__} / sizeof(char *)) - 1, \
    .choices = (const char *const[]) {                                           \
        __VA_ARGS__, NULL                                                        \
    }
#define VARIANT .kind = EULERCL_CHOICE, .most = INT16_MAX
enum { USUAL, THESIS };
enum { HINTS, SELECTS };

const struct tuning_row ecl_tunings[TUNINGS] = {
#define TUNING(KEY, KIND, UNIT, DEFAULT, BACKENDS, GROUP, PLANNER, DOC) \
    {.key = #KEY,                                                       \
        KIND,                                                           \
        .unit = UNIT,                                                   \
        .usual = DEFAULT,                                               \
        .backends = BACKENDS,                                           \
        .is_thesis = GROUP,                                             \
        .selects = PLANNER,                                             \
        .doc = DOC},
#include "tuning.def"
#undef TUNING
};

/* ---- names ---- */

/* Variants are counted over all backends; a name that several have goes by its first place. */
static const char *variant_at(int64_t place) {
    for (size_t b = 0; b < ecl_backend_count; b++)
        for (const char *const *v = ecl_backends[b].variants; *v; v++)
            if (!place--) return *v;
    return NULL;
}

static const char *choice_at(int t, int64_t place) {
    return ecl_tunings[t].choices ? ecl_tunings[t].choices[place] : variant_at(place);
}

/* -1: there is no such choice. */
static int64_t place_of(int t, const char *name) {
    const char *choice;
    for (int64_t place = 0; place <= ecl_tunings[t].most; place++)
        if (!(choice = choice_at(t, place)))
            break;
        else if (!strcmp(choice, name))
            return place;
    return -1;
}

const char *ecl_tuning_name(const eulercl_options *options, enum tuning t) {
    return options->tuning[t] ? choice_at((int)t, options->tuning[t] - 1) : NULL;
}

void ecl_tuning_put_name(eulercl_options *options, enum tuning t, const char *name) {
    options->tuning[t] = name ? place_of((int)t, name) + 1 : 0;
}

/* ---- values as text ---- */

static int find(const char *key) {
    int t = 0;
    while (t < TUNINGS && strcmp(ecl_tunings[t].key, key)) t++;
    return t;
}

/* -> whether the text is a value; NULL and "auto" unset the parameter. */
static int read_value(int t, const char *text, int64_t *slot) {
    const struct tuning_row *row = &ecl_tunings[t];
    int64_t value;
    *slot = 0;
    if (!text || !strcmp(text, "auto")) return 1;
    if (row->kind == EULERCL_CHOICE) {
        *slot = place_of(t, text) + 1;
        return *slot > 0;
    }
    if (!text_whole(text, &value)) return 0;
    if (row->kind == EULERCL_SWITCH && value == 0) return 1;
    if (value < row->least || value > row->most) return 0;
    *slot = value - row->least + 1;
    return 1;
}

static void write_value(const eulercl_options *options, enum tuning t, char *text, size_t size) {
    const int64_t value = ecl_tuning_value(options, t);
    if (ecl_tunings[t].kind == EULERCL_CHOICE && options->tuning[t])
        snprintf(text, size, "%s", ecl_tuning_name(options, t));
    else if (options->tuning[t] || ecl_tunings[t].kind == EULERCL_SWITCH)
        snprintf(text, size, "%lld", (long long)value);
    else
        snprintf(text, size, "auto");
}

/* Report the values that the parameter may have. */
static int fail_value(int t, eulercl_error *error) {
    const struct tuning_row *row = &ecl_tunings[t];
    char list[128] = "";
    if (row->kind == EULERCL_SWITCH)
        return ecl_fail(error, EULERCL_INVALID, "%s must be 0 or 1", row->key);
    if (row->kind == EULERCL_NUMBER)
        return ecl_fail(error, EULERCL_INVALID,
            "%s must be a whole number from %lld to %lld, or auto", row->key, (long long)row->least,
            (long long)row->most);
    if (!row->choices)
        return ecl_fail(error, EULERCL_INVALID,
            "%s: no backend has this one; `eulercl list` lists the variants", row->key);
    for (const char *const *c = row->choices; *c; c++)
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s, ", *c);
    return ecl_fail(error, EULERCL_INVALID, "%s must be one of %sauto", row->key, list);
}

/* ---- by key ---- */

int eulercl_get_tuning(size_t index, eulercl_tuning_info *info, eulercl_error *error) {
    EULERCL_NEEDS(info);
    if (index >= TUNINGS)
        return ecl_fail(error, EULERCL_INVALID, "there are %d tuning parameters", (int)TUNINGS);
    const struct tuning_row *row = &ecl_tunings[index];
    const eulercl_tuning_info full = {.key = row->key,
        .doc = row->doc,
        .kind = row->kind,
        .least = row->kind == EULERCL_SWITCH ? 0 : row->least,
        .most = row->kind == EULERCL_CHOICE ? 0 : row->most,
        .choices = row->choices,
        .unit = row->unit,
        .default_text = row->usual,
        .backends = row->backends,
        .is_thesis = row->is_thesis};
    return ecl_copy_out(info, info->struct_size, &full, sizeof full, error);
}

static int find_key(const char *key, int *t, eulercl_error *error) {
    *t = find(key);
    return *t < TUNINGS ? EULERCL_OK
                        : ecl_fail(error, EULERCL_INVALID, "no option is called '%s'", key);
}

int ecl_tuning_set(
    eulercl_options *options, const char *key, const char *value, eulercl_error *error) {
    int t;
    int64_t slot;
    const int status = find_key(key, &t, error);
    if (status) return status;
    if (!read_value(t, value, &slot)) return fail_value(t, error);
    options->tuning[t] = slot;
    return EULERCL_OK;
}

int ecl_tuning_get(
    const eulercl_options *options, const char *key, char value[VALUE_TEXT], eulercl_error *error) {
    int t, status = find_key(key, &t, error);
    if (!status) status = ecl_tuning_check(options, error);
    if (!status) write_value(options, (enum tuning)t, value, VALUE_TEXT);
    return status;
}

int ecl_tuning_check(const eulercl_options *options, eulercl_error *error) {
    for (int t = 0; t < TUNINGS; t++) {
        const struct tuning_row *row = &ecl_tunings[t];
        const int64_t slot = options->tuning[t];
        if (slot < 0 || slot > row->most - row->least + 1 ||
            (slot && row->kind == EULERCL_CHOICE && !choice_at(t, slot - 1)))
            return fail_value(t, error);
    }
    return EULERCL_OK;
}

/* ---- sets of parameters ---- */

uint32_t ecl_tuning_given(const eulercl_options *options) {
    uint32_t given = 0;
    for (int t = 0; t < TUNINGS; t++) given |= (uint32_t)(options->tuning[t] != 0) << t;
    return given;
}

static int is_listed(const char *list, const char *word) {
    const size_t length = strlen(word);
    for (const char *at = list; (at = strstr(at, word)); at += length)
        if ((at == list || at[-1] == ' ') && (!at[length] || at[length] == ' ')) return 1;
    return 0;
}

uint32_t ecl_tuning_of(const char *backend) {
    uint32_t set = 0;
    for (int t = 0; t < TUNINGS; t++)
        set |= (uint32_t)is_listed(ecl_tunings[t].backends, backend) << t;
    return set;
}

uint32_t ecl_tuning_selects(void) {
    uint32_t set = 0;
    for (int t = 0; t < TUNINGS; t++) set |= (uint32_t)ecl_tunings[t].selects << t;
    return set;
}

int ecl_tuning_agrees(const eulercl_options *options, const eulercl_options *plan) {
    for (int t = 0; t < TUNINGS; t++)
        if (options->tuning[t] && options->tuning[t] != plan->tuning[t]) return 0;
    return 1;
}

void ecl_tuning_copy(const eulercl_options *from, eulercl_options *to) {
    memcpy(to->tuning, from->tuning, sizeof to->tuning);
}

/* ---- all of them as text ---- */

void ecl_tuning_write(const eulercl_options *options, char text[TUNING_TEXT]) {
    size_t used = 0;
    strcpy(text, "-");
    for (int t = 0; t < TUNINGS && used < TUNING_TEXT; t++) {
        char value[VALUE_TEXT];
        if (!options->tuning[t]) continue;
        write_value(options, (enum tuning)t, value, sizeof value);
        used += (size_t)snprintf(
            text + used, TUNING_TEXT - used, "%s%s=%s", used ? "," : "", ecl_tunings[t].key, value);
    }
}

int ecl_tuning_read(const char *text, eulercl_options *options) {
    char words[TUNING_TEXT], again[TUNING_TEXT];
    const size_t length = strlen(text);
    if (length >= sizeof words) return 0;
    memcpy(words, text, length + 1);
    char *rest = words;
    for (char *word; strcmp(text, "-") && (word = strsep(&rest, ","));) {
        char *value = strchr(word, '=');
        if (!value) return 0;
        *value++ = 0;
        if (ecl_tuning_set(options, word, value, NULL)) return 0;
    }
    /* Every other error, such as another order or a word that is repeated, makes this differ. */
    ecl_tuning_write(options, again);
    return !strcmp(again, text);
}
