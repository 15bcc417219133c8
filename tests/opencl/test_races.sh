#!/bin/sh
# The real kernels under oclgrind, which sees every access: no data race, no access out of bounds, no barrier that only some items reach;
# and the same bits as seq. Small sizes, since it is slow: ends, tails that are no multiple of four, one point, more items than work.
# In make check a few tuples, in check-long more; with the level all (see tests/local.mk) one round: all programs of the built-in problems, and of the others
# a variant and a precision each.
# EULERCL_TEST_TUPLES is how many tuples of tests/opencl/races.c run (320 are one round through all programs), and two fifths as many of those for cl-register
# (128 are a round; the next has other tiles), and a twentieth as many of its variant pipeline and of volumes.
here=$(cd "$(dirname "$0")" && pwd)
eulercl=${EULERCL:-$PWD/cli/eulercl}
races=${EULERCL_RACES:-$PWD/tests/races}
problems=$here/../problems
case ${EULERCL_TEST_LEVEL-} in
'') : "${EULERCL_TEST_TUPLES:=24}" ;;
long) : "${EULERCL_TEST_TUPLES:=64}" ;;
esac
tuples=${EULERCL_TEST_TUPLES:-320}
command -v oclgrind >/dev/null || { echo "oclgrind is not installed"; exit 77; }
[ -x "$eulercl" ] || { echo "no command at $eulercl"; exit 77; }
scratch=$(mktemp -d "${TMPDIR:-/tmp}/test_races.XXXXXX") || exit 99
trap 'rm -rf "$scratch"' EXIT
# A program with the address sanitizer in it does not start under oclgrind.
oclgrind "$eulercl" devices >"$scratch/devices" 2>&1
grep -q Oclgrind "$scratch/devices" || { echo "oclgrind does not run here: $(head -n 1 "$scratch/devices")"; exit 77; }

# ---- tiles: many tuples in each of two processes. Both streams go to one file, so reports follow the line of their tuple. ----

# run FILE FIRST COUNT [-R | -m TEXT]... -R without optimizations: oclgrind compares every index with its array's size, and an optimizer addresses one array of a
# structure from another.
run() {
    file=$scratch/$1
    shift
    if [ "$3" = -R ]; then plainly=-cl-opt-disable; else plainly=; fi
    oclgrind --build-options "$plainly" --data-races --uniform-writes "$races" "$@" >>"$file" 2>&1
    echo "exit $?" >>"$file"
}
# Checks of both lists: `faulty` tuples are those with reports or other bits.
common='
    function bad(line) { if (!(tuple in faults)) print "FAIL: " tuple; if (faults[tuple]++ < 12) print line }
    /^tuple / { tuple = $0; ran++ }
    /^    same: / { same++; several += $2 > 2; inner += /, inner tiles/; tiles += $5 > 2; tuple = "after " tuple; next }
    /^ran / || /^exit 0$/ || /^$/ { next }
    !/^tuple / { bad($0) }
    function result() {
        for (t in faults) faulty++
        if (ran != tuples || same != ran) { print "FAIL: " tuples " tuples were to run with the bits of seq"; faulty++ }
    }'
