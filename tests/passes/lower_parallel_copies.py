# RUN: tilescope opt --passes inject-pipeline,infer-layouts,lower-tile-ops %s:written_first | FileCheck %s --check-prefix=FIRST
# ./dev lit tests/passes/lower_parallel_copies.py
# RUN: tilescope opt --passes inject-pipeline,infer-layouts,lower-tile-ops %s:own_elements | FileCheck %s --check-prefix=OWN
# RUN: tilescope check %s:written_first --target sm_80 | FileCheck %s --check-prefix=FREE
# RUN: tilescope exec %s:written_first --every-pass
# RUN: tilescope exec %s:read_first --every-pass
# RUN: exits 2 tilescope check %s:by_name 2>&1 | FileCheck %s --check-prefix=NAME
# RUN: exits 2 tilescope check %s:in_loop 2>&1 | FileCheck %s --check-prefix=LOOP
# RUN: exits 2 tilescope check %s:drawn 2>&1 | FileCheck %s --check-prefix=DRAWN
# RUN: exits 2 tilescope check %s:by_register 2>&1 | FileCheck %s --check-prefix=REGISTER

# 48 iterations on 256 threads that all hold `f`: one thread writes X, and others read it. The loop
# is cut, so that a barrier can stand where they wait.
import tilelang.language as T


# FIRST: i: T.int32 = {{.*}}
# FIRST: value: T.float32 =
# FIRST: if {{.*}} == 0:
# FIRST-NEXT: X[i] = value
# FIRST: i_1: T.int32 =
# FIRST: value: T.float32 =
# FIRST: f[0] = X[i_1] + value
# FREE: free of hazards  yes
@T.prim_func
def written_first(X: T.Tensor((48,), "float32"), Y: T.Tensor((48,), "float32")):
    with T.Kernel(1, threads=256):
        f = T.alloc_fragment((48,), "float32")
        for i in T.Parallel(48):
            value = i * 2.0
            X[i] = value
            f[i] = X[i] + value
        T.copy(f, Y)


@T.prim_func
def read_first(X: T.Tensor((48,), "float32"), Y: T.Tensor((48,), "float32")):
    with T.Kernel(1, threads=256):
        s = T.alloc_shared((48,), "float32")
        f = T.alloc_fragment((48,), "float32")
        T.copy(X, s)
        for i in T.Parallel(48):
            f[i] = s[i] + 1.0
            s[i] = s[i] + f[i]
            f[i] = f[i] + s[i]
        T.copy(f, Y)


# What the first copy alone touches needs no cut, nor do other elements.
# OWN: X[0, i] = X[0, i] + 1.0
# OWN-NOT: i_1
# OWN: f[0] = X[1, i]
@T.prim_func
def own_elements(X: T.Tensor((2, 48), "float32"), Y: T.Tensor((48,), "float32")):
    with T.Kernel(1, threads=256):
        f = T.alloc_fragment((48,), "float32")
        for i in T.Parallel(48):
            X[0, i] = X[0, i] + 1.0
            f[i] = X[1, i]
        T.copy(f, Y)


# NAME: error, line {{[0-9]+}}: 'X' cannot be lowered: several threads run each iteration; the first of them writes it and all read it, by a name that is used later: two loops
@T.prim_func
def by_name(X: T.Tensor((48,), "float32"), Y: T.Tensor((48,), "float32")):
    with T.Kernel(1, threads=256):
        f = T.alloc_fragment((48,), "float32")
        for i in T.Parallel(48):
            before = X[i]
            X[i] = before + 1.0
            f[i] = before
        T.copy(f, Y)


# LOOP: error, line {{[0-9]+}}: 'X' cannot be lowered: several threads run each iteration; the first of them writes it and all read it, in one statement: two loops
@T.prim_func
def in_loop(X: T.Tensor((48, 4), "float32"), Y: T.Tensor((48,), "float32")):
    with T.Kernel(1, threads=256):
        f = T.alloc_fragment((48,), "float32")
        for i in T.Parallel(48):
            for k in T.serial(4):
                X[i, k] = k * 1.0
                f[i] = X[i, k]
        T.copy(f, Y)


# REGISTER: error, line {{[0-9]+}}: 'a' cannot be lowered: several threads run each iteration; the first of them writes it and all read it, and a value in registers is to last beyond: two loops
@T.prim_func
def by_register(X: T.Tensor((48,), "float32"), Y: T.Tensor((48,), "float32")):
    with T.Kernel(1, threads=256):
        f = T.alloc_fragment((48,), "float32")
        a = T.alloc_local((1,), "float32")
        for i in T.Parallel(48):
            a[0] = i * 2.0
            X[i] = 1.0
            f[i] = X[i] + a[0]
        T.copy(f, Y)


# DRAWN: error, line {{[0-9]+}}: 'previous' cannot be lowered: several threads run each iteration, and all need what an operation gives to the one that does it
@T.prim_func
def drawn(X: T.Tensor((48,), "float32"), Y: T.Tensor((48,), "float32")):
    with T.Kernel(1, threads=256):
        f = T.alloc_fragment((48,), "float32")
        for i in T.Parallel(48):
            f[i] = T.atomic_add(X[i], 1.0, return_prev=True)
        T.copy(f, Y)
