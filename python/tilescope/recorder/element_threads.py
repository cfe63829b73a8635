"""Which threads touch each element of a slot: core/access/element_threads.h."""

import functools

import numpy

from tilescope.recorder.buffers import bits_of

MAX_TOUCHES = 1 << 18  # by all threads, beyond which it is not asked who touches what others touch too


def range_of(elements, threads, count):
    """(the least, the most) of the threads that touch each of `count` elements; None: it is too much, or not all are."""
    if elements.size > MAX_TOUCHES:
        return None
    least, most = numpy.full(count, numpy.iinfo(numpy.int64).max), numpy.full(count, -1)
    numpy.minimum.at(least, elements, threads)
    numpy.maximum.at(most, elements, threads)
    return least, most


def by_bits(threads):
    """The thread of element 0, and what each bit of an element's number changes in it; None: that does not tell them."""
    numbers, index = [int(threads[0])], numpy.arange(len(threads))
    told = numpy.full(len(threads), threads[0])
    for bit in range((len(threads) - 1).bit_length()):
        numbers.append(int(threads[1 << bit]) ^ numbers[0])
        told ^= numpy.where(index >> bit & 1, numbers[-1], 0)
    return numbers if (told == threads).all() else None


def merged(ranges, other):
    if ranges is None or other is None or ranges[0].shape != other[0].shape:
        return None
    if ranges is other:
        return ranges
    return numpy.minimum(ranges[0], other[0]), numpy.maximum(ranges[1], other[1])


class ElementThreads:
    """Those of a program: `all` is what its record says. `told`: what was worked out for others, by bits and threads."""

    def __init__(self, told):
        self.all, self.numbers, self.told = [], {}, told

    def number_of(self, touches, parts):
        """From 1; 0: it is not known."""
        if parts[0].range is None:
            return 0
        ranges = functools.reduce(merged, (part.range for part in parts))
        types = {bits_of(touch.dtype) for touch in touches}
        if ranges is None or len(types) > 1 or (ranges[1] < 0).any():
            return 0
        least, most = ranges
        key = (*types, least.tobytes(), b"" if most is least else most.tobytes())
        if key not in self.numbers:
            if key not in self.told:
                self.told[key] = told_by_bits(*types, *ranges)
            self.numbers[key] = self.add(self.told[key])
        return self.numbers[key]

    def add(self, told):
        self.all += [told] if told else []
        return len(self.all) if told else 0


def told_by_bits(bits, least, most):
    """As a record says it; None: it cannot."""
    first = by_bits(least)
    last = first if most is least else by_bits(most)
    if first is None or last is None:
        return None
    return {"elementBits": bits, "elements": len(least), "least": first} | ({"most": last} if first != last else {})
