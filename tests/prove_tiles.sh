#!/bin/sh
# The proof of prove_tiles.cc, by z3; and the same with faults seeded in tile.h, for each of which z3 must find a counterexample.
here=$(cd "$(dirname "$0")" && pwd)
command -v z3 >/dev/null || { echo "z3 is not installed"; exit 77; }
for compiler in "${CXX-}" c++ g++ clang++ ''; do
    [ -n "$compiler" ] && command -v ${compiler%% *} >/dev/null && break
done
[ -n "$compiler" ] || { echo "no C++ compiler"; exit 77; }
scratch=$(mktemp -d "${TMPDIR:-/tmp}/prove_tiles.XXXXXX") || exit 99
trap 'rm -rf "$scratch"' EXIT

# prove MILLISECONDS: from $scratch/tile.h to $scratch/answers, a line for each claim: whether its assumptions are possible, whether its negation
# is, its name.
prove() {
    $compiler -std=c++11 -Wall -Wextra -Wshadow -Wconversion -I"$scratch" -o "$scratch/prove" "$here/prove_tiles.cc" || return 1
    "$scratch/prove" >"$scratch/claims" || return 1
    z3 "-t:$1" "$scratch/claims" >"$scratch/z3" 2>&1
    awk '/^(sat|unsat|unknown|timeout)$/ { line = line $0 " "; next } /error/ { print "error " $0; next }
        { if (name) print line name; name = $0; line = "" } END { print line name }' "$scratch/z3" >"$scratch/answers"
}

cp "$here/../lib/tile.h" "$scratch/tile.h"
prove 60000 || exit 1
proved=$(grep -c '^sat unsat ' "$scratch/answers")
echo "$proved claims proved"
failed=0
if [ "$proved" -ne "$(grep -c '^(echo' "$scratch/claims")" ]; then
    echo "FAIL: not proved:"
    grep -v '^sat unsat ' "$scratch/answers"
    failed=1
fi

# fault NAME TEXT FAULTY-TEXT, the texts without | and as sed reads them
fault() {
    sed "s|$2|$3|" "$here/../lib/tile.h" >"$scratch/tile.h"
    if cmp -s "$here/../lib/tile.h" "$scratch/tile.h"; then
        echo "FAIL: $1: tile.h has no such text as '$2'"
        failed=1
    elif ! prove 2000 || ! grep -q '^sat sat ' "$scratch/answers"; then
        echo "FAIL: $1: no counterexample"
        failed=1
    else
        echo "$1: refuted: $(grep -c '^sat sat ' "$scratch/answers") claims, the first '$(sed -n 's/^sat sat //p' "$scratch/answers" | head -n 1)'"
    fi
}
fault 'rows begin a block late' 'return start + TILE_IF(offset < 0, -offset, offset)' 'return start + 1 + TILE_IF(offset < 0, -offset, offset)'
fault 'halo a block short' 'row.begin - s.halo, 0' 'row.begin - s.halo + s.block, 0'
fault 'right load begins late' 'tile_max(load.left.end, before.end)' 'tile_max(load.left.end, before.end + s.halo)'
fault 'store without the halo' '(first + 1) \* s.block + s.halo' '(first + 1) * s.block'
fault 'last row not stored' 'offset >= s.cut - 1' 'offset >= s.cut'
fault 'last pass missing' 'steps / tile_max(s.cut, 1) + 1' 'steps / tile_max(s.cut, 1)'
fault 'a tile missing' 'tile_total(s) - tile_first(s, pass)' 'tile_total(s) - 1 - tile_first(s, pass)'
fault 'period too short' '2 \* (s.blocks - s.cut)' '2 * (s.blocks - s.cut) - 1'
fault 'shift too short' 'TILE_IF(s.cut < 1, 0, s.blocks - s.cut)' 'TILE_IF(s.cut < 1, 0, s.blocks - s.cut - 1)'
fault 'rows, capacity' '(s.blocks + 2) \* s.block, tile_round' '(s.blocks + 1) * s.block, tile_round'
fault 'columns, capacity' 'tile_min(s.blocks + 2, tile_total' 'tile_min(s.blocks + 1, tile_total'
fault 'columns, origin' '(lowest + offset + s.cut) \* s.block' '(lowest - offset + s.cut) * s.block'
[ "$failed" -eq 0 ]
