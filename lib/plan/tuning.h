/* SPDX-License-Identifier: BSD-2-Clause */
/* tuning.h - the tuning parameters: their table, their values in the options, and their text for
 * the planner and for wisdom. */
#ifndef EULERCL_TUNING_H
#define EULERCL_TUNING_H
#include "../internal.h"

enum tuning {
#define TUNING(KEY, ...) TUNING_##KEY,
#include "tuning.def"
#undef TUNING
    TUNINGS
};
_Static_assert((int)TUNINGS <= EULERCL_TUNING_SLOTS, "the options have a slot for every parameter");

/* A row of tuning.def. */
struct tuning_row {
    const char *key;
    int kind;            /* enum eulercl_tuning_kind */
    int64_t least, most; /* a switch: 1 and 1; a choice: from 0 on, its place among the choices */
    const char *const *choices; /* NULL-terminated; NULL for a number, a switch, the variants */
    const char *unit, *usual, *backends;
    int is_thesis, selects;
    const char *doc;
};
extern const struct tuning_row ecl_tunings[TUNINGS];

/* options->tuning[t] is 0 while parameter t is unset, else 1 + its value - the least value. */

/* The value of a number, of a switch (1: on), or of a choice (its place). An unset parameter has
 * one less than the least value. */
static inline int64_t ecl_tuning_value(const eulercl_options *options, enum tuning t) {
    return options->tuning[t] - 1 + ecl_tunings[t].least;
}
static inline void ecl_tuning_put(eulercl_options *options, enum tuning t, int64_t value) {
    options->tuning[t] = value + 1 - ecl_tunings[t].least;
}
/* The same, or `otherwise` while the parameter is unset. */
static inline int64_t ecl_tuning_or(
    const eulercl_options *options, enum tuning t, int64_t otherwise) {
    return options->tuning[t] ? ecl_tuning_value(options, t) : otherwise;
}
/* The name of a choice; NULL while it is unset. */
const char *ecl_tuning_name(const eulercl_options *options, enum tuning t);
/* name: one of the choices, or NULL. */
void ecl_tuning_put_name(eulercl_options *options, enum tuning t, const char *name);

#define TUNED(options, KEY) ecl_tuning_value((options), TUNING_##KEY)
#define TUNED_OR(options, KEY, otherwise) ecl_tuning_or((options), TUNING_##KEY, (otherwise))
#define TUNED_NAME(options, KEY) ecl_tuning_name((options), TUNING_##KEY)
#define TUNE(options, KEY, value) ecl_tuning_put((options), TUNING_##KEY, (int64_t)(value))
#define TUNE_NAME(options, KEY, name) ecl_tuning_put_name((options), TUNING_##KEY, (name))

/* eulercl_options_set and eulercl_options_get for a tuning parameter. */
enum { VALUE_TEXT = 64 }; /* bytes that a number or a choice fits into */
int ecl_tuning_set(
    eulercl_options *options, const char *key, const char *value, eulercl_error *error);
int ecl_tuning_get(
    const eulercl_options *options, const char *key, char value[VALUE_TEXT], eulercl_error *error);
/* Check that every value is in its bounds, for options.c. Errors: INVALID. */
int ecl_tuning_check(const eulercl_options *options, eulercl_error *error);

/* Sets of parameters: bit t is parameter t. There are sets of those that are set, of those that a
 * backend has, and of those that select a backend which has them. */
uint32_t ecl_tuning_given(const eulercl_options *options);
uint32_t ecl_tuning_of(const char *backend);
uint32_t ecl_tuning_selects(void);

enum { TUNING_TEXT = 1024 }; /* bytes that the text of all of them fits into */

/* "key=value,key=value" of what is set, "-" for nothing. */
void ecl_tuning_write(const eulercl_options *options, char text[TUNING_TEXT]);
/* The inverse, into options in which nothing is set; -> whether the text is one that
 * ecl_tuning_write writes. */
int ecl_tuning_read(const char *text, eulercl_options *options);
/* Whether what is set in `options` has the same values in `plan`. */
int ecl_tuning_agrees(const eulercl_options *options, const eulercl_options *plan);
/* Copy all of them. */
void ecl_tuning_copy(const eulercl_options *from, eulercl_options *to);
#endif
