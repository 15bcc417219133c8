/* SPDX-License-Identifier: BSD-2-Clause */
/* optimized.c - see optimized.h. One lock guards all of them: what they do under it is short. */
#include "config.h"
#include "optimized.h"
#include "log.h"
#include "../mem.h"
#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

/* What processes see that its own forks: in memory that they share. */
struct published {
    atomic_int is_begun, state;
    eulercl_error why; /* before the state says so */
};

struct optimized {
    struct optimized *next; /* in the list of all */
    struct published *published;
    struct workshop shop;
    eulercl_compilation how;
    struct compiler compiler;
    struct bytes key;
    char file[PATH_MAX]; /* as the caller names it */
    struct source from;
    pid_t process; /* that has made it; a child has no thread */
    pthread_t thread;
    int is_begun, stops;
    double seconds; /* of runs with baseline code */
};

static struct optimized *all;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

/* When runs have spent this long in steps of baseline code, the next one compiles the fast code
 * first. That takes 1 to 2.5 s and saves two thirds of such steps. As in the planner, a run that is
 * repeated is charged with a third of what it compiles. */
static const double due_seconds = 0.5;
static const char kind[] = "baseline";

/* ---- the compiler, in a thread ---- */

enum { TURN_MS = 10, PATIENT_TURNS = 100 };

/* Wait for the compiler; -> whether it was told to end. It and its children remove their files when
 * they are asked to end, and have a second for that. */
static int wait_for(const struct optimized *o, pid_t child, int *result, eulercl_error *error) {
    int turns = 0;
    for (;;) {
        struct timespec end;
        const pid_t ended = waitpid(child, result, WNOHANG);
        if (ended < 0 && errno != EINTR)
            return ecl_fail(
                error, EULERCL_INTERNAL, "cannot wait for the C compiler: %s", strerror(errno));
        if (ended == child) return EULERCL_OK;
        clock_gettime(CLOCK_REALTIME, &end);
        end.tv_nsec += TURN_MS * 1000000;
        end.tv_sec += end.tv_nsec / 1000000000;
        end.tv_nsec %= 1000000000;
        pthread_mutex_lock(&lock);
        if (!o->stops) pthread_cond_timedwait(&changed, &lock, &end);
        const int stops = o->stops;
        pthread_mutex_unlock(&lock);
        if (!stops) continue;
        if (turns++) usleep(TURN_MS * 1000);
        kill(-child, turns < PATIENT_TURNS ? SIGTERM : SIGKILL);
    }
}

/* The file may be another one than that of the baseline code by now, and so may what it includes.
 */
static int verify(struct optimized *o, eulercl_error *error) {
    struct bytes key = {0};
    if (o->how.text) return EULERCL_OK; /* nobody else has the file */
    int status = ecl_bytes_read(o->from.path, &o->from.plain, error);
    if (!status) status = ecl_plugin_key(&o->from, &o->compiler, &key, error);
    if (!status &&
        (!key.data || key.size != o->key.size || memcmp(key.data, o->key.data, key.size)))
        status = ecl_fail(error, EULERCL_COMPILE,
            "%s has changed since the problem was made from it, so there is no fast code of it",
            o->file);
    ecl_mem_free(key.data);
    ecl_mem_free(o->from.plain.data);
    return status;
}

static int compile(struct optimized *o, eulercl_error *error) {
    const char *more[PLUGIN_ARGUMENTS];
    struct log log;
    pid_t child;
    int result = 0;
    unlink(o->shop.library); /* baseline code, which stays loaded */
    if (!o->how.no_cache && ecl_plugin_fetch(&o->key, o->shop.library)) return EULERCL_OK;
    ecl_plugin_arguments(&o->shop, o->from.path, more);
    int status = ecl_compiler_start(&o->compiler, more, &child, error);
    if (!status) status = wait_for(o, child, &result, error);
    if (status) return status;
    status = ecl_log_read(o->shop.log, &log, error);
    if (status) return status;
    long line;
    char text[512];
    if (result) {
        const int is_found =
            ecl_log_error(&log, o->from.path, o->shop.directory, &line, text, sizeof text);
        status = ecl_fail(error, EULERCL_COMPILE, "the fast code did not compile%s%s",
            is_found ? ": " : "", is_found ? text : "");
    } else if (!(status = verify(o, error)) && !o->how.no_cache &&
               !ecl_log_messages(&log, o->shop.directory, text, sizeof text))
        ecl_plugin_store(&o->key, o->shop.library);
    ecl_log_destroy(&log);
    return status;
}

/* With the lock. */
static void publish(struct optimized *o, int status, const eulercl_error *why) {
    o->published->why = *why;
    atomic_store(&o->published->state, status ? OPTIMIZED_FAILED : OPTIMIZED_READY);
}

static enum optimized_state state_of(const struct optimized *o) {
    return (enum optimized_state)atomic_load(&o->published->state);
}

static void *work(void *argument) {
    struct optimized *const o = argument;
    eulercl_error why = {0};
    const int status = compile(o, &why);
    pthread_mutex_lock(&lock);
    publish(o, status, &why);
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
    return NULL;
}

/* With the lock. Signals are left to the program's threads. */
static void begin(struct optimized *o) {
    sigset_t every, before;
    if (o->is_begun || o->process != getpid()) return;
    sigfillset(&every);
    pthread_sigmask(SIG_SETMASK, &every, &before);
    const int failed = pthread_create(&o->thread, NULL, work, o);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    o->is_begun = !failed;
    atomic_store(&o->published->is_begun, 1);
    if (!failed) return;
    eulercl_error why;
    ecl_fail(
        &why, EULERCL_INTERNAL, "cannot start a thread for the compiler: %s", strerror(failed));
    publish(o, EULERCL_INTERNAL, &why);
}

