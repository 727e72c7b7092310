"""A machine with arrays that stay between launches, and launches compared over settings."""

from __future__ import annotations

import html
import itertools
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, overload

import numpy
from numpy.typing import ArrayLike, DTypeLike, NDArray

from ._native import Launch, Module, machine as _machine
from ._progress import Progress, shown
from ._stats import require_pandas

if TYPE_CHECKING:
    import pandas


class DeviceArray:
    """An array of a `Gpu`: kernels of its launches change it, and `numpy()` copies it out. `a[...] = values` writes to it."""

    def __init__(self, gpu: Gpu, values: NDArray[Any]) -> None:
        self._gpu, self._values = gpu, values

    @property
    def shape(self) -> tuple[int, ...]:
        return self._values.shape

    @property
    def dtype(self) -> numpy.dtype[Any]:
        return self._values.dtype

    def __len__(self) -> int:
        return len(self._values)

    def numpy(self) -> NDArray[Any]:
        """A copy of the array."""
        return self._values.copy()

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> NDArray[Any]:
        return numpy.array(self._values, dtype=dtype)

    def __getitem__(self, index: Any) -> Any:
        found = self._values[index]
        return found.copy() if isinstance(found, numpy.ndarray) else found

    def __setitem__(self, index: Any, values: ArrayLike) -> None:
        self._values[index] = values

    def __repr__(self) -> str:
        return f"<DeviceArray {self.dtype}{list(self.shape)} on {self._gpu.machine['name']}>"


class Gpu:
    """A machine with arrays that stay between launches; `machine`, `settings` and keywords are those of `Module.launch`.

    A launch begins with empty caches. An array has an address only during a launch, so a kernel cannot keep pointers in one.
    """

    def __init__(
        self, machine: Any = None, *, settings: Mapping[str, Any] | None = None, **keywords: Any
    ) -> None:
        chosen = dict(machine) if isinstance(machine, Mapping) else machine
        self.machine = _machine(chosen, settings=None if settings is None else dict(settings), **keywords)
        self.launches: list[Launch] = []

    def array(self, values: ArrayLike, dtype: DTypeLike | None = None) -> DeviceArray:
        """An array with these values."""
        return DeviceArray(self, numpy.array(values, dtype=dtype, order="C"))

    def zeros(self, shape: int | tuple[int, ...], dtype: DTypeLike = numpy.float32) -> DeviceArray:
        """An array of zeroes."""
        return DeviceArray(self, numpy.zeros(shape, dtype))

    def launch(
        self, module: Module, kernel: str, grid: Any, block: Any, *arguments: Any, **keywords: Any
    ) -> Launch:
        """Runs a kernel of a module as `Module.launch` does, with arrays of this machine among its arguments."""
        for name in ("machine", "settings"):
            if name in keywords:
                raise TypeError(f"`{name}` belongs to the `Gpu`, not to a launch on it")
        given = [self._own(argument) for argument in arguments]
        launch = module.launch(kernel, grid, block, *given, machine=self.machine, **keywords)
        self.launches.append(launch)
        return launch

    def _own(self, argument: Any) -> Any:
        if not isinstance(argument, DeviceArray):
            return argument
        if argument._gpu is not self:
            raise ValueError(f"{argument!r} is an array of another `Gpu`")
        return argument._values

    def __repr__(self) -> str:
        return f"<Gpu {self.machine['name']}: {len(self.launches)} launches>"


class Comparison(Sequence[Launch]):
    """Launches of one kernel under several settings, in the order of `compare`. `rows` has a dictionary for each."""

    def __init__(self, launches: list[Launch], settings: list[dict[str, Any]]) -> None:
        self.launches, self.settings = launches, settings

    @overload
    def __getitem__(self, index: int) -> Launch: ...
    @overload
    def __getitem__(self, index: slice) -> list[Launch]: ...
    def __getitem__(self, index: int | slice) -> Launch | list[Launch]:
        return self.launches[index]

    def __len__(self) -> int:
        return len(self.launches)

    def __iter__(self) -> Iterator[Launch]:
        return iter(self.launches)

    @property
    def rows(self) -> list[dict[str, Any]]:
        """For each configuration its settings, then every statistic."""
        return [{**settings, **launch.stats} for settings, launch in zip(self.settings, self.launches)]

    def frame(self) -> pandas.DataFrame:
        """A frame of pandas: a row for each configuration, with its settings and every statistic."""
        require_pandas()
        import pandas

        return pandas.DataFrame(self.rows)

    def __repr__(self) -> str:
        shown = [f"{settings}: {launch.cycles} cycles" for settings, launch in zip(self.settings, self.launches)]
        return f"<Comparison of {len(self)} configurations; {'; '.join(shown)}>"

    def _repr_html_(self) -> str:
        keys = list(self.settings[0]) if self.settings else []

        def row(cells: list[object], tag: str) -> str:
            return "<tr>" + "".join(f"<{tag}>{html.escape(str(cell))}</{tag}>" for cell in cells) + "</tr>"

        rows = [[*settings.values(), launch.cycles] for settings, launch in zip(self.settings, self.launches)]
        return f"<table>{row([*keys, 'cycles'], 'th')}{''.join(row(cells, 'td') for cells in rows)}</table>"


def compare(
    module: Module,
    kernel: str,
    grid: Any,
    block: Any,
    *arguments: Any,
    vary: Mapping[str, Sequence[Any]],
    machine: Any = None,
    settings: Mapping[str, Any] | None = None,
    progress: Progress = None,
    **keywords: Any,
) -> Comparison:
    """Launches a kernel under every combination of the settings in `vary`, each time on copies of the arrays.

    `vary` has a list of values for each setting, or for `machine`. Everything else is as for `Module.launch`; `progress(done, all)`
    is called after each launch, and a notebook shows a bar unless `progress` is `False`.
    """
    if not vary:
        raise ValueError("`vary` is empty: give a list of values for a setting, such as {\"l1.size\": [16384, 32768]}")
    for key, values in vary.items():
        if isinstance(values, (str, bytes)) or not isinstance(values, Sequence) or not values:
            raise TypeError(f"`vary[{key!r}]` is a list of values")
    combinations = [dict(zip(vary, values)) for values in itertools.product(*vary.values())]
    tell = shown(progress)
    launches, named = [], []
    for done, chosen in enumerate(combinations, 1):
        varied = {key: value for key, value in chosen.items() if key != "machine"}
        copies: dict[int, Any] = {}
        given = [copies.setdefault(id(it), _copied(it)) for it in arguments]
        launch = module.launch(
            kernel,
            grid,
            block,
            *given,
            machine=chosen.get("machine", machine),
            settings={**(settings or {}), **varied},
            **keywords,
        )
        launches.append(launch)
        named.append({key: _named(key, value, launch) for key, value in chosen.items()})
        if tell is not None:
            tell(done, len(combinations))
    return Comparison(launches, named)


def _copied(argument: Any) -> Any:
    """An array as a copy; other values as they are."""
    if isinstance(argument, DeviceArray):
        return argument.numpy()
    return argument.copy() if isinstance(argument, numpy.ndarray) else argument


def _named(key: str, value: Any, launch: Launch) -> Any:
    """A value of a setting; classes and machines by their names in the machine."""
    if key == "machine":
        return launch.machine["name"]
    if not isinstance(value, type):
        return value
    found: Any = launch.machine
    for part in key.split("."):
        found = found[part]
    return found
