/* SPDX-License-Identifier: BSD-2-Clause */
/* lecture.h - what the programs of this folder share: an OpenCL device, its kernels and buffers, and
 * the measurement of variants side by side. */
#ifndef LECTURE_H
#define LECTURE_H

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Set by start. */
extern cl_device_id device;
extern cl_context context;
extern cl_command_queue queue;
extern cl_program program;

/* Opens the first GPU, or the first other device if there is no GPU, and compiles the kernels in a
 * file of the current folder. The options are those of clBuildProgram. */
void start(const char *file, const char *options);
/* Ends the program with a message unless the status is CL_SUCCESS. */
void check(cl_int status, const char *what);

/* Memory of the host, a buffer of the device, a kernel of the program. finish releases them. */
void *memory_of(size_t bytes);
cl_mem buffer_of(size_t bytes, const void *values); /* values: copied into it; NULL: none */
cl_kernel kernel_of(const char *name);
/* Sets an argument of a kernel to a variable. */
#define SET(kernel, place, variable) \
    check(clSetKernelArg(kernel, place, sizeof(variable), &(variable)), "clSetKernelArg")
/* Starts a kernel with a number of groups of items, along one axis. */
void launch(cl_kernel kernel, size_t groups, size_t items);
/* Reads a result, and fills its buffer with other bits: the next variant must compute it itself. */
void take_result(cl_mem buffer, size_t bytes, void *values);

/* Groups of a size that together have at least n items. */
static inline size_t groups_of(size_t n, size_t items) { return (n + items - 1) / items; }

/* A way to compute the result that all ways must have. */
struct variant {
    const char *name;
    void (*run)(void); /* starts all that a run needs; the device may still compute after it */
};

/* Prints what is computed, such as "histogram", 1000, "values"; the device; and the head of a
 * table. unit: that of the rates, billions of what `work` counts. */
void print_head(const char *title, size_t n, const char *of_what, const char *unit);
/* Runs all variants by turns: first once each, without a clock, and then five times each. Prints a
 * line for each: the best time, the rate (work divided by the time), and whether all its results
 * were right, which is_right finds out. Returns the number of variants with a wrong result. */
int measure(
    const char *data, const struct variant *variants, int n, double work, int (*is_right)(void));

/* Random numbers that are the same on every computer. */
uint32_t random_number(void);
/* A size from the command line, at least 1; without it the default. */
size_t size_argument(int argc, char **argv, size_t otherwise);
/* Releases all that was made. Returns the program's exit status: 0, or 1 with a message if results
 * of some variants were wrong. */
int finish(int wrong);

#endif
