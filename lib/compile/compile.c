/* SPDX-License-Identifier: BSD-2-Clause */
/* compile.c - a FILE.c becomes a plug-in: the source, the key of the cache, the compiler. */
#include "config.h"
#include "compile.h"
#include "compiler.h"
#include "log.h"
#include "../mem.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

/* A file on its way to a plug-in. */
struct task {
    const char *file;      /* as the caller names it */
    char source[PATH_MAX]; /* as the compiler names it */
    struct bytes plain;    /* what it contains */
    eulercl_compilation *how;
    const struct workshop *shop;
};

/* The absolute path, because the header embeds the text by the name that the compiler was given. */
static int find_source(struct task *task, eulercl_error *error) {
    const char *const file = task->file;
    struct stat entry;
    if (task->how->text) {
        snprintf(task->source, PATH_MAX, "%s", file);
#ifndef HAVE_POSIX_SPAWN_FILE_ACTIONS_ADDCHDIR_NP
        return ecl_fail(error, EULERCL_UNSUPPORTED,
            "%s: a text that is not a file cannot be compiled with this C library", file);
#endif
        if (!*file || strlen(file) > NAME_MAX || strpbrk(file, "/\"\\\n"))
            return ecl_fail(error, EULERCL_INVALID, "'%s' is not a name for a text", file);
        return EULERCL_OK;
    }
    if (!realpath(file, task->source) || access(task->source, R_OK) || stat(task->source, &entry))
        return ecl_fail(error, EULERCL_FILE, "%s: %s", file, strerror(errno));
    if (strpbrk(task->source, "\"\\\n")) /* the name is quoted for the assembler */
        return ecl_fail(error, EULERCL_FILE,
            "%s: a problem's path must not contain quotation marks, backslashes or line breaks",
            file);
    return S_ISREG(entry.st_mode) ? EULERCL_OK
                                  : ecl_fail(error, EULERCL_FILE, "%s is not a regular file", file);
}

/* Names that the compilers would complain about in their own words, in C or later in OpenCL C. */
static int check_taken(const struct task *task, eulercl_error *error) {
    eulercl_error why;
    return eulercl_verify_names(task->plain.data, task->plain.size, &why)
               ? ecl_fail(error, EULERCL_COMPILE, "%s did not compile: %s", task->file, why.message)
               : EULERCL_OK;
}

/* Look up the names that the caller will set in the preprocessed table of parameters, so that a
 * wrong name is found without the compiler. */
static int check_parameters(const char *file, const struct bytes *text,
    const eulercl_compilation *how, eulercl_error *error) {
    static const char head[] = "ode_parameters[] = {", entry[] = "{\"";
    const char *const end = text->data + text->size;
    const char *const first = memmem(text->data, text->size, head, strlen(head));
    const char *last = first; /* the end of the table; quoted text may look like it */
    for (int is_quoted = 0; last && (is_quoted || *last != ';'); last++) {
        if (last + 1 >= end) return EULERCL_OK;
        is_quoted ^= *last == '"';
        last += is_quoted && *last == '\\';
    }
    if (!last)
        return EULERCL_OK; /* another notation: the library checks the names after compilation */
    for (const char *const *names = how->parameters; names && *names; names++) {
        const char *const name = *names;
        char known[256] = "";
        size_t used = 0;
        int is_known = 0;
        for (const char *at = first;
             !is_known && (at = memmem(at, (size_t)(last - at), entry, strlen(entry))); at++) {
            const char *const word = at + strlen(entry);
            const int length = (int)strcspn(word, "\"");
            is_known = strlen(name) == (size_t)length && strncmp(word, name, (size_t)length) == 0;
            if (used < sizeof known)
                used += (size_t)snprintf(known + used, sizeof known - used, "%s%.*s",
                    used == 0 ? "" : ", ", length, word);
        }
        if (!is_known)
            return ecl_fail(error, EULERCL_INVALID, "%s has no parameter '%s' (its parameters: %s)",
                file, name, *known == '\0' ? "none" : known);
    }
    return EULERCL_OK;
}

/* Append to a key that has room. */
static void append(struct bytes *key, const char *text, size_t size) {
    memcpy(key->data + key->size, text, size);
    key->size += size;
}

/* The key consists of all that determines the plug-in: the preprocessed text with all macros (the
 * compiler's own macros contain its version and the target processor), the source itself, which the
 * plug-in contains, and the call. key->data is NULL if there cannot be one: errors in the source
 * are reported when it is compiled. Errors: INVALID (a name of how->parameters), and as of
 * ecl_compiler_run. */
