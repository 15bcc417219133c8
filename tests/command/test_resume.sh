#!/bin/sh
# eulercl solve --resume and --checkpoint: a run in pieces ends in the bits of the run in one piece; what the file says is not contradicted; what --in leaves out is told.
#
# SPDX-License-Identifier: BSD-2-Clause
. "$(dirname "$0")/../cli.sh"
subcommand=solve


expect 2 'SECONDS or HH:MM:SS' string --size 20 --wall-time 1:2
expect 2 'SECONDS or HH:MM:SS' string --size 20 --wall-time 1:60:00
expect 2 'greater than 0' string --size 20 --wall-time 0:00:00
expect 2 'not a finite number' string --size 20 --wall-time 5h
expect 2 'needs --checkpoint FILE.h5' string --size 20 --checkpoint-every 5
if [ "$hdf5" = no ]; then
    expect 4 'without HDF5' string --size 20 --checkpoint c.h5
    expect 4 'without HDF5' string --size 20 --resume c.h5 --steps 1
    finish
    exit
fi

# --- t is in the equations and in the boundary, and no binary fraction is h: only the clock in the file gives the same bits
wave=$sources/tests/problems/forced_wave.c
for precision in float double; do
    quiet "$wave" --precision $precision --h 0.0023 --steps 1000 --out whole.npy
    quiet "$wave" --precision $precision --h 0.0023 --steps 357 --out half.h5 --every 100 --out series.h5 --out n-%d.h5
    for file in half.h5 series.h5 n-4.h5; do
        quiet "$wave" --resume $file --steps 643 --out again.npy
        same whole.npy again.npy
    done
    quiet "$wave" --resume n-1.h5 --t-end 2.3 --out again.npy
    same whole.npy again.npy
    # a shorter last step, and steps after it, in two pieces and in four
    quiet "$wave" --precision $precision --h 0.0023 --t-end 1.0001 --out odd.h5
    quiet "$wave" --resume odd.h5 --t-end 2 --out whole.npy
    quiet "$wave" --precision $precision --h 0.0023 --steps 100 --checkpoint piece.h5
    quiet "$wave" --resume piece.h5 --t-end 1.0001 --checkpoint piece.h5
    quiet "$wave" --resume piece.h5 --steps 100 --every 30 --out piece-series.h5
    quiet "$wave" --resume piece-series.h5 --t-end 2 --out again.npy
    same whole.npy again.npy
done
quiet "$wave" --h 0.0023 --t0 0.8211 --steps 643 --in half.h5 --out other.npy
quiet "$wave" --h 0.0023 --steps 1000 --out whole.npy
! cmp -s other.npy whole.npy && pass || fail "--t0 gives the same bits: this problem shows nothing"

# --- a number of steps ends with its round, so a run that goes on from there has the bits of the whole one
quiet bruss2d -p m=12 --tol 1e-5 --t-end 1.5 --out whole.npy
for steps in 9 20 33; do
    quiet bruss2d -p m=12 --tol 1e-5 --steps $steps --checkpoint round.h5
    quiet bruss2d --resume round.h5 --t-end 1.5 --out again.npy
    same whole.npy again.npy
done

# --- breakpoints: a pulse, whose edges belong to no step; they are kept by files
cat >pulse.c <<'END'
#define ODE_NAME pulse
#define ODE_TITLE "a pulse"
#define ODE_SIZE 40
#define ODE_ACCESS_DISTANCE 1
#define ODE_PARAMETERS(REAL, INTEGER) REAL(on, 500.1, 0, 1e9, "", "") REAL(width, 1, 0, 10, "", "")
#include <eulercl/ode_problem.h>
ODE_EVAL_COMP( return (t > on && t <= on + width ? 1 : 0) + 0 * Y(i); )
ODE_INITIAL( Y0(0) = 0; )
END
sed 's/^#include/#define ODE_DERIVED(CONSTANT) CONSTANT(off, on + width)\n#define ODE_BREAKPOINTS(TIME) TIME(off) TIME(on)\n&/' pulse.c >own.c
one() { awk '/^value/ { d = $4 - 1; exit !(d < 1e-12 && d > -1e-12) }' checked; }
for how in '--tol 1e-5' '--method rk4 --h 7'; do
    # shellcheck disable=SC2086
    for run in 'pulse.c --breakpoints 501.1,500.1' own.c 'own.c --breakpoints 3,900'; do
        check "$run $how" "$eulercl" solve $run $how --t-end 600 --probe 3 --out whole.npy
        one && pass || fail "$run $how: $(grep '^value' checked)"
    done
    # shellcheck disable=SC2086
    quiet pulse.c --breakpoints 501.1,500.1 $how --steps 30 --checkpoint early.h5
    quiet pulse.c --resume early.h5 --t-end 600 --out again.npy
    # shellcheck disable=SC2086
    quiet pulse.c --breakpoints 501.1,500.1 $how --t-end 600 --out whole.npy
    same whole.npy again.npy
    quiet pulse.c --resume early.h5 --breakpoints 500.1,501.1,550 --t-end 600 --out again.npy
