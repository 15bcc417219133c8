/* compile.c - FILE.c becomes a plug-in: cc, a private folder, the public headers from this program's own bytes.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include "cli.h"

#include <eulercl/ode_problem.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* What the bit contract asks for beside what the headers do: no contraction. */
static const char *const flags[] = {
    "-shared", "-fPIC", "-O3", "-std=gnu11", "-ffp-contract=off", "-fvisibility=hidden",
};
enum { FLAGS = sizeof flags / sizeof flags[0], EXTRA = 9 };    /* what compile() adds to them, and a NULL */

/* The files of the private folder. */
struct workshop {
    char directory[PATH_MAX], include[PATH_MAX], library[PATH_MAX], log[PATH_MAX];
};

static int remove_entry(const char *path, const struct stat *status, int type, struct FTW *walk)
{
    (void)status, (void)type, (void)walk;
    return remove(path);
}

static int open_workshop(struct workshop *shop)
{
    const char *parent = getenv("TMPDIR");
    if (parent == NULL || *parent == '\0')
        parent = "/tmp";
    /* The longest name below must fit, too. */
    if (snprintf(shop->directory, PATH_MAX - 64, "%s/eulercl-XXXXXX", parent) >= PATH_MAX - 64)
        return fail(EULERCL_FILE, "the path in TMPDIR is too long");
    if (mkdtemp(shop->directory) == NULL)
        return fail(EULERCL_FILE, "cannot make a folder in %s: %s", parent, strerror(errno));
    stpcpy(stpcpy(shop->include, shop->directory), "/eulercl");
    stpcpy(stpcpy(shop->library, shop->directory), "/problem.so");
    stpcpy(stpcpy(shop->log, shop->directory), "/log");
    return EULERCL_OK;
}

static int write_headers(const struct workshop *shop)
{
    int failed = mkdir(shop->include, 0700) != 0;
    for (const struct header *header = headers; header->name != NULL && !failed; header++) {
        char path[PATH_MAX];
        const int length = snprintf(path, sizeof path, "%s/%s", shop->include, header->name);
        FILE *const file = length < (int)sizeof path ? fopen(path, "w") : NULL;
        failed = file == NULL || fwrite(header->bytes, 1, header->size, file) != header->size;
        failed = (file != NULL && fclose(file) != 0) || failed;
    }
    return failed ? fail(EULERCL_FILE, "cannot write the headers to %s: %s", shop->include, strerror(errno)) : EULERCL_OK;
}

/* Run the compiler, its messages into the log; *result is as waitpid leaves it. */
static int run_compiler(char *const arguments[], const char *log, int *result)
{
    posix_spawn_file_actions_t actions;
    pid_t child;
    setenv("LC_ALL", "C.UTF-8", 1);    /* gcc speaks many languages, find_error one */
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, log, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO);
    const int error = posix_spawnp(&child, arguments[0], &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (error != 0)
        return fail(EULERCL_COMPILE, "cannot run the C compiler '%s': %s (install gcc or clang, or name yours in CC)",
                    arguments[0], strerror(error));
    while (waitpid(child, result, 0) < 0) {
        if (errno != EINTR)
            return fail(EULERCL_INTERNAL, "lost the C compiler: %s", strerror(errno));
        kill(child, SIGINT);   /* the signal may have been for this process alone */
    }
    return EULERCL_OK;
}

/* The absolute path, because the header embeds the text by the name that the compiler was given. */
static int find_source(const char *file, char **source)
{
    struct stat entry;
    *source = realpath(file, NULL);
    if (*source == NULL || access(*source, R_OK) != 0 || stat(*source, &entry) != 0)
        return fail(EULERCL_FILE, "%s: %s", file, strerror(errno));
    if (strpbrk(*source, "\"\\\n") != NULL)   /* the assembler gets the name in quotes */
        return fail(EULERCL_FILE, "%s: a problem's path may not have quotation marks, backslashes or line breaks", file);
    return S_ISREG(entry.st_mode) ? EULERCL_OK : fail(EULERCL_FILE, "%s is not a regular file", file);
}

static int compile(const char *file, const char *source, int all_kernels, const struct workshop *shop)
{
    int status, result = 0;
    long line;
    char only[48], text[512];
    const char *cc = getenv("CC");
    char *const words = strdup(cc != NULL && cc[strspn(cc, " ")] != '\0' ? cc : "cc");
    char **const arguments = words == NULL ? NULL : calloc(strlen(words) + FLAGS + EXTRA, sizeof *arguments);
    if (arguments == NULL) {
        status = fail(EULERCL_MEMORY, "no memory for the compiler's arguments");
    } else {
        size_t n = 0;
        char *rest;
        for (char *word = strtok_r(words, " ", &rest); word != NULL; word = strtok_r(NULL, " ", &rest))
            arguments[n++] = word;
        for (size_t i = 0; i < FLAGS; i++)
            arguments[n++] = (char *)flags[i];
        if (!all_kernels) {
            snprintf(only, sizeof only, "-DODE_KERNELS_ONLY=%" PRIu32, ode_best_kernels());
            arguments[n++] = only;
        }
        /* -z defs: an equation that is missing shows here, not when the plug-in is loaded */
        const char *const names[] = {"-I", shop->directory, "-o", shop->library, source, "-lm", "-Wl,-z,defs"};
        for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
            arguments[n++] = (char *)names[i];

        status = run_compiler(arguments, shop->log, &result);
        if (status == EULERCL_OK)
            status = check_interrupt();
        if (status == EULERCL_OK && result != 0)
            status = find_error(shop->log, source, shop->directory, &line, text, sizeof text) ? fail(EULERCL_COMPILE, "%s did not compile: line %ld: %s", file, line, text)
                                                                             : fail(EULERCL_COMPILE, "%s did not compile", file);
        if (status == EULERCL_OK || status == EULERCL_COMPILE)
            show_messages(shop->log, shop->directory);  /* warnings are worth reading, too */
    }
    free(arguments);
    free(words);
    return status;
}

int open_source(const char *file, int all_kernels, eulercl_problem **problem)
{
    struct workshop shop;
    eulercl_error error;
    char *source;
    int status = find_source(file, &source);
    if (status == EULERCL_OK)
        status = open_workshop(&shop);
    if (status != EULERCL_OK) {
        free(source);
        return status;
    }
    status = write_headers(&shop);
    if (status == EULERCL_OK)
        status = compile(file, source, all_kernels, &shop);
    if (status == EULERCL_OK && (status = eulercl_problem_open(shop.library, problem, &error)) != EULERCL_OK)
        fail(status, "%s: %s", file, error.message);
    nftw(shop.directory, remove_entry, 8, FTW_DEPTH | FTW_PHYS);   /* once loaded, the library needs no file */
    free(source);
    return status;
}
