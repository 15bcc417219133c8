/* SPDX-License-Identifier: BSD-2-Clause */
/* functions_errors.c - the largest errors of the functions of ode_math.h, in units of the last
 * place: of one argument for all floats and so many random doubles, of two for so many pairs in
 * double and a tenth of them in float. `make bench-functions-errors` runs it on all processors.
 *
 * The C library's function of the next wider type judges first. MPFR judges what comes near the
 * largest error so far, so each number printed is MPFR's (0 if all are below 0.25). It needs MPFR
 * and long double of 80 bits.
 */
#define _GNU_SOURCE
#include "../tests/problem/functions.h"
#include <float.h>
#include <mpfr.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { BLOCK = 1024, CHUNK = 1 << 18 };
/* What the wider functions may be wrong by. */
static const double margin_f32 = 1e-6, margin_f64 = 5e-3;

typedef void compute_f32(const float *, const float *, float *, double *);
typedef void compute_f64(const double *, const double *, double *, long double *);
#define CALL1(function, x, y) function(x)
#define CALL2(function, x, y) function(x, y)
#define COMPUTE(name, S, REAL, WIDE, CALL, wider)                                       \
    static void name##_##S(const REAL *x, const REAL *y, REAL *z, WIDE *guess) {        \
        (void)y;                                                                        \
        for (int k = 0; k < BLOCK; k++) z[k] = CALL(ode_math_##name##_##S, x[k], y[k]); \
        for (int k = 0; k < BLOCK; k++) guess[k] = CALL(wider, (WIDE)x[k], (WIDE)y[k]); \
    }
#define FUNCTION(name, CALL, MPFR_CALL)                          \
    COMPUTE(name, f32, float, double, CALL, name)                \
    COMPUTE(name, f64, double, long double, CALL, name##l)       \
    static void mpfr_##name##_of(mpfr_t z, mpfr_t x, mpfr_t y) { \
        (void)y;                                                 \
        MPFR_CALL;                                               \
    }
#define mpfr_fmin mpfr_min
#define mpfr_fmax mpfr_max
#define ONE(name, ulp32, ulp64) FUNCTION(name, CALL1, mpfr_##name(z, x, MPFR_RNDN))
#define TWO(name, ulp32, ulp64) FUNCTION(name, CALL2, mpfr_##name(z, x, y, MPFR_RNDN))
MATH_FUNCTIONS(ONE, TWO)
#undef ONE
#undef TWO
static const struct function {
    const char *name;
    compute_f32 *f32;
    compute_f64 *f64;
    void (*exact)(mpfr_t z, mpfr_t x, mpfr_t y);
    double ulp32, ulp64;
    int arguments;
} functions[] = {
#define ONE(name, ulp32, ulp64) {#name, name##_f32, name##_f64, mpfr_##name##_of, ulp32, ulp64, 1},
#define TWO(name, ulp32, ulp64) {#name, name##_f32, name##_f64, mpfr_##name##_of, ulp32, ulp64, 2},
    MATH_FUNCTIONS(ONE, TWO)};
enum { FUNCTIONS = sizeof functions / sizeof *functions };

static long double power_of_two(int n) {
    union {
        struct {
            uint64_t fraction;
            uint16_t exponent;
        } parts;
        long double number;
    } u = {.number = 0};
    u.parts.fraction = (uint64_t)1 << 63;
    u.parts.exponent = (uint16_t)(n + 16383);
    return u.number;
}
static int exponent_of(long double x) {
    union {
        long double number;
        struct {
            uint64_t fraction;
            uint16_t exponent;
        } parts;
    } u = {.number = x};
    return (u.parts.exponent & 0x7fff) - 16383;
}
/* The error of a result, as in test_functions.c: infinity counts as the next number of a larger
 * format, and NaN or a wrong sign as infinitely wrong. */
static double error_of(double got, long double exact, int bits, int least, int most) {
    if (exact != exact || got != got) return exact != exact && got != got ? 0 : (double)INFINITY;
    if (!signbit(got) != !signbit(exact)) return (double)INFINITY;
    const long double beyond = power_of_two(most + 1), size = fminl(fabsl(exact), beyond);
    const long double value = fminl(fabsl((long double)got), beyond);
    int exponent = exponent_of(size);
    if (exponent < least) exponent = least;
    if (exponent > most) exponent = most;
    return (double)(fabsl(value - size) * power_of_two(bits - 1 - exponent));
}
/* The same for float, without long double. */
static double quick_error(float got, double exact) {
    if (exact != exact || got != got) return exact != exact && got != got ? 0 : (double)INFINITY;
    if (!signbit(got) != !signbit(exact)) return (double)INFINITY;
    const double size = fmin(fabs(exact), 0x1p128), value = fmin(fabs((double)got), 0x1p128);
    int64_t exponent = (ode_math_bits_f64(size) >> 52) - 1023;
    exponent = exponent < -126 ? -126 : exponent > 127 ? 127 : exponent;
    return fabs(value - size) * ode_math_real_f64((23 - exponent + 1023) << 52);
}

struct job {
    const struct function *function;
    int is_double;
    uint64_t count, every; /* of numbers, and of floats */
    atomic_ullong next, exact_calls;
    pthread_mutex_t lock;
    double worst, x, y;
    atomic_uint_least64_t worst_bits;
};

