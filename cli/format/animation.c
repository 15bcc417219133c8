/* SPDX-License-Identifier: BSD-2-Clause */
/* animation.c - .apng: the pictures of a run, ten a second, by ffmpeg; compiled with Cairo only.
 *
 * libpng writes no animations. ffmpeg is run as a program of its own, looked for when it is needed,
 * and gets one PNG after the other through a pipe. */
#include "config.h"

#include "format/beside.h"
#include "format/format.h"
#include "format/picture.h"
#include "shared/facts.h"
#include "shared/message.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

struct animation {
    struct output picture; /* drawn for each frame */
    FILE *feed;            /* to ffmpeg */
    pid_t child;           /* 0: none */
};

/* ffmpeg gets a process group of its own, so a SIGINT of the terminal reaches this process alone
 * and the animation ends properly. */
static int start_ffmpeg(struct animation *animation, const struct output *output, int input) {
    char *target;
    if (asprintf(&target, "file:%s", output->file.temporary) < 0)
        return fail(EULERCL_MEMORY, "no memory for ffmpeg's arguments");
    const char *const arguments[] = {
        "ffmpeg",
        "-nostdin",
        "-loglevel",
        "quiet",
        "-f",
        "image2pipe",
        "-framerate",
        "10",
        "-c:v",
        "png",
        "-i",
        "pipe:0",
        "-plays",
        "0",
        "-f",
        "apng",
        "-y",
        target,
        NULL,
    };
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    const int error = posix_spawnp(
        &animation->child, arguments[0], &actions, &attributes, (char *const *)arguments, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    free(target);
    if (error == 0) return EULERCL_OK;
    animation->child = 0;
    return fail(EULERCL_UNSUPPORTED,
        "--out %s: cannot run ffmpeg: %s (Debian: ffmpeg); pictures in frame-%%06d.png do not need "
        "it",
        output->file.path, strerror(error));
}

static int begin_animation(struct output *output) {
    int ends[2];
    struct animation *const animation = output->data = calloc(1, sizeof *animation);
    if (animation == NULL)
        return fail(EULERCL_MEMORY, "no memory for the animation %s", output->file.path);
    animation->picture = (struct output){.file.path = output->file.path, .layout = output->layout};
    int status = begin_picture(&animation->picture);
    if (!status && pipe2(ends, O_CLOEXEC) != 0)
        status = fail(EULERCL_MEMORY, "cannot create a pipe for ffmpeg: %s", strerror(errno));
    if (status) return status;
    status = start_ffmpeg(animation, output, ends[0]);
    close(ends[0]);
    animation->feed = fdopen(ends[1], "wb");
    if (animation->feed == NULL) {
        close(ends[1]);
        return !status ? fail(EULERCL_MEMORY, "no memory for a pipe") : status;
    }
    return status;
}

static int begin_frame(struct output *output) {
    return begin_picture_state(&((struct animation *)output->data)->picture);
}

static int add_to_frame(struct output *output, int64_t first, int64_t count, const void *y) {
    return add_to_picture(&((struct animation *)output->data)->picture, first, count, y);
}

/* If ffmpeg has ended, writing must return an error, not raise a signal. */
static struct sigaction ignore_sigpipe(void) {
    struct sigaction before;
    const struct sigaction ignore = {.sa_handler = SIG_IGN};
    sigaction(SIGPIPE, &ignore, &before);
    return before;
}

static int end_frame(struct output *output, const struct moment *moment) {
    struct animation *const animation = output->data;
    const struct sigaction before = ignore_sigpipe();
    int status = draw_picture(&animation->picture, moment->t, animation->feed, NULL);
    errno = 0;
    if (!status && fflush(animation->feed) != 0)
        status =
            fail(EULERCL_FILE, "cannot write %s: ffmpeg has stopped reading", output->file.path);
    sigaction(SIGPIPE, &before, NULL);
    return status;
}

/* Close the pipe; returns ffmpeg's exit status as waitpid gives it. */
static int stop_ffmpeg(struct animation *animation) {
    int result = 0;
    const struct sigaction before = ignore_sigpipe();
    if (animation->feed != NULL) fclose(animation->feed);
    animation->feed = NULL;
    while (animation->child > 0 && waitpid(animation->child, &result, 0) < 0)
        if (errno != EINTR) result = -1, animation->child = 0;
    animation->child = 0;
    sigaction(SIGPIPE, &before, NULL);
    return result;
}

static int finish_animation(struct output *output, const struct facts *facts) {
    (void)facts;
    if (stop_ffmpeg(output->data) != 0)
        return fail(EULERCL_FILE, "cannot write %s: ffmpeg failed", output->file.path);
    struct stat file;
    if (fstat(fileno(output->file.stream), &file) != 0 || file.st_size == 0)
        return fail(EULERCL_FILE, "cannot write %s: ffmpeg wrote nothing", output->file.path);
    return EULERCL_OK;
}

static void discard_animation(struct output *output) {
    struct animation *const animation = output->data;
    if (animation->child > 0) kill(animation->child, SIGTERM);
    stop_ffmpeg(animation);
    free(animation->picture.data);
}

/* ffmpeg does not copy the text of pictures. */
const struct output_format apng_format = {
    .extension = ".apng",
    .holds_many = 1,
    .begin = begin_animation,
    .begin_state = begin_frame,
    .add = add_to_frame,
    .end_state = end_frame,
    .finish = finish_animation,
    JSON_BESIDE,
    .discard = discard_animation,
};
