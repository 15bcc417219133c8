# SPDX-License-Identifier: BSD-2-Clause
"""Equations and quantities with names become the text of a right-hand side."""
import ast
import collections
import re

from ._formula import Translator, in_c
from ._library import InvalidError
from ._operators import AXES, MOST_RADIUS, added, reads

# Operations of a point: about twenty seconds of compilation.
MOST_OPERATIONS = 8000


class Quantities:
    """The equations of a problem, and what they read at other points.

    A quantity has a name: that of `let`, or one given here to an expression whose neighbours an operator
    reads. Its value at each point that is read becomes a variable, once, however many operators are in
    each other. Offsets are literals, so the library sees which points an equation reads.

    Attributes
    ----------
    trees : dict of ast.expr
        Of all quantities by their names, each behind those that it reads, with values taken from points
        (`_operators.Read`).
    equations : dict of ast.expr
        The same of the derivatives, by unknowns.
    radius : int
        How many points away an unknown or an array is read.
    """

    def __init__(self, equations, let, fields, constants, place, taken, has_obstacles):
        self.unknowns, self.fields, self.constants = list(equations), list(fields), list(constants)
        self.place, self.taken, self.let = place, taken, list(let)
        self.rank, self.spacing, self.has_obstacles = place.rank, place.spacing_of_formulas, has_obstacles
        self.here = (0,) * self.rank
        self.trees, self.translators, self._names, self._last, self._texts = {}, {}, {}, 0, {}
        for name, text in let.items():
            self.trees[name] = self._tree(name, text)
        self.equations = {name: self._tree(name, text) for name, text in equations.items()}
        self._order()
        self.radius = self._radius()
        self._places = self._find_places()
        self._check_operations()

    def _tree(self, name, text):
        self.translators[name] = Translator(
            name, text, self.unknowns, self.fields, self.constants, self.rank, self.taken, self)
        return self.translators[name].tree()

    def has_place(self, name):
        """Return whether values of this name differ from point to point."""
        return name in (*self.unknowns, *self.fields, *self.let, *AXES[:self.rank])

    def is_unknown(self, name):
        """Return whether values of this name are made of unknowns, and some points are obstacles: those
        of let may be."""
        parts = reads(self.trees[name]) if name in self.trees and name not in self.let else ()
        return self.has_obstacles and (name in self.unknowns or name in self.let or any(
            self.is_unknown(one.name) for one in parts))

    def name_of(self, tree, translator, kind, text):
        """Return the name of the quantity that is this expression."""
        key = ast.dump(tree)
        if key not in self._names:
            self._last += 1
            while f"{kind}{self._last}" in (*self.unknowns, *self.fields, *self.constants, *self.let):
                self._last += 1
            name = self._names[key] = f"{kind}{self._last}_"
            self.trees[name], self.translators[name], self._texts[name] = tree, translator, text
        return self._names[key]

    # ---- checks ----

    def _parts(self, tree):
        return [one for one in reads(tree) if one.name in self.trees]

    def _order(self):
        """Order the quantities, so that each comes behind those that it reads."""
        ordered, path = {}, []

        def visit(name):
            if name in path:
                circle = [one for one in path[path.index(name):] if one in self.let]
                raise InvalidError("let: quantities are made of themselves: "
                                   f"{' -> '.join([*circle, circle[0]])}", "INVALID")
            if name not in ordered:
                path.append(name)
                for one in self._parts(self.trees[name]):
                    visit(one.name)
                ordered[path.pop()] = None

        for name in list(self.trees):
            visit(name)
        self.trees = {name: self.trees[name] for name in ordered}

    def _extent(self, tree, known):
        """Return the least and greatest offsets along each axis of what a tree reads."""
        result = [(0, 0)] * self.rank
        for one in reads(tree):
            inner = known.get(one.name, [(0, 0)] * self.rank)
            if one.name not in AXES:
                result = [(min(low, d + a), max(high, d + b))
                          for (low, high), (a, b), d in zip(result, inner, one.offsets)]
        return result

    def _radius(self):
        known, radius = {}, 1
        for name, tree in [*self.trees.items(), *self.equations.items()]:
            extent = self._extent(tree, known)
            if name in self.trees:
                known[name] = extent
            away = max(max(-low, high) for low, high in extent)
            if away > MOST_RADIUS:
                raise self.translators[name].error(
                    0, f"the formula reads points that are {away} away, but {MOST_RADIUS} is the most")
            radius = max(radius, away)
        return radius

    def _find_places(self):
        """Return the offsets at which the equations need each quantity."""
        places = {name: set() for name in self.trees}
        for tree in self.equations.values():
            for one in self._parts(tree):
                places[one.name].add(one.offsets)
        for name in reversed(self.trees):
            for one in self._parts(self.trees[name]):
                places[one.name].update(added(first, one.offsets) for first in places[name])
        return {name: sorted(some, key=lambda one: one[::-1]) for name, some in places.items()}

    def _check_operations(self):
        """Refuse texts that would take a compiler minutes."""
        counts = {name: len(self._places[name]) * sum(1 for _ in ast.walk(tree))
                  for name, tree in self.trees.items()}
        if sum(counts.values()) > MOST_OPERATIONS:
            name = max(counts, key=counts.get)
            raise self.translators[name].error(
                0, f"operators of operators make {sum(counts.values())} operations of a point, but "
                   f"{MOST_OPERATIONS} are the most; write fewer of them in each other")

    # ---- C ----

    def value_name(self, name, offsets):
        """Return the variable of a value at a point. No name of the user's ends in _."""
        if name in self.trees and name not in self.let or any(offsets):
            return "_".join([name.rstrip("_"), *(str(one).replace("-", "m") for one in offsets)]) + "_"
        return in_c(name, self.taken)

    def in_c(self, name, offsets):
        """Return the expression of a value at a point."""
        is_here, places = not any(offsets), [str(one) for one in offsets]
        if name in self.trees or name in self.unknowns and is_here:
            return self.value_name(name, offsets)
        if name in self.unknowns:
            return f"AT({', '.join([*places, str(self.unknowns.index(name))])})"
        if name in self.fields:
            return f"FIELD({name})" if is_here else f"FIELD_AT({', '.join([*places, name])})"
        return self.place.in_c(name, offsets[AXES.index(name)])

    def body(self):
        """Return the lines of the right-hand side."""
        lines, rates = [], []
        for name, tree in self.trees.items():
            translator, places = self.translators[name], self._places[name]
            if places and name in self._texts:
                lines.append(f"/* {name.rstrip('_')}: {self._texts[name]} */")
            for offsets in places or [self.here]:
                found = translator.line(f"const ode_real {self.value_name(name, offsets)}", tree, offsets)
                lines += found if places else []  # others must be formulas, too
        for component, (name, tree) in enumerate(self.equations.items()):
            *statements, rate = self.translators[name].line(f"DOT({component})", tree, self.here)
            lines += statements
            rates.append(rate)
        return self._with_variables([*lines, *rates])

    def _with_variables(self, lines):
        """Put the values of unknowns, and those of neighbours that are read more than once, in front."""
        at = re.compile(r"\bAT\(([-\d, ]+), (\d+)\)")
        counts = collections.Counter(match[0] for line in lines for match in at.finditer(line))
        head = [f"const ode_real {in_c(name, self.taken)} = AT({'0, ' * self.rank}{c});"
                for c, name in enumerate(self.unknowns)]

        def variable(match):
            offsets = tuple(map(int, match[1].split(", ")))
            is_once = counts[match[0]] == 1
            return match[0] if is_once else self.value_name(self.unknowns[int(match[2])], offsets)

        for c, name in enumerate(self.unknowns):
            several = [match for match in map(at.fullmatch, sorted(counts)) if match[2] == str(c)
                       and counts[match[0]] > 1]
            if several:
                values = ", ".join(f"{variable(match)} = {match[0]}" for match in several)
                head.append(f"const ode_real {values};")
        return [*head, *(at.sub(variable, line) for line in lines)]
