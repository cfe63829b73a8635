"""Numbers of statements, the same ones after all passes as far as it can be told. Other compilers have none."""

import difflib


class Numbers:
    """A statement has the number of the one in its place in the program before that does the same. `count` gives new
    ones."""

    def __init__(self, count):
        self.count = count
        self.numbers, self.does = [], []  # of the statements of the program before, and what each does

    def of(self, does):
        """`does`: what each statement of the program does, in order."""
        if does == self.does:
            return self.numbers
        head = common_length(self.does, does)
        tail = common_length(self.does[head:][::-1], does[head:][::-1])
        before, after = self.does[head:len(self.does) - tail], does[head:len(does) - tail]
        numbers = self.numbers[:head] + [None] * len(after) + self.numbers[len(self.numbers) - tail:]
        for old, new, length in difflib.SequenceMatcher(None, before, after, False).get_matching_blocks():
            numbers[head + new:head + new + length] = self.numbers[head + old:head + old + length]
        self.numbers = [next(self.count) if number is None else number for number in numbers]
        self.does = does
        return self.numbers


def common_length(first, second):
    """Of what two lists begin with."""
    pairs = enumerate(zip(first, second))
    return next((index for index, (one, other) in pairs if one != other), min(len(first), len(second)))
