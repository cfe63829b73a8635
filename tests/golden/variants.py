"""The rungs of the ladder: the macros that make each kernel, its blocks, and what it was expected to reach."""

import dataclasses


@dataclasses.dataclass(frozen=True)
class Variant:
    name: str
    source: str       # gemm or attention
    macros: dict
    says: str
    blocks: int = 0   # 0: as many as tiles
    expected: tuple = ()  # TFLOP/s at the first of the sizes that measure.py times

    def get(self, macro):
        return self.macros.get(macro, DEFAULTS[self.source][macro])


DEFAULTS = {
    "gemm": dict(ROLES=1, TILE_M=128, TILE_N=256, SPLIT_N=0, STAGES=4, PENDING=1, EPILOGUE=2, CLUSTER=1, GROUP=16,
                 ARRIVALS=1),
    "attention": dict(CAUSAL=0, MASK_ALL=0, ROTATED=1, PINGPONG=1, OVERLAP=1, PIN=1, QUERY_SLOTS=2, JOINED=1,
                      DYNAMIC=0, LONGEST=0),
}

ONE_ROLE = dict(ROLES=0, TILE_N=128, EPILOGUE=0, GROUP=1)
NARROW = dict(TILE_N=128, EPILOGUE=0, GROUP=1)
WIDE = dict(EPILOGUE=0, GROUP=1)

GEMM = [
    Variant("G1", "gemm", dict(ONE_ROLE, STAGES=3), "one role, 128x128, two blocks a multiprocessor", 0, (425, 450)),
    Variant("G1-store", "gemm", dict(ONE_ROLE, STAGES=3, EPILOGUE=1), "G1, stored by TMA"),
    Variant("G1-order", "gemm", dict(ONE_ROLE, STAGES=3, EPILOGUE=1, GROUP=16), "G1, stored by TMA, grouped order"),
    Variant("G1-deep", "gemm", dict(ONE_ROLE, STAGES=6), "one role, 128x128, one block, six slots"),
    Variant("G2", "gemm", dict(NARROW, STAGES=6), "roles, rings, setmaxnreg", 0, (498, 520)),
    Variant("G3", "gemm", WIDE, "128x256, split by rows", 0, (665, 700)),
    Variant("G3-columns", "gemm", dict(WIDE, SPLIT_N=1), "128x256, split by columns"),
    Variant("G3-wait0", "gemm", dict(WIDE, PENDING=0), "G3, no group in flight over steps"),
    Variant("G3-order", "gemm", dict(EPILOGUE=0), "G3, grouped order of tiles"),
    Variant("G3-store", "gemm", dict(EPILOGUE=1), "G3, grouped order, stored by TMA"),
    Variant("G4", "gemm", dict(EPILOGUE=0), "persistent, grouped order", 132, (695, 725)),
    Variant("G5", "gemm", dict(EPILOGUE=1), "stored by TMA", 132, (715, 735)),
    Variant("G5-late", "gemm", dict(EPILOGUE=2), "stored during the next tile", 132),
    Variant("G5-128", "gemm", dict(EPILOGUE=1), "G5 on 128 blocks", 128),
    Variant("G5-columns", "gemm", dict(EPILOGUE=1, SPLIT_N=1), "G5, split by columns", 132),
    Variant("G5-tall", "gemm", dict(TILE_M=256, TILE_N=128, EPILOGUE=1, GROUP=8), "256x128, split by rows", 132),
    Variant("G6", "gemm", dict(CLUSTER=2, EPILOGUE=1), "cluster of two", 132, (740, 750)),
    Variant("G6-late", "gemm", dict(CLUSTER=2), "cluster of two, stored during the next tile", 132),
    Variant("G6-once", "gemm", dict(CLUSTER=2, EPILOGUE=1), "cluster of two, one tile a block"),
    Variant("G6-128", "gemm", dict(CLUSTER=2, EPILOGUE=1), "G6 on 128 blocks", 128),
    Variant("G6-four", "gemm", dict(CLUSTER=4, EPILOGUE=1), "cluster of four, 128 blocks", 128),
    Variant("G6-group8", "gemm", dict(CLUSTER=2, EPILOGUE=1, GROUP=8), "G6, groups of 8 rows of tiles", 132),
    Variant("G6-warps", "gemm", dict(CLUSTER=2, EPILOGUE=1, ARRIVALS=4), "G6, each warp arrives", 132),
    Variant("G6-wait0", "gemm", dict(CLUSTER=2, EPILOGUE=1, PENDING=0), "G6, no group in flight over steps", 132),
]

ONCE = dict(QUERY_SLOTS=1, JOINED=0, DYNAMIC=0, LONGEST=0)
IN_ORDER = dict(ONCE, ROTATED=0, PINGPONG=0)


def attention(name, macros, says, blocks=0, expected=((), ())):
    """Both forms; `expected` for lengths 4096 and 1024, of all keys and of causal."""
    return [Variant(name, "attention", macros, says, blocks, expected[0]),
            Variant(f"{name}-causal", "attention", dict(macros, CAUSAL=1), says, blocks, expected[1])]


ATTENTION = [
    *attention("A1", dict(IN_ORDER, MASK_ALL=1), "roles and rings, in order, every block masked", 0, ((532,), (520,))),
    *attention("A2", IN_ORDER, "only the diagonal masked", 0, ((545,), (562,))),
    *attention("A3", dict(ONCE, OVERLAP=0, PIN=0), "rotated, the warp groups take turns", 0, ((588,), (590,))),
    *attention("A4", ONCE, "softmax during PV, pinned", 0, ((608,), (605,))),
    *attention("A4-free", dict(ONCE, PINGPONG=0), "A4 without turns"),
    *attention("A4-loose", dict(ONCE, PIN=0), "A4, not pinned"),
    *attention("A4-longest", dict(ONCE, LONGEST=1), "A4, longest tiles first, one tile a block"),
    *attention("A6-plain", ONCE, "A4, persistent", 132),
    *attention("A6", dict(ONCE, LONGEST=1), "A4, longest tiles first, persistent", 132, ((622,), (635,))),
    *attention("S1", dict(ONCE, LONGEST=1, QUERY_SLOTS=2), "A6, queries of the next tile prefetched", 132),
    *attention("S2", dict(LONGEST=1, DYNAMIC=0), "S1, tiles joined", 132),
    *attention("S2-plain", dict(LONGEST=0, DYNAMIC=0), "S2, tiles in order", 132),
    *attention("S3", dict(LONGEST=1, DYNAMIC=1), "S2, tiles taken when free", 132),
    *attention("S3-plain", dict(LONGEST=0, DYNAMIC=1), "S3, tiles in order", 132),
    *attention("S3-free", dict(LONGEST=1, DYNAMIC=1, PINGPONG=0), "S3 without turns", 132),
]

ALL = {variant.name: variant for variant in GEMM + ATTENTION}

# Compiled by the tests: each value of each switch once.
SAMPLE = ["G1-store", "G1-deep", "G2", "G3-columns", "G5-tall", "G6-late", "G6-four", "G6-group8", "G6-warps",
          "G6-wait0", "A1-causal", "A3", "A4-free", "S3-causal"]


def values(names):
    return {(ALL[name].source, macro, ALL[name].get(macro)) for name in names for macro in DEFAULTS[ALL[name].source]}
