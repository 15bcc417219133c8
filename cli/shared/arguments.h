/* SPDX-License-Identifier: BSD-2-Clause */
/* arguments.h - how the programs begin and read their options. */
#ifndef CLI_SHARED_ARGUMENTS_H
#define CLI_SHARED_ARGUMENTS_H

#include <argp.h>

/* Called before anything else: sets the program's name for messages and prepares its standard
 * streams. */
void begin_program(const char *name, int argc, char **argv);

/* Read the options of a subcommand into input; flags are argp's. */
int parse_arguments(
    const struct argp *argp, unsigned int flags, int argc, char **argv, void *input);
int parse_options(const struct argp *argp, int argc, char **argv, void *input);

/* The options of every subcommand: --json and --help. The child's input is a struct common. */
struct common {
    const char *command; /* its name in --help */
    int json;
};
extern const struct argp common_argp;

/* Words of an option. */
struct list {
    char **items; /* to be freed; they point into the text */
    size_t count;
};
/* Split the text at commas, which become ends. */
int split(const char *what, char *text, struct list *list);

#endif
