"""What a statement of TileLang does, by which it is known in the next program again (numbering.py)."""

from tvm import tirx


def what_it_does(stmt, buffers):
    """What a statement is like also after a pass that rewrote it: what it is, defines or calls, and the ids of the buffers
    in it and in what is inside."""
    kind, known = type(stmt), buffers.known
    name = known.facts(stmt).name
    if kind is tirx.For:
        name = stmt.loop_var.name
    elif kind is tirx.Bind:
        name = stmt.var.name
    elif kind in (tirx.BufferStore, tirx.AllocBuffer, tirx.DeclBuffer):
        name = stmt.buffer.name
    elif kind is tirx.AttrStmt:
        return kind.__name__, f"{stmt.attr_key} {getattr(stmt.node, 'thread_tag', '')}", frozenset()
    touched = buffers.by_data.keys() & known.all_variables(stmt)
    return kind.__name__, name, frozenset(buffers.by_data[variable].id for variable in touched)
