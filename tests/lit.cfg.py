# Text tests: every .py and .test file below with a RUN line. ./dev test runs them all;
# ./dev lit tests/passes/simplify.py runs one.
import glob
import importlib.util
import os
import shutil

import lit.formats

config.name = "tilescope"
config.suffixes = [".py", ".test"]
# `inputs` holds what tests read; the rest are not text tests.
config.excludes = ["inputs", "unit", "bench", "golden", "tools", "lit.cfg.py"]

source = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
build = lit_config.params.get("build", os.path.join(source, "build", "release"))
llvm_tools = lit_config.params.get("llvm_tools", "/usr/lib/llvm-19/bin")

config.test_format = lit.formats.ShTest(execute_external=True)
config.test_source_root = os.path.join(source, "tests")
config.test_exec_root = os.path.join(build, "lit")

# Programs are found by PATH, so RUN lines name them plainly and may be pasted into a shell.
config.environment["PATH"] = os.pathsep.join(
    [os.path.join(build, "bin"), llvm_tools, os.path.join(source, "tests", "tools"), os.environ["PATH"]])
config.substitutions.append(("%kernels", os.path.join(source, "testdata", "kernels")))
config.substitutions.append(("%traces", os.path.join(source, "testdata", "traces")))
config.substitutions.append(("%python", os.path.join(source, "python")))
config.substitutions.append(("%programs", os.path.join(build, "bin")))
config.substitutions.append(("%diffs", os.path.join(source, "testdata", "diffs")))

# The Python package, from this tree and with the programs of this build.
config.environment["PYTHONPATH"] = os.path.join(source, "python")
config.environment["TILESCOPE_PROGRAMS"] = os.path.join(build, "bin")

config.environment["LC_ALL"] = "C.UTF-8"
config.environment["NO_COLOR"] = "1"
for name in ["HOME", "CUDA_HOME", "ASAN_OPTIONS", "LSAN_OPTIONS", "UBSAN_OPTIONS", "LD_LIBRARY_PATH"]:
    if name in os.environ:
        config.environment[name] = os.environ[name]

if os.path.basename(build) == "asan":
    config.available_features.add("sanitizers")
if os.path.exists(os.path.join(build, "bin", "tilescope-view")):
    config.available_features.add("view")

# ./dev setup fetches what tests need of Python; without it they are skipped.
venv = os.path.join(source, ".venv")
config.substitutions.append(("%venv_python", os.path.join(venv, "bin", "python")))
if glob.glob(os.path.join(venv, "lib", "python*", "site-packages", "perfetto")):
    config.available_features.add("perfetto")
if glob.glob(os.path.join(venv, "lib", "python*", "site-packages", "pytest_lsp")):
    config.available_features.add("pytest-lsp")
if glob.glob(os.path.join(venv, "lib", "python*", "site-packages", "pre_commit")):
    config.available_features.add("pre-commit")

# ./dev triton fetches Triton; without it the tests that record its compiles are skipped.
triton = os.path.join(source, ".triton")
config.substitutions.append(("%triton_python", os.path.join(triton, "bin", "python")))
config.substitutions.append(("%triton_kernels", os.path.join(source, "testdata", "triton")))
if glob.glob(os.path.join(triton, "lib", "python*", "site-packages", "triton")):
    config.available_features.add("triton")

# Shells and tools that some machines lack.
for program in ["clang++", "fish", "groff", "nvcc", "nvim", "zsh"]:
    if shutil.which(program, path=config.environment["PATH"]):
        config.available_features.add(program)
if importlib.util.find_spec("yaml"):
    config.available_features.add("yaml")
