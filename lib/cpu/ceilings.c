/* SPDX-License-Identifier: BSD-2-Clause */
/* ceilings.c - the limits of the CPU, measured: each thread copies its share of a large array,
 * and computes in registers. And what all cores reach at the same time. */
#include "config.h"
#include "../plan/ceilings.h"
#include "../machine/machine.h"
#include "../mem.h"
#include "cores.h"
#include "engine.h"
#include <math.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

/* ---- operations: 12 chains, so that none waits for its own result, and no register is written to
 * memory but at the end of a block ---- */

enum { CHAINS = 12, ROUNDS = 1 << 20, VECTOR_BYTES = 64, BLOCK_BYTES = CHAINS * VECTOR_BYTES };

/* A pass over memory: each vector of `in` takes part in so many operations, and goes to `out`. */
struct pass {
    const char *in;
    char *out;
    size_t bytes; /* a multiple of BLOCK_BYTES */
    int rounds;
};
#define ALL(DO) DO(0) DO(1) DO(2) DO(3) DO(4) DO(5) DO(6) DO(7) DO(8) DO(9) DO(10) DO(11)
#define DECLARE(k) v##k,
#define LOAD(k) memcpy(&v##k, p->in + at + (k) * sizeof v##k, sizeof v##k);
#define STEP(k) v##k = STEP_FMA(v##k, a, b);
#define STORE(k) memcpy(p->out + at + (k) * sizeof v##k, &v##k, sizeof v##k);
#define CHAINS_OF(NAME, TARGET, VECTOR)                                     \
    TARGET static void NAME(double a_, double b_, const struct pass *p) {   \
        const VECTOR a = STEP_SET(a_), b = STEP_SET(b_);                    \
        for (size_t at = 0; at < p->bytes; at += CHAINS * sizeof(VECTOR)) { \
            VECTOR ALL(DECLARE) unused = b;                                 \
            (void)unused;                                                   \
            ALL(LOAD)                                                       \
            for (int round = 0; round < p->rounds; round++) {               \
                ALL(STEP)                                                   \
            }                                                               \
            ALL(STORE)                                                      \
        }                                                                   \
    }
#define STEP_SET(x) (float)(x)
#define STEP_FMA __builtin_fmaf
CHAINS_OF(float_plain, , float)
#undef STEP_SET
#undef STEP_FMA
#define STEP_SET(x) (x)
#define STEP_FMA __builtin_fma
CHAINS_OF(double_plain, , double)
#undef STEP_SET
#undef STEP_FMA
#if defined(__x86_64__)
#define AVX2 __attribute__((target("avx2,fma")))
#define AVX512 __attribute__((target("avx512f")))
#define STEP_SET(x) _mm256_set1_ps((float)(x))
#define STEP_FMA _mm256_fmadd_ps
CHAINS_OF(float_avx2, AVX2, __m256)
#undef STEP_SET
#undef STEP_FMA
#define STEP_SET _mm256_set1_pd
#define STEP_FMA _mm256_fmadd_pd
CHAINS_OF(double_avx2, AVX2, __m256d)
#undef STEP_SET
#undef STEP_FMA
#define STEP_SET(x) _mm512_set1_ps((float)(x))
#define STEP_FMA _mm512_fmadd_ps
CHAINS_OF(float_avx512, AVX512, __m512)
#undef STEP_SET
#undef STEP_FMA
#define STEP_SET _mm512_set1_pd
#define STEP_FMA _mm512_fmadd_pd
CHAINS_OF(double_avx512, AVX512, __m512d)
#undef STEP_SET
#undef STEP_FMA
#endif

struct chains {
    void (*run)(double a, double b, const struct pass *pass);
    int lanes, bytes; /* of a vector */
};

static struct chains choose_chains(enum eulercl_precision precision) {
    const int is_float = precision == EULERCL_FLOAT;
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f"))
        return is_float ? (struct chains){float_avx512, 16, 64}
                        : (struct chains){double_avx512, 8, 64};
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return is_float ? (struct chains){float_avx2, 8, 32} : (struct chains){double_avx2, 4, 32};
#endif
    return is_float ? (struct chains){float_plain, 1, 4} : (struct chains){double_plain, 1, 8};
}

/* ---- threads: the measured sections begin and end at a barrier of all ---- */

struct machine {
    pthread_mutex_t gate; /* held until all threads run, or one could not be created */
    int cancelled;
    pthread_barrier_t barrier;
    struct chains chains;
    struct ceiling_member *members;
    int64_t threads;
    void (*measure)(struct ceiling_member *member);
    char *arrays[2];
    size_t bytes;                     /* bytes of each array */
    double copy_seconds, fma_seconds; /* best; the first thread's */
    int64_t passes;                   /* rates: over the memory of a section */
    struct core_rates rates;
};

