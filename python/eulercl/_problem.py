# SPDX-License-Identifier: BSD-2-Clause
"""Problems: built in, from FILE.c, from FILE.so."""
import contextlib
import functools
import os

import numpy as np

from ._binding import ffi, lib
from ._compile import Source
from ._library import InvalidError, as_dict, call, structure, text
from ._values import characters, coefficient, empty, is_number, path, reals, shown

_precisions = {"float": (lib.EULERCL_FLOAT, np.float32), "double": (lib.EULERCL_DOUBLE, np.float64)}


def precision_of(name):
    """Return the library's number and NumPy's type of "float" or "double"."""
    if not isinstance(name, str) or name not in _precisions:
        raise InvalidError(f"precision: {shown(name)} is neither 'float' nor 'double'", "INVALID")
    return _precisions[name]


def check_problem(problem):
    """Return the problem, if it is one."""
    if not isinstance(problem, Problem):
        raise InvalidError(f"problem: {shown(problem)} is not an eulercl.Problem or eulercl.PDE", "INVALID")
    return problem


def opened(function, *arguments):
    """Return the library's problem from a function that makes one."""
    made = ffi.new("eulercl_problem **")
    function(*arguments, made)
    return ffi.gc(made[0], lib.eulercl_problem_destroy)


def _waits(options):
    """Return whether a run with these options waits for fast code. The rule is that of the library
    (`no_move`)."""
    backend = text(options.backend)
    if options.no_move or backend.startswith("cl-"):
        return bool(options.no_move)
    return (backend not in ("", "auto", "seq") or any(options.tuning)
            or text(options.plan) == "measure")


def _copied(problem):
    """Return a copy of a problem of the library."""
    return opened(functools.partial(call, lib.eulercl_problem_copy), problem)


def _open_by_name(name, made):
    call(lib.eulercl_problem_open, os.fsencode(name), made)


