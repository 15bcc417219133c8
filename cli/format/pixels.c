/* SPDX-License-Identifier: BSD-2-Clause */
/* pixels.c - a picture as a PNG file, by libpng, since Cairo writes no text beside the pixels;
 * compiled only with Cairo. */
#include "config.h"

#include "format/pixels.h"
#include "shared/message.h"

#include <errno.h>
#include <png.h>
#include <stdlib.h>
#include <string.h>

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

int write_png(const char *path, cairo_surface_t *surface, FILE *file, const struct facts *facts) {
    unsigned char *const row = malloc(3 * (size_t)cairo_image_surface_get_width(surface));
    png_structp png =
        png_create_write_struct(PNG_LIBPNG_VER_STRING, (void *)path, png_fails, png_warns);
    png_infop info = png == NULL ? NULL : png_create_info_struct(png);
    volatile int status = EULERCL_FILE;
    errno = 0;
    if (row == NULL || info == NULL) {
        status = fail(EULERCL_MEMORY, "no memory for the picture %s", path);
    } else if (setjmp(png_jmpbuf(png)) == 0) {
        png_init_io(png, file);
        put_pixels(png, info, surface, row, facts);
        status = EULERCL_OK;
    }
    png_destroy_write_struct(&png, &info);
    free(row);
    return status;
}
