# RUN: exits 2 tilescope opt --passes '' %s 2>&1 | FileCheck %s
# ./dev lit tests/frontend/not_yet.py
# NotOfThisTarget: an error says for which targets there is one.

# What the language has and we do not is told from what it does not have.
import tilelang.language as T


@T.prim_func
def kernel(A: T.Tensor((64,), "float32")):
    with T.Kernel(T.cdiv(64, 32), threads=32) as bx:
        # CHECK: [[# @LINE + 2]]:9: error: T.deallocate_tmem is not supported yet: it is of sm_100a
        # CHECK: note: instead: T.alloc_fragment
        T.deallocate_tmem(A)
        # CHECK: [[# @LINE + 1]]:16: error: T.vscale is not supported yet: it is of ARM
        A[0] = T.vscale()
        # CHECK: [[# @LINE + 1]]:{{[0-9]+}}: error: T.call_llvm_intrin is not supported yet
        c = T.call_llvm_intrin("float32", "exp", A[0])
        # CHECK: [[# @LINE + 2]]:9: error: 'T' has no 'ldg129'
        # CHECK: note: did you mean 'T.ldg128'?
        T.ldg129(A[0])
