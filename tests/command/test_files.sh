#!/bin/sh
# The files of eulercl solve: snapshots, series, tables; the same bits back; whole or not at all, whatever ends the run.
. "$(dirname "$0")/../cli.sh"
subcommand=solve

nothing_left() { left=$(find . -name '.eulercl-*' -o -name '*.part'); [ -z "$left" ] && pass || fail "$1 left $left"; }
rows() { if [ -e "$1" ]; then grep -c '^[0-9]' "$1"; else echo 0; fi; }

# --- what is refused
expect 2 'takes snapshots' string --size 20 --every 10
expect 2 'takes snapshots' string --size 20 --every 10 --out x.npy
expect 2 'needs --every' string --size 20 --out f-%03d.npy
expect 2 'whole number' string --size 20 --every 0 --out f-%d.npy
expect 2 't=0.5' string --size 20 --every 0.5 --out f-%d.npy
expect 2 'greater' string --size 20 --every t=0 --out f-%d.npy
expect 2 'one number' string --size 20 --every 10 --out f-%d-%d.npy
expect 2 'one number' string --size 20 --every 10 --out f-%300d.npy
expect 2 'one file' string --size 20 --every 10 --out f-%d.csv --probe 1
expect 2 'twice' string --size 20 --out x.npy --out x.npy
mkdir folder && ln -s . folder/here && ln -s folder away
for other in ./x.npy "$PWD/x.npy" folder/../x.npy folder/here/../x.npy; do expect 2 'x.npy would be written twice' string --size 20 --out x.npy --out "$other"; done
expect 2 'twice' string --size 20 --out away/x.npy --out folder/here/x.npy
expect 2 'f-3.npy would be written twice' string --size 20 --every 10 --out ./f-%d.npy --out f-3.npy
expect 2 'twice' string --size 20 --every 10 --out f-3.npy --out ./f-%d.npy
expect 2 'f-0.npy would be written twice' string --size 20 --every 10 --out f-%1d.npy --out ./f-%d.npy
if [ "$hdf5" = yes ]; then
    expect 2 'x.xdmf would be written twice' string --size 20 --out x.h5 --out x.H5
    expect 2 './x.h5 would be written twice' string --size 20 --out x.h5 --checkpoint ./x.h5
fi
quiet string --size 20 --steps 20 --every 10 --out f-%02d.npy --out f-1.npy --out folder/f-01.npy
ln -s f-1.npy f-2.npy   # a link is replaced, not followed
quiet string --size 20 --steps 1 --out f-1.npy --out f-2.npy
[ ! -L f-2.npy ] && [ -s f-2.npy ] && pass || fail "a link in the place of f-2.npy: $(ls -l)"
rm -rf folder away f-*
expect 2 'must choose its columns' string --size 20 --every 10 --out x.csv
expect 2 '0 to 19' string --size 20 --probe 3,20
expect 2 'whole number' string --size 20 --probe 3,
expect 2 'whole number' string --size 20 --probe 3:
expect 2 '3 is beyond the points 0 to 2 along y' bruss2d -p m=3 --probe 2,3:0
expect 2 'components 0 to 1 per point' bruss2d -p m=3 --probe 2,2:2
expect 2 'has 2 coordinates, such as X,Y:C' bruss2d -p m=3 --probe 2:0
expect 2 'min, max, mean' string --size 20 --monitor median
expect 2 '0 to 1 per point' string --size 20 --monitor mean:2
expect 2 'correlation:C:LAGS' string --size 20 --monitor histo:0:4:0:1
expect 2 'histogram:0:4:1:0: the lower end of the bins must be less than the upper one' string --size 20 --monitor max,histogram:0:4:1:0
expect 2 'histogram:2:4:0:1: a point has components 0 to 1' string --size 20 --monitor histogram:2:4:0:1
expect 2 'not of the form euler:C:LEVEL' bruss2d -p m=8 --monitor euler:0
expect 2 'must be less than the 8 points along x' bruss2d -p m=8 --monitor correlation:0:8
expect 2 'LEAST,GREATEST' string --size 20 --range 1
expect 2 'less than' string --size 20 --range 1,1
expect 2 'finite' string --size 20 --range 1,x
expect 2 'end in' string --size 20 --out x.vti
expect 6 'No such file' string --size 20 --every 10 --out nowhere/f-%d.npy
nothing_left "what was refused"
[ -z "$(find . -name 'f-*' -o -name 'x.*')" ] || fail "what was refused wrote something"

