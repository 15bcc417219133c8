/* SPDX-License-Identifier: BSD-2-Clause */
/* report.c - what eulercl bench or eulercl compare has measured: a table, JSON and CSV. */
#include "config.h"

#include "report/report.h"
#include "format/file.h"
#include "shared/escape.h"
#include "shared/facts.h"
#include "shared/json.h"
#include "shared/message.h"
#include "shared/options.h"

#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- where it comes from ---- */

static void print_machine(FILE *file, const char *before, const struct machine *machine) {
    fputs(before, file);
    put_plain(file, machine->device, "");
    fputs(*machine->driver != '\0' ? ", driver " : "", file);
    put_plain(file, machine->driver, "");
    if (machine->threads > 0)
        fprintf(file, ", %" PRIu64 " thread%s", machine->threads, machine->threads == 1 ? "" : "s");
    if (isfinite(machine->ceilings.copy_bytes_per_second))
        fprintf(file, "; ceilings in %s: copy %.4g GB/s, %.4g G fused multiply-adds/s",
            precision_name(machine->ceilings.precision),
            1e-9 * machine->ceilings.copy_bytes_per_second,
            1e-9 * machine->ceilings.fma_per_second);
    fputc('\n', file);
}

static void print_problem(FILE *file, const char *before, const struct report *report) {
    fputs(before, file);
    put_plain(file, report->info->name, "");
    fputs(": ", file);
    put_plain(file, report->info->title, "");
    if (*report->sweep == '\0') fprintf(file, ", n = %" PRId64, report->info->n);
    if (*report->parameters != '\0') fprintf(file, " (%s)", report->parameters);
    fprintf(file, "\n%s%s", before, report->span);
    if (report->runs > 1) fprintf(file, "; the best of %" PRId64 " runs", report->runs);
    fprintf(file, "; ratios to %s", report->baseline);
    if (report->truth != NULL) {
        fputs("; errors against ", file);
        put_plain(file, report->truth, "");
    }
    fputc('\n', file);
}

/* Lines, with `before` at the beginning of each. */
static void print_origin(FILE *file, const char *before, const struct report *report) {
    fprintf(
        file, "%seulercl %s, %s: %s\n", before, eulercl_version(), report->date, report->command);
    for (size_t i = 0; i < report->n_machines; i++)
        print_machine(file, before, &report->machines[i]);
    if (report->info != NULL) print_problem(file, before, report);
}

/* ---- CSV and JSON ---- */

static int write_csv(const struct report *report) {
    struct file file;
    int status = begin_file(&file, report->csv);
    if (!status) {
        print_origin(file.stream, "# ", report);
        print_rows_csv(file.stream, report);
        status = commit_file(&file);
    }
    discard_file(&file);
    return status;
}

/* The lines before a table. */
static json_t *json_origin(const struct report *report) {
    json_t *const lines = json_array();
    char *text = NULL, *rest;
    size_t size;
    FILE *const file = open_memstream(&text, &size);
    if (file != NULL) print_origin(file, "", report);
    if (file != NULL && fclose(file) == 0)
        for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
            json_array_append_new(lines, json_string(line));
    free(text);
    return lines;
}

static json_t *json_machines(const struct report *report) {
    json_t *const machines = json_array();
    for (size_t i = 0; i < report->n_machines; i++) {
        const struct machine *const machine = &report->machines[i];
        json_array_append_new(machines,
            json_pack("{s:o, s:o, s:o, s:o, s:s, s:o, s:o}", "device", json_text(machine->device),
                "device_id", json_text(machine->device_id), "driver", json_text(machine->driver),
                "threads", json_count(machine->threads), "precision",
                precision_name(machine->ceilings.precision), "copy_bytes_per_second",
                json_number(machine->ceilings.copy_bytes_per_second, 0), "fma_per_second",
                json_number(machine->ceilings.fma_per_second, 0)));
    }
    return machines;
}

static json_t *json_report(const struct report *report) {
    const eulercl_problem_info *const info = report->info;
    json_t *const own =
        report->info == NULL
            ? json_pack("{s:o, s:o}", "machines", json_machines(report), "runs", json_rows(report))
            : json_pack("{s:s, s:o, s:O, s:s, s:o, s:o, s:s, s:I, s:o, s:I, s:I, s:b, s:o}",
                  "problem", info->name, "title", json_text(info->title), "parameters",
                  report->json_parameters, "span", report->span, "sweep", json_text(report->sweep),
                  "sweeps", json_text(report->sweeps), "baseline", report->baseline, "runs",
                  (json_int_t)report->runs, "errors_against",
                  json_text(report->truth == NULL ? "" : report->truth), "methods",
                  (json_int_t)report->n_methods, "access_distance",
                  (json_int_t)info->access_distance, "bits_guaranteed", info->bits_guaranteed,
                  "rows", json_rows(report));
    json_t *const whole = json_pack("{s:s, s:s, s:s, s:o}", "version", eulercl_version(), "date",
        report->date, "command", report->command, "origin", json_origin(report));
    if (whole != NULL && own != NULL && json_object_update(whole, own) == 0) {
        json_decref(own);
        return whole;
    }
    json_decref(own);
    json_decref(whole);
    return NULL;
}

