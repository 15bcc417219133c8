#!/bin/sh
# Faults seeded in the kernels and in the kernels' copies of lib/schedule/diamond_geometry.h and lib/schedule/overlap_geometry.h: each must be caught on a few tuples of tests/opencl/races.c, by a report of oclgrind or by other bits
# than seq's. Without a fault the same tuples pass. races puts the fault into the program's text (-r), which must contain what is replaced once.
races=${EULERCL_RACES:-$PWD/tests/races}
command -v oclgrind >/dev/null || { echo "oclgrind is not installed"; exit 77; }
[ -x "$races" ] || { echo "$races is not built (it needs Check)"; exit 77; }
scratch=$(mktemp -d "${TMPDIR:-/tmp}/test_mutants.XXXXXX") || exit 99
trap 'rm -rf "$scratch"' EXIT
oclgrind "$races" 0 0 >"$scratch/out" 2>&1 || { echo "oclgrind does not run here: $(head -n 1 "$scratch/out")"; exit 77; }

# run SET [-r ...]: tuples of one way to store rows. -> the exit code
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
    tolerance) where='0 8 -T' ;;     # string, errors of steps
    tolerance:*) where="0 2560 -R -T -n 8 -m registers -m :+${1#*:}+" ;;
    line:*) where="0 2560 -R -n 8 -m registers -m :+${1#*:}+" ;;
    long) where='0 2560 -R -n 6 -m points=25x0' ;;                                      # more than one stage
    halos:*) where="0 2560 -R -n 12 -m registers -m :+${1#*:}+ -m exchange=3" ;;      # computed along
    plane:*) where="0 2560 -R -n 6 -m registers+group -m :+${1#*:}+" ;;
    crowd:*) where="0 2560 -R -n 3 -m registers+group -m items=72 -m :+${1#*:}+" ;;   # too much local memory for two sets of edges
    column:*) where="0 2560 -R -n 6 -m registers+group -m items=3+rows=3 -m :+${1#*:}+" ;;
    stream:*) where="0 2560 -R -n 6 -m stream -m items=3 -m :+${1#*:}+" ;;
    pipeline:*) where="0 2560 -R -P -n 6 -m pipeline -m :+${1#*:}+" ;;
    volume:*) where="0 2560 -R -V -n 6 -m :+${1#*:}+" ;;
    body:*) where="0 2560 -R -P -n 4 -m rock2 -m :+${1#*:}+" ;;                         # launches of stages of one shape
    end:*) where="0 2560 -R -P -n 3 -m rkc4 -m +flush -m :+${1#*:}+" ;;                # of one shape up to the end of a step
    cut:*) where="0 2560 -R -P -n 2 -m rock4 -m :+${1#*:}+" ;;
    tiny:*) where="0 2560 -R -n 4 -m +flush -m :+${1#*:}+" ;;                           # that are flushed
    tiny-plane:*) where="0 2560 -R -n 4 -m registers+group -m +flush -m :+${1#*:}+" ;;
    observe:*) where="0 60 -O -n 6 -m +${1#*:}" ;;                                      # computed from states
    tiny-stream:*) where="0 2560 -R -n 4 -m stream -m +flush -m :+${1#*:}+" ;;
    esac
    shift
    # A plus is a blank inside a word.
    for word in $where; do set -- "$@" "$(printf %s "$word" | tr + ' ')"; done
    timeout 300 oclgrind --data-races --uniform-writes --max-errors 20 "$races" "$@" 2>&1
}

# seed SET NAME OLD=>NEW OUTPUT: says how it was caught; up to the first report or difference, after which nobody reads on.
seed() {
    { run "$1" -r "$3"; echo "exit $?"; } 2>/dev/null | awk '{ print } /data race at|^Invalid (read|write)|ivergence|^    differs: / { exit }' >"$4"
    code=$(sed -n 's/^exit //p' "$4")
    reports=$(grep -cE 'data race at|^Invalid (read|write)|ivergence' "$4")
    different=$(grep -c '^    differs: ' "$4")
    kinds=$(grep -oE '[A-Za-z]+-write data race|Invalid (read|write)|[A-Za-z]+ divergence' "$4" | sort -u | tr '\n' ',' | sed 's/,$//; s/,/, /g')
    if grep -q '^stopped' "$4"; then echo "FAIL: $1: $2: $(grep '^stopped' "$4")"
    elif [ "$reports" -gt 0 ] || [ "$different" -gt 0 ]; then echo "$1: $2: caught by $([ "$reports" -gt 0 ] && echo "a report${kinds:+ ($kinds)}" || echo 'other bits')"
    elif [ "${code:-0}" -gt 1 ]; then echo "$1: $2: caught, the run did not end well (exit $code)"
    else echo "FAIL: $1: $2: not caught"
    fi
}

