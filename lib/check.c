/* SPDX-License-Identifier: BSD-2-Clause */
/* check.c - what the library takes on trust of a problem, verified before any run; and a stable
 * step size. */
#include "config.h"
#include "backend.h"
#include "mem.h"
#include "reals.h"
#include "spectrum.h"
#include "system.h"
#include "text.h"
#include <ctype.h>
#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The checks, in their order. */
#define CHECKS(CHECK)  \
    CHECK(memory)      \
    CHECK(arithmetic)  \
    CHECK(forms)       \
    CHECK(determinism) \
    CHECK(distance) CHECK(radius) CHECK(lanes) CHECK(opencl) CHECK(finite) CHECK(stability)
#define NUMBER(NAME) CHECK_##NAME,
#define NAME(NAME) #NAME,
enum check_id { CHECKS(NUMBER) CHECK_COUNT };
static const char *const check_names[] = {CHECKS(NAME)};

const char *eulercl_check_name(size_t index) {
    return index < CHECK_COUNT ? check_names[index] : NULL;
}

enum {
    STATES = 2,    /* near the initial state, and anywhere */
    ALL = 1 << 20, /* components up to which all are compared; else ranges of them: */
    RANGES = 10,
    RANGE = 1 << 16, /* the first, the last, and in between */
    PARTS = 16,      /* ranges that a step is cut into, to see that it does not matter */
    MOST_SHIFT = 7,  /* reals by which the state is moved in memory, likewise */
    GUARD = 64,
    MOST_GUARD = 1 << 20, /* reals before and after the state that nobody may read, beyond the
                             distance that is allowed */
    SPOTS = 1000,
    SPOT = 33, /* in so many places of a range so many components */
    READ_WORK =
        1 << 22,   /* evaluations, or values copied, per state in the search for what is read */
    ROW = 1 << 10, /* points of a row, where lanes are compared on a part of a grid */
    FEW = 1 << 12, /* components up to which all are searched, whatever the work */
    STEPS = 20,
    LINE = 480,
};

/* A step so large that the new values show each derivative to its last bit: for code that computes
 * steps alone. */
static const double big_step = 0x1p20;
static const double safe_share = 0.9; /* of the largest stable step */

struct check {
    const eulercl_problem *problem;
    const struct ode_problem *definition;
    eulercl_problem_info info;
    eulercl_options options;
    eulercl_check_report report;
    eulercl_check_observer *observer;
    void *user;
    eulercl_error *error;
    /* of the precision at work: */
    struct system system;
    int64_t guard;                              /* reals on either side of a state */
    char *memory[3], *clean, *scratch, *result; /* states: 0 and 1 with guards */
    double t, peak;                             /* of the state: its time, its largest size */
    int state;
    /* what is read, over all states: */
    int64_t distance, cyclic, radius, looked_at,
        farthest;      /* farthest: a component that reads that far */
    int64_t usable;    /* derivatives that were numbers: what is none already cannot tell */
    int is_searched;   /* for what is read: in the first precision that works */
    int reads_too_far; /* than it says */
    int is_wild;       /* it reads beyond the state: it may crash where no guards stand */
    eulercl_stability stability; /* and how its estimate ended: */
    int estimated;
    eulercl_error why;
    char hint[64];
    uint64_t neighbours; /* components of other points that are read, as bits; the last stands for
                            all beyond */
};

static const char *place(const struct check *c) {
    return c->state ? "at random values" : "near the initial state";
}
static const char *precision_of(const struct check *c) { return real_name(c->system.real_size); }

static int tell(struct check *c, enum check_id id, enum eulercl_verdict verdict, int status,
    int64_t component, const char *log, const char *format, ...)
    __attribute__((format(printf, 7, 8)));
