/* SPDX-License-Identifier: BSD-2-Clause */
/* races.c - a list of tuples (problem, size, tiled backend, variant, storage, tile, work-group
   size, work-groups, steps, precision), each solved through OpenCL and by seq and compared bit by
   bit: for oclgrind, see test_races.sh and test_mutants.sh.

       races FIRST COUNT [-R [-P | -V] | -O] [-T] [-m TEXT]... [-n MOST] [-r OLD=>NEW]...

   Tuples FIRST .. FIRST + COUNT - 1 of an endless list (-R: of that for cl-register, with -P in two
   dimensions by variant pipeline, with -V of volumes; -T: with steps to a tolerance; -O: of states
   from which observers, blocks and lists are computed instead of steps), of these the
   first MOST whose line contains every TEXT. Each one's line is written before it runs and its
   result after that, so that what oclgrind writes in between belongs to it. -r changes the text of
   programs. Each contains OLD at most once, and at least one must contain it. That is done where
   the library hands the text to OpenCL, so the library is the one that is tested everywhere.

   Tuples stand ordered by program, since most of the time goes into compiling: TUPLES_PER_PROGRAM
   of each, and after a round through all programs again with other sizes of work-groups. */
#include "config.h"
#include "../support.h"
#include "problem/flush.h"
#define CL_TARGET_OPENCL_VERSION 120
#include <ctype.h>
#include <CL/cl.h>
#include <dlfcn.h>
#include <getopt.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    FIXED_PROBLEMS = 2,
    CHANGING_PROBLEMS = 8,
    PROBLEMS = FIXED_PROBLEMS + CHANGING_PROBLEMS,
    KINDS = 4,
    VARIANTS = 2,
    PRECISIONS = 2
};
enum { PROGRAMS = PROBLEMS * KINDS * VARIANTS * PRECISIONS, TUPLES_PER_PROGRAM = 2 };
enum { MAX_TEXTS = 8, MOST_COMPONENTS = 2400 };

static const int fixed_problems[FIXED_PROBLEMS] = {TEST_string, TEST_bruss2d};
/* Each round takes the next ones of this list, which starts again at its end: radius 2 and
 * periodic, three components, four at a time, radius 2 in two dimensions, ... */
static const int changing_problems[] = {
    TEST_advection,
    TEST_diagonal,
    TEST_string_thesis4,
    TEST_mirror2,
    TEST_heat_fields,
    TEST_position,
    TEST_forced_wave,
    TEST_rod_fixed,
    TEST_string_thesis,
    TEST_rod_clamp,
    TEST_rough,
    TEST_reverse,
    TEST_seven,
    TEST_talkative,
};
static const int workgroup_sizes[] = {4, 16, 3, 4, 8, 16, 1, 4, 5, 32, 2, 7};

/* The texts that are compiled: column-diamonds, or rows in one of the storages; both backends that
 * share a text. */
static const struct {
    const char *storage, *backends[2];
} kinds[KINDS] = {
    {"local", {"cl-row-diamond", "cl-honeycomb"}},
    {"global", {"cl-row-diamond", "cl-honeycomb"}},
    {"column", {"cl-honeycomb", "cl-honeycomb"}},
    {"column", {"cl-column-diamond", "cl-column-diamond"}},
};

/* Programs of cl-register contain more of a tile: a problem, a way to hold the tile and a
   precision, each round with other tiles. In one dimension the two ways differ in the tile only. */
static const int register_problems[] = {
    TEST_string,
    TEST_forced_wave,
    TEST_rod_fixed,
    TEST_rod_clamp,
    TEST_rod_mirror,
    TEST_rough,
    TEST_advection,
    TEST_string_thesis,
    TEST_chirp,
    TEST_bruss2d,
    TEST_heat_fields,
    TEST_diagonal,
    TEST_position,
    TEST_mirror2,
    TEST_tide,
    TEST_torus,
};
enum { REGISTER_PROBLEMS = sizeof register_problems / sizeof *register_problems };
static const int volume_problems[] = {TEST_block, TEST_lattice, TEST_knot};
enum { VOLUME_PROBLEMS = sizeof volume_problems / sizeof *volume_problems };

struct tuple {
    eulercl_problem *problem;
    eulercl_options options;
    int64_t n, steps[2]; /* two calls of advance */
};

static const char *matches[MAX_TEXTS];
static char *replacements[MAX_TEXTS];
static size_t match_count, replacement_count;
static cl_context context;
static cl_command_queue queue;

static void stop(const char *what) {
    printf("stopped: %s\n", what);
    exit(99);
}
static void check(int status) {
    if (status) stop(error.message);
}

/* ---- between the library and OpenCL ---- */

/* oclgrind 21.10 lacks the built-in function that its compiler makes of `x < 0 ? -x : x`; to
 * select() it does nothing. */
static const char settings[] =
    "#define TILE_BOOL int\n#define TILE_IF(condition, yes, no) select((ode_offset)(no), "
    "(ode_offset)(yes), (ode_offset)(condition))\n";

