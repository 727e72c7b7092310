"""A headless Chromium, driven by the DevTools protocol over a pipe: nothing but Python and the browser is needed."""

import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

NAMES = ["chromium", "chromium-browser", "google-chrome"]

# Of keys: `key`, `code`, the number that Windows gives it, and the text that it writes.
KEYS = {
    "Tab": ("Tab", "Tab", 9, ""), "Enter": ("Enter", "Enter", 13, "\r"), "Escape": ("Escape", "Escape", 27, ""),
    "ArrowLeft": ("ArrowLeft", "ArrowLeft", 37, ""), "ArrowUp": ("ArrowUp", "ArrowUp", 38, ""),
    "ArrowRight": ("ArrowRight", "ArrowRight", 39, ""), "ArrowDown": ("ArrowDown", "ArrowDown", 40, ""),
    "Home": ("Home", "Home", 36, ""), "End": ("End", "End", 35, ""), "Space": (" ", "Space", 32, " "),
}
MODIFIERS = {"Alt": 1, "Ctrl": 2, "Shift": 8}


def find():
    """The browser's command, or None."""
    return next((path for path in map(shutil.which, NAMES) if path), None)


class Browser:
    """One page of a browser of its own."""

    def __init__(self, width, height, dark=False):
        self.folder = tempfile.mkdtemp(prefix="explorer-browser-")
        to_browser, from_browser = os.pipe(), os.pipe()

        def streams():
            # The browser reads from 3 and writes to 4.
            ends = [os.dup(to_browser[0]), os.dup(from_browser[1])]
            for end, number in zip(ends, (3, 4)):
                os.dup2(end, number, inheritable=True)

        flags = ["--headless=new", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe", "--hide-scrollbars",
                 "--force-device-scale-factor=1", "--disable-background-networking", "--no-first-run",
                 f"--user-data-dir={self.folder}", f"--window-size={width},{height}", "about:blank"]
        self.process = subprocess.Popen([find(), *flags], preexec_fn=streams, close_fds=False,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_browser[0])
        os.close(from_browser[1])
        self.output, self.input = to_browser[1], from_browser[0]
        self.rest, self.number, self.events, self.session = b"", 0, [], None
        target = self.send("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.send(f"{domain}.enable")
        self.send("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.send("Emulation.setEmulatedMedia", features=[scheme])

    def receive(self, seconds):
        """The next message."""
        end = time.monotonic() + seconds
        while b"\0" not in self.rest:
            if not select.select([self.input], [], [], max(0, end - time.monotonic()))[0]:
                raise TimeoutError("the browser does not answer")
            self.rest += os.read(self.input, 1 << 20)
        message, self.rest = self.rest.split(b"\0", 1)
        return json.loads(message)

    def send(self, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.output, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.receive(60)
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                return answer["result"]
            self.events.append(answer)

    def run(self, script):
        """The value of an expression in the page."""
        found = self.send("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in found:
            raise RuntimeError(f"{script}: {found['exceptionDetails']}")
        return found["result"].get("value")

    def until(self, script, seconds=30):
        """Waits until an expression is true, and gives its value."""
        end = time.monotonic() + seconds
        while True:
            value = self.run(script)
            if value:
                return value
            if time.monotonic() > end:
                raise TimeoutError(f"never true: {script}")
            time.sleep(0.05)

    def open(self, url):
        self.send("Page.navigate", url=url)

    def press(self, keys):
        """Presses a key, perhaps with others: `Ctrl+Enter`."""
        *others, name = keys.split("+")
        modifiers = sum(MODIFIERS[other] for other in others)
        key, code, number, text = KEYS.get(name) or (name, f"Key{name.upper()}", ord(name.upper()), name)
        common = {"modifiers": modifiers, "key": key, "code": code, "windowsVirtualKeyCode": number}
        if modifiers & 3:
            text = ""
        self.send("Input.dispatchKeyEvent", type="keyDown" if text else "rawKeyDown", text=text, **common)
        self.send("Input.dispatchKeyEvent", type="keyUp", **common)

    def write(self, text):
        self.send("Input.insertText", text=text)

    def click(self, script):
        """Clicks the middle of an element that an expression names."""
        x, y = self.run(f"(() => {{ const it = {script}; it.scrollIntoView({{ block: 'nearest' }}); "
                        "const r = it.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; })()")
        for kind in ("mousePressed", "mouseReleased"):
            self.send("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def picture(self, path, part=None):
        """The window, or a part of the page: its left, top, width and height."""
        clip = {}
        if part:
            x, y, width, height = part
            clip = {"clip": {"x": x, "y": y, "width": width, "height": height, "scale": 1}, "captureBeyondViewport": True}
        data = self.send("Page.captureScreenshot", format="png", **clip)["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))

    def complaints(self):
        """What the browser has complained of, and addresses elsewhere that the page has asked for."""
        self.run("0")
        found = []
        for event in self.events:
            method, parameters = event.get("method"), event.get("params", {})
            if method == "Runtime.exceptionThrown":
                found.append(str(parameters["exceptionDetails"]))
            elif method == "Log.entryAdded" and parameters["entry"]["level"] == "error":
                found.append(f"{parameters['entry']['text']} {parameters['entry'].get('url', '')}")
            elif method == "Network.requestWillBeSent":
                url = parameters["request"]["url"]
                if not url.startswith(("http://127.0.0.1:", "data:", "about:")):
                    found.append(f"asks for {url}")
        return found

    def close(self):
        self.process.terminate()
        self.process.wait()
        os.close(self.output)
        os.close(self.input)
        shutil.rmtree(self.folder, ignore_errors=True)
