/* SPDX-License-Identifier: BSD-2-Clause */
/* plan.c - see plan.h. Every backend proposes configurations with the time that it predicts for a
 * step. The planner compares them, times them if the options ask for it, and makes a run of the
 * first one that works. */
#include "config.h"
#include "plan.h"
#include "builds.h"
#include "rates.h"
#include "wisdom.h"
#include "../machine/machine.h"
#include "../mem.h"
#include "../problem/problem.h"
#include "../problem/system.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_OF_A_BACKEND = 8 };

/* ---- proposals and their order ---- */

static int is_in_group(const struct plan *plan, size_t backend) {
    const struct backend_entry *entry = &ecl_backends[backend];
    return !strcmp(plan->backends, "all") || !strcmp(plan->backends, entry->engine->name) ||
           !strcmp(plan->backends, entry->name);
}

/* Collect the proposals of the plan's backends that have all of the tuning parameters `wanted`.
 * Among equal predictions the backend that comes first in the list wins. */
static void gather(const struct run *run, struct plan *plan, uint32_t wanted) {
    struct run rated = *run;
    rated.rates = plan->rates;
    plan->count = 0;
    for (size_t b = 0; b < ecl_backend_count; b++) {
        const struct backend_entry *entry = &ecl_backends[b];
        struct proposal found[MOST_OF_A_BACKEND];
        size_t variant;
        if (!is_in_group(plan, b) || !entry->table->propose ||
            (wanted & ~ecl_tuning_of(entry->name)))
            continue;
        if (ecl_find_variant(b, TUNED_NAME(&run->options, variant), &variant, NULL)) continue;
        const int count = entry->table->propose(&rated, &plan->device, found, MOST_OF_A_BACKEND);
        for (int i = 0; i < count; i++) {
            found[i].options.backend = entry->name;
            if (plan->expected_steps && ecl_builds_know(run, &found[i], &plan->device)) {
                ecl_proposal_load(&found[i]);
                plan->is_repeated = 1;
            }
            plan->count = ecl_insert_proposal(
                plan->proposals, plan->count, MOST_PROPOSALS, &found[i], plan->expected_steps);
        }
    }
}

/* Who runs a system again will do so once more, and then what was compiled is there. So a run that
 * is repeated is charged with this part of what it compiles. Otherwise a program that takes long to
 * compile would never be, and each run would pay for that. */
static const double repeated_part = 1.0 / 3;

void ecl_plan_share(struct plan *plan) {
    const int count = plan->count;
    struct proposal proposals[MOST_PROPOSALS];
    if (!plan->is_repeated) return;
    memcpy(proposals, plan->proposals, (size_t)count * sizeof *proposals);
    plan->count = 0;
    for (int i = 0; i < count; i++) {
        proposals[i].build_seconds -= (1 - repeated_part) * proposals[i].compile_seconds;
        proposals[i].compile_seconds *= repeated_part;
        plan->count = ecl_insert_proposal(
            plan->proposals, plan->count, MOST_PROPOSALS, &proposals[i], plan->expected_steps);
    }
}

/* ---- the device and the group ---- */

static int is_too_large(const struct system *s, const eulercl_device_info *device) {
    return s->state_bytes > device->max_allocation_bytes ||
           2 * s->state_bytes + s->field_bytes > device->global_bytes;
}

/* -> why the device cannot run the system, or NULL. */
static const char *objection(const struct system *s, const eulercl_device_info *device) {
    if (!s->definition->text)
        return "the problem has no text for OpenCL, so it runs on the CPU only";
    if (s->real_size > sizeof(float) && !device->has_double)
        return "it has no double precision (cl_khr_fp64)";
    if (is_too_large(s, device)) return "the state is too large for its memory";
    return NULL;
}

