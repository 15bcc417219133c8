/* SPDX-License-Identifier: BSD-2-Clause */
/* choice.c - see choice.h. Numbers that decide are whole rungs of the ladder of step sizes, so that
 * all hosts choose the same. */
#include "config.h"
#include "choice.h"
#include "control.h"
#include "inspect.h"
#include "../int.h"
#include "../mem.h"
#include "../method/methods.h"
#include "spectrum.h"
#include "tolerance.h"
#include <string.h>

enum {
    LAST_STAGES = 4, /* the last stages of rock4, which are of another kind */
    SLOW_DECAY = 20  /* frequencies matter unless decay is faster by more than this */
};

/* The method where there is no initial state to look at. */
static const char without_initial[] = "dp54";

struct initial {
    const eulercl_problem *problem;
    enum eulercl_precision precision;
};
static int read_initial(void *from, int64_t first, int64_t count, void *y, eulercl_error *error) {
    const struct initial *const initial = from;
    return eulercl_problem_initial(initial->problem, initial->precision, first, count, y, error);
}

/* Facts about a problem. Numbers are rungs. */
struct outlook {
    int has_positions;
    enum estimates estimates;
    int rhs;    /* f in units of the tolerance */
    int change; /* relative change of f in a unit of time */
    struct rates rates;
    double certainty; /* certainty of the gain by another method, at most 1 */
    double rounding;  /* the tolerance in units of the last place */
};

/* A method, and what a unit of time takes. */
struct cost {
    const struct method_family *family;
    int rung;    /* the step size */
    int stages;  /* evaluations of a step of that size */
    double work; /* evaluations in a unit of time, weighted by the arrays that stages work on */
    int is_stability; /* the step size is limited by stability */
};

/* The step size for which the estimate, size h^order f change^(order - 1), is the tolerance. */
static int accurate_rung(const struct outlook *o, double size, int order) {
    const int sum = ecl_rung_below(size) + o->rhs + (order - 1) * o->change;
    return -(sum / order + (sum % order > 0));
}

/* The mean time of a step's stages, relative to a stage with the fewest arrays. A stage that reads
 * or writes more arrays takes longer, as was measured roughly on processors and GPUs. */
static double weight_of(const struct method *method) {
    static const double weights[ODE_MOST_ARRAYS_ + 1] = {1, 0.8, 1, 1.2, 1.5};
    /* for stages of positions or velocities alone, which move fewer values */
    static const double some = 0.8;
    double sum = 0;
    for (int s = 0; s < method->stages; s++) {
        union ecl_stage stage;
        ecl_stage_of(method, s, 1, sizeof(double), &stage);
        sum += weights[__builtin_popcount((unsigned)(stage.f64.reads | stage.f64.writes))] *
               (method->table[s].components == STAGE_ALL ? 1 : some);
    }
    return sum / method->stages;
}

/* The factor by which the last stages enlarge rounding errors at the end of the interval of
 * stability. */
static double amplification(const struct method *method) {
    double x[ODE_MOST_ARRAYS_] = {1};
    for (int s = (int)int_max(0, method->stages - LAST_STAGES); s < method->stages; s++)
        ecl_apply_stage(&method->table[s], method->arrays, -method->real_limit * x[0], x);
    return fabs(x[0]);
}

/* The rounding errors of a step, in units of the last place: of stages that amplify nothing they
 * are about three for each, in diffusion. */
static double rounding_of(const struct method *method) {
    return fmax(amplification(method), 3.0 * method->stages);
}

/* Whether rounding errors of a member with `stages` stages are small enough; table: room for it. */
static int is_exact(
    const struct method_family *family, int stages, double rounding, struct stage *table) {
    memset(table, 0, (size_t)stages * sizeof *table);
    const struct method method = {.stages = ecl_fill_stages(family, stages, NO_ESTIMATES, table),
        .arrays = ecl_family_arrays(family, NO_ESTIMATES),
        .real_limit = family->real_limit(stages),
        .table = table};
    return amplification(&method) <= rounding;
}

static int next_stages(const struct method_family *family, int stages) {
    return family->next ? family->next(stages) : stages;
}

