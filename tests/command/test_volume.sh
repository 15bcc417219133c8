#!/bin/sh
# Grids of three axes in files and pictures: shapes and their order, series and runs that go on, the mesh for XDMF, fields, the three views.
#
# SPDX-License-Identifier: BSD-2-Clause
. "$(dirname "$0")/../cli.sh"

# A state that tells where it is: component 0 is ix + 10 iy + 100 iz, and component 1 what the parameters make of it.
cat >box.c <<'C'
#define ODE_NAME box
#define ODE_TITLE "a box"
#define ODE_GRID 3
#define ODE_COMPONENTS 2
#define ODE_BOUNDARY ODE_CLAMP
#define ODE_FIELDS(FIELD) FIELD(k)
#define ODE_NX columns
#define ODE_NY rows
#define ODE_NZ planes
#define ODE_PARAMETERS(REAL, INTEGER) \
    INTEGER(columns, 4, 1, 1e6, "", "") INTEGER(rows, 3, 1, 1e6, "", "") INTEGER(planes, 2, 1, 1e6, "", "") \
    INTEGER(x, -1, -1, 1e6, "", "a point") INTEGER(y, -1, -1, 1e6, "", "") INTEGER(z, -1, -1, 1e6, "", "") INTEGER(wall, -1, -1, 1e6, "", "the first of two rows of a wall")
#include <eulercl/ode_problem.h>
ODE_POINT_RHS( DOT(0) = FIELD(k) * LAPLACE(0); DOT(1) = FIELD(k) * AT(0, 0, 1, 0) - AT(0, 1, 0, 1); )
ODE_INITIAL(
    Y0(0) = (double)(ix + 10 * iy + 100 * iz);
    Y0(1) = (ix == x && iy == y && iz == z) || (wall >= 0 && (iy == wall || iy == wall + 1)) ? 1 : 0;
)
ODE_FIELD_VALUES( FIELD(k) = 1; )
C
reals() { tail -c "$2" "$1" | od -An -v -t f8 -w16 | awk '{ printf "%s ", $1 }'; }

# --- arrays: x changes fastest, then y, then z
quiet box.c --steps 0 --backend seq --out box.npy
check "the shape of box.npy" grep -aq "'shape': (2, 3, 4, 2)" box.npy
[ "$(reals box.npy 384)" = "$(for z in 0 1; do for y in 0 1 2; do for x in 0 1 2 3; do printf '%d ' $((x + 10 * y + 100 * z)); done; done; done)" ] && pass || fail "box.npy: $(reals box.npy 384)"
quiet box.c --steps 0 --backend seq --in box.npy --out again.npy
same box.npy again.npy
# as SHAPE: box.npy with another shape in its header, of the same length
as() { sed "s/(2, 3, 4, 2)/$(printf '%-12s' "($1)")/" box.npy >other.npy; }
for shape in '4, 3, 2, 2' '3, 2, 4, 2' '2, 4, 3, 2' '2, 2, 3, 4'; do
    as "$shape"
    expect 6 "other.npy is an array of $(echo "$shape" | sed 's/, / x /g'), but one of 2 x 3 x 4 x 2 is needed: transpose it" solve box.c --in other.npy --steps 1 --backend seq
done
for shape in '48,' '6, 8' '2, 12, 2' '24, 1, 2'; do # axes that are one
    as "$shape"
    quiet box.c --in other.npy --steps 0 --backend seq --out again.npy
    same box.npy again.npy
done
for shape in '8, 6' '4, 12' '2, 2, 2, 6' '3, 16'; do
    as "$shape"
    expect 6 "other.npy is an array of $(echo "$shape" | sed 's/, / x /g'), but one of 2 x 3 x 4 x 2 is needed$" solve box.c --in other.npy --steps 1 --backend seq
done
head -c 128 box.npy | sed 's/(2, 3, 4, 2)/(2, 3, 4)   /' >k.npy && tail -c 192 box.npy >>k.npy
quiet box.c --field k=k.npy --steps 1 --backend seq --out one.npy
sed 's/(2, 3, 4) /(4, 3, 2) /' k.npy >other.npy
expect 6 'other.npy is an array of 4 x 3 x 2, but one of 2 x 3 x 4 is needed: transpose it' solve box.c --field k=other.npy --steps 1 --backend seq
# more than a chunk of the command
quiet box.c -p columns=300 -p rows=70 -p planes=40 --steps 2 --h 0.01 --backend seq --out large.npy
[ "$(wc -c <large.npy)" -eq $((128 + 300 * 70 * 40 * 16)) ] && pass || fail "large.npy: $(wc -c <large.npy) bytes"