/* Windows do not stream again. Other devices than GPUs have no more memory than the host. */
static int may_stream(const struct system *s, const eulercl_device_info *device) {
    return device->is_gpu && !s->reads_all && s->definition->windows && s->definition->text &&
           !ecl_is_window(s) && (s->real_size == sizeof(float) || device->has_double) &&
           is_too_large(s, device);
}

/* "auto" uses a GPU if the system fits on one, and another kind of device only through the caller's
 * queue. The CPU is not taken if the user names the device or gives the queue. */
static int choose_group(const struct run *run, struct plan *plan, eulercl_error *error) {
    const eulercl_options *o = &run->options;
    const struct engine *opencl = &ecl_engine_opencl, *cpu = &ecl_engine_cpu;
    size_t backend;
    eulercl_error why;
    int by_user = 0, status;
    if (!ecl_is_automatic(o)) {
        if ((status = ecl_find_backend(o->backend, &backend, error))) return status;
        plan->backends = ecl_backends[backend].name;
        return ecl_backends[backend].engine->find_device(o, 0, &plan->device, &by_user, error);
    }
    if (run->system.definition->text || o->cl_queue || ecl_wanted_device(o)) {
        status = opencl->find_device(o, 1, &plan->device, &by_user, &why);
        const char *const why_not =
            status || o->cl_queue ? NULL : objection(&run->system, &plan->device);
        const int streams = !status && may_stream(&run->system, &plan->device);
        if (streams) plan->too_small = plan->device;
        plan->is_wanted = by_user;
        if (why_not && by_user && !streams)
            return ecl_fail(error, EULERCL_NO_DEVICE,
                "requested device %.200s (%s) is unusable: %s", plan->device.name, plan->device.id,
                why_not);
        if (!status && !why_not && !streams) {
            plan->backends = by_user ? opencl->name : "all";
            return EULERCL_OK;
        }
        if (status && status != EULERCL_NO_DEVICE) return ecl_fail_as(error, &why);
        /* No GPU. A device that the user named must exist all the same. */
        if (status && !ecl_cpu_will_do(o) &&
            (status = opencl->find_device(o, 0, &plan->device, &by_user, error)))
            return status;
    }
    plan->backends = cpu->name;
    return cpu->find_device(o, 0, &plan->device, &by_user, error);
}

/* ---- wisdom ---- */

static void put_first(struct plan *plan, const struct proposal *proposal) {
    if (plan->count < MOST_PROPOSALS) plan->count++;
    memmove(
        plan->proposals + 1, plan->proposals, (size_t)(plan->count - 1) * sizeof *plan->proposals);
    plan->proposals[0] = *proposal;
}

/* The factor by which an estimate must be below a measurement. */
static const double clearly = 0.9;

/* Put the fastest measured configuration first, unless another one is ready sooner and few steps
 * are expected. */
static void ask_wisdom(const struct run *run, struct plan *plan) {
    char key[WISDOM_KEY];
    eulercl_error why;
    struct proposal known = {.options = run->options};
    size_t backend;
    int found;
    ecl_wisdom_key(run, &plan->device, plan->backends, key);
    if (ecl_wisdom_find(run->options.wisdom, key, &known, &found, &why))
        snprintf(plan->note, sizeof plan->note, "%s", why.message);
    else if (found && !ecl_find_backend(known.options.backend, &backend, NULL) &&
             is_in_group(plan, backend)) {
        int sooner = 0;
        for (int i = 0; i < plan->count; i++) {
            struct proposal other = plan->proposals[i];
            other.step_seconds =
                fmax(other.step_seconds, known.step_seconds); /* no estimate beats a measurement */
            sooner |= ecl_proposal_cost(&other, plan->expected_steps) <
                      clearly * ecl_proposal_cost(&known, plan->expected_steps);
        }
        if (sooner) return;
        put_first(plan, &known);
        plan->how = "wisdom";
    }
}

/* ---- the plan ---- */

static int is_plan(const struct run *run, const char *name) {
    return run->options.plan && !strcmp(run->options.plan, name);
}

