# SPDX-License-Identifier: BSD-2-Clause
"""Plug-ins that were compiled before, in the folder of the command and in its form
(cli/shared/cache.c), so that each uses the entries of the other one.

An entry is one file: a line with sizes and a checksum, the key, the plug-in. The key is all that the
plug-in was made from, in full, and is compared in full. An entry that cannot be used is ignored:
nothing here is an error.
"""
import contextlib
import os
import stat
import threading
import time

from ._binding import ffi, lib

MOST_ENTRIES = 200
MOST_BYTES = 128 << 20  # of the folder
MOST_ENTRY = 16 << 20
MOST_NAME = 64
LOST_SECONDS = 3600  # after which an unfinished file counts as abandoned
MARK, UNFINISHED = "eulercl-compiled 1", "new-"


def _hash_of(*parts):
    """Return FNV-1a of 64 bits, as 16 digits."""
    value = 0xcbf29ce484222325
    for part in parts:
        value = lib.add_to_hash(value, ffi.from_buffer(part), len(part))
    return f"{value:016x}"


def _first_line(key, plug_in):
    return f"{MARK} {len(key)} {len(plug_in)} {_hash_of(key, plug_in)}\n".encode()


def _is_private(entry):
    return entry.st_uid == os.geteuid() and not entry.st_mode & (stat.S_IRWXG | stat.S_IRWXO)


@contextlib.contextmanager
def _opened(path, flags, folder=None):
    """A descriptor of a file or a folder that only this user can access."""
    opened = os.open(path, flags | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600, dir_fd=folder)
    try:
        if not _is_private(os.fstat(opened)):
            raise PermissionError(path)
        yield opened
    finally:
        os.close(opened)


@contextlib.contextmanager
def _folder():
    """A descriptor of the folder."""
    path = os.environ.get("XDG_CACHE_HOME") or os.environ.get("HOME", "") + "/.cache"
    if not path.startswith("/"):
        raise FileNotFoundError(path)
    for below in ("", "/eulercl", "/compiled"):
        path += below
        with contextlib.suppress(OSError):  # it is found when the folder is opened
            os.mkdir(path, 0o700)
    with _opened(path, os.O_RDONLY | os.O_DIRECTORY) as folder:
        yield folder


def _write(file, parts):
    with os.fdopen(os.dup(file), "wb") as stream:
        stream.writelines(parts)


def fetch(key, target):
    """Return whether the plug-in that was made from the key is at that path now."""
    try:
        with _folder() as folder, \
                _opened(_hash_of(key), os.O_RDONLY | os.O_NONBLOCK, folder) as file:
            entry = os.fstat(file)
            if not stat.S_ISREG(entry.st_mode) or entry.st_size > MOST_ENTRY:
                return False
            with os.fdopen(os.dup(file), "rb") as stream:
                head, found, plug_in = stream.readline(128), stream.read(len(key)), stream.read()
            if found != key or head != _first_line(key, plug_in):
                return False
            with open(target, "xb") as copy:
                copy.write(plug_in)
            with contextlib.suppress(OSError):
                os.utime(file)  # the least recently used entries are removed first
            return True
    except OSError:
        with contextlib.suppress(OSError):
            os.unlink(target)
        return False


def store(key, plug_in):
    """Keep the plug-in at that path, if that is possible."""
    try:
        with open(plug_in, "rb") as stream:
            content = stream.read(MOST_ENTRY)
        if len(content) + len(key) + 128 > MOST_ENTRY:
            return
        name = f"{UNFINISHED}{os.getpid()}-{threading.get_ident()}-{time.time_ns()}"
        with _folder() as folder:
            try:
                with _opened(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, folder) as file:
                    _write(file, [_first_line(key, content), key, content])
                os.rename(name, _hash_of(key), src_dir_fd=folder, dst_dir_fd=folder)
            except OSError:
                os.unlink(name, dir_fd=folder)
                raise
            _trim(folder)
    except OSError:
        pass  # an entry that cannot be kept is compiled again


def _trim(folder):
    """Remove the least recently used entries until the rest is within the bounds. Two processes may do
    so at the same time."""
    entries = []
    for name in os.listdir(folder):
        with contextlib.suppress(OSError):
            entry = os.stat(name, dir_fd=folder, follow_symlinks=False)
            if len(os.fsencode(name)) >= MOST_NAME or not stat.S_ISREG(entry.st_mode):
                continue
            if not name.startswith(UNFINISHED):
                entries.append((entry.st_mtime, entry.st_size, name))
            elif time.time() - entry.st_mtime > LOST_SECONDS:
                os.unlink(name, dir_fd=folder)
    size = 0
    for number, (_, bytes_of_it, name) in enumerate(sorted(entries, reverse=True)):
        size += bytes_of_it
        if number >= MOST_ENTRIES or size > MOST_BYTES:
            with contextlib.suppress(OSError):
                os.unlink(name, dir_fd=folder)
