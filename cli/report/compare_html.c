/* SPDX-License-Identifier: BSD-2-Clause */
/* compare_html.c - one page with all that eulercl compare has found: it needs no other file, no
 * network and no script, so that it can be mailed.
 *
 * It is also well-formed XML. */
#include "config.h"

#include "format/file.h"
#include "report/compare.h"
#include "report/gnuplot.h"
#include "report/rows.h"
#include "shared/escape.h"
#include "shared/message.h"

#include <errno.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PLOT_WIDTH = 620 }; /* two plots are side by side, so letters must not be small */

static const char head[] =
    "<!DOCTYPE html>\n"
    "<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"en\">\n"
    "<head>\n"
    "<meta charset=\"utf-8\"/>\n"
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
    "<style>\n"
    "body { font: 15px/1.5 sans-serif; color: #202020; background: #fff; max-width: 1100px; "
    "margin: 2em auto; padding: 0 1em; }\n"
    "h1 { font-size: 1.6em; margin-bottom: 0.2em; } h2 { font-size: 1.2em; margin-top: 2em; }\n"
    ".wide { overflow-x: auto; }\n"
    "table { border-collapse: collapse; }\n"
    "th, td { padding: 0.25em 0.7em; text-align: left; vertical-align: top; }\n"
    "table.rows { font-size: 0.9em; } table.rows th { border-bottom: 2px solid #808080; "
    "white-space: nowrap; }\n"
    "table.rows td { border-bottom: 1px solid #e4e4e4; } table.rows tr.first td { border-top: 2px "
    "solid #c8c8c8; }\n"
    "table.rows .n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; "
    "}\n"
    "table.rows td.name { white-space: nowrap; } tr.fastest td.name { font-weight: bold; } td.how "
    "{ color: #606060; }\n"
    ".same { color: #006d4a; } .different { color: #b00020; font-weight: bold; } tr.none td { "
    "color: #707070; }\n"
    "table.facts th { font-weight: normal; color: #606060; padding-left: 0; }\n"
    "code, pre { font: 0.9em/1.4 monospace; } pre { white-space: pre-wrap; background: #f6f6f6; "
    "padding: 0.7em; }\n"
    "code { overflow-wrap: anywhere; }\n"
    "figure { margin: 1em 0 2em; } figcaption { font-weight: bold; } svg, img { max-width: 100%; "
    "height: auto; }\n"
    ".pictures { display: flex; flex-wrap: wrap; gap: 1em; } .pictures figure { flex: 1 1 460px; "
    "max-width: 540px; margin: 0; }\n"
    "@media print { details { display: none; } }\n"
    "</style>\n";

static void put_base64(FILE *file, const char *bytes, size_t size) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < size; i += 3) {
        uint32_t group = 0;
        for (size_t k = 0; k < 3; k++)
            group = group << 8 | (i + k < size ? (unsigned char)bytes[i + k] : 0);
        for (size_t k = 0; k < 4; k++)
            fputc(k > 1 && i + k > size ? '=' : digits[group >> (18 - 6 * k) & 63], file);
    }
}

/* ---- the table ---- */

static void put_text_cell(FILE *file, const char *class, const char *text) {
    fprintf(file, "<td class=\"%s\">", class);
    put_xml(file, text, "");
    fputs("</td>", file);
}

static const char *class_of(const struct row *row) {
    return strcmp(row->bits, "DIFFERENT") == 0 ? "different"
           : strcmp(row->bits, "same") == 0    ? "same"
                                               : "plain";
}

