# RUN: exits 1 tilescope exec %s:columns --dim n=24 --every-pass 2>/dev/null | FileCheck %s --check-prefix=COLUMNS
# ./dev lit tests/exec/tile_uninitialised.py
# RUN: exits 1 tilescope exec %s:uncleared --dim n=24 --every-pass 2>/dev/null | FileCheck %s --check-prefix=UNCLEARED
# RUN: exits 1 tilescope exec %s:decided --dim n=24 --every-pass 2>/dev/null | FileCheck %s --check-prefix=DECIDED
# RUN: exits 1 tilescope exec %s:reduced --dim n=24 --every-pass 2>/dev/null | FileCheck %s --check-prefix=REDUCED
# RUN: exits 1 tilescope exec %s:hidden --dim n=24 --every-pass 2>/dev/null | FileCheck %s --check-prefix=HIDDEN
# RUN: exits 1 tilescope exec %s:named --dim n=24 --every-pass 2>/dev/null | FileCheck %s --check-prefix=NAMED
# RUN: exits 1 tilescope exec %s:columns --dim n=24 --every-pass --format json 2>/dev/null | FileCheck %s --check-prefix=JSON
# RUN: not tilescope exec %s:columns --dim n=24 --every-pass --trace %t.trace > /dev/null 2>&1 && tilescope show findings %t.trace | FileCheck %s --check-prefix=TRACE
# RUN: tilescope exec %s:masked --every-pass | FileCheck %s --check-prefix=RIGHT --implicit-check-not=WRONG
# RUN: tilescope exec %s:cleared --every-pass | FileCheck %s --check-prefix=RIGHT --implicit-check-not=WRONG
# RUN: tilescope exec %s:selected --dim n=24 --every-pass | FileCheck %s --check-prefix=RIGHT --implicit-check-not=WRONG
# RUN: tilescope exec %s:in_part --dim n=24 --every-pass | FileCheck %s --check-prefix=RIGHT --implicit-check-not=WRONG

# RIGHT: {{^}}elaborate runs
# RIGHT: {{^}}lower-tile-ops equal

# What the kernel itself reads is found in it, at its line; no pass is to blame.
import tilelang
import tilelang.language as T


# COLUMNS: {{^}}elaborate WRONG as written
# COLUMNS-NEXT: 'S' is read where nothing was written, in block 0; 256 times [uninitialised-read]
# COLUMNS-NEXT: line [[# @LINE + 14]]: T.copy(S, B)
# COLUMNS-NOT: {{.}}
# JSON: "kind": "uninitialised-read"
# JSON-NOT: "thread"
# TRACE: line [[# @LINE + 10]]{{.*}}as written 'S' is read where nothing was written
@tilelang.jit
def columns():
    @T.prim_func
    def main(A: T.Tensor((32, 32), "float32"), B: T.Tensor((32, 32), "float32"), n: T.int32):
        with T.Kernel(1, threads=64) as bx:
            S = T.alloc_shared((32, 32), "float32")
            for i, j in T.Parallel(32, 32):
                if j < n:
                    S[i, j] = A[i, j]
            T.copy(S, B)

    return main


# UNCLEARED: {{^}}elaborate WRONG as written
# UNCLEARED-NEXT: 'c' is read where nothing was written, in block 0; 1024 times [uninitialised-read]
# UNCLEARED-NEXT: line [[# @LINE + 14]]: T.gemm(a, b, c)
# UNCLEARED-NOT: {{.}}
@tilelang.jit
def uncleared():
    @T.prim_func
    def main(A: T.Tensor((32, 32), "float16"), B: T.Tensor((32, 32), "float16"), C: T.Tensor((32, 32), "float32"), n: T.int32):
        with T.Kernel(1, threads=64) as bx:
            a = T.alloc_shared((32, 32), "float16")
            b = T.alloc_shared((32, 32), "float16")
            c = T.alloc_fragment((32, 32), "float32")
            T.copy(A, a)
            T.copy(B, b)
            if n > 24:
                T.clear(c)
            T.gemm(a, b, c)
            T.copy(c, C)

    return main


# The first gemm reads nothing of what it adds to; rows and columns outside of A and B are zeros.
@tilelang.jit
def cleared():
    @T.prim_func
    def main(A: T.Tensor((40, 72), "float16"), B: T.Tensor((72, 24), "float16"), C: T.Tensor((40, 24), "float32")):
        with T.Kernel(2, threads=64) as bx:
            a = T.alloc_shared((32, 32), "float16")
            b = T.alloc_shared((32, 32), "float16")
            c = T.alloc_fragment((32, 32), "float32")
            for k in T.Pipelined(3, num_stages=2):
                T.copy(A[bx * 32, k * 32], a)
                T.copy(B[k * 32, 0], b)
                T.gemm(a, b, c, clear_accum=k == 0)
            T.copy(c, C[bx * 32, 0])

    return main


