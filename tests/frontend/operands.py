# RUN: tilescope opt --passes '' %s 2>&1 | FileCheck %s
# ./dev lit tests/frontend/operands.py

# Which region an operand of a tile operation means. (ExtentsDiffer: a copy that does not move what its slice says.)
import tilelang.language as T


# CHECK: [[# @LINE + 45]]:{{.*}} warning: slices (32, 64) and (64, 64) disagree; the extents of 'S' are used
# CHECK: def kernel(
@T.prim_func
def kernel(A: T.Tensor((64, 512, 512), "float16"), M: T.Tensor((512, 512), "float16")):
    with T.Kernel(8, 8, threads=128) as (bx, by):
        S = T.alloc_shared((64, 64), "float16")
        S3 = T.alloc_shared((2, 64, 64), "float16")
        row = T.alloc_shared((64,), "float16")
        acc = T.alloc_fragment((64, 64), "float32")
        sums = T.alloc_fragment((64,), "float32")
        T.clear(S3)
        T.clear(sums)
        # An element is a start: extents come from the other side, aligned at the last axis.
        # CHECK: T.copy(A[2, by * 64:by * 64 + 64, bx * 64:bx * 64 + 64], S[0:64, 0:64])
        T.copy(A[2, by * 64, bx * 64], S)
        # CHECK-NEXT: T.copy(S[0:64, 0:64], A[by, 0:64, bx:bx + 64])
        T.copy(S, A[by, 0, bx])
        # CHECK-NEXT: T.copy(M[by, bx:bx + 64], row[0:64])
        T.copy(M[by, bx], row)
        # Slices: axes other than 1 pair up in order.
        # CHECK-NEXT: T.copy(A[0:64, by, bx * 64:bx * 64 + 64], S[0:64, 0:64])
        T.copy(A[0:64, by, bx * 64 : (bx + 1) * 64], S)
        # CHECK-NEXT: T.copy(M[0:64, 448:512], S[0:64, 0:64])
        T.copy(M[0:64, -64:], S)
        # CHECK-NEXT: T.copy(S3[1, 0:64, 0:64], S[0:64, 0:64])
        T.copy(S3[1, :, :], S)
        # Two elements are one element.
        # CHECK-NEXT: S[1, 2] = M[3, 4]
        T.copy(M[3, 4], S[1, 2])
        # CHECK-NEXT: T.fill(S[0:64, 0:32], T.float16(1.0))
        T.fill(S[:, 0:32], 1)
        # CHECK-NEXT: S[0, 0] = T.float16(0.0)
        T.clear(S[0, 0])
        # CHECK-NEXT: T.gemm(S3[0, 0:64, 0:64], S[0:64, 0:64], acc[0:64, 0:64], clear_accum=by == 0, transpose_A=True, transpose_B=True, policy="full_col")
        T.gemm(S3[0, :, :], S, acc, True, transpose_B=True, policy=T.GemmWarpPolicy.FullCol, clear_accum=by == 0)
        # CHECK-NEXT: T.reduce(acc[0:64, 0:64], sums[0:64], kind="max", dim=1, clear=False)
        T.reduce_max(acc, sums, dim=-1, clear=False)
        # CHECK-NEXT: T.atomic_element(M[bx, by], T.float16(1.0))
        T.atomic_add(M[bx, by], 1)
        # CHECK-NEXT: T.atomic_tile(M[by * 64:by * 64 + 64, bx * 64:bx * 64 + 64], S[0:64, 0:64])
        T.atomic_add(M[by * 64, bx * 64], S)
        # CHECK-NEXT: T.copy(M[0:64, 0:64], S[0:64, 0:64], coalesced_width=4, prefer_instruction="sync")
        T.copy(M[0, 0], S, coalesced_width=4, prefer_instruction="sync")
        # The operand nearer to the registers says how much.
        # CHECK-NEXT: T.copy(M[0:64, 0:64], S[0:64, 0:64])
        T.copy(M[0:32, 0:64], S)
