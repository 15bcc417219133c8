# SPDX-License-Identifier: BSD-2-Clause
"""Tests of the operators of formulas: against functions of whole arrays that are written here, conservation,
bits, formulas of other programs, errors. test_eulercl.py tests the rest of the package."""
import copy
import importlib.util
import itertools
import pickle
import random
import re
import unittest

import numpy as np

import eulercl
from test_eulercl import SEED, has_opencl, optional


class Gradient:
    """grad(u) with factors, as a sum of (factor, u)."""

    __array_ufunc__ = None  # arrays leave products to this class

    def __init__(self, terms):
        self.terms = terms

    def __mul__(self, factor):
        return Gradient([(factor * one, u) for one, u in self.terms])

    __rmul__ = __mul__

    def __truediv__(self, factor):
        return self * (1 / factor)

    def __neg__(self):
        return self * -1

    def __add__(self, other):
        return Gradient(self.terms + other.terms)

    def __sub__(self, other):
        return self + -other


class Periodic:
    """The operators for whole arrays on a periodic grid, by np.roll."""

    def __init__(self, spacing):
        self.spacing = spacing  # along x, then along y

    def moved(self, u, axis, distance):
        return np.roll(u, -distance, np.ndim(u) - 1 - axis)

    def shift(self, u, *offsets):
        for axis, distance in enumerate(offsets):
            u = self.moved(u, axis, distance)
        return u

    def first(self, u, axis):
        return (self.moved(u, axis, 1) - self.moved(u, axis, -1)) / (2 * self.spacing[axis])

    def second(self, u, axis):
        return (self.moved(u, axis, 1) - 2 * u + self.moved(u, axis, -1)) / self.spacing[axis]**2

    def laplace(self, u):
        return sum(self.second(u, axis) for axis in range(u.ndim))

    def dot(self, a, b):
        return sum(sum(f * self.first(u, axis) for f, u in a.terms) * sum(f * self.first(u, axis) for f, u in b.terms)
                   for axis in range(len(self.spacing)))

    def div(self, flux, mean="arithmetic"):
        total = 0
        for factor, u in flux.terms:
            for axis, h in enumerate(self.spacing):
                D = factor * np.ones(u.shape)
                other = self.moved(D, axis, 1)
                at_face = (D + other) / 2 if mean == "arithmetic" else 2 * D * other / (D + other)
                through = at_face * (self.moved(u, axis, 1) - u) / h
                total = total + (through - self.moved(through, axis, -1)) / h
        return total

    @property
    def names(self):
        grad = lambda u: Gradient([(1, u)])
        return {"laplace": self.laplace, "shift": self.shift, "grad": grad, "gradient": grad, "dot": self.dot,
                "inner": self.dot, "div": self.div, "divergence": self.div,
                "gradient_squared": lambda u: self.dot(grad(u), grad(u)),
                "d_dx": lambda u: self.first(u, 0), "d_dy": lambda u: self.first(u, 1),
                "d2_dx2": lambda u: self.second(u, 0), "d2_dy2": lambda u: self.second(u, 1),
                "sin": np.sin, "exp": np.exp, "tanh": np.tanh, "abs": np.abs, "sqrt": np.sqrt, "maximum": np.maximum,
                "where": np.where}


def rates(pde, state, t=0.75, **settings):
    return eulercl.Solver(pde, **{"backend": "seq", **settings}).evaluate(t, state)


def random_state(pde, low=-1):
    return np.random.default_rng(SEED).uniform(low, 1, pde.shape)


