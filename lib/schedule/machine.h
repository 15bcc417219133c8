/* SPDX-License-Identifier: BSD-2-Clause */
/* machine.h - the constants of machines that times are predicted with, one value each. Only
 * predictions use them, so no result depends on them. To fit them to another machine, measure as
 * the logs in doc/results/ describe and edit this file. */
#ifndef EULERCL_MACHINE_H
#define EULERCL_MACHINE_H
#include <eulercl/ode_abi.h>

/* A GPU: an H200. Other devices are scaled by their number of compute units. */
static const struct {
    double units;           /* compute units */
    double clock_rate;      /* cycles per second */
    double bandwidth;       /* bytes per second that a copy reads and writes in global memory */
    double cache_bytes;     /* arrays of this many bytes in all stay in the second cache */
    double cache_bandwidth; /* bytes per second that are read and written in that cache */
    double latency_seconds; /* time of a load from busy global memory */
    /* share of the bandwidth that remains, by the rank of the grid */
    double bandwidth_share[ODE_MOST_AXES + 1];
    double launch_seconds;   /* time of a launch */
    double argument_seconds; /* time to set the arguments of a kernel before each launch */
    double fetch_seconds;    /* time to fetch some ten thousand instructions anew */
    /* time from opening a device to the first step: context, queue, program */
    double build_seconds;
    double exchange_seconds; /* time of an exchange between work-groups, through global memory */
    double word_seconds;     /* time of each word of an exchange */
    /* time of the first load and the last store of a tile in local memory */
    double copies_ns;
    /* Tiles of float in local memory: what is computed between two barriers (a row, or a block of a
     * column), and four components of it; `alone` is latency, `shared` is what the tiles on one
     * compute unit take from each other. Rows, columns; in one dimension, in two. */
    struct {
        double piece, alone, shared;
    } tile_ns[2][2];
} machine_gpu = {
    .units = 132,
    .clock_rate = 1.98e9,
    .bandwidth = 4.3e12,
    .cache_bytes = 4e7,
    .cache_bandwidth = 5e12,
    .latency_seconds = 200e-9,
    .bandwidth_share = {1, 1, 0.81, 0.81},
    .launch_seconds = 2.5e-6,
    .argument_seconds = 2.1e-6,
    .fetch_seconds = 2e-6,
    .build_seconds = 0.5,
    .exchange_seconds = 0.2e-6,
    .word_seconds = 0.65e-9,
    .copies_ns = 1500,
    .tile_ns =
        {
            {{300, 0.3, 0.15}, {300, 2.0, 0.1}},
            {{500, 0, 0.8}, {500, 3.0, 0.4}},
        },
};

/* Seconds of an exchange of rows between devices, whatever it moves. */
static const double machine_exchange_seconds = 5e-5;

/* Bytes per second between a device and the host, each way while the other one is in use, too. */
static const double machine_link_bytes = 4.2e10;

/* The resources of a compute unit. */
enum {
    MACHINE_WARP = 32,                    /* items that issue together */
    MACHINE_SCHEDULERS = 4,               /* each issues for one warp in a cycle */
    MACHINE_UNIT_REGISTERS = 65536,       /* registers of 32 bits */
    MACHINE_UNIT_LOCAL_BYTES = 200 << 10, /* local memory that the work-groups of a unit share */
    MACHINE_MOST_REGISTERS = 255,         /* the most registers of an item */
};

/* A core: of an Intel Xeon with AVX-512. A `_ns` is in nanoseconds. */
static const struct {
    /* Step after step from the cache, for a component in float: */
    double component_ns[ODE_MOST_AXES + 1]; /* by the rank of the grid; rank 0: general form */
    double call_ns;                         /* time of a component with a call for each */
    double update_ns; /* more time for a stage that is more than an Euler step */
    /* In SIMD lanes, for a component in float: */
    double line_ns, plane_ns;
    double carried_ns;  /* more time for each carried value of a component */
    double strip_ns;    /* time to convert a component to lanes and back, once a round */
    double row_ns;      /* time for a row of a plane */
    double exchange_ns; /* time for a component that crosses from core to core */
    double meeting_ns;  /* time for two threads to wait for each other */
    double memory_bytes_per_ns;
    double cores_that_fill_memory; /* more cores get no more of it */
} machine_core = {
    .component_ns = {1.0, 0.16, 0.6, 0.6},
    .call_ns = 3.0,
    .update_ns = 0.2,
    .line_ns = 0.03,
    .plane_ns = 0.112,
    .carried_ns = 0.08,
    .strip_ns = 0.6,
    .row_ns = 10,
    .exchange_ns = 2,
    .meeting_ns = 2000,
    .memory_bytes_per_ns = 12,
    .cores_that_fill_memory = 8,
};

/* The caches of a core; the second size is used if the system does not report it. */
enum { MACHINE_FIRST_CACHE = 48 << 10, MACHINE_SECOND_CACHE = 1 << 20 };
#endif
