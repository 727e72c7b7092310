"""Kernels of `numba.cuda.jit` on simulated machines, without a GPU.

`run` compiles and launches one kernel; after `activate`, `kernel[grid, block](...)` itself runs on a simulated machine.
It needs the package `numba-cuda` with its compiler (`pip install "numba-cuda[cu12]"`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy

from ._native import Launch, Module

try:
    from numba import cuda
    from numba.core import types
    from numba.np import numpy_support
except ImportError as error:
    raise ImportError('`reconverge.numba` needs the package `numba-cuda`: `pip install "numba-cuda[cu12]"`') from error

# Numba has types for some of its own code only.
_cuda: Any = cuda
_types: Any = types
_as_dtype: Any = numpy_support.as_dtype

__all__ = ["Driver", "activate", "compile", "deactivate", "run"]

_Dispatcher = _cuda.dispatcher.CUDADispatcher
_OPTIONS = ("debug", "fastmath", "opt", "launch_bounds")


def _function(kernel: Any) -> Any:
    if not isinstance(kernel, _Dispatcher):
        raise TypeError(f"`{getattr(kernel, '__name__', kernel)}` is no kernel: decorate it with `@numba.cuda.jit`")
    return kernel


def _contiguous(value: Any) -> Any:
    """A NumPy array in one piece; other values as they are."""
    if isinstance(value, numpy.ndarray) and not (value.flags.c_contiguous or value.flags.f_contiguous):
        return numpy.ascontiguousarray(value)
    return value


def _words(ty: Any, value: Any) -> Iterator[Any]:
    """The parameters of the compiled kernel that an argument becomes."""
    if isinstance(ty, _types.Array):
        # Numba passes a structure: two pointers for memory that it manages, number and size of elements, the data, then
        # the shape, and the strides in bytes.
        yield from (None, None, _bytes(value.size, "int64"), _bytes(value.itemsize, "int64"))
        # A launch copies elements in the order of C; the transpose of an array in the order of Fortran has it.
        data = value if value.flags.c_contiguous else value.T
        yield data if data.size else None
        yield from (_bytes(number, "int64") for number in (*value.shape, *value.strides))
    elif isinstance(ty, _types.BaseTuple):
        for member, part in zip(ty, value):
            yield from _words(member, part)
    elif isinstance(ty, _types.Complex):
        part = "float32" if ty == _types.complex64 else "float64"
        yield from (_bytes(value.real, part), _bytes(value.imag, part))
    else:
        yield _bytes(value, _as_dtype(ty))


def _bytes(value: Any, dtype: Any) -> bytes:
    return numpy.asarray(value, dtype).tobytes()


def _signature(kernel: Any, arguments: Any) -> tuple[Any, ...]:
    """Numba's types of arguments that can be passed."""
    signature = tuple(kernel.typeof_pyval(value) for value in arguments)
    for ty, value in zip(signature, arguments):
        _require(kernel, ty, value)
    return signature


def _require(kernel: Any, ty: Any, value: Any) -> None:
    if isinstance(ty, _types.BaseTuple):
        for member, part in zip(ty, value):
            _require(kernel, member, part)
        return
    is_array = isinstance(ty, _types.Array) and isinstance(value, numpy.ndarray)
    if not is_array and not isinstance(ty, (_types.Number, _types.Boolean)):
        raise TypeError(
            f"`{kernel.py_func.__name__}`: an argument has Numba's type {ty}, which cannot be passed\n"
            "  NumPy arrays, numbers, and tuples of them can"
        )


