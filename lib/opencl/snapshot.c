/* SPDX-License-Identifier: BSD-2-Clause */
/* snapshot.c - a copy of the state on the device, read through a queue of its own into two
 * pieces of host memory in turn: while one of them is used, the next part is transferred. A copy
 * that is only restored has neither. */
#include "config.h"
#include "state.h"
#include "../mem.h"

enum { PIECES = 2 };

struct cl_snapshot {
    struct cl_runtime runtime; /* the solver's, with another queue */
    cl_mem copy;
    struct cl_staging pieces[PIECES];
    int64_t n;
    size_t real_size;
    int turn;       /* the piece for the next part */
    int on_its_way; /* the device still copies into that piece */
};

static void destroy(void *copy) {
    struct cl_snapshot *s = copy;
    if (s->on_its_way) clFinish(s->runtime.queue);
    for (int i = 0; i < PIECES; i++) ecl_cl_unstage(&s->runtime, &s->pieces[i]);
    if (s->copy) clReleaseMemObject(s->copy);
    if (s->runtime.queue) clReleaseCommandQueue(s->runtime.queue);
    ecl_mem_free(s);
}

static int create(struct run *run, int is_read, void **copy, eulercl_error *error) {
    const struct cl_state *c = run->impl;
    const struct system *system = &run->system;
    if (run->report.device_bytes + system->state_bytes > c->runtime.info.global_bytes)
        return ecl_fail(error, EULERCL_MEMORY,
            "a copy of the state needs %.4g MB more, %.200s has %.4g MB in all",
            1e-6 * (double)system->state_bytes, c->runtime.info.name,
            1e-6 * (double)c->runtime.info.global_bytes);
    struct cl_snapshot *s = ecl_mem_zeroed(1, sizeof *s);
    if (!s) return ecl_no_memory(error, "a snapshot");
    *s =
        (struct cl_snapshot){.runtime = c->runtime, .n = system->n, .real_size = system->real_size};
    s->runtime.queue = NULL;
    const uint64_t piece = (uint64_t)(s->n < SNAPSHOT_PART ? s->n : SNAPSHOT_PART) * s->real_size;
    int status = ecl_cl_buffer(&c->runtime, ecl_cl_room(system), "the copy of the state", &s->copy,
        error); /* as large as the state, with which it changes places */
    if (!status && is_read) status = ecl_cl_queue(&c->runtime, &s->runtime.queue, error);
    for (int i = 0; i < PIECES && is_read && !status; i++)
        status = ecl_cl_stage(&s->runtime, piece, &s->pieces[i], error);
    if (status)
        destroy(s);
    else
        *copy = s;
    return status;
}

static int copy_state(const struct run *run, cl_mem from, cl_mem to, eulercl_error *error) {
    const struct cl_state *c = run->impl;
    cl_int cl = clEnqueueCopyBuffer(
        c->runtime.queue, from, to, 0, 0, (size_t)run->system.state_bytes, 0, NULL, NULL);
    /* Because this waits, the two queues need no events between them. */
    if (!cl) cl = clFinish(c->runtime.queue);
    return cl ? ecl_cl_fail(error, cl, "copying the state") : EULERCL_OK;
}

static int take(struct run *run, void *copy, eulercl_error *error) {
    struct cl_snapshot *s = copy;
    const cl_int cl = s->on_its_way ? clFinish(s->runtime.queue)
                                    /* copies of a state that was not read to its end */
                                    : CL_SUCCESS;
    s->on_its_way = s->turn = 0;
    return cl ? ecl_cl_fail(error, cl, "copying the state")
              : copy_state(run, ((struct cl_state *)run->impl)->now, s->copy, error);
}

static int restore(struct run *run, void *copy, eulercl_error *error) {
    struct cl_state *const c = run->impl;
    c->version++;
    return copy_state(run, ((struct cl_snapshot *)copy)->copy, c->now, error);
}

static cl_int send(struct cl_snapshot *s, int64_t first) {
    const int64_t left = s->n - first, count = left < SNAPSHOT_PART ? left : SNAPSHOT_PART;
    if (!count) return CL_SUCCESS;
    const cl_int cl =
        clEnqueueReadBuffer(s->runtime.queue, s->copy, CL_FALSE, (size_t)first * s->real_size,
            (size_t)count * s->real_size, s->pieces[s->turn].memory, 0, NULL, NULL);
    s->on_its_way = !cl;
    return cl ? cl : clFlush(s->runtime.queue);
}

static int part(void *copy, int64_t first, int64_t count, const void **y, eulercl_error *error) {
    struct cl_snapshot *s = copy;
    cl_int cl = first ? CL_SUCCESS : send(s, 0);
    if (!cl) cl = clFinish(s->runtime.queue);
    s->on_its_way = 0;
    const void *here = s->pieces[s->turn].memory;
    s->turn = (s->turn + 1) % PIECES;
    if (!cl) cl = send(s, first + count);
    if (cl) return ecl_cl_fail(error, cl, "reading a snapshot");
    *y = here;
    return EULERCL_OK;
}

/* The end of a transfer that began with `cl`. While a call that blocks transfers by itself,
 * NVIDIA's driver lets no other thread launch kernels, so these would wait for it. */
static int await(const struct cl_snapshot *s, cl_int cl, cl_event event, eulercl_error *error) {
    if (!cl) {
        cl = clFlush(s->runtime.queue);
        const cl_int waited = clWaitForEvents(1, &event);
        /* The caller frees the memory also after an error, so the transfer must have ended. */
        if (waited) clFinish(s->runtime.queue);
        if (!cl) cl = waited;
        clReleaseEvent(event);
    }
    return cl ? ecl_cl_fail(error, cl, "moving a copy of the state") : EULERCL_OK;
}

int ecl_cl_fill(void *copy, int64_t first, int64_t count, const void *y, eulercl_error *error) {
    const struct cl_snapshot *const s = copy;
    cl_event event = NULL;
    const cl_int cl = clEnqueueWriteBuffer(s->runtime.queue, s->copy, CL_FALSE,
        (size_t)first * s->real_size, (size_t)count * s->real_size, y, 0, NULL, &event);
    return await(s, cl, event, error);
}

int ecl_cl_fetch(void *copy, int64_t first, int64_t count, void *y, eulercl_error *error) {
    const struct cl_snapshot *const s = copy;
    cl_event event = NULL;
    const cl_int cl = clEnqueueReadBuffer(s->runtime.queue, s->copy, CL_FALSE,
        (size_t)first * s->real_size, (size_t)count * s->real_size, y, 0, NULL, &event);
    return await(s, cl, event, error);
}

int ecl_cl_swap(struct run *run, void *copy, eulercl_error *error) {
    (void)error;
    struct cl_state *const c = run->impl;
    struct cl_snapshot *const s = copy;
    const cl_mem state = c->now;
    c->now = s->copy;
    s->copy = state;
    c->version++;
    c->is_swapped = 1;
    return EULERCL_OK;
}

const struct copy_table ecl_cl_copies = {
    .create = create, .take = take, .restore = restore, .part = part, .destroy = destroy};
