/* SPDX-License-Identifier: BSD-2-Clause */
/* team.c - see cpu/team.h. */
#include "config.h"
#include "team.h"
#include "cores.h"
#include "../mem.h"
#include <unistd.h>

struct team_member {
    struct team *team;
    pthread_t thread;
    int64_t index;
};

struct team {
    /* threads of a job, including the caller; threads that this team has started */
    int64_t threads, running;
    /* the process that has the threads, since fork() does not copy them; 0: no process */
    pid_t process;
    int pin;
    struct team_member *members; /* members[0] is the caller */
    /* a job, which is assigned and finished under the lock */
    pthread_mutex_t lock;
    pthread_cond_t changed;
    long job;
    int stop;
    int64_t finished; /* started threads that have finished the job */
    void (*work)(void *user, int64_t index);
    void *user;
};

enum { SPINS = 4000 };

void ecl_flag_wait(struct flag *flag, int64_t done) {
    for (int spins = 0; atomic_load_explicit(&flag->done, memory_order_acquire) < done;) {
        if (spins < SPINS) {
            spins++;
#if defined(__x86_64__)
            __builtin_ia32_pause();
#endif
        } else
            sched_yield();
    }
}

static void *member_main(void *argument) {
    const struct team_member *member = argument;
    struct team *team = member->team;
    for (long seen = 0;;) {
        pthread_mutex_lock(&team->lock);
        while (team->job == seen && !team->stop) pthread_cond_wait(&team->changed, &team->lock);
        seen = team->job;
        const int stop = team->stop;
        pthread_mutex_unlock(&team->lock);
        if (stop) return NULL;
        team->work(team->user, member->index);
        pthread_mutex_lock(&team->lock);
        team->finished++;
        pthread_cond_broadcast(&team->changed);
        pthread_mutex_unlock(&team->lock);
    }
}

/* A child process has no threads to stop, and must not destroy the condition: threads still seem to
 * wait for it. */
static void stop_threads(struct team *team) {
    if (team->process != getpid()) return;
    pthread_mutex_lock(&team->lock);
    team->stop = 1;
    pthread_cond_broadcast(&team->changed);
    pthread_mutex_unlock(&team->lock);
    for (int64_t i = 1; i <= team->running; i++) pthread_join(team->members[i].thread, NULL);
    pthread_cond_destroy(&team->changed);
    pthread_mutex_destroy(&team->lock);
    team->process = 0;
}

static int start_threads(struct team *team, eulercl_error *error) {
    const struct cores cores = ecl_cores();
    int status = EULERCL_OK;
    pthread_mutex_init(&team->lock, NULL);
    pthread_cond_init(&team->changed, NULL);
    team->process = getpid();
    team->running = team->stop = 0;
    team->job = 0;
    for (int64_t i = 1; !status && i < team->threads; i++) {
        struct team_member *member = &team->members[i];
        member->team = team;
        member->index = i;
        if (pthread_create(&member->thread, NULL, member_main, member)) {
            status = ecl_fail(error, EULERCL_MEMORY, "cannot create thread %lld of %lld",
                (long long)i + 1, (long long)team->threads);
            break;
        }
        team->running = i;
        if (team->pin) status = ecl_cores_pin(&cores, member->thread, i, error);
    }
    if (status) stop_threads(team);
    return status;
}

void ecl_team_destroy(struct team *team) {
    if (!team) return;
    stop_threads(team);
    ecl_mem_free(team->members);
    ecl_mem_free(team);
}

int ecl_team_create(struct team **created, int64_t threads, int pin, eulercl_error *error) {
    struct team *team = ecl_mem_zeroed(1, sizeof *team);
    if (!team) return ecl_no_memory(error, "threads");
    team->threads = threads;
    team->pin = pin;
    team->members = ecl_mem_zeroed((uint64_t)threads, sizeof *team->members);
    const int status = team->members ? start_threads(team, error)
                                     : ecl_fail(error, EULERCL_MEMORY, "no memory for %lld threads",
                                           (long long)threads);
    if (status)
        ecl_team_destroy(team);
    else
        *created = team;
    return status;
}

int ecl_team_run(
    struct team *team, void (*work)(void *user, int64_t index), void *user, eulercl_error *error) {
    struct cores before;
    int status = team->process == getpid() ? EULERCL_OK : start_threads(team, error);
    if (!status && team->pin) status = ecl_cores_pin_caller(&before, error);
    if (status) return status;
    if (team->running) {
        pthread_mutex_lock(&team->lock);
        team->work = work;
        team->user = user;
        team->finished = 0;
        team->job++;
        pthread_cond_broadcast(&team->changed);
        pthread_mutex_unlock(&team->lock);
    }
    work(user, 0);
    if (team->running) {
        pthread_mutex_lock(&team->lock);
        while (team->finished < team->running) pthread_cond_wait(&team->changed, &team->lock);
        pthread_mutex_unlock(&team->lock);
    }
    if (team->pin) ecl_cores_unpin_caller(&before);
    return EULERCL_OK;
}
