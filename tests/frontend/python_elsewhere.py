# RUN: tilescope opt --passes '' %s:scale | FileCheck %s
# ./dev lit tests/frontend/python_elsewhere.py
# RUN: exits 2 tilescope opt --passes '' %s:calls_generator 2>&1 | FileCheck %s --check-prefix=GENERATOR
# RUN: exits 2 tilescope opt --passes '' %s:names_tile 2>&1 | FileCheck %s --check-prefix=NAME

# Python that no kernel can use stops only a kernel that runs it.
import tilelang.language as T


class Größe:
    µ = 1.5


π = 3.14
block, Δ = 32, 0.5


def shapes():
    for m in (64, 128):
        yield m, m
    yield
    rest = yield from shapes()
    return rest


@decorated
async def fetch(client):
    async with client.get("x") as answer:
        async for line in answer:
            parts = [await part async for part in line]
    return await answer.text()


def describe(problem):
    match problem:
        case (m, *rest) if m > 0:
            return f"{m:>{block}}"
        case {"kind": "gemm" | "conv" as kind, **others}:
            return kind
        case _:
            return 3j


def bench(größe=1):
    print(f"{größe} of {π}")


# CHECK: def scale(
# CHECK: T.Kernel(2, threads=64)
@T.prim_func
def scale(A: T.Tensor((64,), "float32")):
    with T.Kernel(2, threads=64) as bx:
        for i in T.Parallel(32):
            A[bx * 32 + i] = A[bx * 32 + i] * 2.0


# UnsupportedSyntax
# GENERATOR: [[# @LINE - 36]]:12: error: 'yield' is not supported in what a kernel runs
@T.prim_func
def calls_generator(A: T.Tensor((64,), "float32")):
    sizes = list(shapes())
    with T.Kernel(1, threads=64) as bx:
        A[0] = sizes[0][0]


# NonAsciiName
# NAME: [[# @LINE + 4]]:47: error: 'größe' is no name here: names are made of ASCII letters, digits and '_'
# NAME: :15:8: error: 'Δ' is no name here
# NAME: [[# @LINE + 5]]:16: error: 'Δ' is no name here
@T.prim_func
def names_tile(A: T.Tensor((64,), "float32"), größe: T.int32):
    with T.Kernel(1, threads=64) as bx:
        A[1] = block
        A[0] = Δ
