#!/bin/sh
# The commands of the documents are run as they are printed there. A block that begins with ```sh
# is run. A block that begins with ```c NAME (or another language and a name) is written to the file
# NAME. All other blocks are skipped. One document is one shell, from its first line to its last, in
# a folder like a clone.
#
#   check_docs.sh         README.md with this build, in the normal suite, without blocks ```sh build
#   check_docs.sh all     make check-docs: install.md, README.md, backends.md, methods.md, the tutorial
#                         and the gallery, in an unpacked distribution, from ./quickstart to make install
#
# Words after ```sh name what a block needs: build, ffmpeg, gnuplot, gsl, h5py. The pictures of a document
# must be among the files that their commands wrote, in the folder in
# which the document ends, but for live.png, the page of eulercl live in a browser.
set -eu
all=${1-}
build=$PWD
sources=$(cd "${EULERCL_TEST_SOURCES:-$(dirname "$0")/..}" && pwd)
scratch=$build/tests/check_docs.tmp
rm -rf "$scratch"
mkdir -p "$scratch/bin" "$scratch/home"
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM
skip() { echo "$*"; [ -z "$all" ] || exit 1; exit 77; }

configured() { echo "@$1@" | ./config.status --quiet --file=-; }
for part in OPENCL JANSSON CAIRO HDF5 XXHASH; do
    grep -q "define HAVE_$part 1" config.h || skip "the documents describe a build with $part"
done
case $(configured CFLAGS) in *-fsanitize*) skip "the documents describe a build without sanitizers" ;; esac
[ -x cli/eulercl ] || skip "the documents describe a build with the command"
cli/eulercl devices >/dev/null || { [ "${EULERCL_REQUIRE_OPENCL-}" != 1 ] || exit 1; skip "the documents need an OpenCL device"; }

# A user's machine: the library is installed under a root folder of its own, python3 is the Python
# that has h5py, and the home folder is empty.
stand_in() { { echo '#!/bin/sh'; cat; } >"$scratch/bin/$1"; chmod +x "$scratch/bin/$1"; }
stand_in sudo <<EOF
[ "\$1" = make ] || exec "\$@"
exec "\$@" DESTDIR='$scratch/root'
EOF
echo 'exit 0' | stand_in ldconfig
for python in python3 /usr/bin/python3; do
    if "$python" -c 'import h5py' 2>/dev/null; then ln -s "$(command -v "$python")" "$scratch/bin/python3"; break; fi
done
bindir=$scratch/root$(eval "prefix=$(configured prefix) exec_prefix=$(configured prefix); echo $(configured bindir)")
libdir=$scratch/root$(eval "prefix=$(configured prefix) exec_prefix=$(configured prefix); echo $(configured libdir)")
if [ -n "$all" ]; then
    bindir=$scratch/root/usr/local/bin libdir=$scratch/root/usr/local/lib     # as ./quickstart configures it
    make distdir distdir="$scratch/clone" >"$scratch/log" 2>&1 || { cat "$scratch/log"; exit 1; }
    chmod -R u+w "$scratch/clone"
else
    make install DESTDIR="$scratch/root" >"$scratch/log" 2>&1 || { cat "$scratch/log"; exit 1; }
    mkdir "$scratch/clone"
    ln -s "$sources"/* "$scratch/clone"
    rm -f "$scratch/clone/build"
    ln -s "$build" "$scratch/clone/build"
fi
stand_in pkg-config <<EOF
case "\$*" in *eulercl*) ;; *) exec $(command -v pkg-config) "\$@" ;; esac
export PKG_CONFIG_PATH='$libdir/pkgconfig' PKG_CONFIG_SYSROOT_DIR='$scratch/root' PKG_CONFIG_ALLOW_SYSTEM_CFLAGS=1 PKG_CONFIG_ALLOW_SYSTEM_LIBS=1
exec $(command -v pkg-config) "\$@"
EOF
CC=$(configured CC)
export CC HOME="$scratch/home" PATH="$scratch/bin:$bindir:$PATH" LD_LIBRARY_PATH="$libdir${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
export MAKEFLAGS=' -- TESTS= check_PROGRAMS= check_LTLIBRARIES='
# `make check` in a document must run nothing: this script is one of its tests.
unset MFLAGS MAKELEVEL

has() {
    case $1 in
    build) [ -n "$all" ] ;;
    h5py) [ -e "$scratch/bin/python3" ] ;;
    gsl) pkg-config --exists gsl ;;
    gnuplot) command -v gnuplot >/dev/null && command -v python3 >/dev/null ;;
    *) command -v "$1" >/dev/null ;;
    esac
}
needs=
for need in $(sed -n 's/^```sh \(.*\)/\1/p' "$sources/README.md" "$sources"/doc/*.md | tr ' ' '\n' | sort -u); do
    if has "$need"; then needs="$needs $need "; elif [ -n "$all" ]; then skip "the documents need $need"; else echo "skipped: blocks that need $need"; fi
done

# document FILE: run it. A file is written at the place of its block.
document() {
    echo "== $1"
    awk -v needs="$needs" '
        function wanted(words,  i, n, w) { n = split(words, w, " "); for (i = 1; i <= n; i++) if (!index(needs, " " w[i] " ")) return 0; return 1 }
        inside && /^```$/ { print file ? "END_OF_" "FILE" : ""; inside = file = run = 0; next }
        !inside && /^```/ {
            inside = 1; words = $0; sub(/^```[a-z]* */, "", words)
            if ($0 ~ /^```sh( |$)/) { run = wanted(words); print "" }
            else if (words != "") { file = 1; print "cat >" words " <<\"END_OF_" "FILE\"" }
            else print ""
            next
        }
        { print run || file ? $0 : "" }
        END { if (inside) { print "a block does not end" >"/dev/stderr"; exit 1 } }' "$sources/$1" >"$scratch/script"
    for picture in $(sed -n '/live\.png)$/d; s/^!\[.*](\(.*\))$/\1/p' "$sources/$1"); do
        echo "test -s '${picture##*/}'" >>"$scratch/script"
    done
    (cd "$scratch/clone" && PS4="+ ${1##*/}: " sh -eux "$scratch/script") || { echo "FAILED in $1: see the last command above"; exit 1; }
}
[ -z "$all" ] || document doc/install.md     # first: it installs the command
document README.md
[ -z "$all" ] || for name in backends methods tutorial gallery; do document doc/$name.md; done
