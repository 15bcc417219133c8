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
 *   ODE_MATH_BITS_(a), ODE_MATH_FROM_BITS_(i)   moves of bits
 *   ODE_MATH_PICK_(condition, a, b)   a if the condition, a comparison of integers, is 1, else b
 *   ODE_MATH_BEYOND_(a, limit)    such a condition: |a| >= limit, and a is no NaN
 * and, for both precisions, ODE_MATH_INLINE_ and ODE_MATH_LONG_, what short and long functions are
 * declared with, and ODE_MATH_ULONG_, an unsigned integer of 64 bits.
 *
 * Each function is complete and, but for rare arguments of sin, cos and tan, free of branches, so
 * that a loop over lanes becomes vector code. Those three exist also as
 *   ode_math_sin_common(x)    free of branches, right unless ode_math_sin_is_rare(x), which is 1
 *                             for finite x of 2^20 (float) or 2^30 (double) and more
 * and code for many lanes may call it for all of them, and ode_math_sin where a lane is rare: the
 * bits are the same.
 *
 * Only + - *, fma and integers are used, and compiled without contraction: these have one
 * result in both languages. There is no `/` and no `sqrt`, which OpenCL does not round
 * correctly in float everywhere, and no number of another precision. doc/design/functions.md
 * explains the methods and their errors. Special values are those of C11, annex F, but for the
 * payload of NaNs. */

#define ODE_R_ ODE_MATH_REAL_
#define ODE_I_ ODE_MATH_INT_
#define ODE_U_ ODE_MATH_UINT_
#define ODE_FMA_ ODE_MATH_FMA_
#define ODE_BITS_ ODE_MATH_BITS_
#define ODE_REAL_ ODE_MATH_FROM_BITS_
#define ODE_PICK_ ODE_MATH_PICK_
#define ODE_BEYOND_ ODE_MATH_BEYOND_
#define ODE_M_ ODE_MATH_
#define ODE_FUNCTION_ ODE_MATH_INLINE_ ODE_MATH_REAL_
#define ODE_LONG_FUNCTION_ ODE_MATH_LONG_ ODE_MATH_REAL_
#if ODE_MATH_DOUBLE_
#define ODE_N_(ode_x) ode_x
#define ODE_MANTISSA_ 52
#define ODE_BIAS_ 1023
#define ODE_MAGIC_ 0x1.8p52 /* a number near 0 is rounded to an integer by its sum with this */
#else
#define ODE_N_(ode_x) ode_x##f
#define ODE_MANTISSA_ 23
#define ODE_BIAS_ 127
#define ODE_MAGIC_ 0x1.8p23f
#endif
#define ODE_SIGN_ ((ODE_I_)((ODE_U_)1 << (sizeof(ODE_R_) * 8 - 1)))
#define ODE_INFINITY_ ((ODE_I_)(2 * ODE_BIAS_ + 1) << ODE_MANTISSA_)
#define ODE_NAN_ ODE_REAL_(ODE_INFINITY_ | (ODE_I_)1 << (ODE_MANTISSA_ - 1))
/* a where the mask has all bits, b where it has none. */
#define ODE_CHOOSE_(ode_mask, ode_a, ode_b) \
    ODE_REAL_(                              \
        (ODE_BITS_((ODE_R_)(ode_a)) & (ode_mask)) | (ODE_BITS_((ODE_R_)(ode_b)) & ~(ode_mask)))
/* The last bit of i as that of a sign. */
#define ODE_SIGN_BIT_(ode_i) ((ODE_I_)((ODE_U_)(ode_i) << (sizeof(ODE_R_) * 8 - 1)))
/* Sums of integers that may overflow, as those of NaN do. */
#define ODE_PLUS_(ode_i, ode_j) ((ODE_I_)((ODE_U_)(ode_i) + (ODE_U_)(ode_j)))
#define ODE_MINUS_(ode_i, ode_j) ((ODE_I_)((ODE_U_)(ode_i) - (ODE_U_)(ode_j)))
/* n of a number t = n + ODE_MAGIC_, and the bits of 2^n. */
#define ODE_INTEGER_(ode_t) ODE_MINUS_(ODE_BITS_(ode_t), ODE_BITS_(ODE_MAGIC_))
#define ODE_POWER_OF_(ode_t) \
    ((ODE_I_)((ODE_U_)ODE_PLUS_(ODE_BITS_(ode_t), ODE_BIAS_) << ODE_MANTISSA_))
/* The bits of 2^n. */
#define ODE_POWER_(ode_n) ((ODE_I_)((ODE_U_)ODE_PLUS_(ODE_BIAS_, ode_n) << ODE_MANTISSA_))
/* Whether low <= i < high. */
#define ODE_WITHIN_(ode_i, ode_low, ode_high) \
    ((ODE_U_)(ode_i) - (ODE_U_)(ode_low) < (ODE_U_)(ode_high) - (ODE_U_)(ode_low))

/* The sum and the product of two numbers as h + l, where |h| >= |l| (T. J. Dekker 1971, D. Knuth;
 * Muller et al., Handbook of Floating-Point Arithmetic, ch. 4). The first one needs |a| >= |b| or
 * a = 0. */
ODE_FUNCTION_ ODE_M_(ode_sum)(ODE_R_ ode_a, ODE_R_ ode_b, ODE_R_ *ode_l) {
    const ODE_R_ ode_h = ode_a + ode_b;
    *ode_l = ode_b - (ode_h - ode_a);
    return ode_h;
}
ODE_FUNCTION_ ODE_M_(ode_sum_any)(ODE_R_ ode_a, ODE_R_ ode_b, ODE_R_ *ode_l) {
    const ODE_R_ ode_h = ode_a + ode_b, ode_c = ode_h - ode_a;
    *ode_l = (ode_a - (ode_h - ode_c)) + (ode_b - ode_c);
    return ode_h;
}
ODE_FUNCTION_ ODE_M_(ode_product)(ODE_R_ ode_a, ODE_R_ ode_b, ODE_R_ *ode_l) {
    const ODE_R_ ode_h = ode_a * ode_b;
    *ode_l = ODE_FMA_(ode_a, ode_b, -ode_h);
    return ode_h;
}
/* |a| with the sign of b. */
ODE_FUNCTION_ ODE_M_(ode_with_sign)(ODE_R_ ode_a, ODE_R_ ode_b) {
    return ODE_REAL_((ODE_BITS_(ode_a) & ~ODE_SIGN_) | (ODE_BITS_(ode_b) & ODE_SIGN_));
}
/* x, or where |x| > limit the limit with the sign of x, unless x is NaN. */
ODE_FUNCTION_ ODE_M_(ode_limited)(ODE_R_ ode_x, ODE_R_ ode_limit) {
    return ODE_PICK_(ODE_BEYOND_(ode_x, ode_limit), ODE_M_(ode_with_sign)(ode_limit, ode_x), ode_x);
}
/* About 1/d, where 2^-100 < |d| < 2^100: the relative error is below 2^-18 in float, where all
 * users correct a quotient by its remainder, and 2^-50 in double. The integer guess is
 * off by an eighth (J. F. Blinn 1997); the iteration is Halley's, then Newton's. */
ODE_FUNCTION_ ODE_M_(ode_reciprocal)(ODE_R_ ode_d) {
#if ODE_MATH_DOUBLE_
    ODE_R_ ode_r = ODE_REAL_(ODE_MINUS_(0x7fde623822fc16e6, ODE_BITS_(ode_d))),
           ode_e = ODE_FMA_(-ode_d, ode_r, 1.0);
    ode_r = ODE_FMA_(ode_r, ODE_FMA_(ode_e, ode_e, ode_e), ode_r);
    ode_e = ODE_FMA_(-ode_d, ode_r, 1.0);
    ode_r = ODE_FMA_(ode_r, ODE_FMA_(ode_e, ode_e, ode_e), ode_r);
#else
    ODE_R_ ode_r = ODE_REAL_(ODE_MINUS_(0x7ef311c7, ODE_BITS_(ode_d))),
           ode_e = ODE_FMA_(-ode_d, ode_r, 1.0f);
    ode_r = ODE_FMA_(ode_r, ODE_FMA_(ode_e, ode_e, ode_e), ode_r);
#endif
    return ODE_FMA_(ode_r, ODE_FMA_(-ode_d, ode_r, 1), ode_r);
}
/* (nh + nl) / (dh + dl) as h + l. */
ODE_FUNCTION_ ODE_M_(ode_quotient)(
    ODE_R_ ode_nh, ODE_R_ ode_nl, ODE_R_ ode_dh, ODE_R_ ode_dl, ODE_R_ *ode_l) {
    const ODE_R_ ode_r = ODE_M_(ode_reciprocal)(ode_dh), ode_q = ode_nh * ode_r;
    const ODE_R_ ode_rest = ODE_FMA_(-ode_q, ode_dl, ODE_FMA_(-ode_q, ode_dh, ode_nh) + ode_nl);
    return ODE_M_(ode_sum)(ode_q, ode_rest * ode_r, ode_l);
}
/* p 2^n, n of t = n + ODE_SCALE_MAGIC_: in two steps, of which the second one rounds where the
 * result is subnormal. The low bits of t are n + 2 ODE_BIAS_; half of them, rounded down, is the
 * exponent's field of the first factor, and the rest that of the second one. */
