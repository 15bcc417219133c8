/* SPDX-License-Identifier: BSD-2-Clause */
/* problem.c - definitions made problems, and parameters turned into sizes. */
#include "config.h"
#include "coefficients.h"
#include "function_work.h"
#include "lexer.h"
#include "../method/method.h"
#include "grid.h"
#include "../mem.h"
#include "problem.h"
#include "pattern.h"
#include "problem_text.h"
#include "../reals.h"
#include "../tolerance/tolerance.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MAX_PARAMETERS = 1000, MAX_COMPONENTS = 1 << 20, MAX_RADIUS = 1 << 10 };

const struct ode_problem *ecl_problem_definition(const eulercl_problem *problem) {
    return problem->definition;
}

void ecl_problem_breakpoints(const eulercl_problem *problem, double *times) {
    problem->definition->breakpoints(problem->parameters, times);
}

double ecl_problem_flush_below(const eulercl_problem *problem, int64_t component) {
    const struct ode_problem *d = problem->definition;
    return d->flush_below ? d->flush_below(problem->parameters, component) : 0;
}

double ecl_problem_atol(const eulercl_problem *problem, int64_t component) {
    const struct ode_problem *d = problem->definition;
    return d->atol ? d->atol(problem->parameters, component) : 0;
}

/* ---- sizes ---- */

#define COPY_NAME(x, rule, name, k) [rule] = name,
#define COMPUTED_NAME(x, rule, name, k, value, ghost) [rule] = name,
static const char *const rule_names[] = {ODE_RULES_(COPY_NAME, COMPUTED_NAME, COPY_NAME, , , , )};
/* Rules of sides alone have numbers from RULES_OF_BOUNDARY on. */
enum { RULES = sizeof rule_names / sizeof *rule_names, RULES_OF_BOUNDARY = ODE_RULE_VALUE_ };

static int whole(double x, double min, double max) { return x >= min && x <= max && floor(x) == x; }

/* Sizes for the parameters given; 2 n doubles can be counted in bytes afterwards. */
static int measure(const struct ode_problem *definition, const double *parameters,
    struct size *size, eulercl_error *error) {
    struct ode_shape shape = {.extents = {1, 1, 1}};
    const char *const name = definition->name;
    struct ode_grid grid = definition->grid;
    definition->shape(parameters, &shape);
    int64_t points = 1, components, bytes;
    double wanted = 1;
    int overflows = 0;
    for (uint32_t axis = 0; axis < ODE_MOST_AXES; axis++) {
        const double extent = shape.extents[axis];
        if (!whole(extent, 1, grid_has_axis(&grid, axis) ? 0x1p62 : 1))
            return ecl_fail(error, EULERCL_INVALID,
                "%s: the parameters give %g grid points along %c, which is not a size", name,
                extent, "xyz"[axis]);
        wanted *= extent;
        grid.extents[axis] = grid.global[axis] = (int64_t)extent;
        grid.origin[axis] = 0;
        overflows |= __builtin_mul_overflow(points, grid.extents[axis], &points);
        for (int side = 0; side < 2; side++) {
            const int needed = ODE_POINTS_NEEDED_(grid.boundary[axis][side], grid.radius);
            if (grid.extents[axis] < needed)
                return ecl_fail(error, EULERCL_INVALID,
                    "%s: the boundary rule \"%s\" needs at least %d points along %c, not %g", name,
                    rule_names[grid.boundary[axis][side]], needed, "xyz"[axis], extent);
        }
    }
    if (overflows || __builtin_mul_overflow(points, (int64_t)grid.components, &components) ||
        __builtin_mul_overflow(components, (int64_t)(2 * sizeof(double)), &bytes) ||
        __builtin_mul_overflow(
            points, (int64_t)definition->field_count * (int64_t)sizeof(double), &bytes))
        return ecl_fail(error, EULERCL_INVALID,
            "%s: the size overflows (%g points of %u components)", name, wanted, grid.components);
    const int reads_all = isinf(shape.access_distance) && shape.access_distance > 0;
    if (!reads_all && !whole(shape.access_distance, 0, 9e18))
        return ecl_fail(error, EULERCL_INVALID, "%s: the access distance %g is not a whole number",
            name, shape.access_distance);
    *size = (struct size){
        components, reads_all ? components - 1 : (int64_t)shape.access_distance, reads_all, grid};
    return EULERCL_OK;
}

