# SPDX-License-Identifier: BSD-2-Clause
"""Equations as text become a problem's file."""
import ast
import functools
import keyword
import math
import os
import re
import weakref
from collections.abc import Mapping

import numpy as np

from ._binding import ffi, lib
from ._compile import Source
from ._library import InvalidError, call
from ._problem import Problem
from ._values import check_memory, coefficient, empty, is_number, shown, whole

_functions = {"sqrt": ("sqrt", 1), "abs": ("fabs", 1), "fabs": ("fabs", 1), "floor": ("floor", 1),
              "fma": ("fma", 3), "minimum": ("fmin", 2), "maximum": ("fmax", 2),
              **{name: (name, 1) for name in (
                  "exp", "exp2", "expm1", "log", "log2", "log1p", "sin", "cos", "tan", "asin", "acos",
                  "atan", "sinh", "cosh", "tanh", "cbrt", "erf")},
              **{name: (name, 2) for name in ("atan2", "pow", "hypot", "fmin", "fmax")}}
_words = {"laplace", "d_dx", "d_dy", "shift", "where", "t", "x", "y", *_functions}
# Words of Python that formulas are made of.
_grammar = {"and", "or", "not", "if", "else"}
_operators = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/"}
_comparisons = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!="}
_boundaries = ("fixed", "clamp", "mirror", "periodic")
MOST_POWER = 16
# What was compiled, by its text, for as long as it is used.
_compiled = weakref.WeakValueDictionary()


@functools.cache
def _in_c(name):
    """Return the name of an unknown or a parameter in the text of the problem. The names of users do
    not end in _."""
    is_free = lib.eulercl_verify_name(name.encode(), ffi.NULL) == lib.EULERCL_OK
    return name if is_free else f"v_{name}_"


def without_keywords(text, names):
    """Return a formula in which words of the same length take the place of names that are keywords of
    Python, and a dictionary of what they stand for. No name of the user's begins with _."""
    stand_in = {"_" * (len(name) - 1) + chr(ord("a") + k): name
                for k, name in enumerate(filter(keyword.iskeyword, names))}
    for word, name in stand_in.items():
        text = re.sub(rf"\b{name}\b", word, text)
    return text, stand_in


class EquationError(InvalidError):
    """A formula that cannot be translated; the message points into its text.

    Attributes
    ----------
    equation : str
        The unknown whose formula it is.
    column : int
        Where in the text, from 0.
    """

    @classmethod
    def _at(cls, equation, text, column, reason):
        """Return the error at a place in a text."""
        line = text.replace("\n", " ")
        error = cls(f"equation of {equation}, column {column + 1}: {reason}\n"
                    f"    {line}\n    {' ' * column}^", "INVALID")
        error.equation, error.column = equation, column
        return error


