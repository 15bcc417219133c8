/* SPDX-License-Identifier: BSD-2-Clause */
/* builds.c - see builds.h. */
#include "config.h"
#include "builds.h"
#include "wisdom.h"
#include "../cache/cache.h"
#include "../mem.h"
#include <string.h>

static const char kind[] = "builds";

static struct bytes key_of(const struct run *run, const struct proposal *p,
    const eulercl_device_info *device, char text[WISDOM_KEY]) {
    struct run built = *run;
    built.options = p->options;
    ecl_wisdom_key(&built, device, p->options.backend, text);
    return (struct bytes){text, strlen(text)};
}

int ecl_builds_are_asked(const eulercl_options *o) {
    return (!o->wisdom || *o->wisdom) && (!o->plan || !strcmp(o->plan, "auto"));
}

int ecl_builds_know(
    const struct run *run, const struct proposal *p, const eulercl_device_info *device) {
    char text[WISDOM_KEY];
    struct bytes value;
    if (!ecl_builds_are_asked(&run->options)) return 0;
    const struct bytes key = key_of(run, p, device, text);
    const int is_known = ecl_cache_get(kind, &key, &value);
    ecl_mem_free(value.data);
    return is_known;
}

void ecl_builds_add(
    const struct run *run, const struct proposal *p, const eulercl_device_info *device) {
    char text[WISDOM_KEY], built[] = "built";
    if (!ecl_builds_are_asked(&run->options) || ecl_builds_know(run, p, device)) return;
    const struct bytes key = key_of(run, p, device, text), value = {built, strlen(built)};
    ecl_cache_put(kind, &key, &value);
}
