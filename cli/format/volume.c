/* SPDX-License-Identifier: BSD-2-Clause */
/* volume.c - see volume.h; compiled only with Cairo.
 *
 * A ray goes from each pixel through the box, from the front to the back. At each sample the value
 * is interpolated between eight cells. It hides the more of what lies behind it the nearer it is to
 * the greatest value, and is brighter where its slope faces the eye. */
#include "config.h"

#include "format/volume.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    COLOURS = 256,
    SAMPLES = 400, /* along the longest edge */
    TEXT_GAP = 14,
};
/* How much the greatest value hides in a length of the longest edge, and an obstacle. */
static const double DENSITY = 150, OBSTACLE_DENSITY = 6;
/* Smaller values are not seen; a ray ends where less than this is left to see. */
static const double TRANSPARENT = 0.05, HIDDEN = 0.003;
/* Axes of the picture in the box: to the right, upwards, and towards the eye, which is 30 degrees
 * above the plane of x and y and turned by 60 degrees from x. */
static const double RIGHT[AXES] = {0.86602540378443865, 0.5, 0},
                    UP[AXES] = {-0.25, 0.43301270189221933, 0.86602540378443865},
                    TO_EYE[AXES] = {0.43301270189221933, -0.75, 0.5};

/* What a ray meets. */
struct box {
    const struct cells *cells;
    double longest, step;           /* longest edge and distance of samples, in cells */
    double colours[COLOURS + 1][3]; /* of values from 0 to 1 */
};

static double dot(const double a[AXES], const double b[AXES]) {
    double sum = 0;
    for (int d = 0; d < AXES; d++) sum += a[d] * b[d];
    return sum;
}

/* ---- values ---- */

static double nearest(const struct cells *cells, const double at[AXES]) {
    int64_t cell = 0;
    for (int d = 0; d < AXES; d++) {
        const double place = fmin(fmax(at[d] + 0.5, 0), (double)cells->counts[d] - 1);
        cell += (int64_t)place * cells->strides[d];
    }
    return cells->values[cell];
}

/* The value between eight cells; that of the nearest one where some of them are obstacles. */
static double value_at(const struct cells *cells, const double at[AXES]) {
    double between[1 << AXES], part[AXES];
    int64_t first = 0, more[AXES];
    for (int d = 0; d < AXES; d++) {
        const double place = fmin(fmax(at[d], 0), (double)cells->counts[d] - 1);
        const int64_t index = (int64_t)place;
        part[d] = place - (double)index;
        more[d] = index + 1 < cells->counts[d] ? cells->strides[d] : 0;
        first += index * cells->strides[d];
    }
    for (int k = 0; k < 1 << AXES; k++)
        between[k] =
            cells->values[first + (k & 1) * more[0] + (k >> 1 & 1) * more[1] + (k >> 2) * more[2]];
    for (int d = AXES; d-- > 0;)
        for (int k = 0; k < 1 << d; k++)
            between[k] += part[d] * (between[k + (1 << d)] - between[k]);
    return isnan(between[0]) ? nearest(cells, at) : between[0];
}

/* From 0 to 1, how much the surface of equal values faces the eye; 1 where there is none. */
static double facing(const struct cells *cells, const double at[AXES], double longest) {
    double slope[AXES];
    for (int d = 0; d < AXES; d++) {
        double there[2][AXES];
        for (int side = 0; side < 2; side++) {
            memcpy(there[side], at, sizeof there[side]);
            there[side][d] += side ? 0.7 : -0.7;
        }
        slope[d] = value_at(cells, there[1]) - value_at(cells, there[0]);
        if (isnan(slope[d])) return 1;
    }
    /* A change of a tenth of the range in a length of a twentieth of the box is a surface. */
    const double length = sqrt(dot(slope, slope)), clear = fmin(length * longest / 2, 1);
    return length > 0 ? 1 - clear * (1 - fabs(dot(slope, TO_EYE)) / length) : 1;
}

