"""Compiles IR texts, one a config, and has the program print them as a sweep.

`tilescope sweep --shard 1/1` writes what it measured of an IR text as a journal (core/sweep/journal.h). The rows of all
configs become one journal, and `tilescope merge` prints that, of each target in turn. Configs that are all combinations of
their values are a grid with an axis a name; others are one axis, whose values are whole configs:

    block_M=64 block_N=64                        config
    block_M=64 block_N=32     ->  block_M: 64    block_M=64 block_N=64
                                  block_N: 64,32"""

import concurrent.futures
import dataclasses
import json
import math
import pathlib
import subprocess
import tempfile

from tilescope import programs
from tilescope.problem import Problem


@dataclasses.dataclass
class Config:
    """`values` by name, as texts; IR text, or the reason why there is none."""

    values: dict[str, str]
    ir: str = ""
    error: str = ""

    def text(self) -> str:
        return " ".join(f"{name}={value}" for name, value in self.values.items())


def without_repeats(configs: list[Config]) -> list[Config]:
    return list({config.text(): config for config in configs}.values())


def check_same(configs: dict[str, list[Config]], kernel: str):
    """A kernel that asks which GPU there is may have others for each target, which are no one grid."""
    (first, expected), *others = ((target, [config.text() for config in each]) for target, each in configs.items())
    for target, found in others:
        if found != expected:
            raise Problem(f"{kernel} has other configs for {target} than for {first}: sweep one target at a time")


def axes_of(configs: list[Config]) -> dict[str, list[str]]:
    """The values of each name of the configs; of configs that are no grid those of "config"."""
    names = list(configs[0].values)
    values = {name: list(dict.fromkeys(config.values.get(name, "") for config in configs)) for name in names}
    is_grid = all(list(config.values) == names for config in configs)
    if is_grid and math.prod(map(len, values.values())) == len(configs):
        return values
    return {"config": [config.text() for config in configs]}


def point_of(config: Config, axes: dict[str, list[str]]) -> int:
    """Its number in the grid: the last axis changes fastest."""
    point = 0
    for name, values in axes.items():
        point = point * len(values) + values.index(config.values.get(name, config.text()))
    return point


def journal_of(config: Config, target: str, options: list[str]) -> list[dict]:
    """`options` are those of `tilescope sweep`. The lines of the journal of one config: what was swept, then a row a point. A config that fails has one line: its
    reason."""
    if config.error:
        return [{"error": config.error}]
    with tempfile.TemporaryDirectory() as folder:
        text, journal = pathlib.Path(folder) / "config.ir", pathlib.Path(folder) / "config.sweep"
        text.write_text(config.ir, encoding="utf-8")
        run = subprocess.run([programs.path("tilescope"), "sweep", str(text), "--target", target, "--shard", "1/1", "-o", str(journal), *options],
                             capture_output=True, text=True)
        if journal.exists():
            return [json.loads(line) for line in journal.read_text(encoding="utf-8").splitlines()]
    said = [line for line in run.stderr.splitlines() if "error: " in line] or [f"tilescope exits with {run.returncode}"]
    return [{"error": said[0].partition("error: ")[2] or said[0]}]


def joined(journals: list[list[dict]], configs: dict[str, list[Config]], kernel: str, fixed: dict[str, str]) -> list[dict]:
    """One journal of all: `journals` of the configs of the first target, then of the next. `fixed` are arguments that all
    configs share."""
    header = next((lines[0] for lines in journals if "axes" in lines[0]), None)
    if header is None:
        raise Problem("\n".join(["no config compiles:", *dict.fromkeys(lines[0]["error"] for lines in journals)]))
    of_target = next(iter(configs.values()))
    axes, options = axes_of(of_target), header["axes"]
    each = math.prod(len(axis["values"]) for axis in options)
    of_configs = [{"name": name, "values": values} for name, values in axes.items()]
    shared = [{"name": name, "values": [value]} for name, value in fixed.items()]
    # Its function is that of the IR text, and the hash is of one config.
    kept = {name: value for name, value in header.items() if name not in ("function", "fileHash")}
    rows = []
    numbers = [number * len(of_target) + point_of(config, axes)
               for number, of_one in enumerate(configs.values()) for config in of_one]
    for number, lines in zip(numbers, journals):
        first = number * each
        found = lines[1:] if "axes" in lines[0] else [{"point": point, **lines[0]} for point in range(each)]
        rows += [row | {"point": first + row["point"]} for row in found]
    return [kept | {"kernel": kernel, "targets": list(configs), "axes": [*shared, *of_configs, *options]}, *rows]


def write_table(configs: dict[str, list[Config]], kernel: str, fixed: dict[str, str], measure,
                output: list[str], jobs: int) -> int:
    """`configs` by target. `measure(config, target)` gives the lines of the journal of one; `output` are options of
    `tilescope merge`, of which the exit code is."""
    program = str(programs.path("tilescope"))
    configs = {target: without_repeats(of_one) for target, of_one in configs.items()}
    check_same(configs, kernel)
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        compiled = [pool.submit(measure, config, target)
                    for target, of_one in configs.items() for config in of_one]
        journals = [each.result() for each in compiled]
    with tempfile.TemporaryDirectory() as folder:
        journal = pathlib.Path(folder) / "configs.sweep"
        lines = joined(journals, configs, kernel, fixed)
        journal.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
        code = subprocess.run([program, "merge", str(journal), *output]).returncode
    return code if code >= 0 else 128 - code
