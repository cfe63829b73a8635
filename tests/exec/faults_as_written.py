# RUN: exits 1 tilescope exec %s:outside 2>/dev/null | FileCheck %s --check-prefix=OUTSIDE
# ./dev lit tests/exec/faults_as_written.py
# RUN: exits 1 tilescope exec %s:loaded --fill I=arange --every-pass 2>/dev/null | FileCheck %s --check-prefix=LOADED
# RUN: exits 1 tilescope exec %s:divergent --every-pass 2>/dev/null | FileCheck %s --check-prefix=DIVERGENT
# RUN: exits 1 tilescope exec %s:asserted --every-pass --go-on | FileCheck %s --check-prefix=ASSERTED
# RUN: exits 1 tilescope exec %s:endless | FileCheck %s --check-prefix=ENDLESS
# RUN: exits 1 tilescope exec %s:different --every-pass 2>/dev/null | FileCheck %s --check-prefix=DIFFERENT
# RUN: exits 1 tilescope exec %s:outside --format json 2>/dev/null | FileCheck %s --check-prefix=JSON
# RUN: exits 1 tilescope check --exec %s:asserted 2>&1 | FileCheck %s --check-prefix=CHECK-EXEC

# What ends a kernel early is a finding in it, and nothing after it is run.
import tilelang.language as T


# OUTSIDE: {{^}}elaborate WRONG as written
# OUTSIDE-NEXT: store to s[64], outside its shape [64], by thread 64 of block 0 [out-of-bounds]
# OUTSIDE-NEXT: line [[# @LINE + 10]]: s[tx] = A[tx]
# OUTSIDE-NOT: {{.}}
# JSON-DAG: "kind": "out-of-bounds"
# JSON-DAG: "verdict": "wrong"
@T.prim_func
def outside(A: T.Tensor((128,), "float32"), n: T.int32, B: T.Tensor((128,), "float32")):
    with T.Kernel(1, threads=128):
        tx = T.get_thread_binding()
        s = T.alloc_shared((64,), "float32")
        if tx < 64 * n + 1:
            s[tx] = A[tx]
            B[tx] = s[tx]


# LOADED: {{^}}elaborate WRONG as written
# LOADED-NEXT: load from r[4], outside its shape [4], by thread 4 of block 0 [out-of-bounds]
# LOADED-NEXT: line [[# @LINE + 9]]: B[tx] = r[I[tx] % 5]
# LOADED-NOT: {{.}}
@T.prim_func
def loaded(A: T.Tensor((128,), "float32"), I: T.Tensor((128,), "int32"), B: T.Tensor((128,), "float32")):
    with T.Kernel(1, threads=128):
        tx = T.get_thread_binding()
        r = T.alloc_local((4,), "float32")
        for i in T.serial(4):
            r[i] = A[tx]
        B[tx] = r[I[tx] % 5]


# DIVERGENT: {{^}}elaborate WRONG as written
# DIVERGENT-NEXT: only 64 of 128 threads get here, where all are needed, in block 0 [divergent-barrier]
# DIVERGENT-NEXT: line [[# @LINE + 9]]: T.sync_threads()
# DIVERGENT-NOT: {{.}}
@T.prim_func
def divergent(A: T.Tensor((128,), "float32"), B: T.Tensor((128,), "float32")):
    with T.Kernel(1, threads=128):
        tx = T.get_thread_binding()
        s = T.alloc_shared((128,), "float32")
        s[tx] = A[tx]
        if tx < 64:
            T.sync_threads()
        B[tx] = s[tx]


# ASSERTED: {{^}}elaborate WRONG as written
# ASSERTED-NEXT: an assertion does not hold: too small, in block 0 [failed-assertion]
# ASSERTED-NEXT: line [[# @LINE + 7]]: T.device_assert(n > 7, "too small")
# ASSERTED-NOT: {{.}}
# CHECK-EXEC: runs as written no
# CHECK-EXEC: error, line {{.*}}: as written an assertion does not hold: too small, in block 0 [failed-assertion]
@T.prim_func
def asserted(n: T.int32, B: T.Tensor((64,), "float32")):
    with T.Kernel(1, threads=64):
        T.device_assert(n > 7, "too small")
        for i in T.Parallel(64):
            B[i] = 1.0


# ENDLESS: {{^}}elaborate WRONG as written
# ENDLESS-NEXT: the loop has not ended after {{.*}}, in block 0 [endless-loop]
@T.prim_func
def endless(n: T.int32, B: T.Tensor((64,), "float32")):
    with T.Kernel(1, threads=64):
        k = T.alloc_var("int32")
        k = n
        while k > 0:
            k = k + 0
        for i in T.Parallel(64):
            B[i] = 1.0


# DIFFERENT: {{^}}elaborate WRONG as written
# DIFFERENT-NEXT: threads 0 and 1 write different values to B[0], by thread 1 of block 0 [race]
@T.prim_func
def different(A: T.Tensor((64,), "float32"), B: T.Tensor((64,), "float32")):
    with T.Kernel(1, threads=64):
        tx = T.get_thread_binding()
        B[tx // 2] = A[tx]
