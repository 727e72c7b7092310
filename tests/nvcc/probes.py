#!/usr/bin/env python3
"""Asks nvcc and this compiler whether they take the programs of probes.toml.

Fails if nvcc does not do what the file says, or if this compiler takes without the warning that the file names what
nvcc refuses, or refuses what nvcc takes.
"""

import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

from toolkit import each, reconverge, tool, version


def verdicts(probe):
    """Whether nvcc refuses a program, and whether ours does, with what ours says."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "probe.cu")
        path.write_text(probe["text"])
        theirs = [tool("nvcc"), "-arch=sm_80", "-c", "-o", "object.o", str(path)]
        theirs = subprocess.run(theirs, capture_output=True, text=True, cwd=folder)
        # Everything is needed, as it is for nvcc, and CUDA is as new.
        ours = [reconverge(), "run", str(path), "--strict", "--cuda", "13", "--quiet"]
        ours = subprocess.run(ours, capture_output=True, text=True, cwd=folder)
    return theirs.returncode != 0, ours.returncode == 240, ours.stderr


def fault(probe, refused, refused_here, said):
    """What is wrong with the verdicts, if anything."""
    if refused != probe["refused"]:
        return "nvcc refuses it" if refused else "nvcc takes it"
    if "warning" in probe:
        warned = f"warning[{probe['warning']}]" in said
        return None if warned and not refused_here else f"not taken with {probe['warning']}"
    if refused_here != refused:
        return "refused here" if refused_here else "taken here"
    return None


def main():
    with open(Path(__file__).with_name("probes.toml"), "rb") as file:
        probes = tomllib.load(file)["probe"]
    wrong = 0
    for probe, found in zip(probes, each(verdicts, probes)):
        what = fault(probe, *found)
        if what:
            print(f"{what}:\n{probe['text']}")
            wrong += 1
    print(f"nvcc {version()}: {len(probes) - wrong} of {len(probes)} as expected")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
