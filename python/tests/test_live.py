# SPDX-License-Identifier: BSD-2-Clause
"""Tests of live views: runs that are steered and their replay, pages and hostile messages, the server, and
the page in Chromium. EULERCL names the command, EULERCL_TEST_SOURCES the folder of the sources."""
import asyncio
import contextlib
import copy
import importlib.util
import json
import math
import os
import pathlib
import random
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import unittest.mock

import numpy as np

import eulercl
from eulercl._live import MOST_MESSAGES, Session, _bytes_of, _span
from eulercl._steered import Steered, check_state, replay
from test_eulercl import COMMAND, SEED, SOURCES, has_opencl
from test_select import plain_thin

GRAY_SCOTT = str(SOURCES / "examples/gray_scott.c")
HAS_SERVER = importlib.util.find_spec("aiohttp") is not None
BROWSER = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


def gray_scott(**parameters):
    return eulercl.Problem(GRAY_SCOTT, **{"m": 40} | parameters)


def sockets_of(process):
    """Return how many sockets a process has open (Linux)."""
    folder, count = f"/proc/{process.pid}/fd", 0
    for name in os.listdir(folder):
        with contextlib.suppress(FileNotFoundError):  # closed meanwhile
            count += os.readlink(f"{folder}/{name}").startswith("socket:")
    return count


def size_of(process):
    """Return the numbers that the kernel tells of a process (Linux), such as Threads and VmRSS."""
    path = pathlib.Path(f"/proc/{process.pid}/status")
    return {name: int(value) for name, value in re.findall(r"^(\w+):\s+(\d+)", path.read_text(), re.M)} \
        if path.exists() else {}


class Pictures(unittest.TestCase):
    """Bytes of values."""

    def test_bytes(self):
        values = np.array([[0.0, 1.0, 0.5, -3.0, 9.0, np.nan, np.inf, -np.inf]])
        self.assertEqual(_bytes_of(values, 0.0, 1.0).tolist(), [[0, 254, 127, 0, 254, 255, 255, 255]])
        self.assertEqual(_bytes_of(values, 2.0, 2.0)[0, 0], 0)
        self.assertEqual(_bytes_of(np.full((1, 2), np.nan), np.inf, -np.inf).tolist(), [[255, 255]])
        self.assertEqual(_bytes_of(np.array([[-1e308, 1e308]]), -1e308, 1e308).shape, (1, 2))
        inside = np.random.default_rng(SEED).random((300, 400))
        self.assertTrue((_bytes_of(inside, 0.0, 1.0, True) == _bytes_of(inside, 0.0, 1.0)).all())

    def test_span(self):
        for values, wanted in (([1.0, -2.0], (-2, 1, True)), ([np.nan, 3.0, -1.0], (-1, 3, False)),
                               ([np.inf, 3.0], (3, 3, False)), ([np.nan, -np.inf], (np.inf, -np.inf, False))):
            self.assertEqual(_span(np.array([values])), wanted)


class Steering(unittest.TestCase):
    """Changes in mid-run have the bits of new runs, and histories those of their runs."""

    def steered(self, problem=None, **settings):
        run = Steered(problem or gray_scott(), **{"h": 1.0} | settings)
        self.addCleanup(run.close)
        return run

    def test_set(self):
        run = self.steered()
        run.advance(30)
        y = run.solver.state
        run.set("F", 0.05)
        run.advance(30)
        with eulercl.Solver(gray_scott(F=0.05), y, h=1.0, backend="seq") as solver:
            clock = solver._clock()
            clock.steps = clock.base_steps = 30  # values below ODE_FLUSH_BELOW are flushed by their number
            solver._resume(clock)
            solver.advance(30)
            self.assertEqual(solver.state_hash, run.solver.state_hash)
        self.assertEqual((run.steps, run.solver.t), (60, 60))

    def test_errors_change_nothing(self):
        run = self.steered()
        run.advance(3)
        before, history = run.solver.state_hash, copy.deepcopy(run.history)
        for name, value in (("F", float("nan")), ("F", 7), ("none", 1), ("F", "x"), ("F", None), ("m", 1e9),
                            ("m", 0.5)):
            with self.subTest(name=name, value=value), self.assertRaises(eulercl.EulerclError):
                run.set(name, value)
        for h in (0, -1, float("nan"), float("inf"), "x", None, 1e-400):
            with self.subTest(h=h), self.assertRaises(eulercl.EulerclError):
                run.set_h(h)
        good = {"component": 0, "value": 1, "radius": 2, "places": [[1, 1]]}
        for key, value in (("component", 2), ("component", -1), ("component", 0.5), ("value", float("nan")),
                           ("radius", 0), ("radius", float("nan")), ("places", []), ("places", [[1]]),
                           ("places", [[1, 1, 1]]), ("places", [["a", 1]]), ("places", [[1, float("inf")]]),
                           ("places", [[0, 0]] * 1000), ("places", None), ("places", [[0, 0], [1]])):
            with self.subTest(key=key, value=value), self.assertRaises(eulercl.EulerclError):
                run.paint(good | {key: value})
        with self.assertRaises(eulercl.EulerclError):
            run.paint([])
        self.assertEqual((run.solver.state_hash, run.history), (before, history))
        self.assertEqual((run.problem.parameters["F"], run.h), (0.037, 1.0))

    def test_paint(self):
        random.seed(SEED)
        for rank, extents in ((1, (23,)), (2, (9, 14)), (3, (6, 5, 7))):
            problem = eulercl.PDE({"u": "0", "v": "0"}, grid=extents if rank > 1 else extents[0],
                                  initial={"u": 1, "v": 2})
            run = self.steered(problem)
            for radius in (0.5, 2, 3.7, 100):
                run.start()
                places = [[random.uniform(-4, 12) for _ in range(rank)] for _ in range(3)]
                run.paint({"component": 1, "value": 0.25, "radius": radius, "places": places})
                wanted = problem.initial()
                for index in np.ndindex(*extents):
                    if any(sum((i - x)**2 for i, x in zip(reversed(index), place)) <= radius**2
                           for place in places):
                        wanted[index + (1,)] = 0.25
                with self.subTest(rank=rank, radius=radius):
                    self.assertTrue((run.solver.state == wanted).all())

    def test_general(self):
        run = self.steered(eulercl.Problem(str(SOURCES / "examples/matrix.c"), places=30), h=1e-3)
        run.paint({"component": 0, "value": 3, "radius": 1, "places": [[4]]})
        self.assertEqual(run.solver.state[2:7].tolist().count(3), 3)

    def test_size(self):
        run = self.steered()
        run.advance(10)
        run.set("m", 30)
        self.assertEqual((run.solver.shape, run.steps, run.history["events"]), ((30, 30, 2), 0, []))

    def changes(self, run, ways):
        """Steer a run by random changes."""
        for _ in range(12):
            run.advance(random.randrange(1, 40))
            way = random.choice(ways)
            if way == "set":
                run.set("F", random.uniform(0.02, 0.06))
            elif way == "h":
                run.set_h(random.uniform(0.5, 1.0))
            else:
                run.paint({"component": random.randrange(2), "value": random.uniform(0, 1), "radius": 3,
                           "places": [[random.uniform(0, 40), random.uniform(0, 40)]]})
        run.advance(7)

    def test_replay(self):
        random.seed(SEED)
        backends = ["seq", "cpu", "pthreads"] + ["cl-linear"] * has_opencl()
        for settings, ways in (({"h": 1.0}, ("set", "h", "stroke")), ({"rtol": 1e-3, "h": None}, ("set", "stroke")),
                               ({"h": 2.0, "method": "rkc4", "precision": "float"}, ("set", "stroke"))):
            run = self.steered(**settings)
            self.changes(run, ways)
            history = json.loads(json.dumps(run.saved()))
            for backend in backends:
                again = replay(history, gray_scott(), backend=backend)
                self.addCleanup(again.close)
                with self.subTest(settings=settings, backend=backend):
                    self.assertEqual(again.solver.state_hash, run.solver.state_hash)
                    self.assertEqual(again.solver.t, run.solver.t)
                    check_state(again, history)

    def test_replay_with_fields(self):
        """A replay has the fields of its run, and ends at its state, or there is an error."""
        marks = np.zeros((12, 9), bool)
        marks[3, 4] = True
        other = np.roll(marks, 1)

        def problem(**mask):
            return eulercl.PDE({"u": "k*laplace(u)"}, grid=(12, 9), parameters={"k": 0.1}, boundary="mirror",
                               centred="cells", initial={"u": marks * 1.0}, **mask)

        run = self.steered(problem(mask=marks), h=0.5)
        run.advance(4)
        history = json.loads(json.dumps(run.saved()))
        for fields in ({}, {"mask": marks}):
            again = replay(history, problem(mask=marks), fields)
            self.addCleanup(again.close)
            check_state(again, history)
        for fields, wanted in (({"mask": other}, history), ({}, history | {"fields": {}}),
                               ({}, history | {"fields": {"mask": "", "V": ""}})):
            with self.subTest(wanted=wanted["fields"]), self.assertRaisesRegex(eulercl.EulerclError, "^field (mask|V): "):
                replay(wanted, problem(mask=marks), fields)
        again.solver.write(0, np.array([[0.25]]))
        with self.assertRaisesRegex(eulercl.EulerclError, "not that of the run"):
            check_state(again, history)

    def test_replay_errors(self):
        run = self.steered()
        run.advance(3)
        run.set("F", 0.05)
        history = run.saved() | {"steps": 5}
        replay(history, gray_scott()).close()
        with self.assertRaises(eulercl.EulerclError):
            replay(history, eulercl.Problem("string"))
        for key, value in (("text", "other"), ("steps", None), ("events", [{}]), ("events", 5), ("settings", 1),
                           ("steps", 1), ("h", "x"), ("parameters", {"F": None}), ("parameters", None)):
            with self.subTest(key=key), self.assertRaises(eulercl.EulerclError):
                replay(history | {key: value}, gray_scott())
        for wrong in ({}, [], None, 5):
            with self.subTest(wrong=wrong), self.assertRaises(eulercl.EulerclError):
                replay(wrong, gray_scott())

    def test_replay_with_fields_of_files(self):
        """Fields have the size that the list's parameters give."""
        rock = np.random.default_rng(SEED).random((13, 17))
        problem = eulercl.Problem(str(SOURCES / "examples/seepage.c"), nx_points=17, ny_points=13, rock=rock)
        run = self.steered(problem, h=0.2)
        run.advance(5)
        with tempfile.TemporaryDirectory() as folder:
            names = [pathlib.Path(folder, name) for name in ("strokes.json", "rock.npy", "other.npy", "wide.npy")]
            names[0].write_text(json.dumps(run.saved()))
            for name, values in zip(names[1:], (rock, rock + 1e-9, rock.T)):
                np.save(name, values)
            for fields, status in ((names[1:2], 0), (names[2:3], 2), (names[3:4], 2), ([], 2)):
                words = [sys.executable, "-m", "eulercl.live", "--replay", names[0], SOURCES / "examples/seepage.c",
                         *(word for name in fields for word in ("--field", f"rock={name}"))]
                done = subprocess.run(words, capture_output=True, text=True)
                with self.subTest(fields=fields):
                    self.assertEqual((done.returncode, "rock" in done.stderr), (status, status > 0), done.stderr)
                    self.assertEqual(run.solver.state_hash in done.stdout, status == 0)

    def test_go_back(self):
        run = self.steered()
        run.advance(10)
        kept = run.keep()
        wanted = run.solver.state
        run.advance(10)
        run.set("F", 0.05)
        run.set_h(0.5)
        run.advance(5)
        run.go_back(kept)
        self.assertEqual((run.steps, run.h, run.problem.parameters["F"]), (10, 1.0, 0.05))
        self.assertTrue((run.solver.state == wanted).all())
        self.assertEqual(run.history["events"], [{"step": 10, "set": {"F": 0.05}}])

    def test_auto(self):
        run = self.steered(h="auto")
        run.choose_h()
        self.assertAlmostEqual(run.h, eulercl.stable_step(gray_scott()))
        wave = self.steered(eulercl.Problem("string", points=50), h="auto")
        wave.choose_h()  # no step of the Euler method is stable
        self.assertIsNone(wave.h)
        wave.advance(3)


