/* SPDX-License-Identifier: BSD-2-Clause */
/* backend.c - see backend.h: what backends, schedules and engines call. */
#include "config.h"
#include "backend.h"
#include "../machine/machine.h"
#include <stdlib.h>
#include <unistd.h>

int ecl_check_process(const struct run *run, eulercl_error *error) {
    return !run->process || run->process == getpid()
               ? EULERCL_OK
               : ecl_fail(error, EULERCL_NO_DEVICE,
                     "a solver on an OpenCL device works only in the process that made it, not in "
                     "a child of fork()");
}

void ecl_own_components(
    const struct run *run, const struct backend *table, int64_t *begin, int64_t *end) {
    *begin = 0;
    *end = run->system.n;
    if (table->processes) table->processes->own(run, begin, end);
}

static void add(eulercl_stats *stats, const eulercl_fact *fact) {
    if (stats->fact_count < EULERCL_MOST_FACTS) stats->facts[stats->fact_count++] = *fact;
}

void ecl_add_count(eulercl_stats *stats, const char *name, const char *unit, uint64_t number) {
    add(stats,
        &(eulercl_fact){
            .name = name, .unit = unit, .kind = EULERCL_COUNT, .number = number, .text = ""});
}

void ecl_add_total(eulercl_stats *stats, const char *name, const char *unit, uint64_t number) {
    add(stats,
        &(eulercl_fact){
            .name = name, .unit = unit, .kind = EULERCL_TOTAL, .number = number, .text = ""});
}

void ecl_add_text(eulercl_stats *stats, const char *name, const char *text) {
    add(stats, &(eulercl_fact){.name = name, .unit = "", .kind = EULERCL_TEXT, .text = text});
}

double ecl_proposal_cost(const struct proposal *p, int64_t expected_steps) {
    return expected_steps ? p->build_seconds + (double)expected_steps * p->step_seconds
                          : p->step_seconds;
}

void ecl_proposal_compile(
    struct proposal *p, const struct run *run, double compile_seconds, int is_for_stages) {
    const struct method_family *const family = run->system.family;
    const int changes = run->options.rtol > 0 && family && family->least < family->most;
    const int is_open = run->options.rtol > 0 && !run->options.method;
    p->programs = changes && is_for_stages ? (int)machine_gpu.tolerance_programs
                  : is_open                ? (int)machine_gpu.open_programs
                                           : 1;
    p->compile_seconds = p->programs * compile_seconds;
    p->build_seconds = machine_gpu.open_seconds + p->compile_seconds;
}

void ecl_proposal_load(struct proposal *p) {
    p->build_seconds += p->programs * machine_gpu.load_seconds - p->compile_seconds;
    p->compile_seconds = 0;
}

int ecl_insert_proposal(struct proposal *proposals, int count, int most,
    const struct proposal *proposal, int64_t expected_steps) {
    const double cost = ecl_proposal_cost(proposal, expected_steps);
    int at = count;
    while (at > 0 && cost < ecl_proposal_cost(&proposals[at - 1], expected_steps)) at--;
    if (at == most) return count;
    if (count < most) count++;
    memmove(proposals + at + 1, proposals + at, (size_t)(count - 1 - at) * sizeof *proposals);
    proposals[at] = *proposal;
    return count;
}

int ecl_propose(struct proposal *proposals, int count, int most, const struct proposal *proposal) {
    return ecl_insert_proposal(proposals, count, most, proposal, 0);
}

const char *ecl_wanted_device(const eulercl_options *options) {
    const char *wanted = options->device ? options->device : getenv("EULERCL_DEVICE");
    return wanted && *wanted ? wanted : NULL;
}

int ecl_cpu_will_do(const eulercl_options *options) {
    const char *wanted = ecl_wanted_device(options);
    return !wanted || !strcmp(wanted, "cpu");
}
