/* SPDX-License-Identifier: BSD-2-Clause */
/* ode_problem.h - the plug-in contract: how an ODE system is described to libeulercl.
 *
 * A problem is one C file. The C compiler compiles its text for the CPU backends. The binary also
 * carries the text itself, which the OpenCL compiler compiles for the other backends. The file
 * first says what it describes, then includes this header, then gives the equations:
 *
 *     #define ODE_NAME       heat                            // a C identifier
 *     #define ODE_TITLE      "heat conduction in a rod, ends at 0"
 *     #define ODE_GRID       1                               // dimensions: 1, 2 or 3
 *     #define ODE_COMPONENTS 1                               // per grid point
 *     #define ODE_BOUNDARY   ODE_FIXED
 *     #define ODE_NX         points
 *     #define ODE_PARAMETERS(REAL, INTEGER)                                     \
 *         INTEGER(points, 1000, 1, 1e12, "", "grid points")                     \
 *         REAL   (kappa,  1e-3, 0, 1e3, "m^2/s", "thermal diffusivity")
 *     #define ODE_DERIVED(CONSTANT)                                             \
 *         CONSTANT(c, kappa * (points + 1) * (points + 1))
 *     #include <eulercl/ode_problem.h>
 *
 *     ODE_POINT_RHS( DOT(0) = c * LAPLACE(0); )
 *     ODE_INITIAL( Y0(0) = sin(3.14159265358979323846 * (double)(ix + 1) / (double)(nx + 1)); )
 *
 * There are three ways to use it:
 *   linked      cc -O3 -ffp-contract=off -c heat.c; the program calls
 *               eulercl_problem_create(&ode_problem_heat, ...)
 *               after `extern const struct ode_problem ode_problem_heat;`
 *   plug-in     cc -O3 -ffp-contract=off -shared -fPIC heat.c -o heat.so;
 *               eulercl_problem_open("./heat.so", ...)
 *   file        eulercl solve heat.c, or eulercl_problem_open("./heat.c", ...)
 * A file describes one problem. `pkg-config --cflags eulercl` prints the compiler's options; -O3
 * makes the CPU code fast.
 *
 * Settings, before the #include ([...]: optional, with its default)
 *   ODE_NAME, ODE_TITLE             as above
 *   ODE_PARAMETERS(REAL, INTEGER)   [none] NAME, default, minimum, maximum, "unit", "doc". All that
 *                                   follows sees the names. These names are taken: t, i, i4, n, nx,
 *                                   ny, nz, ix, iy, iz, the words and functions below, and words
 *                                   and macros of C or OpenCL C (global, half, true, NULL...). A
 *                                   taken name is reported. eulercl_problem_set_size changes the
 *                                   first INTEGER: n must grow with it.
 *   ODE_DERIVED(CONSTANT)           [none] NAME, expression: computed once on the host, in double,
 *                                   from the parameters and earlier constants
 *   ODE_ACCESS_DISTANCE             k as an expression of the parameters; [stencil form: what the
 *                                   radius allows] required in the general form
 *   ODE_ACCESS_ALL [none]           1, in place of it: each component reads all of the state, such
 *                                   as bodies that attract each other, or y' = A y. In the stencil
 *                                   form it is for one dimension, and there are no neighbours: no
 *                                   ODE_RADIUS and no rules of sides, but ODE_EACH. seq, cpu,
 *                                   pthreads and cl-linear run it, on one device
 *  stencil form (a regular grid):
 *   ODE_GRID                        1, 2 or 3, the dimensions of the grid
 *   ODE_COMPONENTS                  numbers per grid point
 *   ODE_NX, ODE_NY, ODE_NZ          points per axis, for each axis that there is, as expressions
 *                                   of the parameters. In memory the components of a point are
 *                                   neighbours, then points along x, then along y, then along z
 *   ODE_RADIUS [1]                  largest |dx|, |dy|, |dz| that AT is called with
 *   ODE_BOUNDARY                    the values beyond the ends of an axis of N points, where no
 *                                   side has a rule of its own:
 *                                   ODE_FIXED     ODE_OUTSIDE(c) [0], an expression of parameters,
 *                                                 t and c
 *                                   ODE_CLAMP     those of the nearest point
 *                                   ODE_MIRROR    those of point i for -i and of N-1-i for N-1+i
 *                                                 (N > radius)
 *                                   ODE_PERIODIC  those from the other end
 *                                   ODE_ROBIN     those with a u + b du/dn = g at the last
 *                                                 point, to second order: d points beyond
 *                                                 it u(d) + 2 d h (g - a u(0)) / b, where
 *                                                 u(k) is k points inwards (N > radius); n
 *                                                 points outwards
 *   ODE_ROBIN_A(c) [0], ODE_ROBIN_B(c) [1], ODE_ROBIN_G(c) [0]   ODE_ROBIN: a, b, g, expressions
 *                                   of parameters, t and c
 *   ODE_SPACING [1]                 ODE_ROBIN, ODE_GRADIENT: h, the distance of neighbouring
 *                                   points: one number, or one for each axis: dx, dy, dz
 *   ODE_SIDES(SIDE) [none]          SIDE(X_LOW, rule) for each side with a rule of its own: X_LOW,
 *                                   X_HIGH, Y_LOW, Y_HIGH, Z_LOW, Z_HIGH. If all have one,
 *                                   ODE_BOUNDARY is not needed. Rules, with n outwards:
 *                                   ODE_VALUE(g)        u = g at the wall
 *                                   ODE_GRADIENT(q)     du/dn = q there
 *                                   ODE_ROBIN(a, b, g)  a u + b du/dn = g there
 *                                   ODE_MIRROR_SIDE     the grid mirrored at the wall: du/dn = 0
 *                                   ODE_CLAMP_SIDE      the value of the last point
 *                                   ODE_GHOST(e)        e, an expression of IN(k), 0 <= k <=
 *                                                       radius: the value k points inwards from
 *                                                       the end (N > radius)
 *                                   ODE_GHOST_OF(g, e)  the same, where e contains ODE_G: what a
 *                                                       stage sees of g, as of the rules above
 *                                   Expressions see c, the component, t, the parameters, the place
 *                                   along the side, SIDE_FIELD(name), the field at the last point
 *                                   there, and, if the radius is above 1, d: the ghost is
 *                                   d points beyond the end. Such as
 *                                   ODE_VALUE(c == 0 ? A * sin(w * t) : 0). Named rules are of
 *                                   second order for each d. They need N > radius in nodes, and N
 *                                   >= radius in cells. The names c, IN and d are taken then
 *                                   What a stage of a method sees of g, q, ODE_OUTSIDE and
 *                                   ODE_ROBIN_G is made of their values at five times of the step,
 *                                   so that the method keeps its order. a, b and e are those at
 *                                   the stage's time
 *   ODE_CENTRED [ODE_NODES]         where the walls of ODE_SIDES are. ODE_NODES: at the last
 *                                   points, of ODE_VALUE at the first ghost, which is not stored.
 *                                   ODE_CELLS: half a spacing beyond the last points; ODE_MIRROR
 *                                   mirrors there, too
 *   ODE_PERIODIC_X, ODE_PERIODIC_Y, ODE_PERIODIC_Z [0]   1: the axis is periodic, whatever the
 *                                   rule of others
 *   ODE_FIELDS(FIELD) [none]        FIELD(name) for each read-only coefficient per point, such as
 *                                   FIELD(depth) FIELD(roughness). eulercl_problem_set_field sets
 *                                   one by its name. All values are finite
 *   ODE_STILL [none]                a condition of FIELD(name), the place, parameters and derived
 *                                   constants, such as FIELD(fixed) > 0: where it holds, a point
 *                                   keeps its values, but for tiny ones (ODE_FLUSH_BELOW). It is
 *                                   evaluated on the host, in double, when a solver is made
 *   ODE_OBSTACLE [none]             such a condition: the point is an obstacle. It keeps its
 *                                   values, and its faces are closed (FLOW)
 *  general form:
 *   ODE_SIZE                        n as an expression of the parameters
 *   ODE_HAS_EVAL_COMP4 [0]          1: the author also gives ODE_EVAL_COMP4
 *  both:
 *   ODE_HAS_EXACT [0]               1: the author also gives ODE_EXACT
 *   ODE_POSITION(c) [none]          mechanical systems: 1 if component c of a point (general form:
 *                                   of the system) is a position, 0 if it is a velocity, such as
 *                                   ((c) == 0). The derivatives of positions read only velocities,
 *                                   and those of velocities only positions, of any points of the
 *                                   stencil. eulercl check verifies it. Symplectic methods need it.
 *   ODE_FLUSH_BELOW(c) [0]          an expression of the parameters and of c, finite and >= 0: a
 *                                   component c of a point (general form: any component, c is 0)
 *                                   whose magnitude is below it becomes 0, at fixed steps and with
 *                                   the same bits on every backend; 0: never. It is for solutions
 *                                   that spread into zeros, such as 1e-12: without it values become
 *                                   subnormal numbers, with which processors compute up to
 *                                   a hundred times more slowly. options.flush_below overrides it
 *   ODE_BREAKPOINTS(TIME) [none]    TIME(expression) for each time at which the derivatives or a
 *                                   boundary value may jump, such as TIME(on) TIME(on + width): an
 *                                   expression of parameters and derived constants. Steps end
 *                                   there, and the derivatives are evaluated before and after these
 *                                   times, but not at them. options.breakpoints adds more
 *   ODE_ATOL(c) [0]                 steps to a tolerance: an expression of the parameters and of c,
 *                                   finite and >= 0: the absolute tolerance of component c of a
 *                                   point (general form: of any component, c is 0), such as
 *                                   ((c) == 1 ? 1e-12 : 0). It is a magnitude that need not be
 *                                   known better. 0: the library chooses it. options.atol and
 *                                   options.atols override it
 *
 * Equations, after the #include. They are in round brackets because each word is a macro; no
 * preprocessor lines are allowed inside.
 *   ODE_POINT_RHS( ... )      stencil form: set DOT(c), the derivative of each component c of the
 *                             point (ix, iy, iz)
 *   ODE_EVAL_COMP( ... )      general form: return the derivative of component i from Y(j),
 *                             |j - i| <= k, or with ODE_ACCESS_ALL any j, 0 <= j < n
 *   ODE_EVAL_COMP4( ... )     general form, optional: return an ode_real4, the derivatives of
 *                             4 i4 .. 4 i4 + 3, from Y(j) and Y4(j4) = components 4 j4 .. 4 j4 + 3;
 *                             called only where 4 i4 + 3 < n; the same bits as ODE_EVAL_COMP
 *   ODE_INITIAL( ... )        host, double: set Y0(c) of point (ix, iy, iz), or Y0(0) of component
 *                             i in the general form
 *   ODE_EXACT( ... )          host, double, if ODE_HAS_EXACT: the same for the exact solution at
 *                             time t
 *   ODE_FIELD_VALUES( ... )   host, double, optional: set FIELD(name) of point (ix, iy, iz),
 *                             which fields have that the user does not set. Without it the user
 *                             must set all of them
 * They see the parameters and derived constants by name, t, nx, ny, nz (n and i in the general
 * form; along axes that are not there the place is 0 of 1), which are those of the whole grid also
 * where several devices share it, and
 *   AT(dx, c), AT(dx, dy, c), AT(dx, dy, dz, c)   component c of the point dx columns, dy rows and
 *                             dz planes away; the offsets are constant
 *   AT_POINT(p, c)            with ODE_ACCESS_ALL: component c of point number p, 0 <= p < nx
 *   ODE_EACH(j) { ... }       with ODE_ACCESS_ALL: a loop over all points, j = 0 .. nx - 1 (in the
 *                             general form components, j = 0 .. n - 1), in which OTHER(c) is
 *                             component c of point j (OTHER(0) is Y(j)). Devices load these values
 *                             ahead, which a loop written with AT_POINT or Y does not
 *   LAPLACE(c)                sum of the 2 (4, 6) neighbours minus 2 (4, 6) times the point
 *   FIELD(name)               the field of this name at this point
 *   FIELD_AT(dx, name), FIELD_AT(dx, dy, name), FIELD_AT(dx, dy, dz, name)   the field at a
 *                             neighbour; beyond the ends of an axis it is that of the nearest
 *                             point, or of the other end if the axis is periodic
 *   FLOW(c)                   LAPLACE(c) with closed faces: the sum of the differences to those
 *                             neighbours whose faces are open. A face is closed if an obstacle is
 *                             on either side of it; at the ends of the grid the rules of the sides
 *                             hold
 *   OPEN(dx), OPEN(dx, dy), OPEN(dx, dy, dz)   1 if the face towards the neighbour at this
 *                             distance, 1 or -1 along one axis, is open, else 0
 *   DIV_GRAD(MEAN, D, c)      div(D grad u), u being component c, in units of the spacing: the
 *                             difference of the fluxes through the faces; closed faces have none.
 *                             MEAN is ARITHMETIC_MEAN or HARMONIC_MEAN, of D on both sides of a
 *                             face. D is a macro of the author's that gives D at a neighbour:
 *                             #define D(dx, dy) FIELD_AT(dx, dy, conductivity), or
 *                             #define D(dx, dy) (1 + AT(dx, dy, 0)), with an offset for each axis.
 *                             Harmonic means are for D that jumps, and is not negative
 *   DIV_X(MEAN, D, c), DIV_Y(MEAN, D, c), DIV_Z(MEAN, D, c)   the parts of it along an axis, for
 *                             another D each, or other spacings
 *   DIV_XY(MEAN, D, c)        d/dx (D du/dy) + d/dy (D du/dx), a part of a full tensor, which reads
 *                             the neighbours across corners; likewise DIV_XZ and DIV_YZ
 *   ode_real                  the type of the run's values: float or double
 *   ode_real4                 four of them: + - * / work on both; ODE_MAKE4(a, b, c, d) makes one,
 *                             ELEMENT(v, k) with a literal k reads one, fma4 is its fma
 *   ode_index                 the type of indices and sizes, of 64 bits
 *   REAL(0.1)                 a literal of the run's type (whole numbers need none: 2 * AT(0, 0) is
 *                             right)
 *   fma sqrt fabs floor exp exp2 expm1 log log2 log1p sin cos tan tanh sinh cosh asin acos atan
 *   atan2 pow cbrt hypot erf fmin fmax
 *                             the same bits on every backend, like + - * / and comparisons. The
 *                             library has its own, with errors of at most about one unit in the
 *                             last place (doc/design/functions.md) and the special values of C11,
 *                             annex F. With a call of another function a problem is reported as
 *                             "bits not guaranteed". A call that depends on t alone, such as
 *                             sin(omega * t + phase), costs nothing per point: on a device the host
 *                             computes it once for each time
 *
 * Two compilers read the text:
 * - The host alone reads lines #include <...>; OpenCL cannot follow #include "...".
 * - Helpers are macros, not functions. Constants are #defines, enums or parameters, not variables
 *   at file level.
 * - The equations use no pointers to the state, and no types but ode_real, ode_real4, ode_index and
 *   int.
 * - Constant offsets and components of AT and DOT beyond what was declared do not compile, and
 *   neither do fields that were not declared. A derivative or an initial value that is not set is
 *   NaN; without a value of a field no solver is made.
 * - Equations that mix float and double do not compile (0.1 * AT(0, 0), or a variable of type
 *   float), nor do those that turn a value into a whole number without (int).
 * - 1/2 is 0, as always in C: write REAL(0.5).
 * - The place along an X side is (iy, iz), along a Y side (ix, iz), along a Z side (ix, iy); along
 *   the side's own axis it is that of the last point. The sides of x come first, those of y are
 *   made of rows with their ghosts, and those of z of planes with theirs: so in a corner ix of a Y
 *   or Z side, and iy of a Z side, lies beyond the grid, but for a periodic axis.
 * - Contraction is off on host and device: write fma(a, b, c) where a * b + c should be one
 *   instruction. */
#ifndef EULERCL_ODE_PROBLEM_H
#define EULERCL_ODE_PROBLEM_H

#include "ode_abi.h"

#ifdef ODE_NAME
#include "detail/ode_engine.h"
#elif defined(ODE_TITLE) || defined(ODE_PARAMETERS) || defined(ODE_GRID) || defined(ODE_SIZE)
#error "define ODE_NAME, a C identifier, before including eulercl/ode_problem.h"
#endif

#endif
