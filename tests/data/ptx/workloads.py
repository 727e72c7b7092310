"""Compares the workloads' kernels as nvcc and clang compile them with our own, at the size `test` and at every level.

    python tests/data/ptx/workloads.py [--only NAME,...] [--compilers nvcc,clang] [options of `reconverge compare`]

Needs `reconverge`, `nvcc` and `clang++` on the path (RECONVERGE, NVCC and CLANG name others) and Python 3.11. clang also needs
the headers and the device library of a toolkit of CUDA 12, in the folder CUDA. Prints the table of docs/ptx.md: a line a
workload with the cycles of our own kernels at -O 2 and the ratios of a compiler's cycles to them; then how output and memory
agree, by name. Workloads that end in deadlock under a reconvergence stack are left out. An option such as `--set instruction-cache.size=0` holds for both sides.
"""

import json
import math
import os
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
WORKLOADS = ROOT / "examples/workloads"
CUDA = os.environ.get("CUDA", "/usr/local/cuda")
RECONVERGE = os.environ.get("RECONVERGE", "reconverge")
LEVELS = ["2", "1", "0", "ptx"]
COMPILERS = {
    "nvcc": ([os.environ.get("NVCC", "nvcc"), "-ptx", "-arch=sm_75", "-O3"], "-fmad=false"),
    "clang": (
        [os.environ.get("CLANG", "clang++"), "-x", "cuda", "--cuda-device-only", "--cuda-gpu-arch=sm_75",
         f"--cuda-path={CUDA}", "-Wno-unknown-cuda-version", "-O3", "-S"],
        "-ffp-contract=off",
    ),
}


def compared(name, words, compiler, level, options, folder):
    """The variations of `compare`: the workload's own kernels, but at `-O ptx`, and the compiler's, which are compiled once."""
    contracts = "--no-fma" not in options
    source, ptx = WORKLOADS / f"{name}.cu", Path(folder) / f"{name}.{compiler}.{contracts}.ptx"
    macros = [word for word in words if word.startswith("-D")]
    command, without = COMPILERS[compiler]
    if not ptx.exists():
        more = [] if contracts else [without]
        subprocess.run([*command, *more, *macros, source, "-o", ptx], check=True, capture_output=True)
    kernels = f"kernels={ptx}" if level == "ptx" else f"kernels=none,{ptx}"
    command = [RECONVERGE, "compare", source, "--vary", kernels, "-O", level, "--quiet", "--json", "-", *macros, *options]
    arguments = [word for word in words if not word.startswith("-D")]
    run = subprocess.run([*command, "--", *arguments], capture_output=True, text=True)
    if not run.stdout:
        raise RuntimeError(run.stderr.strip().splitlines()[0] if run.stderr else "no output")
    return json.loads(run.stdout)["programs"][0]["variations"]


def agreement(name, words, compiler, theirs, options, folder):
    """How output and memory agree with those of our own kernels."""
    if theirs["agrees"]:
        return "agree"
    own, theirs = compared(name, words, compiler, "2", [*options, "--no-fma"], folder)
    return "agree without contraction" if theirs["agrees"] else "differ"


def mean(values):
    return math.exp(sum(map(math.log, values)) / len(values)) if values else math.nan


def main(arguments):
    compilers, only, options = list(COMPILERS), None, []
    while arguments:
        word = arguments.pop(0)
        if word == "--compilers":
            compilers = arguments.pop(0).split(",")
        elif word == "--only":
            only = arguments.pop(0).split(",")
        else:
            options.append(word)
    catalogue = tomllib.loads((WORKLOADS / "catalogue.toml").read_text())
    columns = [(compiler, level) for compiler in compilers for level in LEVELS]
    ratios = {column: [] for column in columns}
    instructions = {column: [] for column in columns}
    groups = {}
    print("| workload | CUDA |", " | ".join(f"{compiler} `-O {level}`" for compiler, level in columns), "|")
    print("| --- |", " | ".join(["---:"] * (1 + len(columns))), "|")
    with tempfile.TemporaryDirectory() as folder:
        for name, entry in catalogue.items():
            if "test" not in entry or "forward-progress" in entry or (only and name not in only):
                continue
            words, own_cycles, cells = entry["test"].split(), None, []
            for compiler, level in columns:
                try:
                    *own, theirs = compared(name, words, compiler, level, options, folder)
                except (RuntimeError, subprocess.CalledProcessError) as error:
                    groups.setdefault((compiler, f"refused: {error}"), []).append(name)
                    cells.append("")
                    continue
                if any(side["outcome"] != "exit" for side in (*own, theirs)):
                    if level == "2":
                        outcome = f"{own[0]['outcome']} with our kernels, {theirs['outcome']} with the compiler's"
                        groups.setdefault((compiler, outcome), []).append(name)
                    cells.append("")
                    continue
                if level == "2":
                    kept = agreement(name, words, compiler, theirs, options, folder)
                    groups.setdefault((compiler, kept), []).append(name)
                    own_cycles, own_instructions = (own[0]["stats"][key] for key in ("cycles", "warp_instructions"))
                if own_cycles is None:
                    cells.append("")
                    continue
                ratio = theirs["stats"]["cycles"] / own_cycles
                ratios[compiler, level].append(ratio)
                instructions[compiler, level].append(theirs["stats"]["warp_instructions"] / own_instructions)
                cells.append(f"{ratio:.2f}")
            print(f"| {name} | {own_cycles or ''} |", " | ".join(cells), "|", flush=True)
    print("| geometric mean | |", " | ".join(f"{mean(ratios[column]):.2f}" for column in columns), "|")
    print("| warp instructions, geometric mean | |", " | ".join(f"{mean(instructions[column]):.2f}" for column in columns), "|")
    for (compiler, what), names in sorted(groups.items()):
        print(f"\n{compiler}, {what}: {len(names)}\n  {' '.join(names)}")


if __name__ == "__main__":
    main(sys.argv[1:])
