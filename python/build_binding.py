# SPDX-License-Identifier: BSD-2-Clause
"""Make eulercl._binding from the library's public header, which pkg-config finds."""
import os
import pathlib
import re
import shlex
import subprocess

import cffi


def pkg_config(*options):
    """Return what pkg-config prints about the library, as words."""
    try:
        done = subprocess.run(["pkg-config", *options, "eulercl"], check=True, capture_output=True,
                              text=True, env={**os.environ, "PKG_CONFIG_ALLOW_SYSTEM_CFLAGS": "1"})
    except FileNotFoundError:
        raise SystemExit("eulercl: building the package needs pkg-config") from None
    except subprocess.CalledProcessError as error:
        raise SystemExit("eulercl: pkg-config does not find the library libeulercl; install it, or "
                         f"name the folder of eulercl.pc in PKG_CONFIG_PATH:\n{error.stderr}") from None
    return shlex.split(done.stdout)


def include_folder():
    """Return the folder of the library's headers."""
    for word in pkg_config("--cflags-only-I"):
        folder = pathlib.Path(word.removeprefix("-I"), "eulercl")
        if (folder / "eulercl.h").is_file():
            return folder
    raise SystemExit("eulercl: the folders that pkg-config names contain no eulercl/eulercl.h")


def declarations():
    """Return the preprocessed text of eulercl.h without that of the headers that it includes."""
    header = include_folder() / "eulercl.h"
    compiler = shlex.split(os.environ.get("CC", "cc"))
    text = subprocess.run([*compiler, "-E", str(header)], check=True, capture_output=True,
                          text=True).stdout
    lines, wanted = [], False
    for line in text.splitlines():
        marker = re.match(r'# \d+ "(.*?)"', line)
        if marker:
            wanted = marker[1] == str(header)
        elif wanted:
            lines.append(line)
    return re.sub(r'__attribute__\s*\(\(visibility\("default"\)\)\)', "", "\n".join(lines))


builder = cffi.FFI()
builder.cdef(declarations())
# What is called from C.
builder.cdef("""
    extern "Python" int observe(eulercl_solver *solver, const eulercl_progress *progress, void *user);
    extern "Python" int take_finding(const eulercl_finding *finding, void *user);
    extern "Python" int wait_for_compiler(double seconds, void *user);
""")
builder.set_source(
    "eulercl._binding",
    "#include <eulercl/eulercl.h>",
    include_dirs=[str(include_folder().parent)],
    library_dirs=[word.removeprefix("-L") for word in pkg_config("--libs-only-L")],
    libraries=[word.removeprefix("-l") for word in pkg_config("--libs-only-l")],
)