done
quiet pulse.c --breakpoints 500.1,501.1 --h 7 --t-end 600 --every t=70 --probe 0 --out rows.csv
grep -v '^#' rows.csv | awk -F, 'NR > 1 { printf("%s%s", NR > 2 ? " " : "", $2) }' >times
echo '0 70 140 210 280 350 420 490 564.1 600' | tr -d '\n' >right
same right times
expect 2 "not a finite number" pulse.c --breakpoints 1,x --steps 1
expect 2 "not a finite number" pulse.c --breakpoints 1,inf --steps 1
expect 2 "not a finite number" pulse.c --breakpoints '' --steps 1

# --- with every method: at the end of a step nothing but the state is left. The equations depend on t; rkl2 chooses its stages once.
resumed() {
    problem=$1 method=$2
    shift 2
    quiet "$problem" --method "$method" "$@" --steps 50 --out whole.npy
    quiet "$problem" --method "$method" "$@" --steps 17 --every 6 --checkpoint half.h5 --out series.h5
    for file in half.h5 series.h5; do
        quiet "$problem" --resume $file --steps 33 --out again.npy
        same whole.npy again.npy
    done
    # a shorter last step, and steps after it
    quiet "$problem" --method "$method" "$@" --t-end 0.1001 --every t=0.03 --probe 3 --out odd.h5
    quiet "$problem" --resume odd.h5 --t-end 0.2 --out whole.npy
    quiet "$problem" --resume odd.h5 --steps 7 --out odd-7.h5
    quiet "$problem" --resume odd-7.h5 --t-end 0.2 --out again.npy
    same whole.npy again.npy
}
methods=$("$eulercl" list | sed -n '/^Methods/,/^Axes/s/^  \([^ ]*\) .*/\1/p')
chains='euler rk4 verlet'
[ -n "${EULERCL_TEST_LEVEL-}" ] || { methods=$(echo "$methods" | sed -n 'p;n;n'); chains='euler rk4'; }    # in make check every third
for method in $methods; do
    [ "$precision" = float ] && precision=double || precision=float
    [ -z "${EULERCL_TEST_LEVEL-}" ] && precisions=$precision || precisions='float double'
    for precision in $precisions; do
        case $method in
        symplectic* | verlet) resumed string $method --precision $precision --size 200 --h 0.0123 ;;
        *) resumed "$wave" $method --precision $precision --h 0.0123 ;;
        esac
    done
done

# --- steps to a tolerance: what the controller remembers is in the file. The equations depend on t; the method is chosen, and changes.
for precision in float double; do
    quiet "$wave" --precision $precision --tol 1e-4 --t-end 3 --backend cpu --out whole.npy
    quiet "$wave" --precision $precision --tol 1e-4 --t-end 3 --backend cpu --checkpoint at.h5 --checkpoint-every 20
    mv at.h5.old middle.h5
    quiet "$wave" --resume middle.h5 --t-end 3 --backend seq --out again.npy
    same whole.npy again.npy
done
quiet bruss2d -p m=24 --tol 1e-3 --t-end 3 --every t=0.5 --out whole.h5
quiet bruss2d -p m=24 --tol 1e-3 --t-end 1.5 --every t=0.5 --out series.h5 --checkpoint at.h5
for file in series.h5 at.h5; do
    quiet bruss2d --resume $file --t-end 3 --every t=0.5 --out rest.h5 --backend seq
    a=$("$eulercl" solve bruss2d --resume whole.h5 --steps 0 | grep '^hash')
    b=$("$eulercl" solve bruss2d --resume rest.h5 --steps 0 | grep '^hash')
    [ -n "$a" ] && [ "$a" = "$b" ] && pass || fail "--tol in two pieces from $file: $a and $b"
