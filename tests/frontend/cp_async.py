# RUN: tilescope opt --passes '' %s:copies | FileCheck %s
# ./dev lit tests/frontend/cp_async.py
# RUN: tilescope exec --every-pass --witness %s:copies | FileCheck %s --check-prefix=RIGHT --implicit-check-not=WRONG
# RUN: tilescope compile %s:copies -o - | FileCheck %s --check-prefix=CUDA
# RUN: exits 1 tilescope exec %s:early --every-pass 2>&1 | FileCheck %s --check-prefix=EARLY
# RUN: exits 2 tilescope opt --passes '' %s:width 2>&1 | FileCheck %s --check-prefix=WIDTH
# RUN: exits 2 tilescope opt --passes '' %s:upwards 2>&1 | FileCheck %s --check-prefix=UPWARDS
# RUN: tilescope check %s:ring | FileCheck %s --check-prefix=DOUBT
# RUN: tilescope check %s:either | FileCheck %s --check-prefix=DOUBT
# RUN: tilescope check %s:guarded | FileCheck %s --check-prefix=DOUBT
# RUN: tilescope check %s:repeated | FileCheck %s --check-prefix=DOUBT
# RUN: tilescope check %s:excluded | FileCheck %s --check-prefix=DOUBT
# RUN: exits 1 tilescope check %s:unguarded | FileCheck %s --check-prefix=SURE
# RUN: exits 1 tilescope check %s:early | FileCheck %s --check-prefix=SURE
# RUN: tilescope exec %s:outside --every-pass | FileCheck %s --check-prefix=RIGHT --implicit-check-not=WRONG
# DOUBT: free of hazards not established, line {{[0-9]+}}: it is not established that copies of 'tile' have arrived:
# SURE: free of hazards no
# RIGHT: insert-barriers#2 {{.*}}equal

# T.ptx_cp_async copies adjacent elements of a thread, until its group has been waited for.
import tilelang.language as T


@T.prim_func
def copies(A: T.Tensor((4, 128), "float16"), n: T.int32, C: T.Tensor((4, 128), "float16")):
    with T.Kernel(1, threads=64):
        tx = T.get_thread_binding()
        tile = T.alloc_shared((4, 128), "float16")
        # CHECK: T.cp_async(A[row, column:column + 8], tile[row, column:column + 8], predicate=row < n)
        # CHECK-NEXT: T.commit_group()
        # CUDA: cp_async{{.*}}<16>(
        row, column = tx // 16, tx % 16 * 8
        T.ptx_cp_async(T.access_ptr(tile[row, column], "w", 8), T.access_ptr(A[row, column], "r", 8), 8, predicate=row < n)
        T.ptx_commit_group()
        T.ptx_wait_group(0)
        T.sync_threads()
        for i, j in T.Parallel(4, 128):
            C[i, j] = tile[3 - i, j]


# EARLY: is read before the copy into it has been waited for
@T.prim_func
def early(A: T.Tensor((256,), "float32"), C: T.Tensor((256,), "float32")):
    with T.Kernel(1, threads=64):
        tx = T.get_thread_binding()
        tile = T.alloc_shared((256,), "float32")
        T.ptx_cp_async(T.access_ptr(tile[tx * 4], "w", 4), T.access_ptr(A[tx * 4], "r", 4), 4)
        T.ptx_commit_group()
        T.sync_threads()
        C[tx] = tile[255 - tx]


# WIDTH: error: 'num_elems' of 'T.ptx_cp_async' must be as many elements as 4, 8 or 16 bytes hold
@T.prim_func
def width(A: T.Tensor((256,), "float32")):
    with T.Kernel(1, threads=64):
        tile = T.alloc_shared((256,), "float32")
        T.ptx_cp_async(T.access_ptr(tile[0], "w", 3), T.access_ptr(A[0], "r", 3), 3)


# UPWARDS: error: 'src_access_ptr' of 'T.ptx_cp_async' must be a pointer into a tensor
@T.prim_func
def upwards(A: T.Tensor((256,), "float32")):
    with T.Kernel(1, threads=64):
        tile = T.alloc_shared((256,), "float32")
        T.ptx_cp_async(T.access_ptr(A[0], "w", 4), T.access_ptr(tile[0], "r", 4), 4)


