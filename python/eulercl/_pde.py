# SPDX-License-Identifier: BSD-2-Clause
"""Equations as text become a problem's file."""
import functools
import math
import os
import weakref
from collections.abc import Mapping

import numpy as np

from ._binding import ffi, lib
from ._boundary import Sides
from ._compile import Source
from ._formula import grammar, in_c, words
from ._library import InvalidError, call
from ._operators import AXES
from ._place import Place
from ._problem import Problem
from ._quantities import Quantities
from ._values import check_memory, coefficient, empty, is_number, shown, whole

# What was compiled, by its text, for as long as it is used.
_compiled = weakref.WeakValueDictionary()


class PDE(Problem):
    """A problem from equations as text.

    Parameters
    ----------
    equations : dict of str
        For each unknown the formula of its derivative. It may contain ``+ - * / **``, numbers,
        comparisons with ``and``, ``or``, ``not`` in ``a if u > 0 else b`` or ``where(u > 0, a, b)``,
        the unknowns, the parameters, the quantities of `let`, the time ``t``, the column, row and
        plane ``x``, ``y`` and ``z`` of the point (from 0; with `extent` its place), and these functions.
        Operators of any expression: ``laplace(u)`` is the sum of the neighbours along the axes minus
        their number times the point; ``d_dx(u)``, ``d_dy(u)`` and ``d_dz(u)`` are half the difference of
        two neighbours, ``d2_dx2(u)``, ``d2_dy2(u)`` and ``d2_dz2(u)`` second differences;
        ``gradient_squared(u)``, ``dot(grad(u), grad(v))``; ``div(D*grad(u))`` is the balance of the fluxes
        through the faces of a point, where D has its mean, with ``mean="harmonic"`` its harmonic one;
        ``div(a, b)`` (three dimensions: ``div(a, b, c)``) is that of the fluxes along the axes;
        ``shift(u, 1, 0)`` is the value one column to the right (``shift(u, 1)`` in one dimension,
        ``shift(u, 1, 0, 0)`` in three).
        ``sqrt abs floor fma minimum maximum exp exp2 expm1 log log2 log1p pow sin cos tan asin acos
        atan atan2 sinh cosh tanh cbrt hypot erf`` have the same bits on every device. A power with a
        whole exponent from 0 to 16 is a product from left to right.
    grid : int or tuple
        The shape of the grid: nx, (ny, nx) or (nz, ny, nx), as of NumPy's arrays.
    boundary : {"fixed", "clamp", "mirror", "periodic"} or dict
        Values beyond the grid: 0, those of the nearest point, those of the mirrored or of the
        periodically continued grid. A dictionary has a rule for each side, or a dictionary of sides
        for each unknown. Sides are ``"x-"`` or ``"left"``, ``"x+"`` or ``"right"``, ``"y-"`` or
        ``"bottom"`` (row 0), ``"y+"`` or ``"top"``, ``"z-"`` or ``"back"`` (plane 0), ``"z+"`` or
        ``"front"``, ``"x"``, ``"y"`` and ``"z"`` for both ends of an axis, and ``"*"`` for all others.
        Rules are ``{"value": u}``, ``{"derivative": du/dn}`` with n outwards, ``{"mixed": (a, g)}`` for
        du/dn + a u = g, and the four names; a name needs no dictionary.
        "dirichlet", "neumann" and "robin" are other words for the first three. The values are numbers,
        formulas of ``t``, the parameters (of an array its values at the last points), and the places
        along the side (not ``x`` on sides of x), or arrays with a value for each point of a side. In
        corners a side of y decides, or one of z.
    parameters : dict, optional
        Numbers, and arrays of the shape of the grid, which are fields. `Problem.set` can change both.
    initial : dict, optional
        For each unknown a number, an array of the shape of the grid, or a function of the columns x
        (and rows y, and planes z; with `extent` of places), which gets an array for each; 0 by default.
    let : dict of str, optional
        Quantities with names: formulas like those of equations, which equations and other quantities
        contain by their names.
    centred : {"nodes", "cells"}
        Where the walls are, to which rules refer. "nodes": at the last points, that of a value one
        point beyond. "cells": half the distance of two points beyond the last ones.
    dx : float or tuple of float
        The distance of neighbouring points, along x, y and z if there are several, in the unit of length
        of derivatives in `boundary`. Formulas of `equations` do not use it: there the distance is 1.
    extent : float, tuple of float or list of (float, float)
        The lengths of the axes, L, (Lx, Ly) or (Lx, Ly, Lz), or their ends, (x0, x1) or [(x0, x1),
        (y0, y1), ...], instead of `dx`. All formulas are then those of lengths: x is a place, and operators
        divide by distances. The ends are walls of cells, the first and last points of nodes, and a
        period of a periodic axis.
    mask : array of bool, optional
        True for obstacles, which keep their values. Nothing flows through their faces: ``laplace`` and
        ``div`` leave these out. Other operators of unknowns are errors. It is a field, too:
        ``pde.set("mask", array)``.
    still : array of bool, optional
        True for points that keep their values, which their neighbours read.

    Attributes
    ----------
    source : str
        The problem's file. It contains no values of parameters, so that equations are compiled once
        for all values.

    Raises
    ------
    EquationError
        A formula that cannot be translated.
    InvalidError
        A name, a shape or a value that is not allowed, or a rule of `boundary` that cannot be
        translated.
    """

    def __init__(self, equations, *, grid, boundary="fixed", parameters=None, initial=None,
                 let=None, centred="nodes", dx=None, extent=None, mask=None, still=None):
        self._grid = self._check_grid(grid)
        for what, values in [("equations", equations), ("parameters", parameters), ("initial", initial),
                             ("let", let)]:
            if not isinstance(values, Mapping) and (values is not None or what == "equations"):
                raise InvalidError(f"{what}: {shown(values)} is not a dictionary of values by names",
                                   "INVALID")
        if not equations:
            raise InvalidError("equations: at least one is needed", "INVALID")
        unknowns, parameters, initial = list(equations), dict(parameters or {}), dict(initial or {})
        self._unknowns = tuple(unknowns)
        self._marks = {name: self._mark(name, value) for name, value in (("mask", mask), ("still", still))
                       if value is not None}
        self._check_names([*unknowns, *parameters, *(let or {}), *self._marks])
        self._sides = boundary if isinstance(boundary, Sides) else Sides(boundary, unknowns, len(self._grid))
        self._place = Place(self._grid, dx, extent, centred, self._sides)
        self._equations, self._let = self._texts(equations), self._texts(let or {})
        for name in initial:
            if name not in unknowns:
                raise InvalidError(f"initial: {shown(name)} is not one of the unknowns "
                                   f"{', '.join(unknowns)}", "INVALID")
        constants, fields = {}, {}
        for name, value in parameters.items():
            if is_number(value):
                constants[name] = coefficient(f"parameter {name}", value)
            else:
                fields[name] = self._on_grid(f"parameter {name}", value)
        fields |= self._marks | self._sides.fields(self._grid)
        # A run has two states besides, of at least 4 bytes for each unknown.
        check_memory("grid", math.prod(self._grid) * (len(fields) + 2 * len(unknowns)) * 8)
        self._constants = tuple(constants)
        start = empty("initial", self.shape)
        for component, name in enumerate(unknowns):
            start[..., component] = self._start(name, initial.get(name, 0))
        self._quantities = Quantities(
            self._equations, self._let, fields, constants, self._place, self._sides.taken, mask is not None)
        self.source = self._write(list(fields), list(constants))
        self._compile()
        self._set_all(constants | fields)
        call(lib.eulercl_problem_set_initial, self._problem, lib.EULERCL_DOUBLE, ffi.from_buffer(start))

    def _compile(self):
        """Compile the equations, unless they are in use already."""
        key = (self.source, os.environ.get("CC"))
        source = _compiled.get(key) or Source("equations.c", self.source)
        self._begin(source)
        _compiled[key] = source

    def _copy_values(self, problem):
        super()._copy_values(problem)
        call(lib.eulercl_problem_set_initial, problem, lib.EULERCL_DOUBLE,
             ffi.from_buffer(self.initial()))

    def __reduce__(self):
        start, fields = self.initial(), self.fields
        made = functools.partial(
            type(self), grid=self._grid, boundary=self._sides, let=self._let, **self._place.given,
            parameters=self.parameters | {name: one for name, one in fields.items()
                                          if name not in self._marks and not name.endswith("_")},
            **{name: fields[name] for name in self._marks},
            initial={name: start[..., component] for component, name in enumerate(self._unknowns)})
        return made, (self._equations,)

    def _mark(self, name, value):
        """Return the array that says which points are obstacles, or keep their values."""
        if is_number(value):
            raise InvalidError(f"{name}: {shown(value)} is not an array of the shape of the grid", "INVALID")
        return self._on_grid(name, value)

    @staticmethod
    def _check_grid(grid):
        shape = grid if isinstance(grid, tuple) else (grid,)
        if len(shape) not in (1, 2, 3):
            raise InvalidError(f"grid: {shown(grid)} is not nx, (ny, nx) or (nz, ny, nx)", "INVALID")
        return tuple(whole("grid", extent, 1, 2**62) for extent in shape)

    @staticmethod
    def _texts(formulas):
        """Return formulas as texts."""
        return {name: text if isinstance(text, str) else repr(coefficient(f"equation of {name}", text))
                for name, text in formulas.items()}

    @staticmethod
    def _check_names(names):
        for name in names:
            if not isinstance(name, str) or not name.isidentifier() or not name.isascii():
                raise InvalidError(f"{name!r} is not a name", "INVALID")
            if name in words or name in grammar:
                raise InvalidError(f"the name '{name}' has another meaning in formulas", "INVALID")
            if "_" in (name[0], name[-1]):
                raise InvalidError(f"the name '{name}' begins or ends with _", "INVALID")
            if names.count(name) > 1:
                raise InvalidError(f"the name '{name}' is that of two things: unknowns, parameters, "
                                   "quantities of let, mask and still have names of their own", "INVALID")

    def _in_library(self, name):
        return in_c(name, self._sides.taken) if isinstance(name, str) and name in self._constants else name

    @property
    def parameters(self):
        """dict : the values of the parameters that are numbers."""
        values = super().parameters
        return {name: values[in_c(name, self._sides.taken)] for name in self._constants}

    def _start(self, name, value):
        if callable(value):
            check_memory("grid", math.prod(self._grid) * len(self._grid) * 8)
            value = value(*self._axes(np))
        return coefficient(f"initial {name}", value) if is_number(value) \
            else self._on_grid(f"initial {name}", value)

    def _axes(self, xp):
        """Return arrays of the places of points: x, y and z."""
        places = [self._place.along(axis, xp) for axis in reversed(range(len(self._grid)))]
        return xp.meshgrid(*places, indexing="ij")[::-1]

    @property
    def component_names(self):
        """tuple of str : the unknowns."""
        return self._unknowns

    @property
    def shape(self):
        """tuple : of a state: (nx, unknowns), (ny, nx, unknowns) or (nz, ny, nx, unknowns)."""
        return (*self._grid, len(self._unknowns))

    def _write(self, fields, constants):
        rank, unknowns, taken = len(self._grid), list(self._equations), self._sides.taken
        place, body, radius = self._place, self._quantities.body(), self._quantities.radius
        sides = self._sides.write(unknowns, fields, constants, place, radius)
        head = [
            "#define ODE_NAME pde",
            '#define ODE_TITLE "equations from Python"',
            f"#define ODE_GRID {rank}",
            f"#define ODE_COMPONENTS {len(unknowns)}",
            *sides,
            "#define ODE_CENTRED ODE_CELLS" if place.is_in_cells else "",
            "#define ODE_SPACING " + ", ".join(f"REAL({one!r})" for one in place.spacing)
            if self._sides.name is None and set(place.spacing) != {1} else "",
            f"#define ODE_RADIUS {radius}",
            *(f"#define ODE_N{axis.upper()} {n}" for axis, n in zip(AXES, reversed(self._grid))),
            "#define ODE_FIELDS(FIELD) " + " ".join(f"FIELD({name})" for name in fields) if fields else "",
            "#define ODE_OBSTACLE FIELD(mask) != 0" if "mask" in self._marks else "",
            "#define ODE_STILL FIELD(still) != 0" if "still" in self._marks else "",
            # The same text for all values, so that it is compiled once.
            "#define ODE_PARAMETERS(REAL, INTEGER) " + " ".join(
                f'REAL({in_c(name, taken)}, 1, -1e300, 1e300, "", "")' for name in constants)
            if constants else "",
            *place.macros(),
            "#include <eulercl/ode_problem.h>",
        ]
        blocks = [("ODE_POINT_RHS", body),
                  # The values come from Python.
                  ("ODE_INITIAL", [f"Y0({c}) = 0;" for c in range(len(unknowns))])]
        lines = [line for line in head if line]
        for word, body in blocks:
            lines += [f"{word}(", *(f"    {line}" for line in body), ")"]
        return "\n".join(lines) + "\n"

    def __repr__(self):
        return f"<eulercl.PDE on {' x '.join(map(str, self._grid))} points, {self.parameters}>"
