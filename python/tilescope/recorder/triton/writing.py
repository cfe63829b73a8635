"""Traces are written by a process of its own (writer.py): what takes long, doing the passes again above all, is neither in the way
of the program nor of its interpreter. It begins with the first compile, is told of each pass manager that is over, so that it looks
into that while the compile goes on, and ends with the program.

A thread asks it, so that a compile never waits for a pipe."""

import json
import os
import pathlib
import pickle
import queue
import subprocess
import sys
import threading

import triton

from tilescope.recorder.triton.facts import Facts

# Of the process that is recorded: these say what passes print, and stay its own.
NOT_PASSED_ON = ("TILESCOPE_RECORD", "MLIR_ENABLE_DUMP", "MLIR_ENABLE_TIMING", "MLIR_ENABLE_DIAGNOSTICS", "TRITON_REPRODUCER_PATH")
PACKAGE = pathlib.Path(__file__).absolute().parents[3]  # by a link where it was found by one


def around() -> dict:
    return {name: value for name, value in os.environ.items() if name not in NOT_PASSED_ON}


def command() -> list[str]:
    """Without what `site` does: the process needs nothing that is installed but Triton."""
    folders = [str(PACKAGE), str(pathlib.Path(triton.__file__).resolve().parents[1])]
    return [sys.executable, "-S", "-c", f"import sys; sys.path[:0] = {folders}; from tilescope.recorder.triton.writer import main; main()"]


class Gone(Exception):
    """The process has ended."""


class Process:
    """Begins where it is used first; another one after a fork, and where one was lost."""

    def __init__(self):
        self.begin()
        os.register_at_fork(after_in_child=self.begin_child)

    def begin(self):
        self.lock, self.requests, self.thread, self.process = threading.Lock(), queue.SimpleQueue(), None, None

    def begin_child(self):
        if self.process is not None:
            self.process.stdin.close()
            self.process.stdout.close()
            self.process.returncode = 0  # it is its parent's to wait for
        self.begin()

    # ---- Of the threads of the program

    def get_ready(self):
        """It will soon be asked for something: it takes as long to start as a compile to come to its first pass."""
        self.ask(None, None)

    def over(self, compile_, run):
        """As of Compile. What is lost here `write` says again."""
        self.ask(("part", compile_.number, len(compile_.parts) - 1, int(compile_.target.arch), run), None)

    def write(self, path, facts: Facts):
        """Returns when it is written. OSError and RuntimeError say why it is not."""
        answers = queue.SimpleQueue()
        self.ask(("write", str(pathlib.Path(path).absolute()), facts, os.getcwd()), answers)
        answer = answers.get()
        if answer["error"] is not None:
            raise (OSError if answer["isOfFile"] else RuntimeError)(answer["error"])

    def ask(self, given, answers):
        with self.lock:
            if self.thread is None:
                self.thread = threading.Thread(target=self.pass_on, name="tilescope-ask", daemon=True)
                self.thread.start()
        self.requests.put((given, around(), answers))

    # ---- Of the thread that asks

    def pass_on(self):
        while True:
            given, environment, answers = self.requests.get()
            try:
                answer = self.told(given, environment, answers is not None)
            except Exception as error:
                answer = {"error": f"{type(error).__name__}: {error}", "isOfFile": False}
            if answers is not None:
                answers.put(answer)

    def told(self, given, environment, is_answered: bool):
        """The answer, or None. Where the process had ended by what it was told before, another one is asked."""
        is_new = self.process is None
        try:
            if is_new:
                self.start(environment)
            return self.tell(given, environment, is_answered)
        except Gone:
            code, self.process = self.process.wait(), None
            if is_answered and not is_new:
                return self.told(given, environment, is_answered)
            raise RuntimeError(f"the process that writes traces ended with {code}") from None

    def start(self, environment):
        # Without buffers, which have locks that a fork may copy while they are held.
        self.process = subprocess.Popen(command(), bufsize=0, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                        env=environment, start_new_session=True)

    def tell(self, given, environment, is_answered):
        if given is None:
            return None
        left = memoryview(pickle.dumps((environment, *given)))
        try:
            while left:
                left = left[self.process.stdin.write(left):]
        except BrokenPipeError:
            raise Gone from None
        line = self.process.stdout.readline() if is_answered else b"null"
        if not line.endswith(b"\n") and is_answered:
            raise Gone
        return json.loads(line)


PROCESS = Process()
