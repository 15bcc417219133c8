# SPDX-License-Identifier: BSD-2-Clause
"""The binding, and the headers that problems in FILE.c include: both are those of the library that
pkg-config finds."""
import importlib
import pathlib
import shutil
import sys

from setuptools import setup
from setuptools.command.build_py import build_py

sys.path.insert(0, str(pathlib.Path(__file__).parent))  # pip does not do it
from build_binding import include_folder


def check_wheel():
    """A build by pip needs a package that setuptools contains from version 70.1 on."""
    if not {"bdist_wheel", "dist_info"} & set(sys.argv):
        return
    for module in ("setuptools.command.bdist_wheel", "wheel"):
        try:
            importlib.import_module(module)
            return
        except ImportError:
            pass
    raise SystemExit("eulercl: this setuptools needs the Python package wheel (Debian: python3-wheel)")


class BuildWithHeaders(build_py):
    """The package carries the headers, so that problems compile where the library's are missing."""

    def run(self):
        super().run()
        target = pathlib.Path(self.build_lib, "eulercl", "include", "eulercl")
        shutil.rmtree(target, ignore_errors=True)
        shutil.copytree(include_folder(), target)


check_wheel()
# cffi's extensions work with all later versions of Python, too.
setup(cffi_modules=["build_binding.py:builder"], cmdclass={"build_py": BuildWithHeaders},
      options={"bdist_wheel": {"py_limited_api": "cp311"}})
