/* SPDX-License-Identifier: BSD-2-Clause */
/* reads.c - which components a right-hand side reads.
 *
 * c->clean is the state. c->scratch has other values for everything that a component may not read:
 * once NaN, and because comparisons, fmin and fmax hide that, once above all values of the state
 * and once below. */
#include "config.h"
#include "check.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    READ_WORK = 1 << 22, /* evaluations, or values copied, for each state */
    FEW = 1 << 12,       /* components up to which all are searched, whatever the work */
};

enum { POISON, ABOVE, BELOW, KINDS };

static double spoiled(const struct check *c, int kind, int64_t i) {
    const double other = 1 + c->peak * (2 + ecl_random(i, 5));
    return kind == POISON ? (double)NAN : kind == ABOVE ? other : -other;
}

static void spoil(const struct check *c, int kind, int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; i++) set(c, c->scratch, i, spoiled(c, kind, i));
}

static void restore(const struct check *c, int64_t begin, int64_t end) {
    memcpy(c->scratch + begin * (int64_t)c->system.real_size,
        c->clean + begin * (int64_t)c->system.real_size,
        (size_t)(end - begin) * c->system.real_size);
}

/* The window of components around j, cut at the state's ends. */
static int64_t window_begin(int64_t j, int64_t distance) { return j > distance ? j - distance : 0; }
static int64_t window_end(const struct check *c, int64_t j, int64_t distance) {
    return c->system.n - 1 - j > distance ? j + distance + 1 : c->system.n;
}

/* The smallest distance within which component j finds all it reads, by one kind of spoiled values;
 * -1: it reads beyond the state. Leaves everything spoiled. */
static int64_t reach_of(const struct check *c, int64_t j, int kind, double right, int64_t *work) {
    int64_t low = -1, high = 0, all = j > c->system.n - 1 - j ? j : c->system.n - 1 - j;
    restore(c, j, j + 1);
    /* Wider until nothing is missing. */
    while (!is_same(evaluate(c, j, c->scratch), right)) {
        if (high >= all) { /* it reads memory around the state */
            spoil(c, kind, 0, c->system.n);
            return -1;
        }
        low = high;
        high = high ? 2 * high : 1;
        if (high > all) high = all;
        restore(c, window_begin(j, high), window_end(c, j, high));
        *work += 2 * high;
    }
    /* The reads do not all lie within low, but within high. */
    int64_t spoiled = high; /* from this distance on outwards */
    while (high - low > 1) {
        const int64_t middle = low + (high - low) / 2;
        if (middle < spoiled) {
            spoil(c, kind, window_begin(j, spoiled), window_begin(j, middle));
            spoil(c, kind, window_end(c, j, middle), window_end(c, j, spoiled));
        } else
            restore(c, window_begin(j, middle), window_end(c, j, middle));
        *work += 2 * (high - low);
        spoiled = middle;
        if (is_same(evaluate(c, j, c->scratch), right))
            high = middle;
        else
            low = middle;
    }
    spoil(c, kind, window_begin(j, high > spoiled ? high : spoiled),
        window_end(c, j, high > spoiled ? high : spoiled));
    return high;
}

/* A component that reads what it may not read. component -1: there is no such one; distance -1: it
 * reads beyond the state. */
struct culprit {
    int64_t component, distance;
};

static void note_distance(struct check *c, int64_t component, int64_t distance) {
    if (distance <= c->distance) return;
    c->distance = distance;
    c->farthest = component;
}

