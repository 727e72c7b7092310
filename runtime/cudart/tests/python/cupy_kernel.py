"""A raw kernel of CuPy on the simulator. CuPy compiles it by NVRTC, which is CUDA's own (`pip install nvidia-cuda-nvrtc-cu12`).

CuPy must load CUDA's runtime as a library. The packages of the package index contain it, and cannot be redirected.
"""

import os

import numpy

# The driver takes PTX, not machine code.
os.environ["CUPY_COMPILE_WITH_PTX"] = "1"

import cupy

axpy = cupy.RawKernel(
    r"""
extern "C" __global__ void axpy(float *y, const float *x, float a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] += a * x[i];
}
""",
    "axpy",
)
x = cupy.asarray(numpy.arange(100, dtype=numpy.float32))
y = cupy.asarray(numpy.ones(100, numpy.float32))
axpy((4,), (32,), (y, x, numpy.float32(2), numpy.int32(100)))
found = y.get()
assert (found == 1 + 2 * numpy.arange(100)).all(), found
print("PASS")
