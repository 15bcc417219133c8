/* SPDX-License-Identifier: BSD-2-Clause */
/* inspect.c - see inspect.h. */
#include "config.h"
#include "inspect.h"
#include "control.h"
#include "../int.h"
#include "../mem.h"
#include "../reals.h"

enum {
    BLOCK = 1 << 10,  /* components that are looked at together */
    MOST_BLOCKS = 16, /* places of a large system that are looked at */
    /* For jumps in time: */
    PLACES = 7,            /* points that are looked at */
    MOST_UNKNOWNS = 8,     /* components of each of these points */
    STEP_LOOKS = 32,       /* times within a step */
    MOST_LOOKS = 1024,     /* times in all steps together */
    SMALL_STATE = 1 << 14, /* a state of at most this many reals is read as a whole */
};

static double greater(double a, double b) { return b > a || b != b ? b : a; }

/* The greatest magnitude of components begin .. end-1 of f, and where it is. */
static int look_for_derivative(const struct system *s, const struct state_source *source, double t,
    int64_t begin, int64_t end, struct sizes *sizes, eulercl_error *error) {
    const size_t size = s->real_size;
    const int64_t reach = ecl_system_reach(s), first = int_max(begin - reach, 0),
                  last = int_min(end + reach, s->n);
    const uint64_t count = (uint64_t)(last - first);
    char *const memory = ecl_mem_zeroed(count, 2 * size);
    if (!memory) return ecl_no_memory(error, "the right-hand side");
    char *const y = ecl_from_component(memory, first, size);
    char *const f = ecl_from_component(memory + count * size, first, size);
    const int status = source->read(source->from, first, last - first, memory, error);
    if (!status) ecl_system_eval(s, f, y, begin, end, t);
    for (int64_t i = begin; !status && i < end; i++) {
        const double value = fabs(real_get(f, i, size));
        if (value <= sizes->rhs || isnan(sizes->rhs)) continue; /* a NaN is the greatest */
        sizes->rhs = value;
        sizes->component = i;
    }
    ecl_mem_free(memory);
    return status;
}

/* The greatest magnitude of each unknown among components begin .. end-1. */
static int look_for_greatest(const struct system *s, const struct state_source *source, double t,
    int64_t begin, int64_t end, struct sizes *sizes, eulercl_error *error) {
    (void)t;
    void *const y = ecl_mem_zeroed((uint64_t)(end - begin), s->real_size);
    if (!y) return ecl_no_memory(error, "the first step size");
    const int status = source->read(source->from, begin, end - begin, y, error);
    for (int64_t i = begin; !status && i < end; i++) {
        double *const greatest = &sizes->greatest[i % s->tolerance.unknowns];
        *greatest = greater(*greatest, fabs(real_get(y, i - begin, s->real_size)));
    }
    ecl_mem_free(y);
    return status;
}

/* A block that is read: y and f with what the second evaluation reads around it. */
struct block {
    int64_t begin, end, around, around_end;
    char *y, *f, *g; /* where component 0 would be; only the part that is read exists */
};

/* The part of the state that a block needs. */
static struct state_part part_of(const struct system *s, const struct block *b) {
    const int64_t reach = 2 * ecl_system_reach(s), first = int_max(b->begin - reach, 0);
    return (struct state_part){first, int_min(b->end + reach, s->n) - first, NULL};
}

/* Give it memory. */
static void open_block(
    const struct system *s, struct block *b, struct state_part *part, char *memory) {
    const size_t size = s->real_size, bytes = (size_t)part->count * size;
    const int64_t reach = ecl_system_reach(s);
    b->around = int_max(b->begin - reach, 0);
    b->around_end = int_min(b->end + reach, s->n);
    b->y = ecl_from_component(memory, part->first, size);
    b->f = ecl_from_component(memory + bytes, part->first, size);
    b->g = ecl_from_component(memory + 2 * bytes, part->first, size);
    part->y = memory;
}

/* Unknowns without an atol yet, since they are 0, say nothing. */
static double weight_at(const struct system *s, const struct block *b, int64_t i) {
    const double atol = s->tolerance.atol[i % s->tolerance.unknowns];
    return atol > 0 ? atol + s->tolerance.rtol * fabs(real_get(b->y, i, s->real_size))
                    : (double)INFINITY;
}

static void find_block_sizes(const struct system *s, const struct block *b, struct sizes *sizes) {
    for (int64_t i = b->begin; i < b->end; i++) {
        const double weight = weight_at(s, b, i);
        sizes->y = greater(sizes->y, fabs(real_get(b->y, i, s->real_size)) / weight);
        sizes->rhs = greater(sizes->rhs, fabs(real_get(b->f, i, s->real_size)) / weight);
    }
}

