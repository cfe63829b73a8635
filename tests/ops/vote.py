# tilescope-ir 1
# ./dev lit tests/ops/vote.py
# RUN: tilescope opt --passes '' %s | FileCheck %s

# CHECK-LABEL: def vote_forms(
@T.prim_func(properties=["tile"])
def vote_forms():
    said = T.alloc_local((1,), "int32")
    lanes = T.alloc_local((1,), "uint64")
    equal = T.alloc_local((1,), "uint32")
    with T.Kernel(1, threads=32) as (bx, tx):
        # CHECK: T.vote(said[0], tx < 4){{$}}
        T.vote(said[0], tx < 4)
        # CHECK: T.vote(said[0], tx < 4, kind="all"){{$}}
        T.vote(said[0], tx < 4, kind="all")
        # CHECK: T.vote(lanes[0], tx < 4, mask=T.uint32(15), kind="ballot"){{$}}
        T.vote(lanes[0], tx < 4, mask=T.uint32(15), kind="ballot")
        # CHECK: T.vote(equal[0], tx // 4, kind="match_any"){{$}}
        T.vote(equal[0], tx // 4, kind="match_any")
        # CHECK: T.vote(equal[0], tx // 4, kind="match_all"){{$}}
        T.vote(equal[0], tx // 4, kind="match_all")