class Operators(unittest.TestCase):
    """Formulas on a periodic grid, against the functions above."""

    shape = (9, 11)
    formulas = [
        "laplace(u**3 - u - laplace(u))", "laplace(laplace(laplace(u)))", "v*laplace(u*v + x)", "gradient_squared(u)",
        "d_dx(u*v)", "d_dy(laplace(u))", "d_dx(d_dy(u))", "d2_dx2(u) - d2_dy2(v**2)", "shift(u*v, 2, -1)",
        "shift(shift(u, 1, 0), -1, 0) - shift(u, 0, 0)", "dot(grad(u), grad(v))", "inner(v*grad(u), grad(u*v)/2)",
        "dot(grad(u) - 2*grad(v), -grad(u))", "div(k*grad(u))", "div((1 + u*u)*grad(v))",
        "divergence((2 + u)*gradient(u) - u*grad(v)/3)", "div(-grad(u)*v)", "div((2 + u)*grad(u), mean='harmonic')",
        "laplace(k*(u + v)**4)", "laplace(sin(u)) + tanh(d_dx(exp(u)))", "d_dx((u if u > v else v)**2)",
        "div((1.5 + sin(x + y))*grad(u))", "laplace(where(u > 0 and x > 3, t*u, v))", "laplace(2.0)", "d_dx(k) + laplace(t*k)",
        "div(gradient_squared(u)*grad(u))", "laplace(div(v*grad(u)))", "laplace((u*v + 1)**-2 * (u - 3)**0.5)"
        .replace("(u - 3)", "(u + 3)").replace("(u*v + 1)", "(u*v + 2)"),
        "2*w - laplace(w)", "d_dx(q) + shift(w, -1, 1)"]

    def made(self, shape, texts, **others):
        return eulercl.PDE(texts, grid=shape, parameters={"k": 1.25}, let={
            "w": "u*v + q", "q": "laplace(u) - t", "unused": "w*w"}, **others)

    def texts(self, extent_is_1d):
        texts = [one.replace("x + y", "x").replace("2, -1)", "2)").replace(", 0)", ")").replace("-1, 1)", "-1)")
                 for one in self.formulas] if extent_is_1d else self.formulas
        return [one for one in texts if not (extent_is_1d and "d_dy" in one or extent_is_1d and "dy2" in one)]

    def check(self, pde, texts, x, y, spacing):
        state = random_state(pde)
        found, others = rates(pde, state), eulercl._rhs.array_function(pde, np)(0.75, state)
        whole = Periodic(spacing)
        names = {**whole.names, "u": state[..., 0], "v": state[..., 1], "k": 1.25 * np.ones(pde.shape[:-1]), "t": 0.75,
                 "x": x, "y": y}
        names["q"] = whole.laplace(names["u"]) - 0.75
        names["w"] = names["u"] * names["v"] + names["q"]
        for c, text in enumerate(texts):
            with self.subTest(text=text, shape=pde.shape[:-1], spacing=spacing):
                wanted = 0 if text == "laplace(2.0)" else eval(text.replace("u > 0 and x > 3", "(u > 0) & (x > 3)").replace(
                    "u if u > v else v", "where(u > v, u, v)"), dict(names))
                scale = 1 + np.abs(wanted).max()
                np.testing.assert_allclose(found[..., c], wanted, rtol=0, atol=1e-12 * scale)
                np.testing.assert_allclose(others[..., c], wanted, rtol=0, atol=1e-12 * scale)

    def test_points(self):
        """Without lengths: the distance of points is 1."""
        for shape in (self.shape, 12):
            texts = self.texts(shape == 12)
            equations = {"u": texts[0], "v": texts[1], **{f"f{n}": text for n, text in enumerate(texts[2:])}}
            pde = self.made(shape, equations, boundary="periodic")
            y, x = np.indices(self.shape).astype(float) if shape != 12 else (None, np.arange(12.0))
            self.check(pde, texts, x, y, (1, 1)[:len(pde.shape) - 1])

    def test_lengths(self):
        """With `extent`, places and operators are those of lengths."""
        for shape, extent, centred in [(self.shape, (2.2, 2.7), "cells"), (self.shape, [[-1, 4.5], (0, 4.5)], "nodes"),
                                       (12, 3, "nodes"), (12, (-1, 2), "cells")]:
            first = 0.5 if centred == "cells" else 0
            texts = self.texts(shape == 12)
            equations = {"u": texts[0], "v": texts[1], **{f"f{n}": text for n, text in enumerate(texts[2:])}}
            pde = self.made(shape, equations, boundary="periodic", centred=centred, extent=extent)
            if shape == 12:
                x, y, spacing = 0.25 * (np.arange(12) + first) - (extent != 3), None, (0.25,)
            else:
                y, x = np.indices(self.shape) + first
                spacing = (0.2, 0.3) if centred == "cells" else (0.5, 0.5)
                x, y = x * spacing[0] - (centred == "nodes"), y * spacing[1]
            self.check(pde, texts, x, y, spacing)

    def test_places(self):
        """Coordinates of initial states and rules, and the first and last points."""
        for centred, boundary, wanted in [
                ("cells", "mirror", [1.25, 1.75, 2.25, 2.75]), ("nodes", "periodic", [1, 1.5, 2, 2.5]),
                ("nodes", "clamp", [1, 5 / 3, 7 / 3, 3])]:
            for extent, shape in [((1, 3), 4), ([(1, 3)], 4), ([(0, 2), (1, 3)], (4, 5))]:
                pde = eulercl.PDE({"u": "x" if shape == 4 else "y"}, grid=shape, extent=extent, centred=centred,
                                  boundary=boundary, initial={"u": lambda *places: places[-1]})
                for found in (pde.initial(), rates(pde, pde.initial())):
                    np.testing.assert_allclose(found[..., 0] if shape == 4 else found[:, 2, 0], wanted, rtol=1e-15)
        pde = eulercl.PDE({"u": "laplace(u)"}, grid=(4, 4), extent=[(0, 1), (-1, 3)], centred="cells",
                          boundary={"left": {"value": "y"}, "*": {"derivative": 0}})
        np.testing.assert_allclose(rates(pde, np.zeros((4, 4, 1)))[:, 0, 0], 2 * 16 * np.array([-0.5, 0.5, 1.5, 2.5]))

    def test_tensor(self):
        """Fluxes by components, with nine points for the derivatives along faces."""
        pde = eulercl.PDE({"u": "div(a*d_dx(u) + u*d_dy(v)/2, b*d_dy(u) - v*d_dx(u) + 3*u*v)", "v": "div(u, -u)"},
                          grid=self.shape, boundary="periodic", parameters={"a": 2, "b": 0.5}, extent=(11, 18))
        state = random_state(pde)
        u, v, move = state[..., 0], state[..., 1], Periodic((1, 2)).shift
        mean_x, mean_y = lambda f: (f + move(f, 1, 0)) / 2, lambda f: (f + move(f, 0, 1)) / 2
        in_x = 2 * (move(u, 1, 0) - u) + mean_x(u / 2) * mean_x((move(v, 0, 1) - move(v, 0, -1)) / 4)
        in_y = (move(u, 0, 1) - u) / 4 - mean_y(v) * mean_y((move(u, 1, 0) - move(u, -1, 0)) / 2) + mean_y(3 * u * v)
        wanted = np.stack([in_x - move(in_x, -1, 0) + (in_y - move(in_y, 0, -1)) / 2,
                           (move(u, 1, 0) - move(u, -1, 0)) / 2 - (move(u, 0, 1) - move(u, 0, -1)) / 4], -1)
        for found in (rates(pde, state), eulercl._rhs.array_function(pde, np)(0, state)):
            np.testing.assert_allclose(found, wanted, atol=1e-13)

    def test_harmonic(self):
        """No flux leaves what does not conduct, and 0 beside 0 is 0."""
        pde = eulercl.PDE({"u": "div(D*grad(u), mean='harmonic')"}, grid=8, boundary="mirror", centred="cells",
                          let={"D": "maximum(x - 3, 0)"}, initial={"u": lambda x: x * x})
        rate = rates(pde, pde.initial())[:, 0]
        self.assertTrue(np.isfinite(rate).all())
        np.testing.assert_array_equal(rate[:4], 0)
        self.assertNotEqual(rate[4], 0)


