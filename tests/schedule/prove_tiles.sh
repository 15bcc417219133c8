#!/bin/sh
# The proof of prove_tiles.cc, about the geometry headers in lib/schedule, by z3; and the same with faults seeded in these headers, for each of which z3 must find a counterexample.
here=$(cd "$(dirname "$0")" && pwd)
command -v z3 >/dev/null || { echo "z3 is not installed"; exit 77; }
for compiler in "${CXX-}" c++ g++ clang++ ''; do
    [ -n "$compiler" ] && command -v ${compiler%% *} >/dev/null && break
done
[ -n "$compiler" ] || { echo "no C++ compiler"; exit 77; }
scratch=$(mktemp -d "${TMPDIR:-/tmp}/prove_tiles.XXXXXX") || exit 99
trap 'rm -rf "$scratch"' EXIT

# prove MILLISECONDS [stop]: from the headers in $scratch to $scratch/answers, a line for each claim: whether its assumptions are possible, whether its negation is,
# its name. stop: at the first one that is refuted.
prove() {
    $compiler -std=c++11 -Wall -Wextra -Wshadow -Wconversion -I"$scratch" -o "$scratch/prove" "$here/prove_tiles.cc" || return 1
    "$scratch/prove" >"$scratch/claims" || return 1
    z3 "-t:$1" "$scratch/claims" 2>&1 | awk -v stop="${2-}" '/error/ { print "error " $0; next }
        /^(sat|unsat|unknown|timeout)$/ {
            line = line $0 " "
            if (++answers == 2) print line name
            if (stop && line == "sat sat ") exit
            next
        }
        { name = $0; line = ""; answers = 0 }' >"$scratch/answers"
}

