#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# make check-long, in the folder of a build whose make check passes: what takes too long there. Some of it runs in this build, the rest in others, which are made
# in the folder long:
#   sanitized    the address and the undefined-behaviour sanitizers
#   no-opencl    configured with --without-opencl
#   clang        clang instead of GCC
#   aarch64      for another processor, which qemu-user emulates
# What a build would only repeat is left to the others. A build whose tools are missing is skipped. The last line counts: N passed, N failed.
sources=$(cd "$(dirname "$0")/.." && pwd)
: "${MAKE:=make}" "${CC:=gcc}" "${CXX:=g++}"
unset MAKEFLAGS MFLAGS MAKELEVEL
export MAKE CC CXX

# ---- one build or one test, which the queues below call ----

# configured [ARGUMENT OF CONFIGURE]...: again when packages changed, because what was missing may be there now
configured() { if [ ! -f Makefile ] || [ /var/lib/dpkg/status -nt config.status ]; then "$sources/configure" "$@"; fi; }
programs() { "$MAKE" "$@" && "$MAKE" check TESTS= "$@"; }
# problem_objects CFLAGS: every third one of the tests' problems has the code of all instruction sets, the others the plainest alone: all sets are compiled
# from one text, and compiling them takes half of the time of a build. The built-in problems have all sets, because the planner is tested with them.
problem_objects() {
    some=$("$MAKE" -s list LIST=tests_libproblems_la_OBJECTS | tr ' ' '\n' | awk '/^tests/ && NR % 3')
    # shellcheck disable=SC2086
    "$MAKE" $some CFLAGS="$1 -DODE_KERNELS_ONLY=0" && "$MAKE" problem-objects CFLAGS="$1"
}

# make_build NAME, in its folder. Without warnings, but under the sanitizers, which make GCC see ghosts.
make_build() {
    case $1 in
    sanitized)
        # -g1: lines in backtraces, and a third less to compile than with the places of variables. The sanitizers have much to say about each problem's lanes:
        # without optimization, and without what the address sanitizer sees, too, that takes a sixth of the time.
        checks='-g1 -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer'
        configured --disable-static CFLAGS="$checks -O1" &&
            problem_objects "$checks -fno-sanitize=alignment,null,object-size,pointer-overflow -O0" && programs ;;
    no-opencl)
        # Problems do not depend on OpenCL: they are compiled already.
        configured --disable-static --without-opencl CFLAGS='-g1 -O1' &&
            "$MAKE" tests/problems/.dirstamp tests/problems/.deps/.dirstamp problems/.dirstamp problems/.deps/.dirstamp &&
            cp -r ../../tests/problems/.libs ../../tests/problems/*o tests/problems && cp -r ../../problems/.libs ../../problems/*o problems &&
            programs CFLAGS='-g1 -O1 -Werror' ;;
    clang)
        configured CC=clang CXX=clang++ --disable-static CFLAGS='-g1 -O2' && problem_objects '-g1 -O2 -Werror' && programs CFLAGS='-g1 -O2 -Werror' ;;
    aarch64)
        # The C library is the only library of that processor, so only the command runs, and the bits of functions are compared.
        configured CC=aarch64-linux-gnu-gcc --host=aarch64-linux-gnu PKG_CONFIG_LIBDIR=/nonexistent --without-opencl --disable-shared CFLAGS='-g1 -O2' &&
            "$MAKE" CFLAGS='-g1 -O2 -Werror' && "$MAKE" tests/function_bits CFLAGS='-g1 -O2 -Werror' && $emulator tests/function_bits &&
            printf '#!/bin/sh\nexec %s "%s" "$@"\n' "$emulator" "$PWD/cli/eulercl" >emulated && chmod +x emulated ;;
    esac
}
emulator='qemu-aarch64 -L /usr/aarch64-linux-gnu'

# result NAME STATUS LOG
result() {
    case $2 in
    0) verdict=PASS ;;
    77) verdict=SKIP; echo "skipped: $1: $(tail -n 1 "$3")" ;;
    *) verdict=FAIL; echo "== $1, exit $2: $3"; tail -n 200 "$3" ;;
    esac
    times >"$3.times"
    echo "$verdict $1 $(tail -n 1 "$3.times")" >>long/results          # user and system time
}

case ${1-} in
build)      # NAME
    mkdir -p "long/$2"
    (cd "long/$2" && make_build "$2") >"long/$2.log" 2>&1
    result "build $2" $? "long/$2.log"
    exit ;;
test)       # NAME FOLDER TEST
    log=long/$2-${4##*/}.log
    # Its build was begun before it.
    while [ "$2" != normal ] && ! grep -q " build $2 " long/results; do sleep 1; done
    if [ "$2" != normal ] && ! grep -q "^PASS build $2 " long/results; then
        echo "SKIP $2 $4" >>long/results
        exit
    fi
    "$MAKE" -s --no-print-directory -C "$3" run-test TEST="$4" >"$log" 2>&1
    status=$?
    # make says what its command returned: 77 of a test that cannot run here.
    if [ $status -ne 0 ] && tail -n 1 "$log" | grep -q 'run-test.* 77$'; then
        status=77
        sed -i '$d' "$log"
    fi
    result "$2 $4" $status "$log"
    exit ;;
esac

# ---- all of them ----

level=${EULERCL_TEST_LEVEL:-long}
unset EULERCL_TEST_LEVEL
: "${POCL_CACHE_DIR:=$PWD/tests/pocl-cache}"
export POCL_CACHE_DIR
mkdir -p long
: >long/planned
: >long/results
queue() { tee -a long/planned | xargs -L 1 -P "$(nproc)" env; }
this="sh '$sources/tests/check_long.sh'"

