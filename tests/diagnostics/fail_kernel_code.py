# RUN: not tilescope opt --passes '' %s:kernel 2>&1 | FileCheck %s
# ./dev lit tests/diagnostics/fail_kernel_code.py

# Mistakes with what belongs to the device; the kernel goes on behind each.
import math

import tilelang
import tilelang.language as T

def branch(x):
    return 1 if x > 0 else 2


@T.prim_func
def kernel(A: T.Tensor((64, 64), "float32"), n: T.int32):
    with T.Kernel(1, threads=32) as bx:
        # IndexUnknown
        # CHECK: [[# @LINE + 1]]:13: error: a Python sequence cannot be indexed by a value that only the device knows
        a = [1, 2][n]
        # OperatorOnExpression
        # CHECK: [[# @LINE + 1]]:13: error: '**' does not work on a value of the device; write T.pow(x, y)
        a = n**2
        # OperatorOnType
        # CHECK: [[# @LINE + 1]]:13: error: '/' does not work on int32; write // or cast to a float
        a = n / 2
        # IndexCount
        # CHECK: [[# @LINE + 1]]:13: error: 'A' has 2 dimensions but 1 indices
        a = A[0]
        # SliceStep
        # CHECK: [[# @LINE + 1]]:17: error: a slice of a buffer has no step
        T.clear(A[0:8:2, 0])
        # EmptySlice
        # CHECK: [[# @LINE + 1]]:17: error: slice of -4 elements
        T.clear(A[8:4, 0])
        # WholeBufferUpdated
        # CHECK: [[# @LINE + 1]]:9: error: 'A' is a buffer: update its elements
        A += 1
        # LoopNotIterated
        # CHECK: [[# @LINE + 1]]:9: warning: a loop that no 'for' runs over has no effect
        T.serial(4)
        # LoopWithoutSize
        # CHECK: [[# @LINE + 1]]:13: error: 'T.Parallel' needs the size of a loop
        a = T.Parallel()
        # OrderAndStage
        # CHECK: [[# @LINE + 1]]:13: error: 'order' has 2 entries, 'stage' has 1
        a = T.Pipelined(4, order=[0, 1], stage=[0])
        # NotAParameter
        # CHECK: [[# @LINE + 1]]:9: error: 'b' is annotated, but it is no parameter without a value
        b: T.Tensor((4,), "float32")
        # NegativeSize
        # CHECK: [[# @LINE + 1]]:28: error: size -4
        a = T.alloc_shared((-4,), "float32")
        # AxisCountsDiffer
        # CHECK: [[# @LINE + 1]]:9: error: 'T.copy' between (8, 1) and (8, 8): the counts of axes other than 1 differ
        T.copy(A[0:8, 0], T.alloc_shared((8, 8), "float32"))
        # ShapesDiffer
        # CHECK: [[# @LINE + 1]]:9: error: 'T.copy' between (4, 8) and (8, 8): the shapes differ
        T.copy(T.alloc_shared((4, 8), "float32"), T.alloc_shared((8, 8), "float32"))
        # TileTooLarge
        # CHECK: [[# @LINE + 1]]:28: error: buffer has more than 1099511627776 elements
        a = T.alloc_shared((1048576, 2097152), "float32")
        # UnknownMember
        # CHECK: [[# @LINE + 1]]:13: error: 'T' has no 'gem'
        a = T.gem(A, A, A)
        # NoRandomState
        # CHECK: [[# @LINE + 1]]:13: error: 'T.rng_rand' needs T.rng_init before it
        a = T.rng_rand()
        # ReinterpretedBits
        # CHECK: [[# @LINE + 1]]:13: error: a float32 cannot be reinterpreted as int16: the bits are not as many whole bytes
        a = T.reinterpret(A[0, 0], "int16")
