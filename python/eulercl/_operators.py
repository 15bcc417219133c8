# SPDX-License-Identifier: BSD-2-Clause
"""Operators of formulas become sums of values at other points."""
import ast
import copy
import functools
import re

# Arguments of each operator; those of shift, div and dot differ.
unary = ("laplace", "d_dx", "d_dy", "d_dz", "d2_dx2", "d2_dy2", "d2_dz2", "gradient_squared")
_aliases = {"divergence": "div", "gradient": "grad", "inner": "dot"}
vectors = ("grad", "gradient")
_derivatives = ("d_dx", "d_dy", "d_dz")
operators = {*unary, *vectors, "shift", "div", "divergence", "dot", "inner"}
MOST_RADIUS = 16
AXES = ("x", "y", "z")
MEANS = {"arithmetic": "ARITHMETIC_MEAN", "harmonic": "HARMONIC_MEAN"}
# py-pde's short forms, and the same with **2.
_short_forms = [(r"\|\s*∇\s*(\w+)\s*\|(²|\*\*\s*2)", r"gradient_squared(\1)"),
                (r"∇(²|\*\*\s*2)\s*(\w+)(?!\w|\s*\()", r"laplace(\2)"),
                (r"∇(²|\*\*\s*2)\s*(?=\()", "laplace"), ("²", "**2"), ("³", "**3")]


def grid_with(axis):
    """Return the words for the grids that have an axis."""
    return f"a grid with {('one', 'two', 'three')[axis]} dimensions"


def in_words(text):
    """Return a formula in which words take the place of signs such as ∇²."""
    for sign, word in _short_forms:
        text = re.sub(sign, word, text)
    return text


class Read(ast.expr):
    """The value of an unknown, an array, a coordinate or a named quantity some points away."""

    _fields = ("name", "offsets")


class Laplace(ast.expr):
    """The Laplace operator of what has a name, at this point: the word that C has for it if that is an
    unknown, and the same sum in other words."""

    _fields = ("name", "word", "plain")


class Mean(ast.expr):
    """A mean of two values, by its word in C."""

    _fields = ("word", "a", "b")


class Through(ast.expr):
    """What goes through the face towards a neighbour: 0 where an obstacle is."""

    _fields = ("offsets", "value")


def read(name, offsets):
    """Return the value of `name` some points away."""
    return Read(name=name, offsets=tuple(offsets))


def added(a, b):
    """Return the sum of two offsets."""
    return tuple(one + other for one, other in zip(a, b))


def reads(tree):
    """Return all values that a tree takes from points."""
    return [node for node in ast.walk(tree) if isinstance(node, Read)]


def _number(value):
    return ast.Constant(value)


def _sum(a, b):
    return ast.BinOp(a, ast.Add(), b)


def _difference(a, b):
    return ast.BinOp(a, ast.Sub(), b)


def _product(a, b):
    return ast.BinOp(a, ast.Mult(), b)


def _total(trees):
    return functools.reduce(_sum, trees)


def _call(name, *arguments):
    return ast.Call(ast.Name(name, ast.Load()), list(arguments), [])