static int measure_problem(eulercl_problem *p, eulercl_error *error) {
    return measure(p->definition, p->parameters, &p->size, error);
}

/* ---- definitions ---- */

const char *eulercl_boundary_name(size_t index) {
    return index < RULES_OF_BOUNDARY ? rule_names[index] : NULL;
}

const char *eulercl_problem_side(const eulercl_problem *problem, int axis, int is_high) {
    const struct ode_grid *const grid = problem ? &problem->size.grid : NULL;
    return grid && axis >= 0 && axis < (int)grid->rank ? rule_names[grid->boundary[axis][!!is_high]]
                                                       : NULL;
}

/* The name of all sides' rules, or "sides". */
static const char *boundary_of(const eulercl_problem *problem) {
    const char *const first = eulercl_problem_side(problem, 0, 0);
    for (int axis = 0; axis < (int)problem->size.grid.rank; axis++)
        for (int is_high = 0; is_high < 2; is_high++)
            if (strcmp(eulercl_problem_side(problem, axis, is_high), first)) return "sides";
    return first;
}

/* Whether each end of each axis has a rule, and only those have. */
static int has_rules(const struct ode_grid *grid) {
    for (uint32_t axis = 0; axis < ODE_MOST_AXES; axis++) {
        const uint32_t *const rules = grid->boundary[axis];
        const uint32_t count = axis < grid->rank ? RULES : 1;
        if (rules[0] >= count || rules[1] >= count ||
            ODE_IS_PERIODIC_(rules[0]) != ODE_IS_PERIODIC_(rules[1]))
            return 0;
    }
    return 1;
}

static int check_definition(const struct ode_problem *d, eulercl_error *error) {
    if (d->abi != ODE_PROBLEM_ABI)
        return ecl_fail(error, EULERCL_FILE,
            "the problem was built for ABI %u of ode_problem.h, this library has %u: compile it "
            "again",
            d->abi, ODE_PROBLEM_ABI);
    if (d->struct_size < sizeof *d)
        return ecl_fail(error, EULERCL_FILE,
            "the problem's struct has %u bytes, this library needs %zu: compile it again",
            d->struct_size, sizeof *d);
    const struct ode_grid *const grid = &d->grid;
    const char *wrong = NULL;
    if (!d->name || !*d->name || !d->title)
        wrong = "no name or title";
    else if (d->parameter_count > MAX_PARAMETERS || (d->parameter_count && !d->parameters))
        wrong = "an invalid list of parameters";
    else if (d->constant_count < d->parameter_count || d->constant_count > 2 * MAX_PARAMETERS)
        wrong = "an invalid number of constants";
    else if (d->constant_count > d->parameter_count && !d->derive)
        wrong = "derived constants without derive()";
    else if (grid->rank > ODE_MOST_AXES || !has_rules(grid) || grid->radius > MAX_RADIUS)
        wrong = "an invalid grid";
    else if (grid->components < 1 || grid->components > MAX_COMPONENTS ||
             d->field_count > MAX_COMPONENTS || (d->field_count && !d->fields))
        wrong = "an invalid number of components or fields";
    else if (!grid->rank && (grid->components != 1 || grid->radius || d->field_count))
        wrong = "components, a radius or fields without a grid";
    else if (d->breakpoint_count && !d->breakpoints)
        wrong = "breakpoints without breakpoints()";
    else if (!d->shape)
        wrong = "no shape()";
    else if (!d->eval_comp_f32 && !d->eval_comp_f64)
        wrong = "no eval_comp";
    else if (d->text && (!d->text_end || d->text_end < d->text || !d->file))
        wrong = "a text without text_end or file";
    for (uint32_t i = 0; !wrong && i < d->parameter_count; i++) {
        const struct ode_parameter *q = &d->parameters[i];
        if (!q->name || !q->unit || !q->doc)
            wrong = "a parameter without name, unit or doc";
        else if (!(q->min <= q->value && q->value <= q->max) || !isfinite(q->value))
            wrong = "a parameter whose default is out of bounds";
        else if (q->integer && floor(q->value) != q->value)
            wrong = "an integer parameter whose default is not a whole number";
    }
    for (uint32_t i = 0; !wrong && i < d->field_count; i++)
        if (!d->fields[i] || !*d->fields[i]) wrong = "a field without name";
    if (wrong) return ecl_fail(error, EULERCL_INVALID, "the problem's struct has %s", wrong);
    eulercl_error why;
    return d->text && eulercl_verify_names(d->text, (size_t)(d->text_end - d->text), &why)
               ? ecl_fail(error, EULERCL_INVALID, "problem %s: %s", d->name, why.message)
               : EULERCL_OK;
}

