# The command. It sees the library as any program does: through the public header.
if HAVE_ARGP
bin_PROGRAMS += cli/eulercl
dist_man_MANS += cli/eulercl.1
cli_eulercl_SOURCES = cli/cli.h cli/main.c cli/number.c cli/problem.c cli/compile.c cli/progress.c cli/npy.c cli/output.c \
	cli/list.c cli/devices.c cli/info.c cli/solve.c
if HAVE_JANSSON
cli_eulercl_SOURCES += cli/json.c
endif
if HAVE_CAIRO
cli_eulercl_SOURCES += cli/picture.c
endif
nodist_cli_eulercl_SOURCES = cli/headers.c
cli_eulercl_CPPFLAGS = -I$(top_srcdir)/include -I$(top_srcdir)/cli -I$(top_builddir)
cli_eulercl_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS) $(CAIRO_CFLAGS) $(XXHASH_CFLAGS)
cli_eulercl_LDADD = lib/libeulercl.la $(JANSSON_LIBS) $(CAIRO_LIBS)

# The headers that a user's problem includes, so that FILE.c compiles where nothing is installed.
cli_headers = ode_problem.h ode_forms.h ode_cpu.h
cli_header_name = $(subst .,_,$(1))
cli/headers.c: $(cli_headers:%=$(top_srcdir)/include/eulercl/%)
	$(AM_V_GEN)$(MKDIR_P) cli && { printf '#include "cli.h"\n' \
	$(foreach header,$(cli_headers),&& $(call embed,$(call cli_header_name,$(header)),$(top_srcdir)/include/eulercl/$(header))) \
	&& printf 'const struct header headers[] = {\n' \
	$(foreach header,$(cli_headers),&& printf '{"%s", %s, sizeof %s - 1},\n' $(header) $(call cli_header_name,$(header)) $(call cli_header_name,$(header))) \
	&& printf '{0}};\n'; } > $@.tmp && mv $@.tmp $@
CLEANFILES += cli/headers.c cli/headers.c.tmp
endif
