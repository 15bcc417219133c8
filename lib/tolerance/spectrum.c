/* SPDX-License-Identifier: BSD-2-Clause */
/* spectrum.c - the eigenvalues of the Jacobian df/dy that limit the step size. Two methods are
 * used, both with differences of the right-hand side and without a matrix of the system:
 *
 * Arnoldi's method (W. E. Arnoldi, Quart. Appl. Math. 9, 1951; Y. Saad, "Numerical methods for
 * large eigenvalue problems", 2011, ch. 6) is restarted with the Ritz vectors of the extreme
 * values, and uses directional differences of f (D. Knoll, D. Keyes, J. Comput. Phys. 193, 2004).
 * It works for every problem, finds the largest eigenvalues including the effects of boundaries,
 * and estimates its own accuracy. A large system is looked at through windows: the block of the
 * Jacobian of some consecutive components, whose eigenvalues of symmetric problems lie between the
 * least and the greatest of the whole, and near them if the window is many times as long as the
 * access distance.
 *
 * Fourier analysis (von Neumann's: J. Charney, R. Fjortoft, J. von Neumann, Tellus 2, 1950) works
 * for grid problems: at some points the coefficients of the stencil are frozen, as on an infinite
 * grid, which gives whole curves of eigenvalues, also where Arnoldi's method hardly converges
 * (advection).
 *
 * The explicit Euler method keeps a mode exp(lambda t) bounded if |1 + h lambda| <= 1. For Re
 * lambda < 0 that is h <= -2 Re lambda / |lambda|^2; on the imaginary axis no h is stable (E.
 * Hairer, G. Wanner, "Solving Ordinary Differential Equations II", sec. IV.2). */
#include "config.h"
#include "spectrum.h"
#include "../problem/grid.h"
#include "../int.h"
#include "../mem.h"
#include "../reals.h"
#include "../problem/system.h"
#include <complex.h>
#include <float.h>
#include <math.h>
#include <string.h>

#ifndef CMPLX /* the C library declares it only for GCC; clang has the same builtin */
#define CMPLX(x, y) __builtin_complex((double)(x), (double)(y))
#endif

enum {
    KRYLOV = 40, /* dimension of a Krylov space */
    LEAST_KRYLOV = 6,
    KRYLOV_REALS = 1 << 22, /* the most reals of its basis */
    CYCLES = 6,
    WINDOW = 1 << 19, /* components of each window of a large system */
    /* windows of a large system: at the beginning, in the middle and at the end */
    WINDOWS = 3,
    LARGE = 1 << 21,
    WAVES_1D = 128,
    WAVES_2D = 16,
    WAVES_3D = 4,        /* wave numbers in 0 .. pi, per axis */
    POINTS = 64,         /* points that are looked at */
    WAVE_WORK = 1 << 22, /* bounds waves * points * components^3 */
    BOUND_POINTS = 24,   /* points that show a bound; each takes a few reads of the state */
    RATE_POINTS = 8,     /* points that show rates, with every fourth wave number */
    RATE_WAVES = 4,
    MOST_TOGETHER = 1 << 14, /* reals that are read with a stencil */
    TRIES = 3,               /* smaller differences are tried if f is not finite */
    PASSES = 5,              /* passes until the scales of unknowns that are 0 are known */
};

/* Accuracy at which Ritz values are good enough; accuracy at which they show on which side of the
 * imaginary axis an eigenvalue is. */
static const double converged = 1e-3, accurate = 2e-2;
/* Eigenvalues below this share of the largest one that does not grow are ignored: at such step
 * sizes accuracy, not stability, is the limit. */
static const double outer = 0.5;

struct value {
    double complex lambda;
    double accuracy;
}; /* accuracy: norm of the residual */

/* Each unknown (component of a point) has a unit of its own. So everything is computed for the
 * unknowns over their scales, whose Jacobian has the same eigenvalues. */
struct spectrum {
    const struct system *system;
    double t, relative; /* the time, and the size of differences relative to the scales */
    int64_t unknowns;
    /* the greatest magnitude of each unknown in the components that are looked at */
    double *sizes;
    double *slopes; /* the greatest magnitude of its derivative, if the unknown is 0 */
    double *scales;
    int has_small;   /* there are small unknowns; is_better_scaled looks for their scales */
    double greatest; /* the greatest size, which is their first scale */
    double radius;   /* the smallest spectral radius so far */
    double *best;    /* the scales of the pass with that radius */
    int passes;
    enum { AS_OTHERS, AS_OWN, IDLE, LAST } phase;
    char *y, *in;         /* n reals each; y is the caller's, and so are the values of `in` outside
                             the window */
    char *ahead, *behind; /* f of the window at states that are shifted ahead and back */
    /* What y points into, if it is not the caller's: a state, or `span` reals for each of some
     * points. NULL: not made. */
    char *whole, *parts;
    int64_t span;
    int64_t first, length; /* the window's components */
    struct value *values;
    int64_t count, room;
    double evaluated; /* components */
    int64_t global;   /* the first of the values are from Arnoldi's method */
};

static double get(const struct spectrum *s, const void *y, int64_t i) {
    return real_get(y, i, s->system->real_size);
}

static void set(const struct spectrum *s, void *y, int64_t i, double value) {
    real_set(y, i, s->system->real_size, value);
}

static void add(struct spectrum *s, double complex lambda, double accuracy) {
    if (s->count < s->room) s->values[s->count++] = (struct value){lambda, accuracy};
}

