/* SPDX-License-Identifier: BSD-2-Clause */
/* petsc.c - PETSc's TS with TSEULER: a right-hand side over the array of a sequential vector, and
 * one over a DMDA grid, in one or more MPI processes.
 *
 * The processes share out whole rows, so that a DMDA's own order is the natural one.
 */
#include "rhs.h"
#include <petscdmda.h>
#include <petscts.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(sizeof(PetscScalar) == sizeof(real), "this PETSc has another type of scalars");

struct petsc {
    struct task task;
    DM grid; /* NULL: the whole array */
    Vec y;
    TS stepper;
};

static void must(PetscErrorCode code, const char *call) {
    const char *text = "";
    if (!code) return;
    PetscErrorMessage(code, &text, NULL);
    peer_fail(1, "PETSc: %s: %s", call, text);
}
#define MUST(call) must(call, #call)

static PetscErrorCode right_hand_side_of_array(
    TS stepper, PetscReal t, Vec y, Vec dot, void *user) {
    const struct petsc *self = user;
    const PetscScalar *from;
    PetscScalar *to;
    (void)stepper, (void)t;
    PetscFunctionBeginUser;
    PetscCall(VecGetArrayRead(y, &from));
    PetscCall(VecGetArrayWrite(dot, &to));
    right_hand_side(&self->task, from, to);
    PetscCall(VecRestoreArrayRead(y, &from));
    PetscCall(VecRestoreArrayWrite(dot, &to));
    PetscFunctionReturn(0);
}

/* The right-hand side with the neighbours' points in a local vector. DMDA fills the ghosts of a
 * mirrored boundary itself; those of the string are 0. */
static PetscErrorCode right_hand_side_of_grid(TS stepper, PetscReal t, Vec y, Vec dot, void *user) {
    const struct petsc *self = user;
    const real d = bruss2d_d(&self->task);
    PetscInt x, rows_from, width, rows;
    Vec ghosted;
    (void)stepper, (void)t;
    PetscFunctionBeginUser;
    PetscCall(DMGetLocalVector(self->grid, &ghosted));
    PetscCall(DMGlobalToLocal(self->grid, y, INSERT_VALUES, ghosted));
    PetscCall(DMDAGetCorners(self->grid, &x, &rows_from, NULL, &width, &rows, NULL));
    if (self->task.two_dimensional) {
        const PetscScalar ***from;
        PetscScalar ***to;
        PetscCall(DMDAVecGetArrayDOFRead(self->grid, ghosted, (void *)&from));
        PetscCall(DMDAVecGetArrayDOFWrite(self->grid, dot, (void *)&to));
        for (PetscInt iy = rows_from; iy < rows_from + rows; iy++) {
            const PetscScalar *above = from[iy - 1][0], *row = from[iy][0],
                              *below = from[iy + 1][0];
            PetscScalar *out = to[iy][0];
#pragma omp simd
            for (PetscInt ix = x; ix < x + width; ix++)
                bruss2d_point(above, row, below, out, ix, ix - 1, ix + 1, d, 0, 0);
        }
        PetscCall(DMDAVecRestoreArrayDOFRead(self->grid, ghosted, (void *)&from));
        PetscCall(DMDAVecRestoreArrayDOFWrite(self->grid, dot, (void *)&to));
    } else {
        const PetscScalar **from;
        PetscScalar **to;
        PetscCall(DMDAVecGetArrayDOFRead(self->grid, ghosted, (void *)&from));
        PetscCall(DMDAVecGetArrayDOFWrite(self->grid, dot, (void *)&to));
        const PetscScalar *first = from[x];
        PetscScalar *out = to[x];
#pragma omp simd
        for (PetscInt i = 0; i < 2 * width; i += 2) {
            out[i] = first[i + 1];
            out[i + 1] = string_v(first[i - 2], first[i], first[i + 2]);
        }
        PetscCall(DMDAVecRestoreArrayDOFRead(self->grid, ghosted, (void *)&from));
        PetscCall(DMDAVecRestoreArrayDOFWrite(self->grid, dot, (void *)&to));
    }
    PetscCall(DMRestoreLocalVector(self->grid, &ghosted));
    PetscFunctionReturn(0);
}

static struct petsc *create(const struct task *task) {
    struct petsc *self = calloc(1, sizeof *self);
    if (!self) peer_fail(7, "out of memory");
    if (task->n > PETSC_MAX_INT)
        peer_fail(
            4, "PETSc: this one's indices are too narrow for %lld components", (long long)task->n);
    self->task = *task;
    MUST(TSCreate(PETSC_COMM_WORLD, &self->stepper));
    MUST(TSSetProblemType(self->stepper, TS_NONLINEAR));
    MUST(TSSetType(self->stepper, TSEULER));
    MUST(TSSetExactFinalTime(self->stepper, TS_EXACTFINALTIME_STEPOVER));
    MUST(TSSetMaxTime(self->stepper, PETSC_MAX_REAL));
    return self;
}

