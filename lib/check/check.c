/* SPDX-License-Identifier: BSD-2-Clause */
/* check.c - eulercl_check: verifies what a problem declares, before any run. */
#include "config.h"
#include "check.h"
#include "../problem/problem.h"
#include <stdio.h>

static int check_memory(struct check *c) {
    char text[LINE] = "";
    for (int precision = EULERCL_FLOAT; precision <= EULERCL_DOUBLE;
         precision += EULERCL_DOUBLE - EULERCL_FLOAT) {
        const int is_there = precision == EULERCL_FLOAT ? c->definition->eval_comp_f32 != NULL
                                                        : c->definition->eval_comp_f64 != NULL;
        const uint64_t states = 2 * (uint64_t)c->info.n * (uint64_t)precision,
                       fields = (uint64_t)(c->info.n / c->info.components) *
                                c->definition->field_count * (uint64_t)precision;
        if (!is_there) continue;
        *(precision == EULERCL_FLOAT ? &c->report.float_bytes : &c->report.double_bytes) =
            states + fields;
        const size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, "%s%s: %.4g MB for two states", used ? "; " : "",
            precision == EULERCL_FLOAT ? "float" : "double", 1e-6 * (double)states);
        if (fields)
            snprintf(text + strlen(text), sizeof text - strlen(text),
                " and %.4g MB for coefficient fields", 1e-6 * (double)fields);
    }
    return REMARK(memory, "%s", text);
}

/* What the text alone decides, in the first precision that works: what is read, before anything
 * runs without guards, and when it jumps. The code need not be fast. */
static int check_text(struct check *c) {
    const int64_t failed = c->report.fails;
    int status = ecl_check_repeats(c);
    if (!status && c->is_deterministic) status = ecl_check_reads(c);
    if (!status && c->report.fails == failed) status = ecl_check_positions(c);
    if (!status && c->report.fails == failed) status = ecl_check_times(c);
    c->reads_too_far = c->is_deterministic && c->report.fails > failed;
    return status;
}

/* From now on with the code that will run. */
static int take_fast_code(struct check *c) {
    eulercl_problem *fast;
    const enum eulercl_precision precision = (enum eulercl_precision)c->system.real_size;
    const int status = ecl_problem_use(c->problem, 1, &fast, c->error);
    if (status) return status;
    ecl_check_close(c);
    eulercl_problem_destroy(c->problem);
    c->problem = fast;
    c->definition = ecl_problem_definition(fast);
    return ecl_check_open(c, precision, c->error);
}

static int check_code(struct check *c) {
    const int64_t failed = c->report.fails;
    int status = ecl_check_arithmetic(c);
    if (!status && !c->is_deterministic)
        status = SKIPPED(forms, "%s: the right-hand side is not deterministic", precision_of(c));
    const int64_t failed_before = c->report.fails;
    if (!status && c->is_deterministic) status = ecl_check_forms(c);
    if (!status && c->is_deterministic)
        status = c->report.fails > failed_before
                     ? SKIPPED(determinism, "%s: check \"forms\" failed", precision_of(c))
                     : ecl_check_places(c);
    /* A text that is wrong elsewhere is not blamed on them. */
    if (!status && c->is_deterministic && c->report.fails == failed && !c->reads_too_far)
        status = ecl_check_lanes(c);
    if (!status && c->is_deterministic && !c->is_wild) status = ecl_check_opencl(c);
    return status;
}

static int check_precision(struct check *c, enum eulercl_precision precision) {
    eulercl_error why;
    eulercl_options options = c->options;
    int status = ecl_check_open(c, precision, &why);
    const int is_first = !c->is_searched;
    options.precision = precision;
    if (status == EULERCL_MEMORY) {
        ecl_check_close(c);
        return ecl_fail_as(c->error, &why);
    }
    if (status)
        return FAILS(arithmetic, status, -1, "%s: %s",
            precision == EULERCL_FLOAT ? "float" : "double", why.message);
    c->is_searched = 1;
    status = is_first ? check_text(c) : ecl_check_repeats(c);
    if (!status && ecl_problem_is_baseline(c->problem)) status = take_fast_code(c);
    if (!status) status = check_code(c);
    if (!status && is_first && !c->is_wild && ecl_has_initial(c->problem))
        c->estimated =
            eulercl_estimate_stability(c->problem, &options, NULL, &c->stability, &c->why);
    if (!status && !c->is_wild && ecl_has_initial(c->problem)) status = ecl_check_finite(c);
    ecl_check_close(c);
    return status;
}

