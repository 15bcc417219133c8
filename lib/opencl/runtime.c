/* SPDX-License-Identifier: BSD-2-Clause */
/* runtime.c - see opencl/runtime.h. */
#include "config.h"
#include "runtime.h"
#include "../mem.h"
#include "../text.h"
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

enum {
    MAX_PLATFORMS = 64,
    MAX_DEVICES = 64,
    FILL_BYTES = 1 << 30, /* NVIDIA's driver loses the queue after a fill beyond 8 GiB; copies of
                             that size work */
};

static const char pocl[] = "Portable Computing Language";

/* The name of an OpenCL status, of those that core functions return, or what it means. */
static const char *status_name(cl_int cl) {
#define STATUS_(NAME) \
    { NAME, #NAME }
    static const struct {
        cl_int status;
        const char *name;
    } statuses[] = {STATUS_(CL_DEVICE_NOT_FOUND), STATUS_(CL_DEVICE_NOT_AVAILABLE),
        STATUS_(CL_COMPILER_NOT_AVAILABLE), STATUS_(CL_MEM_OBJECT_ALLOCATION_FAILURE),
        STATUS_(CL_OUT_OF_RESOURCES), STATUS_(CL_OUT_OF_HOST_MEMORY),
        STATUS_(CL_PROFILING_INFO_NOT_AVAILABLE), STATUS_(CL_MEM_COPY_OVERLAP),
        STATUS_(CL_BUILD_PROGRAM_FAILURE), STATUS_(CL_MAP_FAILURE),
        STATUS_(CL_MISALIGNED_SUB_BUFFER_OFFSET),
        STATUS_(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST), STATUS_(CL_INVALID_VALUE),
        STATUS_(CL_INVALID_DEVICE_TYPE), STATUS_(CL_INVALID_PLATFORM), STATUS_(CL_INVALID_DEVICE),
        STATUS_(CL_INVALID_CONTEXT), STATUS_(CL_INVALID_QUEUE_PROPERTIES),
        STATUS_(CL_INVALID_COMMAND_QUEUE), STATUS_(CL_INVALID_HOST_PTR),
        STATUS_(CL_INVALID_MEM_OBJECT), STATUS_(CL_INVALID_BINARY),
        STATUS_(CL_INVALID_BUILD_OPTIONS), STATUS_(CL_INVALID_PROGRAM),
        STATUS_(CL_INVALID_PROGRAM_EXECUTABLE), STATUS_(CL_INVALID_KERNEL_NAME),
        STATUS_(CL_INVALID_KERNEL_DEFINITION), STATUS_(CL_INVALID_KERNEL),
        STATUS_(CL_INVALID_ARG_INDEX), STATUS_(CL_INVALID_ARG_VALUE), STATUS_(CL_INVALID_ARG_SIZE),
        STATUS_(CL_INVALID_KERNEL_ARGS), STATUS_(CL_INVALID_WORK_DIMENSION),
        STATUS_(CL_INVALID_WORK_GROUP_SIZE), STATUS_(CL_INVALID_WORK_ITEM_SIZE),
        STATUS_(CL_INVALID_GLOBAL_OFFSET), STATUS_(CL_INVALID_EVENT_WAIT_LIST),
        STATUS_(CL_INVALID_EVENT), STATUS_(CL_INVALID_OPERATION), STATUS_(CL_INVALID_BUFFER_SIZE),
        STATUS_(CL_INVALID_GLOBAL_WORK_SIZE), STATUS_(CL_INVALID_PROPERTY)};
#undef STATUS_
    for (size_t i = 0; i < sizeof statuses / sizeof *statuses; i++)
        if (statuses[i].status == cl) return statuses[i].name;
    /* NVIDIA's driver returns this one, which no header names. */
    if (cl == -9999) return "NVIDIA's driver: a kernel read or wrote outside a buffer";
    return "unknown status";
}

int ecl_cl_fail(eulercl_error *error, cl_int cl, const char *doing) {
    const int memory = cl == CL_MEM_OBJECT_ALLOCATION_FAILURE || cl == CL_OUT_OF_RESOURCES ||
                       cl == CL_OUT_OF_HOST_MEMORY || cl == CL_INVALID_BUFFER_SIZE;
    const int code = ecl_fail(error, memory ? EULERCL_MEMORY : EULERCL_INTERNAL,
        "OpenCL: %s failed: %s (%d)", doing, status_name(cl), cl);
    if (error) error->cl_code = cl;
    return code;
}

/* ---- devices ---- */

static void get_string(cl_device_id device, cl_device_info what, char *text, size_t size) {
    if (clGetDeviceInfo(device, what, size, text, NULL)) text[0] = 0;
    text[size - 1] = 0;
}

static uint64_t get_number(cl_device_id device, cl_device_info what, size_t size) {
    cl_ulong wide = 0;
    cl_uint narrow = 0;
    if (size == sizeof narrow)
        return clGetDeviceInfo(device, what, sizeof narrow, &narrow, NULL) ? 0 : narrow;
    return clGetDeviceInfo(device, what, sizeof wide, &wide, NULL) ? 0 : wide;
}

/* The numbers of cl_nv_device_attribute_query, which only NVIDIA's platform is asked for. */
static uint32_t get_capability(cl_device_id device) {
    enum { MAJOR = 0x4000, MINOR = 0x4001 };
    return (uint32_t)(10 * get_number(device, MAJOR, sizeof(cl_uint)) +
                      get_number(device, MINOR, sizeof(cl_uint)));
}

static void describe(cl_device_id device, const char *id, eulercl_device_info *info) {
    cl_platform_id platform = NULL;
    *info = (eulercl_device_info){.struct_size = sizeof *info};
    snprintf(info->id, sizeof info->id, "%s", id);
    get_string(device, CL_DEVICE_NAME, info->name, sizeof info->name);
    get_string(device, CL_DEVICE_VENDOR, info->vendor, sizeof info->vendor);
    get_string(device, CL_DRIVER_VERSION, info->driver, sizeof info->driver);
    if (!clGetDeviceInfo(device, CL_DEVICE_PLATFORM, sizeof platform, &platform, NULL) &&
        clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof info->platform, info->platform, NULL))
        info->platform[0] = 0;
    const uint64_t type = get_number(device, CL_DEVICE_TYPE, sizeof(cl_ulong));
    info->is_gpu = (type & CL_DEVICE_TYPE_GPU) != 0;
    info->is_cpu = (type & CL_DEVICE_TYPE_CPU) != 0;
    info->has_double = get_number(device, CL_DEVICE_DOUBLE_FP_CONFIG, sizeof(cl_ulong)) != 0;
    info->compute_units =
        (uint32_t)get_number(device, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof(cl_uint));
    info->global_bytes = get_number(device, CL_DEVICE_GLOBAL_MEM_SIZE, sizeof(cl_ulong));
    info->max_allocation_bytes = get_number(device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof(cl_ulong));
    info->local_bytes = get_number(device, CL_DEVICE_LOCAL_MEM_SIZE, sizeof(cl_ulong));
    info->max_workgroup_size = get_number(device, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof(size_t));
    if (strstr(info->platform, "NVIDIA")) info->compute_capability = get_capability(device);
}

