"""PTX of Triton and Numba, kept in `tests/data/ptx/python` (`kept.py` writes it), under every model, against NumPy."""

import json
from pathlib import Path

import numpy as np
import pytest

import reconverge

FOLDER = Path(__file__).resolve().parents[3] / "tests/data/ptx/python"
LAUNCHES = json.loads((FOLDER / "launches.json").read_text())
RANDOM = np.random.default_rng(1)


def random(*shape):
    return RANDOM.standard_normal(shape, np.float32)


def triton(example, grid, *arguments, model, machine=None):
    module = reconverge.compile(ptx=(FOLDER / f"triton_{example}.ptx").read_text())
    launch = LAUNCHES[example]
    # The last two parameters are scratch memory, which these kernels do not use.
    arguments = (*arguments, None, None)
    module.launch(launch["kernel"], grid, launch["block"], *arguments, shared=launch["shared"], model=model, machine=machine)


def addition(model):
    for n in (112, 1008, 4096):
        x, y, out = random(n), random(n), np.zeros(n, np.float32)
        triton("addition", -(-n // 256), x, y, out, n, model=model)
        np.testing.assert_array_equal(out, x + y)


def softmax(model):
    for rows, columns in ((4, 33), (8, 129), (16, 200)):
        x = random(rows, columns)
        out = np.zeros_like(x)
        triton("softmax", rows, out, x, columns, model=model)
        power = np.exp(x - x.max(axis=1, keepdims=True))
        np.testing.assert_allclose(out, power / power.sum(axis=1, keepdims=True), rtol=1e-5, atol=1e-7)


def layer_norm(model):
    for rows, columns in ((4, 50), (8, 129), (16, 200)):
        x, weight, bias = random(rows, columns), random(columns), random(columns)
        out = np.zeros_like(x)
        triton("layer_norm", rows, out, x, weight, bias, columns, np.float32(1e-5), model=model)
        centred = x - x.mean(axis=1, keepdims=True)
        variance = (centred**2).mean(axis=1, keepdims=True)
        np.testing.assert_allclose(out, centred / np.sqrt(variance + 1e-5) * weight + bias, rtol=1e-4, atol=1e-5)


def matrix_product(model):
    for m, n, k in ((17, 18, 19), (20, 30, 40), (33, 45, 66)):
        a, b, c = random(m, k), random(k, n), np.zeros((m, n), np.float32)
        triton("matrix_product", (-(-m // 16), -(-n // 16)), a, b, c, m, n, k, model=model)
        np.testing.assert_allclose(c, a.astype(np.float64) @ b, rtol=1e-4, atol=1e-4)


def dot(model):
    for m, n, k in ((16, 16, 16), (20, 30, 40), (32, 48, 64)):
        a, b = (RANDOM.integers(-8, 9, shape).astype(np.float16) for shape in ((m, k), (k, n)))
        c = np.zeros((m, n), np.float32)
        triton("dot", (-(-m // 16), -(-n // 16)), a, b, c, m, n, k, model=model)
        np.testing.assert_array_equal(c, a.astype(np.float32) @ b.astype(np.float32))


def tensor(model):
    # NumPy has no bfloat16: the upper halves of singles.
    def brain(matrix):
        return (matrix.view(np.uint32) >> 16).astype(np.uint16)

    for name, of, to in (
        ("fp16", np.float16, np.float32),
        ("bf16", np.float32, np.float32),
        ("tf32", np.float32, np.float32),
        ("int8", np.int8, np.int32),
    ):
        for m, n, k in ((32, 32, 32), (40, 70, 96)):
            a, b = (RANDOM.integers(-8, 9, shape).astype(of) for shape in ((m, k), (k, n)))
            c = np.zeros((m, n), to)
            given = (brain(a), brain(b)) if name == "bf16" else (a, b)
            grid = (-(-m // 32), -(-n // 32))
            triton(f"mma_{name}", grid, *given, c, m, n, k, model=model, machine="a100")
            np.testing.assert_array_equal(c, a.astype(to) @ b.astype(to))


def attention(model):
    for length in (15, 24, 40):
        q, k, v = random(length, 16), random(length, 16), random(length, 16)
        out = np.zeros_like(q)
        triton("attention", -(-length // 16), q, k, v, out, length, np.float32(0.25), model=model)
        scores = q.astype(np.float64) @ k.T * 0.25
        weights = np.exp(scores - scores.max(axis=1, keepdims=True))
        np.testing.assert_allclose(out, weights / weights.sum(axis=1, keepdims=True) @ v, rtol=1e-4, atol=1e-5)


def numba(name, grid, block, *arrays, model):
    module = reconverge.compile(ptx=(FOLDER / f"numba_{name}.ptx").read_text())
    words = []
    for array in arrays:
        words += [None, None, array.size, array.itemsize, array, *array.shape, *array.strides]
    module.launch(next(iter(module.kernels)), grid, block, *words, model=model)


def numba_kernels(model):
    x, y, out = random(1000), random(1000), np.zeros(1000, np.float32)
    numba("add", 4, 256, x, y, out, model=model)
    np.testing.assert_array_equal(out, x + y)
    a, b, c = random(16, 24), random(24, 16), np.zeros((16, 16), np.float32)
    numba("product", (2, 2), (8, 8), a, b, c, model=model)
    np.testing.assert_allclose(c, a @ b, rtol=1e-4, atol=1e-5)
    whole, total = np.arange(1000), np.zeros(1, np.int64)
    numba("total", 4, 256, whole, total, model=model)
    assert total[0] == whole.sum()


KERNELS = [addition, softmax, layer_norm, matrix_product, dot, tensor, attention, numba_kernels]


@pytest.mark.parametrize("model", ["timing", "functional", "reference"])
@pytest.mark.parametrize("kernels", KERNELS, ids=lambda kernels: kernels.__name__)
def test_kernels_agree_with_numpy(kernels, model):
    kernels(model)