done
# before the first step a file does not hold the options of the tolerance
quiet bruss2d -p m=24 --tol 1e-3 --method dp54 --steps 0 --out zero.h5
expect 6 'cannot be resumed: the control of step sizes, before the first step, is missing' bruss2d --resume zero.h5 --t-end 1
# a time that is a multiple but for rounding is one: 3 * 0.4 is not 1.2
quiet bruss2d -p m=24 --tol 1e-3 --t-end 1.2 --out at.h5
quiet bruss2d --resume at.h5 --t-end 3 --every t=0.4 --probe 0 --out rest.csv
[ "$(grep -c '^[0-9]' rest.csv)" = 6 ] && pass || fail "multiples but for rounding: $(grep '^[0-9]' rest.csv)"
# states within steps do not change that
quiet bruss2d -p m=24 --tol 1e-3 --t-end 3 --out whole.npy
quiet bruss2d -p m=24 --tol 1e-3 --t-end 3 --every t=0.05 --dense --out dense.h5 --checkpoint at.h5 --checkpoint-every 25
quiet bruss2d --resume at.h5 --steps 0 --out again.npy
same whole.npy again.npy
expect 0 '^resumed  at.h5, after step [0-9]*, t = 3$' bruss2d --resume at.h5 --t-end 4
expect 2 '--tol is 0.001 in the file, but 0.01 on the command line' bruss2d --resume at.h5 --t-end 4 --tol 1e-2
for option in '--h0 1' '--h-max 1' '--controller i' '--spectral-radius 9' '--method rock2'; do
    expect 2 'the method and the options of --tol come from the file; omit them' bruss2d --resume at.h5 --t-end 4 $option
done
expect 2 '--h and --tol are mutually exclusive' bruss2d --resume at.h5 --t-end 4 --h 1
for option in '--method dp54' '--stages 5' '--tol 1e-3,1e-9'; do
    expect 2 'the method and the options of --tol come from the file; omit them' bruss2d --resume at.h5 --t-end 4 $option
done
expect 2 'the precision is double in the file, but float on the command line' bruss2d --resume at.h5 --t-end 4 --precision float
expect 2 'the end time 2 is not a finite time after t = 3' bruss2d --resume at.h5 --t-end 2
quiet bruss2d -p m=24 --steps 3 --out fixed.h5
expect 2 'the run in the file has steps of one size; omit --tol' bruss2d --resume fixed.h5 --steps 4 --tol 1e-3
expect 2 '--steady needs --tol' bruss2d --resume fixed.h5 --steps 4 --steady 1
# options that do not change a step may be given again, and those that do if they are the same
expect 0 '^tol      rtol = 0.001, atol = ' bruss2d --resume at.h5 --t-end 4 --tol 1e-3 --steady 1e-9
found out '^         not steady: dy/dt is still greater than 1e-09$'
expect 10 'more than 5 steps: ' bruss2d --resume at.h5 --t-end 4 --max-steps 5
# all options of a tolerance come from the file: with others the steps are others
odd='bruss2d -p m=24 --tol 1e-4,1e-9 --method rock2 --stages 6 --controller i --h0 1e-4 --h-max 0.002'
quiet $odd --t-end 0.5 --out whole.npy
quiet $odd --steps 20 --out at.h5
quiet bruss2d --resume at.h5 --t-end 0.5 --out again.npy
same whole.npy again.npy
quiet bruss2d -p m=24 --tol 1e-4,1e-9 --method rock2 --stages 6 --controller i --h0 1e-4 --t-end 0.5 --out other.npy
! cmp -s other.npy whole.npy && pass || fail "--h-max gives the same bits: this run shows nothing"

# stopped by --wall-time after every round of steps, from one backend to another, with snapshots within steps
pieces() {
    rm -f rows-*.csv
    quiet "$@" --out whole.npy
    quiet "$@" --dense --every t=0.07 --probe 0 --out whole.csv
    "$eulercl" solve -q "$@" --dense --every t=0.07 --probe 0 --out piece.h5 --out rows-1.csv --checkpoint at.h5 --checkpoint-every 1000000 --wall-time 0.0001 2>err
    [ $? = 130 ] && found err 'stopped after step [0-9]*, t = .*; --resume at.h5 continues the run$' || fail "--wall-time with --tol: $(cat err)"
    cp at.h5 first.h5
    stops=2 backend=seq
    while ! "$eulercl" solve -q "$1" --resume at.h5 --t-end 1 --dense --every t=0.07 --probe 0 --out piece.h5 --out rows-$stops.csv --backend $backend --checkpoint at.h5 --checkpoint-every 1000000 --wall-time 0.0001 2>err; do
        found err '--resume at.h5 continues the run$'
        stops=$((stops + 1))
        [ $backend = seq ] && backend=cpu || backend=seq
        [ $stops -lt 40 ] || { fail "--wall-time with --tol: no end"; return; }
    done
    [ $stops -ge 4 ] && pass || fail "--wall-time with --tol: only $((stops - 1)) pieces"
    # the pieces have the rows of all moments, also of those within the last step before a stop
    grep '^[0-9]' whole.csv | sort >whole.rows
    cat rows-*.csv | grep '^[0-9]' | sort >rows
    [ "$(wc -l <whole.rows)" = 16 ] && [ -z "$(comm -23 whole.rows rows)" ] && pass || fail "--dense in pieces has not the rows $(comm -23 whole.rows rows)"
    quiet "$1" --resume at.h5 --steps 0 --out again.npy
    same whole.npy again.npy
    quiet "$1" --resume first.h5 --t-end 1 --out again.npy
    same whole.npy again.npy
}
pieces bruss2d -p m=16 --tol 1e-3 --t-end 1
pieces "$wave" --precision float --tol 1e-2 --t-end 1

