#!/bin/sh
# make install prefix=DIR: pkg-config names DIR, whatever configure was told. Installs nothing but eulercl.pc, into a scratch folder, and makes it again as it was.
#
# SPDX-License-Identifier: BSD-2-Clause
set -u
unset MAKEFLAGS MFLAGS MAKELEVEL DESTDIR
scratch=$(mktemp -d "${TMPDIR:-/tmp}/test_prefix.XXXXXX") || exit 99
trap 'rm -rf "$scratch"; "${MAKE:-make}" -s packaging/eulercl.pc' EXIT
fail() { echo "FAIL: $*"; exit 1; }
# installed FOLDER ARGUMENTS...: install with these, and see that all folders in eulercl.pc are those of FOLDER.
installed() {
    folder=$1
    shift
    "${MAKE:-make}" -s install-nodist_pkgconfigDATA "$@" >"$scratch/log" 2>&1 || { cat "$scratch/log"; fail "make install $*"; }
    pc=$(find "$scratch" -name eulercl.pc)
    grep -qxF "prefix=$folder" "$pc" || fail "make install $*: $(cat "$pc")"
    # shellcheck disable=SC2016
    grep -qx 'libdir=${prefix}/lib.*' "$pc" && grep -qxF 'includedir=${prefix}/include' "$pc" || fail "make install $*: $(cat "$pc")"
    if grep '@' "$pc"; then fail "something is not filled in: $(cat "$pc")"; fi
    rm "$pc"
}
installed "$scratch/one" prefix="$scratch/one"
installed "$scratch/two" prefix="$scratch/two" libdir="$scratch/two/lib/x86_64-linux-gnu"
installed /three prefix=/three DESTDIR="$scratch/stage"
echo "pkg-config names the prefix that make install was given"
