/* SPDX-License-Identifier: BSD-2-Clause */
/* ode_math.h - elementary functions that give the same bits in C and OpenCL C, on every device.
 *
 * Read once per precision: by ode_math_c.h in C, after kernels/math_words.cl in OpenCL C, each time
 * after ode_math_constants.h. The reader defines, and this file undefines at its end,
 *   ODE_MATH_DOUBLE_              1 for double, 0 for float
 *   ODE_MATH_(name)               a function's full name: ode_math_exp becomes ode_math_exp_f32
 *   ODE_MATH_REAL_                float or double
 *   ODE_MATH_INT_, ODE_MATH_UINT_ the integers of that width
 *   ODE_MATH_FMA_(a, b, c)        a b + c, rounded once
 *   ODE_MATH_SQRT_(a)             the correctly rounded square root
 *   ODE_MATH_BITS_(a), ODE_MATH_FROM_BITS_(i)   moves of bits
 *   ODE_MATH_PICK_(condition, a, b)   a if the condition, a comparison of integers, is 1, else b
 * and, for both precisions, ODE_MATH_INLINE_, what functions are declared with, and
 * ODE_MATH_ULONG_, an unsigned integer of 64 bits.
 *
 * Each function is complete and, but for rare arguments of sin, cos and tan, free of branches, so
 * that a loop over lanes becomes vector code. Those three exist also as
 *   ode_math_sin_common(x)    free of branches, right unless ode_math_sin_is_rare(x), which is 1
 *                             for finite x of 2^20 (float) or 2^30 (double) and more
 * and code for many lanes may call it for all of them, and ode_math_sin where a lane is rare: the
 * bits are the same.
 *
 * Only + - *, fma, sqrt and integers are used, and compiled without contraction: these have one
 * result in both languages. There is no `/`, which OpenCL does not round correctly in float
 * everywhere, and no number of another precision. doc/design/functions.md explains the methods and
 * their errors. Special values are those of C11, annex F, but for the payload of NaNs. */

#define ODE_R_ ODE_MATH_REAL_
#define ODE_I_ ODE_MATH_INT_
#define ODE_U_ ODE_MATH_UINT_
#define ODE_FMA_ ODE_MATH_FMA_
#define ODE_BITS_ ODE_MATH_BITS_
#define ODE_REAL_ ODE_MATH_FROM_BITS_
#define ODE_PICK_ ODE_MATH_PICK_
#define ODE_M_ ODE_MATH_
#define ODE_FUNCTION_ ODE_MATH_INLINE_ ODE_MATH_REAL_
#if ODE_MATH_DOUBLE_
#define ODE_N_(x) x
#define ODE_MANTISSA_ 52
#define ODE_BIAS_ 1023
#define ODE_MAGIC_ 0x1.8p52 /* a number near 0 is rounded to an integer by its sum with this */
#else
#define ODE_N_(x) x##f
#define ODE_MANTISSA_ 23
#define ODE_BIAS_ 127
#define ODE_MAGIC_ 0x1.8p23f
#endif
#define ODE_SIGN_ ((ODE_I_)((ODE_U_)1 << (sizeof(ODE_R_) * 8 - 1)))
#define ODE_INFINITY_ ((ODE_I_)(2 * ODE_BIAS_ + 1) << ODE_MANTISSA_)
#define ODE_NAN_ ODE_REAL_(ODE_INFINITY_ | (ODE_I_)1 << (ODE_MANTISSA_ - 1))
/* The last bit of i as that of a sign. */
#define ODE_SIGN_BIT_(i) ((ODE_I_)((ODE_U_)(i) << (sizeof(ODE_R_) * 8 - 1)))
/* The bits of 2^n. */
#define ODE_POWER_(n) ((ODE_I_)((ODE_U_)(ODE_BIAS_ + (n)) << ODE_MANTISSA_))
/* Whether low <= i < high. */
#define ODE_WITHIN_(i, low, high) ((ODE_U_)(i) - (ODE_U_)(low) < (ODE_U_)(high) - (ODE_U_)(low))

