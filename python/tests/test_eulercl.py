# SPDX-License-Identifier: BSD-2-Clause
"""Tests of the package: states against the command's, formulas against NumPy's evaluation, errors,
threads, and Ctrl-C. EULERCL names the command, EULERCL_TEST_SOURCES the folder of the sources."""
import contextlib
import copy
import functools
import importlib.util
import inspect
import io
import math
import itertools
import multiprocessing
import os
import pathlib
import pickle
import random
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import unittest.mock

import numpy as np

import eulercl

SOURCES = pathlib.Path(os.environ.get("EULERCL_TEST_SOURCES",
                                      pathlib.Path(__file__).resolve().parents[2]))
COMMAND = os.environ.get("EULERCL", "eulercl")
SEED = int(os.environ.get("EULERCL_TEST_SEED", "2012"))

HEAT = {"u": "d * laplace(u)"}


def optional(name, test):
    """Return a module, or skip the test where it is missing."""
    try:
        return importlib.import_module(name)
    except ImportError:
        test.skipTest(f"the package {name} is missing")


def has_opencl():
    """Return whether the library was built with OpenCL."""
    try:
        eulercl.Solver(eulercl.Problem("string", points=20), backend="cl-linear").close()
    except eulercl.EulerclError as error:
        return "without OpenCL" not in str(error)
    return True


def peak(nx, ny):
    """Return an initial function."""
    return lambda x, y: np.exp(-((x - nx / 2) ** 2 + (y - ny / 3) ** 2) / 20)


class Hashes(unittest.TestCase):
    """The state after some steps is that of the command, to the last bit."""

    runs = [("bruss2d", {"m": 33}, 1e-4), ("string", {"points": 500}, 1e-3),
            *((f"tests/problems/{name}.c", {}, 1e-3) for name in
              ("heat_fields", "forced_wave", "rod_clamp", "rod_mirror", "torus", "tide", "rotor")),
            ("examples/gray_scott.c", {"m": 64}, 1.0)]

    def test_command(self):
        for number, (name, parameters, h) in enumerate(self.runs):
            file = name if "/" not in name else str(SOURCES / name)
            precision = ("double", "float")[number % 2]
            settings = [word for key, value in parameters.items() for word in ("-p", f"{key}={value}")]
            output = subprocess.run(
                [COMMAND, "solve", file, *settings, "--h", str(h), "--steps", "40", "--precision",
                 precision, "--backend", "seq"], check=True, capture_output=True, text=True).stdout
            wanted = [line.split()[1] for line in output.splitlines() if line.startswith("hash")]
            with self.subTest(problem=name):
                with eulercl.Solver(eulercl.Problem(file, **parameters), h=h, precision=precision,
                                    backend="cpu") as solver:
                    solver.advance(40)
                    self.assertEqual([solver.state_hash], wanted)