/* ---- rays ---- */

/* Where the ray of a pixel is in the box, by its distance from the middle plane. 0: nowhere. */
static int enter(const struct cells *cells, const double from[AXES], double *near, double *far) {
    *near = HUGE_VAL;
    *far = -HUGE_VAL;
    for (int d = 0; d < AXES; d++) {
        const double low = (-0.5 - from[d]) / TO_EYE[d],
                     high = ((double)cells->counts[d] - 0.5 - from[d]) / TO_EYE[d];
        *near = fmin(*near, fmax(low, high));
        *far = fmax(*far, fmin(low, high));
    }
    return *near > *far;
}

/* What is seen of the box through a pixel: red, green and blue, weighted, and how much they hide.
 */
static void follow(const struct box *box, const double from[AXES], double seen[4]) {
    double near, far, left = 1;
    memset(seen, 0, 4 * sizeof *seen);
    if (!enter(box->cells, from, &near, &far)) return;
    for (double s = near - box->step / 2; s > far && left > HIDDEN; s -= box->step) {
        double at[AXES];
        for (int d = 0; d < AXES; d++) at[d] = from[d] + s * TO_EYE[d];
        const double value = value_at(box->cells, at);
        if (value < TRANSPARENT) continue;
        const int is_obstacle = isnan(value);
        const double thickness =
            (is_obstacle ? OBSTACLE_DENSITY : DENSITY * value * value * value) * box->step /
            box->longest;
        const double hides = left * thickness / (1 + thickness);
        const double light = is_obstacle ? 1 : 0.4 + 0.6 * facing(box->cells, at, box->longest);
        const double *const rgb =
            box->colours[is_obstacle ? COLOURS : (int)(value * (COLOURS - 1))];
        for (int c = 0; c < 3; c++) seen[c] += hides * light * rgb[c];
        left -= hides;
    }
    seen[3] = 1 - left;
}

static void fill_colours(struct box *box) {
    for (int i = 0; i <= COLOURS; i++) {
        const uint32_t rgb = i < COLOURS ? colour((double)i / (COLOURS - 1)) : OBSTACLE_COLOUR;
        for (int c = 0; c < 3; c++) box->colours[i][c] = rgb >> (16 - 8 * c) & 255;
    }
}

static void draw_cloud(cairo_t *cr, const struct sight *sight, const struct box *box) {
    double width, height;
    measure_box(box->cells, &width, &height);
    const int columns = (int)(width * sight->zoom) + 1, rows = (int)(height * sight->zoom) + 1;
    const double left = round(sight->x - columns / 2.0), top = round(sight->y - rows / 2.0);
    cairo_surface_t *const image = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, columns, rows);
    unsigned char *const bytes = cairo_image_surface_get_data(image);
    const int stride = cairo_image_surface_get_stride(image);
    for (int row = 0; row < rows && bytes != NULL; row++)
        for (int column = 0; column < columns; column++) {
            const double across = (left + column + 0.5 - sight->x) / sight->zoom,
                         up = (sight->y - top - row - 0.5) / sight->zoom;
            double from[AXES], seen[4];
            for (int d = 0; d < AXES; d++)
                from[d] = sight->middle[d] + across * RIGHT[d] + up * UP[d];
            follow(box, from, seen);
            uint32_t pixel = (uint32_t)(255 * seen[3] + 0.5);
            for (int c = 0; c < 3; c++) pixel = pixel << 8 | (uint32_t)(seen[c] + 0.5);
            memcpy(bytes + row * (ptrdiff_t)stride + 4 * (ptrdiff_t)column, &pixel, sizeof pixel);
        }
    cairo_surface_mark_dirty(image);
    cairo_set_source_surface(cr, image, left, top);
    cairo_paint(cr);
    cairo_surface_destroy(image); /* a failed image leaves its status in cr */
}

/* ---- the box ---- */

