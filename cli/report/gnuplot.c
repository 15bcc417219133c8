/* SPDX-License-Identifier: BSD-2-Clause */
/* gnuplot.c - a picture drawn by gnuplot; its script and its data stay beside it, so that it can be
 * drawn again in another style. */
#include "config.h"

#include "report/gnuplot.h"
#include "format/file.h"
#include "report/csv.h"
#include "shared/escape.h"
#include "shared/message.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static const char style[] =
    "set encoding utf8\n"
    "set termoption noenhanced\n"
    "set datafile separator ','\n"
    "set datafile columnheaders\n"
    "set datafile missing NaN\n"
    "# Colours that colour-blind readers can tell apart (after Okabe and Ito).\n"
    "colours = '#0072B2 #D55E00 #009E73 #CC79A7 #E69F00 #56B4E9 #000000 #7F5F3F #999999 #882255'\n"
    "do for [i = 1:40] { k = (i - 1) % 10; d = (i - 1) / 10 + 1; set linetype i linecolor rgb "
    "word(colours, k + 1) linewidth 2 dashtype d pointtype k + 4 pointsize 0.7 }\n"
    "set border 3 linecolor rgb '#404040'\n"
    "set tics nomirror textcolor rgb '#202020'\n"
    "set grid linecolor rgb '#e0e0e0' linetype 1 linewidth 1\n";

