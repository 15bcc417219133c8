# libeulercl-mpi, where MPI is installed: one system on the processes of a communicator.
if HAVE_MPI
lib_LTLIBRARIES += mpi/libeulercl-mpi.la
pkginclude_HEADERS += include/eulercl/eulercl_mpi.h
mpi_libeulercl_mpi_la_SOURCES = mpi/mpi.c
mpi_libeulercl_mpi_la_CFLAGS = $(AM_CFLAGS) $(MPI_CFLAGS)
mpi_libeulercl_mpi_la_LIBADD = lib/libeulercl.la $(MPI_LIBS)
mpi_libeulercl_mpi_la_LDFLAGS = -version-info 0:0:0 -export-symbols-regex '^eulercl_mpi_' -no-undefined
nodist_pkgconfig_DATA += packaging/eulercl-mpi.pc
endif
EXTRA_DIST += packaging/eulercl-mpi.pc.in include/eulercl/eulercl_mpi.h
