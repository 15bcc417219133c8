/* inspect.c - see inspect.h.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include "config.h"
#include "inspect.h"
#include "control.h"
#include "int.h"
#include "mem.h"
#include "reals.h"

enum {
    BLOCK = 1 << 10, /* components that are looked at together, */
    MOST_BLOCKS = 16 /* at so many places of a large system */
};

static double greater(double a, double b) { return b > a || b != b ? b : a; }

/* The greatest magnitude of components begin .. end-1 of f, and where it is. */
static int look_for_derivative(const struct system *s, const struct state_source *source, double t,
    double h, int64_t begin, int64_t end, struct sizes *sizes, eulercl_error *error) {
    (void)h;
    const size_t size = s->real_size;
    const int64_t reach = eulercl_system_reach(s), first = int_max(begin - reach, 0),
                  last = int_min(end + reach, s->n);
    const uint64_t count = (uint64_t)(last - first);
    char *const memory = eulercl_mem_zeroed(count, 2 * size);
    if (!memory) return eulercl_no_memory(error, "the right-hand side");
    char *const y = eulercl_from_component(memory, first, size), *const f = eulercl_from_component(
                                                                     memory + count * size, first,
                                                                     size);
    const int status = source->read(source->from, first, last - first, memory, error);
    if (!status) eulercl_system_eval(s, f, y, begin, end, t);
    for (int64_t i = begin; !status && i < end; i++) {
        const double value = fabs(real_get(f, i, size));
        if (value <= sizes->rhs) continue; /* a NaN counts as greater */
        sizes->rhs = value;
        sizes->component = i;
    }
    eulercl_mem_free(memory);
    return status;
}

/* The greatest magnitude of components begin .. end-1. */
static int look_for_greatest(const struct system *s, const struct state_source *source, double t,
    double h, int64_t begin, int64_t end, struct sizes *sizes, eulercl_error *error) {
    (void)t, (void)h;
    void *const y = eulercl_mem_zeroed((uint64_t)(end - begin), s->real_size);
    if (!y) return eulercl_no_memory(error, "the first step size");
    const int status = source->read(source->from, begin, end - begin, y, error);
    for (int64_t i = 0; !status && i < end - begin; i++)
        sizes->y = greater(sizes->y, fabs(real_get(y, i, s->real_size)));
    eulercl_mem_free(y);
    return status;
}

/* Components begin .. end-1: their sizes or, if h is not 0, the change in a step of that size. */
static int look(const struct system *s, const struct state_source *source, double t, double h,
    int64_t begin, int64_t end, struct sizes *sizes, eulercl_error *error) {
    const size_t size = s->real_size;
    const int64_t reach = eulercl_system_reach(s), n = s->n, around = int_max(begin - reach, 0),
                  around_end = int_min(end + reach, n), first = int_max(begin - 2 * reach, 0),
                  last = int_min(end + 2 * reach, n);
    const uint64_t count = (uint64_t)(last - first);
    char *const memory = eulercl_mem_zeroed(count, 3 * size);
    if (!memory) return eulercl_no_memory(error, "the first step size");
    char *const y = eulercl_from_component(memory, first, size),
                *const f = eulercl_from_component(memory + count * size, first, size),
                *const g = eulercl_from_component(memory + 2 * count * size, first, size);
    const int status = source->read(source->from, first, last - first, memory, error);
    if (!status) eulercl_system_eval(s, f, y, around, around_end, t);
    if (!status && h == 0)
        for (int64_t i = begin; i < end; i++) {
            const double value = real_get(y, i, size), weight = s->atol + s->rtol * fabs(value);
            sizes->y = greater(sizes->y, fabs(value) / weight);
            sizes->rhs = greater(sizes->rhs, fabs(real_get(f, i, size)) / weight);
        }
    if (!status && h != 0) {
        for (int64_t i = around; i < around_end; i++)
            real_set(y, i, size, real_get(y, i, size) + h * real_get(f, i, size));
        eulercl_system_eval(s, g, y, begin, end, t + h);
        for (int64_t i = begin; i < end; i++)
            sizes->change =
                greater(sizes->change, fabs(real_get(g, i, size) - real_get(f, i, size)) /
                                           (s->atol + s->rtol * fabs(real_get(y, i, size))) / h);
    }
    eulercl_mem_free(memory);
    return status;
}

typedef int look_at(const struct system *s, const struct state_source *source, double t, double h,
    int64_t begin, int64_t end, struct sizes *sizes, eulercl_error *error);

/* The whole system, or some blocks of a large one. */
static int look_at_all(look_at *visit, const struct system *s, const struct state_source *source,
    double t, double h, struct sizes *sizes, eulercl_error *error) {
    const int64_t n = s->n, reach = 2 * eulercl_system_reach(s);
    if (n <= BLOCK * MOST_BLOCKS || n / MOST_BLOCKS < BLOCK + reach)
        return visit(s, source, t, h, 0, n, sizes, error);
    int status = EULERCL_OK;
    for (int64_t block = 0; !status && block < MOST_BLOCKS; block++) {
        const int64_t begin = reach + (n - 2 * reach - BLOCK) / (MOST_BLOCKS - 1) * block;
        status = visit(s, source, t, h, begin, begin + BLOCK, sizes, error);
    }
    return status;
}

int eulercl_find_sizes(const struct system *system, const struct state_source *source, double t,
    double span, struct sizes *sizes, eulercl_error *error) {
    static const double least = 1e-5;
    *sizes = (struct sizes){0};
    int status = look_at_all(look, system, source, t, 0, sizes, error);
    if (status) return status;
    if (!isfinite(sizes->y) || !isfinite(sizes->rhs))
        return eulercl_fail(error, EULERCL_NONFINITE, "the %s is not finite at t = %.9g",
            isfinite(sizes->y) ? "right-hand side" : "state", t);
    const double guess =
        sizes->y < least || sizes->rhs < least ? 1e-6 : 0.01 * sizes->y / sizes->rhs;
    sizes->h = eulercl_rung(eulercl_rung_below(fmin(guess, span)));
    return look_at_all(look, system, source, t, sizes->h, sizes, error);
}

int eulercl_find_greatest(const struct system *system, const struct state_source *source,
    double *greatest, eulercl_error *error) {
    struct sizes sizes = {0};
    const int status = look_at_all(look_for_greatest, system, source, 0, 0, &sizes, error);
    if (!status) *greatest = sizes.y;
    return status;
}

int eulercl_find_derivative(const struct system *system, const struct state_source *source,
    double t, double most, int64_t *component, double *derivative, eulercl_error *error) {
    const int64_t n = system->n, reach = eulercl_system_reach(system), i = *component;
    struct sizes sizes = {.component = i};
    int status = EULERCL_OK;
    if (i >= reach && i < n - reach)
        status = look_for_derivative(system, source, t, 0, i, i + 1, &sizes, error);
    if (!status && sizes.rhs <= most)
        status = look_at_all(look_for_derivative, system, source, t, 0, &sizes, error);
    if (!status && sizes.rhs <= most)
        status = look_for_derivative(system, source, t, 0, 0, n, &sizes, error);
    if (status) return status;
    if (!isfinite(sizes.rhs))
        return eulercl_fail(
            error, EULERCL_NONFINITE, "the right-hand side is not finite at t = %.9g", t);
    *component = sizes.component;
    *derivative = sizes.rhs;
    return EULERCL_OK;
}