class _Translator:
    """From one formula to an expression in C."""

    def __init__(self, name, text, numbers, fields, constants, rank):
        # Python's parser counts these as line breaks, too.
        self.name, self.text, self.rank = name, text.replace("\r\n", "\n").replace("\r", "\n"), rank
        self.numbers, self.fields, self.constants = numbers, fields, constants
        self.readable, self.stand_in = without_keywords(self.text, [*numbers, *fields, *constants])
        self.statements = []  # the bases of powers
        self.radius = 1

    def fail(self, node, reason):
        line = getattr(node, "lineno", 1) - 1
        before = self.text.split("\n")[:line]
        column = sum(len(one) + 1 for one in before)
        here = self.text.split("\n")[line].encode()[:getattr(node, "col_offset", 0)]
        raise EquationError._at(self.name, self.text, column + len(here.decode()), reason)

    def translate(self):
        """Return the expression of the whole formula."""
        if not self.text.strip():
            raise EquationError._at(self.name, self.text, 0, "the formula is empty")
        try:
            return self.parsed()
        except RecursionError:
            raise EquationError._at(self.name, self.text, 0, "the formula has too many operations in a "
                                "row or in each other") from None

    def parsed(self):
        """Return what `translate` does, where Python's stack is deep enough."""
        try:
            tree = ast.parse(f"({self.readable})", mode="eval")
            ast.parse(f"[{self.readable}]", mode="eval")  # not 1)+(2, whose brackets fit those added here
        except (SyntaxError, ValueError, MemoryError) as error:  # the parser has no memory: too deep
            column = max((getattr(error, "offset", None) or 2) - 2, 0)
            raise EquationError._at(self.name, self.text, min(column, len(self.text)),
                                f"not a formula: {getattr(error, 'msg', error)}") from None
        for node in ast.walk(tree):  # without the bracket that was added in front
            if getattr(node, "lineno", 0) == 1:
                node.col_offset -= 1
        return self.value(tree.body)

    def value(self, node):
        """Return the expression of a number."""
        kind = type(node).__name__
        method = getattr(self, f"_{kind.lower()}", None)
        if method is None:
            self.fail(node, f"a formula cannot contain this ({kind})")
        return method(node)

    def _constant(self, node):
        if isinstance(node.value, bool) or not isinstance(node.value, (int, float)):
            self.fail(node, f"{node.value!r} is not a number")
        try:
            number = float(node.value)
        except OverflowError:
            number = math.inf
        if not math.isfinite(number):
            self.fail(node, "the number is too large")
        return f"REAL({number!r})"

    def _name(self, node):
        name = self.stand_in.get(node.id, node.id)
        if name in self.numbers or name in self.constants:
            return _in_c(name)
        if name in self.fields:
            return f"FIELD({name})"
        if name == "t":
            return "t"
        if name == "x" or name == "y" and self.rank == 2:
            return f"(ode_real)i{name}"
        if name in _words:
            self.fail(node, f"{name} " + ("needs a grid with two dimensions" if name == "y"
                                          else "is a function; write its arguments in brackets"))
        known = [*self.numbers, *self.fields, *self.constants]
        self.fail(node, f"unknown name '{name}' (known: {', '.join(known)}, t, x"
                        f"{', y' if self.rank == 2 else ''})")

    def _unaryop(self, node):
        if isinstance(node.op, ast.USub):
            return f"(-{self.value(node.operand)})"
        if isinstance(node.op, ast.UAdd):
            return self.value(node.operand)
        self.fail(node, "expected a number, not a condition")

    def _binop(self, node):
        if isinstance(node.op, ast.Pow):
            return self._power(node)
        if type(node.op) not in _operators:
            self.fail(node, "the operators are + - * / **")
        return f"({self.value(node.left)} {_operators[type(node.op)]} {self.value(node.right)})"

    def _power(self, node):
        exponent, is_negative = node.right, False
        if isinstance(exponent, ast.UnaryOp) and isinstance(exponent.op, ast.USub):
            exponent, is_negative = exponent.operand, True
        number = exponent.value if isinstance(exponent, ast.Constant) else None
        if number == 0.5 and not is_negative:
            return f"sqrt({self.value(node.left)})"
        if type(number) is not int or number > MOST_POWER:
            return f"pow({self.value(node.left)}, {self.value(node.right)})"
        value = self.value(node.left)
        if number == 0:
            return "REAL(1.0)"
        base = f"p{len(self.statements)}_{self.name}_"  # no name of the user's ends in _
        self.statements.append(f"const ode_real {base} = {value};")
        product = " * ".join([base] * number)
        return f"(REAL(1.0) / ({product}))" if is_negative else f"({product})"

    def _ifexp(self, node):
        return f"({self.condition(node.test)} ? {self.value(node.body)} : {self.value(node.orelse)})"

    def condition(self, node):
        """Return the expression of a condition."""
        if isinstance(node, ast.BoolOp):
            sign = " && " if isinstance(node.op, ast.And) else " || "
            return f"({sign.join(map(self.condition, node.values))})"
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            return f"(!{self.condition(node.operand)})"
        if not isinstance(node, ast.Compare):
            self.fail(node, "expected a condition, such as u > 0.5")
        values = [self.value(one) for one in (node.left, *node.comparators)]
        parts = []
        for operator, left, right in zip(node.ops, values, values[1:]):
            if type(operator) not in _comparisons:
                self.fail(node, "the comparisons are < <= > >= == !=")
            parts.append(f"({left} {_comparisons[type(operator)]} {right})")
        return f"({' && '.join(parts)})"

    def _call(self, node):
        name = node.func.id if isinstance(node.func, ast.Name) else None
        if name not in _words - {"t", "x", "y"}:
            self.fail(node, f"unknown function '{ast.unparse(node.func)}' (known: "
                            f"{', '.join(sorted(_words - {'t', 'x', 'y'}))})")
        if node.keywords:
            self.fail(node, f"{name} takes no arguments with names")
        if name in _functions:
            function, count = _functions[name]
            self.expect(node, count)
            return f"{function}({', '.join(map(self.value, node.args))})"
        if name == "where":
            self.expect(node, 3)
            test, then, otherwise = node.args
            return f"({self.condition(test)} ? {self.value(then)} : {self.value(otherwise)})"
        return self.neighbours(node, name)

    def expect(self, node, count):
        if len(node.args) != count:
            self.fail(node, f"{node.func.id} takes {count} argument{'s' if count > 1 else ''}, "
                            f"not {len(node.args)}")

    def neighbours(self, node, name):
        """Return what a function of an unknown at other points is."""
        self.expect(node, 1 + self.rank if name == "shift" else 1)
        unknown = node.args[0]
        word = unknown.id if isinstance(unknown, ast.Name) else None
        if self.stand_in.get(word, word) not in self.numbers:
            self.fail(unknown, f"the first argument of {name} must be one of the unknowns "
                               f"{', '.join(self.numbers)}")
        component = self.numbers.index(self.stand_in.get(word, word))
        if name == "laplace":
            return f"LAPLACE({component})"
        if name == "shift":
            return self.at(component, [self.offset(one) for one in node.args[1:]])
        if name == "d_dy" and self.rank == 1:
            self.fail(node, "d_dy needs a grid with two dimensions")
        ahead, behind = ([1, 0], [-1, 0]) if name == "d_dx" else ([0, 1], [0, -1])
        ahead, behind = self.at(component, ahead), self.at(component, behind)
        return f"(REAL(0.5) * ({ahead} - {behind}))"

    def offset(self, node):
        try:
            value = ast.literal_eval(node)
        except (ValueError, TypeError):
            value = None
        if type(value) is not int or abs(value) > 16:
            self.fail(node, "the offsets of shift must be whole numbers from -16 to 16")
        self.radius = max(self.radius, abs(value))
        return value

    def at(self, component, offsets):
        return f"AT({', '.join(map(str, [*offsets[:self.rank], component]))})"