/* Find the change of a block in an Euler step of size h, which replaces y. */
static void find_block_change(
    const struct system *s, const struct block *b, double t, double h, struct sizes *sizes) {
    const size_t size = s->real_size;
    for (int64_t i = b->around; i < b->around_end; i++)
        real_set(b->y, i, size, real_get(b->y, i, size) + h * real_get(b->f, i, size));
    ecl_system_eval(s, b->g, b->y, b->begin, b->end, t + h);
    const int64_t components = int_max(s->context.grid.components, 1);
    for (int64_t first = b->begin; first < b->begin + components && first < b->end; first++) {
        double sum = 0, weights = 0;
        for (int64_t i = first; i < b->end; i += components) {
            const double change = real_get(b->g, i, size) - real_get(b->f, i, size),
                         weight = weight_at(s, b, i);
            sizes->change = greater(sizes->change, fabs(change) / weight / h);
            sum += change;
            weights += weight;
        }
        sizes->mean_change = greater(sizes->mean_change, fabs(sum) / weights / h);
    }
}

/* The whole system, or some blocks of a large one: -> how many. */
static int lay_blocks(const struct system *s, struct block *blocks) {
    const int64_t n = s->n, reach = 2 * ecl_system_reach(s);
    if (n <= BLOCK * MOST_BLOCKS || n / MOST_BLOCKS < BLOCK + reach) {
        blocks[0] = (struct block){.end = n};
        return 1;
    }
    for (int64_t b = 0; b < MOST_BLOCKS; b++) {
        const int64_t begin = reach + (n - 2 * reach - BLOCK) / (MOST_BLOCKS - 1) * b;
        blocks[b] = (struct block){.begin = begin, .end = begin + BLOCK};
    }
    return MOST_BLOCKS;
}

typedef int look_at(const struct system *s, const struct state_source *source, double t,
    int64_t begin, int64_t end, struct sizes *sizes, eulercl_error *error);

static int look_at_all(look_at *visit, const struct system *s, const struct state_source *source,
    double t, struct sizes *sizes, eulercl_error *error) {
    struct block blocks[MOST_BLOCKS];
    const int count = lay_blocks(s, blocks);
    int status = EULERCL_OK;
    for (int b = 0; !status && b < count; b++)
        status = visit(s, source, t, blocks[b].begin, blocks[b].end, sizes, error);
    return status;
}

/* A step in which y changes by a hundredth of itself, or of the tolerance if it is smaller. Where f
 * is 0 nothing says what is a short time: a small part of the span, and of 1 where that has no end.
 */
static double guess_step(const struct sizes *sizes, double span) {
    static const double small = 0x1p-20;
    if (!(sizes->rhs > 0)) return small * (isfinite(span) ? span : 1);
    return fmin(0.01 * fmax(sizes->y, 1) / sizes->rhs, span);
}

int ecl_find_sizes(const struct system *system, const struct state_source *source, double t,
    double span, struct sizes *sizes, eulercl_error *error) {
    struct block blocks[MOST_BLOCKS];
    struct state_part parts[MOST_BLOCKS];
    const int count = lay_blocks(system, blocks);
    uint64_t bytes = 0;
    void *memory;
    *sizes = (struct sizes){0};
    for (int b = 0; b < count; b++) {
        uint64_t more;
        parts[b] = part_of(system, &blocks[b]);
        if (__builtin_mul_overflow((uint64_t)parts[b].count, 3 * system->real_size, &more) ||
            __builtin_add_overflow(bytes, more, &bytes))
            return ecl_no_memory(error, "the first step size");
    }
    /* Fresh pages take longer than everything else here. So the memory is kept for the next call,
     * as that of a state is, if it is neither small nor large. */
    int status = ecl_mem_state(bytes, "the first step size", &memory, error);
    if (status) return status;
    size_t used = 0;
    for (int b = 0; b < count; b++) {
        open_block(system, &blocks[b], &parts[b], (char *)memory + used);
        used += 3 * (size_t)parts[b].count * system->real_size;
    }
    status = ecl_read_parts(source, parts, count, error);
    for (int b = 0; !status && b < count; b++) {
        struct block *const block = &blocks[b];
        ecl_system_eval(system, block->f, block->y, block->around, block->around_end, t);
        find_block_sizes(system, block, sizes);
    }
    if (!status && (!isfinite(sizes->y) || !isfinite(sizes->rhs)))
        status = ecl_fail(error, EULERCL_NONFINITE, "the %s is not finite at t = %.9g",
            isfinite(sizes->y) ? "right-hand side" : "state", t);
    if (!status) {
        sizes->h = ecl_rung(ecl_rung_below(guess_step(sizes, span)));
    }
    for (int b = 0; !status && b < count; b++)
        find_block_change(system, &blocks[b], t, sizes->h, sizes);
    ecl_mem_spare(memory, bytes);
    return status;
}

int ecl_find_greatest(const struct system *system, const struct state_source *source,
    double *greatest, eulercl_error *error) {
    struct sizes sizes = {.greatest = greatest};
    return look_at_all(look_for_greatest, system, source, 0, &sizes, error);
}

