"""Every compile of Triton's, handed to a recording of a folder: kernels of @triton.jit, each configuration of
@triton.autotune, and what a program compiles ahead of time."""

import contextlib
import functools
import hashlib
import inspect
import pathlib
import sys

import triton
from triton import knobs
from triton.compiler import compiler as triton_compiler
from triton.runtime import driver
from triton.runtime import jit as triton_jit
from triton.runtime.autotuner import Autotuner

from tilescope.recorder.triton.facts import facts_of, file_of, target_name
from tilescope.recorder.triton.hold import Compile, watched
from tilescope.recorder.triton.managers import passes_noted
from tilescope.recorder.triton.requests import chosen_of, literal, parameters_of
from tilescope.recorder.triton.writing import PROCESS


@contextlib.contextmanager
def recorded(recording):
    with (passes_noted(), replaced_compile(Compiles(recording)), tuners_watched(recording.won),
          always_compiled(recording.rebuild)):
        yield


@contextlib.contextmanager
def tuners_watched(won):
    """`won` is called once with each configuration that a tuner chose: every launch of a tuned kernel comes by here."""
    original, told = Autotuner.run, {}  # by id; kept, so that no other gets it

    @functools.wraps(original)
    def run(tuner, *given, **named):
        result = original(tuner, *given, **named)
        if len(tuner.configs) > 1 and id(tuner.best_config) not in told:
            told[id(tuner.best_config)] = tuner.best_config
            won(tuner.base_fn.__name__, {name: literal(value) for name, value in tuner.best_config.all_kwargs().items()})
        return result

    Autotuner.run = run
    try:
        yield
    finally:
        Autotuner.run = original


@contextlib.contextmanager
def always_compiled(wanted: bool):
    was = knobs.compilation.always_compile
    if wanted:
        knobs.compilation.always_compile = True
    try:
        yield
    finally:
        if wanted:
            knobs.compilation.always_compile = was


@contextlib.contextmanager
def replaced_compile(compiles):
    """Everywhere that a program finds Triton's `compile`: kernels that ran once keep it."""
    original = triton_compiler.compile

    @functools.wraps(original)
    def compile_and_record(*given, **named):
        return compiles.compile(original, given, named)

    put(original, compile_and_record)
    try:
        yield
    finally:
        put(compile_and_record, original)


def put(old, new):
    for owner in (triton, triton.compiler, triton_compiler, *triton_jit._triton_jit_function_registry.values()):
        if getattr(owner, "compile", None) is old:
            owner.compile = new


class FileSource:
    """A file of IR that is compiled as it is."""

    def __init__(self, path):
        self.path, self.name = str(path), pathlib.Path(path).stem


class Compiles:
    def __init__(self, recording):
        self.recording = recording
        self.other_backends = set()

    def compile(self, original, given, named):
        asked = self.asked(original, given, named)
        if asked is None:
            return original(*given, **named)
        PROCESS.get_ready()
        with watched(asked):
            try:
                kernel = original(*given, **named)
            except Exception as error:
                asked.error = error
                self.end(asked)
                raise
        asked.asm, asked.metadata = kernel.asm, kernel.metadata._asdict()
        self.end(asked)
        return kernel

    def asked(self, original, given, named) -> Compile | None:
        """None: it is not recorded. What is wrong with it the compiler says itself."""
        try:
            arguments = inspect.signature(original).bind(*given, **named).arguments
            target = arguments.get("target") or driver.active.get_current_target()
        except Exception:
            return None
        if target.backend != "cuda":
            if target.backend not in self.other_backends:
                print(f"tilescope: compiles for '{target.backend}' are not recorded", file=sys.stderr)
            self.other_backends.add(target.backend)
            return None
        source = arguments["src"]
        return Compile(FileSource(source) if isinstance(source, str) else source, target, dict(arguments.get("options") or {}),
                       over=PROCESS.over)

    def end(self, compile_: Compile):
        if compile_.parts:
            self.recording.compiled(Job(compile_))
        elif compile_.error is None:
            self.recording.seen(entry_of(compile_) | {"cache": "disk"})
        else:
            self.recording.seen(entry_of(compile_) | {"error": f"{type(compile_.error).__name__}: {compile_.error}"})


class Job:
    """As of Recording."""

    def __init__(self, compile_):
        self.compile_, self.error = compile_, compile_.error

    def entry(self) -> dict:
        return entry_of(self.compile_)

    def program_hash(self) -> str:
        return hashlib.sha256((self.compile_.as_written or "").encode()).hexdigest()

    def write(self, path):
        PROCESS.write(path, facts_of(self.compile_))


def entry_of(compile_) -> dict:
    parameters = parameters_of(compile_)
    return {"kernel": compile_.source.name.lstrip("@"), "target": target_name(compile_.target),
            "file": file_of(compile_.source),
            "arguments": {parameter["name"]: parameter["value"] for parameter in parameters},
            "chosen": chosen_of(parameters)}
