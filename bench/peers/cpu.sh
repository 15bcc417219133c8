#!/bin/sh
# bench/peers/cpu.sh - compare libeulercl on the CPU with other solvers in one run. Run it in the build
# folder that contains bench-peers/.
#
#   cpu.sh FILE.csv [BACKEND]...     (default: seq pthreads cpu cl-linear; missing backends are skipped)
#
# It prints a table and writes all figures to FILE.csv. Each row is the best of five repetitions after a
# warm-up, and of all rounds. In a round every program runs once, so noise of the machine affects all of them.
#
# Environment: EULERCL, the command (default: as in results.sh); PROBLEMS, each string:N (N components) or
# bruss2d:M (M x M points); PRECISIONS; THREADS, the numbers of threads (1 and all cores); ROUNDS (2);
# REPETITION, the seconds of a repetition (0.3).
set -eu
PROBLEMS=${PROBLEMS:-string:80000 string:4000000 string:100000000 bruss2d:500 bruss2d:2000 bruss2d:5000}
PRECISIONS=${PRECISIONS:-float double} ROUNDS=${ROUNDS:-2} REPETITION=${REPETITION:-0.3}
cores=$(nproc 2>/dev/null || echo 1)
THREADS=${THREADS:-$(echo "1 $cores" | awk '{ print $1 == $2 ? $1 : $0 }')}
H=9.5367431640625e-07                                    # 2^-20, as peer.c has it

case ${1:--} in -*) sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//;p;}' "$0"; exit 2 ;; esac
csv=$1
shift
for e in "${EULERCL:-}" cli/eulercl "$(command -v eulercl || true)"; do [ -n "$e" ] && [ -x "$e" ] && break; done
[ -x "$e" ] || { echo "cpu.sh: the command eulercl was not found; set EULERCL" >&2; exit 2; }
[ -d bench-peers ] || { echo "cpu.sh: this folder has no bench-peers; run make bench-peers" >&2; exit 2; }
: >>"$csv"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM
raw=$scratch/raw
: >"$raw"

[ $# -gt 0 ] || set -- seq pthreads cpu cl-linear
backends=
for b; do
    if "$e" list | awk -v b="$b" '/^Backends/ { on = 1 } on && $1 == b { found = 1 } END { exit !found }'; then backends="$backends $b"
    else echo "cpu.sh: skipped backend $b, which this libeulercl lacks" >&2; fi
done

# A single thread is pinned to one core, always the same. OpenMP, MPI and libeulercl pin several threads.
one_core=
if command -v taskset >/dev/null; then one_core="taskset -c $(taskset -cp $$ | sed 's/.*: //; s/[-,].*//')"; fi
export OMP_PROC_BIND=true OMP_PLACES=cores OMP_DYNAMIC=false
if [ "$(id -u)" = 0 ]; then export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1; fi
status=0
failed() {                                               # failed STATUS WHAT: a missing device (3) or memory (7) is no error of the programs
    echo "cpu.sh: skipped $2 (exit status $1)" >&2
    case $1 in 3 | 7) ;; *) status=1 ;; esac
}

# One backend: turn the row of eulercl bench into the format of peer.c. The hash is that of the state after
# the same steps.
backend() {                                              # backend PIN NAME PROBLEM:SIZE PRECISION THREADS
    n=$(echo "$3" | awk -F: '{ printf "%.0f", $1 == "string" ? $2 : 2 * $2 * $2 }')
    # shellcheck disable=SC2086
    $1 "$e" bench "${3%:*}" --sizes "$n" --backends "$2" --device cpu --precisions "$4" --threads "$5" --seconds "$REPETITION" --h "$H" \
        --csv "$scratch/row" >/dev/null || return
    awk -F, -v name="libeulercl $2" -v problem="$3" -v threads="$5" '/^#/ { next }
        !n++ { for (i = 1; i <= NF; i++) at[$i] = i; next }
        { s = $at["steps"]
          printf "%s,%s,%s,%s,%s,%s,%.4g,%.4g,hash %s\n", name, problem, $at["n"], $at["precision"], threads, s, s * $at["us_per_step"] * 1e-6,
              $at["gcs_per_s"], $at["state_hash"] }' "$scratch/row" >>"$raw"
}

