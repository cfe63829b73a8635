# RUN: exits 1 tilescope check %s:barriers --set kind=few 2>&1 | FileCheck %s --check-prefix FEW
# ./dev lit tests/diagnostics/fail_named_barriers.py
# RUN: exits 1 tilescope check %s:barriers --set kind=many 2>&1 | FileCheck %s --check-prefix MANY
# RUN: exits 1 tilescope check %s:barriers --set kind=parts 2>&1 | FileCheck %s --check-prefix PARTS
# RUN: tilescope compile %s:barriers --set kind=value -o - 2>&1 | FileCheck %s --check-prefix VALUE
# RUN: tilescope compile %s:barriers --set kind=two -o - 2>&1 | FileCheck %s --check-prefix TWO
# RUN: tilescope compile %s:barriers --set kind=right -o - 2>&1 | FileCheck %s --check-prefix RIGHT
# RUN: not tilescope compile %s:barriers --set kind=others -o - 2>&1 | FileCheck %s --check-prefix OTHERS
# RUN: not tilescope opt --passes '' %s:barriers --set kind=zero 2>&1 | FileCheck %s --check-prefix ZERO
# BarrierThreads, BarrierPartsWarp, BarrierNotEstablished
import tilelang
import tilelang.language as T


@tilelang.jit
def barriers(kind):
    @T.prim_func
    def main(X: T.Tensor((128,), "int32")):
        with T.Kernel(1, threads=128) as bx:
            tx = T.get_thread_binding()
            s = T.alloc_shared((128,), "int32")
            if kind == "few":
                # FEW: error, line [[# @LINE + 2]]: 64 threads get here to barrier 1, which 96 threads must get to
                if tx < 64:
                    T.sync_threads(1, 96)
            if kind == "many":
                # MANY: error, line [[# @LINE + 1]]: 128 threads get here to barrier 1, which 64 threads must get to
                T.sync_threads(1, 64)
            if kind == "parts":
                # PARTS: error, line [[# @LINE + 2]]: only some lanes of a warp get here to barrier 1, which takes whole warps
                if tx < 48:
                    T.sync_threads(1, 64)
            if kind == "value":
                # VALUE: [[# @LINE + 2]]:{{.*}}warning: it is not established that 64 threads, and no others, get to barrier 1 together
                if X[tx] > 0:
                    T.sync_threads(1, 64)
            if kind == "two":
                # Threads of two places meet, but no access needs that.
                # TWO: [[# @LINE + 2]]:{{.*}}warning: it is not established that 128 threads, and no others, get to barrier 1 together
                if tx < 64:
                    T.named_barrier_arrive(1, 128)
                else:
                    T.sync_threads(1, 128)
                # TWO: barrier_arrive(1, 128);
                # TWO: barrier_sync(1, 128);
            if kind == "right":
                # RIGHT-NOT: {{error|warning}}
                # RIGHT: barrier_sync(2, 64);
                for i in T.serial(4):
                    if tx >= 64:
                        s[tx] = X[tx] + i
                        T.sync_threads(2, 64)
                        X[tx] = s[191 - tx]
                        T.sync_threads(2, 64)
            if kind == "others":
                # OTHERS: error: 's' must be accessed after 's' by all threads
                if tx >= 32:
                    s[tx] = X[tx]
                    if tx >= 64:
                        T.sync_threads(2, 64)
                        X[tx] = s[159 - tx]
            if kind == "zero":
                # ZERO: [[# @LINE + 2]]:{{.*}}error: {{.*}}'barrier_id'{{.*}} 1 to 15: 0 is that of all threads
                if tx >= 64:
                    T.sync_threads(0, 64)

    return main