class Problem:
    """A problem y' = f(t, y) with values for its parameters.

    Parameters
    ----------
    name : str or path
        A built-in problem, or a file FILE.c or FILE.so. FILE.c is compiled by the compiler in CC
        (default: cc); the same text is compiled once.
    **parameters : float or array
        Values for the problem's parameters, and arrays of the shape of the grid for its fields.

    Raises
    ------
    InvalidError
        There is no such problem, parameter or field, or a value is out of its bounds.
    ProblemFileError
        The file is missing or is no problem.
    CompileError
        FILE.c does not compile; ``log`` has the compiler's messages.

    Notes
    -----
    A copy, also one that was pickled for another process, is a problem of its own with the same values.
    A pickled one opens its file again.
    """

    def __init__(self, name, **parameters):
        name = path("problem", name)
        is_file = "/" in name or name.endswith((".c", ".so"))
        self._name = os.path.abspath(name) if is_file else name
        if name.endswith(".c"):
            self._begin(Source(name))
        else:
            self._hold(opened(_open_by_name, name))
        self._set_all(parameters)

    def __reduce__(self):
        fields = {name: self._field(name) for name in self._given}
        return type(self), (self._name,), (self.parameters, fields)

    def __setstate__(self, state):
        for values in state:
            self._set_all(values)

    def _hold(self, problem, source=None, code=None):
        self._given = set()  # names of the fields that were set
        self._problem, self._source, self._code = problem, source, code

    def _begin(self, source):
        """Hold a problem that is compiled: for runs in double, which most are."""
        code = source.code(lib.EULERCL_DOUBLE, False)
        self._hold(_copied(code.problem), source, code)

    def _use_code(self, precision, waits):
        """Hold a problem with the same values, whose code `Source.code` describes."""
        if self._source is None:
            return
        code = self._source.code(precision, waits)
        if code is not self._code:
            problem = _copied(code.problem)
            self._copy_values(problem)
            self._problem, self._code = problem, code

    def _copied(self):
        """Return a copy of the library's problem, for another thread."""
        return _copied(self._problem)

    def _text(self):
        """Return the problem's file, or None if it is not known."""
        return None if self._source is None else self._source.text()

    def _copy_values(self, problem):
        parameter = structure("parameter")
        for index in range(self._info().parameters):
            call(lib.eulercl_problem_get_parameter, self._problem, index, parameter)
            call(lib.eulercl_problem_set, problem, parameter.name, parameter.value)
        for name in self._given:
            call(lib.eulercl_problem_set_field, problem, name.encode(), lib.EULERCL_DOUBLE,
                 ffi.from_buffer(self._field(name)))

    def _for_run(self, options):
        """Return the library's problem for a run with these options."""
        if self._source is not None:
            waits = _waits(options) or not self._info().bits_guaranteed
            if waits and self._code.is_baseline:
                call(lib.eulercl_options_verify, options)  # before the compiler takes its time
            self._use_code(options.precision, waits)
        return self._problem

    def set(self, name, value):
        """Set a parameter or a field, for the solvers that are made from now on.

        Parameters
        ----------
        name : str
        value : float or array
            A number for a parameter; an array of the shape of the grid for a field. The problem
            keeps a copy of the array.

        Raises
        ------
        InvalidError
            There is no such parameter or field, or the value is out of its bounds.
        """
        if is_number(value):
            call(lib.eulercl_problem_set, self._problem,
                 characters("parameter", self._in_library(name)), coefficient(f"parameter {name}", value))
            return
        values = self._on_grid(f"parameter {name}", value)
        call(lib.eulercl_problem_set_field, self._problem, characters("parameter", name),
             lib.EULERCL_DOUBLE, ffi.from_buffer(values))
        self._given.add(name)

    def _on_grid(self, what, value):
        """Return finite numbers of the shape of the grid."""
        values = reals(what, value)
        if not np.isfinite(values).all():
            raise InvalidError(f"{what}: not all numbers of the array are finite", "INVALID")
        if values.shape != self.shape[:-1]:
            hint = ", the transpose of it" if values.shape[::-1] == self.shape[:-1] else ""
            raise InvalidError(f"{what}: an array of the shape {values.shape}, but the grid is "
                               f"{self.shape[:-1]}{hint}", "INVALID")
        return values

    def _in_library(self, name):
        """The library's name of a parameter."""
        return name

    def _set_all(self, parameters):
        for is_array in (False, True):  # whose shape is that of the size which the numbers give
            for name, value in parameters.items():
                if is_number(value) != is_array:
                    self.set(name, value)

    @contextlib.contextmanager
    def _having(self, parameters):
        """Parameters have these values for a while."""
        before = self.parameters
        try:
            self._set_all(parameters)
            yield
        finally:
            self._set_all(before)

    def _info(self):
        """Return the library's structure of the same name, which is faster than `info`."""
        info = structure("problem_info")
        call(lib.eulercl_problem_get_info, self._problem, info)
        return info

    @property
    def info(self):
        """dict : properties such as name, title, n, rank, extents, components, boundary."""
        return as_dict(self._info())

    @property
    def parameters(self):
        """dict : the values of the parameters."""
        found, parameter = {}, structure("parameter")
        for index in range(self._info().parameters):
            call(lib.eulercl_problem_get_parameter, self._problem, index, parameter)
            found[text(parameter.name)] = parameter.value
        return found

    def _described(self):
        """Return for each parameter what the library says of it: name, value, min, max, unit, doc..."""
        names, found, parameter = {self._in_library(name): name for name in self.parameters}, [], \
            structure("parameter")
        for index in range(self._info().parameters):
            call(lib.eulercl_problem_get_parameter, self._problem, index, parameter)
            one = as_dict(parameter)
            if one["name"] in names:
                found.append(one | {"name": names[one["name"]]})
        return found

    @property
    def fields(self):
        """dict : the values of the fields, arrays of the shape of the grid. Those that the problem
        does not compute itself are missing until they are set."""
        found = {}
        for index in range(self._info().fields):
            name = text(lib.eulercl_problem_field_name(self._problem, index))
            with contextlib.suppress(InvalidError):
                found[name] = self._field(name)
        return found

    def _field(self, name):
        values = empty(f"field {name}", self.shape[:-1])
        call(lib.eulercl_problem_get_field, self._problem, name.encode(), lib.EULERCL_DOUBLE,
             ffi.from_buffer(values))
        return values

    def _obstacles(self, precision):
        """Return an array of the shape of the grid: which points are obstacles."""
        marks = empty("obstacles", self.shape[:-1], np.uint8)
        call(lib.eulercl_problem_marks, self._problem, precision_of(precision)[0], ffi.from_buffer(marks))
        return marks == lib.EULERCL_OBSTACLE

    @property
    def shape(self):
        """tuple : of a state: (nx, components), (ny, nx, components) or (nz, ny, nx, components); (n,)
        without a grid."""
        info = self._info()
        if info.rank == 0:
            return (info.n,)
        return (*list(info.extents)[info.rank - 1::-1], info.components)

    @property
    def component_names(self):
        """tuple of str : of the components of a point: y0, y1, ..."""
        return tuple(f"y{number}" for number in range(self._info().components))

    def initial(self, precision="double"):
        """Return the initial state.

        Parameters
        ----------
        precision : {"double", "float"}

        Returns
        -------
        array of shape ``shape``
        """
        number, kind = precision_of(precision)
        y = empty("initial", self.shape, kind)
        call(lib.eulercl_problem_initial, self._problem, number, 0, y.size, ffi.from_buffer(y))
        return y

    def __repr__(self):
        values = "".join(f", {name}={value:g}" for name, value in self.parameters.items())
        return f"<eulercl.Problem {self.info['name']}{values}>"


def problems():
    """Return the names of the built-in problems.

    Returns
    -------
    list of str
    """
    names = []
    while (name := lib.eulercl_problem_name(len(names))) != ffi.NULL:
        names.append(text(name))
    return names
