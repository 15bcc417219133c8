#!/bin/sh
# Faults seeded in the kernels and in the kernels' copy of lib/tile.h: each must be caught on a few tuples of tests/races.c, by a report of oclgrind or by other bits
# than seq's. Without a fault the same tuples pass. races puts the fault into the program's text (-r), which must contain what is replaced once.
races=${EULERCL_RACES:-$PWD/tests/races}
command -v oclgrind >/dev/null || { echo "oclgrind is not installed"; exit 77; }
[ -x "$races" ] || { echo "$races is not built (it needs Check)"; exit 77; }
scratch=$(mktemp -d "${TMPDIR:-/tmp}/test_mutants.XXXXXX") || exit 99
trap 'rm -rf "$scratch"' EXIT
oclgrind "$races" 0 0 >"$scratch/out" 2>&1 || { echo "oclgrind does not run here: $(head -n 1 "$scratch/out")"; exit 77; }

# run SET OUTPUT [-r ...]: tuples of one way to store rows. -> the exit code
run() {
    case $1 in
    local) where='288 8' ;;          # rod_fixed: one dimension, radius 2, any tail
    global) where='296 8' ;;
    column) where='304 8' ;;
    columns) where='312 8' ;;
    column-cut) where='16 8' ;;      # string: honeycombs of several rows
    columns-cut) where='24 8' ;;
    local-2d) where='32 8' ;;        # bruss2d
    column-2d) where='48 8' ;;
    global-t) where='264 4' ;;       # forced_wave: a right-hand side that depends on t
    esac
    output=$2
    shift 2
    # shellcheck disable=SC2086
    timeout 300 oclgrind --data-races --uniform-writes --max-errors 20 "$races" "$@" $where >"$output" 2>&1
}

# seed SET NAME OLD=>NEW OUTPUT: says how it was caught
seed() {
    run "$1" "$4" -r "$3"
    code=$?
    reports=$(grep -cE 'data race at|^Invalid (read|write)|ivergence' "$4")
    different=$(grep -c '^    differs: ' "$4")
    kinds=$(grep -oE '[A-Za-z]+-write data race|Invalid (read|write)|[A-Za-z]+ divergence' "$4" | sort -u | tr '\n' ',' | sed 's/,$//; s/,/, /g')
    if grep -q '^stopped' "$4"; then echo "FAIL: $1: $2: $(grep '^stopped' "$4")"
    elif [ "$reports" -gt 0 ] || [ "$different" -gt 0 ]; then echo "$1: $2: caught by $reports reports${kinds:+ ($kinds)}, other bits of $different tuples"
    elif [ $code -gt 1 ]; then echo "$1: $2: caught, the run did not end well (exit $code)"
    else echo "FAIL: $1: $2: not caught"
    fi
}

# Two at a time. `sets` remembers what ran.
sets=
seeded=0
fault() {
    seeded=$((seeded + 1))
    case " $sets " in *" $1 "*) ;; *) sets="$sets $1" ;; esac
    seed "$1" "$2" "$3" "$scratch/out.$seeded" >"$scratch/verdict.$seeded" &
    [ $((seeded % 2)) -eq 1 ] || wait
}

# ---- barriers ----
for set in local global column; do
    fault $set 'no barrier between rows' 'barrier(TILE_FENCE);
        ends=>ends'
    fault $set 'a barrier between rows that only some items reach' 'barrier(TILE_FENCE);
        ends=>if (row.begin + (ode_offset)get_local_id(0) * TILE_UNIT < row.end) barrier(TILE_FENCE);
        ends'
done
fault global 'fence of the wrong memory' 'define TILE_FENCE CLK_GLOBAL_MEM_FENCE=>define TILE_FENCE CLK_LOCAL_MEM_FENCE'
fault local 'no barrier after the fetch' 'first, last, 1));
        barrier(TILE_FETCHED);=>first, last, 1));'
fault column 'no barrier after the fetch' 'tile_load(shape, row, above));
        barrier(TILE_FETCHED);=>tile_load(shape, row, above));'
fault columns 'no barrier after the fetch' 'barrier(TILE_FETCHED);=>'
for set in local column columns; do
    fault $set 'the barrier after the fetch orders local memory only' 'CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE=>CLK_LOCAL_MEM_FENCE'
done
fault local 'no barrier before the next tile' 'first, last, 1));
        barrier(CLK_LOCAL_MEM_FENCE);=>first, last, 1));'
fault columns 'no barrier before the next tile' '            }
        barrier(CLK_LOCAL_MEM_FENCE);=>            }'
for set in column columns; do
    fault $set 'no barrier before new values overwrite old ones' 'if (TILE_STORAGE == TILE_COLUMN) barrier(CLK_LOCAL_MEM_FENCE);=>'
    fault $set 'that barrier, where an item has work' 'if (TILE_STORAGE == TILE_COLUMN) barrier=>if (TILE_STORAGE == TILE_COLUMN && i < part.end) barrier'
done

