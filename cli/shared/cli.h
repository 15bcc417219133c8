/* cli.h - what the files of the command share.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 *
 * Every function that can fail returns an enum eulercl_status, which is also the exit code, and has
 * printed its one line on standard error by then: a caller passes the status on and cleans up,
 * nothing else.
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

/* ---- arguments.c ---- */

/* Before anything else: the program's name, as messages have it, and its standard streams. */
void begin_program(const char *name, int argc, char **argv);
/* Print "eulercl: ..." on standard error; returns status. */
int fail(int status, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The same for news. */
void say(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* As fail, for a library call that has failed, with the compiler's log where there is one. */
int fail_library(const eulercl_error *error);
/* The text as a part of a line of a file: spaces in place of control characters and of those in
   `instead`, question marks in place of what is not UTF-8. The first writes one character and
   returns its length in the text. */
int put_character(FILE *file, const char *text, const char *instead);
void put_plain(FILE *file, const char *text, const char *instead);
/* The same in XML and HTML, but for control characters that are kept. */
void put_xml(FILE *file, const char *text, const char *kept);
/* Read the options of a subcommand into input; parse_arguments: as argp's flags say. */
int parse_arguments(const struct argp *argp, unsigned int how, int argc, char **argv, void *input);
int parse_options(const struct argp *argp, int argc, char **argv, void *input);

/* What every subcommand takes: --json and --help. The child's input is a struct common. */
struct common {
    const char *command; /* as --help names it */
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
int compare_main(int argc, char **argv);
int check_main(int argc, char **argv);
int new_main(int argc, char **argv);

/* ---- number.c: strict numbers; what names the option in the message ---- */

int read_real(const char *what, const char *text, double *value);
/* least <= value <= most; 1e8 is as good as 100000000. */
int read_whole(const char *what, const char *text, int64_t least, int64_t most, int64_t *value);
/* The value with as many digits as it takes to read it back. */
const char *real_text(double value, char buffer[32]);

/* ---- facts.c: what files and reports say of the run that they come from ---- */

struct fact {
    const char *name;
    enum fact_kind {
        FACT_NONE,
        FACT_TEXT,
        FACT_WHOLE,
        FACT_TRUTH,
        FACT_REAL
    } kind;           /* FACT_NONE: it does not apply */
    int is_parameter; /* of the problem */
    const char *text;
    int64_t whole;
    double real;
};
struct facts {
    struct fact *list;
    size_t count;
    eulercl_stats stats; /* what they were made of */
    char driver[256];
};
/* What is known of a run before it begins. */
struct origin {
    const char *command; /* as the user wrote it */
    char date[32];
    const eulercl_problem *problem;
    const eulercl_problem_info *info;
    const eulercl_options *options;
};
/* And what is known at its end. */
struct ending {
    const char *hash; /* of the state; "": unknown */
    double last_h;    /* of the last shorter step; 0: there was none */
    int status;       /* why it ended */
};
/* As of now. Texts live as long as the solver, the ending and the facts. */
int collect_facts(const struct origin *origin, const eulercl_solver *solver,
    const struct ending *ending, struct facts *facts);
/* The same of a solver that was in that state. */
int collect_facts_of(const struct origin *origin, const eulercl_stats *stats,
    const eulercl_clock *clock, const struct ending *ending, struct facts *facts);
/* The first ones alone: program, command line, problem. There is room for `more`. */
int begin_facts(const struct origin *origin, size_t more, struct facts *facts);
void add_text_fact(
    struct facts *facts, const char *name, const char *text); /* "" is nothing to say */
void add_whole_fact(struct facts *facts, const char *name, int64_t value);
void add_real_fact(
    struct facts *facts, const char *name, double value); /* none where it is not finite */
void free_facts(struct facts *facts);
const char *fact_text(const struct fact *fact, char buffer[32]);
/* One a line. */
void print_facts(FILE *file, const char *before, const struct facts *facts);
/* The command line in one line of UTF-8, to be freed; NULL without memory. To be asked before
 * options are read: that changes them. */
char *join_arguments(const char *command, int argc, char **argv);
void format_date(char date[32]);
/* "" if there is none. */
void find_driver(const char *device_id, char *driver, size_t size);
/* Component-steps per second of this run, without what it has resumed; NaN where there is nothing
 * to divide. */
double steps_rate(const eulercl_stats *stats);

#ifdef HAVE_JANSSON
json_t *json_facts(const struct facts *facts); /* NULL if it could not be built */

/* ---- json.c: a result is a json_t * until it is printed; NULL stands for one that could not be
 * built ---- */

json_t *json_number(double value, int integer);          /* null for what JSON has no number for */
json_t *json_count(uint64_t value);                      /* null for 0: does not apply */
json_t *json_parameters(const eulercl_problem *problem); /* name: value */
int json_print(json_t *object); /* on standard output; takes the reference */
#endif

/* ---- problem.c ---- */

/* How FILE.c becomes a problem. */
struct compiling {
    int all_kernels; /* for each instruction set instead of this processor's best alone */
    int no_cache;    /* compile what was compiled before, and do not keep it */
    int is_cached;   /* set: it was compiled before */
    const struct setting *settings; /* of -p; their names are checked first */
    size_t n_settings;
};

/* PROBLEM, -p and --size. The child's input is a struct problem_choice. */
struct problem_choice {
    struct common common;
    const char *name; /* a built-in problem, FILE.c or FILE.so */
    struct setting {
        const char *name;
        double value;
    } * settings;
    size_t n_settings;
    int64_t size; /* components; 0: as the parameters say */
    const char *wanted,
        *wanted_by;         /* the name that the problem has in the file of --resume; NULL: any */
    int any_number;         /* of problems: the subcommand takes the arguments itself */
    double compile_seconds; /* that FILE.c took, as measured by open_problem */
    struct compiling compiling;
    const eulercl_options *options; /* of the run; NULL: there are none */
};
extern const struct argp problem_argp;

/* Open the chosen problem and give it its parameters and size. */
int open_problem(
    struct problem_choice *choice, eulercl_problem **problem, eulercl_problem_info *info);
/* Read the options of a subcommand into input, of which choice is a part, and open the problem:
 * what those with one problem begin with. */
int open_chosen(const struct argp *argp, int argc, char **argv, void *input,
    struct problem_choice *choice, eulercl_problem **problem, eulercl_problem_info *info);
int get_parameter(const eulercl_problem *problem, size_t index, eulercl_parameter *parameter);

/* ---- options.c: where and how to solve, for every subcommand that does ---- */

/* The child's input is an eulercl_options; what is not given is left as it is. */
extern const struct argp options_argp;
/* The same by a field's name, as in a list of runs. The text of a name must outlive the options. */
int set_option(const char *name, const char *text, eulercl_options *options);
const char *precision_name(enum eulercl_precision precision);
int read_precision(const char *what, const char *text, enum eulercl_precision *precision);

/* ---- timespan.c ---- */

enum { DEFAULT_STEPS = 1000 };
/* --t0, --h, --steps, --t-end. The child's input is a struct time_choice. */
struct time_choice {
    eulercl_options *options; /* which get t0 and h */
    int has_t0, has_h, has_t_end, has_steps;
    int is_auto; /* --h auto */
    double t_end;
    int64_t steps;
};
extern const struct argp time_argp;
/* Any two of --t-end, --h and --steps give the third. Asked when all were read. */
int settle_time(struct time_choice *time);
/* SECONDS or HH:MM:SS, greater than 0. */
int read_duration(const char *what, const char *text, double *seconds);
void expect_steps(const struct time_choice *time);

/* ---- compile.c ---- */

/* Compile FILE.c with cc, and open it. */
int open_source(const char *file, struct compiling *compiling, eulercl_problem **problem);

/* ---- cache.c: what was compiled before ---- */

struct bytes {
    char *data;
    size_t size;
};
/* The file in memory; data, to be freed, is NULL where that fails. */
void read_bytes(const char *path, struct bytes *bytes);
/* 1: the library that was made from the key is at that path now. */
int fetch_compiled(const struct bytes *key, const char *library);
/* Keep it, if that is possible. */
void store_compiled(const struct bytes *key, const char *library);

/* ---- compiler_log.c ---- */

/* The first error that a compiler's log finds in the source or in the headers, which lie in the
 * folder: 1 if there is one, what it says, and the line of the source. */
int find_error(
    const char *log, const char *source, const char *folder, long *at, char *text, size_t size);
/* The words that the headers call and the source does not have: 1 if there are any, and they in a
 * list. */
int find_missing(const char *log, char *text, size_t size);
/* What to write instead, for an error that find_error found; "" where that is not known. */
const char *advice(const char *error);
/* The log on standard error, to the end of its first error and without what it says about the
 * headers. 1: there was something to show. */
int show_messages(const char *log, const char *folder);

/* The public headers that FILE.c needs, as bytes (made by cli/local.mk). */
struct header {
    const char *name;
    const unsigned char *bytes;
    size_t size;
};
extern const struct header headers[]; /* ends with a NULL name */

/* ---- new.c ---- */

/* The sources that eulercl new begins with, as bytes (made by cli/local.mk): the general form, a
 * grid of one dimension, of two. */
struct template {
    const char *name; /* the problem's there, also a word in its comments */
    const unsigned char *bytes;
    size_t size;
};
extern const struct template templates[];

/* ---- progress.c ---- */

extern eulercl_observer show_progress; /* stops the run once there was a signal, or ask_to_stop, or
                                          at a time; user is a struct progress */
struct progress {
    int terminal;        /* 1: show a line on standard error */
    double start;        /* wall clock, seconds */
    int64_t steps_total; /* of the run, which may take several advances */
    double limit, due;   /* on the wall clock: when the run stops, and when it pauses for a
                            checkpoint; 0: never */
};
/* Has the wall clock come to this time? Not where it is 0. */
int is_due(double time);
/* Is there someone to show it to? */
int can_show_progress(void);
/* Is the stream a terminal that shows colours, and does the user want them (https://no-color.org)?
 */
int can_show_colours(FILE *stream);
double wall_clock(void);
/* A line of progress, in place of the one before. */
void show_line(const char *line);
void wipe_progress(void);
/* From any thread. */
void ask_to_stop(void);
/* The first SIGINT, SIGTERM, SIGHUP or SIGXCPU asks for a stop, another one ends the command at
   once, as if it were not caught. Again after code that may have set handlers of its own. */
void catch_signals(void);
/* A file that grows beyond the limit is an error of write, not the end of the command. */
void catch_file_limit(void);
/* The name of the signal that asked for a stop; NULL: there was none. */
const char *stop_signal(void);
/* EULERCL_CANCELLED once there was one, else EULERCL_OK. */
int check_interrupt(void);
/* What runs from now on may never return, as code of a FILE.c: a signal then ends the command after
   ten seconds even if nobody has looked for it. So it is at the beginning; 0: what runs now does
   return, and is worth waiting for. */
void may_hang(int hangs);
/* Around what creates a private file, which is removed where a signal ends the command at once,
 * until it is released. path NULL: there is none that is new. */
void begin_private(void);
void end_private(const char *path);
/* The same for a file that may be created in a private folder, or for a folder. */
void guard_file(const char *path);
void release_file(const char *path);

/* ---- output.c: files that are there in full or not at all ---- */

/* A state, as files see it. */
struct layout {
    const eulercl_problem_info *info;
    enum eulercl_precision precision;
    int64_t component;      /* per grid point, for pictures */
    double least, greatest; /* the ends of a picture's scale; equal: each picture's own */
    const struct origin *origin;
    const char *const *columns; /* of a table: probes and monitors */
    size_t n_columns;
};

/* When a state was, and what goes beside it. */
struct moment {
    int64_t step;
    double t;
    const char *hash; /* "" where the state was not read */
    eulercl_clock clock;
    const double *values; /* as many as columns */
};

struct output;
struct output_format {
    const char *extension,
        *missing; /* missing: what this command was built without; then all that follows is NULL */
    int holds_many; /* all snapshots of a run, not one state */
    int is_live;    /* can be looked at while it grows */
    /* Before the run: allocate, write what is known. */
    int (*begin)(struct output *output);
    /* Before each state. May be NULL. */
    int (*begin_state)(struct output *output);
    /* Reals first .. first + count - 1 of the state, called in order. NULL: it takes none. */
    int (*add)(struct output *output, int64_t first, int64_t count, const void *y);
    /* After all of them. May be NULL. */
    int (*end_state)(struct output *output, const struct moment *moment);
    /* At the end. May be NULL. */
    int (*finish)(struct output *output, const struct facts *facts);
    /* A file beside it, in place after it: its name, to be freed, and what stands in it (a write
     * error is found later). Both may be NULL. */
    char *(*name_beside)(const struct output *output);
    int (*write_beside)(const struct output *output, FILE *file, const struct facts *facts);
    /* Close what only the format knows. May be NULL. */
    void (*discard)(struct output *output);
};
extern const struct output_format npy_format, png_format, apng_format, hdf5_format,
    checkpoint_format, table_format;
const struct output_format *find_format(const char *path); /* NULL: none */

/* A file under way: written beside its target, renamed at the end. */
struct output {
    const char *path;
    char *temporary;
    FILE *file;
    const struct output_format *format;
    const struct layout *layout;
    int many;       /* 1: a series of states, 0: one */
    int keeps_old;  /* 1: what it replaces becomes PATH.old */
    int64_t states; /* that are in it */
    void *data;     /* the format's, freed with free() */
};
/* Is this a path that begin_output can write? Asked while options are read. */
int check_output(const char *path);
/* Do they name one file, by whatever way? */
int is_same_file(const char *a, const char *b);
/* Nothing else of this command is to be written to the name, which belongs to the option's path.
 * Asked once for each, when all options were read. */
int claim_file(const char *option, const char *path, const char *name);
/* To the path, nor to what stands beside it. */
int claim_output(const char *option, const char *path);
int begin_output(struct output *output, const char *path, const struct layout *layout, int many);
/* The same for --checkpoint. */
int check_checkpoint(const char *path);
int begin_checkpoint(struct output *output, const char *path, const struct layout *layout);
/* Finish it, and put it in its place. */
int commit_output(struct output *output, const struct facts *facts);
/* Remove what was not committed. An output of zeros is allowed. */
void discard_output(struct output *output);
/* The same for a file without a format: what is written to output->file. */
int begin_file(struct output *output, const char *path);
int commit_file(struct output *output);
/* Could it be begun? For what is written after a long time. */
int check_file(const char *path);
#ifdef HAVE_JANSSON
/* FILE.json beside FILE with the facts, for formats without room for them. */
char *name_json_beside(const struct output *output);
int write_json_beside(const struct output *output, FILE *file, const struct facts *facts);
#define JSON_BESIDE .name_beside = name_json_beside, .write_beside = write_json_beside
#else
#define JSON_BESIDE .name_beside = NULL
#endif
/* Write failed. */
int fail_writing(const struct output *output);

#ifdef HAVE_CAIRO
/* ---- picture.c: the parts of a picture, for animation.c ---- */

int begin_picture(struct output *output);
int begin_picture_state(struct output *output);
int add_to_picture(struct output *output, int64_t first, int64_t count, const void *y);
/* facts may be NULL. */
int draw_picture(struct output *output, double t, FILE *file, const struct facts *facts);
#endif

/* ---- input.c: initial states ---- */

struct input;
/* Where FILE.h5 ends in FILE.h5[:DATASET]; NULL: the name is not that of an HDF5 file. */
const char *end_of_hdf5(const char *path);
/* Open FILE.npy or FILE.h5[:DATASET]: is it what the layout says? */
int open_input(const char *path, const struct layout *layout, struct input **input);
/* The same for a file that is HDF5 whatever its name is. */
int open_resumed(const char *path, const struct layout *layout, struct input **input);
/* Load the state. chunk has room for CHUNK reals. */
int read_input(
    struct input *input, int64_t first, int64_t count, void *y); /* one after the other */
int load_input(struct input *input, eulercl_solver *solver, void *chunk);
void close_input(struct input *input); /* NULL is allowed */

/* The run that a state in an HDF5 file comes from, as the file says. */
struct past {
    char *problem; /* to be freed, as all texts here; NULL: the file says nothing of a run */
    enum eulercl_precision precision;
    int64_t n;
    double t0, t;
    eulercl_clock clock; /* of the last state */
    struct setting *parameters;
    size_t n_parameters;
    int rank; /* of the state without snapshots; 0: not known */
    int64_t extents[3];
};
/* Of the dataset /state. Where `needed` is 0 a file that says nothing, or not all, is no error. */
int read_past(const char *path, int needed, struct past *past);
void free_past(struct past *past);

/* For reading: no pipe, which may never have a byte, and no device. */
int open_regular(const char *path, FILE **file);
/* npy.c: read the header of FILE.npy and leave the file at its first real. */
int open_npy(const char *path, const struct layout *layout, FILE **file);
#ifdef HAVE_HDF5
/* hdf5.c */
struct hdf5_input;
int open_hdf5(
    const char *path, const char *dataset, const struct layout *layout, struct hdf5_input **input);
int read_hdf5(struct hdf5_input *input, int64_t first, int64_t count, void *y);
void close_hdf5(struct hdf5_input *input);
#endif

/* ---- state.c ---- */

enum { CHUNK = 1 << 20 }; /* components that the command holds at a time */

/* Reals first .. first + count - 1 of the state, called in order. */
typedef int chunk_taker(int64_t first, int64_t count, const void *y, void *user);
/* Read the state by chunks; chunk has room for CHUNK reals, or n; take may be NULL. hash becomes 16
   hex digits, or stays empty in a command without xxHash. */
int stream_state(eulercl_solver *solver, int64_t n, enum eulercl_precision precision, void *chunk,
    chunk_taker *take, void *user, char hash[17]);
/* The same of a snapshot that was taken. */
int stream_snapshot(eulercl_snapshot *snapshot, enum eulercl_precision precision, chunk_taker *take,
    void *user, char hash[17]);

/* ---- record.c: what is kept of a run: when, what, where ---- */

/* How often something happens: one of these is not 0, or all are. */
struct interval {
    int64_t steps;
    double time;    /* of the problem */
    double seconds; /* on the wall clock */
};
/* What the state is recorded as. */
enum {
    SNAPSHOT = 1, /* in files of --out with all or numbered snapshots */
    CHECKPOINT = 2,
    LAST = 4,    /* in files with the final state */
    AT_ONCE = 8, /* not beside steps that follow; LAST is, too */
};

struct recording {
    /* from the options */
    const char **out; /* paths, as many as n_out */
    size_t n_out;
    struct interval every;  /* between snapshots; zeros: none */
    const char *checkpoint; /* path; NULL: none */
    struct interval checkpoint_every;
    int64_t *probes; /* components */
    size_t n_probes;
    eulercl_statistic *figures;
    size_t n_figures;
    int verbose;          /* say what is written when */
    struct layout layout; /* component and range; the rest of the run */
    /* of the run */
    struct target *targets; /* of --out, then the checkpoint */
    size_t n_targets;
    char (*names)[32]; /* of the columns: probes, then figures */
    const char **columns;
    double *values; /* of the last snapshot */
    int64_t snapshots, checkpoints;
    void *chunk;     /* CHUNK reals, or n */
    struct job *job; /* the present snapshot */
    eulercl_snapshot
        *snapshot;        /* states are written from it, beside the steps; NULL: between them */
    int is_aside;         /* there was such a snapshot */
    char why_serial[512]; /* "": nothing stood against it */
    double wait_seconds;  /* in which no step was made, for snapshots */
    double write_seconds; /* of reading and writing them */
    int64_t state_bytes;  /* that were read for them */
    char hash[17]; /* of the last state that was read, 16 hex digits; empty in a command without
                      xxHash */
};
/* N, t=T or, for checkpoints, SECONDSs */
int read_every(const char *text, struct interval *every);
int read_checkpoint_every(const char *text, struct interval *every);
int read_probes(const char *text, struct recording *recording);
int read_figures(const char *text, struct recording *recording);
int read_range(const char *text, struct recording *recording);
/* Do the options fit together? Asked when all were read. */
int check_recording(const struct recording *recording);
/* Open the files and allocate: the reasons to fail that must come before a long run. What pictures
 * show is in recording->layout. */
int begin_recording(struct recording *recording, const struct origin *origin);
/* Are there files for snapshots? */
int has_snapshots(const struct recording *recording);
/* The first step after the clock's that is at or after a multiple of the interval, counted from
 * step 0 at t0; INT64_MAX: none. */
int64_t next_moment(const struct interval *every, const eulercl_clock *clock, double t0);
/* Before the first record_state: memory for states that are written beside the steps. Where there
 * is none they are written between them, as why_serial says. */
int begin_snapshots(struct recording *recording, eulercl_solver *solver);
/* The state as it is. But for LAST and AT_ONCE it may still be being written when this returns; how
 * that ended, the next call says, or finish_snapshot. */
int record_state(struct recording *recording, eulercl_solver *solver, int as);
/* Wait for the snapshot that is being written, if there is one. */
int finish_snapshot(struct recording *recording);
/* After that, and before the solver is destroyed. */
void end_snapshots(struct recording *recording);
/* Put the files in their places; of a run that was stopped early, the series. */
int end_recording(struct recording *recording, const struct facts *facts, int complete);
void discard_recording(struct recording *recording);

#endif
