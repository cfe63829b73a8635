# RUN: tilescope opt --passes '' %s -o %t 2>&1 | FileCheck %s --match-full-lines --implicit-check-not=warning
# ./dev lit tests/diagnostics/buffer_never_written.py

# BufferNeverWritten: once a buffer, at its first read. What is written later or in part is written.
import tilelang.language as T


@T.prim_func
def kernel(A: T.Tensor((128,), "float32"), C: T.Tensor((128,), "float32")):
    with T.Kernel(1, threads=128) as bx:
        s = T.alloc_shared((128,), "float32")
        t = T.alloc_shared((128,), "float32")
        u = T.alloc_shared((128,), "float32")
        for i in T.Parallel(128):
            # CHECK: {{.*}}:[[# @LINE + 3]]:13: warning: shared buffer 's' is read but never written
            # CHECK-NEXT: {{ *}}C[i] = s[i] + t[i]
            # CHECK-NEXT: {{ *}}^~~~
            C[i] = s[i] + t[i]
        T.copy(s, C)
        t[0] = 1.0
        # CHECK: {{.*}}:[[# @LINE + 1]]:{{.*}}: warning: shared buffer 'u' is read but never written
        T.copy(u, C)
