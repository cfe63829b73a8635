"""T.Persistent, of which TileLang makes a loop over waves in front of which the coordinates of a tile are bound. Read as what
core/frontend/persistent_loop.h makes of it."""

import math

import tvm
from tilelang import ir as tilelang_ir
from tvm import tirx


def loops_in(statements: list) -> list:
    """`statements` of one body, with persistent loops as ours: everything of a tile inside of the loop, and under a condition
    that it is one."""
    found, binds = [], []
    for stmt in statements:
        if type(stmt) is tirx.Bind:
            binds.append(stmt)
            continue
        before = coordinates_before(binds, stmt) if type(stmt) is tirx.For else []
        found += binds[:len(binds) - len(before)] + [ours(before, stmt) if before else stmt]
        binds = []
    return found + binds


def coordinates_before(binds: list, loop) -> list:
    """Of `binds` those of a tile's coordinates: from the first on that the index of the wave is in, which is bound later."""
    first = next((number for number, bind in enumerate(binds) if uses(bind.value, loop.loop_var)), len(binds))
    return binds[first:]


def uses(value, var) -> bool:
    return isinstance(value, tirx.PrimExpr) and any(var.same_as(used) for used in tirx.analysis.undefined_vars(value))


def ours(binds: list, loop):
    """`binds`: of the last coordinate, then of the one before it and so on to the first."""
    last, *others = binds
    of_tile = condition_of(loop.body, last.value)
    domain = [extent_of(bind.value) for bind in reversed(others)] + [of_tile.condition.b]
    group, index = group_and_tile(last.value)
    tiles = math.prod(domain[:-1], start=(domain[-1] + group - 1) // group * group)
    tile = tirx.Var("tile", index.dtype)
    inside, rest = [tirx.Bind(tile, index)], tile // group
    for bind, extent in zip(others, reversed(domain[:-1])):
        inside.append(tirx.Bind(bind.var, rest % extent))
        rest = rest // extent
    inside.append(tirx.Bind(last.var, rest * group + tile % group))
    condition = tirx.And(tile < tiles, last.var < domain[-1])
    inside.append(tirx.IfThenElse(condition, of_tile.then_case, None))
    return tirx.For(loop.loop_var, loop.min, loop.extent, loop.kind, tirx.SeqStmt(inside),
                    span=tilelang_ir.get_stmt_span(loop))


def condition_of(body, coordinate):
    """What is done under the condition that the coordinate is inside. What ends the waves, which our condition says too, may
    stand before it or around it."""
    while type(body) is not tirx.IfThenElse or not tvm.ir.structural_equal(body.condition.a, coordinate):
        body = body.seq[len(body.seq) - 1] if type(body) is tirx.SeqStmt else body.then_case
    return body


def extent_of(coordinate):
    """Of the axis: a remainder by 1 is folded."""
    return coordinate.b if type(coordinate) is tirx.Mod else tirx.const(1, coordinate.dtype)


def group_and_tile(coordinate):
    """Of what the last coordinate is: tile / group / ... * group + tile % group; of a group of 1 only the first is left."""
    if type(coordinate) is tirx.Add and type(coordinate.b) is tirx.Mod:
        return coordinate.b.b, coordinate.b.a
    while type(coordinate) is tirx.Div:
        coordinate = coordinate.a
    return tirx.const(1, coordinate.dtype), coordinate
