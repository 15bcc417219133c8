#!/bin/sh
# Random right-hand sides that call the library's own functions (exp, sin, pow...): in one and two dimensions and in the general form, in float and double, the final
# state of each backend has the bits of seq. Every function is called in each round of three cases, also with huge, tiny and special arguments. The formulas know
# bounds of their values, so that no state becomes NaN. A failure prints the problem's file and the seed.
#
# SPDX-License-Identifier: BSD-2-Clause
. "$(dirname "$0")/../cli.sh"
can solve string --size 20 --steps 0 --backend seq || { echo "the command cannot solve"; exit 1; }
"$eulercl" solve string --size 20 --steps 0 | grep -q '^hash' || { echo "skipped: built without xxHash"; exit 77; }
seed=${EULERCL_TEST_SEED:-2012}
number=$(cases 3 48)

# draw COUNT SEED: the files case0.c, case1.c ...
draw() {
    awk -v count="$1" -v seed="$2" '
    function below(n) { state = (state * 69069 + 12345) % 4294967296; return int(state / 4294967296 * n) }      # exact in double
    function pick(list,  words, n) { n = split(list, words, " "); return words[1 + below(n)] }
    function number(least, most) { return sprintf("%.3f", least + (most - least) * below(1001) / 1000) }
    function smaller(a, b) { return a < b ? a : b }
    function greater(a, b) { return a > b ? a : b }
    function bounds(least, most) { lo = least; hi = most }
    # A formula becomes the value of a variable when it is long or used twice.
    function variable(e) { body = body "    const ode_real w" variables " = " e ";\n"; return "w" variables++ }
    function short(e) { return length(e) > 50 ? variable(e) : e }
    function twice(e) { return e ~ /^[a-z0-9]+$/ ? e : variable(e) }

    # Each of these returns a formula; its value is between lo and hi.
    function leaf(  e) {
        e = below(of_time ? 3 : 7)
        if (e == 0) { e = number(-2, 2); bounds(e, e); return e < 0 ? "(-REAL(" (-e) "))" : "REAL(" e ")" }
        if (e == 1) { bounds(1.25, 1.25); return "k" }
        if (e == 2) { bounds(0, 8); return "t" }
        if (e == 3) { bounds(0, 1); return "(REAL(0.125) * (ode_real)(int)(" (form == 2 ? "i" : "ix") " % 9))" }
        bounds(-1.1, 1.1)
        if (form == 2) return pick("Y(i) Y(i>0?i-1:0) Y(i>1?i-2:0) Y(i<n-1?i+1:n-1) Y(i<n-2?i+2:n-1)")
        return "AT(" (below(3) - 1) ", " (form == 1 ? below(3) - 1 ", " : "") below(2) ")"
    }
    # In [-most, most], which a formula beyond it gets by a factor or by a function.
    function within(e, most,  greatest) {
        greatest = greater(-lo, hi)
        if (greatest <= most) return e
        bounds(-most, most)
        if (below(2)) { e = twice(e); return sprintf("REAL(%.6g) * %s / (1 + fabs(%s))", 0.999 * most, e, e) }
        return sprintf("REAL(%.6g) * (%s)", 0.99 * most / greatest, e)
    }
    # At least 0.05 or more.
    function positive(e,  c, greatest) {
        c = number(0.05, 1.5); greatest = greater(-lo, hi)
        if (below(2)) { bounds(c, c + greatest); return "REAL(" c ") + fabs(" e ")" }
        e = twice(e); bounds(c, c + greatest * greatest)
        return "fma(" e ", " e ", REAL(" c "))"
    }
    # Nothing grows.
    function limited(e) { return greater(-lo, hi) > 1e6 ? within(e, 10) : e }
    function two(depth,  a, b) {             # a and b, with [lo, hi] and [lo2, hi2]
        a = short(formula(depth)); lo1 = lo; hi1 = hi
        saved[++saves] = lo1; saved[++saves] = hi1
        b = short(formula(depth)); lo2 = lo; hi2 = hi
        hi1 = saved[saves--]; lo1 = saved[saves--]
        second = b
        return a
    }
    function call(name, depth,  a, b, c) {
        if (!below(5) && name in special) return singular(name, depth)
        if (name ~ /^(fmin|fmax|hypot|atan2|pow)$/) {
            a = two(depth); b = second
            if (name == "pow") {
                if (!below(4)) { bounds(lo1, hi1); a = within(a, 4); bounds(-4096, 4096); return "pow(" a ", " pick("2 3 4 -0 5 1") ")" }
                bounds(lo1, hi1); a = positive(within(a, 5)); lo1 = lo; hi1 = hi
                bounds(lo2, hi2); b = within(b, 3)
                bounds(0, greater(1, greater(hi1 ^ hi, lo1 ^ lo)))
            } else if (name == "hypot") bounds(0, greater(-lo1, hi1) + greater(-lo2, hi2))
            else if (name == "atan2") bounds(-3.2, 3.2)
            else if (name == "fmin") bounds(smaller(lo1, lo2), smaller(hi1, hi2))
            else bounds(greater(lo1, lo2), greater(hi1, hi2))
            return name "(" a ", " b ")"
        }
        a = short(formula(depth))
        if (name ~ /^(exp|exp2|expm1|sinh|cosh)$/) {
            a = within(a, 15); c = exp(greater(-lo, hi))
            bounds(name ~ /^exp2?$/ ? 0 : name == "expm1" ? -1 : name == "cosh" ? 1 : -c, c)
        } else if (name == "log" || name == "log2") { a = positive(a); c = (name == "log" ? 1 : log(2)); bounds(log(lo) / c, log(hi) / c) }
        else if (name == "log1p") {
            if (below(2)) { a = within(a, 0.95); bounds(-3, 0.7) } else { a = positive(a); bounds(0, log(1 + hi)) }
        } else if (name == "tan") { a = within(a, 1.5); bounds(-15, 15) }
        else if (name ~ /^a(sin|cos)$/) { a = within(a, 1); bounds(-1.6, 3.2) }
        else if (name == "cbrt") { c = greater(1, greater(-lo, hi)); bounds(-c, c) }
        else if (name == "atan") bounds(-1.6, 1.6)
        else bounds(-1, 1)                                             # sin cos tanh erf
        return name "(" a ")"
    }
    # Calls with huge, tiny and special arguments: e stands for a formula in [-2, 2]. Where float and double differ, they may.
    function singular(name, depth,  e, choices, n) {
        e = twice(within(short(formula(depth)), 2))
        bounds(-4, 4)
        n = split(special[name], choices, ";")
        e = choices[1 + below(n)] "\001" e
        n = index(e, "\001")
        choices[1] = substr(e, 1, n - 1); e = substr(e, n + 1)
        gsub(/ x/, " " e, choices[1]); gsub(/\(x/, "(" e, choices[1]); gsub(/HUGE/, pick("1e4 1e6 1e8 1e9 1e13 1e22 1e36"), choices[1])
        return choices[1]
    }
    function formula(depth,  a, b, e, kind) {
        if (depth == 0 || !below(8)) return leaf()
        kind = below(10)
        if (kind < 6) return limited(call(names[1 + below(functions)], depth - 1))
        a = two(depth - 1); b = second
        if (kind == 6) { bounds(lo1 + lo2, hi1 + hi2); return "(" a " + " b ")" }
        if (kind == 7) { bounds(lo1 - hi2, hi1 - lo2); return "(" a " - (" b "))" }
        e = greater(-lo1, hi1)
        if (kind == 8) { e *= greater(-lo2, hi2); bounds(-e, e); return limited(a " * (" b ")") }
        saved[++saves] = e; bounds(lo2, hi2); b = positive(b); e = saved[saves--] / lo
        bounds(-e, e)
        return limited("(" a ") / (" b ")")
    }
    # The next functions of the list, one after the other, and what follows from random ones.
    function derivative(roots,  e, r, all, least, most) {
        least = most = 0; all = ""
        for (r = 0; r < roots; r++) {
            e = limited(call(names[1 + turn++ % functions], pick("1 1 1 2")))
            all = all (r ? " + " : "") variable(e); least += lo; most += hi
        }
        return sprintf("REAL(%.4g) * (%s)", 0.98 / greater(1e-3, greater(-least, most)), all)
    }
    # A call of the next function of the time alone, which the host computes for the device.
    function time_factor(  e) {
        of_time = 1; e = within(call(names[1 + turn++ % functions], pick("1 2")), 0.5); of_time = 0
        return e
    }
    BEGIN {
        state = seed % 4294967296
        functions = split("exp exp2 expm1 log log2 log1p sin cos tan tanh sinh cosh asin acos atan atan2 pow cbrt hypot erf fmin fmax", names, " ")
        special["exp"] = "tanh(exp(REAL(800) * x));fmin(exp(REAL(100) * x), 1);REAL(1e30) * (REAL(1e7) * exp(x - REAL(92)))"
        special["exp2"] = "fmin(exp2(REAL(1100) * x), 2);REAL(1e30) * (REAL(1e11) * exp2(x - REAL(140)));exp2(floor(x))"
        special["expm1"] = "atan(expm1(REAL(1000) * x));REAL(1e20) * expm1(REAL(1e-20) * x);expm1(-100 * fabs(x))"
        special["log"] = "tanh(log(fmax(x, 0)));REAL(0.01) * log(fabs(REAL(1e-38) * x) + REAL(1e-40));REAL(0.01) * log(exp(88 * fabs(x) / 2))"
        special["log2"] = "atan(log2(fabs(floor(x))));log2(exp2(floor(x)));REAL(0.01) * log2(REAL(1e30) * x * x + REAL(1e-44))"
        special["log1p"] = "REAL(1e25) * log1p(REAL(1e-25) * x);tanh(log1p(fmax(x, -1)));REAL(0.01) * log1p(REAL(1e37) * fabs(x))"
        special["sin"] = "sin(REAL(HUGE) * x);sin(REAL(HUGE) * x);sin(REAL(HUGE) * (x - 3));sin(3217 * x);REAL(1e30) * sin(REAL(1e-30) * x)"
        special["cos"] = "cos(REAL(HUGE) * x);cos(REAL(HUGE) * x);cos(REAL(HUGE) * (x + 3));cos(5555 * x)"
        special["tan"] = "atan(tan(REAL(HUGE) * x));tanh(tan(REAL(HUGE) * x));atan(tan(2 * x));REAL(1e30) * tan(REAL(1e-30) * x)"
        special["tanh"] = "tanh(REAL(1e35) * x);REAL(1e30) * tanh(REAL(1e-30) * x);tanh(9 * x)"
        special["sinh"] = "atan(sinh(REAL(500) * x));REAL(1e30) * sinh(REAL(1e-30) * x)"
        special["cosh"] = "fmin(cosh(REAL(500) * x), 3);REAL(1) / cosh(80 * x)"
        special["asin"] = "asin(fmin(fmax(2 * x, -1), 1));REAL(1e30) * asin(REAL(1e-30) * x);asin(1 - REAL(1e-6) * fabs(x))"
        special["acos"] = "acos(fmin(fmax(2 * x, -1), 1));REAL(1e3) * acos(1 - REAL(1e-6) * fabs(x));acos(REAL(1e-30) * x)"
        special["atan"] = "atan(REAL(1e37) * x);REAL(1e30) * atan(REAL(1e-30) * x);atan(1 / (REAL(1e-3) * fabs(x)))"
        special["atan2"] = "atan2(REAL(0), x);atan2(x, REAL(0));atan2(REAL(1e30) * x, REAL(1e-9));atan2(-REAL(0), x - 3);REAL(1e20) * atan2(REAL(1e-20) * x, REAL(3))"
        special["pow"] = "fmin(pow(fabs(x), REAL(-900)), 2);fmin(pow(REAL(10), 60 * x), 1);pow(floor(x), REAL(2));pow(x, REAL(0));fmin(pow(REAL(0), x), 1);REAL(0.1) * pow(x, REAL(5))"
        special["cbrt"] = "REAL(1e12) * cbrt(REAL(1e-38) * x);REAL(1e-12) * cbrt(REAL(1e36) * x);REAL(1e13) * cbrt(REAL(1e-42) * x)"
        special["hypot"] = "REAL(1e-37) * hypot(REAL(1e37) * x, REAL(1e37));REAL(1e30) * hypot(REAL(1e-30) * x, REAL(1e-31));hypot(x, REAL(0))"
        special["erf"] = "erf(REAL(1e30) * x);REAL(1e30) * erf(REAL(1e-30) * x);REAL(1e3) * (1 - erf(2 + fabs(x)))"
        special["fmin"] = "fmin(x, REAL(1e38) * 10);fmin(floor(x), x);fmin(x, 1)"
        special["fmax"] = "fmax(x, REAL(-1e38) * 10);fmax(-floor(x), x);fmax(x, 0)"
        for (c = 0; c < count; c++) {
            form = c % 3 == 1 ? 2 : c % 3 / 2; body = ""; variables = 0
            head = "/* drawn from the seed " seed " */\n#define ODE_NAME drawn\n#define ODE_TITLE \"random calls\"\n"
            if (form == 2) {
                end = "    return " derivative(8) " + " time_factor() " - Y(i);\n"
                head = head "#define ODE_SIZE points\n#define ODE_ACCESS_DISTANCE 2\n"
            } else {
                end = ""
                for (u = 0; u < 2; u++)
                    end = end "    DOT(" u ") = " derivative(4) " + " time_factor() " - AT(" (form ? "0, 0, " : "0, ") u ") + REAL(" number(0, 0.2) ") * LAPLACE(" u ");\n"
                head = head "#define ODE_GRID " form + 1 "\n#define ODE_COMPONENTS 2\n#define ODE_BOUNDARY ODE_" pick("FIXED CLAMP MIRROR PERIODIC") "\n"
                head = head (form ? "#define ODE_NX 37\n#define ODE_NY points\n" : "#define ODE_NX points\n")
            }
            head = head "#define ODE_PARAMETERS(REAL, INTEGER) INTEGER(points, " (form == 1 ? 11 + below(12) : 150 + below(100)) ", 2, 1e6, \"\", \"\") REAL(k, 1.25, 0, 2, \"\", \"\")\n"
            head = head "#include <eulercl/ode_problem.h>\n\n"
            place = (form == 2 ? "i * 7919" : "ix * 7919 + iy * 104729")
            file = "case" c ".c"
            printf "%s", head (form == 2 ? "ODE_EVAL_COMP(\n" : "ODE_POINT_RHS(\n") body end ")\n\n" >file
            if (form == 2) print "ODE_INITIAL( Y0(0) = (double)((" place ") % 2001 - 1000) / 1000; )" >file
            else print "ODE_INITIAL(\n    Y0(0) = (double)((" place ") % 2001 - 1000) / 1000;\n    Y0(1) = (double)((" place ") % 101 - 50) / 51;\n)" >file
            close(file)
        }
    }'
}
# hash_of FILE ARGUMENTS...: the hash of the final state, or nothing
hash_of() { "$eulercl" solve "$@" --h 0.5 --steps 12 2>err </dev/null | sed -n 's/^hash *//p'; }

draw "$number" "$seed" || exit 99
tiled=$(echo "$backends" | grep '^cl-' | grep -vx cl-linear)
case=0
while [ $case -lt "$number" ]; do
    file=case$case.c
    # The code for all instruction sets in every sixth case.
    case $((case % 6)) in 5) CC=$all_kernels ;; *) CC=$scratch/cc ;; esac
    # All by turns, because programs take seconds to compile: the precision, and kernels with and without tiles.
    [ $(((case + case / 2 + case / 8) % 2)) -eq 0 ] && precision=float || precision=double
    [ $((case % 2)) -eq 0 ] && device=cl-linear || device=$(echo "$tiled" | sed -n "$((case / 2 % $(echo "$tiled" | wc -l) + 1))p")
    [ "$opencl" = yes ] || device=
    wanted=$(hash_of $file --precision $precision --backend seq)
    [ -n "$wanted" ] || fail "seq, $precision, seed $seed, case $case: $(cat err $file)"
    for backend in cpu pthreads $device; do
        found=$(hash_of $file --precision $precision --backend "$backend")
        if [ "$found" = "$wanted" ]; then pass
        else fail "$backend, $precision, seed $seed, case $case: hash '$found', of seq '$wanted': $(cat err $file)"; fi
    done
    case=$((case + 1))
