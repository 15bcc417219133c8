/* SPDX-License-Identifier: BSD-2-Clause */
/* image.c - see image.h. */
#include "config.h"

#include "format/image.h"
#include "format/file.h"
#include "shared/message.h"

#include <inttypes.h>
#include <png.h>
#include <stdlib.h>

static int read_pixels(
    const char *path, const struct layout *layout, png_image *image, void *values) {
    const int64_t nx = layout->info->extents[0], ny = layout->info->n / nx;
    if ((int64_t)image->width != nx || (int64_t)image->height != ny)
        return fail(EULERCL_FILE,
            "%s has %" PRIu32 " x %" PRIu32 " pixels, but the grid %" PRId64 " x %" PRId64
            " points",
            path, (uint32_t)image->width, (uint32_t)image->height, nx, ny);
    image->format = PNG_FORMAT_GRAY;
    unsigned char *const pixels = calloc((size_t)layout->info->n, 1); /* what is transparent: 0 */
    if (pixels == NULL) return fail(EULERCL_MEMORY, "no memory for %s", path);
    /* A negative stride: the lowest row comes first. */
    if (!png_image_finish_read(image, NULL, pixels, -(png_int_32)nx, NULL)) {
        free(pixels);
        return fail(EULERCL_FILE, "%s: %s", path, image->message);
    }
    for (int64_t i = 0; i < layout->info->n; i++)
        if (layout->precision == EULERCL_FLOAT)
            ((float *)values)[i] = (float)pixels[i] / 255;
        else
            ((double *)values)[i] = (double)pixels[i] / 255;
    free(pixels);
    return EULERCL_OK;
}

int read_image(const char *path, const struct layout *layout, void *values) {
    png_image image = {.version = PNG_IMAGE_VERSION};
    FILE *file;
    int status = open_regular(path, &file);
    if (status) return status;
    if (png_image_begin_read_from_stdio(&image, file))
        status = read_pixels(path, layout, &image, values);
    else
        status = fail(EULERCL_FILE, "%s is not a .png file: %s", path, image.message);
    png_image_free(&image);
    fclose(file);
    return status;
}
