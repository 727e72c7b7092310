#!/usr/bin/env python3
"""Runs the examples and workloads, unchanged, on the GPU of this machine: compares what they print with what they print
under `reconverge run`, and writes the times of their kernels to a CSV file for `reconverge study hardware --reference`.

Exit status: 0 if all is measured and all outputs are the same, 1 if not, 2 if a tool is missing or a word is wrong,
3 if nvcc is here and no GPU (`--build-only` needs none).
"""

import argparse
import contextlib
import csv
import difflib
import functools
import io
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "nvcc"))
from toolkit import ROOT, each, reconverge, tool, version  # noqa: E402

try:
    import tomllib
except ModuleNotFoundError:
    sys.exit(f"Python 3.11 or later is needed, for its TOML reader; this is {sys.version.split()[0]}")

ALL_THERE, DIFFERS, UNUSABLE, NO_GPU = 0, 1, 2, 3
SIZES = ["test", "small"]
COLUMNS = [
    "gpu", "compute_capability", "driver", "cuda", "clock_mhz", "program", "size", "arguments", "launches", "time_us",
    "time_min_us", "time_max_us", "repetitions", "empty_launch_us", "output", "source", "tool_version", "measured_by",
    "warp_instructions", "thread_instructions",
]  # fmt: skip
# Seconds that a program may take on the GPU if --patience says nothing else, and under our functional model.
PATIENCE, OUR_PATIENCE = 120, 1200


# What Nsight Compute does with the caches before each launch, and what it counts. It may execute a kernel once for each few counters; so what
# is not about cycles is counted only where each of these executions begins with empty caches.
CACHES = {"flushed": "all", "kept": "none"}
CYCLES = "sm__cycles_elapsed.max"
INSTRUCTIONS = {"smsp__inst_executed.sum": "warp_instructions", "smsp__thread_inst_executed.sum": "thread_instructions"}
COUNTED = {"flushed": [CYCLES, *INSTRUCTIONS], "kept": [CYCLES]}
UNITS = {CYCLES: "cycle"} | dict.fromkeys(INSTRUCTIONS, "inst")

# What the names of programs of `tests/timing` begin with.
TIMING = "timing/"


class Unusable(Exception):
    """What is missing, in a sentence."""


# Pure parts, which --self-test tries.


def programs(catalogue, study):
    """(name, path below `examples`, {size: words}, needs forward progress) of all programs, from the texts of both files.

    The catalogue has the workloads, the study the examples.
    """
    found = []
    for name, entry in tomllib.loads(catalogue).items():
        found.append((name, f"workloads/{name}.cu", entry))
    for name, entry in tomllib.loads(study)["program"].items():
        found.append((name, os.path.normpath(os.path.join("studies", entry["file"])), entry))

    def words(entry):
        return {size: entry[size].split() for size in ("test", "small", "full", "paper") if size in entry}

    return [(name, path, words(entry), entry.get("forward-progress", False)) for name, path, entry in found]


def split(words):
    """Macros, and arguments."""
    return [w for w in words if w.startswith("-D")], [w for w in words if not w.startswith("-D")]


def launches(text):
    """What launches.c has written: (times in microseconds, launches without a time, launches that were not held)."""
    times, untimed, not_held = [], None, None
    for line in text.splitlines():
        key, value = line.split()
        if key == "time":
            times.append(float(value))
        elif key == "untimed":
            untimed = int(value)
        elif key == "not-held":
            not_held = int(value)
        else:
            raise ValueError(f"launches.c wrote `{line}`")
    if untimed is None or not_held is None:
        raise ValueError("launches.c has not come to its end")
    return times, untimed, not_held


def counted(text, metrics):
    """What Nsight Compute has counted, each metric with a list of all launches; from CSV between messages, with a line of units."""
    lines = list(csv.DictReader(line for line in text.splitlines() if line and not line.startswith("==")))
    for metric in metrics if lines else []:
        if lines[0].get(metric) != UNITS[metric]:
            raise ValueError(f"ncu has not counted {metric}:\n{text}")
    return {metric: [float(line[metric].replace(",", "")) for line in lines[1:]] for metric in metrics}


