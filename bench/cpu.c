/* bench/cpu.c - the CPU backends against what they must beat, all in one run: one call of eval_comp per component (the thesis's
 * style), and a hand-written fused loop, both compiled with the flags of the library.
 *
 * Prints comma-separated values. Usage: bench/cpu [THREADS]    (default 2; pin one-thread rows with taskset if the machine is shared)
 */
#include <eulercl/eulercl.h>
#include <eulercl/ode_problem.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { REPEATS = 5 };

static eulercl_error error;

static void must(int status) {
    if (!status) return;
    fprintf(stderr, "%s: %s\n%s", eulercl_status_name(error.code), error.message, error.log);
    exit(error.code);
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static eulercl_problem *open_problem(const char *name, const char *parameter, double value) {
    eulercl_problem *problem;
    must(eulercl_problem_open(name, &problem, &error));
    must(eulercl_problem_set(problem, parameter, value, &error));
    return problem;
}

static eulercl_solver *open_solver(const eulercl_problem *problem, const eulercl_options *options) {
    eulercl_solver *solver;
    must(eulercl_solver_create(problem, options, &solver, &error));
    must(eulercl_set_initial_state(solver, &error));
    return solver;
}

static eulercl_stats stats_of(const eulercl_solver *solver) {
    eulercl_stats stats = {.struct_size = sizeof stats};
    must(eulercl_get_stats(solver, &stats, &error));
    return stats;
}

/* Seconds of `steps` steps, the best of five, after a warm-up of `steps` steps. */
static double best_seconds(eulercl_solver *solver, int64_t steps) {
    double best = 1e300;
    for (int repeat = -1; repeat < REPEATS; repeat++) {
        const double before = stats_of(solver).kernel_seconds;
        must(eulercl_advance(solver, steps, &error));
        const double seconds = stats_of(solver).kernel_seconds - before;
        if (repeat >= 0 && seconds < best) best = seconds;
    }
    return best;
}

/* STRING as the thesis writes its right-hand side (fig. 5.6), to be called through a pointer. */
static float thesis_string(const struct ode_context *context, ode_index i, float t, const float *y) {
    const float K2 = ((const float *)context->constants)[0];
    (void)t;
    if (i % 2 == 0) return y[i + 1];
    return K2 * fmaf(-2, y[i - 1], (i > 1 ? y[i - 3] : 0) + (i + 1 < context->n ? y[i + 1] : 0));
}

/* volatile: the compiler must not look through the pointer */
static float (*volatile eval_comp)(const struct ode_context *, ode_index, float, const float *) = thesis_string;

static void call_step(const struct ode_context *context, float *restrict out, const float *restrict in, float h) {
    float (*f)(const struct ode_context *, ode_index, float, const float *) = eval_comp;
    for (ode_index i = 0; i < context->n; i++) out[i] = fmaf(h, f(context, i, 0, in), in[i]);
}

/* The loop a careful user would write, for the same instruction sets as the library's. */
#if defined(__x86_64__)
#define BY_HAND(NAME, TARGET) __attribute__((target(TARGET))) static void NAME
#else
#define BY_HAND(NAME, TARGET) static void NAME
#endif
#define BY_HAND_BODY                                                                                                  \
    (const struct ode_context *context, float *restrict out, const float *restrict in, float h) {                     \
        const float K2 = ((const float *)context->constants)[0];                                                      \
        const ode_index n = context->n;                                                                               \
        for (ode_index i = 2; i < n - 2; i += 2) {                                                                    \
            out[i] = __builtin_fmaf(h, in[i + 1], in[i]);                                                             \
            out[i + 1] = __builtin_fmaf(h, K2 * __builtin_fmaf(-2, in[i], in[i - 2] + in[i + 2]), in[i + 1]);         \
        }                                                                                                             \
        out[0] = __builtin_fmaf(h, in[1], in[0]);                                                                     \
        out[1] = __builtin_fmaf(h, K2 * __builtin_fmaf(-2, in[0], 0 + in[2]), in[1]);                                 \
        out[n - 2] = __builtin_fmaf(h, in[n - 1], in[n - 2]);                                                         \
        out[n - 1] = __builtin_fmaf(h, K2 * __builtin_fmaf(-2, in[n - 2], in[n - 4] + 0), in[n - 1]);                 \
    }
BY_HAND(hand_step_avx2, "avx2,fma,bmi,bmi2") BY_HAND_BODY
BY_HAND(hand_step_avx512, "avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx2,fma,bmi,bmi2") BY_HAND_BODY

typedef void step_function(const struct ode_context *, float *, const float *, float);

static step_function *hand_step(void) {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl")) return hand_step_avx512;
#endif
    return hand_step_avx2;
}

static double time_loop(step_function *step, const struct ode_context *context, float *a, float *b, int64_t steps) {
    double best = 1e300;
    for (int repeat = -1; repeat < REPEATS; repeat++) {
        const double start = now();
        for (int64_t s = 0; s < steps; s++) {
            step(context, b, a, 1e-6f);
            float *swap = a;
            a = b;
            b = swap;
        }
        const double seconds = now() - start;
        if (repeat >= 0 && seconds < best) best = seconds;
    }
    return best;
}

static void row(const char *problem, const char *reals, int64_t n, const char *what, int64_t steps, double seconds, double baseline) {
    printf("%s,%s,%lld,%s,%lld,%.4g,%.4g\n", problem, reals, (long long)n, what, (long long)steps, (double)n * (double)steps / seconds * 1e-9,
           baseline * (double)steps / seconds);
    fflush(stdout);
}

int main(int argc, char **argv) {
    static const struct { const char *problem, *parameter; double value; } cases[] = {
        {"string", "points", 10000}, {"string", "points", 40000}, {"string", "points", 2e6}, {"string", "points", 5e7},
        {"bruss2d", "m", 100}, {"bruss2d", "m", 500}, {"bruss2d", "m", 2000}, {"bruss2d", "m", 5000},
    };
    const unsigned threads = argc > 1 ? (unsigned)atoi(argv[1]) : 2;
    puts("problem,precision,n,what,steps,gcs_per_s,ratio_to_seq");
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        for (int precision = EULERCL_FLOAT; precision <= EULERCL_DOUBLE; precision += EULERCL_DOUBLE - EULERCL_FLOAT) {
            const char *reals = precision == EULERCL_FLOAT ? "float" : "double";
            eulercl_problem *problem = open_problem(cases[c].problem, cases[c].parameter, cases[c].value);
            eulercl_problem_info info = {.struct_size = sizeof info};
            must(eulercl_problem_get_info(problem, &info, &error));
            const int64_t n = info.n, steps = 4e8 / (double)n < 4 ? 4 : (int64_t)(4e8 / (double)n), few = steps / 8 < 2 ? 2 : steps / 8;
            eulercl_options options;
            eulercl_options_init(&options);
            options.precision = (enum eulercl_precision)precision;
            options.h = 1e-6;
            double seq = 0;
            for (int b = 0; b < 2; b++) {
                options.backend = b ? "pthreads" : "seq";
                options.variant = b ? "barrier" : NULL;
                options.threads = b ? threads : 0;
                eulercl_solver *solver = open_solver(problem, &options);
                const double seconds = best_seconds(solver, steps);
                if (!b) seq = seconds / (double)steps;
                char what[32];
                snprintf(what, sizeof what, b ? "pthreads %u threads" : "seq", threads);
                row(info.name, reals, n, what, steps, seconds, seq);
                eulercl_solver_destroy(solver);
            }
            if (!strcmp(info.name, "string") && precision == EULERCL_FLOAT) {
                float *state = aligned_alloc(64, (size_t)(2 * n) * sizeof *state / 64 * 64 + 128);
                const float constants[1] = {25};
                const struct ode_context context = {.n = n, .nx = n / 2, .ny = 1, .constants = constants};
                if (!state) return EULERCL_MEMORY;
                float *other = state + n / 16 * 16 + 16;
                must(eulercl_problem_initial(problem, EULERCL_FLOAT, 0, n, state, &error));
                row(info.name, reals, n, "hand-written loop", steps, time_loop(hand_step(), &context, state, other, steps), seq);
                row(info.name, reals, n, "call per component", few, time_loop(call_step, &context, state, other, few), seq);
                free(state);
            }
            eulercl_problem_destroy(problem);
        }
    return EULERCL_OK;
}
