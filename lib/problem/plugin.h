/* SPDX-License-Identifier: BSD-2-Clause */
/* plugin.h - compiled problems in shared libraries. */
#ifndef EULERCL_PLUGIN_H
#define EULERCL_PLUGIN_H
#include "../internal.h"
#include <stdatomic.h>

struct optimized; /* compile/optimized.h */

/* A plug-in stays loaded until the last problem and solver that use it are destroyed. */
struct plugin {
    atomic_long users;
    void *handle;
    const struct ode_problem *definition;
    struct optimized *later; /* of baseline code: what compiles the fast code; else NULL */
    struct plugin *fast;     /* that code, when it was loaded */
};

/* Errors: FILE, MEMORY. */
int ecl_plugin_load(const char *path, struct plugin **plugin, eulercl_error *error);
/* One user more, one less; NULL is allowed. */
void ecl_plugin_share(struct plugin *plugin);
void ecl_plugin_release(struct plugin *plugin);
/* The plug-in of the fast code if it is ready, else NULL; `waits`: when it is. It lives as long as
 * the plug-in of the baseline code. Errors: COMPILE, FILE, MEMORY, INTERNAL; and it never will be.
 */
int ecl_plugin_get_fast(
    struct plugin *plugin, int waits, struct plugin **fast, eulercl_error *error);
/* Of baseline code: begin to compile the fast one; note seconds of steps without it. */
void ecl_plugin_want_fast(struct plugin *plugin);
double ecl_plugin_note_baseline(struct plugin *plugin, double seconds);
#endif
