#!/bin/sh
# make installcheck: what is installed, used as others use it: pkg-config, CMake, C, C++, Fortran, the shell's completion, man. Folders come from make; what a
# machine has no program for is left out with a message.
set -eu
root=${DESTDIR-}
scratch=$(mktemp -d "${TMPDIR:-/tmp}/check_installed.XXXXXX")
trap 'chmod -R u+w "$scratch"; rm -rf "$scratch"' EXIT
fail() { echo "check_installed: $*" >&2; exit 1; }
have() { command -v "$1" >/dev/null || { echo "skipped: no $1, $2"; return 1; }; }
unset MAKEFLAGS MFLAGS MAKELEVEL

export PKG_CONFIG_PATH="$root$libdir/pkgconfig" LD_LIBRARY_PATH="$root$libdir${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
export PKG_CONFIG_ALLOW_SYSTEM_CFLAGS=1 PKG_CONFIG_ALLOW_SYSTEM_LIBS=1
[ -z "$root" ] || export PKG_CONFIG_SYSROOT_DIR="$root"
eulercl=$root$bindir/eulercl

echo "== pkg-config"
have pkg-config "so nothing can be built" || exit 77
[ "$(pkg-config --modversion eulercl)" = "$version" ] || fail "eulercl.pc is of version $(pkg-config --modversion eulercl)"
grep -qxF "prefix=$prefix" "$root$libdir/pkgconfig/eulercl.pc" || fail "eulercl.pc has another prefix than $prefix: $(cat "$root$libdir/pkgconfig/eulercl.pc")"
cp -R "$root$docdir/examples" "$scratch/examples"
chmod -R u+w "$scratch/examples"
cd "$scratch/examples"
make CC="$CC"
./minimal | tee "$scratch/expected"

# same PROGRAM: it prints what minimal does.
same() { "$1" | diff "$scratch/expected" - || fail "$1 prints something else"; }

if [ -x "$eulercl" ]; then
    echo "== the command finds the same value, in a table and from a plug-in's source"
    "$eulercl" --version | grep -qx "eulercl $version"
    if "$eulercl" list --json >/dev/null 2>&1 && have python3 "so no page is written"; then
        (cd "$scratch" && "$eulercl" compare string --size 20 --backends seq --json >result.json && "$eulercl-report" --report page.html result.json && grep -q '</html>' page.html)
    fi
    (cd "$scratch" && "$eulercl" solve -q string --size 20000 --steps 1000 --h 1e-4 --probe 10000 --every 1000 --out probe.csv)
    sed -n 's/^1000,[^,]*,//p' "$scratch/probe.csv" >"$scratch/probe"
    grep -qF "steps: $(cat "$scratch/probe")" "$scratch/expected" || fail "minimal and the command differ: $(cat "$scratch/probe")"
    "$eulercl" solve -q gray_scott.c -p m=32 --h 1 --steps 10
fi

echo "== C++"
if have c++ "so no C++ is built"; then
    make CXX=c++ CXXFLAGS='-O2 -std=c++17 -Wall -Wextra -pedantic -Werror' minimal_cpp
    same ./minimal_cpp
    echo '#include <eulercl/eulercl.h>' | c++ -std=c++11 -Wall -Wextra -pedantic -Werror -fsyntax-only -x c++ $(pkg-config --cflags eulercl) -
fi
echo '#include <eulercl/eulercl.h>' | $CC -std=c99 -Wall -Wextra -pedantic -Werror -fsyntax-only -x c $(pkg-config --cflags eulercl) -

echo "== Fortran"
if have gfortran "so no Fortran is built"; then
    make FFLAGS='-O2 -std=f2018 -Wall -Wextra -Werror' minimal_fortran
    same ./minimal_fortran
fi

