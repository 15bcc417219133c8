/* SPDX-License-Identifier: BSD-2-Clause */
/* facts.c - what a file or a report says of the run that it comes from: one list, for JSON, HDF5,
 * PNG and CSV. */
#include "config.h"

#include "shared/facts.h"
#include "shared/escape.h"
#include "shared/message.h"
#include "shared/number.h"
#include "shared/options.h"
#include "shared/problem.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

char *join_arguments(const char *command, int argc, char **argv) {
    char *text = NULL;
    size_t size;
    FILE *const file = open_memstream(&text, &size);
    if (file == NULL) return NULL;
    put_plain(file, command, "");
    for (int i = 1; i < argc; i++) {
        fputc(' ', file);
        put_plain(file, argv[i], "");
    }
    return fclose(file) == 0 ? text : NULL;
}

void format_date(char date[32]) {
    const time_t now = time(NULL);
    struct tm utc;
    strftime(date, 32, "%Y-%m-%d %H:%M UTC", gmtime_r(&now, &utc));
}

void find_driver(const char *id, char *driver, size_t size) {
    eulercl_device_info device = {.struct_size = sizeof device};
    driver[0] = '\0';
    for (size_t i = 0; *id != '\0' && eulercl_get_device(i, &device, NULL) == EULERCL_OK; i++)
        if (strcmp(device.id, id) == 0) snprintf(driver, size, "%s", device.driver);
}

eulercl_stats stats_of(const eulercl_solver *solver) {
    eulercl_stats stats = {.struct_size = sizeof stats};
    eulercl_get_stats(solver, &stats, NULL);
    return stats;
}

double steps_rate(const eulercl_stats *stats) {
    const int64_t steps = stats->steps - stats->resumed_steps;
    return steps > 0 && stats->kernel_seconds > 0
               ? (double)stats->n * (double)steps / stats->kernel_seconds
               : (double)NAN;
}

double stages_rate(const eulercl_stats *stats) {
    return stats->rhs_evaluations > 0 && stats->kernel_seconds > 0
               ? (double)stats->n * (double)stats->rhs_evaluations / stats->kernel_seconds
               : (double)NAN;
}

/* ---- the list ---- */

enum { FIRST_FACTS = 6, FACTS = 58 + EULERCL_MOST_FACTS }; /* beside the parameters */

static struct fact *add(struct facts *facts, const char *name, enum fact_kind kind) {
    struct fact *const fact = &facts->list[facts->count++];
    *fact = (struct fact){.name = name, .kind = kind};
    return fact;
}

void add_text_fact(struct facts *facts, const char *name, const char *text) {
    add(facts, name, *text == '\0' ? FACT_NONE : FACT_TEXT)->text = text;
}

void add_whole_fact(struct facts *facts, const char *name, int64_t value) {
    add(facts, name, FACT_WHOLE)->whole = value;
}

/* 0: does not apply. */
static void add_count(struct facts *facts, const char *name, uint64_t value) {
    add(facts, name, value == 0 ? FACT_NONE : FACT_WHOLE)->whole = (int64_t)value;
}

void add_real_fact(struct facts *facts, const char *name, double value) {
    add(facts, name, isfinite(value) ? FACT_REAL : FACT_NONE)->real = value;
}

static void add_parameters(struct facts *facts, const eulercl_problem *problem, size_t parameters) {
    for (size_t i = 0; i < parameters; i++) {
        eulercl_parameter parameter;
        if (get_parameter(problem, i, &parameter)) continue;
        const int whole = parameter.integer && fabs(parameter.value) < 0x1p63;
        struct fact *const fact = add(facts, parameter.name, whole ? FACT_WHOLE : FACT_REAL);
        fact->is_parameter = 1;
        if (whole)
            fact->whole = (int64_t)parameter.value;
        else
            fact->real = parameter.value;
    }
}

