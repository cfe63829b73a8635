# RUN: exits 1 tilescope exec %s:kernel --set last=1 --every-pass --witness 2>&1 | FileCheck %s
# ./dev lit tests/exec/copies_of_threads.py
# RUN: tilescope exec %s:kernel --set last=0 --every-pass | FileCheck %s --check-prefix=RIGHT
# RIGHT: insert-barriers#2 {{ *}}equal

# Threads of a kernel that asks for its thread index commit and wait once each, as others do: the fault is found as
# written, where the checker of memory, which does not follow rows that a loop chooses, only doubts.
import tilelang
import tilelang.language as T


# CHECK: warning: it is not established that copies of 's' have arrived
# CHECK: {{^}}elaborate WRONG as written
# CHECK-NEXT: 's' is read before the copy into it has been waited for, by thread 0 of block 0; 128 times [read-in-flight]
# CHECK-NEXT: line [[# @LINE + 17]]: B[k, tx] = s[k % 2, 127 - tx]
# CHECK-NEXT: and line [[# @LINE + 11]]: T.async_copy(A[k + 1, :], s[(k + 1) % 2, :])
@tilelang.jit
def kernel(last):
    @T.prim_func
    def main(A: T.Tensor((4, 128), "float32"), B: T.Tensor((4, 128), "float32")):
        with T.Kernel(1, threads=128):
            tx = T.get_thread_binding()
            s = T.alloc_shared((2, 128), "float32")
            T.async_copy(A[0, :], s[0, :])
            for k in T.serial(4):
                if k < 3:
                    T.async_copy(A[k + 1, :], s[(k + 1) % 2, :])
                    T.ptx_wait_group(1)
                else:
                    T.ptx_wait_group(last)
                T.sync_threads()
                B[k, tx] = s[k % 2, 127 - tx]
                T.sync_threads()

    return main