/* The sum and the product of two numbers as h + l, where |h| >= |l| (T. J. Dekker 1971, D. Knuth;
 * Muller et al., Handbook of Floating-Point Arithmetic, ch. 4). The first one needs |a| >= |b| or
 * a = 0. */
ODE_FUNCTION_ ODE_M_(ode_sum)(ODE_R_ a, ODE_R_ b, ODE_R_ *l) {
    const ODE_R_ h = a + b;
    *l = b - (h - a);
    return h;
}
ODE_FUNCTION_ ODE_M_(ode_sum_any)(ODE_R_ a, ODE_R_ b, ODE_R_ *l) {
    const ODE_R_ h = a + b, c = h - a;
    *l = (a - (h - c)) + (b - c);
    return h;
}
ODE_FUNCTION_ ODE_M_(ode_product)(ODE_R_ a, ODE_R_ b, ODE_R_ *l) {
    const ODE_R_ h = a * b;
    *l = ODE_FMA_(a, b, -h);
    return h;
}
/* |a| with the sign of b. */
ODE_FUNCTION_ ODE_M_(ode_with_sign)(ODE_R_ a, ODE_R_ b) {
    return ODE_REAL_((ODE_BITS_(a) & ~ODE_SIGN_) | (ODE_BITS_(b) & ODE_SIGN_));
}
/* x, or where |x| > limit the limit with the sign of x, unless x is NaN. */
ODE_FUNCTION_ ODE_M_(ode_limited)(ODE_R_ x, ODE_R_ limit) {
    const ODE_I_ a = ODE_BITS_(x) & ~ODE_SIGN_;
    return ODE_PICK_(
        ODE_WITHIN_(a, ODE_BITS_(limit), ODE_INFINITY_ + 1), ODE_M_(ode_with_sign)(limit, x), x);
}
/* About 1/d, where 2^-100 < |d| < 2^100: the relative error is below 2^-18 in float, where all
 * users correct a quotient by its remainder, and 2^-50 in double. The integer guess is
 * off by an eighth (J. F. Blinn 1997); the iteration is Halley's, then Newton's. */
ODE_FUNCTION_ ODE_M_(ode_reciprocal)(ODE_R_ d) {
#if ODE_MATH_DOUBLE_
    ODE_R_ r = ODE_REAL_((ODE_I_)0x7fde623822fc16e6 - ODE_BITS_(d)), e = ODE_FMA_(-d, r, 1.0);
    r = ODE_FMA_(r, ODE_FMA_(e, e, e), r);
    e = ODE_FMA_(-d, r, 1.0);
    r = ODE_FMA_(r, ODE_FMA_(e, e, e), r);
#else
    ODE_R_ r = ODE_REAL_((ODE_I_)0x7ef311c7 - ODE_BITS_(d)), e = ODE_FMA_(-d, r, 1.0f);
    r = ODE_FMA_(r, ODE_FMA_(e, e, e), r);
#endif
    return ODE_FMA_(r, ODE_FMA_(-d, r, 1), r);
}
/* (nh + nl) / (dh + dl) as h + l, of which l is 0 unless `l` is asked for. */
ODE_FUNCTION_ ODE_M_(ode_quotient)(ODE_R_ nh, ODE_R_ nl, ODE_R_ dh, ODE_R_ dl, ODE_R_ *l) {
    const ODE_R_ r = ODE_M_(ode_reciprocal)(dh), q = nh * r;
    const ODE_R_ rest = ODE_FMA_(-q, dl, ODE_FMA_(-q, dh, nh) + nl);
    return ODE_M_(ode_sum)(q, rest * r, l);
}
/* p 2^n, n from the low bits of `t`, a sum with ODE_MAGIC_: in two steps, of which the second one
 * rounds where the result is subnormal. */
