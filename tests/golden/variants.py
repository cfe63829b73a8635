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
    "gemm": dict(ROLES=1, LOAD_WARPS=4, TILE_M=128, TILE_N=256, SPLIT_N=0, STAGES=4, PENDING=1, EPILOGUE=2, CLUSTER=1,
                 GROUP=16, ARRIVALS=1, TRANSPOSE_A=0, PANELS_APART=0),
    "attention": dict(HEAD_DIM=128, MATH_GROUPS=2, CAUSAL=0, MASK_ALL=0, ROTATED=1, PINGPONG=1, OVERLAP=1, PIN=1,
                      QUERY_SLOTS=2, JOINED=1, DYNAMIC=0, LONGEST=0, SECTION=32),
}

ONE_ROLE = dict(ROLES=0, TILE_N=128, EPILOGUE=0, GROUP=1)
NARROW = dict(TILE_N=128, EPILOGUE=0, GROUP=1)
WIDE = dict(EPILOGUE=0, GROUP=1)
BEST = dict(EPILOGUE=1)

GEMM = [
    Variant("G1", "gemm", dict(ONE_ROLE, STAGES=3), "one role, 128x128, two blocks a multiprocessor", 0, (425, 450)),
    Variant("G1-store", "gemm", dict(ONE_ROLE, STAGES=3, EPILOGUE=1), "G1, stored by TMA"),
    Variant("G1-deep", "gemm", dict(ONE_ROLE, STAGES=6), "G1, one block with six slots"),
    Variant("G1-wide", "gemm", dict(ROLES=0, EPILOGUE=1), "one role, 128x256, one block, stored by TMA"),
    Variant("G2", "gemm", dict(NARROW, STAGES=6), "128x128, roles, rings, setmaxnreg", 0, (498, 520)),
    Variant("G3", "gemm", WIDE, "G2, 128x256, split by rows", 0, (665, 700)),
    Variant("G3-store", "gemm", BEST, "G3, grouped order of tiles, stored by TMA"),
    Variant("G4", "gemm", dict(EPILOGUE=0), "G3, persistent, grouped order of tiles", 132, (695, 725)),
    Variant("G5", "gemm", BEST, "G4, stored by TMA", 132, (715, 735)),
    Variant("G5-128", "gemm", BEST, "G5 on 128 blocks", 128),
    Variant("G5-group8", "gemm", dict(BEST, GROUP=8), "G5-128, groups of 8 rows of tiles, not 16", 128),
    Variant("G5-columns", "gemm", dict(BEST, SPLIT_N=1), "G5, split by columns", 132),
    Variant("G5-tall", "gemm", dict(BEST, TILE_M=256, TILE_N=128, GROUP=8), "G5, 256x128", 132),
    Variant("G5-three", "gemm", dict(BEST, STAGES=3), "G5, three slots", 132),
    Variant("G5-wait0", "gemm", dict(BEST, PENDING=0), "G5, no group of MMAs in flight over steps", 132),
    Variant("G5-warps", "gemm", dict(BEST, ARRIVALS=4), "G5, each warp arrives", 132),
    Variant("G5-warp", "gemm", dict(BEST, LOAD_WARPS=1), "G5, one warp copies, no setmaxnreg", 132),
    Variant("G5-late", "gemm", dict(EPILOGUE=2), "G5, stored while the next tile is multiplied", 132),
    Variant("G5-apart", "gemm", dict(BEST, PANELS_APART=1), "G5, a copy for each panel", 132),
    Variant("G5-transposed", "gemm", dict(BEST, TRANSPOSE_A=1), "G5, A transposed", 132),
    Variant("G6", "gemm", dict(BEST, CLUSTER=2), "G5, cluster of two", 132, (740, 750)),
    Variant("G6-four", "gemm", dict(BEST, CLUSTER=4), "G5-128, cluster of four", 128),
]

ONCE = dict(QUERY_SLOTS=1, JOINED=0)
IN_ORDER = dict(ONCE, ROTATED=0, PINGPONG=0)
TAKEN = dict(JOINED=0, DYNAMIC=1)


def attention(name, macros, says, blocks=0, expected=((), ())):
    """Both forms; `expected` for lengths 4096 and 1024, of all keys and of causal."""
    return [Variant(name, "attention", macros, says, blocks, expected[0]),
            Variant(f"{name}-causal", "attention", dict(macros, CAUSAL=1), says, blocks, expected[1])]


def persistent(name, macros, says, expected=((), ())):
    """The longest tiles first where their lengths differ."""
    whole, causal = attention(name, macros, says, 132, expected)
    return [whole, dataclasses.replace(causal, macros=dict(causal.macros, LONGEST=1))]


ATTENTION = [
    *attention("A1", dict(IN_ORDER, MASK_ALL=1), "roles and rings, in order, all masked", 0, ((532,), (520,))),
    *attention("A2", IN_ORDER, "only the diagonal masked", 0, ((545,), (562,))),
    *attention("A3", dict(ONCE, OVERLAP=0, PIN=0), "rotated, the warp groups take turns", 0, ((588,), (590,))),
    *attention("A4", ONCE, "softmax during PV, pinned", 0, ((608,), (605,))),
    *attention("A4-free", dict(ONCE, PINGPONG=0), "A4 without turns"),
    *attention("A4-loose", dict(ONCE, PIN=0), "A4, not pinned"),
    *persistent("A5", dict(JOINED=0), "A4, persistent, queries of the next tile prefetched"),
    *persistent("A6", TAKEN, "A5, tiles taken when free, longest first where causal", ((622,), (635,))),
    *persistent("A6-joined", dict(DYNAMIC=1), "A6, tiles joined"),
    *persistent("A6-late", dict(TAKEN, QUERY_SLOTS=1), "A6, queries not prefetched"),
    *persistent("A6-free", dict(TAKEN, PINGPONG=0), "A6 without turns"),
    *persistent("A6-loose", dict(TAKEN, PIN=0), "A6, not pinned"),
    *persistent("A6-8MB", dict(TAKEN, SECTION=8), "A6, sections of 8 MB of keys and values, not 32"),
    *persistent("A6-64", dict(TAKEN, HEAD_DIM=64), "A6, D = 64"),
    Variant("A6-64-three", "attention", dict(TAKEN, HEAD_DIM=64, MATH_GROUPS=3), "A6-64, three warp groups", 132),
]

ALL = {variant.name: variant for variant in GEMM + ATTENTION}

# Compiled by the tests: each value of each switch once.
SAMPLE = ["G1-store", "G2", "G5-tall", "G5-columns", "G5-apart", "G5-transposed", "G5-warp", "G5-warps", "G5-wait0",
          "G5-late", "G6", "G6-four", "A1-causal", "A3", "A6-joined", "A6-8MB-causal", "A6-64-three"]


def values(names):
    return {(ALL[name].source, macro, ALL[name].get(macro)) for name in names for macro in DEFAULTS[ALL[name].source]}
