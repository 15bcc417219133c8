#!/bin/sh
# make check-packaging: the files of eulercl solve, read back bit by bit by programs that others wrote. Debian: python3-numpy, python3-h5py, python3-pil,
# ffmpeg, and python3-paraview for XDMF.
set -eu
eulercl=${EULERCL:-$PWD/cli/eulercl}
sources=${EULERCL_TEST_SOURCES:-$(cd "$(dirname "$0")/../.." && pwd)}
python=
for candidate in ${PYTHON:-python3 /usr/bin/python3}; do
    if "$candidate" -c 'import h5py, numpy, PIL' 2>/dev/null; then python=$candidate; break; fi
done
[ -n "$python" ] || { echo "no Python with h5py, NumPy and Pillow (Debian: python3-h5py python3-numpy python3-pil)"; exit 1; }
command -v pvpython >/dev/null || { echo "no pvpython, ParaView's Python (Debian: python3-paraview)"; exit 1; }
scratch=$(mktemp -d "${TMPDIR:-/tmp}/check_files.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"

# read PREFIX COMPONENTS REALSIZE ARGUMENTS...
read_back() {
    prefix=$1 components=$2 size=$3
    shift 3
    "$eulercl" solve -q "$@" --steps 100 --every 30 --out "$prefix.h5" --out "$prefix-%02d.npy" --out "$prefix-%02d.png" --out "$prefix.apng" --out "$prefix.csv" \
        --probe 3 --monitor "min,max,mean,mean:$((components - 1)),l1,l2,linf,rms"
    "$eulercl" solve -q "$@" --steps 100 --out "$prefix-final.h5"
    "$python" "$sources/tests/command/check_files.py" "$prefix" "$components" "$size"
    pvpython "$sources/tests/command/check_xdmf.py" "$scratch" "$prefix" "$components"
}
read_back grid 2 8 bruss2d -p m=30
read_back oblong 3 4 "$sources/tests/problems/torus.c" -p columns=37 -p rows=23 --precision float --backend pthreads
read_back box 2 8 "$sources/tests/problems/volume.c" -p columns=7
read_back line 2 4 string --size 3000 --precision float
read_back general 1 8 "$sources/tests/problems/seven.c"
# More than a chunk of the command and of HDF5, in parts of rows.
read_back long 2 8 string --size 2200000 --backend pthreads
