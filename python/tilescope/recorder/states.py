"""The state of the program after a pass: its text, its buffers, what it reads and writes, where their plan lies."""

import itertools

from tilelang import tvm
from tvm import tirx

from tilescope.recorder.buffers import Buffers
from tilescope.recorder.numbering import Numbers
from tilescope.recorder.pipelines import Pipelines
from tilescope.recorder.program import Program
from tilescope.recorder.remarks import LOOP_LAYOUT
from tilescope.recorder.source_lines import SourceLines

# Marks the lines of statements while a program is printed; the marks are taken off again.
MARK = "tilescope-statement-"


class Tables:
    """Makes the states of one compile, in order."""

    def __init__(self, function):
        self.buffers = Buffers(function)
        count = itertools.count()
        self.nodes, self.others = Numbers(count), Numbers(count)
        self.marks = {}  # the numbers of the statements of the last state
        self.descriptors = {}  # of the last state, by variable: the ids of the shared buffers that it points into
        self.sources = SourceLines(self.buffers)
        self.pipelines = Pipelines(self.buffers)

    def state(self, functions, after):
        """([(text, statement, source line, whether that was worked out)], {kind of record: records}); `after`: the functions after the next pass that
        changes them, if there is one."""
        self.buffers.look_at(functions)
        marks, accesses, arenas, pipelines, programs = {}, [], [], [], []
        for name, (_, function) in functions.items():
            if self.buffers.declares_shared(function.body):
                programs.append((name, function, Program(function, self.buffers)))
        programs = [made for made in programs if made[2].touched]
        places = [place for _, _, program in programs for place in program.places if place[0] is not None]
        numbers = iter(self.nodes.of([what for _, what in places]))
        for name, function, program in programs:
            accesses.append(access_record(name, program, numbers, marks))
            if self.buffers.is_merged:
                arenas.append(arena_record(name, function, program))
            pipelines += self.pipelines.records(program, marks, after)
        statements = []
        for _, function in functions.values():
            self.collect(function.body, -1, statements)
        self.number_others(statements, marks)
        self.sources.look_at(statements, marks)
        self.marks = marks
        self.descriptors = {variable: {descriptor.touch.buffer.id} for _, _, program in programs
                            for variable, descriptor in program.descriptors.items()}
        buffers = [buffer.record(self.buffers.function) for buffer in self.buffers.now]
        parts = {"buffers": buffers, "accesses": accesses, "arenas": arenas, "pipelines": pipelines}
        return self.print(functions, marks), parts

    def collect(self, stmt, around, statements):
        """[(statement, index of the one around it or -1)], those around first."""
        if type(stmt) is not tirx.SeqStmt:
            statements.append((stmt, around))
            around = len(statements) - 1
        for child in self.buffers.known.facts(stmt).children:
            self.collect(child, around, statements)

    def number_others(self, statements, marks):
        """Those that touch no shared memory."""
        others = {stmt: self.sources.does(stmt) for stmt, _ in statements if stmt not in marks}
        marks.update(zip(others, self.others.of(list(others.values()))))

    def print(self, functions, marks):
        lines = []
        module = tvm.IRModule({name: function for name, function in functions.values()})
        # With a mark an attribute is printed in another way.
        annotations = {stmt: f"{MARK}{number}" for stmt, number in marks.items() if type(stmt) is not tirx.AttrStmt}
        sources = {number: self.source(stmt) for stmt, number in marks.items()}
        number = None
        for line in module.script(show_meta=False, obj_to_annotate=annotations).split("\n"):
            if MARK in line:
                line, _, mark = line.partition("# " + MARK)
                line, number = line.rstrip(), int(mark)
                if not line:
                    continue  # stands above the statement
            lines.append((line, number, *sources.get(number, (0, False))))
            number = None
        return lines

    def loop_layouts(self):
        """By the number of the statement, of the loops of T.Parallel in the last state that say how threads share them."""
        loops = ((number, stmt) for stmt, number in self.marks.items() if type(stmt) is tirx.For)
        said = {number: loop.annotations[LOOP_LAYOUT] for number, loop in loops if LOOP_LAYOUT in loop.annotations}
        return {number: self.buffers.layout_texts.text(layout, 0) for number, layout in sorted(said.items())}

    def source(self, stmt):
        """(its line or 0, whether that was worked out)"""
        return self.sources.line(stmt), self.sources.is_carried(stmt)


def loops_named(node):
    """The parts of a node that name a loop, by the index of its node."""
    accesses = [*node.get("accesses", ()), *node.get("accessesOnZeros", ())]
    counted = [part for part in (node, *accesses) if "mbarrier" in part]
    counters = [part["mbarrier"]["counter"] for part in counted if "counter" in part["mbarrier"]]
    if "counter" in node.get("parity", ()):
        counters.append(node["parity"]["counter"])
    slots = [access["slot"] for access in accesses if "loop" in access.get("slot", ())]
    return slots + [term for counter in counters for term in counter["terms"]] + [node] * ("rangeLoop" in node)


def access_record(name, program, numbers, marks):
    for node, (stmt, _) in zip(program.nodes, program.places):
        if stmt is not None:
            number = next(numbers)
            # A statement that TVM shares between places has the number of the first.
            first = marks.setdefault(stmt, number)
            node["stmt"] = first if node["kind"] == "wait" else number
    # Nodes may share a part.
    for named in {id(part): part for node in program.nodes for part in loops_named(node)}.values():
        key = "rangeLoop" if "rangeLoop" in named else "loop"
        named[key] = program.nodes[named[key]]["stmt"]
    buffers = [{"id": b.id, "name": b.name, "versions": b.versions} for _, b in sorted(program.touched.items())]
    record = {"function": name, "program": {"nodes": program.nodes, "root": program.root, "buffers": buffers,
                                            "mbarriers": program.mbarriers.all, "threads": program.around.block_threads()}}
    if program.cases:
        record["program"]["cases"] = program.cases
    if program.element_threads.all:
        record["program"]["elementThreads"] = program.element_threads.all
    if program.zeroed:
        record["program"]["zeroed"] = program.zeroed
    if program.not_followed:
        record["notFollowed"] = sorted(program.not_followed)
    if program.inexact:
        record["inexact"] = sorted(program.inexact)
    if exact := program.inexact - program.zeroed_data.inexact if program.zeroed_data.has_leaves else ():
        record["exactOnZeros"] = sorted(exact)
    return record


def arena_record(name, function, program):
    """Where their pass put the buffers, and the alignments that it was asked for."""
    shared = [buffer for _, buffer in sorted(program.touched.items()) if buffer.scope == "shared.dyn"]
    if len(shared) == 1 and shared[0].offset is None:
        shared[0].offset = 0  # it is the arena, and there is nothing to merge
    alignments = dict(function.attrs.get("tl.smem_alignment_map") or {}) if function.attrs else {}
    problem, placements = [], []
    for buffer in shared:
        if None in (buffer.offset, buffer.bytes):
            continue
        problem.append({"id": buffer.id, "name": buffer.name, "sizeBytes": buffer.bytes,
                        "alignmentBytes": int(alignments.get(buffer.name, 16)), "versions": buffer.versions,
                        "strideBytes": buffer.bytes // buffer.versions})
        placements.append({"id": buffer.id, "offsetBytes": buffer.offset, "sizeBytes": buffer.bytes})
    return {"function": name, "preview": False, "problem": {"buffers": problem}, "plan": {"placements": placements}}