/* MPFR's error. Special values, which it takes otherwise than C11 does, are test_functions's. */
static double exact_error(struct job *job, double x, double y, double got) {
    mpfr_t a, b, z;
    mpfr_inits2(120, a, b, z, (mpfr_ptr)NULL);
    mpfr_set_d(a, x, MPFR_RNDN);
    mpfr_set_d(b, y, MPFR_RNDN);
    job->function->exact(z, a, b);
    const long double exact = mpfr_get_ld(z, MPFR_RNDN);
    mpfr_clears(a, b, z, (mpfr_ptr)NULL);
    atomic_fetch_add(&job->exact_calls, 1);
    return job->is_double ? error_of(got, exact, 53, -1022, 1023)
                          : error_of(got, exact, 24, -126, 127);
}
static double worst_of(struct job *job) {
    return ode_math_real_f64((int64_t)atomic_load(&job->worst_bits));
}
static void judge(struct job *job, double guess, double x, double y, double got) {
    if (guess < 0.25 || guess <= worst_of(job) - (job->is_double ? margin_f64 : margin_f32)) return;
    const double wrong = exact_error(job, x, y, got);
    pthread_mutex_lock(&job->lock);
    if (wrong > job->worst) {
        job->worst = wrong, job->x = x, job->y = y;
        atomic_store(&job->worst_bits, (uint64_t)ode_math_bits_f64(wrong));
    }
    pthread_mutex_unlock(&job->lock);
}
static void *work(void *given) {
    struct job *const job = given;
    const struct function *const f = job->function;
    const int is_pow = f->exact == mpfr_pow_of;
    for (;;) {
        /* In another order: of neighbouring floats many may have the same error, and MPFR would
         * judge them all while it is the largest one. */
        const uint64_t chunks = (job->count + CHUNK - 1) / CHUNK,
                       turn = atomic_fetch_add(&job->next, 1);
        if (turn >= chunks) return NULL;
        const uint64_t chunk = chunks % 10007 ? turn * 10007 % chunks : turn, first = chunk * CHUNK;
        uint64_t state = (chunk + 1) * 0x9e3779b97f4a7c15u;
        for (uint64_t block = first; block < first + CHUNK && block < job->count; block += BLOCK) {
            static _Thread_local union {
                float f32[BLOCK];
                double f64[BLOCK];
            } x, y, z;
            static _Thread_local union {
                double f64[BLOCK];
                long double f80[BLOCK];
            } guess;
            for (int k = 0; k < BLOCK; k++) {
                const int64_t number = (int64_t)(block + (uint64_t)k);
                if (!job->is_double && f->arguments == 1) {
                    /* Behind the last one they begin again. */
                    x.f32[k] =
                        ode_math_real_f32((int32_t)(uint32_t)((uint64_t)number * job->every));
                    y.f32[k] = 0;
                    continue;
                }
                double a = math_test_argument(&state, number, job->is_double), b = 0;
                if (!job->is_double) a = (double)(float)a;
                if (f->arguments == 2) b = math_second_argument(a, &state, number / 8, is_pow);
                if (is_pow && number % 2) a = fabs(a);
                if (job->is_double)
                    x.f64[k] = a, y.f64[k] = b;
                else
                    x.f32[k] = (float)a, y.f32[k] = (float)b;
            }
            if (job->is_double) {
                f->f64(x.f64, y.f64, z.f64, guess.f80);
                for (int k = 0; k < BLOCK; k++)
                    judge(job, error_of(z.f64[k], guess.f80[k], 53, -1022, 1023), x.f64[k],
                        y.f64[k], z.f64[k]);
            } else {
                f->f32(x.f32, y.f32, z.f32, guess.f64);
                for (int k = 0; k < BLOCK; k++)
                    judge(job, quick_error(z.f32[k], guess.f64[k]), (double)x.f32[k],
                        (double)y.f32[k], (double)z.f32[k]);
            }
        }
    }
}
static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
static int run(const struct function *f, int is_double, uint64_t count, uint64_t every) {
    enum { MOST = 256 };
    struct job job = {.function = f,
        .is_double = is_double,
        .count = count,
        .every = every,
        .lock = PTHREAD_MUTEX_INITIALIZER};
    pthread_t threads[MOST];
    const double start = now();
    long processors = sysconf(_SC_NPROCESSORS_ONLN), started = 0;
    if (getenv("THREADS")) processors = atol(getenv("THREADS"));
    while (started < processors && started < MOST &&
           !pthread_create(&threads[started], NULL, work, &job))
        started++;
    if (!started) return perror("functions_errors"), 1;
    while (started) pthread_join(threads[--started], NULL);
    const double bound = is_double ? f->ulp64 : f->ulp32;
    printf("| `%s` | %s | %.4g | %.4f | %a%s", f->name, is_double ? "double" : "float",
        (double)count, job.worst, job.x, f->arguments == 2 ? ", " : "");
    if (f->arguments == 2) printf("%a", job.y);
    printf(" | %llu | %.1f |%s\n", (unsigned long long)atomic_load(&job.exact_calls), now() - start,
        job.worst > bound ? " BEYOND THE BOUND" : "");
    fflush(stdout);
    return job.worst > bound;
}
int main(int argc, char **argv) {
    if (argc < 3)
        return fprintf(stderr, "usage: functions_errors EVERY_FLOAT DOUBLES [FUNCTION...]\n"), 2;
    const uint64_t every = strtoull(argv[1], NULL, 10), doubles = (uint64_t)atof(argv[2]);
    int failed = 0;
    printf("| function | precision | numbers | largest error | of | MPFR's calls | s |\n"
           "|---|---|---|---|---|---|---|\n");
    for (int k = 0; k < FUNCTIONS; k++) {
        const struct function *const f = &functions[k];
        int chosen = argc == 3;
        for (int i = 3; i < argc; i++) chosen |= strcmp(argv[i], f->name) == 0;
        if (!chosen) continue;
        if (every)
            failed |=
                run(f, 0, f->arguments == 1 ? ((uint64_t)1 << 32) / every : doubles / 10, every);
        if (doubles) failed |= run(f, 1, doubles, 1);
    }
    return failed;
}
