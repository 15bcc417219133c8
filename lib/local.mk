# The library. libcore holds everything, for the tests; libeulercl shows the public names only.
lib_LTLIBRARIES += lib/libeulercl.la
noinst_LTLIBRARIES += lib/libcore.la

pkginclude_HEADERS = include/eulercl/eulercl.h include/eulercl/ode_problem.h include/eulercl/ode_abi.h
pkgincludedir = $(includedir)/eulercl
# The headers that ode_problem.h reads: see README.md in that folder.
detail_HEADERS = include/eulercl/detail/ode_boundary.h include/eulercl/detail/ode_engine.h include/eulercl/detail/ode_words.h include/eulercl/detail/ode_coefficients.h include/eulercl/detail/ode_functions.h include/eulercl/detail/ode_update.h \
    include/eulercl/detail/ode_equations.h include/eulercl/detail/ode_isas.h include/eulercl/detail/ode_forms.h include/eulercl/detail/ode_cpu.h include/eulercl/detail/ode_lanes.h \
    include/eulercl/detail/ode_lanes_line.h include/eulercl/detail/ode_lanes_rows.h include/eulercl/detail/ode_lane_shapes.h include/eulercl/detail/ode_lane_stages.h \
    include/eulercl/detail/ode_lane_stages_line.h include/eulercl/detail/ode_lane_stages_rows.h \
    include/eulercl/detail/ode_math_c.h include/eulercl/detail/ode_math_constants.h include/eulercl/detail/ode_math.h \
    include/eulercl/detail/ode_definition.h
detaildir = $(pkgincludedir)/detail
EXTRA_DIST += include/eulercl/detail/README.md lib/method/rkc4.py lib/problem/taken.py lib/problem/math_coefficients.py

# make lane-shapes writes a header from the methods, after a change of them.
check_PROGRAMS += lib/method/lane_shapes
lib_method_lane_shapes_SOURCES = lib/method/lane_shapes.c
lib_method_lane_shapes_LDADD = lib/libcore.la
lane_shapes = include/eulercl/detail/ode_lane_shapes.h
lane-shapes: lib/method/lane_shapes
	$(AM_V_GEN)lib/method/lane_shapes >lane_shapes.tmp && mv lane_shapes.tmp $(srcdir)/$(lane_shapes)
.PHONY: lane-shapes

# make math-coefficients writes the polynomials of ode_math.h. It needs Python's mpmath.
math_constants = include/eulercl/detail/ode_math_constants.h
math-coefficients:
	$(AM_V_GEN)python3 $(srcdir)/lib/problem/math_coefficients.py >math_constants.tmp && mv math_constants.tmp $(srcdir)/$(math_constants)
.PHONY: math-coefficients

