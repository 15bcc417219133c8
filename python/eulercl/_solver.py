# SPDX-License-Identifier: BSD-2-Clause
"""Solvers: a problem, options, and a state that stays where the backend computes."""
import contextlib
import functools
import math
import threading
from collections.abc import Mapping

import numpy as np

from ._binding import ffi, lib
from ._library import (EulerclError, InvalidError, as_dict, call, keep_raised, not_copied, optional,
                       structure, text)
from ._observe import Observation, Observed, check_text
from ._problem import check_problem, precision_of
from ._select import Thinning, extract
from ._values import callback_of, characters, coefficient, empty, positive, real, reals, shown, switch, whole

# What makes a value of a kind. A `positive` number has a default that the library writes as 0; here it
# is None.
_readers = {lib.EULERCL_NUMBER: whole, lib.EULERCL_SWITCH: switch, lib.EULERCL_REAL: real,
            lib.EULERCL_POSITIVE: positive, lib.EULERCL_NAME: characters}


@functools.cache
def _options():
    """Return the options that the library lists, by their names."""
    options, found = {}, structure("option_info")
    while lib.eulercl_get_option(len(options), found, ffi.NULL) == lib.EULERCL_OK:
        reader = _readers[found.kind]
        if reader is whole:
            reader = functools.partial(whole, least=found.least, most=found.most)
        options[text(found.name)] = reader, bool(found.is_for_tolerance)
    return options


@ffi.def_extern(error=1, onerror=keep_raised)
def observe(solver, progress, user):
    """Called by the library between batches; 1 and an exception stop the run."""
    del solver
    watch = ffi.from_handle(user)
    stops = watch.callback is not None and watch.callback(progress.t, progress.steps_done)
    return 1 if stops else 0


class _Watch:
    """The function that the observer of a solver calls, and the exception that it raised. It does not refer to
    the solver, so that a solver that is no longer used is freed at once."""

    def __init__(self, callback):
        self.callback = callback
        self.raised = None


@ffi.def_extern(error=1)
def take_finding(finding, user):
    """Called by the library with each finding of a check."""
    ffi.from_handle(user).append((text(finding.check), _verdicts[finding.verdict],
                                  text(finding.text)))
    return 0


_verdicts = {lib.EULERCL_HOLDS: "holds", lib.EULERCL_FAILS: "fails", lib.EULERCL_REMARK: "remark",
             lib.EULERCL_SKIPPED: "skipped"}


def _is_list(value):
    return isinstance(value, (Mapping, list, tuple)) or getattr(value, "ndim", 0) > 0


def _read_atols(value, names):
    """Return the absolute tolerance of each unknown; 0, the library's choice, for what a dictionary
    leaves out."""
    if isinstance(value, Mapping):
        for name in value:
            if name not in names:
                raise InvalidError(f"atol: no unknown is called {shown(name)} ({', '.join(names)})",
                                   "INVALID")
        return [positive("atol", value[name]) if name in value else 0.0 for name in names]
    if len(value) == 0:
        raise InvalidError("atol: the list is empty", "INVALID")
    return [positive("atol", one) for one in value]


def make_options(precision, h, settings, names=()):
    """Return the options, and what must live as long as they do. names: of the unknowns."""
    options, kept = ffi.new("eulercl_options *"), []
    lib.eulercl_options_init_size(options, ffi.sizeof("eulercl_options"))
    options.precision = precision_of(precision)[0]
    settings = {name: value for name, value in settings.items() if value is not None}
    if h is not None:
        options.h = real("h", h)
        if "rtol" in settings:
            raise InvalidError("h and rtol: give either a step size or a tolerance", "INVALID")
    if "rtol" not in settings:
        for name, (_, is_for_tolerance) in _options().items():
            if is_for_tolerance and name in settings:
                raise InvalidError(f"{name}: is for steps to a tolerance, which need rtol", "INVALID")
    for name, value in settings.items():
        if name == "queue":
            options.cl_context = ffi.cast("void *", _int_ptr(value, "context"))
            options.cl_queue = ffi.cast("void *", _int_ptr(value))
            kept.append(value)
        elif name == "atol" and _is_list(value):
            kept.append(ffi.new("double[]", _read_atols(value, names)))
            options.atols, options.atol_count = kept[-1], len(kept[-1])
        elif name == "breakpoints":
            times = np.atleast_1d(reals(name, value))
            if times.ndim != 1:
                raise InvalidError(f"breakpoints: {shown(value)} is not a list of times", "INVALID")
            kept.append(ffi.new("double[]", times.tolist()))
            options.breakpoints, options.breakpoint_count = kept[-1], len(kept[-1])
        elif name in _options():
            value = _options()[name][0](name, value)
            if isinstance(value, bytes):
                kept.append(ffi.new("char[]", value))
                value = kept[-1]
            setattr(options, name, value)
        else:
            if isinstance(value, (bool, np.bool_)):
                value = str(int(value))
            value = value if isinstance(value, str) else str(whole(name, value))
            call(lib.eulercl_options_set, options, characters("a setting", name), characters(name, value))
    return options, kept