struct device_search {
    const char *wanted; /* NULL: any */
    size_t index;       /* count down to this device */
    int gpus_only, found;
    cl_device_id device;
    eulercl_device_info info;
    char obstacle[320]; /* why there are no devices, or fewer than expected; "": the reason is not
                           known */
};

/* Call visit for each device of each platform until it returns non-zero. Platforms that are broken
 * or have no device are skipped. */
static void list_devices(
    int (*visit)(cl_device_id device, const char *id, struct device_search *search),
    struct device_search *search) {
    cl_platform_id platforms[MAX_PLATFORMS];
    cl_device_id devices[MAX_DEVICES];
    cl_uint platform_count = 0;
    if (clGetPlatformIDs(MAX_PLATFORMS, platforms, &platform_count))
        platform_count = 0; /* -1001: the loader found no driver */
    if (!platform_count)
        snprintf(search->obstacle, sizeof search->obstacle,
            "no driver is installed (Debian: pocl-opencl-icd runs on every CPU)");
    for (cl_uint p = 0; p < platform_count && p < MAX_PLATFORMS; p++) {
        cl_uint device_count = 0;
        if (clGetDeviceIDs(platforms[p], CL_DEVICE_TYPE_ALL, MAX_DEVICES, devices, &device_count) ||
            !device_count) {
            char name[128] = "";
            if (clGetPlatformInfo(platforms[p], CL_PLATFORM_NAME, sizeof name, name, NULL))
                snprintf(name, sizeof name, "number %u", p);
            snprintf(search->obstacle, sizeof search->obstacle, "platform %s has no device; %s",
                name,
                strcmp(name, pocl) ? "check that your user may access it (groups render, video)"
                                   : "it needs a writable cache folder in XDG_CACHE_HOME or HOME, "
                                     "or in POCL_CACHE_DIR");
            continue;
        }
        for (cl_uint d = 0; d < device_count && d < MAX_DEVICES; d++) {
            char id[32];
            snprintf(id, sizeof id, "%u:%u", p, d);
            if (visit(devices[d], id, search)) return;
        }
    }
}

