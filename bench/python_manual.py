# SPDX-License-Identifier: BSD-2-Clause
"""Six examples of py-pde's manual, with their dictionaries as they are there, by py-pde with numba and by this
library, in double, in one process. Prints for each the greatest difference of both after the same Euler steps
as in the manual, the seconds of both without compilations, and the error of py-pde, beside the error and the
seconds of this library with a tolerance that makes its error smaller. Errors refer to a run with a tolerance
of 1e-9, and are divided by the greatest value. An argument, such as 8, makes the grids that much longer and
wider, with the same distance of points. Needs py-pde and numba. To compare on one core:
taskset -c 0 python3 bench/python_manual.py"""
import copy
import os
import sys
import time

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("NUMBA_NUM_THREADS", "1")

import numpy as np

import eulercl

try:
    import pde
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(0)

numbers = np.random.default_rng(1)
times = int(sys.argv[1]) if len(sys.argv) > 1 else 1
SMALL, LARGE = 32 * times, 64 * times
a, b, d0, d1 = 1, 3, 1, 0.1  # of the Brusselator
# Shapes and arrays are py-pde's: x first.
EXAMPLES = {
    "Kuramoto-Sivashinsky": dict(
        equations={"u": "-gradient_squared(u) / 2 - laplace(u + laplace(u))"},
        shape=[SMALL, SMALL], state=[numbers.uniform(size=(SMALL, SMALL))], t_range=10, dt=0.01),
    "Brusselator": dict(
        equations={"u": f"{d0} * laplace(u) + {a} - ({b} + 1) * u + u**2 * v",
                   "v": f"{d1} * laplace(v) + {b} * u - u**2 * v"},
        shape=[LARGE, LARGE], state=[np.full((LARGE, LARGE), float(a)), b / a + 0.1 * numbers.normal(size=(LARGE, LARGE))],
        t_range=20, dt=1e-3),
    "Setting boundary conditions": dict(
        equations={"c": "laplace(c)"},
        bc={"x-": {"derivative": 0.1}, "x+": {"value": "sin(y / 2)"}, "y": "periodic"},
        shape=[SMALL, SMALL], periodic=[False, True], state=[numbers.uniform(0.2, 0.3, (SMALL, SMALL))], t_range=10, dt=0.005),
    "Time-dependent boundary conditions": dict(
        equations={"c": "laplace(c)"}, bc={"value_expression": "sin(t)"},
        shape=[LARGE], bounds=[[0, 10 * times]], state=[np.zeros(LARGE)], t_range=20, dt=1e-4),
    "Spatially heterogeneous PDE": dict(  # without the picture that is its source there
        equations={"c": "laplace(c) + 0.2 * source - 0.1 * c"}, consts={"source": numbers.uniform(size=(LARGE, LARGE))},
        shape=[LARGE, LARGE], state=[np.zeros((LARGE, LARGE))], t_range=100, dt=0.1),
    "Cahn-Hilliard": dict(
        equations={"c": pde.CahnHilliardPDE().expression},
        shape=[LARGE, LARGE], state=[numbers.uniform(-0.1, 0.1, (LARGE, LARGE))], t_range=100, dt=1e-2),
}


def least(run, repeats=3):
    """Return the result of a run, and the least seconds of some."""
    seconds = []
    for _ in range(repeats):
        start = time.perf_counter()
        result = run()
        seconds.append(time.perf_counter() - start)
    return result, min(seconds)


def py_pde(equations, shape, state, t_range, dt, bounds=None, periodic=False, bc=None, consts=None):
    """Return what makes the run, which is compiled, with its result in the order of this library."""
    grid = pde.CartesianGrid(bounds or [[0, n] for n in shape], shape, periodic=periodic)
    used = {name: pde.ScalarField(grid, values) for name, values in (consts or {}).items()}
    # It changes the dictionary.
    system = pde.PDE(equations, consts=used, **({} if bc is None else {"bc": copy.deepcopy(bc)}))

    def start():
        fields = [pde.ScalarField(grid, one) for one in state]
        return fields[0] if len(fields) == 1 else pde.FieldCollection(fields)

    advance = pde.EulerSolver(system, backend="numba").make_stepper(start(), dt=dt)
    advance(start(), 0.0, 2 * dt)

    def run():
        fields = start()
        advance(fields, 0.0, t_range)
        return np.moveaxis(np.asarray(fields.data).reshape(len(state), *shape), 0, -1)
    return lambda: run().swapaxes(0, len(shape) - 1)


def ours(equations, shape, state, bounds=None, periodic=False, bc=None, consts=None, **_):
    """Return the problem of this library."""
    is_periodic = [periodic] * len(shape) if isinstance(periodic, bool) else periodic
    default = {axis: "periodic" if one else {"derivative": 0} for axis, one in zip("xy", is_periodic)}
    return eulercl.PDE(
        equations, grid=tuple(shape[::-1]), centred="cells", extent=bounds or [[0, n] for n in shape],
        boundary=bc or default, parameters={name: values.T for name, values in (consts or {}).items()},
        initial={name: one.T for name, one in zip(equations, state)})


print(f"{'example':36s} difference   py-pde     ours  times  error of py-pde   error     ours  times")
for name, example in EXAMPLES.items():
    t_end, dt, run = example["t_range"], example["dt"], py_pde(**example)
    theirs, theirs_seconds = least(run)
    problem, span, settings = ours(**example), (0, t_end), dict(backend="cpu", no_move=True)
    reference = eulercl.solve(problem, span, rtol=1e-9, method="dp54", **settings).y[-1]
    scale = abs(reference).max()

    def solve(**how):
        found, seconds = least(lambda: eulercl.solve(problem, span, **how, **settings))
        return found, seconds

    same, same_seconds = solve(h=dt, method="euler")
    error = abs(theirs - reference).max() / scale
    for power in range(2, 9):
        controlled, seconds = solve(rtol=10.0**-power)
        our_error = abs(controlled.y[-1] - reference).max() / scale
        if our_error <= error:
            break
    print(f"{name:36s} {abs(same.y[-1] - theirs).max() / scale:10.1e} {theirs_seconds:7.4f}s {same_seconds:7.4f}s "
          f"{theirs_seconds / same_seconds:6.1f}  {error:15.1e} {our_error:7.1e} {seconds:7.4f}s "
          f"{theirs_seconds / seconds:6.1f}  1e-{power} {controlled.statistics['method']}, {controlled.nfev} evaluations",
          flush=True)
