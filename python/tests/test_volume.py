# SPDX-License-Identifier: BSD-2-Clause
"""Tests of equations on grids with three dimensions: against functions of whole arrays, other programs, and the
command; pictures and data sets; errors. test_eulercl.py and test_operators.py test the rest of the package."""
import pathlib
import pickle
import subprocess
import tempfile
import unittest

import numpy as np

import eulercl
from test_eulercl import COMMAND, SEED, has_opencl, optional
from test_operators import Periodic, random_state, rates

SHAPE = (5, 6, 7)  # nz, ny, nx


class Operators(unittest.TestCase):
    """Formulas on a periodic grid, against sums of moved arrays."""

    formulas = [
        "laplace(u)", "d_dx(u*v) + 2*d_dy(u) - d_dz(v)", "d2_dx2(u) - d2_dy2(v**2) + d2_dz2(u*v)", "laplace(u**3 - laplace(u))",
        "gradient_squared(u)", "dot(grad(u), v*grad(v))", "div((2 + u)*grad(v))", "div((2 + u)*grad(u), mean='harmonic')",
        "shift(u*v, 1, -2, 2)", "d_dz(d_dx(u))", "div((1.5 + sin(x + y - z))*grad(u))", "where(z > y, x*u, t)"]

    def test_formulas(self):
        for extent, spacing in ((None, (1, 1, 1)), ((7, 3, 10), (1, 0.5, 2)), ((3.5, 3, 2.5), (0.5, 0.5, 0.5))):
            pde = eulercl.PDE({"u": self.formulas[0], "v": self.formulas[1], **{f"f{n}": text for n, text in enumerate(self.formulas[2:])}},
                              grid=SHAPE, boundary="periodic", extent=extent)
            state, whole = random_state(pde), Periodic(spacing)
            z, y, x = (one * h for one, h in zip(np.indices(SHAPE).astype(float), reversed(spacing)))
            names = {**whole.names, "d_dz": lambda u: whole.first(u, 2), "d2_dz2": lambda u: whole.second(u, 2),
                     "u": state[..., 0], "v": state[..., 1], "x": x, "y": y, "z": z, "t": 0.75}
            found, others = rates(pde, state), eulercl._rhs.array_function(pde, np)(0.75, state)
            for c, text in enumerate(self.formulas):
                with self.subTest(text=text, spacing=spacing):
                    wanted = eval(text, dict(names))
                    np.testing.assert_allclose(found[..., c], wanted, rtol=0, atol=1e-12 * (1 + np.abs(wanted).max()))
                    np.testing.assert_allclose(others[..., c], wanted, rtol=0, atol=1e-12 * (1 + np.abs(wanted).max()))

    def test_tensor(self):
        """Fluxes by components; that along z reads the derivative along x at its face."""
        pde = eulercl.PDE({"u": "div(2*d_dx(u), d_dy(u), 3*d_dz(u) + u*d_dx(v))", "v": "div(u, -u, v)"}, grid=SHAPE, boundary="periodic")
        state = random_state(pde)
        u, v, whole = state[..., 0], state[..., 1], Periodic((1, 1, 1))
        move = whole.shift
        in_z = 3 * (move(u, 0, 0, 1) - u) + (u + move(u, 0, 0, 1)) / 2 * (whole.first(v, 0) + move(whole.first(v, 0), 0, 0, 1)) / 2
        wanted = np.stack([2 * whole.second(u, 0) + whole.second(u, 1) + in_z - move(in_z, 0, 0, -1),
                           whole.first(u, 0) - whole.first(u, 1) + whole.first(v, 2)], -1)
        for found in (rates(pde, state), eulercl._rhs.array_function(pde, np)(0, state)):
            np.testing.assert_allclose(found, wanted, atol=1e-13)

    def test_word(self):
        """The Laplace operator of an unknown is the word of problems' files, with the same bits."""
        pde = eulercl.PDE({"u": "laplace(u) + laplace(u*u)", "v": "laplace(0*u + v)", "w": "laplace(w)"}, grid=SHAPE, boundary="periodic")
        self.assertIn("LAPLACE(0)", pde.source)
        state = random_state(pde)
        state[..., 2] = state[..., 1]
        found = rates(pde, state)
        np.testing.assert_array_equal(found[..., 1], found[..., 2])


