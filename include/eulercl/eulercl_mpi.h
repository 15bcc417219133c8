/* SPDX-License-Identifier: BSD-2-Clause */
/* eulercl_mpi.h - one system, solved by all processes of an MPI communicator. Link with
 * -leulercl-mpi -leulercl, or ask pkg-config for eulercl-mpi.
 *
 * The processes share the grid of the system along its last axis. Each computes on a device of its
 * own: of several processes on one host, the first takes the first GPU, the second the second one,
 * and so on; without a GPU each takes its share of the processor's cores. options.device and
 * options.devices say otherwise: the names in `devices` are dealt to the processes of a host in
 * turn. The bits depend neither on the number of processes nor on their devices.
 *
 * All functions that take the solver are collective: all processes call them in the same order with
 * the same arguments, and get the same results, also errors. eulercl_set_components reads only the
 * rows that the process needs; eulercl_get_components gives the components asked for to every
 * process. eulercl_get_own_components, eulercl_get_stats, eulercl_get_clock, eulercl_solver_window
 * and eulercl_evaluate are not collective. An observer is called in all processes; the run stops if
 * one of them wants to. There are no snapshots, and no buffer to borrow. */
#ifndef EULERCL_MPI_H
#define EULERCL_MPI_H

#include <mpi.h>
#include <eulercl/eulercl.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Make a solver, as eulercl_solver_create does, in all processes of the communicator. It works on a
 * duplicate of the communicator. eulercl_solver_destroy destroys it, before MPI_Finalize. MPI must
 * allow calls from the thread that uses the solver (MPI_THREAD_FUNNELED). Errors: INVALID (the
 * processes' problems, options or versions differ: the message names the difference; a host has
 * fewer devices than processes; there are more than 256 devices), UNSUPPORTED (the grid has too few
 * rows; the problem does not know the windows of a grid), INTERNAL (MPI fails), and those of
 * eulercl_solver_create. */
EULERCL_API int eulercl_mpi_solver_create(MPI_Comm communicator, const eulercl_problem *problem,
    const eulercl_options *options, eulercl_solver **solver, eulercl_error *error);
/* Make a solver for a communicator of Fortran. */
EULERCL_API int eulercl_mpi_solver_create_f(MPI_Fint communicator, const eulercl_problem *problem,
    const eulercl_options *options, eulercl_solver **solver, eulercl_error *error);

/* Start MPI, and return the number of this process, 0 <= *rank < *ranks, for programs that load
 * this library while they run (dlopen) and contain no MPI. Errors: INTERNAL. */
EULERCL_API int eulercl_mpi_world_begin(int *rank, int *ranks, eulercl_error *error);
/* eulercl_mpi_solver_create for all processes that were started together. */
EULERCL_API int eulercl_mpi_world_solver_create(const eulercl_problem *problem,
    const eulercl_options *options, eulercl_solver **solver, eulercl_error *error);
/* *value becomes the greatest one of all these processes, which call this together. Errors:
 * INTERNAL. */
EULERCL_API int eulercl_mpi_world_greatest(int64_t *value, eulercl_error *error);
/* `bytes` of memory become those of process `root`; all these processes call this together. Errors:
 * INVALID (there is no process `root`), INTERNAL. */
EULERCL_API int eulercl_mpi_world_broadcast(
    int root, void *memory, uint64_t bytes, eulercl_error *error);
/* End MPI. A process that ends with another status than EULERCL_OK waits two seconds for the
 * others. If they do not end, it calls `alone`, and ends them, too, since they may wait for it for
 * ever. */
EULERCL_API void eulercl_mpi_world_end(int status, void (*alone)(void));

#ifdef __cplusplus
}
#endif
#endif
