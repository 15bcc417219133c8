# SPDX-License-Identifier: BSD-2-Clause
"""Runs that are steered: parameters, the step size and the state change between two steps, and a history
of these changes, from which the run is made again with the same bits."""
import hashlib
import math
import typing

import numpy as np

from ._binding import ffi, lib
from ._library import EulerclError, InvalidError, call, structure
from ._solver import Solver, make_options, stable_step
from ._values import coefficient, positive, real, reals, shown, whole

# A stroke has at most this many places.
MOST_PLACES = 256
# The tolerance of problems for which no step size is stable.
TOLERANCE = 1e-3


class Kept(typing.NamedTuple):
    """A state of a run to which it can go back."""

    y: np.ndarray
    clock: object
    parameters: dict
    events: int  # how many events of the history led to it


def fingerprint(problem):
    """Return a hash of the text of a problem; "" for a problem without one."""
    return hashlib.sha256(problem._text().encode()).hexdigest() if problem._text() else ""


def fingerprints(problem):
    """Return hashes of the fields that a problem was given, by their names."""
    return {name: _hash_of(problem._field(name)) for name in sorted(problem._given)}


def _hash_of(array):
    return hashlib.sha256(memoryview(np.ascontiguousarray(array)).cast("B")).hexdigest()


def stroke_of(stroke, problem):
    """Return a stroke of a brush as a dictionary of checked numbers."""
    if not isinstance(stroke, dict):
        raise InvalidError(f"stroke: {shown(stroke)} is not a dictionary", "INVALID")
    rank, names = max(1, len(problem.shape) - 1), problem.component_names
    places = stroke.get("places")
    if not isinstance(places, list) or not 0 < len(places) <= MOST_PLACES:
        raise InvalidError(f"stroke: places: expected 1 to {MOST_PLACES} places", "INVALID")
    array = reals("stroke: places", places)
    if array.shape != (len(places), rank) or not np.isfinite(array).all() or np.abs(array).max() > 1e12:
        raise InvalidError(f"stroke: places: expected {rank} finite numbers for each place", "INVALID")
    return {"component": whole("stroke: component", stroke.get("component"), 0, len(names) - 1),
            "value": coefficient("stroke: value", stroke.get("value")),
            "radius": min(positive("stroke: radius", stroke.get("radius")), 1e6), "places": array.tolist()}


def _box(places, radius, extents):
    """Return the ranges of points, along x, y and z, that can be within a radius of places."""
    return [range(max(0, math.ceil(column.min() - radius)), min(n - 1, math.floor(column.max() + radius)) + 1)
            for column, n in zip(places.T, extents)]


def _near(places, radius, box):
    """Return for a box of points, [iz, iy, ix], which of them lie within a radius of one of the places."""
    axes = np.meshgrid(*(np.arange(one.start, one.stop, dtype=float) for one in reversed(box)), indexing="ij")
    found = np.zeros(axes[0].shape, bool)
    for place in places:
        found |= sum((axis - x)**2 for axis, x in zip(reversed(axes), place)) <= radius**2
    return found


