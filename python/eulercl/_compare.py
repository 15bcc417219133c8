# SPDX-License-Identifier: BSD-2-Clause
"""compare: the errors and times of other programs, with the same equations."""
import dataclasses
import functools
import inspect
import time

import numpy as np

from ._binding import lib
from ._library import InvalidError, optional
from ._pde import PDE
from ._rhs import array_function
from ._show import shown_once
from ._solve import Span, solve
from ._solver import as_state
from ._values import reals, shown

# A run that takes less is repeated.
SHORT_SECONDS = 0.2
REPEATS = 3


@dataclasses.dataclass
class Row:
    """A run of one program.

    Attributes
    ----------
    program : str
    rtol : float
    error : float
        The greatest difference from the reference at the end, divided by the greatest magnitude of
        the reference.
    seconds : float
        On the wall, without compilations.
    nfev : int or None
        Evaluations of the right-hand side, if the program counts them.
    """

    program: str
    rtol: float
    error: float
    seconds: float
    nfev: int | None


class Comparison:
    """The result of `compare`.

    Attributes
    ----------
    rows : list of Row
    reference_rtol : float
        The tolerance of the run that errors refer to.
    """

    def __init__(self, rows, reference_rtol):
        self.rows = rows
        self.reference_rtol = reference_rtol

    def _cells(self):
        return [("program", "rtol", "error", "seconds", "evaluations"),
                *((row.program, f"{row.rtol:.0e}", f"{row.error:.1e}", f"{row.seconds:.4f}",
                   "" if row.nfev is None else str(row.nfev)) for row in self.rows)]

    def __str__(self):
        cells = self._cells()
        widths = [max(map(len, column)) for column in zip(*cells)]
        return "\n".join("  ".join([row[0].ljust(widths[0]), *(
            cell.rjust(width) for cell, width in zip(row[1:], widths[1:]))]) for row in cells)

    def _repr_html_(self):
        lines = ("".join(f"<td>{cell}</td>" for cell in row) for row in self._cells())
        return "<table>" + "".join(f"<tr>{line}</tr>" for line in lines) + "</table>"

    def plot(self):
        """Draw seconds over errors with matplotlib, a line for each program.

        Returns
        -------
        matplotlib.figure.Figure
        """
        optional("matplotlib", "plot")
        from matplotlib import pyplot
        figure = pyplot.figure(figsize=(7, 4.5), layout="constrained")
        axes = figure.subplots()
        for program in dict.fromkeys(row.program for row in self.rows):
            points = sorted((row.error, row.seconds) for row in self.rows if row.program == program)
            axes.loglog(*zip(*points), marker="o", label=program)
        axes.set(xlabel="error", ylabel="seconds")
        axes.grid(which="both", alpha=0.3)
        axes.legend()
        return shown_once(figure)


def _eulercl(method, pde, t_span, y0, settings):
    def run(rtol, atol):
        done = solve(pde, t_span, y0, rtol=rtol, atol=atol, method=method or None, **settings)
        return done.y[-1], done.nfev
    return run


def _method_of(package, name, base):
    """Return a package's class of solvers by its name."""
    found = getattr(package, name, None)
    if not (inspect.isclass(found) and issubclass(found, base) and not inspect.isabstract(found)):
        raise InvalidError(f"against: {package.__name__.partition('.')[0]} has no '{name}'", "INVALID")
    return found


def _scipy(method, pde, t_span, y0, settings):
    del settings
    optional("scipy", "compare against scipy")
    from scipy import integrate
    f, solver = array_function(pde, np), _method_of(integrate, method or "RK45", integrate.OdeSolver)

    def flat(t, y):
        return f(t, y.reshape(pde.shape)).reshape(-1)

    def run(rtol, atol):
        done = integrate.solve_ivp(flat, t_span, y0.reshape(-1), method=solver, rtol=rtol, atol=atol,
                                   t_eval=[t_span[1]])
        if not done.success:
            raise InvalidError(f"scipy:{method}: {done.message}", "INVALID")
        return done.y[:, -1].reshape(pde.shape), done.nfev
    return run