# Look only at files that belong to the library, so that this works in /usr, too.
copy_to() {
    mkdir -p "$1$2" && cp -a "$root$prefix$2/." "$1$2/"
}
libs=${libdir#"$prefix"} includes=${includedir#"$prefix"}
moved=$scratch/moved
if [ "$libs" != "$libdir" ] && [ "$includes" != "$includedir" ]; then
    echo "== an installation that was moved, by pkg-config"
    mkdir -p "$moved$libs/pkgconfig"
    cp -P "$root$libdir"/libeulercl.* "$moved$libs/"
    cp "$root$libdir/pkgconfig/eulercl.pc" "$moved$libs/pkgconfig/"
    copy_to "$moved" "$libs/cmake/eulercl"
    copy_to "$moved" "$includes/eulercl"
    # pkg-config guesses the prefix from PREFIX/lib/pkgconfig, so it is told.
    elsewhere() { env -u PKG_CONFIG_SYSROOT_DIR PKG_CONFIG_PATH="$moved$libs/pkgconfig" pkg-config --define-variable=prefix="$moved" "$@" eulercl; }
    $CC minimal.c $(elsewhere --cflags --libs) -o moved
    LD_LIBRARY_PATH="$moved$libs" same ./moved
    LD_LIBRARY_PATH="$moved$libs" ldd ./moved | grep -qF "$moved" || fail "another library than the moved one is used"
else
    echo "skipped: the folders are not under the prefix, so that nothing can be moved"
fi

echo "== CMake"
# build_by_cmake BUILD PREFIX: all examples, and their output. CMake's programs contain the path of their library.
build_by_cmake() (
    unset LD_LIBRARY_PATH
    cmake -S . -B "$scratch/$1" -DCMAKE_PREFIX_PATH="$2" -DCMAKE_BUILD_TYPE=Release >"$scratch/log" 2>&1 || { cat "$scratch/log"; fail "CMake with $2"; }
    grep -qF "eulercl_DIR:PATH=$2" "$scratch/$1/CMakeCache.txt" || fail "CMake found another eulercl: $(grep eulercl_DIR "$scratch/$1/CMakeCache.txt")"
    cmake --build "$scratch/$1" >"$scratch/log" 2>&1 || { cat "$scratch/log"; fail "building with CMake"; }
    for program in minimal minimal_cpp minimal_fortran; do
        [ ! -x "$scratch/$1/$program" ] || same "$scratch/$1/$program"
    done
    "$scratch/$1/simulation" seq double 2>&1 | tail -n 1
    [ "${3-}" = static ] || ldd "$scratch/$1/minimal" | grep -F "$2" || fail "another library is used"
)
if have cmake "so find_package is not tried"; then
    build_by_cmake cmake "$root$prefix"
    for wanted in 0.2 1 "0.0.1...<0.1.0" "$version.1"; do
        sed "s/find_package(eulercl 0.1/find_package(eulercl $wanted/" CMakeLists.txt >"$scratch/CMakeLists.txt"
        cp minimal.c simulation.c gray_scott.c minimal.cpp eulercl.f90 minimal.f90 "$scratch/"
        if cmake -S "$scratch" -B "$scratch/wrong" -DCMAKE_PREFIX_PATH="$root$prefix" >"$scratch/log" 2>&1; then fail "CMake takes $version for $wanted"; fi
        grep -qF "$version" "$scratch/log" || { cat "$scratch/log"; fail "CMake fails for another reason"; }
        rm -r "$scratch/wrong"
    done
    [ ! -d "$moved" ] || build_by_cmake cmake_moved "$moved"
fi

if [ -d "$moved" ] && [ -f "$moved$libs/libeulercl.a" ]; then
    echo "== the static library, by pkg-config and CMake"
    rm "$moved$libs"/libeulercl.so*
    $CC minimal.c $(elsewhere --static --cflags --libs) -o static
    ! ldd ./static | grep libeulercl || fail "a shared library is used"
    same ./static
    if have cmake "so find_package is not tried"; then build_by_cmake cmake_static "$moved" static; fi
fi

if [ -x "$eulercl" ]; then
    echo "== completion"
    # candidates EXPECTED WORD...: all EXPECTED are among the candidates for the last word.
    candidates() {
        expected=$1
        shift
        bash "$sources/tests/command/completion.bash" "$root$completionsdir/eulercl" "$eulercl" "$@" >"$scratch/candidates" || fail "completion of: $*"
        for word in $expected; do
            grep -qxF -e "$word" "$scratch/candidates" || fail "completion of 'eulercl $*' lacks $word, and has: $(paste -sd' ' "$scratch/candidates")"
        done
    }
    # only EXPECTED WORD...: there are no other words.
    only() {
        candidates "$@"
        [ "$(wc -l <"$scratch/candidates")" -eq "$(echo "$1" | wc -w)" ] || fail "completion of too much: $(paste -sd' ' "$scratch/candidates")"
    }
    if [ ! -f "${BASH_COMPLETION:-/usr/share/bash-completion/bash_completion}" ]; then
        echo "skipped: no bash-completion"
    else
        candidates "$(sed -n 's/^    {"\([a-z]*\)", [a-z]*_main.*/\1/p' "$sources/cli/command/main.c") --help" ""
        only solve sol
        candidates "--backend= --out= -p --json --quiet" solve -
        only --t-end= solve bruss2d --t-
        candidates "string bruss2d gray_scott.c" solve ""
        only bruss2d check brus
        only "m= alpha= A= B=" solve bruss2d -p ""
        candidates "seq auto cl-register" solve --backend=
        only "$("$eulercl" list | sed -n '/^Methods/,/^[AB]/s/^  \([^ ]*\) .*/\1/p')" solve --method ""
        only "euler,rk4 euler,rkl2" compare string --methods euler,rk
        only "rk4 rkl2" check --method=rk
        only "cl-linear cl-row-diamond cl-column-diamond cl-honeycomb cl-register" solve --backend cl
        only "vector strided chunked" solve string --backend=cl-linear --variant=
        only "seq,cpu" bench --backends=seq,cp
        only "$("$eulercl" list | sed -n '/^Backends/,/^$/s/^  \([^ ]*\) .*/seq,cpu,\1/p' | grep -v 'cpu,seq$\|cpu,cpu$') seq,cpu,all" compare string --backends seq,cpu,
        only "float,double" compare --precisions float,
        candidates "seq cpu cl-linear" compare string --baseline ""
        candidates "time: speedup: work-precision:" compare string --plot=
        only "float double" tune --precision ""
        only "auto estimate measure" solve --plan=
        only "fixed clamp mirror periodic" new --boundary ""
        only "1 2" new --grid=
        candidates "cpu gpu" check --device=
        candidates "mean,min mean,rms" solve --monitor=mean,
        only "show export import forget path" wisdom ""
        touch state.npy state.txt state.svg state.gp state.csv state.html
        only state.svg compare --plot stat
        only state.svg compare --plot=speedup:stat
        only state.html compare --report stat
        only state.npy solve --in stat
        only state.npy wisdom import state.n
    fi
fi

echo "== manual pages"
set -- "$root$mandir"/man3/eulercl.3*
case $1 in *.gz) gzip -dc "$1" ;; *) cat "$1" ;; esac >"$scratch/page"
# every function and every status of the header is there
header=$root$includedir/eulercl/eulercl.h
for name in $(sed -n 's/^EULERCL_API .*[ *]\(eulercl_[a-z_]*\)(.*/\1/p' "$header") $(sed -n '/^enum eulercl_status {/,/^}/s/^ *\(EULERCL_[A-Z_]*\) =.*/\1/p' "$header"); do
    grep -qwF "$name" "$scratch/page" || fail "eulercl(3) does not mention $name"
done
for page in "$root$mandir"/man[135]/eulercl*; do
    case $page in *.gz) gzip -dc "$page" ;; *) cat "$page" ;; esac >"$scratch/page"
    if have groff "so warnings of $page are not seen"; then
        groff -man -Tutf8 -ww -z "$scratch/page" 2>"$scratch/log"
        [ ! -s "$scratch/log" ] || { cat "$scratch/log"; fail "$page has warnings"; }
    fi
    if have man "so $page is not shown"; then
        LC_ALL=C.UTF-8 MANROFFSEQ='' MANWIDTH=80 man --warnings -E UTF-8 -l -Tutf8 -Z "$scratch/page" >/dev/null 2>"$scratch/log"
        [ ! -s "$scratch/log" ] || { cat "$scratch/log"; fail "$page has warnings"; }
    fi
done
echo "all as it should be"
