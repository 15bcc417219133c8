/* SPDX-License-Identifier: BSD-2-Clause */
/* wisdom.c - see wisdom.h. */
#include "config.h"
#include "wisdom.h"
#include "../mem.h"
#include "../reals.h"
#include "../text.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static const char header[] = "eulercl wisdom 1\n", arrow[] = " -> ";
static const char *const key_words[] = {"problem", "method", "flush", "grid", "n", "distance",
    "precision", "device", "driver", "units", "backends", "given", "library"};
enum {
    KEY_WORDS = sizeof key_words / sizeof *key_words,
    WORD = 1024, /* largest number of bytes of a value */
    LINE = WISDOM_KEY + 2 * TUNING_TEXT,
    PATH = 4096,
    MOST_BYTES = 1 << 24, /* the largest file: some 40,000 entries */
    END_BYTES = 64,
};
static const long long most_step_ps = 1000000000000000,
                       most_build_us = 10000000000; /* 1,000 and 10,000 seconds */

/* The arguments of "%.*s": the part of a path that leaves room for the reason after it. */
#define SHOWN(path) text_cut(path, 300), path

/* A file in memory: `text` ends with 0; the entries are text[begin .. end-1]. */
struct wisdom {
    char *text;
    size_t begin, end, count;
};

/* ---- words and checksums ---- */

static uint64_t fnv(const char *bytes, size_t size, uint64_t sum) {
    for (size_t i = 0; i < size; i++)
        sum = (sum ^ (unsigned char)bytes[i]) * UINT64_C(0x100000001b3);
    return sum;
}
static const uint64_t fnv_start = UINT64_C(0xcbf29ce484222325);

/* Characters that are not escaped in a word. */
static int is_plain(char c) { return c > ' ' && c < 0x7f && c != '%'; }

static void escape(const char *from, char *to, size_t size) {
    if (!*from) from = "-";
    for (; *from && size > 4; from++) {
        const int used = is_plain(*from)
                             ? snprintf(to, size, "%c", *from)
                             : snprintf(to, size, "%%%02X", (unsigned)(unsigned char)*from);
        to += used;
        size -= (size_t)used;
    }
    *to = 0;
}

uint64_t ecl_problem_sum(const struct ode_problem *d) {
    const uint32_t numbers[] = {
        d->grid.rank, d->grid.components, d->grid.radius, d->field_count, d->constant_count};
    const uint64_t sum = fnv((const char *)d->grid.boundary, sizeof d->grid.boundary,
        fnv((const char *)numbers, sizeof numbers, fnv_start));
    return d->text ? fnv(d->text, (size_t)(d->text_end - d->text), sum) : sum;
}

void ecl_wisdom_key(const struct run *run, const eulercl_device_info *device, const char *backends,
    char key[WISDOM_KEY]) {
    const struct system *s = &run->system;
    char name[WORD / 2], device_name[WORD / 2], driver[WORD / 2], given[TUNING_TEXT],
        extents[ODE_MOST_AXES * 24];
    escape(s->definition->name, name, sizeof name);
    escape(device->name, device_name, sizeof device_name);
    escape(device->driver, driver, sizeof driver);
    ecl_tuning_write(&run->options, given);
    for (int axis = 0, length = 0; axis < ODE_MOST_AXES; axis++)
        length += snprintf(extents + length, sizeof extents - (size_t)length, "%s%lld",
            axis ? "x" : "", (long long)s->context.grid.extents[axis]);
    snprintf(key, WISDOM_KEY,
        "problem=%s:%016llx method=%s:%d flush=%d grid=%s n=%lld distance=%lld "
        "precision=%s "
        "device=%s "
        "driver=%s "
        "units=%u backends=%s"
        " given=%s library=%s",
        name, (unsigned long long)ecl_problem_sum(s->definition), s->method->name,
        s->method->stages, s->flush.reals != NULL, extents, (long long)s->n,
        (long long)s->access_distance, real_name(s->real_size), device_name, driver,
        (unsigned)device->compute_units, backends, given, PACKAGE_VERSION);
}

/* ---- lines ---- */

static void write_entry(const char *key, const struct proposal *p, char line[LINE]) {
    char tuning[TUNING_TEXT];
    ecl_tuning_write(&p->options, tuning);
    snprintf(line, LINE, "%s%sbackend=%s tuning=%s step_ps=%lld build_us=%lld\n", key, arrow,
        p->options.backend, tuning, (long long)(p->step_seconds * 1e12 + 0.5),
        (long long)(p->build_seconds * 1e6 + 0.5));
}

