# Tests. The OpenCL driver's cache and the wisdom are kept out of the user's. With a shared library the scripts take the program of the command itself: Libtool's
# script in front of it runs five times as long as most commands do. use_tls=0: LeakSanitizer crashes when it looks at the thread-local
# storage of PoCL's threads.
built_command = $(abs_top_builddir)/cli/.libs/eulercl
AM_TESTS_ENVIRONMENT = \
    : "$${POCL_CACHE_DIR:=$(abs_top_builddir)/tests/pocl-cache}"; export POCL_CACHE_DIR; $(MKDIR_P) "$$POCL_CACHE_DIR"; \
    XDG_CACHE_HOME='$(abs_top_builddir)/tests/cache'; export XDG_CACHE_HOME; \
    if test -x '$(built_command)'; then \
        : "$${EULERCL:=$(built_command)}"; export EULERCL; \
        LD_LIBRARY_PATH="$(abs_top_builddir)/lib/.libs$${LD_LIBRARY_PATH:+:}$$LD_LIBRARY_PATH"; export LD_LIBRARY_PATH; \
    fi; \
    EULERCL_TEST_PLUGINS='$(abs_top_builddir)/tests/.libs'; export EULERCL_TEST_PLUGINS; \
    EULERCL_TEST_LAYER='$(fault_layer)'; export EULERCL_TEST_LAYER; \
    EULERCL_TEST_BUILD='$(abs_top_builddir)'; export EULERCL_TEST_BUILD; \
    EULERCL_TEST_COMPILER='$(CC)'; export EULERCL_TEST_COMPILER; \
    EULERCL_TEST_CC='$(CC) -I$(abs_top_srcdir)/include'; export EULERCL_TEST_CC; \
    EULERCL_TEST_SOURCES='$(abs_top_srcdir)'; export EULERCL_TEST_SOURCES; \
    NM='$(NM)'; export NM; \
    LSAN_OPTIONS="suppressions=$(abs_top_srcdir)/tests/lsan.supp:print_suppressions=0:use_tls=0$${LSAN_OPTIONS:+:}$$LSAN_OPTIONS"; export LSAN_OPTIONS;
EXTRA_DIST += tests/lsan.supp tests/README.md

# The amount of work of the tests. Users run make check, whose tests take seconds each. EULERCL_TEST_LEVEL=long, which make check-long sets, makes each of them do more;
# EULERCL_TEST_LEVEL=all does without turns what the others do by turns; with EULERCL_TEST_TUPLES=3200, EULERCL_TEST_CASES=20000 and
# CK_TIMEOUT_MULTIPLIER=20 make check-long then takes hours. Random tests draw `cases FEW MANY` cases (tests/support.h for programs,
# tests/cli.sh for scripts): FEW in make check; MANY with a level, and a quarter of MANY with the level long. EULERCL_TEST_CASES=N in the environment is their number instead, and EULERCL_TEST_SEED=S
# (default 2012) the seed, which each failure prints.

# Fuzzers, scripts or programs: first they replay the cases in them that once failed, then they draw `cases FEW MANY` random ones. The replay and FEW
# together take at most three CPU seconds, MANY about a minute. A script is named here and nowhere else.
fuzzers = tests/command/fuzz_files.sh tests/command/fuzz_kills.sh tests/command/fuzz_options.sh
TESTS += $(fuzzers)
EXTRA_DIST += $(fuzzers)

EXTRA_DIST += tests/schedule/prove_tiles.sh tests/schedule/prove_tiles.cc lib/schedule/diamond_geometry.h
EXTRA_DIST += tests/opencl/test_mutants.sh tests/cpu/test_lane_mutants.sh tests/problems/membrane.c

# make check-long: what takes too long for make check, in this build and in others that it makes.
check-long: all $(check_PROGRAMS) $(check_LTLIBRARIES)
	@MAKE='$(MAKE)' CC='$(CC)' CXX='$(CXX)' $(srcdir)/tests/check_long.sh
# make run-test TEST=tests/NAME: one test, also one of check-long alone. make list LIST=TESTS: the names of all of make check.
run-test: $(filter $(TEST),$(check_PROGRAMS))
	@$(AM_TESTS_ENVIRONMENT) test=./'$(TEST)'; test -f "$$test" || test='$(srcdir)/$(TEST)'; exec "$$test"
list:
	@echo $($(LIST))
