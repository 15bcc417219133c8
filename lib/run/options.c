/* SPDX-License-Identifier: BSD-2-Clause */
/* options.c - defaults and bounds of the options; no other file doubts a number that came through
 * here. */
#include "config.h"
#include "../tolerance/control.h"
#include "../problem/flush.h"
#include "../method/method.h"
#include "../plan/tuning.h"
#include <float.h>
#include <math.h>
#include <string.h>

static const eulercl_options defaults = {
    .struct_size = sizeof(eulercl_options),
    .precision = EULERCL_DOUBLE,
    .h = 1e-4,
    .flush_below = EULERCL_AS_PROBLEM,
    .check_finite = 1,
};

static const size_t least =
    offsetof(eulercl_options, device); /* every layout has the fields up to tuning */
static const char *const plan_names[] = {"auto", "estimate", "measure", NULL};

static int is_among(const char *name, const char *const *names) {
    while (name && *names && strcmp(name, *names)) names++;
    return !name || *names;
}

void eulercl_options_init_size(eulercl_options *options, size_t size) {
    if (!options) return;
    eulercl_options known = defaults;
    if (size < known.struct_size) known.struct_size = size;
    memcpy(options, &known, known.struct_size);
}

/* A finite number >= 0. */
static int check_number(const char *name, double value, eulercl_error *error) {
    return value >= 0 && isfinite(value) ? EULERCL_OK
                                         : ecl_fail(error, EULERCL_INVALID,
                                               "%s = %g is not a finite number >= 0", name, value);
}

/* A normal number in the precision of the options. */
static int is_normal(const eulercl_options *o, double value) {
    return o->precision == EULERCL_FLOAT ? (float)value >= FLT_MIN && isfinite((float)value)
                                         : value >= DBL_MIN && isfinite(value);
}

static int check_atol(const eulercl_options *o, double atol, eulercl_error *error) {
    const int status = check_number("atol", atol, error);
    if (status) return status;
    if (o->rtol == 0 && atol > 0)
        return ecl_fail(error, EULERCL_INVALID, "the tolerance atol = %g needs rtol > 0", atol);
    if (o->rtol > 0 && (!is_normal(o, o->rtol) || (atol > 0 && !is_normal(o, atol))))
        return ecl_fail(error, EULERCL_INVALID,
            "the tolerance rtol = %g, atol = %g is not of normal numbers in this precision",
            o->rtol, atol);
    return EULERCL_OK;
}

static int check_tolerance(eulercl_options *o, eulercl_error *error) {
    const struct {
        const char *name;
        double value;
    } numbers[] = {{"rtol", o->rtol}, {"h0", o->h0}, {"h_max", o->h_max},
        {"spectral_radius", o->spectral_radius}, {"steady", o->steady}};
    const struct controller *controller;
    int status = ecl_find_controller(o->controller, &controller, error);
    for (size_t i = 0; !status && i < sizeof numbers / sizeof *numbers; i++)
        status = check_number(numbers[i].name, numbers[i].value, error);
    if (status) return status;
    if (o->max_steps < 0) return ecl_fail(error, EULERCL_INVALID, "max_steps is negative");
    if (o->atol_count < 0 || (o->atol_count > 0) != (o->atols != NULL))
        return ecl_fail(
            error, EULERCL_INVALID, "atols and atol_count must be set together, atol_count > 0");
    if (o->atol_count && o->atol != 0)
        return ecl_fail(error, EULERCL_INVALID, "atol and atols exclude each other");
    status = check_atol(o, o->atol, error);
    for (int64_t c = 0; !status && c < o->atol_count; c++)
        status = check_atol(o, o->atols[c], error);
    return status;
}

