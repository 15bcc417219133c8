#!/bin/sh
# Faults seeded in the CPU backends' tiles, their geometry and the SIMD code of problems: test_lanes must find each. It runs from the build's folder, on the objects that are there:
# only what a fault touches is compiled again, and linked in front of the rest. Every 72nd fault, and all with EULERCL_TEST_LEVEL=all;
# but the text that a fault replaces is looked for in any case.
[ -x tests/test_lanes ] || { echo "tests/test_lanes is not built (it needs Check)"; exit 77; }
sources=${EULERCL_TEST_SOURCES:-$(cd "$(dirname "$0")/../.." && pwd)}
scratch=$(mktemp -d "${TMPDIR:-/tmp}/test_lane_mutants.XXXXXX") || exit 99
trap 'rm -rf "$scratch"' EXIT
few=200

# from_make VARIABLES: what the build's own makefile has for them
from_make() { ${MAKE:-make} -s --no-print-directory --eval="show-lane-flags: ; @echo '$1'" show-lane-flags; }
compiler=$(from_make '$(CC)') && flags=$(from_make '$(DEFS) -I. $(CPPFLAGS) $(AM_CFLAGS) $(PTHREAD_CFLAGS) $(HWLOC_CFLAGS) $(CFLAGS)') &&
    libraries=$(from_make '$(LDFLAGS) $(CHECK_LIBS) $(PTHREAD_LIBS) $(HWLOC_LIBS) $(OPENCL_LIBS) $(LIBS)') || { echo "make does not tell how it builds"; exit 99; }

fresh() {
    rm -rf "$scratch/tree"
    mkdir -p "$scratch/tree/tests" || exit 99
    cp -R "$sources/include" "$sources/lib" "$scratch/tree" &&
        cp -R "$sources/tests/problems" "$scratch/tree/tests" || exit 99
}

