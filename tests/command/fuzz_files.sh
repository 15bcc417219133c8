#!/bin/sh
# Damaged and hostile files, given to every option that reads one: the exit status is a documented one, an error is one line, nothing crashes or hangs, and no file is
# left, changed or removed but what was asked for.
#
# SPDX-License-Identifier: BSD-2-Clause
. "$(dirname "$0")/../cli.sh"
damage=$EULERCL_TEST_PLUGINS/../damage
hostile=$EULERCL_TEST_PLUGINS/../hostile_hdf5
[ -x "$damage" ] || { echo "skipped: no program $damage"; exit 77; }
seed=${EULERCL_TEST_SEED:-2012}
ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}allocator_may_return_null=1
export ASAN_OPTIONS

# --- what is whole
mkdir whole
solve() { "$eulercl" solve -q string --size 20 "$@" || fail "solve $*"; }
solve --out whole/double.npy --out whole/three.npy
solve --precision float --out whole/float.npy
rm -f whole/*.json
for size in 200 400; do "$eulercl" tune string --size $size --device cpu --precision float --wisdom whole/w.wisdom >out 2>err || fail "tune: $(cat err)"; done
rm -f whole/*.lock
printf '# a list\nproblem=string size=40 backend=seq h=1e-4 steps=3\nproblem=string size=44 backend=cpu steps=2 series=two\n' >whole/list.runs
[ ! -e "$EULERCL_TEST_PLUGINS/forced_wave.so" ] || cp "$EULERCL_TEST_PLUGINS/forced_wave.so" whole/plugin.so
printf 'step,t,y[0]\n0,0,1\n' >whole/old.part
if [ "$hdf5" = yes ]; then
    solve --steps 10 --every 4 --out whole/series.h5
    solve --steps 10 --out whole/final.h5
    rm -f whole/*.xdmf
    for kind in plain view null-text external-storage external-link soft-link soft-loop parameters-link view-elsewhere view-of-part view-of-link view-of-itself view-of-view view-of-nothing \
        view-beyond view-of-a-part endless-view endless-view-elsewhere; do
        "$hostile" $kind whole/$kind.h5 || fail "hostile_hdf5 $kind"
    done
fi
files=$(ls whole | grep -v '^final\|^series')
[ "$hdf5" = no ] || files="$files final.h5 series.h5 final.h5 series.h5 final.h5 series.h5 final.h5 series.h5 double.npy float.npy w.wisdom"

# one_of WORD...: one of them, in $r
one_of() {
    state=$(((state * 1103515245 + 12345) % 2147483648))
    shift $((state / 65536 % $#))
    r=$1
}

# try FILE: a command that reads it, with its exit status checked; it is alone in a folder of its own
try() {
    input=$1
    case $input in
    *.npy) one_of "solve -q string --size 20 --steps 0 --in $input --out new.npy" "solve -q string --size 20 --steps 2 --precision float --in $input --out new.csv --probe 3" \
        "compare string --size 20 --steps 3 --backends seq --reference $input" "solve string --size 20 --h auto --steps 1 --in $input --json" ;;
    *.h5) one_of "solve -q string --size 20 --steps 0 --in $input --out new.npy" "solve -q string --size 10 --steps 0 --in $input:/components/0/1 --out new.npy" \
        "solve -q string --resume $input --steps 3 --out new.npy" "solve string --size 20 --steps 1 --in $input --json" "compare string --size 20 --steps 3 --backends seq --reference $input" ;;
    *.wisdom) one_of "wisdom --wisdom $input" "wisdom --wisdom $input show --json" "wisdom --wisdom new.wisdom import $input" "solve -q string --size 200 --precision float --steps 50 --wisdom $input" \
        "wisdom --wisdom $input export new.wisdom" "solve string --size 400 --precision float --steps 50 --wisdom $input --json" ;;
    *.runs) r="bench --runs $input --seconds 0.0001 --repeats 1" ;;
    *.so) r="solve -q ./$input --steps 1 --out new.npy" ;;
    *.part) r="solve -q string --size 20 --steps 1 --probe 1 --out new.csv" ;;
    esac
    command=$r
    # shellcheck disable=SC2086
    timeout -s KILL 20 "$eulercl" $command >../out 2>../err </dev/null
    got=$?
    lines=$(wc -l <../err)
    case $got in
    0) [ "$lines" -eq 0 ] || grep -q '^eulercl: .*note\|^eulercl: --in' ../err || { echo "words without an error"; return 1; } ;;
    2 | 3 | 4 | 5 | 6 | 7 | 8 | 130) [ "$lines" -eq 1 ] && grep -q '^eulercl: ' ../err || { echo "an error that is not one line"; return 1; } ;;
    *) echo "exit $got"; return 1 ;;
    esac
    ! LC_ALL=C tr -d '\n' <../err | LC_ALL=C grep -q '[[:cntrl:]]' || { echo "control characters in a message"; return 1; }
    allowed='new.npy new.npy.json new.csv new.wisdom new.wisdom.lock'
    [ $got -eq 0 ] || allowed=new.wisdom.lock
    for file in .[!.]* *; do
        case " $allowed " in *" $file "*) continue ;; esac
        [ "$file" != "$input" ] || continue
        [ -e "$file" ] || [ -L "$file" ] || continue
        echo "$file was left"
        return 1
    done
    [ $got -ne 0 ] || case $command in *'--out new.npy'*) [ -s new.npy ] || { echo "no new.npy"; return 1; } ;; esac
}

# one_case NUMBER
one_case() {
    number=$1
    state=$(((seed * 7919 + number * 104729) % 2147483648))
    rm -rf case
    mkdir case
    # shellcheck disable=SC2086
    one_of $files
    name=$r
    input=$name
    [ "$name" != old.part ] || input=new.csv.part
    one_of whole special damaged damaged damaged damaged damaged damaged damaged damaged damaged damaged
    what=$r
    case $what in
    whole) cp "whole/$name" "case/$input" ;;
    special)
        one_of fifo link loop folder device second
        [ "$r $name" != 'fifo list.runs' ] || r=folder      # a list may come through a pipe
        what=$r
        case $r in
        fifo) mkfifo "case/$input" ;;
        link) ln -s nowhere "case/$input" ;;
        loop) ln -s "$input" "case/$input" ;;
        folder) mkdir "case/$input" ;;
        device) ln -s /dev/zero "case/$input" ;;
        second) ln "whole/$name" "case/$input" ;;
        esac
        ;;
    *)
        case $name in
        *.so) one_of 0 10 63 64 700 3000 9000 12000 15000; head -c $r "whole/$name" >"case/$input" ;;      # other bytes would be other code
        *) "$damage" $((seed * 1000003 + number)) "whole/$name" "case/$input" || fail "damage" ;;
        esac
        ;;
    esac
    before=$(ls -ld "case/$input" | cut -c1; [ ! -f "case/$input" ] || cksum <"case/$input")
    (cd case && try "$input") >said || { fail "EULERCL_TEST_SEED=$seed EULERCL_TEST_FIRST=$number EULERCL_TEST_CASES=1: $name ($what): $(cat said): $(head -c 300 err)"; return; }
    after=$(ls -ld "case/$input" 2>&1 | cut -c1; [ ! -f "case/$input" ] || cksum <"case/$input")
    # a table that was left by a run that was killed becomes the new one; wisdom may learn
    case "$before" in
    "$after") pass ;;
    -*) case $name in old.part) pass ;; *) fail "EULERCL_TEST_SEED=$seed EULERCL_TEST_FIRST=$number EULERCL_TEST_CASES=1: $name ($what) has changed" ;; esac ;;
    *) fail "EULERCL_TEST_SEED=$seed EULERCL_TEST_FIRST=$number EULERCL_TEST_CASES=1: $name ($what) was '$before' and is '$after'" ;;
    esac
}

# --- what once failed: libhdf5 1.10.8 crashes on these, and does not come to an end on a heap that is damaged
number=0
state=0
if [ "$hdf5" = yes ]; then
    for which in soft-link.h5:2012006324; do
        for option in --in --resume; do
            rm -rf case
            mkdir case
            "$damage" ${which#*:} whole/${which%:*} case/input.h5 || fail "damage"
            "$eulercl" solve -q string --size 20 $option case/input.h5 --steps 1 >out 2>err
            [ $? -eq 6 ] && [ "$(wc -l <err)" -eq 1 ] && pass || fail "$which: $option: $(head -c 300 err)"
        done
    done
fi

if [ "$hdf5" = yes ]; then
    "$hostile" endless-heap case/endless.h5 || fail "endless-heap"
    timeout -s KILL 60 "$eulercl" solve string --resume case/endless.h5 --steps 1 >out 2>err
    [ $? -eq 6 ] && grep -q '^eulercl: case/endless.h5 is damaged: the HDF5 library does not come to an end on it$' err && pass || fail "endless-heap: $(head -c 300 err)"
fi

# --- random ones
first=${EULERCL_TEST_FIRST:-0}
number=$first
last=$((first + $(cases 30 1000)))
while [ $number -lt $last ]; do
    one_case $number
    number=$((number + 1))
done

# --- damaged checkpoints: each is refused in one line, or continued with the right bits
[ "$hdf5" = yes ] || { finish; exit; }
solve --steps 10 -p K=3 --checkpoint whole/check.h5
solve --precision float --steps 10 --every 4 --out whole/series.h5 # damage reads half a MiB
"$eulercl" solve -q bruss2d -p m=4 --tol 1e-3 --steps 20 --checkpoint whole/tol.h5 || fail "a checkpoint with a tolerance"
for name in check tol final series; do
    [ $name = tol ] && problem=bruss2d || problem=string
    "$eulercl" solve -q $problem --resume whole/$name.h5 --steps 5 --backend seq --out whole/$name.npy || fail "$name cannot be resumed"
done
number=$first
last=$((first + $(cases 12 4000)))
refused=0
while [ $number -lt $last ]; do
    case $((number % 8 / 2)) in 0) name=tol ;; 1) name=final ;; 2) name=series ;; 3) name=check ;; esac
    [ $name = tol ] && problem=bruss2d || problem=string
    "$damage" $((seed * 1000003 + number)) whole/$name.h5 damaged.h5 || fail "damage"
    rm -f new.npy
    timeout -s KILL 60 "$eulercl" solve -q $problem --resume damaged.h5 --steps 5 --backend seq --out new.npy >out 2>err </dev/null
    got=$?
    case $got in
    0) cmp -s new.npy whole/$name.npy && [ ! -s err ] ;;
    6) refused=$((refused + 1)) && [ "$(wc -l <err)" -eq 1 ] && [ ! -e new.npy ] ;;
    *) false ;;
    esac && pass || fail "EULERCL_TEST_SEED=$seed EULERCL_TEST_FIRST=$number EULERCL_TEST_CASES=1: a damaged $name.h5: exit $got: $(head -c 300 err)"
    number=$((number + 1))
done
echo "$refused of $((last - first)) damaged checkpoints were refused"
finish
