# SPDX-License-Identifier: BSD-2-Clause
"""open: files FILE.h5 of the command (eulercl-formats(5))."""
import faulthandler
import math
import os
import resource
import signal
import warnings

import numpy as np

from ._library import EulerclError, InvalidError, ProblemFileError, not_copied, optional
from ._show import States
from ._values import check_memory, path as path_of


# Seconds of a processor, for work that usually takes some milliseconds.
MOST_SECONDS = 10
# The signals that end the child if a library crashes, or if its time is over.
DEADLY = {signal.SIGABRT, signal.SIGBUS, signal.SIGFPE, signal.SIGILL, signal.SIGSEGV, signal.SIGXCPU}


def _look_first(path, look):
    """Call a function in a child: where a file is damaged, HDF5 may crash or loop. Raises an exception
    for such a file; for others the caller sees itself what there is."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a warning about threads, which the child does not use
        child = os.fork()
    if child == 0:
        try:
            faulthandler.disable()
            os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
            for number in DEADLY:  # other libraries of the process may catch them
                signal.signal(number, signal.SIG_DFL)
            signal.pthread_sigmask(signal.SIG_UNBLOCK, DEADLY)
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            resource.setrlimit(resource.RLIMIT_CPU, (MOST_SECONDS, MOST_SECONDS + 1))
            look()
        finally:
            os._exit(0)
    if os.waitpid(child, 0)[1] != 0:
        raise ProblemFileError(f"{path} is damaged: the HDF5 library crashes on it, or does not end",
                               "FILE")


class _Lazy:
    """The states of a file, read where they are indexed."""

    __reduce__ = not_copied

    def __init__(self, dataset, is_series):
        self._dataset, self._is_series = dataset, is_series
        self.shape = dataset.shape if is_series else (1, *dataset.shape)
        self.dtype = dataset.dtype

    def __len__(self):
        return self.shape[0]

    def __getitem__(self, key):
        if not self._dataset:
            raise InvalidError("the file is closed", "INVALID")
        return self._dataset[key] if self._is_series else self._dataset[()][np.newaxis][key]

    def __array__(self, dtype=None, copy=None):
        check_memory("the states of the file", math.prod(self.shape) * self.dtype.itemsize)
        return np.asarray(self[:], dtype)

    def __repr__(self):
        return f"<states in a file: shape {self.shape}, {self.dtype}>"


class File(States):
    """A file FILE.h5 of ``eulercl solve``.

    Attributes
    ----------
    t : array of shape (times,)
        In the problem's unit of time.
    y : array-like of shape (times, ny, nx, components)
        On a grid of three dimensions (times, nz, ny, nx, components), of one (times, nx, components);
        (times, n) without a grid. It is read where it is indexed: ``y[-1]`` reads the last state alone,
        ``numpy.asarray(y)`` all of them.
    names : tuple of str
        The components of a point: y0, y1, ...
    parameters : dict
        The problem's parameters.
    facts : dict
        What the command knew of the run: problem, backend, method, steps, state_hash, ...
    """

    def __init__(self, path):
        optional("h5py", "eulercl.open")
        self._path = os.path.abspath(path_of("open", path))
        _look_first(self._path, self._read_ends)
        self._open(self._path)

    def _read_ends(self):
        self._open(self._path)
        state = self._file["state"]
        for end in (0, -1):
            state[(end,) * state.ndim]

    def _open(self, path):
        import h5py
        try:
            self._file = h5py.File(path, "r")
        except (OSError, RuntimeError, ValueError) as error:
            number = getattr(error, "errno", None)
            reason = os.strerror(number) if number else "not a file in the format HDF5"
            raise ProblemFileError(f"{path}: {reason}", "FILE") from None
        try:
            self._read(path)
        except BaseException as error:
            self.close()
            # Parts of the file are missing, damaged, or others than the command's.
            if isinstance(error, Exception) and not isinstance(error, EulerclError):
                raise ProblemFileError(f"{path}: not a file of eulercl solve, or not a complete one",
                                       "FILE") from error
            raise

    def __reduce__(self):
        return type(self), (self._path,)

    def _read(self, path):
        self._find_parts(path)
        is_series = "t" in self._file
        self.facts = {name: value.item() if isinstance(value, np.generic) else value
                      for name, value in self._file.attrs.items()}
        self.parameters = {name: value.item() for name, value
                           in self._file["parameters"].attrs.items()}
        self.t = self._file["t"][()] if is_series else np.array([self.facts["t_end"]])
        self.y = _Lazy(self._file["state"], is_series)
        count = self.y.shape[-1] if len(self.y.shape) > 2 else 1
        self.names = tuple(f"y{number}" for number in range(count))

    def _find_parts(self, path):
        """HDF5 shows a part that is missing as zeros."""
        state = self._file["state"]
        for source in state.virtual_sources() if state.is_virtual else ():
            part = os.path.join(os.path.dirname(path), source.file_name)
            if source.file_name != "." and not os.path.exists(part):
                raise ProblemFileError(f"{path}: its part {source.file_name} is missing", "FILE")

    def close(self):
        """Close the file; states cannot be read any more."""
        self._file.close()

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self.close()

    def _facts(self):
        words = ("problem", "method", "backend", "precision", "steps")
        return {word: self.facts[word] for word in words if word in self.facts} | self.parameters

    def __repr__(self):
        return f"<eulercl.File {self._file.filename!r}: {len(self.t)} times>"


def open(path):
    """Open a file FILE.h5 that ``eulercl solve --out FILE.h5`` wrote.

    Parameters
    ----------
    path : str or path

    Returns
    -------
    File

    Raises
    ------
    ProblemFileError
        The file is missing, or the command did not write it.
    """
    return File(path)
