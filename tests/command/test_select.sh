#!/bin/sh
# --thin, --smooth and --extract: blocks of points, which may be smoothed, in arrays, series and pictures, lists of points as arrays and tables, on every backend; and what does not fit together.
#
# SPDX-License-Identifier: BSD-2-Clause
. "$(dirname "$0")/../cli.sh"

# A state that tells where it is: component 0 is ix + 10 iy + 100 iz, and component 1 is one more.
cat >box.c <<'C'
#define ODE_NAME box
#define ODE_TITLE "a box"
#define ODE_GRID 3
#define ODE_COMPONENTS 2
#define ODE_BOUNDARY ODE_CLAMP
#define ODE_NX columns
#define ODE_NY rows
#define ODE_NZ planes
#define ODE_PARAMETERS(REAL, INTEGER) INTEGER(columns, 4, 1, 1e6, "", "") INTEGER(rows, 3, 1, 1e6, "", "") INTEGER(planes, 2, 1, 1e6, "", "")
#include <eulercl/ode_problem.h>
ODE_POINT_RHS( DOT(0) = 0; DOT(1) = 0; )
ODE_INITIAL( Y0(0) = (double)(ix + 10 * iy + 100 * iz); Y0(1) = 1 + Y0(0); )
C
# reals FILE BYTES: the numbers at the end of a file
reals() { tail -c "$2" "$1" | od -An -v -t f8 -w8 | tr -s ' \n' ' ' | sed 's/^ //; s/ $//'; }

# --- blocks: 2 x 2 x 1 of them, of which the upper ones along y have one row
for way in 'mean 55.5 56.5 57.5 58.5 70.5 71.5 72.5 73.5' 'max 111 112 113 114 121 122 123 124' 'min 0 1 2 3 20 21 22 23' \
    'every 0 1 2 3 20 21 22 23'; do
    for backend in $backends; do
        can solve box.c --backend "$backend" --steps 0 || continue
        quiet box.c --backend "$backend" --steps 0 --thin "2:${way%% *}" --out thin.npy
        [ "$(reals thin.npy 64)" = "${way#* }" ] && pass || fail "$backend, $way: $(reals thin.npy 64)"
    done
