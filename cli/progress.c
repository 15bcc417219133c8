/* progress.c - the line a person sees while a run goes on, and the signal that ends it.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include "cli.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Looked at by the thread that computes and by the one that writes snapshots. */
static atomic_int interrupted, asked_to_stop, shown;

static void note_interrupt(int signal_number)
{
    (void)signal_number;
    interrupted = 1;
}

void catch_interrupt(void)
{
    struct sigaction action = {.sa_handler = note_interrupt, .sa_flags = (int)SA_RESETHAND};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);   /* both leave no half-written file */
    sigaction(SIGHUP, &action, NULL);
}

int check_interrupt(void)
{
    return interrupted ? fail(EULERCL_CANCELLED, "interrupted") : EULERCL_OK;
}

void ask_to_stop(void)
{
    asked_to_stop = 1;
}

double wall_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int is_terminal(int descriptor)
{
    const char *const terminal = getenv("TERM");
    return isatty(descriptor) && !(terminal != NULL && strcmp(terminal, "dumb") == 0);
}

int can_show_progress(void)
{
    return is_terminal(STDERR_FILENO);
}

int can_show_colours(FILE *stream)
{
    const char *const no_colour = getenv("NO_COLOR");
    return is_terminal(fileno(stream)) && (no_colour == NULL || *no_colour == '\0');
}

void show_line(const char *line)
{
    flockfile(stderr);   /* with print_line of common.c */
    fprintf(stderr, "\r%-78.78s", line);
    shown = 1;
    funlockfile(stderr);
}

int show_progress(eulercl_solver *solver, const eulercl_progress *done, void *user)
{
    struct progress *const progress = user;
    const double elapsed = wall_clock() - progress->start;
    if (progress->terminal && elapsed > 1 && done->steps_done > 0) {
        eulercl_stats stats = {.struct_size = sizeof stats};
        eulercl_get_stats(solver, &stats, NULL);
        const double steps = (double)stats.steps, left = (double)progress->steps_total - steps;
        char line[128];
        snprintf(line, sizeof line, "%5.1f %%  step %" PRId64 " of %" PRId64 "  t = %g  %.3g Gcs/s  %.0f s left",
                 100 * steps / (double)progress->steps_total, stats.steps, progress->steps_total, done->t, 1e-9 * steps_rate(&stats),
                 elapsed * left / steps);
        show_line(line);
    }
    return interrupted || asked_to_stop;
}

void wipe_progress(void)
{
    if (shown)
        fprintf(stderr, "\r%78s\r", "");
    shown = 0;
}
