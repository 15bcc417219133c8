#!/bin/sh
# A problem of one's own with the command, from `eulercl new` over `eulercl check` to `eulercl solve --h auto`: exit codes, findings, what is never overwritten.
. "$(dirname "$0")/../cli.sh"

for sub in new check; do expect 0 Usage $sub --help; done

# live, without Python and without the package, which python/tests/test_live.py tests
mkdir no_python no_package
printf '#!/bin/sh\nshift\nexec %s -I -S -c "$@"\n' "$(command -v python3)" >no_package/python3 && chmod +x no_package/python3
PATH=$scratch/no_python "$eulercl" live string >out 2>err
[ $? -eq 4 ] && grep -q '^eulercl: live: cannot run python3: ' err && [ ! -s out ] && pass || fail "without Python: $(cat err)"
if command -v python3 >/dev/null; then
    PATH=$scratch/no_package:$PATH "$eulercl" live string >out 2>err
    [ $? -eq 4 ] && grep -q '^eulercl: live needs the Python package eulercl ' err && [ "$(wc -l <err)" -eq 1 ] && [ ! -s out ] && pass || fail "without the package: $(cat err)"
fi

# The first findings are there before the fast code is: here its compiler waits for them. A fast code that does not compile ends the check.
cat >waits <<'CC'
#!/bin/sh
case " $* " in *' -E '* | *' -DODE_BASELINE '*) ;; *)
    tries=0
    until grep -q 'ok *radius' "${0%/*}/early" || [ $((tries += 1)) -gt 300 ]; do sleep 0.1; done
    [ $tries -le 300 ] && [ ! -e "${0%/*}/no-fast" ] || exit 1 ;;
esac
exec cc "$@" -O0
CC
chmod +x waits
"$eulercl" new early_bird >out 2>&1
CC=$scratch/waits "$eulercl" check early_bird.c --no-cache --device none-such >early 2>err && tail -n 1 early | grep -q 'all [0-9]* checks passed' && pass ||
    fail "check waits for the fast code before its first finding: $(cat early err)"
grep -q 'ok *forms *double:.* for x86-64, ' early || [ "$(uname -m)" != x86_64 ] && pass || fail "the fast code is not checked: $(cat early)"
touch no-fast
CC=$scratch/waits "$eulercl" check early_bird.c --no-cache --device none-such >early 2>err
[ $? -eq 8 ] && grep -q 'ok *radius' early && grep -q '^eulercl: the fast code did not compile' err && pass || fail "a fast code that does not compile: $(cat early err)"

# --- new: the templates, and what is made of them
for template in "$sources"/cli/templates/*.c; do
    CC=$all_kernels expect 0 'all [0-9]* checks passed' check "$template"
    [ "$opencl" = no ] || found out 'ok *opencl *float' 'ok *opencl *double'
done
expect 0 'written  one.c' new one
cmp -s one.c "$sources/cli/templates/my_line.c" && fail "the template's name was not replaced"
sed 's/my_line/one/g' "$sources/cli/templates/my_line.c" | cmp -s - one.c && pass || fail "one.c is not the template under its own name"
expect 0 'written  two.c' new two --grid 2 --components 5 --boundary periodic
found two.c 'ODE_NAME two' 'ODE_COMPONENTS 5 ' 'ODE_BOUNDARY ODE_PERIODIC ' '^#define U4 4$' '^    DOT(U) = ' '^    DOT(V) = d \* LAPLACE(V);' '^    DOT(U4) = d \* LAPLACE(U4);' '^    Y0(W) = '
expect 0 'written  three.c' new --general three
expect 0 'written  four.c' new four --components 2 --boundary mirror
expect 0 'written  five.c' new five --grid 2 --boundary clamp
expect 0 'written  solid.c' new solid --grid 3 --components 2
found solid.c 'ODE_NAME solid' '^#define ODE_NZ m' 'INTEGER(m, 50,' '^    DOT(V) = d \* LAPLACE(V);'
for file in two three four five solid; do
    expect 0 'all [0-9]* checks passed' check $file.c --device 'no such device'
done
# Every boundary rule is described where users look for one; its name is its word in lower case.
tr -d '\\' <"$sources/cli/eulercl.1" | grep -A 9 -e '--boundary' >manual
"$eulercl" new --help >help
sed -n 's/^ *CO[A-Z]*(x, ODE_\([A-Z]*\)_*, "\([^"]*\)".*/\1 \2/p' "$sources/include/eulercl/detail/ode_boundary.h" >rules
[ "$(wc -l <rules)" -gt 4 ] && pass || fail "the boundary rules were not found"
while read -r word name; do
    [ "$(echo "$word" | tr '[:upper:]' '[:lower:]')" = "$name" ] && pass || fail "ODE_$word has the name $name"
    for text in manual help; do grep -qw "$name" $text && pass || fail "$text does not describe the boundary $name"; done
    for text in include/eulercl/ode_problem.h cli/templates/my_line.c cli/templates/my_plane.c cli/templates/my_volume.c; do
        grep -qw "ODE_$word" "$sources/$text" && pass || fail "$text does not describe ODE_$word"
    done
