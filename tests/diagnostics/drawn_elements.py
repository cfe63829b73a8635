# RUN: tilescope check %s:selected 2>&1 | FileCheck %s --check-prefix=SELECTED
# ./dev lit tests/diagnostics/drawn_elements.py
# RUN: not tilescope check %s:same_row 2>&1 | FileCheck %s --check-prefix=ROW
# RUN: not tilescope check %s:halved 2>&1 | FileCheck %s --check-prefix=HALVED
# RUN: not tilescope check %s:kept 2>&1 | FileCheck %s --check-prefix=KEPT
# RUN: not tilescope check %s:stored_atomically 2>&1 | FileCheck %s --check-prefix=STORED
# RUN: tilescope check %s:overwritten 2>&1 | FileCheck %s --check-prefix=OVERWRITTEN

# Threads that draw numbers from a counter write elements of their own, and two buffers that take
# turns are two: with barriers where the kernel has them, nothing races.
import tilelang
import tilelang.language as T

own_barriers = {tilelang.PassConfigKey.TL_DISABLE_THREAD_STORAGE_SYNC: True}


# SELECTED-NOT: no barrier
# SELECTED-NOT: they write one element
@tilelang.jit(pass_configs=own_barriers)
def selected():
    @T.prim_func
    def main(A: T.Tensor((256,), "float32"), B: T.Tensor((256,), "float32")):
        with T.Kernel(1, threads=256):
            tx = T.get_thread_binding()
            count = T.alloc_shared((2,), "int32")
            found = T.alloc_shared((2, 256), "float32")
            at = T.alloc_var("int32")
            if tx == 0:
                count[0] = 0
            T.sync_threads()
            for j in T.serial(1):
                if A[tx] > 0.0:
                    at = T.atomic_add(count[0], 1, return_prev=True)
                    found[0, at] = A[tx]
            for k in T.serial(4):
                now = k % 2
                T.sync_threads()
                if tx == 0:
                    count[now ^ 1] = 0
                T.sync_threads()
                if tx < count[now]:
                    if found[now, tx] > 0.1 * k:
                        at = T.atomic_add(count[now ^ 1], 1, return_prev=True)
                        found[now ^ 1, at] = found[now, tx]
            T.sync_threads()
            B[tx] = 0.0
            if tx < count[0]:
                B[tx] = found[0, tx]

    return main


# ROW: error, line [[# @LINE + 19]]: no barrier between this access of 'found'
@tilelang.jit(pass_configs=own_barriers)
def same_row():
    @T.prim_func
    def main(A: T.Tensor((256,), "float32"), B: T.Tensor((256,), "float32")):
        with T.Kernel(1, threads=256):
            tx = T.get_thread_binding()
            count = T.alloc_shared((2,), "int32")
            found = T.alloc_shared((2, 256), "float32")
            at = T.alloc_var("int32")
            found[0, tx] = A[tx]
            found[1, tx] = A[tx]
            for k in T.serial(4):
                T.sync_threads()
                if tx == 0:
                    count[k % 2 ^ 1] = 0
                T.sync_threads()
                if found[k % 2, 255 - tx] > 0.1 * k:
                    at = T.atomic_add(count[k % 2 ^ 1], 1, return_prev=True)
                    found[k % 2, at] = A[tx]
            T.sync_threads()
            B[tx] = found[0, tx]

    return main


# Two threads that draw 2 and 3 write one element.
# HALVED: 'found'
@tilelang.jit(pass_configs=own_barriers)
def halved():
    @T.prim_func
    def main(A: T.Tensor((256,), "float32"), B: T.Tensor((256,), "float32")):
        with T.Kernel(1, threads=256):
            tx = T.get_thread_binding()
            count = T.alloc_shared((1,), "int32")
            found = T.alloc_shared((256,), "float32")
            at = T.alloc_var("int32")
            if tx == 0:
                count[0] = 0
            found[tx] = 0.0
            T.sync_threads()
            for j in T.serial(2):
                at = T.atomic_add(count[0], 1, return_prev=True) // 4
                found[at] = A[tx]
            T.sync_threads()
            B[tx] = found[tx]

    return main


# The counter starts again, and the number drawn before is still to be used.
# KEPT: 'found'
@tilelang.jit(pass_configs=own_barriers)
def kept():
    @T.prim_func
    def main(A: T.Tensor((256,), "float32"), B: T.Tensor((256,), "float32")):
        with T.Kernel(1, threads=256):
            tx = T.get_thread_binding()
            count = T.alloc_shared((1,), "int32")
            found = T.alloc_shared((256,), "float32")
            first = T.alloc_var("int32")
            second = T.alloc_var("int32")
            if tx == 0:
                count[0] = 0
            T.sync_threads()
            first = T.atomic_add(count[0], 1, return_prev=True)
            T.sync_threads()
            if tx == 0:
                count[0] = 0
            T.sync_threads()
            found[first] = A[tx]
            second = T.atomic_add(count[0], 1, return_prev=True)
            found[second] = A[tx] + 1.0
            T.sync_threads()
            B[tx] = found[tx]

    return main


# No barrier is asked for between atomics, so nothing keeps what was drawn before apart.
# STORED: 'found'
@tilelang.jit(pass_configs=own_barriers)
def stored_atomically():
    @T.prim_func
    def main(A: T.Tensor((256,), "float32"), B: T.Tensor((256,), "float32")):
        with T.Kernel(1, threads=256):
            tx = T.get_thread_binding()
            count = T.alloc_shared((1,), "int32")
            found = T.alloc_shared((256,), "float32")
            at = T.alloc_var("int32")
            if tx == 0:
                count[0] = 0
            found[tx] = 0.0
            T.sync_threads()
            for j in T.serial(2):
                at = T.atomic_add(count[0], 1, return_prev=True)
                found[at] = A[tx]
                if tx == 0:
                    T.atomic_store(count[0], 0)
            T.sync_threads()
            B[tx] = found[tx]

    return main


# What is stored at a place that is not known may be where the number was.
# OVERWRITTEN: free of hazards  not established, {{.*}}'found'
@tilelang.jit(pass_configs=own_barriers)
def overwritten():
    @T.prim_func
    def main(A: T.Tensor((256,), "float32"), B: T.Tensor((256,), "float32"), P: T.Tensor((256,), "int32")):
        with T.Kernel(1, threads=256):
            tx = T.get_thread_binding()
            count = T.alloc_shared((1,), "int32")
            found = T.alloc_shared((256,), "float32")
            number = T.alloc_var("int32")
            at = T.alloc_local((2,), "int32")
            place = T.alloc_var("int32")
            place = P[tx]
            if tx == 0:
                count[0] = 0
            found[tx] = 0.0
            T.sync_threads()
            number = T.atomic_add(count[0], 1, return_prev=True)
            at[0] = number
            at[place] = 3
            found[at[0]] = A[tx]
            T.sync_threads()
            B[tx] = found[tx]

    return main