class Arrays(unittest.TestCase):
    """Arrays at other points, obstacles, and points that keep their values."""

    shape = (9, 11)
    equations = {"u": "div(D*grad(u)) + shift(D, 1, -2)*u + laplace(D*v)", "v": "laplace(D) - d_dx(D*D) + div(u*D*grad(v), mean='harmonic')"}

    def made(self, boundary, equations=None, **others):
        numbers = np.random.default_rng(SEED)
        return eulercl.PDE(equations or self.equations, grid=self.shape, boundary=boundary, centred="cells",
                           parameters={"D": numbers.uniform(0.5, 2, self.shape)}, **others)

    def test_periodic(self):
        pde = self.made("periodic")
        state, D, whole = random_state(pde, 0.1), pde.fields["D"], Periodic((1, 1))
        u, v, grad = state[..., 0], state[..., 1], whole.names["grad"]
        wanted = np.stack([whole.div(D * grad(u)) + whole.shift(D, 1, -2) * u + whole.laplace(D * v), whole.laplace(D)
                           - whole.first(D * D, 0) + whole.div(u * D * grad(v), "harmonic")], -1)
        np.testing.assert_allclose(rates(pde, state), wanted, atol=1e-12)
        np.testing.assert_allclose(eulercl._rhs.array_function(pde, np)(0, state), wanted, atol=1e-12)
        pde.set("D", D[::-1])
        np.testing.assert_allclose(eulercl._rhs.array_function(pde, np)(0, state), rates(pde, state), atol=1e-12)

    def test_walls(self):
        """Beyond a wall stands the nearest value, so that nothing is lost."""
        for boundary in ("mirror", {"x": "periodic", "*": {"derivative": 0}}):
            pde = self.made(boundary)
            state = random_state(pde, 0.1)
            np.testing.assert_allclose(eulercl._rhs.array_function(pde, np)(0, state), rates(pde, state), atol=1e-12)
            pde = self.made(boundary, {"u": "div(D*grad(u))"})
            self.assertLess(abs(rates(pde, state[..., :1]).sum()), 1e-12)

    def test_coordinates_go_round(self):
        """A coordinate that is shifted by more than a period is that of the point where it ends."""
        for n, distance in ((1, 2), (3, 5), (4, -9), (20, 5)):
            pde = eulercl.PDE({"u": f"shift(x, {distance})"}, grid=n, boundary="periodic", initial={"u": 0})
            found = eulercl.solve(pde, (0, 1), h=1).y[-1, :, 0]
            np.testing.assert_array_equal(found, (np.arange(n) + distance) % n)

    def test_sides(self):
        """Arrays in rules of sides: those of the grid by their names, and those of a side."""
        numbers = np.random.default_rng(SEED)
        ny, nx = self.shape
        left, top = numbers.uniform(size=ny), numbers.uniform(size=nx)
        equations = {"u": "laplace(u**2 - laplace(u)) + shift(u, 2, 2)", "v": "d_dx(d_dy(v)) + laplace(v)"}
        for boundary in [
                {"left": {"value": left}, "top": {"mixed": ("D", top)}, "right": {"derivative": "t*D*y"}, "*": "mirror"},
                {"u": {"x": {"value": left}, "y": {"derivative": "D"}}, "v": {"x": "mirror", "y": {"value": "D*t"}}},
                {"x": "periodic", "y": {"value": top}}]:
            pde = self.made(boundary, equations)
            state = random_state(pde)
            for one in (pde, copy.copy(pde), pickle.loads(pickle.dumps(pde))):
                found = rates(one, state)
                np.testing.assert_allclose(eulercl._rhs.array_function(one, np)(0.75, state), found, atol=1e-11)
                np.testing.assert_array_equal(found, rates(pde, state))
        pde = eulercl.PDE({"u": "laplace(u)"}, grid=self.shape, centred="cells",
                          boundary={"left": {"value": left}, "*": {"derivative": 0}})
        np.testing.assert_allclose(rates(pde, np.zeros(pde.shape))[:, 0, 0], 2 * left)
        with self.assertRaisesRegex(eulercl.InvalidError, "the side is one point: write a number"):
            eulercl.PDE({"u": "u"}, grid=5, boundary={"*": {"value": [1]}})

    def test_mask(self):
        numbers = np.random.default_rng(SEED)
        mask, still = numbers.uniform(size=self.shape) < 0.3, numbers.uniform(size=self.shape) < 0.2
        equations = {"u": "div(D*grad(u) - u*v*grad(v)) + laplace(u*v) + laplace(v)", "v": "laplace(w) + d_dx(D) - v + div(u, -u)"}
        for boundary, where in [("periodic", {}), ({"*": {"derivative": 0}}, {"extent": (11, 4.5)})]:
            pde = self.made(boundary, equations, mask=mask, still=still, let={"w": "u + D"}, **where)
            state = random_state(pde, 0.1)
            found = rates(pde, state)
            self.assertFalse(found[mask | still].any())
            self.assertGreater(np.count_nonzero(found), np.count_nonzero(~(mask | still)))
            np.testing.assert_allclose(eulercl._rhs.array_function(pde, np)(0.75, state), found, atol=1e-12 * np.abs(found).max())
            done = eulercl.solve(pde, (0, 0.01), state, h=0.001).y[-1]
            np.testing.assert_array_equal(done[mask | still], state[mask | still])
            for one in (copy.copy(pde), pickle.loads(pickle.dumps(pde))):
                self.assertEqual(eulercl.solve(one, (0, 0.01), state, h=0.001).state_hash,
                                 eulercl.solve(pde, (0, 0.01), state, h=0.001, backend="seq").state_hash)
            # What obstacles have is not seen.
            other = state.copy()
            other[mask] = 7
            free = self.made(boundary, equations, mask=mask, let={"w": "u + D"}, **where)
            np.testing.assert_array_equal(rates(free, other)[~mask], rates(free, state)[~mask])
            free.set("mask", np.zeros(self.shape))
            plain = self.made(boundary, equations, let={"w": "u + D"}, **where)
            np.testing.assert_allclose(rates(free, state), rates(plain, state), rtol=1e-10, atol=1e-10)
        pde = self.made("mirror", {"u": "div(D*grad(u)) + laplace(u)"}, mask=mask)
        self.assertLess(abs(rates(pde, random_state(pde)).sum()), 1e-12)
        self.assertIn(" FLOW(0)", pde.source)

    def test_compare(self):
        """SciPy and diffrax get the same operators, arrays, obstacles and rules."""
        numbers = np.random.default_rng(SEED)
        optional("scipy", self)
        against = ["scipy:RK45", *["diffrax:Tsit5"] * bool(importlib.util.find_spec("diffrax"))]
        pde = self.made({"x": "periodic", "y-": {"value": "D"}, "*": {"value": numbers.uniform(size=11)}},
                        {"u": "div(D*grad(u))/9 - x*shift(D, 1, 0)*u/99", "v": "laplace(u - D*v)/9 - v**3"},
                        mask=numbers.uniform(size=self.shape) < 0.2, initial={"u": numbers.uniform(size=self.shape)})
        for row in eulercl.compare(pde, (0, 1), against, rtol=[1e-5], backend="seq").rows:
            self.assertLess(row.error, 1e-3, row)

    def test_errors(self):
        mask = np.zeros(self.shape, bool)
        for text, reason in [
                ("laplace(laplace(u))", "with a mask, laplace and div cannot stand in what is read at other points"),
                ("d_dx(u*D)", "d_dx of unknowns may read points of the mask"), ("shift(u, 1, 0)", "shift of unknowns"),
                ("gradient_squared(w)", "gradient_squared of unknowns"), ("dot(grad(D), grad(u))", "grad of unknowns"),
                ("div(d_dy(u), 0)", "a derivative along a face of unknowns"), ("d2_dy2(w)", "d2_dy2 of unknowns")]:
            with self.subTest(text=text), self.assertRaisesRegex(eulercl.EquationError, reason):
                self.made("mirror", {"u": text}, mask=mask, let={"w": "u*u"})
        for arguments, reason in [
                (dict(mask=mask.T), r"mask: an array of the shape \(11, 9\), but the grid is \(9, 11\), the transpose of it"),
                (dict(still=True), "still: True is not an array"), (dict(mask=np.full(self.shape, np.nan)), "mask: not all numbers"),
                (dict(mask=mask, let={"mask": "u"}), "'mask' is that of two things"), (dict(still=mask[1:]), "still: an array of")]:
            with self.subTest(reason=reason), self.assertRaisesRegex(eulercl.InvalidError, reason) as got:
                self.made("mirror", **arguments)
            self.assertNotIn("\n", str(got.exception))