#define ODE_SCALE_MAGIC_ (ODE_MAGIC_ + 2 * ODE_BIAS_)
ODE_FUNCTION_ ODE_M_(ode_scaled)(ODE_R_ ode_p, ODE_R_ ode_t) {
    const ODE_U_ ode_i = (ODE_U_)ODE_BITS_(ode_t);
    const ODE_U_ ode_first = ode_i << (ODE_MANTISSA_ - 1) & (ODE_U_)-1 << ODE_MANTISSA_;
    const ODE_U_ ode_second = (ode_i << ODE_MANTISSA_) - ode_first;
    return ode_p * ODE_REAL_((ODE_I_)ode_first) * ODE_REAL_((ODE_I_)ode_second);
}

/* exp: x = n log(2) + r, log(2) in two parts (W. J. Cody, W. Waite 1980). */
ODE_FUNCTION_ ODE_M_(ode_math_exp)(ODE_R_ ode_x) {
    const ODE_R_ ode_a = ODE_M_(ode_limited)(ode_x, ODE_MATH_DOUBLE_ ? 746 : 104);
    const ODE_R_ ode_t = ODE_FMA_(ode_a, ODE_LOG2_E_1_, ODE_SCALE_MAGIC_),
                 ode_n = ode_t - ODE_SCALE_MAGIC_;
    const ODE_R_ ode_r = ODE_FMA_(ode_n, -ODE_LN2_2_, ODE_FMA_(ode_n, -ODE_LN2_1_, ode_a));
#if ODE_MATH_DOUBLE_
    const ODE_R_ ode_p = ODE_FMA_(ode_r, ODE_M_(ode_poly_exp)(ode_r), 1);
#else
    const ODE_R_ ode_p = ODE_FMA_(ode_r, ODE_M_(ode_poly_exp_short)(ode_r), 1);
#endif
    return ODE_M_(ode_scaled)(ODE_FMA_(ode_r, ode_p, 1), ode_t);
}
ODE_FUNCTION_ ODE_M_(ode_math_exp2)(ODE_R_ ode_x) {
    const ODE_R_ ode_a = ODE_M_(ode_limited)(ode_x, ODE_MATH_DOUBLE_ ? 1076 : 151);
    const ODE_R_ ode_t = ode_a + ODE_SCALE_MAGIC_, ode_r = ode_a - (ode_t - ODE_SCALE_MAGIC_);
    const ODE_R_ ode_p = ode_r * ODE_FMA_(ode_r, ODE_M_(ode_poly_exp2)(ode_r), ODE_LN2_2_);
    return ODE_M_(ode_scaled)(1 + ODE_FMA_(ode_r, ODE_LN2_1_, ode_p), ode_t);
}
/* s exp(r) - 1 as h + l, x = n log(2) + r, with n from t, a sum with ODE_MAGIC_; s is 2^n. */
ODE_FUNCTION_ ODE_M_(ode_expm1_parts)(ODE_R_ ode_x, ODE_R_ ode_t, ODE_R_ ode_s, ODE_R_ *ode_l) {
    const ODE_R_ ode_n = ode_t - ODE_MAGIC_;
    const ODE_R_ ode_r0 = ODE_FMA_(ode_n, -ODE_LN2_1_, ode_x),
                 ode_rh = ODE_FMA_(ode_n, -ODE_LN2_2_, ode_r0);
    const ODE_R_ ode_rl = ODE_FMA_(ode_n, -ODE_LN2_2_, ode_r0 - ode_rh);
    const ODE_R_ ode_rest =
        ODE_FMA_(ode_rh, ODE_FMA_(ode_rh, ODE_M_(ode_poly_exp)(ode_rh), ode_rl), ode_rl);
    ODE_R_ ode_ql, ode_hl, ode_lost;
    const ODE_R_ ode_qh = ODE_M_(ode_sum)(ode_rh, ode_rest, &ode_ql),
                 ode_less = ODE_M_(ode_sum)(ode_s, -1, &ode_lost);
    const ODE_R_ ode_h = ODE_M_(ode_sum)(ode_less, ode_s * ode_qh, &ode_hl);
    *ode_l = ODE_FMA_(ode_s, ode_ql, ode_hl + ode_lost);
    return ode_h;
}
/* tanh x. Double: E / (E + 2), E = exp(2 |x|) - 1. Float: x + x^3 p(x^2) below 3/4, else
 * 1 - w p(w), w = exp(-2 |x|), with a polynomial for 2 / (1 + w), which is shorter than a quotient.
 */
#if ODE_MATH_DOUBLE_
ODE_FUNCTION_ ODE_M_(ode_math_tanh)(ODE_R_ ode_x) {
    const ODE_R_ ode_a = ODE_M_(ode_limited)(ode_x, 22);
    const ODE_R_ ode_b = 2 * ODE_M_(ode_with_sign)(ode_a, 1),
                 ode_t = ODE_FMA_(ode_b, ODE_LOG2_E_1_, ODE_MAGIC_);
    const ODE_R_ ode_s = ODE_REAL_(ODE_POWER_OF_(ode_t));
    ODE_R_ ode_l, ode_dl, ode_ql;
    const ODE_R_ ode_h = ODE_M_(ode_expm1_parts)(ode_b, ode_t, ode_s, &ode_l);
    const ODE_R_ ode_d = ODE_M_(ode_sum_any)(ode_h, 2, &ode_dl);
    const ODE_R_ ode_q = ODE_M_(ode_quotient)(ode_h, ode_l, ode_d, ode_dl + ode_l, &ode_ql);
    return ODE_M_(ode_with_sign)(ode_q + ode_ql, ode_x);
}
#else
ODE_FUNCTION_ ODE_M_(ode_math_tanh)(ODE_R_ ode_x) {
    const ODE_R_ ode_z = ode_x * ode_x,
                 ode_near = ODE_FMA_(ode_x * ode_z, ODE_M_(ode_poly_tanh)(ode_z), ode_x);
    const ODE_I_ ode_i = ODE_BITS_(ode_x) & ~ODE_SIGN_, ode_most = ODE_BITS_(10);
    const ODE_R_ ode_a = ODE_REAL_(ode_i < ode_most ? ode_i : ode_most);
    /* -2 a = n log(2) + 2 r; log(2) in one part will do, since w is small where n is large. */
    const ODE_R_ ode_t = ODE_FMA_(ode_a, -2 * ODE_LOG2_E_1_, ODE_MAGIC_ + ODE_BIAS_),
                 ode_n = ode_t - (ODE_MAGIC_ + ODE_BIAS_);
    const ODE_R_ ode_r = ODE_FMA_(ode_n, -0.5f * ODE_LN2_1_, -ode_a);
    const ODE_R_ ode_e = ODE_FMA_(ode_r, ODE_FMA_(ode_r, ODE_M_(ode_poly_exp_twice)(ode_r), 2), 1);
    const ODE_R_ ode_w = ode_e * ODE_REAL_((ODE_I_)((ODE_U_)ODE_BITS_(ode_t) << ODE_MANTISSA_));
    const ODE_R_ ode_far = ODE_FMA_(-ode_w, ODE_M_(ode_poly_tanh_tail)(ode_w), 1);
    return ODE_M_(ode_with_sign)(ODE_PICK_(ODE_BEYOND_(ode_x, 0.75f), ode_far, ode_near), ode_x);
}
#endif

