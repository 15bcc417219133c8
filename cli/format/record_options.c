/* SPDX-License-Identifier: BSD-2-Clause */
/* record_options.c - the options that choose what is recorded of a run, and whether they fit
 * together. */
#include "config.h"

#include "format/file.h"
#include "format/format.h"
#include "format/numbered.h"
#include "format/output.h"
#include "format/record.h"
#include "shared/message.h"
#include "shared/number.h"
#include "shared/timespan.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int read_interval(const char *what, const char *text, struct interval *every) {
    double real;
    char *end;
    *every = (struct interval){0};
    if (strcmp(text, "step") == 0) {
        every->steps = 1;
        return EULERCL_OK;
    }
    if (strncmp(text, "t=", 2) == 0) {
        if (read_real(what, text + 2, &every->time)) return EULERCL_INVALID;
        return every->time > 0
                   ? EULERCL_OK
                   : fail(EULERCL_INVALID, "%s: the interval must be greater than 0", what);
    }
    real = strtod(text, &end);
    if (end != text && *end == '\0' && isfinite(real) && real > 0 && real != floor(real))
        return fail(EULERCL_INVALID,
            "%s: '%s' is not a whole number of steps; write a time as t=%s", what, text, text);
    return read_whole(what, text, 1, INT64_MAX, &every->steps);
}

int read_every(const char *text, struct interval *every) {
    return read_interval("--every", text, every);
}

int read_checkpoint_every(const char *text, struct interval *every) {
    static const char what[] = "--checkpoint-every";
    const size_t length = strlen(text);
    char *const seconds = strdup(text);
    int status = seconds == NULL ? fail(EULERCL_MEMORY, "no memory for the options") : EULERCL_OK;
    if (!status && length > 1 && text[length - 1] == 's' && strncmp(text, "t=", 2) != 0) {
        seconds[length - 1] = '\0';
        *every = (struct interval){0};
        status = read_duration(what, seconds, &every->seconds);
    } else if (!status) {
        status = read_interval(what, text, every);
    }
    free(seconds);
    return status;
}

int has_snapshots(const struct recording *recording) {
    return recording->every.steps > 0 || recording->every.time > 0;
}

/* Call read with each part of a list; the parts end with 0 for that time. */
static int each_part(const char *text, struct recording *recording,
    int (*read)(const char *part, struct recording *recording)) {
    char *const copy = strdup(text), *rest = copy;
    int status = copy == NULL ? fail(EULERCL_MEMORY, "no memory for the options") : EULERCL_OK;
    while (!status && rest != NULL) status = read(strsep(&rest, ","), recording);
    free(copy);
    return status;
}

/* NUMBER or NUMBER:COMPONENT. Which numbers are those of a place depends on the grid, which is not
 * known yet. */
static int read_probe(const char *part, struct recording *recording) {
    struct probe_number *const more =
        reallocarray(recording->probe_numbers, recording->n_probe_numbers + 1, sizeof *more);
    if (more == NULL) return fail(EULERCL_MEMORY, "no memory for the options");
    recording->probe_numbers = more;
    struct probe_number *const one = &more[recording->n_probe_numbers++];
    const char *const colon = strchr(part, ':');
    char *const number = colon == NULL ? strdup(part) : strndup(part, (size_t)(colon - part));
    if (number == NULL) return fail(EULERCL_MEMORY, "no memory for the options");
    one->component = -1;
    int status = read_whole("--probe", number, 0, INT64_MAX, &one->number);
    if (!status && colon != NULL)
        status = read_whole("--probe", colon + 1, 0, INT32_MAX, &one->component);
    free(number);
    return status;
}

int read_probes(const char *text, struct recording *recording) {
    return each_part(text, recording, read_probe);
}

/* A text of an observer; which numbers it may have depends on the problem. -> whether it is one */
static int is_observer(const char *part) {
    const char *form;
    const size_t length = strcspn(part, ":");
    for (size_t i = 0; (form = eulercl_observer_form(i)) != NULL; i++)
        if (strcspn(form, ":") == length && strncmp(form, part, length) == 0) return 1;
    return 0;
}

