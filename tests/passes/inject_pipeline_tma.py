# tilescope-ir 1
# ./dev lit tests/passes/inject_pipeline_tma.py
# RUN: tilescope opt --target sm_90a %s --passes 'plan-pipeline,inject-pipeline{tma=true,roles=false}' | FileCheck %s

# A ring of as many mbarriers as the tiles have versions; iteration k waits for the phase of parity k // 3 % 2.
# CHECK-LABEL: def gemm(
# CHECK: A_shared_full = T.alloc_shared((1,), "uint64", versions=3, source="A_shared", role="full")
# CHECK: T.mbarrier_init(A_shared_full[0, 0])
# CHECK-NEXT: T.mbarrier_init(A_shared_full[1, 0])
# CHECK-NEXT: T.mbarrier_init(A_shared_full[2, 0])
# CHECK: if 0 < n
# CHECK-NEXT: T.mbarrier_arrive_expect(A_shared_full[0, 0], bytes=16384)
# CHECK-NEXT: T.tma_copy(A[by * 64:by * 64 + 64, 0:64], A_shared[0, 0:64, 0:64], A_shared_full[0, 0])
# CHECK-NEXT: T.tma_copy(B[0:64, bx * 64:bx * 64 + 64], B_shared[0, 0:64, 0:64], A_shared_full[0, 0])
# CHECK: for k in T.serial(
# CHECK-NEXT: if k + 2 <
# CHECK-NEXT: T.mbarrier_arrive_expect(A_shared_full[(k + 2) % 3, 0], bytes=16384)
# CHECK-NEXT: T.tma_copy(A[by * 64:by * 64 + 64, (k + 2) * 64:(k + 2) * 64 + 64], A_shared[(k + 2) % 3, 0:64, 0:64], A_shared_full[(k + 2) % 3, 0])
# CHECK-NEXT: T.tma_copy(
# CHECK-NEXT: T.mbarrier_wait(A_shared_full[k % 3, 0], k // 3 % 2)
# CHECK-NEXT: T.gemm(
# CHECK-NOT: group
@T.prim_func(properties=["tile"])
def gemm(n: T.int32, A: T.Tensor((512, n * 64), "float16"), B: T.Tensor((n * 64, 512), "float16"), C: T.Tensor((512, 512), "float32", output=True)):
    A_shared = T.alloc_shared((64, 64), "float16")
    B_shared = T.alloc_shared((64, 64), "float16")
    C_local = T.alloc_fragment((64, 64), "float32")
    with T.Kernel(8, 8, threads=128) as (bx, by, tx):
        T.fill(C_local[0:64, 0:64], 0.0)
        for k in T.Pipelined(n, num_stages=3):
            T.copy(A[by * 64:by * 64 + 64, k * 64:k * 64 + 64], A_shared[0:64, 0:64])
            T.copy(B[k * 64:k * 64 + 64, bx * 64:bx * 64 + 64], B_shared[0:64, 0:64])
            T.gemm(A_shared[0:64, 0:64], B_shared[0:64, 0:64], C_local[0:64, 0:64])
        T.copy(C_local[0:64, 0:64], C[by * 64:by * 64 + 64, bx * 64:bx * 64 + 64])

# What is run again would have to go on counting.
# CHECK-LABEL: def again(
# CHECK-NOT: mbarrier
# CHECK: T.wait_group(
@T.prim_func(properties=["tile"])
def again(A: T.Tensor((512, 512), "float16"), B: T.Tensor((512, 512), "float16"), C: T.Tensor((512, 512), "float32", output=True)):
    A_shared = T.alloc_shared((64, 64), "float16")
    B_shared = T.alloc_shared((64, 64), "float16")
    C_local = T.alloc_fragment((64, 64), "float32")
    with T.Kernel(8, threads=128) as (bx, tx):
        for by in T.serial(8):
            T.fill(C_local[0:64, 0:64], 0.0)
            for k in T.Pipelined(8, num_stages=3):
                T.copy(A[by * 64:by * 64 + 64, k * 64:k * 64 + 64], A_shared[0:64, 0:64])
                T.copy(B[k * 64:k * 64 + 64, bx * 64:bx * 64 + 64], B_shared[0:64, 0:64])
                T.gemm(A_shared[0:64, 0:64], B_shared[0:64, 0:64], C_local[0:64, 0:64])
            T.copy(C_local[0:64, 0:64], C[by * 64:by * 64 + 64, bx * 64:bx * 64 + 64])

# An iteration of 2^20 bytes is one more than an mbarrier counts.
# CHECK-LABEL: def large(
# CHECK-NOT: mbarrier
# CHECK: T.wait_group(
@T.prim_func(properties=["tile"])
def large(A: T.Tensor((1024, 4096), "float16"), C: T.Tensor((1024, 512), "float16", output=True)):
    A_shared = T.alloc_shared((1024, 512), "float16")
    with T.Kernel(1, threads=128) as (bx, tx):
        for k in T.Pipelined(8, num_stages=2):
            T.copy(A[0:1024, k * 512:k * 512 + 512], A_shared[0:1024, 0:512])
            T.copy(A_shared[0:1024, 0:512], C[0:1024, 0:512])