done
[ "$number" -lt 3 ] || for name in exp exp2 expm1 log log2 log1p sin cos tan tanh sinh cosh asin acos atan atan2 pow cbrt hypot erf fmin fmax; do
    grep -q "[^a-z0-9]$name(" case*.c || fail "no case calls $name"
done

if [ "$opencl" = yes ]; then
    has_factor() { for file in case*.c; do "$eulercl" solve $file --backend cl-linear --print-kernel | grep -q 'ode_now\.ode_factor\[0\]' && return; done; return 1; }
    check "no call is a time factor" has_factor
fi

# What is said about bits: a file that calls the library's functions, one that calls another, and the OpenCL compiler's functions.
CC=$scratch/cc
line() {
    printf '#define ODE_NAME line\n#define ODE_TITLE "a call"\n#define ODE_GRID 1\n#define ODE_COMPONENTS 1\n#define ODE_BOUNDARY ODE_PERIODIC\n#define ODE_NX 64\n'
    printf '#include <eulercl/ode_problem.h>\nODE_POINT_RHS( DOT(0) = %s - AT(0, 0); )\nODE_INITIAL( Y0(0) = (double)ix / 64; )\n' "$1"
}
line 'tanh(AT(1, 0)) + pow(fabs(AT(-1, 0)), REAL(1.5))' >known.c
line '(ode_real)lgamma(2 + (double)AT(0, 0))' >unknown.c
expect 0 '^same bits  *everywhere' info known.c
expect 0 '^same bits  *not guaranteed' info unknown.c
expect 0 'bits differ between devices' solve unknown.c --steps 1 --backend seq
if [ "$json" = yes ]; then
    expect 0 '"bits_guaranteed": true' info --json known.c
    expect 0 '"bits_guaranteed": false' info --json unknown.c
    expect 0 '"bits_guaranteed": true' solve --json known.c --steps 1 --backend cpu
    expect 0 '"bits_guaranteed": false' solve --json unknown.c --steps 1 --backend cpu