/* PoCL 3.1 returns a device that another thread is still initialising, so the first calls of a
 * process must not overlap. After fork() a driver's threads exist only in the parent: calls in the
 * child may wait for them for ever, or for a lock that is never released. */
static void each_device(
    int (*visit)(cl_device_id device, const char *id, struct device_search *search),
    struct device_search *search) {
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static atomic_long first_process;
    long process = 0;
    if (!atomic_compare_exchange_strong(&first_process, &process, (long)getpid()) &&
        process != (long)getpid()) {
        snprintf(search->obstacle, sizeof search->obstacle,
            "this process is a child of one that used OpenCL before fork()");
        return;
    }
    pthread_mutex_lock(&lock);
    list_devices(visit, search);
    pthread_mutex_unlock(&lock);
}

static int usable(cl_device_id device) {
    cl_bool available = CL_FALSE, compiler = CL_FALSE;
    clGetDeviceInfo(device, CL_DEVICE_AVAILABLE, sizeof available, &available, NULL);
    clGetDeviceInfo(device, CL_DEVICE_COMPILER_AVAILABLE, sizeof compiler, &compiler, NULL);
    return available && compiler;
}

static int visit_for_list(cl_device_id device, const char *id, struct device_search *search) {
    if (search->index--) return 0;
    describe(device, id, &search->info);
    return search->found = 1;
}

static int contains(const char *text, const char *part) {
    const size_t length = strlen(part);
    for (; *text; text++)
        if (!strncasecmp(text, part, length)) return 1;
    return 0;
}

static int visit_for_choice(cl_device_id device, const char *id, struct device_search *search) {
    eulercl_device_info info;
    describe(device, id, &info);
    const char *wanted = search->wanted;
    const int matches = !wanted                    ? 1
                        : !strcmp(wanted, "gpu")   ? info.is_gpu
                        : !strcmp(wanted, "cpu")   ? info.is_cpu
                        : !strcmp(wanted, info.id) ? 1
                                                   : contains(info.name, wanted);
    if (!matches || !usable(device) || (search->gpus_only && !info.is_gpu)) return 0;
    search->device = device;
    search->info = info;
    return search->found = 1;
}

int eulercl_get_device(size_t index, eulercl_device_info *device, eulercl_error *error) {
    EULERCL_NEEDS(device);
    struct device_search search = {.index = index};
    each_device(visit_for_list, &search);
    if (!search.found && !index)
        return ecl_fail(error, EULERCL_NO_DEVICE, "no OpenCL device: %s", search.obstacle);
    if (!search.found)
        return ecl_fail(error, EULERCL_NO_DEVICE, "there is no OpenCL device number %zu", index);
    return ecl_copy_out(device, device->struct_size, &search.info, sizeof search.info, error);
}

static int queue_device(
    const eulercl_options *options, cl_device_id *device, eulercl_error *error) {
    cl_command_queue_properties properties = 0;
    cl_context context = NULL;
    cl_int cl =
        clGetCommandQueueInfo(options->cl_queue, CL_QUEUE_DEVICE, sizeof *device, device, NULL);
    if (!cl)
        cl = clGetCommandQueueInfo(
            options->cl_queue, CL_QUEUE_CONTEXT, sizeof context, &context, NULL);
    if (!cl)
        cl = clGetCommandQueueInfo(
            options->cl_queue, CL_QUEUE_PROPERTIES, sizeof properties, &properties, NULL);
    return cl || context != options->cl_context ||
                   (properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE)
               ? ecl_fail(error, EULERCL_INVALID,
                     "cl_queue is not an in-order command queue of cl_context")
               : EULERCL_OK;
}

static int find_device(const eulercl_options *options, int gpus_only, struct device_search *search,
    eulercl_error *error) {
    *search = (struct device_search){.wanted = ecl_wanted_device(options), .gpus_only = 1};
    each_device(visit_for_choice, search);
    if (!search->found && !gpus_only) {
        search->gpus_only = 0;
        each_device(visit_for_choice, search);
    }
    if (search->found) return EULERCL_OK;
    const char *const obstacle = search->obstacle;
    if (search->wanted)
        return ecl_fail(error, EULERCL_NO_DEVICE,
            "no usable OpenCL device matches '%.100s'; `eulercl devices` lists them%s%s",
            search->wanted, *obstacle ? "; " : "", obstacle);
    return ecl_fail(error, EULERCL_NO_DEVICE,
        "no usable OpenCL device: %s; the backends seq, cpu and pthreads need no device",
        *obstacle ? obstacle : "no device is both available and equipped with a compiler");
}

