#!/bin/sh
# The Python package: built against this library, installed into a folder, and its tests there.
#
# SPDX-License-Identifier: BSD-2-Clause
build=$PWD
. "$(dirname "$0")/../cli.sh"
can solve string --size 20 --steps 0 --backend seq || { echo "the command cannot solve"; exit 1; }
"$eulercl" solve string --size 20 --steps 0 | grep -q '^hash' || { echo "skipped: built without xxHash"; exit 77; }
[ -e "$build/lib/.libs/libeulercl.so" ] || { echo "skipped: built without a shared library"; exit 77; }
grep -q '^CFLAGS = .*-fsanitize' "$build/Makefile" && { echo "skipped: Python does not run with sanitizers"; exit 77; }
modules='import cffi, numpy, setuptools, sys, sysconfig, os, xxhash
sys.exit(sys.version_info < (3, 11) or not os.path.exists(sysconfig.get_path("include") + "/Python.h"))'
for python in python3 /usr/bin/python3 none; do
    "$python" -c "$modules" 2>/dev/null && break
done
[ "$python" != none ] || {
    echo "skipped: needs Python 3.11 with its headers, cffi, NumPy, setuptools and xxhash (Debian: python3-dev python3-cffi python3-numpy python3-setuptools python3-xxhash)"
    exit 77
}
# The answers of pkg-config about a library that is not installed.
mkdir pc && cat >pc/eulercl.pc <<EOF || exit 99
Name: eulercl
Description: the library of this build
Version: 0
Libs: -L$build/lib/.libs -leulercl
Cflags: -I$sources/include -ffp-contract=off
EOF
# setuptools writes beside the sources, which may be read-only.
cp -R "$sources/python" package && chmod -R u+w package || exit 99
mkdir doc && cp -R "$sources/doc/gallery.md" "$sources/doc/gallery" doc/ && cp -R "$sources/examples" . || exit 99
if ! (cd package && PKG_CONFIG_PATH=$scratch/pc "$python" setup.py -q build --build-lib "$scratch/installed") >log 2>&1; then
    cat log
    exit 1
fi
export EULERCL="$eulercl" EULERCL_TEST_SOURCES="$sources"
export XDG_CACHE_HOME=$scratch/cache PYTHONPATH=$scratch/installed
export LD_LIBRARY_PATH="$build/lib/.libs${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
failed=0
for test in test_eulercl test_observe test_select test_operators test_volume test_live; do "$python" package/tests/$test.py || failed=1; done
exit $failed
