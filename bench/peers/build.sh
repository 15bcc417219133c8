#!/bin/sh
# bench/peers/build.sh - build the programs that bench/peers/cpu.sh runs into bench-peers/, as far as their
# compilers and libraries are installed. Run it in a build folder of libeulercl (make bench-peers); the
# programs compare their results with the library there.
#
# Environment: PEER_CFLAGS (-O3 -march=native), the flags of all programs; SUNDIALS, the folder of an
# installation other than the system's.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
flags="${PEER_CFLAGS:--O3 -march=native} -fopenmp -Wall -Wextra -I$here/../../include"
library="-L$PWD/lib/.libs -leulercl -Wl,-rpath,$PWD/lib/.libs -lm"
[ -f lib/.libs/libeulercl.so ] || { echo "build.sh: lib/.libs/libeulercl.so is missing; run this script in a build folder, after make" >&2; exit 2; }
rm -rf bench-peers
mkdir bench-peers

# there COMPILER HEADER PACKAGE [FLAGS [LANGUAGE]]: succeed if the compiler finds the header, else print a
# message.
there() {
    command -v "$1" >/dev/null || { echo "build.sh: skipped, $1 is not installed" >&2; return 1; }
    # shellcheck disable=SC2086
    echo "#include <$2>" | $1 $flags ${4:-} -DREAL=double -E -x "${5:-c}" - >/dev/null 2>&1 && return
    echo "build.sh: skipped, $1 does not find $2 (Debian: $3)" >&2
    return 1
}

# build PROGRAM COMPILER SOURCE PRECISION [FLAGS]: the harness is always C.
build() {
    # shellcheck disable=SC2086
    cc $flags -DREAL="$4" -c "$here/peer.c" -o "bench-peers/peer-$4.o"
    # shellcheck disable=SC2086
    $2 $flags -DREAL="$4" "$here/$3" "bench-peers/peer-$4.o" ${5:-} $library -o "bench-peers/$1-$4"
    echo "bench-peers/$1-$4"
}

for precision in float double; do
    for compiler in gcc clang; do
        if there $compiler omp.h libomp-dev; then build loop-$compiler $compiler loop.c $precision "-ffp-contract=off -DCOMPILER=\"$compiler\""; fi
    done
    if there g++ boost/numeric/odeint.hpp libboost-dev "" c++; then build odeint g++ odeint.cc $precision; fi
done
# These packages are compiled for double only.
sundials=${SUNDIALS:+-I$SUNDIALS/include -L$SUNDIALS/lib -Wl,-rpath,$SUNDIALS/lib}
if there gcc arkode/arkode_erkstep.h libsundials-dev "$sundials"; then
    build arkode gcc arkode.c double "$sundials -lsundials_arkode -lsundials_nvecserial -lsundials_nvecopenmp"
fi
petsc=$(pkg-config --cflags --libs petsc 2>/dev/null || true)
if there mpicc petscts.h petsc-dev "$petsc"; then build petsc mpicc petsc.c double "$petsc"; fi
rm -f bench-peers/*.o
{
    echo "peers built with ${PEER_CFLAGS:--O3 -march=native}; SUNDIALS from ${SUNDIALS:-the system}"
    for compiler in gcc clang; do $compiler --version 2>/dev/null | head -n 1 || true; done
} >bench-peers/built.txt