done <rules
# Where a boundary's points lie: u = sin or cos(k pi x) keeps its form and decays like exp(-k^2 pi^2 t) if, and only if, dx and x belong to it.
while read -r boundary derived place wave decay; do
    for grid in 1 2 3; do
        expect 0 'written' new $boundary$grid --grid $grid --boundary $boundary
        found $boundary$grid.c "$(echo "CONSTANT(d, D \* $derived)\$" | tr _ ' ')" "$(echo "double x = $place[;,]" | tr _ ' ')"
        [ $grid = 1 ] || found $boundary$grid.c "$(echo ", y = $place," | tr _ ' ' | sed 's/ix/iy/; s/nx/ny/')"
        [ $grid != 3 ] || found ${boundary}3.c "$(echo " z = $place, right = " | tr _ ' ' | sed 's/ix/iz/; s/nx/nz/')"
    done
    sed "s/Y0(U) = .*/Y0(U) = $wave * x);/" ${boundary}1.c >wave1.c
    # Along z, where the other axes are short and have no ends.
    sed "s/Y0(U) = .*/Y0(U) = $wave * z);/; s/^#define ODE_NX .*/#define ODE_NX 3/; s/^#define ODE_NY .*/#define ODE_NY 3/; s/^#define ODE_GRID/#define ODE_PERIODIC_X 1\n#define ODE_PERIODIC_Y 1\n&/" ${boundary}3.c >wave3.c
    for file in wave1 wave3; do
        expect 0 'max = ' solve $file.c -p m=40 -p D=1 --h 1e-4 --t-end 0.1 --backend seq --monitor max --every 1000 --out wave.csv
        grep -v '^#' wave.csv | awk -F, -v expected="$decay" 'NR == 2 { first = $3 } { last = $3 } END { d = last / first / expected - 1; exit !(NR == 3 && d > -0.02 && d < 0.02) }' \
            && pass || fail "$boundary, $file: not $decay: $(head -n 3 wave.csv)"
    done