def _diffrax(method, pde, t_span, y0, settings):
    del settings
    jax = optional("jax", "compare against diffrax", is_in_debian=False)
    diffrax = optional("diffrax", "compare against diffrax", is_in_debian=False)
    # Newer versions of JAX have moved it.
    in_double = jax.enable_x64 if hasattr(jax, "enable_x64") else jax.experimental.enable_x64
    with in_double(True):
        f = array_function(pde, jax.numpy)
        solver = _method_of(diffrax, method or "Tsit5", diffrax.AbstractSolver)()

        @jax.jit
        def advance(y, rtol, atol):
            return diffrax.diffeqsolve(
                diffrax.ODETerm(lambda t, y, args: f(t, y)), solver, t_span[0], t_span[1], None, y,
                stepsize_controller=diffrax.PIDController(rtol, atol), max_steps=None,
                saveat=diffrax.SaveAt(t1=True), adjoint=diffrax.DirectAdjoint()).ys[0]

        state = jax.numpy.asarray(y0)

    def run(rtol, atol):
        with in_double(True):
            return np.asarray(advance(state, rtol, atol).block_until_ready()), None
    return run


_packages = {"eulercl": _eulercl, "scipy": _scipy, "diffrax": _diffrax}


def _timed(run):
    """Return the result of a run, and the least seconds of some."""
    seconds = []
    while len(seconds) < REPEATS:
        start = time.perf_counter()
        result = run()
        seconds.append(time.perf_counter() - start)
        if seconds[-1] > SHORT_SECONDS:
            break
    return result, min(seconds)


def compare(pde, t_span, against=("scipy:RK45",), y0=None, *, rtol=(1e-3, 1e-5, 1e-7), **settings):
    """Solve equations by several programs, and compare errors and times.

    All programs compute in double on the same equations: the text of `pde` is translated to C for
    the library, and to functions of arrays for the others.

    Parameters
    ----------
    pde : PDE
    t_span : (float, float)
        Start and end, in the unit of time of the equations.
    against : sequence of str
        "PACKAGE:METHOD" each: "scipy:RK45" and all other methods of `scipy.integrate.solve_ivp`,
        "diffrax:Tsit5" and all other explicit solvers of diffrax, "eulercl:rock2" and all other
        methods of this library that estimate errors. The library's own choice comes first.
    y0 : array, optional
        The first state; by default that of `pde`.
    rtol : sequence of float
        Tolerances. The absolute tolerance is rtol times the greatest magnitude at the start.
    **settings
        Of the library's runs, as for `solve`, such as ``backend="cpu"`` for one thread.

    Returns
    -------
    Comparison
        ``print`` shows it as a table; ``plot()`` draws it.

    Raises
    ------
    ImportError
        A package is missing.
    InvalidError
        There is no such package or method, or a value that is not allowed.

    Notes
    -----
    The reference for the errors is a run of this library with a tolerance a thousand times smaller
    than the smallest one.
    """
    if not isinstance(pde, PDE):
        raise InvalidError("compare: needs a PDE, because others cannot read a problem in C", "INVALID")
    for name in {"atol", "method", "t_eval"} & set(settings):
        raise InvalidError(f"compare: {name} is not one of its settings", "INVALID")
    try:
        against = [against] if isinstance(against, str) else list(against)
    except TypeError:
        against = [against]
    for program in against:
        if not isinstance(program, str):
            raise InvalidError(f"against: {shown(program)} is no text PACKAGE:METHOD", "INVALID")
    tolerances = reals("rtol", rtol).reshape(-1).tolist()
    if not tolerances or not all(1e-10 <= one < 1 for one in tolerances):
        raise InvalidError("rtol: the tolerances must be from 1e-10 to less than 1", "INVALID")
    y0 = pde.initial() if y0 is None else as_state(y0, pde.shape, "double").reshape(pde.shape)
    scale = np.abs(y0).max() or 1.0
    span = Span(t_span, None)
    t_span = span.t0, span.t_end
    runs = {}
    for program in ["eulercl", *against]:
        package, _, method = program.partition(":")
        if package not in _packages:
            raise InvalidError(f"against: there is no '{package}' (there are "
                               f"{', '.join(_packages)})", "INVALID")
        runs[program] = _packages[package](method, pde, t_span, y0, settings)
    pde._use_code(lib.EULERCL_DOUBLE, True)  # times are those of fast code
    for run in runs.values():
        run(max(tolerances), max(tolerances) * scale)  # compiles and loads what it needs
    finest = min(tolerances) / 1000
    reference = solve(pde, t_span, y0, rtol=finest, atol=finest * scale, method="dp54").y[-1]
    rows = []
    for program, run in runs.items():
        for one in tolerances:
            (y, nfev), seconds = _timed(functools.partial(run, one, one * scale))
            error = float(np.abs(y - reference).max() / np.abs(reference).max())
            rows.append(Row(program, one, error, seconds, nfev))
    return Comparison(rows, finest)