# These files contain the texts that the faults replace, without spaces and line breaks. Each fault's text is looked for, also if it is not the fault's turn.
here=$(cd "$(dirname "$0")/../.." && pwd)
squeezed() { tr -d ' \n\t'; }
texts=$(cat "$here"/kernels/*.cl "$here"/lib/schedule/*_geometry.h "$here"/include/eulercl/detail/ode_*.h | squeezed)
stale=0

# Two at a time. `sets` remembers what ran. Of the faults of cl-register every 24th, of the others every twelfth, but all with EULERCL_TEST_LEVEL=all.
sets=
seeded=0
register=0
other=0
fault() {
    case $texts in
    *"$(printf %s "${3%%=>*}" | squeezed)"*) ;;
    *)
        echo "FAIL: $1: $2: the text that it replaces is not there"
        stale=$((stale + 1))
        return 0 ;;
    esac
    case $1 in *:* | long)
        register=$((register + 1))
        [ $((register % 24)) -eq 0 ] || [ "${EULERCL_TEST_LEVEL-}" = all ] || return 0 ;;
    *)
        other=$((other + 1))
        [ $((other % 12)) -eq 0 ] || [ "${EULERCL_TEST_LEVEL-}" = all ] || return 0 ;;
    esac
    seeded=$((seeded + 1))
    case " $sets " in *" $1 "*) ;; *) sets="$sets $1" ;; esac
    seed "$1" "$2" "$3" "$scratch/out.$seeded" >"$scratch/verdict.$seeded" &
    [ $((seeded % 2)) -eq 1 ] || wait
}

# ---- stages, of which the tuples in double have several ----
fault local-2d 'the derivative of another component of a point' 'STAGE_POSITION(i + c), dot[c]=>STAGE_POSITION(i + c), dot[0]'
fault local 'carried values not kept' 'carried[(k - 1) * n + i + c] = x[c][k];=>;'
fault local 'carried values that other items read too early' 'define TILE_STEPPED (TILE_FENCE | CLK_GLOBAL_MEM_FENCE)=>define TILE_STEPPED TILE_FENCE'
fault column 'the stage after' 'stages[((level)-1) % stage_count]=>stages[(level) % stage_count]'
fault local 'carried values of another array' '? carried[(k - 1) * n + i + c]=>? carried[(STAGE_ARRAYS - 1 - k) * n + i + c]'
fault columns-cut 'positions taken for velocities' '!= is_position) return;=>== is_position) return;'

# ---- errors of steps, compared by the items of a group and by groups ----
fault tolerance 'no barrier after the first item has set the greatest of a group' 'barrier(CLK_LOCAL_MEM_FENCE);
    if (speaks) atomic_max=>if (speaks) atomic_max'
fault tolerance 'the greatest of a group read before all have spoken' 'atomic_max(worst, errors->worst);
    barrier(CLK_LOCAL_MEM_FENCE);=>atomic_max(worst, errors->worst);'
fault tolerance 'errors of the first item alone' 'if (speaks) atomic_max(worst, errors->worst);=>'
fault tolerance 'compared a level late' 'ESTIMATE_IS_DUE((level) % stage_count == 0)=>ESTIMATE_IS_DUE((level) % stage_count == 1)'
fault tolerance 'the greatest of groups not by atomics' 'if (get_local_id(0) == 0) atomic_max(greatest, *worst);=>if (get_local_id(0) == 0 && *greatest < *worst) *greatest = *worst;'
fault tolerance:tide 'errors of halos compared, too' 'if (is_kept) REGISTER_UNROLL \
    for (int compared=>REGISTER_UNROLL \
    for (int compared'

# ---- tiny values ----
fault local 'flushed a level late' 'is_flushed = (since_flush + (level))=>is_flushed = (since_flush + (level)-1)'
fault column 'flushed at every level' '% FLUSH_LEVELS == 0;=>% FLUSH_LEVELS >= 0;'
fault local 'zeros with the sign of the value' '? ODE_FLUSH_(fabs, FLUSH_BELOW(i), y) : y=>? (fabs(y) < FLUSH_BELOW(i) ? 0 * y : y) : y'
fault tiny:rod_fixed 'not flushed' 'if (REGISTER_IS_FLUSHED(&view, until))=>if (0)'
fault tiny:rod_fixed 'not flushed between runs' 'if (REGISTER_IS_FLUSHED(&view, done + LINE_STEPS))=>if (0)'
fault tiny:rod_fixed 'flushed a step early' '(view)->since_flush + (done)) % FLUSH_STEPS)=>(view)->since_flush + (done) + 1) % FLUSH_STEPS)'
fault tiny:rod_fixed 'edges replaced that others read' 'barrier(CLK_LOCAL_MEM_FENCE); /* both sets of edges have been read */=>'
fault tiny-plane:mirror2 'edges that were not flushed' 'plane_publish_ends(cells, &edges[0], place->item);
        plane_publish_sides(cells, &edges[0], place->item);=>'
fault tiny-plane:bruss2d 'not flushed' 'if (REGISTER_IS_FLUSHED(view, until))=>if (0)'
fault tiny-stream:bruss2d 'flushed a level late' 'REGISTER_IS_FLUSHED(view, (level) / STAGE_COUNT)=>REGISTER_IS_FLUSHED(view, (level) / STAGE_COUNT - 1)'

# ---- barriers ----
for set in local global column; do
    fault $set 'no barrier between levels' 'barrier(TILE_STEPPED);
        ends=>ends'
    fault $set 'a barrier between levels that only some items reach' 'barrier(TILE_STEPPED);
        ends=>if (range.begin + (ode_offset)get_local_id(0) * TILE_UNIT < range.end) barrier(TILE_STEPPED);
        ends'
done
fault global 'fence of the wrong memory' 'define TILE_FENCE CLK_GLOBAL_MEM_FENCE=>define TILE_FENCE CLK_LOCAL_MEM_FENCE'
fault local 'no barrier after the fetch' 'first, last, 1));
        barrier(TILE_FETCHED);=>first, last, 1));'
fault column 'no barrier after the fetch' 'tile_load(shape, range, above));
        barrier(TILE_FETCHED);=>tile_load(shape, range, above));'
fault columns 'no barrier after the fetch' 'barrier(TILE_FETCHED);=>'
for set in local column columns; do
    fault $set 'the barrier after the fetch orders local memory only' 'CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE=>CLK_LOCAL_MEM_FENCE'
done
fault local 'no barrier before the next tile' 'first, last, 1));
        barrier(CLK_LOCAL_MEM_FENCE);=>first, last, 1));'
fault columns 'no barrier before the next tile' '0 STAGE);
            }
        barrier(CLK_LOCAL_MEM_FENCE);=>0 STAGE);
            }'
for set in column columns; do
    fault $set 'no barrier before new values overwrite old ones' 'if (TILE_STORAGE == TILE_COLUMN) barrier(CLK_LOCAL_MEM_FENCE);=>'
    fault $set 'that barrier, where an item has work' 'if (TILE_STORAGE == TILE_COLUMN) barrier=>if (TILE_STORAGE == TILE_COLUMN && i < part.end) barrier'
done

# ---- buffers and parity ----
fault local 'buffers not swapped' '{above.next, above.y,=>{above.y, above.next,'
fault global 'buffers not swapped' '{above.next, above.y,=>{above.y, above.next,'
for set in local global column columns; do fault $set 'wrong parity' 'place.state = level & 1 ? odd : even=>place.state = level & 1 ? even : odd'; done
fault local 'fetch of the other parity' 'tile_fetch_all(shape, start, middle, first, last, 1)=>tile_fetch_all(shape, start, middle, first, last, 0)'
fault local 'written back from the wrong buffer' 'even_levels = (last - first) % 2 == 0=>even_levels = (last - first) % 2'
fault column 'a level a block too far down' 'above.next_origin + s.block=>above.next_origin + 2 * s.block'
fault columns 'levels in the wrong direction' '(lowest + offset + s.cut) * s.block=>(lowest - offset + s.cut) * s.block'

