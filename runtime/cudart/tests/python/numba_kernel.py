"""A kernel of Numba (`pip install "numba-cuda[cu13]"`) on the simulator, with memory that Numba manages.

Numba links by nvJitLink where that is installed, which makes machine code; `pip uninstall nvidia-nvjitlink` has it load PTX.
"""

import numpy
from numba import cuda


@cuda.jit
def axpy(y, x, a):
    i = cuda.grid(1)
    if i < y.size:
        y[i] += a * x[i]


x, y = numpy.arange(100, dtype=numpy.float32), numpy.ones(100, numpy.float32)
there = cuda.to_device(y)
axpy[4, 32](there, cuda.to_device(x), numpy.float32(2))
found = there.copy_to_host()
assert (found == 1 + 2 * x).all(), found
print("PASS")
