/* SPDX-License-Identifier: BSD-2-Clause */
/* observe.c - see observe.h: the list of observers, and the public functions. */
#include "config.h"
#include "observe.h"
#include "../mem.h"
#include "../problem/problem.h"
#include "../run/solver.h"
#include "../text.h"
#include <math.h>
#include <string.h>

static const struct observer *const observers[] = {&ecl_observe_histogram, &ecl_observe_patterns,
    &ecl_observe_length, &ecl_observe_front, &ecl_observe_correlation};
enum { OBSERVERS = sizeof observers / sizeof *observers };

const char *eulercl_observer_form(size_t index) {
    return index < OBSERVERS ? observers[index]->form : NULL;
}

/* ---- from a text ---- */

static size_t name_length(const char *text) { return strcspn(text, ":"); }

static int find_observer(const char *text, const struct observer **found, eulercl_error *error) {
    const size_t length = name_length(text);
    char known[200] = "";
    for (size_t i = 0; i < OBSERVERS; i++) {
        const char *const form = observers[i]->form;
        *found = observers[i];
        if (name_length(form) == length && !strncmp(form, text, length)) return EULERCL_OK;
        snprintf(known + strlen(known), sizeof known - strlen(known), "%s%s", i ? ", " : "", form);
    }
    return ecl_fail(error, EULERCL_INVALID, "'%.100s' is not one of %s", text, known);
}

static int count_words(const char *text) {
    int count = 1;
    for (; *text; text++) count += *text == ':';
    return count;
}

/* The numbers behind the name. */
static int read_arguments(eulercl_observation *o, eulercl_error *error) {
    const char *word = o->text + name_length(o->text);
    const int count = count_words(o->observer->form) - 1;
    if (count_words(o->text) - 1 != count)
        return ecl_fail(
            error, EULERCL_INVALID, "'%.100s' is not of the form %s", o->text, o->observer->form);
    for (int i = 0; i < count; i++) {
        char number[64];
        const size_t length = name_length(++word);
        snprintf(number, sizeof number, "%.*s", (int)length, word);
        if (length >= sizeof number || !text_real(number, &o->arguments[i]))
            return ecl_fail(error, EULERCL_INVALID,
                "%.100s: '%.60s' is not a finite number; expected %s", o->text, number,
                o->observer->form);
        word += length;
    }
    return EULERCL_OK;
}

static int check_arguments(const eulercl_observation *o, eulercl_error *error) {
    const double component = o->arguments[0];
    if (!(component >= 0 && component < o->grid.components && component == floor(component)))
        return ecl_fail(error, EULERCL_INVALID, "%.200s: a point has components 0 to %u", o->text,
            o->grid.components - 1);
    if (o->observer->has_places && !o->grid.rank)
        return ecl_fail(error, EULERCL_UNSUPPORTED, "%.200s: the problem has no grid", o->text);
    return o->observer->check ? o->observer->check(o, error) : EULERCL_OK;
}

static int make(const eulercl_problem *problem, const char *text, eulercl_observation *o,
    eulercl_error *error) {
    int status = find_observer(text, &o->observer, error);
    if (status) return status;
    o->text = ecl_mem_zeroed(strlen(text) + 1, 1);
    if (!o->text) return ecl_no_memory(error, "an observation");
    memcpy(o->text, text, strlen(text));
    o->grid = problem->size.grid;
    o->last_t = o->last_mean = (double)NAN;
    status = read_arguments(o, error);
    return status ? status : check_arguments(o, error);
}

int eulercl_observation_create(const eulercl_problem *problem, const char *text,
    eulercl_observation **observation, eulercl_error *error) {
    EULERCL_NEEDS(problem);
    EULERCL_NEEDS(text);
    EULERCL_NEEDS(observation);
    eulercl_observation *const made = ecl_mem_zeroed(1, sizeof *made);
    if (!made) return ecl_no_memory(error, "an observation");
    const int status = make(problem, text, made, error);
    if (status)
        eulercl_observation_destroy(made);
    else
        *observation = made;
    return status;
}

void eulercl_observation_destroy(eulercl_observation *observation) {
    if (observation) ecl_mem_free(observation->text);
    ecl_mem_free(observation);
}

size_t eulercl_observation_columns(const eulercl_observation *observation) {
    return observation ? (size_t)observation->observer->columns(observation) : 0;
}

int eulercl_observation_column(const eulercl_observation *observation, size_t index, char *name,
    size_t size, eulercl_error *error) {
    EULERCL_NEEDS(observation);
    EULERCL_NEEDS(name);
    const struct observer *const observer = observation->observer;
    char own[32] = "";
    if (index >= eulercl_observation_columns(observation))
        return ecl_fail(error, EULERCL_INVALID, "%.200s has columns 0 to %zu", observation->text,
            eulercl_observation_columns(observation) - 1);
    if (observer->name) observer->name(observation, (int64_t)index, own, sizeof own);
    if (strlen(observation->text) + strlen(own) + 2 > size)
        return ecl_fail(
            error, EULERCL_INVALID, "the name of a column does not fit into %zu bytes", size);
    snprintf(name, size, "%s%s%s", observation->text, *own ? ":" : "", own);
    return EULERCL_OK;
}

/* ---- of a state ---- */

static int is_same_grid(const struct ode_grid *a, const struct ode_grid *b) {
    int is_same = a->rank == b->rank && a->components == b->components;
    for (int axis = 0; axis < ODE_MOST_AXES; axis++)
        is_same &=
            a->extents[axis] == b->extents[axis] && a->boundary[axis][0] == b->boundary[axis][0];
    return is_same;
}

int eulercl_observe(eulercl_solver *solver, eulercl_observation *observation, double *values,
    eulercl_error *error) {
    EULERCL_NEEDS(solver);
    EULERCL_NEEDS(observation);
    EULERCL_NEEDS(values);
    struct run *const run = &solver->run;
    int status = ecl_check_process(run, error);
    if (status) return status;
    if (!is_same_grid(&run->system.context.grid, &observation->grid))
        return ecl_fail(error, EULERCL_INVALID,
            "%.200s was made for a problem with another grid than that of the solver",
            observation->text);
    const struct observed observed = {run, solver->settled.table->state, observation, solver->t};
    status = observation->observer->find(&observed, values, error);
    const size_t columns = eulercl_observation_columns(observation);
    for (size_t i = 0; !status && i < columns; i++) /* 0 / 0 has another sign on each processor */
        if (isnan(values[i])) values[i] = (double)NAN;
    return status;
}
