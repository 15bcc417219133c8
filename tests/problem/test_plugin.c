/* SPDX-License-Identifier: BSD-2-Clause */
/* test_plugin.c - problems from outside: plug-ins, structs that are wrong, structs made by hand,
 * and texts that do not compile. */
#include "config.h"
#include "../support.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define COUNT(table) ((int)(sizeof(table) / sizeof *(table)))

static const char *environment(const char *name, const char *otherwise) {
    const char *value = getenv(name);
    return value && *value ? value : otherwise;
}

/* A folder of this test's own, removed with what the test wrote there. */
static char folder[64];
static void folder_make(void) {
    snprintf(folder, sizeof folder, "plugin-test-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
}
static void folder_remove(void) {
    char command[100];
    snprintf(command, sizeof command, "rm -rf ./%s", folder);
    ck_assert_int_eq(system(command), 0);
}

/* Compile C text or a file of the source tree into folder/name.so, as a user would. 0: there is no
 * compiler that does. */
static int compile(
    const char *flags, const char *source, const char *name, char *path, size_t size) {
    char command[2000];
    snprintf(path, size, "./%s/%s.so", folder, name);
    snprintf(command, sizeof command, "%s -shared -fPIC %s %s/%s -o %s 2>%s/log",
        environment("EULERCL_TEST_CC", "cc -Iinclude"), flags,
        environment("EULERCL_TEST_SOURCES", "."), source, path, folder);
    if (!system(command)) return 1;
    fprintf(stderr, "skipped: no compiler for %s %s\n", flags, source);
    return 0;
}

static void solve(const eulercl_problem *problem, const struct way *way,
    enum eulercl_precision precision, int64_t steps, void *y) {
    eulercl_options options;
    options_for(&options, way, precision);
    options.h = 0.01;
    options.t0 = 0.3;
    OK(eulercl_problem_initial(problem, precision, 0, size_of(problem), y, &error));
    OK(eulercl_solve(problem, &options, steps, y, NULL, &error));
}

/* ---- plug-ins ---- */

/* The ways to run what a file describes: each backend once, since its variants read the same text
 * and have tests of their own. */
static size_t get_backends(struct way *ways) {
    const size_t all = get_line_ways(ways, MAX_WAYS, have_opencl());
    size_t count = 0;
    for (size_t w = 0; w < all; w++)
        if (!count || strcmp(ways[w].backend, ways[count - 1].backend)) ways[count++] = ways[w];
    return count;
}

/* The plug-in's results are those of the same file linked into the program. */
static void expect_same_results(
    const char *path, const struct ode_problem *linked, const struct way *ways, size_t way_count) {
    eulercl_problem *a, *b;
    OK(eulercl_problem_create(linked, &a, &error));
    OK(eulercl_problem_open(path, &b, &error));
    eulercl_problem_info x = {.struct_size = sizeof x}, z = x;
    OK(eulercl_problem_get_info(a, &x, &error));
    OK(eulercl_problem_get_info(b, &z, &error));
    ck_assert_str_eq(x.name, z.name);
    ck_assert(x.n == z.n && x.access_distance == z.access_distance &&
              x.parameters == z.parameters && x.bits_guaranteed == z.bits_guaranteed);
    for (size_t w = 0; w < way_count; w++)
        for (int p = 4; p <= 8; p += 4) {
            if (ways[w].is_opencl && test_level() < ALL_TESTS &&
                (p != ((w + strlen(x.name)) % 2 ? 4 : 8) ||
                    (test_level() == QUICK_TESTS && (w + strlen(x.name)) / 2 % 2)))
                continue; /* the cases take turns, since compilers are slow */
            void *expected = zeroed(x.n, (size_t)p), *y = zeroed(x.n, (size_t)p);
            solve(a, &ways[w], (enum eulercl_precision)p, 25, expected);
            solve(b, &ways[w], (enum eulercl_precision)p, 25, y);
            SAME(y, expected, x.n, (size_t)p, "%s as a plug-in, %s", x.name, ways[w].backend);
            free(expected);
            free(y);
        }
    eulercl_problem_destroy(a);
    eulercl_problem_destroy(b);
}

static const struct {
    const char *name;
    const struct ode_problem *linked;
} modules[] = {
    {"forced_wave", &test_problem_forced_wave},
    {"string_thesis4", &test_problem_string_thesis4},
    {"heat_fields", &test_problem_heat_fields},
};

START_TEST(modules_give_the_same) {
    char path[4000];
    struct way ways[MAX_WAYS];
    const size_t way_count = get_backends(ways);
    snprintf(path, sizeof path, "%s/%s.so", environment("EULERCL_TEST_PLUGINS", "tests/.libs"),
        modules[_i].name);
    if (access(path, R_OK)) {
        fprintf(stderr, "skipped: no %s (built without shared libraries?)\n", path);
        return;
    }
    expect_same_results(path, modules[_i].linked, ways, way_count);
}
END_TEST

START_TEST(users_compile_the_same) {
    char path[200];
    struct way ways[MAX_WAYS];
    const size_t way_count = get_backends(ways);
    folder_make();
    if (compile("-O3 -ffp-contract=off", "tests/problems/rough.c", "rough", path, sizeof path))
        expect_same_results(path, &test_problem_rough, ways, way_count);
    if (compile(
            "-O0 -ffp-contract=off", "tests/problems/position.c", "position", path, sizeof path))
        expect_same_results(path, &test_problem_position, ways, way_count);
    folder_remove();
}
END_TEST

/* A problem must not be compiled with contraction: where the processor has the instruction, it is
 * refused, in words. */
START_TEST(contraction_is_refused) {
    char path[200];
    folder_make();
    if (compile(
            "-O2 -ffp-contract=fast", "tests/problems/rough.c", "contracting", path, sizeof path)) {
        eulercl_problem *problem, *linked;
        eulercl_options options;
        const struct way seq = {"seq", NULL, 0};
        OK(eulercl_problem_open(path, &problem, &error));
        OK(eulercl_problem_create(&test_problem_rough, &linked, &error));
        for (int p = 4; p <= 8; p += 4) {
            eulercl_solver *solver = NULL;
            options_for(&options, &seq, (enum eulercl_precision)p);
            const int status = eulercl_solver_create(problem, &options, &solver, &error);
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
            if (__builtin_cpu_supports("fma") && __builtin_cpu_supports("avx2"))
                ck_assert_int_eq(status, EULERCL_UNSUPPORTED);
#endif
            if (status) {
                EXPECT_WORDS(EULERCL_UNSUPPORTED, "-ffp-contract=off", status);
                ck_assert_ptr_null(solver);
            } else {
                char y[100 * sizeof(double)], expected[100 * sizeof(double)];
                eulercl_solver_destroy(solver);
                solve(problem, &seq, (enum eulercl_precision)p, 20, y);
                solve(linked, &seq, (enum eulercl_precision)p, 20, expected);
                SAME(y, expected, size_of(linked), (size_t)p,
                    "compiled with contraction, and accepted");
            }
        }
        eulercl_problem_destroy(problem);
        eulercl_problem_destroy(linked);
    }
    folder_remove();
}
END_TEST

/* The code of a plug-in stays as long as a solver needs it, and goes afterwards. */
static int is_loaded(const char *path) {
    char real[4096], line[5000];
    ck_assert_ptr_nonnull(realpath(path, real));
    FILE *maps = fopen("/proc/self/maps", "r");
    if (!maps) return -1;
    int found = 0;
    while (fgets(line, sizeof line, maps)) found |= strstr(line, real) != NULL;
    fclose(maps);
    return found;
}

START_TEST(solvers_keep_plugins) {
    char path[200];
    double y[50], expected[50];
    const struct way seq = {"seq", NULL, 0};
    folder_make();
    if (compile("-O2 -ffp-contract=off", "tests/problems/rod_clamp.c", "rod", path, sizeof path)) {
        eulercl_problem *first, *second;
        eulercl_solver *one, *two;
        eulercl_options options;
        options_for(&options, &seq, EULERCL_DOUBLE);
        OK(eulercl_problem_open(path, &first, &error));
        OK(eulercl_problem_open(path, &second, &error));
        solve(first, &seq, EULERCL_DOUBLE, 9, expected);
        options.h = 0.01;
        options.t0 = 0.3;
        OK(eulercl_solver_create(first, &options, &one, &error));
        OK(eulercl_solver_create(second, &options, &two, &error));
        eulercl_problem_destroy(first);
        eulercl_problem_destroy(second);
        eulercl_solver_destroy(one);
        if (is_loaded(path) >= 0) ck_assert_int_eq(is_loaded(path), 1);
        OK(eulercl_set_initial_state(two, &error));
        OK(eulercl_advance(two, 9, &error));
        OK(eulercl_get_state(two, y, &error));
        SAME(y, expected, 21, sizeof *y, "after the problem's end");
        eulercl_solver_destroy(two);
        if (is_loaded(path) >= 0) ck_assert_int_eq(is_loaded(path), 0);
        /* A solver that does not come about keeps nothing. */
        OK(eulercl_problem_open(path, &first, &error));
        options.backend = "none";
        EXPECT(EULERCL_INVALID, eulercl_solver_create(first, &options, &one, &error));
        options.backend = "cl-linear";
        options.device = "no such device";
        EXPECT(EULERCL_NO_DEVICE, eulercl_solver_create(first, &options, &one, &error));
        eulercl_problem_destroy(first);
        if (is_loaded(path) >= 0) ck_assert_int_eq(is_loaded(path), 0);
    }
    folder_remove();
}
END_TEST

/* Files for the loader, and its messages. */
static const char no_symbol[] = "int something_else;\n";
static const char old_abi[] = "#include <eulercl/ode_problem.h>\nconst struct ode_problem "
                              "ode_problem = {.abi = 77, .struct_size = sizeof ode_problem};\n";
static const char short_struct[] = "#include <eulercl/ode_problem.h>\nconst struct ode_problem "
                                   "ode_problem = {.abi = ODE_PROBLEM_ABI, .struct_size = 8};\n";
static const char broken_struct[] =
    "#include <eulercl/ode_problem.h>\nconst struct ode_problem ode_problem = {.abi = "
    "ODE_PROBLEM_ABI, .struct_size = sizeof ode_problem};\n";
static const char needs_more[] =
    "extern int eulercl_test_nowhere(void); int (*ode_problem)(void) = eulercl_test_nowhere;\n";
static const struct {
    const char *name, *text;
    int compile, status;
    const char *words;
} files[] = {
    {"missing", NULL, 0, EULERCL_FILE, "missing.so"},
    {"text", "this is no library\n", 0, EULERCL_FILE, "text.so"},
    {"empty", "", 0, EULERCL_FILE, "empty.so"},
    {"no_symbol", no_symbol, 1, EULERCL_FILE, "ode_problem"},
    {"old_abi", old_abi, 1, EULERCL_FILE, "ABI 77"},
    {"short_struct", short_struct, 1, EULERCL_FILE, "8 bytes"},
    {"broken_struct", broken_struct, 1, EULERCL_INVALID, "no name"},
    {"needs_more", needs_more, 1, EULERCL_FILE, "needs_more.so"},
};

START_TEST(bad_files_are_refused) {
    char path[200], source[300], from_here[2000];
    folder_make();
    snprintf(path, sizeof path, "./%s/%s.so", folder, files[_i].name);
    if (files[_i].text) {
        snprintf(source, sizeof source, "%s/%s.%s", folder, files[_i].name,
            files[_i].compile ? "c" : "so");
        FILE *file = fopen(source, "w");
        ck_assert_ptr_nonnull(file);
        fputs(files[_i].text, file);
        fclose(file);
        if (files[_i].compile) {
            snprintf(from_here, sizeof from_here, "%s -shared -fPIC %s -o %s 2>%s/log",
                environment("EULERCL_TEST_CC", "cc -Iinclude"), source, path, folder);
            if (system(from_here)) {
                fprintf(stderr, "skipped: no compiler\n");
                folder_remove();
                return;
            }
        }
    }
    eulercl_problem *problem = NULL;
    EXPECT_WORDS(files[_i].status, files[_i].words, eulercl_problem_open(path, &problem, &error));
    ck_assert_ptr_null(problem);
    ck_assert_ptr_null(strchr(error.message, '\n'));
    ck_assert_int_eq(eulercl_problem_open(path, &problem, NULL), files[_i].status);
    if (files[_i].text && is_loaded(path) >= 0) ck_assert_int_eq(is_loaded(path), 0);
    folder_remove();
}
END_TEST

/* A plug-in of which the end is missing, as after a copy that was interrupted: said, whatever is
 * missing. */
START_TEST(incomplete_files_are_refused) {
    enum { LENGTHS = 60 };
    char from[1000], to[200];
    struct stat status;
    snprintf(
        from, sizeof from, "%s/forced_wave.so", environment("EULERCL_TEST_PLUGINS", "tests/.libs"));
    if (stat(from, &status)) {
        fprintf(stderr, "skipped: %s is not there\n", from);
        return;
    }
    folder_make();
    snprintf(to, sizeof to, "./%s/cut.so", folder);
    char *bytes = zeroed(status.st_size, 1);
    FILE *file = fopen(from, "r");
    ck_assert(file && fread(bytes, 1, (size_t)status.st_size, file) == (size_t)status.st_size);
    fclose(file);
    for (int64_t i = 0; i <= LENGTHS; i++) {
        const int64_t length = i == LENGTHS ? status.st_size - 1 : status.st_size * i / LENGTHS;
        eulercl_problem *problem = NULL;
        ck_assert((file = fopen(to, "w")) &&
                  fwrite(bytes, 1, (size_t)length, file) == (size_t)length && !fclose(file));
        EXPECT_WORDS(EULERCL_FILE, i ? "it is incomplete" : "cut.so",
            eulercl_problem_open(to, &problem, &error));
        ck_assert_ptr_null(problem);
    }
    free(bytes);
    ck_assert(!unlink(to) && !mkfifo(to, 0600));
    EXPECT_WORDS(EULERCL_FILE, "not a regular file",
        eulercl_problem_open(to, &(eulercl_problem *){NULL}, &error));
    folder_remove();
}
END_TEST

START_TEST(names_that_are_paths) {
    eulercl_problem *problem = NULL;
    static char endless[10000];
    memset(endless, 'x', sizeof endless - 1);
    memcpy(endless + sizeof endless - 4, ".so", 4);
    EXPECT(EULERCL_FILE, eulercl_problem_open("string.so", &problem,
                             &error)); /* a file of this folder, no built-in name */
    EXPECT(EULERCL_FILE, eulercl_problem_open("libm.so.6.so", &problem, &error));
    EXPECT(EULERCL_FILE, eulercl_problem_open("/", &problem, &error));
    EXPECT(EULERCL_FILE, eulercl_problem_open("./string", &problem, &error));
    EXPECT(EULERCL_FILE, eulercl_problem_open(endless, &problem, &error));
    EXPECT(EULERCL_INVALID, eulercl_problem_open(".so", &problem, &error));
    ck_assert_ptr_null(problem);
}
END_TEST

/* ---- files that the library compiles ---- */

static const char decay[] =
    "#define ODE_NAME decay\n#define ODE_TITLE \"a decay\"\n"
    "#define ODE_SIZE size\n#define ODE_ACCESS_DISTANCE 0\n"
    "#define ODE_PARAMETERS(REAL, INTEGER) INTEGER(size, 5, 1, 1e6, \"\", \"\")\n"
    "#include <eulercl/ode_problem.h>\n"
    "ODE_EVAL_COMP( return RATE * Y(i); )\n"
    "ODE_INITIAL( Y0(0) = 1; )\n";

static void write_text(const char *path, const char *head, const char *text) {
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    fprintf(file, "%s%s", head, text);
    ck_assert(!fclose(file));
}

/* What the functions of a compilation were told. */
struct told {
    int waits, warnings, files, stops;
};
static int count_waits(double seconds, void *user) {
    struct told *const told = user;
    ck_assert(seconds >= 0);
    told->waits++;
    return told->stops;
}
static void count_warnings(const char *messages, void *user) {
    ck_assert_ptr_nonnull(strstr(messages, "slow on purpose"));
    ((struct told *)user)->warnings++;
}
static void count_files(const char *path, int may_exist, void *user) {
    ck_assert_ptr_nonnull(strstr(path, folder));
    ((struct told *)user)->files += may_exist ? 1 : -1;
    if (!may_exist) ck_assert_int_ne(access(path, F_OK), 0);
}

static double solve_and_destroy(eulercl_problem *problem) {
    eulercl_options options;
    double y[5];
    eulercl_options_init(&options);
    options.backend = "seq";
    options.h = 0.5;
    OK(eulercl_problem_initial(problem, EULERCL_DOUBLE, 0, 5, y, &error));
    OK(eulercl_solve(problem, &options, 2, y, NULL, &error));
    eulercl_problem_destroy(problem);
    return y[4];
}

/* A folder for all files, and a compiler that is quick. 0: files are not compiled here. */
static int prepare_compiler(char *path, size_t size) {
    char compiler[200], here[900];
    folder_make();
    ck_assert_ptr_nonnull(getcwd(here, sizeof here));
    snprintf(compiler, sizeof compiler, "./%s/cc", folder);
    write_text(compiler, "#!/bin/sh\n", "exec cc \"$@\" -O0\n");
    ck_assert(!chmod(compiler, 0700));
    snprintf(path, size, "%s/%s", here, folder);
    setenv("CC", compiler, 1);
    setenv("TMPDIR", path, 1);
    setenv("XDG_CACHE_HOME", path, 1);
    snprintf(path, size, "%s/decay.c", folder);
    write_text(path, "#define RATE -1\n", decay);
    eulercl_problem *problem = NULL;
    const int status = eulercl_problem_open(path, &problem, &error);
#ifndef HAVE_COMPILE
    ck_assert_int_eq(status, EULERCL_UNSUPPORTED);
    ck_assert_ptr_nonnull(strstr(error.message, "--disable-compile"));
#else
    if (!status)
        ck_assert_double_eq(solve_and_destroy(problem), 0.25);
    else
        ck_assert(system("cc --version >/dev/null 2>&1"));
#endif
    if (status) folder_remove();
    return !status;
}

START_TEST(files_are_compiled) {
    static const char *const wrong[] = {"size", "sise", NULL};
    char path[1000];
    struct told told = {0};
    eulercl_compilation how = {.struct_size = sizeof how,
        .waits = count_waits,
        .warns = count_warnings,
        .guards = count_files,
        .user = &told};
    eulercl_problem *problem = NULL, *copy = NULL;
    if (!prepare_compiler(path, sizeof path)) return;
    OK(eulercl_problem_compile(path, &how, &problem, &error));
    ck_assert(how.is_cached && told.waits > 0 && told.warnings == 0 && told.files == 0);
    OK(eulercl_problem_copy(problem, &copy, &error));
    ck_assert_double_eq(solve_and_destroy(problem), 0.25);
    ck_assert_double_eq(solve_and_destroy(copy), 0.25);
    how.parameters = wrong;
    EXPECT_WORDS(EULERCL_INVALID, "decay.c has no parameter 'sise' (its parameters: size)",
        eulercl_problem_compile(path, &how, &problem, &error));
    how.parameters = NULL;
    /* warnings are told each time */
    write_text(path, "#define RATE -1\n#warning slow on purpose\n", decay);
    for (int run = 1; run < 3; run++) {
        OK(eulercl_problem_compile(path, &how, &problem, &error));
        ck_assert(!how.is_cached && told.warnings == run && told.files == 0);
        ck_assert_double_eq(solve_and_destroy(problem), 0.25);
    }
    write_text(path, "", decay);
    EXPECT_WORDS(EULERCL_COMPILE,
        "decay.c did not compile: line 7: ", eulercl_problem_compile(path, &how, &problem, &error));
    ck_assert_ptr_nonnull(strstr(error.log, "RATE"));
    told.stops = 1;
    EXPECT(EULERCL_CANCELLED, eulercl_problem_compile(path, &how, &problem, &error));
    ck_assert_int_eq(told.files, 0);
    EXPECT_WORDS(EULERCL_FILE, "No such file", eulercl_problem_open("./no.c", &problem, &error));
    how.struct_size = 0;
    EXPECT(EULERCL_INVALID, eulercl_problem_compile(path, &how, &problem, &error));
    folder_remove();
}
END_TEST

START_TEST(texts_are_compiled) {
    char path[1000], text[sizeof decay + 100];
    eulercl_compilation how = {.struct_size = sizeof how, .text = text};
    eulercl_problem *problem = NULL;
    if (!prepare_compiler(path, sizeof path)) return;
    for (int rate = -1; rate < 2; rate += 2) {
        snprintf(text, sizeof text, "#define RATE %d\n%s", rate, decay);
        for (int run = 0; run < 2; run++) {
            const int status = eulercl_problem_compile("text.c", &how, &problem, &error);
#ifndef HAVE_POSIX_SPAWN_FILE_ACTIONS_ADDCHDIR_NP
            ck_assert_int_eq(status, EULERCL_UNSUPPORTED);
            folder_remove();
            return;
#endif
            OK(status);
            ck_assert_int_eq(how.is_cached, run);
            ck_assert_double_eq(solve_and_destroy(problem), rate < 0 ? 0.25 : 2.25);
        }
    }
    how.text = decay;
    EXPECT_WORDS(EULERCL_COMPILE, "text.c did not compile: line 7: ",
        eulercl_problem_compile("text.c", &how, &problem, &error));
    EXPECT(EULERCL_INVALID, eulercl_problem_compile("../text.c", &how, &problem, &error));
    folder_remove();
}
END_TEST

/* A file that is compiled for one precision has the same bits in both. */
START_TEST(one_precision_is_compiled) {
    static const char *const backends[] = {"seq", "cpu", "auto"};
    enum { PRECISIONS = 2, MOST = 2 * 16 * 16 };
    static double expected[PRECISIONS][MOST], found[MOST];
    char path[1000];
    eulercl_problem *problem = NULL;
    eulercl_options options;
    if (!prepare_compiler(path, sizeof path)) return;
    snprintf(path, sizeof path, "%s/examples/gray_scott.c", getenv("EULERCL_TEST_SOURCES"));
    for (int compiled = 0; compiled <= EULERCL_DOUBLE; compiled += EULERCL_FLOAT) {
        eulercl_compilation how = {.struct_size = sizeof how, .precision = compiled};
        OK(eulercl_problem_compile(path, &how, &problem, &error));
        OK(eulercl_problem_set(problem, "m", 16, &error));
        for (int p = 0; p < PRECISIONS; p++)
            for (int b = 0; b < COUNT(backends); b++) {
                eulercl_options_init(&options);
                options.precision = p ? EULERCL_DOUBLE : EULERCL_FLOAT;
                options.backend = backends[b];
                options.h = 0.5;
                memset(found, 0, sizeof found);
                OK(eulercl_problem_initial(problem, options.precision, 0, MOST, found, &error));
                OK(eulercl_solve(problem, &options, 50, found, NULL, &error));
                if (!compiled && !b) memcpy(expected[p], found, sizeof found);
                ck_assert_msg(!memcmp(expected[p], found, sizeof found),
                    "compiled for %d, run with precision %d on %s", compiled,
                    (int)options.precision, backends[b]);
            }
        eulercl_problem_destroy(problem);
    }
    eulercl_compilation how = {.struct_size = sizeof how, .precision = 1};
    EXPECT_WORDS(
        EULERCL_INVALID, "precision is 1", eulercl_problem_compile(path, &how, &problem, &error));
    folder_remove();
}
END_TEST

/* ---- structs made by hand ---- */

static void shape(const double *parameters, struct ode_shape *s) {
    *s = (struct ode_shape){{parameters[0], 1, 1}, 1};
}
static float eval_f32(const struct ode_context *context, ode_index i, float t, const float *y) {
    const float *c = context->constants;
    (void)t;
    return fmaf(c[1], (i ? y[i - 1] : 0) + (i < context->n - 1 ? y[i + 1] : 0), -y[i]);
}
static double eval_f64(const struct ode_context *context, ode_index i, double t, const double *y) {
    const double *c = context->constants;
    (void)t;
    return fma(c[1], (i ? y[i - 1] : 0) + (i < context->n - 1 ? y[i + 1] : 0), -y[i]);
}
static struct ode_parameter hand_parameters[] = {
    {"size", 30, 1, 1e6, 1, "", ""}, {"rate", 0.3, -1, 1, 0, "", ""}};
static struct ode_problem by_hand(void) {
    return (struct ode_problem){.abi = ODE_PROBLEM_ABI,
        .struct_size = sizeof(struct ode_problem),
        .name = "hand",
        .title = "made by hand",
        .parameters = hand_parameters,
        .parameter_count = 2,
        .constant_count = 2,
        .grid.components = 1,
        .shape = shape,
        .eval_comp_f32 = eval_f32,
        .eval_comp_f64 = eval_f64};
}

START_TEST(hand_made_structs_run) {
    struct ode_problem hand = by_hand();
    struct way ways[MAX_WAYS];
    const size_t way_count = get_ways(ways, MAX_WAYS, 0);
    double start[30], expected[30], next[30], y[30];
    random_start(4);
    random_state(start, 30, sizeof *start);
    memcpy(expected, start, sizeof start);
    const double constants[] = {30, 0.3};
    const struct ode_context context = {.n = 30, .constants = constants};
    for (int s = 0; s < 12; s++) {
        for (int i = 0; i < 30; i++)
            next[i] = fma(1e-4, eval_f64(&context, i, 0, expected), expected[i]);
        memcpy(expected, next, sizeof next);
    }
    for (int both = 0; both < 2; both++) {
        eulercl_problem *problem;
        eulercl_problem_info info = {.struct_size = sizeof info};
        eulercl_options options;
        eulercl_solver *solver = NULL;
        char *source;
        if (!both)
            hand.eval_comp_f32 = NULL;
        else
            hand.eval_comp_f32 = eval_f32;
        OK(eulercl_problem_create(&hand, &problem, &error));
        OK(eulercl_problem_get_info(problem, &info, &error));
        ck_assert(info.n == 30 && !info.has_text && !info.has_exact && info.rank == 0 &&
                  !info.boundary && info.bits_guaranteed);
        int ran = 0;
        for (size_t w = 0; w < way_count; w++) {
            options_for(&options, &ways[w], EULERCL_DOUBLE);
            memcpy(y, start, sizeof y);
            const int status = eulercl_solve(problem, &options, 12, y, NULL, &error);
            /* It has no code for lanes and tiles. */
            if (status == EULERCL_UNSUPPORTED && strstr(error.message, "cannot run with variant"))
                continue;
            OK(status);
            ran++;
            SAME(y, expected, 30, sizeof *y, "%s", ways[w].backend);
            options.precision = EULERCL_FLOAT;
            if (both)
                OK(eulercl_solver_create(problem, &options, &solver, &error));
            else
                EXPECT_WORDS(EULERCL_UNSUPPORTED, "float",
                    eulercl_solver_create(problem, &options, &solver, &error));
            if (both) EXPECT(EULERCL_UNSUPPORTED, eulercl_set_initial_state(solver, &error));
            eulercl_solver_destroy(solver);
            solver = NULL;
        }
        ck_assert_int_ge(ran, 3);
        EXPECT(
            EULERCL_UNSUPPORTED, eulercl_problem_initial(problem, EULERCL_DOUBLE, 0, 1, y, &error));
        EXPECT(EULERCL_UNSUPPORTED,
            eulercl_problem_exact(problem, 0, EULERCL_DOUBLE, 0, 1, y, &error));
#ifdef HAVE_OPENCL
        EXPECT(EULERCL_UNSUPPORTED, eulercl_kernel_source(problem, NULL, &source, &error));
        if (have_opencl()) {
            options_for(&options, &(struct way){"cl-linear", NULL, 1}, EULERCL_DOUBLE);
            EXPECT_WORDS(EULERCL_UNSUPPORTED, "text",
                eulercl_solver_create(problem, &options, &solver, &error));
        }
#else
        (void)source;
#endif
        eulercl_problem_destroy(problem);
    }
}
END_TEST

static const char *const no_names[] = {NULL};
static void no_shape(const double *parameters, struct ode_shape *s) {
    (void)parameters;
    *s = (struct ode_shape){{0, 0, 1}, 0};
}
static void nan_shape(const double *parameters, struct ode_shape *s) {
    (void)parameters;
    *s = (struct ode_shape){{NAN, 1, 1}, 1};
}
static void half_shape(const double *parameters, struct ode_shape *s) {
    (void)parameters;
    *s = (struct ode_shape){{2.5, 1, 1}, 1};
}
static void huge_shape(const double *parameters, struct ode_shape *s) {
    (void)parameters;
    *s = (struct ode_shape){{0x1p61, 0x1p61, 1}, 1};
}
static void infinite_shape(const double *parameters, struct ode_shape *s) {
    (void)parameters;
    *s = (struct ode_shape){{INFINITY, 1, 1}, 1};
}
static void negative_distance(const double *parameters, struct ode_shape *s) {
    (void)parameters;
    *s = (struct ode_shape){{5, 1, 1}, -1};
}
static void nan_distance(const double *parameters, struct ode_shape *s) {
    (void)parameters;
    *s = (struct ode_shape){{5, 1, 1}, NAN};
}
#define BREAK(name, ...)                                                       \
    static void break_##name(struct ode_problem *d, struct ode_parameter *p) { \
        (void)d;                                                               \
        (void)p;                                                               \
        __VA_ARGS__                                                            \
    }
