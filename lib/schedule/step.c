/* SPDX-License-Identifier: BSD-2-Clause */
/* step.c - see schedule/step.h. */
#include "config.h"
#include "step.h"
#include "../machine/machine.h"
#include <math.h>
#include <string.h>

/* ---- on cores ---- */

double ecl_step_compute_seconds(const struct system *s, double cores) {
    const double vector = machine_core.component_ns[s->definition->grid.rank],
                 wide = (double)s->real_size / sizeof(float),
                 update = ecl_is_plain(s->method) ? 0 : machine_core.update_ns * wide;
    return 1e-9 * ((s->kernels ? vector * wide : machine_core.call_ns) + update) *
           (double)s->method->stages * (double)s->n / cores;
}

static double memory_bytes_per_ns(double cores) {
    return machine_core.memory_bytes_per_ns * fmin(cores, machine_core.cores_that_fill_memory);
}

static int fits_caches(const struct system *s, double cores) {
    return 2 * (double)s->state_bytes + (double)s->field_bytes <= MACHINE_SECOND_CACHE * cores;
}

double ecl_step_field_seconds(const struct system *s, double cores) {
    return fits_caches(s, cores) ? 0 : 1e-9 * (double)s->field_bytes / memory_bytes_per_ns(cores);
}

/* Each level reads the fields. */
double ecl_step_memory_seconds(const struct system *s, double cores) {
    const double stages = (double)s->method->stages;
    return (1e-9 * 2 * (double)s->method->arrays * stages * (double)s->state_bytes +
               1e-9 * stages * (double)s->field_bytes) /
           memory_bytes_per_ns(cores);
}

double ecl_step_seconds(const struct system *s, double cores) {
    const double moved = fits_caches(s, cores) ? 0 : ecl_step_memory_seconds(s, cores);
    return fmax(moved, ecl_step_compute_seconds(s, cores));
}

int ecl_step_propose_core(const struct run *run, const eulercl_device_info *device,
    struct proposal *proposals, int most) {
    (void)device;
    const struct proposal p = {
        .options = run->options, .step_seconds = ecl_step_seconds(&run->system, 1)};
    /* The fast code may bring lanes, for which another backend finds tiles. */
    return run->system.is_baseline ? 0 : ecl_propose(proposals, 0, most, &p);
}

/* ---- on a device ---- */

static double bandwidth_of(const struct system *s, const eulercl_device_info *device) {
    return machine_gpu.bandwidth * fmax(1, device->compute_units) / machine_gpu.units *
           machine_gpu.bandwidth_share[s->definition->grid.rank];
}

double ecl_step_pass_seconds(const struct system *s, const eulercl_device_info *device) {
    return 2 * (double)s->method->arrays * (double)s->method->stages * (double)s->state_bytes /
           bandwidth_of(s, device);
}

double ecl_step_field_pass_seconds(const struct system *s, const eulercl_device_info *device) {
    return (double)s->method->stages * (double)s->field_bytes / bandwidth_of(s, device);
}

/* The cost of a variant and its work-group relative to vector and its own work-group (0). The cost
 * of chunked grows with n, and is far higher if memory is the limit. */
static const struct {
    const char *variant;
    uint64_t workgroup;
    const double *factor;
} candidates[] = {
    {"vector", 0, NULL},
    {"vector", 256, &machine_gpu.step_items_256},
    {"vector", 64, &machine_gpu.step_items_64},
    {"strided", 0, &machine_gpu.step_strided},
    {"chunked", 0, &machine_gpu.step_chunked},
};

int ecl_step_propose_device(const struct run *run, const eulercl_device_info *device,
    struct proposal *proposals, int most) {
    const eulercl_options *o = &run->options;
    const char *const variant = TUNED_NAME(o, variant);
    const double pass = ecl_step_pass_seconds(&run->system, device) +
                        ecl_step_field_pass_seconds(&run->system, device),
                 launch = machine_gpu.launch_seconds + machine_gpu.argument_seconds;
    int count = 0;
    for (size_t i = 0; i < sizeof candidates / sizeof *candidates; i++) {
        if (variant && strcmp(variant, candidates[i].variant)) continue;
        if (candidates[i].workgroup &&
            (TUNED(o, workgroup_size) || candidates[i].workgroup > device->max_workgroup_size))
            continue;
        const double factor = candidates[i].factor ? *candidates[i].factor : 1;
        struct proposal p = {.options = *o, .step_seconds = hypot(launch, pass * factor)};
        ecl_proposal_compile(&p, run, machine_gpu.step_compile_seconds, 0);
        TUNE_NAME(&p.options, variant, candidates[i].variant);
        if (candidates[i].workgroup) TUNE(&p.options, workgroup_size, candidates[i].workgroup);
        count = ecl_propose(proposals, count, most, &p);
    }
    return count;
}