static int64_t gcd(int64_t a, int64_t b) {
    while (b) {
        const int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* Both ends, then all components in an order that is spread over the system at any time: how many
 * the work allows is known only on the way. */
static struct culprit search_components(struct check *c, int kind) {
    const int64_t n = c->system.n, ends = n < 2 * GUARD ? 0 : GUARD;
    int64_t stride = (int64_t)(0.618 * (double)n) + 1, work = 0, s = 0;
    while (gcd(n, stride) > 1) stride++;
    for (int64_t j = 0; s < 2 * ends + n && (n <= FEW || work < READ_WORK); s++) {
        j = s < ends ? s : s < 2 * ends ? n - 1 - (s - ends) : (j + stride) % n;
        const double right = evaluate(c, j, c->clean);
        const int64_t distance = reach_of(c, j, kind, right, &work);
        c->usable += !isnan(right);
        if (distance < 0) return (struct culprit){j, distance};
        note_distance(c, j, distance);
    }
    c->looked_at = s < n ? s : n;
    return (struct culprit){-1, 0};
}

/* The number of points along the longest way of an offset. */
static int64_t length_of(struct place offset) {
    int64_t length = 0;
    for (int axis = 0; axis < ODE_MOST_AXES; axis++)
        if (llabs(offset.at[axis]) > length) length = llabs(offset.at[axis]);
    return length;
}

/* Find which components of another point a point reads, by changing each alone. */
static void note_reads_of(struct check *c, int64_t point, struct place offset, int is_inner) {
    const struct ode_grid *const grid = &c->system.context.grid;
    const int64_t components = grid->components, n = c->system.n,
                  other = ecl_grid_neighbour(grid, point, offset);
    for (int64_t b = 0; other >= 0 && b < components; b++) {
        const int64_t i = other * components + b;
        const double before = get(c, c->clean, i);
        for (int64_t j = point * components; j < (point + 1) * components; j++) {
            const int64_t straight = i < j ? j - i : i - j,
                          round = n - straight < straight ? n - straight : straight;
            const double right = evaluate(c, j, c->clean);
            int is_read = 0;
            for (int kind = 0; kind < KINDS && !is_read; kind++) {
                set(c, c->clean, i, spoiled(c, kind, i));
                is_read = !is_same(evaluate(c, j, c->clean), right);
            }
            set(c, c->clean, i, before);
            if (!is_read) continue;
            note_distance(c, j, straight);
            if (round > c->cyclic) c->cyclic = round;
            if (is_inner && length_of(offset) > c->radius) c->radius = length_of(offset);
            if (other != point) c->neighbours |= (uint64_t)1 << (b < 63 ? b : 63);
        }
    }
}

/* Find which of the stencil's components a point reads. */
static void note_reads(struct check *c, int64_t point) {
    const struct ode_grid *const grid = &c->system.context.grid;
    const int is_inner = ecl_grid_is_inner(grid, ecl_grid_place(grid, point));
    for (int64_t k = 0; k < ecl_stencil_size(grid); k++)
        note_reads_of(c, point, ecl_stencil_offset(grid, k), is_inner);
    if (is_inner && c->radius < 0) c->radius = 0;
}

/* The samples: all points, or the first, the last, columns at the ends of rows, and some of each
 * batch in between. */
static int64_t sample_point(const struct check *c, int64_t s, int64_t samples, int64_t points) {
    const int64_t nx = c->system.context.grid.extents[0], r = c->definition->grid.radius,
                  quarter = samples / 4, rest = samples - 2 * quarter;
    if (samples >= points) return s;
    if (s < quarter) return s;
    if (s < 2 * quarter) return points - 1 - (s - quarter);
    if (points > nx && s % 4 == 0 && r && 2 * r < nx) {
        const int64_t column = ecl_random_below(2 * r, s, 7);
        return ecl_random_below(points / nx, s, 8) * nx +
               (column < r ? column : nx - 1 - (column - r));
    }
    const double factor = (double)(points - 2 * quarter) / (double)rest;
    return quarter +
           (int64_t)(factor * ((double)(s - 2 * quarter) + 0.499 * (ecl_random(s, 6) + 1)));
}

/* Let the stencil around a point have its values, or (kind) spoil them. */
enum { RIGHT = KINDS };
static void set_stencil(const struct check *c, int64_t point, int kind) {
    const struct ode_grid *const grid = &c->system.context.grid;
    const int64_t components = grid->components;
    for (int64_t k = 0; k < ecl_stencil_size(grid); k++) {
        const int64_t other = ecl_grid_neighbour(grid, point, ecl_stencil_offset(grid, k));
        if (other < 0) continue;
        if (kind == RIGHT)
            restore(c, other * components, (other + 1) * components);
        else
            spoil(c, kind, other * components, (other + 1) * components);
    }
}

static struct culprit search_points(struct check *c, int kind) {
    const int64_t components = c->definition->grid.components, points = c->system.n / components;
    /* A derivative at the ends first copies the stencil. */
    const double offsets = (double)ecl_stencil_size(&c->system.context.grid),
                 each = 4 * (double)(components * components) * offsets * (1 + offsets / 64);
    const int64_t affordable = (int64_t)fmax(READ_WORK / each, offsets > 1000 ? 4 : 16),
                  samples = points < affordable ? points : affordable;
    for (int64_t s = 0; s < samples; s++) {
        const int64_t point = sample_point(c, s, samples, points);
        struct culprit culprit = {-1, 0};
        set_stencil(c, point, RIGHT);
        for (int64_t j = point * components; j < (point + 1) * components; j++) {
            const double right = evaluate(c, j, c->clean);
            c->usable += !isnan(right);
            if (!is_same(evaluate(c, j, c->scratch), right)) culprit.component = j;
        }
        set_stencil(c, point, kind);
        if (culprit.component >= 0) {
            int64_t work = 0;
            culprit.distance = reach_of(
                c, culprit.component, kind, evaluate(c, culprit.component, c->clean), &work);
            return culprit;
        }
        if (kind == POISON) note_reads(c, point);
    }
    c->looked_at = samples * components;
    return (struct culprit){-1, 0};
}

static int tell_distance(struct check *c) {
    const int64_t k = c->system.access_distance, n = c->system.n;
    char round[100] = "", all[100] = "all components";
    if (c->looked_at < n)
        snprintf(all, sizeof all, "%lld of %lld components", (long long)c->looked_at, (long long)n);
    c->report.access_distance = c->distance;
    if (grid_has_ring(&c->definition->grid)) {
        c->report.cyclic_distance = c->cyclic;
        snprintf(round, sizeof round, "; %lld counted around the ends", (long long)c->cyclic);
    }
    if (c->distance > k)
        return FAILS(distance, EULERCL_INTERNAL, c->farthest,
            "component %lld reads a component at distance %lld, but the declared access distance "
            "is %lld%s; %s",
            (long long)c->farthest, (long long)c->distance, (long long)k, round, all);
    const int status = HOLDS(distance, "declared %lld, actual %lld%s; %s", (long long)k,
        (long long)c->distance, round, all);
    if (status || k < n - 1 || n == 1 || has_grid(c->definition) || c->system.reads_all)
        return status;
    return REMARK(distance,
        "a tile would have to hold the whole system, so large systems cannot use tiles, and each "
        "step reads and writes memory. Number the components so that those that read each other "
        "are close together, and declare that distance");
}

static int tell_radius(struct check *c) {
    const int declared = (int)c->definition->grid.radius;
    char names[200] = "";
    size_t used = 0;
    if (c->radius < 0)
        return SKIPPED(radius,
            "no point of the grid has its whole stencil inside the grid: use a larger grid");
    c->report.radius = c->radius;
    for (int b = 0; b < 63 && b < (int)c->definition->grid.components && used < sizeof names - 20;
         b++)
        if (c->neighbours >> b & 1)
            used +=
                (size_t)snprintf(names + used, sizeof names - used, "%s%d", used ? ", " : "", b);
    const int are_named = c->definition->grid.components > 1 && used;
    return HOLDS(radius, "declared %d, actual %lld%s%s%s%s", declared, (long long)c->radius,
        are_named ? "; neighbours are read in the components " : "", are_named ? names : "",
        c->neighbours >> 63 ? " and others" : "",
        c->radius < declared ? "; a smaller ODE_RADIUS is faster" : "");
}

int ecl_check_reads(struct check *c) {
    const int64_t n = c->system.n;
    const int on_grid = ecl_has_stencil(&c->system);
    c->distance = c->cyclic = c->usable = 0;
    c->radius = -1;
    for (int state = 0; state < STATES; state++)
        for (int kind = 0; kind < KINDS; kind++) {
            const int status = ecl_check_make_state(c, state, c->clean);
            if (status) return status;
            /* The guards of the state itself are poison. Other values in the guards of scratch show
             * a component that reads them. */
            spoil(c, kind, -c->guard, n + c->guard);
            const struct culprit culprit =
                on_grid ? search_points(c, kind) : search_components(c, kind);
            if (culprit.component < 0) continue;
            c->is_wild = culprit.distance < 0;
            if (c->is_wild)
                return FAILS(distance, EULERCL_INTERNAL, culprit.component,
                    "component %lld reads beyond the state, which ends with component %lld",
                    (long long)culprit.component, (long long)(n - 1));
            return FAILS(radius, EULERCL_INTERNAL, culprit.component,
                "component %lld reads a component at distance %lld, outside its stencil of radius "
                "%u",
                (long long)culprit.component, (long long)culprit.distance,
                c->definition->grid.radius);
        }
    if (!c->usable)
        return SKIPPED(
            distance, "no derivative is finite, near the initial state or at random values");
    const int status = tell_distance(c);
    return status || !on_grid ? status : tell_radius(c);
}
