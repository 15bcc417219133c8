/* SPDX-License-Identifier: BSD-2-Clause */
/* check.c - eulercl check: verify a problem before any run. */
#include "config.h"

#include "command/commands.h"
#include "shared/json.h"
#include "shared/message.h"
#include "shared/number.h"
#include "shared/options.h"
#include "shared/problem.h"
#include "shared/stop.h"

#include <inttypes.h>
#include <stdio.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif
#include <sys/wait.h>
#include <unistd.h>

struct checking {
    struct problem_choice choice;
    eulercl_options options;
    const eulercl_problem_info *info;
    int is_begun; /* the first line is printed; no error comes before it */
    int status;   /* status of the command; COMPILE takes precedence over other failures */
    double t_end; /* NAN: not given */
    json_t *findings;
};

enum { KEY_DEVICE = 0x300, KEY_T0, KEY_T_END, KEY_METHOD, KEY_STAGES };

/* The library is told of a run of one step. */
static int set_end(struct checking *checking) {
    eulercl_options *const options = &checking->options;
    if (isnan(checking->t_end)) return EULERCL_OK;
    if (!(checking->t_end > options->t0))
        return fail(EULERCL_INVALID, "--t-end: %g is not after the initial time %g",
            checking->t_end, options->t0);
    options->h = checking->t_end - options->t0;
    options->expected_steps = 1;
    return EULERCL_OK;
}

static error_t parse_checking(int key, char *argument, struct argp_state *state) {
    struct checking *const checking = state->input;
    eulercl_method_info method;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &checking->choice;
        return 0;
    case KEY_DEVICE:
        checking->options.device = argument;
        return 0;
    case KEY_METHOD:
        return set_option("method", argument, &checking->options);
    case KEY_STAGES:
        return set_option("stages", argument, &checking->options);
    case KEY_T0:
        return read_real("--t0", argument, &checking->options.t0);
    case KEY_T_END:
        return read_real("--t-end", argument, &checking->t_end);
    case ARGP_KEY_END:
        return set_end(checking)
                   ? EULERCL_INVALID
                   : find_method(checking->options.method, checking->options.stages, &method);
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_option option_list[] = {
    {"device", KEY_DEVICE, "DEVICE", 0,
        "OpenCL device: an id or part of a name from eulercl devices, cpu or gpu", 2},
    {"method", KEY_METHOD, "NAME", 0,
        "one of the methods of eulercl list, for which step sizes are estimated (euler)", 2},
    {"stages", KEY_STAGES, "S", 0, "stages of a step, for methods that have a choice (10)", 2},
    {"t0", KEY_T0, "T", 0, "initial time (0)", 2},
    {"t-end", KEY_T_END, "T", 0,
        "end of the runs to come: jumps of the right-hand side in time are looked for until then "
        "(over many powers of two)",
        2},
    {0},
};
static const struct argp_child children[] = {{&problem_argp, 0, NULL, 0}, {0}};
static const struct argp argp = {
    .options = option_list,
    .parser = parse_checking,
    .args_doc = "PROBLEM|FILE.c|FILE.so",
    .children = children,
    .doc =
        "Verify a problem before any run: all forms of its right-hand side give the same bits, it "
        "reads no further than it declares, and its values are finite. Report which step sizes are "
        "stable. Exit status: 0 if every check holds, 1 if not, 8 if the source does not compile.",
};

static const char *const verdicts[] = {
    [EULERCL_HOLDS] = "ok",
    [EULERCL_FAILS] = "FAILS",
    [EULERCL_REMARK] = "note",
    [EULERCL_SKIPPED] = "skipped",
};

static int show_finding(const eulercl_finding *finding, void *user) {
    struct checking *const checking = user;
    const int is_new_log =
        checking->status != EULERCL_COMPILE; /* both precisions have the same mistakes */
    if (finding->verdict == EULERCL_FAILS && checking->status != EULERCL_COMPILE)
        checking->status = finding->status == EULERCL_COMPILE ? EULERCL_COMPILE : EULERCL_INTERNAL;
    if (checking->choice.common.json)
        json_array_append_new(checking->findings,
            json_pack("{s:s, s:s, s:o, s:s, s:s?}", "check", finding->check, "verdict",
                finding->verdict == EULERCL_FAILS ? "fails" : verdicts[finding->verdict],
                "component",
                finding->component < 0 ? json_null() : json_integer((json_int_t)finding->component),
                "text", finding->text, "log", *finding->log == '\0' ? NULL : finding->log));
    else {
        if (!checking->is_begun)
            printf("%s: %s, n = %" PRId64 "\n", checking->info->name, checking->info->title,
                checking->info->n);
        checking->is_begun = 1;
        printf("%-8s %-12s %s\n", verdicts[finding->verdict], finding->check, finding->text);
        fflush(stdout); /* checks may take a long time */
        if (is_new_log) fputs(finding->log, stderr);
    }
    return check_interrupt() != EULERCL_OK;
}

static json_t *json_known(int64_t value) {
    return value < 0 ? json_null() : json_integer((json_int_t)value);
}

static int print_json(const struct checking *checking, const eulercl_problem_info *info,
    const eulercl_check_report *report) {
    eulercl_method_info method;
    const int status = find_moderate_method(&checking->options, &method);
    if (status) return status;
    return json_print(
        json_pack("{s:s, s:I, s:b, s:I, s:o, s:o, s:o, s:o, s:o, s:o, s:s, s:i, s:o, s:b, s:O}",
            "problem", info->name, "n", (json_int_t)info->n, "ok", report->fails == 0,
            "access_distance", (json_int_t)info->access_distance, "smallest_access_distance",
            json_known(report->access_distance), "smallest_cyclic_distance",
            json_known(report->cyclic_distance), "smallest_radius", json_known(report->radius),
            "float_bytes", json_count(report->float_bytes), "double_bytes",
            json_count(report->double_bytes), "spectral_radius",
            json_number(report->spectral_radius, 0), "method", method.name, "stages", method.stages,
            "h_limit", json_number(report->h_limit, 0), "bits_guaranteed", info->bits_guaranteed,
            "findings", checking->findings));
}

/* ---- the process that runs the problem's code: it may crash, and this one goes on ---- */

/* The child's reports, in pieces of this size: a finding, or at last what the library returned. */
struct told {
    int is_end, status;
    eulercl_error error;
    eulercl_check_report report;
    eulercl_finding finding;
    char check[32], text[1024], log[sizeof((eulercl_error *)NULL)->log];
};

struct teller {
    struct told told;
    FILE *to;
};

static int tell(struct teller *teller) {
    return fwrite(&teller->told, sizeof teller->told, 1, teller->to) != 1 ||
           fflush(teller->to) != 0;
}

static int tell_finding(const eulercl_finding *finding, void *user) {
    struct teller *const teller = user;
    teller->told.finding = *finding;
    snprintf(teller->told.check, sizeof teller->told.check, "%s", finding->check);
    snprintf(teller->told.text, sizeof teller->told.text, "%s", finding->text);
    snprintf(teller->told.log, sizeof teller->told.log, "%s", finding->log);
    return tell(teller);
}

static _Noreturn void run_checks(
    const struct checking *checking, const eulercl_problem *problem, int to) {
    static struct teller teller;
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGXCPU};
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++) signal(signals[i], SIG_DFL);
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* nothing else would end an endless loop */
#endif
    teller.told.report.struct_size = sizeof teller.told.report;
    teller.to = fdopen(to, "w");
    if (teller.to != NULL) {
        teller.told.status = eulercl_check(problem, &checking->options, &teller.told.report,
            tell_finding, &teller, &teller.told.error);
        teller.told.is_end = 1;
        tell(&teller);
    }
    fflush(NULL);
    _exit(0);
}

