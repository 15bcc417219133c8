/* SPDX-License-Identifier: BSD-2-Clause */
/* device.c - whether the text for OpenCL has the bits of the right-hand side in C. */
#include "config.h"
#include "../problem/coefficients.h"
#include "check.h"
#include <stdio.h>
#include <string.h>

static int compare_with_device(struct check *c, const struct backend *table, struct run *run,
    const char *form, int64_t *differ, double *worst) {
    int64_t ranges[RANGES][2];
    const int count = ecl_check_get_ranges(c, ranges);
    for (int state = 0; state < STATES; state++) {
        double seconds;
        int status = ecl_check_make_state(c, state, c->clean);
        const struct batch batch = {.steps = 1, .t_base = c->t, .h = 1};
        if (!status) status = table->state->write(run, 0, c->system.n, c->clean, c->error);
        if (!status) status = table->steps->step(run, &batch, &seconds, c->error);
        for (int r = 0; !status && r < count; r++) {
            const int64_t begin = ranges[r][0], end = ranges[r][1];
            status = table->state->read(
                run, begin, end - begin, c->result + (size_t)begin * c->system.real_size, c->error);
            for (int64_t i = begin; !status && i < end; i++) {
                /* The method leaves points that keep their values as they are. */
                const double right = ecl_is_still(&c->system, i) ? get(c, c->clean, i)
                                                                 : evaluate(c, i, c->clean),
                             got = get(c, c->result, i);
                if (is_same(right, got)) continue;
                ++*differ;
                *worst = fmax(*worst, isfinite(right) && isfinite(got)
                                          ? fabs(got - right) / fmax(fabs(got), fabs(right))
                                          : 1);
                if (c->info.bits_guaranteed)
                    return FAILS(opencl, EULERCL_INTERNAL, i,
                        "%s: %s gives %.17g as derivative of component %lld, eval_comp in C gives "
                        "%.17g, %s, t = %g (%s)",
                        precision_of(c), form, got, (long long)i, right, place(c), c->t,
                        run->report.device);
            }
        }
        if (status) return status;
    }
    return EULERCL_OK;
}

/* Steps of the method that replaces the state by its derivatives, on the backend that has both
 * forms as variants. */
int ecl_check_opencl(struct check *c) {
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
        run.system.method = &ecl_derivative;
        run.options.precision = (enum eulercl_precision)c->system.real_size;
        TUNE_NAME(&run.options, variant, ways[w].variant);
        int status = ecl_find_configuration(&run, "cl-linear", &backend, &why);
        const struct backend *table = status ? NULL : ecl_backends[backend].table;
        if (table) status = table->create(&run, &why);
        if (status == EULERCL_COMPILE || status == EULERCL_INTERNAL)
            return ecl_check_tell(c, CHECK_opencl, EULERCL_FAILS, status, -1, why.log, "%s: %.400s",
                precision_of(c), why.message);
        if (status) return SKIPPED(opencl, "%s: %.400s", precision_of(c), why.message);
        snprintf(device, sizeof device, "%s", run.report.device);
        const int64_t failed = c->report.fails;
        status = compare_with_device(c, table, &run, ways[w].form, &differ, &worst);
        table->destroy(&run);
        if (status || c->report.fails > failed) return status;
    }
    if (!c->info.bits_guaranteed)
        return REMARK(opencl,
            "%s: %lld of %lld values differ from C, by up to %.2g of their size: the problem uses "
            "functions whose bits may differ between devices (%.200s)",
            precision_of(c), (long long)differ, (long long)(2 * STATES * ecl_check_compared(c)),
            worst, device);
    return HOLDS(opencl,
        "%s: eval_comp and eval_comp4 have the same bits as in C; %lld components, %d states "
        "(%.200s)",
        precision_of(c), (long long)ecl_check_compared(c), STATES, device);
}
