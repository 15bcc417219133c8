/* hdf5.c - states as HDF5, with XDMF beside it for ParaView; compiled with HDF5 only.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 *
 * /state has the shape of the .npy files, in a series with one more dimension in front, and /step,
 * /base_steps, /t, /t_base and /state_hash belong to that. What else is to be told of the run are
 * attributes of the root, and of the group /parameters.
 *
 * Readers of XDMF want a dataset for each component at each time, and do not agree on how a part of
 * one is named. So /components/SNAPSHOT/COMPONENT are virtual datasets: views of /state. The XDMF
 * file is a page of XML that lists them; the libraries that write it are larger than this command.
 */
#include "shared/cli.h"

#include <errno.h>
#include <fcntl.h>
#include <hdf5.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif
#include <sys/wait.h>
#include <unistd.h>

enum {
    MAX_RANK = 4, /* of what is written: snapshot, y, x, component */
    MAX_INPUT_RANK = H5S_MAX_RANK,
    CHUNK_REALS = 1 << 16, /* HDF5's own chunks: a part of the file that is in one piece */
    HASH_DIGITS = 16,
};

/* ---- errors: HDF5 keeps a stack of them; the innermost says what happened ---- */

static char reason[200]; /* of the first failure; every call of HDF5 forgets the one before */

static herr_t take_innermost(unsigned n, const H5E_error2_t *entry, void *text) {
    if (n == 0 && entry->desc != NULL) snprintf(text, sizeof reason, "%s", entry->desc);
    /* "...: time = ..., errno = 28, error message = 'No space left on device', ..." */
    static const char before[] = "error message = '";
    const char *const message = n == 0 && entry->desc != NULL ? strstr(entry->desc, before) : NULL;
    if (message != NULL)
        snprintf(text, sizeof reason, "%.*s", (int)strcspn(message + strlen(before), "'"),
            message + strlen(before));
    return 0;
}

/* For a status that is looked at after other calls. */
static herr_t keep_reason(herr_t status) {
    if (status < 0 && *reason == '\0')
        H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, take_innermost, reason);
    return status;
}

static int fail_hdf5(const char *doing, const char *path) {
    keep_reason(-1);
    reason[strcspn(reason, "\r\n")] = '\0';
    fail(EULERCL_FILE, "cannot %s %s: HDF5: %s", doing, path,
        *reason == '\0' ? "no reason is known" : reason);
    reason[0] = '\0';
    return EULERCL_FILE;
}

/* Before any other call. Its own end is not for us: it would look once more at a file that could
 * not be closed on a full disk, and crash. */
static void start_hdf5(void) {
    H5dont_atexit();
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    H5Lunregister(H5L_TYPE_EXTERNAL); /* no path within a file leads to another file */
}

/* Where the reals of a dataset stand in memory: one of them is NULL. */
struct reals {
    const char *from;
    char *to;
};

/* Write or read count elements from number first on, in C order: a few boxes, one after the other.
   HDF5 moves chunks in whole where memory has the shape of the selection; a union of boxes, or a
   line in memory, it takes element by element, which is ten times as slow. */
static herr_t transfer(hid_t set, hid_t space, hid_t type, int rank, const hsize_t *extents,
    hsize_t first, hsize_t count, struct reals reals) {
    herr_t status = 0;
    for (hsize_t done = 0; done < count && status >= 0;) {
        hsize_t start[MAX_INPUT_RANK] = {0}, size[MAX_INPUT_RANK], rest = first + done, volume = 1;
        int level = rank - 1; /* the box is a few neighbours in this dimension, one in those before
                                 it, and all of those behind it */
        for (int d = rank - 1; d >= 0; d--) {
            start[d] = rest % extents[d];
            rest /= extents[d];
        }
        while (level > 0 && start[level] == 0 && count - done >= volume * extents[level])
            volume *= extents[level--];
        hsize_t neighbours = (count - done) / volume;
        if (neighbours > extents[level] - start[level]) neighbours = extents[level] - start[level];
        for (int d = 0; d < rank; d++)
            size[d] = d < level ? 1 : d == level ? neighbours : extents[d];
        const size_t offset = (size_t)done * H5Tget_size(type);
        const hid_t memory = H5Screate_simple(rank, size, NULL);
        status = H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, size, NULL);
        if (status >= 0)
            status = reals.to == NULL
                         ? H5Dwrite(set, type, memory, space, H5P_DEFAULT, reals.from + offset)
                         : H5Dread(set, type, memory, space, H5P_DEFAULT, reals.to + offset);
        keep_reason(status);
        H5Sclose(memory);
        done += neighbours * volume;
    }
    return status;
}

static hid_t real_type(enum eulercl_precision precision) {
    return precision == EULERCL_DOUBLE ? H5T_NATIVE_DOUBLE : H5T_NATIVE_FLOAT;
}

/* ---- writing ---- */

struct hdf5_output {
    hid_t file, set;
    int rank;
    hsize_t extents[MAX_RANK], n;
    int64_t room; /* for snapshots */
    int64_t *steps, *base_steps;
    double *times, *bases;
    char (*hashes)[HASH_DIGITS + 1];
};

