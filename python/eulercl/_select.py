# SPDX-License-Identifier: BSD-2-Clause
"""Parts of states: a value for each block of points, and points that satisfy a condition."""
import itertools
import re

import numpy as np

from ._binding import ffi, lib
from ._library import InvalidError, text
from ._values import characters, empty, shown, whole


def component_of(component, names):
    """Return the number of a component, which may be given by its name."""
    if isinstance(component, str):
        if component not in names:
            raise InvalidError(f"no unknown is called {shown(component)} ({', '.join(names)})", "INVALID")
        return names.index(component)
    return whole("component", component, 0)


def ranges_of(region, grid):
    """Return for each axis of a grid what a region has of it: a point, or a range of points."""
    parts, ranges = region if isinstance(region, tuple) else (region,), []
    if len(parts) > len(grid):
        raise InvalidError(f"region: {shown(region)} has more axes than the grid, which has {len(grid)}", "INVALID")
    for part, extent in itertools.zip_longest(parts, grid, fillvalue=slice(None)):
        try:
            chosen = range(extent)[part]
        except (IndexError, TypeError, ValueError):
            chosen = ()
        if chosen == () or isinstance(chosen, range) and (not chosen or chosen.step != 1):
            raise InvalidError(f"region: {shown(part)} is neither one of the points 0 to {extent - 1} nor a slice of "
                               "neighbouring ones", "INVALID")
        ranges.append(chosen)
    return ranges


class Thinning:
    """How states of a shape are thinned."""

    def __init__(self, names, shape, component, n, mode, smoothing, region=()):
        modes = []
        while (name := lib.eulercl_thin_mode_name(len(modes))) != ffi.NULL:
            modes.append(text(name))
        if mode not in modes:
            raise InvalidError(f"thin: {shown(mode)} is not one of {', '.join(modes)}", "INVALID")
        self.component, self.mode = component_of(component, names), modes.index(mode)
        self.n, self.smoothing = whole("n", n, 1), whole("smoothing", smoothing, 0)
        ranges = ranges_of(region, shape[:-1] or shape)  # the general form has no axis of components
        self.shape = tuple(-(-len(chosen) // self.n) for chosen in ranges if isinstance(chosen, range))
        self.region = ffi.new("eulercl_region *", {"first": [0, 0, 0], "counts": [1, 1, 1]})
        for axis, chosen in enumerate(reversed(ranges)):
            is_range = isinstance(chosen, range)
            self.region.first[axis] = chosen.start if is_range else chosen
            self.region.counts[axis] = len(chosen) if is_range else 1

    def find(self, solver, values=None):
        """Return the thinned present state of a solver, in an array of `shape` if there is one."""
        values = empty("thin", self.shape, np.float64) if values is None else values
        solver._call(lib.eulercl_thin, self.region, self.component, self.n, self.mode, self.smoothing,
                     ffi.from_buffer("double[]", values), values.size)
        return values


class Extracted:
    """Points that satisfy a condition.

    Attributes
    ----------
    condition : str
    points : array of shape (count, axes)
        Their places, as indices of the grid in the order of its axes: (iz, iy, ix), (iy, ix) or (ix).
    values : array of shape (count,)
    """

    def __init__(self, condition, points, values):
        self.condition, self.points, self.values = condition, points, values

    def __len__(self):
        return len(self.values)

    def __repr__(self):
        return f"<eulercl.Extracted: {self.condition}, {len(self)} points>"


def extract(solver, names, shape, condition):
    """Return the points of the present state of a solver that satisfy a condition."""
    if not isinstance(condition, str):
        raise InvalidError(f"extract: {shown(condition)} is not a text", "INVALID")
    name = re.match(r"\s*(\w*)", condition)
    number = names.index(name[1]) if name[1] in names else name[1]
    count, points, values = ffi.new("int64_t *"), ffi.new("int64_t **"), ffi.new("double **")
    solver._call(lib.eulercl_extract, characters("a condition", f"{number}{condition[name.end():]}"),
                 count, points, values)
    with ffi.gc(points[0], lib.eulercl_free) as numbers, ffi.gc(values[0], lib.eulercl_free) as found:
        places = np.frombuffer(ffi.buffer(numbers, 8 * count[0]), np.int64)
        kept = np.frombuffer(ffi.buffer(found, 8 * count[0]), np.float64).copy()
        indices = np.stack(np.unravel_index(places, shape[:-1] or shape), axis=1)
    return Extracted(condition, indices, kept)
