#!/bin/bash
# bench/waiting.sh - measure how long a user waits: the wall time of whole processes, with empty caches and later.
#
# Each row is a command as users write it, so the backend is `auto`. It runs once with all caches empty (those of
# the library, of PoCL and of NVIDIA's driver are in a scratch folder), and then REPEATS times with what the first
# run has left there. Files stay in the memory of the system, and Python keeps its compiled modules. Beside the row
# are the best backend that a user could have named instead, and the best peer: another program that solves the
# same problem to the same tolerance, or with the same steps.
#
# The last line counts the rows in which `auto` takes more than 1.3 times as long as the best named backend. States
# that differ between the backends of a row are an error. Progress and the parts of each time go to standard error.
#
# Environment: EULERCL, the command (default: cli/eulercl in the current folder, else the installed one); ROWS (all,
# see `rows` below); REPEATS (4); PEERS, of jax, diffrax and sundials (all); SUNDIALS, the folder of an
# installation other than the system's; LIMIT, the seconds that a run may take (300). A backend of the processor has
# nothing to compile but the file, so it may take twice as long as the first run of `auto` and is then given up. What
# the machine lacks (a GPU, a peer) is said in a line, and the script goes on.
#
# SPDX-License-Identifier: BSD-2-Clause
set -u
rows="m500 m2000 m2000-1e-4 m2000-1e-5 rk4 double m128 string euler file python gray-gpu swift-gpu"
EULERCL=${EULERCL:-$([ -x cli/eulercl ] && echo "$PWD/cli/eulercl" || echo eulercl)}
ROWS=${ROWS:-$rows} REPEATS=${REPEATS:-4} PEERS=${PEERS-jax diffrax sundials} LIMIT=${LIMIT:-300}
here=$(cd "$(dirname "$0")" && pwd)
sources=$(dirname "$here")
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
cp "$sources/examples/gray_scott.c" "$sources/examples/swift_hohenberg.c" . || exit 1
# ccache would keep what a cold run compiles.
export LC_ALL=C CCACHE_DISABLE=1
unset EULERCL_DEVICE EULERCL_WISDOM

cat >gray_scott.py <<'END_PYTHON'
import sys

import numpy as np

import eulercl


def square(inside, outside):
    return lambda x, y: np.where(np.maximum(abs(x - 255.5), abs(y - 255.5)) < 10, inside, outside)


pde = eulercl.PDE(
    {"u": "Du*laplace(u) - u*v**2 + F*(1 - u)", "v": "Dv*laplace(v) + u*v**2 - (F + k)*v"},
    grid=(512, 512), boundary="periodic", parameters=dict(F=0.037, k=0.06, Du=0.2, Dv=0.1),
    initial={"u": square(0.5, 1), "v": square(0.25, 0)})
backend = sys.argv[2] if len(sys.argv) > 2 else None
solution = eulercl.solve(pde, (0, 200), rtol=1e-4, flush_below=1e-12, backend=backend)
used = solution.statistics
print(f' "backend": "{used["backend"]}",\n "kernel": {used["kernel_seconds"]}')
END_PYTHON

has() { timeout 60 "$@" >/dev/null 2>&1; }
calc() { awk "BEGIN { printf \"%.3f\", ($*) }"; }
holds() { [ "$(awk "BEGIN { print ($*) }")" = 1 ]; }
least() { if [ -z "$1" ] || holds "$2 < $1"; then echo "$2"; else echo "$1"; fi; }
# number NAME: the last number of that name in the report.
number() { sed -n "s/^ *\"$1\": \([-+0-9.e]*\),*\$/\1/p" report | tail -n 1; }
word() { sed -n "s/^ *\"$1\": \"\(.*\)\",*\$/\1/p" report | tail -n 1; }
skip() { echo "$*" >>skipped; echo "$*" >&2; }
differ() { skip "$*: DIFFERENT states"; failed=1; }

# parts NAME: say what a run took time for.
parts() {
    echo "        $1: $wall s, $(word backend): compile $(number compile), set-up $(number setup), build $(number build)," \
        "kernel $(number kernel)" >&2
}

# timed SECONDS COMMAND...: set `wall`, to nothing if the command fails or takes longer.
timed() {
    local limit=$1 start
    shift
    start=$EPOCHREALTIME
    timeout "$limit" "$@" >report 2>errors
    code=$?
    wall=$(calc "$EPOCHREALTIME - $start")
    [ $code -eq 0 ] || wall=
}

