/* SPDX-License-Identifier: BSD-2-Clause */
/* table.c - .csv: step sizes, errors, probes and monitors over time, a line per snapshot, flushed
 * as they come. */
#include "config.h"

#include "format/file.h"
#include "format/format.h"
#include "format/past.h"
#include "shared/facts.h"
#include "shared/message.h"
#include "shared/number.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* First of all: readers take names from the first line, comment or not. */
static void write_head(const struct layout *layout, FILE *file) {
    fputs("step,t", file);
    if (layout->has_errors) fputs(",h,error", file);
    for (size_t i = 0; i < layout->n_columns; i++) fprintf(file, ",%s", layout->columns[i]);
    fputc('\n', file);
}

/* A table that goes on. */
struct old_table {
    const char *path;
    char *head; /* the first line of this run's */
    char *text; /* that, and the rows that are kept */
    int64_t rows;
};

static int refuse(const struct old_table *table, const char *what, const char *line) {
    return fail(EULERCL_FILE, "%s cannot be continued: %s '%.*s'", table->path, what,
        (int)strcspn(line, "\n"), line);
}

/* A fact of the run that wrote it, "# NAME: VALUE", must be that of this run. */
static int compare_fact(
    const struct old_table *table, const struct facts *facts, const char *line) {
    char buffer[32];
    for (size_t i = 0; i < facts->count; i++) {
        const struct fact *const fact = &facts->list[i];
        char *text;
        if (!fact->is_parameter && strcmp(fact->name, "problem") != 0 &&
            strcmp(fact->name, "n") != 0)
            continue;
        const int length =
            asprintf(&text, "# %s%s: ", fact->is_parameter ? "parameter " : "", fact->name);
        if (length < 0) return fail(EULERCL_MEMORY, "no memory for a table");
        const char *const value = fact_text(fact, buffer);
        const int differs = strncmp(line, text, (size_t)length) == 0 &&
                            (strncmp(line + length, value, strlen(value)) != 0 ||
                                line[(size_t)length + strlen(value)] != '\n');
        free(text);
        if (differs) return refuse(table, "this is another run:", line);
    }
    return EULERCL_OK;
}

/* Rows up to the time of the state that the run goes on from. A line that is not complete was
 * being written when its run was killed. */
static int read_lines(struct old_table *table, FILE *file, const struct layout *layout,
    const struct facts *facts, FILE *rows) {
    char *line = NULL, *end;
    size_t room = 0;
    int status = EULERCL_OK, is_past = 0;
    int64_t number = 0;
    fputs(table->head, rows);
    for (ssize_t length; !status && (length = getline(&line, &room, file)) > 0; number++) {
        const int is_complete = line[length - 1] == '\n' && strlen(line) == (size_t)length;
        if (number == 0 && strcmp(line, table->head) != 0)
            status = refuse(table, "its columns are", line);
        if (number == 0 || !is_complete) continue;
        if (*line == '#') {
            status = compare_fact(table, facts, line);
            continue;
        }
        const char *const comma = strchr(line, ',');
        const double t = comma == NULL ? 0 : strtod(comma + 1, &end);
        if (comma == NULL || end == comma + 1)
            status = refuse(table, "this is no row:", line);
        else if (!(is_past |= !(t <= layout->continued->t))) {
            fputs(line, rows);
            table->rows++;
        }
    }
    free(line);
    return status;
}

static int read_table(
    struct old_table *table, const struct layout *layout, const struct facts *facts) {
    FILE *file;
    size_t size;
    if (access(table->path, F_OK) != 0) return EULERCL_OK;
    int status = open_regular(table->path, &file);
    if (status) return status;
    FILE *const rows = open_memstream(&table->text, &size);
    status = rows == NULL ? fail(EULERCL_MEMORY, "no memory for a table")
                          : read_lines(table, file, layout, facts, rows);
    if (rows != NULL && fclose(rows) != 0 && !status)
        status = fail(EULERCL_MEMORY, "no memory for a table");
    if (!status && ferror(file)) status = fail(EULERCL_FILE, "%s: read error", table->path);
    fclose(file);
    return status;
}

/* A run that was killed has left FILE.csv.part, which may have more rows than FILE.csv. */
static int keep_rows(struct output *output) {
    const struct layout *const layout = output->layout;
    struct old_table whole = {.path = output->file.path}, part = {.path = NULL};
    struct facts facts = {.list = NULL};
    char *name = NULL;
    size_t size;
    int status = begin_facts(layout->origin, 0, &facts);
    FILE *const head = status ? NULL : open_memstream(&whole.head, &size);
    if (head != NULL) write_head(layout, head);
    if (!status &&
        (head == NULL || fclose(head) != 0 || asprintf(&name, "%s.part", output->file.path) < 0))
        status = fail(EULERCL_MEMORY, "no memory for a table");
    part.path = name;
    part.head = whole.head;
    if (!status) status = read_table(&whole, layout, &facts);
    if (!status) status = read_table(&part, layout, &facts);
    if (!status) {
        struct old_table *const longer = part.rows > whole.rows ? &part : &whole;
        output->file.kept = longer->text;
        output->states = longer->rows;
        longer->text = NULL;
    }
    free(whole.text);
    free(part.text);
    free(whole.head);
    free(name);
    free_facts(&facts);
    return status;
}

static int begin_table(struct output *output) {
    const struct layout *const layout = output->layout;
    if (layout->n_columns == 0 && !layout->has_errors)
        return fail(EULERCL_INVALID, "--out %s: --probe or --monitor must choose its columns",
            output->file.path);
    if (output->file.kept == NULL) write_head(layout, output->file.stream);
    return EULERCL_OK;
}

static int end_row(struct output *output, const struct moment *moment) {
    char buffer[32];
    fprintf(output->file.stream, "%" PRId64 ",%s", moment->step, real_text(moment->t, buffer));
    if (output->layout->has_errors) {
        fprintf(output->file.stream, ",%s", real_text(moment->h, buffer));
        fprintf(output->file.stream, ",%s", real_text(moment->error, buffer));
    }
    for (size_t i = 0; i < output->layout->n_columns; i++)
        fprintf(output->file.stream, ",%s", real_text(moment->values[i], buffer));
    fputc('\n', output->file.stream);
    errno = 0;
    return fflush(output->file.stream) == 0 ? EULERCL_OK : fail_writing(&output->file);
}

/* All facts are known at the end. */
static int end_table(struct output *output, const struct facts *facts) {
    print_facts(output->file.stream, "# ", facts);
    return EULERCL_OK; /* commit_file checks the file's error flag */
}

const struct output_format table_format = {
    .extension = ".csv",
    .holds_many = 1,
    .is_live = 1,
    .keep = keep_rows,
    .begin = begin_table,
    .end_state = end_row,
    .finish = end_table,
};
