"""Which operation each line of a module's text is of: operations are printed one a line, in order. For display alone."""

import re

PRINTED = re.compile(r'\s*(?:%[^=]*= )?"?([A-Za-z_][\w]*(?:\.[\w.]+)?)"?')
SHORT = {"module": "builtin.module"}
NOT_PRINTED = ("scf.yield", "scf.condition", "ttg.warp_specialize.partitions")  # where they hand nothing on


def operations_of(lines: list[str], module) -> list:
    """By line, an operation or None."""
    operations, at, found = list(module.inside()), 0, []
    for line in lines:
        match = PRINTED.match(line)
        name = SHORT.get(match.group(1), match.group(1)) if match else ""
        ahead = at
        while ahead < len(operations) and operations[ahead].name in NOT_PRINTED and operations[ahead].name != name:
            ahead += 1
        is_next = ahead < len(operations) and operations[ahead].name == name
        found.append(operations[ahead] if is_next else None)
        at = ahead + 1 if is_next else at
    return found