int begin_facts(const struct origin *origin, size_t more, struct facts *facts) {
    const eulercl_problem_info *const info = origin->info;
    *facts =
        (struct facts){.list = calloc(FIRST_FACTS + info->parameters + more, sizeof *facts->list),
            .stats.struct_size = sizeof facts->stats};
    if (facts->list == NULL) return fail(EULERCL_MEMORY, "no memory for the report");
    add_text_fact(facts, "version", eulercl_version());
    add_text_fact(facts, "command", origin->command);
    add_text_fact(facts, "date", origin->date);
    add_text_fact(facts, "problem", info->name);
    add_whole_fact(facts, "n", info->n);
    add_whole_fact(facts, "access_distance", info->access_distance);
    add_parameters(facts, origin->problem, info->parameters);
    return EULERCL_OK;
}

int keep_stats(eulercl_stats *stats, double **memory) {
    const size_t count = (size_t)stats->unknowns;
    *memory = calloc(2 * count + 1, sizeof **memory);
    if (*memory == NULL) return fail(EULERCL_MEMORY, "no memory for the report");
    for (size_t c = 0; c < count; c++) {
        (*memory)[c] = stats->atols[c];
        (*memory)[count + c] = stats->greatest[c];
    }
    stats->atols = *memory;
    stats->greatest = *memory + count;
    return EULERCL_OK;
}

int is_below_atol(const eulercl_stats *stats, int64_t unknown) {
    return stats->greatest[unknown] > 0 && stats->greatest[unknown] < stats->atols[unknown];
}

/* Numbers, separated by commas. */
static char *join_reals(const double *reals, int64_t count) {
    char *text = NULL, number[32];
    size_t size;
    FILE *const file = open_memstream(&text, &size);
    if (file == NULL) return NULL;
    for (int64_t i = 0; i < count; i++)
        fprintf(file, "%s%s", i > 0 ? "," : "", real_text(reals[i], number));
    return fclose(file) ? NULL : text;
}

/* The numbers of the unknowns that are below their atols. */
static char *join_unknowns(const eulercl_stats *stats) {
    char *text = NULL;
    const char *before = "";
    size_t size;
    FILE *const file = open_memstream(&text, &size);
    if (file == NULL) return NULL;
    for (int64_t c = 0; c < stats->unknowns; c++) {
        if (!is_below_atol(stats, c)) continue;
        fprintf(file, "%s%" PRId64, before, c);
        before = ",";
    }
    return fclose(file) ? NULL : text;
}

static void add_reals_fact(
    struct facts *facts, const char *name, const char *text, const double *reals, int64_t count) {
    struct fact *const fact = add(facts, name, count > 0 ? FACT_REALS : FACT_NONE);
    fact->text = text;
    fact->whole = count;
    fact->reals = reals;
}

/* Add the facts of steps to a tolerance. */
static void add_tolerance(
    struct facts *facts, const eulercl_options *options, const eulercl_stats *stats) {
    const int is_adaptive = options->rtol > 0;
    add_reals_fact(facts, "atols", facts->atols, stats->atols, stats->unknowns);
    add_text_fact(facts, "below_atol", facts->below_atol);
    const struct {
        const char *name;
        double value;
    } reals[] = {{"rtol", options->rtol}, {"atol", stats->atol}, {"h_first", stats->h_first},
        {"h_least", stats->h_least}, {"h_greatest", stats->h_greatest}, {"h_last", stats->h_last},
        {"error_estimate", stats->error_estimate}};
    for (size_t i = 0; i < sizeof reals / sizeof *reals; i++)
        add_real_fact(facts, reals[i].name, is_adaptive ? reals[i].value : (double)NAN);
    add_real_fact(facts, "spectral_radius",
        stats->spectral_radius > 0 ? stats->spectral_radius : (double)NAN);
    if (is_adaptive)
        add_whole_fact(facts, "rejected", stats->rejected);
    else
        add(facts, "rejected", FACT_NONE);
    add_count(facts, "method_changes", (uint64_t)stats->method_changes);
    add_count(facts, "spectral_estimates", (uint64_t)stats->spectral_estimates);
    add_real_fact(facts, "control_seconds", is_adaptive ? stats->control_seconds : (double)NAN);
    if (options->steady > 0)
        add(facts, "steady", FACT_TRUTH)->whole = stats->is_steady;
    else
        add(facts, "steady", FACT_NONE);
    add_real_fact(facts, "derivative", stats->is_steady ? stats->derivative : (double)NAN);
}

