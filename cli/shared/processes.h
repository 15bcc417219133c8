/* SPDX-License-Identifier: BSD-2-Clause */
/* processes.h - several processes of the command that were started together, as by mpirun: they
 * make every solver together, and the first one alone writes files and messages. */
#ifndef CLI_SHARED_PROCESSES_H
#define CLI_SHARED_PROCESSES_H

#include "eulercl/eulercl.h"

/* Called once, before anything is read or written. When the program ends, so does MPI. */
int begin_processes(void);
int is_first_process(void);
int process_rank(void);
int process_count(void);
/* The greatest value of all processes, which call this together. Their clocks differ, and signals
 * reach them one after the other, so decisions that depend on these use it. */
int64_t greatest_of_processes(int64_t value);
/* All processes call this together. Error: INVALID, in all of them, if they have different values.
 */
int check_same(const char *name, double value);
/* Copy the bytes of process `root` to all processes, which call this together. */
void broadcast_from(int root, void *memory, size_t bytes);
/* All processes call this together. It returns EULERCL_OK if all have it. Else it returns in all of
 * them the status of the first process that has another one, whose message is printed. All later
 * calls return this status and do not wait for others, because the command ends. */
int agree_on(int status);
/* eulercl_solver_create, for all processes. */
int create_solver(const eulercl_problem *problem, const eulercl_options *options,
    eulercl_solver **solver, eulercl_error *error);

#endif