# The problems alone, which take longest to compile.
problem-objects: $(filter-out tests/libsupport.la,$(check_LTLIBRARIES)) $(built_in_problems:problems/%.c=problems/lib_libcore_la-%.lo)
.PHONY: check-long run-test list problem-objects
EXTRA_DIST += tests/check_long.sh tests/test_builds.sh
clean-local: clean-check-long
clean-check-long:
	rm -rf long
.PHONY: clean-check-long

# make check-packaging: the files of eulercl solve, read by other programs; a release, built, installed, used and removed; Debian's packages. See there for
# what it needs.
check-packaging: all
	@$(AM_TESTS_ENVIRONMENT) EULERCL='$(abs_top_builddir)/cli/eulercl' $(srcdir)/tests/command/check_files.sh
	@$(installed_environment) MAKE='$(MAKE)' distdir='$(distdir)' $(srcdir)/tests/check_packaging.sh
.PHONY: check-packaging
EXTRA_DIST += tests/check_packaging.sh tests/command/check_files.sh tests/command/check_files.py tests/command/check_xdmf.py
# make check-docs runs every command of install.md, README.md, backends.md, the tutorial and the gallery in an unpacked distribution. The normal suite
# runs those of README.md only.
check-packaging: check-docs
check-docs: all
	@$(AM_TESTS_ENVIRONMENT) $(srcdir)/tests/check_docs.sh all
.PHONY: check-docs
EXTRA_DIST += tests/check_docs.sh tests/windows/mpi_cases.c
clean-local: clean-tests-cache
clean-tests-cache:
	rm -rf tests/pocl-cache tests/cache
.PHONY: clean-tests-cache

# make check-gpu: every program that a run to a tolerance can reach on a GPU. A release runs it; see there for how it runs where this tree is not built.
check-gpu: all tests/programs
	@$(AM_TESTS_ENVIRONMENT) EULERCL_PROGRAMS='$(abs_top_builddir)/tests/programs' $(srcdir)/tests/opencl/check_gpu.sh
.PHONY: check-gpu
EXTRA_DIST += tests/opencl/check_gpu.sh
check_PROGRAMS += tests/programs
tests_programs_SOURCES = tests/opencl/programs.c
tests_programs_CFLAGS = $(AM_CFLAGS) $(PTHREAD_CFLAGS)
tests_programs_LDADD = lib/libcore.la $(PTHREAD_LIBS)

# It needs no Check, so that it can run for other processors, too.
check_PROGRAMS += tests/function_bits
TESTS += tests/function_bits
tests_function_bits_SOURCES = tests/problem/function_bits.c tests/problem/functions.h

if HAVE_CHECK
test_problems = tests/problems/forced_wave.c tests/problems/heat_fields.c tests/problems/advection.c tests/problems/diagonal.c \
    tests/problems/rod_clamp.c tests/problems/rod_fixed.c tests/problems/string_thesis.c tests/problems/string_thesis4.c \
    tests/problems/position.c tests/problems/rough.c tests/problems/mirror2.c tests/problems/reverse.c tests/problems/seven.c \
    tests/problems/talkative.c tests/problems/tide.c tests/problems/chirp.c tests/problems/distant.c tests/problems/pendulum.c tests/problems/shaken_rod.c \
    tests/problems/beam.c tests/problems/far_star.c tests/problems/excited.c tests/problems/hidden.c tests/problems/pasted.c \
    tests/problems/rod_mirror.c tests/problems/torus.c tests/problems/volume.c tests/problems/box.c tests/problems/tunnel.c tests/problems/knot.c tests/problems/block.c tests/problems/lattice.c tests/problems/coupled.c tests/problems/ring.c tests/problems/rotor.c tests/problems/rotor4.c tests/problems/staggered.c tests/problems/acoustics.c \
    tests/problems/robin_rod.c tests/problems/robin_plate.c \
    tests/problems/sides_plate.c tests/problems/sides_cells.c tests/problems/sides_tube.c tests/problems/sides_rod.c tests/problems/maze.c tests/problems/scar.c tests/problems/inflow.c tests/problems/swing.c

# Linked: each with a header in front that lets a test choose the instruction set.
check_LTLIBRARIES += tests/libproblems.la
tests_libproblems_la_SOURCES = $(test_problems) $(built_in_problems) tests/problems/species.c tests/problems/crowd.c examples/nbody.c examples/matrix.c tests/problems/choose_isa.h
tests_libproblems_la_CFLAGS = $(AM_CFLAGS) -include $(srcdir)/tests/problems/choose_isa.h

