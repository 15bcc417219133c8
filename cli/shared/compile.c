/* SPDX-License-Identifier: BSD-2-Clause */
/* compile.c - FILE.c becomes a plug-in: cc, a private folder, the public headers from this
 * program's own bytes. */
#include "config.h"

#include "shared/compile.h"
#include "shared/cache.h"
#include "shared/clock.h"
#include "shared/compiler_log.h"
#include "shared/message.h"
#include "shared/processes.h"
#include "shared/stop.h"

#include <errno.h>
#include <eulercl/ode_problem.h>
#include <fcntl.h>
#include <ftw.h>
#include <inttypes.h>
#include <limits.h>
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
enum {
    FLAGS = sizeof flags / sizeof flags[0],
    EXTRA = 12,
    PATIENCE = 3
}; /* EXTRA: arguments beside them, and a NULL; PATIENCE: seconds */

/* The files of the private folder. */
struct workshop {
    char directory[PATH_MAX], include[PATH_MAX], detail[PATH_MAX], library[PATH_MAX],
        text[PATH_MAX], log[PATH_MAX];
};

static int remove_entry(const char *path, const struct stat *status, int type, struct FTW *walk) {
    (void)status, (void)type, (void)walk;
    return remove(path);
}

/* Everything that may be in the folder. */
static void each_private(const struct workshop *shop, void (*call)(const char *path)) {
    const char *const names[] = {shop->detail, shop->include, shop->library, shop->text, shop->log};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) call(names[i]);
    for (const struct header *header = headers; header->name != NULL; header++) {
        char path[PATH_MAX];
        if (snprintf(path, sizeof path, "%s/%s", shop->include, header->name) < (int)sizeof path)
            call(path);
    }
}

static int open_workshop(struct workshop *shop) {
    const char *parent = getenv("TMPDIR");
    if (parent == NULL || *parent == '\0') parent = "/tmp";
    /* The longest name in the folder must fit, too. */
    if (snprintf(shop->directory, PATH_MAX - 64, "%s/eulercl-XXXXXX", parent) >= PATH_MAX - 64)
        return fail(EULERCL_FILE, "the path in TMPDIR is too long");
    begin_private();
    const int failed = mkdtemp(shop->directory) == NULL ? errno : 0;
    end_private(failed ? NULL : shop->directory);
    if (failed)
        return fail(EULERCL_FILE, "cannot create a folder in %s: %s", parent, strerror(failed));
    stpcpy(stpcpy(shop->include, shop->directory), "/eulercl");
    stpcpy(stpcpy(shop->detail, shop->include), "/detail");
    stpcpy(stpcpy(shop->library, shop->directory), "/problem.so");
    stpcpy(stpcpy(shop->text, shop->directory), "/text");
    stpcpy(stpcpy(shop->log, shop->directory), "/log");
    each_private(shop, guard_file);
    return EULERCL_OK;
}

static int write_headers(const struct workshop *shop) {
    int failed = mkdir(shop->include, 0700) != 0 || mkdir(shop->detail, 0700) != 0;
    for (const struct header *header = headers; header->name != NULL && !failed; header++) {
        char path[PATH_MAX];
        const int length = snprintf(path, sizeof path, "%s/%s", shop->include, header->name);
        FILE *const file = length < (int)sizeof path ? fopen(path, "w") : NULL;
        failed = file == NULL || fwrite(header->bytes, 1, header->size, file) != header->size;
        failed = (file != NULL && fclose(file) != 0) || failed;
    }
    return failed ? fail(EULERCL_FILE, "cannot write the headers to %s: %s", shop->include,
                        strerror(errno))
                  : EULERCL_OK;
}

/* Wait until the compiler and all its children have closed their end, or for a signal. After a
 * while, print what the user is waiting for. */
static void wait_for_end(int end) {
    struct pollfd closing = {.fd = end, .events = POLLIN};
    const double start = wall_clock();
    for (int seconds = PATIENCE; poll(&closing, 1, seconds * 1000) == 0; seconds = 1) {
        char line[80];
        if (!can_show_progress()) continue;
        snprintf(line, sizeof line, "compiling for %.0f s", wall_clock() - start);
        show_line(line);
    }
    wipe_line();
}

