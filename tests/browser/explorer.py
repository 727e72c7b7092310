"""The explorer in a real browser: `explorer.py RECONVERGE FOLDER` serves a program, goes through the page, with the mouse and with the
keyboard alone, 1280 and 400 pixels wide, light and dark, and leaves pictures in the folder. Needs Chromium (on Debian: `apt install chromium`).

Ends with 1 if something is not as it has to be; with 0, and loudly, if there is no Chromium.
"""

import pathlib
import subprocess
import sys
import time

import devtools

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = ROOT / "examples/divergence/interpreter.cu"
checks = 0


def check(is_good, what):
    global checks
    checks += 1
    if not is_good:
        raise AssertionError(what)


def by_id(name):
    return f"document.getElementById('{name}')"


class Page:
    """The page in a browser of some width."""

    def __init__(self, url, folder, name, width, dark):
        self.browser = devtools.Browser(width, 800, dark)
        self.folder, self.name, self.width, self.count = folder, name, width, 0
        self.browser.open(url)
        self.until("document.querySelectorAll('.row-line').length > 20", "the assembly is shown")

    def until(self, script, what):
        try:
            self.browser.until(f"!!({script})")
        except TimeoutError as error:
            self.picture("failure")
            raise AssertionError(f"{what}: {error}") from error
        check(True, what)

    def is_true(self, script, what):
        check(self.browser.run(f"!!({script})"), f"{what}: {script}")

    def picture(self, name):
        self.count += 1
        self.browser.picture(self.folder / f"{self.name}-{self.count:02}-{name}.png")

    def text(self, script):
        return self.browser.run(f"{script}.textContent")

    def close(self):
        complaints = self.browser.complaints()
        check(not complaints, f"the browser complains: {complaints}")
        wide = self.browser.run("document.documentElement.scrollWidth")
        check(wide <= self.width, f"the page is {wide} pixels wide, the window {self.width}")
        self.browser.close()


def focused(page):
    """What has the focus, by its id or what it is."""
    return page.browser.run("(() => { const it = document.activeElement; return it.id || it.className || it.tagName; })()")


def tab_to(page, wanted, keys="Tab", most=60):
    """Presses Tab until something has the focus."""
    for _ in range(most):
        page.browser.press(keys)
        if page.browser.run(f"!!(document.activeElement.matches({wanted!r}))"):
            return
    raise AssertionError(f"Tab does not come to {wanted}; the focus is on {focused(page)}")


def with_the_mouse(page):
    """Every pane, the layer, two panes, a run, and steps."""
    browser = page.browser
    page.picture("assembly")
    for name, shown in [("ir", ".pane-ir .listing"), ("graph", ".pane-graph svg"), ("tree", ".pane-tree .listing"),
                        ("checked", ".pane-checked pre")]:
        browser.click(by_id(f"first-{name}"))
        page.until(f"document.querySelector('#first-body{shown}, #first {shown}')", f"the pane {name} has something to show")
        page.picture(name)
    browser.click(by_id("first-ir"))
    browser.click("document.querySelector('#first-body-before')")
    page.until("document.querySelector('.row-line.added, .row-line.removed')", "a pass has differences")
    page.picture("differences")
    browser.click(by_id("layer"))
    page.until("document.querySelector('.mark-D')", "the analyses are over the source")
    browser.click("document.querySelector('.mark-divergent')")
    page.until("document.querySelector('.pane-why pre')?.textContent.includes('note[N0001]')", "a click on a word says why")
    page.picture("why")
    browser.click(by_id("layer"))
    browser.click(by_id("split"))
    page.is_true(f"!{by_id('second')}.hidden", "there are two panes")
    browser.click(by_id("run"))
    page.until("document.querySelector('.pane-output pre')", "the run has output")
    page.is_true("document.querySelector('.pane-output').textContent.includes('PASS')", "the program has run")
    page.picture("run")
    browser.click(by_id("second-report"))
    page.until("document.querySelector('iframe')?.srcdoc.includes('Findings')", "the report is shown")
    # Whether it is drawn cannot be asked: it may run nothing.
    time.sleep(1)
    page.picture("report")
    browser.click(by_id("split"))
    for second in ["dual-path", "block-compaction"]:
        browser.click(by_id("first-steps"))
        browser.run(f"(() => {{ const it = {by_id('first-body-step-scheme-1')}; it.value = '{second}'; "
                    "it.dispatchEvent(new Event('change')); })()")
        browser.click("document.querySelector('#first-body form button')")
        page.until(f"[...document.querySelectorAll('.step-column h3')].map((it) => it.textContent).join() === 'simt-stack,{second}'",
                   f"steps under two schemes, {second} the second")
        page.until("document.activeElement.matches('.steps')", "the keys belong to the steps after they are recorded")
        for _ in range(7):
            browser.press("d")
        page.is_true("document.querySelectorAll('.entries li').length > 2", "the stack has entries")
        page.picture(f"steps-{second}")
    before = page.text(by_id("first-body-place"))
    browser.press("ArrowRight")
    check(page.text(by_id("first-body-place")) != before, "an arrow key steps forwards")
    browser.press("ArrowLeft")
    check(page.text(by_id("first-body-place")) == before, "and backwards")