/* x > 0, perhaps subnormal, as m 2^e, sqrt(1/2) <= m < sqrt(2). */
ODE_FUNCTION_ ODE_M_(ode_split)(ODE_R_ ode_x, ODE_R_ *ode_e) {
    const ODE_I_ ode_tiny = ODE_BITS_(ode_x) < ODE_POWER_(1 - ODE_BIAS_);
    const ODE_I_ ode_b = ODE_BITS_(ODE_N_(0x1.6a09e6p-1));
    const ODE_I_ ode_i =
        ODE_BITS_(ODE_PICK_(ode_tiny, ode_x * ODE_REAL_(ODE_POWER_(ODE_MANTISSA_ + 1)), ode_x));
    /* The exponent as a number without a conversion of integers, for which AVX2 lacks a word. */
    const ODE_U_ ode_j =
        (ODE_U_)ODE_PLUS_(ODE_MINUS_(ode_i, ode_b), ODE_POWER_(0)) >> ODE_MANTISSA_;
    const ODE_R_ ode_base = ODE_REAL_(ODE_POWER_(ODE_MANTISSA_));
    const ODE_R_ ode_shifted = ode_base + ODE_BIAS_;
    *ode_e = ODE_REAL_(ODE_POWER_(ODE_MANTISSA_) | (ODE_I_)ode_j) -
             ODE_PICK_(ode_tiny, ode_shifted + (ODE_MANTISSA_ + 1), ode_shifted);
    return ODE_REAL_(ODE_MINUS_(ode_i, (ode_j - ODE_BIAS_) << ODE_MANTISSA_));
}
/* The value of a logarithm of x: `usual` if x is positive and finite. */
ODE_FUNCTION_ ODE_M_(ode_log_special)(ODE_R_ ode_x, ODE_R_ ode_usual) {
    const ODE_I_ ode_i = ODE_BITS_(ode_x);
    const ODE_R_ ode_other = ODE_PICK_((ode_i & ~ODE_SIGN_) == 0,
        ODE_REAL_(ODE_INFINITY_ | ODE_SIGN_), ODE_PICK_(ode_i < 0, ODE_NAN_, ode_x + ode_x));
    return ODE_PICK_(ODE_WITHIN_(ode_i, 1, ODE_INFINITY_), ode_usual, ode_other);
}
/* log(1 + f) - f + f^2 / 2 + c, where 1 + f is between sqrt(1/2) and sqrt(2). */
ODE_FUNCTION_ ODE_M_(ode_log_tail)(ODE_R_ ode_f, ODE_R_ ode_c) {
    const ODE_R_ ode_f2 = ode_f * ode_f;
#if ODE_MATH_DOUBLE_
    const ODE_R_ ode_d = 2 + ode_f;
    ODE_R_ ode_r = ODE_M_(ode_poly_reciprocal)(ode_f);
    const ODE_R_ ode_error = ODE_FMA_(-ode_d, ode_r, 1);
    ode_r = ODE_FMA_(ode_r, ODE_FMA_(ode_error, ode_error, ode_error), ode_r);
    const ODE_R_ ode_s = ode_f * ode_r, ode_z = ode_s * ode_s;
    return ODE_FMA_(ode_s, ODE_FMA_(ode_z, ODE_M_(ode_poly_log_atanh)(ode_z), 0.5 * ode_f2), ode_c);
#else
    return ODE_FMA_(ode_f2, ode_f * ODE_M_(ode_poly_log)(ode_f), ode_c);
#endif
}
/* e log(2) + log(1 + f + l) (as P. Tang 1990 and K. C. Ng's fdlibm); the leading sum is exact, and
 * f^2 / 2 is not rounded. */
ODE_FUNCTION_ ODE_M_(ode_log_sum)(ODE_R_ ode_e, ODE_R_ ode_f, ODE_R_ ode_l) {
    ODE_R_ ode_rest;
    const ODE_R_ ode_h = ODE_M_(ode_sum)(ode_e * ODE_LN2_SHORT_1_, ode_f, &ode_rest);
    const ODE_R_ ode_tail = ODE_M_(ode_log_tail)(ode_f, ODE_FMA_(ode_e, ODE_LN2_SHORT_2_, ode_l));
    return ode_h + ODE_FMA_(ODE_N_(-0.5) * ode_f, ode_f, ode_rest + ode_tail);
}
ODE_FUNCTION_ ODE_M_(ode_math_log)(ODE_R_ ode_x) {
    ODE_R_ ode_e;
    const ODE_R_ ode_m = ODE_M_(ode_split)(ode_x, &ode_e);
    return ODE_M_(ode_log_special)(ode_x, ODE_M_(ode_log_sum)(ode_e, ode_m - 1, 0));
}

/* pow: 2^(y log2 |x|), the logarithm as h + l with a relative error below 2^-35 (float) or
 * 2^-65: with s = (m - 1) / (m + 1), log2 m = s (C1 + s^2 (C3 + s^2 p(s^2))), in which the first
 * two constants and the operations on them have two parts (as in SLEEF: N. Shibata, F. Petrogalli
 * 2020). */
ODE_FUNCTION_ ODE_M_(ode_log2_parts)(ODE_R_ ode_x, ODE_R_ *ode_l) {
    ODE_R_ ode_e, ode_dl, ode_sl, ode_zl, ode_vl, ode_kl, ode_rest;
    const ODE_R_ ode_m = ODE_M_(ode_split)(ode_x, &ode_e), ode_f = ode_m - 1;
    const ODE_R_ ode_dh = ODE_M_(ode_sum)(2, ode_f, &ode_dl);
    ODE_R_ ode_r = ODE_M_(ode_poly_reciprocal)(ode_f);
    const ODE_R_ ode_error = ODE_FMA_(-ode_dh, ode_r, 1);
    ode_r = ODE_FMA_(ode_r, ODE_FMA_(ode_error, ode_error, ode_error), ode_r);
    const ODE_R_ ode_s0 = ode_f * ode_r;
    const ODE_R_ ode_sh = ODE_M_(ode_sum)(
        ode_s0, ODE_FMA_(-ode_s0, ode_dl, ODE_FMA_(-ode_s0, ode_dh, ode_f)) * ode_r, &ode_sl);
    const ODE_R_ ode_zh = ODE_M_(ode_product)(ode_sh, ode_sh, &ode_zl);
    ode_zl = ODE_FMA_(ode_sh + ode_sh, ode_sl, ode_zl);
    ODE_R_ ode_wl;
    const ODE_R_ ode_wh =
        ODE_M_(ode_sum)(ODE_POW_C3_1_, ode_zh * ODE_M_(ode_poly_log2_pow)(ode_zh), &ode_wl);
    ode_wl += ODE_POW_C3_2_;
    const ODE_R_ ode_vh = ODE_M_(ode_product)(ode_zh, ode_wh, &ode_vl);
    ode_vl = ODE_FMA_(ode_zh, ode_wl, ODE_FMA_(ode_zl, ode_wh, ode_vl));
    const ODE_R_ ode_kh = ODE_M_(ode_sum)(ODE_POW_C1_1_, ode_vh, &ode_kl);
    ode_kl += ode_vl + ODE_POW_C1_2_;
    ODE_R_ ode_ll;
    const ODE_R_ ode_lh = ODE_M_(ode_product)(ode_sh, ode_kh, &ode_ll);
    ode_ll = ODE_FMA_(ode_sh, ode_kl, ODE_FMA_(ode_sl, ode_kh, ode_ll));
    const ODE_R_ ode_h = ODE_M_(ode_sum)(ode_e, ode_lh, &ode_rest);
    return ODE_M_(ode_sum)(ode_h, ode_rest + ode_ll, ode_l);
}
/* All bits if y is an integer or infinite, else 0. *odd: the sign bit alone if y is odd, else 0.
 * These are masks, since GCC has no vector code for single bits that become comparisons. */
