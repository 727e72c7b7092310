"""Compares the workloads' kernels as nvcc compiles them with our own, at the size `test`.

    python tests/data/ptx/workloads.py [options of `reconverge compare`, as --set instruction-cache.size=0]

Needs `nvcc` and `reconverge` on the path (NVCC and RECONVERGE name others) and Python 3.11. Prints a line a workload: whether output
and memory agree, the cycles of both, and the ratios of cycles and of warp instructions; then the geometric means. With `--no-fma`
nvcc contracts no products and sums either.
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
NVCC = os.environ.get("NVCC", "nvcc")
RECONVERGE = os.environ.get("RECONVERGE", "reconverge")


def variations(name, words, options, folder):
    source, ptx = WORKLOADS / f"{name}.cu", Path(folder) / f"{name}.ptx"
    macros = [word for word in words if word.startswith("-D")]
    fma = ["-fmad=false"] if "--no-fma" in options else []
    subprocess.run([NVCC, "-ptx", "-arch=sm_75", "-O3", *fma, *macros, source, "-o", ptx], check=True)
    command = [RECONVERGE, "compare", source, "--vary", f"kernels=none,{ptx}", "--quiet", "--json", "-", *macros, *options]
    arguments = [word for word in words if not word.startswith("-D")]
    run = subprocess.run([*command, "--", *arguments], capture_output=True, text=True)
    if not run.stdout:
        raise RuntimeError(run.stderr)
    return json.loads(run.stdout)["programs"][0]["variations"]


def main(options):
    catalogue = tomllib.loads((WORKLOADS / "catalogue.toml").read_text())
    ratios = []
    with tempfile.TemporaryDirectory() as folder:
        for name, entry in catalogue.items():
            if "test" not in entry:
                continue
            try:
                own, theirs = variations(name, entry["test"].split(), options, folder)
            except (RuntimeError, subprocess.CalledProcessError) as error:
                print(f"{name}: {error}", flush=True)
                continue
            if own["outcome"] != "exit" or theirs["outcome"] != "exit":
                print(f"{name}: {own['outcome']} with our kernels, {theirs['outcome']} with nvcc's", flush=True)
                continue
            of = [(variation["stats"]["cycles"], variation["stats"]["warp_instructions"]) for variation in (own, theirs)]
            cycles, instructions = (after / before for before, after in zip(*of))
            ratios.append((cycles, instructions))
            agrees = "agrees" if theirs["agrees"] else theirs["reason"]
            print(f"{name}: {of[0][0]} {of[1][0]} {cycles:.2f} {instructions:.2f} {agrees}", flush=True)
    for what, column in (("cycles", 0), ("warp instructions", 1)):
        mean = math.exp(sum(math.log(ratio[column]) for ratio in ratios) / len(ratios))
        print(f"geometric mean of {len(ratios)}, {what}: {mean:.3f}")


if __name__ == "__main__":
    main(sys.argv[1:])
