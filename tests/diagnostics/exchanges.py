# RUN: tilescope check %s:right 2>&1 | FileCheck %s --check-prefix=RIGHT
# ./dev lit tests/diagnostics/exchanges.py
# RUN: not tilescope check %s:meets 2>&1 | FileCheck %s --check-prefix=MEETS
# RUN: not tilescope check %s:reads_all 2>&1 | FileCheck %s --check-prefix=READS
import tilelang.language as T


# The lower one of two threads reads and writes the elements of both, other ones in each step.
# RIGHT-NOT: warning
# RIGHT: free of hazards  yes
@T.prim_func
def right(A: T.Tensor((64,), "float32")):
    with T.Kernel(1, threads=64) as bx:
        s = T.alloc_shared((64,), "float32")
        T.copy(A, s)
        for step in T.serial(6):
            for i in T.Parallel(64):
                j = i ^ (1 << step)
                if i < j and s[i] > s[j]:
                    t = s[i]
                    s[i] = s[j]
                    s[j] = t
        T.copy(s, A)


# Two threads have an element of their pairs in common.
# MEETS: free of hazards  no
# MEETS: threads which run this statement read no element of 's' that others write
@T.prim_func
def meets(A: T.Tensor((64,), "float32")):
    with T.Kernel(1, threads=64) as bx:
        s = T.alloc_shared((64,), "float32")
        T.copy(A, s)
        for step in T.serial(6):
            for i in T.Parallel(64):
                j = i ^ (1 << step)
                if i <= j and s[i] > s[63 - j]:
                    s[i] = s[63 - j]
        T.copy(s, A)


# Upper threads read what lower ones write.
# READS: error, line {{[0-9]+}}: 's' must be accessed after 's' by all threads, but no barrier can stand between
@T.prim_func
def reads_all(A: T.Tensor((64,), "float32")):
    with T.Kernel(1, threads=64) as bx:
        s = T.alloc_shared((64,), "float32")
        T.copy(A, s)
        for step in T.serial(6):
            for i in T.Parallel(64):
                j = i ^ (1 << step)
                if s[i] > s[j] and i < j:
                    t = s[i]
                    s[i] = s[j]
                    s[j] = t
        T.copy(s, A)
