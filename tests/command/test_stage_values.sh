#!/bin/sh
# Boundary values that depend on the time keep the order of every method: heat in a rod whose ends move, with no error in space. Each error is compared with that of the same
# rod whose ends are equations of the method, y' = g'(t). Then a plate whose four sides have values, a gradient and a Robin rule that depend on the place and the time.
#
# SPDX-License-Identifier: BSD-2-Clause
. "$(dirname "$0")/../cli.sh"

# Solutions T(t) S(x) with polynomials S whose differences are exact. Where the ends are equations they are points of the grid.
rod() {
    name=$1 ends=$2 sides=$3 points=$4 x=$5 own=$6
    cat >$name.c <<C
#define ODE_NAME $name
#define ODE_TITLE "$ends"
#define ODE_GRID 1
#define ODE_COMPONENTS 1
#define ODE_HAS_EXACT 1
#define S(x) (1 + (x) / 2 + (x) * (x) * (x))
#define T(t) sin(w * (t) + 1)
#define $sides
#define ODE_NX $points
#define ODE_PARAMETERS(REAL, INTEGER) INTEGER(points, 200, 4, 1e6, "", "") REAL(w, 2, 0, 1e3, "", "")
#define ODE_DERIVED(CONSTANT) CONSTANT(h, 1.0 / (points + 1))
#include <eulercl/ode_problem.h>
ODE_POINT_RHS( const ode_real x = $x; DOT(0) = ($own ? LAPLACE(0) / (h * h) - 6 * x * T(t) : 0) + w * cos(w * t + 1) * S(x); )
ODE_INITIAL( const ode_real x = $x; Y0(0) = T(0) * S(x); )
ODE_EXACT( const ode_real x = $x; Y0(0) = T(t) * S(x); )
C
}
rod moved 'ends that move' 'ODE_SIDES(SIDE) SIDE(X_LOW, ODE_VALUE(T(t) * S(REAL(0)))) SIDE(X_HIGH, ODE_VALUE(T(t) * S(REAL(1))))' points '(ode_real)(ix + 1) * h' 1
rod equations 'ends that are equations' 'ODE_BOUNDARY ODE_FIXED' '(points + 2)' '(ode_real)ix * h' '(ix > 0 && ix < nx - 1)'
# Positions and velocities, which read each other's neighbours.
cat >wave.c <<'C'
#define ODE_NAME wave
#define ODE_TITLE "waves between ends that move"
#define ODE_GRID 1
#define ODE_COMPONENTS 2
#define ODE_POSITION(c) ((c) == 0)
#define ODE_HAS_EXACT 1
#define S(x) (1 + (x) / 2 + (x) * (x))
#define S_OF_X(x) (REAL(0.5) + 2 * (x))
#define T(c, t) ((c) == 0 ? sin(w * (t) + 1) : cos(w * (t) + 2))
#define ODE_SIDES(SIDE) SIDE(X_LOW, ODE_VALUE(T(c, t) * S(REAL(0)))) SIDE(X_HIGH, ODE_VALUE(T(c, t) * S(REAL(1))))
#define ODE_NX points
#define ODE_PARAMETERS(REAL, INTEGER) INTEGER(points, 39, 4, 1e6, "", "") REAL(w, 8, 0, 1e3, "", "")
#define ODE_DERIVED(CONSTANT) CONSTANT(h, 1.0 / (points + 1))
#include <eulercl/ode_problem.h>
ODE_POINT_RHS(
    const ode_real x = (ode_real)(ix + 1) * h;
    DOT(0) = (AT(1, 1) - AT(-1, 1)) / (2 * h) - T(1, t) * S_OF_X(x) + w * cos(w * t + 1) * S(x);
    DOT(1) = (AT(1, 0) - AT(-1, 0)) / (2 * h) - T(0, t) * S_OF_X(x) - w * sin(w * t + 2) * S(x);
)
ODE_INITIAL( const ode_real x = (ode_real)(ix + 1) * h; Y0(0) = T(0, 0) * S(x); Y0(1) = T(1, 0) * S(x); )
ODE_EXACT( const ode_real x = (ode_real)(ix + 1) * h; Y0(0) = T(0, t) * S(x); Y0(1) = T(1, t) * S(x); )
C
cat >plate.c <<'C'
#define ODE_NAME plate
#define ODE_TITLE "heat in a plate whose sides move"
#define ODE_GRID 2
#define ODE_COMPONENTS 1
#define ODE_HAS_EXACT 1
#define ODE_SPACING h
#define X(i) (((ode_real)(i) + 1) * h)
#define Y(i) ((ode_real)(i) * h)
#define A(x, y) (1 + (x) * (y) + (x) * (x))
#define A_OF_X(x, y) ((y) + 2 * (x))
#define A_OF_Y(x, y) (x)
#define B(x, y) ((y) * (y) - (x) / 2)
#define B_OF_X(x, y) REAL(-0.5)
#define B_OF_Y(x, y) (2 * (y))
#define U(P, Q, x, y) (sin(w * t + 1) * P(x, y) + cos(2 * w * t) * Q(x, y))
#define ODE_SIDES(SIDE)                                                                                          \
    SIDE(X_LOW, ODE_VALUE(U(A, B, REAL(0), Y(iy))))                                                              \
    SIDE(X_HIGH, ODE_GRADIENT(U(A_OF_X, B_OF_X, REAL(1), Y(iy))))                                                \
    SIDE(Y_LOW, ODE_ROBIN(2, 3, 2 * U(A, B, X(ix), REAL(0)) - 3 * U(A_OF_Y, B_OF_Y, X(ix), REAL(0))))            \
    SIDE(Y_HIGH, ODE_VALUE(U(A, B, X(ix), REAL(1))))
