#!/usr/bin/env bash
# Sets up what is missing and runs every test, on both backends and in a window on a display without a screen. With
# arguments, `cargo test` with these.
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/setup.sh

# Runs one program of tests; what it prints comes in one piece when it is done.
run_program() {
    local log code=0
    log=$(mktemp)
    cargo test "$1" >"$log" 2>&1 || code=$?
    cat "$log"
    rm -f "$log"
    if [ "$code" != 0 ]; then echo "FAILED: cargo test $1"; fi
    return "$code"
}
export -f run_program

cargo build
ensure_adapter
ensure_display
if [ $# -gt 0 ]; then
    cargo test "$@"
else
    cargo test --no-run
    # Two at a time: tests that wait for a device, and the last one of a program, leave a core idle. The longest first.
    first="scenes solids parity rods cloth physics"
    rest=$(cd tests && for main in */main.rs; do echo "${main%/main.rs}"; done | grep -vxE "${first// /|}")
    # shellcheck disable=SC2086 # a word for each program
    printf -- '%s\n' $(printf -- '--test=%s\n' $first $rest) --lib --bins --doc |
        xargs -P 2 -I{} bash -c 'run_program "$1"' _ {}
fi
scripts/check_exports.sh
# A small part of what `scripts/fuzz.py target/release/sinew --scenes 20000 --meshes 4000 --kills 500` does.
if command -v python3 >/dev/null; then
    scripts/fuzz.py target/debug/sinew
else
    echo "scenes are not mutated and runs not killed: there is no python3"
fi
