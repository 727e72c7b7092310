#!/usr/bin/env python3
"""Compiles with nvcc what this compiler takes, and lists what nvcc refuses.

Fails if nvcc refuses something that exceptions.toml does not name, takes something that it names, or refuses
it with another message.
"""

import shlex
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

from toolkit import ROOT, each, examples, tool, version

DOCUMENT = "docs/language.md"
# A line of a table is no program: it gets the headers that a program with it would have.
PRELUDE = "".join(
    f"#include <{name}>\n"
    for name in (
        "assert.h cstdint iomanip iostream math.h stdio.h stdlib.h string.h sys/time.h utility algorithm"
    ).split()
)
FRAMES = {
    "In: outside functions": "{}\n",
    "In: in a kernel": "__global__ void kernel(int *p, float *f, double *d, unsigned char *c, int n)\n{{ {} }}\n",
    "In: on the host": "int main(int argc, char **argv)\n{{ {} }}\n",
}


def cells(line):
    """The cells of a table's row, `\\|` standing for a bar."""
    row = line.replace("\\|", "\0").strip().strip("|")
    return [cell.strip().replace("\0", "|") for cell in row.split("|")]


def lines_of_the_language():
    """The lines under "In" of docs/language.md, by their place: `docs/language.md: macros ...`."""
    found, frame = {}, None
    for line in (ROOT / DOCUMENT).read_text().splitlines():
        if line.startswith("## "):
            frame = FRAMES.get(line[3:])
        row = cells(line) if line.startswith("|") else []
        if frame and len(row) == 2 and row[1].startswith("`"):
            found[f"{DOCUMENT}: {row[0]}"] = PRELUDE + frame.format(row[1][1:-1])
    if len(found) < 60:
        sys.exit(f"only {len(found)} lines are found in {DOCUMENT}")
    return found


def defines(text):
    """The macros that a test's comment asks for."""
    words = [line for line in text.splitlines() if line.startswith("// defines:")]
    given = shlex.split(words[0].split(":", 1)[1]) if words else []
    return [f"-D{word}" for word in given if word != "-D"]


def compile_file(path, options):
    """The first error of nvcc, or nothing."""
    command = [tool("nvcc"), "-w", "-arch=sm_80", "-c", "-o", "object.o", *options, str(ROOT / path)]
    # nvcc leaves files of its own where it runs.
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(command, capture_output=True, text=True, cwd=folder)
    if done.returncode == 0:
        return None
    said = (done.stdout + done.stderr).splitlines()
    return next((line for line in said if "error" in line.lower()), "no message")


def compile_text(text):
    """The same for a text."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "line.cu")
        path.write_text(text)
        return compile_file(path, [])


def refusals():
    """What nvcc says of each program and line that it refuses, and how many there are."""
    folders = ("examples/workloads", "tests/data/run")
    others = sorted(p.relative_to(ROOT) for folder in folders for p in (ROOT / folder).glob("*.cu"))
    programs = [*examples(), *others]
    lines = lines_of_the_language()
    said = each(lambda path: compile_file(path, defines((ROOT / path).read_text())), programs)
    said += each(compile_text, lines.values())
    names = [str(path) for path in programs] + list(lines)
    return {name: error for name, error in zip(names, said) if error}, len(names)


def main():
    with open(Path(__file__).with_name("exceptions.toml"), "rb") as file:
        known = {entry["of"]: entry for entry in tomllib.load(file)["exception"]}
    refused, count = refusals()
    wrong = 0
    for name, error in refused.items():
        if name not in known:
            print(f"NEW      {name}\n         {error}")
        elif known[name]["says"] not in error:
            print(f"CHANGED  {name}\n         {error}\n         expected: {known[name]['says']}")
        else:
            print(f"known    {name}\n         {known[name]['reason']}")
            continue
        wrong += 1
    for name in known.keys() - refused.keys():
        print(f"GONE     {name}: nvcc takes it")
        wrong += 1
    print(f"nvcc {version()} takes {count - len(refused)} of {count}")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