# snapshots in files of their own: at the ends of steps each can be continued, within steps only the last
quiet bruss2d -p m=24 --tol 1e-3 --t-end 1 --every t=0.25 --out end-%d.h5 --out whole.npy
quiet bruss2d --resume end-2.h5 --t-end 1 --every t=0.25 --out rest.h5 --out again.npy
same whole.npy again.npy
quiet bruss2d -p m=24 --tol 1e-3 --t-end 1 --every t=0.25 --dense --out dense-%d.h5
expect 6 'dense-2.h5 cannot be resumed: control is missing' bruss2d --resume dense-2.h5 --t-end 2
expect 0 '^resumed  dense-4.h5, ' bruss2d --resume dense-4.h5 --t-end 2
# the series of a run that ended between two snapshots does not have the steps after the last one
expect 10 'more than 24 steps' bruss2d -p m=24 --tol 1e-3 --t-end 3 --every t=0.25 --max-steps 24 --out early.h5
expect 6 'early.h5 cannot be resumed: the control of step sizes after the last snapshot is missing' bruss2d --resume early.h5 --t-end 3
rm -f end-* dense-* early.h5

# --- from every backend to the next
for method in $chains; do
    last="$method seq"
    quiet string --size 3000 --h 0.0023 --steps 20 --backend seq --method $method --out chain.h5
    steps=20
    for backend in $backends seq; do
        # A backend without tiles for this method says so.
        if [ $method != euler ] && ! can solve string --size 3000 --method $method --backend $backend --steps 0; then continue; fi
        quiet string --size 3000 --resume chain.h5 --steps 30 --backend $backend --checkpoint chain.h5
        steps=$((steps + 30))
        last="$last $backend"
    done
    quiet string --size 3000 --h 0.0023 --steps $steps --backend seq --method $method --out whole.npy
    quiet string --resume chain.h5 --steps 0 --out again.npy
    check "the chain $last" cmp whole.npy again.npy
    case $last in *seq*cpu*pthreads*seq) pass ;; *) fail "the chain is $last" ;; esac
done

# --- a series goes on at the same steps and times, its numbers too
quiet string --size 20 --h 0.01 --steps 100 --every t=0.07 --probe 3 --out whole.csv
quiet string --size 20 --h 0.01 --steps 41 --out part.h5
quiet string --resume part.h5 --steps 59 --every t=0.07 --probe 3 --out rest.csv
grep '^[0-9]' whole.csv | awk -F, '$1 > 41' >a
grep '^[0-9]' rest.csv | awk -F, '$1 > 41' >b
[ -s a ] && same a b
grep -q '^# resumed_steps: 41$' rest.csv && grep -q '^# steps: 100$' rest.csv && grep -q '^# t0: 0$' rest.csv && pass || fail "facts of a run that was resumed: $(grep '^# [srt]' rest.csv)"
expect 0 '^resumed  part.h5, after step 41, t = 0.41$' string --resume part.h5 --steps 9
[ "$json" = no ] || { expect 0 '"resumed_steps": 41' string --resume part.h5 --steps 9 --json; found out '"base_steps": 50' '"t_base": 0.0' '"checkpoint": null'; }

