#!/bin/sh
# Rules of sides (ODE_SIDES): their order in space, in nodes and cells, against solutions of heat equations; what contradicts itself is refused with a message; and random
# problems whose sides have rules of their own, by component, with t and places, and half of which have fields, obstacles, or points that keep their values: the final state of each backend has the bits of seq, also in windows and after a
# checkpoint. A failure prints the problem's file and the seed.
#
# SPDX-License-Identifier: BSD-2-Clause
. "$(dirname "$0")/../cli.sh"
"$eulercl" solve string --size 20 --steps 0 | grep -q '^hash' || { echo "skipped: built without xxHash"; exit 77; }
seed=${EULERCL_TEST_SEED:-2012}
number=$(cases 6 96)

# --- order 2 in space: u = (1 + t) S(x, y, z) is linear in t, so that Euler's steps add no error of their own
# heat RULE CENTRED GRID RADIUS: the file heat.c. The walls are at 0 and 1; `intervals` are between them.
heat() {
    rule=$1 centred=$2 grid=$3 radius=$4
    case $rule in
    mirror) S='cos(pi * (x)) * cos(pi * (y)) * cos(pi * (z))' Sx='0' Sy='0' Sz='0' decay="pi * pi * $grid" ;;
    *) angle='1 + 2 * (x) + REAL(1.5) * (y) + (z)'
       S="sin($angle)" Sx="2 * cos($angle)" Sy="REAL(1.5) * cos($angle)" Sz="cos($angle)" decay="REAL($(echo '4 6.25 7.25' | cut -d' ' -f "$grid"))" ;;
    esac
    place='(ode_real)i * h' points='intervals + 1'
    [ $rule != value ] || { place='(ode_real)(i + 1) * h' points='intervals - 1'; }
    [ $centred = ODE_NODES ] || { place='((ode_real)i + REAL(0.5)) * h' points=intervals; }
    # A side: its wall's place, the normal's sign, the derivative of S.
    side() {
        at=$1 sign=$2 slope=$3
        case $rule in
        value) echo "ODE_VALUE((1 + t) * S($at))" ;;
        gradient) echo "ODE_GRADIENT($sign (1 + t) * $slope($at))" ;;
        robin) echo "ODE_ROBIN(2, 3, (1 + t) * (2 * S($at) $sign 3 * $slope($at)))" ;;
        mirror) echo ODE_MIRROR_SIDE ;;
        ghost) [ $centred = ODE_NODES ] && echo "ODE_GHOST(IN($far) + 2 * $far * h * ($sign (1 + t) * $slope($at)))" ||
            echo "ODE_GHOST(IN($far - 1) + (2 * $far - 1) * h * ($sign (1 + t) * $slope($at)))" ;;
        esac
    }
    [ "$radius" = 1 ] && far=1 || far=d
    x='PLACE(ix)'
    [ "$grid" -gt 1 ] && y='PLACE(iy)' || y=0
    [ "$grid" -gt 2 ] && z='PLACE(iz)' || z=0
    {
        printf '#define ODE_NAME heat\n#define ODE_TITLE "heat"\n#define ODE_GRID %s\n#define ODE_COMPONENTS 1\n#define ODE_RADIUS %s\n#define ODE_CENTRED %s\n' "$grid" "$radius" "$centred"
        printf '#define ODE_SPACING h\n#define PLACE(i) (%s)\n#define pi REAL(3.14159265358979323846)\n' "$place"
        printf '#define S(x, y, z) (%s)\n#define SX(x, y, z) (%s)\n#define SY(x, y, z) (%s)\n#define SZ(x, y, z) (%s)\n' "$S" "$Sx" "$Sy" "$Sz"
        printf '#define ODE_SIDES(SIDE) SIDE(X_LOW, %s) SIDE(X_HIGH, %s)' "$(side "0, $y, $z" - SX)" "$(side "1, $y, $z" + SX)"
        [ "$grid" = 1 ] || printf ' SIDE(Y_HIGH, %s) SIDE(Y_LOW, %s)' "$(side "$x, 1, $z" + SY)" "$(side "$x, 0, $z" - SY)"
        [ "$grid" -lt 3 ] || printf ' SIDE(Z_LOW, %s) SIDE(Z_HIGH, %s)' "$(side "$x, $y, 0" - SZ)" "$(side "$x, $y, 1" + SZ)"
        printf '\n#define ODE_NX %s\n' "$points"
        [ "$grid" = 1 ] || printf '#define ODE_NY %s\n' "$points"
        [ "$grid" -lt 3 ] || printf '#define ODE_NZ %s\n' "$points"
        printf '#define ODE_PARAMETERS(REAL, INTEGER) INTEGER(intervals, 16, 4, 1e6, "", "")\n#define ODE_DERIVED(CONSTANT) CONSTANT(h, 1 / intervals)\n#define ODE_HAS_EXACT 1\n'
        printf '#include <eulercl/ode_problem.h>\n'
        laplace='LAPLACE(0)'
        [ "$radius" = 1 ] || laplace='(16 * LAPLACE(0) - fma(-2, AT(0, 0), AT(-2, 0) + AT(2, 0))) / 12'
        printf 'ODE_POINT_RHS( const ode_real s = S(%s); DOT(0) = %s / (10 * h * h) + s * (1 + (1 + t) * %s / 10); )\n' "$x, $y, $z" "$laplace" "$decay"
        printf 'ODE_INITIAL( Y0(0) = S(%s); )\nODE_EXACT( Y0(0) = (1 + t) * S(%s); )\n' "$x, $y, $z" "$x, $y, $z"
    } >heat.c
}
# error_at INTERVALS: the greatest error at t = 1/2
error_at() {
    "$eulercl" compare heat.c -p intervals="$1" --steps $(($1 * $1)) --h "$(awk "BEGIN { print 0.5 / ($1 * $1) }")" --backends seq --csv error.csv >out 2>err || cat err
    awk -F, '/^point,/ { for (i = 1; i <= NF; i++) if ($i == "error") column = i } column && !/^point,|^#/ { print $column }' error.csv
    rm -f error.csv
}
for rule in value gradient robin mirror ghost; do
    for centred in ODE_NODES ODE_CELLS; do
        for form in '1 2' '2 1' '3 1'; do
            # shellcheck disable=SC2086
            heat $rule $centred $form
            [ "$form" = '3 1' ] && intervals=12 || intervals=32
            coarse=$(error_at $intervals) fine=$(error_at $((2 * intervals)))
            # A mirror makes no error: with radius 2 the difference's own, of order 4, remains.
            [ "$rule $form" = 'mirror 1 2' ] && order=4 || order=2
            if awk "BEGIN { order = log(($coarse) / ($fine)) / log(2); exit !(order > $order - 0.2 && order < $order + 0.2) }"; then pass
            else fail "$rule, $centred, dimensions and radius $form: errors $coarse, $fine are not of order $order: $(cat heat.c)"; fi
        done
    done