/* ---- scales ---- */

/* The unknown of the component after one of unknown c. */
static int64_t next_unknown(const struct spectrum *s, int64_t c) {
    return c + 1 == s->unknowns ? 0 : c + 1;
}

static void see(double *seen, double value) {
    if (!(fabs(value) <= *seen) && !isnan(*seen)) *seen = fabs(value); /* NaN stays */
}

/* Small beside the others: where its unit may be another one. */
static int is_small(const struct spectrum *s, int64_t c) {
    return s->sizes[c] < s->greatest * 0x1p-10;
}

/* Settle the scales after all sizes were seen. -> whether slopes are needed. */
static int settle_scales(struct spectrum *s) {
    int has_zeros = 0;
    for (int64_t c = 0; c < s->unknowns; c++) {
        if (!isfinite(s->sizes[c])) s->sizes[c] = 1; /* the derivatives are not finite, either */
        s->greatest = fmax(s->greatest, s->sizes[c]);
        has_zeros |= s->sizes[c] == 0;
    }
    if (!(s->greatest > 0)) s->greatest = 1;
    for (int64_t c = 0; c < s->unknowns; c++) {
        s->has_small |= is_small(s, c);
        s->scales[c] = is_small(s, c) ? s->greatest : s->sizes[c];
    }
    return has_zeros;
}

/* Scale small unknowns by their own sizes, and those that are 0 by what their derivatives make of
 * them in the time 1/radius. -> the number of unknowns with a new scale. */
static int scale_as_own(struct spectrum *s, double radius) {
    int count = 0;
    for (int64_t c = 0; c < s->unknowns; c++) {
        const double scale = s->sizes[c] > 0 ? s->sizes[c] : s->slopes[c] / radius;
        if (!is_small(s, c) || !(scale > 0 && isfinite(scale)) || scale == s->scales[c]) continue;
        s->scales[c] = scale;
        count++;
    }
    return count;
}

/* Scale small unknowns by a share of the greatest size, or only those that are 0 and idle, because
 * nothing moves them. -> the number of unknowns with this scale, 0 if it is too small for
 * numbers. */
static int scale_as_others(struct spectrum *s, int only_idle, double share) {
    const double scale = s->greatest * share,
                 least = s->system->real_size == sizeof(float) ? (double)FLT_MIN : DBL_MIN;
    int count = 0;
    for (int64_t c = 0; scale * s->relative > least / s->relative && c < s->unknowns; c++) {
        const int is_idle = s->sizes[c] == 0 && s->slopes[c] == 0;
        if (!is_small(s, c) || (only_idle && !is_idle)) continue;
        s->scales[c] = scale;
        count++;
    }
    return count;
}

/* Returns whether the values must be computed once more, with other scales of small unknowns. At
 * first these have the scale of the others. If the radius falls below half of its value with their
 * own scales, the first scale was too large, for rates such as c^3. A larger radius is not
 * believed, because it may come from rounding errors, if a derivative is the small difference of
 * large terms. An idle unknown may be very small: it has modes that nothing excites. */
static int is_better_scaled(struct spectrum *s, double radius) {
    const double tiny = s->system->real_size == sizeof(float) ? 0x1p-60 : 0x1p-500;
    const size_t bytes = (size_t)s->unknowns * sizeof *s->scales;
    if (!s->has_small || s->phase == LAST || radius == 0) return 0;
    /* the scales were so large that derivatives overflow */
    if (!isfinite(radius) && s->phase == AS_OTHERS) {
        s->count = 0;
        return ++s->passes < PASSES && scale_as_others(s, 0, pow(tiny, s->passes));
    }
    const int is_smaller = s->phase == AS_OTHERS || 2 * radius < s->radius;
    int again = !is_smaller;
    if (is_smaller) {
        memcpy(s->best, s->scales, bytes);
        s->radius = radius;
    } else
        memcpy(s->scales, s->best, bytes);
    if (s->phase != IDLE && is_smaller && ++s->passes < PASSES && scale_as_own(s, radius)) {
        s->phase = AS_OWN;
        again = 1;
    } else if (s->phase != IDLE && scale_as_others(s, 1, tiny)) {
        s->phase = IDLE;
        again = 1;
    } else
        s->phase = LAST;
    if (again) s->count = 0;
    return again;
}

/* ---- small matrices, row by row ---- */

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

/* The eigenvalues of a (n x n, destroyed): to Hessenberg form by stabilised elimination, then QR
   steps with Wilkinson's shift (G. Golub, C. Van Loan, "Matrix Computations", ch. 7). -> 0 if they
   do not converge. */
static int eigenvalues(double complex *a, int n, double complex *values) {
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
        double complex cosines[KRYLOV], sines[KRYLOV];
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

/* The eigenvector x, of length 1, of the Hessenberg matrix h (row length KRYLOV) for the
 * eigenvalue: inverse iteration. work: n x n. */
static void eigenvector(
    const double *h, int n, double complex lambda, double complex *work, double complex *x) {
    double norm = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) norm = fmax(norm, fabs(h[i * KRYLOV + j]));
    for (int i = 0; i < n; i++) x[i] = 1;
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) work[i * n + j] = h[i * KRYLOV + j] - (i == j ? lambda : 0);
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

/* ---- Arnoldi's method ---- */