# --- what contradicts the file, or leaves the end open
quiet string --size 40 -p K=3 --precision float --t0 1 --h 0.01 --steps 5 --checkpoint c.h5
quiet string --resume c.h5 --steps 1 --size 40 -p K=3 --precision float --t0 1 --h 0.01
expect 2 'K is 3 in the file, but 4 on the command line' string --resume c.h5 --steps 1 -p K=4
expect 2 'in the file has no parameter k' string --resume c.h5 --steps 1 -p k=4
expect 2 '--size is 40 in the file, but 20' string --resume c.h5 --steps 1 --size 20
expect 2 '--t0 is 1 in the file, but 0' string --resume c.h5 --steps 1 --t0 0
expect 2 '--h is 0.01 in the file, but 0.02' string --resume c.h5 --steps 1 --h 0.02
expect 2 'auto' string --resume c.h5 --steps 1 --h auto
expect 2 'precision is float in the file, but double' string --resume c.h5 --steps 1 --precision double
expect 2 'the method is euler in the file, but rk4 on the command line; omit it' string --resume c.h5 --steps 1 --method rk4
expect 2 'method euler has 1 stage, not 2' string --resume c.h5 --steps 1 --stages 2
quiet string --resume c.h5 --steps 1 --method euler --stages 1
quiet string --size 40 --steps 5 --method rock2 --stages 16 --checkpoint r.h5
stages=$("$eulercl" solve string --resume r.h5 --steps 1 | sed -n 's/^method   rock2, order 2, \([0-9]*\) stages$/\1/p')
[ "$stages" -ge 16 ] && pass || fail "the stages of the file: $stages"
quiet string --resume r.h5 --steps 1 --method rock2 --stages 16
quiet string --resume r.h5 --steps 1 --stages "$stages"
expect 2 "--stages is $stages in the file, but 5 on the command line; omit it" string --resume r.h5 --steps 1 --stages 5
expect 2 'the method is rock2 in the file, but euler' string --resume r.h5 --steps 1 --method euler
expect 2 'the method is rock2 in the file, but rkl2' string --resume r.h5 --steps 1 --method rkl2 --stages 16
# tiny values: flushed at the same steps, below what the file says
quiet string --size 40 --h 0.01 --steps 50 --flush-below 0.1 --out whole.npy
quiet string --size 40 --h 0.01 --steps 13 --flush-below 0.1 --checkpoint f.h5
quiet string --resume f.h5 --steps 37 --out part.npy
same whole.npy part.npy
quiet string --size 40 --h 0.01 --steps 50 --out other.npy
cmp -s whole.npy other.npy && fail "nothing was flushed" || pass
quiet string --resume f.h5 --steps 1 --flush-below 0.1
expect 2 "--flush-below is 0.1 in the file, but 0.2 on the command line; omit it" string --resume f.h5 --steps 1 --flush-below 0.2
# --- a damaged file is refused, whatever a resumed run reads has one wrong bit; and so is one that lacks something
hostile=${EULERCL_TEST_PLUGINS-}/../hostile_hdf5
if [ -x "$hostile" ]; then
    quiet string --size 40 --h 0.01 --steps 50 --flush-below 0.1 --breakpoints 0.123 --every 20 --checkpoint one.h5 --out many.h5
    quiet bruss2d -p m=8 --tol 1e-3 --steps 20 --every 5 --checkpoint tol.h5 --out tols.h5
    damaged() {
        cp "$1" damaged.h5
        check "$2 $3 $1" "$hostile" "$2" "$3" damaged.h5
        expect 6 "damaged.h5 cannot be resumed: $4" "$(basename "$1" | sed 's/one.*\|many.*/string/; s/tol.*/bruss2d/')" --resume damaged.h5 --steps 1
    }
    another='it is damaged: what it says of its run has another checksum'
    facts='problem n precision t0 method stages steps base_steps t_base state_hash'
    for name in $facts h flush_below breakpoints snapshot_count checksum parameters/K; do damaged one.h5 flip $name "$another"; done
    for name in $facts rtol control parameters/m; do damaged tol.h5 flip $name "$another"; done
    for name in parameters/K /step /t /base_steps /t_base /state_hash; do damaged many.h5 flip $name "$another"; done
    for name in control /step; do damaged tols.h5 flip $name "$another"; done
    for file in one.h5 many.h5 tol.h5 tols.h5; do damaged $file flip /state 'its state is damaged (its hash is '; done
    for name in method stages flush_below; do damaged one.h5 without $name "$another"; done
    damaged one.h5 without checksum 'its checksum is missing; --in reads the state alone$'
    # facts that a run does not read may differ
    cp one.h5 other.h5
    for name in command date device order version; do check "$name" "$hostile" flip $name other.h5; done
    expect 0 '^resumed' string --resume other.h5 --steps 1
    # --in takes a state that was changed
    cp one.h5 other.h5
    check "a state" "$hostile" flip /state other.h5
    quiet string --size 40 --in other.h5 --steps 1
fi
expect 2 'problem is string in the file, but bruss2d' bruss2d --resume c.h5 --steps 1
expect 2 'problem is string in the file, but forced_wave' "$wave" --resume c.h5 --steps 1
expect 2 'mutually exclusive' string --resume c.h5 --steps 1 --in c.h5
expect 2 'needs either --steps' string --resume c.h5
expect 2 'needs either --steps' string --resume c.h5 --steps 1 --t-end 2
expect 2 'after t = 1.05' string --resume c.h5 --t-end 1
expect 2 'too many' string --resume c.h5 --steps 9223372036854775807
expect 6 'No such file' string --resume missing.h5 --steps 1
printf 'text' >text.h5
expect 6 'text.h5' string --resume text.h5 --steps 1
expect 2 'end in .h5' string --size 20 --checkpoint c.npy
expect 2 'c.h5 would be written twice' string --size 20 --checkpoint c.h5 --out c.h5
expect 2 'f-3.h5 would be written twice' string --size 20 --every 10 --out f-%d.h5 --checkpoint f-3.h5
mkdir taken.h5.old
expect 6 'taken.h5.old: it is not a regular file' string --size 20 --checkpoint taken.h5
expect 6 'No such file' string --size 20 --checkpoint nowhere/c.h5