class Beyond(unittest.TestCase):
    """Operators of expressions at the walls."""

    plates = [
        {"left": {"value": "sin(t) + y/8"}, "right": {"derivative": "-q*y**2/64"}, "bottom": {"mixed": ("q", "t - x/4")},
         "top": {"value": "q if x > 3 else t"}},
        {"u": {"x": "periodic", "y-": {"derivative": "cos(t + x)"}, "*": {"mixed": (0.5, "x/8")}},
         "v": {"x": "periodic", "y-": {"value": "q"}, "*": "mirror"}},
        {"x": "mirror", "y-": "fixed", "y+": "clamp"}]
    equations = {"u": "laplace(u**2 - v - laplace(u)) + d_dx(d_dy(u*v)) - x*d2_dy2(x*y*u)",
                 "v": "div((1 + u*u + x)*grad(v)) + div(u*d_dy(v), v*d_dx(u)) + w*laplace(w) - dot(grad(u), grad(w*y))"}

    def test_rules(self):
        """NumPy's right-hand side, backends and copies, for all rules."""
        backends = ["cpu", "pthreads"] + ["cl-linear"] * has_opencl()
        for boundary, (centred, where) in itertools.product(
                self.plates, [("cells", {}), ("nodes", {"extent": (1.1, 1.8)})]):
            with self.subTest(boundary=boundary, centred=centred, **where):
                pde = eulercl.PDE(self.equations, grid=(9, 11), boundary=boundary, centred=centred, **where,
                                  let={"w": "u - v + laplace(u)"}, parameters={"q": 0.4})
                state = random_state(pde)
                for one in (pde, copy.copy(pde), pickle.loads(pickle.dumps(pde))):
                    self.assertEqual(one.source, pde.source)
                    found = rates(one, state)
                    np.testing.assert_allclose(eulercl._rhs.array_function(one, np)(0.75, state), found,
                                               atol=1e-12 * np.abs(found).max())
                if not where and boundary is not self.plates[2]:
                    for precision in ("float", "double"):
                        hashes = {eulercl.solve(pde, (0, 0.002), state / 8, h=0.0005, backend=backend,
                                                precision=precision).state_hash for backend in backends}
                        self.assertEqual(len(hashes), 1, hashes)

    def test_mass(self):
        """The sum over all points stays the same."""
        equations = {"u": "laplace(u**3 - u - laplace(u))", "v": "div((1 + u*u)*grad(v) - v*(1 - v)*grad(u))",
                     "w": "div((2 + u)*grad(w), mean='harmonic') + laplace(laplace(laplace(w)))"}
        for boundary, centred in [("periodic", "nodes"), ("periodic", "cells"), ("mirror", "cells"),
                                  ({"*": "neumann"}, "cells")]:
            for extent in (None, (3, 2)):
                pde = eulercl.PDE(equations, grid=(13, 17), boundary=boundary, centred=centred, extent=extent)
                found = rates(pde, random_state(pde))
                np.testing.assert_allclose(found.sum((0, 1)), 0, atol=1e-11 * np.abs(found).max())

    def test_plate(self):
        """A rule of value g makes the Laplace operator zero at the wall: the modes of a plate on supports."""
        for centred, n in (("cells", 40), ("nodes", 39)):
            pde = eulercl.PDE({"u": "laplace(laplace(u))"}, grid=n, centred=centred, boundary={"*": {"value": 3}})
            x = (np.arange(n) + (0.5 if centred == "cells" else 1)) / 40
            mode = np.sin(2 * np.pi * x)
            wanted = (2 * np.cos(2 * np.pi / 40) - 2)**2 * mode
            np.testing.assert_allclose(rates(pde, 3 + mode[:, None])[:, 0], wanted, atol=1e-13)


