# tilescope-ir 1
# ./dev lit tests/ops/call_extern.py
# RUN: tilescope opt --passes '' %s | FileCheck %s

# CHECK: @T.prim_func(properties=["lowered"], sources=["__device__ void f() {}\x0a", "// \x22quoted\x22"])
# CHECK-NEXT: def call_extern_forms(
@T.prim_func(properties=["lowered"], sources=["__device__ void f() {}\n", "// \"quoted\""])
def call_extern_forms(
    A: T.Tensor((256, 256), "float32"),
    B: T.Tensor((256,), "int32", output=True),
):
    s = T.alloc_shared((64, 32), "float32")
    f = T.alloc_local((4,), "float32")
    n = T.alloc_var((1,), "int32")
    with T.Kernel(1, threads=128) as (bx, tx):
        # CHECK: T.call_extern(A[bx, 0:4], f[0:4], tx, callee="decode", signature="rwv"){{$}}
        T.call_extern(A[bx, 0:4], f[0:4], tx, callee="decode", signature="rwv")
        # CHECK-NEXT: T.call_extern(n[0], 4, s[0:64, 0:32], tx * 4, callee="ns::count<int, 4>", signature="=vb+"){{$}}
        T.call_extern(n[0], 4, s[0:64, 0:32], tx * 4, callee="ns::count<int, 4>", signature="=vb+")
        # CHECK-NEXT: T.call_extern(callee="nothing"){{$}}
        T.call_extern(callee="nothing")
        B[tx] = n[0]
