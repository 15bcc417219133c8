# The library. libcore holds everything, for the tests; libeulercl shows the public names only.
lib_LTLIBRARIES += lib/libeulercl.la
noinst_LTLIBRARIES += lib/libcore.la

pkginclude_HEADERS = include/eulercl/eulercl.h include/eulercl/ode_problem.h include/eulercl/ode_abi.h
pkgincludedir = $(includedir)/eulercl
# What ode_problem.h reads: see README.md in that folder.
detail_HEADERS = include/eulercl/detail/ode_boundary.h include/eulercl/detail/ode_engine.h include/eulercl/detail/ode_words.h include/eulercl/detail/ode_functions.h include/eulercl/detail/ode_update.h \
    include/eulercl/detail/ode_equations.h include/eulercl/detail/ode_isas.h include/eulercl/detail/ode_forms.h include/eulercl/detail/ode_cpu.h include/eulercl/detail/ode_lanes.h \
    include/eulercl/detail/ode_lane_stages.h \
    include/eulercl/detail/ode_definition.h
detaildir = $(pkgincludedir)/detail
EXTRA_DIST += include/eulercl/detail/README.md lib/rkc4.py lib/taken.py

built_in_problems = problems/bruss2d.c problems/string.c
lib_libcore_la_SOURCES = lib/status.def lib/status.c lib/internal.h lib/int.h lib/random.h lib/text.h lib/mem.h lib/mem.c lib/lexer.h lib/lexer.c lib/problem_text.h lib/problem_text.c lib/options.c lib/reals.h lib/reals.c lib/method.h lib/method.c lib/methods.h lib/methods.c lib/rock.c lib/estimate.c lib/rock2.def lib/rkc4.def lib/rock4.def lib/grid.h lib/grid.c lib/system.h lib/system.c lib/update.h lib/update.c lib/pattern.h lib/flush.h lib/flush.c lib/tolerance.h lib/tolerance.c lib/breakpoints.h lib/breakpoints.c lib/problems.def lib/problem.c lib/taken.def lib/names.c \
    lib/backends.def lib/backend.h lib/backend.c lib/backends.c lib/tuning.def lib/tuning.h lib/tuning.c \
    lib/plan.h lib/plan.c lib/wisdom.h lib/wisdom.c lib/ceilings.h lib/ceilings.c lib/monitor.h lib/monitor.c lib/spectrum.h lib/spectrum.c lib/stability.c lib/positions.h lib/positions.c lib/snapshot.c lib/replay.h lib/replay.c lib/control.h lib/control.c lib/inspect.h lib/inspect.c lib/choice.h lib/choice.c lib/adaptive.h lib/adaptive.c lib/adaptive_text.c lib/solver.c \
    lib/check/check.h lib/check/check.c lib/check/findings.c lib/check/values.c lib/check/determinism.c lib/check/forms.c lib/check/device.c lib/check/reads.c lib/check/positions.c lib/check/times.c lib/check/lanes.c \
    lib/check/finite.c lib/check/arithmetic.c \
    lib/machine.h lib/schedule/step.h lib/schedule/step.c lib/schedule/diamond_geometry.h lib/schedule/diamond.h lib/schedule/diamond.c lib/schedule/overlap_geometry.h lib/schedule/overlap_registers.h \
    lib/schedule/overlap_registers.c lib/schedule/deal_geometry.h lib/schedule/overlap_lanes.h lib/schedule/overlap_lanes.c \
    lib/cpu/engine.h lib/cpu/engine.c lib/cpu/state.h lib/cpu/state.c lib/cpu/cores.h lib/cpu/cores.c lib/cpu/seq.c lib/cpu/team.h lib/cpu/team.c lib/cpu/lanes.h lib/cpu/lanes_body.h lib/cpu/lanes.c \
    lib/cpu/job.h lib/cpu/job.c lib/cpu/line.c lib/cpu/plane.c lib/cpu/tiles.c lib/cpu/cpu.c lib/cpu/ceilings.c \
    lib/windows/transport.h lib/windows/transport.c lib/windows/windows.h lib/windows/windows.c lib/windows/shares.c lib/windows/statistics.c lib/windows/stream.h lib/windows/stream.c lib/windows/stream_cut.c \
    $(built_in_problems)
