"""What goes wrong, as exceptions."""

import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest

import reconverge


def test_programs_that_do_not_compile():
    with pytest.raises(reconverge.CompileError) as raised:
        reconverge.compile("__global__ void k(int *x) { x[0] = y; }", name="cell 3")
    text = str(raised.value)
    assert "cell 3:1:36" in text and "`y`" in text
    [diagnostic] = raised.value.diagnostics
    assert (diagnostic.severity, diagnostic.file, diagnostic.line) == ("error", "cell 3", 1)
    assert diagnostic.code.startswith("E") and diagnostic.labels[0].column == 36 and diagnostic.labels[0].primary
    assert isinstance(raised.value, reconverge.Error)


def test_warnings_are_warnings():
    text = "__global__ void k(int *x) { int y; x[0] = y; }"
    with pytest.warns(reconverge.CompilerWarning, match="`y` is read before it is written"):
        module = reconverge.compile(text)
    assert [warning.severity for warning in module.warnings] == ["warning"]


def test_sources(tmp_path):
    path = tmp_path / "k.cu"
    path.write_text('#include "n.h"\n__global__ void k(int *x) { x[0] = N + M; }\n')
    (tmp_path / "headers").mkdir()
    (tmp_path / "headers" / "n.h").write_text("#define N 40\n")
    module = reconverge.compile(path, include=tmp_path / "headers", define={"M": 2}, options=["-O1"])
    x = np.zeros(1, np.int32)
    module.launch("k", 1, 1, x, machine="tiny")
    assert x[0] == 42 and repr(module) == f"<Module {path.as_posix()}: k(int *x)>"
    with pytest.raises(FileNotFoundError, match="none.cu"):
        reconverge.compile(tmp_path / "none.cu")
    with pytest.raises(ValueError, match="looks like a file: give `pathlib.Path"):
        reconverge.compile("k.cu")
    with pytest.raises(TypeError, match="not a `int`"):
        reconverge.compile(3)
    with pytest.raises(ValueError, match="options of the compiler"):
        reconverge.compile("", options=["--fast"])
    assert repr(reconverge.compile("")) == "<Module <source>: no kernels>"


def test_traps(kernels):
    x = np.arange(8, dtype=np.int32)
    with pytest.raises(reconverge.TrapError) as raised:
        kernels.launch("beyond", (1, 2), 8, x, machine="tiny")
    error = raised.value
    assert (error.kernel, error.block, error.thread, error.file) == ("beyond", (0, 0, 0), (3, 0, 0), "kernels.cu")
    assert error.line and "x[threadIdx.x + 100] = 1" in str(error) and error.code == "R0005"
    assert "out-of-bounds write" in error.message and error.diagnostics[0].line == error.line
    assert error.launch is not None and error.stats["warp_instructions"] > 0 and "until it was stopped" in repr(error.launch)
    assert "out-of-bounds" in error.launch.report().html
    np.testing.assert_array_equal(x, np.arange(8))
    with pytest.raises(reconverge.TrapError) as raised:
        kernels.launch("beyond", 1, 8, x, model="reference")
    assert raised.value.thread == (3, 0, 0) and raised.value.launch is None and raised.value.stats is None


STUCK = """
__global__ void stuck(volatile int *flag)
{
    if (threadIdx.x == 0)
        __syncthreads();
    else if (threadIdx.x >= 32)
        while (*flag == 0)
            ;
}
"""


def test_limits_and_deadlocks(kernels):
    with pytest.raises(reconverge.LimitError, match="raise the limit with `max_cycles`") as raised:
        kernels.launch("hangs", 1, 1, np.zeros(2, np.int32), machine="tiny", max_cycles=1000)
    assert raised.value.launch.cycles >= 1000 and isinstance(raised.value, reconverge.KernelError)
    with pytest.warns(reconverge.CompilerWarning, match="may not reach this barrier"):
        stuck = reconverge.compile(STUCK)
    with pytest.raises(reconverge.DeadlockError) as raised:
        stuck.launch("stuck", 1, 64, np.zeros(1, np.int32))
    assert "spins on memory" in str(raised.value) and "waits at a barrier" in str(raised.value)


def test_exceptions_go_to_other_processes(kernels):
    with pytest.raises(reconverge.TrapError) as raised:
        kernels.launch("beyond", 1, 8, np.zeros(8, np.int32), machine="tiny")
    copy = pickle.loads(pickle.dumps(raised.value))
    assert (str(copy), copy.line, copy.thread, copy.diagnostics) == (
        str(raised.value), raised.value.line, raised.value.thread, raised.value.diagnostics
    )
    assert copy.launch is None and type(copy).__module__ == "reconverge"


def test_models(kernels):
    with pytest.raises(ValueError, match="`model` is one of timing, functional, reference, not `fast`"):
        kernels.launch("nothing", 1, 1, model="fast")
    with pytest.raises(ValueError, match="reference"):
        kernels.launch("nothing", 1, 1, model="reference", check="all")
    with pytest.raises(ValueError, match="threads"):
        kernels.launch("nothing", 1, 1, threads=0)


ENDLESS = """
import numpy, reconverge, signal
# A shell starts what runs in its background with SIGINT ignored.
signal.signal(signal.SIGINT, signal.default_int_handler)
from conftest import KERNELS
module = reconverge.compile(KERNELS)
x = numpy.zeros(2, numpy.int32)
print("begins", flush=True)
try:
    module.launch("hangs", 1, 1, x, machine="tiny", model={model!r})
except KeyboardInterrupt:
    print("interrupted", x.tolist(), flush=True)
"""


@pytest.mark.skipif(os.name == "nt", reason="signals are sent otherwise")
@pytest.mark.parametrize("model", ["timing", "functional", "reference"])
def test_ctrl_c(model):
    command = [sys.executable, "-c", ENDLESS.format(model=model)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parent)
    try:
        assert process.stdout.readline() == "begins\n"
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        began = time.monotonic()
        assert process.stdout.readline() == "interrupted [0, 0]\n"
        assert process.wait() == 0 and time.monotonic() - began < 10
    finally:
        process.kill()


def test_other_threads_run_meanwhile(kernels):
    steps, stop = [], threading.Event()

    def count():
        while not stop.is_set():
            steps.append(None)
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    with pytest.raises(reconverge.LimitError):
        kernels.launch("hangs", 1, 1, np.zeros(2, np.int32), machine="tiny", max_cycles=300_000)
    during = len(steps)
    stop.set()
    thread.join()
    assert during > 20


def test_launches_from_several_threads(kernels):
    def launch(seed, results):
        x = np.full(256, seed, np.float32)
        y = np.zeros(256, np.float32)
        kernels.launch("axpy", 2, 128, y, x, 1.0, 256, machine="tiny")
        results[seed] = y.sum()

    results = {}
    threads = [threading.Thread(target=launch, args=(seed, results)) for seed in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == {seed: 256.0 * seed for seed in range(8)}
