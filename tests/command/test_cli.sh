#!/bin/sh
# The command as a user meets it: exit codes, one-line errors, files that appear whole or not at all, JSON keys, equal hashes.
. "$(dirname "$0")/../cli.sh"

# silent ARGUMENTS...: exit code 0, and not a word
silent() {
    if "$eulercl" "$@" >out 2>err </dev/null && [ ! -s out ] && [ ! -s err ]; then pass; else fail "eulercl $*: $(cat out err)"; fi
}

# hash ARGUMENTS...: the state hash of a run
hash() { "$eulercl" solve "$@" --json 2>/dev/null | sed -n 's/.*"state_hash": "\([0-9a-f]*\)".*/\1/p'; }
same_hash() {
    name=$1 reference=$2 other=$3
    if [ -n "$reference" ] && [ "$reference" = "$other" ]; then pass; else fail "$name: '$reference' and '$other'"; fi
}
no_file() { for f in "$@"; do if [ -e "$f" ]; then fail "$f was left behind"; rm -f "$f"; fi; done; }

# --- what works
expect 0 bruss2d list
# every tuning parameter is an option, with a place in the manual
tr -d '\\' <"$sources/cli/eulercl.1" >manual
for tuning in $("$eulercl" list | sed -n '/^Tuning/,$s/^  \([^ ]*\) .*/--\1/p' | tr _ -); do
    expect 0 "^ *$tuning[= ]" solve --help
    if grep -q -e "$tuning" manual; then pass; else fail "eulercl.1 has no $tuning"; fi
done
for backend in $(sed -n 's/^BACKEND("\([^"]*\)".*/\1/p' "$sources/lib/plan/backends.def"); do expect 0 "^  $backend " list; done
# every method is listed with its figures, and is in the manual with its source
methods=$("$eulercl" list | sed -n '/^Methods/,/^Axes/s/^  \([^ ]*\) .*/\1/p')
[ "$(echo "$methods" | head -n 1)" = euler ] && [ "$(echo "$methods" | wc -l)" -gt 10 ] && pass || fail "methods: $methods"
expect 0 '^Methods  *order  stages  *arrays  tol  real axis  *imaginary axis  *for$' list
found out '^  euler  *1  1  *1  *2  *0  *[a-z]' '^  rk4  *4  4  *3  *2\.78[0-9]*  *2\.82[0-9]*  *[a-z]' '^  rkl2  *2  2 to [0-9]*  *4  yes  2 / 54 / [0-9]*  *0  *[a-z]' '^  verlet  *2  3  *1  *0  *2  *[a-z]'
for method in $methods; do
    if awk -v name="$method" '/^\.SH METHODS/ { inside = 1 } /^\.SH [^M]/ { inside = 0 } inside && $0 ~ "^[.]B[RI]* " name "( |$)" { found = 1 } END { exit !found }' manual; then pass
    else fail "eulercl.1 does not describe $method"; fi
    grep -q "^| \`$method\` |" "$sources/doc/methods.md" && pass || fail "doc/methods.md does not list $method"
done
if [ "$json" = yes ]; then
    expect 0 '"methods": ' list --json
    for key in name doc source order least_stages most_stages arrays partitioned tolerance limits stages evaluations real imaginary; do found out "\"$key\": "; done
    if command -v python3 >/dev/null; then
        python3 -c 'import json, sys
methods = {m["name"]: m for m in json.load(open("out"))["methods"]}
assert all(len(m["source"]) > 10 and m["doc"] for m in methods.values())
assert [l["stages"] for l in methods["rkl2"]["limits"]] == [2, 10, methods["rkl2"]["most_stages"]] and len(methods["rk4"]["limits"]) == 1
assert methods["verlet"]["partitioned"] and not methods["rk4"]["partitioned"] and abs(methods["rk4"]["limits"][0]["imaginary"] - 8 ** 0.5) < 1e-2
assert open("manual").read().count(".SH METHODS") == 1' 2>err && pass || fail "list --json: $(tail -n 1 err)"
    fi
fi
expect 0 'access distance' info string
expect 0 Usage --help
for sub in list devices info solve compare tune wisdom bench; do expect 0 Usage "$sub" --help; done
expect 0 '[0-9]' --version
expect 0 'n = 20' solve string --size 20
expect 0 'shorter' solve string --size 20 --h 0.3 --t-end 1
expect 0 '' solve string --size 20 --steps 0
expect 0 'n = 8' solve bruss2d -p m=2

# --- 2: names, numbers, sizes
"$eulercl" >out 2>err
[ $? -eq 2 ] && grep -q Usage err && pass || fail "no subcommand"
expect 2 '' nonsense
expect 2 '' solve
expect 2 '' solve string extra
expect 2 nonsense solve nonsense
expect 2 'unrecognized' solve string --nonsense
# line breaks, escape sequences and bytes that are no text in a user's text are shown and not obeyed; messages are cut between characters
odd=$(printf 'a\nb\033[31m\302\233\377')
shown='a\\nb\\x1b\[31m\\xc2\\x9b\\xff'
expect 2 "'$shown'" info "$odd"
expect 2 "'$shown'" solve string "$odd"
expect 2 "'--$shown'" "--$odd"
expect 2 "'--$shown'" solve string "--$odd"
expect 2 "$shown" solve string --size "$odd"
expect 2 "$shown: the name" solve string --out "$odd"
expect 6 "$shown.npy" solve string --size 20 --in "$odd.npy"
expect 6 "$shown.so" solve "./$odd.so"
expect 0 "^written  $shown.npy" solve string --size 20 --steps 1 --out "$odd.npy"
rm -f "$odd"*
long=$(printf 'ä%.0s' $(seq 1 100))
whole_characters() { iconv -f UTF-8 -t UTF-8 "$1" >again 2>&1 && ! grep -q '\\x' "$1" && pass || fail "$2: $(cat "$1" again)"; }
for before in '' x; do
    expect 2 '' info "$before$long$long$long"
    whole_characters err 'a name that is cut'
    mkdir -p "$before$long/$long" && echo none >"$before$long/$long/w" || exit 99
    expect 6 'ä is not used: ' wisdom --wisdom "$before$long/$long/w"
    whole_characters err 'a path that is cut'
    [ "$json" = no ] || expect 0 'ä is not used: ' solve string --size 20 --steps 10 --wisdom "$before$long/$long/w" --json
    rm -rf "$before$long"