class Formulas(unittest.TestCase):
    """Random formulas against NumPy's evaluation of the same text."""

    equations, shape = 25, (9, 11)

    def formula(self, pick, depth):
        """Return a formula without divisions by small numbers."""
        if depth == 0 or pick.random() < 0.1:
            leaf = pick.randrange(6)
            unknown = f"u{pick.randrange(self.equations)}"
            return [unknown, f"{pick.uniform(-2, 2):.3f}", pick.choice(["x", "y", "t", "c"]),
                    f"{pick.choice(['laplace', 'd_dx', 'd_dy'])}({unknown})",
                    f"shift({unknown}, {pick.randrange(-2, 3)}, {pick.randrange(-2, 3)})",
                    pick.choice(["k", "7"])][leaf]
        a, b, c = (self.formula(pick, depth - 1) for _ in range(3))
        return pick.choice([
            f"({a} + {b})", f"({a} - {b})", f"{a} * ({b})", f"({a}) / (1 + ({b})**2)",
            f"({a})**{pick.randrange(4)}", f"sqrt(abs({a}))", f"(-({a}))", f"floor({a})",
            f"({a} if {b} < {c} else {b})", f"where({a} > 0 and not {b} >= {c}, {b}, {c})",
            f"(1 + abs({a}))**-2", f"sin({a})", f"maximum({a}, {b})"])

    def test_random(self):
        for seed in range(SEED, SEED + 200 // self.equations):
            pick = random.Random(seed)
            numbers = np.random.default_rng(seed)
            texts = {f"u{n}": self.formula(pick, 3) for n in range(self.equations)}
            field = numbers.uniform(-1, 1, self.shape)
            pde = eulercl.PDE(texts, grid=self.shape, boundary="periodic",
                              parameters={"k": 1.25, "c": field})
            state = numbers.uniform(-1, 1, pde.shape)
            found = eulercl.Solver(pde, backend="seq").evaluate(0.75, state)
            y, x = np.indices(self.shape).astype(float)
            shift = lambda u, dx, dy: np.roll(u, (-dy, -dx), (0, 1))
            names = {
                "x": x, "y": y, "t": 0.75, "k": 1.25, "c": field, "shift": shift, "sqrt": np.sqrt,
                "floor": np.floor, "sin": np.sin, "maximum": np.maximum, "where": np.where,
                "laplace": lambda u: shift(u, 1, 0) + shift(u, -1, 0) + shift(u, 0, 1)
                + shift(u, 0, -1) - 4 * u,
                "d_dx": lambda u: (shift(u, 1, 0) - shift(u, -1, 0)) / 2,
                "d_dy": lambda u: (shift(u, 0, 1) - shift(u, 0, -1)) / 2}
            for n, text in enumerate(texts.values()):
                # Python's conditions take one point at a time.
                here = {f"u{m}": state[..., m] for m in range(self.equations)}
                wanted = pointwise(text, {**names, **here}, self.shape)
                # A condition or floor at its edge may turn at another rounding: a few points.
                close = np.isclose(found[..., n], wanted, rtol=1e-9, atol=1e-9)
                self.assertGreaterEqual(close.sum(), close.size - 2, f"seed {seed}: {text}")


class ArrayFunctions(unittest.TestCase):
    """The translation to functions of arrays against that to C."""

    def test_random(self):
        pick, formulas = random.Random(SEED), Formulas()
        formulas.equations = 6  # compiled eight times
        for shape in ((5, 6), 12):
            for boundary in ("fixed", "clamp", "mirror", "periodic"):
                texts = {f"u{n}": formulas.formula(pick, 2) for n in range(formulas.equations)}
                if shape == 12:
                    texts = {name: re.sub(r"d_dy|\by\b", lambda word: word[0].replace("y", "x"), re.sub(
                        r"(shift\(\w+, -?\d), -?\d", r"\1", text)) for name, text in texts.items()}
                texts["u0"] = "(laplace(u1) if 0 < u1 < 0.5 or x == 2 else -u2**3) + u1**-2"
                numbers = np.random.default_rng(pick.randrange(2**32))
                pde = eulercl.PDE(texts, grid=shape, boundary=boundary, parameters={
                    "k": 1.25, "c": numbers.uniform(-1, 1, shape)})
                state = numbers.uniform(-1, 1, pde.shape)
                wanted = eulercl.Solver(pde, backend="seq").evaluate(0.75, state)
                found = eulercl._rhs.array_function(pde, np)(0.75, state)
                self.assertEqual(found.shape, pde.shape)
                close = np.isclose(found, wanted, rtol=1e-9, atol=1e-9)
                self.assertLess((~close).sum(), 3, [texts[f"u{n}"] for n in np.flatnonzero(
                    (~close).any(tuple(range(close.ndim - 1))))])


class Sides(unittest.TestCase):
    """A rule for each side."""

    # For the solution (1 + t) S(x) between walls at 0 and 1: rules by the side of S and of its slope to the right.
    rules = {"value": lambda S, slope: {"value": f"(1 + t)*{S}"},
             "derivative": lambda S, slope: {"derivative": f"(1 + t)*{slope}"},
             "mixed": lambda S, slope: {"mixed": ("a", f"(1 + t)*({slope} + a*{S})")}}

    def error(self, kind, centred, n):
        """Return the greatest error of a heat equation with n intervals. Euler's steps add none, since
        the solution is linear in t."""
        first, points = (0.5, n) if centred == "cells" else (1, n - 1) if kind == "value" else (0, n + 1)
        rule = self.rules[kind]
        S = np.sin(1 + 2 * (np.arange(points) + first) / n)
        pde = eulercl.PDE(  # without functions, so that it begins with baseline code
            {"u": "laplace(u)/(10*h*h) + S*(1.4 + 0.4*t)"}, grid=points, dx=1 / n,
            boundary={"left": rule(math.sin(1), -2 * math.cos(1)), "right": rule(math.sin(3), 2 * math.cos(3))},
            centred=centred, parameters={"h": 1 / n, "a": 1.5, "S": S}, initial={"u": S})
        self.assertEqual(pde.info["extents"][0], points)
        found = eulercl.solve(pde, (0, 0.5), h=0.5 / n**2).y[-1, :, 0]
        return np.abs(found - 1.5 * S).max()

    def test_order(self):
        for kind, centred in itertools.product(self.rules, ("nodes", "cells")):
            with self.subTest(rule=kind, centred=centred):
                order = math.log2(self.error(kind, centred, 16) / self.error(kind, centred, 32))
                self.assertAlmostEqual(order, 2, delta=0.2)

    def test_moving_values_beside_other_rules(self):
        """A value has what stages see of it, whatever the rule of another unknown is."""
        ends = []
        for centred, other in itertools.product(("nodes", "cells"), ({"value": 0}, {"derivative": 0}, "clamp")):
            pde = eulercl.PDE({"u": "400*laplace(u)", "v": "0"}, grid=20, centred=centred, initial={"u": 0, "v": 0},
                              boundary={"u": {"*": {"value": "sin(5*t)"}}, "v": {"*": other}})
            ends.append(eulercl.solve(pde, (0, 0.5), h=0.02, method="rkc4").y[-1, :, 0])
        for place, end in enumerate(ends):  # the formulas are the same, but in cells the words order them otherwise
            np.testing.assert_allclose(end, ends[place // 3 * 3], rtol=1e-12, atol=1e-14)

    # Two unknowns that read two points away, also in corners.
    equations = {"u": "0.1*laplace(u) + shift(u, 1, 2)/16 - shift(v, -2, -1)/16 - u*c",
                 "v": "0.1*laplace(v) + d_dx(u)/8 + shift(v, 2, -2)/16 - v**3"}
    plates = [
        {"left": {"value": "sin(w*t) + y/8"}, "right": {"derivative": "-q*y**2/64"},
         "bottom": {"mixed": ("q", "t - x/4")}, "top": {"value": "lambda if x > 3 and x < 7 else d"}},
        {"u": {"x": "periodic", "y-": {"derivative": "cos(t + x)"}, "*": {"mixed": (0.5, "x/8")}},
         "v": {"x": "periodic", "y-": {"value": "q"}, "*": "mirror"}},
        {"u": {"y": "periodic", "x-": "clamp", "x+": "fixed"},
         "v": {"y": "periodic", "x-": {"mixed": ("c", "where(y > 4, t, IN)")}, "x+": {"value": "pow(q, t)"}}},
        {"x": "mirror", "y-": "fixed", "y+": "clamp"}]

    def plate(self, boundary, centred):
        return eulercl.PDE(
            self.equations, grid=(9, 11), boundary=boundary, centred=centred, dx=(0.5, 0.25),
            parameters={"c": 0.25, "d": 0.5, "IN": 0.75, "q": 0.4, "w": 3, "lambda": -0.3},
            initial={"u": lambda x, y: (2 * x + y) % 9 / 9, "v": lambda x, y: (x + 3 * y) % 7 / 7})

    def test_plates(self):
        """The bits of backends, NumPy's right-hand side, and copies."""
        backends = ["cpu", "pthreads"] + ["cl-linear"] * has_opencl()
        for number, boundary in enumerate(self.plates):
            centred = ("nodes", "cells")[number % 2]
            with self.subTest(boundary=boundary, centred=centred):
                pde = self.plate(boundary, centred)
                hashes = {eulercl.solve(pde, (0, 3), h=0.25, backend=backend).state_hash for backend in backends}
                self.assertEqual(len(hashes), 1, hashes)
                self.same_rates(pde)
                for other in (copy.copy(pde), pickle.loads(pickle.dumps(pde))):
                    self.assertEqual(other.source, pde.source)
                    other.set("q", 0.6)
                    self.same_rates(other)
                self.assertEqual(pde.parameters["q"], 0.4)

    def same_rates(self, pde):
        state = np.random.default_rng(SEED).uniform(-1, 1, pde.shape)
        np.testing.assert_allclose(eulercl._rhs.array_function(pde, np)(0.75, state),
                                   eulercl.Solver(pde, backend="seq").evaluate(0.75, state), rtol=1e-11, atol=1e-12)

    def test_kinds(self):
        """Unknowns with rules of different kinds at one side have the bits of problems of their own."""
        rules = {"u": {"value": "t"}, "v": {"derivative": "q*t"}, "w": {"mixed": ("q", "1 - t")}, "m": "mirror",
                 "p": "clamp", "f": "fixed"}
        equation = "laplace({0})/4 - shift({0}, 2)/8 + shift({0}, -2)/8 + x/9"
        for centred in ("nodes", "cells"):
            made = lambda names: eulercl.PDE(
                {name: equation.format(name) for name in names}, grid=9, centred=centred, dx=0.3,
                boundary={name: {"*": rules[name]} for name in names}, parameters={"q": 0.7},
                initial={name: lambda x: x * (8 - x) / 16 for name in names})
            together = made(rules)
            self.assertIn("ODE_GHOST_OF(", together.source)
            found = eulercl.solve(together, (0, 2), h=0.125).y[-1]
            for c, name in enumerate(rules):
                with self.subTest(centred=centred, rule=rules[name]):
                    alone = eulercl.solve(made([name]), (0, 2), h=0.125).y[-1]
                    np.testing.assert_array_equal(found[:, c], alone[:, 0])

    def test_names(self):
        """A name for all sides in a dictionary has the bits of the name."""
        for centred, name in itertools.product(("nodes", "cells"), eulercl._boundary.NAMES):
            with self.subTest(name=name, centred=centred):
                one, other = (eulercl.PDE({"u": "laplace(u)/4 + shift(u, 2)/8"}, grid=9, boundary=boundary,
                                          centred=centred, initial={"u": lambda x: x * x / 9})
                              for boundary in (name, {"*": name}))
                self.assertNotIn("SIDES", one.source)
                state = one.initial()
                for time in (0.5, 1):
                    rates = [eulercl.Solver(each, no_move=False).evaluate(time, state) for each in (one, other)]
                    np.testing.assert_array_equal(*rates)

    def test_words(self):
        """py-pde's words for the same rules are the same text."""
        source = lambda boundary: eulercl.PDE(
            {"u": "a*laplace(u)"}, grid=(5, 6), boundary=boundary, parameters={"a": 2}).source
        wanted = source({"x-": {"value": "a"}, "x+": {"derivative": 1}, "y-": {"mixed": ("a", 3)},
                         "y+": {"mixed": ("a", 3)}})
        self.assertIn("""
#define ODE_SIDES(SIDE) \\
    SIDE(X_LOW, ODE_VALUE(a)) \\
    SIDE(X_HIGH, ODE_GRADIENT(REAL(1.0))) \\
    SIDE(Y_LOW, ODE_ROBIN(a, 1, REAL(3.0))) \\
    SIDE(Y_HIGH, ODE_ROBIN(a, 1, REAL(3.0)))
""", wanted)
        for other in [{"left": {"dirichlet": "a"}, "right": {"neumann": True}, "y": {"robin": ["a", 3.0]}},
                      {"*": {"type": "mixed", "value": "a", "const": 3}, "left": {"type": "value", "value": "a"},
                       "x+": {"type": "derivative", "value": np.float32(1)}},
                      {"u": {"bottom": {"mixed": "a", "const": 3}, "top": {"mixed": ("a", 3)},
                             "left": {"value": "a"}, "*": {"derivative": 1}}}]:
            self.assertEqual(source(other), wanted)
        for one, other in [({"value": 3}, {"*": {"value": 3}}), ({"*": "neumann"}, {"*": {"derivative": 0}}),
                           ({"mixed": "a"}, {"*": {"mixed": ("a", 0)}}), ({"u": "mirror"}, {"*": "mirror"})]:
            self.assertEqual(source(one), source(other))
        given = {"*": {"value": 1}}
        pde = eulercl.PDE({"u": "-u"}, grid=5, boundary=given)
        given["*"]["value"] = 2
        self.assertEqual(copy.copy(pde).source, pde.source)

    def test_errors(self):
        good = {"value": 1}
        for boundary, words in [
                ({"up": good}, "'up' is not one of the sides"), ({"x": {"slope": 1}}, "rule 'slope' is not"),
                ({"x": "open"}, "rule 'open' is not"), ({"x": {}}, "rule None is not"),
                ({"x": {"type": "slope", "value": 1}}, "boundary, x: the rule 'slope'"),
                ({"x": good, "left": good, "*": good}, "the side x- has two rules"),
                ({"x-": "periodic", "*": good}, "periodic at both ends, for all unknowns: x"),
                ({"u": "periodic", "v": {"*": good}}, "periodic at both ends, for all unknowns: x"),
                ({"x": good, "top": good}, "the side y- has no rule"), ({}, "the side x- has no rule"),
                ({"u": good}, "the unknown v has no rules"), ({"u": good, "x": good}, "'x' is not one of the unkn"),
                ({"u": {"x": good}, "v": {"*": good}}, "boundary of u: the side y- has no rule"),
                ({"x": {"value": "a + w"}, "*": good},
                 r"^boundary of u, x-: column 5 of 'a \+ w': unknown name 'w' \(known: a, k, t, y\)$"),
                ({"*": {"value": "2*u"}}, "column 3 of '2\\*u': the unknown u cannot stand"),
                ({"x": {"value": "x"}, "*": good}, "x is no place along this side"),
                ({"y": {"value": "y"}, "*": good}, "y is no place along this side"),
                ({"*": {"value": "laplace(u)"}}, "laplace cannot stand"),
                ({"*": {"value": "t +"}}, "not a formula"), ({"*": {"value": ""}}, "empty"),
                ({"*": {"value": "sin"}}, "arguments in brackets"),
                ({"*": {"value": "(((t**16)**16)**16)**16"}}, "powers of powers"),
                ({"*": {"value": float("nan")}}, "not a finite number"),
                ({"*": {"value": np.ones(7)}}, r"boundary, x-: an array of the shape \(7,\), but the side has 5 points"), ({"*": {"mixed": (1, 2, 3)}}, "du/dn"),
                ({"*": {"mixed": (1, 2), "const": 3}}, "du/dn"), ({"*": {"value": 1, "const": 3}}, "'const' does"),
                ({"*": {"value": 1, "derivative": 3}}, "'derivative' does not belong"),
                ({"*": 3}, "3 is no rule"), (["mirror"], "neither one of"), (3, "neither one of"),
                ("open", "is not one of fixed, clamp")]:
            with self.subTest(boundary=boundary), self.assertRaisesRegex(eulercl.InvalidError, words) as got:
                eulercl.PDE({"u": "a*k*laplace(u)", "v": "-v"}, grid=(5, 6), boundary=boundary,
                            parameters={"a": 1, "k": np.ones((5, 6))})
            self.assertNotIn("\n", str(got.exception))
        for arguments, words in [
                (dict(boundary={"x": good, "top": good}), "'top' is a side of a grid with two dimensions"),
                (dict(boundary={"x": {"value": "x"}}), r"x is no place along this side \(known: t\)"),
                (dict(centred="faces"), "neither 'nodes' nor 'cells'"), (dict(dx=0), "not greater than 0"),
                (dict(dx=(1, 2)), "nor one for each axis"), (dict(dx=float("inf")), "finite")]:
            with self.subTest(**arguments), self.assertRaisesRegex(eulercl.InvalidError, words):
                eulercl.PDE({"u": "-u"}, grid=5, **arguments)

    def test_compare(self):
        optional("scipy", self)
        pde = self.plate(self.plates[0], "cells")
        found = eulercl.compare(pde, (0, 2), ["scipy:RK45"], rtol=[1e-5], backend="seq")
        for row in found.rows:
            self.assertLess(row.error, 1e-3, row)


class Heart(unittest.TestCase):
    """examples/beeler_reuter.c against the paper's equations in NumPy, solved by SciPy."""

    # C1 to C7 of alpha and beta of each gate: table 1 of Beeler and Reuter (1977).
    rates = {"x1": ((5e-4, 0.083, 50, 0, 0, 0.057, 1), (1.3e-3, -0.06, 20, 0, 0, -0.04, 1)),
             "m": ((0, 0, 47, -1, 47, -0.1, -1), (40, -0.056, 72, 0, 0, 0, 0)),
             "h": ((0.126, -0.25, 77, 0, 0, 0, 0), (1.7, 0, 22.5, 0, 0, -0.082, 1)),
             "j": ((0.055, -0.25, 78, 0, 0, -0.2, 1), (0.3, 0, 32, 0, 0, -0.1, 1)),
             "d": ((0.095, -0.01, -5, 0, 0, -0.072, 1), (0.07, -0.017, 44, 0, 0, 0.05, 1)),
             "f": ((0.012, -0.008, 28, 0, 0, 0.15, 1), (6.5e-3, -0.02, 30, 0, 0, -0.2, 1))}
    points, jumps = 5, (0, 1, 4, 5, 12)  # S1 from 0 to 1, S2 from 4 to 5

    def derivative(self, y, stimulus):
        """Return the derivatives of a flat state."""
        state = y.reshape(self.points, self.points, 8)
        v, calcium, *gates = np.moveaxis(state, -1, 0)
        x1, m, h, j, d, f = gates
        exp = np.exp
        current = 0.35 * (4 * (exp(0.04 * (v + 85)) - 1) / (exp(0.08 * (v + 53)) + exp(0.04 * (v + 53)))
                          + 0.2 * (v + 23) / (1 - exp(-0.04 * (v + 23))))
        current += x1 * 0.8 * (exp(0.04 * (v + 77)) - 1) / exp(0.04 * (v + 35))
        current += (4 * m**3 * h * j + 0.003) * (v - 50)
        slow = 0.09 * d * f * (v + 82.3 + 13.0287 * np.log(1e-6 * calcium))
        beyond = np.pad(v, 1, mode="reflect")
        laplace = (beyond[1:-1, 2:] + beyond[1:-1, :-2] + beyond[2:, 1:-1] + beyond[:-2, 1:-1] - 4 * v)
        change = [stimulus - current - slow + 1e-3 / 0.025**2 * laplace,
                  -0.1 * slow + 0.07 * (0.1 - calcium)]
        for gate, table in zip(gates, self.rates.values()):
            opening, closing = (
                (c1 * exp(c2 * (v + c3)) + c4 * (v + c5)) / (exp(c6 * (v + c3)) + c7)
                for c1, c2, c3, c4, c5, c6, c7 in table)
            change.append(opening * (1 - gate) - closing * gate)
        return np.stack(change, -1).ravel()

    def test_scipy(self):
        optional("scipy", self)
        from scipy import integrate
        sheet = eulercl.Problem(SOURCES / "examples/beeler_reuter.c", points=self.points, duration=1,
                                s2=self.jumps[2])
        y, x = np.indices((self.points, self.points))
        stimuli = (50.0 * (x < 4), 0, 50.0 * ((x < 2.5) & (y < 2.5)), 0)
        state = sheet.initial().ravel()
        evaluate = functools.partial(eulercl.Solver(sheet, backend="seq").evaluate, 2)
        np.testing.assert_allclose(  # between the stimuli
            evaluate(sheet.initial()).ravel(), self.derivative(state, 0), atol=1e-12)
        for v in (-47, -23):  # where formulas of the paper are 0/0
            at, beside = (evaluate(np.where(np.arange(8) == 0, one, sheet.initial())) for one in (v, v + 1e-9))
            np.testing.assert_allclose(at, beside, rtol=1e-6)
        for start, end, stimulus in zip(self.jumps, self.jumps[1:], stimuli):
            done = integrate.solve_ivp(lambda t, y: self.derivative(y, stimulus), (start, end), state,
                                       "LSODA", rtol=1e-10, atol=1e-12)
            state = done.y[:, -1]
        wanted = state.reshape(sheet.shape)
        self.assertGreater(wanted[..., 0].min(), 0)  # mV: all cells are excited
        # Gates are at most 1. That of sodium, h, is then closed but for 1e-7, far below the tolerances.
        for tolerance in (1e-5, 1e-8):
            found = eulercl.solve(sheet, (0, self.jumps[-1]), rtol=tolerance, atol=tolerance, backend="cpu")
            self.assertLess((np.abs(found.y[-1] - wanted) / (1 + np.abs(wanted))).max(), tolerance)


class Compare(unittest.TestCase):
    """Other programs on the same equations."""

    def setUp(self):
        self.pde = eulercl.PDE({"u": "a*laplace(u) - u**3", "v": "u if x > 4 else -v"}, grid=(12, 10),
                               boundary="clamp", parameters={"a": 0.3},
                               initial={"u": peak(10, 12), "v": 0.5})

    def check(self, *against):
        found = eulercl.compare(self.pde, (0, 3), against, rtol=[1e-4, 1e-6], backend="seq")
        self.assertEqual([(row.program, row.rtol) for row in found.rows],
                         [(name, rtol) for name in ("eulercl", *against) for rtol in (1e-4, 1e-6)])
        for row in found.rows:
            self.assertLess(row.error, 1e3 * row.rtol, row)
            self.assertGreater(row.seconds, 0)
        self.assertIn(f"{against[-1]}", str(found))
        return found

    def test_scipy(self):
        optional("scipy", self)
        found = self.check("scipy:RK45", "eulercl:dp54", "scipy:DOP853")
        matplotlib = optional("matplotlib", self)
        matplotlib.use("agg")
        from matplotlib import pyplot
        self.assertEqual(len(found.plot().axes[0].lines), 4)
        pyplot.close("all")

    def test_diffrax(self):
        optional("diffrax", self)
        self.check("diffrax:Tsit5")

    def test_errors(self):
        for against, settings in [("numpy:x", {}), ("eulercl:nothing", {}), ("eulercl", dict(rtol=[])),
                                  ("eulercl", dict(rtol=2))]:
            with self.subTest(against=against), self.assertRaises(eulercl.InvalidError):
                eulercl.compare(self.pde, (0, 1), against, **settings)
        with self.assertRaises(eulercl.InvalidError):
            eulercl.compare(eulercl.Problem("string"), (0, 1))
        with unittest.mock.patch.dict(sys.modules, scipy=None), self.assertRaises(ImportError):
            eulercl.compare(self.pde, (0, 1))
        optional("scipy", self)
        with self.assertRaisesRegex(eulercl.InvalidError, "scipy has no 'Tsit5'"):
            eulercl.compare(self.pde, (0, 1), ["scipy:Tsit5"])


class Functions(unittest.TestCase):
    """Each function that a formula may call, and its translation for `compare`, against NumPy's."""

    # Of u, in (-1, 1): arguments where the function is finite and, in C, has no special value.
    formulas = {
        "exp": "exp(30*u)", "exp2": "exp2(50*u)", "expm1": "expm1(3*u)", "log": "log(1.001 + u)",
        "log2": "log2(1.001 + u)", "log1p": "log1p(u)", "sin": "sin(40*u)", "cos": "cos(40*u)",
        "tan": "tan(40*u)", "asin": "asin(u)", "acos": "acos(u)", "atan": "atan(9*u)",
        "sinh": "sinh(8*u)", "cosh": "cosh(8*u)", "tanh": "tanh(3*u)", "cbrt": "cbrt(7*u)",
        "erf": "erf(2*u)", "atan2": "atan2(u, v)", "pow": "pow(1.001 + u, 9*v)", "**": "(1.001 + u)**v",
        "hypot": "hypot(3*u, v)", "fmin": "fmin(u, v)", "fmax": "fmax(u, v)", "minimum": "minimum(u, v)",
        "maximum": "maximum(u, v)", "sqrt": "sqrt(1.001 + u)", "fabs": "fabs(u)", "abs": "abs(u)",
        "floor": "floor(9*u)", "fma": "fma(u, v, 3)", "large": "sin(1e10*u)",
        "nested": "exp(-hypot(u, v))*tanh(log1p(u*u)) - atan2(sin(v), 1.5 + cos(u))**3"}

    def test_values(self):
        rest = [f"f{n}" for n in range(len(self.formulas) - 2)]
        pde = eulercl.PDE(dict(zip(["u", "v", *rest], self.formulas.values())), grid=200)
        missing = set(eulercl._formula.functions) - set(self.formulas)
        self.assertFalse(missing, "functions without a test")
        state = np.random.default_rng(SEED).uniform(-1, 1, pde.shape)
        state[0, 0], state[1, 0] = 0, 1e-9
        rates = eulercl.Solver(pde, backend="seq").evaluate(0.5, state)
        others = eulercl._rhs.array_function(pde, np)(0.5, state)
        names = {
            "u": state[:, 0], "v": state[:, 1], "pow": np.power, "asin": np.arcsin, "acos": np.arccos,
            "atan": np.arctan, "atan2": np.arctan2, "erf": np.vectorize(math.erf),
            "fma": lambda a, b, c: a * b + c,
            **{name: getattr(np, name) for name in self.formulas if hasattr(np, name)}}
        names["abs"] = np.abs
        for c, (name, text) in enumerate(self.formulas.items()):
            with self.subTest(formula=text):
                wanted = eval(text, dict(names))
                self.assertGreater(np.ptp(wanted), 0.2)
                np.testing.assert_allclose(rates[:, c], wanted, rtol=1e-13)
                np.testing.assert_allclose(others[:, c], wanted, rtol=1e-13)


def pointwise(text, names, shape):
    """Evaluate a formula at each point: functions of neighbours for the whole grid before."""
    import ast
    tree = ast.parse(text, mode="eval")
    known = dict(names)

    class Whole(ast.NodeTransformer):
        """Replaces functions of neighbours by arrays."""

        def visit_Call(self, node):
            self.generic_visit(node)
            if node.func.id in ("laplace", "d_dx", "d_dy", "shift"):
                name = f"a{len(known)}_"
                known[name] = eval(compile(ast.Expression(node), "", "eval"), dict(names))
                return ast.copy_location(ast.Name(name, ast.Load()), node)
            return node

    code = compile(ast.fix_missing_locations(Whole().visit(tree)), "", "eval")
    arrays = {name: value for name, value in known.items() if isinstance(value, np.ndarray)}
    result = np.empty(shape)
    for point in np.ndindex(*shape):
        result[point] = eval(code, {**known, **{name: a[point] for name, a in arrays.items()}})
    return result


class Bits(unittest.TestCase):
    """A formula gives the bits of the same equations in a file."""

    def test_gray_scott(self):
        m = 48
        written = eulercl.Problem(SOURCES / "examples/gray_scott.c", m=m)
        start = written.initial()
        pde = eulercl.PDE(
            {"u": "Du*laplace(u) - u*v*v + F*(1 - u)", "v": "Dv*laplace(v) + u*v*v - (F + k)*v"},
            grid=(m, m), boundary="periodic", initial={"u": start[..., 0], "v": start[..., 1]},
            parameters=dict(F=0.037, k=0.06, Du=0.2, Dv=0.1))
        for precision in ("double", "float"):
            hashes = {eulercl.solve(one, (0, 60), h=1.0, precision=precision, flush_below=0,
                                    backend=backend).state_hash
                      for one in (written, pde) for backend in ("seq", "cpu", "pthreads")}
            self.assertEqual(len(hashes), 1, hashes)

    def test_formulas(self):
        texts = [
            "1.5*u1 - k*u0", "u0**2*u2 - (k + 1)*u1", "laplace(u2) - u2**3",
            "k*laplace(u3) + c*(u4 - u3)", "d_dx(u4) - d_dy(u5)",
            "shift(u6, 1, 0) - 2*u5 + shift(u6, -1, 0)", "shift(u7, 2, -1)*shift(u7, -2, 1) - u6",
            "sqrt(abs(u8)) - u7/(1 + u7**2)", "floor(4*u9)/4 - u8", "u10 if u9 < 0.25 else -u10",
            "where(u11 > 0 and not u10 >= 0.5, u11, 0.1*u12)", "-u11 + 0.3*x - 0.7*y",
            "(1 + u13**2)**-2 - u12", "fma(u14, u15, -u13)", "t*u15 - u14",
            "(u16 - u17)*(u16 + u17)/(2 + abs(u18))", "1/3 - u16",
            "u18**4 - u17 if x == 3 or 1 < y <= 4 else u19",
            "minimum(u19, u0) - maximum(u18, 0.125)", "(u19*u19 + 0.2)**0.5 - u18"]
        self.assertEqual(len(texts), 20)
        written = eulercl.Problem(pathlib.Path(__file__).with_name("formulas.c"))
        start = written.initial()
        y, x = np.indices(start.shape[:2])
        pde = eulercl.PDE({f"u{c}": text for c, text in enumerate(texts)}, grid=start.shape[:2],
                          boundary="mirror", initial={f"u{c}": start[..., c] for c in range(20)},
                          parameters={"k": 1.25, "c": ((x * 3 + y * 5) % 7 - 3) / 8})
        for precision in ("double", "float"):
            rates = [eulercl.Solver(one, precision=precision, backend="seq").evaluate(0.7, start)
                     for one in (written, pde)]
            for c, text in enumerate(texts):
                with self.subTest(formula=text, precision=precision):
                    self.assertTrue(rates[0][..., c].any())
                    np.testing.assert_array_equal(rates[0][..., c], rates[1][..., c])
            hashes = {eulercl.solve(one, (0, 1), h=0.01, precision=precision,
                                    backend=backend).state_hash
                      for one in (written, pde) for backend in ("seq", "cpu")}
            self.assertEqual(len(hashes), 1, hashes)

    def test_fields(self):
        written = eulercl.Problem(pathlib.Path(__file__).with_name("formulas.c"))
        computed = written.fields["g"]
        y, x = np.indices(written.shape[:2])
        np.testing.assert_array_equal(computed, ((x * 3 + y * 5) % 7 - 3) / 8)
        written.set("g", computed[::-1])
        for one in (copy.copy(written), pickle.loads(pickle.dumps(written))):
            np.testing.assert_array_equal(one.fields["g"], computed[::-1])
        hashes = {eulercl.solve(one, (0, 1), h=0.01).state_hash for one in (
            written, copy.copy(written), eulercl.Problem(written._name, g=computed[::-1]),
            eulercl.Problem(written._name))}
        self.assertEqual(len(hashes), 2, hashes)
        pde = eulercl.PDE({"u": "lambda*laplace(u)", "half": "-half"}, grid=(4, 5),
                          parameters={"lambda": np.zeros((4, 5))}, initial={"u": 1})
        pde.set("lambda", np.full((4, 5), 0.5))
        self.assertEqual(pde.fields["lambda"].mean(), 0.5)
        for name, value, words in [
                ("g", np.zeros((4, 5)), "shape"), ("h", computed, "no field 'h'"),
                ("g", np.full(computed.shape, np.nan), "not all numbers of the array are finite")]:
            with self.assertRaisesRegex(eulercl.InvalidError, words):
                written.set(name, value)
        np.testing.assert_array_equal(written.fields["g"], computed[::-1])

    def test_fields_change_between_steps(self):
        equations, settings = {"u": "q"}, dict(grid=(4, 5), parameters={"q": np.zeros((4, 5))}, initial={"u": 1})
        for precision, backend in [("double", "seq"), ("float", "cpu")]:
            pde = eulercl.PDE(equations, **settings)
            with eulercl.Solver(pde, h=0.25, precision=precision, backend=backend) as solver:
                solver.advance(2)
                forcing = np.arange(20.0).reshape(5, 4).T  # not contiguous
                solver.set("q", forcing)
                solver.advance(4)
                np.testing.assert_array_equal(solver.state[..., 0], 1 + forcing)
                for name, value, words in [("p", forcing, "no field 'p'"), ("q", forcing.T, "shape"),
                                           ("q", forcing / 0.0, "finite")]:
                    with self.assertRaisesRegex(eulercl.InvalidError, words), np.errstate(all="ignore"):
                        solver.set(name, value)
                solver.advance(4)
                np.testing.assert_array_equal(solver.state[..., 0], 1 + 2 * forcing)
            np.testing.assert_array_equal(pde.fields["q"], np.zeros((4, 5)))

    def test_parameters_change_between_steps(self):
        equations, settings = {"u": "q * t"}, dict(grid=(4, 5), parameters={"q": 1}, initial={"u": 1})
        for precision, backend in [("double", "seq"), ("float", "cpu")]:
            pde = eulercl.PDE(equations, **settings)
            with eulercl.Solver(pde, h=0.25, precision=precision, backend=backend) as solver:
                solver.advance(2)
                solver.set("q", 3)
                solver.advance(2)
                np.testing.assert_array_equal(solver.state, 1 + 0.0625 + 3 * 0.25 * (0.5 + 0.75))
                for name, value, words in [("p", 1, "no parameter 'p'"), ("q", np.nan, "finite"), ("q", "x", "number"),
                                           ("q", np.ones((4, 5)), "number")]:
                    with self.assertRaisesRegex(eulercl.InvalidError, words):
                        solver.set(name, value)
            self.assertEqual(pde.parameters, {"q": 1})

    def test_instances_have_their_own_arrays(self):
        a, b = (eulercl.PDE(HEAT, grid=5, parameters={"d": 1}, initial={"u": value})
                for value in (1, 2))
        self.assertEqual((a.initial().mean(), b.initial().mean()), (1, 2))


def layouts(array):
    """Return arrays of the same numbers in other orders of memory, and their names."""
    wide = np.full([3 * n for n in array.shape], np.nan)
    wide[tuple(slice(None, None, 3) for _ in array.shape)] = array
    unaligned = np.frombuffer(b"x" + array.tobytes(), np.uint8)[1:].view(array.dtype).reshape(array.shape)
    fixed = array.copy()
    fixed.flags.writeable = False
    backwards = tuple(slice(None, None, -1) for _ in array.shape)
    return {"Fortran": np.asfortranarray(array), "transposed": array.T.copy().T,
            "strided": wide[tuple(slice(None, None, 3) for _ in array.shape)],
            "reversed": array[backwards].copy()[backwards], "big-endian": array.astype(">f8"),
            "long": array.astype(np.longdouble), "unaligned": unaligned, "read-only": fixed,
            "objects": array.astype(object), "list": array.tolist(),
            "swapped": np.moveaxis(np.moveaxis(array, 0, -1).copy(), -1, 0)}


class Arrays(unittest.TestCase):
    """Every array is taken by its indices, whatever its order in memory is."""

    def setUp(self):
        numbers = np.random.default_rng(SEED)
        self.field, self.start = numbers.uniform(-1, 1, (2, 4, 5))
        self.pde = self.make(self.field, self.start)
        self.state = numbers.uniform(-1, 1, self.pde.shape)

    def make(self, field, start, kind=None):
        return eulercl.PDE({"u": "c*laplace(u)", "v": "-v"}, grid=(4, 5), boundary="mirror",
                           parameters={"c": field}, initial={"u": start, "v": start})

    def test_equations(self):
        wanted = eulercl.solve(self.pde, (0, 1), h=0.1, backend="seq").state_hash
        fields, starts = layouts(self.field), layouts(self.start)
        for name in fields:
            for start in (starts[name], lambda x, y: starts[name]):
                with self.subTest(layout=name):
                    pde = self.make(fields[name], start)
                    np.testing.assert_array_equal(pde.initial()[..., 1], self.start)
                    self.assertEqual(eulercl.solve(pde, (0, 1), h=0.1, backend="seq").state_hash, wanted)
        whole = np.arange(20).reshape(4, 5)
        for kind in (">i2", "u8", "?", "f2"):
            pde = self.make(whole.astype(kind).T.copy().T, whole.astype(kind).T.copy().T)
            np.testing.assert_array_equal(pde.initial()[..., 0], whole.astype(kind).astype(float))
        rate = eulercl._rhs.array_function(self.pde, np)(0, self.state)
        self.field[:] = self.start[:] = 0  # the problem has numbers of its own
        self.assertEqual(eulercl.solve(self.pde, (0, 1), h=0.1, backend="seq").state_hash, wanted)
        np.testing.assert_array_equal(eulercl._rhs.array_function(self.pde, np)(0, self.state), rate)

    def test_states(self):
        flat = self.state.reshape(-1)
        for precision in ("double", "float"):
            with eulercl.Solver(self.pde, precision=precision, h=0.1, backend="seq") as solver:
                wanted, rate = self.state.astype(solver.state.dtype), solver.evaluate(0, self.state)
                for name, y in layouts(self.state).items():
                    with self.subTest(layout=name, precision=precision):
                        solver.state = np.zeros(solver.shape)
                        solver.state = y
                        np.testing.assert_array_equal(solver.state, wanted)
                        np.testing.assert_array_equal(solver.evaluate(0, y), rate)
                        solver.state = np.zeros(solver.shape)
                        solver.write(0, y)
                        np.testing.assert_array_equal(solver.state, wanted)
                        got = eulercl.solve(self.pde, (0, 0), y, h=0.1, precision=precision)
                        np.testing.assert_array_equal(got.y[0], wanted)
                        self.assertEqual(eulercl.stable_step(self.pde, y, precision=precision),
                                         eulercl.stable_step(self.pde, self.state, precision=precision))
                for y in layouts(flat).values():
                    solver.state = y
                    np.testing.assert_array_equal(solver.state, wanted)
                    np.testing.assert_array_equal(solver.evaluate(0, y), rate)
        with eulercl.Solver(eulercl.PDE({"u": "-u"}, grid=1), np.array(3), backend="seq") as solver:
            solver.write(0, 5)
            self.assertEqual(solver.state, 5)

    def test_others(self):
        times = np.array([0.25, 0.5, 1.0])
        wanted = eulercl.solve(self.pde, (0, 1), h=0.25, t_eval=times, backend="seq").y
        swept = eulercl.PDE({"u": "d*u"}, grid=3, parameters={"d": 0}, initial={"u": 1})
        rates = np.asarray(eulercl.sweep(swept, (0, 1), h=0.25, d=times)["u"])
        for name, one in layouts(times).items():
            with self.subTest(layout=name):
                np.testing.assert_array_equal(eulercl.solve(
                    self.pde, (0, 1), h=0.25, t_eval=one, backend="seq").y, wanted)
                np.testing.assert_array_equal(
                    np.asarray(eulercl.sweep(swept, (0, 1), h=0.25, d=one)["u"]), rates)
        f = eulercl._rhs.array_function(self.pde, np)
        np.testing.assert_allclose(f(0, np.asfortranarray(self.state)),
                                   eulercl.Solver(self.pde, backend="seq").evaluate(0, self.state))


class Compiled(unittest.TestCase):
    """The same equations are compiled once; the cache is that of the command."""

    @contextlib.contextmanager
    def cache(self):
        """An empty cache: its folder, and a function that returns the calls of the compiler since it was
        called last."""
        with tempfile.TemporaryDirectory() as folder:
            notes, compiler = pathlib.Path(folder, "calls"), pathlib.Path(folder, "cc")
            compiler.write_text("#!/bin/sh\ncase \" $* \" in *' -E '*) echo preprocess ;; "
                                "*' -DODE_BASELINE '*) echo baseline ;; "
                                "*' -DODE_PRECISION_ONLY=4 '*) echo float ;; "
                                "*' -DODE_PRECISION_ONLY=8 '*) echo double ;; *) echo both ;; esac "
                                f">>{notes}\nexec {os.environ.get('CC') or 'cc'} \"$@\" -O0\n")
            compiler.chmod(0o700)

            def calls():
                found = notes.read_text().split() if notes.exists() else []
                notes.unlink(missing_ok=True)
                return found

            with unittest.mock.patch.dict(os.environ, XDG_CACHE_HOME=folder, CC=str(compiler)):
                yield pathlib.Path(folder, "eulercl/compiled"), calls

    @staticmethod
    def compiled(calls):
        return [one for one in calls() if one != "preprocess"]

    def command(self, file):
        """Return how the command says that it took the file."""
        done = subprocess.run([COMMAND, "solve", file, "--steps", "0"], check=True, capture_output=True,
                              text=True)
        return re.search(r"compile [^ ]*( \(\w+\))?", done.stdout)[0]

    def test_command(self):
        file = str(SOURCES / "tests/problems/seven.c")
        with self.cache() as (folder, calls):
            eulercl.Solver(eulercl.Problem(file), backend="cpu").close()
            self.assertEqual(self.compiled(calls), ["baseline", "double"])
            self.assertIn("cached", self.command(file))
            self.assertEqual(calls(), ["preprocess"])
            self.assertEqual(len(list(folder.iterdir())), 2)

    def test_full_disk(self):
        with unittest.mock.patch.dict(os.environ, TMPDIR="/nowhere"), \
                self.assertRaisesRegex(eulercl.ProblemFileError, "cannot create a folder in /nowhere"):
            eulercl.PDE({"u": "3*d*u"}, grid=5, parameters={"d": 1})

    def interrupt(self, started):
        """Send a signal when a file exists."""
        while not started.exists():
            time.sleep(0.01)
        self.interrupted = time.monotonic()
        os.kill(os.getpid(), signal.SIGINT)

    def test_interrupt(self):
        with tempfile.TemporaryDirectory() as folder:
            started, compiler = pathlib.Path(folder, "started"), pathlib.Path(folder, "cc")
            compiler.write_text(f"#!/bin/sh\n: >{started}\nexec sleep 60\n")
            compiler.chmod(0o700)
            with unittest.mock.patch.dict(os.environ, TMPDIR=folder, CC=str(compiler)):
                thread = threading.Thread(target=self.interrupt, args=(started,))
                thread.start()
                with self.assertRaises(KeyboardInterrupt):
                    eulercl.PDE({"u": "5*d*u"}, grid=5, parameters={"d": 1})
                thread.join()
                self.assertEqual({one.name for one in pathlib.Path(folder).iterdir()}, {"cc", "started"})

    def test_unloaded(self):
        def maps():
            lines = pathlib.Path("/proc/self/maps").read_text().splitlines()
            return sum("eulercl-" in line for line in lines)

        if not os.path.exists("/proc/self/maps"):
            self.skipTest("needs /proc/self/maps")
        kept = [eulercl.PDE(HEAT, grid=5, parameters={"d": 1}, initial={"u": value}) for value in (1, 2)]
        eulercl.Solver(kept[0], backend="cpu").close()  # loads fast code
        before = maps()
        for _ in range(3):
            with eulercl.Solver(eulercl.PDE(HEAT, grid=5, parameters={"d": 1}), h=0.1, backend="cpu") as run:
                run.advance(3)
            eulercl.Problem(SOURCES / "tests/problems/seven.c")
        del run
        self.assertEqual(maps(), before)
        self.assertEqual([one.initial().mean() for one in kept], [1, 2])

    def test_other_numbers(self):
        with self.cache() as (folder, calls):
            pdes = [eulercl.PDE({"u": "d*u"}, grid=7, parameters={"d": d}, initial={"u": start})
                    for d, start in ((0.25, 1), (-1.5, 2))]
            self.assertEqual([pde.parameters for pde in pdes], [{"d": 0.25}, {"d": -1.5}])
            self.assertEqual(self.compiled(calls), ["baseline"])
            for backend, wanted in (("seq", []), ("cpu", ["double"])):
                means = [eulercl.Solver(pde, backend=backend).evaluate(0, pde.initial()).mean()
                         for pde in pdes]
                self.assertEqual(means, [0.25, -3])
                self.assertEqual(self.compiled(calls), wanted)
            del pdes  # the next one comes from the cache of the command
            eulercl.PDE({"u": "d*u"}, grid=7, parameters={"d": 1})
            self.assertEqual(calls(), ["preprocess"])
            self.assertEqual(len(list(folder.iterdir())), 2)


    def test_moves(self):
        with self.cache() as (_, calls):
            pde = eulercl.PDE(HEAT, grid=(60, 61), parameters={"d": 0.2}, initial={"u": peak(61, 60)})
            short = eulercl.solve(pde, (0, 20), h=1.0)
            self.assertEqual((short.statistics["code"], short.statistics["moved_steps"]), ("baseline", 0))
            with eulercl.Solver(pde, h=1.0) as moved:
                end = time.monotonic() + 120
                while moved.statistics["moved_steps"] == 0 and time.monotonic() < end:
                    moved.advance(1000)
                found = moved.statistics
                self.assertEqual(found["code"], "")
                self.assertTrue(0 < found["moved_steps"] <= found["steps"])
                self.assertTrue(0 < found["moved_kernel_seconds"] <= found["kernel_seconds"])
                self.assertEqual(self.compiled(calls), ["baseline", "double"])
                with eulercl.Solver(pde, h=1.0, no_move=True) as waited:
                    waited.advance(found["steps"])
                    self.assertEqual((waited.statistics["code"], waited.statistics["moved_steps"]), ("", 0))
                    np.testing.assert_array_equal(waited.state, moved.state)
            self.assertEqual(self.compiled(calls), [])

    def test_many_short_runs_move(self):
        with self.cache():
            pde = eulercl.PDE(HEAT, grid=(60, 62), parameters={"d": 0.2}, initial={"u": peak(62, 60)})
            end = time.monotonic() + 120
            while eulercl.solve(pde, (0, 100), h=1.0).statistics["code"] and time.monotonic() < end:
                pass
            self.assertEqual(eulercl.solve(pde, (0, 100), h=1.0).statistics["code"], "")

    def test_precisions(self):
        with self.cache() as (_, calls):
            pde = eulercl.PDE({"u": "d*laplace(u) + c"}, grid=(9, 8), initial={"u": peak(8, 9)},
                              parameters={"d": 0.2, "c": np.arange(72.0).reshape(9, 8) / 72})
            pde.set("d", 0.1)
            self.compiled(calls)
            runs = {precision: eulercl.solve(pde, (0, 5), h=1.0, precision=precision, backend="cpu")
                    for precision in ("float", "double")}
            self.assertEqual(self.compiled(calls), ["float", "double"])
            self.assertEqual(pde.parameters, {"d": 0.1})
            for precision, run in runs.items():
                again = eulercl.solve(pde, (0, 5), h=1.0, precision=precision)
                np.testing.assert_array_equal(run.y, again.y)
            self.assertLess(np.abs(runs["float"].y - runs["double"].y).max(), 1e-5)
            self.assertGreater(np.abs(runs["float"].y).max(), 1)
            self.assertEqual(calls(), [])

    def test_changed_file(self):
        with self.cache() as (folder, _):
            file = folder.parent / "heat.c"
            file.parent.mkdir(exist_ok=True)
            text = eulercl.PDE(HEAT, grid=6, parameters={"d": 1}).source
            file.write_text(text)
            problem = eulercl.Problem(file)
            file.write_text(text.replace("LAPLACE", "2 * LAPLACE"))
            with self.assertRaisesRegex(eulercl.ProblemFileError, "has changed since"):
                eulercl.Solver(problem, precision="float")
            eulercl.Solver(problem, precision="double").close()

    def test_interrupt_fast_code(self):
        with tempfile.TemporaryDirectory() as folder:
            started, compiler = pathlib.Path(folder, "started"), pathlib.Path(folder, "cc")
            compiler.write_text("#!/bin/sh\ncase \" $* \" in *' -E '*|*' -DODE_BASELINE '*) exec "
                                f"{os.environ.get('CC') or 'cc'} \"$@\" ;; esac\n: >{started}\n"
                                "exec sleep 60\n")
            compiler.chmod(0o700)
            with unittest.mock.patch.dict(os.environ, TMPDIR=folder, CC=str(compiler)):
                pde = eulercl.PDE({"u": "6*d*u"}, grid=5, parameters={"d": 1})
                for run in (lambda: eulercl.solve(pde, (0, 1), h=0.1, backend="cpu"),
                            lambda: eulercl.sweep(pde, (0, 1), h=0.1, d=[1, 2])):
                    thread = threading.Thread(target=self.interrupt, args=(started,))
                    thread.start()
                    with self.assertRaises(KeyboardInterrupt):
                        run()
                    ended = time.monotonic()
                    thread.join()
                    self.assertLess(ended - self.interrupted, 2)
                    started.unlink()
                self.assertEqual(eulercl.solve(pde, (0, 1), h=0.1).statistics["code"], "baseline")
                del pde
                self.assertEqual([one.name for one in pathlib.Path(folder).iterdir()], ["cc"])


class Solve(unittest.TestCase):
    """The interface of solve and Solver."""

    def setUp(self):
        self.pde = eulercl.PDE(HEAT, grid=(20, 30), parameters={"d": 0.5}, boundary="mirror",
                               initial={"u": peak(30, 20)})

    def test_times(self):
        got = eulercl.solve(self.pde, (0, 2), t_eval=[0, 0.7, 2], rtol=1e-7, atol=1e-9)
        self.assertEqual(got.y.shape, (3, 20, 30, 1))
        np.testing.assert_array_equal(got.y[0], self.pde.initial())
        for t, y in zip(got.t[1:], got.y[1:]):
            fine = eulercl.solve(self.pde, (0, t), h=t / 4000).y[0]
            np.testing.assert_allclose(y, fine, atol=2e-4)
        self.assertEqual((got.status, got.success), (0, True))
        self.assertGreater(got.nfev, 3)

    def test_dense(self):
        times = [0.3, 1, 1.5]
        steps = {}
        for dense in (True, False):
            got = eulercl.solve(self.pde, (0, 2), t_eval=times, rtol=1e-4, dense=dense, backend="seq")
            steps[dense] = got.statistics["steps"]
            with eulercl.Solver(self.pde, rtol=1e-4, backend="seq") as solver:
                for t, y in zip(times, got.y):
                    solver.advance_dense(t, 2) if dense else solver.advance_to(t)
                    np.testing.assert_array_equal(solver.state, y)
                    self.assertEqual(solver.t, t)
        alone = eulercl.solve(self.pde, (0, 2), rtol=1e-4, backend="seq").statistics["steps"]
        self.assertEqual(steps[True], alone)
        self.assertGreater(steps[False], alone)

    def test_breakpoints(self):
        pulse = eulercl.PDE({"u": "1 if on < t and t <= on + 1 else 0"}, grid=3, parameters={"on": 500.1})
        for how in (dict(rtol=1e-4), dict(h=7.0), dict(h=7.0, method="rk4")):
            for times in ([500.1, 501.1], np.array([501.1, -3, 500.1], ">f8"), (500.1, 501.1, 501.1)):
                got = eulercl.solve(pulse, (0, 600), breakpoints=times, backend="cpu", **how)
                np.testing.assert_allclose(got.y[-1], 1, rtol=1e-12)
        for wrong in ("x", [1, "x"], [[1]], [1j], [np.nan], [np.inf]):
            with self.assertRaises(eulercl.InvalidError):
                eulercl.solve(pulse, (0, 600), breakpoints=wrong, rtol=1e-4)

    def test_rounded_times(self):
        for how in (dict(h=0.01), dict(rtol=1e-4), dict(rtol=1e-4, dense=False)):
            got = eulercl.solve(self.pde, (0, 0.3), t_eval=np.arange(4) * 0.1, backend="seq", **how)
            self.assertGreater(3 * 0.1, 0.3)
            self.assertEqual((len(got.t), got.t[-1]), (4, 0.3))
            for t_eval in ([0.3 + 1e-9], [-1e-9, 0.1]):
                with self.assertRaisesRegex(eulercl.InvalidError, "t_eval"):
                    eulercl.solve(self.pde, (0, 0.3), t_eval=t_eval, **how)

    def test_zero_is_no_tolerance(self):
        for settings in (dict(rtol=0), dict(rtol=1e-3, atol=0), dict(rtol=0, atol=0), dict(atol=0),
                         dict(rtol=-1), dict(rtol=1e-3, h0=0), dict(rtol=1e-3, h_max=0),
                         dict(rtol=1e-3, max_steps=0), dict(rtol=1e-3, spectral_radius=0),
                         dict(h=0.1, atol=1e-3), dict(h=0.1, max_steps=5), dict(h=0.1, rtol=1e-3)):
            with self.subTest(**settings), self.assertRaises(eulercl.InvalidError):
                eulercl.solve(self.pde, (0, 1), **settings)
            if "rtol" in settings or "h" in settings:
                with self.subTest(**settings), self.assertRaises(eulercl.InvalidError):
                    eulercl.Solver(self.pde, **settings)

    def test_problem_that_changes(self):
        problem = eulercl.Problem("string", points=50)
        with eulercl.Solver(problem, h=1e-3, backend="seq") as solver:
            wanted = solver.spectral_radius()
            problem.set("points", 100000)
            problem.set("K", 2 * problem.parameters["K"])
            self.assertEqual(solver.spectral_radius(), wanted)
            self.assertEqual(solver.state.shape, solver.shape)
            self.assertEqual(problem.parameters["points"], 100000)

    def test_atols(self):
        two = eulercl.PDE({"T": "laplace(T)", "c": "laplace(c) - c"}, grid=20, boundary="mirror",
                          initial={"T": 300, "c": 1e-9})
        got = eulercl.solve(two, (0, 1))
        np.testing.assert_allclose(list(got.statistics["atols"].values()), [0.3, 1e-12])
        np.testing.assert_allclose(got.y[-1, :, 1], 1e-9 * np.exp(-1), rtol=1e-2)
        listed = eulercl.solve(two, (0, 1), atol=[0.3, 1e-13])
        named = eulercl.solve(two, (0, 1), atol={"c": 1e-13})
        self.assertEqual(listed.state_hash, named.state_hash)
        self.assertEqual(listed.statistics["atols"], {"T": 0.3, "c": 1e-13})
        for one in (np.float64(1e-6), 1e-6, np.array([1e-6, 1e-6])):
            below = eulercl.solve(two, (0, 1), atol=one)
            self.assertEqual(below.statistics["below_atol"], ("c",))
            self.assertIn("c stayed below atol", below.message)
        for wrong, words in [([1, 2, 3], "3 absolute tolerances .* has 2 unknowns"), ([], "empty"),
                             ({"x": 1}, "no unknown is called 'x'"), ([1, 0], "not greater than 0"),
                             ([1, "x"], "not a real number"), ({"c": math.nan}, "not greater"),
                             ([[1, 1]], "not a real number"), ([1, math.inf], "atol = inf")]:
            with self.assertRaisesRegex(eulercl.InvalidError, words):
                eulercl.solve(two, (0, 1), atol=wrong)

    def test_steady(self):
        got = eulercl.solve(self.pde, (0, 1e5), steady=1e-6, rtol=1e-4, atol=1e-6)
        self.assertEqual(got.status, 1)
        self.assertLess(got.t[-1], 1e5)

    def test_parts(self):
        with eulercl.Solver(self.pde, h=0.1, precision="float") as solver:
            solver.write(3, [5, 6])
            np.testing.assert_array_equal(solver.read(2, 4)[1:3], np.float32([5, 6]))
            solver.state = np.ones(solver.shape)
            self.assertEqual(solver.monitor("min", "max"), {"min": 1.0, "max": 1.0})
            solver.advance(10)
            self.assertEqual(solver.statistics["steps"], 10)
            self.assertAlmostEqual(solver.spectral_radius(), 4, delta=0.1)
            findings = solver.check()
            self.assertNotIn("fails", [verdict for _, verdict, _ in findings])
            for precision in ("float", "double"):  # there is code of both
                self.assertIn(f"{precision}: eval_comp, eval_comp4, eval_range", str(findings))
            y = np.zeros(solver.shape, np.float32)
            y.flags.writeable = False
            for array in [y, np.zeros(solver.shape[::-1], np.float32).T]:
                with self.assertRaisesRegex(eulercl.InvalidError, "writeable"):
                    solver.read_state(array)
            self.assertFalse(y.any())
        with self.assertRaisesRegex(eulercl.InvalidError, "closed"):
            solver.advance(1)

    def test_snapshot(self):
        for backend in ("seq", "pthreads"):
            with eulercl.Solver(self.pde, h=0.1, precision="float", backend=backend) as solver:
                solver.advance(5)
                wanted, kept = solver.state, solver.snapshot()
                thread = threading.Thread(target=lambda: states.append(kept.state))
                states = []
                thread.start()
                solver.advance(20)
                thread.join()
                np.testing.assert_array_equal(states[0], wanted)
                self.assertAlmostEqual(kept.t, 0.5)
                self.assertTrue((solver.state != wanted).any())
                bytes_before = solver.statistics["device_bytes"]
                kept.take()
                np.testing.assert_array_equal(kept.state, solver.state)
                del kept  # another one takes its memory
                np.testing.assert_array_equal(solver.snapshot().state, solver.state)
                self.assertEqual(solver.statistics["device_bytes"], bytes_before)
                kept = solver.snapshot()
            with self.assertRaisesRegex(eulercl.InvalidError, "closed"):
                kept.state

    def test_snapshot_that_was_interrupted(self):
        with eulercl.Solver(eulercl.Problem("string", points=300_000), h=1e-4) as solver:
            kept = solver.snapshot()

            def interrupted(*arguments):
                eulercl._library.call(*arguments)
                raise KeyboardInterrupt

            with unittest.mock.patch.object(eulercl._solver, "call", interrupted), \
                    self.assertRaises(KeyboardInterrupt):
                kept.state
            with self.assertRaisesRegex(eulercl.InvalidError, "interrupted"):
                kept.state
            kept.take()
            np.testing.assert_array_equal(kept.state, solver.state)

    def test_snapshot_of_many_parts(self):
        string = eulercl.Problem("string", points=300_000)
        with eulercl.Solver(string, h=1e-4) as solver:
            solver.advance(3)
            np.testing.assert_array_equal(solver.snapshot().state, solver.state)

    def test_progress(self):
        optional("tqdm", self)
        with contextlib.redirect_stderr(io.StringIO()) as shown:
            eulercl.solve(self.pde, (0, 40), h=0.1, progress=True)
        self.assertRegex(shown.getvalue(), r"100%.* 40(\.0)?/40")

    def test_progress_of_a_run_that_fails(self):
        optional("tqdm", self)
        with contextlib.redirect_stderr(io.StringIO()) as shown, \
                self.assertRaises(eulercl.EulerclError) as got:
            eulercl.solve(self.pde, (0, 40), h=0.1, progress=True, observer_steps=100,
                          callback=lambda t, steps: steps >= 200)
        self.assertEqual(got.exception.status, "CANCELLED")
        self.assertRegex(shown.getvalue(), r" 50%.* 20(\.0)?/40")

    def test_step_size(self):
        self.assertAlmostEqual(eulercl.stable_step(self.pde), 0.45, delta=0.02)
        self.assertTrue(np.isfinite(eulercl.solve(self.pde, (0, 50), h="auto").y).all())


class OpenCL(unittest.TestCase):
    """A solver in a context and queue of PyOpenCL."""

    def setUp(self):
        self.pde = eulercl.PDE(HEAT, grid=(20, 30), parameters={"d": 0.5}, initial={"u": peak(30, 20)})

    def test_queue(self):
        cl = optional("pyopencl", self)
        if not has_opencl():
            self.skipTest("the library was built without OpenCL")
        try:
            context = cl.Context(cl.get_platforms()[0].get_devices())
        except cl.Error as error:
            self.skipTest(f"no OpenCL device: {error}")
        queue = cl.CommandQueue(context, context.devices[0])
        wanted = eulercl.solve(self.pde, (0, 4), h=0.1, precision="float", backend="seq").y[-1]
        with eulercl.Solver(self.pde, h=0.1, precision="float", backend="cl-linear",
                            queue=queue) as solver:
            solver.advance(20)
            buffer = cl.MemoryObject.from_int_ptr(solver.cl_mem)
            self.assertEqual(buffer.context, context)
            state = np.empty(solver.shape, np.float32)
            cl.enqueue_copy(queue, state, buffer)
            np.testing.assert_array_equal(state, solver.state)
            solver.write(0, np.zeros(solver.state.size))
            cl.enqueue_copy(queue, cl.MemoryObject.from_int_ptr(solver.cl_mem), state)
            queue.finish()
            solver.advance(20)
            np.testing.assert_array_equal(solver.state, wanted)

    def test_errors(self):
        with self.assertRaisesRegex(eulercl.InvalidError, "CommandQueue"):
            eulercl.Solver(self.pde, queue=3)
        with eulercl.Solver(self.pde, backend="seq") as solver, \
                self.assertRaises(eulercl.EulerclError) as got:
            solver.cl_mem
        self.assertEqual(got.exception.status, "UNSUPPORTED")


class Sweep(unittest.TestCase):
    """Many values of parameters: the bits of runs one by one."""

    def setUp(self):
        self.pde = eulercl.PDE({"u": "d*laplace(u) + a*u*u", "v": "c*u"}, grid=(6, 9),
                               boundary="mirror", parameters={"d": 0.5, "a": 0.0, "c": 1},
                               initial={"u": peak(9, 6)})

    def test_bits(self):
        for settings in (dict(h=0.1), dict(rtol=1e-5), dict(h="auto", precision="float")):
            got = eulercl.sweep(self.pde, (0, 2), d=[0.1, 0.2, 0.3], c=[2, 3], t_eval=[1, 2], a=-1,
                                **settings)
            self.assertEqual(self.pde.parameters, {"d": 0.5, "a": 0, "c": 1})
            u, v = np.asarray(got["u"]), np.asarray(got["v"])
            self.assertEqual(u.shape, (3, 2, 2, 6, 9))
            for i, d in enumerate([0.1, 0.2, 0.3]):
                for j, c in enumerate([2, 3]):
                    for name, value in dict(d=d, c=c, a=-1).items():
                        self.pde.set(name, value)
                    one = eulercl.solve(self.pde, (0, 2), t_eval=[1, 2], backend="seq", **settings)
                    np.testing.assert_array_equal(np.stack([u[i, j], v[i, j]], -1), one.y)
                    self.assertEqual(np.asarray(got["nfev"])[i, j], one.nfev)
            self.setUp()

    def test_names(self):
        with unittest.mock.patch.dict(sys.modules, xarray=None):
            plain = eulercl.sweep(self.pde, (0, 1), h=0.1, d=[0.1, 0.2])
        self.assertEqual(plain.dims["u"], ("d", "t", "y", "x"))
        self.assertEqual(plain.attrs, {"a": 0, "c": 1})
        xarray = optional("xarray", self)
        got = eulercl.sweep(self.pde, (0, 1), h=0.1, d=[0.1, 0.2])
        self.assertIsInstance(got, xarray.Dataset)
        self.assertEqual(got["u"].dims, plain.dims["u"])
        np.testing.assert_array_equal(got["u"].sel(d=0.2, t=1), plain["u"][1, 0])

    def test_progress(self):
        optional("tqdm", self)
        with contextlib.redirect_stderr(io.StringIO()) as shown:
            eulercl.sweep(self.pde, (0, 1), h=0.1, d=[0.1, 0.2], c=[1, 2], progress=True)
        self.assertRegex(shown.getvalue(), r"100%.* 4/4")

    def test_one_fails(self):
        got = eulercl.sweep(self.pde, (0, 20), h=0.1, a=[-1, 40, -2], t_eval=[0.1, 20])
        np.testing.assert_array_equal(got["status"], [0, -1, 0])
        np.testing.assert_array_equal(np.isnan(np.asarray(got["u"])).any((1, 2, 3)), [0, 1, 0])
        self.assertIn("is infinite after step", str(np.asarray(got["message"])[1]))

    def test_errors(self):
        for values in [dict(), dict(b=[1]), dict(d=1), dict(d=[]), dict(d=[[1, 2]]),
                       dict(d=[1, np.nan]), dict(d=[1, 2], method="nothing")]:
            with self.subTest(**values), self.assertRaises(eulercl.InvalidError):
                eulercl.sweep(self.pde, (0, 1), h=0.1, **values)
            self.assertEqual(self.pde.parameters, {"d": 0.5, "a": 0, "c": 1})
        with self.assertRaisesRegex(eulercl.InvalidError, "size"):
            eulercl.sweep(eulercl.Problem("string"), (0, 1), h=1e-3, points=[10, 20])

    def test_interrupt(self):
        timer = threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))
        start = time.monotonic()
        timer.start()
        with self.assertRaises(KeyboardInterrupt):
            eulercl.sweep(self.pde, (0, 1e9), h=0.1, d=np.linspace(0.1, 0.2, 10))
        self.assertLess(time.monotonic() - start, 5)


class Show(unittest.TestCase):
    """Data sets, pictures and tables."""

    def setUp(self):
        self.grid = eulercl.solve(
            eulercl.PDE({"u": "d*laplace(u)", "v": "-v"}, grid=(6, 9), parameters={"d": 0.2},
                        initial={"u": peak(9, 6), "v": 3}), (0, 2), h=0.5, t_eval=[0, 1, 2])
        self.line = eulercl.solve(eulercl.PDE({"u": "-u"}, grid=9, initial={"u": 1}), (0, 1), h=0.5)
        self.plain = eulercl.solve(eulercl.Problem(SOURCES / "tests/problems/seven.c"), (0, 1), h=0.5)

    def test_xarray(self):
        xarray = optional("xarray", self)
        found = self.grid.to_xarray()
        self.assertIsInstance(found, xarray.Dataset)
        self.assertEqual((found["v"].dims, found.attrs), (("t", "y", "x"), {"d": 0.2}))
        np.testing.assert_array_equal(found["v"].sel(t=1), self.grid.y[1, ..., 1])
        self.assertEqual(self.line.to_xarray()["u"].dims, ("t", "x"))

    def test_plot(self):
        matplotlib = optional("matplotlib", self)
        matplotlib.use("agg")
        from matplotlib import pyplot
        figure = self.grid.plot("v", times=[0, 1.9])
        images = [panel.images[0] for panel in figure.axes if panel.images]
        self.assertEqual([image.axes.get_title() for image in images], ["t = 0", "t = 2"])
        for image, place in zip(images, (0, 2)):
            np.testing.assert_array_equal(image.get_array(), self.grid.y[place, ..., 1])
        self.assertEqual(len(self.grid.plot().axes), 2 * 3 + 2)  # with a scale of colours in each row
        for solution in (self.line, self.plain):
            lines = solution.plot().axes[0].lines
            np.testing.assert_array_equal(lines[0].get_ydata(), solution.y[0].reshape(-1))
        with self.assertRaisesRegex(eulercl.InvalidError, "no component 'w'"):
            self.grid.plot("w")
        pyplot.close("all")

    def test_animation(self):
        matplotlib = optional("matplotlib", self)
        matplotlib.use("agg")
        from matplotlib import pyplot
        with tempfile.TemporaryDirectory() as folder:
            for solution, name in ((self.grid, "v"), (self.line, None), (self.plain, None)):
                made = solution.animate(name)
                file = os.path.join(folder, "animation.gif")
                made.save(file, writer="pillow")
                from PIL import Image
                with Image.open(file) as image:
                    self.assertEqual(getattr(image, "n_frames", 1), len(solution.t))
                panel = made._fig.axes[0]
                self.assertEqual(panel.get_title(), f"t = {solution.t[-1]:g}")
                if solution is self.grid:  # the last state, in colours for all states
                    np.testing.assert_array_equal(panel.images[0].get_array(), solution.y[-1, ..., 1])
                    self.assertEqual(panel.images[0].get_clim(),
                                     (solution.y[..., 1].min(), solution.y[..., 1].max()))
                else:
                    np.testing.assert_array_equal(panel.lines[0].get_ydata(),
                                                  solution.y[-1].reshape(-1))
        with self.assertRaisesRegex(eulercl.InvalidError, "no component 'w'"):
            self.grid.animate("w")
        pyplot.close("all")

    def test_repr(self):
        self.assertEqual(repr(self.line), "<eulercl.Solution: 1 times to 1, states of 9 x 1, the end "
                                          "of the time span was reached>")

    def test_notebook(self):
        table = {"matplotlib": None, "matplotlib.figure": None}
        for solution in (self.grid, self.line, self.plain):
            with unittest.mock.patch.dict(sys.modules, table):
                self.assertIn(f"<td>{solution.y[-1].max():.6g}</td>", solution._repr_html_())
        optional("matplotlib", self)
        self.assertIn('src="data:image/png;base64,iVBOR', self.grid._repr_html_())

    def test_missing(self):
        for call, name in [(self.grid.plot, "matplotlib"), (self.grid.animate, "matplotlib"),
                           (self.grid.to_xarray, "xarray"),
                           (lambda: eulercl.open("x.h5"), "h5py")]:
            with unittest.mock.patch.dict(sys.modules, {name: None}), \
                    self.assertRaisesRegex(ImportError, f"python3-{name}"):
                call()


class Files(unittest.TestCase):
    """HDF5 files of the command."""

    def test_open(self):
        optional("h5py", self)
        with tempfile.TemporaryDirectory() as folder:
            series, single = (os.path.join(folder, name) for name in ("series.h5", "single.h5"))
            write_h5(self, "bruss2d", "-p", "m=7", "--steps", "10", "--every", "5", "--out", series)
            write_h5(self, "string", "-p", "points=9", "--steps", "3", "--out", single)
            with eulercl.open(series) as file:
                self.assertEqual((file.y.shape, file.names), ((3, 7, 7, 2), ("y0", "y1")))
                np.testing.assert_allclose(file.t, [0, 5e-4, 1e-3])
                problem = eulercl.Problem("bruss2d", m=7)
                wanted = eulercl.solve(problem, (0, file.t[-1]), h=1e-4, t_eval=file.t).y
                np.testing.assert_array_equal(np.asarray(file.y), wanted)
                np.testing.assert_array_equal(file.y[-1, 2, 3], wanted[-1, 2, 3])
                self.assertEqual(file.parameters, problem.parameters)
                self.assertEqual((file.facts["steps"], file.facts["problem"]), (10, "bruss2d"))
                self.assertIn("<td>bruss2d</td>", file._repr_html_())
            with eulercl.open(single) as file:
                self.assertEqual((file.y.shape[0], list(file.t)), (1, [file.facts["t_end"]]))
                self.assertEqual(eulercl._solver.hash_of(file.y[0]), file.facts["state_hash"])
            for name, text in (("text.h5", b"no HDF5"), ("none.h5", None)):
                path = pathlib.Path(folder, name)
                if text:
                    path.write_bytes(text)
                with self.assertRaises(eulercl.ProblemFileError):
                    eulercl.open(path)


    def test_damaged(self):
        """The HDF5 library crashes, or does not end, in a child."""
        optional("h5py", self)

        def loop(file):
            while True:
                pass

        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "run.h5")
            write_h5(self, "string", "-p", "points=9", "--steps", "3", "--out", path)
            # OpenCL's drivers catch it, and so may others.
            before = signal.signal(signal.SIGSEGV, lambda number, frame: None)
            self.addCleanup(signal.signal, signal.SIGSEGV, before or signal.SIG_DFL)
            for look in (loop, lambda file: os.kill(os.getpid(), signal.SIGSEGV)):
                with unittest.mock.patch.object(eulercl.File, "_read_ends", look), \
                        unittest.mock.patch.object(eulercl._file, "MOST_SECONDS", 1), \
                        self.assertRaisesRegex(eulercl.ProblemFileError, "damaged"):
                    eulercl.open(path)
            import h5py
            for name in ("parameters", "state"):
                with h5py.File(path, "a") as file:
                    del file[name]
                with self.assertRaisesRegex(eulercl.ProblemFileError, "not a file of eulercl solve"):
                    eulercl.open(path)


