import tilelang
import tilelang.language as T


@tilelang.jit
def matmul(A, B):
    A: T.Tensor[[128, 128], T.float16]
    B: T.Tensor[[128, 128], T.float16]
    C = T.empty([128, 128], T.float16)
    with T.Kernel(1, threads=128) as bx:
        A_shared = T.alloc_shared((128, 128), T.float16)
        B_shared = T.alloc_shared((128, 128), T.float16)
        C_local = T.alloc_fragment((128, 128), T.float32)
        T.clear(C_local)
        T.copy(A, A_shared
        T.gemm(A_shared, B_shared, C_local)
        T.copy(C_local, C)
    return C