# --- HDF5: series, runs that go on, the mesh
if [ "$hdf5" = yes ]; then
    quiet box.c --h 0.01 --steps 30 --backend seq --out whole.npy
    quiet box.c --h 0.01 --steps 20 --every 10 --out s.h5 --checkpoint kept.h5
    quiet box.c --steps 0 --in s.h5 --out twenty.npy
    quiet box.c --resume kept.h5 --steps 10 --out rest.npy
    same whole.npy rest.npy
    quiet box.c --resume s.h5 --append --every 10 --steps 10 --out s.h5
    quiet box.c --steps 0 --in s.h5 --out rest.npy
    same whole.npy rest.npy
    expect 6 '2 x 3 x 4 x 2 reals' solve box.c -p planes=3 --in s.h5 --steps 0
    quiet box.c -p columns=300 -p rows=70 -p planes=40 --steps 2 --h 0.01 --every 1 --backend seq --out large.h5
    quiet box.c -p columns=300 -p rows=70 -p planes=40 --steps 0 --in large.h5 --out again.npy
    same large.npy again.npy
    hostile=$EULERCL_TEST_PLUGINS/../hostile_hdf5
    if [ -x "$hostile" ]; then
        # Two cubes, one above the other: the corners go around the lower face, then around the upper one. A plane and a line of a box have cells of fewer corners.
        while read -r planes rows columns topology cells; do
            quiet box.c -p columns=$columns -p rows=$rows -p planes=$planes --steps 0 --out mesh.h5
            [ "$("$hostile" list /mesh/cells mesh.h5)" = "$cells" ] && pass || fail "cells of $planes x $rows x $columns: $("$hostile" list /mesh/cells mesh.h5)"
            check "mesh.xdmf: $topology" grep -q "<Topology TopologyType=\"$topology\" NumberOfElements=\"2\"" mesh.xdmf
        done <<'END'
3 2 2 Hexahedron 2 8, 4: 0 1 3 2 4 5 7 6 4 5 7 6 8 9 11 10
3 1 2 Quadrilateral 2 4, 4: 0 1 3 2 2 3 5 4
3 1 1 Polyline 2 2, 4: 0 1 1 2
END
        quiet box.c -p columns=2 -p rows=1 -p planes=2 --steps 0 --out mesh.h5
        [ "$("$hostile" list /mesh/points mesh.h5)" = "4 3, 4: 0 0 0 1 0 0 0 0 1 1 0 1" ] && pass || fail "points: $("$hostile" list /mesh/points mesh.h5)"
    fi
fi

# --- pictures
expect 2 "--view: 'cube' is not one of slice, max, volume" solve box.c --view cube
for problem in "string --size 20" "bruss2d -p m=8"; do
    # shellcheck disable=SC2086
    expect 2 "--view is for grids of three axes; pictures of ${problem%% *} have one view" solve $problem --steps 0 --view slice