# --- snapshots change no bits, and are the states of shorter runs
for problem in "string --size 400" "bruss2d -p m=20"; do
    # shellcheck disable=SC2086
    {
    quiet $problem --steps 100 --out plain.npy
    quiet $problem --steps 100 --every 30 --out f-%03d.npy --out final.npy
    quiet $problem --steps 60 --out sixty.npy
    quiet $problem --steps 0 --out zero.npy
    same plain.npy final.npy
    same f-000.npy zero.npy
    same f-002.npy sixty.npy
    same f-004.npy plain.npy
    [ ! -e f-005.npy ] || fail "a snapshot too many"
    quiet $problem --h 3e-4 --t-end 0.01 --out plain.npy
    quiet $problem --h 3e-4 --t-end 0.01 --every t=0.0015 --out g-%d.npy --out final.npy
    quiet $problem --h 3e-4 --steps 25 --out fifth.npy
    }
    same plain.npy final.npy
    same g-5.npy fifth.npy
    same g-7.npy plain.npy
    [ ! -e g-8.npy ] || fail "a snapshot too many"
done
if [ "$json" = yes ]; then check "beside f-002.npy" grep -q '"steps": 60' f-002.npy.json; fi

# --- states are written beside the steps: the same bits on every backend, and what it has cost
mkdir seq other
quiet string --size 3000 --backend seq --steps 60 --every 7 --out seq/f-%d.npy
for backend in $backends; do
    rm -f other/*
    quiet string --size 3000 --backend $backend --steps 60 --every 7 --out other/f-%d.npy --out series.csv --probe 1500
    for f in 0 1 2 3 4 5 6 7 8 9; do same seq/f-$f.npy other/f-$f.npy; done
    [ "$(rows series.csv)" -eq 10 ] || fail "$backend: series.csv has not ten rows"
done
rm -rf seq other series.csv
expect 0 '4 snapshots, 0.064 MB of states: ' string --size 2000 --steps 30 --every 10 --out w-%d.npy
if [ "$json" = yes ]; then
    expect 0 '"beside_steps": true' string --size 2000 --steps 30 --every 10 --out w-%d.npy --json
    check "the count of snapshots" grep -q '"count": 4' out
    check "their bytes" grep -q '"bytes": 64000' out
    expect 0 '"snapshots": null' string --size 2000 --steps 30 --out w.npy --json
    expect 0 '"beside_steps": false' string --size 2000 --steps 30 --every 10 --probe 1 --out w.csv --json
fi
rm -f w*

# --- and between them where there is no memory for a copy: every allocation of a buffer fails once, with EULERCL_TEST_LAYER in the loader
layered() { OPENCL_LAYERS=$EULERCL_TEST_LAYER EULERCL_TEST_FAIL=clCreateBuffer:$1 "$eulercl" solve string --size 3000 --backend cl-linear --steps 20 --every 5 --out l-%d.npy >out 2>err; }
if [ "$opencl" = yes ] && [ -n "$EULERCL_TEST_LAYER" ] && layered 1000; then
    quiet string --size 3000 --backend seq --steps 20 --every 5 --out p-%d.npy
    between=0
    for number in 0 1 2 3 4 5 6 7 8 9 10 11; do
        rm -f l-*
        layered $number
        case $? in
        0) for f in 0 1 2 3 4; do same p-$f.npy l-$f.npy; done ;;
        7) [ "$(wc -l <err)" -eq 1 ] || fail "buffer $number: $(cat err)" ;;
        *) fail "buffer $number: $(cat err)" ;;
        esac
        ! grep -q '^note: snapshots were written between the steps: ' out || between=$((between + 1))
    done
    # the copy, and two pieces of the host's memory
    [ $between -eq 3 ] && pass || fail "$between of 3 allocations for snapshots were done without"
    rm -f l-* p-*
fi

# --- tables: all rows, the figures the same on every backend, and as the report has them
quiet bruss2d -p m=20 --backend seq --steps 100 --every 40 --probe 0,799 --monitor min,max,mean:0,mean:1,l1,l2,linf,rms --out seq.csv
[ "$(rows seq.csv)" -eq 4 ] || fail "seq.csv has not the rows 0, 40, 80, 100: $(cat seq.csv)"
check "the head of seq.csv" grep -q '^step,t,y\[0\],y\[799\],min,max,mean:0,mean:1,l1,l2,linf,rms$' seq.csv
# A place of the grid is the component that it has; numbers and places mix.
quiet bruss2d -p m=20 --backend seq --steps 100 --every 40 --probe 0,0:0,799,19,19:1 --out places.csv
[ "$(grep '^[0-9]' places.csv | cut -d, -f3,4)" = "$(grep '^[0-9]' places.csv | awk -F, '{ print $3 "," $5 }')" ] && [ "$(grep '^[0-9]' seq.csv | cut -d, -f1-4)" = "$(grep '^[0-9]' places.csv | cut -d, -f1-4)" ] \
    && pass || fail "--probe by place: $(cat places.csv)"
check "the head of places.csv" grep -q '^step,t,y\[0 0:0\],y\[799\],y\[19 19:1\]$' places.csv
check "the first row of seq.csv" grep -q '^0,0,0.5,6,0.5,6,1,3.5,' seq.csv
for backend in pthreads cl-linear cl-register; do
    case "$opencl $backend" in "no cl-"*) continue ;; esac
    quiet bruss2d -p m=20 --backend $backend --steps 100 --every 40 --probe 0,799 --monitor min,max,mean:0,mean:1,l1,l2,linf,rms --out other.csv
    grep '^[0-9]' seq.csv >a
    grep '^[0-9]' other.csv >b
    same a b
done
# observers: a column for each value
observers="histogram:0:2:0:3,max,euler:0:1,length:1,front:0:1.5,correlation:0:1"
quiet bruss2d -p m=20 --backend seq --steps 100 --every 40 --monitor $observers --out seq-observers.csv
[ "$(head -n 1 seq-observers.csv)" = "step,t,max,histogram:0:2:0:3:below,histogram:0:2:0:3:0,histogram:0:2:0:3:1,histogram:0:2:0:3:above,histogram:0:2:0:3:nan,euler:0:1:size,euler:0:1:boundary,euler:0:1:euler,euler:0:1:euler_faces,length:1,front:0:1.5:mean,front:0:1.5:spread,front:0:1.5:speed,front:0:1.5:missing,correlation:0:1:x:1,correlation:0:1:y:1" ] \
    && pass || fail "the head of seq-observers.csv: $(head -n 1 seq-observers.csv)"
check "the counts in seq-observers.csv" grep -q '^0,0,6,0,380,20,0,0,200,60,1,1,' seq-observers.csv
for backend in "pthreads --threads 2" cl-linear cl-register "cpu --devices cpu,cpu"; do
    case "$opencl $backend" in "no cl-"*) continue ;; esac
    # shellcheck disable=SC2086
    quiet bruss2d -p m=20 --backend $backend --steps 100 --every 40 --monitor $observers --out other.csv
    grep '^[0-9]' seq-observers.csv >a
    grep '^[0-9]' other.csv >b
    same a b
done
expect 0 '^value    histogram:0:9:0:3 = 12 values, which FILE.csv and --json have$' bruss2d -p m=20 --steps 1 --monitor histogram:0:9:0:3
expect 0 '^value    euler:0:1:size = 200$' bruss2d -p m=20 --steps 1 --monitor histogram:0:9:0:3,euler:0:1
expect 0 "^value    l2 = $(sed -n 's/^100,//p' seq.csv | cut -d, -f9)$" bruss2d -p m=20 --backend seq --steps 100 --monitor rms,l2
# the method is a fact of every file
method="--out m.csv --out m.npy"
[ "$png" = no ] || method="$method --out m.png"
[ "$hdf5" = no ] || method="$method --out m.h5"
# shellcheck disable=SC2086
quiet bruss2d -p m=20 --method rkl2 --stages 5 --steps 10 --probe 7 $method
check "the method in a table" grep -q '^# method: rkl2$' m.csv
check "the stages in a table" grep -q '^# stages: 5$' m.csv
check "the evaluations in a table" grep -q '^# rhs_evaluations: 50$' m.csv
[ "$json" = no ] || check "the method beside .npy" grep -q '"method": "rkl2"' m.npy.json
[ "$png" = no ] || { tr '\0' ' ' <m.png | grep -qa 'tEXtmethod rkl2' && pass || fail "no method in m.png"; }
[ "$hdf5" = no ] || check "the method beside .h5" grep -q 'Name="method".*rkl2' m.xdmf
rm -f m.*
quiet bruss2d -p m=20 --precision float --backend seq --steps 10 --probe 7 --out float.csv
[ "$(rows float.csv)" -eq 1 ] || fail "float.csv: $(cat float.csv)"
if [ "$json" = yes ]; then expect 0 '"values": {' bruss2d -p m=20 --steps 10 --probe 7 --monitor rms --json; fi

# --- HDF5
if [ "$hdf5" = yes ]; then
    for problem in "string --size 400" "bruss2d -p m=20 --precision float" "bruss2d -p m=20"; do
        # shellcheck disable=SC2086
        {
        quiet $problem --steps 70 --out one.h5 --out whole.npy
        quiet $problem --steps 0 --in one.h5 --out again.npy
        same whole.npy again.npy
        quiet $problem --steps 70 --every 20 --out many.h5 --out "m-%d.npy"
        quiet $problem --steps 0 --in many.h5:/state --out again.npy
        same whole.npy again.npy
        }
    done
    quiet string --size 20 --steps 5 --out line.h5
    check "the XDMF file names the data" grep -q '>line.h5:/components/0/1</DataItem>' line.xdmf
    cp line.h5 UPPER.HDF5
    quiet string --size 20 --steps 5 --out Upper.H5 --out whole.npy
    for name in Upper.H5 Upper.H5:/state UPPER.HDF5; do
        quiet string --size 20 --steps 0 --in $name --out again.npy
        same whole.npy again.npy
    done
    expect 6 'no dataset nothing' string --size 20 --in line.h5:nothing
    expect 6 ' 10 x 2 reals.*22 components' string --size 22 --in line.h5
    expect 6 ' 5 x 20 x 20 x 2 reals.*882 components' bruss2d -p m=21 --in many.h5
    expect 6 'holds doubles' string --size 20 --in line.h5 --precision float
    expect 6 'No such file' string --size 20 --in missing.h5
    printf 'no file of that kind' >broken.h5
    expect 6 'is not an HDF5 file' string --size 20 --in broken.h5
    head -c 1500 line.h5 >short.h5
    expect 6 'short.h5' string --size 20 --in short.h5
    # a component, which is a view of the state in the same file
    quiet string --size 10 --steps 0 --in line.h5:/components/0/1 --out view.npy
    quiet string --size 20 --steps 0 --in line.h5 --out again.npy
    od -An -v -tx8 -w8 -j128 view.npy | tr -d ' ' >a
    od -An -v -tx8 -w16 -j128 again.npy | awk '{ print $2 }' >b
    same a b
    [ "$(wc -l <a)" -eq 10 ] || fail "view.npy has not ten reals"
    # files that lead to other files, to themselves or to nothing
    mkfifo pipe.h5
    expect 6 'pipe.h5 is not a regular file' string --size 20 --in pipe.h5
    rm pipe.h5
    hostile=$EULERCL_TEST_PLUGINS/../hostile_hdf5
    if [ -x "$hostile" ]; then
        head -c 160 /dev/zero >secret
        # XDMF for VTK and meshio: points and cells are listed, and each dataset has the shape and the type that is said of it
        # (of squares, a column, a point, a row)
        while read -r name cells points problem; do
            # shellcheck disable=SC2086
            {
            quiet $problem --steps 3 --out $name.h5
            quiet $problem --steps 3 --every 1 --out $name-series.h5
            }
            [ "$("$hostile" list /mesh/cells $name.h5)" = "$(echo "$cells" | tr _ ' ')" ] && pass || fail "$name: cells $("$hostile" list /mesh/cells $name.h5)"
            [ "$("$hostile" list /mesh/points $name.h5)" = "$(echo "$points" | tr _ ' ')" ] && pass || fail "$name: points $("$hostile" list /mesh/points $name.h5)"
            for file in $name $name-series; do
                sed -n 's/^<DataItem Dimensions="\([0-9 ]*\)" NumberType="[A-Z][a-z]*" Precision="\(.\)" Format="HDF">\(.*\):\(.*\)<.*/\3 \4 \1, \2/p' $file.xdmf >items
                [ "$(wc -l <items)" -eq "$(grep -c '<DataItem' $file.xdmf)" ] && grep -q . items && pass || fail "$file.xdmf: $(cat $file.xdmf)"
                while read -r target dataset shape; do
                    [ "$target" = $file.h5 ] && [ "$("$hostile" list "$dataset" $target | sed 's/:.*//')" = "$shape" ] && pass || fail "$file.xdmf: $target $dataset is not $shape"
                done <items
            done
            case $name in
            squares) topology='Quadrilateral" NumberOfElements="2"' ;;
            point) topology='Polyvertex" NumberOfElements="1" NodesPerElement="1"' ;;
            *) topology='Polyline" NumberOfElements="2" NodesPerElement="2"' ;;
            esac
            for file in $name $name-series; do
                [ "$(grep -c "^<Topology TopologyType=\"$topology>\$" $file.xdmf)" = "$(grep -c '<Topology' $file.xdmf)" ] && pass || fail "$file.xdmf: $(grep '<Topology' $file.xdmf)"
                [ "$(grep -c '<Attribute.* AttributeType="Scalar" Center="Node">$' $file.xdmf)" = "$(grep -c '<Attribute' $file.xdmf)" ] && pass || fail "$file.xdmf: $(grep '<Attribute' $file.xdmf)"
            done
            # meshio reads a single state that is no collection, has no time, and whose facts have a text
            [ "$(grep -c '<Grid' $name.xdmf)" = 1 ] && ! grep -q '<Time' $name.xdmf && pass || fail "$name.xdmf is a collection"
            [ "$(sed -n '/<Grid/,/<.Grid/p' $name.xdmf | grep -c '<Information.*<main/>')" = "$(grep -c '<Information' $name.xdmf)" ] && pass || fail "$name.xdmf: facts"
            [ "$(grep -c '<Time' $name-series.xdmf)" = 4 ] && [ "$(grep -c 'GridType="Collection"' $name-series.xdmf)" = 1 ] && pass || fail "$name-series.xdmf"
        done <<END
