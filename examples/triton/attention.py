"""Fused attention in Triton on a simulated machine, against NumPy: `python examples/triton/attention.py [MACHINE]`.

A program has a tile of queries, and goes over the keys once with a running maximum and sum.
Tiles are multiplied by products and sums. The target is `sm_70`.
"""

import sys

import numpy
import triton
import triton.language as tl

import reconverge.triton


@triton.jit
def attention(q_pointer, k_pointer, v_pointer, out_pointer, length, scale, TILE: tl.constexpr, WIDTH: tl.constexpr):
    rows = tl.program_id(0) * TILE + tl.arange(0, TILE)
    within = tl.arange(0, WIDTH)
    is_query = rows[:, None] < length
    q = tl.load(q_pointer + rows[:, None] * WIDTH + within[None, :], mask=is_query, other=0.0)
    most = tl.full((TILE,), -float("inf"), tl.float32)
    total = tl.zeros((TILE,), tl.float32)
    sums = tl.zeros((TILE, WIDTH), tl.float32)
    for start in range(0, length, TILE):
        keys = start + tl.arange(0, TILE)
        is_key = keys[:, None] < length
        k = tl.load(k_pointer + keys[:, None] * WIDTH + within[None, :], mask=is_key, other=0.0)
        v = tl.load(v_pointer + keys[:, None] * WIDTH + within[None, :], mask=is_key, other=0.0)
        scores = tl.sum(q[:, None, :] * k[None, :, :], axis=2) * scale
        scores = tl.where(keys[None, :] < length, scores, -float("inf"))
        larger = tl.maximum(most, tl.max(scores, axis=1))
        shrunk = tl.exp(most - larger)
        weights = tl.exp(scores - larger[:, None])
        total = total * shrunk + tl.sum(weights, axis=1)
        sums = sums * shrunk[:, None] + tl.sum(weights[:, :, None] * v[None, :, :], axis=1)
        most = larger
    tl.store(out_pointer + rows[:, None] * WIDTH + within[None, :], sums / total[:, None], mask=is_query)


def main(machine="gtx480"):
    random = numpy.random.default_rng(5)
    for length in (16, 24, 40):
        q, k, v = (random.standard_normal((length, 16), numpy.float32) for _ in range(3))
        out = numpy.zeros_like(q)
        launch = reconverge.triton.run(
            attention, (triton.cdiv(length, 16),), q, k, v, out, length, 0.25, TILE=16, WIDTH=16, machine=machine, arch=70
        )
        scores = q.astype(numpy.float64) @ k.T * 0.25
        weights = numpy.exp(scores - scores.max(axis=1, keepdims=True))
        expected = weights / weights.sum(axis=1, keepdims=True) @ v
        numpy.testing.assert_allclose(out, expected, rtol=1e-4, atol=1e-5)
        print(f"attention over {length}: {launch.cycles} cycles")


if __name__ == "__main__":
    main(*sys.argv[1:])
