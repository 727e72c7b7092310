#!/usr/bin/env python3
"""Runs microbenchmarks.cu on the GPU of this machine and on a machine of ours, and puts what both say side by side: a table on standard
output, and a CSV file.

Exit status: 0 if both have told every value, 1 if not, 2 if a tool is missing or a word is wrong.
"""

import argparse
import csv
import io
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from measure import ALL_THERE, DIFFERS, HERE, Unusable, build, driver_version, script, table
from toolkit import reconverge, tool, version

SOURCE = HERE / "microbenchmarks.cu"
COLUMNS = ["name", "gpu", "gpu_min", "gpu_max", "repetitions", "ours", "ratio"]
# Seconds that one run may take, on the GPU and under our timing model.
PATIENCE, OUR_PATIENCE = 120, 1800


# Pure parts, which measure.py --self-test tries.


def values(text):
    """What the program has told: {name: value} in its order. Raises ValueError at anything else."""
    told = {}
    for line in text.splitlines():
        words = line.split()
        if len(words) != 2 or words[0] in told:
            raise ValueError(f"the program says `{line}`")
        told[words[0]] = float(words[1])
    if not told:
        raise ValueError("the program says nothing")
    return told


def of_gpu(runs):
    """The cells of some runs' values: medians, least and largest. Raises ValueError if the runs have not the same names."""
    if any(list(run) != list(runs[0]) for run in runs):
        raise ValueError("runs have told values of different names")
    rows = {}
    for name in runs[0]:
        told = [run[name] for run in runs]
        rows[name] = {
            "name": name,
            "gpu": f"{statistics.median(told):.2f}",
            "gpu_min": f"{min(told):.2f}",
            "gpu_max": f"{max(told):.2f}",
            "repetitions": str(len(runs)),
        }
    return rows


def beside(gpu, ours):
    """Rows with the values of both. The ratio is ours to the GPU's, where both are above 0."""
    rows = []
    for name in [*gpu, *(name for name in ours if name not in gpu)]:
        row = gpu.get(name, {"name": name}).copy()
        if name in ours:
            row["ours"] = f"{ours[name]:.2f}"
            measured = float(row.get("gpu") or 0)
            if measured > 0 and ours[name] > 0:
                row["ratio"] = f"{ours[name] / measured:.2f}"
        rows.append(row)
    return rows


def read_table(text):
    """The GPU's cells of such a file."""
    rows = csv.DictReader(io.StringIO(text))
    if rows.fieldnames != COLUMNS:
        raise ValueError("this is no file of microbenchmarks.py")
    return {row["name"]: {key: row[key] for key in COLUMNS[:5]} for row in rows if row["gpu"]}


def markdown(rows):
    """The rows as a table to read."""
    lines = ["| name | GPU | ours | ratio |", "| --- | ---: | ---: | ---: |"]
    lines += [f"| {row['name']} | {row.get('gpu', '')} | {row.get('ours', '')} | {row.get('ratio', '')} |" for row in rows]
    return "\n".join(lines)


# Runs.


def told(command, patience, cwd):
    """The values that a command tells."""
    try:
        done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=patience, cwd=cwd)
    except subprocess.TimeoutExpired:
        raise ValueError(f"{command[0]} is not through after {patience} seconds") from None
    if done.returncode:
        raise ValueError(f"{command[0]} ends with status {done.returncode}\n{done.stdout}{done.stderr}")
    return values(done.stdout)


def measure_gpu(arch, repetitions, words):
    """The GPU's cells."""
    nvcc = tool("nvcc")
    print(f"nvcc {version()}: {nvcc}; driver {driver_version() or 'unknown'}", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        binary = Path(folder, "microbenchmarks")
        said = build(nvcc, SOURCE, binary, [], [f"-arch={arch}"])
        if said:
            raise ValueError(f"nvcc refuses microbenchmarks.cu\n{said}")
        return of_gpu([told([binary, *words], PATIENCE, folder) for _ in range(repetitions)])


def run_ours(machine, words):
    """Our values."""
    command = [reconverge(), "run", SOURCE, "--machine", machine, "--quiet", "--max-cycles", "100000000000", "--", *words]
    return told(command, OUR_PATIENCE, None)


def words_of_command():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--machine", default="h100", metavar="NAME", help="our machine; default: h100")
    parser.add_argument("--output", default="microbenchmarks.csv", metavar="FILE", help="default: microbenchmarks.csv")
    parser.add_argument("--repetitions", type=int, default=5, metavar="N", help="runs on the GPU; default: 5")
    parser.add_argument("--arch", default="native", metavar="sm_NN", help="what nvcc compiles for; default: the GPU's own")
    parser.add_argument("--largest-ring", type=int, default=128, metavar="MB", help="of the memory that is followed; default: 128")
    one = parser.add_mutually_exclusive_group()
    one.add_argument("--gpu-only", action="store_true", help="run nothing of ours")
    one.add_argument("--gpu-values", metavar="FILE", help="take the GPU's values from a file of an earlier run; needs no GPU")
    arguments = parser.parse_args()
    if arguments.repetitions < 1 or not 1 <= arguments.largest_ring <= 128:
        parser.error("--repetitions is at least 1, --largest-ring 1 to 128")
    return arguments


def checked_main():
    try:
        return main()
    except OSError as error:
        raise Unusable(error) from None
    except ValueError as error:
        print(error, file=sys.stderr)
        return DIFFERS


def main():
    arguments = words_of_command()
    words = [str(arguments.largest_ring)]
    if arguments.gpu_values:
        gpu = read_table(Path(arguments.gpu_values).read_text())
    else:
        gpu = measure_gpu(arguments.arch, arguments.repetitions, words)
        # Kept, whatever becomes of ours.
        Path(arguments.output).write_text(table(beside(gpu, {}), COLUMNS))
    rows = beside(gpu, {} if arguments.gpu_only else run_ours(arguments.machine, words))
    Path(arguments.output).write_text(table(rows, COLUMNS))
    print(markdown(rows))
    needed = ["gpu"] if arguments.gpu_only else ["gpu", "ours"]
    return ALL_THERE if all(row.get(key) for row in rows for key in needed) else DIFFERS


if __name__ == "__main__":
    script(checked_main)