/* No backend of the plan runs the system as the options say. */
static int refuse_parameters(
    const struct run *run, struct plan *plan, uint32_t wanted, eulercl_error *error) {
    const char *const variant = TUNED_NAME(&run->options, variant);
    char text[TUNING_TEXT], limit[300] = "";
    eulercl_error why = {0};
    int is_there = 0;
    for (size_t b = 0; b < ecl_backend_count; b++) {
        size_t number;
        if (is_in_group(plan, b) && !ecl_find_variant(b, variant, &number, NULL)) is_there = 1;
    }
    if (variant && !is_there)
        return ecl_fail(error, EULERCL_INVALID,
            "no usable backend has a variant '%s'; `eulercl list` shows the variants", variant);
    if (!variant && !wanted)
        return ecl_fail(error, EULERCL_UNSUPPORTED, "no backend can run problem %s here",
            run->system.definition->name);
    /* The first backend that has the parameters says what the limit is. */
    for (size_t b = 0; b < ecl_backend_count && !*limit; b++) {
        struct run one = *run;
        size_t number;
        if (!is_in_group(plan, b) || (wanted & ~ecl_tuning_of(ecl_backends[b].name)) ||
            ecl_find_variant(b, variant, &one.variant, NULL) || ecl_backends[b].engine->compiles ||
            ecl_find_configuration(&one, ecl_backends[b].name, &number, NULL))
            continue;
        if (ecl_backends[b].table->create(&one, &why))
            snprintf(limit, sizeof limit, ": %.290s", why.message);
        else
            ecl_backends[b].table->destroy(&one);
    }
    ecl_tuning_write(&run->options, text);
    return ecl_fail(error, EULERCL_UNSUPPORTED, "no usable backend supports %.200s%s", text, limit);
}

/* Steps to a tolerance begin with small ones, and what limits them may change. Brusselators took
 * half to one and a half times the evaluations that this gives. */
static const double first_steps = 10;

int64_t ecl_plan_steps(const struct run *run) {
    const struct system *const s = &run->system;
    const eulercl_options *const o = &run->options;
    const double more = (double)s->expected_evaluations / s->method->evaluations;
    if (is_plan(run, "measure")) return 0;
    if (!(o->rtol > 0)) return o->expected_steps;
    if (!s->expected_evaluations || !(o->expected_steps || o->expected_end > o->t0)) return 0;
    const double steps = o->expected_steps
                             ? (double)o->expected_steps
                             : first_steps + (o->expected_end - o->t0) / s->expected_h;
    return (int64_t)fmin(fmax(steps * more, 1), 1e15);
}

/* To ask for GPUs takes a tenth of a second, and to open one three times as long. Where the
 * processor is expected to be done before that, nobody asks; its predicted times may be too short
 * by this factor, and by what its cores take from each other. */
static const double soon_factor = 1.3;

static int is_done_soon(const struct run *run, struct plan *plan, uint32_t wanted) {
    const eulercl_options *const o = &run->options;
    eulercl_device_info processor;
    int by_user;
    if (!ecl_is_automatic(o) || o->cl_queue || ecl_wanted_device(o) || !plan->expected_steps ||
        ecl_engine_cpu.find_device(o, 0, &processor, &by_user, NULL))
        return 0;
    plan->backends = ecl_engine_cpu.name;
    plan->device = processor;
    gather(run, plan, wanted);
    const double factor = soon_factor / (plan->rates.cores ? 1 : ecl_rates_least);
    return plan->count && factor * ecl_proposal_cost(&plan->proposals[0], plan->expected_steps) <
                              machine_gpu.open_seconds;
}