/* Pieces of whole snapshots, of rows, or of a part of a row. */
static void choose_chunks(const struct hdf5_output *h, hsize_t chunk[MAX_RANK]) {
    hsize_t volume = 1;
    for (int d = h->rank - 1; d >= 0; d--) {
        const hsize_t most = CHUNK_REALS / volume,
                      extent = d == 0 ? most : h->extents[d]; /* snapshots have no end */
        chunk[d] = most == 0 ? 1 : extent < most ? extent : most;
        volume = chunk[d] < extent ? CHUNK_REALS + 1 : volume * chunk[d];
    }
}

static int begin_hdf5(struct output *output) {
    const eulercl_problem_info *const info = output->layout->info;
    struct hdf5_output *const h = output->data = calloc(1, sizeof *h);
    if (h == NULL) return fail(EULERCL_MEMORY, "no memory for %s", output->path);
    start_hdf5();
    h->set = h->file = H5I_INVALID_HID;
    h->n = (hsize_t)info->n;
    if (output->many) h->extents[h->rank++] = 0;
    if (info->dimensions == 2) h->extents[h->rank++] = (hsize_t)info->ny;
    h->extents[h->rank++] = info->dimensions == 0 ? h->n : (hsize_t)info->nx;
    if (info->dimensions != 0) h->extents[h->rank++] = (hsize_t)info->components;

    hsize_t most[MAX_RANK], chunk[MAX_RANK];
    memcpy(most, h->extents, sizeof most);
    if (output->many) most[0] = H5S_UNLIMITED;
    const hid_t space = H5Screate_simple(h->rank, h->extents, most),
                how = H5Pcreate(H5P_DATASET_CREATE), use = H5Pcreate(H5P_DATASET_ACCESS);
    herr_t status = H5Pset_fill_time(how, H5D_FILL_TIME_NEVER);
    if (output->many && status >= 0) {
        choose_chunks(h, chunk);
        status = H5Pset_chunk(how, h->rank, chunk);
        /* States come in order: a few chunks under way at a time, those of a row of chunks. */
        if (status >= 0) status = H5Pset_chunk_cache(use, 521, 4 * CHUNK * sizeof(double), 1);
    }
    if (status >= 0) {
        begin_private(); /* it would come again if it were removed before this */
        h->file = H5Fcreate(output->temporary, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
        end_private(NULL);
    }
    if (h->file >= 0)
        h->set = H5Dcreate2(
            h->file, "state", real_type(output->layout->precision), space, H5P_DEFAULT, how, use);
    const int result = h->set >= 0 ? EULERCL_OK : fail_hdf5("write", output->path);
    H5Sclose(space);
    H5Pclose(how);
    H5Pclose(use);
    return result;
}

/* Make room; the array stays where it is, and valid, if there is none. */
static int grow_list(void *list, size_t size, int64_t room) {
    void *old, *more;
    memcpy(&old, list, sizeof old);
    more = reallocarray(old, (size_t)room, size);
    if (more != NULL) memcpy(list, &more, sizeof more);
    return more != NULL;
}

/* Room for one more in the lists. */
static int grow(struct hdf5_output *h) {
    const int64_t room = h->room == 0 ? 64 : 2 * h->room;
    if (!grow_list(&h->steps, sizeof *h->steps, room) ||
        !grow_list(&h->base_steps, sizeof *h->base_steps, room) ||
        !grow_list(&h->times, sizeof *h->times, room) ||
        !grow_list(&h->bases, sizeof *h->bases, room) ||
        !grow_list(&h->hashes, sizeof *h->hashes, room))
        return fail(EULERCL_MEMORY, "no memory for a list of %" PRId64 " snapshots", room);
    h->room = room;
    return EULERCL_OK;
}

static int begin_hdf5_state(struct output *output) {
    struct hdf5_output *const h = output->data;
    hsize_t all;
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL); /* each thread has a setting of its own */
    if (!output->many) return EULERCL_OK;
    if (__builtin_mul_overflow((hsize_t)output->states + 1, h->n, &all))
        return fail(EULERCL_FILE, "cannot write %s: too many snapshots", output->path);
    h->extents[0] = (hsize_t)output->states + 1;
    if (H5Dset_extent(h->set, h->extents) < 0) return fail_hdf5("write", output->path);
    return output->states < h->room ? EULERCL_OK : grow(h);
}

static int write_hdf5(struct output *output, int64_t first, int64_t count, const void *y) {
    struct hdf5_output *const h = output->data;
    const hid_t space = H5Dget_space(h->set);
    const herr_t status =
        space < 0 ? -1
                  : transfer(h->set, space, real_type(output->layout->precision), h->rank,
                        h->extents, (hsize_t)output->states * h->n + (hsize_t)first, (hsize_t)count,
                        (struct reals){.from = y});
    const int result = status >= 0 ? EULERCL_OK : fail_hdf5("write", output->path);
    H5Sclose(space);
    return result;
}