# ---- halos ----
fault local 'halo four short at the left' 'tile_clip(low.begin - s.halo, s.n)=>tile_clip(low.begin - s.halo + 4, s.n)'
fault local-2d 'halo four short at the right' 'tile_clip(low.end + s.halo, s.n)=>tile_clip(low.end + s.halo - 4, s.n)'
for set in column columns; do
    fault $set 'halo four short at the left' 'tile_max(range.begin - s.halo, 0)=>tile_max(range.begin - s.halo + 4, 0)'
    fault $set 'halo four short at the right' 'tile_min(range.end + s.halo, s.n)=>tile_min(range.end + s.halo - 4, s.n)'
done
fault column-2d 'halo eight short at the left' 'tile_max(range.begin - s.halo, 0)=>tile_max(range.begin - s.halo + 8, 0)'
fault column-2d 'halo eight short at the right' 'tile_min(range.end + s.halo, s.n)=>tile_min(range.end + s.halo - 8, s.n)'
fault local 'tiles at the left end taken for inner ones' '!(start * s.block - s.halo < 0) && =>'
fault local 'tiles at the right end taken for inner ones' '!(s.n < (start + s.blocks) * s.block + s.halo)=>1'

# ---- tails ----
fault local 'the last of a tail not written back' 'if (i + k < end) state[i + k]=>if (i + k + 1 < end) state[i + k]'
fault local 'no vector for a tail' '(range).begin + 3) / 4=>(range).begin) / 4'
for set in global column columns; do fault $set 'the last of a tail not stored' 'if ((i) + ode_k < (end))=>if ((i) + ode_k + 1 < (end))'; done
for set in local global column columns; do fault $set 'a whole vector taken for a tail' '(i) + 4 <= (end)=>(i) + 4 < (end)'; done
fault local 'the last of a tail not computed' 'if (i + k < end) tile_point=>if (i + k + 1 < end) tile_point'

# ---- stores ----
fault local 'written back at the left a block short' 'low.begin + s.block + s.halo=>low.begin + s.halo'
fault local 'written back at the right a block short' 'low.end - s.block - s.halo=>low.end - s.halo'
fault local 'written back at the left a block too far' 'low.begin + s.block + s.halo=>low.begin + 2 * s.block + s.halo'
fault local 'write back begins a block too early' 'begin = tile_clip(top.begin, s.n)=>begin = tile_clip(top.begin - s.block, s.n)'
fault local 'write back ends a block too late' 'end = tile_clip(top.end, s.n)=>end = tile_clip(top.end + s.block, s.n)'
for set in column-cut columns-cut; do
    fault $set 'store at the left a block short' 'ends.begin + s.block + s.halo=>ends.begin + s.halo'
    fault $set 'store at the right a block short' 'right_begin = ends.end - s.block - s.halo=>right_begin = ends.end - s.halo'
done
fault column 'last level of a tile not stored' 'offset >= s.cut - 1=>offset >= s.cut'

# ---- tiles ----
for set in local columns; do
    fault $set 'tiles computed by several work-groups' 'tile += (ode_offset)get_num_groups(0)=>tile += 1'
    fault $set 'a tile missing' 'tile_ceil(tile_total(s) - tile_first(s, pass)=>tile_ceil(tile_total(s) - 1 - tile_first(s, pass)'
done
fault global 'tiles too close' 'return TILE_IF(s.cut < 1, s.blocks, 2 * (s.blocks - s.cut))=>return TILE_IF(s.cut < 1, s.blocks, 2 * (s.blocks - s.cut) - 1)'
fault global-t 'time of the next step' 'times[level - 1]=>times[level]'

# ---- cl-register: barriers and the sets of edges ----
fault line:rod_mirror 'no barrier after the first edges' 'line_publish(cells, &edges[0], &place);
    barrier(CLK_LOCAL_MEM_FENCE);=>line_publish(cells, &edges[0], &place);'
fault halos:rod_fixed 'no barrier between handing over and fetching' 'line_publish(cells, edges, place);
    barrier(CLK_LOCAL_MEM_FENCE);
#endif=>line_publish(cells, edges, place);
#endif'
fault line:rod_clamp 'no barrier between handing over and the middle' 'line_publish(cells, edges, place);
    barrier(CLK_LOCAL_MEM_FENCE);
    line_sweep=>line_publish(cells, edges, place);
    line_sweep'
