/* SPDX-License-Identifier: BSD-2-Clause */
/* cores.c - see cpu/cores.h. */
#include "config.h"
#include "cores.h"
#include "../machine/machine.h"
#include "../plan/tuning.h"
#include <stdio.h>
#include <unistd.h>
#ifdef HAVE_HWLOC
#include <hwloc.h>
#endif

/* The kernel writes /proc/cpuinfo for each reader, which takes as long as all else that a solver of
 * a small system needs. */
static char cpu_name[200] = "CPU";
static pthread_once_t cpu_name_once = PTHREAD_ONCE_INIT;
static void keep_cpu_name(void) {
    FILE *file = fopen("/proc/cpuinfo", "r");
    char line[256];
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "model name : %199[^\n]", cpu_name) == 1) break;
    if (file) fclose(file);
}

void ecl_cpu_name(char *name, size_t size) {
    pthread_once(&cpu_name_once, keep_cpu_name);
    snprintf(name, size, "%s", cpu_name);
}

#ifdef HAVE_HWLOC
static int64_t ask_hwloc(void) {
    int64_t bytes = 0;
    hwloc_topology_t topology;
    if (hwloc_topology_init(&topology)) return 0;
    if (!hwloc_topology_load(topology)) {
        const hwloc_obj_t cache = hwloc_get_obj_by_type(topology, HWLOC_OBJ_L2CACHE, 0);
        if (cache) bytes = (int64_t)cache->attr->cache.size;
    }
    hwloc_topology_destroy(topology);
    return bytes;
}
#else
static int64_t ask_hwloc(void) { return 0; }
#endif

/* hwloc takes eight to fourteen milliseconds, as long as many a run of a small system. So it is
 * asked only if the C library does not know, as on aarch64. */
static int64_t find_cache(void) {
    int64_t bytes = 0;
#ifdef _SC_LEVEL2_CACHE_SIZE
    bytes = sysconf(_SC_LEVEL2_CACHE_SIZE);
#endif
    if (bytes <= 0) bytes = ask_hwloc();
    return bytes > 0 ? bytes : MACHINE_SECOND_CACHE;
}

static int64_t cache_bytes;
static pthread_once_t cache_once = PTHREAD_ONCE_INIT;
static void keep_cache(void) { cache_bytes = find_cache(); }

int64_t ecl_cache_bytes(void) {
    pthread_once(&cache_once, keep_cache);
    return cache_bytes;
}

int ecl_cores_to_pin(const eulercl_options *options, int64_t threads) {
    return TUNED_OR(options, pin_threads, threads > 1 && threads >= ecl_cores().count) == 1;
}

#ifdef HAVE_PTHREAD_SETAFFINITY_NP
struct cores ecl_cores(void) {
    struct cores cores;
    if (!sched_getaffinity(0, sizeof cores.set, &cores.set))
        cores.count = CPU_COUNT(&cores.set);
    else {
        CPU_ZERO(&cores.set);
        cores.count = sysconf(_SC_NPROCESSORS_ONLN);
    }
    if (cores.count < 1) cores.count = 1;
    return cores;
}

int ecl_cores_pin(
    const struct cores *cores, pthread_t thread, int64_t index, eulercl_error *error) {
    cpu_set_t one;
    int64_t left = index % cores->count;
    CPU_ZERO(&one);
    for (size_t core = 0; core < CPU_SETSIZE; core++)
        if (CPU_ISSET(core, &cores->set) && !left--) CPU_SET(core, &one);
    return pthread_setaffinity_np(thread, sizeof one, &one)
               ? ecl_fail(error, EULERCL_UNSUPPORTED, "pin_threads: cannot set thread affinity")
               : EULERCL_OK;
}

void ecl_cores_unpin_caller(const struct cores *before) {
    pthread_setaffinity_np(pthread_self(), sizeof before->set, &before->set);
}
#else
struct cores ecl_cores(void) {
    const long online = sysconf(_SC_NPROCESSORS_ONLN);
    return (struct cores){.count = online > 0 ? online : 1};
}

int ecl_cores_pin(
    const struct cores *cores, pthread_t thread, int64_t index, eulercl_error *error) {
    (void)cores;
    (void)thread;
    (void)index;
    return ecl_fail(
        error, EULERCL_UNSUPPORTED, "pin_threads: this system does not support thread affinity");
}

void ecl_cores_unpin_caller(const struct cores *before) { (void)before; }
#endif

int ecl_cores_pin_caller(struct cores *before, eulercl_error *error) {
    *before = ecl_cores();
    return ecl_cores_pin(before, pthread_self(), 0, error);
}