int collect_facts(const struct origin *origin, const eulercl_solver *solver,
    const struct ending *ending, struct facts *facts) {
    eulercl_stats stats = {.struct_size = sizeof stats};
    eulercl_clock clock = {.struct_size = sizeof clock};
    eulercl_get_stats(solver, &stats, NULL);
    eulercl_get_clock(solver, &clock, NULL);
    return collect_facts_of(origin, &stats, &clock, ending, facts);
}

int collect_facts_of(const struct origin *origin, const eulercl_stats *stats,
    const eulercl_clock *clock, const struct ending *ending, struct facts *facts) {
    const int status = begin_facts(origin, FACTS, facts);
    if (status) return status;
    facts->stats = *stats;
    const eulercl_options *const options = origin->options;
    facts->atols = join_reals(stats->atols, stats->unknowns);
    facts->below_atol = join_unknowns(stats);
    facts->breakpoints = join_reals(options->breakpoints, options->breakpoint_count);
    if (facts->atols == NULL || facts->below_atol == NULL || facts->breakpoints == NULL)
        return fail(EULERCL_MEMORY, "no memory for the report");
    find_driver(stats->device_id, facts->driver, sizeof facts->driver);
    if (origin->fields != NULL) add_text_fact(facts, "fields", origin->fields);
    if (origin->thin != NULL) add_text_fact(facts, "thin", origin->thin);
    if (origin->smoothing > 0) add_whole_fact(facts, "smooth", origin->smoothing);
    add_whole_fact(facts, "steps", stats->steps);
    add_real_fact(facts, "t0", origin->options->t0);
    add_real_fact(facts, "t_end", stats->t);
    const int is_adaptive = origin->options->rtol > 0;
    add_real_fact(facts, "h", is_adaptive ? (double)NAN : origin->options->h);
    add_real_fact(facts, "t_base", clock->t_base);
    add_whole_fact(facts, "base_steps", clock->base_steps);
    add_count(facts, "resumed_steps", (uint64_t)stats->resumed_steps);
    add_count(facts, "snapshot_count", (uint64_t)ending->snapshots);
    snprintf(facts->control, sizeof facts->control, "%s", clock->control);
    add_text_fact(facts, "control", facts->control);
    add_reals_fact(
        facts, "breakpoints", facts->breakpoints, options->breakpoints, options->breakpoint_count);
    add_real_fact(facts, "last_h", ending->last_h > 0 ? ending->last_h : (double)NAN);
    add_tolerance(facts, origin->options, stats);
    add_text_fact(facts, "method", stats->method);
    add_text_fact(facts, "method_reason", stats->method_reason);
    add_whole_fact(facts, "order", stats->order);
    add_whole_fact(facts, "stages", stats->stages);
    add_whole_fact(facts, "rhs_evaluations", (int64_t)stats->rhs_evaluations);
    add_real_fact(facts, "flush_below", stats->flush_below);
    add_text_fact(facts, "backend", stats->backend);
    add_text_fact(facts, "variant", stats->variant);
    add_text_fact(facts, "precision", precision_name(stats->precision));
    add_text_fact(facts, "device", stats->device);
    add_text_fact(facts, "device_id", stats->device_id);
    add_text_fact(facts, "driver", facts->driver);
    add_count(facts, "threads", stats->threads);
    add(facts, "bits_guaranteed", FACT_TRUTH)->whole = stats->bits_guaranteed;
    add_real_fact(facts, "component_steps_per_second", steps_rate(stats));
    add_real_fact(facts, "component_stages_per_second", stages_rate(stats));
    add_whole_fact(facts, "launches", (int64_t)stats->launches);
    add_whole_fact(facts, "device_bytes", (int64_t)stats->device_bytes);
    add_text_fact(facts, "state_hash", ending->hash);
    if (ending->subnormals == NULL)
        add(facts, "subnormal_components", FACT_NONE);
    else
        add_whole_fact(facts, "subnormal_components", *ending->subnormals);
    add_text_fact(facts, "ended", eulercl_status_text(ending->status));
    add_text_fact(facts, "note", stats->note);
    add_text_fact(facts, "plan", stats->plan);
    add_text_fact(facts, "plan_reason", stats->plan_reason);
    add_real_fact(facts, "predicted_seconds",
        stats->predicted_seconds > 0 ? stats->predicted_seconds : (double)NAN);
    add_whole_fact(facts, "steps_per_launch", (int64_t)stats->steps_per_launch);
    for (size_t i = 0; i < stats->fact_count; i++)
        if (stats->facts[i].kind == EULERCL_TEXT)
            add_text_fact(facts, stats->facts[i].name, stats->facts[i].text);
        else
            add_whole_fact(facts, stats->facts[i].name, (int64_t)stats->facts[i].number);
    return EULERCL_OK;
}