class Bits(unittest.TestCase):
    """The text for simple formulas, and that of operators of operators."""

    def test_text(self):
        pde = eulercl.PDE({"c": "laplace(c**3 - c - laplace(c))"}, grid=(8, 8), boundary="periodic")
        self.assertIn("""
    /* w1: c ** 3 - c - laplace(c) */
    const ode_real w1_0_m1_ = (((c_0_m1_ * c_0_m1_ * c_0_m1_) - c_0_m1_) - \
fma(REAL(-4.0), c_0_m1_, ((AT(0, -2, 0) + c) + (c_m1_m1_ + c_1_m1_))));
""", pde.source)
        self.assertIn("    DOT(0) = fma(REAL(-4.0), w1_0_0_, ((w1_0_m1_ + w1_0_1_) + (w1_m1_0_ + w1_1_0_)));\n", pde.source)
        self.assertIn("    const ode_real w1_0_0_ = (((c * c * c) - c) - LAPLACE(0));\n", pde.source)
        self.assertIn("#define ODE_RADIUS 2\n", pde.source)
        # What is read at the point alone has no other values.
        pde = eulercl.PDE({"u": "w*w - laplace(u)", "v": "w"}, let={"w": "(u + v)**2"}, grid=8, parameters={"w1": 1})
        self.assertIn("    const ode_real p0_w_ = (u + v);\n    const ode_real w = (p0_w_ * p0_w_);\n", pde.source)
        self.assertIn("DOT(0) = ((w * w) - LAPLACE(0));", pde.source)
        self.assertNotIn("w_", pde.source.replace("p0_w_", ""))
        # The library sees that fluxes read a star.
        pde = eulercl.PDE({"u": "div(u*grad(u))"}, grid=(8, 8))
        self.assertFalse(re.findall(r"AT\(-?[12], -?[12], 0\)", pde.source))

    def test_names(self):
        """Names of quantities are not those of users or of C."""
        names = ["NULL", "w1", "lambda", "REAL", "nx", "dx", "E"]
        let = {name: f"{1 + k}*u" for k, name in enumerate(names)}
        pde = eulercl.PDE({"u": " + ".join(f"laplace({name})" for name in names) + " + laplace(u*u) + lambda",
                           "w2": "laplace(w2*u)"}, let=let, grid=9, boundary="periodic")
        state = random_state(pde)
        u, w2, roll = state[:, 0], state[:, 1], Periodic((1,)).laplace
        np.testing.assert_allclose(rates(pde, state)[:, 0], roll(28 * u + u * u) + 3 * u, atol=1e-12)
        np.testing.assert_allclose(rates(pde, state)[:, 1], roll(w2 * u), atol=1e-12)
        np.testing.assert_allclose(eulercl._rhs.array_function(pde, np)(0, state), rates(pde, state), atol=1e-12)

    def test_random(self):
        """Operators in each other, against the functions of whole arrays."""
        pick = random.Random(SEED)

        def formula(depth):
            if depth == 0 or pick.random() < 0.15:
                return pick.choice(["u", "v", "w", "1.25", "x", "y", "t"])
            a, b = formula(depth - 1), formula(depth - 1)
            return pick.choice([
                f"({a} + {b})", f"{a}*{b}", f"({a} - 0.5*{b})", f"laplace({a})", f"d_dx({a} + v)", f"d_dy({a})",
                f"d2_dx2({a})", f"d2_dy2({b})", f"shift({a}, {pick.randrange(-2, 3)}, {pick.randrange(-1, 2)})",
                f"div((2 + sin({a}))*grad({b} + u))", f"dot(grad({a}), grad({b} + v))", f"gradient_squared({a})",
                f"sin({a})**{pick.randrange(2, 4)}"])

        shape = (8, 10)
        for _ in range(3):
            texts = {name: formula(3) for name in ["u", "v", *(f"f{n}" for n in range(10))]}
            pde = eulercl.PDE(texts, grid=shape, boundary="periodic", let={"w": "u*v - d_dx(u)"})
            state, whole = random_state(pde), Periodic((1, 1))
            y, x = np.indices(shape).astype(float)
            names = {**whole.names, "u": state[..., 0], "v": state[..., 1], "x": x, "y": y}
            names["w"] = names["u"] * names["v"] - whole.first(names["u"], 0)
            found, others = rates(pde, state), eulercl._rhs.array_function(pde, np)(0.75, state)
            for c, text in enumerate(texts.values()):
                with self.subTest(text=text):
                    in_arrays = re.sub(r"\bt\b", "time", text.replace("1.25", "one"))
                    wanted = eval(in_arrays, {**names, "one": np.full(shape, 1.25), "time": np.full(shape, 0.75)})
                    scale = 1e-11 * (1 + np.abs(wanted).max())
                    np.testing.assert_allclose(found[..., c], wanted, atol=scale)
                    np.testing.assert_allclose(others[..., c], wanted, atol=scale)


