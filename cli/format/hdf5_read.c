/* SPDX-License-Identifier: BSD-2-Clause */
/* hdf5_read.c - initial states from HDF5 files; compiled only with HDF5. */
#include "config.h"

#include "format/hdf5_read.h"
#include "format/file.h"
#include "format/format.h"
#include "format/hdf5.h"
#include "format/hdf5_library.h"
#include "format/parts.h"
#include "shared/message.h"
#include "shared/options.h"
#include "shared/stop.h"

#include <stdio.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif
#include <sys/wait.h>
#include <unistd.h>

struct hdf5_input {
    char *path;
    enum eulercl_precision precision;
    hid_t file, set, space;
    int rank;
    hsize_t extents[MAX_INPUT_RANK], n,
        first; /* where the state begins: the last one of a series */
};

/* Open a part of the file, which lies beside it. */
static hid_t open_part(hid_t file, const char *name, char why[WHY]) {
    struct stat entry;
    hid_t part = H5I_INVALID_HID;
    const ssize_t length = H5Fget_name(file, NULL, 0);
    char *const path = length < 0 ? NULL : malloc((size_t)length + strlen(name) + 1);
    if (path != NULL && H5Fget_name(file, path, (size_t)length + 1) == length) {
        strcpy(path + (without_folder(path) - path), name);
        if (stat(path, &entry) == 0 && S_ISREG(entry.st_mode))
            part = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    }
    free(path);
    if (part < 0) snprintf(why, WHY, "its part %s is missing or damaged", name);
    return part;
}

/* Open the dataset that part i is made of: one of this file, or of a part beside it (parts.h). */
static hid_t open_source(hid_t file, hid_t how, size_t i, const char *name, char why[WHY]) {
    char other[WHY / 2], source[WHY / 4];
    const ssize_t length = H5Pget_virtual_filename(how, i, other, sizeof other),
                  source_length = H5Pget_virtual_dsetname(how, i, source, sizeof source);
    const int is_here = length == 1 && strcmp(other, ".") == 0;
    if (length <= 0 || length >= (ssize_t)sizeof other || source_length <= 0 ||
        source_length >= (ssize_t)sizeof source || !(is_here || is_part_name(other))) {
        snprintf(why, WHY, "dataset %s is made of those of another file, which is not read", name);
        return H5I_INVALID_HID;
    }
    if (is_here) return open_own(file, source, 0, why);
    const hid_t part = open_part(file, other, why);
    if (part < 0) return part;
    char reason[WHY];
    const hid_t set = open_own(part, source, 0, reason);
    if (set < 0) snprintf(why, WHY, "its part %s: %.*s", other, WHY / 4, reason);
    H5Fclose(part); /* it stays open as long as the dataset */
    return set;
}

/* Check the source of part i. Returns the number of its reals, or -1. */
static hssize_t check_source(hid_t file, hid_t how, size_t i, const char *name, char why[WHY]) {
    hsize_t low[MAX_INPUT_RANK], high[MAX_INPUT_RANK], extents[MAX_INPUT_RANK];
    const hid_t set = open_source(file, how, i, name, why);
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
    char source[WHY / 4] = ""; /* open_source() found it shorter */
    if (H5Pget_virtual_dsetname(how, i, source, sizeof source) < 0) *source = '\0';
    snprintf(why, WHY, "dataset %s is made of more than dataset %s has", name, source);
    return -1;
}

/* Are the parts inside the dataset, and is each real in exactly one of them? The caller has checked
 * that they have as many reals as the dataset. */
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
    const hid_t space = H5Dget_space(set); /* only now, since it opens the sources */
    const int is_full = space >= 0 && filled == H5Sget_simple_extent_npoints(space) &&
                        fill_all(how, sources, space);
    H5Sclose(space);
    if (!is_full) snprintf(why, WHY, "dataset %s has parts that no other fills", name);
    return is_full;
}