/* The check that runs after the one called `last`; NULL: the first one. Names are listed in the
 * order of the checks, of which the second precision begins with the arithmetic. */
static const char *check_after(const char *last) {
    size_t i = 0;
    if (last == NULL) return eulercl_check_name(0);
    if (strcmp(last, "finite") == 0) return "arithmetic";
    while (eulercl_check_name(i) != NULL && strcmp(eulercl_check_name(i), last) != 0) i++;
    return eulercl_check_name(i) != NULL && eulercl_check_name(i + 1) != NULL
               ? eulercl_check_name(i + 1)
               : last;
}

/* Add a finding: the process ended before the checks did. */
static void find_crash(
    struct checking *checking, int ended, const char *last, eulercl_check_report *report) {
    char how[100], text[300];
    if (WIFSIGNALED(ended))
        snprintf(how, sizeof how, "crashes (%s)", strsignal(WTERMSIG(ended)));
    else
        snprintf(how, sizeof how, "ends the process with exit status %d", WEXITSTATUS(ended));
    snprintf(text, sizeof text,
        "the code of the problem %s, after the last finding about %s; the rest was not checked",
        how, last != NULL ? last : "nothing");
    const eulercl_finding crash = {.struct_size = sizeof crash,
        .check = check_after(last),
        .verdict = EULERCL_FAILS,
        .status = EULERCL_INTERNAL,
        .component = -1,
        .text = text,
        .log = ""};
    show_finding(&crash, checking);
    report->fails++;
}

