"""Computes rkc3.def, with numpy, scipy (1.9 or later) and mpmath: python3 lib/rkc3.py >lib/rkc3.def

doc/design/methods.md describes the method. A step has two parts: a sum of Legendre polynomials of
2 k stages, and a damped Chebyshev polynomial of k stages that continues from it.

SPDX-License-Identifier: BSD-2-Clause
"""
import mpmath
import numpy as np
from scipy.optimize import brentq, linprog

mpmath.mp.dps = 50
COUNTS = [3, 4, 5, 6, 7, 8, 10, 12, 16, 20, 24, 32, 40, 48, 64]
DAMPING = 0.95  # |R| is at most this, except near 0
HEAD = """/* rkc3.def - for each number of stages s: s; the limits on the real and on the imaginary axis;
 * the interval of the Legendre polynomials; the part of the step that the last s / 3 stages make;
 * C_1 .. C_(2 s / 3). See rock.c.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 *
 * lib/rkc3.py computes these numbers.
 */"""


def legendre(s, interval, one=1.0):
    """kappa_j and mu_j of D_j = kappa_j D_(j-1) + mu_j h F(Q_(j-1)), Q_j = Q_(j-1) + D_j."""
    return ([one * (j - 1) / j for j in range(1, s + 1)],
            [2 * one / interval * (2 * j - 1) / j for j in range(1, s + 1)])


def chebyshev(s, length, one=1.0):
    """The same of T_j(w0 + w1 z) / T_j(w0), which makes the part `length` of a step; its limit."""
    w0 = one + one / 20 / s**2
    t, slope = [one, w0], [0 * one, one]
    for _ in range(2, s + 1):
        slope.append(2 * t[-1] + 2 * w0 * slope[-1] - slope[-2])
        t.append(2 * w0 * t[-1] - t[-2])
    w1 = length * t[s] / slope[s]
    return ([0 * one] + [t[j - 2] / t[j] for j in range(2, s + 1)],
            [w1 / w0] + [2 * w1 * t[j - 1] / t[j] for j in range(2, s + 1)], (1 + w0) / w1)


def stages(kappa, mu, z):
    """The polynomials of the stages at z."""
    q, d = [np.ones_like(z)], 0 * z
    for k, m in zip(kappa, mu):
        d = k * d + m * z * q[-1]
        q.append(q[-1] + d)
    return np.array(q)


def weights(kappa, mu):
    """Of all stages: the sums b, b c, b A c and b c^2, which the conditions of order 3 are about."""
    w, d = [0 * mu[0]] * 4, [0 * mu[0]] * 4
    all_weights = [w]
    for k, m in zip(kappa, mu):
        d = [k * x + m * y for x, y in zip(d, [1, w[0], w[1], w[0] * w[0]])]
        w = [x + y for x, y in zip(w, d)]
        all_weights.append(w)
    return all_weights


def wanted(second):
    """These sums of the first part, if the step is of order 3."""
    b, bc, bac, bcc = second
    a = 1 - b
    ac = (1 - 2 * a * b) / 2 - bc
    return [a, ac, (1 - 6 * ac * b - 6 * a * bc) / 6 - bac, (1 - 3 * a * a * b - 6 * a * bc) / 3 - bcc]