done <<'END'
fixed (m_+_1)_\*_(m_+_1) (double)(ix_+_1)_/_(double)(nx_+_1) sin(3.14159265358979 0.3727
clamp m_\*_m ((double)ix_+_0.5)_/_(double)nx cos(3.14159265358979 0.3727
mirror (m_-_1)_\*_(m_-_1) (double)ix_/_(double)(nx_-_1) cos(3.14159265358979 0.3727
periodic m_\*_m (double)ix_/_(double)nx cos(6.28318530717959 0.0193
END
# The default step size is stable for what new writes.
for grid in 1 2 3; do expect 0 'max = 0\.[0-9]' solve fixed$grid.c --steps 3000 --backend cpu --monitor max --every 3000 --out new.csv; done
expect 2 'has no grid' solve three.c --steps 1 --probe 2:0
for file in one two three; do
    expect 0 '(auto)' solve $file.c --h auto --steps 500 --backend seq
done
# A file is compiled for this processor's best code alone where it is only solved, and for all that a built-in problem has where it is checked.
# The sanitized build of check-long looks at the other problem.
for file in $([ -n "${ASAN_OPTIONS-}" ] && echo bruss2d || echo string); do
    "$eulercl" check $file --device none-such | grep -E '^ok +(forms|lanes)' >built-in
    CC=$all_kernels "$eulercl" check "$sources/problems/$file.c" --device none-such | grep -E '^ok +(forms|lanes)' | cmp -s built-in - && [ -s built-in ] && pass || fail "$file.c is not checked as $file is"
    for way in seq cpu; do
        expect 0 hash solve $file --steps 40 --backend $way --precision float
        bits=$(grep hash out)
        CC=$all_kernels expect 0 "$bits" solve "$sources/problems/$file.c" --steps 40 --backend $way --precision float
    done
done
# Many components take the compiler little memory, and 16 have the same bits in lanes.
"$eulercl" new wide --grid 2 --components 64 >/dev/null
sed 's/^    DOT(U) = .*/    for (int c = 0; c < ODE_COMPONENTS; c++) DOT(c) = d * LAPLACE(c) - AT(0, 0, c) * AT(0, 0, (c + 1) % ODE_COMPONENTS);/
    /^    DOT([A-Z]/d' wide.c >wide64.c
printf '#!/bin/sh\nulimit -v 300000\nexec cc "$@"\n' >small-cc
chmod +x small-cc
CC=$PWD/small-cc expect 0 'components' info wide64.c
sed 's/ODE_COMPONENTS 64/ODE_COMPONENTS 16/; /^    Y0(U1[6-9])/d; /^    Y0(U[2-6][0-9])/d' wide64.c >wide16.c
bits='seq, double'
for way in 'seq' 'cpu --variant lanes'; do
    # shellcheck disable=SC2086
    CC=$all_kernels expect 0 "$bits" solve wide16.c -p m=40 --h 1e-5 --steps 20 --backend $way
    bits=$(grep hash out)
done
found out 'cpu lanes'
expect 0 '200 components' info one.c
expect 0 'periodic' info two.c
[ "$json" = no ] || expect 0 '"written": "six.c"' new six --json

# never in the place of another file; no half of one
cp one.c kept.c
expect 6 'already exists' new one
cmp -s one.c kept.c && pass || fail "one.c was changed"
mkdir seven.c
expect 6 'already exists' new seven
expect 6 'cannot write' new "$(printf '%300s' '' | tr ' ' x)"
for name in 1a a-b a.c a/b ../a 'a b' '' é; do
    expect 2 'no name for a problem' new "$name"
done
for name in int while NULL linux true read_only n CLANG_MAJOR POCL_X; do expect 2 "the name '$name' is taken" new $name; done
expect 2 'missing' new
expect 2 'unexpected' new a b
expect 2 'grid' new a --grid 4
expect 2 'components' new a --components 0
expect 2 'components' new a --components 65
expect 2 'not one of fixed' new a --boundary open
expect 2 'no grid' new a --general --grid 2
expect 2 'no grid' new a --general --boundary fixed
[ ! -e a.c ] && pass || fail "a.c was written in spite of the error"

# --- check: mistakes in a file, each found
cat >right.c <<'C'
#define ODE_NAME right
#define ODE_TITLE "a chain"
#define ODE_SIZE size
#define ODE_ACCESS_DISTANCE 2
#define ODE_HAS_EVAL_COMP4 1
#define ODE_PARAMETERS(REAL, INTEGER) INTEGER(size, 500, 4, 1e6, "", "")
#ifdef __OPENCL_VERSION__
#define DEVICE 1
#else
#define DEVICE 0
#endif
#include <eulercl/ode_problem.h>
#define LEFT(j) ((j) > 0 ? Y((j) - 1) : 0)
#define RIGHT(j) ((j) < n - 1 ? Y((j) + 1) : 0)
ODE_EVAL_COMP(
    return LEFT(i) + RIGHT(i) - 2 * Y(i);
)
ODE_EVAL_COMP4(
    const ode_real4 left = ODE_MAKE4(LEFT(4 * i4), Y(4 * i4), Y(4 * i4 + 1), Y(4 * i4 + 2)), right = ODE_MAKE4(Y(4 * i4 + 1), Y(4 * i4 + 2), Y(4 * i4 + 3), RIGHT(4 * i4 + 3));
    return left + right - 2 * Y4(i4);
)
ODE_INITIAL( Y0(0) = 1.0 / (double)(i + 1); )
C
none='--device none-such'
expect 0 'all [0-9]* checks passed' check right.c
found out 'declared 2, actual 1'
[ "$opencl" = no ] || found out 'ok *opencl *double: eval_comp and eval_comp4 have the same bits as in C'
sed 's/return LEFT(i)/return (i > 400 ? Y(i - 3) : 0) + LEFT(i)/; s/EVAL_COMP4 1/EVAL_COMP4 0/; /^ODE_EVAL_COMP4/,/^)/d' right.c >far.c
expect 1 'FAILS *distance *component 4[0-9]* reads a component at distance 3, but the declared access distance is 2' check far.c $none
found out '^1 of [0-9]* checks failed'
sed 's/LEFT(j) .*/LEFT(j) Y((j) - 1)/' right.c >before.c
expect 1 'FAILS *distance *component 0 reads beyond the state' check before.c $none
sed 's/right - 2/right - REAL(2.0000002)/' right.c >four.c
expect 1 'FAILS *forms *float: eval_range (' check four.c $none
sed 's/return LEFT(i)/static int calls; return (calls++ % 1000 == 0) + LEFT(i)/' right.c >random.c
expect 1 'FAILS *determinism' check random.c $none
# code that crashes, or ends the process, is a finding: the rest was not checked
sed 's/return LEFT(i)/static volatile int *nowhere; return REAL(*nowhere) + LEFT(i)/; s/EVAL_COMP4 1/EVAL_COMP4 0/; /^ODE_EVAL_COMP4/,/^)/d' right.c >crash.c
expect 1 'FAILS *distance *the code of the problem .*, after the last finding about memory; the rest was not checked$' check crash.c $none
found out '^1 of [0-9]* checks failed'
[ "$json" = no ] || expect 1 '"ok": false' check crash.c $none --json
sed 's/1.0 .*; )/i == 77 ? (exit(0), 0.0) : 1; )/; s/^#define LEFT/#include <stdlib.h>\n&/' right.c >leave.c
expect 1 'FAILS *[a-z]* *the code of the problem ends the process with exit status 0, ' check leave.c $none
sed 's/1.0 .*; )/i == 77 ? NAN : 1; )/' right.c >nan.c
expect 1 'FAILS *finite *double: component 77 of the initial state is nan' check nan.c $none
found out 'skipped *stability'
sed 's/- 2 \* Y(i)/- 2 * Y(i) * (1 + DEVICE)/; s/EVAL_COMP4 1/EVAL_COMP4 0/; /^ODE_EVAL_COMP4/,/^)/d' right.c >device.c
[ "$opencl" = no ] || expect 1 'FAILS *opencl *double: eval_comp4 gives' check device.c
# functions whose bits may differ are told where they do not, too
sed 's/return LEFT(i)/return REAL(lgamma((double)(1 + 0 * Y(i)))) + LEFT(i)/; s/EVAL_COMP4 1/EVAL_COMP4 0/; /^ODE_EVAL_COMP4/,/^)/d' right.c >sine.c
[ "$opencl" = no ] || expect 0 'note *opencl *double: 0 of [0-9]* values differ from C' check sine.c

# names that the compilers would complain about, of the parameters and of derived constants: one line, before any compiler
for name in NULL true HUGE_VAL CHAR_BIT M_LN2 read_only n exp ode_c CL_X; do
    sed "s/INTEGER(size, 500/REAL($name, 1, 0, 2, \"\", \"\") &/" right.c >taken.c
    expect 8 "taken.c did not compile: line 6: the name '$name' of a parameter is taken: it is " info taken.c
    [ "$(wc -l <err)" -eq 1 ] && pass || fail "more than a line: $(cat err)"
done
sed 's/^#define ODE_HAS.*/#define ODE_DERIVED(CONSTANT) \\\n CONSTANT(one, 1) CONSTANT(half, 0.5)\n&/' right.c >taken.c
expect 8 "taken.c did not compile: line 6: the name 'half' of a derived constant is taken: it is a word of OpenCL C" solve taken.c
sed 's/INTEGER(size, 500/REAL(I, 1, 0, 2, "", "") &/; s/- 2/- 2 * I/' right.c >taken.c
expect 0 '' info taken.c
sed -i 's/^#include <eul/#include <complex.h>\n&/' taken.c
expect 8 "the name 'I' of a parameter is taken: it is a macro of C in <complex.h>" info taken.c

# Settings with a wrong name, or after the #include, would have no effect.
setting() { # WORDS LINE-BEFORE-THE-INCLUDE [LINE-AFTER]
    sed "s,^#include <eul.*,$2\n&${3:+\n$3}," right.c >setting.c
    expect 8 "setting.c did not compile: line [0-9]*: $1" solve setting.c --h 1e-3 --steps 1
    [ "$(wc -l <err)" -eq 1 ] && pass || fail "more than a line: $(cat err)"
}
setting 'nothing reads ODE_ACCES_ALL.* did you mean ODE_ACCESS_ALL?' '#define ODE_ACCES_ALL 1'
setting 'nothing reads ODE_HAS_EXCAT.* did you mean ODE_HAS_EXACT?' '  # \\\n define ODE_HAS_EXCAT'
setting 'nothing reads ODE_FLUSH_BELLOW.* did you mean ODE_FLUSH_BELOW?' '#ifndef ODE_FLUSH_BELLOW\n#define ODE_FLUSH_BELLOW(c) 1e-9\n#endif'
setting 'nothing reads ODE_QUITE_DIFFERENT, which is no setting of eulercl/ode_problem.h$' '#define ODE_QUITE_DIFFERENT'
setting "nothing reads this macro" "#define ODE_$(printf %0100d 1)"
setting 'ODE_ATOL must come before the #include' '' '#define ODE_ATOL(c) 1'
sed 's/^#include <eul.*/#define ODE_OWN 1\n#ifdef ODE_OWN\n&\n#endif\n#define ODE_TWICE(x) (2 * (x))/; s/- 2 \* Y(i)/- ODE_TWICE(Y(i))/' right.c >setting.c
expect 0 '' info setting.c # an author's own macros
echo 'enum { OWN = ODE_QUITE_DIFFERENT };' >own.h
sed 's/^#include <eul.*/#define ODE_QUITE_DIFFERENT 1\n#include "own.h"\n&/' right.c >setting.c
expect 0 '' info setting.c
sed 's/^#include <eul.*/#define ODE_HAS_EXCAT 1\n#include "own.h"\n&/' right.c >setting.c
expect 8 'nothing reads ODE_HAS_EXCAT' info setting.c
sed -n 's/^SETTING(\(ODE_[A-Z0-9_]*[A-Z0-9]\))$/\1/p' "$sources/lib/problem/settings.def" | sort >known
[ "$(wc -l <known)" -gt 20 ] && pass || fail "settings.def has $(wc -l <known) settings"
sed -n '/^ \* Settings, before/,/^ \* Equations, after/s/^ \*   \(ODE_[A-Z].*\)/\1/p' "$sources/include/eulercl/ode_problem.h" |
    sed 's/[[ ][ [].*//; s/([^)]*)//g; s/\[.*//' | grep -o 'ODE_[A-Z0-9_]*' | sort -u >described
[ -z "$(comm -13 known described)" ] && pass || fail "settings.def does not have: $(comm -13 known described)"
while read -r name; do
    grep -q "^ \*.*\<$name\>" "$sources/include/eulercl/ode_problem.h" && pass || fail "ode_problem.h does not describe $name"
done <known

# jumps in time, and the end of the runs to come
cat >switch.c <<'C'
#define ODE_NAME onoff
#define ODE_TITLE "on and off"
#define ODE_SIZE 1
#define ODE_ACCESS_DISTANCE 0
#include <eulercl/ode_problem.h>
ODE_EVAL_COMP( return (t >= 3 && t < REAL(3.5) ? 1 : 0) - Y(i); )
ODE_INITIAL( Y0(0) = 0; )
C
expect 0 'note *times *the right-hand side jumps in time at t = 3,3.5 .*--breakpoints 3,3.5$' check switch.c $none
expect 0 'note *times .*at t = 3 .*--breakpoints 3$' check switch.c $none --t-end 3.2
expect 0 'ok *times ' check switch.c $none --t-end 2
sed '/^#include/i #define ODE_BREAKPOINTS(TIME) TIME(3) TIME(3.5)' switch.c >known.c
expect 0 'ok *times *the right-hand side jumps in time at breakpoints of the problem alone$' check known.c $none
expect 2 '--t-end: 1 is not after the initial time 2' check switch.c --t0 2 --t-end 1

# compilers name the line of the file, each its own
sed 's/return LEFT(i)/return nonsense + LEFT(i)/' right.c >bad.c
expect 8 'bad.c did not compile: line 16: .*nonsense.* undeclared' check bad.c
found err 'bad.c:16:.*nonsense'
# Slips in a grid's file: the line, what is wrong, and nothing of the headers, of which the equations are made.
line_of() { grep -n "$1" two.c | cut -d: -f1; }
slip() { # LINE WORDS SED
    sed "$3" two.c >slip.c
    expect 8 "slip.c did not compile: line $1: $2" info slip.c
    [ "$(wc -l <err)" -le 12 ] && ! grep -q 'eulercl/ode_[a-z]*.h' err && pass || fail "what is said of $2: $(cat err)"
}
slip "$(line_of 'LAPLACE(V)')" '.*X.* undeclared' 's/LAPLACE(V)/LAPLACE(X)/'
slip "$(line_of 'LAPLACE(V)')" 'an offset beyond ODE_RADIUS' 's/LAPLACE(V)/AT(0, 2, V)/'
slip "$(line_of 'BOUNDARY ODE_PERIODIC')" '.*ODE_NO_FLUX' 's/ODE_BOUNDARY ODE_PERIODIC/ODE_BOUNDARY ODE_NO_FLUX/'
sed '/^#define ODE_NAME/d' two.c >slip.c
expect 8 "slip.c did not compile: line $(($(line_of 'include <eul') - 1)): .*define ODE_NAME" info slip.c
sed '/^ODE_INITIAL/,$d' two.c >slip.c
expect 8 'slip.c did not compile: it has no ODE_INITIAL' info slip.c
echo >slip.c
expect 6 'slip.c: .*ODE_NAME' info slip.c
expect 2 'did you mean slip.c' info slip
# A right-hand side that reads the whole state: what does not go with it, and reads beyond the state
bodies() { sed "$1" "$sources/examples/nbody.c" >bodies.c; }
for line in 'RADIUS 1' 'BOUNDARY ODE_PERIODIC' 'PERIODIC_X 1'; do
    bodies "s/^#define ODE_ACCESS_ALL 1/&\n#define ODE_$line/"
    expect 8 'bodies.c did not compile: .*with ODE_ACCESS_ALL there are no neighbours' info bodies.c
done
bodies 's/^#define ODE_ACCESS_ALL 1/&\n#define ODE_ACCESS_DISTANCE 12/'
expect 8 'bodies.c did not compile: .*leave out ODE_ACCESS_DISTANCE' info bodies.c
bodies 's/^#define ODE_ACCESS_ALL 1/#define ODE_ACCESS_ALL 0/'
expect 8 'bodies.c did not compile: .*ODE_ACCESS_ALL is 1, or not defined' info bodies.c
bodies 's/AT(0, X)/AT(1, X)/'
expect 8 'bodies.c did not compile: .*an offset beyond ODE_RADIUS' info bodies.c
bodies 's/OTHER(X)/AT_POINT(j + 1, X)/'
expect 1 'FAILS *distance *component [0-9]* reads beyond the state' check bodies.c -p bodies=20 $none
expect 4 'the right-hand side reads the whole state (ODE_ACCESS_ALL)' solve bodies.c -p bodies=20 --backend cpu --variant lanes
expect 4 'devices: the right-hand side reads the whole state (ODE_ACCESS_ALL)' solve bodies.c -p bodies=20 --devices cpu,cpu
# parts that are left out
sed 's/DOT(V) =/DOT(U) =/' two.c >slip.c
expect 1 'FAILS *finite *double: the derivative of component 1 at the initial state is nan; is DOT(1) missing?' check slip.c $none
expect 5 'nan after step 1, .* unless a derivative is missing' solve slip.c --backend seq --h 1e-6 --steps 1
sed 's/Y0(V) =/if (ix != 5) &/' two.c >slip.c
expect 1 'FAILS *finite *double: component 26 of the initial state is nan; is Y0(1) missing?' check slip.c $none
expect 5 'component 26 is nan before step 0, .* or an initial value is missing' solve slip.c --backend seq
sed 's/^#define DEVICE 1/#define DEVICE nonsense/; s/- 2 \* Y(i)/- 2 * Y(i)\n        + DEVICE/' right.c >cl.c
if [ "$opencl" = yes ]; then
    "$eulercl" check cl.c >out 2>err </dev/null
    [ $? -eq 8 ] && pass || fail "a text that OpenCL's compiler refuses does not give exit status 8"
    found out 'FAILS *opencl *double: the OpenCL compiler' 'ok *forms *double' 'checks failed'
    found err 'cl.c:17.*nonsense'
fi

# A solution that moves to where the step chosen at the start is too large (E. Lorenz's system of 1996): check promises no more than it knows, and the run ends at
# the same step on every backend, with advice.
cat >moves.c <<'END'
#define ODE_NAME moves
#define ODE_TITLE "test: Lorenz-96, from near a fixed point"
#define ODE_GRID 1
#define ODE_COMPONENTS 1
#define ODE_RADIUS 2
#define ODE_BOUNDARY ODE_PERIODIC
#define ODE_NX points
#define ODE_PARAMETERS(REAL, INTEGER) INTEGER(points, 40, 5, 1e6, "", "")
#include <eulercl/ode_problem.h>
ODE_POINT_RHS( DOT(0) = (AT(1, 0) - AT(-2, 0)) * AT(-1, 0) - AT(0, 0) + 8; )
ODE_INITIAL( Y0(0) = ix == 20 ? 8.01 : 8; )
END
expect 0 'stability .*up to 0.1175 near the initial state .*later a smaller h may be necessary' check moves.c $none
ways='seq cpu pthreads'
[ "$opencl" = no ] || ways="$ways cl-honeycomb"
for backend in $ways; do
    expect 5 'component 0 is infinite after step 22, t = 2.3266745; .* may help.*; --h auto considers only the initial state$' \
        solve moves.c --h auto --t-end 20 --backend "$backend"
done

# a plug-in and a built-in problem pass, too; arguments
expect 0 'all [0-9]* checks passed' check string $none --size 100
found out 'no h is stable' 'w = 10 '
expect 0 'all [0-9]* checks passed' check bruss2d $none -p m=30 --t0 0.5
[ -z "$EULERCL_TEST_PLUGINS" ] || [ ! -r "$EULERCL_TEST_PLUGINS/forced_wave.so" ] || expect 0 'all [0-9]* checks passed' check "$EULERCL_TEST_PLUGINS/forced_wave.so" $none
expect 0 'stable for h up to 0.28' check string $none --size 100 --method rk4
expect 0 'stable for h up to 0.2 near' check string $none --size 100 --method verlet
found out 'ok *positions *'
# a pulse that spreads into zeros is full of subnormal numbers
cat >pulse.c <<'END'
#define ODE_NAME pulse
#define ODE_TITLE "a pulse"
#define ODE_GRID 1
#define ODE_COMPONENTS 1
#define ODE_BOUNDARY ODE_FIXED
#define ODE_NX 400
#include <eulercl/ode_problem.h>
ODE_POINT_RHS( DOT(0) = LAPLACE(0); )
ODE_INITIAL( Y0(0) = ix == 200; )
END
expect 0 '^note  *finite  *float: after [0-9]* steps [1-9][0-9]* of 400 components are subnormal numbers, .*ODE_FLUSH_BELOW(c) 1e-12 in the problem, or --flush-below' check pulse.c $none
{ echo '#define ODE_FLUSH_BELOW(c) 1e-12'; cat pulse.c; } >cut.c
expect 0 'all [0-9]* checks passed' check cut.c $none
grep -q subnormal out && fail 'subnormal numbers are left' || pass
{ echo '#define ODE_FLUSH_BELOW(c) ((c) - 1)'; cat pulse.c; } >negative.c
expect 2 'problem pulse: ODE_FLUSH_BELOW(0) = -1 is not a finite number >= 0' solve negative.c --backend seq
sed 's/^#define ODE_POSITION.*/#define ODE_POSITION(c) 1/' "$sources/problems/string.c" >wrong.c
expect 1 'FAILS *positions ' check wrong.c $none --size 100
expect 2 'missing' check
expect 2 'nonsense' check nonsense
expect 2 'finite number' check string --t0 x
expect 2 'parameter' check string -p q=1
expect 6 'nowhere.c' check nowhere.c
if [ "$json" = yes ]; then
    expect 0 '"ok": true' check string --size 100 --json $none
    for key in problem n access_distance smallest_access_distance smallest_cyclic_distance smallest_radius float_bytes double_bytes spectral_radius h_limit \
               bits_guaranteed findings check verdict component text log; do found out "\"$key\""; done
    found out '"smallest_access_distance": 3' '"smallest_radius": 1' '"h_limit": 0.0' '"float_bytes": 800'
    found out '"method": "euler"' '"stages": 1'
    expect 0 '"h_limit": 0.28' check string --size 100 --json $none --method rk4
    found out '"method": "rk4"' '"stages": 4'
    expect 0 '"stages": 10' check three.c --json $none --method rkl2
    expect 0 '"stages": 20' check three.c --json $none --method rkl2 --stages 20
    expect 1 '"verdict": "fails"' check far.c --json $none
    found out '"component": 4[0-9][0-9]' '"ok": false' '"smallest_access_distance": 3'
fi

# --- solve --h auto: 0.9 of the limit, which is 2 / 4 rate for vessels that mix
expect 0 'h = 0.45[0-9]* (auto)' solve three.c --h auto --steps 3 --backend seq
expect 0 'h = 0.045[0-9]* (auto), from t = 0 to 1$' solve three.c -p rate=10 --h auto --t-end 1 --backend seq
expect 0 'h = 0.4[45][0-9]* (auto)' solve three.c --h auto --steps 3 --backend seq --precision float
expect 4 'no step size' solve string --h auto
# the method's own region: vessels that mix have eigenvalues -4 .. 0, the string +-10 i
expect 0 'h = 0.62[0-9]* (auto), ' solve three.c --h auto --steps 3 --backend seq --method rk4
expect 0 'h = 12.1[0-9]* (auto, for 10 stages), ' solve three.c --h auto --steps 3 --backend seq --method rkl2
found out '^method   rkl2, order 2, 10 stages$'
expect 0 'h = 3.[2-4][0-9]* (auto), ' solve three.c --h auto --steps 3 --backend seq --method rkl2 --stages 5
expect 0 'h = 0.25[0-9]* (auto), ' solve string --size 100 --h auto --steps 3 --method rk4
expect 0 'h = 0.18[0-9]* (auto), ' solve string --size 100 --h auto --steps 3 --method verlet
expect 4 'no step size is stable .* method rock2 ' solve string --size 100 --h auto --method rock2
expect 2 'over-determine' solve three.c --h auto --steps 3 --t-end 1
expect 2 "not a finite number" solve three.c --h automatic
# near the state that a run starts with: y' = -y^3
cat >cubic.c <<'C'
#define ODE_NAME cubic
#define ODE_TITLE "y' = -y^3"
#define ODE_SIZE size
#define ODE_ACCESS_DISTANCE 0
#define ODE_PARAMETERS(REAL, INTEGER) INTEGER(size, 10, 1, 1e6, "", "") REAL(start, 1, -1e9, 1e9, "", "")
#include <eulercl/ode_problem.h>
ODE_EVAL_COMP( return -Y(i) * Y(i) * Y(i); )
ODE_INITIAL( Y0(0) = start; )
C
expect 0 '' solve cubic.c -p start=10 --steps 0 --out ten.npy
expect 0 'h = 0.6[0-9]* (auto)' solve cubic.c --h auto --steps 1 --backend seq
expect 0 'h = 0.006[0-9]* (auto)' solve cubic.c --h auto --steps 1 --backend seq --in ten.npy
hash() { sed -n 's/^hash *//p' out; }
auto=$(hash)
expect 0 '' solve cubic.c --steps 1 --h "$(sed -n 's/.* of h = \([0-9.e-]*\) .*/\1/p' out)" --backend seq --in ten.npy
[ "${#auto}" -eq "$(hash | tr -d '\n' | wc -c)" ] && pass || fail "--in was not read from its beginning"

finish