done
expect 2 'parameter' solve string -p q=1
expect 2 '' solve string -p points
expect 2 '' solve string -p points=
expect 2 '' solve string -p points=x
expect 2 'points' solve string -p points=0
expect 2 'whole' solve string -p points=1.5
expect 2 '' solve string -p K=nan
expect 2 '' solve string -p K=inf
expect 2 '' solve string -p K=1e999
expect 2 'overflows' solve string -p points=4e18
expect 2 'm = 1' solve bruss2d -p m=1
expect 2 '20000.*20402' solve bruss2d --size 20001
expect 2 '6.*8' info string --size 7
expect 2 '' solve string --size 0
expect 2 '' solve string --size -2
expect 2 '' solve string --size 99999999999999999999
expect 2 '' solve string --size 10x
expect 2 '' solve string --steps -1
expect 2 '' solve string --steps 1e30
expect 2 '' solve string --steps 1.5
expect 2 '' solve string --h 0
expect 2 '' solve string --h -1
expect 2 '' solve string --h nan
expect 2 '' solve string --h 1e-60 --precision float
expect 2 '' solve string --t0 inf
expect 2 '' solve string --t-end -1
expect 2 '' solve string --t-end 1 --h 1e-300
expect 2 '' solve string --t-end 1 --h 0.1 --steps 10
expect 2 '' solve string --backend nonsense
expect 2 '' solve string --backend seq --variant vector
expect 2 '' solve string --backend cl-linear --variant nonsense
# a parameter that cannot be used is an error that names the limit
expect 2 'backend seq has no threads, which is for pthreads' solve string --backend seq --threads 2
expect 2 'backend cpu has no dia_blocks, which is for cl-row-diamond' solve string --backend cpu --dia-blocks 2
expect 4 'cannot run with variant lanes: [0-9]* SIMD lanes, .* need a larger grid than 10$' solve string --size 20 --backend cpu --variant lanes
expect 4 'variant steps makes single steps over the whole state, so tile_points' solve string --backend cpu --variant steps --tile-points 9
expect 4 'variant barrier makes single steps .* steps_per_launch' solve string --backend pthreads --variant barrier --steps-per-launch 9
cat >round.c <<'C'
#define ODE_NAME round
#define ODE_TITLE "a general problem that reads all"
#define ODE_SIZE 30
#define ODE_ACCESS_DISTANCE 29
#include <eulercl/ode_problem.h>
ODE_EVAL_COMP( return Y(n - 1 - i) - Y(i); )
ODE_INITIAL( Y0(0) = 1; )
C
for way in '--backend pthreads --variant tiles' '--backend cpu --variant tiles' '--device cpu --variant tiles'; do
    # shellcheck disable=SC2086
    expect 4 'variant tiles: a step of method rk4 reads components at a distance of 116' solve round.c --method rk4 $way
done
expect 4 'no usable backend supports tile_points=3: .*SIMD lanes need a grid problem .*; a step of method' solve round.c --device cpu --tile-points 3
expect 4 'no usable backend supports storage=column' solve round.c --device cpu --storage column
# the tutorial's cube begins with its middle
sed -n '/^```c cube.c/,/^```$/p' "$sources/doc/tutorial.md" | sed '1d;$d' >cube.c
expect 0 '^value    y\[62\] = 1$' solve cube.c -p m=5 --steps 0 --probe 62
expect 0 '^value    y\[2 2 2:0\] = 1$' solve cube.c -p m=5 --steps 0 --probe 2,2,2:0
expect 2 '' solve string --precision half
expect 2 '' solve string --threads 1e9
expect 2 '' solve string --threads -1
expect 2 '' solve string --workgroup-size 1e12
expect 2 '' solve string --dia-blocks 0
expect 2 '' solve string --dia-blocks -2
expect 2 '' solve string --dia-blocks 7x
expect 2 'dia_blocks' solve string --size 20 --dia-blocks 1048577
expect 2 '' solve string --honeycomb-steps -1
expect 2 '' solve string --honeycomb-steps 1.5
expect 2 'honeycomb_steps' solve string --size 20 --honeycomb-steps 524289
expect 2 'one of mult, add, corr, auto' solve string --size 20 --distribution sub
expect 2 'one of mult, add, corr, auto' solve string --size 20 --distribution ''
expect 2 'one of local, global, column, auto' solve string --size 20 --storage shared
for option in points-per-item rows-per-item workgroup-rows steps-per-launch steps-per-exchange; do
    expect 2 "$option 0: .* must be a whole number from 1 to" solve string --size 20 --$option 0
    expect 2 "$option 1e6: .* must be a whole number from 1 to" solve string --size 20 --$option 1e6
done
expect 2 'known: auto, estimate, measure' solve string --size 20 --plan guess
expect 2 "no variant 'strided'" solve string --size 20 --backend cl-honeycomb --variant strided --print-kernel
# tiny values
for sub in solve compare bench tune; do
    expect 2 "flush_below: '-1' is not a number >= 0" $sub none.c --flush-below -1
    expect 2 "flush_below: 'nan' is not a finite number" $sub none.c --flush-below nan
done
# --- steps to a tolerance
tol="solve bruss2d -p m=40 --t-end 0.5 --tol 1e-4 --backend"
silent ${tol} seq --out whole.npy -q
silent ${tol} pthreads --threads 2 --out again.npy -q
check 'a tolerance on two backends' cmp whole.npy again.npy
expect 0 '^steps    [0-9]*, and [0-9]* rejected, of h = ' $tol cpu
found out '^tol      rtol = 0.0001, atol = 0.0006$' '^         chosen: at t = ' ', from t = 0 to 0.5$'
if [ "$json" = yes ]; then
    expect 0 '"method_reason": "at t = ' $tol cpu --json
    for key in rtol atol h_first h_least h_greatest h_last error_estimate rejected control_seconds; do found out "\"$key\": [0-9]"; done
    found out '"h": null'
fi
cat >scales.c <<'EOF'
#define ODE_NAME scales
#define ODE_TITLE "two unknowns of two scales, and one that grows from 0"
#define ODE_GRID 1
#define ODE_COMPONENTS 3
#define ODE_BOUNDARY ODE_MIRROR
#define ODE_NX 20
#define ODE_ATOL(c) ((c) == 2 ? 1e-15 : 0)
#include <eulercl/ode_problem.h>
ODE_POINT_RHS(DOT(0) = -AT(0, 0); DOT(1) = -AT(0, 1); DOT(2) = AT(0, 1);)
ODE_INITIAL(Y0(0) = 300; Y0(1) = 1e-9; Y0(2) = 0;)
EOF
tol="solve scales.c --t-end 1 --backend cpu --tol"
expect 0 '^         atol 0.3 of unknown 0, 1e-12 of unknown 1, 1e-15 of unknown 2$' $tol 1e-3
grep -q 'stayed below' out && fail "a note on small unknowns: $(cat out)" || pass
expect 0 '^note: unknown 1 stayed below its ATOL, 0.0001, .* was 1e-09), .*not controlled' $tol 1e-3,1e-4
expect 0 '^         atol 0.01 of unknown 0, 1e-08 of unknown 1, 1e-13 of unknown 2$' $tol 1e-3,1e-2,1e-8,1e-13
found out '^note: unknown 1 stayed'
expect 2 '2 absolute tolerances are given, and problem scales has 3 unknowns at each grid point' $tol 1e-3,1,2
expect 2 "--tol: '0' is not greater than 0" $tol 1e-3,1,2,0
expect 2 "--tol: '' is not a finite number" $tol 1e-3,1,2,
[ "$json" = no ] || { expect 0 '"below_atol": "1,2"' $tol 1e-3,1 --json; found out '"atols": .$' '"atol": 1.0'; }
expect 0 '^steps to the tolerance rtol = 0.001 and atol = 0.01, 1e-12, 1e-12 from' compare scales.c --t-end 1 --tol 1e-3,1e-2,1e-12,1e-12 --backends seq
tol="solve bruss2d -p m=40 --t-end 0.5 --tol 1e-4 --backend"
silent ${tol} cpu --method rock2 --every t=0.125 --out tolerance.csv --monitor max -q
[ "$(grep -c '^[0-9]*,0\(\.[0-9]*\)*,' tolerance.csv)" = 5 ] && grep -q '^[0-9]*,0.375,' tolerance.csv && pass || fail "snapshots of a tolerance: $(cat tolerance.csv)"
rm -f tolerance.csv
expect 2 '--tol needs either --t-end or --steps' solve bruss2d --tol 1e-4
expect 2 '--h and --tol are mutually exclusive' solve bruss2d --tol 1e-4 --h 1 --t-end 1
expect 2 "--tol: '0' is not greater than 0" solve bruss2d --tol 0 --t-end 1
expect 2 "--tol: 'x' is not a finite number" solve bruss2d --tol 1e-3,x --t-end 1
expect 2 '--h0, --h-max, --max-steps, --controller and --spectral-radius need --tol' solve bruss2d --h0 1
expect 2 "--controller: unknown controller 'pid' (known: pi, i, h211b)" solve bruss2d --tol 1e-3 --controller pid --t-end 1
expect 2 '--dense needs --tol and --every t=TIME' $tol cpu --dense
expect 2 '--dense needs --tol and --every t=TIME' solve bruss2d -p m=8 --every t=0.1 --dense --out a.csv --monitor max
[ "$hdf5" = no ] || expect 2 '--dense and --checkpoint-every t=TIME are mutually exclusive' $tol cpu --every t=0.1 --dense --out a.csv --checkpoint c.h5 --checkpoint-every t=1
expect 2 'with --tol, intervals of t=TIME need --t-end, not --steps' solve bruss2d -p m=8 --tol 1e-3 --steps 10 --every t=100 --out a.csv
expect 2 '--steady needs --tol' solve bruss2d -p m=8 --steady 1
expect 2 '--dense needs --tol and --every t=TIME' $tol cpu --every 5 --dense --out a.csv
for value in -1 0 nan inf x; do expect 2 "--steady: '$value' is not " $tol cpu --steady $value; done
for value in steps step5 ' step'; do expect 2 '--every' $tol cpu --every "$value" --out a.csv; done
[ ! -e a.csv ] && [ ! -e a.csv.part ] && pass || fail "a table in spite of an error"
# every round of steps has a row: together the steps of the report, each with its size and its error
silent ${tol} cpu --every step --out steps.csv --out again.npy -q
check '--every step changes the steps' cmp whole.npy again.npy
[ "$(head -n 1 steps.csv)" = step,t,h,error ] && pass || fail "the head of a table of steps: $(head -n 1 steps.csv)"
awk -F, '/^[0-9]/ { rows++; if (rows > 1 && ($2 <= t || $1 <= step || !($3 > 0) || !($4 >= 0 && $4 < 1.1))) wrong++; if (rows > 1 && ($2 - t) / ($1 - step) > 1.0001 * $3) wrong++
    step = $1; t = $2 } /^# steps: / { split($0, a, ": "); all = a[2] } END { exit !(rows > 5 && !wrong && step == all && t == 0.5) }' steps.csv &&
    pass || fail "a table of steps: $(cat steps.csv)"
