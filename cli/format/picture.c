/* SPDX-License-Identifier: BSD-2-Clause */
/* picture.c - .png through Cairo and libpng: one component of a state as a curve, an image, images
 * of planes, or a cloud.
 *
 * The state streams by and is never held, only as few cells of it as the picture shows (cells.h).
 * An image shows the block's mean; a curve runs through the block's least and greatest value, so
 * that no spike is lost. */
#include "config.h"

#include "format/picture.h"
#include "format/canvas.h"
#include "format/cells.h"
#include "format/format.h"
#include "format/pixels.h"
#include "format/volume.h"
#include "shared/facts.h"
#include "shared/message.h"

#include <cairo.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_CELLS = 2000, /* along an axis of an image or a curve */
    MOST_OF_SLICE = 800,
    MOST_OF_VOLUME = 200,
    SMALL_IMAGE = 600, /* pixels that a small grid is enlarged to */
    SMALL_SLICE = 360,
    VOLUME_IMAGE = 560, /* pixels of the longer side of a cloud */
    CURVE_WIDTH = 900,
    CURVE_HEIGHT = 480,
    FEW_POINTS = 60, /* a curve with dots */
    LEFT = 100,
    TOP = 50,
    SLICE_TITLE = 26, /* room for the titles of slices */
    SLICE_GAP = 116,
    BOTTOM = 64,
    RIGHT = 30,
    /* room for a title above a narrow image, or above one of three axes */
    TITLE_WIDTH = 560,
    LONG_TITLE_WIDTH = 820,
    TITLE_RIGHT = 10,
    FONT = 13,
    TITLE_FONT = 16,
};

/* The axes of a plane, and the one that it cuts. */
struct plane {
    int across, up, through;
};
static const struct plane planes[] = {{0, 1, 2}, {0, 2, 1}, {1, 2, 0}};
static const char *const axis_names[AXES] = {"x", "y", "z"};

/* What a picture shows. */
enum kind { CURVE, IMAGE, SLICES, PROJECTION, VOLUME };

struct picture {
    enum kind kind;
    struct collection all;
    double values[];
};

/* ---- collecting ---- */

static enum kind kind_of_picture(const struct layout *layout) {
    if (is_line(layout->info)) return CURVE;
    if (!is_box(layout->info)) return IMAGE;
    return layout->view == VIEW_MAX ? PROJECTION : layout->view == VIEW_VOLUME ? VOLUME : SLICES;
}

/* Cells along some axes of the grid, one bit each. */
static struct cells choose_cells(const struct collection *all, enum fold fold, int along) {
    struct cells cells = {.fold = fold};
    int64_t stride = 1;
    for (int d = 0; d < AXES; d++) {
        const int is_along = along >> d & 1;
        cells.at[d] = -1;
        cells.counts[d] = is_along ? (all->extents[d] - 1) / all->block + 1 : 1;
        cells.strides[d] = is_along ? stride : 0;
        stride *= cells.counts[d];
    }
    return cells;
}

static struct cells choose_plane(const struct collection *all, enum fold fold, int number) {
    const struct plane *const plane = &planes[number];
    struct cells cells = choose_cells(all, fold, 1 << plane->across | 1 << plane->up);
    if (fold == MEAN) cells.at[plane->through] = all->extents[plane->through] / 2;
    return cells;
}

static struct collection choose_all(const eulercl_problem_info *info, enum kind kind) {
    struct collection all = {.stride = info->components, .n_cells = kind == SLICES ? AXES : 1};
    const int64_t most = kind == VOLUME   ? MOST_OF_VOLUME
                         : kind == SLICES ? MOST_OF_SLICE
                                          : MOST_CELLS;
    int64_t longest = 1;
    for (int d = 0; d < AXES; d++) {
        all.extents[d] = info->extents[d];
        if (longest < info->extents[d]) longest = info->extents[d];
    }
    all.block = (longest - 1) / most + 1;
    for (int k = 0; k < all.n_cells; k++)
        all.cells[k] = kind == CURVE        ? choose_cells(&all, LEAST_AND_GREATEST, 1)
                       : kind == VOLUME     ? choose_cells(&all, MEAN, (1 << AXES) - 1)
                       : kind == PROJECTION ? choose_plane(&all, GREATEST, 0)
                                            : choose_plane(&all, MEAN, k);
    return all;
}

