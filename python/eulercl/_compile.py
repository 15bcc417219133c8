# SPDX-License-Identifier: BSD-2-Clause
"""FILE.c becomes a plug-in, as the command does it, and with the plug-ins that it keeps."""
import contextlib
import functools
import os
import pathlib
import re
import shutil
import subprocess
import tempfile

from . import _cache
from ._binding import lib
from ._library import CompileError, InvalidError, ProblemFileError, call, text

# -ffp-contract=off: the bit contract needs it.
FLAGS = ["-shared", "-fPIC", "-O3", "-std=gnu11", "-ffp-contract=off", "-fvisibility=hidden"]
HEADERS = pathlib.Path(os.path.abspath(__file__)).parent / "include"
# The name of a text: the plug-in contains it.
TEXT_FILE = "equations.c"


@contextlib.contextmanager
def scratch_folder():
    """A folder that exists for a while; yields its path."""
    try:
        folder = tempfile.mkdtemp(prefix="eulercl-")
    except OSError as error:
        raise ProblemFileError(f"cannot create a folder for temporary files: {error.strerror}",
                               "FILE") from None
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _command():
    """Return how plug-ins are compiled: $CC, the flags, and what one call adds."""
    words = [word for word in os.environ.get("CC", "").split(" ") if word] or ["cc"]
    return [*words, *FLAGS, f"-DODE_KERNELS_ONLY={lib.best_kernels()}", "-I", str(HEADERS)]


def _run(command, folder=None):
    try:
        return subprocess.run(command, capture_output=True, cwd=folder, stdin=subprocess.DEVNULL,
                              env={**os.environ, "LC_ALL": "C.UTF-8"})
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise CompileError(f"cannot run the C compiler '{command[0]}': {reason} (install gcc "
                           "or clang, or name yours in CC)", "COMPILE") from None


def _describe_program(name):
    """Return a line about the program that runs; a compiler that was replaced has another time."""
    try:
        found = os.path.realpath(shutil.which(name) or name, strict=True)
        entry = os.stat(found)
    except (OSError, ValueError):
        return b""
    seconds, nanoseconds = divmod(entry.st_mtime_ns, 10**9)
    return os.fsencode(f"{found} {entry.st_size} {seconds} {nanoseconds}\n")


def _key(command, source, plain, folder=None):
    """Return all that determines the plug-in: the text with all macros, those of the compiler as well,
    the source itself, which the plug-in contains, and the call. None for a file with errors."""
    done = _run([*command, "-E", "-P", "-dD", "-w", "-o", "-", source], folder)
    if done.returncode != 0:
        return None
    head = [text(lib.eulercl_version()).encode(), os.fsencode(source)]
    # Without the folder of the headers, which is the last one: their text is what counts.
    return b"".join([*(line + b"\n" for line in head), _describe_program(command[0]),
                     *(os.fsencode(word) + b"\n" for word in command[:-1]), plain, done.stdout])


@functools.lru_cache(32)
def _text_key(command, program, source):
    """Return the key of a text; the same text is preprocessed once."""
    del program
    with scratch_folder() as folder:
        _write(folder, source)
        return _key(list(command), TEXT_FILE, source, folder)


def _write(folder, source):
    try:
        pathlib.Path(folder, TEXT_FILE).write_bytes(source)
    except OSError as error:
        raise ProblemFileError(f"{folder}: {error.strerror}", "FILE") from None


def _fail(source, log):
    """Raise an exception for the first error in the author's lines."""
    found = re.search(rf"^{re.escape(str(source))}:(\d+):.*?error: (.*)$", log, re.MULTILINE)
    full = "No space left on device"
    where = f": line {found[1]}: {found[2]}" if found else f": {full}" if full in log else ""
    raise CompileError(f"{os.path.basename(source)} did not compile{where}", "COMPILE", log)


def _compile(command, source, key, target, folder=None):
    """Compile a file, or take the plug-in that was kept under this key."""
    if key and _cache.fetch(key, target):
        return
    done = _run([*command, "-o", target, source, "-lm", "-Wl,-z,defs"], folder)
    messages = done.stderr.decode("utf-8", "replace")
    if done.returncode != 0:
        _fail(source, messages)
    if key and not messages:  # the command compiles a source with warnings again, to print them
        _cache.store(key, target)


def compile_problem(file, target):
    """Compile a problem.

    Parameters
    ----------
    file : str
        The problem's C file.
    target : str
        The plug-in to write.
    """
    try:
        source = os.path.realpath(file, strict=True)
        plain = pathlib.Path(source).read_bytes()
    except OSError as error:
        raise ProblemFileError(f"{file}: {error.strerror}", "FILE") from None
    try:
        call(lib.eulercl_verify_names, plain, len(plain))
    except InvalidError as error:
        raise CompileError(f"{os.path.basename(source)} did not compile: {error}", "COMPILE") from None
    if re.search(r'["\\\n]', source):
        raise InvalidError(f"{source}: a problem's path must not contain quotation marks, backslashes "
                           "or line breaks", "INVALID")
    command = _command()
    _compile(command, source, _key(command, source, plain), target)


def compile_text(source, target):
    """Compile the text of a problem.

    Parameters
    ----------
    source : str
    target : str
        The absolute path of the plug-in to write.
    """
    command = [*_command()[:-2], "-w", "-I", str(HEADERS)]  # the user did not write the text
    if "/" in command[0]:
        command[0] = os.path.abspath(command[0])  # it runs elsewhere, so that the text has one name
    plain, folder = source.encode(), os.path.dirname(target)
    key = _text_key(tuple(command), _describe_program(command[0]), plain)
    _write(folder, plain)
    _compile(command, TEXT_FILE, key, target, folder)
