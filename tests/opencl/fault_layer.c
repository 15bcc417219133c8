/* SPDX-License-Identifier: BSD-2-Clause */
/* fault_layer.c - a layer for the OpenCL loader (environment variable OPENCL_LAYERS): it counts the
   calls that libeulercl makes, lets one fail, or that and all after it, counts live objects, and
   can take double precision or exactness from a device, or make it a GPU. It ends a process whose
   kernels write outside a buffer. */
#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#include <CL/cl_icd.h>
#include <CL/cl_layer.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

/* EULERCL_TEST_FAIL=CALL:NUMBER is for tests of the command. It lets call number NUMBER (0: the
 * first) of that name find no memory. */
static const char *planned;
static atomic_long planned_in;

static const cl_icd_dispatch *below; /* the next layer, or the loader */
static atomic_long fail_in = -1, live;
static int fail_code, fail_on, without_double, inexact;
static const char *_Atomic failed = "";

/* Tests call this: the call that is `calls` away gives `code`; negative: no call fails. */
EXPORT void fault_layer_fail(long calls, int code, int from_then_on);
void fault_layer_fail(long calls, int code, int from_then_on) {
    if (calls >= 0) failed = "";
    fail_code = code;
    fail_on = from_then_on;
    fail_in = calls;
}
/* Contexts, queues, buffers, programs, kernels, events: references not yet released. */
EXPORT long fault_layer_live(void);
long fault_layer_live(void) { return live; }
/* The call that failed first; "" for none. */
EXPORT const char *fault_layer_failed(void);
const char *fault_layer_failed(void) { return failed; }
EXPORT void fault_layer_device(int lacks_double, int is_inexact);
void fault_layer_device(int lacks_double, int is_inexact) {
    without_double = lacks_double;
    inexact = is_inexact;
}

/* Every device is a GPU with so much memory of its own; 0: what it is. */
static cl_ulong gpu_bytes;
EXPORT void fault_layer_gpu(cl_ulong bytes);
void fault_layer_gpu(cl_ulong bytes) { gpu_bytes = bytes; }

/* Questions that the library can do without, or asks twice: a single failure may go unnoticed, or
   mean that there is no such device. They can be spared, which then do not count either. */
EXPORT int fault_layer_is_question(const char *call);
int fault_layer_is_question(const char *call) {
    static const char *const questions[] = {"clGetPlatformIDs", "clGetPlatformInfo",
        "clGetDeviceIDs", "clGetDeviceInfo", "clGetProgramBuildInfo"};
    int found = 0;
    for (size_t i = 0; i < sizeof questions / sizeof *questions; i++)
        found |= !strcmp(call, questions[i]);
    return found;
}
static int spare_questions;
EXPORT void fault_layer_spare_questions(int spare);
void fault_layer_spare_questions(int spare) { spare_questions = spare; }

static int told_to_fail(const char *name) {
    const size_t length = strlen(name);
    if (planned && !strncmp(planned, name, length) && planned[length] == ':' && !planned_in--) {
        fail_code = CL_MEM_OBJECT_ALLOCATION_FAILURE;
        return 1;
    }
    if (fail_in < 0 || (spare_questions && fault_layer_is_question(name))) return 0;
    const long left = fail_in--;
    if (left) return 0;
    if (!*failed) failed = name;
    if (fail_on) fail_in = 0;
    return 1;
}

