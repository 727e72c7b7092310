"""Triton kernels on simulated machines, without a GPU.

`run` compiles and launches one kernel; after `activate`, `kernel[grid](...)` itself runs on a simulated machine, and
`triton.autotune` chooses by simulated cycles. It needs the package `triton` (`pip install triton`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy

from ._native import Launch, Module
from ._native import machine as described

try:
    import triton as _triton
    from triton.backends.compiler import GPUTarget
    from triton.runtime.cache import get_cache_manager
    from triton.runtime.driver import driver as _active
except ImportError as error:
    raise ImportError("`reconverge.triton` needs the package `triton`: `pip install triton`") from error

__all__ = ["Array", "Driver", "activate", "array", "compile", "deactivate", "run"]

_WARP = 32


class Array:
    """A NumPy array as Triton takes a tensor. Launches write to the array."""

    def __init__(self, data: Any) -> None:
        self.data = data
        self.dtype = getattr(data, "dtype", None)
        self.shape = getattr(data, "shape", ())

    def data_ptr(self) -> int:
        # Buffers of device memory are aligned to more than any specialisation looks at.
        return 0

    def stride(self, axis: int | None = None) -> Any:
        """Elements from one index to the next, of one axis or of all."""
        strides = tuple(stride // self.data.itemsize for stride in self.data.strides)
        return strides if axis is None else strides[axis]

    def numel(self) -> int:
        return int(self.data.size)

    def element_size(self) -> int:
        return int(self.data.itemsize)

    # The autotuner resets and restores arguments by these.
    def zero_(self) -> Array:
        self.data[...] = 0
        return self

    def clone(self) -> Array:
        return Array(self.data.copy())

    def copy_(self, other: Array) -> Array:
        self.data[...] = other.data
        return self


def array(data: Any) -> Array:
    """Wraps a NumPy array for `kernel[grid](...)`."""
    return data if isinstance(data, Array) else Array(data)


def _wrapped(value: Any) -> Any:
    return Array(value) if isinstance(value, numpy.ndarray) else value


def _file(metadata: Any, ending: str) -> str:
    """A text that Triton's compiler left in its cache."""
    group = get_cache_manager(metadata.hash).get_group(f"{metadata.name[:150]}.json") or {}
    for name, path in group.items():
        if name.endswith(ending):
            return Path(path).read_text()
    raise RuntimeError(f"Triton's cache has no {ending} of `{metadata.name}`")


class _Launcher:
    """Triton calls it to launch a compiled kernel."""

    def __init__(self, source: Any, metadata: Any) -> None:
        self.metadata = metadata
        self.types = list(source.signature.values())
        self.module: Module | None = None

    def __call__(self, x: int, y: int, z: int, stream: Any, function: Any, packed: Any, *rest: Any) -> None:
        metadata = self.metadata
        # What comes between: metadata of the launch, and the hooks before and after it.
        arguments = rest[-len(self.types) :] if self.types else ()
        if any(isinstance(value, tuple) for value in arguments):
            raise TypeError(f"`{metadata.name}`: tuples and tensor descriptors as arguments are not supported")
        driver = _active.active
        if self.module is None:
            self.module = Module.compile(ptx=_file(metadata, ".ptx"), options=driver.options, name=f"{metadata.name}.ptx")
        values = [
            value.data if isinstance(value, Array) else value
            for value, ty in zip(arguments, self.types)
            if ty != "constexpr"
        ]
        # Scratch memory of the kernel's own, then of Triton's profiler.
        blocks = x * y * z * metadata.num_ctas
        scratch = [metadata.global_scratch_size, metadata.profile_scratch_size]
        values += [numpy.zeros(size * blocks, numpy.uint8) if size else None for size in scratch]
        block = _WARP * metadata.num_warps
        launch = self.module.launch(
            metadata.name, (x, y, z), block, *values, shared=metadata.shared, **driver.keywords
        )
        driver.launches.append(launch)


