"""Kernels of Numba, checked against NumPy."""

import math

import numpy as np
import pytest

import reconverge

cuda = pytest.importorskip("numba.cuda", reason='Numba\'s kernels need `pip install "numba-cuda[cu12]"`')
numba = pytest.importorskip("reconverge.numba", reason='Numba\'s kernels need `pip install "numba-cuda[cu12]"`')


@cuda.jit
def add(x, y, out):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = x[i] + y[i]


@cuda.jit
def product(a, b, out):
    left = cuda.shared.array((8, 8), np.float32)
    right = cuda.shared.array((8, 8), np.float32)
    i, j = cuda.grid(2)
    x, y = cuda.threadIdx.x, cuda.threadIdx.y
    total = np.float32(0)
    for tile in range(0, a.shape[1], 8):
        left[x, y] = a[i, y + tile]
        right[x, y] = b[x + tile, j]
        cuda.syncthreads()
        for k in range(8):
            total += left[x, k] * right[k, y]
        cuda.syncthreads()
    out[i, j] = total


@cuda.jit
def scalars(x, n, flag, factor, z, pair, out):
    i = cuda.grid(1)
    if i < n and flag:
        out[i, 0] = x[0, i] * factor + z.real
        out[i, 1] = x[1, i] - z.imag + pair[0] * pair[1]


@cuda.jit
def total(x, out):
    i = cuda.grid(1)
    if i < x.size:
        cuda.atomic.add(out, 0, x[i])


@cuda.jit(fastmath=True)
def waves(x, out):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = math.exp(-x[i]) * math.sin(x[i])


@cuda.jit
def beyond(x):
    x[cuda.grid(1) + 1000000] = 1


def test_a_kernel_runs():
    x = np.arange(1000, dtype=np.float32)
    out = np.zeros_like(x)
    launch = numba.run(add, 4, 256, x, 2 * x, out, machine="h100")
    np.testing.assert_array_equal(out, 3 * x)
    assert launch.cycles > 0


def test_tiles_in_shared_memory():
    rng = np.random.default_rng(1)
    a, b = rng.random((16, 24), np.float32), rng.random((24, 16), np.float32)
    out = np.zeros((16, 16), np.float32)
    numba.run(product, (2, 2), (8, 8), a, b, out)
    np.testing.assert_allclose(out, a @ b, rtol=1e-6)


@pytest.mark.parametrize("order", ["C", "F"])
def test_numbers_tuples_and_orders(order):
    x = np.arange(20, dtype=np.float64).reshape(2, 10).copy(order)
    out = np.zeros((10, 2), order=order)
    numba.run(scalars, 1, 32, x, np.int32(10), True, np.float32(1.5), 1 + 2j, (3, 0.5), out)
    np.testing.assert_array_equal(out, np.stack([x[0] * 1.5 + 1, x[1] - 2 + 1.5], axis=1))


def test_kernels_run_after_activate():
    x, out = np.arange(1000, dtype=np.int64), np.zeros(1, np.int64)
    driver = numba.activate(machine="tiny")
    try:
        total[4, 256](x, out)
        total.forall(500)(x[::2], out)
        total.forall(0)(x[:0], out)
        y = np.zeros(100, np.float32)
        waves[1, 128](x[:100].astype(np.float32), y)
        part = np.zeros(200, np.int64)
        add[1, 128](x[:100], x[100:200], part[::2])
    finally:
        numba.deactivate()
    assert out[0] == x.sum() + x[::2].sum()
    np.testing.assert_allclose(y, np.exp(-np.arange(100.0)) * np.sin(np.arange(100.0)), rtol=1e-3, atol=1e-7)
    np.testing.assert_array_equal(part[::2], x[:100] + x[100:200])
    assert not part[1::2].any()
    assert len(driver.launches) == 4 and driver.launches[0].cycles > 0


def test_a_trap_names_the_line_of_python():
    with pytest.raises(reconverge.TrapError, match="out-of-bounds write") as trap:
        numba.run(beyond, 1, 32, np.zeros(4, np.float32))
    assert "test_numba.py" in str(trap.value)


def test_other_arguments_are_refused():
    with pytest.raises(TypeError, match="cannot be passed"):
        numba.run(total, 1, 32, [1, 2], np.zeros(1))
    with pytest.raises(TypeError, match="decorate it"):
        numba.run(lambda x: x, 1, 32, np.zeros(1))
