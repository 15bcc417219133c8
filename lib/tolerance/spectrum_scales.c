/* SPDX-License-Identifier: BSD-2-Clause */
/* spectrum_scales.c - the scales of unknowns, for which their eigenvalues are found. */
#include "config.h"
#include "spectrum_parts.h"
#include <float.h>
#include <string.h>

enum { PASSES = 5 }; /* passes until the scales of unknowns that are 0 are known */

/* Small beside the others: where its unit may be another one. */
static int is_small(const struct spectrum *s, int64_t c) {
    return s->sizes[c] < s->greatest * 0x1p-10;
}

int ecl_spectrum_settle_scales(struct spectrum *s) {
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
int ecl_spectrum_is_better_scaled(struct spectrum *s, double radius) {
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
