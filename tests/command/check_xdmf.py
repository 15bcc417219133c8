"""The series as ParaView sees it, by each of its readers of XDMF: see check_files.sh. Usage, by pvpython: check_xdmf.py FOLDER PREFIX COMPONENTS"""
import json
import sys

import numpy
from paraview import servermanager
from paraview.simple import Xdmf3ReaderS, Xdmf3ReaderT, XDMFReader
from vtkmodules.util.numpy_support import vtk_to_numpy

folder, prefix, components = sys.argv[1], sys.argv[2], int(sys.argv[3])
times = [json.load(open(f"{folder}/{prefix}-{i:02d}.npy.json"))["t_end"] for i in range(5)]


def leaf(data):
    return leaf(data.GetBlock(0)) if data.IsA("vtkMultiBlockDataSet") else data


for name, make in (("XDMFReader", lambda path: XDMFReader(FileNames=[path])), ("Xdmf3ReaderS", lambda path: Xdmf3ReaderS(FileName=[path])),
                   ("Xdmf3ReaderT", lambda path: Xdmf3ReaderT(FileName=[path]))):
    reader = make(f"{folder}/{prefix}.xdmf")
    reader.UpdatePipelineInformation()
    assert list(reader.TimestepValues) == times, (name, list(reader.TimestepValues))
    for i, t in enumerate(times):
        reader.UpdatePipeline(t)
        data = leaf(servermanager.Fetch(reader))
        points = numpy.load(f"{folder}/{prefix}-{i:02d}.npy").reshape(-1, components)
        assert data.GetNumberOfPoints() == len(points), (name, data.GetNumberOfPoints())
        for c in range(components):
            values = vtk_to_numpy(data.GetPointData().GetArray(f"component {c}"))
            assert values.dtype == points.dtype and values.tobytes() == points[:, c].tobytes(), (name, i, c)
    print(f"{prefix}: ParaView's {name} sees the same bits at {len(times)} times")