# --- --in takes the state alone, and says where the file is of another run
told() {
    pattern=$1
    shift
    "$eulercl" solve "$@" >out 2>err && [ "$(wc -l <err)" -eq 1 ] && grep -q -- "^eulercl: note: --in .*$pattern.*reads only the state" err && pass || fail "solve $*: no note '$pattern': $(cat err)"
}
told 't is 1.05 in the file and 0 here' string --size 40 --precision float --in c.h5 -p K=3 --steps 1
told 't is 1.05 in the file and 0 here' string --size 40 --precision float --in c.h5:state -p K=3 --steps 1
told 'K is 3 in the file and 1000 here' string --size 40 --precision float --in c.h5 -p K=1000 --t0 1.05 --steps 1
quiet string --size 8 --steps 0 --out small.h5
quiet bruss2d --size 8 --steps 0 --out plane.h5
told 'the shape is 4 x 2 in the file and 2 x 2 x 2 here, the problem is string in the file and bruss2d here;' bruss2d --size 8 --in small.h5 --steps 1
sed 's/ODE_NAME  *bruss2d/ODE_NAME other/' "$sources/problems/bruss2d.c" >other.c
told 'the problem is bruss2d in the file and other here' other.c --size 8 --in plane.h5 --steps 1
quiet string --size 40 --precision float --in c.h5 --steps 1
expect 0 hash string --size 40 --precision float --in c.h5 -p K=3 --t0 1.05 --steps 1

# --- checkpoints: a link is replaced, and names are shown
ln -s elsewhere.h5 linked.h5
quiet string --size 20 --steps 30 --checkpoint linked.h5 --checkpoint-every 10
[ -f linked.h5 ] && [ ! -L linked.h5 ] && [ ! -L linked.h5.old ] && [ ! -e elsewhere.h5 ] && pass || fail "a link as checkpoint: $(ls -l linked* elsewhere* 2>/dev/null)"
odd=$(printf 'odd\033[31m.h5')
expect 0 'in odd\\x1b\[31m.h5$' string --size 20 --steps 30 --checkpoint "$odd"
expect 0 'resumed  odd\\x1b\[31m.h5,' string --resume "$odd" --steps 1

# --- checkpoints: as often as asked for, the one before is kept, and a run that is stopped leaves one
quiet string --size 20 --steps 95 --checkpoint k.h5 --checkpoint-every 10
[ -e k.h5 ] && [ -e k.h5.old ] && [ ! -e k.xdmf ] && pass || fail "checkpoints: $(ls k.*)"
quiet string --resume k.h5.old --steps 5 --out again.npy
quiet string --size 20 --steps 95 --out whole.npy
same whole.npy again.npy
expect 0 '9 checkpoints in k.h5$' string --size 20 --steps 95 --checkpoint k.h5 --checkpoint-every t=1.1e-3
[ "$json" = no ] || { expect 0 '"count": 1' string --size 20 --steps 95 --checkpoint k.h5 --checkpoint-every 1000s --json; found out '"file": "k.h5"'; }
check "the last one, and no other" "$eulercl" solve -q string --resume k.h5 --steps 0

# stopped PIECE: 130, one line, and on from there
long="bruss2d -p m=40 --backend seq --h 1e-3"
goes_on() {
    [ $got -eq 130 ] && [ "$(wc -l <err)" -eq 1 ] && grep -q -- "^eulercl: $1: stopped after step [0-9]*, .*; --resume stop.h5 continues the run$" err && pass || { fail "$1: exit $got: $(cat err)"; return; }
    reached=$(sed -n 's/.*stopped after step \([0-9]*\),.*/\1/p' err)
    # shellcheck disable=SC2086
    quiet $long --steps $((reached + 50)) --out whole.npy
    quiet bruss2d --resume stop.h5 --steps 50 --out again.npy
    same whole.npy again.npy
}
# shellcheck disable=SC2086
"$eulercl" solve -q $long --steps 1e9 --checkpoint stop.h5 --wall-time 0.4 >out 2>err
got=$?
goes_on --wall-time
for signal in INT TERM XCPU; do
    # Where the command takes longer to start, the signal comes before it is caught, and there is no message.
    for seconds in 0.4 2 8; do
        rm -f stop.h5 stop.h5.old
        # shellcheck disable=SC2086
        timeout -s $signal $seconds "$eulercl" solve -q $long --steps 1e9 --checkpoint stop.h5 --checkpoint-every 0.05s --wall-time 9:00:00 >out 2>err
        got=$?
        [ ! -s err ] || break
    done
    [ $got -ne 124 ] || got=130          # timeout's own status
    goes_on SIG$signal
