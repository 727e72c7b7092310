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
    SpeedWarning,
    TrapError,
)
from ._gpu import Comparison, DeviceArray, Gpu, compare
from ._mechanisms import Allocation, Mechanism, Prefetcher, Replacement, Scheduler
from ._native import (
    IssuedInstruction,
    Launch,
    LineAccess,
    LoadOfWarp,
    Module,
    NextInstruction,
    Requester,
    View,
    __version__,
    machine,
    machines,
    statistics,
)
from ._report import Report
from ._stats import Finding, Stats
from ._sweep import Point, Sweep, sweep

compile = Module.compile

__all__ = [
    "Allocation",
    "Comparison",
    "CompileError",
    "CompilerWarning",
    "DeadlockError",
    "DeviceArray",
    "Diagnostic",
    "Error",
    "Finding",
    "Gpu",
    "InternalError",
    "IssuedInstruction",
    "KernelError",
    "Label",
    "Launch",
    "LimitError",
    "LineAccess",
    "LoadOfWarp",
    "Mechanism",
    "Module",
    "NextInstruction",
    "Point",
    "Prefetcher",
    "Replacement",
    "Report",
    "Requester",
    "Scheduler",
    "SpeedWarning",
    "Stats",
    "Sweep",
    "TrapError",
    "View",
    "__version__",
    "compare",
    "compile",
    "machine",
    "machines",
    "statistics",
    "sweep",
]
