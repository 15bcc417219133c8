/* SPDX-License-Identifier: BSD-2-Clause */
/* ode_math_constants.h - constants and polynomials of ode_math.h, read before it.
 * Made by `make math-coefficients` from lib/problem/math_coefficients.py. */
/* clang-format off */
#undef ODE_LOG2_E_1_
#undef ODE_LOG2_E_2_
#undef ODE_LN2_1_
#undef ODE_LN2_2_
#undef ODE_LN2_SHORT_1_
#undef ODE_LN2_SHORT_2_
#undef ODE_TWO_OVER_PI_
#undef ODE_HALF_PI_1_
#undef ODE_HALF_PI_2_
#undef ODE_HALF_PI_3_
#undef ODE_THIRD_
#undef ODE_CBRT2_
#undef ODE_INVERSE_CBRT2_
#undef ODE_POW_C1_1_
#undef ODE_POW_C1_2_
#undef ODE_POW_C3_1_
#undef ODE_POW_C3_2_
#if ODE_MATH_DOUBLE_
#define ODE_LOG2_E_1_ 0x1.71547652b82fep0
#define ODE_LOG2_E_2_ 0x1.777d0ffda0d24p-56
#define ODE_LN2_1_ 0x1.62e42fefa39efp-1
#define ODE_LN2_2_ 0x1.abc9e3b39803fp-56
#define ODE_LN2_SHORT_1_ 0x1.62e42fefa4p-1
#define ODE_LN2_SHORT_2_ -0x1.8432a1b0e2634p-43
#define ODE_TWO_OVER_PI_ 0x1.45f306dc9c883p-1
#define ODE_HALF_PI_1_ 0x1.921fb54442d18p0
#define ODE_HALF_PI_2_ 0x1.1a62633145c07p-54
#define ODE_HALF_PI_3_ -0x1.f1976b7ed8fbcp-110
#define ODE_THIRD_ 0x1.5555555555555p-2
#define ODE_CBRT2_ 0x1.428a2f98d728bp0
#define ODE_INVERSE_CBRT2_ 0x1.965fea53d6e3dp-1
#define ODE_POW_C1_1_ 0x1.71547652b82fep1
#define ODE_POW_C1_2_ 0x1.777d0ffda0d24p-55
#define ODE_POW_C3_1_ 0x1.ec709dc3a03fdp-1
#define ODE_POW_C3_2_ 0x1.d27f05548af0cp-55
#else
#define ODE_LOG2_E_1_ 0x1.715476p0f
#define ODE_LOG2_E_2_ 0x1.4ae0cp-26f
#define ODE_LN2_1_ 0x1.62e43p-1f
#define ODE_LN2_2_ -0x1.05c61p-29f
#define ODE_LN2_SHORT_1_ 0x1.62e4p-1f
#define ODE_LN2_SHORT_2_ 0x1.7f7d1cp-20f
#define ODE_TWO_OVER_PI_ 0x1.45f306p-1f
#define ODE_HALF_PI_1_ 0x1.921fb6p0f
#define ODE_HALF_PI_2_ -0x1.777a5cp-25f
#define ODE_HALF_PI_3_ -0x1.ee59dap-50f
#define ODE_THIRD_ 0x1.555556p-2f
#define ODE_CBRT2_ 0x1.428a3p0f
#define ODE_INVERSE_CBRT2_ 0x1.965feap-1f
#define ODE_POW_C1_1_ 0x1.715476p1f
#define ODE_POW_C1_2_ 0x1.4ae0cp-25f
#define ODE_POW_C3_1_ 0x1.ec709ep-1f
#define ODE_POW_C3_2_ -0x1.e2fe02p-28f
#endif
/* exp(r) = 1 + r + r^2 p(r), of expm1(r). Largest error: 2^-31.0 in float, 2^-61.7 in double. */
ODE_MATH_INLINE_ ODE_MATH_REAL_ ODE_MATH_(ode_poly_exp)(ODE_MATH_REAL_ ode_x) {
#if ODE_MATH_DOUBLE_
    ODE_MATH_REAL_ ode_p = 0x1.1f840a3df833dp-29;
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, 0x1.af5f7e0552f56p-26);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, 0x1.27e4d13037056p-22);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, 0x1.71ddf7e787d4fp-19);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, 0x1.a01a01ab1a0afp-16);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, 0x1.a01a01b00fcc5p-13);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, 0x1.6c16c16c15773p-10);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, 0x1.111111110f642p-7);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, 0x1.5555555555557p-5);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, 0x1.5555555555559p-3);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, 0x1p-1);
#else
    ODE_MATH_REAL_ ode_p = 0x1.a28f22p-13f;
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, 0x1.6d438cp-10f);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, 0x1.110fe2p-7f);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, 0x1.5554fp-5f);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, 0x1.555556p-3f);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, 0x1p-1f);
#endif
    return ode_p;
}
/* exp(r) = 1 + r + r^2 p(r); double does not use it. Largest error: 2^-28.2 in float, 2^-12.9 in
 * double. */