/* The window of f(y + size v) into `out`, with v over the scales. */
static void shifted(struct spectrum *s, const double *v, double size, char *out) {
    const int64_t first = s->first, end = first + s->length;
    for (int64_t i = first, c = first % s->unknowns; i < end; i++, c = next_unknown(s, c))
        set(s, s->in, i, get(s, s->y, i) + size * v[i - first] * s->scales[c]);
    ecl_system_eval(
        s->system, ecl_from_component(out, first, s->system->real_size), s->in, first, end, s->t);
    s->evaluated += (double)s->length;
}

/* out = J v, |v| = 1 -> whether it is finite. */
static int multiply(struct spectrum *s, const double *v, double *out) {
    const int64_t n = s->length;
    const double size = s->relative * sqrt((double)n);
    double sum = 0;
    shifted(s, v, size, s->ahead);
    shifted(s, v, -size, s->behind);
    for (int64_t i = 0, c = s->first % s->unknowns; i < n; i++, c = next_unknown(s, c)) {
        out[i] = (get(s, s->ahead, i) - get(s, s->behind, i)) / s->scales[c] / (2 * size);
        sum += out[i];
    }
    return isfinite(sum);
}

/* Several sums, which the processor adds to at the same time. */
static double dot(const double *a, const double *b, int64_t n) {
    enum { SUMS = 16 };
    double sums[SUMS] = {0}, sum = 0;
    int64_t i = 0;
    for (; i + SUMS <= n; i += SUMS)
        for (int k = 0; k < SUMS; k++) sums[k] += a[i + k] * b[i + k];
    for (; i < n; i++) sum += a[i] * b[i];
    for (int k = 0; k < SUMS; k++) sum += sums[k];
    return sum;
}

static double normalise(double *v, int64_t n) {
    const double length = sqrt(dot(v, v, n));
    for (int64_t i = 0; i < n && length > 0; i++) v[i] /= length;
    return length;
}

/* Extend the basis from vector 0, of length 1, by at most `most` products. -> dimension of the
 * space, 0 if a product is not finite; *rest: the length of the part outside the space. */
static int arnoldi(struct spectrum *s, double *basis, double *h, int most, double *rest) {
    const int64_t n = s->length;
    double largest = 0;
    memset(h, 0, KRYLOV * KRYLOV * sizeof *h);
    for (int k = 0; k < most; k++) {
        double *w = basis + (k + 1) * n;
        if (!multiply(s, basis + k * n, w)) return 0;
        for (int pass = 0; pass < 2; pass++) /* twice is enough */
            for (int i = 0; i <= k; i++) {
                const double part = dot(basis + i * n, w, n);
                for (int64_t j = 0; j < n; j++) w[j] -= part * basis[i * n + j];
                h[i * KRYLOV + k] += part;
            }
        for (int i = 0; i <= k; i++) largest = fmax(largest, fabs(h[i * KRYLOV + k]));
        *rest = normalise(w, n);
        largest = fmax(largest, *rest);
        /* If the rest is below the noise of the differences, the space is invariant. */
        if (*rest <= 0.01 * s->relative * largest || k + 1 == n) {
            *rest = 0;
            return k + 1;
        }
        if (k + 1 < most) h[(k + 1) * KRYLOV + k] = *rest;
    }
    return most;
}

struct target {
    double worth;
    int index;
};

static void aim(struct target *target, double worth, int index) {
    if (worth > target->worth) *target = (struct target){worth, index};
}

/* Add the Ritz values of the space to the list; the extreme ones form the next start vector, basis
 * vector 0. -> 1 if they are good enough. */
static int ritz(struct spectrum *s, double *basis, const double *h, int size, double rest,
    double complex *work, int is_last) {
    double complex values[KRYLOV], *vectors = work + KRYLOV * KRYLOV;
    double accuracy[KRYLOV] = {0}, largest = 0, worst = 0;
    for (int i = 0; i < size; i++)
        for (int j = 0; j < size; j++) work[i * size + j] = h[i * KRYLOV + j];
    if (!eigenvalues(work, size, values)) return 0;
    struct target targets[] = {
        {-1, 0}, {-1, 0}, {-1, 0}}; /* the largest, the one that oscillates fastest, the one that
                                       limits h most, if there are such */
    for (int k = 0; k < size; k++) {
        eigenvector(h, size, values[k], work, vectors + k * KRYLOV);
        accuracy[k] = rest * cabs(vectors[k * KRYLOV + size - 1]);
        largest = fmax(largest, cabs(values[k]));
    }
    for (int k = 0; k < size; k++) {
        const double length = cabs(values[k]), decay = -creal(values[k]);
        aim(&targets[0], length, k);
        if (length <= outer * largest) continue;
        if (fabs(cimag(values[k])) > converged * largest)
            aim(&targets[1], fabs(cimag(values[k])), k);
        if (decay > 3 * accuracy[k]) aim(&targets[2], length * length / decay, k);
    }
    for (int i = 0; i < 3; i++)
        if (targets[i].worth >= 0) worst = fmax(worst, accuracy[targets[i].index]);
    const int done = is_last || worst <= converged * largest;
    for (int k = 0; k < size && done; k++) add(s, values[k], accuracy[k]);
    if (done) return 1;
    const int64_t n = s->length;
    double weights[KRYLOV] = {0};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < size && targets[i].worth >= 0; k++) {
            const double complex x = vectors[targets[i].index * KRYLOV + k];
            weights[k] += creal(x) + cimag(x);
        }
    for (int64_t j = 0; j < n; j++) {
        double sum = 0;
        for (int k = 0; k < size; k++) sum += weights[k] * basis[k * n + j];
        basis[j] = sum;
    }
    normalise(basis, n);
    return 0;
}

