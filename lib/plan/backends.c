/* SPDX-License-Identifier: BSD-2-Clause */
/* backends.c - the table of backends, and what replaces OpenCL in a build without it. */
#include "config.h"
#include "../run/backend.h"
#include "plan.h"

const struct backend_entry ecl_backends[] = {
#define BACKEND(NAME, TABLE, ENGINE, DOC, ...) \
    {NAME, DOC, &TABLE, &ecl_engine_##ENGINE, (const char *const[]){__VA_ARGS__}},
#include "backends.def"
#undef BACKEND
};
const size_t ecl_backend_count = sizeof ecl_backends / sizeof *ecl_backends;

#ifndef HAVE_OPENCL
static int fail(eulercl_error *error) {
    return ecl_fail(error, EULERCL_NO_DEVICE,
        "this library was built without OpenCL; the backends seq, cpu and pthreads are available");
}

static int no_create(struct run *run, eulercl_error *error) {
    (void)run;
    return fail(error);
}

static int no_source(const struct run *run, char **source, eulercl_error *error) {
    (void)run, (void)source;
    return ecl_fail(error, EULERCL_NO_DEVICE, "this library was built without OpenCL");
}
const struct backend ecl_backend_no_opencl = {.create = no_create, .source = no_source};

static int no_device(const eulercl_options *options, int gpus_only, eulercl_device_info *device,
    int *chosen_by_user, eulercl_error *error) {
    (void)gpus_only, (void)device;
    *chosen_by_user = options->cl_queue || ecl_wanted_device(options);
    return fail(error);
}

static int no_ceilings(
    const eulercl_options *options, eulercl_ceilings *ceilings, eulercl_error *error) {
    (void)options, (void)ceilings;
    return fail(error);
}
const struct engine ecl_engine_opencl = {
    .name = "opencl", .find_device = no_device, .measure_ceilings = no_ceilings};

int eulercl_get_device(size_t index, eulercl_device_info *device, eulercl_error *error) {
    (void)index;
    EULERCL_NEEDS(device);
    return fail(error);
}
#endif

int eulercl_get_backend(size_t index, eulercl_backend_info *backend, eulercl_error *error) {
    EULERCL_NEEDS(backend);
    if (index >= ecl_backend_count)
        return ecl_fail(error, EULERCL_INVALID, "there are %zu backends", ecl_backend_count);
    const eulercl_backend_info full = {.name = ecl_backends[index].name,
        .doc = ecl_backends[index].doc,
        .variants = ecl_backends[index].variants,
        .is_opencl = ecl_backends[index].engine == &ecl_engine_opencl};
    return ecl_copy_out(backend, backend->struct_size, &full, sizeof full, error);
}

int ecl_find_backend(const char *name, size_t *backend, eulercl_error *error) {
    *backend = 0;
    for (size_t i = 0; i < ecl_backend_count; i++)
        if (!strcmp(ecl_backends[i].name, name)) {
            *backend = i;
            return EULERCL_OK;
        }
    return ecl_fail(
        error, EULERCL_INVALID, "unknown backend '%s'; `eulercl list` shows the backends", name);
}

int ecl_options_may_move(const eulercl_options *o) {
    size_t named;
    if (o->no_move) return 0;
    if (!ecl_is_automatic(o) && !ecl_find_backend(o->backend, &named, NULL)) {
        /* Baseline code lacks SIMD lanes alone. Devices do not use them, whatever their
         * configuration, and neither does a backend without variants. */
        if (ecl_backends[named].engine->compiles) return 1;
        if (*ecl_backends[named].variants) return 0;
    }
    return !ecl_tuning_given(o) && !(o->plan && !strcmp(o->plan, "measure"));
}

int ecl_check_parameters(const eulercl_options *options, uint32_t set, eulercl_error *error) {
    size_t backend;
    if (ecl_is_automatic(options)) return EULERCL_OK;
    const int status = ecl_find_backend(options->backend, &backend, error);
    const uint32_t others =
        status ? 0 : set & ecl_tuning_given(options) & ~ecl_tuning_of(options->backend);
    if (!others) return status;
    const struct tuning_row *const row = &ecl_tunings[__builtin_ctz(others)];
    if (!strcmp(row->key, "variant"))
        return ecl_find_variant(backend, TUNED_NAME(options, variant), &backend, error);
    return ecl_fail(error, EULERCL_INVALID, "backend %s has no %s, which is for %s",
        options->backend, row->key, row->backends);
}

int eulercl_options_verify(const eulercl_options *options, eulercl_error *error) {
    eulercl_options o;
    eulercl_device_info device = {.struct_size = sizeof device};
    const struct engine *engine = &ecl_engine_opencl;
    size_t backend = 0, variant;
    int by_user, status = ecl_options_check(options, &o, error);
    if (status) return status;
    if ((status = ecl_check_parameters(&o, UINT32_MAX, error))) return status;
    if (o.devices) return ecl_windows.verify(&o, error);
    int needs_device = ecl_wanted_device(&o) && !ecl_cpu_will_do(&o);
    if (!ecl_is_automatic(&o)) {
        status = ecl_find_backend(o.backend, &backend, error);
        if (!status) status = ecl_find_variant(backend, TUNED_NAME(&o, variant), &variant, error);
        engine = ecl_backends[backend].engine;
        needs_device = ecl_wanted_device(&o) != NULL;
    }
    return status || !needs_device || o.cl_queue
               ? status
               : engine->find_device(&o, 0, &device, &by_user, error);
}

int ecl_find_variant(size_t backend, const char *name, size_t *variant, eulercl_error *error) {
    const char *const *variants = ecl_backends[backend].variants;
    *variant = 0;
    if (!name) return EULERCL_OK;
    for (size_t i = 0; variants[i]; i++)
        if (!strcmp(variants[i], name)) {
            *variant = i;
            return EULERCL_OK;
        }
    return ecl_fail(error, EULERCL_INVALID, "backend %s has no variant '%s'%s",
        ecl_backends[backend].name, name,
        variants[0] ? "; `eulercl list` shows the variants" : "; it has no variants");
}

int ecl_find_configuration(
    struct run *run, const char *name, size_t *backend, eulercl_error *error) {
    const int status = ecl_find_backend(name, backend, error);
    return status ? status
                  : ecl_find_variant(
                        *backend, TUNED_NAME(&run->options, variant), &run->variant, error);
}
