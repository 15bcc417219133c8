/* SPDX-License-Identifier: BSD-2-Clause */
/* ceilings.c - eulercl_measure_ceilings: select the machine by the options. */
#include "config.h"
#include "../run/backend.h"
#include "ceilings.h"

uint64_t eulercl_ceiling_bytes = 1 << 29;
int eulercl_ceiling_repeats = 5;

static int measure(
    const eulercl_options *options, eulercl_ceilings *ceilings, eulercl_error *error) {
    size_t backend;
    eulercl_error why;
    int status;
    if (!eulercl_is_automatic(options)) {
        status = eulercl_find_backend(options->backend, &backend, error);
        return status
                   ? status
                   : eulercl_backends[backend].engine->measure_ceilings(options, ceilings, error);
    }
    status = eulercl_engine_opencl.measure_ceilings(options, ceilings, &why);
    if (status == EULERCL_NO_DEVICE && eulercl_cpu_will_do(options))
        return eulercl_engine_cpu.measure_ceilings(options, ceilings, error);
    return status ? eulercl_fail_as(error, &why) : EULERCL_OK;
}

int eulercl_measure_ceilings(
    const eulercl_options *options, eulercl_ceilings *ceilings, eulercl_error *error) {
    EULERCL_NEEDS(ceilings);
    eulercl_options checked;
    eulercl_ceilings full = {.struct_size = sizeof full};
    /* This rejects an invalid struct_size before the work is done. */
    int status =
        eulercl_copy_out(&(eulercl_ceilings){0}, ceilings->struct_size, &full, sizeof full, error);
    if (!status) status = eulercl_options_check(options, &checked, error);
    if (!status) status = measure(&checked, &full, error);
    return status ? status
                  : eulercl_copy_out(ceilings, ceilings->struct_size, &full, sizeof full, error);
}
