/* SPDX-License-Identifier: BSD-2-Clause */
/* times.c - jumps of the right-hand side in time, at which steps should end. The state is fixed.
 * The right-hand side is evaluated on either side of each number of the problem and of each sum of
 * two, which may be an author's switches, and at many times of the run. Where it changes from one
 * of these times to the next, the place is found by bisection, to the last bit: the change of a
 * smooth function becomes small on the way, and that of a jump does not. No unit of time is
 * assumed: if the options do not say how long the run is, the times are spaced by powers of two. */
#include "config.h"
#include "check.h"
#include "../tolerance/breakpoints.h"
#include "../mem.h"
#include "../problem/problem_text.h"
#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    PROBES = 1 << 10, /* most components that are looked at near numbers */
    /* components that are looked at along the run, if possible those that have changed */
    FOLLOWED = 64,
    UNIFORM = 1 << 12, /* times of a run whose end is known */
    /* for other runs: powers of two on either side of the first jump near a number */
    OCTAVES = 64,
    IN_OCTAVE = 64, /* times between two of these powers */
    NUMBERS = 64,   /* most numbers of the problem */
    MOST_JUMPS = 64,
    MOST_FRUITLESS = 64, /* changes that were followed to the last bit and were no jumps */
    SHOWN = 8,
    STEADY = 8, /* units in the last place on either side of a jump, where nothing happens */
};
/* Changes below this share of all changes so far are not followed. */
static const double noticed = 0x1p-10;

struct jump {
    double time;       /* the first time with the new value, or the last one with the old value */
    int64_t component; /* the component that changes most */
    double before, after;
};

struct search {
    const struct check *c;
    double end; /* end of the run; infinite: not known */
    int64_t probes[PROBES];
    int probe_count, jump_count, fruitless;
    double start[PROBES], least[PROBES], greatest[PROBES]; /* values at t0, and since then */
    unsigned char has_changed[PROBES];
    struct jump jumps[MOST_JUMPS];
};

/* The values at a time. */
struct look {
    double t, f[PROBES];
};

static void look_at(const struct search *s, double t, struct look *look) {
    look->t = t;
    for (int k = 0; k < s->probe_count; k++)
        look->f[k] = ecl_system_component(&s->c->system, s->probes[k], t, s->c->clean);
}

/* Widen the ranges of the values that were seen. */
static void widen(struct search *s, const struct look *look) {
    for (int k = 0; k < s->probe_count; k++) {
        s->least[k] = fmin(s->least[k], look->f[k]);
        s->greatest[k] = fmax(s->greatest[k], look->f[k]);
    }
}

/* The greatest change of a probe from a to b, as a share of all its changes so far; 0: none is
 * worth mentioning. *which: of that probe. */
static double change(
    const struct search *s, const struct look *a, const struct look *b, int *which) {
    double most = 0;
    for (int k = 0; k < s->probe_count; k++) {
        const double all = s->greatest[k] - s->least[k], now = fabs(b->f[k] - a->f[k]);
        if (!(now > 0) || !isfinite(all) || now / all <= most ||
            now < 0x1p-30 * fmax(fabs(a->f[k]), fabs(b->f[k])))
            continue;
        most = now / all;
        *which = k;
    }
    return most;
}

/* Whether the change of a probe between neighbouring times is one between two times of rest. Where
 * a function changes faster than times can be told apart, its values look like random ones. */
static int is_jump(const struct search *s, const struct look *a, const struct look *b, int which) {
    const double rest = fabs(b->f[which] - a->f[which]) / 8;
    const struct system *const system = &s->c->system;
    double before = a->t, after = b->t;
    for (int i = 0; i < STEADY; i++) {
        before = nextafter(before, -(double)INFINITY);
        after = nextafter(after, (double)INFINITY);
        const double f = ecl_system_component(system, s->probes[which], before, s->c->clean),
                     g = ecl_system_component(system, s->probes[which], after, s->c->clean);
        if (!(fabs(f - a->f[which]) <= rest && fabs(g - b->f[which]) <= rest)) return 0;
    }
    return 1;
}

