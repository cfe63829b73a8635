"""Which instructions of PTX touch the sums of wgmma before its wait, where they are not there yet (PTX ISA,
"Asynchronous warpgroup level matrix instructions"): compilers copy them there if nothing behind the wait names them
by their own type."""

import re

REGISTER = re.compile(r"%\w+")
SUMS = re.compile(r"wgmma\.mma_async\S*\s*\{([^}]*)\}")
MOVED = """
    wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f1, %f2}, %rd1, %rd2, p, 1, 1, 0, 0;
    mov.b32 %r1, %f2;
    wgmma.wait_group.sync.aligned 0;
    mov.b32 %r2, %f1;
"""


def touched_early(ptx):
    """Lines between a product and the next wait that name one of its sums, but for other products."""
    pending, found = set(), []
    for line in ptx.splitlines():
        product = SUMS.search(line)
        if product:
            pending |= set(REGISTER.findall(product[1]))
        elif "wgmma.wait_group" in line:
            pending = set()
        elif pending & set(REGISTER.findall(line)):
            found.append(line.strip())
    return found
