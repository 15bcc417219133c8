/* bench/runs.c - times the runs that standard input lists, all in one process, and prints a table of comma-separated values.
 *
 * A line names a run by words key=value; what is missing has the library's default:
 *   problem size precision backend variant device threads workgroup_size workgroups dia_blocks honeycomb_steps distribution storage uncached
 *   steps (or seconds: about how long one repetition takes, 0.05), series (copied into the table)
 * An empty line or one that begins with # is skipped. Each run: a warm-up, then the best of five.
 */
#include "common.h"

enum { LINE = 1024, WORDS = 32 };

static const char *word(char *const *words, size_t count, const char *key) {
    const size_t length = strlen(key);
    for (size_t i = 0; i < count; i++)
        if (!strncmp(words[i], key, length) && words[i][length] == '=') return words[i] + length + 1;
    return NULL;
}

static uint64_t number(char *const *words, size_t count, const char *key, uint64_t missing) {
    const char *value = word(words, count, key);
    return value ? (uint64_t)strtod(value, NULL) : missing;
}

static int64_t choose_steps(eulercl_solver *solver, double seconds) {
    const int64_t per_launch = (int64_t)stats_of(solver).steps_per_launch;
    must(eulercl_advance(solver, 2 * per_launch, &error));         /* the first launch may still compile */
    int64_t steps = 2 * per_launch;
    for (;;) {
        const double before = stats_of(solver).kernel_seconds;
        must(eulercl_advance(solver, steps, &error));
        const double took = stats_of(solver).kernel_seconds - before;
        if (took > seconds / 4) {
            const int64_t launches = (int64_t)(seconds / took * (double)(steps / per_launch));
            return (launches ? launches : 1) * per_launch;
        }
        steps *= took > seconds / 64 ? 2 : 8;
    }
}

static void run(char *const *words, size_t count) {
    eulercl_options o;
    eulercl_options_init(&o);
    const char *precision = word(words, count, "precision"), *series = word(words, count, "series"), *name = word(words, count, "problem");
    const char *seconds_wanted = word(words, count, "seconds");
    o.precision = precision && !strcmp(precision, "double") ? EULERCL_DOUBLE : EULERCL_FLOAT;
    o.backend = word(words, count, "backend");
    o.variant = word(words, count, "variant");
    o.device = word(words, count, "device");
    o.distribution = word(words, count, "distribution");
    o.storage = word(words, count, "storage");
    o.threads = (uint32_t)number(words, count, "threads", 0);
    o.workgroup_size = number(words, count, "workgroup_size", 0);
    o.workgroups = number(words, count, "workgroups", 0);
    o.dia_blocks = number(words, count, "dia_blocks", 0);
    o.honeycomb_steps = (int64_t)number(words, count, "honeycomb_steps", UINT64_MAX);
    o.uncached = (int)number(words, count, "uncached", 0);
    o.h = 1e-9;
    eulercl_problem *problem;
    eulercl_solver *solver;
    must(eulercl_problem_open(name ? name : "string", &problem, &error));
    must(eulercl_problem_set_size(problem, (int64_t)number(words, count, "size", 80000), &error));
    const int status = eulercl_solver_create(problem, &o, &solver, &error);
    if (status) {
        fprintf(stderr, "%s: %s\n", o.backend ? o.backend : "auto", error.message);
        eulercl_problem_destroy(problem);
        return;
    }
    must(eulercl_set_initial_state(solver, &error));
    const int64_t steps = (int64_t)number(words, count, "steps", 0), timed = steps ? steps : choose_steps(solver, seconds_wanted ? atof(seconds_wanted) : 0.05);
    const eulercl_stats before = stats_of(solver);
    const double seconds = best_seconds(solver, timed);
    const eulercl_stats s = stats_of(solver);
    for (const char *c = s.device; *c; c++) putchar(*c == ',' ? ' ' : *c);
    printf(",%s,%s,%lld,%s,%s,%s,%s,%s,%llu,%llu,%llu,%llu,%llu,%llu,%llu,%llu,%lld,%.4g,%.4g,%.4g\n", series ? series : "", name ? name : "string", (long long)s.n,
           o.precision == EULERCL_FLOAT ? "float" : "double", s.backend, s.variant, s.storage, s.distribution, (unsigned long long)s.threads,
           (unsigned long long)s.workgroup_size, (unsigned long long)s.workgroups, (unsigned long long)s.tiles, (unsigned long long)s.dia_blocks,
           (unsigned long long)s.block_size, (unsigned long long)s.steps_per_launch, (unsigned long long)s.local_bytes, (long long)timed,
           seconds / (double)timed * 1e6, (double)s.n * (double)timed / seconds * 1e-9,
           (double)(s.global_bytes - before.global_bytes) / ((double)s.n * (double)(s.steps - before.steps)));
    fflush(stdout);
    eulercl_solver_destroy(solver);
    eulercl_problem_destroy(problem);
}

int main(void) {
    char line[LINE];
    printf("device,series,problem,n,precision,backend,variant,storage,distribution,threads,workgroup_size,workgroups,tiles,dia_blocks,block_size,"
           "steps_per_launch,local_bytes,steps,us_per_step,gcs_per_s,global_bytes_per_component_step\n");
    while (fgets(line, sizeof line, stdin)) {
        char *words[WORDS];
        size_t count = 0;
        for (char *w = strtok(line, " \t\n"); w && count < WORDS; w = strtok(NULL, " \t\n")) words[count++] = w;
        if (count && *words[0] != '#') run(words, count);
    }
    return 0;
}
