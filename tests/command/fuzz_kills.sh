#!/bin/sh
# Runs of eulercl solve with checkpoints that are ended at random moments, in random ways, and go on from what they left, until they are done: the final state has the
# bits of a run in one piece; every file under its own name is whole; nothing private is left, but by SIGKILL; the exit status is a documented one.
#
# SPDX-License-Identifier: BSD-2-Clause
. "$(dirname "$0")/../cli.sh"
export eulercl
[ "$hdf5" = yes ] || { echo "skipped: a command without HDF5 has no checkpoints"; exit 77; }
state=${EULERCL_TEST_SEED:-2012}
# below N: a number from 0 to N - 1, in $r
below() {
    state=$(((state * 1103515245 + 12345) % 2147483648))
    r=$((state / 65536 % $1))
}
one_of() {
    below $#
    shift $r
    r=$1
}
ways="KILL TERM INT-INT TERM-INT XCPU $hup limit wall"
if unshare -rm sh -c 'mkdir disk && mount -t tmpfs -o size=64k none disk' 2>/dev/null; then ways="$ways disk"; else echo "no full disks: no namespaces for users"; fi
rm -rf disk

# end_it WAY AMOUNT: run the command, end it after AMOUNT milliseconds (limit: with AMOUNT kilobytes for a file; disk: for all), status in $got
end_it() {
    way=$1
    delay=0.$(printf '%03d' $2)
    case $way in
    limit) (ulimit -f $(($2 / 4 + 1)) && eval "exec $run") >out 2>err ;;
    wall) eval "$run --wall-time $delay" >out 2>err ;;
    disk)
        mkdir disk
        room=$(($(cat c.h5* 2>/dev/null | wc -c) / 1024 + 16 + $2 * 2))
        # shellcheck disable=SC2016
        run="$run" unshare -rm sh -c 'mount -t tmpfs -o size='$room'k none disk && { cp c.h5* disk 2>/dev/null; :; } && cd disk && eval "$run" >../out 2>../err
            got=$?
            cd .. && { mv disk/* disk/.eulercl-* . 2>/dev/null; exit $got; }'
        ;;
    *)
        eval "exec $run" >out 2>err &
        pid=$!
        sleep $delay
        kill -${way%-*} $pid 2>/dev/null
        case $way in *-*) sleep 0.00$((state / 65536 % 10)); kill -${way#*-} $pid 2>/dev/null ;; esac
        wait $pid 2>/dev/null
        ;;
    esac
    got=$?
    [ $way != disk ] || rmdir disk 2>/dev/null
}

# documented WAY: the exit status, and one line where there is an error that is told
documented() {
    lines=$(wc -l <err)
    # a signal while a driver compiles: Clang in it has its own words, and may make it an error of the compiler
    case "$backend $got" in
    'cl-linear 8') ! grep -q 'OpenCL compiler' err || return 0 ;;
    'cl-linear 130') ! grep -q 'error generated' err || return 0 ;;
    esac
    case "$1 $got" in
    *' 0') [ "$lines" -eq 0 ] ;;
    'KILL 137' | 'INT-INT 130' | 'TERM-INT 130') [ "$lines" -le 1 ] ;;
    'TERM 130' | 'XCPU 130' | 'HUP 130' | 'wall 130') [ "$lines" -eq 1 ] ;;
    'limit 6' | 'disk 6') [ "$lines" -eq 1 ] && grep -q '^eulercl: cannot write' err ;;
    # before signals are caught
    'TERM 143' | 'TERM-INT 143' | 'HUP 129' | 'XCPU 152') [ "$lines" -eq 0 ] ;;
    *) false ;;
    esac
}

# whole: the files under their own names
whole() {
    for f in *.npy; do
        [ ! -e "$f" ] || [ "$(wc -c <"$f")" -eq $bytes ] || { echo "$f is no whole file"; return 1; }
    done
    for f in c.h5 c.h5.old s.h5; do
        [ ! -e $f ] || "$eulercl" solve -q $problem --backend seq --resume $f --steps 0 --out read.npy || { echo "$f"; return 1; }
    done
    [ ! -e c.h5.old ] || [ -e c.h5 ] || { echo "no c.h5 beside c.h5.old"; return 1; }
    [ ! -e t.csv ] || tail -n 1 t.csv | grep -q '^# ' || { echo "t.csv is not whole"; return 1; }
}

# t is in its equations
wave=${EULERCL_TEST_PLUGINS-}/forced_wave.so
[ -e "$wave" ] || wave=$sources/tests/problems/forced_wave.c
ended=0
# case NUMBER: its own random numbers, so that one alone can be repeated: EULERCL_TEST_FIRST=NUMBER EULERCL_TEST_CASES=1
one_case() {
    state=$(((${EULERCL_TEST_SEED:-2012} * 7919 + $1 * 104729) % 2147483648))
    rm -rf ./*.npy* ./*.h5* ./*.xdmf ./*.csv* .eulercl-*
    one_of "string --size 6000" "bruss2d -p m=40" "$wave -p points=3000"
    problem=$r
    one_of float double
    precision=$r
    one_of 0.0023 0.0001 0.0007
    h=$r
    below 6000
    end=$(awk "BEGIN { printf \"%.10g\", $h * (6000 + $r + $r % 3 / 3) }")
    setting="--precision $precision --h $h"
    # shellcheck disable=SC2086
    "$eulercl" solve -q $problem $setting --t-end $end --backend cpu --out reference.npy || { fail "case $1: no reference"; return; }
    bytes=$(wc -c <reference.npy)
    log=
    for piece in 1 2 3 4 5 last; do
        # shellcheck disable=SC2086
        one_of $ways
        way=$r
        one_of seq seq cpu pthreads cl-linear
        backend=$r
        # the driver's compiler needs its cache
        case "$opencl $backend $way" in 'no cl-linear '* | *'cl-linear limit' | *'cl-linear disk') backend=cpu ;; esac
        one_of 500 1234 t=0.31 0.01s 0.002s
        run="\"\$eulercl\" solve -q $problem --backend $backend --t-end $end --checkpoint c.h5 --checkpoint-every $r --out final.npy"
        one_of "" "" "--every 900 --out s.h5" "--every 700 --out n-%d.npy" "--every 800 --probe 3 --monitor l2 --out t.csv"
        run="$run $r"
        [ ! -e c.h5 ] || run="$run --resume c.h5"
        [ -e c.h5 ] || run="$run $setting"
        below 160
        if [ $piece = last ]; then way='no end' got=0; eval "$run" >out 2>err || got=$?; else end_it $way $((r + 20)); fi
        log="$log; $way $((r + 20)): $got"
        documented "$way" || { fail "case $1$log: $run: exit $got: $(head -n 3 err)"; return; }
        left=$(find . -name '.eulercl-*' -o -name '*.part')
        [ -z "$left" ] || [ $way = KILL ] || { fail "case $1$log: $run left $left"; return; }
        rm -f .eulercl-* ./*.part
        ended=$((ended + (got != 0)))
        whole >checked 2>&1 || { fail "case $1$log: $run: $(head -n 3 checked)"; return; }
        rm -f read.npy* s.h5 s.xdmf n-*.npy* t.csv
        [ $got -ne 0 ] || break
        [ ! -e final.npy ] || break        # a second signal came after it
    done
    cmp -s reference.npy final.npy && pass || fail "case $1$log: other bits than in one piece"
}
first=${EULERCL_TEST_FIRST:-0}
number=$first
count=$(cases 4 100)
while [ $number -lt $((first + count)) ]; do
    one_case $number
    number=$((number + 1))
done
echo "$ended runs were ended early"
finish