# measure FOLDER SECONDS MOST COMMAND...: set `cold`, `second`, `later`, `kernel` and `backend` of the last run, and
# `hash`. FOLDER has the caches. A run that computes for longer than MOST seconds is made once.
measure() {
    local folder=$scratch/$1 limit=$2 most=$3 repeat
    shift 3
    cold='' second='' later='' kernel='' hash=''
    mkdir -p "$folder/cache" "$folder/pocl" "$folder/driver"
    export XDG_CACHE_HOME=$folder/cache POCL_CACHE_DIR=$folder/pocl CUDA_CACHE_PATH=$folder/driver
    timed "$limit" "$@"
    if [ -z "$wall" ]; then
        [ $code -ne 124 ] || echo "more than $limit s" >errors
        echo "    $*: $(tail -n 1 errors)" >&2
        return 1
    fi
    cold=$wall kernel=$(number kernel) hash=$(word state_hash) backend=$(word backend)
    echo "    $*" >&2
    parts cold
    for repeat in $(seq "$REPEATS"); do
        [ -n "$most" ] && holds "$kernel > $most" && break
        timed "$limit" "$@"
        [ -n "$wall" ] || return 1
        parts "$repeat"
        [ "$(word state_hash)" = "$hash" ] || differ "$*"
        if [ "$repeat" = 1 ]; then second=$wall; else later=$(least "$later" "$wall"); fi
        kernel=$(number kernel)
        [ "$(word backend)" = "${backend##* }" ] || backend="$backend, then $(word backend)"
    done
}

# row NAME TEXT PEER_ARGUMENTS BACKENDS COMMAND...: a line of the table, unless ROWS leaves it out. BACKENDS are what
# users could name; they are appended to the command. With BACKENDS of `-` the command itself names one. PEER_ARGUMENTS
# are those of the programs in peers/. A name with a tolerance at its end goes on with the caches of the row before.
row() {
    local name=$1 text=$2 peer=$3 backends=$4 best_cold='' best_warm='' cold_name='' warm_name='' peer_cold='' peer_warm='' peer_name=''
    local auto_cold auto_second auto_later auto_kernel auto_hash auto_backend auto_warm='' warm other limit
    shift 4
    case " $ROWS " in *" $name "*) ;; *) return ;; esac
    case $name in *-1e-*) ;; *) rm -rf "$scratch"/in-* ;; esac
    echo "$name" >&2
    if ! measure in-auto "$LIMIT" '' "$@"; then
        skip "$name: failed: $(tail -n 1 errors)"
        return
    fi
    auto_cold=$cold auto_second=$second auto_later=$later auto_kernel=$kernel auto_hash=$hash auto_backend=$backend
    auto_warm=$(least "$later" "$second")
    for other in $backends; do
        [ "$other" != - ] || break
        case $other in cl-*) limit=$LIMIT ;; *) limit=$(calc "2 * $auto_cold + 1") ;; esac
        # A backend that computes for longer than `auto` takes in all is not the best one.
        measure "in-$other" "$limit" "$auto_warm" "$@" --backend "$other" || continue
        [ "$hash" = "$auto_hash" ] || differ "$name: $other and auto"
        [ "$(least "$best_cold" "$cold")" = "$best_cold" ] || { best_cold=$cold cold_name=$other; }
        [ -n "$second" ] || continue
        warm=$(least "$later" "$second")
        [ "$(least "$best_warm" "$warm")" = "$best_warm" ] || { best_warm=$warm warm_name=$other; }
    done
    for other in $PEERS; do
        [ -e "has-$other" ] || continue
        case "$other $peer" in
        jax* | diffrax*rkl2*) set -- python3 "$here/peers/waiting_jax.py" "$other" $peer ;;
        sundials\ bruss2d*rkl2* | sundials\ gray_scott*) set -- ./sundials $peer ;;
        *) continue ;;
        esac
        measure in-peer "$LIMIT" "$peer_warm" $before_peer "$@" || continue
        [ -n "$second" ] || continue
        warm=$(least "$later" "$second")
        [ "$(least "$peer_warm" "$warm")" = "$peer_warm" ] ||
            { peer_cold=$cold peer_warm=$warm peer_name=$other peer_kernel=$(calc "$kernel"); }
    done
    [ -z "$best_cold" ] || ! holds "$auto_cold > 1.3 * $best_cold" || slower=$((slower + 1))
    [ -z "$best_warm" ] || ! holds "$auto_warm > 1.3 * $best_warm" || slower=$((slower + 1))
    echo "| $text | $auto_cold | $auto_second | ${auto_later:--} | $(calc "$auto_kernel") ($auto_backend) |" \
        "${best_cold:+$best_cold ($cold_name, $(calc "$auto_cold / $best_cold"))} | ${best_warm:+$best_warm ($warm_name, $(calc "$auto_warm / $best_warm"))} |" \
        "${peer_name:+$peer_cold / $peer_warm ($peer_name, $peer_kernel)} |"
}

# Read what will run from the disk, and find what the machine has.
failed=0 slower=0 before_peer=''
: >skipped
timeout 60 "$EULERCL" solve string --size 100 --steps 1 --backend seq --quiet || exit 1
gpu='' on_gpu=''
if XDG_CACHE_HOME=$scratch/first has "$EULERCL" solve string --size 100 --steps 1 --backend cl-linear --device gpu; then
    gpu=1 on_gpu="cl-linear cl-register"