def with_the_keyboard(page):
    """The same with no mouse: focus is always somewhere, and comes everywhere."""
    browser = page.browser
    seen = []
    for _ in range(9):
        browser.press("Tab")
        seen.append(focused(page))
    expected = ["skip", "example", "options", "kernel", "layer", "split", "run", "keys", "cm-content"]
    check([name.split(" ")[0] for name in seen] == expected, f"the order of the focus is {seen}")
    page.picture("focus")
    browser.press("Tab")
    check("cm-content" not in focused(page), "Tab leaves the editor")
    browser.press("Alt+e")
    check("cm-content" in focused(page), "Alt+E goes to the editor")
    # Below the head of the file, where a name alone is wrong.
    for _ in range(8):
        browser.press("ArrowDown")
    browser.write("wrong ")
    page.until("document.querySelector('#diagnostics li.error')", "an error is shown as one types")
    page.until("document.querySelector('.cm-lintRange-error')", "at its place in the editor too")
    page.picture("error")
    browser.press("Ctrl+z")
    page.until("!document.querySelector('#diagnostics li')", "and is gone when the text is as before")
    browser.press("Ctrl+Enter")
    page.until("document.querySelector('.pane-output')?.textContent.includes('PASS')", "Ctrl+Enter runs")
    tab_to(page, "#first [role=tab]")
    browser.press("Home")
    check(focused(page) == "first-assembly", "Home goes to the first tab")
    browser.press("Tab")
    for _ in range(12):
        browser.press("ArrowDown")
    page.is_true("document.querySelector('.row-line[aria-selected=true]')", "arrow keys choose a line")
    page.until("document.querySelector('.cm-line.here')", "and the source shows where it comes from")
    page.picture("line")
    browser.press("Enter")
    check("cm-content" in focused(page), "Enter goes to the line in the editor")
    tab_to(page, "#first [role=tab]")
    browser.press("End")
    check(focused(page) == "first-steps", "End goes to the last tab")
    tab_to(page, "#first-body form button")
    browser.press("Enter")
    page.until("document.querySelector('.step-column')", "steps are recorded")
    page.until("document.activeElement.matches('.steps')", "the keys belong to the steps")
    for key in ["End", "Home", "ArrowRight", "ArrowRight", "d"]:
        browser.press(key)
    page.is_true("document.querySelector('.step-column .lanes')", "lanes are drawn")
    page.picture("steps")
    browser.press("Alt+p")
    check(focused(page).startswith("first-body"), f"Alt+P goes to the pane, not to {focused(page)}")
    tab_to(page, "#keys", "Shift+Tab")
    browser.press("Enter")
    page.is_true(f"{by_id('help')}.open", "the keys are shown")
    page.picture("keys")
    browser.press("Escape")
    page.is_true(f"!{by_id('help')}.open", "Escape closes them")


TRAP = """__global__ void store(int *a) { a[threadIdx.x] = 1; }
int main() {
    int *a;
    cudaMalloc(&a, 4);
    store<<<1, 32>>>(a);
    return cudaDeviceSynchronize();
}
"""
SEEN = """((it, box) => { const [a, b] = [it.getBoundingClientRect(), box.getBoundingClientRect()];
    return a.top >= b.top - 1 && a.bottom <= b.bottom + 1; })"""


