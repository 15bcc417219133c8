/* SPDX-License-Identifier: BSD-2-Clause */
/* output.h - the files of --out and --checkpoint, in any format. */
#ifndef CLI_FORMAT_OUTPUT_H
#define CLI_FORMAT_OUTPUT_H

#include "format/format.h"

/* the format of the extension; NULL: unknown extension */
const struct output_format *find_format(const char *path);
/* Is there a format for this path of --out? Asked while options are read. */
int check_output(const char *path);
/* Check the path of --checkpoint. */
int check_checkpoint(const char *path);
/* As claim_file, also for the second file of the format. */
int claim_output(const char *option, const char *path);
int begin_output(struct output *output, const char *path, const struct layout *layout, int many);
/* All processes call it together, for a file in parts, before the first state. */
int divide_output(struct output *output);
int begin_checkpoint(struct output *output, const char *path, const struct layout *layout);
/* Finish it, and put it in its place. */
int commit_output(struct output *output, const struct facts *facts);
/* Remove it if it was not committed. An output of zeros is allowed. */
void discard_output(struct output *output);

#endif
