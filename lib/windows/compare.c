/* SPDX-License-Identifier: BSD-2-Clause */
/* windows/compare.c - whether processes that share a system have the same problem. */
#include "config.h"
#include "windows.h"
#include "../mem.h"
#include "../plan/wisdom.h"
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

/* Checksum of the values of a field. */
static int64_t sum_of_field(const struct system *s, uint32_t field) {
    const uint32_t fields = s->definition->field_count;
    uint64_t sum = 0;
    for (int64_t i = field; i < (int64_t)(s->field_bytes / s->real_size); i += fields) {
        const double value = real_get(s->fields, i, s->real_size);
        uint64_t bits;
        memcpy(&bits, &value, sizeof bits);
        sum = (sum ^ bits) * UINT64_C(0x100000001b3);
        sum ^= sum >> 32; /* A product carries no bit to the right. */
    }
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

int ecl_compare_processes(
    const struct run *run, const struct transport *transport, eulercl_error *error) {
    const int status = compare_texts(run, transport, error);
    return status ? status : compare_fields(run, transport, error);
}
