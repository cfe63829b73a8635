# RUN: tilescope opt --passes '' %s:matches | FileCheck %s
# ./dev lit tests/frontend/match.py
# RUN: exits 2 tilescope opt --passes '' %s:on_device 2>&1 | FileCheck %s --check-prefix=DEVICE
# RUN: exits 2 tilescope opt --passes '' %s:stars 2>&1 | FileCheck %s --check-prefix=STAR

# `match`: literals, names, sequences, mappings, classes, alternatives, guards.
from dataclasses import dataclass

import tilelang.language as T


class Limits:
    small = 8


@dataclass
class Tile:
    m: int
    n: int = 64


def kind(problem):
    match problem:
        case None:
            return 0
        case True | False:
            return 1
        case Limits.small:
            return 2
        case -1 | "minus":
            return 3
        case int(size) if size > 1000:
            return size
        case int() | float():
            return 4
        case Tile(m, n=32):
            return 1000 + m
        case Tile(m=m, n=n):
            return 2000 + m + n
        case {"op": ("gemm" | "conv") as op, "k": k, **others}:
            return 5 + k + len(others) + len(op)
        case []:
            return 6
        case [first]:
            return 7 + first
        case (first, *_, [inner, *more]):
            return first + inner + len(more)
        case first, second:
            return 8
        case str():
            return 9
    return 10


# CHECK: A[0] = 0.0{{$}}
# CHECK-NEXT: A[1] = 1.0{{$}}
# CHECK-NEXT: A[2] = 2.0{{$}}
# CHECK-NEXT: A[3] = 3.0{{$}}
# CHECK-NEXT: A[4] = 3.0{{$}}
# CHECK-NEXT: A[5] = 1001.0{{$}}
# CHECK-NEXT: A[6] = 4.0{{$}}
# CHECK-NEXT: A[7] = 1016.0{{$}}
# CHECK-NEXT: A[8] = 2080.0{{$}}
# CHECK-NEXT: A[9] = 13.0{{$}}
# CHECK-NEXT: A[10] = 6.0{{$}}
# CHECK-NEXT: A[11] = 12.0{{$}}
# CHECK-NEXT: A[12] = 11.0{{$}}
# CHECK-NEXT: A[13] = 8.0{{$}}
# CHECK-NEXT: A[14] = 9.0{{$}}
# CHECK-NEXT: A[15] = 10.0{{$}}
# CHECK-NEXT: A[16] = 7.0{{$}}
@T.prim_func
def matches(A: T.Tensor((64,), "float32")):
    with T.Kernel(1, threads=64):
        A[0] = kind(None)
        A[1] = kind(True)
        A[2] = kind(8)
        A[3] = kind(-1)
        A[4] = kind("minus")
        A[5] = kind(1001)
        A[6] = kind(1.5)
        A[7] = kind(Tile(16, 32))
        A[8] = kind(Tile(16))
        A[9] = kind({"op": "conv", "k": 3, "s": 1})
        A[10] = kind([])
        A[11] = kind((5,))
        A[12] = kind([1, 2, 3, [8, 0, 0]])
        A[13] = kind((1, 2))
        A[14] = kind("plus")
        A[15] = kind({1})
        match = {"case": 7}
        A[16] = match["case"]


# OperatorOnExpression
# DEVICE: [[# @LINE + 6]]:22: error: 'match' does not work on a value of the device; write 'if'
@T.prim_func
def on_device(A: T.Tensor((64,), "float32")):
    with T.Kernel(1, threads=64) as bx:
        for i in T.serial(4):
            match i:
                case 0:
                    A[i] = 1.0


# UnsupportedSyntax
# STAR: [[# @LINE + 5]]:22: error: '*' is not supported in what a kernel runs
@T.prim_func
def stars(A: T.Tensor((64,), "float32")):
    with T.Kernel(1, threads=64):
        match 3:
            case int(*x):
                A[0] = 1.0
