/* cpu/state.h - the two arrays that the CPU backends share, and one pass over a part of them. */
#ifndef EULERCL_CPU_STATE_H
#define EULERCL_CPU_STATE_H
#include "../backend.h"

struct cpu_state {
    char *now, *next;          /* the state, and where the next one goes */
};

int eulercl_cpu_state_create(struct run *run, struct cpu_state *state, eulercl_error *error);
void eulercl_cpu_state_destroy(struct cpu_state *state);
/* next[i] = fma(h, f_i(t, now), now[i]) for begin <= i < end */
void eulercl_cpu_step_range(const struct system *system, const struct cpu_state *state, int64_t begin, int64_t end, double t, double h);
/* For the planner: seconds that a step takes on `cores` cores, without what they spend on each other. */
double eulercl_cpu_step_seconds(const struct system *system, double cores);
/* The same from the cache; what a pass over both arrays takes from memory. */
double eulercl_cpu_compute_seconds(const struct system *system, double cores);
double eulercl_cpu_memory_seconds(const struct system *system, double cores);
void eulercl_cpu_swap(struct cpu_state *state);
/* Of the processor. */
void eulercl_cpu_name(char *name, size_t size);

/* The vtable's transfers, for a backend whose impl begins with a struct cpu_state. */
int eulercl_cpu_write(struct run *run, int64_t first, int64_t count, const void *y, eulercl_error *error);
int eulercl_cpu_read(struct run *run, int64_t first, int64_t count, void *y, eulercl_error *error);
int eulercl_cpu_find_nonfinite(struct run *run, int64_t *component, eulercl_error *error);
int eulercl_cpu_monitor(struct run *run, const struct monitor_plan *plan, double *parts, eulercl_error *error);
extern const struct snapshots eulercl_cpu_snapshots;
#endif