built_in_problems = problems/bruss2d.c problems/bruss3d.c problems/string.c
lib_libcore_la_SOURCES = lib/status.def lib/status.c lib/internal.h lib/int.h lib/random.h lib/text.h lib/mem.h lib/mem.c lib/cache/cache.h lib/cache/cache.c lib/problem/lexer.h lib/problem/lexer.c lib/problem/problem_text.h lib/problem/problem_text.c lib/problem/functions.def lib/problem/function_work.h lib/problem/function_work.c lib/problem/time_factors.h lib/problem/time_factors.c lib/run/options.def lib/run/options.c lib/run/options_text.c lib/reals.h lib/reals.c lib/method/method.h lib/method/method.c lib/method/methods.h lib/method/methods.c lib/method/rock.c lib/method/estimate.c lib/method/stage_values.c lib/method/rock2.def lib/method/rkc4.def lib/method/rock4.def lib/problem/grid.h lib/problem/grid.c lib/problem/system.h lib/problem/system.c lib/problem/update.h lib/problem/update.c lib/problem/pattern.h lib/problem/flush.h lib/problem/flush.c lib/tolerance/tolerance.h lib/tolerance/tolerance.c lib/tolerance/breakpoints.h lib/tolerance/breakpoints.c lib/problem/problems.def lib/problem/problem.h lib/problem/problem.c lib/problem/plugin.h lib/problem/plugin.c lib/problem/open.c lib/compile/compile.h lib/compile/optimized.h lib/compile/workshop.h lib/problem/values.c lib/problem/coefficients.h lib/problem/coefficients.c lib/problem/taken.def lib/problem/names.c lib/problem/settings.def lib/problem/settings.h lib/problem/settings.c \
    lib/plan/backends.def lib/run/backend.h lib/run/backend.c lib/plan/backends.c lib/plan/tuning.def lib/plan/tuning.h lib/plan/tuning.c \
    lib/plan/plan.h lib/plan/plan.c lib/plan/measure.c lib/plan/wisdom.h lib/plan/builds.h lib/plan/builds.c lib/plan/wisdom.c lib/plan/ceilings.h lib/plan/ceilings.c lib/plan/rates.h lib/plan/rates.c lib/run/reduce.h lib/run/reduce.c lib/run/monitor.h lib/run/monitor.c lib/observe/observe.h lib/observe/lines.h lib/observe/lines.c lib/observe/reduction.c lib/observe/observe.c lib/observe/histogram.c lib/observe/loops.c lib/observe/patterns.c lib/observe/length.c lib/observe/front.c lib/observe/correlation.c lib/observe/thin.c lib/observe/smooth.c lib/observe/extract.c lib/tolerance/eigen.h lib/tolerance/eigen.c lib/tolerance/spectrum.h lib/tolerance/spectrum_parts.h lib/tolerance/spectrum.c lib/tolerance/spectrum_scales.c lib/tolerance/spectrum_local.c lib/tolerance/stability.c lib/problem/positions.h lib/problem/positions.c lib/run/snapshot.c lib/run/replay.h lib/run/replay.c lib/run/move.h lib/run/move.c lib/tolerance/control.h lib/tolerance/control.c lib/tolerance/inspect.h lib/tolerance/inspect.c lib/tolerance/choice.h lib/tolerance/choice.c lib/tolerance/adaptive.h lib/tolerance/adaptive.c lib/tolerance/adaptive_text.c lib/run/solver.h lib/run/solver.c lib/run/state.c lib/run/advance.c lib/run/until.c \
    lib/check/check.h lib/check/check.c lib/check/findings.c lib/check/values.c lib/check/determinism.c lib/check/forms.c lib/check/device.c lib/check/reads.c lib/check/positions.c lib/check/times.c lib/check/lanes.c \
    lib/check/finite.c lib/check/arithmetic.c \
    lib/machine/machine.h lib/machine/h200.def lib/machine/xeon.def lib/schedule/step.h lib/schedule/step.c lib/schedule/diamond_geometry.h lib/schedule/diamond.h lib/schedule/diamond.c lib/schedule/overlap_geometry.h \
    lib/schedule/registers/registers.h lib/schedule/registers/kernels.def lib/schedule/registers/kernel.h lib/schedule/registers/search.c lib/schedule/registers/costs.c lib/schedule/registers/tile.c lib/schedule/registers/rounds.c \
    lib/schedule/registers/line.c lib/schedule/registers/plane.c lib/schedule/registers/stream.c lib/schedule/registers/pipeline.c lib/schedule/registers/volume.c lib/schedule/registers/method_text.h lib/schedule/registers/method_text.c \
    lib/schedule/deal_geometry.h lib/schedule/overlap_lanes.h lib/schedule/overlap_lanes.c \
    lib/cpu/engine.h lib/cpu/engine.c lib/cpu/state.h lib/cpu/state.c lib/cpu/reduce.h lib/cpu/reduce.c lib/cpu/cores.h lib/cpu/cores.c lib/cpu/seq.c lib/cpu/team.h lib/cpu/team.c lib/cpu/lanes.h lib/cpu/lanes_body.h lib/cpu/lanes.c \
    lib/cpu/coefficient_rows.h lib/cpu/coefficient_rows.c lib/cpu/job.h lib/cpu/job.c lib/cpu/line.c lib/cpu/plane.c lib/cpu/plane.h lib/cpu/plane_sizes.c lib/cpu/tiles.c lib/cpu/cpu.c lib/cpu/ceilings.c \
    lib/run/transport.h lib/run/transport.c lib/windows/windows.h lib/windows/windows.c lib/windows/state.c lib/windows/jobs.c lib/windows/compare.c lib/windows/shares.c lib/windows/reduce.c lib/windows/stream.h lib/windows/stream.c lib/windows/stream_visits.c lib/windows/stream_cut.c \
    $(built_in_problems)
lib_libcore_la_CFLAGS = $(AM_CFLAGS) $(UNWIND_CFLAGS) $(PTHREAD_CFLAGS) $(HWLOC_CFLAGS)
lib_libcore_la_LIBADD = $(PTHREAD_LIBS) $(HWLOC_LIBS)

