#!/bin/sh
# Fields, still points and obstacles: what flows through faces is conserved; still points keep their values under every method; fields from pictures and arrays, and
# arrays of another shape. Random problems with them are cases of test_sides.sh.
#
# SPDX-License-Identifier: BSD-2-Clause
. "$(dirname "$0")/../cli.sh"
can solve string --size 20 --steps 0 --monitor mean:0 || { echo "skipped: no monitors"; exit 77; }

cat >basin.c <<'C'
#define ODE_NAME basin
#define ODE_TITLE "diffusion around land"
#define ODE_GRID 2
#define ODE_COMPONENTS 2
#define ODE_BOUNDARY ODE_MIRROR
#define ODE_CENTRED ODE_CELLS
#define ODE_PERIODIC_Y 1
#define ODE_FIELDS(FIELD) FIELD(land) FIELD(depth)
#define ODE_OBSTACLE FIELD(land) > 0.5
#define ODE_NX columns
#define ODE_NY rows
#define ODE_PARAMETERS(REAL, INTEGER) INTEGER(columns, 24, 3, 1e6, "", "") INTEGER(rows, 17, 3, 1e6, "", "")
#include <eulercl/ode_problem.h>
#define DEPTH(dx, dy) FIELD_AT(dx, dy, depth)
ODE_POINT_RHS(
    DOT(0) = FLOW(0) / 8;
    DOT(1) = DIV_GRAD(HARMONIC_MEAN, DEPTH, 1) / 8;
)
ODE_INITIAL( Y0(0) = (double)((ix * 7 + iy * 3) % 10); Y0(1) = (double)(ix % 3); )
ODE_FIELD_VALUES( FIELD(land) = (ix * 5 + iy * 3 + ix * iy) % 7 == 2; FIELD(depth) = (double)((ix + 2 * iy) % 4) / 3; )
C
# A tensor has a flux along walls that the rules of the sides do not know, so this sea has none.
sed 's/#define ODE_PERIODIC_Y 1/& \n#define ODE_PERIODIC_X 1/; s|FLOW(0) / 8|& + DIV_XY(ARITHMETIC_MEAN, DEPTH, 0) / 64|' basin.c >sea.c
# sums FILE.csv COLUMN: the first and the last value of a column
sums() { awk -F, -v name="$2" '/^#/ { next } !column { for (i = 1; i <= NF; i++) if ($i == name) column = i; next } { if (!n++) first = $column; last = $column } END { printf "%s %s\n", first, last }' "$1"; }
for method in euler rk4 rkl2 rock4; do
    for file in basin sea; do for c in 0 1; do
        check "$file, $method" "$eulercl" solve $file.c --precision double --method $method --h 0.5 --steps 400 --backend cpu --every 100 --monitor mean:$c --out sums.csv
        sums sums.csv "mean:$c" | awk -v what="component $c of $file, $method" '
            NF < 2 || $1 == 0 { print "no means of " what ": " $0; exit 1 }
            { change = ($2 - $1) / $1; if (change < 0) change = -change; if (change > 1e-12) { print "the mean of " what " changes by " change; exit 1 } }' >checked || fail "$(cat checked)"
        pass
    done; done
done

# A window that goes round has rows from beyond an end of the grid.
sed 's/#define ODE_PERIODIC_Y 1/& \n#define ODE_STILL ix == 3 \&\& iy == 0/' sea.c >ring.c
for how in '--backend seq' '--backend pthreads --threads 2' '--backend seq --devices 0:0,0:0' '--backend cpu --devices 0:0,0:0 --halo-steps 2'; do
    [ "$opencl" = yes ] || case $how in *devices*) continue ;; esac
    quiet ring.c --precision float --method rk4 --h 0.5 --steps 12 $how --out "ring.npy"
    [ -f first.npy ] && same first.npy ring.npy || mv ring.npy first.npy
done

