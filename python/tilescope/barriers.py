"""python -m tilescope barriers: which barriers that Triton inserted order nothing that is not ordered without them.

A barrier is taken out of the record, and the program is judged again: if every pair of accesses of shared memory is still
shown to be ordered, the barrier is not needed for any. One after the other is left out as long as that is so, so that all that
are named can go together. What a barrier does for global memory is not looked at: only those of shared memory alone are asked
about. Nothing can be said where hazards are not established to begin with.
Exit code: 0 fine, 2 trouble."""

import argparse
import contextlib
import json
import pathlib
import subprocess
import sys
import tempfile

from tilescope import programs
from tilescope.problem import Problem

OF_SHARED_MEMORY = "ttg.barrier local"  # as a line of the IR begins


def parse(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tilescope barriers", description=__doc__.partition(": ")[2],
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("trace", help="of a kernel of Triton's, as 'record' writes it")
    return parser.parse_args(arguments)


class Record:
    """The last state of a trace."""

    def __init__(self, path: pathlib.Path):
        try:
            self.records = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        except (UnicodeDecodeError, json.JSONDecodeError):
            raise Problem(f"{path} is no trace") from None
        # Others make mbarriers where no access says so.
        if not self.records or not str(self.records[0].get("compiler")).startswith("triton "):
            raise Problem(f"{path} is no trace of Triton's")
        last = {record["record"]: at for at, record in enumerate(self.records)}
        if "accesses" not in last:
            raise Problem(f"{path} does not say what is accessed")
        self.at = last["accesses"]
        self.lines = [json.dumps(record) for record in self.records]
        self.places = self.places_of_statements()

    def places_of_statements(self) -> dict[int, tuple[int, str, int]]:
        """{statement: (line of the IR, its text, line of the kernel file)}"""
        lines, now = [], []
        for record in self.records:
            if record["record"] == "lines":
                lines += record["lines"]
            elif record["record"] == "snapshot" and "full" in record:
                now = record["full"]
            elif record["record"] == "snapshot":
                # From the end, so that what is before keeps its place.
                for begin, removed, inserted in reversed(record["edits"]):
                    now = now[:begin] + inserted + now[begin + removed:]
        found = {}
        for number, line in enumerate(now, 1):
            text, statement, *source = lines[line]
            if statement is not None:
                found.setdefault(statement, (number, text.strip(), source[1][0] if source[1] else 0))
        return found

    def barriers(self) -> list[tuple[dict, dict, int]]:
        """(program, function, number of the node) of those that a statement of its own is for."""
        found = []
        for function in self.records[self.at]["accesses"]:
            nodes = function["program"]["nodes"]
            others = {node.get("stmt") for node in nodes if node["kind"] != "barrier"}
            found += [(nodes, function, at) for at, node in enumerate(nodes)
                      if node["kind"] == "barrier" and node.get("scope", "block") == "block" and node.get("stmt") not in others
                      and self.places.get(node.get("stmt"), (0, "", 0))[1].startswith(OF_SHARED_MEMORY)]
        return found

    def is_sound(self, folder: str) -> bool:
        """Without what was taken out."""
        self.lines[self.at] = json.dumps(self.records[self.at])
        path = pathlib.Path(folder) / "without.trace"
        path.write_text("".join(f"{line}\n" for line in self.lines), encoding="utf-8")
        run = subprocess.run([programs.path("tilescope"), "check", "--format", "json", path], capture_output=True, text=True)
        with contextlib.suppress(json.JSONDecodeError):
            said = json.loads(run.stdout)
            return said.get("arenaSound") == said.get("hazardFree") == "yes"
        raise Problem(run.stderr.strip().removeprefix("tilescope: error: ") or "the trace is not read")


def main(arguments: list[str]) -> int:
    given = parse(arguments)
    record, needless = Record(pathlib.Path(given.trace)), []
    barriers = record.barriers()
    with tempfile.TemporaryDirectory(prefix="tilescope-") as folder:
        if not record.is_sound(folder):
            raise Problem("its barriers are not judged: it is not shown that nothing is missing (tilescope check)")
        for nodes, _, at in barriers:
            node, nodes[at] = nodes[at], {"kind": "seq"}
            if record.is_sound(folder):
                needless.append(node["stmt"])
            else:
                nodes[at] = node
    print(f"{len(needless)} of {len(barriers)} barriers order nothing that is not ordered without them")
    for statement in needless:
        number, text, source = record.places[statement]
        print(f"  line {number} of the IR{f', line {source} of the kernel' * bool(source)}: {text}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