/* A row that failed has a note in place of its numbers. */
static void put_row(
    FILE *file, const struct table_column *table, const struct row *row, int is_first) {
    const char *note = row->note;
    char buffer[32];
    int span = 0; /* columns without a cell */
    fprintf(file, "<tr class=\"%s%s\">", is_first && row->at > 0 ? "first " : "",
        row->status ? "none"
        : is_first  ? "fastest"
                    : "plain");
    for (const struct table_column *c = table;; c++) {
        const int is_end = c->heading == NULL;
        if (!is_end && *c->heading == '\0') continue;
        if (!is_end && row->status && !is_text(c)) {
            span++;
            continue;
        }
        if (span > 0) {
            fprintf(file, "<td colspan=\"%d\">", span);
            put_xml(file, note, "");
            fputs("</td>", file);
            note = "";
            span = 0;
        }
        if (is_end) break;
        put_text_cell(file,
            c->kind == TABLE_BITS                      ? class_of(row)
            : c->offset == offsetof(struct row, label) ? "name"
            : is_aligned_right(c)                      ? "n"
                                                       : "plain",
            cell_text(row, c, buffer));
    }
    fputs("<td class=\"how\">", file);
    if (!row->status) print_how(file, row);
    fputs("</td></tr>\n", file);
}

static void put_table(FILE *file, const struct compare *compare) {
    struct table_column table[MOST_COLUMNS];
    list_table_columns(compare, table);
    fputs("<div class=\"wide\"><table class=\"rows\">\n<thead><tr>", file);
    for (const struct table_column *c = table; c->heading != NULL; c++) {
        if (*c->heading == '\0') continue;
        fputs(is_aligned_right(c) ? "<th class=\"n\">" : "<th>", file);
        put_xml(file, c->heading, "");
        fputs("</th>", file);
    }
    fputs("<th>how</th></tr></thead>\n<tbody>\n", file);
    for (size_t i = 0; i < compare->n_rows; i++)
        put_row(file, table, &compare->rows[i],
            i == 0 || compare->rows[i].at != compare->rows[i - 1].at);
    fputs("</tbody></table></div>\n<p>kernel: computing; total: set-up, build and transfers with "
          "it; Gcs/s: 10<sup>9</sup> component-steps per second; ratio: how much "
          "faster than <code>",
        file);
    put_xml(file, compare->baseline, "");
    fprintf(file,
        "</code>; ulps: the largest distance to what <code>seq</code> computes, in units in the "
        "last place%s",
        compare->has_methods ? " (ratio and ulps: with the same method)" : "");
    if (compare->truth != NULL) {
        fputs("; error: the largest distance of a component to ", file);
        put_xml(file, compare->truth, "");
    }
    fputs(". ", file);
    char *csv = NULL;
    size_t size;
    FILE *const stream = open_memstream(&csv, &size);
    if (stream != NULL) print_compare_csv(stream, compare);
    if (stream != NULL && fclose(stream) == 0) {
        fputs("<a download=\"compare.csv\" href=\"data:text/csv;base64,", file);
        put_base64(file, csv, size);
        fputs("\">All figures as CSV</a>.", file);
    }
    free(csv);
    fputs("</p>\n", file);
}

/* ---- where it comes from ---- */

static void put_fact(FILE *file, const char *name, const char *text, int is_code) {
    if (*text == '\0') return;
    fprintf(file, "<tr><th>%s</th><td>%s", name, is_code ? "<code>" : "");
    put_xml(file, text, "");
    fprintf(file, "%s</td></tr>\n", is_code ? "</code>" : "");
}

static int is_first_on_device(const struct compare *compare, size_t row) {
    for (size_t i = 0; i < row; i++)
        if (strcmp(compare->rows[i].device, compare->rows[row].device) == 0 &&
            strcmp(compare->rows[i].device_id, compare->rows[row].device_id) == 0)
            return 0;
    return *compare->rows[row].device != '\0';
}