# The prediction takes lanes, with coefficients as without.
variant() { CC=$all_kernels "$eulercl" solve $1 -p columns=1000 -p rows=1000 --precision float --h 0.1 --steps 10 --backend cpu --no-move | sed -n 's/^backend *cpu \([a-z]*\).*/\1/p'; }
sed 's/FLOW(0) \/ 8/LAPLACE(0)/; s/DIV_GRAD(HARMONIC_MEAN, DEPTH, 1) \/ 8/LAPLACE(1)/; /ODE_OBSTACLE/d; /ODE_FIELDS/d; /ODE_FIELD_VALUES/d; /DEPTH/d' basin.c >sheet.c
with=$(variant basin.c) without=$(variant sheet.c)
[ -n "$with" ] && [ "$with" = "$without" ] && pass || fail "cpu $with with fields, $without without"

cat >clamp.c <<'C'
#define ODE_NAME clamp
#define ODE_TITLE "a rod that is held in places"
#define ODE_GRID 1
#define ODE_COMPONENTS 1
#define ODE_BOUNDARY ODE_CLAMP
#define ODE_STILL ix % 5 == 2
#define ODE_NX points
#define ODE_PARAMETERS(REAL, INTEGER) INTEGER(points, 203, 3, 1e6, "", "")
#include <eulercl/ode_problem.h>
ODE_POINT_RHS( DOT(0) = LAPLACE(0) + REAL(0.1) * t; )
ODE_INITIAL( Y0(0) = ix % 5 == 2 ? 0.1 * (double)(ix % 7) - 0.3 : 1; )
C
# Every fifth real of two files, from the third on.
held() { od -An -v -t x4 -w4 "$1" | tail -n 203 | awk 'NR % 5 == 3'; }
check 'the state at the start' "$eulercl" solve clamp.c --precision float --steps 0 --out start.npy --backend seq
for method in $("$eulercl" list | sed -n '/^Methods  /,/^Axes/s/^  \([a-z][a-z0-9-]*\) .*/\1/p'); do
    can solve clamp.c --steps 0 --method "$method" || continue # it needs positions
    for backend in seq cpu; do
        check "clamp, $method, $backend" "$eulercl" solve clamp.c --precision float --method "$method" --h 0.2 --steps 300 --backend $backend --out end.npy
        [ "$(held start.npy)" = "$(held end.npy)" ] && [ "$(held start.npy | wc -l)" -eq 41 ] || fail "held points move with $method on $backend"
    done
done
[ "$passed" -gt 30 ] || fail "only $passed checks: which methods are there?"

# --- fields from files
reals() { # reals FILE SHAPE FORMULA: a file of doubles, by awk: the formula has i
    awk -v shape="$2" 'BEGIN { header = "{\047descr\047: \047<f8\047, \047fortran_order\047: False, \047shape\047: (" shape "), }"; while ((length(header) + 11) % 64) header = header " "; printf "%s\n", header }' >header
    { printf '\223NUMPY\001\000'; printf "\\$(printf %03o $(($(wc -c <header) % 256)))\\$(printf %03o $(($(wc -c <header) / 256)))"; cat header; head -c $((408 * 8)) /dev/zero; } >"$1"
}
reals right.npy '17, 24'
reals flat.npy '408,'
reals transposed.npy '24, 17'
for file in right.npy flat.npy; do quiet basin.c --precision double --field land=$file --steps 2 --h 0.1 --backend seq; done
expect 6 'is an array of 24 x 17, but one of 17 x 24 is needed: transpose it' solve basin.c --precision double --field land=transposed.npy --steps 2 --backend seq
reals other.npy '34, 12'
expect 6 'other.npy is an array of 34 x 12, but one of 17 x 24 is needed$' solve basin.c --precision double --field land=other.npy --steps 2 --backend seq
reals state.npy '24, 17, 1'
expect 6 'transpose it' solve basin.c --precision double --field depth=state.npy --steps 2 --backend seq
if [ "$png" = yes ]; then
    # Three by two pixels, the upper row first: 16 bits, and a gamma that is not looked at; colours and opacities.
    sed -e 's/columns, 24/columns, 3/; s/rows, 17, 3/rows, 2, 1/; s/FLOW(0) \/ 8/FIELD(land)/; /ODE_OBSTACLE/d; s/Y0(0) = [^;]*/Y0(0) = 0/' basin.c >map.c
    pixels() { # pixels WHAT VALUES: those of the picture on the standard input
        base64 -d >map.png
        quiet map.c --precision double --field land=map.png --h 1 --steps 1 --backend seq --out map.npy
        found=$(tail -c 96 map.npy | od -An -v -t f8 -w16 | awk '{ printf "%.4f ", $1 }')
        [ "$found" = "$2 " ] && pass || fail "$1: $found, not $2"
    }
    pixels '16 bits' '0.4353 0.0000 0.0000 0.0000 0.5000 1.0000' <<'P'
