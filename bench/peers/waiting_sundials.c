/* SPDX-License-Identifier: BSD-2-Clause */
/* waiting_sundials.c - what a user of SUNDIALS would write for the rows of bench/waiting.sh that
 * have a tolerance: a whole program on serial vectors, in double.
 *
 *     waiting_sundials bruss2d|gray_scott SIZE PRECISION T_END rkl2 TOLERANCE
 *
 * Of the methods of SUNDIALS 7.2 it takes the fastest one on each problem: RKC for BRUSS2D,
 * SSP(10,4) for Gray-Scott. Older versions have neither, so ERKStep takes its method of order 3.
 * WAITING_OUT names a file for the final state. */
#include <arkode/arkode_erkstep.h>
#include <math.h>
#include <nvector/nvector_serial.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sundials/sundials_config.h>
#include <time.h>
#define HAS_LSRK \
    (SUNDIALS_VERSION_MAJOR > 7 || (SUNDIALS_VERSION_MAJOR == 7 && SUNDIALS_VERSION_MINOR >= 2))
#if HAS_LSRK
#include <arkode/arkode_lsrkstep.h>
#endif

static int m, is_bruss2d;
static double d;

static void must(int status, const char *call) {
    if (status >= 0) return;
    fprintf(stderr, "SUNDIALS: %s: status %d\n", call, status);
    exit(1);
}
#define MUST(call) must(call, #call)

static int before(int i) { return i ? i - 1 : is_bruss2d ? 1 : m - 1; }
static int after(int i) { return i < m - 1 ? i + 1 : is_bruss2d ? m - 2 : 0; }

/* A row without its ends has neighbours at fixed distances, so the compiler vectorises it. */
static void row(const double *y, const double *up, const double *down, double *dot, int first,
    int end, int ends) {
    for (int x = first; x < end; x++) {
        const int left = 2 * (ends ? before(x) : x - 1), right = 2 * (ends ? after(x) : x + 1),
                  here = 2 * x;
        const double u = y[here], v = y[here + 1];
        const double lu = (y[left] + y[right]) + (up[here] + down[here]) - 4 * u;
        const double lv = (y[left + 1] + y[right + 1]) + (up[here + 1] + down[here + 1]) - 4 * v;
        if (is_bruss2d) {
            dot[here] = d * lu + (1 + u * u * v - 4.4 * u);
            dot[here + 1] = d * lv + (3.4 * u - u * u * v);
        } else {
            dot[here] = 0.2 * lu - u * v * v + 0.037 * (1 - u);
            dot[here + 1] = 0.1 * lv + u * v * v - 0.097 * v;
        }
    }
}

static int right_hand_side(sunrealtype t, N_Vector y, N_Vector dot, void *user) {
    const double *in = N_VGetArrayPointer(y);
    double *out = N_VGetArrayPointer(dot);
    (void)t, (void)user;
    for (int iy = 0; iy < m; iy++) {
        const double *here = in + 2 * m * iy, *up = in + 2 * m * before(iy),
                     *down = in + 2 * m * after(iy);
        row(here, up, down, out + 2 * m * iy, 0, 1, 1);
        row(here, up, down, out + 2 * m * iy, 1, m - 1, 0);
        row(here, up, down, out + 2 * m * iy, m - 1, m, 1);
    }
    return 0;
}

#if HAS_LSRK
static int spectrum(sunrealtype t, N_Vector y, N_Vector f, sunrealtype *re, sunrealtype *im,
    void *user, N_Vector a, N_Vector b, N_Vector c) {
    (void)t, (void)y, (void)f, (void)user, (void)a, (void)b, (void)c;
    *re = is_bruss2d ? -8 * d - 10 : -8 * 0.2 - 1;
    *im = 0;
    return 0;
}
#endif

static void *create(SUNContext context, N_Vector y, double t_end, double tolerance) {
#if HAS_LSRK
    void *stepper = is_bruss2d ? LSRKStepCreateSTS(right_hand_side, 0, y, context)
                               : LSRKStepCreateSSP(right_hand_side, 0, y, context);
    if (is_bruss2d) {
        MUST(LSRKStepSetSTSMethod(stepper, ARKODE_LSRK_RKC_2));
        MUST(LSRKStepSetDomEigFn(stepper, spectrum));
        MUST(LSRKStepSetDomEigFrequency(stepper, 0));
        MUST(LSRKStepSetMaxNumStages(stepper, 2000));
    } else {
        MUST(LSRKStepSetSSPMethod(stepper, ARKODE_LSRK_SSP_10_4));
    }
    MUST(ARKodeSStolerances(stepper, tolerance, tolerance));
    MUST(ARKodeSetMaxNumSteps(stepper, -1));
    MUST(ARKodeSetStopTime(stepper, t_end));
#else
    void *stepper = ERKStepCreate(right_hand_side, 0, y, context);
    MUST(ERKStepSetOrder(stepper, 3));
    MUST(ERKStepSStolerances(stepper, tolerance, tolerance));
    MUST(ERKStepSetMaxNumSteps(stepper, -1));
    MUST(ERKStepSetStopTime(stepper, t_end));
#endif
    return stepper;
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int main(int argc, char **argv) {
    SUNContext context;
    sunrealtype t;
    if (argc != 7) return 2;
    is_bruss2d = !strcmp(argv[1], "bruss2d");
    m = atoi(argv[2]);
    d = 2e-3 * (m - 1) * (m - 1);
    MUST(SUNContext_Create(0, &context));
    N_Vector state = N_VNew_Serial(2L * m * m, context);
    double *y = N_VGetArrayPointer(state);
    for (int iy = 0; iy < m; iy++)
        for (int ix = 0; ix < m; ix++, y += 2) {
            const double x = ix - 0.5 * (m - 1), z = iy - 0.5 * (m - 1);
            const double uneven = 1 + 1e-4 * ((ix * 7919L + iy * 104729L) % 201 - 100);
            const int is_seeded = fabs(x) < 10 && fabs(z) < 10;
            y[0] = is_bruss2d ? 0.5 + (double)iy / (m - 1) : is_seeded ? uneven / 2 : 1;
            y[1] = is_bruss2d ? 1 + 5.0 * ix / (m - 1) : is_seeded ? uneven / 4 : 0;
        }
    void *stepper = create(context, state, atof(argv[4]), atof(argv[6]));
    const double start = now();
#if HAS_LSRK
    MUST(ARKodeEvolve(stepper, atof(argv[4]), state, &t, ARK_NORMAL));
#else
    MUST(ERKStepEvolve(stepper, atof(argv[4]), state, &t, ARK_NORMAL));
#endif
    printf(" \"kernel\": %.4g,\n \"backend\": \"SUNDIALS %s\"\n", now() - start, SUNDIALS_VERSION);
    if (getenv("WAITING_OUT")) {
        FILE *file = fopen(getenv("WAITING_OUT"), "wb");
        if (!file ||
            fwrite(N_VGetArrayPointer(state), sizeof *y, 2UL * m * m, file) != 2UL * m * m ||
            fclose(file))
            return 3;
    }
    return 0;
}