static int add_observer(const char *part, struct recording *recording) {
    char **const more =
        reallocarray(recording->observers, recording->n_observers + 1, sizeof *more);
    if (more == NULL) return fail(EULERCL_MEMORY, "no memory for the options");
    recording->observers = more;
    more[recording->n_observers] = strdup(part);
    return more[recording->n_observers++] == NULL
               ? fail(EULERCL_MEMORY, "no memory for the options")
               : EULERCL_OK;
}

static int fail_figure(const char *part, size_t length) {
    const char *name;
    char known[256] = "";
    for (size_t i = 0; (name = eulercl_quantity_name(i)) != NULL; i++)
        snprintf(
            known + strlen(known), sizeof known - strlen(known), "%s%s", i == 0 ? "" : ", ", name);
    for (size_t i = 0; (name = eulercl_observer_form(i)) != NULL; i++)
        snprintf(known + strlen(known), sizeof known - strlen(known), ", %s", name);
    return fail(EULERCL_INVALID, "--monitor: '%.*s' is not one of %s", (int)length, part, known);
}

/* NAME or NAME:COMPONENT, or an observer */
static int read_figure(const char *part, struct recording *recording) {
    const char *const colon = strchr(part, ':'), *name;
    const size_t length = colon == NULL ? strlen(part) : (size_t)(colon - part);
    if (is_observer(part)) return add_observer(part, recording);
    eulercl_statistic *const more =
        reallocarray(recording->figures, recording->n_figures + 1, sizeof *more);
    if (more == NULL) return fail(EULERCL_MEMORY, "no memory for the options");
    recording->figures = more;
    for (int32_t quantity = 0; (name = eulercl_quantity_name((size_t)quantity)) != NULL; quantity++)
        if (strlen(name) == length && strncmp(name, part, length) == 0) {
            more[recording->n_figures] = (eulercl_statistic){quantity, -1};
            return colon == NULL ? (recording->n_figures++, EULERCL_OK)
                                 : read_whole("--monitor", colon + 1, 0, INT64_MAX,
                                       &more[recording->n_figures++].component);
        }
    return fail_figure(part, length);
}

int read_figures(const char *text, struct recording *recording) {
    return each_part(text, recording, read_figure);
}

int read_range(const char *text, struct recording *recording) {
    struct layout *const layout = &recording->layout;
    char *const copy = strdup(text), *const comma = copy == NULL ? NULL : strchr(copy, ',');
    int status = EULERCL_OK;
    if (copy == NULL) return fail(EULERCL_MEMORY, "no memory for the options");
    if (comma != NULL) *comma = '\0';
    if (comma == NULL || read_real("--range", copy, &layout->least) ||
        read_real("--range", comma + 1, &layout->greatest))
        status = comma == NULL ? fail(EULERCL_INVALID, "--range %s: expected LEAST,GREATEST", text)
                               : EULERCL_INVALID;
    else if (!(layout->least < layout->greatest))
        status = fail(
            EULERCL_INVALID, "--range %s: the first number must be less than the second", text);
    free(copy);
    return status;
}

int read_view(const char *text, struct recording *recording) {
    static const struct {
        const char *name;
        enum view view;
    } views[] = {{"slice", VIEW_SLICE}, {"max", VIEW_MAX}, {"volume", VIEW_VOLUME}};
    for (size_t i = 0; i < sizeof views / sizeof views[0]; i++)
        if (strcmp(text, views[i].name) == 0) {
            recording->layout.view = views[i].view;
            return EULERCL_OK;
        }
    return fail(EULERCL_INVALID, "--view: '%s' is not one of slice, max, volume", text);
}

/* ---- do the options fit together? ---- */

enum target_kind kind_of(const struct recording *recording, const char *path) {
    if (is_numbered(path)) return NUMBERED;
    return has_snapshots(recording) && find_format(path)->holds_many ? SERIES : FINAL;
}