/* The shorter one of two numbers. */
static double shorter(double a, double b) {
    char text[40];
    for (int digits = 1; digits < 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, b);
        if (strtod(text, NULL) == b) return b;
        snprintf(text, sizeof text, "%.*g", digits, a);
        if (strtod(text, NULL) == a) return a;
    }
    return b;
}

static void keep(struct search *s, const struct look *a, const struct look *b, int which) {
    const double time = shorter(a->t, b->t);
    int at = s->jump_count;
    while (at > 0 && s->jumps[at - 1].time > time) at--;
    if (s->jump_count == MOST_JUMPS || (at > 0 && s->jumps[at - 1].time == time)) return;
    memmove(&s->jumps[at + 1], &s->jumps[at], (size_t)(s->jump_count++ - at) * sizeof *s->jumps);
    s->jumps[at] = (struct jump){
        .time = time, .component = s->probes[which], .before = a->f[which], .after = b->f[which]};
}

/* The jump between two looks, of which the change is worth following. -> whether there is one;
 * then *a and *b are the last look before it and the first one after it. */
static int bisect(struct search *s, struct look *a, struct look *b, int *which) {
    struct look middle;
    for (;;) {
        const double t = a->t + (b->t - a->t) / 2;
        int left = 0, right = 0;
        if (!(t > a->t && t < b->t)) {
            const int found = is_jump(s, a, b, *which);
            s->fruitless += !found;
            return found;
        }
        look_at(s, t, &middle);
        const double first = change(s, a, &middle, &left), second = change(s, &middle, b, &right);
        if (fmax(first, second) < noticed) return 0;
        if (first >= second)
            *b = middle;
        else
            *a = middle;
        *which = first >= second ? left : right;
    }
}

static void find_jumps(struct search *s, const struct look *a, const struct look *b, int depth);

/* The other end of a pulse that is far shorter than what lies between two looks: further and
 * further away from its first end, from `near` towards `far`. */
static void find_other_end(
    struct search *s, const struct look *near, const struct look *far, int depth) {
    struct look at;
    int which;
    for (double way = (far->t - near->t) * 0x1p-44; fabs(way) < fabs(far->t - near->t) / 2;
         way *= 2) {
        const double t = near->t + way;
        if (t == near->t) continue;
        look_at(s, t, &at);
        if (change(s, near, &at, &which) < noticed) continue;
        if (near->t < at.t)
            find_jumps(s, near, &at, depth);
        else
            find_jumps(s, &at, near, depth);
        return;
    }
}

static void find_jumps(struct search *s, const struct look *a, const struct look *b, int depth) {
    enum { DEPTH = 4 };
    int which;
    if (depth > DEPTH || s->jump_count == MOST_JUMPS || change(s, a, b, &which) < noticed) return;
    struct look ends[2] = {*a, *b};
    if (!bisect(s, &ends[0], &ends[1], &which)) return;
    keep(s, &ends[0], &ends[1], which);
    if (change(s, a, &ends[0], &which) >= noticed)
        find_jumps(s, a, &ends[0], depth + 1);
    else
        find_other_end(s, &ends[0], a, depth + 1);
    if (change(s, &ends[1], b, &which) >= noticed)
        find_jumps(s, &ends[1], b, depth + 1);
    else
        find_other_end(s, &ends[1], b, depth + 1);
}

/* ---- where authors put switches ---- */

static void add_number(double *numbers, int *count, double value) {
    if (!isfinite(value) || *count == NUMBERS) return;
    for (int i = 0; i < *count; i++)
        if (numbers[i] == value) return;
    numbers[(*count)++] = value;
}

