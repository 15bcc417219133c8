/* SPDX-License-Identifier: BSD-2-Clause */
/* csv.c - files of comma-separated values that say in comments where they come from. */
#include "config.h"

#include "report/csv.h"
#include "format/file.h"

int write_csv(const char *path, describer *describe, writer *write, const void *subject) {
    struct file file;
    int status = begin_file(&file, path);
    if (!status) {
        describe(file.stream, "# ", subject);
        write(file.stream, subject);
        status = commit_file(&file);
    }
    discard_file(&file);
    return status;
}