/* Find the values of the window. */
static int window_values(struct spectrum *s, eulercl_error *error) {
    const int64_t n = s->length, count = s->count;
    int64_t most = KRYLOV_REALS / n;
    most = most > KRYLOV ? KRYLOV : most < LEAST_KRYLOV ? LEAST_KRYLOV : most;
    if (most > n) most = n;
    uint64_t reals, bytes;
    void *memory = NULL;
    if (__builtin_mul_overflow((uint64_t)n, (uint64_t)most + 1, &reals) ||
        __builtin_mul_overflow(reals, sizeof(double), &bytes))
        return ecl_fail(error, EULERCL_MEMORY,
            "%lld components are too many for an estimate of the eigenvalues", (long long)n);
    double *h = ecl_mem_zeroed(KRYLOV * KRYLOV, sizeof *h);
    double complex *work = ecl_mem_zeroed(2 * KRYLOV * KRYLOV, sizeof *work);
    int status = h && work ? ecl_mem_state(bytes, "the estimate of the eigenvalues", &memory, error)
                           : ecl_no_memory(error, "an estimate of the eigenvalues");
    double *basis = memory;
    const double relative = s->relative;
    for (int attempt = 0, size = 0; !status && !size; attempt++) {
        uint64_t random = 1;
        for (int64_t i = 0; i < n; i++) {
            random = random * 6364136223846793005u + 1442695040888963407u; /* Knuth's MMIX */
            basis[i] = (double)(random >> 11) * 0x1p-53 - 0.5;
        }
        normalise(basis, n);
        for (int cycle = 0, done = 0; !done && cycle < CYCLES; cycle++) {
            double rest = 0;
            size = arnoldi(s, basis, h, (int)most, &rest);
            done = !size || ritz(s, basis, h, size, rest, work, cycle + 1 == CYCLES);
        }
        if (size) break;
        if (attempt + 1 == TRIES)
            status = ecl_fail(error, EULERCL_NONFINITE,
                "the right-hand side is not finite near the state at t = %g", s->t);
        s->relative *= 1e-3;
    }
    s->relative = relative;
    if (!status && s->count == count)
        status =
            ecl_fail(error, EULERCL_INTERNAL, "the iteration for the eigenvalues did not converge");
    ecl_mem_free(h);
    ecl_mem_free(work);
    ecl_mem_free(memory);
    return status;
}

/* How long a window is. */
static int64_t window_of(const struct spectrum *s) {
    return s->system->n > LARGE ? WINDOW : s->system->n;
}

static int global_values(struct spectrum *s, eulercl_error *error) {
    const int64_t n = s->system->n, windows = n > LARGE ? WINDOWS : 1;
    int status = EULERCL_OK;
    memcpy(s->in, s->y, (size_t)s->system->state_bytes);
    s->length = window_of(s);
    for (int64_t w = 0; w < windows && !status; w++) {
        const size_t size = s->system->real_size, bytes = (size_t)s->length * size;
        s->first = windows > 1 ? (n - s->length) / (windows - 1) * w : 0;
        if (w + 1 == windows) s->first = n - s->length;
        status = window_values(s, error);
        memcpy(s->in + (size_t)s->first * size, s->y + (size_t)s->first * size, bytes);
    }
    return status;
}

/* ---- Fourier analysis ---- */

/* blocks[offset][b][c]: the derivative of component c's right-hand side at a point by component b
 * of the point that far away. -> whether all are finite. */
static int freeze(struct spectrum *s, int64_t point, double *blocks) {
    const struct system *system = s->system;
    const struct ode_grid *const grid = &system->context.grid;
    const int64_t components = grid->components;
    for (int64_t k = 0; k < ecl_stencil_size(grid); k++)
        for (int64_t b = 0; b < components; b++) {
            const struct place offset = ecl_stencil_offset(grid, k);
            const int64_t j = ecl_grid_neighbour(grid, point, offset) * components + b;
            const double before = get(s, s->y, j), scale = s->scales[b],
                         size = s->relative * fmax(fabs(before), scale);
            for (int64_t c = 0; c < components; c++) {
                double f[2], at[2];
                for (int side = 0; side < 2; side++) {
                    set(s, s->y, j, before + (side ? size : -size));
                    at[side] = get(s, s->y, j);
                    const int64_t i = point * components + c;
                    f[side] = ecl_system_component(system, i, s->t, s->y);
                }
                set(s, s->y, j, before);
                *blocks = (f[1] - f[0]) / s->scales[c] / ((at[1] - at[0]) / scale);
                if (!isfinite(*blocks)) return 0;
                blocks++;
            }
        }
    return 1;
}

/* The wave numbers and points of Fourier analysis on a grid. */
struct fourier {
    const struct ode_grid *grid;
    int64_t inner[ODE_MOST_AXES];       /* points along each axis whose stencil lies inside */
    int64_t waves[ODE_MOST_AXES];       /* wave numbers of each axis; 0 .. most along x */
    int64_t lowest_wave[ODE_MOST_AXES]; /* -most .. most along the others */
    int64_t all_inner, all_waves;
    double most_waves;
};

