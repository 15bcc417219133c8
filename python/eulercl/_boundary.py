# SPDX-License-Identifier: BSD-2-Clause
"""What stands beyond the sides of a grid: rules in py-pde's words become those of a problem's file."""
import ast
import typing
from collections.abc import Mapping

import numpy as np

from ._formula import Translator, in_c, words
from ._library import InvalidError
from ._operators import AXES, grid_with, operators
from ._values import coefficient, is_number, reals, shown

NAMES = ("fixed", "clamp", "mirror", "periodic")
# Words of py-pde for rules with values.
_kinds = {"value": "value", "dirichlet": "value", "derivative": "derivative", "neumann": "derivative",
          "mixed": "mixed", "robin": "mixed", "value_expression": "value",
          "derivative_expression": "derivative", "mixed_expression": "mixed"}
_in_file = {"x-": "X_LOW", "x+": "X_HIGH", "y-": "Y_LOW", "y+": "Y_HIGH", "z-": "Z_LOW",
            "z+": "Z_HIGH"}
_aliases = {"left": "x-", "right": "x+", "bottom": "y-", "top": "y+", "back": "z-", "front": "z+"}
_side_words = {**{side: (side,) for side in _in_file}, **{word: (side,) for word, side in _aliases.items()},
               **{axis: (f"{axis}-", f"{axis}+") for axis in AXES}, "*": ()}
# Names that a file with rules of sides cannot give to unknowns and parameters.
TAKEN = ("c", "IN", "d")
MOST_CHARACTERS = 4000


class Rule(typing.NamedTuple):
    """What one unknown does at one side."""

    kind: str
    texts: tuple = ()  # value: (u,), derivative: (du/dn,), mixed: (a, g)


def _fail(what, reason):
    raise InvalidError(f"{what}: {reason}", "INVALID")


def _formula(what, value):
    if isinstance(value, str):
        return str(value)
    return repr(coefficient(what, value)) if is_number(value) else reals(what, value)


def _rule(what, value):
    """Return the rule that a user wrote."""
    if isinstance(value, str):
        if value in NAMES:
            return Rule(value)
        value = {value: 0}
    if not isinstance(value, Mapping):
        _fail(what, f"{shown(value)} is no rule, such as {{'value': 'sin(t)'}}, or a name such as 'mirror'")
    parts = dict(value)
    if "type" in parts:
        word, number = parts.pop("type"), parts.pop("value", 0)
    else:
        word = next((key for key in parts if key != "const"), None)
        number = parts.pop(word, 0)
    kind = _kinds.get(word) if isinstance(word, str) else None
    if kind is None:
        _fail(what, f"the rule {shown(word)} is not one of {', '.join([*_kinds, *NAMES])}")
    has_constant, constant = "const" in parts, parts.pop("const", 0)
    if parts:
        _fail(what, f"{shown(next(iter(parts)))} does not belong to the rule '{word}'")
    if kind != "mixed":
        if has_constant:
            _fail(what, f"'const' does not belong to the rule '{word}'")
        return Rule(kind, (_formula(what, number),))
    if isinstance(number, (tuple, list)):
        if len(number) != 2 or has_constant:
            _fail(what, f"{shown(value)} is not {{'{word}': (a, g)}}, which means du/dn + a u = g")
        number, constant = number
    return Rule(kind, (_formula(what, number), _formula(what, constant)))


def _one_unknown(what, given, rank):
    """Return the rules of an unknown by sides."""
    sides = list(_in_file)[:2 * rank]
    if isinstance(given, str):
        given = {"*": given}
    if not isinstance(given, Mapping):
        _fail(what, f"{shown(given)} is no dictionary of rules by sides")
    if given and all(isinstance(key, str) and key in (*_kinds, "type", "const") for key in given):
        given = {"*": given}  # one rule
    rules = {}
    for word, value in given.items():
        if not isinstance(word, str) or word not in _side_words:
            _fail(what, f"{shown(word)} is not one of the sides {', '.join(_side_words)}")
        for side in _side_words[word]:
            if side not in sides:
                _fail(what, f"'{word}' is a side of {grid_with(AXES.index(side[0]))}")
            if side in rules:
                _fail(what, f"the side {side} has two rules")
            rules[side] = _rule(f"{what}, {word}", value)
    for side in sides:
        if side not in rules and "*" not in given:
            _fail(what, f"the side {side} has no rule; '*' is for all others")
    others = _rule(f"{what}, *", given["*"]) if "*" in given else None
    return {side: rules.get(side, others) for side in sides}