#define ODE_NX points
#define ODE_NY points
#define ODE_PARAMETERS(REAL, INTEGER) INTEGER(points, 8, 4, 1e6, "", "") REAL(w, 6, 0, 1e3, "", "")
#define ODE_DERIVED(CONSTANT) CONSTANT(h, 1.0 / points)
#include <eulercl/ode_problem.h>
ODE_POINT_RHS(
    const ode_real x = X(ix);
    const ode_real y = Y(iy);
    DOT(0) = LAPLACE(0) / (h * h) - 2 * (sin(w * t + 1) + cos(2 * w * t))
        + w * (cos(w * t + 1) * A(x, y) - 2 * sin(2 * w * t) * B(x, y));
)
ODE_INITIAL( const double t = 0; const double x = X(ix); const double y = Y(iy); Y0(0) = U(A, B, x, y); )
ODE_EXACT( const double x = X(ix); const double y = Y(iy); Y0(0) = U(A, B, x, y); )
C

# error_at FILE METHOD END STEPS ARGUMENTS...: the greatest error
error_at() {
    file=$1 method=$2 end=$3 steps=$4
    shift 4
    "$eulercl" compare $file --method "$method" --steps "$steps" --h "$(awk "BEGIN { printf \"%.17g\", $end / $steps }")" --precision double --backends seq --csv error.csv "$@" >out 2>err || cat err
    awk -F, '/^point,/ { for (i = 1; i <= NF; i++) if ($i == "error") column = i } column && !/^point,|^#/ { print $column }' error.csv
    rm -f error.csv
}
# is CONDITION: of awk
is() { awk "BEGIN { exit !($1) }"; }
# has_order FILE METHOD ORDER END STEPS ARGUMENTS...: with these steps and twice as many; leaves both errors
has_order() {
    order=$3
    what="$1, $2"
    file=$1 method=$2 end=$4 steps=$5
    shift 5
    coarse=$(error_at "$file" "$method" "$end" "$steps" "$@") fine=$(error_at "$file" "$method" "$end" $((2 * steps)) "$@")
    if is "(order = log(($coarse) / ($fine)) / log(2)) > $order - 0.2 && order < $order + 0.2"; then pass
    else fail "$what: errors $coarse, $fine are not of order $order"; fi
}
# at_most BOUND ERROR WHAT
at_most() { if is "($2) <= $1"; then pass; else fail "$3: the error $2 is above $1"; fi; }

# Each method: steps to t = 1/2, points, w, and for those with a choice the stages.
"$eulercl" list | awk '/^Methods/ { is = 1; next } /^[^ ]/ { is = 0 } is { print $1, $2 }' >methods
[ "$(wc -l <methods)" -ge 18 ] || fail "methods: $(cat methods)"
while read -r method order; do
    points=9 w=8 stages=
    case $method in
    euler | midpoint | heun) steps=160 ;;
    ssprk33 | bs32) steps=100 ;;
    ssprk43 | ck54) steps=60 ;;
    ssp) steps=60 stages=10 ;;
    ssp104) steps=64 ;;
    rk4) steps=400 ;;
    dp54) steps=160 points=4 w=80 ;;
    rock2) steps=80 points=19 stages=13 ;;
    rkc4) steps=80 w=40 stages=14 ;;
    rock4) steps=80 w=40 stages=10 ;;
    rkl2) steps=40 points=19 stages=15 ;;
    symplectic-euler | verlet | symplectic4)
        has_order wave.c "$method" "$order" 0.5 40
        [ "$method" != symplectic4 ] || at_most 4e-8 "$coarse" "$what"
        continue ;;
    *) fail "no steps for the method $method"; continue ;;
    esac
    set -- -p points=$points -p w=$w ${stages:+--stages $stages}
    has_order moved.c "$method" "$order" 0.5 $steps "$@"
    at_most "1.5 * $(error_at equations.c "$method" 0.5 $steps "$@")" "$coarse" "$what, beside ends that are equations"
done <methods
# Many stages, as the spectrum of a fine grid needs them: at the stages' own times the error is 1.3e-4.
at_most 3e-6 "$(error_at moved.c rkc4 0.8 20)" 'rkc4, 200 points'

# Bounds are twice the errors measured; at the stages' own times they are 50 to 90 times as large.
while read -r method order steps bound stages; do
    # shellcheck disable=SC2086
    has_order plate.c "$method" "$order" 0.3 "$steps" $stages
    at_most "$bound" "$coarse" "$what"
done <<METHODS
rk4 4 160 1e-8
ssprk33 3 160 3e-7
rkc4 4 20 3e-6 --stages 14
dp54 5 320 4e-12
METHODS
finish
