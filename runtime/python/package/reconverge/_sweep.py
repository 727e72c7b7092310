"""Sweeps: programs under every combination of some settings, each run once and kept."""

from __future__ import annotations

import hashlib
import html
import json
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

from ._native import sweep_left, sweep_points, sweep_study
from ._progress import Progress, shown
from ._stats import Stats, require_pandas

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True)
class Point:
    """One program with its arguments on one machine.

    `settings` is what is varied; `outcome` is `exit` (with `status`), `trap`, `deadlock`, `limit`, `refused` (it does not compile),
    `internal error` or `lost`, and `report` what was wrong; `stats` is of all launches together, `kernels` of each kernel's.
    """

    program: str
    settings: dict[str, str]
    identity: str
    outcome: str
    status: int
    report: str
    stats: Stats
    kernels: dict[str, Stats] = field(repr=False)

    @property
    def is_good(self) -> bool:
        """Whether the program came to its end with status 0."""
        return self.outcome == "exit" and self.status == 0


class Sweep(Sequence[Point]):
    """The points of a sweep, by program, then by settings; `study` is the same as a study file."""

    def __init__(self, points: list[Point], study: str, store: Path, ran: int) -> None:
        self.points = points
        self.study = study
        self.store = store
        self.ran = ran

    @overload
    def __getitem__(self, index: int) -> Point: ...
    @overload
    def __getitem__(self, index: slice) -> list[Point]: ...
    def __getitem__(self, index: int | slice) -> Point | list[Point]:
        return self.points[index]

    def __len__(self) -> int:
        return len(self.points)

    def __iter__(self) -> Iterator[Point]:
        return iter(self.points)

    def frame(self) -> pandas.DataFrame:
        """A frame of pandas: a row for each point, with the program, what is varied, the outcome, and every statistic."""
        require_pandas()
        import pandas

        rows = [
            {"program": point.program, **_numbers(point.settings), "outcome": point.outcome, **point.stats}
            for point in self.points
        ]
        return pandas.DataFrame(rows)

    def __repr__(self) -> str:
        failed = [point for point in self.points if not point.is_good]
        wrong = f", {len(failed)} went wrong" if failed else ""
        return f"<Sweep of {len(self)} points{wrong}; {self.ran} run now, in {str(self.store)!r}>"

    def _repr_html_(self) -> str:
        keys = list(dict.fromkeys(key for point in self.points for key in point.settings))
        head = ["program", *keys, "outcome", "cycles"]
        rows = [
            [point.program, *(point.settings.get(key, "") for key in keys), _outcome(point), str(point.stats.get("cycles", ""))]
            for point in self.points
        ]

        def row(cells: list[str], tag: str) -> str:
            return "<tr>" + "".join(f"<{tag}>{html.escape(cell)}</{tag}>" for cell in cells) + "</tr>"

        return f"<table>{row(head, 'th')}{''.join(row(cells, 'td') for cells in rows)}</table>"


def sweep(
    programs: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
    vary: Mapping[str, Any] | None = None,
    *,
    size: str = "small",
    arguments: Sequence[object] = (),
    inputs: Sequence[str | os.PathLike[str]] = (),
    machine: str | os.PathLike[str] | Mapping[str, Any] | None = None,
    settings: Mapping[str, object] | None = None,
    options: str | Sequence[str] | None = None,
    define: Mapping[str, object] | None = None,
    store: str | os.PathLike[str] = "reconverge-store",
    jobs: int | None = None,
    fresh: bool = False,
    progress: Progress = None,
    **keywords: object,
) -> Sweep:
    """Runs programs under every combination of the settings in `vary`, and keeps what each run measured.

    A program is a workload's name (docs/workloads.md), of which `size` is run (`test`, `small`, `full`, `paper`), a file as a
    `pathlib.Path`, or a text with a `main`; `arguments` are for files and texts, and `inputs` what they may read. `vary` has a list
    of values for each setting, or a text such as `"16K..128K*2"`; settings are keys of `machine()`, `machine`, `arguments`, or options of the
    compiler (`"-O"`, `"-DN"`, `"--max-registers"`). What is not varied is as for `launch` and `compile`.

    Points are those of `reconverge study`, in the same store: what it has is not run again, unless `fresh`. `jobs` worker processes
    (by default one per processor) run the others; machines with mechanisms in Python run in this process. `progress(done, all)` is called after each point; a
    notebook shows a bar, unless `progress` is `False`.
    """
    if jobs is not None and jobs < 1:
        raise ValueError(f"`jobs` is {jobs}, not at least 1")
    folder = Path(store)
    named, own = _programs(programs, arguments, folder)
    study = sweep_study(
        named,
        "full" if own else size,
        [os.fspath(path) for path in inputs],
        dict(vary or {}),
        machine=dict(machine) if isinstance(machine, Mapping) else machine,
        settings=None if settings is None else dict(settings),
        options=options,
        define=None if define is None else dict(define),
        keywords=keywords,
    )
    identities, lacking, has_classes = sweep_left(study, folder)
    to_run = len(identities) if fresh else lacking
    if has_classes:
        # Classes of Python exist in this process only.
        jobs = 1
    report = _Progress(shown(progress), len(identities))
    workers = min(to_run, _processors() if jobs is None else jobs)
    if workers > 1:
        _run_workers(workers, study, folder, fresh, report)
        # What a worker has not done, is done here.
        fresh = False
    found = sweep_points(study, folder, fresh=fresh, done=report)
    return Sweep([_point(*one) for one in found], study, folder, to_run)