struct ceiling_member {
    struct machine *machine;
    pthread_t thread;
    int64_t index;
    double seconds; /* rates: that it computed in a section */
    char block[BLOCK_BYTES];
};

static void copy_share(struct ceiling_member *member) {
    const struct machine *m = member->machine;
    const size_t share = m->bytes / (size_t)m->threads;
    memcpy(m->arrays[1] + (size_t)member->index * share,
        m->arrays[0] + (size_t)member->index * share, share);
}

static void run_chains(struct ceiling_member *member) {
    const struct chains *const chains = &member->machine->chains;
    const struct pass pass = {.in = member->block,
        .out = member->block,
        .bytes = (size_t)CHAINS * (size_t)chains->bytes,
        .rounds = ROUNDS};
    chains->run(0.5, 1, &pass);
}

/* All threads run at the same time; the best of some repetitions after a warm-up counts. */
static double time_section(
    struct ceiling_member *member, void (*section)(struct ceiling_member *)) {
    double best = (double)INFINITY;
    for (int repeat = -1; repeat < ecl_ceiling_repeats; repeat++) {
        pthread_barrier_wait(&member->machine->barrier);
        const double start = ecl_now();
        section(member);
        pthread_barrier_wait(&member->machine->barrier);
        if (repeat >= 0) best = fmin(best, ecl_now() - start);
    }
    return best;
}

static void measure_ceilings(struct ceiling_member *member) {
    const double copy = time_section(member, copy_share),
                 fma_seconds = time_section(member, run_chains);
    if (member->index) return;
    member->machine->copy_seconds = copy;
    member->machine->fma_seconds = fma_seconds;
}

static void *member_main(void *argument) {
    struct ceiling_member *member = argument;
    pthread_mutex_lock(&member->machine->gate);
    const int cancelled = member->machine->cancelled;
    pthread_mutex_unlock(&member->machine->gate);
    if (!cancelled) member->machine->measure(member);
    return NULL;
}

/* members[0] is the caller. */
static int start_members(struct machine *m, const eulercl_options *options, eulercl_error *error) {
    struct ceiling_member *const members = m->members;
    const struct cores cores = ecl_cores();
    int status = EULERCL_OK;
    int64_t running = 1;
    pthread_mutex_lock(&m->gate);
    for (int64_t i = 0; i < m->threads; i++) {
        members[i].machine = m;
        members[i].index = i;
    }
    for (; !status && running < m->threads; running++) {
        if (pthread_create(&members[running].thread, NULL, member_main, &members[running])) {
            status = ecl_fail(error, EULERCL_MEMORY, "cannot create thread %lld of %lld",
                (long long)running + 1, (long long)m->threads);
            break;
        }
        if (ecl_cores_to_pin(options, m->threads))
            status = ecl_cores_pin(&cores, members[running].thread, running, error);
    }
    struct cores before;
    const int pinned = !status && ecl_cores_to_pin(options, m->threads);
    if (pinned) status = ecl_cores_pin_caller(&before, error);
    m->cancelled = status != EULERCL_OK;
    pthread_mutex_unlock(&m->gate);
    if (!status) m->measure(&members[0]);
    if (pinned) ecl_cores_unpin_caller(&before);
    for (int64_t i = 1; i < running; i++) pthread_join(members[i].thread, NULL);
    return status;
}

/* Measure with so many bytes of each of the two arrays. */
static int run_members(struct machine *m, const eulercl_options *options, eulercl_error *error) {
    void *both;
    m->members = ecl_mem_zeroed((uint64_t)m->threads, sizeof *m->members);
    if (!m->members)
        return ecl_fail(error, EULERCL_MEMORY, "no memory for %lld threads", (long long)m->threads);
    int status =
        ecl_mem_state(2 * (uint64_t)m->bytes, "a copy that measures the bandwidth", &both, error);
    if (status) {
        ecl_mem_free(m->members);
        return status;
    }
    m->arrays[0] = both;
    m->arrays[1] = m->arrays[0] + m->bytes;
    pthread_mutex_init(&m->gate, NULL);
    if (pthread_barrier_init(&m->barrier, NULL, (unsigned)m->threads))
        status = ecl_no_memory(error, "a barrier");
    if (!status) {
        status = start_members(m, options, error);
        pthread_barrier_destroy(&m->barrier);
    }
    pthread_mutex_destroy(&m->gate);
    ecl_mem_free(both);
    ecl_mem_free(m->members);
    return status;
}

int ecl_cpu_ceilings(const eulercl_options *options, int64_t threads, eulercl_ceilings *ceilings,
    eulercl_error *error) {
    struct machine m = {.threads = threads,
        .chains = choose_chains(options->precision),
        .measure = measure_ceilings};
    const long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    const uint64_t physical = pages > 0 && page > 0 ? (uint64_t)pages * (uint64_t)page : UINT64_MAX;
    m.bytes = (size_t)(physical / 8 < ecl_ceiling_bytes ? physical / 8 : ecl_ceiling_bytes);
    const int status = run_members(&m, options, error);
    if (status) return status;
    ceilings->precision = options->precision;
    ecl_cpu_name(ceilings->device, sizeof ceilings->device);
    ceilings->copy_bytes_per_second =
        2 * (double)(m.bytes / (size_t)m.threads * (size_t)m.threads) / m.copy_seconds;
    ceilings->fma_per_second = (double)m.threads * CHAINS * ROUNDS * m.chains.lanes / m.fma_seconds;
    return EULERCL_OK;
}