/* The end of what `pattern` of `size` bytes matches at the beginning of the text, spaces and line
 * breaks left out of account; NULL: it does not. */
static const char *match(const char *text, const char *pattern, size_t size) {
    const char *const end = pattern + size;
    while (1) {
        while (pattern < end && isspace((unsigned char)*pattern)) pattern++;
        if (pattern == end) return text;
        while (isspace((unsigned char)*text)) text++;
        if (*text++ != *pattern++) return NULL;
    }
}

/* How often each was done. */
static size_t replaced[MAX_TEXTS];

/* The text, changed if it contains what is replaced: of several programs of a step not all do. */
static char *replace_once(const char *text, size_t number) {
    char *const replacement = replacements[number];
    char *arrow = strstr(replacement, "=>");
    if (!arrow) stop("-r takes OLD=>NEW");
    const size_t old_size = (size_t)(arrow - replacement);
    const char *place = NULL, *rest = NULL;
    for (const char *p = text; (p = strchr(p, *replacement)); p++) {
        const char *const end = match(p, replacement, old_size);
        if (end && place) stop("the text that -r replaces is there more than once");
        if (end) place = p, rest = end;
    }
    if (!place) place = rest = text + strlen(text);
    const char *new = rest > place ? arrow + 2 : "";
    replaced[number] += rest > place;
    const size_t before = (size_t)(place - text), size = before + strlen(new) + strlen(rest) + 1;
    char *changed = malloc(size);
    if (!changed) stop("no memory");
    snprintf(changed, size, "%.*s%s%s", (int)before, text, new, rest);
    return changed;
}

/* The latest program stays, and is handed out again for the same text. */
static cl_program program;
static char *program_text;
static int program_is_built;

cl_program clCreateProgramWithSource(
    cl_context in, cl_uint count, const char **texts, const size_t *lengths, cl_int *status) {
    cl_program (*create)(cl_context, cl_uint, const char **, const size_t *, cl_int *);
    *(void **)&create = dlsym(RTLD_NEXT, "clCreateProgramWithSource");
    if (!create || count != 1 || lengths) stop("clCreateProgramWithSource");
    char *text = zeroed((int64_t)(sizeof settings + strlen(*texts)), 1);
    strcat(strcpy(text, settings), *texts);
    for (size_t i = 0; i < replacement_count; i++) {
        char *changed = replace_once(text, i);
        free(text);
        text = changed;
    }
    if (program && !strcmp(text, program_text)) {
        free(text);
    } else {
        if (program) clReleaseProgram(program);
        free(program_text);
        program_text = text;
        program_is_built = 0;
        const char *whole = text;
        program = create(in, 1, &whole, NULL, status);
        if (!program) return NULL;
    }
    *status = clRetainProgram(program);
    return program;
}

cl_int clBuildProgram(cl_program given, cl_uint count, const cl_device_id *devices,
    const char *options, void(CL_CALLBACK *notify)(cl_program, void *), void *user) {
    cl_int (*build)(cl_program, cl_uint, const cl_device_id *, const char *,
        void(CL_CALLBACK *)(cl_program, void *), void *);
    *(void **)&build = dlsym(RTLD_NEXT, "clBuildProgram");
    if (!build || given != program) stop("clBuildProgram");
    if (program_is_built) return CL_SUCCESS;
    const cl_int status = build(given, count, devices, options, notify, user);
    program_is_built = !status;
    return status;
}

/* The first device of the first platform: oclgrind's, which is alone there. */
static void open_device(void) {
    cl_platform_id platform;
    cl_device_id device;
    cl_int status;
    if (clGetPlatformIDs(1, &platform, NULL) ||
        clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL))
        stop("no OpenCL device");
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
    if (!status) queue = clCreateCommandQueue(context, device, 0, &status);
    if (status) stop("no context or queue");
}

/* ---- tuples ---- */

static int one_in(int64_t n) { return random_below(n) == 0; }

/* A problem of at most about `most` components. */
static eulercl_problem *problem_of_size(const struct ode_problem *definition, int64_t most) {
    eulercl_problem *problem;
    check(eulercl_problem_create(definition, &problem, &error));
    const int64_t wanted =
        one_in(8) ? 1 + random_below(12) : most / 4 + random_below(most * 3 / 4 + 1);
    if (definition->grid.rank != 2) {
        for (int64_t n = wanted; n < wanted + 8 && eulercl_problem_set_size(problem, n, &error);
             n++)
            continue;
        return problem;
    }
    /* A few columns, since two rows are the access distance; a refusal (too small for a mirror)
     * leaves the author's size. */
    const int64_t points = wanted / definition->grid.components + 1;
    int64_t columns = 1 + random_below(7);
    for (uint32_t i = 0; i < definition->parameter_count; i++) {
        const struct ode_parameter *p = &definition->parameters[i];
        if (!p->integer) continue;
        if (!strcmp(definition->name, "bruss2d")) columns = (int64_t)fmax(2, sqrt((double)points));
        eulercl_problem_set(problem, p->name, (double)columns, &error);
        columns = points / columns + 1;
    }
    return problem;
}

