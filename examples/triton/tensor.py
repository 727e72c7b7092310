"""Matrix products by tensor cores in Triton on a simulated machine, against NumPy: `python examples/triton/tensor.py [MACHINE]`.

For `sm_80` Triton loads tiles by `ldmatrix` and multiplies them by `mma`: halves, singles as tf32, and bytes.
With one stage it copies tiles by way of registers, with more by asynchronous copies.
"""

import sys

import numpy
import triton
import triton.language as tl

import reconverge.triton


@triton.jit
def dot(a_pointer, b_pointer, c_pointer, m, n, k, TILE: tl.constexpr, STEP: tl.constexpr, SUM: tl.constexpr):
    rows = tl.program_id(0) * TILE + tl.arange(0, TILE)
    columns = tl.program_id(1) * TILE + tl.arange(0, TILE)
    total = tl.zeros((TILE, TILE), SUM)
    for start in range(0, k, STEP):
        inner = start + tl.arange(0, STEP)
        a = tl.load(
            a_pointer + rows[:, None] * k + inner[None, :],
            mask=(rows[:, None] < m) & (inner[None, :] < k),
            other=0,
        )
        b = tl.load(
            b_pointer + inner[:, None] * n + columns[None, :],
            mask=(inner[:, None] < k) & (columns[None, :] < n),
            other=0,
        )
        total = tl.dot(a, b, total, out_dtype=SUM)
    mask = (rows[:, None] < m) & (columns[None, :] < n)
    tl.store(c_pointer + rows[:, None] * n + columns[None, :], total, mask=mask)


def main(machine="a100"):
    random = numpy.random.default_rng(5)
    for of, to, total in (
        (numpy.float16, numpy.float32, tl.float32),
        (numpy.float32, numpy.float32, tl.float32),
        (numpy.int8, numpy.int32, tl.int32),
    ):
        for m, n, k, stages in ((32, 32, 32, 1), (40, 70, 96, 2), (64, 64, 128, 1), (64, 64, 128, 3), (64, 96, 192, 4)):
            # Products and sums of small integers are exact.
            a = random.integers(-8, 9, (m, k)).astype(of)
            b = random.integers(-8, 9, (k, n)).astype(of)
            c = numpy.zeros((m, n), to)
            grid = (triton.cdiv(m, 32), triton.cdiv(n, 32))
            launch = reconverge.triton.run(
                dot, grid, a, b, c, m, n, k, TILE=32, STEP=32, SUM=total, num_stages=stages, machine=machine, arch=80
            )
            numpy.testing.assert_array_equal(c, a.astype(to) @ b.astype(to))
            print(f"{of.__name__} product of {m} x {k} and {k} x {n} in {stages} stages: {launch.cycles} cycles")


if __name__ == "__main__":
    main(*sys.argv[1:])
