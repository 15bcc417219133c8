# SPDX-License-Identifier: BSD-2-Clause
"""Equations as text become a function of arrays, for solvers that work on NumPy's or JAX's."""
import ast
import copy
import functools
import importlib
import math

import numpy as np

from ._formula import without_keywords
from ._operators import AXES


def _power(base, exponent, xp):
    """Return a power as the translation to C computes it: NumPy's own is much slower."""
    if isinstance(exponent, float) and exponent == 0.5:
        return xp.sqrt(base)
    if isinstance(exponent, int) and 0 < abs(exponent) <= 16:
        product = functools.reduce(lambda a, b: a * b, [base] * abs(exponent))
        return 1 / product if exponent < 0 else product
    return xp.power(base, exponent)


def _erf(a, xp):
    """Return erf, which is not in numpy itself."""
    if xp is np:
        return np.vectorize(math.erf, otypes=[float])(a)
    return importlib.import_module(xp.__name__.replace("numpy", "scipy.special")).erf(a)


def _ghost(rule, values, inwards, d, h, is_in_cells):
    """Return the ghosts d points beyond a side, where inwards(k) are the values k points from the end:
    the formulas of doc/design/boundaries.md."""
    if rule.kind == "fixed":
        return 0.0
    if rule.kind == "clamp":
        return inwards(0)
    if rule.kind == "value" and not is_in_cells:
        return values[0] if d == 1 else 2 * values[0] - inwards(d - 2)
    image, apart = (inwards(d - 1), (2 * d - 1) * h) if is_in_cells else (inwards(d), 2 * d * h)
    if rule.kind == "value":
        return 2 * values[0] - image
    if rule.kind == "derivative":
        return image + apart * values[0]
    if rule.kind == "mixed" and is_in_cells:
        a, g = values
        return (2 * apart * g + (2 - apart * a) * image) / (2 + apart * a)
    if rule.kind == "mixed":
        a, g = values
        return image + apart * (g - a * inwards(0))
    return image


def along_axis(values, axis):
    """Return the values of places along x, y or z, number 0, 1 or 2, as an array with that axis."""
    return values.reshape(-1, *[1] * axis)


class _Beyond:
    """Grids with their ghosts on all sides. The ends of x come first, then those of y with the ghosts
    of x, then those of z with the ghosts of both."""

    def __init__(self, pde, names, xp, with_ends):
        self.pde, self.names, self.xp, self.with_ends = pde, names, xp, with_ends
        rules = {rule for rules in pde._sides.rules.values() for rule in rules}
        self.field_names = list(pde.fields)
        known = [*names, *self.field_names]
        self.codes = {text: _compiled(text, known)[0] for rule in rules for text in rule.texts}
        self.stand_in = _compiled("0", known)[1]

    def fields(self, axis, is_high):
        """Return the arrays at the last points of a side, with the ghosts of the axes before it."""
        radius, found = self.pde._quantities.radius, {}
        along = len(self.pde._grid) - 1 - AXES.index(axis)
        for name in self.field_names:
            whole = self.with_ends(name)
            last = whole.shape[along] - 1 - radius if is_high else radius
            found[name] = whole[(slice(radius, -radius),) * along + (slice(last, last + 1),)]
        return found

    def place(self, axis):
        """Return the names of the places along a side of this axis, with those of ghosts before it."""
        radius, place, found = self.pde._quantities.radius, self.pde._place, {}
        for number, name in enumerate(AXES[:len(self.pde._grid)]):
            ghosts = radius if name < axis else 0
            if name != axis:
                found[name] = along_axis(place.along(number, self.xp, -ghosts, 2 * ghosts), number)
        return found

    def __call__(self, t, u, component):
        """Return the values of an unknown with those beyond, as many points as formulas read."""
        pde, radius = self.pde, self.pde._quantities.radius
        for number, letter in enumerate(AXES[:u.ndim]):
            axis, n = u.ndim - 1 - number, u.shape[u.ndim - 1 - number]
            common = {**self.names, "t": t, **self.place(letter)}

            def point(i, u=u, axis=axis):
                return u[(slice(None),) * axis + (slice(i, i + 1),)]

            ends = []
            for is_high in (False, True):
                rule = pde._sides.rules[f"{letter}{'-+'[is_high]}"][component]
                here = {**common, **(self.fields(letter, is_high) if rule.texts else {})}
                here.update({word: here[name] for word, name in self.stand_in.items()})
                values = [eval(self.codes[text], here) for text in rule.texts]
                inwards = (lambda k: point(n - 1 - k)) if is_high else point
                ghosts = []
                for d in range(1, radius + 1):
                    if rule.kind == "periodic":
                        ghost = point((n - 1 + d if is_high else -d) % n)
                    else:
                        ghost = _ghost(rule, values, inwards, d, pde._place.spacing[number],
                                       pde._place.is_in_cells)
                    ghosts.append(self.xp.broadcast_to(ghost, point(0).shape))
                ends.append(ghosts)
            u = self.xp.concatenate([*ends[0][::-1], u, *ends[1]], axis)
        return u


