# SPDX-License-Identifier: BSD-2-Clause
"""Tests of live views: runs that are steered and their replay, pages and hostile messages, the server, and
the page in Chromium. EULERCL names the command, EULERCL_TEST_SOURCES the folder of the sources."""
import asyncio
import base64
import contextlib
import copy
import importlib.util
import json
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

import numpy as np

import eulercl
from eulercl._live import MOST_MESSAGES, Session, _bytes_of, _thin
from eulercl._steered import Steered, replay

SOURCES = pathlib.Path(os.environ.get("EULERCL_TEST_SOURCES", pathlib.Path(__file__).resolve().parents[2]))
COMMAND = os.environ.get("EULERCL", "eulercl")
GRAY_SCOTT = str(SOURCES / "examples/gray_scott.c")
SEED = int(os.environ.get("EULERCL_TEST_SEED", "2012"))
HAS_SERVER = importlib.util.find_spec("aiohttp") is not None
BROWSER = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


def gray_scott(**parameters):
    return eulercl.Problem(GRAY_SCOTT, **{"m": 40} | parameters)


def has_opencl():
    try:
        eulercl.Solver(eulercl.Problem("string", points=20), backend="cl-linear").close()
    except eulercl.EulerclError as error:
        return "without OpenCL" not in str(error)
    return True


class Pictures(unittest.TestCase):
    """Thinned values, and bytes."""

    def test_thin(self):
        random_values = np.random.default_rng(SEED)
        for shape in ((1, 1), (1, 17), (7, 12), (13, 5)):
            values = random_values.normal(size=shape)
            for n in (1, 2, 3, 20):
                for mode, function in (("mean", np.mean), ("max", np.max)):
                    wanted = [[function(values[i:i + n, j:j + n]) for j in range(0, shape[1], n)]
                              for i in range(0, shape[0], n)]
                    with self.subTest(shape=shape, n=n, mode=mode):
                        np.testing.assert_allclose(_thin(values, n, mode), wanted, rtol=1e-13)

    def test_bytes(self):
        values = np.array([[0.0, 1.0, 0.5, -3.0, 9.0, np.nan, np.inf, -np.inf]])
        self.assertEqual(_bytes_of(values, 0.0, 1.0).tolist(), [[0, 254, 127, 0, 254, 255, 255, 255]])
        self.assertEqual(_bytes_of(values, 2.0, 2.0)[0, 0], 0)
        self.assertEqual(_bytes_of(np.full((1, 2), np.nan), np.inf, -np.inf).tolist(), [[255, 255]])
        self.assertEqual(_bytes_of(np.array([[-1e308, 1e308]]), -1e308, 1e308).shape, (1, 2))


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
            history = json.loads(json.dumps(run.history | {"steps": run.steps}))
            for backend in backends:
                again = replay(history, gray_scott(), backend=backend)
                self.addCleanup(again.close)
                with self.subTest(settings=settings, backend=backend):
                    self.assertEqual(again.solver.state_hash, run.solver.state_hash)
                    self.assertEqual(again.solver.t, run.solver.t)

    def test_replay_errors(self):
        run = self.steered()
        run.advance(3)
        run.set("F", 0.05)
        history = run.history | {"steps": 5}
        replay(history, gray_scott()).close()
        for key, value in (("text", "other"), ("steps", None), ("events", [{}]), ("events", 5), ("settings", 1),
                           ("steps", 1), ("h", "x"), ("parameters", {"F": None}), ("parameters", None)):
            with self.subTest(key=key), self.assertRaises(eulercl.EulerclError):
                replay(history | {key: value}, gray_scott())
        for wrong in ({}, [], None, 5):
            with self.subTest(wrong=wrong), self.assertRaises(eulercl.EulerclError):
                replay(wrong, gray_scott())

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
        page.send(type="view", component=1, low=0, high=1, width=20, height=64)
        frame, data = page.frame(lambda frame, state: not state["playing"] and frame["width"] == 20)
        with eulercl.Solver(gray_scott(), h=1.0, backend="seq") as solver:
            solver.advance(frame["steps"])
            wanted = _bytes_of(_thin(solver.state[..., 1], 2, "mean"), 0.0, 1.0)
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

    def test_probe_and_slices(self):
        grid = np.arange(4 * 5 * 6.0).reshape(4, 5, 6)
        problem = eulercl.PDE({"u": "0"}, grid=(4, 5, 6), initial={"u": grid})
        page = FakePage(self.session(problem))
        page.send(type="play", on=False)
        page.send(type="probe", place=[3, 2, 1])
        frame, _ = page.frame(lambda frame, state: frame["probe"])
        self.assertEqual(frame["probe"], [grid[1, 2, 3]])
        for axis, cut in ((2, grid[1]), (1, grid[:, 1]), (0, grid[:, :, 1])):
            page.send(type="view", axis=axis, index=1, low=0, high=254)
            frame, data = page.frame(lambda frame, state: frame["size"] == [cut.shape[1], cut.shape[0]])
            self.assertEqual(list(data), cut.ravel().astype(int).tolist())

    def test_unstable(self):
        """A step size that becomes too large is told, the page never shows NaN, and the button helps."""
        page = FakePage(self.session())
        page.frame(lambda frame, state: state["limit"] and frame["steps"] > 50)
        page.send(type="set", name="Du", value=0.9)
        frame, _ = page.frame(lambda frame, state: state["notice"])
        notice = frame["state"]["notice"]
        self.assertIn("unstable", notice["text"])
        self.assertFalse(frame["state"]["playing"])
        page.send(**notice["fixes"][0]["message"])
        frame, _ = page.frame(lambda frame, state: state["playing"] and not state["notice"] and state["h"] < 0.6)
        steps = frame["steps"]
        page.frame(lambda frame, state: frame["steps"] > steps + 400)
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
            for words, status in ((["--replay", path, other], 2), (["--replay", path], 2),
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

    def test_flood(self):
        session = self.session(gray_scott(m=400))
        page = FakePage(session)
        page.frame()
        taken = 0
        with session._wake:  # the thread waits
            while page.send(type="play") and taken < 10 * MOST_MESSAGES:
                taken += 1
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


if __name__ == "__main__":
    # A shell starts what it leaves running without this signal.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    unittest.main()