/* Tuple number `number`, and its line. */
/* Programs in double have methods of several stages, by turns, and fewer steps. */
static void choose_method(struct tuple *t, const struct ode_problem *definition, int64_t turn) {
    static const char *const methods[] = {"rk4", "rkl2", "ck54", "verlet"};
    const char *const method = methods[turn % 4];
    const int is_mechanical = definition->is_position != NULL;
    t->options.method = strcmp(method, "verlet") || is_mechanical ? method : "heun";
    t->options.stages = strcmp(method, "rkl2") ? 0 : 5;
}

/* Every third program flushes tiny values. */
static double flush_of(int64_t index) { return index % 3 ? 0 : 0.25; }

/* Most runs are as long as the steps between two flushes; half of them end with one, because a step
 * later the sign of a zero is lost. */
static void reach_a_flush(struct tuple *t) {
    const int64_t period = ODE_FLUSH_STEPS_(t->options.method ? 4 : 1),
                  steps = t->steps[0] + t->steps[1];
    if (t->options.flush_below > 0) t->steps[0] += steps % 2 ? period - steps % period : period / 2;
}

static struct tuple tuple_of(int64_t number, char *line, size_t line_size) {
    const int64_t round = number / (PROGRAMS * TUPLES_PER_PROGRAM),
                  index = number / TUPLES_PER_PROGRAM % PROGRAMS,
                  count = sizeof changing_problems / sizeof *changing_problems;
    const int64_t which = index / (PROGRAMS / PROBLEMS),
                  kind = index / (VARIANTS * PRECISIONS) % KINDS;
    const int problem =
        which < FIXED_PROBLEMS
            ? fixed_problems[which]
            : changing_problems[(round * CHANGING_PROBLEMS + which - FIXED_PROBLEMS) % count];
    struct tuple t;
    eulercl_options *o = &t.options;
    eulercl_options_init(o);
    /* All tuples of a program draw the same. */
    random_start((uint64_t)(200 + round * PROGRAMS + index));
    const int64_t sizes = sizeof workgroup_sizes / sizeof *workgroup_sizes;
    GIVE(o, workgroup_size, workgroup_sizes[(index / 3 + index / 16 + 5 * round) % sizes]);
    GIVE(o, uncached, one_in(8));
    GIVE_NAME(o, variant, index / PRECISIONS % VARIANTS ? "scalar" : "vector");
    o->precision = index % PRECISIONS ? EULERCL_FLOAT : EULERCL_DOUBLE;
    o->flush_below = flush_of(index);
    GIVE_NAME(o, storage, kinds[kind].storage);
    /* This one's own. */
    random_start((uint64_t)(1000000 + number));
    o->backend = kinds[kind].backends[number % TUPLES_PER_PROGRAM];
    const int columns = !strcmp(o->backend, "cl-column-diamond"),
              honeycomb = !strcmp(o->backend, "cl-honeycomb");
    GIVE(o, dia_blocks, 2 * (uint64_t)(1 + random_below(columns ? 3 : 4)));
    if (honeycomb)
        GIVE(o, honeycomb_steps, one_in(10) ? 0 : 1 + random_below(GIVEN(o, dia_blocks) / 2));
    GIVE(o, workgroups, one_in(2) ? 0 : (uint64_t)(1 + random_below(3)));
    o->check_finite = one_in(4);
    o->h = 0x1p-10;
    o->t0 = 0.25;
    t.steps[0] = 1 + random_below(9);
    t.steps[1] = one_in(2) ? 0 : 1 + random_below(6);
    if (o->precision == EULERCL_DOUBLE) {
        choose_method(&t, test_problems[problem].definition, which + kind + round);
        for (int k = 0; k < 2; k++) t.steps[k] = (t.steps[k] + 2) / 3;
    }
    reach_a_flush(&t);
    /* A block of column-diamonds is four components per item or more. */
    const int64_t most = columns ? (int64_t)fmin(64 * (double)GIVEN(o, workgroup_size), 600) : 120;
    t.problem = problem_of_size(test_problems[problem].definition, (int64_t)fmax(48, (double)most));
    eulercl_problem_info info = {.struct_size = sizeof info};
    check(eulercl_problem_get_info(t.problem, &info, &error));
    t.n = info.n;
    snprintf(line, line_size,
        "tuple %lld: %s n=%lld %s %s %s %s items=%llu groups=%llu dia_blocks=%llu "
        "honeycomb_steps=%lld steps=%lld+%lld method=%s%s%s",
        (long long)number, test_problems[problem].definition->name, (long long)t.n,
        o->precision == EULERCL_FLOAT ? "float" : "double", o->backend, GIVEN_NAME(o, storage),
        GIVEN_NAME(o, variant), (long long)GIVEN(o, workgroup_size),
        (long long)GIVEN(o, workgroups), (long long)GIVEN(o, dia_blocks),
        (long long)GIVEN(o, honeycomb_steps), (long long)t.steps[0], (long long)t.steps[1],
        o->method ? o->method : "euler", o->flush_below > 0 ? " flush" : "",
        GIVEN(o, uncached) ? " uncached" : "");
    return t;
}

