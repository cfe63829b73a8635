"""What is known of a compile that is over, as another process can be told."""

import dataclasses
import inspect

from tilescope.recorder.triton.requests import parameters_of


@dataclasses.dataclass
class Facts:
    """`number`: of the compile, in its process. `target`: as Triton names it to ptxas; `parts`, `lowered`, `lost`: as of hold.Compile;
    `error`: "", none. `launch`: {name, warps, shared}."""

    number: int
    kernel: str
    file: str
    target: str
    capability: int
    warp_size: int
    parameters: list
    parts: list
    lowered: dict | None
    lost: str
    error: str
    ptx: str | None
    cubin: bytes | None
    launch: dict


def facts_of(compile_) -> Facts:
    target, made, error = compile_.target, compile_.metadata, compile_.error
    return Facts(compile_.number, compile_.source.name.lstrip("@"), file_of(compile_.source), target_name(target), int(target.arch),
                 target.warp_size, parameters_of(compile_), compile_.parts, compile_.lowered, compile_.lost,
                 f"{type(error).__name__}: {error}" if error is not None else "", compile_.asm.get("ptx"), compile_.asm.get("cubin"),
                 {"name": made["name"], "warps": made["num_warps"], "shared": made["shared"]} if made else {})


def file_of(source) -> str:
    function = getattr(source, "fn", None)
    if function is None:
        return str(getattr(source, "path", ""))
    return inspect.getsourcefile(function.fn) or ""


def target_name(target) -> str:
    """As Triton names it to ptxas."""
    return f"sm_{target.arch}{'a' if int(target.arch) >= 90 else ''}"
