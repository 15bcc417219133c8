# Files by which other programs find the library and the command: for pkg-config, CMake and bash completion.
pkgconfigdir = $(libdir)/pkgconfig
nodist_pkgconfig_DATA = packaging/eulercl.pc
cmakedir = $(libdir)/cmake/eulercl
nodist_cmake_DATA = packaging/eulercl-config.cmake packaging/eulercl-config-version.cmake
EXTRA_DIST += packaging/eulercl.pc.in packaging/eulercl-config.cmake.in packaging/eulercl-config-version.cmake.in
CLEANFILES += packaging/eulercl.pc packaging/eulercl-mpi.pc $(nodist_cmake_DATA)
# Every make checks whether they are up to date, because make install prefix=DIR may name other folders than
# configure did. In eulercl.pc, folders under the prefix are relative to it, so that an installation may be
# moved.
under_prefix = `echo '$(1)' | sed 's|^$(prefix)/|$${prefix}/|'`
$(nodist_pkgconfig_DATA) $(nodist_cmake_DATA): %: %.in always-look
	$(AM_V_at)$(MKDIR_P) packaging && sed -e 's|@prefix[@]|$(prefix)|' -e "s|@libdir_of_pc[@]|$(call under_prefix,$(libdir))|" \
	    -e "s|@includedir_of_pc[@]|$(call under_prefix,$(includedir))|" -e 's|@cmakedir[@]|$(cmakedir)|' -e 's|@includedir[@]|$(includedir)|' \
	    -e 's|@VERSION[@]|$(VERSION)|' -e 's|@mpi_module[@]|$(mpi_module)|' -e 's|@static_libs[@]|$(OPENCL_PC_LIBS) $(HWLOC_LIBS) $(PTHREAD_LIBS) -ldl -lm|' $< >$@.tmp && \
	    if cmp -s $@.tmp $@; then rm $@.tmp; else mv $@.tmp $@; fi
always-look:
.PHONY: always-look

# Remove the folders that only contain files of this library.
uninstall-hook:
	for folder in '$(lecturesdir)' '$(examplesdir)' '$(docdir)' '$(cmakedir)' '$(detaildir)' '$(pkgincludedir)'; do rmdir "$(DESTDIR)$$folder" 2>/dev/null || :; done

if HAVE_ARGP
# bash-completion looks here for the commands of every prefix in XDG_DATA_DIRS.
bashcompletiondir = $(datadir)/bash-completion/completions
dist_bashcompletion_DATA = packaging/bash-completion/eulercl
endif

# Tests of the installed files, as users use them.
installed_environment = $(AM_TESTS_ENVIRONMENT) CC='$(CC)' version='$(VERSION)' sources='$(abs_top_srcdir)'
installcheck-local:
	@$(installed_environment) DESTDIR='$(DESTDIR)' prefix='$(prefix)' bindir='$(bindir)' libdir='$(libdir)' includedir='$(includedir)' docdir='$(docdir)' \
	    mandir='$(mandir)' completionsdir='$(datadir)/bash-completion/completions' $(srcdir)/tests/check_installed.sh
EXTRA_DIST += tests/check_installed.sh tests/command/completion.bash

# For dpkg-buildpackage, also from a release.
EXTRA_DIST += debian/changelog debian/control debian/copyright debian/eulercl.docs debian/eulercl.install debian/libeulercl-dev.docs debian/libeulercl-dev.install \
    debian/libeulercl0.install debian/libeulercl0.symbols debian/libeulercl-mpi0.install debian/libeulercl-mpi0.symbols debian/libeulercl-mpi-dev.install debian/not-installed debian/python3-eulercl.docs debian/rules debian/source/format

# make wheel: the Python package with this library inside.
wheel: all
	@MAKE='$(MAKE)' CC='$(CC)' libdir='$(libdir)' sources='$(abs_top_srcdir)' $(srcdir)/packaging/wheel.sh
.PHONY: wheel
EXTRA_DIST += packaging/wheel.sh
CLEANFILES += eulercl-*.whl

# The Python package, which python/setup.py builds against an installed library.
EXTRA_DIST += python/pyproject.toml python/setup.py python/build_binding.py python/MANIFEST.in python/eulercl/__init__.py python/eulercl/_compile.py \
    python/eulercl/_library.py python/eulercl/_pde.py python/eulercl/_problem.py python/eulercl/_solve.py python/eulercl/_solver.py python/tests/formulas.c python/tests/test_eulercl.py python/tests/test_observe.py python/tests/test_select.py python/tests/test_operators.py python/tests/test_volume.py
EXTRA_DIST += python/eulercl/_boundary.py python/eulercl/_compare.py python/eulercl/_dataset.py python/eulercl/_file.py python/eulercl/_formula.py python/eulercl/_observe.py python/eulercl/_select.py python/eulercl/_operators.py python/eulercl/_place.py python/eulercl/_quantities.py python/eulercl/_rhs.py python/eulercl/_show.py python/eulercl/_sweep.py python/eulercl/_values.py
EXTRA_DIST += python/eulercl/_gallery.py python/eulercl/_live.py python/eulercl/_live_command.py python/eulercl/_live_server.py python/eulercl/_live_widget.py python/eulercl/_steered.py python/eulercl/live.py \
    python/eulercl/page/gallery.html python/eulercl/page/item.html python/eulercl/page/live.css python/eulercl/page/live.html python/eulercl/page/live.js python/eulercl/page/view.html python/tests/test_live.py
