#!/bin/sh
# bench/snapshots.sh - measure the cost of observing a run: of snapshots, and of statistics over the state.
#
#   snapshots.sh [FOLDER]      the snapshots are written into a new folder in FOLDER (default: the current
#                              folder), which is removed at the end
#
# For .npy and .h5 it prints the time of computing alone, of writing alone (one step from snapshot to
# snapshot), and of a run whose steps take as long as the writing, where overlapping gains most. The ratio
# is to the longer of the first two. All times exclude the creation of the solver and its state. Then it
# compares one evaluation of a statistic, without its line in the table, with a read of the state at the
# copy bandwidth measured in the same minute. The exit status is 1 if a ratio exceeds its LIMIT.
#
# Environment: EULERCL, the command (default: cli/eulercl in the current folder, else the installed one),
# built with Jansson; EULERCL_DEVICE, the OpenCL device; BACKEND (auto on a GPU); N, the components of
# STRING, in float (1e8); SNAPSHOTS (12, in addition to the initial one); LIMIT_RUN (1.15); LIMIT_FIGURE (1.3).
set -eu
EULERCL=${EULERCL:-$([ -x cli/eulercl ] && echo "$PWD/cli/eulercl" || echo eulercl)}
BACKEND=${BACKEND:-auto} N=${N:-1e8} SNAPSHOTS=${SNAPSHOTS:-12} LIMIT_RUN=${LIMIT_RUN:-1.15} LIMIT_FIGURE=${LIMIT_FIGURE:-1.3}
case $EULERCL in */*) EULERCL=$(cd "$(dirname "$EULERCL")" && pwd)/$(basename "$EULERCL") ;; esac
scratch=$(mktemp -d "${1:-.}/eulercl-snapshots.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
export XDG_CACHE_HOME="$PWD"       # without a wisdom file of the user

# solve ARGUMENTS: write the report to report.json.
solve() { "$EULERCL" solve string --size "$N" --precision float --backend "$BACKEND" --json "$@" >report.json; }
# number NAME: the first number of that name in report.json.
number() { sed -n "s/^ *\"$1\": \([-+0-9.e]*\),*\$/\1/p" report.json | head -n 1; }
calc() { awk "BEGIN { printf(\"%.15g\", ($*)) }"; }
show() { awk "BEGIN { printf(\"%.4g\", ($*)) }"; }      # rounded, to be printed
# The seconds of a run after its start-up.
run_seconds() { calc "$(number total) - $(number setup) - $(number build) - $(number upload)"; }
beyond=0
# judge WHAT RATIO LIMIT
judge() {
    verdict=ok
    [ "$(calc "$2 <= $3")" = 1 ] || { verdict="beyond $3"; beyond=1; }
    printf '%-28s %6.3f   (%s)\n' "$1" "$2" "$verdict"
}

# Warm up, and measure the time of a step.
solve --steps 2000
solve --steps "$(calc "int(0.5 / $(number kernel) * 2000) + 1")"
step=$(calc "$(number kernel) / $(number steps)")
echo "STRING, n = $N, float: $(sed -n 's/^ *"backend": "\(.*\)",$/\1/p' report.json) on $(sed -n 's/^ *"device": "\(.*\)",$/\1/p' report.json), $(show "1e-9 * $(number n) / $step") Gcs/s"

for format in npy h5; do
    case $format in npy) out=s-%d.npy ;; h5) out=s.h5 ;; esac
    if [ $format = h5 ] && ! "$EULERCL" solve string --size 20 --steps 0 -q --out s.h5 2>/dev/null; then
        echo "h5: skipped, this eulercl was built without HDF5"
        continue
    fi
    rm -f s-* s.*
    solve --steps "$SNAPSHOTS" --every 1 --out $out
    writing=$(run_seconds)
    rm -f s-* s.*
    every=$(calc "int($writing / $step / $SNAPSHOTS) + 1")
    steps=$(calc "$every * $SNAPSHOTS")
    solve --steps "$steps"
    computing=$(calc "$(run_seconds) - $(number download)")
    solve --steps "$steps" --every "$every" --out $out
    both=$(run_seconds)
    longer=$(calc "$computing > $writing ? $computing : $writing")
    echo "$format: $(number count) snapshots, $(show "1e-9 * $(number bytes)") GB, $every steps from one to the next: computing $(show "$computing") s, writing $(show "$writing") s, both $(show "$both") s"
    echo "     (kernels $(show "$(number kernel)") s, reading and writing $(show "$(number write)") s, steps waited $(show "$(number wait)") s, beside the steps: $(sed -n 's/^ *"beside_steps": //p' report.json | tr -d ,))"
    judge "$format: run / longer of both" "$(calc "$both / $longer")" "$LIMIT_RUN"
done
rm -f s-* s.*

# The backend is that of the long runs. The first evaluation of a run compiles, so the time is the
# difference of two runs, after one that fills the compiler's cache. Lines of the table are not counted.
BACKEND=$(sed -n 's/^ *"backend": "\(.*\)",$/\1/p' report.json)
figures() { solve --steps "$1" --every 1 --monitor l2 --out table.csv; calc "$(number wait) - $(number write)"; }
figures 20 >/dev/null
few=$(figures 20)
figure=$(calc "($(figures 2020) - $few) / 2000")
bytes=$(calc "4 * $(number n)")
"$EULERCL" bench string --sizes 20000 --backends "$(sed -n 's/^ *"backend": "\(.*\)",$/\1/p' report.json)" --json >report.json
reading=$(calc "$bytes / $(number copy_bytes_per_second)")
echo "a statistic over the state: $(show "1e6 * $figure") us; a read of it at the copy bandwidth, $(show "1e-9 * $(number copy_bytes_per_second)") GB/s: $(show "1e6 * $reading") us"
judge "statistic / read of the state" "$(calc "$figure / $reading")" "$LIMIT_FIGURE"
exit $beyond