failed=0
if [ -x "$races" ]; then
    case ${EULERCL_TEST_LEVEL-} in '') tolerant=4 ;; long) tolerant=8 ;; *) tolerant=16 ;; esac
    registers=$((tuples * 2 / 5)) pipelines=$((tuples / 20 + 1)) volumes=$((tuples / 20 + 1)) half=$((tuples / 2)) half_registers=$((tuples / 5))
    {
        if [ -n "$EULERCL_TEST_TUPLES" ]; then run tuples.0 0 $half; else run tuples.0 0 64; fi
        run registers.0 0 $half_registers -R
        run pipelines.0 0 128 -R -P -m ' registers pipeline ' -n $pipelines
        run volumes.0 0 128 -R -V -n $volumes
        run tolerance.0 0 $tolerant -R -T
    } &
    {
        if [ -n "$EULERCL_TEST_TUPLES" ]; then
            run tuples.1 $half $((tuples - half))
        else
            run tuples.1 64 128 -m ' vector ' -m ' float '
            run tuples.1 192 128 -m ' scalar ' -m ' double '
        fi
        run registers.1 $half_registers $((registers - half_registers)) -R
        # One of each kind of tile: string in double, bruss2d in float.
        for first in 0 8 16 24 34 42 50 58; do run tolerance.1 $first $((tolerant / 4)) -T; done
    } &
    wait
    [ -n "$EULERCL_TEST_TUPLES" ] || tuples=128
    cat "$scratch"/tuples.* | awk -v tuples="$tuples" "$common"'
        /^tuple / {
            if ($3 == "string" || $3 == "bruss2d") combinations[$3 " " $5 " " $6 " " $7 " " $8] = 1
            programs[$3 " " $5 " " ($6 == "cl-column-diamond") " " $7 " " $8 " " $9 " " ($NF == "uncached")] = 1
            split($4, size, "=")
            tails += size[2] % 4 > 0
        }
        END {
            for (c in combinations) covered++
            for (p in programs) compiled++
            result()
            printf "%d tuples of %d programs, %d with the bits of seq, %d without reports; %d of three passes or more, %d with inner tiles, %d with tails\n", ran, compiled, same, ran - faulty,
                several, inner, tails
            # Two problems, six pairs of backend and storage, two variants, two precisions.
            if ((tuples == 128 || tuples >= 320) && covered != 48) { print "FAIL: " covered " of 48 combinations of backend, storage, variant and precision"; faulty++ }
            exit faulty > 0
        }' || failed=1
    cat "$scratch"/registers.* | awk -v tuples="$registers" "$common"'
        /^tuple / {
            combinations[$3 " " $5 " " ($8 == "stream")] = 1
            exchanges += !/exchange=[01] /
        }
        END {
            for (c in combinations) covered++
            result()
            printf "cl-register: %d tuples, %d with the bits of seq, %d without reports; %d of three passes or more, %d of three tiles or more, %d with halos computed along\n", ran, same,
                ran - faulty, several, tiles, exchanges
            # Nine problems in one dimension, seven in two with two ways to hold a tile; two precisions.
            if (tuples >= 128 && (covered != 46 || several * 3 < ran || tiles * 3 < ran)) { print "FAIL: " covered " of 46 combinations of problem, precision and kernel, or too few passes or tiles"; faulty++ }
            exit faulty > 0
        }' || failed=1
    cat "$scratch"/pipelines.* | awk -v tuples="$pipelines" "$common"'
        END {
            result()
            printf "variant pipeline: %d tuples, %d with the bits of seq, %d without reports; %d of three passes or more, %d of three tiles or more\n", ran, same, ran - faulty, several, tiles
            exit faulty > 0
        }' || failed=1
    cat "$scratch"/volumes.* | awk -v tuples="$volumes" "$common"'
        END {
            result()
            printf "volumes: %d tuples, %d with the bits of seq, %d without reports; %d of three passes or more, %d of three tiles or more\n", ran, same, ran - faulty, several, tiles
            exit faulty > 0
        }' || failed=1
    cat "$scratch"/tolerance.* | awk '
        / rejected, / {
            for (i = 2; i <= NF; i++) {
                if ($i == "steps,") steps += $(i - 1)
                if ($i == "rejected,") rejected += $(i - 1)
            }
        }'"$common"'
        END {
            tuples = ran # tiles of cl-register without room for a method with stages are left out
            result()
            printf "to a tolerance: %d tuples, %d with the bits of seq, %d without reports; %d steps, %d rejected ones\n", ran, same, ran - faulty, steps, rejected
            if (ran < 10 || steps < 20 || rejected < 20) { print "FAIL: too few tuples, steps or rejected ones"; faulty++ }
            exit faulty > 0
        }' || failed=1
else
    echo "no tuples: $races is not built (it needs Check)"
fi

# ---- through the command: cl-linear, and what cl-register has for methods of positions and velocities ----

passed=0
tile='--backend cl-linear --workgroup-size 8' with=
steps='--steps 3 --h 1e-3'
# check VARIANT PRECISION PROBLEM ARGUMENTS...
check() {
    variant=$1 precision=$2
    shift 2
    oclgrind --data-races --uniform-writes --log "$scratch/report" "$eulercl" solve "$@" $steps --precision "$precision" \
        $tile $with --variant "$variant" --device Oclgrind >"$scratch/out" 2>"$scratch/err"
    code=$?
    hash=$(grep '^hash' "$scratch/out")
    reference=$("$eulercl" solve "$@" $steps --precision "$precision" --backend seq | grep '^hash')
    if [ $code -ne 0 ] || [ -s "$scratch/report" ] || [ -z "$hash" ] || [ "$hash" != "$reference" ]; then
        echo "FAIL: $* $variant $precision: exit $code, '$hash' and '$reference'"
        head -n 20 "$scratch/report" "$scratch/err"
        failed=$((failed + 1))
    else
        passed=$((passed + 1))
    fi
    : >"$scratch/report"
}

