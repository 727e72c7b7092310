"""Kernels of Triton on tensors of PyTorch (`pip install torch triton`) on the simulator, by Triton's own driver.

PyTorch computes on the CPU. The memory of its tensors is pinned memory of CUDA's driver, which kernels access too.
"""

import ctypes

import torch
import triton
import triton.language as tl
from triton.backends.nvidia.driver import CudaDriver
from triton.runtime import driver

cuda = ctypes.CDLL("libcuda.so.1")


def call(name, *arguments):
    """Calls a function of CUDA's driver that must succeed."""
    code = getattr(cuda, name)(*arguments)
    assert code == 0, f"{name}: {code}"


def pinned(values):
    """A tensor in memory that host and device access, with the values of another one."""
    address = ctypes.c_void_p()
    call("cuMemHostAlloc", ctypes.byref(address), ctypes.c_size_t(values.nbytes), ctypes.c_uint(0))
    memory = (ctypes.c_char * values.nbytes).from_address(address.value)
    tensor = torch.frombuffer(memory, dtype=values.dtype).reshape(values.shape)
    return tensor.copy_(values)


def activate():
    """Makes Triton use CUDA's driver. By itself it asks PyTorch, which computes on the CPU."""
    call("cuInit", ctypes.c_uint(0))
    context = ctypes.c_void_p()
    call("cuDevicePrimaryCtxRetain", ctypes.byref(context), ctypes.c_int(0))
    call("cuCtxSetCurrent", context)
    number = ctypes.c_int()
    parts = []
    for attribute in (75, 76):
        call("cuDeviceGetAttribute", ctypes.byref(number), ctypes.c_int(attribute), ctypes.c_int(0))
        parts.append(number.value)
    own = CudaDriver()
    own.get_current_device = lambda: 0
    own.set_current_device = lambda device: None
    own.get_current_stream = lambda device: 0
    own.get_device_capability = lambda device=0: tuple(parts)
    driver.set_active(own)


@triton.jit
def add(x, y, to, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(to + i, tl.load(x + i, mask=i < n) + tl.load(y + i, mask=i < n), mask=i < n)


@triton.jit
def softmax(to, x, columns, BLOCK: tl.constexpr):
    row, i = tl.program_id(0), tl.arange(0, BLOCK)
    values = tl.load(x + row * columns + i, mask=i < columns, other=-float("inf"))
    powers = tl.exp(values - tl.max(values, 0))
    tl.store(to + row * columns + i, powers / tl.sum(powers, 0), mask=i < columns)


activate()
torch.manual_seed(1)
x, y, to = pinned(torch.arange(1000.0)), pinned(torch.ones(1000)), pinned(torch.zeros(1000))
add[(4,)](x, y, to, 1000, BLOCK=256)
assert torch.equal(to, x + y), to
x, to = pinned(torch.randn(5, 60)), pinned(torch.zeros(5, 60))
softmax[(5,)](to, x, 60, BLOCK=64)
assert torch.allclose(to, torch.softmax(x, 1), atol=1e-6), to
try:
    add[(4,)](torch.ones(8), y, to, 8, BLOCK=8)
    assert False, "memory of the host alone was accepted"
except ValueError as error:
    assert "cpu tensor" in str(error), error
print("PASS")
