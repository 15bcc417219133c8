/* SPDX-License-Identifier: BSD-2-Clause */
/* local_memory.c - more local memory than a device reports: some drivers let a program declare it,
 * which a small program tries out. */
#include "config.h"
#include "runtime.h"
#include "opencl/embedded.h"
#include "../int.h"
#include "../mem.h"
#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum { ITEMS = 64, GROUPS_PER_UNIT = 2, MAX_KNOWN = 64 };

/* The most that a device was seen to have, and the least that it was seen to refuse. */
static struct known {
    cl_device_id device;
    uint64_t has, lacks;
} all_known[MAX_KNOWN];
static size_t known_count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* -> 1: it has so much; 0: it has not; -1: that is not known. `result`, if not -1, is noted. */
static int look_up(cl_device_id device, uint64_t bytes, int result) {
    pthread_mutex_lock(&lock);
    size_t i = 0;
    while (i < known_count && all_known[i].device != device) i++;
    if (i == known_count && result >= 0 && known_count < MAX_KNOWN)
        all_known[known_count++] = (struct known){device, 0, UINT64_MAX};
    int answer = -1;
    if (i < known_count) {
        struct known *const k = &all_known[i];
        if (result == 1 && bytes > k->has) k->has = bytes;
        if (result == 0 && bytes < k->lacks) k->lacks = bytes;
        answer = bytes <= k->has ? 1 : bytes >= k->lacks ? 0 : -1;
    }
    pthread_mutex_unlock(&lock);
    return answer;
}

/* Launch the kernel, and count the words that were right. */
static cl_int count_words(
    const struct cl_runtime *r, cl_kernel kernel, cl_mem buffer, size_t items, uint64_t *right) {
    const size_t group = ITEMS;
    cl_uint *const counts = ecl_mem_zeroed(items, sizeof *counts);
    if (!counts) return CL_OUT_OF_HOST_MEMORY;
    cl_int cl = clSetKernelArg(kernel, 0, sizeof buffer, &buffer);
    if (!cl) cl = clEnqueueNDRangeKernel(r->queue, kernel, 1, NULL, &items, &group, 0, NULL, NULL);
    if (!cl)
        cl = clEnqueueReadBuffer(
            r->queue, buffer, CL_TRUE, 0, items * sizeof *counts, counts, 0, NULL, NULL);
    *right = 0;
    for (size_t i = 0; !cl && i < items; i++) *right += counts[i];
    ecl_mem_free(counts);
    return cl;
}

static int try_words(struct cl_runtime *r, uint64_t words, eulercl_error *error) {
    const size_t size = 128 + ecl_text_local_memory_size,
                 items = (size_t)int_max(1, r->info.compute_units) * GROUPS_PER_UNIT * ITEMS;
    char *const source = ecl_mem_zeroed(size, 1);
    cl_kernel kernel = NULL;
    cl_mem buffer = NULL;
    double seconds = 0;
    size_t workgroup;
    uint64_t right = 0;
    if (!source) return ecl_no_memory(error, "the program's text");
    snprintf(source, size, "#define LOCAL_WORDS %llu\n#define LOCAL_ITEMS %d\n%s",
        (unsigned long long)words, ITEMS, (const char *)ecl_text_local_memory);
    int status = ecl_cl_build(r, source, &seconds, error);
    if (!status) status = ecl_cl_kernel(r, "local_memory", &kernel, &workgroup, error);
    if (!status)
        status =
            ecl_cl_buffer(r, items * sizeof(cl_uint), "a test of local memory", &buffer, error);
    if (!status) {
        const cl_int cl = count_words(r, kernel, buffer, items, &right);
        if (cl)
            status = ecl_cl_fail(error, cl, "the test of local memory");
        else if (right != words * (items / ITEMS))
            status = ecl_fail(error, EULERCL_INTERNAL, "local memory lost what was written to it");
    }
    if (kernel) clReleaseKernel(kernel);
    if (buffer) clReleaseMemObject(buffer);
    ecl_mem_free(source);
    return status;
}

int ecl_cl_has_local_memory(struct cl_runtime *r, uint64_t bytes) {
    int answer = bytes <= r->info.local_bytes ? 1 : look_up(r->device, bytes, -1);
    eulercl_error error;
    if (answer < 0)
        answer =
            look_up(r->device, bytes, try_words(r, bytes / sizeof(cl_uint), &error) == EULERCL_OK);
    return answer == 1;
}