/* Calls that return their status. */
#define CALLS(X)                                                                                  \
    X(clGetPlatformIDs, (cl_uint a, cl_platform_id * b, cl_uint * c), (a, b, c))                  \
    X(clGetPlatformInfo, (cl_platform_id a, cl_platform_info b, size_t c, void *d, size_t *e),    \
        (a, b, c, d, e))                                                                          \
    X(clGetDeviceIDs,                                                                             \
        (cl_platform_id a, cl_device_type b, cl_uint c, cl_device_id * d, cl_uint * e),           \
        (a, b, c, d, e))                                                                          \
    X(clGetCommandQueueInfo,                                                                      \
        (cl_command_queue a, cl_command_queue_info b, size_t c, void *d, size_t *e),              \
        (a, b, c, d, e))                                                                          \
    X(clBuildProgram,                                                                             \
        (cl_program a, cl_uint b, const cl_device_id *c, const char *d,                           \
            void(CL_CALLBACK * e)(cl_program, void *), void *f),                                  \
        (a, b, c, d, e, f))                                                                       \
    X(clGetProgramBuildInfo,                                                                      \
        (cl_program a, cl_device_id b, cl_program_build_info c, size_t d, void *e, size_t *f),    \
        (a, b, c, d, e, f))                                                                       \
    X(clSetKernelArg, (cl_kernel a, cl_uint b, size_t c, const void *d), (a, b, c, d))            \
    X(clGetKernelWorkGroupInfo,                                                                   \
        (cl_kernel a, cl_device_id b, cl_kernel_work_group_info c, size_t d, void *e, size_t *f), \
        (a, b, c, d, e, f))                                                                       \
    X(clFinish, (cl_command_queue a), (a))                                                        \
    X(clGetEventProfilingInfo, (cl_event a, cl_profiling_info b, size_t c, void *d, size_t *e),   \
        (a, b, c, d, e))                                                                          \
    X(clFlush, (cl_command_queue a), (a))                                                         \
    X(clWaitForEvents, (cl_uint a, const cl_event *b), (a, b))                                    \
    X(clEnqueueCopyBuffer,                                                                        \
        (cl_command_queue a, cl_mem b, cl_mem c, size_t d, size_t e, size_t f, cl_uint g,         \
            const cl_event *h, cl_event *i),                                                      \
        (a, b, c, d, e, f, g, h, i))                                                              \
    X(clEnqueueFillBuffer,                                                                        \
        (cl_command_queue a, cl_mem b, const void *c, size_t d, size_t e, size_t f, cl_uint g,    \
            const cl_event *h, cl_event *i),                                                      \
        (a, b, c, d, e, f, g, h, i))

/* Calls that return an object, and the status through their last argument. */
/* clang-format off */
#define CREATIONS(X) \
    X(cl_context, clCreateContext, (const cl_context_properties *a, cl_uint b, const cl_device_id \
    *c, void (CL_CALLBACK *d)(const char *, const void *, size_t, void *), void *e, cl_int \
    *status), (a, b, c, d, e, status)) \
    X(cl_command_queue, clCreateCommandQueue, (cl_context a, cl_device_id b, \
    cl_command_queue_properties c, cl_int *status), (a, b, c, status)) \
    X(cl_program, clCreateProgramWithSource, (cl_context a, cl_uint b, const char **c, const \
    size_t *d, cl_int *status), (a, b, c, d, status)) \
    X(cl_kernel, clCreateKernel, (cl_program a, const char *b, cl_int *status), (a, b, status))
/* clang-format on */

/* Calls that change the number of references; releasing never fails. */
/* clang-format off */
#define REFERENCES(X) \
    X(clRetainContext, cl_context, 1) X(clReleaseContext, cl_context, -1) X(clRetainCommandQueue, \
    cl_command_queue, 1) X(clReleaseCommandQueue, cl_command_queue, -1) \
    X(clRetainMemObject, cl_mem, 1) X(clReleaseMemObject, cl_mem, -1) X(clRetainProgram, \
    cl_program, 1) X(clReleaseProgram, cl_program, -1) \
    X(clRetainKernel, cl_kernel, 1) X(clReleaseKernel, cl_kernel, -1) X(clRetainEvent, cl_event, \
    1) X(clReleaseEvent, cl_event, -1)
/* clang-format on */

#define CALL(name, parameters, arguments)                               \
    static cl_int CL_API_CALL my_##name parameters {                    \
        return told_to_fail(#name) ? fail_code : below->name arguments; \
    }
CALLS(CALL)

