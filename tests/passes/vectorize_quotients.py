# Loops whose quotients and remainders stay in one row of a matrix, marked T.vectorized: wide accesses for sm_90a.
# ./dev lit tests/passes/vectorize_quotients.py
# RUN: tilescope show remarks %s --target sm_90a | FileCheck %s
# RUN: tilescope show remarks %s --target sm_90a --set columns=36 | FileCheck %s --check-prefix=ACROSS
# RUN: tilescope exec %s --target sm_90a --every-pass --witness | FileCheck %s --check-prefix=RUNS
# RUN: tilescope exec %s --target sm_90a --set columns=36 --witness | FileCheck %s --check-prefix=RUNS
import tilelang
import tilelang.language as T


# CHECK: vectorize, line {{.*}}: 'tile' is accessed 16 bytes at a time [LoopVectorized]
# Eight elements from a multiple of eight on may pass a multiple of 36.
# ACROSS-NOT: 'tile' is accessed 16 bytes
# RUNS: cuda {{ *}}equal
# RUNS: cuda reversed {{ *}}equal
@tilelang.jit(out_idx=[1])
def moved(columns: int = 32):
    @T.prim_func
    def main(A: T.Tensor((1152,), "float16"), B: T.Tensor((1152 // columns, columns), "float16")):
        with T.Kernel(1, threads=144):
            tile = T.alloc_shared((1152 // columns, columns), "float16")
            local = T.alloc_local([8], "float16")
            tx = T.get_thread_binding()
            for v in T.vectorized(0, 8):
                local[v] = A[tx * 8 + v]
            for v in T.vectorized(0, 8):
                index = tx * 8 + v
                tile[index // columns, index % columns] = local[v]
            T.copy(tile, B)

    return main
