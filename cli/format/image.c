/* SPDX-License-Identifier: BSD-2-Clause */
/* image.c - see image.h. The numbers of a file are taken as they are, whatever gamma it has: a mask
 * or a map is data, and not a picture for a screen. */
#include "config.h"

#include "format/image.h"
#include "format/file.h"
#include "shared/message.h"

#include <inttypes.h>
#include <png.h>
#include <stdlib.h>
#include <string.h>

/* What is freed however reading ends. */
struct image {
    const char *path;
    const struct layout *layout;
    void *values;
    unsigned char *pixels;
    png_bytep *rows;
};

static void png_fails(png_structp png, png_const_charp message) {
    const struct image *const image = png_get_error_ptr(png);
    fail(EULERCL_FILE, "%s cannot be read: %s", image->path, message);
    png_longjmp(png, 1);
}

static void png_warns(png_structp png, png_const_charp message) {
    (void)png;
    (void)message;
}

/* Channel number c of a pixel. */
static double channel(const unsigned char *pixel, int c, int bytes) {
    return bytes == 1 ? pixel[c] : 256.0 * pixel[2 * c] + pixel[2 * c + 1];
}

/* The brightness of a pixel of 1 to 4 channels: grey or red, green and blue, then opacity. The
 * weights are those of ITU-R BT.709; sums and products are exact, and one quotient is rounded. */
static double brightness(const unsigned char *pixel, int channels, int bytes) {
    const double most = bytes == 1 ? 255 : 65535;
    const double sum = channels > 2
                           ? 2126 * channel(pixel, 0, bytes) + 7152 * channel(pixel, 1, bytes) +
                                 722 * channel(pixel, 2, bytes)
                           : 10000 * channel(pixel, 0, bytes),
                 opacity = channels % 2 ? most : channel(pixel, channels - 1, bytes);
    return sum * opacity / (10000 * most * most);
}

static int take_pixels(png_structp png, png_infop info, struct image *image) {
    const struct layout *const layout = image->layout;
    const int64_t nx = layout->info->extents[0], ny = layout->info->n / nx;
    png_read_info(png, info);
    const int64_t width = png_get_image_width(png, info), height = png_get_image_height(png, info);
    if (width != nx || height != ny)
        return fail(EULERCL_FILE,
            "%s has %" PRId64 " x %" PRId64 " pixels, but the grid %" PRId64 " x %" PRId64
            " points",
            image->path, width, height, nx, ny);
    png_set_expand(png); /* palettes become colours, bits become bytes */
    png_set_interlace_handling(png);
    png_read_update_info(png, info);
    const size_t row = png_get_rowbytes(png, info);
    const int channels = png_get_channels(png, info), bytes = png_get_bit_depth(png, info) / 8;
    image->pixels = calloc((size_t)height, row);
    image->rows = calloc((size_t)height, sizeof *image->rows);
    if (image->pixels == NULL || image->rows == NULL)
        return fail(EULERCL_MEMORY, "no memory for %s", image->path);
    for (int64_t y = 0; y < height; y++) /* the lowest row comes first */
        image->rows[height - 1 - y] = image->pixels + (size_t)y * row;
    png_read_image(png, image->rows);
    png_read_end(png, NULL);
    for (int64_t i = 0; i < layout->info->n; i++) {
        const double value = brightness(
            image->pixels + (size_t)(i / nx) * row + (size_t)(i % nx) * (size_t)(channels * bytes),
            channels, bytes);
        if (layout->precision == EULERCL_FLOAT)
            ((float *)image->values)[i] = (float)value;
        else
            ((double *)image->values)[i] = value;
    }
    return EULERCL_OK;
}

static int read_png(FILE *file, struct image *image) {
    png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, image, png_fails, png_warns);
    png_infop info = png == NULL ? NULL : png_create_info_struct(png);
    volatile int status = EULERCL_FILE;
    if (info == NULL) {
        status = fail(EULERCL_MEMORY, "no memory for %s", image->path);
    } else if (setjmp(png_jmpbuf(png)) == 0) {
        png_init_io(png, file);
        status = take_pixels(png, info, image);
    }
    png_destroy_read_struct(&png, &info, NULL);
    return status;
}

int read_image(const char *path, const struct layout *layout, void *values) {
    struct image image = {.path = path, .layout = layout, .values = values};
    FILE *file;
    if (is_box(layout->info))
        return fail(EULERCL_FILE,
            "%s is a picture of one plane, but the grid has three axes: use FILE.npy or FILE.h5",
            path);
    int status = open_regular(path, &file);
    if (status) return status;
    status = read_png(file, &image);
    free(image.pixels);
    free(image.rows);
    fclose(file);
    return status;
}