squares 2_4,_4:_0_1_4_3_1_2_5_4 6_3,_4:_0_0_0_1_0_0_2_0_0_0_1_0_1_1_0_2_1_0 $sources/tests/problems/torus.c -p columns=3 -p rows=2 --precision float
column 2_2,_4:_0_1_1_2 3_3,_4:_0_0_0_0_1_0_0_2_0 $sources/tests/problems/torus.c -p columns=1 -p rows=3
point 1_1,_4:_0 1_3,_4:_0_0_0 $sources/tests/problems/torus.c -p columns=1 -p rows=1
row 2_2,_4:_0_1_1_2 3_3,_4:_0_0_0_1_0_0_2_0_0 string --size 6
END
        # more than a slab of points
        quiet string --size 140000 --steps 0 --out slabs.h5
        cat >values.c <<'C'
#define ODE_NAME values
#define ODE_TITLE "numbers of no grid"
#define ODE_SIZE size
#define ODE_ACCESS_DISTANCE 0
#define ODE_PARAMETERS(REAL, INTEGER) INTEGER(size, 1, 1, 1e9, "", "numbers")
#include <eulercl/ode_problem.h>
ODE_EVAL_COMP( return 0 * Y(i); )
ODE_INITIAL( Y0(0) = 0; )
C
        quiet values.c --size 210000 --precision float --steps 0 --in slabs.h5:/mesh/points --out points.npy
        od -An -v -tf4 -w12 -j128 points.npy | awk '$1 != NR - 1 || $2 != 0 || $3 != 0 { exit 1 } END { if (NR != 70000) exit 1 }' && pass || fail "points of two slabs"
        [ "$("$hostile" list /mesh/cells slabs.h5)" = "69999 2, 4:" ] && pass || fail "cells of two slabs"
        rm -f slabs.h5 items
        "$hostile" data other.h5 || fail "hostile_hdf5"
        while read -r kind code words; do
            "$hostile" "$kind" hostile.h5 && expect "$code" "$words" string --size 20 --steps 0 --in hostile.h5
            if [ "$code" -eq 6 ]; then expect 6 'hostile.h5' string --resume hostile.h5 --steps 1; fi
        done <<'END'
