"""Tests of measure.py and microbenchmarks.py: the parts that read and write, launches.c before a runtime without a device, and, where nvcc is, that
what it makes of a program of ours goes through launches.c. `python3 tests/hardware/measure.py --self-test` runs them.
"""

import csv
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import measure
import microbenchmarks

CATALOGUE = """
[alpha]
title = "A"
test = "4 64"
small = "-DN=90 64 -DM"
paper-missing = "none"

[spin]
test = "1"
forward-progress = true
"""

STUDY = """
schema = 1
[programs]
all = ["*", "examples/one"]
[program."examples/one"]
file = "../one.cu"
test = "7"
"""


class Pure(unittest.TestCase):
    def test_programs(self):
        found = measure.programs(CATALOGUE, STUDY)
        self.assertEqual(
            found,
            [
                ("alpha", "workloads/alpha.cu", {"test": ["4", "64"], "small": ["-DN=90", "64", "-DM"]}, False),
                ("spin", "workloads/spin.cu", {"test": ["1"]}, True),
                ("examples/one", "one.cu", {"test": ["7"]}, False),
            ],
        )
        self.assertEqual(measure.split(found[0][2]["small"]), (["-DN=90", "-DM"], ["64"]))

    def test_files_of_the_repository(self):
        """Every program that the files name is there, with both sizes, and every example but those of the course is named."""
        found = measure.chosen_programs([])
        for name, path, sizes, _ in found:
            self.assertTrue((measure.ROOT / "examples" / path).is_file(), path)
            self.assertLessEqual({"test", "small"}, sizes.keys(), name)
        there = (measure.ROOT / "examples").rglob("*.cu")
        below = sorted(path.relative_to(measure.ROOT / "examples").as_posix() for path in there if path.parent.name != "course")
        self.assertEqual(sorted(path for _, path, *_ in found), below)
        with self.assertRaises(measure.Unusable):
            measure.chosen_programs(["alpha"])

    def test_launches(self):
        self.assertEqual(measure.launches("time 1.5\ntime 2\nuntimed 0\nnot-held 1\n"), ([1.5, 2.0], 0, 1))
        for text in ("time 1.5\n", "tiem 1\n", "time x\nuntimed 0\nnot-held 0\n"):
            with self.assertRaises(ValueError):
                measure.launches(text)

    def test_counted(self):
        names = ["sm__cycles_elapsed.max", "smsp__inst_executed.sum"]
        head = '==PROF== Connected to process 7\n"ID","Kernel Name","sm__cycles_elapsed.max","smsp__inst_executed.sum"\n"","","cycle","inst"\n'
        text = head + '"0","a(int, int)","1,204","7"\n"1","b","905.00","1,000"\n==PROF== Disconnected\n'
        self.assertEqual(measure.counted(text, names), {names[0]: [1204.0, 905.0], names[1]: [7.0, 1000.0]})
        self.assertEqual(measure.counted("==WARNING== No kernels were profiled.\n", names), {names[0]: [], names[1]: []})
        for text in (head.replace('"cycle"', '"n/a"'), head + '"0","a","(!) n/a","1"\n', head.replace("smsp__", "gpc__")):
            with self.assertRaises(ValueError):
                measure.counted(text, names)

    def test_table(self):
        row = {"gpu": 'An "odd", GPU', "program": "alpha"} | measure.summary([[3.0, 1.0], [1.0, 1.0], [9.0, 0.5]])
        lines = measure.table([row]).splitlines()
        self.assertEqual(lines[0].split(","), measure.COLUMNS)
        self.assertEqual(lines[1], '"An ""odd"", GPU",,,,,alpha,,,2,4.000,2.000,9.500,3,,,,,,,')

    def test_launch_lines(self):
        self.assertEqual(measure.launch_lines("alpha", [[3.0, 1.0], [1.0, 1.5], [9.0, 0.5]]), ["alpha,0,3.000\n", "alpha,1,1.000\n"])
        self.assertEqual(measure.launch_lines("alpha", []), [])

    def test_timing_programs(self):
        found = measure.timing_programs("small")
        self.assertIn("timing/v100_collatz", [name for name, *_ in found])
        for name, path, sizes, _ in found:
            self.assertTrue((measure.ROOT / "examples" / path).is_file(), path)
            self.assertEqual(sizes, {"small": []})

    def test_microbenchmarks(self):
        told = microbenchmarks.values("a 1.50\nb 2\n")
        self.assertEqual(told, {"a": 1.5, "b": 2.0})
        for text in ("", "a\n", "a 1\na 2\n", "a b\n", "error no device\n", "a 1 2\n"):
            with self.assertRaises(ValueError):
                microbenchmarks.values(text)
        gpu = microbenchmarks.of_gpu([told, {"a": 4.5, "b": 0.0}, {"a": 2.5, "b": 0.0}])
        with self.assertRaises(ValueError):
            microbenchmarks.of_gpu([told, {"a": 4.5}])
        rows = microbenchmarks.beside(gpu, {"a": 5.0, "b": 1.0, "c": 1.0})
        text = microbenchmarks.table(rows, microbenchmarks.COLUMNS)
        expected = "name,gpu,gpu_min,gpu_max,repetitions,ours,ratio\na,2.50,1.50,4.50,3,5.00,2.00\nb,0.00,0.00,2.00,3,1.00,\nc,,,,,1.00,\n"
        self.assertEqual(text, expected)
        self.assertEqual(microbenchmarks.read_table(text), gpu)
        with self.assertRaises(ValueError):
            microbenchmarks.read_table("name,gpu\na,1\n")
        self.assertEqual(microbenchmarks.markdown(rows).splitlines()[2], "| a | 2.50 | 5.00 | 2.00 |")

    def test_cited_values(self):
        """What a machine file says that was measured on its product is in the file of measured values."""
        for machine in ("h100", "h200"):
            with open(measure.HERE / f"microbenchmarks-{machine}.csv", newline="") as file:
                values = {row["name"]: float(row["gpu"]) for row in csv.DictReader(file)}
            text = (measure.ROOT / f"simulator/machines/{machine}.toml").read_text()
            cited = re.findall(machine.upper() + r": ([^;\n]*)", text)
            pairs = [pair for words in cited for pair in re.findall(r"\b([a-z]\w*_\w+) (\d[\d.]*)", words)]
            self.assertGreater(len(pairs), 3)
            for name, value in pairs:
                if name in values:
                    self.assertEqual(float(value), round(values[name], 2 if "." in value else 0), f"{machine}, {name}")
                else:
                    self.assertNotRegex(name, "^(latency|rate|ring|bytes|barrier|first_level|second_level)_", machine)

    def test_difference(self):
        self.assertEqual(measure.difference("a\nb\n", "a\nb\n"), "")
        self.assertIn("-b\n+c", measure.difference("a\nb\n", "a\nc\n"))


