#!/usr/bin/env bash
# Sets up what is missing and runs the main job: a flag in the wind, as PNG frames and a table of scalars.
# Another scene, or other options, can be given: scripts/demo.sh cloth_on_sphere --video
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/setup.sh

cargo build --release
ensure_adapter --release || echo "going on without pictures"
if [ $# = 0 ]; then set -- flag --seconds 2 --overwrite; fi
cargo run --quiet --release -- run "$@"
