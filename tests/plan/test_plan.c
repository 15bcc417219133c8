/* SPDX-License-Identifier: BSD-2-Clause */
/* test_plan.c - the planner and its wisdom: proposals keep to the user's options and to the bits,
 * and measurements are kept completely or not at all. */
#include "config.h"
#include "../support.h"
#include "cache/cache.h"
#include "mem.h"
#include "plan/builds.h"
#include "plan/plan.h"
#include "plan/rates.h"
#include "plan/wisdom.h"
#include "problem/function_work.h"
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define COUNT(table) ((int)(sizeof(table) / sizeof *(table)))
enum { TINY = 20 /* seq is best */, SMALL = 4096, WRITERS = 8, EACH = 25 };

/* ---- a folder of the test's own, and files in it ---- */

static char folder[256], file[300];

static void set_up(void) {
    snprintf(folder, sizeof folder, "%s/eulercl-plan-XXXXXX",
        getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(file, sizeof file, "%s/wisdom", folder);
}

static void tear_down(void) {
    char command[600];
    snprintf(command, sizeof command, "rm -rf '%s' '%s.lock'", folder,
        folder); /* the folder itself is a wisdom file that cannot be */
    ck_assert_int_eq(system(command), 0);
}

static void write_file(const char *path, const char *text, size_t size) {
    FILE *f = fopen(path, "wb");
    ck_assert_ptr_nonnull(f);
    ck_assert_uint_eq(fwrite(text, 1, size, f), size);
    ck_assert_int_eq(fclose(f), 0);
}

static char *read_file(const char *path, size_t *size) {
    char *text = zeroed(1 << 20, 1);
    FILE *f = fopen(path, "rb");
    ck_assert_ptr_nonnull(f);
    *size = fread(text, 1, 1 << 20, f);
    fclose(f);
    return text;
}

/* ---- entries ---- */

static struct run run_of(eulercl_problem *problem, const eulercl_options *options) {
    struct run run = {0};
    OK(ecl_options_check(options, &run.options, &error));
    OK(ecl_system_create(problem, run.options.precision, &run.system, &error));
    return run;
}

static eulercl_problem *open_at(const struct ode_problem *definition, int64_t n) {
    eulercl_problem *problem;
    OK(eulercl_problem_create(definition, &problem, &error));
    OK(eulercl_problem_set_size(problem, n, &error));
    return problem;
}

static const eulercl_device_info paper = {.struct_size = sizeof paper,
    .name = "a device = \"on paper\", 100 %\n",
    .platform = "NVIDIA CUDA",
    .driver = "",
    .compute_capability = 90,
    .compute_units = 132,
    .local_bytes = 49152,
    .max_workgroup_size = 1024,
    .has_double = 1,
    .is_gpu = 1,
    .global_bytes = UINT64_C(1) << 37,
    .max_allocation_bytes = UINT64_C(1) << 35};

/* The key of STRING with n components on the device on paper. */
static void key_of(int64_t n, char key[WISDOM_KEY]) {
    eulercl_problem *problem = open_at(&test_problem_string, n);
    eulercl_options options;
    eulercl_options_init(&options);
    struct run run = run_of(problem, &options);
    ecl_wisdom_key(&run, &paper, "all", key);
    ecl_system_destroy(&run.system);
    eulercl_problem_destroy(problem);
}

static struct proposal plan_of(uint64_t blocks) {
    struct proposal plan = {.step_seconds = 1e-6 * (double)blocks, .build_seconds = 0.25};
    eulercl_options_init(&plan.options);
    plan.options.backend = "cl-honeycomb";
    GIVE_NAME(&plan.options, variant, "vector");
    GIVE_NAME(&plan.options, storage, "column");
    GIVE(&plan.options, dia_blocks, blocks);
    GIVE(&plan.options, honeycomb_steps, 3);
    GIVE(&plan.options, workgroup_size, 128);
    return plan;
}

static void remember(int64_t n, uint64_t blocks) {
    char key[WISDOM_KEY];
    const struct proposal plan = plan_of(blocks);
    key_of(n, key);
    OK(ecl_wisdom_remember(file, key, &plan, &error));
}

/* The blocks that were remembered; 0: nothing. */
static uint64_t recall(const char *path, int64_t n) {
    char key[WISDOM_KEY];
    struct proposal plan = {0};
    int found;
    eulercl_options_init(&plan.options);
    key_of(n, key);
    OK(ecl_wisdom_find(path, key, &plan, &found, &error));
    return found ? (uint64_t)GIVEN(&plan.options, dia_blocks) : 0;
}

static int count_entry(
    const char *key, const char *backend, const char *tuning, double seconds, void *user) {
    ck_assert(!strncmp(key, "problem=", 8) && *backend && *tuning && seconds > 0);
    ++*(int *)user;
    return 0;
}

static int entries(const char *path) {
    int count = 0;
    OK(eulercl_wisdom_each(path, count_entry, &count, &error));
    return count;
}

START_TEST(wisdom_comes_back) {
    char key[WISDOM_KEY];
    struct proposal plan = plan_of(12), back = {0};
    int found = 1;
    eulercl_options_init(&back.options);
    key_of(100, key);
    OK(ecl_wisdom_find(file, key, &back, &found, &error)); /* no file yet */
    ck_assert_int_eq(found, 0);
    ck_assert_int_eq(entries(file), 0);
    OK(ecl_wisdom_remember(file, key, &plan, &error));
    OK(ecl_wisdom_find(file, key, &back, &found, &error));
    ck_assert_int_eq(found, 1);
    ck_assert_str_eq(back.options.backend, "cl-honeycomb");
    ck_assert_str_eq(GIVEN_NAME(&back.options, variant), "vector");
    ck_assert_str_eq(GIVEN_NAME(&back.options, storage), "column");
    ck_assert(GIVEN(&back.options, dia_blocks) == 12 &&
              GIVEN(&back.options, honeycomb_steps) == 3 &&
              GIVEN(&back.options, workgroup_size) == 128 && !GIVEN(&back.options, threads));
    ck_assert_double_eq_tol(back.step_seconds, plan.step_seconds, 1e-12);
    ck_assert_double_eq_tol(back.build_seconds, plan.build_seconds, 1e-6);
    remember(200, 14);
    remember(50, 16);
    remember(100, 18); /* this entry replaces the first */
    ck_assert_int_eq(entries(file), 3);
    ck_assert(recall(file, 100) == 18 && recall(file, 200) == 14 && recall(file, 50) == 16 &&
              !recall(file, 20));
    /* The user's options count: an entry that contradicts them is ignored. */
    eulercl_options_init(&back.options);
    GIVE(&back.options, workgroup_size, 64);
    OK(ecl_wisdom_find(file, key, &back, &found, &error));
    ck_assert_int_eq(found, 0);
    ck_assert(GIVEN(&back.options, workgroup_size) == 64 && !GIVEN(&back.options, dia_blocks));
    OK(eulercl_wisdom_forget(file, &error));
    ck_assert_int_eq(access(file, F_OK), -1);
    OK(eulercl_wisdom_forget(file, &error));
}
END_TEST

/* Every part of a key matters. */
START_TEST(other_keys_are_others) {
    static const eulercl_device_info devices[] = {{.name = "A", .driver = "1", .compute_units = 2},
        {.name = "B", .driver = "1", .compute_units = 2},
        {.name = "A", .driver = "2", .compute_units = 2},
        {.name = "A", .driver = "1", .compute_units = 3}};
    char keys[32][WISDOM_KEY];
    int count = 0;
    for (int change = 0; change < 8; change++) {
        struct ode_problem definition = test_problem_string;
        char *text = zeroed(definition.text_end - definition.text, 1);
        memcpy(text, definition.text, (size_t)(definition.text_end - definition.text));
        text[10] ^= (char)(change == 1); /* a problem of the same name */
        definition.text_end = text + (definition.text_end - definition.text);
        definition.text = text;
        eulercl_problem *problem = open_at(&definition, change == 2 ? 102 : 100);
        eulercl_options options;
        eulercl_options_init(&options);
        if (change == 3) options.precision = EULERCL_FLOAT;
        if (change == 4) GIVE(&options, workgroup_size, 64);
        if (change == 5) GIVE(&options, honeycomb_steps, 0);
        if (change == 6) GIVE_NAME(&options, variant, "vector");
        if (change == 7) GIVE_NAME(&options, storage, "column");
        struct run run = run_of(problem, &options);
        ecl_wisdom_key(&run, &devices[0], "all", keys[count++]);
        if (!change)
            for (int d = 1; d < COUNT(devices); d++)
                ecl_wisdom_key(&run, &devices[d], "all", keys[count++]);
        if (!change) ecl_wisdom_key(&run, &devices[0], "cpu", keys[count++]);
        /* Options that do not matter for the time of a step are not part of the key. */
        char same[WISDOM_KEY];
        run.options.h = 0.5;
        run.options.t0 = 3;
        run.options.expected_steps = 7;
        run.options.plan = "measure";
        run.options.check_finite = 0;
        ecl_wisdom_key(&run, &devices[0], "all", same);
        ck_assert_str_eq(same, keys[change ? count - 1 : 0]);
        ecl_system_destroy(&run.system);
        eulercl_problem_destroy(problem);
        free(text);
    }
    eulercl_problem *grid = open_at(&test_problem_bruss2d, 200);
    eulercl_options options;
    eulercl_options_init(&options);
    struct run run = run_of(grid, &options);
    ecl_wisdom_key(&run, &devices[0], "all", keys[count++]);
    ecl_system_destroy(&run.system);
    eulercl_problem_destroy(grid);
    for (int i = 0; i < count; i++)
        for (int j = 0; j < i; j++) ck_assert_str_ne(keys[i], keys[j]);
}
END_TEST

/* ---- damage ---- */

static uint64_t fnv(const char *bytes, size_t size) {
    uint64_t sum = UINT64_C(14695981039346656037);
    for (size_t i = 0; i < size; i++)
        sum = (sum ^ (unsigned char)bytes[i]) * UINT64_C(1099511628211);
    return sum;
}

static void expect_damaged(const char *text, size_t size, const char *what, size_t at) {
    char key[WISDOM_KEY];
    struct proposal plan = plan_of(2);
    int found = 7, count = 0;
    write_file(file, text, size);
    key_of(100, key);
    const int status = ecl_wisdom_find(file, key, &plan, &found, &error);
    ck_assert_msg(status == EULERCL_FILE && found == 0, "%s, byte %zu: status %d, found %d", what,
        at, status, found);
    ck_assert_msg(strstr(error.message, file) != NULL, "%s", error.message);
    EXPECT(EULERCL_FILE, eulercl_wisdom_each(file, count_entry, &count, &error));
    ck_assert_int_eq(count, 0);
}

START_TEST(any_damage_rejects_the_whole_file) {
    size_t size;
    remember(100, 12);
    remember(200, 14);
    char *text = read_file(file, &size);
    ck_assert_int_eq(entries(file), 2);
    char *bad = zeroed((int64_t)size + 1, 1);
    static const unsigned char flips[] = {1, 2, 0x10, 0x20, 0x80, 0xff};
    for (size_t i = 0; i < size; i++) {
        memcpy(bad, text, size);
        bad[i] = (char)(text[i] ^ flips[i % sizeof flips]);
        expect_damaged(bad, size, "a byte is different", i);
        bad[i] = 0;
        expect_damaged(bad, size, "a byte is zero", i);
        memcpy(bad, text, i);
        memcpy(bad + i, text + i + 1, size - i - 1);
        expect_damaged(bad, size - 1, "a byte is missing", i);
        memcpy(bad, text, size);
        memmove(bad + i + 1, bad + i, size - i);
        bad[i] = text[i ? i - 1 : size - 1];
        if (memcmp(bad, text, size)) expect_damaged(bad, size + 1, "a byte too many", i);
        expect_damaged(text, i, "truncated", i);
    }
    memcpy(bad, text, size);
    bad[size] = '\n';
    expect_damaged(bad, size + 1, "a byte too many at the end", size);
    write_file(file, text, size);
    ck_assert_int_eq(entries(file), 2); /* it was the damage */
    free(bad);
    free(text);
}
END_TEST

/* Damaged files whose checksum fits. In the entries, FROM becomes TO. */
static const struct {
    const char *from, *to;
} lies[] = {
    {"dia_blocks=12", "dia_blocks=1048577"},
    {"dia_blocks=12", "dia_blocks=-12"},
    {"dia_blocks=12", "dia_blocks=012"},
    {"dia_blocks=12", "dia_blocks=1e3"},
    {"dia_blocks=12", "dia_blocks=99999999999999999999"},
    {"dia_blocks=12", "dia_blocks="},
    {"dia_blocks=12", "dia_blocks=0"},
    {"dia_blocks=12", "device=3"},
    {"dia_blocks=12,honeycomb_steps=3", "honeycomb_steps=3,dia_blocks=12"},
    {"dia_blocks=12", "dia_blocks=12,dia_blocks=12"},
    {"workgroup_size=128", "workgroup_size=4294967296"},
    {"backend=cl-honeycomb", "backend=cl-comb"},
    {"backend=cl-honeycomb", "backend=seq"},
    {"backend=cl-honeycomb", "backend="},
    {"storage=column", "storage=shared"},
    {"variant=vector", "variant=strided"},
    {"step_ps=12000000", "step_ps=0"},
    {"step_ps=12000000", "step_ps=-1"},
    {"step_ps=12000000", "step_ps=nan"},
    {"step_ps=12000000", "step_ps=9000000000000000000"},
    {"build_us=250000", "build_us=-250000"},
    {"build_us=250000", "build_us=250000 more=1"},
    {" -> ", " => "},
    {"build_us=250000", "build_us=250000 -> backend=seq"},
    {"precision=double ", ""},
    {"n=100", "n=2000"} /* order */,
    {"n=100", "n=200"} /* twice */,
    {"library=", "libraries="},
    {"eulercl wisdom 1", "eulercl wisdom 2"},
};

/* Replace the first `from` by `to`, and write the end line for that text. */
static char *lie(const char *text, const char *from, const char *to, size_t *size) {
    char *out = zeroed((int64_t)strlen(text) + 1000, 1);
    const char *at = strstr(text, from), *end = strstr(text, "\nend ") + 1;
    ck_assert_msg(at && at < end, "no '%s'", from);
    int used = sprintf(out, "%.*s%s%.*s", (int)(at - text), text, to,
        (int)(end - at - (ptrdiff_t)strlen(from)), at + strlen(from));
    used += sprintf(out + used, "end %d %016llx\n", (int)strtol(end + 4, NULL, 10),
        (unsigned long long)fnv(out, (size_t)used));
    *size = (size_t)used;
    return out;
}

START_TEST(lies_are_found_out) {
    size_t size;
    remember(100, 12);
    remember(200, 14);
    char *text = read_file(file, &size);
    char *same = lie(text, "dia_blocks=12", "dia_blocks=20", &size);
    /* an unchanged file is believed, so the test's checksum is right */
    write_file(file, same, size);
    ck_assert_uint_eq(recall(file, 100), 20);
    free(same);
    char *bad;
    if (!strcmp(lies[_i].from, "n=100")) {
        /* The whole key of the last entry becomes one that is not above the other's. */
        char last[WISDOM_KEY], other[WISDOM_KEY];
        key_of(100, last);
        key_of(strtol(lies[_i].to + 2, NULL, 10), other);
        bad = lie(text, last, other, &size);
    } else
        bad = lie(text, lies[_i].from, lies[_i].to, &size);
    expect_damaged(bad, size, lies[_i].to, 0);
    free(bad);
    free(text);
}
END_TEST

START_TEST(files_that_are_none) {
    char path[600], key[WISDOM_KEY];
    const struct proposal plan = plan_of(12);
    key_of(100, key);
    /* Never overwritten, never removed. */
    write_file(file, "my thesis\n", 10);
    EXPECT(EULERCL_FILE, ecl_wisdom_remember(file, key, &plan, &error));
    EXPECT_WORDS(EULERCL_FILE, "not a wisdom file", eulercl_wisdom_forget(file, &error));
    size_t size;
    char *text = read_file(file, &size);
    ck_assert(size == 10 && !memcmp(text, "my thesis\n", 10));
    free(text);
    /* Wisdom that is damaged may go. */
    write_file(file, "eulercl wisdom 1\nen", 19);
    EXPECT(EULERCL_FILE, ecl_wisdom_remember(file, key, &plan, &error));
    OK(eulercl_wisdom_forget(file, &error));
    OK(ecl_wisdom_remember(file, key, &plan, &error));
    /* Folders, devices, pipes, what cannot be written. */
    snprintf(path, sizeof path, "%s/pipe", folder);
    ck_assert_int_eq(mkfifo(path, 0600), 0);
    EXPECT_WORDS(EULERCL_FILE, "not a regular file", ecl_wisdom_remember(path, key, &plan, &error));
    EXPECT(EULERCL_FILE, ecl_wisdom_remember(folder, key, &plan, &error));
    EXPECT_WORDS(
        EULERCL_FILE, "not a regular file", eulercl_wisdom_import(file, "/dev/zero", &error));
    char victim[600];
    static const char *const beside[] = {"new", "lock"};
    snprintf(victim, sizeof victim, "%s/victim", folder);
    write_file(victim, "my thesis\n", 10);
    for (int kind = 0; kind < 5; kind++) { /* files that are in the way are left as they are */
        const int is_pipe = kind == 0, is_hard = kind == 1;
        snprintf(path, sizeof path, "%s.%s", file, beside[kind > 2]);
        unlink(path);
        ck_assert_int_eq(is_pipe   ? mkfifo(path, 0600)
                         : is_hard ? link(victim, path)
                                   : symlink(kind == 4 ? "nowhere" : victim, path),
            0);
        EXPECT(EULERCL_FILE, ecl_wisdom_remember(file, key, &plan, &error));
        text = read_file(victim, &size);
        ck_assert(size == 10 && !memcmp(text, "my thesis\n", 10));
        free(text);
        ck_assert_int_eq(unlink(path), 0);
    }
    snprintf(victim, sizeof victim, "%s/nowhere", folder);
    ck_assert_int_eq(access(victim, F_OK), -1);
    snprintf(path, sizeof path, "%s/below", file);
    EXPECT(EULERCL_FILE, ecl_wisdom_remember(path, key, &plan, &error));
    EXPECT(EULERCL_FILE, eulercl_wisdom_export(file, path, &error));
    EXPECT(EULERCL_FILE, eulercl_wisdom_export(file, folder, &error));
    EXPECT(EULERCL_INVALID, ecl_wisdom_remember("", key, &plan, &error));
    ck_assert_uint_eq(recall(file, 100), 12);
    memset(path, 'x', sizeof path - 1);
    path[sizeof path - 1] = 0;
    EXPECT(EULERCL_FILE,
        ecl_wisdom_remember(path, key, &plan, &error)); /* a name that is too long for a file */
}
END_TEST

START_TEST(paths_follow_the_environment) {
    char path[4096], expected[600];
    setenv("XDG_CACHE_HOME", folder, 1);
    OK(eulercl_wisdom_path(NULL, path, sizeof path, &error));
    snprintf(expected, sizeof expected, "%s/eulercl/wisdom", folder);
    ck_assert_str_eq(path, expected);
    EXPECT(EULERCL_INVALID, eulercl_wisdom_path(NULL, path, strlen(expected), &error));
    setenv("XDG_CACHE_HOME", "relative", 1);
    setenv("HOME", folder, 1);
    OK(eulercl_wisdom_path(NULL, path, sizeof path, &error));
    snprintf(expected, sizeof expected, "%s/.cache/eulercl/wisdom", folder);
    ck_assert_str_eq(path, expected);
    /* The folders are made, for the user alone. */
    char key[WISDOM_KEY];
    const struct proposal plan = plan_of(12);
    struct stat status;
    key_of(100, key);
    OK(ecl_wisdom_remember(NULL, key, &plan, &error));
    ck_assert_uint_eq(recall(NULL, 100), 12);
    *strrchr(expected, '/') = 0;
    ck_assert(
        !stat(expected, &status) && S_ISDIR(status.st_mode) && (status.st_mode & 0777) == 0700);
    unsetenv("HOME");
    EXPECT_WORDS(EULERCL_INVALID, "HOME", eulercl_wisdom_path(NULL, path, sizeof path, &error));
    OK(eulercl_wisdom_path("here", path, sizeof path, &error));
    ck_assert_str_eq(path, "here");
    EXPECT(EULERCL_INVALID, eulercl_wisdom_path("", path, sizeof path, &error));
}
END_TEST

START_TEST(wisdom_travels) {
    char copy[300], other[300];
    size_t size;
    snprintf(copy, sizeof copy, "%s/copy", folder);
    snprintf(other, sizeof other, "%s/other", folder);
    EXPECT(EULERCL_FILE, eulercl_wisdom_export(file, copy, &error)); /* there is nothing */
    remember(100, 12);
    remember(200, 14);
    OK(eulercl_wisdom_export(file, copy, &error));
    OK(eulercl_wisdom_forget(file, &error));
    remember(100, 16);
    remember(300, 18);
    OK(eulercl_wisdom_import(file, copy, &error));
    ck_assert_int_eq(entries(file), 3);
    ck_assert(recall(file, 100) == 12 && recall(file, 200) == 14 && recall(file, 300) == 18);
    OK(eulercl_wisdom_import(other, copy, &error));
    ck_assert_int_eq(entries(other), 2);
    /* All or nothing. */
    char *text = read_file(copy, &size), *before = read_file(file, &size);
    size_t lied, after_size;
    char *old = lie(text, "library=" PACKAGE_VERSION, "library=0.0.0", &lied);
    write_file(copy, old, lied);
    EXPECT_WORDS(EULERCL_FILE, "another version", eulercl_wisdom_import(file, copy, &error));
    write_file(copy, text, strlen(text) - 1);
    EXPECT(EULERCL_FILE, eulercl_wisdom_import(file, copy, &error));
    EXPECT(EULERCL_FILE, eulercl_wisdom_import(file, "/nonexistent/wisdom", &error));
    char *after = read_file(file, &after_size);
    ck_assert(size == after_size && !memcmp(before, after, size));
    free(old);
    free(text);
    free(before);
    free(after);
}
END_TEST

/* ---- several processes ---- */

START_TEST(writers_lose_nothing) {
    pid_t writers[WRITERS];
    for (int w = 0; w < WRITERS; w++) {
        writers[w] = fork();
        ck_assert_int_ge(writers[w], 0);
        if (writers[w]) continue;
        for (int i = 0; i < EACH; i++) {
            char key[WISDOM_KEY];
            const struct proposal plan = plan_of((uint64_t)(2 + w));
            key_of(100 + 2 * (w * EACH + i), key);
            if (ecl_wisdom_remember(file, key, &plan, NULL)) _exit(1);
        }
        _exit(0);
    }
    for (int w = 0; w < WRITERS; w++) {
        int status;
        ck_assert_int_eq(waitpid(writers[w], &status, 0), writers[w]);
        ck_assert(WIFEXITED(status) && !WEXITSTATUS(status));
    }
    ck_assert_int_eq(entries(file), WRITERS * EACH);
    for (int i = 0; i < WRITERS * EACH; i++)
        ck_assert_uint_eq(recall(file, 100 + 2 * i), (uint64_t)(2 + i / EACH));
}
END_TEST

/* Killed at any moment, a writer leaves a whole file with all that it said was written. */
START_TEST(killed_writers_leave_it_whole) {
    random_start(900);
    int at_work = 0;
    for (int round = 0; round < 40; round++) {
        int told[2];
        ck_assert_int_eq(pipe(told), 0);
        const pid_t writer = fork();
        ck_assert_int_ge(writer, 0);
        if (!writer) {
            close(told[0]);
            for (int i = 0;; i++) {
                char key[WISDOM_KEY];
                const struct proposal plan = plan_of(4);
                key_of(100 + 2 * (round * 1000 + i % 1000), key);
                if (ecl_wisdom_remember(file, key, &plan, NULL) ||
                    write(told[1], &i, sizeof i) != sizeof i)
                    _exit(1);
            }
        }
        close(told[1]);
        usleep((useconds_t)random_below(20000));
        kill(writer, SIGKILL);
        int last = -1, i;
        while (read(told[0], &i, sizeof i) == sizeof i) last = i;
        close(told[0]);
        waitpid(writer, NULL, 0);
        entries(file); /* whole */
        for (i = 0; i <= last && i < 1000; i++)
            ck_assert_uint_eq(recall(file, 100 + 2 * (round * 1000 + i)), 4);
        at_work += last >= 0;
        if (entries(file) > 300) OK(eulercl_wisdom_forget(file, &error));
    }
    ck_assert_int_gt(at_work, 5);
    remember(100, 12);
}
END_TEST

/* ---- proposals ---- */

static int propose(size_t b, const struct run *run, struct proposal *proposals, int most) {
    return ecl_backends[b].table->propose
               ? ecl_backends[b].table->propose(run, &paper, proposals, most)
               : 0;
}

START_TEST(proposals_keep_to_the_options) {
    static const char *const storages[] = {NULL, NULL, "local", "global", "column"},
                             *const distributions[] = {NULL, NULL, "auto", "mult", "add", "corr"};
    int many = 0;
    random_start(910);
    for (int round = 0; round < 400; round++) {
        const int which = random_below(2) ? TEST_string : TEST_bruss2d;
        eulercl_problem *problem = open_at(test_problems[which].definition,
            which == TEST_string ? 2 * (1 + random_below(1 << random_below(20))) : 2 * 32 * 32);
        eulercl_options options;
        eulercl_options_init(&options);
        options.precision = random_below(2) ? EULERCL_FLOAT : EULERCL_DOUBLE;
        GIVE_NAME(&options, storage, storages[random_below(COUNT(storages))]);
        GIVE_NAME(&options, distribution, distributions[random_below(COUNT(distributions))]);
        GIVE(&options, workgroup_size, random_below(3) ? 0 : (uint64_t)(1 + random_below(512)));
        GIVE(&options, dia_blocks, random_below(3) ? 0 : (uint64_t)(1 + random_below(100)));
        GIVE(&options, honeycomb_steps, random_below(3) ? -1 : random_below(100));
        GIVE(&options, threads, random_below(2) ? 0 : (uint32_t)(1 + random_below(9)));
        struct run run = run_of(problem, &options);
        for (size_t b = 0; b < ecl_backend_count; b++) {
            struct proposal proposals[8];
            const char *const *variants = ecl_backends[b].variants;
            GIVE_NAME(&run.options, variant,
                variants[0] && random_below(2) ? variants[random_below(variants[1] ? 2 : 1)]
                                               : NULL);
            const int most = 1 + (int)random_below(8), count = propose(b, &run, proposals, most);
            ck_assert_msg(
                count >= 0 && count <= most, "%s: %d of %d", ecl_backends[b].name, count, most);
            many += count > 1;
            for (int i = 0; i < count; i++) {
                const struct proposal *p = &proposals[i];
                eulercl_options checked;
                size_t variant;
                OK(ecl_options_check(&p->options, &checked, &error));
                OK(ecl_find_variant(b, GIVEN_NAME(&p->options, variant), &variant, &error));
                ck_assert_msg(ecl_tuning_agrees(&run.options, &p->options),
                    "%s: proposal %d does not keep to the options (seed %llu)",
                    ecl_backends[b].name, i, (unsigned long long)seed());
                ck_assert(p->step_seconds > 0 && p->step_seconds < 1e3 && p->build_seconds >= 0);
                ck_assert(!i || p->step_seconds >= proposals[i - 1].step_seconds);
                ck_assert(!(ecl_tuning_given(&p->options) & ~ecl_tuning_given(&run.options) &
                            ~ecl_tuning_of(ecl_backends[b].name)));
            }
        }
        ecl_system_destroy(&run.system);
        eulercl_problem_destroy(problem);
    }
    ck_assert(
        many > 100 || !ecl_backends[ecl_backend_count - 1]
                           .table->propose); /* in a build without OpenCL they have one way each */
}
END_TEST

/* Microseconds per step in float that were measured on an H200 (the logs in doc/results/), and that
 * are predicted for its description. */
static const struct {
    int problem;
    int64_t n;
    const char *backend;
    double us;
} known[] = {
    {TEST_string, 20000, "cl-linear", 4.65},
    {TEST_string, 80000, "cl-linear", 4.85},
    {TEST_string, 1000000, "cl-linear", 4.76},
    {TEST_string, 4000000, "cl-linear", 7.64},
    {TEST_string, 100000000, "cl-linear", 189},
    {TEST_string, 20000, "cl-honeycomb", 0.59},
    {TEST_string, 80000, "cl-honeycomb", 0.594},
    {TEST_string, 1000000, "cl-honeycomb", 0.845},
    {TEST_string, 4000000, "cl-honeycomb", 2.06},
    {TEST_string, 100000000, "cl-honeycomb", 49.5},
    {TEST_string, 100000000, "cl-column-diamond", 262},
    {TEST_string, 1000000, "cl-column-diamond", 5.3},
    {TEST_string, 100000000, "cl-row-diamond", 49.6},
    {TEST_bruss2d, 20000, "cl-linear", 4.76},
    {TEST_bruss2d, 500000, "cl-linear", 4.8},
    {TEST_bruss2d, 2000000, "cl-linear", 7.4},
    {TEST_bruss2d, 8000000, "cl-linear", 23.9},
    {TEST_bruss2d, 100026368, "cl-linear", 235},
    {TEST_bruss2d, 20000, "cl-honeycomb", 2.9},
    {TEST_bruss2d, 125000, "cl-honeycomb", 3.74},
    {TEST_bruss2d, 500000, "cl-honeycomb", 4.17},
    {TEST_string, 14000, "cl-register", 0.0345},
    {TEST_string, 20000, "cl-register", 0.0349},
    {TEST_string, 80000, "cl-register", 0.0384},
    {TEST_string, 160000, "cl-register", 0.052},
    {TEST_string, 1000000, "cl-register", 0.1222},
    {TEST_string, 6000000, "cl-register", 0.59},
    {TEST_string, 50000000, "cl-register", 5.48},
    {TEST_string, 100000000, "cl-register", 9.26},
    {TEST_bruss2d, 20000, "cl-register", 0.392},
    {TEST_bruss2d, 180000, "cl-register", 0.551},
    {TEST_bruss2d, 500000, "cl-register", 0.728},
    {TEST_bruss2d, 1905152, "cl-register", 1.642},
    {TEST_bruss2d, 8000000, "cl-register", 5.43},
    {TEST_bruss2d, 23998592, "cl-register", 13.86},
    {TEST_bruss2d, 128000000, "cl-register", 55.9},
    {TEST_bruss2d, 286466048, "cl-register", 112},
};

START_TEST(predictions_are_near_measurements) {
    eulercl_problem *problem = open_at(test_problems[known[_i].problem].definition, known[_i].n);
    eulercl_options options;
    struct proposal proposal;
    size_t b;
    eulercl_options_init(&options);
    options.precision = EULERCL_FLOAT;
    struct run run = run_of(problem, &options);
    OK(ecl_find_backend(known[_i].backend, &b, &error));
    if (propose(b, &run, &proposal, 1)) {
        const double ratio = 1e6 * proposal.step_seconds / known[_i].us;
        ck_assert_msg(ratio > 1 / 1.5 && ratio < 1.5, "%s, n = %lld: %g us, measured %g",
            known[_i].backend, (long long)known[_i].n, 1e6 * proposal.step_seconds, known[_i].us);
    } else
        ck_assert(!ecl_backends[b].table->state); /* built without OpenCL */
    ecl_system_destroy(&run.system);
    eulercl_problem_destroy(problem);
}
END_TEST

/* The fastest configurations there, as measured. */
static const struct {
    int problem;
    int64_t n;
    const char *loser, *winner;
} contests[] = {
    {TEST_string, 20000, "cl-linear", "cl-honeycomb"},
    {TEST_string, 100000000, "cl-linear", "cl-honeycomb"},
    {TEST_string, 1000000, "cl-column-diamond", "cl-linear"},
    {TEST_bruss2d, 500000, "cl-linear", "cl-honeycomb"},
    {TEST_bruss2d, 2000000, "cl-honeycomb", "cl-linear"},
    {TEST_bruss2d, 100026368, "cl-honeycomb", "cl-linear"},
    {TEST_string, 20000, "seq", "cl-honeycomb"},
    {TEST_string, 200, "cl-honeycomb", "seq"},
    {TEST_string, 80000000, "pthreads", "cl-linear"},
    {TEST_string, 20000, "cl-honeycomb", "cl-register"},
    {TEST_bruss2d, 128000000, "cl-linear", "cl-register"},
};

START_TEST(the_right_one_is_predicted_to_win) {
    eulercl_problem *problem =
        open_at(test_problems[contests[_i].problem].definition, contests[_i].n);
    eulercl_options options;
    struct proposal loser, winner;
    size_t l, w;
    eulercl_options_init(&options);
    options.precision = EULERCL_FLOAT;
    struct run run = run_of(problem, &options);
    OK(ecl_find_backend(contests[_i].loser, &l, &error));
    OK(ecl_find_backend(contests[_i].winner, &w, &error));
    if (propose(l, &run, &loser, 1) && propose(w, &run, &winner, 1))
        ck_assert_msg(winner.step_seconds < loser.step_seconds, "n = %lld: %s %g us, %s %g us",
            (long long)contests[_i].n, contests[_i].winner, 1e6 * winner.step_seconds,
            contests[_i].loser, 1e6 * loser.step_seconds);
    ecl_system_destroy(&run.system);
    eulercl_problem_destroy(problem);
}
END_TEST

/* Whatever is proposed for the device that is here gives the bits of the definition. */
static const struct {
    int problem;
    int64_t n;
    enum eulercl_precision precision;
    int64_t steps;
} systems[] = {
    {TEST_string, 3000, EULERCL_FLOAT, 37},
    {TEST_bruss2d, 2 * 20 * 20, EULERCL_DOUBLE, 19},
    {TEST_rod_clamp, 501, EULERCL_DOUBLE, 11},
};

/* OpenCL compilers take most of the time: make check tries every sixth proposal, and the sanitized
 * build of check-long others. */
#ifdef __SANITIZE_ADDRESS__
enum { TURN = 3 };
#else
enum { TURN = 0 };
#endif

START_TEST(proposals_keep_the_bits) {
    eulercl_problem *problem =
        open_at(test_problems[systems[_i].problem].definition, systems[_i].n);
    eulercl_device_info device = {.struct_size = sizeof device};
    eulercl_options options;
    const int64_t n = systems[_i].n;
    const size_t size = (size_t)systems[_i].precision;
    const int opencl = have_opencl();
    if (opencl) OK(eulercl_get_device(0, &device, &error));
    options_for(&options, &(struct way){"seq", NULL, 0}, systems[_i].precision);
    options.device = device.id;
    void *start = zeroed(n, size), *expected = zeroed(n, size), *y = zeroed(n, size);
    OK(eulercl_problem_initial(problem, systems[_i].precision, 0, n, start, &error));
    memcpy(expected, start, (size_t)n * size);
    OK(eulercl_solve(problem, &options, systems[_i].steps, expected, NULL, &error));
    struct run run = run_of(problem, &options);
    int solved = 0, per_backend = 0;
    for (size_t b = 0; b < ecl_backend_count; b++) {
        struct proposal proposals[8];
        if ((ecl_backends[b].engine == &ecl_engine_opencl && !opencl) ||
            !ecl_backends[b].table->propose)
            continue;
        const int count =
            ecl_backends[b].table->propose(&run, &device, proposals, COUNT(proposals));
        per_backend = count > per_backend ? count : per_backend;
        for (int i = 0; i < count; i++) {
            char tuning[TUNING_TEXT];
            if (test_level() == QUICK_TESTS && ecl_backends[b].engine == &ecl_engine_opencl &&
                (i + _i) % 6 != TURN)
                continue;
            proposals[i].options.backend = ecl_backends[b].name;
            ecl_tuning_write(&proposals[i].options, tuning);
            memcpy(y, start, (size_t)n * size);
            const int status =
                eulercl_solve(problem, &proposals[i].options, systems[_i].steps, y, NULL, &error);
            ck_assert_msg(!status || status == EULERCL_UNSUPPORTED, "%s %s: %s",
                ecl_backends[b].name, tuning, error.message);
            if (status) continue;
            SAME(y, expected, n, size, "%s %s", ecl_backends[b].name, tuning);
            solved++;
        }
    }
    ck_assert_int_ge(solved, 1);
    if (opencl)
        ck_assert_msg(solved > (test_level() == QUICK_TESTS ? 2 : 6) && per_backend > 3,
            "%d of %d a backend", solved, per_backend);
    ecl_system_destroy(&run.system);
    eulercl_problem_destroy(problem);
    free(start);
    free(expected);
    free(y);
}
END_TEST

/* ---- solvers with a plan ---- */

static eulercl_stats stats_of(const eulercl_solver *solver) {
    eulercl_stats stats = {.struct_size = sizeof stats};
    OK(eulercl_get_stats(solver, &stats, &error));
    return stats;
}

/* A solver by plan, on the CPU unless there is a GPU; five steps later its bits are those of seq.
 */
static eulercl_solver *make_planned(eulercl_problem *problem, eulercl_options *options) {
    eulercl_solver *solver, *plain;
    eulercl_options by_seq;
    const int64_t n = size_of(problem);
    OK(eulercl_solver_create(problem, options, &solver, &error));
    options_for(&by_seq, &(struct way){"seq", NULL, 0}, options->precision);
    OK(eulercl_solver_create(problem, &by_seq, &plain, &error));
    void *y = zeroed(n, (size_t)options->precision),
         *expected = zeroed(n, (size_t)options->precision);
    OK(eulercl_set_initial_state(solver, &error));
    OK(eulercl_set_initial_state(plain, &error));
    OK(eulercl_advance(solver, 5, &error));
    OK(eulercl_advance(plain, 5, &error));
    OK(eulercl_get_state(solver, y, &error));
    OK(eulercl_get_state(plain, expected, &error));
    SAME(y, expected, n, (size_t)options->precision, "planned: %s", stats_of(solver).backend);
    ck_assert_int_eq(stats_of(solver).steps, 5); /* measurements are not counted */
    ck_assert_str_eq(stats_of(plain).plan, "");
    ck_assert_str_eq(stats_of(plain).plan_reason, "");
    eulercl_solver_destroy(plain);
    free(y);
    free(expected);
    return solver;
}

static void check_plan(eulercl_problem *problem, eulercl_options *options, const char *plan,
    const char *backend, const char *words, const char *note) {
    eulercl_solver *solver = make_planned(problem, options);
    const eulercl_stats stats = stats_of(solver);
    ck_assert_str_eq(stats.plan, plan);
    if (backend) ck_assert_str_eq(stats.backend, backend);
    ck_assert_msg(strstr(stats.plan_reason, words) != NULL, "%s", stats.plan_reason);
    ck_assert_msg(!strncmp(stats.plan_reason, stats.backend, strlen(stats.backend)), "%s: %s",
        stats.backend, stats.plan_reason);
    ck_assert_msg(*note ? strstr(stats.note, note) != NULL : !*stats.note, "note: %s", stats.note);
    ck_assert(stats.predicted_seconds > 0);
    eulercl_solver_destroy(solver);
}

/* The following tests run without a GPU, so that the choice does not depend on the machine. With
 * this name "auto" keeps to the CPU's backends. */
static void no_gpu(void) { setenv("EULERCL_DEVICE", "cpu", 1); }

/* A named device is used, or the call fails, also with "auto"; "cpu" always exists. */
START_TEST(named_devices_are_there) {
    static const char *const missing[] = {"no such device", "99:0"};
    eulercl_problem *problem = open_at(&test_problem_string, TINY);
    for (int in_environment = 0; in_environment < 2; in_environment++)
        for (int i = 0; i < COUNT(missing); i++) {
            eulercl_options options;
            eulercl_solver *solver = NULL;
            eulercl_ceilings ceilings = {.struct_size = sizeof ceilings};
            double y[TINY] = {0};
            eulercl_options_init(&options);
            options.wisdom = file;
            if (in_environment)
                setenv("EULERCL_DEVICE", missing[i], 1);
            else
                options.device = missing[i];
#ifdef HAVE_OPENCL
            const char *const words = missing[i];
#else
            const char *const words = "without OpenCL";
#endif
            EXPECT_WORDS(EULERCL_NO_DEVICE, words,
                eulercl_solver_create(problem, &options, &solver, &error));
            ck_assert_ptr_null(solver);
            EXPECT_WORDS(
                EULERCL_NO_DEVICE, words, eulercl_solve(problem, &options, 1, y, NULL, &error));
            EXPECT_WORDS(
                EULERCL_NO_DEVICE, words, eulercl_tune(problem, &options, NULL, NULL, &error));
            EXPECT_WORDS(
                EULERCL_NO_DEVICE, words, eulercl_measure_ceilings(&options, &ceilings, &error));
            ck_assert_int_eq(entries(file), 0);
            options.backend = "cpu"; /* needs none */
            OK(eulercl_solver_create(problem, &options, &solver, &error));
            eulercl_solver_destroy(solver);
            options.backend = NULL;
            options.device = "cpu"; /* the option wins, and the CPU is there in any case */
            OK(eulercl_solver_create(problem, &options, &solver, &error));
            ck_assert_msg(
                strncmp(stats_of(solver).backend, "cl-", 3) != 0, "%s", stats_of(solver).backend);
            eulercl_solver_destroy(solver);
            setenv("EULERCL_DEVICE", "", 1); /* names nothing */
            options.device = NULL;
            OK(eulercl_solver_create(problem, &options, &solver, &error));
            eulercl_solver_destroy(solver);
        }
    eulercl_problem_destroy(problem);
}
END_TEST

START_TEST(plans_are_told) {
    no_gpu();
    eulercl_problem *problem = open_at(&test_problem_string, TINY),
                    *larger = open_at(&test_problem_string, 300000);
    eulercl_options options;
    eulercl_options_init(&options);
    options.wisdom = file;
    check_plan(larger, &options, "estimate", NULL, "expected, next ", "");
    options.expected_steps = 10;
    check_plan(larger, &options, "estimate", NULL, "for 10 steps against", "");
    options.expected_steps = 0;
    eulercl_problem_destroy(larger);
    check_plan(problem, &options, "estimate", "seq", "expected", "");
    options.expected_steps = 10;
    check_plan(problem, &options, "estimate", "seq", "for 10 steps", "");
    options.expected_steps = 0;
    options.plan = "measure";
    check_plan(problem, &options, "measured", NULL, "per step measured", "");
    ck_assert_int_eq(entries(file), 1);
    options.plan = NULL;
    check_plan(problem, &options, "wisdom", NULL, "measured earlier", "");
    options.plan = "auto";
    check_plan(problem, &options, "wisdom", NULL, "measured earlier", "");
    options.plan = "estimate";
    check_plan(problem, &options, "estimate", "seq", "expected", "");
    options.plan = NULL;
    options.precision = EULERCL_FLOAT; /* another key */
    check_plan(problem, &options, "estimate", "seq", "expected", "");
    options.wisdom = "";
    options.plan = "measure";
    check_plan(problem, &options, "measured", NULL, "per step measured", "");
    ck_assert_int_eq(entries(file), 1);
    eulercl_problem_destroy(problem);
}
END_TEST

#ifdef HAVE_OPENCL
static const eulercl_device_info gpu = {.struct_size = sizeof gpu,
    .name = "a GPU",
    .driver = "1",
    .is_gpu = 1,
    .has_double = 1,
    .compute_units = 132,
    .max_workgroup_size = 1024,
    .local_bytes = 48 << 10,
    .global_bytes = (uint64_t)80 << 30,
    .max_allocation_bytes = (uint64_t)20 << 30};

/* Of a GPU's backends the one whose build and steps take least. */
static struct proposal cheapest(const struct run *run) {
    struct proposal best = {.step_seconds = (double)INFINITY}, found[8];
    const int64_t steps = ecl_plan_steps(run);
    for (size_t b = 0; b < ecl_backend_count; b++) {
        if (!ecl_backends[b].engine->compiles) continue;
        const int count = ecl_backends[b].table->propose(run, &gpu, found, COUNT(found));
        for (int i = 0; i < count; i++) {
            found[i].options.backend = ecl_backends[b].name;
            ck_assert_int_ge(found[i].programs, 1);
            ck_assert(found[i].compile_seconds > 0);
            ck_assert(found[i].build_seconds > found[i].compile_seconds);
            if (ecl_builds_know(run, &found[i], &gpu)) ecl_proposal_load(&found[i]);
            if (ecl_proposal_cost(&found[i], steps) < ecl_proposal_cost(&best, steps))
                best = found[i];
        }
    }
    return best;
}

/* Functions take the time of most right-hand sides, and what takes it is not moving the state.
 * Tiles that compute points twice gain nothing then, and their programs take longer to compile. */
static const char *text_of_functions(void) {
    return "ode_dot[0] = _Generic(ode_rare, int32_t * : ode_math_in_pow_f32, int64_t * : "
           "ode_math_in_pow_f64, const void * : ode_math_host_pow)(u, v, ode_rare);"
           "ode_dot[1] = _Generic(ode_rare, int32_t * : ode_math_in_exp_f32, int64_t * : "
           "ode_math_in_exp_f64, const void * : ode_math_host_exp)(u, ode_rare);";
}

START_TEST(functions_take_time) {
    struct ode_problem definition = test_problem_bruss2d;
    double seconds[2], core[2];
    for (int has = 0; has < 2; has++) {
        struct proposal found;
        if (has) definition.rhs = text_of_functions;
        eulercl_problem *const problem = open_at(&definition, 2 * 2000 * 2000);
        eulercl_options options;
        eulercl_options_init(&options);
        options.precision = EULERCL_FLOAT;
        options.expected_steps = 1000000;
        options.plan = "estimate";
        struct run run = run_of(problem, &options);
        const struct proposal best = cheapest(&run);
        ck_assert_str_eq(best.options.backend, has ? "cl-linear" : "cl-register");
        seconds[has] = best.step_seconds;
        size_t cpu;
        OK(ecl_find_backend("cpu", &cpu, &error));
        ck_assert_int_eq(ecl_backends[cpu].table->propose(&run, &gpu, &found, 1), 1);
        core[has] = found.step_seconds;
        ck_assert_double_eq(ecl_function_work(run.system.definition), has ? 9 : 0);
        ecl_system_destroy(&run.system);
        eulercl_problem_destroy(problem);
    }
    /* 21 instructions for an exp, nine times as many at each of 4e6 points, on 132 x 128 lanes,
     * beside the memory's time. */
    ck_assert_msg(seconds[1] > 2.5e-5 && seconds[1] < 4e-5 && seconds[0] < 2e-5, "%g and %g",
        seconds[0], seconds[1]);
    ck_assert_msg(core[1] > core[0] + 0.2e-9 * 9 * 4e6, "%g and %g", core[0], core[1]);
}
END_TEST

/* A run to a tolerance that ends soon does not wait for many programs, unless they are compiled
 * already; a long one does. */
static int is_alike(struct proposal a, struct proposal b) {
    return !memcmp(a.options.tuning, b.options.tuning, sizeof a.options.tuning);
}

START_TEST(short_runs_compile_little) {
    setenv("XDG_CACHE_HOME", folder, 1);
    eulercl_problem *problem = open_at(&test_problem_bruss2d, 2 * 500 * 500);
    eulercl_options options;
    eulercl_options_init(&options);
    options.precision = EULERCL_FLOAT;
    options.rtol = 1e-3;
    struct run run = run_of(problem, &options);
    OK(ecl_settle_method(problem, &run.options, 0, &run.system, &error));
    ck_assert_int_eq(ecl_plan_steps(&run), 0);
    ck_assert_str_eq(cheapest(&run).options.backend, "cl-register");
    run.options.expected_end = 1;
    const int64_t steps = ecl_plan_steps(&run);
    ck_assert_int_gt(steps, 10);
    ck_assert_int_lt(steps, 10000);
    const struct proposal quick = cheapest(&run);
    ck_assert_str_eq(GIVEN_NAME(&quick.options, variant), "group-any");
    ck_assert_int_eq(quick.programs, 2); /* of two methods */
    ck_assert(quick.compile_seconds < 1.5);
    run.options.expected_end = 1e6;
    ck_assert_int_gt(ecl_plan_steps(&run), 100000 * steps);
    const struct proposal fast = cheapest(&run);
    ck_assert_str_eq(fast.options.backend, "cl-register");
    ck_assert_str_ne(GIVEN_NAME(&fast.options, variant), "group-any");
    ck_assert_int_gt(fast.programs, quick.programs);
    run.options.expected_end = 1;
    ck_assert(!ecl_builds_know(&run, &fast, &gpu));
    ecl_builds_add(&run, &fast, &gpu);
    ck_assert(ecl_builds_know(&run, &fast, &gpu));
    ck_assert(is_alike(cheapest(&run), fast));
    run.options.plan = "estimate";
    ck_assert(is_alike(cheapest(&run), quick));
    run.options.plan = NULL;
    run.options.wisdom = "";
    ck_assert(is_alike(cheapest(&run), quick));
    eulercl_device_info other = gpu;
    other.name[2] = 'g';
    run.options.wisdom = NULL;
    ck_assert(!ecl_builds_know(&run, &fast, &other));
    ecl_system_destroy(&run.system);
    eulercl_problem_destroy(problem);
}
END_TEST

#endif

/* What a run that is repeated compiles is worth more than one run. */
START_TEST(repeated_runs_compile_more) {
    struct plan plan = {.expected_steps = 2000, .count = 2};
    plan.proposals[0] = (struct proposal){
        .options.backend = "cl-linear", .programs = 1, .step_seconds = 1e-3, .build_seconds = 0.3};
    plan.proposals[1] = (struct proposal){.options.backend = "cl-register",
        .programs = 1,
        .step_seconds = 1e-5,
        .compile_seconds = 3,
        .build_seconds = 3.3};
    ecl_plan_share(&plan);
    ck_assert_str_eq(plan.proposals[0].options.backend, "cl-linear");
    plan.is_repeated = 1;
    ecl_plan_share(&plan);
    ck_assert_int_eq(plan.count, 2);
    ck_assert_str_eq(plan.proposals[0].options.backend, "cl-register");
    ck_assert_str_eq(plan.proposals[1].options.backend, "cl-linear");
}
END_TEST

/* Wisdom that says pthreads where the estimate says seq is believed; for few steps only if what is
 * slower is not ready sooner. */
START_TEST(wisdom_is_believed) {
    no_gpu();
    eulercl_problem *problem = open_at(&test_problem_string, TINY);
    eulercl_options options;
    eulercl_device_info cpu = {.compute_units = 0};
    eulercl_options_init(&options);
    options.wisdom = file;
    struct run run = run_of(problem, &options);
    struct plan *plan;
    OK(ecl_plan_make(&run, &plan, &error));
    cpu = plan->device;
    ecl_mem_free(plan);
    char key[WISDOM_KEY];
    struct proposal best = {.options = run.options, .step_seconds = 1e-7, .build_seconds = 0.5};
    best.options.backend = "pthreads";
    GIVE(&best.options, threads, 3);
    ecl_wisdom_key(&run, &cpu, ecl_engine_cpu.name, key);
    OK(ecl_wisdom_remember(file, key, &best, &error));
    check_plan(problem, &options, "wisdom", "pthreads", "100 ns per step measured earlier", "");
    options.expected_steps = 1000000000;
    check_plan(problem, &options, "wisdom", "pthreads", "for 1000000000 steps", "");
    options.expected_steps = 10;
    check_plan(problem, &options, "estimate", "seq", "for 10 steps", "");
    best.step_seconds = 1e-3; /* far from every estimate, but measured */
    OK(ecl_wisdom_remember(file, key, &best, &error));
    options.expected_steps = 1000000;
    check_plan(problem, &options, "wisdom", "pthreads", "1 ms per step measured earlier", "");
    options.expected_steps = 0;
    check_plan(problem, &options, "wisdom", "pthreads", "1 ms per step measured earlier", "");
    GIVE(&options, threads, 2); /* another key, and the user's option counts */
    check_plan(problem, &options, "estimate", "seq", "expected", "");
    GIVE(&options, threads, 0);
    /* One that names a backend of another group, by a key that was forged. */
    best.options.backend = "cl-linear";
    GIVE(&best.options, threads, 0);
    OK(ecl_wisdom_remember(file, key, &best, &error));
    check_plan(problem, &options, "estimate", "seq", "expected", "");
    /* Damaged: said, and solved. */
    write_file(file, "eulercl wisdom 1\nend 0 0\n", 25);
    check_plan(problem, &options, "estimate", "seq", "expected", "checksum");
    options.plan = "measure";
    check_plan(problem, &options, "measured", NULL, "measured", "is not used");
    /* Unwritable: likewise. */
    options.wisdom = "/dev/null/wisdom";
    check_plan(problem, &options, "measured", NULL, "measured", "cannot write");
    ecl_system_destroy(&run.system);
    eulercl_problem_destroy(problem);
}
END_TEST

START_TEST(what_the_user_gave_stands) {
    no_gpu();
    eulercl_problem *problem = open_at(&test_problem_string, 300000);
    eulercl_options options;
    eulercl_solver *solver = NULL;
    eulercl_options_init(&options);
    options.wisdom = "";
    GIVE(&options, threads, 3);
    options.plan = "measure";
    OK(eulercl_solver_create(problem, &options, &solver, &error));
    ck_assert(stats_of(solver).threads >= 1 && stats_of(solver).threads <= 3);
    eulercl_solver_destroy(solver);
    solver = NULL;
    options.plan = NULL;
    GIVE_NAME(&options, storage, "column"); /* nothing on the CPU has it */
    EXPECT_WORDS(EULERCL_UNSUPPORTED, "no usable backend supports threads=3,storage=column",
        eulercl_solver_create(problem, &options, &solver, &error));
    ck_assert_ptr_null(solver);
    GIVE_NAME(&options, variant, "vector"); /* a variant that it does not have is an error */
    EXPECT_WORDS(EULERCL_INVALID, "variant 'vector'",
        eulercl_solver_create(problem, &options, &solver, &error));
    ck_assert_ptr_null(solver);
    eulercl_problem_destroy(problem);
}
END_TEST

/* ---- what cores take from each other ---- */

/* The seconds of a step in lanes that are predicted for so many threads of 16 cores. */
static double predict(
    int problem, int64_t n, uint64_t threads, int64_t steps, const struct core_rates *rates) {
    eulercl_problem *opened = open_at(test_problems[problem].definition, n);
    eulercl_options options;
    struct proposal proposal;
    size_t b;
    eulercl_options_init(&options);
    options.precision = EULERCL_FLOAT;
    options.expected_steps = steps;
    GIVE(&options, threads, threads);
    GIVE_NAME(&options, variant, "lanes");
    struct run run = run_of(opened, &options);
    run.rates = *rates;
    OK(ecl_find_backend(threads > 1 ? "pthreads" : "cpu", &b, &error));
    ck_assert_int_eq(propose(b, &run, &proposal, 1), 1);
    ecl_system_destroy(&run.system);
    eulercl_problem_destroy(opened);
    return proposal.step_seconds;
}

START_TEST(cores_slow_each_other_down) {
    static const struct core_rates full = {16, 1, 1, 1}, halves = {16, 0.5, 0.5, 1},
                                   small = {16, 1, 0.5, 1}, slow = {16, 1, 1, 0.25}, unknown = {0};
    enum { LINE = TEST_string, PLANE = TEST_bruss2d };
    static const struct {
        int problem;
        int64_t n;
    } all[] = {{LINE, 100000}, {LINE, 30000000}, {PLANE, 2 * 512 * 512}, {PLANE, 2 * 2000 * 2000}};
    for (int i = 0; i < COUNT(all); i++) {
        const int p = all[i].problem;
        const int64_t n = all[i].n;
        const double nominal = predict(p, n, 16, 0, &unknown);
        ck_assert_double_eq(predict(p, n, 16, 0, &full), nominal);
        ck_assert_double_eq(predict(p, n, 1, 0, &halves), predict(p, n, 1, 0, &unknown));
        const double half = predict(p, n, 16, 0, &halves) / nominal;
        ck_assert_msg(
            half > 1.6 && half <= 2.001, "problem %d, n = %lld: %g", p, (long long)n, half);
        /* Some of the cores meet others. */
        const double some = predict(p, n, 8, 0, &halves) / predict(p, n, 8, 0, &unknown);
        ck_assert_msg(some > 1.1 && some < half, "problem %d, n = %lld: %g", p, (long long)n, some);
    }
    /* Small tiles do not need the second cache, and those of planes fill it. */
    ck_assert_double_eq(predict(LINE, 100000, 16, 0, &small), predict(LINE, 100000, 16, 0, &full));
    ck_assert_double_gt(predict(PLANE, 2 * 2000 * 2000, 16, 0, &small),
        1.1 * predict(PLANE, 2 * 2000 * 2000, 16, 0, &full));
    /* Few steps follow one another before the state goes to memory. */
    ck_assert_double_eq(
        predict(LINE, 100000, 16, 1000, &slow), predict(LINE, 100000, 16, 1000, &full));
    ck_assert_double_gt(
        predict(LINE, 30000000, 16, 80, &slow), 1.3 * predict(LINE, 30000000, 16, 80, &full));
    ck_assert_double_gt(
        predict(LINE, 30000000, 16, 10, &full), 1.3 * predict(LINE, 30000000, 16, 0, &full));
    ck_assert_double_eq(
        predict(LINE, 30000000, 16, 100000, &full), predict(LINE, 30000000, 16, 0, &full));
}
END_TEST

/* The only file of the folder in which rates are kept; its key. */
static struct bytes find_rates(char path[600]) {
    char directory[300];
    const char *name = NULL;
    struct bytes bytes;
    int start = 0;
    size_t key, value;
    snprintf(directory, sizeof directory, "%s/eulercl/cores", folder);
    DIR *entries = opendir(directory);
    ck_assert_ptr_nonnull(entries);
    for (const struct dirent *entry; (entry = readdir(entries));)
        if (*entry->d_name != '.') {
            ck_assert_ptr_null(name);
            name = entry->d_name;
            snprintf(path, 600, "%s/%s", directory, name);
        }
    ck_assert_ptr_nonnull(name);
    closedir(entries);
    OK(ecl_bytes_read(path, &bytes, &error));
    ck_assert_int_eq(
        sscanf(bytes.data, "eulercl-cores 1 %zu %zu %*[0-9a-f]%n", &key, &value, &start), 2);
    memmove(bytes.data, bytes.data + start + 1, key);
    bytes.size = key;
    return bytes;
}

/* The predicted seconds of pthreads. */
static double plan_seconds(const struct run *run, int64_t *cores) {
    struct plan *plan;
    double sum = 0;
    OK(ecl_plan_make(run, &plan, &error));
    for (int i = 0; i < plan->count; i++)
        if (!strcmp(plan->proposals[i].options.backend, "pthreads"))
            sum += plan->proposals[i].step_seconds;
    *cores = plan->rates.cores;
    ecl_mem_free(plan);
    return sum;
}

START_TEST(rates_are_kept) {
    static const char *const bad[] = {"", "compute 700 cache 400\n",
        "compute 100 cache 400 memory 300\n", "compute 700 cache 400 memory 1001\n",
        "compute 0700 cache 400 memory 300\n", "compute 700 cache 400 memory 300\n\n",
        "compute 700 cache nan memory 300\n"};
    no_gpu();
    setenv("XDG_CACHE_HOME", folder, 1);
    eulercl_problem *problem = open_at(&test_problem_string, 300000);
    eulercl_device_info processor;
    eulercl_options options;
    char path[600];
    int by_user;
    int64_t cores;
    eulercl_options_init(&options);
    OK(ecl_engine_cpu.find_device(&options, 0, &processor, &by_user, &error));
    struct run run = run_of(problem, &options);
    const double nominal = plan_seconds(&run, &cores);
    ck_assert_int_eq(cores, 0); /* without a GPU nothing is measured */
    ck_assert_int_eq(ecl_rates_known(&options).cores, 0);
    ecl_rates_found = (struct core_rates){99, 0.5, 0.1, 1.5};
    struct core_rates rates = ecl_rates_measure(&options);
    if (processor.compute_units > 1) {
        ck_assert_int_eq(rates.cores, processor.compute_units);
        ck_assert(rates.compute == 0.5 && rates.cache == 0.25 && rates.memory == 1);
        ecl_rates_found.compute = 0.75; /* nothing is measured twice */
        rates = ecl_rates_measure(&options);
        ck_assert(rates.compute == 0.5);
        rates = ecl_rates_known(&options);
        ck_assert(rates.compute == 0.5 && rates.cache == 0.25 && rates.memory == 1);
        ck_assert_double_gt(plan_seconds(&run, &cores), 1.5 * nominal);
        ck_assert_int_eq(cores, processor.compute_units);
        /* Some want plans that do not depend on earlier runs. */
        run.options.plan = "estimate";
        ck_assert_double_eq(plan_seconds(&run, &cores), nominal);
        ck_assert_int_eq(cores, 0);
        run.options.plan = NULL;
        run.options.wisdom = "";
        ck_assert_double_eq(plan_seconds(&run, &cores), nominal);
        run.options.wisdom = NULL;
        /* Damaged entries are not used, and go when the rates are measured again. */
        const struct bytes key = find_rates(path);
        for (int i = 0; i < COUNT(bad); i++) {
            char text[100];
            snprintf(text, sizeof text, "%s", bad[i]);
            ecl_cache_put("cores", &key, &(struct bytes){text, strlen(text)});
            ck_assert_msg(!ecl_rates_known(&options).cores, "'%s' is believed", bad[i]);
        }
        write_file(path, "compute 700", 11);
        ck_assert_double_eq(plan_seconds(&run, &cores), nominal);
        ck_assert_double_eq(ecl_rates_measure(&options).compute, 0.75);
        ck_assert_double_eq(ecl_rates_known(&options).compute, 0.75);
        ecl_mem_free(key.data);
        /* Where nothing can be kept, the process knows. */
        setenv("XDG_CACHE_HOME", "/dev/null/cache", 1);
        ck_assert_int_eq(ecl_rates_known(&options).cores, 0);
        ecl_rates_measure(&options);
        ecl_rates_found.compute = 1;
        ck_assert_double_eq(ecl_rates_measure(&options).compute, 0.75);
    } else
        ck_assert_int_eq(rates.cores, 0);
    ecl_system_destroy(&run.system);
    eulercl_problem_destroy(problem);
}
END_TEST

/* What is measured is a part of what the table says, also while other programs run. */
START_TEST(rates_are_measured) {
    struct core_rates rates = {0};
    OK(ecl_engine_cpu.measure_rates(&rates, &error));
    ck_assert_int_ge(rates.cores, 1);
    /* An emulated processor is thousands of times slower than the table's. */
    ck_assert_msg(rates.compute > 1e-6 && rates.compute < 20 && rates.cache > 1e-6 &&
                      rates.cache < 20 && rates.memory > 0,
        "compute %g, cache %g, memory %g", rates.compute, rates.cache, rates.memory);
    ck_assert_ptr_null(ecl_engine_opencl.measure_rates);
}
END_TEST

/* They are measured only if a processor would win that may be slower than it seems. */
START_TEST(rates_matter_where_they_decide) {
    eulercl_problem *problem = open_at(&test_problem_string, TINY);
    eulercl_options options;
    static const struct {
        double processor, gpu;
        int matter;
    } pairs[] = {{1e-5, 3e-5, 1}, {1e-5, 5e-5, 0}, {3e-5, 1e-5, 0}, {1e-5, (double)INFINITY, 0}};
    eulercl_options_init(&options);
    struct run run = run_of(problem, &options);
    for (int i = 0; i < COUNT(pairs); i++) {
        struct plan plan = {.count = pairs[i].gpu < 1 ? 3 : 2};
        const double seconds[] = {2 * pairs[i].processor, pairs[i].processor, pairs[i].gpu};
        static const char *const names[] = {"seq", "pthreads", "cl-linear"};
        for (int k = 0; k < 3; k++)
            plan.proposals[k] =
                (struct proposal){.options.backend = names[k], .step_seconds = seconds[k]};
        run.options = options;
        ck_assert_int_eq(ecl_rates_matter(&run, &plan), pairs[i].matter);
        run.options.plan = "estimate";
        ck_assert_int_eq(ecl_rates_matter(&run, &plan), 0);
        run.options.plan = NULL;
        run.options.backend = "pthreads";
        ck_assert_int_eq(ecl_rates_matter(&run, &plan), 0);
    }
    ecl_system_destroy(&run.system);
    eulercl_problem_destroy(problem);
}
END_TEST

/* ---- tune ---- */

struct seen {
    int candidates, chosen, failed, stop_after;
    double best, chosen_seconds;
    char note[512], backend[64];
    const char *only; /* the backend that was named; NULL: none */
};

static int watch(const eulercl_candidate *candidate, void *user) {
    struct seen *seen = user;
    ck_assert_uint_eq(candidate->struct_size, sizeof *candidate);
    ck_assert(candidate->predicted_seconds >= 0 && candidate->measured_seconds >= 0 &&
              candidate->backend && candidate->variant && candidate->tuning);
    ck_assert_int_eq(seen->chosen, 0); /* no call follows that one */
    ck_assert(!seen->only || !strcmp(candidate->backend, seen->only));
    if (candidate->is_chosen) {
        seen->chosen++;
        seen->chosen_seconds = candidate->measured_seconds;
        snprintf(seen->note, sizeof seen->note, "%s", candidate->note);
        snprintf(seen->backend, sizeof seen->backend, "%s", candidate->backend);
        return 0;
    }
    ck_assert(!*candidate->note == (candidate->measured_seconds > 0));
    if (!(candidate->measured_seconds > 0))
        seen->failed++;
    else if (!(seen->best > 0) || candidate->measured_seconds < seen->best)
        seen->best = candidate->measured_seconds;
    return ++seen->candidates == seen->stop_after;
}

START_TEST(tuning_is_watched) {
    no_gpu();
    eulercl_problem *problem = open_at(&test_problem_string, TINY);
    eulercl_options options;
    struct seen seen = {0};
    eulercl_options_init(&options);
    options.wisdom = file;
    OK(eulercl_tune(problem, &options, watch, &seen, &error));
    ck_assert(seen.candidates >= 1 && seen.chosen == 1 && seen.best == seen.chosen_seconds &&
              !*seen.note);
    ck_assert_int_eq(entries(file), 1);
    check_plan(problem, &options, "wisdom", seen.backend, "measured earlier", "");
    OK(eulercl_wisdom_forget(file, &error));
    OK(eulercl_tune(problem, &options, NULL, NULL, &error));
    ck_assert_int_eq(entries(file), 1);
    /* Stopped: nothing is remembered. */
    OK(eulercl_wisdom_forget(file, &error));
    seen = (struct seen){.stop_after = 1};
    EXPECT(EULERCL_CANCELLED, eulercl_tune(problem, &options, watch, &seen, &error));
    ck_assert(seen.candidates == 1 && !seen.chosen && !entries(file));
    /* One backend: the others are not compared, and nothing is remembered. */
    static const char *const named[] = {"pthreads", "cpu"};
    for (int i = 0; i < COUNT(named); i++) {
        options.backend = named[i];
        seen = (struct seen){.only = named[i]};
        OK(eulercl_tune(problem, &options, watch, &seen, &error));
        ck_assert(seen.chosen == 1 && strstr(seen.note, "not stored") && !entries(file));
    }
    options.backend = "nonsense";
    EXPECT(EULERCL_INVALID, eulercl_tune(problem, &options, watch, &seen, &error));
    options.backend = NULL;
    options.h = -1;
    EXPECT(EULERCL_INVALID, eulercl_tune(problem, &options, NULL, NULL, &error));
    eulercl_problem_destroy(problem);
}
END_TEST

START_TEST(opencl_is_tuned) {
    if (!have_opencl()) return;
    eulercl_problem *problem = open_at(&test_problem_string, TINY);
    eulercl_device_info device = {.struct_size = sizeof device};
    eulercl_options options;
    struct seen seen = {0};
    OK(eulercl_get_device(0, &device, &error));
    options_for(&options, &(struct way){"cl-honeycomb", NULL, 1}, EULERCL_FLOAT);
    options.device = device.id;
    OK(eulercl_tune(problem, &options, watch, &seen, &error));
    ck_assert(seen.candidates >= 1 && seen.failed < seen.candidates && seen.chosen == 1 &&
              seen.best == seen.chosen_seconds);
    ck_assert_str_eq(seen.backend, "cl-honeycomb");
    /* A configuration that cannot work says why. */
    GIVE(&options, workgroup_size, 100000000);
    seen = (struct seen){0};
    EXPECT_WORDS(
        EULERCL_UNSUPPORTED, "work-group", eulercl_tune(problem, &options, watch, &seen, &error));
    ck_assert_int_eq(seen.chosen, 0);
    eulercl_problem_destroy(problem);
}
END_TEST

/* ---- faults of memory ---- */

START_TEST(memory_faults) {
    no_gpu();
    static const char *const plans[] = {"estimate", "auto", "measure"};
    eulercl_problem *problem = open_at(&test_problem_string, 100);
    eulercl_options options;
    eulercl_options_init(&options);
    options.wisdom = file;
    OK(eulercl_tune(problem, &options, NULL, NULL, &error));
    for (int p = 0; p < COUNT(plans); p++) {
        long all =
            0; /* allocations that a solver takes: where it is made though all fail from there on */
        options.plan = plans[p];
        for (int from_then_on = 1; from_then_on >= 0; from_then_on--)
            for (long k = 0; from_then_on ? !all : k < all; k++) {
                eulercl_solver *solver = NULL;
                const long before = ecl_mem_live();
                ck_assert_int_lt(k, 1000);
                ecl_mem_fail(k, from_then_on);
                const int status = eulercl_solver_create(problem, &options, &solver, &error);
                ecl_mem_fail(-1, 0);
                /* A single fault may be survived: an estimate then replaces wisdom or a
                 * measurement. */
                ck_assert_msg(!status || (status == EULERCL_MEMORY && !solver),
                    "%s, allocation %ld: %s", plans[p], k, error.message);
                if (from_then_on && !status) all = k;
                eulercl_solver_destroy(solver);
                ck_assert_msg(ecl_mem_live() == before, "%s, allocation %ld: %ld are left",
                    plans[p], k, ecl_mem_live() - before);
            }
        ck_assert_int_gt(all, 5);
    }
    ck_assert_int_eq(entries(file), 1);
    eulercl_problem_destroy(problem);
}
END_TEST

static void add(TCase *tests) {
    tcase_add_checked_fixture(tests, set_up, tear_down);
    ADD(wisdom_comes_back);
    ADD(other_keys_are_others);
    ADD(any_damage_rejects_the_whole_file);
    ADD_LOOP(lies_are_found_out, COUNT(lies));
    ADD(files_that_are_none);
    ADD(paths_follow_the_environment);
    ADD(wisdom_travels);
    ADD(writers_lose_nothing);
    ADD(killed_writers_leave_it_whole);
    ADD(proposals_keep_to_the_options);
    ADD_LOOP(predictions_are_near_measurements, COUNT(known));
    ADD_LOOP(the_right_one_is_predicted_to_win, COUNT(contests));
    ADD_LOOP(proposals_keep_the_bits, COUNT(systems));
    ADD(named_devices_are_there);
    ADD(plans_are_told);
#ifdef HAVE_OPENCL
    ADD(functions_take_time);
    ADD(short_runs_compile_little);
#endif
    ADD(repeated_runs_compile_more);
    ADD(wisdom_is_believed);
    ADD(what_the_user_gave_stands);
    ADD(cores_slow_each_other_down);
    ADD(rates_are_kept);
    ADD(rates_are_measured);
    ADD(rates_matter_where_they_decide);
    ADD(tuning_is_watched);
    ADD(opencl_is_tuned);
    ADD(memory_faults);
}

int main(void) { return run_tests("plan", add); }
