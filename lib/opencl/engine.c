/* SPDX-License-Identifier: BSD-2-Clause */
/* engine.c - the engine of OpenCL devices. */
#include "config.h"
#include "runtime.h"

const struct engine ecl_engine_opencl = {.name = "opencl",
    .chunk = 1 << 16, /* a write takes some microseconds, however short it is */
    .has_own_memory = 1,
    .compiles = 1,
    .find_device = ecl_cl_find_device,
    .measure_ceilings = ecl_cl_ceilings};
