"""Mechanisms written in Python: base classes, whose subclasses are values of settings, as in `scheduler=MyScheduler`.

The methods are those of the Rust traits with the same names (`simulator/src/mechanisms/*/slot.rs`). Class attributes are
options, which `using` changes.
"""

from __future__ import annotations

import ast
import hashlib
import inspect
import itertools
import linecache
import re
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

if TYPE_CHECKING:
    from ._native import IssuedInstruction, LineAccess, LoadOfWarp, Requester, View

_Class = TypeVar("_Class", bound="type[Mechanism]")

# Attributes that an object gets before `__init__`.
_PLACE = ("sm", "machine", "shared", "scheduler", "sets", "ways", "level")


class Mechanism:
    """A part of a machine. A launch makes an object for each place, and sets these attributes before `__init__`.

    `sm` is the SM from 0, `None` for parts of the L2; `machine` the machine with all settings; `shared` a dictionary that the
    objects of a class on one SM share.
    """

    sm: int | None
    machine: dict[str, Any]
    shared: dict[Any, Any]

    @classmethod
    def using(cls: _Class, **options: object) -> _Class:
        """The class with other values of its attributes: `scheduler=MyScheduler.using(period=3)`."""
        for name in options:
            if not hasattr(cls, name) or callable(getattr(cls, name)) or name in _PLACE or name.startswith("_"):
                raise TypeError(f"`{cls.__name__}` has no class attribute `{name}` to change")
        return type(cls.__name__, (cls,), {"__module__": cls.__module__, **options})  # type: ignore[return-value]


class Scheduler(Mechanism):
    """Slot `scheduler`: which ready path issues next. A candidate is a path of a warp, by an index from 0 at its scheduler.

    `scheduler` is the index of the scheduler on its SM. With `looks_ahead = False` the view has neither instructions nor
    stalls, and `pick` is faster. `replay_queue` is the number of stalled memory instructions that the load/store unit may hold.

    A scheduler receives the events for which its class has a method: `on_issued(candidate, instruction)`,
    `on_left(candidate, reason)`, `on_reached_switch_point(candidate)`, `on_collected(candidate)`, `on_executing(candidate)`,
    `on_warp_started(candidate)`, `on_affine_warp_started(candidate)`, `on_warp_ended(candidate)`, `on_choosing(accesses)`,
    `on_evicted(candidate, line)`, `on_missed(candidate, line, now)`, `on_misses_pending(used, all)`, `on_cache_shared(lines)`,
    `on_in_loop(candidate, place)`, `on_compared(candidate, pc, hints, value)`,
    `on_branched_backward(candidate, pc, hints, now)`.
    """

    scheduler: int
    looks_ahead: ClassVar[bool] = True
    replay_queue: ClassVar[int] = 0

    def pick(self, ready: list[int], view: View) -> int | None:
        """One of the `ready` candidates, or `None` if none is to issue in this cycle."""
        raise NotImplementedError

    def owner(self) -> Sequence[int] | None:
        """The candidate whose warp's replayed loads may miss: `None` for all warps, `()` for none, otherwise one candidate."""
        return None

    def pool(self) -> Iterable[int] | None:
        """The candidates in the active pool, for a scheduler that has one: it picks no others."""
        return None


class Replacement(Mechanism):
    """Slot `replacement`: which line of a cache set is evicted. `sets` and `ways` are the shape of the cache."""

    sets: int
    ways: int

    def touch(self, access: LineAccess, way: int) -> None:
        """An access found its line in a way of its set, or filled or wrote more of it."""

    def place(self, access: LineAccess, way: int) -> None:
        """A way was given to the line of an access."""

    def place_last(self, access: LineAccess, way: int) -> None:
        """A way was given to a line that is to be evicted before all others of the set. By default like `place`."""
        self.place(access, way)

    def victim(self, access: LineAccess, offered: list[int]) -> int:
        """The way to evict for an access, one of `offered`."""
        raise NotImplementedError


class Prefetcher(Mechanism):
    """Slot `prefetcher`: which lines are requested before a load needs them, into a buffer of `lines` lines beside the L1.

    `degree` lines are requested, the first `distance` steps ahead. With `throttle`, unused lines reduce later prefetches.
    """

    lines: ClassVar[int] = 128
    distance: ClassVar[int] = 1
    degree: ClassVar[int] = 1
    throttle: ClassVar[bool] = True

    def step(self, load: LoadOfWarp, address: int, line: int) -> int | None:
        """The step in bytes from this load of a warp to its next one, if it is known: `address` is that of the first lane,
        and `line` the bytes of a line of the L1."""
        raise NotImplementedError


