# tilescope-ir 1
# ./dev lit tests/ops/barrier_vote.py
# RUN: tilescope opt --passes '' %s | FileCheck %s

@T.prim_func(properties=["tile"])
def barrier_vote_forms():
    votes = T.alloc_local((1,), "int32")
    with T.Kernel(1, threads=64) as (bx, tx):
        # CHECK: T.barrier_vote(votes[0], tx < 4){{$}}
        T.barrier_vote(votes[0], tx < 4)
        # CHECK: T.barrier_vote(votes[0], tx < 4, kind="and"){{$}}
        T.barrier_vote(votes[0], tx < 4, kind="and")
        # CHECK: T.barrier_vote(votes[0], tx < 4, kind="or"){{$}}
        T.barrier_vote(votes[0], tx < 4, kind="or")
