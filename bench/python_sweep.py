# SPDX-License-Identifier: BSD-2-Clause
"""A sweep of 64 Gray-Scott systems of 64 x 64 points against one system of 512 x 512 points: the same
points and steps. All start from a pattern that has developed, side by side in the large system: around a
spot in an empty field v would be subnormal, in another share of the points of each size. Prints
milliseconds, the least of five runs after one that is not counted."""
import time

import numpy as np

import eulercl


def gray_scott(m):
    """Return the problem on m x m points, with a spot in the middle."""
    def spot(x, y):
        return np.hypot(x - m / 2, y - m / 2) < m / 8
    return eulercl.PDE(
        {"u": "Du*laplace(u) - u*v*v + F*(1 - u)", "v": "Dv*laplace(v) + u*v*v - (F + k)*v"},
        grid=(m, m), boundary="periodic", parameters=dict(F=0.037, k=0.06, Du=0.2, Dv=0.1),
        initial={"u": lambda x, y: 1 - 0.5 * spot(x, y), "v": lambda x, y: 0.25 * spot(x, y)})


def best(run):
    """Return the least milliseconds."""
    run()
    seconds = []
    for _ in range(5):
        start = time.perf_counter()
        run()
        seconds.append(time.perf_counter() - start)
    return 1e3 * min(seconds)


small, large = gray_scott(64), gray_scott(512)
pattern = eulercl.solve(small, (0, 5000), h=1.0).y[-1]
patterns = np.tile(pattern, (8, 8, 1))
values = dict(F=np.linspace(0.036, 0.038, 8), k=np.linspace(0.0595, 0.0605, 8))  # no pattern dies
print("precision  steps  sweep, 1 thread  sweep, 2 threads  one system, 1 thread")
for steps in (100, 1000):
    for precision in ("float", "double"):
        times = [best(lambda: eulercl.sweep(small, (0, steps), pattern, h=1.0, precision=precision,
                                            workers=workers, **values)) for workers in (1, 2)]
        times.append(best(lambda: eulercl.solve(large, (0, steps), patterns, h=1.0, precision=precision,
                                                backend="cpu")))
        print(f"{precision:9s}  {steps:5d}  {times[0]:15.1f}  {times[1]:16.1f}  {times[2]:20.1f}")