ODE_FUNCTION_ ODE_M_(ode_scaled)(ODE_R_ p, ODE_R_ t) {
    const ODE_I_ n = ODE_BITS_(t) - ODE_BITS_(ODE_MAGIC_);
    const ODE_I_ n1 = (ODE_I_)((ODE_U_)(n + 4 * ODE_BIAS_) >> 1) - 2 * ODE_BIAS_;
    return p * ODE_REAL_(ODE_POWER_(n1)) * ODE_REAL_(ODE_POWER_(n - n1));
}

/* exp: x = n log(2) + r, log(2) in two parts (W. J. Cody, W. Waite 1980). */
ODE_FUNCTION_ ODE_M_(ode_math_exp)(ODE_R_ x) {
    const ODE_R_ a = ODE_M_(ode_limited)(x, ODE_MATH_DOUBLE_ ? 746 : 104);
    const ODE_R_ t = ODE_FMA_(a, ODE_LOG2_E_1_, ODE_MAGIC_), n = t - ODE_MAGIC_;
    const ODE_R_ r = ODE_FMA_(n, -ODE_LN2_2_, ODE_FMA_(n, -ODE_LN2_1_, a));
    const ODE_R_ p = ODE_FMA_(r, ODE_M_(ode_poly_exp)(r), 1);
    return ODE_M_(ode_scaled)(ODE_FMA_(r, p, 1), t);
}
ODE_FUNCTION_ ODE_M_(ode_math_exp2)(ODE_R_ x) {
    const ODE_R_ a = ODE_M_(ode_limited)(x, ODE_MATH_DOUBLE_ ? 1076 : 151);
    const ODE_R_ t = a + ODE_MAGIC_, r = a - (t - ODE_MAGIC_);
    const ODE_R_ p = r * ODE_FMA_(r, ODE_M_(ode_poly_exp2)(r), ODE_LN2_2_);
    return ODE_M_(ode_scaled)(1 + ODE_FMA_(r, ODE_LN2_1_, p), t);
}
/* exp(x) - 1 as h + l, not scaled down: x must lie where 2^n is normal. */
ODE_FUNCTION_ ODE_M_(ode_expm1_parts)(ODE_R_ x, ODE_R_ *l) {
    const ODE_R_ t = ODE_FMA_(x, ODE_LOG2_E_1_, ODE_MAGIC_), n = t - ODE_MAGIC_;
    const ODE_R_ s = ODE_REAL_((ODE_I_)((ODE_U_)(ODE_BITS_(t) + ODE_BIAS_) << ODE_MANTISSA_));
    const ODE_R_ r0 = ODE_FMA_(n, -ODE_LN2_1_, x), rh = ODE_FMA_(n, -ODE_LN2_2_, r0);
    const ODE_R_ rl = ODE_FMA_(n, -ODE_LN2_2_, r0 - rh);
    const ODE_R_ rest = ODE_FMA_(rh, ODE_FMA_(rh, ODE_M_(ode_poly_exp)(rh), rl), rl);
    ODE_R_ ql, hl;
    const ODE_R_ qh = ODE_M_(ode_sum)(rh, rest, &ql);
    const ODE_R_ h = ODE_M_(ode_sum)(s - 1, s * qh, &hl);
    *l = ODE_FMA_(s, ql, hl);
    return h;
}
/* tanh x = E / (E + 2), E = exp(2 |x|) - 1. */
ODE_FUNCTION_ ODE_M_(ode_math_tanh)(ODE_R_ x) {
    const ODE_R_ a = ODE_M_(ode_limited)(x, ODE_MATH_DOUBLE_ ? 22 : 10);
    ODE_R_ l, dl, ql;
    const ODE_R_ h = ODE_M_(ode_expm1_parts)(2 * ODE_M_(ode_with_sign)(a, 1), &l);
    const ODE_R_ d = ODE_M_(ode_sum_any)(h, 2, &dl);
    const ODE_R_ q = ODE_M_(ode_quotient)(h, l, d, dl + l, &ql);
    return ODE_M_(ode_with_sign)(q + ql, x);
}

