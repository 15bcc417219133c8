# What lets others find the library and the command: CMake's config file, the shell's completion.
cmakedir = $(libdir)/cmake/eulercl
nodist_cmake_DATA = packaging/eulercl-config.cmake packaging/eulercl-config-version.cmake
EXTRA_DIST += packaging/eulercl-config.cmake.in packaging/eulercl-config-version.cmake.in
CLEANFILES += $(nodist_cmake_DATA)
# Not by configure, which leaves ${prefix} in folders. eulercl.pc knows what a static library needs beside it.
$(nodist_cmake_DATA): %: %.in eulercl.pc
	$(AM_V_GEN)$(MKDIR_P) packaging && sed -e 's|@cmakedir[@]|$(cmakedir)|' -e 's|@includedir[@]|$(includedir)|' -e 's|@VERSION[@]|$(VERSION)|' \
	    -e "s|@static_libs[@]|`sed -n 's/^Libs.private: *//p' eulercl.pc`|" $< >$@.tmp && mv $@.tmp $@

# The folders that nobody else has files in.
uninstall-hook:
	for folder in '$(examplesdir)' '$(docdir)' '$(cmakedir)' '$(pkgincludedir)'; do rmdir "$(DESTDIR)$$folder" 2>/dev/null || :; done

if HAVE_ARGP
# Where bash-completion looks for the commands of any prefix in XDG_DATA_DIRS.
bashcompletiondir = $(datadir)/bash-completion/completions
dist_bashcompletion_DATA = packaging/bash-completion/eulercl
endif

# What is installed, used as others use it.
installed_environment = $(AM_TESTS_ENVIRONMENT) CC='$(CC)' version='$(VERSION)' sources='$(abs_top_srcdir)'
installcheck-local:
	@$(installed_environment) DESTDIR='$(DESTDIR)' prefix='$(prefix)' bindir='$(bindir)' libdir='$(libdir)' includedir='$(includedir)' docdir='$(docdir)' \
	    mandir='$(mandir)' completionsdir='$(datadir)/bash-completion/completions' $(srcdir)/tests/check_installed.sh
EXTRA_DIST += tests/check_installed.sh tests/completion.bash

# For dpkg-buildpackage, also from a release.
EXTRA_DIST += debian/changelog debian/control debian/copyright debian/eulercl.docs debian/eulercl.install debian/libeulercl-dev.docs debian/libeulercl-dev.install \
    debian/libeulercl0.install debian/libeulercl0.symbols debian/not-installed debian/rules debian/source/format
