/* SPDX-License-Identifier: BSD-2-Clause */
/* rates.h - what the cores of this machine reach while all of them compute: measured once for a
 * user, a processor and a number of cores, and kept. */
#ifndef EULERCL_RATES_H
#define EULERCL_RATES_H
#include "plan.h"

/* What is known of them; nothing, if the options want plans that do not depend on earlier runs. */
struct core_rates ecl_rates_known(const eulercl_options *options);
/* Whether the order of the plan's proposals, which were made without them, may depend on them. */
int ecl_rates_matter(const struct run *run, const struct plan *plan);
/* Measure them, and keep them; nothing is known after a failure. */
struct core_rates ecl_rates_measure(const eulercl_options *options);

/* The least part that is believed. */
extern const double ecl_rates_least;
/* For tests: what the next measurement finds, if its cores are not 0. */
extern struct core_rates ecl_rates_found;
#endif