static int claim_all(const struct recording *recording) {
    int status = EULERCL_OK;
    for (size_t i = 0; i < recording->n_out && !status; i++) {
        const char *const path = recording->out[i];
        char *const first =
            kind_of(recording, path) == NUMBERED ? numbered_name(path, 0) : strdup(path);
        status = first == NULL ? EULERCL_MEMORY : claim_output("--out", first);
        free(first);
        for (size_t j = 0; j < recording->n_out && !status; j++)
            if (kind_of(recording, recording->out[j]) != NUMBERED &&
                is_one_of(path, recording->out[j]))
                status = fail(EULERCL_INVALID, "--out %s: %s would be written twice", path,
                    recording->out[j]);
        if (!status && recording->checkpoint != NULL && is_one_of(path, recording->checkpoint))
            status = fail(EULERCL_INVALID, "--out %s: %s would be written twice", path,
                recording->checkpoint);
        const char *const list = recording->extraction.path;
        if (!status && list != NULL && (is_one_of(path, list) || is_one_of(list, path)))
            status =
                fail(EULERCL_INVALID, "--extract-to %s: %s would be written twice", list, path);
    }
    return status || recording->checkpoint == NULL
               ? status
               : claim_file("--checkpoint", recording->checkpoint, recording->checkpoint);
}

/* showers: files that show states. */
static int check_thinned(const struct recording *recording, size_t showers) {
    const struct thinned *const thinned = &recording->thinned;
    const char *const option = thinned->text[0] != '\0' ? "--thin" : "--smooth";
    if (thinned->n > 0 && showers == 0)
        return fail(EULERCL_INVALID,
            "%s: no file of --out shows states; FILE.png, FILE.apng, FILE.npy and FILE.h5 do",
            option);
    if (thinned->n > 0 && (recording->asks_for_parts || recording->appends))
        return fail(EULERCL_INVALID, "%s and %s are mutually exclusive", option,
            recording->appends ? "--append" : "--parts");
    return EULERCL_OK;
}

int check_recording(const struct recording *recording) {
    size_t takers = 0, showers = 0, dividable = recording->checkpoint != NULL;
    for (size_t i = 0; i < recording->n_out; i++) {
        const char *const path = recording->out[i];
        const enum target_kind kind = kind_of(recording, path);
        int status = check_output(path);
        if (!status) status = check_numbered("--out", path);
        if (status) return status;
        if (!has_snapshots(recording) && (kind == NUMBERED || find_format(path) == &apng_format))
            return fail(EULERCL_INVALID,
                "--out %s needs --every, which sets when snapshots are taken", path);
        if (kind == NUMBERED &&
            (find_format(path) == &apng_format || find_format(path) == &table_format))
            return fail(EULERCL_INVALID,
                "--out %s: an animation or a table is one file, without a number", path);
        if (recording->appends && find_format(path) == &apng_format)
            return fail(EULERCL_INVALID, "--append: the animation %s cannot be continued", path);
        takers += kind != FINAL;
        showers += find_format(path)->add != NULL;
        dividable += find_format(path)->divide != NULL;
    }
    int status = claim_all(recording);
    if (!status) status = check_extraction(&recording->extraction, has_snapshots(recording));
    if (status) return status;
    if (recording->checkpoint == NULL &&
        (recording->checkpoint_every.steps > 0 || recording->checkpoint_every.time > 0 ||
            recording->checkpoint_every.seconds > 0))
        return fail(EULERCL_INVALID, "--checkpoint-every needs --checkpoint FILE.h5");
    if (recording->asks_for_parts && dividable == 0)
        return fail(EULERCL_INVALID, "--parts needs --out FILE.h5 or --checkpoint FILE.h5");
    status = check_thinned(recording, showers);
    if (status) return status;
    if (recording->appends && !has_snapshots(recording))
        return fail(EULERCL_INVALID, "--append needs --every");
    if (has_snapshots(recording) && takers == 0 &&
        !(recording->extraction.path != NULL && is_numbered(recording->extraction.path)))
        return fail(EULERCL_INVALID,
            "--every: no file of --out takes snapshots; FILE.h5, FILE.apng, "
            "FILE.csv and names with a number, as in frame-%%06d.png, do");
    return EULERCL_OK;
}
