"""What each pass did, found out when the compile is over: the passes of each manager are done again, one by one, on the text that
the module had before. It counts only if what they make in the end is what the compile has made.

    the compile    before -- inliner, canonicalizer, cse --> after
    again          before -- inliner --> -- canonicalizer --> -- cse --> the same as after, but for names

Warp specialisation makes one program in one way or another, so what differs is done again some times. Where it still differs,
the manager is one step of the trace."""

import time

from tilescope.recorder.triton.block_arguments import set_locations
from tilescope.recorder.triton.branches import mark_successors
from tilescope.recorder.triton.hold import Step
from tilescope.recorder.triton.managers import manager_of
from tilescope.recorder.triton.module_copy import copy_of
from tilescope.recorder.triton.parsing import parsed
from tilescope.recorder.triton.partitions import mark_warps

TRIES = 16
SEVERAL = "several passes"


def module_before(run):
    module = parsed(run.before)
    set_locations(module, run.locations)
    return module


class Again:
    """`is_other`: what was done again made another program, at least once."""

    def __init__(self):
        self.module, self.text, self.is_other, self.has_begun = None, None, False, False

    def steps(self, parts) -> list[Step]:
        return [step for part in parts for step in self.add(part)]

    def add(self, part) -> list[Step]:
        """Of the part behind the one before."""
        is_first, self.has_begun = not self.has_begun, True
        if isinstance(part, Step):
            return [part]
        if not part.before:
            return [Step(SEVERAL, part.seconds, has_failed=part.has_failed)]
        self.begin(part)
        written = [self.looked(Step("as written"))] if is_first else []
        return written + self.of(part)

    def begin(self, run):
        """Goes on with the module that there is, if it is that one: what is read again is used in another order."""
        if self.module is None or self.module.str() != run.before:
            self.module = module_before(run)

    def of(self, run) -> list[Step]:
        text = self.text
        for _ in range(TRIES if run.noted is not None else 0):
            steps = self.one_by_one(run)
            has_failed = any(step.has_failed for step in steps)
            if has_failed == run.has_failed and (has_failed or self.has_made(run.after)):
                return steps
            self.module, self.text = module_before(run), text
        self.is_other |= run.noted is not None
        if not run.after:
            return [Step(SEVERAL, run.seconds, has_failed=run.has_failed)]
        self.module = parsed(run.after)
        return [self.looked(Step(SEVERAL, run.seconds))]

    def has_made(self, after: str) -> bool:
        """Where locations alone differ, it has."""
        return bool(after) and (self.module.str() == after or self.module.str_nodebug() == parsed(after).str_nodebug())

    def one_by_one(self, run) -> list[Step]:
        """Up to one that fails."""
        steps = []
        for each in run.noted:
            steps.append(Step(each.name))
            manager, began = manager_of(self.module.context, [each]), time.perf_counter()
            try:
                manager.run(self.module, *run.stage)
            except RuntimeError:
                steps[-1].has_failed = True
                break
            steps[-1].seconds = time.perf_counter() - began
            self.looked(steps[-1])
        return steps

    def looked(self, step) -> Step:
        text = self.module.str_nodebug()
        if text != self.text:
            step.text = self.text = text
            step.whole = copy_of(self.module)
            mark_successors(step.whole, text)
            mark_warps(step.whole, text)
        return step
