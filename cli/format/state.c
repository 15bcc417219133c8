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
#include <stdlib.h>
#include <string.h>

enum { GRID_NUMBERS = 128 }; /* bytes of the extents of an array */

/* A pass over a state. */
struct pass {
    enum eulercl_precision precision;
    chunk_taker *take;
    void *user;
    int64_t first;
    struct hash hash;
};

int is_line(const eulercl_problem_info *info) { return info->rank <= 1; }

int is_box(const eulercl_problem_info *info) { return info->rank == AXES; }

int state_shape(const eulercl_problem_info *info, int64_t shape[MOST_STATE_RANK]) {
    int rank = 0;
    for (int axis = info->rank - 1; axis >= 0; axis--) shape[rank++] = info->extents[axis];
    shape[rank++] = info->boundary == NULL ? info->n : info->components;
    return rank;
}

static int compare_extents(const void *a, const void *b) {
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* Leave out the extents that are 1. -> how many are left. */
static int drop_ones(int rank, const int64_t *extents, int64_t *kept) {
    int count = 0;
    for (int axis = 0; axis < rank && count < MOST_STATE_RANK; axis++)
        if (extents[axis] != 1) kept[count++] = extents[axis];
    return count;
}

/* Whether neighbouring extents of `there`, multiplied, are those of `here`: such an array has the
 * same values in the same order. */
static int is_merged(int rank, const int64_t *there, int merged, const int64_t *here) {
    int axis = 0;
    for (int i = 0; i < merged; i++) {
        int64_t product = 1;
        while (axis < rank && product < here[i]) product *= there[axis++];
        if (product != here[i]) return 0;
    }
    return axis == rank;
}

static const char *extents_text(int rank, const int64_t *extents, char text[GRID_NUMBERS]) {
    size_t used = 0;
    for (int axis = 0; axis < rank && used < GRID_NUMBERS; axis++)
        used += (size_t)snprintf(
            text + used, GRID_NUMBERS - used, "%s%" PRId64, axis ? " x " : "", extents[axis]);
    return text;
}

int check_axes(
    const char *path, const eulercl_problem_info *info, int rank, const int64_t *extents) {
    int64_t wanted[MOST_STATE_RANK], there[MOST_STATE_RANK], here[MOST_STATE_RANK];
    char have[GRID_NUMBERS], need[GRID_NUMBERS];
    const int count = drop_ones(state_shape(info, wanted), wanted, there),
              same_count = drop_ones(rank, extents, here);
    const size_t size = (size_t)count * sizeof *here;
    if (info->boundary == NULL || is_merged(count, there, same_count, here)) return EULERCL_OK;
    extents_text(same_count, here, have);
    extents_text(count, there, need);
    qsort(here, (size_t)same_count, sizeof *here, compare_extents);
    qsort(there, (size_t)count, sizeof *there, compare_extents);
    return fail(EULERCL_FILE, "%s is an array of %s, but one of %s is needed%s", path, have, need,
        same_count == count && memcmp(here, there, size) == 0 ? ": transpose it" : "");
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

/* Numbers that are not 0 and smaller than the least normal one: by their bits, because computing
 * with them is slow. */
#define COUNT_SUBNORMALS(NAME, BITS, LEAST_NORMAL)                \
    static int64_t NAME(const void *y, int64_t count) {           \
        int64_t found = 0;                                        \
        for (int64_t i = 0; i < count; i++) {                     \
            BITS bits;                                            \
            memcpy(&bits, (const BITS *)y + i, sizeof bits);      \
            const BITS magnitude = bits & ((BITS)-1 >> 1);        \
            found += magnitude > 0 && magnitude < (LEAST_NORMAL); \
        }                                                         \
        return found;                                             \
    }
COUNT_SUBNORMALS(count_floats, uint32_t, UINT32_C(1) << 23)
COUNT_SUBNORMALS(count_doubles, uint64_t, UINT64_C(1) << 52)

int64_t count_subnormals(enum eulercl_precision precision, const void *y, int64_t count) {
    return precision == EULERCL_FLOAT ? count_floats(y, count) : count_doubles(y, count);
}
