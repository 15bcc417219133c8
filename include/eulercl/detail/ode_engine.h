/* SPDX-License-Identifier: BSD-2-Clause */
/* ode_engine.h - how the settings and equations of a problem become its struct ode_problem.
 * README.md explains the files that are read here. */
#ifdef __cplusplus
#error "a problem is a C file: compile it with a C compiler"
#endif
#if defined(__FAST_MATH__)
#error "-ffast-math and -Ofast change the bits: compile a problem without them"
#endif
#include <float.h>
#if FLT_EVAL_METHOD != 0
#error "excess precision changes the bits (on i386, compile with -msse2 -mfpmath=sse)"
#endif
#ifdef __clang__
#pragma STDC FP_CONTRACT OFF
#endif

#ifndef ODE_TITLE
#error "define ODE_TITLE before including eulercl/ode_problem.h"
#endif
/* A macro with arguments counts as 0 here. */
#if defined(ODE_FIELDS) && ODE_FIELDS + 0
#error "ODE_FIELDS gives names: #define ODE_FIELDS(FIELD) FIELD(depth) FIELD(roughness)"
#endif
#ifndef ODE_ACCESS_ALL
#define ODE_ACCESS_ALL 0
#elif ODE_ACCESS_ALL + 0 != 1
#error "ODE_ACCESS_ALL is 1, or not defined"
#endif
#if ODE_ACCESS_ALL
#ifdef ODE_ACCESS_DISTANCE
#error "ODE_ACCESS_ALL says that all components are read: leave out ODE_ACCESS_DISTANCE"
#endif
#ifdef ODE_GRID
#if ODE_GRID > 1
#error "ODE_ACCESS_ALL is for grids of one dimension and for the general form"
#endif
#if defined(ODE_RADIUS) || defined(ODE_BOUNDARY) || defined(ODE_SIDES) || defined(ODE_PERIODIC_X)
#error "with ODE_ACCESS_ALL there are no neighbours: no ODE_RADIUS, ODE_BOUNDARY or rules of sides"
#endif
#define ODE_BOUNDARY ODE_FIXED /* it has no ghosts */
#endif
#endif
#ifdef ODE_GRID
#if ODE_GRID < 1 || ODE_GRID > ODE_MOST_AXES
#error "ODE_GRID, the dimensions of the grid, is 1, 2 or 3"
#endif
#if !defined(ODE_COMPONENTS) || !defined(ODE_NX)
#error "the stencil form needs ODE_COMPONENTS and ODE_NX"
#endif
#if ODE_GRID > 1 && !defined(ODE_NY)
#error "a grid of two or three dimensions needs ODE_NY"
#endif
#if ODE_GRID > 2 && !defined(ODE_NZ)
#error "a grid of three dimensions needs ODE_NZ"
#endif
#if defined(ODE_NZ) && ODE_GRID < 3
#error "ODE_NZ is for grids of three dimensions"
#endif
#if defined(ODE_CENTRED) && ODE_CENTRED != ODE_NODES && ODE_CENTRED != ODE_CELLS
#error "ODE_CENTRED is ODE_NODES or ODE_CELLS"
#endif
#ifdef ODE_SIDES
#if ODE_SIDES + 0
#error "ODE_SIDES gives rules: #define ODE_SIDES(SIDE) SIDE(X_LOW, ODE_VALUE(1))"
#endif
#define ODE_HAS_SIDE_(side) ODE_TIMES_GIVEN_(side)
#define ODE_HAS_TWO_(side) (ODE_TIMES_GIVEN_(side) > 1)
#if ODE_TIMES_GIVEN_(0)
#error "ODE_SIDES has a name that is no side: X_LOW, X_HIGH, Y_LOW, Y_HIGH, Z_LOW, Z_HIGH"
#endif
#if ODE_HAS_TWO_(1) || ODE_HAS_TWO_(2) || ODE_HAS_TWO_(3) || ODE_HAS_TWO_(4) || ODE_HAS_TWO_(5) || \
    ODE_HAS_TWO_(6)
#error "ODE_SIDES gives two rules to one side"
#endif
#if ODE_SIDES_GIVEN_ >> 4 * ODE_SIDE_(ODE_GRID, 0)
#error "ODE_SIDES has a side of an axis that the grid does not have: ODE_GRID"
#endif
#else
#define ODE_HAS_SIDE_(side) 0
#endif
#if (ODE_CLOSED_Y_ && ODE_GRID < 2) || (ODE_CLOSED_Z_ && ODE_GRID < 3)
#error "ODE_PERIODIC_Y or ODE_PERIODIC_Z is of an axis that the grid does not have: ODE_GRID"
#endif
#if (ODE_CLOSED_X_ && (ODE_HAS_SIDE_(1) || ODE_HAS_SIDE_(2))) || \
    (ODE_CLOSED_Y_ && (ODE_HAS_SIDE_(3) || ODE_HAS_SIDE_(4))) || \
    (ODE_CLOSED_Z_ && (ODE_HAS_SIDE_(5) || ODE_HAS_SIDE_(6)))