/* Whether a call of this word keeps the bits: statements, what our own words expand to, and the
 * values that the rules of sides read. */
static int keeps_bits(struct token word) {
    static const char *const known[] = {"if", "for", "while", "switch", "return", "sizeof",
        "_Generic", "__builtin_constant_p", "defined", "IN", "ODE_IN_"};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (token_is(word, known[i])) return 1;
    return token_begins(word, "ode_");
}

/* A right-hand side is inexact if it calls a function whose bits are known to differ, or an unknown
 * function. */
static int is_inexact(const struct ode_problem *d) {
    const char *text = d->rhs ? d->rhs() : "";
    struct lexer lexer = lexer_start(text, text + strlen(text));
    for (struct token token; (token = lexer_take(&lexer)).kind;) {
        if (token.kind != TOKEN_WORD) continue;
        if (token_begins(token, "ode_inexact_")) return 1;
        if (token_is(lexer_peek(&lexer), "(") && !keeps_bits(token)) return 1;
    }
    return 0;
}

/* Of a problem with its parameters and its arrays of the user. */
static size_t bytes_of(const struct ode_problem *d) {
    const eulercl_problem *p = NULL;
    return sizeof *p + d->parameter_count * sizeof *p->parameters +
           ((size_t)d->field_count + 1) * sizeof *p->given;
}

static struct given **given_of(eulercl_problem *p) {
    return (struct given **)(void *)(p->parameters + p->definition->parameter_count);
}

int ecl_problem_create(const struct ode_problem *definition, struct plugin *plugin,
    eulercl_problem **problem, eulercl_error *error) {
    int status = check_definition(definition, error);
    if (status) return status;
    eulercl_problem *p = ecl_mem_zeroed(1, bytes_of(definition));
    if (!p) return ecl_no_memory(error, "a problem");
    p->definition = definition;
    p->given = given_of(p);
    for (uint32_t i = 0; i < definition->parameter_count; i++)
        p->parameters[i] = definition->parameters[i].value;
    if ((status = measure_problem(p, error))) {
        ecl_mem_free(p);
        return status;
    }
    p->plugin = plugin;
    p->is_inexact = is_inexact(definition);
    p->has_functions = ecl_rhs_has(definition, "ode_math_");
    p->reads_time = ecl_find_reads(definition).time;
    p->moving_sides = ecl_moving_sides(definition);
    p->work = ecl_text_work(definition);
    *problem = p;
    return EULERCL_OK;
}

int eulercl_problem_create(
    const struct ode_problem *definition, eulercl_problem **problem, eulercl_error *error) {
    EULERCL_NEEDS(definition);
    EULERCL_NEEDS(problem);
    return ecl_problem_create(definition, NULL, problem, error);
}

eulercl_problem *ecl_problem_copy(const eulercl_problem *problem) {
    const size_t bytes = bytes_of(problem->definition);
    eulercl_problem *copy = ecl_mem_zeroed(1, bytes);
    if (!copy) return NULL;
    memcpy(copy, problem, bytes);
    copy->given = given_of(copy);
    ecl_given_share(copy);
    ecl_plugin_share(copy->plugin);
    return copy;
}

int eulercl_problem_copy(
    const eulercl_problem *problem, eulercl_problem **copy, eulercl_error *error) {
    EULERCL_NEEDS(problem);
    EULERCL_NEEDS(copy);
    eulercl_problem *const made = ecl_problem_copy(problem);
    if (!made) return ecl_no_memory(error, "a problem");
    *copy = made;
    return EULERCL_OK;
}

