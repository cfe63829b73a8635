# RUN: tilescope exec %s:lower --every-pass --witness | FileCheck %s --implicit-check-not=WRONG
# ./dev lit tests/frontend/exchanges_of_threads.py
# RUN: tilescope exec %s:sorted_pairs --every-pass --witness | FileCheck %s --implicit-check-not=WRONG
# RUN: tilescope exec %s:halves --every-pass --witness | FileCheck %s --implicit-check-not=WRONG
# RUN: tilescope exec %s:halving --every-pass --witness | FileCheck %s --implicit-check-not=WRONG
# RUN: tilescope check %s:halving | FileCheck %s --check-prefix=INSIDE --implicit-check-not='others write'
# RUN: tilescope check %s:lower | FileCheck %s --check-prefix=FREE
# RUN: tilescope check %s:sorted_pairs | FileCheck %s --check-prefix=FREE
# RUN: tilescope check %s:halves | FileCheck %s --check-prefix=FREE
# RUN: exits 1 tilescope check %s:overlapping | FileCheck %s --check-prefix=NOT-FREE
# RUN: tilescope compile %s:lower | FileCheck %s --check-prefix=BARRIERS
# CHECK: insert-barriers#2 {{.*}}equal
# CHECK: cuda {{.*}}equal
# FREE: free of hazards  yes

# Threads exchange elements of shared memory in pairs, behind an `if` of their own: no two pairs share an element, so no
# barrier is needed between the statements of one exchange, but one before the next.
import tilelang.language as T


# BARRIERS: s[tx] = A[tx];
# BARRIERS-NEXT: __syncthreads();
# BARRIERS: for (int k
# BARRIERS-NOT: __syncthreads();
# BARRIERS: s[j] = t;
# BARRIERS-NEXT: }
# BARRIERS-NEXT: }
# BARRIERS-NEXT: __syncthreads();
# BARRIERS-NEXT: }
# BARRIERS-NEXT: C[tx] = s[tx];
@T.prim_func
def lower(A: T.Tensor((128,), "int32"), C: T.Tensor((128,), "int32")):
    with T.Kernel(1, threads=128):
        tx = T.get_thread_binding()
        s = T.alloc_shared((128,), "int32")
        s[tx] = A[tx]
        for k in T.serial(7):
            j = tx ^ (1 << k)
            if j > tx:
                if s[tx] > s[j]:
                    t = s[tx]
                    s[tx] = s[j]
                    s[j] = t
        C[tx] = s[tx]


# Keys and their places, upwards and downwards in turn: a bitonic network with the author's barriers.
@T.prim_func
def sorted_pairs(A: T.Tensor((128,), "float32"), C: T.Tensor((128,), "float32"), D: T.Tensor((128,), "int32")):
    with T.Kernel(1, threads=128):
        tx = T.get_thread_binding()
        s = T.alloc_shared((128,), "float32")
        p = T.alloc_shared((128,), "int32")
        t = T.alloc_var("float32")
        u = T.alloc_var("int32")
        s[tx] = A[tx]
        p[tx] = tx
        T.sync_threads()
        for i in T.serial(7):
            for step in T.serial(i + 1):
                j = tx ^ (1 << (i - step))
                if j > tx:
                    if (s[tx] > s[j]) == ((tx & (2 << i)) == 0):
                        t = s[tx]
                        u = p[tx]
                        s[tx] = s[j]
                        p[tx] = p[j]
                        s[j] = t
                        p[j] = u
                T.sync_threads()
        C[tx] = s[tx]
        D[tx] = p[tx]


# Half as many threads as elements: each has a pair.
@T.prim_func
def halves(A: T.Tensor((256,), "int32"), C: T.Tensor((256,), "int32")):
    with T.Kernel(1, threads=128):
        tx = T.get_thread_binding()
        s = T.alloc_shared((256,), "int32")
        r = T.alloc_local((2,), "int32")
        s[tx] = A[tx]
        s[tx + 128] = A[tx + 128]
        T.sync_threads()
        for k in T.serial(8):
            lo = (tx // (1 << k)) * (2 << k) + tx % (1 << k)
            hi = lo + (1 << k)
            if s[lo] > s[hi]:
                r[0] = s[lo]
                r[1] = s[hi]
                s[lo] = r[1]
                s[hi] = r[0]
            T.sync_threads()
        C[tx] = s[tx]
        C[tx + 128] = s[tx + 128]


# Over a distance that nobody knows before: pairs they are all the same, if the partner is inside of the tile.
# INSIDE: free of hazards  not established, line {{[0-9]+}}: it is not established that this statement stays inside of 's'
@T.prim_func
def halving(A: T.Tensor((128,), "int32"), C: T.Tensor((128,), "int32")):
    with T.Kernel(1, threads=128):
        tx = T.get_thread_binding()
        s = T.alloc_shared((128,), "int32")
        t = T.alloc_var("int32")
        distance = T.alloc_var("int32")
        s[tx] = A[tx]
        T.sync_threads()
        distance = 64
        while distance > 0:
            j = tx ^ distance
            if j > tx:
                if s[tx] > s[j]:
                    t = s[tx]
                    s[tx] = s[j]
                    s[j] = t
            T.sync_threads()
            distance = distance // 2
        C[tx] = s[tx]


# The upper thread of a pair is the lower one of another.
# NOT-FREE: no barrier can stand between
@T.prim_func
def overlapping(A: T.Tensor((128,), "int32"), C: T.Tensor((128,), "int32")):
    with T.Kernel(1, threads=128):
        tx = T.get_thread_binding()
        s = T.alloc_shared((128,), "int32")
        t = T.alloc_var("int32")
        s[tx] = A[tx]
        T.sync_threads()
        if tx < 127:
            if s[tx] > s[tx + 1]:
                t = s[tx]
                s[tx] = s[tx + 1]
                s[tx + 1] = t
        T.sync_threads()
        C[tx] = s[tx]
