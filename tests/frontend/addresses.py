# RUN: tilescope opt --passes '' %s:tables 2>&1 | FileCheck %s
# ./dev lit tests/frontend/addresses.py
# RUN: exits 2 tilescope opt --passes '' %s:extent 2>&1 | FileCheck %s --check-prefix=EXTENT
# RUN: exits 2 tilescope opt --passes '' %s:late 2>&1 | FileCheck %s --check-prefix=LATE
# RUN: tilescope exec --every-pass %s:tables | FileCheck %s --check-prefix=RIGHT --implicit-check-not=WRONG
# RUN: tilescope opt --passes '' %s:single | FileCheck %s --check-prefix=SINGLE
# RUN: exits 2 tilescope opt --passes '' %s:number 2>&1 | FileCheck %s --check-prefix=NUMBER
# RUN: exits 2 tilescope opt --passes '' %s:changed 2>&1 | FileCheck %s --check-prefix=CHANGED
# RUN: exits 2 tilescope opt --passes '' %s:narrow 2>&1 | FileCheck %s --check-prefix=CHANGED
# RIGHT: insert-barriers#2 {{.*}}equal

# An integer that is an address is a pointer, a tensor of them a table of pointers.
import tilelang.language as T


# CHECK: remark: the tensors of table 'experts' are taken as one tensor
# CHECK: experts: T.Tensor((4, 32, 64), "float16"),
# CHECK-NEXT: which: T.Tensor((2,), "int32"),
# CHECK-NEXT: C: T.Tensor((2, 64), "float32"),
@T.prim_func
def tables(experts: T.Tensor((4,), "int64"), which: T.Tensor((2,), "int32"), C: T.Tensor((2, 64), "float32")):
    with T.Kernel(2, threads=64) as bx:
        # CHECK: expert: T.int32 = which[bx]
        # CHECK-NOT: experts[
        expert = which[bx]
        address = experts[expert]
        A = T.make_tensor_from_addr(address, (32, 64), "float16")
        # CHECK: row: T.int32 = which[1 - bx]
        B = T.make_tensor(T.cast(experts[which[1 - bx]], "uint64"), (32, 64), "float16")
        # CHECK: C[bx, i] = T.float32(experts[expert, 1, i] * experts[row, 2, i])
        for i in T.Parallel(64):
            C[bx, i] = A[1, i] * B[2, i]


# SINGLE: A: T.Tensor((64,), "float32"),
# SINGLE-NEXT: C: T.Tensor((64,), "float32"),
# SINGLE-NEXT: n: T.int32
@T.prim_func
def single(source: T.uint64, C: T.Tensor((64,), "float32"), n: T.int32):
    with T.Kernel(1, threads=64):
        A = T.make_tensor_from_addr(source, (64,), "float32")
        for i in T.Parallel(64):
            C[i] = A[i] + n


# NUMBER: :[[# @LINE + 6]]:{{.*}}error: an address that is read as a number too is not supported yet
@T.prim_func
def number(experts: T.Tensor((4,), "int64"), C: T.Tensor((64,), "float32")):
    with T.Kernel(1, threads=64):
        A = T.make_tensor_from_addr(experts[1], (64,), "float32")
        for i in T.Parallel(64):
            C[i] = A[i] + T.cast(experts[0], "float32")


# What the index is now need not be what it was.
# CHANGED: error: a tensor at an address that is no parameter and in no table of one is not supported yet
@T.prim_func
def changed(experts: T.Tensor((4,), "int64"), C: T.Tensor((64,), "float32")):
    with T.Kernel(1, threads=64):
        which = T.alloc_var("int32", 1)
        address = experts[which]
        which = 2
        A = T.make_tensor_from_addr(address, (64,), "float32")
        for i in T.Parallel(64):
            C[i] = A[i]


@T.prim_func
def narrow(experts: T.Tensor((4,), "int32"), C: T.Tensor((64,), "float32")):
    with T.Kernel(1, threads=64):
        A = T.make_tensor_from_addr(experts[0], (64,), "float32")
        for i in T.Parallel(64):
            C[i] = A[i]


# EXTENT: error: an address that is read as a number too is not supported yet
@T.prim_func
def extent(n: T.int64, C: T.Tensor((64,), "float32")):
    with T.Kernel(1, threads=64):
        A = T.make_tensor_from_addr(n, (n,), "float32")
        for i in T.Parallel(64):
            C[i] = A[i]


# LATE: :[[# @LINE + 7]]:{{.*}}error: 'k' is used outside of the block that defines it
@T.prim_func
def late(ptrs: T.Tensor((4,), "int64"), C: T.Tensor((64,), "float32")):
    with T.Kernel(1, threads=64):
        for k in T.serial(4):
            A = T.make_tensor_from_addr(ptrs[k], (64,), "float32")
        for i in T.Parallel(64):
            C[i] += A[i]