/* Fourier analysis with every `every`-th wave number. */
static struct fourier fourier_of(const struct ode_grid *grid, int every) {
    /* The numbers of waves by rank. */
    static const int most_waves[ODE_MOST_AXES + 1] = {0, WAVES_1D, WAVES_2D, WAVES_3D};
    struct fourier f = {
        .grid = grid, .all_inner = 1, .all_waves = 1, .most_waves = most_waves[grid->rank] / every};
    for (uint32_t axis = 0; axis < ODE_MOST_AXES; axis++) {
        const int64_t most = axis < grid->rank ? most_waves[grid->rank] / every : 0;
        f.lowest_wave[axis] = axis ? -most : 0;
        f.waves[axis] = most - f.lowest_wave[axis] + 1;
        f.inner[axis] = grid->extents[axis] - 2 * grid_radius(grid, axis);
        if (f.inner[axis] < 1) f.inner[axis] = 0;
        f.all_waves *= f.waves[axis];
        f.all_inner *= f.inner[axis];
    }
    return f;
}

/* The point of an inner number: spread over the grid, in order along the last axis only. */
static int64_t spread_point(const struct fourier *f, int64_t number) {
    const uint32_t last = f->grid->rank - 1;
    const int64_t others = f->all_inner / f->inner[last];
    struct place place = {{0}};
    place.at[last] = number / others + grid_radius(f->grid, last);
    number = number * 7919 % others;
    for (uint32_t axis = 0; axis < last; axis++) {
        place.at[axis] = number % f->inner[axis] + grid_radius(f->grid, axis);
        number /= f->inner[axis];
    }
    return ecl_grid_point(f->grid, place);
}

/* Wave number `number` of the grid, along each axis; x is the slowest. */
static struct place wave_of(const struct fourier *f, int64_t number) {
    struct place wave;
    for (uint32_t axis = ODE_MOST_AXES; axis-- > 0;) {
        wave.at[axis] = number % f->waves[axis] + f->lowest_wave[axis];
        number /= f->waves[axis];
    }
    return wave;
}

/* Find the factors by which each neighbour of the stencil multiplies a wave. */
static void find_factors(const struct fourier *f, struct place wave, double complex *factors) {
    for (int64_t k = 0; k < ecl_stencil_size(f->grid); k++) {
        const struct place offset = ecl_stencil_offset(f->grid, k);
        double periods = 0;
        for (uint32_t axis = 0; axis < f->grid->rank; axis++)
            periods += (double)(offset.at[axis] * wave.at[axis]) / f->most_waves;
        const double angle = M_PI * periods;
        factors[k] = CMPLX(cos(angle), sin(angle));
    }
}

/* symbol[c][b]: what the frozen stencil makes of a wave. */
static void transform(const double complex *factors, int64_t offsets, const double *blocks,
    int64_t components, double complex *symbol) {
    memset(symbol, 0, (size_t)(components * components) * sizeof *symbol);
    for (int64_t k = 0; k < offsets; k++)
        for (int64_t b = 0; b < components; b++)
            for (int64_t c = 0; c < components; c++)
                symbol[c * components + b] += *blocks++ * factors[k];
}

/* A number of the inner points that are looked at, `points` of them: the middle of its share. */
static int64_t point_of_share(const struct fourier *f, int64_t number, int64_t points) {
    return spread_point(
        f, (int64_t)(((double)number + 0.5) / (double)points * (double)f->all_inner));
}

/* The first component of a point's stencil, and how many there are from it to the last one. */
static int64_t stencil_begin(const struct ode_grid *grid, int64_t point) {
    return ecl_grid_neighbour(grid, point, ecl_stencil_offset(grid, 0)) * (int64_t)grid->components;
}
static int64_t stencil_span(const struct ode_grid *grid, int64_t point) {
    const struct place last = ecl_stencil_offset(grid, ecl_stencil_size(grid) - 1);
    return (ecl_grid_neighbour(grid, point, last) + 1) * (int64_t)grid->components -
           stencil_begin(grid, point);
}

/* The parts of the state that the stencil of an inner point needs, to be read into the state's
 * place: all together, or row by row. -> how many. */
static int64_t stencil_parts(struct spectrum *s, int64_t point, struct state_part *parts) {
    const struct ode_grid *const grid = &s->system->context.grid;
    const ptrdiff_t size = (ptrdiff_t)s->system->real_size;
    const int64_t radius = grid_radius(grid, 0), components = grid->components,
                  count = (2 * radius + 1) * components, begin = stencil_begin(grid, point);
    int64_t rows = 0;
    if (s->parts) {
        *parts = (struct state_part){begin, s->span, s->y + (ptrdiff_t)begin * size};
        return 1;
    }
    for (int64_t k = 0; k < ecl_stencil_size(grid); k += 2 * radius + 1) {
        const struct place row = ecl_stencil_offset(grid, k); /* its first point */
        const int64_t first = ecl_grid_neighbour(grid, point, row) * components;
        parts[rows++] = (struct state_part){first, count, s->y + (ptrdiff_t)first * size};
    }
    return rows;
}

/* The magnitudes of a stencil's components. */
static void see_stencil(const struct spectrum *s, int64_t point) {
    const struct ode_grid *const grid = &s->system->context.grid;
    const int64_t count = (2 * grid_radius(grid, 0) + 1) * (int64_t)grid->components;
    for (int64_t k = 0; k < ecl_stencil_size(grid); k += 2 * grid_radius(grid, 0) + 1) {
        const struct place row = ecl_stencil_offset(grid, k);
        const int64_t first = ecl_grid_neighbour(grid, point, row) * (int64_t)grid->components;
        for (int64_t i = 0; i < count; i++)
            see(&s->sizes[i % s->unknowns], get(s, s->y, first + i));
    }
}