class Sides(unittest.TestCase):
    """What stands beyond the grid, and the places of points."""

    def test_value(self):
        """Walls of cells with a value, from the definition: a ghost is 2 g - u."""
        for names in (("left", "right", "bottom", "top", "back", "front"), ("x-", "x+", "y-", "y+", "z-", "z+")):
            pde = eulercl.PDE({"u": "laplace(u)"}, grid=SHAPE, centred="cells",
                              boundary={name: {"value": f"{k} + t"} for k, name in enumerate(names)})
            u = random_state(pde)[..., 0]
            whole = np.zeros([n + 2 for n in SHAPE])
            whole[1:-1, 1:-1, 1:-1] = u
            for k in range(6):
                along = 2 - k // 2
                ghosts = [slice(1, -1)] * 3
                ghosts[along] = -1 if k % 2 else 0
                whole[tuple(ghosts)] = 2 * (k + 0.75) - u[(slice(None),) * along + (-1 if k % 2 else 0,)]
            wanted = sum(np.roll(whole, d, axis) for d in (-1, 1) for axis in range(3))[1:-1, 1:-1, 1:-1] - 6 * u
            np.testing.assert_allclose(rates(pde, u[..., None])[..., 0], wanted, atol=1e-13)

    def test_rules(self):
        """Formulas and arrays of all sides, in corners, too: as NumPy's function has them."""
        numbers = np.random.default_rng(SEED)
        nz, ny, nx = SHAPE
        D = numbers.uniform(0.5, 2, SHAPE)
        equations = {"u": "laplace(u**2 - laplace(u)) + shift(u, 2, 1, -2)", "v": "d_dx(d_dz(v)) + div(D*grad(v)) + shift(u, -1, 2, 1)"}
        for boundary, others in [
                ({"x-": {"value": "sin(y - 2*z)"}, "right": {"mixed": ("D", numbers.uniform(size=(nz, ny)))}, "y-": {"derivative": "t*x + z*D"},
                  "top": {"value": numbers.uniform(size=(nz, nx))}, "back": {"derivative": "x*y*D"}, "*": "mirror"}, {"centred": "cells"}),
                ({"u": {"x": "mirror", "y": {"derivative": "z - x"}, "z": {"value": numbers.uniform(size=(ny, nx))}},
                  "v": {"x": {"mixed": (0.5, "y*z")}, "y": "clamp", "z": {"derivative": "x + D"}}}, {"extent": (2, 3, 4)}),
                ({"x": "periodic", "y": {"value": "x + 10*z"}, "z": "mirror"}, {"dx": (0.5, 1, 2)}),
                ({"z": "periodic", "x": {"derivative": "y + z"}, "y": {"value": "z - x"}}, {"centred": "cells", "extent": [(0, 1), (1, 2), (-1, 3)]})]:
            with self.subTest(boundary=boundary):
                pde = eulercl.PDE(equations, grid=SHAPE, boundary=boundary, parameters={"D": D}, **others)
                state = random_state(pde)
                found = rates(pde, state)
                np.testing.assert_allclose(eulercl._rhs.array_function(pde, np)(0.75, state), found, atol=1e-11 * np.abs(found).max())
                np.testing.assert_array_equal(rates(pickle.loads(pickle.dumps(pde)), state), found)

    def test_places(self):
        pde = eulercl.PDE({"u": "x + 10*y + 100*z"}, grid=SHAPE, extent=[(0, 7), (6, 12), (-5, 0)], centred="cells", boundary="mirror",
                          initial={"u": lambda x, y, z: x + 10*y + 100*z})
        z, y, x = np.indices(SHAPE) + 0.5
        wanted = x + 10 * (y + 6) + 100 * (z - 5)
        for found in (pde.initial(), rates(pde, pde.initial())):
            np.testing.assert_allclose(found[..., 0], wanted, rtol=1e-14)

    def test_mask(self):
        numbers = np.random.default_rng(SEED)
        mask, still = numbers.uniform(size=SHAPE) < 0.3, numbers.uniform(size=SHAPE) < 0.2
        for where in ({}, {"extent": (7, 3, 10)}):
            pde = eulercl.PDE({"u": "laplace(u) + div((1 + v)*grad(u))", "v": "laplace(v)"}, grid=SHAPE, centred="cells",
                              boundary={"*": {"derivative": 0}}, mask=mask, still=still, **where)
            state, spacing = random_state(pde, 0.1), (1, 0.5, 2) if where else (1, 1, 1)
            wanted = np.zeros(SHAPE)
            for axis in range(3):  # differences to open neighbours
                v, other = state[..., 1], 2 - axis
                for side in (-1, 1):
                    inner = np.arange(SHAPE[other]) + side
                    there = np.clip(inner, 0, SHAPE[other] - 1)
                    is_open = ~mask & ~np.take(mask, there, other)
                    wanted += is_open * (np.take(v, there, other) - v) / spacing[axis]**2
            wanted[mask | still] = 0
            found = rates(pde, state)
            np.testing.assert_allclose(found[..., 1], wanted, atol=1e-13)
            np.testing.assert_allclose(eulercl._rhs.array_function(pde, np)(0.75, state), found, atol=1e-12)
            only = eulercl.PDE({"u": "div((1 + v)*grad(u))", "v": "0"}, grid=SHAPE, centred="cells", boundary={"*": {"derivative": 0}},
                               mask=mask, **where)
            self.assertLess(abs(rates(only, state)[..., 0].sum()), 1e-12)