done
left=$(find . -name '.eulercl-*')
[ -z "$left" ] && pass || fail "left: $left"

# --- series over several jobs: with --append they become those of one run
mkdir append && cd append || exit 99 # the compiler stays
jobs() { # PROBLEM ARGUMENTS...
    problem=$1
    shift
    rm -f one* two* job*
    series='--every t=0.125 --probe 0 --monitor max'
    # shellcheck disable=SC2086
    quiet "$problem" "$@" --t-end 1 $series --out one.h5 --out one.csv --out one-%d.npy
    # shellcheck disable=SC2086
    quiet "$problem" "$@" --t-end 0.5 $series --out two.h5 --out two.csv --out two-%d.npy --checkpoint job.h5
    for end in 0.75 1 1; do # at last without a step
        # shellcheck disable=SC2086
        quiet "$problem" --resume job.h5 --t-end $end $series --append --out two.h5 --out two.csv --out two-%d.npy --checkpoint job.h5
    done
    for file in one two; do grep -v '^#' $file.csv >$file.rows; done
    same one.rows two.rows
    for i in 0 1 2 3 4 5 6 7 8; do same one-$i.npy two-$i.npy; done
    [ ! -e two-9.npy ] && pass || fail "--append: $(ls two-*.npy)"
    for i in 0 3 4 5 8; do
        for file in one two; do quiet string --size 36 --in $file.h5:/components/$i/1 --steps 0 --out view-$file.npy; done
        same view-one.npy view-two.npy
    done
    [ "$(grep -c '<Time' one.xdmf)" = "$(grep -c '<Time' two.xdmf)" ] && pass || fail "--append: the times in two.xdmf"
}
if [ "$hdf5" = yes ]; then
    jobs bruss2d -p m=6 --h 0.01
    jobs bruss2d -p m=6 --tol 1e-3
    # from an earlier state: later states are computed again
    quiet bruss2d -p m=6 --h 0.01 --t-end 0.5 --out early.h5 --every t=0.125
    append='bruss2d --resume early.h5 --t-end 1 --every t=0.125 --append'
    cp one.csv three.csv && cp one.h5 three.h5
    expect 6 'three.h5 cannot be continued: problem, parameters, precision, t0, h or tolerance are another' $append --out three.h5
    jobs bruss2d -p m=6 --h 0.01
    cp one.csv three.csv && cp one.h5 three.h5
    quiet $append --probe 0 --monitor max --out three.csv --out three.h5
    grep -v '^#' three.csv >three.rows
    same one.rows three.rows
    # a job that was killed has left its rows: they are taken where they are more
    { grep -v '^#' one.csv | head -n 8 && printf '80,0.8'; } >left.csv.part
    grep -v '^#' one.csv | head -n 4 >left.csv
    quiet bruss2d --resume early.h5 --t-end 0.75 --checkpoint late.h5
    quiet bruss2d --resume late.h5 --t-end 1 --every t=0.125 --append --probe 0 --monitor max --out left.csv
    grep -v '^#' left.csv >left.rows
    same one.rows left.rows
    # a file that contradicts the run stays as it is
    cp one.csv other.csv && sed 's/^# parameter m: 6$/# parameter m: 7/' one.csv >seven.csv && echo 'a,b' >words.csv && { head -n 3 one.csv; echo 'words'; } >row.csv
    expect 6 "other.csv cannot be continued: its columns are 'step,t,y\[0\],max'$" $append --probe 1 --out other.csv
    expect 6 "seven.csv cannot be continued: this is another run: '# parameter m: 7'$" $append --probe 0 --monitor max --out seven.csv
    expect 6 "words.csv cannot be continued: its columns are 'a,b'$" $append --probe 0 --out words.csv
    expect 6 "row.csv cannot be continued: this is no row: 'words'$" $append --probe 0 --monitor max --out row.csv
    same one.csv other.csv
    [ ! -x "$hostile" ] || {
        cp one.h5 other.h5 && check "a state" "$hostile" flip /state other.h5 && cp other.h5 kept.h5
        quiet bruss2d --resume early.h5 --t-end 1 --checkpoint late.h5
        expect 6 'other.h5 cannot be continued: a state is damaged' bruss2d --resume late.h5 --t-end 2 --every t=0.125 --append --out other.h5
        same other.h5 kept.h5
        cp one.h5 other.h5 && check "a list" "$hostile" flip /t_base other.h5
        expect 6 'other.h5 cannot be continued: it is damaged' $append --out other.h5
    }
    echo text >text.h5 && quiet bruss2d -p m=6 --h 0.01 --steps 40 --out final.h5
    expect 6 'text.h5 is not an HDF5 file' $append --out text.h5
    expect 6 'final.h5 cannot be continued: a list' $append --out final.h5
    expect 2 '--append needs --resume' bruss2d --append --every 10 --out x.csv --probe 0
    expect 2 '--append needs --every' bruss2d --resume early.h5 --steps 1 --append --out x.h5
    [ "$png" = no ] || expect 2 '--append: the animation x.apng cannot be continued' $append --out x.apng
    left=$(find . -name '.eulercl-*' -o -name '*.part')
    [ -z "$left" ] && pass || fail "--append left $left"
