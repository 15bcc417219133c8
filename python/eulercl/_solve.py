# SPDX-License-Identifier: BSD-2-Clause
"""solve: the interface of scipy.integrate.solve_ivp."""
import dataclasses

import numpy as np

from ._library import InvalidError, optional
from ._observe import each_state, observe_states
from ._problem import Problem, check_problem, precision_of
from ._show import States
from ._solver import Solver, hash_of, stable_step
from ._select import Thinning, extract
from ._values import callback_of, empty, real, reals, shown, switch


# The units in the last place by which times may be outside of their span.
ROUNDINGS = 16


@dataclasses.dataclass(repr=False)
class Solution(States):
    """The result of `solve`.

    Attributes
    ----------
    t : array of shape (times,)
    y : array of shape (times, ny, nx, components)
        On a grid of three dimensions (times, nz, ny, nx, components), of one (times, nx, components);
        (times, n) without a grid.
    nfev : int
        Evaluations of the right-hand side.
    status : int
        0: the end was reached; 1: the run ended before, in a steady state (option ``steady``).
    message : str
    statistics : dict
        As of `Solver.statistics`.
    names : tuple of str
        The components of a point: the unknowns of a `PDE`, otherwise y0, y1, ...
    parameters : dict
        The values of the problem's parameters.
    problem : Problem
        What was solved, for `observe`, `thin` and `extract`.
    """

    t: np.ndarray
    y: np.ndarray
    nfev: int
    status: int
    message: str
    statistics: dict
    names: tuple
    parameters: dict
    problem: Problem

    def observe(self, wanted):
        """Return what an observer finds in the states.

        Parameters
        ----------
        wanted : str
            As of `Solver.observe`.

        Returns
        -------
        Observed
        """
        return observe_states(self.problem, self.parameters, self.t, self.y, wanted)

    def thin(self, component, n, mode="mean", smoothing=0, region=()):
        """Return a component of the states, thinned to one value for each block of points.

        Parameters
        ----------
        component, n, mode, smoothing, region
            As of `Solver.thin`.

        Returns
        -------
        array
            The times along its first axis.
        """
        thinning = Thinning(self.names, self.y.shape[1:], component, n, mode, smoothing, region)
        return np.array([thinning.find(solver)
                         for solver in each_state(self.problem, self.parameters, self.t, self.y)])

    def extract(self, condition):
        """Return the points of each state whose value satisfies a condition.

        Parameters
        ----------
        condition : str
            As of `Solver.extract`.

        Returns
        -------
        list of Extracted
            One for each time.
        """
        return [extract(solver, self.names, self.y.shape[1:], condition)
                for solver in each_state(self.problem, self.parameters, self.t, self.y)]

    @property
    def success(self):
        """bool : the run ended without an error; errors are exceptions."""
        return self.status >= 0

    @property
    def state_hash(self):
        """str : a fingerprint of the last state, the ``hash`` of the command."""
        return hash_of(self.y[-1])

    def __repr__(self):
        return (f"<eulercl.Solution: {len(self.t)} times to {self.t[-1]:g}, states of "
                f"{' x '.join(map(str, self.y.shape[1:]))}, {self.message}>")

    def _facts(self):
        words = ("method", "backend", "steps")
        return {word: self.statistics[word] for word in words} | self.parameters


class Span:
    """The start ``t0``, the end ``t_end``, and the array ``times`` of a run."""

    def __init__(self, t_span, t_eval):
        try:
            t0, t_end = t_span
        except (TypeError, ValueError):
            raise InvalidError(f"t_span: {shown(t_span)} is not a start and an end", "INVALID") from None
        self.t0, self.t_end = t0, t_end = real("t_span", t0), real("t_span", t_end)
        if not t_end >= t0:
            raise InvalidError(f"t_span: the end {t_end:g} is before the start {t0:g}", "INVALID")
        if t_eval is None:
            self.times = np.array([t_end])
            return
        times = reals("t_eval", t_eval)
        if times.ndim != 1 or times.size == 0:
            raise InvalidError("t_eval: expected a sequence of times", "INVALID")
        # numpy.arange and sums go beyond the span by rounding errors.
        slack = ROUNDINGS * np.spacing(max(abs(t0), abs(t_end)))
        if not (np.all(np.diff(times) > 0) and times[0] >= t0 - slack and times[-1] <= t_end + slack):
            raise InvalidError(f"t_eval: the times must increase, from {t0:g} to {t_end:g}", "INVALID")
        self.times = np.clip(times, t0, t_end)


def progress_bar(**settings):
    """Return a bar of tqdm."""
    optional("tqdm", "progress=True")
    from tqdm.auto import tqdm
    return tqdm(**settings)


def _with_progress(callback, t0, t_end):
    """Return the callback with a progress bar before it, and what closes the bar."""
    bar = progress_bar(total=t_end - t0, unit="t")

    def show(t, steps):
        bar.update(t - t0 - bar.n)
        return callback is not None and callback(t, steps)

    return show, bar


