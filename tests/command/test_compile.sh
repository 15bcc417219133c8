#!/bin/sh
# FILE.c on its way to a problem: what is compiled again and what is not, and what is said of a file that does not compile.
#
# SPDX-License-Identifier: BSD-2-Clause
. "$(dirname "$0")/../cli.sh"
XDG_CACHE_HOME=$scratch/cache
folder=$XDG_CACHE_HOME/eulercl/compiled
export XDG_CACHE_HOME
# A compiler that notes its calls, but for those that only preprocess, and is quick.
cat >cc <<'CC'
#!/bin/sh
case " $* " in *' -E '*) ;; *) echo "$*" >>"${0%/*}/calls" ;; esac
exec cc "$@" -O0
CC
chmod +x cc
CC=$scratch/cc
export CC
cat >own.c <<'C'
#define ODE_NAME own
#define ODE_TITLE "a chain"
#define ODE_SIZE size
#define ODE_ACCESS_DISTANCE 1
#define ODE_PARAMETERS(REAL, INTEGER) INTEGER(size, 50, 4, 1e6, "", "")
#include <eulercl/ode_problem.h>
#ifndef __OPENCL_VERSION__
#include "rate.h"
#else
#define RATE 2
#endif
ODE_EVAL_COMP( return i > 0 ? RATE * Y(i - 1) - Y(i) : -Y(i); )
ODE_INITIAL( Y0(0) = 1.0 / (double)(i + 1); )
C
echo '#define RATE 2' >rate.h
run='solve own.c --steps 9 --backend cpu'

# new FILE...: it is compiled. kept FILE...: it is not. Both end in the same bits.
bits=hash
new() { : >calls; expect 0 "$bits" "$@"; [ "$(wc -l <calls)" -eq 1 ] && pass || fail "$*: $(wc -l <calls) compilations, not one"; }
kept() { : >calls; expect 0 "$bits" "$@"; [ -s calls ] && fail "$*: compiled again"; pass; }
new $run
grep -q KERNELS_ONLY calls && pass || fail "a file that is solved is compiled for all instruction sets"
bits=$(grep hash out)
all=${bits:=seconds}
kept $run
found out 'compile [0-9.e-]* (cached)'
[ "$json" = no ] || { bits=state_hash; kept $run --json; found out '"compile_cached": true'; expect 0 '"compile_cached": null' solve string --steps 1 --backend seq --json; }
[ "$(ls -ld "$folder" | cut -c1-10)" = drwx------ ] && pass || fail "the folder is $(ls -ld "$folder")"
[ "$(ls -l "$folder" | sed -n 2p | cut -c1-10)" = -rw------- ] && pass || fail "an entry is $(ls -l "$folder")"

# A run whose backend is chosen begins with code that compiles sooner, unless the fast code is there.
float='solve own.c --steps 9 --precision float'
bits=hash
new $float
grep -q ODE_BASELINE calls && pass || fail "a run that may move does not begin with baseline code"
found out '^code     baseline'
bits=$(grep hash out)
kept $float
found out '^code     baseline' 'compile [0-9.e-]* (cached)'
new $float --no-move
grep -q ODE_BASELINE calls && fail "a run with --no-move begins with baseline code"
grep -q "^code" out && fail "a run with fast code says that it has other code"
kept $float
grep -q "^code" out && fail "a run with fast code says that it has other code"
[ "$json" = no ] || { bits=state_hash; kept $float --json; found out '"code": "fast"'; found out '"moved": null'; }
for named in '--backend cpu' '--threads 1' '--plan measure'; do
    expect 0 'hash' solve own.c --steps 9 --precision float --no-cache $named
    grep -q "^code" out && fail "$named: a run with fast code says that it has other code"
done
# Baseline code has all that seq computes with, and a device needs no code of the compiler for steps.
for named in seq $(echo "$backends" | grep '^cl-'); do
    : >calls
    expect 0 hash solve own.c --steps 9 --precision float --no-cache --backend $named
    grep -q "^code" out && says=yes || says=no
    [ "$named" = seq ] && wanted=yes || wanted=no
    [ "$says" = $wanted ] && pass || fail "$named: whether it says that it has baseline code: $says"
    [ "$(grep -c ODE_BASELINE calls)" -eq 1 ] && [ "$(wc -l <calls)" -eq 1 ] && pass || fail "$named: it compiles more than baseline code: $(cat calls)"