static int make(const struct run *run, struct plan *plan, eulercl_error *error) {
    const eulercl_options *o = &run->options;
    const uint32_t wanted = ecl_tuning_given(o) & ecl_tuning_selects();
    const int automatic = ecl_is_automatic(o);
    plan->how = "estimate";
    plan->expected_steps = ecl_plan_steps(run);
    plan->rates = ecl_rates_known(o);
    if (!is_done_soon(run, plan, wanted)) {
        const int status = choose_group(run, plan, error);
        if (status) return status;
        gather(run, plan, automatic ? wanted : 0);
        ecl_plan_share(plan);
        if (!plan->rates.cores && ecl_rates_matter(run, plan)) {
            plan->rates = ecl_rates_measure(o);
            gather(run, plan, automatic ? wanted : 0);
            ecl_plan_share(plan);
        }
    }
    if (!plan->count && !automatic)
        put_first(plan, &(struct proposal){.options = *o}); /* its error is the one to report */
    if (!plan->count) return refuse_parameters(run, plan, wanted, error);
    if (automatic && (!o->plan || is_plan(run, "auto"))) ask_wisdom(run, plan);
    return EULERCL_OK;
}

int ecl_plan_make(const struct run *run, struct plan **plan, eulercl_error *error) {
    struct plan *made = ecl_mem_zeroed(1, sizeof *made);
    if (!made) return ecl_no_memory(error, "a plan");
    const int status = make(run, made, error);
    if (status)
        ecl_mem_free(made);
    else
        *plan = made;
    return status;
}

static const char *time_text(double seconds, char text[24]) {
    const double ns = 1e9 * seconds;
    const char *const unit = ns < 1e3 ? "ns" : ns < 1e6 ? "us" : ns < 1e9 ? "ms" : "s";
    snprintf(text, 24, "%.3g %s",
        ns < 1e3   ? ns
        : ns < 1e6 ? ns * 1e-3
        : ns < 1e9 ? ns * 1e-6
                   : seconds,
        unit);
    return text;
}

void ecl_plan_reason(const struct plan *plan, int index, char *text, size_t size) {
    const struct proposal *taken = &plan->proposals[index], *next = NULL;
    const int measured = index < plan->measured, known = !index && !strcmp(plan->how, "wisdom");
    char a[24], b[24];
    size_t used = (size_t)snprintf(text, size, "%s %s per step %s", taken->options.backend,
        time_text(taken->step_seconds, a),
        measured ? "measured"
        : known  ? "measured earlier"
                 : "expected");
    for (int i = index + 1; !next && i < (measured ? plan->measured : plan->count); i++)
        if (strcmp(plan->proposals[i].options.backend, taken->options.backend))
            next = &plan->proposals[i];
    if (next && used < size)
        used += (size_t)snprintf(text + used, size - used, ", next %s %s%s", next->options.backend,
            time_text(next->step_seconds, a), known ? " expected" : "");
    if (plan->expected_steps && used < size) {
        used += (size_t)snprintf(text + used, size - used, "; with the build %s for %lld steps",
            time_text(ecl_proposal_cost(taken, plan->expected_steps), a),
            (long long)plan->expected_steps);
        if (next && used < size)
            snprintf(text + used, size - used, " against %s",
                time_text(ecl_proposal_cost(next, plan->expected_steps), b));
    }
}

/* ---- measuring ---- */

/* A GPU that the user wants. */
static int refuse(const struct plan *plan, const char *why, eulercl_error *error) {
    return ecl_fail(error, EULERCL_NO_DEVICE,
        "requested device %.200s (%s) is unusable: the state is too large for its memory%.300s",
        plan->too_small.name, plan->too_small.id, why);
}

