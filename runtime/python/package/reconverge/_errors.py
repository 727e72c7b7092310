"""What goes wrong: exceptions, with what the command line says of it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Iterable

if TYPE_CHECKING:
    from ._native import Launch
    from ._stats import Stats


@dataclass(frozen=True)
class Label:
    """A place in a source, and what it has to do with a diagnostic. Lines and columns count from 1."""

    primary: bool
    file: str
    line: int
    column: int
    end_line: int
    end_column: int
    text: str


@dataclass(frozen=True)
class Diagnostic:
    """What the compiler, a check or a stopped kernel says. `str` of it is the text with the source's lines."""

    code: str
    severity: str
    message: str
    labels: tuple[Label, ...]
    notes: tuple[str, ...]
    helps: tuple[str, ...]
    text: str

    def __str__(self) -> str:
        return self.text

    @property
    def file(self) -> str:
        """The file that it is about."""
        return self.labels[0].file

    @property
    def line(self) -> int:
        """The line that it is about, from 1."""
        return self.labels[0].line


def diagnostics(found: Iterable[tuple[str, str]]) -> list[Diagnostic]:
    """Of messages in the form of `--message-format json`, each with its text."""
    return [_diagnostic(json.loads(message), text.rstrip()) for message, text in found]


def _diagnostic(message: dict[str, Any], text: str) -> Diagnostic:
    names = ("primary", "file", "line", "column", "end_line", "end_column", "text")
    return Diagnostic(
        code=message["code"],
        severity=message["severity"],
        message=message["message"],
        labels=tuple(Label(*(label[name] for name in names)) for label in message["labels"]),
        notes=tuple(message["notes"]),
        helps=tuple(message["helps"]),
        text=text,
    )


class CompilerWarning(UserWarning):
    """The compiler warns of something; `Module.warnings` has the diagnostics."""


class SpeedWarning(UserWarning):
    """A launch is slow, because mechanisms of its machine are classes of Python."""


class Error(Exception):
    """What a program does wrong."""

    diagnostics: list[Diagnostic]

    def __init__(self, *, text: str, diagnostics: list[Diagnostic] | None = None) -> None:
        super().__init__(text.rstrip())
        self.diagnostics = diagnostics or []

    def __str__(self) -> str:
        # A message of several lines starts below the exception's name, so that its columns are right.
        text: str = self.args[0]
        return "\n" + text if "\n" in text else text

    def __reduce__(self) -> tuple[Any, ...]:
        # To another process; a launch stays in its own.
        return _restored, (type(self), self.args, {**self.__dict__, "launch": None})


def _restored(kind: type[Error], arguments: tuple[object, ...], state: dict[str, object]) -> Error:
    error = kind.__new__(kind, *arguments)
    error.args = arguments
    error.__dict__.update(state)
    return error


class CompileError(Error):
    """A program does not compile: `diagnostics` says why."""


class KernelError(Error):
    """A kernel was stopped. Arrays are as they were before the launch.

    `code` and `message` say how; `kernel`, `block`, `thread`, `file` and `line` where, as far as it is known; `output` is what
    the kernel had printed, `launch` what was measured until then, if it had started on a simulated machine.
    """

    def __init__(
        self,
        *,
        text: str,
        diagnostics: list[Diagnostic] | None = None,
        code: str = "",
        message: str = "",
        kernel: str | None = None,
        block: tuple[int, int, int] | None = None,
        thread: tuple[int, int, int] | None = None,
        file: str | None = None,
        line: int | None = None,
        output: str = "",
        launch: Launch | None = None,
    ) -> None:
        super().__init__(text=text, diagnostics=diagnostics)
        self.code = code
        self.message = message
        self.kernel = kernel
        self.block = block
        self.thread = thread
        self.file = file
        self.line = line
        self.output = output
        self.launch = launch

    @property
    def stats(self) -> Stats | None:
        """What was counted until then."""
        return None if self.launch is None else self.launch.stats


class TrapError(KernelError):
    """A kernel did something that has no meaning, such as an access out of bounds."""


class DeadlockError(KernelError):
    """Threads wait for each other without end."""


class LimitError(KernelError):
    """A kernel took more than `max_cycles`."""


class InternalError(KernelError):
    """The compiler contradicts itself: a fault of Reconverge's, please report it."""


# What tracebacks say, and what users write.
for _class in (CompilerWarning, SpeedWarning, Error, CompileError, KernelError, TrapError, DeadlockError, LimitError, InternalError):
    _class.__module__ = "reconverge"
