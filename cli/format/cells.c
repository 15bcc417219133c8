/* SPDX-License-Identifier: BSD-2-Clause */
/* cells.c - see cells.h; compiled only with Cairo. */
#include "config.h"

#include "format/cells.h"

#include <math.h>

int64_t count_values(const struct cells *cells) {
    int64_t count = cells->fold == LEAST_AND_GREATEST ? 2 : 1;
    for (int d = 0; d < AXES; d++) count *= cells->counts[d];
    return count;
}

int64_t points_in(int64_t cell, int64_t block, int64_t points) {
    const int64_t left = points - cell * block;
    return left < block ? left : block;
}

static void begin_one(struct cells *cells) {
    const int64_t count = count_values(cells);
    for (int64_t i = 0; i < count; i++)
        cells->values[i] = cells->fold == MEAN                               ? 0
                           : cells->fold == LEAST_AND_GREATEST && i % 2 == 0 ? HUGE_VAL
                                                                             : -HUGE_VAL;
    for (int64_t i = 0; cells->obstacles != NULL && i < count; i++) cells->obstacles[i] = 0;
}

void begin_cells(struct collection *all) {
    for (int k = 0; k < all->n_cells; k++) begin_one(&all->cells[k]);
    for (int d = 0; d < AXES; d++) all->index[d] = 0;
}

/* The points of a whole block. */
static double points_of_block(const struct collection *all, const struct cells *cells) {
    double points = 1;
    for (int d = 0; d < AXES; d++)
        if (cells->strides[d] > 0) points *= (double)all->block;
    return points;
}

static void add_value(const struct collection *all, struct cells *cells, double weight,
    const int64_t block[AXES], int is_obstacle, double value) {
    int64_t cell = 0;
    for (int d = 0; d < AXES; d++) {
        if (cells->at[d] >= 0 && cells->at[d] != all->index[d]) return;
        cell += block[d] * cells->strides[d];
    }
    if (is_obstacle && cells->obstacles != NULL) {
        cells->obstacles[cell]++;
    } else if (cells->fold == MEAN) {
        cells->values[cell] += weight * value;
    } else if (cells->fold == GREATEST) {
        cells->values[cell] = fmax(cells->values[cell], value);
    } else {
        cells->values[2 * cell] = fmin(cells->values[2 * cell], value);
        cells->values[2 * cell + 1] = fmax(cells->values[2 * cell + 1], value);
    }
}

void add_to_cells(struct collection *all, const struct layout *layout, int64_t first, int64_t count,
    const void *y) {
    const int64_t at = first % all->stride, component = layout->component;
    /* Values are weighted before they are added, so no sum can overflow. */
    double weights[AXES];
    for (int k = 0; k < all->n_cells; k++) weights[k] = 1 / points_of_block(all, &all->cells[k]);
    for (int64_t i = component >= at ? component - at : component - at + all->stride; i < count;
         i += all->stride) {
        const double value = layout->precision == EULERCL_DOUBLE ? ((const double *)y)[i]
                                                                 : (double)((const float *)y)[i];
        int64_t block[AXES], point = 0;
        for (int d = AXES; d-- > 0;) {
            block[d] = all->index[d] / all->block;
            point = point * all->extents[d] + all->index[d];
        }
        const int is_obstacle = all->marks != NULL && all->marks[point] == EULERCL_OBSTACLE;
        for (int k = 0; k < all->n_cells; k++)
            add_value(all, &all->cells[k], weights[k], block, is_obstacle, value);
        for (int d = 0; d < AXES && ++all->index[d] == all->extents[d] && d + 1 < AXES; d++)
            all->index[d] = 0;
    }
}

/* Blocks at the upper ends of axes have fewer points, and obstacles have no value. */
static void finish_means(const struct collection *all, struct cells *cells) {
    const double whole = points_of_block(all, cells);
    const int64_t count = count_values(cells);
    for (int64_t cell = 0; cell < count; cell++) {
        int64_t points = 1;
        for (int d = 0; d < AXES; d++)
            if (cells->strides[d] > 0)
                points *= points_in(
                    cell / cells->strides[d] % cells->counts[d], all->block, all->extents[d]);
        if (cells->obstacles != NULL) points -= cells->obstacles[cell];
        cells->values[cell] *= points > 0 ? whole / (double)points : (double)NAN;
    }
}

void finish_cells(struct collection *all) {
    for (int k = 0; k < all->n_cells; k++) {
        struct cells *const cells = &all->cells[k];
        if (cells->fold == MEAN) finish_means(all, cells);
        /* No point but obstacles left the first value there. */
        for (int64_t i = 0; cells->fold == GREATEST && i < count_values(cells); i++)
            if (cells->values[i] == -HUGE_VAL) cells->values[i] = (double)NAN;
    }
}