def write_h5(test, *words):
    """Run the command; skip the test if it was built without HDF5."""
    done = subprocess.run([COMMAND, "solve", *words], capture_output=True, text=True)
    if "built without" in done.stderr:
        test.skipTest(done.stderr.strip())
    test.assertEqual(done.returncode, 0, done.stderr)


class Copies(unittest.TestCase):
    """A copy, or a pickle that is read back, is another object of the same content; other objects refuse."""

    ways = (copy.copy, copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one)))

    def test_problems(self):
        numbers = np.random.default_rng(SEED)
        field, start = numbers.uniform(0, 1, (2, 4, 5))
        pde = eulercl.PDE({"u": "a*c*laplace(u)", "v": "-u"}, grid=(4, 5), boundary="periodic",
                          parameters={"a": 0.1, "c": field}, initial={"u": start})
        pde.set("a", 0.2)
        problems = [pde, eulercl.Problem("bruss2d", m=7),
                    eulercl.Problem(os.path.relpath(SOURCES / "examples/gray_scott.c"), m=9)]
        for one, way in itertools.product(problems, self.ways):
            with self.subTest(problem=one):
                other, before = way(one), one.parameters
                self.assertEqual((type(other), other.parameters, other.shape, other.component_names),
                                 (type(one), before, one.shape, one.component_names))
                hashes = {eulercl.solve(each, (0, 0.01), h=1e-3, backend="seq").state_hash
                          for each in (one, other)}
                self.assertEqual(len(hashes), 1)
                name = next(iter(before))
                other.set(name, before[name] + 1)
                self.assertEqual(one.parameters, before)

    def test_results(self):
        pde = eulercl.PDE(HEAT, grid=5, parameters={"d": 0.1}, initial={"u": 1})
        with unittest.mock.patch.dict(sys.modules, xarray=None):
            arrays = eulercl.sweep(pde, (0, 1), h=0.1, d=[1, 2])
        solution = eulercl.solve(pde, (0, 1), h=0.1)
        comparison = eulercl.compare(pde, (0, 0.1), [], rtol=[1e-3], backend="seq")
        for way in self.ways:
            np.testing.assert_array_equal(way(solution).y, solution.y)
            self.assertEqual(way(solution).statistics, solution.statistics)
            self.assertEqual(str(way(comparison)), str(comparison))
            self.assertEqual((way(arrays).dims, way(arrays).attrs), (arrays.dims, arrays.attrs))
            np.testing.assert_array_equal(way(arrays)["u"], arrays["u"])

    def test_file(self):
        optional("h5py", self)
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "run.h5")
            write_h5(self, "string", "-p", "points=9", "--steps", "3", "--out", file)
            for way in self.ways:
                with eulercl.open(file) as one, way(one) as other:
                    self.assertIsNot(one._file, other._file)
                    np.testing.assert_array_equal(one.y[0], other.y[0])
                    with self.assertRaises(eulercl.InvalidError):
                        way(one.y)
            with self.assertRaisesRegex(eulercl.InvalidError, "closed"):
                one.y[0]

    def test_solvers(self):
        pde = eulercl.PDE(HEAT, grid=5, parameters={"d": 0.1}, initial={"u": 1})
        with eulercl.Solver(pde, h=0.1, backend="seq") as solver:
            kept = solver.snapshot()
            for one, way in itertools.product([solver, kept], self.ways):
                with self.assertRaisesRegex(eulercl.InvalidError, "cannot be copied"):
                    way(one)
            np.testing.assert_array_equal(kept.state, solver.state)

    def test_errors(self):
        with self.assertRaises(eulercl.EquationError) as got:
            eulercl.PDE({"u": "1 + w"}, grid=3)
        errors = [got.exception]
        for name in eulercl.__all__:
            if name.endswith("Error"):
                errors.append(getattr(eulercl, name)("the message", "FILE", "the log"))
        self.assertGreater(len(errors), 6)
        for error, way in itertools.product(errors, self.ways):
            other = way(error)
            self.assertEqual((type(other), str(other), vars(other)), (type(error), str(error), vars(error)))

    def test_processes(self):
        pde = eulercl.PDE(HEAT, grid=5, parameters={"d": 0.1}, initial={"u": 1})
        with multiprocessing.get_context("spawn").Pool(1) as pool:
            for problem, error in [({"u": "w"}, eulercl.EquationError), ("nothing", eulercl.InvalidError)]:
                made = eulercl.Problem if isinstance(problem, str) else eulercl.PDE
                with self.assertRaises(error):
                    pool.apply_async(made, (problem,), {} if isinstance(problem, str) else {"grid": 3}).get(100)
            got = pool.apply_async(eulercl.solve, (pde, (0, 1)), {"h": 0.1, "backend": "seq"}).get(100)
        self.assertEqual(got.state_hash, eulercl.solve(pde, (0, 1), h=0.1, backend="seq").state_hash)