/* x > 0, perhaps subnormal, as m 2^e, sqrt(1/2) <= m < sqrt(2). */
ODE_FUNCTION_ ODE_M_(ode_split)(ODE_R_ x, ODE_R_ *e) {
    const ODE_I_ tiny = ODE_BITS_(x) < ODE_POWER_(1 - ODE_BIAS_);
    const ODE_I_ root = ODE_BITS_(ODE_N_(0x1.6a09e6p-1));
    const ODE_I_ i = ODE_BITS_(ODE_PICK_(tiny, x * ODE_REAL_(ODE_POWER_(ODE_MANTISSA_ + 1)), x));
    /* The exponent as a number without a conversion of integers, for which AVX2 lacks a word. */
    const ODE_U_ j = (ODE_U_)(i - root + ODE_POWER_(0)) >> ODE_MANTISSA_;
    const ODE_R_ base = ODE_REAL_(ODE_POWER_(ODE_MANTISSA_));
    const ODE_R_ offset = base + ODE_BIAS_;
    *e = ODE_REAL_(ODE_POWER_(ODE_MANTISSA_) | (ODE_I_)j) -
         ODE_PICK_(tiny, offset + (ODE_MANTISSA_ + 1), offset);
    return ODE_REAL_(i - (ODE_I_)((j - ODE_BIAS_) << ODE_MANTISSA_));
}
/* The value of a logarithm of x: `usual` if x is positive and finite. */
ODE_FUNCTION_ ODE_M_(ode_log_special)(ODE_R_ x, ODE_R_ usual) {
    const ODE_I_ i = ODE_BITS_(x);
    const ODE_R_ other = ODE_PICK_((i & ~ODE_SIGN_) == 0, ODE_REAL_(ODE_INFINITY_ | ODE_SIGN_),
        ODE_PICK_(i < 0, ODE_NAN_, x + x));
    return ODE_PICK_(ODE_WITHIN_(i, 1, ODE_INFINITY_), usual, other);
}
/* e log(2) + log(1 + f + l), where f + l + 1 is between sqrt(1/2) and sqrt(2) (as P. Tang 1990 and
 * K. C. Ng's fdlibm); the leading sum is exact. */
ODE_FUNCTION_ ODE_M_(ode_log_sum)(ODE_R_ e, ODE_R_ f, ODE_R_ l) {
    ODE_R_ rest;
    const ODE_R_ h = ODE_M_(ode_sum)(e * ODE_LN2_SHORT_1_, f, &rest);
    const ODE_R_ small = ODE_FMA_(e, ODE_LN2_SHORT_2_, l);
#if ODE_MATH_DOUBLE_
    const ODE_R_ d = 2 + f, g = 0.5 * f * f;
    ODE_R_ r = ODE_M_(ode_poly_reciprocal)(f);
    const ODE_R_ error = ODE_FMA_(-d, r, 1);
    r = ODE_FMA_(r, ODE_FMA_(error, error, error), r);
    const ODE_R_ s = f * r, z = s * s;
    const ODE_R_ tail = ODE_FMA_(s, ODE_FMA_(z, ODE_M_(ode_poly_log_atanh)(z), g), small);
    return h + (rest + (tail - g));
#else
    const ODE_R_ tail = ODE_FMA_(f * f, ODE_FMA_(f, ODE_M_(ode_poly_log)(f), -0.5f), small);
    return h + (rest + tail);
#endif
}
ODE_FUNCTION_ ODE_M_(ode_math_log)(ODE_R_ x) {
    ODE_R_ e;
    const ODE_R_ m = ODE_M_(ode_split)(x, &e);
    return ODE_M_(ode_log_special)(x, ODE_M_(ode_log_sum)(e, m - 1, 0));
}

/* pow: 2^(y log2 |x|), the logarithm as h + l with a relative error below 2^-35 (float) or
 * 2^-65: with s = (m - 1) / (m + 1), log2 m = s (C1 + s^2 (C3 + s^2 p(s^2))), in which the first
 * two constants and the operations on them have two parts (as in SLEEF: N. Shibata, F. Petrogalli
 * 2020). */