class _ForArrays(ast.NodeTransformer):
    """Conditions and powers, which Python's operators do not compute for arrays; values at other
    points."""

    @staticmethod
    def call(name, *arguments):
        return ast.Call(ast.Name(name, ast.Load()), list(arguments), [])

    def visit_IfExp(self, node):
        self.generic_visit(node)
        return self.call("where", node.test, node.body, node.orelse)

    def visit_BoolOp(self, node):
        self.generic_visit(node)
        name = "and_" if isinstance(node.op, ast.And) else "or_"
        return functools.reduce(lambda a, b: self.call(name, a, b), node.values)

    def visit_Compare(self, node):
        self.generic_visit(node)
        values = [node.left, *node.comparators]
        pairs = [ast.Compare(a, [operator], [b])
                 for operator, a, b in zip(node.ops, values, values[1:])]
        return functools.reduce(lambda a, b: self.call("and_", a, b), pairs)

    def visit_Read(self, node):
        return self.call("at_", *map(ast.Constant, (node.name, *node.offsets)))

    def visit_Laplace(self, node):
        return self.visit(node.plain)

    def visit_Mean(self, node):
        return self.call(node.word, self.visit(node.a), self.visit(node.b))

    def visit_Through(self, node):
        return self.call("through_", *map(ast.Constant, node.offsets), self.visit(node.value))

    def visit_UnaryOp(self, node):
        self.generic_visit(node)
        return self.call("not_", node.operand) if isinstance(node.op, ast.Not) else node

    def visit_BinOp(self, node):
        self.generic_visit(node)
        return self.call("power_", node.left, node.right) if isinstance(node.op, ast.Pow) else node


def _code(tree):
    """Return the code of a formula's tree for arrays."""
    tree = _ForArrays().visit(copy.deepcopy(tree))
    return compile(ast.fix_missing_locations(ast.Expression(tree)), "formula", "eval")


def _compiled(text, names):
    """Return the code of a rule's formula for arrays, and what its words stand for."""
    text, stand_in = without_keywords(text, names)
    return _code(ast.parse(f"({text})", mode="eval").body), stand_in


class _Values:
    """The values of unknowns, arrays, coordinates and quantities at other points, for one state."""

    def __init__(self, pde, xp, names, codes, field_at):
        self.pde, self.xp, self.names, self.codes, self.field_at = pde, xp, names, codes, field_at

    def of(self, t, y, beyond):
        """Return a function from names and offsets to values."""
        unknowns, radius = self.pde.component_names, self.pde._quantities.radius

        @functools.cache
        def with_ghosts(name):
            component = unknowns.index(name)
            return beyond(t, y[..., component], component)

        @functools.cache
        def at(name, *offsets):
            if name in unknowns:
                return _part(with_ghosts(name), offsets, radius, self.pde._grid) if any(offsets) \
                    else y[..., unknowns.index(name)]
            if name in self.codes:
                here = {**self.names, "t": t}
                here["at_"] = lambda other, *more: at(other, *(a + b for a, b in zip(offsets, more)))
                return eval(self.codes[name], here)
            return self.field_at(name, *offsets)
        return at