int ecl_find_derivative(const struct system *system, const struct state_source *source, double t,
    double most, int64_t *component, double *derivative, eulercl_error *error) {
    const int64_t n = system->n, reach = ecl_system_reach(system), i = *component;
    struct sizes sizes = {.component = i};
    int status = EULERCL_OK;
    if (i >= reach && i < n - reach)
        status = look_for_derivative(system, source, t, i, i + 1, &sizes, error);
    if (!status && sizes.rhs <= most)
        status = look_at_all(look_for_derivative, system, source, t, &sizes, error);
    if (!status && sizes.rhs <= most)
        status = look_for_derivative(system, source, t, 0, n, &sizes, error);
    if (status) return status;
    if (!isfinite(sizes.rhs))
        return ecl_fail(
            error, EULERCL_NONFINITE, "the right-hand side is not finite at t = %.9g", t);
    *component = sizes.component;
    *derivative = sizes.rhs;
    return EULERCL_OK;
}

/* ---- jumps in time ---- */

/* Whether a jump of this size matters in steps of size h: a quarter of the tolerance. An unknown
 * that has no atol yet has no tolerance that a jump could be compared with. */
static int matters(const struct system *s, int64_t i, const void *y, double jump, double h) {
    const double atol = s->tolerance.atol[i % s->tolerance.unknowns],
                 weight = atol + s->tolerance.rtol * fabs(real_get(y, i, s->real_size));
    return jump > 0 && (!(atol > 0) || jump * h > 0.25 * weight);
}

/* The first time behind a jump of component i between a and b, by bisection; INFINITY: it is a
 * smooth change, which becomes less than a quarter of itself in shorter intervals. */
static double locate(
    const struct system *s, int64_t i, const void *y, double a, double b, double fa, double fb) {
    const double whole = fabs(fb - fa);
    for (;;) {
        const double middle = a + (b - a) / 2;
        if (!(middle > a && middle < b)) return b;
        const double f = ecl_system_component(s, i, middle, y);
        if (!isfinite(f)) return (double)INFINITY;
        const int is_before = fabs(f - fa) > fabs(fb - f);
        *(is_before ? &b : &a) = middle;
        *(is_before ? &fb : &fa) = f;
        if (!(fabs(fb - fa) > whole / 4)) return (double)INFINITY;
    }
}

/* The first jump of component i. */
static double look_along(
    const struct system *s, int64_t i, const void *y, const struct batch *batch) {
    const int looks = (int)int_min(STEP_LOOKS * batch->steps, MOST_LOOKS);
    const double length = (double)batch->steps * batch->h;
    double before = ecl_time_within(&batch->range, batch->t_base),
           f = ecl_system_component(s, i, before, y);
    for (int k = 1; k <= looks; k++) {
        const double t = ecl_time_within(&batch->range, batch->t_base + length * k / looks),
                     next = ecl_system_component(s, i, t, y);
        const double jump = matters(s, i, y, fabs(next - f), batch->h)
                                ? locate(s, i, y, before, t, f, next)
                                : (double)INFINITY;
        if (isfinite(jump)) return jump;
        before = t;
        f = next;
    }
    return (double)INFINITY;
}

/* A point that is looked at: the middle of the grid, some around it, and the first and the last
 * one, which see what is beyond the ends. */
static int64_t find_place(const struct ode_grid *grid, int number) {
    /* Along each axis, in eighths of it. */
    static const int8_t places[ODE_MOST_AXES][PLACES] = {
        {4, 2, 6, 1, 7, 0, 8}, {4, 2, 6, 6, 2, 0, 8}, {4, 2, 6, 2, 6, 0, 8}};
    struct place place;
    for (uint32_t axis = 0; axis < ODE_MOST_AXES; axis++) {
        const int64_t last = grid->extents[axis] - 1, eighths = places[axis][number];
        place.at[axis] = last / 8 * eighths + last % 8 * eighths / 8;
    }
    return ecl_grid_point(grid, place);
}

int ecl_find_jump(const struct system *s, const struct state_source *source,
    const struct batch *batch, double *jump, eulercl_error *error) {
    const struct ode_grid *const grid = &s->context.grid;
    const int64_t components = int_max(grid->components, 1), reach = ecl_system_reach(s);
    *jump = (double)INFINITY;
    for (int p = 0; p < PLACES; p++) {
        const int64_t first = find_place(grid, p) * components, end = first + components;
        struct state_part part = {0, s->n, NULL};
        if (s->n > SMALL_STATE) {
            const int64_t begin = first - reach, last = end + reach;
            part.first = int_max(begin, 0);
            part.count = int_min(last, s->n) - part.first;
            /* Next to the ends a point of a ring reads from the other one, and others too much to
             * be read in each round. */
            if ((grid_has_ring(grid) && (begin < 0 || last > s->n)) || part.count > SMALL_STATE)
                continue;
        }
        part.y = ecl_mem_zeroed((uint64_t)part.count, s->real_size);
        if (!part.y) return ecl_no_memory(error, "a look for jumps in time");
        const int status = source->read(source->from, part.first, part.count, part.y, error);
        const void *const y = ecl_from_component(part.y, part.first, s->real_size);
        for (int64_t i = first; !status && i < int_min(end, first + MOST_UNKNOWNS); i++)
            *jump = fmin(*jump, look_along(s, i, y, batch));
        ecl_mem_free(part.y);
        if (status) return status;
    }
    return EULERCL_OK;
}