lib=$here/../../lib
cp "$lib"/schedule/*_geometry.h "$scratch"
prove 60000 || exit 1
proved=$(grep -c '^sat unsat ' "$scratch/answers")
echo "$proved claims proved"
failed=0
if [ "$proved" -ne "$(grep -c '^(echo' "$scratch/claims")" ]; then
    echo "FAIL: not proved:"
    grep -v '^sat unsat ' "$scratch/answers"
    failed=1
fi

# Without a level (see tests/local.mk) that is all; with the level long every sixth fault is seeded.
[ -n "${EULERCL_TEST_LEVEL-}" ] || { [ "$failed" -eq 0 ]; exit; }

# fault NAME TEXT FAULTY-TEXT, the texts without | and as sed reads them; in the header $header
header=schedule/diamond_geometry.h
turn=0
fault() {
    turn=$((turn + 1))
    sed "s|$2|$3|" "$lib/$header" >"$scratch/${header##*/}"
    if cmp -s "$lib/$header" "$scratch/${header##*/}"; then
        echo "FAIL: $1: $header has no such text as '$2'"
        failed=1
    elif [ $((turn % 6)) -ne 0 ] && [ "$EULERCL_TEST_LEVEL" != all ]; then
        return 0
    elif ! prove 1000 stop || ! grep -q '^sat sat ' "$scratch/answers"; then
        echo "FAIL: $1: no counterexample"
        failed=1
    else
        echo "$1: refuted: '$(sed -n 's/^sat sat //p' "$scratch/answers")'"
    fi
}
fault 'levels begin a block late' 'return start + TILE_IF(offset < 0, -offset, offset)' 'return start + 1 + TILE_IF(offset < 0, -offset, offset)'
fault 'halo a block short' 'range.begin - s.halo, 0' 'range.begin - s.halo + s.block, 0'
fault 'right load begins late' 'tile_max(load.left.end, before.end)' 'tile_max(load.left.end, before.end + s.halo)'
fault 'store without the halo' 'ends.begin + s.block + s.halo, range.end' 'ends.begin + s.block, range.end'
fault 'last level not stored' 'offset >= s.cut - 1' 'offset >= s.cut'
fault 'last pass missing' 'steps / tile_max(s.cut, 1) + 1' 'steps / tile_max(s.cut, 1)'
fault 'a tile missing' 'tile_total(s) - tile_first(s, pass)' 'tile_total(s) - 1 - tile_first(s, pass)'
fault 'period too short' '2 \* (s.blocks - s.cut)' '2 * (s.blocks - s.cut) - 1'
fault 'shift too short' 'TILE_IF(s.cut < 1, 0, s.blocks - s.cut)' 'TILE_IF(s.cut < 1, 0, s.blocks - s.cut - 1)'
fault 'rows, capacity' '(s.blocks + 2) \* s.block, tile_round' '(s.blocks + 1) * s.block, tile_round'
fault 'columns, capacity' 'tile_min(s.blocks + 2, tile_total' 'tile_min(s.blocks + 1, tile_total'
fault 'columns, origin' '(lowest + offset + s.cut) \* s.block' '(lowest - offset + s.cut) * s.block'
fault 'reach, a level less' '(s.blocks - 1) / 2' '(s.blocks - 1) / 2 - 1'
fault 'reach, a level more at the end' 'tile_total(s) - 1 - start' 'tile_total(s) - start'
fault 'ends below grow at the middle' 'TILE_IF(offset < 0, -s.block, s.block)' 'TILE_IF(offset < 1, -s.block, s.block)'
fault 'inner on the left without the halo' 'start \* s.block - s.halo < 0' 'start * s.block < 0'
fault 'inner on the right without the halo' '(start + s.blocks) \* s.block + s.halo)' '(start + s.blocks) * s.block)'
fault 'fetch, no level below the top one' 'first + which + count / 2 \* 2' 'first + which'
fault 'fetch, two levels more' 'count / 2 \* 2 - middle' '(count / 2 + 1) * 2 - middle'
fault 'fetch, levels of both kinds' 'count / 2 \* 2 - middle' 'count - middle'
fault 'fetch, none if all is below the middle' 'tile_max(tile_min(middle, last), first) - first' 'tile_min(middle, last) - first'
fault 'fetch, of the other kind' 'tile_ends(s, start, first + which - middle)' 'tile_ends(s, start, first - middle)'
fault 'fetch, a halo short on the left' 'low.begin - s.halo' 'low.begin'
fault 'fetch, a halo too long on the right' 'low.end + s.halo, s.n' 'low.end + s.halo + s.halo, s.n'
fault 'fetch, a block short inside' 'top.begin + s.block, s.n' 'top.begin, s.n'
fault 'fetch, a block too long inside' 'tile_clip(top.end - s.block' 'tile_clip(top.end - s.block - s.block'
fault 'write back, a halo short on the left' 'low.begin + s.block + s.halo, s.n' 'low.begin + s.block, s.n'
fault 'write back, a halo short on the right' 'low.end - s.block - s.halo' 'low.end - s.block'
fault 'write back, levels of both kinds' 'tile_max(count, 0) / 2 \* 2' 'tile_max(count, 0)'
fault 'write back, levels above the middle' 'last - which - tile_max(middle, first)' 'last - which - first'
fault 'write back, levels above the first one' 'last - which - tile_max(middle, first)' 'last - which - tile_max(middle, first - 2)'
fault 'write back, the lowest level only' 'tile_max(count, 0) / 2 \* 2' '0'
fault 'write back, nothing of which = 1' 'some \&\& !(low.begin < 0)' 'which < 1'
fault 'write back, of which = 1 where no level stores' '!(count < 0)' '!(count < -1)'
cp "$lib/$header" "$scratch"
header=schedule/overlap_geometry.h
fault 'tiles a point too far apart' 'o.tile - 2 \* o.halo, 1)' 'o.tile - 2 * o.halo + 1, 1)'
fault 'a tile too few' '(to_cover + stride - 1) / stride);' 'to_cover / stride);'
fault 'a tile too few on a ring' 'o.n, o.n - 2 \* o.halo)' 'o.n - 2 * o.halo, o.n - 2 * o.halo)'
fault 'tiles too many on a line' 'o.n, o.n - 2 \* o.halo)' 'o.n, o.n)'
fault 'the last not shifted back' 'TILE_IF(at < o.n - o.tile, at, o.n - o.tile)' 'at'
fault 'shifted back too far' 'at, o.n - o.tile))' 'at, o.n - o.tile - 1))'
fault 'a ring without halo in front' 'at - o.halo, TILE_IF' 'at, TILE_IF'
fault 'kept from the begin of the tile' '0, at + o.halo)' '0, at)'
fault 'kept a point late' '0, at + o.halo)' '0, at + o.halo + 1)'
fault 'the first keeps less' 'TILE_IF(tile < 1, 0' 'TILE_IF(tile < 1, o.halo'
fault 'the last keeps less' 'overlap_count(o), o.n' 'overlap_count(o), o.n - 1'
fault 'below the grid not wrapped' 'rest + o.n, rest' 'rest, rest'
fault 'strips without gaps between them' 'return at / (o.rows + o.gap)' 'return at / o.rows'
fault 'a piece that goes on in the next strip' 'TILE_IF(next < end, next, end)' 'end'
fault 'a piece that goes on behind its part' 'TILE_IF(next < end, next, end)' 'next'
fault 'rows in the gap' 'TILE_IF(row < o.rows, row, o.rows)' 'row'
fault 'a row fewer' 'TILE_IF(row < o.rows, row, o.rows)' 'TILE_IF(row < o.rows, row, o.rows - 1)'
fault 'the end of a strip too early' 'overlap_strip(o, at) + 1)' 'overlap_strip(o, at))'
cp "$lib/$header" "$scratch"
header=schedule/deal_geometry.h
fault 'lanes rounded down' '(n + lanes - 1) / lanes' 'n / lanes'
fault 'lanes a point longer' '(n + lanes - 1) / lanes' 'n / lanes + 1'
fault 'lanes dealt without the last' '(lanes - 1);' 'lanes;'
fault 'lanes end to end' 'lane \* (n - deal_points(n, lanes)) / (lanes - 1)' 'lane * deal_points(n, lanes)'
fault 'lanes begin a point late' 'return lane \* (n - deal_points' 'return lane * (n + 1 - deal_points'
fault 'parts without the rest' 'part \* share + TILE_IF(part < rest, part, rest)' 'part * share'
fault 'the rest to one part' 'TILE_IF(part < rest, part, rest)' 'TILE_IF(part < 1, 0, rest)'
fault 'the rest counted a part late' 'TILE_IF(part < rest, part, rest)' 'TILE_IF(part < rest, part, rest - 1)'
fault 'reach down, a ring as a line' 'TILE_IF(periodic > 0, begin - halo, TILE_IF(begin > halo' 'TILE_IF(periodic > 1, begin - halo, TILE_IF(begin > halo'
fault 'reach down, beyond a line' 'TILE_IF(begin > halo, begin - halo, 0)' 'begin - halo'
fault 'reach down, a point short' 'TILE_IF(begin > halo, begin - halo, 0)' 'TILE_IF(begin > halo, begin - halo + 1, 0)'
fault 'reach down, cut where there is room' 'TILE_IF(begin > halo, begin - halo, 0)' 'TILE_IF(begin > halo, begin - halo, begin)'
fault 'reach down, a halo too far on a ring' 'TILE_IF(periodic > 0, begin - halo' 'TILE_IF(periodic > 0, begin - halo - 1'
fault 'reach up, without the halo' 'TILE_IF(periodic > 0, end + halo' 'TILE_IF(periodic > 0, end'
fault 'reach up, beyond a line' 'TILE_IF(end < n - halo, end + halo, n)' 'end + halo'
fault 'reach up, a point short of the end' 'TILE_IF(end < n - halo, end + halo, n)' 'TILE_IF(end < n - halo, end + halo, n - 1)'
fault 'reach up, a point short' 'TILE_IF(end < n - halo, end + halo, n)' 'TILE_IF(end < n - halo, end + halo - 1, n)'
[ "$failed" -eq 0 ]