class Steered:
    """A run of a problem from its initial state, with a history.

    Parameters
    ----------
    problem : Problem
        It is changed by `set`.
    h : float, "auto" or None
        "auto": `choose_h` finds the first step size. None: steps to a tolerance.
    stops : callable
        As the callback of `Solver`.
    **settings
        As for `Solver`.

    Attributes
    ----------
    history : dict
    solver : Solver
        Another one after each change of the step size.
    """

    def __init__(self, problem, *, h="auto", precision="double", stops=None, backend=None, device=None,
                 queue=None, **settings):
        self.problem, self.solver, self.precision = problem, None, precision
        self._where = {"backend": backend, "device": device, "queue": queue, "callback": stops}
        self._settings = {name: value for name, value in settings.items() if value is not None}
        is_auto = isinstance(h, str) and h == "auto"
        if "rtol" in self._settings and h is not None and not is_auto:
            raise InvalidError("h and rtol: give either a step size or a tolerance", "INVALID")
        self.is_auto = self.needs_h = is_auto and "rtol" not in self._settings
        self.h = None if "rtol" in self._settings else 1e-4 if self.is_auto or h is None else positive("h", h)
        self._fields = fingerprints(problem)
        self.start()

    def start(self):
        """Go to the initial state of the problem with its present parameters."""
        self._replace(None, None)
        self.history = {"problem": self.problem.info["name"], "text": fingerprint(self.problem),
                        "fields": self._fields, "precision": self.precision, "settings": self._settings,
                        "parameters": self.problem.parameters, "h": self.h, "events": []}

    def _replace(self, y, clock):
        """Go on with another solver, for the present parameters and step size."""
        solver = Solver(self.problem, y, h=self.h, precision=self.precision, **self._where, **self._settings)
        try:
            if clock is not None:
                solver._resume(clock)
        except BaseException:
            solver.close()
            raise
        if self.solver is not None:
            self.solver.close()
        self.solver = solver

    def close(self):
        """Free the memory of the run."""
        self.solver.close()

    @property
    def steps(self):
        """int : steps since the start."""
        return self.solver._stats().steps

    def advance(self, steps):
        """Advance by steps; errors as of `Solver.advance`."""
        self.solver.advance(steps)

    def choose_h(self):
        """Choose the first step size. Where stability sets none, steps are made to a tolerance."""
        self.needs_h = False
        try:
            self.h = stable_step(self.problem, precision=self.precision,
                                 **{name: self._settings.get(name) for name in ("method", "stages")})
        except EulerclError as error:
            if error.status != "UNSUPPORTED":
                raise
            self.h, self.is_auto, self._settings["rtol"] = None, False, TOLERANCE
        self.start()

    def saved(self):
        """Return the history with what `replay` and `check_state` need: the steps, and a hash of the state."""
        return self.history | {"steps": self.steps, "state": _hash_of(self.solver.state)}

    # ---- changes, which the history contains ----

    def _note(self, **event):
        self.history["events"].append({"step": self.steps, **event})

    def set(self, name, value):
        """Set a parameter. If that changes the size of the system, the run starts again."""
        value, before, shape = coefficient(f"parameter {name}", value), self.problem.parameters, self.problem.shape
        self.problem.set(name, value)
        try:
            if self.problem.shape != shape:
                self.start()
            else:
                self._set_in_solver(name, value)
                self._note(set={name: value})
        except BaseException:
            self.problem.set(name, before[name])
            raise

    def _set_in_solver(self, name, value):
        try:
            self.solver.set(name, value)
        except EulerclError as error:
            if error.status != "UNSUPPORTED":
                raise
            self._replace(self.solver.state, self.solver._clock())

    def set_h(self, h):
        """Set the step size."""
        if self.h is None:
            raise InvalidError("h: the step sizes follow from the tolerance", "INVALID")
        before, clock = self.h, self.solver._clock()
        clock.t_base, clock.base_steps, clock.h = self.solver.t, 0, positive("h", h)
        self.h, self.needs_h = clock.h, False
        try:
            self._replace(self.solver.state, clock)
        except BaseException:
            self.h = before
            raise
        self._note(h=self.h)

    def paint(self, stroke):
        """Give a component a value at all points within a radius, in points, of some places."""
        stroke = stroke_of(stroke, self.problem)
        shape, components = self.problem.shape, len(self.problem.component_names)
        extents = shape[-2::-1] if len(shape) > 1 else shape
        places = np.array(stroke["places"])
        box = _box(places, stroke["radius"], extents)
        if all(box):
            self._paint_rows(_near(places, stroke["radius"], box), box, extents, components, stroke)
        self._note(stroke=stroke)

    def _paint_rows(self, near, box, extents, components, stroke):
        count = len(box[0])
        for row, is_near in enumerate(near.reshape(-1, count)):
            if not is_near.any():
                continue
            line, stride = 0, 1  # number of the row in the grid
            for axis, offset in enumerate(reversed(np.unravel_index(row, near.shape[:-1])), 1):
                line += (box[axis].start + int(offset)) * stride
                stride *= extents[axis]
            first = (line * extents[0] + box[0].start) * components
            values = self.solver.read(first, count * components).reshape(count, components)
            values[is_near, stroke["component"]] = stroke["value"]
            self.solver.write(first, values)

    def apply(self, event):
        """Repeat an event of a history."""
        if "stroke" in event:
            self.paint(event["stroke"])
        elif "set" in event:
            for name, value in event["set"].items():
                self.set(name, value)
        else:
            self.set_h(event["h"])

    # ---- states to go back to ----

    def keep(self):
        """Return the present state."""
        return Kept(self.solver.state, self.solver._clock(), self.problem.parameters,
                    len(self.history["events"]))

    def go_back(self, kept):
        """Go back to a state since the start; parameters and strokes that were changed later are changed
        there again."""
        later = self.history["events"][kept.events:]
        for name, value in kept.parameters.items():
            self.problem.set(name, value)
        if self.h is not None:
            self.h = kept.clock.h
        self._replace(kept.y, kept.clock)
        del self.history["events"][kept.events:]
        for event in later:
            if "h" not in event:
                self.apply(event)

    def stability(self, state):
        """Return a function that finds the largest stable step size near a state of the present time, for
        another thread. It returns 0 if no step size is stable, and infinity if stability sets no limit."""
        stats = self.solver._stats()
        options = make_options(self.precision, None, {
            "t0": stats.t, "stages": stats.stages, "method": self._settings.get("method")})
        problem = self.problem._copied()

        def find():
            found = structure("stability")
            call(lib.eulercl_estimate_stability, problem, options[0], ffi.from_buffer(state), found)
            return found.h_limit

        return find