class Operators(ast.NodeTransformer):
    """From a formula to one whose values are taken from points.

    `translator` tells the names of the formula and its errors; `quantities` keeps expressions that are
    read at several points.
    """

    def __init__(self, translator, quantities):
        self.translator, self.quantities = translator, quantities
        self.rank, self.spacing = quantities.rank, quantities.spacing
        self.here = (0,) * self.rank

    def fail(self, node, reason):
        self.translator.fail(node, reason)

    def step(self, axis, distance=1):
        """Return the offsets of a point along an axis."""
        return tuple(distance * (one == axis) for one in range(self.rank))

    # ---- values ----

    def visit_Name(self, node):
        name = self.translator.stand_in.get(node.id, node.id)
        if not self.quantities.has_place(name):
            return node
        return ast.copy_location(read(name, self.here), node)

    def spread(self, node):
        """Return a function from offsets to the value of an expression there."""
        return self.named(self.visited(node), "w", self.translator.shown(node))

    def visited(self, node):
        """Return what `visit` does, and leave the node as it is: other axes need it, too."""
        return self.visit(copy.deepcopy(node))

    def named(self, tree, kind, text):
        """Return a function from offsets to the value of a tree there."""
        if not reads(tree):
            return lambda offsets: tree  # the same everywhere
        if isinstance(tree, Read):
            name, first = tree.name, tree.offsets
        else:
            name, first = self.quantities.name_of(tree, self.translator, kind, text), self.here
        return lambda offsets: read(name, added(first, offsets))

    def scaled(self, factor, axis, order, value):
        """Return a difference of values as a derivative: divided by the distance of points, if lengths
        are known."""
        if self.spacing:
            factor /= self.spacing[axis]**order
        return value if factor == 1 else _product(_number(factor), value)

    # ---- derivatives at points ----

    def first(self, value, axis):
        change = _difference(value(self.step(axis)), value(self.step(axis, -1)))
        return self.scaled(0.5, axis, 1, change)

    def second(self, value, axis):
        around = _sum(value(self.step(axis, -1)), value(self.step(axis)))
        return self.scaled(1, axis, 2, _call("fma", _number(-2), value(self.here), around))

    def laplace(self, value):
        if self.spacing and len(set(self.spacing)) > 1:
            if self.has_obstacles(value(self.here)):
                return _total(self.scaled(1, axis, 2, self.balance(self.slope(value, axis), axis))
                              for axis in range(self.rank))
            return _total(self.second(value, axis) for axis in range(self.rank))
        # The order of ode_words.h and ode_coefficients.h.
        centre, axes = value(self.here), [*reversed(range(self.rank))]
        if self.has_obstacles(centre):
            word, plain = "FLOW", _total(self.balance(self.slope(value, axis), axis) for axis in axes)
        else:
            around = _total(_sum(value(self.step(axis, -1)), value(self.step(axis))) for axis in axes)
            word, plain = "LAPLACE", _call("fma", _number(-2 * self.rank), centre, around)
        is_named = isinstance(centre, Read) and centre.offsets == self.here
        if is_named:
            plain = Laplace(name=centre.name, word=word, plain=plain)
        return self.scaled(1, 0, 2, plain)

    # ---- faces ----

    def has_obstacles(self, tree):
        """Return whether a value is one of unknowns on a grid with obstacles."""
        return any(self.quantities.is_unknown(one.name) for one in reads(tree))

    def open_everywhere(self, node, word, tree):
        """Refuse what reads unknowns at other points, if those may be obstacles."""
        if self.has_obstacles(tree):
            self.fail(node, f"{word} of unknowns may read points of the mask; laplace and div leave "
                            "closed faces out")

    def slope(self, value, axis):
        """Return the difference across a face, by the offsets of the point before it."""
        def there(offsets):
            return _difference(value(added(offsets, self.step(axis))), value(offsets))
        return there

    def balance(self, flux, axis):
        """Return what leaves through one face minus what comes through the other one, where flux is that
        of the face behind a point."""
        ahead, behind = flux(self.here), flux(self.step(axis, -1))
        if self.has_obstacles(ahead):
            ahead, behind = (Through(offsets=self.step(axis, side), value=one)
                             for side, one in ((1, ahead), (-1, behind)))
        return _difference(ahead, behind)

    # ---- calls ----

    def visit_Call(self, node):
        word = node.func.id if isinstance(node.func, ast.Name) else None
        if word not in operators:
            return self.generic_visit(node)
        operator = _aliases.get(word, word)
        if node.keywords and operator != "div":
            self.fail(node, f"{word} takes no arguments with names")
        for one in node.args:
            if isinstance(one, ast.Starred):
                self.fail(one, "a formula cannot contain this (Starred)")
        if operator == "grad":
            self.fail(node, f"{word} is a vector; it belongs into div or dot")
        if operator in unary:
            self.translator.expect(node, 1)
            axis = word.rstrip("2")[-1]
            if word.startswith("d") and AXES.index(axis) >= self.rank:
                self.fail(node, f"{word} needs {grid_with(AXES.index(axis))}")
        return ast.copy_location(getattr(self, f"_{operator}")(node), node)

    def spread_open(self, node, word):
        """Return what `spread` does, for operators that know no faces."""
        value = self.spread(node)
        self.open_everywhere(node, word, value(self.here))
        return value

    def _laplace(self, node):
        return self.laplace(self.spread(node.args[0]))

    def _d_dx(self, node, axis=0):
        return self.first(self.spread_open(node.args[0], node.func.id), axis)

    def _d_dy(self, node):
        return self._d_dx(node, 1)

    def _d_dz(self, node):
        return self._d_dx(node, 2)

    def _d2_dx2(self, node, axis=0):
        return self.second(self.spread_open(node.args[0], node.func.id), axis)

    def _d2_dy2(self, node):
        return self._d2_dx2(node, 1)

    def _d2_dz2(self, node):
        return self._d2_dx2(node, 2)

    def _gradient_squared(self, node):
        value = self.spread_open(node.args[0], node.func.id)
        return _total(ast.BinOp(self.first(value, axis), ast.Pow(), _number(2))
                      for axis in range(self.rank))

    def _shift(self, node):
        self.translator.expect(node, 1 + self.rank)
        return self.spread_open(node.args[0], "shift")(self.offset(one) for one in node.args[1:])

    def offset(self, node):
        try:
            value = ast.literal_eval(node)
        except (ValueError, TypeError):
            value = None
        if type(value) is not int or abs(value) > MOST_RADIUS:
            self.fail(node, "the offsets of shift must be whole numbers from "
                            f"-{MOST_RADIUS} to {MOST_RADIUS}")
        return value

    def _dot(self, node):
        self.translator.expect(node, 2)
        pairs = [self.components(one) for one in node.args]
        return _total(_product(a, b) for a, b in zip(*pairs))

    def components(self, node):
        """Return the components of a vector at points."""
        return [_AtPoints(self, axis).of(node) for axis in range(self.rank)]

    # ---- divergence ----

    def _div(self, node):
        mean = "arithmetic"
        for keyword in node.keywords:
            mean = keyword.value.value if isinstance(keyword.value, ast.Constant) else None
            if keyword.arg != "mean" or mean not in MEANS:
                self.fail(node, f"{node.func.id} takes the argument mean='arithmetic' or mean='harmonic'")
        if len(node.args) not in {1, self.rank}:
            self.fail(node, f"{node.func.id} takes a vector such as D*grad(u)" + (
                "", ", or its components along x and y",
                ", or its components along x, y and z")[self.rank - 1])
        parts = node.args * self.rank if len(node.args) == 1 else node.args
        words = vectors if len(parts) > len(node.args) else _derivatives[:self.rank] if self.rank > 1 \
            else (*vectors, "d_dx")
        changes = []
        for axis, part in enumerate(parts):
            # The flux through the face between a point and the next one, which both of them read.
            text = f"along {AXES[axis]}, {self.translator.shown(part)}"
            flux = self.named(_Flux(self, axis, words, mean).of(part), "flux", text)
            changes.append(self.scaled(1, axis, 1, self.balance(flux, axis)))
        return _total(changes)