plain 0 n = 20
view 0 n = 20
parameters-link 0 n = 20
null-text 0 n = 20
external-storage 6 reals of dataset state are in another file
external-link 6 dataset state is in another file
soft-link 6 dataset state is in another file
soft-loop 6 no dataset state
view-elsewhere 6 dataset state is made of those of another file
endless-view-elsewhere 6 dataset state is made of those of another file
view-of-link 6 dataset /away is in another file
view-of-itself 6 dataset /state is virtual
view-of-view 6 dataset /view is virtual
view-of-nothing 6 no dataset /data
view-of-halves 0 n = 20
view-of-a-half-twice 6 dataset state has parts that no other fills
endless-view 6 no dataset /block-%b
view-beyond 6 more than dataset /data has
view-of-a-part 6 parts that no other fills
END
        # The parts of a file are examined, too.
        "$hostile" view-of-part whole.h5
        part=other.AAAAAA.0.h5
        expect 6 "whole.h5: its part $part is missing or damaged" string --size 20 --in whole.h5
        mkfifo $part && expect 6 "whole.h5: its part $part is missing or damaged" string --size 20 --in whole.h5
        rm $part && echo nothing >$part && expect 6 "whole.h5: its part $part is missing or damaged" string --size 20 --in whole.h5
        "$hostile" plain $part && expect 0 'n = 20' string --size 20 --steps 0 --in whole.h5
        "$hostile" data $part && expect 6 "whole.h5: its part $part: it has no dataset /state" string --size 20 --in whole.h5
        "$hostile" external-storage $part && expect 6 "its part $part: the reals of dataset /state are in another file" string --size 20 --in whole.h5
        "$hostile" view-of-itself $part && expect 6 "its part $part: dataset /state is virtual" string --size 20 --in whole.h5
        "$hostile" view-of-part $part && expect 6 "its part $part: dataset /state is virtual" string --size 20 --in whole.h5
        "$hostile" external-link $part && expect 6 "its part $part: dataset /state is in another file" string --size 20 --in whole.h5
        rm -f whole.h5 $part
        expect 6 'cannot be resumed: its checksum is missing' string --resume hostile.h5 --steps 1
        rm -f hostile.h5 other.h5 secret
    fi
