/* SPDX-License-Identifier: BSD-2-Clause */
/* step.c - see schedule/step.h. */
#include "config.h"
#include "step.h"
#include "../machine/machine.h"
#include "../problem/system.h"
#include <math.h>

/* ---- on cores ---- */

/* Those of a point, for a component. */
static double of_component(const struct system *s, double of_point) {
    return of_point / (double)ecl_system_point(s);
}

/* Where a component of the general form finds its place by a `%`, that takes longer than the rest.
 */
struct step_costs ecl_step_costs(const struct system *s, const struct core_rates *rates) {
    return (struct step_costs){.rates = *rates,
        .remainders_ns =
            s->definition->grid.rank ? 0 : machine_core.remainder_ns * s->work.remainders,
        .functions_ns = machine_core.exp_ns * of_component(s, s->work.functions),
        .coefficients_ns = of_component(
            s, machine_core.field_ns * s->work.fields + machine_core.marks_ns * s->work.has_marks)};
}

double ecl_step_rate(const struct step_costs *costs, double cores, double filled) {
    const struct core_rates *const r = &costs->rates;
    if (r->cores < 2) return 1;
    const double more = (filled - machine_core.shared_part) /
                        (machine_core.full_part - machine_core.shared_part),
                 all = r->compute + fmin(fmax(more, 0), 1) * (r->cache - r->compute),
                 others = fmin(cores - 1, (double)r->cores - 1) / ((double)r->cores - 1);
    return 1 - others * (1 - all);
}

double ecl_step_bandwidth(const struct step_costs *costs, double cores) {
    const double most = machine_core.cores_that_fill_memory,
                 nominal = machine_core.memory_bytes_per_ns * fmin(cores, most);
    return costs->rates.cores
               ? fmin(nominal, costs->rates.memory * machine_core.memory_bytes_per_ns *
                                   fmin((double)costs->rates.cores, most))
               : nominal;
}

static double filled_part(const struct system *s, double cores) {
    return (2 * (double)s->state_bytes + (double)s->field_bytes) / (MACHINE_SECOND_CACHE * cores);
}

/* How many points a component reads, where these are more than its neighbours, which its own costs
 * contain. */
static double points_read(const struct system *s) {
    return s->reads_all ? (double)(s->n / ecl_system_point(s)) : 1;
}

double ecl_step_compute_seconds(
    const struct system *s, const struct step_costs *costs, double cores) {
    const double vector = machine_core.component_ns[s->definition->grid.rank],
                 wide = (double)s->real_size / sizeof(float),
                 update = ecl_is_plain(s->method) ? 0 : machine_core.update_ns * wide;
    return 1e-9 *
           ((s->kernels ? vector * wide : machine_core.call_ns) * points_read(s) +
               costs->remainders_ns + costs->functions_ns * wide + update) *
           (double)s->method->stages * (double)s->n / cores;
}

double ecl_step_field_seconds(
    const struct system *s, const struct step_costs *costs, double cores) {
    return filled_part(s, cores) <= 1
               ? 0
               : 1e-9 * (double)s->field_bytes / ecl_step_bandwidth(costs, cores);
}

/* Each level reads the fields. */
double ecl_step_memory_seconds(
    const struct system *s, const struct step_costs *costs, double cores) {
    const double stages = (double)s->method->stages;
    return 1e-9 *
           (2 * (double)s->method->arrays * stages * (double)s->state_bytes +
               stages * (double)s->field_bytes) /
           ecl_step_bandwidth(costs, cores);
}

double ecl_step_seconds(const struct system *s, const struct step_costs *costs, double cores) {
    const double moved = filled_part(s, cores) <= 1 ? 0 : ecl_step_memory_seconds(s, costs, cores);
    return fmax(moved, ecl_step_compute_seconds(s, costs, cores) /
                           ecl_step_rate(costs, cores, filled_part(s, cores)));
}

int ecl_step_propose_core(const struct run *run, const eulercl_device_info *device,
    struct proposal *proposals, int most) {
    (void)device;
    const struct step_costs costs = ecl_step_costs(&run->system, &run->rates);
    const struct proposal p = {
        .options = run->options, .step_seconds = ecl_step_seconds(&run->system, &costs, 1)};
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

double ecl_step_function_seconds(const struct system *s, const eulercl_device_info *device) {
    const double wide = s->real_size == sizeof(float) ? 1 : machine_gpu.wide_exp,
                 reads = s->reads_all ? machine_gpu.component_instructions * points_read(s) : 0,
                 instructions =
                     (machine_gpu.exp_instructions * wide * of_component(s, s->work.functions) +
                         reads) *
                     (double)s->method->stages * (double)s->n;
    return instructions / (fmax(1, device->compute_units) * MACHINE_SCHEDULERS * MACHINE_WARP *
                              machine_gpu.clock_rate);
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
                 launch = machine_gpu.launch_seconds + machine_gpu.argument_seconds,
                 compile = ecl_is_plain(run->system.method) ? machine_gpu.step_compile_seconds
                                                            : machine_gpu.stages_compile_seconds;
    int count = 0;
    for (size_t i = 0; i < sizeof candidates / sizeof *candidates; i++) {
        if (variant && strcmp(variant, candidates[i].variant)) continue;
        if (candidates[i].workgroup &&
            (TUNED(o, workgroup_size) || candidates[i].workgroup > device->max_workgroup_size))
            continue;
        const double factor = candidates[i].factor ? *candidates[i].factor : 1;
        struct proposal p = {.options = *o,
            .step_seconds = hypot(
                hypot(launch, pass * factor), ecl_step_function_seconds(&run->system, device))};
        ecl_proposal_compile(&p, run, compile, 0);
        TUNE_NAME(&p.options, variant, candidates[i].variant);
        if (candidates[i].workgroup) TUNE(&p.options, workgroup_size, candidates[i].workgroup);
        count = ecl_propose(proposals, count, most, &p);
    }
    return count;
}
