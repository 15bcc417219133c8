/* SPDX-License-Identifier: BSD-2-Clause */
/* escape.h - texts of unknown content, made safe for files. */
#ifndef CLI_SHARED_ESCAPE_H
#define CLI_SHARED_ESCAPE_H

#include <stdio.h>

/* The text as part of a line of a file: control characters and those in `instead` become spaces,
   bytes that are not UTF-8 become question marks. */
void put_plain(FILE *file, const char *text, const char *instead);
/* Print text for XML. */
void put_xml(FILE *file, const char *text);

#endif