fi
if [ "$opencl" = yes ]; then
    expect 0 'bits differ between devices' solve known.c --steps 1 --backend cl-linear --vendor-functions
    if [ "$json" = yes ]; then
        expect 0 '"bits_guaranteed": true' solve --json known.c --steps 1 --backend cl-linear
        expect 0 '"bits_guaranteed": false' solve --json known.c --steps 1 --backend cl-linear --vendor-functions
    fi
fi

# Texts in which the value of a call stands in place of lines of a macro, and beside names of the author's.
if [ "$opencl" = yes ]; then
    for case in '#define factor REAL(0.5)' '#define DRIVE(a) sin(3 * /* two\nlines */ t) * (a)' '#define DRIVE(a) sin(3 *\\\r\n t) * (a)\r' '// why??/\n#define DRIVE(a) sin(3 * t) * (a)'; do
        { line "$(case $case in *DRIVE*) echo 'DRIVE(2)' ;; *) echo 'factor * sin(3 * t)' ;; esac)" && printf "$case\n"; } |
            awk '/^ODE_POINT/ { kept = $0; next } /^ODE_INITIAL/ { last = $0; next } { print } END { print kept; print last }' >lines.c
        wanted=$(hash_of lines.c --backend seq)
        found=$(hash_of lines.c --backend cl-linear)
        if [ -n "$wanted" ] && [ "$found" = "$wanted" ]; then pass; else fail "$case: hash '$found', not '$wanted': $(cat err lines.c)"; fi
    done
