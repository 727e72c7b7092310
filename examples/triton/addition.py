"""Vector addition in Triton on a simulated machine, against NumPy: `python examples/triton/addition.py [MACHINE]`."""

import sys

import numpy
import triton
import triton.language as tl

import reconverge.triton


@triton.jit
def add(x_pointer, y_pointer, out_pointer, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = at < n
    x = tl.load(x_pointer + at, mask=mask)
    y = tl.load(y_pointer + at, mask=mask)
    tl.store(out_pointer + at, x + y, mask=mask)


def main(machine="gtx480"):
    random = numpy.random.default_rng(1)
    for n in (100, 1000, 4096):
        x, y = (random.standard_normal(n, numpy.float32) for _ in range(2))
        out = numpy.zeros(n, numpy.float32)
        launch = reconverge.triton.run(add, (triton.cdiv(n, 256),), x, y, out, n, BLOCK=256, machine=machine)
        numpy.testing.assert_array_equal(out, x + y)
        print(f"addition of {n}: {launch.cycles} cycles")


if __name__ == "__main__":
    main(*sys.argv[1:])