done
[ "$png" = yes ] || finish
# A picture of the state, as the field of a problem that has a point for each pixel: its reals become FILE.values, the lowest row first, after those above the axes.
sed '/ODE_GRID/s/3/2/; /ODE_NZ/d; s/LAPLACE(0)/1/; s/FIELD(k) \* AT(0, 0, 1, 0) - AT(0, 1, 0, 1)/0/; s/100 \* iz/0/; s/ && iz == z//; s/Y0(0) = [^;]*/Y0(0) = 0/' box.c >map.c
draw() { # draw NAME ARGUMENTS...
    name=$1
    shift
    quiet box.c --steps 0 --backend seq --out "$name.png" "$@"
    size=$(od -An -t u1 -j 16 -N 8 "$name.png" | awk '{ print $3 * 256 + $4, $7 * 256 + $8 }')
    width=${size% *} height=${size#* }
    quiet map.c -p columns="$width" -p rows="$height" --field k="$name.png" --h 1 --steps 1 --backend seq --out map.npy
    tail -c $((width * height * 16)) map.npy | od -An -v -t f8 -w16 | awk '{ print $1 }' >"$name.values"
}
alike() { cmp -s "$1.values" "$2.values" && pass || fail "$3"; }
differ() { cmp -s "$1.values" "$2.values" && fail "$3" || pass; }
expect 6 'slice.png is a picture of one plane, but the grid has three axes: use FILE.npy or FILE.h5' solve box.c --field k="$(quiet box.c --steps 0 --out slice.png; echo slice.png)" --steps 1

# Three planes through the middle show their points, and no others.
grid="-p columns=12 -p rows=10 -p planes=8 --component 1 --range 0,1"
# shellcheck disable=SC2086
{
draw nothing $grid
draw slice $grid --view slice
alike nothing slice "slices are not the view without --view"
draw off $grid -p x=5 -p y=4 -p z=3
alike nothing off "a point of none of the three planes is shown"
# 30 x 30 pixels for each time that a point is in a plane; purple has a brightness of 0.05, yellow one of 0.86, and the scale has some of all.
bright() { awk '$1 > 0.8 && $1 < 0.9 { n++ } END { print n + 0 }' "$1.values"; }
dark=$(bright nothing)
while read -r x y z times; do
    draw point $grid -p x=$x -p y=$y -p z=$z
    [ "$(($(bright point) - dark))" -eq $((900 * times)) ] && pass || fail "$x, $y, $z: $(($(bright point) - dark)) pixels, not $((900 * times))"
done <<'END'
5 4 4 1
5 5 3 1
6 4 3 1
6 4 4 2
6 5 4 3
END
}
# In the first plane x goes to the right and y upwards; in the others z goes upwards: the middle of the pixels of a point.
where() { awk -v width="$width" 'NR == FNR { base[FNR] = $1; next } $1 > 0.8 && base[FNR] < 0.1 { x += (FNR - 1) % width; y += int((FNR - 1) / width); n++ } END { printf "%d %d\n", x / n, y / n }' nothing.values "$1.values"; }
# shellcheck disable=SC2086
while read -r x y z wanted; do
    draw point $grid -p x=$x -p y=$y -p z=$z
    [ "$(where point)" = "$wanted" ] && pass || fail "the point $x, $y, $z is at $(where point), not at $wanted"
done <<'END'
0 0 4 114 78
11 0 4 444 78
0 9 4 114 348
0 5 0 590 138
0 5 7 590 348
6 0 0 1066 138
6 9 7 1336 348
END

# The greatest value along z is that of its plane.
# shellcheck disable=SC2086
{
draw none $grid --view max
draw lower $grid --view max -p x=3 -p y=2 -p z=0
draw upper $grid --view max -p x=3 -p y=2 -p z=7
alike lower upper "the greatest value depends on its plane"
[ "$(($(bright lower) - $(bright none)))" -eq 2500 ] && pass || fail "the greatest value has $(($(bright lower) - $(bright none))) pixels, not 2500"

# A cloud: nothing is seen of values below the range; a wall in front hides what is behind it, and one behind does not.
draw empty $grid --view volume
draw seen $grid --view volume -p x=6 -p y=5 -p z=4
differ empty seen "a point is not seen"
draw front $grid --view volume -p wall=0
draw hidden $grid --view volume -p wall=0 -p x=3 -p y=9 -p z=0
alike front hidden "a wall in front hides nothing"
draw back $grid --view volume -p wall=9
draw before $grid --view volume -p wall=9 -p x=3 -p y=4 -p z=1
differ back before "a wall behind hides what is in front of it"
draw below $grid --range 1,2 --view volume -p wall=0
draw clear $grid --range 1,2 --view volume
alike below clear "values at the lower end of the range are seen"
quiet box.c $grid --view volume --steps 4 --every 2 --h 0.01 --backend seq --out f-%d.png
}
[ -s f-2.png ] && [ ! -e f-3.png ] && pass || fail "frames of a volume: $(ls)"

# Obstacles are grey in all views.
sed 's/#define ODE_FIELDS/#define ODE_OBSTACLE FIELD(k) > 1.5\n&/; s/FIELD(k) = 1;/FIELD(k) = ix > 5 \&\& iz > 3 ? 2 : 1;/; s/DOT(1) = .*/DOT(1) = 0; )/' box.c >blocks.c
mv box.c free.c && mv blocks.c box.c
for view in slice volume; do
    # shellcheck disable=SC2086
    draw $view $grid --view $view
    grey=$(awk '$1 > 0.6039 && $1 < 0.604' $view.values | wc -l)
    case $view in slice) [ "$grey" -ge 20000 ] ;; volume) [ "$(cmp -s volume.values empty.values; echo $?)" -eq 1 ] ;; esac && pass || fail "--view $view: $grey grey pixels"
done
# shellcheck disable=SC2086
draw max $grid --view max # behind them are other points
[ "$(awk '$1 > 0.6039 && $1 < 0.604' max.values | wc -l)" -lt 100 ] && pass || fail "--view max: grey hides points"

finish
