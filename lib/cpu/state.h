/* SPDX-License-Identifier: BSD-2-Clause */
/* state.h - the arrays of the CPU backends, and their transfers. */
#ifndef EULERCL_CPU_STATE_H
#define EULERCL_CPU_STATE_H
#include "../run/backend.h"
#include "../problem/system.h"

int ecl_cpu_state_create(struct run *run, struct state_arrays *state, eulercl_error *error);
/* Make room for the method's carried values of all components in an existing state, if there is not
 * enough. On failure the state remains as it was. */
int ecl_cpu_carried_create(struct run *run, struct state_arrays *state, eulercl_error *error);
void ecl_cpu_state_destroy(const struct run *run, struct state_arrays *state);
void ecl_cpu_swap(struct state_arrays *state);
/* Parts of the vtable, for a backend whose impl begins with a struct state_arrays. */
extern const struct state_table ecl_cpu_state;
int ecl_cpu_write_state(
    struct run *run, int64_t first, int64_t count, const void *y, eulercl_error *error);
int ecl_cpu_read_state(
    struct run *run, int64_t first, int64_t count, void *y, eulercl_error *error);
int ecl_cpu_find_nonfinite(struct run *run, int64_t *component, eulercl_error *error);
extern const struct copy_table ecl_cpu_copies;
extern const struct slot_table ecl_cpu_slot;
#endif
