# SPDX-License-Identifier: BSD-2-Clause
"""Formulas become expressions in C."""
import ast
import functools
import keyword
import math
import re

from ._binding import ffi, lib
from ._library import InvalidError
from ._operators import AXES, Operators, Read, added, grid_with, in_words, operators

functions = {"sqrt": ("sqrt", 1), "abs": ("fabs", 1), "fabs": ("fabs", 1), "floor": ("floor", 1),
              "fma": ("fma", 3), "minimum": ("fmin", 2), "maximum": ("fmax", 2),
              **{name: (name, 1) for name in (
                  "exp", "exp2", "expm1", "log", "log2", "log1p", "sin", "cos", "tan", "asin", "acos",
                  "atan", "sinh", "cosh", "tanh", "cbrt", "erf")},
              **{name: (name, 2) for name in ("atan2", "pow", "hypot", "fmin", "fmax")}}
words = {"where", "t", *AXES, *functions, *operators}
# Words of Python that formulas are made of.
grammar = {"and", "or", "not", "if", "else"}
_operators = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/"}
_comparisons = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!="}
MOST_POWER = 16


@functools.cache
def in_c(name, taken=()):
    """Return the name of an unknown or a parameter in the text of the problem, where others are taken
    besides. The names of users do not end in _."""
    is_free = lib.eulercl_verify_name(name.encode(), ffi.NULL) == lib.EULERCL_OK
    return name if is_free and name not in taken else f"v_{name}_"


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


class Translator:
    """From one formula to an expression in C."""

    def __init__(self, name, text, numbers, fields, constants, rank, taken, quantities):
        self.taken = taken  # names that the text of the problem cannot give to unknowns and parameters
        # Python's parser counts these as line breaks, too.
        self.text = in_words(text.replace("\r\n", "\n").replace("\r", "\n"))
        self.name, self.rank, self.quantities = name, rank, quantities
        self.numbers, self.fields, self.constants = numbers, fields, constants
        self.known = [*numbers, *fields, *constants, *(quantities.let if quantities else ())]
        self.readable, self.stand_in = without_keywords(self.text, self.known)
        self.statements, self.powers = [], 0  # the bases of powers
        self.offsets = (0,) * rank  # of the point whose values the expressions have

    def error(self, column, reason):
        """Return the error at a place in the text."""
        return EquationError._at(self.name, self.text, column, reason)

    def fail(self, node, reason):
        line = getattr(node, "lineno", 1) - 1
        before = self.text.split("\n")[:line]
        column = sum(len(one) + 1 for one in before)
        here = self.text.split("\n")[line].encode()[:getattr(node, "col_offset", 0)]
        raise self.error(column + len(here.decode()), reason)

    def tree(self):
        """Return the formula as a tree whose values are taken from points."""
        return self.guarded(lambda: Operators(self, self.quantities).visit(self.parsed()))

    def shown(self, node):
        """Return the text of a part of the formula."""
        text = ast.unparse(node)
        for word, name in self.stand_in.items():
            text = text.replace(word, name)
        return text

    def line(self, target, tree, offsets):
        """Return the statements that set a variable or a derivative to a tree's value at a point."""
        self.offsets = offsets
        value = self.guarded(lambda: self.value(tree))
        statements, self.statements = self.statements, []
        return [*statements, f"{target} = {value};"]

    def guarded(self, function):
        """Return what a function returns, where Python's stack is deep enough."""
        if not self.text.strip():
            raise self.error(0, "the formula is empty")
        try:
            return function()
        except RecursionError:
            raise self.error(0, "the formula has too many operations in a row or in each other") from None

    def parsed(self):
        """Return Python's tree of the formula."""
        try:
            tree = ast.parse(f"({self.readable})", mode="eval")
            ast.parse(f"[{self.readable}]", mode="eval")  # not 1)+(2, whose brackets fit those added here
        except (SyntaxError, ValueError, MemoryError) as error:  # the parser has no memory: too deep
            column = max((getattr(error, "offset", None) or 2) - 2, 0)
            raise self.error(min(column, len(self.text)),
                             f"not a formula: {getattr(error, 'msg', error)}") from None
        for node in ast.walk(tree):  # without the bracket that was added in front
            if getattr(node, "lineno", 0) == 1:
                node.col_offset -= 1
        return tree.body

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
        if name in self.constants:
            return in_c(name, self.taken)
        if name == "t":
            return "t"
        if name in words:
            self.fail(node, f"{name} needs {grid_with(AXES.index(name))}" if name in AXES
                      else f"{name} is a function; write its arguments in brackets")
        self.fail(node, f"unknown name '{name}' (known: "
                        f"{', '.join([*self.known, 't', *AXES[:self.rank]])})")

    def _read(self, node):
        return self.quantities.in_c(node.name, added(self.offsets, node.offsets))

    def _laplace(self, node):
        is_word = node.name in self.numbers and not any(self.offsets)
        return f"{node.word}({self.numbers.index(node.name)})" if is_word else self.value(node.plain)

    def _mean(self, node):
        return f"{node.word}({self.value(node.a)}, {self.value(node.b)})"

    def _through(self, node):
        if any(self.offsets):
            raise self.error(0, "with a mask, laplace and div cannot stand in what is read at other points")
        return f"(OPEN({', '.join(map(str, node.offsets))}) ? {self.value(node.value)} : REAL(0.0))"

    def _unaryop(self, node):
        if isinstance(node.op, ast.USub):
            return f"(-{self.value(node.operand)})"
        if isinstance(node.op, ast.UAdd):
            return self.value(node.operand)
        self.fail(node, "expected a number, not a condition")

    def _binop(self, node):
        if isinstance(node.op, ast.Pow):
            return self._power(node)
        if isinstance(node.op, ast.BitXor):
            self.fail(node, "a power is **, not ^")
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
        product = " * ".join([self.once(node, value)] * number)
        return f"(REAL(1.0) / ({product}))" if is_negative else f"({product})"

    def once(self, node, value):
        """Return what stands for the base of a power, which is computed once."""
        if isinstance(node.left, Read):
            return value
        base = f"p{self.powers}_{self.name}_"  # no name of the user's ends in _
        self.powers += 1
        self.statements.append(f"const ode_real {base} = {value};")
        return base

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
        if name not in words - {"t", *AXES}:
            self.fail(node, f"unknown function '{ast.unparse(node.func)}' (known: "
                            f"{', '.join(sorted(words - {'t', *AXES}))})")
        if node.keywords:
            self.fail(node, f"{name} takes no arguments with names")
        if name in functions:
            function, count = functions[name]
            self.expect(node, count)
            return f"{function}({', '.join(map(self.value, node.args))})"
        self.expect(node, 3)
        test, then, otherwise = node.args
        return f"({self.condition(test)} ? {self.value(then)} : {self.value(otherwise)})"

    def expect(self, node, count):
        if len(node.args) != count:
            self.fail(node, f"{node.func.id} takes {count} argument{'s' if count > 1 else ''}, "
                            f"not {len(node.args)}")
