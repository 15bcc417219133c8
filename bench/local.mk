# make bench: the loops by hand that the CPU backends are compared with. make bench-results: every figure of doc/results.md, in bench-results/.
EXTRA_PROGRAMS = bench/cpu
bench_cpu_SOURCES = bench/cpu.c
bench_cpu_LDADD = lib/libeulercl.la
.PHONY: bench bench-results
bench: $(EXTRA_PROGRAMS)
bench-results: bench all
	EULERCL=cli/eulercl $(srcdir)/bench/results.sh bench-results
CLEANFILES += $(EXTRA_PROGRAMS)
EXTRA_DIST += bench/README.md bench/results.sh bench/peers/python_gpu.py bench/figures/figures.txt bench/figures/series.txt bench/figures/select.awk bench/figures/style.gp \
  bench/figures/lines.gp bench/figures/bars.gp doc/results
