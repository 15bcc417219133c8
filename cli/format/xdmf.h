/* SPDX-License-Identifier: BSD-2-Clause */
/* xdmf.h - the XDMF file beside FILE.h5, from which ParaView and meshio learn where the components
 * are. */
#ifndef CLI_FORMAT_XDMF_H
#define CLI_FORMAT_XDMF_H

#include "format/format.h"

char *name_xdmf(const struct output *output); /* to be freed; NULL without memory */
/* times: of the states, if there are many. */
int put_xdmf(
    const struct output *output, FILE *file, const double *times, const struct facts *facts);

#endif
