/* SPDX-License-Identifier: BSD-2-Clause */
/* opencl/registers_launch.c - the steps of backend cl-register. */
#include "config.h"
#include "registers.h"
#include "../problem/grid.h"
#include "../int.h"

/* Steps of a launch of persistent tiles: a few milliseconds, after which the host looks whether all
   is well. */
enum { PERSISTENT_STEPS = 1 << 13 };

/* After a launch of persistent tiles: -> whether a work-group waited in vain for another, which
 * then did not run. Nothing of it counts. */
static cl_int look_for_failure(struct run *run, cl_int *failed) {
    const struct registers *r = run->impl;
    return clEnqueueReadBuffer(
        r->state.runtime.queue, r->made->failed, CL_TRUE, 0, sizeof *failed, failed, 0, NULL, NULL);
}

/* Count what a launch moved and computed; one whose rows are wanted early like any other. */
static void count_launch(
    struct run *run, const struct section *section, int64_t steps, cl_uint exchanges) {
    struct registers *r = run->impl;
    const struct register_tile *t = section->is.tile;
    const uint64_t n = (uint64_t)run->system.n,
                   whole = (uint64_t)(steps / t->steps); /* more than one where tiles persist */
    const int64_t rest = steps % t->steps;
    const struct method *const m = run->system.method;
    const uint64_t loaded = t->loaded * (1 + (uint64_t)ecl_carried_into(
                                                 m, ecl_register_first_stage(run, &section->is))),
                   stored = n * (1 + (uint64_t)ecl_carried_into(
                                         m, ecl_register_end_stage(run, &section->is)));
    r->state.global_bytes += (loaded + stored) * run->system.real_size *
                             (1 + 2 * exchanges); /* a word is twice a real */
    if (!section->is.ends_step) return;
    uint64_t computed = whole * r->made->computed;
    /* Strips compute as much for fewer steps, and their pieces take long to count. */
    if (rest)
        computed += register_is_strip(t->kernel) ? r->made->computed
                                                 : ecl_registers_computed(&run->system, t, rest);
    r->redundant += computed - n * (uint64_t)(steps * run->system.method->stages);
}

static cl_int launch_rows(
    struct run *run, const struct section *section, cl_kernel kernel, int64_t begin, int64_t end) {
    struct registers *r = run->impl;
    const struct register_tile *const t = section->is.tile;
    const struct register_share share = t->kernel->share(&run->system, t, end - begin);
    const size_t items = (size_t)share.groups * r->state.workgroup;
    cl_int cl = ecl_cl_set_rows(run, section, kernel, begin, end, share.height);
    return cl ? cl : ecl_cl_launch(run, kernel, 1, &items, &r->state.workgroup);
}

/* The rows that are wanted early, then the others of the window's own. */
static cl_int launch_early(struct run *run, const struct section *section, cl_kernel kernel) {
    const struct early *const e = &run->orders.early;
    const int64_t ny = grid_length(&run->system.context.grid),
                  begin = e->begin + (e->begin > 0 ? e->rows : 0),
                  end = e->end - (e->end < ny ? e->rows : 0);
    cl_int cl = CL_SUCCESS;
    if (begin > e->begin) cl = launch_rows(run, section, kernel, e->begin, begin);
    if (!cl && end < e->end) cl = launch_rows(run, section, kernel, end, e->end);
    if (!cl) cl = ecl_cl_mark_early(run);
    if (!cl) cl = launch_rows(run, section, kernel, begin, end);
    const cl_int restored = ecl_cl_set_all_rows(run, section, kernel); /* also after an error */
    if (!cl) cl = restored;
    run->orders.early.is_done = !cl;
    return cl;
}

/* Steps, or section `number` of one. first: counted in the table of times; since_flush: steps of
 * the run before it; is_last: of a batch, whose rows may be wanted early. */
