/* SPDX-License-Identifier: BSD-2-Clause */
/* wisdom.c - eulercl wisdom: show, copy and forget what was measured. */
#include "config.h"

#include "command/commands.h"
#include "shared/arguments.h"
#include "shared/escape.h"
#include "shared/json.h"
#include "shared/message.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEY_WISDOM = 0x300 };

struct wisdom_request {
    struct common common;
    const char *file; /* as in the options */
    const struct action *action;
    const char *argument;
};

struct action {
    const char *name;
    int takes_file;
    int (*run)(const struct wisdom_request *wisdom);
};

/* ---- show ---- */

/* Return the next word of a key, "name=value", with %XX decoded; NULL after the last. */
static char *next_word(char **rest, char **value) {
    char *const word = strsep(rest, " "), *to;
    if (word == NULL || (to = *value = strchr(word, '=')) == NULL) return NULL;
    *(*value)++ = '\0';
    to = *value;
    for (const char *from = *value; *from != '\0'; from++) {
        unsigned int byte;
        if (*from == '%' && sscanf(from + 1, "%2x", &byte) == 1) {
            *to++ = (char)byte;
            from += 2;
        } else
            *to++ = *from;
    }
    *to = '\0';
    return word;
}

struct listing {
    int json, entries;
    json_t *list;
};

static int show_entry(
    const char *key, const char *backend, const char *tuning, double seconds, void *user) {
    struct listing *const listing = user;
    char *const words = strdup(key), *rest = words, *name, *value;
    if (words == NULL) return 1;
    if (listing->json) {
        json_t *const valid_for = json_object();
        while ((name = next_word(&rest, &value)) != NULL)
            json_object_set_new(valid_for, name, json_string(value));
        json_array_append_new(
            listing->list, json_pack("{s:o, s:s, s:s, s:f}", "for", valid_for, "backend", backend,
                               "tuning", tuning, "seconds_per_step", seconds));
        free(words);
        return 0;
    }
    printf("%s%s %s: %.4g us per step\n   ", listing->entries++ ? "\n" : "", backend, tuning,
        1e6 * seconds);
    while ((name = next_word(&rest, &value)) != NULL) {
        printf(" %s=", name);
        put_plain(stdout, value, "");
    }
    putchar('\n');
    free(words);
    return 0;
}

static int show(const struct wisdom_request *wisdom) {
    struct listing listing = {.json = wisdom->common.json};
    eulercl_error error;
    listing.list = json_array();
    const int status = eulercl_wisdom_each(wisdom->file, show_entry, &listing, &error);
    if (!status && listing.json) return json_print(json_pack("{s:o}", "entries", listing.list));
    json_decref(listing.list);
    return !status ? EULERCL_OK : fail_library(&error);
}

/* ---- the others ---- */

static int print_path(const struct wisdom_request *wisdom) {
    char path[4096];
    eulercl_error error;
    const int status = eulercl_wisdom_path(wisdom->file, path, sizeof path, &error);
    if (status) return fail_library(&error);
    if (wisdom->common.json) return json_print(json_pack("{s:s}", "path", path));
    puts(path);
    return EULERCL_OK;
}

/* A change is told in the object of --json alone. */
static int tell(const struct wisdom_request *wisdom, int status, const eulercl_error *error) {
    if (status) return fail_library(error);
    return wisdom->common.json ? print_path(wisdom) : EULERCL_OK;
}

static int import(const struct wisdom_request *wisdom) {
    eulercl_error error;
    return tell(wisdom, eulercl_wisdom_import(wisdom->file, wisdom->argument, &error), &error);
}

static int forget(const struct wisdom_request *wisdom) {
    eulercl_error error;
    return tell(wisdom, eulercl_wisdom_forget(wisdom->file, &error), &error);
}

static int export(const struct wisdom_request *wisdom) {
    eulercl_error error;
    if (eulercl_wisdom_export(wisdom->file, wisdom->argument, &error)) return fail_library(&error);
    return wisdom->common.json ? json_print(json_pack("{s:s}", "written", wisdom->argument))
                               : EULERCL_OK;
}

/* The first one is the default. */
static const struct action actions[] = {
    {"show", 0, show},
    {"export", 1, export},
    {"import", 1, import},
    {"forget", 0, forget},
    {"path", 0, print_path},
};
enum { ACTIONS = sizeof actions / sizeof actions[0] };

/* ---- options ---- */

static int take_argument(struct wisdom_request *wisdom, const char *argument) {
    if (wisdom->action != NULL && wisdom->action->takes_file && wisdom->argument == NULL) {
        wisdom->argument = argument;
        return 0;
    }
    if (wisdom->action != NULL) return fail(EULERCL_INVALID, "unexpected argument '%s'", argument);
    for (int i = 0; i < ACTIONS; i++)
        if (strcmp(argument, actions[i].name) == 0) wisdom->action = &actions[i];
    return wisdom->action != NULL
               ? 0
               : fail(EULERCL_INVALID,
                     "wisdom: '%s' is not one of show, export, import, forget, path", argument);
}

static error_t parse_wisdom(int key, char *argument, struct argp_state *state) {
    struct wisdom_request *const wisdom = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &wisdom->common;
        return 0;
    case KEY_WISDOM:
        wisdom->file = argument;
        return 0;
    case ARGP_KEY_ARG:
        return take_argument(wisdom, argument);
    case ARGP_KEY_END:
        if (wisdom->action == NULL) wisdom->action = &actions[0];
        if (wisdom->action->takes_file && wisdom->argument == NULL)
            return fail(EULERCL_INVALID, "wisdom %s: missing file name", wisdom->action->name);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_option option_list[] = {
    {"wisdom", KEY_WISDOM, "FILE", 0, "the wisdom file (the user's cache)", 0},
    {0},
};
static const struct argp_child children[] = {{&common_argp, 0, NULL, 0}, {0}};
static const struct argp argp = {
    .options = option_list,
    .parser = parse_wisdom,
    .args_doc = "[show|export FILE|import FILE|forget|path]",
    .children = children,
    .doc = "What was measured by eulercl tune and plan measure: show it, write a copy, add what a "
           "copy knows, forget it all, or say where it is.",
};

int wisdom_main(int argc, char **argv) {
    struct wisdom_request wisdom = {.common.command = "eulercl wisdom"};
    const int status = parse_options(&argp, argc, argv, &wisdom);
    return !status ? wisdom.action->run(&wisdom) : status;
}
