"""T.alloc_reducer: each parallel loop that contributes collects in a fragment of its own, as core/frontend/reducers.h says."""

from tvm import tirx

from .errors import NoCounterpart
from .expressions import call_name, constant, literal, type_name

KINDS = {"sum": "sum", "max": "max", "min": "min", "bitand": "bit_and", "bitor": "bit_or", "bitxor": "bit_xor"}
OPERATORS = {"sum": "+", "max": "T.max", "min": "T.min", "bit_and": "&", "bit_or": "|", "bit_xor": "^"}
NODES = {"sum": tirx.Add, "max": tirx.Max, "min": tirx.Min}


def limit(dtype: str, is_largest: bool) -> str:
    """What a minimum, or a maximum, starts as."""
    if "float" in dtype:
        return f'{"" if is_largest else "-"}T.infinity("{dtype}")'
    is_signed = not dtype.startswith("u")
    bits = int("".join(filter(str.isdigit, dtype))) - is_signed
    return literal(2**bits - 1 if is_largest else -(2**bits) if is_signed else 0, dtype)


def neutral(kind: str, dtype: str) -> str:
    if kind in ("max", "min"):
        return limit(dtype, kind == "min")
    ones = limit(dtype, True) if dtype.startswith("u") else literal(-1, dtype)
    return ones if kind == "bit_and" else literal(0, dtype)


class Reducers:
    """`kinds` by the data of a reducer; `parts` of each, in the order of the loops: those, and the name of the fragment."""

    def __init__(self):
        self.kinds, self.parts, self.held = {}, {}, []

    def look_at_block(self, block):
        for name in ("reducer_info", "reducer_info_v2"):
            for data, info in dict(block.annotations.get(name, {})).items():
                self.held.append(data)
                self.kinds[hash(data)] = KINDS[str(info["op"])]

    def kind(self, buffer):
        return self.kinds.get(hash(buffer.data))

    def look_at_nest(self, loops):
        def find(node):
            update = self.update_of(node)
            if update is not None:
                self.parts.setdefault(hash(update[0].data), []).append([loops, None])

        tirx.stmt_functor.post_order_visit(loops[-1].body, find)

    def update_of(self, node):
        """The reducer that a statement contributes to, the indices, and what; None: it is no such statement."""
        if type(node) is tirx.Evaluate and call_name(node.value) == "reducer_update":
            target, value = node.value.args
            return target.buffer, target.indices, value
        if type(node) is not tirx.BufferStore or not self.kind(node.buffer):
            return None
        kind, value = self.kind(node.buffer), node.value
        sides = (value.a, value.b) if type(value) is NODES.get(kind) else ()
        for old, added in (sides, sides[::-1]) if sides else ():
            if type(old) is tirx.BufferLoad and old.buffer.same_as(node.buffer):
                return node.buffer, node.indices, added
        raise NoCounterpart(f"a reducer that is combined in another way than as a {kind}")


class ReducerWriter:
    """Writes what the statements of a reducer become. `variables`: an Exchanges, which declares buffers behind all others."""

    def __init__(self, reducers: Reducers, expressions, variables, line):
        self.reducers, self.expressions, self.variables, self.line = reducers, expressions, variables, line

    def parts(self, buffer):
        found = self.reducers.parts.get(hash(buffer.data), [])
        for entry in found:
            if entry[1] is None:
                extents = [self.expressions.text(loop.extent) for loop in entry[0]]
                entry[1] = self.fragment(buffer, extents), extents
        return [(loops, *named) for loops, named in found]

    def fragment(self, buffer, extents):
        return self.variables.declare(f"{buffer.name}_parts", "alloc_fragment", extents, type_name(buffer.dtype))

    def clear(self, buffer):
        """Behind what starts the reducer."""
        for _, name, extents in self.parts(buffer):
            self.line(f"T.fill({whole(name, extents)}, {neutral(self.reducers.kind(buffer), type_name(buffer.dtype))})")

    def init(self, call):
        buffer = region_buffer(call.args[0])
        kind, dtype = self.reducers.kind(buffer), type_name(buffer.dtype)
        value = self.expressions.converted(call.args[1], dtype) if len(call.args) > 1 else neutral(kind, dtype)
        self.line(f"T.fill({self.whole(buffer)}, {value})")
        self.clear(buffer)

    def update(self, buffer, indices, value):
        loops, name, _ = next(entry for entry in self.parts(buffer) if self.is_open(entry[0]))
        element = f"{name}[{', '.join(self.expressions.text(loop.loop_var) for loop in loops)}]"
        operator, added = OPERATORS[self.reducers.kind(buffer)], self.expressions.converted(value, buffer.dtype)
        self.line(f"{element} = {operator}({element}, {added})" if operator.startswith("T.")
                  else f"{element} = ({element} {operator} {added})")

    def is_open(self, loops):
        return all(self.expressions.names.is_visible(loop.loop_var) for loop in loops)

    def whole(self, buffer):
        return whole(self.expressions.buffer(buffer), [self.expressions.text(extent) for extent in buffer.shape])

    def finalize(self, call, target_text):
        buffer = region_buffer(call.args[0])
        kind = self.reducers.kind(buffer)
        for loops, name, extents in self.parts(buffer):
            left, source = list(range(len(loops))), name
            kept = self.kept_axes(buffer, loops)
            if len(kept) == len(loops):
                raise NoCounterpart("a reducer with an element for each iteration")
            for axis in reversed(range(len(loops))):
                if axis in kept:
                    continue
                dim, is_last = left.index(axis), len(left) == len(kept) + 1
                rest = [extents[other] for other in left if other != axis]
                target = self.whole(buffer) if is_last else whole(made := self.fragment(buffer, rest), rest)
                words = [f'kind="{kind}"'] * (kind != "sum") + [f"dim={dim}"] + ["clear=False"] * is_last
                self.line(f"T.reduce({whole(source, [extents[other] for other in left])}, {target}, {', '.join(words)})")
                left.remove(axis)
                source = made if not is_last else source
        if target_text:
            self.line(f"T.copy({self.whole(buffer)}, {target_text})")

    def kept_axes(self, buffer, loops):
        found = []

        def find(node):
            update = self.reducers.update_of(node)
            if update is not None and update[0].same_as(buffer):
                found.extend(axis for index in update[1] for axis, loop in enumerate(loops) if loop.loop_var.same_as(index))

        tirx.stmt_functor.post_order_visit(loops[-1].body, find)
        return found


def region_buffer(expr):
    return expr.buffer if type(expr) is tirx.BufferRegion else expr.args[0].buffer


def whole(name, extents):
    return f"{name}[{', '.join('0' if extent == '1' else f'T.span(0, {extent})' for extent in extents)}]"
