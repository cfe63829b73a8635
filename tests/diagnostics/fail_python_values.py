# RUN: not tilescope opt --passes '' %s:kernel 2>&1 | FileCheck %s
# ./dev lit tests/diagnostics/fail_python_values.py

# Mistakes with Python values; the kernel goes on behind each.
import math

import tilelang
import tilelang.language as T


@T.prim_func
def kernel(A: T.Tensor((64, 64), "float32"), n: T.int32):
    with T.Kernel(1, threads=32) as bx:
        # UndefinedName
        # CHECK: [[# @LINE + 1]]:13: error: name 'undefined' is not defined
        a = undefined + 1
        # NoAttribute
        # CHECK: [[# @LINE + 1]]:13: error: a str has no attribute 'shout'
        a = "text".shout()
        # UnknownMember
        # CHECK: [[# @LINE + 1]]:13: error: 'math' has no 'sqroot'
        a = math.sqroot(2)
        # NotCallable
        # CHECK: [[# @LINE + 1]]:14: error: an int cannot be called
        a = (1)(2)
        # BadOperands
        # CHECK: [[# @LINE + 1]]:13: error: '+' does not work on a str and an int
        a = "a" + 1
        # BadOperand
        # CHECK: [[# @LINE + 1]]:13: error: '-' does not work on a str
        a = -"a"
        # DivisionByZero
        # CHECK: [[# @LINE + 1]]:13: error: division by zero
        a = 1 // 0
        # NegativeShift
        # CHECK: [[# @LINE + 1]]:13: error: shift by -1 bits
        a = 1 << -1
        # MathDomain
        # CHECK: [[# @LINE + 1]]:13: error: 'math.sqrt' is not defined for -1
        a = math.sqrt(-1)
        # NotHashable
        # CHECK: [[# @LINE + 1]]:14: error: a list cannot be a key
        a = {[1]: 2}
        # KeyNotFound
        # CHECK: [[# @LINE + 1]]:13: error: 'y' is not there
        a = {"x": 1}["y"]
        # NotSubscriptable
        # CHECK: [[# @LINE + 1]]:13: error: an int has no elements
        a = 1[0]
        # ItemOutOfRange
        # CHECK: [[# @LINE + 1]]:13: error: index 2 is outside of 2 elements
        a = [1, 2][2]
        # ZeroStep
        # CHECK: [[# @LINE + 1]]:13: error: step is zero
        a = range(0, 4, 0)
        # NotIterable
        # CHECK: [[# @LINE + 1]]:13: error: cannot iterate over an int
        a = list(1)
        # EmptySequence
        # CHECK: [[# @LINE + 1]]:13: error: 'max' of nothing
        a = max([])
        # UnpackCount
        # CHECK: [[# @LINE + 1]]:9: error: 2 names for 3 values
        a, b = 1, 2, 3
        # BadFormat
        # CHECK: [[# @LINE + 1]]:16: error: format 'z' does not fit an int
        a = f"{1:z}"
        # IntegerTooLarge
        # CHECK: [[# @LINE + 1]]:13: error: integer does not fit 64 bits: 9223372036854775808
        a = n + 4611686018427387904 * 2
