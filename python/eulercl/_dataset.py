# SPDX-License-Identifier: BSD-2-Clause
"""Arrays with names for their dimensions."""


class Arrays(dict):
    """Arrays by name, where xarray is missing: ``arrays["u"]``.

    Attributes
    ----------
    dims : dict
        For each array the names of its dimensions.
    attrs : dict
        What else is known.
    """

    def __init__(self, arrays, dims, attrs):
        super().__init__(arrays)
        self.dims = dims
        self.attrs = attrs


def axes_of(shape):
    """Return the dimensions of one component of a state, and how to take component c of states whose
    last dimensions have this shape."""
    if len(shape) == 1:
        return ("i",), lambda y, c: y  # a system without a grid is one array
    return ("z", "y", "x")[4 - len(shape):], lambda y, c: y[..., c]


def make_dataset(y, shape, names, dimensions, others, attrs):
    """Return an xarray.Dataset, or `Arrays` if xarray is missing.

    Parameters
    ----------
    y : array
        States: the shape of `dimensions`, then `shape`.
    shape : tuple of int
        Of one state.
    names : tuple of str
        Of the components.
    dimensions : dict of array
        The coordinates of the dimensions before those of a state.
    others : dict
        Further arrays: name -> (names of dimensions, array).
    attrs : dict
    """
    axes, component = axes_of(shape)
    variables = {name: ((*dimensions, *axes), component(y, c)) for c, name in enumerate(names)}
    variables |= others
    try:
        import xarray
    except ImportError:
        arrays = {name: array for name, (_, array) in variables.items()} | dimensions
        dims = {name: dims for name, (dims, _) in variables.items()} \
            | {name: (name,) for name in dimensions}
        return Arrays(arrays, dims, attrs)
    return xarray.Dataset(variables, coords=dimensions, attrs=attrs)
