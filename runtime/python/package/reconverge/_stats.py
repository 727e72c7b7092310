"""What is measured: statistics with their units, and findings."""

from __future__ import annotations

import html
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import TYPE_CHECKING

from ._native import statistics

if TYPE_CHECKING:
    import pandas


DECLARED = statistics()


class Stats(Mapping[str, "int | float"]):
    """Statistics by name: counters are whole numbers, ratios are not. `unit` and `about` say what they are."""

    def __init__(self, values: Mapping[str, int | float]) -> None:
        self._values = dict(values)

    def __getitem__(self, name: str) -> int | float:
        try:
            return self._values[name]
        except KeyError:
            raise KeyError(self._unknown(name)) from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def unit(self, name: str) -> str:
        """What a statistic counts: `cycles`, `instructions`, `bytes`."""
        return self._declared(name)[0]

    def about(self, name: str) -> str:
        """What a statistic is, in a sentence."""
        return self._declared(name)[1]

    def frame(self) -> pandas.DataFrame:
        """A frame of pandas: a row for each statistic, with `value`, `unit` and `about`."""
        require_pandas()
        import pandas

        rows = [(value, self.unit(name), self.about(name)) for name, value in self.items()]
        index = pandas.Index(list(self), name="statistic")
        # Whole numbers stay whole.
        return pandas.DataFrame(rows, index=index, columns=["value", "unit", "about"], dtype=object)

    def _declared(self, name: str) -> tuple[str, str]:
        try:
            return DECLARED[name]
        except KeyError:
            raise KeyError(self._unknown(name)) from None

    def _unknown(self, name: object) -> str:
        if not self._values:
            return f"there is no statistic `{name}`: nothing was measured"
        if name in DECLARED:
            return f"`{name}` has no value: nothing happened of which it is a share, or `energy` is `none`"
        near = get_close_matches(str(name), DECLARED, 1)
        hint = f"; did you mean `{near[0]}`?" if near else "; `statistics()` has all"
        return f"there is no statistic `{name}`{hint}"

    def __repr__(self) -> str:
        shown = [f"{name}={self._values[name]}" for name in ("cycles", "warp_instructions") if name in self._values]
        return f"<Stats: {', '.join([*shown, f'{len(self)} in all'])}>"

    def __str__(self) -> str:
        return "\n".join(f"{name:40} {_number(value):>16} {self.unit(name)}" for name, value in self.items())

    def _repr_html_(self) -> str:
        rows = "".join(
            f'<tr title="{html.escape(self.about(name))}"><td style="text-align: left">{name}</td>'
            f'<td>{_number(value)}</td><td style="text-align: left">{html.escape(self.unit(name))}</td></tr>'
            for name, value in self.items()
            if value
        )
        return f"<table>{rows}</table><p>Statistics that are 0 are left out.</p>"


def _number(value: int | float) -> str:
    if isinstance(value, int):
        return f"{value:,}".replace(",", " ")
    # Energies are small parts of a joule.
    return f"{value:.4f}" if value == 0 or abs(value) >= 0.001 else f"{value:.4g}"


def require_pandas() -> None:
    """Says how to get it where it is not."""
    try:
        import pandas  # noqa: F401
    except ImportError:
        raise ImportError("a frame needs pandas: pip install pandas") from None


@dataclass(frozen=True)
class Finding:
    """Something that costs a kernel time (docs/findings.md): `share` of `of`, at `line` of `file` (0 if it is about no line)."""

    rule: str
    kernel: str
    file: str
    line: int
    source: str
    message: str
    share: float
    of: str
    advice: str
    cycles: float
    #: The measured gain without the cause (`--what-if` of the command line); `None` if it was not measured.
    gain: dict[str, object] | None = None

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}" if self.line else f"`{self.kernel}`"
        return f"{place}: {self.message} ({100 * self.share:.1f} % of {self.of}). Try: {self.advice}."


def findings(text: str) -> list[Finding]:
    """Of findings as JSON."""
    return [Finding(**found, **cost) for found, cost in ((found, found.pop("cost")) for found in json.loads(text))]
