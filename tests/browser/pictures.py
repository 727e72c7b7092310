"""The pictures of docs/pictures.md: `pictures.py RECONVERGE` makes them again in docs/pictures, from runs of examples. Needs Chromium (on
Debian: `apt install chromium`). They are read before they are committed, as golden files are.
"""

import pathlib
import re
import subprocess
import sys
import tempfile
import time

import devtools

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDER = ROOT / "docs/pictures"
# Pixels of a page, and of the explorer, whose head then has one row.
WIDTH, EXPLORER = 1000, 1280


def reconverge(*words):
    subprocess.run([sys.argv[1], *words], cwd=ROOT, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def until(browser, script):
    # An element is not a value.
    browser.until(f"!!({script})")


def section(browser, first, after):
    """The part of the page from one element to another, both named by expressions."""
    top, bottom = (browser.run(f"{it}.getBoundingClientRect().top + scrollY") for it in (first, after))
    return 0, top - 12, WIDTH, bottom - top


def heading(name):
    return f"document.getElementById('{name}')"


def drawings(page):
    """The drawings of a page that are the same outside of it."""
    return re.findall(r'<svg(?! class="graph").*?</svg>', page, re.DOTALL)


def of_a_report(folder):
    """A run with several launches, as a page: what is wrong, the lines, one of them open, and the control flow."""
    page = folder / "bfs.html"
    reconverge("run", "examples/bfs.cu", "-q", "--html", str(page))
    time_line, occupancy = drawings(page.read_text(encoding="utf-8"))
    (FOLDER / "over-time.svg").write_text(time_line + "\n", encoding="utf-8")
    (FOLDER / "occupancy.svg").write_text(occupancy + "\n", encoding="utf-8")
    browser = devtools.Browser(WIDTH, 800)
    browser.open(page.as_uri())
    until(browser, "document.readyState === 'complete' && document.querySelector('#graphs')")
    browser.picture(FOLDER / "report.png", section(browser, "document.querySelector('h1')", heading("source")))
    browser.run("[...document.querySelectorAll('details.line')].find((it) => it.textContent.includes('level[neighbour] < 0')).open = true")
    browser.picture(FOLDER / "source-lines.png", section(browser, heading("source"), heading("time-line")))
    browser.picture(FOLDER / "control-flow.png", section(browser, heading("graphs"), heading("occupancy")))
    browser.close()


def of_a_comparison(folder):
    """Two schemes by kernel and line."""
    page = folder / "compare.html"
    reconverge("compare", "examples/divergence/interpreter.cu", "--vary", "divergence=simt-stack,dual-path,capri",
               "-q", "--html", str(page))
    browser = devtools.Browser(WIDTH, 800)
    browser.open(page.as_uri())
    until(browser, "document.readyState === 'complete' && document.querySelector('table.lines')")
    top = browser.run("document.querySelectorAll('h2')[2].getBoundingClientRect().top + scrollY")
    browser.picture(FOLDER / "compare.png", (0, top - 12, WIDTH, 720))
    browser.close()


def choose(browser, element, value):
    browser.run(f"(() => {{ const it = document.getElementById('{element}'); it.value = '{value}'; "
                "it.dispatchEvent(new Event('change')); })()")


def click(browser, name):
    browser.click(f"document.getElementById('{name}')")


def of_the_explorer():
    server = subprocess.Popen([sys.argv[1], "serve", "examples/divergence/interpreter.cu", "--no-open"], cwd=ROOT,
                              stdout=subprocess.PIPE, text=True)
    try:
        browser = devtools.Browser(EXPLORER, 720)
        browser.open(server.stdout.readline().strip())
        until(browser, "document.querySelectorAll('.row-line').length > 20")
        browser.picture(FOLDER / "explorer.png")
        click(browser, "layer")
        until(browser, "document.querySelector('.mark-D')")
        browser.click("document.querySelector('.mark-divergent')")
        until(browser, "document.querySelector('.pane-why pre')?.textContent.includes('note[N0001]')")
        browser.picture(FOLDER / "analysis.png")
        click(browser, "layer")
        click(browser, "first-ir")
        until(browser, "document.querySelector('.pane-ir .listing')")
        click(browser, "first-body-before")
        until(browser, "document.querySelector('.row-line.added, .row-line.removed')")
        browser.picture(FOLDER / "passes.png")
        click(browser, "first-steps")
        choose(browser, "first-body-step-scheme-1", "dual-path")
        browser.click("document.querySelector('#first-body form button')")
        until(browser, "document.querySelectorAll('.step-column h3').length === 2")
        browser.run("document.querySelector('.steps').focus()")
        for _ in range(7):
            browser.press("d")
        until(browser, "document.querySelectorAll('.entries li').length > 2")
        # What follows a key is drawn by then.
        time.sleep(0.5)
        browser.picture(FOLDER / "steps.png")
        browser.close()
    finally:
        server.terminate()
        server.wait()


def main():
    if devtools.find() is None:
        sys.exit("there is no Chromium (Debian: `apt install chromium`)")
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        of_a_report(pathlib.Path(folder))
        of_a_comparison(pathlib.Path(folder))
    of_the_explorer()
    for path in sorted(FOLDER.iterdir()):
        print(f"{path.relative_to(ROOT)}: {path.stat().st_size} bytes")


if __name__ == "__main__":
    main()
