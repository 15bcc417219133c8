/* SPDX-License-Identifier: BSD-2-Clause */
/* lecture.c - what the programs of this folder share (lecture.h). */
#define _POSIX_C_SOURCE 199309L
#include "lecture.h"
#include <time.h>

cl_device_id device;
cl_context context;
cl_command_queue queue;
cl_program program;

enum { PLATFORMS = 16, VARIANTS = 16, ROUNDS = 5, MOST = 32 };

/* What finish releases. */
static void *memories[MOST];
static cl_mem buffers[MOST];
static cl_kernel kernels[MOST];
static int n_memories, n_buffers, n_kernels;

static void give_up(const char *what, const char *detail) {
    fprintf(stderr, "%s: %s\n", what, detail);
    exit(1);
}

void check(cl_int status, const char *what) {
    char text[40];
    if (status == CL_SUCCESS) return;
    snprintf(text, sizeof text, "OpenCL status %d", (int)status);
    give_up(what, text);
}

void *memory_of(size_t bytes) {
    void *const memory = n_memories < MOST ? malloc(bytes) : NULL;
    if (!memory) give_up("memory", "there is not enough");
    return memories[n_memories++] = memory;
}

static char *text_of(const char *name) {
    FILE *const file = fopen(name, "rb");
    long size = -1;
    if (file && !fseek(file, 0, SEEK_END)) size = ftell(file);
    if (size < 0) give_up(name, "cannot be read; start the program in its folder");
    rewind(file);
    char *const text = memory_of((size_t)size + 1);
    if (fread(text, 1, (size_t)size, file) != (size_t)size) give_up(name, "cannot be read");
    text[size] = '\0';
    fclose(file);
    return text;
}

/* Status 3 says that there is no device, as the command eulercl does. */
static cl_device_id first_device(void) {
    cl_platform_id platforms[PLATFORMS];
    cl_uint n = 0;
    const cl_device_type types[] = {CL_DEVICE_TYPE_GPU, CL_DEVICE_TYPE_ALL};
    clGetPlatformIDs(PLATFORMS, platforms, &n);
    if (n > PLATFORMS) n = PLATFORMS;
    for (int type = 0; type < 2; type++)
        for (cl_uint p = 0; p < n; p++) {
            cl_device_id found;
            if (clGetDeviceIDs(platforms[p], types[type], 1, &found, NULL) == CL_SUCCESS)
                return found;
        }
    fprintf(stderr, "there is no OpenCL device\n");
    exit(3);
}

void start(const char *file, const char *options) {
    char *const text = text_of(file);
    static char log[100000];
    cl_int status;
    device = first_device();
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
    check(status, "clCreateContext");
    queue = clCreateCommandQueue(context, device, 0, &status);
    check(status, "clCreateCommandQueue");
    program = clCreateProgramWithSource(context, 1, (const char **)&text, NULL, &status);
    check(status, "clCreateProgramWithSource");
    status = clBuildProgram(program, 1, &device, options, NULL, NULL);
    if (status != CL_SUCCESS) {
        clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL);
        give_up(file, log);
    }
}

cl_mem buffer_of(size_t bytes, const void *values) {
    cl_int status;
    const cl_mem buffer = clCreateBuffer(context,
        CL_MEM_READ_WRITE | (values ? CL_MEM_COPY_HOST_PTR : 0), bytes, (void *)values, &status);
    check(n_buffers < MOST ? status : CL_OUT_OF_HOST_MEMORY, "clCreateBuffer");
    return buffers[n_buffers++] = buffer;
}

cl_kernel kernel_of(const char *name) {
    cl_int status;
    const cl_kernel kernel = clCreateKernel(program, name, &status);
    check(n_kernels < MOST ? status : CL_OUT_OF_HOST_MEMORY, name);
    return kernels[n_kernels++] = kernel;
}

void launch(cl_kernel kernel, size_t groups, size_t items) {
    const size_t all = groups * items;
    check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &all, &items, 0, NULL, NULL),
        "clEnqueueNDRangeKernel");
}

void take_result(cl_mem buffer, size_t bytes, void *values) {
    const cl_uint other = 0xffffffffu;
    check(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, bytes, values, 0, NULL, NULL),
        "clEnqueueReadBuffer");
    check(clEnqueueFillBuffer(queue, buffer, &other, sizeof other, 0, bytes, 0, NULL, NULL),
        "clEnqueueFillBuffer");
}

static double seconds_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* A kernel has only been put into the queue when its call returns, so the clock waits for the queue
 * to be empty. */
static double seconds_of(void (*run)(void)) {
    check(clFinish(queue), "clFinish");
    const double begin = seconds_now();
    run();
    check(clFinish(queue), "clFinish");
    return seconds_now() - begin;
}

void print_head(const char *title, size_t n, const char *of_what, const char *unit) {
    char name[256] = "";
    clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof name, name, NULL);
    printf("%s of %zu %s, on %s\n", title, n, of_what, name);
    printf("%-12s %-32s %12s %12s\n", "data", "variant", "seconds", unit);
}

int measure(
    const char *data, const struct variant *variants, int n, double work, int (*is_right)(void)) {
    double best[VARIANTS];
    int wrong[VARIANTS] = {0}, all_wrong = 0;
    for (int round = 0; round <= ROUNDS; round++)
        for (int k = 0; k < n; k++) {
            const double seconds = seconds_of(variants[k].run);
            if (round == 1 || (round && seconds < best[k])) best[k] = seconds;
            if (!is_right()) wrong[k] = 1;
        }
    for (int k = 0; k < n; k++) {
        printf("%-12s %-32s %12.6f %12.3f  %s\n", data, variants[k].name, best[k],
            1e-9 * work / best[k], wrong[k] ? "wrong" : "right");
        all_wrong += wrong[k];
    }
    fflush(stdout);
    return all_wrong;
}

/* G. Marsaglia, "Xorshift RNGs", Journal of Statistical Software 8 (2003). */
uint32_t random_number(void) {
    static uint32_t state = 2463534242u;
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state;
}

size_t size_argument(int argc, char **argv, size_t otherwise) {
    char *end = "";
    const unsigned long size = argc > 1 ? strtoul(argv[1], &end, 10) : otherwise;
    if (argc > 2 || *end || size < 1 || size > 1000000000) {
        fprintf(stderr, "usage: %s [SIZE]\nSIZE is a number between 1 and 1000000000.\n", argv[0]);
        exit(2);
    }
    return size;
}

int finish(int wrong) {
    while (n_kernels) clReleaseKernel(kernels[--n_kernels]);
    while (n_buffers) clReleaseMemObject(buffers[--n_buffers]);
    while (n_memories) free(memories[--n_memories]);
    clReleaseProgram(program);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    if (wrong) fprintf(stderr, "variants with wrong results: %d\n", wrong);
    return wrong > 0;
}
