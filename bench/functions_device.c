/* SPDX-License-Identifier: BSD-2-Clause */
/* functions_device.c - measure the functions of ode_math.h on an OpenCL device beside its own, and
 * compare their bits with C's. `make bench-functions-device` runs it; it needs the folder of the
 * sources as its argument, and no library but OpenCL's loader. */
#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#include "../tests/problem/functions.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VALUES = 1 << 20, REPEATED = 256, ROUNDS = 5 };

#define CALL1(name, S) ode_math_##name##_##S(x)
#define CALL2(name, S) ode_math_##name##_##S(x, y)
#define WRAP(name, CALL)                           \
    static float name##_f32(float x, float y) {    \
        (void)y;                                   \
        return CALL(name, f32);                    \
    }                                              \
    static double name##_f64(double x, double y) { \
        (void)y;                                   \
        return CALL(name, f64);                    \
    }
#define ONE(name, ulp32, ulp64) WRAP(name, CALL1)
#define TWO(name, ulp32, ulp64) WRAP(name, CALL2)
MATH_FUNCTIONS(ONE, TWO)
#undef ONE
#undef TWO
static const struct {
    const char *name, *second;
    float (*f32)(float, float);
    double (*f64)(double, double);
} functions[] = {
#define ONE(name, ulp32, ulp64) {#name, "", name##_f32, name##_f64},
#define TWO(name, ulp32, ulp64) {#name, ", w", name##_f32, name##_f64},
    MATH_FUNCTIONS(ONE, TWO)};
enum { FUNCTIONS = sizeof functions / sizeof *functions };

static void check(cl_int status, const char *what) {
    if (!status) return;
    fprintf(stderr, "functions_device: %s: OpenCL status %d\n", what, status);
    exit(1);
}

/* The kernels of one precision: of each function one call per item, and loops of its calls and of
 * the device's own function. */
static char *program_text(const char *sources, int is_double) {
    static const char *const files[] = {"kernels/prelude.cl", "kernels/math_words.cl",
        "include/eulercl/detail/ode_math_constants.h", "include/eulercl/detail/ode_math.h"};
    enum { ROOM = 400000 };
    char *const text = calloc(1, ROOM), *p = text;
    if (!text) exit(1);
    p += sprintf(
        p, "#define ODE_DOUBLE %d\n#define ODE_UNCACHED 0\n#define ODE_INDEX int\n", is_double);
    for (int k = 0; k < 4; k++) {
        char path[4096];
        snprintf(path, sizeof path, "%s/%s", sources, files[k]);
        FILE *const file = fopen(path, "r");
        if (!file) exit((perror(path), 1));
        p += fread(p, 1, ROOM / 5, file);
        fclose(file);
    }
    p += sprintf(p, "#define KERNEL(name) __kernel void name(__global const ode_real *x, \\\n"
                    " __global const ode_real *y, __global ode_real *z)\n");
    for (int k = 0; k < FUNCTIONS; k++) {
        const char *const name = functions[k].name, *const second = functions[k].second;
        p += sprintf(p,
            "KERNEL(once_%s) { const size_t i = get_global_id(0); const ode_real w = y[i];\n"
            " (void)w; z[i] = ode_math_%s(x[i]%s); }\n",
            name, name, second);
        for (int ours = 0; ours < 2; ours++)
            p += sprintf(p,
                "KERNEL(%s_%s) { const size_t i = get_global_id(0); const ode_real w = y[i];\n"
                " ode_real a = x[i], sum = 0; for (int j = 0; j < %d; j++) {\n"
                " sum += %s%s(a%s); a += w; } z[i] = sum; }\n",
                ours ? "ours" : "theirs", name, REPEATED, ours ? "ode_math_" : "", name, second);
    }
    return text;
}

static cl_context context;
static cl_command_queue queue;
static cl_program program;
static cl_mem x_buffer, y_buffer, z_buffer;
static size_t loop_items = VALUES; /* fewer on a processor */

/* Nanoseconds per value, the best of some rounds. */
static double run(const char *kind, const char *name, int rounds) {
    char kernel_name[64];
    const size_t items = rounds > 1 ? loop_items : VALUES;
    double best = 0;
    cl_int status;
    snprintf(kernel_name, sizeof kernel_name, "%s_%s", kind, name);
    const cl_kernel kernel = clCreateKernel(program, kernel_name, &status);
    check(status, kernel_name);
    check(clSetKernelArg(kernel, 0, sizeof x_buffer, &x_buffer), "arguments");
    check(clSetKernelArg(kernel, 1, sizeof y_buffer, &y_buffer), "arguments");
    check(clSetKernelArg(kernel, 2, sizeof z_buffer, &z_buffer), "arguments");
    for (int round = 0; round < rounds; round++) {
        cl_event event;
        cl_ulong start, end;
        check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, &event),
            kernel_name);
        check(clWaitForEvents(1, &event), kernel_name);
        check(
            clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof start, &start, NULL),
            "profiling");
        check(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL),
            "profiling");
        clReleaseEvent(event);
        const double time = (double)(end - start) / (double)items / REPEATED;
        if (!round || time < best) best = time;
    }
    clReleaseKernel(kernel);
    return best;
}

static union {
    float f32[VALUES];
    double f64[VALUES];
} x, y, z;

