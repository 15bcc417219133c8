# SPDX-License-Identifier: BSD-2-Clause
"""sweep: one problem with many values of its parameters."""
import itertools
import math
import os
import threading

import numpy as np

from ._dataset import make_dataset
from ._library import EulerclError, InvalidError
from ._problem import check_problem, precision_of
from ._solve import Run, Span, progress_bar
from ._values import empty, reals, switch, whole

# How a run can end without a solution at its end; the others of a sweep go on.
_failures = ("NONFINITE", "STEP_SIZE", "STEP_COUNT")


class _Sweep:
    """The runs, their results, and a sign to stop."""

    def __init__(self, problem, axes, span, y0, arguments, bar):
        self.problem, self.axes, self.span, self.y0 = problem, axes, span, y0
        self.arguments = {**arguments, "callback": lambda t, steps: self._stops.is_set()}
        counts = [len(values) for values in axes.values()]
        self.y = empty("sweep", (*counts, len(span.times), *problem.shape),
                       precision_of(arguments["precision"])[1])
        self.bar = bar
        self.status = np.zeros(counts, int)
        self.nfev = np.zeros(counts, np.int64)
        self.t_reached = np.full(counts, np.nan)
        self.message = np.full(counts, "", object)
        self._places = itertools.product(*map(range, counts))  # the number along each axis
        self._lock = threading.Lock()  # for the problem, of which solvers are made one after another
        self._stops = threading.Event()
        self._raised = None

    def _next(self):
        """Return the next place and its run; None after the last one."""
        with self._lock:
            place = next(self._places, None)
            if place is None or self._stops.is_set():
                return None
            for (name, values), number in zip(self.axes.items(), place):
                self.problem.set(name, values[number])
            if self.problem.shape != self.y.shape[len(self.axes) + 1:]:
                raise InvalidError("sweep: the parameters change the size of the system; solve each "
                                   "size by itself", "INVALID")
            return place, Run(self.problem, self.span, self.y0, **self.arguments)

    def _finish(self, place, run):
        with run.solver:
            try:
                t, self.status[place], self.message[place] = run.finish(self.y[place])
            except EulerclError as error:
                if error.status not in _failures:
                    raise
                self.status[place], self.message[place] = -1, str(error)
                self.y[place] = np.nan
            else:
                self.y[place][len(t):] = self.y[place][len(t) - 1]  # a steady state stays
                self.nfev[place] = run.solver.nfev
            self.t_reached[place] = run.solver.t
        if self.bar is not None:
            with self._lock:
                self.bar.update()

    def _work(self):
        """Solve combinations as long as there are some; the first exception stops all threads."""
        try:
            while found := self._next():
                self._finish(*found)
        except BaseException as error:
            with self._lock:
                self._raised = self._raised or error
            self._stops.set()

    def run_all(self, workers):
        """Solve all combinations by threads."""
        import concurrent.futures  # takes 8 ms
        with concurrent.futures.ThreadPoolExecutor(workers) as pool:
            try:
                concurrent.futures.wait([pool.submit(self._work) for _ in range(workers)])
            finally:  # also after KeyboardInterrupt, which this thread gets
                self._stops.set()
        if self._raised:
            raise self._raised


def sweep(problem, t_span, y0=None, *, workers=None, backend="cpu", precision="double", t_eval=None,
          **values):
    """Solve a problem for all combinations of values of its parameters.

    The problem is compiled once. Each run has the bits of one by `solve`.

    Parameters
    ----------
    problem : Problem
        Its parameters are the same after the sweep.
    t_span, y0, t_eval, precision
        As for `solve`.
    workers : int, optional
        Runs at the same time; by default as many as there are processors, and 1 with a backend other
        than "cpu" and "seq", which use one processor.
    backend : str
    **values
        For each parameter a sequence of values, which becomes a dimension, or one number. Other names
        are arguments of `solve`, such as ``h`` and ``rtol``; ``progress=True`` shows a bar of the runs.
        A parameter of the problem comes first, if both have the same name.

    Returns
    -------
    xarray.Dataset
        For each component of a point an array of the shape (values of the parameters, times, points along
        z, y and x), and arrays of the shape of the parameters: ``status`` (0, 1 for a steady state, -1 for a
        solution that became infinite or had no steps to the tolerance any more, whose states are
        NaN), ``message``, ``t_reached`` and ``nfev``. Without the package xarray: a dictionary of
        the same arrays, whose ``dims`` names their dimensions.

    Raises
    ------
    InvalidError
        A value that is not allowed, no values at all, or sizes that differ.
    """
    known = check_problem(problem).parameters
    if values.get("callback") is not None and "callback" not in known:
        raise InvalidError("sweep: callback is for one run by `solve`", "INVALID")
    given = {name: reals(f"sweep: {name}", values.pop(name)) for name in list(values) if name in known}
    progress = switch("progress", values.pop("progress", False))
    fixed = {name: value for name, value in given.items() if value.ndim == 0}
    axes = {name: value for name, value in given.items() if value.ndim > 0}
    for name, along in axes.items():
        if along.ndim != 1 or along.size == 0:
            raise InvalidError(f"sweep: the values of {name} must be a sequence of numbers", "INVALID")
    if not axes:
        raise InvalidError("sweep: give at least one of the problem's parameters "
                           f"({', '.join(known) or 'it has none'}) a sequence of values", "INVALID")
    if workers is None:
        is_of_one = isinstance(backend, str) and backend in ("cpu", "seq")
        workers = len(os.sched_getaffinity(0)) if is_of_one else 1
    runs = math.prod(along.size for along in axes.values())
    workers = min(whole("workers", workers, 1), runs)
    span = Span(t_span, t_eval)
    # Many runs are worth the fast code, and Ctrl-C interrupts the compiler in this thread alone.
    problem._use_code(precision_of(precision)[0], True)
    bar = progress_bar(total=runs, unit="run") if progress else None
    arguments = {**values, "backend": backend, "precision": precision}
    try:
        for name, value in fixed.items():
            problem.set(name, value)
        sizes = dict(zip(axes, (along[0] for along in axes.values())))
        for name, value in sizes.items():
            problem.set(name, value)
        work = _Sweep(problem, axes, span, y0, arguments, bar)
        work.run_all(workers)
        attrs = {name: value for name, value in problem.parameters.items() if name not in axes}
    finally:
        for name, value in known.items():
            problem.set(name, value)
        if bar is not None:
            bar.close()
    others = {name: (tuple(axes), getattr(work, name))
              for name in ("status", "message", "t_reached", "nfev")}
    return make_dataset(work.y, problem.shape, problem.component_names, axes | {"t": span.times}, others,
                        attrs)
