"""Every compile of TileLang's, handed to a recording of a folder."""

import contextlib
import dataclasses

from tilelang import tvm
from tvm import tirx

from tilescope.recorder.compile_trace import target_name, write_trace
from tilescope.recorder.hold import Compile, held_compiles
from tilescope.recorder.requests import Request, Requests


@contextlib.contextmanager
def watched(recording):
    compiles = Compiles(recording)
    with compiles.requests.watched(), held_compiles(compiles.begin):
        yield


@dataclasses.dataclass
class Job:
    """As of Recording."""

    compile_: Compile

    def __post_init__(self):
        self.request = self.compile_.request or Request(next(iter(self.compile_.steps[0][1].before)))

    @property
    def error(self):
        return self.compile_.error

    def entry(self) -> dict:
        self.request.target = self.request.target or target_name(self.compile_)
        return entry_of(self.request)

    def program_hash(self) -> str:
        return program_hash(self.compile_)

    def write(self, path):
        write_trace(path, self.compile_, self.request.file, self.request.parameters, self.request.kernel)


class Compiles:
    def __init__(self, recording):
        self.recording = recording
        self.requests = Requests(self.seen, self.compiled, recording.rebuild)

    def begin(self) -> Compile:
        request = self.requests.current.get()
        if request is not None:
            request.is_compiled = True
        return Compile(request, self.compiled)

    def compiled(self, compile_: Compile):
        """Called where a compile ends, in its thread."""
        if (group := self.requests.group.get()) is not None:
            group.append(compile_)  # whether it failed is known when the whole group ends
        elif compile_.steps:
            self.recording.compiled(Job(compile_))

    def seen(self, request: Request):
        if request.cache or (request.error and not request.is_compiled):
            self.recording.seen(entry_of(request) | ({"cache": request.cache} if request.cache else {"error": request.error}))


def entry_of(request: Request) -> dict:
    arguments = {parameter["name"]: parameter["value"] for parameter in request.parameters}
    chosen = [parameter["name"] for parameter in request.parameters if parameter["value"] != parameter.get("default")]
    return {"kernel": request.kernel, "target": request.target, "file": request.file, "arguments": arguments,
            "chosen": chosen}


def program_hash(compile_: Compile) -> str:
    """Of the program as it was asked for: two PrimFuncs without arguments differ by nothing else. Without its attributes,
    among them the indices of outputs, of which TileLang makes -1 the last index once a kernel was compiled."""
    functions = (tirx.PrimFunc(function.params, function.body, function.ret_type, function.buffer_map)
                 for _, function in compile_.steps[0][1].before.values())
    return " ".join(format(tvm.ir.structural_hash(function) % 2**64, "x") for function in functions)