/* Room for a state, of which only some parts may be read: pages that nobody writes take no memory.
 */
static int make_whole(struct spectrum *s, eulercl_error *error) {
    if (!s->whole) s->whole = ecl_mem_zeroed((uint64_t)s->system->n, s->system->real_size);
    s->y = s->whole;
    return s->y ? EULERCL_OK : ecl_no_memory(error, "an estimate of the eigenvalues");
}

/* Turn to point `number` of those that were read: y points to the values of its stencil. */
static int64_t turn_to_point(
    struct spectrum *s, const struct fourier *f, int64_t number, int64_t points) {
    const int64_t point = point_of_share(f, number, points);
    const size_t size = s->system->real_size;
    if (s->parts)
        s->y = ecl_from_component(
            s->parts + (size_t)(number * s->span) * size, stencil_begin(f->grid, point), size);
    return point;
}

/* The stencils of some inner points, and how large the state is there. A stencil is read with all
 * that is between its rows if that is little, since each part takes its time. */
static int read_points(struct spectrum *s, const struct fourier *f,
    const struct state_source *source, int64_t points, eulercl_error *error) {
    s->span = points ? stencil_span(f->grid, point_of_share(f, 0, points)) : 0;
    if (points && s->span <= MOST_TOGETHER)
        s->parts = ecl_mem_zeroed((uint64_t)(points * s->span), s->system->real_size);
    int status = s->parts ? EULERCL_OK : make_whole(s, error);
    struct state_part *const parts =
        ecl_mem_zeroed((uint64_t)int_max(points * ecl_stencil_size(f->grid), 1), sizeof *parts);
    int64_t part_count = 0;
    if (!status && !parts) status = ecl_no_memory(error, "an estimate of the eigenvalues");
    for (int64_t p = 0; !status && p < points; p++)
        part_count += stencil_parts(s, turn_to_point(s, f, p, points), parts + part_count);
    if (!status) status = ecl_read_parts(source, parts, part_count, error);
    for (int64_t p = 0; !status && p < points; p++) see_stencil(s, turn_to_point(s, f, p, points));
    ecl_mem_free(parts);
    if (status || !settle_scales(s)) return status;
    for (int64_t p = 0; p < points; p++) {
        const int64_t first = turn_to_point(s, f, p, points) * s->unknowns;
        for (int64_t c = 0; c < s->unknowns; c++)
            see(&s->slopes[c], ecl_system_component(s->system, first + c, s->t, s->y));
    }
    return EULERCL_OK;
}

static int local_values(struct spectrum *s, int64_t most_points, int every, eulercl_error *error) {
    const struct fourier f = fourier_of(&s->system->context.grid, every);
    const int64_t components = f.grid->components, offsets = ecl_stencil_size(f.grid);
    const double cost =
        (double)f.all_waves * (double)(components * components) * (double)(components + offsets);
    if (!f.all_inner || components > KRYLOV || cost > WAVE_WORK) return EULERCL_OK;
    const int64_t affordable = (int64_t)(8 * WAVE_WORK / cost);
    int64_t points = f.all_inner < most_points ? f.all_inner : most_points;
    if (points > affordable) points = affordable;
    if (points > (s->room - s->count) / (f.all_waves * components))
        points = (s->room - s->count) / (f.all_waves * components);
    double *blocks = ecl_mem_zeroed((uint64_t)(offsets * components * components), sizeof *blocks);
    double complex *symbol = ecl_mem_zeroed((uint64_t)(components * components), sizeof *symbol);
    double complex *factors = ecl_mem_zeroed((uint64_t)(f.all_waves * offsets), sizeof *factors);
    const int failed = !blocks || !symbol || !factors;
    for (int64_t w = 0; w < f.all_waves && !failed; w++)
        find_factors(&f, wave_of(&f, w), factors + w * offsets);
    for (int64_t p = 0; p < points && !failed; p++) {
        if (!freeze(s, turn_to_point(s, &f, p, points), blocks)) continue;
        for (int64_t w = 0; w < f.all_waves; w++) {
            double complex values[KRYLOV];
            transform(factors + w * offsets, offsets, blocks, components, symbol);
            if (!eigenvalues(symbol, (int)components, values)) continue;
            for (int64_t c = 0; c < components; c++) add(s, values[c], 0);
        }
    }
    ecl_mem_free(blocks);
    ecl_mem_free(symbol);
    ecl_mem_free(factors);
    return failed ? ecl_no_memory(error, "an estimate of the eigenvalues") : EULERCL_OK;
}

/* The largest eigenvalue of the sum of the blocks' magnitudes: a bound for those of all waves, and
 * for diffusion the largest of them. It is NaN if none is found. */
