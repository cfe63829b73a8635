# RUN: tilescope compile %s:shrinks -o - | FileCheck %s
# ./dev lit tests/ops/loop_bound_stored.py
# RUN: tilescope compile %s:shifts --passes plan-pipeline,inject-pipeline,infer-layouts,lower-tile-ops,split-host-device,insert-barriers,merge-shared-memory,insert-barriers -o - | FileCheck %s --check-prefix=SHIFTS
import tilelang
import tilelang.language as T


# A loop computes its bounds once, whatever its body stores.
# CHECK: n[0] = 4;
# CHECK: const int k_end = n[0];
# CHECK-NEXT: for (int k = 0; k < k_end; ++k) {
# CHECK: n[0] = 2;
@tilelang.jit
def shrinks(N=128):
    @T.prim_func
    def main(B: T.Tensor((N,), T.float32)):
        with T.Kernel(1, threads=128):
            n = T.alloc_local((1,), T.int32)
            n[0] = 4
            for k in T.serial(n[0]):
                n[0] = 2
                B[k] = 1.0

    return main


# A loop that vectorize did not see is unrolled: nobody has shown that its accesses may be wide.
# SHIFTS: #pragma unroll
# SHIFTS-NEXT: for (int v = 0; v < 4; ++v) {
# SHIFTS-NEXT: A[tx * 4 + v + 1] = A[tx * 4 + v];
@tilelang.jit
def shifts(N=1024):
    @T.prim_func
    def main(A: T.Tensor((N,), T.float32)):
        with T.Kernel(1, threads=128) as bx:
            tx = T.get_thread_binding()
            for v in T.vectorized(4):
                A[tx * 4 + v + 1] = A[tx * 4 + v]

    return main
