# RUN: not tilescope compile %s:spread --set kind=copy 2>&1 | FileCheck %s --check-prefix COPY
# ./dev lit tests/diagnostics/fail_threads_divided.py
# RUN: not tilescope compile %s:spread --set kind=parallel 2>&1 | FileCheck %s --check-prefix LOOP
# RUN: not tilescope compile %s:spread --set kind=barrier 2>&1 | FileCheck %s --check-prefix BARRIER
# RUN: not tilescope compile %s:spread --set kind=fragment 2>&1 | FileCheck %s --check-prefix FRAGMENT
# RUN: not tilescope compile %s:by_what_threads_hold --set kind=variable 2>&1 | FileCheck %s --check-prefix VARIABLE
# RUN: not tilescope compile %s:by_what_threads_hold --set kind=fragment 2>&1 | FileCheck %s --check-prefix HELD
# RUN: not tilescope compile %s:by_what_threads_hold --set kind=trips 2>&1 | FileCheck %s --check-prefix TRIPS
# RUN: not tilescope compile %s:by_what_threads_hold --set kind=leave 2>&1 | FileCheck %s --check-prefix LEAVE
# RUN: tilescope compile %s:by_what_threads_hold --set kind=alike -o - | FileCheck %s --check-prefix ALIKE
# RUN: tilescope compile %s:spread --set kind=own -o - | FileCheck %s --check-prefix OWN
import tilelang
import tilelang.language as T


@tilelang.jit
def spread(kind):
    @T.prim_func
    def main(X: T.Tensor((128,), "float32")):
        with T.Kernel(1, threads=128) as bx:
            tx = T.get_thread_binding()
            tile = T.alloc_shared((128,), "float32")
            own = T.alloc_local((4,), "float32")
            alike = T.alloc_fragment((4,), "float32")
            T.clear(alike)
            side = T.cast(X[tx], "int32")
            if side == 0:
                if kind == "copy":
                    # COPY: [[# @LINE + 1]]:{{.*}}error: 'copy' takes all threads of the block, but only some of them get here
                    T.copy(X, tile)
                if kind == "parallel":
                    # LOOP: [[# @LINE + 1]]:{{.*}}error: a parallel loop takes all threads of the block, but only some of them get here
                    for i in T.Parallel(128):
                        tile[i] = X[i]
                if kind == "barrier":
                    # BARRIER: [[# @LINE + 1]]:{{.*}}error: 'barrier' takes all threads of the block, but only some of them get here
                    T.sync_threads()
                if kind == "fragment":
                    # FRAGMENT: [[# @LINE + 1]]:{{.*}}error: a write of fragment 'alike' takes all threads of the block, but only some of them get here
                    alike[0] = X[0]
                if kind == "own":
                    # OWN: if (side == 0) {
                    # OWN: own[col] = 0.0f;
                    T.clear(own)
                    X[tx] = own[0] + own[3]
            # COPY: [[# @LINE - 19]]:{{.*}}note: not all threads agree on this

    return main


# What threads have in variables and fragments of their own.
@tilelang.jit
def by_what_threads_hold(kind):
    @T.prim_func
    def main(X: T.Tensor((64,), "int32"), n: T.int32):
        with T.Kernel(1, threads=64) as bx:
            tx = T.get_thread_binding()
            tile = T.alloc_shared((64,), "int32")
            own = T.alloc_var("int32")
            held = T.alloc_fragment((4,), "int32")
            own = n if kind == "alike" else X[tx]
            for i in T.Parallel(4):
                held[i] = T.get_lane_idx()
            if kind == "variable" or kind == "alike":
                if own < 1:
                    # VARIABLE: [[# @LINE + 1]]:{{.*}}error: 'copy' takes all threads of the block, but only some of them get here
                    T.copy(X, tile)
                    # ALIKE: __syncthreads
                    T.sync_threads()
            if kind == "fragment":
                if held[3] < 1:
                    # HELD: [[# @LINE + 1]]:{{.*}}error: 'barrier' takes all threads of the block, but only some of them get here
                    T.sync_threads()
            if kind == "trips":
                for i in T.serial(own):
                    # TRIPS: [[# @LINE + 1]]:{{.*}}error: 'barrier' takes all threads of the block, but only some of them get here
                    T.sync_threads()
            if kind == "leave":
                if n > 0:
                    if tx >= 48:
                        T.thread_return()
                    X[tx] = 4
                # LEAVE: [[# @LINE + 1]]:{{.*}}error: 'barrier' takes all threads of the block, but only some of them get here
                T.sync_threads()

    return main
