/* SPDX-License-Identifier: BSD-2-Clause */
/* cores.h - the processor: its name, its cache, the cores that a thread may use, and keeping a
 * thread on one of them. */
#ifndef EULERCL_CPU_CORES_H
#define EULERCL_CPU_CORES_H
#include "../internal.h"
#include <pthread.h>
#include <sched.h>

struct cores {
    int64_t count; /* number of cores, at least 1 */
#ifdef HAVE_PTHREAD_SETAFFINITY_NP
    cpu_set_t set; /* empty: the system does not report them */
#endif
};

/* The name of the processor. */
void ecl_cpu_name(char *name, size_t size);
/* Bytes of the cache that a core has for itself: the second level. */
int64_t ecl_cache_bytes(void);
/* Whether this many threads are pinned: by default if they take all cores, because otherwise
 * threads of another program could be pinned to the same ones. */
int ecl_cores_to_pin(const eulercl_options *options, int64_t threads);
/* The cores of the calling thread. */
struct cores ecl_cores(void);
/* Keep a thread on one of them, counted round. Errors: UNSUPPORTED. */
int ecl_cores_pin(const struct cores *cores, pthread_t thread, int64_t index, eulercl_error *error);
/* The calling thread for a while: on the first of its cores; then on all of them again. */
int ecl_cores_pin_caller(struct cores *before, eulercl_error *error);
void ecl_cores_unpin_caller(const struct cores *before);
#endif