static void *create_array(const struct task *task) {
    struct petsc *self = create(task);
    self->task.threads = 1;
    MUST(VecCreateSeq(PETSC_COMM_SELF, (PetscInt)task->n, &self->y));
    MUST(TSSetRHSFunction(self->stepper, NULL, right_hand_side_of_array, self));
    return self;
}

static void *create_grid(const struct task *task) {
    struct petsc *self = create(task);
    const PetscInt m = (PetscInt)task->m;
    if (task->two_dimensional)
        MUST(DMDACreate2d(PETSC_COMM_WORLD, DM_BOUNDARY_MIRROR, DM_BOUNDARY_MIRROR,
            DMDA_STENCIL_STAR, m, m, 1, PETSC_DECIDE, 2, 1, NULL, NULL, &self->grid));
    else
        MUST(DMDACreate1d(PETSC_COMM_WORLD, DM_BOUNDARY_GHOSTED, (PetscInt)(task->n / 2), 2, 1,
            NULL, &self->grid));
    MUST(DMSetUp(self->grid));
    MUST(DMCreateGlobalVector(self->grid, &self->y));
    MUST(TSSetDM(self->stepper, self->grid));
    MUST(TSSetRHSFunction(self->stepper, NULL, right_hand_side_of_grid, self));
    return self;
}

static void set(void *petsc, const real *y) {
    struct petsc *self = petsc;
    PetscInt first, last;
    PetscScalar *own;
    MUST(VecGetOwnershipRange(self->y, &first, &last));
    MUST(VecGetArrayWrite(self->y, &own));
    memcpy(own, y + first, (size_t)(last - first) * sizeof *y);
    MUST(VecRestoreArrayWrite(self->y, &own));
    if (!self->grid) return;
    /* Components outside of the string are never written. */
    Vec ghosted;
    MUST(DMGetLocalVector(self->grid, &ghosted));
    MUST(VecSet(ghosted, 0));
    MUST(DMRestoreLocalVector(self->grid, &ghosted));
}

static void advance(void *petsc, double h, int64_t steps) {
    struct petsc *self = petsc;
    PetscInt done;
    MUST(TSSetTime(self->stepper, 0));
    MUST(TSSetStepNumber(self->stepper, 0));
    MUST(TSSetTimeStep(self->stepper, h));
    MUST(TSSetMaxSteps(self->stepper, (PetscInt)steps));
    MUST(TSSolve(self->stepper, self->y));
    MUST(TSGetStepNumber(self->stepper, &done));
    if (done != steps) peer_fail(1, "PETSc: %ld steps instead of %ld", (long)done, (long)steps);
}

/* Get the state on the first process alone. */
static void get(void *petsc, real *y) {
    struct petsc *self = petsc;
    VecScatter scatter;
    Vec all;
    const PetscScalar *from;
    PetscInt n;
    MUST(VecScatterCreateToZero(self->y, &scatter, &all));
    MUST(VecScatterBegin(scatter, self->y, all, INSERT_VALUES, SCATTER_FORWARD));
    MUST(VecScatterEnd(scatter, self->y, all, INSERT_VALUES, SCATTER_FORWARD));
    MUST(VecGetLocalSize(all, &n));
    MUST(VecGetArrayRead(all, &from));
    memcpy(y, from, (size_t)n * sizeof *y);
    MUST(VecRestoreArrayRead(all, &from));
    MUST(VecScatterDestroy(&scatter));
    MUST(VecDestroy(&all));
}

static void destroy(void *petsc) {
    struct petsc *self = petsc;
    MUST(TSDestroy(&self->stepper));
    MUST(VecDestroy(&self->y));
    MUST(DMDestroy(&self->grid));
    free(self);
}

static double agree(double seconds) {
    if (MPI_Bcast(&seconds, 1, MPI_DOUBLE, 0, PETSC_COMM_WORLD)) peer_fail(1, "MPI_Bcast");
    return seconds;
}

int main(int argc, char **argv) {
    static const struct peer peers[] = {
        {"PETSc TSEULER", 1, 1, create_array, set, advance, get, destroy},
        {"PETSc TSEULER (DMDA)", 0, 0, create_grid, set, advance, get, destroy},
    };
    struct peer_team team = {.agree = agree};
    PetscMPIInt size;
    MUST(PetscInitializeNoArguments());
    MPI_Comm_rank(PETSC_COMM_WORLD, &team.rank);
    MPI_Comm_size(PETSC_COMM_WORLD, &size);
    if (argc > 3 && atoi(argv[3]) != size)
        peer_fail(2, "%s: start it by mpirun -n %s", argv[0], argv[3]);
    const int status = peer_main(argc, argv, peers, sizeof peers / sizeof *peers, &team);
    MUST(PetscFinalize());
    return status;
}
