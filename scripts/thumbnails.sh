#!/usr/bin/env bash
# Draws the gallery's pictures of built-in scenes: those named, or all that are missing.
# `scripts/thumbnails.sh flag=2.5` draws the flag after 2.5 s. Needs ImageMagick.
# A new scene is drawn first and then added to the list in src/scenes.rs, which embeds both.
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/setup.sh

cargo build
ensure_adapter
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The scene as a file that draws a single frame, twice as large as it is shown.
single_frame() { # scene, seconds
    awk -v fps="$(awk "BEGIN { print 1 / $2 }")" '
        function ask() { print "size = [832, 520]"; print "frames_per_second = " fps; asked = 1 }
        /^\[/ { inside = ($0 == "[render]"); print; if (inside) ask(); next }
        inside && /^(size|frames_per_second)/ { next }
        { print }
        END { if (!asked) { print "[render]"; ask() } }
    ' "scenes/$1.toml" >"$work/$1.toml"
}

if [ $# = 0 ]; then
    for scene in scenes/*.toml; do
        name=$(basename "$scene" .toml)
        if [ ! -e "scenes/thumbnails/$name.png" ]; then set -- "$@" "$name"; fi
    done
fi
mkdir -p scenes/thumbnails
for wanted in "$@"; do
    name=${wanted%%=*}
    seconds=1.2
    if [ "$name" != "$wanted" ]; then seconds=${wanted#*=}; fi
    single_frame "$name" "$seconds"
    cp -r scenes/meshes scenes/graphs "$work"
    target/debug/sinew run "$work/$name.toml" --png --save-every 0 --quiet --seconds "$seconds" --out "$work/$name"
    last=$(ls "$work/$name/frames"/*.png | tail -n 1)
    convert "$last" -resize 416x260 -dither FloydSteinberg -colors 192 "png8:scenes/thumbnails/$name.png"
    ls -l "scenes/thumbnails/$name.png"
done
