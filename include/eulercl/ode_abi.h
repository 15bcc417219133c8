/* SPDX-License-Identifier: BSD-2-Clause */
/* ode_abi.h - the structs of the plug-in contract, which problems and the library share. A file
 * that includes ode_problem.h gets them filled in. */
#ifndef EULERCL_ODE_ABI_H
#define EULERCL_ODE_ABI_H

#include "detail/ode_boundary.h"
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The contract's number. It changes when the fields of struct ode_problem do, but for new ones at
 * its end. */
#define ODE_PROBLEM_ABI 8

/* Number of a component or a grid point, from 0; a signed count of them. */
typedef int64_t ode_index;

/* One parameter. */
struct ode_parameter {
    const char *name; /* a C identifier */
    double value;     /* the default */
    double min;       /* the least value, itself allowed */
    double max;       /* the greatest value, itself allowed */
    int integer;      /* 1: only whole numbers */
    const char *unit; /* "" for none */
    const char *doc;  /* its description in one line, or "" */
};

/* A regular grid. Point (ix, iy, iz) has the number (iz ny + iy) nx + ix. The general form has no
   grid: it is stored as n points of one component along x, and has rank 0. */
struct ode_grid {
    ode_index extents[ODE_MOST_AXES]; /* points along x, y, z: nx, ny, nz; 1 beyond the rank */
    /* the place of the first point in the global grid; points are counted round from its end to its
     * beginning */
    ode_index origin[ODE_MOST_AXES];
    ode_index global[ODE_MOST_AXES]; /* extents of the global grid; a window has fewer points along
                                        the last axis, any other grid has the same extents */
    uint32_t rank;                   /* axes: 1, 2; 0: general form */
    uint32_t components;             /* per point; 1 in the general form */
    uint32_t radius; /* largest |dx|, |dy|, |dz| that a point reads; 0 in the general form */
    /* The rule of each axis's lower and upper end, of ode_boundary.h; ODE_PERIODIC at both or at
     * neither, ODE_FIXED in the general form and beyond the rank. */
    uint32_t boundary[ODE_MOST_AXES][2];
};

/* Sizes are doubles, so that no value of a parameter overflows; the library checks that they are
 * whole and in range. Before the call all extents are 1. */
struct ode_shape {
    double extents[ODE_MOST_AXES]; /* as in struct ode_grid */
    double access_distance; /* k: component j reads components j - k .. j + k, 0 <= k; INFINITY:
                               all, and no part of the state can be advanced without the rest */
};

/* The context that the functions below read besides the state. */
struct ode_context {
    ode_index n;           /* components */
    struct ode_grid grid;  /* its shape; without a grid one point per component */
    const void *constants; /* parameters, then derived constants: float or double, as the function's
                              state */
    const void *fields;    /* coefficients of the points: field_count planes of values, likewise,
                              and a plane of marks (detail/ode_coefficients.h); NULL for none */
    /* General form: the components low .. high-1 have derivatives; in a window those that read
     * beyond a cut have none, and keep their values. */
    ode_index low;  /* the first one */
    ode_index high; /* the one after the last */
};

/* All that a stage gets of the time. Kernels round the numbers to their precision. */
struct ode_instant {
    double t; /* the time at which it evaluates the right-hand side */
    /* Boundary values that depend on the time. Bit s: of side s (ode_boundary.h) the stage sees
     * g(times[0]) and weights[k - 1] times g(times[k]) - g(times[0]), added up; of the others it
     * sees g(t) */
    uint32_t weighted_sides;
    double times[ODE_STEP_POINTS];
    double weights[ODE_STEP_POINTS - 1];
};
/* The instant of a time that belongs to no step. */
static inline struct ode_instant ode_instant_at(double t) {
    const struct ode_instant instant = {t, 0, {0}, {0}};
    return instant;
}

