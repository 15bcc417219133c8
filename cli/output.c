/* output.c - files that are there in full or not at all.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include "cli.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

static const struct output_format *const formats[] = {
    &npy_format,
#ifdef HAVE_CAIRO
    &png_format,
#endif
};
enum { FORMATS = sizeof formats / sizeof formats[0] };

static int ends_with(const char *path, const char *extension)
{
    const size_t length = strlen(path), end = strlen(extension);
    return length > end && strcasecmp(path + length - end, extension) == 0;
}

static const struct output_format *find_format(const char *path)
{
    for (int i = 0; i < FORMATS; i++)
        if (ends_with(path, formats[i]->extension))
            return formats[i];
    return NULL;
}

int check_output(const char *path)
{
    if (find_format(path) != NULL)
        return EULERCL_OK;
    if (ends_with(path, ".png"))
        return fail(EULERCL_UNSUPPORTED, "--out %s: this eulercl was built without Cairo, it draws no pictures", path);
    return fail(EULERCL_INVALID, "--out %s: the name must end in .npy or .png", path);
}

int begin_file(struct output *output, const char *path)
{
    struct stat target;
    *output = (struct output){.path = path};
    /* A rename would put a file in the place of a folder or a device. */
    if (stat(path, &target) == 0 && !S_ISREG(target.st_mode))
        return fail(EULERCL_FILE, "cannot write %s: it is no regular file", path);

    const char *const slash = strrchr(path, '/');
    const int folder = slash == NULL ? 0 : (int)(slash - path) + 1;
    if (asprintf(&output->temporary, "%.*s.eulercl-XXXXXX", folder, path) < 0) {
        output->temporary = NULL;
        return fail(EULERCL_MEMORY, "no memory for a file name");
    }
    const int descriptor = mkstemp(output->temporary);
    if (descriptor < 0) {
        free(output->temporary);
        output->temporary = NULL;
        return fail(EULERCL_FILE, "cannot write %s: %s", path, strerror(errno));
    }
    const mode_t mask = umask(0);   /* mkstemp's 0600 is for secrets */
    umask(mask);
    fchmod(descriptor, 0666 & ~mask);
    output->file = fdopen(descriptor, "wb");
    if (output->file == NULL) {
        close(descriptor);
        return fail(EULERCL_MEMORY, "cannot write %s: %s", path, strerror(errno));
    }
    return EULERCL_OK;
}

int check_file(const char *path)
{
    struct output output;
    const int status = begin_file(&output, path);
    discard_output(&output);
    return status;
}

int begin_output(struct output *output, const char *path, const struct layout *layout)
{
    const int status = begin_file(output, path);
    output->format = find_format(path);
    output->layout = layout;
    return status == EULERCL_OK ? output->format->begin(output) : status;
}

int commit_output(struct output *output)
{
    const int failed = ferror(output->file);
    errno = 0;
    if (fclose(output->file) != 0 || failed || rename(output->temporary, output->path) != 0) {
        output->file = NULL;
        return fail(EULERCL_FILE, "cannot write %s: %s", output->path, errno ? strerror(errno) : "write error");
    }
    output->file = NULL;
    free(output->temporary);
    output->temporary = NULL;
    return EULERCL_OK;
}

void discard_output(struct output *output)
{
    if (output->file != NULL)
        fclose(output->file);
    if (output->temporary != NULL)
        unlink(output->temporary);
    free(output->temporary);
    free(output->data);
}