def with_edits(page):
    """What is typed outlives a reload, the status says how it stands, a stop is marked, and what is clicked is seen."""
    browser = page.browser
    state = by_id("state")
    page.until(f"{state}.textContent === 'Compiled.'", "the program compiles")
    # The rows of the listing and the lines of the editor show each other.
    browser.click("[...document.querySelectorAll('.row-line.c0, .row-line.c5')].at(-1)")
    page.until("document.querySelector('.cm-line.here')", "a clicked row is shown in the editor")
    page.is_true(f"{SEEN}(document.querySelector('.cm-line.here'), document.querySelector('.cm-scroller'))", "and is in sight")
    browser.run("document.querySelector('.listing').scrollTop = 0")
    browser.click("document.querySelector('.cm-line.here')")
    page.until("document.querySelector('.row-line.here')", "a clicked line is shown in the listing")
    page.until(f"{SEEN}(document.querySelector('.row-line.here'), document.querySelector('.listing'))", "and is in sight")
    page.picture("here")
    browser.press("Alt+e")
    browser.press("Ctrl+Home")
    browser.write("int edited;\n")
    page.until(f"!{by_id('revert')}.disabled", "an edited program can be reverted")
    browser.open(browser.run("location.href"))
    page.until("document.querySelector('.cm-line')?.textContent === 'int edited;'", "an edit outlives a reload")
    page.until(f"{state}.textContent === 'Compiled.'", "and compiles")
    browser.press("Alt+e")
    browser.press("Ctrl+Home")
    browser.write("#error wrong\n")
    page.until(f"{state}.textContent.startsWith('Not compiled: 1 error')", "the status says that it does not compile")
    page.picture("broken")
    browser.click(by_id("revert"))
    page.until("document.querySelector('.cm-line').textContent !== '#error wrong'", "Revert takes back what was edited")
    page.until(f"{state}.textContent === 'Compiled.'", "so it compiles")
    browser.press("Alt+e")
    browser.press("Ctrl+a")
    browser.write(TRAP)
    page.until(f"document.querySelectorAll('.cm-line').length < 10 && {state}.textContent === 'Compiled.'", "another program is there")
    browser.press("Ctrl+Enter")
    page.until("document.querySelector('.cm-lintRange-error')", "the place of a trap is marked in the editor")
    page.is_true("document.querySelector('#diagnostics li.error').textContent.includes('R0005')", "and the trap is told below")
    page.is_true(f"{state}.textContent === 'Stopped.'", "the status says that it was stopped")
    page.picture("trap")
    browser.press("Alt+e")
    browser.write(" ")
    page.until("!document.querySelector('.cm-lintRange-error')", "another text has no mark")


def with_ptx(page):
    """The example in PTX: it compiles, runs by a launch, and steps show lines of the original source."""
    browser = page.browser
    browser.run("localStorage.clear(), sessionStorage.clear()")
    browser.run(f"(() => {{ const it = {by_id('example')}; it.selectedIndex = [...it.options].findIndex((one) => one.textContent === 'saxpy.ptx'); "
                "it.dispatchEvent(new Event('change')); })()")
    page.until("document.querySelector('.cm-content').textContent.includes('.entry')", "the editor has PTX")
    page.until(f"{by_id('state')}.textContent === 'Compiled.' && {by_id('kernel')}.value === 'saxpy'", "which is compiled")
    page.until("document.querySelectorAll('#first .row-line').length > 10", "its assembly is shown")
    page.picture("assembly")
    browser.press("Ctrl+Enter")
    page.until("document.querySelector('.pane-output')?.textContent.includes('float[1000] digest')", "the launch has run")
    page.picture("run")
    browser.click(by_id("first-steps"))
    browser.click("document.querySelector('#first-body form button')")
    page.until("document.activeElement.matches('.steps')", "the keys belong to the steps")
    page.until("document.querySelector('.origin')", "a step shows a line of the original source")
    for _ in range(4):
        browser.press("ArrowRight")
    page.is_true("/^saxpy.cu:3[0-9]  [a-z]/.test(document.querySelector('.origin').textContent)", "with its text")
    page.until("document.querySelector('.cm-line.here')", "and the editor the line of PTX")
    page.picture("steps")


def main():
    binary, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    if devtools.find() is None:
        print("SKIPPED: there is no Chromium, so the explorer was not tried in a browser (Debian: `apt install chromium`)")
        return
    folder.mkdir(parents=True, exist_ok=True)
    server = subprocess.Popen([binary, "serve", str(PROGRAM), "--no-open"], stdout=subprocess.PIPE, text=True)
    try:
        url = server.stdout.readline().strip()
        for width, dark in [(1280, False), (1280, True), (400, False), (400, True)]:
            for way in (with_the_mouse, with_the_keyboard, with_edits, with_ptx):
                name = f"{width}-{'dark' if dark else 'light'}-{way.__name__.split('_')[-1]}"
                page = Page(url, folder, name, width, dark)
                way(page)
                page.close()
                print(f"{name}: good", flush=True)
    finally:
        server.terminate()
        server.wait()
    print(f"{checks} checks in a browser: no failures")


if __name__ == "__main__":
    main()