class Runs(unittest.TestCase):
    """Whole runs: the same bits, the command's files, other programs."""

    equations = {"u": "0.2*laplace(u) - u*v*v + 0.04*(1 - u)", "v": "0.1*laplace(v) + u*v*v - 0.1*v"}

    def made(self, boundary="mirror", **others):
        numbers = np.random.default_rng(SEED)
        return eulercl.PDE(self.equations, grid=SHAPE, boundary=boundary, centred="cells",
                           initial={name: numbers.uniform(0.2, 0.8, SHAPE) for name in "uv"}, **others)

    def test_bits(self):
        backends = ["seq", "cpu", "pthreads", *(["cl-linear"] if has_opencl() else [])]
        for boundary in ("mirror", "periodic", {"x": "periodic", "*": {"value": 0.5}}):
            pde = self.made(boundary)
            hashes = {eulercl.solve(pde, (0, 5), h=0.5, backend=backend).state_hash for backend in backends}
            self.assertEqual(len(hashes), 1, hashes)

    def test_euler(self):
        """Steps of Euler's method by NumPy alone."""
        y = self.made("periodic").initial()
        for _ in range(20):
            u, v = y[..., 0], y[..., 1]
            lap = [sum(np.roll(w, d, axis) for d in (-1, 1) for axis in range(3)) - 6 * w for w in (u, v)]
            y = y + 0.5 * np.stack([0.2 * lap[0] - u * v * v + 0.04 * (1 - u), 0.1 * lap[1] + u * v * v - 0.1 * v], -1)
        found = eulercl.solve(self.made("periodic"), (0, 10), h=0.5, method="euler").y[-1]
        np.testing.assert_allclose(found, y, atol=1e-13)

    def test_tolerance(self):
        """The solution to a tolerance, and that of SciPy."""
        integrate = optional("scipy.integrate", self)
        pde = self.made({"*": {"derivative": 0.01}})
        f = eulercl._rhs.array_function(pde, np)
        wanted = integrate.solve_ivp(lambda t, y: f(t, y.reshape(pde.shape)).ravel(), (0, 5), pde.initial().ravel(), method="DOP853",
                                     rtol=1e-11, atol=1e-11).y[:, -1].reshape(pde.shape)
        found = eulercl.solve(pde, (0, 5), rtol=1e-8, atol=1e-8).y[-1]
        np.testing.assert_allclose(found, wanted, atol=1e-6)

    def test_py_pde(self):
        other = optional("pde", self)
        equations = {"u": "0.3*laplace(u) + d_dz(v) - gradient_squared(u)", "v": "laplace(v) + u*z + d2_dz2(u)"}
        rules = {"x-": {"value": 1.5}, "x+": {"derivative": 0.5}, "y": {"derivative": 0}, "z-": {"value": 0.25}, "z+": {"type": "mixed", "value": 2, "const": 1}}
        words = {"left": rules["x-"], "right": rules["x+"], "bottom": rules["y"], "top": rules["y"], "back": rules["z-"], "front": rules["z+"]}
        nz, ny, nx = SHAPE
        grid = other.CartesianGrid([[0, 7], [0, 3], [0, 10]], [nx, ny, nz], periodic=False)
        for boundary in (rules, words):
            pde = eulercl.PDE(equations, grid=SHAPE, extent=(7, 3, 10), centred="cells", boundary=boundary)
            state = random_state(pde)
            fields = [other.ScalarField(grid, state[..., c].T) for c in range(2)]
            wanted = other.PDE(equations, bc=boundary).evolution_rate(other.FieldCollection(fields), t=0).data.transpose(3, 2, 1, 0)
            np.testing.assert_allclose(rates(pde, state, 0), wanted, atol=1e-12 * np.abs(wanted).max())

    def test_files(self):
        """A file of the command's, and a state for it."""
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder)
            (path / "box.c").write_text(self.made().source)
            np.save(path / "start.npy", self.made().initial())
            subprocess.run([COMMAND, "solve", "-q", "box.c", "--in", "start.npy", "--h", "0.5", "--steps", "10", "--out", "end.npy"], cwd=path, check=True)
            end = np.load(path / "end.npy")
        self.assertEqual(end.shape, (*SHAPE, 2))
        np.testing.assert_array_equal(end, eulercl.solve(self.made(), (0, 5), h=0.5, method="euler").y[-1])

    def test_sweep(self):
        pde = eulercl.PDE({"u": "k*laplace(u)"}, grid=SHAPE, boundary="mirror", parameters=dict(k=1.0), initial={"u": lambda x, y, z: x*y - z})
        found = eulercl.sweep(pde, (0, 0.1), h=0.05, k=[0.5, 1])
        self.assertEqual(np.asarray(found["u"]).shape, (2, 1, *SHAPE))


