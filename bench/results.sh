#!/bin/sh
# bench/results.sh - repeat the measurements of doc/results.md and of the logs in doc/results/: figures as
# CSV, plots as SVG. bench/README.md describes the groups.
#
#   results.sh [OUTDIR]                    measure and plot into OUTDIR (bench-results in the current folder)
#   results.sh measure OUTDIR [GROUP]...   measure; one OUTDIR/GROUP.csv each (needs no gnuplot)
#   results.sh plot DATADIR OUTDIR         draw OUTDIR/fig-*.svg from DATADIR/*.csv (needs gnuplot, no device)
#   results.sh list GROUP                  print the runs of a group
#
# Environment: EULERCL, the command (default: cli/eulercl in the current folder, else the installed one);
# EULERCL_DEVICE, the OpenCL device; SHARE (0..1, 1), a factor for the sizes of all systems; UNITS (132, an
# NVIDIA H200), the compute units of the device, for runs that vary the number of work-groups. If the machine
# lacks something, a message says so and the runs concerned are skipped. figures/figures.txt lists which plot
# is drawn from which file.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
SHARE=${SHARE:-1} UNITS=${UNITS:-132}
GROUPS_ALL="threads linear distribution row cutoff column string double bruss2d tables variants tiles registers between devices peers lanes cpu-peers"
CORES=$(nproc 2>/dev/null || echo 4)
TILE=1500           # blocks of the string problem that fit into 48 KiB of local memory, in float

# Sizes that the problems have, near the requested ones: whole vectors, square grids.
string_sizes() { echo "$@" | awk -v share="$SHARE" '{ for (i = 1; i <= NF; i++) { n = int($i * share / 8 + 0.5) * 8; print n < 400 ? 400 : n } }'; }
bruss2d_sizes() { echo "$@" | awk -v share="$SHARE" '{ for (i = 1; i <= NF; i++) { m = int(sqrt($i * share / 2) / 4 + 0.5) * 4; if (m < 12) m = 12; print 2 * m * m } }'; }

# The options that the name of a series stands for; figures/series.txt has its label.
options() {
    case $1 in
    *-uncached) echo "$(options "${1%-uncached}") uncached=1" ;;
    seq) echo backend=seq ;;
    cpu) echo backend=cpu ;;
    team) echo "backend=pthreads threads=$CORES" ;;
    pthreads) echo "backend=pthreads variant=barrier threads=$CORES" ;;      # as in the thesis
    pthreads-1) echo backend=pthreads variant=barrier threads=1 ;;
    chunked | strided | vector) echo "backend=cl-linear variant=$1" ;;
    row-scalar | row-vector) echo "backend=cl-row-diamond variant=${1#row-}" ;;
    row-global) echo backend=cl-row-diamond variant=scalar storage=global ;;
    column) echo backend=cl-column-diamond variant=vector ;;
    auto) echo backend=auto plan=estimate ;;
    tuned) echo backend=auto plan=measure wisdom= ;;
    persistent) echo backend=cl-register persistent=1 ;;
    portable) echo backend=cl-register variant=group-local ;;
    stream) echo backend=cl-register variant=stream ;;
    pipeline) echo backend=cl-register variant=pipeline ;;
    all) echo backend=auto plan=estimate devices=all ;;
    comb) echo backend=cl-honeycomb ;;
    comb-column) echo backend=cl-honeycomb storage=column ;;
    comb-scalar | comb-vector) echo "backend=cl-honeycomb variant=${1#comb-} distribution=mult" ;;   # cut off at a twelfth, as in 9.3
    esac
}

one() { echo "seconds=0.03 problem=string $*"; }         # of equal keys the last one counts; the best of five such repetitions
over_sizes() {                                           # over_sizes "SERIES..." "SIZES" OPTIONS...
    for s in $1; do for n in $2; do one "series=$s size=$n $(options "$s") $3"; done; done
}