class PDE(Problem):
    """A problem from equations as text.

    Parameters
    ----------
    equations : dict of str
        For each unknown the formula of its derivative. It may contain ``+ - * / **``, numbers,
        comparisons with ``and``, ``or``, ``not`` in ``a if u > 0 else b`` or ``where(u > 0, a, b)``,
        the unknowns, the parameters, the time ``t``, the column and row ``x`` and ``y`` of the point
        (from 0), and these functions: ``laplace(u)`` is the sum of the neighbours along the axes
        minus 2 (two dimensions: 4) times the point; ``d_dx(u)`` and ``d_dy(u)`` are half the
        difference of two neighbours; ``shift(u, 1, 0)`` is the value one column to the right
        (``shift(u, 1)`` in one dimension); ``sqrt abs floor fma minimum maximum exp exp2 expm1 log
        log2 log1p pow sin cos tan asin acos atan atan2 sinh cosh tanh cbrt hypot erf`` have the same
        bits on every device. A power with a whole exponent from 0 to 16 is a product from left to
        right.
    grid : int or tuple
        The shape of the grid: nx, or (ny, nx), as of NumPy's arrays.
    boundary : {"fixed", "clamp", "mirror", "periodic"}
        Values beyond the grid: 0, those of the nearest point, those of the mirrored or of the
        periodically continued grid.
    parameters : dict, optional
        Numbers, and arrays of the shape of the grid, which are fields. `Problem.set` can change both.
    initial : dict, optional
        For each unknown a number, an array of the shape of the grid, or a function of the columns x
        (and rows y), which gets two arrays; 0 by default.

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
        A name, a shape or a value that is not allowed.
    """

    def __init__(self, equations, *, grid, boundary="fixed", parameters=None, initial=None):
        self._grid = self._check_grid(grid)
        if not isinstance(boundary, str) or boundary not in _boundaries:
            raise InvalidError(f"boundary: {shown(boundary)} is not one of {', '.join(_boundaries)}", "INVALID")
        for what, values in [("equations", equations), ("parameters", parameters), ("initial", initial)]:
            if not isinstance(values, Mapping) and (values is not None or what == "equations"):
                raise InvalidError(f"{what}: {shown(values)} is not a dictionary of values by names",
                                   "INVALID")
        if not equations:
            raise InvalidError("equations: at least one is needed", "INVALID")
        unknowns, parameters, initial = list(equations), dict(parameters or {}), dict(initial or {})
        self._unknowns, self._boundary = tuple(unknowns), boundary
        self._check_names([*unknowns, *parameters])
        self._equations = {name: text if isinstance(text, str) else repr(coefficient(
            f"equation of {name}", text)) for name, text in equations.items()}
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
        # A run has two states besides, of at least 4 bytes for each unknown.
        check_memory("grid", math.prod(self._grid) * (len(fields) + 2 * len(unknowns)) * 8)
        self._constants = tuple(constants)
        start = empty("initial", self.shape)
        for component, name in enumerate(unknowns):
            start[..., component] = self._start(name, initial.get(name, 0))
        self.source = self._write(self._equations, list(fields), list(constants), boundary)
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
        start = self.initial()
        made = functools.partial(
            type(self), grid=self._grid, boundary=self._boundary,
            parameters=self.parameters | self.fields,
            initial={name: start[..., component] for component, name in enumerate(self._unknowns)})
        return made, (self._equations,)

    @staticmethod
    def _check_grid(grid):
        shape = grid if isinstance(grid, tuple) else (grid,)
        if len(shape) not in (1, 2):
            raise InvalidError(f"grid: {shown(grid)} is neither nx nor (ny, nx)", "INVALID")
        return tuple(whole("grid", extent, 1, 2**62) for extent in shape)

    @staticmethod
    def _check_names(names):
        for name in names:
            if not isinstance(name, str) or not name.isidentifier() or not name.isascii():
                raise InvalidError(f"{name!r} is not a name", "INVALID")
            if name in _words or name in _grammar:
                raise InvalidError(f"the name '{name}' has another meaning in formulas", "INVALID")
            if "_" in (name[0], name[-1]):
                raise InvalidError(f"the name '{name}' begins or ends with _", "INVALID")
            if names.count(name) > 1:
                raise InvalidError(f"the name '{name}' is both an unknown and a parameter", "INVALID")

    def _in_library(self, name):
        return _in_c(name) if isinstance(name, str) and name in self._constants else name

    @property
    def parameters(self):
        """dict : the values of the parameters that are numbers."""
        values = super().parameters
        return {name: values[_in_c(name)] for name in self._constants}

    def _start(self, name, value):
        if callable(value):
            check_memory("grid", math.prod(self._grid) * len(self._grid) * 8)
            axes = np.meshgrid(*(np.arange(n, dtype=float) for n in self._grid), indexing="ij")[::-1]
            value = value(*axes)
        return coefficient(f"initial {name}", value) if is_number(value) \
            else self._on_grid(f"initial {name}", value)

    @property
    def component_names(self):
        """tuple of str : the unknowns."""
        return self._unknowns

    @property
    def shape(self):
        """tuple : of a state: (ny, nx, unknowns) or (nx, unknowns)."""
        return (*self._grid, len(self._unknowns))

    def _write(self, equations, fields, constants, boundary):
        rank, unknowns = len(self._grid), list(equations)
        statements, rates, radius = [], [], 1
        for component, (name, text) in enumerate(equations.items()):
            one = _Translator(name, text, unknowns, fields, constants, rank)
            rates.append(f"DOT({component}) = {one.translate()};")
            statements += one.statements
            radius = max(radius, one.radius)
        at = "0, " * rank
        values = [f"const ode_real {_in_c(name)} = AT({at}{c});" for c, name in enumerate(unknowns)]
        head = [
            "#define ODE_NAME pde",
            '#define ODE_TITLE "equations from Python"',
            f"#define ODE_GRID {rank}",
            f"#define ODE_COMPONENTS {len(unknowns)}",
            f"#define ODE_BOUNDARY ODE_{boundary.upper()}",
            f"#define ODE_RADIUS {radius}",
            f"#define ODE_NX {self._grid[-1]}",
            f"#define ODE_NY {self._grid[0]}" if rank == 2 else "",
            "#define ODE_FIELDS(FIELD) " + " ".join(f"FIELD({name})" for name in fields) if fields else "",
            # The same text for all values, so that it is compiled once.
            "#define ODE_PARAMETERS(REAL, INTEGER) " + " ".join(
                f'REAL({_in_c(name)}, 1, -1e300, 1e300, "", "")' for name in constants)
            if constants else "",
            "#include <eulercl/ode_problem.h>",
        ]
        blocks = [("ODE_POINT_RHS", [*values, *statements, *rates]),
                  # The values come from Python.
                  ("ODE_INITIAL", [f"Y0({c}) = 0;" for c in range(len(unknowns))])]
        lines = [line for line in head if line]
        for word, body in blocks:
            lines += [f"{word}(", *(f"    {line}" for line in body), ")"]
        return "\n".join(lines) + "\n"

    def __repr__(self):
        return f"<eulercl.PDE on {' x '.join(map(str, self._grid))} points, {self.parameters}>"