done

# --- refusals
# refused MESSAGE LINE...: a file with these settings
refused() {
    message=$1 dimensions=$2
    shift 2
    {
        printf '#define ODE_NAME wrong\n#define ODE_TITLE "wrong"\n#define ODE_GRID %s\n#define ODE_COMPONENTS 1\n#define ODE_NX 20\n#define ODE_NY 20\n' "$dimensions"
        printf '%s\n' "$@"
        printf '#include <eulercl/ode_problem.h>\nODE_POINT_RHS( DOT(0) = LAPLACE(0); )\nODE_INITIAL( Y0(0) = 1; )\n'
    } >wrong.c
    expect 8 "$message" solve wrong.c --steps 1 --backend seq
}
x='SIDE(X_LOW, ODE_VALUE(1)) SIDE(X_HIGH, ODE_VALUE(1))'
refused 'define ODE_BOUNDARY: not every side' 1 '#define ODE_SIDES(SIDE) SIDE(X_LOW, ODE_VALUE(1))'
refused 'define ODE_BOUNDARY: not every side' 2 "#define ODE_SIDES(SIDE) $x"
refused 'define ODE_BOUNDARY: not every side' 1 ''
refused 'an axis is periodic as a whole' 1 '#define ODE_PERIODIC_X 1' "#define ODE_SIDES(SIDE) $x"
refused 'an axis is periodic as a whole' 1 '#define ODE_BOUNDARY ODE_PERIODIC' '#define ODE_SIDES(SIDE) SIDE(X_LOW, ODE_VALUE(1))'
refused 'gives two rules to one side' 1 "#define ODE_SIDES(SIDE) $x SIDE(X_LOW, ODE_VALUE(2))"
refused 'a side of an axis that the grid does not have' 1 "#define ODE_SIDES(SIDE) $x SIDE(Y_LOW, ODE_VALUE(2))"
refused 'a side of an axis that the grid does not have' 2 "#define ODE_SIDES(SIDE) $x SIDE(Y_LOW, ODE_VALUE(2)) SIDE(Y_HIGH, ODE_VALUE(2)) SIDE(Z_LOW, ODE_VALUE(2))"
refused 'needs ODE_NZ' 3 "#define ODE_SIDES(SIDE) $x" '#define ODE_BOUNDARY ODE_CLAMP'
refused 'ODE_NZ is for grids of three' 2 '#define ODE_NZ 5' '#define ODE_BOUNDARY ODE_CLAMP'
refused 'define ODE_BOUNDARY: not every side' 3 '#define ODE_NZ 5' "#define ODE_SIDES(SIDE) $x SIDE(Y_LOW, ODE_VALUE(2)) SIDE(Y_HIGH, ODE_VALUE(2)) SIDE(Z_LOW, ODE_VALUE(2))"
refused 'an axis that the grid does not have' 1 '#define ODE_PERIODIC_Y 1' "#define ODE_SIDES(SIDE) $x"
refused 'a name that is no side' 1 "#define ODE_SIDES(SIDE) $x SIDE(LEFT, ODE_VALUE(2))"
refused 'ODE_CENTRED is ODE_NODES or ODE_CELLS' 1 '#define ODE_CENTRED ODE_FACES' "#define ODE_SIDES(SIDE) $x"
refused 'ODE_SPACING is one distance' 1 '#define ODE_SPACING 1, 2' "#define ODE_SIDES(SIDE) $x"
refused 'ODE_BOUNDARY ODE_ROBIN is for nodes' 1 '#define ODE_BOUNDARY ODE_ROBIN' '#define ODE_CENTRED ODE_CELLS'
refused 'beyond ODE_RADIUS' 1 '#define ODE_SIDES(SIDE) SIDE(X_LOW, ODE_VALUE(1)) SIDE(X_HIGH, ODE_GHOST(IN(2)))'
refused 'A_SIDE_NEEDS_A_RULE_SUCH_AS_ODE_VALUE' 1 '#define ODE_SIDES(SIDE) SIDE(X_LOW, ODE_MIRROR) SIDE(X_HIGH, ODE_VALUE(1))'
for sum in '-ODE_VALUE(1)' '2 * ODE_VALUE(1)' 'ODE_VALUE(1) + 1' 'ODE_CLAMP_SIDE - t'; do
    refused 'did not compile' 1 "#define ODE_SIDES(SIDE) SIDE(X_LOW, $sum) SIDE(X_HIGH, ODE_VALUE(1))"
