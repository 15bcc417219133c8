/* SPDX-License-Identifier: BSD-2-Clause */
/* canvas.c - see canvas.h; compiled only with Cairo. */
#include "config.h"

#include "format/canvas.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

enum {
    BAR_GAP = 24,
    BAR_WIDTH = 20,
    BAR_COLOURS = 256,
    TICK = 5,
    TICK_DISTANCE = 70,
};

double to_x(const struct axes *axes, double value) {
    return axes->x + axes->width * ((value - axes->left) / (axes->right - axes->left));
}

double to_y(const struct axes *axes, double value) {
    return axes->y + axes->height * ((axes->top - value) / (axes->top - axes->bottom));
}

void draw_text(cairo_t *cr, const char *text, double x, double y, double across, double down) {
    cairo_text_extents_t extents;
    cairo_font_extents_t font;
    cairo_text_extents(cr, text, &extents);
    cairo_font_extents(cr, &font);
    cairo_move_to(
        cr, x - across * extents.x_advance, y + font.ascent - down * (font.ascent + font.descent));
    cairo_show_text(cr, text);
}

/* Draw the value with the digits that distinguish it from value + step. */
static void draw_number(
    cairo_t *cr, double value, double step, double x, double y, double across, double down) {
    char text[32];
    if (fabs(value) <= 1e-6 * step) value = 0;
    const double digits = value == 0 ? 1 : ceil(log10(fabs(value) / step)) + 1;
    snprintf(text, sizeof text, "%.*g", (int)fmin(fmax(digits, 6), 12), value);
    draw_text(cr, text, x, y, across, down);
}

/* 1, 2 or 5 times a power of ten, so that ticks over range are about TICK_DISTANCE pixels apart. */
static double tick_step(double range, double pixels) {
    const double least = range / fmax(1, pixels / TICK_DISTANCE),
                 power = pow(10, floor(log10(least)));
    return power * (least <= power ? 1 : least <= 2 * power ? 2 : least <= 5 * power ? 5 : 10);
}

void draw_axes(cairo_t *cr, const struct axes *axes, const char *x_name, const char *y_name,
    int whole_x, int whole_y) {
    double step = tick_step(axes->right - axes->left, axes->width);
    cairo_set_source_rgb(cr, 0.15, 0.15, 0.15);
    cairo_set_line_width(cr, 1);
    cairo_rectangle(cr, axes->x - 0.5, axes->y - 0.5, axes->width + 1, axes->height + 1);
    if (whole_x) step = fmax(step, 1);
    for (double i = ceil(axes->left / step); i * step <= axes->right; i++) {
        const double x = round(to_x(axes, i * step)) + 0.5, y = axes->y + axes->height + 1;
        cairo_move_to(cr, x, y);
        cairo_line_to(cr, x, y + TICK);
        draw_number(cr, i * step, step, x, y + TICK + 3, 0.5, 0);
    }
    step = tick_step(axes->top - axes->bottom, axes->height);
    if (whole_y) step = fmax(step, 1);
    for (double i = ceil(axes->bottom / step); i * step <= axes->top; i++) {
        const double x = axes->x - 1, y = round(to_y(axes, i * step)) + 0.5;
        cairo_move_to(cr, x, y);
        cairo_line_to(cr, x - TICK, y);
        draw_number(cr, i * step, step, x - TICK - 4, y, 1, 0.5);
    }
    cairo_stroke(cr);
    draw_text(cr, x_name, axes->x + axes->width / 2, axes->y + axes->height + 34, 0.5, 0);
    draw_text(cr, y_name, axes->x - 62, axes->y + axes->height / 2, 1, 0.5);
}

/* viridis by Nathaniel Smith, Stefan van der Walt and Eric Firing (CC0), every 16th colour of its
 * 256. */
uint32_t colour(double value) {
    static const unsigned char anchors[][3] = {
        {68, 1, 84},
        {72, 24, 106},
        {71, 45, 123},
        {66, 64, 134},
        {59, 82, 139},
        {51, 99, 141},
        {44, 114, 142},
        {38, 129, 142},
        {33, 144, 140},
        {31, 159, 136},
        {40, 174, 128},
        {62, 188, 116},
        {93, 201, 99},
        {130, 211, 76},
        {171, 220, 50},
        {213, 226, 26},
        {253, 231, 37},
    };
    const int last = (int)(sizeof anchors / sizeof anchors[0]) - 1;
    const double place = fmin(fmax(value, 0), 1) * last;
    const int i = place < last ? (int)place : last - 1;
    uint32_t rgb = 0;
    for (int c = 0; c < 3; c++)
        rgb = rgb << 8 |
              (uint32_t)lround(anchors[i][c] + (place - i) * (anchors[i + 1][c] - anchors[i][c]));
    return rgb;
}

/* It is computed from halves because the difference of two doubles may overflow. */
double fraction(double value, double least, double greatest) {
    if (isnan(value)) return value;
    return least < greatest ? (value / 2 - least / 2) / (greatest / 2 - least / 2) : 0.5;
}

void draw_colours(cairo_t *cr, const struct axes *axes, int columns, int rows,
    double (*value)(int64_t, const void *), const void *data) {
    cairo_surface_t *const image = cairo_image_surface_create(CAIRO_FORMAT_RGB24, columns, rows);
    if (cairo_surface_status(image) == CAIRO_STATUS_SUCCESS) {
        unsigned char *const bytes = cairo_image_surface_get_data(image);
        const int stride = cairo_image_surface_get_stride(image);
        for (int row = 0; row < rows; row++)
            for (int column = 0; column < columns; column++) {
                const double place = value((int64_t)row * columns + column, data);
                const uint32_t rgb = isnan(place) ? OBSTACLE_COLOUR : colour(place);
                memcpy(bytes + (rows - 1 - row) * (ptrdiff_t)stride + 4 * (ptrdiff_t)column, &rgb,
                    sizeof rgb);
            }
        cairo_surface_mark_dirty(image);
    }
    cairo_save(cr);
    cairo_translate(cr, axes->x, axes->y);
    cairo_scale(cr, axes->width / columns, axes->height / rows);
    cairo_set_source_surface(cr, image, 0, 0);
    cairo_pattern_set_filter(cairo_get_source(cr), CAIRO_FILTER_NEAREST);
    cairo_paint(cr);
    cairo_restore(cr);
    cairo_surface_destroy(image); /* a failed image leaves its status in cr */
}

static double bar_value(int64_t cell, const void *data) {
    (void)data;
    return (double)cell / (BAR_COLOURS - 1);
}

void draw_scale(cairo_t *cr, const struct axes *beside, double least, double greatest) {
    const struct axes bar = {
        .x = beside->x + beside->width + BAR_GAP,
        .y = beside->y,
        .width = BAR_WIDTH,
        .height = fmax(beside->height, BAR_LEAST),
    };
    const double right = bar.x + bar.width + TICK, step = greatest / 100 - least / 100;
    draw_colours(cr, &bar, 1, BAR_COLOURS, bar_value, NULL);
    cairo_rectangle(cr, bar.x - 0.5, bar.y - 0.5, bar.width + 1, bar.height + 1);
    cairo_stroke(cr);
    draw_number(cr, greatest, step, right, bar.y, 0, 0);
    draw_number(cr, least / 2 + greatest / 2, step, right, bar.y + bar.height / 2, 0, 0.5);
    draw_number(cr, least, step, right, bar.y + bar.height, 0, 1);
}
