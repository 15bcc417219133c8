# The command. It sees the library as any program does: through the public header.
if HAVE_ARGP
# What its programs share.
noinst_LTLIBRARIES += cli/libcli.la
cli_libcli_la_SOURCES = cli/cli.h cli/common.c cli/number.c cli/problem.c cli/options.c cli/time.c cli/compile.c cli/cache.c cli/messages.c cli/progress.c cli/facts.c cli/output.c \
	cli/npy.c cli/table.c cli/input.c cli/state.c
if HAVE_JANSSON
cli_libcli_la_SOURCES += cli/json.c
endif
if HAVE_CAIRO
cli_libcli_la_SOURCES += cli/picture.c cli/animation.c
endif
if HAVE_HDF5
cli_libcli_la_SOURCES += cli/hdf5.c
endif
nodist_cli_libcli_la_SOURCES = cli/headers.c
cli_libcli_la_CPPFLAGS = -I$(top_srcdir)/include -I$(top_srcdir)/cli -I$(top_builddir) -I$(top_srcdir)
cli_libcli_la_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS) $(CAIRO_CFLAGS) $(HDF5_CFLAGS) $(XXHASH_CFLAGS)
cli_libcli_la_LIBADD = $(JANSSON_LIBS) $(CAIRO_LIBS) $(HDF5_LIBS)

bin_PROGRAMS += cli/eulercl
dist_man_MANS += cli/eulercl.1
cli_eulercl_SOURCES = cli/main.c cli/record.c cli/list.c cli/devices.c cli/info.c cli/new.c cli/check.c cli/solve.c cli/tune.c cli/wisdom.c \
	cli/runs.h cli/runs.c cli/configurations.c cli/columns.c cli/gnuplot.c cli/bench.h cli/bench.c cli/bench_report.c \
	cli/compare.h cli/compare.c cli/compare_states.c cli/compare_report.c cli/compare_html.c
nodist_cli_eulercl_SOURCES = cli/templates.c
cli_eulercl_CPPFLAGS = $(cli_libcli_la_CPPFLAGS)
cli_eulercl_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS)
cli_eulercl_LDADD = cli/libcli.la lib/libeulercl.la

# An accurate solution by GSL, for eulercl compare --reference.
if HAVE_GSL
bin_PROGRAMS += cli/eulercl-reference
dist_man_MANS += cli/eulercl-reference.1
cli_eulercl_reference_SOURCES = cli/reference.c
cli_eulercl_reference_CPPFLAGS = $(cli_libcli_la_CPPFLAGS)
cli_eulercl_reference_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS) $(GSL_CFLAGS)
cli_eulercl_reference_LDADD = cli/libcli.la lib/libeulercl.la $(GSL_LIBS)
endif
EXTRA_DIST += cli/eulercl-reference.1

# The headers that a user's problem includes, so that FILE.c compiles where nothing is installed.
cli_headers = include/eulercl/ode_problem.h include/eulercl/ode_words.h include/eulercl/ode_update.h include/eulercl/ode_forms.h include/eulercl/ode_cpu.h include/eulercl/ode_lanes.h
cli/headers.c: $(cli_headers)
	$(AM_V_GEN)$(MKDIR_P) cli && { echo '#include "cli.h"' && \
	for f in $(cli_headers); do \
	    name=`basename $$f .h`; $(call embed,$$name,$(srcdir)/$$f) || exit 1; \
	    table="$$table{\"$$name.h\", $$name, sizeof $$name - 1}, "; \
	done && echo "const struct header headers[] = {$$table{0}};"; } >$@.tmp && mv $@.tmp $@
CLEANFILES += cli/headers.c cli/headers.c.tmp

# What eulercl new begins with, in the order of cli.h.
cli_templates = cli/templates/my_chain.c cli/templates/my_line.c cli/templates/my_plane.c
EXTRA_DIST += $(cli_templates)
cli/templates.c: $(cli_templates)
	$(AM_V_GEN)$(MKDIR_P) cli && { echo '#include "cli.h"' && \
	for f in $(cli_templates); do \
	    name=`basename $$f .c`; $(call embed,$$name,$(srcdir)/$$f) || exit 1; \
	    table="$$table{\"$$name\", $$name, sizeof $$name - 1}, "; \
	done && echo "const struct template templates[] = {$$table};"; } >$@.tmp && mv $@.tmp $@
CLEANFILES += cli/templates.c cli/templates.c.tmp
TESTS += tests/test_cli.sh tests/test_cli_check.sh tests/test_compare.sh tests/test_files.sh tests/test_stops.sh tests/test_resume.sh tests/test_hashes.sh tests/test_compile.sh
TESTS += tests/check_docs.sh
if HAVE_OPENCL
TESTS += tests/test_races.sh
endif
endif
EXTRA_DIST += tests/cli.sh tests/test_cli.sh tests/test_cli_check.sh tests/test_compare.sh tests/test_files.sh tests/test_stops.sh tests/test_resume.sh tests/test_races.sh tests/test_compile.sh tests/test_hashes.sh tests/hashes.txt