ODE_MATH_INLINE_ ODE_MATH_REAL_ ODE_MATH_(ode_poly_exp_short)(ODE_MATH_REAL_ ode_x) {
#if ODE_MATH_DOUBLE_
    ODE_MATH_REAL_ ode_p = 0x1.557a5a9bc5218p-3;
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, 0x1.0205b368c1f41p-1);
#else
    ODE_MATH_REAL_ ode_p = 0x1.6a54f8p-10f;
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, 0x1.123beep-7f);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, 0x1.5558aap-5f);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, 0x1.55548ep-3f);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, 0x1.fffffcp-2f);
#endif
    return ode_p;
}
/* exp(2 r) = 1 + 2 r + r^2 p(r); double does not use it. Largest error: 2^-28.2 in float, 2^-12.9
 * in double. */
ODE_MATH_INLINE_ ODE_MATH_REAL_ ODE_MATH_(ode_poly_exp_twice)(ODE_MATH_REAL_ ode_x) {
#if ODE_MATH_DOUBLE_
    ODE_MATH_REAL_ ode_p = 0x1.557a5a9bc5218p0;
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, 0x1.0205b368c1f41p1);
#else
    ODE_MATH_REAL_ ode_p = 0x1.6a54f8p-4f;
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, 0x1.123beep-2f);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, 0x1.5558aap-1f);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, 0x1.55548ep0f);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, 0x1.fffffcp0f);
#endif
    return ode_p;
}
/* 2^r = 1 + log(2) r + r^2 p(r). Largest error: 2^-28.2 in float, 2^-57.9 in double. */
ODE_MATH_INLINE_ ODE_MATH_REAL_ ODE_MATH_(ode_poly_exp2)(ODE_MATH_REAL_ ode_x) {
#if ODE_MATH_DOUBLE_
    ODE_MATH_REAL_ ode_p = 0x1.e7eb0d8dbfb9bp-32;
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, 0x1.e6177a571648fp-28);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, 0x1.b52638e3ca5e8p-24);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, 0x1.62bfca16af556p-20);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, 0x1.ffcbfbd5348dfp-17);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, 0x1.4309130db905dp-13);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, 0x1.5d87fe78c0867p-10);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, 0x1.3b2ab6fba07c5p-7);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, 0x1.c6b08d704a054p-5);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, 0x1.ebfbdff82c5a1p-3);
#else
    ODE_MATH_REAL_ ode_p = 0x1.416fb4p-13f;
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, 0x1.5f0652p-10f);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, 0x1.3b2ddcp-7f);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, 0x1.c6af84p-5f);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, 0x1.ebfbdcp-3f);
#endif
    return ode_p;
}
/* 1 / (2 + f), the start of an iteration. Largest error: 2^-13.0 in float, 2^-20.1 in double. */
ODE_MATH_INLINE_ ODE_MATH_REAL_ ODE_MATH_(ode_poly_reciprocal)(ODE_MATH_REAL_ ode_x) {
#if ODE_MATH_DOUBLE_
    ODE_MATH_REAL_ ode_p = -0x1.bd0511f99b4cp-7;
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, 0x1.084b8d5609c35p-5);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, -0x1.011c11469bd74p-4);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, 0x1.ffdbc3a518696p-4);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, -0x1.fffcb2f3c973ep-3);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, 0x1.0000072517fe1p-1);
#else
    ODE_MATH_REAL_ ode_p = -0x1.d15dd6p-5f;
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, 0x1.0652dp-3f);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, -0x1.006c7cp-2f);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, 0x1.fff4b8p-2f);
#endif
    return ode_p;
}
/* log(1 + f) = f - f^2 / 2 + f^3 p(f), of f; double does not use it. Largest error: 2^-30.2 in
 * float, 2^-10.6 in double. */
