"""Matrix product by `tl.dot` in Triton on a simulated machine, against NumPy: `python examples/triton/dot.py [MACHINE]`.

For `sm_75` Triton loads tiles by `ldmatrix`, and multiplies and adds by `fma`.
"""

import sys

import numpy
import triton
import triton.language as tl

import reconverge.triton


@triton.jit
def dot(a_pointer, b_pointer, c_pointer, m, n, k, TILE: tl.constexpr, STEP: tl.constexpr):
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
        total = tl.dot(a, b, total)
    mask = (rows[:, None] < m) & (columns[None, :] < n)
    tl.store(c_pointer + rows[:, None] * n + columns[None, :], total, mask=mask)


def main(machine="gtx480"):
    random = numpy.random.default_rng(5)
    for m, n, k in ((16, 16, 16), (20, 30, 40), (32, 48, 64)):
        # Products and sums of small integers are exact.
        a = random.integers(-8, 9, (m, k)).astype(numpy.float16)
        b = random.integers(-8, 9, (k, n)).astype(numpy.float16)
        c = numpy.zeros((m, n), numpy.float32)
        grid = (triton.cdiv(m, 16), triton.cdiv(n, 16))
        launch = reconverge.triton.run(dot, grid, a, b, c, m, n, k, TILE=16, STEP=16, machine=machine)
        numpy.testing.assert_array_equal(c, a.astype(numpy.float32) @ b.astype(numpy.float32))
        print(f"product of {m} x {k} and {k} x {n}: {launch.cycles} cycles")


if __name__ == "__main__":
    main(*sys.argv[1:])
