#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# test_mpi.sh - libeulercl-mpi, and the command under mpirun, with each MPI of Debian's that is installed: the library is compiled for each. Random systems have
# the bits of one process (mpi_cases.c); so have files; errors are said once, by all processes.
. "$(dirname "$0")/../cli.sh"
build=${EULERCL_TEST_BUILD:-$PWD}
OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_btl_vader_single_copy_mechanism=none
OMPI_MCA_mpi_yield_when_idle=1
export OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM OMPI_MCA_rmaps_base_oversubscribe OMPI_MCA_btl_vader_single_copy_mechanism OMPI_MCA_mpi_yield_when_idle
NO_COLOR=1 # mpirun gives processes a terminal
export NO_COLOR
compiler=${EULERCL_TEST_COMPILER:-cc}
libraries=$LD_LIBRARY_PATH

# compile_for MODULE: the library and mpi_cases for this MPI, in the folder MODULE.
compile_for() {
    mkdir -p "$1" &&
        # shellcheck disable=SC2046,SC2086
        $compiler -O1 -ffp-contract=off -fPIC -shared -I"$build" -I"$sources/include" -I"$sources/lib" $(pkg-config --cflags "$1") "$sources/mpi/mpi.c" -o "$1/libeulercl-mpi.so.0" \
            -Wl,-soname,libeulercl-mpi.so.0 -L"$build/lib/.libs" -leulercl $(pkg-config --libs "$1") &&
        $compiler -O1 -I"$build" -I"$sources/include" -I"$sources/lib" -I"$sources/tests" $(pkg-config --cflags "$1") "$sources/tests/windows/mpi_cases.c" "$sources/tests/support.c" -o "$1/mpi_cases" \
            "$1/libeulercl-mpi.so.0" "$build/tests/.libs/libproblems.a" -L"$build/lib/.libs" -leulercl $(pkg-config --libs "$1" check) -lm
}

