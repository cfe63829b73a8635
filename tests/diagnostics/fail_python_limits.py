# RUN: not tilescope opt --passes '' %s:kernel 2>&1 | FileCheck %s
# ./dev lit tests/diagnostics/fail_python_limits.py

# Where plain Python ends, and what no handler takes.
import math

import tilelang
import tilelang.language as T


class Size:
    def __eq__(self, other):
        return True

    def __str__(self):
        return "size"


@T.prim_func
def kernel(A: T.Tensor((64, 64), "float32"), n: T.int32):
    with T.Kernel(1, threads=32) as bx:
        # IntegerLimit
        # CHECK: [[# @LINE + 1]]:13: error: integer needs more than 4096 bits
        a = 2**4096
        # NotWhole
        # CHECK: [[# @LINE + 1]]:13: error: inf is no integer
        a = int(math.inf)
        # BadDigits
        # CHECK: [[# @LINE + 1]]:13: error: '12x' is no integer of base 10
        a = int("12x")
        # ItemNotFound
        # CHECK: [[# @LINE + 1]]:13: error: 3 is not in the sequence
        a = [1, 2].index(3)
        # NotSupportedYet: letters outside of ASCII have cases that are not known here
        # CHECK: [[# @LINE + 1]]:13: error: 'str.upper' of characters that are not ASCII is not supported yet
        a = "é".upper()
        items = [1, 2, 3]
        # SliceSize
        # CHECK: [[# @LINE + 1]]:9: error: a slice of 2 elements cannot take 1
        items[::2] = [0]
        # NothingToRaise
        # CHECK: [[# @LINE + 1]]:9: error: 'raise' alone stands in an 'except' block only
        raise
        # NotAnException
        # CHECK: [[# @LINE + 1]]:15: error: an int cannot be raised
        raise 3
        # NotSupportedYet: operators that a class defines are not applied, so none may be left out in silence.
        # CHECK: [[# @LINE + 1]]:13: error: '__eq__' of a class is not supported yet
        a = Size() == Size()
        # CHECK: [[# @LINE + 1]]:13: error: '__str__' of a class is not supported yet
        a = str(Size())
        # An error that Python would not raise is not caught.
        # CHECK: [[# @LINE + 2]]:17: error: T.call_packed is not supported yet
        try:
            a = T.call_packed("f")
        except Exception:
            a = 1