class Fake(unittest.TestCase):
    """A folder with launches.c and fake_runtime.c, compiled."""

    def setUp(self):
        if not (os.environ.get("CC") or shutil.which("cc") or shutil.which("gcc")):
            self.skipTest("no C compiler")
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.work = Path(folder.name)
        self.timer = measure.build_timer(self.work)
        self.compile("-shared", "-fPIC", "-o", self.work / "libcudart.so", measure.HERE / "fake_runtime.c", "-lpthread")

    def compile(self, *words):
        compiler = os.environ.get("CC") or "cc"
        subprocess.run([compiler, "-O1", "-w", *map(str, words)], check=True)


class Launches(Fake):
    """launches.c, in front of fake_runtime.c."""

    def run_program(self, program, mode, *words):
        extra = {"LD_LIBRARY_PATH": str(self.work), "FAKE_RUNTIME": mode}
        return measure.run_timed(self.timer, [program, *words], extra)

    def test_modes(self):
        program = self.work / "launches_test"
        self.compile("-o", program, measure.HERE / "launches_test.c", "-L", self.work, "-lcudart")
        # Each kernel takes 2,000 microseconds, and its launch 30,000 of the host's, which are not measured. The launch
        # that is refused is, and its status and the runtime's last error come through.
        self.assertEqual(self.run_program(program, ""), (0, "0 0 0 1 1\n", [2000.0] * 3, 0, {}))
        self.assertEqual(self.run_program(program, "refuse"), (0, "1 1 1 1 1\n", [], 0, {}))
        with self.assertRaisesRegex(ValueError, "4 launches have no time"):
            self.run_program(program, "capture")
        # A launch that waits for the stream does not hang, and is told apart.
        self.assertEqual(self.run_program(program, "wait"), (0, "0 0 0 1 1\n", [32000.0] * 3, 3, {}))

    def test_what_nvcc_makes(self):
        """Programs of nvcc with `<<<...>>>`, as they are; their kernels do nothing here, so that they do not pass."""
        if not os.environ.get("NVCC_BIN") and not shutil.which("nvcc"):
            self.skipTest("no nvcc")
        nvcc = measure.tool("nvcc")
        folder = measure.runtime_folder(nvcc)
        if not folder:
            self.skipTest("no shared runtime beside nvcc, whose name the fake one could have")
        build = self.work / "build"
        build.mkdir()
        for path, arguments, count in (("saxpy.cu", ["1000"], 1), ("bitonic.cu", ["2048"], 6)):
            program = build / path.removesuffix(".cu")
            said = measure.build(nvcc, measure.ROOT / "examples" / path, program, [], [])
            self.assertIsNone(said)
            name = sorted(file.name for file in folder.glob("libcudart.so.*"))[0]
            for alias in {name, ".".join(name.split(".")[:3])}:
                if not (self.work / alias).exists():
                    (self.work / alias).symlink_to("libcudart.so")
            status, output, times, not_held, _ = self.run_program(program, "", *arguments)
            self.assertIn("FAIL", output)
            self.assertEqual((status, times, not_held), (1, [2000.0] * count, 0), output)


