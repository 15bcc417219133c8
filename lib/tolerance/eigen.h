/* SPDX-License-Identifier: BSD-2-Clause */
/* eigen.h - eigenvalues of small complex matrices, which are stored row by row. */
#ifndef EULERCL_EIGEN_H
#define EULERCL_EIGEN_H
#include <complex.h>

enum { MOST_EIGENVALUES = 40 }; /* rows of a matrix, at most */

/* Find the eigenvalues of the matrix a (n x n, destroyed). -> 0 if they do not converge. */
int ecl_eigenvalues(double complex *a, int n, double complex *values);
/* Find the eigenvector x, of length 1, of the Hessenberg matrix h, whose rows are MOST_EIGENVALUES
 * reals apart, for the eigenvalue lambda. work: n x n. */
void ecl_eigenvector(
    const double *h, int n, double complex lambda, double complex *work, double complex *x);
#endif
