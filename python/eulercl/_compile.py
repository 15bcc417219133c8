# SPDX-License-Identifier: BSD-2-Clause
"""FILE.c and texts become problems: the library compiles them."""
import os

from ._binding import ffi, lib
from ._library import EulerclError, call, keep_raised, structure


class _Wait:
    """What left `wait_for_compiler`: an exception such as KeyboardInterrupt."""

    raised = None


@ffi.def_extern(error=1, onerror=keep_raised)
def wait_for_compiler(seconds, user):
    """Called by the library while the compiler runs, so that Python handles signals; an exception
    stops the compiler."""
    del seconds
    return 1 if ffi.from_handle(user).raised else 0


def compile_problem(file, made):
    """Compile a problem's C file, and open it as made[0]."""
    _compile(file, ffi.NULL, made)


def compile_text(text, made):
    """Compile the text of a problem, and open it as made[0]."""
    _compile("equations.c", ffi.new("char[]", text.encode()), made)


def _compile(file, text, made):
    wait = _Wait()
    handle = ffi.new_handle(wait)
    how = structure("compilation")
    how.waits, how.user, how.text = lib.wait_for_compiler, handle, text
    try:
        call(lib.eulercl_problem_compile, os.fsencode(file), how, made)
    except EulerclError:
        if wait.raised is not None:
            raise wait.raised from None
        raise
