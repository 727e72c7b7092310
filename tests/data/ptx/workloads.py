"""Compares the workloads' kernels as nvcc or clang compiles them with our own, at the size `test`.

    python tests/data/ptx/workloads.py [--clang] [options of `reconverge compare`, as --set instruction-cache.size=0]

Needs `nvcc` and `reconverge` on the path (NVCC and RECONVERGE name others) and Python 3.11. With `--clang` it needs `clang++`
(CLANG names another) and a toolkit of CUDA 12 for its headers and its library of device functions, in the folder CUDA.
Prints a line a workload: whether output and memory agree, the cycles of both, and the ratios of cycles and of warp
instructions; then the geometric means. With `--no-fma` the compiler contracts no products and sums either.
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
CLANG = os.environ.get("CLANG", "clang++")
CUDA = os.environ.get("CUDA", "/usr/local/cuda")
RECONVERGE = os.environ.get("RECONVERGE", "reconverge")


IS_CLANG = "--clang" in sys.argv


def variations(name, words, options, folder):
    source, ptx = WORKLOADS / f"{name}.cu", Path(folder) / f"{name}.ptx"
    macros = [word for word in words if word.startswith("-D")]
    if IS_CLANG:
        fma = ["-ffp-contract=off"] if "--no-fma" in options else []
        subprocess.run([CLANG, "-x", "cuda", "--cuda-device-only", "--cuda-gpu-arch=sm_75", f"--cuda-path={CUDA}", "-Wno-unknown-cuda-version",
                        "-O3", *fma, *macros, "-S", source, "-o", ptx], check=True)
    else:
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
                print(f"{name}: {own['outcome']} with our kernels, {theirs['outcome']} with the compiler's", flush=True)
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
    main([option for option in sys.argv[1:] if option != "--clang"])