/* A length of grid for tiles of `tile` points that lose `halo` points at an end: one tile or
 * several, the last one shifted or not. */
static int64_t length_of(int64_t tile, int64_t halo, int periodic) {
    if (tile <= 2 * halo) return tile;
    const int64_t stride = tile - 2 * halo, batch = (1 + random_below(3)) * stride;
    if (periodic) return one_in(4) ? 1 + random_below(tile) : batch + random_below(stride);
    return one_in(6) ? tile : tile + batch - (one_in(3) ? 0 : random_below(stride));
}

/* The ranges from which tiles are drawn for each kernel of cl-register. */
static const struct register_ranges {
    int64_t items, wide; /* 1 .. items work-items a row; in one of six tiles times `wide` */
    int64_t item_rows;   /* 1 .. item_rows rows of work-items; 0: the kernel has no rows */
    /* points of an item, beyond the fewest; many: in a third of the tiles */
    int64_t points, many_points;
    int64_t rows, many_rows; /* rows of an item, likewise */
    int64_t launch;          /* most steps per launch */
    int64_t workgroups;      /* the most; 0: as the kernel chooses */
    const char *variants[2]; /* variants, of which one is drawn */
} line_ranges = {5, 2, 0, 8, 24, 0, 0, 20, 0, {"group", "auto"}},
  line_local_ranges = {5, 2, 0, 8, 24, 0, 0, 20, 0, {"group-local"}},
  plane_ranges = {5, 6, 4, 4, 0, 4, 9, 20, 0, {"group", "group-local"}},
  stream_ranges = {6, 6, 0, 4, 0, 0, 0, 4, 12, {"stream"}},
  pipeline_ranges = {6, 6, 0, 4, 0, 0, 0, 8, 12, {"pipeline"}},
  volume_ranges = {4, 2, 3, 3, 0, 2, 0, 3, 12, {"stream"}};

static int64_t draw_below(int64_t few, int64_t many) {
    return random_below(many && one_in(3) ? many : few);
}

/* A tile in points; edges: of its items, in points that lie in local memory. */
struct register_size {
    int64_t across, down, edges;
};

/* Draw one tile for all tuples of a program. The order of the draws decides which tuples the
 * mutants meet. */
static struct register_size draw_register_tile(
    const struct register_ranges *r, int is_plane, int64_t radius, eulercl_options *o) {
    const int64_t exchange = is_plane || one_in(2) ? 1 : 1 + random_below(3);
    int64_t items = 1 + random_below(r->items);
    const int64_t item_rows = r->item_rows ? 1 + random_below(r->item_rows) : 1;
    if (one_in(6)) items *= r->wide;
    const int64_t points =
        (items > 1 ? radius * exchange : 1) + draw_below(r->points, r->many_points);
    const int64_t rows =
        r->item_rows ? (item_rows > 1 ? radius : 1) + draw_below(r->rows, r->many_rows) : 1;
    const int64_t across = items * points, down = item_rows * rows,
                  shorter = r->item_rows && down < across ? down : across;
    /* Now and then more steps than several tiles could make: the tile is the grid then. */
    const int64_t most = one_in(5) || shorter <= 2 * radius ? 12 : (shorter - 1) / (2 * radius);
    if (r->item_rows) one_in(2);
    GIVE_NAME(o, variant, r->variants[r->variants[1] && !one_in(2)]);
    GIVE(o, steps_per_launch, 1 + random_below(most < 20 ? most : 20));
    if (GIVEN(o, steps_per_launch) > r->launch)
        GIVE(o, steps_per_launch, 1 + random_below(r->launch));
    GIVE(o, points_per_item, points);
    GIVE(o, rows_per_item, r->item_rows ? rows : 0);
    GIVE(o, workgroup_size, items * item_rows);
    GIVE(o, workgroup_rows, r->item_rows ? item_rows : 0);
    GIVE(o, steps_per_exchange, is_plane ? 0 : exchange);
    GIVE(o, uncached, one_in(8));
    return (struct register_size){
        across, down, r->item_rows ? (points + rows) * items * item_rows : 0};
}

/* Warps, in a tile that was drawn for one; launches have more steps then. */
static void give_warps(eulercl_options *o, int64_t radius, int64_t across) {
    const int64_t warps = 1 + random_below(4), steps = warps * (1 + random_below(2)),
                  most = one_in(5) ? steps : (across - 1) / (2 * radius);
    GIVE(o, workgroup_rows, warps);
    GIVE(o, workgroup_size, GIVEN(o, workgroup_size) * warps);
    GIVE(o, steps_per_launch, steps <= most ? steps : warps);
}

/* Steps that are cut: launches of stages of one shape, and a tail, which for rock4 begins without
 * carried values; for rkc4 mostly none. */