def replay(history, problem, fields=None, **where):
    """Return the run of a history, at its last step.

    Parameters
    ----------
    history : dict
        What `Steered.saved` of another run has returned.
    problem : Problem
    fields : dict of arrays, optional
        Those that it was given.
    **where
        ``backend`` and ``device``.
    """
    try:
        if (history["problem"], history["text"]) != (problem.info["name"], fingerprint(problem)):
            raise InvalidError(f"these are the strokes of another text of {history['problem']}", "INVALID")
        for name, value in history["parameters"].items():
            problem.set(name, coefficient(name, value))
        for name, values in (fields or {}).items():  # for the size that the parameters give
            problem.set(name, values)
        _check_fields(history["fields"], fingerprints(problem))
        run = Steered(problem, h=history["h"], precision=history["precision"], **where, **history["settings"])
        for event in history["events"]:
            run.advance(event["step"] - run.steps)
            run.apply(event)
        run.advance(history["steps"] - run.steps)
    except (KeyError, TypeError, AttributeError) as error:
        raise InvalidError(f"this is not a list of strokes ({error!r})", "INVALID") from None
    return run


def _check_fields(wanted, found):
    for name in sorted(wanted.keys() | found.keys()):
        if name not in wanted:
            raise InvalidError(f"field {name}: the run that was saved had no values for it", "INVALID")
        if name not in found:
            raise InvalidError(f"field {name}: the run that was saved had values for it, give the same ones "
                               f"(--field {name}=FILE)", "INVALID")
        if wanted[name] != found[name]:
            raise InvalidError(f"field {name}: these are not the values of the run that was saved", "INVALID")


def check_state(run, history):
    """Raise an error, if the state of a repeated run is not that of the run that was saved."""
    if _hash_of(run.solver.state) != history.get("state"):
        hint = ("the problem or the library is another one" if run.problem.info["bits_guaranteed"]
                else "the problem's functions can have other bits on another device")
        raise EulerclError(f"the state is not that of the run that was saved: {hint}", "INTERNAL")
