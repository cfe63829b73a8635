# RUN: not tilescope compile %s:spread --set kind=copy 2>&1 | FileCheck %s --check-prefix COPY
# ./dev lit tests/diagnostics/fail_threads_divided.py
# RUN: not tilescope compile %s:spread --set kind=parallel 2>&1 | FileCheck %s --check-prefix LOOP
# RUN: not tilescope compile %s:spread --set kind=barrier 2>&1 | FileCheck %s --check-prefix BARRIER
# RUN: not tilescope compile %s:spread --set kind=fragment 2>&1 | FileCheck %s --check-prefix FRAGMENT
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