ODE_MATH_INLINE_ ODE_I_ ODE_M_(ode_is_whole)(ODE_R_ ode_y, ODE_I_ *ode_odd) {
    const ODE_I_ ode_i = ODE_BITS_(ode_y) & ~ODE_SIGN_;
    /* Below 2^23 (2^52) its sum with that number is an integer, whose last bit is that of y. */
    const ODE_R_ ode_base = ODE_REAL_(ODE_POWER_(ODE_MANTISSA_)),
                 ode_t = ODE_REAL_(ode_i) + ode_base;
    const ODE_I_ ode_large = -(ODE_I_)(ode_i >= ODE_POWER_(ODE_MANTISSA_));
    const ODE_I_ ode_whole = ode_large | -(ODE_I_)(ODE_BITS_(ode_t - ode_base) == ode_i);
    const ODE_I_ ode_last = (ode_i & ode_large) | (ODE_BITS_(ode_t) & ~ode_large);
    *ode_odd =
        ODE_SIGN_BIT_(ode_last) & ode_whole & -(ODE_I_)(ode_i < ODE_POWER_(ODE_MANTISSA_ + 1));
    return ode_whole;
}
ODE_LONG_FUNCTION_ ODE_M_(ode_math_pow)(ODE_R_ ode_x, ODE_R_ ode_y) {
    const ODE_R_ ode_limit = ODE_MATH_DOUBLE_ ? 1100 : 160;
    const ODE_I_ ode_xi = ODE_BITS_(ode_x), ode_xa = ode_xi & ~ODE_SIGN_, ode_yi = ODE_BITS_(ode_y),
                 ode_ya = ode_yi & ~ODE_SIGN_;
    ODE_I_ ode_odd;
    const ODE_I_ ode_whole = ODE_M_(ode_is_whole)(ode_y, &ode_odd);
    ODE_R_ ode_ll, ode_lh = ODE_M_(ode_log2_parts)(ODE_REAL_(ode_xa), &ode_ll);
    ode_lh = ODE_PICK_(ode_xa == 0, ODE_REAL_(ODE_INFINITY_ | ODE_SIGN_), ode_lh);
    ode_lh = ODE_PICK_(ode_xa >= ODE_INFINITY_, ODE_REAL_(ode_xa), ode_lh);
    /* Where the result has no finite bits left, the lower part, perhaps NaN, is void. */
    const ODE_R_ ode_p = ode_y * ode_lh, ode_h = ODE_M_(ode_limited)(ode_p, ode_limit);
    const ODE_R_ ode_l =
        ODE_PICK_(ODE_WITHIN_(ODE_BITS_(ode_h) & ~ODE_SIGN_, 0, ODE_BITS_(ode_limit)),
            ODE_FMA_(ode_y, ode_ll, ODE_FMA_(ode_y, ode_lh, -ode_p)), 0);
    const ODE_R_ ode_t = ode_h + ODE_SCALE_MAGIC_,
                 ode_r = (ode_h - (ode_t - ODE_SCALE_MAGIC_)) + ode_l;
    const ODE_R_ ode_q = ode_r * ODE_FMA_(ode_r, ODE_M_(ode_poly_exp2)(ode_r), ODE_LN2_2_);
    const ODE_R_ ode_size = ODE_M_(ode_scaled)(1 + ODE_FMA_(ode_r, ODE_LN2_1_, ode_q), ode_t);
    /* Of a negative number only integers are powers; -0 and -infinity have others, too. */
    const ODE_R_ ode_known =
        ODE_PICK_(ODE_WITHIN_(ode_xi, ODE_SIGN_ + 1, ODE_SIGN_ + ODE_INFINITY_),
            ODE_REAL_((ODE_BITS_(ode_size) & ode_whole) | (ODE_BITS_(ODE_NAN_) & ~ode_whole)),
            ode_size);
    const ODE_R_ ode_signed_ = ODE_REAL_(ODE_BITS_(ode_known) ^ (ode_odd & ode_xi));
    const ODE_R_ ode_one = ODE_PICK_(
        ode_xa == ODE_POWER_(0), ODE_PICK_(ode_ya == ODE_INFINITY_, 1, ode_signed_), ode_signed_);
    return ODE_PICK_(ode_ya == 0, 1, ODE_PICK_(ode_xi == ODE_POWER_(0), 1, ode_one));
}

/* sin, cos, tan: x = n pi/2 + rh + rl with pi/2 in three parts (Cody, Waite). x less the product
 * with the first one is exact. That with the second one can cancel nearly all of it, so it needs
 * two parts. Returns n in the low bits. */
ODE_MATH_INLINE_ ODE_I_ ODE_M_(ode_quadrant)(ODE_R_ ode_x, ODE_R_ *ode_rh, ODE_R_ *ode_rl) {
    const ODE_R_ ode_t = ODE_FMA_(ode_x, ODE_TWO_OVER_PI_, ODE_MAGIC_), ode_n = ode_t - ODE_MAGIC_;
    const ODE_R_ ode_r0 = ODE_FMA_(ode_n, -ODE_HALF_PI_1_, ode_x);
    ODE_R_ ode_pl, ode_rest;
    const ODE_R_ ode_p = ODE_M_(ode_product)(ode_n, ODE_HALF_PI_2_, &ode_pl);
    const ODE_R_ ode_r1 = ODE_M_(ode_sum)(ode_r0, -ode_p, &ode_rest);
    *ode_rh = ODE_M_(ode_sum)(ode_r1, ODE_FMA_(ode_n, -ODE_HALF_PI_3_, ode_rest - ode_pl), ode_rl);
    return ODE_BITS_(ode_t);
}
/* The same for any finite x of at least 2^20 (float) or 2^30 (double), by integers: of 2/pi those
 * 192 bits are multiplied by the significand of x that decide (M. Payne, R. Hanek 1983). */
