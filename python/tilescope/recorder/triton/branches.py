"""Where branches go. The bindings do not say it, the printed text does; blocks of a region are numbered in order.

    cf.cond_br %1, ^bb1, ^bb2        to the second and the third block of its region"""

import re

BRANCHES = ("cf.br", "cf.cond_br")
PRINTED = re.compile(r"^\s*(cf\.\w+)\b(.*)$", re.MULTILINE)
LABEL = re.compile(r"\^bb(\d+)\b")


def mark_successors(module, text: str):
    """Sets those of each operation that branches. Where the text has others, none are known."""
    printed = [(name, [int(number) for number in LABEL.findall(rest)]) for name, rest in PRINTED.findall(text)]
    if not printed:
        return
    regions = {id(operation): region for whole in module.inside() for region in whole.regions for block in region
               for operation in block.operations}
    branching = [operation for operation in module.inside() if operation.name.startswith("cf.")]
    if [operation.name for operation in branching] != [name for name, _ in printed]:
        return
    for operation, (name, numbers) in zip(branching, printed):
        region = regions[id(operation)]
        if name in BRANCHES and all(number < len(region) for number in numbers):
            operation.successors = [region[number] for number in numbers]


class Joins:
    """Of the blocks of a region, where the paths that a branch opens meet again."""

    def __init__(self, blocks):
        self.behind = {}  # by id of a block: blocks that every path from it to a return comes to, it first
        self.is_known = all(self.find(block, ()) for block in blocks)

    def find(self, block, on_the_way):
        """None: a path leads back to where it came from, or it is not known where one leads."""
        if id(block) in self.behind:
            return self.behind[id(block)]
        end = block.operations[-1]
        if block in on_the_way or (end.name.startswith("cf.") and not end.successors):
            return None
        paths = [self.find(successor, (*on_the_way, block)) for successor in end.successors]
        if None in paths:
            return None
        common = [other for other in paths[0] if all(other in path for path in paths)] if paths else []
        self.behind[id(block)] = [block, *common]
        return self.behind[id(block)]

    def join(self, block):
        """None: none but the end of the kernel."""
        behind = self.behind[id(block)]
        return behind[1] if len(behind) > 1 else None