static cl_int launch(
    struct run *run, int number, int64_t first, int64_t steps, int64_t since_flush, int is_last) {
    struct registers *r = run->impl;
    struct cl_state *c = &r->state;
    struct section *const section = &r->made->sections[number];
    const struct method *const m = run->system.method;
    const struct register_tile *const t = section->is.tile;
    const size_t group = (size_t)(t->items * t->item_rows), items = (size_t)t->groups * group;
    const cl_int count = (cl_int)steps;
    const cl_uint exchanges = (cl_uint)((steps - 1) / t->steps) * (t->persistent != 0);
    const cl_kernel kernel = section->kernels[r->turn];
    cl_int cl = CL_SUCCESS;
    if (r->before && c->next == r->before) {
        c->next = r->spare;
        r->spare = r->before;
    }
    if (c->table)
        cl = ecl_cl_set_number(run, section, kernel, ARGUMENT_FIRST,
            first * m->stages + ecl_register_first_stage(run, &section->is));
    if (!cl && section->steps_set[r->turn] != count)
        cl = ecl_cl_set_argument(section, kernel, ARGUMENT_STEPS, sizeof count, &count);
    const int is_other = r->spare || c->is_swapped; /* than the kernel's arguments are */
    if (!cl && is_other)
        cl = ecl_cl_set_argument(section, kernel, ARGUMENT_IN, sizeof c->now, &c->now);
    if (!cl && is_other)
        cl = ecl_cl_set_argument(section, kernel, ARGUMENT_OUT, sizeof c->next, &c->next);
    if (!cl && exchanges)
        cl = ecl_cl_set_argument(section, kernel, ARGUMENT_TAG, sizeof r->tag, &r->tag);
    const cl_int since = (cl_int)(since_flush % ODE_FLUSH_STEPS_(m->stages));
    if (!cl) cl = ecl_cl_set_argument(section, kernel, ARGUMENT_FLUSHED, sizeof since, &since);
    if (!cl && ecl_cl_may_end_step(&section->is))
        cl = ecl_cl_set_errors(run, kernel, (cl_uint)section->places[ARGUMENT_ERRORS]);
    if (!cl)
        cl = is_last && run->orders.early.rows ? launch_early(run, section, kernel)
                                               : ecl_cl_launch(run, kernel, 1, &items, &group);
    section->steps_set[r->turn] = count;
    r->tag += exchanges;
    cl_int failed = 0;
    if (!cl && exchanges) cl = look_for_failure(run, &failed);
    if (failed) r->gave_up = 1;
    if (cl || failed) return cl;
    cl_mem next = c->now;
    c->now = c->next;
    c->next = next;
    r->turn = !r->turn;
    count_launch(run, section, steps, exchanges);
    return cl;
}

/* Steps of at most TABLE_LEVELS levels. */
static cl_int run_table(struct run *run, const struct batch *batch, int64_t begin, int64_t steps) {
    struct registers *r = run->impl;
    const int64_t stages = run->system.method->stages;
    cl_int cl = ecl_cl_write_times(run, batch, begin * stages, steps * stages);
    for (int64_t done = 0; !cl && done < steps;) {
        const int was_persistent = persists(r);
        const int64_t together = was_persistent ? PERSISTENT_STEPS : r->made->tile.steps,
                      count = steps - done < together ? steps - done : together;
        for (int section = 0; !cl && section < r->made->tile.cut.sections; section++)
            if (r->has_begun)
                r->has_begun = 0;
            else
                cl = launch(run, section, done, count, batch->first_step + begin + done,
                    begin + done + count == batch->steps);
        if (persists(r) == was_persistent)
            done += count; /* else once more, with a launch for every exchange */
    }
    return cl;
}

/* ---- batches to a tolerance ---- */

/* With a third array the state before a batch remains, and else if it is one launch, which reads
 * one array and writes the other. */
int ecl_cl_register_outlives(const struct run *run, const struct batch *batch) {
    const struct registers *const r = run->impl;
    const struct register_tile *const t = &r->made->tile;
    return r->spare || (t->cut.sections == 1 && batch->steps <= t->steps);
}

void ecl_cl_register_undo(struct run *run) {
    struct registers *r = run->impl;
    struct cl_state *const c = &r->state;
    cl_mem *const before = r->before && r->before == r->spare ? &r->spare : &c->next, now = c->now;
    c->now = *before;
    *before = now;
    r->turn = !r->turn;
    r->queued.steps = 0;
}