class Memory(unittest.TestCase):
    """Sizes are compared with the memory before anything is allocated."""

    def test_sizes(self):
        string = eulercl.Problem("string", points=100)
        pde = eulercl.PDE(HEAT, grid=100, parameters={"d": 0.1})
        large = eulercl.Problem("string", points=10**7)
        calls = [lambda: eulercl.PDE(HEAT, grid=6 * 10**6, parameters={"d": 1}),
                 lambda: eulercl.PDE(HEAT, grid=(5000, 4000), parameters={"d": 1}),
                 lambda: eulercl.solve(string, (0, 1), h=1e-3, t_eval=np.linspace(0, 1, 10**5)),
                 lambda: eulercl.sweep(pde, (0, 1), h=1e-3, d=np.linspace(0, 1, 10**6)), large.initial]
        with unittest.mock.patch.object(eulercl._values, "memory_available", lambda: 10**8):
            for call in calls:
                with self.assertRaisesRegex(eulercl.OutOfMemoryError, "memory"):
                    call()
        self.assertTrue(issubclass(eulercl.OutOfMemoryError, MemoryError))
        installed = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
        with self.assertRaisesRegex(eulercl.OutOfMemoryError, "available"):  # some is always used
            eulercl.Solver(eulercl.Problem("string", points=installed // 32 - 1000), backend="seq")
        for grid in (2**40, (2**40, 2**40), (2**62, 2**62)):
            with self.assertRaises(eulercl.OutOfMemoryError):
                eulercl.PDE(HEAT, grid=grid, parameters={"d": 1})
        self.assertGreater(eulercl._values.memory_available(), 1 << 20)
        self.assertLess(eulercl._values.memory_available(), 1 << 60)


class Errors(unittest.TestCase):
    """Bad input is one clear exception."""

    bad = [1j, 10**400, 10**5000, -10**400, float("nan"), "x", "1", "a\0b", "\ud800", b"x\0", [[1], [1, 2]],
           [None], ["a"], {"a": None}, set(), object(), type, np.zeros((2, 2, 2)), np.array(1j), np.array("x"),
           np.array([1, None], object), np.datetime64("2020-01-01"), np.ma.masked_array([1, 2, 3], [0, 1, 0]),
           np.timedelta64(2, "ns"), np.ma.masked, np.array("2", object), slice(1, 2)]

    def test_everything(self):
        pde = eulercl.PDE(HEAT, grid=3, parameters={"d": 0.1}, initial={"u": 1})
        solver = eulercl.Solver(pde, h=0.1, backend="seq")
        controlled = eulercl.Solver(pde, rtol=1e-3, backend="seq")
        solution = eulercl.solve(pde, (0, 1), h=0.5)
        made = lambda **new: eulercl.PDE(HEAT, **{"grid": 3, "parameters": {"d": 0.1}, **new})
        solved = lambda **new: eulercl.solve(pde, **{"t_span": (0, 1), "backend": "seq", **new})
        swept = lambda **new: eulercl.sweep(pde, **{"t_span": (0, 1), "h": 0.5, "d": [1], **new})
        compared = lambda **new: eulercl.compare(pde, **{"t_span": (0, 1), "backend": "seq", **new})
        calls = {
            "equations": lambda v: eulercl.PDE(v, grid=3), "equation": lambda v: eulercl.PDE({"u": v}, grid=3),
            "grid": lambda v: made(grid=v), "ny": lambda v: made(grid=(v, 3)),
            "boundary": lambda v: made(boundary=v), "parameters": lambda v: made(parameters=v),
            "sides": lambda v: made(boundary={"*": v}), "rule": lambda v: made(boundary={"x": {"value": v}}),
            "mixed": lambda v: made(boundary={"x": {"mixed": (1, v)}}), "side": lambda v: made(boundary={v: "mirror"})
            if v.__hash__ and not isinstance(v, slice) else made(boundary=v), "centred": lambda v: made(centred=v),
            "dx": lambda v: made(dx=v), "dxs": lambda v: made(dx=[v]),
            "parameter": lambda v: made(parameters={"d": v}), "initial": lambda v: made(initial=v),
            "initial u": lambda v: made(initial={"u": v}),
            "initial function": lambda v: made(initial={"u": lambda x: v}),
            "Problem": eulercl.Problem, "points": lambda v: eulercl.Problem("string", points=v),
            "set": lambda v: pde.set(v, 1), "value": lambda v: pde.set("d", v), "precision": pde.initial,
            "Solver": eulercl.Solver, "solve": lambda v: eulercl.solve(v, (0, 1)),
            "y0": lambda v: eulercl.Solver(pde, v), "stable_step": eulercl.stable_step,
            "y": lambda v: eulercl.stable_step(pde, v), "t_span": lambda v: solved(t_span=v),
            "end": lambda v: solved(t_span=(0, v)), "t_eval": lambda v: solved(t_eval=v),
            "time": lambda v: solved(t_eval=[v]), "dense": lambda v: solved(dense=v),
            "progress": lambda v: solved(progress=v), "advance": solver.advance,
            "advance_to": solver.advance_to, "advance_dense": lambda v: controlled.advance_dense(v, 1),
            "t_end": lambda v: controlled.advance_dense(0.5, v), "read": solver.read,
            "count": lambda v: solver.read(0, v), "read_state": solver.read_state,
            "first": lambda v: solver.write(v, 1), "write": lambda v: solver.write(0, v),
            "state": lambda v: setattr(solver, "state", v), "t": lambda v: solver.evaluate(v, solver.state),
            "evaluate": lambda v: solver.evaluate(0, v), "monitor": solver.monitor,
            "component": lambda v: solver.monitor("min", component=v), "sweep": lambda v: eulercl.sweep(v, (0, 1)),
            "d": lambda v: swept(d=[1, v]), "all d": lambda v: swept(d=v), "workers": lambda v: swept(workers=v),
            "sweep backend": lambda v: swept(backend=v), "bar": lambda v: swept(progress=v),
            "compare": lambda v: eulercl.compare(v, (0, 1)), "against": lambda v: compared(against=v),
            "rtol": lambda v: compared(against=[], rtol=v), "compare y0": lambda v: compared(against=[], y0=v),
            "times": lambda v: solution.plot(times=v), "plot": solution.plot, "animate": solution.animate,
            "open": eulercl.open,
            **{name: lambda v, name=name: solved(**{name: v}) for name in (
                "h", "rtol", "method", "backend", "precision", "stages", "check_finite", "observer_steps",
                "t0", "threads", "variant", "nothing", "callback", "queue")},
            **{name: lambda v, name=name: solved(rtol=1e-3, **{name: v}) for name in (
                "atol", "h0", "h_max", "max_steps", "controller", "spectral_radius")}}
        taken = {(name, "<class 'type'>") for name in ("initial u", "callback")}  # it is called
        taken |= {("rule", "'1'"), ("mixed", "'1'"), ("side", "'x'")}
        taken |= {("equation", "'x'"), ("equation", "'1'"), ("write", "nan"), ("against", "set()"),
                  ("threads", "'1'")}
        for (name, call), value in itertools.product(calls.items(), self.bad):
            shown = eulercl._values.shown(value)
            if (name, shown) in taken:
                continue
            with self.subTest(argument=name, value=shown):
                try:
                    call(value)
                except (eulercl.EulerclError, ImportError):
                    continue
                self.fail(f"{name}: {shown} is taken")

    def test_truth(self):
        """True and False are numbers of equations, but not of methods; 1.5 is no count."""
        pde = eulercl.PDE(HEAT, grid=3, parameters={"d": True}, initial={"u": [True, False, True]})
        self.assertEqual((pde.parameters, pde.initial().sum()), ({"d": 1}, 2))
        for settings in (dict(h=True), dict(rtol=True), dict(h=0.1, stages=True), dict(h=0.1, stages=1.5),
                         dict(h=0.1, check_finite=2), dict(h=0.1, threads=1.5), dict(rtol=1, max_steps=1.5)):
            with self.subTest(**settings), self.assertRaises(eulercl.InvalidError):
                eulercl.Solver(pde, **settings)
        with eulercl.Solver(pde, h=0.1, check_finite=True, backend="seq") as solver:
            solver.advance(1e1)
            self.assertEqual(solver.statistics["steps"], 10)
            for steps in (1.5, True, 2**63, -1):
                with self.assertRaises(eulercl.InvalidError):
                    solver.advance(steps)
            with self.assertRaises(eulercl.InvalidError):
                solver.write(0, None)
            self.assertTrue(np.isfinite(solver.state).all())

    def test_formulas(self):
        for text, column, reason in [
                ("A + w", 4, "unknown name 'w'"), ("u +", 3, "not a formula"),
                ("laplace(w*2)", 8, "unknown name 'w'"), ("u @ u", 0, "operators"),
                ("2*foo(u)", 2, "unknown function"), ("u if u else 1", 5, "condition"),
                ("shift(u, 1.5, 0)", 9, "whole numbers"), ("1 + sin", 4, "brackets"),
                ("u.real", 0, "cannot contain"), ("sqrt(u, 2)", 0, "1 argument"),
                ("'u'", 0, "not a number"), ("1e999*u", 0, "too large"), ("u > 1", 0, "cannot contain"),
                ("1)+(2", 1, "does not match"), (" ", 0, "empty"), ("+".join("u" * 3000), 0, "too many")]:
            with self.subTest(text=text), self.assertRaisesRegex(eulercl.EquationError, reason) as got:
                eulercl.PDE({"u": text}, grid=(8, 8), parameters={"A": 1})
            self.assertEqual(got.exception.column, column)

    def test_values(self):
        for arguments in [dict(grid=(3, 3), parameters={"d": np.ones((3, 4))}), dict(grid=(0, 3)),
                          dict(grid=8, boundary="open"), dict(grid=8, initial={"w": 1}),
                          dict(grid=8, parameters={"d": float("nan")}), dict(grid=8, initial=np.ones(8)),
                          dict(grid=8, parameters={"d": np.full(8, np.nan)}),
                          dict(grid=8, initial={"u": np.ones(8) * 1j}),
                          dict(grid=8, parameters={"if": 1}), dict(grid=8, parameters={"u": 1}),
                          dict(grid=8, parameters={"sin": 1}), dict(grid=8, parameters={"_a": 1})]:
            with self.subTest(**arguments), self.assertRaises(eulercl.InvalidError):
                eulercl.PDE({"u": "u"}, **arguments)
        with self.assertRaisesRegex(eulercl.InvalidError, "dictionary"):
            eulercl.PDE("u", grid=8)
        pde = eulercl.PDE({"u": "A*u"}, grid=8, parameters={"A": 1})
        with self.assertRaisesRegex(eulercl.InvalidError, "callback"):
            eulercl.sweep(pde, (0, 1), h=1, A=[1, 2], callback=print)
        with self.assertRaisesRegex(eulercl.InvalidError, "t_span"):
            eulercl.solve(pde, 1, h=1)

    def test_names(self):
        names = ["NULL", "true", "HUGE_VAL", "CHAR_BIT", "M_LN2", "read_only", "n", "i", "nx", "lambda", "is", "E",
                 "I", "S", "N", "gamma", "y0", "j1", "half", "global", "int", "REAL", "AT", "ode_c", "t0", "h", "CL_A",
                 "step", "div0", "select", "linux", "uint4", "kernel", "v_n_a", "p0_E", "INFINITY", "errno", "isnan"]
        values = {name: 1 + k / 8 for k, name in enumerate(names)}
        unknowns = eulercl.PDE({name: f"laplace({name}) - {name}**2 / tau" for name in names}, grid=8,
                               boundary="periodic", parameters={"tau": 5}, initial=values)
        self.assertEqual(unknowns.component_names, tuple(names))
        f = eulercl.Solver(unknowns).evaluate(0, unknowns.initial())
        np.testing.assert_allclose(f[0], [-(value ** 2) / 5 for value in values.values()], rtol=1e-14)
        for others in ({}, {"d": np.arange(8.0)}):
            pde = eulercl.PDE({"u": " + ".join(f"{name}*u**2" for name in names), "lambda0": "1"}, grid=8,
                              parameters={**values, **others}, initial={"u": 2})
            self.assertEqual(pde.parameters, values)
            pde.set("lambda", 100)
            pde.set("n", -50)
            changed = {**values, "lambda": 100, "n": -50}
            self.assertEqual(pde.parameters, changed)
            f = eulercl.Solver(pde).evaluate(0, pde.initial())
            np.testing.assert_allclose(f[:, 0], 4 * sum(changed.values()), rtol=1e-14)
        with tempfile.NamedTemporaryFile(suffix=".c", mode="w") as file:
            file.write("#define ODE_PARAMETERS(REAL, INTEGER) \\\n REAL(read_only, 1, 0, 1, \"\", \"\")\n")
            file.flush()
            with self.assertRaisesRegex(eulercl.CompileError, "line 2: the name 'read_only' .* word of OpenCL C"):
                eulercl.Problem(file.name)

    def test_problems(self):
        with tempfile.NamedTemporaryFile(suffix=".c", mode="w") as file:
            file.write("#define ODE_NAME x\nint 5;\n")
            file.flush()
            with self.assertRaisesRegex(eulercl.CompileError, "did not compile: line 2"):
                eulercl.Problem(file.name)
        with self.assertRaisesRegex(eulercl.ProblemFileError, "No such file"):
            eulercl.Problem("/nowhere/x.c")
        with self.assertRaisesRegex(eulercl.InvalidError, "unknown problem"):
            eulercl.Problem("nothing")
        string = eulercl.Problem("string", points=10)
        for arguments in [dict(h=-1), dict(h=1, rtol=1), dict(h=1, method="nothing"),
                          dict(h=1, precision="half"), dict(h=1, t_eval=[2]), dict(h=1, y0=[1, 2]),
                          dict(h=1, nothing=1), dict(h=1, stages="a"), dict(h=1, stages=2**40),
                          dict(atol="x"), dict(h=1, t0=0.5), dict(h=1, y0=np.ones(20) * 1j)]:
            with self.subTest(**arguments), self.assertRaises(eulercl.InvalidError):
                eulercl.solve(string, (0, 1), **arguments)
        with self.assertRaises(eulercl.EulerclError) as got:
            eulercl.solve(string, (0, 1e4), h=1.0)
        self.assertEqual(got.exception.status, "NONFINITE")


class Running(unittest.TestCase):
    """Threads, callbacks, signals."""

    def setUp(self):
        self.pde = eulercl.PDE(HEAT, grid=(64, 64), parameters={"d": 0.2}, initial={"u": peak(64, 64)})

    def test_threads(self):
        wanted = eulercl.solve(self.pde, (0, 400), h=0.5, backend="seq").y
        problems = [eulercl.PDE(HEAT, grid=(64, 64), parameters={"d": 0.2}, initial={"u": peak(64, 64)})
                    for _ in range(4)]
        results = [None] * 4

        def work(n):
            results[n] = eulercl.solve(problems[n], (0, 400), h=0.5, backend="seq").y

        threads = [threading.Thread(target=work, args=(n,)) for n in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for result in results:
            np.testing.assert_array_equal(result, wanted)

    def test_lock_is_released(self):
        ticks, thread = [], threading.Thread(
            target=lambda: eulercl.solve(self.pde, (0, 1e4), h=0.5, backend="seq"))
        thread.start()
        while thread.is_alive():
            ticks.append(time.monotonic())
            time.sleep(0.01)
        self.assertGreater(len(ticks), 5)

    def test_callback(self):
        seen = []
        with eulercl.Solver(self.pde, h=0.5, observer_steps=100,
                            callback=lambda t, steps: seen.append((t, steps)) or steps >= 200) as solver:
            with self.assertRaises(eulercl.EulerclError) as got:
                solver.advance(1000)
            self.assertEqual(got.exception.status, "CANCELLED")
            self.assertEqual(seen, [(50, 100), (100, 200)])
            self.assertEqual(solver.statistics["steps"], 200)

    def test_close_in_callback(self):
        with eulercl.Solver(self.pde, h=0.5, observer_steps=10, backend="seq",
                            callback=lambda t, steps: solver.close()) as solver:
            with self.assertRaisesRegex(eulercl.InvalidError, "callback"):
                solver.advance(100)
            self.assertEqual(solver.statistics["steps"], 10)

    def test_other_thread(self):
        errors, began, ends = [], threading.Event(), threading.Event()

        def wait(t, steps):
            began.set()
            return ends.wait(60)

        with eulercl.Solver(self.pde, h=0.5, observer_steps=10, callback=wait, backend="seq") as solver:
            thread = threading.Thread(target=lambda: errors.append(solver.statistics))
            kept = solver.snapshot()

            def work():
                try:
                    solver.advance(100)
                except eulercl.EulerclError as error:
                    errors.append(error.status)

            thread = threading.Thread(target=work)
            thread.start()
            self.assertTrue(began.wait(60))
            for call in (solver.close, lambda: solver.state, lambda: solver.advance(1), lambda: solver.t,
                         solver.snapshot, kept.take, lambda: solver.write(0, 1), solver.check):
                with self.assertRaisesRegex(eulercl.InvalidError, "another thread"):
                    call()
            np.testing.assert_array_equal(kept.state, self.pde.initial())
            ends.set()
            thread.join()
            self.assertEqual((errors, solver.statistics["steps"]), (["CANCELLED"], 10))

    def test_exception_in_callback(self):
        def broken(t, steps):
            raise KeyError("mine")
        with self.assertRaisesRegex(KeyError, "mine"):
            eulercl.solve(self.pde, (0, 500), h=0.5, observer_steps=10, callback=broken)

    def test_interrupt(self):
        timer = threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT))
        start = time.monotonic()
        with eulercl.Solver(self.pde, h=0.5) as solver:
            timer.start()
            with self.assertRaises(KeyboardInterrupt):
                solver.advance(10**9)
            self.assertLess(time.monotonic() - start, 5)
            done = solver.statistics["steps"]
            self.assertGreater(done, 0)
            solver.advance(10)
            self.assertEqual(solver.statistics["steps"], done + 10)


class Docstrings(unittest.TestCase):
    """The reference: what is public has a description of all its arguments, in NumPy's style."""

    def test_all(self):
        seen = 0
        for name in [*eulercl.__all__, "open"]:
            one = getattr(eulercl, name)
            made_by_others = inspect.isclass(one) and one.__init__ is not object.__init__ \
                and name not in ("Problem", "PDE", "Solver")
            self.describes(name, one, () if made_by_others else self.arguments(one))
            seen += 1
            for key, member in vars(one).items() if inspect.isclass(one) else ():
                if key.startswith("_") or not (callable(member) or isinstance(member, property)):
                    continue
                self.describes(f"{name}.{key}", member, self.arguments(member))
                seen += 1
        self.assertGreater(seen, 40)

    @staticmethod
    def arguments(one):
        if isinstance(one, property):
            return ()
        return [key for key in inspect.signature(one).parameters if key != "self"]

    def describes(self, name, one, arguments):
        text = inspect.getdoc(one)
        with self.subTest(name=name):
            self.assertTrue(text and text[0] != " ", "there is no description")
            if isinstance(one, property):
                self.assertRegex(text, r"^[a-z][\w .]* : ", "there is no type")
            if not arguments:
                return
            section = re.search(r"^Parameters\n-+\n(.*?)(\n\n[A-Z]\w+\n-+\n|\Z)", text, re.S | re.M)
            self.assertTrue(section, "there is no section Parameters")
            for argument in arguments:
                self.assertRegex(section[1], rf"(?m)^(?! ).*\b{argument}\b")


class Document(unittest.TestCase):
    """The session of doc/python.md."""

    def test_session(self):
        page = (SOURCES / "doc/python.md").read_text()
        # Words after ```python name the packages that a block needs.
        blocks = re.findall(r"^```python([^\n]*)\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
        self.assertGreater(len(blocks), 4)
        command = re.search(r"^eulercl (solve .* --out run.h5)$", page, re.MULTILINE)[1]
        names, output, before = {}, io.StringIO(), os.getcwd()
        with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(output):
            os.chdir(folder)
            try:
                subprocess.run([COMMAND, *command.split()], stdout=subprocess.DEVNULL)
                for needs, block in blocks:
                    missing = [name for name in needs.split() if not importlib.util.find_spec(name)
                               or name == "pyopencl" and not has_opencl()]
                    if missing or "run.h5" in block and not os.path.exists("run.h5"):
                        continue
                    exec(block, names)
            finally:
                os.chdir(before)
        printed = re.search(r"^```text\n(equation of .*?)^```$", page, re.MULTILINE | re.DOTALL)[1]
        self.assertIn(printed, output.getvalue())


if __name__ == "__main__":
    # A shell starts what it leaves running without this signal.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    unittest.main()
