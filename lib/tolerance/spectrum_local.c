/* SPDX-License-Identifier: BSD-2-Clause */
/* spectrum_local.c - Fourier analysis at some points of a grid: see spectrum.c. */
#include "config.h"
#include "spectrum_parts.h"
#include "../problem/grid.h"
#include "../int.h"
#include "../mem.h"
#include "../problem/system.h"
#include <string.h>

#ifndef CMPLX /* the C library declares it only for GCC; clang has the same builtin */
#define CMPLX(x, y) __builtin_complex((double)(x), (double)(y))
#endif

enum {
    WAVES_1D = 128,
    WAVES_2D = 16,
    WAVES_3D = 4,            /* wave numbers in 0 .. pi, per axis */
    WAVE_WORK = 1 << 22,     /* bounds waves * points * components^3 */
    BOUND_POINTS = 24,       /* points that show a bound; each takes a few reads of the state */
    MOST_TOGETHER = 1 << 14, /* reals that are read with a stencil */
};

/* blocks[offset][b][c]: the derivative of component c's right-hand side at a point by component b
 * of the point that far away. -> whether all are finite. */
static int freeze(struct spectrum *s, int64_t point, double *blocks) {
    const struct system *system = s->system;
    const struct ode_grid *const grid = &system->context.grid;
    const int64_t components = grid->components;
    for (int64_t k = 0; k < ecl_stencil_size(grid); k++)
        for (int64_t b = 0; b < components; b++) {
            const struct place offset = ecl_stencil_offset(grid, k);
            const int64_t j = ecl_grid_neighbour(grid, point, offset) * components + b;
            const double before = spectrum_get(s, s->y, j), scale = s->scales[b],
                         size = s->relative * fmax(fabs(before), scale);
            for (int64_t c = 0; c < components; c++) {
                double f[2], at[2];
                for (int side = 0; side < 2; side++) {
                    spectrum_set(s, s->y, j, before + (side ? size : -size));
                    at[side] = spectrum_get(s, s->y, j);
                    const int64_t i = point * components + c;
                    f[side] = ecl_system_component(system, i, s->t, s->y);
                }
                spectrum_set(s, s->y, j, before);
                *blocks = (f[1] - f[0]) / s->scales[c] / ((at[1] - at[0]) / scale);
                if (!isfinite(*blocks)) return 0;
                blocks++;
            }
        }
    return 1;
}

struct fourier ecl_spectrum_fourier(const struct ode_grid *grid, int every) {
    /* The numbers of waves by rank. */
    static const int most_waves[ODE_MOST_AXES + 1] = {0, WAVES_1D, WAVES_2D, WAVES_3D};
    struct fourier f = {
        .grid = grid, .all_inner = 1, .all_waves = 1, .most_waves = most_waves[grid->rank] / every};
    for (uint32_t axis = 0; axis < ODE_MOST_AXES; axis++) {
        const int64_t most = axis < grid->rank ? most_waves[grid->rank] / every : 0;
        f.lowest_wave[axis] = axis ? -most : 0;
        f.waves[axis] = most - f.lowest_wave[axis] + 1;
        f.inner[axis] = grid->extents[axis] - 2 * grid_radius(grid, axis);
        if (f.inner[axis] < 1) f.inner[axis] = 0;
        f.all_waves *= f.waves[axis];
        f.all_inner *= f.inner[axis];
    }
    return f;
}

/* The point of an inner number: spread over the grid, in order along the last axis only. */
static int64_t spread_point(const struct fourier *f, int64_t number) {
    const uint32_t last = f->grid->rank - 1;
    const int64_t others = f->all_inner / f->inner[last];
    struct place place = {{0}};
    place.at[last] = number / others + grid_radius(f->grid, last);
    number = number * 7919 % others;
    for (uint32_t axis = 0; axis < last; axis++) {
        place.at[axis] = number % f->inner[axis] + grid_radius(f->grid, axis);
        number /= f->inner[axis];
    }
    return ecl_grid_point(f->grid, place);
}

/* Wave number `number` of the grid, along each axis; x is the slowest. */
static struct place wave_of(const struct fourier *f, int64_t number) {
    struct place wave;
    for (uint32_t axis = ODE_MOST_AXES; axis-- > 0;) {
        wave.at[axis] = number % f->waves[axis] + f->lowest_wave[axis];
        number /= f->waves[axis];
    }
    return wave;
}

/* Find the factors by which each neighbour of the stencil multiplies a wave. */
static void find_factors(const struct fourier *f, struct place wave, double complex *factors) {
    for (int64_t k = 0; k < ecl_stencil_size(f->grid); k++) {
        const struct place offset = ecl_stencil_offset(f->grid, k);
        double periods = 0;
        for (uint32_t axis = 0; axis < f->grid->rank; axis++)
            periods += (double)(offset.at[axis] * wave.at[axis]) / f->most_waves;
        const double angle = M_PI * periods;
        factors[k] = CMPLX(cos(angle), sin(angle));
    }
}

