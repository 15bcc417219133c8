/* SPDX-License-Identifier: BSD-2-Clause */
/* compiler.c - calls of the C compiler. */
#include "config.h"
#include "compiler.h"
#include "../mem.h"
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* Flags that the bit contract needs in addition to the headers: no contraction. */
static const char *const flags[] = {
    "-shared",
    "-fPIC",
    "-O3",
    "-std=gnu11",
    "-ffp-contract=off",
    "-fvisibility=hidden",
};
enum { FLAGS = sizeof flags / sizeof *flags, EXTRA = 20 }; /* EXTRA: arguments beside them */
/* The last -O counts. */
static const char *const baseline_flags[] = {"-O1", "-DODE_BASELINE"};
enum { BASELINE_FLAGS = sizeof baseline_flags / sizeof *baseline_flags };

/* The compiler runs in another folder if there is a text, so the path must not be relative. */
static int make_absolute(struct compiler *compiler, eulercl_error *error) {
    char here[PATH_MAX];
    const char *const name = compiler->arguments[0];
    if (!compiler->how->text || *name == '/' || !strchr(name, '/')) return EULERCL_OK;
    if (!getcwd(here, sizeof here) ||
        snprintf(compiler->path, PATH_MAX, "%s/%s", here, name) >= PATH_MAX)
        return ecl_fail(error, EULERCL_FILE, "the path of the C compiler '%s' is too long", name);
    compiler->arguments[0] = compiler->path;
    return EULERCL_OK;
}