static int tune(const eulercl_problem *problem, const eulercl_options *options,
    eulercl_tune_observer *observer, void *user, eulercl_error *error) {
    struct run run = {0};
    struct plan *plan = NULL;
    int status = ecl_options_check(options, &run.options, error);
    if (!status && run.options.devices)
        status = ecl_fail(error, EULERCL_INVALID,
            "measurements are made on one device, and devices names several");
    if (status) return status;
    run.options.plan = "measure";
    status = ecl_system_create(problem, run.options.precision, &run.system, error);
    if (!status) {
        status = ecl_settle_method(problem, &run.options, run.options.h, &run.system, error);
        if (status) ecl_system_destroy(&run.system);
    }
    if (status) return status;
    status = ecl_plan_make(&run, &plan, error);
    if (!status && plan->too_small.struct_size && plan->is_wanted) status = refuse(plan, "", error);
    if (!status) status = ecl_plan_measure(problem, &run, plan, observer, user, error);
    ecl_mem_free(plan);
    ecl_system_destroy(&run.system);
    return status;
}

int eulercl_tune(const eulercl_problem *problem, const eulercl_options *options,
    eulercl_tune_observer *observer, void *user, eulercl_error *error) {
    EULERCL_NEEDS(problem);
    /* The observer may change the caller's problem, or destroy it. */
    eulercl_problem *own;
    int status = ecl_problem_use(problem, 1, &own, error);
    if (status) return status;
    status = tune(own, options, observer, user, error);
    eulercl_problem_destroy(own);
    return status;
}

/* ---- a run ---- */

/* Whether another proposal may do better: not if the fault is the caller's or ours. */
static int may_go_on(const struct engine *engine, int status) {
    return status == EULERCL_UNSUPPORTED || status == EULERCL_COMPILE ||
           (status == EULERCL_MEMORY && engine->has_own_memory);
}

static int create_as(struct run *run, const char *name, size_t *backend, eulercl_error *error) {
    const int status = ecl_find_configuration(run, name, backend, error);
    return status ? status : ecl_backends[*backend].table->create(run, error);
}

/* The first proposal of the plan that works. */
static int create_planned(
    struct run *run, struct plan *plan, struct settled *settled, eulercl_error *error) {
    const struct run before = *run;
    const char *failed = ""; /* a backend that needs no second try: its text does not compile, or
                                the device is too small */
    eulercl_error first = {0};
    int tried = 0;
    for (int i = 0; i < plan->count; i++) {
        const struct proposal *p = &plan->proposals[i];
        eulercl_error why = {0};
        if (!strcmp(p->options.backend, failed)) continue;
        *run = before;
        run->options = p->options;
        run->rates = plan->rates;
        const int status = create_as(run, p->options.backend, &settled->backend, &why);
        if (!status) {
            settled->plan = i ? "estimate" : plan->how;
            run->report.predicted_seconds = p->step_seconds;
            ecl_builds_add(&before, p, &plan->device);
            ecl_plan_reason(plan, i, settled->reason, sizeof settled->reason);
            return EULERCL_OK;
        }
        if (!tried++) {
            first = why;
            ecl_text(
                settled->note, sizeof settled->note, "%s: %s", p->options.backend, why.message);
        }
        if (!may_go_on(ecl_backends[settled->backend].engine, status))
            return ecl_fail_as(error, &why);
        if (status != EULERCL_UNSUPPORTED) failed = p->options.backend;
    }
    return ecl_fail_as(error, &first);
}

/* Shares of the memory of a device that a run takes if the user sets no limit: others use some of
 * it, too. */
static const double device_share = 0.9, host_share = 0.5;

/* Stream through the GPU of the plan, or else on the processor, unless the user asks for that
 * GPU. */
static int stream_automatically(const eulercl_problem *problem, struct run *run, struct plan *plan,
    struct settled *settled, int *is_settled, eulercl_error *error) {
    const struct run before = *run;
    eulercl_error why = {0};
    const int status = ecl_streaming.settle(
        problem, run, device_share * (double)plan->too_small.global_bytes, settled, &why);
    *is_settled = !status;
    if (!status) return EULERCL_OK;
    *run = before;
    if (plan->is_wanted && status == EULERCL_UNSUPPORTED) {
        char text[300];
        snprintf(text, sizeof text, ", and %.250s", why.message);
        return refuse(plan, text, error);
    }
    if (plan->is_wanted) return ecl_fail_as(error, &why);
    ecl_text(plan->note, sizeof plan->note,
        "the state is too large for the GPU, and does not stream through it: %s", why.message);
    return EULERCL_OK;
}