def table(rows, columns=COLUMNS):
    """The rows as CSV."""
    out = io.StringIO()
    writer = csv.DictWriter(out, columns, restval="", lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


def number(value):
    """A time as it is written, to the nanosecond."""
    return f"{value:.3f}"


def launch_lines(name, runs):
    """Lines of the file of launches: the median of each launch of some runs, in microseconds."""
    return [f"{name},{at},{number(statistics.median(times))}\n" for at, times in enumerate(zip(*runs))]


def summary(runs):
    """The cells of some runs' times, each a list of its launches: the median of their sums, least, largest."""
    sums = [sum(times) for times in runs]
    return {
        "launches": len(runs[0]),
        "time_us": number(statistics.median(sums)),
        "time_min_us": number(min(sums)),
        "time_max_us": number(max(sums)),
        "repetitions": len(runs),
    }


def difference(ours, theirs):
    """Two outputs line by line, where they are not the same."""
    lines = difflib.unified_diff(ours.splitlines(), theirs.splitlines(), "reconverge", "GPU", lineterm="", n=1)
    return "\n".join(lines)


# Programs.


def build(nvcc, source, target, words, arch):
    """Builds a program as it is, for the shared runtime. What nvcc says if it refuses it."""
    shared = link_to_runtime(nvcc, target.parent)
    command = [nvcc, "-w", "--cudart", "shared", *arch, *shared, *words, "-o", str(target), str(source)]
    # nvcc leaves files of its own where it runs.
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(command, capture_output=True, text=True, cwd=folder)
    if done.returncode:
        # No copy of an earlier run is taken for it.
        target.unlink(missing_ok=True)
        return (done.stdout + done.stderr).strip() or f"nvcc ends with status {done.returncode}"
    return None


def runtime_folder(nvcc):
    """The folder of the shared runtime of a toolkit, or nothing if the linker is to find it."""
    base = Path(nvcc).resolve().parents[1]
    for folder in ("lib64", "lib", "targets/x86_64-linux/lib", "targets/sbsa-linux/lib"):
        if any((base / folder).glob("libcudart.so*")):
            return base / folder
    return None


def link_to_runtime(nvcc, work):
    """Options with which the program finds the shared runtime, when it is linked and when it runs."""
    folder = runtime_folder(nvcc)
    if not folder:
        return []
    options = ["-Xlinker", f"-rpath={folder}", "-L", str(folder)]
    if not (folder / "libcudart.so").exists():
        # The wheels of PyPI have no name without a version.
        link = work / "libcudart.so"
        # Programs are built side by side.
        with contextlib.suppress(FileExistsError):
            link.symlink_to(sorted(folder.glob("libcudart.so.*"))[0])
        options += ["-L", str(work)]
    return options


def build_timer(work):
    """The library that times launches."""
    target = work / "launches.so"
    compiler = os.environ.get("CC") or shutil.which("cc") or shutil.which("gcc")
    if not compiler:
        raise Unusable("no C compiler is found: nvcc needs one too; CC may name it")
    command = [compiler, "-O2", "-shared", "-fPIC", "-o", str(target), str(HERE / "launches.c"), "-ldl", "-lpthread"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise Unusable(f"launches.c does not compile:\n{done.stderr}")
    return target


def run_timed(timer, command, extra=None, patience=PATIENCE):
    """Runs a program with its launches timed: (status, output, times, launches that were not held, no further cells).

    Raises ValueError if there is a launch without a time.
    """
    with tempfile.TemporaryDirectory() as folder:
        notes = Path(folder, "launches")
        environment = dict(os.environ)
        # With lazy loading a first launch may wait for the stream, which waits for the launch.
        environment |= {"LD_PRELOAD": str(timer), "RECONVERGE_LAUNCHES": str(notes), "CUDA_MODULE_LOADING": "EAGER"}
        environment |= extra or {}
        done = subprocess.run(
            [str(word) for word in command], capture_output=True, cwd=folder, env=environment, timeout=patience
        )
        output = done.stdout.decode(errors="replace")
        if not notes.exists():
            return done.returncode, output + done.stderr.decode(errors="replace"), [], 0, {}
        times, untimed, not_held = launches(notes.read_text())
    if untimed:
        raise ValueError(f"{untimed} launches have no time")
    return done.returncode, output, times, not_held, {}


def run_counted(ncu, caches, clock_mhz, command, patience=PATIENCE):
    """Runs a program with its launches counted by Nsight Compute: as `run_timed`, with cycles as microseconds of the clock, and cells of what else
    is counted.

    Raises ValueError if it counts something else.
    """
    metrics = COUNTED[caches]
    with tempfile.TemporaryDirectory() as folder:
        notes = Path(folder, "counted")
        options = ["--csv", "--page", "raw", "--print-units", "base", "--metrics", ",".join(metrics), "--clock-control", "none"]
        options += ["--cache-control", CACHES[caches], "--log-file", str(notes)]
        command = [ncu, *options, *(str(word) for word in command)]
        done = subprocess.run(command, capture_output=True, cwd=folder, timeout=patience)
        output = done.stdout.decode(errors="replace")
        text = notes.read_text() if notes.exists() else ""
    if done.returncode:
        return done.returncode, output + done.stderr.decode(errors="replace") + text, [], 0, {}
    values = counted(text, metrics)
    cells = {INSTRUCTIONS[metric]: f"{sum(values[metric]):.0f}" for metric in metrics if metric != CYCLES}
    return 0, output, [cycles / clock_mhz for cycles in values[CYCLES]], 0, cells


def run_ours(path, words, forward_progress):
    """(status, output, digest of the source, version) under the functional model."""
    macros, arguments = split(words)
    command = [reconverge(), "run", str(ROOT / "examples" / path), "--model", "functional", "--quiet", *macros]
    if forward_progress:
        command += ["--set", "divergence=convergence-barrier", "--convergence-barriers"]
    with tempfile.TemporaryDirectory() as folder:
        told = Path(folder, "statistics.json")
        command += ["--stats", str(told), "--", *arguments]
        done = subprocess.run(command, capture_output=True, timeout=OUR_PATIENCE)
        provenance = json.loads(told.read_text())["provenance"] if told.exists() else {}
    output = done.stdout.decode(errors="replace")
    return done.returncode, output, provenance.get("source", ""), provenance.get("version", "")


def measure(program, words, ours, binary, run, arguments, until):
    """The cells of a program, the times of its launches in each run, and what is to be said of it.

    `ours` is what `run_ours` has told, `run` runs a command and times its launches, `arguments` are those of the command. Once it is later
    than `until`, the first run has to do.
    """
    name = program[0]
    status, expected, source, tool_version = ours
    row = {"program": name, "arguments": " ".join(words), "source": source, "tool_version": tool_version}
    if status:
        return row | {"output": "failed"}, [], f"ends with status {status} under reconverge"
    runs, said = [], ""
    while len(runs) < arguments.repetitions and (not runs or time.monotonic() < until):
        try:
            status, output, times, not_held, cells = run([binary, *split(words)[1]])
        except subprocess.TimeoutExpired:
            return row | {"output": "failed"}, [], f"is not through after {arguments.patience:g} seconds"
        except ValueError as error:
            return row | {"output": "failed"}, [], str(error)
        if status:
            return row | {"output": "failed"}, [], f"ends with status {status}\n{output}"
        if not times:
            return row | {"output": "failed"}, [], "no launch was seen"
        runs.append(times)
        row |= cells
        if not_held:
            said = f"{not_held} of {len(times)} launches were not held: their times have some of the host's\n"
        if output != expected:
            row["output"] = "differs"
            return row | summary(runs), runs, difference(expected, output)
    return row | {"output": "same"} | summary(runs), runs, said


# The machine.


def driver_version():
    """The driver's version, if nvidia-smi is there to tell."""
    found = shutil.which("nvidia-smi")
    if not found:
        return ""
    done = subprocess.run(
        [found, "--query-gpu=driver_version", "--format=csv,noheader"], capture_output=True, text=True
    )
    return done.stdout.splitlines()[0].strip() if done.returncode == 0 and done.stdout.strip() else ""


def probe(nvcc, timer, work):
    """What the GPU is, or a sentence that says why there is none; the program that tells it is `work/probe`."""
    said = build(nvcc, HERE / "probe.cu", work / "probe", [], [])
    if said:
        raise Unusable(f"nvcc does not compile probe.cu:\n{said}")
    status, output, times, *_ = run_timed(timer, [work / "probe"])
    facts = dict(line.split(" ", 1) for line in output.splitlines() if " " in line)
    if status or "none" in facts or "gpu" not in facts:
        return None, facts.get("none", output.strip() or f"the probe ends with status {status}")
    facts["empty_launch_us"] = number(statistics.median(times[1:]))
    facts["driver"] = driver_version() or facts["driver_interface"]
    facts["measured_by"] = "events"
    return {key: facts[key] for key in COLUMNS if key in facts}, ""


def by_nsight(ncu, gpu, work, arguments):
    """How a command is run with its launches counted by Nsight Compute; `gpu` then has the empty kernel by it too."""

    def run(command):
        return run_counted(ncu, arguments.nsight, float(gpu["clock_mhz"]), command, arguments.patience)

    try:
        status, output, times, *_ = run([work / "probe"])
    except ValueError as error:
        raise Unusable(str(error)) from error
    if status or len(times) < 2:
        raise Unusable(f"ncu does not count the cycles of probe.cu:\n{output}")
    gpu["empty_launch_us"] = number(statistics.median(times[1:]))
    gpu["measured_by"] = f"Nsight Compute, caches {arguments.nsight}"
    return run


def build_all(nvcc, chosen, sizes, work, arch):
    """Builds what is needed, once for each set of macros: {(name, macros): path or what nvcc says}."""
    wanted = {}
    for name, path, words, _ in chosen:
        for size in sizes:
            if size in words:
                wanted[name, tuple(split(words[size])[0])] = path

    def one(item):
        at, ((name, macros), path) = item
        target = work / f"{at}-{name.replace('/', '-')}"
        return build(nvcc, ROOT / "examples" / path, target, macros, arch) or target

    return dict(zip(wanted, each(one, enumerate(wanted.items()))))


def refused(built):
    """Says what nvcc has refused, and how many."""
    said = {name: what for (name, _), what in built.items() if isinstance(what, str)}
    for name, what in said.items():
        print(f"refused  {name}\n{what}")
    return len(said)


def timing_programs(size):
    """The programs of `tests/timing` that stand beside another simulator in docs/timing.md; they have one size, here called `size`."""
    found = sorted((ROOT / "tests/timing").glob("v100_*.cu"))
    return [(TIMING + path.stem, os.path.relpath(path, ROOT / "examples"), {size: []}, False) for path in found]


def chosen_programs(only):
    """The programs that are asked for."""
    catalogue = (ROOT / "examples/workloads/catalogue.toml").read_text()
    study = (ROOT / "examples/studies/hardware.toml").read_text()
    known = programs(catalogue, study)
    unknown = set(only) - {name for name, *_ in known}
    if unknown:
        raise Unusable(f"there is no program {', '.join(sorted(unknown))}")
    return [program for program in known if not only or program[0] in only]


def words_of_command():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--output", default="hardware.csv", metavar="FILE", help="default: hardware.csv")
    parser.add_argument("--sizes", default=",".join(SIZES), help="default: test,small")
    parser.add_argument("--only", action="append", default=[], metavar="NAME", help="only this program; may be repeated")
    parser.add_argument("--repetitions", type=int, default=5, metavar="N", help="runs of each program; default: 5")
    parser.add_argument("--launches", metavar="FILE", help="write each launch's median too, those of tests/timing/v100_*.cu as well")
    parser.add_argument("--nsight", choices=CACHES, help="count the cycles of launches by Nsight Compute, with caches flushed before each or kept; default: by events")
    parser.add_argument("--budget", type=float, default=float("inf"), metavar="S", help="seconds after which one run of each program has to do")
    parser.add_argument("--patience", type=float, default=PATIENCE, metavar="S", help="seconds that a run may take; default: 120")
    parser.add_argument("--arch", metavar="sm_NN", help="what nvcc compiles for; default: the GPU's own")
    parser.add_argument("--clock-mhz", type=float, metavar="F", help="the clock that the SMs are held at; default: the peak")
    parser.add_argument("--build-only", action="store_true", help="build everything and run nothing; needs no GPU")
    parser.add_argument("--self-test", action="store_true", help="test this script; needs no GPU, and nvcc only for a part")
    arguments = parser.parse_args()
    if arguments.repetitions < 1:
        parser.error("--repetitions is at least 1")
    arguments.sizes = arguments.sizes.split(",")
    for size in arguments.sizes:
        if size not in ("test", "small", "full", "paper"):
            parser.error(f"there is no size {size}; sizes are test, small, full, paper")
    return arguments


def main():
    arguments = words_of_command()
    if arguments.self_test:
        import self_test

        return self_test.main()
    nvcc, chosen = tool("nvcc"), chosen_programs(arguments.only)
    if arguments.launches:
        chosen = timing_programs(arguments.sizes[0]) + chosen
    print(f"nvcc {version()}: {nvcc}")
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        arch = [f"-arch={arguments.arch}"] if arguments.arch else []
        if arguments.build_only:
            built = build_all(nvcc, chosen, arguments.sizes, work, arch)
            failed = refused(built)
            print(f"{len(built) - failed} of {len(built)} builds; nothing was run")
            return DIFFERS if failed else ALL_THERE
        timer = build_timer(work)
        gpu, why = probe(nvcc, timer, work)
        if not gpu:
            print(f"no GPU is found: {why}\n  --build-only builds without one", file=sys.stderr)
            return NO_GPU
        if arguments.clock_mhz:
            gpu["clock_mhz"] = number(arguments.clock_mhz)
        if arguments.nsight:
            run = by_nsight(tool("ncu"), gpu, work, arguments)
        else:
            run = functools.partial(run_timed, timer, patience=arguments.patience)
        print(", ".join(f"{key} {value}" for key, value in gpu.items()))
        reconverge()
        arch = arch or [f"-arch=sm_{gpu['compute_capability'].replace('.', '')}"]
        return measure_all(arguments, gpu, chosen, run, build_all(nvcc, chosen, arguments.sizes, work, arch))


def measure_all(arguments, gpu, chosen, run, built):
    """Measures each program at each size, and writes the files after each, so that a stop loses nothing.

    Ours run side by side beside the GPU, which their processes leave alone.
    """
    rows, lines, wrong = [], ["program,launch,time_us\n"], refused(built)
    until = time.monotonic() + arguments.budget
    wanted = [(program, size) for program in chosen for size in arguments.sizes if size in program[2]]
    with ThreadPoolExecutor(max(1, (os.cpu_count() or 1) - 1)) as pool:
        waits = [pool.submit(run_ours, path, words[size], progress) for (_, path, words, progress), size in wanted]
        for (program, size), ours in zip(wanted, waits):
            name, words = program[0], program[2][size]
            binary = built[name, tuple(split(words)[0])]
            if isinstance(binary, str):
                continue
            row, runs, said = measure(program, words, ours.result(), binary, run, arguments, until)
            wrong += row["output"] != "same"
            print(f"{row['output']:8} {name}, {size}: {row.get('time_us', '-')} us{chr(10) if said else ''}{said}", flush=True)
            if name.startswith(TIMING):
                # The study of these rows knows the examples and workloads only.
                lines += launch_lines(name, runs)
            else:
                rows.append(gpu | row | {"size": size})
                lines += launch_lines(f"{name} {size}", runs)
            Path(arguments.output).write_text(table(rows))
            if arguments.launches:
                Path(arguments.launches).write_text("".join(lines))
    print(f"{len(rows)} lines in {arguments.output}; {wrong} programs refused, failed or with another output")
    return DIFFERS if wrong else ALL_THERE


def script(main):
    """Runs a script and ends it with its status, or with what an error means."""
    try:
        sys.exit(main())
    except Unusable as error:
        print(error, file=sys.stderr)
        sys.exit(UNUSABLE)
    except SystemExit as end:
        # What toolkit.py lacks.
        if isinstance(end.code, str):
            print(end.code, file=sys.stderr)
            sys.exit(UNUSABLE)
        raise


if __name__ == "__main__":
    script(main)