# What decides must have been written.
# DECIDED: {{^}}elaborate WRONG as written
# DECIDED-NEXT: 'f' is read where nothing was written, in block 0; 40 times [uninitialised-read]
# DECIDED-NEXT: line [[# @LINE + 12]]: if f[i] > 0.0:
# DECIDED-NOT: {{.}}
@tilelang.jit
def decided():
    @T.prim_func
    def main(A: T.Tensor((64,), "float32"), B: T.Tensor((64,), "float32"), n: T.int32):
        with T.Kernel(1, threads=64) as bx:
            f = T.alloc_fragment((64,), "float32")
            for i in T.Parallel(64):
                if i < n:
                    f[i] = A[i]
            for i in T.Parallel(64):
                if f[i] > 0.0:
                    B[i] = A[i]

    return main


# A row of which one element is nobody's has a sum that nobody wrote. The others are right.
# REDUCED: {{^}}elaborate WRONG as written
# REDUCED-NEXT: 'sums' is read where nothing was written, in block 0 [uninitialised-read]
# REDUCED-NEXT: line [[# @LINE + 14]]: B[i] = sums[i]
# REDUCED-NOT: {{.}}
@tilelang.jit
def reduced():
    @T.prim_func
    def main(A: T.Tensor((64, 32), "float32"), B: T.Tensor((64,), "float32"), n: T.int32):
        with T.Kernel(1, threads=64) as bx:
            f = T.alloc_fragment((64, 32), "float32")
            sums = T.alloc_fragment((64,), "float32")
            for i, j in T.Parallel(64, 32):
                if i != n or j != 7:
                    f[i, j] = A[i, j]
            T.reduce_sum(f, sums, dim=1)
            for i in T.Parallel(64):
                B[i] = sums[i]

    return main


# The value that is written is right whatever is read, and so in no output.
# HIDDEN: {{^}}elaborate WRONG as written
# HIDDEN-NEXT: 'S' is read where nothing was written, in block 0 [uninitialised-read]
# HIDDEN-NEXT: line [[# @LINE + 12]]: B[i] = T.max(S[i], A[i])
# HIDDEN-NOT: {{.}}
@tilelang.jit
def hidden():
    @T.prim_func
    def main(A: T.Tensor((64,), "float32"), B: T.Tensor((64,), "float32"), n: T.int32):
        with T.Kernel(1, threads=64) as bx:
            S = T.alloc_shared((64,), "float32")
            for i in T.Parallel(64):
                if i != n:
                    S[i] = A[i]
            for i in T.Parallel(64):
                B[i] = T.max(S[i], A[i])

    return main


# Of registers of a thread's own, by way of a name.
# NAMED: {{^}}elaborate WRONG as written
# NAMED-NEXT: 'x' is read where nothing was written, by thread 24 of block 0 [uninitialised-read]
# NAMED-NEXT: line [[# @LINE + 12]]: B[tx] = x
# NAMED-NOT: {{.}}
@tilelang.jit
def named():
    @T.prim_func
    def main(A: T.Tensor((64,), "float32"), B: T.Tensor((64,), "float32"), n: T.int32):
        with T.Kernel(1, threads=64) as bx:
            tx = T.get_thread_binding()
            r = T.alloc_local((1,), "float32")
            if tx != n:
                r[0] = A[tx]
            x = r[0] * 2.0
            B[tx] = x

    return main


# Elements outside of A arrive as zeros, those outside of B go nowhere.
@tilelang.jit
def masked():
    @T.prim_func
    def main(A: T.Tensor((40, 24), "float32"), B: T.Tensor((40, 24), "float32")):
        with T.Kernel(2, threads=64) as bx:
            S = T.alloc_shared((32, 32), "float32")
            f = T.alloc_fragment((32, 32), "float32")
            sums = T.alloc_fragment((32,), "float32")
            T.copy(A[bx * 32, 0], S)
            T.copy(S, f)
            T.reduce_sum(f, sums, dim=1)
            for i, j in T.Parallel(32, 32):
                f[i, j] = f[i, j] + sums[i]
            T.copy(f, B[bx * 32, 0])

    return main


# What is chosen has been written, what is not chosen is not read.
@tilelang.jit
def selected():
    @T.prim_func
    def main(A: T.Tensor((64,), "float32"), B: T.Tensor((64,), "float32"), n: T.int32):
        with T.Kernel(1, threads=64) as bx:
            S = T.alloc_shared((64,), "float32")
            for i in T.Parallel(64):
                if i < n:
                    S[i] = A[i]
            for i in T.Parallel(64):
                B[i] = T.if_then_else(i < n, S[i], 0.0)

    return main


# Half of a fragment is nobody's, and goes with the other half until that is stored alone.
@tilelang.jit
def in_part():
    @T.prim_func
    def main(A: T.Tensor((64, 16), "float32"), B: T.Tensor((64, 16), "float16"), n: T.int32):
        with T.Kernel(1, threads=64) as bx:
            f = T.alloc_fragment((64, 32), "float32")
            g = T.alloc_fragment((64, 32), "float16")
            for i, j in T.Parallel(64, 32):
                if j < n:
                    f[i, j] = A[i, j]
            T.copy(f, g)
            for i, j in T.Parallel(64, 32):
                if j < T.min(n, 16):
                    B[i, j] = g[i, j]

    return main