static int end_hdf5_state(struct output *output, const struct moment *moment) {
    struct hdf5_output *const h = output->data;
    if (!output->many) return EULERCL_OK;
    h->steps[output->states] = moment->step;
    h->times[output->states] = moment->t;
    h->base_steps[output->states] = moment->clock.base_steps;
    h->bases[output->states] = moment->clock.t_base;
    snprintf(h->hashes[output->states], sizeof h->hashes[0], "%s", moment->hash);
    return H5Fflush(h->file, H5F_SCOPE_GLOBAL) >= 0 ? EULERCL_OK : fail_hdf5("write", output->path);
}

static herr_t write_list(
    const struct hdf5_output *h, const char *name, hid_t type, const void *values, int64_t count) {
    const hsize_t extent = (hsize_t)count;
    const hid_t space = H5Screate_simple(1, &extent, NULL),
                set = H5Dcreate2(h->file, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    herr_t status =
        keep_reason(set < 0 ? -1 : H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values));
    if (set >= 0 && keep_reason(H5Dclose(set)) < 0) /* what is small may be written only now */
        status = -1;
    H5Sclose(space);
    return status;
}

/* A view of one component of the snapshot, of shape (1, ny, nx). */
static herr_t write_view(const struct hdf5_output *h, hid_t group, const struct output *output,
    int64_t state, int component) {
    const eulercl_problem_info *const info = output->layout->info;
    const hsize_t extents[3] = {1, info->dimensions == 2 ? (hsize_t)info->ny : 1,
        info->dimensions == 0 ? h->n : (hsize_t)info->nx};
    hsize_t start[MAX_RANK] = {0}, count[MAX_RANK];
    char name[32];
    memcpy(count, h->extents, sizeof count);
    if (output->many) {
        start[0] = (hsize_t)state;
        count[0] = 1;
    }
    if (info->dimensions != 0) {
        start[h->rank - 1] = (hsize_t)component;
        count[h->rank - 1] = 1;
    }
    const hid_t from = H5Dget_space(h->set), to = H5Screate_simple(3, extents, NULL),
                how = H5Pcreate(H5P_DATASET_CREATE);
    herr_t status =
        keep_reason(H5Sselect_hyperslab(from, H5S_SELECT_SET, start, NULL, count, NULL));
    if (status >= 0) status = keep_reason(H5Pset_virtual(how, to, ".", "/state", from));
    snprintf(name, sizeof name, "%d", component);
    const hid_t view = status < 0 ? H5I_INVALID_HID
                                  : H5Dcreate2(group, name, real_type(output->layout->precision),
                                        to, H5P_DEFAULT, how, H5P_DEFAULT);
    status = keep_reason(view < 0 ? -1 : H5Dclose(view));
    H5Pclose(how);
    H5Sclose(to);
    H5Sclose(from);
    return status;
}

