# SPDX-License-Identifier: BSD-2-Clause
"""The gallery: the problems that come with the library, their pictures, and how they are run."""
import argparse
import pathlib
import re
import shlex
import typing

from ._problem import problems

# doc/gallery.md, its pictures and the examples, in the folders that they have in the sources.
FOLDER = pathlib.Path(__file__).parent / "gallery"


class Item(typing.NamedTuple):
    """A problem of the gallery."""

    title: str
    formulas: str
    picture: pathlib.Path | None
    arguments: argparse.Namespace


def read_gallery(folder=FOLDER):
    """Return the problems of the gallery by their names; without its files, those that are built in."""
    from ._live_command import make_parser
    parser, items = make_parser(), {}
    page = folder / "doc/gallery.md"
    text = page.read_text("utf-8") if page.exists() else ""
    for name, title, body in re.findall(r"^## (\w+): ([^\n]*)\n(.*?)(?=^## |\Z)", text, re.M | re.S):
        command = re.search(r"^eulercl solve ((?:[^\n]*\\\n)*[^\n]*)$", body, re.M)
        picture = folder / f"doc/gallery/{name}.png"
        words = shlex.split(re.sub(r"examples/", f"{folder}/examples/", command[1].replace("\\\n", " ")))
        items[name] = Item(title, "\n".join(re.findall(r"^    (.*)$", body, re.M)),
                           picture if picture.exists() else None, parser.parse_known_args(words)[0])
    return items or {name: Item(name, "", None, parser.parse_args([name])) for name in problems()}
