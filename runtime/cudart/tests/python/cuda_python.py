"""The bindings of CUDA's driver (`pip install cuda-bindings numpy`) on the simulator."""

import ctypes

import numpy
from cuda.bindings import driver

PTX = b"""
.version 6.3
.target sm_75
.address_size 64
.visible .entry axpy(.param .u64 y, .param .u64 x, .param .f32 a, .param .u32 n)
{
    .reg .pred %p<2>;
    .reg .b32 %r<4>;
    .reg .f32 %f<4>;
    .reg .b64 %rd<5>;
    ld.param.u64 %rd1, [y];
    ld.param.u64 %rd2, [x];
    ld.param.f32 %f1, [a];
    ld.param.u32 %r1, [n];
    mov.u32 %r2, %ctaid.x;
    mov.u32 %r3, %ntid.x;
    mul.lo.u32 %r2, %r2, %r3;
    mov.u32 %r3, %tid.x;
    add.u32 %r2, %r2, %r3;
    setp.ge.u32 %p1, %r2, %r1;
    @%p1 ret;
    mul.wide.u32 %rd3, %r2, 4;
    add.u64 %rd1, %rd1, %rd3;
    add.u64 %rd2, %rd2, %rd3;
    ld.global.f32 %f2, [%rd1];
    ld.global.f32 %f3, [%rd2];
    fma.rn.f32 %f2, %f1, %f3, %f2;
    st.global.f32 [%rd1], %f2;
    ret;
}
\0"""


def value(result):
    """The value of a call that must succeed."""
    assert result[0] == driver.CUresult.CUDA_SUCCESS, result
    return result[1] if len(result) == 2 else None


value(driver.cuInit(0))
device = value(driver.cuDeviceGet(0))
value(driver.cuCtxSetCurrent(value(driver.cuDevicePrimaryCtxRetain(device))))
module = value(driver.cuModuleLoadData(PTX))
kernel = value(driver.cuModuleGetFunction(module, b"axpy"))
x, y = numpy.arange(100, dtype=numpy.float32), numpy.ones(100, numpy.float32)
there = [value(driver.cuMemAlloc(array.nbytes)) for array in (y, x)]
for address, array in zip(there, (y, x)):
    value(driver.cuMemcpyHtoD(address, array.ctypes.data, array.nbytes))
arguments = ((*there, 2.0, 100), (None, None, ctypes.c_float, ctypes.c_uint))
value(driver.cuLaunchKernel(kernel, 4, 1, 1, 32, 1, 1, 0, 0, arguments, 0))
value(driver.cuCtxSynchronize())
value(driver.cuMemcpyDtoH(y.ctypes.data, there[0], y.nbytes))
assert (y == 1 + 2 * x).all(), y
print("PASS")
