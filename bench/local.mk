# Benchmarks: built by `make bench`, not by `make`. With the library inside (-static), so that they can be copied to another machine.
EXTRA_PROGRAMS = bench/cpu bench/runs
bench_cpu_SOURCES = bench/common.h bench/cpu.c
bench_cpu_LDFLAGS = -static
bench_cpu_LDADD = lib/libeulercl.la
bench_runs_SOURCES = bench/common.h bench/runs.c
bench_runs_LDFLAGS = -static
bench_runs_LDADD = lib/libeulercl.la
if HAVE_OPENCL
EXTRA_PROGRAMS += bench/linear
bench_linear_SOURCES = bench/common.h bench/linear.c
bench_linear_CFLAGS = $(AM_CFLAGS) $(OPENCL_CFLAGS)
bench_linear_LDFLAGS = -static
bench_linear_LDADD = lib/libeulercl.la $(OPENCL_LIBS)
endif
.PHONY: bench
bench: $(EXTRA_PROGRAMS)
CLEANFILES += $(EXTRA_PROGRAMS)
# The thesis's figures, measured and drawn (doc/results); figures.sh finds runs in the build folder.
EXTRA_DIST += bench/figures.sh bench/figures/figures.txt bench/figures/series.txt bench/figures/select.awk bench/figures/style.gp bench/figures/lines.gp \
  bench/figures/bars.gp doc/results
