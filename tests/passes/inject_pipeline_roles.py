# tilescope-ir 1
# ./dev lit tests/passes/inject_pipeline_roles.py
# RUN: tilescope opt --target sm_90a %s --passes 'plan-pipeline,inject-pipeline{roles=true}' | FileCheck %s
# RUN: tilescope opt --target sm_90a %s --passes 'plan-pipeline,inject-pipeline{roles=true}' | tilescope opt --target sm_90a - --passes '' | FileCheck %s
# RUN: tilescope opt --target sm_90 %s --passes 'plan-pipeline,inject-pipeline{roles=true}' | FileCheck %s --check-prefix=OLDER
# OLDER-NOT: T.ws(

# A warp more copies; before it fills a slot again, all 128 others have read it.
# CHECK-LABEL: def gemm(
# CHECK: A_shared_empty = T.alloc_shared((1,), "uint64", versions=2, source="A_shared", role="empty")
# CHECK: with T.Kernel(8, 8, threads=160)
# CHECK-NEXT: T.mbarrier_init(A_shared_full[0, 0])
# CHECK-NEXT: T.mbarrier_init(A_shared_full[1, 0])
# CHECK-NEXT: T.mbarrier_init(A_shared_empty[0, 0], arrivals=128)
# CHECK-NEXT: T.mbarrier_init(A_shared_empty[1, 0], arrivals=128)
# CHECK-NEXT: with T.ws(first_thread=128, threads=32, name="copy"):
# CHECK-NEXT: if 0 < n
# CHECK-NEXT: T.mbarrier_arrive_expect(A_shared_full[0, 0], bytes=16384)
# CHECK: for k in T.serial(
# CHECK-NEXT: if k + 1 < n
# CHECK-NEXT: T.mbarrier_wait(A_shared_empty[(k + 1) % 2, 0], {{.*}} // 2 % 2)
# CHECK-NEXT: T.mbarrier_arrive_expect(A_shared_full[(k + 1) % 2, 0], bytes=16384)
# CHECK-NEXT: T.tma_copy(
# CHECK-NEXT: T.tma_copy(
# CHECK-NEXT: with T.ws(0, name="compute"):
# CHECK-NEXT: T.fill(
# CHECK-NEXT: for k in T.serial(
# CHECK-NEXT: T.mbarrier_wait(A_shared_full[k % 2, 0], k // 2 % 2)
# CHECK-NEXT: T.gemm(
# CHECK-NEXT: T.mbarrier_arrive(A_shared_empty[k % 2, 0])
# CHECK-NEXT: T.copy(
@T.prim_func(properties=["tile"])
def gemm(n: T.int32, A: T.Tensor((512, n * 64), "float16"), B: T.Tensor((n * 64, 512), "float16"), C: T.Tensor((512, 512), "float32", output=True)):
    A_shared = T.alloc_shared((64, 64), "float16")
    B_shared = T.alloc_shared((64, 64), "float16")
    C_local = T.alloc_fragment((64, 64), "float32")
    with T.Kernel(8, 8, threads=128) as (bx, by, tx):
        T.fill(C_local[0:64, 0:64], 0.0)
        for k in T.Pipelined(n, num_stages=2):
            T.copy(A[by * 64:by * 64 + 64, k * 64:k * 64 + 64], A_shared[0:64, 0:64])
            T.copy(B[k * 64:k * 64 + 64, bx * 64:bx * 64 + 64], B_shared[0:64, 0:64])
            T.gemm(A_shared[0:64, 0:64], B_shared[0:64, 0:64], C_local[0:64, 0:64])
        T.copy(C_local[0:64, 0:64], C[by * 64:by * 64 + 64, bx * 64:bx * 64 + 64])

# A kernel with barriers of its own keeps its threads.
# CHECK-LABEL: def own(
# CHECK: threads=128)
# CHECK-NOT: T.ws(
@T.prim_func(properties=["tile"])
def own(A: T.Tensor((512, 512), "float16"), B: T.Tensor((512, 512), "float16"), C: T.Tensor((512, 512), "float32", output=True)):
    A_shared = T.alloc_shared((64, 64), "float16")
    B_shared = T.alloc_shared((64, 64), "float16")
    C_local = T.alloc_fragment((64, 64), "float32")
    with T.Kernel(8, threads=128) as (bx, tx):
        T.fill(C_local[0:64, 0:64], 0.0)
        T.barrier()
        for k in T.Pipelined(8, num_stages=2):
            T.copy(A[0:64, k * 64:k * 64 + 64], A_shared[0:64, 0:64])
            T.copy(B[k * 64:k * 64 + 64, bx * 64:bx * 64 + 64], B_shared[0:64, 0:64])
            T.gemm(A_shared[0:64, 0:64], B_shared[0:64, 0:64], C_local[0:64, 0:64])
        T.copy(C_local[0:64, 0:64], C[0:64, bx * 64:bx * 64 + 64])

# Where several warp groups compute, a whole one more comes, and gives its registers to them.
# CHECK-LABEL: def wide(
# CHECK: with T.Kernel(8, 8, threads=384)
# CHECK: T.mbarrier_init(A_shared_empty[1, 0], arrivals=256)
# CHECK-NEXT: with T.ws(2, registers=32, name="copy"):
# CHECK: with T.ws(0, 1, registers=232, name="compute"):
# CHECK-NEXT: T.fill(
@T.prim_func(properties=["tile"])
def wide(n: T.int32, A: T.Tensor((1024, n * 64), "float16"), B: T.Tensor((n * 64, 512), "float16"), C: T.Tensor((1024, 512), "float32", output=True)):
    A_shared = T.alloc_shared((128, 64), "float16")
    B_shared = T.alloc_shared((64, 64), "float16")
    C_local = T.alloc_fragment((128, 64), "float32")
    with T.Kernel(8, 8, threads=256) as (bx, by, tx):
        T.fill(C_local[0:128, 0:64], 0.0)
        for k in T.Pipelined(n, num_stages=2):
            T.copy(A[by * 128:by * 128 + 128, k * 64:k * 64 + 64], A_shared[0:128, 0:64])
            T.copy(B[k * 64:k * 64 + 64, bx * 64:bx * 64 + 64], B_shared[0:64, 0:64])
            T.gemm(A_shared[0:128, 0:64], B_shared[0:64, 0:64], C_local[0:128, 0:64])
        T.copy(C_local[0:128, 0:64], C[by * 128:by * 128 + 128, bx * 64:bx * 64 + 64])