/* A pipe that programs do not inherit which this one starts, such as the C compiler: it would keep
 * it open. */
static int make_pipe(int ends[2]) {
    if (pipe(ends) != 0) return 1;
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    return 0;
}

/* Run eulercl_check in a child process, which is started before any call of OpenCL, since OpenCL
 * does not survive a fork. */
static int check_apart(
    struct checking *checking, const eulercl_problem *problem, eulercl_check_report *report) {
    static struct told told;
    const char *last = NULL;
    int ends[2], begins[2], ended = 0, is_stopped = 0, is_whole = 0;
    fflush(NULL);
    if (make_pipe(ends)) return fail(EULERCL_MEMORY, "cannot create a pipe for the checks");
    if (make_pipe(begins)) {
        close(ends[0]);
        close(ends[1]);
        return fail(EULERCL_MEMORY, "cannot create a pipe for the checks");
    }
    const pid_t child = fork();
    if (child == 0) {
        char none;
        close(ends[0]);
        close(begins[1]);
        while (read(begins[0], &none, 1) < 0 && errno == EINTR) continue;
        run_checks(checking, problem, ends[1]);
    }
    close(ends[1]);
    close(begins[0]);
    /* Not before the fork: the child would have the locks that the compiler's thread holds. */
    eulercl_problem_optimize(problem);
    close(begins[1]);
    FILE *const from = child > 0 ? fdopen(ends[0], "r") : NULL;
    if (from == NULL) close(ends[0]);
    may_hang(1);
    while (from != NULL && !is_stopped && (is_whole = fread(&told, sizeof told, 1, from) == 1) &&
           !told.is_end) {
        told.finding.check = told.check;
        told.finding.text = told.text;
        told.finding.log = told.log;
        for (size_t i = 0; eulercl_check_name(i) != NULL; i++)
            if (strcmp(eulercl_check_name(i), told.check) == 0) last = eulercl_check_name(i);
        report->holds += told.finding.verdict == EULERCL_HOLDS;
        report->fails += told.finding.verdict == EULERCL_FAILS;
        report->skipped += told.finding.verdict == EULERCL_SKIPPED;
        is_stopped = show_finding(&told.finding, checking);
    }
    told.is_end = told.is_end && is_whole;
    if (!is_stopped && !told.is_end && from != NULL) is_stopped = check_interrupt() != EULERCL_OK;
    may_hang(0);
    if (child > 0) {
        if (is_stopped || from == NULL) kill(child, SIGKILL);
        while (waitpid(child, &ended, 0) < 0 && errno == EINTR)
            ;
    }
    if (from == NULL) return fail(EULERCL_MEMORY, "cannot start a process for the checks");
    fclose(from);
    if (is_stopped) return EULERCL_CANCELLED;
    if (!told.is_end && WIFSIGNALED(ended) && WTERMSIG(ended) == SIGXCPU)
        return fail(EULERCL_CANCELLED, "stopped by SIGXCPU");
    if (!told.is_end) {
        find_crash(checking, ended, last, report);
        return EULERCL_OK;
    }
    *report = told.report;
    return !told.status ? EULERCL_OK : fail_library(&told.error);
}

static int check(
    struct checking *checking, const eulercl_problem *problem, const eulercl_problem_info *info) {
    eulercl_check_report report = {.struct_size = sizeof report,
        .access_distance = -1,
        .cyclic_distance = -1,
        .radius = -1,
        .spectral_radius = NAN,
        .h_limit = NAN};
    checking->findings = json_array();
    checking->info = info;
    int status = check_apart(checking, problem, &report);
    if (!status && checking->choice.common.json)
        status = print_json(checking, info, &report);
    else if (!status && report.fails == 0)
        printf(
            "all %" PRId64 " checks passed; %" PRId64 " skipped\n", report.holds, report.skipped);
    else if (!status)
        printf("%" PRId64 " of %" PRId64 " checks failed\n", report.fails,
            report.fails + report.holds);
    json_decref(checking->findings);
    return !status ? checking->status : status;
}

int check_main(int argc, char **argv) {
    struct checking checking = {.choice = {.common.command = "eulercl check",
                                    .compilation = {.all_kernels = 1, .for_check = 1}},
        .t_end = NAN};
    eulercl_problem_info info;
    eulercl_problem *problem;
    eulercl_options_init(&checking.options);

    int status = open_chosen(&argp, argc, argv, &checking, &checking.choice, &problem, &info);
    if (!status) {
        status = check(&checking, problem, &info);
        eulercl_problem_destroy(problem);
    }
    return status;
}