else
    expect 4 'without HDF5' string --size 20 --out x.h5
    expect 4 'without HDF5' string --size 20 --in x.h5
    expect 4 'without HDF5' string --size 20 --in X.H5:/state
fi

# --- a file in the place of the growing table that no run has made is left as it is
echo thesis >victim
for kind in symbolic second regular; do
    case $kind in symbolic) ln -s victim t.csv.part ;; second) ln victim t.csv.part ;; regular) mkfifo t.csv.part ;; esac
    expect 6 "t.csv: .*$kind" string --size 20 --probe 1 --out t.csv
    check "victim" grep -q '^thesis$' victim
    [ -L t.csv.part ] || [ -p t.csv.part ] || [ t.csv.part -ef victim ] && [ ! -e t.csv ] && pass || fail "$kind: $(ls -l t.csv* victim)"
    rm -f t.csv.part
done
echo old >t.csv.part    # a file of a run that was killed
quiet string --size 20 --probe 1 --out t.csv
[ "$(rows t.csv)" -eq 1 ] && ! grep -q old t.csv && pass || fail "over an old t.csv.part: $(cat t.csv)"
rm -f t.csv victim
# a file that is put in the place of the table under way is neither renamed nor removed
"$eulercl" solve bruss2d -p m=60 --backend seq --steps 1e9 --every 200 --monitor l2 --out t.csv >out 2>err &
run=$!
for _ in 0 1 2 3 4 5 6 7 8 9; do
    for _ in 0 1 2 3 4 5 6 7 8 9; do
        [ "$(rows t.csv.part)" -lt 1 ] || break 2
        sleep 0.1
    done