/* What the script reads has also the facts of each run, and the pictures. */
static int draw(const struct report *report) {
    json_t *const document = json_report(report), *const facts = json_array();
    if (document == NULL)
        return fail(EULERCL_INTERNAL, "cannot build the report: no memory, or no text in UTF-8");
    for (size_t i = 0; i < report->n_rows && report->has_page; i++)
        json_array_append_new(
            facts, json_text(report->rows[i].facts == NULL ? "" : report->rows[i].facts));
    json_object_set_new(document, "facts", facts);
    if (report->pictures != NULL) json_object_set(document, "pictures", report->pictures);
    const int status = run_script(&report->drawings, report->csv, document);
    json_decref(document);
    return status;
}

/* ---- the report ---- */

int begin_report(struct report *report, const char *command, int argc, char **argv) {
    *report = (struct report){.sweep = "",
        .sweeps = "",
        .baseline = "",
        .command = join_arguments(command, argc, argv),
        .drawings.items = calloc((size_t)argc + 1, sizeof *report->drawings.items)};
    format_date(report->date);
    return report->command != NULL && report->drawings.items != NULL
               ? EULERCL_OK
               : fail(EULERCL_MEMORY, "no memory for the command line");
}

void free_report(struct report *report) {
    for (size_t i = 0; i < report->n_rows; i++) free(report->rows[i].facts);
    for (size_t i = 0; i < report->drawings.count; i++) free(report->drawings.items[i]);
    free(report->drawings.items);
    free(report->rows);
    free(report->machines);
    free(report->parameters);
    free(report->span);
    free((char *)report->command);
    json_decref(report->json_parameters);
    json_decref(report->pictures);
}

struct row *add_row(struct report *report) {
    struct row *const more = realloc(report->rows, (report->n_rows + 1) * sizeof *more);
    if (more == NULL) return NULL;
    report->rows = more;
    return &more[report->n_rows++];
}

int add_drawing(struct report *report, const char *option, const char *text) {
    char **const item = &report->drawings.items[report->drawings.count];
#ifndef HAVE_JANSSON
    return fail(EULERCL_UNSUPPORTED, "%s: this eulercl was built without Jansson", option);
#endif
    report->has_page |= strcmp(option, "--report") == 0;
    if (asprintf(item, "%s=%s", option, text) < 0)
        return fail(EULERCL_MEMORY, "no memory for %s", option);
    report->drawings.count++;
    return EULERCL_OK;
}

int check_drawings(const struct report *report) {
    if (report->drawings.count > 0) return run_script(&report->drawings, report->csv, NULL);
    return EULERCL_OK;
}

int check_errors(const struct report *report) {
    static const char *const kinds[] = {"error", "work-precision"};
    const char *const reason = report->truth == NULL
                                   ? "errors need an exact solution or --reference FILE"
                               : *report->sweep == '\0' ? "it needs a sweep, for example --h-list"
                                                        : NULL;
    for (size_t i = 0; i < 2 * report->drawings.count && reason != NULL; i++) {
        const char *const kind = kinds[i % 2], *const drawing = report->drawings.items[i / 2];
        const size_t length = strlen(kind);
        if (strncmp(drawing, "--plot=", 7) == 0 && strncmp(drawing + 7, kind, length) == 0 &&
            drawing[7 + length] == ':')
            return fail(EULERCL_INVALID, "--plot %s: %s", kind, reason);
    }
    return EULERCL_OK;
}

int check_bits(const struct report *report, const char *from) {
    size_t different = 0;
    for (size_t i = 0; i < report->n_rows; i++)
        different += strcmp(report->rows[i].bits, "DIFFERENT") == 0;
    return different == 0 ? EULERCL_OK
                          : fail(EULERCL_INTERNAL, "%zu of %zu runs differ in their bits from %s",
                                different, report->n_rows, from);
}

int write_report(const struct report *report, int as_json) {
    int status = EULERCL_OK;
    if (as_json) {
        status = json_print(json_report(report));
    } else {
        print_origin(stdout, "", report);
        print_table(report);
    }
    if (!status && report->csv != NULL) status = write_csv(report);
    if (!status && report->drawings.count > 0) status = draw(report);
    return status;
}
