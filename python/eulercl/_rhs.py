# SPDX-License-Identifier: BSD-2-Clause
"""Equations as text become a function of arrays, for solvers that work on NumPy's or JAX's."""
import ast
import functools
import importlib
import math

import numpy as np

from ._pde import without_keywords


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


def _inside(i, n, boundary):
    """Return the point whose value point i beyond the grid has."""
    if boundary == "clamp":
        return min(max(i, 0), n - 1)
    if boundary == "mirror":
        return -i if i < 0 else 2 * (n - 1) - i
    return i % n


def _shifted(u, distance, axis, boundary, xp):
    """Return the values this number of points further along an axis."""
    if distance == 0:
        return u
    n = u.shape[axis]

    def part(first, last):
        return u[(slice(None),) * axis + (slice(first, last),)]

    beyond = range(n, n + distance) if distance > 0 else range(distance, 0)
    if boundary == "fixed":
        edge = [xp.zeros_like(part(0, 1))] * abs(distance)
    else:
        edge = [part(i, i + 1) for i in (_inside(i, n, boundary) for i in beyond)]
    rest = part(distance, n) if distance > 0 else part(0, max(n + distance, 0))
    return xp.concatenate([rest, *edge] if distance > 0 else [*edge, rest], axis)


class _ForArrays(ast.NodeTransformer):
    """Conditions and powers, which Python's operators do not compute for arrays."""

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

    def visit_UnaryOp(self, node):
        self.generic_visit(node)
        return self.call("not_", node.operand) if isinstance(node.op, ast.Not) else node

    def visit_BinOp(self, node):
        self.generic_visit(node)
        return self.call("power_", node.left, node.right) if isinstance(node.op, ast.Pow) else node


def array_function(pde, xp):
    """Return f(t, y) for arrays y of the shape of a state.

    Parameters
    ----------
    pde : PDE
        Its parameters are those of now.
    xp : module
        numpy or jax.numpy.
    """
    boundary, rank, unknowns = pde._boundary, len(pde._grid), pde.component_names
    shifted = functools.partial(_shifted, boundary=boundary, xp=xp)

    def shift(u, *offsets):
        for axis, distance in enumerate(reversed(offsets)):
            u = shifted(u, distance, axis)
        return u

    def difference(u, axis):
        return (shifted(u, 1, axis) - shifted(u, -1, axis)) / 2

    def laplace(u):
        return sum(shifted(u, 1, axis) + shifted(u, -1, axis) for axis in range(rank)) - 2 * rank * u

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
    codes, stand_in = [], {}
    for text in pde._equations.values():
        text, stand_in = without_keywords(text, [*unknowns, *names])
        tree = _ForArrays().visit(ast.parse(f"({text})", mode="eval"))
        codes.append(compile(ast.fix_missing_locations(tree), "equation", "eval"))

    def f(t, y):
        here = {**names, "t": t, **{name: y[..., c] for c, name in enumerate(unknowns)}}
        here.update({word: here[name] for word, name in stand_in.items()})
        rates = [eval(code, here) for code in codes]
        return xp.stack([xp.broadcast_to(rate, pde._grid) for rate in rates], -1)

    return f
