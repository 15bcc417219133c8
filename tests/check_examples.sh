#!/bin/sh
# The examples as a user has them: an installed library, the installed examples, pkg-config, make. One problem in one precision
# must give the same figures and the same state hash wherever it runs. Without an OpenCL device that part is left out, unless
# EULERCL_REQUIRE_OPENCL is 1.
set -eu

build=$PWD
scratch=$build/tests/check_examples.tmp
rm -rf "$scratch"
mkdir -p "$scratch"
trap 'rm -rf "$scratch"' EXIT

# The build's own compiler and switches, because a sanitizer must be in all parts of a program.
configured() { echo "@$1@" | ./config.status --quiet --file=-; }
CC=$(configured CC)
CFLAGS=$(configured CFLAGS)
LDFLAGS=$(configured LDFLAGS)
export CC
unset MAKEFLAGS MFLAGS

# DESTDIR, so that nothing outside the scratch folder is touched whatever folders were configured.
make install DESTDIR="$scratch" >"$scratch/log" 2>&1 || { cat "$scratch/log"; exit 1; }
pc=$(find "$scratch" -name eulercl.pc)
examples=$(find "$scratch" -path '*/examples/Makefile')
eulercl=$(find "$scratch" -path '*/bin/eulercl')
export PKG_CONFIG_PATH="${pc%/*}" PKG_CONFIG_SYSROOT_DIR="$scratch" PKG_CONFIG_ALLOW_SYSTEM_CFLAGS=1 PKG_CONFIG_ALLOW_SYSTEM_LIBS=1
export LD_LIBRARY_PATH="${pc%/pkgconfig/*}${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"

cd "${examples%/*}"
# -O1 and the plainest instruction set: with all of them the problems take six times as long to compile.
make CC="$CC" CFLAGS="$CFLAGS -O1 -DODE_KERNELS_ONLY=0 -Wall -Wextra" LDFLAGS="$LDFLAGS"

echo "== a simulation: figures for every t, which differ between float and double"
./simulation seq float >float.txt
./simulation seq double >double.txt
cat double.txt
test "$(grep -cE '^ +[0-9]+  0\.[0-9]+  0\.[0-9]+$' double.txt)" -eq 10
if cmp -s float.txt double.txt; then echo "float and double agree in all digits"; exit 1; fi

echo "== the same from the plug-in and on threads"
./simulation pthreads float ./gray_scott.so | diff float.txt -
./simulation pthreads double ./gray_scott.so | diff double.txt -

echo "== errors leave as the library's status"
status=0
./simulation no-such-backend || status=$?
test "$status" -eq 2

echo "== the plug-ins on all backends and variants; sizes that are no multiples, and an h whose products round"
./compare_backends ./gray_scott.so 100 0.9 m=33 | tee table.txt
if [ -n "${EULERCL_TEST_LEVEL-}" ]; then
    ./compare_backends ./heat.so 100 0.3 m=333
    ./compare_backends ./four_sides.so 100 1e-4 m=37
    ./compare_backends ./cahn_hilliard.so 100 0.03 m=37
    ./compare_backends ./scar_tissue.so 100 0.005 m=37
    ./compare_backends ./beam.so 100 0.01 m=333
    ./compare_backends ./swift_hohenberg.so 100 0.03 m=37
    ./compare_backends ./beeler_reuter.so 100 0.0199 points=37
    ./compare_backends ./scroll_ring.so 100 0.02 m=17
    ./compare_backends ./gray_scott_3d.so 100 0.9 m=13
    ./compare_backends ./heat_box.so 100 0.13 m=13
    ./compare_backends ./wave_box.so 100 0.3 length=13 width=9 height=7
    ./compare_backends ./nbody.so 100 0.01 bodies=37
    ./compare_backends ./matrix.so 100 0.1 places=333
fi

echo "== the energy of bodies: symplectic methods keep it"
./energy | tee energy.txt
awk '{ drift[$1] = $2 } END { exit !(drift["euler"] > 0.2 && drift["symplectic-euler"] < 0.02 && drift["verlet"] < 2e-4 && drift["symplectic4"] < 1e-6 && NR == 4) }' energy.txt