def mismatch(k, interval, length, one=1.0):
    """What is missing in b c^2: of sums of Legendre polynomials it follows from the other three."""
    goal = wanted(weights(*chebyshev(k, length, one)[:2])[-1])
    table = weights(*legendre(2 * k, interval, one))
    at = [max(1, 2 * k // 3), 4 * k // 3, 2 * k]  # any three stages
    rows = [[table[i][row] for i in at] for row in range(3)]
    if isinstance(one, mpmath.mpf):
        r = mpmath.lu_solve(mpmath.matrix(rows), mpmath.matrix(goal[:3]))
    else:
        r = np.linalg.solve(np.array(rows), np.array(goal[:3]))
    return sum(r[n] * table[i][3] for n, i in enumerate(at)) - goal[3]


def find_length(k, interval):
    return brentq(lambda x: mismatch(k, interval, x), 0.4, 0.7, xtol=1e-13)


def find_sum(k, interval, least):
    """Coefficients r_j of Legendre polynomials: any that are stable, or those with the least sum of
    |r_j|. None: there are none."""
    length = find_length(k, interval)
    *second, limit = chebyshev(k, length)
    if limit < interval:
        return None
    z = -interval * (1 - np.cos(np.linspace(0, np.pi, 24 * k + 100)[1:])) / 2
    table = weights(*legendre(2 * k, interval))
    rows = np.vstack([np.ones(2 * k + 1), np.array(table, float)[:, :3].T])
    goal = np.array([1] + wanted(weights(*second)[-1])[:3], float)
    scale = np.abs(rows).max(axis=1)
    r = stages(*legendre(2 * k, interval), z).T * stages(*second, z)[-1][:, None]
    bound = np.maximum(np.where(z > -6, np.exp(z), 0), DAMPING)
    split = np.hstack([r, -r])  # r_j = p_j - q_j with p_j, q_j >= 0
    result = linprog(np.full(4 * k + 2, float(least)), A_ub=np.vstack([split, -split]),
                     b_ub=np.concatenate([bound, bound]),
                     A_eq=np.hstack([rows, -rows]) / scale[:, None], b_eq=goal / scale,
                     bounds=(0, None), method="highs")
    return None if result.status else result.x[:2 * k + 1] - result.x[2 * k + 1:]


def refine(k, interval, r):
    """The nearest coefficients that meet the conditions of order in 50 digits, and the length."""
    one = mpmath.mpf(1)
    x, y = (mpmath.mpf(find_length(k, interval)) * f for f in (one, one + one / 10**9))
    fx, fy = (mismatch(k, mpmath.mpf(interval), v, one) for v in (x, y))
    while abs(fy) > mpmath.mpf(10)**-40 and fx != fy:
        x, y, fx = y, y - fy * (y - x) / (fy - fx), fy
        fy = mismatch(k, mpmath.mpf(interval), y, one)
    goal = [one] + wanted(weights(*chebyshev(k, y, one)[:2])[-1])[:3]
    table = weights(*legendre(2 * k, mpmath.mpf(interval), one))
    rows = [[one] * (2 * k + 1)] + [[w[row] for w in table] for row in range(3)]
    scale = [max(map(abs, row)) for row in rows]
    rows = [[x / s for x in row] for row, s in zip(rows, scale)]
    r = [mpmath.mpf(float(x)) for x in r]
    error = mpmath.matrix([g / s - mpmath.fdot(row, r) for g, s, row in zip(goal, scale, rows)])
    square = mpmath.matrix([[mpmath.fdot(a, b) for b in rows] for a in rows])
    part = mpmath.lu_solve(square, error)
    return y, [x + sum(part[i] * rows[i][n] for i in range(4)) for n, x in enumerate(r)]


def growth(k, interval, length, r, z):
    first = np.array(r, float) @ stages(*legendre(2 * k, interval), z)
    return np.abs(first * stages(*chebyshev(k, float(length))[:2], z)[-1])


def find_limits(k, interval, length, r):
    """Where |R| first exceeds 1 on either axis."""
    x = interval * 1.02 * (1 - np.cos(np.linspace(0, np.pi, 400 * k)[1:])) / 2
    y = np.arange(0, 4, 1e-4)
    return (x[growth(k, interval, length, r, -x) > 1][0],
            y[growth(k, interval, length, r, 1j * y) > 1 + 1e-10][0])


def digits(x):
    """Five digits, rounded down."""
    unit = 10.0**(4 - int(np.floor(np.log10(x))))
    return "%.5g" % (np.floor(x * unit) / unit)


def main():
    print(HEAD)
    for k in COUNTS:
        s = 3 * k
        low, high = 0.3 * s * s, 0.5 * s * s
        while high - low > 1e-3 * low:
            middle = (low + high) / 2
            if find_sum(k, middle, 0) is None:
                high = middle
            else:
                low = middle
        interval = float("%.5g" % (0.999 * low))
        length, r = refine(k, interval, find_sum(k, interval, 1))
        real, imaginary = find_limits(k, interval, length, r)
        numbers = ["%.17g" % float(sum(r[j:])) for j in range(1, 2 * k + 1)]
        print("%d, %s, %s, %.5g, %.17g," % (s, digits(0.999 * real), digits(0.9999 * imaginary),
                                           interval, float(length)))
        line = ""
        for number in numbers:
            if line and len(line) + len(number) > 96:
                print(line)
                line = ""
            line += (" " if line else "") + number + ","
        print(line, flush=True)


main()