static void give_cut(eulercl_options *o) {
    static const struct {
        const char *method;
        int more; /* stages than a number of whole launches */
    } cuts[] = {{"rock4", 4}, {"rock2", 1}, {"rkc4", 0}};
    const int i = (int)random_below((int64_t)(sizeof cuts / sizeof *cuts));
    o->method = cuts[i].method;
    o->stages = (int)(GIVEN(o, workgroup_rows) * (2 + random_below(4))) + cuts[i].more;
    GIVE(o, steps_per_launch, 1);
}

/* Does the problem have a system of this size, near enough and not too large? */
static int set_register_grid(
    struct tuple *t, const struct ode_problem *definition, const int64_t lengths[ODE_MOST_AXES]) {
    eulercl_problem_info info = {.struct_size = sizeof info};
    const int has_rows = definition->grid.rank > 1;
    const int64_t nx = lengths[0];
    check(eulercl_problem_get_info(t->problem, &info, &error));
    if (!has_rows && eulercl_problem_set_size(t->problem, nx * info.components, &error) &&
        eulercl_problem_set_size(t->problem, (nx + 1) * info.components, &error))
        return 0;
    for (uint32_t i = 0, axis = 0; has_rows && i < definition->parameter_count; i++)
        if (definition->parameters[i].integer)
            eulercl_problem_set(
                t->problem, definition->parameters[i].name, (double)lengths[axis++], &error);
    check(eulercl_problem_get_info(t->problem, &info, &error));
    t->n = info.n;
    return info.n <= MOST_COMPONENTS; /* a square is as high as it is wide */
}

static void name_register_tuple(
    const struct tuple *t, const char *problem, int64_t number, char *line, size_t line_size) {
    const eulercl_options *const o = &t->options;
    const char *const variant = GIVEN_NAME(o, variant);
    snprintf(line, line_size,
        "tuple %lld: %s n=%lld %s %s registers %s items=%lld rows=%lld points=%lldx%lld "
        "groups=%lld launch=%lld exchange=%lld steps=%lld+%lld method=%s%s%s",
        (long long)number, problem, (long long)t->n,
        o->precision == EULERCL_FLOAT ? "float" : "double", o->backend, variant ? variant : "auto",
        (long long)GIVEN(o, workgroup_size), (long long)GIVEN(o, workgroup_rows),
        (long long)GIVEN(o, points_per_item), (long long)GIVEN(o, rows_per_item),
        (long long)GIVEN(o, workgroups), (long long)GIVEN(o, steps_per_launch),
        (long long)GIVEN(o, steps_per_exchange), (long long)t->steps[0], (long long)t->steps[1],
        o->method ? o->method : "euler", o->flush_below > 0 ? " flush" : "",
        GIVEN(o, uncached) ? " uncached" : "");
}

static int pipelines; /* planes are computed by variant pipeline */
static int volumes;   /* the problems are those of three axes */

