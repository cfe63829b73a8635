#!/usr/bin/env python3
"""What recorded programs read through a descriptor of wgmma that a condition or a loop without synchronisation makes or
moves. Run by `./dev peer` with the Python of .peer/, where TileLang is installed.

`tiles` holds four tiles of 64 x 16, one behind the other; the descriptor points to the first, and is moved by one tile at
a time."""

import pathlib
import sys

import tilelang

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "python"))
from tilescope.recorder.buffers import Buffers  # noqa: E402
from tilescope.recorder.program import Program  # noqa: E402
from tilescope.recorder.slots import elements_of  # noqa: E402

tirx = tilelang.tvm.tirx
TILE = 64 * 16 * 2  # bytes
UNITS = TILE // 16  # what a descriptor counts in
TILES = tirx.decl_buffer((4 * 64, 16), "float16", "tiles", scope="shared.dyn")
OTHER = tirx.decl_buffer((2,), "float32", "other", scope="shared.dyn")
RESULT = tirx.decl_buffer((32,), "float32", "result", scope="local")
DESCRIPTOR = tirx.decl_buffer((1,), "uint64", "descriptor", scope="local.descriptor.wgmma")
STEP = tirx.Var("step", "int32")  # one tile, by a name: a step that is constant goes into the pointer
K = tirx.Var("k", "int32")
UNKNOWN = None


def call(name, *args):
    return tirx.Evaluate(tirx.call_intrin("handle", tirx.op.Op.get(name), *args))


def move(tiles):
    return call("tl.increase_descriptor_offset", tirx.BufferLoad(DESCRIPTOR, [0]), tiles * TILE)


def loop(*body):
    return tirx.For(K, 0, 2, tirx.ForKind.SERIAL, tirx.SeqStmt(body) if len(body) > 1 else body[0])


# Without a swizzle: 8 rows of 16 bytes lie together, the next 8 behind them, the next 8 columns behind all rows.
POINTER = TILES.access_ptr("r")
MAKE = call("tl.initialize_wgmma_descriptor", tirx.BufferLoad(DESCRIPTOR, [0]), POINTER, 0, 64, 8)
READ = call("tl.ptx_wgmma_rs", "m64n64k16", True, "fp16", "fp16", "fp32", RESULT.data, 0, DESCRIPTOR.data, 0, RESULT.data, 0,
            True, 1, 1)
ALWAYS = tirx.LT(STEP, tirx.IntImm("int32", 2))
# It reads and writes one buffer, so what holds it is no leaf, which is found out after what stands before.
READ_AND_WRITTEN = tirx.BufferStore(OTHER, tirx.BufferLoad(OTHER, [1]), [0])
CASES = {
    "moved": ((MAKE, move(STEP), READ), {1}),
    "moved under a condition that is tried as a leaf": (
        (MAKE, tirx.IfThenElse(ALWAYS, tirx.SeqStmt([move(STEP), READ_AND_WRITTEN]), None), READ), {1}),
    "moved in each iteration of a loop": ((MAKE, loop(move(STEP)), READ), UNKNOWN),
    "made and moved in a loop": ((loop(MAKE, move(K)), READ), UNKNOWN),
}


class Watched(Program):
    """Keeps which tiles each wgmma reads."""

    def __init__(self, *given):
        self.read = []
        super().__init__(*given)

    def leaf(self, stmt, touches):
        if stmt.same_as(READ):
            elements = [elements_of(parts) for parts in self.slots.by_slot(touches).values()]
            self.read += [UNKNOWN if each is None else {int(unit) // UNITS for unit in each.nonzero()[0]} for each in elements]
        return super().leaf(stmt, touches)


def main():
    findings = []
    for name, (statements, expected) in CASES.items():
        declared = [tirx.AllocBuffer(buffer) for buffer in (TILES, OTHER, RESULT, DESCRIPTOR)]
        function = tirx.PrimFunc([], tirx.SeqStmt([*declared, tirx.Bind(STEP, tirx.IntImm("int32", 1)), *statements]))
        buffers = Buffers("kernel")
        buffers.look_at({"main": ("main", function)})
        found = Watched(function, buffers).read
        findings += [] if found == [expected] else [f"{name}: reads the tiles {found}, not {[expected]}"]
    print("\n".join(findings) or "recorded descriptors: ok")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