/* Take the word NAME=VALUE from the beginning of *rest; NULL: it has another name. */
static char *take_word(char **rest, const char *name) {
    const size_t length = strlen(name);
    char *word = *rest ? strsep(rest, " ") : NULL;
    return word && !strncmp(word, name, length) && word[length] == '=' && word[length + 1]
               ? word + length + 1
               : NULL;
}

/* Split a line, without its newline, into key and plan; -> its error, or NULL. The plan's other
 * options are the defaults. */
static const char *read_entry(
    const char *line, size_t length, char key[WISDOM_KEY], struct proposal *p) {
    char words[LINE], again[LINE];
    if (length + 2 > sizeof words) return "a line is too long";
    memcpy(words, line, length);
    words[length] = 0;
    char *value = strstr(words, arrow);
    if (!value || value - words >= WISDOM_KEY) return "a line is not an entry";
    *value = 0;
    value += sizeof arrow - 1;
    memcpy(key, words, strlen(words) + 1);
    char *rest = words;
    for (int w = 0; w < KEY_WORDS; w++) {
        const char *word = take_word(&rest, key_words[w]);
        if (!word) return "a key is incomplete";
        for (; *word; word++)
            if (!is_plain(*word) && *word != '%') return "a key has an invalid character";
    }
    if (rest) return "a key is too long";
    eulercl_options checked;
    size_t backend, variant;
    *p = (struct proposal){0};
    eulercl_options_init(&p->options);
    char *name = take_word(&value, "backend"), *tuning = take_word(&value, "tuning");
    char *step = take_word(&value, "step_ps"), *build = take_word(&value, "build_us");
    if (!name || !tuning || !step || !build || value) return "an entry is incomplete";
    if (ecl_find_backend(name, &backend, NULL)) return "an entry has an unknown backend";
    if (!ecl_tuning_read(tuning, &p->options)) return "an entry has an unknown option";
    if (ecl_find_variant(backend, TUNED_NAME(&p->options, variant), &variant, NULL))
        return "an entry has a variant unknown to its backend";
    if (ecl_options_check(&p->options, &checked, NULL))
        return "an entry has an option out of bounds";
    p->options.backend = ecl_backends[backend].name;
    const long long step_ps = strtoll(step, NULL, 10), build_us = strtoll(build, NULL, 10);
    if (step_ps < 1 || step_ps > most_step_ps || build_us < 0 || build_us > most_build_us)
        return "an entry has an invalid time";
    p->step_seconds = 1e-12 * (double)step_ps;
    p->build_seconds = 1e-6 * (double)build_us;
    write_entry(key, p, again); /* this rejects numbers with signs, leading zeros or letters */
    return strncmp(again, line, length) || again[length] != '\n' || again[length + 1]
               ? "an entry does not have its canonical form"
               : NULL;
}

/* Compare the keys of two lines: -1, 0, 1. */
static int compare_keys(const char *a, const char *b) {
    const size_t la = (size_t)(strstr(a, arrow) - a), lb = (size_t)(strstr(b, arrow) - b);
    const int order = memcmp(a, b, la < lb ? la : lb);
    return order ? order : (la > lb) - (la < lb);
}

/* ---- files ---- */

static const char *check(struct wisdom *w, size_t size, const char *library) {
    char key[WISDOM_KEY], end[END_BYTES];
    struct proposal plan;
    if (strlen(w->text) != size || strncmp(w->text, header, sizeof header - 1))
        return "its first line is not \"eulercl wisdom 1\"";
    w->begin = sizeof header - 1;
    const char *at = w->text + w->begin, *before = NULL;
    while (*at && strncmp(at, "end ", 4)) {
        const char *newline = strchr(at, '\n');
        if (!newline) return "it is truncated";
        const char *wrong = read_entry(at, (size_t)(newline - at), key, &plan);
        if (wrong) return wrong;
        if (before && compare_keys(before, at) >= 0)
            return "its entries are not in order, or one occurs twice";
        if (library && strcmp(strrchr(key, '=') + 1, library))
            return "it has entries of another version of the library";
        before = at;
        at = newline + 1;
        w->count++;
    }
    w->end = (size_t)(at - w->text);
    snprintf(end, sizeof end, "end %zu %016llx\n", w->count,
        (unsigned long long)fnv(w->text, w->end, fnv_start));
    return *at ? strcmp(at, end) ? "its checksum does not match" : NULL : "it is truncated";
}

