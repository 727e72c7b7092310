"""Sweeps: the points of studies."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import reconverge

PROGRAM = r"""
#include <cstdio>
#include <cstdlib>
__global__ void k(int *x, int n) { for (int i = 0; i < n; i++) x[threadIdx.x] += i; }
int main(int argc, char **argv)
{
    int *x;
    cudaMalloc(&x, 256);
    k<<<1, 64>>>(x, atoi(argv[1]));
    cudaDeviceSynchronize();
    return argc > 2;
}
"""


def test_a_sweep_runs_once(tmp_path):
    seen = []
    vary = {"l1.size": "4K..8K*2", "-O": [0, 2]}
    tell = lambda done, all: seen.append((done, all))
    found = reconverge.sweep(PROGRAM, vary, arguments=[40], machine="tiny", store=tmp_path, jobs=2, progress=tell)
    assert seen == [(1, 4), (2, 4), (3, 4), (4, 4)]
    assert [point.settings for point in found] == [
        {"l1.size": "4096", "-O": "0"}, {"l1.size": "4096", "-O": "2"},
        {"l1.size": "8192", "-O": "0"}, {"l1.size": "8192", "-O": "2"},
    ]
    assert found.ran == 4 and all(point.is_good for point in found)
    assert found[0].stats["warp_instructions"] > found[1].stats["warp_instructions"]
    assert list(found[0].kernels) == ["k"]
    stored = {path.stem: path.read_text() for path in tmp_path.glob("*.json")}
    assert set(stored) == {point.identity for point in found}
    again = reconverge.sweep(PROGRAM, vary, arguments=[40], machine="tiny", store=tmp_path, jobs=1)
    assert again.ran == 0 and [point.stats["cycles"] for point in again] == [point.stats["cycles"] for point in found]
    fresh = reconverge.sweep(PROGRAM, vary, arguments=[40], machine="tiny", store=tmp_path, jobs=2, fresh=True)
    assert fresh.ran == 4 and {path.stem: path.read_text() for path in tmp_path.glob("*.json")} == stored
    assert repr(found).startswith("<Sweep of 4 points; 4 run now") and "<table>" in found._repr_html_()


def test_points_that_go_wrong(tmp_path):
    found = reconverge.sweep(PROGRAM, {"arguments": ["1", "1 2"]}, machine="tiny", store=tmp_path, jobs=1)
    assert [(point.outcome, point.status) for point in found] == [("exit", 0), ("exit", 1)]
    assert "1 went wrong" in repr(found)


def test_reports_are_the_same_every_time(tmp_path, monkeypatch):
    text = "__global__ void k(int *x) { *x = 1; }\nint main() { k<<<1, 1>>>(0); return cudaDeviceSynchronize(); }\n"
    kept = []
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        monkeypatch.chdir(tmp_path / folder)
        [point] = reconverge.sweep(text, machine="tiny", store="store")
        assert point.outcome == "trap" and "null pointer" in point.report and not point.stats
        kept.append({path.name: path.read_bytes() for path in Path("store").iterdir()})
    assert kept[0] == kept[1] and len(kept[0]) == 2


def test_what_programs_may_read(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = '#include <cstdio>\nint main() { return fopen("data.txt", "r") == nullptr; }\n'
    Path("data.txt").write_text("1")
    assert [point.status for point in reconverge.sweep(text, machine="tiny", inputs=["data.txt"])] == [0]
    assert [point.status for point in reconverge.sweep(text, machine="tiny")] == [1]


def test_settings_are_those_of_launches(tmp_path):
    [point] = reconverge.sweep(PROGRAM, arguments=[4], machine="tiny", l1_size="4K", define={"N": 4}, store=tmp_path)
    other = reconverge.sweep(
        PROGRAM, arguments=[4], machine=reconverge.machine("tiny", l1_size="4K"), options="-DN=4", store=tmp_path
    )
    assert other.ran == 0 and other[0].identity == point.identity


def test_workloads_and_frames(tmp_path):
    pandas = pytest.importorskip("pandas")
    found = reconverge.sweep(
        ["vector_add", "reduction_kernel0"], {"sms": [1, 2]}, size="test", machine="tiny", store=tmp_path, jobs=2
    )
    frame = found.frame()
    assert isinstance(frame, pandas.DataFrame) and frame["sms"].tolist() == [1, 2, 1, 2]
    table = frame.pivot(index="program", columns="sms", values="cycles")
    assert table.loc["vector_add", 1] >= table.loc["vector_add", 2]


@pytest.mark.parametrize(
    "programs, keywords, error, text",
    [
        ("vector_ad", {}, ValueError, "no workload `vector_ad`; did you mean `vector_add`"),
        ("mine.cu", {}, ValueError, "pathlib.Path('mine.cu')"),
        (Path("mine.cu"), {}, FileNotFoundError, "mine.cu"),
        (3, {}, TypeError, "int"),
        ([3], {}, TypeError, "`int`"),
        ([], {}, ValueError, "no program to run"),
        (["vector_add", PROGRAM], {}, ValueError, "make a sweep of each"),
        ("vector_add", {"arguments": [3]}, ValueError, "workloads have sizes"),
        ("vector_add", {"size": "tiny"}, ValueError, "there is no size `tiny`"),
        ("vector_add", {"jobs": 0}, ValueError, "`jobs` is 0"),
        ("vector_add", {"vary": {"l1.sise": [1]}}, ValueError, "did you mean `size`"),
        ("vector_add", {"vary": {"l1.size": 4}}, TypeError, "is a list of values"),
        ("vector_add", {"vary": {"l1.size": []}}, ValueError, "no value"),
        ("vector_add", {"vary": {1: [4]}}, TypeError, "keys of `vary`"),
        ("vector_add", {"l1_sise": 3}, TypeError, "did you mean `l1_size`"),
        (PROGRAM, {"arguments": ["a b"]}, ValueError, "has blanks"),
        (PROGRAM, {"arguments": "12"}, TypeError, "is a list"),
        ("int main() { return x; }\n", {}, ValueError, "it does not compile"),
    ],
)
def test_faults_are_named(tmp_path, programs, keywords, error, text):
    with pytest.raises(error) as raised:
        reconverge.sweep(programs, store=tmp_path, **keywords)
    assert text in str(raised.value)
    assert not list(tmp_path.glob("*.json"))


def binary():
    """The command line, if it was built."""
    default = Path(__file__).resolve().parents[3] / "target"
    folder = Path(os.environ.get("CARGO_TARGET_DIR", default))
    found = [path for path in (folder / kind / "reconverge" for kind in ("release", "debug")) if path.exists()]
    return max(found, key=lambda path: path.stat().st_mtime, default=None)


def test_points_are_those_of_study(tmp_path):
    command = binary()
    if command is None:
        pytest.skip("the command line is not built: cargo build")
    ours = reconverge.sweep("vector_add", {"divergence": ["simt-stack", "dual-path"]}, size="test", store=tmp_path / "ours")
    study = tmp_path / "sweep.toml"
    study.write_text(ours.study)
    theirs = tmp_path / "theirs"
    arguments = ["study", str(study), "--store", str(theirs), "--out", str(tmp_path / "out"), "--quiet"]
    subprocess.run([command, *arguments], check=True, stdout=subprocess.DEVNULL)
    read = lambda folder: {path.name: path.read_bytes() for path in folder.glob("*.json")}
    assert len(read(theirs)) == 2
    if next(iter(read(theirs))) not in read(ours.store):
        tools = {json.loads(text)["provenance"]["tool"] for all in (read(theirs), read(ours.store)) for text in all.values()}
        assert len(tools) == 2, "the same sources make other points"
        pytest.skip("the command line was built from other sources: cargo build")
    assert read(theirs) == read(ours.store)


ENDLESS = """
import signal, sys, reconverge
# A shell starts what runs in its background with SIGINT ignored.
signal.signal(signal.SIGINT, signal.default_int_handler)
program = "__global__ void k(volatile int *x) { while (*x == 0); }\\nint main() { int *x; cudaMalloc(&x, 4); k<<<1, 1>>>(x); cudaDeviceSynchronize(); }\\n"
print("begins", flush=True)
try:
    reconverge.sweep(program, {"sms": [1, 2, 3]}, machine="tiny", store=sys.argv[1], jobs=int(sys.argv[2]))
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""


@pytest.mark.skipif(os.name == "nt", reason="signals are sent otherwise")
@pytest.mark.parametrize("jobs", [1, 2])
def test_ctrl_c_ends_the_workers(tmp_path, jobs):
    command = [sys.executable, "-c", ENDLESS, str(tmp_path), str(jobs)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout.readline() == "begins\n"
        deadline = time.monotonic() + 30
        while not list(tmp_path.glob("*.lock")) and time.monotonic() < deadline:
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        assert process.stdout.readline() == "interrupted\n"
        assert process.wait() == 0
    finally:
        process.kill()
    # Their locks are free, so that they have ended.
    fcntl = pytest.importorskip("fcntl")
    for path in tmp_path.glob("*.lock"):
        with open(path) as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
