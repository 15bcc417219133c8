"""Computes rkc4.def, with numpy and mpmath; doc/design/methods.md describes the method.

    python3 lib/method/rkc4.py search SECONDS STAGES... >rows      finds kicks, at random
    cat rows lib/method/rkc4.def | python3 lib/method/rkc4.py refine >new.def

`search` starts from the rows of rkc4.def. `refine` prints a row for each number of stages that it
reads; of several with the same number it takes that with the longest interval. It keeps the stages
of the kicks and w0, meets the conditions of order in 50 digits, and computes the limits.

SPDX-License-Identifier: BSD-2-Clause
"""
import pathlib
import re
import sys
import time

import mpmath
import numpy as np

mpmath.mp.dps = 50
KICKS = 7  # the number of conditions beyond b = 1
DAMPING = 0.95  # |R| is at most this, except near 0
MOST = 2  # a stage that is larger counts against a table
HEAD = """\
/* SPDX-License-Identifier: BSD-2-Clause */
/* rkc4.def - for each number of stages s: s; the limits on the real and on the imaginary axis;
 * w0 - 1; w1; for each kick the number of the stage behind which it is, and its factor. See rock.c.
 *
 * lib/method/rkc4.py computes these numbers. */"""
# The sums of the conditions up to order 4: 1, b, b c, b A c, b c^2, b A A c, b c^3, b c A c,
# b A c^2, their orders, and their values for a method of order 4.
ORDERS = np.array([0, 1, 2, 3, 3, 4, 4, 4, 4])
GOALS = [1, 1, 1 / 2, 1 / 6, 1 / 3, 1 / 24, 1 / 4, 1 / 8, 1 / 12]


def recurrence(s, w0, at, factors, one=1.0):
    """kappa_j and mu_j / w1 of D_j = kappa_j D_(j-1) + mu_j z Q_(j-1), Q_j = Q_(j-1) + D_j. Factors
    may be arrays."""
    before, t = one, w0
    kappa, mu = [0 * one], [one / w0]
    for j in range(1, s):
        k = factors[at.index(j)] if j in at else one
        following = (1 + k) * w0 * t - k * before
        kappa.append(k * before / following)
        mu.append((1 + k) * t / following)
        before, t = t, following
    return kappa, mu


def sums(kappa, mu):
    """The sums above, with w1 = 1: b is 1 / w1."""
    q, d = [1] + [0] * 8, [0] * 9
    for k, m in zip(kappa, mu):
        c = q[1]
        f = [0, 1, c, q[2], c * c, q[3], c * c * c, c * q[2], q[4]]
        d = [k * x + m * y for x, y in zip(d, f)]
        q = [x + y for x, y in zip(q, d)]
    return q


def mismatch(s, w0, at, factors, one=1.0):
    q = sums(*recurrence(s, w0, at, factors, one))
    return [q[i] / q[1]**int(ORDERS[i]) - one * GOALS[i] for i in range(2, 9)], q[1]


def stages(kappa, mu, x):
    """The stages at x = w1 z, and the largest |Q| of all."""
    q, d, most = np.ones_like(x), 0 * x, 0
    for k, m in zip(kappa, mu):
        d = k * d + m * x * q
        q = q + d
        most = max(most, np.abs(q).max())
    return q, most


def solve(s, w0, at, factors):
    """Newton's method; None: it does not converge."""
    for _ in range(30):
        step = 1e-6 * np.hstack([np.zeros((KICKS, 1)), np.eye(KICKS), -np.eye(KICKS)])
        with np.errstate(all="ignore"):
            errors, b = mismatch(s, w0, at, factors[:, None] + step)
        errors = np.array(errors)
        if not np.isfinite(errors).all() or b[0] <= 0 or np.abs(factors).max() > 4:
            return None
        if np.abs(errors[:, 0]).max() < 1e-13:
            return factors if np.abs(factors).min() > 0.05 else None
        slopes = (errors[:, 1:KICKS + 1] - errors[:, KICKS + 1:]) / 2e-6
        delta = np.linalg.lstsq(slopes, -errors[:, 0], rcond=None)[0]
        factors = factors + delta * min(1, 0.4 / np.abs(delta).max())
    return None


def rate(s, w0, at, factors):
    """The interval over s^2, less what is too large."""
    kappa, mu = recurrence(s, w0, at, factors)
    x = (1 + w0) / 2 * (np.cos(np.linspace(0, np.pi, 8 * s)) - 1)
    q, most = stages(kappa, mu, x)
    q = np.abs(q)[np.maximum.accumulate(np.abs(q) < 0.8)]
    worst = q.max() if len(q) else 9
    return (sums(kappa, mu)[1] * (1 + w0) / s**2 - 2 * max(worst - DAMPING, 0) -
            max(most - MOST, 0) / 5)


