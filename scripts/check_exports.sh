#!/usr/bin/env bash
# Reads exported files with meshio, trimesh, pyvista and usd-core, in a virtual environment that is made on the first
# call (target/readers). Where there is no Python or no package index, it says so and succeeds.
set -euo pipefail
cd "$(dirname "$0")/.."
limit=${CHECK_EXPORTS_SECONDS:-180} # for the installation

if ! command -v python3 >/dev/null; then
    echo "exports are not checked: there is no python3"
    exit 0
fi
readers=target/readers
if ! "$readers/bin/python" -c "import meshio, numpy, pyvista, trimesh, pxr" 2>/dev/null; then
    rm -rf "$readers"
    if ! { python3 -m venv "$readers" && timeout "$limit" "$readers/bin/pip" install -q --disable-pip-version-check \
        "meshio==5.3.*" "trimesh>=4" "pyvista==0.*" "usd-core>=24" scipy networkx; }; then
        echo "exports are not checked: the readers could not be installed within $limit s"
        rm -rf "$readers"
        exit 0
    fi
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat >"$work/exports.toml" <<'SCENE'
format = 1
duration = 0.1
[[cloth]]
name = "sheet"
grid = { size = [1, 1], cells = [4, 4] }
position = [0, 2, 0]
[[points]]
name = "dust"
points = [[0, 3, 0], [1, 3, 0]]
mass = 0.1
[[rod]]
name = "rope"
from = [2, 1, 0]
to = [3, 1, 0]
segments = 6
start = "pinned"
[[solid]]
name = "rabbit"
rabbit = { height = 0.5 }
resolution = 8
position = [0, 1, 0]
[[collider]]
sphere = { radius = 0.3 }
[[collider]]
box = { size = [0.2, 0.2, 0.2] }
position = [4, 0, 0]
motion = [{ time = 0 }, { time = 1, offset = [0, 1, 0] }]
SCENE
cargo run --quiet -- run "$work/exports.toml" --vtk --ply --usd --backend cpu --quiet --out "$work/out"
timeout 120 "$readers/bin/python" scripts/check_exports.py "$work/out" 50
