/* SPDX-License-Identifier: BSD-2-Clause */
/* cpu/reduce.c - see cpu/reduce.h. */
#include "config.h"
#include "reduce.h"
#include "../int.h"
#include <stdatomic.h>

enum { TURNS = 8 }; /* of a thread, so that one that is held up does not hold up the others */

struct sharing {
    const struct reduction *reduction;
    const char *y;
    double *numbers;
    int64_t at_once;      /* parts that a thread takes */
    _Atomic int64_t next; /* the first part that nobody has taken */
    _Atomic int is_full;  /* there was no memory */
};

static void work(void *user, int64_t thread) {
    struct sharing *const s = user;
    const struct reduction *const r = s->reduction;
    eulercl_error error;
    (void)thread;
    for (;;) {
        const int64_t from = atomic_fetch_add(&s->next, s->at_once);
        if (from >= r->parts) return;
        const struct reduction own =
            ecl_reduction_parts(r, from, int_min(s->at_once, r->parts - from));
        if (ecl_reduce_here(&own, s->y, s->numbers + reduction_place(r, from), &error))
            atomic_store(&s->is_full, 1);
    }
}

int ecl_team_reduce(struct team *team, int64_t threads, const struct reduction *r, const char *y,
    double *numbers, eulercl_error *error) {
    if (threads == 1 || r->parts == 1) return ecl_reduce_here(r, y, numbers, error);
    struct sharing s = {
        .reduction = r, .y = y, .numbers = numbers, .at_once = int_ceil(r->parts, threads * TURNS)};
    const int status = ecl_team_run(team, work, &s, error);
    return !status && s.is_full ? ecl_no_memory(error, "the sums of a part") : status;
}
