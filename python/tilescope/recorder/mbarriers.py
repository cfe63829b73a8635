"""The mbarriers of a program: which one, how often, how many bytes, which parity, as the program says.

What follows from that is not asked here."""

import contextlib

from tvm import tirx

from tilescope.recorder.expressions import NotKnown, call_name, constant, remainder, summands
from tilescope.recorder.touches import ANY


class Mbarriers:
    def __init__(self, around):
        self.around = around
        self.all, self.first_of = [], {}  # and of each array the number of its first
        self.starting = set()  # those whose start no barrier of the block has followed yet

    def number_of(self, buffer):
        """Of the first mbarrier of an array."""
        first = self.first_of.get(hash(buffer.data))
        if first is None:
            first = self.first_of[hash(buffer.data)] = len(self.all)
            self.all += [{"name": f"{buffer.name}[{i}]"} for i in range(constant(buffer.shape[0]) or 0)]
        return first

    def initialise(self, block):
        for data, counts in dict(block.annotations.get("barrier_init", {})).items():
            buffer = next((b for b in block.alloc_buffers if b.data.same_as(data)), None)
            for index, count in enumerate(counts if buffer is not None else ()):
                self.declare(self.number_of(buffer) + index, count)

    def declare(self, number, count):
        """One that is initialised more than once begins anew, nobody knows when."""
        if number < len(self.all):
            is_first = "arrivals" not in self.all[number] and not self.around.loops
            self.all[number]["arrivals"] = constant(count) or 0 if is_first else 0

    def ref(self, given):
        """{first, modulus, counter} of an element of an array of mbarriers."""
        if given is ANY:
            return {"modulus": 0}
        first, index = self.number_of(given.buffer), given.indices[0]
        rest = [(term, factor) for term, factor in summands(index) if constant(term) is None]
        first += sum(constant(term) * factor for term, factor in summands(index) if constant(term) is not None)
        if not rest:
            return {"first": first}
        with contextlib.suppress(NotKnown):
            if len(rest) == 1 and rest[0][1] == 1:
                value, modulus = remainder(rest[0][0])
                return {"first": first, "modulus": modulus, "counter": self.counter(value, modulus)}
        first, count = self.number_of(given.buffer), constant(given.buffer.shape[0])
        with contextlib.suppress(NotKnown):
            if count:
                return {"first": first, "modulus": count, "counter": self.counter(index, 0)}
        return {"modulus": 0}

    def numbers_of(self, ref):
        return [n for n in range(len(self.all)) if "modulus" in ref or n == ref["first"]]

    def used(self, given):
        """Its mbarrier_ref. Of one that is not sure to have been started before, nobody knows what it counts."""
        ref = self.ref(given)
        for number in self.numbers_of(ref):
            if number in self.starting or "arrivals" not in self.all[number]:
                self.declare(number, 0)
        return ref

    def counter(self, expr, modulus):
        """{offset, terms} of a sum of what counts the iterations of loops around, if only its remainder matters; 0: all."""
        offset, terms = 0, []
        for term, factor in summands(self.around.plain(expr)):
            loop = self.around.outer.get(hash(term))
            if constant(term) is not None:
                offset += constant(term) * factor
            elif hash(term) in self.around.loops and loop is not None and loop.is_known(modulus):
                offset += loop.begin * factor
                terms.append({"loop": loop.node, "step": factor})
            else:
                raise NotKnown
        return {"offset": offset, "terms": terms}

    def parity(self, expr):
        """{counter, divisor}: (counter / divisor) mod 2 is what the expression is modulo 2."""
        expr = self.around.plain(expr)
        kind, name = type(expr), call_name(expr)
        if kind in (tirx.Add, tirx.Sub) and constant(expr.b) is not None:
            return self.later(self.parity(expr.a), constant(expr.b))
        if kind is tirx.Sub and constant(expr.a) is not None:
            return self.later(self.parity(expr.b), constant(expr.a))
        if name == "tirx.bitwise_xor" and constant(expr.args[1]) is not None:
            return self.later(self.parity(expr.args[0]), constant(expr.args[1]))
        if kind in (tirx.FloorMod, tirx.Mod) or name == "tirx.bitwise_and":
            value, modulus = remainder(expr)
            if modulus % 2 == 0:
                return self.parity(value)
        if kind in (tirx.FloorDiv, tirx.Div) and constant(expr.b):
            return self.divided(expr.a, constant(expr.b))
        if name == "tirx.shift_right" and constant(expr.args[1]) is not None:
            return self.divided(expr.args[0], 1 << constant(expr.args[1]))
        return {"counter": self.counter(expr, 2), "divisor": 1}

    @staticmethod
    def later(parity, phases):
        """That of some phases later."""
        counter = parity["counter"] | {"offset": parity["counter"]["offset"] + phases % 2 * parity["divisor"]}
        return parity | {"counter": counter}

    def divided(self, expr, divisor):
        expr = self.around.plain(expr)
        if type(expr) in (tirx.FloorMod, tirx.Mod) or call_name(expr) == "tirx.bitwise_and":
            value, modulus = remainder(expr)
            if modulus % (2 * divisor) == 0:
                return self.divided(value, divisor)
        return {"counter": self.counter(expr, 2 * divisor), "divisor": divisor}

    def known_parity(self, expr):
        try:
            return self.parity(expr) if self.around.doers is not None else {"divisor": 0}
        except NotKnown:
            return {"divisor": 0}