fault long 'no barrier between two stages of the load' 'if (p || before) barrier(CLK_LOCAL_MEM_FENCE);=>if (before) barrier(CLK_LOCAL_MEM_FENCE);'
fault line:rod_fixed 'no barrier after a stage of the load' 'barrier(CLK_LOCAL_MEM_FENCE);
        REGISTER_UNROLL for (int k = 0; k < LINE_STAGE_REALS; k++) own[=>REGISTER_UNROLL for (int k = 0; k < LINE_STAGE_REALS; k++) own['
fault long 'no barrier before a stage of the store' 'barrier(CLK_LOCAL_MEM_FENCE);
        REGISTER_UNROLL for (int k = 0; k < LINE_STAGE_REALS; k++) stage[=>REGISTER_UNROLL for (int k = 0; k < LINE_STAGE_REALS; k++) stage['
fault line:rod_fixed 'no barrier after a stage of the store' '= own[p * ODE_COMPONENTS + k];
        barrier(CLK_LOCAL_MEM_FENCE);=>= own[p * ODE_COMPONENTS + k];'
fault line:string 'one set of edges' 'turn ^= STAGE_HANDS_OVER(shape);=>'
fault plane:tide 'no barrier after the first edges' 'plane_publish_ends(cells, &edges[0], place->item);
    barrier(CLK_LOCAL_MEM_FENCE);=>plane_publish_ends(cells, &edges[0], place->item);'
fault plane:mirror2 'no barrier at the end of a step' 'plane_publish_ends(cells, next, place->item);
    barrier(CLK_LOCAL_MEM_FENCE);
#endif=>plane_publish_ends(cells, next, place->item);
#endif'
fault crowd:torus 'one set of edges, and no barrier before it is overwritten' 'if (PLANE_BUFFERS == 1) barrier(CLK_LOCAL_MEM_FENCE);=>'
fault plane:heat_fields 'one set of edges' 'PLANE_BUFFERS - 1 - turn : turn;=>turn : turn;'
fault stream:tide 'no barrier at the end of a turn' 'barrier(CLK_LOCAL_MEM_FENCE);
}

#if STREAM_UNROLL=>}

#if STREAM_UNROLL'
fault stream:tide 'sets of edges not swapped' 'before = swap;=>now = swap;'
fault volume:block 'one set of planes' 'shared[(set + 1) % VOLUME_SETS][l]=>shared[set][l]'
fault volume:block 'no barrier in a turn' 'if (!REGISTER_SHUFFLE) barrier(CLK_LOCAL_MEM_FENCE);=>'
fault volume:lattice 'planes of another age' 'VOLUME_SETS - VOLUME_R + (dz)=>VOLUME_SETS - VOLUME_R + 1 + (dz)'
fault volume:lattice 'no ghosts in corners' 'has_corners = REGISTER_STAR ? 0 : VOLUME_HAS_SIDES=>has_corners = 0'
fault volume:block 'the front a plane too far' '*front = z == from_end ? low=>*front = z == from_end + 1 ? low'
fault volume:block 'the back by the text of other planes' 'lower = min(turns, nz - VOLUME_R + VOLUME_LAG - place.z_first)=>lower = turns'
fault volume:block 'a plane too many stored' 'if (z < place->z_kept) return=>if (z < place->z_kept - 1) return'

# ---- cl-register: which points a tile loads and keeps ----
for set in line:rod_clamp plane:mirror2; do
    fault $set 'kept from a point too early' 'TILE_IF(tile < 1, 0, at + o.halo)=>TILE_IF(tile < 1, 0, at + o.halo - 1)'
    fault $set 'kept up to a point too late' 'TILE_IF(tile < 1, 0, at + o.halo)=>TILE_IF(tile < 1, 0, at + o.halo + 1)'
    fault $set 'the first tile keeps what an inner one does' 'TILE_IF(tile < 1, 0, at + o.halo)=>at + o.halo'
    fault $set 'the last tile keeps what an inner one does' 'TILE_IF(tile >= overlap_count(o), o.n, =>TILE_IF(tile > overlap_count(o), o.n, '
    fault $set 'the last tile not shifted back' 'TILE_IF(at < o.n - o.tile, at, o.n - o.tile)=>at'
    fault $set 'tiles too close' 'o.tile > 2 * o.halo, o.tile - 2 * o.halo, 1=>o.tile > 2 * o.halo, o.tile - 2 * o.halo - 1, 1'
done
for set in line:advection plane:torus stream:torus; do
    fault $set 'a periodic tile a point too far' 'TILE_IF(o.periodic > 0, at - o.halo, TILE_IF=>TILE_IF(o.periodic > 0, at - o.halo + 1, TILE_IF'
    fault $set 'nothing wrapped round the left end' 'TILE_IF(rest < 0, rest + o.n, rest)=>rest'
done
fault plane:torus 'rows not wrapped round' 'REGISTER_Y(view, at), 0),=>at.of[1], 0),'
fault plane:torus 'columns not wrapped round' 'ODE_PLACE_(view, REGISTER_X(view, at)=>ODE_PLACE_(view, at.of[0]'
fault stream:torus 'rows not wrapped round' 'y = REGISTER_Y(view, at)=>y = at.of[1]'
fault stream:torus 'columns not wrapped round' 'x = REGISTER_X(view, at)=>x = at.of[0]'
fault halos:rod_mirror 'fields of points beyond the ends' 'clamp(i, (ode_offset)0, (n) - (ode_offset)1)=>(i)'
fault line:rod_fixed 'stored up to a point too late' 'real.point >= kept && real.point < end=>real.point >= kept && real.point <= end'
fault line:rod_fixed 'stored from a point too early' 'real.point >= kept && real.point < end=>real.point >= kept - 1 && real.point < end'
fault plane:mirror2 'stored up to a row too late' 'y < share->y_begin || y >= share->y_end=>y < share->y_begin || y > share->y_end'
fault plane:mirror2 'all columns of an item stored' 'place->column + PLANE_POINTS <= share->x_end=>place->column < share->x_end'
fault plane:mirror2 'the first column that is kept not stored' 'if (place->column + k >= share->x_begin=>if (place->column + k > share->x_begin'
fault stream:position 'all columns of an item stored' 'place->column + STREAM_POINTS <= place->x_end=>place->column < place->x_end'
fault stream:position 'the first column that is kept not stored' 'if (place->column + k >= place->x_kept=>if (place->column + k > place->x_kept'
fault stream:bruss2d 'the first row not stored' 'else if (y >= place->y_kept=>else if (y > place->y_kept'
fault stream:bruss2d 'stored beyond the last row' 'min(ny, y_kept + height)=>y_kept + height'
fault plane:mirror2 'rows lost as columns are' 'PLANE_ITEM_ROWS * PLANE_ROWS, halo_down=>PLANE_ITEM_ROWS * PLANE_ROWS, halo - halo_down'

# ---- cl-register: edges and ghosts ----
fault line:rod_mirror 'the wrong components handed over' 'left[p * REGISTER_SHARED_COUNT + k] = LINE_CELL(cells, p, REGISTER_SHARED(k))=>left[p * REGISTER_SHARED_COUNT + k] = LINE_CELL(cells, p, k)'
fault line:rod_mirror 'the wrong components fetched' 'LINE_CELL(cells, LINE_POINTS + p, REGISTER_SHARED(k)) = behind=>LINE_CELL(cells, LINE_POINTS + p, k) = behind'
fault line:advection 'right edge a point too far left' 'LINE_CELL(cells, LINE_POINTS - LINE_HALO + p, REGISTER=>LINE_CELL(cells, LINE_POINTS - LINE_HALO + p - 1, REGISTER'
fault line:advection 'left edge a point too far right' '] = LINE_CELL(cells, p, REGISTER_SHARED=>] = LINE_CELL(cells, p + 1, REGISTER_SHARED'
fault line:advection 'the neighbour of the neighbour' 'max(item - 1, 0)=>max(item - 2, 0)'
fault line:rod_mirror 'mirrored at the left between points' 'X_LOW, d, LEFT_IN=>X_LOW, d - 1, LEFT_IN'
fault line:rod_mirror 'mirrored at the right between points' 'LINE_CELL(cells, LINE_POINTS - 1 - (k), c)=>LINE_CELL(cells, LINE_POINTS - (k), c)'
fault line:rod_clamp 'clamped to the second point' 'LEFT_IN(k) LINE_CELL(cells, k, c)=>LEFT_IN(k) LINE_CELL(cells, k + 1, c)'
fault line:rod_fixed 'ghosts in the second item' 'LINE_ITEMS - 1), item == 0=>LINE_ITEMS - 1), item == 1'
fault line:rod_fixed 'no ghosts at the right' 'item == LINE_ITEMS - 1=>item == LINE_ITEMS'
fault plane:torus 'the wrong components handed over' 'REGISTER_SHARED((n) % REGISTER_SHARED_COUNT)=>(n) % REGISTER_SHARED_COUNT'
fault plane:mirror2 'right columns one too far left' 'PLANE_NTH(cells, 0, PLANE_POINTS - PLANE_R, PLANE_R, n)=>PLANE_NTH(cells, 0, PLANE_POINTS - PLANE_R - 1, PLANE_R, n)'
fault plane:mirror2 'bottom rows one too far up' 'bottom[n] = PLANE_NTH(cells, PLANE_ROWS - PLANE_R, =>bottom[n] = PLANE_NTH(cells, PLANE_ROWS - PLANE_R - 1, '
fault plane:mirror2 'rows above from below' 'edges->bottom, place->above=>edges->bottom, place->below'
fault plane:mirror2 'left columns from the right' 'plane_fetch_side(cells, 0, -PLANE_R, edges->right, place->left=>plane_fetch_side(cells, 0, -PLANE_R, edges->right, place->right'
for set in plane:mirror2 plane:diagonal; do
    fault $set 'upper left corner of other rows' 'place->left + up, PLANE_ROWS - PLANE_R=>place->left + up, 0'
    fault $set 'upper right corner from beside' 'edges->left, place->right + up=>edges->left, place->right'
    fault $set 'lower left corner from beside' 'edges->right, place->left + down=>edges->right, place->left'
    fault $set 'lower right corner from above' 'edges->left, place->right + down=>edges->left, place->right + up'
done
fault plane:mirror2 'mirrored between columns' 'REGISTER_GHOST(ghost, SIDE, d, IN, view, t, c, 0, place->row + r)=>REGISTER_GHOST(ghost, SIDE, d - 1, IN, view, t, c, 0, place->row + r)'
fault plane:mirror2 'mirrored at the bottom between points' 'PLANE_CELL(cells, PLANE_ROWS - 1 - (n), k, c)=>PLANE_CELL(cells, PLANE_ROWS - (n), k, c)'
fault plane:heat_fields 'clamped to the second column' 'LEFT_IN(n) PLANE_CELL(cells, r, n, c)=>LEFT_IN(n) PLANE_CELL(cells, r, n + 1, c)'
fault plane:mirror2 'no ghosts above the corners' 'int k = REGISTER_STAR ? 0 : -PLANE_R=>int k = 0'
fault plane:mirror2 'no ghosts beside the corners' 'int r = REGISTER_STAR ? 0 : -PLANE_R; r=>int r = 0; r'
fault plane:position 'upper ghosts in the first column' 'Y_LOW, TOP_IN, place->is_top=>Y_LOW, TOP_IN, place->is_first'
fault plane:position 'no ghosts at the bottom' 'ly == PLANE_ITEM_ROWS - 1=>ly == PLANE_ITEM_ROWS'
fault plane:position 'no ghosts in tiles at the upper end' '(y0 == 0) << ODE_SIDE_Y_LOW_=>0'
fault plane:mirror2 'no ghosts in tiles at the right end' '(x0 + across.tile == across.n) << ODE_SIDE_X_HIGH_=>0'
fault plane:torus 'one column for all points of a row' '{{place->column + k, place->row + r, 0}}=>{{place->column, place->row + r, 0}}'
fault plane:heat_fields 'coefficients of one column for all points of a row' '+ PLANE_PLACE(view, place, r, k)=>+ PLANE_PLACE(view, place, r, 0)'
fault plane:heat_fields 'coefficients of one row for all points' '+ PLANE_PLACE(view, place, r, k)=>+ PLANE_PLACE(view, place, 0, k)'
fault plane:heat_fields 'coefficients of the first field for all' 'fields[f * ODE_PLANE_(view)=>fields[0 * ODE_PLANE_(view)'
fault stream:torus 'the wrong components handed over' 'c = REGISTER_SHARED(k);=>c = k;'
fault stream:mirror2 'right edge a point too far left' 'last[(p + 1 - STREAM_R) * ODE_COMPONENTS=>last[(p - STREAM_R) * ODE_COMPONENTS'
fault stream:mirror2 'left edge of the left neighbour' 'before, edges->right[level], place->item)=>before, edges->left[level], place->item)'
fault stream:mirror2 'mirrored at the left between points' 'X_LOW, STREAM_R - p, LEFT_IN=>X_LOW, STREAM_R - p - 1, LEFT_IN'
fault stream:heat_fields 'clamped to the second column' 'LEFT_IN(k) first[(k)*ODE_COMPONENTS]=>LEFT_IN(k) first[(k + 1) * ODE_COMPONENTS]'
fault stream:mirror2 'mirrored above between rows' 'Y_LOW, d - from_end, TOP_IN=>Y_LOW, d, TOP_IN'
fault stream:heat_fields 'lower ghosts a row too late' 'y == view->extents.of[1] - 1 - from_end=>y == view->extents.of[1] - from_end'
fault stream:position 'upper ghosts a row too late' 'if (y == from_end)=>if (y == from_end + 1)'
fault stream:position 'no ghosts in strips at the left end' 'place->column == 0) REGISTER=>place->column == 1) REGISTER'
fault stream:position 'no ghosts in strips at the right end' 'place->column + STREAM_POINTS == view->extents.of[0]=>place->column + STREAM_POINTS == view->extents.of[0] + 1'

# ---- cl-register: order of updates, steps, times ----
fault line:rod_fixed 'updated a point too early' 'line_rhs(cells, p, place, view, stage->t, dot);
        if (before || p - first >= REGISTER_RADIUS) line_update(cells, carried, p - REGISTER_RADIUS, place, stage, late[0]);=>if (before || p - first >= REGISTER_RADIUS) line_update(cells, carried, p - REGISTER_RADIUS, place, stage, late[0]);
        line_rhs(cells, p, place, view, stage->t, dot);'
fault line:rod_clamp 'updated a point too early on the way back' 'line_rhs(cells, p, place, view, stage->t, dot);
        if (p + REGISTER_RADIUS < end) line_update( cells, carried, p + REGISTER_RADIUS, place, stage, late[REGISTER_RADIUS - 1]);=>if (p + REGISTER_RADIUS < end) line_update(cells, carried, p + REGISTER_RADIUS, place, stage, late[REGISTER_RADIUS - 1]);
        line_rhs(cells, p, place, view, stage->t, dot);'
fault line:rod_clamp 'the right end updated a point too far left' 'line_update_late(cells, carried, LINE_POINTS - LINE_HALO, late_right=>line_update_late(cells, carried, LINE_POINTS - LINE_HALO - 1, late_right'
fault line:rod_fixed 'a middle where there is room for the ends only' 'LINE_POINTS >= 2 * (LINE_HALO + REGISTER_RADIUS)=>LINE_POINTS >= 2 * LINE_HALO'
fault halos:rod_fixed 'a halo computed along a point short' '(LINE_EXCHANGE - 1 - level) * REGISTER_RADIUS=>(LINE_EXCHANGE - 1 - level) * REGISTER_RADIUS - 1'
fault halos:rod_fixed 'steps that are no whole round' 'until - (done + step));=>steps);'
fault line:forced_wave 'time of the next step' 'number, first + last);=>number, first + last + 1);'
fault halos:forced_wave 'time of the first step of a round' 'number, first + level);=>number, first);'
fault line:forced_wave 'time of the first unrolled round' '(done + step) * STAGE_COUNT=>done * STAGE_COUNT'
fault line:string_thesis 'a window that begins with the own points' 'begin - LINE_HALO=>begin'
fault line:chirp 'the place of the next component' 'constants, begin + p,=>constants, begin + p + 1,'
fault plane:mirror2 'updated a row too early' 'plane_rhs(cells, r, place, view, stage->t, dot);
        if (before || r - first >= PLANE_R) plane_update(cells, carried, r - PLANE_R, place, stage, late->dot[0]);=>if (before || r - first >= PLANE_R) plane_update(cells, carried, r - PLANE_R, place, stage, late->dot[0]);
        plane_rhs(cells, r, place, view, stage->t, dot);'
fault plane:mirror2 'late rows in the wrong order' 'stage, late->dot[d]);=>stage, late->dot[PLANE_R - 1 - d]);'
fault plane:torus 'time of the first step' 'first + step * STAGE_COUNT=>first'
fault plane:tide 'time of the next level' 'first + step * STAGE_COUNT=>first + 1 + step * STAGE_COUNT'
fault plane:tide 'more steps than wanted' 'step + PLANE_STEPS <= until=>step < steps'
fault stream:mirror2 'halo from the turn before' '[(slot + STREAM_RING - 1) % STREAM_RING], before=>[slot], before'
fault stream:bruss2d 'another place in the ring' 'middle = slot - STREAM_LAG;=>middle = slot - STREAM_LAG + 1;'
fault stream:mirror2 'diagonal neighbours expected a turn too early' '(STREAM_R + 1 - REGISTER_STAR)=>(STREAM_R)'
fault stream:bruss2d 'a turn missing' '(STREAM_LEVELS * STREAM_LAG)=>(STREAM_LEVELS * STREAM_LAG - STREAM_RING)'
fault stream:tide 'a ring without the oldest row' '(STREAM_LAG + STREAM_R + 1)=>(STREAM_LAG + STREAM_R)'
fault stream:tide 'the row before loaded again' '+ turn + STREAM_RING)=>+ turn + STREAM_RING - 1)'
fault stream:tide 'loaded beyond the last row' 'min(y, view->extents.of[1] - 1);=>y;'
fault stream:tide 'a row too few beyond a batch' '(ode_offset)STREAM_LEVELS * STREAM_R,=>(ode_offset)STREAM_LEVELS * STREAM_R - 1,'
fault stream:tide 'a batch begins a row too late' 'max(y_kept - above, (ode_offset)0)=>max(y_kept - above + 1, (ode_offset)0)'
fault stream:mirror2 'ghosts above in the first turns only' 'upper = many;=>upper = 1;'
fault stream:tide 'no ghosts in the last turns' 'lower = turns - many - STREAM_RING + 2;=>lower = turns;'
fault stream:torus 'levels beyond the steps do not copy' 'ends && level > place->levels=>0'
fault stream:tide 'a level too many copies' 'ends && level > place->levels=>ends && level >= place->levels'
fault stream:torus 'fewer steps without their conditions' 'if (place.levels < STREAM_LEVELS) upper = turns;=>'
fault stream:tide 'time of the next step' 'place->first + (level)-1);=>place->first + (level));'

# ---- cl-register: stages ----
fault line:forced_wave 'carried values of another point' 'carried + p * ODE_COMPONENTS, LINE_REALS=>carried, LINE_REALS'
fault plane:tide 'coefficients of another stage' '(number)*STAGE_FACTORS=>((number) + 1) % STAGE_COUNT * STAGE_FACTORS'
fault line:rod_clamp 'carried values replaced by the solution' 'x[i] = next[i];=>x[i] = next[0];'
fault stream:mirror2 'carried values of another row' 'STREAM_AT(rows->carried[level - 1], middle, 0)=>STREAM_AT(rows->carried[level - 1], middle, 1)'
fault line:string 'positions taken for velocities' '((components) == 1) != is_position=>((components) == 1) == is_position'

# ---- cl-register: warps that hand rows on ----
fault pipeline:tide 'no barrier between two turns' 'barrier(CLK_LOCAL_MEM_FENCE);
    pipe_ask(slots=>pipe_ask(slots'
fault pipeline:tide 'one set of edges' 'edges[(turn + 1) & 1]=>edges[turn & 1]'
fault pipeline:bruss2d 'a slot too few' '(PIPE_AHEAD + PIPE_WARPS + 1)=>(PIPE_AHEAD + PIPE_WARPS)'
fault pipeline:torus 'the next warp a row too late' '(PIPE_LEVELS * PIPE_LAG + 1)=>(PIPE_LEVELS * PIPE_LAG + 2)'
fault pipeline:tide 'stored a turn early' 'leaving = place->y_first + turn - PIPE_DELAY;=>leaving = place->y_first + turn - PIPE_DELAY + 1;'
fault pipeline:bruss2d 'in the middle of a turn nothing stored' 'PIPE_STORES_MIDWAY && g == PIPE_GROUPS / 2=>0'
fault pipeline:bruss2d 'the first row not stored' 'if (y < place->y_kept || y >= place->y_end) return;=>if (y <= place->y_kept || y >= place->y_end) return;'
fault pipeline:bruss2d 'the next piece before the one before is stored' 'barrier(CLK_LOCAL_MEM_FENCE); /* before=>/* before'
fault pipeline:bruss2d 'a part a row too long' 'min(at + length, overlap_length=>min(at + length + 1, overlap_length'
fault pipeline:tide 'pieces of the first strip only' 'pipe_find(&place, &view, across, strip, kept, kept_end);=>pipe_find(&place, &view, across, 0, kept, kept_end);'
fault pipeline:bruss2d 'the last row of a piece left out' 'pipe_find(&place, &view, across, strip, kept, kept_end);=>pipe_find(&place, &view, across, strip, kept, kept_end - 1);'
fault pipeline:position 'stored from a copy too late' 'v >= begin && v < end=>v > begin && v < end'
fault pipeline:torus 'columns not wrapped round' 'if (ODE_PERIODIC_X_)
            place->from[k]=>if (0)
            place->from[k]'
fault pipeline:tide 'loaded beyond the last row' 'min(y, view->extents.of[1] - 1);=>y;'
fault pipeline:torus 'the wrong components handed over' '[(p)*ODE_COMPONENTS + REGISTER_SHARED(k)]=>[(p)*ODE_COMPONENTS + (k)]'
fault pipeline:mirror2 'right ends a column too far left' '(PIPE_POINTS - PIPE_R + (p))=>(PIPE_POINTS - PIPE_R - 1 + (p))'
fault pipeline:mirror2 'mirrored at the left between points' 'X_LOW, PIPE_R - p, LEFT_IN=>X_LOW, PIPE_R - p - 1, LEFT_IN'
fault pipeline:heat_fields 'clamped to the second column' 'LEFT_IN(n) row[(n)*ODE_COMPONENTS + c]=>LEFT_IN(n) row[(n + 1) * ODE_COMPONENTS + c]'
fault pipeline:position 'no ghosts at the right' 'place->column + PIPE_POINTS == view->extents.of[0];=>place->column + PIPE_POINTS == view->extents.of[0] + 1;'
fault pipeline:mirror2 'mirrored above between rows' 'Y_LOW, -dy - from_end, TOP_IN=>Y_LOW, -dy, TOP_IN'
fault pipeline:heat_fields 'lower ghosts a row too late' 'y == view->extents.of[1] - 1 - from_end=>y == view->extents.of[1] - from_end'
fault pipeline:mirror2 'diagonal neighbours expected a turn too early' '(PIPE_R + 1 - REGISTER_STAR)=>(PIPE_R)'
fault pipeline:mirror2 'the same row for all neighbours in columns beside' 'REGISTER_STAR ? 0 : PIPE_R + dy=>REGISTER_STAR ? 0 : PIPE_R'
fault pipeline:tide 'a row too few beyond a stretch' '((ode_offset)PIPE_TOTAL * PIPE_R)=>((ode_offset)PIPE_TOTAL * PIPE_R - 1)'
fault pipeline:mirror2 'ghosts above in the first turns only' 'upper = PIPE_DELAY + PIPE_R;=>upper = 1;'
fault pipeline:tide 'no ghosts in the last turns' 'lower = min(turns, view->extents.of[1] - place->y_first - PIPE_R + PIPE_LAG);=>lower = turns;'
fault pipeline:torus 'fewer steps without their conditions' 'if (place->levels < PIPE_TOTAL) upper = turns;=>'
fault pipeline:torus 'levels beyond the steps do not copy' 'ends && level > place->levels=>0'
fault pipeline:tide 'a level too many copies' 'ends && level > place->levels=>ends && level >= place->levels'
fault pipeline:tide 'time of another level' '(place)->warp * PIPE_LEVELS + (l), (place)->levels - 1=>(place)->warp * PIPE_LEVELS + (l) + 1, (place)->levels - 1'
fault pipeline:tide 'rows do not move up' 'r + 1 < PIPE_KEPT ? rows->rows[l][r + 1][k]=>r + 1 < PIPE_KEPT ? rows->rows[l][r][k]'
fault pipeline:bruss2d 'another place in the ring' 'place->warp ? PIPE_SLOTS - place->warp : 0=>place->warp'
fault pipeline:mirror2 'the row that comes is the one before' 'PIPE_R + dy < PIPE_KEPT ? rows->rows[l][PIPE_R + dy]=>PIPE_R + dy < PIPE_KEPT - 1 ? rows->rows[l][PIPE_R + dy]'
fault pipeline:torus 'rows not wrapped round' 'ODE_PERIODIC_Y_ ? overlap_wrap((overlap_line){view->extents.of[1], 1, 0, 1}, y)=>ODE_PERIODIC_Y_ ? clamp(y, (ode_offset)0, view->extents.of[1] - 1)'
fault pipeline:bruss2d 'carried values of another row' 'rows->carried[l][0][k * PIPE_OWN=>rows->handed[l][k * PIPE_OWN'
fault pipeline:bruss2d 'carried values do not travel' '(PIPE_LEVELS % STAGE_COUNT != 0 || STAGE_IS_SECTION) && STAGE_ARRAYS > 1=>0'
fault body:torus 'carried values of the launch before not loaded' 'PIPE_IS_MIDDLE || (place->section.enters >> a & 1)=>0'
fault body:bruss2d 'no solution in place of the sum before the first stage' '(place->section.begins_as_solution >> a & 1)=>0'
fault body:tide 'the state stored in place of a carried value' 'from + (a + 1) * PIPE_ROW=>from + a * PIPE_ROW'
fault end:tide 'not flushed by warps that end a step' 'if (is_last && REGISTER_IS_FLUSHED(view, level / STAGE_COUNT))=>if (0)'
fault cut:torus 'no carried values loaded where none are stored' 'pipe_ask_carried(to, k,=>if (place->section.leaves) pipe_ask_carried(to, k,'
fault body:bruss2d 'the first carried value loaded for all' 'REGISTER_CARRIED_ARRAY(place->carried_in, view, a) :=>REGISTER_CARRIED_ARRAY(place->carried_in, view, 0) :'
fault pipeline:bruss2d 'coefficients of another stage' '(place)->warp * PIPE_LEVELS + (l)) % STAGE_COUNT=>(place)->warp * PIPE_LEVELS + (l) + 1) % STAGE_COUNT'

# ---- what is computed from states ----
fault observe:histogram 'the last values of an item not counted' 'for (; j < end; j += step) atomic_inc(&own[eulercl_bin(y[j], &b)]);=>'
fault observe:histogram 'counters read before all have counted' 'atomic_inc(&own[eulercl_bin(y[j], &b)]);
    barrier(CLK_LOCAL_MEM_FENCE);=>atomic_inc(&own[eulercl_bin(y[j], &b)]);'
fault observe:histogram 'the bin before' 'max(as_int(sum) - as_int(whole), 0)=>max(as_int(sum) - as_int(whole) - 1, 0)'
fault observe:euler 'the row behind is another one' 'next = rings >> (RANK - 1) & 1 ? origin : -1;=>next = -1;'
fault observe:euler 'the points before the first one of a ring' 'x_before = !(rings & 1)=>x_before = 1'
fault observe:euler 'rows beyond the last one' '(2u << (rows + before - 1)) - 1=>(4u << (rows + before - 1)) - 1'
fault observe:euler 'sums read before all have added' 'atomic_add(&sums[i], counts[i]);
    barrier(CLK_LOCAL_MEM_FENCE);=>atomic_add(&sums[i], counts[i]);'
fault observe:length 'no barrier between halves' 'for (ode_offset other = LANES / 2; other > 0; other /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);=>for (ode_offset other = LANES / 2; other > 0; other /= 2) {'
fault observe:length 'a single column has a neighbour' 'eulercl_add_column(f[0], column, lines, last, first)=>eulercl_add_column(f[0], column, lines, components, first)'
fault observe:length 'the line behind a block is the next one' 'k < lines->count ? k * lines->line : (lines->count - 1) * lines->line + lines->next=>k * lines->line'
fault observe:length 'lines do not go on' 'a.y, (double)right[k], b.y, (double)behind[k].y, first);
        a = b;=>a.y, (double)right[k], b.y, (double)behind[k].y, first);'
fault observe:length 'another first value' 'lane ? 0 : first=>first'
fault observe:front 'any crossing' 'atomic_min(nearest, item)=>*nearest = item'
fault observe:front 'the nearest read before all have looked' 'atomic_min(nearest, item);
            }
            barrier(CLK_LOCAL_MEM_FENCE);=>atomic_min(nearest, item);
            }'
fault observe:front 'the next nearest set while others read' 'found = *nearest;
            barrier(CLK_LOCAL_MEM_FENCE);=>found = *nearest;'
fault observe:correlation 'no barrier between halves of lanes' 'for (int other = LANES / 2; other > 0; other /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);=>for (int other = LANES / 2; other > 0; other /= 2) {'
fault observe:correlation 'not round the ring' 'is_behind ? lags->turn : 0=>0'
fault observe:correlation 'a lag beyond the end' 'lags->first + k >= limit=>lags->first + k > limit'
fault observe:correlation 'rows from the middle of one' 'left = (rest + stride - 1) / stride=>left = rest / stride'
fault observe:correlation 'lines that do not end' 'axis ? left : left - x=>left'
fault observe:mean 'columns folded before all are there' 'barrier(CLK_LOCAL_MEM_FENCE);
            eulercl_fold_columns=>eulercl_fold_columns'
fault observe:mean 'columns replaced before all are folded' 'across + x / edge);
            barrier(CLK_LOCAL_MEM_FENCE);=>across + x / edge);'
fault observe:max 'the last block of a line has points of no block' 'at < here && =>'
fault observe:mean 'short lines of blocks are the first one' 'l = (block + line) * n=>l = block * n'
fault observe:mean 'lines from the first of the grid on' '(region.line + j) * line_points=>j * line_points'
fault observe:max 'points from the first of a line on' 'region.x + x + at=>x + at'
fault observe:smooth 'the same where points are smoothed' 'region.x + x, here=>x, here'
fault observe:smooth 'and lines' 'region.line + j, region.x=>j, region.x'
fault observe:mean 'a block too few of a line' 'across = (points + edge - 1) / edge=>across = points / edge'
fault observe:max 'the smallest point' 'mode == MAX ? value > a : value < a=>mode == MAX ? value < a : value < a'
fault observe:max 'rows of the next layer' 'last_row = min(r + deep, rows)=>last_row = rows'
fault observe:every 'all rows of a block' 'deep = is_every ? 1 : n=>deep = n'
fault observe:smooth 'smoothed before all columns are there' 's->columns[c] = eulercl_column(g, s, row, x + c - s->radius);
    barrier(CLK_LOCAL_MEM_FENCE);=>s->columns[c] = eulercl_column(g, s, row, x + c - s->radius);'
fault observe:smooth 'columns made before all places are there' '* g->line_step;
    }
    barrier(CLK_LOCAL_MEM_FENCE);=>* g->line_step;
    }'
