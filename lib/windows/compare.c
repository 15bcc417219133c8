/* SPDX-License-Identifier: BSD-2-Clause */
/* windows/compare.c - whether processes that share a system have the same problem. */
#include "config.h"
#include "windows.h"
#include "../mem.h"
#include "../plan/wisdom.h"
#include "../problem/coefficients.h"
#include "../problem/problem.h"
#include "../reals.h"
#include <string.h>

/* Files of one name on several hosts may differ. */
static int compare_texts(const struct run *run, const struct transport *t, eulercl_error *error) {
    const struct ode_problem *const d = run->system.definition;
    if (!t) return EULERCL_OK;
    const int64_t value = (int64_t)(ecl_problem_sum(d) >> 1);
    int64_t ends[2] = {value, -value};
    const int status = t->greatest(t->user, ends, 2, error);
    return status || ends[0] == -ends[1]
               ? status
               : ecl_fail(error, EULERCL_INVALID,
                     "the processes have different texts of problem %s", d->name);
}

static uint64_t add_to_sum(uint64_t sum, double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    sum = (sum ^ bits) * UINT64_C(0x100000001b3);
    return sum ^ sum >> 32; /* A product carries no bit to the right. */
}

/* Checksum of the values of a field. */
static int64_t sum_of_field(const struct system *s, uint32_t field) {
    const int64_t plane = ecl_plane_points(&s->context.grid);
    uint64_t sum = 0;
    for (int64_t i = field * plane; i < (field + 1) * plane; i++)
        sum = add_to_sum(sum, real_get(s->fields, i, s->real_size));
    return (int64_t)(sum >> 1);
}

/* The processes have the same text of the problem. Their users may have set other fields. */
static int compare_fields(const struct run *run, const struct transport *t, eulercl_error *error) {
    const struct ode_problem *const d = run->system.definition;
    const uint32_t count = d->field_count;
    if (!t || !count) return EULERCL_OK;
    int64_t *const ends = ecl_mem_zeroed(2 * (uint64_t)count, sizeof *ends);
    /* One process must not leave the others waiting. */
    int status =
        ecl_transport_agree(t, ends ? EULERCL_OK : ecl_no_memory(error, "the fields"), error);
    for (uint32_t f = 0; !status && f < count; f++) {
        ends[2 * f] = sum_of_field(&run->system, f);
        ends[2 * f + 1] = -ends[2 * f];
    }
    if (!status) status = t->greatest(t->user, ends, 2 * (int)count, error);
    for (uint32_t f = 0; !status && f < count; f++)
        if (ends[2 * f] != -ends[2 * f + 1])
            status = ecl_fail(error, EULERCL_INVALID,
                "the processes have different values of field %s of problem %s", d->fields[f],
                d->name);
    ecl_mem_free(ends);
    return status;
}

/* Checksum of the initial state; 0 for a problem that has none. */
static int sum_of_initial(
    const eulercl_problem *problem, const struct system *s, int64_t *sum, eulercl_error *error) {
    enum { CHUNK = 1024 };
    double reals[CHUNK]; /* or floats */
    uint64_t all = 0;
    *sum = 0;
    for (int64_t first = 0; ecl_has_initial(problem) && first < s->n; first += CHUNK) {
        const int64_t count = s->n - first < CHUNK ? s->n - first : CHUNK;
        const int status = eulercl_problem_initial(
            problem, (enum eulercl_precision)s->real_size, first, count, reals, error);
        if (status) return status;
        for (int64_t i = 0; i < count; i++) all = add_to_sum(all, real_get(reals, i, s->real_size));
    }
    *sum = (int64_t)(all >> 1);
    return EULERCL_OK;
}

/* Without an array that a user sets, the state follows from the text. */
static int compare_initial(const eulercl_problem *problem, const struct run *run,
    const struct transport *t, eulercl_error *error) {
    int64_t is_set = problem->given[0] != NULL, sum;
    int status = t ? t->greatest(t->user, &is_set, 1, error) : EULERCL_OK;
    if (status || !t || !is_set) return status;
    status = ecl_transport_agree(t, sum_of_initial(problem, &run->system, &sum, error), error);
    if (status) return status;
    int64_t ends[2] = {sum, -sum};
    status = t->greatest(t->user, ends, 2, error);
    return status || ends[0] == -ends[1]
               ? status
               : ecl_fail(error, EULERCL_INVALID,
                     "the processes have different initial states of problem %s",
                     run->system.definition->name);
}

int ecl_compare_processes(const eulercl_problem *problem, const struct run *run,
    const struct transport *transport, eulercl_error *error) {
    int status = compare_texts(run, transport, error);
    if (!status) status = compare_fields(run, transport, error);
    return status ? status : compare_initial(problem, run, transport, error);
}
