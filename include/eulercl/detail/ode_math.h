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
/* The same by a mask of no or all bits. */
#define ODE_CHOOSE_(mask, a, b) \
    ODE_REAL_((ODE_BITS_((ODE_R_)(a)) & (mask)) | (ODE_BITS_((ODE_R_)(b)) & ~(mask)))
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
/* s exp(r) - 1 as h + l, x = n log(2) + r, with n from t, a sum with ODE_MAGIC_; s is 2^n. */
ODE_FUNCTION_ ODE_M_(ode_expm1_parts)(ODE_R_ x, ODE_R_ t, ODE_R_ s, ODE_R_ *l) {
    const ODE_R_ n = t - ODE_MAGIC_;
    const ODE_R_ r0 = ODE_FMA_(n, -ODE_LN2_1_, x), rh = ODE_FMA_(n, -ODE_LN2_2_, r0);
    const ODE_R_ rl = ODE_FMA_(n, -ODE_LN2_2_, r0 - rh);
    const ODE_R_ rest = ODE_FMA_(rh, ODE_FMA_(rh, ODE_M_(ode_poly_exp)(rh), rl), rl);
    ODE_R_ ql, hl, lost;
    const ODE_R_ qh = ODE_M_(ode_sum)(rh, rest, &ql), less = ODE_M_(ode_sum)(s, -1, &lost);
    const ODE_R_ h = ODE_M_(ode_sum)(less, s * qh, &hl);
    *l = ODE_FMA_(s, ql, hl + lost);
    return h;
}
/* tanh x = E / (E + 2), E = exp(2 |x|) - 1. */
ODE_FUNCTION_ ODE_M_(ode_math_tanh)(ODE_R_ x) {
    const ODE_R_ a = ODE_M_(ode_limited)(x, ODE_MATH_DOUBLE_ ? 22 : 10);
    const ODE_R_ b = 2 * ODE_M_(ode_with_sign)(a, 1), t = ODE_FMA_(b, ODE_LOG2_E_1_, ODE_MAGIC_);
    const ODE_R_ s = ODE_REAL_((ODE_I_)((ODE_U_)(ODE_BITS_(t) + ODE_BIAS_) << ODE_MANTISSA_));
    ODE_R_ l, dl, ql;
    const ODE_R_ h = ODE_M_(ode_expm1_parts)(b, t, s, &l);
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
/* log(1 + f) - f + c, where 1 + f is between sqrt(1/2) and sqrt(2). */
ODE_FUNCTION_ ODE_M_(ode_log_tail)(ODE_R_ f, ODE_R_ c) {
#if ODE_MATH_DOUBLE_
    const ODE_R_ d = 2 + f, g = 0.5 * f * f;
    ODE_R_ r = ODE_M_(ode_poly_reciprocal)(f);
    const ODE_R_ error = ODE_FMA_(-d, r, 1);
    r = ODE_FMA_(r, ODE_FMA_(error, error, error), r);
    const ODE_R_ s = f * r, z = s * s;
    return ODE_FMA_(s, ODE_FMA_(z, ODE_M_(ode_poly_log_atanh)(z), g), c) - g;
#else
    return ODE_FMA_(f * f, ODE_FMA_(f, ODE_M_(ode_poly_log)(f), -0.5f), c);
#endif
}
/* e log(2) + log(1 + f + l) (as P. Tang 1990 and K. C. Ng's fdlibm); the leading sum is exact. */
ODE_FUNCTION_ ODE_M_(ode_log_sum)(ODE_R_ e, ODE_R_ f, ODE_R_ l) {
    ODE_R_ rest;
    const ODE_R_ h = ODE_M_(ode_sum)(e * ODE_LN2_SHORT_1_, f, &rest);
    return h + (rest + ODE_M_(ode_log_tail)(f, ODE_FMA_(e, ODE_LN2_SHORT_2_, l)));
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
    /* The derivative of the sine is cos(rh), of which sin leaves all but 1 out. */
    const ODE_R_ more = ODE_FMA_(ODE_N_(-0.5) * (rh * rh), rl, rl);
    const ODE_R_ s = ODE_M_(ode_sin_parts)(rh, more, &sl), c = ODE_M_(ode_cos_parts)(rh, rl, &cl);
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
#undef ODE_IS_RARE_

ODE_FUNCTION_ ODE_M_(ode_math_log2)(ODE_R_ x) {
    ODE_R_ e, rest, pl;
    const ODE_R_ m = ODE_M_(ode_split)(x, &e), f = m - 1;
    const ODE_R_ ph = ODE_M_(ode_product)(f, ODE_LOG2_E_1_, &pl);
    const ODE_R_ h = ODE_M_(ode_sum)(e, ph, &rest);
    const ODE_R_ low = rest + ODE_FMA_(f, ODE_LOG2_E_2_, pl);
    return ODE_M_(ode_log_special)(x, h + ODE_FMA_(ODE_M_(ode_log_tail)(f, 0), ODE_LOG2_E_1_, low));
}
/* log1p: with u = 1 + x, rounded, and c what that lost, 1 + x = 2^e (m + c 2^-e). */
ODE_FUNCTION_ ODE_M_(ode_math_log1p)(ODE_R_ x) {
    ODE_R_ e, c;
    const ODE_R_ u = ODE_M_(ode_sum_any)(1, x, &c), m = ODE_M_(ode_split)(u, &e), f = m - 1;
    /* From 2^60 on c is too small to matter, and 2^-e may be too small to be a number. */
    const ODE_R_ s = ODE_PICK_(
        ODE_BITS_(u) < ODE_POWER_(60), ODE_REAL_(ODE_BITS_(m) - ODE_BITS_(u) + ODE_POWER_(0)), 0);
    const ODE_R_ g = f + c * s, lost = (f - g) + c * s;
    return ODE_M_(ode_with_sign)(ODE_M_(ode_log_special)(u, ODE_M_(ode_log_sum)(e, g, lost)), x);
}

ODE_FUNCTION_ ODE_M_(ode_math_expm1)(ODE_R_ x) {
    const ODE_R_ limit = ODE_MATH_DOUBLE_ ? 710 : 89;
    const ODE_R_ a = ODE_M_(ode_limited)(x, ODE_PICK_(ODE_BITS_(x) < 0, 50, limit));
    const ODE_R_ t = ODE_FMA_(a, ODE_LOG2_E_1_, ODE_MAGIC_);
    /* 2^n, halved where it has no number. */
    const ODE_I_ n = ODE_BITS_(t) - ODE_BITS_(ODE_MAGIC_);
    const ODE_R_ most = ODE_REAL_(ODE_POWER_(ODE_BIAS_));
    ODE_R_ l;
    const ODE_R_ s = ODE_PICK_(n > ODE_BIAS_, most, ODE_REAL_(ODE_POWER_(n)));
    const ODE_R_ h = ODE_M_(ode_expm1_parts)(a, t, s, &l);
    return ODE_M_(ode_with_sign)((h + l) * ODE_PICK_(n > ODE_BIAS_, 2, 1), x);
}

/* sinh and cosh of |x| = n log(2) + r, from sinh r = rh' + rl' and cosh r = 1 + c:
 *   sinh |x| = m cosh r + p sinh r, cosh |x| = p cosh r + m sinh r
 * with p = (2^n + 2^-n) / 2 and m = (2^n - 2^-n) / 2, all halved, lest 2^n overflows. */
ODE_FUNCTION_ ODE_M_(ode_hyperbolic)(ODE_R_ x, const int cosh) {
    const ODE_R_ limit = ODE_N_(0.5) + (ODE_MATH_DOUBLE_ ? 710 : 89);
    const ODE_R_ a = ODE_M_(ode_with_sign)(ODE_M_(ode_limited)(x, limit), 1);
    const ODE_R_ t = ODE_FMA_(a, ODE_LOG2_E_1_, ODE_MAGIC_), n = t - ODE_MAGIC_;
    const ODE_R_ r0 = ODE_FMA_(n, -ODE_LN2_1_, a), rh = ODE_FMA_(n, -ODE_LN2_2_, r0);
    const ODE_R_ rl = ODE_FMA_(n, -ODE_LN2_2_, r0 - rh), z = rh * rh;
    ODE_R_ sl, pl, rest;
    const ODE_R_ sh = ODE_M_(ode_sum)(rh, ODE_FMA_(z * rh, ODE_M_(ode_poly_sinh)(z), rl), &sl);
    const ODE_R_ c = ODE_FMA_(z * z, ODE_M_(ode_poly_cosh)(z), ODE_FMA_(rh, rl, ODE_N_(0.5) * z));
    const ODE_I_ k = ODE_BITS_(t) - ODE_BITS_(ODE_MAGIC_);
    const ODE_R_ big = ODE_REAL_(ODE_POWER_(k - 2));
    const ODE_R_ small = ODE_PICK_(k < 60, ODE_REAL_(ODE_POWER_(-2 - k)), 0);
    ODE_R_ wl;
    const ODE_R_ v = cosh ? big - small : big + small;
    const ODE_R_ w = ODE_M_(ode_sum)(big, cosh ? small : -small, &wl);
    const ODE_R_ ph = ODE_M_(ode_product)(v, sh, &pl), h = ODE_M_(ode_sum)(w, ph, &rest);
    return 2 * (h + (rest + (pl + (wl + ODE_FMA_(v, sl, w * c)))));
}
ODE_FUNCTION_ ODE_M_(ode_math_sinh)(ODE_R_ x) {
    return ODE_M_(ode_with_sign)(ODE_PICK_(ODE_IS_TINY_(x), x, ODE_M_(ode_hyperbolic)(x, 0)), x);
}
ODE_FUNCTION_ ODE_M_(ode_math_cosh)(ODE_R_ x) { return ODE_M_(ode_hyperbolic)(x, 1); }

/* atan(n / d) for n, d >= 0, of which one is not 0 and none infinite, with the sign of y; where
 * `left` is all bits, pi less that. q = n / d is at most 1; else d / n is used. */
ODE_FUNCTION_ ODE_M_(ode_angle)(ODE_R_ n, ODE_R_ d, const ODE_I_ left, ODE_R_ y) {
    const ODE_I_ swap = -(ODE_I_)(ODE_BITS_(n) > ODE_BITS_(d));
    const ODE_R_ small = ODE_CHOOSE_(swap, d, n), large = ODE_CHOOSE_(swap, n, d);
    ODE_R_ ql, rest;
    const ODE_R_ q = ODE_M_(ode_quotient)(small, 0, large, 0, &ql), z = q * q;
    const ODE_R_ tail = ODE_FMA_(q * z, ODE_M_(ode_poly_atan)(z), ql);
    /* pi/2 - atan(q) where swapped only, pi/2 + atan(q) where left, too, pi - atan(q) where left.
     */
    const ODE_I_ flip = (swap ^ left) & ODE_SIGN_;
    const ODE_R_ b1 = ODE_REAL_(
        (ODE_BITS_(ODE_HALF_PI_1_) & swap) | (ODE_BITS_(2 * ODE_HALF_PI_1_) & ~swap & left));
    const ODE_R_ b2 = ODE_REAL_(
        (ODE_BITS_(ODE_HALF_PI_2_) & swap) | (ODE_BITS_(2 * ODE_HALF_PI_2_) & ~swap & left));
    const ODE_R_ h = ODE_M_(ode_sum)(b1, ODE_REAL_(ODE_BITS_(q) ^ flip), &rest);
    return ODE_M_(ode_with_sign)(h + (rest + (b2 + ODE_REAL_(ODE_BITS_(tail) ^ flip))), y);
}
ODE_FUNCTION_ ODE_M_(ode_math_atan)(ODE_R_ x) {
    const ODE_R_ a = ODE_M_(ode_limited)(x, ODE_REAL_(ODE_POWER_(60)));
    return ODE_M_(ode_angle)(ODE_M_(ode_with_sign)(a, 1), 1, 0, x);
}
/* What a quotient or a root of a squared sum with the larger number a is scaled by, so that no
 * reciprocal and no square is lost. */
ODE_FUNCTION_ ODE_M_(ode_scale)(ODE_R_ a, const int high, const int up, const int low) {
    const ODE_I_ i = ODE_BITS_(a);
    const ODE_R_ one = 1;
    return ODE_PICK_(i >= ODE_POWER_(high), ODE_REAL_(ODE_POWER_(-low)),
        ODE_PICK_(i < ODE_POWER_(-high), ODE_REAL_(ODE_POWER_(up)), one));
}
ODE_FUNCTION_ ODE_M_(ode_math_atan2)(ODE_R_ y, ODE_R_ x) {
    const ODE_I_ xi = ODE_BITS_(x), xa = xi & ~ODE_SIGN_, ya = ODE_BITS_(y) & ~ODE_SIGN_;
    const ODE_I_ swap = -(ODE_I_)(ya > xa);
    const ODE_I_ most = (ya & swap) | (xa & ~swap);
    const ODE_R_ s = ODE_M_(ode_scale)(ODE_REAL_(most), ODE_MATH_DOUBLE_ ? 900 : 90,
        ODE_MATH_DOUBLE_ ? 200 : 60, ODE_MATH_DOUBLE_ ? 200 : 40);
    /* Infinite numbers are 1 beside 0, or both 1; two zeros are 0 beside 1. */
    const ODE_R_ one = 1;
    const ODE_I_ infinite = -(ODE_I_)(most == ODE_INFINITY_);
    const ODE_R_ n =
        ODE_CHOOSE_(infinite, ODE_PICK_(ya == ODE_INFINITY_, one, 0), ODE_REAL_(ya) * s);
    const ODE_R_ d = ODE_CHOOSE_(infinite, ODE_PICK_(xa == ODE_INFINITY_, one, 0),
        ODE_PICK_(most == 0, one, ODE_REAL_(xa) * s));
    return ODE_M_(ode_angle)(n, d, -(ODE_I_)(xi < 0), y);
}

/* About 1 / sqrt(z), z > 0, with a relative error below 2^-25 (float) or 2^-37: an integer guess,
 * then Halley's iteration, in float Newton's after it. For 0 it is a large number. */
ODE_FUNCTION_ ODE_M_(ode_inverse_root)(ODE_R_ z) {
    const ODE_I_ guess = ODE_MATH_DOUBLE_ ? (ODE_I_)0x5fe6eb50c7b537a9 : (ODE_I_)0x5f375a86;
    ODE_R_ r = ODE_REAL_(guess - (ODE_I_)((ODE_U_)ODE_BITS_(z) >> 1));
    ODE_R_ e = ODE_FMA_(-z * r, r, 1);
    r = ODE_FMA_(r * e, ODE_FMA_(ODE_N_(0.375), e, ODE_N_(0.5)), r);
    e = ODE_FMA_(-z * r, r, 1);
#if ODE_MATH_DOUBLE_
    return ODE_FMA_(r * e, ODE_FMA_(0.375, e, 0.5), r);
#else
    return ODE_FMA_(r * e, 0.5f, r);
#endif
}
/* The square root of z + zl as h + l. */
ODE_FUNCTION_ ODE_M_(ode_root)(ODE_R_ z, ODE_R_ zl, ODE_R_ *l) {
    const ODE_R_ r = ODE_M_(ode_inverse_root)(z), s = z * r;
    return ODE_M_(ode_sum)(s, (ODE_FMA_(-s, s, z) + zl) * r * ODE_N_(0.5), l);
}
/* asin(s) = sh + *l for |x| <= 1/2, where s = |x|, else for s = sqrt((1 - |x|) / 2). Returns
 * whether the latter is so, as a mask. */
ODE_MATH_INLINE_ ODE_I_ ODE_M_(ode_asin_parts)(ODE_R_ x, ODE_R_ *sh, ODE_R_ *l) {
    const ODE_R_ a = ODE_M_(ode_with_sign)(x, 1);
    const ODE_I_ large = -(ODE_I_)(ODE_BITS_(a) > ODE_POWER_(-1));
    const ODE_R_ z = ODE_CHOOSE_(large, ODE_N_(0.5) - ODE_N_(0.5) * a, a * a);
    ODE_R_ rl;
    const ODE_R_ root = ODE_M_(ode_root)(z, 0, &rl), s = ODE_CHOOSE_(large, root, a);
    *l = ODE_FMA_(s * z, ODE_M_(ode_poly_asin)(z), ODE_REAL_(ODE_BITS_(rl) & large));
    *sh = s;
    return large;
}
/* `usual` if |x| <= 1, else NaN. */
ODE_FUNCTION_ ODE_M_(ode_in_unit)(ODE_R_ x, ODE_R_ usual) {
    return ODE_PICK_((ODE_BITS_(x) & ~ODE_SIGN_) > ODE_POWER_(0), ODE_NAN_, usual);
}
ODE_FUNCTION_ ODE_M_(ode_math_asin)(ODE_R_ x) {
    ODE_R_ sh, l, rest;
    const ODE_I_ large = ODE_M_(ode_asin_parts)(x, &sh, &l);
    const ODE_R_ h = ODE_M_(ode_sum)(ODE_HALF_PI_1_, -2 * sh, &rest);
    const ODE_R_ other = h + (rest + ODE_FMA_(-2, l, ODE_HALF_PI_2_));
    return ODE_M_(ode_in_unit)(x, ODE_M_(ode_with_sign)(ODE_CHOOSE_(large, other, sh + l), x));
}
ODE_FUNCTION_ ODE_M_(ode_math_acos)(ODE_R_ x) {
    ODE_R_ sh, l, rest;
    const ODE_I_ large = ODE_M_(ode_asin_parts)(x, &sh, &l), minus = -(ODE_I_)(ODE_BITS_(x) < 0);
    /* 2 asin(s) or, for x < 0, pi less that; or pi/2 less or more asin(|x|). */
    const ODE_I_ pi1 = ODE_BITS_(2 * ODE_HALF_PI_1_), pi2 = ODE_BITS_(2 * ODE_HALF_PI_2_);
    const ODE_R_ b1 = ODE_CHOOSE_(large, ODE_REAL_(pi1 & minus), ODE_HALF_PI_1_);
    const ODE_R_ b2 = ODE_CHOOSE_(large, ODE_REAL_(pi2 & minus), ODE_HALF_PI_2_);
    const ODE_R_ one = 1;
    const ODE_R_ factor = ODE_REAL_((ODE_BITS_(one) + ((ODE_POWER_(1) - ODE_POWER_(0)) & large)) ^
                                    ((minus ^ ~large) & ODE_SIGN_));
    const ODE_R_ h = ODE_M_(ode_sum)(b1, factor * sh, &rest);
    return ODE_M_(ode_in_unit)(x, h + (rest + ODE_FMA_(factor, l, b2)));
}
/* hypot = sqrt(a^2 + b^2), of which the sum has two parts; an infinite number wins over NaN. */
ODE_FUNCTION_ ODE_M_(ode_math_hypot)(ODE_R_ x, ODE_R_ y) {
    const ODE_I_ xa = ODE_BITS_(x) & ~ODE_SIGN_, ya = ODE_BITS_(y) & ~ODE_SIGN_;
    const ODE_I_ swap = -(ODE_I_)(ya > xa);
    const ODE_I_ most = (ya & swap) | (xa & ~swap), least = (xa & swap) | (ya & ~swap);
    const int high = ODE_MATH_DOUBLE_ ? 500 : 60, low = ODE_MATH_DOUBLE_ ? 530 : 70;
    const int up = ODE_MATH_DOUBLE_ ? 600 : 90;
    const ODE_R_ s = ODE_M_(ode_scale)(ODE_REAL_(most), high, up, low);
    const ODE_R_ inverse = ODE_M_(ode_scale)(ODE_REAL_(most), high, -up, -low);
    const ODE_R_ a = ODE_REAL_(most) * s, b = ODE_REAL_(least) * s;
    ODE_R_ al, bl, rest, l;
    const ODE_R_ ah = ODE_M_(ode_product)(a, a, &al), bh = ODE_M_(ode_product)(b, b, &bl);
    const ODE_R_ z = ODE_M_(ode_sum)(ah, bh, &rest);
    const ODE_R_ root = ODE_M_(ode_root)(z, rest + (al + bl), &l);
    const ODE_R_ infinity = ODE_REAL_(ODE_INFINITY_);
    return ODE_PICK_(
        xa == ODE_INFINITY_, infinity, ODE_PICK_(ya == ODE_INFINITY_, infinity, root * inverse));
}

/* cbrt: of x = m 2^(3 k + j), |j| <= 1, r is about 1 / cbrt(m 2^j), and y = m 2^j r^2 is corrected
 * by its exact remainder. */
ODE_FUNCTION_ ODE_M_(ode_math_cbrt)(ODE_R_ x) {
    const ODE_I_ a = ODE_BITS_(x) & ~ODE_SIGN_;
    ODE_R_ e, l;
    const ODE_R_ m0 = ODE_M_(ode_split)(ODE_REAL_(a), &e);
    const ODE_R_ t = ODE_FMA_(e, ODE_THIRD_, ODE_MAGIC_), j = ODE_FMA_(-3, t - ODE_MAGIC_, e);
    const ODE_I_ sign = ODE_BITS_(j) < 0, not_0 = (ODE_BITS_(j) & ~ODE_SIGN_) != 0;
    const ODE_R_ one = 1;
    const ODE_R_ power = ODE_PICK_(not_0, ODE_PICK_(sign, ODE_N_(0.5), 2), one);
    const ODE_R_ inverse = ODE_PICK_(not_0, ODE_PICK_(sign, ODE_CBRT2_, ODE_INVERSE_CBRT2_), one);
    const ODE_R_ m = m0 * power;
    ODE_R_ r = ODE_M_(ode_poly_cbrt)(m0 - 1) * inverse;
    const ODE_R_ error = ODE_FMA_(-m * r, r * r, 1);
#if ODE_MATH_DOUBLE_
    r = ODE_FMA_(r * error, ODE_FMA_(error, ODE_N_(0x1.c71c72p-3), ODE_THIRD_), r);
#else
    r = ODE_FMA_(r * error, ODE_THIRD_, r);
#endif
    const ODE_R_ r2 = r * r, y = m * r2, y2 = ODE_M_(ode_product)(y, y, &l);
    const ODE_R_ rest = ODE_FMA_(-l, y, ODE_FMA_(-y2, y, m));
    const ODE_R_ root = ODE_FMA_(rest, r2 * ODE_THIRD_, y);
    const ODE_R_ s = ODE_REAL_((ODE_I_)((ODE_U_)(ODE_BITS_(t) + ODE_BIAS_) << ODE_MANTISSA_));
    /* 0, infinite numbers and NaN are their own roots. */
    return ODE_PICK_(ODE_WITHIN_(a, 1, ODE_INFINITY_), ODE_M_(ode_with_sign)(root * s, x), x + x);
}

/* fmin, fmax: the order of the bits, turned for negative numbers, is that of the numbers, with -0
 * before +0. */
#define ODE_ORDER_(i) ((i) ^ (-(ODE_I_)((i) < 0) & ~ODE_SIGN_))
#define ODE_EXTREME_(name, compare)                                          \
    ODE_FUNCTION_ ODE_M_(ode_math_##name)(ODE_R_ x, ODE_R_ y) {              \
        const ODE_I_ xi = ODE_BITS_(x), yi = ODE_BITS_(y);                   \
        const ODE_R_ other = ODE_PICK_((xi & ~ODE_SIGN_) > ODE_INFINITY_, y, \
            ODE_PICK_(ODE_ORDER_(xi) compare ODE_ORDER_(yi), x, y));         \
        return ODE_PICK_((yi & ~ODE_SIGN_) > ODE_INFINITY_, x, other);       \
    }
ODE_EXTREME_(fmin, <)
ODE_EXTREME_(fmax, >)
#undef ODE_ORDER_
#undef ODE_EXTREME_

/* erf: from 1 on 1 - exp(p(x)), whose second part is at most 0.16, so that it needs less care. */
ODE_FUNCTION_ ODE_M_(ode_math_erf)(ODE_R_ x) {
    const ODE_R_ a = ODE_M_(ode_with_sign)(ODE_M_(ode_limited)(x, 6), 1), z = a * a;
    const ODE_R_ near = ODE_FMA_(a, ODE_M_(ode_poly_erf)(z), a);
    const ODE_R_ v = ODE_M_(ode_poly_erfc)(a);
    const ODE_R_ t = ODE_FMA_(v, ODE_LOG2_E_1_, ODE_MAGIC_), n = t - ODE_MAGIC_;
    const ODE_R_ r = ODE_FMA_(n, -ODE_LN2_2_, ODE_FMA_(n, -ODE_LN2_1_, v));
    const ODE_R_ s = ODE_REAL_((ODE_I_)((ODE_U_)(ODE_BITS_(t) + ODE_BIAS_) << ODE_MANTISSA_));
    const ODE_R_ p = ODE_FMA_(r, ODE_M_(ode_poly_exp)(r), 1), far = ODE_FMA_(-s * r, p, 1 - s);
    return ODE_M_(ode_with_sign)(ODE_PICK_(ODE_BITS_(a) < ODE_POWER_(0), near, far), x);
}
#undef ODE_IS_TINY_

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
#undef ODE_CHOOSE_
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
