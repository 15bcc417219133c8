#!/bin/sh
# Ways to stop a run of eulercl solve before its end, and the files that it leaves: signals, limits of the system, code that never returns.
#
# SPDX-License-Identifier: BSD-2-Clause
. "$(dirname "$0")/../cli.sh"
subcommand=solve

nothing_left() { left=$(find . -name '.eulercl-*' -o -name '*.part' -o -name 'eulercl-*'); [ -z "$left" ] && pass || fail "$1 left $left"; }
# wait_for COMMAND...: until it succeeds, for at most 20 seconds.
wait_for() {
    for _ in 0 1 2 3 4 5 6 7 8 9; do
        for _ in 0 1 2 3 4 5 6 7 8 9; do
            ! "$@" >/dev/null 2>&1 || return 0
            sleep 0.1
        done
        sleep 1
    done
    fail "waited in vain for $*"
}
# ended STATUS PATTERN WHAT: how the run in the background ended, in two minutes at most, and its one line.
ended() {
    (sleep 120 && kill -KILL "$run") >/dev/null 2>&1 &
    guard=$!
    wait "$run" 2>/dev/null
    got=$?
    kill $guard 2>/dev/null
    [ $got -eq "$1" ] && pass || fail "$3: exit $got, not $1: $(cat err)"
    [ -z "$2" ] || { [ "$(wc -l <err)" -eq 1 ] && grep -q -- "$2" err && pass || fail "$3: no '$2' in: $(cat err)"; }
}
TMPDIR=$scratch
export TMPDIR

# --- times that doubles do not tell apart: every step, and an end
check "an interval below the step" timeout 20 "$eulercl" solve -q string --size 20 --steps 10 --every t=1e-20 --probe 1 --out every.csv
[ "$(grep -c '^[0-9]' every.csv)" -eq 11 ] && pass || fail "an interval below the step: $(cat every.csv)"
check "an interval of a step" "$eulercl" solve -q string --size 20 --steps 10 --every t=1e-4 --probe 1 --out every.csv
[ "$(grep -c '^[0-9]' every.csv)" -eq 11 ] && pass || fail "an interval of a step: $(cat every.csv)"

# --- a FILE.c that never returns: the second signal ends it at once, and removes what is private
problem() {
    cat <<EOF
#define ODE_NAME endless
#define ODE_TITLE "never returns from $1"
#define ODE_GRID 1
#define ODE_COMPONENTS 1
#define ODE_BOUNDARY ODE_FIXED
#define ODE_NX m
#define ODE_PARAMETERS(REAL, INTEGER) INTEGER(m, 50, 1, 1e6, "", "")
#include <fcntl.h>
#include <unistd.h>
static inline int hold(int place) {
    if (place != $1) return 1;
    close(open("$scratch/holding", O_CREAT | O_WRONLY, 0600));
    for (;;) sleep(100);
}
#include <eulercl/ode_problem.h>
ODE_POINT_RHS(DOT(0) = hold(1) * AT(0, 0);)
ODE_INITIAL(Y0(0) = hold(2);)
EOF
}
for place in 1 2; do
    problem $place >endless$place.c
    for second in TERM INT $hup; do
        rm -f holding
        "$eulercl" solve -q endless$place.c --backend seq --out end.npy >out 2>err &
        run=$!
        wait_for test -e holding
        kill -TERM $run
        sleep 0.1
        kill -0 $run && pass || fail "place $place: the first signal ended the run at once"
        kill -$second $run
        case $second in TERM) status=143 ;; INT) status=130 ;; HUP) status=129 ;; esac
        ended $status '' "place $place, SIGTERM and SIG$second"
        [ ! -s err ] || fail "place $place: $(cat err)"
    done
done
nothing_left "a second signal"
# nor does a compiler that ignores signals keep its folder
rm -f holding
cat >stubborn <<EOF
#!/bin/sh
trap '' INT TERM
touch $scratch/holding
while [ -e $scratch/holding ]; do sleep 0.1; done
EOF
chmod +x stubborn
echo '/* new */' >>endless1.c
CC=$scratch/stubborn "$eulercl" solve -q endless1.c >out 2>err &
run=$!
wait_for test -e holding
kill -TERM $run
sleep 0.1
kill -INT $run
ended 130 '' "SIGTERM and SIGINT while a compiler runs"
rm -f holding
nothing_left "a compiler that ignores signals"
if [ "${EULERCL_TEST_LEVEL:-}" ]; then
    for place in 1 2; do
        rm -f holding
        "$eulercl" solve -q endless$place.c --backend seq --out end.npy >out 2>err &
        run=$!
        wait_for test -e holding
        kill -TERM $run
        ended 143 '' "place $place, SIGTERM and ten seconds"
    done
    nothing_left "ten seconds after a signal"