/* Find parameters, constants derived from them, and the numbers in the text. */
static int find_numbers(const struct check *c, double *numbers) {
    const struct ode_problem *const d = c->definition;
    int count = 0;
    add_number(numbers, &count, 0);
    for (uint32_t i = 0; i < d->constant_count; i++)
        add_number(numbers, &count, get(c, c->system.constants, i));
    struct lexer lexer = lexer_start(d->text, d->text_end);
    for (struct token token; d->text && (token = lexer_take(&lexer)).kind;) {
        char text[40];
        const size_t length = (size_t)(token.end - token.begin);
        if (token.kind != TOKEN_NUMBER || length >= sizeof text) continue;
        memcpy(text, token.begin, length);
        text[length] = '\0';
        add_number(numbers, &count, strtod(text, NULL));
    }
    return count;
}

static void look_beside(struct search *s, double t) {
    struct look a, b, far;
    const double t0 = s->c->options.t0;
    int which;
    if (!(t > t0 && t < s->end)) return;
    look_at(s, nextafter(t, -(double)INFINITY), &a);
    look_at(s, nextafter(t, (double)INFINITY), &b);
    /* Nothing but these two times counts: others may be far away. */
    for (int k = 0; k < s->probe_count; k++) {
        s->least[k] = fmin(a.f[k], b.f[k]);
        s->greatest[k] = fmax(a.f[k], b.f[k]);
        s->has_changed[k] |= a.f[k] != s->start[k] || b.f[k] != s->start[k];
    }
    if (change(s, &a, &b, &which) < noticed || !bisect(s, &a, &b, &which)) return;
    keep(s, &a, &b, which);
    far.t = fmin(s->end, t + (t - t0));
    find_other_end(s, &b, &far, 1);
}

/* Follow those probes that have changed, and others if there is room. */
static void choose_followed(struct search *s) {
    int count = 0;
    for (int k = 0; k < s->probe_count; k++) {
        if (!s->has_changed[k]) continue;
        const int64_t probe = s->probes[k];
        s->probes[k] = s->probes[count];
        s->probes[count++] = probe;
    }
    if (s->probe_count > FOLLOWED) s->probe_count = FOLLOWED;
}

/* ---- the run ---- */

static void look_through(struct search *s, double base, int octaves, int steps) {
    struct look before, now;
    const double t0 = s->c->options.t0;
    look_at(s, t0, &before);
    for (int k = 0; k < s->probe_count; k++) s->least[k] = s->greatest[k] = before.f[k];
    for (int octave = -octaves; octave <= (base > 0 ? octaves : -octaves); octave++)
        for (int j = 0; j < steps && s->jump_count < MOST_JUMPS && s->fruitless < MOST_FRUITLESS;
             j++) {
            const double t = base > 0 ? t0 + ldexp(base * (1 + (double)j / steps), octave)
                                      : t0 + (s->end - t0) * (double)(j + 1) / steps;
            if (!isfinite(t) || !(t > before.t)) continue;
            look_at(s, t, &now);
            widen(s, &now);
            find_jumps(s, &before, &now, 0);
            before = now;
        }
}

/* ---- what is told ---- */

/* The number of jumps in a period, if the first ones repeat; else 0. */
static int find_period(const struct search *s, double *period) {
    for (int p = 1; 2 * p < s->jump_count; p++) {
        int repeats = 1;
        *period = s->jumps[p].time - s->jumps[0].time;
        for (int i = 1; repeats && i <= p; i++)
            repeats = fabs(s->jumps[i + p].time - s->jumps[i].time - *period) <= 1e-9 * *period;
        if (repeats) return p;
    }
    return 0;
}

/* A text that is read as the same number, without digits that say nothing. */
static const char *number_text(double value, char text[40]) {
    int digits = DBL_DIG;
    do snprintf(text, 40, "%.*g", digits, value);
    while (strtod(text, NULL) != value && ++digits <= DBL_DECIMAL_DIG);
    return text;
}

static int is_next_to(double t, double time) {
    return t >= nextafter(time, -(double)INFINITY) && t <= nextafter(time, (double)INFINITY);
}

/* Drop the jumps at the time of the start, and those at which steps end anyway. -> how many of the
 * latter there were. */
