#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# There are no circles of files in lib/ and cli/: if a file calls functions of another file, that file calls
# none of the first, also not through others. Calls through tables of functions do not count. nm of
# the objects lists the calls.
# usage: test_circles.sh [FOLDER...], in the build's folder
[ $# -gt 0 ] || set -- lib cli
nm=${NM:-nm}
command -v "${nm%% *}" >/dev/null || { echo "skipped: no nm"; exit 77; }

# Objects are LIBRARY_la-FILE.o, PROGRAM-FILE.o or FILE.o, perhaps in .libs as well.
objects=$(find "$@" -name '*.o' 2>/dev/null)
[ -n "$objects" ] || { echo "skipped: no objects in $*"; exit 77; }
sources=${EULERCL_TEST_SOURCES:-$(dirname "$0")/..}
for object in $objects; do
    file=$(echo "$object" | sed 's|/\.libs/|/|; s|[^/]*-\([^/]*\)$|\1|; s|\.o$|.c|')
    [ -f "$sources/$file" ] || [ -f "$file" ] || continue # of an earlier build
    $nm -P -g "$object" | sed "s|^|$file |"
done | awk '
    # FILE SYMBOL KIND ...
    { file[$1] = 1 }
    $3 == "U" { uses[$1 " " $2] = 1; next }
    $3 == "T" || $3 == "W" { owner[$2] = $1 }
    END {
        for (pair in uses) {
            split(pair, part, " ")
            if (part[2] in owner && owner[part[2]] != part[1]) { edge[part[1], owner[part[2]]] = part[2]; edges++ }
        }
        for (f in file) { files++; for (g in file) if ((f, g) in edge) reach[f, g] = 1 }
        for (k in file) for (f in file) if ((f, k) in reach) for (g in file) if ((k, g) in reach) reach[f, g] = 1
        for (f in file) if ((f, f) in reach) {
            circles++
            for (g in file) if ((f, g) in edge && (g, f) in reach) print f " calls " edge[f, g] " of " g
        }
        print files " files, " edges " calls, " circles + 0 " files in circles"
        exit circles > 0 || files < 2
    }'
