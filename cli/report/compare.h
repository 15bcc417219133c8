/* compare.h - how eulercl compare holds states against each other, and what it has found, for its
 * report.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef CLI_REPORT_COMPARE_H
#define CLI_REPORT_COMPARE_H

#include "eulercl/eulercl.h"
#include "format/state.h"
#include "shared/json.h"

/* One configuration that solves the system at one point of the sweep. A number that is not known is
   NaN, a text that does not apply empty. The strings of stats are not valid any more. */
struct compare_row {
    char point[32]; /* the value that is swept, and as a number */
    double x;
    char label[160], series[176]; /* backend, variant and settings as asked; and the precision where
                                     there are several */
    char backend[32], variant[32], storage[16], distribution[16], plan[16],
        precision[8]; /* as chosen */
    char device[256], device_id[32], driver[256], hash[17];
    const char *bits; /* compared with seq: "seq" (that is it), "same", "DIFFERENT", "not promised"
                         (by the problem), "-" */
    char note[600];   /* why there are no figures */
    const char *status_name;
    int status; /* why, as a status */
    int baseline, bits_guaranteed;
    size_t at;    /* number of the point */
    size_t order; /* in which it ran */
    double h, t_end;
    eulercl_stats stats;
    double kernel_seconds, total_seconds; /* the best */
    double gcs_per_s, ns_per_component_step, ratio;
    double ulps,
        differing; /* the largest distance to seq, and how many components are not the same bits */
    double error;  /* the largest distance to the exact solution or the reference */
    char *facts;   /* all that is known of the run, one a line; NULL without --report */
};

/* A picture of the state, as a PNG file has it. */
struct compare_picture {
    char title[128];
    char *png;
    size_t size;
};

struct compare {
    const char *command; /* as the user wrote it */
    char date[32];
    const eulercl_problem_info *info;
    char *parameters; /* of the problem, but for what is swept: "name = value, ..." */
#ifdef HAVE_JANSSON
    json_t *json_parameters; /* the same */
#endif
    char *span;              /* steps and times, in words; of a sweep what all points share */
    const char *sweep;       /* what is swept; "": nothing */
    const char *sweep_label; /* for an axis */
    const char *baseline;    /* the label of a row */
    const char *truth;       /* what errors are measured against, in words; NULL: nothing */
    int64_t runs;
    struct compare_row *rows; /* by point, then by time */
    size_t n_rows;
    struct compare_picture *pictures;
    size_t n_pictures;
};

/* ---- compare_states.c ---- */

/* A state against others: the largest distances. */
struct contrast {
    enum eulercl_precision precision;
    int keep; /* 1: this state is seq's, and is kept there */
    void *seq;
    int seq_works;
    const double *truth; /* NULL: errors are not measured */
    uint64_t ulps, differing;
    double error;
};
chunk_taker take_chunk; /* user: the contrast */
/* What stands beside FILE.npy says of which problem it is, and when: is it this one, and t? A file
 * without is believed. */
int check_reference(
    const char *path, const eulercl_problem *problem, const eulercl_problem_info *info, double t);
/* The state of that file, to be freed. */
int read_reference(const char *path, const eulercl_problem_info *info, double **truth);

/* ---- compare_report.c ---- */

/* As 1.23 ms; "-" for what is not known. */
const char *seconds_text(double seconds, char buffer[32]);
void print_compare_table(const struct compare *compare);
#ifdef HAVE_JANSSON
int print_compare_json(const struct compare *compare);
#endif
void print_compare_csv(FILE *file, const void *compare);
int write_compare_csv(const struct compare *compare, const char *path);
/* Rows that have figures; rows with other bits than seq. */
size_t count_working(const struct compare *compare);
size_t count_different(const struct compare *compare);
void print_compare_provenance(FILE *file, const char *before, const void *compare);

/* When a plot stands in the report; they add up. */
enum { WITHOUT_SWEEP = 1, IN_SWEEP = 2, IN_SWEEP_OF_STEPS = 4 }; /* steps, or h */

/* What a plot shows. */
struct plot_kind {
    const char *name;
    const char *title;          /* a heading */
    const char *column, *label; /* of the y axis; of the bars, where nothing is swept */
    size_t offset;              /* of the column in the row */
    int is_time;                /* in seconds */
    int needs_truth, needs_sweep;
    int in_report;
};
extern const struct plot_kind plot_kinds[]; /* ends with a NULL name */
const struct plot_kind *find_plot_kind(const char *name);
/* [KIND:]FILE; kind is NULL where none is given. */
const char *read_plot(const char *text, const struct plot_kind **kind);
/* Can this comparison have it? NULL, or the reason why not. */
const char *lacks_plot(const struct plot_kind *kind, int is_sweep, int has_truth);
/* Is there a figure to draw? Logarithmic axes take only those above 0. */
int has_plot(const struct compare *compare, const struct plot_kind *kind);
/* width: pixels */
int draw_compare_plot(const struct compare *compare, const char *option,
    const struct plot_kind *kind, const char *path, int width);

/* ---- compare_html.c ---- */

int write_compare_html(const struct compare *compare, const char *path);

#endif