static int drop_known(struct search *s, const struct breakpoints *known) {
    int count = 0, dropped = 0;
    for (int i = 0; i < s->jump_count; i++) {
        const double t = s->jumps[i].time,
                     next = ecl_next_breakpoint(known, nextafter(t, -(double)INFINITY));
        if (is_next_to(t, s->c->options.t0)) continue;
        if (is_next_to(t, next) || ecl_is_breakpoint(known, nextafter(t, -(double)INFINITY)))
            dropped++;
        else
            s->jumps[count++] = s->jumps[i];
    }
    s->jump_count = count;
    return dropped;
}

static int tell(struct check *c, const struct search *s, int known) {
    char list[SHOWN * 26] = "", number[40], repeats[80] = "";
    double period;
    const int in_period = find_period(s, &period), shown = in_period && in_period < SHOWN
                                                               ? in_period
                                                           : s->jump_count < SHOWN ? s->jump_count
                                                                                   : SHOWN;
    const struct jump *const first = s->jumps;
    if (!s->jump_count && known)
        return HOLDS(
            times, "the right-hand side jumps in time at breakpoints of the problem alone");
    if (!s->jump_count)
        return HOLDS(times, "no jump of the right-hand side in time was found at %d component%s",
            s->probe_count, s->probe_count == 1 ? "" : "s");
    for (int i = 0; i < shown; i++)
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", i ? "," : "",
            number_text(s->jumps[i].time, number));
    if (in_period)
        snprintf(repeats, sizeof repeats, ", and again after each %.9g", period);
    else if (shown < s->jump_count)
        snprintf(repeats, sizeof repeats, ", and later");
    return REMARK(times,
        "the right-hand side jumps in time at t = %s%s (component %lld from %.4g to %.4g at the "
        "first): steps should end there, with --breakpoints %s%s",
        list, repeats, (long long)first->component, first->before, first->after, list,
        *repeats ? ",... or ODE_BREAKPOINTS in the problem" : "");
}

/* Whole points where that is possible: the first, the last, and some in between. */
static void choose_probes(struct search *s, int most) {
    const int64_t n = s->c->system.n;
    s->probe_count = (int)(n < most ? n : most);
    for (int k = 0; k < s->probe_count; k++) {
        s->probes[k] = n <= most                 ? k
                       : k == 0                  ? 0
                       : k == s->probe_count - 1 ? n - 1
                                                 : n / most * k + ecl_random_below(n / most, k, 60);
    }
}

int ecl_check_times(struct check *c) {
    const struct ode_problem *const d = c->definition;
    double numbers[NUMBERS];
    if (d->text && !c->system.reads_time) return EULERCL_OK;
    struct search *const s = ecl_mem_zeroed(1, sizeof *s);
    if (!s) return ecl_no_memory(c->error, "a check");
    s->c = c;
    const double t0 = c->options.t0;
    const int is_known = c->t_end > t0;
    s->end = is_known ? c->t_end : (double)INFINITY;
    choose_probes(s, PROBES);
    int status = ecl_check_make_state(c, 0, c->clean);
    const int count = status ? 0 : find_numbers(c, numbers);
    for (int k = 0; k < s->probe_count; k++)
        s->start[k] = ecl_system_component(&c->system, s->probes[k], t0, c->clean);
    for (int i = 0; i < count; i++)
        for (int j = i; j < count; j++) look_beside(s, numbers[i] + numbers[j]);
    const int looked_at = s->probe_count;
    choose_followed(s);
    if (!status && is_known)
        look_through(s, 0, 0, UNIFORM);
    else if (!status)
        look_through(s, s->jump_count ? s->jumps[0].time - t0 : 1, OCTAVES, IN_OCTAVE);
    s->probe_count = looked_at;
    struct breakpoints breakpoints = {0};
    if (!status) status = ecl_find_breakpoints(c->problem, &c->options, &breakpoints, c->error);
    if (!status) status = tell(c, s, drop_known(s, &breakpoints));
    ecl_mem_free(breakpoints.times);
    ecl_mem_free(s);
    return status;
}