def solve(problem, t_span, y0=None, *, h=None, rtol=None, atol=None, t_eval=None, dense=True,
          method=None, backend=None, device=None, precision="double", callback=None, progress=False,
          **settings):
    """Solve y' = f(t, y) from t_span[0] to t_span[1].

    Parameters
    ----------
    problem : Problem
    t_span : (float, float)
        Start and end, in the problem's unit of time.
    y0 : array, optional
        The first state, of ``problem.shape``; by default the problem's initial state.
    h : float or "auto", optional
        Steps of this size; "auto": 0.9 of the stability limit at the start.
    rtol : float, optional
        Steps to a tolerance: the estimated error of each is at most atol + rtol abs(y). Without
        `h`, rtol is 1e-3.
    atol : float, sequence of float, or dict, optional
        One for all unknowns, one for each, or some by the unknowns' names. By default that of an
        unknown is rtol times its own greatest magnitude at the start, unless the problem says
        (``ODE_ATOL``).
    t_eval : sequence of float, optional
        Times of the states to return; by default the end alone. A time outside of the span by
        rounding errors counts as its start or end.
    dense : bool
        With a tolerance. True: dense output. The steps are those of a run without `t_eval`, and a
        shorter step beside them leads to each time; what the equations do within a step at a time of
        `t_eval`, such as a switch, the steps may not see. False: the steps are cut, and end exactly
        at the times of `t_eval`. Steps of size `h` are always cut.
    breakpoints : sequence of float, optional
        Times at which the equations may jump, in any order: steps end there, and the equations are
        not evaluated at these times.
    method, backend, device, precision, **settings
        As for `Solver`.
    callback : callable, optional
        ``callback(t, steps_done)`` is called about five times a second; a true result stops the run
        with the error CANCELLED.
    progress : bool
        Show a bar by tqdm.

    Returns
    -------
    Solution

    Raises
    ------
    EulerclError
        With ``status`` "NONFINITE", "STEP_SIZE", "NO_DEVICE" and others of the library.
    KeyboardInterrupt
        After Ctrl-C; the solver is freed.
    """
    span = Span(t_span, t_eval)
    check_problem(problem)
    callback, bar = callback_of("callback", callback), None
    if switch("progress", progress):
        callback, bar = _with_progress(callback, span.t0, span.t_end)
    try:
        run = Run(problem, span, y0, h=h, rtol=rtol, atol=atol, dense=dense, precision=precision,
                  callback=callback, method=method, backend=backend, device=device, **settings)
        with run.solver:
            y = empty("t_eval", (len(span.times), *run.solver.shape), precision_of(precision)[1])
            t, status, message = run.finish(y)
            statistics = run.solver.statistics
        if bar is not None:  # the library does not call back after the last steps
            bar.update(bar.total - bar.n)
    finally:
        if bar is not None:
            bar.close()
    return Solution(t, y[:len(t)], statistics["rhs_evaluations"], status, message, statistics,
                    problem.component_names, problem.parameters, problem)


class Run:
    """The work of `solve`, in two parts: the problem is only used by the first one, the constructor.
    Arguments as of `solve`."""

    def __init__(self, problem, span, y0, *, h=None, rtol=None, atol=None, dense=True, **settings):
        if "t0" in settings:
            raise InvalidError("t0: the start stands in t_span", "INVALID")
        self._span = span
        settings |= {"t0": span.t0, "rtol": 1e-3 if h is None and rtol is None else rtol, "atol": atol}
        self._is_dense = h is None and switch("dense", dense)
        if isinstance(h, str) and h == "auto":
            h = stable_step(problem, y0, precision=settings["precision"], t0=span.t0,
                            method=settings.get("method"), stages=settings.get("stages"))
        # A short run does not wait for programs that take long to compile.
        if h is None:
            settings.setdefault("expected_end", span.t_end)
        elif (size := real("h", h)) > 0:
            steps = (span.t_end - span.t0) / size
            settings.setdefault("expected_steps", int(max(1, min(steps, 2**53))))
            looks = max(1, sum(t > span.t0 for t in span.times))
            settings.setdefault("expected_interval", round(max(1, min(steps / looks, 2**53))))
        self.solver = Solver(problem, y0, h=h, **settings)

    def finish(self, y):
        """Advance to the end, and write a state for each time to the array y.

        Returns
        -------
        t : array
            The times of the states: fewer, if the solution became steady.
        status : int
        message : str
        """
        solver, times, t_end = self.solver, self._span.times, self._span.t_end
        count, is_steady = 0, False
        for count, t in enumerate(times, 1):
            if self._is_dense and t < t_end:
                solver.advance_dense(t, t_end)
            else:
                solver.advance_to(t)
            solver.read_state(y[count - 1])
            if is_steady := solver.is_steady:
                break
        if not is_steady and times[-1] < t_end:
            solver.advance_to(t_end)
            is_steady = solver.is_steady
        t = times[:count].copy()
        message = "the solution became steady" if is_steady else "the end of the time span was reached"
        if below := solver._below_atol(solver._stats()):
            message += f"; {', '.join(below)} stayed below atol, so the errors are not controlled"
        if is_steady:
            t[-1] = solver.t
        return t, int(is_steady), message
