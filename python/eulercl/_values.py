# SPDX-License-Identifier: BSD-2-Clause
"""Convert the arguments of users to the numbers, names and arrays of the library, or raise an InvalidError."""
import math
import operator
import os

import numpy as np

from ._library import InvalidError, OutOfMemoryError

# Arrays of fewer bytes are not compared with the memory, which takes a tenth of a millisecond.
SMALL_BYTES = 1 << 24
_not_numbers = (TypeError, ValueError, OverflowError)


def shown(value):
    """Return a value as a short text for messages."""
    try:
        text = " ".join(repr(value).split())
    except Exception:  # such as that of an int with too many digits
        text = f"<{type(value).__name__}>"
    return text if len(text) <= 60 else f"{text[:57]}..."


def _scalar(value):
    """Return what is not an array; None for all that is no real number."""
    try:
        array = np.asarray(value)
    except _not_numbers:
        return None
    if array.ndim > 0 or array.dtype.kind not in "biufO" or np.ma.is_masked(value):
        return None
    value = array.item()
    return None if isinstance(value, (str, bytes, complex)) else value


def is_number(value):
    """Return whether a value is no array, and no sequence."""
    try:
        return np.ndim(value) == 0
    except ValueError:  # rows of different lengths
        return False


def real(what, value):
    """Return a number as a float, which may be infinite or NaN."""
    number = _scalar(value)
    try:
        if not isinstance(number, bool):
            return float(number)
    except _not_numbers:
        pass
    raise InvalidError(f"{what}: {shown(value)} is not a real number", "INVALID")


def coefficient(what, value):
    """Return a finite number; True is 1."""
    number = real(what, int(value) if isinstance(value, (bool, np.bool_)) else value)
    if not math.isfinite(number):
        raise InvalidError(f"{what}: {shown(value)} is not a finite number", "INVALID")
    return number


def positive(what, value):
    """Return a number greater than 0. The library takes 0 for its default, which is None here."""
    number = real(what, value)
    if not number > 0:
        raise InvalidError(f"{what}: {shown(value)} is not greater than 0", "INVALID")
    return number


def whole(what, value, least=-2**63, most=2**63 - 1):
    """Return a whole number, which may be a float such as 1e6."""
    number = _scalar(value)
    if isinstance(number, float) and number.is_integer():
        number = int(number)
    try:
        if not isinstance(number, bool) and least <= operator.index(number) <= most:
            return operator.index(number)
    except _not_numbers:
        pass
    bounds = "of 64 bits" if (least, most) == (-2**63, 2**63 - 1) else f"from {least} to {most}"
    raise InvalidError(f"{what}: {shown(value)} is not a whole number {bounds}", "INVALID")


def switch(what, value):
    """Return 0 or 1."""
    return whole(what, int(value) if isinstance(value, (bool, np.bool_)) else value, 0, 1)


def characters(what, value):
    """Return a text, or the path of a file, as bytes for C."""
    try:
        encoded = os.fsencode(value)
    except (TypeError, ValueError):
        encoded = b"\0"
    if b"\0" in encoded:
        raise InvalidError(f"{what}: {shown(value)} is not a text without null characters", "INVALID")
    return encoded


def path(what, value):
    """Return the path of a file as str."""
    return os.fsdecode(characters(what, value))


def callback_of(what, value):
    """Return what can be called, or None."""
    if value is not None and not callable(value):
        raise InvalidError(f"{what}: {shown(value)} cannot be called", "INVALID")
    return value


def reals(what, values, kind=float):
    """Return an array of real numbers, contiguous in the order of its indices and aligned, of this
    machine's byte order. It may be the array that was passed."""
    try:
        array = np.asarray(values)
        if array.dtype.kind == "O":  # such as fractions, and integers beyond 64 bits
            numbers = [coefficient(what, one) for one in array.reshape(-1)]
            array = np.array(numbers, float).reshape(array.shape)
    except InvalidError:
        raise
    except (*_not_numbers, MemoryError) as error:
        raise InvalidError(f"{what}: {shown(values)} is not an array of numbers ({error})",
                           "INVALID") from None
    if array.dtype.kind == "c":
        raise InvalidError(f"{what}: complex numbers, but components are real numbers", "INVALID")
    if array.dtype.kind not in "biuf":
        raise InvalidError(f"{what}: {shown(values)} is not an array of numbers", "INVALID")
    if np.ma.is_masked(values):
        raise InvalidError(f"{what}: some numbers of the array are masked", "INVALID")
    return np.require(array, kind, ["C", "A"])


def _first_number(path):
    """Return the number at the beginning of a file of the system; infinity for none."""
    try:
        with open(path, encoding="ascii") as file:
            return int(file.read(40).split()[0])
    except (OSError, ValueError, IndexError):
        return math.inf


def memory_available():
    """Return the bytes that this process can still take without swapping, as far as it is known."""
    limits = [_first_number("/sys/fs/cgroup/memory.max"),
              _first_number("/sys/fs/cgroup/memory/memory.limit_in_bytes")]
    try:
        limits.append(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
        with open("/proc/meminfo", encoding="ascii") as file:
            limits += [1024 * int(line.split()[1]) for line in file if line.startswith("MemAvailable:")]
    except (OSError, ValueError):
        pass
    return min(limits)


def check_memory(what, size):
    """Raise an exception if the machine has too little memory for this number of bytes: a system
    that overcommits would grant them, and end the process later. A quarter is left to others and to
    later needs."""
    available = memory_available() if size > SMALL_BYTES else math.inf
    if size > 0.75 * available:
        raise OutOfMemoryError(f"{what}: {size / 1e6:.4g} MB are needed, which is too much for the "
                               f"{available / 1e6:.4g} MB of memory that are available", "MEMORY")


def empty(what, shape, kind=float):
    """Return a new array."""
    check_memory(what, math.prod(shape) * np.dtype(kind).itemsize)
    try:
        return np.empty(shape, kind)
    except MemoryError as error:
        raise OutOfMemoryError(f"{what}: {error}", "MEMORY") from None