def _int_ptr(queue, *attributes):
    """Return the address of a PyOpenCL queue, or of an attribute of it."""
    try:
        for name in attributes:
            queue = getattr(queue, name)
        return queue.int_ptr
    except AttributeError:
        raise InvalidError("queue: expected a pyopencl.CommandQueue", "INVALID") from None


def stable_step(problem, y=None, *, precision="double", **settings):
    """Return 0.9 times the largest stable step size near a state.

    Parameters
    ----------
    problem : Problem
    y : array, optional
        The state; by default the problem's initial state.
    precision, **settings
        As for `Solver`.

    Returns
    -------
    float
        In the problem's unit of time.

    Raises
    ------
    EulerclError
        With ``status`` "NONFINITE": the right-hand side is infinite at this state.
    """
    names = check_problem(problem).component_names
    options, kept = make_options(precision, None, settings, names)
    h = ffi.new("double *")
    state = ffi.NULL
    if y is not None:
        kept.append(as_state(y, problem.shape, precision))
        state = ffi.from_buffer(kept[-1])
    call(lib.eulercl_stable_step, problem._problem, options, state, h)
    return h[0]


def as_state(y, shape, precision):
    """Return y as a contiguous array of the precision's type."""
    array = reals("the state", y, precision_of(precision)[1])
    if array.shape != shape and not (array.ndim < 2 and array.size == math.prod(shape)):
        raise InvalidError(f"the state has the shape {array.shape}, but the problem {shape}", "INVALID")
    return array


class Snapshot:
    """A copy of a solver's state, which stays as it is while the solver goes on.

    `Solver.snapshot` makes it, and keeps it where the backend computes. ``state`` may be read by
    another thread while the solver computes. The memory is used again for a later snapshot of the
    solver when this one is no longer used.

    Attributes
    ----------
    t : float
        The time of the state, in the problem's unit of time.
    """

    __reduce__ = not_copied

    def __init__(self, solver, memory):
        self._solver, self._memory = solver, memory
        self.take()

    def take(self):
        """Replace the content by the present state of the solver.

        A solver's callback may call it, but no thread while another one uses the solver.
        """
        with self._solver._in_use(), self._memory.lock:
            self._y, self._is_partly_read = None, False
            call(lib.eulercl_snapshot_take, self._memory.pointer)
            self.t = self._solver.t

    @property
    def state(self):
        """array : the state, of the problem's ``shape``, which is read once."""
        with self._memory.lock:
            if self._y is None:
                self._y = self._read()
        return self._y

    def _read(self):
        self._solver._check_open()
        if self._is_partly_read:
            raise InvalidError("snapshot: its reading was interrupted; take it again", "INVALID")
        y = empty("snapshot", self._solver.shape, precision_of(self._solver.precision)[1])
        flat, done = y.reshape(-1), 0
        part, count = ffi.new("void **"), ffi.new("int64_t *")
        self._is_partly_read = True  # the library returns each part once
        while done < flat.size:
            call(lib.eulercl_snapshot_next, self._memory.pointer, part, count)
            end = done + count[0]
            flat[done:end] = np.frombuffer(ffi.buffer(part[0], (end - done) * y.itemsize), y.dtype)
            done = end
        self._is_partly_read = False
        return y

    def __del__(self):
        if hasattr(self, "_memory"):
            self._solver._free_snapshots.append(self._memory)