test_cflags = $(AM_CFLAGS) $(CHECK_CFLAGS) $(PTHREAD_CFLAGS)
test_libs = tests/libsupport.la tests/libproblems.la $(CHECK_LIBS) $(PTHREAD_LIBS)
# What the programs share is compiled once.
check_LTLIBRARIES += tests/libsupport.la
tests_libsupport_la_SOURCES = tests/support.c tests/support.h tests/run/interface.c tests/run/interface.h tests/run/states.c tests/run/states.h tests/problems/problems.def
tests_libsupport_la_CFLAGS = $(test_cflags)

# The longest first: make -j2 then ends with short ones.
test_programs = tests/test_tile_bits tests/test_method tests/test_faults tests/test_bits tests/test_interface tests/test_interface_problems tests/test_interface_options \
    tests/test_interface_solver tests/test_interface_observers tests/test_interface_opencl tests/test_plugin tests/test_windows tests/test_lanes tests/test_tolerance tests/test_times tests/test_tiles tests/test_plan \
    tests/test_check tests/test_choice tests/test_overlap tests/test_monitor tests/test_observe tests/test_select tests/test_snapshot tests/test_resume tests/test_move tests/test_replay tests/test_calls tests/test_lexer tests/test_functions tests/test_access_all
check_PROGRAMS += $(test_programs)
TESTS += $(test_programs)