#define ODE_MOST_LANES 16     /* lanes of a vector, at most */
#define ODE_MOST_LEVELS 8     /* levels of time in one sweep, at most */
#define ODE_STEP_ROWS 2       /* rows that step_rows computes at once, at most */
#define ODE_MOST_STAGES 32    /* levels of a method that follow each other along a row, at most */
#define ODE_UPDATE_BLOCK 1024 /* reals whose update the library computes at once, at most */

/* A row of a grid, or a part of one, dealt to the lanes of vectors: each lane has `points`
   neighbouring points, and the first of lane 0 and the last of the last lane are the row's ends.
   Neighbouring lanes may both have a point. In memory position j of all lanes lies together:
   component c of lane l's point j is u[(j * components + c) * lanes + l]. */
struct ode_lanes {
    ode_index points;                /* points of each lane */
    ode_index first[ODE_MOST_LANES]; /* grid column of each lane's first point, 0 .. nx-1 */
    /* A real per lane with all bits set, or none: set for a lane whose first point is also the last
     * of the lane before. */
    unsigned char shares_first[64] __attribute__((aligned(64)));
    /* Marks a lane whose last point is the first of the next lane. */
    unsigned char shares_last[64] __attribute__((aligned(64)));
    /* For problems with fields or marks: where their rows stand in this layout, in the order in
     * which step_rows lists rows; in one dimension there is one. A row is position 0 of its first
     * field, and it is coefficient_stride reals to the next field, and from the last one to the
     * marks, integers as long as a real. It has `radius` positions more at both ends than those
     * that are computed. */
    const void *const *coefficients;
    ode_index coefficient_stride;
};

/* Some levels of a method, one after the other, for SIMD lanes. */
struct ode_levels {
    int arrays;         /* arrays of a point: U and the carried values */
    const void *stages; /* structs ode_stage_NAME of ode_update.h in this precision */
    size_t stride;      /* bytes from one of these structs to the next */
    /* The update of `count` <= ODE_UPDATE_BLOCK reals of whole positions by stage number `level`:
     * x[0] is their U, x[1 .. arrays-1] their carried values, which are replaced in place, f their
     * derivatives; the new U goes to next, which may be x[0]. */
    void (*update)(const struct ode_levels *levels, int level, void *next, void *const *x,
        const void *f, ode_index count);
};

/* Fast CPU code for one precision and instruction set. The pointers are to float or double; times
 * and h are rounded to it. */