# every fifth step, or the end of the round that contains it; more columns follow
silent ${tol} cpu --every 5 --out steps.csv --probe 3 --monitor max --out again.npy -q
check '--every 5 changes the steps' cmp whole.npy again.npy
[ "$(head -n 1 steps.csv)" = 'step,t,h,error,y[3],max' ] && pass || fail "the head of a table of steps: $(head -n 1 steps.csv)"
awk -F, '/^[0-9]/ { rows++; if (rows > 1 && !(int($1 / 5) > int(step / 5)) && $2 != 0.5) wrong++; if (NF != 6) wrong++; step = $1 } END { exit !(rows > 3 && !wrong) }' steps.csv &&
    pass || fail "a table of every fifth step: $(cat steps.csv)"
# with steps of one size every step is one row, without sizes and errors
silent solve string --size 20 --h 0.01 --steps 7 --every step --out steps.csv --probe 3 -q
[ "$(sed -n 's/^\([0-9]*\),.*/\1/p' steps.csv | tr '\n' ' ')" = '0 1 2 3 4 5 6 7 ' ] && [ "$(head -n 1 steps.csv)" = 'step,t,y[3]' ] && pass || fail "--every step: $(cat steps.csv)"
# states within steps do not change the steps
silent ${tol} cpu --every t=0.01 --dense --out dense.csv --out again.npy --monitor max -q
check '--dense changes the steps' cmp whole.npy again.npy
awk -F, '/^[0-9]/ { if ($2 - 0.01 * rows > 1e-12 || 0.01 * rows - $2 > 1e-12 || $1 < step) wrong++; rows++; step = $1 } END { exit !(rows == 51 && !wrong) }' dense.csv &&
    pass || fail "a table of states within steps: $(cat dense.csv)"
# and shorter steps to the same times do: this run shows something
silent ${tol} cpu --every t=0.01 --out dense.csv --out again.npy --monitor max -q
! cmp -s whole.npy again.npy && pass || fail "--dense makes no difference"
rm -f steps.csv dense.csv whole.npy again.npy
expect 0 '^         steady: dy/dt is at most [0-9.]*e-' solve bruss2d -p m=16 -p B=1.2 --tol 1e-4 --steady 1e-4 --t-end 1e6 --backend cpu
expect 0 '^         not steady: dy/dt is still greater than 0.0001$' solve bruss2d -p m=16 --tol 1e-4 --steady 1e-4 --t-end 1 --backend cpu
if [ "$json" = yes ]; then
    expect 0 '"steady": true' solve bruss2d -p m=16 -p B=1.2 --tol 1e-4 --steady 1e-4 --t-end 1e6 --backend cpu --json
    found out '"derivative": [0-9.]*e-' '"control": "[0-9]* ' '"t_end": [0-9]\{2,4\}\.'
    expect 0 '"steady": false' $tol cpu --steady 1e-9 --json
    found out '"derivative": null' '"t_end": 0.5'
    expect 0 '"steady": null' $tol cpu --json
    expect 0 '"control": ' solve string --size 20 --h 0.01 --steps 1 --json
    grep -q '"control": "."' out && fail "a control without --tol: $(cat out)" || pass
fi
expect 2 'the end time -1 is not a finite time after t = 0' solve bruss2d --tol 1e-3 --t-end -1 --backend cpu
expect 4 'method rk4 has no estimate of its errors, so it takes no tolerance; midpoint, heun' $tol cpu --method rk4
expect 10 'more than 5 steps: t = ' $tol cpu --max-steps 5
expect 0 '^note: the tolerance 1e-09 is below the rounding errors in float' $tol cpu --precision float --tol 1e-9 --t-end 1e-3
expect 2 'flush_below = 1e+300 is not a finite number >= 0 in this precision' solve string --flush-below 1e300 --precision float
expect 2 'flush_below cannot be set here.*--flush-below' compare string --backends cpu:flush_below=1
# a method that there is not, or stages that it does not have: said before a file is compiled, by every subcommand
printf '#error compiled\n#define ODE_NAME none\n' >none.c
for sub in solve compare tune bench check; do
    expect 2 "^*unknown method 'nonsense'; .eulercl list. shows the methods$" $sub none.c --method nonsense
    expect 2 "stages: '0' is not a whole number from 1 to" $sub none.c --method rkl2 --stages 0
    expect 2 'method euler has 1 stage, not 2$' $sub none.c --stages 2
    expect 2 'method rk4 has 4 stages, not 5$' $sub none.c --stages 5 --method rk4
    expect 2 'method rkl2 has at most [0-9]* stages, not 100000$' $sub none.c --method rkl2 --stages 1e5
    expect 8 compiled $sub none.c --method rk4 --stages 4
done
expect 2 "unknown method 'nonsense'" bench none.c --methods euler,nonsense
expect 2 "'0' is not a whole" bench none.c --methods rkl2:0
expect 2 'method rk4 has 4 stages, not 5' bench none.c --methods rk4:5
expect 2 'duplicate' bench none.c --methods rk4,rk4
expect 2 'list is empty' bench none.c --methods ,
expect 2 'method cannot be set here; .*--methods' bench none.c --backends cpu:method=rk4
expect 2 'cannot be set here; .*--methods' bench none.c --backends cpu:stages=4
expect 4 'method verlet needs positions and velocities, but problem bruss2d does not say' solve bruss2d -p m=4 --method verlet
expect 4 'method rkl2 has at most [0-9]* stages, which are stable up to h = ' solve bruss2d -p m=4 --method rkl2 --h 1e9
expect 2 '' solve string --out picture.jpg
expect 2 '' solve string --component 2 --out c.npy
no_file picture.jpg c.npy

