# SPDX-License-Identifier: BSD-2-Clause
"""Gray-Scott on 256 x 256 points to t = 1000 by this library, SciPy's RK45, diffrax's Tsit5 and py-pde with
numba, each on the same text of the equations, in double, in one process. Prints for each tolerance the error
at the end (greatest difference from a run of this library at 1e-8, divided by the greatest value) and the
seconds without compilations, and for each program how many times as long as this library it takes for an
error of at most 1e-3. Needs scipy, jax, diffrax, py-pde and numba. To compare on one core:
XLA_FLAGS=--xla_cpu_multi_thread_eigen=false taskset -c 0 python3 bench/python_peers.py"""
import functools
import os
import time

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("NUMBA_NUM_THREADS", "1")

import numpy as np
import pde

import eulercl

EQUATIONS = {"u": "Du*laplace(u) - u*v**2 + F*(1 - u)", "v": "Dv*laplace(v) + u*v**2 - (F + k)*v"}
PARAMETERS = dict(F=0.037, k=0.06, Du=0.2, Dv=0.1)
POINTS, T_END = 256, 1000.0
PEERS = {"scipy:RK45": (1e-4, 1e-5, 1e-6), "diffrax:Tsit5": (1e-4, 1e-5, 1e-6),
         "pde:runge-kutta": (1e-3, 1e-4, 1e-5), "pde:euler": (1e-5, 3e-6, 1e-6)}


def initial():
    """Return the first state of examples/gray_scott.c."""
    iy, ix = np.mgrid[:POINTS, :POINTS]
    seeded = np.maximum(abs(ix - (POINTS - 1) / 2), abs(iy - (POINTS - 1) / 2)) < 10
    uneven = 1 + 1e-4 * ((ix * 7919 + iy * 104729) % 201 - 100)
    return np.stack([np.where(seeded, uneven / 2, 1), np.where(seeded, uneven / 4, 0)], -1)


def py_pde(scheme, tolerance, y0):
    """Return what makes the run, which is compiled."""
    grid = pde.CartesianGrid([[0, POINTS]] * 2, POINTS, periodic=True)
    equations = pde.PDE(EQUATIONS, consts=PARAMETERS)

    def state():
        return pde.FieldCollection([pde.ScalarField(grid, y0[..., c]) for c in range(2)])

    kind = {"euler": pde.EulerSolver, "runge-kutta": pde.RungeKuttaSolver}[scheme]
    advance = kind(equations, backend="numba", adaptive=True, tolerance=tolerance).make_stepper(
        state(), dt=0.1)
    advance(state(), 0.0, 1.0)

    def run():
        fields = state()
        advance(fields, 0.0, T_END)
        return np.moveaxis(fields.data, 0, -1)
    return run


def timed(run):
    """Return the result of a run, and the least seconds of three."""
    seconds = []
    for _ in range(3):
        start = time.perf_counter()
        result = run()
        seconds.append(time.perf_counter() - start)
    return result, min(seconds)


problem = eulercl.PDE(EQUATIONS, grid=(POINTS, POINTS), boundary="periodic", parameters=PARAMETERS)
y0 = initial()
settings = dict(backend="cpu")
reference = eulercl.solve(problem, (0, T_END), y0, rtol=1e-8, atol=1e-8, method="dp54").y[-1]
rows = []


def report(program, tolerance, error, seconds):
    print(f"{program:16s} {tolerance:7.0e}  error {error:7.1e}  {seconds:8.3f} s", flush=True)
    rows.append((program, error, seconds))


def error_of(y):
    return abs(y - reference).max() / abs(reference).max()


for tolerance in (1e-3, 3e-4, 1e-4):
    y, seconds = timed(functools.partial(eulercl.solve, problem, (0, T_END), y0, rtol=tolerance,
                                         atol=tolerance, **settings))
    report("eulercl", tolerance, error_of(y.y[-1]), seconds)
for program, tolerances in PEERS.items():
    package, _, method = program.partition(":")
    if package != "pde":
        for row in eulercl.compare(problem, (0, T_END), program, y0, rtol=tolerances, **settings).rows:
            if row.program == program:
                report(program, row.rtol, row.error, row.seconds)
        continue
    for tolerance in tolerances:
        y, seconds = timed(py_pde(method, tolerance, y0))
        report(program, tolerance, error_of(y), seconds)
best = {}
for program, error, seconds in rows:
    if error <= 1e-3:
        best[program] = min(seconds, best.get(program, seconds))
for program in ("eulercl", *PEERS):
    print(f"{program:16s}", f"{best[program]:8.3f} s {best[program] / best['eulercl']:6.1f} times"
          if program in best else "never reaches 1e-3")