echo "== many systems in one grid: with a fixed step in double, each has the bits of a run of its own"
./compare_backends ./brusselators.so 100 1e-3 m=31 systems=3
if [ -n "$eulercl" ]; then
    "$eulercl" solve ./brusselators.so -p m=30 -p systems=3 -p B=2 -p dB=0.5 --h 1e-3 --steps 100 --out many.npy
    bytes=$((30 * 30 * 2 * 8))
    system=0
    for B in 2 2.5 3; do
        "$eulercl" solve bruss2d -p m=30 -p B=$B --h 1e-3 --steps 100 --out one.npy
        tail -c $bytes one.npy >one
        tail -c $(((3 - system) * bytes)) many.npy | head -c $bytes | cmp - one
        system=$((system + 1))
    done
fi

echo "== through OpenCL"
status=0
./simulation cl-linear double >opencl.txt || status=$?
have_opencl=yes
if [ "$status" -eq 3 ] && [ "${EULERCL_REQUIRE_OPENCL-}" != 1 ]; then
    have_opencl=no
else
    diff double.txt opencl.txt
    echo "== two dimensions that close on themselves are no misfit for tiles in registers"
    grep -E '^cl-register +stream .* yes ' table.txt
    grep -E '^cl-register +pipeline .* yes ' table.txt
    grep -E '^cl-register +group(-local)? .* yes ' table.txt
fi

solve() { "$eulercl" solve gray_scott.c -p m=64 --h 0.9 --steps 200 --json "$@"; }
if [ -n "$eulercl" ] && grep -q 'define HAVE_JANSSON' "$build/config.h" && grep -q 'define HAVE_XXHASH' "$build/config.h"; then
    echo "== the command on the source file"
    solve --backend seq | grep state_hash >hash.txt
    cat hash.txt
    if [ "$have_opencl" = yes ]; then solve --backend cl-linear | grep state_hash | diff hash.txt -; fi
fi

# Each program of the lectures compares its results with plain loops. The kernels are broken afterwards, so that the comparison fails.
if grep -q 'define HAVE_OPENCL 1' "$build/config.h" && [ "$have_opencl" = yes ]; then
    echo "== the programs of the lectures, with sizes that are no multiples of a group"
    OPENCL_CFLAGS=$(cd "$build" && configured OPENCL_CFLAGS)
    OPENCL_LIBS=$(cd "$build" && configured OPENCL_LIBS)
    cd lectures
    make CC="$CC" CFLAGS="$CFLAGS -Wall -Wextra" LDFLAGS="$LDFLAGS" OPENCL_CFLAGS="$OPENCL_CFLAGS" OPENCL_LIBS="$OPENCL_LIBS"
    # lecture PROGRAM SIZE VARIANTS WORDS REPLACEMENT: all results are right, also of one number; with a mistake in its kernels the program says so
    lecture() {
        "./$1" "$2" >table.txt
        cat table.txt
        test "$(grep -c ' right$' table.txt)" -eq "$3"
        "./$1" 1 >table.txt
        test "$(grep -c ' right$' table.txt)" -eq "$3"
        chmod u+w "$1.cl"
        grep -qF "$4" "$1.cl"
        sed -i "s/$4/$5/" "$1.cl"
        status=0
        "./$1" "$2" >table.txt || status=$?
        test "$status" -eq 1
        grep -q ' wrong$' table.txt
    }
    lecture histogram 300007 12 'value != last' 'value > last'
    lecture reduction 300007 5 'distance > 0' 'distance > 1'
    lecture scan 600011 3 'distance <= GROUP' 'distance < GROUP'
    lecture product 67 3 'k < TILE' 'k < TILE - 1'
    lecture nbody 1003 2 'k < length' 'k < length - 1'
    status=0
    ./scan many || status=$?
    test "$status" -eq 2
fi