static int local_bound(
    struct spectrum *s, const struct state_source *source, double *bound, eulercl_error *error) {
    const struct fourier f = fourier_of(&s->system->context.grid, 1);
    const int64_t components = f.grid->components, offsets = ecl_stencil_size(f.grid),
                  entries = components * components,
                  points = f.all_inner < BOUND_POINTS ? f.all_inner : BOUND_POINTS;
    *bound = (double)NAN;
    if (components > KRYLOV) return EULERCL_OK;
    double *blocks = ecl_mem_zeroed((uint64_t)(offsets * entries), sizeof *blocks);
    double complex *sums = ecl_mem_zeroed((uint64_t)entries, sizeof *sums);
    int status = blocks && sums ? read_points(s, &f, source, points, error)
                                : ecl_no_memory(error, "an estimate of the eigenvalues");
    do {
        *bound = (double)NAN;
        for (int64_t p = 0; !status && p < points; p++) {
            double complex values[KRYLOV];
            if (!freeze(s, turn_to_point(s, &f, p, points), blocks)) continue;
            for (int64_t i = 0; i < entries; i++) {
                sums[i] = 0;
                for (int64_t k = 0; k < offsets; k++) sums[i] += fabs(blocks[k * entries + i]);
            }
            if (!eigenvalues(sums, (int)components, values)) continue;
            for (int64_t c = 0; c < components; c++) *bound = fmax(*bound, cabs(values[c]));
        }
    } while (!status && is_better_scaled(s, *bound));
    ecl_mem_free(blocks);
    ecl_mem_free(sums);
    return status;
}

/* ---- what they say ---- */

/* Lower the limit of the step size to that for an eigenvalue. */
static void limit_step(const struct method *method, double real, double imaginary, double *limit) {
    if (*limit == 0 ||
        (isfinite(*limit) && ecl_method_is_stable(method, *limit * real, *limit * imaginary)))
        return;
    const double length = hypot(real, imaginary);
    *limit = fmin(*limit, ecl_method_reach(method, real / length, imaginary / length) / length);
}

static void judge(const struct spectrum *s, eulercl_stability *result) {
    double largest = 0, bound = 0;
    *result = (eulercl_stability){.stages = s->system->method->stages,
        .struct_size = sizeof *result,
        .h_limit = (double)INFINITY,
        .evaluations = (int64_t)ceil(s->evaluated / (double)s->system->n)};
    for (int64_t i = 0; i < s->count; i++) {
        const struct value *v = &s->values[i];
        if (cabs(v->lambda) <= largest) continue;
        largest = cabs(v->lambda);
        result->spectral_radius = largest;
        result->real = creal(v->lambda);
        result->imaginary = fabs(cimag(v->lambda));
        result->residual = v->accuracy / largest;
    }
    /* The noise of the differences. An inaccurate value is accepted, because it lies among the
     * eigenvalues. On grids Fourier analysis shows more exactly on which side of the axis the
     * eigenvalues next to it lie. */
    const double noise = 0.1 * s->relative * largest;
    if (fabs(result->real) < noise) result->real = 0;
    if (result->imaginary < noise) result->imaginary = 0;
    for (int side = 0; side < 2;
         side++) /* first the largest that does not grow, then the values it is compared with */
        for (int64_t i = 0; i < s->count; i++) {
            const struct value *v = &s->values[i];
            const double length = cabs(v->lambda), real = creal(v->lambda);
            const int is_accurate = v->accuracy <= accurate * length;
            const double margin = is_accurate ? fmax(3 * v->accuracy, noise) : noise;
            if (length <= 10 * noise) continue;
            if (!side) {
                if (real <= margin) bound = fmax(bound, length);
                if (real > margin && is_accurate) result->growth = fmax(result->growth, real);
            } else if (length < outer * bound)
                continue;
            else if (real < -margin)
                limit_step(s->system->method, real, cimag(v->lambda), &result->h_limit);
            /* Right of the axis only eigenvalues larger than all decaying ones count: the growth
             * belongs to the solution, and a step this small resolves it. */
            else if (is_accurate && fabs(cimag(v->lambda)) > real &&
                     (real > margin ? length >= bound : i >= s->global || s->count == s->global)) {
                result->oscillation = fmax(result->oscillation, fabs(cimag(v->lambda)));
                limit_step(s->system->method, 0, cimag(v->lambda), &result->h_limit);
            }
        }
}

/* It is to be ended in each case. Errors: MEMORY. */
static int begin(
    const struct system *system, double t, void *y, struct spectrum *s, eulercl_error *error) {
    const int is_single = system->real_size == sizeof(float);
    const int64_t unknowns = system->definition->grid.components;
    /* The error of central differences is smallest at the cube root of the rounding error. */
    *s = (struct spectrum){.system = system,
        .t = t,
        .y = y,
        .relative = cbrt(is_single ? 0x1p-24 : 0x1p-53),
        .unknowns = unknowns,
        .scales = ecl_mem_zeroed((uint64_t)unknowns, sizeof *s->scales),
        .slopes = ecl_mem_zeroed((uint64_t)unknowns, sizeof *s->slopes),
        .sizes = ecl_mem_zeroed((uint64_t)unknowns, sizeof *s->sizes),
        .best = ecl_mem_zeroed((uint64_t)unknowns, sizeof *s->best)};
    return s->scales && s->slopes && s->sizes && s->best
               ? EULERCL_OK
               : ecl_no_memory(error, "an estimate of the eigenvalues");
}

static void end(struct spectrum *s) {
    ecl_mem_free(s->scales);
    ecl_mem_free(s->slopes);
    ecl_mem_free(s->sizes);
    ecl_mem_free(s->best);
    ecl_mem_free(s->values);
    ecl_mem_free(s->parts);
    ecl_mem_free(s->whole);
}

