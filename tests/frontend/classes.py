# RUN: tilescope opt --passes '' %s:fields | FileCheck %s
# ./dev lit tests/frontend/classes.py
# RUN: exits 2 tilescope opt --passes '' %s:no_method 2>&1 | FileCheck %s --check-prefix=OUTSIDE
# RUN: exits 2 tilescope opt --passes '' %s:no_field 2>&1 | FileCheck %s --check-prefix=FIELD

# `super`, named tuples, and functions of classes that take no instance.
import collections
from collections import namedtuple
from typing import NamedTuple

import tilelang.language as T


class Shape:
    unit = 4

    def __init__(self, m):
        super().__init__()
        self.m = m

    def size(self):
        return self.m

    @property
    def twice(self):
        return 2 * self.size()

    @staticmethod
    def rounded(n):
        return (n + 3) // 4 * 4

    @classmethod
    def units(cls, n):
        return cls(n * cls.unit)


class Matrix(Shape):
    unit = 8

    def __init__(self, m, n):
        super().__init__(m)
        self.n = n

    def size(self):
        return super().size() * self.n


class Square(Matrix):
    def __init__(self, m):
        super(Square, self).__init__(m, m)


class Tile(NamedTuple):
    m: int
    n: int = 32

    def area(self):
        return self.m * self.n


Pair = namedtuple("Pair", "left right", defaults=(7,))
Triple = collections.namedtuple("Triple", ["a", "b", "c"])


# CHECK: A[0] = 12.0{{$}}
# CHECK-NEXT: A[1] = 24.0{{$}}
# CHECK-NEXT: A[2] = 8.0{{$}}
# CHECK-NEXT: A[3] = 20.0{{$}}
# CHECK-NEXT: A[4] = 25.0{{$}}
# CHECK-NEXT: A[5] = 512.0{{$}}
# CHECK-NEXT: A[6] = 48.0{{$}}
# CHECK-NEXT: A[7] = 8.0{{$}}
# CHECK-NEXT: A[8] = 6.0{{$}}
# CHECK-NEXT: A[9] = 64.0{{$}}
# CHECK-NEXT: A[10] = 21.0{{$}}
# CHECK-NEXT: A[11] = 2.0{{$}}
@T.prim_func
def fields(A: T.Tensor((64,), "float32")):
    with T.Kernel(1, threads=64):
        A[0] = Matrix(3, 4).size()
        A[1] = Matrix(3, 4).twice
        A[2] = Matrix.rounded(6)
        A[3] = Shape.units(5).m
        A[4] = Square(5).size()
        A[5] = Tile(16).area()
        m, n = Tile(16)
        A[6] = m + n
        A[7] = Pair(1).right + Pair(left=0, right=1)[1]
        A[8] = sum(Triple(1, 2, 3))
        A[9] = Tile(16)._replace(n=64)[1]
        A[10] = len(f"{Pair(1)}") + 0 * Tile(1)._asdict()["n"] - (Tile(1, 2) != (1, 2))
        A[11] = isinstance(Tile(1), Tile) + isinstance(Tile(1), tuple) + isinstance((1, 2), Tile)


# NotSupportedYet
# OUTSIDE: [[# @LINE + 4]]:16: error: 'super()' outside of a method is not supported yet
@T.prim_func
def no_method(A: T.Tensor((64,), "float32")):
    with T.Kernel(1, threads=64):
        A[0] = super().size()


# FIELD: [[# @LINE + 4]]:16: error: 'Tile' needs 'm': (m, n)
@T.prim_func
def no_field(A: T.Tensor((64,), "float32")):
    with T.Kernel(1, threads=64):
        A[0] = Tile(n=4).n
