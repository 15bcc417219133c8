/* SPDX-License-Identifier: BSD-2-Clause */
/* adaptive_text.c - what steps to a tolerance depend on beside the state, as a line of text: names,
 * and numbers as the hexadecimal digits of their bits, which no locale changes. */
#include "config.h"
#include "adaptive.h"
#include "../method/method.h"
#include <float.h>
#include "tolerance.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LAYOUT = 1, WORDS = 28, NAME = 32, WORD_DIGITS = 16 };

static const char rules[] = "gsz"; /* enum atol_rule: given, of the start, zero at the start */

/* A run's numbers on their way into words, or out of them. */
struct words {
    uint64_t bits[WORDS];
    int next, is_read, is_valid;
};

static void pass_word(struct words *w, void *value) {
    uint64_t *const bits = &w->bits[w->next++];
    if (w->is_read)
        memcpy(value, bits, sizeof *bits);
    else
        memcpy(bits, value, sizeof *bits);
}

/* A NaN is not valid. */
static void pass_real(struct words *w, double *value, double least, double most) {
    pass_word(w, value);
    w->is_valid &= *value >= least && *value <= most;
}

static void pass_count(struct words *w, int64_t *value, int64_t least, int64_t most) {
    pass_word(w, value);
    w->is_valid &= *value >= least && *value <= most;
}

static void pass_int(struct words *w, int *value, int least, int most) {
    int64_t wide = *value;
    pass_count(w, &wide, least, most);
    if (w->is_valid) *value = (int)wide;
}

/* Options, the controller's memory, the spectrum, statistics. */
static void pass(struct words *w, struct adaptive *a, eulercl_options *o, int *is_open) {
    static const int64_t most = INT64_MAX / 4;
    const double huge = 1e300;
    pass_real(w, &o->rtol, 0, huge);
    pass_real(w, &o->h0, 0, huge); /* also behind breakpoints */
    pass_real(w, &o->h_max, 0, huge);
    pass_real(w, &o->spectral_radius, 0, huge);
    pass_int(w, &o->stages, 0, INT32_MAX);
    pass_int(w, is_open, 0, 1);
    pass_int(w, &a->rung, LEAST_RUNG, MOST_RUNG);
    pass_int(w, &a->most_rung, LEAST_RUNG, MOST_RUNG);
    pass_real(w, &a->control.last, -huge, huge);
    pass_real(w, &a->control.change, -huge, huge);
    pass_int(w, &a->control.is_first, 0, 1);
    pass_int(w, &a->control.last_rung, LEAST_RUNG, MOST_RUNG);
    pass_int(w, &a->last_rung, LEAST_RUNG, MOST_RUNG);
    pass_count(w, &a->same_steps, 0, most);
    pass_count(w, &a->rounds, 0, most);
    pass_count(w, &a->next_choice, 0, most);
    pass_real(w, &a->radius, 0, huge);
    pass_count(w, &a->radius_step, INT64_MIN / 2, most);
    pass_int(w, &a->radius_steps, 0, INT32_MAX);
    pass_count(w, &a->radius_count, 0, most);
    pass_count(w, &a->changes, 0, most);
    pass_count(w, &a->rejected, 0, most);
    pass_real(w, &a->h_first, 0, huge);
    pass_real(w, &a->h_least, 0, huge);
    pass_real(w, &a->h_greatest, 0, huge);
    pass_real(w, &a->h_last, 0, huge);
    pass_real(w, &a->error, 0, huge);
    pass_int(w, &a->is_at_breakpoint, 0, 1);
    pass_real(w, &a->begun_t, -DBL_MAX, DBL_MAX);
}

/* Unknowns, or one that all are like. */
static int64_t listed_unknowns(const struct tolerance *t) {
    for (int64_t c = 1; c < t->unknowns; c++)
        if (t->atol[c] != t->atol[0] || t->rules[c] != t->rules[0]) return t->unknowns;
    return 1;
}

void ecl_adaptive_text(const struct adaptive *adaptive, const struct run *run, char *text) {
    const struct system *const s = &run->system;
    const struct tolerance *const t = &s->tolerance;
    const int64_t unknowns = listed_unknowns(t);
    struct words w = {.is_valid = 1};
    struct adaptive a = *adaptive;
    eulercl_options o = run->options;
    int is_open = !o.method;
    size_t length = 0;
    const size_t size = EULERCL_CONTROL_SIZE;
    *text = '\0';
    if (unknowns > EULERCL_CONTROL_UNKNOWNS) return;
    pass(&w, &a, &o, &is_open);
    length += (size_t)snprintf(text, size, "%d %s %d %s %d", LAYOUT, s->family->name,
        s->method->own_stages, ecl_controller_of(a.control.controller), (int)unknowns);
    for (int i = 0; i < WORDS && length < size; i++)
        length +=
            (size_t)snprintf(text + length, size - length, " %0*" PRIx64, WORD_DIGITS, w.bits[i]);
    for (int64_t c = 0; c < unknowns && length < size; c++) {
        uint64_t bits;
        memcpy(&bits, &t->atol[c], sizeof bits);
        length += (size_t)snprintf(
            text + length, size - length, " %c%0*" PRIx64, rules[t->rules[c]], WORD_DIGITS, bits);
    }
}