void measure_box(const struct cells *cells, double *width, double *height) {
    *width = *height = 0;
    for (int d = 0; d < AXES; d++) {
        *width += (double)cells->counts[d] * fabs(RIGHT[d]);
        *height += (double)cells->counts[d] * fabs(UP[d]);
    }
}

/* The pixel of a corner; bit d of its number says whether it is at the upper end of axis d. */
static void corner(
    const struct sight *sight, const struct cells *cells, int number, double *x, double *y) {
    double from_middle[AXES];
    for (int d = 0; d < AXES; d++)
        from_middle[d] =
            (number >> d & 1 ? (double)cells->counts[d] - 0.5 : -0.5) - sight->middle[d];
    *x = sight->x + sight->zoom * dot(from_middle, RIGHT);
    *y = sight->y - sight->zoom * dot(from_middle, UP);
}

/* Draw the edges behind the box, or those in front of it. */
static void draw_edges(
    cairo_t *cr, const struct sight *sight, const struct cells *cells, int behind) {
    const int farthest = 2; /* the corner that is only at the upper end of y */
    for (int from = 0; from < 1 << AXES; from++)
        for (int d = 0; d < AXES; d++) {
            const int to = from | 1 << d;
            double x, y;
            if (to == from || (from == farthest || to == farthest) != behind) continue;
            corner(sight, cells, from, &x, &y);
            cairo_move_to(cr, x, y);
            corner(sight, cells, to, &x, &y);
            cairo_line_to(cr, x, y);
        }
    const double grey = behind ? 0.75 : 0.35;
    cairo_set_source_rgb(cr, grey, grey, grey);
    cairo_set_line_width(cr, 1);
    cairo_stroke(cr);
}

/* Write the name of an axis at the middle of an edge, and the numbers of its last points. */
static void name_axis(cairo_t *cr, const struct sight *sight, const struct cells *cells, int from,
    int axis, int64_t extent, double across, double down) {
    const char name[] = {"xyz"[axis], '\0'};
    char last[32];
    double x[2], y[2];
    for (int end = 0; end < 2; end++) corner(sight, cells, from | end << axis, &x[end], &y[end]);
    const double out_x = (0.5 - across) * 2 * TEXT_GAP, out_y = (0.5 - down) * 2 * TEXT_GAP;
    snprintf(last, sizeof last, "%" PRId64, extent - 1);
    draw_text(cr, name, (x[0] + x[1]) / 2 + out_x, (y[0] + y[1]) / 2 + out_y, across, down);
    draw_text(cr, "0", x[0] + 0.1 * (x[1] - x[0]) + out_x, y[0] + 0.1 * (y[1] - y[0]) + out_y,
        across, down);
    draw_text(cr, last, x[1] - 0.1 * (x[1] - x[0]) + out_x, y[1] - 0.1 * (y[1] - y[0]) + out_y,
        across, down);
}

void draw_box(cairo_t *cr, const struct sight *sight, const struct cells *cells,
    const int64_t extents[AXES], double least, double greatest) {
    struct box box = {.cells = cells};
    const int64_t count = count_values(cells);
    for (int d = 0; d < AXES; d++) box.longest = fmax(box.longest, (double)cells->counts[d]);
    box.step = fmax(0.25, box.longest / SAMPLES);
    for (int64_t i = 0; i < count; i++)
        if (!isnan(cells->values[i]))
            cells->values[i] = fmin(fmax(fraction(cells->values[i], least, greatest), 0), 1);
    fill_colours(&box);
    draw_edges(cr, sight, cells, 1);
    draw_cloud(cr, sight, &box);
    draw_edges(cr, sight, cells, 0);
    cairo_set_source_rgb(cr, 0.15, 0.15, 0.15);
    name_axis(cr, sight, cells, 0, 0, extents[0], 0.7, -0.1);
    name_axis(cr, sight, cells, 1, 1, extents[1], 0, 0.3);
    name_axis(cr, sight, cells, 0, 2, extents[2], 1, 0.5);
}