all_of() {                                               # all_of PROBLEM:SIZE PRECISION THREADS
    pin=
    if [ "$3" = 1 ]; then pin=$one_core; fi
    for b in $backends; do
        case $b in
        seq) [ "$3" = 1 ] || continue ;;
        cl-*) [ "$3" = "$cores" ] || continue ;;         # PoCL uses all cores
        esac
        backend "$pin" "$b" "$1" "$2" "$3" || failed $? "libeulercl $b, $1, $2, $3 threads"
    done
    for program in loop-gcc loop-clang odeint arkode; do
        [ -x "bench-peers/$program-$2" ] || continue
        $pin "bench-peers/$program-$2" "$1" 0 "$3" "$REPETITION" >>"$raw" || failed $? "$program, $1, $2, $3 threads"
    done
    [ -x "bench-peers/petsc-$2" ] || return 0
    if [ "$3" -gt 1 ]; then pin="mpirun -n $3"; fi
    $pin "bench-peers/petsc-$2" "$1" 0 "$3" "$REPETITION" >>"$raw" || failed $? "petsc, $1, $2, $3 processes"
}

for problem in $PROBLEMS; do
    for precision in $PRECISIONS; do
        for round in $(seq "$ROUNDS"); do
            for threads in $THREADS; do
                if [ -t 2 ]; then printf '\r%-70s\r' "$problem $precision, round $round of $ROUNDS, $threads threads" >&2; fi
                all_of "$problem" "$precision" "$threads"
            done
        done
    done
done
if [ -t 2 ]; then printf '\r%-70s\r' "" >&2; fi

# The best round of each program, and its ratio to the best peer with as many threads or fewer. The rows of
# libeulercl are compared with each other by their hashes.
{
    model=$(sed -n 's/^model name[^:]*: *//p' /proc/cpuinfo 2>/dev/null | head -n 1)
    echo "# bench/peers/cpu.sh, $(date -u '+%Y-%m-%d %H:%M UTC'): $model, $cores cores; $("$e" --version | head -n 1)"
    sed 's/^/# /' bench-peers/built.txt
    awk -F, -v OFS=, 'BEGIN { print "peer,problem,n,precision,threads,steps,seconds,gcs_per_s,ratio_to_best_peer,difference" }
        { system_ = $2 OFS $3 OFS $4; key = system_ OFS $1 OFS $5 }
        !(key in best) { order[++rows] = key; name[key] = $1; of[key] = system_; threads[key] = $5; best[key] = -1 }
        $8 > best[key] { best[key] = $8; steps[key] = $6; seconds[key] = $7 }
        /,hash / { if (!(system_ in hash)) hash[system_] = $9; $9 = $9 == "hash " ? "not compared" : $9 == hash[system_] ? "same bits" : "DIFFERENT" }
        !(key in difference) || $9 != "same bits" { difference[key] = $9 }
        END { for (i = 1; i <= rows; i++) {
            key = order[i]; fastest = 0
            for (j = 1; j <= rows; j++) {
                k = order[j]
                if (of[k] == of[key] && name[k] !~ /^libeulercl/ && threads[k] <= threads[key] && best[k] > fastest) fastest = best[k]
            }
            print name[key], of[key], threads[key], steps[key], seconds[key], best[key], fastest ? sprintf("%.3g", best[key] / fastest) : "", difference[key]
        } }' "$raw"
} >"$csv"
awk -F, '/^#/ { print substr($0, 3); next } /^peer,/ { next }
    $2 $4 != last { last = $2 $4; printf "\n%s, %s (n = %s)\n  %-28s %7s %9s %13s  %s\n", $2, $4, $3, "", "threads", "Gcs/s", "of best peer", "difference" }
    { printf "  %-28s %7s %9s %13s  %s\n", $1, $5, $8, $9, $10 }' "$csv"
if grep -q ',DIFFERENT$' "$csv"; then echo "cpu.sh: backends of libeulercl returned different bits" >&2; status=1; fi
exit $status
