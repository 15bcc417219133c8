/* SPDX-License-Identifier: BSD-2-Clause */
/* stop.c - the signals that stop the command, and the private files that are removed then. */
#include "config.h"

#include "shared/stop.h"
#include "shared/message.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum {
    GRACE_SECONDS = 10,
    GUARDED_FILES = 256,
    FOLDERS = 4
}; /* FOLDERS: those that are in each other, and the files in the innermost */

/* Read by the thread that computes and by the one that writes snapshots; any thread may receive
 * signals. */
static atomic_int signalled;   /* the first signal that asks for a stop; 0: no signal came */
static atomic_int hanging = 1; /* the code that runs now may never return */
static atomic_int asked_to_stop;
static atomic_int is_ended_by_launcher;

/* ---- files that go when the command ends at once: slots, since a signal handler may neither
 * allocate nor wait for a lock ---- */

static struct guarded {
    atomic_int is_used; /* 1: it is being filled, 2: path is valid */
    char path[PATH_MAX];
} guarded[GUARDED_FILES];

static atomic_int creating; /* threads between begin_private and end_private */
static atomic_int ending;   /* the files are being removed: no new ones may be created */
static _Thread_local sigset_t before_private;

void begin_private(void) {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all,
        &before_private); /* otherwise the handler would wait for its own thread */
    creating++;
    if (ending) {
        creating--;
        for (;;) pause();
    }
}

void guard_file(const char *path) {
    for (int i = 0; i < GUARDED_FILES && strlen(path) < PATH_MAX; i++) {
        int nobody = 0;
        if (atomic_compare_exchange_strong(&guarded[i].is_used, &nobody, 1)) {
            strcpy(guarded[i].path, path);
            guarded[i].is_used = 2;
            return;
        }
    }
}

void end_private(const char *path) {
    if (path != NULL) guard_file(path);
    creating--;
    pthread_sigmask(SIG_SETMASK, &before_private, NULL);
}

void release_file(const char *path) {
    for (int i = 0; i < GUARDED_FILES; i++)
        if (guarded[i].is_used == 2 && strcmp(guarded[i].path, path) == 0) {
            guarded[i].is_used = 0;
            return;
        }
}

/* ---- signals ---- */

static const struct {
    int number;
    const char *name;
} stoppers[] = {{SIGINT, "SIGINT"}, {SIGTERM, "SIGTERM"}, {SIGHUP, "SIGHUP"}, {SIGXCPU, "SIGXCPU"}};
enum { STOPPERS = sizeof stoppers / sizeof stoppers[0] };

/* End as if the signal were not caught, after removing private files. */
static void end_at_once(int number) {
    static const struct timespec moment = {.tv_nsec = 1000000};
    sigset_t this_one;
    ending = 1;
    for (int i = 0; i < 1000 && creating > 0; i++) nanosleep(&moment, NULL);
    for (int pass = 0; pass < FOLDERS; pass++)
        for (int i = 0; i < GUARDED_FILES; i++)
            if (guarded[i].is_used == 2 && unlink(guarded[i].path) != 0) rmdir(guarded[i].path);
    signal(number, SIG_DFL);
    sigemptyset(&this_one);
    sigaddset(&this_one, number);
    pthread_sigmask(SIG_UNBLOCK, &this_one, NULL);
    raise(number);
    _exit(128 + number);
}

/* mpirun of Open MPI ends its processes with SIGCONT, SIGTERM and SIGKILL, a second apart, for
 * example after one of them crashed, and the others wait for that one for ever. Work that is not
 * done by then is given up, so that private files are removed. */
static void note_launcher(int number) {
    static const struct itimerval last = {.it_value.tv_usec = 700000};
    static atomic_long at; /* when SIGCONT came: hundredths of a second */
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    const long hundredths = (long)now.tv_sec * 100 + now.tv_nsec / 10000000;
    if (number == SIGCONT) at = hundredths;
    /* Either is noted first if the process had no turn meanwhile. */
    if (signalled != SIGTERM || at == 0 || hundredths - at > 200) return;
    is_ended_by_launcher = 1;
    setitimer(ITIMER_REAL, &last, NULL);
}

static void note_signal(int number) {
    const int error = errno;
    int first = 0;
    if (number == SIGCONT) {
        note_launcher(number);
    } else if (number == SIGALRM) {
        if ((hanging || is_ended_by_launcher) && signalled != 0) end_at_once(signalled);
    } else if (atomic_compare_exchange_strong(&signalled, &first, number)) {
        alarm(GRACE_SECONDS);
        note_launcher(number);
    } else if (number != SIGXCPU) { /* SIGXCPU is sent again every second */
        end_at_once(number);
    }
    errno = error;
}

/* A handler, since programs that this one starts would inherit SIG_IGN. */
static void note_nothing(int number) { (void)number; }

void catch_signals(void) {
    static int is_first = 1, ignores_hangup;
    struct sigaction action = {.sa_handler = note_signal}, before;
    sigemptyset(&action.sa_mask);
    if (is_first)
        ignores_hangup =
            sigaction(SIGHUP, NULL, &before) == 0 && before.sa_handler == SIG_IGN; /* nohup */
    is_first = 0;
    for (int i = 0; i < STOPPERS; i++)
        if (stoppers[i].number != SIGHUP || !ignores_hangup)
            sigaction(stoppers[i].number, &action, NULL);
    action.sa_flags = SA_RESTART;
    sigaction(SIGALRM, &action, NULL);
    if (getenv("OMPI_COMM_WORLD_SIZE") != NULL) sigaction(SIGCONT, &action, NULL);
}

void catch_file_limit(void) {
    struct sigaction action = {.sa_handler = note_nothing, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    sigaction(SIGXFSZ, &action, NULL); /* write() then fails with EFBIG */
}

int stop_number(void) {
    for (int i = 0; i < STOPPERS; i++)
        if (stoppers[i].number == signalled) return i + 1;
    return 0;
}

const char *stop_name(int number) { return number > 0 ? stoppers[number - 1].name : NULL; }

const char *stop_signal(void) { return stop_name(stop_number()); }

int check_interrupt(void) {
    return signalled ? fail(EULERCL_CANCELLED, "stopped by %s", stop_signal()) : EULERCL_OK;
}

void may_hang(int hangs) { hanging = hangs; }

void ask_to_stop(void) { asked_to_stop = 1; }

int is_stopping(void) { return signalled || asked_to_stop; }