# Stands for nvcc: what it makes of a program launches three kernels of the fake runtime, and then does what a command of the
# shell says, for most programs `reconverge run`.
STAND_IN = r"""#!/usr/bin/env python3
import json, os, subprocess, sys
words = sys.argv[1:]
if words == ["--version"]:
    print("stands for nvcc, release 0.1, V0.1")
    sys.exit()
source, target = words[-1], words[words.index("-o") + 1]
name = os.path.basename(source)[:-3]
macros = " ".join(word for word in words if word.startswith("-D"))
ours = f"{os.environ['OURS']} run {source} --model functional --quiet {macros} -- \"$@\""
does = {"probe": "cat " + os.environ["SAYS"], "bitonic": ours + " && echo more", "histogram": "exit 5"}.get(name, ours)
if name == "matmul_naive":
    sys.exit("it is refused")
text = (
    "#include <stddef.h>\n#include <sys/wait.h>\n#include <unistd.h>\n"
    "typedef struct { unsigned x, y, z; } dim3;\n"
    "int cudaLaunchKernel(const void *, dim3, dim3, void **, size_t, void *);\n"
    "int main(int count, char **words) { dim3 one = {1, 1, 1};\n"
    "for (int i = 0; i < 3; i++) if (cudaLaunchKernel(0, one, one, 0, 0, 0)) return 9;\n"
    "char *all[64] = {\"sh\", \"-c\", " + json.dumps(does) + ", \"sh\"};\n"
    "for (int i = 1; i < count; i++) all[3 + i] = words[i];\n"
    "char *none[] = {NULL};\n"
    "pid_t child = fork(); int status = 0;\n"
    "if (!child) { execve(\"/bin/sh\", all, none); _exit(9); }\n"
    "waitpid(child, &status, 0); return status >> 8; }\n"
)
command = ["cc", "-w", "-x", "c", "-", "-o", target]
command += ["-L", os.environ["FAKE"], "-lcudart", "-Wl,-rpath=" + os.environ["FAKE"]]
sys.exit(subprocess.run(command, input=text, text=True).returncode)
"""

# Stands for Nsight Compute: runs the program, and says that each of three launches took 500 cycles, or 250 if caches are kept, and counts 10
# of everything else.
COUNTER = r"""#!/usr/bin/env python3
import subprocess, sys
words = sys.argv[1:]
notes = words.index("--log-file") + 2
cycles = {"all": 500, "none": 250}[words[words.index("--cache-control") + 1]]
metrics = words[words.index("--metrics") + 1].split(",")
units = ["cycle" if "cycle" in metric else "inst" for metric in metrics]
counts = [cycles if unit == "cycle" else 10 for unit in units]
done = subprocess.run(words[notes:])
with open(words[notes - 1], "w") as file:
    print("==PROF== Connected", *(",".join(f'"{cell}"' for cell in row) for row in (["ID", *metrics], ["", *units])), sep="\n", file=file)
    for at in range(3):
        print(",".join(f'"{cell}"' for cell in (at, *counts)), file=file)
sys.exit(done.returncode)
"""

FACTS = "gpu A GPU\ncompute_capability 9.0\ndriver_interface 13.0\ncuda 13.0\nclock_mhz 1000.000\n"


