#!/bin/sh
# bench/startup.sh [REPEATS] - measure the start-up time and the memory of `eulercl solve FILE.c`, for the
# first run and for later ones. A run makes ten steps, so nearly all of its time is the start-up. The
# figures are seconds on the wall, seconds of all processors together, and the peak of memory, of the
# command or of the largest program that it runs; the least of all repetitions. EULERCL names the command
# (default: eulercl on the path). The script needs GNU time.
#
# SPDX-License-Identifier: BSD-2-Clause
eulercl=${EULERCL:-eulercl}
repeats=${1:-10}
sources=$(cd "$(dirname "$0")/.." && pwd)
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
XDG_CACHE_HOME=$folder/cache
POCL_CACHE_DIR=${POCL_CACHE_DIR:-$HOME/.cache/pocl/kcache}
export XDG_CACHE_HOME POCL_CACHE_DIR
"$eulercl" new wide --grid 2 --components 64 >/dev/null || exit 1
sed 's/^    DOT(U) = .*/    for (int c = 0; c < ODE_COMPONENTS; c++) DOT(c) = d * LAPLACE(c) - AT(0, 0, c) * AT(0, 0, (c + 1) % ODE_COMPONENTS);/
    /^    DOT([A-Z]/d' wide.c >wide64.c
cp "$sources/problems/string.c" "$sources/problems/bruss2d.c" .

best() {
    for repeat in $(seq "$repeats"); do
        command time -f '%e %U %S %M' -a -o times "$eulercl" solve "$@" --steps 10 --h 1e-9 --quiet || exit 1
    done
    awk 'NR == 1 { wall = $1; cpu = $2 + $3; peak = $4 }
         { if ($1 < wall) wall = $1; if ($2 + $3 < cpu) cpu = $2 + $3; if ($4 < peak) peak = $4 }
         END { printf "%.2f s, %.2f s, %.0f MB", wall, cpu, peak / 1024 }' times
    rm times
}
uptime
echo "| file | backend | first | second | as FILE.so |"
echo "|---|---|---|---|---|"
for file in string bruss2d wide64; do
    cc -O3 -ffp-contract=off -shared -fPIC -DODE_KERNELS_ONLY=0 -I "$sources/include" $file.c -o $file.so -lm || exit 1
    for backend in seq auto; do
        echo "| $file.c | $backend | $(best $file.c --backend $backend --no-cache) | $("$eulercl" info $file.c >/dev/null; best $file.c --backend $backend) | $(best ./$file.so --backend $backend) |"
    done
done
uptime