static int make_key(
    const struct task *task, struct compiler *compiler, struct bytes *key, eulercl_error *error) {
    const char *const more[] = {
        "-E", "-P", "-dD", "-w", "-o", task->shop->preprocessed, task->source, NULL};
    const char *const version = eulercl_version();
    const size_t words = compiler->common - 1; /* without the last, the private folder */
    char program[PATH_MAX + 128];
    struct bytes text;
    int result = 0;
    *key = (struct bytes){0};
    int status = ecl_compiler_run(compiler, more, &result, error);
    if (status || result || ecl_bytes_read(task->shop->preprocessed, &text, NULL)) return status;
    status = check_parameters(task->file, &text, task->how, error);
    ecl_compiler_describe(compiler, program, sizeof program);
    size_t size =
        strlen(version) + strlen(task->source) + strlen(program) + task->plain.size + text.size + 2;
    for (size_t i = 0; i < words; i++) size += strlen(compiler->arguments[i]) + 1;
    if (!status && task->plain.data) key->data = ecl_mem_zeroed(size, 1);
    if (key->data) {
        append(key, version, strlen(version));
        append(key, "\n", 1);
        append(key, task->source, strlen(task->source));
        append(key, "\n", 1);
        append(key, program, strlen(program));
        for (size_t i = 0; i < words; i++) {
            append(key, compiler->arguments[i], strlen(compiler->arguments[i]));
            append(key, "\n", 1);
        }
        append(key, task->plain.data, task->plain.size);
        append(key, text.data, text.size);
    }
    ecl_mem_free(text.data);
    return status;
}

/* ---- compiling ---- */

/* Why the compiler cannot have written what it had to, as an error number; 0: it could. Its own
 * words for that are many, and a full disk has no room for them. */
