# tilescope-ir 1
# ./dev lit tests/passes/wgmma.py
# RUN: tilescope opt --target sm_90a %s --passes 'inject-pipeline,infer-layouts,lower-tile-ops' | FileCheck %s
# RUN: tilescope opt --target sm_90a %s --passes 'inject-pipeline,infer-layouts,lower-tile-ops,split-host-device,insert-barriers,merge-shared-memory,insert-barriers' | FileCheck %s --check-prefix=FENCED
# RUN: tilescope opt --target sm_80 %s --passes 'inject-pipeline,infer-layouts,lower-tile-ops' | FileCheck %s --check-prefix=OFF
# RUN: tilescope opt --target sm_90a %s --passes 'inject-pipeline,infer-layouts{wgmma=false},lower-tile-ops' | FileCheck %s --check-prefix=OFF
# OFF-NOT: wgmma

# One warp group has all rows, in blocks of 64; b runs along N.
# CHECK-LABEL: def plain(
# CHECK: A_shared = T.alloc_shared((128, 32), "float16", layout="aligned_swizzle(64)")
# CHECK: B_shared = T.alloc_shared((32, 128), "float16", layout="aligned_swizzle(128)")
# CHECK: C_local = T.alloc_local((128,), "float32", layout="fragment(2@r64 4@t32 2@r2 8@t4 | 16@r4 4@t1 2@r1)")
# CHECK: T.wgmma_fence({{C|S}}_local[0:{{[0-9]+}}])
# CHECK-NEXT: for k_step in T.unroll(0, 2):
# CHECK-NEXT: for i in T.unroll(0, 2):
# CHECK-NEXT: T.wgmma(A_shared[i * 64:i * 64 + 64, k_step * 16:k_step * 16 + 16], B_shared[k_step * 16:k_step * 16 + 16, 0:128], C_local[i * 64:i * 64 + 64], clear_accum=k_step == 0)
# CHECK-NEXT: T.wgmma_commit()
# CHECK-NEXT: T.wgmma_wait(){{$}}
# FENCED-LABEL: def plain
# FENCED: T.alloc_shared((128, 32), "float16", layout="aligned_swizzle(64)", offset=0)
# FENCED: T.alloc_shared((32, 128), "float16", layout="aligned_swizzle(128)", offset=8192)
# FENCED: T.proxy_fence()
# FENCED-NEXT: T.barrier()
# FENCED-NEXT: T.wgmma_fence(C_local[0:128])
# FENCED-NEXT: for k_step in
# FENCED-NOT: T.barrier()
# FENCED-LABEL: def both_transposed
@T.prim_func(properties=["tile"])
def plain(A: T.Tensor((128, 32), "float16"), B: T.Tensor((32, 128), "float16"), C: T.Tensor((128, 128), "float32", output=True)):
    A_shared = T.alloc_shared((128, 32), "float16")
    B_shared = T.alloc_shared((32, 128), "float16")
    C_local = T.alloc_fragment((128, 128), "float32")
    with T.Kernel(1, threads=128) as (bx, tx):
        T.copy(A[0:128, 0:32], A_shared[0:128, 0:32])
        T.copy(B[0:32, 0:128], B_shared[0:32, 0:128])
        T.fill(C_local[0:128, 0:128], 0.0)
        T.gemm(A_shared[0:128, 0:32], B_shared[0:32, 0:128], C_local[0:128, 0:128])
        T.copy(C_local[0:128, 0:128], C[0:128, 0:128])

# Two warp groups share the rows; a runs along M, b along K; sums start from 0.
# CHECK-LABEL: def both_transposed(
# CHECK-NOT: = 0.0
# CHECK: T.wgmma(A_shared[k_step * 16:k_step * 16 + 16, tx // 128 * 64:tx // 128 * 64 + 64], B_shared[j * 256:j * 256 + 256, k_step * 16:k_step * 16 + 16], C_local[j * 128:j * 128 + 128], clear_accum=k_step == 0, transpose_A=True, transpose_B=True)
@T.prim_func(properties=["tile"])
def both_transposed():
    A_shared = T.alloc_shared((64, 128), "bfloat16")
    B_shared = T.alloc_shared((512, 64), "bfloat16")
    C_local = T.alloc_fragment((128, 512), "float32")
    with T.Kernel(1, threads=256) as (bx, tx):
        T.gemm(A_shared[0:64, 0:128], B_shared[0:512, 0:64], C_local[0:128, 0:512], clear_accum=True, transpose_A=True, transpose_B=True)