done
check "the shape of thin.npy" grep -aq "'shape': (1, 2, 2, 2)" thin.npy
quiet box.c --steps 0 --thin 2 --out mean.npy
quiet box.c --steps 0 --thin 2:mean --out thin.npy
same mean.npy thin.npy
quiet box.c --steps 0 --thin 1 --out one.npy
quiet box.c --steps 0 --out whole.npy
same one.npy whole.npy
quiet box.c --steps 0 --thin 1000000000:every --precision float --out thin.npy
check "the shape of one block" grep -aq "'<f4'.*'shape': (1, 1, 1, 2)" thin.npy
quiet box.c --steps 4 --h 1 --every 2 --thin 2:max --out t%d.npy
same t0.npy t2.npy
# --- smoothed by 1 2 1 along each axis, mirrored at its ends
for way in '1 92.75 93.75 93.5 94.5 94.5 95.5 95.25 96.25' '1+--thin+2:every 27.75 28.75 29.5 30.5 42.75 43.75 44.5 45.5' \
    '1+--thin+2:max 93.5 94.5 95.25 96.25'; do
    values=${way#* } options=$(printf %s "${way%% *}" | tr + ' ')
    for backend in $backends; do
        can solve box.c --backend "$backend" --steps 0 || continue
        # shellcheck disable=SC2086
        quiet box.c --backend "$backend" --steps 0 --smooth $options --out smooth.npy
        # shellcheck disable=SC2086
        seen=$(reals smooth.npy $(($(set -- $values; echo $#) * 8)))
        [ "$seen" = "$values" ] && pass || fail "$backend, --smooth $options: $seen"
    done
done
quiet box.c --steps 0 --smooth 0 --out smooth.npy
same smooth.npy whole.npy
quiet box.c --steps 0 --thin 2:max --smooth 0 --out smooth.npy
quiet box.c --steps 0 --thin 2:max --out thin.npy
same smooth.npy thin.npy
if [ "$hdf5" = yes ]; then
    # a series is thinned, and a checkpoint is not
    quiet box.c --steps 4 --h 1 --every 2 --thin 2:max --out t.h5 --checkpoint kept.h5
    quiet box.c --resume kept.h5 --steps 1 --out rest.npy
    same whole.npy rest.npy
    expect 6 'the shape is 1 x 2 x 2 x 2 in the file' solve box.c --resume t.h5 --steps 1
    expect 6 'holds 3 x 1 x 2 x 2 x 2 reals, but the problem has 48 components' solve box.c --in t.h5 --steps 1
    expect 2 '--thin and --append are mutually exclusive' solve box.c --resume kept.h5 --append --every 1 --steps 2 --thin 2 --out t.h5
    expect 2 '--thin and --parts are mutually exclusive' solve box.c --steps 2 --thin 2 --parts --out t.h5
fi
if [ "$png" = yes ]; then
    # blocks of one point are drawn as points are, but for the title; other blocks make another picture
    quiet string --size 60 --steps 0 --thin 3:max --out three.png
    quiet string --size 60 --steps 0 --thin 4:max --out four.png
    if cmp -s three.png four.png; then fail "blocks of 3 and 4 points are the same picture"; else pass; fi
    for view in slice max volume; do quiet box.c --steps 0 --thin 2 --view $view --out $view.png; done
fi
[ "$json" = no ] || expect 0 '"smooth": 3,' solve box.c --steps 0 --smooth 3 --out smooth.npy --json
for bad in -1 29 x 1.5 '' 99999999999999999999; do expect 2 '--smooth' solve box.c --steps 0 --smooth "$bad" --out smooth.npy; done
expect 2 'smooth: no file of --out shows states' solve box.c --steps 0 --smooth 2
expect 2 '--smooth and --parts are mutually exclusive' solve box.c --steps 2 --smooth 2 --parts --out t.h5
[ "$json" = no ] || expect 0 '"thin": "2:mean"' solve box.c --steps 0 --thin 2 --out thin.npy --json
for bad in 0 -1 x 2: 2:median 2:2 1.5 99999999999999999999; do expect 2 '--thin: ' solve box.c --steps 0 --thin $bad --out thin.npy; done
expect 2 'no file of --out shows states' solve box.c --steps 0 --thin 2
expect 2 'no file of --out shows states' solve box.c --steps 2 --thin 2 --every 1 --probe 0 --out thin.csv

# --- lists of points
for backend in $backends; do
    can solve box.c --backend "$backend" --steps 0 || continue
    quiet box.c --backend "$backend" --steps 0 --extract '0 >= 113' --extract-to list.csv
    [ "$(tr '\n' ' ' <list.csv)" = 'ix,iy,iz,value 3,1,1,113 0,2,1,120 1,2,1,121 2,2,1,122 3,2,1,123 ' ] && pass || fail "$backend: $(cat list.csv)"
    quiet box.c --backend "$backend" --steps 0 --extract ' 1>123' --extract-to list.npy
    [ "$(reals list.npy 8)" = 124 ] && pass || fail "$backend: list.npy ends with $(reals list.npy 8)"
    [ "$(tail -c 32 list.npy | head -c 24 | od -An -t d8 -w24 | tr -s ' ')" = ' 3 2 1' ] && pass || fail "$backend: list.npy has another point"
done
check "the head of list.npy" grep -aq "'descr': \[('ix', '<i8'), ('iy', '<i8'), ('iz', '<i8'), ('value', '<f8')\], 'fortran_order': False, 'shape': (1,)" list.npy
quiet box.c --steps 0 --extract '0 > 123' --extract-to none.csv
[ "$(cat none.csv)" = ix,iy,iz,value ] && pass || fail "none.csv: $(cat none.csv)"
expect 0 '^written *none.csv' solve box.c --steps 0 --extract '0 > 123' --extract-to none.csv
quiet box.c --steps 0 --extract '0 > 123' --extract-to none.npy
check "the head of none.npy" grep -aq "'shape': (0,)" none.npy
[ "$(wc -c <none.npy)" -eq 128 ] && pass || fail "none.npy has $(wc -c <none.npy) bytes"
quiet box.c --steps 4 --h 1 --every 2 --extract '0 > 50' --extract-to list%02d.csv
same list00.csv list02.csv
[ ! -e list03.csv ] && pass || fail "there is a list too many"
expect 2 'need each other' solve box.c --steps 1 --extract '0 > 1'
expect 2 'need each other' solve box.c --steps 1 --extract-to list.csv
expect 2 'must end in .npy or .csv' solve box.c --steps 1 --extract '0 > 1' --extract-to list.h5
expect 2 'needs --every' solve box.c --steps 1 --extract '0 > 1' --extract-to list%d.npy
expect 2 'one number of at most 18 digits' solve box.c --steps 1 --every 1 --extract '0 > 1' --extract-to list%d%d.npy
expect 2 'is not of the form C > LEVEL' solve box.c --steps 1 --extract '0 = 1' --extract-to list.npy
expect 2 'a point has components 0 to 1' solve box.c --steps 1 --extract '2 > 1' --extract-to list.npy
expect 2 'a.npy would be written twice' solve box.c --steps 1 --extract '0 > 1' --extract-to a.npy --out a.npy
expect 2 'a1.npy would be written twice' solve box.c --steps 1 --every 1 --extract '0 > 1' --extract-to a%d.npy --out a1.npy
expect 6 'cannot write none/a.npy' solve box.c --steps 1 --extract '0 > 1' --extract-to none/a.npy
finish
