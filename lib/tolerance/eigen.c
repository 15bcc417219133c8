/* SPDX-License-Identifier: BSD-2-Clause */
/* eigen.c - see eigen.h. */
#include "config.h"
#include "eigen.h"
#include <math.h>

/* Scale rows and columns by powers of two until they are about equally large, so that eigenvalues
 * are as accurate as in the best units (B. Parlett, C. Reinsch, Numer. Math. 13, 1969). */
static void balance(double complex *a, int n) {
    for (int rounds = 0, done = 0; !done && rounds < 100; rounds++) {
        done = 1;
        for (int i = 0; i < n; i++) {
            double column = 0, row = 0, factor = 1;
            for (int j = 0; j < n; j++) {
                column += j == i ? 0 : cabs(a[j * n + i]);
                row += j == i ? 0 : cabs(a[i * n + j]);
            }
            if (!(column > 0 && row > 0 && isfinite(column) && isfinite(row))) continue;
            const double sum = column + row;
            for (; column < row / 2; column *= 4) factor *= 2;
            for (; column >= row * 2; column /= 4) factor /= 2;
            if ((column + row) / factor >= 0.95 * sum) continue;
            done = 0;
            for (int j = 0; j < n; j++) a[i * n + j] /= factor;
            for (int j = 0; j < n; j++) a[j * n + i] *= factor;
        }
    }
}

/* To Hessenberg form by stabilised elimination, then QR steps with Wilkinson's shift (G. Golub, C.
 * Van Loan, "Matrix Computations", ch. 7). */
int ecl_eigenvalues(double complex *a, int n, double complex *values) {
#define A(i, j) a[(i)*n + (j)]
    balance(a, n);
    for (int k = 1; k + 1 < n; k++) {
        int pivot = k;
        for (int i = k + 1; i < n; i++)
            if (cabs(A(i, k - 1)) > cabs(A(pivot, k - 1))) pivot = i;
        if (A(pivot, k - 1) == 0) continue;
        for (int j = 0; j < n && pivot != k; j++) {
            const double complex x = A(k, j);
            A(k, j) = A(pivot, j);
            A(pivot, j) = x;
        }
        for (int i = 0; i < n && pivot != k; i++) {
            const double complex x = A(i, k);
            A(i, k) = A(i, pivot);
            A(i, pivot) = x;
        }
        for (int i = k + 1; i < n; i++) {
            const double complex factor = A(i, k - 1) / A(k, k - 1);
            if (factor == 0) continue;
            for (int j = 0; j < n; j++) A(i, j) -= factor * A(k, j);
            for (int j = 0; j < n; j++) A(j, k) += factor * A(j, i);
            A(i, k - 1) = 0;
        }
    }
    for (int last = n - 1, tries = 0; last >= 0;) {
        int first = last;
        while (first > 0 && cabs(A(first, first - 1)) >
                                1e-16 * (cabs(A(first, first)) + cabs(A(first - 1, first - 1))))
            first--;
        if (first == last) {
            values[last--] = A(first, first);
            tries = 0;
            continue;
        }
        if (++tries > 100) return 0;
        const double complex p = A(last - 1, last - 1), q = A(last, last),
                             r = A(last - 1, last) * A(last, last - 1);
        const double complex root = csqrt((p - q) * (p - q) / 4 + r), middle = (p + q) / 2;
        double complex shift =
            cabs(middle + root - q) < cabs(middle - root - q) ? middle + root : middle - root;
        if (tries % 11 == 10) shift = q + cabs(A(last, last - 1));
        /* One step A - shift = Q R, A = R Q + shift: rotations of neighbouring rows, then of the
         * same columns. */
        double complex cosines[MOST_EIGENVALUES], sines[MOST_EIGENVALUES];
        for (int i = first; i <= last; i++) A(i, i) -= shift;
        for (int i = first; i < last; i++) {
            const double length = hypot(cabs(A(i, i)), cabs(A(i + 1, i)));
            cosines[i] = length > 0 ? A(i, i) / length : 1;
            sines[i] = length > 0 ? A(i + 1, i) / length : 0;
            for (int j = i; j <= last; j++) {
                const double complex x = A(i, j), y = A(i + 1, j);
                A(i, j) = conj(cosines[i]) * x + conj(sines[i]) * y;
                A(i + 1, j) = cosines[i] * y - sines[i] * x;
            }
        }
        for (int i = first; i < last; i++)
            for (int j = first; j <= i + 1; j++) {
                const double complex x = A(j, i), y = A(j, i + 1);
                A(j, i) = x * cosines[i] + y * sines[i];
                A(j, i + 1) = y * conj(cosines[i]) - x * conj(sines[i]);
            }
        for (int i = first; i <= last; i++) A(i, i) += shift;
    }
    return 1;
#undef A
}

/* Inverse iteration. */
void ecl_eigenvector(
    const double *h, int n, double complex lambda, double complex *work, double complex *x) {
    double norm = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) norm = fmax(norm, fabs(h[i * MOST_EIGENVALUES + j]));
    for (int i = 0; i < n; i++) x[i] = 1;
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                work[i * n + j] = h[i * MOST_EIGENVALUES + j] - (i == j ? lambda : 0);
        for (int k = 0; k < n; k++) {
            if (k + 1 < n && cabs(work[(k + 1) * n + k]) > cabs(work[k * n + k])) {
                for (int j = k; j < n; j++) {
                    const double complex w = work[k * n + j];
                    work[k * n + j] = work[(k + 1) * n + j];
                    work[(k + 1) * n + j] = w;
                }
                const double complex w = x[k];
                x[k] = x[k + 1];
                x[k + 1] = w;
            }
            if (cabs(work[k * n + k]) < 1e-15 * norm) work[k * n + k] = 1e-15 * norm + 1e-300;
            if (k + 1 == n) continue;
            const double complex factor = work[(k + 1) * n + k] / work[k * n + k];
            for (int j = k; j < n; j++) work[(k + 1) * n + j] -= factor * work[k * n + j];
            x[k + 1] -= factor * x[k];
        }
        double length = 0;
        for (int i = n - 1; i >= 0; i--) {
            for (int j = i + 1; j < n; j++) x[i] -= work[i * n + j] * x[j];
            x[i] /= work[i * n + i];
        }
        for (int i = 0; i < n; i++) length = hypot(length, cabs(x[i]));
        for (int i = 0; i < n && length > 0; i++) x[i] /= length;
    }
}
