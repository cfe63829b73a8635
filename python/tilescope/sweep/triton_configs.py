"""Configs of a kernel of Triton's, and what each needs: compiled and recorded by processes of their own, without a GPU.

Values are those of --constexpr and --option, all combinations of them; where these do not say it, of each configuration of the
kernel's @triton.autotune. A config that has more shared memory than a block may have is one that fails, with how much."""

import ast
import contextlib
import itertools
import json
import pathlib
import re
import subprocess
import sys
import tempfile

from triton.runtime.autotuner import Autotuner

from tilescope import programs
from tilescope.definitions import load_definitions
from tilescope.problem import Problem
from tilescope.recorder.triton.kernel_files import kernel_in_file, kernel_of
from tilescope.sweep.table import Config

OPTIONS = ("num_warps", "num_stages", "num_ctas", "maxnreg")
FORMAT = 4  # of a journal: core/sweep/journal.h


def configs_of(kernel: str, constants: list[str], options: list[str]) -> tuple[list[Config], dict[str, str]]:
    """Of FILE[:FUNCTION], and what all share, by name. `constants`, `options`: NAME=VALUE,..."""
    given = {name: values_of(name, text) for name, text in map(named, [*constants, *options])}
    tuned = [{name: value for name, value in config.items() if name not in given} for config in tuned_configs(kernel)]
    fixed = {name: values[0] for name, values in given.items() if len(values) == 1}
    swept = {name: values for name, values in given.items() if len(values) > 1}
    configs = [Config(own | dict(zip(swept, values))) for own in tuned or [{}] for values in itertools.product(*swept.values())]
    return configs, fixed


def named(text: str) -> tuple[str, str]:
    name, is_set, value = text.partition("=")
    if not is_set:
        raise Problem(f"{text}: expected NAME=VALUE,...")
    return name, value


def values_of(name: str, text: str) -> list[str]:
    """64,128 is two; commas in brackets stay."""
    with contextlib.suppress(SyntaxError):
        elements = ast.parse(f"({text},)", mode="eval").body.elts
        return list(dict.fromkeys(ast.unparse(element) for element in elements))
    raise Problem(f"{name}={text}: expected values with commas between")


def tuned_configs(kernel: str) -> list[dict[str, str]]:
    """Of the @triton.autotune around it."""
    file, function = kernel.partition(":")[0], kernel_in_file(kernel)
    tuners = [value for value in vars(load_definitions(pathlib.Path(file))).values()
              if isinstance(value, Autotuner) and kernel_of(value).__name__ == function.__name__]
    return [{name: repr(value) for name, value in config.all_kwargs().items() if value is not None}
            for tuner in tuners[:1] for config in tuner.configs]


class Measure:
    """What one config needs. `signature`: of the kernel; `traces`: where they are kept, "": they are not."""

    def __init__(self, kernel: str, signature: list[str], fixed: dict[str, str], options: list[str], traces: str):
        self.kernel, self.signature, self.fixed, self.traces = kernel, signature, fixed, traces
        self.options = {*OPTIONS, *(name for name, _ in map(named, options))}

    def __call__(self, config: Config, target: str) -> list[dict]:
        """The lines of a journal."""
        with tempfile.TemporaryDirectory(prefix="tilescope-") as folder:
            trace = pathlib.Path(self.traces or folder) / f"{self.name_of(config)}-{target}.trace"
            run = subprocess.run([sys.executable, "-m", "tilescope", "record", self.kernel, "--target", target, "-o", trace,
                                  *self.arguments(config)], capture_output=True, text=True)
            if run.returncode != 0:
                said = [line for line in run.stderr.splitlines() if "error: " in line] or [f"exits with {run.returncode}"]
                return [{"error": said[0].partition("error: ")[2] or said[0]}]
            return row_of(trace, ", ".join(self.signature))

    def name_of(self, config: Config) -> str:
        function = self.kernel.partition(":")[2] or pathlib.Path(self.kernel).stem
        return re.sub(r"[^\w.-]+", "", "-".join([function, *(name + value for name, value in config.values.items())]))

    def arguments(self, config: Config) -> list[str]:
        made = [argument for types in self.signature for argument in ("--signature", types)]
        for name, value in {**self.fixed, **config.values}.items():
            made += ["--option" if name in self.options else "--constexpr", f"{name}={value}"]
        return made


def row_of(trace, problem: str) -> list[dict]:
    arena = asked("show", "arena", trace)["functions"]
    verdicts = asked("check", trace)
    over = [function for function in arena if 0 < function["capacityBytes"] < function["peakBytes"]]
    if over:
        needed, allowed = over[0]["peakBytes"], over[0]["capacityBytes"]
        return [{"error": f"{needed:,} bytes of shared memory, of which a block may have {allowed:,}: {needed - allowed:,} too many"}]
    no = [what for what, key in (("arena", "arenaSound"), ("hazards", "hazardFree")) if verdicts[key] == "no"]
    if no:
        return [{"error": f"{' and '.join(no)}: {verdicts['findings'][0]['text']}"}]
    versions = max((buffer["versions"] for one in arena for buffer in one["buffers"]), default=0)
    row = {"point": 0, "problem": problem, "peakBytes": max((one["peakBytes"] for one in arena), default=0),
           "proof": "gap" if any(one["proof"] != "optimal" for one in arena) else "optimal",
           "barriers": barriers_of(trace), "stages": versions if versions > 1 else 0}
    occupancy = next((one["occupancy"] for one in arena if "occupancy" in one), {})
    row |= {"blocksPerSm": occupancy["blocks"], "limitedBy": occupancy.get("limitedBy", [])} if occupancy else {}
    row |= {"registers": occupancy["registersOfThread"]} if "registersOfThread" in occupancy else {}
    return [{"format": FORMAT, "toolVersion": programs.version(), "axes": [], "usesPtxas": True}, row]


def barriers_of(trace) -> int:
    """Of the block, in the last state."""
    found = 0
    for line in pathlib.Path(trace).read_text(encoding="utf-8").splitlines():
        if '"record":"accesses"' in line:
            nodes = [node for one in json.loads(line)["accesses"] for node in one["program"]["nodes"]]
            found = sum(node["kind"] == "barrier" and node.get("scope", "block") == "block" for node in nodes)
    return found


def asked(*arguments) -> dict:
    program = programs.path("tilescope")
    run = subprocess.run([program, *map(str, arguments), "--format", "json"], capture_output=True, text=True)
    return json.loads(run.stdout)
