#!/usr/bin/env python3
"""Mutates scenes and mesh files, kills runs, and says where sinew does not answer as it should.

    scripts/fuzz.py target/release/sinew --scenes 20000 --meshes 4000 --kills 500

A mutated scene or mesh is either valid or refused by a sentence that names the file, and its line where there is one: no panic, no
signal, no control characters, at most 20 s and 2 GiB. A run that is killed anywhere and resumed leaves the same bytes as one
that is not. What fails is kept in --keep. The same seed makes the same files.
"""

import argparse
import hashlib
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SECONDS = 20
# What waits for something that never comes hangs; the machine may be busy with other things.
PATIENCE = 300
BYTES = 2 << 30
# Checking them takes seconds, whatever is changed.
LARGE = {"million", "hundred_thousand", "linen", "bed_sheet"}
EVIL = """0 -1 1 2 1e12 -1e12 1e13 1e300 1e-300 1e-45 nan inf -inf 4294967296 9223372036854775807 99999999999999999999 0.1 1e6 65536
true "" "x" "1/60" "1/0" "../../etc/passwd" "/dev/zero" [] [0] [0,0,0] [1e12,0,0] [[0,0,0]] {} { time = 0 }""".split(" ")
EVIL = [word for line in EVIL for word in line.split("\n")]
# A change of size is often valid, and shows what comes after the reading.
FACTORS = [0.001, 0.1, 0.5, 2, 3, 10, 1000, -1]
NUMBER = re.compile(r"-?\d+\.?\d*(?:e-?\d+)?")
KILLED = """format = 1
duration = 1.0
[render]
frames_per_second = 20
[[cloth]]
name = "sheet"
grid = { size = [1, 1], cells = [12, 12] }
position = [0, 1.2, 0]
rotation = [-70, 0, 0]
[[cloth.pin]]
corners = ["top_left", "top_right"]
[[rod]]
name = "rope"
from = [1, 1, 0]
to = [2, 1, 0]
segments = 12
start = "pinned"
[[collider]]
sphere = { radius = 0.3 }
position = [0, 0.7, 0]
"""


def another(number, dice):
    """Something else in the place of a number."""
    if dice.random() < 0.5:
        return dice.choice(EVIL)
    value = float(number) * dice.choice(FACTORS)
    return str(int(value)) if value == int(value) and "." not in number else repr(value)


def mutate_text(text, others, dice):
    """One to four changes of lines, words and letters."""
    lines = text.split("\n")
    for _ in range(dice.choice([1, 1, 1, 2, 4])):
        at = dice.randrange(len(lines))
        kind = dice.randrange(-4, 9)
        if kind <= 3:
            # A value by another one: most of what people get wrong.
            numbers = [(i, m) for i, line in enumerate(lines) if not line.startswith("#") for m in NUMBER.finditer(line)]
            if numbers:
                i, m = dice.choice(numbers)
                lines[i] = lines[i][: m.start()] + another(m.group(), dice) + lines[i][m.end() :]
        elif kind == 4:
            del lines[at]
        elif kind == 5:
            lines.insert(dice.randrange(len(lines) + 1), lines[at])
        elif kind == 6:
            lines.insert(at, dice.choice(others))
        elif kind == 7 and lines[at]:
            i = dice.randrange(len(lines[at]))
            lines[at] = lines[at][:i] + dice.choice("[]{}\"'=#.\\\x1b\u202e\x00é ") + lines[at][i + dice.randint(0, 1) :]
        elif kind == 8 and lines[at]:
            i = dice.randrange(len(lines[at]))
            lines[at] = lines[at][:i] + lines[at][i + dice.randint(1, 4) :]
        if not lines:
            lines = [""]
    return "\n".join(lines).encode("utf-8", "surrogatepass")