done
rm -f t.csv.part && echo mine >t.csv.part
kill -INT $run
wait $run
[ "$(cat t.csv.part)" = mine ] && [ ! -e t.csv ] && grep -q '^eulercl: cannot write t.csv: t.csv.part was replaced meanwhile$' err && pass || fail "a table that was replaced: $(cat err; ls)"
rm -f t.csv.part

# --- a pipe may never have a byte
mkfifo pipe.npy
expect 6 'pipe.npy is not a regular file' string --size 20 --in pipe.npy
rm pipe.npy
expect 6 'is not a regular file' string --size 20 --in /dev/zero

# --- files beside a file are checked before the run, too
mkdir taken.xdmf taken.npy.json
[ "$hdf5" = no ] || expect 6 'taken.xdmf.*not a regular' string --size 20 --steps 1e9 --out taken.h5
[ "$json" = no ] || expect 6 'taken.npy.json.*not a regular' string --size 20 --steps 1e9 --out taken.npy
rmdir taken.xdmf taken.npy.json

# --- a name that is no text is written all the same
bytes=$(printf 'b\351-%%d')
quiet string --size 20 --steps 4 --every 2 --out "$bytes.npy"
check "a name that is no text" test -s "$(printf 'b\351')-2.npy"
[ "$json" = no ] || check "the command in UTF-8" grep -q -- '--out b?-%d.npy"' "$(printf 'b\351')-2.npy.json"

