# RUN: tilescope opt --passes '' %s:instructions | FileCheck %s
# ./dev lit tests/frontend/intrinsics.py
# RUN: exits 2 tilescope opt --passes '' %s:apart 2>&1 | FileCheck %s --check-prefix=APART
# RUN: tilescope opt --passes '' %s:emitted | FileCheck %s --check-prefix=EMITTED
# RUN: not tilescope opt --passes '' %s:misused --set kind=shape 2>&1 | FileCheck %s --check-prefix=SHAPE
# RUN: not tilescope opt --passes '' %s:misused --set kind=layout 2>&1 | FileCheck %s --check-prefix=LAYOUT
# RUN: not tilescope opt --passes '' %s:misused --set kind=pointer 2>&1 | FileCheck %s --check-prefix=POINTER
# RUN: not tilescope opt --passes '' %s:misused --set kind=number 2>&1 | FileCheck %s --check-prefix=NUMBER
# RUN: not tilescope opt --passes '' %s:misused --set kind=part 2>&1 | FileCheck %s --check-prefix=PART
import tilelang
import tilelang.language as T
from tilelang.cuda.intrinsics import TensorCoreIntrinEmitter, get_swizzle_layout
from tilelang.cuda.intrinsics.sparse_layout import get_e_factor, get_e_replicate_factor


# CHECK-LABEL: def instructions(
@T.prim_func
def instructions(A: T.Tensor((32, 32), "float16"), C: T.Tensor((32, 8), "float32")):
    with T.Kernel(1, threads=32) as bx:
        tx = T.get_thread_binding()
        s = T.alloc_shared((32, 32), "float16")
        a = T.alloc_local((16,), "float16")
        b = T.alloc_local((8,), "float16")
        c = T.alloc_local((8,), "float32")
        T.copy(A, s)
        # CHECK: T.ldmatrix(s[tx % 16, tx // 16 * 8:tx // 16 * 8 + 8], a[8:16])
        T.ptx_ldmatrix(False, 4, s[tx % 16, tx // 16 * 8], a[8])
        # CHECK-NEXT: T.ldmatrix(s[tx % 8, 8:16], b[0:4], matrices=2, trans=True)
        T.ptx_ldmatrix(T.bool(True), 2, s[tx % 8, 8], b[0])
        # CHECK-NEXT: T.fill(c[4:8], 0.0)
        T.mma_fill("float32", 4, c.data, 4)
        # CHECK-NEXT: T.mma(a[8:16], b[0:4], c[4:8])
        T.ptx_mma("float32", "m16n8k16", "row", "col", "fp16", "fp16", "fp32", a.data, 8, b.data, 0, c.data, 4, T.bool(False))
        C[tx, 0] = c[4]


# Chunks change places: by rows in pairs, as 64 bytes of a row have four of them.
# EMITTED-LABEL: def emitted(
@T.prim_func
def emitted(C: T.Tensor((64, 3), "int32"), D: T.Tensor((2,), "int32")):
    with T.Kernel(1, threads=64) as bx:
        tx = T.get_thread_binding()
        place = get_swizzle_layout(tx, 17, 32, "float16")
        # EMITTED: C[tx, 0] = 0
        C[tx, 0] = place[0]
        # EMITTED-NEXT: C[tx, 1] = tx
        C[tx, 1] = place[1]
        # EMITTED-NEXT: C[tx, 2] = (2 ^ tx // 2 % 4) * 8 + 1
        C[tx, 2] = place[2]
        # EMITTED-NEXT: D[0] = 16
        D[0] = get_e_factor(T.float16, T.int16)
        # EMITTED-NEXT: D[1] = 2
        D[1] = get_e_replicate_factor(T.float16)


@tilelang.jit
def misused(kind):
    @T.prim_func
    def main(C: T.Tensor((8,), "float32")):
        with T.Kernel(1, threads=32) as bx:
            s = T.alloc_shared((16, 16), "float16")
            a = T.alloc_local((8,), "float16")
            b = T.alloc_local((8,), "float16")
            c = T.alloc_local((8,), "float32")
            if kind == "shape":
                # SHAPE: [[# @LINE + 1]]:{{.*}}error: T.ptx_mma of m8n8k4 is not supported yet
                T.ptx_mma("float64", "m8n8k4", "row", "col", "fp64", "fp64", "fp64", a.data, 0, b.data, 0, c.data, 0)
            if kind == "layout":
                # LAYOUT: [[# @LINE + 1]]:{{.*}}error: {{.*}}'B_layout'{{.*}}'col'
                T.ptx_mma("float32", "m16n8k16", "row", "row", "fp16", "fp16", "fp32", a.data, 0, b.data, 0, c.data, 0)
            if kind == "pointer":
                # POINTER: [[# @LINE + 1]]:{{.*}}error: {{.*}}'multiplicand_a'{{.*}}a pointer to memory of one axis
                T.ptx_mma("float32", "m16n8k16", "row", "col", "fp16", "fp16", "fp32", s.data, 0, b.data, 0, c.data, 0)
            if kind == "number":
                # NUMBER: [[# @LINE + 1]]:{{.*}}error: {{.*}}'num'{{.*}}1, 2 or 4 matrices
                T.ptx_ldmatrix(False, 3, s[0, 0], a[0])
            if kind == "part":
                # PART: error: assertion failed: operands have 8, 16 or 32 bits
                TensorCoreIntrinEmitter(a_dtype="float64", b_dtype="float64", accum_dtype="float64")
            C[0] = c[0]

    return main


# APART: error: 'a_index' of 'T.ptx_mma' must be a multiple of 2, the elements of 32 bits
@T.prim_func
def apart(X: T.Tensor((64,), "float32")):
    with T.Kernel(1, threads=32):
        a = T.alloc_local((9,), "float16")
        c = T.alloc_local((4,), "float32")
        T.ptx_mma("float32", "m16n8k16", "row", "col", "fp16", "fp16", "fp32", a.data, 1, a.data, 0, c.data, 0, False)
