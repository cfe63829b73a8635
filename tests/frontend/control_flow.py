# RUN: tilescope opt --passes '' %s | FileCheck %s
# ./dev lit tests/frontend/control_flow.py

# What runs while the kernel is built, and what becomes code of the device.
import tilelang.language as T


def pick(sizes, index):
    # Plain Python: loops run, lists are indexed.
    total = 0
    for size in sizes[:index]:
        total += size
    return total


@T.macro
def scaled(x, factor):
    y = x * factor
    return y


@T.macro
def bump(counter: T.Ref, by):
    counter += by


# CHECK: def kernel(
@T.prim_func
def kernel(A: T.Tensor((64, 4), "int32"), n: T.int32, use_first: T.bool):
    with T.Kernel(4, threads=32) as block:
        # CHECK: with T.Kernel(4, threads=32) as (block, [[TX:[a-z]+]]):
        t = T.get_thread_binding()
        # An `if` on a Python value folds.
        if pick([1, 2, 3], 2) == 3:
            # CHECK-NEXT: A[[[TX]], 0] = 3
            A[t, 0] = pick([1, 2, 3], 2)
        else:
            A[t, 0] = -1
        # On a value of the device it becomes a branch; both sides are executed here.
        # CHECK-NEXT: if block < n:
        # CHECK-NEXT: A[[[TX]], 1] = 1
        # CHECK-NEXT: else:
        # CHECK-NEXT: if use_first:
        # CHECK-NEXT: A[[[TX]], 1] = 2
        # CHECK-NEXT: else:
        # CHECK-NEXT: A[[[TX]], 1] = 3
        if block < n:
            A[t, 1] = 1
        elif use_first:
            A[t, 1] = 2
        else:
            A[t, 1] = 3
        # `range` is a loop of the device; a Python list is unrolled.
        # CHECK-NEXT: for i in T.serial(0, 4):
        # CHECK-NEXT: A[i, 2] = i
        for i in range(4):
            A[i, 2] = i
        # CHECK-NEXT: A[[[TX]], 0] = 10
        # CHECK-NEXT: A[[[TX]], 3] = 30
        for column, value in [(0, 10), (3, 30)]:
            A[t, column] = value
        # Steps count iterations.
        # CHECK-NEXT: for [[V:[a-z0-9_]+]] in T.serial(0, 4):
        # CHECK-NEXT: [[J:[a-z0-9_]+]]: T.int32 = 1 + [[V]] * 3
        # CHECK-NEXT: A[[[J]], 0] = 0
        for j in T.serial(1, 11, 3):
            A[j, 0] = 0
        # CHECK-NEXT: for k in T.serial(0, n):
        # CHECK-NEXT: for m in T.serial(0, 4):
        # CHECK-NEXT: A[k, m] = k * m
        for k, m in T.grid(n, 4):
            A[k, m] = k * m
        # A mutable variable is stored to and loaded from; a Python name is only bound.
        # CHECK-NEXT: count[0] = 5
        # CHECK-NEXT: count[0] = count[0] + 1
        count = T.alloc_var("int32", init=5)
        count = count + 1
        # CHECK-NEXT: count[0] = count[0] + 2
        bump(count, 2)
        # CHECK-NEXT: x: T.int32 = count[0]
        # CHECK-NEXT: y: T.int32 = x * 2
        # CHECK-NEXT: A[[[TX]], 0] = y
        A[t, 0] = scaled(count, 2)
        # A swap reads both before it stores.
        # CHECK-NEXT: [[OLD1:[a-z0-9_]+]]: T.int32 = A[1, 0]
        # CHECK-NEXT: [[OLD2:[a-z0-9_]+]]: T.int32 = A[0, 0]
        # CHECK-NEXT: A[0, 0] = [[OLD1]]
        # CHECK-NEXT: A[1, 0] = [[OLD2]]
        A[0, 0], A[1, 0] = A[1, 0], A[0, 0]