for variant in vector strided chunked; do
    check "$variant" float string -p points=11
    [ -z "${EULERCL_TEST_LEVEL-}" ] || {
        for points in 1 10; do check "$variant" float string -p points=$points; done
        for m in 2 5; do check "$variant" float bruss2d -p m=$m; done
    }
    with='--workgroups 2'
    check "$variant" double bruss2d -p m=6
    with=
    check "$variant" float "$problems/diagonal.c" -p columns=5     # three components, periodic
done
check vector float "$problems/mirror2.c"
check vector double "$problems/heat_fields.c" -p columns=5
check vector float "$problems/string_thesis4.c" --size 22
steps='--steps 6 --tol 1e-2 --method bs32'
for variant in vector strided chunked; do check "$variant" float string -p points=11; done
[ -z "${EULERCL_TEST_LEVEL-}" ] || {
    # Values are flushed behind a stage that reads edges and hands none over.
    tile='--backend cl-register --steps-per-launch 2 --points-per-item 4 --rows-per-item 8 --workgroup-size 32 --workgroup-rows 4'
    steps='--steps 2 --h 0.05 --method symplectic4'
    check group double "$problems/membrane.c"
    # Sections of a step without carried values.
    tile='--backend cl-register --points-per-item 2 --workgroup-size 2'
    steps='--steps 3 --h 1e-3 --method verlet'
    check group double string -p points=20
    # One program for any number of stages, whose sections do not all end a step.
    tile='--backend cl-register --points-per-item 2 --rows-per-item 3 --workgroup-size 4 --workgroup-rows 2'
    steps='--steps 3 --tol 1e-2 --method rkc4'
    check group-any double bruss2d -p m=14
}

# What is computed from a state: observers, blocks and lists of points.
# select_from PRECISION MODE PROBLEM ARGUMENTS...
select_from() {
    precision=$1 mode=$2
    shift 2
    "$eulercl" solve "$@" --steps 1 --h 1e-4 --precision "$precision" --backend seq --thin "3:$mode" --smooth "$smoothing" --out "$scratch/blocks.npy" --extract '0 > 0.3' \
        --extract-to "$scratch/list.csv" --monitor "$observers" --out "$scratch/table.csv" -q
    for file in blocks.npy list.csv; do mv "$scratch/$file" "$scratch/wanted.$file"; done
    grep -v '^#' "$scratch/table.csv" >"$scratch/wanted.table"
    oclgrind --data-races --uniform-writes --log "$scratch/report" "$eulercl" solve "$@" --steps 1 --h 1e-4 --precision "$precision" --backend cl-linear \
        --workgroup-size 8 --device Oclgrind --thin "3:$mode" --smooth "$smoothing" --out "$scratch/blocks.npy" --extract '0 > 0.3' --extract-to "$scratch/list.csv" --monitor "$observers" \
        --out "$scratch/table.csv" -q >"$scratch/out" 2>"$scratch/err"
    code=$?
    grep -v '^#' "$scratch/table.csv" >"$scratch/seen.table"
    if [ $code -eq 0 ] && [ ! -s "$scratch/report" ] && cmp -s "$scratch/blocks.npy" "$scratch/wanted.blocks.npy" &&
        cmp -s "$scratch/list.csv" "$scratch/wanted.list.csv" && cmp -s "$scratch/seen.table" "$scratch/wanted.table"; then
        passed=$((passed + 1))
    else
        echo "FAIL: what is computed from $* $precision: exit $code"
        head -n 20 "$scratch/report" "$scratch/err"
        failed=$((failed + 1))
    fi
    : >"$scratch/report"
}
observers=mean:0,histogram:0:5:0:1,euler:0:0.3,length:0,front:0:0.3,correlation:0:3
smoothing=0
select_from float max bruss2d -p m=7
smoothing=2
select_from double mean string -p points=29
[ -z "${EULERCL_TEST_LEVEL-}" ] || {
    select_from float every bruss3d -p m=5
    select_from double mean bruss2d -p m=14
    select_from double min "$problems/diagonal.c" -p columns=5
}
echo "through the command: $passed passed"
[ "$failed" -eq 0 ]
