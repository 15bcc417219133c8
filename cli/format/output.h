/* SPDX-License-Identifier: BSD-2-Clause */
/* output.h - the files of --out and --checkpoint, in any format. */
#ifndef CLI_FORMAT_OUTPUT_H
#define CLI_FORMAT_OUTPUT_H

#include "format/format.h"

const struct output_format *find_format(const char *path); /* by the extension; NULL: none */
/* Is there a format for this path of --out? Asked while options are read. */
int check_output(const char *path);
/* The same for --checkpoint. */
int check_checkpoint(const char *path);
/* As claim_file, also for the second file of the format. */
int claim_output(const char *option, const char *path);
int begin_output(struct output *output, const char *path, const struct layout *layout, int many);
/* With parts, before the first state; all processes together. */
int divide_output(struct output *output);
int begin_checkpoint(struct output *output, const char *path, const struct layout *layout);
/* Finish it, and put it in its place. */
int commit_output(struct output *output, const struct facts *facts);
/* Remove it if it was not committed. An output of zeros is allowed. */
void discard_output(struct output *output);

#endif