ODE_FUNCTION_ ODE_M_(ode_log2_parts)(ODE_R_ x, ODE_R_ *l) {
    ODE_R_ e, dl, sl, zl, vl, kl, rest;
    const ODE_R_ m = ODE_M_(ode_split)(x, &e), f = m - 1;
    const ODE_R_ dh = ODE_M_(ode_sum)(2, f, &dl);
    ODE_R_ r = ODE_M_(ode_poly_reciprocal)(f);
    const ODE_R_ error = ODE_FMA_(-dh, r, 1);
    r = ODE_FMA_(r, ODE_FMA_(error, error, error), r);
    const ODE_R_ s0 = f * r;
    const ODE_R_ sh = ODE_M_(ode_sum)(s0, ODE_FMA_(-s0, dl, ODE_FMA_(-s0, dh, f)) * r, &sl);
    const ODE_R_ zh = ODE_M_(ode_product)(sh, sh, &zl);
    zl = ODE_FMA_(sh + sh, sl, zl);
    ODE_R_ wl;
    const ODE_R_ wh = ODE_M_(ode_sum)(ODE_POW_C3_1_, zh * ODE_M_(ode_poly_log2_pow)(zh), &wl);
    wl += ODE_POW_C3_2_;
    const ODE_R_ vh = ODE_M_(ode_product)(zh, wh, &vl);
    vl = ODE_FMA_(zh, wl, ODE_FMA_(zl, wh, vl));
    const ODE_R_ kh = ODE_M_(ode_sum)(ODE_POW_C1_1_, vh, &kl);
    kl += vl + ODE_POW_C1_2_;
    ODE_R_ ll;
    const ODE_R_ lh = ODE_M_(ode_product)(sh, kh, &ll);
    ll = ODE_FMA_(sh, kl, ODE_FMA_(sl, kh, ll));
    const ODE_R_ h = ODE_M_(ode_sum)(e, lh, &rest);
    return ODE_M_(ode_sum)(h, rest + ll, l);
}
/* All bits if y is an integer or infinite, else 0. *odd: the sign bit alone if y is odd, else 0.
 * These are masks, since GCC has no vector code for single bits that become comparisons. */
ODE_MATH_INLINE_ ODE_I_ ODE_M_(ode_is_whole)(ODE_R_ y, ODE_I_ *odd) {
    const ODE_I_ i = ODE_BITS_(y) & ~ODE_SIGN_;
    /* Below 2^23 (2^52) its sum with that number is an integer, whose last bit is that of y. */
    const ODE_R_ base = ODE_REAL_(ODE_POWER_(ODE_MANTISSA_)), t = ODE_REAL_(i) + base;
    const ODE_I_ large = -(ODE_I_)(i >= ODE_POWER_(ODE_MANTISSA_));
    const ODE_I_ whole = large | -(ODE_I_)(ODE_BITS_(t - base) == i);
    const ODE_I_ last = (i & large) | (ODE_BITS_(t) & ~large);
    *odd = ODE_SIGN_BIT_(last) & whole & -(ODE_I_)(i < ODE_POWER_(ODE_MANTISSA_ + 1));
    return whole;
}
ODE_FUNCTION_ ODE_M_(ode_math_pow)(ODE_R_ x, ODE_R_ y) {
    const ODE_R_ limit = ODE_MATH_DOUBLE_ ? 1100 : 160;
    const ODE_I_ xi = ODE_BITS_(x), xa = xi & ~ODE_SIGN_, yi = ODE_BITS_(y), ya = yi & ~ODE_SIGN_;
    ODE_I_ odd;
    const ODE_I_ whole = ODE_M_(ode_is_whole)(y, &odd);
    ODE_R_ ll, lh = ODE_M_(ode_log2_parts)(ODE_REAL_(xa), &ll);
    lh = ODE_PICK_(xa == 0, ODE_REAL_(ODE_INFINITY_ | ODE_SIGN_), lh);
    lh = ODE_PICK_(xa >= ODE_INFINITY_, ODE_REAL_(xa), lh);
    /* Where the result has no finite bits left, the lower part, perhaps NaN, is void. */
    const ODE_R_ p = y * lh, h = ODE_M_(ode_limited)(p, limit);
    const ODE_R_ l = ODE_PICK_(ODE_WITHIN_(ODE_BITS_(h) & ~ODE_SIGN_, 0, ODE_BITS_(limit)),
        ODE_FMA_(y, lh, -p) + y * ll, 0);
    const ODE_R_ t = h + ODE_MAGIC_, r = (h - (t - ODE_MAGIC_)) + l;
    const ODE_R_ q = r * ODE_FMA_(r, ODE_M_(ode_poly_exp2)(r), ODE_LN2_2_);
    const ODE_R_ size = ODE_M_(ode_scaled)(1 + ODE_FMA_(r, ODE_LN2_1_, q), t);
    /* Of a negative number only integers are powers; -0 and -infinity have others, too. */
    const ODE_R_ known = ODE_PICK_(ODE_WITHIN_(xi, ODE_SIGN_ + 1, ODE_SIGN_ + ODE_INFINITY_),
        ODE_REAL_((ODE_BITS_(size) & whole) | (ODE_BITS_(ODE_NAN_) & ~whole)), size);
    const ODE_R_ signed_ = ODE_REAL_(ODE_BITS_(known) ^ (odd & xi));
    const ODE_R_ one =
        ODE_PICK_(xa == ODE_POWER_(0), ODE_PICK_(ya == ODE_INFINITY_, 1, signed_), signed_);
    return ODE_PICK_(ya == 0, 1, ODE_PICK_(xi == ODE_POWER_(0), 1, one));
}