/* Tuple number `number` for cl-register, and its line. */
static struct tuple register_tuple_of(int64_t number, char *line, size_t line_size) {
    const int64_t index = number / TUPLES_PER_PROGRAM, which = index / PRECISIONS % VARIANTS;
    const int64_t turn = index / (VARIANTS * PRECISIONS);
    const struct ode_problem *definition =
        test_problems[volumes ? volume_problems[turn % VOLUME_PROBLEMS]
                              : register_problems[turn % REGISTER_PROBLEMS]]
            .definition;
    const int is_plane = definition->grid.rank == 2, is_pipeline = is_plane && pipelines,
              is_stream = is_plane && (which || pipelines),
              periodic = definition->grid.rank && definition->grid.boundary[0][0] == ODE_PERIODIC;
    const struct register_ranges *const ranges = volumes       ? &volume_ranges
                                                 : is_pipeline ? &pipeline_ranges
                                                 : is_stream   ? &stream_ranges
                                                 : is_plane    ? &plane_ranges
                                                 : which       ? &line_local_ranges
                                                               : &line_ranges;
    struct tuple t;
    eulercl_options *o = &t.options;
    eulercl_options_init(o);
    o->backend = "cl-register";
    o->precision = index % PRECISIONS ? EULERCL_FLOAT : EULERCL_DOUBLE;
    o->flush_below = flush_of(index);
    o->h = 0x1p-10;
    o->t0 = 0.25;
    check(eulercl_problem_create(definition, &t.problem, &error));
    eulercl_problem_info info = {.struct_size = sizeof info};
    check(eulercl_problem_get_info(t.problem, &info, &error));
    const int64_t radius =
        definition->grid.rank ? (int64_t)definition->grid.radius : info.access_distance;
    char *source = NULL;
    /* Tiles and sizes at random until one fits; a refused size leaves the problem as it was. */
    for (int64_t try = 0; !source; try++) {
        if (try == 1000) stop(error.message);
        random_start((uint64_t)(5000000 + 1000 * index + try));
        const struct register_size tile =
            draw_register_tile(ranges, is_plane || volumes, radius, o);
        if (is_pipeline) give_warps(o, radius, tile.across);
        /* This one's own. */
        random_start((uint64_t)(6000000 + 1000 * number + try));
        /* Steps of five stages spoil more than most small tiles have, so a half of the programs in
         * double makes them, and not where no size is found. */
        const int64_t round = index / (VARIANTS * PRECISIONS * REGISTER_PROBLEMS);
        const int has_stages = o->precision == EULERCL_DOUBLE && (which + round) % 2 && try < 200;
        const int64_t stages = has_stages ? 5 : 1;
        o->method = NULL;
        o->stages = 0;
        if (stages > 1) {
            /* Verlet for every second program of a mechanical system. */
            choose_method(
                &t, definition, definition->is_position && which ? 3 : index / PRECISIONS);
            GIVE(o, steps_per_launch, (GIVEN(o, steps_per_launch) + stages - 1) / stages);
            GIVE(o, steps_per_exchange, 0);
        }
        const int is_cut = is_pipeline && has_stages && which;
        if (is_cut) give_cut(o);
        const int64_t spoiled = is_cut ? (int64_t)GIVEN(o, workgroup_rows)
                                       : (int64_t)GIVEN(o, steps_per_launch) * stages,
                      halo = radius * spoiled, nx = length_of(tile.across, halo, periodic);
        const int64_t ny =
            is_stream ? 1 + random_below(one_in(3) ? 8 : 48) : length_of(tile.down, halo, periodic);
        const int64_t nz = volumes ? 1 + random_below(10) : 1;
        /* oclgrind is slow, and its device has 32 KiB of local memory. */
        if (nx * ny * nz * info.components > MOST_COMPONENTS ||
            (is_cut && GIVEN(o, workgroup_size) > 48) ||
            2 * tile.edges * radius * info.components * (int64_t)o->precision >= 32 << 10)
            continue;
        GIVE(o, workgroups, ranges->workgroups ? 1 + random_below(ranges->workgroups) : 0);
        if (!set_register_grid(&t, definition, (const int64_t[]){nx, ny, nz})) continue;
        if (eulercl_kernel_source(t.problem, o, &source, &error)) source = NULL;
    }
    eulercl_free(source);
    const int64_t launch = (int64_t)GIVEN(o, steps_per_launch);
    o->check_finite = one_in(4);
    t.steps[0] = 1 + random_below(launch < 8 ? 4 * launch : 2 * launch);
    t.steps[1] = one_in(2) ? 0 : 1 + random_below(2 * launch);
    for (int k = 0; o->method && k < 2; k++) t.steps[k] = (t.steps[k] + 1) / 2;
    reach_a_flush(&t);
    name_register_tuple(&t, definition->name, number, line, line_size);
    return t;
}

/* ---- what is computed from states ---- */

/* Grids of one to three axes, with and without rings. */
static const int observed_problems[] = {
    TEST_ring, TEST_diagonal, TEST_lattice, TEST_rod_clamp, TEST_mirror2, TEST_knot};
enum { OBSERVED_PROBLEMS = sizeof observed_problems / sizeof *observed_problems };
enum { SELECTIONS = 10, MOST_VALUES = 8192 };

static int observes; /* tuples are states that are observed */

/* What selection number `kind` of a state is: a name for the tuple's line. */
static const char *const selections[SELECTIONS] = {"histogram", "euler", "length", "front",
    "correlation", "mean", "max", "every", "smooth", "extract"};

static struct tuple observed_tuple_of(int64_t number, char *line, size_t line_size) {
    const int problem = observed_problems[number % OBSERVED_PROBLEMS];
    struct tuple t = {.steps = {number / OBSERVED_PROBLEMS % SELECTIONS, number / 2 % 3}};
    eulercl_problem_info info = {.struct_size = sizeof info};
    eulercl_options_init(&t.options);
    random_start((uint64_t)(4000000 + number));
    t.options.backend = "cl-linear";
    t.options.precision = one_in(2) ? EULERCL_FLOAT : EULERCL_DOUBLE;
    const int is_large = t.steps[0] == 4 || t.steps[0] == SELECTIONS - 1; /* many lags, turns */
    t.problem = problem_of_size(test_problems[problem].definition, is_large ? 3000 : 150);
    check(eulercl_problem_get_info(t.problem, &info, &error));
    t.n = info.n;
    snprintf(line, line_size, "tuple %lld: %s n=%lld %s %s", (long long)number, info.name,
        (long long)t.n, t.options.precision == EULERCL_FLOAT ? "float" : "double",
        selections[t.steps[0]]);
    return t;
}

/* -> how many values there are; -1: it failed */
static int64_t extract_values(eulercl_solver *solver, const char *text, double *values) {
    int64_t count, *points;
    double *found;
    if (eulercl_extract(solver, text, &count, &points, &found, &error)) return -1;
    for (int64_t i = 0; i < count; i++) {
        values[2 * i] = (double)points[i];
        values[2 * i + 1] = found[i];
    }
    eulercl_free(points);
    eulercl_free(found);
    return 2 * count;
}

