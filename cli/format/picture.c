/* SPDX-License-Identifier: BSD-2-Clause */
/* picture.c - .png through Cairo and libpng: one component of a 2-D problem as an image, anything
 * else as a curve.
 *
 * The state streams by and is never held: square blocks of points become one cell each, as few
 * cells as fit into MAX_CELLS a side. An image shows the block's mean; a curve runs through the
 * block's least and greatest value, so that no spike is lost. */
#include "config.h"

#include "format/picture.h"
#include "format/format.h"
#include "shared/facts.h"
#include "shared/message.h"

#include <cairo.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAX_CELLS = 2000,
    SMALL_IMAGE = 600, /* pixels that a small grid is enlarged to */
    CURVE_WIDTH = 900,
    CURVE_HEIGHT = 480,
    FEW_POINTS = 60, /* a curve with dots */
    LEFT = 100,
    TOP = 50,
    BOTTOM = 64,
    RIGHT = 30,
    BAR_GAP = 24,
    BAR_WIDTH = 20,
    BAR_RIGHT = 110,
    /* the least length of the bar, which else is the height of the image: room for three numbers */
    BAR_LEAST = 54,
    TITLE_WIDTH = 560, /* room for a title above a narrow image */
    TICK = 5,
    TICK_DISTANCE = 70,
    FONT = 13,
    TITLE_FONT = 16,
};

struct picture {
    int curve;
    int64_t nx, ny, stride; /* points of a row; rows; reals from point to point */
    int64_t block, columns, rows;
    int64_t ix, iy; /* the next point */
    /* A problem with obstacles: the marks of all points, and how many obstacles each cell of an
     * image has; else NULL. They stand behind the cells. */
    unsigned char *marks;
    int32_t *obstacles;
    double cells[]; /* image: the mean; curve: the least and the greatest value */
};

/* ---- collecting ---- */

int begin_picture(struct output *output) {
    const eulercl_problem_info *const info = output->layout->info;
    const int64_t nx = info->extents[0], ny = info->n / info->components / nx;
    const int64_t block = ((nx > ny ? nx : ny) - 1) / MAX_CELLS + 1;
    const int64_t columns = (nx - 1) / block + 1, rows = (ny - 1) / block + 1;
    const int curve = is_line(info);
    const struct origin *const origin = output->layout->origin;
    const size_t cells = (size_t)(columns * rows) * (curve ? 2 : 1),
                 marked = info->has_marks && !curve && origin != NULL ? (size_t)(nx * ny) : 0;
    struct picture *const picture = output->data = malloc(
        sizeof *picture +
        cells * (sizeof picture->cells[0] + (marked ? sizeof *picture->obstacles : 0)) + marked);
    if (picture == NULL)
        return fail(EULERCL_MEMORY, "no memory for the picture %s", output->file.path);
    *picture = (struct picture){
        .curve = curve,
        .nx = nx,
        .ny = ny,
        .stride = info->components,
        .block = block,
        .columns = columns,
        .rows = rows,
    };
    if (!marked) return EULERCL_OK;
    eulercl_error error;
    picture->obstacles = (int32_t *)(picture->cells + cells);
    picture->marks = (unsigned char *)(picture->obstacles + cells);
    return eulercl_problem_marks(origin->problem, output->layout->precision, picture->marks, &error)
               ? fail_library(&error)
               : EULERCL_OK;
}

int begin_picture_state(struct output *output) {
    struct picture *const p = output->data;
    for (int64_t i = 0; i < p->columns * p->rows * (p->curve ? 2 : 1); i++)
        p->cells[i] = !p->curve ? 0 : i % 2 == 0 ? HUGE_VAL : -HUGE_VAL;
    for (int64_t i = 0; p->obstacles != NULL && i < p->columns * p->rows; i++) p->obstacles[i] = 0;
    p->ix = p->iy = 0;
    return EULERCL_OK;
}

int add_to_picture(struct output *output, int64_t first, int64_t count, const void *y) {
    struct picture *const p = output->data;
    /* Blocks at the right and upper edge have fewer points: see finish_means. Values are weighted
     * before they are added, so no sum can overflow. */
    const double weight = 1 / ((double)p->block * (double)p->block);
    const int64_t at = first % p->stride, component = output->layout->component;
    for (int64_t i = component >= at ? component - at : component - at + p->stride; i < count;
         i += p->stride) {
        const double value = output->layout->precision == EULERCL_DOUBLE
                                 ? ((const double *)y)[i]
                                 : (double)((const float *)y)[i];
        if (p->curve) {
            double *const cell = &p->cells[2 * (p->ix / p->block)];
            cell[0] = fmin(cell[0], value);
            cell[1] = fmax(cell[1], value);
        } else {
            const int64_t cell = p->iy / p->block * p->columns + p->ix / p->block;
            if (p->marks != NULL && p->marks[p->iy * p->nx + p->ix] == EULERCL_OBSTACLE)
                p->obstacles[cell]++;
            else
                p->cells[cell] += weight * value;
        }
        if (++p->ix == p->nx) {
            p->ix = 0;
            p->iy++;
        }
    }
    return EULERCL_OK;
}

