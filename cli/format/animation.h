/* SPDX-License-Identifier: BSD-2-Clause */
/* animation.h - .apng files: the pictures of a run, one after the other. */
#ifndef CLI_FORMAT_ANIMATION_H
#define CLI_FORMAT_ANIMATION_H

#include "format/format.h"

extern const struct output_format apng_format;

#endif
