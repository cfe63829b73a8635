# RUN: tilescope compile %s:paths -o - 2>&1 | FileCheck %s --implicit-check-not=warning: --implicit-check-not=error:
# ./dev lit tests/diagnostics/initialised_not_established.py
# RUN: tilescope compile %s:paths --trace %t.trace -o %t.cu 2>&1 | count 18
# RUN: tilescope check %s:paths | FileCheck %s --check-prefix=SAYS
# RUN: tilescope check %t.trace | FileCheck %s --check-prefix=SAYS
# RUN: exits 1 tilescope check --strict %t.trace
# SAYS: free of hazards not established, line 29: it is not established that 'loop[0]' is written before this reads it

# InitialisedNotEstablished: once a buffer; the kernel compiles.
import tilelang
import tilelang.language as T


@tilelang.jit(out_idx=[-1])
def paths(N=128):
    trips = T.dynamic("trips")

    @T.prim_func
    def main(A: T.Tensor((trips, N), "float32"), C: T.Tensor((N,), "float32")):
        with T.Kernel(1, threads=128) as bx:
            loop = T.alloc_fragment((N,), "float32")
            chosen = T.alloc_shared((N,), "float32")
            for k in T.serial(trips):
                # CHECK-DAG: :[[# @LINE + 1]]:{{.*}}note: this writes to it, perhaps not always or not to all of it
                T.copy(A[k, 0:N], loop)
            for i in T.Parallel(N):
                # Without iterations nothing writes `loop`.
                # CHECK-DAG: :[[# @LINE + 1]]:{{.*}}warning: it is not established that 'loop[0]' is written before this reads it
                C[i] = loop[i]
            if trips > 8:
                T.copy(A[8, 0:N], chosen)
            for i in T.Parallel(N):
                # CHECK-DAG: :[[# @LINE + 1]]:{{.*}}warning: it is not established that 'chosen[0]' is written before this reads it
                C[i] += chosen[i]

    return main
