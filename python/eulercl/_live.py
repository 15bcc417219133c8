# SPDX-License-Identifier: BSD-2-Clause
"""Live views of a run: a thread advances it, and pages see pictures and steer it by messages.

A message is a dictionary that JSON can write, and perhaps bytes. Pages are `page/live.js`, in a browser
(`_live_server.py`) or in a notebook (`live`)."""
import collections
import copy
import functools
import json
import math
import pathlib
import re
import threading
import time

import numpy as np

from ._library import EulerclError, InvalidError, optional
from ._problem import check_problem
from ._select import Thinning
from ._steered import Steered
from ._values import coefficient, positive, reals, shown, switch, whole

# Seconds that the steps of a picture take, at most, and seconds between two pictures of a screen, which a run
# at full speed aims at.
FRAME_SECONDS, SCREEN_SECONDS = 0.03, 1 / 60
# A run at full speed goes on without a page that takes a picture, if one has confirmed one in these seconds.
LOOKING_SECONDS = 0.25
# Steps for a picture at first, and the pictures of a run whose end is known.
SPEED, PICTURES = 20, 600
# Pictures on the way to a page that it has not confirmed.
FRAMES_AHEAD = 2
# Points of a picture along an axis.
MOST_POINTS = 1024
# Dots along an edge of a picture of one component against another.
DOTS = 400
# Points of a picture that become bytes at a time.
CHUNK = 1 << 16
# Messages of a page that wait for the thread; a page that sends more is sent away.
MOST_MESSAGES = 1024
# In systems with more components the step size is not checked: a check evaluates the right-hand side up to
# 40 times on the processor.
CHECKED_COMPONENTS = 4_000_000
# Checks without a cause take at most this part of the time.
CHECKED_PART = 0.1
# Times that an automatic step size is halved where the solution becomes infinite with a stable one.
MOST_HALVINGS = 10

PAGE = pathlib.Path(__file__).parent / "page"


def _span(values):
    """Return the least and the greatest finite value, (inf, -inf) for none, and whether all are finite."""
    with np.errstate(all="ignore"):
        low, high = float(values.min()), float(values.max())  # NaN, if there is one
    if math.isfinite(low) and math.isfinite(high):
        return low, high, True
    finite = values[np.isfinite(values)]
    return (float(finite.min()), float(finite.max()), False) if finite.size else (math.inf, -math.inf, False)


