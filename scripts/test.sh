#!/usr/bin/env bash
# Sets up what is missing and runs every test, on both backends and in a window on a display without a screen.
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/setup.sh

cargo build
ensure_adapter
ensure_display
cargo test "$@"
scripts/check_exports.sh
