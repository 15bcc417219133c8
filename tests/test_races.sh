#!/bin/sh
# The real kernels under oclgrind, which sees every access: no data race, no access out of bounds, no barrier that only some items reach;
# and the same hash as seq. Small sizes, since it is slow: ends, tails that are no multiple of four, one point, more items than work.
here=$(cd "$(dirname "$0")" && pwd)
eulercl=${EULERCL:-$PWD/cli/eulercl}
problems=$here/problems
command -v oclgrind >/dev/null || { echo "oclgrind is not installed"; exit 77; }
[ -x "$eulercl" ] || { echo "no command at $eulercl"; exit 77; }
scratch=$(mktemp -d "${TMPDIR:-/tmp}/test_races.XXXXXX") || exit 99
trap 'rm -rf "$scratch"' EXIT
# A program with the address sanitizer in it does not start under oclgrind.
oclgrind "$eulercl" devices >"$scratch/devices" 2>&1
grep -q Oclgrind "$scratch/devices" || { echo "oclgrind does not run here: $(head -n 1 "$scratch/devices")"; exit 77; }

passed=0
failed=0
# check VARIANT PRECISION PROBLEM ARGUMENTS...
check() {
    variant=$1 precision=$2
    shift 2
    oclgrind --data-races --uniform-writes --log "$scratch/report" "$eulercl" solve "$@" --steps 3 --h 1e-3 --precision "$precision" \
        --backend cl-linear --variant "$variant" --workgroup-size 8 --device Oclgrind >"$scratch/out" 2>"$scratch/err"
    code=$?
    hash=$(grep '^hash' "$scratch/out")
    reference=$("$eulercl" solve "$@" --steps 3 --h 1e-3 --precision "$precision" --backend seq | grep '^hash')
    if [ $code -ne 0 ] || [ -s "$scratch/report" ] || [ -z "$hash" ] || [ "$hash" != "$reference" ]; then
        echo "FAIL: $* $variant $precision: exit $code, '$hash' and '$reference'"
        head -n 20 "$scratch/report" "$scratch/err"
        failed=$((failed + 1))
    else
        passed=$((passed + 1))
    fi
    : >"$scratch/report"
}

for variant in vector strided chunked; do
    for points in 1 10 11; do check "$variant" float string -p points=$points; done
    for m in 2 5; do check "$variant" float bruss2d -p m=$m; done
    check "$variant" double bruss2d -p m=6 --workgroups 2
    check "$variant" float "$problems/diagonal.c" -p columns=5     # three components, periodic
done
check vector float "$problems/mirror2.c"
check vector double "$problems/heat_fields.c" -p columns=5
check vector float "$problems/string_thesis4.c" --size 22
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