static int find_lack_of_room(const struct workshop *shop) {
    enum { ROOM = 1 << 24 }; /* more than a problem is compiled to */
    struct rlimit limit;
    if (!getrlimit(RLIMIT_FSIZE, &limit) && limit.rlim_cur < ROOM)
        return EFBIG; /* to try it would end programs that do not expect SIGXFSZ */
    const int file = open(shop->library, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    const int failed = file < 0 ? errno : posix_fallocate(file, 0, ROOM);
    if (file >= 0) close(file);
    return failed == EFBIG || failed == ENOSPC || failed == EDQUOT ? failed : 0;
}

static int fail_compiling(const struct task *task, const struct log *log, eulercl_error *error) {
    const struct workshop *const shop = task->shop;
    const char *const file = task->file;
    long line;
    char text[512], missing[128];
    const int is_found =
        ecl_log_error(log, task->source, shop->directory, &line, text, sizeof text);
    const int lack = find_lack_of_room(shop);
    if (lack && (!is_found || strstr(text, strerror(lack))))
        return ecl_fail(error, EULERCL_FILE,
            "%s did not compile: the compiler cannot write to %s: %s%s", file, shop->directory,
            strerror(lack), lack == EFBIG ? " for ulimit -f" : "");
    /* gcc reports this for a missing function that must be inlined. After any other error,
     * functions are missing because of that error. */
    if ((!is_found || strstr(text, "function body not available")) &&
        ecl_log_missing(log, missing, sizeof missing))
        return ecl_fail(error, EULERCL_COMPILE,
            "%s did not compile: it has no %s; eulercl/ode_problem.h explains what a problem "
            "consists of",
            file, missing);
    if (is_found)
        ecl_fail(error, EULERCL_COMPILE, "%s did not compile: line %ld: %s%s", file, line, text,
            ecl_log_advice(text));
    else
        ecl_fail(error, EULERCL_COMPILE, "%s did not compile", file);
    if (error) ecl_log_messages(log, shop->directory, error->log, sizeof error->log);
    return EULERCL_COMPILE;
}

/* Tell the caller what the compiler says of a file that it compiled: 1 if there is anything. */
static int has_warnings(const struct task *task, const struct log *log, char *messages) {
    const size_t room = 4 * (log->text.size + 1) + 2; /* an escaped byte becomes four */
    const size_t length = ecl_log_messages(log, task->shop->directory, messages, room);
    if (length > 0 && task->how->warns) task->how->warns(messages, task->how->user);
    return length > 0;
}

static int compile_anew(const struct task *task, struct compiler *compiler, const struct bytes *key,
    eulercl_error *error) {
    const char *more[PLUGIN_ARGUMENTS];
    struct log log;
    int result = 0;
    ecl_plugin_arguments(task->shop, task->source, more);
    int status = ecl_compiler_run(compiler, more, &result, error);
    if (!status) status = ecl_log_read(task->shop->log, &log, error);
    if (status) return status;
    char *const messages = ecl_mem_zeroed(log.text.size + 2, 4);
    if (!messages)
        status = ecl_no_memory(error, "the compiler's messages");
    else if (result)
        status = fail_compiling(task, &log, error);
    else if (!has_warnings(task, &log, messages) && key->data)
        ecl_plugin_store(key, task->shop->library); /* a source with warnings is compiled again, so
                                                      that they are reported again */
    ecl_mem_free(messages);
    ecl_log_destroy(&log);
    return status;
}

/* 1: a plug-in for both precisions was compiled before, by another program, and is taken. */
static int fetch_both(const struct task *task) {
    eulercl_compilation how = *task->how;
    struct task both = *task;
    struct compiler compiler;
    struct bytes key = {0};
    how.precision = 0;
    both.how = &how;
    const int is_fetched = !ecl_compiler_create(&compiler, task->shop, &how, 0, NULL) &&
                           !make_key(&both, &compiler, &key, NULL) && key.data &&
                           ecl_plugin_fetch(&key, task->shop->library);
    ecl_mem_free(key.data);
    ecl_compiler_destroy(&compiler);
    return is_fetched;
}

/* Baseline code, and *later to compile the fast one, whose key that becomes the owner of. */
static int compile_baseline(
    const struct task *task, struct bytes *key, struct optimized **later, eulercl_error *error) {
    static const char kind[] = "baseline";
    struct compiler compiler;
    struct bytes own = {0};
    if (key->data) own.data = ecl_mem_zeroed(key->size + sizeof kind, 1);
    if (key->data && !own.data) return ecl_no_memory(error, "the key of a plug-in");
    if (own.data) {
        append(&own, kind, sizeof kind);
        append(&own, key->data, key->size);
    }
    int status = ecl_compiler_create(&compiler, task->shop, task->how, 1, error);
    task->how->is_baseline = 1;
    if (!status && !(own.data && ecl_plugin_fetch(&own, task->shop->library)))
        status = compile_anew(task, &compiler, &own, error);
    ecl_compiler_destroy(&compiler);
    ecl_mem_free(own.data);
    if (!status)
        status = ecl_optimized_create(task->source, task->how, task->shop, key, later, error);
    return status;
}

static int compile(
    const struct task *task, int may_begin, struct optimized **later, eulercl_error *error) {
    eulercl_compilation *const how = task->how;
    struct compiler compiler;
    struct bytes key = {0};
    int status = check_taken(task, error);
    if (status) return status;
    status = ecl_compiler_create(&compiler, task->shop, how, 0, error);
    if (!status) status = make_key(task, &compiler, &key, error);
    if (how->no_cache) {
        ecl_mem_free(key.data);
        key.data = NULL;
    }
    const int must_begin = may_begin && ecl_optimized_is_forced();
    const int turn = how->takes_turns && key.data ? ecl_plugin_take_turn() : -1;
    how->is_cached =
        !status && key.data && !must_begin &&
        (ecl_plugin_fetch(&key, task->shop->library) || (how->precision && fetch_both(task)));
    if (!status && !how->is_cached && may_begin && (must_begin || !ecl_optimized_is_due(&key)))
        status = compile_baseline(task, &key, later, error);
    else if (!status && !how->is_cached)
        status = compile_anew(task, &compiler, &key, error);
    ecl_plugin_end_turn(turn);
    ecl_mem_free(key.data);
    ecl_compiler_destroy(&compiler);
    return status;
}

int ecl_compile(const char *file, eulercl_compilation *how, int may_begin, struct workshop *shop,
    struct optimized **later, eulercl_error *error) {
    struct task task = {.file = file, .how = how, .shop = shop};
    *later = NULL;
    int status = find_source(&task, error);
    if (!status) status = ecl_workshop_open(shop, file, how, error);
    if (status) return status;
    status =
        ecl_bytes_read(how->text ? shop->text : task.source, &task.plain, NULL) == EULERCL_MEMORY
            ? ecl_no_memory(error, "the problem's text")
            : compile(&task, may_begin, later, error); /* of another error the compiler says more */
    ecl_mem_free(task.plain.data);
    if (status) ecl_workshop_close(shop, how);
    return status;
}