static int settle_automatically(const eulercl_problem *problem, struct run *run,
    struct settled *settled, eulercl_error *error) {
    struct plan *plan = NULL;
    int status = ecl_plan_make(run, &plan, error);
    if (status) return status;
    if (plan->too_small.struct_size) {
        int is_settled;
        status = stream_automatically(problem, run, plan, settled, &is_settled, error);
        if (is_settled || status) {
            ecl_mem_free(plan);
            return status;
        }
    }
    if (is_plan(run, "measure")) {
        eulercl_error why = {0};
        if (ecl_plan_measure(problem, run, plan, NULL, NULL, &why))
            ecl_text(plan->note, sizeof plan->note, "nothing could be measured: %s", why.message);
    }
    snprintf(settled->note, sizeof settled->note, "%s", plan->note);
    status = create_planned(run, plan, settled, error);
    ecl_mem_free(plan);
    if (!status) settled->table = ecl_backends[settled->backend].table;
    return status;
}

/* The backend that the options name. */
static int settle_by_name(const eulercl_problem *problem, struct run *run, struct settled *settled,
    eulercl_error *error) {
    const struct run before = *run;
    eulercl_device_info device;
    eulercl_error why = {0};
    int by_user, status = create_as(run, run->options.backend, &settled->backend, &why);
    if (!status) {
        settled->table = ecl_backends[settled->backend].table;
        return EULERCL_OK;
    }
    const struct engine *const engine = ecl_backends[settled->backend].engine;
    if (status != EULERCL_MEMORY || !engine->has_own_memory ||
        engine->find_device(&before.options, 0, &device, &by_user, NULL) ||
        !may_stream(&before.system, &device))
        return ecl_fail_as(error, &why);
    *run = before;
    return ecl_streaming.settle(
        problem, run, device_share * (double)device.global_bytes, settled, error);
}

/* -> the bytes that the run may take where it computes, if the options say that the state shall
 * stream; else 0. */
static int find_limit(const struct run *run, double *limit, eulercl_error *error) {
    const struct system *const s = &run->system;
    const double given = (double)run->options.device_memory;
    struct plan *plan = NULL;
    *limit = 0;
    if (ecl_is_window(s)) return EULERCL_OK;
    const double arrays = 1 + s->method->arrays,
                 needed = arrays * (double)s->state_bytes + (double)s->field_bytes;
    if (!run->options.state_file && needed <= given) return EULERCL_OK;
    const int status = ecl_plan_make(run, &plan, error);
    if (!status)
        *limit = plan->too_small.struct_size ? device_share * (double)plan->too_small.global_bytes
                 : plan->device.global_bytes ? device_share * (double)plan->device.global_bytes
                                             : host_share * ecl_mem_machine();
    if (!status && given > 0) *limit = fmin(*limit, given);
    ecl_mem_free(plan);
    return status;
}

int ecl_settle(const eulercl_problem *problem, struct run *run, const struct transport *transport,
    struct settled *settled, eulercl_error *error) {
    *settled = (struct settled){.plan = ""};
    run->asked = run->options;
    if (run->options.devices || transport)
        return ecl_windows.settle(problem, run, transport, settled, error);
    double limit = 0;
    const int status = run->options.device_memory || run->options.state_file
                           ? find_limit(run, &limit, error)
                           : EULERCL_OK;
    if (status) return status;
    if (limit > 0) return ecl_streaming.settle(problem, run, limit, settled, error);
    return ecl_is_automatic(&run->options) ? settle_automatically(problem, run, settled, error)
                                           : settle_by_name(problem, run, settled, error);
}