static void put_provenance(FILE *file, const struct compare *compare) {
    const eulercl_problem_info *const info = compare->info;
    char text[600];
    fputs("<table class=\"facts\">\n", file);
    put_fact(file, "command", compare->command, 1);
    put_fact(file, "date", compare->date, 0);
    snprintf(text, sizeof text, "eulercl %s", eulercl_version());
    put_fact(file, "version", text, 0);
    put_fact(file, "parameters", compare->parameters, 0);
    if (*compare->sweep == '\0') {
        snprintf(text, sizeof text, "%" PRId64 " components, access distance %" PRId64, info->n,
            info->access_distance);
        put_fact(file, "size", text, 0);
    }
    put_fact(file, "steps", compare->span, 0);
    if (!info->bits_guaranteed)
        put_fact(file, "bits", "the problem uses functions whose bits differ between devices", 0);
    for (size_t i = 0; i < compare->n_rows; i++) {
        const struct row *const row = &compare->rows[i];
        if (!is_first_on_device(compare, i)) continue;
        snprintf(text, sizeof text, "%s%s%s%s%s", row->device,
            *row->device_id == '\0'       ? ""
            : strchr(row->device_id, ',') ? ", --devices "
                                          : ", --device ",
            row->device_id, *row->driver ? ", driver " : "", row->driver);
        put_fact(file, "device", text, 0);
    }
    fputs("</table>\n", file);
}

static void put_details(FILE *file, const struct compare *compare) {
    fputs("<h2>Each run in full</h2>\n", file);
    for (size_t i = 0; i < compare->n_rows; i++) {
        const struct row *const row = &compare->rows[i];
        if (row->facts == NULL) continue;
        fputs("<details><summary>", file);
        put_xml(file, row->label, "");
        fprintf(file, ", %s, %s%s%s%s", row->precision, row->method, *row->point ? ", " : "",
            *row->point ? compare->sweep : "", *row->point ? " = " : "");
        put_xml(file, row->point, "");
        if (*row->hash != '\0') fprintf(file, ", state hash %s", row->hash);
        fputs("</summary><pre>", file);
        put_xml(file, row->facts, "\n");
        fputs("</pre></details>\n", file);
    }
}

/* ---- plots and pictures ---- */

/* The length of the text before a name that is unique in a page; 0: there is no such name here. */
static size_t starts_name(const char *text) {
    static const char *const starts[] = {" id=\"", " id='", "href=\"#", "href='#", "url(#"};
    for (size_t i = 0; i < sizeof starts / sizeof starts[0]; i++)
        if (strncmp(text, starts[i], strlen(starts[i])) == 0) return strlen(starts[i]);
    return 0;
}

/* Copy gnuplot's picture without the text before <svg>, which is not allowed inside a page, and
 * make the names in it unique. */
static int copy_svg(FILE *file, const char *path, const char *name) {
    FILE *const svg = fopen(path, "r");
    char *text = NULL;
    size_t room = 0;
    if (svg == NULL) return fail(EULERCL_FILE, "%s: %s", path, strerror(errno));
    const ssize_t size = getdelim(&text, &room, '\0', svg);
    const char *const start = size > 0 ? strstr(text, "<svg") : NULL;
    fclose(svg);
    for (const char *c = start; c != NULL && *c != '\0';) {
        const size_t length = starts_name(c);
        fprintf(file, "%.*s", length > 0 ? (int)length : 1, c);
        if (length > 0) fprintf(file, "%s-", name);
        c += length > 0 ? length : 1;
    }
    free(text);
    return start == NULL ? fail(EULERCL_INTERNAL, "gnuplot wrote no SVG") : EULERCL_OK;
}

/* Draw in a temporary folder, since gnuplot works on files. */
static int put_plot(
    FILE *file, const struct compare *compare, const struct plot_kind *kind, const char *folder) {
    static const char *const extensions[] = {"svg", "gp", "csv"};
    char path[3][4096];
    for (int i = 0; i < 3; i++)
        snprintf(path[i], sizeof path[i], "%s/%.32s.%s", folder, kind->name, extensions[i]);
    int status = draw_compare_plot(compare, "--report", kind, path[0], PLOT_WIDTH);
    if (!status) {
        fprintf(file, "<figure><figcaption>%s</figcaption>\n", kind->title);
        status = copy_svg(file, path[0], kind->name);
        fputs("</figure>\n", file);
    }
    for (int i = 0; i < 3; i++) unlink(path[i]);
    return status;
}