class Shown(unittest.TestCase):
    """Pictures and data sets."""

    @classmethod
    def setUpClass(cls):
        pde = eulercl.PDE({"u": "0.1*laplace(u)", "v": "u"}, grid=SHAPE, boundary="mirror", initial={"u": lambda x, y, z: x + 10*y + 100*z})
        cls.solution = eulercl.solve(pde, (0, 1), h=0.5, t_eval=[0, 0.5, 1], method="euler")

    def test_dataset(self):
        optional("xarray", self)
        data = self.solution.to_xarray()
        self.assertEqual(data["u"].dims, ("t", "z", "y", "x"))
        self.assertEqual(data["u"].shape, (3, *SHAPE))

    def test_plot(self):
        optional("matplotlib", self).use("Agg")
        figure = self.solution.plot("u", times=[0, 1])
        panels = [one for one in figure.axes if one.images]
        self.assertEqual(len(panels), 6)
        first = self.solution.y[0, ..., 0]
        labels = [(one.get_xlabel(), one.get_ylabel(), one.get_title()) for one in panels[::2]]
        self.assertEqual(labels, [("x", "y", "t = 0, z = 2"), ("x", "z", "t = 0, y = 3"), ("y", "z", "t = 0, x = 3")])
        for panel, wanted in zip(panels[::2], (first[2], first[:, 3], first[:, :, 3])):
            np.testing.assert_array_equal(panel.images[0].get_array(), wanted)
            self.assertEqual(panel.images[0].get_clim(), panels[0].images[0].get_clim())
        self.assertIn("<img", self.solution._repr_html_())

    def test_animate(self):
        optional("matplotlib", self).use("Agg")
        animation = self.solution.animate("v")
        animation._func(2)
        panels = [one for one in animation._fig.axes if one.images and one.get_title()]
        last = self.solution.y[2, ..., 1]
        for panel, wanted in zip(panels, (last[2], last[:, 3], last[:, :, 3]), strict=True):
            np.testing.assert_array_equal(panel.images[0].get_array(), wanted)
            self.assertTrue(panel.get_title().startswith("t = 1, "))
        animation._draw_was_started = True  # it is never shown


