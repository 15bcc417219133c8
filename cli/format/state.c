/* SPDX-License-Identifier: BSD-2-Clause */
/* state.c - the state of a solver by chunks, since it may be larger than the memory of the host;
 * with its hash. */
#include "config.h"

#include "format/state.h"
#include "shared/hash.h"
#include "shared/message.h"
#include "shared/processes.h"

/* A pass over a state. */
struct pass {
    enum eulercl_precision precision;
    chunk_taker *take;
    void *user;
    int64_t first;
    struct hash hash;
};

int is_line(const eulercl_problem_info *info) { return info->rank <= 1; }

int state_shape(const eulercl_problem_info *info, int64_t shape[MOST_STATE_RANK]) {
    int rank = 0;
    for (int axis = info->rank - 1; axis >= 0; axis--) shape[rank++] = info->extents[axis];
    shape[rank++] = info->boundary == NULL ? info->n : info->components;
    return rank;
}

static void begin_pass(struct pass *pass, char hash[17]) {
    hash[0] = '\0';
    hash_begin(&pass->hash);
}

static int pass_on(struct pass *pass, int64_t count, const void *y) {
    hash_add(&pass->hash, y, (size_t)count * pass->precision);
    const int status =
        pass->take == NULL ? EULERCL_OK : pass->take(pass->first, count, y, pass->user);
    pass->first += count;
    return status;
}

int stream_state(eulercl_solver *solver, int64_t n, enum eulercl_precision precision, void *chunk,
    chunk_taker *take, void *user, char hash[17]) {
    struct pass pass = {.precision = precision, .take = take, .user = user};
    eulercl_error error;
    int status = EULERCL_OK;
    begin_pass(&pass, hash);
    while (pass.first < n && !status) {
        const int64_t left = n - pass.first, count = left < CHUNK ? left : CHUNK;
        if (eulercl_get_components(solver, pass.first, count, chunk, &error))
            return fail_library(&error);
        status = pass_on(&pass, count, chunk);
    }
    hash_end(&pass.hash, hash);
    return status;
}

int stream_snapshot(eulercl_snapshot *snapshot, enum eulercl_precision precision, chunk_taker *take,
    void *user, char hash[17]) {
    struct pass pass = {.precision = precision, .take = take, .user = user};
    eulercl_error error;
    const void *y;
    int64_t count = 1;
    int status = EULERCL_OK;
    begin_pass(&pass, hash);
    while (count > 0 && !status) {
        if (eulercl_snapshot_next(snapshot, &y, &count, &error)) return fail_library(&error);
        if (count > 0) status = pass_on(&pass, count, y);
    }
    hash_end(&pass.hash, hash);
    return status;
}

int stream_own(eulercl_solver *solver, const struct division *division, void *chunk,
    chunk_taker *take, void *user) {
    const int64_t first = division->firsts[division->rank],
                  own = division->firsts[division->rank + 1] - first;
    eulercl_error error;
    int status = EULERCL_OK;
    for (int64_t done = 0; done < own && !status;) {
        const int64_t count = own - done < CHUNK ? own - done : CHUNK;
        if (eulercl_get_own_components(solver, first + done, count, chunk, &error))
            return fail_library(&error);
        status = take(done, count, chunk, user);
        done += count;
    }
    return status;
}

static int hash_own(int64_t first, int64_t count, const void *y, void *user) {
    (void)first;
    return pass_on(user, count, y);
}

int hash_parts(eulercl_solver *solver, const struct division *division,
    enum eulercl_precision precision, void *chunk, char hash[17], int64_t *sum) {
    struct {
        struct pass pass; /* without pointers: it goes from process to process */
        int64_t sum;
    } link = {.pass.precision = precision};
    int status = EULERCL_OK;
    begin_pass(&link.pass, hash);
    for (int rank = 0; rank < division->ranks; rank++) {
        if (rank == division->rank) {
            status = stream_own(solver, division, chunk, hash_own, &link.pass);
            link.sum += *sum;
        }
        broadcast_from(rank, &link, sizeof link);
    }
    hash_end(&link.pass.hash, hash);
    *sum = link.sum;
    return status;
}