/* The fewest stages that are stable for a decay in steps of this size, if their rounding errors are
 * at most a tenth of the tolerance, or else the most stages before the first whose are greater. In
 * measurements a tenth of the amplification was left. */
static int count_stages(
    const struct method_family *family, double decay, double rounding, int rung) {
    const double h = ecl_rung(rung);
    int stable = next_stages(family, family->least), best = family->least;
    struct stage *const table = ecl_mem_zeroed((uint64_t)family->most, sizeof *table);
    if (!table) return best;
    while (stable < family->most && family->real_limit(stable) < h * decay)
        stable = next_stages(family, stable + 1);
    if (is_exact(family, stable, rounding, table))
        best = stable;
    else
        for (int s = next_stages(family, family->least);
             s < stable && is_exact(family, s, rounding, table); s = next_stages(family, s + 1))
            best = s;
    ecl_mem_free(table);
    return best;
}

/* -> whether the method is stable. */
static int find_cost(
    const struct outlook *o, const struct method_family *family, struct cost *cost) {
    struct method *method;
    if (ecl_method_create(family, 0, o->estimates, &method, NULL)) return 0;
    const int is_partitioned = ecl_is_partitioned(method);
    const struct taylor end = ecl_taylor(method->table, method->stages);
    const double size = fabs(end.of[method->estimate_order][method->estimate]),
                 decay = o->rates.decay, frequency = o->rates.frequency,
                 swing = method->imaginary_limit;
    const int accurate = accurate_rung(o, size, method->estimate_order),
              stages = count_stages(family, decay, o->rounding, accurate);
    int rung = accurate;
    ecl_mem_free(method);
    if (ecl_method_create(family, stages, o->estimates, &method, NULL)) return 0;
    const double weight = weight_of(method);
    const int evaluations = method->evaluations;
    ecl_mem_free(method);
    /* Estimates of methods with a choice of stages are sized for what decays: in waves, which
     * collect errors, they are too small. */
    if (frequency > 0 && SLOW_DECAY * frequency > decay &&
        (!(swing > 0) || family->least < family->most))
        return 0;
    /* Positions and velocities have no decaying modes: eigenvalues that are no frequencies come in
     * pairs of both signs. */
    if (is_partitioned && !(o->has_positions && frequency > 0)) return 0;
    if (decay > 0 && !is_partitioned)
        rung = (int)int_min(rung, ecl_rung_below(family->real_limit(stages) / decay));
    if (frequency > 0 && swing > 0) rung = (int)int_min(rung, ecl_rung_below(swing / frequency));
    *cost = (struct cost){.family = family,
        .rung = rung,
        .stages = evaluations,
        .work = evaluations / ecl_rung(rung) * weight,
        .is_stability = rung < accurate};
    return 1;
}

/* How fast smooth parts of the state change, where rounding errors change faster: what the error of
 * the last steps says, which is the inverse of accurate_rung, but not less than the means of f over
 * many points, and not more than half way (of the logarithms) from there to the rounding errors. */
static int smooth_change(
    const struct method *m, const struct last_steps *last, int rhs, double means, double all) {
    const int least = ecl_rung_above(means), most = ecl_rung_above(sqrt(means) * sqrt(all));
    if (!(last->h > 0)) return most;
    const struct taylor end = ecl_taylor(m->table, m->stages);
    const int order = m->estimate_order, size = ecl_rung_below(fabs(end.of[order][m->estimate])),
              error = (int)ceil(fmin(fmax(RUNGS * last->error, LEAST_RUNG), MOST_RUNG)),
              sum = error - size - rhs - order * ecl_rung_below(last->h);
    return (int)int_max(least, int_min(most, sum / (order - 1) + (sum % (order - 1) > 0)));
}

/* An atol that is not known is relative to the unknown. */
static int complete_atols(
    const struct system *s, const struct state_source *source, double *atol, eulercl_error *error) {
    const struct tolerance *const t = &s->tolerance;
    const int status =
        ecl_has_open_atols(t) ? ecl_find_greatest(s, source, atol, error) : EULERCL_OK;
    for (int64_t c = 0; c < t->unknowns; c++)
        atol[c] = t->atol[c] > 0 ? t->atol[c] : t->rtol * atol[c];
    return status;
}