int ecl_cl_find_device(const eulercl_options *options, int gpus_only, eulercl_device_info *device,
    int *chosen_by_user, eulercl_error *error) {
    struct device_search search;
    *chosen_by_user = options->cl_queue || ecl_wanted_device(options);
    const int status = options->cl_queue ? queue_device(options, &search.device, error)
                                         : find_device(options, gpus_only, &search, error);
    if (!status && options->cl_queue)
        describe(search.device, "", device);
    else if (!status)
        *device = search.info;
    return status;
}

/* ---- context and queue ---- */

static void describe_runtime(struct cl_runtime *r) {
    r->max_arguments = get_number(r->device, CL_DEVICE_MAX_PARAMETER_SIZE, sizeof(size_t));
    r->shares_memory = get_number(r->device, CL_DEVICE_HOST_UNIFIED_MEMORY, sizeof(cl_bool)) != 0;
}

static int take_callers(
    struct cl_runtime *r, const eulercl_options *options, eulercl_error *error) {
    r->context = options->cl_context;
    r->queue = options->cl_queue;
    const int status = queue_device(options, &r->device, error);
    if (status) return status;
    cl_command_queue_properties properties = 0;
    clGetCommandQueueInfo(r->queue, CL_QUEUE_PROPERTIES, sizeof properties, &properties, NULL);
    if (options->device_events && !(properties & CL_QUEUE_PROFILING_ENABLE))
        return ecl_fail(error, EULERCL_UNSUPPORTED,
            "device_events: cl_queue does not record times, because it was made without "
            "CL_QUEUE_PROFILING_ENABLE");
    describe(r->device, "", &r->info);
    describe_runtime(r);
    cl_int cl = clRetainContext(r->context);
    if (cl) return ecl_cl_fail(error, cl, "clRetainContext");
    cl = clRetainCommandQueue(r->queue);
    if (cl) {
        clReleaseContext(r->context);
        return ecl_cl_fail(error, cl, "clRetainCommandQueue");
    }
    return EULERCL_OK;
}

static int make_queue(struct cl_runtime *r, const eulercl_options *options, eulercl_error *error) {
    if (options->cl_queue) return take_callers(r, options, error);
    struct device_search search;
    const int status = find_device(options, 0, &search, error);
    if (status) return status;
    r->device = search.device;
    r->info = search.info;
    describe_runtime(r);
    cl_int cl;
    r->context = clCreateContext(NULL, 1, &r->device, NULL, NULL, &cl);
    if (cl) return ecl_cl_fail(error, cl, "clCreateContext");
    r->queue = clCreateCommandQueue(
        r->context, r->device, options->device_events ? CL_QUEUE_PROFILING_ENABLE : 0, &cl);
    if (cl) {
        clReleaseContext(r->context);
        return ecl_cl_fail(error, cl, "clCreateCommandQueue");
    }
    return EULERCL_OK;
}

/* The last programs of a context, so that a run whose method changes to and fro compiles none
 * twice: loading one from a driver's cache takes some milliseconds. */
struct cl_built {
    struct {
        char *source;
        cl_program program;
    } programs[24];
    size_t next; /* to be replaced */
};

int ecl_cl_open(struct cl_runtime *r, const eulercl_options *options, eulercl_error *error) {
    *r = (struct cl_runtime){0};
    struct cl_built *const built = ecl_mem_zeroed(1, sizeof *built);
    if (!built) return ecl_no_memory(error, "the programs of a device");
    const int status = make_queue(r, options, error);
    if (status)
        ecl_mem_free(built);
    else
        r->built = built;
    return status;
}

void ecl_cl_close(struct cl_runtime *r) {
    if (r->program) clReleaseProgram(r->program);
    for (size_t i = 0; i < sizeof r->built->programs / sizeof *r->built->programs; i++)
        if (r->built->programs[i].program) {
            clReleaseProgram(r->built->programs[i].program);
            ecl_mem_free(r->built->programs[i].source);
        }
    ecl_mem_free(r->built);
    clReleaseCommandQueue(r->queue);
    clReleaseContext(r->context);
}