# --- 5: a solution that becomes infinite, and nothing written
expect 5 'component [0-9]* is .* step [0-9]*.*smaller' solve bruss2d -p m=20 --h 10 --backend seq --out blown.npy
no_file blown.npy

# --- 6: files
expect 6 '' solve string --in missing.npy
expect 6 '' solve missing.c
expect 6 '' solve ./missing.so
expect 6 '' solve string --size 20 --out /nonexistent/x.npy
printf 'not a plug-in' >broken.so
expect 6 '' solve ./broken.so
printf 'not an array' >broken.npy
expect 6 '' solve string --size 20 --in broken.npy
expect 0 written solve string --size 20 --steps 10 --out state.npy --backend seq
head -c 200 state.npy >short.npy
expect 6 '' solve string --size 20 --in short.npy
expect 6 '' solve string --size 22 --in state.npy
expect 6 'double' solve string --size 20 --in state.npy --precision float
mkdir folder.npy
expect 6 '' solve string --size 20 --out folder.npy
if [ -w /dev/full ]; then
    "$eulercl" list >/dev/full 2>err
    [ $? -eq 6 ] && pass || fail "list >/dev/full"
fi

# --- 7: memory
expect 7 'MB' solve string -p points=1e14 --backend seq

# --- 8: sources that do not compile
cat >bad.c <<'C'
#define ODE_NAME bad
#define ODE_TITLE "bad"
#define ODE_GRID 1
#define ODE_COMPONENTS 1
#define ODE_BOUNDARY ODE_CLAMP
#define ODE_NX 10
#include <eulercl/ode_problem.h>
ODE_POINT_RHS( DOT(0) = nonsense; )
ODE_INITIAL( Y0(0) = 1; )
C
expect 8 '' solve bad.c
grep -q 'bad.c:8.*nonsense' err || fail "the compiler's log does not name the line: $(head -n 5 err)"
sed 's/nonsense/2.5 * AT(0, 0)/' bad.c >literal.c
expect 8 '' solve literal.c --precision float
sed 's/nonsense/REAL(2.5) * AT(0, 0)/; s/ODE_NAME bad/ODE_NAME good/' bad.c >good.c
CC=/nonexistent/cc
export CC
expect 8 'cc' solve good.c
unset CC
expect 0 'n = 10' solve good.c --steps 5

# an equation left out, a neighbour too far away, a component too many
grep -v ODE_INITIAL good.c >noinitial.c
expect 8 '' solve noinitial.c
sed 's/AT(0, 0)/AT(2, 0)/' good.c >far.c
expect 8 '' solve far.c
sed 's/AT(0, 0)/AT(0, 1)/' good.c >component.c
expect 8 '' solve component.c
sed 's/DOT(0) = [^;]*;/(void)AT(0, 0);/' good.c >nodot.c
expect 5 'nan' solve nodot.c --backend seq
sed 's/AT(0, 0)/REAL(lgamma((double)AT(0, 0)))/' good.c >unknown.c
expect 0 'differ between devices' solve unknown.c --backend seq
printf '#define' >'quo"te.c'
expect 6 'quotation' solve 'quo"te.c'

# --- a problem of the user's own, on every backend; and state in, state out
# the example at the top of the header works as it is
sed -n 's/^ \* \{0,5\}//; /^#define ODE_NAME  *heat/,/^ODE_INITIAL/p' "$sources/include/eulercl/ode_problem.h" >heat.c
grep -q ODE_POINT_RHS heat.c || fail "the header's example was not found"
# texts over which the finder of equations for OpenCL must not stumble
{
    printf '\357\273\277/* ODE_INITIAL( it'"'"'s a trap */ #define ODE_NAME hostile\r\n'
    sed '/ODE_NAME/d; s/$/\r/; s/ODE_POINT_RHS(/ODE_POINT_RHS \/* ( *\/ \/\/ ((\r\n(/; s/; )$/; \/\/ ) it'"'"'s\n)/' good.c
    printf '#include <stdio.h>\n#define FOO 1 /* a comment\n   goes on: ODE_INITIAL( it'"'"'s */\n// ends in a backslash \\\nODE_EXACT(isn'"'"'t\n'
    printf '#if 0\nODE_POINT_RHS( it ( broken\n#endif\n'
} >hostile.c
# products of indices beyond 31 bits
sed 's/REAL(2.5) \* AT(0, 0)/REAL(ix * ix * 1000003) \/ REAL(nx * nx) - AT(0, 0)/; s/ODE_NX 10/ODE_NX 70000/; s/ODE_NAME good/ODE_NAME indices/' good.c >indices.c
expect 0 '^method   euler, order 1, 1 stage$' solve string --size 20 --steps 3
expect 0 '^method   rk4, order 4, 4 stages$' solve string --size 20 --steps 3 --method rk4
found out 'Gstages/s'
expect 0 '^method   rkl2, order 2, 7 stages$' solve string --size 20 --steps 3 --method rkl2 --stages 7
expect 0 '^method   rkl2, order 2, 2 stages, chosen for h$' solve bruss2d -p m=4 --steps 3 --method rkl2
expect 0 '^method   rkl2, order 2, [3-9] stages, chosen for h$' solve bruss2d -p m=4 --steps 1 --method rkl2 --h 1
# a pulse that decays to subnormal numbers, and one that spreads
sed 's/ODE_NAME good/ODE_NAME spreads/; s/ODE_NX 10/ODE_NX 400/; /ODE_POINT_RHS/,$d' good.c >spreads.c
printf 'ODE_POINT_RHS( DOT(0) = LAPLACE(0); )\nODE_INITIAL( Y0(0) = ix == 200; )\n' >>spreads.c
{ echo '#define ODE_FLUSH_BELOW(c) 1e-12'; cat spreads.c; } >cut.c
run='--precision float --h 0.1 --steps 100 --backend'
expect 0 '^note: [1-9][0-9]* components of the state are subnormal numbers.*; --flush-below 1e-12 sets' solve spreads.c $run seq
expect 0 '^flush    components below 1e-12 become 0, after every 16 steps$' solve cut.c $run seq
grep -q subnormal out && fail 'subnormal numbers are left' || pass
expect 0 '^flush    components below 1e-44 become 0, after every 4 steps$' solve cut.c $run seq --method rk4 --flush-below 1e-44
found out '; a greater --flush-below sets'
expect 0 '^note: .*subnormal' solve cut.c $run seq --flush-below 0
grep -q ^flush out && fail '--flush-below 0 flushes' || pass
if [ "$json" = yes ]; then
    expect 0 '"flush_below": [19][.0-9]*e-1[23],' solve cut.c $run seq --json
    found out '"subnormal_components": 0'
    expect 0 '"flush_below": 0.0' solve spreads.c $run seq --json
    found out '"subnormal_components": [1-9]'
    reference=$(hash cut.c $run seq)
    [ "$(hash spreads.c $run seq --flush-below 1e-12)" = "$reference" ] && pass || fail "the option and the problem's word differ"
    [ "$(hash spreads.c $run seq)" != "$reference" ] && pass || fail "nothing is flushed"
    for way in "cpu" "cpu --variant tiles" "pthreads --threads 2"; do [ "$(hash cut.c $run $way)" = "$reference" ] && pass || fail "tiny values: $way"; done
