#!/usr/bin/env bash
# The tests of the viewer's window, on a display without a screen.
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/setup.sh

cargo build
ensure_adapter
ensure_display
cargo test --test viewer_window -- --ignored --test-threads 1
