#!/bin/sh
# make check-gpu: all programs that `--tol` can reach on a GPU, and changes between them, in both precisions and at many sizes; then runs to a tolerance, whose
# method and stages change. A release runs it on a GPU. The sizes 2000 and 301 take minutes, most of them in NVIDIA's compiler.
#   EULERCL, EULERCL_PROGRAMS  the command and tests/programs, by default in the current folder. They need the shared libraries of the command and nothing else.
#   EULERCL_DEVICE             the device (default: the first GPU)
#   EULERCL_CHECK_JOBS         processes at a time (default: the number of processors)
#   EULERCL_CHECK_SIZES        of bruss2d (m)
#   EULERCL_TEST_SEED          the order of the programs (default: 2012)
# Each failure is a line; the last line says how many comparisons passed and failed.
programs=${EULERCL_PROGRAMS:-$PWD/programs}
EULERCL=${EULERCL:-$PWD/eulercl}
EULERCL_DEVICE=${EULERCL_DEVICE:-gpu}
export EULERCL EULERCL_DEVICE
jobs=${EULERCL_CHECK_JOBS:-$(getconf _NPROCESSORS_ONLN)}
sizes=${EULERCL_CHECK_SIZES:-3000 2000 1777 1000 500 301 211 100}
seed=${EULERCL_TEST_SEED:-2012}
scratch=$(mktemp -d "${TMPDIR:-/tmp}/check_gpu.XXXXXX") || exit 99
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 99
for file in "$EULERCL" "$programs"; do [ -x "$file" ] || { echo "no program at $file"; exit 99; }; done
"$EULERCL" solve string --size 100 --steps 1 --backend cl-register >device 2>&1 || { cat device; exit 77; }
sed -n 's/^device  *//p' device

# one NUMBER LIMIT COMMAND...: its lines in a file of its own. A process that does not end by itself has failed.
cat >one <<'END'
file=out.$1 limit=$2
shift 2
timeout "$limit" "$@" >"$file" 2>&1
code=$?
if [ "$code" -gt 1 ] || ! tail -n 1 "$file" | grep -q 'passed, .* failed$'; then
    echo "FAIL: exit $code: $*: $(tail -n 1 "$file")" >>"$file"
    echo "0 passed, 1 failed" >>"$file"
fi
grep '^FAIL' "$file"
exit 0
END
# tolerance PROBLEM-AND-OPTIONS: the hashes of cl-register and of another backend.
cat >tolerance <<'END'
other=$1
shift
for backend in cl-register "$other"; do
    "$EULERCL" solve "$@" --backend "$backend" >"run.$$" 2>&1
    code=$?
    if [ "$code" -ne 0 ]; then echo "FAIL: solve $* --backend $backend: exit $code: $(head -n 1 "run.$$")"; echo "0 passed, 1 failed"; exit 1; fi
    sed -n 's/^steps\|^hash//p' "run.$$" >"$backend.$$"
done
if cmp -s "cl-register.$$" "$other.$$"; then echo "1 passed, 0 failed"; else echo "FAIL: solve $*: cl-register and $other differ"; echo "0 passed, 1 failed"; exit 1; fi
END

# The longest first.
{
    for m in $sizes; do
        parts=3
        for precision in double float; do
            part=0
            while [ $part -lt $parts ]; do
                echo "600 $programs cl-register bruss2d $m $precision $seed $part $parts"
                part=$((part + 1))
            done
        done
    done
    for precision in double float; do
        echo "600 $programs cl-register string 1000002 $precision $seed 0 1"
        for backend in cl-linear cl-row-diamond cl-column-diamond cl-honeycomb; do
            echo "600 $programs $backend bruss2d 211 $precision $seed 0 1"
        done
        for m in $sizes; do
            for tol in 1e-2 1e-3 1e-5; do echo "600 sh tolerance cl-linear bruss2d -p m=$m --precision $precision --t-end 0.5 --tol $tol"; done
        done
        for tol in 1e-3 1e-5; do echo "600 sh tolerance cpu string --size 100000 --precision $precision --t-end 1e-3 --tol $tol"; done
    done
} >list
awk '{ print NR, $0 }' list | xargs -P "$jobs" -L 1 sh one
cat out.* | awk '/ passed, .* failed$/ { passed += $1; failed += $3 } END { print passed + 0 " passed, " failed + 0 " failed"; exit failed > 0 || !passed }'
