/* xdmf.c - the XDMF file beside FILE.h5: a page of XML that lists the datasets of its components.
 * The libraries that write XDMF are larger than this command.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include "config.h"

#include "format/xdmf.h"
#include "format/format.h"
#include "shared/escape.h"
#include "shared/facts.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Write a grid with the components as attributes. Points have integer coordinates, since a problem
 * does not say where they are. */
static void put_grid(FILE *file, const struct output *output, int64_t state, double t) {
    const struct layout *const layout = output->layout;
    const eulercl_problem_info *const info = layout->info;
    const int64_t nx = info->extents[0], ny = info->extents[1], nz = info->extents[2];
    const char *const slash = strrchr(output->file.path, '/');
    const int precision = layout->precision == EULERCL_DOUBLE ? 8 : 4;
    fprintf(file,
        "<Grid Name=\"%s\" GridType=\"Uniform\">\n"
        "<Time Value=\"%.17g\"/>\n"
        "<Topology TopologyType=\"3DCORECTMesh\" Dimensions=\"%" PRId64 " %" PRId64 " %" PRId64
        "\"/>\n"
        "<Geometry GeometryType=\"ORIGIN_DXDYDZ\">\n"
        "<DataItem Dimensions=\"3\" NumberType=\"Float\" Format=\"XML\">0 0 0</DataItem>\n"
        "<DataItem Dimensions=\"3\" NumberType=\"Float\" Format=\"XML\">1 1 1</DataItem>\n"
        "</Geometry>\n",
        "state", t, nz, ny, nx);
    for (int c = 0; c < info->components; c++) {
        fprintf(file,
            "<Attribute Name=\"component %d\" AttributeType=\"Scalar\" Center=\"Node\">\n", c);
        fprintf(file,
            "<DataItem Dimensions=\"%" PRId64 " %" PRId64 " %" PRId64
            "\" NumberType=\"Float\" Precision=\"%d\" Format=\"HDF\">",
            nz, ny, nx, precision);
        put_xml(file, slash == NULL ? output->file.path : slash + 1, "");
        fprintf(file, ":/components/%" PRId64 "/%d</DataItem>\n</Attribute>\n", state, c);
    }
    fputs("</Grid>\n", file);
}

char *name_xdmf(const struct output *output) {
    char *name;
    const size_t length = strlen(output->file.path) - strlen(output->format->extension);
    return asprintf(&name, "%.*s.xdmf", (int)length, output->file.path) < 0 ? NULL : name;
}

int put_xdmf(
    const struct output *output, FILE *file, const double *times, const struct facts *facts) {
    char buffer[32];
    /* A single state is a collection, too: ParaView's Xdmf3 readers find times only there. */
    fputs("<?xml version=\"1.0\"?>\n<Xdmf Version=\"3.0\">\n<Domain>\n<Grid Name=\"series\" "
          "GridType=\"Collection\" CollectionType=\"Temporal\">\n",
        file);
    for (int64_t i = 0; i < output->states; i++)
        put_grid(file, output, i, output->many ? times[i] : facts->stats.t);
    fputs("</Grid>\n", file);
    for (size_t i = 0; i < facts->count; i++) {
        if (facts->list[i].kind == FACT_NONE) continue;
        fprintf(file, "<Information Name=\"%s%s\" Value=\"",
            facts->list[i].is_parameter ? "parameter " : "", facts->list[i].name);
        put_xml(file, fact_text(&facts->list[i], buffer), "");
        fputs("\"/>\n", file);
    }
    fputs("</Domain>\n</Xdmf>\n", file);
    return EULERCL_OK;
}