class FakePage:
    """What a page does, without a browser."""

    def __init__(self, session, confirms=True):
        self.session, self.confirms, self.messages = session, confirms, []
        self.arrived, self.viewer = threading.Condition(), None
        self.viewer = session.join(self.take)

    def take(self, content, data):
        json.dumps(content, allow_nan=False)
        with self.arrived:
            self.messages.append((content, data))
            self.arrived.notify()
        if content["type"] == "frame" and self.confirms:
            self.send(type="ack", frame=content["number"])

    def send(self, **message):
        return self.session.receive(self.viewer, message)

    def until(self, holds, seconds=60):
        """Return the first message from now on for which something holds."""
        end, seen = time.monotonic() + seconds, len(self.messages)
        with self.arrived:
            while True:
                for content, data in self.messages[seen:]:
                    if holds(content, data):
                        return content, data
                seen = len(self.messages)
                if time.monotonic() > end or not self.arrived.wait(end - time.monotonic()):
                    raise AssertionError(f"no such message; the last one: {self.messages[-1:]}"[:2000])

    def frame(self, holds=lambda content, state: True):
        return self.until(lambda content, data: content["type"] == "frame" and holds(content, content["state"]))


class Sessions(unittest.TestCase):
    """Runs and their pages."""

    def session(self, problem=None, **settings):
        made = Session(lambda stops: Steered(problem or gray_scott(), stops=stops, **{"h": 1.0} | settings))
        self.addCleanup(made.close)
        return made

    def test_pictures(self):
        page = FakePage(self.session())
        hello, _ = page.messages[0] if page.messages else page.until(lambda content, data: True)
        self.assertEqual((hello["type"], hello["extents"], hello["components"]), ("hello", [40, 40], ["y0", "y1"]))
        page.frame(lambda frame, state: frame["steps"] > 40)
        page.send(type="play", on=False)
        for component, mode in ((1, "mean"), (0, "mean"), (0, "max")):
            page.send(type="view", component=component, mode=mode, low=0.1 * component, high=2, width=20, height=64)
            frame, data = page.frame(lambda frame, state: not state["playing"] and (
                frame["low"], frame["mode"], frame["width"]) == (0.1 * component, mode, 20))
            with eulercl.Solver(gray_scott(), h=1.0, backend="seq") as solver:
                solver.advance(frame["steps"])
                wanted = _bytes_of(plain_thin(solver.state[..., component], 2, mode), 0.1 * component, 2.0)
            self.assertEqual(np.frombuffer(data, np.uint8).reshape(20, 20).tolist(), wanted.tolist())

    def test_two_ahead(self):
        session = self.session()
        page = FakePage(session, confirms=False)
        page.frame(lambda frame, state: frame["number"] == 2)
        time.sleep(0.3)
        self.assertEqual(sum(content["type"] == "frame" for content, _ in page.messages), 2)
        other = FakePage(session)  # a page that does not answer holds up no other one
        other.frame(lambda frame, state: frame["steps"] > 100)
        session.leave(other.viewer)
        page.send(type="ack", frame=2)
        page.frame(lambda frame, state: frame["number"] == 4)
        self.assertEqual(session.viewers, [page.viewer])

    def test_full_speed(self):
        """Pictures come as often as a screen shows them, where steps are short enough."""
        page = FakePage(self.session())
        page.send(type="speed", steps=None)
        page.frame(lambda frame, state: state["speed"] is None)
        time.sleep(1)  # batches grow
        end = time.monotonic() + 30  # other programs may have the processors for some time
        while True:
            begin, first = time.monotonic(), len(page.messages)
            time.sleep(0.5)
            rate = (len(page.messages) - first) / (time.monotonic() - begin)
            if rate > 40:
                break
            self.assertLess(time.monotonic(), end, f"{rate:.1f} pictures per second")

    def test_slow_page(self):
        """A run at full speed does not wait for a page that confirms pictures late, but for one that does not."""
        session = self.session()
        page = FakePage(session, confirms=False)
        page.send(type="speed", steps=None)
        frames = []
        for number in range(2, 12):
            end = time.monotonic() + 60
            while not page.messages or page.messages[-1][0].get("number") != number:
                self.assertLess(time.monotonic(), end)
                time.sleep(0.01)
            frames.append(page.messages[-1][0])
            time.sleep(0.1)
            page.send(type="ack", frame=number - 1)
        self.assertTrue(any(later["steps"] - frame["steps"] > 2.5 * later["batch"]
                            for frame, later in zip(frames[3:], frames[4:])))
        time.sleep(1)
        steps = session._run.steps
        time.sleep(0.3)
        self.assertEqual(session._run.steps, steps)

    def test_probe_and_slices(self):
        """Planes across each axis: all of their points, or blocks of them."""
        for extents, n in (((4, 5, 6), 1), ((17, 19, 22), 2)):
            grid = np.arange(math.prod(extents), dtype=float).reshape(extents) % 251
            page = FakePage(self.session(eulercl.PDE({"u": "0"}, grid=extents, initial={"u": grid})))
            page.send(type="play", on=False)
            page.send(type="probe", place=[3, 2, 1])
            frame, _ = page.frame(lambda frame, state: frame["probe"])
            self.assertEqual((frame["place"], frame["probe"]), ([3, 2, 1], [grid[1, 2, 3]]))
            for axis, cut in ((2, grid[1]), (1, grid[:, 1]), (0, grid[:, :, 1])):
                for mode in ("mean", "max"):
                    page.send(type="view", axis=axis, index=1, mode=mode, low=0, high=254, width=16, height=16)
                    frame, data = page.frame(lambda frame, state: (frame["size"], frame["mode"], frame["n"]) == (
                        [cut.shape[1], cut.shape[0]], mode, n))
                    with self.subTest(n=n, axis=axis, mode=mode):
                        self.assertEqual(list(data), _bytes_of(plain_thin(cut, n, mode), 0, 254).ravel().tolist())

    def test_unstable(self):
        """A step size that becomes too large is told, the page never shows NaN, and the button helps."""
        page = FakePage(self.session())
        page.frame(lambda frame, state: state["limit"] and frame["steps"] > 50)
        page.send(type="play", on=False)
        before, _ = page.frame(lambda frame, state: not state["playing"])
        page.send(type="set", name="Du", value=0.9)
        page.send(type="play")
        frame, _ = page.frame(lambda frame, state: state["notice"])
        notice = frame["state"]["notice"]
        self.assertIn("unstable", notice["text"])
        self.assertFalse(frame["state"]["playing"])
        page.send(**notice["fixes"][0]["message"])
        frame, _ = page.frame(lambda frame, state: state["playing"] and not state["notice"] and state["h"] < 0.6)
        steps = frame["steps"]
        self.assertGreaterEqual(steps, before["steps"])  # no step before the change is lost
        page.frame(lambda frame, state: frame["steps"] > steps + 400)
        self.assertFalse([1 for content, data in page.messages if data and 255 in data])

    def test_unstable_at_once(self):
        """Also where no check of the step size has ended before: the run goes back to its start."""
        for _ in range(3):
            page = FakePage(self.session())
            page.send(type="speed", steps=200)
            page.send(type="h", value=3)
            frame, _ = page.frame(lambda frame, state: state["notice"])
            self.assertRegex(frame["state"]["notice"]["text"], "unstable|infinite")
            page.send(**frame["state"]["notice"]["fixes"][0]["message"])
            frame, _ = page.frame(lambda frame, state: state["playing"] and not state["notice"] and state["h"] < 2)
            page.frame(lambda later, state: later["steps"] > frame["steps"] + 400)
            self.assertFalse([1 for content, data in page.messages if data and 255 in data])

    def test_unstable_unchecked(self):
        """Large systems are not checked: there the run goes back to its start."""
        with unittest.mock.patch("eulercl._live.CHECKED_COMPONENTS", 0):
            page = FakePage(self.session(h=3))
            for h in (3, 1.5):
                frame, _ = page.frame(lambda frame, state: state["notice"] and state["h"] == h)
                self.assertEqual((frame["steps"], frame["state"]["playing"]), (0, False))
                page.send(**frame["state"]["notice"]["fixes"][0]["message"])
            page.frame(lambda frame, state: frame["steps"] > 400 and state["h"] == 0.75 and not state["notice"])
            self.assertFalse([1 for content, data in page.messages if data and 255 in data])

    def test_auto_follows(self):
        page = FakePage(self.session(h="auto"))
        page.frame(lambda frame, state: state["limit"] and frame["steps"] > 50)
        page.send(type="set", name="Du", value=0.9)
        frame, _ = page.frame(lambda frame, state: state["h"] < 0.6)
        page.frame(lambda later, state: later["steps"] > frame["steps"] + 400)
        page.send(type="set", name="Du", value=0.2)
        page.frame(lambda frame, state: state["h"] > 0.9)
        self.assertFalse([1 for content, data in page.messages if data and 255 in data])
        self.assertTrue(all(content["state"]["notice"] is None for content, _ in page.messages
                            if content["type"] == "frame"))

    def test_auto_halves(self):
        """A step size that is stable at first may be too long for the reaction: pages see neither that nor NaN."""
        page = FakePage(self.session(eulercl.Problem("bruss3d", m=10), h="auto"))
        frame, _ = page.frame(lambda frame, state: frame["steps"] > 400)
        self.assertTrue(frame["state"]["playing"])
        self.assertLess(frame["high"], 100)
        self.assertFalse([1 for content, data in page.messages if content["type"] == "frame" and (
            content["state"]["notice"] or 255 in data)])

    def test_infinite(self):
        """Where the solution itself becomes infinite, no step size helps, and the run stops."""
        page = FakePage(self.session(eulercl.PDE({"u": "exp(40*t) - u"}, grid=(8, 8)), h="auto"))
        frame, _ = page.frame(lambda frame, state: state["notice"])
        self.assertIn("infinite", frame["state"]["notice"]["text"])
        self.assertFalse(frame["state"]["playing"])

    def test_line(self):
        page = FakePage(self.session(eulercl.PDE({"u": "0"}, grid=5, initial={"u": np.array([0, 3, 1, 9, -1.0])})))
        page.send(type="view", low=0, high=4)
        frame, data = page.frame(lambda frame, state: frame["high"] == 4)
        self.assertEqual(np.frombuffer(data, "<f4").tolist(), [0, 0.75, 0.25, 1, 0])

    def test_bodies(self):
        """Bodies are dots at their places, whose range is the same along both axes."""
        page = FakePage(self.session(eulercl.Problem(str(SOURCES / "examples/nbody.c"), bodies=60),
                                     h=0.01, method="verlet"))
        hello, _ = page.messages[0] if page.messages else page.until(lambda content, data: True)
        self.assertEqual((hello["component"], hello["across"]), (1, 0))
        page.send(type="play", on=False)
        page.send(type="reset")
        page.send(type="view", component=1, across=0, low=-2, high=2)
        frame, data = page.frame(lambda frame, state: frame["across"] == 0 and frame["steps"] == 0)
        picture = np.frombuffer(data, np.uint8).reshape(frame["height"], frame["width"])
        y = eulercl.Problem(str(SOURCES / "examples/nbody.c"), bodies=60).initial()
        places = {tuple(place) for place in np.floor((y[:, 1::-1] + 2) / 4 * 399 + 0.5).astype(int).tolist()}
        self.assertEqual({tuple(place) for place in np.argwhere(picture).tolist()}, places)
        ring = FakePage(self.session(eulercl.Problem(str(SOURCES / "examples/beam.c"))))
        hello, _ = ring.messages[0] if ring.messages else ring.until(lambda content, data: True)
        self.assertEqual((hello["component"], hello["across"]), (0, None))
        for across in (6, -1, 0.5, "x", float("nan")):
            page.send(type="view", across=across)
            page.until(lambda content, data: content["type"] == "error")
        page.send(type="view", across=None, low=None, high=None)
        _, data = page.frame(lambda frame, state: frame["across"] is None)
        self.assertEqual(len(data), 4 * 60)

    def test_history(self):
        session = self.session()
        page = FakePage(session)
        page.frame(lambda frame, state: frame["steps"] > 40)
        page.send(type="stroke", stroke={"component": 1, "value": 0.5, "radius": 3, "places": [[9, 9], [12, 9]]})
        frame, _ = page.frame(lambda frame, state: state["painted"])
        page.send(type="set", name="k", value=0.058)
        page.frame(lambda later, state: later["steps"] > frame["steps"] + 40)
        page.send(type="play", on=False)
        page.send(type="strokes")
        _, data = page.until(lambda content, data: content["type"] == "file")
        run = session._run
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "strokes.json")
            path.write_bytes(data)
            for backend in ["seq", "pthreads"]:
                words = [sys.executable, "-m", "eulercl.live", "--replay", path, "--backend", backend, GRAY_SCOTT]
                found = subprocess.run(words, check=True, capture_output=True, text=True).stdout
                self.assertEqual(found.split()[-1], run.solver.state_hash)
            other = pathlib.Path(folder, "other.c")
            other.write_text(pathlib.Path(GRAY_SCOTT).read_text() + "\n")
            wrong = pathlib.Path(folder, "wrong.json")
            wrong.write_text(json.dumps(json.loads(data) | {"state": ""}))
            for words, status in ((["--replay", path, other], 2), (["--replay", path], 2),
                                  (["--replay", wrong, GRAY_SCOTT], 1),
                                  *((["--replay", path, GRAY_SCOTT, *word], 2) for word in (
                                      ["-p", "F=0.03"], ["--h", "1"], ["--tol", "1e-3"], ["--t-end", "9"],
                                      ["--precision", "double"], ["--method", "euler"], ["--stages", "2"])),
                                  (["--replay", other, GRAY_SCOTT], 6), (["--replay", folder + "/no", GRAY_SCOTT], 6)):
                done = subprocess.run([sys.executable, "-m", "eulercl.live", *words], capture_output=True, text=True)
                self.assertEqual((done.returncode, done.stderr.count("\n")), (status, 1), done.stderr)

    def test_source(self):
        page = FakePage(self.session())
        page.send(type="set", name="F", value=0.0625)
        page.send(type="source")
        content, data = page.until(lambda content, data: content["type"] == "file")
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, content["name"])
            path.write_bytes(data)
            self.assertEqual(eulercl.Problem(path).parameters,
                             {"m": 40, "F": 0.0625, "k": 0.06, "Du": 0.2, "Dv": 0.1})

    def test_obstacles(self):
        is_obstacle = np.zeros((8, 9), bool)
        is_obstacle[2, 3] = True
        problem = eulercl.PDE({"u": "laplace(u)"}, grid=(8, 9), mask=is_obstacle, initial={"u": 1},
                              boundary="mirror", centred="cells")
        page = FakePage(self.session(problem, h=0.1))
        _, data = page.frame()
        self.assertEqual((np.frombuffer(data, np.uint8) == 255).tolist(), is_obstacle.ravel().tolist())

    def test_hostile_messages(self):
        """Random messages, of which each part is wrong now and then: the run goes on, and gives answers."""
        random.seed(SEED)
        session = self.session()
        page = FakePage(session)
        values = [None, True, -1, 0, 1, 0.5, 1e300, float("nan"), float("inf"), 10**400, "", "x" * 1000, [], [[]],
                  [1, 2], [[1, 2]], {}, {"type": "ack"}, "F", "mean", "auto"]
        keys = {"ack": ["frame"], "play": ["on"], "step": ["steps"], "speed": ["steps"], "set": ["name", "value"],
                "h": ["value"], "repair": ["h"], "stroke": ["stroke"], "probe": ["place"],
                "view": ["component", "low", "high", "mode", "axis", "index", "width", "height"], "reset": []}
        for message in values:
            self.assertTrue(session.receive(page.viewer, message))
        for _ in range(1500):
            kind = random.choice([*keys, "none", "join", "_add"])
            message = {"type": kind} | {key: random.choice(values) for key in keys.get(kind, [])
                                        if random.random() < 0.9}
            while not page.send(**message):
                time.sleep(0.01)
        page.send(type="view", component=0, low=None, high=None, mode="mean", width=64, height=64)
        page.send(type="h", value=0.5)
        page.send(type="set", name="F", value=0.04)
        page.send(type="reset")
        page.send(type="speed", steps=5)
        page.send(type="play", on=True)
        frame, _ = page.frame(lambda frame, state: state["speed"] == 5 and state["playing"])
        page.frame(lambda later, state: later["steps"] > frame["steps"])

    def test_hostile_planes(self):
        """Pages with different planes, while the size changes and strokes reach beyond the ends."""
        random.seed(SEED)
        session = self.session(eulercl.Problem("bruss3d", m=5), h=1e-3)
        pages = [FakePage(session) for _ in range(3)]
        for _ in range(400):
            page = random.choice(pages)
            message = random.choice([
                {"type": "view", "axis": random.randrange(3), "index": random.choice([None, 0, 4, 10**9])},
                {"type": "view", "axis": random.randrange(3)}, {"type": "view", "across": random.choice([None, 1])},
                {"type": "probe", "place": [random.randrange(6) for _ in range(3)]}, {"type": "reset"},
                {"type": "set", "name": "m", "value": random.randrange(2, 9)},
                {"type": "set", "name": "A", "value": random.choice([1, float("nan"), float("inf"), 1e308, -1e308])},
                {"type": "stroke", "stroke": {"component": 0, "value": random.choice([0, 1, 1e308]), "radius": 2,
                                              "places": [[random.choice([-3, 0, 4, 9, 1e11]) for _ in range(3)]]}}])
            while not page.send(**message):
                time.sleep(0.01)
        for number, page in enumerate(pages):
            page.send(type="set", name="A", value=1)
            page.send(type="set", name="m", value=4 + number)
            page.send(type="reset")
            page.send(type="play")
            page.send(type="view", axis=number, index=1)
            page.frame(lambda frame, state: frame["size"] == [4 + number] * 2 and frame["steps"] > 20)
            for content, data in page.messages:
                if content["type"] == "frame":
                    self.assertEqual(len(data), content["width"] * content["height"])

    def test_flood(self):
        session = self.session(gray_scott(m=400))
        page = FakePage(session)
        page.frame()
        other, taken = FakePage(session), 0
        with session._wake:  # the thread waits
            while page.send(type="play") and taken < 10 * MOST_MESSAGES:
                taken += 1
            self.assertTrue(other.send(type="play"))  # that of one page does not send others away
        self.assertLessEqual(taken, MOST_MESSAGES)
        page.frame(lambda frame, state: frame["steps"] > 0)

    def test_failure(self):
        def make(stops):
            raise eulercl.InvalidError("no", "INVALID")

        session = Session(make)
        self.addCleanup(session.close)
        page = FakePage(session)
        content, _ = page.messages[0] if page.messages else page.until(lambda content, data: True)
        self.assertEqual((content["type"], content["text"]), ("error", "no"))

    def test_close(self):
        """A run that computes is ended at once, and its thread with it."""
        session = Session(lambda stops: Steered(gray_scott(m=1000), h=1.0, stops=stops))
        page = FakePage(session)
        page.frame()
        begin = time.monotonic()
        session.close()
        self.assertLess(time.monotonic() - begin, 10)
        self.assertFalse(session._thread.is_alive())


