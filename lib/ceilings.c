/* SPDX-License-Identifier: BSD-2-Clause */
/* ceilings.c - eulercl_measure_ceilings: which machine the options mean. */
#include "config.h"
#include "backend.h"
#include "ceilings.h"
#include <string.h>

uint64_t eulercl_ceiling_bytes = 1 << 29;
int eulercl_ceiling_repeats = 5;

static int measure(
    const eulercl_options *options, eulercl_ceilings *ceilings, eulercl_error *error) {
    const char *name = options->backend ? options->backend : "auto";
    eulercl_backend_info backend = {.struct_size = sizeof backend};
    if (!strcmp(name, "auto")) {
        eulercl_error why;
        const int status = eulercl_cl_ceilings(options, ceilings, &why);
        if (status == EULERCL_NO_DEVICE && eulercl_cpu_will_do(options))
            return eulercl_cpu_ceilings(options, 0, ceilings, error);
        return status ? eulercl_fail_as(error, &why) : EULERCL_OK;
    }
    for (size_t i = 0; !eulercl_get_backend(i, &backend, NULL); i++)
        if (!strcmp(name, backend.name))
            return backend.is_opencl ? eulercl_cl_ceilings(options, ceilings, error)
                                     : eulercl_cpu_ceilings(options,
                                           strcmp(name, "pthreads") ? 1 : (int64_t)options->threads,
                                           ceilings, error);
    return eulercl_fail(
        error, EULERCL_INVALID, "no backend is called '%s'; `eulercl list` names them", name);
}

int eulercl_measure_ceilings(
    const eulercl_options *options, eulercl_ceilings *ceilings, eulercl_error *error) {
    EULERCL_NEEDS(ceilings);
    eulercl_options checked;
    eulercl_ceilings full = {.struct_size = sizeof full};
    /* A struct_size that is none is found before the work is done. */
    int status =
        eulercl_copy_out(&(eulercl_ceilings){0}, ceilings->struct_size, &full, sizeof full, error);
    if (!status) status = eulercl_options_check(options, &checked, error);
    if (!status) status = measure(&checked, &full, error);
    return status ? status
                  : eulercl_copy_out(ceilings, ceilings->struct_size, &full, sizeof full, error);
}

#ifndef HAVE_OPENCL
int eulercl_cl_ceilings(
    const eulercl_options *options, eulercl_ceilings *ceilings, eulercl_error *error) {
    (void)options;
    (void)ceilings;
    return eulercl_fail(error, EULERCL_NO_DEVICE,
        "this library was built without OpenCL; the backends seq, cpu and pthreads work");
}
#endif
