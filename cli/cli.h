/* cli.h - what the files of the command share.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 *
 * Every function that can fail returns an enum eulercl_status, which is also the exit code, and has printed its one
 * line on standard error by then: a caller passes the status on and cleans up, nothing else.
 */
#ifndef CLI_H
#define CLI_H

#include "config.h"

#include <argp.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>

#ifdef HAVE_JANSSON
#include <jansson.h>
#endif

#include "eulercl/eulercl.h"

/* ---- main.c ---- */

/* Print "eulercl: ..." on standard error; returns status. */
int fail(int status, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The same for a library call that has failed, with the compiler's log where there is one. */
int fail_library(const eulercl_error *error);
/* Read the options of a subcommand into input. */
int parse_options(const struct argp *argp, int argc, char **argv, void *input);

/* What every subcommand takes: --json and --help. The child's input is a struct common. */
struct common {
    const char *command;       /* as --help names it */
    int json;
};
extern const struct argp common_argp;

/* ---- one file per subcommand ---- */

int list_main(int argc, char **argv);
int devices_main(int argc, char **argv);
int info_main(int argc, char **argv);
int solve_main(int argc, char **argv);
int tune_main(int argc, char **argv);
int wisdom_main(int argc, char **argv);
int bench_main(int argc, char **argv);
int check_main(int argc, char **argv);
int new_main(int argc, char **argv);

/* ---- number.c: strict numbers; what names the option in the message ---- */

int read_real(const char *what, const char *text, double *value);
/* least <= value <= most; 1e8 is as good as 100000000. */
int read_whole(const char *what, const char *text, int64_t least, int64_t most, int64_t *value);

#ifdef HAVE_JANSSON
/* ---- json.c: a result is a json_t * until it is printed; NULL stands for one that could not be built ---- */

json_t *json_number(double value, int integer);          /* null for what JSON has no number for */
json_t *json_count(uint64_t value);                      /* null for 0: does not apply */
json_t *json_parameters(const eulercl_problem *problem); /* name: value */
int json_print(json_t *object);                          /* on standard output; takes the reference */
#endif

/* ---- problem.c ---- */

/* PROBLEM, -p and --size. The child's input is a struct problem_choice. */
struct problem_choice {
    struct common common;
    const char *name;          /* a built-in problem, FILE.c or FILE.so */
    struct setting {
        const char *name;
        double value;
    } *settings;
    size_t n_settings;
    int64_t size;              /* components; 0: as the parameters say */
    int any_number;            /* of problems: the subcommand takes the arguments itself */
};
extern const struct argp problem_argp;

/* Open the chosen problem and give it its parameters and size. */
int open_problem(const struct problem_choice *choice, eulercl_problem **problem, eulercl_problem_info *info);
int get_parameter(const eulercl_problem *problem, size_t index, eulercl_parameter *parameter);

/* ---- options.c: where and how to solve, for every subcommand that does ---- */

/* The child's input is an eulercl_options; what is not given is left as it is. */
extern const struct argp options_argp;
/* The same by a field's name, as in a list of runs. The text of a name must outlive the options. */
int set_option(const char *name, const char *text, eulercl_options *options);
const char *precision_name(enum eulercl_precision precision);
int read_precision(const char *what, const char *text, enum eulercl_precision *precision);

/* ---- compile.c ---- */

/* Compile FILE.c with cc and open it. */
int open_source(const char *file, eulercl_problem **problem);

/* The public headers that FILE.c needs, as bytes (made by cli/local.mk). */
struct header {
    const char *name;
    const unsigned char *bytes;
    size_t size;
};
extern const struct header headers[];   /* ends with a NULL name */

/* ---- new.c ---- */

/* The sources that eulercl new begins with, as bytes (made by cli/local.mk): the general form, a grid of one dimension, of two. */
struct template {
    const char *name;          /* the problem's there, also a word in its comments */
    const unsigned char *bytes;
    size_t size;
};
extern const struct template templates[];

/* ---- progress.c ---- */

extern eulercl_observer show_progress;   /* stops the run once there was a SIGINT; user is a struct progress */
struct progress {
    int terminal;              /* 1: show a line on standard error */
    int shown;                 /* there is one to wipe */
    double start;              /* wall clock, seconds */
};
double wall_clock(void);
void wipe_progress(struct progress *progress);
/* The first SIGINT asks for a stop, the second one kills. */
void catch_interrupt(void);
/* EULERCL_CANCELLED once there was one, else EULERCL_OK. */
int check_interrupt(void);

/* ---- npy.c, picture.c, output.c ---- */

/* A state, as files see it. */
struct layout {
    const eulercl_problem_info *info;
    enum eulercl_precision precision;
    int64_t component;         /* per grid point, for pictures */
};

/* Read the header of FILE.npy and leave the file at its first real. */
int open_npy(const char *path, const struct layout *layout, FILE **file);

struct output;
struct output_format {
    const char *extension;
    /* Before the run: allocate, write what is known. */
    int (*begin)(struct output *output);
    /* Reals first .. first + count - 1 of the final state, called in order. */
    int (*add)(struct output *output, int64_t first, int64_t count, const void *y);
    /* After all of them; t is the time of the state. May be NULL. */
    int (*finish)(struct output *output, double t);
};
extern const struct output_format npy_format;
extern const struct output_format png_format;   /* picture.c, only with Cairo */

/* A file under way: written beside its target, renamed at the end. */
struct output {
    const char *path;
    char *temporary;
    FILE *file;
    const struct output_format *format;
    const struct layout *layout;
    void *data;                /* the format's, freed with free() */
};
/* Is this a path that begin_output can write? Asked while options are read. */
int check_output(const char *path);
int begin_output(struct output *output, const char *path, const struct layout *layout);
/* Put the finished file in its place. */
int commit_output(struct output *output);
/* Remove what was not committed. An output of zeros is allowed. */
void discard_output(struct output *output);
/* The same for a file without a format: what is written to output->file. */
int begin_file(struct output *output, const char *path);
/* Could it be begun? For what is written after a long time only. */
int check_file(const char *path);

/* ---- state.c ---- */

enum { CHUNK = 1 << 20 };      /* components that the command holds at a time */

/* Load the state from an open NumPy file. chunk has room for CHUNK reals. */
int load_state(eulercl_solver *solver, const char *path, FILE *in, const struct layout *layout, void *chunk);
/* Hand the state to the outputs and commit them; hash becomes 16 hex digits, or stays empty in a command without xxHash. */
int save_state(eulercl_solver *solver, struct output *outputs, size_t n_outputs, const struct layout *layout, void *chunk,
               char hash[17]);

#endif