static int check_all(struct check *c) {
    const int has_float = c->definition->eval_comp_f32 != NULL,
              has_double = c->definition->eval_comp_f64 != NULL;
    c->estimated = ecl_fail(
        &c->why, EULERCL_UNSUPPORTED, "the right-hand side cannot be used in any precision");
    c->stability.h_limit = (double)INFINITY;
    int status = check_memory(c);
    if (!status)
        status = has_double
                     ? check_precision(c, EULERCL_DOUBLE)
                     : SKIPPED(arithmetic, "double: the problem has no right-hand side in double");
    if (!status)
        status = has_float
                     ? check_precision(c, EULERCL_FLOAT)
                     : SKIPPED(arithmetic, "float: the problem has no right-hand side in float");
    if (!status && c->is_wild)
        status = SKIPPED(finite, "not run, because the right-hand side reads beyond the state");
    else if (!status && !ecl_has_initial(c->problem))
        status = SKIPPED(finite, "the problem has no initial state");
    if (status || !c->estimated) return status ? status : ecl_check_tell_stability(c);
    return SKIPPED(stability, "%s",
        c->is_wild ? "not run, because the right-hand side reads beyond the state"
        : !ecl_has_initial(c->problem)
            ? "the estimate needs an initial state, and the problem has none"
            : c->why.message);
}

/* The defaults, but for what a check supports; *t_end: of the run that the options describe. */
static int choose_options(
    const eulercl_options *given, eulercl_options *options, double *t_end, eulercl_error *error) {
    eulercl_options checked;
    const int status = ecl_options_check(given, &checked, error);
    if (status) return status;
    eulercl_options_init(options);
    options->t0 = checked.t0;
    *t_end = checked.t0 + (double)checked.expected_steps * checked.h;
    options->method = checked.method;
    options->stages = checked.stages;
    options->device = checked.device;
    options->cl_context = checked.cl_context;
    options->cl_queue = checked.cl_queue;
    options->allow_inexact = checked.allow_inexact;
    return EULERCL_OK;
}

/* It destroys the problem. */
static int check(eulercl_problem *problem, const eulercl_options *options,
    eulercl_check_report *report, eulercl_check_observer *observer, void *user,
    eulercl_error *error) {
    struct check c = {.problem = problem,
        .definition = ecl_problem_definition(problem),
        .observer = observer,
        .user = user,
        .error = error,
        .stability.struct_size = sizeof c.stability};
    c.report = (eulercl_check_report){.struct_size = sizeof c.report,
        .access_distance = -1,
        .cyclic_distance = -1,
        .radius = -1,
        .spectral_radius = (double)NAN,
        .h_limit = (double)NAN};
    c.info.struct_size = sizeof c.info;
    int status = ecl_copy_out(
        &(eulercl_check_report){0}, report->struct_size, &c.report, sizeof c.report, error);
    if (!status) status = choose_options(options, &c.options, &c.t_end, error);
    if (!status) status = eulercl_problem_get_info(problem, &c.info, error);
    if (!status) status = check_all(&c);
    eulercl_problem_destroy(c.problem);
    return status ? status
                  : ecl_copy_out(report, report->struct_size, &c.report, sizeof c.report, error);
}

int eulercl_check(const eulercl_problem *problem, const eulercl_options *options,
    eulercl_check_report *report, eulercl_check_observer *observer, void *user,
    eulercl_error *error) {
    EULERCL_NEEDS(problem);
    EULERCL_NEEDS(report);
    /* The observer may change the caller's problem, or destroy it. */
    eulercl_problem *own;
    const int status = ecl_problem_use(problem, 0, &own, error);
    if (status) return status;
    ecl_problem_want_fast(own);
    return check(own, options, report, observer, user, error);
}