static int put_plots(FILE *file, const struct compare *compare) {
    const char *const base = getenv("TMPDIR");
    const int is_sweep = *compare->sweep != '\0';
    const int wanted = !is_sweep               ? WITHOUT_SWEEP
                       : compare->sweeps_steps ? IN_SWEEP | IN_SWEEP_OF_STEPS
                                               : IN_SWEEP;
    char folder[4000];
    if (count_working(compare) == 0) return EULERCL_OK;
    fputs("<h2>Plots</h2>\n", file);
    if (check_gnuplot("--report")) {
        fputs("<p>There are none, since gnuplot could not be run.</p>\n", file);
        return EULERCL_OK;
    }
    if (snprintf(folder, sizeof folder, "%s/eulercl-XXXXXX",
            base != NULL && *base != '\0' ? base : "/tmp") >= (int)sizeof folder ||
        mkdtemp(folder) == NULL)
        return fail(
            EULERCL_FILE, "--report: cannot create a folder for gnuplot: %s", strerror(errno));
    int status = EULERCL_OK;
    fputs("<div class=\"pictures\">\n", file);
    for (const struct plot_kind *kind = plot_kinds; kind->name != NULL && !status; kind++)
        if ((kind->in_report & wanted) != 0 &&
            lacks_plot(kind, is_sweep, compare->truth != NULL) == NULL && has_plot(compare, kind))
            status = put_plot(file, compare, kind, folder);
    fputs("</div>\n", file);
    rmdir(folder);
    return status;
}

static void put_pictures(FILE *file, const struct compare *compare) {
    if (compare->n_pictures == 0) return;
    fputs("<h2>The solution</h2>\n<div class=\"pictures\">\n", file);
    for (size_t i = 0; i < compare->n_pictures; i++) {
        const struct compare_picture *const picture = &compare->pictures[i];
        fprintf(file,
            "<figure><figcaption>%s</figcaption><img alt=\"%s\" src=\"data:image/png;base64,",
            picture->title, picture->title);
        put_base64(file, picture->png, picture->size);
        fputs("\"/></figure>\n", file);
    }
    fputs("</div>\n", file);
}

/* ---- the page ---- */

static void put_verdict(FILE *file, const struct compare *compare) {
    const size_t works = count_working(compare), different = count_different(compare);
    fprintf(file, "<p>%zu of %zu runs ended%s", works, compare->n_rows,
        works > 0 || different > 0 ? "; " : ".</p>\n");
    if (different > 0)
        fprintf(file, "<span class=\"different\">%zu ended in other bits than seq</span>.</p>\n",
            different);
    else if (works > 0 && !compare->info->bits_guaranteed)
        fputs("equal bits are not promised for this problem.</p>\n", file);
    else if (works > 0)
        fputs("<span class=\"same\">all of them in the same bits as seq</span>.</p>\n", file);
}

int write_compare_html(const struct compare *compare, const char *path) {
    struct file page;
    int status = begin_file(&page, path);
    if (!status) {
        FILE *const file = page.stream;
        fprintf(file, "%s<title>", head);
        put_xml(file, compare->info->name, "");
        fputs(": eulercl compare</title>\n</head>\n<body>\n<h1>", file);
        put_xml(file, compare->info->name, "");
        fputs(": ", file);
        put_xml(file, compare->info->title, "");
        fputs("</h1>\n", file);
        put_verdict(file, compare);
        put_table(file, compare);
        status = put_plots(file, compare);
        put_pictures(file, compare);
        fputs("<h2>Where it comes from</h2>\n", file);
        put_provenance(file, compare);
        put_details(file, compare);
        fputs("</body>\n</html>\n", file);
    }
    if (!status) status = commit_file(&page);
    discard_file(&page);
    return status;
}