static int different(int k, int i, int is_double) {
    if (is_double) {
        const double mine = functions[k].f64(x.f64[i], y.f64[i]);
        return !(mine != mine && z.f64[i] != z.f64[i]) && memcmp(&mine, &z.f64[i], sizeof mine);
    }
    const float mine = functions[k].f32(x.f32[i], y.f32[i]);
    return !(mine != mine && z.f32[i] != z.f32[i]) && memcmp(&mine, &z.f32[i], sizeof mine);
}
/* Arguments of all sizes, or in loops between 0.05 and 0.95 with their increments. */
static void fill(int in_loops, int is_double, size_t size) {
    uint64_t state = 2012;
    for (int i = 0; i < VALUES; i++) {
        const double unit = (double)math_random(&state) * 0x1p-64;
        if (is_double) {
            x.f64[i] = in_loops ? 0.05 + 0.4 * unit : math_argument_f64(&state, i & 1);
            y.f64[i] = in_loops ? 0.00195 : math_argument_f64(&state, i & 2);
        } else {
            x.f32[i] = in_loops ? (float)(0.05 + 0.4 * unit) : math_argument_f32(&state, i & 1);
            y.f32[i] = in_loops ? 0.00195f : math_argument_f32(&state, i & 2);
        }
    }
    check(clEnqueueWriteBuffer(queue, x_buffer, CL_TRUE, 0, size, &x, 0, NULL, NULL), "writing");
    check(clEnqueueWriteBuffer(queue, y_buffer, CL_TRUE, 0, size, &y, 0, NULL, NULL), "writing");
}

static int measure(const char *sources, cl_device_id device, int is_double) {
    const size_t size = VALUES * (is_double ? sizeof(double) : sizeof(float));
    char *const text = program_text(sources, is_double);
    int failed = 0;
    cl_int status;
    program = clCreateProgramWithSource(context, 1, (const char **)&text, NULL, &status);
    check(status, "the program");
    check(clBuildProgram(program, 1, &device, "-cl-std=CL1.2", NULL, NULL), "compiling");
    x_buffer = clCreateBuffer(context, CL_MEM_READ_ONLY, size, NULL, &status);
    check(status, "a buffer");
    y_buffer = clCreateBuffer(context, CL_MEM_READ_ONLY, size, NULL, &status);
    check(status, "a buffer");
    z_buffer = clCreateBuffer(context, CL_MEM_WRITE_ONLY, size, NULL, &status);
    check(status, "a buffer");
    for (int k = 0; k < FUNCTIONS; k++) {
        int count = 0;
        fill(0, is_double, size);
        run("once", functions[k].name, 1);
        check(clEnqueueReadBuffer(queue, z_buffer, CL_TRUE, 0, size, &z, 0, NULL, NULL), "reading");
        for (int i = 0; i < VALUES; i++) count += different(k, i, is_double);
        fill(1, is_double, size);
        const double ours = run("ours", functions[k].name, ROUNDS);
        const double theirs = run("theirs", functions[k].name, ROUNDS);
        printf("| `%s` | %s | %.5f | %.5f | %.2f | %d |\n", functions[k].name,
            is_double ? "double" : "float", ours, theirs, ours / theirs, count);
        fflush(stdout);
        failed |= count != 0;
    }
    clReleaseMemObject(x_buffer);
    clReleaseMemObject(y_buffer);
    clReleaseMemObject(z_buffer);
    clReleaseProgram(program);
    free(text);
    return failed;
}

/* The first GPU of all platforms, or else the first device. */
static cl_device_id choose(void) {
    enum { MOST = 16 };
    cl_platform_id platforms[MOST];
    cl_device_id device = NULL;
    cl_uint count = 0;
    check(clGetPlatformIDs(MOST, platforms, &count), "platforms");
    if (count > MOST) count = MOST;
    for (int gpu = 1; gpu >= 0; gpu--)
        for (cl_uint k = 0; k < count; k++)
            if (!clGetDeviceIDs(
                    platforms[k], gpu ? CL_DEVICE_TYPE_GPU : CL_DEVICE_TYPE_ALL, 1, &device, NULL))
                return device;
    fprintf(stderr, "functions_device: no device\n");
    exit(1);
}

int main(int argc, char **argv) {
    cl_int status;
    char name[256];
    cl_device_fp_config doubles = 0;
    if (argc != 2) return fprintf(stderr, "usage: functions_device SOURCES\n"), 2;
    const cl_device_id device = choose();
    check(clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof name, name, NULL), "the device");
    cl_device_type type = 0;
    clGetDeviceInfo(device, CL_DEVICE_TYPE, sizeof type, &type, NULL);
    if (type & CL_DEVICE_TYPE_CPU) loop_items = VALUES / 256;
    clGetDeviceInfo(device, CL_DEVICE_DOUBLE_FP_CONFIG, sizeof doubles, &doubles, NULL);
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
    check(status, "a context");
    queue = clCreateCommandQueue(context, device, CL_QUEUE_PROFILING_ENABLE, &status);
    check(status, "a queue");
    printf(
        "%s\n\n| function | precision | ns per value | the device's own | share of it | other bits "
        "than C |\n|---|---|---|---|---|---|\n",
        name);
    int failed = measure(argv[1], device, 0);
    if (doubles) failed |= measure(argv[1], device, 1);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    return failed;
}