static int64_t observe_values(
    const struct tuple *t, eulercl_solver *solver, const char *text, double *values) {
    eulercl_observation *observation;
    check(eulercl_observation_create(t->problem, text, &observation, &error));
    const int status = eulercl_observe(solver, observation, values, &error);
    const int64_t count = (int64_t)eulercl_observation_columns(observation);
    eulercl_observation_destroy(observation);
    return status ? -1 : count;
}

/* Of the whole grid, and of the region without its ends. */
static int64_t thin_values(
    const struct tuple *t, eulercl_solver *solver, int64_t component, int kind, double *values) {
    static const int modes[] = {EULERCL_THIN_MEAN, EULERCL_THIN_MAX, EULERCL_THIN_EVERY};
    const int64_t smoothing = kind < 3 ? 0 : 1 + t->n % 5; /* of any mode */
    eulercl_problem_info info = {.struct_size = sizeof info};
    const int64_t edge = 2 + t->n % (smoothing ? 10 : 4);
    const int mode = modes[kind < 3 ? kind : (int)t->steps[1]];
    int64_t all = 0;
    check(eulercl_problem_get_info(t->problem, &info, &error));
    for (int inner = 0; inner < 2; inner++) {
        eulercl_region region;
        int64_t count = 1;
        for (int axis = 0; axis < 3; axis++) {
            region.first[axis] = info.extents[axis] > 2 ? inner : 0;
            region.counts[axis] = info.extents[axis] - 2 * region.first[axis];
            count *= (region.counts[axis] - 1) / edge + 1;
        }
        if (eulercl_thin(
                solver, &region, component, edge, mode, smoothing, values + all, count, &error))
            return -1;
        all += count;
    }
    return all;
}

/* What a backend computes from a state. */
static int64_t select_values(
    const struct tuple *t, const eulercl_options *options, const void *y, double *values) {
    static const char *const forms[] = {"histogram:%lld:5:-0.5:0.5", "euler:%lld:0.1",
        "length:%lld", "front:%lld:0.1", "correlation:%lld:%lld", "", "", "", "", "%lld > 0.1"};
    const int kind = (int)t->steps[0];
    eulercl_problem_info info = {.struct_size = sizeof info};
    eulercl_solver *solver;
    char text[64];
    int64_t count = -1;
    check(eulercl_problem_get_info(t->problem, &info, &error));
    const int64_t component = info.components - 1;
    int64_t lags = 11;
    for (int axis = 0; axis < info.rank; axis++)
        if (info.extents[axis] <= lags) lags = info.extents[axis] - 1;
    snprintf(text, sizeof text, forms[kind], (long long)component, (long long)lags);
    if (create_somehow(t->problem, options, &solver, &error)) return -1;
    if (!eulercl_set_state(solver, y, &error))
        count = kind < 5   ? observe_values(t, solver, text, values)
                : kind < 9 ? thin_values(t, solver, component, kind - 5, values)
                           : extract_values(solver, text, values);
    eulercl_solver_destroy(solver);
    return count;
}

/* -> whether the bits are the same */
static int run_observed_tuple(struct tuple *t) {
    static double expected[MOST_VALUES], values[MOST_VALUES];
    void *const y = zeroed(t->n, (size_t)t->options.precision);
    eulercl_options reference = t->options;
    random_state(y, t->n, (size_t)t->options.precision);
    reference.backend = "seq";
    const int64_t wanted = select_values(t, &reference, y, expected);
    if (wanted < 0) stop(error.message);
    t->options.cl_context = context;
    t->options.cl_queue = queue;
    const int64_t count = select_values(t, &t->options, y, values);
    const int same = count == wanted && !memcmp(values, expected, (size_t)count * sizeof *values);
    if (count < 0)
        printf("    failed: %s\n%s", error.message, error.log);
    else if (same)
        printf("    same: %lld values\n", (long long)count);
    else
        printf("    differs: of %lld values\n", (long long)wanted);
    fflush(stdout);
    free(y);
    return same;
}

/* Give a tuple steps to a tolerance. The number of stages may change, but not for cl-register,
 * which has a program for each. -> whether the tile has room for such a method. */
static int give_tolerance(struct tuple *t, int64_t number, char *line, size_t line_size) {
    static const char *const methods[] = {"rock2", "bs32", "rkl2", "heun"};
    eulercl_options *const o = &t->options;
    const int is_register = !strcmp(o->backend, "cl-register");
    const size_t length = strlen(line);
    char *source;
    o->method = is_register ? "heun" : methods[number / TUPLES_PER_PROGRAM % 4];
    o->stages = 0;
    /* Some steps are rejected; the stages follow the step size. */
    o->rtol = o->atol = 0x1p-7;
    o->h0 = 0x1p-2;
    o->spectral_radius = 400;
    o->max_steps = 24;
    if (is_register) GIVE(o, steps_per_launch, (GIVEN(o, steps_per_launch) + 1) / 2);
    snprintf(line + length, line_size - length, " tolerance, method=%s", o->method);
    if (eulercl_kernel_source(t->problem, o, &source, &error)) return 0;
    eulercl_free(source);
    return 1;
}

