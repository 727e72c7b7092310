#!/usr/bin/env python3
"""A preprocessor of mdBook (book.toml): chapters may be anywhere in the repository, and links among them hold.

docs/SUMMARY.md names files by their place, `../spec/machine.md`. In the book all are below one folder: docs/page.md is page.html,
spec/machine.md is spec/machine.html. A link to a file that is no part of the book, such as a source, becomes its text. The pages of
programs that a study has written go below the study.
"""

import json
import pathlib
import posixpath
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
# A link or an image; its text may have brackets of its own.
LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\[\]]*\])*)\]\(([^()\s]+)\)")
CODE = re.compile(r"(```.*?```|`[^`\n]*`)", re.DOTALL)


def in_book(path):
    """Where a file of the repository is in the book."""
    return path.removeprefix("docs/")


def relinked(text, own, chapters):
    """A text of the file `own` with links as they are in the book."""
    folder, here = posixpath.dirname(own), posixpath.dirname(in_book(own))

    def link(found):
        image, shown, target = found.groups()
        path, mark, anchor = target.partition("#")
        if "://" in target or not path:
            return found.group()
        path = posixpath.normpath(posixpath.join(folder, path))
        is_asset = path.startswith("docs/") and not path.endswith(".md") and (ROOT / path).is_file()
        if path not in chapters and not is_asset:
            return shown
        return f"{image}[{shown}]({posixpath.relpath(in_book(path), here or '.')}{mark}{anchor})"

    # A text may hold code, which is shown as it is; links are not looked for in it.
    kept = []

    def keep(found):
        kept.append(found.group())
        return f"\0{len(kept) - 1}\0"

    text = LINK.sub(link, CODE.sub(keep, text))
    return re.sub("\0(\\d+)\0", lambda found: kept[int(found.group(1))], text)


def chapters_of(items):
    for item in items:
        if isinstance(item, dict) and "Chapter" in item:
            yield item["Chapter"]
            yield from chapters_of(item["Chapter"]["sub_items"])


def programs_of(chapter, own):
    """The pages of programs beside a study, as chapters."""
    pages = sorted((ROOT / own).parent.glob("programs/*.md"))
    for number, page in enumerate(pages, start=1):
        path = page.relative_to(ROOT).as_posix()
        yield {"Chapter": {
            "name": page.stem, "content": page.read_text(encoding="utf-8"), "number": [*chapter["number"], number], "sub_items": [],
            "path": path, "source_path": path, "parent_names": [*chapter["parent_names"], chapter["name"]],
        }}


def main():
    if sys.argv[1:2] == ["supports"]:
        sys.exit(0)
    sys.stdin.reconfigure(encoding="utf-8")
    sys.stdout.reconfigure(encoding="utf-8")
    _, book = json.load(sys.stdin)
    items = book.get("items", book.get("sections"))
    for chapter in list(chapters_of(items)):
        chapter["path"] = posixpath.normpath(posixpath.join("docs", chapter["path"]))
        if chapter["path"].endswith("/study.md"):
            chapter["sub_items"] += programs_of(chapter, chapter["path"])
    every = list(chapters_of(items))
    paths = {chapter["path"] for chapter in every}
    for chapter in every:
        own = chapter["path"]
        chapter["content"] = relinked(chapter["content"], own, paths)
        chapter["path"] = in_book(own)
    json.dump(book, sys.stdout)


if __name__ == "__main__":
    main()
