"""What a pass decided, from what it left, in the words of our passes (core/pass/remarks.def). Why, only where that follows:
two buffers whose bytes their plan shares are never touched by statements of the kernel's body in turns, if it counts lives
as it says it does (`touched`). Of another plan no reason is given."""

import dataclasses

LOOP_LAYOUT = "parallel_loop_layout"
# Options of TileLang that decide how it counts lives.
NO_REUSE, IN_LOOPS = "tl.disable_shared_memory_reuse", "tl.enable_aggressive_shared_memory_merge"
# Nodes whose children their plan counts one by one. A loop and a condition are one statement.
OPEN = ("seq", "roles")


@dataclasses.dataclass
class State:
    """The state that a pass left: its lines of text with number, line of the kernel, and whether that was worked out, and its
    records, as `Tables.state` makes them; the layout of each loop that has one, by its number; options of the passes, None:
    not known."""

    lines: list
    parts: dict
    loops: dict
    options: dict | None


def remarks_of(name, buffers, before, state):
    """Of the pass of this name; `before`: the layouts of buffers before it, by id."""
    sources = {number: (line, is_carried) for _, number, line, is_carried in state.lines if number is not None}
    if name == "tl.LayoutInference":
        chosen = [remark("LayoutChosen", [buffer], f"'{buffer.name}' gets layout {buffer.layout}")
                  for buffer in buffers.now if buffer.layout and buffer.layout != before.get(buffer.id)]
        return chosen + [of_loop(number, layout, sources) for number, layout in state.loops.items()]
    if name == "tl.MergeSharedMemoryAllocations":
        placed = [buffer for buffer in buffers.now if None not in (buffer.offset, buffer.bytes)]
        plan = Plan(placed, state, sources)
        return plan.whole() + [plan.placement(buffer) for buffer in placed]
    return []


def remark(kind, about, text):
    line = about[0].line
    return {"id": kind, "buffers": [buffer.id for buffer in about], "text": text} | spanned(line)


def spanned(line):
    return {"span": [line, 1, line, 1]} if line else {}


def of_loop(number, layout, sources):
    line, _ = sources.get(number, (0, False))
    return {"id": "ParallelLayoutChosen", "stmt": number,
            "text": f"iterations are spread over threads by {layout}"} | spanned(line)


def share_bytes(first, second):
    return first.offset < second.offset + second.bytes and second.offset < first.offset + first.bytes


class Plan:
    """Their plan of the shared memory of a kernel."""

    def __init__(self, placed, state, sources):
        self.placed, self.options, self.sources = placed, state.options, sources
        self.alignments = {buffer["id"]: buffer["alignmentBytes"] for arena in state.parts["arenas"]
                           for buffer in arena["problem"]["buffers"]}
        self.touched = self.in_turn(state.parts["accesses"])

    def in_turn(self, functions):
        """{buffer: (first, last statement of the body that touches it, each as (position, number))}; {} where a plan shares
        bytes of two that this does not tell apart."""
        touched = {}
        for function in functions:
            nodes = function["program"]["nodes"]
            for at, index in enumerate(statements_of(nodes, function["program"]["root"])):
                for buffer in touched_in(nodes, index):
                    place = (at, nodes[index].get("stmt"))
                    touched[buffer] = (touched.get(buffer, (place,))[0], place)
        pairs = ((one, other) for one in self.placed for other in self.placed if one is not other and share_bytes(one, other))
        is_so = all(self.is_before(touched, one, other) or self.is_before(touched, other, one) for one, other in pairs)
        return touched if is_so else {}

    @staticmethod
    def is_before(touched, one, other):
        return one.id in touched and other.id in touched and touched[one.id][1][0] < touched[other.id][0][0]

    def whole(self):
        height = max((buffer.offset + buffer.bytes for buffer in self.placed), default=0)
        total = sum(buffer.bytes for buffer in self.placed)
        if len(self.placed) < 2:
            return []
        text = f"shared memory: {height:,} bytes for {total:,} bytes of buffers"
        return [{"id": "ArenaPlanned", "text": text + self.how()}]

    def how(self):
        if self.options is None:
            return ""
        if self.options.get(NO_REUSE):
            return f"; none may share bytes ({NO_REUSE})"
        if self.options.get(IN_LOOPS):
            return f"; lives are counted inside of loops ({IN_LOOPS})"
        return "; a life counts from the first to the last statement of the kernel's body, where a loop is one"

    def placement(self, buffer):
        others = [other for other in self.placed if other is not buffer and share_bytes(buffer, other)]
        text = (f"'{buffer.name}' lies at [{buffer.offset:,}, {buffer.offset + buffer.bytes:,}), "
                f"a multiple of {self.alignments.get(buffer.id, 1):,}: ")
        return remark("BufferPlaced", [buffer, *others],
                      text + ("; ".join(self.sharing(buffer, other) for other in others) or "shares none"))

    def sharing(self, buffer, other):
        if self.is_before(self.touched, other, buffer):
            return (f"takes bytes of '{other.name}', whose last statement{self.at(self.touched[other.id][1])} comes before "
                    f"its first{self.at(self.touched[buffer.id][0])}")
        if self.is_before(self.touched, buffer, other):
            return f"leaves bytes to '{other.name}'"
        return f"shares bytes with '{other.name}'"

    def at(self, place):
        """" (line 65)", of a statement."""
        line, is_carried = self.sources.get(place[1], (0, False))
        return f" (line {'~' * is_carried}{line})" if line else ""


def statements_of(nodes, index):
    """The indices of those of the body, in order."""
    if nodes[index]["kind"] not in OPEN:
        return [index]
    return [inner for child in nodes[index]["children"] for inner in statements_of(nodes, child)]


def touched_in(nodes, index):
    """The buffers that a statement touches, itself or inside."""
    own = {access["buffer"] for access in nodes[index].get("accesses", ())}
    return own.union(*(touched_in(nodes, child) for child in nodes[index].get("children", ())))