/* A missing file leaves *w empty, unless it `must` exist. library: the version that all entries
 * must have; NULL for any. */
static int load(
    const char *path, int must, const char *library, struct wisdom *w, eulercl_error *error) {
    *w = (struct wisdom){0};
    struct stat status;
    const int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (file < 0 && errno == ENOENT && !must) return EULERCL_OK;
    if (file < 0) return ecl_fail(error, EULERCL_FILE, "%.*s: %s", SHOWN(path), strerror(errno));
    const char *wrong = fstat(file, &status)          ? strerror(errno)
                        : !S_ISREG(status.st_mode)    ? "it is not a regular file"
                        : status.st_size > MOST_BYTES ? "it is too large"
                                                      : NULL;
    size_t size = 0;
    if (!wrong && !(w->text = ecl_mem_zeroed((uint64_t)status.st_size + 2, 1))) {
        close(file);
        return ecl_no_memory(error, "the wisdom file");
    }
    /* A file that grew meanwhile is read incompletely, and rejected. */
    while (!wrong && size <= (size_t)status.st_size) {
        const ssize_t got = read(file, w->text + size, (size_t)status.st_size + 1 - size);
        if (!got) break;
        if (got > 0)
            size += (size_t)got;
        else if (errno != EINTR)
            wrong = strerror(errno);
    }
    close(file);
    if (!wrong) wrong = check(w, size, library);
    if (!wrong) return EULERCL_OK;
    ecl_mem_free(w->text);
    *w = (struct wisdom){0};
    return ecl_fail(
        error, EULERCL_FILE, "the wisdom file %.*s is not used: %s", SHOWN(path), wrong);
}

static int fail_write(const char *path, eulercl_error *error) {
    return ecl_fail(error, EULERCL_FILE, "cannot write %.*s: %s", SHOWN(path), strerror(errno));
}

static int write_all(int file, const char *text, size_t size) {
    while (size) {
        const ssize_t done = write(file, text, size);
        if (done < 0 && errno == EINTR) continue;
        if (done <= 0) return -1;
        text += done;
        size -= (size_t)done;
    }
    return fsync(file);
}

/* Write the text to `temporary`, in the same folder, and rename it, so that the file is never
 * incomplete. */
