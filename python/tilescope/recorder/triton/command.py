"""python -m tilescope record, of a kernel of Triton's."""

import ast
import pathlib

import triton

from tilescope.problem import Problem
from tilescope.recorder import trace_names
from tilescope.recorder.trace_writer import output
from tilescope.recorder.triton import kernel_files
from tilescope.recorder.triton.facts import facts_of
from tilescope.recorder.triton.hold import Compile, watched
from tilescope.recorder.triton.managers import passes_noted
from tilescope.recorder.triton.writing import PROCESS


def record(given):
    kernel = kernel_files.kernel_in_file(given.kernel)
    target, options = kernel_files.target_of(given.target), settings(given.option, "--option")
    signature = [type_ for text in given.signature for type_ in text.replace(",", " ").split()]
    source = kernel_files.source_of(kernel, signature, settings(given.constexpr, "--constexpr"))
    trace = trace_names.asked(given.output, kernel.__name__, given.target)
    with output(trace):
        pass  # found out now: a compile may take long
    compile_ = Compile(source, target, options, with_llvm=given.llvm_text, over=PROCESS.over)
    PROCESS.get_ready()
    was = triton.knobs.compilation.always_compile
    triton.knobs.compilation.always_compile = True
    try:
        with passes_noted(), watched(compile_):
            made = triton.compile(source, target=target, options=options)
        compile_.asm, compile_.metadata = made.asm, made.metadata._asdict()
    except Exception as error:
        compile_.error = error
    finally:
        triton.knobs.compilation.always_compile = was
    finish(trace, compile_, given)


def finish(trace, compile_, given):
    if compile_.parts:
        PROCESS.write(trace, facts_of(compile_))
    if compile_.error is not None:
        where = f"; {trace} says how far it came" if compile_.parts else ""
        raise Problem(f"Triton did not compile it: {type(compile_.error).__name__}: {compile_.error}{where}")
    if pathlib.Path(given.output or "") != trace:
        print(trace)
    if given.cuda:
        pathlib.Path(given.cuda).write_text(compile_.asm["ptx"], encoding="utf-8")


def settings(texts: list[str], option: str) -> dict:
    """The values of NAME=VALUE, ..."""
    values = {}
    for text in texts:
        name, is_set, value = text.partition("=")
        if not is_set or name in values:
            raise Problem(f"{option} {text}: {'a second value of ' + name if is_set else 'expected NAME=VALUE'}")
        values[name] = literal(value)
    return values


def literal(text: str):
    """A Python literal, an element type such as tl.float16, or else a text."""
    if text.startswith("tl.") and isinstance(getattr(triton.language, text[3:], None), triton.language.dtype):
        return getattr(triton.language, text[3:])
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return text
