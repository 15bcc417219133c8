/* SPDX-License-Identifier: BSD-2-Clause */
/* cache.h - plug-ins that were compiled before. */
#ifndef EULERCL_COMPILE_CACHE_H
#define EULERCL_COMPILE_CACHE_H
#include "../cache/cache.h"

/* 1: the plug-in that was made from the key is at that path now. */
int ecl_plugin_fetch(const struct bytes *key, const char *library);
/* Keep it, if that is possible. */
void ecl_plugin_store(const struct bytes *key, const char *library);
/* Wait for the turn of this process. Of processes that were started together one compiles, and the
 * others of its host find the result. -1: there is no cache. */
int ecl_plugin_take_turn(void);
void ecl_plugin_end_turn(int turn);
#endif
