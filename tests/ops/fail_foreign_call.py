# tilescope-ir 1
# ./dev lit tests/ops/fail_foreign_call.py
# RUN: not tilescope opt --passes '' %s 2>&1 | FileCheck %s

# ForeignName, ForeignSignature, ForeignLayout: what cannot be printed as a call, or means another
# place than the author's code takes it for.
@T.prim_func(properties=["lowered"])
def f(A: T.Tensor((64,), "float32")):
    s = T.alloc_shared((64, 64), "float16", layout="swizzle(128)")
    r = T.alloc_local((4,), "float32")
    with T.Kernel(1, threads=128) as (bx, tx):
        # CHECK: [[# @LINE + 1]]:{{[0-9]+}}: error: 'f(1); g' is no name of a C++ function
        T.call_extern(r[0:4], callee="f(1); g", signature="w")
        # CHECK: [[# @LINE + 1]]:{{[0-9]+}}: error: '+' of the signature 'v+' of a foreign call stands where it means nothing
        T.call_extern(1, 2, callee="f", signature="v+")
        # CHECK: [[# @LINE + 1]]:{{[0-9]+}}: error: '=' of the signature 'r=' of a foreign call stands where it means nothing
        T.call_extern(A[0:4], r[0], callee="f", signature="r=")
        # CHECK: [[# @LINE + 1]]:{{[0-9]+}}: error: foreign code follows a pointer into 's', whose elements lie as swizzle(128) says and not in order
        T.call_extern(s[0, 0:64], callee="f", signature="r")
