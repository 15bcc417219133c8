/* bench/linear.c - the variants of cl-linear against the device's own copy bandwidth, all in one run.
 *
 * Usage: bench/linear [DEVICE [SHARE]]    DEVICE: part of a name ("" for any); SHARE: of the sizes below, default 1
 *
 * One step reads and writes the state once, so a step per copy of the state is the limit of any scheme with one launch per
 * step. The program makes its own context and queue and hands them to the solvers, so that copy and kernels share them.
 */
#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#include "common.h"

static const struct { const char *problem, *parameter; double value; } cases[] = {
    {"string", "points", 10000}, {"string", "points", 40000}, {"string", "points", 500000}, {"string", "points", 5e7},
    {"bruss2d", "m", 100}, {"bruss2d", "m", 500}, {"bruss2d", "m", 2000}, {"bruss2d", "m", 7072},
};
static const char *const variants[] = {"chunked", "strided", "vector"};

static void cl_must(cl_int cl, const char *doing) {
    if (!cl) return;
    fprintf(stderr, "%s: OpenCL status %d\n", doing, cl);
    exit(EULERCL_NO_DEVICE);
}

static cl_device_id find_device(const char *wanted) {
    cl_platform_id platforms[16];
    cl_device_id devices[16];
    cl_uint platform_count = 0, device_count = 0;
    cl_must(clGetPlatformIDs(16, platforms, &platform_count), "platforms");
    for (cl_uint p = 0; p < platform_count && p < 16; p++) {
        if (clGetDeviceIDs(platforms[p], CL_DEVICE_TYPE_ALL, 16, devices, &device_count)) continue;
        for (cl_uint d = 0; d < device_count && d < 16; d++) {
            char name[256] = "", driver[128] = "";
            cl_must(clGetDeviceInfo(devices[d], CL_DEVICE_NAME, sizeof name, name, NULL), "device name");
            cl_must(clGetDeviceInfo(devices[d], CL_DRIVER_VERSION, sizeof driver, driver, NULL), "driver version");
            if (!strstr(name, wanted)) continue;
            printf("device %s, driver %s\n", name, driver);
            return devices[d];
        }
    }
    fprintf(stderr, "no device called '%s'\n", wanted);
    exit(EULERCL_NO_DEVICE);
}

/* Bytes per second, read and written, of copies of `bytes` bytes between two buffers; best of five. */
static double copy_bandwidth(cl_context context, cl_command_queue queue, size_t bytes) {
    enum { COPIES = 20 };
    cl_int cl;
    const cl_uint zero = 0;
    double best = 1e300;
    cl_mem buffers[2];
    for (int i = 0; i < 2; i++) {
        buffers[i] = clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, NULL, &cl);
        cl_must(cl, "buffer");
        cl_must(clEnqueueFillBuffer(queue, buffers[i], &zero, sizeof zero, 0, bytes, 0, NULL, NULL), "fill");
    }
    for (int repeat = -1; repeat < REPEATS; repeat++) {
        cl_must(clFinish(queue), "finish");
        const double start = now();
        for (int i = 0; i < COPIES; i++)
            cl_must(clEnqueueCopyBuffer(queue, buffers[i % 2], buffers[1 - i % 2], 0, 0, bytes, 0, NULL, NULL), "copy");
        cl_must(clFinish(queue), "finish");
        const double seconds = (now() - start) / COPIES;
        if (repeat >= 0 && seconds < best) best = seconds;
    }
    for (int i = 0; i < 2; i++) clReleaseMemObject(buffers[i]);
    return 2 * (double)bytes / best;
}

int main(int argc, char **argv) {
    const char *wanted = argc > 1 ? argv[1] : "";
    const double share = argc > 2 ? atof(argv[2]) : 1;
    cl_int cl;
    cl_device_id device = find_device(wanted);
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &cl);
    cl_must(cl, "context");
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, &cl);
    cl_must(cl, "queue");
    int differ = 0;
    printf("%-8s %-7s %11s %-8s %8s %10s %9s %9s %6s %s\n", "problem", "reals", "n", "variant", "steps", "us/step", "Gcs/s", "GB/s", "copy%", "bits");
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        for (int precision = EULERCL_FLOAT; precision <= EULERCL_DOUBLE; precision += EULERCL_DOUBLE - EULERCL_FLOAT) {
            eulercl_problem *problem = open_problem(cases[c].problem, cases[c].parameter, (double)(int64_t)(cases[c].value * share));
            eulercl_problem_info info = {.struct_size = sizeof info};
            must(eulercl_problem_get_info(problem, &info, &error));
            const double bytes = 2 * (double)info.n * precision;
            const double copy = copy_bandwidth(context, queue, (size_t)info.n * (size_t)precision);
            printf("%-8s %-7s %11lld %-8s %8s %10.2f %9s %9.1f\n", info.name, precision == EULERCL_FLOAT ? "float" : "double", (long long)info.n,
                   "copy", "", bytes / copy * 1e6, "", copy * 1e-9);
            uint64_t reference = 0;
            const int64_t steps = (int64_t)(2e9 / (double)info.n) / 2 * 2 + 20 < 2000 ? (int64_t)(2e9 / (double)info.n) / 2 * 2 + 20 : 2000;
            for (size_t v = 0; v < sizeof variants / sizeof *variants; v++) {
                eulercl_options options;
                eulercl_options_init(&options);
                options.backend = "cl-linear";
                options.variant = variants[v];
                options.precision = (enum eulercl_precision)precision;
                options.h = 1e-6;
                options.cl_context = context;
                options.cl_queue = queue;
                eulercl_solver *solver = open_solver(problem, &options);
                const double seconds = best_seconds(solver, steps) / (double)steps;
                const uint64_t hash = state_hash(solver);
                if (!v) reference = hash;
                differ |= hash != reference;
                printf("%-8s %-7s %11lld %-8s %8lld %10.2f %9.2f %9.1f %6.1f %s\n", info.name, precision == EULERCL_FLOAT ? "float" : "double",
                       (long long)info.n, variants[v], (long long)steps, seconds * 1e6, (double)info.n / seconds * 1e-9, bytes / seconds * 1e-9,
                       100 * bytes / seconds / copy, hash == reference ? "same" : "DIFFER");
                fflush(stdout);
                eulercl_solver_destroy(solver);
            }
            eulercl_problem_destroy(problem);
        }
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    return differ ? EULERCL_INTERNAL : EULERCL_OK;
}
