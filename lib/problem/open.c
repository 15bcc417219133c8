/* SPDX-License-Identifier: BSD-2-Clause */
/* open.c - problems by name: built-in ones, plug-ins, and files that are compiled to plug-ins. */
#include "config.h"
#include "../compile/compile.h"
#include "../mem.h"
#include "problem.h"
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#ifdef __ELF__
#include <link.h>
#endif
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

static int load(const char *path, eulercl_problem **problem, eulercl_error *error) {
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
    const struct ode_problem *definition = dlsym(plugin->handle, "ode_problem");
    if (!definition) {
        status = ecl_fail(error, EULERCL_FILE,
            "%s is not a plug-in: it has no symbol ode_problem, which eulercl/ode_problem.h "
            "defines if ODE_NAME is set",
            path);
        goto fail;
    }
    if ((status = ecl_problem_create(definition, plugin, problem, error))) goto fail;
    return EULERCL_OK;
fail:
    if (plugin->handle) dlclose(plugin->handle);
    ecl_mem_free(plugin);
    return status;
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
#ifdef HAVE_COMPILE
    struct workshop shop;
    eulercl_error why;
    how.is_cached = 0;
    if ((status = ecl_compile(file, &how, &shop, error))) return status;
    if ((status = load(shop.library, problem, &why)))
        ecl_fail(error, status, "%s: %s", file, why.message);
    ecl_workshop_close(&shop, &how); /* a loaded library needs no file */
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
        return load(name_or_path, problem, error);
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
