/* SPDX-License-Identifier: BSD-2-Clause */
/* ceilings.c - the limits of the CPU, measured: each thread copies its share of a large array,
 * and computes in registers. */
#include "config.h"
#include "../plan/ceilings.h"
#include "../mem.h"
#include "cores.h"
#include "engine.h"
#include <math.h>
#include <string.h>
#include <unistd.h>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

/* ---- operations: 12 chains, so that none waits for its own result, and no register is written to
 * memory ---- */

enum { CHAINS = 12, ROUNDS = 1 << 20 };
#define ALL(DO) DO(0) DO(1) DO(2) DO(3) DO(4) DO(5) DO(6) DO(7) DO(8) DO(9) DO(10) DO(11)
#define BEGIN(k) v##k = STEP_SET(b_ + k), /* equal chains would be computed once */
#define STEP(k) v##k = STEP_FMA(v##k, a, b);
#define ADD(k) sum = sum + v##k;
/* The function also returns the sum, because the compiler could drop an unused result. */
#define CHAINS_OF(NAME, TARGET, VECTOR)                        \
    TARGET static void NAME(double a_, double b_, void *out) { \
        const VECTOR a = STEP_SET(a_), b = STEP_SET(b_);       \
        VECTOR ALL(BEGIN) sum = b;                             \
        for (int round = 0; round < ROUNDS; round++) {         \
            ALL(STEP)                                          \
        }                                                      \
        ALL(ADD)                                               \
        memcpy(out, &sum, sizeof sum);                         \
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

enum { VECTOR_BYTES = 64 };
struct chains {
    void (*run)(double a, double b, void *out);
    int lanes;
};

static struct chains choose_chains(enum eulercl_precision precision) {
    const int is_float = precision == EULERCL_FLOAT;
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f"))
        return is_float ? (struct chains){float_avx512, 16} : (struct chains){double_avx512, 8};
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return is_float ? (struct chains){float_avx2, 8} : (struct chains){double_avx2, 4};
#endif
    return is_float ? (struct chains){float_plain, 1} : (struct chains){double_plain, 1};
}

/* ---- threads: the measured sections begin and end at a barrier of all ---- */

struct machine {
    pthread_mutex_t gate; /* held until all threads run, or one could not be created */
    int cancelled;
    pthread_barrier_t barrier;
    struct chains chains;
    int64_t threads;
    char *arrays[2];
    size_t bytes;                     /* bytes of each array */
    double copy_seconds, fma_seconds; /* best; the first thread's */
};

struct ceiling_member {
    struct machine *machine;
    pthread_t thread;
    int64_t index;
    unsigned char out[VECTOR_BYTES];
};

static void copy_share(struct ceiling_member *member) {
    const struct machine *m = member->machine;
    const size_t share = m->bytes / (size_t)m->threads;
    memcpy(m->arrays[1] + (size_t)member->index * share,
        m->arrays[0] + (size_t)member->index * share, share);
}

static void run_chains(struct ceiling_member *member) {
    member->machine->chains.run(0.5, 1, member->out);
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

static void measure(struct ceiling_member *member) {
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
    if (!cancelled) measure(member);
    return NULL;
}

/* members[0] is the caller. */
static int run_members(struct machine *m, struct ceiling_member *members,
    const eulercl_options *options, eulercl_error *error) {
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
    if (!status) measure(&members[0]);
    if (pinned) ecl_cores_unpin_caller(&before);
    for (int64_t i = 1; i < running; i++) pthread_join(members[i].thread, NULL);
    return status;
}

int ecl_cpu_ceilings(const eulercl_options *options, int64_t threads, eulercl_ceilings *ceilings,
    eulercl_error *error) {
    struct machine m = {.threads = threads, .chains = choose_chains(options->precision)};
    const long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    const uint64_t physical = pages > 0 && page > 0 ? (uint64_t)pages * (uint64_t)page : UINT64_MAX;
    m.bytes = (size_t)(physical / 8 < ecl_ceiling_bytes ? physical / 8 : ecl_ceiling_bytes);
    void *both;
    struct ceiling_member *members = ecl_mem_zeroed((uint64_t)m.threads, sizeof *members);
    if (!members)
        return ecl_fail(error, EULERCL_MEMORY, "no memory for %lld threads", (long long)m.threads);
    int status =
        ecl_mem_state(2 * (uint64_t)m.bytes, "a copy that measures the bandwidth", &both, error);
    if (status) {
        ecl_mem_free(members);
        return status;
    }
    m.arrays[0] = both;
    m.arrays[1] = m.arrays[0] + m.bytes;
    pthread_mutex_init(&m.gate, NULL);
    if (pthread_barrier_init(&m.barrier, NULL, (unsigned)m.threads))
        status = ecl_no_memory(error, "a barrier");
    if (!status) {
        status = run_members(&m, members, options, error);
        pthread_barrier_destroy(&m.barrier);
    }
    pthread_mutex_destroy(&m.gate);
    ecl_mem_free(both);
    ecl_mem_free(members);
    if (status) return status;
    ceilings->precision = options->precision;
    ecl_cpu_name(ceilings->device, sizeof ceilings->device);
    ceilings->copy_bytes_per_second =
        2 * (double)(m.bytes / (size_t)m.threads * (size_t)m.threads) / m.copy_seconds;
    ceilings->fma_per_second = (double)m.threads * CHAINS * ROUNDS * m.chains.lanes / m.fma_seconds;
    return EULERCL_OK;
}