fi

# Arguments that are rare in some SIMD lanes, and not in others.
cat >rare.c <<'END'
#define ODE_NAME rare
#define ODE_TITLE "rare arguments"
#define ODE_PARAMETERS(REAL, INTEGER) INTEGER(m, 70, 3, 1000, "", "points in each direction")
#define ODE_GRID 2
#define ODE_COMPONENTS 1
#define ODE_BOUNDARY ODE_PERIODIC
#define ODE_NX m
#define ODE_NY m
#include <eulercl/ode_problem.h>
ODE_POINT_RHS( DOT(0) = sin(REAL(3e16) * AT(0, 0, 0)) + tan(REAL(2e16) * AT(1, 0, 0)) / 64; )
ODE_INITIAL( Y0(0) = (double)((ix * 7 + iy) % 13) / 64 - 0.05; )
END
for precision in float double; do
    wanted=$("$eulercl" solve rare.c --h 1e-3 --steps 4 --precision $precision --backend seq | grep '^hash')
    found=$("$eulercl" solve rare.c --h 1e-3 --steps 4 --precision $precision --backend cpu --variant lanes | grep '^hash')
    if [ -n "$wanted" ] && [ "$found" = "$wanted" ]; then pass; else fail "rare arguments in lanes, $precision: $found, not $wanted"; fi
done
finish