static int run_gnuplot(const char *option, char *const arguments[], int *result) {
    posix_spawn_file_actions_t actions;
    pid_t child;
    setenv("LC_ALL", "C.UTF-8", 1); /* scripts are UTF-8; in the locale C gnuplot warns of that */
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    const int error = posix_spawnp(&child, arguments[0], &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (error != 0)
        return fail(EULERCL_UNSUPPORTED,
            "%s: cannot run gnuplot: %s (Debian: gnuplot-nox); --csv FILE keeps the numbers",
            option, strerror(error));
    while (waitpid(child, result, 0) < 0)
        if (errno != EINTR)
            return fail(EULERCL_INTERNAL, "cannot wait for gnuplot: %s", strerror(errno));
    return EULERCL_OK;
}

int check_gnuplot(const char *option) {
    static char program[] = "gnuplot", version[] = "--version";
    char *const arguments[] = {program, version, NULL};
    int result = 0;
    const int status = run_gnuplot(option, arguments, &result);
    return !status && result != 0 ? fail(EULERCL_UNSUPPORTED, "%s: gnuplot --version fails", option)
                                  : status;
}

static int ends_in(const char *path, const char *extension) {
    const size_t length = strlen(path);
    return length >= 5 && strcasecmp(path + length - 4, extension) == 0;
}

/* FILE.csv or FILE.gp beside the picture; to be freed. */
static char *name_beside(const char *path, const char *extension) {
    char *name;
    return asprintf(&name, "%.*s.%s", (int)strlen(path) - 4, path, extension) < 0 ? NULL : name;
}

/* The names are part of gnuplot's script, where a line break would start a command. */
static int check_characters(const char *option, const char *path) {
    for (const char *c = path; *c != '\0'; c++)
        if ((unsigned char)*c < ' ' || *c == 0x7f)
            return fail(EULERCL_INVALID,
                "%s %s: gnuplot does not accept control characters in file names", option, path);
    return EULERCL_OK;
}

int check_plot(const char *option, const char *path, int png_too) {
    if (!ends_in(path, ".svg") && !(png_too && ends_in(path, ".png")))
        return fail(EULERCL_INVALID, "%s %s: the name must end in .svg%s", option, path,
            png_too ? " or .png" : "");
    int status = check_characters(option, path);
    if (!status) status = check_gnuplot(option);
    return !status ? check_file(path) : status;
}

int claim_plot(const char *option, const char *path) {
    char *const script = name_beside(path, "gp");
    int status = script == NULL ? fail(EULERCL_MEMORY, "no memory for file names")
                                : claim_file(option, path, path);
    if (!status) status = claim_file(option, path, script);
    free(script);
    return status;
}

/* Print as put_plain does, in gnuplot's single quotes. */
static void put_quoted(FILE *file, const char *text, const char *instead) {
    fputc('\'', file);
    while (*text != '\0') {
        if (*text == '\'') fputc('\'', file);
        text += put_character(file, text, instead);
    }
    fputc('\'', file);
}

void put_plot_text(FILE *file, const char *text) { put_quoted(file, text, ""); }

/* Print without quotes, byte by byte: the name of a file may have any encoding. */
static void put_bytes(FILE *file, const char *text, size_t length) {
    for (size_t i = 0; i < length; i++) fprintf(file, "%s%c", text[i] == '\'' ? "'" : "", text[i]);
}

/* `folder.'name.extension'`: where the script finds the files beside it. The name is written byte
 * by byte, since it may have any encoding. */
static void put_name(FILE *file, const char *name, size_t length, const char *extension) {
    fputs("folder.'", file);
    put_bytes(file, name, length);
    fprintf(file, "%s'\n", extension);
}

static int write_script(const struct plot *plot, size_t folder, const char *path) {
    struct file script = {0};
    const char *const extension = plot->path + strlen(plot->path) - 4;
    const char *const name = plot->path + folder;
    const size_t length = strlen(name) - 4;
    int status = begin_file(&script, path);
    if (!status) {
        FILE *const file = script.stream;
        plot->describe(file, "# ", plot->subject);
        fprintf(file, "# Drawn by: gnuplot FILE.gp, in the folder of FILE.csv\nif "
                      "(!exists('folder')) folder = './'\nif (!exists('output')) output = ");
        put_name(file, name, length, extension);
        fputs("table = ", file);
        put_name(file, name, length, ".csv");
        if (ends_in(plot->path, ".svg"))
            fprintf(file,
                "set terminal svg size %d,%d dynamic background '#ffffff' font 'sans-serif,13'\n",
                plot->width, plot->height);
        else
            fprintf(file,
                "set terminal pngcairo size %d,%d background '#ffffff' font 'sans-serif,10'\n",
                plot->width, plot->height);
        fprintf(file, "set output output\n%s", style);
        plot->write_script(file, plot->subject);
        status = commit_file(&script);
    }
    discard_file(&script);
    return status;
}

/* `variable = 'text'` for gnuplot -e; to be freed. */
static char *assign(const char *variable, const char *text, size_t length) {
    char *assignment = NULL;
    size_t size;
    FILE *const file = open_memstream(&assignment, &size);
    if (file == NULL) return NULL;
    fprintf(file, "%s = '", variable);
    put_bytes(file, text, length);
    fputs("'", file);
    return fclose(file) == 0 ? assignment : NULL;
}

static int draw(const struct plot *plot, size_t folder, char *script) {
    struct file picture_file;
    struct stat picture;
    int result = 0, status = begin_file(&picture_file, plot->path);
    if (!status) {
        static char program[] = "gnuplot", expression[] = "-e";
        char *const place = assign("folder", plot->path, folder), *const target = assign("output",
                                                                      picture_file.temporary,
                                                                      strlen(
                                                                          picture_file.temporary));
        char *const arguments[] = {program, expression, place, expression, target, script, NULL};
        status = place == NULL || target == NULL
                     ? fail(EULERCL_MEMORY, "no memory for gnuplot's arguments")
                     : run_gnuplot(plot->option, arguments, &result);
        if (!status && result != 0)
            status = fail(EULERCL_INTERNAL, "gnuplot failed to draw %s", script);
        if (!status && (fstat(fileno(picture_file.stream), &picture) != 0 || picture.st_size == 0))
            status = fail(EULERCL_INTERNAL, "gnuplot wrote nothing to %s", plot->path);
        free(place);
        free(target);
    }
    if (!status) status = commit_file(&picture_file);
    discard_file(&picture_file);
    return status;
}

/* gnuplot takes a name that begins with `|` or `<` for a command, with `-` for an option or
 * standard input, with `$` for a table in memory. */
static char *anchor(const char *path) {
    char *anchored;
    return asprintf(&anchored, "%s%s", *path == '/' ? "" : "./", path) < 0 ? NULL : anchored;
}

static int draw_anchored(const struct plot *plot) {
    const size_t folder = (size_t)(strrchr(plot->path, '/') - plot->path) + 1;
    char *const csv = name_beside(plot->path, "csv"), *const script = name_beside(plot->path, "gp");
    int status = csv == NULL || script == NULL
                     ? fail(EULERCL_MEMORY, "no memory for file names")
                     : write_csv(csv, plot->describe, plot->write_data, plot->subject);
    if (!status) status = write_script(plot, folder, script);
    if (!status) status = draw(plot, folder, script);
    free(csv);
    free(script);
    return status;
}

int draw_plot(const struct plot *plot) {
    struct plot anchored = *plot;
    char *const path = anchor(plot->path);
    anchored.path = path;
    int status = path == NULL ? fail(EULERCL_MEMORY, "no memory for file names")
                              : check_characters(plot->option, path);
    if (!status) status = draw_anchored(&anchored);
    free(path);
    return status;
}

/* ---- the two kinds of plots: lines, and bars ---- */

void widen(struct span *span, double value) {
    if (!(value > 0 && isfinite(value))) return;
    span->least = span->least > 0 ? fmin(span->least, value) : value;
    span->greatest = fmax(span->greatest, value);
}

enum { FEW_TICS = 3, MOST_TICS = 32 };

/* List tics at the mantissas in each decade; NULL: at multiples of step. */
static size_t list_tics(
    const struct span *span, const double *mantissas, double step, double tics[MOST_TICS]) {
    size_t count = 0;
    if (mantissas == NULL)
        for (double k = ceil(span->least / step); k * step <= span->greatest && count < MOST_TICS;
             k++)
            tics[count++] = k * step;
    else
        for (double decade = floor(log10(span->least)); decade <= log10(span->greatest); decade++)
            for (const double *m = mantissas; *m != 0; m++)
                if (*m * pow(10, decade) >= span->least && *m * pow(10, decade) <= span->greatest &&
                    count < MOST_TICS)
                    tics[count++] = *m * pow(10, decade);
    return count;
}

/* Set the tics of a logarithmic axis. gnuplot labels only powers of ten; if there are few of them,
 * label values between them, too. */
static void put_log_tics(FILE *file, char axis, const struct span *span) {
    static const double mantissas[][7] = {{1}, {1, 3}, {1, 2, 5}, {1, 1.5, 2, 3, 5, 7}},
                        parts[] = {1, 0.5, 0.2, 0.1};
    double tics[MOST_TICS];
    size_t count = 0;
    if (!(span->greatest > span->least) || list_tics(span, mantissas[0], 0, tics) >= FEW_TICS)
        return;
    for (size_t i = 1; i < sizeof mantissas / sizeof mantissas[0] && count < FEW_TICS; i++)
        count = list_tics(span, mantissas[i], 0, tics);
    for (size_t i = 0; i < sizeof parts / sizeof parts[0] && count < FEW_TICS; i++)
        count = list_tics(
            span, NULL, parts[i] * pow(10, floor(log10(span->greatest - span->least))), tics);
    fprintf(file, "set %ctics (", axis);
    for (size_t i = 0; i < count; i++)
        fprintf(file, "%s'%.9g' %.9g", i == 0 ? "" : ", ", tics[i], tics[i]);
    fputs(")\n", file);
}

void put_plot_lines(
    FILE *file, const struct plot_axes *axes, const char *const *series, size_t count) {
    fprintf(file, "count = %zu\narray name[count]\n", count);
    for (size_t i = 0; i < count; i++) {
        fprintf(file, "name[%zu] = ", i + 1);
        put_quoted(file, series[i], ",\""); /* as in the CSV file */
        fputc('\n', file);
    }
    /* gnuplot labels powers of ten there; %g would write some of them as 0.001, others as 1e-05. */
    const char *const y_format =
        axes->y_span.least < 1e-4 && axes->y_span.greatest > axes->y_span.least ? "1e%T" : "%g";
    if (!axes->has_x_tics) put_log_tics(file, 'x', &axes->x_span);
    put_log_tics(file, 'y', &axes->y_span);
    fprintf(file,
        "set logscale %s\nset autoscale xfix\n%sset offsets graph 0.02, graph 0.02, graph 0.03, "
        "graph 0.03\nset format x '%s'\nset format y '%s'\nset xlabel ",
        axes->linear_x ? "y" : "xy",
        axes->y_span.greatest > axes->y_span.least ? "set autoscale yfix\n" : "", axes->x_format,
        y_format);
    put_plot_text(file, axes->x_label);
    fputs("\nset ylabel ", file);
    put_plot_text(file, axes->y_label);
    fprintf(file,
        "\nset key below maxcols 2 height 0.5 left Left reverse samplen 2.5 spacing 1.15\n"
        "plot for [i = 1:count] table using (stringcolumn('series') eq name[i] ? %s : NaN):(%s) "
        "with linespoints linetype i title name[i]\n",
        axes->x, axes->y);
}

/* The labels are on the left axis, beside the bars. */
void put_plot_bars(FILE *file, size_t count, const char *figure, const char *label) {
    fprintf(file, "count = %zu\nset style fill solid\nset xlabel ", count);
    put_plot_text(file, label);
    fprintf(file,
        "\nset format x '%%g'\nset xrange [0:*]\n"
        "set yrange [count - 0.4:-0.6]\n"
        "set ytics scale 0\n"
        "set rmargin 9\n"
        "set grid noytics\n"
        "unset key\n"
        "plot table using (0):0:(0):(%s):($0 - 0.33):($0 + 0.33):ytic(stringcolumn('series')) with "
        "boxxyerror linetype 1, \\\n"
        "     table using (%s):0:(gprintf(' %%.3g', %s)) with labels left offset 0.4,0\n",
        figure, figure, figure);
}