# has NAME COMPILER [EMULATOR]...: whether the tools of a build are there
has() {
    name=$1 compiler=$2
    shift 2
    printf 'int main(void) { return 0; }\n' >long/empty.c
    { "$compiler" -o long/empty long/empty.c && "$@" long/empty; } >long/empty.log 2>&1 && return
    echo "the build $name is skipped: $(head -n 1 long/empty.log)"
    echo "SKIP build $name" | tee -a long/planned >>long/results
    return 1
}
list() { "$MAKE" -s --no-print-directory list LIST="$1"; }
# but TEST...: of all tests of make check those that are left; the longest first, so that a core does not wait for the other one at the end
longest='tests/python/test_python.sh tests/command/test_sides.sh tests/command/test_cli_check.sh tests/command/test_cli.sh tests/test_check tests/command/test_compile.sh'
but() {
    list TESTS | tr ' ' '\n' | grep -vxF "$(printf '%s\n' "$@")" |
        awk -v longest=" $longest " 'index(longest, " " $0 " ") { print; next } { others = others $0 "\n" } END { printf "%s", others }'
}
# tests NAME SETTINGS TEST...: a line of the queue for each, if there is such a build
tests() {
    name=$1 settings=$2 folder=long/$1
    shift 2
    case " normal $builds " in *" $name "*) ;; *) return 0 ;; esac
    [ "$name" != normal ] || folder=.
    for test; do echo "$settings $this test $name $folder $test"; done
}

builds=sanitized
has clang clang && builds="$builds clang"
builds="$builds no-opencl"
# shellcheck disable=SC2086
has aarch64 aarch64-linux-gnu-gcc $emulator && builds="$builds aarch64"

# Not sanitized: bits, time and kernels, into which the sanitizers do not look; oclgrind, which does, cannot run such programs. Leaks of drivers are told by
# their modules, so nothing need be symbolized, which took longer than most of a process does. At the end of a thread the address sanitizer
# releases the stack for signals as if it were its own: where its own is small LLVM, in OpenCL's drivers, has put another one in its place.
asan=symbolize=0:use_sigaltstack=0
bits='tests/opencl/test_races.sh tests/test_functions tests/test_reads tests/test_tile_bits tests/test_accuracy tests/command/test_hashes.sh tests/command/test_functions.sh tests/schedule/prove_tiles.sh
    tests/check_examples.sh tests/check_docs.sh tests/windows/test_mpi.sh'
# What looks at the sources, or at the rules of the build, sees the same in every build.
same='tests/test_style.sh tests/test_circles.sh tests/test_prefix.sh tests/test_lane_shapes.sh'
# Without OpenCL only what asks for it: on host threads these do the same as in this build and under the sanitizers.
calls='tests/command/test_files.sh tests/command/test_stops.sh tests/command/test_resume.sh tests/command/test_compile.sh tests/test_bits tests/test_lanes
    tests/test_tiles tests/test_overlap tests/test_choice tests/test_faults tests/test_plugin tests/test_check
    tests/command/test_cli_check.sh tests/test_interface_tiles tests/test_method tests/test_methods_data tests/test_windows tests/test_replay tests/test_times
    tests/test_lexer'
echo "building in long, and testing: $builds"
{
    # The builds first, and what needs none of them beside them; the longest first, so that the last ones are short.
    for name in $builds; do echo "$this build $name"; done
    # shellcheck disable=SC2046
    tests normal "EULERCL_TEST_LEVEL=$level" tests/opencl/test_races.sh tests/test_method tests/windows/test_mpi.sh tests/test_windows tests/test_tolerance \
        tests/cpu/test_lane_mutants.sh tests/test_tile_bits tests/opencl/test_mutants.sh tests/test_bits tests/schedule/prove_tiles.sh tests/test_lanes tests/test_check \
        tests/command/test_hashes.sh tests/command/test_functions.sh tests/test_plugin tests/check_examples.sh tests/test_functions $(list fuzzers)
    other="EULERCL_REFERENCE='$PWD/cli/eulercl'"
    # Another compiler is tested only with code that it compiled: the bits of half of the problems with the one, of the others on the other processor.
    tests clang "$other EULERCL_TEST_HALF=1 OCL_ICD_VENDORS=/nonexistent EULERCL_REQUIRE_OPENCL=" tests/test_bits tests/test_builds.sh tests/test_lanes \
        tests/test_plugin tests/test_check tests/test_accuracy tests/function_bits tests/test_functions
    tests aarch64 "$other EULERCL_TEST_HALF=0 EULERCL='$PWD/long/aarch64/emulated' EULERCL_REQUIRE_OPENCL=" tests/test_builds.sh
    random='tests/test_bits tests/test_lanes'
    # Half of the turns of long loops over problems; clang's code has the others.
    # shellcheck disable=SC2086
    tests sanitized "ASAN_OPTIONS=$asan EULERCL_TEST_HALF=0 EULERCL_TEST_CASES=50" $random
    # shellcheck disable=SC2046,SC2086
    tests sanitized "ASAN_OPTIONS=$asan EULERCL_TEST_HALF=0" $(but $bits $same $random)
    # shellcheck disable=SC2046,SC2086
    tests no-opencl EULERCL_REQUIRE_OPENCL= $(but $bits $same $calls $(list fuzzers))
} | queue
echo
awk -v planned="$(wc -l <long/planned)" '{ n[$1]++ } END {
    lost = planned - NR                                    # tests without a result
    printf "%d passed, %d failed", n["PASS"], n["FAIL"] + lost
    if (n["SKIP"]) printf ", %d skipped", n["SKIP"]
    print ""
    exit n["FAIL"] + lost > 0
}' long/results