iVBORw0KGgoAAAANSUhEUgAAAAMAAAACEAAAAADoj+WFAAAABGdBTUEAAYagMeiWXwAAABZJREFUeJxjYGBoYPj/nyE/n4GRgQEAG0UDXiQHhjsAAAAASUVORK5CYII=
P
    pixels 'colours' '0.4353 1.0000 0.7152 0.2000 0.2126 0.0000' <<'P'
iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAYAAACddGYaAAAAHElEQVR4nGP4//+/8X8GBiACgvz8/P8gAOT+BwCoNQ11YEAIbgAAAABJRU5ErkJggg==
P
    # The grey of obstacles in a picture, which is read as a field.
    quiet basin.c --steps 0 --backend seq --out view.png
    size=$(od -An -t u1 -j 16 -N 8 view.png | awk '{ print $3 * 256 + $4, $7 * 256 + $8 }')
    quiet map.c -p columns=${size% *} -p rows=${size#* } --precision double --field land=view.png --h 1 --steps 1 --backend seq --out view.npy
    grey=$(od -An -v -t f8 -w16 -j 128 view.npy | awk '$1 > 0.6039 && $1 < 0.604' | wc -l)
    [ "$grey" -gt 10000 ] && pass || fail "only $grey pixels of the picture are grey"
    cp basin.c none.png
    expect 6 'none.png cannot be read: Not a PNG file' solve basin.c --field land=none.png --steps 1 --backend seq
    "$eulercl" solve basin.c --steps 0 --backend seq --out picture.png >/dev/null || fail 'no picture'
    expect 6 'pixels, but the grid 24 x 17 points' solve basin.c --field land=picture.png --steps 1 --backend seq
fi

# --- what contradicts itself; whole numbers as conductivities
printf '#define E(dx, dy) (ix + (dx) > 9 ? 3 : 1)\n' >whole
sed -e '/#define DEPTH/r whole' -e 's/HARMONIC_MEAN, DEPTH/HARMONIC_MEAN, E/' basin.c >whole.c
sed 's/3 : 1/REAL(3) : REAL(1)/' whole.c >real.c
for file in whole real; do quiet $file.c --precision double --h 0.1 --steps 5 --backend seq --out $file.npy; done
same whole.npy real.npy
sed 's/#define ODE_OBSTACLE .*/#define ODE_OBSTACLE FIELD_AT(1, 0, land) > 0.5/' basin.c >around.c
expect 8 'neighbour_field.* undeclared' solve around.c --steps 1 --backend seq
sed 's/FLOW(0)/DIV_Z(ARITHMETIC_MEAN, DEPTH, 0)/' basin.c >flat.c
expect 8 'DIV_Z_needs_ODE_GRID_3' solve flat.c --steps 1 --backend seq
for way in '1, 1' '0, 0' '2, 0'; do
    sed "s/FLOW(0)/OPEN($way)/" basin.c >open.c
    expect 8 'an offset beyond' solve open.c --steps 1 --backend seq
done
sed 's/#define ODE_GRID 1/#define ODE_SIZE points\n#define ODE_ACCESS_DISTANCE 1/; /ODE_COMPONENTS\|ODE_BOUNDARY\|ODE_NX/d' clamp.c >general.c
expect 8 'belong to the stencil form' solve general.c --steps 1 --backend seq
sed 's/FIELD_AT(dx, dy, depth)/FIELD_AT(dx, dy, deep)/' basin.c >unknown.c
expect 8 'deep' solve unknown.c --steps 1 --backend seq
finish
