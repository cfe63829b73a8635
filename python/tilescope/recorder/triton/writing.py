"""Writes traces in a process of its own: what takes long, doing the passes again above all, is neither in the way of the program nor
of its interpreter. It ends with the program, or after what it was told last.

It reads pickled (path, facts, what is around) and answers a line for each: {"error": null, or what went wrong}."""

import gc
import json
import os
import pathlib
import pickle
import subprocess
import sys
import threading

import triton

from tilescope.recorder.triton.compile_trace import Facts, write_trace

# Of the process that is recorded: these say what passes print, and stay its own.
NOT_PASSED_ON = ("TILESCOPE_RECORD", "MLIR_ENABLE_DUMP", "MLIR_ENABLE_TIMING", "MLIR_ENABLE_DIAGNOSTICS", "TRITON_REPRODUCER_PATH")
PACKAGE = pathlib.Path(__file__).absolute().parents[3]  # by a link where it was found by one


def around() -> dict:
    environment = {name: value for name, value in os.environ.items() if name not in NOT_PASSED_ON}
    folders = [str(PACKAGE), str(pathlib.Path(triton.__file__).resolve().parents[1]), environment.get("PYTHONPATH", "")]
    return environment | {"PYTHONPATH": os.pathsep.join(filter(None, folders))}


class Process:
    """Begins where it is used first; another one after a fork, and where one was lost."""

    def __init__(self):
        self.lock, self.process = threading.Lock(), None
        os.register_at_fork(after_in_child=self.begin_child)

    def begin_child(self):
        self.lock = threading.Lock()
        if self.process is not None:
            self.process.stdin.close()
            self.process.stdout.close()
            self.process.returncode = 0  # it is its parent's to wait for
            self.process = None

    def write(self, path, facts: Facts):
        """Returns when it is written. OSError and RuntimeError say why it is not."""
        with self.lock:
            answer = self.answer(pickle.dumps((str(pathlib.Path(path).absolute()), facts, around(), os.getcwd())))
        if answer["error"] is not None:
            raise (OSError if answer["isOfFile"] else RuntimeError)(answer["error"])

    def answer(self, request: bytes) -> dict:
        if self.process is None:
            # Without buffers, which have locks that a fork may copy while they are held.
            self.process = subprocess.Popen([sys.executable, "-m", __name__], bufsize=0, stdin=subprocess.PIPE,
                                            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=around(), start_new_session=True)
        try:
            left = memoryview(request)
            while left:
                left = left[self.process.stdin.write(left):]
            return json.loads(self.process.stdout.readline())
        except (BrokenPipeError, ValueError):
            code, self.process = self.process.wait(), None
            raise RuntimeError(f"the process that writes traces ended with {code}") from None


PROCESS = Process()


def main():
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # passes may print
    gc.disable()
    while True:
        try:
            path, facts, environment, folder = pickle.load(sys.stdin.buffer)
        except EOFError:
            return
        os.environ.update(environment)
        for name in set(os.environ) - set(environment):
            del os.environ[name]
        os.chdir(folder)
        print(json.dumps(written(path, facts)), file=answers, flush=True)
        gc.collect()


def written(path, facts) -> dict:
    try:
        write_trace(path, facts)
    except OSError as error:
        return {"error": error.strerror or str(error), "isOfFile": True}
    except Exception as error:
        return {"error": f"{type(error).__name__}: {error}", "isOfFile": False}
    return {"error": None}


if __name__ == "__main__":
    main()
