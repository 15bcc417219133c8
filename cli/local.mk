# The command. It sees the library as any program does: through the public header.
if HAVE_ARGP
# The part that its programs share.
noinst_LTLIBRARIES += cli/libcli.la
cli_libcli_la_SOURCES = cli/shared/arguments.h cli/shared/arguments.c cli/shared/clock.h \
	cli/shared/clock.c cli/shared/escape.h \
	cli/shared/escape.c cli/shared/facts.h cli/shared/facts.c cli/shared/hash.h cli/shared/message.h cli/shared/message.c \
	cli/shared/number.h cli/shared/number.c cli/shared/options.h cli/shared/options.c cli/shared/problem.h cli/shared/problem.c \
	cli/shared/processes.h cli/shared/processes.c cli/shared/progress.h cli/shared/progress.c cli/shared/stop.h cli/shared/stop.c cli/shared/timespan.h cli/shared/timespan.c cli/shared/tolerance.h cli/shared/tolerance.c \
	cli/shared/json.h cli/shared/json.c cli/format/file.h cli/format/file.c cli/format/input.h cli/format/input.c cli/format/field.h cli/format/field.c cli/format/npy.h cli/format/npy.c \
	cli/format/output.h cli/format/output.c cli/format/past.h cli/format/parts.c cli/format/past.c cli/format/state.h cli/format/state.c \
	cli/format/table.c cli/format/thinned.c cli/format/extraction.c cli/format/extraction.h cli/format/thinned.h cli/format/beside.h cli/format/format.h cli/format/hdf5.h cli/format/hdf5_library.h \
	cli/format/hdf5_output.h cli/format/hdf5_read.h cli/format/mesh.h cli/format/parts.h cli/format/picture.h cli/format/canvas.h cli/format/cells.h cli/format/pixels.h cli/format/volume.h cli/format/image.h cli/format/xdmf.h
if HAVE_JANSSON
cli_libcli_la_SOURCES += cli/format/beside.c
endif
if HAVE_CAIRO
cli_libcli_la_SOURCES += cli/format/picture.c cli/format/canvas.c cli/format/cells.c cli/format/pixels.c cli/format/volume.c \
	cli/format/animation.c cli/format/image.c
endif
if HAVE_HDF5
cli_libcli_la_SOURCES += cli/format/hdf5_continue.c cli/format/hdf5_library.c cli/format/hdf5_mesh.c cli/format/hdf5_past.c cli/format/hdf5_parts.c cli/format/hdf5_read.c cli/format/hdf5_states.c cli/format/hdf5_write.c cli/format/xdmf.c
endif
cli_libcli_la_CPPFLAGS = -I$(top_srcdir)/include -I$(top_srcdir)/cli -I$(top_builddir) -I$(top_srcdir)
cli_libcli_la_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS) $(CAIRO_CFLAGS) $(HDF5_CFLAGS) $(XXHASH_CFLAGS)
cli_libcli_la_LIBADD = $(JANSSON_LIBS) $(CAIRO_LIBS) $(HDF5_LIBS)

bin_PROGRAMS += cli/eulercl
dist_man_MANS += cli/eulercl.1
cli_eulercl_SOURCES = cli/command/commands.h cli/command/templates.h cli/command/main.c cli/command/bench.c cli/command/check.c \
	cli/command/compare.c cli/command/devices.c cli/command/info.c cli/command/list.c cli/command/live.c cli/command/new.c cli/command/solve.h cli/command/solve.c cli/command/solve_options.c cli/command/solve_report.c cli/command/tune.c \
	cli/command/wisdom.c cli/format/numbered.h cli/format/numbered.c cli/format/record.h cli/format/record.c \
	cli/format/record_options.c cli/measure/configurations.h cli/measure/configurations.c cli/measure/jobs.h \
	cli/measure/jobs.c cli/measure/benchmark.h cli/measure/benchmark.c cli/measure/comparison.h cli/measure/comparison.c \
	cli/measure/compare_pictures.c cli/measure/contrast.c cli/report/report.h cli/report/report.c \
	cli/report/rows.c cli/report/script.c
nodist_cli_eulercl_SOURCES = cli/command/templates.c cli/report/script_text.c
cli_eulercl_CPPFLAGS = $(cli_libcli_la_CPPFLAGS)
cli_eulercl_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS)
cli_eulercl_LDADD = cli/libcli.la lib/libeulercl.la

# Plots and pages of what bench and compare measure. The command carries the script's text along.
dist_bin_SCRIPTS += cli/eulercl-report
dist_man_MANS += cli/eulercl-report.1
cli/report/script_text.c: cli/eulercl-report
	$(AM_V_GEN)$(MKDIR_P) $(@D) && { echo '#include "report/report.h"' && \
	$(call embed,report_script,$(srcdir)/cli/eulercl-report); } >$@.tmp && mv $@.tmp $@
CLEANFILES += cli/report/script_text.c cli/report/script_text.c.tmp

# An accurate solution by GSL, for eulercl compare --reference.
if HAVE_GSL
bin_PROGRAMS += cli/eulercl-reference
dist_man_MANS += cli/eulercl-reference.1
cli_eulercl_reference_SOURCES = cli/command/reference.c
cli_eulercl_reference_CPPFLAGS = $(cli_libcli_la_CPPFLAGS)
cli_eulercl_reference_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS) $(GSL_CFLAGS)
cli_eulercl_reference_LDADD = cli/libcli.la lib/libeulercl.la $(GSL_LIBS)
endif
EXTRA_DIST += cli/eulercl-reference.1

# The templates of eulercl new, in the order of command/templates.h.
cli_templates = cli/templates/my_chain.c cli/templates/my_line.c cli/templates/my_plane.c \
	cli/templates/my_volume.c
EXTRA_DIST += $(cli_templates)
cli/command/templates.c: $(cli_templates)
	$(AM_V_GEN)$(MKDIR_P) $(@D) && { echo '#include "command/templates.h"' && \
	for f in $(cli_templates); do \
	    name=`basename $$f .c`; $(call embed,$$name,$(srcdir)/$$f) || exit 1; \
	    table="$$table{\"$$name\", $$name}, "; \
	done && echo "const struct template templates[] = {$$table};"; } >$@.tmp && mv $@.tmp $@
CLEANFILES += cli/command/templates.c cli/command/templates.c.tmp
TESTS += tests/command/test_volume.sh tests/command/test_select.sh tests/command/test_cli.sh tests/command/test_cli_check.sh tests/command/test_compare.sh tests/command/test_files.sh tests/command/test_stops.sh tests/command/test_resume.sh tests/command/test_hashes.sh tests/command/test_functions.sh tests/command/test_sides.sh tests/command/test_coefficients.sh tests/command/test_stage_values.sh tests/command/test_compile.sh
TESTS += tests/check_docs.sh tests/python/test_python.sh tests/windows/test_mpi.sh
if HAVE_OPENCL
TESTS += tests/opencl/test_races.sh
endif
endif
EXTRA_DIST += tests/cli.sh tests/command/test_volume.sh tests/command/test_select.sh tests/command/test_sides.sh tests/command/test_coefficients.sh tests/command/test_stage_values.sh tests/command/test_cli.sh tests/command/test_cli_check.sh tests/command/test_compare.sh tests/command/test_files.sh tests/command/test_stops.sh tests/command/test_resume.sh tests/opencl/test_races.sh tests/command/test_compile.sh tests/command/test_hashes.sh tests/command/test_functions.sh tests/command/hashes.txt tests/python/test_python.sh tests/windows/test_mpi.sh