lib_libcore_la_CFLAGS = $(AM_CFLAGS) $(UNWIND_CFLAGS) $(PTHREAD_CFLAGS) $(HWLOC_CFLAGS)
lib_libcore_la_LIBADD = $(PTHREAD_LIBS) $(HWLOC_LIBS)

# Kernel texts as byte arrays.
kernel_texts = kernels/prelude.cl kernels/words.cl kernels/forms.cl kernels/common.cl kernels/estimate.cl kernels/stages.cl kernels/linear.cl kernels/local_forms.cl \
    kernels/tile.cl kernels/tile_rows.cl kernels/tile_columns.cl \
    kernels/register.cl kernels/register_line.cl kernels/register_plane.cl kernels/register_plane_once.cl kernels/register_plane_persistent.cl kernels/register_stream.cl kernels/register_pipeline.cl kernels/ceilings.cl kernels/monitor.cl
EXTRA_DIST += $(kernel_texts)
if HAVE_OPENCL
lib_libcore_la_SOURCES += lib/embedded.h lib/opencl/engine.c lib/opencl/runtime.h lib/opencl/runtime.c lib/opencl/source.c lib/opencl/contract.c \
    lib/opencl/transfer.h lib/opencl/transfer.c lib/opencl/state.h lib/opencl/state.c lib/opencl/linear.c lib/opencl/tiles.c lib/opencl/method_text.h lib/opencl/method_text.c lib/opencl/registers.c lib/opencl/ceilings.c lib/opencl/monitor.c lib/opencl/snapshot.c
nodist_lib_libcore_la_SOURCES = lib/embedded.c
lib_libcore_la_CFLAGS += $(OPENCL_CFLAGS)
lib_libcore_la_LIBADD += $(OPENCL_LIBS)
endif
CLEANFILES += lib/embedded.c
shared_texts = include/eulercl/detail/ode_boundary.h include/eulercl/detail/ode_words.h include/eulercl/detail/ode_functions.h include/eulercl/detail/ode_update.h include/eulercl/detail/ode_forms.h \
    lib/schedule/diamond_geometry.h lib/schedule/overlap_geometry.h
lib/embedded.c: $(kernel_texts) $(shared_texts)
	$(AM_V_GEN)$(MKDIR_P) lib && { for f in $(kernel_texts) $(shared_texts); do \
	    name=`basename $$f | sed 's/\..*//'`; $(call embed,eulercl_text_$$name,$(srcdir)/$$f) || exit 1; \
	done; } >$@.tmp && mv $@.tmp $@

lib_libeulercl_la_SOURCES =
lib_libeulercl_la_LIBADD = lib/libcore.la
# Interface 0, no compatible earlier ones.
lib_libeulercl_la_LDFLAGS = -version-info 0:0:0 -export-symbols-regex '^eulercl_(version|status_name|status_text|problem_(name|open|create|set|set_size|get_info|get_parameter|initial|exact|destroy)|get_device|get_backend|get_method|controller_name|get_tuning|options_(init_size|verify|set|get)|verify_names?|solver_(create|destroy|resume|window)|get_clock|get_breakpoint|set_initial_state|set_state|set_components|get_state|get_(own_)?components|advance|advance_(to|dense)|get_stats|find_fact|borrow_buffer|quantity_name|monitor|snapshot_(create|take|next|destroy)|solve|transport_solver_create|estimate_stability|stable_step|evaluate|check|check_name|measure_ceilings|tune|wisdom_(path|each|export|import|forget)|kernel_source|free)$$' -no-undefined
