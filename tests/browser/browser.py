"""A headless Chromium driven over a pipe with its own protocol; nothing but Debian's chromium is needed."""

import base64
import contextlib
import json
import os
import shutil
import subprocess
import tempfile
import time

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")


class Failure(Exception):
    """Something that the page or the browser complained of."""


class Browser:
    """One browser; each page of it is opened with page()."""

    def __init__(self):
        self.home = tempfile.mkdtemp(prefix="medlar-browser-")
        to_read, self.to = os.pipe()
        self.back, from_write = os.pipe()
        flags = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
                 "--disable-extensions", "--disable-background-networking", "--disable-component-update",
                 "--disable-sync", "--hide-scrollbars", "--force-color-profile=srgb",
                 f"--user-data-dir={self.home}", "--remote-debugging-pipe", "about:blank"]
        self.process = subprocess.Popen(
            ["sh", "-c", f'exec "$@" 3<&{to_read} 4>&{from_write}', "sh", CHROMIUM, *flags],
            pass_fds=(to_read, from_write), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_read)
        os.close(from_write)
        self.buffer, self.number, self.events = b"", 0, []

    def message(self):
        while b"\0" not in self.buffer:
            part = os.read(self.back, 1 << 20)
            if not part:
                raise Failure("the browser ended")
            self.buffer += part
        text, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(text)

    def call(self, method, session=None, **parameters):
        self.number += 1
        order = {"id": self.number, "method": method, "params": parameters}
        if session:
            order["sessionId"] = session
        data = json.dumps(order).encode() + b"\0"
        while data:
            data = data[os.write(self.to, data):]
        while True:
            answer = self.message()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise Failure(f"{method}: {answer['error']}")
                return answer["result"]
            self.events.append(answer)

    def page(self, path, **options):
        return Page(self, path, **options)

    def close(self):
        with contextlib.suppress(Failure, OSError):
            self.call("Browser.close")
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        os.close(self.to)
        os.close(self.back)
        shutil.rmtree(self.home, ignore_errors=True)


class Page:
    """A file opened at a width, light or dark. Whatever it fetched or complained of is in `fetched` and `complaints`."""

    def __init__(self, browser, path, width=1280, height=900, dark=False, printed=False):
        self.browser = browser
        target = browser.call("Target.createTarget", url="about:blank")["targetId"]
        self.target = target
        self.session = browser.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600)
        self.call("Emulation.setEmulatedMedia", media="print" if printed else "screen",
                  features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])
        self.path = os.path.abspath(path)
        self.call("Page.navigate", url=f"file://{self.path}")
        self.wait("document.readyState === 'complete'")
        self.settle()

    def call(self, method, **parameters):
        return self.browser.call(method, session=self.session, **parameters)

    def eval(self, script):
        """The value of a JavaScript expression in the page."""
        answer = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise Failure(json.dumps(answer["exceptionDetails"])[:2000])
        return answer["result"].get("value")

    def wait(self, condition, seconds=30):
        end = time.monotonic() + seconds
        while not self.eval(condition):
            if time.monotonic() > end:
                raise Failure(f"{condition} did not come true in {seconds} seconds")
            time.sleep(0.05)

    def settle(self):
        """Two frames on, what was to be drawn is drawn."""
        self.eval("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 50))))")

    def press(self, key, code=None, text=None, times=1):
        for _ in range(times):
            self.call("Input.dispatchKeyEvent", type="keyDown", key=key, code=code or key, **({"text": text} if text else {}),
                      windowsVirtualKeyCode={"Tab": 9, "Enter": 13, " ": 32, "Home": 36, "ArrowLeft": 37, "ArrowUp": 38,
                                            "ArrowRight": 39, "ArrowDown": 40}.get(key, 0))
            self.call("Input.dispatchKeyEvent", type="keyUp", key=key, code=code or key)
        self.settle()

    def type(self, text):
        self.call("Input.insertText", text=text)
        self.settle()

    def screenshot(self, path, whole=True, clip=None):
        options = {"captureBeyondViewport": True}
        if whole:
            height = self.eval("document.documentElement.scrollHeight")
            width = self.eval("document.documentElement.clientWidth")
            clip = {"x": 0, "y": 0, "width": width, "height": min(height, 16000), "scale": 1}
        if clip:
            options["clip"] = clip
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.call("Page.captureScreenshot", format="png", **options)["data"]))

    def mine(self, method):
        return [e["params"] for e in self.browser.events if e.get("method") == method and e.get("sessionId") == self.session]

    @property
    def fetched(self):
        urls = [each["request"]["url"] for each in self.mine("Network.requestWillBeSent")]
        return [url for url in urls if url != f"file://{self.path}"]

    @property
    def complaints(self):
        thrown = [json.dumps(each)[:500] for each in self.mine("Runtime.exceptionThrown")]
        logged = [json.dumps(each["entry"])[:500] for each in self.mine("Log.entryAdded")]
        said = [json.dumps(each["args"])[:500] for each in self.mine("Runtime.consoleAPICalled")
                if each["type"] in ("error", "warning", "assert")]
        return thrown + logged + said

    def close(self):
        self.browser.call("Target.closeTarget", targetId=self.target)