def search(s, seconds, starts):
    random = np.random.default_rng(s)
    best, end = (-9, None), time.time() + seconds
    while time.time() < end:
        if best[1] and random.random() < 0.75:
            w0, at, factors = best[1]
            at = np.array(at, float)
            some = random.random(KICKS) < 0.4
            at[some] += max(0.6, 0.03 * s * random.random()**2) * random.standard_normal(sum(some))
            damping = (w0 - 1) * s * s + (0.05 * random.standard_normal() if some[0] else 0)
        else:
            at, factors = starts[random.integers(len(starts))]
            at = s * (np.array(at) + 0.02 * random.standard_normal(KICKS))
            damping = 0.15 + 0.35 * random.random()
        at = [int(x) for x in np.rint(at)]
        if damping < 0.05 or at[0] < 1 or at[-1] >= s or min(np.diff(at)) <= 0:
            continue
        w0 = 1 + damping / s**2
        factors = solve(s, w0, at, np.array(factors) * (1 + 0.1 * random.standard_normal(KICKS)))
        if factors is not None:
            best = max(best, (rate(s, w0, at, factors), (w0, at, factors)), key=lambda x: x[0])
    return best


def refine(s, w0, at, factors):
    """The factors, w1 and the limits in 50 digits."""
    w0 = mpmath.mpf(w0)
    f = mpmath.matrix([mpmath.mpf(x) for x in factors])
    one = mpmath.mpf(1)
    goals = [one / 2, one / 6, one / 3, one / 24, one / 4, one / 8, one / 12]

    def errors(x):
        q = sums(*recurrence(s, w0, at, list(x), one))
        return (mpmath.matrix([q[i] / q[1]**int(ORDERS[i]) - goals[i - 2] for i in range(2, 9)]),
                q[1])
    step = mpmath.mpf(10)**-20
    for _ in range(8):
        e, b = errors(f)
        if max(map(abs, e)) < mpmath.mpf(10)**-40:
            break
        slopes = mpmath.matrix(KICKS)
        for k in range(KICKS):
            moved = f.copy()
            moved[k] += step
            slopes[:, k] = (errors(moved)[0] - e) / step
        f -= mpmath.lu_solve(slopes, e)
    else:
        sys.exit("Newton's method does not converge for %d stages" % s)
    kappa, mu = recurrence(s, float(w0), at, [float(x) for x in f])
    b = float(b)
    x = (1 + float(w0)) * 1.02 * (1 - np.cos(np.linspace(0, np.pi, 1000 * s)[1:])) / 2
    y = np.arange(0, 40, 2e-4)
    real = x[np.abs(stages(kappa, mu, -x)[0]) > 1][0] * b
    imaginary = y[np.abs(stages(kappa, mu, 1j * y / b)[0]) > 1 + 1e-10][0]
    return list(f), 1 / b, real, imaginary


def digits(x):
    """Five digits, rounded down."""
    unit = 10.0**(4 - int(np.floor(np.log10(x))))
    return "%.5g" % (np.floor(x * unit) / unit)


def rows_of(text):
    """w0, the stages of the kicks, and their factors, by the number of stages."""
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    numbers = [float(x) for x in re.findall(r"[-+.\de]+(?=,)", text)]
    size = 5 + 2 * KICKS
    rows = sorted((numbers[i:i + size] for i in range(0, len(numbers), size)),
                  key=lambda r: (r[0], -r[1]))
    return {int(r[0]): (1 + r[3], [int(x) for x in r[5::2]], r[6::2]) for r in reversed(rows)}


def row(s, real, imaginary, w0, w1, at, factors):
    kicks = ["%d, %.17g," % (a, float(f)) for a, f in zip(at, factors)]
    return "\n".join(["%d, %s, %s, %.17g, %.17g," % (s, real, imaginary, w0 - 1, w1),
                      " ".join(kicks[:3]), " ".join(kicks[3:6]), " ".join(kicks[6:])])


def main():
    if sys.argv[1] == "refine":
        print(HEAD)
        for s, (w0, at, factors) in sorted(rows_of(sys.stdin.read()).items()):
            f, w1, real, imaginary = refine(s, w0, at, factors)
            limits = [digits(0.9999 * x) for x in (real, imaginary)]
            print(row(s, *limits, w0, w1, at, f), flush=True)
        return
    known = rows_of(pathlib.Path(__file__).with_name("rkc4.def").read_text())
    starts = [(np.array(at) / s, factors) for s, (_, at, factors) in known.items()]
    for s in map(int, sys.argv[3:]):
        best, found = search(s, float(sys.argv[2]), starts)
        if not found:
            sys.exit("nothing was found for %d stages" % s)
        w0, at, factors = found
        print(row(s, "%.5g" % (best * s * s), 1, w0, 1, at, factors), flush=True)


main()
