# SPDX-License-Identifier: BSD-2-Clause
"""States as xarray's data sets, pictures and tables."""
import base64
import html
import io

import numpy as np

from ._dataset import axes_of, make_dataset
from ._library import InvalidError, optional

MOST_TIMES = 5


class States:
    """What `Solution` and `File` can show. They have ``t``, ``y``, ``names`` and ``parameters``."""

    def to_xarray(self):
        """Return the states as an xarray.Dataset: for each component of a point an array with the
        dimensions t, y and x, and the problem's parameters as attributes."""
        optional("xarray", "to_xarray")
        return make_dataset(np.asarray(self.y), self.y.shape[1:], self.names, {"t": self.t}, {},
                            self.parameters)

    def plot(self, *components, times=None):
        """Draw the states with matplotlib: images of two dimensions, lines of one.

        Parameters
        ----------
        *components : str
            Which components of a point, by their names; by default all.
        times : sequence of float, optional
            Draw the states nearest to these times; by default at most 5 of all.

        Returns
        -------
        matplotlib.figure.Figure
            ``matplotlib.pyplot.show()`` shows it, ``savefig`` writes it.
        """
        optional("matplotlib", "plot")
        from matplotlib import pyplot
        numbers = [self._component(name) for name in components] or range(len(self.names))
        if times is None:
            places = np.unique(np.linspace(0, len(self.t) - 1, MOST_TIMES).round().astype(int))
        else:
            places = [int(np.abs(self.t - t).argmin()) for t in times]
        return self._draw(pyplot.figure, numbers, places)

    def _component(self, name):
        if name not in self.names:
            raise InvalidError(f"there is no component '{name}' (there are {', '.join(self.names)})",
                               "INVALID")
        return self.names.index(name)

    def _draw(self, make_figure, numbers, places):
        axes, component = axes_of(self.y.shape[1:])
        are_images = len(axes) == 2
        rows, columns = (len(numbers), len(places)) if are_images else (len(numbers), 1)
        figure = make_figure(figsize=(3.2 * columns + 0.6 if are_images else 7, 2.8 * rows),
                             layout="constrained")
        panels = figure.subplots(rows, columns, squeeze=False)
        states = [self.y[int(place)] for place in places]
        for number, row in zip(numbers, panels):
            name, values = self.names[number], [component(state, number) for state in states]
            if are_images:
                self._draw_images(figure, row, name, values, places)
                continue
            for place, value in zip(places, values):
                row[0].plot(value, label=f"t = {self.t[place]:g}")
            row[0].set(xlabel=axes[0], ylabel=name)
            row[0].legend(fontsize="small")
        return figure

    def _draw_images(self, figure, row, name, values, places):
        finite = np.concatenate([value[np.isfinite(value)] for value in values])
        limits = (finite.min(), finite.max()) if finite.size else (0, 1)
        for panel, place, value in zip(row, places, values):
            image = panel.imshow(value, origin="lower", vmin=limits[0], vmax=limits[1])
            panel.set(title=f"t = {self.t[place]:g}", xlabel="x")
        row[0].set(ylabel="y")
        figure.colorbar(image, ax=list(row), label=name)  # the same colours in a row

    def _facts(self):
        """Return what a notebook shows beside the picture."""
        return self.parameters

    def _repr_html_(self):
        facts = {"times": f"{len(self.t)}, the last one {self.t[-1]:g}",
                 "shape of a state": " x ".join(map(str, self.y.shape[1:])), **self._facts()}
        cells = "".join(f"<tr><th>{html.escape(str(name))}</th><td>{html.escape(str(value))}</td></tr>"
                        for name, value in facts.items())
        return f"<table>{cells}</table>{self._picture()}"

    def _picture(self):
        """Return the last state as a picture; where matplotlib is missing, as a table."""
        try:
            from matplotlib.figure import Figure
        except ImportError:
            return self._table()
        file = io.BytesIO()
        figure = self._draw(Figure, range(min(len(self.names), MOST_TIMES)), [len(self.t) - 1])
        figure.savefig(file, format="png", dpi=80)
        image = base64.b64encode(file.getvalue()).decode()
        return f'<img alt="the last state" src="data:image/png;base64,{image}">'

    def _table(self):
        component = axes_of(self.y.shape[1:])[1]
        last = self.y[len(self.t) - 1]
        rows = [(name, *(f"{getattr(component(last, c), word)():.6g}" for word in ("min", "max", "mean")))
                for c, name in enumerate(self.names)]
        lines = "".join("<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in row) + "</tr>"
                        for row in rows)
        return f"<table><tr><th></th><th>min</th><th>max</th><th>mean</th></tr>{lines}</table>"
