/* SPDX-License-Identifier: BSD-2-Clause */
/* problem.h - the problem that the command line chooses: PROBLEM|FILE.c|FILE.so, -p, --size. */
#ifndef CLI_SHARED_PROBLEM_H
#define CLI_SHARED_PROBLEM_H

#include "eulercl/eulercl.h"
#include "shared/arguments.h"

/* -p NAME=VALUE */
struct setting {
    const char *name;
    double value;
};

/* The child's input is a struct problem_choice. */
struct problem_choice {
    struct common common;
    const char *name; /* a built-in problem, FILE.c or FILE.so */
    struct setting *settings;
    size_t n_settings;
    int64_t size;                   /* components; 0: as the parameters say */
    const char *wanted, *wanted_by; /* the name of the problem in the file of --resume; NULL: any */
    /* any number of problems: the subcommand takes the arguments itself */
    int any_number;
    double compile_seconds; /* time to compile FILE.c, measured by open_problem */
    eulercl_compilation compilation;
    const eulercl_options *options; /* options of the run; NULL: there is no run */
    int is_one_run; /* in the precision of these options, which are settled when it is opened */
    int may_move;   /* that run may begin with baseline code */
};
extern const struct argp problem_argp;

/* Open the chosen problem and give it its parameters and size. */
int open_problem(
    struct problem_choice *choice, eulercl_problem **problem, eulercl_problem_info *info);
/* Read the options of a subcommand into input, of which choice is a part, and open the problem.
 * Every subcommand that takes one problem begins with it. */
int open_chosen(const struct argp *argp, int argc, char **argv, void *input,
    struct problem_choice *choice, eulercl_problem **problem, eulercl_problem_info *info);
int get_parameter(const eulercl_problem *problem, size_t index, eulercl_parameter *parameter);

#endif
