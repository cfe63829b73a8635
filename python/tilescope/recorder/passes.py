"""The passes of a compile in order, with the program after each that changed it."""

from tilelang import tvm


def line_of_passes(compile_):
    """[(step, functions)] in the order in which the passes ended: the program that becomes the CUDA after each that
    changed it, else None. Passes that TileLang runs on other modules, such as the body of one operation or the host
    side, leave that program alone."""
    current = compile_.steps[0][1].before
    result, on_line = [(None, current)], []
    for what, step in compile_.steps:
        if what == "begin":
            known = {hash(function) for _, function in current.values()}
            on_line.append((not on_line or on_line[-1])
                           and any(hash(function) in known for _, function in step.before.values()))
            continue
        after = step.after if on_line.pop() else None
        if after is not None and compile_.kernels and not set(after) & set(compile_.kernels) and set(
                current) & set(compile_.kernels):
            after = None  # the host side, filtered out
        result.append((step, None if after is None or is_equal(current, after) else after))
        current = current if after is None else after
    result += [(step, None) for step in compile_.open]
    return result


def is_equal(first, second):
    return first.keys() == second.keys() and all(is_same(function, second[name][1])
                                                 for name, (_, function) in first.items())


def is_same(first, second):
    if all(getattr(first, part).same_as(getattr(second, part)) for part in ("body", "params", "buffer_map")):
        return first.ret_type == second.ret_type and tvm.ir.structural_equal(first.attrs, second.attrs)
    return tvm.ir.structural_equal(first, second)
