# Helpers that build expressions by tvm.tirx, warp policies that tell their partition, names of tilelang.cuda.intrinsics.
# ./dev lit tests/frontend/tir.py
# RUN: tilescope opt --passes '' %s:kernel | FileCheck %s
# RUN: exits 2 tilescope opt --passes '' %s:unknown 2>&1 | FileCheck %s --check-prefix=UNKNOWN
# RUN: exits 2 tilescope opt --passes '' %s:no_number 2>&1 | FileCheck %s --check-prefix=NUMBER
# RUN: exits 2 tilescope opt --passes '' %s:too_many 2>&1 | FileCheck %s --check-prefix=WARPS
import tilelang
import tilelang.language as T
from tilelang import tvm
from tilelang.cuda.intrinsics import get_mma_micro_size, make_mma_swizzle_layout
from tilelang.intrinsics.utils import mma_store_index_map
from tvm import tirx


def low_bits(word: tirx.PrimExpr):
    assert word.dtype == "uint32"
    return (word >> tirx.const(3, "uint32")) & tvm.tirx.const(7, "uint32")


@tilelang.jit
def kernel():
    rows, columns = T.GemmWarpPolicy.FullRow.compute_warp_partition(64, 64, 4)
    assert (rows, columns) == (4, 1)
    assert T.GemmWarpPolicy.FullRow.compute_warp_partition(48, 64, 4) == (3, 1)
    assert T.GemmWarpPolicy.FullCol.compute_warp_partition(64, 32, 8) == (2, 4)
    assert T.GemmWarpPolicy.Square.compute_warp_partition(128, 128, 4) == (2, 2)
    assert T.GemmWarpPolicy.from_warp_partition(1, 4) == T.GemmWarpPolicy.FullCol
    assert T.GemmWarpPolicy.from_warp_partition(4, 1).is_full_row()
    assert not T.GemmWarpPolicy.from_warp_partition(2, 2).is_full_col()

    # Which address a lane gives to ldmatrix, and where its results of mma are.
    assert T.get_ldmatrix_offset("A", 19, 0, 64) == (3, 8) and T.get_ldmatrix_offset("A", 11, 0, 64, "float16", True) == (3, 8)
    assert T.get_ldmatrix_offset("B", 27, 5, 64, "int8", True) == (11, 21)
    assert T.get_ldmatrix_offset("A", 19, 1, 64, "int4") == (3, 34) and T.get_ldmatrix_offset("A", 3, 5, 64, "float32") == (3, 1)
    assert get_mma_micro_size("int8") == (16, 16, 32) and T.get_mma_micro_size("bfloat16") == (16, 16, 16)
    assert [mma_store_index_map(5, i) for i in (0, 3, 6)] == [(1, 2), (9, 3), (9, 10)]

    @T.prim_func
    def main(X: T.Tensor((128,), "uint32"), Y: T.Tensor((128,), "float32")):
        with T.Kernel(1, threads=128):
            # CHECK: swizzled = T.alloc_shared((64, 64), "float16", layout="swizzle(128)"
            swizzled = T.alloc_shared((64, 64), "float16")
            # CHECK: narrow = T.alloc_shared((64, 16), "float16"
            narrow = T.alloc_shared((64, 16), "float16")
            T.annotate_layout({swizzled: make_mma_swizzle_layout(swizzled), narrow: make_mma_swizzle_layout(narrow)})
            T.clear(swizzled)
            T.clear(narrow)
            for i in T.Parallel(128):
                # CHECK: Y[i] = T.float32(X[i] >> T.uint32(3) & T.uint32(7))
                Y[i] = tirx.Cast("float32", low_bits(X[i]))
                # CHECK: Y[i] = T.float32(T.popcount(X[i])) + T.exp(T.float32(i))
                Y[i] = T.call_intrin("float32", "tir.popcount", X[i]) + tirx.call_intrin("float32", "exp", T.float32(i))
                # CHECK: Y[i] = 1.0 if X[i] == T.uint32(0) else 2.0
                Y[i] = tirx.Select(tirx.EQ(X[i], tirx.const(0, "uint32")), tirx.const(1.0), tirx.const(2, "float32"))
                # CHECK: if i < 4 and i > 1 and T.max(i * 2, 3) < 8:
                if tirx.all(i < 4, tirx.GT(i, 1), tirx.Max(tirx.Mul(i, 2), 3) < 8):
                    Y[i] = 0.0

    return main


@tilelang.jit
def unknown():
    @T.prim_func
    def main(X: T.Tensor((128,), "int32")):
        with T.Kernel(1, threads=128):
            # UNKNOWN: [[# @LINE + 1]]:20: error: T.ptx_wgmma_ss is not supported yet: it is of sm_90a
            X[0] = tirx.call_intrin("int32", "tir.ptx_wgmma_ss", 1)

    return main


@tilelang.jit
def no_number():
    @T.prim_func
    def main(X: T.Tensor((128,), "int32")):
        with T.Kernel(1, threads=128):
            # NUMBER: [[# @LINE + 1]]:31: error: 'value' of 'tvm.tirx.const' must be a number known at compile time
            X[0] = tirx.const(X[1], "int32")

    return main


@tilelang.jit
def too_many():
    # WARPS: [[# @LINE + 1]]:{{.*}}: error: 'num_warps' of 'GemmWarpPolicy.compute_warp_partition' must be a number of warps from 1 to 32
    T.GemmWarpPolicy.Square.compute_warp_partition(64, 64, 0)
