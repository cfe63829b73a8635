# RUN: tilescope compile %s:paths -o - 2>&1 | FileCheck %s --implicit-check-not=warning: --implicit-check-not=error:
# ./dev lit tests/diagnostics/initialised_not_established.py
# RUN: tilescope compile %s:paths --trace %t.trace -o %t.cu 2>&1 | count 18
# RUN: tilescope check %s:paths | FileCheck %s --check-prefix=SAYS
# RUN: tilescope check %t.trace | FileCheck %s --check-prefix=SAYS
# RUN: exits 1 tilescope check --strict %t.trace
# RUN: tilescope compile %s:sides -o - 2>&1 | FileCheck %s --check-prefix=SIDES --implicit-check-not=warning: --implicit-check-not=error:
# SAYS: free of hazards not established, line 30: it is not established that 'loop[0]' is written before this reads it

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


@tilelang.jit
def sides(A, N: int = 64):
    A: T.Tensor((N,), "int32")
    C = T.empty((N,), "int32")

    with T.Kernel(1, threads=N) as block:
        thread = T.get_thread_binding()
        other = T.alloc_fragment((N + 1,), "int32")
        some = T.alloc_fragment((N,), "int32")
        moved = T.alloc_local((2,), "int32")
        at = T.alloc_var("int32")
        for i in T.Parallel(N):
            if A[i] > 0:
                other[i] = 1
                if A[i] > 5:
                    some[i] = 1
            else:
                other[i + 1] = 1
                some[i] = 2
        at = 0
        if A[thread] > 0:
            at = 1
            moved[at] = 1
        else:
            moved[at] = 2
            at = 1
        for i in T.Parallel(N):
            # Each side writes another element.
            # SIDES-DAG: :[[# @LINE + 1]]:{{.*}}warning: it is not established that 'other[0]' is written before this reads it
            C[i] = other[i]
        for i in T.Parallel(N):
            # One side does not always write.
            # SIDES-DAG: :[[# @LINE + 1]]:{{.*}}warning: it is not established that 'some[0]' is written before this reads it
            C[i] += some[i]
        # What the index names is changed in between.
        # SIDES-DAG: :[[# @LINE + 1]]:{{.*}}warning: it is not established that 'moved[{{[01]}}]' is written before this reads it
        C[thread] += moved[at]
        # SIDES-DAG: __global__

    return C
