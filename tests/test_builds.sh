#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# This build, by another compiler or for another processor, ends in the bits of the build whose command is EULERCL_REFERENCE: the problems of the tests whose bits are
# guaranteed, in float and double and with half of the CPU backends' variants by turns; with EULERCL_TEST_LEVEL=all with every one. Where EULERCL_TEST_HALF is 0 or 1,
# every second problem is left to the other half. A part of make check-long.
[ -n "${EULERCL_REFERENCE-}" ] || { echo "EULERCL_REFERENCE names no other build's command"; exit 77; }
. "${0%/*}/cli.sh"
tests=$sources/tests
CC=${EULERCL_TEST_COMPILER:-cc}
export CC
# The bits of that build's own code are compared elsewhere (test_bits), so it may compile quickly here.
reference() { CC=$scratch/cc "$EULERCL_REFERENCE" solve "$@"; }

half='seq cpu:lanes pthreads:barrier' other_half='cpu:tiles cpu:steps pthreads:lanes pthreads:tiles' turn=0 number=0 least=75
[ -z "${EULERCL_TEST_HALF-}" ] || [ "${EULERCL_TEST_LEVEL-}" = all ] || least=35
for name in $(sed -n 's/^PROBLEM(\(.*\))$/\1/p' "$sources/lib/problem/problems.def") $(sed -n 's/^TEST_PROBLEM(\(.*\), 1)$/\1/p' "$tests/problems/problems.def"); do
    number=$((number + 1))
    [ $least -eq 75 ] || [ $((number % 2)) -eq "$EULERCL_TEST_HALF" ] || continue
    file=$tests/problems/$name.c
    [ -f "$file" ] || file=$sources/problems/$name.c
    # Several tiles and full lanes.
    case $(sed -n 's/^#define ODE_GRID //p' "$file") in
    1) columns=501 rows=501 ;;
    3) columns=71 rows=9 ;;
    *) columns=71 rows=71 ;;
    esac
    integer='^ *\(.*PARAMETERS(.*\)* *INTEGER(\([a-z]*\), .*'
    words=$(sed -n "/INTEGER(rows,\|INTEGER(planes,/s/$integer/-p \2=$rows/p;t;s/$integer/-p \2=$columns/p" "$file")
    [ "${precision-}" = float ] && precisions=double || precisions=float
    [ "${EULERCL_TEST_LEVEL-}" != all ] || precisions='float double'
    for precision in $precisions; do
        # shellcheck disable=SC2086
        { reference "$file" $words --precision $precision --backend seq --steps 0 --out start.npy &&
            reference "$file" $words --precision $precision --backend seq --in start.npy --steps 40 --out expected.npy; } >out 2>&1 ||
            { fail "$name: $(cat out)"; break; }
        turn=$((turn + 1))
        if [ "${EULERCL_TEST_LEVEL-}" = all ]; then ways="$half $other_half"; elif [ $((turn % 4)) -lt 2 ]; then ways=$half; else ways=$other_half; fi
        for way in $ways; do
            case $way in *:*) variant="--variant ${way#*:}" ;; *) variant= ;; esac
            set -- "$file" $words --precision $precision --backend "${way%:*}" $variant --in start.npy --steps 40
            rm -f found.npy
            "$eulercl" solve "$@" --out found.npy >out 2>&1
            status=$?
            # Not every variant suits every problem, here as there.
            if [ $status -ne 0 ] && ! reference "$@" >/dev/null 2>&1; then continue; fi
            if [ $status -eq 0 ] && cmp -s expected.npy found.npy; then pass
            else fail "$name $precision $way: exit $status, $(cmp expected.npy found.npy 2>&1) $(tail -n 1 out)"
            fi
        done
    done
done
"$eulercl" check "$tests/problems/torus.c" >out 2>&1 && pass || fail "check: $(cat out)"
# All problems but those that few variants suit came to their end.
[ "$passed" -ge $least ] || fail "only $passed runs"
finish
