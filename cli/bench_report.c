/* bench_report.c - what eulercl bench has measured: a table, CSV, JSON, and a picture drawn by gnuplot.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include "bench.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <spawn.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* ---- the columns of CSV and JSON ---- */

enum kind { TEXT, POINTER, COUNT, REAL };
#define AT(FIELD) offsetof(struct bench_row, FIELD)
static const struct column {
    const char *name;
    enum kind kind;
    size_t offset;
} columns[] = {
    {"device", TEXT, AT(device)}, {"series", TEXT, AT(series)}, {"problem", TEXT, AT(problem)}, {"n", COUNT, AT(stats.n)},
    {"precision", TEXT, AT(precision)}, {"backend", TEXT, AT(backend)}, {"variant", TEXT, AT(variant)}, {"storage", TEXT, AT(storage)},
    {"distribution", TEXT, AT(distribution)}, {"plan", TEXT, AT(plan)}, {"threads", COUNT, AT(stats.threads)},
    {"workgroup_size", COUNT, AT(stats.workgroup_size)}, {"workgroups", COUNT, AT(stats.workgroups)}, {"tiles", COUNT, AT(stats.tiles)},
    {"dia_blocks", COUNT, AT(stats.dia_blocks)}, {"block_size", COUNT, AT(stats.block_size)},
    {"points_per_item", COUNT, AT(stats.points_per_item)}, {"rows_per_item", COUNT, AT(stats.rows_per_item)},
    {"workgroup_rows", COUNT, AT(stats.workgroup_rows)}, {"steps_per_exchange", COUNT, AT(stats.steps_per_exchange)},
    {"persistent", COUNT, AT(persistent)}, {"steps_per_launch", COUNT, AT(stats.steps_per_launch)}, {"local_bytes", COUNT, AT(stats.local_bytes)},
    {"h", REAL, AT(h)}, {"steps", COUNT, AT(steps)}, {"us_per_step", REAL, AT(us_per_step)},
    {"median_us_per_step", REAL, AT(median_us_per_step)}, {"device_us_per_step", REAL, AT(device_us_per_step)},
    {"gcs_per_s", REAL, AT(gcs_per_s)}, {"ratio", REAL, AT(ratio)}, {"global_bytes_per_component_step", REAL, AT(bytes_per_component_step)},
    {"copy_share", REAL, AT(copy_share)}, {"state_hash", TEXT, AT(hash)}, {"bits", POINTER, AT(bits)},
};
enum { COLUMNS = sizeof columns / sizeof columns[0] };

static const char *text_at(const struct bench_row *row, const struct column *column)
{
    const char *const field = (const char *)row + column->offset;
    return column->kind == POINTER ? *(const char *const *)(const void *)field : field;
}

static uint64_t count_at(const struct bench_row *row, const struct column *column)
{
    return *(const uint64_t *)(const void *)((const char *)row + column->offset);
}

static double real_at(const struct bench_row *row, const struct column *column)
{
    return *(const double *)(const void *)((const char *)row + column->offset);
}

/* ---- where it was measured ---- */

static const char *plural(uint64_t count)
{
    return count == 1 ? "" : "s";
}

static void print_machine(FILE *file, const char *before, const struct bench_machine *machine)
{
    fprintf(file, "%s%s", before, machine->device);
    if (*machine->driver != '\0')
        fprintf(file, ", driver %s", machine->driver);
    if (machine->threads > 0)
        fprintf(file, ", %" PRIu64 " thread%s", machine->threads, plural(machine->threads));
    if (isfinite(machine->ceilings.copy_bytes_per_second))
        fprintf(file, "; ceilings in %s: copy %.4g GB/s, %.4g G fused multiply-adds/s", precision_name(machine->ceilings.precision),
                1e-9 * machine->ceilings.copy_bytes_per_second, 1e-9 * machine->ceilings.fma_per_second);
    fputc('\n', file);
}

static void print_provenance(FILE *file, const char *before, const struct bench *bench)
{
    fprintf(file, "%seulercl %s, %s: %s\n", before, eulercl_version(), bench->date, bench->command);
    for (size_t i = 0; i < bench->n_machines; i++)
        print_machine(file, before, &bench->machines[i]);
}

/* ---- table ---- */

/* A number in 9 places, "-" for none. */
static void print_number(double value, double factor)
{
    if (isfinite(value))
        printf(" %9.4g", factor * value);
    else
        printf(" %9s", "-");
}

