import tilelang
import tilelang.language as T


def depth():
    count = 0
    while True:
        count += 1
    return count


@tilelang.jit
def kernel(A):
    A: T.Tensor[[128], T.float32]
    with T.Kernel(1, threads=depth()) as bx:
        A[bx] = 1.0