else
    skip "no GPU: the backends cl-linear and cl-register, and the rows of a GPU, are left out"
fi
for peer in $PEERS; do
    case $peer in
    jax) has python3 -c "import jax; jax.numpy.zeros(3) + 1" ;;
    diffrax) has python3 -c "import diffrax" ;;
    sundials)
        # A user compiles his program, too, so that belongs to the first run.
        cat >sundials <<END_SUNDIALS
#!/bin/sh
program=\$XDG_CACHE_HOME/waiting_sundials
[ -x "\$program" ] || cc -O3 -march=native ${SUNDIALS:+-I$SUNDIALS/include -L$SUNDIALS/lib -Wl,-rpath,$SUNDIALS/lib} \
    $here/peers/waiting_sundials.c -o "\$program" -lsundials_arkode -lsundials_nvecserial ${SUNDIALS:+-lsundials_core} -lm || exit 1
exec "\$program" "\$@"
END_SUNDIALS
        chmod +x sundials
        XDG_CACHE_HOME=$scratch has ./sundials gray_scott 4 double 1 rkl2 1e-3
        ;;
    *) false ;;
    esac
    if [ $? -eq 0 ]; then touch "has-$peer"; else skip "no $peer: this peer is left out"; fi
done
"$EULERCL" --version | head -n 1
"$EULERCL" devices 2>/dev/null | sed -n 's/^/    /p' >&2

echo "| run | cold, s | second | best of later ones | of it in kernels (backend) | cold: best named (auto takes times) | later: best named | best peer, cold / later (in its solver) |"
echo "|---|---|---|---|---|---|---|---|"
solve="$EULERCL solve --json"
named="cpu pthreads $on_gpu"
bruss2d() { row "$1" "$2" "$3" "$named" $solve bruss2d -p "${@:4}"; }
bruss2d m500 "BRUSS2D m = 500, float, 1e-3" "bruss2d 500 float 1 rkl2 1e-3" m=500 --precision float --t-end 1 --tol 1e-3
after=
for tolerance in 1e-3 1e-4 1e-5; do
    name=m2000-$tolerance
    bruss2d "${name%-1e-3}" "BRUSS2D m = 2000, float, $tolerance$after" "bruss2d 2000 float 1 rkl2 $tolerance" \
        m=2000 --precision float --t-end 1 --tol $tolerance
    after=", after the row above"
done
bruss2d rk4 "BRUSS2D m = 2000, float, 5,000 steps of rk4" "bruss2d 2000 float 0.05 rk4 5000" \
    m=2000 --precision float --method rk4 --h 1e-5 --steps 5000
bruss2d double "BRUSS2D m = 2000, double, 1e-3" "bruss2d 2000 double 1 rkl2 1e-3" m=2000 --t-end 1 --tol 1e-3
bruss2d m128 "BRUSS2D m = 128, double, to t = 11.5, 1e-4" "bruss2d 128 double 11.5 rkl2 1e-4" m=128 --t-end 11.5 --tol 1e-4
row string "STRING, 1e6, float, 20,000 steps" "string 1000000 float 2 euler 20000" "$named" \
    $solve string --size 1000000 --precision float --steps 20000
bruss2d euler "BRUSS2D m = 2000, float, 5,000 Euler steps" "bruss2d 2000 float 0.05 euler 5000" \
    m=2000 --precision float --h 1e-5 --steps 5000

before_peer="taskset -c 0 env JAX_PLATFORMS=cpu"
row file "a new gray_scott.c, 512 x 512, double, 1e-4, one core" "gray_scott 512 double 200 rkl2 1e-4" "cpu $on_gpu" \
    taskset -c 0 $solve gray_scott.c -p m=512 --t-end 200 --tol 1e-4
if has python3 -c "import eulercl"; then
    row python "the same from Python" "gray_scott 512 double 200 rkl2 1e-4" "cpu $on_gpu" taskset -c 0 python3 gray_scott.py
else
    skip "no package eulercl in python3: the row python is left out"
fi
before_peer=
if [ -n "$gpu" ]; then
    row gray-gpu "a new gray_scott.c, 256 x 256, 1e-4, GPU named" "gray_scott 256 double 200 rkl2 1e-4" - \
        $solve gray_scott.c --t-end 200 --tol 1e-4 --device gpu
    row swift-gpu "a new swift_hohenberg.c, 256 x 256, 1e-4, GPU named" "swift_hohenberg 256 double 200 rkl2 1e-4" - \
        $solve swift_hohenberg.c --t-end 200 --tol 1e-4 --device gpu
fi
echo
cat skipped
echo "auto takes more than 1.3 times as long as the best named backend in $slower cases"
exit $failed