/* Did HDF5 fail because of an external link? start_hdf5 has removed their class. */
static herr_t find_external(unsigned n, const H5E_error2_t *entry, void *found) {
    (void)n;
    if (entry->maj_num == H5E_SYM && entry->min_num == H5E_NOTREGISTERED) *(int *)found = 1;
    return 0;
}

hid_t open_own(hid_t file, const char *name, int may_be_virtual, char why[WHY]) {
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
            "%s: dataset %s holds %ss, but the run computes in %s; use --precision %s", in->path,
            dataset, is_double ? "double" : "float", precision_name(in->precision),
            is_double ? "double" : "float");
    return EULERCL_OK;
}

static int check_extents(
    struct hdf5_input *in, const char *dataset, const eulercl_problem_info *info) {
    const int64_t n = info->n;
    int64_t extents[MAX_INPUT_RANK];
    in->n = (hsize_t)n;
    in->space = H5Dget_space(in->set);
    in->rank = in->space < 0 ? -1 : H5Sget_simple_extent_ndims(in->space);
    const hssize_t reals = in->rank < 0 ? -1 : H5Sget_simple_extent_npoints(in->space);
    if (in->rank == 0)
        return fail(EULERCL_FILE, "%s: dataset %s is not an array", in->path, dataset);
    if (reals < 0 || H5Sget_simple_extent_dims(in->space, in->extents, NULL) < 0)
        return fail_hdf5("read", in->path);
    for (int i = 0; i < in->rank; i++) extents[i] = (int64_t)in->extents[i];
    if (reals == n) return check_axes(in->path, info, in->rank, extents);
    if (in->rank < 2 || reals == 0 || (int64_t)reals % n != 0 ||
        (hsize_t)reals / (hsize_t)n != in->extents[0]) {
        char shape[H5S_MAX_RANK * 24];
        int length = 0;
        for (int i = 0; i < in->rank; i++)
            length += snprintf(shape + length, sizeof shape - (size_t)length, "%s%" PRIu64,
                i == 0 ? "" : " x ", (uint64_t)in->extents[i]);
        return fail(EULERCL_FILE,
            "%s: dataset %s holds %s reals, but the problem has %" PRId64 " components", in->path,
            dataset, shape, n);
    }
    in->first = (hsize_t)(reals - n);
    return check_axes(in->path, info, in->rank - 1, extents + 1);
}

int open_hdf5_file(const char *path, hid_t *file) {
    FILE *bytes;
    *file = H5I_INVALID_HID;
    /* HDF5 would only say that it is unable to open the file, whatever the reason. */
    if (open_regular(path, &bytes)) return EULERCL_FILE;
    fclose(bytes);
    if (H5Fis_hdf5(path) <= 0) return fail(EULERCL_FILE, "%s is not an HDF5 file", path);
    *file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    return *file < 0 ? fail_hdf5("read", path) : EULERCL_OK;
}

static int open_dataset(
    struct hdf5_input *in, const char *dataset, const eulercl_problem_info *info) {
    char why[WHY];
    int status = open_hdf5_file(in->path, &in->file);
    if (status) return status;
    in->set = open_own(in->file, dataset, 1, why);
    if (in->set < 0) return fail(EULERCL_FILE, "%s: %s", in->path, why);
    status = check_type(in, dataset);
    return !status ? check_extents(in, dataset, info) : status;
}

int read_hdf5(struct hdf5_input *in, int64_t first, int64_t count, void *y) {
    const herr_t status = transfer(in->set, in->space, real_type(in->precision), in->rank,
        in->extents, in->first + (hsize_t)first, (hsize_t)count, (struct reals){.to = y});
    return status >= 0 ? EULERCL_OK : fail_hdf5("read", in->path);
}

/* More than any file takes that is whole. */
enum { LOOK_SECONDS = 3, LOOK_BYTES_PER_SECOND = 1 << 24 };