done

# all that the library is made from
bits=
: >calls
expect 0 passed check own.c --device none
[ "$(grep -c ODE_BASELINE calls)" -eq 1 ] && [ "$(grep -vc KERNELS_ONLY calls)" -eq 1 ] && [ "$(wc -l <calls)" -eq 2 ] && pass ||
    fail "a file that is checked is not compiled to baseline code and for all instruction sets: $(cat calls)"
kept check own.c --device none
kept info own.c
bits=hash
echo '/* other */' >>own.c
new $run
echo '#define RATE 3' >rate.h
new $run
found out 'hash'
[ "$all" = seconds ] || { grep -q "$all" out && fail "a file that is included was changed, and the result was not"; }
echo '#define RATE 2' >rate.h
CC="$scratch/cc -DOTHER" new $run
echo '# another compiler' >>cc
new $run
mkdir elsewhere
cp own.c rate.h elsewhere
new solve elsewhere/own.c --steps 9 --backend seq
kept $run
entries=$(ls "$folder" | wc -l)
new $run --no-cache
[ "$(ls "$folder" | wc -l)" -eq "$entries" ] && pass || fail "--no-cache keeps what it compiles"
# Warnings are worth reading every time.
printf '#warning not yet right\n' >>own.c
: >calls
for run_number in 1 2; do
    "$eulercl" $run >out 2>err && grep -q 'not yet right' err && pass || fail "run $run_number: no warning"
done
[ "$(wc -l <calls)" -eq 2 ] && pass || fail "a file with warnings was not compiled twice"
sed -i '/#warning/d' own.c

# --- what is damaged or not ours is not loaded
rm -rf "$folder"
new $run
bits=$(grep hash out)
[ -n "$bits" ] || bits=seconds
entry=$folder/$(ls "$folder")
cp "$entry" good
size=$(wc -c <good)
for at in 3 30 5000 $((size / 2)) $((size - 9)); do
    { head -c "$at" good; printf '\377\001'; tail -c +$((at + 3)) good; } >"$entry"
    new $run
    cmp -s good "$entry" && pass || fail "damaged at $at: the entry was not made again"
done
for length in 0 20 5000 $((size - 1)); do
    head -c "$length" good >"$entry"
    new $run
done
{ cat good; echo; } >"$entry"
new $run
rm "$entry"
mkdir "$entry"
new $run
rmdir "$entry"
mkfifo "$entry"
new $run
kept $run
mv "$entry" "$scratch/moved"
ln -s "$scratch/moved" "$entry"
new $run
chmod 644 "$entry"
new $run
kept $run

# --- a folder that cannot be trusted or used is not used, and nothing is wrong
chmod 755 "$folder"
new $run
new $run
chmod 700 "$folder"
kept $run
mv "$folder" moved-folder
ln -s "$scratch/moved-folder" "$folder"
new $run
rm "$folder"
mv moved-folder "$folder"
kept $run
: >no-folder
XDG_CACHE_HOME=$scratch/no-folder new $run
XDG_CACHE_HOME=relative new $run
[ ! -e relative ] && pass || fail "a relative XDG_CACHE_HOME was used"
env -u XDG_CACHE_HOME -u HOME "$eulercl" $run >out 2>err && [ ! -s err ] && pass || fail "without HOME: $(cat err)"

# --- bounded: what was not used for longest goes, and what a killed process left
i=0
while [ $i -lt 250 ]; do : >"$folder/old$i"; i=$((i + 1)); done
touch -d '2020-01-01' "$folder"/old* "$folder/new-1-2-3"
: >"$folder/new-4-5-6"
echo '/* once more */' >>own.c
new $run
[ "$(ls "$folder" | wc -l)" -eq 201 ] && pass || fail "$(ls "$folder" | wc -l) entries are left"
[ ! -e "$folder/new-1-2-3" ] && [ -e "$folder/new-4-5-6" ] && pass || fail "unfinished files: $(ls "$folder"/new*)"
kept $run

