/* SPDX-License-Identifier: BSD-2-Clause */
/* templates.h - the sources that eulercl new starts from; cli/local.mk generates them. */
#ifndef CLI_COMMAND_TEMPLATES_H
#define CLI_COMMAND_TEMPLATES_H

struct template {
    const char *name; /* name of the problem in it, also a word in its comments */
    const unsigned char *text;
};
/* A general problem, and grids of one, two and three dimensions. */
extern const struct template templates[];

#endif