fi

# --- SIGTERM and the like: the series is kept, and the message says what it was
for signal in TERM $hup XCPU; do
    "$eulercl" solve -q string --size 20000 --backend seq --steps 1e9 --every 100 --probe 1 --out stopped.csv >out 2>err &
    run=$!
    wait_for grep -q '^200,' stopped.csv.part
    kill -$signal $run
    ended 130 "^eulercl: SIG$signal: stopped after step " "SIG$signal"
    check "the series after SIG$signal" grep -q '^200,' stopped.csv
    check "why it ended" grep -q '^# ended: ' stopped.csv
    rm -f stopped.csv
done
nothing_left "a signal"
(trap '' HUP && exec "$eulercl" solve -q string --size 20000 --backend seq --steps 1e9 --every 100 --probe 1 --out stopped.csv) >out 2>err &
run=$!
wait_for grep -q '^200,' stopped.csv.part
kill -HUP $run
wait_for grep -q '^400,' stopped.csv.part
kill -TERM $run
ended 130 SIGTERM "nohup"
nothing_left "nohup"

# --- limits: CPU time is as SIGTERM, also in the seconds after it; the size of files is an error of the write
if (ulimit -S -t 1) 2>/dev/null; then
    (ulimit -S -t 1 && exec "$eulercl" solve -q string --size 20000 --backend seq --steps 1e9 --every 100 --probe 1 --out limited.csv) >out 2>err &
    run=$!
    ended 130 '^eulercl: SIGXCPU: stopped after step ' "a limit of CPU time"
    check "the series of limited CPU time" grep -q '^100,' limited.csv
    sed 's/sleep(100)/(void)0/' endless2.c >busy.c
    # compiled before, because the limit holds for the compiler, too
    rm -f holding
    "$eulercl" check busy.c --device none >out 2>err &
    run=$!
    wait_for test -e holding
    kill -TERM $run
    ended 130 '^eulercl: stopped by SIGTERM$' "check of a problem that never returns"
    # so is one whose fast code is being compiled, and its compiler ends, too
    cat >slow <<CC
#!/bin/sh
case " \$* " in *' -E '* | *' -DODE_BASELINE '*) exec cc "\$@" -O0 ;; esac
echo \$\$ >"$scratch/compiles"
exec sleep 100
CC
    chmod +x slow
    "$eulercl" new slowly >out 2>err
    CC=$scratch/slow "$eulercl" check slowly.c --no-cache --device none >out 2>err &
    run=$!
    wait_for test -s compiles
    wait_for grep -q '^ok *radius' out
    kill -INT $run
    ended 130 '^eulercl: stopped by SIGINT$' "check whose fast code is being compiled"
    kill -0 "$(cat compiles)" 2>/dev/null && fail "the compiler of an interrupted check goes on" || pass
    nothing_left "an interrupted check"
    (ulimit -S -t 2 && exec "$eulercl" check busy.c --device none) >out 2>err &
    run=$!
    ended 130 '^eulercl: stopped by SIGXCPU$' "check under a limit of CPU time"
fi
if (ulimit -f 40) 2>/dev/null; then
    for f in big-%d.npy big.h5 big.csv; do
        case "$hdf5 $f" in "no big.h5") continue ;; esac
        (ulimit -f 40 && exec "$eulercl" solve -q string --size 100000 --steps 3000 --every 1 --probe 1 --backend seq --out $f) >out 2>err &
        run=$!
        ended 6 '^eulercl: cannot write .*File too large' "a limit of the size of $f"
    done
fi
nothing_left "a limit"

# --- SIGKILL: what was handed to the system of a series that is under way can be read
if [ "$hdf5" = yes ]; then
    "$eulercl" solve -v bruss2d -p m=100 --backend seq --h 1e-4 --steps 1e9 --every 1e8 --out series.h5 >out 2>err &
    run=$!
    wait_for grep -q 'snapshot 0 at step 0' err
    kill -KILL $run
    ended 137 '' "SIGKILL"
    [ ! -e series.h5 ] || fail "SIGKILL: a series that is not complete has its name"
    mv .eulercl-* left.h5
    "$eulercl" solve -q bruss2d -p m=100 --backend seq --h 1e-4 --steps 0 --out whole.npy
    check "what SIGKILL has left" "$eulercl" solve -q bruss2d -p m=100 --steps 0 --in left.h5 --out left.npy
    check "its last state" cmp left.npy whole.npy
    rm -f left.* whole.npy*
fi

finish