void print_solver_facts(FILE *file, const char *before, const eulercl_stats *stats, int totals) {
    for (size_t i = 0; i < stats->fact_count; i++) {
        const eulercl_fact *const fact = &stats->facts[i];
        if (fact->kind == EULERCL_TOTAL && !totals) continue;
        fprintf(file, "%s%s=", before, fact->name);
        if (fact->kind == EULERCL_TEXT)
            fputs(fact->text, file);
        else
            fprintf(file, "%" PRIu64, fact->number);
    }
}

void free_facts(struct facts *facts) {
    free(facts->list);
    free(facts->atols);
    free(facts->below_atol);
    free(facts->breakpoints);
    facts->list = NULL;
    facts->atols = facts->below_atol = facts->breakpoints = NULL;
}

const char *fact_text(const struct fact *fact, char buffer[32]) {
    switch (fact->kind) {
    case FACT_TEXT:
    case FACT_REALS:
        return fact->text;
    case FACT_WHOLE:
        snprintf(buffer, 32, "%" PRId64, fact->whole);
        return buffer;
    case FACT_TRUTH:
        return fact->whole ? "yes" : "no";
    case FACT_REAL:
        return real_text(fact->real, buffer);
    case FACT_NONE:
        break;
    }
    return "";
}

void print_facts(FILE *file, const char *before, const struct facts *facts) {
    char buffer[32];
    for (size_t i = 0; i < facts->count; i++) {
        const struct fact *const fact = &facts->list[i];
        if (fact->kind == FACT_NONE) continue;
        fprintf(file, "%s%s%s: ", before, fact->is_parameter ? "parameter " : "", fact->name);
        put_plain(file, fact_text(fact, buffer), "");
        fputc('\n', file);
    }
}

static json_t *json_reals(const double *reals, int64_t count) {
    json_t *const list = json_array();
    for (int64_t i = 0; i < count; i++) json_array_append_new(list, json_real(reals[i]));
    return list;
}

static json_t *json_fact(const struct fact *fact) {
    switch (fact->kind) {
    case FACT_TEXT:
        return json_string(fact->text);
    case FACT_WHOLE:
        return json_integer((json_int_t)fact->whole);
    case FACT_TRUTH:
        return json_boolean(fact->whole);
    case FACT_REAL:
        return json_real(fact->real);
    case FACT_REALS:
        return json_reals(fact->reals, fact->whole);
    case FACT_NONE:
        break;
    }
    return json_null();
}

json_t *json_facts(const struct facts *facts) {
    json_t *const object = json_object(), *const parameters = json_object();
    int failed = object == NULL || parameters == NULL;
    for (size_t i = 0; i < facts->count && !failed; i++) {
        const struct fact *const fact = &facts->list[i];
        failed = json_object_set_new(
                     fact->is_parameter ? parameters : object, fact->name, json_fact(fact)) != 0;
        if (!failed && strcmp(fact->name, "access_distance") == 0 && !fact->is_parameter)
            failed = json_object_set(object, "parameters", parameters) != 0;
    }
    json_decref(parameters);
    if (!failed) return object;
    json_decref(object);
    return NULL;
}