def _part(u, offsets, beyond, shape):
    """Return the values some points away, from an array with `beyond` points more at each end."""
    return u[tuple(slice(beyond + distance, beyond + distance + n)
                   for distance, n in zip(reversed(offsets), shape))]


def array_function(pde, xp):
    """Return f(t, y) for arrays y of the shape of a state.

    Parameters
    ----------
    pde : PDE
        Its parameters are those of now.
    xp : module
        numpy or jax.numpy.
    """
    rank, quantities, fields = len(pde._grid), pde._quantities, pde.fields

    # Arrays of NumPy: those that JAX makes within f would belong to one of its traces.
    @functools.cache
    def with_ends(name):
        """Return an array with the values that stand beyond its ends."""
        whole = fields[name]
        for axis, letter in enumerate(AXES[:rank]):
            width = [(0, 0)] * rank
            width[rank - 1 - axis] = (quantities.radius, quantities.radius)
            whole = np.pad(whole, width, mode="wrap" if pde._sides.is_periodic(letter) else "edge")
        return whole

    @functools.cache
    def field_at(name, *offsets):
        """Return the values of an array or a coordinate at other points."""
        if name in fields:
            return _part(with_ends(name), offsets, quantities.radius, pde._grid)
        axis = AXES.index(name)
        return np.broadcast_to(along_axis(pde._place.along(axis, np, offsets[axis]), axis), pde._grid)

    @functools.cache
    def is_open(*offsets):
        """Return whether the faces towards neighbours are open: neither point is an obstacle."""
        return (field_at("mask", *[0] * rank) == 0) & (field_at("mask", *offsets) == 0)

    def harmonic_mean(a, b):
        parts = [xp.where(part == 0, xp.inf, 1 / xp.where(part == 0, 1, part)) for part in (a, b)]
        return 2 / (parts[0] + parts[1])

    names = {
        **pde.parameters, "power_": lambda a, b: _power(a, b, xp),
        "ARITHMETIC_MEAN": lambda a, b: a / 2 + b / 2, "HARMONIC_MEAN": harmonic_mean,
        "through_": lambda *arguments: xp.where(is_open(*arguments[:-1]), arguments[-1], 0),
        "and_": xp.logical_and, "or_": xp.logical_or, "not_": xp.logical_not,
        "fma": lambda a, b, c: a * b + c, "pow": xp.power, "fabs": xp.abs, "fmin": xp.minimum,
        "fmax": xp.maximum, "asin": xp.arcsin, "acos": xp.arccos, "atan": xp.arctan,
        "atan2": xp.arctan2, "erf": functools.partial(_erf, xp=xp), **{name: getattr(xp, name) for name in (
            "where", "sqrt", "abs", "floor", "minimum", "maximum", "exp", "exp2", "expm1", "log",
            "log2", "log1p", "sin", "cos", "tan", "sinh", "cosh", "tanh", "cbrt", "hypot")}}
    for translator in quantities.translators.values():
        names.update({word: names[name] for word, name in translator.stand_in.items() if name in names})
    codes = {name: _code(tree) for name, tree in quantities.trees.items()}
    rates_of = [_code(tree) for tree in quantities.equations.values()]
    beyond, values = _Beyond(pde, names, xp, with_ends), _Values(pde, xp, names, codes, field_at)

    def f(t, y):
        here = {**names, "t": t, "at_": values.of(t, y, beyond)}
        rates = [eval(code, here) for code in rates_of]
        for name in pde._marks:
            rates = [xp.where(fields[name] == 0, rate, 0) for rate in rates]
        return xp.stack([xp.broadcast_to(rate, pde._grid) for rate in rates], -1)

    return f
