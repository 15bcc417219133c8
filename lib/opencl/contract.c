/* SPDX-License-Identifier: BSD-2-Clause */
/* contract.c - the self-test of the bit contract: a device's arithmetic against the host's,
 * bit by bit. */
#include "config.h"
#include "runtime.h"
#include "../mem.h"
#include "../reals.h"
#include <math.h>
#include <pthread.h>
#include <string.h>

enum { TRIPLES = 256, ANSWERS = 6, MAX_KNOWN = 64 };
static const char *const answer_names[ANSWERS] = {
    "a * b + c", "fma(a, b, c)", "a / b", "sqrt(fabs(a))", "a * b - c", "floor(a) + b"};

/* The results of earlier self-tests. */
static struct {
    cl_device_id device;
    size_t real_size;
} passed[MAX_KNOWN];
static size_t passed_count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int known(cl_device_id device, size_t real_size) {
    int found = 0;
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < passed_count; i++)
        found |= passed[i].device == device && passed[i].real_size == real_size;
    pthread_mutex_unlock(&lock);
    return found;
}

static void remember(cl_device_id device, size_t real_size) {
    pthread_mutex_lock(&lock);
    if (passed_count < MAX_KNOWN) {
        passed[passed_count].device = device;
        passed[passed_count++].real_size = real_size;
    }
    pthread_mutex_unlock(&lock);
}

/* Numbers that reveal contraction, flushing of subnormals and inexact division: near 1, far apart,
 * subnormal, and at random. */
static double input(int triple, int place, size_t real_size) {
    const double e = real_size == sizeof(float) ? 0x1p-13 : 0x1p-30,
                 tiny = real_size == sizeof(float) ? 0x1p-126 : 0x1p-1022;
    const double special[][3] = {{1 + e, 1 - e, -1}, {1 + e, 1 + e, -1 - 2 * e}, {tiny, 0.5, 0},
        {tiny, 1.5, tiny / 4}, {1, 3, 7}, {2, 3, 0.5}, {-0.0, 1, 0}};
    if (triple < (int)(sizeof special / sizeof *special)) return special[triple][place];
    uint64_t x = (uint64_t)(3 * triple + place) *
                 0x9E3779B97F4A7C15u; /* splitmix64 (Steele, Lea, Flood 2014) */
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
    x ^= x >> 31;
    return ldexp((double)(x >> 11) * 0x1p-53 - 0.5, (int)(x % 41) - 20);
}

/* The host's results, in the type of the run. */
static void answers_f32(const float *in, float *out) {
    const float a = in[0], b = in[1], c = in[2];
    out[0] = a * b + c;
    out[1] = fmaf(a, b, c);
    out[2] = a / b;
    out[3] = sqrtf(fabsf(a));
    out[4] = a * b - c;
    out[5] = floorf(a) + b;
}

static void answers_f64(const double *in, double *out) {
    const double a = in[0], b = in[1], c = in[2];
    out[0] = a * b + c;
    out[1] = fma(a, b, c);
    out[2] = a / b;
    out[3] = sqrt(fabs(a));
    out[4] = a * b - c;
    out[5] = floor(a) + b;
}

static int run_on_device(const struct cl_runtime *r, const void *in, size_t in_size, void *out,
    size_t out_size, eulercl_error *error) {
    cl_mem in_buffer = NULL, out_buffer = NULL;
    cl_kernel kernel = NULL;
    size_t max_workgroup;
    const size_t items = TRIPLES;
    int status = ecl_cl_buffer(r, in_size, "the self-test", &in_buffer, error);
    if (!status) status = ecl_cl_buffer(r, out_size, "the self-test", &out_buffer, error);
    if (!status) status = ecl_cl_kernel(r, "ecl_contract", &kernel, &max_workgroup, error);
    if (!status) {
        cl_int cl =
            clEnqueueWriteBuffer(r->queue, in_buffer, CL_TRUE, 0, in_size, in, 0, NULL, NULL);
        if (!cl) cl = clSetKernelArg(kernel, 0, sizeof in_buffer, &in_buffer);
        if (!cl) cl = clSetKernelArg(kernel, 1, sizeof out_buffer, &out_buffer);
        if (!cl)
            cl = clEnqueueNDRangeKernel(r->queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL);
        if (!cl)
            cl =
                clEnqueueReadBuffer(r->queue, out_buffer, CL_TRUE, 0, out_size, out, 0, NULL, NULL);
        if (cl) status = ecl_cl_fail(error, cl, "the self-test");
    }
    if (kernel) clReleaseKernel(kernel);
    if (out_buffer) clReleaseMemObject(out_buffer);
    if (in_buffer) clReleaseMemObject(in_buffer);
    return status;
}

int ecl_cl_check_contract(const struct cl_runtime *r, size_t real_size, eulercl_error *error) {
    union {
        float f32[3 * TRIPLES];
        double f64[3 * TRIPLES];
    } in;
    union {
        float f32[ANSWERS * TRIPLES];
        double f64[ANSWERS * TRIPLES];
    } mine, theirs;
    if (known(r->device, real_size)) return EULERCL_OK;
    for (int i = 0; i < TRIPLES; i++) {
        for (int k = 0; k < 3; k++) real_set(&in, 3 * i + k, real_size, input(i, k, real_size));
        if (real_size == sizeof(float))
            answers_f32(in.f32 + 3 * i, mine.f32 + ANSWERS * i);
        else
            answers_f64(in.f64 + 3 * i, mine.f64 + ANSWERS * i);
    }
    const int status = run_on_device(
        r, &in, 3 * TRIPLES * real_size, &theirs, ANSWERS * TRIPLES * real_size, error);
    if (status) return status;
    for (int i = 0; i < ANSWERS * TRIPLES; i++)
        if (memcmp((char *)&mine + (size_t)i * real_size, (char *)&theirs + (size_t)i * real_size,
                real_size)) {
            const int triple = i / ANSWERS;
            return ecl_fail(error, EULERCL_UNSUPPORTED,
                "%.200s breaks the bit contract: %s with a = %a, b = %a, c = %a differs from the "
                "host (allow_inexact accepts that)",
                r->info.name, answer_names[i % ANSWERS], input(triple, 0, real_size),
                input(triple, 1, real_size), input(triple, 2, real_size));
        }
    remember(r->device, real_size);
    return EULERCL_OK;
}
