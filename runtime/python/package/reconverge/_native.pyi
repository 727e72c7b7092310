"""The extension module: what needs the compiler or the simulator."""

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, final

import numpy
from numpy.typing import NDArray

from ._errors import Diagnostic
from ._mechanisms import Mechanism
from ._report import Report
from ._stats import Finding, Stats

__all__ = [
    "IssuedInstruction",
    "Launch",
    "LineAccess",
    "LoadOfWarp",
    "machine",
    "machines",
    "statistics",
    "Module",
    "NextInstruction",
    "Requester",
    "View",
    "sweep_left",
    "sweep_points",
    "sweep_study",
    "__version__",
]
__version__: str

_Path = str | os.PathLike[str]
_Extent = int | Sequence[int]
_Machine = str | os.PathLike[str] | dict[str, Any]
_Setting = str | int | float | bool | type[Mechanism]
_Argument = (
    NDArray[Any] | numpy.generic | int | float | bool | bytes | Sequence[int] | Sequence[float] | None
)
_Check = Literal["all", "races", "init", "barriers", "lanes", "bounds", "leaks", "lane-stores"]

@final
class Module:
    @staticmethod
    def compile(
        source: str | os.PathLike[str] | None = None,
        *,
        ptx: str | os.PathLike[str] | None = None,
        ir: str | os.PathLike[str] | None = None,
        options: str | Sequence[str] | None = None,
        define: dict[str, object] | None = None,
        include: _Path | Sequence[_Path] | None = None,
        instantiate: str | Sequence[str] | None = None,
        name: str = "<source>",
    ) -> Module: ...
    @property
    def kernels(self) -> dict[str, str]: ...
    @property
    def warnings(self) -> list[Diagnostic]: ...
    @property
    def name(self) -> str: ...
    def launch(
        self,
        kernel: str,
        grid: _Extent,
        block: _Extent,
        *arguments: _Argument,
        machine: _Machine | None = None,
        settings: dict[str, _Setting] | None = None,
        shared: int | None = None,
        symbols: dict[str, NDArray[Any]] | None = None,
        model: Literal["timing", "functional", "reference"] = "timing",
        max_cycles: int | None = None,
        check: _Check | Sequence[_Check] | None = None,
        threads: int | None = None,
        profile: bool = True,
        verify_annotations: bool = False,
        **keywords: _Setting,
    ) -> Launch: ...

@final
class Launch:
    @property
    def kernel(self) -> str: ...
    @property
    def grid(self) -> tuple[int, int, int]: ...
    @property
    def block(self) -> tuple[int, int, int]: ...
    @property
    def machine(self) -> dict[str, Any]: ...
    @property
    def model(self) -> str: ...
    @property
    def cycles(self) -> int | None: ...
    @property
    def stats(self) -> Stats: ...
    @property
    def output(self) -> str: ...
    @property
    def checks(self) -> list[Diagnostic]: ...
    @property
    def mechanisms(self) -> list[Mechanism]: ...
    @property
    def memory(self) -> str | None: ...
    @property
    def findings(self) -> list[Finding]: ...
    def html(self) -> str: ...
    def report(self) -> Report: ...
    def _repr_html_(self) -> str: ...

@final
class View:
    @property
    def now(self) -> int: ...
    @property
    def ages(self) -> list[int]: ...
    def oldest(self, among: Iterable[int]) -> int | None: ...
    def youngest(self, among: Iterable[int]) -> int | None: ...
    def next(self, candidate: int) -> NextInstruction | None: ...
    def stall(self, candidate: int) -> str: ...

@final
class NextInstruction:
    @property
    def pc(self) -> int: ...
    @property
    def unit(self) -> str: ...
    @property
    def effect(self) -> str: ...
    @property
    def active(self) -> int: ...
    @property
    def accesses_cache(self) -> bool: ...
    @property
    def hints(self) -> dict[str, int | str]: ...

@final
class IssuedInstruction:
    @property
    def pc(self) -> int: ...
    @property
    def hints(self) -> dict[str, int | str]: ...

@final
class Requester:
    @property
    def sm(self) -> int: ...
    @property
    def warp(self) -> int | None: ...
    @property
    def token(self) -> str: ...
    @property
    def pc(self) -> int: ...
    @property
    def hints(self) -> dict[str, int | str]: ...
    @property
    def lines(self) -> int: ...

@final
class LineAccess:
    @property
    def line(self) -> int: ...
    @property
    def set(self) -> int: ...
    @property
    def requester(self) -> Requester: ...

@final
class LoadOfWarp:
    @property
    def pc(self) -> int: ...
    @property
    def hardware(self) -> int: ...
    @property
    def warp(self) -> int: ...

def machine(
    name: _Machine | None = None,
    /,
    *,
    settings: dict[str, _Setting] | None = None,
    **keywords: _Setting,
) -> dict[str, Any]: ...
def machines() -> dict[str, str]: ...
def statistics() -> dict[str, tuple[str, str]]: ...
def sweep_study(
    programs: list[tuple[str, str | None, str]],
    size: str,
    inputs: list[str],
    vary: dict[str, Any],
    *,
    machine: str | os.PathLike[str] | dict[str, Any] | None = None,
    settings: dict[str, object] | None = None,
    options: str | Sequence[str] | None = None,
    define: dict[str, object] | None = None,
    keywords: dict[str, object] | None = None,
) -> str: ...
def sweep_left(study: str, store: Path) -> tuple[list[str], int, bool]: ...
def sweep_points(
    study: str,
    store: Path,
    *,
    fresh: bool = False,
    shard: tuple[int, int] | None = None,
    done: Callable[[str], object] | None = None,
) -> list[tuple[str, list[tuple[str, str]], str, str | None]]: ...
