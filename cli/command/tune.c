/* SPDX-License-Identifier: BSD-2-Clause */
/* tune.c - eulercl tune: time the most promising ways to solve a problem, and remember the fastest.
 */
#include "config.h"

#include "command/commands.h"
#include "shared/json.h"
#include "shared/message.h"
#include "shared/options.h"
#include "shared/problem.h"
#include "shared/stop.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct tuning {
    struct problem_choice choice;
    eulercl_options options;
    double n;    /* components */
    FILE *table; /* printed once a candidate works: if none does, only the error is printed */
    char *held;
    size_t held_size;
    char kept[4096]; /* the wisdom file, or why nothing was stored */
    int is_kept;
    json_t *candidates, *chosen;
};

static error_t parse_tuning(int key, char *argument, struct argp_state *state) {
    struct tuning *const tuning = state->input;
    (void)argument;
    if (key != ARGP_KEY_INIT) return ARGP_ERR_UNKNOWN;
    state->child_inputs[0] = &tuning->choice;
    state->child_inputs[1] = &tuning->options;
    return 0;
}

static const struct argp_child children[] = {
    {&problem_argp, 0, NULL, 0}, {&options_argp, 0, NULL, 0}, {0}};
static const struct argp argp = {
    .parser = parse_tuning,
    .args_doc = "PROBLEM|FILE.c|FILE.so",
    .children = children,
    .doc = "Time the most promising configurations for a problem with these options. The fastest "
           "is stored in the wisdom file, where backend auto finds it. With --backend, only the "
           "configurations of that backend are compared, and nothing is stored.",
};

/* ---- each candidate ---- */

static json_t *candidate_json(const struct tuning *tuning, const eulercl_candidate *candidate) {
    const int works = candidate->measured_seconds > 0;
    return json_pack("{s:s, s:s?, s:s?, s:f, s:o, s:o, s:o, s:s?}", "backend", candidate->backend,
        "variant", *candidate->variant ? candidate->variant : NULL, "tuning",
        *candidate->tuning ? candidate->tuning : NULL, "predicted_seconds",
        candidate->predicted_seconds, "measured_seconds",
        works ? json_real(candidate->measured_seconds) : json_null(), "build_seconds",
        works ? json_real(candidate->build_seconds) : json_null(), "component_steps_per_second",
        works ? json_real(tuning->n / candidate->measured_seconds) : json_null(), "note",
        *candidate->note && !candidate->is_chosen ? candidate->note : NULL);
}

static void print_candidate(struct tuning *tuning, const eulercl_candidate *candidate) {
    fprintf(tuning->table, "%-17s %-10s %12.4g ", candidate->backend, candidate->variant,
        1e6 * candidate->predicted_seconds);
    if (candidate->measured_seconds > 0)
        fprintf(tuning->table, "%12.4g %9.4g  %s\n", 1e6 * candidate->measured_seconds,
            1e-9 * tuning->n / candidate->measured_seconds, candidate->tuning);
    else
        fprintf(tuning->table, "%12s %9s  %s%s%s\n", "-", "-", candidate->tuning,
            *candidate->tuning ? ": " : "", candidate->note);
    fflush(tuning->table);
    if (candidate->measured_seconds > 0 && tuning->table != stdout) {
        fputs(tuning->held, stdout);
        fclose(tuning->table);
        tuning->table = stdout;
        fflush(stdout);
    }
}

static void print_chosen(const struct tuning *tuning, const eulercl_candidate *candidate) {
    printf("fastest  %s%s%s%s%s: %.4g us per step, %.4g Gcs/s (1e9 component-steps per second)\n",
        candidate->backend, *candidate->variant ? " " : "", candidate->variant,
        *candidate->tuning ? ", " : "", candidate->tuning, 1e6 * candidate->measured_seconds,
        1e-9 * tuning->n / candidate->measured_seconds);
    printf("%s%s\n", tuning->is_kept ? "kept     " : "note: ", tuning->kept);
}

static int show_candidate(const eulercl_candidate *candidate, void *user) {
    struct tuning *const tuning = user;
    if (candidate->is_chosen) {
        tuning->is_kept =
            *candidate->note == '\0' && eulercl_wisdom_path(tuning->options.wisdom, tuning->kept,
                                            sizeof tuning->kept, NULL) == EULERCL_OK;
        if (!tuning->is_kept) snprintf(tuning->kept, sizeof tuning->kept, "%s", candidate->note);
    }
    catch_signals(); /* a driver may have installed handlers */
    if (tuning->choice.common.json && candidate->is_chosen)
        tuning->chosen = candidate_json(tuning, candidate);
    else if (tuning->choice.common.json)
        json_array_append_new(tuning->candidates, candidate_json(tuning, candidate));
    else if (candidate->is_chosen)
        print_chosen(tuning, candidate);
    else
        print_candidate(tuning, candidate);
    return check_interrupt() != EULERCL_OK;
}

/* ---- the run ---- */

static int tune(
    struct tuning *tuning, const eulercl_problem *problem, const eulercl_problem_info *info) {
    eulercl_error error;
    eulercl_method_info method;
    int status = find_method(tuning->options.method, tuning->options.stages, &method);
    if (status) return status;
    tuning->n = (double)info->n;
    tuning->table = open_memstream(&tuning->held, &tuning->held_size);
    if (tuning->table == NULL) return fail(EULERCL_MEMORY, "no memory for the table");
    fprintf(tuning->table, "%-17s %-10s %12s %12s %9s  %s\n", "backend", "variant", "predicted us",
        "measured us", "Gcs/s", "tuning");
    tuning->candidates = json_array();
    status = eulercl_tune(problem, &tuning->options, show_candidate, tuning, &error);
    if (status) fail_library(&error);
    if (!status && tuning->choice.common.json)
        status = json_print(json_pack("{s:s, s:I, s:s, s:s, s:O, s:O, s:s?, s:s?}", "problem",
            info->name, "n", (json_int_t)info->n, "method", method.name, "precision",
            precision_name(tuning->options.precision), "candidates", tuning->candidates, "chosen",
            tuning->chosen, "wisdom", tuning->is_kept ? tuning->kept : NULL, "note",
            tuning->is_kept ? NULL : tuning->kept));
    json_decref(tuning->candidates);
    json_decref(tuning->chosen);
    if (tuning->table != stdout) fclose(tuning->table);
    free(tuning->held);
    return status;
}

int tune_main(int argc, char **argv) {
    struct tuning tuning = {.choice.common.command = "eulercl tune"};
    eulercl_problem_info info;
    eulercl_problem *problem;
    eulercl_options_init(&tuning.options);
    tuning.choice.options = &tuning.options;
    tuning.choice.is_one_run = 1;

    int status = open_chosen(&argp, argc, argv, &tuning, &tuning.choice, &problem, &info);
    if (!status) {
        status = tune(&tuning, problem, &info);
        eulercl_problem_destroy(problem);
    }
    return status;
}
