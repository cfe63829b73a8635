# Copies by a role in loops whose length depends on the block: hazards are judged for each length that a block has.
# ./dev lit tests/passes/roles_by_block.py
# RUN: tilescope show remarks %s --target sm_90a | FileCheck %s
# RUN: tilescope check %s --target sm_90a | FileCheck %s --check-prefix=SOUND
# RUN: tilescope check %s --target sm_90a --set stages=1 | FileCheck %s --check-prefix=SOUND
# RUN: tilescope check %s --target sm_90a --set blocks=66 --set stages=3 | FileCheck %s --check-prefix=MANY
# RUN: tilescope show remarks %s --target sm_90a --set given=True | FileCheck %s --check-prefix=DATA
# RUN: tilescope exec %s --target sm_90a --every-pass --witness | FileCheck %s --check-prefix=RUNS
# RUN: tilescope exec %s --target sm_90a --set stages=1 --set blocks=3 --every-pass --witness | FileCheck %s --check-prefix=RUNS
# CHECK: 'A' to 'A_shared' by TMA, 8192 bytes an iteration, counted by 'A_shared_full' [CopyByTma]
# DATA: no warp of its own makes the copies of this launch: data decide how long a pipelined loop is [NotDivided]
# SOUND: arena sound yes
# SOUND-NEXT: free of hazards yes
# MANY: arena sound yes
# MANY-NEXT: free of hazards not established, line {{[0-9]+}}: {{.*}}'A_shared'
# MANY: it is not shown what mbarriers order in a loop of unknown length or under a condition
# MANY-NEXT: for k in T.Pipelined(end
# RUNS: cuda {{ *}}equal
# RUNS: cuda reversed {{ *}}equal
import tilelang
import tilelang.language as T


@tilelang.jit
def sums(A, W, L, blocks: int = 5, stages: int = 2, given: bool = False):
    A: T.Tensor[[blocks * 64, 64], T.float16]
    W: T.Tensor[[blocks], T.float32]
    L: T.Tensor[[blocks], T.int32]
    B = T.empty([blocks * 64, 64], T.float32)

    with T.Kernel(blocks, threads=128) as bx:
        A_shared = T.alloc_shared((64, 64), T.float16)
        total = T.alloc_fragment((64, 64), T.float32)
        weight = T.alloc_var(T.float32)
        weight = W[bx] + 1.0
        T.clear(total)
        end = T.min(L[bx] if given else bx + 1, blocks)
        for k in T.Pipelined(end, num_stages=stages):
            T.copy(A[k * 64, 0], A_shared)
            for i, j in T.Parallel(64, 64):
                total[i, j] += A_shared[i, j] * weight
        T.copy(total, B[bx * 64, 0])
    return B