/* The processor time of this process has a limit, unless it has a lower one. */
static void limit_time(double bytes) {
    struct rlimit time;
    const rlim_t seconds = LOOK_SECONDS + (rlim_t)(bytes / LOOK_BYTES_PER_SECOND);
    signal(SIGXCPU, SIG_DFL);
    if (getrlimit(RLIMIT_CPU, &time) != 0) return;
    if (time.rlim_cur == RLIM_INFINITY || time.rlim_cur > seconds) time.rlim_cur = seconds;
    setrlimit(RLIMIT_CPU, &time);
}

int look_first(const char *path, void look(const void *what), const void *what, double bytes) {
    int result = 0;
    const pid_t child = fork();
    if (child < 0)
        return fail(
            EULERCL_MEMORY, "cannot start a process that checks %s: %s", path, strerror(errno));
    if (child == 0) {
        const struct rlimit none = {0, 0};
        const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
        dup2(nowhere, STDERR_FILENO);
        setrlimit(RLIMIT_CORE, &none);
        limit_time(bytes);
#ifdef __linux__
        prctl(PR_SET_PDEATHSIG, SIGKILL); /* nothing else would end it at once */
#endif
        look(what);
        _exit(0);
    }
    while (waitpid(child, &result, 0) < 0) {
        if (errno != EINTR)
            return fail(EULERCL_INTERNAL, "cannot wait for the process that checks %s: %s", path,
                strerror(errno));
        kill(child, SIGKILL);
    }
    const int status = check_interrupt();
    return status || result == 0 ? status
                                 : fail(EULERCL_FILE, "%s is damaged: the HDF5 library %s", path,
                                       WIFSIGNALED(result) && WTERMSIG(result) == SIGXCPU
                                           ? "does not come to an end on it"
                                           : "crashes on it");
}

struct wanted {
    const char *path, *dataset;
    const struct layout *layout;
    int all; /* states of the series */
};

/* Open the state. Read both ends of a contiguous one, which has only reals between them, or all of
 * another one. */
static void look_at_state(const void *what) {
    const struct wanted *const wanted = what;
    struct hdf5_input in = {.path = (char *)wanted->path,
        .precision = wanted->layout->precision,
        .file = H5I_INVALID_HID,
        .set = H5I_INVALID_HID};
    double *const reals = malloc(CHUNK * sizeof *reals);
    const int64_t n = wanted->layout->info->n;
    if (reals == NULL || open_dataset(&in, wanted->dataset, wanted->layout->info) != EULERCL_OK)
        return;
    const hid_t how = H5Dget_create_plist(in.set);
    if (H5Pget_layout(how) == H5D_CONTIGUOUS) {
        read_hdf5(&in, 0, 1, reals);
        read_hdf5(&in, n - 1, 1, reals);
        return;
    }
    const int64_t begin = wanted->all ? -(int64_t)in.first : 0;
    for (int64_t first = begin; first < n; first += CHUNK)
        read_hdf5(&in, first, n - first < CHUNK ? n - first : CHUNK, reals);
}

static int open_states(const char *path, const char *dataset, int all, const struct layout *layout,
    struct hdf5_input **input) {
    const struct wanted wanted = {path, dataset, layout, all};
    struct hdf5_input *const in = *input = calloc(1, sizeof *in);
    if (in == NULL || (in->path = strdup(path)) == NULL)
        return fail(EULERCL_MEMORY, "no memory for an input");
    start_hdf5();
    in->file = in->set = in->space = H5I_INVALID_HID;
    in->precision = layout->precision;
    const int status = look_first(
        path, look_at_state, &wanted, (double)layout->info->n * (double)layout->precision);
    return !status ? open_dataset(in, dataset, layout->info) : status;
}

int open_hdf5(
    const char *path, const char *dataset, const struct layout *layout, struct hdf5_input **input) {
    return open_states(path, dataset, 0, layout, input);
}

int open_hdf5_series(
    const char *path, const struct layout *layout, struct hdf5_input **input, int64_t *states) {
    const int status = open_states(path, "state", 1, layout, input);
    if (!status) *states = (int64_t)((*input)->first / (*input)->n) + 1;
    return status;
}

void choose_state(struct hdf5_input *in, int64_t state) { in->first = (hsize_t)state * in->n; }

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
