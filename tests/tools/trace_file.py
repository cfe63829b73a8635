"""The last state that a trace records: declarations, plans, IR text, CUDA. Format: core/trace_file/README.md."""

import json

# Offsets of a record, and the records that have some.
OFFSETS = ("previousPassEnd", "lastFull")


def with_times(text, microseconds):
    """The same trace, each pass of which took so long; offsets in the file follow."""
    new_lines, new_offsets, old_offset, new_offset = [], {}, 0, 0
    for line in text.splitlines(keepends=True):
        new_offsets[old_offset] = new_offset
        old_offset += len(line.encode())
        record = json.loads(line)
        if record["record"] in ("passEnd", "time", "index"):
            line = json.dumps(steady(record, microseconds, new_offsets, new_lines), ensure_ascii=False,
                              separators=(",", ":")) + "\n"
        new_lines.append(line)
        new_offset += len(line.encode())
    return "".join(new_lines)


def steady(record, microseconds, new_offsets, new_lines):
    if record["record"] == "time":
        record["wallMicroseconds"] = microseconds
    for name in OFFSETS:
        if record.get(name) is not None:
            record[name] = new_offsets[record[name]]
    if record["record"] == "index":
        record["passEnds"] = [new_offsets[offset] for offset in record["passEnds"]]
        for entry, line in zip(record["records"], new_lines):
            entry[1] = len(line.encode())
    return record


def apply_edits(before, edits):
    after, at = [], 0
    for position, removed, inserted in edits:
        after += before[at:position] + inserted
        at = position + removed
    return after + before[at:]


class TraceFile:
    """`ir` is a list of [text, stmt, buffer, span]; the others are the last record of their kind.

    `remarks` has those of the last run of each pass, by its name."""

    def __init__(self, path):
        lines, snapshot, last, self.times, self.remarks = [], [], {}, {}, {}
        for text in path.read_text(encoding="utf-8").splitlines():
            record = json.loads(text)
            last[record["record"]] = record
            if record["record"] == "time":
                name = last["passEnd"].get("name")
                self.times[name] = self.times.get(name, 0) + record.get("wallMicroseconds", 0)
            if record["record"] == "passEnd":
                self.remarks[record.get("name")] = record.get("remarks", [])
            if record["record"] == "lines":
                lines += record["lines"]
            if record["record"] == "snapshot":
                snapshot = record["full"] if "full" in record else apply_edits(snapshot, record["edits"])
        self.ir = [lines[index] for index in snapshot]
        self.buffers = last.get("buffers", {}).get("buffers", [])
        self.accesses = last.get("accesses", {}).get("accesses", [])
        self.arenas = last.get("arenas", {}).get("arenas", [])
        self.cuda = last.get("cuda", {"text": "", "map": []})

    def micros(self, pass_name):
        """What all runs of a pass took."""
        return self.times.get(pass_name, 0)
