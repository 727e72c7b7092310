"""Where the tools are, and what the scripts of this folder share."""

import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def tool(name):
    """A program of the toolkit, in $NVCC_BIN or on the path."""
    folder = os.environ.get("NVCC_BIN")
    found = Path(folder, name) if folder else shutil.which(name)
    if not found or not Path(found).exists():
        sys.exit(f"{name} is not found: README.md says how to install it; set NVCC_BIN to its folder")
    return str(found)


def reconverge():
    """Our compiler: $RECONVERGE, or the release build."""
    found = Path(os.environ.get("RECONVERGE", ROOT / "target/release/reconverge"))
    if not found.exists():
        sys.exit("no release build: cargo build --release, or set RECONVERGE")
    return str(found)


def run(command, **options):
    """What a command says; ends the script if it fails."""
    done = subprocess.run(command, capture_output=True, text=True, **options)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}:\n{done.stdout}{done.stderr}")
    return done.stdout


def version():
    """nvcc's release: `13.5`."""
    said = run([tool("nvcc"), "--version"])
    return said.split("release ")[1].split(",")[0]


def each(function, items):
    """The results of a function for each item, some at a time, in order."""
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return list(pool.map(function, items))


def examples():
    """The examples, as paths below the repository."""
    found = [*(ROOT / "examples").glob("*.cu"), *(ROOT / "examples/divergence").glob("*.cu")]
    return sorted(path.relative_to(ROOT) for path in found)