class Sides:
    """The rules of all sides.

    Attributes
    ----------
    name : str or None
        The word of a rule that holds everywhere.
    rules : dict of list of Rule
        By side, for each unknown.
    """

    def __init__(self, given, unknowns, rank):
        what, sides = "boundary", list(_in_file)[:2 * rank]
        self.name = given if isinstance(given, str) else None
        if self.name is not None and self.name not in NAMES:
            _fail(what, f"{shown(given)} is not one of {', '.join(NAMES)}, or a dictionary of sides")
        if self.name is None and not isinstance(given, Mapping):
            _fail(what, f"{shown(given)} is neither one of {', '.join(NAMES)} nor a dictionary of sides")
        is_by_unknown = self.name is None and any(
            key in unknowns and key not in _side_words for key in given)
        if is_by_unknown:
            for key in given:
                if key not in unknowns:
                    _fail(what, f"{shown(key)} is not one of the unknowns {', '.join(unknowns)}")
            for unknown in unknowns:
                if unknown not in given:
                    _fail(what, f"the unknown {unknown} has no rules")
            each = [_one_unknown(f"boundary of {name}", given[name], rank) for name in unknowns]
        else:
            each = [_one_unknown(what, given, rank)] * len(unknowns)
        self.rules = {side: [rules[side] for rules in each] for side in sides}
        for axis in AXES[:rank]:
            kinds = [rule.kind for side in sides if side[0] == axis for rule in self.rules[side]]
            if "periodic" in kinds and set(kinds) != {"periodic"}:
                _fail(what, f"an axis is periodic at both ends, for all unknowns: {axis}")
        self._names = {}
        self._arrays = {}
        for side, each in self.rules.items():
            self.rules[side] = [Rule(rule.kind, tuple(
                text if isinstance(text, str) else self._named(side, text) for text in rule.texts))
                for rule in each]

    def _named(self, side, values):
        """Return the name of the field that has an array of a rule. No name of the user's ends in _."""
        name = self._names.setdefault((side, id(values)), f"{_in_file[side].lower()}{len(self._names)}_")
        self._arrays[name] = side, values
        return name

    def fields(self, shape):
        """Return the fields that have the arrays of rules at their sides, by names."""
        fields = {}
        for name, (side, values) in self._arrays.items():
            across = len(shape) - 1 - AXES.index(side[0])
            wanted = tuple(n for axis, n in enumerate(shape) if axis != across)
            if values.shape != wanted or not wanted:
                there = "is one point: write a number" if not wanted \
                    else f"has {wanted[0]} points" if len(wanted) == 1 else f"has the shape {wanted}"
                _fail(f"boundary, {side}", f"an array of the shape {values.shape}, but the side {there}")
            field = np.zeros(shape)
            field[(slice(None),) * across + (-1 if side[1] == "+" else 0,)] = values
            fields[name] = field
        return fields

    @property
    def taken(self):
        """Names that belong to the rules in the text of the problem."""
        return () if self.name else TAKEN

    def is_periodic(self, axis):
        """Return whether an axis, "x", "y" or "z", is."""
        return self.rules[f"{axis}-"][0].kind == "periodic"

    def write(self, unknowns, fields, constants, place, radius):
        """Return lines of the problem's file."""
        if self.name:
            return [f"#define ODE_BOUNDARY ODE_{self.name.upper()}"]
        rank = len(self.rules) // 2
        lines = [f"#define ODE_PERIODIC_{axis.upper()} 1" for axis in AXES[:rank] if self.is_periodic(axis)]
        rules = []
        for side, each in self.rules.items():
            if each[0].kind == "periodic":
                continue
            texts = [tuple(_ForSide(side, unknowns, name, text, fields, constants, place).translate()
                           for text in rule.texts) for name, rule in zip(unknowns, each)]
            distance = f"REAL({place.spacing[AXES.index(side[0])]!r})"
            kinds = [rule.kind for rule in each]
            rules.append(f"    SIDE({_in_file[side]}, "
                         f"{_in_c_file(kinds, texts, distance, radius, place.is_in_cells)})")
        if rules:
            lines += " \\\n".join(["#define ODE_SIDES(SIDE)", *rules]).split("\n")
        return lines