ODE_MATH_LONG_ ODE_I_ ODE_M_(ode_quadrant_rare)(ODE_R_ ode_x, ODE_R_ *ode_rh, ODE_R_ *ode_rl) {
    const ODE_I_ ode_i = ODE_BITS_(ode_x) & ~ODE_SIGN_;
    const ODE_MATH_ULONG_ ode_m = (ODE_MATH_ULONG_)((ode_i & (((ODE_I_)1 << ODE_MANTISSA_) - 1)) |
                                                    (ODE_I_)1 << ODE_MANTISSA_);
    /* x = m 2^k. The first bit that counts has the weight 2^(1 - k). */
    const int ode_first = (int)(ode_i >> ODE_MANTISSA_) - ODE_BIAS_ - ODE_MANTISSA_ + 62;
    const int ode_word = ode_first >> 5, ode_shift = ode_first & 31;
    ODE_MATH_ULONG_ ode_words[6], ode_part[2], ode_carry;
    ode_part[0] = ode_m & 0xffffffffu;
    ode_part[1] = ode_m >> 32;
    for (int ode_j = 0; ode_j < 6; ode_j++) ode_words[ode_j] = 0; /* words, the least first */
    for (int ode_k = 0; ode_k < 6; ode_k++) {
        const ODE_MATH_ULONG_ ode_two =
            (ODE_MATH_ULONG_)ODE_M_(ode_two_over_pi)(ode_word + 5 - ode_k) << 32 |
            ODE_M_(ode_two_over_pi)(ode_word + 6 - ode_k);
        const ODE_MATH_ULONG_ ode_bits = ode_two >> (32 - ode_shift) & 0xffffffffu;
        ode_carry = 0;
        for (int ode_j = ode_k; ode_j < 6; ode_j++) {
            ode_carry +=
                ode_words[ode_j] + (ode_j - ode_k < 2 ? ode_bits * ode_part[ode_j - ode_k] : 0);
            ode_words[ode_j] = ode_carry & 0xffffffffu;
            ode_carry >>= 32;
        }
    }
    /* Two bits of the quadrant, then the fraction, rounded to the nearest quadrant. */
    ODE_MATH_ULONG_ ode_a = ode_words[5] << 32 | ode_words[4],
                    ode_b = ode_words[3] << 32 | ode_words[2],
                    ode_c = ode_words[1] << 32 | ode_words[0];
    ODE_I_ ode_n = (ODE_I_)(ode_a >> 62) + (ODE_I_)(ode_a >> 61 & 1);
    ode_a = ode_a << 2 | ode_b >> 62;
    ode_b = ode_b << 2 | ode_c >> 62;
    ode_c <<= 2;
    const int ode_negative = (int)(ode_a >> 63);
    if (ode_negative) {
        ode_a = ~ode_a;
        ode_b = ~ode_b;
    }
    int ode_zeros = 0;
    while (ode_zeros < 100 && !(ode_a >> 63)) {
        ode_a = ode_a << 1 | ode_b >> 63;
        ode_b = ode_b << 1 | ode_c >> 63;
        ode_c <<= 1;
        ode_zeros++;
    }
#if ODE_MATH_DOUBLE_
    const ODE_R_ ode_fh = (ODE_R_)(ODE_I_)(ode_a >> 11) * 0x1p-53;
    const ODE_R_ ode_fl = (ODE_R_)(ODE_I_)((ode_a & 0x7ff) << 42 | ode_b >> 22) * 0x1p-106;
#else
    const ODE_R_ ode_fh = (ODE_R_)(ODE_I_)(ode_a >> 40) * 0x1p-24f;
    const ODE_R_ ode_fl = (ODE_R_)(ODE_I_)(ode_a >> 16 & 0xffffff) * 0x1p-48f;
#endif
    const ODE_I_ ode_minus = ode_negative != (ODE_BITS_(ode_x) < 0) ? ODE_SIGN_ : 0;
    const ODE_R_ ode_unit = ODE_REAL_(ODE_POWER_(-ode_zeros) | ode_minus),
                 ode_h = ode_fh * ODE_HALF_PI_1_;
    const ODE_R_ ode_l = ODE_FMA_(ode_fh, ODE_HALF_PI_1_, -ode_h) +
                         ODE_FMA_(ode_fh, ODE_HALF_PI_2_, ode_fl * ODE_HALF_PI_1_);
    *ode_rh = ODE_M_(ode_sum)(ode_h, ode_l, ode_rl) * ode_unit;
    *ode_rl *= ode_unit;
    return ODE_BITS_(ode_x) < 0 ? -ode_n : ode_n;
}
/* sin and cos of rh + rl, |rh| <= pi/4, as h + l. */
ODE_FUNCTION_ ODE_M_(ode_sin_parts)(ODE_R_ ode_rh, ODE_R_ ode_rl, ODE_R_ *ode_l) {
    const ODE_R_ ode_z = ode_rh * ode_rh;
    return ODE_M_(ode_sum)(
        ode_rh, ODE_FMA_(ode_z * ode_rh, ODE_M_(ode_poly_sin)(ode_z), ode_rl), ode_l);
}
ODE_FUNCTION_ ODE_M_(ode_cos_parts)(ODE_R_ ode_rh, ODE_R_ ode_rl, ODE_R_ *ode_l) {
    const ODE_R_ ode_z = ode_rh * ode_rh, ode_g = ODE_N_(-0.5) * ode_rh,
                 ode_w = ODE_FMA_(ode_g, ode_rh, 1);
    const ODE_R_ ode_rest = ODE_FMA_(ode_g, ode_rh, 1 - ode_w);
    return ODE_M_(ode_sum)(ode_w,
        ODE_FMA_(ode_z * ode_z, ODE_M_(ode_poly_cos)(ode_z), ODE_FMA_(-ode_rh, ode_rl, ode_rest)),
        ode_l);
}
/* The sine of rh + rl + n pi/2. */
ODE_FUNCTION_ ODE_M_(ode_sin_of)(ODE_I_ ode_n, ODE_R_ ode_rh, ODE_R_ ode_rl) {
    ODE_R_ ode_sl, ode_cl;
    const ODE_R_ ode_s = ODE_M_(ode_sin_parts)(ode_rh, ode_rl, &ode_sl),
                 ode_c = ODE_M_(ode_cos_parts)(ode_rh, ode_rl, &ode_cl);
    const ODE_I_ ode_flip = ODE_SIGN_BIT_((ODE_U_)ode_n >> 1);
    return ODE_REAL_(ODE_BITS_(ODE_PICK_(ode_n & 1, ode_c, ode_s)) ^ ode_flip);
}
ODE_FUNCTION_ ODE_M_(ode_tan_of)(ODE_I_ ode_n, ODE_R_ ode_rh, ODE_R_ ode_rl) {
    ODE_R_ ode_sl, ode_cl, ode_ql;
    /* The derivative of the sine is cos(rh), of which sin leaves all but 1 out. */
    const ODE_R_ ode_more = ODE_FMA_(ODE_N_(-0.5) * (ode_rh * ode_rh), ode_rl, ode_rl);
    const ODE_R_ ode_s = ODE_M_(ode_sin_parts)(ode_rh, ode_more, &ode_sl),
                 ode_c = ODE_M_(ode_cos_parts)(ode_rh, ode_rl, &ode_cl);
    const ODE_I_ ode_odd = ode_n & 1;
    const ODE_R_ ode_q =
        ODE_M_(ode_quotient)(ODE_PICK_(ode_odd, ode_c, ode_s), ODE_PICK_(ode_odd, ode_cl, ode_sl),
            ODE_PICK_(ode_odd, ode_s, ode_c), ODE_PICK_(ode_odd, ode_sl, ode_cl), &ode_ql);
    return ODE_REAL_(ODE_BITS_(ode_q + ode_ql) ^ ODE_SIGN_BIT_(ode_odd));
}
/* Below 2^-13 (2^-27) sin x and tan x are x, also where that is -0 or subnormal. */
#define ODE_IS_TINY_(ode_x) ((ODE_BITS_(ode_x) & ~ODE_SIGN_) < ODE_POWER_(-(ODE_MANTISSA_ + 3) / 2))
#define ODE_IS_RARE_(ode_x) \
    ODE_WITHIN_(            \
        ODE_BITS_(ode_x) & ~ODE_SIGN_, ODE_POWER_(ODE_MATH_DOUBLE_ ? 30 : 20), ODE_INFINITY_)
