# SPDX-License-Identifier: BSD-2-Clause
# The examples are installed with a Makefile of their own. quickstart runs compare_backends.
examplesdir = $(docdir)/examples
dist_examples_DATA = examples/Makefile examples/gray_scott.c examples/heat.c examples/four_sides.c examples/seepage.c examples/rock.png examples/cahn_hilliard.c examples/scar_tissue.c examples/beam.c examples/swift_hohenberg.c \
    examples/brusselators.c examples/sound.c examples/beeler_reuter.c examples/scroll_ring.c examples/gray_scott_3d.c examples/heat_box.c examples/wave_box.c examples/nbody.c examples/matrix.c \
    examples/simulation.c examples/energy.c examples/compare_backends.c \
    examples/minimal.c examples/minimal.cpp examples/eulercl.f90 examples/minimal.f90 examples/CMakeLists.txt

# Programs on OpenCL alone, with a Makefile of their own, too.
lecturesdir = $(examplesdir)/lectures
dist_lectures_DATA = examples/lectures/Makefile examples/lectures/lecture.h examples/lectures/lecture.c examples/lectures/histogram.c examples/lectures/histogram.cl examples/lectures/reduction.c examples/lectures/reduction.cl \
    examples/lectures/scan.c examples/lectures/scan.cl examples/lectures/product.c examples/lectures/product.cl examples/lectures/nbody.c examples/lectures/nbody.cl

noinst_PROGRAMS += examples/compare_backends
examples_compare_backends_SOURCES = examples/compare_backends.c
examples_compare_backends_LDADD = lib/libeulercl.la

TESTS += tests/check_examples.sh
EXTRA_DIST += tests/check_examples.sh
