"""Functions that are not inlined: what one does is done where it is called.

    %0 = tt.call @total(%x) {allocation.offset = 128}     its own buffers lie from there on

The buffers of each call are buffers of their own: Triton keeps the bytes of the function for as long as it is called."""


def visit(program, operation) -> list[int]:
    function = program.functions.get(operation.callee)
    if function is None or operation.callee in program.callers:
        program.lose("which function is called by", operation)
        return []
    base = program.base
    before, program.seen = program.seen, set()
    program.callers.append(operation.callee)
    program.base += program.placed.offset(operation) or 0
    arguments = function.regions[0][0].arguments if function.regions and function.regions[0] else []
    program.values.given |= dict(zip(arguments, operation.operands))
    children = program.paths(function.blocks())
    program.callers.pop()
    program.seen, program.base = before, base
    return [program.sequence(children)] if children else []
