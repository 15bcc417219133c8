/* SPDX-License-Identifier: BSD-2-Clause */
/* format.h - what a format of files is: a table of functions that write states. */
#ifndef CLI_FORMAT_FORMAT_H
#define CLI_FORMAT_FORMAT_H

#include <stdio.h>

#include "eulercl/eulercl.h"
#include "format/file.h"
#include "format/state.h"
#include "shared/facts.h"
#include "shared/processes.h"

struct past;

/* How pictures show a grid of three axes: three planes through the middle, the greatest values
 * along z, or all of it as a cloud. 0 is the first one. */
enum view { VIEW_DEFAULT, VIEW_SLICE, VIEW_MAX, VIEW_VOLUME };

/* A state, as files see it. */
struct layout {
    const eulercl_problem_info *info;
    enum eulercl_precision precision;
    int64_t component;      /* per grid point, for pictures */
    double least, greatest; /* the ends of a picture's scale; equal: each picture's own */
    enum view view;         /* of pictures of a grid of three axes */
    const char *thin;  /* the points are blocks of a grid's, as --thin says; NULL: they are not */
    int64_t smoothing; /* of the points, as --smooth says; 0: they are not smoothed */
    const struct origin *origin;
    int has_errors;             /* a table has columns for the last step's size and error, */
    const char *const *columns; /* then probes and monitors */
    size_t n_columns;
    const struct past *continued; /* series keep their states up to this one's; NULL: none */
    int has_parts; /* several processes write parts of files, where the format has them */
    /* the components that each process writes; known when there is a solver */
    struct division division;
};

/* When a state was reached, and the values recorded with it. */
struct moment {
    int64_t step;
    double t;
    /* size and error of the last step, the error in units of the tolerance; NaN: no step yet */
    double h, error;
    const char *hash; /* "" if the state was not read */
    eulercl_clock clock;
    const double *values; /* one for each column */
};

/* A file of a format that is being written. */
struct output {
    struct file file;
    const struct output_format *format;
    const struct layout *layout;
    int many;       /* 1: a series of states, 0: one */
    int64_t states; /* written so far */
    int is_committed;
    void *data; /* the format's, freed with free() */
};

struct output_format {
    const char *extension;
    const char *missing; /* the library that this command was built without; then no function is
                            set */
    int holds_many;      /* all snapshots of a run, not one state */
    int is_live;         /* can be read while it grows */
    int keeps_old;       /* the file before it stays as FILE.old */
    /* Called before `begin` for a series that is continued: find the part of the file that is kept
     * (file->kept). NULL: `begin` copies the states. */
    int (*keep)(struct output *output);
    /* Called before the run: allocate, and write what is known. */
    int (*begin)(struct output *output);
    /* Called with parts, by all processes together, before the first state. With parts each process
     * calls the other functions with the rows that it computes, and all call `finish` together.
     * NULL: the first process writes the file. */
    int (*divide)(struct output *output);
    /* Called before each state. May be NULL. */
    int (*begin_state)(struct output *output);
    /* Reals first .. first + count - 1 of the state, called in order. NULL: no states are written.
     */
    int (*add)(struct output *output, int64_t first, int64_t count, const void *y);
    /* Called after all pieces of a state. May be NULL. */
    int (*end_state)(struct output *output, const struct moment *moment);
    /* Called at the end. May be NULL. */
    int (*finish)(struct output *output, const struct facts *facts);
    /* A second file, which is put in place after the first one: its name, to be freed, and its
     * content (a write error is found later). Both may be NULL. */
    char *(*name_beside)(const struct output *output);
    int (*write_beside)(const struct output *output, FILE *file, const struct facts *facts);
    /* Close what only the format knows, and remove parts of a file that was not committed. May be
     * NULL. */
    void (*discard)(struct output *output);
};

/* Does the series keep states of the run before? */
static inline int continues(const struct output *output) {
    return output->many && output->layout->continued != NULL;
}

/* Does each process write a part of this file? */
static inline int is_in_parts(const struct output *output) {
    return output->layout != NULL && output->layout->has_parts && output->format->divide != NULL;
}

/* The formats, as far as this command has them. */
extern const struct output_format npy_format, table_format, png_format, apng_format, hdf5_format,
    checkpoint_format;

#endif