fi
if [ "$json" = yes ]; then
    expect 0 '"note": null' solve string --size 20 --steps 3 --json --backend seq
    found out '"method": "euler"' '"order": 1' '"stages": 1' '"rhs_evaluations": 3' '"component_stages_per_second": [1-9]'
    expect 0 '"method": "rk4"' solve string --size 20 --steps 3 --json --method rk4
    found out '"order": 4' '"stages": 4' '"rhs_evaluations": 12'
    expect 0 '"component_stages_per_second": null' solve string --size 20 --steps 0 --json --backend seq
    expect 0 '"method": "verlet"' solve string --size 20 --steps 3 --json --method verlet --backend seq
    found out '"order": 2' '"stages": 3' '"rhs_evaluations": 3'
    for precision in float double; do
        for run in "string --size 34 --method verlet" "bruss2d -p m=17 --method rkl2 --stages 5" "bruss2d -p m=17 --method rk4" "good.c --method rk4"; do
            # shellcheck disable=SC2086
            reference=$(hash $run --precision $precision --backend seq --steps 20 --h 1e-3)
            [ "$reference" != "$(hash ${run%--method*} --precision $precision --backend seq --steps 20 --h 1e-3)" ] && pass || fail "$run: the bits of Euler"
            for way in cpu "pthreads --threads 3" cl-linear; do
                case "$opencl $way $precision" in "no cl-"* | "yes cl-"*double) continue ;; esac
                # shellcheck disable=SC2086
                same_hash "$run $precision $way" "$reference" "$(hash $run --precision $precision --steps 20 --h 1e-3 --backend $way)"
            done
        done
    done
    for key in problem n access_distance steps t0 t_end h backend variant precision device component_steps_per_second launches device_bytes \
               state_hash seconds total compile setup build upload kernel download note steps_per_launch; do
        found out "\"$key\""
    done
    found out '"steps_per_launch": 1'
    if grep -q tiles out; then fail "seq lists tiles"; else pass; fi
    expect 0 '"name"' info bruss2d --json
    for key in n access_distance grid parameters value default min max unit doc; do found out "\"$key\""; done
    expect 0 '"component_steps_per_second": null' solve string --size 20 --steps 0 --json --backend seq
    expect 0 '"steps": 4' solve string --size 20 --h 0.3 --t-end 1 --json --backend seq
    expect 0 '"steps": 10' solve string --size 20 --h 0.1 --t-end 1 --json --backend seq
    for precision in float double; do
        for problem in "bruss2d -p m=17" "string --size 34" good.c heat.c hostile.c indices.c; do
            # shellcheck disable=SC2086
            reference=$(hash $problem --precision $precision --backend seq --steps 50)
            # shellcheck disable=SC2086
            same_hash "$problem pthreads $precision" "$reference" "$(hash $problem --precision $precision --backend pthreads --threads 3 --steps 50)"
            [ "$opencl" = yes ] || continue
            # An OpenCL compiler is slow: the built-in problems on all backends are what test_compare.sh looks at; variants have one precision, and tiles
            # half of the files by turns.
            case $problem in *-p* | *--size*) continue ;; esac
            for variant in vector strided chunked; do
                case "$variant $precision" in "vector float" | "strided float" | "chunked double") continue ;; esac
                # shellcheck disable=SC2086
                same_hash "$problem $variant $precision" "$reference" "$(hash $problem --precision $precision --backend cl-linear --variant $variant --steps 50)"
            done
            [ $precision = double ] || continue
            case $problem in
            good.c | indices.c) set -- "row-diamond" "honeycomb --dia-blocks 12 --honeycomb-steps 3" ;;
            *) set -- "column-diamond --workgroup-size 16" "register" ;;
            esac
            for tile; do
                # shellcheck disable=SC2086
                same_hash "$problem $tile $precision" "$reference" "$(hash $problem --precision $precision --backend cl-$tile --steps 50)"
            done
        done
    done
    expect 0 written solve bruss2d -p m=9 --steps 30 --out half.npy
    same_hash "two halves" "$(hash bruss2d -p m=9 --steps 60)" "$(hash bruss2d -p m=9 --steps 30 --in half.npy --t0 3e-3)"
fi
[ "$json" = yes ] || expect 4 '' list --json

# --- the planner
expect 0 '^plan     estimate: .* per step expected' solve string --size 20 --wisdom ''
expect 0 'for 7 steps' solve string --size 20 --wisdom '' --steps 7
expect 0 '^plan     measured: .* per step measured' solve string --size 20 --wisdom w --plan measure
expect 0 '^plan     wisdom: .* measured earlier' solve string --size 20 --wisdom w --steps 100000
expect 0 '^kept     w$' tune string --size 30 --wisdom w
found out '^backend .*variant .*predicted us .*measured us .*Gcs/s .*tuning$' '^fastest  .* us per step, .* Gcs/s'
expect 0 '^kept     w$' tune string --size 30 --wisdom w --method rk4
expect 0 'method=rk4:4 ' wisdom --wisdom w
found out 'method=euler:1 '
expect 0 '^plan     wisdom: .* measured earlier' solve string --size 30 --wisdom w --method rk4 --steps 100000
expect 0 '^plan     estimate: ' solve string --size 30 --wisdom w --method verlet --steps 100
expect 0 'note: not stored' tune string --size 30 --wisdom w --backend seq
expect 0 'note: wisdom is disabled' tune string --size 30 --wisdom ''
expect 2 'known: auto, estimate, measure' solve string --size 20 --plan guess
expect 2 "unknown backend 'nonsense'" tune string --backend nonsense
expect 2 '' tune
expect 2 'unrecognized' tune string --out x.npy
expect 0 'n=20 ' wisdom --wisdom w
found out 'n=30 ' 'us per step$'
silent wisdom show --wisdom none-yet
expect 0 'eulercl/wisdom$' wisdom path
expect 0 '^w$' wisdom path --wisdom w
silent wisdom export copy --wisdom w
cmp -s w copy || fail "an export is no copy"
silent wisdom forget --wisdom w
no_file w
expect 6 '' wisdom export elsewhere --wisdom w
no_file elsewhere
silent wisdom import copy --wisdom w
cmp -s w copy || fail "an import into nothing is no copy"
sed 's/n=20 /n=22 /' copy >damaged
expect 6 'damaged.*checksum' wisdom import damaged --wisdom w
expect 6 'checksum' wisdom --wisdom damaged
expect 0 'note: the wisdom file damaged is not used' solve string --size 20 --wisdom damaged
expect 0 'note: the wisdom file damaged is not used' tune string --size 20 --wisdom damaged
cmp -s w copy || fail "a refused import changed something"
printf 'my thesis' >thesis
expect 6 'not a wisdom file' wisdom forget --wisdom thesis
expect 0 'note: ' solve string --size 20 --plan measure --wisdom /dev/null/w
expect 2 'missing file name' wisdom export
expect 2 'unexpected' wisdom forget all
expect 2 'not one of show' wisdom learn
if [ "$json" = yes ]; then
    expect 0 '"plan": "measured"' solve string --size 20 --wisdom '' --plan measure --json
    found out '"plan_reason": ".* per step measured' '"predicted_seconds": [0-9]'
    expect 0 '"plan": null' solve string --size 20 --backend seq --json
    found out '"plan_reason": null' '"predicted_seconds": null'
    expect 0 '"candidates": ' tune string --size 30 --wisdom w --json
    [ "$(head -n 1 out)" = '{' ] && pass || fail "tune --json prints more than JSON: $(head -n 3 out)"
    found out '"method": "euler"' '"measured_seconds": [0-9]' '"predicted_seconds": [0-9]' '"chosen": {' '"wisdom": "w"' '"note": null' '"component_steps_per_second": [0-9]'
    expect 0 '"entries": ' wisdom --wisdom w --json
    found out '"n": "30"' '"seconds_per_step": [0-9]'
    expect 0 '"written": "copy"' wisdom export copy --json --wisdom w
    expect 0 '"path": "w"' wisdom import copy --json --wisdom w
    expect 0 '"path": "copy"' wisdom forget --json --wisdom copy
fi
rm -f w w.lock copy damaged thesis

