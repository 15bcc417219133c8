/* cpu/pthreads.c - persistent threads, each with its own range of components, and a barrier per step (thesis of 2012, sec. 4.2). */
#include "config.h"
#include "state.h"
#include "cores.h"
#include "../mem.h"
#include <math.h>
#include <stdatomic.h>

struct worker {
    struct team *team;
    pthread_t thread;
    int64_t begin, end;
};

struct team {
    struct cpu_state state;            /* first: cpu/state.c finds it there */
    const struct system *system;
    int64_t threads, running;          /* asked for, the caller's own included; started by us */
    struct worker *workers;            /* workers[0] is the caller */
    /* a job, handed out and given back under the lock */
    pthread_mutex_t lock;
    pthread_cond_t changed;
    long job;
    int stop;
    int64_t finished;                  /* threads of ours that have left the job */
    struct stretch stretch;
    atomic_long arrived;               /* all arrivals so far: barrier number b is passed at b * threads */
};

/* Wait for all threads, for the b-th time. Spins, since the wait is usually shorter than a sleep; yields, since there may be more threads than cores. */
static void barrier(struct team *team, long b) {
    const long all = b * team->threads;
    atomic_fetch_add_explicit(&team->arrived, 1, memory_order_acq_rel);
    int spins = 0;
    while (atomic_load_explicit(&team->arrived, memory_order_acquire) < all) {
        if (spins < 2000) spins++;
        else sched_yield();
    }
}

/* One thread's share of a job. Each keeps its own pointers and swaps them: nothing shared is written but the state itself. */
static void work(const struct worker *worker) {
    struct team *team = worker->team;
    const struct stretch *stretch = &team->stretch;
    struct cpu_state state = team->state;
    for (int64_t s = 0; s < stretch->steps; s++) {
        if (worker->begin < worker->end)
            eulercl_cpu_step_range(team->system, &state, worker->begin, worker->end, eulercl_step_time(stretch, s), stretch->h);
        eulercl_cpu_swap(&state);
        barrier(team, (long)s + 1);
    }
}

static void *thread_main(void *argument) {
    const struct worker *worker = argument;
    struct team *team = worker->team;
    for (long seen = 0;;) {
        pthread_mutex_lock(&team->lock);
        while (team->job == seen && !team->stop) pthread_cond_wait(&team->changed, &team->lock);
        seen = team->job;
        const int stop = team->stop;
        pthread_mutex_unlock(&team->lock);
        if (stop) return NULL;
        work(worker);
        pthread_mutex_lock(&team->lock);
        team->finished++;
        pthread_cond_broadcast(&team->changed);
        pthread_mutex_unlock(&team->lock);
    }
}

static void destroy(struct run *run) {
    struct team *team = run->impl;
    pthread_mutex_lock(&team->lock);
    team->stop = 1;
    pthread_cond_broadcast(&team->changed);
    pthread_mutex_unlock(&team->lock);
    for (int64_t i = 1; i <= team->running; i++) pthread_join(team->workers[i].thread, NULL);
    pthread_cond_destroy(&team->changed);
    pthread_mutex_destroy(&team->lock);
    eulercl_cpu_state_destroy(&team->state);
    eulercl_mem_free(team->workers);
    eulercl_mem_free(team);
}

static int create(struct run *run, eulercl_error *error) {
    const struct cores cores = eulercl_cores();
    const int64_t threads = run->options.threads ? run->options.threads : cores.count;
    struct team *team = eulercl_mem_zeroed(1, sizeof *team);
    if (!team) return eulercl_fail(error, EULERCL_MEMORY, "no memory for a solver");
    pthread_mutex_init(&team->lock, NULL);
    pthread_cond_init(&team->changed, NULL);
    run->impl = team;
    team->system = &run->system;
    team->threads = threads;
    int status = eulercl_cpu_state_create(run, &team->state, error);
    if (!status && !(team->workers = eulercl_mem_zeroed((uint64_t)threads, sizeof *team->workers)))
        status = eulercl_fail(error, EULERCL_MEMORY, "no memory for %lld threads", (long long)threads);
    /* Ranges of whole grid points and cache lines. */
    const int64_t unit = (int64_t)run->system.definition->components * 16, units = run->system.n / unit + (run->system.n % unit != 0);
    for (int64_t i = 0; !status && i < threads; i++) {
        struct worker *worker = &team->workers[i];
        const int64_t share = units / threads, rest = units % threads;
        const int64_t first = i * share + (i < rest ? i : rest), last = first + share + (i < rest);
        worker->team = team;
        worker->begin = first * unit;
        worker->end = last >= units ? run->system.n : last * unit;
        if (i && pthread_create(&worker->thread, NULL, thread_main, worker))
            status = eulercl_fail(error, EULERCL_MEMORY, "the system does not start thread %lld of %lld", (long long)i + 1, (long long)threads);
        else team->running = i;
        if (!status && i && run->options.pin_threads) status = eulercl_cores_pin(&cores, worker->thread, i, error);
    }
    if (status) {
        destroy(run);
        return status;
    }
    run->threads = (uint64_t)threads;
    return EULERCL_OK;
}

static int step(struct run *run, const struct stretch *stretch, double *seconds, eulercl_error *error) {
    struct team *team = run->impl;
    struct cores before;
    const int status = run->options.pin_threads ? eulercl_cores_pin_caller(&before, error) : EULERCL_OK;
    if (status) return status;
    const double start = eulercl_now();
    pthread_mutex_lock(&team->lock);
    team->stretch = *stretch;
    atomic_store_explicit(&team->arrived, 0, memory_order_relaxed);
    team->finished = 0;
    team->job++;
    pthread_cond_broadcast(&team->changed);
    pthread_mutex_unlock(&team->lock);
    work(&team->workers[0]);
    *seconds = eulercl_now() - start;
    pthread_mutex_lock(&team->lock);
    while (team->finished < team->running) pthread_cond_wait(&team->changed, &team->lock);
    pthread_mutex_unlock(&team->lock);
    if (run->options.pin_threads) eulercl_cores_unpin_caller(&before);
    if (stretch->steps % 2) eulercl_cpu_swap(&team->state);
    run->launches += (uint64_t)stretch->steps;
    return EULERCL_OK;
}

/* Below this many components a barrier per step costs more than a second thread brings: on a machine with other work a thread waits for its core. */
enum { THREADS_PAY_FROM = 200000 };
static const double barrier_seconds = 2e-6;

static int propose(const struct run *run, const eulercl_device_info *device, struct proposal *proposals, int most) {
    (void)device;
    const double cores = (double)eulercl_cores().count, threads = run->options.threads ? fmin(run->options.threads, cores) : cores;
    const struct proposal p = {.options = run->options,
                               .step_seconds = barrier_seconds + eulercl_cpu_step_seconds(&run->system, run->system.n < THREADS_PAY_FROM ? 1 : threads)};
    return eulercl_propose(proposals, 0, most, &p);
}

const struct backend eulercl_backend_pthreads = {
    .create = create, .destroy = destroy, .write = eulercl_cpu_write, .read = eulercl_cpu_read,
    .step = step, .find_nonfinite = eulercl_cpu_find_nonfinite, .monitor = eulercl_cpu_monitor,
    .propose = propose, .heeds = TUNING_BIT(threads) | TUNING_BIT(pin_threads),
};