def mutate_bytes(data, dice):
    data = bytearray(data)
    for _ in range(dice.choice([1, 1, 2, 5])):
        kind = dice.randrange(8)
        at = dice.randrange(len(data) + 1)
        if kind == 0:
            del data[at:]
        elif kind == 1 and at < len(data):
            data[at] = dice.randrange(256)
        elif kind == 2:
            data[at:at] = bytes(dice.randrange(256) for _ in range(dice.randint(1, 8)))
        elif kind == 3:
            del data[at : at + dice.randint(1, 64)]
        else:
            numbers = list(re.finditer(rb"-?\d+\.?\d*", bytes(data[:4000])))
            if numbers:
                m = dice.choice(numbers)
                data[m.start() : m.end()] = another(m.group().decode(), dice).encode()
    return bytes(data)


def call(arguments, folder):
    """Code, standard error, seconds and the most memory of a call."""
    out = open(folder / "stderr", "w+b")
    begin = time.monotonic()
    limit = lambda: resource.setrlimit(resource.RLIMIT_CPU, (2 * SECONDS, 2 * SECONDS))  # noqa: E731
    nothing = subprocess.DEVNULL
    process = subprocess.Popen(arguments, cwd=folder, stdin=nothing, stdout=nothing, stderr=out, preexec_fn=limit)
    while True:
        pid, status, usage = os.wait4(process.pid, os.WNOHANG)
        if pid:
            break
        if time.monotonic() - begin > PATIENCE:
            process.kill()
        time.sleep(0.002)
    process.returncode = os.waitstatus_to_exitcode(status)
    out.seek(0)
    # Time of its own: the machine may be busy with something else.
    spent = usage.ru_utime + usage.ru_stime
    return process.returncode, out.read().decode("utf-8", "replace"), spent, usage.ru_maxrss << 10


def complaint(code, said, seconds, memory, names):
    """What is wrong with an answer, or None."""
    if code not in (0, 1, 2):
        return f"ended with {code}"
    if "panicked" in said:
        return "panicked"
    if seconds > SECONDS:
        return f"took {seconds:.0f} s"
    if memory > BYTES:
        return f"took {memory / 2**30:.1f} GiB"
    if any(ord(letter) < 32 and letter not in "\n\t" or letter in "\u202e\u202d" for letter in said):
        return "let control characters through"
    if code and not any(name in said for name in names):
        return "an error without its file"
    return None


class Report:
    def __init__(self, keep):
        self.keep, self.failures, self.refused, self.without_line = keep, 0, 0, 0
        self.slowest, self.largest = 0.0, 0

    def take(self, what, folder, files, answer):
        code, said, seconds, memory = answer
        self.slowest, self.largest = max(self.slowest, seconds), max(self.largest, memory)
        self.refused += code != 0
        self.without_line += code != 0 and not re.search(r"\.(toml|obj|ply|stl)`?:? ?(line )?\d+", said)
        wrong = complaint(*answer, files)
        if wrong:
            self.failures += 1
            kept = self.keep / f"{what}_{self.failures}"
            shutil.copytree(folder, kept, dirs_exist_ok=True)
            print(f"{what}: {wrong}: {kept}\n  {said.strip()[:300]}", flush=True)

    def sum_up(self, what, count):
        print(
            f"{count} {what}: {self.refused} refused ({self.without_line} of them without a line), "
            f"slowest {self.slowest:.1f} s, most memory {self.largest / 2**20:.0f} MiB, {self.failures} failures",
            flush=True,
        )


def scenes(program, count, dice, keep):
    files = [file for file in sorted((ROOT / "scenes").glob("*.toml")) if file.stem not in LARGE]
    texts = [file.read_text() for file in files]
    lines = [line for text in texts for line in text.split("\n") if line and not line.startswith("#")]
    report = Report(keep)
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        for name in ["meshes", "graphs"]:
            shutil.copytree(ROOT / "scenes" / name, folder / name)
        for _ in range(count):
            (folder / "scene.toml").write_bytes(mutate_text(dice.choice(texts), lines, dice))
            report.take("scene", folder, ["scene.toml"], call([program, "check", "scene.toml"], folder))
    report.sum_up("mutated scenes", count)
    return report.failures


