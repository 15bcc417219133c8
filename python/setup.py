# SPDX-License-Identifier: BSD-2-Clause
"""The binding to the library that pkg-config finds."""
import importlib
import pathlib
import re
import shutil
import sys

from setuptools import setup
from setuptools.command.build_py import build_py


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


class BuildWithGallery(build_py):
    """The gallery's page, problems and pictures, which `eulercl live` shows, are those of the sources."""

    def run(self):
        super().run()
        sources, target = pathlib.Path(__file__).resolve().parents[1], pathlib.Path(self.build_lib, "eulercl/gallery")
        page = sources / "doc/gallery.md"
        if not page.exists():
            return
        names = re.findall(r"^## (\w+):", page.read_text("utf-8"), re.M)
        files = [page, *(sources / f"doc/gallery/{name}.png" for name in names),
                 *(sources / f"examples/{name}.c" for name in names), *(sources / "examples").glob("*.png")]
        for file in files:
            if file.exists():  # some problems are built in
                copy = target / file.relative_to(sources)
                copy.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(file, copy)


check_wheel()
# cffi's extensions work with all later versions of Python, too.
setup(cmdclass={"build_py": BuildWithGallery}, cffi_modules=["build_binding.py:builder"], options={"bdist_wheel": {"py_limited_api": "cp311"}})
