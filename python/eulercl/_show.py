# SPDX-License-Identifier: BSD-2-Clause
"""States as xarray's data sets, pictures and tables."""
import base64
import io
import typing

import numpy as np

from ._dataset import axes_of, make_dataset
from ._library import InvalidError, optional
from ._values import positive, reals, shown

MOST_TIMES = 5


def _limits(arrays):
    """Return the least and the greatest finite value of arrays."""
    finite = [part for part in (array[np.isfinite(array)] for array in arrays) if part.size]
    if not finite:
        return 0.0, 1.0
    return float(min(part.min() for part in finite)), float(max(part.max() for part in finite))


class _Plane(typing.NamedTuple):
    """A plane of a component of a state."""

    across: str
    up: str
    cut: tuple  # the index of an array that takes it
    title: str


def _planes(axes, shape):
    """Return the planes that are drawn of states with these axes: of three axes those through the
    middle, of one none."""
    if len(axes) < 3:
        return [_Plane("x", "y", (...,), "")] if len(axes) == 2 else []
    planes = []
    for number, name in enumerate(axes):
        up, across = (one for one in axes if one != name)
        middle = shape[number] // 2
        planes.append(_Plane(across, up, (slice(None),) * number + (middle,), f", {name} = {middle}"))
    return planes


def shown_once(figure):
    """Return a figure which a notebook shows where it is a cell's value, but not again as one that is
    open when the cell ends."""
    from matplotlib import get_backend, pyplot
    if "inline" in get_backend():
        pyplot.close(figure)
    return figure


class States:
    """The pictures of `Solution` and `File`. They have ``t``, ``y``, ``names`` and ``parameters``."""

    def to_xarray(self):
        """Return the states as an xarray.Dataset: for each component of a point an array with the
        dimensions t, z, y and x, as far as the grid has them, and the problem's parameters as
        attributes."""
        optional("xarray", "to_xarray")
        return make_dataset(np.asarray(self.y), self.y.shape[1:], self.names, {"t": self.t}, {},
                            self.parameters)

    def plot(self, *components, times=None):
        """Draw the states with matplotlib: images of two dimensions, lines of one; of three dimensions
        three planes through the middle, in a row each.

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
            wanted = reals("times", times)
            if wanted.ndim != 1 or wanted.size == 0 or np.isnan(wanted).any():
                raise InvalidError(f"times: {shown(times)} is not a sequence of times", "INVALID")
            places = [int(np.abs(self.t - t).argmin()) for t in wanted]
        return shown_once(self._draw(pyplot.figure, numbers, places))

    def animate(self, component=None, *, interval=100):
        """Show one component at all times as an animation of matplotlib: an image of two dimensions, a
        line of one, three planes through the middle of three. The colours and the axis have the same
        limits at all times.

        Parameters
        ----------
        component : str, optional
            The name of a component of a point; by default the first one.
        interval : float
            Milliseconds from one time to the next.

        Returns
        -------
        matplotlib.animation.FuncAnimation
            ``animation.save("FILE.gif")`` writes it (FILE.mp4 needs ffmpeg),
            ``matplotlib.pyplot.show()`` shows it, and in a notebook
            ``IPython.display.HTML(animation.to_jshtml())``. It must be kept in a variable until then.

        Raises
        ------
        InvalidError
            There is no such component.
        ImportError
            matplotlib is missing.
        """
        optional("matplotlib", "animate")
        from matplotlib import animation, pyplot
        interval = positive("interval", interval)
        number = self._component(self.names[0] if component is None else component)
        axes, part = axes_of(self.y.shape[1:])
        limits = _limits(part(self.y[place], number) for place in range(len(self.t)))
        first = part(self.y[0], number)
        planes = _planes(axes, first.shape)
        ratio = max((first[plane.cut].shape[0] / first[plane.cut].shape[1] for plane in planes), default=0)
        height = min(max(3.8 * ratio, 1.5), 7) if planes else 3
        figure = pyplot.figure(figsize=(5 * max(len(planes), 1), height + 0.8), layout="constrained")
        panels = figure.subplots(1, max(len(planes), 1), squeeze=False)[0]
        changes = []
        for panel, plane in zip(panels, planes):
            drawn = panel.imshow(first[plane.cut], origin="lower", vmin=limits[0], vmax=limits[1])
            panel.set(xlabel=plane.across, ylabel=plane.up)
            changes.append(lambda value, drawn=drawn, cut=plane.cut: drawn.set_data(value[cut]))
        if planes:
            figure.colorbar(drawn, ax=list(panels), label=self.names[number])
        else:
            margin = 0.05 * (limits[1] - limits[0]) or 1
            panels[0].set(xlabel=axes[0], ylabel=self.names[number], ylim=(limits[0] - margin,
                                                                           limits[1] + margin))
            changes.append(panels[0].plot(first)[0].set_ydata)

        def show(place):
            for panel, change, plane in zip(panels, changes, planes or [_Plane("", "", (), "")]):
                change(part(self.y[place], number))
                panel.set_title(f"t = {self.t[place]:g}{plane.title}")

        shown_once(figure)
        return animation.FuncAnimation(figure, show, len(self.t), interval=interval)

    def _component(self, name):
        if not isinstance(name, str) or name not in self.names:
            raise InvalidError(f"there is no component {shown(name)} (there are {', '.join(self.names)})",
                               "INVALID")
        return self.names.index(name)

    def _draw(self, make_figure, numbers, places):
        axes, component = axes_of(self.y.shape[1:])
        planes = _planes(axes, self.y.shape[1:])
        rows, columns = (len(numbers) * len(planes), len(places)) if planes else (len(numbers), 1)
        figure = make_figure(figsize=(3.2 * columns + 0.6 if planes else 7, 2.8 * rows),
                             layout="constrained")
        panels = figure.subplots(rows, columns, squeeze=False)
        states = [self.y[int(place)] for place in places]
        for k, number in enumerate(numbers):
            name, values = self.names[number], [component(state, number) for state in states]
            if planes:
                self._draw_images(figure, panels[k * len(planes):(k + 1) * len(planes)], planes, name, values,
                                  places)
                continue
            row = panels[k]
            for place, value in zip(places, values):
                row[0].plot(value, label=f"t = {self.t[place]:g}")
            row[0].set(xlabel=axes[0], ylabel=name)
            row[0].legend(fontsize="small")
        return figure

    def _draw_images(self, figure, rows, planes, name, values, places):
        limits = _limits(values)
        for row, plane in zip(rows, planes):
            for panel, place, value in zip(row, places, values):
                image = panel.imshow(value[plane.cut], origin="lower", vmin=limits[0], vmax=limits[1])
                panel.set(title=f"t = {self.t[place]:g}{plane.title}", xlabel=plane.across)
            row[0].set(ylabel=plane.up)
        figure.colorbar(image, ax=[*rows.flat], label=name)  # the same colours for a component

    def _facts(self):
        """Return what a notebook shows beside the picture."""
        return self.parameters

    def _repr_html_(self):
        import html  # takes 6 ms
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
        import html
        component = axes_of(self.y.shape[1:])[1]
        last = self.y[len(self.t) - 1]
        rows = [(name, *(f"{getattr(component(last, c), word)():.6g}" for word in ("min", "max", "mean")))
                for c, name in enumerate(self.names)]
        lines = "".join("<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in row) + "</tr>"
                        for row in rows)
        return f"<table><tr><th></th><th>min</th><th>max</th><th>mean</th></tr>{lines}</table>"
