# Sums of tiles by TMA, where the kernel asks for it and it can; a remark says why not.
# ./dev lit tests/passes/reductions_by_tma.py
# RUN: tilescope show remarks %s --target sm_90a | FileCheck %s --check-prefix=CHOSEN
# RUN: tilescope show remarks %s | FileCheck %s --check-prefix=OLDER
# RUN: tilescope show remarks %s --target sm_90a --set N=130 | FileCheck %s --check-prefix=STRIDE
# RUN: tilescope show remarks %s --target sm_90a --set others=True | FileCheck %s --check-prefix=OTHERS
# RUN: tilescope show remarks %s --target sm_90a --set order=release | FileCheck %s --check-prefix=ORDER
# RUN: tilescope compile %s --target sm_90a -o - | FileCheck %s
# RUN: tilescope exec %s --target sm_90a --every-pass --witness | FileCheck %s --check-prefix=RUNS
# RUN: tilescope exec %s --target sm_90a --set M=72 --set N=104 --set tiles=2 --witness | FileCheck %s --check-prefix=RUNS
# RUN: tilescope exec %s --target sm_90a --pass-option inject-pipeline.roles=false --set tiles=2 --witness | FileCheck %s --check-prefix=RUNS
# RUN: tilescope check %s --target sm_90a --set tiles=3
# RUN: tilescope check %s
# RUNS: cuda {{ *}}equal
# RUNS: cuda reversed {{ *}}equal
import tilelang
import tilelang.language as T


# CHOSEN: 'C_shared' to 'C' by TMA, which one thread begins and waits for [StoreByTma]
# OLDER: 'C_shared' to 'C' not by TMA: sm_80 has none [CopyNotByTma]
# STRIDE: 'C_shared' to 'C' not by TMA: the stride of 'C', 520 bytes, is no multiple of 16 [CopyNotByTma]
# OTHERS: 'C_local' to 'C' not by TMA: 'C_local' is not in dynamic shared memory [CopyNotByTma]
# OTHERS: 'C_shared' to 'C' not by TMA: 'C' is accessed elsewhere, too [CopyNotByTma]
# ORDER: 'C_shared' to 'C' not by TMA: the kernel orders other accesses by it [CopyNotByTma]
# CHECK: // C_map: boxes of 1 x 64 x 32 elements of C, rows of 128 bytes swizzled
# CHECK: copy_vector<8>(&C_shared[
# CHECK: fence_proxy_async();
# CHECK-NEXT: barrier_sync(1, 128);
# CHECK-NEXT: if (threadIdx.x == 0) {
# CHECK-NEXT: // {{.*}}T.atomic_add(C[
# CHECK-NEXT: tma_reduce_3d<TmaReduction::Add>(C_map, &C_shared[C_shared_at(0, 0)], bx * 64, by * 64, 0);
# CHECK-NEXT: tma_reduce_3d<TmaReduction::Add>(C_map, &C_shared[C_shared_at(0, 32)], bx * 64 + 32, by * 64, 0);
# CHECK-NEXT: tma_store_commit();
# CHECK-NEXT: tma_store_wait<0>();
# CHECK-NEXT: }
@tilelang.jit
def split_k(A, B, C, M: int = 64, N: int = 128, K: int = 64, tiles: int = 1, others: bool = False, order: str = "relaxed"):
    A: T.Tensor[[M, K], T.float16]
    B: T.Tensor[[K, N], T.float16]
    C: T.Tensor[[tiles, M, N], T.float32]

    with T.Kernel(T.ceildiv(N, 64), T.ceildiv(M, 64), 2, threads=128) as (bx, by, bz):
        A_shared = T.alloc_shared((64, 32), T.float16)
        B_shared = T.alloc_shared((32, 64), T.float16)
        C_local = T.alloc_fragment((64, 64), T.float32)
        C_shared = T.alloc_shared((64, 64), T.float32)
        for tile in T.serial(tiles):
            T.clear(C_local)
            for k in T.Pipelined(K // 64, num_stages=2):
                T.copy(A[by * 64, (2 * k + bz) * 32], A_shared)
                T.copy(B[(2 * k + bz) * 32, bx * 64], B_shared)
                T.gemm(A_shared, B_shared, C_local)
            T.copy(C_local, C_shared)
            T.atomic_add(C[tile, by * 64:by * 64 + 64, bx * 64:bx * 64 + 64], C_shared, memory_order=order, use_tma=True)
        if others:
            T.atomic_add(C[0, 0:64, 0:64], C_local, use_tma=True)