class Gallery(unittest.TestCase):
    """Formulas of py-pde's manual and of VisualPDE's gallery, as they are written there."""

    d = {"D": 1, "Du": 1, "Dv": 2, "a": 0.1, "b": 0.9, "r": 1, "K": 2, "chi": 0.3, "eps": 0.3, "rate": 0.1, "kc2": 0.5, "delta": 1}
    gallery = {
        "py-pde: Cahn-Hilliard": {"c": "laplace(c**3 - c - laplace(c))"},
        "py-pde: Cahn-Hilliard in signs": {"c": "∇²(c³ - c - ∇²c)"},
        "py-pde: Kuramoto-Sivashinsky": {"u": "-gradient_squared(u) / 2 - laplace(u + laplace(u))"},
        "py-pde: Kuramoto-Sivashinsky in signs": {"c": "-∇²(c + ∇²c) - 0.5 * |∇c|²"},
        "py-pde: Swift-Hohenberg": {"c": "(rate - kc2**2)*c - c³ + delta*c² - ∇²(2*kc2*c + ∇²c)"},
        "py-pde: Brusselator": {"u": "1 * laplace(u) + 1 - (3 + 1) * u + u**2 * v", "v": "0.1 * laplace(v) + 3 * u - u**2 * v"},
        "py-pde: KPZ": {"h": "0.5 * laplace(h) + gradient_squared(h)"},
        "py-pde: SIR": {"s": "0.1*laplace(s) - 2*i*s", "i": "0.1*laplace(i) + 2*i*s - 0.1*i"},
        "py-pde: Korteweg-de Vries": {"u": "6 * u * d_dx(u) - laplace(d_dx(u))"},
        "py-pde: heterogeneous diffusion": {"c": "(1.01 + tanh(x)) * laplace(c) + dot(gradient(1.01 + tanh(x)), gradient(c))"},
        "py-pde: divergence": {"c": "divergence((1.01 + tanh(x)) * gradient(c))"},
        "py-pde: Allen-Cahn": {"c": "laplace(c) + c - c**3"},
        "py-pde: wave": {"u": "v", "v": "4 * ∇²u"},
        "py-pde: diffusion-limited mobility": {"c": "c * laplace(c) + inner(gradient(c), gradient(c))"},
        "VisualPDE: Gray-Scott": {"u": "Du*laplace(u) + u**2*v - (a + b)*u", "v": "Dv*laplace(v) - u**2*v + a*(1 - v)"},
        "VisualPDE: Schnakenberg": {"u": "Du*∇²u + a - u + u**2*v", "v": "Dv*∇²v + b - u**2*v"},
        "VisualPDE: cross-diffusion": {"u": "div(Du*grad(u) + chi*grad(v)) + a - u + u**2*v",
                                       "v": "div(chi*grad(u) + Dv*grad(v)) + b - u**2*v"},
        "VisualPDE: Keller-Segel": {"u": "div(grad(u) - chi*u/(1 + u**2)*grad(v)) + u*(1 - u)", "v": "D*laplace(v) + u - a*v"},
        "VisualPDE: inhomogeneous heat": {"T": "div(D*(1 + eps*cos(10*(x*x + y*y)**0.5))*grad(T))"},
        "VisualPDE: porous medium": {"u": "laplace(u**3)"},
        "VisualPDE: anisotropic": {"u": "div(Du*d_dx(u) + chi*d_dy(u), chi*d_dx(u) + Dv*d_dy(u))"},
        "VisualPDE: shallow water": {"h": "-(u*d_dx(h) + v*d_dy(h)) - (h + 1)*(d_dx(u) + d_dy(v))",
                                     "u": "eps*laplace(u) - 9.81*d_dx(h) - u*d_dx(u) - v*d_dy(u)",
                                     "v": "eps*laplace(v) - 9.81*d_dy(h) - u*d_dx(v) - v*d_dy(v)"}}

    def test_gallery(self):
        self.assertGreater(len(self.gallery), 20)
        for number, (name, equations) in enumerate(self.gallery.items()):
            boundary = ("periodic", {"*": {"derivative": 0}})[number % 2]
            with self.subTest(name=name, boundary=boundary):
                pde = eulercl.PDE(equations, grid=(16, 20), extent=(10, 8), centred="cells", boundary=boundary, parameters={
                    key: value for key, value in self.d.items() if key not in equations})
                state = random_state(pde, 0.1)
                found = rates(pde, state)
                self.assertTrue(found.any())
                np.testing.assert_allclose(eulercl._rhs.array_function(pde, np)(0.75, state), found,
                                           atol=1e-12 * np.abs(found).max())

    def test_py_pde(self):
        """The same numbers as py-pde, where rules are those of Neumann."""
        other = optional("pde", self)
        grid = other.CartesianGrid([[0, 10], [0, 8]], [20, 16], periodic=False)
        for name, equations in self.gallery.items():
            if not name.startswith("py-pde") or "divergence" in name:
                continue
            with self.subTest(name=name):
                used = {key: value for key, value in self.d.items() if key not in equations}
                pde = eulercl.PDE(equations, grid=(16, 20), extent=(10, 8), centred="cells", boundary={"*": {"derivative": 0}},
                                  parameters=used)
                state = random_state(pde, 0.1)
                theirs = other.PDE(equations, bc={"derivative": 0}, consts=used)
                fields = [other.ScalarField(grid, state[..., c].T) for c in range(len(equations))]
                start = fields[0] if len(fields) == 1 else other.FieldCollection(fields)
                wanted = theirs.evolution_rate(start, t=0.75).data
                wanted = wanted.T[..., None] if len(fields) == 1 else wanted.transpose(2, 1, 0)
                found = rates(pde, state)
                if "Korteweg" in name or "heterogeneous" in name:  # its rules are also those of d_dx(u) and of D
                    found, wanted = found[2:-2, 2:-2], wanted[2:-2, 2:-2]
                np.testing.assert_allclose(found, wanted, atol=1e-11 * np.abs(wanted).max())


