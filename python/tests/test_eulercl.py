# SPDX-License-Identifier: BSD-2-Clause
"""Tests of the package: states against the command's, formulas against NumPy's evaluation, errors,
threads, and Ctrl-C. EULERCL names the command, EULERCL_TEST_SOURCES the folder of the sources."""
import contextlib
import importlib.util
import inspect
import io
import os
import pathlib
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

    def test_instances_have_their_own_arrays(self):
        a, b = (eulercl.PDE(HEAT, grid=5, parameters={"d": 1}, initial={"u": value})
                for value in (1, 2))
        self.assertEqual((a.initial().mean(), b.initial().mean()), (1, 2))


class Compiled(unittest.TestCase):
    """The same equations are compiled once."""

    def test_other_numbers(self):
        with tempfile.TemporaryDirectory() as folder, \
                unittest.mock.patch.dict(os.environ, XDG_CACHE_HOME=folder):
            means = []
            for d, start in ((0.25, 1), (-1.5, 2)):
                pde = eulercl.PDE({"u": "d*u"}, grid=7, parameters={"d": d}, initial={"u": start})
                self.assertEqual(pde.parameters, {"d": d})
                means.append(eulercl.Solver(pde, backend="seq").evaluate(0, pde.initial()).mean())
            self.assertEqual(means, [0.25, -3])
            self.assertEqual(len(list(pathlib.Path(folder).rglob("*.so"))), 1)


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
            self.assertNotIn("fails", [verdict for _, verdict, _ in solver.check()])
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


def write_h5(test, *words):
    """Run the command; skip the test if it was built without HDF5."""
    done = subprocess.run([COMMAND, "solve", *words], capture_output=True, text=True)
    if "built without" in done.stderr:
        test.skipTest(done.stderr.strip())
    test.assertEqual(done.returncode, 0, done.stderr)


class Errors(unittest.TestCase):
    """Bad input is one clear exception."""

    def test_formulas(self):
        for text, column, reason in [
                ("A + w", 4, "unknown name 'w'"), ("u +", 3, "not a formula"),
                ("laplace(u*2)", 8, "first argument"), ("u @ u", 0, "operators"),
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
                 "step", "dot", "select", "linux", "uint4", "kernel", "v_n_a", "p0_E", "INFINITY", "errno", "isnan"]
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