fault observe:smooth 'a mirror in the last point' 'turn - 1 - rest=>turn - 2 - rest'
fault observe:smooth 'mirrored where it goes round' 'turn = is_ring ? extent : 2 * extent=>turn = 2 * extent'
fault observe:smooth 'one point too few around' 'c < some + around=>c < some + around - 1'
fault observe:smooth 'columns around the wrong ones' 'c % step <= around=>c % step < around'
fault observe:smooth 'lines of the first row' 'line + far) * g->line_step=>far) * g->line_step'
fault observe:extract 'places of the next point' 'counters[item] - own, all=>counters[item], all'
fault observe:extract 'counters added up while others read them' 'const ulong before = item >= way ? counters[item - way] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);=>const ulong before = item >= way ? counters[item - way] : 0;'
fault observe:extract 'counters not there yet' 'counters[item] = own;
        barrier(CLK_LOCAL_MEM_FENCE);=>counters[item] = own;'
fault observe:extract 'sums of half of the items' 'way < items; way *= 2=>way < 2; way *= 2'
fault observe:extract 'numbers of points of this device' '(double)(before + x + i * items + item)=>(double)(before + i * items + item)'
fault observe:extract 'at the bound, too' 'v[i] >= bound=>v[i] < bound'
fault observe:extract 'the places of the first part for all' 'long next = (places[group] - places[0]) / 2;=>long next = 0;'
wait
number=0
while [ $number -lt $seeded ]; do
    number=$((number + 1))
    cat "$scratch/verdict.$number"
done >"$scratch/verdicts"
cat "$scratch/verdicts"
caught=$(grep -c ': caught' "$scratch/verdicts")
echo "$caught of $seeded faults caught"

# ---- and without a fault: of the sets of cl-register, whose problems test_races.sh runs without a fault, too, every third ----
clean=0
register=0
passed=
for set in $sets; do
    case $set in *:*)
        register=$((register + 1))
        [ $((register % 12)) -eq 0 ] || [ "${EULERCL_TEST_LEVEL-}" = all ] || continue ;;
    esac
    passed="$passed $set"
    if ! run "$set" >"$scratch/out" || grep -qvE '^(tuple |    same: |ran )' "$scratch/out"; then
        echo "FAIL: $set: without a fault:"
        grep -vE '^    same' "$scratch/out" | head -n 20
        clean=1
    fi
done
[ $clean -eq 0 ] && echo "without a fault:$passed pass"
[ "$caught" -eq "$seeded" ] && [ $clean -eq 0 ] && [ $stale -eq 0 ]
