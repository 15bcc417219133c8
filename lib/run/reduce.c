/* SPDX-License-Identifier: BSD-2-Clause */
/* reduce.c - see reduce.h. */
#include "config.h"
#include "reduce.h"
#include "../int.h"
#include "../mem.h"

enum {
    MOST_PARTS = 512,
    MOST_NUMBERS = 5 << 18, /* of all parts together, where a part has many */
    CHUNK = 1 << 16,        /* components that are added at a time */
};

void ecl_reduction_cut(struct reduction *r) { ecl_reduction_cut_into(r, MOST_PARTS); }

void ecl_reduction_cut_into(struct reduction *r, int64_t most) {
    const int64_t parts = int_clamp(1, MOST_NUMBERS / r->size, most),
                  batches = int_ceil(r->n, r->unit * r->batch);
    r->share = int_min(r->n, int_ceil(batches, parts) * r->batch * r->unit);
    r->parts = int_ceil(r->n, r->share);
    r->first = r->offset = 0;
    r->end = r->n;
}

struct reduction ecl_reduction_parts(const struct reduction *r, int64_t from, int64_t parts) {
    struct reduction some = *r;
    some.first = r->first + from * r->share;
    some.parts = parts;
    some.end = int_min(r->end, some.first + parts * r->share);
    if (r->places) some.places = r->places + from;
    return some;
}

/* Where a span comes from. */
struct source {
    const char *y; /* the state in the host's memory; NULL: it is read */
    struct run *run;
    const struct state_table *state;
    char *buffer; /* for a chunk, and what is before and behind it */
};

/* Components from..to - 1 of the run go to the buffer. */
static int read_some(const struct reduction *r, const struct source *source, int64_t from,
    int64_t to, char *buffer, eulercl_error *error) {
    return from < to ? source->state->read(source->run, from - r->offset, to - from, buffer, error)
                     : EULERCL_OK;
}

static int find_span(const struct reduction *r, const struct source *source, struct span *span,
    eulercl_error *error) {
    const int64_t at = span->at, begin = at - r->before, far = int_max(begin, 0),
                  end = at + span->count + r->behind, near = int_min(end, r->n),
                  size = (int64_t)r->real_size;
    if (source->y) {
        span->y = source->y + (at - r->offset) * size;
        span->beyond = source->y;
        span->ahead = source->y + r->n * size;
        return EULERCL_OK;
    }
    char *const own = source->buffer + (far - begin) * size, *const beyond =
                                                                 own + (near - far) * size;
    span->y = source->buffer + r->before * size;
    span->beyond = beyond;
    span->ahead = own;
    int status = read_some(r, source, far, near, own, error);
    if (status || !r->is_ring) return status;
    status = read_some(r, source, begin + r->n, far + r->n, source->buffer, error);
    return status ? status : read_some(r, source, 0, end - r->n, beyond, error);
}

static int64_t chunk_of(const struct reduction *r) {
    const int64_t batch = r->unit * r->batch;
    return int_min(r->share, batch < CHUNK ? CHUNK / batch * batch : batch);
}

static int reduce_parts(
    const struct reduction *r, const struct source *source, double *numbers, eulercl_error *error) {
    const int64_t chunk = chunk_of(r);
    void *const sums = ecl_mem_zeroed(r->sums_bytes, 1);
    int status = sums ? EULERCL_OK : ecl_no_memory(error, "the sums of a part");
    for (int64_t p = 0; !status && p < r->parts; p++) {
        const int64_t begin = r->first + p * r->share, end = int_min(r->end, begin + r->share);
        r->reducer->begin(r, sums);
        for (int64_t at = begin; !status && at < end; at += chunk) {
            struct span span = {.at = at, .count = int_min(end - at, chunk)};
            status = find_span(r, source, &span, error);
            if (!status) r->reducer->add(r, sums, &span);
        }
        if (!status) r->reducer->finish(r, sums, numbers + reduction_place(r, p));
    }
    ecl_mem_free(sums);
    return status;
}

int ecl_reduce_here(
    const struct reduction *r, const char *y, double *numbers, eulercl_error *error) {
    return reduce_parts(r, &(struct source){.y = y}, numbers, error);
}

int ecl_reduce_read(struct run *run, const struct state_table *state, const struct reduction *r,
    double *numbers, eulercl_error *error) {
    struct source source = {.run = run, .state = state};
    source.buffer = ecl_mem_zeroed((uint64_t)(r->before + chunk_of(r) + r->behind), r->real_size);
    if (!source.buffer) return ecl_no_memory(error, "a part of the state");
    const int status = reduce_parts(r, &source, numbers, error);
    ecl_mem_free(source.buffer);
    return status;
}

int ecl_reduce(struct run *run, const struct state_table *state, const struct reduction *r,
    double *numbers, eulercl_error *error) {
    const int status = state->reduce(run, r, numbers, error);
    return status == EULERCL_UNSUPPORTED ? ecl_reduce_read(run, state, r, numbers, error) : status;
}