/* symbol[c][b]: what the frozen stencil makes of a wave. */
static void transform(const double complex *factors, int64_t offsets, const double *blocks,
    int64_t components, double complex *symbol) {
    memset(symbol, 0, (size_t)(components * components) * sizeof *symbol);
    for (int64_t k = 0; k < offsets; k++)
        for (int64_t b = 0; b < components; b++)
            for (int64_t c = 0; c < components; c++)
                symbol[c * components + b] += *blocks++ * factors[k];
}

/* A number of the inner points that are looked at, `points` of them: the middle of its share. */
static int64_t point_of_share(const struct fourier *f, int64_t number, int64_t points) {
    return spread_point(
        f, (int64_t)(((double)number + 0.5) / (double)points * (double)f->all_inner));
}

/* The first component of a point's stencil, and how many there are from it to the last one. */
static int64_t stencil_begin(const struct ode_grid *grid, int64_t point) {
    return ecl_grid_neighbour(grid, point, ecl_stencil_offset(grid, 0)) * (int64_t)grid->components;
}
static int64_t stencil_span(const struct ode_grid *grid, int64_t point) {
    const struct place last = ecl_stencil_offset(grid, ecl_stencil_size(grid) - 1);
    return (ecl_grid_neighbour(grid, point, last) + 1) * (int64_t)grid->components -
           stencil_begin(grid, point);
}

/* The parts of the state that the stencil of an inner point needs, to be read into the state's
 * place: all together, or row by row. -> how many. */
static int64_t stencil_parts(struct spectrum *s, int64_t point, struct state_part *parts) {
    const struct ode_grid *const grid = &s->system->context.grid;
    const ptrdiff_t size = (ptrdiff_t)s->system->real_size;
    const int64_t radius = grid_radius(grid, 0), components = grid->components,
                  count = (2 * radius + 1) * components, begin = stencil_begin(grid, point);
    int64_t rows = 0;
    if (s->parts) {
        *parts = (struct state_part){begin, s->span, s->y + (ptrdiff_t)begin * size};
        return 1;
    }
    for (int64_t k = 0; k < ecl_stencil_size(grid); k += 2 * radius + 1) {
        const struct place row = ecl_stencil_offset(grid, k); /* its first point */
        const int64_t first = ecl_grid_neighbour(grid, point, row) * components;
        parts[rows++] = (struct state_part){first, count, s->y + (ptrdiff_t)first * size};
    }
    return rows;
}

/* The magnitudes of a stencil's components. */
static void see_stencil(const struct spectrum *s, int64_t point) {
    const struct ode_grid *const grid = &s->system->context.grid;
    const int64_t count = (2 * grid_radius(grid, 0) + 1) * (int64_t)grid->components;
    for (int64_t k = 0; k < ecl_stencil_size(grid); k += 2 * grid_radius(grid, 0) + 1) {
        const struct place row = ecl_stencil_offset(grid, k);
        const int64_t first = ecl_grid_neighbour(grid, point, row) * (int64_t)grid->components;
        for (int64_t i = 0; i < count; i++)
            spectrum_see(&s->sizes[i % s->unknowns], spectrum_get(s, s->y, first + i));
    }
}

int ecl_spectrum_make_whole(struct spectrum *s, eulercl_error *error) {
    if (!s->whole) s->whole = ecl_mem_zeroed((uint64_t)s->system->n, s->system->real_size);
    s->y = s->whole;
    return s->y ? EULERCL_OK : ecl_no_memory(error, "an estimate of the eigenvalues");
}

/* Turn to point `number` of those that were read: y points to the values of its stencil. */
static int64_t turn_to_point(
    struct spectrum *s, const struct fourier *f, int64_t number, int64_t points) {
    const int64_t point = point_of_share(f, number, points);
    const size_t size = s->system->real_size;
    if (s->parts)
        s->y = ecl_from_component(
            s->parts + (size_t)(number * s->span) * size, stencil_begin(f->grid, point), size);
    return point;
}

/* The stencils of some inner points, and how large the state is there. A stencil is read with all
 * that is between its rows if that is little, since each part takes its time. */
