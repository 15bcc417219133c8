/* SPDX-License-Identifier: BSD-2-Clause */
/* xdmf.c - the XDMF file beside FILE.h5: a page of XML that lists the datasets of its components.
 * The libraries that write XDMF are larger than this command. */
#include "config.h"

#include "format/xdmf.h"
#include "format/format.h"
#include "format/mesh.h"
#include "shared/escape.h"
#include "shared/facts.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Print the reference to a dataset in FILE.h5, and the end of the element around it. */
static void put_item(FILE *file, const struct output *output, int64_t rows, int columns,
    const char *type, int bytes, const char *dataset) {
    const char *const slash = strrchr(output->file.path, '/');
    fprintf(file, "<DataItem Dimensions=\"%" PRId64, rows);
    if (columns > 0) fprintf(file, " %d", columns);
    fprintf(file, "\" NumberType=\"%s\" Precision=\"%d\" Format=\"HDF\">", type, bytes);
    put_xml(file, slash == NULL ? output->file.path : slash + 1);
    fprintf(file, ":%s</DataItem>\n", dataset);
}

/* Print the content of a grid: the mesh, and the components as attributes. */
static void put_content(FILE *file, const struct output *output, int64_t state) {
    const struct layout *const layout = output->layout;
    const struct mesh mesh = describe_mesh(layout->info);
    char dataset[64];
    fprintf(file, "<Topology TopologyType=\"%s\" NumberOfElements=\"%" PRId64 "\"", mesh.topology,
        mesh.cells);
    if (mesh.dimension < 2) fprintf(file, " NodesPerElement=\"%d\"", mesh.corners);
    fputs(">\n", file);
    put_item(file, output, mesh.cells, mesh.corners, "Int", mesh.index_bytes, "/mesh/cells");
    fputs("</Topology>\n<Geometry GeometryType=\"XYZ\">\n", file);
    put_item(file, output, mesh.points, 3, "Float", mesh.real_bytes, "/mesh/points");
    fputs("</Geometry>\n", file);
    for (int c = 0; c < layout->info->components; c++) {
        fprintf(file,
            "<Attribute Name=\"component %d\" AttributeType=\"Scalar\" Center=\"Node\">\n", c);
        snprintf(dataset, sizeof dataset, "/components/%" PRId64 "/%d", state, c);
        put_item(file, output, mesh.points, 0, "Float", (int)layout->precision, dataset);
        fputs("</Attribute>\n", file);
    }
}

/* meshio expects an XML document of its own as the text. */
static void put_facts(FILE *file, const struct facts *facts) {
    char buffer[32];
    for (size_t i = 0; i < facts->count; i++) {
        if (facts->list[i].kind == FACT_NONE) continue;
        fprintf(file, "<Information Name=\"%s%s\" Value=\"",
            facts->list[i].is_parameter ? "parameter " : "", facts->list[i].name);
        put_xml(file, fact_text(&facts->list[i], buffer));
        fputs("\"><![CDATA[<main/>]]></Information>\n", file);
    }
}

char *name_xdmf(const struct output *output) {
    char *name;
    const size_t length = strlen(output->file.path) - strlen(output->format->extension);
    return asprintf(&name, "%.*s.xdmf", (int)length, output->file.path) < 0 ? NULL : name;
}

/* meshio reads a single state only as a grid that is no collection, has no time, and contains the
 * facts itself. */
int put_xdmf(
    const struct output *output, FILE *file, const double *times, const struct facts *facts) {
    fputs("<?xml version=\"1.0\"?>\n<Xdmf Version=\"3.0\">\n<Domain>\n", file);
    if (output->many) {
        fputs("<Grid Name=\"series\" GridType=\"Collection\" CollectionType=\"Temporal\">\n", file);
        for (int64_t i = 0; i < output->states; i++) {
            fprintf(file, "<Grid Name=\"state\" GridType=\"Uniform\">\n<Time Value=\"%.17g\"/>\n",
                times[i]);
            put_content(file, output, i);
            fputs("</Grid>\n", file);
        }
        fputs("</Grid>\n", file);
        put_facts(file, facts);
    } else {
        fputs("<Grid Name=\"state\" GridType=\"Uniform\">\n", file);
        put_content(file, output, 0);
        put_facts(file, facts);
        fputs("</Grid>\n", file);
    }
    fputs("</Domain>\n</Xdmf>\n", file);
    return EULERCL_OK;
}
