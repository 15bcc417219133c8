/* SPDX-License-Identifier: BSD-2-Clause */
/* compile.c - a FILE.c becomes a plug-in: the source, the key of the cache, the compiler. */
#include "config.h"
#include "compile.h"
#include "key.h"
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
    struct source from;
    eulercl_compilation *how;
    const struct workshop *shop;
};

/* The absolute path, because the header embeds the text by the name that the compiler was given. */
static int find_source(struct task *task, eulercl_error *error) {
    const char *const file = task->from.file;
    struct stat entry;
    if (task->how->text) {
        snprintf(task->from.path, PATH_MAX, "%s", file);
#ifndef HAVE_POSIX_SPAWN_FILE_ACTIONS_ADDCHDIR_NP
        return ecl_fail(error, EULERCL_UNSUPPORTED,
            "%s: a text that is not a file cannot be compiled with this C library", file);
#endif
        if (!*file || strlen(file) > NAME_MAX || strpbrk(file, "/\"\\\n"))
            return ecl_fail(error, EULERCL_INVALID, "'%s' is not a name for a text", file);
        return EULERCL_OK;
    }
    if (!realpath(file, task->from.path) || access(task->from.path, R_OK) ||
        stat(task->from.path, &entry))
        return ecl_fail(error, EULERCL_FILE, "%s: %s", file, strerror(errno));
    if (strpbrk(task->from.path, "\"\\\n")) /* the name is quoted for the assembler */
        return ecl_fail(error, EULERCL_FILE,
            "%s: a problem's path must not contain quotation marks, backslashes or line breaks",
            file);
    return S_ISREG(entry.st_mode) ? EULERCL_OK
                                  : ecl_fail(error, EULERCL_FILE, "%s is not a regular file", file);
}

/* Names that the compilers would complain about in their own words, in C or later in OpenCL C. */
static int check_taken(const struct task *task, eulercl_error *error) {
    eulercl_error why;
    return eulercl_verify_names(task->from.plain.data, task->from.plain.size, &why)
               ? ecl_fail(
                     error, EULERCL_COMPILE, "%s did not compile: %s", task->from.file, why.message)
               : EULERCL_OK;
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
    const char *const file = task->from.file;
    long line;
    char text[512], missing[128];
    const int is_found =
        ecl_log_error(log, task->from.path, shop->directory, &line, text, sizeof text);
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
    ecl_plugin_arguments(task->shop, task->from.path, more);
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
                           !ecl_plugin_key(&both.from, &compiler, &key, NULL) && key.data &&
                           ecl_plugin_fetch(&key, task->shop->library);
    ecl_mem_free(key.data);
    ecl_compiler_destroy(&compiler);
    return is_fetched;
}

/* Baseline code, and *later to compile the fast one, which becomes the owner of its key. */
static int compile_baseline(
    const struct task *task, struct bytes *key, struct optimized **later, eulercl_error *error) {
    static const char kind[] = "baseline";
    struct compiler compiler;
    struct bytes own = {0};
    if (!task->how->no_cache) {
        own.data = ecl_mem_zeroed(key->size + sizeof kind, 1);
        if (!own.data) return ecl_no_memory(error, "the key of a plug-in");
        ecl_bytes_append(&own, kind, sizeof kind);
        ecl_bytes_append(&own, key->data, key->size);
    }
    int status = ecl_compiler_create(&compiler, task->shop, task->how, 1, error);
    task->how->is_baseline = 1;
    task->how->is_cached = !status && own.data && ecl_plugin_fetch(&own, task->shop->library);
    if (!status && !task->how->is_cached) status = compile_anew(task, &compiler, &own, error);
    ecl_compiler_destroy(&compiler);
    ecl_mem_free(own.data);
    if (!status)
        status = ecl_optimized_create(&task->from, task->how, task->shop, key, later, error);
    return status;
}

/* Fast code, or where that may come later baseline code; all but the key is settled. */
static int compile_with(const struct task *task, struct compiler *compiler, int may_begin,
    struct bytes *key, struct optimized **later, eulercl_error *error) {
    eulercl_compilation *const how = task->how;
    const struct bytes none = {0}, *const kept = how->no_cache ? &none : key;
    const int must_begin = may_begin && ecl_optimized_is_forced();
    how->is_cached =
        kept->data && !must_begin &&
        (ecl_plugin_fetch(key, task->shop->library) || (how->precision && fetch_both(task)));
    if (how->is_cached) return EULERCL_OK;
    return may_begin && key->data && (must_begin || how->for_check || !ecl_optimized_is_due(kept))
               ? compile_baseline(task, key, later, error)
               : compile_anew(task, compiler, kept, error);
}

static int compile(
    const struct task *task, int may_begin, struct optimized **later, eulercl_error *error) {
    const eulercl_compilation *const how = task->how;
    struct compiler compiler;
    struct bytes key = {0};
    int status = check_taken(task, error);
    if (status) return status;
    status = ecl_compiler_create(&compiler, task->shop, how, 0, error);
    if (!status) status = ecl_plugin_key(&task->from, &compiler, &key, error);
    const int turn = how->takes_turns && !how->no_cache && key.data ? ecl_plugin_take_turn() : -1;
    if (!status) status = compile_with(task, &compiler, may_begin, &key, later, error);
    ecl_plugin_end_turn(turn);
    ecl_mem_free(key.data);
    ecl_compiler_destroy(&compiler);
    return status;
}

int ecl_compile(const char *file, eulercl_compilation *how, int may_begin, struct workshop *shop,
    struct optimized **later, eulercl_error *error) {
    struct task task = {.from.file = file, .how = how, .shop = shop};
    struct source *const from = &task.from;
    *later = NULL;
    int status = find_source(&task, error);
    if (!status) status = ecl_workshop_open(shop, file, how, error);
    if (status) return status;
    status =
        ecl_bytes_read(how->text ? shop->text : from->path, &from->plain, NULL) == EULERCL_MEMORY
            ? ecl_no_memory(error, "the problem's text")
            : compile(&task, may_begin, later, error); /* of another error the compiler says
                                                          more */
    ecl_mem_free(from->plain.data);
    if (status) ecl_workshop_close(shop, how);
    return status;
}