def _bytes_of(values, low, high, is_inside=False):
    """Return a byte for each value: 0 to 254 from low to high, and 255 for what is not finite. `is_inside`: all
    values are known to lie between low and high."""
    picture = np.empty(values.shape, np.uint8)
    rows = max(1, CHUNK // values.shape[1])  # at a time: large new memory takes longer than the arithmetic
    for first in range(0, len(values), rows):
        some, bytes_of_some = values[first:first + rows], picture[first:first + rows]
        with np.errstate(all="ignore"):
            scaled = some - low
            scaled *= 254 / (high - low) if high > low else 0.0
            scaled += 0.5
            if is_inside:
                bytes_of_some[...] = scaled
                continue
            is_number = np.isfinite(some) & ~np.isnan(scaled)
            bytes_of_some[...] = np.where(is_number, np.clip(scaled, 0, 254), 255)
    return picture


def _heights_of(values, low, high):
    """Return the values of a line as parts of the range from low to high, NaN for what is not finite."""
    with np.errstate(all="ignore"):
        heights = np.clip((values - low) / (high - low), 0, 1)
    return np.where(np.isfinite(values), heights, np.nan).astype("<f4")


def _plain(value):
    """Return a value that JSON has: None for what is infinite or NaN."""
    return None if isinstance(value, float) and not math.isfinite(value) else value


class Viewer:
    """A page, and what it wants to see. `send(content, data)` sends it a message, without waiting."""

    def __init__(self, send):
        self.send = send
        self.component, self.limits, self.mode = 0, (None, None), "mean"
        self.across = None  # on a grid of one axis: another component, in place of the place
        self.span = math.inf, -math.inf  # of the values that it has seen
        self.axis, self.index = 2, None  # the plane of a grid with three axes
        self.most = (512, 512)
        self.thinning = None, None, None  # of the last picture: what it depends on, how it is found, its values
        self.probe = None
        self.sent, self.confirmed, self.confirmed_at, self.seen = 0, 0, -math.inf, None
        self.waiting = 0  # messages that it has sent

    def is_ready(self):
        """Return whether it takes another picture."""
        return self.sent - self.confirmed < FRAMES_AHEAD

    def is_looking(self):
        """Return whether it has confirmed a picture just now."""
        return time.perf_counter() - self.confirmed_at < LOOKING_SECONDS


class Session:
    """A run in a thread of its own, and its pages. Without a page that confirms pictures it waits.

    Parameters
    ----------
    make : callable
        ``make(stops)`` returns the `Steered` run; the thread calls it.
    t_end : float, optional
        The end of the run, from which the speed follows.
    component : int
        What pages show first.
    """

    def __init__(self, make, t_end=None, component=0):
        self._make, self._run, self._t_end, self._component = make, None, t_end, component
        self._wake, self._inbox, self._is_closing = threading.Condition(), collections.deque(), False
        self.viewers, self.failure, self.opened = [], None, threading.Event()
        self._is_playing, self._todo, self._speed, self._batch, self._picture_seconds = True, 0, SPEED, 1, 0.0
        self._version, self._notice = 0, None  # of what pages see
        # The step size is good for state number _checked; the run can go back to the state _kept.
        self._state, self._checked, self._kept, self._limit = 1, 0, None, None
        self._check, self._next_check, self._held, self._follows, self._halvings = None, 0.0, None, False, 0
        self._thread = threading.Thread(target=self._work, daemon=True, name="eulercl live")
        self._thread.start()

    # ---- for other threads ----

    def join(self, send):
        """Add a page, and return it."""
        viewer = Viewer(send)
        self._post(functools.partial(self._add, viewer))
        return viewer

    def leave(self, viewer):
        """Remove a page."""
        self._post(functools.partial(self._remove, viewer))

    def receive(self, viewer, message):
        """Take a message of a page. False: it sends more than can be done."""
        with self._wake:
            if viewer.waiting >= MOST_MESSAGES:
                return False
            viewer.waiting += 1
            self._post(functools.partial(self._handle, viewer, message))
        return True

    def close(self):
        """End the run."""
        with self._wake:
            self._is_closing = True
            self._wake.notify()
        self._thread.join()

    def _post(self, call):
        with self._wake:
            self._inbox.append(call)
            self._wake.notify()

    # ---- the thread ----

    def _work(self):
        try:
            self._run = self._make(lambda t, steps: self._is_closing)
            self._find_obstacles()
            self._begin()
        except Exception as error:  # also of packages that are missing
            self.failure = error
        self.opened.set()
        try:
            while self._take_turn():
                pass
        except Exception as error:  # of this program
            for viewer in self.viewers:
                viewer.send({"type": "error", "text": f"The run has ended: {error!r}"}, None)
            raise
        finally:
            if self._run is not None:
                self._run.close()

    def _take_turn(self):
        """Do what pages ask for, make some steps, and show them. False: the end."""
        with self._wake:
            while not (self._inbox or self._may_advance() or self._is_closing):
                self._wake.wait()
            calls, self._inbox = self._inbox, collections.deque()
            for viewer in self.viewers:
                viewer.waiting = 0
        for call in calls:
            call()
        if self._is_closing or self._run is None:
            return not self._is_closing
        if self._may_advance():
            if self._run.needs_h:
                self._show()  # the first picture does not wait for the step size
                self._try(self._choose_h)
            self._advance()
        self._show()
        self._check_step_size()
        return True

    def _may_advance(self):
        return (self._run is not None and self._held is None and (self._is_playing or self._todo > 0)
                and any(viewer.is_ready() or self._speed is None and viewer.is_looking() for viewer in self.viewers))

    def _stop(self, text, *fixes):
        """Stop, and tell why; a fix is the text of a button and the message that it sends."""
        self._is_playing, self._todo, self._held = False, 0, None
        self._notice = {"text": text, "fixes": [{"text": label, "message": sent} for label, sent in fixes]}
        self._version += 1

    def _try(self, function, *arguments):
        """Call what may fail; then the run stops."""
        try:
            function(*arguments)
        except EulerclError as error:
            self._stop(str(error), ("start again", {"type": "reset"}))
        self._version += 1

    def _choose_h(self):
        self._run.choose_h()
        self._begin()

    def _begin(self):
        """The run is at its initial state, to which it can go back. If its end is known, it takes about as
        many pictures as `PICTURES`."""
        self._kept = self._run.keep() if self._is_checked() else None
        self._state += 1
        if self._run.h is None:
            self._speed = 1
        elif self._t_end is not None:
            self._speed = max(1, round(self._t_end / self._run.h / PICTURES))

    def _advance(self):
        steps = min(self._speed or self._batch, self._batch)
        if not self._is_playing:
            steps = min(steps, self._todo)
            self._todo -= steps
        begin = time.perf_counter()
        try:
            self._run.advance(steps)
        except EulerclError as error:
            if not self._is_closing:
                self._fail(error)
            return
        self._version += 1
        aim = FRAME_SECONDS
        if self._speed is None:  # pictures take at most a third of the time, or there are fewer
            aim = min(aim, max(SCREEN_SECONDS - self._picture_seconds, 2 * self._picture_seconds))
        wanted = round(steps * aim / max(time.perf_counter() - begin, 1e-9))
        self._batch = max(1, self._batch // 2, min(wanted, 2 * self._batch))

    def _fail(self, error):
        """The solution is infinite: go back to a state that was good, so that no page shows NaN, and wait
        for a check of the step size there. Without checks that state is the start."""
        self._forget_spans()
        if error.status != "NONFINITE":
            self._stop(str(error), ("start again", {"type": "reset"}))
            return
        if self._kept is None:
            h = self._run.h
            self._run.start()
            self._begin_anew()
            self._stop(str(error), *([self._offer(h / 2)] if h is not None else []), ("start again", {"type": "play"}))
            return
        self._held = error, self._run.h
        self._run.go_back(self._kept)
        self._state += 1

    # ---- the check of the step size, by another thread ----

    def _change(self, function, *arguments):
        """Change what the largest stable step size depends on. The state before is kept to go back to, if it
        was good."""
        self._halvings = 0
        if self._checked == self._state:
            self._kept = self._run.keep()
        function(*arguments)
        self._state += 1
        self._version += 1

    def _is_checked(self):
        run = self._run
        return run.h is not None and not run.needs_h and math.prod(run.problem.shape) <= CHECKED_COMPONENTS

    def _check_step_size(self):
        """Begin a check, if there is a cause or it is time for one, and none goes on."""
        is_due = self._is_playing and time.perf_counter() > self._next_check
        if self._check is not None or not self._is_checked() or self._checked == self._state and not is_due:
            return
        kept, state = self._run.keep(), self._state
        find = self._run.stability(kept.y)

        def work():
            begin = time.perf_counter()
            try:
                limit = find()
            except EulerclError:  # such as a right-hand side that is infinite at this state
                limit = None
            end = time.perf_counter()
            self._next_check = end + (end - begin) / CHECKED_PART
            self._post(functools.partial(self._take_limit, limit, state, kept))

        self._check = threading.Thread(target=work, daemon=True, name="eulercl step size")
        self._check.start()

    def _take_limit(self, limit, state, kept):
        """Take the result of a check."""
        self._check, h = None, self._run.h
        if state != self._state or h is None:
            return  # it was of another state or step size
        self._limit, self._checked, self._version = limit, state, self._version + 1
        follows, self._follows = self._follows, False
        is_stable = limit is None or not 0 < limit < h
        if not is_stable and self._run.is_auto:
            self._try(self._repair, 0.9 * limit)
        elif not is_stable:
            self._stop(f"h = {h:.4g} is unstable now: steps must be shorter than {limit:.4g}",
                       self._offer(0.9 * limit), ("go on with it", {"type": "play"}))
        elif self._held is not None and self._run.is_auto and self._halvings < MOST_HALVINGS:
            self._halvings += 1
            self._try(self._repair, min(h, self._held[1]) / 2)  # going back may have undone the last one
        elif self._held is not None:
            error, former = self._held
            self._stop(str(error), self._offer(h if h < former else h / 2), ("start again", {"type": "reset"}))
        elif follows and self._run.is_auto and limit is not None and 1.1 * h < 0.9 * limit < math.inf:
            self._try(self._change, self._run.set_h, 0.9 * limit)
        elif limit is not None:
            self._kept = kept

    @staticmethod
    def _offer(h):
        return f"go on with h = {h:.4g}", {"type": "repair", "h": h}

    def _repair(self, h):
        """Undo the steps that were too long, and go on with shorter ones."""
        if self._kept is not None:
            self._run.go_back(self._kept)
        self._run.set_h(h)
        self._forget_spans()
        self._state += 1
        self._held = None

    def _forget_spans(self):
        """Ranges begin anew, without the values of steps that are undone."""
        for viewer in self.viewers:
            viewer.span = math.inf, -math.inf

    # ---- messages of pages ----

    def _add(self, viewer):
        if self.failure is not None:
            viewer.send({"type": "error", "text": str(self.failure),
                         "log": getattr(self.failure, "log", "")}, None)
            return
        self.viewers.append(viewer)
        viewer.send(self._hello(), None)

    def _remove(self, viewer):
        if viewer in self.viewers:
            self.viewers.remove(viewer)

    def _handle(self, viewer, message):
        if viewer not in self.viewers:
            return
        try:
            kind = message.get("type") if isinstance(message, dict) else None
            if not isinstance(kind, str) or kind not in _handlers:
                raise InvalidError(f"there is no message {shown(kind)}", "INVALID")
            _handlers[kind](self, viewer, message)
        except EulerclError as error:
            viewer.send({"type": "error", "text": str(error)}, None)
            self._version += 1  # the page shows the values that hold

    def _on_ack(self, viewer, message):
        viewer.confirmed = max(viewer.confirmed, whole("ack", message.get("frame"), 0, viewer.sent))
        viewer.confirmed_at = time.perf_counter()

    def _on_play(self, viewer, message):
        del viewer
        self._is_playing = bool(switch("play", message.get("on", True)))
        self._notice = None
        self._version += 1

    def _on_step(self, viewer, message):
        del viewer
        self._is_playing = False
        self._todo += whole("step", message.get("steps", 1), 1, 10**9)
        self._version += 1

    def _on_speed(self, viewer, message):
        del viewer
        steps = message.get("steps")
        self._speed = None if steps is None else whole("speed", steps, 1, 10**9)
        self._version += 1

    def _on_reset(self, viewer, message):
        del viewer, message
        self._run.start()
        self._begin_anew()

    def _begin_anew(self):
        self._notice, self._held, self._todo, self._halvings = None, None, 0, 0
        self._kept = self._run.keep() if self._is_checked() else None
        self._forget_spans()
        self._state += 1
        self._version += 1

    def _on_set(self, viewer, message):
        del viewer
        name, shape = message.get("name"), self._run.problem.shape
        if not isinstance(name, str) or name not in self._run.problem.parameters:
            raise InvalidError(f"there is no parameter {shown(name)}", "INVALID")
        self._change(self._run.set, name, message.get("value"))
        self._follows = True
        self._find_obstacles()
        if self._run.problem.shape != shape:
            self._begin_anew()
            for viewer in self.viewers:
                viewer.index = viewer.probe = None
                viewer.send(self._hello(), None)

    def _on_h(self, viewer, message):
        del viewer
        if message.get("value") == "auto":
            self._run.is_auto = self._follows = self._run.h is not None
            self._state += 1
        else:
            self._change(self._run.set_h, message.get("value"))
            self._run.is_auto = False
        self._version += 1

    def _on_repair(self, viewer, message):
        del viewer
        self._repair(positive("h", message.get("h")))
        self._is_playing, self._notice = True, None
        self._version += 1

    def _on_stroke(self, viewer, message):
        del viewer
        self._change(self._run.paint, message.get("stroke"))

    def _on_view(self, viewer, message):
        """Change what a page sees; what the message does not name stays."""
        shape = self._run.problem.shape
        component = whole("component", message.get("component", viewer.component), 0,
                          len(self._run.problem.component_names) - 1)
        limits = [None if one is None else coefficient("range", one) for one in
                  (message.get("low", viewer.limits[0]), message.get("high", viewer.limits[1]))]
        mode = message.get("mode", viewer.mode)
        if mode not in ("mean", "max"):
            raise InvalidError(f"mode: {shown(mode)} is neither 'mean' nor 'max'", "INVALID")
        axis, index = whole("axis", message.get("axis", viewer.axis), 0, 2), message.get("index", viewer.index)
        if len(shape) == 4 and index is not None:
            index = min(whole("index", index, 0), shape[2 - axis] - 1)
        most = [whole("size", one, 16, MOST_POINTS) for one in
                (message.get("width", viewer.most[0]), message.get("height", viewer.most[1]))]
        across = message.get("across", viewer.across)
        if across is not None:
            across = whole("across", across, 0, len(self._run.problem.component_names) - 1)
        viewer.component, viewer.limits, viewer.mode = component, limits, mode
        viewer.across = across if len(shape) == 2 else None
        viewer.axis, viewer.index, viewer.most, viewer.seen = axis, index, most, None
        viewer.span = math.inf, -math.inf

    def _on_probe(self, viewer, message):
        place, shape = message.get("place"), self._run.problem.shape
        if place is None:
            viewer.probe = None
            return
        extents = shape[-2::-1] if len(shape) > 1 else shape
        if not isinstance(place, list) or len(place) != len(extents):
            raise InvalidError(f"probe: expected {len(extents)} whole numbers", "INVALID")
        viewer.probe = [whole("probe", x, 0, n - 1) for x, n in zip(place, extents)]
        viewer.seen = None

    def _on_strokes(self, viewer, message):
        del message
        written = json.dumps(self._run.saved(), indent=1, default=lambda array: np.asarray(array).tolist())
        viewer.send({"type": "file", "name": "strokes.json"}, written.encode())

    def _on_source(self, viewer, message):
        """Send the problem's file with the present values as defaults."""
        del message
        text = self._run.problem._text()
        if text is None:
            raise InvalidError("the text of this problem is not known", "INVALID")
        for name, value in self._run.problem.parameters.items():
            text = re.sub(rf"(\b(?:REAL|INTEGER)\s*\(\s*{re.escape(name)}\s*,)[^,]*,",
                          lambda found: f"{found[1]} {value!r},".replace(".0,", ","), text, count=1)
        viewer.send({"type": "file", "name": f"{self._run.problem.info['name']}.c"}, text.encode())

    # ---- what pages get ----

    def _hello(self):
        problem, run = self._run.problem, self._run
        info = problem.info
        bodies = (info["rank"] == 1 and info["components"] > 1 and info["boundary"] != "periodic"  # no ring
                  and info["access_distance"] >= info["n"] - 1)
        keys = {"name": "name", "value": "value", "min": "min", "max": "max", "integer": "integer",
                "unit": "unit", "doc": "doc"}
        shape = problem.shape
        return {"type": "hello", "name": info["name"], "title": info["title"],
                "extents": list(shape[-2::-1] if len(shape) > 1 else shape),
                "components": list(problem.component_names),
                "component": min(self._component or int(bodies), len(problem.component_names) - 1),
                "across": 0 if bodies else None, "precision": run.precision,
                "backend": run.solver.statistics["backend"],
                "parameters": [{key: _plain(one[word]) for key, word in keys.items()}
                               for one in problem._described()],
                "has_source": problem._text() is not None and type(problem).__name__ == "Problem"}

    def _state_of(self):
        run = self._run
        return {"parameters": run.problem.parameters, "h": run.h, "auto": run.is_auto,
                "limit": _plain(self._limit) if self._checked == self._state else None,
                "playing": self._is_playing, "speed": self._speed, "notice": self._notice,
                "painted": any("stroke" in event for event in run.history["events"])}

    def _show(self):
        """Send a picture to the pages that have not seen it."""
        state, begin = None, time.perf_counter()
        for viewer in self.viewers:
            if viewer.seen == self._version or not viewer.is_ready():
                continue
            state = state or self._state_of()
            viewer.seen, viewer.sent = self._version, viewer.sent + 1
            content, data = self._frame(viewer)
            viewer.send(content | {"number": viewer.sent, "state": state}, data)
        if state is not None:
            self._picture_seconds = time.perf_counter() - begin

    def _frame(self, viewer):
        """Return the picture that a page wants: a byte for each point, or the heights of a line in float."""
        picture, about = self._plane(viewer) if viewer.across is None else self._dots(viewer)
        content = about | {"type": "frame", "mode": viewer.mode, "width": picture.shape[1], "height": picture.shape[0],
                           "axis": viewer.axis, "index": viewer.index, "across": viewer.across,
                           "steps": self._run.steps, "t": _plain(self._run.solver.t),
                           "batch": min(self._speed or self._batch, self._batch),
                           "place": viewer.probe, "probe": self._probed(viewer)}
        return content, picture.tobytes()

    def _plane(self, viewer):
        """Return a plane of a component, thinned, and what else a page needs to know of it."""
        rows, columns = self._size(viewer)
        n = max(1, -(-columns // viewer.most[0]), -(-rows // viewer.most[1]))
        thin = self._thinned(viewer, n)
        if self._obstacles is not None:
            thin = np.where(self._cut(self._obstacles, viewer)[::n, ::n], np.nan, thin)
        low, high, is_inside = self._range(viewer, thin)
        if len(self._run.problem.shape) < 3:
            picture = _heights_of(thin, low, high)
        else:
            picture = _bytes_of(thin, low, high, is_inside)
        return picture, {"n": n, "size": [columns, rows], "low": _plain(low), "high": _plain(high)}

    def _dots(self, viewer):
        """Return a picture with a dot for each point, at the places of two components, such as those of bodies."""
        places = self._run.solver.state[:, [viewer.component, viewer.across]]
        low, high, _ = self._range(viewer, places)
        picture = np.zeros((DOTS, DOTS), np.uint8)
        with np.errstate(all="ignore"):
            places = np.floor((places - low) / (high - low) * (DOTS - 1) + 0.5)
        rows, columns = places[((places >= 0) & (places < DOTS)).all(1)].astype(int).T
        picture[rows, columns] = 254
        return picture, {"n": 1, "size": [DOTS, DOTS], "low": _plain(low), "high": _plain(high)}

    @staticmethod
    def _range(viewer, values):
        """Return the values of the first and the last colour, which keep their meaning while the values move, and
        whether all values are finite and between these."""
        least, greatest, is_finite = _span(values)
        viewer.span = min(least, viewer.span[0]), max(greatest, viewer.span[1])
        low, high = (found if limit is None else limit for limit, found in zip(viewer.limits, viewer.span))
        # A range of 1e30 has room in float, too.
        return low, high, is_finite and low <= least and greatest <= high and high - low < 1e30

    def _find_obstacles(self):
        """Find the points that pictures leave out."""
        problem = self._run.problem
        self._obstacles = problem._obstacles(self._run.precision) if problem._info().has_marks else None

    def _size(self, viewer):
        """Return the rows and columns of the grid that a page sees; of three axes it sees a plane."""
        shape = self._run.problem.shape
        extents = shape[:-1] if len(shape) > 1 else shape
        if len(extents) < 3:
            return (1, *extents)[-2:]
        if viewer.index is None:
            viewer.index = extents[2 - viewer.axis] // 2
        return extents[:2 - viewer.axis] + extents[3 - viewer.axis:]

    @staticmethod
    def _cut(values, viewer):
        """Return what a page sees of an array of the shape of the grid, [row, column]."""
        return np.take(values, viewer.index, 2 - viewer.axis) if values.ndim == 3 else np.atleast_2d(values)

    def _thinned(self, viewer, n):
        """Return the values that a page sees, [row, column], one for a block of n times n points. They are in the
        memory of the last picture."""
        problem, region = self._run.problem, ()
        if len(problem.shape) == 4:
            region = (*[slice(None)] * (2 - viewer.axis), viewer.index)
        key = problem.shape, viewer.component, n, viewer.mode, region
        if viewer.thinning[0] != key:
            component = viewer.component if len(problem.shape) > 1 else 0
            thinning = Thinning(problem.component_names, problem.shape, component, n, viewer.mode, 0, region)
            viewer.thinning = key, thinning, np.empty(thinning.shape)
        _, thinning, values = viewer.thinning
        return np.atleast_2d(thinning.find(self._run.solver, values))

    def _probed(self, viewer):
        if viewer.probe is None:
            return None
        shape, point = self._run.problem.shape, 0
        for x, n in zip(reversed(viewer.probe), shape):
            point = point * n + x
        count = len(self._run.problem.component_names) if len(shape) > 1 else 1
        return [_plain(float(value)) for value in self._run.solver.read(point * count, count)]


# The messages that pages may send.
_handlers = {name.removeprefix("_on_"): function for name, function in vars(Session).items()
             if name.startswith("_on_")}


def live(problem, *, h="auto", rtol=None, atol=None, method=None, precision="double", backend=None,
         device=None, **settings):
    """Show a run in a notebook: a picture that moves, with sliders, a brush and a probe.

    Parameters
    ----------
    problem : Problem
        It stays as it is: the run has a copy.
    h : float or "auto"
        The step size; "auto": 0.9 of the stability limit, also after a change of a parameter.
    rtol : float, optional
        Steps to this tolerance, instead of `h`.
    atol, method, precision, backend, device, **settings
        As for `Solver`.

    Returns
    -------
    anywidget.AnyWidget
        The value of a cell, which the notebook shows. ``close()`` ends the run.
    """
    optional("anywidget", "live", is_in_debian=False)
    from ._live_widget import Widget
    made = functools.partial(Steered, copy.copy(check_problem(problem)), h=h, rtol=rtol, atol=atol,
                             method=method, precision=precision, backend=backend, device=device, **settings)
    return Widget(Session(lambda stops: made(stops=stops)))
