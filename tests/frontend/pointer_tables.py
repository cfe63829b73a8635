# RUN: tilescope opt --passes '' %s:tables 2>&1 | FileCheck %s
# ./dev lit tests/frontend/pointer_tables.py
# RUN: exits 2 tilescope opt --passes '' %s:unsaid 2>&1 | FileCheck %s --check-prefix=UNSAID
# RUN: exits 2 tilescope opt --passes '' %s:several 2>&1 | FileCheck %s --check-prefix=SEVERAL
# RUN: exits 2 tilescope opt --passes '' %s:whole 2>&1 | FileCheck %s --check-prefix=WHOLE
# RUN: exits 2 tilescope opt --passes '' %s:counted 2>&1 | FileCheck %s --check-prefix=COUNTED

# A table of pointers is one tensor, with the axes of the table first.
import tilelang.language as T


# TableAsTensor
# CHECK: :[[# @LINE + 12]]:{{.*}}remark: the tensors of table 'inputs' are taken as one tensor, whose first axes are those of the table: they lie one behind the other
# CHECK: inputs: T.Tensor((4, 2, 32), "float32"),
# CHECK-NEXT: outputs: T.Tensor((2, 2, 2, 32), "float32"),
# CHECK-NEXT: which: T.Tensor((8,), "int32"),
# CHECK-NEXT: ):
@T.prim_func
def tables(inputs: T.Tensor((4,), T.ptr), outputs: T.Tensor((2, 2), T.ptr), which: T.Tensor((8,), "int32")):
    with T.Kernel(2, threads=32) as bx:
        chosen = T.alloc_var("int32")
        chosen = which[bx]
        # Which one it is is settled where the tensor is made.
        # CHECK: row: T.int32 = chosen[0]
        A = T.make_tensor(inputs[chosen], (2, 32), "float32")
        B = T.make_tensor(outputs[bx, 1], (2, 32), "float32")
        chosen = 0
        # CHECK: T.copy(inputs[row, 0:2, 0:32], outputs[bx, 1, 0:2, 0:32])
        T.copy(A, B)
        # CHECK: for i in T.Parallel(32):
        # CHECK-NEXT: outputs[bx, 1, 0, i] = inputs[3, 1, i] + 1.0
        C = T.make_tensor(inputs[3], (2, 32), "float32")
        for i in T.Parallel(32):
            B[0, i] = C[1, i] + 1


# UNSAID: error: {{.*}}'inputs'
@T.prim_func
def unsaid(inputs: T.Tensor((4,), T.ptr)):
    with T.Kernel(2, threads=32) as bx:
        inputs[bx]


# SEVERAL: :[[# @LINE + 5]]:{{.*}}error: a table of tensors of several shapes or types is not supported yet
@T.prim_func
def several(inputs: T.Tensor((4,), T.ptr)):
    with T.Kernel(2, threads=32) as bx:
        A = T.make_tensor(inputs[0], (32,), "float32")
        B = T.make_tensor(inputs[1], (64,), "float32")
        A[bx] = B[bx]


# WHOLE: :[[# @LINE + 4]]:{{.*}}error: expected a pointer that T.make_tensor was given
@T.prim_func
def whole(inputs: T.Tensor((4,), T.ptr)):
    with T.Kernel(2, threads=32) as bx:
        A = T.make_tensor(inputs, (32,), "float32")


# COUNTED: :[[# @LINE + 4]]:{{.*}}error:
@T.prim_func
def counted(inputs: T.Tensor((4,), T.ptr)):
    with T.Kernel(2, threads=32) as bx:
        A = T.make_tensor(inputs[0, 1], (32,), "float32")
