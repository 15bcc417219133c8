# SPDX-License-Identifier: BSD-2-Clause
"""FILE.c becomes a plug-in, as the command does it; the same text is compiled once."""
import contextlib
import hashlib
import os
import pathlib
import re
import shlex
import shutil
import stat
import subprocess
import tempfile

from ._binding import lib
from ._library import CompileError, InvalidError, ProblemFileError, call, text

# -ffp-contract=off: the bit contract needs it.
FLAGS = ["-shared", "-fPIC", "-O3", "-std=gnu11", "-ffp-contract=off", "-fvisibility=hidden"]
HEADERS = pathlib.Path(__file__).parent / "include"
MOST_ENTRIES = 200


def _cache_folder():
    """Return a folder that only this user can write; None if there is none."""
    base = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    folder = pathlib.Path(base, "eulercl", "python")
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        entry = folder.stat()
    except OSError:
        return None
    is_private = entry.st_uid == os.geteuid() and not entry.st_mode & (stat.S_IRWXG | stat.S_IRWXO)
    return folder if is_private else None


def _run(command):
    try:
        return subprocess.run(command, capture_output=True, env={**os.environ, "LC_ALL": "C.UTF-8"})
    except OSError as error:
        raise CompileError(f"cannot run the C compiler '{command[0]}': {error.strerror} (install gcc "
                           "or clang, or name yours in CC)", "COMPILE") from None


def _key(command, source, included):
    """Return a name for all that determines the plug-in; `included` is the text that is not in the
    source."""
    compiler = os.path.realpath(shutil.which(command[0]) or command[0])
    entry = os.stat(compiler)
    parts = [text(lib.eulercl_version()), str(source), compiler, entry.st_size, entry.st_mtime_ns,
             *command[1:]]
    digest = hashlib.sha256("\n".join(map(str, parts)).encode())
    digest.update(source.read_bytes())
    digest.update(included)
    return digest.hexdigest()


def _command():
    """Return how plug-ins are compiled."""
    return [*(shlex.split(os.environ.get("CC", "")) or ["cc"]), *FLAGS,
            f"-DODE_KERNELS_ONLY={lib.best_kernels()}", "-I", str(HEADERS)]


def _fail(source, log):
    """Raise an exception for the first error in the author's lines."""
    found = re.search(rf"^{re.escape(str(source))}:(\d+):.*?error: (.*)$", log, re.MULTILINE)
    where = f": line {found[1]}: {found[2]}" if found else ""
    raise CompileError(f"{source.name} did not compile{where}", "COMPILE", log)


def compile_problem(file, target):
    """Compile a problem.

    Parameters
    ----------
    file : path
        The problem's C file.
    target : path
        The plug-in to write.
    """
    try:
        source = pathlib.Path(file).resolve(strict=True)
        written = source.read_bytes()
    except OSError as error:
        raise ProblemFileError(f"{file}: {error.strerror}", "FILE") from None
    try:
        call(lib.eulercl_verify_names, written, len(written))
    except InvalidError as error:
        raise CompileError(f"{source.name} did not compile: {error}", "COMPILE") from None
    done = _run([*_command(), "-E", "-P", "-dD", "-w", "-o", "-", str(source)])
    _compile(source, target, done.stdout if done.returncode == 0 else None)


def _compile(source, target, included):
    """Compile a file, or take the plug-in that was kept; `included` is as of `_key`, None for a file
    with errors."""
    if re.search(r'["\\\n]', str(source)):
        raise InvalidError(f"{source}: a problem's path must not contain quotation marks, backslashes "
                           "or line breaks", "INVALID")
    command, folder, entry = _command(), _cache_folder(), None
    if folder and included is not None:
        with contextlib.suppress(OSError):  # no such compiler, as the next one to run it will say
            entry = folder / f"{_key(command, source, included)}.so"
    if entry and entry.exists():
        os.utime(entry)
        shutil.copyfile(entry, target)
        return
    done = _run([*command, "-o", str(target), str(source), "-lm", "-Wl,-z,defs"])
    if done.returncode != 0:
        _fail(source, done.stderr.decode("utf-8", "replace"))
    if entry:
        _store(target, entry)


def _store(target, entry):
    """Keep the plug-in; of too many the ones that were not used for longest are removed."""
    try:
        handle, name = tempfile.mkstemp(dir=entry.parent)
        os.close(handle)
        shutil.copyfile(target, name)
        os.replace(name, entry)
        for kind in ("*.so", "*.c"):
            entries = sorted(entry.parent.glob(kind), key=lambda path: path.stat().st_mtime)
            for old in entries[:-MOST_ENTRIES]:
                old.unlink(missing_ok=True)
    except OSError:
        pass  # what cannot be kept is compiled again


def compile_text(source, target):
    """Compile the text of a problem. Its file has the same name each time, because that name is
    part of the plug-in."""
    folder = _cache_folder() or pathlib.Path(target).parent
    file = folder / f"{hashlib.sha256(source.encode()).hexdigest()}.c"
    handle, name = tempfile.mkstemp(dir=folder, text=True)
    with os.fdopen(handle, "w") as unfinished:
        unfinished.write(source)
    os.replace(name, file)
    # The text includes the library's headers alone, so the compiler need not say what it includes.
    headers = sorted(HEADERS.rglob("*.h"))
    _compile(file, target, b"".join(header.read_bytes() for header in headers))