# Which row a copy goes to is an index of the kernel, not a slot.
@T.prim_func
def ring(A: T.Tensor((8, 256), "float32"), C: T.Tensor((256,), "float32")):
    with T.Kernel(1, threads=64):
        tx = T.get_thread_binding()
        tile = T.alloc_shared((2, 256), "float32")
        for k in T.serial(2):
            T.ptx_cp_async(T.access_ptr(tile[k, tx * 4], "w", 4), T.access_ptr(A[k, tx * 4], "r", 4), 4)
            T.ptx_commit_group()
        for k in T.serial(8):
            T.ptx_wait_group(1)
            T.sync_threads()
            C[tx] += tile[k % 2, 255 - tx]
            T.sync_threads()
            if k < 6:
                T.ptx_cp_async(T.access_ptr(tile[k % 2, tx * 4], "w", 4), T.access_ptr(A[k + 2, tx * 4], "r", 4), 4)
            T.ptx_commit_group()


# Each thread waits, on one side or the other.
@T.prim_func
def either(A: T.Tensor((256,), "float32"), C: T.Tensor((256,), "float32")):
    with T.Kernel(1, threads=64):
        tx = T.get_thread_binding()
        tile = T.alloc_shared((256,), "float32")
        T.ptx_cp_async(T.access_ptr(tile[tx * 4], "w", 4), T.access_ptr(A[tx * 4], "r", 4), 4)
        T.ptx_commit_group()
        if A[tx] > 0:
            T.ptx_wait_group(0)
        else:
            T.ptx_wait_group(0)
        T.sync_threads()
        C[tx] = tile[255 - tx]


# Of a copy that is partly outside of the tensor zeros arrive, before there is a predicate too.
@T.prim_func
def outside(A: T.Tensor((250,), "float32"), C: T.Tensor((256,), "float32")):
    with T.Kernel(1, threads=64):
        tx = T.get_thread_binding()
        tile = T.alloc_shared((256,), "float32")
        T.ptx_cp_async(T.access_ptr(tile[tx * 4], "w", 4), T.access_ptr(A[tx * 4], "r", 4), 4)
        T.ptx_commit_group()
        T.ptx_wait_group(0)
        T.sync_threads()
        for j in T.serial(4):
            C[tx * 4 + j] = tile[tx * 4 + j]


# Who waits is who reads, but which way a condition goes is not followed.
@T.prim_func
def guarded(n: T.int32, A: T.Tensor((256,), "float32"), C: T.Tensor((256,), "float32")):
    with T.Kernel(1, threads=64):
        tx = T.get_thread_binding()
        tile = T.alloc_shared((256,), "float32")
        T.ptx_cp_async(T.access_ptr(tile[tx * 4], "w", 4), T.access_ptr(A[tx * 4], "r", 4), 4)
        T.ptx_commit_group()
        if n > 3:
            T.ptx_wait_group(0)
        T.sync_threads()
        if n > 3:
            C[tx] = tile[255 - tx]


# Nor whether a loop runs at all.
@T.prim_func
def repeated(n: T.int32, A: T.Tensor((256,), "float32"), C: T.Tensor((256,), "float32")):
    with T.Kernel(1, threads=64):
        tx = T.get_thread_binding()
        tile = T.alloc_shared((256,), "float32")
        T.ptx_cp_async(T.access_ptr(tile[tx * 4], "w", 4), T.access_ptr(A[tx * 4], "r", 4), 4)
        T.ptx_commit_group()
        for k in T.serial(n):
            T.ptx_wait_group(0)
        T.sync_threads()
        C[tx] = tile[255 - tx]


# Nor that of two conditions only one can hold.
@T.prim_func
def excluded(n: T.int32, A: T.Tensor((256,), "float32"), C: T.Tensor((256,), "float32")):
    with T.Kernel(1, threads=64):
        tx = T.get_thread_binding()
        tile = T.alloc_shared((256,), "float32")
        if n > 3:
            T.ptx_cp_async(T.access_ptr(tile[tx * 4], "w", 4), T.access_ptr(A[tx * 4], "r", 4), 4)
            T.ptx_commit_group()
        if n <= 3:
            for j in T.serial(4):
                tile[tx * 4 + j] = n
            T.sync_threads()
            C[tx] = tile[255 - tx]
        T.ptx_wait_group(0)


# A condition of the read alone: where it holds nobody has waited.
@T.prim_func
def unguarded(n: T.int32, A: T.Tensor((256,), "float32"), C: T.Tensor((256,), "float32")):
    with T.Kernel(1, threads=64):
        tx = T.get_thread_binding()
        tile = T.alloc_shared((256,), "float32")
        T.ptx_cp_async(T.access_ptr(tile[tx * 4], "w", 4), T.access_ptr(A[tx * 4], "r", 4), 4)
        T.ptx_commit_group()
        if n > 3:
            C[tx] = tile[255 - tx]
        T.ptx_wait_group(0)