# on N COMMAND...: on N processes, with a limit, since processes that wait for each other never end.
on() {
    n=$1
    shift
    timeout -k 5 300 "$run" -n "$n" "$@"
}
# says CODE PATTERN N ARGUMENTS...: the command on N processes ends with the code, and says the pattern in one line.
says() {
    code=$1 pattern=$2 n=$3
    shift 3
    on "$n" "$eulercl" "$@" >out 2>err </dev/null
    got=$?
    [ "$got" = "$code" ] || fail "$module, $n processes, $*: exit $got instead of $code: $(cat err)"
    said=$(cat out err | grep -c "$pattern")
    if [ "$said" = 1 ]; then pass; else fail "$module, $n processes, $*: '$pattern' was said $said times: $(cat out err)"; fi
}
# parts_of FILE.h5: its parts; none NAME: no file has this name, not even a hidden one.
parts_of() { ls | grep "^${1%.h5}\.[A-Za-z0-9]\{6\}\.[0-9]*\.h5$"; }
count_parts() { parts_of "$1" | wc -l | tr -d ' '; }
clean() { [ -z "$(find "$@" -name '*.h5' -o -name '.eulercl-*' | head -n 1)" ] || fail "$module: left over: $(find "$@" -name '*.h5' -o -name '.eulercl-*')"; }
# Files in parts: the state, its hash and what describes the run are those of one file, and a run goes on from them on any number of processes.
test_parts() {
    "$eulercl" $solve --steps 60 --every 20 --out whole.h5 --out last.npy >out || fail "solve"
    says 0 "^hash  *$one" 3 $solve --steps 60 --every 20 --parts --out series.h5 --out series.npy --checkpoint kept.h5 --checkpoint-every 7
    says 0 "^hash  *$one" 2 $solve --steps 60 --parts --out final.h5
    [ "$(count_parts series.h5),$(count_parts final.h5),$(count_parts kept.h5)" = 3,2,6 ] || fail "$module: parts: $(ls)"
    same last.npy series.npy
    for file in series.h5 final.h5 whole.h5; do # also through the views of components
        "$eulercl" solve -q bruss2d -p m=40 --in $file --steps 0 --out "$file.npy" >out || fail "$module: $file is not read: $(cat out)"
        same last.npy "$file.npy"
    done
    says 0 "^hash  *$one" 1 solve bruss2d --resume kept.h5.old --steps 4
    cp kept.h5 kept-too.h5
    says 0 "^hash  *$one" 1 solve bruss2d --resume kept-too.h5 --steps 0
    says 0 "^hash" 2 $solve --steps 33 --parts --out half.h5
    says 0 "^hash  *$one" 3 solve bruss2d --resume half.h5 --steps 27 --parts --checkpoint kept.h5
    # The parts of a file go with it: kept.h5.old is what kept.h5 was.
    [ "$(count_parts kept.h5)" = 6 ] || fail "$module: parts after another checkpoint: $(ls)"
    "$eulercl" solve bruss2d --resume kept.h5.old --steps 0 >out || fail "$module: kept.h5.old"
    for i in 1 2; do "$eulercl" $solve --steps 60 --checkpoint kept.h5 --out final.h5 >out || fail "$module: solve"; done
    [ "$(count_parts kept.h5),$(count_parts final.h5)" = 0,0 ] || fail "$module: parts of no file: $(ls)"
    # The general form, a line, one file for each snapshot, tolerances.
    for problem in "string --size 400 --h 1e-3" "$sources/examples/heat.c" "bruss2d -p m=40 --tol 1e-4" "bruss3d -p m=12 --h 1e-3"; do
        "$eulercl" solve $problem --steps 20 --every 10 --out one.h5 >out || fail "solve $problem"
        says 0 "^hash  *$(hash_of)" 3 solve $problem --steps 20 --every 10 --parts --out many.h5 --out many-%d.h5
        says 0 "^hash  *$(hash_of)" 2 solve "${problem%% *}" --resume many.h5 --steps 0
        says 0 "^hash  *$(hash_of)" 1 solve "${problem%% *}" --resume "$(ls many-?.h5 | tail -n 1)" --steps 0
    done
    # A series of a run that stops stays. A missing or damaged part is an error.
    says 5 "is infinite after step" 2 solve bruss2d -p m=40 --h 1 --steps 50 --every 2 --parts --out kept-series.h5
    [ "$(count_parts kept-series.h5)" = 2 ] || fail "$module: parts of a series: $(ls)"
    part=$(parts_of series.h5 | tail -n 1)
    mv "$part" away && expect 6 "series.h5: its part $part is missing or damaged" solve bruss2d --resume series.h5 --steps 1
    cp half.h5 "$part" && expect 6 "series.h5: its part $part" solve bruss2d --resume series.h5 --steps 1
    cp final.h5 "$part" && expect 6 "series.h5: dataset state is made of more than dataset /state has" solve bruss2d --resume series.h5 --steps 1
    rm -f ./*.h5 ./*.h5.old
    # Failures leave nothing.
    rm -rf here there && mkdir here there
    for there in here none there; do
        timeout -k 5 60 "$run" -n 1 "$eulercl" $solve --steps 9 --parts --out here/x.h5 : -n 1 "$eulercl" $solve --steps 9 --parts --out $there/x.h5 >out 2>err
        case $there in
        here) rm -f here/* && continue ;;
        none) wanted="^eulercl: process 1: cannot write none/x\..*\.1\.h5: No such file" ;;
        there) wanted="^eulercl: cannot write here/x.h5: process 1 has written its part elsewhere" ;;
        esac
        [ "$(grep -c "$wanted" err)" = 1 ] || fail "$module: parts in $there: $(cat err)"
        clean here there
    done
    printf '#!/bin/sh\nulimit -f 40000\nexec "%s" "$@"\n' "$eulercl" >limited && chmod +x limited
    timeout -k 5 60 "$run" -n 1 "$eulercl" solve bruss2d -p m=2000 --steps 1 --parts --out here/x.h5 : -n 1 ./limited solve bruss2d -p m=2000 --steps 1 --parts --out here/x.h5 >out 2>err
    [ "$(grep -c "^eulercl: process 1: cannot write here/x\..*: File too large" err)" = 1 ] || fail "$module: a part that is too large: $(cat err)"
    clean here
    says 2 "^eulercl: cannot write here/50%.h5 in parts: its name contains %" 2 $solve --steps 3 --parts --out here/50%.h5
    clean here
    says 0 "^hash  *$one" 1 $solve --steps 60 --parts --out alone.h5 # one process writes one file
    [ "$(count_parts alone.h5)" = 0 ] || fail "$module: parts of one process: $(ls)"
    expect 2 "--parts needs --out FILE.h5 or --checkpoint FILE.h5" $solve --steps 3 --parts --out x.npy
}
hash_of() { sed -n 's/^hash *//p' out; }

# A signal to one process, at several moments: before signals are caught it ends all; after that all stop in an orderly way, and say so. A process that is gone takes
# the others with it. No private file is left.
# signal_at CASE: start the processes, send the signal, and wait; $got: how the launcher has ended; nothing: it has not.
signal_at() {
    rm -f stop.h5* series.* hung
    "$run" -n 2 "$eulercl" $solve --steps 1000000000 --backend seq --every 10000000 --out series.h5 --checkpoint "$scratch/stop.h5" --checkpoint-every 0.05s >out 2>err &
    launcher=$!
    for _ in $(seq 600); do # the moment
        pids=$(pgrep -f "^$eulercl solve .*$scratch/stop.h5" | sort -n)
        case $1 in
        *:start) [ "$(echo "$pids" | wc -l)" -lt 2 ] || break ;;
        *:open) ! ls -A | grep -q '^\.eulercl-' || break ;;
        *:run) [ ! -e stop.h5 ] || break ;;
        esac
        sleep 0.05
    done
    pid=$(echo "$pids" | sed -n "$((${1%%:*} + 1))p")
    kill -"$(echo $1 | cut -d: -f2)" "$pid"
    (sleep 60 && { pgrep -f "^$eulercl solve .*$scratch/stop.h5" >hung; kill -KILL $launcher; }) >/dev/null 2>&1 &
    guard=$!
    wait $launcher 2>/dev/null
    got=$?
    kill $guard 2>/dev/null
    [ ! -e hung ] || got=
}
test_signals() {
    for case in 0:TERM:start 1:TERM:start 0:TERM:open 1:TERM:open 0:TERM:run 1:TERM:run 1:KILL:run; do
        signal_at $case
        # Open MPI's launcher now and then waits for ever for a process that has ended before it had registered ("PMIX ERROR: UNREACHABLE"). No process of ours is
        # left then, and another try tells what we do.
        for _ in 1 2; do
            case $module,$case,$got in ompi-c,*:start,) ;; *) break ;; esac
            [ ! -s hung ] || fail "$module: $case: the launcher and $(wc -l <hung) processes have not ended"
            signal_at $case
        done
        # A launcher ends the others with SIGTERM, then with SIGKILL, and may report either of them.
        case $case,$got in
        *:TERM:start,137) check "$module: $case: $(cat err)" grep -q 'exited on signal 15' err ;;
        *:TERM:start,143 | *:KILL:run,137 | *:TERM:start,15 | *:KILL:run,9) pass ;; # MPICH says the signal alone
        *:TERM:start,130 | *:TERM:open,130) check "$module: $case: $(cat err)" grep -q '^eulercl: .*SIGTERM' err ;;
        *:TERM:run,130) check "$module: $case: $(cat err)" grep -q "^eulercl: SIGTERM: stopped after step [0-9]*, t = .*; --resume $scratch/stop.h5 continues the run$" err ;;
        *) fail "$module: $case: exit ${got:-never}: $(cat err)" ;;
        esac
        left=$(find . -name '.eulercl-*')
        [ $module,$case != mpich,1:KILL:run ] || left= # MPICH kills the others at once
        rm -f .eulercl-*
        [ -z "$left" ] && pass || fail "$module: $case has left $left"
    done
    rm -f stop.h5* series.*
}

