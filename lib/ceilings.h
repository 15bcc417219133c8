/* ceilings.h - measuring what the machine can do at most; one function per kind of machine. */
#ifndef EULERCL_CEILINGS_H
#define EULERCL_CEILINGS_H
#include "internal.h"

enum {
    CEILING_BYTES = 1 << 29,           /* of each of the two arrays that are copied: far more than a cache holds */
    CEILING_REPEATS = 5,               /* after a warm-up; the best counts */
};

/* The options are checked. */
int eulercl_cpu_ceilings(const eulercl_options *options, int64_t threads, eulercl_ceilings *ceilings, eulercl_error *error);
int eulercl_cl_ceilings(const eulercl_options *options, eulercl_ceilings *ceilings, eulercl_error *error);
#endif