def _has_gradient(node, words):
    """Return whether an expression is a vector, or contains a derivative as a factor or term."""
    if isinstance(node, ast.Call):
        return isinstance(node.func, ast.Name) and node.func.id in words
    if isinstance(node, ast.UnaryOp):
        return _has_gradient(node.operand, words)
    return isinstance(node, ast.BinOp) and (
        _has_gradient(node.left, words) or _has_gradient(node.right, words))


class _Linear:
    """Sums of derivatives with factors, one component at a time."""

    def __init__(self, operators, axis, words):
        self.operators, self.axis, self.words = operators, axis, words

    def of(self, node):
        """Return a sum of terms."""
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.USub, ast.UAdd)):
            value = self.of(node.operand)
            return ast.UnaryOp(ast.USub(), value) if isinstance(node.op, ast.USub) else value
        if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub)) \
                and _has_gradient(node, self.words):
            return ast.BinOp(self.of(node.left), node.op, self.of(node.right))
        factors, derivative = self.parts(node)
        return self.term(node, factors, derivative)

    def parts(self, node):
        """Return the factors of a term without a derivative, or None, and its derivative, or None."""
        if not _has_gradient(node, self.words):
            return node, None
        if isinstance(node, ast.Call):
            return None, node
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            factors, derivative = self.parts(node.operand)
            return ast.UnaryOp(ast.USub(), _number(1) if factors is None else factors), derivative
        if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Mult, ast.Div)):
            is_left = _has_gradient(node.left, self.words)
            if not (is_left and _has_gradient(node.right, self.words)) \
                    and (is_left or isinstance(node.op, ast.Mult)):
                factors, derivative = self.parts(node.left if is_left else node.right)
                other = node.right if is_left else node.left
                if factors is None and isinstance(node.op, ast.Mult):
                    return other, derivative
                factors = _number(1) if factors is None else factors
                left, right = (factors, other) if is_left else (other, factors)
                return ast.BinOp(left, node.op, right), derivative
        self.operators.fail(node, "each term of a vector must be a derivative such as grad(u), with "
                                  "factors that contain none")