int begin_picture(struct output *output) {
    const eulercl_problem_info *const info = output->layout->info;
    const struct origin *const origin = output->layout->origin;
    const enum kind kind = kind_of_picture(output->layout);
    struct collection all = choose_all(info, kind);
    size_t values = 0;
    for (int k = 0; k < all.n_cells; k++) values += (size_t)count_values(&all.cells[k]);
    const size_t marked = info->has_marks && kind != CURVE && origin != NULL
                              ? (size_t)(info->n / info->components)
                              : 0;
    struct picture *const picture = output->data =
        malloc(sizeof *picture + marked +
               values * (sizeof picture->values[0] + (marked ? sizeof(int32_t) : 0)));
    if (picture == NULL)
        return fail(EULERCL_MEMORY, "no memory for the picture %s", output->file.path);
    double *next = picture->values;
    int32_t *obstacles = (int32_t *)(picture->values + values);
    for (int k = 0; k < all.n_cells; k++) {
        const int64_t count = count_values(&all.cells[k]);
        all.cells[k].values = next;
        if (marked) all.cells[k].obstacles = obstacles;
        next += count;
        obstacles += count;
    }
    if (marked) all.marks = (unsigned char *)((int32_t *)(picture->values + values) + values);
    *picture = (struct picture){.kind = kind, .all = all};
    eulercl_error error;
    return marked && eulercl_problem_marks(
                         origin->problem, output->layout->precision, all.marks, &error)
               ? fail_library(&error)
               : EULERCL_OK;
}

int begin_picture_state(struct output *output) {
    begin_cells(&((struct picture *)output->data)->all);
    return EULERCL_OK;
}

int add_to_picture(struct output *output, int64_t first, int64_t count, const void *y) {
    add_to_cells(&((struct picture *)output->data)->all, output->layout, first, count, y);
    return EULERCL_OK;
}

/* ---- drawing ---- */