class Errors(unittest.TestCase):
    """Messages of one line that name the problem."""

    def test_errors(self):
        for arguments, reason in [
                (dict(grid=(2, 3, 4, 5)), r"^grid: \(2, 3, 4, 5\) is not nx, \(ny, nx\) or \(nz, ny, nx\)$"),
                (dict(grid=(4, 4), boundary={"front": "mirror", "*": "clamp"}), "'front' is a side of a grid with three dimensions"),
                (dict(boundary={"depth": "mirror"}), "is not one of the sides x-, x\\+, y-, y\\+, z-, z\\+, left, right, bottom, top, back, front, x, y, z, \\*"),
                (dict(boundary={"x": "mirror", "y": "mirror", "z-": "mirror"}), "the side z\\+ has no rule"),
                (dict(boundary={"z-": "periodic", "*": "mirror"}), "an axis is periodic at both ends, for all unknowns: z"),
                (dict(boundary={"z": {"value": np.ones(SHAPE[1:][::-1])}, "*": "mirror"}), r"z-: an array of the shape \(7, 6\), but the side has the shape \(6, 7\)"),
                (dict(boundary={"z": {"value": "z"}, "*": "mirror"}), "z is no place along this side \\(known: t, x, y\\)"),
                (dict(extent=(1, 2)), "neither \\(Lx, Ly, Lz\\) nor"), (dict(dx=(1, 2)), "one for each axis"),
                (dict(extent=(1, 1, 1), grid=(1, 4, 4)), "one point along z"), (dict(initial={"u": np.ones(SHAPE[::-1])}), "the transpose of it"),
                (dict(mask=np.ones((6, 7))), "shape")]:
            with self.subTest(**arguments), self.assertRaisesRegex(eulercl.InvalidError, reason) as got:
                eulercl.PDE({"u": "laplace(u)"}, **{"grid": SHAPE, **arguments})
            self.assertNotIn("\n", str(got.exception))
        for text, grid, reason in [
                ("d_dz(u)", (4, 4), "d_dz needs a grid with three dimensions"), ("d2_dz2(u)", 8, "needs a grid with three dimensions"),
                ("u*z", (4, 4), "z needs a grid with three dimensions"), ("div(d_dz(u), u)", (4, 4), "d_dz needs a grid with three"),
                ("div(u, u)", SHAPE, "or its components along x, y and z"), ("shift(u, 1, 0)", SHAPE, "shift takes 4 arguments, not 3"),
                ("w", SHAPE, "known: u, t, x, y, z\\)")]:
            with self.subTest(text=text), self.assertRaisesRegex(eulercl.EquationError, reason):
                eulercl.PDE({"u": text}, grid=grid)


if __name__ == "__main__":
    unittest.main()