# --- pictures and animations
if [ "$png" = yes ]; then
    quiet bruss2d -p m=20 --steps 40 --every 20 --out p-%02d.png
    for f in p-00.png p-01.png p-02.png; do [ "$(od -An -tx1 -N4 $f | tr -d ' \n')" = 89504e47 ] || fail "$f is no PNG"; done
    quiet bruss2d -p m=20 --steps 40 --every 20 --range 0,2 --out r-%d.png
    cmp -s r-0.png p-00.png && fail "--range changes nothing"
    check "what the picture says of its run" grep -aq 'steps.20' p-01.png
    if ffmpeg -version >/dev/null 2>&1; then
        quiet bruss2d -p m=20 --steps 40 --every 20 --out a.apng
        check "a.apng is an animation" grep -aq acTL a.apng
    fi
    mkdir stub && printf '#!/bin/sh\ncat >/dev/null\n' >stub/ffmpeg && chmod +x stub/ffmpeg     # it ends well and has written nothing
    PATH=$scratch/stub:$PATH "$eulercl" solve string --size 20 --steps 10 --every 10 --out b.apng >out 2>err
    [ $? -eq 6 ] && grep -q '^eulercl: cannot write b.apng: ffmpeg wrote nothing$' err && [ ! -e b.apng ] && pass || fail "an empty animation: $(cat err)"
    rm -rf stub
    PATH=$scratch/nothing "$eulercl" solve string --size 20 --every 10 --out b.apng >out 2>err
    [ $? -eq 4 ] && grep -q 'cannot run ffmpeg' err && [ ! -e b.apng ] && pass || fail "without ffmpeg: $(cat err)"
else
    expect 4 'without Cairo' string --size 20 --out x.png
    expect 4 'without Cairo' string --size 20 --every 10 --out x.apng
fi
nothing_left "all of this"

# --- a run that ends early keeps its series, and nothing else
series=series.csv
[ "$hdf5" = no ] || series="series.h5 --out series.csv"
# shellcheck disable=SC2086
expect 5 'component' bruss2d -p m=20 --h 10 --every 1 --monitor linf --out $series --out final.npy.new.npy
check "the table of a run that blew up" grep -q '^0,0,6$' series.csv
check "why it ended" grep -q '^# ended: .*not-a-number\|^# ended: .*infinite' series.csv
[ ! -e final.npy.new.npy ] || fail "a final state of a run that blew up"
rm -f series.*
long="bruss2d -p m=60 --backend seq --steps 1e9 --every 200 --monitor l2"
# shellcheck disable=SC2086
"$eulercl" solve $long --out $series --out final.new.npy >out 2>err &
run=$!
for _ in 0 1 2 3 4 5 6 7 8 9; do
    for _ in 0 1 2 3 4 5 6 7 8 9; do
        [ "$(rows series.csv.part)" -lt 3 ] || break 2
        sleep 0.2
    done
