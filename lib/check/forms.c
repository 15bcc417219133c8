/* SPDX-License-Identifier: BSD-2-Clause */
/* forms.c - whether all forms of the right-hand side agree in all bits on the processor. */
#include "config.h"
#include "check.h"
#include <stdio.h>
#include <string.h>

const struct ode_kernels *ecl_check_kernels(const struct check *c, uint32_t index) {
    const struct ode_problem *d = c->definition;
    if (d->each_kernels) return d->each_kernels(c->system.real_size, index);
    return d->kernels && !index ? d->kernels(c->system.real_size) : NULL;
}

static int report_forms(struct check *c, const char *form, const char *what, const char *isa,
    int64_t at, double value, double expected) {
    return FAILS(forms, EULERCL_INTERNAL, at,
        "%s: %s (%s) gives %.17g as %s of component %lld, eval_comp gives %.17g, %s, t = %g%s",
        precision_of(c), form, isa, value, what, (long long)at, expected, place(c), c->t,
        has_grid(c->definition) ? "; both come from one text, so the compiler rounds differently: "
                                  "write a * b + c as fma(a, b, c)"
                                : "");
}

/* The derivative of component i, or what a step of big_step makes of its value, by eval_comp. */
static double expected(const struct check *c, int pass, int64_t i) {
    const double f = evaluate(c, i, c->clean), y = get(c, c->clean, i);
    return pass == EVAL_RANGE ? f
           : c->system.real_size == sizeof(float)
               ? (double)ODE_UPDATE_(fmaf, (float)big_step, (float)f, (float)y)
               : ODE_UPDATE_(fma, big_step, f, y);
}

static int check_ranges(
    struct check *c, const struct ode_kernels *k, int64_t begin, int64_t end, int *holds) {
    const struct ode_instant t = ode_instant_at(c->t);
    *holds = 0;
    for (int pass = 0; pass < PASSES; pass++) {
        int64_t differ = 0;
        if (pass == STEP_RANGE)
            k->step_range(&c->system.context, c->result, c->clean, begin, end, &t, big_step);
        else
            k->eval_range(&c->system.context, c->result, c->clean, begin, end, &t);
        for (int64_t i = begin; i < end; i++) set(c, c->scratch, i, expected(c, pass, i));
        if (pass == STEP_RANGE)
            ecl_system_solve(&c->system, big_step, c->scratch + (size_t)begin * c->system.real_size,
                end - begin, 1);
        const int64_t at =
            ecl_check_first_difference(c, c->result, c->scratch, begin, end, &differ);
        if (at >= 0)
            return report_forms(c, pass == STEP_RANGE ? "step_range" : "eval_range",
                pass == STEP_RANGE ? "value after a step" : "derivative", k->isa, at,
                get(c, c->result, at), get(c, c->scratch, at));
    }
    *holds = 1;
    return EULERCL_OK;
}

int ecl_check_forms(struct check *c) {
    int64_t ranges[RANGES][2];
    const int count = ecl_check_get_ranges(c, ranges);
    char isas[128] = "";
    for (int state = 0; state < STATES; state++) {
        int holds, status = ecl_check_make_state(c, state, c->clean);
        if (status) return status;
        const struct ode_instant t = ode_instant_at(c->t); /* which the state has set */
        for (int r = 0; r < count; r++) {
            const int64_t begin = ranges[r][0], end = ranges[r][1];
            const struct ode_kernels *k;
            for (uint32_t index = 0; (k = ecl_check_kernels(c, index)); index++) {
                if (!state && !r)
                    snprintf(isas + strlen(isas), sizeof isas - strlen(isas), "%s%s",
                        index ? ", " : "", k->isa);
                status = check_ranges(c, k, begin, end, &holds);
                if (status || !holds) return status;
                for (int64_t i4 = (begin + 3) / 4; 4 * i4 + 3 < end; i4++) {
                    double four[4];
                    k->eval_comp4(&c->system.context, i4, &t, c->clean, four);
                    for (int q = 0; q < 4; q++)
                        if (!is_same(get(c, four, q), evaluate(c, 4 * i4 + q, c->clean)))
                            return report_forms(c, "eval_comp4", "derivative", k->isa, 4 * i4 + q,
                                get(c, four, q), evaluate(c, 4 * i4 + q, c->clean));
                }
            }
        }
    }
    if (!*isas) return SKIPPED(forms, "%s: the problem has only eval_comp", precision_of(c));
    return HOLDS(forms,
        "%s: eval_comp, eval_comp4, eval_range and step_range agree in all bits for %s; %lld "
        "components, %d states",
        precision_of(c), isas, (long long)ecl_check_compared(c), STATES);
}
