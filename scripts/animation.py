#!/usr/bin/env python3
"""Draws a scene in motion as an animated GIF. Needs Pillow (`pip install pillow`).

    scripts/animation.py target/release/sinew hammock 3 docs/images/hammock.gif

20 frames a second of 400 x 250 pixels, drawn twice as large, in 254 colours: a page with it loads quickly.
"""

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from PIL import Image

ROOT = Path(__file__).resolve().parent.parent
SIZE, FRAMES_PER_SECOND, COLOURS = (400, 250), 20, 254


def drawn_alike(text):
    """The scene with this size and rate of pictures."""
    wanted = f"[render]\nsize = [{2 * SIZE[0]}, {2 * SIZE[1]}]\nframes_per_second = {FRAMES_PER_SECOND}\n"
    parts = re.split(r"(?m)^(?=\[)", text)
    for i, part in enumerate(parts):
        if part.startswith("[render]"):
            rest = re.sub(r"(?m)^(size|frames_per_second)\b.*\n", "", part.removeprefix("[render]\n"))
            parts[i] = wanted + rest
            return "".join(parts)
    return text + "\n" + wanted


def main():
    if len(sys.argv) != 5:
        sys.exit(__doc__)
    program, scene, seconds, output = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        for name in ["meshes", "graphs"]:
            shutil.copytree(ROOT / "scenes" / name, folder / name)
        file = folder / f"{scene}.toml"
        file.write_text(drawn_alike((ROOT / "scenes" / f"{scene}.toml").read_text()))
        run = [program, "run", file, "--png", "--save-every", "0", "--quiet", "--seconds", seconds, "--out", folder / "out"]
        subprocess.run(run, check=True)
        animate(sorted((folder / "out" / "frames").glob("*.png")), output)


def animate(files, output):
    frames = [Image.open(file).convert("RGB").resize(SIZE, Image.Resampling.LANCZOS) for file in files]
    # One palette for all, from frames over the whole time, so that colours do not flicker.
    shown = frames[:: max(1, len(frames) // 8)]
    together = Image.new("RGB", (SIZE[0], SIZE[1] * len(shown)))
    for i, frame in enumerate(shown):
        together.paste(frame, (0, i * SIZE[1]))
    # Half of the colours for what there is most of, ground and sky, half for what is small and bright.
    halves = [together.quantize(COLOURS // 2, method=method) for method in (Image.Quantize.MEDIANCUT, Image.Quantize.MAXCOVERAGE)]
    palette = Image.new("P", (1, 1))
    palette.putpalette([value for half in halves for value in half.getpalette()[: 3 * (COLOURS // 2)]])
    frames = [frame.quantize(palette=palette, dither=Image.Dither.NONE) for frame in frames]
    duration = 1000 // FRAMES_PER_SECOND
    frames[0].save(output, save_all=True, append_images=frames[1:], duration=duration, loop=0, optimize=True)
    print(f"{len(frames)} frames, {Path(output).stat().st_size / 1e6:.2f} MB in {output}")


if __name__ == "__main__":
    main()
