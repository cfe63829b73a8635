# IR text that holds the kernel that it was made from.
# ./dev lit tests/ir/kernel_source.py
# RUN: split-file %s %t
# RUN: tilescope opt --passes '' --tagged %t/scale.ir > %t/again.ir && diff %t/scale.ir %t/again.ir
# RUN: tilescope compile %t/scale.ir -o - --trace %t/scale.trace | FileCheck %s --check-prefix=CUDA
# RUN: tilescope show source %t/scale.trace | FileCheck %s --check-prefix=SOURCE
# RUN: exits 2 tilescope compile %t/wrong.ir -o %t/wrong.cu 2>&1 | FileCheck %s --check-prefix=WRONG

# Text that holds the kernel that it was made from: spans, views, messages and the trace speak of the kernel.
# CUDA: // scale.py:4: for i in T.Parallel(128):
# SOURCE: for i in T.Parallel(128):
# WRONG: scale.py:5:9: error: index i + 200 in dimension 0 of 'A' is out of range [0, 128)
# WRONG: A[i] = A[i] * 2.0

#--- scale.ir
# tilescope-ir 1
@T.prim_func(properties=["tile"])
def scale(  #@ span=2:1-2:10
    A: T.Tensor((128,), "float32"),  #@ b1 span=2:11-2:36
):
    with T.Kernel(1, threads=128) as (bx, tx):  #@ s1 span=3:5-3:36 v1 v2
        for i in T.Parallel(128):  #@ s2 span=4:9-4:33 v3
            A[i] = A[i] * 2.0  #@ s3 span=5:13-5:30
#@ kernel="scale.py"
#| import tilelang.language as T
#| def scale(A: T.Tensor((128,), "float32")):
#|     with T.Kernel(1, threads=128):
#|         for i in T.Parallel(128):
#|             A[i] = A[i] * 2.0
#|
#--- wrong.ir
# tilescope-ir 1
@T.prim_func(properties=["tile"])
def scale(  #@ span=2:1-2:10
    A: T.Tensor((128,), "float32"),  #@ b1 span=2:11-2:36
):
    with T.Kernel(1, threads=128) as (bx, tx):  #@ s1 span=3:5-3:36 v1 v2
        for i in T.Parallel(128):  #@ s2 span=4:9-4:33 v3
            A[i + 200] = A[i] * 2.0  #@ s3 span=5:9-5:30
#@ kernel="scale.py"
#| import tilelang.language as T
#| def scale(A: T.Tensor((128,), "float32")):
#|     with T.Kernel(1, threads=128):
#|         for i in T.Parallel(128):
#|         A[i] = A[i] * 2.0
