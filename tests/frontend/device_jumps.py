# RUN: tilescope opt --passes '' %s:ends | FileCheck %s
# ./dev lit tests/frontend/device_jumps.py
# RUN: tilescope opt --passes '' %s:ends -o %t.ir && tilescope opt --passes '' %t.ir | FileCheck %s
# RUN: tilescope compile %s:ends -o - | FileCheck %s --check-prefix=CUDA
# RUN: tilescope opt --passes '' %s:calls | FileCheck %s --check-prefix=CALLS
# RUN: tilescope opt --passes '' %s:before | FileCheck %s --check-prefix=BEFORE
# RUN: exits 2 tilescope opt --passes '' %s:wrong 2>&1 | FileCheck %s --check-prefix=WRONG
# RUN: exits 1 tilescope check %s:divergent 2>&1 | FileCheck %s --check-prefix=DIVERGENT

# `while`, `break` and `continue` that the device decides: what they skip is under a condition.
import tilelang.language as T


@T.prim_func
def ends(A: T.Tensor((64, 16), "float32"), B: T.Tensor((64,), "float32")):
    with T.Kernel(1, threads=64):
        tx = T.get_thread_binding()
        total = T.alloc_var("float32")
        total = 0.0
        # CHECK: for i in T.serial(0, 16):
        # CHECK-NEXT: skips[0] = 0
        # CHECK: if {{.*}} < {{.*}}:
        # CHECK-NEXT: pass
        # CHECK-NEXT: else:
        # CHECK: if {{.*}} > {{.*}}:
        # CHECK: skips[0] = 1
        # CHECK-NEXT: break
        # CHECK: if skips[0] == 0:
        # CUDA: bool i_ended = false;
        # CUDA: for (int i = 0; i < 16 && !i_ended; ++i) {
        # CUDA: i_ended = true;
        for i in T.serial(16):
            if A[tx, i] < 0.0:
                continue
            if A[tx, i] > 1.0:
                total += 1.0
                if A[tx, i] > 2.0:
                    break
            total += A[tx, i]
        # CHECK: while True:
        # CHECK-NEXT: if {{.*}} < {{.*}}:
        # CHECK: else:
        # CHECK-NEXT: break
        # CUDA: while (true) {
        # CUDA: break;
        while total < 100.0:
            total = total * 2.0 + 1.0
        B[tx] = total


@T.prim_func
def calls(A: T.Tensor((64,), "float32")):
    with T.Kernel(1, threads=64):
        tx = T.get_thread_binding()
        # CALLS: while True:
        # CALLS: if
        # CALLS: break
        # CALLS: else:
        while True:
            if A[tx] > 4.0:
                T.loop_break()
            A[tx] = A[tx] + 1.0


# What stands before the launch runs while the kernel is built.
@T.prim_func
def before(A: T.Tensor((64,), "float32")):
    count = 0
    while True:
        count += 1
        if count == 7:
            break
    # BEFORE-NOT: while
    # BEFORE: with T.Kernel(7, threads=64)
    with T.Kernel(count, threads=64) as bx:
        A[bx] = count


@T.prim_func
def wrong(A: T.Tensor((64,), "float32")):
    with T.Kernel(1, threads=64):
        for i in T.Parallel(64):
            if A[i] > 0.0:
                # WRONG: [[# @LINE + 1]]:17: error: 'break' of T.Parallel is not supported yet
                break
        for i in [1, 2]:
            if A[i] > 0.0:
                # WRONG: [[# @LINE + 1]]:17: error: 'break' of a loop of Python, which the device decides, is not supported yet
                break


@T.prim_func
def divergent(A: T.Tensor((64, 16), "float32"), B: T.Tensor((64,), "float32")):
    with T.Kernel(1, threads=64):
        tx = T.get_thread_binding()
        shared = T.alloc_shared((64,), "float32")
        for i in T.serial(16):
            # Threads that have ended the loop do not get to the barrier of the others.
            # DIVERGENT: barrier
            shared[tx] = A[tx, i]
            T.sync_threads()
            if A[tx, i] > 0.0:
                break
            B[tx] = shared[63 - tx]
            T.sync_threads()
