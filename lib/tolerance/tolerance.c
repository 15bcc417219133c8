/* SPDX-License-Identifier: BSD-2-Clause */
/* tolerance.c - see tolerance.h. */
#include "config.h"
#include "tolerance.h"
#include "../run/monitor.h"
#include <float.h>
#include <math.h>

/* ---- the numbers ---- */

static double least_normal(size_t real_size) {
    return real_size == sizeof(float) ? (double)FLT_MIN : DBL_MIN;
}

/* Replaces an atol that is not known. It is smaller than every error, but so much larger than the
 * smallest number that an error of 0, whose logarithm is taken as that of the smallest number, is
 * small beside it (ODE_RATIO_). */
static double next_to_nothing(size_t real_size) {
    return least_normal(real_size) * (real_size == sizeof(float) ? 0x1p32 : 0x1p64);
}

int ecl_tolerance_create(struct system *s, double rtol, eulercl_error *error) {
    struct tolerance *const t = &s->tolerance;
    const int64_t unknowns = s->definition->grid.components;
    const int lanes = s->kernels ? s->kernels->lanes : 0;
    *t = (struct tolerance){.rtol = rtol, .unknowns = unknowns};
    t->atol = ecl_mem_zeroed((uint64_t)unknowns, sizeof *t->atol);
    t->greatest = ecl_mem_zeroed((uint64_t)unknowns, sizeof *t->greatest);
    t->rules = ecl_mem_zeroed((uint64_t)unknowns, sizeof *t->rules);
    if (!t->atol || !t->greatest || !t->rules ||
        !ecl_pattern_create(&t->along, unknowns, 1, s->real_size) ||
        (lanes && !ecl_pattern_create(&t->lanes, unknowns, lanes, s->real_size)))
        return ecl_no_memory(error, "the tolerances");
    for (int64_t c = 0; c < unknowns; c++) {
        t->rules[c] = ATOL_OF_START;
        ecl_set_atol(s, c, 0);
    }
    return EULERCL_OK;
}

void ecl_set_atol(const struct system *s, int64_t unknown, double atol) {
    const struct tolerance *const t = &s->tolerance;
    const double used = atol > 0 ? atol : next_to_nothing(s->real_size);
    t->atol[unknown] = atol;
    ecl_pattern_set(&t->along, t->unknowns, 1, s->real_size, unknown, used);
    if (t->lanes.reals)
        ecl_pattern_set(&t->lanes, t->unknowns, s->kernels->lanes, s->real_size, unknown, used);
}

double ecl_greatest_atol(const struct tolerance *t) {
    double greatest = 0;
    for (int64_t c = 0; c < t->unknowns; c++) greatest = fmax(greatest, t->atol[c]);
    return greatest;
}

int ecl_settle_tolerance(const eulercl_problem *problem, const eulercl_options *options,
    struct system *s, eulercl_error *error) {
    if (!(options->rtol > 0)) return EULERCL_OK;
    const int status = ecl_tolerance_create(s, options->rtol, error);
    const struct tolerance *const t = &s->tolerance;
    if (status) return status;
    if (options->atol_count && options->atol_count != t->unknowns)
        return ecl_fail(error, EULERCL_INVALID,
            "%lld absolute tolerances are given, and problem %s has %lld unknown%s%s",
            (long long)options->atol_count, s->definition->name, (long long)t->unknowns,
            t->unknowns == 1 ? "" : "s", s->definition->grid.rank ? " at each grid point" : "");
    for (int64_t c = 0; c < t->unknowns; c++) {
        const double given = options->atol_count ? options->atols[c] : options->atol,
                     atol = given > 0 ? given : ecl_problem_atol(problem, c),
                     rounded = s->real_size == sizeof(float) ? (double)(float)atol : atol;
        if (!(atol == 0 || (rounded >= least_normal(s->real_size) && isfinite(rounded))))
            return ecl_fail(error, EULERCL_INVALID,
                "problem %s: ODE_ATOL(%lld) = %g is neither 0 nor a normal positive number in this "
                "precision",
                s->definition->name, (long long)c, atol);
        if (!(atol > 0)) continue;
        t->rules[c] = ATOL_GIVEN;
        ecl_set_atol(s, c, atol);
    }
    return EULERCL_OK;
}

