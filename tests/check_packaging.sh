#!/bin/sh
# Part of make check-packaging: a release, and what is made of it. Runs in the folder of the build.
#
#   make distcheck, without the suites: the release builds outside a read-only source tree, installs into a prefix, passes make installcheck there, and installs
#   into a DESTDIR; uninstall leaves no file, distclean neither.
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
unset MAKEFLAGS MFLAGS MAKELEVEL CFLAGS

echo "== make install and uninstall, into a DESTDIR"
quietly install.log "$MAKE" install DESTDIR="$scratch/installed"
(cd "$scratch/installed" && find . ! -type d | sort)
quietly uninstall.log "$MAKE" uninstall DESTDIR="$scratch/installed"
left=$(cd "$scratch/installed" && find . ! -type d -o -name '*eulercl*')
[ -z "$left" ] || fail "uninstall leaves $left"

echo "== make install, into another prefix than that of configure"
quietly prefix.log "$MAKE" install prefix="$scratch/prefix" && quietly again.log "$MAKE" all
for file in "$scratch/prefix"/lib/pkgconfig/eulercl.pc; do grep -qx "prefix=$scratch/prefix" "$file" || fail "make install prefix=DIR: $(cat "$file")"; done

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
