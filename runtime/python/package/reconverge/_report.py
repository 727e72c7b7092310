"""The page of a launch."""

from __future__ import annotations

import html
import os


class Report:
    """The page that `--html` writes, in `html`; a notebook shows it."""

    def __init__(self, html: str) -> None:
        self.html = html

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the page into a file."""
        with open(path, "w", encoding="utf-8", newline="\n") as file:
            file.write(self.html)

    def __repr__(self) -> str:
        return f"<Report of {len(self.html)} bytes: a notebook shows it, `save(path)` writes it>"

    def _repr_html_(self) -> str:
        # A frame of its own: the page is whole, and its style is for nothing else.
        page = html.escape(self.html)
        return f'<iframe srcdoc="{page}" style="width: 100%; height: 40em; border: 1px solid #8888"></iframe>'