done
refused 'name .c. .* is taken' 1 '#define ODE_PARAMETERS(REAL, INTEGER) REAL(c, 1, 0, 2, "", "")' "#define ODE_SIDES(SIDE) $x"
printf '#define ODE_NAME wrong\n#define ODE_TITLE "wrong"\n#define ODE_SIZE 9\n#define ODE_ACCESS_DISTANCE 1\n#define ODE_SIDES(SIDE) %s\n#include <eulercl/ode_problem.h>\nODE_EVAL_COMP( return 0; )\nODE_INITIAL( Y0(0) = 1; )\n' "$x" >wrong.c
expect 8 'belong to the stencil form' solve wrong.c --steps 1 --backend seq

# --- random sides: the files case0.c, case1.c ...
draw() {
    awk -v count="$1" -v seed="$2" '
    function below(n) { state = (state * 69069 + 12345) % 4294967296; return int(state / 4294967296 * n) }      # exact in double
    function pick(list,  words, n) { n = split(list, words, " "); return words[1 + below(n)] }
    function number(least, most,  x) { x = least + (most - least) * below(1001) / 1000; return x < 0 ? sprintf("(-REAL(%.3f))", -x) : sprintf("REAL(%.3f)", x) }
    # A datum of the side; `along` is a place of it.
    function datum(along,  kind) {
        kind = below(fields ? 7 : 6)
        if (kind == 6) return "SIDE_FIELD(q)"
        if (kind == 0) return number(-1, 1)
        if (kind == 1) return number(-1, 1) " * t"
        if (kind == 2) return "(ode_real)(" along " % 5) / 8"
        if (kind == 3) return "k * sin(t + (ode_real)" along ")"
        if (kind == 4) return "(c == 0 ? " number(-1, 1) " : t)"
        return "k - (ode_real)(" pick(grid == 1 ? "nx" : grid == 2 ? "nx ny" : "nx ny nz") " % 7) / 8"
    }
    function own(along,  kind) {
        kind = below(8)
        if (kind == 7) return "ODE_GHOST_OF(" datum(along) ", c == 0 ? 2 * ODE_G - IN(0) : IN(" radius ") / 2 - ODE_G / 4)"
        if (kind == 0) return "ODE_VALUE(" datum(along) ")"
        if (kind == 1) return "ODE_GRADIENT(" datum(along) ")"
        if (kind == 2) return "ODE_ROBIN(" number(0, 1) ", 1 + c, " datum(along) ")"
        if (kind == 3) return "ODE_MIRROR_SIDE"
        if (kind == 4) return "ODE_CLAMP_SIDE"
        if (kind == 5) return "ODE_GHOST(c == 0 ? " datum(along) " - IN(0) / 2 : IN(" below(radius + 1) "))"
        return "ODE_GHOST(IN(" radius ") / 4 + " datum(along) (radius > 1 ? " * d" : "") ")"
    }
    function axis(name, along,  kind) {
        kind = below(5)
        if (kind == 0) { head = head "#define ODE_PERIODIC_" name " 1\n"; return "" }
        if (kind == 1) { need = 1; return "SIDE(" name "_HIGH, " own(along) ") " }
        return "SIDE(" name "_LOW, " own(along) ") SIDE(" name "_HIGH, " own(along) ") "
    }
    # The offsets of a word, for the axes that there are.
    function by(x, y, z) { return x (grid > 1 ? ", " y : "") (grid > 2 ? ", " z : "") }
    BEGIN {
        state = seed
        for (c = 0; c < count; c++) {
            grid = c % 4 == 0 ? 1 : c % 4 == 2 ? 3 : 2; radius = 1 + below(2); components = 1 + below(2); need = 0; spacing = number(0.2, 1); fields = below(2)
            head = "/* drawn from the seed " seed " */\n#define ODE_NAME drawn\n#define ODE_TITLE \"random sides\"\n#define ODE_GRID " grid "\n#define ODE_COMPONENTS " components "\n#define ODE_RADIUS " radius "\n"
            cells = below(2)
            if (cells) head = head "#define ODE_CENTRED ODE_CELLS\n"
            head = head "#define ODE_SPACING " spacing (grid > 1 && below(2) ? ", k" (grid > 2 ? ", k / 2" : "") : "") "\n"
            sides = axis("X", grid == 1 ? "ix" : grid == 2 ? "iy" : "(iy + 3 * iz)")
            if (grid > 1) sides = sides axis("Y", grid == 2 ? "ix" : "(ix + 2 * iz)")
            if (grid > 2) sides = sides axis("Z", "(ix + 4 * iy)")
            if (sides != "") head = head "#define ODE_SIDES(SIDE) " sides "\n"
            if (need) head = head "#define ODE_BOUNDARY ODE_" pick("FIXED CLAMP MIRROR" (cells ? "" : " ROBIN")) "\n#define ODE_OUTSIDE(c) t\n#define ODE_ROBIN_A(c) k\n"
            if (fields) head = head "#define ODE_FIELDS(FIELD) FIELD(p) FIELD(q)\n"
            if (below(2)) head = head "#define ODE_OBSTACLE " (fields ? "FIELD(p) > 0.8" : "(3 * ix + 5 * iy + 2 * iz) % 11 == 4") "\n"
            if (below(2)) head = head "#define ODE_STILL ix == 7" (fields && below(2) ? " || FIELD(q) < 0.1" : "") "\n"
            head = head "#define ODE_NX columns\n" (grid > 1 ? "#define ODE_NY rows\n" : "") (grid > 2 ? "#define ODE_NZ " 16 + below(5) "\n" : "")
            head = head "#define ODE_PARAMETERS(REAL, INTEGER) INTEGER(columns, " (grid == 1 ? 150 + below(100) : (grid == 2 ? 6 + below(40) : 12 + below(24))) ", 3, 1e6, \"\", \"\") " (grid > 1 ? "INTEGER(rows, " (grid == 2 ? 9 + below(40) : 12 + below(6)) ", 3, 1e6, \"\", \"\") " : "") "REAL(k, 0.75, 0, 2, \"\", \"\")\n"
            body = ""
            for (u = 0; u < components; u++) {
                other = below(components)
                body = body "    DOT(" u ") = " number(0.05, 0.15) " * LAPLACE(" u ") - AT(" by(0, 0, 0) ", " u ") / 4"
                if (radius > 1) body = body " + (AT(" (grid == 2 ? by(0, -2) : by(-2, 0, 0)) ", " other ") - AT(" (grid == 3 ? by(0, 0, 2) : by(2, 0)) ", " u ")) / 32"
                if (below(2)) body = body " + FLOW(" other ") / 16"
                if (fields && below(2)) body = body " + DIV_GRAD(" pick("ARITHMETIC_MEAN HARMONIC_MEAN") ", P, " other ") / 16 - FIELD_AT(" (grid == 1 ? radius : by(1, radius, -1)) ", q) / 32"
                if (fields && grid > 1 && !below(3)) body = body " + DIV_" (grid == 2 ? "XY" : pick("XY XZ YZ")) "(ARITHMETIC_MEAN, P, " u ") / 64"
                if (grid > 1 && below(2)) body = body " + (AT(" by(1, 1, -1) ", " other ") - AT(" by(-1, 1, 0) ", " u ") - AT(" by(1, -1, 1) ", " u ") + AT(" by(-1, -1, 1) ", " other ")) / 64"
                body = body ";\n"
            }
            file = "case" c ".c"
            offsets = by("dx", "dy", "dz")
            if (fields) body = body ")\nODE_FIELD_VALUES(\n    FIELD(p) = (double)((3 * ix + 7 * iy + 5 * iz) % 12) / 12;\n    FIELD(q) = (double)((ix + 2 * iy + 4 * iz) % 9) / 9;\n"
            printf "%s", head "#include <eulercl/ode_problem.h>\n" (fields ? "#define P(" offsets ") FIELD_AT(" offsets ", p)\n" : "") "ODE_POINT_RHS(\n" body ")\nODE_INITIAL(\n" >file
            for (u = 0; u < components; u++) print "    Y0(" u ") = (double)((ix * 7919 + iy * 104729 + iz * 1299709 + " u ") % 101 - 50) / 51;" >file
            print ")" >file
            close(file)
        }
    }'
}
# hash_of FILE ARGUMENTS...: the hash of the final state, or nothing
hash_of() { "$eulercl" solve "$@" --h 0.5 2>err </dev/null | sed -n 's/^hash *//p'; }
# bits WHAT ARGUMENTS...: the run has the bits of seq
bits() {
    what=$1
    shift
    found=$(hash_of $file --precision $precision --method $method "$@")
    if [ "$found" = "$wanted" ]; then pass; else fail "$what, $precision, $method, seed $seed, case $case: hash '$found', of seq '$wanted': $(cat err $file)"; fi
}