# --- pictures
if [ "$png" = yes ]; then
    expect 0 curve.png solve string --size 20 --out curve.png
    for f in curve.png; do [ "$(od -An -tx1 -N4 $f | tr -d ' \n')" = 89504e47 ] || fail "$f is no PNG"; done
    expect 0 written solve bruss2d -p m=20 --out grid.png --component 1
fi

# --- devices
expect 3 "'nonsense'\|without OpenCL" solve string --size 20 --device nonsense
given=${EULERCL_DEVICE-}
EULERCL_DEVICE=nonsense
export EULERCL_DEVICE
expect 3 "'nonsense'\|without OpenCL" solve string --size 20
expect 0 '' solve string --size 20 --device cpu
EULERCL_DEVICE=$given
# several share the grid, with the bits of one
one=$(hash bruss2d -p m=20 --steps 50)
for list in cpu cpu,cpu cpu,cpu,cpu; do same_hash "--devices $list" "${one:-none}" "$([ "$json" = no ] && echo none || hash bruss2d -p m=20 --steps 50 --devices $list)"; done
expect 0 'devices=2, halo_steps=4, halo_components=320, exchanges=[0-9]*, exchanged_bytes=' solve bruss2d -p m=20 --steps 50 --devices cpu,cpu --halo-steps 4
found out 'cpu: 10 rows by [a-z]*, cpu: 10 rows by '
found out '^devices  twice   40 %'
found out '^         sent    .* MB in [0-9]* exchanges'
found out '^         waited  .* s for other devices, and .* s for copies of rows; computed '
if [ "$json" = yes ]; then
    expect 0 '"devices": 2' solve bruss2d -p m=20 --steps 50 --devices cpu,cpu --json
    for key in halo_steps halo_components exchanges exchanged_bytes compute_microseconds copy_microseconds wait_microseconds; do found out "\"$key\": [0-9]"; done
fi
expect 0 '^cpu .* same .*devices=2' compare bruss2d -p m=20 --steps 50 --backends seq,cpu --devices cpu,cpu
expect 2 'there is an empty name' solve string --size 20 --devices cpu,
expect 2 'devices and device exclude' solve string --size 20 --devices cpu --device cpu
expect 2 'halo_steps = 6 is too large' solve string --size 20 --devices cpu,cpu --halo-steps 6
expect 2 '' solve string --size 20 --devices cpu,cpu --halo-steps 0
expect 0 'measured' solve bruss2d -p m=20 --steps 50 --devices cpu,cpu --plan measure --wisdom ''
expect 2 'one device' tune string --size 20 --devices cpu,cpu
expect 3 "'nonsense'\|without OpenCL" solve string --size 20 --devices cpu,nonsense
expect 4 '10 points are too few for 11 devices' solve string --size 20 --devices cpu,cpu,cpu,cpu,cpu,cpu,cpu,cpu,cpu,cpu,cpu
# a system that is larger than what it may take streams in windows, with the same bits
for more in '--device-memory 30e3' '--device-memory 40000 --state-file state.bin' '--state-file state.bin' '--device-memory 1e9'; do
    same_hash "$more" "$(hash bruss2d -p m=40 --steps 50)" "$([ "$json" = no ] && hash bruss2d -p m=40 --steps 50 || hash bruss2d -p m=40 --steps 50 --backend seq $more)"
    [ ! -e state.bin ] || fail "$more leaves its file"
