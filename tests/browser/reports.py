"""Report pages in a real browser: `reports.py RECONVERGE FOLDER` makes those of `run`, `compare` and `study`, opens each 1280 and 400 pixels wide,
light and dark, and leaves pictures in the folder. Needs Chromium (on Debian: `apt install chromium`).

Ends with 1 if a page is wider than the window, asks for anything else, or draws something outside of its place; with 0, and loudly, if there
is no Chromium.
"""

import pathlib
import subprocess
import sys
import tempfile

import devtools

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGES = {
    "run": ["run", "examples/bfs.cu", "-q", "--html"],
    "run-large-graph": ["run", "examples/divergence/interpreter.cu", "-q", "--html"],
    "run-stopped": ["run", "examples/course/off_by_one.cu", "-q", "--html"],
    "compare": ["compare", "examples/divergence/interpreter.cu", "--vary", "divergence=simt-stack,dual-path", "-q", "--html"],
    "study": ["study", "dual-path", "--size", "test", "--only", "hotspot", "-q", "--out"],
}
# Ids of what has a size of its own but is drawn with none, or that sticks out of the page where nothing scrolls.
MISPLACED = """[...document.querySelectorAll('svg, table, pre, h1, h2, h3, p, .bar')].filter((it) => {
    const box = it.getBoundingClientRect();
    if (!it.checkVisibility()) return false;
    const scrolls = it.closest('.scroll, .source, pre') !== null;
    return box.width === 0 || box.height === 0 || (!scrolls && box.right > innerWidth + 1);
}).map((it) => it.outerHTML.slice(0, 120))"""


def made(folder, name, words):
    path = folder / name
    command = [sys.argv[1], *words, str(path if name == "study" else path.with_suffix(".html"))]
    subprocess.run(command, cwd=ROOT, check=name != "run-stopped", stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return path / "index.html" if name == "study" else path.with_suffix(".html")


def look(path, name, width, dark, pictures):
    """The number of checks."""
    browser = devtools.Browser(width, 800, dark)
    browser.open(path.as_uri())
    browser.until("document.readyState === 'complete' && location.protocol === 'file:'")
    # All that a click shows is shown.
    for is_open in (False, True):
        if is_open:
            browser.run("document.querySelectorAll('details').forEach((it) => { it.open = true; })")
        found = browser.run(MISPLACED)
        assert not found, f"{name}, {width} pixels: {found}"
        wide, high = browser.run("[document.documentElement.scrollWidth, document.documentElement.scrollHeight]")
        assert wide <= width, f"{name} is {wide} pixels wide, the window {width}"
        shade = f"{width}-{'dark' if dark else 'light'}{'-open' if is_open else ''}"
        browser.picture(pictures / f"{name}-{shade}.png", (0, 0, width, min(high, 12000)))
    asked = [it for it in browser.complaints() if str(path) not in it]
    assert not asked, f"{name}: {asked}"
    browser.close()
    return 5


def main():
    if devtools.find() is None:
        print("SKIPPED: there is no Chromium, so no report was opened in a browser (Debian: `apt install chromium`)")
        return
    pictures = pathlib.Path(sys.argv[2])
    pictures.mkdir(parents=True, exist_ok=True)
    checks = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, words in PAGES.items():
            path = made(pathlib.Path(folder), name, words)
            for width, dark in [(1280, False), (1280, True), (400, False), (400, True)]:
                checks += look(path, name, width, dark, pictures)
            print(f"{name}: good", flush=True)
    print(f"{checks} checks of reports in a browser: no failures")


if __name__ == "__main__":
    main()
