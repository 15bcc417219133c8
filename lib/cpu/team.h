/* SPDX-License-Identifier: BSD-2-Clause */
/* cpu/team.h - threads that stay: they sleep between jobs, and meet their neighbours by flags
 * within one. */
#ifndef EULERCL_CPU_TEAM_H
#define EULERCL_CPU_TEAM_H
#include "../internal.h"
#include <stdatomic.h>

struct team;

/* `threads` threads, the caller's own included. pin: while it computes, each keeps to a core of its
   own. After fork() the child starts threads of its own at its first job. Errors: MEMORY,
   UNSUPPORTED. */
int eulercl_team_create(struct team **team, int64_t threads, int pin, eulercl_error *error);
void eulercl_team_destroy(struct team *team); /* NULL is allowed */
/* work(user, 0 .. threads-1), all at once, 0 by the caller; returns when all are done. Errors:
 * UNSUPPORTED (the caller cannot be pinned), MEMORY (in a child). */
int eulercl_team_run(
    struct team *team, void (*work)(void *user, int64_t index), void *user, eulercl_error *error);

/* A count that one thread publishes and others wait for. */
struct flag {
    _Atomic int64_t done;
    char apart[120]; /* from the next one: cache lines are fetched in pairs */
};

static inline void eulercl_flag_publish(struct flag *flag, int64_t done) {
    atomic_store_explicit(&flag->done, done, memory_order_release);
}
/* Spins for a while, since the wait is usually short; then yields, since there may be more threads
 * than cores. */
void eulercl_flag_wait(struct flag *flag, int64_t done);
#endif
