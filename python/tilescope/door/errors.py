"""What cannot come through the door, each with its place in the user's files."""

import dataclasses

from tilescope.problem import Problem


@dataclasses.dataclass
class Missing:
    """`what` has no counterpart in our IR. `place` is "FILE:LINE", "" where it is not known."""

    what: str
    place: str = ""

    def text(self) -> str:
        return f"{self.what} has no counterpart in Tilescope yet"

    def __str__(self):
        return f"{self.place}: {self.text()}" if self.place else self.text()


class NoCounterpart(Exception):
    """Raised where something is met; becomes one of `NotLowered` where its statement is known."""


class NotLowered(Exception):
    """All that a kernel has and our IR has not: `missing`, in the order of the program."""

    def __init__(self, missing: list[Missing]):
        super().__init__("\n".join(map(str, missing)))
        self.missing = missing


class UnknownArgument(Problem):
    """`names` are no arguments of the kernel."""

    def __init__(self, names: list[str], known: list[str]):
        super().__init__(f"the kernel has no argument '{names[0]}': it has {', '.join(known) or 'none'}")
        self.names = names
