/* SPDX-License-Identifier: BSD-2-Clause */
/* engine.h - the engine of the host's threads. */
#ifndef EULERCL_CPU_ENGINE_H
#define EULERCL_CPU_ENGINE_H
#include "../run/backend.h"

/* cpu/ceilings.c: the limits of this number of threads. */
int ecl_cpu_ceilings(const eulercl_options *options, int64_t threads, eulercl_ceilings *ceilings,
    eulercl_error *error);
/* The rates of all cores that the process may use. Errors: MEMORY, UNSUPPORTED. */
int ecl_cpu_rates(struct core_rates *rates, eulercl_error *error);
#endif
