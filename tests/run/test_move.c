/* SPDX-License-Identifier: BSD-2-Clause */
/* test_move.c - runs begin with baseline code, and move to the fast code of their problem between
 * two steps: with the same bits, whatever fails, and whatever ends while it is compiled. */
#include "config.h"
#include "../support.h"
#include "../../lib/compile/optimized.h"
#include "../../lib/mem.h"
#include "../../lib/problem/problem.h"
#include "../../lib/run/solver.h"
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char folder[64]; /* TMPDIR of the tests that look at it */

static void make_folder(void) {
    strcpy(folder, "/tmp/test_move-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    setenv("TMPDIR", folder, 1);
}

static int count_entries(void) {
    DIR *const names = opendir(folder);
    int count = 0;
    ck_assert_ptr_nonnull(names);
    for (const struct dirent *name; (name = readdir(names));) count += *name->d_name != '.';
    closedir(names);
    return count;
}

static void expect_empty(void) {
    ck_assert_msg(count_entries() == 0, "%d entries are left in TMPDIR", count_entries());
    ck_assert_int_eq(rmdir(folder), 0);
}

/* A source of the tests, or of the examples. */
static const char *path_of(const char *name) {
    static char path[512];
    const char *const sources = getenv("EULERCL_TEST_SOURCES");
    snprintf(path, sizeof path, "%s/%s.c", sources ? sources : "..", name);
    return path;
}

static eulercl_problem *open_text(
    const char *text, const char *path, const eulercl_options *options, int no_cache) {
    eulercl_problem *problem = NULL;
    eulercl_compilation how = {.struct_size = sizeof how,
        .text = text,
        .options = options,
        .no_cache = no_cache,
        .precision = options ? (int)options->precision : 0};
    OK(eulercl_problem_compile(path, &how, &problem, &error));
    ck_assert_int_eq(how.is_baseline, options != NULL);
    return problem;
}

static const char small_text[] = "#define ODE_NAME small\n"
                                 "#define ODE_TITLE \"a rod\"\n"
                                 "#define ODE_GRID 1\n"
                                 "#define ODE_COMPONENTS 1\n"
                                 "#define ODE_NX 40\n"
                                 "#define ODE_BOUNDARY ODE_MIRROR\n"
                                 "#include <eulercl/ode_problem.h>\n"
                                 "ODE_POINT_RHS(DOT(0) = LAPLACE(0) - t * AT(0, 0);)\n"
                                 "ODE_INITIAL(Y0(0) = (double)(ix * (40 - ix));)\n";

static eulercl_options begin_options(void) {
    eulercl_options options;
    eulercl_options_init(&options);
    options.precision = EULERCL_FLOAT;
    options.h = 0.01;
    return options;
}

static eulercl_stats stats_of(const eulercl_solver *solver) {
    eulercl_stats stats = {.struct_size = sizeof stats};
    OK(eulercl_get_stats(solver, &stats, &error));
    return stats;
}

/* ---- bits ---- */

static const char *const sources[] = {"examples/gray_scott", "tests/problems/forced_wave",
    "tests/problems/heat_fields", "tests/problems/species", "examples/heat", "tests/problems/tide",
    "examples/swift_hohenberg", "tests/problems/robin_plate"};
enum { SOURCES = sizeof sources / sizeof *sources, SHORT_SOURCES = 4 };

/* What a run is made of beside its problem. */
struct plan_of_run {
    eulercl_options options;
    double atol;
    int64_t steps;
    int stops_for; /* a snapshot is taken before a part of the steps, and read after it */
    int is_resumed;
};

static int count_call(eulercl_solver *solver, const eulercl_progress *progress, void *user) {
    (void)solver, (void)progress;
    ++*(int *)user;
    return 0;
}

static int calls;

static struct plan_of_run draw(enum eulercl_precision precision) {
    static const char *const methods[] = {"euler", "rk4", "heun2", "rock2", "rkc4", "dp54"};
    struct plan_of_run plan = {.steps = 8 + random_below(40)};
    eulercl_options *const o = &plan.options;
    eulercl_options_init(o);
    o->precision = precision;
    o->h = 1e-5;
    if (random_below(2)) {
        o->rtol = random_below(2) ? 1e-4 : 1e-3;
        if (random_below(2)) o->method = random_below(2) ? "rock2" : "dp54";
        plan.steps += random_below(200);
    } else
        o->method = methods[random_below(6)];
    if (random_below(3) == 0) {
        o->observer = count_call;
        o->observer_user = &calls;
        o->observer_steps = random_below(2) ? 1 + random_below(9) : 0;
    }
    const int64_t place = random_below(6);
    if (place == 0) o->devices = "cpu,cpu";
    if (place == 1 && o->rtol == 0) o->device_memory = 1 << 16;
    o->check_finite = random_below(4) > 0;
    o->flush_below = random_below(3) ? EULERCL_AS_PROBLEM : 1e-3;
    plan.stops_for = (int)random_below(3) == 0;
    plan.is_resumed = !o->devices && !o->device_memory && random_below(4) == 0;
    return plan;
}

/* Make the run; *moved: the steps before its move. -> its status */
static int make_run(const eulercl_problem *problem, const struct plan_of_run *plan, void *y,
    eulercl_clock *clock, int64_t *moved) {
    eulercl_solver *solver = NULL;
    eulercl_snapshot *snapshot = NULL;
    const void *part;
    int64_t count;
    int status = eulercl_solver_create(problem, &plan->options, &solver, &error);
    *moved = 0;
    if (status) return status;
    OK(eulercl_set_initial_state(solver, &error));
    const int64_t first = plan->steps / 2;
    status = eulercl_advance(solver, first, &error);
    clock->struct_size = sizeof *clock;
    OK(eulercl_get_clock(solver, clock, &error));
    if (!status && plan->is_resumed) {
        OK(eulercl_get_state(solver, y, &error));
        *moved = stats_of(solver).moved_steps;
        eulercl_solver_destroy(solver);
        OK(eulercl_solver_create(problem, &plan->options, &solver, &error));
        OK(eulercl_solver_resume(solver, clock, &error));
        OK(eulercl_set_state(solver, y, &error));
    }
    if (!status && plan->stops_for) OK(eulercl_snapshot_create(solver, &snapshot, &error));
    if (snapshot) OK(eulercl_snapshot_take(snapshot, &error));
    if (!status) status = eulercl_advance(solver, plan->steps - first, &error);
    if (snapshot) {
        OK(eulercl_snapshot_next(snapshot, &part, &count, &error)); /* of before the move */
        OK(eulercl_snapshot_take(snapshot, &error));
        OK(eulercl_snapshot_next(snapshot, &part, &count, &error));
        OK(eulercl_get_state(solver, y, &error));
        SAME(part, y, count, (size_t)plan->options.precision, "a snapshot after the move");
    }
    eulercl_snapshot_destroy(snapshot);
    OK(eulercl_get_state(solver, y, &error));
    OK(eulercl_get_clock(solver, clock, &error));
    if (!*moved) *moved = stats_of(solver).moved_steps;
    eulercl_solver_destroy(solver);
    return status;
}

/* A run with a move at a random step ends in the bits, and the clock, of one that waits for the
 * fast code. */
START_TEST(moves_keep_the_bits) {
    const enum eulercl_precision precision =
        (_i + _i / SOURCES) % 2 ? EULERCL_DOUBLE : EULERCL_FLOAT;
    const char *const source = sources[_i % SOURCES];
    const size_t size = (size_t)precision;
    eulercl_options options = begin_options();
    int64_t made = 0;
    options.precision = precision;
    random_start((uint64_t)_i);
    ecl_optimized_force(1);
    eulercl_problem *const problem = open_text(NULL, path_of(source), &options, 0);
    const int64_t n = size_of(problem), count = cases(20, 500) / SHORT_SOURCES;
    void *const a = zeroed(n, size), *const b = zeroed(n, size);
    for (int64_t i = 0; i < count; i++) {
        struct plan_of_run plan = draw(precision);
        eulercl_clock clock, moved_clock;
        eulercl_error why;
        int64_t moved;
        plan.options.no_move = 1;
        ecl_move_force(-1);
        const int status = make_run(problem, &plan, a, &clock, &moved);
        ck_assert_int_eq(moved, 0);
        why = error;
        plan.options.no_move = 0;
        ecl_move_force(1 + random_below(plan.steps / 2 - 1));
        ck_assert_int_eq(make_run(problem, &plan, b, &moved_clock, &moved), status);
        if (status) {
            ck_assert_str_eq(error.message, why.message);
            continue;
        }
        made += moved > 0;
        SAME(a, b, n, size, "%s, case %lld: %s, rtol %g, devices %s, memory %lld", source,
            (long long)i, plan.options.method ? plan.options.method : "chosen", plan.options.rtol,
            plan.options.devices ? plan.options.devices : "-",
            (long long)plan.options.device_memory);
        ck_assert_str_eq(clock.control, moved_clock.control);
        ck_assert_int_eq(clock.steps, moved_clock.steps);
    }
    ck_assert_msg(made > 0, "%s: no run has moved", source);
    eulercl_problem_destroy(problem);
    free(a);
    free(b);
}
END_TEST

/* The first step after which a component is infinite is found, though the move was after it in the
 * same batch of copies. */
START_TEST(failures_are_found_behind_a_move) {
    static const char text[] = "#define ODE_NAME blows\n"
                               "#define ODE_TITLE \"y' = y^2\"\n"
                               "#define ODE_GRID 1\n"
                               "#define ODE_COMPONENTS 1\n"
                               "#define ODE_NX 64\n"
                               "#define ODE_BOUNDARY ODE_MIRROR\n"
                               "#include <eulercl/ode_problem.h>\n"
                               "ODE_POINT_RHS(DOT(0) = AT(0, 0) * AT(0, 0);)\n"
                               "ODE_INITIAL(Y0(0) = 1 + (double)ix;)\n";
    char messages[2][1024];
    eulercl_options options = begin_options();
    ecl_optimized_force(1);
    eulercl_problem *const problem = open_text(text, "blows.c", &options, 0);
    for (int moves = 0; moves < 2; moves++) {
        eulercl_solver *solver;
        options.no_move = !moves;
        ecl_move_force(moves ? 3 : -1);
        OK(eulercl_solver_create(problem, &options, &solver, &error));
        OK(eulercl_set_initial_state(solver, &error));
        EXPECT(EULERCL_NONFINITE, eulercl_advance(solver, 500, &error));
        ck_assert_int_eq(stats_of(solver).moved_steps, moves ? 3 : 0);
        snprintf(messages[moves], sizeof messages[moves], "%s", error.message);
        eulercl_solver_destroy(solver);
    }
    ck_assert_str_eq(messages[0], messages[1]);
    eulercl_problem_destroy(problem);
}
END_TEST

/* ---- who waits ---- */

START_TEST(named_configurations_wait) {
    eulercl_options options = begin_options();
    ecl_optimized_force(1);
    for (int i = 0; i < 7; i++) {
        eulercl_solver *solver;
        eulercl_problem *const problem = open_text(small_text, "small.c", &options, 0);
        eulercl_options wanted = options;
        if (i == 0) wanted.no_move = 1;
        if (i == 1) wanted.backend = "cpu";
        if (i == 2) OK(eulercl_options_set(&wanted, "threads", "1", &error));
        if (i == 3) wanted.plan = "measure";
        if (i == 3) wanted.wisdom = "";
        if (i == 4) wanted.backend = "seq"; /* baseline code has all that it computes with */
        OK(eulercl_solver_create(problem, &wanted, &solver, &error));
        ck_assert_str_eq(stats_of(solver).code, i < 4 ? "" : "baseline");
        OK(eulercl_set_initial_state(solver, &error));
        OK(eulercl_advance(solver, 5, &error));
        ck_assert_int_eq(stats_of(solver).moved_steps, 0);
        eulercl_solver_destroy(solver);
        eulercl_problem_destroy(problem);
    }
}
END_TEST

/* The compiler is asked for the fast code when a run has taken a while, and later solvers of the
 * problem begin with it. */
START_TEST(long_runs_move) {
    eulercl_options options = begin_options();
    eulercl_solver *solver;
    ecl_optimized_force(1);
    eulercl_problem *const problem = open_text(small_text, "small.c", &options, 0);
    OK(eulercl_solver_create(problem, &options, &solver, &error));
    OK(eulercl_set_initial_state(solver, &error));
    int64_t turns = 0;
    while (!stats_of(solver).moved_steps && ++turns < 100000)
        OK(eulercl_advance(solver, 10000, &error));
    const eulercl_stats stats = stats_of(solver);
    ck_assert_msg(stats.moved_steps > 0, "the run has not moved");
    ck_assert_msg(solver->problem->definition != problem->definition, "it has the same code");
    ck_assert_str_eq(stats.code, "");
    ck_assert(stats.moved_kernel_seconds >= 0.1);
    ck_assert(stats.moved_kernel_seconds <= stats.kernel_seconds);
    eulercl_solver_destroy(solver);
    OK(eulercl_solver_create(problem, &options, &solver, &error));
    ck_assert_str_eq(stats_of(solver).code, "");
    eulercl_solver_destroy(solver);
    eulercl_problem_destroy(problem);
}
END_TEST

/* Solvers of one problem whose runs are all short: the compiler is asked for the fast code when
 * they have taken a while together. */
START_TEST(short_runs_move_together) {
    eulercl_options options = begin_options();
    int runs = 0, is_fast = 0;
    ecl_optimized_force(1);
    eulercl_problem *const problem = open_text(small_text, "small.c", &options, 0);
    for (; !is_fast && runs < 1000000; runs++) {
        eulercl_solver *solver;
        OK(eulercl_solver_create(problem, &options, &solver, &error));
        is_fast = !*stats_of(solver).code;
        OK(eulercl_set_initial_state(solver, &error));
        OK(eulercl_advance(solver, 100, &error));
        eulercl_solver_destroy(solver);
    }
    ck_assert_int_gt(runs, 1);
    ck_assert_msg(is_fast, "no run was made with fast code");
    eulercl_problem_destroy(problem);
}
END_TEST

/* Short runs that end before the fast code is there add up, until one waits for it. */
START_TEST(short_runs_add_up) {
    char text[sizeof small_text + 32];
    eulercl_options options = begin_options();
    make_folder();
    setenv("XDG_CACHE_HOME", folder, 1);
    snprintf(text, sizeof text, "%s/* %d */\n", small_text, (int)getpid());
    for (int run = 0; run < 3; run++) {
        eulercl_problem *problem;
        eulercl_compilation how = {
            .struct_size = sizeof how, .text = text, .options = &options, .precision = 4};
        OK(eulercl_problem_compile("small.c", &how, &problem, &error));
        ck_assert_int_eq(how.is_baseline, run < 2);
        if (run < 2) ecl_problem_note_baseline(problem, 0.3);
        eulercl_problem_destroy(problem);
    }
    char line[128];
    snprintf(line, sizeof line, "rm -rf %s", folder);
    ck_assert_int_eq(system(line), 0);
}
END_TEST

/* ---- failures ---- */

/* A compiler that fails for fast code. */
static void use_broken_compiler(void) {
    static char compiler[96];
    snprintf(compiler, sizeof compiler, "%s/cc", folder);
    FILE *const file = fopen(compiler, "w");
    ck_assert_ptr_nonnull(file);
    fprintf(file, "#!/bin/sh\ncase \" $* \" in *' -E '*|*ODE_BASELINE*) exec cc \"$@\";; esac\n"
                  "echo 'error: not today' >&2\nexit 1\n");
    fclose(file);
    chmod(compiler, 0700);
    setenv("CC", compiler, 1);
}

START_TEST(runs_go_on_without_fast_code) {
    eulercl_options options = begin_options();
    eulercl_solver *solver;
    make_folder();
    use_broken_compiler();
    ecl_optimized_force(1);
    ecl_move_force(5);
    eulercl_problem *const problem = open_text(small_text, "small.c", &options, 1);
    OK(eulercl_solver_create(problem, &options, &solver, &error));
    OK(eulercl_set_initial_state(solver, &error));
    OK(eulercl_advance(solver, 20, &error));
    const eulercl_stats stats = stats_of(solver);
    ck_assert_int_eq(stats.steps, 20);
    ck_assert_str_eq(stats.code, "baseline");
    ck_assert_msg(strstr(stats.note, "the run goes on with baseline code: the fast code did not "
                                     "compile"),
        "the note is '%s'", stats.note);
    eulercl_solver_destroy(solver);
    options.backend = "cpu";
    EXPECT_WORDS(EULERCL_COMPILE, "the fast code did not compile",
        eulercl_solver_create(problem, &options, &solver, &error));
    eulercl_problem_destroy(problem);
    char path[96];
    snprintf(path, sizeof path, "%s/cc", folder);
    unlink(path);
    expect_empty();
}
END_TEST

static void write_file(const char *path, const char *text) {
    FILE *const file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    ck_assert_int_ge(fputs(text, file), 0);
    ck_assert_int_eq(fclose(file), 0);
}

/* The file is another one when the fast code is compiled: it is not used, nor kept for the text
 * that it had before; nor is one that includes another file by then. */
START_TEST(changed_files_give_no_fast_code) {
    eulercl_options options = begin_options();
    char path[96], part[96], text[sizeof small_text + 200];
    double f[2][40] = {{0}};
    eulercl_solver *solver;
    make_folder();
    setenv("XDG_CACHE_HOME", folder, 1);
    options.precision = EULERCL_DOUBLE;
    snprintf(path, sizeof path, "%s/small.c", folder);
    snprintf(part, sizeof part, "%s/part.h", folder);
    snprintf(text, sizeof text, "#include \"%s\"\n%s", part, small_text);
    char *const factor = strstr(text, "DOT(0) = ");
    memmove(factor + 16, factor + 9, strlen(factor + 9) + 1);
    memcpy(factor + 9, "FACTOR*", 7);
    for (int turn = 0; turn < 2; turn++) {
        write_file(part, "#define FACTOR 3\n");
        write_file(path, text);
        options.no_move = 0;
        eulercl_problem *const problem = open_text(NULL, path, &options, 0);
        ecl_move_force(2);
        options.no_move = turn; /* the second one has fast code */
        OK(eulercl_solver_create(problem, &options, &solver, &error));
        OK(eulercl_set_initial_state(solver, &error));
        if (!turn) {
            if (_i)
                write_file(part, "#define FACTOR 5\n");
            else
                write_file(path, small_text);
            OK(eulercl_advance(solver, 5, &error));
            ck_assert_str_eq(stats_of(solver).code, "baseline");
            ck_assert_ptr_nonnull(strstr(stats_of(solver).note, "has changed since"));
        }
        double y[40];
        for (int i = 0; i < 40; i++) y[i] = i * i;
        OK(eulercl_evaluate(solver, 0, y, f[turn], &error));
        eulercl_solver_destroy(solver);
        eulercl_problem_destroy(problem);
    }
    ck_assert_double_eq(f[0][3], 6);
    SAME(f[0], f[1], 40, sizeof(double), "the text that the file had at first");
    char line[128];
    snprintf(line, sizeof line, "rm -rf %s", folder);
    ck_assert_int_eq(system(line), 0);
}
END_TEST

/* Each allocation of a move fails once: then the run goes on as it was. */
START_TEST(moves_without_memory_change_nothing) {
    eulercl_options options = begin_options();
    float expected[40], y[40];
    int moved = 0;
    ecl_optimized_force(1);
    ecl_move_force(5);
    options.rtol = _i ? 1e-3 : 0;
    options.flush_below = 1e-6;
    options.method = "rock2";
    options.devices = _i ? NULL : "cpu,cpu";
    eulercl_problem *const problem = open_text(small_text, "small.c", &options, 0);
    ecl_problem_want_fast(problem);
    for (int i = -1; !moved; i++) {
        eulercl_solver *solver;
        const long live = ecl_mem_live();
        OK(eulercl_solver_create(problem, &options, &solver, &error));
        OK(eulercl_set_initial_state(solver, &error));
        OK(eulercl_advance(solver, 5, &error));
        if (i >= 0) ecl_mem_fail(i, 0);
        ecl_move_consider(solver);
        ecl_mem_fail(-1, 0);
        moved = i >= 0 && stats_of(solver).moved_steps > 0;
        ck_assert(i < 0 || moved || strstr(stats_of(solver).note, "goes on with baseline code"));
        OK(eulercl_advance(solver, 30, &error));
        OK(eulercl_get_state(solver, i < 0 ? expected : y, &error));
        if (i >= 0) SAME(expected, y, 40, sizeof *y, "allocation %d of a move fails", i);
        eulercl_solver_destroy(solver);
        ck_assert(i < 1 || ecl_mem_live() == live); /* the first one has loaded the fast code */
        ck_assert_int_lt(i, 100);
    }
    eulercl_problem_destroy(problem);
}
END_TEST

/* ---- what ends while the compiler runs ---- */

/* A compiler that takes its time for fast code. */
static void use_slow_compiler(void) {
    use_broken_compiler();
    FILE *const file = fopen(getenv("CC"), "w");
    fprintf(file, "#!/bin/sh\ncase \" $* \" in *' -E '*|*ODE_BASELINE*) exec cc \"$@\";; esac\n"
                  "sleep 600\n");
    fclose(file);
}

static void forget_compiler(void) {
    unlink(getenv("CC"));
    expect_empty();
}

static eulercl_problem *begin_to_compile(void) {
    eulercl_options options = begin_options();
    ecl_optimized_force(1);
    eulercl_problem *const problem = open_text(small_text, "small.c", &options, 1);
    ecl_problem_want_fast(problem);
    usleep(200000);
    return problem;
}

static void expect_no_children(void) {
    const pid_t child = waitpid(-1, NULL, WNOHANG);
    ck_assert_msg(child < 0 && errno == ECHILD, "a compiler is left");
}

START_TEST(problems_end_while_it_compiles) {
    make_folder();
    use_slow_compiler();
    const double start = ecl_now();
    eulercl_problem *const problem = begin_to_compile();
    eulercl_problem_destroy(problem);
    ck_assert(ecl_now() - start < 60);
    expect_no_children();
    forget_compiler();
}
END_TEST

START_TEST(programs_end_while_it_compiles) {
    int result;
    make_folder();
    use_slow_compiler();
    const pid_t program = fork();
    if (program == 0) {
        static eulercl_problem *kept;
        kept = begin_to_compile();
        exit(kept == NULL); /* without a word to the library */
    }
    ck_assert_int_eq(waitpid(program, &result, 0), program);
    ck_assert_int_eq(result, 0);
    forget_compiler();
}
END_TEST

/* A child has the problem, but no thread that compiles. */
START_TEST(children_go_on_with_baseline_code) {
    eulercl_options options = begin_options();
    int result;
    make_folder();
    use_slow_compiler();
    eulercl_problem *const problem = begin_to_compile();
    const int before = count_entries();
    const pid_t child = fork();
    if (child == 0) {
        eulercl_solver *solver;
        int status = eulercl_solver_create(problem, &options, &solver, NULL);
        if (!status) status = eulercl_set_initial_state(solver, NULL);
        if (!status) status = eulercl_advance(solver, 100, NULL);
        eulercl_solver_destroy(solver);
        eulercl_problem_destroy(problem);
        exit(status);
    }
    ck_assert_int_eq(waitpid(child, &result, 0), child);
    ck_assert_int_eq(result, 0);
    ck_assert_int_eq(count_entries(), before); /* the folder is the parent's */
    eulercl_problem_destroy(problem);
    expect_no_children();
    forget_compiler();
}
END_TEST

static void add(TCase *tests) {
    tcase_set_timeout(tests, 600);
    /* Each needs a compiler for some seconds. */
    ADD_LOOP(moves_keep_the_bits, test_level() == QUICK_TESTS ? SHORT_SOURCES : 2 * SOURCES);
    ADD(failures_are_found_behind_a_move);
    ADD(named_configurations_wait);
    ADD(long_runs_move);
    ADD(short_runs_move_together);
    ADD(short_runs_add_up);
    ADD(runs_go_on_without_fast_code);
    ADD_LOOP(changed_files_give_no_fast_code, 2);
    ADD_LOOP(moves_without_memory_change_nothing, 2);
    ADD(problems_end_while_it_compiles);
    ADD(programs_end_while_it_compiles);
    ADD(children_go_on_with_baseline_code);
}

int main(void) { return run_tests("move", add); }
