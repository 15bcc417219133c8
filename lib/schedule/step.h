/* SPDX-License-Identifier: BSD-2-Clause */
/* step.h - the schedule of one step at a time: how long a step takes, and what is proposed
 * to the planner. It has no geometry: every level goes over the whole state. */
#ifndef EULERCL_SCHEDULE_STEP_H
#define EULERCL_SCHEDULE_STEP_H
#include "../run/backend.h"

/* What predictions for cores are made from. */
struct step_costs {
    struct core_rates rates;
    double remainders_ns;   /* of the integer divisions of a component, in the general form */
    double functions_ns;    /* of the functions that a component's text calls, in float */
    double coefficients_ns; /* of the coefficients that it reads, in SIMD lanes */
};
struct step_costs ecl_step_costs(const struct system *system, const struct core_rates *rates);

/* The part of its nominal rate at which each of `cores` cores computes, if each of them fills this
 * part of its second cache. Half of all cores are between one, which has the nominal rate, and all:
 * nobody knows which of them are threads of one core. */
double ecl_step_rate(const struct step_costs *costs, double cores, double filled);
/* Bytes per nanosecond that they read and write in memory. */
double ecl_step_bandwidth(const struct step_costs *costs, double cores);

/* Predicted seconds of a step on `cores` cores, without what they spend on each other: from the
 * first cache at the nominal rate; what passes over all arrays take from memory; as the size of the
 * state decides. */
double ecl_step_compute_seconds(
    const struct system *system, const struct step_costs *costs, double cores);
double ecl_step_memory_seconds(
    const struct system *system, const struct step_costs *costs, double cores);
double ecl_step_seconds(const struct system *system, const struct step_costs *costs, double cores);
/* Those in which the fields are read from memory once; 0: they stay in the caches. */
double ecl_step_field_seconds(
    const struct system *system, const struct step_costs *costs, double cores);

/* The time that a device takes to read and write the state once in global memory for each level of
 * a step. */
double ecl_step_pass_seconds(const struct system *system, const eulercl_device_info *device);
/* The same to read the fields for each level. */
double ecl_step_field_pass_seconds(const struct system *system, const eulercl_device_info *device);

/* The time that a device takes at least for the functions that a step calls, and for the points
 * that a component reads if it reads the whole state. */
double ecl_step_function_seconds(const struct system *system, const eulercl_device_info *device);

/* For the vtable's propose: one core; one launch per level on a device. */
int ecl_step_propose_core(
    const struct run *run, const eulercl_device_info *device, struct proposal *proposals, int most);
int ecl_step_propose_device(
    const struct run *run, const eulercl_device_info *device, struct proposal *proposals, int most);
#endif