tests_test_interface_SOURCES = tests/run/test_interface.c
tests_test_interface_CFLAGS = $(test_cflags)
tests_test_interface_LDADD = $(test_libs) lib/libeulercl.la
tests_test_interface_problems_SOURCES = tests/run/test_interface_problems.c
tests_test_interface_problems_CFLAGS = $(test_cflags)
tests_test_interface_problems_LDADD = $(test_libs) lib/libeulercl.la
tests_test_interface_options_SOURCES = tests/run/test_interface_options.c
tests_test_interface_options_CFLAGS = $(test_cflags)
tests_test_interface_options_LDADD = $(test_libs) lib/libeulercl.la
tests_test_interface_solver_SOURCES = tests/run/test_interface_solver.c
tests_test_interface_solver_CFLAGS = $(test_cflags)
tests_test_interface_solver_LDADD = $(test_libs) lib/libeulercl.la
tests_test_interface_observers_SOURCES = tests/run/test_interface_observers.c
tests_test_interface_observers_CFLAGS = $(test_cflags)
tests_test_interface_observers_LDADD = $(test_libs) lib/libeulercl.la
tests_test_interface_opencl_SOURCES = tests/opencl/test_interface_opencl.c
tests_test_interface_opencl_CFLAGS = $(test_cflags) $(OPENCL_CFLAGS)
tests_test_interface_opencl_LDADD = $(test_libs) lib/libeulercl.la $(OPENCL_LIBS)
tests_test_tolerance_SOURCES = tests/tolerance/test_tolerance.c
tests_test_tolerance_CFLAGS = $(test_cflags)
tests_test_tolerance_LDADD = $(test_libs) lib/libeulercl.la
tests_test_times_SOURCES = tests/tolerance/test_times.c
tests_test_times_CFLAGS = $(test_cflags)
tests_test_times_LDADD = $(test_libs) lib/libeulercl.la
tests_test_calls_SOURCES = tests/run/test_calls.c
tests_test_calls_CFLAGS = $(test_cflags)
tests_test_calls_LDADD = $(test_libs) lib/libcore.la
tests_test_bits_SOURCES = tests/problem/test_bits.c
tests_test_bits_CFLAGS = $(test_cflags)
tests_test_bits_LDADD = $(test_libs) lib/libcore.la
tests_test_tile_bits_SOURCES = tests/opencl/test_tile_bits.c
tests_test_tile_bits_CFLAGS = $(test_cflags) $(OPENCL_CFLAGS)
tests_test_tile_bits_LDADD = $(test_libs) lib/libcore.la $(OPENCL_LIBS)
tests_test_windows_SOURCES = tests/windows/test_windows.c
tests_test_windows_CFLAGS = $(test_cflags)
tests_test_windows_LDADD = $(test_libs) lib/libcore.la
tests_test_tiles_SOURCES = tests/schedule/test_tiles.c
tests_test_tiles_CFLAGS = $(test_cflags)
tests_test_tiles_LDADD = $(test_libs) lib/libcore.la
tests_test_overlap_SOURCES = tests/schedule/test_overlap.c
tests_test_overlap_CFLAGS = $(test_cflags)
tests_test_overlap_LDADD = $(test_libs) lib/libcore.la
tests_test_choice_SOURCES = tests/schedule/test_choice.c
tests_test_choice_CFLAGS = $(test_cflags)
tests_test_choice_LDADD = $(test_libs) lib/libcore.la
tests_test_lanes_SOURCES = tests/cpu/test_lanes.c
tests_test_lanes_CFLAGS = $(test_cflags)
tests_test_lanes_LDADD = $(test_libs) lib/libcore.la
tests_test_plan_SOURCES = tests/plan/test_plan.c
tests_test_plan_CFLAGS = $(test_cflags)
tests_test_plan_LDADD = $(test_libs) lib/libcore.la
tests_test_check_SOURCES = tests/check/test_check.c
tests_test_check_CFLAGS = $(test_cflags)
tests_test_check_LDADD = $(test_libs) lib/libcore.la
tests_test_monitor_SOURCES = tests/run/test_monitor.c
tests_test_monitor_CFLAGS = $(test_cflags)
tests_test_monitor_LDADD = $(test_libs) lib/libeulercl.la
tests_test_observe_SOURCES = tests/run/test_observe.c
tests_test_observe_CFLAGS = $(test_cflags)
tests_test_observe_LDADD = $(test_libs) lib/libeulercl.la
tests_test_select_SOURCES = tests/run/test_select.c
tests_test_select_CFLAGS = $(test_cflags) $(OPENCL_CFLAGS)
tests_test_select_LDADD = $(test_libs) lib/libcore.la
tests_test_snapshot_SOURCES = tests/run/test_snapshot.c
tests_test_snapshot_CFLAGS = $(test_cflags)
tests_test_snapshot_LDADD = $(test_libs) lib/libeulercl.la
tests_test_access_all_SOURCES = tests/run/test_access_all.c
tests_test_access_all_CFLAGS = $(test_cflags)
tests_test_access_all_LDADD = $(test_libs) lib/libeulercl.la
tests_test_lexer_SOURCES = tests/problem/test_lexer.c
tests_test_lexer_CFLAGS = $(test_cflags)
tests_test_lexer_LDADD = $(test_libs) lib/libcore.la
tests_test_functions_SOURCES = tests/problem/test_functions.c tests/problem/functions.h
tests_test_functions_CFLAGS = $(test_cflags) $(MPFR_CFLAGS) $(OPENCL_CFLAGS) -fno-math-errno
tests_test_functions_LDADD = $(test_libs) lib/libcore.la $(MPFR_LIBS) $(OPENCL_LIBS)
tests_test_method_SOURCES = tests/method/test_method.c
tests_test_method_CFLAGS = $(test_cflags)
tests_test_method_LDADD = $(test_libs) lib/libcore.la
tests_test_resume_SOURCES = tests/run/test_resume.c
tests_test_resume_CFLAGS = $(test_cflags)
tests_test_resume_LDADD = $(test_libs) lib/libeulercl.la
tests_test_replay_SOURCES = tests/run/test_replay.c
tests_test_replay_CFLAGS = $(test_cflags) $(OPENCL_CFLAGS)
tests_test_replay_LDADD = $(test_libs) lib/libcore.la
tests_test_move_SOURCES = tests/run/test_move.c
tests_test_move_CFLAGS = $(test_cflags)
tests_test_move_LDADD = $(test_libs) lib/libcore.la
tests_test_plugin_SOURCES = tests/problem/test_plugin.c
tests_test_plugin_CFLAGS = $(test_cflags)
tests_test_plugin_LDADD = $(test_libs) lib/libeulercl.la
# Plug-ins, in tests/.libs: -rpath makes libtool build them shared. Of the instruction sets two of them have the plainest, which compiles in a fifth of the time.
plugin_ldflags = -module -avoid-version -shared -rpath /nowhere
check_LTLIBRARIES += tests/forced_wave.la tests/heat_fields.la tests/string_thesis4.la
tests_forced_wave_la_SOURCES = tests/problems/forced_wave.c
tests_forced_wave_la_LDFLAGS = $(plugin_ldflags)
tests_heat_fields_la_SOURCES = tests/problems/heat_fields.c
tests_heat_fields_la_CFLAGS = $(AM_CFLAGS) -DODE_KERNELS_ONLY=0
tests_heat_fields_la_LDFLAGS = $(plugin_ldflags)
tests_string_thesis4_la_SOURCES = tests/problems/string_thesis4.c
tests_string_thesis4_la_CFLAGS = $(AM_CFLAGS) -DODE_KERNELS_ONLY=0
tests_string_thesis4_la_LDFLAGS = $(plugin_ldflags)

