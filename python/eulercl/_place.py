# SPDX-License-Identifier: BSD-2-Clause
"""Where the points of a grid are."""
import math

import numpy as np

from ._library import InvalidError
from ._operators import AXES, MOST_RADIUS
from ._values import coefficient, is_number, reals, shown


def _fail(what, reason):
    raise InvalidError(f"{what}: {reason}", "INVALID")


def _distances(dx, rank):
    """Return the distances of neighbouring points along the axes."""
    values = [coefficient("dx", dx)] * rank if is_number(dx) else reals("dx", dx)
    if not is_number(dx) and values.shape != (rank,):
        _fail("dx", f"{shown(dx)} is neither a number nor one for each axis: dx, dy, dz")
    values = tuple(map(float, values))
    if not all(math.isfinite(one) and one > 0 for one in values):
        _fail("dx", f"{shown(dx)} is not greater than 0, and finite")
    return values


def _ends(extent, rank):
    """Return the two ends of each axis."""
    values = reals("extent", [extent] if is_number(extent) else extent)
    if values.shape == (rank,):
        values = np.stack([np.zeros(rank), values], -1)
    elif values.shape == (2,) and rank == 1:
        values = values[None]
    if values.shape != (rank, 2):
        lengths, ends = [("L", "(x0, x1)"), ("(Lx, Ly)", "[(x0, x1), (y0, y1)]"),
                         ("(Lx, Ly, Lz)", "[(x0, x1), (y0, y1), (z0, z1)]")][rank - 1]
        _fail("extent", f"{shown(extent)} is neither {lengths} nor {ends}")
    if not np.isfinite(values).all() or (values[:, 0] >= values[:, 1]).any():
        _fail("extent", f"{shown(extent)}: the lengths are not greater than 0, and finite")
    return values.tolist()


class Place:
    """The places of points: indices from 0, or lengths if `extent` is given.

    Attributes
    ----------
    spacing : tuple of float
        The distance of neighbouring points along x, y and z, in the unit of rules of sides.
    spacing_of_formulas : tuple of float or None
        The same for operators of formulas; None where these count points.
    given : dict
        The arguments of a `PDE` that make the same places.
    """

    def __init__(self, shape, dx, extent, centred, sides):
        if not isinstance(centred, str) or centred not in ("nodes", "cells"):
            _fail("centred", f"{shown(centred)} is neither 'nodes' nor 'cells'")
        self.rank, self.counts, self.sides = len(shape), shape[::-1], sides
        self.is_in_cells = centred == "cells"
        self._used = set()
        if extent is None:
            self.spacing, self.spacing_of_formulas = _distances(1 if dx is None else dx, self.rank), None
            self._first, self.given = None, {"centred": centred, "dx": self.spacing}
            return
        if dx is not None:
            _fail("dx", "extent says the distance of points already")
        spacing, first, ends = [], [], _ends(extent, self.rank)
        self.given = {"centred": centred, "extent": ends}
        for axis, (n, (low, high)) in enumerate(zip(self.counts, ends)):
            is_open = not self.is_in_cells and not sides.is_periodic(AXES[axis])
            if is_open and n == 1:
                _fail("extent", f"one point along {AXES[axis]} has no distance to a next one")
            spacing.append((high - low) / (n - 1 if is_open else n))
            first.append(low + spacing[-1] / 2 if self.is_in_cells else low)
        self.spacing = self.spacing_of_formulas = tuple(spacing)
        self._first = tuple(first)

    def along(self, axis, xp, first=0, more=0):
        """Return the places of the points of an axis, or of `more` points, from number `first` on."""
        n = self.counts[axis]
        index = xp.arange(first, first + n + more, dtype=float)
        if self.sides.is_periodic(AXES[axis]):
            index = index % n
        return index if self._first is None else self._first[axis] + self.spacing[axis] * index

    def in_c(self, name, offset):
        """Return the expression of a coordinate some points away."""
        if offset == 0 and self._first is None:
            return f"(ode_real)i{name}"
        self._used.add(name)
        return f"{name}_at_({offset})"

    def macros(self):
        """Return the lines of macros that expressions use."""
        lines = []
        for axis, name in enumerate(AXES):
            if name not in self._used:
                continue
            there = index = f"i{name} + (d{name}_)"
            if self.sides.is_periodic(name) and self.counts[axis] <= MOST_RADIUS:
                index = f"(({there}) % n{name} + n{name}) % n{name}"  # it may go round several times
            elif self.sides.is_periodic(name):
                index = f"{there} < 0 ? {there} + n{name} : {there} < n{name} ? {there} : {there} - n{name}"
            value = f"(ode_real)({index})"
            if self._first is not None:
                value = f"REAL({self._first[axis]!r}) + REAL({self.spacing[axis]!r}) * {value}"
            lines.append(f"#define {name}_at_(d{name}_) ({value})")
        return lines