/* Find the scales of the whole state. Errors: NONFINITE. */
static int find_scales(struct spectrum *s, eulercl_error *error) {
    const int64_t n = s->system->n;
    for (int64_t i = 0, c = 0; i < n; i++, c = next_unknown(s, c))
        see(&s->sizes[c], get(s, s->y, i));
    for (int64_t c = 0; c < s->unknowns; c++)
        if (!isfinite(s->sizes[c]))
            return ecl_fail(error, EULERCL_NONFINITE, "the state is not finite");
    if (!settle_scales(s)) return EULERCL_OK;
    const int64_t length = window_of(s);
    for (int64_t first = 0, c = 0; first < n; first += length) {
        const int64_t last = int_min(first + length, n);
        ecl_system_eval(s->system, ecl_from_component(s->ahead, first, s->system->real_size), s->y,
            first, last, s->t);
        for (int64_t i = first; i < last; i++, c = next_unknown(s, c))
            see(&s->slopes[c], get(s, s->ahead, i - first));
    }
    s->evaluated += (double)n;
    return EULERCL_OK;
}

/* Find the spectrum at the state in y. */
static int find_spectrum(struct spectrum *s, eulercl_stability *stability, eulercl_error *error) {
    const struct system *const system = s->system;
    const uint64_t window = (uint64_t)window_of(s) * system->real_size;
    void *buffers = NULL;
    uint64_t bytes;
    if (__builtin_add_overflow(system->state_bytes, 2 * window, &bytes))
        return ecl_no_memory(error, "three states");
    int status = ecl_mem_state(bytes, "an estimate of the eigenvalues", &buffers, error);
    if (status) return status;
    s->in = buffers;
    s->ahead = s->in + system->state_bytes;
    s->behind = s->ahead + window;
    s->room = WINDOWS * KRYLOV + (int64_t)POINTS * (WAVES_2D + 1) * (2 * WAVES_2D + 1) * 4;
    s->values = ecl_mem_zeroed((uint64_t)s->room, sizeof *s->values);
    if (!s->values) status = ecl_no_memory(error, "eigenvalues");
    if (!status) status = find_scales(s, error);
    do {
        if (!status) status = global_values(s, error);
        s->global = s->count;
        if (!status && has_grid(system->definition)) status = local_values(s, POINTS, 1, error);
        if (!status) judge(s, stability);
    } while (!status && is_better_scaled(s, stability->spectral_radius));
    ecl_mem_free(buffers);
    return status;
}

int ecl_spectrum(const struct system *system, double t, void *y, eulercl_stability *stability,
    eulercl_error *error) {
    struct spectrum s;
    int status = begin(system, t, y, &s, error);
    if (!status) status = find_spectrum(&s, stability, error);
    end(&s);
    return status;
}

/* All of the state, where its parts do not say enough. */
static int look_at_all(struct spectrum *s, const struct state_source *source,
    eulercl_stability *stability, eulercl_error *error) {
    int status = make_whole(s, error);
    if (!status) status = source->read(source->from, 0, s->system->n, s->y, error);
    return status ? status : ecl_spectrum(s->system, s->t, s->y, stability, error);
}

int ecl_spectral_radius(const struct system *system, const struct state_source *source, double t,
    double *radius, eulercl_error *error) {
    struct spectrum s;
    eulercl_stability stability;
    double bound = (double)NAN;
    int status = begin(system, t, NULL, &s, error);
    if (!status && has_grid(system->definition)) status = local_bound(&s, source, &bound, error);
    if (!status && isnan(bound)) {
        status = look_at_all(&s, source, &stability, error);
        bound = stability.spectral_radius;
    }
    if (!status) *radius = bound;
    end(&s);
    return status;
}

/* A mode that hardly decays has a real part of at most this share of the value. */
static const double hardly = 0.1;

static int find_local_rates(struct spectrum *s, const struct state_source *source,
    struct rates *rates, eulercl_error *error) {
    const struct fourier f = fourier_of(&s->system->context.grid, RATE_WAVES);
    const int64_t points = f.all_inner < RATE_POINTS ? f.all_inner : RATE_POINTS;
    s->room = points * f.all_waves * (int64_t)f.grid->components;
    if (!s->room) return EULERCL_OK;
    s->values = ecl_mem_zeroed((uint64_t)s->room, sizeof *s->values);
    if (!s->values) return ecl_no_memory(error, "eigenvalues");
    int status = read_points(s, &f, source, points, error);
    double radius;
    do {
        if (!status) status = local_values(s, points, RATE_WAVES, error);
        radius = s->count ? 0 : (double)NAN;
        for (int64_t i = 0; i < s->count; i++) radius = fmax(radius, cabs(s->values[i].lambda));
    } while (!status && is_better_scaled(s, radius));
    for (int64_t i = 0; i < s->count; i++) {
        const double complex lambda = s->values[i].lambda;
        rates->decay = fmax(rates->decay, -creal(lambda));
        if (fabs(creal(lambda)) <= hardly * cabs(lambda))
            rates->frequency = fmax(rates->frequency, fabs(cimag(lambda)));
    }
    return status;
}

int ecl_find_rates(const struct system *system, const struct state_source *source, double t,
    struct rates *rates, eulercl_error *error) {
    struct spectrum s;
    eulercl_stability stability;
    *rates = (struct rates){0};
    int status = begin(system, t, NULL, &s, error);
    if (!status && has_grid(system->definition))
        status = find_local_rates(&s, source, rates, error);
    if (!status && !s.count) {
        status = look_at_all(&s, source, &stability, error);
        if (!status) rates->decay = fmax(-stability.real, 0);
        if (!status && fabs(stability.real) <= hardly * stability.spectral_radius)
            rates->frequency = stability.imaginary;
    }
    end(&s);
    return status;
}