static int look(const struct system *system, const struct state_source *source, double t,
    const struct last_steps *last, struct outlook *outlook, eulercl_error *error) {
    struct system s = *system;
    struct sizes sizes;
    int status = EULERCL_OK;
    outlook->has_positions = s.definition->is_position != NULL;
    outlook->estimates = ecl_estimates_of(&s);
    s.tolerance.atol = ecl_mem_zeroed((uint64_t)s.tolerance.unknowns, sizeof(double));
    if (!s.tolerance.atol) status = ecl_no_memory(error, "the tolerances");
    if (!status) status = complete_atols(system, source, s.tolerance.atol, error);
    if (!status) status = ecl_find_sizes(&s, source, t, (double)INFINITY, &sizes, error);
    if (!status) status = ecl_find_rates(&s, source, t, &outlook->rates, error);
    ecl_mem_free(s.tolerance.atol);
    if (status) return status;
    const double unit = s.real_size == sizeof(float) ? 0x1p-24 : 0x1p-53,
                 decay = outlook->rates.decay,
                 rough = last ? rounding_of(s.method) * unit * sizes.y : 0,
                 rhs = fmin(fmax(sizes.rhs, 1e-300), 1e300),
                 change = fmin(fmax(sizes.change / rhs, 1e-300), 1e300),
                 means = fmin(fmax(sizes.mean_change / rhs, 1e-300), 1e300);
    /* Rounding errors that the method has made change f by the square of the decay. */
    const int is_rough = sizes.change < rough * decay * decay;
    outlook->certainty = is_rough && !(last->h > 0) ? 0.9 : 1;
    outlook->rounding = s.tolerance.rtol / unit;
    outlook->rhs = ecl_rung_above(rhs);
    outlook->change = is_rough ? smooth_change(s.method, last, outlook->rhs, means, change)
                               : ecl_rung_above(change);
    return EULERCL_OK;
}

int ecl_choose_method(const struct system *system, const struct state_source *source, double t,
    const struct last_steps *last, struct choice *choice, eulercl_error *error) {
    struct outlook outlook = {0};
    struct cost best = {0}, next = {0};
    double work = 0;
    const int status = look(system, source, t, last, &outlook, error);
    if (status) return status;
    for (size_t i = 0; ecl_methods[i]; i++) {
        struct cost cost;
        if (!ecl_methods[i]->fill_estimate || !find_cost(&outlook, ecl_methods[i], &cost)) continue;
        if (last && cost.family == last->family) work = cost.work;
        if (!best.family || cost.work < best.work) {
            next = best;
            best = cost;
        } else if (!next.family || cost.work < next.work)
            next = cost;
    }
    *choice = (struct choice){.family = best.family,
        .rung = best.rung,
        .evaluations = best.stages,
        .gain = work > 0 ? outlook.certainty * work / best.work : (double)INFINITY};
    /* Where f does not change. */
    if (best.rung > MOST_RUNG / 2) {
        ecl_text(choice->reason, sizeof choice->reason, "at t = %.3g nothing limits the steps", t);
        return EULERCL_OK;
    }
    ecl_text(choice->reason, sizeof choice->reason,
        "at t = %.3g %s allows steps of about %.2g with %d evaluations; %s would take %.1f times "
        "as long",
        t, best.is_stability ? "stability" : "the tolerance", ecl_rung(best.rung), best.stages,
        next.family->name, next.work / best.work);
    return EULERCL_OK;
}

int ecl_choose_first_method(const eulercl_problem *problem, const struct system *system, double t,
    struct choice *choice, eulercl_error *error) {
    struct initial initial = {problem, (enum eulercl_precision)system->real_size};
    const struct state_source source = {&initial, read_initial, NULL};
    eulercl_error why;
    const int status = ecl_choose_method(system, &source, t, NULL, choice, &why);
    if (status != EULERCL_UNSUPPORTED) return status ? ecl_fail_as(error, &why) : EULERCL_OK;
    *choice = (struct choice){.gain = 1};
    ecl_text(choice->reason, sizeof choice->reason,
        "at the start, where the problem has no initial state to choose by");
    return ecl_find_method(without_initial, &choice->family, error);
}