/* The device would wait for the host while that looks at the errors of a batch, which takes as long
 * as a short launch. So the first launch of the next batch is made before. If another batch
 * follows, what it has computed is not used. */
static int may_follow(const struct run *run, const struct batch *batch) {
    const struct registers *const r = run->impl;
    return run->orders.ahead.steps && run->orders.ahead.h == batch->h && r->before &&
           !persists(r) && !r->state.table && !r->state.is_borrowed && !run->options.device_events;
}

static cl_int launch_ahead(struct run *run) {
    struct registers *r = run->impl;
    struct cl_state *c = &r->state;
    const cl_mem now = c->now, next = c->next;
    const int64_t steps = int_min(run->orders.ahead.steps, r->made->tile.steps);
    if (c->next == r->before) c->next = r->spare;
    r->ahead = c->next;
    cl_int cl = ecl_cl_begin_errors(run);
    if (!cl) cl = launch(run, 0, 0, steps, run->orders.ahead.first_step, 0);
    c->now = now;
    c->next = next;
    if (!cl) cl = clFlush(c->runtime.queue);
    if (cl) return cl;
    r->queued = run->orders.ahead;
    r->queued_version = c->version;
    return CL_SUCCESS;
}

/* If the launch ahead is the first one of this batch: go on with what it has computed. */
static int take_queued(struct run *run, const struct batch *batch) {
    struct registers *r = run->impl;
    struct cl_state *c = &r->state;
    const struct batch q = r->queued;
    r->queued.steps = 0;
    if (!q.steps || q.steps != batch->steps || q.first_step != batch->first_step ||
        q.t_base != batch->t_base || q.h != batch->h || r->queued_version != c->version)
        return 0;
    if (r->ahead == c->next) c->next = r->spare;
    r->spare = c->next;
    r->before = c->next = c->now;
    c->now = r->ahead;
    return 1;
}

static cl_int run_all(struct run *run, const struct batch *batch) {
    const int64_t most = TABLE_LEVELS / run->system.method->stages;
    cl_int cl = CL_SUCCESS;
    for (int64_t begin = 0; !cl && begin < batch->steps; begin += most)
        cl = run_table(run, batch, begin, int_min(most, batch->steps - begin));
    return cl;
}

int ecl_cl_register_step(
    struct run *run, const struct batch *batch, double *seconds, eulercl_error *error) {
    struct registers *r = run->impl;
    cl_event answer = NULL;
    r->has_begun = take_queued(run, batch);
    const int is_new = !r->has_begun;
    if (is_new) r->before = r->spare && run->system.method->estimate ? r->state.now : NULL;
    const int goes_on = ecl_cl_end_early(run);
    run->orders.early.is_done = 0;
    if (!r->made->tile.kernel->share || r->made->tile.cut.sections > 1) run->orders.early.rows = 0;
    const int made = run->orders.early.rows && !r->state.second
                         ? ecl_cl_queue(&r->state.runtime, &r->state.second, error)
                         : EULERCL_OK;
    if (made) return made;
    cl_int cl = is_new && !goes_on ? clFinish(r->state.runtime.queue) : CL_SUCCESS;
    const double start = ecl_now();
    const int status = !cl && is_new ? ecl_cl_set_factors(run, batch->h, error) : EULERCL_OK;
    if (status && r->state.second) clFinish(r->state.second); /* as at the end */
    if (status) return status;
    if (!cl && is_new) cl = ecl_cl_begin_errors(run);
    if (!cl) cl = run_all(run, batch);
    if (!cl) cl = ecl_cl_ask_errors(run, &answer);
    if (!cl && may_follow(run, batch)) cl = launch_ahead(run);
    const cl_int taken = ecl_cl_take_errors(run, answer);
    if (!cl) cl = taken;
    if (!cl && run->orders.early.is_done) cl = ecl_cl_wait_early(run);
    if (!cl && (r->queued.steps || run->orders.early.is_done))
        *seconds = ecl_now() - start; /* the last launch goes on */
    else
        cl = ecl_cl_finish(run, cl, start, seconds);
    if (cl && r->state.second) clFinish(r->state.second); /* it may read memory of others */
    return cl ? ecl_cl_fail(error, cl, "running steps") : EULERCL_OK;
}