def meshes(program, count, dice, keep):
    files = [
        file
        for folder in [ROOT / "scenes" / "meshes", ROOT / "tests" / "corpus"]
        for file in sorted(folder.iterdir())
        if file.suffix in (".obj", ".ply", ".stl") and file.stat().st_size < 200_000
    ]
    report = Report(keep)
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        for _ in range(count):
            # Broken to begin with is one in five.
            broken = dice.random() < 0.2
            file = dice.choice([file for file in files if ("corpus" in file.parts) == broken])
            name = f"mesh{file.suffix}"
            (folder / name).write_bytes(mutate_bytes(file.read_bytes(), dice))
            kind = dice.choice([
                f'[[cloth]]\nmesh = "{name}"\n',
                f'[[solid]]\nmesh = "{name}"\nresolution = 6\n',
                f'[[cloth]]\ngrid = {{ size = [1, 1], cells = [2, 2] }}\n[[collider]]\nmesh = {{ file = "{name}" }}\n',
            ])
            (folder / "scene.toml").write_text("format = 1\n" + kind)
            report.take("mesh", folder, ["scene.toml", name], call([program, "check", "scene.toml"], folder))
    report.sum_up("mutated meshes", count)
    return report.failures


def contents(folder):
    """Everything that does not depend on the clock or on how often it was run."""
    skipped = {"manifest.jsonl", "timing.csv", "work.png", "lock"}
    return {
        str(file.relative_to(folder)): hashlib.sha256(file.read_bytes()).hexdigest()
        for file in sorted(folder.rglob("*"))
        if file.is_file() and file.name not in skipped
    }


def kills(program, count, dice, keep):
    """Kills at any time, also while resuming, and compares what is left after all."""
    failures = done = 0
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        (folder / "scene.toml").write_text(KILLED)
        run = [program, "run", "scene.toml", "--csv", "--ply", "--vtk", "--usd", "--backend", "cpu", "--quiet", "--save-every", "0.1"]
        quiet = {"cwd": folder, "stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE, "stdin": subprocess.DEVNULL}
        begin = time.monotonic()
        subprocess.run([*run, "--out", "whole"], check=True, **quiet)
        length = time.monotonic() - begin
        whole = contents(folder / "whole")
        while done < count:
            shutil.rmtree(folder / "out", ignore_errors=True)
            started = False
            for _ in range(dice.randint(1, 4)):
                process = subprocess.Popen([*run, "--out", "out", *(["--resume"] if started else [])], **quiet)
                try:
                    process.wait(dice.uniform(0, 1.1 * length))
                except subprocess.TimeoutExpired:
                    process.send_signal(signal.SIGKILL)
                    process.wait()
                done += 1
                # Before there is a manifest there is nothing to resume.
                started = (folder / "out" / "checkpoint.sinew").exists()
                if not started:
                    shutil.rmtree(folder / "out", ignore_errors=True)
            last = subprocess.run([*run, "--out", "out", *(["--resume"] if started else [])], **quiet)
            now = contents(folder / "out")
            odd = sorted(name for name in whole.keys() | now.keys() if whole.get(name) != now.get(name))
            if last.returncode or odd:
                failures += 1
                kept = keep / f"kill_{failures}"
                shutil.copytree(folder, kept, dirs_exist_ok=True)
                said = last.stderr.decode("utf-8", "replace").strip()[:300]
                print(f"kill: code {last.returncode}, different: {odd[:5]}: {kept}\n  {said}", flush=True)
    print(f"{done} kills: {failures} failures", flush=True)
    return failures


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=Path)
    parser.add_argument("--scenes", type=int, default=200)
    parser.add_argument("--meshes", type=int, default=100)
    parser.add_argument("--kills", type=int, default=8)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, default=Path(tempfile.gettempdir()) / "sinew_fuzz")
    asked = parser.parse_args()
    program = str(asked.program.resolve())
    # More than any answer may take, so that a mistake does not take the machine down.
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    asked.keep.mkdir(parents=True, exist_ok=True)
    failures = 0
    for part, count in [(scenes, asked.scenes), (meshes, asked.meshes), (kills, asked.kills)]:
        if count:
            failures += part(program, count, random.Random(f"{asked.seed} {part.__name__}"), asked.keep)
    sys.exit(f"{failures} failures" if failures else 0)


if __name__ == "__main__":
    main()
