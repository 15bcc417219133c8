/* talkative.c - comments that look like code: the library finds ODE_POINT_RHS( and its end in this
   text, for OpenCL. #include <eulercl/ode_problem.h> and ODE_INITIAL( in a comment do not count,
   nor does the one smiling bracket :-) in here. */
#define ODE_NAME talkative
#define ODE_TITLE "test: brackets, quotes and 'words' in comments; a title with ) and \" inside"
#define ODE_GRID 1
#define ODE_COMPONENTS 1
#define ODE_BOUNDARY ODE_CLAMP
#define ODE_NX points        // the author's comment: don't stop at ' or (
#define ODE_PARAMETERS(REAL, INTEGER)        \
    INTEGER(points, 21, 1, 1e6, "", "as (many \
as) you like :-)")                           \
    REAL(kappa, 0.7, 0, 100, "1/s", "don't")
  #  include <eulercl/ode_problem.h>

/* ODE_POINT_RHS( DOT(0) = 0; ) */
#define TWICE(x) ((x) + (x)) // ODE_POINT_RHS(
ODE_POINT_RHS
(
    // it isn't over here: )
    const ode_real u = AT(0, 0); /* nor ) here: ")" */
    if (u > (1)) { DOT(0) = kappa * LAPLACE(0); }
    else DOT(0) = TWICE(kappa) * (LAPLACE(0) - ((u)));
) // end of ODE_POINT_RHS()

ODE_INITIAL(
    /* :-) */
    Y0(0) = (double)(ix % ')') / 20;
)
