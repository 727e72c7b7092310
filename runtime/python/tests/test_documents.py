"""What the documents say, the notebooks, and the stubs."""

import contextlib
import doctest
import io
import linecache
import os
import subprocess
import sys

import pytest

import reconverge
from conftest import ROOT

DOCUMENT = ROOT / "docs" / "python.md"


def blocks(text):
    """The fenced blocks of a document: language and text."""
    for part in text.split("\n```")[1::2]:
        kind, _, block = part.partition("\n")
        yield kind, block + "\n"


@pytest.mark.filterwarnings("ignore::reconverge.SpeedWarning")
def test_blocks_do_what_the_document_says(tmp_path, monkeypatch):
    """One after the other; what each prints is the `text` block below it. RECONVERGE_BLESS=1 writes that."""
    monkeypatch.chdir(tmp_path)
    text = DOCUMENT.read_text(encoding="utf-8")
    names, count, found = {}, 0, list(blocks(text))
    for (kind, block), (next_kind, expected) in zip(found, found[1:] + [("", "")]):
        if kind != "python":
            continue
        printed = io.StringIO()
        # As in a notebook, a block is a file of its own, so that classes have a source.
        file = f"<block {count} of python.md>"
        linecache.cache[file] = (len(block), None, block.splitlines(keepends=True), file)
        with contextlib.redirect_stdout(printed):
            exec(compile(block, file, "exec"), names)
        assert next_kind == "text", f"no output is shown of:\n{block}"
        if os.environ.get("RECONVERGE_BLESS") == "1":
            text = text.replace(f"{block}```\n\n```text\n{expected.lstrip()}```", f"{block}```\n\n```text\n{printed.getvalue()}```")
        else:
            assert printed.getvalue() == expected, block
        count += 1
    if os.environ.get("RECONVERGE_BLESS") == "1":
        DOCUMENT.write_text(text, encoding="utf-8")
    assert count > 4


def test_the_example_of_the_package():
    failed, tried = doctest.testmod(reconverge)
    assert (failed, tried > 2) == (0, True)


@pytest.mark.parametrize("path", sorted((ROOT / "examples/notebooks").glob("*.ipynb")), ids=lambda path: path.name)
def test_notebooks_run(path, tmp_path):
    nbformat, nbclient = pytest.importorskip("nbformat"), pytest.importorskip("nbclient")
    packages = ["ipykernel", "pandas", "matplotlib"] + ["triton"] * ("triton" in path.name)
    for package in packages:
        pytest.importorskip(package, reason=f"the notebook needs `pip install {package}`")
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    assert not any(cell.get("outputs") for cell in notebook.cells), "outputs are not kept"
    nbclient.NotebookClient(notebook, timeout=300, resources={"metadata": {"path": tmp_path}}).execute()
    kinds = {kind for cell in notebook.cells for output in cell.get("outputs", []) for kind in output.get("data", {})}
    assert {"image/png", "text/html"} <= kinds


def test_stubs_say_what_there_is():
    pytest.importorskip("mypy")
    # Triton and Numba need not be there.
    types = ["mypy", "--strict", "--ignore-missing-imports", "-p", "reconverge"]
    for command in (["mypy.stubtest", "reconverge._native"], types):
        run = subprocess.run([sys.executable, "-m", *command], capture_output=True, text=True)
        assert run.returncode == 0, run.stdout + run.stderr
