"""Row softmax in Triton on a simulated machine, against NumPy: `python examples/triton/softmax.py [MACHINE]`."""

import sys

import numpy
import triton
import triton.language as tl

import reconverge.triton


@triton.jit
def softmax(out_pointer, in_pointer, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    mask = at < columns
    x = tl.load(in_pointer + row * columns + at, mask=mask, other=-float("inf"))
    power = tl.exp(x - tl.max(x, axis=0))
    tl.store(out_pointer + row * columns + at, power / tl.sum(power, axis=0), mask=mask)


def main(machine="gtx480"):
    random = numpy.random.default_rng(2)
    for rows, columns in ((4, 33), (8, 128), (16, 200)):
        x = random.standard_normal((rows, columns), numpy.float32)
        out = numpy.zeros_like(x)
        block = triton.next_power_of_2(columns)
        launch = reconverge.triton.run(softmax, (rows,), out, x, columns, BLOCK=block, machine=machine)
        power = numpy.exp(x - x.max(axis=1, keepdims=True))
        expected = power / power.sum(axis=1, keepdims=True)
        numpy.testing.assert_allclose(out, expected, rtol=1e-5, atol=1e-7)
        print(f"softmax of {rows} x {columns}: {launch.cycles} cycles")


if __name__ == "__main__":
    main(*sys.argv[1:])