class Errors(unittest.TestCase):
    """Messages that name the problem."""

    def test_formulas(self):
        for text, reason in [
                ("laplace(u, v)", "laplace takes 1 argument, not 2"), ("grad(u)", "grad is a vector; it belongs into div or dot"),
                ("u*gradient(u)", "gradient is a vector"), ("div(u)", "expected a vector, such as grad"),
                ("div(u*v)", "expected a vector"), ("dot(u, grad(v))", "expected a vector"), ("dot(grad(u))", "dot takes 2 arguments"),
                ("div(grad(u)*grad(v))", "each term of a vector"), ("div(u/grad(v))", "each term of a vector"),
                ("div(sin(grad(u)))", "expected a vector"), ("div(grad(u), mean='geometric')", "mean='arithmetic' or mean='harmonic'"),
                ("div(grad(u), weight=3)", "takes the argument mean"), ("div(u, v, u)", "components along x and y"), ("div()", "takes a vector"),
                ("div(grad(u), u)", "grad is a vector"), ("laplace(u, mean='harmonic')", "laplace takes no arguments with names"),
                ("shift(u*v, k, 0)", "offsets of shift must be whole numbers"), ("shift(u, 17, 0)", "from -16 to 16"),
                ("shift(u*v, 1)", "shift takes 3 arguments"), ("curl(u)", "unknown function 'curl'"), ("laplace(z)", "z needs a grid with three dimensions"),
                ("laplace(laplace(u) + foo(u))", "unknown function 'foo'"), ("laplace(*u)", "cannot contain"),
                ("shift(shift(u*v, 9, 0), 9, 0)", "18 away, but 16 is the most"), ("laplace" * 1 + "(u) + laplace", "brackets"),
                ("laplace(" * 12 + "u" + ")" * 12, "operations of a point, but"), ("laplace(u^2)", "a power is \\*\\*, not \\^"),
                ("grad", "is a function"), ("div(grad(u, v))", "grad takes 1 argument")]:
            with self.subTest(text=text), self.assertRaisesRegex(eulercl.EquationError, reason) as got:
                eulercl.PDE({"u": text, "v": "u"}, grid=(8, 8), parameters={"k": 1})
            self.assertIn(f"\n    {text}\n", str(got.exception))
        for text, reason in [("d2_dy2(u*u)", "needs a grid with two dimensions"), ("div(u, u)", "takes a vector such as D"),
                             ("div(d_dy(u))", "needs a grid with two dimensions"), ("laplace(y)", "two dimensions")]:
            with self.subTest(text=text), self.assertRaisesRegex(eulercl.EquationError, reason):
                eulercl.PDE({"u": text}, grid=8)

    def test_let(self):
        for let, reason in [
                ({"a": "b", "b": "laplace(c)", "c": "a + u"}, "^let: quantities are made of themselves: a -> b -> c -> a$"),
                ({"a": "d_dx(a*u)"}, "made of themselves: a -> a"), ({"u": "1"}, "'u' is that of two things"),
                ({"k": "1"}, "'k' is that of two things"), ({"div": "1"}, "another meaning"), ({"_a": "u"}, "begins or ends with _"),
                ({"a": "zz"}, "equation of a, column 1: unknown name 'zz'"), ({"a": np.ones(8)}, "not a real number"),
                (["a"], "let: .* is not a dictionary")]:
            with self.subTest(let=let), self.assertRaisesRegex(eulercl.InvalidError, reason):
                eulercl.PDE({"u": "u"}, grid=8, parameters={"k": 1}, let=let)

    def test_extent(self):
        for arguments, reason in [
                (dict(extent=0), "not greater than 0"), (dict(extent=(1, 1)), "not greater than 0"), (dict(extent=(1, 2, 3)), "neither L nor"),
                (dict(extent=(0, 1), dx=2), "^dx: extent says"), (dict(extent="wide"), "not an array of numbers"),
                (dict(extent=3, grid=1), "one point along x"), (dict(extent=(0, np.inf)), "finite"),
                (dict(extent=[[0, 1]], grid=(4, 5)), "neither \\(Lx, Ly\\) nor"), (dict(extent=3, grid=(4, 5)), "neither")]:
            with self.subTest(**arguments), self.assertRaisesRegex(eulercl.InvalidError, reason) as got:
                eulercl.PDE({"u": "u"}, **{"grid": 8, **arguments})
            self.assertNotIn("\n", str(got.exception))


if __name__ == "__main__":
    unittest.main()
