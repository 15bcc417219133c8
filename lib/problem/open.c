/* SPDX-License-Identifier: BSD-2-Clause */
/* open.c - problems by name: built-in ones, plug-ins, and files that are compiled to plug-ins. */
#include "config.h"
#include "../compile/compile.h"
#include "../mem.h"
#include "problem.h"
#include <stdio.h>
#include <string.h>

#define PROBLEM(NAME) extern const struct ode_problem ode_problem_##NAME;
#include "problems.def"
#undef PROBLEM
static const struct ode_problem *const problems[] = {
#define PROBLEM(NAME) &ode_problem_##NAME,
#include "problems.def"
#undef PROBLEM
};
enum { PROBLEMS = sizeof problems / sizeof *problems };

const char *eulercl_problem_name(size_t index) {
    return index < PROBLEMS ? problems[index]->name : NULL;
}

/* ---- plug-ins ---- */

/* It has begun with baseline code if there is something that compiles the fast one, which the
 * plug-in then owns. */
static int load(
    const char *path, struct optimized *later, eulercl_problem **problem, eulercl_error *error) {
    struct plugin *plugin;
    int status = ecl_plugin_load(path, &plugin, error);
    if (status) return status;
    status = ecl_problem_create(plugin->definition, plugin, problem, error);
    if (status)
        ecl_plugin_release(plugin);
    else
        plugin->later = later;
    return status;
}

/* Whether both definitions come from the same text. */
static int is_alike(const struct ode_problem *a, const struct ode_problem *b) {
    return !strcmp(a->name, b->name) && a->parameter_count == b->parameter_count &&
           a->constant_count == b->constant_count && a->field_count == b->field_count &&
           a->breakpoint_count == b->breakpoint_count &&
           !memcmp(&a->grid, &b->grid, sizeof a->grid);
}

int ecl_problem_get_fast(
    const eulercl_problem *problem, int waits, eulercl_problem **fast, eulercl_error *error) {
    struct plugin *plugin;
    *fast = NULL;
    const int status = ecl_plugin_get_fast(problem->plugin, waits, &plugin, error);
    if (status || !plugin) return status;
    if (!is_alike(problem->definition, plugin->definition))
        return ecl_fail(error, EULERCL_INTERNAL, "the fast code is of another problem");
    eulercl_problem *const copy = ecl_problem_copy(problem);
    if (!copy) return ecl_no_memory(error, "a problem");
    ecl_plugin_share(plugin);
    ecl_plugin_release(copy->plugin);
    copy->plugin = plugin;
    copy->definition = plugin->definition;
    *fast = copy;
    return EULERCL_OK;
}

int ecl_problem_use(
    const eulercl_problem *problem, int waits, eulercl_problem **used, eulercl_error *error) {
    eulercl_error why;
    const int status = ecl_problem_get_fast(problem, waits, used, &why);
    if (status && waits) return ecl_fail_as(error, &why);
    if (!*used) *used = ecl_problem_copy(problem);
    return *used ? EULERCL_OK : ecl_no_memory(error, "a problem");
}

void ecl_problem_want_fast(const eulercl_problem *problem) {
    if (ecl_problem_is_baseline(problem)) ecl_plugin_want_fast(problem->plugin);
}

void eulercl_problem_optimize(const eulercl_problem *problem) {
    if (problem) ecl_problem_want_fast(problem);
}

double ecl_problem_note_baseline(const eulercl_problem *problem, double seconds) {
    return ecl_problem_is_baseline(problem) ? ecl_plugin_note_baseline(problem->plugin, seconds)
                                            : 0;
}

/* ---- files ---- */

int eulercl_problem_compile(const char *file, eulercl_compilation *compilation,
    eulercl_problem **problem, eulercl_error *error) {
    EULERCL_NEEDS(file);
    EULERCL_NEEDS(problem);
    eulercl_compilation how = {.struct_size = sizeof how};
    int status = compilation
                     ? ecl_copy_out(&how, compilation->struct_size, compilation, sizeof how, error)
                     : EULERCL_OK;
    if (status) return status;
    if (how.precision && how.precision != EULERCL_FLOAT && how.precision != EULERCL_DOUBLE)
        return ecl_fail(error, EULERCL_INVALID,
            "compilation->precision is %d: neither EULERCL_FLOAT nor EULERCL_DOUBLE nor 0",
            how.precision);
    eulercl_options checked;
    if (how.options && (status = ecl_options_check(how.options, &checked, error))) return status;
#ifdef HAVE_COMPILE
    struct workshop shop;
    struct optimized *later;
    eulercl_error why;
    how.is_cached = how.is_baseline = 0;
    status = ecl_compile(file, &how,
        how.for_check || (how.options && ecl_options_may_move(&checked)), &shop, &later, error);
    if (status) return status;
    if ((status = load(shop.library, later, problem, &why)))
        ecl_fail(error, status, "%s: %s", file, why.message);
    if (status) ecl_optimized_destroy(later);
    if (!later) ecl_workshop_close(&shop, &how); /* a loaded library needs no file */
    if (compilation) ecl_copy_out(compilation, compilation->struct_size, &how, sizeof how, NULL);
    return status;
#else
    return ecl_fail(error, EULERCL_UNSUPPORTED,
        "%s: this library was built without the part that compiles files (--disable-compile); "
        "compile it to a plug-in, as eulercl/ode_problem.h explains",
        file);
#endif
}

/* ---- any ---- */

static int ends_in(const char *name, const char *end) {
    const size_t length = strlen(name), most = strlen(end);
    return length > most && !strcmp(name + length - most, end);
}

int eulercl_problem_open(
    const char *name_or_path, eulercl_problem **problem, eulercl_error *error) {
    EULERCL_NEEDS(name_or_path);
    EULERCL_NEEDS(problem);
    if (ends_in(name_or_path, ".c"))
        return eulercl_problem_compile(name_or_path, NULL, problem, error);
    if (strchr(name_or_path, '/') || ends_in(name_or_path, ".so"))
        return load(name_or_path, NULL, problem, error);
    for (size_t i = 0; i < PROBLEMS; i++)
        if (!strcmp(problems[i]->name, name_or_path))
            return ecl_problem_create(problems[i], NULL, problem, error);
    char known[256] = "";
    for (size_t i = 0, used = 0; i < PROBLEMS && used < sizeof known; i++)
        used += (size_t)snprintf(
            known + used, sizeof known - used, "%s%s", i ? ", " : "", problems[i]->name);
    return ecl_fail(error, EULERCL_INVALID,
        "unknown problem '%s' (built-in problems: %s; files end in .c or .so)", name_or_path,
        known);
}
