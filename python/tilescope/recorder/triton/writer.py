"""The process that writes traces. It reads pickled requests, each with the environment that it is of:

    part, number of a compile, place among its parts, capability, the part      looked into at once
    write, path, facts, folder that is current                                  answered by a line, {"error": null, or what went wrong}

What a compile is made of comes whole with the last, so that of the others any may be lost. It ends with the program, or after what it
was told last."""

import gc
import json
import os
import pathlib
import pickle
import sys

from tilescope.recorder.triton.compile_trace import Found, write_trace

MOST_BEGUN = 16  # compiles that go on at the same time; of others all is done at the end


class Writer:
    def __init__(self):
        self.begun = {}  # by number of a compile that goes on

    def part(self, number, at, capability, part):
        if at == 0:
            self.begun[number] = Found(capability)
            if len(self.begun) > MOST_BEGUN:
                del self.begun[next(iter(self.begun))]
        if number not in self.begun or self.begun[number].count != at:
            return
        try:
            self.begun[number].add(part)
        except Exception:
            del self.begun[number]  # it fails again where all is done, which is said

    def write(self, path, facts, folder) -> dict:
        try:
            os.chdir(folder)
            write_trace(path, facts, found=self.begun.pop(facts.number, None))
        except OSError as error:
            return {"error": error.strerror or str(error), "isOfFile": True}
        except Exception as error:
            return {"error": f"{type(error).__name__}: {error}", "isOfFile": False}
        return {"error": None}


def main():
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # passes may print
    gc.disable()
    writer = Writer()
    while True:
        try:
            environment, what, *given = pickle.load(sys.stdin.buffer)
        except EOFError:
            return
        for name in set(os.environ) - set(environment):
            del os.environ[name]
        os.environ.update(environment)
        if what == "part":
            writer.part(*given)
        else:
            print(json.dumps(writer.write(*given)), file=answers, flush=True)
            gc.collect()