/* The way that was chosen: tiles, items, threads. */
static void print_way(const struct bench_row *row)
{
    const eulercl_stats *const stats = &row->stats;
    if (stats->threads > 0)
        printf("%" PRIu64 " thread%s", stats->threads, plural(stats->threads));
    else
        printf("%" PRIu64 " x %" PRIu64 " items", stats->workgroups, stats->workgroup_size);
    if (stats->dia_blocks > 0)
        printf(", %" PRIu64 " tile%s of %" PRIu64 " x %" PRIu64, stats->tiles, plural(stats->tiles), stats->dia_blocks, stats->block_size);
    if (stats->points_per_item > 0)
        printf(", %" PRIu64 " x %" PRIu64 " points each", stats->points_per_item, stats->rows_per_item);
    if (stats->steps_per_launch > 1)
        printf(", %" PRIu64 " steps a launch", stats->steps_per_launch);
    if (row->persistent)
        printf(", persistent");
    if (*row->storage != '\0')
        printf(", %s", row->storage);
    if (*row->plan != '\0')
        printf(" (%s)", row->plan);
    putchar('\n');
}

void print_bench_table(const struct bench *bench)
{
    print_provenance(stdout, "", bench);
    printf("\n%-10s %-6s %11s  %-24s %9s %9s %9s %9s %9s %9s  %-13s%s\n", "problem", "reals", "n", "backend", "us/step", "median", "device", "Gcs/s",
           "ratio", "copy %", "bits", "how");
    for (size_t i = 0; i < bench->n_rows; i++) {
        const struct bench_row *const row = &bench->rows[i];
        printf("%-10s %-6s %11" PRId64 "  %s%s%-*s", row->problem, row->precision, row->stats.n, row->backend, *row->variant ? " " : "",
               (int)(24 - strlen(row->backend) - (*row->variant != '\0')), row->variant);
        print_number(row->us_per_step, 1);
        print_number(row->median_us_per_step, 1);
        print_number(row->device_us_per_step, 1);
        print_number(row->gcs_per_s, 1);
        print_number(row->ratio, 1);
        print_number(row->copy_share, 100);
        printf("  %-13s", row->bits);
        print_way(row);
    }
}

/* ---- JSON ---- */

#ifdef HAVE_JANSSON
static json_t *json_text(const char *text)
{
    return *text == '\0' ? json_null() : json_string(text);
}

int print_bench_json(const struct bench *bench)
{
    json_t *const machines = json_array(), *const runs = json_array();
    for (size_t i = 0; i < bench->n_machines; i++) {
        const struct bench_machine *const machine = &bench->machines[i];
        json_array_append_new(machines, json_pack("{s:s, s:o, s:o, s:o, s:s, s:o, s:o}", "device", machine->device,
            "device_id", json_text(machine->device_id), "driver", json_text(machine->driver), "threads", json_count(machine->threads),
            "precision", precision_name(machine->ceilings.precision),
            "copy_bytes_per_second", json_number(machine->ceilings.copy_bytes_per_second, 0),
            "fma_per_second", json_number(machine->ceilings.fma_per_second, 0)));
    }
    for (size_t i = 0; i < bench->n_rows; i++) {
        json_t *const run = json_object();
        for (size_t c = 0; c < COLUMNS; c++) {
            const struct bench_row *const row = &bench->rows[i];
            json_object_set_new(run, columns[c].name,
                columns[c].kind == REAL ? json_number(real_at(row, &columns[c]), 0)
                : columns[c].kind == COUNT ? json_integer((json_int_t)count_at(row, &columns[c])) : json_text(text_at(row, &columns[c])));
        }
        json_array_append_new(runs, run);
    }
    return json_print(json_pack("{s:s, s:s, s:s, s:o, s:o}", "version", eulercl_version(), "date", bench->date, "command", bench->command,
                                "machines", machines, "runs", runs));
}
#endif

/* ---- CSV: no field needs quotation marks ---- */

static void put_text(FILE *file, const char *text)
{
    for (; *text != '\0'; text++)
        fputc(strchr(",\"\n\r", *text) == NULL ? *text : ' ', file);
}

int write_bench_csv(const struct bench *bench, const char *path)
{
    struct output output;
    int status = begin_file(&output, path);
    if (status == EULERCL_OK) {
        print_provenance(output.file, "# ", bench);
        for (size_t c = 0; c < COLUMNS; c++)
            fprintf(output.file, "%s%s", c == 0 ? "" : ",", columns[c].name);
        for (size_t i = 0; i < bench->n_rows; i++)
            for (size_t c = 0; c < COLUMNS; c++) {
                const struct bench_row *const row = &bench->rows[i];
                fputc(c == 0 ? '\n' : ',', output.file);
                if (columns[c].kind == COUNT)
                    fprintf(output.file, "%" PRIu64, count_at(row, &columns[c]));
                else if (columns[c].kind != REAL)
                    put_text(output.file, text_at(row, &columns[c]));
                else if (isfinite(real_at(row, &columns[c])))
                    fprintf(output.file, "%.6g", real_at(row, &columns[c]));
            }
        fputc('\n', output.file);
        status = commit_file(&output);
    }
    discard_output(&output);
    return status;
}

