/* SPDX-License-Identifier: BSD-2-Clause */
/* team.h - persistent threads: they sleep between jobs, and synchronise with their neighbours
 * by flags within a job. */
#ifndef EULERCL_CPU_TEAM_H
#define EULERCL_CPU_TEAM_H
#include "../internal.h"
#include <stdatomic.h>

struct team;

/* `threads` threads, the caller's own included. pin: each thread is pinned to a core of its own
 * while it computes. After fork() the child starts threads of its own at its first job. Errors:
 * MEMORY, UNSUPPORTED. */
int ecl_team_create(struct team **team, int64_t threads, int pin, eulercl_error *error);
void ecl_team_destroy(struct team *team); /* NULL is allowed */
/* Call work(user, 0 .. threads-1) on all threads at the same time, 0 on the caller's; return when
 * all have returned. Errors: UNSUPPORTED (the caller cannot be pinned), MEMORY (in a child). */
int ecl_team_run(
    struct team *team, void (*work)(void *user, int64_t index), void *user, eulercl_error *error);

/* A count that one thread publishes and others wait for. */
struct flag {
    _Atomic int64_t done;
    char apart[120]; /* distance to the next flag: cache lines are fetched in pairs */
};

static inline void ecl_flag_publish(struct flag *flag, int64_t done) {
    atomic_store_explicit(&flag->done, done, memory_order_release);
}
/* Spin for a while, because the wait is usually short; then yield, because there may be more
 * threads than cores. */
void ecl_flag_wait(struct flag *flag, int64_t done);
#endif
