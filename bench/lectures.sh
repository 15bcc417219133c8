#!/bin/sh
# bench/lectures.sh - the programs of examples/lectures/ one after the other: the variants of each algorithm side by side, the best of five. The status is 1 if a
# result is wrong.
#
# SPDX-License-Identifier: BSD-2-Clause
# Usage: [CC=cc] [VALUES=16777216] [ROWS=1024] [BODIES=16384] lectures.sh
# VALUES is for histogram, reduction and scan.
here=$(cd "$(dirname "$0")/../examples/lectures" && pwd)
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
cp "$here"/* "$folder" && cd "$folder" && make CC="${CC:-cc}" >log 2>&1 || { cat log; exit 1; }
failed=0
for program in histogram reduction scan product nbody; do
    case $program in
    product) size=${ROWS:-1024} ;;
    nbody) size=${BODIES:-16384} ;;
    *) size=${VALUES:-16777216} ;;
    esac
    ./$program "$size" || failed=1
    echo
done
exit $failed
