"""Whether emitted CUDA reaches shared memory only through names of the buffers that the IR names.

    half *const A_shared = reinterpret_cast<half *>(arena + 1024);          an alias: of A_shared, at its offset
    half *const A_shared_k = A_shared + (k % 3) * A_shared_slot;            a slot pointer: of what it starts from
    ldmatrix_x4(A_local, &A_shared_k[...]);                                 a use: its statement must name A_shared

What a name stands for is read from the declarations, what a statement may touch from the IR; the emitter's own list of
buffers (`buffers` of the line map) is compared with both.
"""

import collections
import re

ARENA = re.compile(r"^extern __shared__ __align__\(\d+\) unsigned char arena\[\];$")
ALIAS = re.compile(r"^(?:\[\[maybe_unused\]\] )?(\w+) \*const (\w+) = reinterpret_cast<\1 \*>\(arena \+ (.+)\);$")
STATIC = re.compile(r"^(?:\[\[maybe_unused\]\] )?__shared__ alignas\(\d+\) \w+ (\w+)\[\d+\];$")
POINTER = re.compile(r"^\w+ \*const (\w+) = (\w+)(?: \+ .*)?;$")
STRIDE = re.compile(r"^(?:constexpr int|const i64) (\w+)_slot(?:_\d+)? = .+;$")
VERSIONED = re.compile(r"versions=\{[^}]*\}")  # of a loop: says which buffers it versions, touches none
WORD = re.compile(r"[A-Za-z_]\w*")
SHARED_SCOPES = ("shared", "shared.dyn")


def words(text):
    return WORD.findall(text.split("//")[0])


def statements(text):
    """(number of the first line, text) of what the emitter wrote as one line before it broke long ones."""
    first, pending = 0, ""
    for number, line in enumerate(text.splitlines(), 1):
        first = first if pending else number
        pending = f"{pending} {line.strip()}".strip()
        if not pending or pending.startswith(("#", "//")) or pending.split("//")[0].rstrip().endswith((";", "{", "}")):
            yield first, pending
            pending = ""


def indentation(text):
    return len(text) - len(text.lstrip())


class SharedNames:
    """One walk over the line map; `findings` says what is wrong."""

    def __init__(self, trace):
        self.findings = []
        self.trace = trace
        self.shared = {b["id"]: b for b in trace.buffers if b["scope"] in SHARED_SCOPES}
        self.owner = {}  # alias or slot pointer -> id of its buffer
        self.used = collections.defaultdict(set)  # statement -> ids of the shared buffers that its lines name
        self.mapped = {entry["line"]: entry for entry in trace.cuda["map"]}
        for number, line in statements(trace.cuda["text"]):
            self.walk(number, line, self.mapped.get(number, {}))
        self.compare_with_ir()

    def report(self, number, line, what):
        self.findings.append(f"emitted line {number} {what}: {line}")

    def walk(self, number, line, entry):
        if line.startswith("//") or ARENA.match(line) or self.declares(number, line, entry):
            return
        if "arena" in words(line):
            self.report(number, line, "reaches into the arena")
        ids = {self.owner[word] for word in words(line) if word in self.owner}
        if ids != set(entry.get("buffers", [])):
            self.report(number, line, f"names {sorted(ids)}, its map {entry.get('buffers', [])}")
        self.used[entry.get("stmt")] |= ids

    def declares(self, number, line, entry):
        """Records what a declaration introduces; false if the line is none."""
        alias, static = ALIAS.match(line), STATIC.match(line)
        if alias or static:
            self.declare_buffer(number, line, entry, alias.group(2) if alias else static.group(1),
                                alias.group(3) if alias else None)
            return True
        pointer = POINTER.match(line)
        if pointer and pointer.group(2) in self.owner:
            self.owner[pointer.group(1)] = self.owner[pointer.group(2)]
            return True
        return bool(STRIDE.match(line) and STRIDE.match(line).group(1) in self.owner)

    def declare_buffer(self, number, line, entry, name, offset):
        ids = entry.get("buffers", [])
        buffer = self.shared.get(ids[0]) if len(ids) == 1 else None
        if not buffer:
            return self.report(number, line, "declares no shared buffer")
        self.owner[name] = ids[0]
        if not re.fullmatch(re.escape(buffer["name"]) + r"(_\d+)?", name):
            self.report(number, line, f"is of {buffer['name']}")
        planned = str(buffer.get("offsetBytes", 0))
        if offset is not None and "sizeBytes" in buffer and offset != planned:
            self.report(number, line, f"is planned at {planned}")

    def compare_with_ir(self):
        """Each statement's lines name exactly what the statement names; one without a line of its own (the body of a
        vectorized loop) counts for the statement around it."""
        ids = {buffer["name"]: buffer["id"] for buffer in self.shared.values()}
        expected, around = collections.defaultdict(set), []
        for text, stmt, _, _ in self.trace.ir:
            if stmt is None:
                continue
            while around and around[-1][0] >= indentation(text):
                around.pop()
            around.append((indentation(text), stmt))
            printed = next((one for _, one in reversed(around) if one in self.used), None)
            expected[printed] |= {ids[word] for word in WORD.findall(VERSIONED.sub("", text)) if word in ids}
        for stmt in expected.keys() | self.used.keys():
            if expected[stmt] != self.used[stmt]:
                self.findings.append(f"statement {stmt} names {sorted(expected[stmt])}, "
                                     f"its CUDA {sorted(self.used[stmt])}")


def plant(trace):
    """(what, text) of broken variants of the CUDA; the walk must object to each."""
    text, names = trace.cuda["text"], SharedNames(trace)
    lines = text.splitlines()
    for number, line in enumerate(lines):
        used = [word for word in words(line) if word in names.owner]
        if not used or names.declares(number + 1, line.strip(), names.mapped.get(number + 1, {})):
            continue
        own = re.compile(rf"\b{used[0]}\b")

        def variant(replacement):
            return "\n".join(lines[:number] + [own.sub(replacement, line)] + lines[number + 1:])
        yield "a raw arena expression", variant("(arena + 0)")
        for other, buffer in names.owner.items():
            if buffer != names.owner[used[0]]:
                yield f"'{other}' for '{used[0]}'", variant(other)
                break
        break
    if "(arena + 0);" in text:
        yield "another offset", text.replace("(arena + 0);", "(arena + 16);")
