# RUN: tilescope compile %s:loaded_index -o %t 2>&1 | FileCheck %s --check-prefix=LOADED
# ./dev lit tests/diagnostics/bounds_not_established.py
# RUN: tilescope compile %s:under_condition -o %t 2>&1 | FileCheck %s --check-prefix=COND
# RUN: tilescope compile %s:guarded -o %t 2>&1 | count 0
# RUN: tilescope compile %s:loaded_guards -o %t 2>&1 | count 0
# RUN: tilescope compile %s:written_guard -o %t 2>&1 | FileCheck %s --check-prefix=WRITTEN
# RUN: tilescope compile %s:registers -o %t 2>&1 | FileCheck %s --check-prefix=REGISTERS --implicit-check-not=warning:
# RUN: tilescope check %s:registers | FileCheck %s --check-prefix=REGISTERS-SAY
# RUN: tilescope compile %s:registers --trace %t.trace -o %t.cu
# RUN: tilescope check %t.trace | FileCheck %s --check-prefix=REGISTERS-SAY
# RUN: tilescope check %s:loaded_index | FileCheck %s --check-prefix=CHECK-SAYS
# RUN: exits 1 tilescope check --strict %s:loaded_index
# RUN: tilescope check --strict %s:guarded
# RUN: tilescope check --strict %s:loaded_guards
# REGISTERS-SAY: arena sound yes
# REGISTERS-SAY-NEXT: free of hazards not established, line {{[0-9]+}}: it is not established that this statement stays inside of
# CHECK-SAYS: arena sound not established, line 36: it is not established that this statement stays inside of 's'
# CHECK-SAYS-NEXT: free of hazards not established

# BoundsNotEstablished: what leaves its buffer touches another's bytes, so nothing is known of plan and
# barriers; the kernel compiles. RegisterBoundsNotEstablished: of arrays of registers, which are no
# bytes of the arena.
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


# Condition and index are one load, of what nobody writes.
@tilelang.jit
def loaded_guards(N=128):
    @T.prim_func
    def main(A: T.Tensor((N,), "int32"), P: T.Tensor((N,), "int32"), B: T.Tensor((N,), "int32")):
        with T.Kernel(1, threads=128) as bx:
            tx = T.get_thread_binding()
            s = T.alloc_shared((N,), "int32")
            l = T.alloc_local((4,), "int32")
            T.copy(A, s)
            T.clear(l)
            for i in T.Parallel(N):
                if P[i] >= 0 and P[i] < N:
                    B[i] = s[P[i]]
            for i in T.Parallel(N):
                B[i] += T.if_then_else(P[i] >= 0 and P[i] < N, s[P[i]], 0)
            if P[tx] >= 0:
                if P[tx] < 4:
                    l[P[tx]] = 1
            B[tx] += l[tx % 4]

    return main


# The index is loaded again, after a write.
@tilelang.jit
def written_guard(N=128):
    @T.prim_func
    def main(P: T.Tensor((N,), "int32"), B: T.Tensor((N,), "int32")):
        with T.Kernel(1, threads=128) as bx:
            s = T.alloc_shared((N,), "int32")
            T.clear(s)
            for i in T.Parallel(N):
                if P[i] >= 0 and P[i] < N:
                    P[i] = P[i] + 1
                    # WRITTEN: [[# @LINE + 1]]:21: warning: it is not established that this statement stays inside of 's'
                    B[i] = s[P[i]]

    return main


@tilelang.jit
def registers(N=128):
    @T.prim_func
    def main(A: T.Tensor((N,), "float32"), P: T.Tensor((N,), "int32"), C: T.Tensor((N,), "float32")):
        with T.Kernel(1, threads=128) as bx:
            tx = T.get_thread_binding()
            l = T.alloc_local((4,), "float32")
            f = T.alloc_fragment((N,), "float32")
            T.clear(l)
            T.clear(f)
            # REGISTERS-DAG: [[# @LINE + 1]]:13: warning: it is not established that this statement stays inside of 'l'
            l[P[tx]] = A[tx]
            # REGISTERS-DAG: [[# @LINE + 1]]:13: warning: it is not established that this statement stays inside of 'l'
            C[tx] = l[P[tx]]
            for i in T.Parallel(N):
                # REGISTERS-DAG: [[# @LINE + 1]]:17: warning: it is not established that this statement stays inside of 'f'
                f[P[i]] = A[i]
            T.copy(f, C)

    return main
