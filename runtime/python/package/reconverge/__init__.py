"""Compile CUDA kernels and run them on a cycle-level GPU.

    >>> import numpy, reconverge
    >>> module = reconverge.compile('''
    ...     __global__ void twice(int *x) { x[threadIdx.x] *= 2; }''')
    >>> x = numpy.arange(4, dtype=numpy.int32)
    >>> launch = module.launch("twice", 1, 4, x)
    >>> x
    array([0, 2, 4, 6], dtype=int32)

`docs/python.md` describes all of it.
"""

from ._errors import (
    CompileError,
    CompilerWarning,
    DeadlockError,
    Diagnostic,
    Error,
    InternalError,
    KernelError,
    Label,
    LimitError,
    TrapError,
)
from ._native import Launch, Module, __version__, machine, machines, statistics
from ._report import Report
from ._stats import Finding, Stats
from ._sweep import Point, Sweep, sweep

compile = Module.compile

__all__ = [
    "CompileError",
    "CompilerWarning",
    "DeadlockError",
    "Diagnostic",
    "Error",
    "Finding",
    "InternalError",
    "KernelError",
    "Label",
    "Launch",
    "LimitError",
    "Module",
    "Point",
    "Report",
    "Stats",
    "Sweep",
    "TrapError",
    "__version__",
    "compile",
    "machine",
    "machines",
    "statistics",
    "sweep",
]
