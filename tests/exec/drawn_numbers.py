# RUN: tilescope exec %s:packed --every-pass --witness --fill Count=zeros | FileCheck %s --check-prefix=PACKED
# ./dev lit tests/exec/drawn_numbers.py
# RUN: tilescope exec %s:counted --every-pass --witness --fill Count=zeros | FileCheck %s --check-prefix=COUNTED
# RUN: tilescope exec %s:packed --witness --fill Count=zeros --format json | FileCheck %s --check-prefix=JSON

# Which thread gets which number from an atomic operation is nobody's to say. Where that chooses what
# is written, another order of threads leaves something else, and no order is the wrong one.
import tilelang.language as T


# PACKED: cuda reversed {{ *}}not judged
# PACKED-NEXT: C comes out otherwise where other threads come first to an atomic operation
# PACKED-NOT: {{^}}  Count
# JSON: "verdict": "not judged"
@T.prim_func
def packed(A: T.Tensor((256,), "float32"), Count: T.Tensor((1,), "int32"), C: T.Tensor((256,), "float32")):
    with T.Kernel(1, threads=256):
        tx = T.get_thread_binding()
        if A[tx] > 0.0:
            at = T.alloc_var("int32")
            at = T.atomic_add(Count[0], 1, return_prev=True)
            C[at] = A[tx]


# The last of them does what any other would do in its place.
# COUNTED: cuda reversed {{ *}}equal
@T.prim_func
def counted(Count: T.Tensor((1,), "int32"), C: T.Tensor((1,), "float32")):
    with T.Kernel(1, threads=256):
        at = T.alloc_var("int32")
        at = T.atomic_add(Count[0], 1, return_prev=True)
        if at == 255:
            C[0] = 1.0