def _by_component(texts):
    """Return the expression for each component."""
    if len(set(texts)) == 1:
        return texts[0]
    return f"({''.join(f'c == {c} ? {text} : ' for c, text in enumerate(texts[:-1]))}{texts[-1]})"


def _in_c_file(kinds, texts, distance, radius, is_in_cells):
    """Return the rule of a side in the words of ode_problem.h."""
    if len(set(kinds)) > 1:  # the formulas of doc/design/boundaries.md
        ghosts = [_ghost(kind, one, distance, radius, is_in_cells) for kind, one in zip(kinds, texts)]
        values = [one[-1] if one else "REAL(0.0)" for one in texts]
        return f"ODE_GHOST_OF({_by_component(values)}, {_by_component(ghosts)})"
    values = [_by_component(values) for values in zip(*texts)]
    if kinds[0] == "value":
        return f"ODE_VALUE({values[0]})"
    if kinds[0] == "derivative":
        return f"ODE_GRADIENT({values[0]})"
    if kinds[0] == "mixed":
        return f"ODE_ROBIN({values[0]}, 1, {values[1]})"
    return {"mirror": "ODE_MIRROR_SIDE", "clamp": "ODE_CLAMP_SIDE", "fixed": "ODE_GHOST(REAL(0.0))"}[kinds[0]]


def _ghost(kind, texts, distance, radius, is_in_cells):
    """Return the expression of a ghost, which has the bits of the rule's own word. ODE_G is what a
    stage sees of the value, the derivative, or g of a mixed rule."""
    d, deep = ("d", "d - 1") if radius > 1 else ("1", "0")
    if kind == "fixed":
        return "REAL(0.0)"
    if kind == "clamp":
        return "IN(0)"
    if kind == "value" and not is_in_cells:
        return "ODE_G" if radius == 1 else "(d == 1 ? ODE_G : 2 * ODE_G - IN(d > 1 ? d - 2 : 0))"
    image = f"IN({deep if is_in_cells else d})"
    apart = f"(REAL(2 * {d} - 1) * {distance})" if is_in_cells else f"2 * REAL({d}) * {distance}"
    if kind == "value":
        return f"(2 * ODE_G - {image})"
    if kind == "derivative":
        return f"({image} + {apart} * ODE_G)"
    if kind == "mixed":
        a = texts[0]
        return f"((2 * {apart} * ODE_G + (2 - {apart} * {a}) * {image}) / (2 + {apart} * {a}))" \
            if is_in_cells else f"({image} + {apart} * (ODE_G - {a} * IN(0)))"
    return image


class _ForSide(Translator):
    """From a formula of a rule to an expression in C."""

    def __init__(self, side, unknowns, name, text, fields, constants, place):
        super().__init__(name, text, unknowns, fields, constants, place.rank, TAKEN, None)
        self.side, self.place = side, place
        self.along = [axis for axis in AXES[:place.rank] if axis != side[0]]

    def translate(self):
        """Return the expression of the whole formula."""
        return self.guarded(lambda: self.value(self.parsed()))

    def error(self, column, reason):
        return InvalidError(f"boundary of {self.name}, {self.side}: column {column + 1} of "
                            f"{shown(self.text)}: {reason}", "INVALID")

    def _name(self, node):
        name = self.stand_in.get(node.id, node.id)
        if name in self.constants:
            return in_c(name, self.taken)
        if name == "t":
            return "t"
        if name in self.along:
            return self.place.in_c(name, 0)
        if name in self.fields:
            return f"SIDE_FIELD({name})"
        known = ", ".join([*self.constants, *self.fields, "t", *self.along])
        if name in self.numbers:
            self.fail(node, f"the unknown {name} cannot stand in a rule of a side (known: {known})")
        if name in AXES:
            self.fail(node, f"{name} is no place along this side (known: {known})")
        if name in words:
            self.fail(node, f"{name} is a function; write its arguments in brackets")
        self.fail(node, f"unknown name '{name}' (known: {known})")

    def once(self, node, value):
        if len(value) > MOST_CHARACTERS:
            self.fail(node, "powers of powers are too long for a rule of a side; write pow(a, b)")
        return value

    def _call(self, node):
        word = node.func.id if isinstance(node.func, ast.Name) else None
        if word in operators:
            self.fail(node, f"{word} cannot stand in a rule of a side")
        return super()._call(node)
