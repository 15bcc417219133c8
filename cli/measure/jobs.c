/* SPDX-License-Identifier: BSD-2-Clause */
/* jobs.c - what eulercl bench and eulercl compare run, one after the other. */
#include "config.h"

#include "measure/jobs.h"
#include "shared/message.h"
#include "shared/problem.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the list ---- */

int add_job(struct jobs *jobs, const struct job *job) {
    struct job *const more = reallocarray(jobs->list, jobs->count + 1, sizeof *more);
    if (more == NULL) return fail(EULERCL_MEMORY, "no memory for the list of runs");
    jobs->list = more;
    more[jobs->count++] = *job;
    return EULERCL_OK;
}

static int add_configurations(
    struct jobs *jobs, const struct configurations *configurations, const struct job *job) {
    int status = EULERCL_OK;
    for (size_t w = 0; w < configurations->count && !status; w++) {
        struct job one = *job;
        one.configuration = &configurations->list[w];
        one.is_first = w == 0;
        one.is_baseline = configurations->has_baseline && w == configurations->baseline;
        status = apply_configuration(one.configuration, &one.options);
        if (!status) status = add_job(jobs, &one);
    }
    return status;
}

int add_jobs(struct jobs *jobs, const struct matrix *matrix,
    const struct configurations *configurations, const struct job *job, settler *settle,
    void *user) {
    int status = EULERCL_OK;
    for (size_t m = 0; m < matrix->n_methods && !status; m++) {
        struct job one = *job;
        one.method = &matrix->methods[m];
        status = apply_method(one.method, &one.options);
        if (!status && settle != NULL) status = settle(user, &one);
        for (size_t p = 0; p < matrix->n_precisions && !status; p++) {
            one.options.precision = matrix->precisions[p];
            status = add_configurations(jobs, configurations, &one);
        }
    }
    return status;
}

/* ---- the system ---- */

void close_system(struct system *system) {
    if (system->name != NULL) eulercl_problem_destroy(system->problem);
    system->name = NULL;
}

int find_size_parameter(const struct system *system, eulercl_parameter *parameter) {
    for (size_t i = 0; i < system->info.parameters; i++)
        if (get_parameter(system->problem, i, parameter) == EULERCL_OK && parameter->integer)
            return 1;
    return 0;
}

/* The number of components for this value of the parameter; INT64_MAX if it is too large. */
static int64_t size_with(eulercl_problem *problem, const char *name, double value) {
    eulercl_problem_info info = {.struct_size = sizeof info};
    if (eulercl_problem_set(problem, name, value, NULL) ||
        eulercl_problem_get_info(problem, &info, NULL))
        return INT64_MAX;
    return info.n;
}

/* Bisection: the size grows with its parameter. */
static void set_nearest_size(
    eulercl_problem *problem, const eulercl_parameter *parameter, int64_t wanted) {
    double low = parameter->min, high = fmin(parameter->max, 0x1p53);
    while (high - low > 1) {
        const double middle = floor(low + (high - low) / 2);
        *(size_with(problem, parameter->name, middle) <= wanted ? &low : &high) = middle;
    }
    const int64_t below = size_with(problem, parameter->name, low),
                  above = size_with(problem, parameter->name, high);
    if (above == INT64_MAX || wanted - below <= above - wanted)
        size_with(problem, parameter->name, low);
}

/* A problem that had a size is opened again for a job that sets none. */
static int open_problem_of(struct system *system, const struct job *job) {
    if (system->name != NULL && strcmp(system->name, job->problem) == 0 &&
        (job->size != 0 || system->size == 0))
        return EULERCL_OK;
    struct problem_choice choice = *system->settings;
    choice.name = job->problem;
    choice.size = 0;
    close_system(system);
    const int status = open_problem(&choice, &system->problem, &system->info);
    if (!status) system->name = job->problem;
    return status;
}

int open_system(struct system *system, const struct job *job) {
    eulercl_error error;
    eulercl_parameter parameter;
    const int status = open_problem_of(system, job);
    if (status) return status;
    system->size = job->size;
    if (job->size != 0 && eulercl_problem_set_size(system->problem, job->size, &error)) {
        if (!job->any_size || !find_size_parameter(system, &parameter)) return fail_library(&error);
        set_nearest_size(system->problem, &parameter, job->size);
    }
    if ((job->parameter != NULL &&
            eulercl_problem_set(system->problem, job->parameter, job->x, &error)) ||
        eulercl_problem_get_info(system->problem, &system->info, &error))
        return fail_library(&error);
    return EULERCL_OK;
}

/* ---- running ---- */

int run_jobs(const struct jobs *jobs, struct system *system, job_runner *run, void *user) {
    int status = EULERCL_OK;
    for (size_t i = 0; i < jobs->count && !status; i++) {
        const struct job *const job = &jobs->list[i];
        if (can_show_progress()) {
            char line[256];
            snprintf(line, sizeof line, "%zu of %zu: %.60s %s %.100s", i + 1, jobs->count,
                job->problem, job->label,
                job->configuration == NULL ? "" : job->configuration->label);
            show_line(line);
        }
        status = open_system(system, job);
        if (!status) status = run(user, system, job);
    }
    wipe_line();
    return status;
}
