"""A viewer in a window under Xvfb: driven by xdotool, it prints with --print-state what it shows."""

import json
import os
import pathlib
import queue
import shutil
import subprocess
import threading
import time

import tree

# A machine under load takes its time; what is waited for comes or the test fails. Sanitizers take some more.
PATIENCE_SECONDS = 60 * float(os.environ.get("WINDOW_PATIENCE", "1"))
SCREEN = "3840x2160x24"
# Clock ticks of 10 ms in two idle seconds; a window that draws all the time takes a hundred.
MOST_IDLE_TICKS = 10

KERNELS = [
    ("gemm", "gemm_relu.py", ["--set", "M=1024", "--set", "N=1024", "--set", "K=1024"]),
    ("attention", "attention_fwd.py:attention", ["--set", "heads=32", "--set", "length=4096", "--set", "num_stages=2"]),
    ("siblings", "sibling_pipelines.py", None),
    ("chunk", "chunk_inverse.py", None),
    ("launch", "sized_at_launch.py", None),
]
GEMM_SIZE = ["--set", "M=512", "--set", "N=512", "--set", "K=512"]


class Display:
    """Xvfb on a free display; everything started with `environment` shows there."""

    def __enter__(self):
        read, write = os.pipe()
        self.server = subprocess.Popen(["Xvfb", "-displayfd", str(write), "-screen", "0", SCREEN, "-nolisten", "tcp"],
                                       pass_fds=[write], stderr=subprocess.DEVNULL)
        os.close(write)
        with os.fdopen(read) as pipe:
            number = pipe.readline().strip()
        self.environment = {**os.environ, "DISPLAY": f":{number}"}
        self.environment.pop("WAYLAND_DISPLAY", None)  # of the machine's own desktop
        return self

    def __exit__(self, *_):
        self.server.terminate()
        self.server.wait()

    def xdotool(self, *words):
        return subprocess.run(["xdotool", *map(str, words)], env=self.environment, check=True, capture_output=True,
                              text=True).stdout


class Viewer:
    """A running program and the last state that it printed."""

    def __init__(self, display, program, settings, *arguments, programs=None, path=None):
        self.display = display
        self.state = {}
        environment = {**display.environment, "XDG_CONFIG_HOME": str(settings)}
        if programs:
            environment["PATH"] = f"{programs}:{environment['PATH']}"
        if path:
            environment["PATH"] = str(path)
        self.process = subprocess.Popen([program, *map(str, arguments), "--print-state"], env=environment,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.lines = queue.Queue()
        self.errors = []
        threading.Thread(target=lambda: [self.lines.put(line) for line in self.process.stdout], daemon=True).start()
        threading.Thread(target=lambda: self.errors.extend(self.process.stderr), daemon=True).start()

    def wait(self, condition, what):
        """Until a state satisfies the condition."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not (self.state and condition(self.state)):
            if self.process.poll() is not None:
                raise AssertionError(f"{what}: the program ended with {self.process.returncode}: {''.join(self.errors)}")
            assert time.monotonic() < deadline, f"{what}: last state {self.brief()}"
            try:
                self.state = json.loads(self.lines.get(timeout=1))
            except queue.Empty:
                pass
        return self.state

    def brief(self):
        return {key: value for key, value in self.state.items() if key != "places"}

    def key(self, *keys):
        self.display.xdotool("key", *keys)

    def type(self, text):
        self.display.xdotool("type", text)

    def give_path(self, key, path):
        """Into the field for a path that the key opens."""
        self.wait(lambda state: not state["typing"], "no field")
        self.key(key)
        self.wait(lambda state: state["typing"], "a field that takes the keyboard")
        self.key("ctrl+a")
        self.type(str(path))
        self.key("Return")

    def go_to_panel(self, name):
        """Whatever tabs earlier checks left on top."""
        self.key("ctrl+shift+p")
        self.wait(lambda state: state["typing"], "the field of the palette")
        self.type(f"panel {name}")
        self.key("Return")
        self.wait(lambda state: state["focus"] == name and not state["typing"], f"panel {name}")

    def settle(self):
        """Until nothing changes any more: a layout takes a few frames."""
        while True:
            try:
                self.state = json.loads(self.lines.get(timeout=0.4))
            except queue.Empty:
                return

    def place(self, name):
        self.settle()
        return self.wait(lambda state: name in state.get("places", {}), f"a place for '{name}'")["places"][name]

    def point(self, x, y):
        self.display.xdotool("mousemove", x, y)
        self.wait(lambda state: state.get("mouse", [])[:2] == [x, y], "the mouse")

    def click(self, x, y):
        self.point(x, y)
        self.display.xdotool("click", 1)

    def resize(self, width, height):
        """Asks until the panels fill the window: a request that meets an unmapped window is lost."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while time.monotonic() < deadline:
            for window in self.display.xdotool("search", "--onlyvisible", "--pid", self.process.pid).split():
                self.display.xdotool("windowsize", window, width, height)
            self.settle()
            # Parts of a panel ("argument M") may lie below what it shows.
            panels = [place for name, place in self.state["places"].items() if " " not in name]
            if abs(max(place[3] for place in panels) - height) < 80:
                return
        raise AssertionError(f"no panels down to {height}: {self.brief()}")

    def ticks(self):
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return int(fields[11]) + int(fields[12])

    def quit(self):
        self.key("ctrl+q")
        try:
            code = self.process.wait(timeout=PATIENCE_SECONDS)
        except subprocess.TimeoutExpired:
            raise AssertionError("the program does not quit") from None
        assert code == 0, f"exit code {code}: {''.join(self.errors)}"
        assert not self.errors, "".join(self.errors)


class Bench:
    """What every check gets: the display, the program, traces, a folder."""

    def __init__(self, display, program, folder):
        self.display, self.program, self.folder = display, program, folder
        self.tilescope = pathlib.Path(program).parent / "tilescope"
        self.viewers = []
        self.settings = folder / "settings"
        self.traces = {name: self.compile(name, kernel, arguments) for name, kernel, arguments in KERNELS}

    def compile(self, name, kernel, arguments):
        path = pathlib.Path("testdata/kernels") / kernel
        trace = self.folder / f"{name}.trace"
        if arguments is None:
            line = next(line for line in tree.text(str(path)).splitlines() if line.startswith("# tilescope: "))
            function, *arguments = line.removeprefix("# tilescope: ").split()
            path = f"{path}:{function}"
        subprocess.run([self.tilescope, "compile", str(path), *arguments, "-o", "/dev/null", "--trace", trace],
                       cwd=tree.ROOT, check=True)
        return trace

    def execute(self, name, kernel, *arguments):
        """The trace of a run on the CPU, with the steps of block 0."""
        trace = self.folder / f"{name}.trace"
        subprocess.run([self.tilescope, "exec", f"testdata/kernels/{kernel}", *arguments, "--trace", trace, "--steps", "0"],
                       cwd=tree.ROOT, check=True, stdout=subprocess.DEVNULL)
        return trace

    def forget(self):
        """What checks before this one left: recent files, tabs on top."""
        shutil.rmtree(self.settings, ignore_errors=True)

    def end_all(self):
        for viewer in self.viewers:
            viewer.process.kill()
            viewer.process.wait()

    def open(self, *arguments, programs=None, path=None):
        """Programs that it runs are those of the folder `programs`, where it has them; with `path` there are no others."""
        viewer = Viewer(self.display, self.program, self.settings, *arguments, programs=programs, path=path)
        self.viewers.append(viewer)
        viewer.wait(lambda state: "pass" in state, "an open trace")
        viewer.point(5, 5)
        return viewer
