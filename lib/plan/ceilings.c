/* SPDX-License-Identifier: BSD-2-Clause */
/* ceilings.c - eulercl_measure_ceilings: select the machine by the options. */
#include "config.h"
#include "../run/backend.h"
#include "ceilings.h"

uint64_t ecl_ceiling_bytes = 1 << 29;
int ecl_ceiling_repeats = 5;

static int measure(
    const eulercl_options *options, eulercl_ceilings *ceilings, eulercl_error *error) {
    size_t backend;
    eulercl_error why;
    int status;
    if (!ecl_is_automatic(options)) {
        status = ecl_find_backend(options->backend, &backend, error);
        return status ? status
                      : ecl_backends[backend].engine->measure_ceilings(options, ceilings, error);
    }
    status = ecl_engine_opencl.measure_ceilings(options, ceilings, &why);
    if (status == EULERCL_NO_DEVICE && ecl_cpu_will_do(options))
        return ecl_engine_cpu.measure_ceilings(options, ceilings, error);
    return status ? ecl_fail_as(error, &why) : EULERCL_OK;
}

int eulercl_measure_ceilings(
    const eulercl_options *options, eulercl_ceilings *ceilings, eulercl_error *error) {
    EULERCL_NEEDS(ceilings);
    eulercl_options checked;
    eulercl_ceilings full = {.struct_size = sizeof full};
    /* This rejects an invalid struct_size before the work is done. */
    int status =
        ecl_copy_out(&(eulercl_ceilings){0}, ceilings->struct_size, &full, sizeof full, error);
    if (!status) status = ecl_options_check(options, &checked, error);
    if (!status) status = measure(&checked, &full, error);
    return status ? status
                  : ecl_copy_out(ceilings, ceilings->struct_size, &full, sizeof full, error);
}
