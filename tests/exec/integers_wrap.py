# Integers wrap as written as they do in the emitted code, in expressions, reductions and products.
# ./dev lit tests/exec/integers_wrap.py
# RUN: tilescope exec %s --every-pass --witness --fill A=1000003 --fill D=100 | FileCheck %s --implicit-check-not=WRONG
import tilelang
import tilelang.language as T


# CHECK: lower-tile-ops {{ *}}equal
# CHECK: cuda {{ *}}equal
# CHECK: cuda reversed {{ *}}equal
@tilelang.jit
def kernel():
    @T.prim_func
    def main(
            A: T.Tensor((64,), "int32"),
            D: T.Tensor((64, 64), "int8"),
            hash: T.Tensor((64,), "uint32"),
            sums: T.Tensor((2,), "int32"),
            products: T.Tensor((64, 64), "int32"),
    ):
        with T.Kernel(1, threads=128) as _:
            for i in T.Parallel(64):
                hash[i] = (T.cast(A[i], "uint32") * T.uint32(2654435761) + T.uint32(1013904223)) >> T.uint32(16)
            row = T.alloc_fragment((2, 64), "int32")
            total = T.alloc_fragment((2,), "int32")
            for i, j in T.Parallel(2, 64):
                row[i, j] = A[j]
            T.reduce_sum(row, total, dim=1)
            T.copy(total, sums)
            left = T.alloc_shared((64, 64), "int8")
            acc = T.alloc_fragment((64, 64), "int32")
            T.copy(D, left)
            T.fill(acc, 2147483000)
            T.gemm(left, left, acc, transpose_B=True)
            T.copy(acc, products)

    return main