static int tell(struct check *c, enum check_id id, enum eulercl_verdict verdict, int status,
    int64_t component, const char *log, const char *format, ...) {
    char text[LINE + 100];
    va_list arguments;
    va_start(arguments, format);
    eulercl_vtext(text, sizeof text, format, arguments);
    va_end(arguments);
    c->report.holds += verdict == EULERCL_HOLDS;
    c->report.fails += verdict == EULERCL_FAILS;
    c->report.skipped += verdict == EULERCL_SKIPPED;
    const eulercl_finding finding = {.struct_size = sizeof finding,
        .check = check_names[id],
        .verdict = verdict,
        .status = status,
        .component = component,
        .text = text,
        .log = log};
    if (c->observer && c->observer(&finding, c->user))
        return eulercl_fail(
            c->error, EULERCL_CANCELLED, "stopped at the check of %s", check_names[id]);
    return EULERCL_OK;
}
#define HOLDS(id, ...) tell(c, CHECK_##id, EULERCL_HOLDS, EULERCL_OK, -1, "", __VA_ARGS__)
#define REMARK(id, ...) tell(c, CHECK_##id, EULERCL_REMARK, EULERCL_OK, -1, "", __VA_ARGS__)
#define SKIPPED(id, ...) tell(c, CHECK_##id, EULERCL_SKIPPED, EULERCL_OK, -1, "", __VA_ARGS__)
#define FAILS(id, status, component, ...) \
    tell(c, CHECK_##id, EULERCL_FAILS, status, component, "", __VA_ARGS__)

/* ---- values ---- */

static double get(const struct check *c, const void *y, int64_t i) {
    return real_get(y, i, c->system.real_size);
}

static void set(const struct check *c, void *y, int64_t i, double value) {
    real_set(y, i, c->system.real_size, value);
}

/* By their bits; one NaN is as good as another. */
static int is_same(double a, double b) {
    return (isnan(a) && isnan(b)) || !memcmp(&a, &b, sizeof a);
}

static double evaluate(const struct check *c, int64_t i, const void *y) {
    return eulercl_system_component(&c->system, i, c->t, y);
}

/* A number in -1 .. 1 that belongs to i and a stream: splitmix64 (Steele, Lea, Flood 2014). */
static double random_at(int64_t i, uint64_t stream) {
    uint64_t x = ((uint64_t)i + (stream << 40)) * 0x9E3779B97F4A7C15u + 0x9E3779B97F4A7C15u;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
    return (double)((x ^ (x >> 31)) >> 11) * 0x1p-52 - 1;
}

static int64_t random_below(int64_t n, int64_t i, uint64_t stream) {
    return (int64_t)((random_at(i, stream) + 1) / 2 * 0.999999999 * (double)n);
}

/* State number c->state and its time: the initial state, a little changed; anything between -2
 * and 2. */
static int make_state(struct check *c, int state, char *y) {
    const int64_t n = c->system.n;
    double squares = 0;
    c->state = state;
    c->t = c->options.t0 + 0.7 * state;
    if (state == 0 && c->definition->initial) {
        const int status = eulercl_problem_initial(
            c->problem, (enum eulercl_precision)c->system.real_size, 0, n, y, c->error);
        if (status) return status;
        for (int64_t i = 0; i < n; i++) squares += get(c, y, i) * get(c, y, i);
        const double scale = squares > 0 && isfinite(squares) ? sqrt(squares / (double)n) : 1;
        for (int64_t i = 0; i < n; i++) {
            const double now = get(c, y, i), random = random_at(i, 1);
            set(c, y, i, now != 0 ? now * (1 + 0.01 * random) : 1e-3 * scale * fabs(random));
        }
    } else {
        for (int64_t i = 0; i < n; i++) set(c, y, i, 2 * random_at(i, 2));
    }
    c->peak = 0;
    for (int64_t i = 0; i < n; i++) c->peak = fmax(c->peak, fabs(get(c, y, i)));
    return EULERCL_OK;
}

/* The parts of the system that are compared; -> how many. */
static int get_ranges(const struct check *c, int64_t (*ranges)[2]) {
    const int64_t n = c->system.n;
    if (n <= ALL) {
        ranges[0][0] = 0;
        ranges[0][1] = n;
        return 1;
    }
    for (int r = 0; r < RANGES; r++) {
        ranges[r][0] = r == 0 ? 0 : r == 1 ? n - RANGE : random_below(n - RANGE, r, 3);
        ranges[r][1] = ranges[r][0] + RANGE;
    }
    return RANGES;
}

static int64_t compared(const struct check *c) {
    return c->system.n <= ALL ? c->system.n : (int64_t)RANGES * RANGE;
}

/* Where a and b differ in begin .. end - 1: the first place, or -1; counts into *count. */
static int64_t first_difference(const struct check *c, const void *a, const void *b, int64_t begin,
    int64_t end, int64_t *count) {
    int64_t first = -1;
    for (int64_t i = begin; i < end; i++) {
        if (is_same(get(c, a, i), get(c, b, i))) continue;
        if (first < 0) first = i;
        ++*count;
    }
    return first;
}

/* ---- one precision: buffers ---- */

/* Poison before and after a state that stands `shift` reals further in its memory: who reads there
 * reads the same everywhere, and is found by check_reads. */
static void guard(const struct check *c, char *memory, int shift) {
    for (int64_t i = 0; i < c->guard + shift; i++) set(c, memory, i, (double)NAN);
    for (int64_t i = c->guard + shift + c->system.n; i < 2 * c->guard + c->system.n + MOST_SHIFT;
         i++)
        set(c, memory, i, (double)NAN);
}

static int open_precision(struct check *c, enum eulercl_precision precision, eulercl_error *why) {
    const int status = eulercl_system_create(c->problem, precision, &c->system, why);
    if (status) return status;
    const struct system *s = &c->system;
    const double reach =
        c->definition->grid.rank
            ? (double)c->definition->grid.radius *
                  (c->definition->grid.rank == 2 ? (double)s->context.grid.extents[0] + 1 : 1) *
                  c->definition->grid.components
            : (double)s->access_distance;
    c->guard = GUARD + 2 * (int64_t)fmin(reach, MOST_GUARD);
    const uint64_t guarded = s->state_bytes + (uint64_t)(2 * c->guard + MOST_SHIFT) * s->real_size;
    for (int k = 0; k < 3; k++) {
        void *memory = NULL;
        const int failed = eulercl_mem_state(guarded, "a check", &memory, why);
        if (failed) return failed;
        c->memory[k] = memory;
    }
    c->clean = c->memory[0] + c->guard * (int64_t)s->real_size;
    c->scratch = c->memory[1] + c->guard * (int64_t)s->real_size;
    c->result = c->memory[2];
    guard(c, c->memory[0], 0);
    return EULERCL_OK;
}

static void close_precision(struct check *c) {
    for (int k = 0; k < 3; k++) {
        eulercl_mem_free(c->memory[k]);
        c->memory[k] = NULL;
    }
    eulercl_system_destroy(&c->system);
}

/* ---- determinism ---- */

/* The two passes over a range: derivatives, and values after a step of big_step. */
enum { EVAL_RANGE, STEP_RANGE, PASSES };

static void run_range(
    const struct check *c, int pass, const void *in, void *out, int64_t begin, int64_t end) {
    const struct state_arrays state = {.now = (char *)(uintptr_t)in, .next = out};
    const struct batch batch = {.steps = 1, .t_base = c->t, .h = big_step};
    if (pass == STEP_RANGE)
        eulercl_system_level(&c->system, &state, begin, end, &batch, 0);
    else
        eulercl_system_eval(&c->system, out, in, begin, end, c->t);
}

/* The same input twice. *holds: nothing was told. */
static int check_repeats(struct check *c, int *holds) {
    int64_t ranges[RANGES][2];
    const int count = get_ranges(c, ranges);
    *holds = 0;
    for (int state = 0; state < STATES; state++) {
        const int status = make_state(c, state, c->clean);
        if (status) return status;
        for (int r = 0; r < count; r++) {
            const int64_t begin = ranges[r][0], end = ranges[r][1];
            for (int pass = 0; pass < PASSES; pass++) {
                int64_t differ = 0;
                run_range(c, pass, c->clean, c->result, begin, end);
                run_range(c, pass, c->clean, c->scratch, begin, end);
                const int64_t at = first_difference(c, c->result, c->scratch, begin, end, &differ);
                if (at >= 0)
                    return FAILS(determinism, EULERCL_INTERNAL, at,
                        "%s: the same input gives %.17g and then %.17g as %s of component %lld "
                        "(%lld of %lld differ)",
                        precision_of(c), get(c, c->result, at), get(c, c->scratch, at),
                        pass == STEP_RANGE ? "value after a step" : "derivative", (long long)at,
                        (long long)differ, (long long)(end - begin));
            }
            for (int64_t i = begin; i < end; i++) {
                const double first = evaluate(c, i, c->clean), second = evaluate(c, i, c->clean);
                if (!is_same(first, second))
                    return FAILS(determinism, EULERCL_INTERNAL, i,
                        "%s: the same input gives %.17g and then %.17g as derivative of component "
                        "%lld",
                        precision_of(c), first, second, (long long)i);
            }
        }
    }
    *holds = 1;
    return EULERCL_OK;
}

/* In parts of any size, and elsewhere in memory: whether that changes the bits of a pass. */
static int check_parts(struct check *c, int pass, int64_t (*ranges)[2], int count, int *holds) {
    const size_t size = c->system.real_size;
    *holds = 0;
    for (int r = 0; r < count; r++) {
        const int64_t begin = ranges[r][0], end = ranges[r][1];
        int64_t differ = 0;
        run_range(c, pass, c->clean, c->result, begin, end);
        for (int64_t first = begin, part = 0; first < end; part++) {
            const int64_t length = part + 1 < PARTS
                                       ? 1 + random_below((end - begin) / PARTS * 2 + 8, part, 4)
                                       : end - first;
            const int64_t last = end - first < length ? end : first + length;
            run_range(c, pass, c->clean, c->scratch, first, last);
            first = last;
        }
        const int64_t at = first_difference(c, c->result, c->scratch, begin, end, &differ);
        if (at >= 0)
            return FAILS(determinism, EULERCL_INTERNAL, at,
                "%s: component %lld has other bits where the range that is computed begins or ends "
                "elsewhere",
                precision_of(c), (long long)at);
    }
    /* Elsewhere in memory: scratch is the state now, with another alignment. */
    for (int shift = 1; shift <= MOST_SHIFT; shift++) {
        char *moved = c->scratch + shift * (int)size;
        memcpy(moved, c->clean, (size_t)c->system.n * size);
        guard(c, c->memory[1], shift);
        for (int r = 0; r < count; r++)
            for (int64_t i = ranges[r][0]; i < ranges[r][1];
                 i += 1 + (ranges[r][1] - ranges[r][0]) / SPOTS) {
                const int64_t last = i + SPOT < ranges[r][1] ? i + SPOT : ranges[r][1];
                unsigned char before[SPOT * sizeof(double)];
                memcpy(before, c->result + (size_t)i * size, (size_t)(last - i) * size);
                run_range(c, pass, moved, c->result, i, last);
                for (int64_t j = i; j < last; j++)
                    if (!is_same(get(c, before, j - i), get(c, c->result, j)))
                        return FAILS(determinism, EULERCL_INTERNAL, j,
                            "%s: component %lld has other bits where the state lies elsewhere in "
                            "memory",
                            precision_of(c), (long long)j);
            }
    }
    *holds = 1;
    return EULERCL_OK;
}

static int check_places(struct check *c) {
    int64_t ranges[RANGES][2];
    const int count = get_ranges(c, ranges);
    for (int state = 0; state < STATES; state++) {
        int holds, status = make_state(c, state, c->clean);
        for (int pass = 0; !status && pass < PASSES; pass++) {
            status = check_parts(c, pass, ranges, count, &holds);
            if (status || !holds) return status;
        }
        if (status) return status;
    }
    return HOLDS(determinism,
        "%s: the same bits twice, in parts of any size, and elsewhere in memory", precision_of(c));
}

/* ---- forms ---- */

/* Code number index, the plainest first; a struct without the list has the one that runs. */
static const struct ode_kernels *kernels_at(const struct check *c, uint32_t index) {
    const struct ode_problem *d = c->definition;
    if (d->each_kernels) return d->each_kernels(c->system.real_size, index);
    return d->kernels && !index ? d->kernels(c->system.real_size) : NULL;
}

static int report_forms(struct check *c, const char *form, const char *what, const char *isa,
    int64_t at, double value, double expected) {
    return FAILS(forms, EULERCL_INTERNAL, at,
        "%s: %s (%s) gives %.17g as %s of component %lld, eval_comp %.17g, %s, t = %g%s",
        precision_of(c), form, isa, value, what, (long long)at, expected, place(c), c->t,
        c->definition->grid.rank ? "; they are one text, so the compiler rounds it differently: "
                                   "write a * b + c as fma(a, b, c)"
                                 : "");
}

/* The derivative of component i, or what a step of big_step makes of its value, by eval_comp. */
static double expected(const struct check *c, int pass, int64_t i) {
    const double f = evaluate(c, i, c->clean), y = get(c, c->clean, i);
    return pass == EVAL_RANGE ? f
           : c->system.real_size == sizeof(float)
               ? (double)ODE_UPDATE(fmaf, (float)big_step, (float)f, (float)y)
               : ODE_UPDATE(fma, big_step, f, y);
}

static int check_ranges(
    struct check *c, const struct ode_kernels *k, int64_t begin, int64_t end, int *holds) {
    *holds = 0;
    for (int pass = 0; pass < PASSES; pass++) {
        int64_t differ = 0;
        if (pass == STEP_RANGE)
            k->step_range(&c->system.context, c->result, c->clean, begin, end, c->t, big_step);
        else
            k->eval_range(&c->system.context, c->result, c->clean, begin, end, c->t);
        for (int64_t i = begin; i < end; i++) set(c, c->scratch, i, expected(c, pass, i));
        const int64_t at = first_difference(c, c->result, c->scratch, begin, end, &differ);
        if (at >= 0)
            return report_forms(c, pass == STEP_RANGE ? "step_range" : "eval_range",
                pass == STEP_RANGE ? "value after a step" : "derivative", k->isa, at,
                get(c, c->result, at), get(c, c->scratch, at));
    }
    *holds = 1;
    return EULERCL_OK;
}

static int check_forms(struct check *c) {
    int64_t ranges[RANGES][2];
    const int count = get_ranges(c, ranges);
    char isas[128] = "";
    for (int state = 0; state < STATES; state++) {
        int holds, status = make_state(c, state, c->clean);
        if (status) return status;
        for (int r = 0; r < count; r++) {
            const int64_t begin = ranges[r][0], end = ranges[r][1];
            const struct ode_kernels *k;
            for (uint32_t index = 0; (k = kernels_at(c, index)); index++) {
                if (!state && !r)
                    snprintf(isas + strlen(isas), sizeof isas - strlen(isas), "%s%s",
                        index ? ", " : "", k->isa);
                status = check_ranges(c, k, begin, end, &holds);
                if (status || !holds) return status;
                for (int64_t i4 = (begin + 3) / 4; 4 * i4 + 3 < end; i4++) {
                    double four[4];
                    k->eval_comp4(&c->system.context, i4, c->t, c->clean, four);
                    for (int q = 0; q < 4; q++)
                        if (!is_same(get(c, four, q), evaluate(c, 4 * i4 + q, c->clean)))
                            return report_forms(c, "eval_comp4", "derivative", k->isa, 4 * i4 + q,
                                get(c, four, q), evaluate(c, 4 * i4 + q, c->clean));
                }
            }
        }
    }
    if (!*isas) return SKIPPED(forms, "%s: the problem has eval_comp alone", precision_of(c));
    return HOLDS(forms,
        "%s: eval_comp, eval_comp4, eval_range and step_range agree in all bits for %s; %lld "
        "components, %d states",
        precision_of(c), isas, (long long)compared(c), STATES);
}

/* ---- the text for OpenCL ---- */

static int compare_with_device(struct check *c, const struct backend *table, struct run *run,
    const char *form, int64_t *differ, double *worst) {
    int64_t ranges[RANGES][2];
    const int count = get_ranges(c, ranges);
    for (int state = 0; state < STATES; state++) {
        double seconds;
        int status = make_state(c, state, c->clean);
        const struct batch batch = {.steps = 1, .t_base = c->t, .h = 1};
        if (!status) status = table->write(run, 0, c->system.n, c->clean, c->error);
        if (!status) status = table->step(run, &batch, &seconds, c->error);
        for (int r = 0; !status && r < count; r++) {
            const int64_t begin = ranges[r][0], end = ranges[r][1];
            status = table->read(
                run, begin, end - begin, c->result + (size_t)begin * c->system.real_size, c->error);
            for (int64_t i = begin; !status && i < end; i++) {
                const double right = evaluate(c, i, c->clean), got = get(c, c->result, i);
                if (is_same(right, got)) continue;
                ++*differ;
                *worst = fmax(*worst, isfinite(right) && isfinite(got)
                                          ? fabs(got - right) / fmax(fabs(got), fabs(right))
                                          : 1);
                if (c->info.bits_guaranteed)
                    return FAILS(opencl, EULERCL_INTERNAL, i,
                        "%s: %s gives %.17g as derivative of component %lld, eval_comp in C %.17g, "
                        "%s, t = %g (%s)",
                        precision_of(c), form, got, (long long)i, right, place(c), c->t,
                        run->device);
            }
        }
        if (status) return status;
    }
    return EULERCL_OK;
}

/* Steps of the method that replaces the state by its derivatives, on the backend that has both
 * forms as variants. */
static int check_opencl(struct check *c) {
    static const struct {
        const char *variant, *form;
    } ways[] = {{"vector", "eval_comp4"}, {"strided", "eval_comp"}};
    int64_t differ = 0;
    double worst = 0;
    char device[256] = "";
    for (size_t w = 0; w < sizeof ways / sizeof *ways; w++) {
        struct run run = {.system = c->system, .options = c->options};
        eulercl_error why = {0};
        size_t backend;
        run.system.method = &eulercl_derivative;
        run.options.precision = (enum eulercl_precision)c->system.real_size;
        run.options.variant = ways[w].variant;
        int status = eulercl_find_configuration(&run, "cl-linear", &backend, &why);
        const struct backend *table = status ? NULL : eulercl_backends[backend].table;
        if (table) status = table->create(&run, &why);
        if (status == EULERCL_COMPILE || status == EULERCL_INTERNAL)
            return tell(c, CHECK_opencl, EULERCL_FAILS, status, -1, why.log, "%s: %.400s",
                precision_of(c), why.message);
        if (status) return SKIPPED(opencl, "%s: %.400s", precision_of(c), why.message);
        snprintf(device, sizeof device, "%s", run.device);
        const int64_t failed = c->report.fails;
        status = compare_with_device(c, table, &run, ways[w].form, &differ, &worst);
        table->destroy(&run);
        if (status || c->report.fails > failed) return status;
    }
    if (!c->info.bits_guaranteed)
        return REMARK(opencl,
            "%s: %lld of %lld values differ from C, by up to %.2g of their size: functions are "
            "used whose bits may differ between devices (%.200s)",
            precision_of(c), (long long)differ, (long long)(2 * STATES * compared(c)), worst,
            device);
    return HOLDS(opencl,
        "%s: eval_comp and eval_comp4 have the bits of C; %lld components, %d states (%.200s)",
        precision_of(c), (long long)compared(c), STATES, device);
}

/* ---- what is read ----
   c->clean is the state. c->scratch stands for everything that a component may not read: once NaN,
   and because comparisons, fmin and fmax hide that, once above all values of the state and once
   below. */

enum { POISON, ABOVE, BELOW, KINDS };

static double spoiled(const struct check *c, int kind, int64_t i) {
    const double other = 1 + c->peak * (2 + random_at(i, 5));
    return kind == POISON ? (double)NAN : kind == ABOVE ? other : -other;
}

static void spoil(const struct check *c, int kind, int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; i++) set(c, c->scratch, i, spoiled(c, kind, i));
}

