# tilescope-ir 1
# ./dev lit tests/ops/fail_wgmma.py
# RUN: not tilescope opt --target sm_90a --passes '' %s 2>&1 | FileCheck %s

# OperandNotSwizzled, OperandNoWgmmaTile: wgmma reads tiles of its own shape from swizzles that are patterns of addresses.
@T.prim_func(properties=["lowered"])
def tiles(C: T.Tensor((256, 256), "float32", output=True)):
    a = T.alloc_shared((64, 64), "float16", layout="swizzle(128)", offset=0)
    b = T.alloc_shared((64, 128), "float16", layout="aligned_swizzle(128)", offset=16384)
    few = T.alloc_shared((68, 64), "float16", layout="aligned_swizzle(128)", offset=32768)
    c = T.alloc_local((64,), "float32")
    h = T.alloc_local((8,), "float16")
    e = T.alloc_shared((64, 128), "float8_e4m3fn", layout="aligned_swizzle(128)", offset=49152)
    whole = T.alloc_local((64,), "int32")
    with T.Kernel(1, threads=128) as (bx, tx):
        # CHECK: [[# @LINE + 1]]:{{.*}}error: operand 'a' of wgmma must lie in an aligned swizzle, with a multiple of 8 rows
        T.wgmma(a[0:64, 0:16], b[0:16, 0:128], c[0:64])
        # CHECK: [[# @LINE + 1]]:{{.*}}error: operand 'a' of wgmma must lie in an aligned swizzle, with a multiple of 8 rows
        T.wgmma(few[0:64, 0:16], b[0:16, 0:128], c[0:64])
        # CHECK: [[# @LINE + 1]]:{{.*}}error: operand 'a' of wgmma has extents (32, 16), but must be 64 wide and 16 deep
        T.wgmma(b[0:32, 0:16], b[0:16, 0:128], c[0:64])
        # CHECK: [[# @LINE + 1]]:{{.*}}error: operand 'b' of wgmma has extents (16, 96), but must be a multiple of 64 up to 256 wide and 16 deep
        T.wgmma(b[0:64, 0:16], b[0:16, 0:96], c[0:48])
        # CHECK: [[# @LINE + 1]]:{{.*}}error: operand 'a' of wgmma has extents (4) of float16, but must be a run of 16 bytes
        T.wgmma(h[0:4], b[0:16, 0:128], c[0:64])
        # CHECK: [[# @LINE + 1]]:{{.*}}error: attribute 'transpose_A' of wgmma is 1, but must be 0
        T.wgmma(h[0:8], b[0:16, 0:128], c[0:64], transpose_A=True)
        # CHECK: [[# @LINE + 1]]:{{.*}}error: argument 'c' of wgmma has type int32, but must have type float32
        T.wgmma(h[0:8], b[0:16, 0:128], whole[0:64])
        # CHECK: [[# @LINE + 1]]:{{.*}}error: operand 'c' of wgmma has extents (32) of float32, but must be a run of 256 bytes
        T.wgmma(b[0:64, 0:16], b[0:16, 0:128], c[0:32])
        # CHECK: [[# @LINE + 1]]:{{.*}}error: attribute 'pending' of wgmma_wait is 8, but must be 0 to 7
        T.wgmma_wait(pending=8)
        # CHECK: [[# @LINE + 1]]:{{.*}}error: attribute 'transpose_B' of wgmma is 0, but must be 1
        T.wgmma(e[0:64, 0:32], e[0:32, 0:128], c[0:64])
        # CHECK: [[# @LINE + 1]]:{{.*}}error: operands 'a' and 'b' of wgmma have types float8_e4m3fn and float16, but must have one type
        T.wgmma(e[0:64, 0:32], b[0:64, 0:16], c[0:32], transpose_B=True)
