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
#include "spectrum_parts.h"
#include "../problem/grid.h"
#include "../int.h"
#include "../mem.h"
#include "../problem/system.h"
#include <string.h>

enum {
    KRYLOV = MOST_EIGENVALUES, /* dimension of a Krylov space */
    LEAST_KRYLOV = 6,
    KRYLOV_REALS = 1 << 22, /* the most reals of its basis */
    CYCLES = 6,
    WINDOW = 1 << 19, /* components of each window of a large system */
    /* windows of a large system: at the beginning, in the middle and at the end */
    WINDOWS = 3,
    LARGE = 1 << 21,
    POINTS = 64,     /* points that are looked at */
    RATE_POINTS = 8, /* points that show rates, with every fourth wave number */
    RATE_WAVES = 4,
    TRIES = 3, /* smaller differences are tried if f is not finite */
};

/* Accuracy at which Ritz values are good enough; accuracy at which they show on which side of the
 * imaginary axis an eigenvalue is. */
static const double converged = 1e-3, accurate = 2e-2;
/* Eigenvalues below this share of the largest one that does not grow are ignored: at such step
 * sizes accuracy, not stability, is the limit. */
static const double outer = 0.5;

/* The unknown of the component after one of unknown c. */
static int64_t next_unknown(const struct spectrum *s, int64_t c) {
    return c + 1 == s->unknowns ? 0 : c + 1;
}

/* ---- Arnoldi's method ---- */

/* The window of f(y + size v) into `out`, with v over the scales. */
static void shifted(struct spectrum *s, const double *v, double size, char *out) {
    const int64_t first = s->first, end = first + s->length;
    for (int64_t i = first, c = first % s->unknowns; i < end; i++, c = next_unknown(s, c))
        spectrum_set(s, s->in, i, spectrum_get(s, s->y, i) + size * v[i - first] * s->scales[c]);
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
        out[i] = (spectrum_get(s, s->ahead, i) - spectrum_get(s, s->behind, i)) / s->scales[c] /
                 (2 * size);
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
    if (!ecl_eigenvalues(work, size, values)) return 0;
    struct target targets[] = {
        {-1, 0}, {-1, 0}, {-1, 0}}; /* the largest, the one that oscillates fastest, the one that
                                       limits h most, if there are such */
    for (int k = 0; k < size; k++) {
        ecl_eigenvector(h, size, values[k], work, vectors + k * KRYLOV);
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
    for (int k = 0; k < size && done; k++) spectrum_add(s, values[k], accuracy[k]);
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
        spectrum_see(&s->sizes[c], spectrum_get(s, s->y, i));
    for (int64_t c = 0; c < s->unknowns; c++)
        if (!isfinite(s->sizes[c]))
            return ecl_fail(error, EULERCL_NONFINITE, "the state is not finite");
    if (!ecl_spectrum_settle_scales(s)) return EULERCL_OK;
    const int64_t length = window_of(s);
    for (int64_t first = 0, c = 0; first < n; first += length) {
        const int64_t last = int_min(first + length, n);
        ecl_system_eval(s->system, ecl_from_component(s->ahead, first, s->system->real_size), s->y,
            first, last, s->t);
        for (int64_t i = first; i < last; i++, c = next_unknown(s, c))
            spectrum_see(&s->slopes[c], spectrum_get(s, s->ahead, i - first));
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
    s->room = WINDOWS * KRYLOV + (int64_t)POINTS * ecl_spectrum_most_values();
    s->values = ecl_mem_zeroed((uint64_t)s->room, sizeof *s->values);
    if (!s->values) status = ecl_no_memory(error, "eigenvalues");
    if (!status) status = find_scales(s, error);
    do {
        if (!status) status = global_values(s, error);
        s->global = s->count;
        if (!status && ecl_has_stencil(system))
            status = ecl_spectrum_local_values(s, POINTS, 1, error);
        if (!status) judge(s, stability);
    } while (!status && ecl_spectrum_is_better_scaled(s, stability->spectral_radius));
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
    int status = ecl_spectrum_make_whole(s, error);
    if (!status) status = source->read(source->from, 0, s->system->n, s->y, error);
    return status ? status : ecl_spectrum(s->system, s->t, s->y, stability, error);
}

int ecl_spectral_radius(const struct system *system, const struct state_source *source, double t,
    double *radius, eulercl_error *error) {
    struct spectrum s;
    eulercl_stability stability;
    double bound = (double)NAN;
    int status = begin(system, t, NULL, &s, error);
    if (!status && ecl_has_stencil(system))
        status = ecl_spectrum_local_bound(&s, source, &bound, error);
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
    const struct fourier f = ecl_spectrum_fourier(&s->system->context.grid, RATE_WAVES);
    const int64_t points = f.all_inner < RATE_POINTS ? f.all_inner : RATE_POINTS;
    s->room = points * f.all_waves * (int64_t)f.grid->components;
    if (!s->room) return EULERCL_OK;
    s->values = ecl_mem_zeroed((uint64_t)s->room, sizeof *s->values);
    if (!s->values) return ecl_no_memory(error, "eigenvalues");
    int status = ecl_spectrum_read_points(s, &f, source, points, error);
    double radius;
    do {
        if (!status) status = ecl_spectrum_local_values(s, points, RATE_WAVES, error);
        radius = s->count ? 0 : (double)NAN;
        for (int64_t i = 0; i < s->count; i++) radius = fmax(radius, cabs(s->values[i].lambda));
    } while (!status && ecl_spectrum_is_better_scaled(s, radius));
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
    if (!status && ecl_has_stencil(system)) status = find_local_rates(&s, source, rates, error);
    if (!status && !s.count) {
        status = look_at_all(&s, source, &stability, error);
        if (!status) rates->decay = fmax(-stability.real, 0);
        if (!status && fabs(stability.real) <= hardly * stability.spectral_radius)
            rates->frequency = stability.imaginary;
    }
    end(&s);
    return status;
}