static int64_t points_in(int64_t cell, int64_t block, int64_t points) {
    const int64_t left = points - cell * block;
    return left < block ? left : block;
}

/* A cell of obstacles alone becomes NaN. */
static void finish_means(struct picture *p) {
    for (int64_t row = 0; row < p->rows; row++)
        for (int64_t column = 0; column < p->columns; column++) {
            const int64_t cell = row * p->columns + column,
                          points =
                              points_in(column, p->block, p->nx) * points_in(row, p->block, p->ny) -
                              (p->obstacles != NULL ? p->obstacles[cell] : 0);
            p->cells[cell] *=
                points > 0 ? (double)p->block * (double)p->block / (double)points : (double)NAN;
        }
}

/* ---- drawing ---- */

/* A rectangle of pixels and the numbers at its edges. */
struct axes {
    double x, y, width, height; /* the upper left corner */
    double left, right, bottom, top;
};

static double to_x(const struct axes *axes, double value) {
    return axes->x + axes->width * ((value - axes->left) / (axes->right - axes->left));
}

static double to_y(const struct axes *axes, double value) {
    return axes->y + axes->height * ((axes->top - value) / (axes->top - axes->bottom));
}

/* Text whose point (across, down) of its box, each 0 .. 1, lies at (x, y). */
static void draw_text(
    cairo_t *cr, const char *text, double x, double y, double across, double down) {
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

/* whole: ticks at whole numbers only (indices). */
static void draw_axes(cairo_t *cr, const struct axes *axes, const char *x_name, const char *y_name,
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
static uint32_t colour(double value) {
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

/* The position of value between least and greatest, computed from halves because the difference of
 * two doubles may overflow. */
static double fraction(double value, double least, double greatest) {
    if (isnan(value)) return value;
    return least < greatest ? (value / 2 - least / 2) / (greatest / 2 - least / 2) : 0.5;
}

enum { OBSTACLE_COLOUR = 0x9a9a9a };

/* An image of columns x rows colours, enlarged to the rectangle, row 0 at the bottom. A value that
 * is NaN is that of an obstacle. */
static void draw_colours(cairo_t *cr, const struct axes *axes, int columns, int rows,
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

struct field {
    const struct picture *picture;
    double least, greatest;
};

static double field_value(int64_t cell, const void *data) {
    const struct field *const field = data;
    return fraction(field->picture->cells[cell], field->least, field->greatest);
}

enum { BAR_COLOURS = 256 };

static double bar_value(int64_t cell, const void *data) {
    (void)data;
    return (double)cell / (BAR_COLOURS - 1);
}

static void draw_image(
    cairo_t *cr, const struct picture *p, const struct axes *axes, const struct layout *layout) {
    struct field field = {p, HUGE_VAL, -HUGE_VAL};
    for (int64_t i = 0; i < p->columns * p->rows; i++) {
        field.least = fmin(field.least, p->cells[i]);
        field.greatest = fmax(field.greatest, p->cells[i]);
    }
    if (layout->least < layout->greatest) {
        field.least = layout->least;
        field.greatest = layout->greatest;
    }
    draw_colours(cr, axes, (int)p->columns, (int)p->rows, field_value, &field);
    draw_axes(cr, axes, "x", "y", 1, 1);

    const struct axes bar = {
        .x = axes->x + axes->width + BAR_GAP,
        .y = axes->y,
        .width = BAR_WIDTH,
        .height = fmax(axes->height, BAR_LEAST),
    };
    const double right = bar.x + bar.width + TICK, step = field.greatest / 100 - field.least / 100;
    draw_colours(cr, &bar, 1, BAR_COLOURS, bar_value, NULL);
    cairo_rectangle(cr, bar.x - 0.5, bar.y - 0.5, bar.width + 1, bar.height + 1);
    cairo_stroke(cr);
    draw_number(cr, field.greatest, step, right, bar.y, 0, 0);
    draw_number(
        cr, field.least / 2 + field.greatest / 2, step, right, bar.y + bar.height / 2, 0, 0.5);
    draw_number(cr, field.least, step, right, bar.y + bar.height, 0, 1);
}

static void draw_curve(
    cairo_t *cr, const struct picture *p, struct axes *axes, const struct layout *layout) {
    double least = HUGE_VAL, greatest = -HUGE_VAL;
    for (int64_t i = 0; i < p->columns; i++) {
        least = fmin(least, p->cells[2 * i]);
        greatest = fmax(greatest, p->cells[2 * i + 1]);
    }
    /* Room above and below; a constant gets a range of its own size. */
    const double range = greatest - least,
                 room = range > 1e-14 * fabs(greatest) ? 0.05 * range : fmax(fabs(greatest), 1) / 2;
    const int given = layout->least < layout->greatest;
    axes->bottom = given ? layout->least : least - room;
    axes->top = given ? layout->greatest : greatest + room;
    draw_axes(cr, axes, layout->info->boundary != NULL ? "point" : "component", "y", 1, 0);
    cairo_save(cr);
    cairo_new_path(cr); /* not from the end of the last text */
    cairo_rectangle(cr, axes->x, axes->y, axes->width, axes->height);
    cairo_clip(cr); /* parts outside a given range */

    const uint32_t rgb = colour(0.25);
    cairo_set_source_rgb(cr, (rgb >> 16) / 255.0, (rgb >> 8 & 255) / 255.0, (rgb & 255) / 255.0);
    cairo_set_line_width(cr, 1.5);
    cairo_set_line_join(cr, CAIRO_LINE_JOIN_ROUND);
    for (int64_t i = 0; i < p->columns; i++) {
        const double x =
            to_x(axes, (double)(i * p->block) + 0.5 * (double)(points_in(i, p->block, p->nx) - 1));
        cairo_line_to(cr, x, to_y(axes, p->cells[2 * i]));
        cairo_line_to(cr, x, to_y(axes, p->cells[2 * i + 1]));
    }
    cairo_stroke(cr);
    for (int64_t i = 0; i < p->columns && p->columns <= FEW_POINTS; i++) {
        cairo_arc(cr, to_x(axes, (double)i), to_y(axes, p->cells[2 * i]), 3, 0, 2 * acos(-1));
        cairo_fill(cr);
    }
    cairo_restore(cr);
}

static void describe(
    char *title, size_t size, const struct picture *p, const struct layout *layout, double t) {
    const eulercl_problem_info *const info = layout->info;
    int length = snprintf(title, size, "%.64s, ", info->name);
    if (info->boundary != NULL)
        length += snprintf(
            title + length, size - (size_t)length, "component %" PRId64 ", ", layout->component);
    length += snprintf(title + length, size - (size_t)length, "t = %.6g, ", t);
    if (p->curve)
        length += snprintf(title + length, size - (size_t)length, "%" PRId64 " %s", p->nx,
            info->boundary != NULL ? "points" : "components");
    else
        length += snprintf(title + length, size - (size_t)length,
            "%" PRId64 " x %" PRId64 " points", p->nx, p->ny);
    if (!p->curve && p->block > 1)
        snprintf(title + length, size - (size_t)length, " (means of %" PRId64 " x %" PRId64 ")",
            p->block, p->block);
}

/* ---- writing: by libpng, since Cairo writes no text beside the pixels ---- */

static void png_fails(png_structp png, png_const_charp message) {
    fail(EULERCL_FILE, "cannot write %s: %s%s%s", (const char *)png_get_error_ptr(png), message,
        errno ? ": " : "", errno ? strerror(errno) : "");
    png_longjmp(png, 1);
}

static void png_warns(png_structp png, png_const_charp message) {
    (void)png;
    (void)message;
}

static int is_ascii(const char *text) {
    while (*text != '\0' && (unsigned char)*text < 0x80) text++;
    return *text == '\0';
}

/* A fact becomes a chunk of text: tEXt, or iTXt if it is not plain ASCII. Its key has at most 79
 * characters. */
static void put_facts(png_structp png, png_infop info, const struct facts *facts) {
    for (size_t i = 0; i < facts->count; i++) {
        const struct fact *const fact = &facts->list[i];
        char key[80], buffer[32];
        if (fact->kind == FACT_NONE) continue;
        const char *const text = fact_text(fact, buffer);
        snprintf(key, sizeof key, "%s%s", fact->is_parameter ? "parameter " : "", fact->name);
        png_text chunk = {
            .compression = is_ascii(text) ? PNG_TEXT_COMPRESSION_NONE : PNG_ITXT_COMPRESSION_NONE,
            .key = key,
            .text = (char *)text};
        png_set_text(png, info, &chunk, 1);
    }
}

/* A variable that changes after setjmp must not belong to the function that calls setjmp. */
static void put_pixels(png_structp png, png_infop info, cairo_surface_t *surface,
    unsigned char *row, const struct facts *facts) {
    const int width = cairo_image_surface_get_width(surface),
              height = cairo_image_surface_get_height(surface);
    const unsigned char *pixels = cairo_image_surface_get_data(surface);
    png_set_IHDR(png, info, (png_uint_32)width, (png_uint_32)height, 8, PNG_COLOR_TYPE_RGB,
        PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    if (facts != NULL) put_facts(png, info, facts);
    png_write_info(png, info);
    for (int y = 0; y < height; y++, pixels += cairo_image_surface_get_stride(surface)) {
        for (int x = 0; x < width; x++) {
            uint32_t rgb;
            memcpy(&rgb, pixels + 4 * (ptrdiff_t)x, sizeof rgb);
            for (int c = 0; c < 3; c++) row[3 * x + c] = (unsigned char)(rgb >> (16 - 8 * c));
        }
        png_write_row(png, row);
    }
    png_write_end(png, info);
}

static int write_png(
    const struct output *output, cairo_surface_t *surface, FILE *file, const struct facts *facts) {
    unsigned char *const row = malloc(3 * (size_t)cairo_image_surface_get_width(surface));
    png_structp png = png_create_write_struct(
        PNG_LIBPNG_VER_STRING, (void *)output->file.path, png_fails, png_warns);
    png_infop info = png == NULL ? NULL : png_create_info_struct(png);
    volatile int status = EULERCL_FILE;
    errno = 0;
    if (row == NULL || info == NULL) {
        status = fail(EULERCL_MEMORY, "no memory for the picture %s", output->file.path);
    } else if (setjmp(png_jmpbuf(png)) == 0) {
        png_init_io(png, file);
        put_pixels(png, info, surface, row, facts);
        status = EULERCL_OK;
    }
    png_destroy_write_struct(&png, &info);
    free(row);
    return status;
}

/* ---- the whole ---- */

int draw_picture(struct output *output, double t, FILE *file, const struct facts *facts) {
    struct picture *const p = output->data;
    const int64_t longest = p->columns > p->rows ? p->columns : p->rows;
    const double zoom = (double)(longest < SMALL_IMAGE ? SMALL_IMAGE / longest : 1);
    struct axes axes = {
        .x = LEFT,
        .y = TOP,
        .width = zoom * (double)p->columns,
        .height = zoom * (double)p->rows,
        .left = -0.5,
        .right = (double)(p->columns * p->block) - 0.5,
        .bottom = -0.5,
        .top = (double)(p->rows * p->block) - 0.5,
    };
    double width = axes.x + axes.width + BAR_GAP + BAR_WIDTH + BAR_RIGHT;
    double height = axes.y + fmax(axes.height, BAR_LEAST) + BOTTOM;
    if (p->curve) {
        axes.width = CURVE_WIDTH;
        axes.height = CURVE_HEIGHT;
        width = axes.x + axes.width + RIGHT;
        height = axes.y + axes.height + BOTTOM;
    }
    cairo_surface_t *const surface =
        cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)fmax(width, TITLE_WIDTH), (int)height);
    cairo_t *const cr = cairo_create(surface);
    char title[512];
    cairo_set_source_rgb(cr, 1, 1, 1);
    cairo_paint(cr);
    cairo_select_font_face(cr, "sans-serif", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_font_size(cr, TITLE_FONT);
    cairo_set_source_rgb(cr, 0, 0, 0);
    describe(title, sizeof title, p, output->layout, t);
    draw_text(cr, title, axes.x, TOP - 14, 0, 1);
    cairo_set_font_size(cr, FONT);
    if (p->curve) {
        draw_curve(cr, p, &axes, output->layout);
    } else {
        finish_means(p);
        draw_image(cr, p, &axes, output->layout);
    }
    const cairo_status_t drawn = cairo_status(cr);
    cairo_destroy(cr);
    cairo_surface_flush(surface);
    int status = drawn == CAIRO_STATUS_SUCCESS
                     ? EULERCL_OK
                     : fail(EULERCL_MEMORY, "cannot draw %s: %s", output->file.path,
                           cairo_status_to_string(drawn));
    if (!status) status = write_png(output, surface, file, facts);
    cairo_surface_destroy(surface);
    return status;
}

static int finish_picture(struct output *output, const struct facts *facts) {
    return draw_picture(output, facts->stats.t, output->file.stream, facts);
}

const struct output_format png_format = {
    .extension = ".png",
    .begin = begin_picture,
    .begin_state = begin_picture_state,
    .add = add_to_picture,
    .finish = finish_picture,
};