ODE_MATH_INLINE_ ODE_MATH_REAL_ ODE_MATH_(ode_poly_log)(ODE_MATH_REAL_ ode_x) {
#if ODE_MATH_DOUBLE_
    ODE_MATH_REAL_ ode_p = -0x1.ec8aa9ea08c4fp-3;
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, 0x1.67d93631396ap-2);
#else
    ODE_MATH_REAL_ ode_p = 0x1.16bab2p-4f;
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, -0x1.e04a4p-4f);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, 0x1.e6f4f2p-4f);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, -0x1.fbc1e6p-4f);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, 0x1.232fe8p-3f);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, -0x1.555f16p-3f);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, 0x1.99a546p-3f);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, -0x1p-2f);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, 0x1.555546p-2f);
#endif
    return ode_p;
}
/* log((1 + s) / (1 - s)) = 2 s + s z p(z), z = s^2. Largest error: 2^-29.2 in float, 2^-65.6 in
 * double. */
ODE_MATH_INLINE_ ODE_MATH_REAL_ ODE_MATH_(ode_poly_log_atanh)(ODE_MATH_REAL_ ode_x) {
#if ODE_MATH_DOUBLE_
    ODE_MATH_REAL_ ode_p = 0x1.0f0befb1de187p-3;
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, 0x1.0f678a3d1e104p-3);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, 0x1.3b202098f5097p-3);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, 0x1.745ce1e46b4ebp-3);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, 0x1.c71c724b00b54p-3);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, 0x1.2492492439dc7p-2);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, 0x1.9999999999d0dp-2);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, 0x1.5555555555555p-1);
#else
    ODE_MATH_REAL_ ode_p = 0x1.31e1a8p-2f;
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, 0x1.995edp-2f);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, 0x1.55557ap-1f);
#endif
    return ode_p;
}
/* log2((1 + s) / (1 - s)) = s (2/log(2) (1 + z / 3) + z^2 p(z)), z = s^2. Largest error: 2^-42.2 in
 * float, 2^-71.9 in double. */