#define CREATION(type, name, parameters, arguments) \
    static type CL_API_CALL my_##name parameters {  \
        type object = NULL;                         \
        if (told_to_fail(#name))                    \
            *status = fail_code;                    \
        else                                        \
            object = below->name arguments;         \
        live += object != NULL;                     \
        return object;                              \
    }
CREATIONS(CREATION)

#define REFERENCE(name, type, change)                            \
    static cl_int CL_API_CALL my_##name(type object) {           \
        if (change > 0 && told_to_fail(#name)) return fail_code; \
        const cl_int status = below->name(object);               \
        if (!status) live += change;                             \
        return status;                                           \
    }
REFERENCES(REFERENCE)

/* ---- guard bands ---- */

/* A processor's driver uses the memory that it is given, and notices no access outside of it. So
 * each buffer lies between two bands, which are compared when the driver no longer needs it, or
 * when the process ends. All bits are set: what a kernel reads there is not a number. */
enum { BAND_BYTES = 1 << 16, BAND_VALUE = 0xFF };

struct guarded {
    struct guarded *next;
    unsigned char *memory; /* band, buffer, band */
    size_t bytes;          /* size of the buffer */
};
static struct guarded *all_guarded;
static pthread_mutex_t guarded_lock = PTHREAD_MUTEX_INITIALIZER;

static void check_band(const struct guarded *g, const char *where, size_t begin) {
    size_t written = 0;
    for (size_t i = 0; i < BAND_BYTES; i++) written += g->memory[begin + i] != BAND_VALUE;
    if (!written) return;
    fprintf(stderr, "fault layer: %zu bytes were written %s a buffer of %zu bytes\n", written,
        where, g->bytes);
    abort();
}

static void check_bands(const struct guarded *g) {
    check_band(g, "before", 0);
    check_band(g, "behind", BAND_BYTES + g->bytes);
}

static void CL_CALLBACK end_guarded(cl_mem buffer, void *user) {
    struct guarded *const g = user, **place = &all_guarded;
    (void)buffer;
    check_bands(g);
    pthread_mutex_lock(&guarded_lock);
    while (*place != g) place = &(*place)->next;
    *place = g->next;
    pthread_mutex_unlock(&guarded_lock);
    free(g->memory);
    free(g);
}

/* A child of fork() may have copied a lock that is never released. */
__attribute__((destructor)) static void check_all_bands(void) {
    if (pthread_mutex_trylock(&guarded_lock)) return;
    for (const struct guarded *g = all_guarded; g; g = g->next) check_bands(g);
    pthread_mutex_unlock(&guarded_lock);
}

static int is_processor(cl_context context) {
    cl_device_id devices[64];
    cl_device_type type = 0;
    return !below->clGetContextInfo(context, CL_CONTEXT_DEVICES, sizeof devices, devices, NULL) &&
           !below->clGetDeviceInfo(*devices, CL_DEVICE_TYPE, sizeof type, &type, NULL) &&
           type & CL_DEVICE_TYPE_CPU;
}

static cl_mem create_guarded(cl_context context, cl_mem_flags flags, size_t bytes, cl_int *status) {
    const size_t room = (2 * BAND_BYTES + bytes + BAND_BYTES - 1) / BAND_BYTES * BAND_BYTES;
    struct guarded *const g = malloc(sizeof *g);
    unsigned char *const memory = g ? aligned_alloc(BAND_BYTES, room) : NULL;
    *status = CL_MEM_OBJECT_ALLOCATION_FAILURE;
    cl_mem buffer = memory ? below->clCreateBuffer(context, flags | CL_MEM_USE_HOST_PTR, bytes,
                                 memory + BAND_BYTES, status)
                           : NULL;
    if (!buffer) {
        free(memory);
        free(g);
        return NULL;
    }
    memset(memory, BAND_VALUE, BAND_BYTES);
    memset(memory + BAND_BYTES + bytes, BAND_VALUE, BAND_BYTES);
    pthread_mutex_lock(&guarded_lock);
    *g = (struct guarded){all_guarded, memory, bytes};
    all_guarded = g;
    pthread_mutex_unlock(&guarded_lock);
    below->clSetMemObjectDestructorCallback(buffer, end_guarded, g);
    return buffer;
}

static cl_mem CL_API_CALL my_clCreateBuffer(
    cl_context context, cl_mem_flags flags, size_t bytes, void *data, cl_int *status) {
    const cl_mem_flags of_host = CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR;
    if (told_to_fail("clCreateBuffer")) {
        *status = fail_code;
        return NULL;
    }
    const cl_mem buffer = flags & of_host || !is_processor(context)
                              ? below->clCreateBuffer(context, flags, bytes, data, status)
                              : create_guarded(context, flags, bytes, status);
    live += buffer != NULL;
    return buffer;
}

/* ---- calls that do more than to be counted ---- */

static cl_int CL_API_CALL my_clGetDeviceInfo(
    cl_device_id device, cl_device_info what, size_t size, void *value, size_t *needed) {
    if (told_to_fail("clGetDeviceInfo")) return fail_code;
    const cl_int status = below->clGetDeviceInfo(device, what, size, value, needed);
    if (!status && value && without_double && what == CL_DEVICE_DOUBLE_FP_CONFIG)
        memset(value, 0, size);
    if (!status && value && gpu_bytes && what == CL_DEVICE_TYPE)
        *(cl_device_type *)value = CL_DEVICE_TYPE_GPU;
    if (!status && value && gpu_bytes && what == CL_DEVICE_HOST_UNIFIED_MEMORY)
        *(cl_bool *)value = CL_FALSE;
    if (!status && value && gpu_bytes &&
        (what == CL_DEVICE_GLOBAL_MEM_SIZE || what == CL_DEVICE_MAX_MEM_ALLOC_SIZE))
        *(cl_ulong *)value = gpu_bytes;
    /* PoCL keeps the private variables of a whole group on the stack of one thread. */
    if (!status && value && gpu_bytes && what == CL_DEVICE_MAX_WORK_GROUP_SIZE)
        *(size_t *)value = 64;
    return status;
}

/* Its event is an object, too. */
static cl_int CL_API_CALL my_clEnqueueReadBuffer(cl_command_queue queue, cl_mem buffer,
    cl_bool blocking, size_t offset, size_t size, void *data, cl_uint count, const cl_event *events,
    cl_event *event) {
    if (told_to_fail("clEnqueueReadBuffer")) return fail_code;
    const cl_int status = below->clEnqueueReadBuffer(
        queue, buffer, blocking, offset, size, data, count, events, event);
    if (!status && inexact && blocking && size) ((unsigned char *)data)[size / 2] ^= 1;
    live += !status && event;
    return status;
}

static cl_int CL_API_CALL my_clEnqueueWriteBuffer(cl_command_queue queue, cl_mem buffer,
    cl_bool blocking, size_t offset, size_t size, const void *data, cl_uint count,
    const cl_event *events, cl_event *event) {
    if (told_to_fail("clEnqueueWriteBuffer")) return fail_code;
    const cl_int status = below->clEnqueueWriteBuffer(
        queue, buffer, blocking, offset, size, data, count, events, event);
    live += !status && event;
    return status;
}

static void *CL_API_CALL my_clEnqueueMapBuffer(cl_command_queue queue, cl_mem buffer,
    cl_bool blocking, cl_map_flags flags, size_t offset, size_t size, cl_uint count,
    const cl_event *events, cl_event *event, cl_int *status) {
    if (!told_to_fail("clEnqueueMapBuffer"))
        return below->clEnqueueMapBuffer(
            queue, buffer, blocking, flags, offset, size, count, events, event, status);
    *status = fail_code;
    return NULL;
}

/* The launch of a kernel can fail, too. */
static cl_int CL_API_CALL my_clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel,
    cl_uint dimensions, const size_t *offset, const size_t *items, const size_t *workgroup,
    cl_uint count, const cl_event *events, cl_event *event) {
    if (told_to_fail("clEnqueueNDRangeKernel")) return fail_code;
    const cl_int status = below->clEnqueueNDRangeKernel(
        queue, kernel, dimensions, offset, items, workgroup, count, events, event);
    live += !status && event;
    return status;
}

EXPORT CL_API_ENTRY cl_int CL_API_CALL clGetLayerInfo(
    cl_layer_info what, size_t size, void *value, size_t *needed) {
    static const char name[] = "libeulercl fault layer";
    const cl_layer_api_version version = CL_LAYER_API_VERSION_100;
    const void *answer = what == CL_LAYER_NAME ? (const void *)name : (const void *)&version;
    const size_t answer_size = what == CL_LAYER_NAME ? sizeof name : sizeof version;
    if (what != CL_LAYER_NAME && what != CL_LAYER_API_VERSION) return CL_INVALID_VALUE;
    if (value && size < answer_size) return CL_INVALID_VALUE;
    if (value) memcpy(value, answer, answer_size);
    if (needed) *needed = answer_size;
    return CL_SUCCESS;
}

EXPORT CL_API_ENTRY cl_int CL_API_CALL clInitLayer(cl_uint entries, const cl_icd_dispatch *target,
    cl_uint *my_entries, const cl_icd_dispatch **mine) {
    static cl_icd_dispatch dispatch;
    if (!target || !my_entries || !mine || entries < sizeof dispatch / sizeof(void *))
        return CL_INVALID_VALUE;
    below = target;
    planned = getenv("EULERCL_TEST_FAIL");
    if (planned && strchr(planned, ':')) planned_in = strtol(strchr(planned, ':') + 1, NULL, 10);
    dispatch = *target;
#define ENTER_CALL(name, parameters, arguments) dispatch.name = my_##name;
#define ENTER_CREATION(type, name, parameters, arguments) dispatch.name = my_##name;
#define ENTER_REFERENCE(name, type, change) dispatch.name = my_##name;
    CALLS(ENTER_CALL)
    CREATIONS(ENTER_CREATION)
    REFERENCES(ENTER_REFERENCE)
    dispatch.clGetDeviceInfo = my_clGetDeviceInfo;
    dispatch.clCreateBuffer = my_clCreateBuffer;
    dispatch.clEnqueueNDRangeKernel = my_clEnqueueNDRangeKernel;
    dispatch.clEnqueueMapBuffer = my_clEnqueueMapBuffer;
    dispatch.clEnqueueReadBuffer = my_clEnqueueReadBuffer;
    dispatch.clEnqueueWriteBuffer = my_clEnqueueWriteBuffer;
    *my_entries = sizeof dispatch / sizeof(void *);
    *mine = &dispatch;
    return CL_SUCCESS;
}
