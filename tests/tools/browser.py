"""A real browser without a window, driven by WebDriver (https://www.w3.org/TR/webdriver2/)."""

import base64
import json
import re
import shutil
import subprocess
import tempfile
import urllib.request

DRIVER = "chromedriver"
BROWSER = "chromium"
KEYS = {"ArrowLeft": "\ue012", "ArrowUp": "\ue013", "ArrowRight": "\ue014", "ArrowDown": "\ue015", "Escape": "\ue00c", "Tab": "\ue004",
        "Enter": "\ue007"}
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"  # what the standard calls a reference to one
ARGUMENTS = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--force-device-scale-factor=1"]


def is_installed():
    return bool(shutil.which(DRIVER) and shutil.which(BROWSER))


class Browser:
    """`with Browser((1600, 1000)) as browser: browser.open(path)`."""

    def __init__(self, size, is_dark=False):
        self.size = size
        self.is_dark = is_dark

    def __enter__(self):
        self.profile = tempfile.TemporaryDirectory()
        self.driver = subprocess.Popen([DRIVER, "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        for line in self.driver.stdout:
            if started := re.search(r"started successfully on port (\d+)", line):
                port = started[1]
                break
        else:
            raise AssertionError(f"{DRIVER} does not start")
        self.address = f"http://127.0.0.1:{port}/session"
        dark = ["--force-dark-mode", "--blink-settings=preferredColorScheme=0"] if self.is_dark else []
        options = {"args": [*ARGUMENTS, *dark, f"--window-size={self.size[0]},{self.size[1]}", f"--user-data-dir={self.profile.name}"]}
        wanted = {"browserName": "chrome", "goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL"}}
        self.address += "/" + self.ask("", {"capabilities": {"alwaysMatch": wanted}})["sessionId"]
        return self

    def __exit__(self, *_):
        self.send("", method="DELETE")
        self.driver.terminate()
        self.driver.communicate()
        self.profile.cleanup()

    def send(self, path, body=None, method=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.address + path, data, {"Content-Type": "application/json"}, method=method)
        with urllib.request.urlopen(request, timeout=120) as answer:
            return json.load(answer)["value"]

    def ask(self, path, body):
        return self.send(path, body)

    def open(self, path, address=""):
        self.ask("/url", {"url": "about:blank"})
        self.ask("/url", {"url": f"file://{path}{address}"})

    def run(self, script, *arguments):
        return self.ask("/execute/sync", {"script": script, "args": list(arguments)})

    def press(self, *keys):
        actions = [{"type": kind, "value": KEYS.get(key, key)} for key in keys for kind in ("keyDown", "keyUp")]
        self.ask("/actions", {"actions": [{"type": "key", "id": "keyboard", "actions": actions}]})

    def click(self, selector):
        """The first element that the selector of CSS names."""
        element = self.ask("/element", {"using": "css selector", "value": selector})
        self.ask(f"/element/{element[ELEMENT]}/click", {})

    def texts(self, selector):
        return self.run("return [...document.querySelectorAll(arguments[0])].map(one => one.textContent)", selector)

    def complaints(self):
        """What went to the console since it was asked the last time."""
        return [entry["message"] for entry in self.ask("/se/log", {"type": "browser"})]

    def picture(self):
        return base64.b64decode(self.send("/screenshot"))