static herr_t write_views(const struct output *output) {
    const struct hdf5_output *const h = output->data;
    const hid_t all = H5Gcreate2(h->file, "components", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    herr_t status = keep_reason(all < 0 ? -1 : 0);
    for (int64_t state = 0; state < output->states && status >= 0; state++) {
        char name[32];
        snprintf(name, sizeof name, "%" PRId64, state);
        const hid_t group = H5Gcreate2(all, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
        status = keep_reason(group < 0 ? -1 : 0);
        for (int c = 0; c < output->layout->info->components && status >= 0; c++)
            status = write_view(h, group, output, state, c);
        H5Gclose(group);
    }
    H5Gclose(all);
    return status;
}

static herr_t write_fact(hid_t place, const struct fact *fact) {
    const hid_t text = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
    H5Tset_size(text, H5T_VARIABLE);
    H5Tset_cset(text, H5T_CSET_UTF8);
    const hid_t type = fact->kind == FACT_TEXT   ? text
                       : fact->kind == FACT_REAL ? H5T_NATIVE_DOUBLE
                                                 : H5T_NATIVE_INT64;
    const void *const value = fact->kind == FACT_TEXT   ? (const void *)&fact->text
                              : fact->kind == FACT_REAL ? (const void *)&fact->real
                                                        : (const void *)&fact->whole;
    const hid_t attribute = H5Acreate2(place, fact->name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    herr_t status = keep_reason(attribute < 0 ? -1 : H5Awrite(attribute, type, value));
    if (attribute >= 0 && keep_reason(H5Aclose(attribute)) < 0) status = -1;
    H5Sclose(space);
    H5Tclose(text);
    return status;
}

static herr_t write_facts(const struct hdf5_output *h, const struct facts *facts) {
    const hid_t parameters =
        H5Gcreate2(h->file, "parameters", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    herr_t status = keep_reason(parameters < 0 ? -1 : 0);
    for (size_t i = 0; i < facts->count && status >= 0; i++)
        if (facts->list[i].kind != FACT_NONE)
            status =
                write_fact(facts->list[i].is_parameter ? parameters : h->file, &facts->list[i]);
    H5Gclose(parameters);
    return status;
}

static herr_t write_lists(const struct output *output) {
    const struct hdf5_output *const h = output->data;
    const hid_t digits = H5Tcopy(H5T_C_S1);
    H5Tset_size(digits, HASH_DIGITS + 1);
    herr_t status = write_list(h, "step", H5T_NATIVE_INT64, h->steps, output->states);
    if (status >= 0) status = write_list(h, "t", H5T_NATIVE_DOUBLE, h->times, output->states);
    if (status >= 0)
        status = write_list(h, "base_steps", H5T_NATIVE_INT64, h->base_steps, output->states);
    if (status >= 0) status = write_list(h, "t_base", H5T_NATIVE_DOUBLE, h->bases, output->states);
    if (status >= 0 && *h->hashes[0] != '\0')
        status = write_list(h, "state_hash", digits, h->hashes, output->states);
    H5Tclose(digits);
    return status;
}

static herr_t close_file(struct hdf5_output *h) {
    herr_t status = keep_reason(h->set >= 0 ? H5Dclose(h->set) : 0);
    if (h->file >= 0 && keep_reason(H5Fclose(h->file)) < 0) status = -1;
    h->set = h->file = H5I_INVALID_HID;
    return status;
}

static int finish_hdf5(struct output *output, const struct facts *facts) {
    struct hdf5_output *const h = output->data;
    herr_t status = 0;
    if (output->many) {
        h->extents[0] =
            (hsize_t)output->states; /* without one that was begun when the run was stopped */
        status = H5Dset_extent(h->set, h->extents);
        if (status >= 0) status = write_lists(output);
    }
    if (status >= 0) status = write_views(output);
    if (status >= 0) status = write_facts(h, facts);
    if (status >= 0) status = close_file(h);
    return status >= 0 ? EULERCL_OK : fail_hdf5("write", output->path);
}

static void discard_hdf5(struct output *output) {
    struct hdf5_output *const h = output->data;
    close_file(h);
    free(h->steps);
    free(h->base_steps);
    free(h->times);
    free(h->bases);
    free(h->hashes);
}

/* ---- XDMF ---- */

/* A grid with the components as attributes: points at whole numbers, since a problem does not say
 * where they are. */
static void put_grid(FILE *file, const struct output *output, int64_t state, double t) {
    const struct layout *const layout = output->layout;
    const eulercl_problem_info *const info = layout->info;
    const int64_t nx = info->dimensions == 0 ? info->n : info->nx,
                  ny = info->dimensions == 2 ? info->ny : 1;
    const char *const slash = strrchr(output->path, '/');
    const int precision = layout->precision == EULERCL_DOUBLE ? 8 : 4;
    fprintf(file,
        "<Grid Name=\"%s\" GridType=\"Uniform\">\n"
        "<Time Value=\"%.17g\"/>\n"
        "<Topology TopologyType=\"3DCORECTMesh\" Dimensions=\"1 %" PRId64 " %" PRId64 "\"/>\n"
        "<Geometry GeometryType=\"ORIGIN_DXDYDZ\">\n"
        "<DataItem Dimensions=\"3\" NumberType=\"Float\" Format=\"XML\">0 0 0</DataItem>\n"
        "<DataItem Dimensions=\"3\" NumberType=\"Float\" Format=\"XML\">1 1 1</DataItem>\n"
        "</Geometry>\n",
        "state", t, ny, nx);
    for (int c = 0; c < info->components; c++) {
        fprintf(file,
            "<Attribute Name=\"component %d\" AttributeType=\"Scalar\" Center=\"Node\">\n", c);
        fprintf(file,
            "<DataItem Dimensions=\"1 %" PRId64 " %" PRId64
            "\" NumberType=\"Float\" Precision=\"%d\" Format=\"HDF\">",
            ny, nx, precision);
        put_xml(file, slash == NULL ? output->path : slash + 1, "");
        fprintf(file, ":/components/%" PRId64 "/%d</DataItem>\n</Attribute>\n", state, c);
    }
    fputs("</Grid>\n", file);
}

static char *name_xdmf(const struct output *output) {
    char *name;
    const size_t length = strlen(output->path) - strlen(output->format->extension);
    return asprintf(&name, "%.*s.xdmf", (int)length, output->path) < 0 ? NULL : name;
}

static int write_xdmf(const struct output *output, FILE *file, const struct facts *facts) {
    const struct hdf5_output *const h = output->data;
    char buffer[32];
    /* A collection also of one: ParaView's Xdmf3 readers see no time elsewhere. */
    fputs("<?xml version=\"1.0\"?>\n<Xdmf Version=\"3.0\">\n<Domain>\n<Grid Name=\"series\" "
          "GridType=\"Collection\" CollectionType=\"Temporal\">\n",
        file);
    for (int64_t i = 0; i < output->states; i++)
        put_grid(file, output, i, output->many ? h->times[i] : facts->stats.t);
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

const struct output_format hdf5_format = {
    .extension = ".h5",
    .holds_many = 1,
    .begin = begin_hdf5,
    .begin_state = begin_hdf5_state,
    .add = write_hdf5,
    .end_state = end_hdf5_state,
    .finish = finish_hdf5,
    .name_beside = name_xdmf,
    .write_beside = write_xdmf,
    .discard = discard_hdf5,
};

/* As of a final state, without what stands beside it. */
const struct output_format checkpoint_format = {
    .extension = ".h5",
    .begin = begin_hdf5,
    .begin_state = begin_hdf5_state,
    .add = write_hdf5,
    .end_state = end_hdf5_state,
    .finish = finish_hdf5,
    .discard = discard_hdf5,
};

/* ---- reading ---- */

struct hdf5_input {
    char *path;
    enum eulercl_precision precision;
    hid_t file, set, space;
    int rank;
    hsize_t extents[MAX_INPUT_RANK],
        first; /* where the state begins: in a series the last one counts */
};

enum { WHY = 512 }; /* bytes of a reason */
static hid_t open_own(hid_t file, const char *name, int may_be_virtual, char why[WHY]);

/* Are the reals of part number i where it says, in this file? Their count, or -1. */
static hssize_t check_source(hid_t file, hid_t how, size_t i, const char *name, char why[WHY]) {
    char other[8], source[WHY / 2];
    hsize_t low[MAX_INPUT_RANK], high[MAX_INPUT_RANK], extents[MAX_INPUT_RANK];
    if (H5Pget_virtual_filename(how, i, other, sizeof other) < 0 || strcmp(other, ".") != 0 ||
        H5Pget_virtual_dsetname(how, i, source, sizeof source) < 0) {
        snprintf(why, WHY, "dataset %s is made of those of another file, which is not read", name);
        return -1;
    }
    const hid_t set = open_own(file, source, 0, why);
    if (set < 0) return -1;
    const hid_t space = H5Dget_space(set), from = H5Pget_virtual_srcspace(how, i),
                to = H5Pget_virtual_vspace(how, i);
    const int rank = H5Sget_simple_extent_dims(space, extents, NULL);
    const hssize_t count = H5Sget_select_npoints(to);
    int is_inside = rank > 0 && rank == H5Sget_simple_extent_ndims(from) &&
                    H5Sget_select_bounds(from, low, high) >= 0 &&
                    H5Sget_select_npoints(from) == count;
    for (int d = 0; d < rank && is_inside; d++) is_inside = high[d] < extents[d];
    H5Sclose(to);
    H5Sclose(from);
    H5Sclose(space);
    H5Dclose(set);
    if (is_inside) return count;
    snprintf(why, WHY, "dataset %s is made of more than dataset %s has", name, source);
    return -1;
}

/* Do the parts lie in the dataset, each real in one of them? As many reals as the dataset has are
 * in all of them. */
static int fill_all(hid_t how, size_t sources, hid_t space) {
    hsize_t low[MAX_INPUT_RANK], high[MAX_INPUT_RANK], extents[MAX_INPUT_RANK];
    const int rank = H5Sget_simple_extent_ndims(space);
    hid_t all = H5I_INVALID_HID;
    int good = rank > 0 && rank <= MAX_INPUT_RANK &&
               H5Sget_simple_extent_dims(space, extents, NULL) == rank;
    for (size_t i = 0; i < sources && good; i++) {
        const hid_t to = H5Pget_virtual_vspace(how, i);
        good = H5Sget_simple_extent_ndims(to) == rank && H5Sget_select_bounds(to, low, high) >= 0;
        for (int d = 0; d < rank && good; d++) good = high[d] < extents[d];
        if (good && sources > 1)
            good =
                i == 0 ? (all = H5Scopy(to)) >= 0 : H5Smodify_select(all, H5S_SELECT_OR, to) >= 0;
        H5Sclose(to);
    }
    good =
        good && (sources < 2 || H5Sget_select_npoints(all) == H5Sget_simple_extent_npoints(space));
    if (all >= 0) H5Sclose(all);
    return good;
}

static int check_sources(hid_t file, hid_t set, hid_t how, const char *name, char why[WHY]) {
    size_t sources = 0;
    hssize_t filled = 0;
    if (H5Pget_virtual_count(how, &sources) < 0) {
        snprintf(why, WHY, "dataset %s is damaged", name);
        return 0;
    }
    for (size_t i = 0; i < sources; i++) {
        const hssize_t count = check_source(file, how, i, name, why);
        if (count < 0) return 0;
        if (__builtin_add_overflow(filled, count, &filled)) {
            snprintf(why, WHY, "dataset %s is damaged", name);
            return 0;
        }
    }
    const hid_t space = H5Dget_space(set); /* now that it opens no other file */
    const int is_full = space >= 0 && filled == H5Sget_simple_extent_npoints(space) &&
                        fill_all(how, sources, space);
    H5Sclose(space);
    if (!is_full) snprintf(why, WHY, "dataset %s has parts that no other fills", name);
    return is_full;
}

/* Where HDF5 fails because of an external link: there is no class for it, see start_hdf5. */
static herr_t find_external(unsigned n, const H5E_error2_t *entry, void *found) {
    (void)n;
    if (entry->maj_num == H5E_SYM && entry->min_num == H5E_NOTREGISTERED) *(int *)found = 1;
    return 0;
}

/* A dataset of this file alone, before anything of it is read: HDF5 would look into other files,
   read what is missing as zeros, and follow a dataset that is made of itself until it crashes. A
   virtual one may be made of others, which are not virtual. -> the dataset, or an invalid number
   and why. */
static hid_t open_own(hid_t file, const char *name, int may_be_virtual, char why[WHY]) {
    const hid_t set = H5Dopen2(file, name, H5P_DEFAULT);
    if (set < 0) {
        int is_external = 0;
        H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, find_external, &is_external);
        snprintf(why, WHY,
            is_external ? "dataset %s is in another file, which is not read"
                        : "it has no dataset %s",
            name);
        return set;
    }
    const hid_t how = H5Dget_create_plist(set);
    const H5D_layout_t layout = H5Pget_layout(how);
    int is_own = 0;
    if (H5Pget_external_count(how) != 0)
        snprintf(why, WHY, "the reals of dataset %s are in another file, which is not read", name);
    else if (layout == H5D_VIRTUAL && !may_be_virtual)
        snprintf(why, WHY, "dataset %s is virtual, and others are made of it", name);
    else
        is_own = layout != H5D_VIRTUAL || check_sources(file, set, how, name, why);
    H5Pclose(how);
    if (is_own) return set;
    H5Dclose(set);
    return H5I_INVALID_HID;
}

static int check_type(const struct hdf5_input *in, const char *dataset) {
    const hid_t type = H5Dget_type(in->set);
    const int is_double = H5Tequal(type, H5T_IEEE_F64LE) > 0 || H5Tequal(type, H5T_IEEE_F64BE) > 0;
    const int is_float = H5Tequal(type, H5T_IEEE_F32LE) > 0 || H5Tequal(type, H5T_IEEE_F32BE) > 0;
    H5Tclose(type);
    if (!is_double && !is_float)
        return fail(
            EULERCL_FILE, "%s: dataset %s does not hold IEEE floats or doubles", in->path, dataset);
    if (is_double != (in->precision == EULERCL_DOUBLE))
        return fail(EULERCL_FILE,
            "%s: dataset %s holds %ss, the run computes in %s; --precision %s would fit", in->path,
            dataset, is_double ? "double" : "float", precision_name(in->precision),
            is_double ? "double" : "float");
    return EULERCL_OK;
}

static int check_extents(struct hdf5_input *in, const char *dataset, int64_t n) {
    in->space = H5Dget_space(in->set);
    in->rank = in->space < 0 ? -1 : H5Sget_simple_extent_ndims(in->space);
    const hssize_t reals = in->rank < 0 ? -1 : H5Sget_simple_extent_npoints(in->space);
    if (in->rank == 0) return fail(EULERCL_FILE, "%s: dataset %s is no array", in->path, dataset);
    if (reals < 0 || H5Sget_simple_extent_dims(in->space, in->extents, NULL) < 0)
        return fail_hdf5("read", in->path);
    if (reals == n) return EULERCL_OK;
    if (in->rank < 2 || reals == 0 || (int64_t)reals % n != 0 ||
        (hsize_t)reals / (hsize_t)n != in->extents[0]) {
        char shape[H5S_MAX_RANK * 24];
        int length = 0;
        for (int i = 0; i < in->rank; i++)
            length += snprintf(shape + length, sizeof shape - (size_t)length, "%s%" PRIu64,
                i == 0 ? "" : " x ", (uint64_t)in->extents[i]);
        return fail(EULERCL_FILE,
            "%s: dataset %s holds %s reals, the problem has %" PRId64 " components", in->path,
            dataset, shape, n);
    }
    in->first = (hsize_t)(reals - n);
    return EULERCL_OK;
}

static int open_file(struct hdf5_input *in) {
    in->file = H5I_INVALID_HID;
    /* HDF5 would say that it is unable to open the file, whatever the reason. */
    FILE *file;
    if (open_regular(in->path, &file)) return EULERCL_FILE;
    fclose(file);
    if (H5Fis_hdf5(in->path) <= 0) return fail(EULERCL_FILE, "%s is no HDF5 file", in->path);
    in->file = H5Fopen(in->path, H5F_ACC_RDONLY, H5P_DEFAULT);
    return in->file < 0 ? fail_hdf5("read", in->path) : EULERCL_OK;
}

static int open_dataset(struct hdf5_input *in, const char *dataset, int64_t n) {
    char why[WHY];
    int status = open_file(in);
    if (status) return status;
    in->set = open_own(in->file, dataset, 1, why);
    if (in->set < 0) return fail(EULERCL_FILE, "%s: %s", in->path, why);
    status = check_type(in, dataset);
    return !status ? check_extents(in, dataset, n) : status;
}

int read_hdf5(struct hdf5_input *in, int64_t first, int64_t count, void *y) {
    const herr_t status = transfer(in->set, in->space, real_type(in->precision), in->rank,
        in->extents, in->first + (hsize_t)first, (hsize_t)count, (struct reals){.to = y});
    return status >= 0 ? EULERCL_OK : fail_hdf5("read", in->path);
}

/* libhdf5 crashes on some damaged files. So a child looks first, in silence: all that it meets but
 * a crash we meet again, and tell. */
static int look_first(const char *path, void look(const void *what), const void *what) {
    int result = 0;
    const pid_t child = fork();
    if (child < 0)
        return fail(
            EULERCL_MEMORY, "cannot start a process that looks at %s: %s", path, strerror(errno));
    if (child == 0) {
        const struct rlimit none = {0, 0};
        const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
        dup2(nowhere, STDERR_FILENO);
        setrlimit(RLIMIT_CORE, &none);
#ifdef __linux__
        prctl(PR_SET_PDEATHSIG, SIGKILL); /* nobody would end it if libhdf5 did not return */
#endif
        look(what);
        _exit(0);
    }
    while (waitpid(child, &result, 0) < 0) {
        if (errno != EINTR)
            return fail(
                EULERCL_INTERNAL, "lost the process that looks at %s: %s", path, strerror(errno));
        kill(child, SIGKILL);
    }
    const int status = check_interrupt();
    return status || result == 0
               ? status
               : fail(EULERCL_FILE, "%s is damaged: the HDF5 library crashes on it", path);
}

struct wanted {
    const char *path, *dataset;
    enum eulercl_precision precision;
    int64_t n;
};

/* At what leads to the state, and at both its ends. */
static void look_at_state(const void *what) {
    const struct wanted *const wanted = what;
    struct hdf5_input in = {.path = (char *)wanted->path,
        .precision = wanted->precision,
        .file = H5I_INVALID_HID,
        .set = H5I_INVALID_HID};
    double real;
    if (open_dataset(&in, wanted->dataset, wanted->n) == EULERCL_OK) {
        read_hdf5(&in, 0, 1, &real);
        read_hdf5(&in, wanted->n - 1, 1, &real);
    }
}

int open_hdf5(
    const char *path, const char *dataset, const struct layout *layout, struct hdf5_input **input) {
    const struct wanted wanted = {
        .path = path, .dataset = dataset, .precision = layout->precision, .n = layout->info->n};
    struct hdf5_input *const in = *input = calloc(1, sizeof *in);
    if (in == NULL || (in->path = strdup(path)) == NULL)
        return fail(EULERCL_MEMORY, "no memory for an input");
    start_hdf5();
    in->file = in->set = in->space = H5I_INVALID_HID;
    in->precision = layout->precision;
    const int status = look_first(path, look_at_state, &wanted);
    return !status ? open_dataset(in, dataset, layout->info->n) : status;
}

void close_hdf5(struct hdf5_input *in) {
    if (in == NULL) return;
    if (in->path != NULL) {
        H5Sclose(in->space);
        H5Dclose(in->set);
        H5Fclose(in->file);
    }
    free(in->path);
    free(in);
}

/* ---- the run that a state comes from ---- */

/* One number of that kind, or a text: nothing else is read into a variable. */
static int read_fact(hid_t place, const char *name, enum fact_kind kind, void *value) {
    const hid_t attribute =
        H5Aexists(place, name) > 0 ? H5Aopen(place, name, H5P_DEFAULT) : H5I_INVALID_HID;
    if (attribute < 0) return 0;
    const hid_t type = H5Aget_type(attribute), space = H5Aget_space(attribute),
                text = H5Tcopy(H5T_C_S1);
    const H5T_class_t class = H5Tget_class(type);
    H5Tset_size(text, H5T_VARIABLE);
    H5Tset_cset(text, H5Tget_cset(type));
    const int fits = H5Sget_simple_extent_npoints(space) == 1 &&
                     (kind == FACT_TEXT ? class == H5T_STRING && H5Tis_variable_str(type) > 0
                                        : class == (kind == FACT_REAL ? H5T_FLOAT : H5T_INTEGER));
    const herr_t status = !fits ? -1
                                : H5Aread(attribute,
                                      kind == FACT_TEXT   ? text
                                      : kind == FACT_REAL ? H5T_NATIVE_DOUBLE
                                                          : H5T_NATIVE_INT64,
                                      value);
    H5Tclose(text);
    H5Sclose(space);
    H5Tclose(type);
    H5Aclose(attribute);
    return status >= 0 && (kind != FACT_TEXT || *(char **)value != NULL);
}

/* The last number of a list in this file. */
static int read_last(hid_t file, const char *name, enum fact_kind kind, void *value) {
    char why[WHY];
    const hid_t set = open_own(file, name, 0, why);
    if (set < 0) return 0;
    const hid_t type = H5Dget_type(set), space = H5Dget_space(set), one = H5Screate(H5S_SCALAR);
    hsize_t extent = 0, count = 1;
    int fits = H5Tget_class(type) == (kind == FACT_REAL ? H5T_FLOAT : H5T_INTEGER) &&
               H5Sget_simple_extent_ndims(space) == 1 &&
               H5Sget_simple_extent_dims(space, &extent, NULL) == 1 && extent > 0;
    if (fits) {
        extent--;
        fits = H5Sselect_hyperslab(space, H5S_SELECT_SET, &extent, NULL, &count, NULL) >= 0 &&
               H5Dread(set, kind == FACT_REAL ? H5T_NATIVE_DOUBLE : H5T_NATIVE_INT64, one, space,
                   H5P_DEFAULT, value) >= 0;
    }
    H5Sclose(one);
    H5Sclose(space);
    H5Tclose(type);
    H5Dclose(set);
    return fits;
}

static herr_t add_parameter(hid_t place, const char *name, const H5A_info_t *info, void *user) {
    struct past *const past = user;
    double real = 0;
    int64_t whole = 0;
    (void)info;
    const int is_whole = read_fact(place, name, FACT_WHOLE, &whole);
    struct setting *const more =
        reallocarray(past->parameters, past->n_parameters + 1, sizeof *more);
    if (more == NULL || (!is_whole && !read_fact(place, name, FACT_REAL, &real))) return -1;
    past->parameters = more;
    more[past->n_parameters] =
        (struct setting){.name = strdup(name), .value = is_whole ? (double)whole : real};
    return more[past->n_parameters++].name == NULL ? -1 : 0;
}

static int read_parameters(hid_t file, struct past *past) {
    const hid_t group = H5Lexists(file, "parameters", H5P_DEFAULT) > 0
                            ? H5Gopen2(file, "parameters", H5P_DEFAULT)
                            : H5I_INVALID_HID;
    const herr_t status =
        group < 0 ? -1 : H5Aiterate2(group, H5_INDEX_NAME, H5_ITER_INC, NULL, add_parameter, past);
    H5Gclose(group);
    return status >= 0;
}

static void read_shape(hid_t file, int is_series, struct past *past) {
    char why[WHY];
    const hid_t set = open_own(file, "state", 1, why),
                space = set < 0 ? H5I_INVALID_HID : H5Dget_space(set);
    hsize_t extents[MAX_INPUT_RANK];
    const int rank = space < 0 ? -1 : H5Sget_simple_extent_dims(space, extents, NULL) - is_series;
    for (int i = 0; i < rank && rank <= MAX_RANK - 1; i++)
        past->extents[i] = (int64_t)extents[is_series + i];
    past->rank = rank >= 1 && rank <= MAX_RANK - 1 ? rank : 0;
    H5Sclose(space);
    H5Dclose(set);
}

/* The name of what is missing, NULL if nothing is. */
static const char *read_facts(hid_t file, struct past *past) {
    char *text = NULL;
    int64_t n = 0;
    const int is_series = H5Lexists(file, "step", H5P_DEFAULT) > 0;
    read_shape(file, is_series, past);
    past->clock.struct_size = sizeof past->clock;
    if (!read_fact(file, "precision", FACT_TEXT, &text)) return "precision";
    past->precision = strcmp(text, "float") == 0 ? EULERCL_FLOAT : EULERCL_DOUBLE;
    H5free_memory(text);
    if (!read_fact(file, "n", FACT_WHOLE, &n)) return "n";
    past->n = n;
    if (!read_fact(file, "t0", FACT_REAL, &past->t0)) return "t0";
    if (!read_fact(file, "h", FACT_REAL, &past->clock.h)) return "h";
    if (!(is_series ? read_last(file, "step", FACT_WHOLE, &past->clock.steps)
                    : read_fact(file, "steps", FACT_WHOLE, &past->clock.steps)))
        return "steps";
    if (!(is_series ? read_last(file, "base_steps", FACT_WHOLE, &past->clock.base_steps)
                    : read_fact(file, "base_steps", FACT_WHOLE, &past->clock.base_steps)))
        return "base_steps";
    if (!(is_series ? read_last(file, "t_base", FACT_REAL, &past->clock.t_base)
                    : read_fact(file, "t_base", FACT_REAL, &past->clock.t_base)))
        return "t_base";
    past->t = past->clock.t_base + (double)past->clock.base_steps * past->clock.h;
    if (!read_parameters(file, past)) return "parameters";
    if (!read_fact(file, "problem", FACT_TEXT, &text)) return "problem";
    past->problem = strdup(text);
    H5free_memory(text);
    return past->problem == NULL ? "problem" : NULL;
}

static void look_at_facts(const void *path) {
    struct hdf5_input in = {.path = (char *)path};
    struct past past = {0};
    if (open_file(&in) == EULERCL_OK) read_facts(in.file, &past);
}

int read_past(const char *path, int needed, struct past *past) {
    struct hdf5_input in = {.path = (char *)path, .set = H5I_INVALID_HID, .space = H5I_INVALID_HID};
    *past = (struct past){0};
    start_hdf5();
    int status = look_first(path, look_at_facts, path);
    if (!status) status = open_file(&in);
    if (status) return status;
    const char *const missing = read_facts(in.file, past);
    H5Fclose(in.file);
    if (missing != NULL && needed)
        return fail(EULERCL_FILE, "%s cannot be resumed: it does not say %s", path, missing);
    return EULERCL_OK;
}