done
expect 0 'windows=[2-9].*, window_rows=[0-9]*, halo_steps=2, halo_components=[0-9]*, visits=[0-9]*, streamed_bytes=[0-9]*, stream_wait_microseconds=' solve bruss2d -p m=40 --steps 50 --backend seq --device-memory 40e3 --halo-steps 2
found out 'note: the state does not fit' '^streams  twice   [0-9.e+]* % of the components' '^         moved   [0-9.]* MB in [0-9]* visits of [0-9]* windows' '^         waited  [0-9.e-]* s of [0-9.e-]* s'
expect 0 'plan  *[a-z]*: streams through [0-9]* windows of [0-9]* rows, ' solve bruss2d -p m=40 --steps 50 --device-memory 4e4
expect 4 'are too small' solve bruss2d -p m=40 --backend seq --device-memory 1000
expect 2 'is too large' solve bruss2d -p m=40 --backend seq --device-memory 4e4 --halo-steps 20
expect 2 'device_memory' solve bruss2d -p m=40 --device-memory 0
expect 2 'device_memory' solve bruss2d -p m=40 --device-memory much
expect 2 'devices and device_memory exclude' solve bruss2d -p m=40 --devices cpu --device-memory 1e6
expect 2 'devices and state_file exclude' solve bruss2d -p m=40 --devices cpu --state-file state.bin
echo mine >mine.bin
expect 6 'mine.bin: File exists' solve bruss2d -p m=40 --state-file mine.bin
[ "$(cat mine.bin)" = mine ] || fail 'mine.bin was written'
expect 6 'No such file or directory' solve bruss2d -p m=40 --state-file nowhere/state.bin
if [ "$opencl" = yes ]; then
    # launches end where snapshots are taken
    for every in 3 t=0.003; do
        expect 0 'steps_per_launch=3,' solve bruss2d -p m=64 --steps 30 --h 1e-3 --backend cl-register --every $every --out looks.csv --monitor mean
    done
    expect 0 'windows=[2-9]' solve bruss2d -p m=40 --steps 20 --backend cl-linear --device-memory 40e3
    expect 3 'nonsense' solve string --backend cl-linear --device nonsense
    expect 3 '9:9' solve string --backend cl-linear --device 9:9
    expect 4 'work-group' solve string --backend cl-linear --workgroup-size 1000000
    expect 0 'kernel void linear_vector' solve bruss2d --print-kernel
    # Drivers know a program again by its text, which is the same in every folder.
    mkdir -p moved/far && cp "$sources/examples/heat.c" here.c && cp here.c moved/far/
    expect 0 '"here.c"' solve here.c --print-kernel
    cp out here.cl
    expect 0 '"here.c"' solve moved/far/here.c --print-kernel
    same here.cl out
    expect 2 "cl-row-diamond has no storage 'column'" solve string --size 20 --backend cl-row-diamond --storage column --print-kernel
    expect 2 "cl-column-diamond has no storage 'local'" solve string --size 20 --backend cl-column-diamond --storage local --print-kernel
    expect 0 'KERNEL void tile_rows' solve bruss2d --print-kernel --backend cl-row-diamond
    expect 0 '#define TILE_STORAGE 1' solve bruss2d --print-kernel --backend cl-row-diamond --storage global
    expect 0 'KERNEL void tile_columns' solve bruss2d --print-kernel --backend cl-column-diamond
    expect 0 'KERNEL void tile_rows' solve bruss2d --print-kernel --backend cl-honeycomb --variant scalar
    expect 0 '#define TILE_STORAGE 2' solve bruss2d --print-kernel --backend cl-honeycomb --storage column
    expect 0 '#define TILE_WORKGROUP 64' solve bruss2d --print-kernel --backend cl-honeycomb --workgroup-size 64
    expect 0 '^facts    steps_per_launch=3, .*dia_blocks=12, block_size=4, storage=local, local_bytes=448$' solve string --size 400 --precision float \
        --backend cl-honeycomb --dia-blocks 11 --honeycomb-steps 3 --workgroup-size 4
    expect 0 '^facts    steps_per_launch=3, .*dia_blocks=6, block_size=16, storage=column, local_bytes=512$' solve string --size 400 --precision float \
        --backend cl-column-diamond --dia-blocks 6 --workgroup-size 4
    expect 0 '^facts    .*distribution=add, ' solve string --size 400 --precision float --backend cl-honeycomb --distribution add --workgroup-size 4
    expect 0 '^facts    steps_per_launch=1, .*storage=global, local_bytes=0$' solve string --size 400 --precision float --backend cl-row-diamond --storage global --dia-blocks 2 --workgroup-size 4
    if [ "$json" = yes ]; then
        expect 0 '"storage": "local"' solve string --size 400 --precision float --backend cl-honeycomb --dia-blocks 11 --honeycomb-steps 3 \
            --workgroup-size 4 --steps 9 --json
        found out '"tiles": 7' '"dia_blocks": 12' '"block_size": 4' '"steps_per_launch": 3' '"local_bytes": 448' '"launches": [1-9]' \
            '"global_bytes": [1-9]' '"note": null'
    fi
    registers="--backend cl-register --points-per-item 4 --workgroup-size 8 --steps-per-launch 5"
    # 32 points a tile, 5 spoiled at an inner end: 9 tiles, 288 points instead of 200.
    # shellcheck disable=SC2086
    {
    expect 0 '^facts    steps_per_launch=5, workgroup_size=8, workgroups=9, .*tiles=9, points_per_item=4, rows_per_item=1, .*local_bytes=544, redundant_component_steps=[1-9]' solve string --size 400 \
        --precision float --steps 10 $registers
    found out '^backend  cl-register group, float$'
    expect 0 '^facts    steps_per_launch=5, .*steps_per_exchange=2, ' solve string --size 400 --steps 10 --steps-per-exchange 2 $registers
    expect 0 '^facts    steps_per_launch=1, .*tiles=4, points_per_item=2, rows_per_item=1, ' solve bruss2d -p m=16 --backend cl-register --variant stream --workgroups 4 \
        --points-per-item 2 --workgroup-size 8 --steps-per-launch 1
    # Two warps of eight items: three slots of a row and one that is on its way, and the edges.
    expect 0 '^facts    steps_per_launch=2, workgroup_size=16, workgroups=2, .*tiles=2, points_per_item=2, rows_per_item=1, workgroup_rows=2, .*local_bytes=1024' solve bruss2d -p m=16 \
        --precision float --backend cl-register --variant pipeline --workgroups 2 --points-per-item 2 --workgroup-size 16 --workgroup-rows 2 --steps-per-launch 2
    expect 0 'void register_line' solve string --print-kernel $registers
    found out '^#define LINE_POINTS 4$' '^#define LINE_ITEMS 8$'
    expect 0 'void register_plane(' solve bruss2d --print-kernel --backend cl-register --variant group-local
    expect 0 'void register_plane_persistent(' solve bruss2d -p m=100 --print-kernel --backend cl-register --variant group --persistent
    expect 0 'void register_stream' solve bruss2d --print-kernel --backend cl-register --variant stream
    expect 0 'void register_pipeline' solve bruss2d --print-kernel --backend cl-register --variant pipeline
    expect 4 'a tile is larger than the grid' solve string --size 40 $registers
    expect 4 'no point of a tile stays valid' solve string --size 400 $registers --steps-per-launch 16
    expect 4 'wider than what an item holds' solve string --size 400 $registers --steps-per-exchange 5
    }
    expect 4 'more than fits into registers' solve string --size 4000 --backend cl-register --points-per-item 128 --workgroup-size 2 --steps-per-launch 2
    expect 4 'for two dimensions' solve string --size 400 --backend cl-register --rows-per-item 2
    expect 4 'for two dimensions' solve string --size 400 --backend cl-register --variant stream
    expect 4 'for two dimensions' solve string --size 400 --backend cl-register --variant pipeline
    expect 4 'every tile has a work-group' solve string --size 400 --backend cl-register --workgroups 3
    expect 4 'exchanged at every step' solve bruss2d -p m=20 --backend cl-register --steps-per-exchange 2
    expect 4 'neither rows of items' solve bruss2d -p m=20 --backend cl-register --variant stream --rows-per-item 2
    expect 4 'has no rows per item' solve bruss2d -p m=20 --backend cl-register --variant pipeline --rows-per-item 2
    expect 4 'cannot be shared out' solve bruss2d -p m=20 --backend cl-register --variant pipeline --workgroup-rows 2 --workgroup-size 8 --steps-per-launch 3
    if [ "$json" = yes ]; then
        # shellcheck disable=SC2086
        expect 0 '"points_per_item": 4' solve string --size 400 --precision float --steps 10 --json $registers
        found out '"rows_per_item": 1' '"workgroup_rows": 1' '"steps_per_exchange": 1' '"steps_per_launch": 5' '"tiles": 9' '"local_bytes": 544' \
            '"redundant_component_steps": 1760' '"global_bytes": [1-9]'
    fi
    # too large for any device's local memory
    for tile in row-diamond column-diamond honeycomb; do
        expect 4 "cl-$tile.*needs [0-9]* bytes of local memory.*cl-linear" solve bruss2d -p m=2000 --precision float --backend cl-$tile --dia-blocks 1048576
    done
    expect 4 'work-group' solve string --backend cl-honeycomb --workgroup-size 1000000
    mkdir none
    OCL_ICD_VENDORS=$scratch/none
    export OCL_ICD_VENDORS
    expect 3 'no driver is installed' devices
    expect 3 'no driver is installed' solve string --backend cl-linear
    expect 0 'seq' solve string --size 20
    unset OCL_ICD_VENDORS
    # PoCL has no device where it cannot make the folder of its cache; it leaks some bytes then.
    if "$eulercl" devices | grep '^ *Portable Computing Language' >/dev/null && [ "$("$eulercl" devices | grep -c '^[0-9]*:[0-9]')" -eq 1 ]; then
        for arguments in devices 'solve string --backend cl-linear'; do
            # shellcheck disable=SC2086
            (unset POCL_CACHE_DIR XDG_CACHE_HOME && HOME=/dev/null ASAN_OPTIONS=$ASAN_OPTIONS:detect_leaks=0 "$eulercl" $arguments >out 2>err)
            if [ $? -eq 3 ] && [ "$(wc -l <err)" -eq 1 ]; then found err 'Portable Computing Language has no device; it needs a writable cache folder .* POCL_CACHE_DIR'
            else fail "eulercl $arguments without a cache: $(cat out err)"; fi
        done
    fi
else
    expect 3 '' devices
    expect 3 '' solve string --backend cl-linear
fi

