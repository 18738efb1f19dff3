"""Reads what `sinew run --vtk --ply --usd` wrote with the programs that people use, and says what is wrong."""

import sys

import meshio
import numpy
import pyvista
import trimesh
from pxr import Usd, UsdGeom, UsdShade

folder, particles = sys.argv[1], int(sys.argv[2])
frame = "000002"


def check(truth, what):
    if not truth:
        sys.exit(f"{folder}: {what}")


# VTU: meshio and VTK agree on points, cells and the names of bodies.
path = f"{folder}/vtk/frames_{frame}.vtu"
mesh, grid = meshio.read(path), pyvista.read(path)
check(len(mesh.points) == grid.n_points >= particles, "points of the VTU")
check(sum(len(block.data) for block in mesh.cells) == grid.n_cells > 0, "cells of the VTU")
check({"velocity", "body", "strain"} <= set(mesh.point_data), f"point data {set(mesh.point_data)}")
names = bytes(numpy.asarray(grid.field_data["body_names"], dtype=numpy.uint8)).decode().splitlines()
check(set(names) == {"sheet", "dust", "rope", "rabbit", "rabbit surface"}, f"names {names}")
check(len(pyvista.PVDReader(f"{folder}/vtk/frames.pvd").time_values) > 2, "times of the PVD")

# PLY: points and faces; edges where there are rods.
path = f"{folder}/ply/frame_{frame}.ply"
loaded = trimesh.load(path, process=False)
check(len(loaded.vertices) >= particles, "vertices of the PLY")
surface = pyvista.read(path)
check(surface.n_cells > 0, "faces of the PLY")

# USD: prims by schema, samples of all frames, counts that fit.
stage = Usd.Stage.Open(f"{folder}/scene.usda")
check(stage.GetDefaultPrim().GetName() == "sinew", "the default prim")
codes = range(int(stage.GetStartTimeCode()), int(stage.GetEndTimeCode()) + 1)
check(len(codes) > 2, "frames of the USDA")
kinds = {}
for prim in stage.Traverse():
    kinds.setdefault(prim.GetTypeName(), []).append(prim)
    if not prim.IsA(UsdGeom.PointBased) or prim.GetCustomDataByKey("collider"):
        continue
    based = UsdGeom.PointBased(prim)
    for code in codes:
        points = based.GetPointsAttr().Get(code)
        velocities = based.GetVelocitiesAttr().Get(code)
        check(len(points) == len(velocities), f"velocities of {prim.GetPath()} at {code}")
        if prim.IsA(UsdGeom.Mesh):
            mesh = UsdGeom.Mesh(prim)
            valid, why = UsdGeom.Mesh.ValidateTopology(
                mesh.GetFaceVertexIndicesAttr().Get(code), mesh.GetFaceVertexCountsAttr().Get(code), len(points)
            )
            check(valid, f"{prim.GetPath()}: {why}")
            if UsdGeom.Imageable(prim).ComputePurpose() == "default":
                normals = numpy.array(based.GetNormalsAttr().Get(code))
                check(normals.shape == (len(points), 3), f"normals of {prim.GetPath()} at {code}")
for kind in ["Mesh", "BasisCurves", "Points", "Camera", "Sphere", "Cube"]:
    check(kind in kinds, f"no {kind} in the USDA, only {sorted(kinds)}")
# Every body has a material, and the sheet texture coordinates from one corner to the other.
for name in ["sheet", "dust", "rope", "rabbit", "rabbit_surface"]:
    prim = stage.GetPrimAtPath(f"/sinew/{name}")
    material = UsdShade.MaterialBindingAPI(prim).ComputeBoundMaterial()[0]
    check(material and material.ComputeSurfaceSource()[0], f"the material of {name}")
    shader = material.ComputeSurfaceSource()[0]
    check(shader.GetShaderId() == "UsdPreviewSurface", f"the shader of {name}")
    colour = UsdGeom.Gprim(prim).GetDisplayColorAttr().Get()[0]
    check(shader.GetInput("diffuseColor").Get() == colour, f"the colour of {name}")
sheet = stage.GetPrimAtPath("/sinew/sheet")
texture = UsdGeom.PrimvarsAPI(sheet).GetPrimvar("st")
corners = numpy.array(texture.Get())
check(texture.GetInterpolation() == "faceVarying", "the interpolation of st")
check(len(corners) == len(UsdGeom.Mesh(sheet).GetFaceVertexIndicesAttr().Get(codes[0])), f"{len(corners)} corners")
check((corners.min(axis=0) == 0).all() and (corners.max(axis=0) == 1).all(), "st from 0 to 1")
guides = [p for p in stage.Traverse() if p.IsA(UsdGeom.Mesh) and UsdGeom.Imageable(p).ComputePurpose() == "guide"]
check([p.GetName() for p in guides] == ["rabbit"], f"guides {guides}")
cube = UsdGeom.Xformable(kinds["Cube"][0])
heights = [cube.ComputeLocalToWorldTransform(code).ExtractTranslation()[1] for code in codes]
check(heights == sorted(heights) and heights[-1] > heights[0], f"the cube moves by {heights}")
usd = ".".join(str(part) for part in Usd.GetVersion())
print(
    f"exports are read by meshio {meshio.__version__}, trimesh {trimesh.__version__}, pyvista {pyvista.__version__} "
    f"and USD {usd}"
)
