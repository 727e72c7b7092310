"""Progress: a bar in a notebook, unless the caller has a function for it."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, Literal

Progress = Callable[[int, int], object] | Literal[False] | None


def shown(progress: Progress) -> Callable[[int, int], object] | None:
    """The function to call with the numbers of done and of all: the given one, or a bar in a notebook; `None` for neither."""
    if progress is False:
        return None
    return progress if progress is not None else _bar()


def _bar() -> Callable[[int, int], object] | None:
    shell = sys.modules.get("IPython")
    running = shell.get_ipython() if shell is not None else None
    # A terminal has no kernel; its user sees the results soon enough.
    if running is None or not hasattr(running, "kernel"):
        return None
    from importlib import import_module

    display: Any = import_module("IPython.display")
    handle: Any = None

    def show(done: int, count: int) -> None:
        nonlocal handle
        page = display.HTML(f'<progress value="{done}" max="{count}"></progress> {done} of {count}')
        if handle is None:
            handle = display.display(page, display_id=True)
        else:
            handle.update(page)

    return show