# ---- buffers and parity ----
fault local 'buffers not swapped' '{above.next, above.y,=>{above.y, above.next,'
fault global 'buffers not swapped' '{above.next, above.y,=>{above.y, above.next,'
for set in local global column columns; do fault $set 'wrong parity' 'place.state = level & 1 ? odd : even=>place.state = level & 1 ? even : odd'; done
fault local 'fetch of the other parity' 'tile_fetch_all(shape, start, middle, first, last, 1)=>tile_fetch_all(shape, start, middle, first, last, 0)'
fault local 'flush from the wrong buffer' 'even_rows = (last - first) % 2 == 0=>even_rows = (last - first) % 2'
fault column 'a level a block too far down' 'above.next_origin + s.block=>above.next_origin + 2 * s.block'
fault columns 'levels in the wrong direction' '(lowest + offset + s.cut) * s.block=>(lowest - offset + s.cut) * s.block'

# ---- halos ----
fault local 'halo four short at the left' 'tile_clip(low.begin - s.halo, s.n)=>tile_clip(low.begin - s.halo + 4, s.n)'
fault local-2d 'halo four short at the right' 'tile_clip(low.end + s.halo, s.n)=>tile_clip(low.end + s.halo - 4, s.n)'
for set in column columns; do
    fault $set 'halo four short at the left' 'tile_max(row.begin - s.halo, 0)=>tile_max(row.begin - s.halo + 4, 0)'
    fault $set 'halo four short at the right' 'tile_min(row.end + s.halo, s.n)=>tile_min(row.end + s.halo - 4, s.n)'
done
fault column-2d 'halo eight short at the left' 'tile_max(row.begin - s.halo, 0)=>tile_max(row.begin - s.halo + 8, 0)'
fault column-2d 'halo eight short at the right' 'tile_min(row.end + s.halo, s.n)=>tile_min(row.end + s.halo - 8, s.n)'
fault local 'tiles at the left end taken for inner ones' '!(start * s.block - s.halo < 0) && =>'
fault local 'tiles at the right end taken for inner ones' '!(s.n < (start + s.blocks) * s.block + s.halo)=>1'

# ---- tails ----
fault local 'the last of a tail not flushed' 'if (i + k < end) state[i + k]=>if (i + k + 1 < end) state[i + k]'
fault local 'no vector for a tail' '(range).begin + 3) / 4=>(range).begin) / 4'
for set in global column columns; do fault $set 'the last of a tail not stored' 'if ((i) + ode_k < (end))=>if ((i) + ode_k + 1 < (end))'; done
for set in local global column columns; do fault $set 'a whole vector taken for a tail' '(i) + 4 <= (end)=>(i) + 4 < (end)'; done
fault local 'the last of a tail not computed' 'if (i + k < end) value[k]=>if (i + k + 1 < end) value[k]'

# ---- stores ----
fault local 'flush at the left a block short' 'low.begin + s.block + s.halo=>low.begin + s.halo'
fault local 'flush at the right a block short' 'low.end - s.block - s.halo=>low.end - s.halo'
fault local 'flush at the left a block too far' 'low.begin + s.block + s.halo=>low.begin + 2 * s.block + s.halo'
fault local 'flush begins a block too early' 'begin = tile_clip(top.begin, s.n)=>begin = tile_clip(top.begin - s.block, s.n)'
fault local 'flush ends a block too late' 'end = tile_clip(top.end, s.n)=>end = tile_clip(top.end + s.block, s.n)'
for set in column-cut columns-cut; do
    fault $set 'store at the left a block short' 'ends.begin + s.block + s.halo=>ends.begin + s.halo'
    fault $set 'store at the right a block short' 'right_begin = ends.end - s.block - s.halo=>right_begin = ends.end - s.halo'
done
fault column 'last row of a tile not stored' 'offset >= s.cut - 1=>offset >= s.cut'

# ---- tiles ----
for set in local columns; do
    fault $set 'tiles computed by several work-groups' 'tile += (ode_offset)get_num_groups(0)=>tile += 1'
    fault $set 'a tile missing' 'tile_ceil(tile_total(s) - tile_first(s, pass)=>tile_ceil(tile_total(s) - 1 - tile_first(s, pass)'
done
fault global 'tiles too close' 'return TILE_IF(s.cut < 1, s.blocks, 2 * (s.blocks - s.cut))=>return TILE_IF(s.cut < 1, s.blocks, 2 * (s.blocks - s.cut) - 1)'
fault global-t 'time of the next step' 'times[level - 1]=>times[level]'
wait
number=0
while [ $number -lt $seeded ]; do
    number=$((number + 1))
    cat "$scratch/verdict.$number"
done >"$scratch/verdicts"
cat "$scratch/verdicts"
caught=$(grep -c ': caught' "$scratch/verdicts")
echo "$caught of $seeded faults caught"

# ---- and without a fault ----
clean=0
for set in $sets; do
    if ! run "$set" "$scratch/out" || grep -qvE '^(tuple |    same: |ran )' "$scratch/out"; then
        echo "FAIL: $set: without a fault:"
        grep -vE '^    same' "$scratch/out" | head -n 20
        clean=1
    fi
done
[ $clean -eq 0 ] && echo "without a fault:$sets pass"
[ "$caught" -eq "$seeded" ] && [ $clean -eq 0 ]