test_with() {
    module=$1 run=$2
    check "compile for $module" compile_for "$module"
    LD_LIBRARY_PATH=$scratch/$module:$build/lib/.libs:$libraries
    export LD_LIBRARY_PATH
    for n in $numbers; do
        check "$module, $n processes" on "$n" "$module/mpi_cases" "$(cases 15 60)"
    done
    # Files, and runs that go on with another number of processes.
    solve="solve bruss2d -p m=40 --h 1e-3"
    "$eulercl" $solve --steps 60 --every 20 --out one.csv --monitor max,mean,euler:0:1,length:1 --out one.npy >out || fail "solve"
    one=$(hash_of)
    says 0 "^hash  *$one" 2 $solve --steps 60 --every 20 --out two.csv --monitor max,mean,euler:0:1,length:1 --out two.npy
    for csv in one two; do grep -v '^#' $csv.csv >$csv.rows; done # without the record of the run
    same one.rows two.rows
    same one.npy two.npy
    if [ "$hdf5" = yes ]; then
        says 0 "^hash" 3 $solve --steps 33 --checkpoint half.h5
        says 0 "^hash  *$one" 2 solve bruss2d --resume half.h5 --steps 27
        says 0 "^hash  *$one" 1 solve bruss2d --resume half.h5 --steps 27
    fi
    [ "$hdf5" = no ] || test_parts
    [ "$opencl" = no ] || says 0 "^hash  *$one" 2 $solve --steps 60 --backend cl-linear
    says 0 "^seq " 2 compare bruss2d -p m=40 --steps 20 --backends seq,cpu
    # The clocks of processes differ, but not what they do because of them.
    if [ "$hdf5" = yes ]; then
        says 130 "^eulercl: --wall-time: stopped after step" 2 $solve --steps 1000000000 --wall-time 1 --checkpoint often.h5 --checkpoint-every 0.01s
    fi
    # A file is compiled by one process of a host.
    printf '#!/bin/sh\ncase "$*" in *-z,defs*) echo x >>"%s/compiled" ;; esac\nexec cc "$@" -O0\n' "$scratch" >counting && chmod +x counting
    rm -f compiled
    CC=$scratch/counting XDG_CACHE_HOME=$scratch/$module says 0 "^hash" 3 solve "$sources/examples/heat.c" --steps 3
    [ "$(grep -c x compiled)" = 1 ] || fail "$module: compiled $(grep -c x compiled) times"
    # Errors.
    says 2 "^eulercl: the step size" 3 solve bruss2d --h -1
    says 2 "^eulercl: unknown problem" 2 solve nothing
    says 4 "^eulercl: 4 rows are too few for 3 devices" 3 solve bruss2d -p m=4
    says 2 "^eulercl: 3 processes on this host are too many for 2 devices" 3 $solve --steps 3 --devices cpu,cpu
    "$eulercl" solve bruss2d -p m=40 --h 1 --steps 50 >out 2>err
    says 5 "^$(cat err)" 3 solve bruss2d -p m=40 --h 1 --steps 50
    timeout -k 5 60 "$run" -n 1 "$eulercl" $solve --steps 9 : -n 1 "$eulercl" $solve --steps 10 >out 2>err
    [ "$(grep -c "^eulercl: the processes differ in --steps: from 9 to 10" err)" = 1 ] || fail "$module: other steps: $(cat err)"
    # The output of one process alone.
    timeout -k 5 60 "$run" -n 1 "$eulercl" $solve --steps 9 : -n 1 "$eulercl" solve nothing >out 2>err
    check "$module: one process is not heard: $(cat err)" grep -q "eulercl: process 1: unknown problem 'nothing'" err
    says 6 "^eulercl: cannot write none/x.npy" 3 $solve --steps 3 --out none/x.npy
    [ "$hdf5" = no ] || test_signals
    # The launcher of another MPI. Independent processes of Open MPI sometimes fail if they make the same temporary folder at the same time.
    printf '#!/bin/sh\nexec env OMPI_MCA_orte_tmpdir_base="$(mktemp -d "%s/apart.XXXXXX")" "%s" "$@"\n' "$scratch" "$eulercl" >apart && chmod +x apart
    command=$eulercl eulercl=$scratch/apart
    for run in mpirun.openmpi mpirun.mpich; do
        [ $run = "$2" ] || ! command -v $run >/dev/null ||
            says 4 "^eulercl: 2 processes were started together, but libeulercl-mpi.so.0 finds 1: " 2 solve string --size 20 --steps 3
    done
    run=$2 eulercl=$command
    # Without the library: an empty file hides one that is installed.
    LD_LIBRARY_PATH=$scratch/hidden:$build/lib/.libs:$libraries
    says 0 "^hash" 1 solve string --size 20 # which needs no such library
    says 4 "^eulercl: 2 processes were started together, which needs libeulercl-mpi.so.0" 2 solve string --size 20
    PMIX_RANK=0 SLURM_STEP_NUM_TASKS=3 "$eulercl" solve string --size 20 >out 2>err
    check "Slurm with PMIx: $(cat err)" grep -q "^eulercl: 3 processes were started together, which needs" err
    LD_LIBRARY_PATH=$libraries
}

mkdir hidden && : >hidden/libeulercl-mpi.so.0
# More processes than cores wait for each other, which takes time.
case ${EULERCL_TEST_LEVEL-} in '') numbers='2 3' ;; *) numbers='3 7' ;; esac
tested=no
for pair in ompi-c:mpirun.openmpi mpich:mpirun.mpich; do
    command -v "${pair#*:}" >/dev/null && pkg-config --exists "${pair%:*}" check 2>/dev/null || continue
    test_with "${pair%:*}" "${pair#*:}"
    tested=yes
    [ -n "${EULERCL_TEST_LEVEL-}" ] || break # the other one in make check-long
done
[ $tested = yes ] || { echo "skipped: no MPI"; exit 77; }
finish
