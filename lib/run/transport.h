/* SPDX-License-Identifier: BSD-2-Clause */
/* transport.h - how processes that share a system talk to each other. All of them make the
 * same calls in the same order. */
#ifndef EULERCL_TRANSPORT_H
#define EULERCL_TRANSPORT_H
#include "../internal.h"

/* Rows on their way: their first ones to the rank before, or their last ones to the rank after. */
struct message {
    int is_sent;  /* else received */
    int is_first; /* the first rows of the sender */
    int64_t rank; /* of the other process */
    void *memory;
    uint64_t bytes; /* 0: the rows stand in shared memory, and the message only says so */
};

struct transport {
    void *user;
    int64_t rank, ranks;   /* this process; all of them */
    int64_t local, locals; /* the same on this host */
    int64_t sharing;       /* processes that use the same cores as this one, itself included */
    int (*exchange)(void *user, const struct message *messages, int count, eulercl_error *error);
    /* `bytes` of memory become those of rank `root`. */
    int (*broadcast)(void *user, int64_t root, void *memory, uint64_t bytes, eulercl_error *error);
    /* Each value becomes the greatest one. */
    int (*greatest)(void *user, int64_t *values, int count, eulercl_error *error);
    /* Memory of `bytes` for each process of this host, which all of them reach: blocks[rank], NULL
     * for those of other hosts, and if there is none. It begins with a page, and lives as long as
     * the transport. */
    int (*share)(void *user, uint64_t bytes, void **blocks, eulercl_error *error);
    void (*destroy)(void *user);
};

/* A status that all processes return if one of them has it, with the error of the first one that
 * has one. Without a transport, and so with one process, it is that of this one. */
int ecl_transport_agree(const struct transport *transport, int status, eulercl_error *error);

/* solver.c: a solver that all processes of the transport make together, with the same arguments but
 * for the devices. It owns the transport, even if it is not made. Every call of it but
 * eulercl_get_stats, eulercl_get_clock and eulercl_evaluate is made by all processes. */
EULERCL_API int eulercl_transport_solver_create(const eulercl_problem *problem,
    const eulercl_options *options, const struct transport *transport, eulercl_solver **solver,
    eulercl_error *error);
#endif
