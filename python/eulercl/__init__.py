# SPDX-License-Identifier: BSD-2-Clause
"""Large ODE systems of stencil type, by explicit methods, with the same bits on every device.

`solve` is like scipy.integrate.solve_ivp. `PDE` makes a problem from equations as text, `Problem`
opens a built-in problem or a file, and `Solver` advances a state step by step. `sweep` solves a problem
for many values of its parameters. `open` reads the HDF5 files of the command. `compare`
measures other programs on the same equations. `live` shows a run in a notebook, and ``python -m eulercl.live``
in a browser.
"""
from ._compare import compare
from ._file import File, open
from ._formula import EquationError
from ._library import CompileError, EulerclError, InvalidError, OutOfMemoryError, ProblemFileError
from ._library import lib as _lib, text as _text
from ._live import live
from ._observe import Observed
from ._pde import PDE
from ._problem import Problem, problems
from ._select import Extracted
from ._solve import Solution, solve
from ._solver import Snapshot, Solver, stable_step
from ._sweep import sweep

__version__ = _text(_lib.eulercl_version())
# Without open, so that "from eulercl import *" leaves Python's own.
__all__ = ["CompileError", "EquationError", "EulerclError", "Extracted", "File", "InvalidError",
           "Observed", "OutOfMemoryError", "PDE", "Problem", "ProblemFileError", "Snapshot",
           "Solution", "Solver", "compare", "live", "problems", "solve", "stable_step", "sweep"]