# build SOURCES...: from the tree, and the rest as it was built
build() {
    objects=
    for source; do
        object=$scratch/$(basename "$source" .c).o
        objects="$objects $object"
        case $source in tests/*) front="-include $scratch/tree/tests/problems/choose_isa.h" ;; *) front= ;; esac
        $compiler -I"$scratch/tree/include" $flags -O1 -I"$scratch/tree/lib" $front -w -c -o "$object" "$scratch/tree/$source" || return 1
    done
    $compiler $flags -o "$scratch/test_lanes" tests/cpu/test_lanes-test_lanes.o $objects tests/.libs/libsupport.a tests/.libs/libproblems.a lib/.libs/libcore.a $libraries
}
# check CASES
check() { EULERCL_TEST_CASES=$1 timeout 600 "$scratch/test_lanes" >"$scratch/out" 2>&1; }

everything='lib/cpu/lanes.c lib/cpu/coefficient_rows.c lib/cpu/job.c lib/cpu/line.c lib/cpu/plane.c lib/cpu/plane_sizes.c lib/cpu/tiles.c lib/schedule/overlap_lanes.c'
line_problems='tests/problems/forced_wave.c tests/problems/rod_mirror.c tests/problems/rod_fixed.c tests/problems/advection.c tests/problems/pendulum.c tests/problems/scar.c'
plane_problems='tests/problems/mirror2.c tests/problems/tide.c tests/problems/torus.c tests/problems/heat_fields.c tests/problems/robin_plate.c tests/problems/sides_plate.c tests/problems/box.c tests/problems/maze.c tests/problems/tunnel.c'
failed=0
seeded=0
turn=0

# fault FILE NAME TEXT FAULTY-TEXT, the texts without | and as sed reads them
fault() {
    turn=$((turn + 1))
    file=${1%:*}
    sed "s|$3|$4|" "$sources/$file" >"$scratch/faulty"
    if cmp -s "$sources/$file" "$scratch/faulty"; then
        echo "FAIL: $2: $file has no such text as '$3'"
        failed=1
        return 0
    fi
    [ $((turn % 72)) -eq 12 ] || [ "${EULERCL_TEST_LEVEL-}" = all ] || return 0
    case $1 in
    lib/schedule/deal_geometry.h) changed=$everything ;;
    lib/cpu/lanes_body.h) changed=lib/cpu/lanes.c ;;
    include/*:line) changed=$line_problems ;;
    include/*:plane) changed=$plane_problems ;;
    *) changed=$1 ;;
    esac
    seeded=$((seeded + 1))
    cp "$scratch/faulty" "$scratch/tree/$file"
    if ! build $changed; then
        echo "FAIL: $2: does not build"
        failed=1
    elif check $few && check $((6 * few)) && check $((48 * few)); then         # some faults need a rare case, or threads that meet
        echo "FAIL: $2: not caught"
        failed=1
    else
        how=$(grep -oE 'component [0-9]+ of [0-9]+ differs|Received signal [0-9]+|Test timeout expired' "$scratch/out" | head -n 1)
        echo "$2: caught: ${how:-$(tail -n 1 "$scratch/out")}"
    fi
    cp "$sources/$file" "$scratch/tree/$file"
}

fresh
build $everything lib/cpu/team.c $line_problems $plane_problems && check $few || { echo "FAIL: without a fault:"; tail -n 20 "$scratch/out"; exit 1; }
echo "without a fault: passes"

f=lib/cpu/line.c
fault $f 'line: halo a step short' 'line.halo = job->round_steps \* s->method->stages \* line' 'line.halo = (job->round_steps * s->method->stages - 1) * line'
fault $f 'line: neighbours waited for a round too early' 'if (r) wait_for_neighbours(job, thread, r,' 'if (r) wait_for_neighbours(job, thread, r - 1,'
fault $f 'line: a ring of threads not closed' 'if (thread > 0 .. periodic)' 'if (thread > 0)'
fault $f 'line: published before the last outer tile' 'if (turn == (line.tiles > 1))' 'if (turn == 0)'
fault $f 'line: time of the step before' 'system, batch, step + i)' 'system, batch, step)'
fault $f 'line: steps of a sweep counted once' 'step += levels;' 'step += 1;'
fault $f 'line: lanes joined for one level' 'line->components, levels \* line->radius)' 'line->components, line->radius)'
fault $f 'line: joined without depth' 'line->dealt.lanes.points > halo_positions(s) ?' '1 ?'
fault $f 'line: left edge not handed on' 'tools->store_part(line->u, .line->dealt, at, line->components, a,' 'if (0) tools->store_part(line->u, \&line->dealt, at, line->components, a,'
fault $f 'line: right edge a point too far left' '(uint64_t)(b - a - line->halo)' '(uint64_t)(b - a - line->halo - 1)'
fault $f 'line: left neighbours not fetched again' 'tools->load_part(line->u, .line->dealt, from + (uint64_t)left' 'if (0) tools->load_part(line->u, \&line->dealt, from + (uint64_t)left'
fault $f 'line: right neighbours from the end of a ring' 'right = line->b == line->n ? 0 : line->b' 'right = line->b == line->n ? 1 : line->b'
fault $f 'line: the ring not gone round' 'line->first < 0 ? line->first + line->n' 'line->first < 0 ? 0'
fault $f 'line: the last round not stored' 'resident .. r + 1 < job->rounds)' 'resident \&\& r < job->rounds)'
f=lib/cpu/plane.c
fault $f 'plane: halo a step short' 'p.halo = job->round_steps \* s->method->stages \* p' 'p.halo = (job->round_steps * s->method->stages - 1) * p'
fault $f 'plane: strips a step short' 'deal_reach_down(a, p->halo, p' 'deal_reach_down(a, p->halo - p->radius, p'
fault $f 'plane: strips wait a round too early' '(round - 1) \* tiles + tiles_around' '(round - 2) * tiles + tiles_around'
fault $f 'plane: homes wait a round too early' 'wait_for(p, thread, round);' 'wait_for(p, thread, round - 1);'
fault $f 'plane: edges from above not taken' 'put_rows(p, p->lo - p->halo,' 'if (0) put_rows(p, p->lo - p->halo,'
fault $f 'plane: edges of the other round' 'give_edges(p, thread, round + 1)' 'give_edges(p, thread, round)'
fault $f 'plane: edge below a row too high' 'get_rows(p, p->hi - p->halo,' 'get_rows(p, p->hi - p->halo - 1,'
fault $f 'plane: one thread, a ring of rows not closed' 'if (!p->job->edges) return;' 'if (p->job->tiling.threads == 1) return;'
fault $f 'plane: outside at the time of the first level' '&p->times\[level\], is_uniform' '\&p->times[0], is_uniform'
fault $f 'plane: outside not found again' '    p->written = 0;' ''
fault $f 'plane: time of the next step' 'p->begin + level - 1),' 'p->begin + level),'
fault $f 'plane: mirrored between rows' 'rule, d, ROW_IN, ghost_row(p, level, ODE_SIDE_(1' 'rule, d - 1, ROW_IN, ghost_row(p, level, ODE_SIDE_(1'
fault $f 'plane: clamped to the second row' 'is_high ? p->n\[axis\] - 1 - k : k' 'is_high ? p->n[axis] - 2 - k : k + 1'
fault lib/cpu/plane_sizes.c 'plane: a level a row too early' ': rows_ahead(s, tiling);' ': rows_ahead(s, tiling) - 1;'
fault lib/cpu/plane_sizes.c 'plane: too few rows in the ring' 'return levels \* ecl_plane_apart(s, tiling)' 'return (levels - 1) * ecl_plane_apart(s, tiling)'
fault lib/cpu/plane_sizes.c 'plane: levels a row too near' 'ecl_plane_height(s, tiling) + ecl_rows_apart(s);' 'ecl_plane_height(s, tiling) + ecl_rows_apart(s) - 1;'
fault $f 'plane: the state a level too high' 'place(p->shift + p->levels \* p->apart' 'place(p->shift + (p->levels - 1) * p->apart'
fault $f 'plane: rows of fields not wrapped' '{0, wrapped(y, p->n\[1\]), wrapped(z' '{0, y, wrapped(z'
fault $f 'plane: a strip that goes round read as one' 'x->first >= 0 \&\& x->last <= p->n\[0\]) return' 'x->first >= 0) return'
fault $f 'plane: stored a column too early' 'row + (uint64_t)p->x.a \* p' 'row + (uint64_t)(p->x.a - (p->x.a > 0)) * p'
f=lib/cpu/line.c
fault $f 'line: time of the first stage' 'batch, level + i);' 'batch, level);'
fault $f 'line: carried values not joined' 'join(line->x\[k\],' 'join(line->x[0],'
fault $f 'line: stages joined for one level' 'line->components, now \* line->radius)' 'line->components, line->radius)'
fault $f 'line: the stages of the step'"'"'s beginning' 'ecl_job_levels(line->job, level)' 'ecl_job_levels(line->job, 0)'
fault $f 'line: flushed in the middle of a sweep' 'ecl_levels_until_flush(s, .line->job->batch, level, left);' 'left;'
f=lib/cpu/job.c
fault $f 'job: the other components replaced' '(components == STAGE_POSITIONS));' '(components != STAGE_POSITIONS));'
fault $f 'job: components a lane apart' 'i / s->kernels->lanes %' 'i %'
fault $f 'job: carried values of the first array' 'block.carried\[k - 1\] = x\[k\]' 'block.carried[k - 1] = x[1]'
f=lib/cpu/plane.c
fault lib/cpu/plane_sizes.c 'plane: carried values in too few places' 'ecl_plane_lag(s, tiling) + tiling->rows;' 'ecl_plane_lag(s, tiling);'
fault $f 'plane: carried values of the first row' 'carried_at(p, k, slot)' 'carried_at(p, k, carried_slot(p, y, z))'
fault $f 'plane: slots of carried values not counted round' 'slot + 1 < p->carried_slots ? slot + 1 : 0' 'slot + 1'
fault $f 'plane: a list of places that does not go round' 'i % p->ring_rows' 'i % (2 * p->ring_rows)'
fault $f 'plane: the stage of the next level' 'ecl_job_levels(p->job, p->begin + level - 1)' 'ecl_job_levels(p->job, p->begin + level)'
fault $f 'plane: rounds of single stages' 'p->begin = stages \* ecl' 'p->begin = ecl'
fault lib/cpu/plane_sizes.c 'volume: levels a plane too near' 'return radius \* ecl_plane_height(s, tiling) + radius;' 'return radius;'
fault lib/cpu/plane_sizes.c 'volume: memory taken a plane too early' 'grid.radius \* ecl_plane_height(s, tiling) + ecl_rows_apart(s);' 'grid.radius * ecl_plane_height(s, tiling) - ecl_plane_height(s, tiling) + ecl_rows_apart(s);'
fault $f 'volume: planes of fields not wrapped' 'wrapped(y, p->n\[1\]), wrapped(z, p->n\[2\])}' 'wrapped(y, p->n[1]), z}'
fault $f 'volume: mirrored between planes' 'rule, d, ROW_IN, ghost_row(p, level, ODE_SIDE_(2' 'rule, d - 1, ROW_IN, ghost_row(p, level, ODE_SIDE_(2'
fault $f 'volume: rows of ghosts at one place' 'd, at, in, slot + i)' 'd, at, in, slot)'
fault $f 'volume: slices a step short' '(p->levels - level) \* p->radius;' '(p->levels - level - (p->height \&\& axis == 1 \&\& !level)) * p->radius;'
f=include/eulercl/detail/ode_lane_stages.h
fault $f:line 'stage: the factors of U in all rows' '_ ? stage->a\[i\]\[j\]' '_ ? stage->a[0][j]'
fault $f:line 'stage: the first factor taken for 1' 'ones\[0\] == (O0)' '1'
fault $f:line 'stage: a second carried value forgotten' 'terms\[2\] == (T2)' '1'
fault $f:line 'stage: carried values with the h b of U' ': stage->hb\[i\];' ': stage->hb[0];'
fault $f:line 'stage: all sums of F begun' 'if (stage->begun >> i . 1)' 'if (1)'
fault $f:line 'stage: only the first sum of F' 'left .= left - 1)' 'left = 0)'
fault $f:line 'stage: in place, but the old values' 'if (in_place) v\[1\] = sum' 'if (0) v[1] = sum'
fault $f:line 'stage: the new values of a stage that is not in place' 'if (in_place) v\[1\] = sum' 'v[1] = sum'
fault $f:line 'stage: carried values not stored' 'memcpy(ODE_PI_(ode_carried)(carried, 1) + at' 'memcpy(next + at'
f=include/eulercl/detail/ode_lane_stages_line.h
fault $f:line 'stage: blocks across the end' 'lanes->points - ODE_RADIUS;' 'lanes->points;'
fault $f:line 'stage: a level as far as the one before' 'done\[s - 1\] - ODE_RADIUS : front' 'done[s - 1] : front'
fault $f:line 'stage: the old values of the last block' 'left\[k\] = around\[TOGETHER \* ODE_COMPONENTS + k\]' 'left[k] = around[k]'
fault $f:line 'stage: derivatives of a block twice in the buffer' 'if (stage->shape >= 0) buffered = j;' ''
f=include/eulercl/detail/ode_lane_stages_rows.h
fault $f:plane 'stage, plane: closed at the time before' 'dealt, at, &t_next' 'dealt, at, t'
fault $f:plane 'stage, plane: the rest of a row not kept' 'memcpy(next + at, to + known, size);' ''
fault $f:plane 'stage, plane: the rest of a row from the first of its block' 'to + known, size' 'to, size'
fault $f:plane 'stage, plane: carried values of the rest not kept' '(from, i) + known, size' '(carried, i) + at, size'
fault $f:plane 'stage, plane: the rest of a row once more in its place' 'to = apart\[0\];' ''
f=lib/cpu/tiles.c
fault $f 'tiles: a level a component short' 'left = (end - level - 1) \* k' 'left = (end - level - 1) * k - (level + 1 < end)'
fault $f 'tiles: time of the round' '\&job->batch, level)' '\&job->batch, begin)'
fault $f 'tiles: waits a round too early' 'ecl_flag_wait(\&job->flags\[thread - 1\], r)' 'ecl_flag_wait(\&job->flags[thread - 1], r - 1)'
fault $f 'tiles: published before the last outer tile' 'if (turn == (tiles > 1))' 'if (turn == 0)'
fault $f 'tiles: buffers not swapped' 'buffers\[(level + 1) % 2\]' 'buffers[level % 2]'
fault $f 'tiles: a round of single stages' 'end = stages \* ecl_round_begin' 'end = ecl_round_begin'
fault $f 'tiles: carried values of all threads in one place' 'component(workspace + 2 \* bytes' 'component((char *)job->workspaces[0] + 2 * bytes'
fault $f 'tiles: carried arrays too close' 'stride = (int64_t)(bytes / s->real_size)' 'stride = b - a'
f=lib/cpu/lanes_body.h
fault $f 'lanes: no point shared' 'first\[lane\] = last\[lane - 1\] = -1' 'first[lane] = last[lane - 1] = 0'
fault $f 'lanes: mask of the wrong lane' 'first\[lane\] = last\[lane - 1\] = -1' 'first[lane] = last[lane] = -1'
fault $f 'lanes: joined without what is shared' 'u + in + point)), NEXT' 'u + in)), NEXT'
fault $f 'lanes: joined to themselves' 'PREVIOUS(NAME(get)(end - out))' 'NAME(get)(end - out)'
fault $f 'lanes: the last block not moved back' 'k + 2 \* LANES <= count ? k + LANES : count - LANES' 'k + 2 * LANES <= count ? k + LANES : count'
fault $f 'lanes: stored beyond what is wanted' 'k + i >= from\[lane\] \&\& k + i < to\[lane\]' 'k + i < to[lane]'
fault $f 'lanes: the last wanted not stored' 'k + i < to\[lane\])' 'k + i + 1 < to[lane])'
fault $f 'lanes: a position too few joined' 'REAL \*const end = u + d->lanes.points' 'REAL *const end = u + (d->lanes.points - 1)'
f=lib/schedule/deal_geometry.h
fault $f 'deal: lanes a point late' 'return lane \* (n - deal_points(n, lanes)) / (lanes - 1)' 'return lane * (n - deal_points(n, lanes)) / lanes'
fault $f 'deal: a point short below' 'TILE_IF(begin > halo, begin - halo, 0)' 'TILE_IF(begin > halo, begin - halo + 1, 0)'
fault $f 'deal: a point short above' 'TILE_IF(end < n - halo, end + halo, n)' 'TILE_IF(end < n - halo, end + halo - 1, n)'
fault $f 'deal: the rest forgotten' 'TILE_IF(part < rest, part, rest)' '0'
f=include/eulercl/detail/ode_lanes_line.h
fault $f:line 'kernel, line: boundary of all lanes' 'const mask first = {-1};' 'const mask first = {-1, -1};'
fault $f:line 'kernel, line: no boundary at the right' 'at_right = position == lanes->points - 1 - p' 'at_right = position == lanes->points - p'
fault $f:line 'kernel, line: mirrored between points' 'ODE_LANES_GHOST_(for_left, X_LOW, d - p,' 'ODE_LANES_GHOST_(for_left, X_LOW, d - p - 1,'
fault $f:line 'kernel, line: time of the first level' 'ODE_RADIUS, &instants\[s\]);' 'ODE_RADIUS, instants);'
fault $f:line 'kernel, line: ends taken for the middle' 'left = halo + ODE_RADIUS' 'left = ODE_RADIUS'
f=include/eulercl/detail/ode_lanes.h
fault $f:line 'kernel, line: places on a ring not counted round' 'ix = ix < 0 ? ix + nx : ix >= nx' 'ix = ix >= nx'
f=include/eulercl/detail/ode_lanes_rows.h
fault $f:plane 'kernel, plane: turned the other way' '(lane + by + ODE_LANES_) % ODE_LANES_' '(lane - by + ODE_LANES_) % ODE_LANES_'
fault $f:plane 'kernel, plane: closed without what is shared' 'ode_turned)(end + left_at - POINT, -1)' 'ode_turned)(end + left_at, -1)'
fault $f:plane 'kernel, plane: mirrored between columns' 'ODE_LANES_GHOST_(for_left, X_LOW, i,' 'ODE_LANES_GHOST_(for_left, X_LOW, i - 1,'
fault $f:plane 'kernel, plane: ghosts of rows without their ends' 'ode_index j = -ODE_RADIUS; j < lanes->points + ODE_RADIUS' 'ode_index j = 0; j < lanes->points'
fault $f:plane 'kernel, plane: ghosts at the place of the first row' 'ode_row_behind)(view, row, r), t_next' 'ode_row_behind)(view, row, 0), t_next'
fault $f:plane 'kernel, plane: rows of ghosts a column off' 'x = lanes->first\[lane\] + j;' 'x = lanes->first[lane] + j + 1;'
fault $f:plane 'kernel, plane: outside at the time before' 'ode_row_behind)(view, row, r), t_next' 'ode_row_behind)(view, row, r), t'
fault $f:plane 'kernel, volume: planes of ghosts at the first row' '1 ? 0 : place\[1\]' '1 ? 0 : 0'
f=include/eulercl/detail/ode_cpu.h
fault $f:plane 'kernel, plane: the fields of the first row' 'row\.of\[1\] += rows;' ''
f=include/eulercl/detail/ode_lanes_rows.h
fault $f:plane 'kernel, plane: the second row from the first' '? own\[other\]' '? own[0]'
f=include/eulercl/detail/ode_lanes.h
fault $f:plane 'kernel, plane: fields of the next position' 'ODE_WINDOW_WIDTH_ - ODE_RADIUS) \* ODE_LANES_' 'ODE_WINDOW_WIDTH_ - ODE_RADIUS + 1) * ODE_LANES_'
fault $f:line 'kernel, line: fields of the position before' 'ODE_WINDOW_WIDTH_ - ODE_RADIUS) \* ODE_LANES_' 'ODE_WINDOW_WIDTH_ - ODE_RADIUS - 1) * ODE_LANES_'
fault $f:plane 'kernel, plane: marks of another row' 'held->of\[ODE_WINDOW_ROWS_ / 2\]' 'held->of[0]'
fault $f:plane 'kernel, volume: coefficients of another plane' 'coefficients\[d / ODE_WINDOW_HEIGHT_ \* listed' 'coefficients[0 * listed'
f=include/eulercl/detail/ode_lane_stages.h
fault $f:plane 'kernel, stages: points that keep their values move' 'marks\[lane\] & ODE_MARK_STILL_ ?' '0 ?'
f=lib/cpu/coefficient_rows.c
fault $f 'coefficients: a column off' 'tools->load(row, dealt, plain + depth \* (int64_t)real, 1)' 'tools->load(row, dealt, plain + (depth - 1) * (int64_t)real, 1)'
fault $f 'coefficients: none beyond the right end of a lane' 'i < 2 \* depth' 'i < depth'
fault $f 'coefficients: those beyond a lane of another one' 'dealt->start\[lane\] + j + depth' 'dealt->start[0] + j + depth'
fault $f 'coefficients: rows of the first plane' 'in_plane(grid, 2, z)' '0'
fault $f 'coefficients: marks of the next point' 'marks\[from\]' 'marks[from + 1]'
fault $f 'coefficients: not counted round' '((i % n) + n) % n' '0'
f=lib/cpu/plane.c
fault $f 'plane: the last rows of coefficients not brought in' 'turn->y + turn->count - 1 + radius' 'turn->y + turn->count - 2 + radius'
fault $f 'plane: coefficients begin with the first row' 'held_number(p, p->y.first - p->radius, p->z.first' 'held_number(p, p->y.first, p->z.first'
fault $f 'volume: coefficients of one row more a plane' 'z \* p->held_height + y - p->y.first + p->radius' 'z * p->held_height + y - p->y.first + p->radius - 1'
f=lib/cpu/plane_sizes.c
fault $f 'plane: coefficients of too few rows' 'apart + tiling->rows + 2 \* radius' 'apart + tiling->rows + 2 * radius - 1'
fault $f 'volume: coefficients of too few planes' '(s, tiling) + 2 + 2 \* radius) \*' '(s, tiling) + 2 * radius) *'
fault $f 'resident: coefficients of too few rows' 'ecl_plane_ring(s, tiling) + 2 \* radius' 'tiling->rows + 2 * radius'
echo "$seeded faults seeded"
[ $failed -eq 0 ]
