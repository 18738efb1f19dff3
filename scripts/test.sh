#!/usr/bin/env bash
# Sets up what is missing and runs every test, on both backends.
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/setup.sh

cargo build
ensure_adapter
cargo test "$@"
