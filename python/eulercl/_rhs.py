# SPDX-License-Identifier: BSD-2-Clause
"""Equations as text become a function of arrays, for solvers that work on NumPy's or JAX's."""
import ast
import functools
import importlib
import math

import numpy as np

from ._formula import without_keywords


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


class _Beyond:
    """Grids with their ghosts on all sides. The ends of x come first, then those of y with the ghosts of x."""

    def __init__(self, pde, names, xp):
        self.pde, self.names, self.xp = pde, names, xp
        rules = {rule for rules in pde._sides.rules.values() for rule in rules}
        self.codes = {text: _compiled(text, names)[0] for rule in rules for text in rule.texts}
        self.stand_in = _compiled("0", names)[1]

    def place(self, axis):
        """Return the names of the places along a side of this axis."""
        if len(self.pde._grid) == 1:
            return {}
        if axis == "x":
            return {"y": self.xp.arange(self.pde._grid[0], dtype=float)[:, None]}
        nx, radius = self.pde._grid[1], self.pde._radius
        columns = self.xp.arange(-radius, nx + radius, dtype=float)
        return {"x": (columns % nx if self.pde._sides.is_periodic("x") else columns)[None, :]}

    def __call__(self, t, u, component):
        """Return the values of an unknown with those beyond, as many points as formulas read."""
        pde, radius = self.pde, self.pde._radius
        for number, letter in enumerate("xy"[:u.ndim]):
            axis, n = u.ndim - 1 - number, u.shape[u.ndim - 1 - number]
            here = {**self.names, "t": t, **self.place(letter)}
            here.update({word: here[name] for word, name in self.stand_in.items()})

            def point(i, u=u, axis=axis):
                return u[(slice(None),) * axis + (slice(i, i + 1),)]

            ends = []
            for is_high in (False, True):
                rule = pde._sides.rules[f"{letter}{'-+'[is_high]}"][component]
                values = [eval(self.codes[text], here) for text in rule.texts]
                inwards = (lambda k: point(n - 1 - k)) if is_high else point
                ghosts = []
                for d in range(1, radius + 1):
                    if rule.kind == "periodic":
                        ghost = point((n - 1 + d if is_high else -d) % n)
                    else:
                        ghost = _ghost(rule, values, inwards, d, pde._dx[number], pde._centred == "cells")
                    ghosts.append(self.xp.broadcast_to(ghost, point(0).shape))
                ends.append(ghosts)
            u = self.xp.concatenate([*ends[0][::-1], u, *ends[1]], axis)
        return u


class _ForArrays(ast.NodeTransformer):
    """Conditions and powers, which Python's operators do not compute for arrays; ghosts of unknowns."""

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

    def visit_Call(self, node):
        self.generic_visit(node)
        if node.func.id in ("laplace", "shift", "d_dx", "d_dy"):
            node.args[0] = self.call("beyond_", ast.Constant(node.args[0].id))
        return node

    def visit_UnaryOp(self, node):
        self.generic_visit(node)
        return self.call("not_", node.operand) if isinstance(node.op, ast.Not) else node

    def visit_BinOp(self, node):
        self.generic_visit(node)
        return self.call("power_", node.left, node.right) if isinstance(node.op, ast.Pow) else node


def _compiled(text, names):
    """Return the code of a formula for arrays, and what its words stand for."""
    text, stand_in = without_keywords(text, names)
    tree = _ForArrays().visit(ast.parse(f"({text})", mode="eval"))
    return compile(ast.fix_missing_locations(tree), "formula", "eval"), stand_in


def array_function(pde, xp):
    """Return f(t, y) for arrays y of the shape of a state.

    Parameters
    ----------
    pde : PDE
        Its parameters are those of now.
    xp : module
        numpy or jax.numpy.
    """
    rank, unknowns, radius = len(pde._grid), pde.component_names, pde._radius

    def shift(u, *offsets):
        """Return a part of a grid with its ghosts."""
        return u[tuple(slice(radius + distance, radius + distance + n)
                       for distance, n in zip(reversed(offsets), pde._grid))]

    def along(u, axis, distance):
        return shift(u, *(distance * (one == axis) for one in reversed(range(rank))))

    def difference(u, axis):
        return (along(u, axis, 1) - along(u, axis, -1)) / 2

    def laplace(u):
        return sum(along(u, axis, 1) + along(u, axis, -1) for axis in range(rank)) \
            - 2 * rank * shift(u, *[0] * rank)

    axes = xp.meshgrid(*(xp.arange(n, dtype=float) for n in pde._grid), indexing="ij")[::-1]
    names = {
        **dict(zip("xy", axes)), **pde.parameters,
        **{name: xp.asarray(field) for name, field in pde.fields.items()},
        "laplace": laplace, "shift": shift, "d_dx": lambda u: difference(u, rank - 1),
        "d_dy": lambda u: difference(u, 0), "power_": lambda a, b: _power(a, b, xp),
        "and_": xp.logical_and, "or_": xp.logical_or, "not_": xp.logical_not,
        "fma": lambda a, b, c: a * b + c, "pow": xp.power, "fabs": xp.abs, "fmin": xp.minimum,
        "fmax": xp.maximum, "asin": xp.arcsin, "acos": xp.arccos, "atan": xp.arctan,
        "atan2": xp.arctan2, "erf": functools.partial(_erf, xp=xp), **{name: getattr(xp, name) for name in (
            "where", "sqrt", "abs", "floor", "minimum", "maximum", "exp", "exp2", "expm1", "log",
            "log2", "log1p", "sin", "cos", "tan", "sinh", "cosh", "tanh", "cbrt", "hypot")}}
    # The unknowns of functions of neighbours have ghosts.
    compiled = [_compiled(text, [*unknowns, *names]) for text in pde._equations.values()]
    codes, stand_in = [code for code, _ in compiled], compiled[0][1]
    beyond = _Beyond(pde, names, xp)

    def f(t, y):
        here = {**names, "t": t, **{name: y[..., c] for c, name in enumerate(unknowns)}}
        here.update({word: here[name] for word, name in stand_in.items()})
        here["beyond_"] = functools.cache(lambda name: beyond(
            t, here[name], unknowns.index(stand_in.get(name, name))))
        rates = [eval(code, here) for code in codes]
        return xp.stack([xp.broadcast_to(rate, pde._grid) for rate in rates], -1)

    return f
