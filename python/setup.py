# SPDX-License-Identifier: BSD-2-Clause
"""The binding to the library that pkg-config finds."""
import importlib
import sys

from setuptools import setup


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


check_wheel()
# cffi's extensions work with all later versions of Python, too.
setup(cffi_modules=["build_binding.py:builder"], options={"bdist_wheel": {"py_limited_api": "cp311"}})