int ecl_options_check(
    const eulercl_options *given, eulercl_options *checked, eulercl_error *error) {
    eulercl_options o = defaults;
    int status;
    if (given) {
        if (given->struct_size < least || given->struct_size > 4096 ||
            given->struct_size % _Alignof(eulercl_options))
            return ecl_fail(error, EULERCL_INVALID,
                "options.struct_size is %zu, which is not a valid size: call eulercl_options_init "
                "first",
                given->struct_size);
        memcpy(&o, given, given->struct_size < sizeof o ? given->struct_size : sizeof o);
    }
    o.struct_size = sizeof o;
    if (o.precision != EULERCL_FLOAT && o.precision != EULERCL_DOUBLE)
        return ecl_fail(error, EULERCL_INVALID,
            "precision %d is neither EULERCL_FLOAT nor EULERCL_DOUBLE", (int)o.precision);
    if (!isfinite(o.t0) || (o.precision == EULERCL_FLOAT && !isfinite((float)o.t0)))
        return ecl_fail(error, EULERCL_INVALID, "t0 = %g is not finite in this precision", o.t0);
    const double h = o.precision == EULERCL_FLOAT ? (double)(float)o.h : o.h;
    if (!(o.h > 0) || !isfinite(o.h))
        return ecl_fail(
            error, EULERCL_INVALID, "the step size h = %g is not a positive number", o.h);
    if (!(h > 0) || !isfinite(h))
        return ecl_fail(error, EULERCL_INVALID,
            "the step size h = %g is zero or infinite in single precision", o.h);
    if (o.flush_below != EULERCL_AS_PROBLEM &&
        !ecl_is_threshold(o.flush_below, (size_t)o.precision))
        return ecl_fail(error, EULERCL_INVALID,
            "flush_below = %g is not a finite number >= 0 in this precision", o.flush_below);
    if ((status = check_tolerance(&o, error))) return status;
    if (o.stages < 0) return ecl_fail(error, EULERCL_INVALID, "stages is negative");
    if (o.rtol > 0 && !o.method && o.stages)
        return ecl_fail(error, EULERCL_INVALID,
            "stages = %d needs a method: without one, both are chosen", o.stages);
    const struct method_family *family;
    status = ecl_find_method(o.method ? o.method : "euler", &family, error);
    if (!status) status = ecl_check_stages(family, o.stages, error);
    if (status) return status;
    if (o.breakpoint_count < 0 || (o.breakpoint_count && !o.breakpoints))
        return ecl_fail(error, EULERCL_INVALID,
            o.breakpoint_count < 0 ? "breakpoint_count is negative" : "breakpoints is NULL");
    for (int64_t i = 0; i < o.breakpoint_count; i++)
        if (!isfinite(o.breakpoints[i]))
            return ecl_fail(error, EULERCL_INVALID,
                "breakpoint number %lld is %g, which is not finite", (long long)i,
                o.breakpoints[i]);
    if (o.observer_steps < 0) return ecl_fail(error, EULERCL_INVALID, "observer_steps is negative");
    if (!o.cl_context != !o.cl_queue)
        return ecl_fail(error, EULERCL_INVALID, "cl_context and cl_queue must be set together");
    if (o.devices && (o.device || o.cl_queue))
        return ecl_fail(error, EULERCL_INVALID, "devices and %s exclude each other",
            o.device ? "device" : "cl_queue");
    if (o.device_memory < 0) return ecl_fail(error, EULERCL_INVALID, "device_memory is negative");
    if (o.devices && (o.device_memory || o.state_file))
        return ecl_fail(error, EULERCL_INVALID, "devices and %s exclude each other",
            o.state_file ? "state_file" : "device_memory");
    o.device_events = o.device_events != 0;
    o.no_move = o.no_move != 0;
    if (o.expected_steps < 0) return ecl_fail(error, EULERCL_INVALID, "expected_steps is negative");
    if (o.expected_interval < 0)
        return ecl_fail(error, EULERCL_INVALID, "expected_interval is negative");
    if (!isfinite(o.expected_end))
        return ecl_fail(error, EULERCL_INVALID, "expected_end = %g is not finite", o.expected_end);
    if (!is_among(o.plan, plan_names))
        return ecl_fail(
            error, EULERCL_INVALID, "unknown plan '%s' (known: auto, estimate, measure)", o.plan);
    status = ecl_tuning_check(&o, error);
    if (!status) *checked = o;
    return status;
}
