# SPDX-License-Identifier: BSD-2-Clause
"""Thinned states and points that satisfy conditions, against NumPy."""
import importlib.util
import itertools
import math
import unittest

import numpy as np

import eulercl
from test_eulercl import has_opencl

FOLDS = {"mean": np.mean, "max": np.max, "min": np.min,
         "every": lambda block: block[(0,) * block.ndim]}


def plain_thin(u, n, mode):
    u = u.astype(float)
    shape = [-(-extent // n) for extent in u.shape]
    values = np.empty(shape)
    for place in itertools.product(*map(range, shape)):
        values[place] = FOLDS[mode](u[tuple(slice(i * n, i * n + n) for i in place)])
    return values


def plain_smooth(u, smoothing, modes):
    """Smooth along z, y and x, with the order of sums of the library. modes: of numpy.pad, for each axis."""
    weights = np.array([math.comb(2 * smoothing, k) for k in range(2 * smoothing + 1)]) / 4.0 ** smoothing
    u = u.astype(float)
    for axis, mode in enumerate(modes):
        padded = np.pad(u, [(smoothing * (i == axis),) * 2 for i in range(u.ndim)], mode)

        def moved(far):
            return np.take(padded, np.arange(u.shape[axis]) + smoothing + far, axis)
        u = moved(0) * weights[smoothing]
        for far in range(smoothing, 0, -1):
            u += (moved(-far) + moved(far)) * weights[smoothing - far]
    return u


class Thinned(unittest.TestCase):
    def setUp(self):
        self.rng = np.random.default_rng(48)

    def test_values(self):
        for shape in (37,), (23, 31), (7, 9, 11):
            pde = eulercl.PDE({"u": "laplace(u)", "v": "laplace(v)"}, grid=shape)
            for kind in np.float32, np.float64:
                y = self.rng.normal(size=pde.shape).astype(kind)
                precision = "float" if kind == np.float32 else "double"
                with eulercl.Solver(pde, y, precision=precision, backend="cpu", h=1.0) as solver:
                    for n, mode in itertools.product((1, 2, 5, 8, 100), FOLDS):
                        with self.subTest(shape=shape, n=n, mode=mode):
                            np.testing.assert_allclose(solver.thin("v", n, mode),
                                                       plain_thin(y[..., 1], n, mode), rtol=1e-14, atol=1e-15)
                    np.testing.assert_array_equal(solver.thin(0, 3), solver.thin("u", 3, "mean"))

    def smoothed(self, shape, boundary, smoothing):
        pde = eulercl.PDE({"u": "laplace(u)", "v": "laplace(v)"}, grid=shape, boundary=boundary)
        y = self.rng.normal(size=pde.shape)
        with eulercl.Solver(pde, y, backend="cpu", h=1.0) as solver:
            return y[..., 1], solver.thin("v", 1, "every", smoothing), solver.thin("v", 4, "mean", smoothing)

    def test_smoothed(self):
        for shape, smoothing in itertools.product(((37,), (23, 31), (7, 9, 11), (1, 5)), (1, 2, 5, 28)):
            for boundary, mode in ("periodic", "wrap"), ("clamp", "symmetric"):
                with self.subTest(shape=shape, boundary=boundary, smoothing=smoothing):
                    u, every, mean = self.smoothed(shape, boundary, smoothing)
                    wanted = plain_smooth(u, smoothing, [mode] * len(shape))
                    np.testing.assert_array_equal(every, wanted)
                    np.testing.assert_allclose(mean, plain_thin(wanted, 4, "mean"), rtol=1e-13, atol=1e-15)

    @unittest.skipUnless(importlib.util.find_spec("scipy"), "needs SciPy")
    def test_smoothed_scipy(self):
        from scipy import ndimage
        for shape, smoothing in itertools.product(((37,), (23, 31), (7, 9, 11), (3, 20)), (1, 4, 28)):
            for boundary, mode in ("periodic", "wrap"), ("clamp", "reflect"):
                with self.subTest(shape=shape, boundary=boundary, smoothing=smoothing):
                    wanted, every, _ = self.smoothed(shape, boundary, smoothing)
                    weights = [math.comb(2 * smoothing, k) / 4.0 ** smoothing for k in range(2 * smoothing + 1)]
                    for axis in range(wanted.ndim):
                        wanted = ndimage.convolve1d(wanted, weights, axis, mode=mode)
                    np.testing.assert_allclose(every, wanted, rtol=1e-14, atol=1e-16)

    def test_smoothed_is_not_finite(self):
        pde = eulercl.PDE({"u": "laplace(u)"}, grid=(9, 9))
        u = np.zeros(pde.shape)
        u[4, 4], u[0, 0] = np.nan, np.inf
        with eulercl.Solver(pde, u, backend="cpu", h=1.0, check_finite=False) as solver:
            smooth = solver.thin("u", 1, "every", 1)
        wanted = np.zeros((9, 9))
        wanted[3:6, 3:6], wanted[:2, :2] = np.nan, np.inf
        np.testing.assert_array_equal(smooth, wanted)

    def test_not_finite(self):
        pde = eulercl.PDE({"u": "laplace(u)"}, grid=(4, 6))
        u = np.arange(24.0).reshape(pde.shape)
        u[0, 0], u[2:, 4:] = np.nan, np.nan
        with eulercl.Solver(pde, u, backend="cpu", h=1.0, check_finite=False) as solver:
            np.testing.assert_array_equal(np.isnan(solver.thin("u", 2)), [[1, 0, 0], [0, 0, 1]])
            np.testing.assert_array_equal(solver.thin("u", 2, "max"), [[7, 9, 11], [19, 21, np.nan]])
            np.testing.assert_array_equal(solver.thin("u", 2, "min"), [[1, 2, 4], [12, 14, np.nan]])
            np.testing.assert_array_equal(solver.thin("u", 2, "every"), [[np.nan, 2, 4], [12, 14, np.nan]])

    def test_regions(self):
        for shape, regions in (((37,), np.s_[5:31, 7, -1, 30:99]),
                               ((23, 31), np.s_[4, (slice(None), 30), (slice(2, 20), slice(1, None)), -3:, ()]),
                               ((7, 9, 11), np.s_[(3,), (slice(None), 8), (slice(None), slice(None), 0),
                                                  (slice(1, 6), slice(0, 4), slice(5, 10)), (1, 2, 3)])):
            pde = eulercl.PDE({"u": "laplace(u)", "v": "laplace(v)"}, grid=shape)
            y = self.rng.normal(size=pde.shape)
            for backend in ["seq", "cpu"] + ["cl-linear"] * has_opencl():
                with eulercl.Solver(pde, y, backend=backend, h=1.0) as solver:
                    smooth = solver.thin("v", 1, "every", 2)
                    for region, n, mode in itertools.product(regions, (1, 3, 40), FOLDS):
                        with self.subTest(shape=shape, backend=backend, region=region, n=n, mode=mode):
                            for found, u in ((solver.thin("v", n, mode, region=region), y[..., 1]),
                                             (solver.thin("v", n, mode, 2, region), smooth)):
                                np.testing.assert_allclose(found, plain_thin(u[region], n, mode),
                                                           rtol=1e-14, atol=1e-15)
            pieces = eulercl.solve(pde, (0, 0.5), y, h=0.5, t_eval=[0]).thin("u", 3, region=regions[0])
            np.testing.assert_allclose(pieces[0], plain_thin(y[..., 0][regions[0]], 3, "mean"), atol=1e-15)

    def test_refused_regions(self):
        pde = eulercl.PDE({"u": "laplace(u)"}, grid=(4, 5))
        with eulercl.Solver(pde, h=0.1, backend="cpu") as solver:
            for region in (4, -5, (0, 5), (0, 0, 0), 0.5, "x", None, [1], slice(0, 4, 2), slice(2, 2), slice(3, 1),
                           slice(9, 12), slice(None, None, -1), slice("a", 2), ...):
                with self.subTest(region=region), self.assertRaisesRegex(eulercl.InvalidError, "^region: "):
                    solver.thin("u", 2, region=region)

    def test_solution(self):
        pde = eulercl.PDE({"u": "-c"}, grid=(6, 40), parameters={"c": 2})
        u = self.rng.normal(size=pde.shape)
        solution = eulercl.solve(pde, (0, 1), u, h=0.125, t_eval=[0, 0.5])
        thinned = solution.thin("u", 4)
        self.assertEqual(thinned.shape, (2, 2, 10))
        np.testing.assert_allclose(thinned[1], plain_thin(u[..., 0], 4, "mean") - 1, atol=1e-14)

    def test_refused(self):
        pde = eulercl.PDE({"u": "laplace(u)"}, grid=(4, 5))
        with eulercl.Solver(pde, h=0.1, backend="cpu") as solver:
            for arguments in (("w", 2), (1, 2), (-1, 2), (None, 2), ("u", 0), ("u", -1), ("u", 1.5), ("u", "2"),
                              ("u", 2, "median"), ("u", 2, None), ("u", 2, 0), ("u", 2, "mean", -1),
                              ("u", 2, "mean", 29), ("u", 2, "mean", 0.5), ("u", 2, "mean", None)):
                with self.subTest(arguments=arguments), self.assertRaises(eulercl.InvalidError):
                    solver.thin(*arguments)


class Conditions(unittest.TestCase):
    def setUp(self):
        self.rng = np.random.default_rng(84)

    def compare(self, found, where, u):
        np.testing.assert_array_equal(found.points, np.argwhere(where))
        np.testing.assert_array_equal(found.values, u[where].astype(float))
        self.assertEqual(len(found), where.sum())

    def test_values(self):
        for shape in (37,), (23, 31), (7, 9, 11):
            pde = eulercl.PDE({"u": "laplace(u)", "v": "laplace(v)"}, grid=shape)
            for kind in np.float32, np.float64:
                y = self.rng.normal(size=pde.shape).astype(kind).round(1)
                v, level = y[..., 1], float(y.flat[5])
                y[..., 0].flat[:5] = np.nan, np.inf, -np.inf, 0, -0.0
                precision = "float" if kind == np.float32 else "double"
                with eulercl.Solver(pde, y, precision=precision, backend="cpu", h=1.0,
                                    check_finite=False) as solver:
                    for text, where in ((f"v > {level!r}", v > level), (f"1>={level!r}", v >= level),
                                        (f" v<{level!r}", v < level), (f"v <= {level!r} ", v <= level),
                                        ("v > 99", v > 99)):
                        with self.subTest(shape=shape, text=text):
                            self.compare(solver.extract(text), where, v)
                    for text, where in ("u > 1e300", y[..., 0] > 1e300), ("u <= 0", y[..., 0] <= 0):
                        self.compare(solver.extract(text), where, y[..., 0])

    def test_solution(self):
        pde = eulercl.PDE({"u": "-c"}, grid=(6, 40), parameters={"c": 2})
        u = self.rng.normal(size=pde.shape)
        solution = eulercl.solve(pde, (0, 1), u, h=0.125, t_eval=[0, 0.5])
        found = solution.extract("u < -1")
        self.assertEqual(len(found), 2)
        for one, state in zip(found, solution.y):
            self.compare(one, state[..., 0] < -1, state[..., 0])

    def test_refused(self):
        pde = eulercl.PDE({"u": "laplace(u)"}, grid=(4, 5))
        with eulercl.Solver(pde, h=0.1, backend="cpu") as solver:
            for condition in ("", "u", "u >", "w > 1", "u > w", "u > nan", "> 1", "1 > 0", "u != 1", None, 3,
                              b"u > 1"):
                with self.subTest(condition=condition), self.assertRaises(eulercl.InvalidError):
                    solver.extract(condition)


if __name__ == "__main__":
    unittest.main()
