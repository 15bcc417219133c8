/* SPDX-License-Identifier: BSD-2-Clause */
/* plugin.c - compiled problems are loaded, and unloaded when nothing uses them. */
#include "config.h"
#include "plugin.h"
#include "../compile/optimized.h"
#include "../mem.h"
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#ifdef __ELF__
#include <link.h>
#endif
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- loading ---- */

/* The word of a problem's source whose function the loader did not find; "": another symbol is
 * missing. */
static const char *missing_word(const char *message) {
    static const struct {
        const char *symbol, *word;
    } known[] = {
        {"symbol: ode_initial", "ODE_INITIAL"},
        {"symbol: ode_exact", "ODE_EXACT"},
        {"symbol: ode_rhs", "ODE_POINT_RHS or ODE_EVAL_COMP"},
        {"symbol: ode_point_f", "ODE_POINT_RHS"},
        {"symbol: ode_components4_f", "ODE_EVAL_COMP4"},
        {"symbol: ode_component_f", "ODE_EVAL_COMP"},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strstr(message, known[i].symbol)) return known[i].word;
    return "";
}

/* -> why the file cannot be a plug-in, or NULL. dlopen makes more checks, but not for truncated
 * files: touching a missing part would end the process by SIGBUS. */
static const char *find_fault(int file) {
    struct stat status;
    if (fstat(file, &status)) return strerror(errno);
    if (!S_ISREG(status.st_mode)) return "it is not a regular file";
#ifdef __ELF__
    const uint64_t size = (uint64_t)status.st_size;
    static const char cut[] =
        "it is incomplete: the file ends before the sections that its headers describe";
    ElfW(Ehdr) header;
    if (pread(file, &header, sizeof header, 0) != sizeof header ||
        memcmp(header.e_ident, ELFMAG, SELFMAG))
        return NULL;
    if (header.e_phentsize != sizeof(ElfW(Phdr)))
        return NULL; /* the file is for another kind of machine, which the loader reports */
    for (uint64_t i = 0; i < header.e_phnum; i++) {
        ElfW(Phdr) part;
        uint64_t at;
        if (__builtin_add_overflow(header.e_phoff, i * sizeof part, &at) || at > size ||
            pread(file, &part, sizeof part, (off_t)at) != sizeof part)
            return cut;
        if (part.p_type == PT_LOAD &&
            (part.p_offset > size || part.p_filesz > size - part.p_offset))
            return cut;
    }
    /* Linkers write it at the end of a file. */
    if (header.e_shoff > size ||
        (uint64_t)header.e_shnum * header.e_shentsize > size - header.e_shoff)
        return cut;
#endif
    return NULL;
}

int ecl_plugin_load(const char *path, struct plugin **made, eulercl_error *error) {
    char here[4096];
    if (!strchr(path, '/')) { /* dlopen would search the system's folders for a bare name */
        if ((size_t)snprintf(here, sizeof here, "./%s", path) >= sizeof here)
            return ecl_fail(error, EULERCL_FILE, "the plug-in's path is too long");
        path = here;
    }
    const int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    const char *const fault = file < 0 ? strerror(errno) : find_fault(file);
    if (file >= 0) close(file);
    if (fault) return ecl_fail(error, EULERCL_FILE, "plug-in %s: %s", path, fault);
    struct plugin *plugin = ecl_mem_zeroed(1, sizeof *plugin);
    if (!plugin) return ecl_no_memory(error, "a plug-in");
    atomic_store(&plugin->users, 1);
    int status;
    plugin->handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!plugin->handle) {
        const char *const why = dlerror(), *const word = missing_word(why);
        if (*word)
            status = ecl_fail(error, EULERCL_FILE,
                "plug-in %s has no %s: its source must define it (%s)", path, word, why);
        else
            status = ecl_fail(error, EULERCL_FILE, "plug-in %s cannot be loaded: %s", path, why);
        goto fail;
    }
    plugin->definition = dlsym(plugin->handle, "ode_problem");
    if (!plugin->definition) {
        status = ecl_fail(error, EULERCL_FILE,
            "%s is not a plug-in: it has no symbol ode_problem, which eulercl/ode_problem.h "
            "defines if ODE_NAME is set",
            path);
        goto fail;
    }
    *made = plugin;
    return EULERCL_OK;
fail:
    if (plugin->handle) dlclose(plugin->handle);
    ecl_mem_free(plugin);
    return status;
}

void ecl_plugin_share(struct plugin *plugin) {
    if (plugin) atomic_fetch_add(&plugin->users, 1);
}

void ecl_plugin_release(struct plugin *plugin) {
    if (!plugin || atomic_fetch_sub(&plugin->users, 1) > 1) return;
#ifdef HAVE_COMPILE
    ecl_optimized_destroy(plugin->later);
#endif
    ecl_plugin_release(plugin->fast);
    dlclose(plugin->handle);
    ecl_mem_free(plugin);
}

/* ---- fast code in place of baseline code ---- */

#ifdef HAVE_COMPILE
static pthread_mutex_t loading = PTHREAD_MUTEX_INITIALIZER;

/* Baseline code is loaded from the same path, and the loader takes another file for it unless the
 * path is spelt in another way. */
static int load_fast(const char *library, struct plugin **fast, eulercl_error *error) {
    char path[PATH_MAX + 2];
    const char *const name = strrchr(library, '/');
    snprintf(path, sizeof path, "%.*s/.%s", (int)(name - library), library, name);
    return ecl_plugin_load(path, fast, error);
}

int ecl_plugin_get_fast(
    struct plugin *plugin, int waits, struct plugin **fast, eulercl_error *error) {
    const char *library;
    eulercl_error why;
    int status = EULERCL_OK;
    *fast = NULL;
    if (!plugin || !plugin->later) return EULERCL_OK;
    if (waits) ecl_optimized_wait(plugin->later);
    const enum optimized_state state = ecl_optimized_get(plugin->later, &library, &why);
    if (state == OPTIMIZED_FAILED) return ecl_fail_as(error, &why);
    if (state == OPTIMIZED_WAITS) return EULERCL_OK;
    pthread_mutex_lock(&loading);
    if (!plugin->fast) status = load_fast(library, &plugin->fast, error);
    *fast = plugin->fast;
    pthread_mutex_unlock(&loading);
    return status;
}

void ecl_plugin_want_fast(struct plugin *plugin) { ecl_optimized_begin(plugin->later); }

double ecl_plugin_note_baseline(struct plugin *plugin, double seconds) {
    return ecl_optimized_note(plugin->later, seconds);
}
#else
int ecl_plugin_get_fast(
    struct plugin *plugin, int waits, struct plugin **fast, eulercl_error *error) {
    (void)plugin, (void)waits, (void)error;
    *fast = NULL;
    return EULERCL_OK;
}

void ecl_plugin_want_fast(struct plugin *plugin) { (void)plugin; }
double ecl_plugin_note_baseline(struct plugin *plugin, double seconds) {
    (void)plugin, (void)seconds;
    return 0;
}
#endif
