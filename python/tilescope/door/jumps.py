"""`break` and `continue`: our IR has no jumps, so what they skip stands under a condition, as core/frontend/jumps.h has it."""

import dataclasses

from tilelang import ir as tilelang_ir
from tvm import tirx

from .expressions import call_name, constant

JUMPS = {"loop_break": "break", "break_loop": "break", "continue_loop": "continue", "loop_continue": "continue"}
LOOPS = (tirx.For, tirx.While)


def jump_of(stmt) -> str:
    return JUMPS.get(call_name(stmt.value), "") if type(stmt) is tirx.Evaluate else ""


def parts(stmt) -> list:
    """Statements inside, of which each runs at most once for each time that the statement does."""
    if type(stmt) is tirx.SeqStmt:
        return list(stmt.seq)
    if type(stmt) is tirx.IfThenElse:
        return [side for side in (stmt.then_case, stmt.else_case) if side is not None]
    if type(stmt) is tirx.SBlockRealize:
        return [stmt.block.body]
    return [stmt.body] if type(stmt) in (tirx.AttrStmt, tirx.SBlock) else []


def depth_of_jumps(stmt) -> int:
    """How many branches are around the deepest jump of a loop with this body; -1: it has none."""
    if jump_of(stmt):
        return 0
    deepest = max(map(depth_of_jumps, parts(stmt)), default=-1)
    return deepest + (type(stmt) is tirx.IfThenElse) if deepest >= 0 else -1


def needs_variable(loop) -> bool:
    return depth_of_jumps(loop.body) > 1


@dataclasses.dataclass
class Body:
    """`ends`: whoever gets in ends the iteration there. `has_jumped`: some may have."""

    statements: list
    ends: bool = False
    has_jumped: bool = False


class Jumps:
    """Of one loop. `skips`: a variable that is 1 in threads that have ended the iteration; `flat` gives the statements of a
    body."""

    def __init__(self, skips, flat):
        self.skips, self.flat = skips, flat

    def without(self, loop):
        """Its body, in which a break is the last that is done."""
        statements = self.body(self.flat(loop.body), 0).statements
        if type(loop) is tirx.While and constant(loop.condition) != 1:
            leave = tirx.Evaluate(tirx.call_intrin("handle", tirx.op.Op.get("tl.loop_break")))
            statements = [tirx.IfThenElse(loop.condition, sequence(statements), leave)]
        return sequence([self.store(0), *statements] if self.skips is not None else statements)

    def store(self, value: int):
        return tirx.BufferStore(self.skips, tirx.const(value, "int32"), [tirx.const(0, "int32")])

    def going_on(self, statements: list) -> list:
        going = tirx.EQ(tirx.BufferLoad(self.skips, [tirx.const(0, "int32")]), tirx.const(0, "int32"))
        return [tirx.IfThenElse(going, sequence(statements), None)]

    def body(self, statements: list, depth: int) -> Body:
        for number, stmt in enumerate(statements):
            before = statements[:number]
            if jump_of(stmt):
                said = [self.store(1)] if depth > 1 else []
                return Body(before + said + ([stmt] if jump_of(stmt) == "break" else []), ends=True)
            if type(stmt) is tirx.IfThenElse and depth_of_jumps(stmt) >= 0:
                return self.behind(before, stmt, statements[number + 1:], depth)
        return Body(statements)

    def behind(self, before: list, branch, rest: list, depth: int) -> Body:
        """A branch in which some jump, and what follows it."""
        one, other = (self.body([] if side is None else self.flat(side), depth + 1)
                      for side in (branch.then_case, branch.else_case))
        if one.ends and other.ends:
            return Body([*before, made(branch, one.statements, other.statements)], ends=True)
        follows = self.body(rest, depth)
        is_unsure = (not one.ends and one.has_jumped) or (not other.ends and other.has_jumped)
        behind = self.going_on(follows.statements) if is_unsure else follows.statements
        if one.ends:
            statements = [made(branch, one.statements, other.statements + behind)]
        elif other.ends:
            statements = [made(branch, one.statements + behind, other.statements)]
        else:
            statements = [made(branch, one.statements, other.statements), *behind]
        has_jumped = one.ends or other.ends or is_unsure or follows.has_jumped
        return Body(before + statements, follows.ends, has_jumped)


def made(branch, one: list, other: list):
    has_else = branch.else_case is not None or other
    return tirx.IfThenElse(branch.condition, sequence(one), sequence(other) if has_else else None,
                           tilelang_ir.get_stmt_span(branch))


def sequence(statements: list):
    if len(statements) == 1:
        return statements[0]
    return tirx.SeqStmt(statements) if statements else tirx.Evaluate(tirx.const(0, "int32"))
