/* SPDX-License-Identifier: BSD-2-Clause */
/* opencl/transfer.c - see opencl/transfer.h. */
#include "config.h"
#include "transfer.h"
#include "../cpu/cores.h"
#include "../cpu/team.h"
#include "../mem.h"
#include <string.h>

enum {
    MOST_THREADS = 8,
    SLOTS = 2 /* of each thread: one is copied while the device reads or writes the other one */
};

/* A thread takes every piece whose number has the remainder of its own, through slots of its own,
 * so threads do not wait for each other. */
struct copier {
    cl_event moved[SLOTS]; /* that the device has read or written the slot; NULL: it is free */
    cl_int cl;
};

struct cl_transfer {
    const struct cl_runtime *runtime;
    struct team *team;
    int64_t threads;
    struct cl_staging slots; /* those of all threads, TRANSFER_PIECE bytes each */
    struct copier copiers[MOST_THREADS];
    /* the present transfer */
    cl_mem buffer;
    size_t offset, bytes;
    const char *from; /* NULL: it goes from the buffer to `to` */
    char *to;
};

void eulercl_cl_transfer_destroy(struct cl_transfer *t) {
    if (!t) return;
    eulercl_cl_unstage(t->runtime, &t->slots);
    eulercl_team_destroy(t->team);
    eulercl_mem_free(t);
}

int eulercl_cl_transfer_create(
    struct cl_transfer **created, const struct cl_runtime *runtime, eulercl_error *error) {
    struct cl_transfer *t = eulercl_mem_zeroed(1, sizeof *t);
    if (!t) return eulercl_no_memory(error, "transfers of the state");
    const int64_t cores = eulercl_cores().count;
    t->runtime = runtime;
    t->threads = cores < MOST_THREADS ? cores : MOST_THREADS;
    int status = eulercl_team_create(&t->team, t->threads, 0, error);
    if (!status)
        status = eulercl_cl_stage(
            runtime, (uint64_t)t->threads * SLOTS * TRANSFER_PIECE, &t->slots, error);
    if (status)
        eulercl_cl_transfer_destroy(t);
    else
        *created = t;
    return status;
}

static size_t piece_bytes(const struct cl_transfer *t, size_t piece) {
    const size_t left = t->bytes - piece * TRANSFER_PIECE;
    return left < TRANSFER_PIECE ? left : TRANSFER_PIECE;
}

/* A piece from memory to its slot, and on to the device; or a request for it. */
static cl_int begin_piece(const struct cl_transfer *t, size_t piece, char *slot, cl_event *moved) {
    const size_t begin = piece * TRANSFER_PIECE, bytes = piece_bytes(t, piece);
    if (t->from) memcpy(slot, t->from + begin, bytes);
    const cl_int cl = t->from ? clEnqueueWriteBuffer(t->runtime->queue, t->buffer, CL_FALSE,
                                    t->offset + begin, bytes, slot, 0, NULL, moved)
                              : clEnqueueReadBuffer(t->runtime->queue, t->buffer, CL_FALSE,
                                    t->offset + begin, bytes, slot, 0, NULL, moved);
    return cl ? cl : clFlush(t->runtime->queue);
}

/* Wait for the device; and from the slot to memory, if that was requested. */
static cl_int end_piece(
    const struct cl_transfer *t, size_t piece, const char *slot, cl_event *moved) {
    const cl_int cl = clWaitForEvents(1, moved);
    clReleaseEvent(*moved);
    *moved = NULL;
    if (!cl && t->to) memcpy(t->to + piece * TRANSFER_PIECE, slot, piece_bytes(t, piece));
    return cl;
}

static void copy_pieces(void *user, int64_t index) {
    struct cl_transfer *const t = user;
    struct copier *const copier = &t->copiers[index];
    const size_t pieces = t->bytes / TRANSFER_PIECE + (t->bytes % TRANSFER_PIECE != 0),
                 threads = (size_t)t->threads, round = SLOTS * threads;
    copier->cl = CL_SUCCESS;
    size_t number = 0;
    for (size_t piece = (size_t)index; piece < pieces + round; piece += threads, number++) {
        cl_event *const moved = &copier->moved[number % SLOTS];
        char *const slot =
            (char *)t->slots.memory + ((size_t)index * SLOTS + number % SLOTS) * TRANSFER_PIECE;
        if (*moved) { /* also after an error: the slot must not be in use when this returns */
            const cl_int cl = end_piece(t, piece - round, slot, moved);
            if (!copier->cl) copier->cl = cl;
        }
        if (!copier->cl && piece < pieces) copier->cl = begin_piece(t, piece, slot, moved);
    }
}

static int transfer(struct cl_transfer *t, eulercl_error *error) {
    const int status = eulercl_team_run(t->team, copy_pieces, t, error);
    if (status) return status;
    for (int64_t i = 0; i < t->threads; i++)
        if (t->copiers[i].cl)
            return eulercl_cl_fail(
                error, t->copiers[i].cl, t->from ? "writing the state" : "reading the state");
    return EULERCL_OK;
}

int eulercl_cl_transfer_write(struct cl_transfer *t, cl_mem buffer, size_t offset, size_t bytes,
    const void *y, eulercl_error *error) {
    t->buffer = buffer;
    t->offset = offset;
    t->bytes = bytes;
    t->from = y;
    t->to = NULL;
    return transfer(t, error);
}

int eulercl_cl_transfer_read(struct cl_transfer *t, cl_mem buffer, size_t offset, size_t bytes,
    void *y, eulercl_error *error) {
    t->buffer = buffer;
    t->offset = offset;
    t->bytes = bytes;
    t->from = NULL;
    t->to = y;
    return transfer(t, error);
}
