/* monitor.h - figures over the state, the same bits on every backend: the order of all sums is settled here, by n and the components of a point alone. */
#ifndef EULERCL_MONITOR_H
#define EULERCL_MONITOR_H
#include "backend.h"

/* Of some values. */
enum { LEAST, GREATEST, SUM, SUM_OF_ABSOLUTES, SUM_OF_SQUARES, FIGURES };

/* Part p is the `share` components from p * share on (the last part is shorter). Its lane l sums every lanes-th component, from p * share + l on. Then lane l takes
   in lane l + lanes / 2, and so on by halves, until one lane per component of a point is left; then part after part is taken in. The kernel does the same. */
struct monitor_plan {
    int64_t components, lanes, share, parts;       /* lanes: components times a power of two; share: a multiple of lanes */
};

/* monitor.c: the work of one part on the host: begin, add its components in order, as many rows of lanes at a time as you like (only the last may be shorter), and
   finish. `lanes` has room for plan->lanes * FIGURES; figures[c * FIGURES + figure] is the result. */
void eulercl_monitor_begin(const struct monitor_plan *plan, double *lanes);
void eulercl_monitor_add(const struct monitor_plan *plan, double *lanes, const void *y, int64_t count, size_t real_size);
void eulercl_monitor_finish(const struct monitor_plan *plan, double *lanes, double *figures);

/* eulercl_monitor, for solver.c. */
int eulercl_monitor_state(struct run *run, const struct backend *backend, const eulercl_figure *wanted, size_t count, double *values, eulercl_error *error);
#endif