class _Utils:
    def __init__(self, driver: Driver) -> None:
        self.driver = driver

    def get_device_properties(self, device: int) -> dict[str, Any]:
        machine = self.driver.machine
        shared = machine["sm"]["shared-memory"]
        return {
            "max_shared_mem": shared,
            "multiprocessor_count": machine["sms"],
            "max_num_regs": machine["sm"]["registers"],
            "warpSize": _WARP,
            "sm_clock_rate": int(machine["clock-mhz"] * 1000),
            "mem_clock_rate": 0,
            "mem_bus_width": 0,
        }

    def load_binary(self, name: str, kernel: bytes, shared: int, device: int) -> tuple[Any, ...]:
        return None, None, 0, 0, self.driver.machine["sm"]["warps"] * _WARP

    def unload_module(self, module: Any) -> None:
        """Nothing was loaded."""


class Driver:
    """A driver of Triton whose device is a simulated machine."""

    launcher_cls = _Launcher

    def __init__(self, machine: Any = None, arch: int = 75, options: Any = None, **keywords: Any) -> None:
        self.machine = described(machine)
        self.arch = arch
        self.options = options
        self.keywords = {"machine": machine, **keywords}
        self.launches: list[Launch] = []
        self.utils = _Utils(self)

    @staticmethod
    def is_active() -> bool:
        return True

    def get_current_device(self) -> int:
        return 0

    def set_current_device(self, device: int) -> None:
        """There is one device."""

    def get_current_stream(self, device: int) -> int:
        return 0

    def get_device_capability(self, device: int = 0) -> tuple[int, int]:
        return self.arch // 10, self.arch % 10

    def get_current_target(self) -> GPUTarget:
        return GPUTarget("cuda", self.arch, _WARP)

    def get_active_torch_device(self) -> Any:
        import torch

        return torch.device("cpu")

    def map_python_to_cpp_type(self, ty: str) -> str:
        return ty

    def get_benchmarker(self) -> Callable[..., Any]:
        """Measures a call by the simulated time of its launches."""

        def benchmark(call: Callable[[], Any], quantiles: Sequence[float] | None = None, **_: Any) -> Any:
            before = len(self.launches)
            call()
            cycles = sum(launch.cycles or 0 for launch in self.launches[before:])
            milliseconds = cycles / (self.machine["clock-mhz"] * 1e3)
            return [milliseconds for _ in quantiles] if quantiles else milliseconds

        return benchmark


def activate(machine: Any = None, *, arch: int = 75, options: Any = None, **keywords: Any) -> Driver:
    """Makes `kernel[grid](...)` run on a simulated machine from now on.

    `arch` is the target that Triton compiles for, `options` go to `reconverge.compile`, further keywords to every launch.
    The driver's `launches` has what was measured.
    """
    driver = Driver(machine, arch, options, **keywords)
    _active.set_active(driver)
    return driver


def deactivate() -> None:
    """Gives kernels back to the driver that Triton chooses itself."""
    _active._active = None


@contextmanager
def _activated(driver: Driver) -> Iterator[Driver]:
    before = _active._active
    _active.set_active(driver)
    try:
        yield driver
    finally:
        _active._active = before


def run(
    kernel: Any,
    grid: Any,
    *arguments: Any,
    machine: Any = None,
    arch: int = 75,
    options: Any = None,
    launch: dict[str, Any] | None = None,
    **constexprs: Any,
) -> Launch:
    """Compiles a `@triton.jit` function, launches it on a simulated machine, and returns what was measured.

    NumPy arrays are pointers. `constexprs` are the kernel's constants and Triton's options such as `num_warps`; `launch` are
    keywords of `Module.launch`. Of an autotuned kernel every configuration runs, and the fastest one's launch is the result.
    """
    with _activated(Driver(machine, arch, options, **(launch or {}))) as driver:
        grid = (grid,) if isinstance(grid, int) else grid
        kernel[grid](*map(_wrapped, arguments), **{name: _wrapped(value) for name, value in constexprs.items()})
        return driver.launches[-1]


def compile(kernel: Any, *arguments: Any, arch: int = 75, **constexprs: Any) -> str:
    """The PTX that Triton makes of a kernel for these arguments."""
    with _activated(Driver(arch=arch)):
        compiled = kernel.warmup(*map(_wrapped, arguments), grid=(1,), **constexprs)
        return str(compiled.asm["ptx"])
