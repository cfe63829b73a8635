# RUN: tilescope opt --passes '' %s:copies | FileCheck %s --check-prefix=COPIES
# ./dev lit tests/frontend/generators.py
# RUN: tilescope opt --passes '' %s:macro | FileCheck %s --check-prefix=MACRO
# RUN: tilescope opt --passes '' %s:early | FileCheck %s --check-prefix=EARLY
# RUN: exits 2 tilescope opt --passes '' %s:collected 2>&1 | FileCheck %s --check-prefix=COLLECTED
# RUN: exits 2 tilescope opt --passes '' %s:guarded 2>&1 | FileCheck %s --check-prefix=GUARDED
# RUN: exits 2 tilescope opt --passes '' %s:taken_up 2>&1 | FileCheck %s --check-prefix=TAKEN

# Functions with `yield`: what consumes them runs in between.
import tilelang.language as T


def halves(n):
    while n > 1:
        yield n
        n //= 2
    return n


def both(n):
    yield from halves(n)
    yield 1


def forever():
    n = 0
    while True:
        yield n
        n += 1


sizes = halves(16)
first = next(sizes)
second = next(sizes)
rest = tuple(sizes)
assert next(sizes, None) is None
even = next(n for n in range(1, 9) if n % 2 == 0)
letters = iter(["a", "b"])


# COPIES: A[0] = 16.0{{$}}
# COPIES-NEXT: A[1] = 8.0{{$}}
# COPIES-NEXT: A[2] = 6.0{{$}}
# COPIES-NEXT: A[3] = 2.0{{$}}
# COPIES-NEXT: A[4] = 15.0{{$}}
# COPIES-NEXT: A[4] = 7.0{{$}}
# COPIES-NEXT: A[4] = 3.0{{$}}
# COPIES-NEXT: A[4] = 1.0{{$}}
# COPIES-NEXT: A[5] = 15.0{{$}}
# COPIES-NEXT: A[6] = 98.0{{$}}
@T.prim_func
def copies(A: T.Tensor((64,), "float32")):
    with T.Kernel(1, threads=64):
        A[0] = first
        A[1] = second
        A[2] = sum(rest)
        A[3] = even
        for n in both(8):
            A[4] = n * 2 - 1
        A[5] = sum(both(8))
        A[6] = ord_of(next(letters)) + len(list(zip(both(4), halves(4))))


def ord_of(letter):
    return {"a": 96}[letter]


# Statements of the generator and of the loop follow each other, in a loop of the device too.
@T.macro
def rows(A, S, n):
    for row in T.serial(n):
        T.copy(A[row, 0:64], S)
        yield row


# MACRO: for row in T.serial(0, 4):
# MACRO-NEXT: T.copy(A[row, 0:64], S[0:64])
# MACRO-NEXT: T.copy(S[0:64], B[row, 0:64])
# MACRO-NEXT: B[0, 0] = 1.0{{$}}
@T.prim_func
def macro(A: T.Tensor((4, 64), "float32"), B: T.Tensor((4, 64), "float32")):
    with T.Kernel(1, threads=64):
        S = T.alloc_shared((64,), "float32")
        for row in rows(A, S, 4):
            T.copy(S, B[row, 0:64])
        B[0, 0] = 1.0


def second_of(values):
    for i, value in enumerate(values):
        if i == 1:
            return value


# A loop that ends early ends the generator.
# EARLY: A[0] = 0.0{{$}}
# EARLY-NEXT: A[1] = 1.0{{$}}
# EARLY-NEXT: A[9] = 4.0{{$}}
@T.prim_func
def early(A: T.Tensor((64,), "float32")):
    with T.Kernel(1, threads=64):
        for n in forever():
            if n == 2:
                break
            A[n] = n
        A[9] = second_of(both(8))


# NotSupportedYet
# COLLECTED: [[# @LINE + 5]]:{{[0-9]+}}: error: a generator that builds statements, outside of a 'for', is not supported yet
@T.prim_func
def collected(A: T.Tensor((4, 64), "float32")):
    with T.Kernel(1, threads=64):
        S = T.alloc_shared((64,), "float32")
        for row, again in zip(stored(A, S), stored(A, S)):
            A[row, 0] = 1.0


@T.macro
def stored(A, S):
    T.copy(A[0, 0:64], S)
    yield 0


def in_try():
    try:
        yield 1
    except ValueError:
        pass


# GUARDED: error: 'yield' inside of 'try' is not supported yet
@T.prim_func
def guarded(A: T.Tensor((64,), "float32")):
    with T.Kernel(1, threads=64):
        for n in in_try():
            A[n] = 1.0


# TAKEN: [[# @LINE + 4]]:{{[0-9]+}}: error: 'next' of nothing
@T.prim_func
def taken_up(A: T.Tensor((64,), "float32")):
    with T.Kernel(1, threads=64):
        A[0] = next(n for n in range(4) if n > 8)
