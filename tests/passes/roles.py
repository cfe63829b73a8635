# RUN: tilescope compile --target sm_90a %s | FileCheck %s
# ./dev lit tests/passes/roles.py
# RUN: tilescope exec --target sm_90a %s | FileCheck %s --check-prefix EXEC
# RUN: tilescope check --target sm_90a %s | FileCheck %s --check-prefix SOUND

# Tile operations of a role are shared out over its threads, which count from its first. They meet at
# a barrier of their own; at one of the block all threads meet, outside of roles.
import tilelang.language as T


@T.prim_func
def kernel(
    A: T.Tensor((128, 64), "float16"),
    B: T.Tensor((64, 128), "float16"),
    C: T.Tensor((128, 128), "float32"),
):
    with T.Kernel(1, threads=256):
        A_shared = T.alloc_shared((128, 64), "float16")
        B_left = T.alloc_shared((64, 64), "float16")
        B_right = T.alloc_shared((64, 64), "float16")
        left = T.alloc_fragment((128, 64), "float32")
        right = T.alloc_fragment((128, 64), "float32")
        T.copy(A, A_shared)
        # CHECK: __syncthreads();
        # CHECK: // Role: threads 0 to 127.
        # CHECK-NEXT: if (warp_tx < 128) {
        # CHECK-NEXT: lower_registers<200>();
        with T.ws(0):
            T.set_max_nreg(200, 0)
            # CHECK: const int lane_row_1 = tx / 8;
            T.copy(B[0:64, 0:64], B_left)
            T.clear(left)
            # CHECK: barrier_sync(1, 128);
            T.gemm(A_shared, B_left, left)
            T.copy(left, C[0:128, 0:64])
        # CHECK: // Role: threads 128 to 255.
        # CHECK-NEXT: else if (warp_tx >= 128) {
        with T.ws(1):
            # CHECK: const int lane_row_1 = (tx - 128) / 8;
            T.copy(B[0:64, 64:128], B_right)
            T.clear(right)
            # CHECK: barrier_sync(2, 128);
            T.gemm(A_shared, B_right, right)
            # CHECK-NOT: __syncthreads();
            T.copy(right, C[0:128, 64:128])


# EXEC: simplify#2 equal
# SOUND: arena sound yes
# SOUND-NEXT: free of hazards yes
