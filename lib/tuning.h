/* SPDX-License-Identifier: BSD-2-Clause */
/* tuning.h - the tuning parameters as a set and as text: for the planner and for wisdom. */
#ifndef EULERCL_TUNING_H
#define EULERCL_TUNING_H
#include "internal.h"

enum tuning {
#define TUNING(NAME, SELECTS) TUNING_##NAME,
#include "tuning.def"
#undef TUNING
    TUNINGS
};

/* A set: bit t is tuning parameter t. */
#define TUNING_BIT(NAME) (UINT32_C(1) << TUNING_##NAME)
enum { TUNING_TEXT = 1024 }; /* bytes that the text of all of them fits into */

/* Those that have a value of their own, and those among them that ask for a backend that has them.
 */
uint32_t eulercl_tuning_given(const eulercl_options *options);
extern const uint32_t eulercl_tuning_selects;

/* "name=value,name=value" of what is given, "-" for nothing. */
void eulercl_tuning_write(const eulercl_options *options, char text[TUNING_TEXT]);
/* The other way round, into options that have none of them; -> whether it was such a text, as
   eulercl_tuning_write writes it. Names in the options are the library's own strings. */
int eulercl_tuning_read(const char *text, eulercl_options *options);
/* Whether the values given in `options` are so in `plan`, too. */
int eulercl_tuning_agrees(const eulercl_options *options, const eulercl_options *plan);
/* All of them, from one to the other. */
void eulercl_tuning_copy(const eulercl_options *from, eulercl_options *to);
#endif