static int replace(
    const char *path, const char *temporary, const char *text, size_t size, eulercl_error *error) {
    char folder[PATH];
    struct stat status;
    if (!stat(path, &status) && !S_ISREG(status.st_mode))
        return ecl_fail(
            error, EULERCL_FILE, "cannot write %.*s: it is not a regular file", SHOWN(path));
    const int file =
        open(temporary, O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666);
    if (file < 0) return fail_write(path, error);
    /* Overwrite only a file that a killed process left. */
    if (fstat(file, &status) || !S_ISREG(status.st_mode) || status.st_nlink != 1) {
        close(file);
        return ecl_fail(error, EULERCL_FILE, "cannot write %.*s: %.*s is in the way", SHOWN(path),
            text_cut(temporary, 180), temporary);
    }
    int failed = ftruncate(file, 0) || write_all(file, text, size);
    const int why = errno;
    if (close(file) && !failed)
        failed = -1;
    else if (failed)
        errno = why;
    if (failed || rename(temporary, path)) {
        const int code = fail_write(path, error);
        unlink(temporary);
        return code;
    }
    /* The rename reaches the disk with the folder; if that fails, the old file remains. */
    snprintf(folder, sizeof folder, "%s", path);
    char *slash = strrchr(folder, '/');
    if (slash) slash[slash == folder] = 0;
    const int directory = open(slash ? folder : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (directory >= 0) {
        fsync(directory);
        close(directory);
    }
    return EULERCL_OK;
}

/* Merge both; where a key is in both, take b's entry. -> a new text. */
static int merge(const struct wisdom *a, const struct wisdom *b, char **text, size_t *size,
    eulercl_error *error) {
    size_t count = 0, used = sizeof header - 1;
    const char *from[2] = {a->text ? a->text + a->begin : "", b->text + b->begin},
               *end[2] = {a->text ? a->text + a->end : from[0], b->text + b->end};
    char *out = ecl_mem_zeroed(
        (uint64_t)(a->end - a->begin) + (b->end - b->begin) + sizeof header + END_BYTES, 1);
    if (!out) return ecl_no_memory(error, "the wisdom file");
    memcpy(out, header, used);
    while (from[0] < end[0] || from[1] < end[1]) {
        const int order = from[0] == end[0]   ? 1
                          : from[1] == end[1] ? -1
                                              : compare_keys(from[0], from[1]),
                  take = order >= 0;
        const size_t length = (size_t)(strchr(from[take], '\n') + 1 - from[take]);
        memcpy(out + used, from[take], length);
        used += length;
        count++;
        if (!order) from[0] = strchr(from[0], '\n') + 1;
        from[take] += length;
    }
    const unsigned long long sum = fnv(out, used, fnv_start);
    used += (size_t)snprintf(out + used, END_BYTES, "end %zu %016llx\n", count, sum);
    *text = out;
    *size = used;
    return used <= MOST_BYTES ? EULERCL_OK
                              : ecl_fail(error, EULERCL_FILE,
                                    "the wisdom file is full: `eulercl wisdom forget` removes it");
}

/* Make the folders above path, accessible only to the user. */
static void make_folders(const char *path) {
    char folder[PATH];
    snprintf(folder, sizeof folder, "%s", path);
    for (char *slash = strchr(folder + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = 0;
        mkdir(folder, 0700); /* a failure is reported when the file is made */
        *slash = '/';
    }
}

static int take_lock(const char *path, int *lock, eulercl_error *error) {
    char name[PATH + 8];
    snprintf(name, sizeof name, "%s.lock", path);
    *lock = open(name, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666);
    if (*lock < 0) return fail_write(path, error);
    int failed;
    do failed = flock(*lock, LOCK_EX);
    while (failed && errno == EINTR);
    if (!failed) return EULERCL_OK;
    const int code = fail_write(path, error);
    close(*lock);
    return code;
}

/* Read, add and write under the lock. */
static int add(const char *wisdom, const struct wisdom *addition, eulercl_error *error) {
    char path[PATH], temporary[PATH + 8], *text = NULL;
    struct wisdom there = {0};
    size_t size = 0;
    int lock, status = eulercl_wisdom_path(wisdom, path, sizeof path, error);
    if (status) return status;
    if (!wisdom) make_folders(path);
    if ((status = take_lock(path, &lock, error))) return status;
    snprintf(temporary, sizeof temporary, "%s.new", path);
    status = load(path, 0, NULL, &there, error);
    if (!status) status = merge(&there, addition, &text, &size, error);
    if (!status) status = replace(path, temporary, text, size, error);
    close(lock);
    ecl_mem_free(there.text);
    ecl_mem_free(text);
    return status;
}

/* ---- the planner's ---- */

int ecl_wisdom_find(const char *wisdom, const char *key, struct proposal *proposal, int *found,
    eulercl_error *error) {
    char path[PATH], other[WISDOM_KEY];
    struct wisdom w;
    const eulercl_options *user = &proposal->options;
    *found = 0;
    if (eulercl_wisdom_path(wisdom, path, sizeof path, NULL)) return EULERCL_OK;
    const int status = load(path, 0, NULL, &w, error);
    if (status || !w.text) return status;
    struct proposal known;
    for (const char *line = w.text + w.begin; !*found && line < w.text + w.end;
         line = strchr(line, '\n') + 1) {
        const size_t length = (size_t)(strchr(line, '\n') - line);
        if (strncmp(line, key, strlen(key)) || read_entry(line, length, other, &known) ||
            strcmp(other, key))
            continue;
        *found = ecl_tuning_agrees(user, &known.options);
    }
    ecl_mem_free(w.text);
    if (!*found) return EULERCL_OK;
    proposal->options.backend = known.options.backend;
    ecl_tuning_copy(&known.options, &proposal->options);
    proposal->step_seconds = known.step_seconds;
    proposal->build_seconds = known.build_seconds;
    return EULERCL_OK;
}

int ecl_wisdom_remember(
    const char *wisdom, const char *key, const struct proposal *proposal, eulercl_error *error) {
    char line[LINE];
    write_entry(key, proposal, line);
    return add(wisdom, &(struct wisdom){.text = line, .end = strlen(line), .count = 1}, error);
}

/* ---- public functions ---- */

int eulercl_wisdom_path(const char *wisdom, char *path, size_t size, eulercl_error *error) {
    EULERCL_NEEDS(path);
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    char text[PATH];
    int length = 0;
    if (wisdom && !*wisdom) return ecl_fail(error, EULERCL_INVALID, "wisdom is disabled");
    if (wisdom)
        length = snprintf(text, sizeof text, "%s", wisdom);
    else if (cache && *cache == '/')
        length = snprintf(text, sizeof text, "%s/eulercl/wisdom",
            cache); /* the XDG specification says that other paths must be ignored */
    else if (home && *home == '/')
        length = snprintf(text, sizeof text, "%s/.cache/eulercl/wisdom", home);
    else
        return ecl_fail(
            error, EULERCL_INVALID, "no wisdom file: neither XDG_CACHE_HOME nor HOME is set");
    if (length < 0 || (size_t)length >= sizeof text || (size_t)length >= size)
        return ecl_fail(error, EULERCL_INVALID, "the path of the wisdom file is too long");
    memcpy(path, text, (size_t)length + 1);
    return EULERCL_OK;
}

int eulercl_wisdom_each(
    const char *wisdom, eulercl_wisdom_visitor *visit, void *user, eulercl_error *error) {
    EULERCL_NEEDS(visit);
    char path[PATH], key[WISDOM_KEY], tuning[TUNING_TEXT];
    struct wisdom w;
    struct proposal plan;
    int status = eulercl_wisdom_path(wisdom, path, sizeof path, error);
    if (!status) status = load(path, 0, NULL, &w, error);
    if (status || !w.text) return status;
    for (const char *line = w.text + w.begin; !status && line < w.text + w.end;
         line = strchr(line, '\n') + 1) {
        read_entry(line, (size_t)(strchr(line, '\n') - line), key, &plan);
        ecl_tuning_write(&plan.options, tuning);
        if (visit(key, plan.options.backend, tuning, plan.step_seconds, user))
            status = ecl_fail(error, EULERCL_CANCELLED, "stopped");
    }
    ecl_mem_free(w.text);
    return status;
}

int eulercl_wisdom_export(const char *wisdom, const char *to, eulercl_error *error) {
    EULERCL_NEEDS(to);
    char path[PATH], temporary[PATH + 64];
    struct wisdom w;
    int status = eulercl_wisdom_path(wisdom, path, sizeof path, error);
    if (!status && strlen(to) >= PATH)
        status = ecl_fail(error, EULERCL_INVALID, "the path to export to is too long");
    if (!status) status = load(path, 1, NULL, &w, error);
    if (status) return status;
    snprintf(temporary, sizeof temporary, "%s.new-%ld", to, (long)getpid());
    status = replace(to, temporary, w.text, strlen(w.text), error);
    ecl_mem_free(w.text);
    return status;
}

int eulercl_wisdom_import(const char *wisdom, const char *from, eulercl_error *error) {
    EULERCL_NEEDS(from);
    struct wisdom w;
    int status = load(from, 1, PACKAGE_VERSION, &w, error);
    if (status) return status;
    status = add(wisdom, &w, error);
    ecl_mem_free(w.text);
    return status;
}

int eulercl_wisdom_forget(const char *wisdom, eulercl_error *error) {
    char path[PATH], start[sizeof header] = "";
    int lock, status = eulercl_wisdom_path(wisdom, path, sizeof path, error);
    if (status) return status;
    const int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (file < 0)
        return errno == ENOENT
                   ? EULERCL_OK
                   : ecl_fail(error, EULERCL_FILE, "%.*s: %s", SHOWN(path), strerror(errno));
    /* A damaged wisdom file is removed, too; another kind of file is not. */
    const ssize_t got = read(file, start, sizeof start - 1);
    close(file);
    if (got < 0 || strncmp(start, header, strcspn(header, "1")))
        return ecl_fail(error, EULERCL_FILE, "%.*s is not a wisdom file, not removed", SHOWN(path));
    if ((status = take_lock(path, &lock, error))) return status;
    if (unlink(path) && errno != ENOENT)
        status =
            ecl_fail(error, EULERCL_FILE, "cannot remove %.*s: %s", SHOWN(path), strerror(errno));
    close(lock);
    return status;
}