int ecl_spectrum_read_points(struct spectrum *s, const struct fourier *f,
    const struct state_source *source, int64_t points, eulercl_error *error) {
    s->span = points ? stencil_span(f->grid, point_of_share(f, 0, points)) : 0;
    if (points && s->span <= MOST_TOGETHER)
        s->parts = ecl_mem_zeroed((uint64_t)(points * s->span), s->system->real_size);
    int status = s->parts ? EULERCL_OK : ecl_spectrum_make_whole(s, error);
    struct state_part *const parts =
        ecl_mem_zeroed((uint64_t)int_max(points * ecl_stencil_size(f->grid), 1), sizeof *parts);
    int64_t part_count = 0;
    if (!status && !parts) status = ecl_no_memory(error, "an estimate of the eigenvalues");
    for (int64_t p = 0; !status && p < points; p++)
        part_count += stencil_parts(s, turn_to_point(s, f, p, points), parts + part_count);
    if (!status) status = ecl_read_parts(source, parts, part_count, error);
    for (int64_t p = 0; !status && p < points; p++) see_stencil(s, turn_to_point(s, f, p, points));
    ecl_mem_free(parts);
    if (status || !ecl_spectrum_settle_scales(s)) return status;
    for (int64_t p = 0; p < points; p++) {
        const int64_t first = turn_to_point(s, f, p, points) * s->unknowns;
        for (int64_t c = 0; c < s->unknowns; c++)
            spectrum_see(&s->slopes[c], ecl_system_component(s->system, first + c, s->t, s->y));
    }
    return EULERCL_OK;
}

int ecl_spectrum_local_values(
    struct spectrum *s, int64_t most_points, int every, eulercl_error *error) {
    const struct fourier f = ecl_spectrum_fourier(&s->system->context.grid, every);
    const int64_t components = f.grid->components, offsets = ecl_stencil_size(f.grid);
    const double cost =
        (double)f.all_waves * (double)(components * components) * (double)(components + offsets);
    if (!f.all_inner || components > MOST_EIGENVALUES || cost > WAVE_WORK) return EULERCL_OK;
    const int64_t affordable = (int64_t)(8 * WAVE_WORK / cost);
    int64_t points = f.all_inner < most_points ? f.all_inner : most_points;
    if (points > affordable) points = affordable;
    if (points > (s->room - s->count) / (f.all_waves * components))
        points = (s->room - s->count) / (f.all_waves * components);
    double *blocks = ecl_mem_zeroed((uint64_t)(offsets * components * components), sizeof *blocks);
    double complex *symbol = ecl_mem_zeroed((uint64_t)(components * components), sizeof *symbol);
    double complex *factors = ecl_mem_zeroed((uint64_t)(f.all_waves * offsets), sizeof *factors);
    const int failed = !blocks || !symbol || !factors;
    for (int64_t w = 0; w < f.all_waves && !failed; w++)
        find_factors(&f, wave_of(&f, w), factors + w * offsets);
    for (int64_t p = 0; p < points && !failed; p++) {
        if (!freeze(s, turn_to_point(s, &f, p, points), blocks)) continue;
        for (int64_t w = 0; w < f.all_waves; w++) {
            double complex values[MOST_EIGENVALUES];
            transform(factors + w * offsets, offsets, blocks, components, symbol);
            if (!ecl_eigenvalues(symbol, (int)components, values)) continue;
            for (int64_t c = 0; c < components; c++) spectrum_add(s, values[c], 0);
        }
    }
    ecl_mem_free(blocks);
    ecl_mem_free(symbol);
    ecl_mem_free(factors);
    return failed ? ecl_no_memory(error, "an estimate of the eigenvalues") : EULERCL_OK;
}

int ecl_spectrum_local_bound(
    struct spectrum *s, const struct state_source *source, double *bound, eulercl_error *error) {
    const struct fourier f = ecl_spectrum_fourier(&s->system->context.grid, 1);
    const int64_t components = f.grid->components, offsets = ecl_stencil_size(f.grid),
                  entries = components * components,
                  points = f.all_inner < BOUND_POINTS ? f.all_inner : BOUND_POINTS;
    *bound = (double)NAN;
    if (components > MOST_EIGENVALUES) return EULERCL_OK;
    double *blocks = ecl_mem_zeroed((uint64_t)(offsets * entries), sizeof *blocks);
    double complex *sums = ecl_mem_zeroed((uint64_t)entries, sizeof *sums);
    int status = blocks && sums ? ecl_spectrum_read_points(s, &f, source, points, error)
                                : ecl_no_memory(error, "an estimate of the eigenvalues");
    do {
        *bound = (double)NAN;
        for (int64_t p = 0; !status && p < points; p++) {
            double complex values[MOST_EIGENVALUES];
            if (!freeze(s, turn_to_point(s, &f, p, points), blocks)) continue;
            for (int64_t i = 0; i < entries; i++) {
                sums[i] = 0;
                for (int64_t k = 0; k < offsets; k++) sums[i] += fabs(blocks[k * entries + i]);
            }
            if (!ecl_eigenvalues(sums, (int)components, values)) continue;
            for (int64_t c = 0; c < components; c++) *bound = fmax(*bound, cabs(values[c]));
        }
    } while (!status && ecl_spectrum_is_better_scaled(s, *bound));
    ecl_mem_free(blocks);
    ecl_mem_free(sums);
    return status;
}

int64_t ecl_spectrum_most_values(void) { return (WAVES_2D + 1) * (2 * WAVES_2D + 1) * 4; }