/* ---- programs, kernels, buffers ---- */

static void fetch_log(const struct cl_runtime *r, cl_program program, eulercl_error *error) {
    size_t size = 0;
    if (!error || clGetProgramBuildInfo(program, r->device, CL_PROGRAM_BUILD_LOG, 0, NULL, &size) ||
        !size)
        return;
    char *log = ecl_mem_zeroed(size + 1, 1);
    if (log && !clGetProgramBuildInfo(program, r->device, CL_PROGRAM_BUILD_LOG, size, log, NULL))
        text_escape(log, "\n\t", error->log, sizeof error->log);
    ecl_mem_free(log);
}

static cl_program find_built(const struct cl_built *b, const char *source) {
    for (size_t i = 0; i < sizeof b->programs / sizeof *b->programs; i++)
        if (b->programs[i].program && !strcmp(b->programs[i].source, source))
            return b->programs[i].program;
    return NULL;
}

static int keep_built(
    struct cl_built *b, const char *source, cl_program program, eulercl_error *error) {
    const size_t size = strlen(source) + 1, i = b->next;
    char *const copy = ecl_mem_zeroed(size, 1);
    if (!copy) return ecl_no_memory(error, "the text of a program");
    const cl_int cl = clRetainProgram(program);
    if (cl) {
        ecl_mem_free(copy);
        return ecl_cl_fail(error, cl, "clRetainProgram");
    }
    if (b->programs[i].program) clReleaseProgram(b->programs[i].program);
    ecl_mem_free(b->programs[i].source);
    memcpy(copy, source, size);
    b->programs[i].source = copy;
    b->programs[i].program = program;
    b->next = (i + 1) % (sizeof b->programs / sizeof *b->programs);
    return EULERCL_OK;
}

/* A program of the source; *program is to be released. */
static int compile(
    struct cl_runtime *r, const char *source, cl_program *compiled, eulercl_error *error) {
    cl_device_fp_config single = 0;
    cl_int cl =
        clGetDeviceInfo(r->device, CL_DEVICE_SINGLE_FP_CONFIG, sizeof single, &single, NULL);
    if (cl) return ecl_cl_fail(error, cl, "clGetDeviceInfo");
    char flags[100];
    /* Without the flag the errors of division and square root of floats may be 2.5 and 3 ulp. */
    snprintf(flags, sizeof flags, "-cl-std=CL1.2%s%s",
        single & CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT ? " -cl-fp32-correctly-rounded-divide-sqrt"
                                                     : "",
        r->info.is_gpu ? " -DODE_ON_GPU" : "");
    cl_program program = clCreateProgramWithSource(r->context, 1, &source, NULL, &cl);
    if (cl) return ecl_cl_fail(error, cl, "clCreateProgramWithSource");
    cl = clBuildProgram(program, 1, &r->device, flags, NULL, NULL);
    if (cl) {
        const int status =
            cl == CL_BUILD_PROGRAM_FAILURE
                ? ecl_fail(error, EULERCL_COMPILE,
                      "the OpenCL compiler of %.200s rejected the program", r->info.name)
                : ecl_cl_fail(error, cl, "clBuildProgram");
        if (error) error->cl_code = cl;
        fetch_log(r, program, error);
        clReleaseProgram(program);
        return status;
    }
    *compiled = program;
    return EULERCL_OK;
}

int ecl_cl_build(struct cl_runtime *r, const char *source, double *seconds, eulercl_error *error) {
    const double start = ecl_now();
    cl_program program = find_built(r->built, source);
    if (program) {
        const cl_int cl = clRetainProgram(program);
        if (cl) return ecl_cl_fail(error, cl, "clRetainProgram");
    } else {
        int status = compile(r, source, &program, error);
        *seconds += ecl_now() - start;
        if (status) return status;
        status = keep_built(r->built, source, program, error);
        if (status) {
            clReleaseProgram(program);
            return status;
        }
    }
    if (r->program) clReleaseProgram(r->program); /* its kernels remain */
    r->program = program;
    return EULERCL_OK;
}

