# SPDX-License-Identifier: BSD-2-Clause
"""Observers, against NumPy."""
import unittest

import numpy as np

import eulercl


def plain_histogram(values, bins, low, high):
    finite = values[(values >= low) & (values < high)]
    # numpy.histogram counts values at the upper end, which are not there
    counts, _ = np.histogram(finite, bins, (low, high))
    return [np.sum(values < low), *counts, np.sum(values >= high), np.sum(np.isnan(values))]


def differences(u, rings):
    """The squared differences of neighbours along each axis, x last."""
    for axis, ring in enumerate(rings):
        yield np.diff(u, axis=axis, **({"append": u.take([0], axis)} if ring else {}))


def plain_length(u, rings):
    u = u.astype(float)
    slope = sum(np.mean(part**2) for part in differences(u, rings))
    return 2 * np.pi * np.sqrt(np.var(u) / slope)


def plain_correlation(u, lag, axis, ring):
    u = u.astype(float) - u.astype(float).mean()
    other = np.roll(u, -lag, axis)
    if not ring:
        n = u.shape[axis] - lag
        u, other = u.take(range(n), axis), other.take(range(n), axis)
    return np.mean(u * other)


def plain_front(u, level):
    places = []
    for line in u.astype(float).reshape(-1, u.shape[-1]):
        above = line > level
        crossings = np.flatnonzero(above[1:] != above[:-1])
        if crossings.size:
            x = crossings[0]
            places.append(x + (level - line[x]) / (line[x + 1] - line[x]))
    return np.mean(places), np.std(places)


class Observers(unittest.TestCase):
    def setUp(self):
        self.rng = np.random.default_rng(2012)

    def problems(self):
        """Problems of one to three axes, with a state, a component and the rings of its axes."""
        for boundary in "periodic", "clamp":
            ring = boundary == "periodic"
            for shape in (37,), (23, 31), (7, 9, 11):
                axes = "xyz"[:len(shape)]
                pde = eulercl.PDE({"u": "laplace(u)", "v": "laplace(v)"}, grid=shape, boundary=boundary)
                u = self.rng.normal(size=pde.shape)
                yield pde, u, [ring] * len(axes)

    def test_values(self):
        for pde, y, rings in self.problems():
            for precision in "float", "double":
                state = y.astype(np.float32 if precision == "float" else np.float64)
                v = state[..., 1].astype(float)
                with eulercl.Solver(pde, state, precision=precision, backend="cpu", h=1.0) as solver:
                    with self.subTest(shape=pde.shape, precision=precision, rings=rings):
                        self.compare(solver, v, rings)

    def compare(self, solver, v, rings):
        np.testing.assert_array_equal(solver.observe("histogram:v:13:-1:0.7").values,
                                      plain_histogram(v, 13, -1, 0.7))
        observed = solver.observe("euler:v:0.1")
        inside = v > 0.1
        self.assertEqual(observed["size"], inside.sum())
        # beyond the ends of an axis no point belongs to the set
        padded = np.pad(inside.astype(int), 0 if rings[0] else 1)
        edges = sum(np.sum(part != 0) for part in differences(padded, rings))
        self.assertEqual(observed["boundary"], edges)
        np.testing.assert_allclose(solver.observe("length:v")[""], plain_length(v, rings), rtol=1e-12)
        np.testing.assert_allclose(solver.observe("front:v:0.1").values[:2], plain_front(v, 0.1), rtol=1e-12)
        observed = solver.observe("correlation:v:3")
        for axis in range(v.ndim):
            for lag in 1, 2, 3:
                np.testing.assert_allclose(
                    observed[f"{'xyz'[axis]}:{lag}"] * np.var(v),
                    plain_correlation(v, lag, v.ndim - 1 - axis, rings[0]), atol=1e-13)

    def test_not_finite(self):
        pde = eulercl.PDE({"u": "laplace(u)"}, grid=(4, 5))
        u = np.zeros(pde.shape)
        u[0, :, 0] = np.nan, np.inf, -np.inf, 0, 1
        with eulercl.Solver(pde, u, backend="cpu", h=1.0, check_finite=False) as solver:
            self.assertEqual(solver.observe("histogram:u:2:0:1").values.tolist(), [1, 16, 0, 2, 1])
            self.assertEqual(solver.observe("euler:u:0.5")["size"], 2)
            self.assertTrue(np.isnan(solver.observe("length:u")[""]))
            self.assertEqual(solver.observe("front:u:0.5")["missing"], 3)

    def test_solution(self):
        pde = eulercl.PDE({"u": "-c"}, grid=(6, 40), parameters={"c": 2})
        u = np.broadcast_to(np.linspace(3, -1, 40)[:, None], pde.shape)
        solution = eulercl.solve(pde, (0, 1), u, h=0.125, t_eval=[0, 0.25, 0.5])
        pde.set("c", 7)
        front = solution.observe("front:u:0")
        self.assertEqual(front.values.shape, (3, 4))
        np.testing.assert_allclose(front["speed"], [np.nan, -2 * 39 / 4, -2 * 39 / 4])
        self.assertEqual(pde.parameters["c"], 7)
        counts = solution.observe("histogram:u:64:-3:3")
        np.testing.assert_allclose(counts.quantile(0.5), [1, 0.5, 0], atol=0.1)
        self.assertEqual(counts.threshold().shape, (3,))
        with self.assertRaisesRegex(eulercl.InvalidError, "no counts"):
            front.quantile(0.5)
        with self.assertRaisesRegex(eulercl.InvalidError, "no value"):
            front["size"]

    def test_speed_of_a_solver(self):
        pde = eulercl.PDE({"u": "-1"}, grid=(3, 30))
        u = np.broadcast_to(np.linspace(2, -1, 30)[:, None], pde.shape)
        with eulercl.Solver(pde, u, h=0.25) as solver:
            self.assertTrue(np.isnan(solver.observe("front:u:0")["speed"]))
            solver.advance(2)
            self.assertAlmostEqual(solver.observe("front:u:0")["speed"], -29 / 3)

    def test_refused(self):
        pde = eulercl.PDE({"u": "laplace(u)"}, grid=(4, 5))
        with eulercl.Solver(pde, h=0.1, backend="cpu") as solver:
            for wanted in ("", "nothing", "euler:w:1", "euler:u", "euler:u:x", "histogram:u:0:0:1",
                           "correlation:u:9", None, 3, b"length:0", ["length:0"]):
                with self.subTest(wanted=wanted), self.assertRaises(eulercl.InvalidError):
                    solver.observe(wanted)

    def test_plots(self):
        try:
            import matplotlib
        except ImportError:
            self.skipTest("no matplotlib")
        matplotlib.use("agg")
        pde = eulercl.PDE({"u": "laplace(u)"}, grid=(12, 14))
        u = self.rng.normal(size=pde.shape)
        for times in [0, 0.1], np.linspace(0, 0.7, 8):
            solution = eulercl.solve(pde, (0, 1), u, h=0.1, t_eval=times)
            for wanted in ("histogram:u:16:-1:1", "histogram:u:2:90:91", "euler:u:0.1", "length:u", "front:u:0",
                           "correlation:u:5"):
                figure = solution.observe(wanted).plot()
                self.assertTrue(figure.axes)
                matplotlib.pyplot.close(figure)


if __name__ == "__main__":
    unittest.main()