static void restore(const struct check *c, int64_t begin, int64_t end) {
    memcpy(c->scratch + begin * (int64_t)c->system.real_size,
        c->clean + begin * (int64_t)c->system.real_size,
        (size_t)(end - begin) * c->system.real_size);
}

/* For a window of components around j, cut at the state's ends. */
static int64_t window_begin(int64_t j, int64_t distance) { return j > distance ? j - distance : 0; }
static int64_t window_end(const struct check *c, int64_t j, int64_t distance) {
    return c->system.n - 1 - j > distance ? j + distance + 1 : c->system.n;
}

/* The smallest distance within which component j finds all it reads, by one kind of spoiled values;
 * -1: it reads beyond the state. Leaves everything spoiled. */
static int64_t reach_of(const struct check *c, int64_t j, int kind, double right, int64_t *work) {
    int64_t low = -1, high = 0, all = j > c->system.n - 1 - j ? j : c->system.n - 1 - j;
    restore(c, j, j + 1);
    /* Wider until nothing is missing. */
    while (!is_same(evaluate(c, j, c->scratch), right)) {
        if (high >= all) { /* it reads what stands around the state */
            spoil(c, kind, 0, c->system.n);
            return -1;
        }
        low = high;
        high = high ? 2 * high : 1;
        if (high > all) high = all;
        restore(c, window_begin(j, high), window_end(c, j, high));
        *work += 2 * high;
    }
    /* Not within low, within high. */
    int64_t spoiled = high; /* from there on outwards */
    while (high - low > 1) {
        const int64_t middle = low + (high - low) / 2;
        if (middle < spoiled) {
            spoil(c, kind, window_begin(j, spoiled), window_begin(j, middle));
            spoil(c, kind, window_end(c, j, middle), window_end(c, j, spoiled));
        } else
            restore(c, window_begin(j, middle), window_end(c, j, middle));
        *work += 2 * (high - low);
        spoiled = middle;
        if (is_same(evaluate(c, j, c->scratch), right))
            high = middle;
        else
            low = middle;
    }
    spoil(c, kind, window_begin(j, high > spoiled ? high : spoiled),
        window_end(c, j, high > spoiled ? high : spoiled));
    return high;
}

