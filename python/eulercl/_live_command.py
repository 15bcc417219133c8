# SPDX-License-Identifier: BSD-2-Clause
"""The command line of live views: a problem, the gallery, or the replay of strokes."""
import argparse
import functools
import json
import math
import sys

import numpy as np

from ._binding import lib
from ._library import EulerclError, InvalidError, ProblemFileError, optional, text
from ._live import Session
from ._problem import Problem
from ._steered import Steered, check_state, replay


def _number(word):
    try:
        value = float(word)
        if math.isfinite(value):
            return value
    except ValueError:
        pass
    raise argparse.ArgumentTypeError(f"{word!r} is not a finite number")


def _pair(word):
    name, equals, value = word.partition("=")
    if not (name and equals and value):
        raise argparse.ArgumentTypeError(f"{word!r} is not NAME=VALUE")
    return name, value


def _step_size(word):
    return "auto" if word == "auto" else _number(word)


def make_parser():
    """Return the parser of the arguments, whose words are those of ``eulercl solve``."""
    parser = argparse.ArgumentParser(
        "eulercl live", allow_abbrev=False, description="Show a run in a browser, and steer it: print an "
        "address, and wait for its pages until Ctrl-C.")
    parser.add_argument("problem", nargs="?", metavar="PROBLEM|FILE.c|FILE.so",
                        help="without one: a page with the problems of the gallery")
    parser.add_argument("-p", dest="parameters", action="append", default=[], type=_pair,
                        metavar="NAME=VALUE", help="set a parameter")
    parser.add_argument("--field", dest="fields", action="append", default=[], type=_pair,
                        metavar="NAME=FILE", help="set a field from FILE.npy or FILE.png")
    parser.add_argument("--h", type=_step_size, default=None, help="step size, or auto (the default)")
    parser.add_argument("--tol", type=_number, help="steps to this relative tolerance")
    parser.add_argument("--t-end", type=_number, help="sets the speed: until this time the run takes about 10 s")
    parser.add_argument("--method")
    parser.add_argument("--stages", type=int)
    parser.add_argument("--precision", choices=["double", "float"], help="double (the default) or float")
    parser.add_argument("--backend")
    parser.add_argument("--device")
    parser.add_argument("--component", type=int, default=0, help="what is shown first (0)")
    parser.add_argument("--port", type=int, default=0, help="of the address (a free one)")
    parser.add_argument("--replay", metavar="strokes.json",
                        help="repeat the run that a page has saved, and print the hash of its state")
    return parser


def read_field(path):
    """Return the values of a field: an array of NumPy, or the grey levels of a picture, whose lowest row
    is row 0."""
    try:
        if path.endswith(".npy"):
            return np.load(path, allow_pickle=False)
        optional("PIL", f"--field {path}")
        from PIL import Image
        with Image.open(path) as picture:
            return np.asarray(picture.convert("L"), float)[::-1] / 255
    except (OSError, ValueError, EOFError) as error:
        raise ProblemFileError(f"{path}: {error}", "FILE") from None


def make_run(arguments, stops):
    """Return the run of parsed arguments."""
    problem = Problem(arguments.problem, **{name: _value(name, word) for name, word in arguments.parameters})
    for name, path in arguments.fields:
        problem.set(name, read_field(path))
    return Steered(problem, h=arguments.h or "auto", rtol=arguments.tol, method=arguments.method,
                   stages=arguments.stages, precision=arguments.precision or "double", backend=arguments.backend,
                   device=arguments.device, stops=stops)


def _value(name, word):
    try:
        return float(word)
    except ValueError:
        raise InvalidError(f"parameter {name}: {word!r} is not a number", "INVALID") from None


def make_session(arguments):
    """Return the session of parsed arguments."""
    return Session(functools.partial(make_run, arguments), arguments.t_end, max(0, arguments.component))


def _of_the_list(arguments):
    """Return the options that a list of strokes contains."""
    return {"-p": arguments.parameters, "--h": arguments.h, "--tol": arguments.tol, "--t-end": arguments.t_end,
            "--method": arguments.method, "--stages": arguments.stages, "--precision": arguments.precision}


def _replay(arguments):
    try:
        with open(arguments.replay, encoding="utf-8") as file:
            history = json.load(file)
    except (OSError, ValueError) as error:
        raise ProblemFileError(f"{arguments.replay}: {error}", "FILE") from None
    fields = {name: read_field(path) for name, path in arguments.fields}
    run = replay(history, Problem(arguments.problem), fields, backend=arguments.backend, device=arguments.device)
    print(f"steps {run.steps}\nt     {run.solver.t:.17g}\nhash  {run.solver.state_hash}")
    check_state(run, history)


def _status(name):
    """Return the exit status for the name of a status of the library."""
    number = 0
    while (found := text(lib.eulercl_status_name(number)).removeprefix("EULERCL_")) != name and number < 256:
        number += 1
    return number if found == name else 1


def main(words):
    """Do what the words of a command line say; return the exit status."""
    arguments = make_parser().parse_args(words)
    try:
        if arguments.replay is not None:
            if arguments.problem is None:
                raise InvalidError("--replay: name the problem whose strokes these are", "INVALID")
            given = [option for option, value in _of_the_list(arguments).items() if value not in (None, [])]
            if given:
                raise InvalidError(f"--replay: {given[0]} is that of the list, give none", "INVALID")
            _replay(arguments)
            return 0
        optional("aiohttp", "eulercl live")
        session = None if arguments.problem is None else make_session(arguments)  # while the server starts
        from ._live_server import serve
        return serve(arguments, session)
    except KeyboardInterrupt:
        return 0
    except EulerclError as error:
        print(f"eulercl: {error}", *([error.log] if error.log else []), sep="\n", file=sys.stderr)
        return _status(error.status)
    except ImportError as error:
        print(f"eulercl: {error}", file=sys.stderr)
        return _status("UNSUPPORTED")