/* sin, cos, tan: x = n pi/2 + rh + rl with pi/2 in three parts (Cody, Waite). x less the product
 * with the first one is exact. That with the second one can cancel nearly all of it, so it needs
 * two parts. Returns n in the low bits. */
ODE_MATH_INLINE_ ODE_I_ ODE_M_(ode_quadrant)(ODE_R_ x, ODE_R_ *rh, ODE_R_ *rl) {
    const ODE_R_ t = ODE_FMA_(x, ODE_TWO_OVER_PI_, ODE_MAGIC_), n = t - ODE_MAGIC_;
    const ODE_R_ r0 = ODE_FMA_(n, -ODE_HALF_PI_1_, x);
    ODE_R_ pl, rest;
    const ODE_R_ p = ODE_M_(ode_product)(n, ODE_HALF_PI_2_, &pl);
    const ODE_R_ r1 = ODE_M_(ode_sum)(r0, -p, &rest);
    *rh = ODE_M_(ode_sum)(r1, ODE_FMA_(n, -ODE_HALF_PI_3_, rest - pl), rl);
    return ODE_BITS_(t);
}
/* The same for any finite x of at least 2^20 (float) or 2^30 (double), by integers: of 2/pi those
 * 192 bits are multiplied by the significand of x that decide (M. Payne, R. Hanek 1983). */