static void stop(struct optimized *o) {
    pthread_mutex_lock(&lock);
    const int is_begun = o->is_begun && o->process == getpid();
    o->is_begun = 0;
    o->stops = 1;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
    if (is_begun) pthread_join(o->thread, NULL);
}

/* ---- programs that fork or end while it compiles ---- */

static void before_fork(void) { pthread_mutex_lock(&lock); }
static void after_fork(void) { pthread_mutex_unlock(&lock); }
__attribute__((constructor)) static void watch_forks(void) {
    pthread_atfork(before_fork, after_fork, after_fork);
}

__attribute__((destructor)) static void stop_all(void) {
    for (struct optimized *o = all; o; o = o->next) {
        if (o->process != getpid()) continue;
        stop(o);
        o->how.guards = NULL; /* what it belongs to may be gone */
        ecl_workshop_close(&o->shop, &o->how);
    }
}

/* ---- its life ---- */

static atomic_int is_forced;

void ecl_optimized_force(int force) { atomic_store(&is_forced, force); }
int ecl_optimized_is_forced(void) { return atomic_load(&is_forced); }

int ecl_optimized_create(const struct source *source, const eulercl_compilation *how,
    const struct workshop *shop, struct bytes *key, struct optimized **optimized,
    eulercl_error *error) {
    struct optimized *const o = ecl_mem_zeroed(1, sizeof *o);
    if (!o) return ecl_no_memory(error, "the fast code");
    o->shop = *shop;
    o->how = *how;
    o->how.parameters = NULL; /* the caller's */
    o->how.options = NULL;
    o->how.waits = NULL;
    o->how.warns = NULL;
    o->how.text = how->text ? "" : NULL; /* it is a file by now */
    snprintf(o->file, sizeof o->file, "%s", source->file);
    snprintf(o->from.path, sizeof o->from.path, "%s", source->path);
    o->from.file = o->file;
    o->process = getpid();
    void *const shared =
        mmap(NULL, sizeof *o->published, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    o->published = shared == MAP_FAILED ? NULL : shared;
    const int status = o->published ? ecl_compiler_create(&o->compiler, &o->shop, &o->how, 0, error)
                                    : ecl_no_memory(error, "the fast code");
    if (status) {
        if (o->published) munmap(o->published, sizeof *o->published);
        ecl_compiler_destroy(&o->compiler);
        ecl_mem_free(o);
        return status;
    }
    o->key = *key;
    key->data = NULL;
    pthread_mutex_lock(&lock);
    o->next = all;
    all = o;
    pthread_mutex_unlock(&lock);
    *optimized = o;
    return EULERCL_OK;
}

static struct bytes note_key(const struct bytes *key, char text[24]) {
    return (struct bytes){text, (size_t)snprintf(text, 24, "%016" PRIx64, ecl_bytes_hash(key))};
}

static double noted_seconds(const struct bytes *key) {
    char text[24];
    struct bytes value;
    const struct bytes name = note_key(key, text);
    const double seconds = ecl_cache_get(kind, &name, &value) ? atof(value.data) : 0;
    ecl_mem_free(value.data);
    return seconds;
}

int ecl_optimized_is_due(const struct bytes *key) {
    return key->data && noted_seconds(key) >= due_seconds;
}

enum optimized_state ecl_optimized_get(
    struct optimized *o, const char **library, eulercl_error *why) {
    const enum optimized_state state = state_of(o);
    if (library) *library = o->shop.library;
    if (why) *why = o->published->why;
    return state;
}

void ecl_optimized_destroy(struct optimized *o) {
    if (!o) return;
    const int is_ours = o->process == getpid(),
              is_late = ecl_optimized_get(o, NULL, NULL) == OPTIMIZED_WAITS;
    stop(o);
    pthread_mutex_lock(&lock);
    struct optimized **at = &all;
    while (*at != o) at = &(*at)->next;
    *at = o->next;
    pthread_mutex_unlock(&lock);
    if (is_ours && is_late && o->seconds > 0 && !o->how.no_cache) {
        char text[24], number[32];
        const struct bytes name = note_key(&o->key, text),
                           value = {number, (size_t)snprintf(number, sizeof number, "%.3f",
                                                noted_seconds(&o->key) + o->seconds)};
        ecl_cache_put(kind, &name, &value);
    }
    if (is_ours) ecl_workshop_close(&o->shop, &o->how);
    ecl_compiler_destroy(&o->compiler);
    munmap(o->published, sizeof *o->published);
    ecl_mem_free(o->key.data);
    ecl_mem_free(o);
}

void ecl_optimized_begin(struct optimized *o) {
    pthread_mutex_lock(&lock);
    begin(o);
    pthread_mutex_unlock(&lock);
}

/* In a process that was forked: nothing wakes it. */
static void wait_for_parent(const struct optimized *o) {
    while (atomic_load(&o->published->is_begun) && state_of(o) == OPTIMIZED_WAITS &&
           !kill(o->process, 0))
        usleep(TURN_MS * 1000);
}

void ecl_optimized_wait(struct optimized *o) {
    if (o->process != getpid()) {
        wait_for_parent(o);
        return;
    }
    pthread_mutex_lock(&lock);
    begin(o);
    while (o->is_begun && state_of(o) == OPTIMIZED_WAITS) pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
}

double ecl_optimized_note(struct optimized *o, double seconds) {
    pthread_mutex_lock(&lock);
    const double all_seconds = o->seconds += seconds;
    pthread_mutex_unlock(&lock);
    return all_seconds;
}
