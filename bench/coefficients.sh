#!/bin/sh
# Component-steps per second of a plate with sides, obstacles and fields (plate.c), the variants by turns, best of REPEATS; and each beside the plain one.
#
# SPDX-License-Identifier: BSD-2-Clause
# Usage: [EULERCL=...] [M=2000] [STEPS=2000] [REPEATS=5] [PRECISION=float] coefficients.sh [options of eulercl solve, such as --backend cl-register --device 0:0]
eulercl=${EULERCL:-eulercl} m=${M:-2000} steps=${STEPS:-2000} repeats=${REPEATS:-5} precision=${PRECISION:-float}
here=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
number=0
variants='FIXED SIDES FLOWS CONSTANT_D FIELD_D HARMONIC_D'
for variant in $variants; do
    { printf '#define VARIANT %s\n#define VARIANT_NAME "%s"\n' $number $variant; cat "$here/plate.c"; } >$variant.c
    number=$((number + 1))
done
for turn in $(seq "$repeats"); do
    for variant in $variants; do
        "$eulercl" solve $variant.c -p m="$m" --h 0.1 --steps "$steps" --precision "$precision" --no-move "$@" |
            sed -n "s/^rate *\([0-9.]*\) Gcs.*/$variant \1/p; s/^backend/# $variant&/p"
    done
done | tee all | grep '^#' | sort -u
grep -v '^#' all | awk '
    { if ($2 > best[$1]) best[$1] = $2 }
    END {
        n = split("FIXED SIDES FLOWS CONSTANT_D FIELD_D HARMONIC_D", name, " ")
        for (i = 1; i <= n; i++) printf "%-12s %8.2f Gcs/s   %.3f of FIXED   %.3f of CONSTANT_D\n", name[i], best[name[i]], best[name[i]] / best["FIXED"], best[name[i]] / best["CONSTANT_D"]
    }'