int ecl_cl_kernel(const struct cl_runtime *r, const char *name, cl_kernel *kernel,
    size_t *max_workgroup, eulercl_error *error) {
    cl_int cl;
    cl_kernel made = clCreateKernel(r->program, name, &cl);
    if (cl) {
        char doing[80];
        ecl_text(doing, sizeof doing, "clCreateKernel for %s", name);
        return ecl_cl_fail(error, cl, doing);
    }
    size_t compiled[3] = {0};
    cl = clGetKernelWorkGroupInfo(
        made, r->device, CL_KERNEL_WORK_GROUP_SIZE, sizeof *max_workgroup, max_workgroup, NULL);
    /* A compiled-in size: NVIDIA's driver allows it, although it reports 256 above. */
    if (!cl)
        cl = clGetKernelWorkGroupInfo(
            made, r->device, CL_KERNEL_COMPILE_WORK_GROUP_SIZE, sizeof compiled, compiled, NULL);
    if (!cl && compiled[0] > *max_workgroup && compiled[0] <= r->info.max_workgroup_size)
        *max_workgroup = compiled[0];
    if (cl) {
        clReleaseKernel(made);
        return ecl_cl_fail(error, cl, "clGetKernelWorkGroupInfo");
    }
    *kernel = made;
    return EULERCL_OK;
}

int ecl_cl_buffer(const struct cl_runtime *r, uint64_t bytes, const char *what, cl_mem *buffer,
    eulercl_error *error) {
    if (bytes > r->info.max_allocation_bytes || bytes > r->info.global_bytes)
        return ecl_fail(error, EULERCL_MEMORY,
            "%s needs %.4g MB in one allocation, %.200s allows %.4g MB", what, (double)bytes * 1e-6,
            r->info.name, (double)r->info.max_allocation_bytes * 1e-6);
    cl_int cl;
    cl_mem made = clCreateBuffer(r->context, CL_MEM_READ_WRITE, (size_t)bytes, NULL, &cl);
    if (!cl) {
        /* Fill a piece, then append copies of what is filled. */
        const cl_uint zero = 0;
        uint64_t done = bytes < FILL_BYTES ? bytes : FILL_BYTES;
        cl =
            clEnqueueFillBuffer(r->queue, made, &zero, sizeof zero, 0, (size_t)done, 0, NULL, NULL);
        for (uint64_t more; !cl && done < bytes; done += more) {
            more = bytes - done < done ? bytes - done : done;
            cl = clEnqueueCopyBuffer(
                r->queue, made, made, 0, (size_t)done, (size_t)more, 0, NULL, NULL);
        }
        if (!cl) cl = clFinish(r->queue);
        if (cl) clReleaseMemObject(made);
    }
    if (cl) {
        char doing[80];
        ecl_text(doing, sizeof doing, "allocating %s", what);
        return ecl_cl_fail(error, cl, doing);
    }
    *buffer = made;
    return EULERCL_OK;
}

/* ---- a second way to the host ---- */

int ecl_cl_queue(const struct cl_runtime *r, cl_command_queue *queue, eulercl_error *error) {
    cl_int cl;
    cl_command_queue made = clCreateCommandQueue(r->context, r->device, 0, &cl);
    if (cl) return ecl_cl_fail(error, cl, "clCreateCommandQueue");
    *queue = made;
    return EULERCL_OK;
}

int ecl_cl_stage_at(const struct cl_runtime *r, void *memory, uint64_t bytes,
    struct cl_staging *staging, eulercl_error *error) {
    cl_int cl;
    const cl_mem_flags flags =
        CL_MEM_READ_WRITE | (memory ? CL_MEM_USE_HOST_PTR : CL_MEM_ALLOC_HOST_PTR);
    /* Drivers pin memory that they allocate themselves, and NVIDIA's that of others, too; it stays
     * mapped. */
    struct cl_staging made = {
        .buffer = clCreateBuffer(r->context, flags, (size_t)bytes, memory, &cl)};
    if (cl) return ecl_cl_fail(error, cl, "allocating pinned memory");
    made.memory = clEnqueueMapBuffer(r->queue, made.buffer, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0,
        (size_t)bytes, 0, NULL, NULL, &cl);
    if (cl) {
        clReleaseMemObject(made.buffer);
        return ecl_cl_fail(error, cl, "clEnqueueMapBuffer");
    }
    *staging = made;
    return EULERCL_OK;
}

int ecl_cl_stage(
    const struct cl_runtime *r, uint64_t bytes, struct cl_staging *staging, eulercl_error *error) {
    return ecl_cl_stage_at(r, NULL, bytes, staging, error);
}

void ecl_cl_unstage(const struct cl_runtime *r, struct cl_staging *staging) {
    if (!staging->buffer) return;
    clEnqueueUnmapMemObject(r->queue, staging->buffer, staging->memory, 0, NULL, NULL);
    clReleaseMemObject(staging->buffer);
    *staging = (struct cl_staging){0};
}