int ecl_compiler_create(struct compiler *compiler, const struct workshop *shop,
    const eulercl_compilation *how, int is_baseline, eulercl_error *error) {
    const char *given = getenv("CC");
    size_t count = 0, used = 0;
    if (!given || !given[strspn(given, " ")]) given = "cc";
    *compiler = (struct compiler){.shop = shop, .how = how};
    const size_t length = strlen(given);
    while (environ && environ[count]) count++;
    compiler->cc = ecl_mem_zeroed(length + 1, 1);
    compiler->arguments = ecl_mem_zeroed(length + FLAGS + EXTRA, sizeof *compiler->arguments);
    compiler->environment = ecl_mem_zeroed(count + 2, sizeof *compiler->environment);
    if (!compiler->cc || !compiler->arguments || !compiler->environment)
        return ecl_no_memory(error, "the compiler's arguments");
    memcpy(compiler->cc, given, length);
    char **next = compiler->arguments, *rest;
    for (char *word = strtok_r(compiler->cc, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
        *next++ = word;
    for (size_t i = 0; i < FLAGS; i++) *next++ = (char *)flags[i];
    for (size_t i = 0; is_baseline && i < BASELINE_FLAGS; i++) *next++ = (char *)baseline_flags[i];
    if (is_baseline || !how->all_kernels) {
        snprintf(compiler->only, sizeof compiler->only, "-DODE_KERNELS_ONLY=%" PRIu32,
            ode_best_kernels());
        *next++ = compiler->only;
    }
    /* Without a precision it is for a check, which looks at the text in one. */
    if (is_baseline || how->precision) {
        snprintf(compiler->precision, sizeof compiler->precision, "-DODE_PRECISION_ONLY=%d",
            how->precision ? how->precision : EULERCL_DOUBLE);
        *next++ = compiler->precision;
    }
    if (how->text) *next++ = (char *)"-w"; /* a program wrote the text */
    *next++ = (char *)"-I";
    *next++ = (char *)shop->directory;
    compiler->common = (size_t)(next - compiler->arguments);
    for (size_t i = 0; i < count; i++)
        if (strncmp(environ[i], "LC_ALL=", 7) != 0) compiler->environment[used++] = environ[i];
    /* ecl_log_error understands only English messages. */
    compiler->environment[used] = (char *)"LC_ALL=C.UTF-8";
    return make_absolute(compiler, error);
}

void ecl_compiler_destroy(struct compiler *compiler) {
    ecl_mem_free(compiler->environment);
    ecl_mem_free(compiler->arguments);
    ecl_mem_free(compiler->cc);
}

/* A process group of its own, in which signals end programs as they should. */
static int lead_group(posix_spawnattr_t *attributes) {
    sigset_t ending;
    sigemptyset(&ending);
    sigaddset(&ending, SIGINT);
    sigaddset(&ending, SIGTERM);
    int failed = posix_spawnattr_setflags(
        attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
    if (!failed) failed = posix_spawnattr_setpgroup(attributes, 0);
    if (!failed) failed = posix_spawnattr_setsigdefault(attributes, &ending);
    sigemptyset(&ending);
    return failed ? failed : posix_spawnattr_setsigmask(attributes, &ending);
}

/* -> an error number, or 0 and the process. All its children keep the end of a pipe open; -1: there
 * is none, and the process leads a group. */
static int start(const struct compiler *compiler, int end, pid_t *child) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int failed = posix_spawn_file_actions_init(&actions);
    if (failed) return failed;
    failed = posix_spawnattr_init(&attributes);
    if (failed) {
        posix_spawn_file_actions_destroy(&actions);
        return failed;
    }
    if (end < 0) failed = lead_group(&attributes);
    if (!failed)
        failed = posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    if (!failed)
        failed = posix_spawn_file_actions_addopen(
            &actions, STDERR_FILENO, compiler->shop->log, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (!failed) failed = posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO);
    if (!failed && end >= 0) failed = posix_spawn_file_actions_adddup2(&actions, end, end);
#ifdef HAVE_POSIX_SPAWN_FILE_ACTIONS_ADDCHDIR_NP
    if (!failed && compiler->how->text)
        failed = posix_spawn_file_actions_addchdir_np(&actions, compiler->shop->directory);
#endif
    if (!failed)
        failed = posix_spawnp(child, compiler->arguments[0], &actions, &attributes,
            compiler->arguments, compiler->environment);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return failed;
}

/* Wait until the compiler and all its children have closed their end; 1: it has to stop. */
static int wait_for_end(const eulercl_compilation *how, int end) {
    const double start = ecl_now();
    struct pollfd closing = {.fd = end, .events = POLLIN};
    for (int is_open = 1; is_open;) {
        const int ready = poll(&closing, 1, 1000);
        is_open = ready == 0 || (ready < 0 && errno == EINTR);
        if (how->waits && how->waits(ecl_now() - start, how->user)) return 1;
    }
    return 0;
}

void ecl_plugin_arguments(
    const struct workshop *shop, const char *source, const char *more[PLUGIN_ARGUMENTS]) {
    /* -z defs: a missing equation is found here, not when the plug-in is loaded */
    const char *const all[PLUGIN_ARGUMENTS] = {
        "-o", shop->library, source, "-lm", "-Wl,-z,defs", NULL};
    memcpy(more, all, sizeof all);
}

static void add(const struct compiler *compiler, const char *const *more) {
    size_t count = compiler->common;
    while (*more) compiler->arguments[count++] = (char *)*more++;
    compiler->arguments[count] = NULL;
}

static int fail_to_start(const struct compiler *compiler, int failed, eulercl_error *error) {
    return ecl_fail(error, EULERCL_COMPILE,
        "cannot run the C compiler '%s': %s (install gcc or clang, or name yours in CC)",
        compiler->arguments[0], strerror(failed));
}

int ecl_compiler_start(
    struct compiler *compiler, const char *const *more, pid_t *child, eulercl_error *error) {
    add(compiler, more);
    const int failed = start(compiler, -1, child);
    return failed ? fail_to_start(compiler, failed, error) : EULERCL_OK;
}

int ecl_compiler_run(
    struct compiler *compiler, const char *const *more, int *result, eulercl_error *error) {
    const eulercl_compilation *const how = compiler->how;
    pid_t child;
    int ends[2], stops = 0;
    add(compiler, more);
    if (pipe2(ends, O_CLOEXEC))
        return ecl_fail(error, EULERCL_FILE, "cannot create a pipe: %s", strerror(errno));
    const int failed = start(compiler, ends[1], &child);
    close(ends[1]);
    if (!failed) stops = wait_for_end(how, ends[0]);
    close(ends[0]);
    if (failed) return fail_to_start(compiler, failed, error);
    if (stops) kill(child, SIGINT);
    while (waitpid(child, result, 0) < 0) {
        if (errno != EINTR)
            return ecl_fail(
                error, EULERCL_INTERNAL, "cannot wait for the C compiler: %s", strerror(errno));
        if (stops) kill(child, SIGINT);
    }
    return stops ? ecl_fail(error, EULERCL_CANCELLED, "the compilation was stopped") : EULERCL_OK;
}

void ecl_compiler_describe(const struct compiler *compiler, char *line, size_t size) {
    const char *const name = compiler->arguments[0];
    const char *folder = strchr(name, '/') ? NULL : getenv("PATH");
    char found[PATH_MAX], real[PATH_MAX];
    struct stat entry;
    snprintf(found, sizeof found, "%s", name);
    while (folder && *folder) {
        const int length = (int)strcspn(folder, ":");
        snprintf(found, sizeof found, "%.*s/%s", length, folder, name);
        if (length > 0 && !access(found, X_OK)) break;
        folder += length + (folder[length] == ':');
    }
    *line = 0;
    if (realpath(found, real) && !stat(real, &entry))
        snprintf(line, size, "%s %lld %lld %ld\n", real, (long long)entry.st_size,
            (long long)entry.st_mtim.tv_sec, entry.st_mtim.tv_nsec);
}
