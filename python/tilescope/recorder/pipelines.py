"""The pipelined loops of a program: what was asked for, what their planner decided, what the loop keeps when it is done.

    asked     num_stages                              until PipelinePlanning, with roles ProducerConsumerWarpSpecialized
    planned   software_pipeline_stage, _order, ...    after PipelinePlanning
    done      tl_pipelined_num_stages                 from InjectSoftwarePipeline on

Where warps have roles, the loop is one of each role, and nothing marks them any more: they are those that run over the
variable of the loop that was asked for, and what has the number of such a loop after later passes."""

from tvm import tirx

from tilescope.recorder.expressions import constant, constants

STAGE, ORDER = "software_pipeline_stage", "software_pipeline_order"
GROUP = "software_pipeline_async_producer_groups"
INSIDE = {tirx.SBlockRealize: "block", tirx.SBlock: "body", tirx.AttrStmt: "body", tirx.IfThenElse: "then_case"}
ASKED = ("num_stages", "tl_pipelined_num_stages")


class Pipelines:
    def __init__(self, buffers):
        self.buffers, self.known = buffers, buffers.known
        self.asked, self.in_roles = {}, {}  # stages: by variable of the loop, and by number of a loop of a role

    def records(self, program, marks, after):
        """Of the loops of a Program whose nodes have their numbers. `marks`: numbers of statements; `after`: the functions
        after the next pass that changes the program, if there is one."""
        return [self.record(program, index, stages, marks, after)
                for index, stages in self.loops(program, program.root, False)]

    def loops(self, program, index, is_in_role):
        """(index of the node, stages)"""
        node, loop = program.nodes[index], program.places[index][0]
        if type(loop) is tirx.For and node["kind"] == "loop":
            stages = self.stages_of(loop, node["stmt"], is_in_role)
            if stages:
                yield index, stages
        for child in node.get("children", ()):
            yield from self.loops(program, child, is_in_role or node["kind"] == "roles")

    def stages_of(self, loop, number, is_in_role):
        said = [constant(loop.annotations[name]) for name in ASKED if name in loop.annotations]
        variable = hash(loop.loop_var)
        if said:
            self.asked[variable] = said[0]
        elif is_in_role:
            said = [stages for stages in (self.asked.get(variable), self.in_roles.get(number)) if stages]
        if is_in_role and said:
            self.in_roles[number] = said[0]
        return said[0] if said else None

    def record(self, program, index, stages, marks, after):
        loop, node = program.places[index][0], program.nodes[index]
        record = {"loop": node["stmt"], "numStages": stages, "trips": str(loop.extent)}
        if "num_stages" in loop.annotations:
            return record
        tiles = self.tiles(program, index)
        if STAGE not in loop.annotations:
            return record | {"versions": [[buffer.id, buffer.versions] for buffer in tiles]}
        # What their planner decides of versions shows in the next program.
        planned = self.buffers.versions_in(after or {})
        return record | {"schedule": self.schedule(loop, marks),
                         "versions": [[buffer.id, planned.get(buffer.name, 1)] for buffer in tiles]}

    @staticmethod
    def tiles(program, index):
        """The buffers that are written in a loop, and those that have versions."""
        inside, tiles = [index], {}
        for at in inside:
            inside += program.nodes[at].get("children", ())
            for access in program.nodes[at].get("accesses", ()):
                buffer = program.touched[access["buffer"]]
                if "kind" in access or buffer.versions > 1:
                    tiles[buffer.id] = buffer
        return [buffer for _, buffer in sorted(tiles.items())]

    def schedule(self, loop, marks):
        units = scheduled(loop.body)
        stages, orders = constants(loop.annotations[STAGE]), constants(loop.annotations[ORDER])
        groups = constants(loop.annotations[GROUP]) if GROUP in loop.annotations else [-1] * len(units)
        if not len(units) == len(stages) == len(orders) == len(groups):
            return []
        # Statements that touch no shared memory have no number.
        return [{"stmt": number, "order": order, "stage": stage, "group": group}
                for unit, stage, order, group in zip(units, stages, orders, groups)
                for number in sorted({marks[stmt] for stmt in self.known.statements(unit) if stmt in marks})]


def scheduled(body):
    """The statements of a loop that its planner gives a stage."""
    while type(body) in INSIDE:
        if type(body) is tirx.IfThenElse and body.else_case is not None:
            break
        body = getattr(body, INSIDE[type(body)])
    return body.seq[:] if type(body) is tirx.SeqStmt else [body]