ODE_MATH_INLINE_ ODE_MATH_REAL_ ODE_MATH_(ode_poly_log2_pow)(ODE_MATH_REAL_ ode_x) {
#if ODE_MATH_DOUBLE_
    ODE_MATH_REAL_ ode_p = 0x1.61ecddfd553dep-3;
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, 0x1.58fd59a9e3cc5p-3);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, 0x1.8a09affe1a86ep-3);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, 0x1.c68ee9987c967p-3);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, 0x1.0c9a853a853bep-2);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, 0x1.484b13d6adc86p-2);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, 0x1.a61762a7aedd3p-2);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, 0x1.2776c50ef9bfcp-1);
#else
    ODE_MATH_REAL_ ode_p = 0x1.202ce6p-2f;
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, 0x1.47b4b2p-2f);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, 0x1.a61946p-2f);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, 0x1.2776c4p-1f);
#endif
    return ode_p;
}
/* sin(r) = r + r z p(z), z = r^2, of r. Largest error: 2^-32.2 in float, 2^-62.8 in double. */
ODE_MATH_INLINE_ ODE_MATH_REAL_ ODE_MATH_(ode_poly_sin)(ODE_MATH_REAL_ ode_x) {
#if ODE_MATH_DOUBLE_
    ODE_MATH_REAL_ ode_p = -0x1.a62eb701b29a8p-41;
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, 0x1.61162f55a99a2p-33);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, -0x1.ae643f71adf8p-26);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, 0x1.71de3a418a8c7p-19);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, -0x1.a01a01a007b81p-13);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, 0x1.111111111108ep-7);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, -0x1.5555555555555p-3);
#else
    ODE_MATH_REAL_ ode_p = 0x1.76fe08p-19f;
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, -0x1.a04592p-13f);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, 0x1.111162p-7f);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, -0x1.555556p-3f);
#endif
    return ode_p;
}
/* cos(r) = 1 - z / 2 + z^2 p(z), z = r^2. Largest error: 2^-32.9 in float, 2^-63.7 in double. */
ODE_MATH_INLINE_ ODE_MATH_REAL_ ODE_MATH_(ode_poly_cos)(ODE_MATH_REAL_ ode_x) {
#if ODE_MATH_DOUBLE_
    ODE_MATH_REAL_ ode_p = -0x1.8f86160b81b8dp-37;
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, 0x1.1ee99ebcb839cp-29);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, -0x1.27e4f79a4ee4dp-22);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, 0x1.a01a019c1a525p-16);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, -0x1.6c16c16c14b94p-10);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, 0x1.5555555555549p-5);
#else
    ODE_MATH_REAL_ ode_p = 0x1.99d732p-16f;
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, -0x1.6c0c06p-10f);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, 0x1.55554ap-5f);
#endif
    return ode_p;
}
/* sinh(r) = r + r z p(z), z = r^2, of r. Largest error: 2^-34.1 in float, 2^-61.7 in double. */
ODE_MATH_INLINE_ ODE_MATH_REAL_ ODE_MATH_(ode_poly_sinh)(ODE_MATH_REAL_ ode_x) {
#if ODE_MATH_DOUBLE_
    ODE_MATH_REAL_ ode_p = 0x1.af5f7e056c165p-26;
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, 0x1.71ddf7e787cabp-19);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, 0x1.a01a01b00fcc5p-13);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, 0x1.111111110f642p-7);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, 0x1.5555555555559p-3);
#else
    ODE_MATH_REAL_ ode_p = 0x1.a28f22p-13f;
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, 0x1.110fe2p-7f);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, 0x1.555556p-3f);
#endif
    return ode_p;
}
/* cosh(r) = 1 + z / 2 + z^2 p(z), z = r^2. Largest error: 2^-33.2 in float, 2^-70.0 in double. */
ODE_MATH_INLINE_ ODE_MATH_REAL_ ODE_MATH_(ode_poly_cosh)(ODE_MATH_REAL_ ode_x) {
#if ODE_MATH_DOUBLE_
    ODE_MATH_REAL_ ode_p = 0x1.1f8bd99d1b7c7p-29;
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, 0x1.27e4cc1405417p-22);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, 0x1.a01a01ad7d6bp-16);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, 0x1.6c16c16c15p-10);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, 0x1.5555555555558p-5);
#else
    ODE_MATH_REAL_ ode_p = 0x1.6d4f24p-10f;
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, 0x1.5554e6p-5f);
#endif
    return ode_p;
}
/* tanh(x) = x + x z p(z), z = x^2, of x, |x| <= 3/4; double does not use it. Largest error: 2^-29.3
 * in float, 2^-12.0 in double. */
ODE_MATH_INLINE_ ODE_MATH_REAL_ ODE_MATH_(ode_poly_tanh)(ODE_MATH_REAL_ ode_x) {
#if ODE_MATH_DOUBLE_
    ODE_MATH_REAL_ ode_p = 0x1.998181a64a68ap-4;
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, -0x1.4feace3a8a666p-2);
#else
    ODE_MATH_REAL_ ode_p = 0x1.c90af6p-10f;
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, -0x1.f69066p-8f);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, 0x1.5f96e8p-6f);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, -0x1.b981cap-5f);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, 0x1.110ddep-3f);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, -0x1.55554ap-2f);
#endif
    return ode_p;
}
/* tanh(x) = 1 - w p(w), w = exp(-2 x), x >= 3/4; double does not use it. Largest error: 2^-28.1 in
 * float, 2^-10.7 in double. */