/* Who reads what it may not read at all: component -1 for nobody; distance -1 for beyond the state.
 */
struct culprit {
    int64_t component, distance;
};

static void note_distance(struct check *c, int64_t component, int64_t distance) {
    if (distance <= c->distance) return;
    c->distance = distance;
    c->farthest = component;
}

static int64_t gcd(int64_t a, int64_t b) {
    while (b) {
        const int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* Both ends, then all components in an order that is spread over the system at any time: how many
 * the work allows is known only on the way. */
static struct culprit search_components(struct check *c, int kind) {
    const int64_t n = c->system.n, ends = n < 2 * GUARD ? 0 : GUARD;
    int64_t stride = (int64_t)(0.618 * (double)n) + 1, work = 0, s = 0;
    while (gcd(n, stride) > 1) stride++;
    for (int64_t j = 0; s < 2 * ends + n && (n <= FEW || work < READ_WORK); s++) {
        j = s < ends ? s : s < 2 * ends ? n - 1 - (s - ends) : (j + stride) % n;
        const double right = evaluate(c, j, c->clean);
        const int64_t distance = reach_of(c, j, kind, right, &work);
        c->usable += !isnan(right);
        if (distance < 0) return (struct culprit){j, distance};
        note_distance(c, j, distance);
    }
    c->looked_at = s < n ? s : n;
    return (struct culprit){-1, 0};
}

/* The point that stands for point i of `size`, as in eulercl/detail/ode_forms.h; -1: a fixed value.
 */
static int64_t inside(uint32_t boundary, int64_t i, int64_t size) {
    if (i >= 0 && i < size) return i;
    switch (boundary) {
    case ODE_CLAMP:
        return i < 0 ? 0 : size - 1;
    case ODE_MIRROR:
        return i < 0 ? -i : 2 * (size - 1) - i;
    case ODE_PERIODIC:
        return (i % size + size) % size;
    default:
        return -1;
    }
}

/* The point at an offset from another; -1: none. */
static int64_t neighbour(const struct check *c, int64_t point, int dx, int dy) {
    const int64_t nx = c->system.context.grid.extents[0], ny = c->system.context.grid.extents[1];
    const int64_t x = inside(c->definition->grid.boundary, point % nx + dx, nx),
                  y = inside(c->definition->grid.boundary, point / nx + dy, ny);
    return x < 0 || y < 0 ? -1 : y * nx + x;
}

static int reach_y(const struct check *c) {
    return c->definition->grid.rank == 2 ? (int)c->definition->grid.radius : 0;
}

/* Which of the stencil's components a point reads: each is changed alone. */
static void note_reads(struct check *c, int64_t point) {
    const int64_t components = c->definition->grid.components,
                  nx = c->system.context.grid.extents[0], ny = c->system.context.grid.extents[1],
                  n = c->system.n;
    const int r = (int)c->definition->grid.radius, ry = reach_y(c);
    const int is_inner =
        point % nx >= r && point % nx + r < nx && point / nx >= ry && point / nx + ry < ny;
    for (int dy = -ry; dy <= ry; dy++)
        for (int dx = -r; dx <= r; dx++) {
            const int64_t other = neighbour(c, point, dx, dy), length = dx * dx > dy * dy
                                                                            ? (dx < 0 ? -dx : dx)
                                                                        : dy < 0 ? -dy
                                                                                 : dy;
            for (int64_t b = 0; other >= 0 && b < components; b++) {
                const int64_t i = other * components + b;
                const double before = get(c, c->clean, i);
                for (int64_t j = point * components; j < (point + 1) * components; j++) {
                    const int64_t straight = i < j ? j - i : i - j,
                                  round = n - straight < straight ? n - straight : straight;
                    const double right = evaluate(c, j, c->clean);
                    int is_read = 0;
                    for (int kind = 0; kind < KINDS && !is_read; kind++) {
                        set(c, c->clean, i, spoiled(c, kind, i));
                        is_read = !is_same(evaluate(c, j, c->clean), right);
                    }
                    set(c, c->clean, i, before);
                    if (!is_read) continue;
                    note_distance(c, j, straight);
                    if (round > c->cyclic) c->cyclic = round;
                    if (is_inner && length > c->radius) c->radius = length;
                    if (other != point) c->neighbours |= (uint64_t)1 << (b < 63 ? b : 63);
                }
            }
        }
    if (is_inner && c->radius < 0) c->radius = 0;
}

/* The samples: all points, or the first, the last, columns at the ends of rows, and some of each
 * batch in between. */
static int64_t sample_point(const struct check *c, int64_t s, int64_t samples, int64_t points) {
    const int64_t nx = c->system.context.grid.extents[0], r = c->definition->grid.radius,
                  quarter = samples / 4, rest = samples - 2 * quarter;
    if (samples >= points) return s;
    if (s < quarter) return s;
    if (s < 2 * quarter) return points - 1 - (s - quarter);
    if (c->definition->grid.rank == 2 && s % 4 == 0 && r && 2 * r < nx) {
        const int64_t column = random_below(2 * r, s, 7);
        return random_below(points / nx, s, 8) * nx + (column < r ? column : nx - 1 - (column - r));
    }
    const double factor = (double)(points - 2 * quarter) / (double)rest;
    return quarter +
           (int64_t)(factor * ((double)(s - 2 * quarter) + 0.499 * (random_at(s, 6) + 1)));
}

/* Let the stencil around a point have its values, or (kind) spoil them. */
enum { RIGHT = KINDS };
static void set_stencil(const struct check *c, int64_t point, int kind) {
    const int64_t components = c->definition->grid.components;
    const int r = (int)c->definition->grid.radius, ry = reach_y(c);
    for (int dy = -ry; dy <= ry; dy++)
        for (int dx = -r; dx <= r; dx++) {
            const int64_t other = neighbour(c, point, dx, dy);
            if (other < 0) continue;
            if (kind == RIGHT)
                restore(c, other * components, (other + 1) * components);
            else
                spoil(c, kind, other * components, (other + 1) * components);
        }
}

static struct culprit search_points(struct check *c, int kind) {
    const int64_t components = c->definition->grid.components, points = c->system.n / components;
    /* At the ends a derivative takes a copy of the stencil first. */
    const double offsets = (2.0 * c->definition->grid.radius + 1) * (2.0 * reach_y(c) + 1),
                 each = 4 * (double)(components * components) * offsets * (1 + offsets / 64);
    const int64_t affordable = (int64_t)fmax(READ_WORK / each, offsets > 1000 ? 4 : 16),
                  samples = points < affordable ? points : affordable;
    for (int64_t s = 0; s < samples; s++) {
        const int64_t point = sample_point(c, s, samples, points);
        struct culprit culprit = {-1, 0};
        set_stencil(c, point, RIGHT);
        for (int64_t j = point * components; j < (point + 1) * components; j++) {
            const double right = evaluate(c, j, c->clean);
            c->usable += !isnan(right);
            if (!is_same(evaluate(c, j, c->scratch), right)) culprit.component = j;
        }
        set_stencil(c, point, kind);
        if (culprit.component >= 0) {
            int64_t work = 0;
            culprit.distance = reach_of(
                c, culprit.component, kind, evaluate(c, culprit.component, c->clean), &work);
            return culprit;
        }
        if (kind == POISON) note_reads(c, point);
    }
    c->looked_at = samples * components;
    return (struct culprit){-1, 0};
}

static int tell_distance(struct check *c) {
    const int64_t k = c->system.access_distance, n = c->system.n;
    char round[100] = "", all[100] = "all components";
    if (c->looked_at < n)
        snprintf(all, sizeof all, "%lld of %lld components", (long long)c->looked_at, (long long)n);
    c->report.access_distance = c->distance;
    if (c->info.boundary && c->definition->grid.boundary == ODE_PERIODIC) {
        c->report.cyclic_distance = c->cyclic;
        snprintf(round, sizeof round, "; %lld counted round the ends", (long long)c->cyclic);
    }
    if (c->distance > k)
        return FAILS(distance, EULERCL_INTERNAL, c->farthest,
            "component %lld reads a component %lld away, the access distance is %lld%s; %s",
            (long long)c->farthest, (long long)c->distance, (long long)k, round, all);
    const int status = HOLDS(distance, "declared %lld, the smallest that is true is %lld%s; %s",
        (long long)k, (long long)c->distance, round, all);
    if (status || k < n - 1 || n == 1 || c->definition->grid.rank) return status;
    return REMARK(distance, "a tile would have to hold the whole system, so no tile applies to one "
                            "that is large, and each step goes through memory. "
                            "Number the components so that those that read each other stand close "
                            "together, and declare that distance");
}

static int tell_radius(struct check *c) {
    const int declared = (int)c->definition->grid.radius;
    char names[200] = "";
    size_t used = 0;
    if (c->radius < 0)
        return SKIPPED(
            radius, "the grid has no point whose stencil lies inside: take a larger one");
    c->report.radius = c->radius;
    for (int b = 0; b < 63 && b < (int)c->definition->grid.components && used < sizeof names - 20;
         b++)
        if (c->neighbours >> b & 1)
            used +=
                (size_t)snprintf(names + used, sizeof names - used, "%s%d", used ? ", " : "", b);
    const int are_named = c->definition->grid.components > 1 && used;
    return HOLDS(radius, "declared %d, read are neighbours up to %lld away%s%s%s%s", declared,
        (long long)c->radius, are_named ? ", of them the components " : "", are_named ? names : "",
        c->neighbours >> 63 ? " and others" : "",
        c->radius < declared ? "; a smaller ODE_RADIUS is faster" : "");
}

static int check_reads(struct check *c) {
    const int64_t n = c->system.n;
    const int on_grid = c->definition->grid.rank > 0;
    c->distance = c->cyclic = c->usable = 0;
    c->radius = -1;
    for (int state = 0; state < STATES; state++)
        for (int kind = 0; kind < KINDS; kind++) {
            const int status = make_state(c, state, c->clean);
            if (status) return status;
            /* The guards of the state itself are poison: who reads them is found by other values in
             * those of scratch. */
            spoil(c, kind, -c->guard, n + c->guard);
            const struct culprit culprit =
                on_grid ? search_points(c, kind) : search_components(c, kind);
            if (culprit.component < 0) continue;
            c->is_wild = culprit.distance < 0;
            if (c->is_wild)
                return FAILS(distance, EULERCL_INTERNAL, culprit.component,
                    "component %lld reads beyond the state, which ends with component %lld",
                    (long long)culprit.component, (long long)(n - 1));
            return FAILS(radius, EULERCL_INTERNAL, culprit.component,
                "component %lld reads a component %lld away, which is not in its stencil of radius "
                "%u",
                (long long)culprit.component, (long long)culprit.distance,
                c->definition->grid.radius);
        }
    if (!c->usable)
        return SKIPPED(
            distance, "no derivative is a number, near the initial state or at random values");
    const int status = tell_distance(c);
    return status || !on_grid ? status : tell_radius(c);
}

/* ---- SIMD lanes ----
   Only a whole order of computation makes sense of them, so the backend `cpu` runs, with the code
   of each instruction set in turn. */

/* A large grid is replaced by its first points as a smaller one: the text is the same, and so must
 * the bits be. */
static struct system small_grid(const struct check *c) {
    struct system s = c->system;
    const int64_t components = (int64_t)s.definition->grid.components,
                  points = ALL > components ? ALL / components : 1;
    if (s.n <= ALL) return s;
    const int64_t side = s.definition->grid.rank == 2 && ROW < points ? ROW : points;
    s.context.grid.extents[0] = s.context.grid.extents[0] < side ? s.context.grid.extents[0] : side;
    s.context.grid.extents[1] = s.context.grid.extents[1] < points / s.context.grid.extents[0]
                                    ? s.context.grid.extents[1]
                                    : points / s.context.grid.extents[0];
    s.n = s.context.n = s.context.grid.extents[0] * s.context.grid.extents[1] * components;
    s.state_bytes = (uint64_t)s.n * s.real_size;
    return s;
}

/* From c->clean into y. *are_used: 0 where the grid is too small for them. */
static int run_lanes(struct check *c, const struct system *system, const struct batch *batch,
    void *y, int *are_used, eulercl_error *why) {
    struct run run = {.system = *system, .options = c->options};
    size_t backend;
    double seconds;
    run.options.pin_threads = 0;
    run.options.variant = "lanes";
    int status = eulercl_find_configuration(&run, "cpu", &backend, why);
    if (status) return status;
    const struct backend *cpu = eulercl_backends[backend].table;
    const size_t lanes = run.variant;
    status = cpu->create(&run, why);
    if (status) return status;
    *are_used = run.variant == lanes;
    if (*are_used) status = cpu->write(&run, 0, system->n, c->clean, why);
    if (*are_used && !status) status = cpu->step(&run, batch, &seconds, why);
    if (*are_used && !status) status = cpu->read(&run, 0, system->n, y, why);
    cpu->destroy(&run);
    return status;
}

/* The same steps by step_range, whose parts have been compared; -> where the state is in the end,
 * c->scratch or c->result. */
static char *run_plainly(const struct check *c, const struct system *s, const struct batch *batch) {
    char *now = c->scratch, *next = c->result;
    memcpy(now, c->clean, (size_t)s->state_bytes);
    for (int64_t step = 0; step < batch->steps; step++) {
        char *const before = now;
        s->kernels->step_range(
            &s->context, next, now, 0, s->n, eulercl_level_time(s->method, batch, step), batch->h);
        now = next;
        next = before;
    }
    return now;
}

/* One that changes the state by an eighth of its size at most, so that several can be made. `dot`
 * is memory for the derivatives. */
static double modest_step(const struct check *c, const struct system *s, char *dot) {
    double fastest = 0;
    eulercl_system_eval(s, dot, c->clean, 0, s->n, c->t);
    for (int64_t i = 0; i < s->n; i++) {
        const double f = fabs(get(c, dot, i));
        if (isfinite(f)) fastest = fmax(fastest, f);
    }
    return fmin(fmax(c->peak / 8 / fastest, (double)FLT_MIN), big_step);
}

static int check_lanes(struct check *c) {
    struct system s = small_grid(c);
    char isas[128] = "";
    int are_used = 0, has_lanes = 0;
    for (int state = 0; state < STATES; state++) {
        int status = make_state(c, state, c->clean);
        if (status) return status;
        for (uint32_t index = 0; (s.kernels = kernels_at(c, index)); index++) {
            if (!s.kernels->lanes) continue;
            has_lanes = 1;
            /* One large step shows the last bit of each derivative; as many as a sweep has levels,
             * and one more, run all the code. */
            struct batch batch = {.steps = 1, .t_base = c->t, .h = big_step};
            for (int several = 0; several < 2; several++) {
                eulercl_error why = {0};
                int64_t differ = 0;
                char *const right = run_plainly(c, &s, &batch), *const y = right == c->scratch
                                                                               ? c->result
                                                                               : c->scratch;
                status = run_lanes(c, &s, &batch, y, &are_used, &why);
                if (status) return SKIPPED(lanes, "%s: %s", precision_of(c), why.message);
                if (!are_used) break;
                const int64_t at = first_difference(c, y, right, 0, s.n, &differ);
                if (at >= 0)
                    return FAILS(lanes, EULERCL_INTERNAL, at,
                        "%s: SIMD lanes (%s) give %.17g in component %lld after %lld step%s of "
                        "%.3g, step_range %.17g, %s, t = %g (%lld of %lld differ)",
                        precision_of(c), s.kernels->isa, get(c, y, at), (long long)at,
                        (long long)batch.steps, several ? "s" : "", batch.h, get(c, right, at),
                        place(c), c->t, (long long)differ, (long long)s.n);
                if (!several)
                    batch =
                        (struct batch){.steps = (s.kernels->levels > 2 ? s.kernels->levels : 2) + 1,
                            .t_base = c->t,
                            .h = modest_step(c, &s, right)};
            }
            if (are_used && !state)
                snprintf(isas + strlen(isas), sizeof isas - strlen(isas), "%s%s", *isas ? ", " : "",
                    s.kernels->isa);
        }
    }
    if (!has_lanes) return EULERCL_OK;
    if (!*isas)
        return SKIPPED(lanes,
            "%s: the grid is too small for SIMD lanes, or its points have too many components",
            precision_of(c));
    return HOLDS(lanes,
        "%s: SIMD lanes have the bits of step_range for %s; %lld x %lld points, %d states",
        precision_of(c), isas, (long long)s.context.grid.extents[0],
        (long long)s.context.grid.extents[1], STATES);
}

/* ---- finite values, stability ---- */

/* Some steps from the initial state. */
static int make_steps(struct check *c, double h, eulercl_error *why) {
    eulercl_solver *solver = NULL;
    eulercl_options options = c->options;
    options.backend = "seq";
    options.precision = (enum eulercl_precision)c->system.real_size;
    options.h = h;
    int status = eulercl_solver_create(c->problem, &options, &solver, why);
    if (!status) status = eulercl_set_initial_state(solver, why);
    for (int s = 0; s < STEPS && !status; s++)
        status = eulercl_advance(solver, 1, why); /* one by one, to see the first that goes wrong */
    eulercl_solver_destroy(solver);
    return status;
}

/* What a nan may come from: the words for the component in its point. Valid until the next call. */
static const char *left_out(struct check *c, const char *word, int64_t number, double value) {
    c->hint[0] = '\0';
    if (isnan(value) && c->definition->grid.rank)
        snprintf(c->hint, sizeof c->hint, "; is %s(%lld) left out?", word, (long long)number);
    return c->hint;
}

/* A derivative that is not finite: a coefficient of its point may be why. */
static int blame(struct check *c, int64_t i, double f) {
    const int64_t components = c->definition->grid.components, fields = c->definition->fields,
                  point = i / components;
    const int64_t at = eulercl_first_nonfinite(
        (const char *)c->system.fields + (size_t)(point * fields) * c->system.real_size, fields,
        c->system.real_size);
    const double value = at < 0 ? 0 : get(c, c->system.fields, point * fields + at);
    if (at >= 0)
        return FAILS(finite, EULERCL_NONFINITE, i, "%s: FIELD(%lld) of point (%lld, %lld) is %g%s",
            precision_of(c), (long long)at, (long long)(point % c->system.context.grid.extents[0]),
            (long long)(point / c->system.context.grid.extents[0]), value,
            left_out(c, "FIELD", at, value));
    return FAILS(finite, EULERCL_NONFINITE, i,
        "%s: the derivative of component %lld at the initial state is %g%s", precision_of(c),
        (long long)i, f, left_out(c, "DOT", i % components, f));
}

/* The problem has an initial state. Steps well below the stable size, and so few that what grows
 * can do so. */
static int check_finite(struct check *c) {
    const eulercl_stability *stability = &c->stability;
    const int64_t n = c->system.n;
    eulercl_error why;
    int status = eulercl_problem_initial(
        c->problem, (enum eulercl_precision)c->system.real_size, 0, n, c->clean, c->error);
    if (status) return status;
    const int64_t at = eulercl_first_nonfinite(c->clean, n, c->system.real_size);
    if (at >= 0) {
        const double value = get(c, c->clean, at);
        return FAILS(finite, EULERCL_NONFINITE, at,
            "%s: component %lld of the initial state is %g%s", precision_of(c), (long long)at,
            value, left_out(c, "Y0", at % c->definition->grid.components, value));
    }
    c->t = c->options.t0;
    for (int64_t i = 0; i < n && n <= ALL; i++) {
        const double f = evaluate(c, i, c->clean);
        if (!isfinite(f)) return blame(c, i, f);
    }
    double h = stability->h_limit > 0 && isfinite(stability->h_limit) ? 0.25 * stability->h_limit
               : stability->spectral_radius > 0 ? 0.01 / stability->spectral_radius
                                                : c->options.h;
    if (stability->growth > 0) h = fmin(h, 0.1 / stability->growth);
    h = fmin(fmax(h, (double)FLT_MIN), 1e30);
    status = make_steps(c, h, &why);
    if (status == EULERCL_NONFINITE)
        return FAILS(finite, status, -1, "%s: %.*s (h = %g)", precision_of(c),
            text_cut(why.message, 300), why.message, h);
    if (status) return eulercl_fail(c->error, status, "%s", why.message);
    return HOLDS(finite,
        "%s: the initial state, its derivative, and the state after %d steps of %g",
        precision_of(c), STEPS, h);
}

static int tell_stability(struct check *c) {
    const eulercl_stability *s = &c->stability;
    char largest[100] = "", growth[100] = "";
    c->report.spectral_radius = s->spectral_radius;
    c->report.h_limit = s->h_limit;
    snprintf(largest, sizeof largest, "%.4g", s->real);
    if (s->imaginary > 0)
        snprintf(largest, sizeof largest, "%.4g +- %.4g i", s->real, s->imaginary);
    if (s->residual > 1e-6)
        snprintf(largest + strlen(largest), sizeof largest - strlen(largest), ", found to %.1g %%",
            100 * s->residual);
    if (s->growth > 0)
        snprintf(growth, sizeof growth, "; the solution itself grows, like exp(%.3g t) at most",
            s->growth);
    if (s->h_limit == 0)
        return REMARK(stability,
            "stable for no h: the Jacobian has eigenvalues a +- iw that do not decay, a >= 0 to "
            "the accuracy of the estimate, up to w = %.4g "
            "(the largest is %s); errors grow like exp(h w^2/2 t) = exp(%.4g h t)%s",
            s->oscillation, largest, s->oscillation * s->oscillation / 2, growth);
    if (!isfinite(s->h_limit))
        return REMARK(stability,
            "stability sets no limit on h: nothing decays (the largest eigenvalue of the Jacobian "
            "is %s)%s",
            largest, growth);
    return REMARK(stability,
        "stable for h up to %.4g near the initial state (%.4g of it: %.4g), later perhaps only for "
        "a smaller h; the largest eigenvalue of the "
        "Jacobian is %s%s",
        s->h_limit, safe_share, safe_share * s->h_limit, largest, growth);
}

/* Near y, or the initial state, in the precision of the options. */
static int estimate(const eulercl_problem *problem, const eulercl_options *options, const void *y,
    eulercl_stability *stability, eulercl_error *error) {
    struct system system;
    void *state = NULL;
    int status = eulercl_system_create(problem, options->precision, &system, error);
    if (status) return status;
    status = eulercl_mem_state(system.state_bytes, "the state", &state, error);
    if (!status && y)
        memcpy(state, y, (size_t)system.state_bytes);
    else if (!status)
        status = eulercl_problem_initial(problem, options->precision, 0, system.n, state, error);
    if (!status) status = eulercl_spectrum(&system, options->t0, state, stability, error);
    eulercl_mem_free(state);
    eulercl_system_destroy(&system);
    return status;
}

int eulercl_estimate_stability(const eulercl_problem *problem, const eulercl_options *options,
    const void *y, eulercl_stability *stability, eulercl_error *error) {
    EULERCL_NEEDS(problem);
    EULERCL_NEEDS(stability);
    eulercl_options checked;
    eulercl_stability full = {.struct_size = sizeof full};
    /* A struct_size that is none is found before the work is done. */
    int status = eulercl_copy_out(
        &(eulercl_stability){0}, stability->struct_size, &full, sizeof full, error);
    if (!status) status = eulercl_options_check(options, &checked, error);
    if (!status) status = estimate(problem, &checked, y, &full, error);
    return status ? status
                  : eulercl_copy_out(stability, stability->struct_size, &full, sizeof full, error);
}

int eulercl_stable_step(const eulercl_problem *problem, const eulercl_options *options,
    const void *y, double *h, eulercl_error *error) {
    EULERCL_NEEDS(h);
    eulercl_stability s = {.struct_size = sizeof s};
    const int status = eulercl_estimate_stability(problem, options, y, &s, error);
    if (status) return status;
    if (s.h_limit == 0)
        return eulercl_fail(error, EULERCL_UNSUPPORTED,
            "explicit Euler is stable for no step size here: the Jacobian has eigenvalues a +- iw "
            "that do not decay, up to "
            "w = %.4g, so errors grow like exp(h w^2/2 t); choose h so that this is little up to "
            "the end",
            s.oscillation);
    if (!isfinite(s.h_limit))
        return eulercl_fail(error, EULERCL_UNSUPPORTED,
            "stability sets no limit on the step size, because nothing decays: choose h by the "
            "accuracy that is wanted");
    *h = safe_share * s.h_limit;
    return EULERCL_OK;
}

/* ---- all of it ---- */

static int check_memory(struct check *c) {
    char text[LINE] = "";
    for (int precision = EULERCL_FLOAT; precision <= EULERCL_DOUBLE;
         precision += EULERCL_DOUBLE - EULERCL_FLOAT) {
        const int is_there = precision == EULERCL_FLOAT ? c->definition->eval_comp_f32 != NULL
                                                        : c->definition->eval_comp_f64 != NULL;
        const uint64_t states = 2 * (uint64_t)c->info.n * (uint64_t)precision,
                       fields = (uint64_t)(c->info.n / c->info.components) * c->definition->fields *
                                (uint64_t)precision;
        if (!is_there) continue;
        *(precision == EULERCL_FLOAT ? &c->report.float_bytes : &c->report.double_bytes) =
            states + fields;
        const size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, "%s%s: %.4g MB for two states", used ? "; " : "",
            precision == EULERCL_FLOAT ? "float" : "double", 1e-6 * (double)states);
        if (fields)
            snprintf(text + strlen(text), sizeof text - strlen(text),
                " and %.4g MB for coefficient fields", 1e-6 * (double)fields);
    }
    return REMARK(memory, "%s", text);
}

/* A preprocessing number at p: its end, and its value if it is a whole number, else -1. */
static const char *read_number(const char *p, const char *end, int64_t *value) {
    const char *const begin = p, *const exponents =
                                     end - p > 1 && tolower((unsigned char)p[1]) == 'x' ? "pP"
                                                                                        : "eE";
    int is_real = 0;
    for (; p < end && (isalnum((unsigned char)*p) || *p == '.' || *p == '_' ||
                          ((*p == '+' || *p == '-') && strchr("eEpP", p[-1])));
         p++)
        is_real |= *p == '.' || *p == exponents[0] || *p == exponents[1];
    char number[32] = "";
    if (!is_real && p - begin < (ptrdiff_t)sizeof number)
        memcpy(number, begin, (size_t)(p - begin));
    *value = *number ? strtoll(number, NULL, 0) : -1;
    return p;
}

/* The end of a comment, a string or a character at p; p: there is none. */
static const char *skip_quoted(const char *p, const char *end) {
    if (end - p > 1 && *p == '/' && p[1] == '/') {
        const char *const line = memchr(p, '\n', (size_t)(end - p));
        return line ? line : end;
    }
    if (end - p > 1 && *p == '/' && p[1] == '*') {
        for (p += 2; end - p > 1 && (*p != '*' || p[1] != '/'); p++) continue;
        return end - p > 1 ? p + 2 : end;
    }
    if (*p != '"' && *p != '\'') return p;
    const char quote = *p;
    for (p++; p < end && *p != quote && *p != '\n'; p++) p += *p == '\\' && end - p > 1;
    return p < end ? p + 1 : end;
}

/* A division of two whole numbers that leaves a rest, as in 1/2 * AT(0, 0): both are written as
   numbers, since ix / 2 or N / 2 may be meant. 3 * 1/2 and u * 1/2 look alike, and only one is
   wrong, so what is divided after a product is left alone. The line, 0: there is none. */
static long find_whole_division(const char *p, const char *end, int64_t operands[2]) {
    int64_t left = -1,
            dividend = -1; /* the number that was the last token; the one before the / that was */
    char last = '\n';
    for (long line = 1; p < end;) {
        const char *const begin = p;
        int64_t right = -1, over = -1;
        p = skip_quoted(p, end);
        if (p > begin) {
            for (const char *c = begin; c < p; c++) line += *c == '\n';
            continue;
        }
        if (isspace((unsigned char)*p) || *p == '\\') {
            line += *p++ == '\n';
            continue;
        }
        if (isdigit((unsigned char)*p) ||
            (*p == '.' && end - p > 1 && isdigit((unsigned char)p[1]))) {
            p = read_number(p, end, &right);
            if (dividend > 0 && right > 0 && dividend % right) {
                operands[0] = dividend;
                operands[1] = right;
                return line;
            }
            if (last == '*' || last == '/' || last == '%') right = -1;
        } else if (isalpha((unsigned char)*p) || *p == '_') {
            while (p < end && (isalnum((unsigned char)*p) || *p == '_')) p++;
        } else {
            if (*p == '/') over = left;
            p++;
        }
        last = p[-1];
        left = right;
        dividend = over;
    }
    return 0;
}

static int check_arithmetic(struct check *c) {
    const struct ode_kernels *k;
    int64_t operands[2];
    const long line = c->definition->text ? find_whole_division(c->definition->text,
                                                c->definition->text_end, operands)
                                          : 0;
    if (line)
        return FAILS(arithmetic, EULERCL_INVALID, -1,
            "%s: line %ld of the problem's file divides whole numbers, and %lld/%lld is %lld: "
            "write REAL(%lld)/%lld",
            precision_of(c), line, (long long)operands[0], (long long)operands[1],
            (long long)(operands[0] / operands[1]), (long long)operands[0], (long long)operands[1]);
    for (uint32_t index = 0; (k = kernels_at(c, index)); index++)
        if (k->contracts())
            return FAILS(arithmetic, EULERCL_UNSUPPORTED, -1,
                "%s: the code for %s was compiled with contraction of a*b+c, which changes the "
                "bits: use -ffp-contract=off",
                precision_of(c), k->isa);
    return HOLDS(arithmetic, "%s: finite constants, nothing is contracted%s", precision_of(c),
        c->info.bits_guaranteed ? "" : "; functions are used whose bits differ between devices");
}

/* One precision; the first that works also searches for what is read, before anything runs without
 * guards, and estimates eigenvalues. */
static int check_precision(struct check *c, enum eulercl_precision precision) {
    eulercl_error why;
    eulercl_options options = c->options;
    int status = open_precision(c, precision, &why), is_deterministic = 0;
    const int is_first = !c->is_searched;
    options.precision = precision;
    if (status == EULERCL_MEMORY) {
        close_precision(c);
        return eulercl_fail_as(c->error, &why);
    }
    if (status)
        return FAILS(arithmetic, status, -1, "%s: %s",
            precision == EULERCL_FLOAT ? "float" : "double", why.message);
    c->is_searched = 1;
    status = check_arithmetic(c);
    if (!status) status = check_repeats(c, &is_deterministic);
    if (!status && !is_deterministic)
        status = SKIPPED(forms,
            "%s: what is not deterministic cannot be compared, nor be searched for what is read",
            precision_of(c));
    const int64_t failed = c->report.fails;
    if (!status && is_deterministic) status = check_forms(c);
    if (!status && is_deterministic)
        status =
            c->report.fails > failed
                ? SKIPPED(determinism, "%s: its parts are the forms, which differ", precision_of(c))
                : check_places(c);
    const int64_t failed_before = c->report.fails;
    if (!status && is_deterministic && is_first) status = check_reads(c);
    c->reads_too_far |= c->report.fails > failed_before;
    /* A text that is wrong elsewhere is not blamed on them. */
    if (!status && is_deterministic && c->report.fails == failed && !c->reads_too_far)
        status = check_lanes(c);
    if (!status && is_deterministic && !c->is_wild) status = check_opencl(c);
    if (!status && is_first && !c->is_wild && c->definition->initial)
        c->estimated = estimate(c->problem, &options, NULL, &c->stability, &c->why);
    if (!status && !c->is_wild && c->definition->initial) status = check_finite(c);
    close_precision(c);
    return status;
}

static int check_all(struct check *c) {
    const int has_float = c->definition->eval_comp_f32 != NULL,
              has_double = c->definition->eval_comp_f64 != NULL;
    c->estimated = eulercl_fail(
        &c->why, EULERCL_UNSUPPORTED, "the right-hand side cannot be used in any precision");
    c->stability.h_limit = (double)INFINITY;
    int status = check_memory(c);
    if (!status)
        status = has_double
                     ? check_precision(c, EULERCL_DOUBLE)
                     : SKIPPED(arithmetic, "double: the problem has no right-hand side in it");
    if (!status)
        status = has_float ? check_precision(c, EULERCL_FLOAT)
                           : SKIPPED(arithmetic, "float: the problem has no right-hand side in it");
    if (!status && c->is_wild)
        status = SKIPPED(finite, "nothing is run that reads beyond the state");
    else if (!status && !c->definition->initial)
        status = SKIPPED(finite, "the problem has no initial state");
    if (status || !c->estimated) return status ? status : tell_stability(c);
    return SKIPPED(stability, "%s",
        c->is_wild                ? "nothing is run that reads beyond the state"
        : !c->definition->initial ? "the problem has no initial state to estimate eigenvalues at"
                                  : c->why.message);
}

/* The defaults, but for what a check supports. */
static int choose_options(
    const eulercl_options *given, eulercl_options *options, eulercl_error *error) {
    eulercl_options checked;
    const int status = eulercl_options_check(given, &checked, error);
    if (status) return status;
    eulercl_options_init(options);
    options->t0 = checked.t0;
    options->device = checked.device;
    options->cl_context = checked.cl_context;
    options->cl_queue = checked.cl_queue;
    options->allow_inexact = checked.allow_inexact;
    return EULERCL_OK;
}

int eulercl_check(const eulercl_problem *problem, const eulercl_options *options,
    eulercl_check_report *report, eulercl_check_observer *observer, void *user,
    eulercl_error *error) {
    EULERCL_NEEDS(problem);
    EULERCL_NEEDS(report);
    struct check c = {.problem = problem,
        .definition = eulercl_problem_definition(problem),
        .observer = observer,
        .user = user,
        .error = error};
    c.report = (eulercl_check_report){.struct_size = sizeof c.report,
        .access_distance = -1,
        .cyclic_distance = -1,
        .radius = -1,
        .spectral_radius = (double)NAN,
        .h_limit = (double)NAN};
    c.info.struct_size = sizeof c.info;
    int status = eulercl_copy_out(
        &(eulercl_check_report){0}, report->struct_size, &c.report, sizeof c.report, error);
    if (!status) status = choose_options(options, &c.options, error);
    if (!status) status = eulercl_problem_get_info(problem, &c.info, error);
    if (!status) status = check_all(&c);
    return status
               ? status
               : eulercl_copy_out(report, report->struct_size, &c.report, sizeof c.report, error);
}
