# RUN: tilescope exec %s:written --every-pass | FileCheck %s --implicit-check-not=WRONG
# ./dev lit tests/exec/conditions_on_tiles.py
# RUN: tilescope exec %s:named --every-pass | FileCheck %s --implicit-check-not=WRONG
# RUN: tilescope exec %s:counted --every-pass --witness --fill M=3..5 | FileCheck %s --check-prefixes=CHECK,CUDA --implicit-check-not=WRONG
# RUN: tilescope exec %s:disagreed --every-pass | FileCheck %s --implicit-check-not=WRONG
# RUN: tilescope check %s:counted | FileCheck %s --check-prefix=SOUND
# RUN: tilescope check %s:disagreed | FileCheck %s --check-prefix=SOUND
# RUN: tilescope show lifetimes %s:disagreed | FileCheck %s --check-prefix=LIVE
# RUN: tilescope compile %s:counted | FileCheck %s --check-prefix=ONCE
# CHECK: insert-barriers#2 {{.*}}equal
# CUDA: cuda {{.*}}equal
# SOUND: free of hazards  yes

# Tiles that may lie over what a condition, a name or the length of a loop is read from. Until the second run of
# insert-barriers all threads have read that before others write; from then on barriers see to it.
import tilelang.language as T


@T.prim_func
def written(M: T.Tensor((8,), "int32"), C: T.Tensor((64,), "int32")):
    with T.Kernel(1, threads=64):
        tx = T.get_thread_binding()
        s = T.alloc_shared((64,), "int32")
        q = T.alloc_shared((8,), "int32")
        T.copy(M, q)
        if tx == 7:
            q[0] = 5
        if q[0] > 0:
            s[tx] = 1
            T.sync_threads()
            C[tx] = s[63 - tx]


@T.prim_func
def named(M: T.Tensor((64,), "int32"), C: T.Tensor((64,), "int32")):
    with T.Kernel(1, threads=64):
        tx = T.get_thread_binding()
        s = T.alloc_shared((64,), "int32")
        q = T.alloc_shared((64,), "int32")
        T.copy(M, q)
        first = q[63 - tx] + q[tx]
        s[tx] = first
        T.sync_threads()
        C[tx] = s[63 - tx]


# The length is read once: C++ would read it again, from bytes of s.
# ONCE: const int k_end = q[0];
# ONCE: k < k_end
@T.prim_func
def counted(M: T.Tensor((8,), "int32"), C: T.Tensor((64,), "int32")):
    with T.Kernel(1, threads=64):
        tx = T.get_thread_binding()
        s = T.alloc_shared((64,), "int32")
        q = T.alloc_shared((8,), "int32")
        T.copy(M, q)
        for k in T.serial(q[0]):
            s[tx] = k
            T.sync_threads()
            C[tx] += s[63 - tx]


# No barrier can stand between the condition and what is behind it.
# LIVE: q live [0, 5)
# LIVE: s live [2, 5)
@T.prim_func
def disagreed(M: T.Tensor((8,), "int32"), C: T.Tensor((64,), "int32")):
    with T.Kernel(1, threads=64):
        tx = T.get_thread_binding()
        s = T.alloc_shared((64,), "int32")
        q = T.alloc_shared((8,), "int32")
        T.copy(M, q)
        if q[tx % 8] > 0:
            s[tx] = 1
            C[tx] = s[tx]
