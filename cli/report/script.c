/* SPDX-License-Identifier: BSD-2-Clause */
/* script.c - the script eulercl-report, run by Python on what was measured. */
#include "config.h"

#include "report/report.h"
#include "shared/message.h"
#include "shared/processes.h"
#include "shared/stop.h"

#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* Run it with the document as standard input. */
static int run(char *const arguments[], FILE *document) {
    posix_spawn_file_actions_t actions;
    pid_t child;
    int result;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, fileno(document), STDIN_FILENO);
    const int error = posix_spawnp(&child, arguments[0], &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (error != 0)
        return fail(EULERCL_UNSUPPORTED,
            "%.*s: cannot run python3: %s (Debian: python3); --csv FILE and --json keep the "
            "numbers",
            (int)strcspn(arguments[5], "="), arguments[5], strerror(error));
    while (waitpid(child, &result, 0) < 0)
        if (errno != EINTR)
            return fail(EULERCL_INTERNAL, "cannot wait for python3: %s", strerror(errno));
    if (check_interrupt()) return EULERCL_CANCELLED;
    return WIFEXITED(result) ? WEXITSTATUS(result) : fail(EULERCL_INTERNAL, "python3 was stopped");
}

static int run_on(char *const arguments[], const json_t *document) {
    FILE *const file = tmpfile();
    int status = EULERCL_OK;
    if (file == NULL || (document != NULL && json_dumpf(document, file, 0) != 0) ||
        fflush(file) != 0 || lseek(fileno(file), 0, SEEK_SET) != 0)
        status = fail(EULERCL_FILE, "cannot write a temporary file: %s", strerror(errno));
    if (!status) status = run(arguments, file);
    if (file != NULL) fclose(file);
    return status;
}

int run_script(const struct list *options, const char *csv, const json_t *document) {
    static char python[] = "python3", isolated[] = "-I", utf8[] = "-Xutf8", text[] = "-c",
                input[] = "-", check[] = "--check";
    char *const first[] = {python, isolated, utf8, text, (char *)report_script};
    char **const arguments = calloc(options->count + 9, sizeof *arguments), *other = NULL;
    int status = EULERCL_OK;
    if (arguments == NULL || asprintf(&other, "--csv=%s", csv == NULL ? "" : csv) < 0) {
        free(arguments);
        return fail(EULERCL_MEMORY, "no memory for the report");
    }
    memcpy(arguments, first, sizeof first);
    memcpy(arguments + 5, options->items, options->count * sizeof *arguments);
    arguments[5 + options->count] = input;
    arguments[6 + options->count] = other;
    arguments[7 + options->count] = document == NULL ? check : NULL;
    fflush(stdout);
    if (is_first_process()) status = run_on(arguments, document);
    broadcast_from(0, &status, sizeof status);
    free(arguments);
    free(other);
    return status;
}
