"""Triton kernels: the examples check themselves against NumPy."""

import importlib.util
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("triton", reason="Triton's kernels need `pip install triton`")

EXAMPLES = Path(__file__).resolve().parents[3] / "examples/triton"


def example(name):
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", ["addition", "softmax", "layer_norm", "matrix_product", "dot", "attention"])
def test_examples_agree_with_numpy(name):
    example(name).main("gtx480")


def test_tensor_cores_agree_with_numpy():
    example("tensor").main("a100")


def test_kernels_run_after_activate():
    import reconverge.triton

    addition = example("addition")
    x, y, out = (np.arange(100, dtype=np.float32) for _ in range(3))
    driver = reconverge.triton.activate(machine="gtx480")
    try:
        wrapped = [reconverge.triton.array(data) for data in (x, y, out)]
        addition.add[(1,)](*wrapped, 100, BLOCK=128)
    finally:
        reconverge.triton.deactivate()
    np.testing.assert_array_equal(out, x + y)
    assert driver.launches[0].cycles > 0


def test_autotuning_chooses_by_simulated_cycles():
    import triton

    import reconverge.triton

    configurations = [triton.Config({"BLOCK": block}, num_warps=warps) for block, warps in ((32, 1), (1024, 4), (256, 8))]
    tuned = triton.autotune(configs=configurations, key=["n"])(example("addition").add)
    x, y, out = (np.arange(1024, dtype=np.float32) for _ in range(3))
    launch = reconverge.triton.run(tuned, lambda of: (triton.cdiv(1024, of["BLOCK"]),), x, y, out, 1024, machine="tiny")
    np.testing.assert_array_equal(out, x + y)
    cycles = []
    for configuration in configurations:
        block, result = configuration.kwargs["BLOCK"], np.zeros(1024, np.float32)
        alone = reconverge.triton.run(
            example("addition").add, triton.cdiv(1024, block), x, y, result, 1024, BLOCK=block,
            num_warps=configuration.num_warps, machine="tiny",
        )
        np.testing.assert_array_equal(result, x + y)
        cycles.append(alone.cycles)
    assert launch.cycles == min(cycles) < max(cycles), cycles