# --- bench: the smallest measurements; figures are not looked at, but that there are some
quick="--seconds 0.001 --repeats 2"
"$eulercl" solve string --size 20 | grep -q '^hash' && first=first same=same || first='not compared' same='not compared'
# shellcheck disable=SC2086
{
expect 0 '^string  *double  *400  seq  *[0-9].* '"$first"'  *1 thread$' bench string --size 400 --backend seq $quick
found out '^eulercl [0-9.]*, 2.* UTC: eulercl bench string --size 400' 'ceilings in double: copy [0-9.]* GB/s'
expect 0 '^string  *float  *400  pthreads .* '"$same"' ' bench string --sizes 401 --precisions float --backends seq,pthreads --threads 2 --csv b.csv $quick
expect 0 '^problem  *reals  *n  *backend  *method  *stages  *us/step  *median  *device  *Gcs/s  *Gstages/s ' bench string --size 400 --methods euler,rk4,rkl2:5 --backends seq,cpu:steps --baseline seq --csv m.csv $quick
found out '^string .* seq  *euler  *1 ' '^string .* seq  *rk4  *4 ' '^string .* cpu steps  *rkl2  *5 '
[ "$(grep -c " $first " out)" -eq 3 ] && [ "$(grep -c DIFFERENT out)" -eq 0 ] && pass || fail "bits of several methods: $(cat out)"
found m.csv '^series,.*,method,stages,.*,gstages_per_s,' '^string double rkl2:5: seq,' '^string double rk4: cpu steps,.*,rk4,4,'
expect 0 ' cpu lanes ' bench string --size 400 --backends cpu:lanes,cpu:lanes:steps_per_launch=2 --baseline cpu:steps --csv w.csv $quick
found out '  cpu steps  .*1 thread$' '  cpu lanes  .* [0-9]* steps a launch$' '  cpu lanes steps_per_launch=2  .* 2 steps a launch$'
found w.csv 'string double: cpu steps,' 'string double: cpu lanes,' 'string double: cpu lanes steps_per_launch=2,'
# said before anything is solved
timeout 60 "$eulercl" bench string --size 400 --backends seq,cpu:nonsense --seconds 1000 >out 2>err
[ $? -eq 2 ] && grep -q "has no variant 'nonsense'" err && pass || fail "an unknown variant: $(cat err)"
}
# fields FILE: every row has the fields of the head
fields() { grep -v '^#' "$1" | awk -F, 'NR == 1 { n = NF } NF != n || $2 == "" { bad = 1 } END { exit bad || NR < 2 || n < 20 }' && pass || fail "$1: fields: $(cat "$1")"; }
fields b.csv
[ "$(grep -c '^[^#]' b.csv)" -eq 3 ] || fail "b.csv: rows: $(cat b.csv)"
printf '# a list\n\nproblem=string size=400 backend=seq series=one precision=float size=402\nproblem=string size=402 h=1e-5 steps=7 backend=pthreads threads=2 series=two\n' >list.runs
printf 'problem=string size=400 method=rk4\nproblem=string size=400 method=rkl2 stages=9\n' >methods.runs
# shellcheck disable=SC2086
expect 0 '^string .* seq  *rkl2  *9 ' bench --runs methods.runs --backend seq $quick
found out '^string .* seq  *rk4  *4 '
# shellcheck disable=SC2086
expect 0 ' 402  pthreads ' bench --runs list.runs --csv c.csv $quick
fields c.csv
grep -q '^one,string,402,float,.*,seq,' c.csv && grep -q '^two,string,402,double,.*,pthreads,.*,1e-05,7,' c.csv || fail "c.csv: $(cat c.csv)"
# shellcheck disable=SC2086
if [ "$json" = yes ]; then
    expect 0 '"command": "eulercl bench' bench string --sizes 300,600 --backends pthreads --baseline seq --threads 1 --json $quick
    found out '"ratio": [0-9]' '"n": 600' '"median_us_per_step": [0-9]' '"copy_bytes_per_second": [0-9]' '"bits": "'"$same"'"' '"variant": null'
fi
# shellcheck disable=SC2086
if [ "$json" = yes ] && python3 -c '' 2>/dev/null && gnuplot --version >/dev/null 2>&1; then
    expect 0 seq bench string bruss2d --sizes 200,800 --backends seq,pthreads --threads 2 --svg "it's a.svg" $quick
    for f in "it's a.svg" "it's a.gp" "it's a.csv"; do [ -s "$f" ] || fail "no $f"; done
    tail -n 3 "it's a.svg" | grep -q '</svg>' && grep -q 'bruss2d double: pthreads' "it's a.svg" || fail "the picture: $(head -c 300 "it's a.svg")"
    cp "it's a.svg" before.svg
    gnuplot "it's a.gp" && cmp "it's a.svg" before.svg || fail "the script draws another picture"
    expect 0 seq bench string --size 200 --backend seq --svg bars.svg $quick
    grep -q '</svg>' bars.svg || fail "no bars"
    PATH=$scratch/nothing "$eulercl" bench string --size 200 --backend seq --svg none.svg >out 2>err
    [ $? -eq 4 ] && grep -q 'eulercl: --svg: cannot run python3' err && [ ! -s out ] && pass || fail "without Python: $(cat err)"
    expect 2 'a.png: the name must end in .svg' bench string --svg a.png
else
    expect 4 '--svg: ' bench string --size 200 --backend seq --svg none.svg $quick
fi
no_file none.svg none.gp none.csv
# shellcheck disable=SC2086
if [ "$opencl" = yes ]; then
    expect 0 ' cl-honeycomb vector .* '"$same"' ' bench string --size 400 --backends seq,cpu:all,cl-honeycomb --baseline cl-linear $quick
    [ "$same" != same ] || [ "$(grep -c ' same ' out)" -eq "$(($(grep -c '^string' out) - 1))" ] && [ "$(grep -c '^string' out)" -gt 5 ] || fail "the bits of all backends: $(cat out)"
    expect 0 ' cl-linear strided .* '"$same"' ' bench good.c --backends cl-linear:chunked,cl-linear:strided $quick
    if [ "$same" = same ]; then
        # other equations for the device: other bits
        sed 's/REAL(2.5)/TWO/; s/^#define ODE_NX.*/&\n#ifdef __OPENCL_VERSION__\n#define TWO REAL(3)\n#else\n#define TWO REAL(2.5)\n#endif/' good.c >two.c
        "$eulercl" bench two.c --backends seq,cl-linear $quick >out 2>err
        [ $? -eq 1 ] && grep -q DIFFERENT out && grep -q '^eulercl: 1 of 2 runs differ in their bits' err && pass || fail "other bits: $(cat out err)"
    fi
    "$eulercl" bench string --size 400 --backends seq,cl-linear --device nonsense $quick >out 2>err
    [ $? -eq 0 ] && grep -q ' seq ' out && grep -q "^eulercl: .*'nonsense'" err && pass || fail "what is lacking is left out: $(cat out err)"
    expect 3 nonsense bench string --size 400 --backend cl-linear --device nonsense
fi
expect 0 ' cpu .* '"$same"' .*devices=2' bench string --size 400 --backends seq,cpu --devices cpu,cpu $quick
expect 2 'nonsense' bench nonsense
expect 2 'nonsense' bench string --size 20 --backends nonsense
expect 2 'nonsense' bench string --size 20 --baseline nonsense
expect 2 'nonsense' bench string --size 20 --backends cl-linear:nonsense
expect 2 'half' bench string --size 20 --precisions half
expect 2 'list is empty' bench string --sizes ,
expect 2 "'0' is not a whole" bench string --sizes 0
expect 2 '2.*4' bench string --size 3
expect 2 'mutually exclusive' bench string --size 20 --sizes 20
expect 2 'greater than 0' bench string --seconds 0
expect 2 "repeats: '0'" bench string --repeats 0
expect 2 'step size' bench string --size 20 --h 0
expect 2 "parameter 'q'" bench string -p q=1
expect 2 'excludes' bench --runs list.runs string
expect 2 'contains no run' bench --runs /dev/null
for line in size=20 'problem=string method=nonsense' 'problem=string method=rk4 stages=5' 'problem=string size' 'problem=string size=x' 'problem=string nonsense=1' 'problem=string uncached=2'; do
    echo "$line" >bad.runs
    expect 2 '' bench --runs bad.runs
done
# one run fails, the other is reported
printf 'problem=bruss2d size=800 h=10\nproblem=string size=400\n' >one.runs
"$eulercl" bench --runs one.runs --backend seq --seconds 0.001 >out 2>err
[ $? -eq 5 ] && grep -q 'string .* seq ' out && [ "$(wc -l <err)" -eq 1 ] && pass || fail "one of two fails: $(cat out err)"
expect 5 'smaller step size' bench bruss2d --size 800 --h 10 --backend seq
expect 6 'missing.runs' bench --runs missing.runs
expect 6 '/nonexistent' bench string --size 20 --csv /nonexistent/x.csv

leftover=$(ls -A | grep '^\.eulercl')
[ -z "$leftover" ] || fail "temporary files: $leftover"
finish