class _Progress:
    """Tells of each point once."""

    def __init__(self, tell: Callable[[int, int], object] | None, count: int) -> None:
        self.tell, self.count = tell, count
        self.seen: set[str] = set()

    def __call__(self, identity: str) -> None:
        if identity not in self.seen:
            self.seen.add(identity)
            if self.tell is not None:
                self.tell(len(self.seen), self.count)


def _processors() -> int:
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        return os.cpu_count() or 1


def _run_workers(count: int, study: str, store: Path, fresh: bool, report: _Progress) -> None:
    """Runs what the store lacks; an exception, as at Ctrl-C, ends the workers, and with them their locks."""
    command = [sys.executable, "-m", "reconverge._worker"]
    with ExitStack() as stack:
        workers = []
        for index in range(count):
            worker = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
            stack.callback(_end, worker)
            workers.append(worker)
            # Processes that run everything again would all begin with the same point.
            shard = [index, count] if fresh else None
            job = {"study": study, "store": os.fspath(store), "fresh": fresh, "shard": shard}
            assert worker.stdin is not None
            with worker.stdin:
                json.dump(job, worker.stdin)
        _watch(workers, report)


def _watch(workers: list[subprocess.Popen[str]], report: _Progress) -> None:
    """Tells of the points that workers have done, until all have ended."""
    lines: queue.SimpleQueue[str] = queue.SimpleQueue()

    def read(worker: subprocess.Popen[str]) -> None:
        assert worker.stdout is not None
        for line in worker.stdout:
            lines.put(line.strip())
        lines.put("")

    for worker in workers:
        threading.Thread(target=read, args=(worker,), daemon=True).start()
    running = len(workers)
    while running:
        try:
            # Ctrl-C is heeded between two looks, wherever it cannot end one.
            line = lines.get(timeout=0.2)
        except queue.Empty:
            continue
        if line:
            report(line)
        else:
            running -= 1


def _end(worker: subprocess.Popen[str]) -> None:
    if worker.poll() is None:
        worker.terminate()
    worker.wait()
    if worker.stdout is not None:
        worker.stdout.close()


def _programs(
    programs: str | os.PathLike[str] | Sequence[str | os.PathLike[str]], arguments: Sequence[object], store: Path
) -> tuple[list[tuple[str, str | None, str]], bool]:
    """Programs as (name, file, arguments), and whether they are files."""
    given = [programs] if isinstance(programs, (str, os.PathLike)) else list(programs)
    if not given:
        raise ValueError("there is no program to run")
    if isinstance(arguments, str):
        raise TypeError('`arguments` is a list, such as ["1024", "7"]')
    words = [str(argument) for argument in arguments]
    for word in words:
        if word.split() != [word]:
            raise ValueError(f"the argument {word!r} has blanks, or is empty, which points cannot have")
    found: list[tuple[str, str | None, str]] = []
    for program in given:
        if isinstance(program, os.PathLike):
            path = Path(program)
            if not path.is_file():
                raise FileNotFoundError(f"there is no file `{path}`")
            found.append((path.stem, os.fspath(path), " ".join(words)))
        elif not isinstance(program, str):
            raise TypeError(f"a program is a text or a pathlib.Path, not a `{type(program).__name__}`")
        elif "\n" in program:
            name = f"program{len(found) + 1}" if len(given) > 1 else "program"
            found.append((name, os.fspath(_kept(program, store)), " ".join(words)))
        elif program.endswith(".cu"):
            raise ValueError(f"{program!r} is no workload's name; of a file give pathlib.Path({program!r})")
        else:
            found.append((program, None, ""))
    names = [name for name, _, _ in found]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise ValueError(f"there are two programs `{twice}`")
    files = {file is not None for _, file, _ in found}
    if len(files) > 1:
        raise ValueError("workloads have sizes, files have arguments: make a sweep of each")
    if words and True not in files:
        raise ValueError('workloads have sizes: say `size`, or vary "arguments"')
    return found, True in files


def _kept(text: str, store: Path) -> Path:
    """A file of the store with the text, always by the same name: reports of the points name it."""
    data = text.encode()
    path = store / f"{hashlib.sha256(data).hexdigest()[:16]}.cu"
    if not path.is_file() or path.read_bytes() != data:
        store.mkdir(parents=True, exist_ok=True)
        part = path.with_suffix(f".part-{os.getpid()}")
        part.write_bytes(data)
        part.replace(path)
    return path


def _point(program: str, settings: list[tuple[str, str]], identity: str, outcome: str | None) -> Point:
    if outcome is None:
        return Point(program, dict(settings), identity, "lost", 0, "", Stats({}), {})
    came = json.loads(outcome)
    return Point(
        program=program,
        settings=dict(settings),
        identity=identity,
        outcome=came["outcome"],
        status=came["status"],
        report=came["report"],
        stats=Stats(came["statistics"]),
        kernels={kernel["name"]: Stats(kernel["statistics"]) for kernel in came["kernels"]},
    )


def _outcome(point: Point) -> str:
    return f"exit {point.status}" if point.outcome == "exit" else point.outcome


def _numbers(settings: Mapping[str, str]) -> dict[str, object]:
    """Values of settings, those that are numbers as numbers."""

    def value(text: str) -> object:
        for number in (int, float):
            try:
                return number(text)
            except ValueError:
                pass
        return text

    return {key: value(text) for key, text in settings.items()}
