#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""math_coefficients.py - print include/eulercl/detail/ode_math_constants.h: the polynomials and constants of
ode_math.h. It needs mpmath; `make math-coefficients` runs it, which takes 10 s.

A polynomial is the best one in the largest weighted error (E. Remez's exchange), of the least degree that
reaches the bits asked for. Its first coefficients are rounded one by one, and those behind are fitted
again after each, as N. Brisebarre and S. Chevillard's fpminimax does more thoroughly
(Muller et al., Handbook of Floating-Point Arithmetic, 2nd ed., sec. 10.3)."""
from mpmath import mp, mpf

mp.prec = 240


class Format:
    """A binary format: its name in the header's condition, bits of the significand, suffix of literals."""

    def __init__(self, bits, suffix):
        self.bits, self.suffix = bits, suffix

    def round(self, x, bits=None):
        """x to the nearest number of `bits` bits (default: the format's), ties to even."""
        if x == 0:
            return mpf(0)
        mantissa, exponent = mp.frexp(x)
        scale = mpf(2) ** (bits or self.bits)
        return mp.ldexp(mp.nint(mantissa * scale) / scale, exponent)

    def text(self, x):
        """A hexadecimal literal, which every compiler reads as exactly x."""
        if x == 0:
            return "0" + (".0" + self.suffix if self.suffix else ".0")
        mantissa, exponent = mp.frexp(abs(x))
        digits = (self.bits + 2) // 4
        whole = int(mantissa * 2 * mpf(16) ** digits)
        fraction = f"{whole - 16 ** digits:0{digits}x}".rstrip("0")
        return f"{'-' if x < 0 else ''}0x1{'.' if fraction else ''}{fraction}p{exponent - 1}{self.suffix}"

    def parts(self, x, count, first_bits=None):
        """x as a sum of `count` numbers, each the rest of those before, rounded."""
        found = []
        for k in range(count):
            found.append(self.round(x, first_bits if k == 0 else None))
            x -= found[-1]
        return found


SINGLE, DOUBLE = Format(24, "f"), Format(53, "")


def fit(f, weight, low, high, degree, fixed):
    """The coefficients of the polynomial p of `degree`, whose first ones are `fixed`, with the least maximum
    of |weight (p - f)| on [low, high], and this maximum."""
    free = degree + 1 - len(fixed)

    def rest(x):
        value = f(x)
        for k, c in enumerate(fixed):
            value -= c * x ** k
        return value

    if free == 0:
        return list(fixed), max(abs(weight(x) * rest(x)) for x in mp.linspace(low, high, 200))
    if fixed:
        return least_squares(rest, weight, low, high, free, fixed)
    # Points of the start: extrema of a Chebyshev polynomial. The grid is dense at the ends, as extrema are.
    grid = [(low + high) / 2 - (high - low) / 2 * mp.cos(mp.pi * k / (24 * (free + 1)))
            for k in range(24 * (free + 1) + 1)]
    samples = [(x, abs(weight(x)), rest(x)) for x in grid]
    # At a zero of the weight nothing is to be approximated.
    most = max(s[1] for s in samples)
    samples = [s for s in samples if s[1] > most * mpf("1e-9")]
    at = [round(k * (len(samples) - 1) / free) for k in range(free + 1)]
    for _ in range(30):
        matrix, right = mp.matrix(free + 1), mp.matrix(free + 1, 1)
        for row, index in enumerate(at):
            x, w, value = samples[index]
            for column in range(free):
                matrix[row, column] = x ** column
            matrix[row, free] = (-1) ** row / w
            right[row] = value
        solved = mp.lu_solve(matrix, right)
        errors = []
        for x, w, value in samples:
            p = mpf(0)
            for column in reversed(range(free)):
                p = p * x + solved[column]
            errors.append(w * (p - value))
        worst = max(abs(e) for e in errors)
        level = abs(solved[free])
        if worst <= level * mpf("1.02"):
            break
        # The largest error between each two changes of sign.
        extrema = [0]
        for index in range(1, len(errors)):
            if (errors[index] > 0) != (errors[extrema[-1]] > 0):
                extrema.append(index)
            elif abs(errors[index]) > abs(errors[extrema[-1]]):
                extrema[-1] = index
        while len(extrema) > free + 1:
            del extrema[0 if abs(errors[extrema[0]]) < abs(errors[extrema[-1]]) else -1]
        if len(extrema) < free + 1:
            break
        at = extrema
    return [solved[k] for k in range(free)], worst


def least_squares(rest, weight, low, high, free, fixed):
    """The same with the least sum of squares at Chebyshev's points. The exchange would fail: powers from the
    first one on may have a common zero inside the interval."""
    count = 8 * (free + 1)
    points = [(low + high) / 2 - (high - low) / 2 * mp.cos(mp.pi * (k + mpf("0.5")) / count) for k in range(count)]
    matrix, right = mp.matrix(free, free), mp.matrix(free, 1)
    for x in points:
        w, value = weight(x), rest(x)
        powers = [w * x ** (column + len(fixed)) for column in range(free)]
        for row in range(free):
            right[row] += powers[row] * w * value
            for column in range(free):
                matrix[row, column] += powers[row] * powers[column]
    solved = mp.lu_solve(matrix, right)
    return list(fixed) + [solved[k] for k in range(free)], None


def polynomial(name, f, weight, low, high, bits, about):
    """The lines of the function ode_poly_NAME in both formats. bits: of float and of double."""
    low, high = mpf(low), mpf(high)
    bodies, notes = [], []
    for form, asked in zip((SINGLE, DOUBLE), bits):
        degree = 1
        while fit(f, weight, low, high, degree, [])[1] > mpf(2) ** -asked:
            degree += 1
        fixed = []
        # The rounding of the coefficients of higher order is far below the result's last bit.
        while len(fixed) <= min(degree, 3):
            best, _ = fit(f, weight, low, high, degree, fixed)
            fixed.append(form.round(best[len(fixed)]))
        best, _ = fit(f, weight, low, high, degree, fixed)
        rounded = [form.round(c) for c in best]
        error = max(abs(weight(x) * (mp.polyval(rounded[::-1], x) - f(x))) for x in mp.linspace(low, high, 400))
        notes.append(f"2^{float(mp.log(error, 2)):.1f}")
        lines = [f"    {type_} ode_p = {form.text(rounded[-1])};" for type_ in ("ODE_MATH_REAL_",)]
        lines += [f"    ode_p = ODE_MATH_FMA_(ode_p, ode_x, {form.text(c)});" for c in reversed(rounded[:-1])]
        bodies.append(lines)
    wrapped = f"/* {about} Largest error: {notes[0]} in float, {notes[1]} in double. */"
    out = [*wrap(wrapped), f"ODE_MATH_INLINE_ ODE_MATH_REAL_ ODE_MATH_(ode_poly_{name})(ODE_MATH_REAL_ ode_x) {{",
           "#if ODE_MATH_DOUBLE_", *bodies[1], "#else", *bodies[0], "#endif", "    return ode_p;", "}"]
    print("\n".join(out))


def wrap(text, width=100):
    lines = [""]
    for word in text.split(" "):
        if lines[-1] and len(lines[-1]) + 1 + len(word) > width:
            lines.append(" *")
        lines[-1] += (" " if lines[-1] else "") + word
    return lines


CONSTANTS = {SINGLE: [], DOUBLE: []}


def constant(name, value, count=1, first_bits=(None, None)):
    """Macros NAME_, or NAME_1_, NAME_2_ and so on for the parts, of which the first may be shorter."""
    for form, short in zip((SINGLE, DOUBLE), first_bits):
        value_ = value(form) if callable(value) else value
        for k, part in enumerate(form.parts(value_, count, short)):
            CONSTANTS[form].append((f"ODE_{name}_" + (f"{k + 1}_" if count > 1 else ""), form.text(part)))


def series(x, terms, exact):
    """exact(x), or near 0, where that cancels, the first terms of the power series in x."""
    return mp.polyval(terms[::-1], x) if abs(x) < mpf(2) ** -12 else exact(x)


def print_constants():
    for name, _ in CONSTANTS[SINGLE]:
        print(f"#undef {name}")
    print("#if ODE_MATH_DOUBLE_")
    for form in (DOUBLE, SINGLE):
        for name, text in CONSTANTS[form]:
            print(f"#define {name} {text}")
        print("#else" if form is DOUBLE else "#endif")


def print_two_over_pi():
    """Words of 32 bits of 2/pi, with 64 zero bits in front."""
    bits = int(mp.floor(2 / mp.pi * mpf(2) ** (32 * 40)))
    words = [0, 0] + [bits >> (32 * (39 - k)) & 0xFFFFFFFF for k in range(40)]
    print("/* Bits 32 k to 32 k + 31 of 2/pi, whose first bit behind the point has the number 64. */")
    print("ODE_MATH_INLINE_ unsigned int ODE_MATH_(ode_two_over_pi)(int ode_k) {")
    print("    switch (ode_k) {")
    for k, word in enumerate(words):
        if word:
            print(f"    case {k}: return 0x{word:08x}u;")
    print("    default: return 0;\n    }\n}")


def main():
    mp.prec = 1400
    two_over_pi_text = capture(print_two_over_pi)
    mp.prec = 240
    ln2, pi = mp.ln(2), mp.pi
    third = mpf(1) / 3
    half_ln2 = ln2 / 2 * mpf("1.001")
    root = mp.sqrt(mpf(2))
    low, high = 1 / root - 1, root - 1

    constant("LOG2_E", 1 / ln2, 2)
    constant("LN2", ln2, 2)
    constant("LN2_SHORT", ln2, 2, (15, 41))
    constant("TWO_OVER_PI", 2 / pi)
    constant("HALF_PI", pi / 2, 3)
    constant("THIRD", third)
    constant("CBRT2", mp.cbrt(2))
    constant("INVERSE_CBRT2", 1 / mp.cbrt(2))
    constant("POW_C1", 2 / ln2, 2)
    constant("POW_C3", 2 / ln2 / 3, 2)
    print(HEAD)
    print_constants()

    polynomial("exp", lambda r: series(r, [1 / mp.factorial(k + 2) for k in range(20)],
                                       lambda x: (mp.expm1(x) - x) / x ** 2),
               lambda r: r, -half_ln2, half_ln2, (28, 57), "exp(r) = 1 + r + r^2 p(r), of expm1(r).")
    polynomial("exp_short", lambda r: series(r, [1 / mp.factorial(k + 2) for k in range(20)],
                                             lambda x: (mp.expm1(x) - x) / x ** 2),
               lambda r: r * r * mp.exp(-r), -half_ln2, half_ln2, (27, 8),
               "exp(r) = 1 + r + r^2 p(r); double does not use it.")
    polynomial("exp_twice", lambda r: series(r, [mpf(2) ** (k + 2) / mp.factorial(k + 2) for k in range(20)],
                                             lambda x: (mp.expm1(2 * x) - 2 * x) / x ** 2),
               lambda r: r * r * mp.exp(-2 * r), -half_ln2 / 2, half_ln2 / 2, (27, 8),
               "exp(2 r) = 1 + 2 r + r^2 p(r); double does not use it.")
    polynomial("exp2", lambda r: series(r, [ln2 ** (k + 2) / mp.factorial(k + 2) for k in range(20)],
                                        lambda x: (mp.expm1(x * ln2) / x - ln2) / x),
               lambda r: r * r * 2 ** -r, -mpf("0.5"), mpf("0.5"), (28, 57), "2^r = 1 + log(2) r + r^2 p(r).")
    polynomial("reciprocal", lambda f: 1 / (2 + f), lambda f: 2 + f, low, high, (13, 17), "1 / (2 + f), the start of an iteration.")
    # (log(1 + f) - f + f^2 / 2) / f^3
    polynomial("log", lambda f: series(f, [mpf((-1) ** k) / (k + 3) for k in range(24)],
                                       lambda x: (mp.log1p(x) - x + x * x / 2) / x ** 3),
               lambda f: f * f, low, high, (28, 8), "log(1 + f) = f - f^2 / 2 + f^3 p(f), of f; double does not use it.")
    # log((1 + s) / (1 - s)) = 2 s + s z p(z), z = s^2
    z_high = (high / (2 + high)) ** 2 * mpf("1.001")

    def atanh_rest(first):
        def f(z):
            def exact(z):
                s = mp.sqrt(z)
                value = 2 * mp.atanh(s) / s
                for k in range(first):
                    value = (value - mpf(2) / (2 * k + 1)) / z
                return value
            return series(z, [mpf(2) / (2 * k + 1) for k in range(first, first + 30)], exact)
        return f
    polynomial("log_atanh", atanh_rest(1), lambda z: z, 0, z_high, (28, 59),
               "log((1 + s) / (1 - s)) = 2 s + s z p(z), z = s^2.")
    polynomial("log2_pow", lambda z: atanh_rest(2)(z) / ln2, lambda z: z * z, 0, z_high, (36, 68),
               "log2((1 + s) / (1 - s)) = s (2/log(2) (1 + z / 3) + z^2 p(z)), z = s^2.")

    quarter = pi / 4 * mpf("1.02")
    polynomial("sin", lambda z: series(z, [mpf((-1) ** (k + 1)) / mp.factorial(2 * k + 3) for k in range(20)],
                                       lambda z: (mp.sin(mp.sqrt(z)) / mp.sqrt(z) - 1) / z),
               lambda z: z, 0, quarter ** 2, (28, 58), "sin(r) = r + r z p(z), z = r^2, of r.")
    polynomial("cos", lambda z: series(z, [mpf((-1) ** k) / mp.factorial(2 * k + 4) for k in range(20)],
                                       lambda z: (mp.cos(mp.sqrt(z)) - 1 + z / 2) / z ** 2),
               lambda z: z * z, 0, quarter ** 2, (28, 58), "cos(r) = 1 - z / 2 + z^2 p(z), z = r^2.")
    hyperbolic = half_ln2 ** 2
    polynomial("sinh", lambda z: series(z, [1 / mp.factorial(2 * k + 3) for k in range(20)],
                                        lambda z: (mp.sinh(mp.sqrt(z)) / mp.sqrt(z) - 1) / z),
               lambda z: z, 0, hyperbolic, (29, 59), "sinh(r) = r + r z p(z), z = r^2, of r.")
    polynomial("cosh", lambda z: series(z, [1 / mp.factorial(2 * k + 4) for k in range(20)],
                                        lambda z: (mp.cosh(mp.sqrt(z)) - 1 - z / 2) / z ** 2),
               lambda z: z * z, 0, hyperbolic, (29, 59), "cosh(r) = 1 + z / 2 + z^2 p(z), z = r^2.")
    tanh_terms = mp.taylor(mp.tanh, 0, 15)[3::2]
    polynomial("tanh", lambda z: series(z, tanh_terms, lambda z: (mp.tanh(mp.sqrt(z)) / mp.sqrt(z) - 1) / z),
               lambda z: z, 0, mpf("0.5626"), (27, 8), "tanh(x) = x + x z p(z), z = x^2, of x, |x| <= 3/4; double does not use it.")
    polynomial("tanh_tail", lambda w: 2 / (1 + w), lambda w: w, 0, mp.exp(mpf("-1.499")), (27, 8),
               "tanh(x) = 1 - w p(w), w = exp(-2 x), x >= 3/4; double does not use it.")
    polynomial("atan", lambda z: series(z, [mpf((-1) ** (k + 1)) / (2 * k + 3) for k in range(24)],
                                        lambda z: (mp.atan(mp.sqrt(z)) / mp.sqrt(z) - 1) / z),
               lambda z: z, 0, 1, (28, 56), "atan(q) = q + q z p(z), z = q^2, of q.")
    asin_terms = [mp.rf(mpf("0.5"), k) / mp.factorial(k) / (2 * k + 1) for k in range(1, 25)]
    polynomial("asin", lambda z: series(z, asin_terms, lambda z: (mp.asin(mp.sqrt(z)) / mp.sqrt(z) - 1) / z),
               lambda z: z, 0, mpf("0.25"), (28, 57), "asin(s) = s + s z p(z), z = s^2, of s.")
    polynomial("cbrt", lambda f: (1 + f) ** -third, lambda f: (1 + f) ** third, low, high, (11, 13),
               "(1 + f)^(-1/3), the start of an iteration.")
    slope = 2 / mp.sqrt(pi) - 1
    erf_terms = [slope] + [(slope + 1) * (-1) ** k / mp.factorial(k) / (2 * k + 1) for k in range(1, 24)]
    polynomial("erf", lambda z: series(z, erf_terms, lambda z: mp.erf(mp.sqrt(z)) / mp.sqrt(z) - 1),
               lambda z: 1 + 0 * z, 0, 1, (28, 56), "erf(x) = x + x p(z), z = x^2, |x| < 1.")
    polynomial("erfc", lambda x: mp.log(mp.erfc(x)), mp.erfc, 1, 6, (28, 55),
               "erf(x) = 1 - exp(p(x)), 1 <= x <= 6; the error of exp(p(x)).")
    print(two_over_pi_text, end="")
    print("/* clang-format on */")


def capture(function):
    import contextlib
    import io
    text = io.StringIO()
    with contextlib.redirect_stdout(text):
        function()
    return text.getvalue()


HEAD = """/* SPDX-License-Identifier: BSD-2-Clause */
/* ode_math_constants.h - constants and polynomials of ode_math.h, read before it.
 * Made by `make math-coefficients` from lib/problem/math_coefficients.py. */
/* clang-format off */"""

if __name__ == "__main__":
    main()
