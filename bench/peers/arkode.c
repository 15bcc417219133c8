/* SPDX-License-Identifier: BSD-2-Clause */
/* arkode.c - SUNDIALS ARKODE: ERKStep with forward Euler as its Butcher table and a fixed step, on
 * the vectors that the package has. */
#include "rhs.h"
#include <arkode/arkode_erkstep.h>
#include <nvector/nvector_openmp.h>
#include <nvector/nvector_serial.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(sizeof(sunrealtype) == sizeof(real), "this SUNDIALS has another precision");

struct arkode {
    struct task task;
    SUNContext context;
    N_Vector y;
    void *stepper;
    double t;
};

static void must(int status, const char *call) {
    if (status < 0) peer_fail(1, "SUNDIALS: %s: status %d", call, status);
}
#define MUST(call) must(call, #call)

static int right_hand_side_of(sunrealtype t, N_Vector y, N_Vector dot, void *user) {
    const struct arkode *self = user;
    (void)t;
    right_hand_side(&self->task, N_VGetArrayPointer(y), N_VGetArrayPointer(dot));
    return 0;
}

static struct arkode *create(const struct task *task) {
    struct arkode *self = calloc(1, sizeof *self);
    if (!self) peer_fail(7, "out of memory");
    self->task = *task;
    MUST(SUNContext_Create(NULL, &self->context));
    return self;
}

static void *create_serial(const struct task *task) {
    struct arkode *self = create(task);
    self->y = N_VNew_Serial(task->n, self->context);
    return self->y ? self : (peer_fail(7, "SUNDIALS: out of memory"), NULL);
}

static void *create_openmp(const struct task *task) {
    struct arkode *self = create(task);
    self->y = N_VNew_OpenMP(task->n, task->threads, self->context);
    return self->y ? self : (peer_fail(7, "SUNDIALS: out of memory"), NULL);
}

/* Nothing is interpolated; ARKODE 5 keeps at least the last state for it. */
static void set(void *arkode, const real *y) {
    struct arkode *self = arkode;
    sunrealtype zero = 0, one = 1;
    memcpy(N_VGetArrayPointer(self->y), y, (size_t)self->task.n * sizeof *y);
    self->t = 0;
    if (self->stepper) {
        MUST(ERKStepReset(self->stepper, 0, self->y));
        return;
    }
    self->stepper = ERKStepCreate(right_hand_side_of, 0, self->y, self->context);
    if (!self->stepper) peer_fail(7, "SUNDIALS: out of memory");
    ARKodeButcherTable euler = ARKodeButcherTable_Create(1, 1, 0, &zero, &zero, &one, NULL);
    MUST(ERKStepSetTable(self->stepper, euler));
    ARKodeButcherTable_Free(euler);
    MUST(ERKStepSetUserData(self->stepper, self));
    MUST(ERKStepSetMaxNumSteps(self->stepper, -1));
    MUST(ERKStepSetInterpolantType(self->stepper, ARK_INTERP_LAGRANGE));
    MUST(ERKStepSetInterpolantDegree(self->stepper, 0));
}

static void advance(void *arkode, double h, int64_t steps) {
    struct arkode *self = arkode;
    const double end = self->t + h * (double)steps; /* exact: h is a power of two */
    long before, after;
    MUST(ERKStepGetNumSteps(self->stepper, &before));
    MUST(ERKStepSetFixedStep(self->stepper, h));
    MUST(ERKStepSetStopTime(self->stepper, end));
    MUST(ERKStepEvolve(self->stepper, end, self->y, &self->t, ARK_NORMAL));
    MUST(ERKStepGetNumSteps(self->stepper, &after));
    if (after - before != steps)
        peer_fail(1, "SUNDIALS: %ld steps instead of %ld", after - before, (long)steps);
}

static void get(void *arkode, real *y) {
    const struct arkode *self = arkode;
    memcpy(y, N_VGetArrayPointer(self->y), (size_t)self->task.n * sizeof *y);
}

static void destroy(void *arkode) {
    struct arkode *self = arkode;
    ERKStepFree(&self->stepper);
    N_VDestroy(self->y);
    SUNContext_Free(&self->context);
    free(self);
}

int main(int argc, char **argv) {
    static const struct peer peers[] = {
        {"SUNDIALS ARKODE", 1, 1, create_serial, set, advance, get, destroy},
        {"SUNDIALS ARKODE (OpenMP)", 2, 0, create_openmp, set, advance, get, destroy},
    };
    return peer_main(argc, argv, peers, sizeof peers / sizeof *peers, NULL);
}
