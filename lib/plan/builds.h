/* SPDX-License-Identifier: BSD-2-Clause */
/* builds.h - which configurations were built before. Drivers keep compiled programs, so a build
 * that takes seconds at first takes milliseconds later. */
#ifndef EULERCL_BUILDS_H
#define EULERCL_BUILDS_H
#include "../run/backend.h"

/* Whether plans may depend on what earlier runs have kept. As of wisdom: there may be no file, and
 * a plan may be an estimate in any case. */
int ecl_builds_are_asked(const eulercl_options *options);
/* Whether run->system was built in this configuration, or run on the processor, on this device and
 * with this version of the library, by this user. The options may have plans made without such
 * knowledge: then it was not.
 */
int ecl_builds_know(
    const struct run *run, const struct proposal *proposal, const eulercl_device_info *device);
/* It was. */
void ecl_builds_add(
    const struct run *run, const struct proposal *proposal, const eulercl_device_info *device);
#endif