@contextlib.asynccontextmanager
async def served(*words):
    """Start a server; return its address, the process, and a client."""
    import aiohttp
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "eulercl.live", *map(str, words), stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE)
    try:
        address = (await asyncio.wait_for(process.stdout.readline(), 60)).decode().strip()
        async with aiohttp.ClientSession(auto_decompress=False) as client:
            yield address, process, client
        if process.returncode is None:
            process.send_signal(signal.SIGINT)
        _, errors = await asyncio.wait_for(process.communicate(), 20)
        assert (process.returncode, errors) == (0, b""), (process.returncode, errors.decode())
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


def parted(data):
    """Return the text and the bytes of a message."""
    length = int.from_bytes(data[:4], "little")
    return json.loads(data[4:4 + length]), data[4 + length:]


async def next_frame(page, holds=lambda frame: True, confirms=True):
    """Return the first picture for which something holds."""
    while True:
        message = await asyncio.wait_for(page.receive(), 60)
        content, data = parted(message.data)
        if content["type"] == "frame":
            if confirms:
                await page.send_json({"type": "ack", "frame": content["number"]})
            if holds(content):
                return content, data


@unittest.skipUnless(HAS_SERVER, "needs the Python package aiohttp (Debian: python3-aiohttp)")
class Served(unittest.IsolatedAsyncioTestCase):
    """The server: who may connect, and what hostile clients can do."""

    async def asyncSetUp(self):
        asyncio.get_running_loop().set_debug(False)

    async def test_address(self):
        async with served(GRAY_SCOTT, "-p", "m=40", "--h", "1") as (address, _, client):
            self.assertRegex(address, r"^http://127\.0\.0\.1:\d+/\?token=[-\w]{32}$")
            base, token = address.split("?token=")
            port = base.rstrip("/").rpartition(":")[2]
            own = {"Origin": base.rstrip("/")}
            wrong = [("", {}), ("?token=", {}), ("?token=" + "x" * 32, {}), (f"?token={token}x", {}),
                     (f"?token={token[:-1]}", {}), ("?token=%ff%00", {}), (f"?x={token}", {}),
                     (f"?token={token}", {"Origin": "http://evil.example"}),
                     (f"?token={token}", {"Origin": "null"}), (f"?token={token}", {"Origin": base[:-2]}),
                     (f"?token={token}", {"Host": "evil.example"}),
                     (f"?token={token}", {"Host": f"evil.example:{port}", "Origin": f"http://evil.example:{port}"}),
                     (f"?token={token}", {"Host": f"127.0.0.1.evil.example:{port}"})]
            for path in ("", "live.js", "live.css", "socket", "nothing", "picture/x"):
                for query, headers in wrong:
                    async with client.get(base + path + query, headers=headers) as answer:
                        self.assertEqual(answer.status, 403, (path, query, headers))
                        self.assertNotIn(token, await answer.text())
            for path, status, kind in (("", 200, "text/html"), ("live.js", 200, "text/javascript"),
                                       ("live.css", 200, "text/css"), ("nothing", 404, "text/plain"),
                                       ("picture/gray_scott", 404, "text/plain")):
                async with client.get(f"{base}{path}?token={token}", headers=own) as answer:
                    self.assertEqual((answer.status, answer.content_type), (status, kind), path)
                    if status == 200:
                        self.assertIn("default-src 'none'", answer.headers["Content-Security-Policy"])
            async with client.post(address) as answer:
                self.assertEqual(answer.status, 405)
            # Nothing is reachable from elsewhere.
            for family, host in ((socket.AF_INET, self.other_address()), (socket.AF_INET6, "::1")):
                if host is not None:
                    with socket.socket(family) as one, self.assertRaises(OSError):
                        one.connect((host, int(port)))
            page = await client.ws_connect(base.replace("http", "ws") + f"socket?token={token}", headers=own)
            await next_frame(page)

    @staticmethod
    def other_address():
        """Return an address of this machine other than 127.0.0.1."""
        with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as one:
            one.connect(("192.0.2.1", 9))
            return one.getsockname()[0]
        return None

    async def test_messages(self):
        async with served(GRAY_SCOTT, "-p", "m=40", "--h", "1") as (address, _, client):
            link = address.replace("http", "ws").replace("/?", "/socket?")
            good = await client.ws_connect(link)
            await next_frame(good)
            for bad in ("{", "[" * 50000, "x" * 70000, '"' + "x" * 65000, "1e999999", '{"a":' * 9000, b"bytes",
                        "9" * 60000):
                page = await client.ws_connect(link)
                await (page.send_bytes(bad) if isinstance(bad, bytes) else page.send_str(bad))
                with contextlib.suppress(asyncio.TimeoutError):
                    while (message := await asyncio.wait_for(page.receive(), 2)).type.name == "BINARY":
                        pass
                await page.close()
            await good.send_str('{"type": "set", "name": "F", "value": NaN}')
            await good.send_str('{"type": "speed", "steps": 3}')
            frame, _ = await next_frame(good, lambda frame: frame["state"]["speed"] == 3)
            self.assertEqual(frame["state"]["parameters"]["F"], 0.037)
            await next_frame(good, lambda later: later["steps"] > frame["steps"] + 10)

    async def test_closed_pages(self):
        """Pages that come and go, also in the middle of a message, leave nothing behind."""
        async with served(GRAY_SCOTT, "-p", "m=40", "--h", "1") as (address, process, client):
            link = address.replace("http", "ws").replace("/?", "/socket?")
            files = f"/proc/{process.pid}/fd"
            good = await client.ws_connect(link)
            frame, _ = await next_frame(good)
            before = len(os.listdir(files)) if os.path.isdir(files) else 0
            for number in range(200):
                if number == 50:
                    size = size_of(process)
                page = await client.ws_connect(link)
                if number % 3:
                    await next_frame(page, confirms=number % 3 == 1)
                if number % 2:
                    page._response.connection.transport.abort()
                    page._response.close()
                else:
                    await page.close()
            later, _ = await next_frame(good, lambda later: later["steps"] > frame["steps"] + 500)
            for _ in range(100):
                if before == 0 or len(os.listdir(files)) <= before:
                    break
                await asyncio.sleep(0.1)
            else:
                self.fail(f"{before} files before, {len(os.listdir(files))} after")
            for name, most in {"Threads": 1, "VmRSS": 20_000}.items():  # kB; a check of the step size has a thread
                self.assertLessEqual(size_of(process).get(name, 0), size.get(name, 0) + most)

    async def test_crowd(self):
        """A thousand connections: pages that are there go on, and later ones are served again."""
        async with served(GRAY_SCOTT, "-p", "m=40", "--h", "1") as (address, process, client):
            link = address.replace("http", "ws").replace("/?", "/socket?")
            port = int(re.search(r":(\d+)/", address)[1])
            good = await client.ws_connect(link)
            frame, _ = await next_frame(good)
            crowd = []
            for number in range(1000):
                if number in (0, 200):  # many come at once
                    process.send_signal(signal.SIGSTOP if number == 0 else signal.SIGCONT)
                one = socket.socket()
                one.setblocking(False)
                with contextlib.suppress(BlockingIOError):
                    one.connect(("127.0.0.1", port))
                crowd.append(one)
                if number % 100 == 0 and number >= 200:
                    frame, _ = await next_frame(good, lambda later: later["steps"] > frame["steps"])
            frame, _ = await next_frame(good, lambda later: later["steps"] > frame["steps"] + 100)
            # Connections that are refused are closed a moment later. The server has some sockets of its own.
            with contextlib.suppress(FileNotFoundError):
                for _ in range(200):
                    if (count := sockets_of(process)) <= 70:
                        break
                    await asyncio.sleep(0.05)
                self.assertLessEqual(count, 70)
            for one in crowd:
                one.close()
            pages = []
            for _ in range(100):
                with contextlib.suppress(Exception):
                    pages.append(await client.ws_connect(link))
                    if len(pages) > 20:
                        break
                await asyncio.sleep(0.02)
            self.assertEqual(len(pages), 15)  # with the first one the most that there are
            await next_frame(pages[0])
            await next_frame(good, lambda later: later["steps"] > frame["steps"] + 100)

    async def test_silent_reader(self):
        """A page that asks for files and reads nothing is sent away."""
        async with served(GRAY_SCOTT, "-p", "m=40", "--h", "1") as (address, _, client):
            link = address.replace("http", "ws").replace("/?", "/socket?")
            good = await client.ws_connect(link)
            frame, _ = await next_frame(good)
            page = await client.ws_connect(link)
            page._response.connection.transport.pause_reading()
            with contextlib.suppress(ConnectionError):
                for _ in range(20000):
                    await page.send_str('{"type": "source"}')
            page._response.close()
            await next_frame(good, lambda later: later["steps"] > frame["steps"] + 100)

    async def test_gallery(self):
        async with served() as (address, _, client):
            async with client.get(address) as answer:
                names = re.findall("problem=(\\w+)", await answer.text())
            self.assertTrue({"bruss2d", "bruss3d", "string"} <= set(names), names)
            link = address.replace("http", "ws").replace("/?", "/socket?")
            if os.environ.get("EULERCL_TEST_LEVEL") != "long":
                names = random.Random(SEED).sample(names, 3)
            for name in names:
                if name == "seepage" and importlib.util.find_spec("PIL") is None:
                    continue  # its rock is a picture
                page = await client.ws_connect(f"{link}&problem={name}")
                content, _ = parted((await asyncio.wait_for(page.receive(), 60)).data)
                self.assertEqual((content["type"], content.get("name")), ("hello", name))
                await next_frame(page)
                await page.close()
            for name in ("none", "../x", "", "/etc/passwd", "bruss2d.c"):
                async with client.get(f"{link.replace('ws', 'http', 1)}&problem={name}") as answer:
                    self.assertEqual(answer.status, 404)

    async def test_command(self):
        """eulercl live is the same program; errors are one line and the status of the library."""
        for words, status, text in ((["nothing"], 2, "unknown problem"), (["string", "-p", "K=x"], 2, "K"),
                                    (["string", "-p", "x=1"], 2, "no parameter"), (["no.c"], 6, "no.c"),
                                    (["string", "--h", "nan"], 2, "nan"), (["string", "--port", "-1"], 2, "port"),
                                    (["string", "--port", "99999"], 2, "port"),
                                    (["string", "--h", "1e-3", "--tol", "1e-3"], 2, "either"),
                                    (["string", "--field", f"x={GRAY_SCOTT}.npy"], 6, "npy"), (["string", "--h", "-1"], 2, "-1")):
            done = subprocess.run([COMMAND, "live", *words], capture_output=True, text=True,
                                  env={**os.environ, "PATH": f"{os.path.dirname(sys.executable)}:{os.environ['PATH']}"})
            self.assertEqual((done.returncode, done.stdout), (status, ""), done.stderr)
            self.assertIn(text, done.stderr)


