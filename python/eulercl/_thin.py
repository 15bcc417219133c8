# SPDX-License-Identifier: BSD-2-Clause
"""Thinned states: a value for each block of points."""
import numpy as np

from ._binding import ffi, lib
from ._library import InvalidError, text
from ._values import empty, shown, whole


def component_of(component, names):
    """Return the number of a component, which may be given by its name."""
    if isinstance(component, str):
        if component not in names:
            raise InvalidError(f"no unknown is called {shown(component)} ({', '.join(names)})", "INVALID")
        return names.index(component)
    return whole("component", component, 0)


class Thinning:
    """How states of a shape are thinned."""

    def __init__(self, names, shape, component, n, mode):
        modes = []
        while (name := lib.eulercl_thin_mode_name(len(modes))) != ffi.NULL:
            modes.append(text(name))
        if mode not in modes:
            raise InvalidError(f"thin: {shown(mode)} is not one of {', '.join(modes)}", "INVALID")
        self.component, self.mode = component_of(component, names), modes.index(mode)
        self.n = whole("n", n, 1)
        grid = shape[:-1] or shape  # the general form has no axis of components
        self.shape = tuple(-(-extent // self.n) for extent in grid)

    def find(self, solver):
        """Return the thinned present state of a solver."""
        values = empty("thin", self.shape, np.float64)
        solver._call(lib.eulercl_thin, self.component, self.n, self.mode,
                     ffi.from_buffer("double[]", values), values.size)
        return values