draw "$number" "$seed" || exit 99
case=0
while [ $case -lt "$number" ]; do
    file=case$case.c
    case $((case % 4)) in 3) CC=$all_kernels ;; *) CC=$scratch/cc ;; esac
    # A stage after the first one sees sums of boundary values.
    [ $(((case / 2 + case / 6) % 2)) -eq 0 ] && method=euler || method=heun
    # By turns, because programs take seconds to compile: the precision, and OpenCL's backends and variants.
    [ $(((case + case / 2 + case / 8) % 2)) -eq 0 ] && precision=float || precision=double
    wanted=$(hash_of $file --precision $precision --method $method --steps 12 --backend seq)
    [ -n "$wanted" ] || fail "seq, $precision, $method, seed $seed, case $case: $(cat err $file)"
    bits cpu --steps 12 --backend cpu
    bits pthreads --steps 12 --backend pthreads --threads 3
    if [ "$opencl" = yes ]; then
        bits cl-linear --steps 12 --backend cl-linear
        set -- cl-register cl-row-diamond cl-register cl-honeycomb cl-register cl-column-diamond
        shift $((case % 6))
        variants='auto'
        if grep -q 'ODE_GRID 3' $file; then variants=stream; fi
        if grep -q 'ODE_GRID 2' $file; then variants=$(echo 'stream pipeline group-local' | cut -d' ' -f$((case % 3 + 1))); fi
        case $1 in
        cl-register)
            # Items hold too few points of a volume for diagonals at radius 2: such tiles are refused.
            grep -q 'ODE_GRID 3' $file && grep -q 'ODE_RADIUS 2' $file ||
                bits "cl-register, $variants" --steps 12 --backend cl-register --variant $variants ;;
        *) bits "$1" --steps 12 --backend "$1" ;;
        esac
        bits 'two windows' --steps 12 --backend cl-linear --devices 0:0,0:0 --halo-steps 2
    fi
    if [ "$hdf5" = yes ]; then
        quiet $file --precision $precision --method $method --h 0.5 --steps 5 --backend cpu --checkpoint half.h5
        bits 'after a checkpoint' --resume half.h5 --steps 7 --backend pthreads --threads 2
    fi
    case=$((case + 1))