#define ODE_CIRCULAR_(ode_name, ode_result)                                           \
    ODE_MATH_INLINE_ int ODE_M_(ode_math_##ode_name##_is_rare)(ODE_R_ ode_x) {        \
        return ODE_IS_RARE_(ode_x);                                                   \
    }                                                                                 \
    ODE_FUNCTION_ ODE_M_(ode_math_##ode_name##_common)(ODE_R_ ode_x) {                \
        ODE_R_ ode_rh, ode_rl;                                                        \
        const ODE_I_ ode_n = ODE_M_(ode_quadrant)(ode_x, &ode_rh, &ode_rl);           \
        return ode_result;                                                            \
    }                                                                                 \
    ODE_FUNCTION_ ODE_M_(ode_math_##ode_name)(ODE_R_ ode_x) {                         \
        ODE_R_ ode_rh, ode_rl;                                                        \
        if (!ODE_IS_RARE_(ode_x)) return ODE_M_(ode_math_##ode_name##_common)(ode_x); \
        const ODE_I_ ode_n = ODE_M_(ode_quadrant_rare)(ode_x, &ode_rh, &ode_rl);      \
        return ode_result;                                                            \
    }
ODE_CIRCULAR_(sin, ODE_PICK_(ODE_IS_TINY_(ode_x), ode_x, ODE_M_(ode_sin_of)(ode_n, ode_rh, ode_rl)))
ODE_CIRCULAR_(cos, ODE_M_(ode_sin_of)(ODE_PLUS_(ode_n, 1), ode_rh, ode_rl))
ODE_CIRCULAR_(tan, ODE_PICK_(ODE_IS_TINY_(ode_x), ode_x, ODE_M_(ode_tan_of)(ode_n, ode_rh, ode_rl)))
#undef ODE_CIRCULAR_
#undef ODE_IS_RARE_

ODE_FUNCTION_ ODE_M_(ode_math_log2)(ODE_R_ ode_x) {
    ODE_R_ ode_e, ode_rest, ode_pl;
    const ODE_R_ ode_m = ODE_M_(ode_split)(ode_x, &ode_e), ode_f = ode_m - 1;
    const ODE_R_ ode_ph = ODE_M_(ode_product)(ode_f, ODE_LOG2_E_1_, &ode_pl);
    const ODE_R_ ode_h = ODE_M_(ode_sum)(ode_e, ode_ph, &ode_rest);
    const ODE_R_ ode_half = ODE_N_(-0.5) * ode_f;
    const ODE_R_ ode_low =
        ODE_FMA_(ode_half, ode_pl, ode_rest + ODE_FMA_(ode_f, ODE_LOG2_E_2_, ode_pl));
    const ODE_R_ ode_tail = ODE_FMA_(ODE_M_(ode_log_tail)(ode_f, 0), ODE_LOG2_E_1_, ode_low);
    return ODE_M_(ode_log_special)(ode_x, ode_h + ODE_FMA_(ode_half, ode_ph, ode_tail));
}
/* log1p: with u = 1 + x, rounded, and c what that lost, 1 + x = 2^e (m + c 2^-e). */
ODE_LONG_FUNCTION_ ODE_M_(ode_math_log1p)(ODE_R_ ode_x) {
    ODE_R_ ode_e, ode_c;
    const ODE_R_ ode_u = ODE_M_(ode_sum_any)(1, ode_x, &ode_c),
                 ode_m = ODE_M_(ode_split)(ode_u, &ode_e), ode_f = ode_m - 1;
    /* From 2^60 on c is too small to matter, and 2^-e may be too small to be a number. */
    const ODE_R_ ode_s = ODE_PICK_(ODE_BITS_(ode_u) < ODE_POWER_(60),
        ODE_REAL_(ODE_PLUS_(ODE_MINUS_(ODE_BITS_(ode_m), ODE_BITS_(ode_u)), ODE_POWER_(0))), 0);
    const ODE_R_ ode_g = ODE_FMA_(ode_c, ode_s, ode_f);
    const ODE_R_ ode_lost = ODE_FMA_(ode_c, ode_s, ode_f - ode_g);
    return ODE_M_(ode_with_sign)(
        ODE_M_(ode_log_special)(ode_u, ODE_M_(ode_log_sum)(ode_e, ode_g, ode_lost)), ode_x);
}

ODE_LONG_FUNCTION_ ODE_M_(ode_math_expm1)(ODE_R_ ode_x) {
    const ODE_R_ ode_limit = ODE_MATH_DOUBLE_ ? 710 : 89;
    const ODE_R_ ode_a = ODE_M_(ode_limited)(ode_x, ODE_PICK_(ODE_BITS_(ode_x) < 0, 50, ode_limit));
    const ODE_R_ ode_t = ODE_FMA_(ode_a, ODE_LOG2_E_1_, ODE_MAGIC_);
    /* 2^n, halved where it has no number. */
    const ODE_I_ ode_n = ODE_INTEGER_(ode_t);
    const ODE_R_ ode_most = ODE_REAL_(ODE_POWER_(ODE_BIAS_));
    ODE_R_ ode_l;
    const ODE_R_ ode_s = ODE_PICK_(ode_n > ODE_BIAS_, ode_most, ODE_REAL_(ODE_POWER_(ode_n)));
    const ODE_R_ ode_h = ODE_M_(ode_expm1_parts)(ode_a, ode_t, ode_s, &ode_l);
    return ODE_M_(ode_with_sign)((ode_h + ode_l) * ODE_PICK_(ode_n > ODE_BIAS_, 2, 1), ode_x);
}

/* sinh and cosh of |x| = n log(2) + r, from sinh r = rh' + rl' and cosh r = 1 + c:
 *   sinh |x| = m cosh r + p sinh r, cosh |x| = p cosh r + m sinh r
 * with p = (2^n + 2^-n) / 2 and m = (2^n - 2^-n) / 2, all halved, lest 2^n overflows. */
ODE_FUNCTION_ ODE_M_(ode_hyperbolic)(ODE_R_ ode_x, const int ode_cosh) {
    const ODE_R_ ode_limit = ODE_N_(0.5) + (ODE_MATH_DOUBLE_ ? 710 : 89);
    const ODE_R_ ode_a = ODE_M_(ode_with_sign)(ODE_M_(ode_limited)(ode_x, ode_limit), 1);
    const ODE_R_ ode_t = ODE_FMA_(ode_a, ODE_LOG2_E_1_, ODE_MAGIC_), ode_n = ode_t - ODE_MAGIC_;
    const ODE_R_ ode_r0 = ODE_FMA_(ode_n, -ODE_LN2_1_, ode_a),
                 ode_rh = ODE_FMA_(ode_n, -ODE_LN2_2_, ode_r0);
    const ODE_R_ ode_rl = ODE_FMA_(ode_n, -ODE_LN2_2_, ode_r0 - ode_rh), ode_z = ode_rh * ode_rh;
    ODE_R_ ode_sl, ode_pl, ode_rest;
    const ODE_R_ ode_sh = ODE_M_(ode_sum)(
        ode_rh, ODE_FMA_(ode_z * ode_rh, ODE_M_(ode_poly_sinh)(ode_z), ode_rl), &ode_sl);
    const ODE_R_ ode_c = ODE_FMA_(
        ode_z * ode_z, ODE_M_(ode_poly_cosh)(ode_z), ODE_FMA_(ode_rh, ode_rl, ODE_N_(0.5) * ode_z));
    const ODE_I_ ode_k = ODE_INTEGER_(ode_t);
    const ODE_R_ ode_big = ODE_REAL_(ODE_POWER_(ODE_MINUS_(ode_k, 2)));
    const ODE_R_ ode_small = ODE_PICK_(ode_k < 60, ODE_REAL_(ODE_POWER_(ODE_MINUS_(-2, ode_k))), 0);
    ODE_R_ ode_wl;
    const ODE_R_ ode_v = ode_cosh ? ode_big - ode_small : ode_big + ode_small;
    const ODE_R_ ode_w = ODE_M_(ode_sum)(ode_big, ode_cosh ? ode_small : -ode_small, &ode_wl);
    const ODE_R_ ode_ph = ODE_M_(ode_product)(ode_v, ode_sh, &ode_pl),
                 ode_h = ODE_M_(ode_sum)(ode_w, ode_ph, &ode_rest);
    return 2 * (ode_h + (ode_rest + (ode_pl + (ode_wl + ODE_FMA_(ode_v, ode_sl, ode_w * ode_c)))));
}
ODE_LONG_FUNCTION_ ODE_M_(ode_math_sinh)(ODE_R_ ode_x) {
    return ODE_M_(ode_with_sign)(
        ODE_PICK_(ODE_IS_TINY_(ode_x), ode_x, ODE_M_(ode_hyperbolic)(ode_x, 0)), ode_x);
}
ODE_LONG_FUNCTION_ ODE_M_(ode_math_cosh)(ODE_R_ ode_x) { return ODE_M_(ode_hyperbolic)(ode_x, 1); }

/* atan(n / d) for n, d >= 0, of which one is not 0 and none infinite, with the sign of y; where
 * `left` is all bits, pi less that. q = n / d is at most 1; else d / n is used. */
ODE_FUNCTION_ ODE_M_(ode_angle)(ODE_R_ ode_n, ODE_R_ ode_d, const ODE_I_ ode_left, ODE_R_ ode_y) {
    const ODE_I_ ode_swap = -(ODE_I_)(ODE_BITS_(ode_n) > ODE_BITS_(ode_d));
    const ODE_R_ ode_small = ODE_CHOOSE_(ode_swap, ode_d, ode_n),
                 ode_large = ODE_CHOOSE_(ode_swap, ode_n, ode_d);
    ODE_R_ ode_ql, ode_rest;
    const ODE_R_ ode_q = ODE_M_(ode_quotient)(ode_small, 0, ode_large, 0, &ode_ql),
                 ode_z = ode_q * ode_q;
    /* pi/2 - atan(q) where swapped only, pi/2 + atan(q) where left, too, pi - atan(q) where left.
     */
    const ODE_I_ ode_flip = (ode_swap ^ ode_left) & ODE_SIGN_;
    const ODE_R_ ode_b1 = ODE_REAL_((ODE_BITS_(ODE_HALF_PI_1_) & ode_swap) |
                                    (ODE_BITS_(2 * ODE_HALF_PI_1_) & ~ode_swap & ode_left));
    const ODE_R_ ode_b2 = ODE_REAL_((ODE_BITS_(ODE_HALF_PI_2_) & ode_swap) |
                                    (ODE_BITS_(2 * ODE_HALF_PI_2_) & ~ode_swap & ode_left));
    const ODE_R_ ode_h = ODE_M_(ode_sum)(ode_b1, ODE_REAL_(ODE_BITS_(ode_q) ^ ode_flip), &ode_rest);
    /* Near q = 1 the tail c p is a fourth of the result, so c = q^3 has two parts, and c p is
     * rounded once, with all that is small. */
    ODE_R_ ode_cl;
    const ODE_R_ ode_c = ODE_M_(ode_product)(ode_q, ode_z, &ode_cl);
    const ODE_R_ ode_low = ODE_FMA_(ode_q, ODE_FMA_(ode_q, ode_q, -ode_z), ode_cl);
    const ODE_R_ ode_p = ODE_M_(ode_poly_atan)(ode_z);
    /* The derivative of the arctangent is 1 / (1 + z): about 1 - z / 2. */
    const ODE_R_ ode_slope = ODE_FMA_(ODE_N_(-0.5), ode_z, 1);
    const ODE_R_ ode_l =
        ODE_REAL_(ODE_BITS_(ODE_FMA_(ode_low, ode_p, ode_ql * ode_slope)) ^ ode_flip);
    const ODE_R_ ode_t =
        ODE_FMA_(ODE_REAL_(ODE_BITS_(ode_c) ^ ode_flip), ode_p, ode_rest + (ode_b2 + ode_l));
    return ODE_M_(ode_with_sign)(ode_h + ode_t, ode_y);
}
ODE_FUNCTION_ ODE_M_(ode_math_atan)(ODE_R_ ode_x) {
    const ODE_R_ ode_a = ODE_M_(ode_limited)(ode_x, ODE_REAL_(ODE_POWER_(60)));
    return ODE_M_(ode_angle)(ODE_M_(ode_with_sign)(ode_a, 1), 1, 0, ode_x);
}
/* What a quotient or a root of a squared sum with the larger number a is scaled by, so that no
 * reciprocal and no square is lost. */
ODE_FUNCTION_ ODE_M_(ode_scale)(
    ODE_R_ ode_a, const int ode_high, const int ode_up, const int ode_low) {
    const ODE_I_ ode_i = ODE_BITS_(ode_a);
    const ODE_R_ ode_one = 1;
    return ODE_PICK_(ode_i >= ODE_POWER_(ode_high), ODE_REAL_(ODE_POWER_(-ode_low)),
        ODE_PICK_(ode_i < ODE_POWER_(-ode_high), ODE_REAL_(ODE_POWER_(ode_up)), ode_one));
}
ODE_LONG_FUNCTION_ ODE_M_(ode_math_atan2)(ODE_R_ ode_y, ODE_R_ ode_x) {
    const ODE_I_ ode_xi = ODE_BITS_(ode_x), ode_xa = ode_xi & ~ODE_SIGN_,
                 ode_ya = ODE_BITS_(ode_y) & ~ODE_SIGN_;
    const ODE_I_ ode_swap = -(ODE_I_)(ode_ya > ode_xa);
    const ODE_I_ ode_most = (ode_ya & ode_swap) | (ode_xa & ~ode_swap);
    const ODE_R_ ode_s = ODE_M_(ode_scale)(ODE_REAL_(ode_most), ODE_MATH_DOUBLE_ ? 900 : 90,
        ODE_MATH_DOUBLE_ ? 200 : 60, ODE_MATH_DOUBLE_ ? 200 : 40);
    /* Infinite numbers are 1 beside 0, or both 1; two zeros are 0 beside 1. */
    const ODE_R_ ode_one = 1;
    const ODE_I_ ode_infinite = -(ODE_I_)(ode_most == ODE_INFINITY_);
    const ODE_R_ ode_n = ODE_CHOOSE_(
        ode_infinite, ODE_PICK_(ode_ya == ODE_INFINITY_, ode_one, 0), ODE_REAL_(ode_ya) * ode_s);
    const ODE_R_ ode_d = ODE_CHOOSE_(ode_infinite, ODE_PICK_(ode_xa == ODE_INFINITY_, ode_one, 0),
        ODE_PICK_(ode_most == 0, ode_one, ODE_REAL_(ode_xa) * ode_s));
    return ODE_M_(ode_angle)(ode_n, ode_d, -(ODE_I_)(ode_xi < 0), ode_y);
}

/* About 1 / sqrt(z), z > 0, with a relative error below 2^-25 (float) or 2^-37: an integer guess,
 * then Halley's iteration, in float Newton's after it. For 0 it is a large number. */
ODE_FUNCTION_ ODE_M_(ode_inverse_root)(ODE_R_ ode_z) {
    const ODE_I_ ode_guess = ODE_MATH_DOUBLE_ ? (ODE_I_)0x5fe6eb50c7b537a9 : (ODE_I_)0x5f375a86;
    ODE_R_ ode_r = ODE_REAL_(ode_guess - (ODE_I_)((ODE_U_)ODE_BITS_(ode_z) >> 1));
    ODE_R_ ode_e = ODE_FMA_(-ode_z * ode_r, ode_r, 1);
    ode_r = ODE_FMA_(ode_r * ode_e, ODE_FMA_(ODE_N_(0.375), ode_e, ODE_N_(0.5)), ode_r);
    ode_e = ODE_FMA_(-ode_z * ode_r, ode_r, 1);
#if ODE_MATH_DOUBLE_
    return ODE_FMA_(ode_r * ode_e, ODE_FMA_(0.375, ode_e, 0.5), ode_r);
#else
    return ODE_FMA_(ode_r * ode_e, 0.5f, ode_r);
#endif
}
/* The square root of z + zl as h + l. */
ODE_FUNCTION_ ODE_M_(ode_root)(ODE_R_ ode_z, ODE_R_ ode_zl, ODE_R_ *ode_l) {
    const ODE_R_ ode_r = ODE_M_(ode_inverse_root)(ode_z), ode_s = ode_z * ode_r;
    return ODE_M_(ode_sum)(
        ode_s, (ODE_FMA_(-ode_s, ode_s, ode_z) + ode_zl) * ode_r * ODE_N_(0.5), ode_l);
}
/* asin(s) = sh + *l for |x| <= 1/2, where s = |x|, else for s = sqrt((1 - |x|) / 2). Returns
 * whether the latter is so, as a mask. */
ODE_MATH_INLINE_ ODE_I_ ODE_M_(ode_asin_parts)(ODE_R_ ode_x, ODE_R_ *ode_sh, ODE_R_ *ode_l) {
    const ODE_R_ ode_a = ODE_M_(ode_with_sign)(ode_x, 1);
    const ODE_I_ ode_large = -(ODE_I_)(ODE_BITS_(ode_a) > ODE_POWER_(-1));
    const ODE_R_ ode_z = ODE_CHOOSE_(ode_large, ODE_N_(0.5) - ODE_N_(0.5) * ode_a, ode_a * ode_a);
    ODE_R_ ode_rl;
    const ODE_R_ ode_b = ODE_M_(ode_root)(ode_z, 0, &ode_rl),
                 ode_s = ODE_CHOOSE_(ode_large, ode_b, ode_a);
    *ode_l = ODE_FMA_(
        ode_s * ode_z, ODE_M_(ode_poly_asin)(ode_z), ODE_REAL_(ODE_BITS_(ode_rl) & ode_large));
    *ode_sh = ode_s;
    return ode_large;
}
/* `usual` if |x| <= 1, else NaN. */
ODE_FUNCTION_ ODE_M_(ode_in_unit)(ODE_R_ ode_x, ODE_R_ ode_usual) {
    return ODE_PICK_((ODE_BITS_(ode_x) & ~ODE_SIGN_) > ODE_POWER_(0), ODE_NAN_, ode_usual);
}
ODE_LONG_FUNCTION_ ODE_M_(ode_math_asin)(ODE_R_ ode_x) {
    ODE_R_ ode_sh, ode_l, ode_rest;
    const ODE_I_ ode_large = ODE_M_(ode_asin_parts)(ode_x, &ode_sh, &ode_l);
    const ODE_R_ ode_h = ODE_M_(ode_sum)(ODE_HALF_PI_1_, -2 * ode_sh, &ode_rest);
    const ODE_R_ ode_other = ode_h + (ode_rest + ODE_FMA_(-2, ode_l, ODE_HALF_PI_2_));
    return ODE_M_(ode_in_unit)(
        ode_x, ODE_M_(ode_with_sign)(ODE_CHOOSE_(ode_large, ode_other, ode_sh + ode_l), ode_x));
}
ODE_LONG_FUNCTION_ ODE_M_(ode_math_acos)(ODE_R_ ode_x) {
    ODE_R_ ode_sh, ode_l, ode_rest;
    const ODE_I_ ode_large = ODE_M_(ode_asin_parts)(ode_x, &ode_sh, &ode_l),
                 ode_minus = -(ODE_I_)(ODE_BITS_(ode_x) < 0);
    /* 2 asin(s) or, for x < 0, pi less that; or pi/2 less or more asin(|x|). */
    const ODE_I_ ode_pi1 = ODE_BITS_(2 * ODE_HALF_PI_1_), ode_pi2 = ODE_BITS_(2 * ODE_HALF_PI_2_);
    const ODE_R_ ode_b1 = ODE_CHOOSE_(ode_large, ODE_REAL_(ode_pi1 & ode_minus), ODE_HALF_PI_1_);
    const ODE_R_ ode_b2 = ODE_CHOOSE_(ode_large, ODE_REAL_(ode_pi2 & ode_minus), ODE_HALF_PI_2_);
    const ODE_R_ ode_one = 1;
    const ODE_R_ ode_factor =
        ODE_REAL_((ODE_BITS_(ode_one) + ((ODE_POWER_(1) - ODE_POWER_(0)) & ode_large)) ^
                  ((ode_minus ^ ~ode_large) & ODE_SIGN_));
    const ODE_R_ ode_h = ODE_M_(ode_sum)(ode_b1, ode_factor * ode_sh, &ode_rest);
    return ODE_M_(ode_in_unit)(ode_x, ode_h + (ode_rest + ODE_FMA_(ode_factor, ode_l, ode_b2)));
}
/* hypot = sqrt(a^2 + b^2), of which the sum has two parts; an infinite number wins over NaN. */
ODE_LONG_FUNCTION_ ODE_M_(ode_math_hypot)(ODE_R_ ode_x, ODE_R_ ode_y) {
    const ODE_I_ ode_xa = ODE_BITS_(ode_x) & ~ODE_SIGN_, ode_ya = ODE_BITS_(ode_y) & ~ODE_SIGN_;
    const ODE_I_ ode_swap = -(ODE_I_)(ode_ya > ode_xa);
    const ODE_I_ ode_most = (ode_ya & ode_swap) | (ode_xa & ~ode_swap),
                 ode_least = (ode_xa & ode_swap) | (ode_ya & ~ode_swap);
    const int ode_high = ODE_MATH_DOUBLE_ ? 500 : 60, ode_low = ODE_MATH_DOUBLE_ ? 530 : 70;
    const int ode_up = ODE_MATH_DOUBLE_ ? 600 : 90;
    const ODE_R_ ode_s = ODE_M_(ode_scale)(ODE_REAL_(ode_most), ode_high, ode_up, ode_low);
    const ODE_R_ ode_inverse = ODE_M_(ode_scale)(ODE_REAL_(ode_most), ode_high, -ode_up, -ode_low);
    const ODE_R_ ode_a = ODE_REAL_(ode_most) * ode_s, ode_b = ODE_REAL_(ode_least) * ode_s;
    ODE_R_ ode_al, ode_bl, ode_rest, ode_l;
    const ODE_R_ ode_ah = ODE_M_(ode_product)(ode_a, ode_a, &ode_al),
                 ode_bh = ODE_M_(ode_product)(ode_b, ode_b, &ode_bl);
    const ODE_R_ ode_z = ODE_M_(ode_sum)(ode_ah, ode_bh, &ode_rest);
    const ODE_R_ ode_c = ODE_M_(ode_root)(ode_z, ode_rest + (ode_al + ode_bl), &ode_l);
    const ODE_R_ ode_infinity = ODE_REAL_(ODE_INFINITY_);
    return ODE_PICK_(ode_xa == ODE_INFINITY_, ode_infinity,
        ODE_PICK_(ode_ya == ODE_INFINITY_, ode_infinity, ode_c * ode_inverse));
}

/* cbrt: of x = m 2^(3 k + j), |j| <= 1, r is about 1 / cbrt(m 2^j), and y = m 2^j r^2 is corrected
 * by its exact remainder. */
ODE_LONG_FUNCTION_ ODE_M_(ode_math_cbrt)(ODE_R_ ode_x) {
    const ODE_I_ ode_a = ODE_BITS_(ode_x) & ~ODE_SIGN_;
    ODE_R_ ode_e, ode_l;
    const ODE_R_ ode_m0 = ODE_M_(ode_split)(ODE_REAL_(ode_a), &ode_e);
    const ODE_R_ ode_t = ODE_FMA_(ode_e, ODE_THIRD_, ODE_MAGIC_),
                 ode_j = ODE_FMA_(-3, ode_t - ODE_MAGIC_, ode_e);
    const ODE_I_ ode_sign = ODE_BITS_(ode_j) < 0, ode_not_0 = (ODE_BITS_(ode_j) & ~ODE_SIGN_) != 0;
    const ODE_R_ ode_one = 1;
    const ODE_R_ ode_power = ODE_PICK_(ode_not_0, ODE_PICK_(ode_sign, ODE_N_(0.5), 2), ode_one);
    const ODE_R_ ode_inverse =
        ODE_PICK_(ode_not_0, ODE_PICK_(ode_sign, ODE_CBRT2_, ODE_INVERSE_CBRT2_), ode_one);
    const ODE_R_ ode_m = ode_m0 * ode_power;
    ODE_R_ ode_r = ODE_M_(ode_poly_cbrt)(ode_m0 - 1) * ode_inverse;
    const ODE_R_ ode_error = ODE_FMA_(-ode_m * ode_r, ode_r * ode_r, 1);
#if ODE_MATH_DOUBLE_
    ode_r =
        ODE_FMA_(ode_r * ode_error, ODE_FMA_(ode_error, ODE_N_(0x1.c71c72p-3), ODE_THIRD_), ode_r);
#else
    ode_r = ODE_FMA_(ode_r * ode_error, ODE_THIRD_, ode_r);
#endif
    const ODE_R_ ode_r2 = ode_r * ode_r, ode_y = ode_m * ode_r2,
                 ode_y2 = ODE_M_(ode_product)(ode_y, ode_y, &ode_l);
    const ODE_R_ ode_rest = ODE_FMA_(-ode_l, ode_y, ODE_FMA_(-ode_y2, ode_y, ode_m));
    const ODE_R_ ode_b = ODE_FMA_(ode_rest, ode_r2 * ODE_THIRD_, ode_y);
    const ODE_R_ ode_s = ODE_REAL_(ODE_POWER_OF_(ode_t));
    /* 0, infinite numbers and NaN are their own roots. */
    return ODE_PICK_(ODE_WITHIN_(ode_a, 1, ODE_INFINITY_),
        ODE_M_(ode_with_sign)(ode_b * ode_s, ode_x), ode_x + ode_x);
}

/* fmin, fmax: the order of the bits, turned for negative numbers, is that of the numbers, with -0
 * before +0. */
#define ODE_ORDER_(ode_i) ((ode_i) ^ (-(ODE_I_)((ode_i) < 0) & ~ODE_SIGN_))
#define ODE_EXTREME_(ode_name, ode_compare)                                              \
    ODE_FUNCTION_ ODE_M_(ode_math_##ode_name)(ODE_R_ ode_x, ODE_R_ ode_y) {              \
        const ODE_I_ ode_xi = ODE_BITS_(ode_x), ode_yi = ODE_BITS_(ode_y);               \
        const ODE_R_ ode_other = ODE_PICK_((ode_xi & ~ODE_SIGN_) > ODE_INFINITY_, ode_y, \
            ODE_PICK_(ODE_ORDER_(ode_xi) ode_compare ODE_ORDER_(ode_yi), ode_x, ode_y)); \
        return ODE_PICK_((ode_yi & ~ODE_SIGN_) > ODE_INFINITY_, ode_x, ode_other);       \
    }
ODE_EXTREME_(fmin, <)
ODE_EXTREME_(fmax, >)
#undef ODE_ORDER_
#undef ODE_EXTREME_

/* erf: from 1 on 1 - exp(p(x)), whose second part is at most 0.16, so that it needs less care. */
ODE_LONG_FUNCTION_ ODE_M_(ode_math_erf)(ODE_R_ ode_x) {
    const ODE_R_ ode_a = ODE_M_(ode_with_sign)(ODE_M_(ode_limited)(ode_x, 6), 1),
                 ode_z = ode_a * ode_a;
    const ODE_R_ ode_near = ODE_FMA_(ode_a, ODE_M_(ode_poly_erf)(ode_z), ode_a);
    const ODE_R_ ode_v = ODE_M_(ode_poly_erfc)(ode_a);
    const ODE_R_ ode_t = ODE_FMA_(ode_v, ODE_LOG2_E_1_, ODE_MAGIC_), ode_n = ode_t - ODE_MAGIC_;
    const ODE_R_ ode_r = ODE_FMA_(ode_n, -ODE_LN2_2_, ODE_FMA_(ode_n, -ODE_LN2_1_, ode_v));
    const ODE_R_ ode_s = ODE_REAL_(ODE_POWER_OF_(ode_t));
    const ODE_R_ ode_p = ODE_FMA_(ode_r, ODE_M_(ode_poly_exp)(ode_r), 1),
                 ode_far = ODE_FMA_(-ode_s * ode_r, ode_p, 1 - ode_s);
    return ODE_M_(ode_with_sign)(
        ODE_PICK_(ODE_BITS_(ode_a) < ODE_POWER_(0), ode_near, ode_far), ode_x);
}
#undef ODE_IS_TINY_

#undef ODE_R_
#undef ODE_I_
#undef ODE_U_
#undef ODE_FMA_
#undef ODE_BITS_
#undef ODE_REAL_
#undef ODE_PICK_
#undef ODE_BEYOND_
#undef ODE_M_
#undef ODE_FUNCTION_
#undef ODE_LONG_FUNCTION_
#undef ODE_N_
#undef ODE_MANTISSA_
#undef ODE_BIAS_
#undef ODE_MAGIC_
#undef ODE_SCALE_MAGIC_
#undef ODE_SIGN_
#undef ODE_SIGN_BIT_
#undef ODE_CHOOSE_
#undef ODE_INFINITY_
#undef ODE_NAN_
#undef ODE_POWER_
#undef ODE_PLUS_
#undef ODE_MINUS_
#undef ODE_INTEGER_
#undef ODE_POWER_OF_
#undef ODE_WITHIN_
#undef ODE_MATH_DOUBLE_
#undef ODE_MATH_
#undef ODE_MATH_REAL_
#undef ODE_MATH_INT_
#undef ODE_MATH_UINT_
#undef ODE_MATH_FMA_
#undef ODE_MATH_BITS_
#undef ODE_MATH_FROM_BITS_
#undef ODE_MATH_PICK_
#undef ODE_MATH_BEYOND_
