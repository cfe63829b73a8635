# RUN: tilescope opt --passes '' %s | FileCheck %s
# ./dev lit tests/frontend/fragments_of_threads.py
# RUN: tilescope exec %s --every-pass | FileCheck %s --check-prefix=EXEC --implicit-check-not=WRONG

# A fragment that no tile operation and no T.Parallel touches is no tile: each thread fills one of its own.
import tilelang.language as T


# CHECK: own = T.alloc_local((4,), "int32")
# CHECK: tile = T.alloc_fragment((128,), "int32"
# EXEC: equal
@T.prim_func
def kept(A: T.Tensor((512,), "int32"), B: T.Tensor((512,), "int32"), C: T.Tensor((128,), "int32")):
    with T.Kernel(1, threads=128):
        tx = T.get_thread_binding()
        own = T.alloc_fragment((4,), "int32")
        tile = T.alloc_fragment((128,), "int32")
        for r in T.serial(4):
            own[r] = A[r * 128 + tx]
        T.copy(A[0:128], tile)
        for r in T.serial(4):
            B[r * 128 + (tx + 1) % 128] = own[r]
        T.copy(tile, C)