ODE_MATH_INLINE_ ODE_MATH_REAL_ ODE_MATH_(ode_poly_tanh_tail)(ODE_MATH_REAL_ ode_x) {
#if ODE_MATH_DOUBLE_
    ODE_MATH_REAL_ ode_p = -0x1.81d21910fb10dp0;
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, 0x1.f80af215fecf4p0);
#else
    ODE_MATH_REAL_ ode_p = -0x1.f70f4ap-1f;
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, 0x1.bcca64p0f);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, -0x1.f6caa6p0f);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, 0x1.ff5798p0f);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, -0x1.fffa64p0f);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, 0x1.fffffp0f);
#endif
    return ode_p;
}
/* atan(q) = q + q z p(z), z = q^2, of q. Largest error: 2^-28.3 in float, 2^-57.6 in double. */
ODE_MATH_INLINE_ ODE_MATH_REAL_ ODE_MATH_(ode_poly_atan)(ODE_MATH_REAL_ ode_x) {
#if ODE_MATH_DOUBLE_
    ODE_MATH_REAL_ ode_p = 0x1.bb173f121a292p-17;
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, -0x1.3eb83635ef42cp-13);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, 0x1.b37318be3dc93p-11);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, -0x1.79e1494553dcfp-9);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, 0x1.d76bca5b108a1p-8);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, -0x1.c75fdfb3e3a7ep-7);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, 0x1.6827645e3a291p-6);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, -0x1.e9ec6c14a1b7bp-6);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, 0x1.2c2b72fe0d1f6p-5);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, -0x1.59a35dd2c5d1bp-5);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, 0x1.82daf735d57e4p-5);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, -0x1.ae5e9d4dfff2bp-5);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, 0x1.e1bbb933b027ap-5);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, -0x1.110e53b5b49c3p-4);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, 0x1.3b1367121e5d5p-4);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, -0x1.745d11bd4efaap-4);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, 0x1.c71c71810321ap-4);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, -0x1.2492492386e99p-3);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, 0x1.99999999958dbp-3);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, -0x1.555555555552ap-2);
#else
    ODE_MATH_REAL_ ode_p = -0x1.d7e5a8p-10f;
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, 0x1.66b52cp-7f);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, -0x1.ffeb5cp-6f);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, 0x1.db6a18p-5f);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, -0x1.586a6p-4f);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, 0x1.c0af9ap-4f);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, -0x1.242432p-3f);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, 0x1.999248p-3f);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, -0x1.55554p-2f);
#endif
    return ode_p;
}
/* asin(s) = s + s z p(z), z = s^2, of s. Largest error: 2^-31.7 in float, 2^-59.8 in double. */
ODE_MATH_INLINE_ ODE_MATH_REAL_ ODE_MATH_(ode_poly_asin)(ODE_MATH_REAL_ ode_x) {
#if ODE_MATH_DOUBLE_
    ODE_MATH_REAL_ ode_p = 0x1.0af430dd3f589p-5;
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, -0x1.56fd76b06258ep-6);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, 0x1.62ee9242db9b4p-6);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, 0x1.e8142860729fcp-9);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, 0x1.611b12b815345p-7);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, 0x1.758af3cfebc9dp-7);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, 0x1.ca1efabbf892fp-7);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, 0x1.1c49f539bd2fep-6);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, 0x1.6e8bdeb346dfep-6);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, 0x1.f1c71a9554bc2p-6);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, 0x1.6db6db72162c3p-5);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, 0x1.333333332e03cp-4);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, 0x1.5555555555578p-3);
#else
    ODE_MATH_REAL_ ode_p = 0x1.339b94p-5f;
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, 0x1.d82adcp-7f);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, 0x1.04a60cp-5f);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, 0x1.6cabap-5f);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, 0x1.33389ap-4f);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, 0x1.55554cp-3f);
#endif
    return ode_p;
}
/* (1 + f)^(-1/3), the start of an iteration. Largest error: 2^-11.8 in float, 2^-14.5 in double. */
ODE_MATH_INLINE_ ODE_MATH_REAL_ ODE_MATH_(ode_poly_cbrt)(ODE_MATH_REAL_ ode_x) {
#if ODE_MATH_DOUBLE_
    ODE_MATH_REAL_ ode_p = 0x1.023c6404e2012p-3;
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, -0x1.8175c6b93b344p-3);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, 0x1.cbdcbf69a719ep-3);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, -0x1.54ef1608de3d2p-2);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, 0x1.fffcee73d3565p-1);
#else
    ODE_MATH_REAL_ ode_p = -0x1.3f4cdep-3f;
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, 0x1.e62ad2p-3f);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, -0x1.56ef1ap-2f);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, 0x1.ffe2c2p-1f);
#endif
    return ode_p;
}
/* erf(x) = x + x p(z), z = x^2, |x| < 1. Largest error: 2^-29.4 in float, 2^-55.9 in double. */
ODE_MATH_INLINE_ ODE_MATH_REAL_ ODE_MATH_(ode_poly_erf)(ODE_MATH_REAL_ ode_x) {
#if ODE_MATH_DOUBLE_
    ODE_MATH_REAL_ ode_p = -0x1.abe1007fc6e7ap-31;
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, 0x1.d7298f126471p-27);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, -0x1.5c08c58e9733bp-23);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, 0x1.b97ffcd5d2911p-20);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, -0x1.f4ca4de415e3fp-17);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, 0x1.f9a2ba5a67a7ap-14);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, -0x1.c02db0355720ep-11);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, 0x1.565bccf8bd912p-8);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, -0x1.b82ce311f49a9p-6);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, 0x1.ce2f21a040a5ep-4);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, -0x1.812746b0379b4p-2);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, 0x1.06eba8214db68p-3);
#else
    ODE_MATH_REAL_ ode_p = 0x1.4c2f1cp-14f;
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, -0x1.a50994p-11f);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, 0x1.542deep-8f);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, -0x1.b7fe8ep-6f);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, 0x1.ce2d5p-4f);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, -0x1.81274p-2f);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, 0x1.06eba8p-3f);
#endif
    return ode_p;
}
/* erf(x) = 1 - exp(p(x)), 1 <= x <= 6; the error of exp(p(x)). Largest error: 2^-29.6 in float,
 * 2^-54.7 in double. */