class Whole(Fake):
    """measure.py from end to end, with stand-ins for nvcc and the runtime."""

    def measure(self, says, *words):
        self.csv = self.work / "hardware.csv"
        return self.run_script("measure.py", says, "--output", str(self.csv), *words)

    def run_script(self, script, says, *words):
        try:
            ours = measure.reconverge()
        except SystemExit as why:
            self.skipTest(str(why.code))
        stand_in = self.work / "bin" / "nvcc"
        stand_in.parent.mkdir(exist_ok=True)
        stand_in.write_text(STAND_IN)
        stand_in.chmod(0o755)
        stand_in.with_name("ncu").write_text(COUNTER)
        stand_in.with_name("ncu").chmod(0o755)
        (self.work / "says").write_text(says)
        environment = os.environ | {
            "NVCC_BIN": str(stand_in.parent),
            "OURS": str(Path(ours).resolve()),
            "SAYS": str(self.work / "says"),
            "FAKE": str(self.work),
        }
        command = [sys.executable, str(measure.HERE / script), *words]
        return subprocess.run(command, capture_output=True, text=True, env=environment)

    def test_rows(self):
        names = ["saxpy", "bitonic", "histogram", "matmul_naive"]
        only = [word for name in names for word in ("--only", f"examples/{name}")]
        launches = self.work / "launches.csv"
        only += ["--launches", str(launches)]
        done = self.measure(FACTS, "--sizes", "test", "--repetitions", "2", "--clock-mhz", "1200", *only)
        self.assertEqual(done.returncode, 1, done.stderr)
        with open(self.csv, newline="") as file:
            rows = {row["program"]: row for row in csv.DictReader(file)}
        self.assertEqual(
            {name: row["output"] for name, row in rows.items()},
            {"examples/saxpy": "same", "examples/bitonic": "differs", "examples/histogram": "failed"},
        )
        row = rows["examples/saxpy"]
        told = [row[key] for key in ("gpu", "cuda", "clock_mhz", "size", "arguments", "launches", "time_us", "repetitions")]
        self.assertEqual(told, ["A GPU", "13.0", "1200.000", "test", "1000", "3", "6000.000", "2"])
        self.assertEqual((row["empty_launch_us"], len(row["source"])), ("2000.000", 64))
        self.assertEqual((rows["examples/histogram"]["time_us"], rows["examples/bitonic"]["launches"]), ("", "3"))
        for said in ("it is refused", "+more", "ends with status 5", "3 lines in", "3 programs refused, failed"):
            self.assertIn(said, done.stdout)
        lines = launches.read_text().splitlines()
        self.assertEqual(lines[0], "program,launch,time_us")
        for line in ("examples/saxpy test,2,2000.000", "timing/v100_collatz,0,2000.000"):
            self.assertIn(line, lines)
        # It is a reference.
        command = [measure.reconverge(), "study", "hardware", "--reference", str(self.csv), "--size", "test"]
        command += ["--only", "examples/saxpy", "--out", str(self.work / "out")]
        study = subprocess.run(command, capture_output=True, text=True, cwd=measure.ROOT)
        self.assertEqual(study.returncode, 0, study.stderr)
        self.assertIn("| examples/saxpy | 7200000 |", (self.work / "out/study.md").read_text())
        self.assertNotIn("has changed since", study.stderr)

    def test_nsight(self):
        for caches, time in (("flushed", "1.500"), ("kept", "0.750")):
            words = ("--sizes", "test", "--repetitions", "2", "--nsight", caches, "--only", "examples/saxpy", "--only", "examples/histogram")
            done = self.measure(FACTS, *words)
            self.assertEqual(done.returncode, 1, done.stderr)
            with open(self.csv, newline="") as file:
                saxpy, histogram = sorted(csv.DictReader(file), key=lambda row: row["output"] == "failed")
            self.assertEqual((saxpy["time_us"], saxpy["launches"], histogram["output"]), (time, "3", "failed"))
            self.assertEqual(saxpy["measured_by"], f"Nsight Compute, caches {caches}")
            # A kernel may be executed again for other counters, which would leave its data in caches that are kept.
            counted = {"flushed": ("30", "30"), "kept": ("", "")}[caches]
            self.assertEqual((saxpy["warp_instructions"], saxpy["thread_instructions"]), counted)

    def test_budget(self):
        done = self.measure(FACTS, "--sizes", "test", "--repetitions", "5", "--budget", "0", "--only", "examples/saxpy")
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(self.csv, newline="") as file:
            self.assertEqual([row["repetitions"] for row in csv.DictReader(file)], ["1"])

    def test_microbenchmarks(self):
        """Both sides are ours here: the functional model's clock stands for the GPU's."""
        told = self.work / "gpu.csv"
        words = ("--output", str(told), "--repetitions", "2", "--largest-ring", "1", "--gpu-only")
        done = self.run_script("microbenchmarks.py", "", *words)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, r"\| latency_add_xor \| [0-9.]+ \|  \|  \|")
        both = self.work / "both.csv"
        words = ("--gpu-values", str(told), "--output", str(both), "--largest-ring", "1")
        done = self.run_script("microbenchmarks.py", "", *words)
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(both, newline="") as file:
            rows = {row["name"]: row for row in csv.DictReader(file)}
        self.assertEqual((rows["latency_float_fma"]["ours"], rows["latency_float_fma"]["repetitions"]), ("4.00", "2"))

    def test_no_gpu(self):
        done = self.measure("none no CUDA-capable device is detected\n")
        self.assertEqual(done.returncode, measure.NO_GPU, done.stderr)
        self.assertIn("no GPU is found: no CUDA-capable device is detected", done.stderr)
        self.assertFalse(self.csv.exists())


def main():
    tests = unittest.defaultTestLoader.loadTestsFromTestCase
    suite = unittest.TestSuite([tests(Pure), tests(Launches), tests(Whole)])
    return 0 if unittest.TextTestRunner(verbosity=2).run(suite).wasSuccessful() else 1