/* The names at the beginning; -> how much they take, 0 if they are not such. */
static int read_names(
    const char *text, char *method, int *stages, char *controller, int *unknowns) {
    int layout, length = 0;
    return sscanf(text, "%9d %31s %9d %31s %9d%n", &layout, method, stages, controller, unknowns,
               &length) == 5 &&
                   layout == LAYOUT
               ? length
               : 0;
}

/* -> the text behind them, or NULL. */
static const char *read_words(const char *text, struct words *w) {
    for (int i = 0; i < WORDS; i++, text += 1 + WORD_DIGITS) {
        int length = 0;
        if (sscanf(text, " %16" SCNx64 "%n", &w->bits[i], &length) != 1 ||
            length != 1 + WORD_DIGITS)
            return NULL;
    }
    return text;
}

static int read_atol(const char *text, double *atol, unsigned char *rule) {
    uint64_t bits;
    char letter;
    int length = 0;
    if (sscanf(text, " %c%16" SCNx64 "%n", &letter, &bits, &length) != 2 ||
        length != 2 + WORD_DIGITS || !strchr(rules, letter))
        return 0;
    memcpy(atol, &bits, sizeof *atol);
    *rule = (unsigned char)(strchr(rules, letter) - rules);
    return *atol >= 0 && isfinite(*atol) && (*atol > 0 || *rule == ATOL_GROWS);
}

/* Whether the text is one of such a system's unknowns; with is_taken, they become what it says. */
static int read_atols(const char *text, int unknowns, const struct system *s, int is_taken) {
    const struct tolerance *const t = &s->tolerance;
    double atol = 0;
    unsigned char rule = 0;
    if (unknowns != 1 && unknowns != t->unknowns) return 0;
    for (int64_t c = 0; c < t->unknowns; c++) {
        if (c < unknowns && !read_atol(text, &atol, &rule)) return 0;
        if (c < unknowns) text += 2 + WORD_DIGITS;
        if (!is_taken) continue;
        t->rules[c] = rule;
        t->greatest[c] = (double)NAN; /* not seen yet */
        ecl_set_atol(s, c, atol);
    }
    return *text == '\0';
}

static int not_valid(eulercl_error *error) {
    return ecl_fail(error, EULERCL_INVALID, "the clock's control is not a text of this library");
}

int ecl_adaptive_resume(struct adaptive *adaptive, struct run *run, const struct backend *table,
    int64_t steps, const char *text, eulercl_error *error) {
    struct words w = {.is_read = 1, .is_valid = 1};
    struct adaptive a = *adaptive;
    eulercl_options o = run->options;
    char method[NAME], controller[NAME];
    const struct method_family *family;
    int stages, unknowns, is_open = 0;
    const int length = read_names(text, method, &stages, controller, &unknowns);
    const char *const atols = length ? read_words(text + length, &w) : NULL;
    if (!atols || !read_atols(atols, unknowns, &run->system, 0)) return not_valid(error);
    pass(&w, &a, &o, &is_open);
    int status = w.is_valid ? EULERCL_OK : not_valid(error);
    if (!status && o.rtol != run->options.rtol)
        status = ecl_fail(error, EULERCL_INVALID,
            "the clock is that of a run with rtol = %.9g, and the solver has rtol = %.9g", o.rtol,
            run->options.rtol);
    if (!status) status = ecl_find_controller(controller, &a.control.controller, error);
    if (!status) status = ecl_find_method(method, &family, error);
    if (!status) status = ecl_check_stages(family, stages, error);
    if (!status && !family->fill_estimate) status = not_valid(error);
    if (status) return status;
    o.method = is_open ? NULL : family->name;
    o.controller = ecl_controller_of(a.control.controller);
    if ((status = ecl_options_check(&o, &o, error))) return status;
    if (family != run->system.family || stages != run->system.method->own_stages)
        status = ecl_adaptive_change_method(run, table, family, stages, error);
    if (status) return status;
    const struct control fresh = ecl_begin_control(run, a.control.controller);
    a.control.order = fresh.order;
    a.control.is_wary = fresh.is_wary;
    a.control.doubtless = fresh.doubtless;
    memcpy(o.tuning, run->options.tuning, sizeof o.tuning); /* the tile may be another one now */
    run->options = o;
    read_atols(atols, unknowns, &run->system, 1);
    *run->system.why_method = '\0';
    a.steps = steps;
    a.is_begun = a.is_resumed = 1;
    a.is_within = 0;
    a.last.steps = 0;
    *adaptive = a;
    return EULERCL_OK;
}