ODE_MATH_INLINE_ ODE_MATH_REAL_ ODE_MATH_(ode_poly_erfc)(ODE_MATH_REAL_ ode_x) {
#if ODE_MATH_DOUBLE_
    ODE_MATH_REAL_ ode_p = 0x1.3e2d8c4ca5e1dp-36;
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, -0x1.6daadecb0c474p-31);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, 0x1.7e056e332ce04p-27);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, -0x1.d9ef9a20875c5p-24);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, 0x1.78fc14e82e511p-21);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, -0x1.7057cc05f109bp-19);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, 0x1.042c362b7aa3dp-18);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, 0x1.c8f3cf11b6dep-16);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, -0x1.e026bb8095d1cp-13);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, 0x1.e0c6e0f79b52p-11);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, -0x1.1292e20804c57p-9);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, 0x1.30158ead06202p-11);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, 0x1.35246af626da8p-6);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, -0x1.a4694069c73eep-4);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, -0x1.45f933a92a3b1p-1);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, -0x1.20dcc864a8d7p0);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, -0x1.1898a4e063f44p-20);
#else
    ODE_MATH_REAL_ ode_p = 0x1.859ff6p-13f;
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, -0x1.81817ep-9f);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, 0x1.65547cp-6f);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, -0x1.a6106p-4f);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, -0x1.46c526p-1f);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, -0x1.2085aep0f);
    ode_p = ODE_MATH_FMA_(ode_p, ode_x, -0x1.7367ap-12f);
#endif
    return ode_p;
}
/* Bits 32 k to 32 k + 31 of 2/pi, whose first bit behind the point has the number 64. */
ODE_MATH_INLINE_ unsigned int ODE_MATH_(ode_two_over_pi)(int ode_k) {
    switch (ode_k) {
    case 2: return 0xa2f9836eu;
    case 3: return 0x4e441529u;
    case 4: return 0xfc2757d1u;
    case 5: return 0xf534ddc0u;
    case 6: return 0xdb629599u;
    case 7: return 0x3c439041u;
    case 8: return 0xfe5163abu;
    case 9: return 0xdebbc561u;
    case 10: return 0xb7246e3au;
    case 11: return 0x424dd2e0u;
    case 12: return 0x06492eeau;
    case 13: return 0x09d1921cu;
    case 14: return 0xfe1deb1cu;
    case 15: return 0xb129a73eu;
    case 16: return 0xe88235f5u;
    case 17: return 0x2ebb4484u;
    case 18: return 0xe99c7026u;
    case 19: return 0xb45f7e41u;
    case 20: return 0x3991d639u;
    case 21: return 0x835339f4u;
    case 22: return 0x9c845f8bu;
    case 23: return 0xbdf9283bu;
    case 24: return 0x1ff897ffu;
    case 25: return 0xde05980fu;
    case 26: return 0xef2f118bu;
    case 27: return 0x5a0a6d1fu;
    case 28: return 0x6d367ecfu;
    case 29: return 0x27cb09b7u;
    case 30: return 0x4f463f66u;
    case 31: return 0x9e5fea2du;
    case 32: return 0x7527bac7u;
    case 33: return 0xebe5f17bu;
    case 34: return 0x3d0739f7u;
    case 35: return 0x8a5292eau;
    case 36: return 0x6bfb5fb1u;
    case 37: return 0x1f8d5d08u;
    case 38: return 0x56033046u;
    case 39: return 0xfc7b6babu;
    case 40: return 0xf0cfbc20u;
    case 41: return 0x9af4361du;
    default: return 0;
    }
}
/* clang-format on */