class Allocation(Mechanism):
    """Slot `allocation`: which lines a data cache holds. `level` is 1 or 2; `sets` and `ways` are the shape of the cache.

    `passes_reads` says that `passes` is to be called, `limits_warps` that `warp_limit` is; `request_buffer` is the size of a
    buffer in which requests wait in the order of warps; `sampling` is (choices, cycles of a sample, cycles of a period).

    It receives the events for which its class has a method: `on_line_hit(access, way)`, `on_line_missed(access)`,
    `on_line_placed(access, way)`, `on_line_dropped(set, way)`, `on_choice_made(choice)`, and at an L1
    `on_warp_arrived(warp, scheduler, age, registers, now)`, `on_threads_ended(warp, now)`, `on_warp_released(warp, registers, now)`.
    """

    level: int
    sets: int
    ways: int
    passes_reads: ClassVar[bool] = False
    limits_warps: ClassVar[bool] = False
    request_buffer: ClassVar[int | None] = None
    sampling: ClassVar[tuple[int, int, int] | None] = None

    def allocates(self, access: LineAccess, has_way: bool) -> bool:
        """True if the line of a miss takes a way when it arrives; otherwise it bypasses the cache."""
        raise NotImplementedError

    def victims(self, access: LineAccess, ways: list[int]) -> Iterable[int]:
        """The ways that a line may evict, some of `ways`."""
        return ways

    def takes_over(self, by: Requester, first: Requester) -> bool:
        """True if a read that merges with a miss takes over its line, which then takes a way."""
        return False

    def passes(self, by: Requester) -> bool:
        """True if a read bypasses the L2 without a lookup."""
        return False

    def evicted_first(self, access: LineAccess) -> bool:
        """True if a line is inserted where the slot `replacement` evicts next."""
        return False

    def onward(self, by: Requester) -> str:
        """The token, `none`, `first` or `second`, that a request carries from an L2 to memory."""
        return by.token

    def token(self, warp: int) -> str:
        """The token of a hardware warp's accesses at an L1."""
        return "none"

    def warp_limit(self) -> int | None:
        """The number of warps that each scheduler of the SM runs now, at least 1; `None` for all."""
        return None


# Base class and required method of each slot.
SLOTS: dict[str, tuple[type[Mechanism], str]] = {
    "scheduler": (Scheduler, "pick"),
    "replacement": (Replacement, "victim"),
    "prefetcher": (Prefetcher, "step"),
    "allocation": (Allocation, "allocates"),
}

_BASES = (Mechanism, object, *(base for base, _ in SLOTS.values()))
_count = itertools.count(1)


def named(given: Any, key: str) -> tuple[str, str, bool] | None:
    """For a value of a setting that is a mechanism's class: its name in machine files, its slot, and whether it has a source.

    The name holds a digest of the class's source, so that results are never those of other code.
    """
    if isinstance(given, Mechanism):
        name = type(given).__name__
        raise TypeError(f"`{key}` takes the class `{name}`, not an object of it; `{name}.using(...)` changes attributes")
    if not isinstance(given, type) or not issubclass(given, Mechanism):
        return None
    slot = key.rpartition(".")[2]
    if slot not in SLOTS:
        raise TypeError(f"`{key}` takes no class of Python; these slots do: {', '.join(SLOTS)}")
    base, method = SLOTS[slot]
    if not issubclass(given, base):
        raise TypeError(f"`{key}` takes a class of `reconverge.{base.__name__}`, which `{given.__name__}` is not")
    if getattr(given, method) is getattr(base, method):
        raise TypeError(f"`{given.__name__}` has no method `{method}`")
    slug = "-".join(re.findall(r"[a-z0-9]+", re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "-", given.__name__).lower()))
    slug = slug if slug[:1].isalpha() else f"class-{slug}".rstrip("-")
    sources = [_source(part) for part in given.__mro__ if part not in _BASES]
    if None in sources:
        number = given.__dict__.get("_reconverge_number")
        if number is None:
            number = next(_count)
            setattr(given, "_reconverge_number", number)
        return f"{slug}-number-{number}", slot, False
    text = "\0".join(source for source in sources if source is not None)
    return f"{slug}-{hashlib.sha256(text.encode()).hexdigest()[:16]}", slot, True


def _source(part: type) -> str | None:
    """The source of a class; of one with nothing but plain attributes these. `None` if Python has none."""
    own = {name: value for name, value in vars(part).items() if not _is_python(name)}
    functions = [function for function in map(_function, own.values()) if function is not None]
    if not functions:
        if all(_is_plain(value) for value in own.values()):
            return f"{part.__name__} {sorted(own.items())!r}"
        try:
            return inspect.getsource(part)
        except (OSError, TypeError):
            return None
    for function in functions:
        lines = linecache.getlines(function.__code__.co_filename)
        node = _class_with(function.__code__, part.__name__, lines)
        if node is None:
            continue
        first = min([node.lineno, *(it.lineno for it in node.decorator_list)])
        try:
            others = [inspect.getsource(it) for it in functions if not _has(node, it.__code__)]
        except (OSError, TypeError):
            return None
        # Attributes that were set after the class was made are part of it, and so are methods from elsewhere.
        plain = sorted((name, value) for name, value in own.items() if _is_plain(value))
        return "".join(lines[first - 1 : node.end_lineno]) + "".join(others) + repr(plain)
    return None


def _class_with(code: Any, name: str, lines: list[str]) -> ast.ClassDef | None:
    """The class of a name that has a method with some code, in the lines of the file."""
    try:
        tree = ast.parse("".join(lines))
    except (SyntaxError, ValueError):
        return None
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef) and node.name == name and _has(node, code):
            return node
    return None


def _is_python(name: str) -> bool:
    return name.startswith("__") and name.endswith("__") and name not in ("__init__", "__new__", "__call__")


def _function(value: object) -> Callable[..., Any] | None:
    """The function of a method, if it is one of Python's."""
    for name in ("__func__", "fget", "func"):
        value = getattr(value, name, value)
    return value if inspect.isfunction(value) else None


def _is_plain(value: object) -> bool:
    if isinstance(value, tuple):
        return all(map(_is_plain, value))
    return value is None or isinstance(value, (int, float, str, bytes))


def _has(node: ast.ClassDef, code: Any) -> bool:
    """Returns true if a class has a method with some code."""
    for part in ast.walk(node):
        if isinstance(part, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            lines = [part.lineno, *(it.lineno for it in getattr(part, "decorator_list", []))]
            if min(lines) == code.co_firstlineno and getattr(part, "name", "<lambda>") == code.co_name:
                return True
    return False
