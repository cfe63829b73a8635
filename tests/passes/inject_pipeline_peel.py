# tilescope-ir 1
# ./dev lit tests/passes/inject_pipeline_peel.py
# RUN: tilescope opt --passes 'plan-pipeline,inject-pipeline{peel-epilogue=true}' %s | FileCheck %s

# The option peel-epilogue.

# Known trips: the body is the steady state, the last steps are written out.
# CHECK-LABEL: def peel_known(
# CHECK: A_s = T.alloc_shared((64, 64), "float16", versions=2)
# CHECK: T.copy(A[0:64, 0:64], A_s[0, 0:64, 0:64], is_async=True)
# CHECK-NEXT: T.commit_group()
# CHECK-NEXT: for k in T.serial(0, 7, num_stages=2, versions={A_s: 2}, injected=True):
# CHECK-NEXT: T.wait_group()
# CHECK-NEXT: T.copy(A[0:64, (k + 1) * 64:(k + 1) * 64 + 64], A_s[(k + 1) % 2, 0:64, 0:64], is_async=True)
# CHECK-NEXT: T.commit_group()
# CHECK-NEXT: T.gemm(A_s[k % 2, 0:64, 0:64], A_s[k % 2, 0:64, 0:64], C[0:64, 0:64])
# CHECK-NEXT: T.wait_group()
# CHECK-NEXT: T.commit_group()
# CHECK-NEXT: T.gemm(A_s[1, 0:64, 0:64], A_s[1, 0:64, 0:64], C[0:64, 0:64])
@T.prim_func(properties=["tile"])
def peel_known(A: T.Tensor((512, 512), "float16"), B: T.Tensor((512, 512), "float16"),
               O: T.Tensor((512, 512), "float16"), n: T.int32):
    A_s = T.alloc_shared((64, 64), "float16")
    C = T.alloc_fragment((64, 64), "float32")
    with T.Kernel(8, threads=128) as (bx, tx):
        for k in T.Pipelined(0, 8, num_stages=2):
            T.copy(A[0:64, k * 64:k * 64 + 64], A_s[0:64, 0:64])
            T.gemm(A_s[0:64, 0:64], A_s[0:64, 0:64], C[0:64, 0:64])

# Unknown trips: the loop stays whole.
# CHECK-LABEL: def peel_unknown(
# CHECK: A_s = T.alloc_shared((64, 64), "float16", versions=2)
# CHECK: if 0 < n:
# CHECK-NEXT: T.copy(A[0:64, 0:64], A_s[0, 0:64, 0:64], is_async=True)
# CHECK-NEXT: T.commit_group()
# CHECK-NEXT: for k in T.serial(0, n, num_stages=2, versions={A_s: 2}, injected=True):
# CHECK-NEXT: T.wait_group()
# CHECK-NEXT: if k + 1 < n:
# CHECK-NEXT: T.copy(A[0:64, (k + 1) * 64:(k + 1) * 64 + 64], A_s[(k + 1) % 2, 0:64, 0:64], is_async=True)
# CHECK-NEXT: T.commit_group()
# CHECK-NEXT: T.gemm(A_s[k % 2, 0:64, 0:64], A_s[k % 2, 0:64, 0:64], C[0:64, 0:64])
@T.prim_func(properties=["tile"])
def peel_unknown(A: T.Tensor((512, 512), "float16"), B: T.Tensor((512, 512), "float16"),
                 O: T.Tensor((512, 512), "float16"), n: T.int32):
    A_s = T.alloc_shared((64, 64), "float16")
    C = T.alloc_fragment((64, 64), "float32")
    with T.Kernel(8, threads=128) as (bx, tx):
        for k in T.Pipelined(0, n, num_stages=2):
            T.copy(A[0:64, k * 64:k * 64 + 64], A_s[0:64, 0:64])
            T.gemm(A_s[0:64, 0:64], A_s[0:64, 0:64], C[0:64, 0:64])