/* Run the compiler, its messages into the log; *result is as waitpid leaves it. */
static int run_compiler(char *const arguments[], const char *log, int *result) {
    posix_spawn_file_actions_t actions;
    pid_t child;
    int ends[2];
    if (pipe(ends) != 0) return fail(EULERCL_FILE, "cannot create a pipe: %s", strerror(errno));
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    setenv("LC_ALL", "C.UTF-8", 1); /* find_error understands only English messages */
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(
        &actions, STDERR_FILENO, log, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO);
    const int error = posix_spawnp(&child, arguments[0], &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    if (error == 0) wait_for_end(ends[0]);
    close(ends[0]);
    if (error != 0)
        return fail(EULERCL_COMPILE,
            "cannot run the C compiler '%s': %s (install gcc or clang, or name yours in CC)",
            arguments[0], strerror(error));
    if (stop_signal() != NULL)
        kill(child, SIGINT); /* the signal may have been sent to this process only */
    while (waitpid(child, result, 0) < 0) {
        if (errno != EINTR)
            return fail(EULERCL_INTERNAL, "cannot wait for the C compiler: %s", strerror(errno));
        kill(child, SIGINT);
    }
    return check_interrupt();
}

/* The absolute path, because the header embeds the text by the name that the compiler was given. */
static int find_source(const char *file, char **source) {
    struct stat entry;
    *source = realpath(file, NULL);
    if (*source == NULL || access(*source, R_OK) != 0 || stat(*source, &entry) != 0)
        return fail(EULERCL_FILE, "%s: %s", file, strerror(errno));
    if (strpbrk(*source, "\"\\\n") != NULL) /* the name is quoted for the assembler */
        return fail(EULERCL_FILE,
            "%s: a problem's path must not contain quotation marks, backslashes or line breaks",
            file);
    return S_ISREG(entry.st_mode) ? EULERCL_OK
                                  : fail(EULERCL_FILE, "%s is not a regular file", file);
}

/* ---- the compiler's arguments: $CC, the flags, and what one call adds ---- */

struct compiler_call {
    char *cc; /* $CC, whose words are the first arguments */
    char **arguments;
    size_t common, count; /* number of arguments of each call, and of all arguments now */
    char only[48];
};

static int begin_call(int all_kernels, const struct workshop *shop, struct compiler_call *call) {
    const char *const cc = getenv("CC");
    char *rest;
    *call =
        (struct compiler_call){.cc = strdup(cc != NULL && cc[strspn(cc, " ")] != '\0' ? cc : "cc")};
    call->arguments =
        call->cc == NULL ? NULL : calloc(strlen(call->cc) + FLAGS + EXTRA, sizeof *call->arguments);
    if (call->arguments == NULL)
        return fail(EULERCL_MEMORY, "no memory for the compiler's arguments");
    for (char *word = strtok_r(call->cc, " ", &rest); word != NULL;
         word = strtok_r(NULL, " ", &rest))
        call->arguments[call->common++] = word;
    for (size_t i = 0; i < FLAGS; i++) call->arguments[call->common++] = (char *)flags[i];
    if (!all_kernels) {
        snprintf(call->only, sizeof call->only, "-DODE_KERNELS_ONLY=%" PRIu32, ode_best_kernels());
        call->arguments[call->common++] = call->only;
    }
    call->arguments[call->common++] = "-I";
    call->arguments[call->common++] = (char *)shop->directory;
    return EULERCL_OK;
}

static int run_call(struct compiler_call *call, const char *const *more, size_t count,
    const struct workshop *shop, int *result) {
    call->count = call->common;
    for (size_t i = 0; i < count; i++) call->arguments[call->count++] = (char *)more[i];
    call->arguments[call->count] = NULL;
    return run_compiler(call->arguments, shop->log, result);
}

static void end_call(struct compiler_call *call) {
    free(call->arguments);
    free(call->cc);
}

/* ---- what a library is made from ---- */

/* Describe the program that posix_spawnp runs; a compiler that was replaced has another time. */
static void describe_program(FILE *file, const char *name) {
    const char *const path = getenv("PATH");
    char *const folders = strchr(name, '/') != NULL || path == NULL ? NULL : strdup(path), *rest,
                found[PATH_MAX];
    struct stat entry;
    snprintf(found, sizeof found, "%s", name);
    for (char *folder = folders == NULL ? NULL : strtok_r(folders, ":", &rest); folder != NULL;
         folder = strtok_r(NULL, ":", &rest)) {
        snprintf(found, sizeof found, "%s/%s", folder, name);
        if (access(found, X_OK) == 0) break;
    }
    char *const real = realpath(found, NULL);
    if (real != NULL && stat(real, &entry) == 0)
        fprintf(file, "%s %lld %lld %ld\n", real, (long long)entry.st_size,
            (long long)entry.st_mtim.tv_sec, entry.st_mtim.tv_nsec);
    free(real);
    free(folders);
}

/* Look up the names that -p sets in the preprocessed table of parameters, so that a wrong name is
 * found without the compiler. */
static int check_names(
    const char *file, const struct bytes *text, const struct compiling *compiling) {
    static const char head[] = "ode_parameters[] = {", entry[] = "{\"";
    const char *const end = text->data + text->size;
    const char *const first = memmem(text->data, text->size, head, strlen(head));
    const char *last = first; /* the end of the table; quoted text may look like it */
    for (int is_quoted = 0; last != NULL && (is_quoted || *last != ';'); last++) {
        if (last + 1 >= end) return EULERCL_OK;
        is_quoted ^= *last == '"';
        last += is_quoted && *last == '\\';
    }
    if (last == NULL)
        return EULERCL_OK; /* another notation: the library checks the names after compilation */
    for (size_t i = 0; i < compiling->n_settings; i++) {
        const char *const name = compiling->settings[i].name;
        char known[256] = "";
        size_t used = 0;
        int is_known = 0;
        for (const char *at = first;
             !is_known && (at = memmem(at, (size_t)(last - at), entry, strlen(entry))) != NULL;
             at++) {
            const char *const word = at + strlen(entry);
            const int length = (int)strcspn(word, "\"");
            is_known = strlen(name) == (size_t)length && strncmp(word, name, (size_t)length) == 0;
            if (used < sizeof known)
                used += (size_t)snprintf(known + used, sizeof known - used, "%s%.*s",
                    used == 0 ? "" : ", ", length, word);
        }
        if (!is_known)
            return fail(EULERCL_INVALID, "%s has no parameter '%s' (its parameters: %s)", file,
                name, *known == '\0' ? "none" : known);
    }
    return EULERCL_OK;
}

/* The key consists of all that determines the compiled library: the preprocessed text with all
 * macros (the compiler's own macros contain its version and the target processor), the source
 * itself, which the library contains, and the call. key->data, to be freed, is NULL if that fails.
 * Errors: INVALID (-p). */
static int make_key(struct compiler_call *call, const char *file_name, const char *source,
    const struct compiling *compiling, const struct workshop *shop, struct bytes *key) {
    const char *const more[] = {"-E", "-P", "-dD", "-w", "-o", shop->text, source};
    struct bytes text, plain;
    int result = 0;
    *key = (struct bytes){0};
    int status = run_call(call, more, sizeof more / sizeof more[0], shop, &result);
    if (status || result != 0)
        return status; /* errors in the source are reported when it is compiled */
    read_bytes(shop->text, &text);
    read_bytes(source, &plain);
    if (text.data != NULL) status = check_names(file_name, &text, compiling);
    FILE *const file =
        text.data == NULL || plain.data == NULL ? NULL : open_memstream(&key->data, &key->size);
    if (file != NULL) {
        fprintf(file, "%s\n%s\n", eulercl_version(), source);
        describe_program(file, call->arguments[0]);
        for (size_t i = 0; i + 1 < call->common;
             i++) /* without the last argument, the private folder */
            fprintf(file, "%s\n", call->arguments[i]);
        fwrite(plain.data, 1, plain.size, file);
        fwrite(text.data, 1, text.size, file);
        const int failed = ferror(file);
        if (fclose(file) != 0 || failed) {
            free(key->data);
            *key = (struct bytes){0};
        }
    }
    free(text.data);
    free(plain.data);
    return status;
}

/* ---- compiling ---- */

/* Why the compiler cannot have written what it had to, as an error number; 0: it could. Its own
 * words for that are many, and a full disk has no room for them. */
static int find_lack_of_room(const struct workshop *shop) {
    enum { ROOM = 1 << 24 }; /* more than a problem is compiled to */
    const int file = open(shop->library, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    const int error = file < 0 ? errno : posix_fallocate(file, 0, ROOM);
    if (file >= 0) close(file);
    return error == EFBIG || error == ENOSPC || error == EDQUOT ? error : 0;
}

static int fail_compiling(const char *file, const char *source, const struct workshop *shop) {
    long line;
    char text[512], missing[128];
    const int is_found = find_error(shop->log, source, shop->directory, &line, text, sizeof text);
    const int lack = find_lack_of_room(shop);
    if (lack != 0 && (!is_found || strstr(text, strerror(lack)) != NULL))
        return fail(EULERCL_FILE, "%s did not compile: the compiler cannot write to %s: %s%s", file,
            shop->directory, strerror(lack), lack == EFBIG ? " for ulimit -f" : "");
    /* gcc reports this for a missing function that must be inlined. After any other error,
     * functions are missing because of that error. */
    if ((!is_found || strstr(text, "function body not available") != NULL) &&
        find_missing(shop->log, missing, sizeof missing))
        return fail(EULERCL_COMPILE,
            "%s did not compile: it has no %s; eulercl/ode_problem.h explains what a problem "
            "consists of",
            file, missing);
    const int status = is_found ? fail(EULERCL_COMPILE, "%s did not compile: line %ld: %s%s", file,
                                      line, text, advice(text))
                                : fail(EULERCL_COMPILE, "%s did not compile", file);
    show_messages(shop->log, shop->directory);
    return status;
}

/* Names that the compilers would complain about in their own words, in C or later in OpenCL C. */
static int check_taken(const char *file, const char *source) {
    eulercl_error error;
    struct bytes text;
    read_bytes(source, &text);
    const int status =
        text.data == NULL || eulercl_verify_names(text.data, text.size, &error) == EULERCL_OK
            ? EULERCL_OK
            : fail(EULERCL_COMPILE, "%s did not compile: %s", file, error.message);
    free(text.data);
    return status;
}

static int compile(const char *file, const char *source, struct compiling *compiling,
    const struct workshop *shop) {
    struct compiler_call call;
    struct bytes key = {0};
    int result = 0;
    int status = check_taken(file, source);
    if (status) return status;
    status = begin_call(compiling->all_kernels, shop, &call);
    if (!status) status = make_key(&call, file, source, compiling, shop, &key);
    if (compiling->no_cache) {
        free(key.data);
        key.data = NULL;
    }
    const int turn = process_count() > 1 && key.data != NULL ? take_turn() : -1;
    compiling->is_cached = !status && key.data != NULL && fetch_compiled(&key, shop->library);
    if (!status && !compiling->is_cached) {
        /* -z defs: a missing equation is found here, not when the plug-in is loaded */
        const char *const more[] = {"-o", shop->library, source, "-lm", "-Wl,-z,defs"};
        status = run_call(&call, more, sizeof more / sizeof more[0], shop, &result);
        if (!status && result != 0)
            status = fail_compiling(file, source, shop);
        else if (!status && !show_messages(shop->log, shop->directory) && key.data != NULL)
            store_compiled(&key, shop->library); /* a source with warnings is compiled again, so
                                                    that they are printed again */
    }
    end_turn(turn);
    free(key.data);
    end_call(&call);
    return status;
}

int open_source(const char *file, struct compiling *compiling, eulercl_problem **problem) {
    struct workshop shop;
    eulercl_error error;
    char *source;
    int status = find_source(file, &source);
    if (!status) status = open_workshop(&shop);
    if (status) {
        free(source);
        return status;
    }
    status = write_headers(&shop);
    if (!status) status = compile(file, source, compiling, &shop);
    if (!status && (status = eulercl_problem_open(shop.library, problem, &error)))
        fail(status, "%s: %s", file, error.message);
    nftw(
        shop.directory, remove_entry, 8, FTW_DEPTH | FTW_PHYS); /* a loaded library needs no file */
    each_private(&shop, release_file);
    release_file(shop.directory);
    free(source);
    return status;
}
