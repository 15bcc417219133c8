/* SPDX-License-Identifier: BSD-2-Clause */
/* peer.h - the harness for all peers: the same problem, state and steps, and a comparison with the
 * result of libeulercl.
 *
 * A peer is a program part that makes explicit Euler steps. Each program has a table of peers, is
 * compiled for REAL = float or double, and passes the table to peer_main, which does the rest.
 */
#ifndef PEER_H
#define PEER_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef REAL real;

/* STRING with n / 2 mass points or BRUSS2D with m x m points. The state is interleaved: u and v of
 * the first point, of the second... */
struct task {
    int two_dimensional;
    int64_t n, m;
    int threads;
};

struct peer {
    const char *name;
    int least_threads, most_threads;          /* 0: any number */
    void *(*create)(const struct task *task); /* exits with a message on failure */
    void (*set)(void *self, const real *y);   /* the state of all n components */
    void (*advance)(void *self, double h, int64_t steps);
    void (*get)(void *self, real *y);
    void (*destroy)(void *self);
};

/* One of several processes that run the same program: only the first compares and prints. */
struct peer_team {
    int rank;
    double (*agree)(double seconds); /* -> the value of the first process */
};

/* PROGRAM PROBLEM:SIZE STEPS THREADS [SECONDS]: string:N has N components, bruss2d:M has M x M
 * points. STEPS 0: the number that takes about SECONDS (0.5). */
int peer_main(
    int argc, char **argv, const struct peer *peers, int count, const struct peer_team *team);

/* Print the message and exit with this status. */
void peer_fail(int status, const char *format, ...) __attribute__((format(printf, 2, 3), noreturn));
void *peer_allocate(int64_t reals); /* page-aligned; release with free() */

#ifdef __cplusplus
}
#endif
#endif
