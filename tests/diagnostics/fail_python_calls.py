# RUN: not tilescope opt --passes '' %s:kernel 2>&1 | FileCheck %s
# ./dev lit tests/diagnostics/fail_python_calls.py

# Mistakes in calls and types; the kernel goes on behind each.
import math

import tilelang
import tilelang.language as T

import torch

loop_a = loop_b
loop_b = loop_a


def helper(x, y=1):
    return x + y


@T.prim_func
def other():
    with T.Kernel(1) as bx:
        T.sync_threads()


@T.prim_func
def kernel(A: T.Tensor((64, 64), "float32"), n: T.int32):
    with T.Kernel(1, threads=32) as bx:
        # TooManyArguments
        # CHECK: [[# @LINE + 1]]:26: error: 'helper' takes no more than 2 positional arguments: (x, y=...)
        a = helper(1, 2, 3)
        # UnknownKeyword
        # CHECK: [[# @LINE + 1]]:25: error: 'helper' has no parameter 'z': (x, y=...)
        a = helper(1, z=2)
        # ArgumentGivenTwice
        # CHECK: [[# @LINE + 1]]:25: error: 'helper' gets 'x' twice
        a = helper(1, x=2)
        # ArgumentMissing
        # CHECK: [[# @LINE + 1]]:13: error: 'helper' needs 'x': (x, y=...)
        a = helper()
        # WrongArgument
        # CHECK: [[# @LINE + 1]]:50: error: 'scope' of 'T.alloc_local' must be a string, not the int 4
        a = T.alloc_local((4,), "float32", scope=4)
        # WrongType
        # CHECK: [[# @LINE + 1]]:27: error: expected a dict behind '**', not a list
        a = helper(*"ab", **[1])
        # NotADType
        # CHECK: [[# @LINE + 1]]:33: error: 'float17' is not a dtype
        a = T.alloc_local((4,), "float17")
        # OpaqueUsed
        # CHECK: [[# @LINE + 1]]:13: error: 'torch.linspace' is not evaluated here, but the kernel needs it
        a = torch.linspace(4)
        # NotSupportedYet
        # CHECK: [[# @LINE + 1]]:13: error: T.clc_try_cancel is not supported yet
        a = T.clc_try_cancel()
        # HostOnly
        # CHECK: [[# @LINE + 1]]:13: error: 'tilelang.compile' belongs to the host and is not evaluated
        a = tilelang.compile(helper)
        # DecoratorCalled
        # CHECK: [[# @LINE + 1]]:13: error: 'T.prim_func' works only as a decorator
        a = T.prim_func(helper)
        # KernelCalled
        # CHECK: [[# @LINE + 1]]:13: error: 'other' is a prim_func: it cannot be called while a kernel is built
        a = other()
        # CannotAssign
        # CHECK: [[# @LINE + 1]]:9: error: cannot assign to an attribute of an int32 expression
        n.x = 1
        # BuiltinOnExpression
        # CHECK: [[# @LINE + 1]]:13: error: 'max' does not work on a value of the device; write T.max(a, b)
        a = max(n, 1)
