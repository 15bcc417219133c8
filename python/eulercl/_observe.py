# SPDX-License-Identifier: BSD-2-Clause
"""Observations: what the library computes from states, such as histograms and length scales."""
import numpy as np

from ._binding import ffi, lib
from ._library import InvalidError, call, optional, text
from ._show import MOST_TIMES, shown_once
from ._values import characters, real, shown


def check_text(wanted):
    """Raise an error unless something is a str."""
    if not isinstance(wanted, str):
        raise InvalidError(f"observe: {shown(wanted)} is not a text", "INVALID")


class Observation:
    """The library's object of the same name, for solvers of a problem with its present sizes."""

    def __init__(self, problem, wanted):
        words = wanted.split(":")
        if len(words) > 1 and words[1] in problem.component_names:
            words[1] = str(problem.component_names.index(words[1]))
        made = ffi.new("eulercl_observation **")
        call(lib.eulercl_observation_create, problem._problem,
             characters("an observer", ":".join(words)), made)
        self.pointer = ffi.gc(made[0], lib.eulercl_observation_destroy)
        self.wanted = wanted
        self.arguments = tuple(float(word) for word in words[1:])
        name = ffi.new("char[]", 512)
        self.names = []
        for column in range(lib.eulercl_observation_columns(self.pointer)):
            call(lib.eulercl_observation_column, self.pointer, column, name, len(name))
            self.names.append(text(name).removeprefix(":".join(words)).removeprefix(":"))

    def find(self, solver):
        """Return the values of the present state of a solver."""
        values = np.empty(len(self.names))
        solver._call(lib.eulercl_observe, self.pointer, ffi.from_buffer("double[]", values))
        return values


class Observed:
    """What was observed.

    Attributes
    ----------
    text : str
        As it was given, such as "histogram:u:256:0:1".
    names : tuple of str
        Of the values, such as "size" and "boundary".
    t : array of shape (times,), or float
        The times of the states.
    values : array of shape (times, len(names)), or (len(names),)

    ``observed["size"]`` are the values with this name.
    """

    def __init__(self, observation, t, values):
        self.text, self.names = observation.wanted, tuple(observation.names)
        self.t, self.values, self._arguments = t, values, observation.arguments

    def __getitem__(self, name):
        if not isinstance(name, str) or name not in self.names:
            raise InvalidError(f"{self.text} has no value {shown(name)}", "INVALID")
        return self.values[..., self.names.index(name)]

    def __repr__(self):
        return f"<eulercl.Observed: {self.text}, values of shape {self.values.shape}>"

    def _each_histogram(self, function, *arguments):
        """Return what a function of the library finds in the counts of each time."""
        if not self.text.startswith("histogram:"):
            raise InvalidError(f"{self.text} has no counts; only a histogram has", "INVALID")
        _, bins, low, high = self._arguments
        counts, found = np.ascontiguousarray(self.values), ffi.new("double *")
        results = []
        for row in np.atleast_2d(counts):
            call(function, int(bins), low, high, ffi.from_buffer("double[]", row), *arguments, found)
            results.append(found[0])
        return np.array(results) if self.values.ndim > 1 else results[0]

    def quantile(self, part):
        """Return the value below which a part of all values lies, by a histogram.

        Parameters
        ----------
        part : float
            From 0 to 1; 0.5: the median.

        Returns
        -------
        float, or array with one for each time
            -inf and inf: the value lies outside of the bins; nan: there are no values.
        """
        return self._each_histogram(lib.eulercl_histogram_quantile, real("part", part))

    def threshold(self):
        """Return the level that divides the values in the bins of a histogram into two classes, by
        Otsu's method.

        Returns
        -------
        float, or array with one for each time
            nan: all values are in one bin.
        """
        return self._each_histogram(lib.eulercl_histogram_threshold)

    def plot(self):
        """Draw the values with matplotlib: those of several times over the time, histograms then as an
        image; histograms and correlations of few times as lines.

        Returns
        -------
        matplotlib.figure.Figure
        """
        optional("matplotlib", "plot")
        from matplotlib import pyplot
        times, values = np.atleast_1d(self.t), np.atleast_2d(self.values)
        if self.text.startswith("histogram:"):
            return shown_once(self._draw_histogram(pyplot.figure, times, values))
        if self.text.startswith("correlation:"):
            return shown_once(self._draw_correlation(pyplot.figure, times, values))
        figure = pyplot.figure(figsize=(7, 2.2 * len(self.names)), layout="constrained")
        panels = figure.subplots(len(self.names), 1, sharex=True, squeeze=False)[:, 0]
        for panel, name, value in zip(panels, self.names, values.T):
            panel.plot(times, value, marker="." if len(times) < 50 else "")
            panel.set(ylabel=name or self.text)
        panels[-1].set(xlabel="t")
        return figure

    def _draw_histogram(self, make_figure, times, values):
        _, bins, low, high = self._arguments
        counts, edges = values[:, 1:1 + int(bins)], np.linspace(low, high, int(bins) + 1)
        figure = make_figure(figsize=(7, 3.5), layout="constrained")
        panel = figure.subplots()
        if len(times) > MOST_TIMES:
            shares = np.ma.masked_equal(counts / np.maximum(values.sum(axis=1, keepdims=True), 1), 0)
            image = panel.pcolormesh(times, (edges[1:] + edges[:-1]) / 2, shares.T, shading="nearest",
                                     norm="log" if counts.any() else None)
            panel.set(xlabel="t", ylabel=self.text)
            figure.colorbar(image, ax=panel, label="share of the points")
            return figure
        for t, count in zip(times, counts):
            panel.stairs(count, edges, label=f"t = {t:g}")
        panel.set(xlabel=self.text, ylabel="points")
        panel.legend(fontsize="small")
        return figure

    def _draw_correlation(self, make_figure, times, values):
        lags = int(self._arguments[1])
        axes = len(self.names) // lags
        figure = make_figure(figsize=(7, 2.6 * axes), layout="constrained")
        panels = figure.subplots(axes, 1, sharex=True, squeeze=False)[:, 0]
        places = np.unique(np.linspace(0, len(times) - 1, MOST_TIMES).round().astype(int))
        for axis, panel in enumerate(panels):
            for place in places:
                panel.plot(range(1, lags + 1), values[place, axis * lags:(axis + 1) * lags],
                           label=f"t = {times[place]:g}")
            panel.set(ylabel=f"correlation along {'xyz'[axis]}")
        panels[0].legend(fontsize="small")
        panels[-1].set(xlabel="lag")
        return figure


def each_state(problem, parameters, t, y):
    """Yield a solver that has each of several states of a problem with these parameters in turn."""
    from ._solver import Solver  # which observes its own state
    with problem._having(parameters):
        precision = "float" if y.dtype == np.float32 else "double"
        with Solver(problem, y[0], h=1.0, precision=precision, backend="seq") as solver:
            for time, state in zip(t, y):
                solver.state = state
                solver._go_to(time)
                yield solver


def observe_states(problem, parameters, t, y, wanted):
    """Return what was observed of several states of a problem with these parameters."""
    check_text(wanted)
    observation, values = None, []
    for solver in each_state(problem, parameters, t, y):
        observation = observation or Observation(problem, wanted)
        values.append(observation.find(solver))
    return Observed(observation, np.array(t), np.array(values))