list() {
    sizes="10000 20000 50000 100000 200000 500000 1500000 4000000"
    n=$(string_sizes 80000) bn=$(bruss2d_sizes 80000)
    float="precision=float"
    case $1 in
    threads)                                             # 4.1, 4.2
        for p in string bruss2d; do for s in 80000 4000000; do for t in $(seq 1 $((2 * CORES))); do
            case $t in 1 | 2 | 4 | 8 | 16 | 32 | 64 | 128 | 256 | "$CORES") one "series=$p-$s problem=$p size=$("${p}_sizes" $s) backend=pthreads variant=barrier threads=$t $float" ;; esac
        done; done; done ;;
    linear)                                              # 5.4, 5.5: speedups refer to the first line
        one "series=base size=$n $(options strided) workgroups=1 workgroup_size=1 $float"
        for g in 1 16 $UNITS; do for w in 1 4 16 32 64 128 256 512; do one "series=groups-$g size=$n $(options strided) workgroups=$g workgroup_size=$w $float"; done; done
        for w in 32 128 512; do for g in 1 4 16 $((UNITS / 4)) $((UNITS / 2)) $UNITS $((2 * UNITS)) $((4 * UNITS)); do
            one "series=items-$w size=$n $(options strided) workgroups=$g workgroup_size=$w $float"
        done; done ;;
    distribution)                                        # 7.4: local memory is full at n = 4 * TILE * units
        for d in mult add corr; do
            for s in $(string_sizes 10000 50000 100000 200000 300000 400000 500000 600000 700000 800000 900000 1000000 1100000 1200000 1400000 1600000 1800000 2000000); do
                one "series=$d size=$s $(options row-vector) distribution=$d $float"
            done
        done ;;
    row)                                                 # 7.9, with one tile per work-group, or the least multiple whose tiles fit; 7.10
        for w in 128 256; do for g in 1 2 4 8 16 $((UNITS / 4)) $((UNITS / 2)) $((3 * UNITS / 4)) $((UNITS - 1)) $UNITS $((UNITS + 8)) 200 $((2 * UNITS)) $((2 * UNITS + 16)) 400; do
            dia=$(awk -v b=$((n / 4)) -v g="$g" -v t=$TILE 'BEGIN { for (m = 1; (d = b / (m * g - (m * g > 1))) > t; m++); d = int((d + 1.999999) / 2) * 2; print (d > t ? t : d) }')
            one "series=items-$w size=$n $(options row-vector) workgroups=$g workgroup_size=$w dia_blocks=$dia $float"
        done; done
        for w in 1 4 16 32 64 96 128 192 256 384 512; do one "series=row-vector size=$n $(options row-vector) workgroup_size=$w distribution=mult $float"; done ;;
    cutoff)                                              # 9.3, 9.4
        s=$(string_sizes 2000000)
        for c in 1 2 5 10 20 30 40 60 80 100 150 200 250; do one "series=blocks-500 size=$s $(options comb-vector) dia_blocks=500 honeycomb_steps=$c $float"; done
        for c in 1 5 10 20 40 60 80 100 120 150 200 300 500 750; do one "series=blocks-1500 size=$s $(options comb-vector) dia_blocks=1500 honeycomb_steps=$c $float"; done ;;
    column)                                              # 8.2
        for w in 32 64 128 256 512 1024; do
            one "series=string size=$n $(options column) workgroup_size=$w $float"
            one "series=bruss2d problem=bruss2d size=$bn $(options column) workgroup_size=$w $float"
        done ;;
    string)                                              # 4.2, 5.1 to 5.3, 5.8, 7.11 to 7.14, 8.5, 9.5, 9.6
        over_sizes "pthreads chunked strided vector row-scalar row-vector row-global column comb-scalar comb-vector" "$(string_sizes "$sizes")" $float
        over_sizes "strided-uncached vector-uncached row-scalar-uncached row-vector-uncached" "$(string_sizes "$sizes")" $float
        for s in $(bruss2d_sizes "${sizes#* }"); do one "series=pthreads-bruss2d problem=bruss2d size=$s $(options pthreads) $float"; done ;;
    double)                                              # 9.7, 9.8
        over_sizes "strided vector row-scalar row-vector comb-scalar comb-vector" "$(string_sizes "$sizes")" precision=double ;;
    bruss2d)                                             # 7.15, 8.6
        over_sizes "strided vector row-vector column strided-uncached vector-uncached row-vector-uncached" "$(bruss2d_sizes "${sizes#* }")" "problem=bruss2d $float" ;;
    tables)                                              # 10.1, 10.2
        over_sizes "pthreads-1 seq pthreads vector row-vector column comb" "$(string_sizes 100000000)" $float
        over_sizes "pthreads-1 seq pthreads vector row-vector column comb" "$(bruss2d_sizes 500000)" "problem=bruss2d $float" ;;
    variants)                                            # cl-linear: the limit of a launch per step
        for p in float double; do
            over_sizes "chunked strided vector" "$(string_sizes 20000 80000 1000000 100000000)" precision=$p
            over_sizes "chunked strided vector" "$(bruss2d_sizes 20000 500000 8000000 100026368)" "problem=bruss2d precision=$p"
        done ;;
    tiles)                                               # the library chooses everything else
        for p in float double; do over_sizes "vector row-vector row-scalar row-global column comb comb-column" "$(string_sizes 20000 80000 1000000 4000000 100000000)" precision=$p; done
        over_sizes "vector row-vector row-global column comb comb-column" "$(bruss2d_sizes 20000 125000 500000 2000000)" "problem=bruss2d $float" ;;
    registers)                                           # cl-register as auto estimates it, without shuffles and with persistent tiles, against cl-linear
        for p in float double; do
            over_sizes "vector auto" "$(string_sizes 20000 80000 1000000 100000000)" precision=$p
            over_sizes "vector auto persistent portable stream pipeline" "$(bruss2d_sizes 20000 500000 8000000 128000000)" "problem=bruss2d precision=$p"
        done ;;
    between)                                             # sizes to which no constant was fitted: the estimate against the best measured configuration
        over_sizes "auto tuned" "$(string_sizes 14000 50000 160000 700000 1400000 6000000 50000000)" $float
        over_sizes "auto tuned" "$(bruss2d_sizes 32000 90000 180000 720000 1900000 4500000 24000000 60000000)" "problem=bruss2d $float" ;;
    devices)                                             # all GPUs against one of them
        over_sizes "auto all" "$(string_sizes 10000000 100000000)" $float
        over_sizes "auto all" "$(bruss2d_sizes 8000000 32000000 128000000 800000000)" "problem=bruss2d $float" ;;
    lanes)                                               # the CPU's tiles, one thread and all cores
        for p in float double; do
            over_sizes "seq cpu team" "$(string_sizes 20000 80000 4000000 100000000)" "seconds=1 precision=$p"
            over_sizes "seq cpu team" "$(bruss2d_sizes 20000 500000 8000000 50000000)" "seconds=1 problem=bruss2d h=1e-6 precision=$p"
        done ;;
    peers) echo "# bench/peers/python_gpu.py" ;;
    cpu-peers) echo "# bench/peers/cpu.sh" ;;
    *) echo "results.sh: unknown group $1; the groups are: $GROUPS_ALL" >&2; exit 2 ;;
    esac
}

