/* SPDX-License-Identifier: BSD-2-Clause */
/* transfer.c - see opencl/transfer.h. */
#include "config.h"
#include "transfer.h"
#include "../cpu/cores.h"
#include "../cpu/team.h"
#include "../int.h"
#include "../mem.h"
#include <string.h>

enum {
    MOST_THREADS = 8,
    PIECE = 1 << 20, /* bytes */
    SLOTS = 2 /* slots of a thread: one is copied while the device reads or writes the other one */
};

/* A thread takes every piece whose number has the remainder of its own, through slots of its own,
 * so threads do not wait for each other. */
struct copier {
    cl_event moved[SLOTS]; /* the device has read or written the slot; NULL: it is free */
    cl_int cl;
};

struct cl_transfer {
    const struct cl_runtime *runtime;
    struct team *team;
    int64_t threads;
    struct cl_staging slots; /* slots of all threads, PIECE bytes each */
    struct copier copiers[MOST_THREADS];
    struct cl_move move; /* the present transfer */
};

void ecl_cl_transfer_destroy(struct cl_transfer *t) {
    if (!t) return;
    ecl_cl_unstage(t->runtime, &t->slots);
    ecl_team_destroy(t->team);
    ecl_mem_free(t);
}

int ecl_cl_transfer_create(
    struct cl_transfer **created, const struct cl_runtime *runtime, eulercl_error *error) {
    struct cl_transfer *t = ecl_mem_zeroed(1, sizeof *t);
    if (!t) return ecl_no_memory(error, "transfers of the state");
    const int64_t cores = ecl_cores().count;
    t->runtime = runtime;
    t->threads = cores < MOST_THREADS ? cores : MOST_THREADS;
    int status = ecl_team_create(&t->team, t->threads, 0, error);
    if (!status)
        status = ecl_cl_stage(runtime, (uint64_t)t->threads * SLOTS * PIECE, &t->slots, error);
    if (status)
        ecl_cl_transfer_destroy(t);
    else
        *created = t;
    return status;
}

static size_t piece_bytes(const struct cl_move *m, int64_t piece) {
    return (size_t)int_min(PIECE, (int64_t)m->bytes - piece * PIECE);
}

/* A piece from memory to its slot, and on to the device; or a request for it. */
static cl_int begin_piece(const struct cl_transfer *t, int64_t piece, char *slot, cl_event *moved) {
    const struct cl_move *const m = &t->move;
    const size_t begin = (size_t)piece * PIECE, bytes = piece_bytes(m, piece);
    if (m->from) memcpy(slot, m->from + begin, bytes);
    const cl_int cl = m->from ? clEnqueueWriteBuffer(t->runtime->queue, m->buffer, CL_FALSE,
                                    m->offset + begin, bytes, slot, 0, NULL, moved)
                              : clEnqueueReadBuffer(t->runtime->queue, m->buffer, CL_FALSE,
                                    m->offset + begin, bytes, slot, 0, NULL, moved);
    return cl ? cl : clFlush(t->runtime->queue);
}

/* Wait for the device; and from the slot to memory, if that was requested. */
static cl_int end_piece(const struct cl_move *m, int64_t piece, const char *slot, cl_event *moved) {
    const cl_int cl = clWaitForEvents(1, moved);
    clReleaseEvent(*moved);
    *moved = NULL;
    if (!cl && m->to) memcpy(m->to + (size_t)piece * PIECE, slot, piece_bytes(m, piece));
    return cl;
}

static void copy_pieces(void *user, int64_t index) {
    struct cl_transfer *const t = user;
    struct copier *const copier = &t->copiers[index];
    const int64_t pieces = int_ceil((int64_t)t->move.bytes, PIECE), round = SLOTS * t->threads;
    copier->cl = CL_SUCCESS;
    int64_t number = 0;
    for (int64_t piece = index; piece < pieces + round; piece += t->threads, number++) {
        cl_event *const moved = &copier->moved[number % SLOTS];
        char *const slot = (char *)t->slots.memory + (index * SLOTS + number % SLOTS) * PIECE;
        if (*moved) { /* also after an error: the slot must not be in use when this returns */
            const cl_int cl = end_piece(&t->move, piece - round, slot, moved);
            if (!copier->cl) copier->cl = cl;
        }
        if (!copier->cl && piece < pieces) copier->cl = begin_piece(t, piece, slot, moved);
    }
}

int ecl_cl_transfer(struct cl_transfer *t, const struct cl_move *move, eulercl_error *error) {
    t->move = *move;
    const int status = ecl_team_run(t->team, copy_pieces, t, error);
    if (status) return status;
    for (int64_t i = 0; i < t->threads; i++)
        if (t->copiers[i].cl)
            return ecl_cl_fail(
                error, t->copiers[i].cl, move->from ? "writing the state" : "reading the state");
    return EULERCL_OK;
}
