/* SPDX-License-Identifier: BSD-2-Clause */
/* state.c - the state of a solver by chunks, since it may be larger than the memory of the host;
 * with its hash. */
#include "config.h"

#include "format/state.h"
#include "shared/hash.h"
#include "shared/message.h"
#include "shared/processes.h"

#include <inttypes.h>
#include <stdio.h>

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

/* The next extent that is not 1; 0: none. */
static int64_t next_extent(int rank, const int64_t *extents, int *at) {
    while (*at < rank && extents[*at] == 1) ++*at;
    return *at < rank ? extents[(*at)++] : 0;
}

int check_shape(
    const char *path, const eulercl_problem_info *info, int rank, const int64_t *extents) {
    int64_t wanted[MOST_STATE_RANK], here, there;
    const int wanted_rank = state_shape(info, wanted);
    int i = 0, k = 0;
    if (rank == 1) return EULERCL_OK; /* a flat array has no order of axes that could be wrong */
    do {
        here = next_extent(rank, extents, &i);
        there = next_extent(wanted_rank, wanted, &k);
        if (here != there) {
            char text[2][256];
            for (int which = 0; which < 2; which++) {
                const int axes = which ? wanted_rank : rank;
                int length = 0;
                for (int axis = 0; axis < axes && length < (int)sizeof text[0]; axis++)
                    length += snprintf(text[which] + length, sizeof text[0] - (size_t)length,
                        "%s%" PRId64, axis ? " x " : "", which ? wanted[axis] : extents[axis]);
            }
            return fail(EULERCL_FILE,
                "%s holds an array of %s, but %s are needed; is it transposed?", path, text[0],
                text[1]);
        }
    } while (here);
    return EULERCL_OK;
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