void eulercl_problem_destroy(eulercl_problem *problem) {
    if (!problem) return;
    struct plugin *plugin = problem->plugin;
    ecl_given_destroy(problem);
    ecl_mem_free(problem);
    ecl_plugin_release(plugin);
}

/* ---- parameters ---- */

static int set_parameter(eulercl_problem *p, uint32_t index, double value, eulercl_error *error) {
    const struct ode_parameter *q = &p->definition->parameters[index];
    if (!isfinite(value))
        return ecl_fail(error, EULERCL_INVALID, "parameter %s = %g is not finite", q->name, value);
    if (value < q->min || value > q->max)
        return ecl_fail(error, EULERCL_INVALID,
            "parameter %s = %.17g is out of bounds: %g <= %s <= %g", q->name, value, q->min,
            q->name, q->max);
    if (q->integer && floor(value) != value)
        return ecl_fail(
            error, EULERCL_INVALID, "parameter %s = %.17g is not a whole number", q->name, value);
    const double before = p->parameters[index];
    p->parameters[index] = value;
    const int status = measure_problem(p, error);
    if (status) {
        p->parameters[index] = before;
        measure_problem(p, NULL);
    }
    return status;
}

int eulercl_problem_set(
    eulercl_problem *problem, const char *name, double value, eulercl_error *error) {
    EULERCL_NEEDS(problem);
    EULERCL_NEEDS(name);
    const struct ode_problem *d = problem->definition;
    for (uint32_t i = 0; i < d->parameter_count; i++)
        if (!strcmp(d->parameters[i].name, name)) return set_parameter(problem, i, value, error);
    char known[256] = "none";
    for (size_t i = 0, used = 0; i < d->parameter_count && used < sizeof known; i++)
        used += (size_t)snprintf(
            known + used, sizeof known - used, "%s%s", i ? ", " : "", d->parameters[i].name);
    return ecl_fail(error, EULERCL_INVALID, "problem %s has no parameter '%s' (its parameters: %s)",
        d->name, name, known);
}

/* The size if the integer parameter `index` is `value`; INT64_MAX if it overflows. */
static int64_t size_at(const eulercl_problem *p, uint32_t index, double value, double *parameters) {
    struct size size;
    memcpy(parameters, p->parameters, p->definition->parameter_count * sizeof *parameters);
    parameters[index] = value;
    return measure(p->definition, parameters, &size, NULL) ? INT64_MAX : size.n;
}

int eulercl_problem_set_size(eulercl_problem *problem, int64_t n, eulercl_error *error) {
    EULERCL_NEEDS(problem);
    const struct ode_problem *d = problem->definition;
    uint32_t index = 0;
    while (index < d->parameter_count && !d->parameters[index].integer) index++;
    if (index == d->parameter_count)
        return ecl_fail(error, EULERCL_INVALID, "the size of problem %s is fixed: n = %lld",
            d->name, (long long)problem->size.n);
    if (n < 1)
        return ecl_fail(error, EULERCL_INVALID,
            "a system of %lld components is too small: at least 1", (long long)n);
    double *parameters = ecl_mem_zeroed(d->parameter_count, sizeof *parameters);
    if (!parameters)
        return ecl_fail(error, EULERCL_MEMORY, "no memory for %u parameters", d->parameter_count);
    /* The smallest value whose size is at least n; below 2^53 every whole number is a double. */
    const double min = ceil(d->parameters[index].min), max = floor(d->parameters[index].max);
    int64_t low = (int64_t)fmax(min, -0x1p53), high = (int64_t)fmin(max, 0x1p53);
    const int64_t lowest = low, highest = high;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (size_at(problem, index, (double)middle, parameters) < n)
            low = middle + 1;
        else
            high = middle;
    }
    const int64_t above = size_at(problem, index, (double)low, parameters);
    const int64_t below = low > lowest ? size_at(problem, index, (double)(low - 1), parameters) : 0;
    ecl_mem_free(parameters);
    const char *name = d->parameters[index].name;
    if (above == n && n < INT64_MAX) return set_parameter(problem, index, (double)low, error);
    if (above < n || above == INT64_MAX)
        return ecl_fail(error, EULERCL_INVALID,
            "problem %s has no size n = %lld; the largest is %lld (%s = %lld)", d->name,
            (long long)n, (long long)(above < n ? above : below), name,
            (long long)(above < n ? highest : low - 1));
    if (!below)
        return ecl_fail(error, EULERCL_INVALID,
            "problem %s has no size n = %lld; the smallest is %lld (%s = %lld)", d->name,
            (long long)n, (long long)above, name, (long long)low);
    return ecl_fail(error, EULERCL_INVALID,
        "problem %s has no size n = %lld; the nearest are %lld (%s = %lld) and %lld (%s = %lld)",
        d->name, (long long)n, (long long)below, name, (long long)(low - 1), (long long)above, name,
        (long long)low);
}

