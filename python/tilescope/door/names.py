"""Names of buffers and variables in IR text: each is unique while it is visible."""

import keyword
import re


def identifier(name: str) -> str:
    """The name made a legal one of the text."""
    name = re.sub(r"[^A-Za-z0-9_]", "_", name)
    if not name or name[0].isdigit():
        name = "_" + name
    return name + "_" if keyword.iskeyword(name) or name == "T" else name


class Names:
    """By object of TVM; objects must live as long as this knows them."""

    def __init__(self):
        self.texts, self.declared, self.taken = {}, {}, set()

    def free(self, wanted: str) -> str:
        """A name that nothing has here."""
        base = name = identifier(wanted)
        number = 0
        while name in self.taken:
            number += 1
            name = f"{base}_{number}"
        return name

    def declare(self, thing, wanted: str) -> str:
        name = self.free(wanted)
        self.taken.add(name)
        self.texts[hash(thing)] = self.declared[hash(thing)] = name
        return name

    def stand_for(self, thing, text: str):
        """`text` is written wherever `thing` stands."""
        self.texts[hash(thing)] = text

    def forget(self, thing):
        """Another thing may have its name from now on."""
        self.taken.discard(self.declared.pop(hash(thing), None))

    def is_visible(self, thing) -> bool:
        return hash(thing) in self.declared

    def find(self, thing) -> str | None:
        return self.texts.get(hash(thing))