ODE_MATH_INLINE_ ODE_I_ ODE_M_(ode_quadrant_rare)(ODE_R_ x, ODE_R_ *rh, ODE_R_ *rl) {
    const ODE_I_ i = ODE_BITS_(x) & ~ODE_SIGN_;
    const ODE_MATH_ULONG_ m =
        (ODE_MATH_ULONG_)((i & (((ODE_I_)1 << ODE_MANTISSA_) - 1)) | (ODE_I_)1 << ODE_MANTISSA_);
    /* x = m 2^k. The first bit that counts has the weight 2^(1 - k). */
    const int first = (int)(i >> ODE_MANTISSA_) - ODE_BIAS_ - ODE_MANTISSA_ + 62;
    const int word = first >> 5, shift = first & 31;
    ODE_MATH_ULONG_ sum[6], part[2], carry;
    part[0] = m & 0xffffffffu;
    part[1] = m >> 32;
    for (int j = 0; j < 6; j++) sum[j] = 0; /* words, the least first */
    for (int k = 0; k < 6; k++) {
        const ODE_MATH_ULONG_ two = (ODE_MATH_ULONG_)ODE_M_(ode_two_over_pi)(word + 5 - k) << 32 |
                                    ODE_M_(ode_two_over_pi)(word + 6 - k);
        const ODE_MATH_ULONG_ bits = two >> (32 - shift) & 0xffffffffu;
        carry = 0;
        for (int j = k; j < 6; j++) {
            carry += sum[j] + (j - k < 2 ? bits * part[j - k] : 0);
            sum[j] = carry & 0xffffffffu;
            carry >>= 32;
        }
    }
    /* Two bits of the quadrant, then the fraction, rounded to the nearest quadrant. */
    ODE_MATH_ULONG_ a = sum[5] << 32 | sum[4], b = sum[3] << 32 | sum[2], c = sum[1] << 32 | sum[0];
    ODE_I_ n = (ODE_I_)(a >> 62) + (ODE_I_)(a >> 61 & 1);
    a = a << 2 | b >> 62;
    b = b << 2 | c >> 62;
    c <<= 2;
    const int negative = (int)(a >> 63);
    if (negative) {
        a = ~a;
        b = ~b;
    }
    int zeros = 0;
    while (zeros < 100 && !(a >> 63)) {
        a = a << 1 | b >> 63;
        b = b << 1 | c >> 63;
        c <<= 1;
        zeros++;
    }
#if ODE_MATH_DOUBLE_
    const ODE_R_ fh = (ODE_R_)(ODE_I_)(a >> 11) * 0x1p-53;
    const ODE_R_ fl = (ODE_R_)(ODE_I_)((a & 0x7ff) << 42 | b >> 22) * 0x1p-106;
#else
    const ODE_R_ fh = (ODE_R_)(ODE_I_)(a >> 40) * 0x1p-24f;
    const ODE_R_ fl = (ODE_R_)(ODE_I_)(a >> 16 & 0xffffff) * 0x1p-48f;
#endif
    const ODE_I_ minus = negative != (ODE_BITS_(x) < 0) ? ODE_SIGN_ : 0;
    const ODE_R_ scale = ODE_REAL_(ODE_POWER_(-zeros) | minus), h = fh * ODE_HALF_PI_1_;
    const ODE_R_ l =
        ODE_FMA_(fh, ODE_HALF_PI_1_, -h) + ODE_FMA_(fh, ODE_HALF_PI_2_, fl * ODE_HALF_PI_1_);
    *rh = ODE_M_(ode_sum)(h, l, rl) * scale;
    *rl *= scale;
    return ODE_BITS_(x) < 0 ? -n : n;
}
/* sin and cos of rh + rl, |rh| <= pi/4, as h + l. */
ODE_FUNCTION_ ODE_M_(ode_sin_parts)(ODE_R_ rh, ODE_R_ rl, ODE_R_ *l) {
    const ODE_R_ z = rh * rh;
    return ODE_M_(ode_sum)(rh, ODE_FMA_(z * rh, ODE_M_(ode_poly_sin)(z), rl), l);
}
ODE_FUNCTION_ ODE_M_(ode_cos_parts)(ODE_R_ rh, ODE_R_ rl, ODE_R_ *l) {
    const ODE_R_ z = rh * rh, g = ODE_N_(-0.5) * rh, w = ODE_FMA_(g, rh, 1);
    const ODE_R_ rest = ODE_FMA_(g, rh, 1 - w);
    return ODE_M_(ode_sum)(w, ODE_FMA_(z * z, ODE_M_(ode_poly_cos)(z), ODE_FMA_(-rh, rl, rest)), l);
}
/* The sine of rh + rl + n pi/2. */
ODE_FUNCTION_ ODE_M_(ode_sin_of)(ODE_I_ n, ODE_R_ rh, ODE_R_ rl) {
    ODE_R_ sl, cl;
    const ODE_R_ s = ODE_M_(ode_sin_parts)(rh, rl, &sl), c = ODE_M_(ode_cos_parts)(rh, rl, &cl);
    const ODE_I_ flip = ODE_SIGN_BIT_((ODE_U_)n >> 1);
    return ODE_REAL_(ODE_BITS_(ODE_PICK_(n & 1, c, s)) ^ flip);
}
ODE_FUNCTION_ ODE_M_(ode_tan_of)(ODE_I_ n, ODE_R_ rh, ODE_R_ rl) {
    ODE_R_ sl, cl, ql;
    const ODE_R_ s = ODE_M_(ode_sin_parts)(rh, rl, &sl), c = ODE_M_(ode_cos_parts)(rh, rl, &cl);
    const ODE_I_ odd = n & 1;
    const ODE_R_ q = ODE_M_(ode_quotient)(ODE_PICK_(odd, c, s), ODE_PICK_(odd, cl, sl),
        ODE_PICK_(odd, s, c), ODE_PICK_(odd, sl, cl), &ql);
    return ODE_REAL_(ODE_BITS_(q + ql) ^ ODE_SIGN_BIT_(odd));
}
/* Below 2^-13 (2^-27) sin x and tan x are x, also where that is -0 or subnormal. */
#define ODE_IS_TINY_(x) ((ODE_BITS_(x) & ~ODE_SIGN_) < ODE_POWER_(-(ODE_MANTISSA_ + 3) / 2))
#define ODE_IS_RARE_(x) \
    ODE_WITHIN_(ODE_BITS_(x) & ~ODE_SIGN_, ODE_POWER_(ODE_MATH_DOUBLE_ ? 30 : 20), ODE_INFINITY_)
