# RUN: tilescope compile %s:loaded_index -o %t 2>&1 | FileCheck %s --check-prefix=LOADED
# ./dev lit tests/diagnostics/bounds_not_established.py
# RUN: tilescope compile %s:under_condition -o %t 2>&1 | FileCheck %s --check-prefix=COND
# RUN: tilescope compile %s:guarded -o %t 2>&1 | count 0
# RUN: tilescope check %s:loaded_index | FileCheck %s --check-prefix=CHECK-SAYS
# RUN: exits 1 tilescope check --strict %s:loaded_index
# RUN: tilescope check --strict %s:guarded
# CHECK-SAYS: arena sound not established, line 26: it is not established that this statement stays inside of 's'
# CHECK-SAYS-NEXT: free of hazards not established

# BoundsNotEstablished: what leaves its buffer touches another's bytes, so nothing is known of plan and
# barriers; the kernel compiles.
import tilelang
import tilelang.language as T


@tilelang.jit
def loaded_index(N=256):
    @T.prim_func
    def main(P: T.Tensor((N,), "int32"), B: T.Tensor((N,), "int32")):
        with T.Kernel(1, threads=128) as bx:
            s = T.alloc_shared((N,), "int32")
            T.clear(s)
            for i in T.Parallel(N):
                # LOADED: [[# @LINE + 1]]:17: warning: it is not established that this statement stays inside of 's'
                T.atomic_add(s[P[i]], 1)
            T.copy(s, B)

    return main


@tilelang.jit
def under_condition(N=256):
    @T.prim_func
    def main(P: T.Tensor((N,), "int32"), B: T.Tensor((N,), "int32")):
        with T.Kernel(1, threads=128) as bx:
            s = T.alloc_shared((N,), "int32")
            T.clear(s)
            for i in T.Parallel(N):
                if i < N // 2:
                    # COND: [[# @LINE + 1]]:{{.*}}: warning: it is not established that this statement stays inside of 's'
                    s[i * 2 + 2] = P[i]
            T.copy(s, B)

    return main


# The condition is one on a name of the lane, and so is the index.
@tilelang.jit
def guarded(N=100):
    @T.prim_func
    def main(A: T.Tensor((N,), "int32"), B: T.Tensor((N,), "int32")):
        with T.Kernel(1, threads=128) as bx:
            s = T.alloc_shared((N,), "int32")
            T.copy(A, s)
            for i in T.Parallel(N):
                if i + 1 < N:
                    B[i] = s[i + 1]

    return main
