# SPDX-License-Identifier: BSD-2-Clause
"""Equations and quantities with names become the text of a right-hand side."""
import ast

from ._formula import MOST_POWER, Translator, in_c
from ._library import InvalidError
from ._operators import MOST_RADIUS, Read, read, reads

# Operations of the text with all macros replaced: it takes compilers some seconds.
MOST_OPERATIONS = 20000


class Quantities:
    """The equations of a problem, and what they read at other points.

    A quantity has a name: that of `let`, or one given here to an expression whose neighbours an operator
    reads. What is read at other points becomes a macro of the offsets.

    Attributes
    ----------
    trees : dict of ast.expr
        Of all quantities by their names, with values taken from points (`_operators.Read`).
    equations : dict of ast.expr
        The same of the derivatives, by unknowns.
    radius : int
        How many points away an unknown or an array is read.
    """

    def __init__(self, equations, let, fields, constants, place, taken, has_obstacles):
        self.unknowns, self.fields, self.constants = list(equations), list(fields), list(constants)
        self.place, self.taken, self.let = place, taken, list(let)
        self.rank, self.spacing, self.has_obstacles = place.rank, place.spacing_of_formulas, has_obstacles
        self.trees, self.translators, self._names, self._last = {}, {}, {}, 0
        for name, text in let.items():
            self.trees[name] = self._tree(name, text)
        self.equations = {name: self._tree(name, text) for name, text in equations.items()}
        self._check_cycles()
        self.radius = self._radius()
        self._choose_macros()
        self._check_operations()

    def _tree(self, name, text):
        self.translators[name] = Translator(
            name, text, self.unknowns, self.fields, self.constants, self.rank, self.taken, self)
        return self.translators[name].tree()

    def has_place(self, name):
        """Return whether values of this name differ from point to point."""
        return name in self.unknowns or name in self.fields or name in self.let or name in "xy"[:self.rank]

    def is_unknown(self, name):
        """Return whether values of this name are made of unknowns, and some points are obstacles: those
        of let may be."""
        return self.has_obstacles and (name in self.unknowns or name in self.let or name in self.trees and any(
            self.is_unknown(one.name) for one in reads(self.trees[name])))

    def name_of(self, tree, translator, kind="w"):
        """Return the name of the quantity that is this expression."""
        key = ast.dump(tree)
        if key not in self._names:
            self._last += 1
            while f"{kind}{self._last}" in (*self.unknowns, *self.fields, *self.constants, *self.let):
                self._last += 1
            name = self._names[key] = f"{kind}{self._last}_"
            self.trees[name], self.translators[name] = tree, translator
        return self._names[key]

    # ---- checks ----

    def _parts(self, tree):
        return [one for one in reads(tree) if one.name in self.trees]

    def _check_cycles(self):
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
            if one.name not in ("x", "y"):
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

    def _choose_macros(self):
        """Find the quantities that are read at other points, those of which they are made, and the places
        where equations need values of quantities."""
        self.macros, self.values, seen = set(), {}, set()
        pending = [one for tree in self.equations.values() for one in self._parts(tree)]
        needed = list(pending)
        while pending:
            one = pending.pop()
            if any(one.offsets) or one.name not in self.let:
                self._be_macro(one.name)
            elif one.name not in seen:
                seen.add(one.name)
                pending += self._parts(self.trees[one.name])
        while needed:
            one = needed.pop()
            if one.name not in self.values and one.name not in self.macros:
                needed += self._parts(self.trees[one.name])
            self.values.setdefault(one.name, set()).add(one.offsets)

    def _be_macro(self, name):
        if name not in self.macros:
            self.macros.add(name)
            for one in self._parts(self.trees[name]):
                self._be_macro(one.name)

    def _check_operations(self):
        """Refuse texts that would take a compiler minutes."""
        counts = {}

        def count(node):
            if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow):
                times = node.right.value if isinstance(node.right, ast.Constant) else 1
                times = times if type(times) is int and 0 < times <= MOST_POWER else 1
                return times * count(node.left) + count(node.right)
            own = counts.get(node.name, 1) if isinstance(node, Read) else 1
            return own + sum(map(count, ast.iter_child_nodes(node)))

        for name, tree in self.trees.items():
            counts[name] = count(tree)
        total = sum(counts[name] * len(places) for name, places in self.values.items() if name in self.macros)
        if total > MOST_OPERATIONS:
            name = max(self.values, key=lambda one: counts[one])
            raise self.translators[name].error(
                0, f"operators of operators make {total} operations of a point, but {MOST_OPERATIONS} are the "
                   "most; make some quantities unknowns, or write fewer operators in each other")

    # ---- C ----

    def macro_name(self, name):
        """Return the macro of a quantity or coordinate."""
        return f"{in_c(name, self.taken) if name in self.let else name.rstrip('_')}_at_"

    def value_name(self, name, offsets):
        """Return the variable of a quantity."""
        if name in self.let and not any(offsets):
            return in_c(name, self.taken)
        base = in_c(name, self.taken) if name in self.let else name.rstrip("_")
        return "_".join([base, *(str(one).replace("-", "m") for one in offsets)]) + "_"

    def in_c(self, node, is_in_macro):
        """Return the expression of a value from a point."""
        name, offsets = node.name, node.offsets
        if is_in_macro:
            places = [f"d{axis}_" + (f" {'-' if d < 0 else '+'} {abs(d)}" if d else "")
                      for axis, d in zip("xy", offsets)]
        else:
            places = [str(one) for one in offsets]
        is_here = not is_in_macro and not any(offsets)
        if name in self.unknowns:
            return in_c(name, self.taken) if is_here else \
                f"AT({', '.join([*places, str(self.unknowns.index(name))])})"
        if name in self.fields:
            return f"FIELD({name})" if is_here else f"FIELD_AT({', '.join([*places, name])})"
        if name in self.trees:
            return f"{self.macro_name(name)}({', '.join(places)})" if is_in_macro else \
                self.value_name(name, offsets)
        return self.place.in_c(name, places["xy".index(name)])

    def macros_in_c(self):
        """Return the lines of macros, which stand before the equations. Bases of powers may add some."""
        parameters = ", ".join(f"d{axis}_" for axis in "xy"[:self.rank])
        lines, done = [], set()
        while self.macros - done:
            for name in [one for one in self.trees if one in self.macros - done]:
                done.add(name)
                body = self.translators[name].in_macro(self.trees[name])
                lines.append(f"#define {self.macro_name(name)}({parameters}) {body}")
        return lines

    def base_in_macro(self, tree, translator):
        """Return the base of a power, a quantity of its own."""
        name = self.name_of(tree, translator)
        self.macros.add(name)
        return self.in_c(read(name, (0,) * self.rank), True)

    def body(self):
        """Return the lines of the right-hand side."""
        at = "0, " * self.rank
        lines = [f"const ode_real {in_c(name, self.taken)} = AT({at}{c});" for c, name in enumerate(self.unknowns)]
        for name in self.trees:
            places = sorted(self.values.get(name, ()), key=lambda one: one[::-1])
            if places and name in self.macros:
                lines.append("const ode_real " + ", ".join(
                    f"{self.value_name(name, one)} = {self.macro_name(name)}({', '.join(map(str, one))})"
                    for one in places) + ";")
        for name in self.trees:
            if name not in self.macros:
                found = self.translators[name].line(f"const ode_real {in_c(name, self.taken)}", self.trees[name])
                lines += found if name in self.values else []  # others must be formulas, too
        rates = []
        for component, (name, tree) in enumerate(self.equations.items()):
            *statements, rate = self.translators[name].line(f"DOT({component})", tree)
            lines += statements
            rates.append(rate)
        return lines + rates