class _SnapshotMemory:
    """The library's snapshot, and a lock: it is not freed while a thread reads it."""

    def __init__(self, pointer):
        self.pointer = pointer
        self.lock = threading.Lock()


class Solver:
    """A run: advance a state and look at it.

    Parameters
    ----------
    problem : Problem
        What to solve. Later changes of its parameters do not affect the solver.
    y0 : array, optional
        The first state, of the problem's ``shape``; by default the problem's initial state.
    h : float, optional
        The step size, in the problem's unit of time (default: the library's, 1e-4).
    precision : {"double", "float"}
    callback : callable, optional
        Called as ``callback(t, steps_done)`` about five times a second. A true result stops the run
        with the error CANCELLED, from which it can continue.
    **settings
        ``queue``, an in-order pyopencl.CommandQueue, in whose context and on whose device the solver
        computes; options of the library (``backend``, ``method``, ``device``, ``stages``, ``rtol``,
        ``atol`` (a number, a list with one for each unknown, or a dictionary by the names of
        unknowns), ``t0``, ``max_steps``, ``no_move`` (wait for the fast code of new equations,
        instead of moving to it in mid-run), ...) and tuning parameters (``variant``, ``threads``,
        ``workgroup_size``, ...).

    Notes
    -----
    Python's lock is released while the library computes, so solvers of several threads work at the
    same time. One solver belongs to one thread: while it computes, calls of other threads are errors.
    A solver cannot be copied or pickled.
    """

    __reduce__ = not_copied

    def __init__(self, problem, y0=None, *, h=None, precision="double", callback=None, **settings):
        self.problem = check_problem(problem)
        self.shape = problem.shape
        self.precision = precision
        self._parameters = problem.parameters
        self._lock, self._calls, self._solver = threading.RLock(), 0, None
        self._watch = _Watch(callback_of("callback", callback))
        self._handle = ffi.new_handle(self._watch)
        self._options, self._kept = make_options(precision, h, settings, problem.component_names)
        self._options.observer = lib.observe
        self._options.observer_user = self._handle
        self._snapshots, self._free_snapshots, self._observations = [], [], {}
        made = ffi.new("eulercl_solver **")
        call(lib.eulercl_solver_create, problem._for_run(self._options), self._options, made)
        self._solver = made[0]
        try:
            if y0 is None:
                call(lib.eulercl_set_initial_state, self._solver)
            else:
                self.state = y0
        except BaseException:
            self.close()
            raise

    def close(self):
        """Free the memory of the solver and of its snapshots; later calls are errors.

        Raises
        ------
        InvalidError
            The solver computes: a callback, or another thread, cannot close it.
        """
        with self._in_turn():
            if self._calls > 1:
                raise InvalidError("close: a callback cannot close its solver", "INVALID")
            solver, self._solver = self._solver, None
            if solver is not None:
                for memory in self._snapshots:
                    with memory.lock:
                        lib.eulercl_snapshot_destroy(memory.pointer)
                lib.eulercl_solver_destroy(solver)

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self.close()

    def __del__(self):
        if getattr(self, "_solver", None) is not None:
            self.close()

    def set(self, name, value):
        """Set a parameter, or a field such as a forcing that depends on the time, for the steps that
        follow. Nothing is compiled; the step size and the method stay.

        Parameters
        ----------
        name : str
        value : float or array
            Of a field: one number per grid point, of the shape of the grid. The solver keeps a copy; the
            problem and other solvers keep theirs.

        Raises
        ------
        InvalidError
            There is no such parameter or field; the value is out of the parameter's range, or changes the
            size of the system; the array does not fit.
        EulerclError
            Of status UNSUPPORTED: the parameter decides which tiny values are flushed.
        """
        if np.ndim(value) == 0 or isinstance(name, str) and name in self.problem.parameters:
            self._call(lib.eulercl_set_parameter, characters("parameter", name),
                       coefficient(f"parameter {name}", value))
            return
        values = self.problem._on_grid(f"field {name}", value).astype(precision_of(self.precision)[1], "C")
        self._call(lib.eulercl_set_field, characters("field", name), ffi.from_buffer(values))

    def _check_open(self):
        if self._solver is None:
            raise InvalidError("the solver is closed", "INVALID")

    @contextlib.contextmanager
    def _in_turn(self):
        """No other thread is in a call of this solver; a callback is in two."""
        if not self._lock.acquire(blocking=False):
            raise InvalidError("another thread uses the solver, which belongs to one thread at a time",
                               "INVALID")
        self._calls += 1
        try:
            yield
        finally:
            self._calls -= 1
            self._lock.release()

    @contextlib.contextmanager
    def _in_use(self):
        """Take a turn, on a solver that is not closed."""
        with self._in_turn():
            self._check_open()
            yield

    def _call(self, function, *arguments):
        with self._in_use():
            call(function, self._solver, *arguments)

    def _advance(self, function, *arguments):
        with self._in_use():
            if self._calls == 1:  # else a callback's call, which the library refuses
                self._watch.raised = None
            try:
                call(function, self._solver, *arguments)
            except EulerclError:
                if self._watch.raised is not None:
                    raise self._watch.raised from None
                raise

    def advance(self, steps):
        """Advance by a number of steps.

        Parameters
        ----------
        steps : int
            With a tolerance: accepted ones.

        Raises
        ------
        EulerclError
            With ``status`` "NONFINITE" (a component became infinite; the solver has the state after
            that step), "CANCELLED" by the callback, with a tolerance "STEP_SIZE" or "STEP_COUNT".
        """
        self._advance(lib.eulercl_advance, whole("steps", steps))

    def advance_to(self, t):
        """Advance to a time; the last step is shorter if h does not divide the way.

        Parameters
        ----------
        t : float
            In the problem's unit of time; not before the present time.

        Raises
        ------
        EulerclError
            As of `advance`.
        """
        self._advance(lib.eulercl_advance_to, real("t", t), ffi.NULL)

    def advance_dense(self, t, t_end):
        """With a tolerance: show the state at a time; no step of the run is shortened for it.

        Parameters
        ----------
        t : float
            In the problem's unit of time.
        t_end : float
            The end of the run, beyond which no step goes.

        Raises
        ------
        EulerclError
            As of `advance`.
        """
        self._advance(lib.eulercl_advance_dense, real("t", t), real("t_end", t_end))

    @property
    def state(self):
        """array : the state, copied; assign an array to replace it."""
        return self.read(0, None).reshape(self.shape)

    @state.setter
    def state(self, y):
        y = as_state(y, self.shape, self.precision)
        self._call(lib.eulercl_set_state, ffi.from_buffer(y))

    def read(self, first, count=None):
        """Return a part of the state.

        Parameters
        ----------
        first : int
            Number of the first component; those of a point lie together, as in ``state``.
        count : int, optional
            How many; by default all that follow.

        Returns
        -------
        array of shape (count,)
        """
        n = math.prod(self.shape)
        first = whole("first", first, 0, n)
        count = n - first if count is None else whole("count", count, 0, n - first)
        y = empty("read", (count,), precision_of(self.precision)[1])
        self._call(lib.eulercl_get_components, first, count, ffi.from_buffer(y))
        return y

    def read_state(self, y):
        """Copy the state into an array.

        Parameters
        ----------
        y : array
            Contiguous, of the problem's ``shape`` and the solver's precision.
        """
        kind = precision_of(self.precision)[1]
        if not isinstance(y, np.ndarray) or y.shape != self.shape or y.dtype != kind:
            raise InvalidError(f"read_state: expected an array of the shape {self.shape} and the type "
                               f"of {self.precision}", "INVALID")
        if not y.flags.carray:
            raise InvalidError("read_state: the array must be contiguous, aligned and writeable", "INVALID")
        self._call(lib.eulercl_get_state, ffi.from_buffer(y))

    def write(self, first, values):
        """Replace a part of the state.

        Parameters
        ----------
        first : int
            Number of the first component.
        values : array
            As many as are to be replaced.
        """
        y = reals("write", values, precision_of(self.precision)[1]).reshape(-1)
        self._call(lib.eulercl_set_components, whole("first", first), y.size, ffi.from_buffer(y))

    def snapshot(self):
        """Copy the state where it is; the solver can go on while the copy is read.

        Returns
        -------
        Snapshot

        Raises
        ------
        OutOfMemoryError
            There is no memory for one more state.
        """
        with self._in_use():
            if self._free_snapshots:
                return Snapshot(self, self._free_snapshots.pop())
            made = ffi.new("eulercl_snapshot **")
            self._call(lib.eulercl_snapshot_create, made)
            self._snapshots.append(_SnapshotMemory(made[0]))
            return Snapshot(self, self._snapshots[-1])

    @property
    def cl_mem(self):
        """int : the address of the cl_mem that holds the state, on an OpenCL backend.

        ``pyopencl.MemoryObject.from_int_ptr(solver.cl_mem)`` wraps it: the state's reals from offset
        0, in the order of ``state``. It may be read and written through the queue until the next
        call of the solver. Raises EulerclError with the status UNSUPPORTED on a CPU backend.
        """
        buffer = ffi.new("void **")
        self._call(lib.eulercl_borrow_buffer, buffer)
        return int(ffi.cast("uintptr_t", buffer[0]))

    def evaluate(self, t, y):
        """Return the right-hand side f(t, y), computed on the CPU.

        Parameters
        ----------
        t : float
            In the problem's unit of time.
        y : array
            Of the problem's ``shape``.

        Returns
        -------
        array of the problem's ``shape``
        """
        y = as_state(y, self.shape, self.precision)
        f = empty("evaluate", self.shape, y.dtype)
        self._call(lib.eulercl_evaluate, real("t", t), ffi.from_buffer(y), ffi.from_buffer(f))
        return f

    def monitor(self, *wanted, component=None):
        """Return statistics over the state, computed where it is.

        Parameters
        ----------
        *wanted : str
            "min", "max", "mean", "l1", "l2", "linf" or "rms".
        component : int, optional
            Of each grid point; by default over all components.

        Returns
        -------
        dict of float
            The values by their names.
        """
        names = []
        while (name := lib.eulercl_quantity_name(len(names))) != ffi.NULL:
            names.append(text(name))
        statistics = ffi.new("eulercl_statistic[]", len(wanted))
        for place, name in zip(statistics, wanted):
            if not isinstance(name, str) or name not in names:
                raise InvalidError(f"there is no statistic {shown(name)} (there are {', '.join(names)})",
                                   "INVALID")
            place.quantity = names.index(name)
            place.component = -1 if component is None else whole("component", component, 0)
        values = ffi.new("double[]", len(wanted))
        self._call(lib.eulercl_monitor, statistics, len(wanted), values)
        return dict(zip(wanted, values))

    def observe(self, wanted):
        """Return what an observer finds in the state, computed where it is.

        Parameters
        ----------
        wanted : str
            "histogram:C:BINS:LOW:HIGH", "euler:C:LEVEL", "length:C", "front:C:LEVEL" or
            "correlation:C:LAGS", where C is a component of a point: its number, or the name of an
            unknown. ``front`` has the speed since it was called before.

        Returns
        -------
        Observed
        """
        check_text(wanted)
        with self._in_use():
            if wanted not in self._observations:
                with self.problem._having(self._parameters):
                    self._observations[wanted] = Observation(self.problem, wanted)
            observation = self._observations[wanted]
            return Observed(observation, self.t, observation.find(self))

    def thin(self, component, n, mode="mean", smoothing=0, region=()):
        """Return a component of the state, thinned to one value for each block of n points along each
        axis, computed where the state is.

        Parameters
        ----------
        component : int or str
            Of a grid point: its number, or the name of an unknown.
        n : int
        mode : {"mean", "max", "min", "every"}
            The mean of the points of a block, its greatest or smallest one (that is not NaN), or its
            first one along each axis.
        smoothing : int, optional
            If it is not 0, the points are smoothed before, by a mask of the 2 smoothing + 1 binomial weights
            C(2 smoothing, k) / 4 ** smoothing along each axis: nearly a Gaussian of the variance smoothing / 2,
            at most 28. The mask goes round periodic axes. At other ends the values are mirrored. These are the
            values of ``scipy.ndimage.convolve1d`` with the modes "wrap" and "reflect".
        region : tuple of int and slice, optional
            What is thinned of the grid, as in ``y[region]``, such as ``numpy.s_[:, 3, 10:20]``: a point or
            some neighbouring ones of each axis.

        Returns
        -------
        array
            Of the shape of the region, each extent divided by n and rounded up.
        """
        thinning = Thinning(self.problem.component_names, self.shape, component, n, mode, smoothing, region)
        return thinning.find(self)

    def extract(self, condition):
        """Return the points whose value satisfies a condition, found where the state is.

        Parameters
        ----------
        condition : str
            "C > LEVEL", or with >=, < or <=, where C is a component of a point: its number, or the name
            of an unknown. NaN satisfies none.

        Returns
        -------
        Extracted
        """
        return extract(self, self.problem.component_names, self.shape, condition)

    def _go_to(self, t):
        """Set the time of a solver that makes no steps."""
        clock = self._clock()
        clock.t_base = t
        self._resume(clock)

    def _clock(self):
        """Return the library's structure of the same name, for `_resume` of another solver."""
        clock = structure("clock")
        self._call(lib.eulercl_get_clock, clock)
        return clock

    def _resume(self, clock):
        self._call(lib.eulercl_solver_resume, clock)

    def _stats(self):
        """Return the library's structure of the same name, which is faster than `statistics`."""
        stats = structure("stats")
        self._call(lib.eulercl_get_stats, stats)
        return stats

    def _below_atol(self, stats):
        """Return the unknowns that stayed below their absolute tolerances."""
        names = self.problem.component_names if stats.unknowns else ()
        return tuple(name for c, name in enumerate(names) if 0 < stats.greatest[c] < stats.atols[c])

    @property
    def statistics(self):
        """dict : what the library says of the run: backend, steps, t, kernel_seconds, ...; ``facts``
        are those that only this backend knows. With a tolerance ``atols`` has the absolute tolerance
        of each unknown (0: not known yet, because the unknown has been 0), and ``below_atol`` the names
        of those whose magnitude was never seen to reach it, so that their errors are not
        controlled. ``code`` is "baseline" while steps are made by code that compiles sooner than the
        fast code; ``moved_steps`` and ``moved_kernel_seconds`` are those before the run moved to the
        fast code (0: it did not)."""
        with self._in_use():  # the strings are the solver's
            stats = self._stats()
            found = as_dict(stats)
            del found["unknowns"]
            names = self.problem.component_names if stats.unknowns else ()
            found["atols"] = {name: stats.atols[c] for c, name in enumerate(names)}
            found["below_atol"] = self._below_atol(stats)
            found["facts"] = {text(fact.name): text(fact.text) if fact.kind == lib.EULERCL_TEXT
                              else fact.number for fact in stats.facts[0:stats.fact_count]}
        return found

    @property
    def t(self):
        """float : the time reached."""
        return self._stats().t

    @property
    def nfev(self):
        """int : evaluations of the whole right-hand side since the solver was made."""
        return self._stats().rhs_evaluations

    @property
    def is_steady(self):
        """bool : the run ended in a steady state (option ``steady``)."""
        return bool(self._stats().is_steady)

    @property
    def state_hash(self):
        """str : a fingerprint of the state, the ``hash`` that the command prints. Needs the package
        xxhash."""
        return hash_of(self.read(0))

    def spectral_radius(self):
        """Estimate the largest magnitude of an eigenvalue of the Jacobian near the present state.

        Returns
        -------
        float
            Per unit of time. Explicit Euler is stable with steps up to 2 divided by it, if the
            eigenvalues are real and negative.
        """
        stability = structure("stability")
        state = self.state
        options, kept = make_options(self.precision, None, {"t0": self.t})
        with self.problem._having(self._parameters):
            call(lib.eulercl_estimate_stability, self.problem._problem, options, ffi.from_buffer(state),
                 stability)
        del kept
        return stability.spectral_radius

    def check(self):
        """Verify what the problem declares: that all its forms have the same bits, the distance of the
        points that it reads, and others.

        Returns
        -------
        list of (str, str, str)
            For each finding the name of the check, the verdict "holds", "fails", "remark" or
            "skipped", and a sentence.
        """
        findings = []
        handle = ffi.new_handle(findings)
        report = structure("check_report")
        with self._in_use(), self.problem._having(self._parameters):
            self.problem._use_code(0, True)  # both precisions are verified
            call(lib.eulercl_check, self.problem._problem, self._options, report, lib.take_finding,
                 handle)
        return findings


def hash_of(y):
    """Return the command's fingerprint of an array."""
    return optional("xxhash", "state_hash").xxh64(np.ascontiguousarray(y)).hexdigest()
