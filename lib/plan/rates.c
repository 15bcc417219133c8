/* SPDX-License-Identifier: BSD-2-Clause */
/* rates.c - see plan/rates.h. */
#include "config.h"
#include "rates.h"
#include "../cache/cache.h"
#include "../mem.h"
#include "builds.h"
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static const char kind[] = "cores";
const double ecl_rates_least = 0.25;
struct core_rates ecl_rates_found;

/* Where no folder can keep them, they are known to this process. */
static struct core_rates kept;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

enum { RATES_TEXT = 100, KEY_TEXT = 512 };
static const char form[] = "compute %d cache %d memory %d\n"; /* thousandths */

static struct bytes key_of(const eulercl_options *o, int64_t *cores, char text[KEY_TEXT]) {
    eulercl_device_info processor;
    int by_user;
    *cores = 0;
    if (!ecl_engine_cpu.find_device(o, 0, &processor, &by_user, NULL))
        *cores = processor.compute_units;
    snprintf(text, KEY_TEXT, "library=%s cores=%lld processor=%s", PACKAGE_VERSION,
        (long long)*cores, processor.name);
    return (struct bytes){text, strlen(text)};
}

static int write_rates(const struct core_rates *rates, char text[RATES_TEXT]) {
    return snprintf(text, RATES_TEXT, form, (int)lround(1e3 * rates->compute),
        (int)lround(1e3 * rates->cache), (int)lround(1e3 * rates->memory));
}

static int is_part(double part) { return part >= ecl_rates_least && part <= 1; }

/* -> whether the text is one that the library would have written. */
static int read_rates(const struct bytes *text, int64_t cores, struct core_rates *rates) {
    char again[RATES_TEXT];
    int parts[3];
    if (sscanf(text->data, form, &parts[0], &parts[1], &parts[2]) != 3) return 0;
    const struct core_rates read = {.cores = cores,
        .compute = 1e-3 * parts[0],
        .cache = 1e-3 * parts[1],
        .memory = 1e-3 * parts[2]};
    const size_t size = (size_t)write_rates(&read, again);
    if (!is_part(read.compute) || !is_part(read.cache) || !is_part(read.memory) ||
        size != text->size || memcmp(again, text->data, size))
        return 0;
    *rates = read;
    return 1;
}

static int find(const eulercl_options *o, struct core_rates *rates) {
    char text[KEY_TEXT];
    int64_t cores;
    struct bytes value;
    const struct bytes key = key_of(o, &cores, text);
    *rates = (struct core_rates){0};
    if (cores < 2) return 0;
    if (!ecl_cache_get(kind, &key, &value)) {
        if (kept.cores == cores) *rates = kept;
        return rates->cores != 0;
    }
    const int is_found = read_rates(&value, cores, rates);
    ecl_mem_free(value.data);
    return is_found;
}

struct core_rates ecl_rates_known(const eulercl_options *o) {
    struct core_rates rates = {0};
    if (!ecl_builds_are_asked(o)) return rates;
    pthread_mutex_lock(&lock);
    find(o, &rates);
    pthread_mutex_unlock(&lock);
    return rates;
}

/* A rate makes the processor slower. */
int ecl_rates_matter(const struct run *run, const struct plan *plan) {
    double processor = (double)INFINITY, others = (double)INFINITY;
    if (!ecl_is_automatic(&run->options) || !ecl_builds_are_asked(&run->options)) return 0;
    for (int i = 0; i < plan->count; i++) {
        const struct proposal *const p = &plan->proposals[i];
        const double cost = ecl_proposal_cost(p, plan->expected_steps);
        size_t b;
        if (ecl_find_backend(p->options.backend, &b, NULL)) continue;
        double *const least = ecl_backends[b].engine->measure_rates ? &processor : &others;
        *least = fmin(*least, cost);
    }
    return processor < others && others < processor / ecl_rates_least;
}

static double believed(double part) { return fmin(fmax(part, ecl_rates_least), 1); }

struct core_rates ecl_rates_measure(const eulercl_options *o) {
    char key_text[KEY_TEXT], text[RATES_TEXT];
    struct core_rates rates, again = ecl_rates_found;
    int64_t cores;
    const struct bytes key = key_of(o, &cores, key_text);
    pthread_mutex_lock(&lock);
    if (!find(o, &rates) && cores > 1 &&
        (again.cores || !ecl_engine_cpu.measure_rates(&again, NULL))) {
        const struct core_rates parts = {.compute = believed(again.compute),
            .cache = believed(again.cache),
            .memory = believed(again.memory)};
        const struct bytes value = {text, (size_t)write_rates(&parts, text)};
        read_rates(&value, cores, &rates); /* as later runs will */
        ecl_cache_put(kind, &key, &value);
        if (!find(o, &again)) kept = rates;
    }
    pthread_mutex_unlock(&lock);
    return rates;
}