class _AtPoints(_Linear):
    """A component of a vector at points, by central differences."""

    def __init__(self, operators, axis):
        super().__init__(operators, axis, vectors)

    def term(self, node, factors, derivative):
        if derivative is None:
            self.operators.fail(node, "expected a vector, such as grad(u)")
        self.operators.translator.expect(derivative, 1)
        inner = self.operators.spread_open(derivative.args[0], derivative.func.id)
        value = self.operators.first(inner, self.axis)
        return value if factors is None else _product(self.operators.visited(factors), value)


class _Flux(_Linear):
    """The flux through the face between a point and the next one along an axis."""

    def __init__(self, operators, axis, words, mean):
        super().__init__(operators, axis, words)
        self.mean, self.ahead = mean, operators.step(axis)

    def term(self, node, factors, derivative):
        if derivative is None:
            if self.words == vectors:
                self.operators.fail(node, "expected a vector, such as grad(u)")
            return self.face(factors, "arithmetic")
        self.operators.translator.expect(derivative, 1)
        word = derivative.func.id
        along = self.axis if word in vectors else _derivatives.index(word)
        value = self.derivative(derivative, self.operators.spread(derivative.args[0]), along)
        return value if factors is None else _product(self.face(factors, self.mean), value)

    def derivative(self, node, value, along):
        """Return a derivative at the face: the difference of its points, or along the face that of
        its four neighbours."""
        here, ahead, step = self.operators.here, self.ahead, self.operators.step
        if along == self.axis:
            return self.operators.scaled(1, along, 1, self.operators.slope(value, along)(here))
        self.operators.open_everywhere(node, "a derivative along a face", value(here))

        def across(first):
            return _difference(*(value(added(first, step(along, side))) for side in (1, -1)))
        return self.operators.scaled(0.25, along, 1, _sum(across(here), across(ahead)))

    def face(self, node, mean):
        """Return the mean of a factor at the two points of the face."""
        value = self.operators.spread(node)
        a, b = value(self.operators.here), value(self.ahead)
        if not reads(a):
            return a
        return Mean(word=MEANS[mean], a=a, b=b)
