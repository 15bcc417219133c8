/* SPDX-License-Identifier: BSD-2-Clause */
/* registers/method_text.h - the settings of a program: #defines before its texts; and a method as
 * such settings. The coefficients that are neither 0 nor 1 are an argument of the kernels. */
#ifndef EULERCL_SCHEDULE_METHOD_TEXT_H
#define EULERCL_SCHEDULE_METHOD_TEXT_H
#include "registers.h"

struct register_settings {
    char text[1 << 15];
    size_t length; /* sizeof text and more: it does not fit */
};
void ecl_registers_put(struct register_settings *settings, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* One line, `#define NAME value`. */
void ecl_registers_put_number(struct register_settings *settings, const char *name, int64_t value);

/* How many reals a vector of an edge of so many has: as many as divide it and have at most 16
 * bytes. */
int ecl_registers_vector(const struct run *run, int64_t reals);

/* A section of the run's method, or all of it, as kernels/register.cl wants it. body is NULL unless
 * its stages have one shape; then no text depends on where in the body it is. most_stages: 0, or
 * those of one program for any section (struct register_tile). */
void ecl_registers_put_method(struct register_settings *settings, const struct run *run,
    const struct method *section, const struct body *body, int most_stages);
/* The number of a stage's shape, and how many there are: shapes are numbered in the order of the
 * stages. */
int ecl_registers_shape(const struct method *method, int stage);
int ecl_registers_shapes(const struct method *method);

/* STREAM_EACH for so many levels, from the beginning of a step on. */
void ecl_registers_put_levels(
    struct register_settings *settings, const struct method *method, int64_t levels);

/* PIPE_CLASS, PIPE_CHOICE and PIPE_SHAPE for so many warps of so many levels each; of a body there
 * is one class. */
void ecl_registers_put_warps(struct register_settings *settings, const struct method *method,
    const struct body *body, int64_t warps, int64_t levels);

/* The coefficients of a section, with its body as above, for steps of size h, as reals of the run's
 * precision, which is what the kernels' argument holds; to be freed by ecl_mem_free. NULL: no
 * memory. */
void *ecl_registers_factors(const struct run *run, const struct method *section,
    const struct body *body, int most_stages, double h, size_t *bytes);
#endif
