"""What Triton was asked to compile: the kernel, the types and values of its arguments, and the options of the compile."""

DEFAULTS = {"num_warps": 4, "num_stages": 3, "num_ctas": 1}
OPTIONS = (*DEFAULTS, "maxnreg")


def parameters_of(compile_) -> list[dict]:
    """As a trace records them: values of constants, types of the others, then options."""
    source, options = compile_.source, compile_.options or {}
    signature = getattr(source, "signature", {})
    constants, attributes = getattr(source, "constants", {}), getattr(source, "attrs", {})
    found = [argument(at, name, type_, constants, attributes) for at, (name, type_) in enumerate(signature.items())]
    for name in OPTIONS:
        value = options.get(name, DEFAULTS.get(name))
        if value is not None:
            found.append({"name": name, "type": "int", "value": repr(value)}
                         | ({"default": repr(DEFAULTS[name])} if name in DEFAULTS else {}))
    return found


def argument(at, name, type_, constants, attributes) -> dict:
    if (at,) in constants:
        value = constants[(at,)]
        return {"name": str(name), "type": type(value).__name__, "value": literal(value)}
    aligned = ":16" if ["tt.divisibility", 16] in attributes.get((at,), ()) else ""
    return {"name": str(name), "type": "str", "value": repr(f"{type_}{aligned}")}


def literal(value) -> str:
    """A Python literal; what has none by how it prints, or by its type where that is an address."""
    if isinstance(value, (bool, int, float, str, tuple, type(None))):
        return repr(value)
    text = str(value)
    return repr(type(value).__qualname__ if " at 0x" in text else text)


def chosen_of(parameters) -> list[str]:
    """Those that tell instances of a kernel apart for a reader: constants, and options that are no defaults."""
    return [each["name"] for each in parameters
            if each["value"] != each.get("default") and not (each["type"] == "str" and "default" not in each)]