done
[ "$(rows series.csv.part)" -ge 3 ] && pass || fail "the table cannot be looked at while it grows"
[ ! -e series.csv ] || fail "a table that is not complete has its name"
# shellcheck disable=SC2086
expect 6 'busy' $long --out series.csv
kill -INT $run
wait $run
[ $? -eq 130 ] && pass || fail "SIGINT: $(cat err)"
[ "$(rows series.csv)" -ge 3 ] && pass || fail "SIGINT lost the table"
check "why it ended" grep -q '^# ended: ' series.csv
[ ! -e final.new.npy ] || fail "a final state of a run that was stopped"
[ "$hdf5" = no ] || quiet bruss2d -p m=60 --in series.h5 --steps 0
nothing_left "a run that was stopped"

# --- killed at any moment: under a name there is what was there before, or the whole
reference="bruss2d -p m=40 --backend seq --steps 6000 --every 1000 --monitor l2"    # 30 ms at least
files="--out k.csv --out k-%d.npy --out k.npy"
[ "$hdf5" = no ] || files="$files --out k.h5"
[ "$png" = no ] || files="$files --out k.png"
# shellcheck disable=SC2086
quiet $reference $files
mkdir whole
cp k.npy k-?.npy whole
[ "$hdf5" = no ] || "$eulercl" solve bruss2d -q -p m=40 --steps 0 --in k.h5 --out whole/h5.npy
killed=0
# timeout kills after this number of thousandths of a second
for ms in 5 12 20 30 40 50 60 75 90 110 130 160 200 250; do
    # shellcheck disable=SC2086
    timeout -s KILL 0.$(printf '%03d' $ms) "$eulercl" solve -q $reference $files >/dev/null 2>&1
    [ $? -eq 0 ] || killed=$((killed + 1))
    for f in k.npy k-0.npy k-3.npy k-6.npy; do cmp -s $f whole/$f || fail "killed after $ms ms: $f is no whole file"; done
    tail -n 1 k.csv | grep -q '^# [a-z_]*: [0-9]*$' || fail "killed after $ms ms: k.csv ends in $(tail -n 1 k.csv)"
    if [ "$hdf5" = yes ]; then
        "$eulercl" solve bruss2d -q -p m=40 --steps 0 --in k.h5 --out again.npy && cmp -s again.npy whole/h5.npy || fail "killed after $ms ms: k.h5 is no whole file"
    fi
done
[ $killed -ge 3 ] && pass || fail "only $killed runs were killed in time"
rm -f .eulercl-* ./*.part

# --- a disk that is full: in words, and nothing changed
# shellcheck disable=SC3045
if (ulimit -f 40) 2>/dev/null; then
    for f in big.npy big.h5 big.csv; do
        case "$hdf5 $f" in "no big.h5") continue ;; esac
        (trap '' XFSZ && ulimit -f 40 && exec "$eulercl" solve -q string --size 100000 --steps 3000 --every 1 --probe 1 --backend seq --out big-%d.npy --out $f) >out 2>err
        [ $? -eq 6 ] && [ "$(grep -c '^eulercl: cannot write' err)" -eq 1 ] && [ ! -e $f ] && [ ! -e big-0.npy ] && pass || fail "a full disk: $f: $(cat err; ls)"
    done
fi
# and a run that computes meanwhile does not go on for nothing
if (ulimit -f 40) 2>/dev/null; then
    (trap '' XFSZ && ulimit -f 40 && exec timeout 60 "$eulercl" solve -q string --size 100000 --steps 1e12 --every 1e11 --backend cpu --out big-%d.npy) >out 2>err
    [ $? -eq 6 ] && [ "$(grep -c '^eulercl: cannot write' err)" -eq 1 ] && [ "$(wc -l <err)" -eq 1 ] && pass || fail "a full disk during a step: $(cat err)"
fi
nothing_left "a full disk"

finish