# The command, as an absolute path.
find_eulercl() {
    for e in "${EULERCL:-}" cli/eulercl "$(command -v eulercl || true)"; do [ -n "$e" ] && [ -x "$e" ] && break; done
    [ -x "$e" ] || { echo "results.sh: the command eulercl was not found; set EULERCL" >&2; exit 2; }
}

measure() {
    out=$1; shift
    find_eulercl
    mkdir -p "$out"
    "$e" devices >"$out/devices.txt" 2>&1 && opencl=yes || { opencl=no; echo "results.sh: no OpenCL device was found; only CPU backends are measured" >&2; }
    # shellcheck disable=SC2086
    [ $# -gt 0 ] || set -- $GROUPS_ALL
    for group; do
        start=$(date +%s)
        if [ "$group" = cpu-peers ]; then
            EULERCL=$e "$here/peers/cpu.sh" "$out/cpu-peers.csv" >/dev/null || echo "results.sh: cpu-peers: exit status $?" >&2
            echo "cpu-peers: $(($(date +%s) - start)) s" >&2
            continue
        fi
        if [ "$group" = peers ]; then
            python3 "$here/peers/python_gpu.py" >"$out/peers.csv" || echo "results.sh: peers: exit status $?" >&2
            continue
        fi
        list "$group" >"$out/$group.runs"
        [ $opencl = yes ] || sed -i '/backend=cl-/d' "$out/$group.runs"
        wanted=$(wc -l <"$out/$group.runs")
        if [ "$wanted" -eq 0 ]; then
            echo "$group: skipped, it needs an OpenCL device" >&2
        else
            "$e" bench --runs "$out/$group.runs" --csv "$out/$group.csv" >/dev/null || echo "results.sh: $group: exit status $?" >&2
            echo "$group: $(($(grep -vc '^#' "$out/$group.csv") - 1)) of $((wanted)) runs, $(($(date +%s) - start)) s" >&2
        fi
        rm "$out/$group.runs"
    done
}

plot() {
    command -v gnuplot >/dev/null || { echo "results.sh: gnuplot was not found; run results.sh plot later to draw from the CSV files" >&2; return; }
    data=$1 out=$2 scratch=$(mktemp -d)
    trap 'rm -rf "$scratch"' EXIT
    mkdir -p "$out"
    # For each line of figures.txt: write the numbers as blocks for gnuplot, the words as assignments.
    grep -v '^#' "$here/figures/figures.txt" | while IFS='|' read -r name file kind x y log series title; do
        [ -f "$data/$file.csv" ] || { echo "results.sh: $name: $file.csv is missing" >&2; continue; }
        awk -v name="$name" -v kind="$kind" -v x="$x" -v y="$y" -v log_axes="$log" -v series="$series" -v title="$title" -v data="$scratch/data" \
            -v table="$out/$name.csv" -f "$here/figures/select.awk" "$here/figures/series.txt" "$data/$file.csv" >"$scratch/words" || { echo "results.sh: $name: there is nothing to draw" >&2; continue; }
        gnuplot -e "output='$out/$name.svg'; data='$scratch/data'" "$scratch/words" "$here/figures/style.gp" "$here/figures/$kind.gp"
    done
}

case ${1:-} in
measure) [ $# -ge 2 ] || { echo "usage: results.sh measure OUTDIR [GROUP]..." >&2; exit 2; }; shift; measure "$@" ;;
plot) [ $# -eq 3 ] || { echo "usage: results.sh plot DATADIR OUTDIR" >&2; exit 2; }; plot "$2" "$3" ;;
list) list "${2:-}" ;;
-*) sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//;p;}' "$0"; exit 2 ;;
*) measure "${1:-bench-results}"; plot "${1:-bench-results}" "${1:-bench-results}" ;;
esac