static void draw_curve(
    cairo_t *cr, const struct collection *p, struct axes *axes, const struct layout *layout) {
    const struct cells *const cells = &p->cells[0];
    double least = HUGE_VAL, greatest = -HUGE_VAL;
    for (int64_t i = 0; i < cells->counts[0]; i++) {
        least = fmin(least, cells->values[2 * i]);
        greatest = fmax(greatest, cells->values[2 * i + 1]);
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
    for (int64_t i = 0; i < cells->counts[0]; i++) {
        const double x = to_x(axes,
            (double)(i * p->block) + 0.5 * (double)(points_in(i, p->block, p->extents[0]) - 1));
        cairo_line_to(cr, x, to_y(axes, cells->values[2 * i]));
        cairo_line_to(cr, x, to_y(axes, cells->values[2 * i + 1]));
    }
    cairo_stroke(cr);
    for (int64_t i = 0; i < cells->counts[0] && cells->counts[0] <= FEW_POINTS; i++) {
        cairo_arc(cr, to_x(axes, (double)i), to_y(axes, cells->values[2 * i]), 3, 0, 2 * acos(-1));
        cairo_fill(cr);
    }
    cairo_restore(cr);
}

/* The ends of the scale: those given, or of all values. */
struct range {
    double least, greatest;
};

static struct range find_range(const struct collection *all, const struct layout *layout) {
    struct range range = {HUGE_VAL, -HUGE_VAL};
    for (int k = 0; k < all->n_cells; k++)
        for (int64_t i = 0; i < count_values(&all->cells[k]); i++) {
            range.least = fmin(range.least, all->cells[k].values[i]);
            range.greatest = fmax(range.greatest, all->cells[k].values[i]);
        }
    if (layout->least < layout->greatest) range = (struct range){layout->least, layout->greatest};
    return range;
}

struct field {
    const double *values;
    struct range range;
};

static double field_value(int64_t cell, const void *data) {
    const struct field *const field = data;
    return fraction(field->values[cell], field->range.least, field->range.greatest);
}

/* The rectangle of a plane whose upper left corner is given. */
static struct axes axes_of(
    const struct collection *all, int number, double zoom, double x, double y) {
    const struct cells *const cells = &all->cells[number];
    const int64_t columns = cells->counts[planes[number].across],
                  rows = cells->counts[planes[number].up];
    return (struct axes){
        .x = x,
        .y = y,
        .width = zoom * (double)columns,
        .height = zoom * (double)rows,
        .left = -0.5,
        .right = (double)(columns * all->block) - 0.5,
        .bottom = -0.5,
        .top = (double)(rows * all->block) - 0.5,
    };
}

static void draw_plane(
    cairo_t *cr, const struct picture *p, int number, const struct axes *axes, struct range range) {
    const struct cells *const cells = &p->all.cells[number];
    const struct plane *const plane = &planes[number];
    const struct field field = {cells->values, range};
    draw_colours(cr, axes, (int)cells->counts[plane->across], (int)cells->counts[plane->up],
        field_value, &field);
    draw_axes(cr, axes, axis_names[plane->across], axis_names[plane->up], 1, 1);
    if (p->kind != SLICES) return;
    char title[48];
    snprintf(title, sizeof title, "%s = %" PRId64, axis_names[plane->through],
        cells->at[plane->through]);
    draw_text(cr, title, axes->x + axes->width / 2, axes->y - 6, 0.5, 1);
}

/* The size of a picture, and where its parts are. */
struct plan {
    double width, height;
    struct axes axes[AXES]; /* of a cloud the rectangle around the box */
    double zoom;
};

static struct plan plan_picture(const struct picture *p) {
    const struct collection *const all = &p->all;
    struct plan plan = {.zoom = 1};
    double right = LEFT, height = BAR_LEAST, y = p->kind == SLICES ? TOP + SLICE_TITLE : TOP;
    if (p->kind == CURVE) {
        plan.axes[0] = (struct axes){.x = LEFT,
            .y = TOP,
            .width = CURVE_WIDTH,
            .height = CURVE_HEIGHT,
            .left = -0.5,
            .right = (double)(all->cells[0].counts[0] * all->block) - 0.5};
        plan.width = LEFT + CURVE_WIDTH + RIGHT;
        plan.height = TOP + CURVE_HEIGHT + BOTTOM;
        return plan;
    }
    if (p->kind == VOLUME) {
        double wide, high;
        measure_box(&all->cells[0], &wide, &high);
        plan.zoom = VOLUME_IMAGE / fmax(wide, high);
        plan.axes[0] =
            (struct axes){.x = LEFT, .y = y, .width = plan.zoom * wide, .height = plan.zoom * high};
    } else {
        const int small = p->kind == SLICES ? SMALL_SLICE : SMALL_IMAGE;
        int64_t longest = 1;
        for (int k = 0; k < all->n_cells; k++)
            for (int d = 0; d < AXES; d++)
                if (longest < all->cells[k].counts[d]) longest = all->cells[k].counts[d];
        if (longest < small) plan.zoom = (double)(small / longest);
        for (int k = 0; k < all->n_cells; k++) {
            plan.axes[k] = axes_of(all, k, plan.zoom, right, y);
            right += plan.axes[k].width + SLICE_GAP;
        }
    }
    const struct axes *const last = &plan.axes[all->n_cells - 1];
    for (int k = 0; k < all->n_cells; k++) height = fmax(height, plan.axes[k].height);
    plan.width = fmax(
        last->x + last->width + SCALE_WIDTH, p->kind < SLICES ? TITLE_WIDTH : LONG_TITLE_WIDTH);
    plan.height = y + height + BOTTOM;
    return plan;
}

/* What the picture shows of which points. */
static void describe(
    char *title, size_t size, const struct picture *p, const struct layout *layout, double t) {
    static const char *const shows[] = {
        [IMAGE] = "", [SLICES] = "", [PROJECTION] = ", the greatest along z", [VOLUME] = ""};
    const eulercl_problem_info *const info = layout->info;
    const struct collection *const all = &p->all;
    int length = snprintf(title, size, "%.64s, ", info->name);
    if (info->boundary != NULL)
        length += snprintf(
            title + length, size - (size_t)length, "component %" PRId64 ", ", layout->component);
    length += snprintf(title + length, size - (size_t)length, "t = %.6g, ", t);
    if (layout->smoothing > 0)
        length += snprintf(
            title + length, size - (size_t)length, "smoothed by %" PRId64 ", ", layout->smoothing);
    if (layout->thin != NULL)
        length +=
            snprintf(title + length, size - (size_t)length, "thinned by %s to ", layout->thin);
    if (p->kind == CURVE) {
        snprintf(title + length, size - (size_t)length, "%" PRId64 " %s", all->extents[0],
            info->boundary != NULL ? "points" : "components");
        return;
    }
    for (int d = 0; d < info->rank; d++)
        length += snprintf(
            title + length, size - (size_t)length, "%s%" PRId64, d ? " x " : "", all->extents[d]);
    length += snprintf(title + length, size - (size_t)length, " points%s", shows[p->kind]);
    if (all->block == 1) return;
    length += snprintf(title + length, size - (size_t)length,
        p->kind == PROJECTION ? " (blocks of %" PRId64 " x %" PRId64
                              : " (means of %" PRId64 " x %" PRId64,
        all->block, all->block);
    if (p->kind == VOLUME)
        length += snprintf(title + length, size - (size_t)length, " x %" PRId64, all->block);
    snprintf(title + length, size - (size_t)length, ")");
}

static void draw_content(
    cairo_t *cr, struct picture *p, struct plan *plan, const struct layout *layout) {
    if (p->kind == CURVE) {
        draw_curve(cr, &p->all, &plan->axes[0], layout);
        return;
    }
    finish_cells(&p->all);
    const struct range range = find_range(&p->all, layout);
    struct axes beside = plan->axes[p->all.n_cells - 1];
    if (p->kind == VOLUME) {
        const struct cells *const cells = &p->all.cells[0];
        struct sight sight = {.x = beside.x + beside.width / 2,
            .y = beside.y + beside.height / 2,
            .zoom = plan->zoom};
        for (int d = 0; d < AXES; d++) sight.middle[d] = ((double)cells->counts[d] - 1) / 2;
        draw_box(cr, &sight, cells, p->all.extents, range.least, range.greatest);
    } else {
        for (int k = 0; k < p->all.n_cells; k++) {
            draw_plane(cr, p, k, &plan->axes[k], range);
            beside.height = fmax(beside.height, plan->axes[k].height);
        }
    }
    draw_scale(cr, &beside, range.least, range.greatest);
}

/* ---- the whole ---- */

/* Above the picture, in smaller letters if there is no room for it. */
static void draw_title(cairo_t *cr, const char *title, double width) {
    cairo_text_extents_t extents;
    int size = TITLE_FONT;
    do {
        cairo_set_font_size(cr, size--);
        cairo_text_extents(cr, title, &extents);
    } while (extents.x_advance > width - LEFT - TITLE_RIGHT && size > 0);
    draw_text(cr, title, LEFT, TOP - 14, 0, 1);
    cairo_set_font_size(cr, FONT);
}

int draw_picture(struct output *output, double t, FILE *file, const struct facts *facts) {
    struct picture *const p = output->data;
    struct plan plan = plan_picture(p);
    cairo_surface_t *const surface =
        cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)plan.width, (int)plan.height);
    cairo_t *const cr = cairo_create(surface);
    char title[512];
    cairo_set_source_rgb(cr, 1, 1, 1);
    cairo_paint(cr);
    cairo_select_font_face(cr, "sans-serif", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_source_rgb(cr, 0, 0, 0);
    describe(title, sizeof title, p, output->layout, t);
    draw_title(cr, title, plan.width);
    draw_content(cr, p, &plan, output->layout);
    const cairo_status_t drawn = cairo_status(cr);
    cairo_destroy(cr);
    cairo_surface_flush(surface);
    int status = drawn == CAIRO_STATUS_SUCCESS
                     ? EULERCL_OK
                     : fail(EULERCL_MEMORY, "cannot draw %s: %s", output->file.path,
                           cairo_status_to_string(drawn));
    if (!status) status = write_png(output->file.path, surface, file, facts);
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
