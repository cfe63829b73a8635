"""Where the arguments of blocks stand in the kernel: a module's text says it of functions alone, and passes hand it on to what they
make of an argument.

    scf.for %i = ... iter_args(%total = %zero)          %total stands in line 23, as the variable `total`"""

from tilescope.recorder.triton.parsing import parsed_in


def blocks_of(module) -> list:
    """In an order that depends on the module's text alone."""
    found = {}

    def visit(operation):
        block = operation.get_block()
        if block is not None:
            found.setdefault(block.id(), block)

    module.walk(visit)
    return list(found.values())


def arguments_of(module) -> list:
    return [block.arg(at) for block in blocks_of(module) for at in range(block.get_num_arguments())]


def locations_of(module) -> list[str]:
    return [str(argument.get_loc()) for argument in arguments_of(module)]


def set_locations(module, locations: list[str]):
    """Of another module with the same text. Locations are made by reading them, as those of the arguments of a function."""
    kinds = list(dict.fromkeys(locations))
    arguments = ", ".join(f"%a{number}: i32 {location}" for number, location in enumerate(kinds))
    other = parsed_in(module.context, f"module {{\n  tt.func @places({arguments}) {{\n    tt.return\n  }}\n}}\n")
    made = dict(zip(kinds, arguments_of(other)))
    for argument, location in zip(arguments_of(module), locations):
        argument.set_loc(made[location].get_loc())

