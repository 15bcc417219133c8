EXTRA_DIST += doc/architecture.md doc/glossary.md doc/style.md doc/results.md doc/tutorial.md doc/gallery.md doc/api.md doc/Doxyfile doc/doxygen.awk
EXTRA_DIST += doc/install.md doc/backends.md doc/methods.md doc/lectures.md doc/live.md doc/python.md doc/methods/evaluations.gp
EXTRA_DIST += doc/methods/smooth.svg doc/methods/rough.svg doc/methods/reaction.svg doc/methods/waves.svg doc/methods/advection.svg
EXTRA_DIST += doc/design/analysis.md doc/design/bits.md doc/design/boundaries.md doc/design/coefficients.md doc/design/cpu.md doc/design/files.md doc/design/functions.md doc/design/methods.md doc/design/planner.md doc/design/problems.md doc/design/registers.md doc/design/solver.md doc/design/tiles.md doc/design/tolerance.md doc/design/volumes.md doc/design/windows.md
EXTRA_DIST += doc/tutorial/heat.png doc/tutorial/spots.png doc/tutorial/stripes.png doc/tutorial/live.png doc/tutorial/v-1.png doc/tutorial/pattern.svg doc/tutorial/pattern.gp
EXTRA_DIST += doc/gallery/bruss2d.png doc/gallery/bruss3d.png doc/gallery/string.png doc/gallery/heat.png doc/gallery/four_sides.png doc/gallery/seepage.png doc/gallery/cahn_hilliard.png doc/gallery/scar_tissue.png doc/gallery/beam.png doc/gallery/gray_scott.png doc/gallery/swift_hohenberg.png doc/gallery/sound.png \
    doc/gallery/brusselators.png doc/gallery/beeler_reuter.png \
    doc/gallery/scroll_ring.png doc/gallery/gray_scott_3d.png doc/gallery/heat_box.png doc/gallery/wave_box.png doc/gallery/nbody.png doc/gallery/matrix.png
dist_man_MANS += doc/eulercl.3 doc/eulercl-formats.5

# make html: the reference of the C interface, in doc/html. A warning of Doxygen's is an error.
html-local:
	@command -v doxygen >/dev/null || { echo 'make html needs doxygen (Debian: doxygen)' >&2; exit 1; }
	@$(MKDIR_P) doc
	$(AM_V_GEN){ echo '@INCLUDE = "$(abs_srcdir)/doc/Doxyfile"'; echo 'STRIP_FROM_PATH = "$(abs_srcdir)" "$(abs_srcdir)/include"'; \
	    echo 'INPUT = "$(abs_srcdir)/doc/api.md" "$(abs_srcdir)/include/eulercl/eulercl.h" "$(abs_srcdir)/include/eulercl/ode_problem.h" "$(abs_srcdir)/include/eulercl/ode_abi.h"'; \
	    echo 'INPUT_FILTER = "awk -f $(abs_srcdir)/doc/doxygen.awk"'; \
	    echo 'PROJECT_NUMBER = $(VERSION)'; echo 'OUTPUT_DIRECTORY = "$(abs_builddir)/doc"'; } | doxygen -
clean-html:
	rm -rf doc/html
clean-local: clean-html
.PHONY: clean-html