def compile(kernel: Any, *arguments: Any, arch: int = 75) -> str:
    """The PTX that Numba makes of a kernel for these arguments, with the lines of its source."""
    signature = _signature(_function(kernel), [_contiguous(value) for value in arguments])
    given = kernel.targetoptions
    options = {name: given[name] for name in _OPTIONS if given.get(name) is not None}
    # Numba's debug mode needs its own code without optimisation; `.loc` is wanted in every mode.
    lines = not options.get("debug")
    ptx, _ = _cuda.compile_ptx(
        kernel.py_func, signature, cc=(arch // 10, arch % 10), lineinfo=lines, **options
    )
    return str(ptx)


class Driver:
    """What `kernel[grid, block](...)` runs on after `activate`: a simulated machine."""

    def __init__(self, machine: Any = None, arch: int = 75, options: Any = None, **keywords: Any) -> None:
        self.arch = arch
        self.options = options
        self.keywords = {"machine": machine, **keywords}
        self.launches: list[Launch] = []
        self.modules: dict[Any, Module] = {}

    def launch(self, kernel: Any, grid: Any, block: Any, arguments: tuple[Any, ...], shared: int = 0) -> Launch:
        """Compiles a kernel unless it is there for such arguments, launches it, and returns what was measured."""
        arrays = [_contiguous(value) for value in arguments]
        signature = _signature(_function(kernel), arrays)
        key = (kernel, signature)
        if key not in self.modules:
            ptx = compile(kernel, *arrays, arch=self.arch)
            name = f"{kernel.py_func.__name__}.ptx"
            self.modules[key] = Module.compile(ptx=ptx, options=self.options, name=name)
        module = self.modules[key]
        (entry,) = module.kernels
        words = [word for ty, value in zip(signature, arrays) for word in _words(ty, value)]
        launch = module.launch(entry, grid, block, *words, shared=shared, **self.keywords)
        for given, used in zip(arguments, arrays):
            if given is not used:
                given[...] = used
        self.launches.append(launch)
        return launch


# Numba's own methods, while kernels run on a simulated machine.
_own: dict[str, Any] = {}


def activate(machine: Any = None, *, arch: int = 75, options: Any = None, **keywords: Any) -> Driver:
    """Makes `kernel[grid, block](...)` run on a simulated machine from now on.

    `arch` is the target that Numba compiles for, `options` go to `reconverge.compile`, further keywords to every launch.
    Arguments are NumPy arrays and numbers; `cuda.to_device` needs a GPU. The driver's `launches` has what was measured.
    """
    driver = Driver(machine, arch, options, **keywords)

    def configured(kernel: Any, given: tuple[Any, ...]) -> Callable[..., None]:
        if not 2 <= len(given) <= 4:
            raise ValueError("write `kernel[grid, block]`, with a stream and the bytes of dynamic shared memory after them")
        grid, block, _, shared = (*given, 0, 0)[:4]

        def call(*arguments: Any) -> None:
            driver.launch(kernel, grid, block, arguments, shared)

        return call

    def for_all(kernel: Any, ntasks: int, tpb: int = 0, stream: Any = 0, sharedmem: int = 0) -> Callable[..., None]:
        threads = tpb or 256
        if not ntasks:
            return lambda *arguments: None
        return configured(kernel, (-(-ntasks // threads), threads, stream, sharedmem))

    for name, method in {"__getitem__": configured, "forall": for_all}.items():
        _own.setdefault(name, getattr(_Dispatcher, name))
        setattr(_Dispatcher, name, method)
    return driver


def deactivate() -> None:
    """Gives kernels back to Numba."""
    for name, method in _own.items():
        setattr(_Dispatcher, name, method)
    _own.clear()


def run(
    kernel: Any,
    grid: Any,
    block: Any,
    *arguments: Any,
    machine: Any = None,
    arch: int = 75,
    options: Any = None,
    shared: int = 0,
    launch: dict[str, Any] | None = None,
) -> Launch:
    """Compiles a kernel, launches it on a simulated machine, and returns what was measured.

    Arrays are NumPy's, and are written to; `shared` are bytes of dynamic shared memory; `launch` are keywords of
    `Module.launch`.
    """
    return Driver(machine, arch, options, **(launch or {})).launch(kernel, grid, block, arguments, shared)
