/* SPDX-License-Identifier: BSD-2-Clause */
/* engine.c - see cpu/engine.h. */
#include "config.h"
#include "engine.h"
#include "cores.h"

static int find_device(const eulercl_options *options, int gpus_only, eulercl_device_info *device,
    int *chosen_by_user, eulercl_error *error) {
    (void)options, (void)gpus_only, (void)error;
    *chosen_by_user = 0;
    *device = (eulercl_device_info){
        .struct_size = sizeof *device, .is_cpu = 1, .compute_units = (uint32_t)ecl_cores().count};
    ecl_cpu_name(device->name, sizeof device->name);
    return EULERCL_OK;
}

/* Measure with the threads that the backend would use. */
static int measure_ceilings(
    const eulercl_options *options, eulercl_ceilings *ceilings, eulercl_error *error) {
    const int has_threads = ecl_is_automatic(options) || !strcmp(options->backend, "pthreads");
    const int64_t cores = ecl_cores().count, asked = TUNED(options, threads);
    return ecl_cpu_ceilings(options, !has_threads ? 1 : asked ? asked : cores, ceilings, error);
}

const struct engine ecl_engine_cpu = {.name = "host",
    .only_device = "cpu",
    .chunk = 1 << 12, /* stays in the first cache */
    .survives_fork = 1,
    .find_device = find_device,
    .measure_ceilings = measure_ceilings,
    .measure_rates = ecl_cpu_rates};
