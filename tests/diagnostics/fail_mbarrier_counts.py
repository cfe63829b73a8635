# RUN: not tilescope compile --target sm_90a %s:large_tile --set rows=1024 2>&1 | FileCheck %s --check-prefix LARGE
# ./dev lit tests/diagnostics/fail_mbarrier_counts.py
# RUN: not tilescope compile --target sm_90a %s:large_tile --set rows=1048576 2>&1 | FileCheck %s --check-prefix LARGE
# RUN: not tilescope compile --target sm_90a %s:barriers --set count=257 2>&1 | FileCheck %s --check-prefix MANY
# RUN: not tilescope compile --target sm_90a %s:barriers --set count=0 2>&1 | FileCheck %s --check-prefix MANY
# RUN: tilescope compile --target sm_90a %s:barriers --set count=256 -o - | FileCheck %s --check-prefix MOST
import tilelang
import tilelang.language as T


@tilelang.jit
def large_tile(rows):
    @T.prim_func
    def main(X: T.Tensor((rows, 1024), "float16")):
        with T.Kernel(1, threads=128):
            tile = T.alloc_shared((rows, 1024), "float16")
            full = T.alloc_barrier(1)
            # LARGE: [[# @LINE + 1]]:{{.*}}error: 'dst' of 'T.tma_copy' must be a tile of at most 2^20 - 1 bytes
            T.tma_copy(X, tile, barrier=full)

    return main


@tilelang.jit
def barriers(count):
    @T.prim_func
    def main(C: T.Tensor((128,), "float16")):
        with T.Kernel(1, threads=128):
            # MANY: [[# @LINE + 2]]:{{.*}}error: 'arrive_count' of 'T.alloc_barrier' must be the counts of 1 to 256 barriers
            # MOST: mbarrier_init(&full[255], 128);
            full = T.alloc_barrier([128] * count)
            T.barrier_arrive(full[count - 1])
            T.barrier_wait(full[count - 1], 0)

    return main
