# make bench-results repeats the measurements of doc/results.md in bench-results/. make bench-peers builds
# the programs that bench/peers/cpu.sh compares with the CPU backends, as far as their libraries are installed.
.PHONY: bench-peers bench-results clean-bench-peers
bench-peers: all
	$(srcdir)/bench/peers/build.sh
clean-local: clean-bench-peers
clean-bench-peers:
	rm -rf bench-peers
bench-results: bench-peers all
	EULERCL=cli/eulercl $(srcdir)/bench/results.sh bench-results
# make bench-functions measures the functions of ode_math.h, beside SLEEF's where that is installed.
.PHONY: bench-functions clean-bench-functions
bench-functions:
	@sleef=; echo '#include <sleef.h>' | $(CC) -march=native -E - >/dev/null 2>&1 && sleef='-DWITH_SLEEF -lsleef'; \
	    $(CC) -std=gnu11 -O3 -march=native -ffp-contract=off -fno-math-errno $(BENCH_CFLAGS) -I$(srcdir)/include $(srcdir)/bench/functions.c -o functions.tmp $$sleef -lm && \
	    mv functions.tmp functions-bench && ./functions-bench
# The same on an OpenCL device beside its own functions, and whether the bits are those of C.
.PHONY: bench-functions-device
bench-functions-device:
	@$(CC) -std=gnu11 -O2 -ffp-contract=off -I$(srcdir)/include $(OPENCL_CFLAGS) $(srcdir)/bench/functions_device.c -o functions-bench-device $(OPENCL_LIBS) -lm && \
	    ./functions-bench-device $(srcdir)
# Their largest errors, for all floats and 1e9 doubles each, on all processors: about eight minutes of 16 of them. It needs MPFR.
.PHONY: bench-functions-errors
ERRORS_OF = 1 1000000000
bench-functions-errors:
	@$(CC) -std=gnu11 -O3 -march=native -ffp-contract=off -fno-math-errno -I$(srcdir)/include $(srcdir)/bench/functions_errors.c -o functions-bench-errors -lmpfr -lgmp -lm -pthread && \
	    ./functions-bench-errors $(ERRORS_OF)
# Observers, beside CUB where nvcc and a GPU of NVIDIA's are there. OBSERVE_ON = backend, points along a side, names of observers.
.PHONY: bench-observe clean-bench-observe
OBSERVE_ON = cl-linear 10000
bench-observe: all
	@cub=; if command -v nvcc >/dev/null && nvidia-smi -L >/dev/null 2>&1; then nvcc -O2 -std=c++17 -c $(srcdir)/bench/peers/observe_cub.cu -o observe-cub.o || exit; \
	        cub="-DWITH_CUB observe-cub.o -L$$(dirname "$$(dirname "$$(readlink -f "$$(command -v nvcc)")")")/lib64 -lcudart -lstdc++"; fi; \
	    $(LIBTOOL) --silent --tag=CC --mode=link $(CC) -std=gnu11 -O2 -I$(srcdir)/include $(srcdir)/bench/observe.c -o observe-bench lib/libeulercl.la $$cub -lm && \
	    ./observe-bench $(srcdir)/examples $(OBSERVE_ON)
clean-local: clean-bench-observe
clean-bench-observe:
	rm -f observe-bench observe-cub.o
clean-local: clean-bench-functions
clean-bench-functions:
	rm -f functions-bench functions-bench-device functions-bench-errors functions.tmp
EXTRA_DIST += bench/functions.c bench/functions_device.c bench/functions_errors.c bench/fitzhugh_nagumo.c bench/coefficients.sh bench/lectures.sh bench/observe.c bench/plate.c bench/README.md bench/results.sh bench/snapshots.sh bench/startup.sh bench/waiting.sh bench/python_sweep.py bench/python_overhead.py bench/python_peers.py bench/python_live.py bench/python_manual.py bench/peers/python_gpu.py bench/peers/observe_cub.cu bench/peers/waiting_jax.py bench/peers/waiting_sundials.c bench/peers/build.sh bench/peers/cpu.sh bench/peers/peer.h bench/peers/peer.c \
  bench/peers/rhs.h bench/peers/loop.c bench/peers/odeint.cc bench/peers/arkode.c bench/peers/petsc.c bench/figures/figures.txt bench/figures/series.txt bench/figures/select.awk bench/figures/style.gp \
  bench/figures/lines.gp bench/figures/bars.gp doc/results
