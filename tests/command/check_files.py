"""The files of eulercl solve, read by programs that others wrote: see check_files.sh. Usage: check_files.py PREFIX COMPONENTS ITEMSIZE"""
import json
import subprocess
import sys
import xml.etree.ElementTree as xml

import h5py
import numpy
from PIL import Image

prefix, components, itemsize = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])


def same(a, b, what):
    assert a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes(), what


# NumPy's own files, and what stands beside them.
frames = []
while True:
    try:
        frames.append(numpy.load(f"{prefix}-{len(frames):02d}.npy"))
    except FileNotFoundError:
        break
assert len(frames) == 5 and all(f.dtype.itemsize == itemsize for f in frames)
facts = [json.load(open(f"{prefix}-{i:02d}.npy.json")) for i in range(5)]
steps = [f["steps"] for f in facts]
assert steps == [0, 30, 60, 90, 100], steps
for key in ("version", "command", "date", "device", "backend", "steps_per_launch", "parameters", "state_hash", "t_end", "h", "precision", "method", "order", "stages",
            "rhs_evaluations", "component_stages_per_second"):
    assert key in facts[0], key

# HDF5: the series, the last state, the views of components, the attributes.
with h5py.File(f"{prefix}.h5") as h5, h5py.File(f"{prefix}-final.h5") as final:
    assert h5["state"].shape == (5,) + frames[0].shape, h5["state"].shape
    assert list(h5["step"]) == steps and h5.attrs["steps"] == 100
    assert [t for t in h5["t"]] == [f["t_end"] for f in facts]
    assert [h.decode() for h in h5["state_hash"]] == [f["state_hash"] for f in facts]
    for i, frame in enumerate(frames):
        same(h5["state"][i], frame, f"snapshot {i}")
        points = frame.reshape(-1, components)
        for c in range(components):
            same(h5[f"components/{i}/{c}"][...].ravel(), points[:, c].copy(), f"component {c} of snapshot {i}")
    same(final["state"][...], frames[-1], "the final state")
    assert final.attrs["state_hash"] == facts[-1]["state_hash"] and final.attrs["device"] == facts[-1]["device"]
    for key, value in facts[-1]["parameters"].items():
        assert h5["parameters"].attrs[key] == value, key
    assert h5.attrs["ended"] == "done" and h5.attrs["h"] == facts[0]["h"] and isinstance(h5.attrs["command"], str)

    # XDMF is XML, and what it names is there, of that shape and type.
    grids = xml.parse(f"{prefix}.xdmf").getroot().findall("./Domain/Grid/Grid")
    assert len(grids) == 5
    for i, grid in enumerate(grids):
        assert float(grid.find("Time").get("Value")) == facts[i]["t_end"]
        mesh = [h5[grid.find(f"./{name}/DataItem").text.split(":")[1]] for name in ("Topology", "Geometry")]
        assert mesh[0].shape[0] == int(grid.find("Topology").get("NumberOfElements")) and mesh[1].shape == (frames[0].size // components, 3)
        shape = [str(len(mesh[1]))]
        items = grid.findall("./Attribute/DataItem")
        assert len(items) == components
        for item in items:
            file, path = item.text.split(":")
            assert file == f"{prefix}.h5" and item.get("Dimensions").split() == shape and int(item.get("Precision")) == itemsize
            assert h5[path].shape == tuple(map(int, shape)) and h5[path].dtype.itemsize == itemsize

# The table: probes bit by bit, figures as NumPy finds them.
table = numpy.genfromtxt(f"{prefix}.csv", delimiter=",", names=True, deletechars="")
assert list(table["step"]) == steps
for i, frame in enumerate(frames):
    y = frame.ravel().astype(float)
    last = frame.reshape(-1, components)[:, -1].astype(float)
    assert table["y[3]"][i] == y[3] and table["min"][i] == y.min() and table["max"][i] == y.max() and table["linf"][i] == abs(y).max()
    expected = {"mean": y.mean(), f"mean:{components - 1}": last.mean(), "l1": abs(y).sum(), "l2": numpy.sqrt((y * y).sum()), "rms": numpy.sqrt((y * y).mean())}
    for name, value in expected.items():
        assert abs(table[name][i] - value) <= 1e-13 * abs(y).sum(), (name, table[name][i], value)

# Pictures and what they say; the animation shows the same.
animation = Image.open(f"{prefix}.apng")
assert animation.n_frames == 5
for i in range(5):
    picture = Image.open(f"{prefix}-{i:02d}.png")
    assert picture.text["state_hash"] == facts[i]["state_hash"] and picture.text["steps"] == str(steps[i]) and picture.text["command"] == facts[i]["command"]
    animation.seek(i)
    same(numpy.asarray(animation.convert("RGB")), numpy.asarray(picture.convert("RGB")), f"picture {i}")

print(f"{prefix}: {len(frames)} snapshots of {frames[0].shape} {frames[0].dtype}: NumPy, h5py, XML, CSV, Pillow agree bit by bit")