# --- at once
rm -rf "$folder"
for i in 1 2 3 4; do "$eulercl" $run >out$i 2>err$i & done
wait
for i in 1 2 3 4; do grep -q "$bits" out$i && [ ! -s err$i ] && pass || fail "one of four at once: $(cat err$i)"; done
[ "$(ls "$folder" | wc -l)" -eq 1 ] && pass || fail "four at once left $(ls "$folder")"
kept $run

# --- what is wrong with the options is said before the compiler takes its time
early() { : >calls; expect "$@"; [ -s calls ] && fail "$*: compiled first"; pass; }
echo '/* not compiled */' >>own.c
early 2 "unknown backend 'cpuu'" solve own.c --backend cpuu
early 2 '--variant nine: .*no backend has this one' solve own.c --backend cpu --variant nine
early 2 'step size' solve own.c --h -1
early 2 'step size' solve own.c --h 0 --steps 3
early 2 'neither float nor double' solve own.c --precision half
early 2 'distribution must be one of mult, add, corr' solve own.c --backend cl-row-diamond --distribution some
early 2 "plan 'b'" compare own.c --plan b
early 2 "unknown backend 'cpuu'" compare own.c --backends cpuu
early 2 "plan 'b'" bench own.c --plan b
early 2 "unknown backend 'cpuu'" tune own.c --backend cpuu
early 2 "'1x' is " solve own.c -p size=1x
early 2 "own.c has no parameter 'sise' (its parameters: size)" solve own.c -p sise=20
sed 's/50, 4, 1e6, "", ""/50, 4, 1e6, "", "one of {1, 2}; or {\\"3\\"};") REAL(rest, 1, 0, 2, "", "after it"/' own.c >braces.c
expect 0 '20 components' info braces.c -p size=20 -p rest=0.5
early 2 "no parameter 'sise'" compare own.c --no-cache -p size=20 -p sise=20
early 3 '' solve own.c --backend cl-linear --device 'no such device'
early 6 'nowhere/a.npy' solve own.c --out nowhere/a.npy

# --- a text in another precision than the run's, for each compiler that there is, and without the command
cat >grid.c <<'C'
#define ODE_NAME grid
#define ODE_TITLE "a line"
#define ODE_GRID 1
#define ODE_COMPONENTS 1
#define ODE_BOUNDARY ODE_FIXED
#define ODE_NX m
#define ODE_FIELDS(FIELD) FIELD(speed)
#define ODE_HAS_EXACT 1
#define ODE_PARAMETERS(REAL, INTEGER) INTEGER(m, 50, 1, 1e6, "", "")
#include <eulercl/ode_problem.h>
ODE_POINT_RHS(
    DOT(0) = FIELD(speed) * LAPLACE(0);
)
ODE_INITIAL( Y0(0) = 0.1 * (double)ix; )
ODE_EXACT( Y0(0) = 0.1 * t; )
ODE_FIELD_VALUES( FIELD(speed) = 0.1; )
C
hand() { $compiler -shared -fPIC -O1 -ffp-contract=off -I "$sources/include" "$@" -o hand.so -lm 2>err; }
quickly='-O0 -DODE_KERNELS_ONLY=0'
unset CC
for compiler in gcc clang; do
    command -v $compiler >/dev/null || continue
    # What it says of a text does not depend on its optimization.
    printf '#!/bin/sh\nexec %s "$@" -O0\n' $compiler >quick && chmod +x quick
    CC=$scratch/quick
    export CC
    expect 0 '50 components' info grid.c
    while read -r line words; do
        sed "s|^    DOT.*|    $(echo "$line" | tr '~' ' ')|" grid.c >slip.c
        expect 8 "slip.c did not compile: line 12: .*$words" info slip.c
        # shellcheck disable=SC2086
        hand slip.c $quickly && fail "$compiler by hand: $line compiles"
        pass
    done <<'END'
