"""Matrix product in Triton on a simulated machine, against NumPy: `python examples/triton/matrix_product.py [MACHINE]`.

Tiles are multiplied by products and sums. The target is `sm_70`.
"""

import sys

import numpy
import triton
import triton.language as tl

import reconverge.triton


@triton.jit
def product(a_pointer, b_pointer, c_pointer, m, n, k, TILE: tl.constexpr, STEP: tl.constexpr):
    rows = tl.program_id(0) * TILE + tl.arange(0, TILE)
    columns = tl.program_id(1) * TILE + tl.arange(0, TILE)
    total = tl.zeros((TILE, TILE), tl.float32)
    for start in range(0, k, STEP):
        inner = start + tl.arange(0, STEP)
        a = tl.load(
            a_pointer + rows[:, None] * k + inner[None, :],
            mask=(rows[:, None] < m) & (inner[None, :] < k),
            other=0.0,
        )
        b = tl.load(
            b_pointer + inner[:, None] * n + columns[None, :],
            mask=(inner[:, None] < k) & (columns[None, :] < n),
            other=0.0,
        )
        total += tl.sum(a[:, :, None] * b[None, :, :], axis=1)
    mask = (rows[:, None] < m) & (columns[None, :] < n)
    tl.store(c_pointer + rows[:, None] * n + columns[None, :], total, mask=mask)


def main(machine="gtx480"):
    random = numpy.random.default_rng(4)
    for m, n, k in ((16, 16, 16), (20, 30, 40), (32, 48, 64)):
        a = random.standard_normal((m, k), numpy.float32)
        b = random.standard_normal((k, n), numpy.float32)
        c = numpy.zeros((m, n), numpy.float32)
        grid = (triton.cdiv(m, 16), triton.cdiv(n, 16))
        launch = reconverge.triton.run(product, grid, a, b, c, m, n, k, TILE=16, STEP=8, machine=machine, arch=70)
        numpy.testing.assert_allclose(c, a.astype(numpy.float64) @ b, rtol=1e-4, atol=1e-4)
        print(f"product of {m} x {k} and {k} x {n}: {launch.cycles} cycles")


if __name__ == "__main__":
    main(*sys.argv[1:])