/* ---- what a run sees of its unknowns ---- */

/* rtol times a greatest magnitude. */
static double relative_atol(const struct system *s, double greatest) {
    const double atol = s->tolerance.rtol * greatest;
    return greatest > 0 && !(atol >= least_normal(s->real_size)) ? next_to_nothing(s->real_size)
                                                                 : atol;
}

/* A function that is called with the greatest magnitude of an unknown in the present state. */
typedef void use_greatest(const struct system *s, int64_t unknown, double greatest);

static int with_greatest(
    struct run *run, const struct backend *table, use_greatest *use, eulercl_error *error) {
    const int64_t unknowns = run->system.tolerance.unknowns;
    eulercl_statistic *const wanted = ecl_mem_zeroed((uint64_t)unknowns, sizeof *wanted);
    double *const found = ecl_mem_zeroed((uint64_t)unknowns, sizeof *found);
    int status = wanted && found ? EULERCL_OK : ecl_no_memory(error, "the tolerances");
    for (int64_t c = 0; !status && c < unknowns; c++)
        wanted[c] = (eulercl_statistic){EULERCL_LINF, c};
    if (!status)
        status = ecl_monitor_state(run, table->state, wanted, (size_t)unknowns, found, error);
    for (int64_t c = 0; !status && c < unknowns; c++) use(&run->system, c, found[c]);
    ecl_mem_free(wanted);
    ecl_mem_free(found);
    return status;
}

static void begin(const struct system *s, int64_t c, double greatest) {
    const struct tolerance *const t = &s->tolerance;
    t->greatest[c] = greatest;
    if (t->rules[c] == ATOL_GIVEN) return;
    t->rules[c] = greatest == 0 ? ATOL_GROWS : ATOL_OF_START;
    ecl_set_atol(s, c, relative_atol(s, greatest));
}

int ecl_begin_tolerance(struct run *run, const struct backend *table, eulercl_error *error) {
    return with_greatest(run, table, begin, error);
}

int ecl_has_open_atols(const struct tolerance *t) {
    int64_t c = 0;
    while (c < t->unknowns && t->atol[c] > 0) c++;
    return c < t->unknowns;
}

static void close_atol(const struct system *s, int64_t c, double greatest) {
    if (s->tolerance.atol[c] == 0 && isfinite(greatest))
        ecl_set_atol(s, c, relative_atol(s, greatest));
}

int ecl_close_atols(
    struct run *run, const struct backend *table, int *is_closed, eulercl_error *error) {
    const struct tolerance *const t = &run->system.tolerance;
    int64_t before = 0, after = 0;
    for (int64_t c = 0; c < t->unknowns; c++) before += t->atol[c] == 0;
    const int status = with_greatest(run, table, close_atol, error);
    for (int64_t c = 0; c < t->unknowns; c++) after += t->atol[c] == 0;
    *is_closed = after < before;
    return status;
}

int ecl_atols_grow(const struct tolerance *t) {
    int64_t c = 0;
    while (c < t->unknowns && t->rules[c] != ATOL_GROWS) c++;
    return c < t->unknowns;
}

static void see(const struct system *s, int64_t c, double greatest) {
    s->tolerance.greatest[c] = fmax(s->tolerance.greatest[c], greatest); /* not NaN */
}

static void see_and_raise(const struct system *s, int64_t c, double greatest) {
    const struct tolerance *const t = &s->tolerance;
    const double atol = relative_atol(s, greatest);
    see(s, c, greatest);
    if (t->rules[c] == ATOL_GROWS && atol > t->atol[c]) ecl_set_atol(s, c, atol);
}

int ecl_look_at_unknowns(
    struct run *run, const struct backend *table, int is_raised, eulercl_error *error) {
    const struct tolerance *const t = &run->system.tolerance;
    int matters = 0;
    for (int64_t c = 0; c < t->unknowns; c++)
        matters |= t->rules[c] == ATOL_GROWS || !(t->greatest[c] >= t->atol[c]);
    return matters ? with_greatest(run, table, is_raised ? see_and_raise : see, error) : EULERCL_OK;
}
