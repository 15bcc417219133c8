/* processes.h - several processes of the command that were started together, as by mpirun: they
 * make every solver together, and the first one alone writes files and messages.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef CLI_SHARED_PROCESSES_H
#define CLI_SHARED_PROCESSES_H

#include "eulercl/eulercl.h"

/* Called once, before anything is read or written. When the program ends, so does MPI. */
int begin_processes(void);
int is_first_process(void);
int process_count(void);
/* The greatest value of all processes, which call this together. Their clocks differ, and signals
 * reach them one after the other: what depends on these is decided so. */
int64_t greatest_of_processes(int64_t value);
/* All processes call this together. Error: INVALID, in all of them, if they have different values.
 */
int check_same(const char *name, double value);
/* eulercl_solver_create, for all processes. */
int create_solver(const eulercl_problem *problem, const eulercl_options *options,
    eulercl_solver **solver, eulercl_error *error);

#endif