/* ---- what it is ---- */

int eulercl_problem_get_info(
    const eulercl_problem *problem, eulercl_problem_info *info, eulercl_error *error) {
    EULERCL_NEEDS(problem);
    EULERCL_NEEDS(info);
    const struct ode_problem *d = problem->definition;
    const struct ode_grid *const grid = &problem->size.grid;
    eulercl_problem_info full = {
        .name = d->name,
        .title = d->title,
        .n = problem->size.n,
        .access_distance = problem->size.access_distance,
        .rank = (int)grid->rank,
        .components = (int)grid->components,
        .parameters = d->parameter_count,
        .has_exact = d->exact != NULL,
        .has_text = d->text != NULL,
        .bits_guaranteed = !problem->is_inexact,
        .boundary = boundary_of(problem),
        .fields = d->field_count,
        .has_marks = d->find_marks != NULL,
    };
    for (int axis = 0; axis < ODE_MOST_AXES; axis++) full.extents[axis] = grid->extents[axis];
    return ecl_copy_out(info, info->struct_size, &full, sizeof full, error);
}

const char *eulercl_problem_field_name(const eulercl_problem *problem, size_t index) {
    return problem && index < problem->definition->field_count ? problem->definition->fields[index]
                                                               : NULL;
}

int eulercl_problem_get_parameter(const eulercl_problem *problem, size_t index,
    eulercl_parameter *parameter, eulercl_error *error) {
    EULERCL_NEEDS(problem);
    EULERCL_NEEDS(parameter);
    const struct ode_problem *d = problem->definition;
    if (index >= d->parameter_count)
        return ecl_fail(
            error, EULERCL_INVALID, "problem %s has %u parameters", d->name, d->parameter_count);
    const struct ode_parameter *q = &d->parameters[index];
    const eulercl_parameter full = {
        .name = q->name,
        .value = problem->parameters[index],
        .default_value = q->value,
        .min = q->min,
        .max = q->max,
        .integer = q->integer,
        .unit = q->unit,
        .doc = q->doc,
    };
    return ecl_copy_out(parameter, parameter->struct_size, &full, sizeof full, error);
}

/* ---- numbers for the solver ---- */

static int find_kernels(const struct ode_problem *d, size_t real_size,
    const struct ode_kernels **kernels, eulercl_error *error) {
    const struct ode_kernels *const k = d->kernels ? d->kernels(real_size) : NULL;
    if (k && (!k->step_range || !k->eval_range || !k->eval_comp4 || !k->contracts))
        return ecl_fail(error, EULERCL_UNSUPPORTED,
            "problem %s has kernels without step_range, eval_range, eval_comp4 or contracts",
            d->name);
    if (k && k->contracts())
        return ecl_fail(error, EULERCL_UNSUPPORTED,
            "problem %s was compiled with contraction of a*b+c, which changes the bits: compile it "
            "with -ffp-contract=off",
            d->name);
    *kernels = k;
    return EULERCL_OK;
}

/* The numbers of `along`, for rows in lanes. */
static int spread(const struct system *s, const struct pattern *along, struct pattern *rows,
    eulercl_error *error) {
    const int64_t components = s->definition->grid.components,
                  lanes = s->kernels ? s->kernels->lanes : 0;
    *rows = (struct pattern){0};
    if (!along->reals || !lanes) return EULERCL_OK;
    if (!ecl_pattern_create(rows, components, lanes, s->real_size))
        return ecl_no_memory(error, "the numbers of each unknown");
    for (int64_t c = 0; c < components; c++)
        ecl_pattern_set(
            rows, components, lanes, s->real_size, c, real_get(along->reals, c, s->real_size));
    return EULERCL_OK;
}