fi

# --- fields from files: of the values the file has the hash alone
cat >sea.c <<'C'
#define ODE_NAME sea
#define ODE_TITLE "fields from files"
#define ODE_GRID 2
#define ODE_COMPONENTS 1
#define ODE_BOUNDARY ODE_CLAMP
#define ODE_NX 6
#define ODE_NY 4
#define ODE_FIELDS(FIELD) FIELD(depth) FIELD(wind)
#include <eulercl/ode_problem.h>
ODE_POINT_RHS( DOT(0) = FIELD(depth) * LAPLACE(0) + FIELD(wind); )
ODE_INITIAL( Y0(0) = ix; )
C
sed '/ODE_FIELDS/d; s/DOT(0) = .*/DOT(0) = LAPLACE(0); )/' sea.c >pond.c
quiet pond.c --h 0.1 --steps 2 --out a.npy
quiet pond.c --h 0.1 --steps 9 --out b.h5
quiet pond.c --h 0.1 --steps 9 --out single.npy --precision float
"$eulercl" info sea.c | grep -q '^fields  *depth, wind$' && pass || fail "info: fields"
expect 2 'problem sea: field depth has no values' sea.c
set="--field depth=a.npy --field wind=b.h5"
quiet sea.c $set --steps 7 --out whole.npy
quiet sea.c $set --steps 3 --checkpoint part.h5
quiet sea.c --field wind=b.h5 --field depth=a.npy --steps 4 --resume part.h5 --out again.npy
same whole.npy again.npy
expect 2 'the fields that were set are depth:[0-9a-f]*,wind:[0-9a-f]* in the file, but none' sea.c --steps 4 --resume part.h5
expect 2 'in the file, but depth:[0-9a-f]*,wind:[0-9a-f]* on' sea.c $set --field wind=a.npy --steps 4 --resume part.h5
expect 2 '--field bed: the problem has no such field' sea.c --field bed=a.npy
expect 2 '--field wind: expected NAME=FILE' sea.c --field wind
expect 6 'single.npy' sea.c $set --field wind=single.npy
expect 6 'missing.npy' sea.c $set --field wind=missing.npy
quiet bruss2d -p m=6 --steps 1 --out large.npy
expect 6 'large.npy holds 72 reals' sea.c $set --field wind=large.npy

# --- the text of a FILE.c may change the shape of a grid, whose numbers would go to other points
cat >shape.c <<'C'
#define ODE_NAME shape
#define ODE_TITLE "a box"
#define ODE_GRID 3
#define ODE_COMPONENTS 1
#define ODE_BOUNDARY ODE_CLAMP
#define ODE_NX 6
#define ODE_NY 5
#define ODE_NZ 4
#include <eulercl/ode_problem.h>
ODE_POINT_RHS( DOT(0) = LAPLACE(0) / 8; )
ODE_INITIAL( Y0(0) = (double)(ix + 2 * iy + 3 * iz); )
C
quiet shape.c --steps 4 --backend seq --checkpoint shape.h5
sed 's/NX 6/NX 12/; s/NZ 4/NZ 2/' shape.c >longer.c
sed 's/GRID 3/GRID 2/; s/NY 5/NY 20/; /ODE_NZ/d; s/ + 3 \* iz//' shape.c >flat.c
expect 6 'shape.h5 cannot be resumed: the shape is 4 x 5 x 6 x 1 in the file and 2 x 5 x 12 x 1 here$' longer.c --backend seq --resume shape.h5 --steps 4
expect 6 'the shape is 4 x 5 x 6 x 1 in the file and 20 x 6 x 1 here$' flat.c --backend seq --resume shape.h5 --steps 4
expect 0 '^steps  *8 of' shape.c --backend pthreads --resume shape.h5 --steps 4
finish