/* ---- the picture ---- */

static int run_gnuplot(char *const arguments[], int *result)
{
    posix_spawn_file_actions_t actions;
    pid_t child;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    const int error = posix_spawnp(&child, arguments[0], &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (error != 0)
        return fail(EULERCL_UNSUPPORTED, "--svg: cannot run gnuplot: %s (Debian: gnuplot-nox); --csv FILE keeps the figures", strerror(error));
    while (waitpid(child, result, 0) < 0)
        if (errno != EINTR)
            return fail(EULERCL_INTERNAL, "lost gnuplot: %s", strerror(errno));
    return EULERCL_OK;
}

int check_bench_picture(const char *path)
{
    static char program[] = "gnuplot", version[] = "--version";
    char *const arguments[] = {program, version, NULL};
    const size_t length = strlen(path);
    int result = 0;
    if (length < 5 || strcasecmp(path + length - 4, ".svg") != 0)
        return fail(EULERCL_INVALID, "--svg %s: the name must end in .svg", path);
    const int status = run_gnuplot(arguments, &result);
    if (status == EULERCL_OK && result != 0)
        return fail(EULERCL_UNSUPPORTED, "--svg: gnuplot --version fails");
    return status == EULERCL_OK ? check_file(path) : status;
}

/* In gnuplot's single quotes. */
static void put_quoted(FILE *file, const char *text)
{
    fputc('\'', file);
    for (; *text != '\0'; text++) {
        if (*text == '\'')
            fputc('\'', file);
        fputc(strchr(",\"\n\r", *text) == NULL ? *text : ' ', file);   /* as in the CSV file */
    }
    fputc('\'', file);
}

static int is_first_of_series(const struct bench *bench, size_t row)
{
    for (size_t i = 0; i < row; i++)
        if (strcmp(bench->rows[i].series, bench->rows[row].series) == 0)
            return 0;
    return 1;
}

/* Lines over the size where a series has several, else bars. */
static int has_lines(const struct bench *bench)
{
    for (size_t i = 0; i < bench->n_rows; i++)
        for (size_t j = 0; j < i; j++)
            if (strcmp(bench->rows[i].series, bench->rows[j].series) == 0 && bench->rows[i].stats.n != bench->rows[j].stats.n)
                return 1;
    return 0;
}

static const char style[] =
    "set encoding utf8\n"
    "set termoption noenhanced\n"
    "set datafile separator ','\n"
    "set datafile columnheaders\n"
    "set datafile missing NaN\n"
    "# Colours that colour-blind readers can tell apart (after Okabe and Ito).\n"
    "colours = '#0072B2 #D55E00 #009E73 #CC79A7 #E69F00 #56B4E9 #000000 #7F5F3F #999999 #882255'\n"
    "do for [i = 1:40] { k = (i - 1) % 10; d = (i - 1) / 10 + 1; set linetype i linecolor rgb word(colours, k + 1) linewidth 2 dashtype d pointtype k + 4 pointsize 0.7 }\n"
    "set border 3 linecolor rgb '#404040'\n"
    "set tics nomirror textcolor rgb '#202020'\n"
    "set grid linecolor rgb '#e0e0e0' linetype 1 linewidth 1\n";

static const char lines[] =
    "set logscale xy\n"
    "set autoscale xfix\n"
    "set format x '%.0s%c'\n"
    "set xlabel 'size n, components'\n"
    "set ylabel '10^9 component-steps per second'\n"
    "set key below maxcols 2 left Left reverse samplen 2.5 spacing 1.15\n"
    "plot for [i = 1:count] table using (stringcolumn('series') eq name[i] ? column('n') : NaN):(column('gcs_per_s')) with linespoints linetype i title name[i]\n";

/* The labels stand in the bars' place on the left axis. */
static const char bars[] =
    "set style fill solid\n"
    "set xlabel '10^9 component-steps per second'\n"
    "set xrange [0:*]\n"
    "set yrange [count - 0.4:-0.6]\n"
    "set ytics scale 0\n"
    "set rmargin 9\n"
    "set grid noytics\n"
    "unset key\n"
    "plot table using (0):0:(0):(column('gcs_per_s')):($0 - 0.33):($0 + 0.33):ytic(stringcolumn('series')) with boxxyerror linetype 1, \\\n"
    "     table using (column('gcs_per_s')):0:(sprintf(' %.3g', column('gcs_per_s'))) with labels left offset 0.4,0\n";

/* The OpenCL device where there is one. */
static const char *title_of(const struct bench *bench)
{
    for (size_t i = 0; i < bench->n_machines; i++)
        if (bench->machines[i].threads == 0)
            return bench->machines[i].device;
    return bench->n_machines == 0 ? "" : bench->machines[0].device;
}

static int write_script(const struct bench *bench, const char *path, const char *base)
{
    struct output output;
    size_t series = 0;
    int status = begin_file(&output, path);
    if (status == EULERCL_OK) {
        FILE *const file = output.file;
        const int over_sizes = has_lines(bench);
        for (size_t i = 0; i < bench->n_rows; i++)
            series += over_sizes ? (size_t)is_first_of_series(bench, i) : 1;
        print_provenance(file, "# ", bench);
        fprintf(file, "# Drawn by: gnuplot FILE.gp, in the folder of FILE.csv\nif (!exists('folder')) folder = ''\nif (!exists('output')) output = ");
        fprintf(file, "folder.");
        put_quoted(file, base);
        fprintf(file, ".'.svg'\ntable = folder.");
        put_quoted(file, base);
        fprintf(file, ".'.csv'\nset terminal svg size 800,%d dynamic background '#ffffff' font 'sans-serif,13'\nset output output\n%sset title ",
                (int)(over_sizes ? 440 + 11 * series : 120 + 30 * series), style);
        put_quoted(file, title_of(bench));
        fprintf(file, "\ncount = %zu\n", series);
        if (over_sizes) {
            fprintf(file, "array name[count]\n");
            for (size_t i = 0, k = 0; i < bench->n_rows; i++)
                if (is_first_of_series(bench, i)) {
                    fprintf(file, "name[%zu] = ", ++k);
                    put_quoted(file, bench->rows[i].series);
                    fputc('\n', file);
                }
        }
        fputs(over_sizes ? lines : bars, file);
        status = commit_file(&output);
    }
    discard_output(&output);
    return status;
}

/* `variable = 'text'`, for gnuplot -e. */
static char *assign(const char *variable, const char *text, int length)
{
    char *assignment = NULL;
    size_t size;
    FILE *const file = open_memstream(&assignment, &size);
    if (file == NULL)
        return NULL;
    fprintf(file, "%s = '", variable);
    for (int i = 0; i < length; i++)
        fprintf(file, "%s%c", text[i] == '\'' ? "'" : "", text[i]);
    fputs("'", file);
    return fclose(file) == 0 ? assignment : NULL;
}

static int draw(const char *svg, const char *script, int folder)
{
    struct output output;
    int result = 0, status = begin_file(&output, svg);
    if (status == EULERCL_OK) {
        static char program[] = "gnuplot", expression[] = "-e";
        char *const place = assign("folder", svg, folder), *const target = assign("output", output.temporary, (int)strlen(output.temporary));
        char *const arguments[] = {program, expression, place, expression, target, (char *)script, NULL};
        status = place == NULL || target == NULL ? fail(EULERCL_MEMORY, "no memory for gnuplot's arguments") : run_gnuplot(arguments, &result);
        if (status == EULERCL_OK && result != 0)
            status = fail(EULERCL_INTERNAL, "gnuplot does not draw %s", script);
        free(place);
        free(target);
    }
    if (status == EULERCL_OK)
        status = commit_file(&output);
    discard_output(&output);
    return status;
}

int draw_bench_picture(const struct bench *bench, const char *path)
{
    const char *const slash = strrchr(path, '/');
    const int folder = slash == NULL ? 0 : (int)(slash - path) + 1, length = (int)strlen(path) - 4;
    char *csv = NULL, *script = NULL, *base = NULL;
    int status = EULERCL_OK;
    if (asprintf(&csv, "%.*s.csv", length, path) < 0 || asprintf(&script, "%.*s.gp", length, path) < 0
        || asprintf(&base, "%.*s", length - folder, path + folder) < 0)
        status = fail(EULERCL_MEMORY, "no memory for file names");
    if (status == EULERCL_OK)
        status = write_bench_csv(bench, csv);
    if (status == EULERCL_OK)
        status = write_script(bench, script, base);
    if (status == EULERCL_OK)
        status = draw(path, script, folder);
    free(csv);
    free(script);
    free(base);
    return status;
}
