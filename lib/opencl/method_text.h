/* SPDX-License-Identifier: BSD-2-Clause */
/* method_text.h - the settings of a program: #defines before its texts; and a method as such
 * settings. The coefficients that are neither 0 nor 1 are an argument of the kernels. */
#ifndef EULERCL_OPENCL_METHOD_TEXT_H
#define EULERCL_OPENCL_METHOD_TEXT_H
#include "../run/backend.h"

struct cl_settings {
    char text[1 << 15];
    size_t length; /* sizeof text and more: it does not fit */
};
void ecl_cl_put(struct cl_settings *settings, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* A section of the run's method, or all of it, in the words that kernels/register.cl reads. body is
 * NULL unless its stages have one shape; then no text depends on where in the body it is. */
void ecl_cl_put_method(struct cl_settings *settings, const struct run *run,
    const struct method *section, const struct body *body);

/* STREAM_EACH for this number of levels, from the beginning of a step on. */
void ecl_cl_put_levels(struct cl_settings *settings, const struct method *method, int64_t levels);

/* PIPE_CLASS, PIPE_CHOICE and PIPE_SHAPE for this number of warps and of levels of each. A body has
 * one class. */
void ecl_cl_put_warps(struct cl_settings *settings, const struct method *method,
    const struct body *body, int64_t warps, int64_t levels);

/* The coefficients of a section, with its body as above, for steps of size h, as reals of the run's
 * precision, which is what the kernels' argument holds; to be freed by ecl_mem_free. NULL: no
 * memory. */
void *ecl_cl_factors(const struct run *run, const struct method *section, const struct body *body,
    double h, size_t *bytes);
#endif