struct ode_kernels {
    const char *isa; /* "x86-64", "avx2", "avx512", ... */
    /* out[i] = one step of the explicit Euler method (ode_update.h) for begin <= i < end, which are
     * whole points; out and in do not overlap */
    void (*step_range)(const struct ode_context *context, void *out, const void *in,
        ode_index begin, ode_index end, const struct ode_instant *t, double h);
    /* dot[i] = f_i(t, y) for begin <= i < end; dot and y do not overlap */
    void (*eval_range)(const struct ode_context *context, void *dot, const void *y, ode_index begin,
        ode_index end, const struct ode_instant *t);
    /* dot[0..3] = f of components 4 i4 .. 4 i4 + 3, all below n */
    void (*eval_comp4)(const struct ode_context *context, ode_index i4, const struct ode_instant *t,
        const void *y, void *dot);
    /* 1: compiled with contraction, which breaks the bit contract */
    int (*contracts)(void);
    /* SIMD, for the stencil form; 0 and NULL: none. A row's ends are treated as the grid's, with
     * the boundary rule. */
    int lanes;  /* lanes of vectors: 1 .. ODE_MOST_LANES */
    int levels; /* levels of time in one sweep: 1 .. ODE_MOST_LEVELS */
    /* 1-D: `levels` steps of row u, in place; step s at time t[s]. Before it positions -halo .. -1
       and points .. points + halo - 1, halo = levels * radius, hold the next points of the
       neighbouring lanes (of lane 0 and the last one anything). points > 2 * radius. */
    void (*sweep)(const struct ode_context *context, const struct ode_lanes *lanes, void *u,
        const struct ode_instant *t, double h);
    /* 1-D: the same for one step. */
    void (*sweep_one)(const struct ode_context *context, const struct ode_lanes *lanes, void *u,
        const struct ode_instant *t, double h);
    /* Two axes or more: one step, at time t, of `rows` rows, neighbours along the second axis, into
       out[0 .. rows-1]. row: the place of the first one; row[0] is not read, and a periodic axis is
       counted round. `in` lists the rows that they read, neighbours along the second axis first:
       `radius` before them, they themselves and `radius` behind them, and of three axes such a list
       for each plane that is read. So the rules of these axes decide which row stands in the list.
       Each row has `radius` positions more at both ends: of `in` they are read, of `out` they are
       written too, as they are at time t_next. out[r] may be in[r - ODE_STEP_ROWS], which row r
       does not read any more, but no other one of `in`. */
    void (*step_rows)(const struct ode_context *context, const struct ode_lanes *lanes,
        void *const *out, const void *const *in, int rows, const ode_index *row,
        const struct ode_instant *t, const struct ode_instant *t_next, double h);
    /* write those positions of the row u whose first point is at place `row`, as above */
    void (*close_row)(const struct ode_context *context, const struct ode_lanes *lanes, void *u,
        const ode_index *row, const struct ode_instant *t);
    /* The functions for any method: a level is a stage. */
    int stages; /* levels that stage_line may be asked for: 1 .. ODE_MOST_STAGES */
    /* 1-D: `count` levels in place; level s evaluates f at time t[s]. x[0] is row U, and x[1 ..
       arrays-1] the carried values in the same layout. In all arrays positions -halo .. -1 and
       points .. points + halo - 1, halo = count * radius, hold the next points of the neighbouring
       lanes. points > halo. */
    void (*stage_line)(const struct ode_context *context, const struct ode_lanes *lanes,
        void *const *x, const struct ode_levels *levels, const struct ode_instant *t, int count);
    /* Two axes or more: one level of rows, as step_rows computes them, but one after the other:
       out[r] may be in[r - 1]. carried[r * (arrays - 1) + k] is array k + 1 of row r, in place. */
    void (*stage_rows)(const struct ode_context *context, const struct ode_lanes *lanes,
        void *const *out, const void *const *in, void *const *carried, int rows,
        const ode_index *row, const struct ode_instant *t, const struct ode_instant *t_next,
        const struct ode_levels *levels);
    /* Two axes or more: write the row of ghosts, its ends included, that stands d rows, or planes,
       beyond a side (ode_boundary.h) of another axis than x at time t, where the rule computes
       ghosts. in[k]: the row k rows, or planes, from the end, inwards, as far as the rule reads;
       place: of the row's first point. Along the side's own axis and x it is not read, and along y
       it may lie beyond an end that is not periodic, because planes of ghosts are made of planes
       with theirs. A row of one value for each component (ODE_IS_UNIFORM_) that has the right
       values already, since it was `written` before, stays. */
    void (*ghost_row)(const struct ode_context *context, const struct ode_lanes *lanes, void *row,
        const void *const *in, int side, int d, const ode_index *place, const struct ode_instant *t,
        int written);
    /* Stages that couple the components of a point (ode_update.h): replaces the new values of whole
     * points. Those of lane l at position p are u[(p * components + c) * lanes + l], where c is the
     * component. hb is the stage's factor of F in U. NULL: no stage couples them */
    void (*solve_points)(
        const struct ode_context *context, void *u, ode_index points, int lanes, double hb);
};

/* One problem. The macros below fill it in; by hand the fields up to access in `shape`, and
   eval_comp_f32 or _f64, are enough for the CPU backends (one call per component; a precision
   without function is not supported). */
