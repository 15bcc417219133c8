# SPDX-License-Identifier: BSD-2-Clause
"""Calls of the library: its errors become exceptions, its structures become Python's."""
import ctypes
import functools
import importlib
import pathlib

# A wheel contains a library that takes the place of the OpenCL loader where that is missing, because
# the binding cannot be loaded without one.
_substitute = pathlib.Path(__file__).parent / "no_opencl.so"
if _substitute.exists():
    try:
        ctypes.CDLL("libOpenCL.so.1")
    except OSError:
        ctypes.CDLL(str(_substitute))

from ._binding import ffi, lib


class EulerclError(RuntimeError):
    """An error of the library.

    Attributes
    ----------
    status : str
        Name of the status, such as ``"NONFINITE"``.
    log : str
        Messages of the compiler (status ``"COMPILE"``), else empty.
    """

    # Derived classes have the same arguments: pickle makes an error from its message alone, and sets
    # the attributes then.
    def __init__(self, message, status="INTERNAL", log=""):
        super().__init__(message)
        self.status = status
        self.log = log


class InvalidError(EulerclError, ValueError):
    """A name, an option, a parameter or a size that is not allowed."""


class ProblemFileError(EulerclError, OSError):
    """A problem's file that is missing or cannot be loaded."""


class CompileError(EulerclError):
    """A problem's text that does not compile."""


class OutOfMemoryError(EulerclError, MemoryError):
    """More memory than there is, in this machine or on the device."""


_classes = {lib.EULERCL_INVALID: InvalidError, lib.EULERCL_FILE: ProblemFileError,
            lib.EULERCL_COMPILE: CompileError, lib.EULERCL_MEMORY: OutOfMemoryError}


def optional(package, what, *, is_in_debian=True):
    """Return a package that only `what` needs."""
    try:
        return importlib.import_module(package)
    except ImportError:
        debian = f" (Debian: python3-{package.lower()})" if is_in_debian else ""
        raise ImportError(f"{what} needs the Python package {package}{debian}") from None


def text(pointer):
    """Return a C string as str; "" for NULL."""
    return "" if pointer == ffi.NULL else ffi.string(pointer).decode("utf-8", "replace")


def call(function, *arguments):
    """Call a function of the library, whose last argument is the error record."""
    error = ffi.new("eulercl_error *")
    status = function(*arguments, error)
    if status == lib.EULERCL_OK:
        return
    name = text(lib.eulercl_status_name(status)).removeprefix("EULERCL_")
    raise _classes.get(status, EulerclError)(text(error.message), name, text(error.log))


def keep_raised(kind, error, trace):
    """Keep an exception that left a function which the library called, such as KeyboardInterrupt, as
    `raised` of the object whose handle is its argument `user`."""
    del kind
    ffi.from_handle(trace.tb_frame.f_locals["user"]).raised = error


def structure(name):
    """Return a new structure that begins with its size."""
    made = ffi.new(f"eulercl_{name} *")
    made.struct_size = ffi.sizeof(f"eulercl_{name}")
    return made


@functools.cache
def _readers(kind):
    """Return for each field of a structure that is a number or a string its name and what makes it
    a Python object."""
    readers = []
    for name, field in kind.fields:
        if (name == "struct_size" or field.type.kind == "array" and field.type.item.kind == "struct"
                or field.type.kind == "pointer" and field.type.item.cname == "double"):
            continue
        if field.type.kind == "pointer":
            read = _pointed_text
        elif field.type.kind == "array":
            read = text if field.type.item.cname == "char" else tuple
        else:
            read = None
        readers.append((name, read))
    return readers


def _pointed_text(pointer):
    return text(ffi.cast("char *", pointer))


def as_dict(record):
    """Return the fields of a structure of numbers and strings, except its size."""
    fields = {}
    for name, read in _readers(ffi.typeof(record).item):
        value = getattr(record, name)
        fields[name] = value if read is None else read(value)
    return fields


def not_copied(self):
    """The __reduce__ of classes whose objects cannot be copied or sent to another process."""
    raise InvalidError(f"a {type(self).__name__} cannot be copied or pickled; copy its state", "INVALID")
