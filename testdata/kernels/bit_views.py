"""C = A @ A^T with its rows in reverse order, by way of the operand's own bytes.

The tile of A serves as scratch for half of the sums at a time, seen as numbers of twice the width.
"""
# tilescope: reversed_gram --set M=128
# tilescope: reversed_gram --set M=64 --set dtype=bfloat16
# tilescope: pack --set N=512
import tilelang
import tilelang.language as T


@tilelang.jit
def reversed_gram(A, M: int = 128, block: int = 64, dtype: T.dtype = T.float16):
    A: T.Tensor[[M, block], dtype]
    C = T.empty([M, block], T.float32)

    with T.Kernel(T.ceildiv(M, block), threads=128) as bx:
        tile = T.alloc_shared((block, block), dtype)
        scratch = T.view(tile, shape=(block // 2, block), dtype=T.float32)
        sums = T.alloc_fragment((block, block), T.float32)
        T.copy(A[bx * block, 0], tile)
        T.gemm(tile, tile, sums, transpose_B=True, policy=T.GemmWarpPolicy.FullCol, clear_accum=True)
        for half in range(2):
            for i, j in T.Parallel(block, block):
                if i < block // 2:
                    scratch[i, j] = sums[i + half * (block // 2), j]
            for i, j in T.Parallel(block // 2, block):
                C[bx * block + block - 1 - half * (block // 2) - i, j] = scratch[i, j]
    return C


@tilelang.jit
def pack(A, N: int = 512):
    """The bytes of each number in reverse order, and the sign of its upper half."""
    A: T.Tensor[[N], T.float32]
    B = T.empty([N], T.uint32)
    C = T.empty([N], T.int32)

    halves = T.view(A, (N * 2,), T.int16)
    with T.Kernel(T.ceildiv(N, 128), threads=128) as bx:
        tx = T.get_thread_binding()
        word = T.alloc_local((1,), T.uint32)
        parts = T.view(word, (4,), T.uint8)
        row = bx * 128 + tx
        word[0] = T.reinterpret(A[row], T.uint32)
        for k in T.unroll(2):
            low = parts[k]
            parts[k] = parts[3 - k]
            parts[3 - k] = low
        B[row] = word[0]
        C[row] = T.if_then_else(halves[row * 2 + 1] < 0, 1, 0)
    return B, C