void ecl_system_drop_code(struct system *system) {
    ecl_pattern_destroy(&system->lane_flush);
    ecl_pattern_destroy(&system->tolerance.lanes);
}

int ecl_system_change_code(const struct system *before, const struct ode_problem *definition,
    struct system *system, eulercl_error *error) {
    *system = *before;
    system->definition = definition;
    system->is_baseline = 0;
    system->lane_flush = system->tolerance.lanes = (struct pattern){0};
    int status = find_kernels(definition, before->real_size, &system->kernels, error);
    if (!status) status = spread(system, &system->flush, &system->lane_flush, error);
    if (!status) status = spread(system, &system->tolerance.along, &system->tolerance.lanes, error);
    if (status) ecl_system_drop_code(system);
    return status;
}

int ecl_fill_constants(
    const eulercl_problem *problem, size_t real_size, void *constants, eulercl_error *error) {
    const struct ode_problem *const d = problem->definition;
    struct ode_context host;
    int status = ecl_host_context(problem, &host, error);
    if (status) return status;
    for (uint32_t i = 0; !status && i < d->constant_count; i++) {
        const double value = ((const double *)host.constants)[i];
        if (!isfinite(value) || (real_size == sizeof(float) && !isfinite((float)value)))
            status = ecl_fail(error, EULERCL_INVALID,
                "problem %s: %s%s = %g is not finite in this precision", d->name,
                i < d->parameter_count ? "parameter " : "a constant derived from the parameters",
                i < d->parameter_count ? d->parameters[i].name : "", value);
        else
            real_set(constants, i, real_size, value);
    }
    ecl_host_context_destroy(&host);
    return status;
}

int ecl_system_create(const eulercl_problem *problem, enum eulercl_precision precision,
    struct system *system, eulercl_error *error) {
    const struct ode_problem *d = problem->definition;
    const size_t real_size = (size_t)precision;
    *system = (struct system){.definition = d,
        .method = &ecl_euler,
        .real_size = real_size,
        .n = problem->size.n,
        .access_distance = problem->size.access_distance,
        .reads_all = problem->size.reads_all,
        .is_baseline = ecl_problem_is_baseline(problem),
        .reads_time = problem->reads_time,
        .work = problem->work,
        .moving_sides = problem->moving_sides,
        .kept_end =
            has_grid(d) ? problem->size.grid.extents[problem->size.grid.rank - 1] : problem->size.n,
        .state_bytes = (uint64_t)problem->size.n * real_size,
        .field_bytes = ecl_coefficients_size(d, &problem->size.grid, real_size)};
    if (precision == EULERCL_FLOAT ? !d->eval_comp_f32 : !d->eval_comp_f64)
        return ecl_fail(error, EULERCL_UNSUPPORTED, "problem %s has no right-hand side in %s",
            d->name, precision == EULERCL_FLOAT ? "float" : "double");
    int status = find_kernels(d, real_size, &system->kernels, error);
    if (status) return status;
    system->constants = ecl_mem_zeroed((uint64_t)d->constant_count + 1, real_size);
    if (!system->constants)
        status = ecl_fail(error, EULERCL_MEMORY, "no memory for %u constants", d->constant_count);
    if (!status) status = ecl_fill_constants(problem, real_size, system->constants, error);
    if (!status)
        status = ecl_mem_state(system->field_bytes ? system->field_bytes : real_size,
            "the coefficient fields", &system->fields, error);
    if (!status) status = ecl_fill_coefficients(problem, real_size, system->fields, error);
    system->context = (struct ode_context){problem->size.n, problem->size.grid, system->constants,
        system->fields, .high = problem->size.n};
    if (status) ecl_system_destroy(system);
    return status;
}

void ecl_system_destroy(struct system *system) {
    ecl_mem_free(system->constants);
    ecl_mem_free(system->fields);
    ecl_mem_free(system->made);
    ecl_mem_free(system->flush.reals);
    ecl_mem_free(system->lane_flush.reals);
    ecl_tolerance_destroy(&system->tolerance);
    system->constants = system->fields = system->flush.reals = system->lane_flush.reals = NULL;
    system->made = NULL;
}
