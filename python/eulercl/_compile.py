# SPDX-License-Identifier: BSD-2-Clause
"""FILE.c and texts become problems: the library compiles them."""
import os

from ._binding import ffi, lib
from ._library import EulerclError, ProblemFileError, call, keep_raised, structure


class _Wait:
    """What left `wait_for_compiler`: an exception such as KeyboardInterrupt."""

    raised = None


@ffi.def_extern(error=1, onerror=keep_raised)
def wait_for_compiler(seconds, user):
    """Called by the library while the compiler runs, so that Python handles signals; an exception
    stops the compiler."""
    del seconds
    return 1 if ffi.from_handle(user).raised else 0


class Code:
    """A compiled problem without values. No one changes it, so that threads may copy it.

    Attributes
    ----------
    problem : the library's problem
    is_baseline : bool
        It begins with baseline code.
    """

    def __init__(self, file, text, precision, waits):
        """Compile it for runs in a precision (0: in both); waits: until the fast code is there."""
        wait = _Wait()
        handle = ffi.new_handle(wait)
        how, options = structure("compilation"), ffi.new("eulercl_options *")
        how.waits, how.user, how.precision = lib.wait_for_compiler, handle, precision
        if text is not None:
            kept = ffi.new("char[]", text.encode())
            how.text = kept
        if not waits:
            # Those of a run that may move: problems are made before the options of their runs are known.
            lib.eulercl_options_init_size(options, ffi.sizeof("eulercl_options"))
            options.precision = precision
            how.options = options
        made = ffi.new("eulercl_problem **")
        try:
            call(lib.eulercl_problem_compile, os.fsencode(file), how, made)
        except EulerclError:
            if wait.raised is not None:
                raise wait.raised from None
            raise
        self.problem = ffi.gc(made[0], lib.eulercl_problem_destroy)
        self.is_baseline = bool(how.is_baseline)


class Source:
    """What a problem is compiled from, and the code that there is. Problems of several threads may
    share it.

    Parameters
    ----------
    file : str
        Its path, or a name for the text.
    text : str, optional
    """

    def __init__(self, file, text=None):
        self._file, self._text = file, text
        self._content = None if text is not None else self._read()
        self._codes = {}  # by precision; 0: both

    def _read(self):
        try:
            with open(self._file, "rb") as file:
                return file.read()
        except OSError:  # the library says what is wrong
            return None

    def text(self):
        """Return the text that is compiled; None if it cannot be read."""
        if self._text is not None:
            return self._text
        return None if self._content is None else self._content.decode("utf-8", "replace")

    def code(self, precision, waits):
        """Return code that is fast in a precision (0: in both), or becomes so while a run with it makes
        steps; waits: fast already.

        The library itself would wait for fast code when a solver is made from baseline code, but Ctrl-C
        cannot interrupt that. So it is compiled here, without `options`.
        """
        for key in (0, precision):
            found = self._codes.get(key)
            if found is not None and not (waits and found.is_baseline):
                return found
        if self._codes and self._text is None and self._read() != self._content:
            raise ProblemFileError(f"{self._file} has changed since the problem was made from it; make "
                                   "a new problem", "FILE")
        self._codes[precision] = made = Code(self._file, self._text, precision, waits)
        return made
