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