done
[ "$number" -lt 8 ] || for word in Z_LOW SIDE_FIELD FIELD_AT ODE_OBSTACLE ODE_STILL FLOW DIV_GRAD DIV_XY ODE_VALUE ODE_GRADIENT ODE_ROBIN ODE_MIRROR_SIDE ODE_CLAMP_SIDE ODE_GHOST ODE_GHOST_OF ODE_PERIODIC_ ODE_BOUNDARY ODE_CELLS; do
    grep -q "$word" case*.c || fail "no case has $word"
done

# --- what is said about sides
cat >four.c <<'C'
#define ODE_NAME four
#define ODE_TITLE "four sides"
#define ODE_GRID 2
#define ODE_COMPONENTS 1
#define ODE_BOUNDARY ODE_PERIODIC
#define ODE_SIDES(SIDE) SIDE(Y_LOW, ODE_VALUE(1)) SIDE(Y_HIGH, ODE_GHOST(IN(0) / 2))
#define ODE_NX 12
#define ODE_NY 10
#include <eulercl/ode_problem.h>
ODE_POINT_RHS( DOT(0) = LAPLACE(0); )
ODE_INITIAL( Y0(0) = 1; )
C
expect 0 'boundary: sides' info four.c
"$eulercl" info four.c | sed -n 's/^  \([XY]_[A-Z]*\) */\1 /p' | paste -sd, >sides
[ "$(cat sides)" = 'X_LOW periodic,X_HIGH periodic,Y_LOW value,Y_HIGH ghost' ] && pass || fail "info: $(cat sides)"
expect 0 '^same bits  *everywhere' info four.c
[ "$json" = no ] || expect 0 '"Y_HIGH": "ghost"' info --json four.c
sed 's/ODE_SIDES(SIDE) .*/ODE_SIDES(SIDE) SIDE(Y_LOW, ODE_VALUE(1)) SIDE(Y_HIGH, ODE_VALUE((ode_real)lgamma(2.0)))/' four.c >inexact.c
expect 0 '^same bits  *not guaranteed' info inexact.c
for grid in 1 2 3; do
    expect 0 written new sides$grid --sides --grid $grid
    expect 0 'checks passed' check sides$grid.c
    expect 0 'X_LOW  *value' info sides$grid.c
done
expect 2 'leave one of them out' new both --sides --boundary clamp
expect 2 'has no grid' new both --sides --general
finish