#error "an axis is periodic as a whole: ODE_PERIODIC_X, or rules for the sides X_LOW and X_HIGH"
#endif
#ifdef ODE_BOUNDARY
#if ODE_IS_PERIODIC_(ODE_BOUNDARY) &&                                                \
    (ODE_HAS_SIDE_(1) != ODE_HAS_SIDE_(2) || ODE_HAS_SIDE_(3) != ODE_HAS_SIDE_(4) || \
        ODE_HAS_SIDE_(5) != ODE_HAS_SIDE_(6))
#error "an axis is periodic as a whole: with ODE_PERIODIC give both of its sides a rule, or neither"
#endif
#elif !((ODE_CLOSED_X_ || (ODE_HAS_SIDE_(1) && ODE_HAS_SIDE_(2))) &&                 \
        (ODE_GRID < 2 || ODE_CLOSED_Y_ || (ODE_HAS_SIDE_(3) && ODE_HAS_SIDE_(4))) && \
        (ODE_GRID < 3 || ODE_CLOSED_Z_ || (ODE_HAS_SIDE_(5) && ODE_HAS_SIDE_(6))))
#error "define ODE_BOUNDARY: not every side has a rule of its own (ODE_SIDES, ODE_PERIODIC_X)"
#endif
#if defined(ODE_HAS_EVAL_COMP4) && ODE_HAS_EVAL_COMP4
#error "ODE_EVAL_COMP4 belongs to the general form: the stencil form derives it"
#endif
#elif !defined(ODE_SIZE) || !(defined(ODE_ACCESS_DISTANCE) || ODE_ACCESS_ALL)
#error \
    "define ODE_GRID for the stencil form, or ODE_SIZE and ODE_ACCESS_DISTANCE for the general form"
#endif
#if !defined(ODE_GRID) &&                                                     \
    (defined(ODE_SIDES) || defined(ODE_CENTRED) || defined(ODE_PERIODIC_X) || \
        defined(ODE_PERIODIC_Y) || defined(ODE_PERIODIC_Z))
#error "ODE_SIDES, ODE_CENTRED and ODE_PERIODIC_X belong to the stencil form"
#endif
#if (defined(ODE_FIELDS) || defined(ODE_STILL) || defined(ODE_OBSTACLE)) && !defined(ODE_GRID)
#error "ODE_FIELDS, ODE_STILL and ODE_OBSTACLE belong to the stencil form"
#endif
#if defined(ODE_POINT_SOLVE_) && (!defined(ODE_GRID) || defined(ODE_POSITION))
#error "ODE_POINT_SOLVE_ belongs to the stencil form, without ODE_POSITION"
#endif
typedef ode_index ode_offset;
#include "ode_boundary.h"
#include "ode_words.h"
#include "ode_coefficients.h"
#include "ode_update.h"
#include "ode_isas.h"
#include "ode_equations.h"

enum { ODE_STEP_, ODE_DERIVATIVES_ }; /* what a pass of ode_cpu.h over a range computes */
ODE_DEFINE_STAGE_(lanes_f32, float, ode_fma_f32)
ODE_DEFINE_STAGE_(lanes_f64, double, ode_fma_f64)

/* ---- the code for the CPU backends, in both precisions ---- */

/* ODE_PRECISION_ONLY: the size of the reals that have kernels; of the others single components
 * alone can be computed. */
#ifdef ODE_PRECISION_ONLY
#define ODE_HAS_KERNELS_(size) ((size) == ODE_PRECISION_ONLY)
#else
#define ODE_HAS_KERNELS_(size) 1
#endif
/* ODE_BASELINE: baseline code, which is ready soon: without the code for SIMD lanes, which takes
 * the compiler most of its time. Lanes hold parts of the state alone. */
#if defined(ODE_BASELINE) || ODE_ACCESS_ALL
#define ODE_HAS_LANES_ 0
#else
#define ODE_HAS_LANES_ 1
#endif
#define ODE_VALUE_ float
#define ODE_VALUE_SIZE_ 4
#define ODE_P_(x) x##_f32
ODE_STRICT_f32_
#include "ode_cpu.h"
ODE_STRICT_END_
#define ODE_VALUE_ double
#define ODE_VALUE_SIZE_ 8
#define ODE_P_(x) x##_f64
ODE_STRICT_f64_
#include "ode_cpu.h"
ODE_STRICT_END_

/* The number of the fastest code that this processor runs, in the tables of ode_cpu.h. */
static uint32_t ode_last_kernels(void) {
#ifdef ODE_KERNELS_ONLY
    return 0;
#else
    return ode_best_kernels();
#endif
}
static const struct ode_kernels *ode_each_kernels(size_t real_size, uint32_t index) {
    if (index > ode_last_kernels()) return NULL;
#if ODE_HAS_KERNELS_(4)
    if (real_size == sizeof(float)) return &ode_kernels_f32[index];
#endif
#if ODE_HAS_KERNELS_(8)
    if (real_size == sizeof(double)) return &ode_kernels_f64[index];
#endif
    return NULL;
}
static const struct ode_kernels *ode_kernels(size_t real_size) {
    return ode_each_kernels(real_size, ode_last_kernels());
}

#include "ode_definition.h"