#define ODE_CIRCULAR_(name, result)                                                              \
    ODE_MATH_INLINE_ int ODE_M_(ode_math_##name##_is_rare)(ODE_R_ x) { return ODE_IS_RARE_(x); } \
    ODE_FUNCTION_ ODE_M_(ode_math_##name##_common)(ODE_R_ x) {                                   \
        ODE_R_ rh, rl;                                                                           \
        const ODE_I_ n = ODE_M_(ode_quadrant)(x, &rh, &rl);                                      \
        return result;                                                                           \
    }                                                                                            \
    ODE_FUNCTION_ ODE_M_(ode_math_##name)(ODE_R_ x) {                                            \
        ODE_R_ rh, rl;                                                                           \
        if (!ODE_IS_RARE_(x)) return ODE_M_(ode_math_##name##_common)(x);                        \
        const ODE_I_ n = ODE_M_(ode_quadrant_rare)(x, &rh, &rl);                                 \
        return result;                                                                           \
    }
ODE_CIRCULAR_(sin, ODE_PICK_(ODE_IS_TINY_(x), x, ODE_M_(ode_sin_of)(n, rh, rl)))
ODE_CIRCULAR_(cos, ODE_M_(ode_sin_of)(n + 1, rh, rl))
ODE_CIRCULAR_(tan, ODE_PICK_(ODE_IS_TINY_(x), x, ODE_M_(ode_tan_of)(n, rh, rl)))
#undef ODE_CIRCULAR_
#undef ODE_IS_TINY_
#undef ODE_IS_RARE_

#undef ODE_R_
#undef ODE_I_
#undef ODE_U_
#undef ODE_FMA_
#undef ODE_BITS_
#undef ODE_REAL_
#undef ODE_PICK_
#undef ODE_M_
#undef ODE_FUNCTION_
#undef ODE_N_
#undef ODE_MANTISSA_
#undef ODE_BIAS_
#undef ODE_MAGIC_
#undef ODE_SIGN_
#undef ODE_SIGN_BIT_
#undef ODE_INFINITY_
#undef ODE_NAN_
#undef ODE_POWER_
#undef ODE_WITHIN_
#undef ODE_MATH_DOUBLE_
#undef ODE_MATH_
#undef ODE_MATH_REAL_
#undef ODE_MATH_INT_
#undef ODE_MATH_UINT_
#undef ODE_MATH_FMA_
#undef ODE_MATH_SQRT_
#undef ODE_MATH_BITS_
#undef ODE_MATH_FROM_BITS_
#undef ODE_MATH_PICK_
