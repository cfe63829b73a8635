"""The definitions of a Python file that nobody runs: it is a script more often than not, and what it runs is left out."""

import ast
import contextlib
import pathlib
import sys
import types

from tilescope.problem import Problem

DEFINITIONS = (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.ClassDef)
ASSIGNMENTS = (ast.Assign, ast.AnnAssign, ast.If, ast.Try)


def parsed(path: pathlib.Path) -> ast.Module:
    try:
        return ast.parse(path.read_text(encoding="utf-8"), str(path))
    except (OSError, SyntaxError, ValueError) as error:
        raise Problem(f"cannot read the kernel: {error}") from None


def load_definitions(path: pathlib.Path, around=contextlib.nullcontext) -> types.ModuleType:
    """They run in the context that `around` makes."""
    tree = parsed(path)
    module = types.ModuleType("tilescope_kernel_file")
    module.__file__ = str(path)
    sys.modules[module.__name__] = module
    sys.path.insert(0, str(path.resolve().parent))
    with around():
        for node in tree.body:
            define(node, module, path)
    return module


def define(node: ast.stmt, module: types.ModuleType, path: pathlib.Path):
    """What fails here is missed by the kernel, or was not needed: an import for a test, a tensor on a GPU."""
    code = compile(ast.Module([node], []), str(path), "exec")
    try:
        if isinstance(node, DEFINITIONS + ASSIGNMENTS):
            exec(code, module.__dict__)
    except Exception as error:
        problem = error if isinstance(error, Problem) else Problem(
            f"{path}:{node.lineno}: {type(error).__name__}: {error}")
        if "*" in names_of(node):
            raise problem from None
        for name in names_of(node):
            module.__dict__.setdefault(name, Absent(problem))


def names_of(node: ast.stmt) -> list[str]:
    """Those that an import, a function or a class defines."""
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        return [(alias.asname or alias.name).partition(".")[0] for alias in node.names]
    return [node.name] if isinstance(node, (ast.FunctionDef, ast.ClassDef)) else []


def packages_of(tree: ast.Module) -> set[str]:
    """The packages that a file imports at its top level."""
    found = set()
    for node in tree.body:
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            found.add(node.module.partition(".")[0])
    return found


class Absent:
    """What could not be defined. Who uses it gets the reason."""

    def __init__(self, problem: Problem):
        object.__setattr__(self, "_problem", problem)

    def __getattribute__(self, name):
        if name.startswith("__"):
            return object.__getattribute__(self, name)
        raise object.__getattribute__(self, "_problem")

    def __call__(self, *_, **__):
        raise object.__getattribute__(self, "_problem")