tests_test_faults_SOURCES = tests/opencl/test_faults.c
tests_test_faults_CFLAGS = $(test_cflags)
tests_test_faults_LDADD = $(test_libs) lib/libcore.la
check_PROGRAMS += tests/test_time_factors
TESTS += tests/test_time_factors
tests_test_time_factors_SOURCES = tests/problem/test_time_factors.c
tests_test_time_factors_CFLAGS = $(test_cflags)
tests_test_time_factors_LDADD = $(test_libs) lib/libcore.la

if HAVE_OPENCL
fault_layer = $(abs_top_builddir)/tests/.libs/fault_layer.so
check_LTLIBRARIES += tests/fault_layer.la
tests_fault_layer_la_SOURCES = tests/opencl/fault_layer.c
tests_fault_layer_la_CFLAGS = $(AM_CFLAGS) $(OPENCL_CFLAGS)
tests_fault_layer_la_LDFLAGS = $(plugin_ldflags)

check_PROGRAMS += tests/test_reads tests/test_interface_tiles
TESTS += tests/test_reads tests/test_interface_tiles
tests_test_interface_tiles_SOURCES = tests/opencl/test_interface_tiles.c
tests_test_interface_tiles_CFLAGS = $(test_cflags)
tests_test_interface_tiles_LDADD = $(test_libs) lib/libeulercl.la
tests_test_reads_SOURCES = tests/problem/test_reads.c
tests_test_reads_CFLAGS = $(test_cflags) $(OPENCL_CFLAGS)
tests_test_reads_LDADD = $(test_libs) lib/libcore.la

# The kernels under oclgrind: tests/opencl/races.c solves tuples of problem, tile and work-groups, for tests/opencl/test_races.sh and, with faults in the
# kernels, tests/opencl/test_mutants.sh.
check_PROGRAMS += tests/races
tests_races_SOURCES = tests/opencl/races.c
tests_races_CFLAGS = $(test_cflags) $(OPENCL_CFLAGS)
tests_races_LDADD = $(test_libs) lib/libcore.la $(OPENCL_LIBS)
endif

if HAVE_GSL
check_PROGRAMS += tests/test_accuracy
TESTS += tests/test_accuracy
check_PROGRAMS += tests/test_methods_data
TESTS += tests/test_methods_data
tests_test_methods_data_SOURCES = tests/method/test_methods_data.c
tests_test_methods_data_CFLAGS = $(test_cflags) $(GSL_CFLAGS)
tests_test_methods_data_LDADD = $(test_libs) lib/libcore.la $(GSL_LIBS)
tests_test_accuracy_SOURCES = tests/method/test_accuracy.c
tests_test_accuracy_CFLAGS = $(test_cflags) $(GSL_CFLAGS)
tests_test_accuracy_LDADD = $(test_libs) lib/libeulercl.la $(GSL_LIBS)
endif
endif

# Files with faults, for tests/command/fuzz_files.sh; files that lead elsewhere, for it and tests/command/test_files.sh.
check_PROGRAMS += tests/damage
tests_damage_SOURCES = tests/command/damage.c
if HAVE_HDF5
check_PROGRAMS += tests/hostile_hdf5
tests_hostile_hdf5_SOURCES = tests/command/hostile_hdf5.c
tests_hostile_hdf5_CFLAGS = $(AM_CFLAGS) $(HDF5_CFLAGS)
tests_hostile_hdf5_LDADD = $(HDF5_LIBS)
endif

# Looks at the objects of lib/ and cli/.
TESTS += tests/test_circles.sh tests/test_lane_shapes.sh
EXTRA_DIST += tests/test_circles.sh tests/test_lane_shapes.sh
# Needs z3 and a C++ compiler, nothing that is built here.
TESTS += tests/schedule/prove_tiles.sh
# The files that make install writes with another prefix.
TESTS += tests/test_prefix.sh tests/test_style.sh
EXTRA_DIST += tests/test_prefix.sh tests/test_style.sh .clang-format