BREAK(abi, d->abi = 0;)
BREAK(short, d->struct_size -= 8;)
BREAK(name, d->name = NULL;)
BREAK(empty_name, d->name = "";)
BREAK(title, d->title = NULL;)
BREAK(parameters, d->parameters = NULL;)
BREAK(many_parameters, d->parameter_count = UINT32_MAX; d->constant_count = UINT32_MAX;)
BREAK(constants, d->constant_count = 1;)
BREAK(many_constants, d->constant_count = UINT32_MAX;)
BREAK(derive, d->constant_count = 3;)
BREAK(rank, d->grid.rank = ODE_MOST_AXES + 1;)
BREAK(no_components, d->grid.components = 0;)
BREAK(components, d->grid.components = 2;)
BREAK(many_components, d->grid.rank = 1; d->grid.components = UINT32_MAX;)
#define ONE_RULE(x, rule, ...) +1
enum { RULES = ODE_RULES_(ONE_RULE, ONE_RULE, ONE_RULE, , , , ) };
BREAK(low_boundary, d->grid.rank = 1; d->grid.boundary[0][0] = RULES;)
BREAK(high_boundary, d->grid.rank = 1; d->grid.boundary[0][1] = UINT32_MAX;)
BREAK(half_a_ring, d->grid.rank = 2; d->grid.boundary[1][1] = ODE_PERIODIC;)
BREAK(boundary_without_axis, d->grid.rank = 1; d->grid.boundary[1][0] = ODE_CLAMP;)
BREAK(boundary_without_grid, d->grid.boundary[0][0] = ODE_CLAMP;)
BREAK(radius, d->grid.rank = 1; d->grid.radius = UINT32_MAX;)
BREAK(mirror, d->grid.rank = 1; d->grid.boundary[0][1] = ODE_MIRROR; d->grid.radius = 30;)
BREAK(robin, d->grid.rank = 1; d->grid.boundary[0][1] = ODE_ROBIN; d->grid.radius = 30;)
BREAK(fields, d->grid.rank = 1; d->field_count = 1;)
BREAK(field_name, d->grid.rank = 1; d->field_count = 1; d->fields = no_names;)
BREAK(many_fields, d->grid.rank = 1; d->field_count = UINT32_MAX; d->fields = no_names;)
BREAK(shape, d->shape = NULL;)
BREAK(no_shape, d->shape = no_shape;)
BREAK(nan_shape, d->shape = nan_shape;)
BREAK(half_shape, d->shape = half_shape;)
BREAK(huge_shape, d->shape = huge_shape;)
BREAK(infinite_shape, d->shape = infinite_shape;)
BREAK(distance, d->shape = negative_distance;)
BREAK(nan_distance, d->shape = nan_distance;)
BREAK(eval, d->eval_comp_f32 = NULL; d->eval_comp_f64 = NULL;)
BREAK(text_end, d->text = "x"; d->file = "f";)
BREAK(text_order, d->text_end = "x"; d->text = d->text_end + 1; d->file = "f";)
BREAK(file, d->text = "x"; d->text_end = d->text + 1;)
BREAK(parameter_name, p[0].name = NULL;)
BREAK(unit, p[1].unit = NULL;)
BREAK(doc, p[1].doc = NULL;)
BREAK(nan_min, p[1].min = NAN;)
BREAK(nan_max, p[1].max = NAN;)
BREAK(nan_default, p[1].value = NAN;)
BREAK(infinite_default, p[1].value = p[1].max = INFINITY;)
BREAK(default, p[1].value = 2;)
BREAK(whole_default, p[0].value = 2.5;)
#define BROKEN(name, status) \
    { #name, break_##name, status }
static const struct {
    const char *name;
    void (*change)(struct ode_problem *, struct ode_parameter *);
    int status;
} broken[] = {
    BROKEN(abi, EULERCL_FILE),
    BROKEN(short, EULERCL_FILE),
    BROKEN(name, EULERCL_INVALID),
    BROKEN(empty_name, EULERCL_INVALID),
    BROKEN(title, EULERCL_INVALID),
    BROKEN(parameters, EULERCL_INVALID),
    BROKEN(many_parameters, EULERCL_INVALID),
    BROKEN(constants, EULERCL_INVALID),
    BROKEN(many_constants, EULERCL_INVALID),
    BROKEN(derive, EULERCL_INVALID),
    BROKEN(rank, EULERCL_INVALID),
    BROKEN(no_components, EULERCL_INVALID),
    BROKEN(components, EULERCL_INVALID),
    BROKEN(many_components, EULERCL_INVALID),
    BROKEN(low_boundary, EULERCL_INVALID),
    BROKEN(high_boundary, EULERCL_INVALID),
    BROKEN(half_a_ring, EULERCL_INVALID),
    BROKEN(boundary_without_axis, EULERCL_INVALID),
    BROKEN(boundary_without_grid, EULERCL_INVALID),
    BROKEN(radius, EULERCL_INVALID),
    BROKEN(mirror, EULERCL_INVALID),
    BROKEN(robin, EULERCL_INVALID),
    BROKEN(fields, EULERCL_INVALID),
    BROKEN(field_name, EULERCL_INVALID),
    BROKEN(many_fields, EULERCL_INVALID),
    BROKEN(shape, EULERCL_INVALID),
    BROKEN(no_shape, EULERCL_INVALID),
    BROKEN(nan_shape, EULERCL_INVALID),
    BROKEN(half_shape, EULERCL_INVALID),
    BROKEN(huge_shape, EULERCL_INVALID),
    BROKEN(infinite_shape, EULERCL_INVALID),
    BROKEN(distance, EULERCL_INVALID),
    BROKEN(nan_distance, EULERCL_INVALID),
    BROKEN(eval, EULERCL_INVALID),
    BROKEN(text_end, EULERCL_INVALID),
    BROKEN(text_order, EULERCL_INVALID),
    BROKEN(file, EULERCL_INVALID),
    BROKEN(parameter_name, EULERCL_INVALID),
    BROKEN(unit, EULERCL_INVALID),
    BROKEN(doc, EULERCL_INVALID),
    BROKEN(nan_min, EULERCL_INVALID),
    BROKEN(nan_max, EULERCL_INVALID),
    BROKEN(nan_default, EULERCL_INVALID),
    BROKEN(infinite_default, EULERCL_INVALID),
    BROKEN(default, EULERCL_INVALID),
    BROKEN(whole_default, EULERCL_INVALID),
};

START_TEST(broken_structs_are_refused) {
    struct ode_problem d = by_hand();
    struct ode_parameter parameters[2];
    eulercl_problem *problem = NULL;
    memcpy(parameters, hand_parameters, sizeof parameters);
    d.parameters = parameters;
    OK(eulercl_problem_create(&d, &problem, &error)); /* the problem is made before it is broken */
    eulercl_problem_destroy(problem);
    problem = NULL;
    broken[_i].change(&d, parameters);
    const int status = eulercl_problem_create(&d, &problem, &error);
    ck_assert_msg(status == broken[_i].status && error.message[0] && !problem, "%s: %s",
        broken[_i].name, eulercl_status_name(status));
}
END_TEST

/* Constants that are not finite, or not in float. */
static void derive(const double *parameters, double *constants) {
    constants[0] = parameters[0];
    constants[1] = parameters[1];
    constants[2] = 1 / parameters[1];
}

START_TEST(constants_are_checked) {
    static const struct {
        double rate;
        enum eulercl_precision precision;
        int status;
    } cases[] = {
        {0.5, EULERCL_DOUBLE, 0},
        {0, EULERCL_DOUBLE, EULERCL_INVALID},
        {1e-300, EULERCL_DOUBLE, 0},
        {1e-300, EULERCL_FLOAT, EULERCL_INVALID},
        {1e-309, EULERCL_DOUBLE, EULERCL_INVALID},
    };
    struct ode_problem d = by_hand();
    eulercl_problem *problem;
    d.constant_count = 3;
    d.derive = derive;
    OK(eulercl_problem_create(&d, &problem, &error));
    for (int c = 0; c < COUNT(cases); c++) {
        eulercl_options options;
        eulercl_solver *solver = NULL;
        options_for(&options, &(struct way){"seq", NULL, 0}, cases[c].precision);
        OK(eulercl_problem_set(problem, "rate", cases[c].rate, &error));
        EXPECT(cases[c].status, eulercl_solver_create(problem, &options, &solver, &error));
        ck_assert(!solver == (cases[c].status != 0));
        eulercl_solver_destroy(solver);
    }
    eulercl_problem_destroy(problem);
}
END_TEST

/* ---- texts for OpenCL ---- */

static const char bad_text[] =
    "#define ODE_NAME bad\n#define ODE_SIZE 30\n#define ODE_ACCESS_DISTANCE 1\n#define "
    "ODE_PARAMETERS(REAL, INTEGER) INTEGER(size, 30, 1, 1e6, \"\", \"\")\n"
    "#include <eulercl/ode_problem.h>\n\nODE_EVAL_COMP(\n    return Y(i) + no_such_name;\n)\n";

START_TEST(compiler_errors_are_shown) {
    struct ode_problem d = by_hand();
    eulercl_problem *problem;
    eulercl_options options;
    eulercl_solver *solver = NULL;
    d.text = bad_text;
    d.text_end = bad_text + sizeof bad_text - 1;
    d.file = "folder/bad \"name\".c";
    OK(eulercl_problem_create(&d, &problem, &error));
    if (have_opencl())
        for (int round = 0; round < 2; round++) {
            options_for(&options, &(struct way){"cl-linear", NULL, 1}, EULERCL_FLOAT);
            EXPECT(EULERCL_COMPILE, eulercl_solver_create(problem, &options, &solver, &error));
            ck_assert_ptr_null(solver);
            ck_assert_msg(strstr(error.log, "no_such_name") != NULL, "the log: %s", error.log);
            ck_assert_msg(strstr(error.log, "name\".c:8") != NULL,
                "the log names no file and line: %s", error.log);
            ck_assert(error.cl_code < 0 && strlen(error.log) < sizeof error.log);
            ck_assert_int_eq(
                eulercl_solver_create(problem, &options, &solver, NULL), EULERCL_COMPILE);
        }
    /* The CPU needs no text. */
    options_for(&options, &(struct way){"seq", NULL, 0}, EULERCL_FLOAT);
    OK(eulercl_solver_create(problem, &options, &solver, &error));
    eulercl_solver_destroy(solver);
    eulercl_problem_destroy(problem);
}
END_TEST

/* Texts that end anywhere must end the search for the equations, too: a plug-in is only as careful
 * as its author. */
START_TEST(cut_texts_are_survived) {
    const struct ode_problem *whole = &test_problem_talkative;
    const size_t length = (size_t)(whole->text_end - whole->text);
    for (size_t cut = 0; cut <= length; cut++) {
        struct ode_problem d = *whole;
        eulercl_problem *problem = NULL;
        char *source = NULL,
             *text = malloc(
                 cut + 1); /* its own memory: a tool that checks memory sees a read past the end */
        memcpy(text, whole->text, cut);
        d.text = text;
        d.text_end = text + cut;
        if (eulercl_problem_create(&d, &problem, &error)) { /* half of the name of a setting */
            ck_assert_msg(strstr(error.message, "nothing reads ODE_") && cut < length,
                "cut at %zu: %s", cut, error.message);
            free(text);
            continue;
        }
#ifdef HAVE_OPENCL
        /* the text is assembled, or said to have no right-hand side */
        const int status = eulercl_kernel_source(problem, NULL, &source, &error);
        ck_assert_msg(
            !status || (status == EULERCL_COMPILE && strstr(error.message, "ODE_POINT_RHS")),
            "cut at %zu: %s", cut, error.message);
        if (cut == length) ck_assert_int_eq(status, EULERCL_OK);
#endif
        eulercl_free(source);
        eulercl_problem_destroy(problem);
        free(text);
    }
}
END_TEST

static void add(TCase *tests) {
    ADD_LOOP(modules_give_the_same, COUNT(modules));
    ADD(users_compile_the_same);
    ADD(contraction_is_refused);
    ADD(solvers_keep_plugins);
    ADD_LOOP(bad_files_are_refused, COUNT(files));
    ADD(incomplete_files_are_refused);
    ADD(names_that_are_paths);
    ADD(files_are_compiled);
    ADD(texts_are_compiled);
    ADD(one_precision_is_compiled);
    ADD(hand_made_structs_run);
    ADD_LOOP(broken_structs_are_refused, COUNT(broken));
    ADD(constants_are_checked);
    ADD(compiler_errors_are_shown);
    ADD(cut_texts_are_survived);
}

int main(void) { return run_tests("plugin", add); }
