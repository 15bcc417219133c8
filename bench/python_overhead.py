# SPDX-License-Identifier: BSD-2-Clause
"""The time that Python adds. It prints the time of `solve` of BRUSS2D with 80,000 components and 1,000 steps beside
the command's kernel and transfer time, and the times of programs of a few lines: the import alone, and the
import and one step of equations as text that are compiled for the first time, and again. EULERCL names
the command (default: eulercl on the path). Milliseconds, the least of many."""
import json
import math
import os
import subprocess
import sys
import tempfile
import time

import eulercl

COMMAND = os.environ.get("EULERCL", "eulercl")
TEXT = """import eulercl
pde = eulercl.PDE({"u": "1 + u**2*v - 4.4*u + 2*laplace(u)", "v": "3.4*u - u**2*v + 2*laplace(v)"},
                  grid=(200, 200), boundary="mirror", initial={"u": 1, "v": 2})
eulercl.solve(pde, (0, 1e-3), h=1e-3)"""


def command(backend):
    """Return the milliseconds of the command's steps and transfers."""
    output = subprocess.run(
        [COMMAND, "solve", "bruss2d", "-p", "m=200", "--steps", "1000", "--backend", backend, "--json"],
        check=True, capture_output=True).stdout
    seconds = json.loads(output)["seconds"]
    return 1e3 * sum(seconds[name] for name in ("upload", "kernel", "download"))


def python(backend):
    """Return the milliseconds of solve, with all that belongs to it, on the wall."""
    problem = eulercl.Problem("bruss2d", m=200)
    start = time.perf_counter()
    solution = eulercl.solve(problem, (0, 0.1), h=1e-4, backend=backend)
    assert solution.statistics["steps"] == 1000
    return 1e3 * (time.perf_counter() - start)


def process(text):
    """Return the milliseconds of a program in Python, from the start of its process to the end."""
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", text], check=True)
    return 1e3 * (time.perf_counter() - start)


def compiled(is_new):
    """Return the milliseconds of TEXT with an empty cache, or with one that contains the problem."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_CACHE_HOME"] = folder
        first = process(TEXT)
        return first if is_new else process(TEXT)


for backend in ("cpu", "auto"):
    # Runs take turns of five, because the machine's speed changes; a run after one of the other kind
    # finds cold caches, as no second run in a program does.
    least = [math.inf, math.inf]
    for _ in range(15):
        for place, run in enumerate((command, python)):
            least[place] = min(least[place], *(run(backend) for _ in range(5)))
    print(f"{backend:5s} command {least[0]:8.2f}   solve {least[1]:8.2f}   {least[1] / least[0] - 1:+.1%}")
for name, run in [("Python alone", lambda: process("")), ("import numpy", lambda: process("import numpy")),
                  ("import eulercl", lambda: process("import eulercl")),
                  ("first start", lambda: compiled(True)), ("second start", lambda: compiled(False))]:
    print(f"{name:15s} {min(run() for _ in range(5)):7.0f}")