/* ---- rates: of all threads at once. Each thread counts the time that it computes, so that other
 * programs, which take its core for a while, do not count. ---- */

enum {
    RATE_ROUNDS = 4,      /* about as many operations as a sweep makes with what it loads */
    RATE_REPEATS = 3,     /* of which the best counts */
    MOST_PASSES = 1 << 16 /* in a section */
};
/* Of one thread, at least. Threads leave a barrier up to 0.1 ms after each other, and two that
 * share a core hinder each other only while both compute. */
static const double section_seconds = 2e-3;
static const size_t most_rate_bytes = (size_t)1 << 27; /* of all threads */

static double own_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double run_passes(struct machine *m, const struct pass *pass) {
    const double start = own_seconds();
    for (int64_t i = 0; i < m->passes; i++) m->chains.run(0.5, 1, pass);
    return own_seconds() - start;
}

/* -> seconds of a section of passes, as the mean of all threads. The first thread's result counts.
 */
static double time_passes(struct ceiling_member *member, const struct pass *pass) {
    struct machine *const m = member->machine;
    double best = (double)INFINITY;
    for (int repeat = 0; repeat < RATE_REPEATS; repeat++) {
        pthread_barrier_wait(&m->barrier);
        member->seconds = run_passes(m, pass);
        pthread_barrier_wait(&m->barrier);
        double sum = 0;
        for (int64_t i = 0; i < m->threads; i++) sum += m->members[i].seconds;
        best = fmin(best, sum / (double)m->threads);
    }
    return best;
}

/* The operations of a thread among all in a nanosecond. */
static double measure_rate(struct ceiling_member *member, const struct pass *pass) {
    struct machine *const m = member->machine;
    pthread_barrier_wait(&m->barrier); /* nobody uses `passes` any more */
    if (!member->index)
        for (m->passes = 1; m->passes < MOST_PASSES; m->passes *= 2)
            if (run_passes(m, pass) >= section_seconds) break;
    const double seconds = time_passes(member, pass);
    return 1e-9 * (double)m->passes * (double)(pass->bytes / sizeof(float)) * pass->rounds /
           seconds;
}

static void measure_rates(struct ceiling_member *member) {
    struct machine *const m = member->machine;
    const size_t share = m->bytes / (size_t)m->threads;
    char *const in = m->arrays[0] + (size_t)member->index * share, *const out =
                                                                       m->arrays[1] +
                                                                       (size_t)member->index *
                                                                           share;
    const size_t second = (size_t)(machine_core.full_part * (double)ecl_cache_bytes());
    struct pass pass = {.in = in, .out = in, .rounds = RATE_ROUNDS};
    pass.bytes =
        (size_t)(machine_core.shared_part * MACHINE_FIRST_CACHE) / BLOCK_BYTES * BLOCK_BYTES;
    const double compute = measure_rate(member, &pass) / machine_core.compute_per_ns;
    pass.bytes = (second < share ? second : share) / BLOCK_BYTES * BLOCK_BYTES;
    const double cache = measure_rate(member, &pass) / machine_core.cache_per_ns;
    pass = (struct pass){
        .in = in, .out = out, .bytes = share / BLOCK_BYTES * BLOCK_BYTES, .rounds = 1};
    pthread_barrier_wait(&m->barrier);
    if (!member->index) m->passes = 1;
    const double seconds = time_passes(member, &pass);
    if (member->index) return;
    m->rates = (struct core_rates){.cores = m->threads,
        .compute = compute,
        .cache = cache,
        .memory = 1e-9 * 2 * (double)pass.bytes * (double)m->threads / seconds /
                  (machine_core.memory_bytes_per_ns *
                      fmin((double)m->threads, machine_core.cores_that_fill_memory))};
}

int ecl_cpu_rates(struct core_rates *rates, eulercl_error *error) {
    eulercl_options options;
    eulercl_options_init(&options);
    struct machine m = {.threads = ecl_cores().count,
        .chains = choose_chains(EULERCL_FLOAT),
        .measure = measure_rates};
    /* Both arrays of a thread are more than its cache, if all of them are not too much. */
    const size_t most = most_rate_bytes / 2, all = (size_t)m.threads * (size_t)ecl_cache_bytes();
    m.bytes = all < most ? all : most;
    const int status = run_members(&m, &options, error);
    if (!status) *rates = m.rates;
    return status;
}
