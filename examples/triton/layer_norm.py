"""Layer normalisation in Triton on a simulated machine, against NumPy: `python examples/triton/layer_norm.py [MACHINE]`."""

import sys

import numpy
import triton
import triton.language as tl

import reconverge.triton


@triton.jit
def layer_norm(out_pointer, in_pointer, weight_pointer, bias_pointer, columns, epsilon, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    mask = at < columns
    x = tl.load(in_pointer + row * columns + at, mask=mask, other=0.0)
    mean = tl.sum(x, axis=0) / columns
    centred = tl.where(mask, x - mean, 0.0)
    variance = tl.sum(centred * centred, axis=0) / columns
    scaled = centred / tl.sqrt(variance + epsilon)
    weight = tl.load(weight_pointer + at, mask=mask)
    bias = tl.load(bias_pointer + at, mask=mask)
    tl.store(out_pointer + row * columns + at, scaled * weight + bias, mask=mask)


def main(machine="gtx480"):
    random = numpy.random.default_rng(3)
    for rows, columns in ((4, 50), (8, 128), (16, 200)):
        x = random.standard_normal((rows, columns), numpy.float32)
        weight, bias = (random.standard_normal(columns, numpy.float32) for _ in range(2))
        out = numpy.zeros_like(x)
        block = triton.next_power_of_2(columns)
        launch = reconverge.triton.run(
            layer_norm, (rows,), out, x, weight, bias, columns, 1e-5, BLOCK=block, machine=machine
        )
        centred = x - x.mean(axis=1, keepdims=True)
        variance = (centred**2).mean(axis=1, keepdims=True)
        expected = centred / numpy.sqrt(variance + 1e-5) * weight + bias
        numpy.testing.assert_allclose(out, expected, rtol=1e-4, atol=1e-5)
        print(f"layer norm of {rows} x {columns}: {launch.cycles} cycles")


if __name__ == "__main__":
    main(*sys.argv[1:])