# Zeros right before a product are left out; others stay, as do those before a loop. Two sums of float16 are in a register.
# CHECK-LABEL: def zeros(
# CHECK: C_local[r] = 0.0
# CHECK-NOT: S_local[r] =
# CHECK: T.wgmma_fence(S_local[0:24])
# CHECK-NEXT: for k_step in T.unroll(0, 2):
# CHECK-NEXT: T.wgmma(A_shared[0:64, k_step * 16:k_step * 16 + 16], B_shared[0:48, k_step * 16:k_step * 16 + 16], S_local[0:24], clear_accum=k_step == 0, transpose_B=True)
# CHECK-NOT: S_local[r] =
# CHECK: T.wgmma(A_shared[0:64, k_step * 16:k_step * 16 + 16], B_shared[0:48, k_step * 16:k_step * 16 + 16], S_local[0:24], clear_accum=k_step == 0, transpose_B=True)
# CHECK: S_local[r] = T.float16(0.0)
# CHECK: * T.float16(2.0)
# CHECK: T.wgmma(A_shared[0:64, k_step * 16:k_step * 16 + 16], B_shared[0:48, k_step * 16:k_step * 16 + 16], S_local[0:24], transpose_B=True)
# CHECK: S_local[r] = T.float16(1.0)
# CHECK: T.wgmma(A_shared[0:64, k_step * 16:k_step * 16 + 16], B_shared[0:48, k_step * 16:k_step * 16 + 16], S_local[0:24], transpose_B=True)
@T.prim_func(properties=["tile"])
def zeros():
    A_shared = T.alloc_shared((64, 32), "float16")
    B_shared = T.alloc_shared((48, 32), "float16")
    S_local = T.alloc_fragment((64, 48), "float16")
    C_local = T.alloc_fragment((64, 48), "float32")
    with T.Kernel(1, threads=128) as (bx, tx):
        T.fill(C_local[0:64, 0:48], 0.0)
        for k in T.serial(4):
            T.gemm(A_shared[0:64, 0:32], B_shared[0:48, 0:32], C_local[0:64, 0:48], transpose_B=True)
        T.fill(S_local[0:64, 0:48], T.float16(0.0))
        T.fill(A_shared[0:64, 0:32], T.float16(0.0))
        T.gemm(A_shared[0:64, 0:32], B_shared[0:48, 0:32], S_local[0:64, 0:48], transpose_B=True)
        for i, j in T.Parallel(64, 48):
            S_local[i, j] = T.float16(0.0)
        T.gemm(A_shared[0:64, 0:32], B_shared[0:48, 0:32], S_local[0:64, 0:48], transpose_B=True)
        T.fill(S_local[0:64, 0:48], T.float16(0.0))
        for i, j in T.Parallel(64, 48):
            S_local[i, j] = S_local[i, j] * T.float16(2.0)
        T.gemm(A_shared[0:64, 0:32], B_shared[0:48, 0:32], S_local[0:64, 0:48], transpose_B=True)
        T.fill(S_local[0:64, 0:48], T.float16(1.0))
        T.gemm(A_shared[0:64, 0:32], B_shared[0:48, 0:32], S_local[0:64, 0:48], transpose_B=True)

# What a product gave is an operand of the next where it is; two warp groups beside one another have it both. One with an operand
# of shape that wgmma does not take stays with mma.sync.
# CHECK-LABEL: def chained(
# CHECK: P_local = T.alloc_local((32,), "float16", layout="fragment(4@t32 2@r2 8@t4 | 8@r4 4@t1 2@r1 ; 2@t128)")
# CHECK: T.wgmma(P_local[k_step * 8:k_step * 8 + 8], V_shared[k_step * 16:k_step * 16 + 16, tx // 128 * 64:tx // 128 * 64 + 64], O_local[0:32])
# CHECK: T.mma(
@T.prim_func(properties=["tile"])
def chained():
    P_local = T.alloc_fragment((64, 64), "float16")
    V_shared = T.alloc_shared((64, 128), "float16")
    O_local = T.alloc_fragment((64, 128), "float32")
    R_local = T.alloc_fragment((32, 128), "float32")
    with T.Kernel(1, threads=256) as (bx, tx):
        T.gemm(P_local[0:64, 0:64], V_shared[0:64, 0:128], O_local[0:64, 0:128])
        T.gemm(V_shared[0:32, 0:64], V_shared[0:64, 0:128], R_local[0:32, 0:128])
