/* SPDX-License-Identifier: BSD-2-Clause */
/* backends.c - the table of backends, and what stands in for OpenCL where there is none. */
#include "config.h"
#include "backend.h"
#include "plan.h"
#include <stdlib.h>
#include <string.h>

const struct backend_entry eulercl_backends[] = {
#define BACKEND(NAME, TABLE, IS_OPENCL, DOC, ...) \
    {NAME, DOC, &TABLE, IS_OPENCL, (const char *const[]){__VA_ARGS__}},
#include "backends.def"
#undef BACKEND
};
const size_t eulercl_backend_count = sizeof eulercl_backends / sizeof *eulercl_backends;

#ifndef HAVE_OPENCL
static int no_opencl_create(struct run *run, eulercl_error *error) {
    (void)run;
    return eulercl_fail(error, EULERCL_NO_DEVICE,
        "this library was built without OpenCL; the backends seq, cpu and pthreads work");
}
const struct backend eulercl_backend_no_opencl = {.create = no_opencl_create};
int eulercl_find_device(const eulercl_options *options, int gpus_only, eulercl_device_info *device,
    int *chosen_by_user, eulercl_error *error) {
    (void)gpus_only;
    *chosen_by_user = options->cl_queue || eulercl_wanted_device(options);
    return eulercl_get_device(0, device, error);
}
int eulercl_get_device(size_t index, eulercl_device_info *device, eulercl_error *error) {
    (void)index;
    EULERCL_NEEDS(device);
    return eulercl_fail(error, EULERCL_NO_DEVICE, "this library was built without OpenCL");
}
#endif

const char *eulercl_wanted_device(const eulercl_options *options) {
    const char *wanted = options->device ? options->device : getenv("EULERCL_DEVICE");
    return wanted && *wanted ? wanted : NULL;
}

int eulercl_cpu_will_do(const eulercl_options *options) {
    const char *wanted = eulercl_wanted_device(options);
    return !wanted || !strcmp(wanted, "cpu");
}

int eulercl_get_backend(size_t index, eulercl_backend_info *backend, eulercl_error *error) {
    EULERCL_NEEDS(backend);
    if (index >= eulercl_backend_count)
        return eulercl_fail(
            error, EULERCL_INVALID, "there are %zu backends", eulercl_backend_count);
    const eulercl_backend_info full = {.name = eulercl_backends[index].name,
        .doc = eulercl_backends[index].doc,
        .variants = eulercl_backends[index].variants,
        .is_opencl = eulercl_backends[index].is_opencl};
    return eulercl_copy_out(backend, backend->struct_size, &full, sizeof full, error);
}

int eulercl_find_backend(const char *name, size_t *backend, eulercl_error *error) {
    for (size_t i = 0; i < eulercl_backend_count; i++)
        if (!strcmp(eulercl_backends[i].name, name)) {
            *backend = i;
            return EULERCL_OK;
        }
    return eulercl_fail(
        error, EULERCL_INVALID, "no backend is called '%s'; `eulercl list` names them", name);
}

int eulercl_options_verify(const eulercl_options *options, eulercl_error *error) {
    eulercl_options o;
    eulercl_device_info device = {.struct_size = sizeof device};
    size_t backend = 0, variant;
    int by_user, status = eulercl_options_check(options, &o, error);
    if (status) return status;
    int needs_device = eulercl_wanted_device(&o) && !eulercl_cpu_will_do(&o);
    if (!eulercl_is_automatic(&o)) {
        status = eulercl_find_backend(o.backend, &backend, error);
        if (!status) status = eulercl_find_variant(backend, o.variant, &variant, error);
        needs_device = !status && eulercl_backends[backend].is_opencl && eulercl_wanted_device(&o);
    }
    return status || !needs_device || o.cl_queue
               ? status
               : eulercl_find_device(&o, 0, &device, &by_user, error);
}

int eulercl_find_variant(size_t backend, const char *name, size_t *variant, eulercl_error *error) {
    const char *const *variants = eulercl_backends[backend].variants;
    *variant = 0;
    if (!name) return EULERCL_OK;
    for (size_t i = 0; variants[i]; i++)
        if (!strcmp(variants[i], name)) {
            *variant = i;
            return EULERCL_OK;
        }
    return eulercl_fail(error, EULERCL_INVALID, "backend %s has no variant '%s'%s",
        eulercl_backends[backend].name, name,
        variants[0] ? "; `eulercl list` names them" : ", and no others");
}