@unittest.skipUnless(importlib.util.find_spec("anywidget"), "needs anywidget")
class Widgets(unittest.TestCase):
    """What notebooks get, without a notebook."""

    def test_views(self):
        """A run has a page as long as one of its views is there."""
        widget = eulercl.live(gray_scott(), h=1.0)
        sent = []
        widget.send = lambda content, buffers: sent.append(content["type"])
        for kind, viewers in (("leave", 0), ("join", 1), ("join", 1), ("leave", 1), ("leave", 0), ("leave", 0), ("join", 1)):
            widget._receive(widget, {"type": kind}, None)
            end = time.monotonic() + 60
            while len(widget.session.viewers) != viewers or widget.session._inbox:
                self.assertLess(time.monotonic(), end, kind)
                time.sleep(0.01)
        widget.close()
        self.assertEqual(sent.count("hello"), 3)


# The document, or the part of it that marimo gives to a widget.
ROOT = "(document.querySelector('marimo-anywidget')?.shadowRoot ?? document)"


class Chromium:
    """Chromium without a window, driven by its DevTools protocol."""

    def __init__(self, client, width=1100, height=900):
        self._client, self._size, self._number, self.errors = client, (width, height), 0, []
        self._socket = None

    async def __aenter__(self):
        self._folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.downloads = pathlib.Path(self._folder.name, "downloads")
        self._process = await asyncio.create_subprocess_exec(
            BROWSER, "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run",
            "--remote-debugging-port=0", f"--user-data-dir={self._folder.name}/profile",
            "--window-size={},{}".format(*self._size), "about:blank", stderr=asyncio.subprocess.PIPE)
        try:
            line = b""
            while b"DevTools listening on" not in line:
                line = await asyncio.wait_for(self._process.stderr.readline(), 60)
                assert line, "Chromium has ended"
            self._drain = asyncio.create_task(self._process.stderr.read())
            port, pages = re.search(rb"ws://[^/]*:(\d+)/", line)[1].decode(), []
            while not pages:
                async with self._client.get(f"http://127.0.0.1:{port}/json") as answer:
                    pages = [page for page in json.loads(await answer.text()) if page["type"] == "page"]
                await asyncio.sleep(0.05)
            self._socket = await self._client.ws_connect(pages[0]["webSocketDebuggerUrl"], max_msg_size=0)
            for method in ("Page.enable", "Runtime.enable"):
                await self.call(method)
            await self.call("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(self.downloads))
        except BaseException:
            await self.__aexit__()
            raise
        return self

    async def __aexit__(self, *exception):
        if self._socket is not None:
            await self._socket.close()
        self._process.terminate()
        await self._process.wait()
        self._folder.cleanup()

    async def call(self, method, **parameters):
        self._number += 1
        await self._socket.send_json({"id": self._number, "method": method, "params": parameters})
        while True:
            message = json.loads((await asyncio.wait_for(self._socket.receive(), 60)).data)
            if message.get("method") == "Runtime.exceptionThrown":
                self.errors.append(message["params"])
            if message.get("id") == self._number:
                if "error" in message:
                    raise RuntimeError(message["error"])
                return message["result"]

    async def js(self, text):
        """Return the value of an expression."""
        found = await self.call("Runtime.evaluate", expression=text, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in found:
            raise RuntimeError(found["exceptionDetails"])
        return found["result"].get("value")

    async def until(self, text, seconds=30):
        """Wait for an expression to hold."""
        end, found = time.monotonic() + seconds, None
        while time.monotonic() < end:
            try:
                if found := await self.js(text):
                    return found
            except RuntimeError as error:  # the page is being replaced
                found = error
            await asyncio.sleep(0.05)
        shown = await self.js("document.body.innerText")
        raise AssertionError(f"never true: {text} ({found}); errors: {self.errors}; the page: {shown}")

    async def open(self, address):
        await self.call("Page.navigate", url=address)
        await self.until("document.querySelector('.status')?.textContent.startsWith('t =')")
        await self.prepare()

    async def prepare(self):
        """Define what tests of a page use."""
        await self.js(f"globalThis.root = {ROOT}; true")
        await self.js("""globalThis.$ = text => root.querySelector(text);
            globalThis.named = text => [...root.querySelectorAll('button')].find(one => one.textContent == text);
            globalThis.row = text => [...root.querySelectorAll('label')].find(
                one => one.firstChild.textContent == text);
            globalThis.enter = (element, value, kind = 'change') => {
                element.value = value; element.dispatchEvent(new Event(kind, {bubbles: true})); };
            globalThis.told = () => $('.status').textContent;
            globalThis.steps = () => Number(told().match(/step (\\d+)/)[1]);
            globalThis.colour = (x, y) => { const canvas = $('.picture');
                return [...canvas.getContext('2d').getImageData(x * canvas.width, y * canvas.height, 1, 1).data]; };
            true""")

    async def mouse(self, kind, x, y, buttons=1):
        """Move, press or release the mouse at a place of the picture, from 0 to 1."""
        box = await self.js("(box => [box.left, box.top, box.width, box.height])($('.picture').getBoundingClientRect())")
        await self.call("Input.dispatchMouseEvent", type=kind, x=box[0] + x * box[2], y=box[1] + y * box[3],
                        button="left" if buttons else "none", buttons=buttons, clickCount=1)

    async def key(self, key):
        text = {"Enter": "\r"}.get(key, key)
        for kind in ("keyDown", "keyUp"):
            await self.call("Input.dispatchKeyEvent", type=kind, key=key,
                            **({"text": text} if kind == "keyDown" and len(text) == 1 else {}))


BLACK, WHITE = [0, 0, 0, 255], [255, 255, 255, 255]


@unittest.skipUnless(HAS_SERVER and BROWSER, "needs aiohttp and Chromium (Debian: python3-aiohttp chromium)")
class Page(unittest.IsolatedAsyncioTestCase):
    """The page in a browser: each control, by colours at places."""

    async def asyncSetUp(self):
        asyncio.get_running_loop().set_debug(False)

    async def test_controls(self):
        async with served(GRAY_SCOTT, "-p", "m=64", "--h", "1") as (address, _, client), \
                Chromium(client) as page:
            await page.open(address)
            await self.pause_and_step(page)
            await self.colours(page)
            await self.brush(page)
            await self.parameters(page)
            await self.step_size(page)
            await self.probe(page)
            await self.files(page)
            self.assertEqual(page.errors, [])

    async def pause_and_step(self, page):
        self.assertGreater(await page.js("$('.picture').clientWidth"), 300)  # however few points there are
        await page.until("steps() > 50")
        await page.js("named('pause').click()")
        await page.until("named('play') != null")
        before = await page.js("steps()")
        await page.js("named('step').click()")
        await page.until(f"steps() == {before + 1}")
        await page.js("$('.picture').focus()")
        await page.key(".")
        await page.until(f"steps() == {before + 2}")
        await page.key("r")
        await page.until("steps() == 0")
        await page.key(" ")
        await page.until("steps() > 0")
        await page.js("enter(row('speed').querySelector('input'), 0, 'input')")
        await page.until("row('speed').querySelector('output').textContent == '1'")
        await page.key(" ")
        await page.until("named('play') != null")

    async def colours(self, page):
        """The start of v: 1/4 in a square in the middle, and 0 around it."""
        await page.js("named('reset').click(); enter(row('component').querySelectorAll('select')[1], 'grey'); "
                      "enter(row('component').querySelectorAll('select')[0], 1)")
        await page.js("enter(row('range').querySelectorAll('input')[0], 0); "
                      "enter(row('range').querySelectorAll('input')[1], 0.1)")
        await page.until("steps() == 0 && told().includes('0 to 0.1')")
        self.assertEqual([await page.js(f"colour({x}, {x})") for x in (0.1, 0.5)], [BLACK, WHITE])
        await page.js("enter(row('range').querySelectorAll('input')[1], 100)")
        await page.until("told().includes('0 to 100')")
        self.assertEqual(await page.js("colour(0.5, 0.5)"), [1, 1, 1, 255])
        await page.js("enter(row('range').querySelectorAll('input')[1], 1)")
        await page.until("told().includes('0 to 1')")

    async def brush(self, page):
        await page.js("enter(row('value').querySelector('input'), 1); enter(row('radius').querySelector('input'), 3, 'input')")
        await page.mouse("mousePressed", 0.2, 0.2)
        await page.mouse("mouseMoved", 0.2, 0.8)
        await page.mouse("mouseReleased", 0.2, 0.8)
        await page.until("told().includes('painted')")
        await page.until("colour(0.2, 0.8)[0] == 255")
        self.assertEqual([await page.js(f"colour({x}, {y})") for x, y in ((0.2, 0.2), (0.2, 0.5), (0.8, 0.8), (0.3, 0.5))],
                         [WHITE, WHITE, BLACK, BLACK])
        # Row 0 is the lowest one.
        await page.mouse("mousePressed", 0.9, 0.9)
        await page.mouse("mouseReleased", 0.9, 0.9)
        await page.until("colour(0.9, 0.9)[0] == 255")
        self.assertEqual(await page.js("colour(0.9, 0.1)"), BLACK)
        await page.js("row('paint').querySelector('input').click()")
        await page.mouse("mousePressed", 0.7, 0.3)
        await page.mouse("mouseReleased", 0.7, 0.3)
        await page.js("named('step').click()")
        await page.until("steps() == 1")
        self.assertLess((await page.js("colour(0.7, 0.3)"))[0], 128)

    async def parameters(self, page):
        """F = k = 0 and no diffusion: the reaction ends where u is 0, and nothing else happens."""
        await page.js("enter(row('step size').querySelector('input'), 0.25)")  # where v is 1 the reaction is fast
        await page.js("for (const name of ['F', 'k', 'Du', 'Dv']) enter(row(name).querySelectorAll('input')[0], 0, 'input')")
        await page.until("['F', 'k', 'Du', 'Dv'].every(name => Number(row(name).querySelectorAll('input')[1].value) == 0)")
        await page.js("enter(row('speed').querySelector('input'), 20, 'input'); named('play').click()")
        await page.until("steps() > 200")
        await page.js("named('pause').click()")
        await page.until("named('play') != null")
        self.assertGreater((await page.js("colour(0.2, 0.5)"))[0], 200)
        await page.js("enter(row('F').querySelectorAll('input')[1], 'x'); enter(row('F').querySelectorAll('input')[1], 9)")
        await page.until("$('.notice').textContent.includes('F')")  # it is at most 1
        await page.js("named('ok').click()")
        self.assertEqual(await page.js("$('.notice').textContent"), "")
        await page.js("enter(row('F').querySelectorAll('input')[1], 0.037); enter(row('k').querySelectorAll('input')[1], 0.06)")
        await page.until("row('k').querySelectorAll('input')[0].value == 0.06")

    async def step_size(self, page):
        await page.js("named('reset').click(); enter(row('Du').querySelectorAll('input')[1], 0.2); "
                      "enter(row('Dv').querySelectorAll('input')[1], 0.1); named('play').click()")
        await page.until("steps() > 10")
        await page.js("enter(row('step size').querySelector('input'), 3)")
        await page.until("/unstable|infinite/.test($('.notice').textContent)")
        await page.until("named('play') != null")
        await page.js("$('.notice button').click()")
        await page.until("Number(row('step size').querySelector('input').value) < 1.5 && named('pause') != null")
        await page.js("named('auto').click()")
        await page.until("row('step size').querySelector('output').textContent.startsWith('auto')")

    async def probe(self, page):
        await page.mouse("mouseMoved", 0.5, 0.5, 0)
        await page.until("[...document.querySelectorAll('.status')].some(one => one.textContent.startsWith('(32,31)'))")
        await page.js("$('.picture').focus()")
        await page.key("ArrowUp")
        await page.until("[...document.querySelectorAll('.status')].some(one => one.textContent.startsWith('(32,32)'))")
        await page.until("$('.trace').getContext('2d').getImageData(0, 0, 320, 80).data.some(x => x)")

    async def files(self, page):
        """PNG, strokes, FILE.c, and the link, which has the values."""
        await page.js("named('pause').click()")
        await page.until("named('play') != null")
        for number, name in enumerate(("PNG", "strokes", "FILE.c"), 1):
            await page.js(f"named('{name}').click()")
            for _ in range(200):
                if page.downloads.exists() and len([*page.downloads.glob("*[a-z]")]) == number:
                    break
                await asyncio.sleep(0.05)
        names = {path.name for path in page.downloads.iterdir()}
        self.assertEqual(names, {"eulercl.png", "strokes.json", "gray_scott.c"})
        self.assertEqual((page.downloads / "eulercl.png").read_bytes()[:4], b"\x89PNG")
        steps, t = await page.js("steps()"), await page.js("told()")
        run = replay(json.loads((page.downloads / "strokes.json").read_text()), gray_scott())
        self.addCleanup(run.close)
        self.assertEqual((run.steps, f"t = {run.solver.t:.6g}"), (steps, t.split(",")[0]))
        await page.js("enter(row('F').querySelectorAll('input')[1], 0.05)")
        await page.until("Number(row('F').querySelectorAll('input')[0].value) == 0.05")
        await page.js("named('link').click()")
        link = await page.js("location.href")
        self.assertIn("F=0.05", link)
        await page.js("enter(row('F').querySelectorAll('input')[1], 0.02)")
        await page.until("Number(row('F').querySelectorAll('input')[0].value) == 0.02")
        await page.call("Page.navigate", url="about:blank")
        await page.open(link)
        await page.until("Number(row('F').querySelectorAll('input')[0].value) == 0.05")

    async def test_planes(self):
        """Planes of a volume, by keys alone but for the plane's sliders."""
        async with served("bruss3d", "-p", "m=20", "--h", "1e-3") as (address, _, client), Chromium(client) as page:
            await page.open(address)
            await page.key(" ")  # the picture has the focus
            await page.until("named('play') != null")
            self.assertTrue(await page.js("$('.mark').hidden"))
            for axis, before, place in ((2, "", "(10,11,3)"), (1, "(10,3,11)", "(10,3,12)"),
                                        (0, "(3,10,12)", "(3,10,13)")):
                await page.js(f"enter(row('plane').querySelector('select'), {axis})")
                await page.until("row('plane').querySelector('output').value == 10")  # the middle
                await page.js("enter(row('plane').querySelector('input'), 3, 'input')")
                await page.until("row('plane').querySelector('output').value == 3")
                if before:  # the place follows the plane
                    await page.until(f"$('fieldset .status').textContent.startsWith('{before}')")
                await page.js("$('.picture').focus()")
                await page.key("ArrowUp")
                await page.until(f"$('fieldset .status').textContent.startsWith('{place}')")
            await page.key("[")
            self.assertEqual(await page.js("row('radius').querySelector('output').value"), "4")
            self.assertEqual(await page.js("[$('.mark').style.left, $('.mark').style.top, $('.mark').style.width]"),
                             ["52.5%", "32.5%", "45%"])
            await page.key("Enter")
            await page.until("told().includes('painted')")
            # Keys with Control are the browser's.
            self.assertTrue(await page.js("$('.picture').dispatchEvent(new KeyboardEvent('keydown', "
                                          "{key: 'r', ctrlKey: true, bubbles: true, cancelable: true}))"))
            self.assertFalse(await page.js("$('.picture').dispatchEvent(new KeyboardEvent('keydown', "
                                           "{key: 'r', bubbles: true, cancelable: true}))"))
            await page.until("steps() == 0")
            self.assertEqual(page.errors, [])

    async def test_hidden(self):
        """A run waits while its page is taken away, as notebooks do with outputs out of sight, and then goes on."""
        async with served(GRAY_SCOTT, "-p", "m=40", "--h", "1") as (address, _, client), Chromium(client) as page:
            await page.open(address)
            await page.until("steps() > 50")
            await page.js("globalThis.main = $('main'); main.remove()")
            found = []
            for _ in range(3):
                await asyncio.sleep(1)
                async with client.ws_connect(address.replace("http", "ws").replace("/?", "/socket?")) as other:
                    frame, _ = await next_frame(other, confirms=False)
                found.append(frame["steps"])
            self.assertLess(found[2] - found[1], 200)
            await page.js("document.body.append(main)")
            await page.until(f"steps() > {found[2]} + 500")

    async def test_narrow(self):
        """On a phone the picture comes first, and nothing is wider than the screen."""
        async with served("string", "-p", "points=50", "--method", "verlet") as (address, _, client), \
                Chromium(client, 400, 800) as page:
            await page.call("Emulation.setDeviceMetricsOverride", width=360, height=740, deviceScaleFactor=3, mobile=True)
            await page.open(address)
            self.assertLessEqual(await page.js("document.documentElement.scrollWidth"), 360)
            # In one dimension the brush has the value at its height.
            await page.js("enter(row('radius').querySelector('input'), 2, 'input'); named('pause').click()")
            await page.until("named('play') != null")
            await page.js("named('reset').click()")
            await page.until("steps() == 0")
            box = await page.js("(box => [box.left, box.top, box.width, box.height])($('.picture').getBoundingClientRect())")
            await page.call("Input.dispatchTouchEvent", type="touchStart",
                            touchPoints=[{"x": box[0] + box[2] / 2, "y": box[1] + box[3] / 10}])
            await page.call("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])
            await page.until("told().includes('painted')")
            self.assertEqual(page.errors, [])

    async def test_gallery(self):
        async with served() as (address, _, client), Chromium(client) as page:
            await page.call("Page.navigate", url=address)
            await page.until("document.querySelectorAll('a').length >= 3")
            await page.js("[...document.querySelectorAll('a')].find(one => one.textContent.includes('bruss3d')).click()")
            await page.until("document.querySelector('.status')?.textContent.startsWith('t =')")
            self.assertIn("bruss3d", await page.js("document.querySelector('b').textContent"))
            self.assertEqual(page.errors, [])


NOTEBOOK = """import eulercl
pde = eulercl.PDE({"u": "a*laplace(u)"}, grid=(32, 32), parameters={"a": 1}, initial={"u": lambda x, y: x < 16})
eulercl.live(pde)"""
JUPYTER, MARIMO = (shutil.which(name, path=os.path.dirname(sys.executable)) for name in ("jupyter-lab", "marimo"))


@unittest.skipUnless(HAS_SERVER and BROWSER and importlib.util.find_spec("anywidget"),
                     "needs aiohttp, Chromium and anywidget")
class Notebook(unittest.IsolatedAsyncioTestCase):
    """The page in notebooks."""

    async def asyncSetUp(self):
        asyncio.get_running_loop().set_debug(False)

    @contextlib.asynccontextmanager
    async def notebook(self, words, address, **places):
        """Start a server, and open a page of Chromium."""
        import aiohttp
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        server = await asyncio.create_subprocess_exec(
            *(word.format(port=port) for word in words), env={**os.environ, **places},
            stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.DEVNULL)
        try:
            async with aiohttp.ClientSession() as client, Chromium(client) as page:
                for _ in range(300):
                    with contextlib.suppress(aiohttp.ClientError):
                        async with client.get(f"http://127.0.0.1:{port}/") as answer:
                            if answer.status < 500:
                                break
                    await asyncio.sleep(0.1)
                await page.call("Page.navigate", url=f"http://127.0.0.1:{port}/{address}")
                yield page
        finally:
            server.terminate()
            await server.wait()

    async def steer(self, page):
        await page.prepare()
        await page.js("enter(row('a').querySelectorAll('input')[1], 0)")
        await page.until("Number(row('a').querySelectorAll('input')[0].value) == 0")
        # A slider that has the focus is not moved by pictures.
        await page.js("row('a').querySelectorAll('input')[0].focus(); row('a').querySelectorAll('input')[0].value = 0.5")
        before = await page.js("steps()")
        await page.until(f"steps() > {before} + 40")
        self.assertEqual(await page.js("Number(row('a').querySelectorAll('input')[0].value)"), 0.5)
        await page.js("named('pause').click()")
        await page.until("named('play') != null")
        await page.js("named('reset').click(); enter(row('component').querySelectorAll('select')[1], 'grey')")
        await page.until("steps() == 0 && colour(0.9, 0.5)[0] == 0")
        self.assertEqual(await page.js("colour(0.1, 0.5)"), WHITE)

    @unittest.skipUnless(JUPYTER, "needs JupyterLab")
    async def test_jupyter(self):
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            cell = {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": [], "id": "a",
                    "source": NOTEBOOK}
            pathlib.Path(folder, "live.ipynb").write_text(json.dumps(
                {"cells": [cell], "nbformat": 4, "nbformat_minor": 5, "metadata": {
                    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
                    "language_info": {"name": "python"}}}))
            words = [JUPYTER, "--allow-root", "--no-browser", "--port={port}", "--ServerApp.token=t",
                     f"--ServerApp.root_dir={folder}"]
            async with self.notebook(words, "lab/tree/live.ipynb?token=t", HOME=folder, JUPYTER_CONFIG_DIR=folder,
                                     JUPYTER_DATA_DIR=folder) as page:
                await self.run_cell(page)
                await self.steer(page)
                # The cell runs once more: its page is another one, which the first one does not disturb.
                await page.js("document.querySelector('.eulercl-live').remove()")
                await self.run_cell(page)
                await self.steer(page)

    async def run_cell(self, page):
        """Press Shift and Enter, until the kernel has begun."""
        for _ in range(20):
            with contextlib.suppress(AssertionError):
                await page.js("document.querySelector('.jp-Dialog .jp-mod-accept')?.click()")  # the choice of a kernel
                await page.until("(document.querySelector('.jp-Notebook .cm-content')?.focus(), "
                                 "document.activeElement.className.includes('cm-content'))", 3)
                for kind in ("keyDown", "keyUp"):
                    await page.call("Input.dispatchKeyEvent", type=kind, key="Enter", code="Enter",
                                    windowsVirtualKeyCode=13, modifiers=8)
                await page.until("document.querySelector('.eulercl-live .status')?.textContent.startsWith('t =')", 5)
                return
        self.fail("the cell did not run")

    @unittest.skipUnless(MARIMO, "needs marimo")
    async def test_marimo(self):
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            path = pathlib.Path(folder, "live.py")
            path.write_text("import marimo\napp = marimo.App()\n\n\n@app.cell\ndef _():\n"
                            + "".join(f"    {line}\n" for line in NOTEBOOK.split("\n")) + "    return\n")
            async with self.notebook([MARIMO, "run", str(path), "--headless", "--no-token", "--port", "{port}"], "",
                                     HOME=folder) as page:
                await page.until(f"{ROOT}.querySelector('.status')?.textContent.startsWith('t =')", 60)
                await self.steer(page)


if __name__ == "__main__":
    # A shell starts what it leaves running without this signal.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    unittest.main()