struct ode_problem {
    uint32_t abi;         /* ODE_PROBLEM_ABI */
    uint32_t struct_size; /* sizeof(struct ode_problem): later versions add fields at the end */
    const char *name;     /* a C identifier */
    const char *title;    /* its description in one line */
    const struct ode_parameter *parameters; /* parameter_count parameters, or NULL */
    uint32_t parameter_count;               /* how many */
    uint32_t constant_count;                /* parameters and derived constants */
    struct ode_grid grid;      /* extents, origin and global are 0: they depend on the parameters */
    const char *const *fields; /* names of the read-only coefficients per point; NULL for none */
    uint32_t field_count;      /* how many; 0 in the general form */
    void (*shape)(const double *parameters,
        struct ode_shape *shape); /* the size, for these values of the parameters */
    void (*derive)(const double *parameters,
        double *constants); /* fill all constant_count; NULL: the parameters alone */
    /* host functions in double: context->constants are doubles; values are per point, or per
     * component in the general form */
    void (*initial)(const struct ode_context *context, ode_index point, double *y); /* NULL: none */
    void (*exact)(
        const struct ode_context *context, ode_index point, double t, double *y); /* NULL: none */
    void (*field_values)(
        const struct ode_context *context, ode_index point, double *fields); /* NULL: the user of
                                                                                the problem sets
                                                                                all fields */
    /* the derivative of component i, in float; NULL: not in this precision */
    float (*eval_comp_f32)(const struct ode_context *context, ode_index i, float t, const float *y);
    /* eval_comp in double */
    double (*eval_comp_f64)(
        const struct ode_context *context, ode_index i, double t, const double *y);
    const struct ode_kernels *(*kernels)(
        size_t real_size);    /* the fastest for this processor; NULL: none */
    const char *(*rhs)(void); /* right-hand side and the words of the boundary after preprocessing,
                                 where inexact functions show; NULL: none */
    const char *text;         /* the problem's file, for OpenCL; NULL: CPU only */
    const char *text_end;     /* the first character after it */
    const char *file;         /* its name, for messages */
    /* all code for this processor: number index, the plainest first, NULL past the last; NULL:
     * `kernels` only */
    const struct ode_kernels *(*each_kernels)(size_t real_size, uint32_t index);
    /* 1: the component is a position, and its derivative reads only velocities; 0: it is a
     * velocity, and its derivative reads only positions. In the stencil form the component of a
     * point, in the general form of the system. NULL: the problem does not say */
    int (*is_position)(ode_index component);
    /* the magnitude below which a component of a point becomes 0 (ode_update.h), finite and >= 0;
     * general form: of all components, asked for as number 0. NULL: none does */
    double (*flush_below)(const double *parameters, ode_index component);
    /* 1: the equations see the places and the extents of the global grid (struct ode_grid), so that
     * several devices can solve parts of it; 0: they do not */
    int windows;
    uint32_t breakpoint_count; /* times at which the right-hand side may jump; 0: none */
    /* fill times[0 .. breakpoint_count-1], in any order; NULL without breakpoints */
    void (*breakpoints)(const double *parameters, double *times);
    /* the absolute tolerance of a component of a point, finite and >= 0; 0: the library chooses it;
     * general form: of all components, asked for as number 0. NULL: it chooses all of them */
    double (*atol)(const double *parameters, ode_index component);
    /* whether a point is an obstacle (ODE_MARK_OBSTACLE_ | ODE_MARK_STILL_ of ode_boundary.h),
     * keeps its values (ODE_MARK_STILL_) or neither (0); fields are its fields. NULL: all points
     * move */
    unsigned (*find_marks)(
        const struct ode_context *context, ode_index point, const double *fields);
};

/* The number of the fastest code of a problem that this processor runs, from the plainest, 0. A
   file compiled with -DODE_KERNELS_ONLY=NUMBER has only this code, for this kind of processor, and
   compiles in less than half the time. */
static inline uint32_t ode_best_kernels(void) {
    uint32_t best = 0;
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (__builtin_cpu_supports("fma") && __builtin_cpu_supports("avx2")) best = 1;
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl") && best == 1)
        best = 2;
#endif
    return best;
}

#ifdef __cplusplus
}
#endif

#endif