DOT(0)=0.1*LAPLACE(0); write REAL(0.1) for a number like 0.1
DOT(0)=REAL(0.1)*0.5*AT(0,0); write REAL(0.1)
DOT(0)=fma(0.1,AT(0,0),1); write REAL(0.1)
float~u=AT(0,0);DOT(0)=u; write ode_real for float
int~k=AT(0,0);DOT(0)=k; (int)(...)
END
    # a right text stays right, and a program around it keeps its own diagnostics
    sed 's|^    DOT.*|    const ode_real half = 0.1; DOT(0) = 2 * ix * REAL(0.1) * LAPLACE(0) + half + ix / 2 + (int)AT(0, 0);|' grid.c >right.c
    echo 'float narrow(double x) { float f = x; return f * 0.5; }' >>right.c
    expect 0 '50 components' info right.c
    hand right.c && [ ! -s err ] && pass || fail "$compiler by hand: $(cat err)"
    # a word that is missing
    for word in ODE_INITIAL ODE_EXACT; do
        grep -v "^$word" grid.c >missing.c
        expect 8 "missing.c did not compile: it has no $word; eulercl/ode_problem.h explains" info missing.c
        [ "$(wc -l <err)" -eq 1 ] && pass || fail "$word: $(cat err)"
    done
    # fields: values may be left out, names may not
    grep -v '^ODE_FIELD_VALUES' grid.c >missing.c
    expect 0 '50 components' info missing.c
    expect 2 'problem grid: field speed has no values: set them, or compute them in ODE_FIELD_VALUES' solve missing.c --steps 1
    sed 's/^#define ODE_FIELDS.*/#define ODE_FIELDS 1/' grid.c >missing.c
    expect 8 'line 10: .*ODE_FIELDS gives names' info missing.c
    sed 's/FIELD(speed) \*/FIELD(sped) */' grid.c >missing.c
    expect 8 'line 12: .*ODE_FIELD_sped' info missing.c
    sed '/^ODE_POINT_RHS/,/^)/d' grid.c >missing.c
    expect 8 "missing.c did not compile: it has no ODE_POINT_RHS;" info missing.c
    sed '/^ODE_EVAL_COMP/d; s/ODE_NAME own/&\n#define ODE_HAS_EVAL_COMP4 1/; /^ODE_INITIAL/d' own.c >missing.c
    expect 8 "missing.c did not compile: it has no ODE_EVAL_COMP and ODE_EVAL_COMP4 and ODE_INITIAL;" info missing.c
    for word in ODE_INITIAL ODE_EXACT; do
        grep -v "^$word" grid.c >missing.c
        # shellcheck disable=SC2086
        hand missing.c $quickly
        expect 6 "has no $word" info ./hand.so
    done
    # an error of a text is reported as such, not as the words that are lost by it
    sed 's/^ODE_INITIAL(.*/ODE_INITIAL( Y0(0) = nonsense; )/; /^ODE_EXACT/d' grid.c >missing.c
    expect 8 'line 14: .*nonsense' info missing.c
done

# --- no room for what the compiler writes: an error that says so, and not one in the file
unset CC
echo '/* new */' >>grid.c
if (ulimit -f 100) 2>/dev/null; then
    printf '#!/bin/sh\nulimit -f 100\nexec "%s" "$@"\n' "$eulercl" >limited && chmod +x limited
    (eulercl=./limited && expect 6 'grid.c did not compile: the compiler cannot write to .*: File too large for ulimit -f$' info grid.c && echo "$failed" >limited.failed)
    [ "$(cat limited.failed)" = "$failed" ] && pass || fail "ulimit -f"
fi
printf '#!/bin/sh\nmkdir -p disk && mount -t tmpfs -o size=330k none disk && TMPDIR=$PWD/disk exec "%s" "$@"\n' "$eulercl" >full && chmod +x full
if unshare -rm ./full list >out 2>&1; then
    unshare -rm ./full info grid.c >out 2>err
    [ $? -eq 6 ] && [ "$(wc -l <err)" -eq 1 ] && grep -q '^eulercl: grid.c did not compile: the compiler cannot write to .*: No space left on device$' err && pass || fail "a full disk: $(cat err)"
fi
finish
