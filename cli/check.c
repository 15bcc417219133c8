/* check.c - eulercl check: verify a problem before any run.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include "cli.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct checking {
    struct problem_choice choice;
    eulercl_options options;
    const eulercl_problem_info *info;
    int is_begun;              /* the first line is printed: nothing is before an error */
    int status;                /* of the command: COMPILE goes before any other failure */
#ifdef HAVE_JANSSON
    json_t *findings;
#endif
};

enum { KEY_DEVICE = 0x300, KEY_T0 };

static error_t parse_checking(int key, char *argument, struct argp_state *state)
{
    struct checking *const checking = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &checking->choice;
        return 0;
    case KEY_DEVICE:
        checking->options.device = argument;
        return 0;
    case KEY_T0:
        return read_real("--t0", argument, &checking->options.t0);
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_option option_list[] = {
    {"device", KEY_DEVICE, "DEVICE", 0, "OpenCL device: an id or part of a name from eulercl devices, cpu or gpu", 2},
    {"t0", KEY_T0, "T", 0, "initial time (0)", 2},
    {0},
};
static const struct argp_child children[] = {{&problem_argp, 0, NULL, 0}, {0}};
static const struct argp argp = {
    .options = option_list,
    .parser = parse_checking,
    .args_doc = "PROBLEM|FILE.c|FILE.so",
    .children = children,
    .doc = "Verify a problem before any run: all forms of its right-hand side give the same bits, it reads no further than it declares, its values are"
           " finite; and say which step sizes are stable. Exit status 0 if all holds, 1 if not, 8 if the source does not compile.",
};

static const char *const verdicts[] = {
    [EULERCL_HOLDS] = "ok", [EULERCL_FAILS] = "FAILS", [EULERCL_REMARK] = "note", [EULERCL_SKIPPED] = "skipped",
};

static int show_finding(const eulercl_finding *finding, void *user)
{
    struct checking *const checking = user;
    const int is_new_log = checking->status != EULERCL_COMPILE;   /* both precisions have the same mistakes */
    if (finding->verdict == EULERCL_FAILS && checking->status != EULERCL_COMPILE)
        checking->status = finding->status == EULERCL_COMPILE ? EULERCL_COMPILE : EULERCL_INTERNAL;
#ifdef HAVE_JANSSON
    if (checking->choice.common.json)
        json_array_append_new(checking->findings, json_pack("{s:s, s:s, s:o, s:s, s:s?}",
            "check", finding->check, "verdict", finding->verdict == EULERCL_FAILS ? "fails" : verdicts[finding->verdict],
            "component", finding->component < 0 ? json_null() : json_integer((json_int_t)finding->component), "text", finding->text,
            "log", *finding->log == '\0' ? NULL : finding->log));
    else
#endif
    {
        if (!checking->is_begun)
            printf("%s: %s, n = %" PRId64 "\n", checking->info->name, checking->info->title, checking->info->n);
        checking->is_begun = 1;
        printf("%-8s %-12s %s\n", verdicts[finding->verdict], finding->check, finding->text);
        fflush(stdout);   /* what comes next may crash */
        if (is_new_log)
            fputs(finding->log, stderr);
    }
    return check_interrupt() != EULERCL_OK;
}

#ifdef HAVE_JANSSON
static json_t *json_known(int64_t value)
{
    return value < 0 ? json_null() : json_integer((json_int_t)value);
}

static int print_json(const struct checking *checking, const eulercl_problem_info *info, const eulercl_check_report *report)
{
    return json_print(json_pack("{s:s, s:I, s:b, s:I, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:b, s:O}",
        "problem", info->name, "n", (json_int_t)info->n, "ok", report->fails == 0, "access_distance", (json_int_t)info->access_distance,
        "smallest_access_distance", json_known(report->access_distance), "smallest_cyclic_distance", json_known(report->cyclic_distance),
        "smallest_radius", json_known(report->radius), "float_bytes", json_count(report->float_bytes),
        "double_bytes", json_count(report->double_bytes), "spectral_radius", json_number(report->spectral_radius, 0),
        "h_limit", json_number(report->h_limit, 0), "bits_guaranteed", info->bits_guaranteed, "findings", checking->findings));
}
#endif

static int check(struct checking *checking, const eulercl_problem *problem, const eulercl_problem_info *info)
{
    eulercl_error error;
    eulercl_check_report report = {.struct_size = sizeof report};
#ifdef HAVE_JANSSON
    checking->findings = json_array();
#endif
    checking->info = info;
    int status = eulercl_check(problem, &checking->options, &report, show_finding, checking, &error);
    if (status != EULERCL_OK)
        fail_library(&error);
#ifdef HAVE_JANSSON
    else if (checking->choice.common.json)
        status = print_json(checking, info, &report);
#endif
    else if (report.fails == 0)
        printf("all holds: %" PRId64 " checks%s\n", report.holds, report.skipped > 0 ? ", and what was skipped is not known" : "");
    else
        printf("%" PRId64 " of %" PRId64 " checks failed\n", report.fails, report.fails + report.holds);
#ifdef HAVE_JANSSON
    json_decref(checking->findings);
#endif
    return status == EULERCL_OK ? checking->status : status;
}

int check_main(int argc, char **argv)
{
    struct checking checking = {.choice = {.common.command = "eulercl check", .compiling.all_kernels = 1}};
    eulercl_problem_info info;
    eulercl_problem *problem;
    eulercl_options_init(&checking.options);

    int status = open_chosen(&argp, argc, argv, &checking, &checking.choice, &problem, &info);
    if (status == EULERCL_OK) {
        status = check(&checking, problem, &info);
        eulercl_problem_destroy(problem);
    }
    return status;
}