# Texts that the library carries, as byte arrays.
nodist_lib_libcore_la_SOURCES = lib/embedded.c
embedded_texts =
# FILE.c becomes a plug-in. The headers that it includes are embedded, so that it compiles where nothing is installed.
problem_headers =
if HAVE_COMPILE
lib_libcore_la_SOURCES += lib/compile/compile.c lib/compile/key.h lib/compile/key.c lib/compile/optimized.c lib/compile/workshop.c lib/compile/compiler.h lib/compile/compiler.c lib/compile/cache.h lib/compile/cache.c lib/compile/log.h lib/compile/log.c
problem_headers += include/eulercl/ode_problem.h include/eulercl/ode_abi.h $(detail_HEADERS)
embedded_texts += $(problem_headers)
endif

kernel_texts = kernels/prelude.cl kernels/words.cl kernels/math_words.cl kernels/forms.cl kernels/common.cl kernels/estimate.cl kernels/stages.cl kernels/linear.cl kernels/local_forms.cl \
    kernels/tile.cl kernels/tile_rows.cl kernels/tile_columns.cl \
    kernels/register.cl kernels/register_line.cl kernels/register_plane.cl kernels/register_plane_once.cl kernels/register_plane_persistent.cl kernels/register_stream.cl kernels/register_pipeline_rows.cl kernels/register_pipeline.cl kernels/register_volume_planes.cl kernels/register_volume.cl kernels/ceilings.cl kernels/local_memory.cl kernels/monitor.cl kernels/histogram.cl kernels/patterns.cl kernels/length.cl kernels/thin.cl kernels/extract.cl kernels/front.cl kernels/correlation.cl
EXTRA_DIST += $(kernel_texts)
if HAVE_OPENCL
lib_libcore_la_SOURCES += lib/opencl/embedded.h lib/opencl/engine.c lib/opencl/runtime.h lib/opencl/runtime.c lib/opencl/source.c lib/opencl/contract.c lib/opencl/local_memory.c \
    lib/opencl/transfer.h lib/opencl/transfer.c lib/opencl/state.h lib/opencl/state.c lib/opencl/times.c lib/opencl/linear.c lib/opencl/tiles.c lib/opencl/registers.h lib/opencl/registers.c lib/opencl/registers_arguments.c lib/opencl/registers_launch.c lib/opencl/ceilings.c lib/opencl/reduce.c lib/opencl/snapshot.c
lib_libcore_la_CFLAGS += $(OPENCL_CFLAGS)
lib_libcore_la_LIBADD += $(OPENCL_LIBS)
embedded_texts += $(kernel_texts) $(shared_texts)
endif
shared_texts = include/eulercl/detail/ode_boundary.h include/eulercl/detail/ode_words.h include/eulercl/detail/ode_coefficients.h include/eulercl/detail/ode_functions.h include/eulercl/detail/ode_update.h include/eulercl/detail/ode_forms.h \
    include/eulercl/detail/ode_math_constants.h include/eulercl/detail/ode_math.h \
    lib/schedule/diamond_geometry.h lib/schedule/overlap_geometry.h
lib/embedded.c: $(embedded_texts) config.status
	$(AM_V_GEN)$(MKDIR_P) $(@D) && { echo '#include "compile/workshop.h"' && for f in $(sort $(embedded_texts)); do \
	    name=`basename $$f | sed 's/\..*//'`; $(call embed,ecl_text_$$name,$(srcdir)/$$f) || exit 1; \
	done && echo 'const struct header ecl_headers[] = {' && for f in $(problem_headers); do \
	    name=ecl_text_`basename $$f .h`; echo "{\"$${f#include/eulercl/}\", $$name, sizeof $$name - 1},"; \
	done && echo '{0}};'; } >$@.tmp && mv $@.tmp $@
CLEANFILES += lib/embedded.c

lib_libeulercl_la_SOURCES =
lib_libeulercl_la_LIBADD = lib/libcore.la
# Interface 0, no compatible earlier ones. The library shows what EULERCL_API marks.
lib_libeulercl_la_LDFLAGS = -version-info 0:0:0 -export-symbols lib/exports.sym -no-undefined
EXTRA_lib_libeulercl_la_DEPENDENCIES = lib/exports.sym
marked_headers = include/eulercl/eulercl.h lib/run/transport.h
lib/exports.sym: $(marked_headers)
	$(AM_V_GEN)$(MKDIR_P) lib && (cd $(srcdir) && \
	    sed -n 's/^EULERCL_API .*[ *]\(eulercl_[a-z_]*\)(.*/\1/p' $(marked_headers)) >$@.tmp && test -s $@.tmp && mv $@.tmp $@
CLEANFILES += lib/exports.sym