/* Solve from y to y with these options; to a tolerance as far as the most steps go. */
static int solve(
    const struct tuple *t, const eulercl_options *options, void *y, eulercl_stats *stats) {
    eulercl_solver *solver;
    if (create_somehow(t->problem, options, &solver, &error)) return 0;
    int good = !eulercl_set_state(solver, y, &error);
    for (int k = 0; good && k < 2; k++) {
        const int status = eulercl_advance(solver, t->steps[k], &error);
        good = !status || status == EULERCL_STEP_COUNT;
    }
    if (good)
        good = !eulercl_get_state(solver, y, &error) && !eulercl_get_stats(solver, stats, &error);
    eulercl_solver_destroy(solver);
    return good;
}

/* -> whether the bits are the same */
static int run_tuple(struct tuple *t) {
    const size_t size = (size_t)t->options.precision;
    char *expected = zeroed(t->n, size), *y = zeroed(t->n, size);
    eulercl_stats stats = {.struct_size = sizeof stats};
    random_state(expected, t->n, size);
    memcpy(y, expected, (size_t)t->n * size);
    eulercl_options reference = t->options;
    reference.backend = "seq";
    GIVE_NAME(&reference, variant, NULL);
    GIVE_NAME(&reference, storage, NULL);
    if (!solve(t, &reference, expected, &stats)) stop(error.message);
    t->options.cl_context = context;
    t->options.cl_queue = queue;
    int same = solve(t, &t->options, y, &stats);
    if (!same) {
        printf("    failed: %s\n%s", error.message, error.log);
    } else if (memcmp(y, expected, (size_t)t->n * size)) {
        int64_t i = 0;
        while (!memcmp(y + (size_t)i * size, expected + (size_t)i * size, size)) i++;
        same = 0;
        printf("    differs: component %lld is %a, not %a\n", (long long)i, value_at(y, i, size),
            value_at(expected, i, size));
    } else {
        const int64_t start = (int64_t)(FACT(stats, dia_blocks) * FACT(stats, block_size));
        if (FACT(stats, points_per_item))
            printf("    same: %llu launches of %llu tiles, %llu bytes",
                (unsigned long long)stats.launches, (unsigned long long)FACT(stats, tiles),
                (unsigned long long)FACT(stats, local_bytes));
        else
            printf("    same: %llu launches of %llu tiles, block %llu, cut %llu, %s",
                (unsigned long long)stats.launches, (unsigned long long)FACT(stats, tiles),
                (unsigned long long)FACT(stats, block_size),
                (unsigned long long)stats.steps_per_launch,
                2 * start < t->n ? "inner tiles" : "no inner tiles");
        if (t->options.rtol > 0)
            printf(", %lld steps, %lld rejected, at last of %d stages", (long long)stats.steps,
                (long long)stats.rejected, stats.stages);
        printf("\n");
    }
    fflush(stdout);
    free(expected);
    free(y);
    return same;
}

int main(int argc, char **argv) {
    int64_t most = INT64_MAX, ran = 0, failed = 0;
    int to_tolerance = 0;
    struct tuple (*list)(int64_t, char *, size_t) = tuple_of;
    for (int option; (option = getopt(argc, argv, "RPVOTm:n:r:")) != -1;) {
        if (option == 'R')
            list = register_tuple_of;
        else if (option == 'P')
            pipelines = 1;
        else if (option == 'V')
            volumes = 1;
        else if (option == 'O')
            observes = 1, list = observed_tuple_of;
        else if (option == 'T')
            to_tolerance = 1;
        else if (option == 'm' && match_count < MAX_TEXTS)
            matches[match_count++] = optarg;
        else if (option == 'n')
            most = strtoll(optarg, NULL, 10);
        else if (option == 'r' && replacement_count < MAX_TEXTS)
            replacements[replacement_count++] = optarg;
        else
            stop("wrong usage");
    }
    if (argc - optind != 2)
        stop("usage: races FIRST COUNT [-R [-P | -V] | -O] [-T] [-m TEXT]... [-n MOST] "
             "[-r OLD=>NEW]...");
    const int64_t first = strtoll(argv[optind], NULL, 10),
                  end = first + strtoll(argv[optind + 1], NULL, 10);
    open_device();
    for (int64_t number = first; number < end && ran < most; number++) {
        char line[400];
        struct tuple t = list(number, line, sizeof line);
        int wanted = !to_tolerance || give_tolerance(&t, number, line, sizeof line);
        for (size_t i = 0; i < match_count; i++) wanted &= strstr(line, matches[i]) != NULL;
        if (wanted) {
            printf("%s\n", line);
            fflush(stdout);
            ran++;
            failed += !(observes ? run_observed_tuple(&t) : run_tuple(&t));
            for (size_t i = 0; i < replacement_count; i++)
                if (!replaced[i]) stop("the text that -r replaces is not there");
        }
        eulercl_problem_destroy(t.problem);
    }
    printf("ran %lld tuples, %lld failed\n", (long long)ran, (long long)failed);
    return failed ? 1 : 0;
}
