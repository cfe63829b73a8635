#!/usr/bin/env python3
"""Whether the checkers find single faults in recorded programs: of the last state of each trace that has an answer of yes,
one wait, arrival, fence or barrier is taken out, or one buffer moved to the offset of another.

usage: plan_faults.py TILESCOPE [TRACE ...] [--all]

Without traces: two kernels of testdata are recorded, with the Python of .peer/. Whole: those of check_plans.py --out.
Each fault is one of these; what is not found is printed, with --all everything:

found      a yes has become a no, or there is a finding that was not there
redundant  no yes has become a no, and none should: the moved buffer shares no bytes with any that is accessed, or a run of
           the program (program_run.py) finds nothing that it did not find without the fault
open       a yes has become "not established", or hazards had no yes, and the run finds something
missed     every yes still holds, and by what the run finds it should not

Exit code 1 where one is missed."""

import argparse
import collections
import json
import pathlib
import subprocess
import sys
import tempfile

import program_run

ROOT = pathlib.Path(__file__).resolve().parents[2]
DROPPED = ("waitPhase", "wait", "arrive", "proxyFence", "barrier", "namedBarrier")
QUESTIONS = {"arenaSound": "arena sound", "hazardFree": "free of hazards"}
OUTCOMES = ("found", "redundant", "open", "missed")


class Plan:
    """Of a trace: the last state, in which faults are made, and what is said of it."""

    def __init__(self, tilescope, path, folder):
        self.tilescope, self.file = tilescope, pathlib.Path(folder) / "faulty.trace"
        self.records = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        last = {record["record"]: at for at, record in enumerate(self.records)}
        self.states = sorted(last[kind] for kind in ("accesses", "arenas"))
        self.lines = [json.dumps(record) + "\n" for record in self.records]
        self.programs = self.records[last["accesses"]]["accesses"]
        self.arenas = self.records[last["arenas"]]["arenas"]
        self.verdicts, self.findings = self.check()
        self.of_run = self.run()

    def check(self):
        """({question: verdict}, {finding})"""
        for at in self.states:
            self.lines[at] = json.dumps(self.records[at]) + "\n"
        self.file.write_text("".join(self.lines), encoding="utf-8")
        run = subprocess.run([self.tilescope, "check", "--format", "json", self.file], capture_output=True, text=True)
        said = json.loads(run.stdout)
        findings = {(one["text"], one.get("sourceLine"), *(note["place"].get("line") for note in one.get("notes", [])))
                    for one in said.get("findings", [])}
        return {question: said[question] for question in QUESTIONS}, findings

    def run(self):
        """What the run finds; a text: why it is not run."""
        found = set()
        for one in self.programs:
            places = {}
            for arena in self.arenas:
                if arena["function"] == one["function"]:
                    versions = {buffer["id"]: buffer for buffer in arena["problem"]["buffers"]}
                    for placed in arena["plan"]["placements"]:
                        buffer = versions[placed["id"]]
                        places[placed["id"]] = (placed.get("offsetBytes", 0), buffer.get("strideBytes", placed["sizeBytes"]),
                                                buffer.get("versions", 1))
            try:
                found |= program_run.faults_of(one["program"], places)
            except program_run.NotRun as why:
                return str(why)
        return found

    def is_alone(self, moved):
        """Whether no buffer that is accessed lies where this one does."""
        used = {access.get("buffer") for one in self.programs for node in one["program"]["nodes"]
                for access in node.get("accesses", [])}
        begin, end = moved.get("offsetBytes", 0), moved.get("offsetBytes", 0) + moved["sizeBytes"]
        return moved["id"] not in used or not any(
            other.get("offsetBytes", 0) < end and begin < other.get("offsetBytes", 0) + other["sizeBytes"]
            for arena in self.arenas for other in arena["plan"]["placements"] if other is not moved and other["id"] in used)


def faults(plan):
    """(what is wrong, moved buffer or None) of each fault, while it is in the plan."""
    if plan.verdicts["hazardFree"] == "yes":
        for program in (one["program"] for one in plan.programs):
            for at, node in enumerate(program["nodes"]):
                is_of_warp = node["kind"] == "barrier" and node.get("scope", "block") != "block"
                if node["kind"] in DROPPED and not is_of_warp:
                    program["nodes"][at] = {"kind": "seq"}
                    yield f"without the {node['kind']} of statement {node['stmt']}", None
                    program["nodes"][at] = node
    for placements in (arena["plan"]["placements"] for arena in plan.arenas):
        for moved in placements:
            own = moved.get("offsetBytes", 0)
            for offset in sorted({other.get("offsetBytes", 0) for other in placements} - {own}):
                moved["offsetBytes"] = offset
                yield f"with buffer {moved['id']} at {offset}", moved
            moved["offsetBytes"] = own


def outcome(plan, moved):
    """(one of OUTCOMES, why)"""
    verdicts, findings = plan.check()
    said_yes = [question for question, verdict in plan.verdicts.items() if verdict == "yes"]
    if any(verdicts[question] == "no" for question in said_yes) or findings - plan.findings:
        return "found", ""
    lost = [QUESTIONS[question] for question in said_yes if verdicts[question] != "yes"]
    if not lost and moved and plan.is_alone(moved):
        return "redundant", "it shares no bytes"
    run = plan.run()
    if isinstance(run, str):
        return "open", f"{', '.join(lost) or 'all'} {'not established' if lost else 'yes'}; it is not run: {run}"
    more = sorted(run - plan.of_run, key=str)
    if not more:
        return "redundant", "a run finds nothing" + (", though it is not established" if lost else "")
    first = f"the run finds {more[0]}"
    if lost:
        return "open", f"{', '.join(lost)} not established; {first}"
    # Values that are overwritten while threads race are hazards too.
    is_hazard = any(one[0] != "overwritten" for one in more)
    if is_hazard and plan.verdicts["hazardFree"] != "yes":
        return "open", f"free of hazards was {plan.verdicts['hazardFree']}; {first}"
    return "missed", first


def recorded_sample(folder):
    """Paths of traces of what check_peer.py records, for sm_90a. TileLang is needed from here on."""
    import check_peer

    for number, kernel in enumerate(check_peer.KERNELS):
        path = pathlib.Path(folder) / f"{number}.trace"
        check_peer.record(kernel, "sm_90a", path)
        yield path


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tilescope")
    parser.add_argument("traces", nargs="*", type=pathlib.Path)
    parser.add_argument("--all", action="store_true", help="print also what is found")
    given = parser.parse_args()
    total, arguments = collections.Counter(), collections.Counter()
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as recorded:
        for path in given.traces or recorded_sample(recorded):
            plan = Plan(given.tilescope, path, folder)
            if plan.verdicts["arenaSound"] != "yes":
                continue
            counts = collections.Counter()
            for what, moved in faults(plan):
                kind, why = outcome(plan, moved)
                counts[kind] += 1
                arguments[kind, why.partition(" (")[0]] += 1
                if given.all or kind in ("open", "missed"):
                    print(f"{path.stem}: {what}: {kind}{': ' + why if why else ''}", flush=True)
            total += counts
            print(f"{path.stem}: " + ", ".join(f"{counts[kind]} {kind}" for kind in OUTCOMES), flush=True)
    for (kind, why), count in sorted(arguments.items()):
        print(f"  {count} {kind}{': ' + why if why else ''}")
    print("plan faults: " + ", ".join(f"{total[kind]} {kind}" for kind in OUTCOMES))
    return 1 if total["missed"] else 0


if __name__ == "__main__":
    sys.exit(main())
