"""Inverse of unit lower triangular chunks, as the delta rule needs it: 54 buffers in shared memory.

A chunk of 64 tokens is four blocks of 16. Scores between different blocks are summed along the heads'
dimension in the first pipeline; the four blocks on the diagonal are inverted row by row in four more;
the blocks below it follow from both.

    X[i][i] = inverse(I + L[i][i])
    X[i][j] = -X[i][i] @ sum(L[i][k] @ X[k][j] for j <= k < i)
"""
# tilescope: chunk_inverse --set batch=1 --set heads=2 --set length=128
# tilescope: chunk_inverse --set batch=1 --set heads=1 --set length=100 --set dim=64 --set num_stages=2
# tilescope-spills-ok: the addresses of eleven tiles, some of them on sm_89
# tilescope: chunk_inverse --set batch=1 --set heads=1 --set length=128 --set dim=64 --set num_stages=0
import tilelang
import tilelang.language as T

BLOCK = 16
BLOCKS = 4
# Python lists, so that loops over them run while the kernel is built.
ALL = list(range(BLOCKS))
BELOW = [(i, j) for i in ALL for j in range(i)]


@tilelang.jit(out_idx=[-1], pass_configs={tilelang.PassConfigKey.TL_ENABLE_FAST_MATH: True})
def chunk_inverse(batch, heads, length, dim=128, block_dim=32, num_stages=1, threads=32):
    chunk = BLOCK * BLOCKS
    shape = (batch, length, heads, dim)

    @T.prim_func
    def main(
            K: T.Tensor(shape, "float32"),
            gate: T.Tensor(shape, "float32"),
            beta: T.Tensor((batch, length, heads), "float32"),
            diagonal: T.Tensor((batch, length, heads, BLOCK), "float32"),
            inverse: T.Tensor((batch, length, heads, chunk), "float32"),
    ):
        with T.Kernel(T.ceildiv(length, chunk), batch * heads, threads=threads) as (bc, bh):
            b, head = bh // heads, bh % heads
            first = bc * chunk
            # Keys and gates of the blocks, gates at the first row of a block, keys relative to them.
            keys = [T.alloc_shared((BLOCK, block_dim), "float32") for _ in range(BLOCKS)]
            gates = [T.alloc_shared((BLOCK, block_dim), "float32") for _ in range(BLOCKS)]
            starts = [T.alloc_shared((block_dim,), "float32") for _ in range(BLOCKS - 1)]
            left = [T.alloc_shared((BLOCK, block_dim), "float32") for _ in range(BLOCKS - 1)]
            right = [T.alloc_shared((BLOCK, block_dim), "float32") for _ in BELOW]
            betas = [T.alloc_shared((BLOCK,), "float32") for _ in range(BLOCKS - 1)]
            # Blocks of the matrix below the diagonal, of its inverse, and sums on the way.
            lower = [T.alloc_shared((BLOCK, BLOCK), "float32") for _ in BELOW]
            solved = [T.alloc_shared((BLOCK, BLOCK), "float32") for _ in BELOW]
            sums = [T.alloc_shared((BLOCK, BLOCK), "float32") for _ in BELOW]
            inverted = [T.alloc_shared((BLOCK, BLOCK), "float32") for _ in range(BLOCKS)]
            rows = [T.alloc_shared((BLOCK,), "float32") for _ in range(BLOCKS)]
            products = [T.alloc_shared((BLOCK, BLOCK), "float32") for _ in range(BLOCKS)]
            row_sum = T.alloc_shared((BLOCK,), "float32")
            scores = [T.alloc_fragment((BLOCK, BLOCK), "float32") for _ in BELOW]
            solution = T.alloc_fragment((BLOCK, BLOCK), "float32")

            for score in scores:
                T.clear(score)

            for kd in T.Pipelined(T.ceildiv(dim, block_dim), num_stages=num_stages):
                for i in ALL:
                    token = first + i * BLOCK
                    T.copy(K[b, token:token + BLOCK, head, kd * block_dim:(kd + 1) * block_dim],
                           keys[i])
                    T.copy(gate[b, token:token + BLOCK, head, kd * block_dim:(kd + 1) * block_dim],
                           gates[i])
                for i in ALL[1:]:
                    T.copy(gate[b, first + i * BLOCK, head, kd * block_dim:(kd + 1) * block_dim],
                           starts[i - 1])
                    for r, d in T.Parallel(BLOCK, block_dim):
                        left[i - 1][r, d] = keys[i][r, d] * T.exp2(gates[i][r, d] - starts[i - 1][d])
                for n, (i, j) in enumerate(BELOW):
                    for r, d in T.Parallel(BLOCK, block_dim):
                        right[n][r, d] = keys[j][r, d] * T.exp2(starts[i - 1][d] - gates[j][r, d])
                    T.gemm(left[i - 1], right[n], scores[n], transpose_B=True)

            for i in ALL[1:]:
                T.copy(beta[b, first + i * BLOCK:first + (i + 1) * BLOCK, head], betas[i - 1])
            for n, (i, j) in enumerate(BELOW):
                for r, c in T.Parallel(BLOCK, BLOCK):
                    scores[n][r, c] *= betas[i - 1][r] / dim
                T.copy(scores[n], lower[n])

            # Row r of an inverse is -L[r] @ inverse, from the rows above.
            for i in ALL:
                token = first + i * BLOCK
                T.copy(diagonal[b, token:token + BLOCK, head, :], inverted[i])
                for r, c in T.Parallel(BLOCK, BLOCK):
                    inverted[i][r, c] = T.if_then_else(r > c, -inverted[i][r, c], 0.0)
            for i in ALL:
                token = first + i * BLOCK
                for r in T.Pipelined(2, T.min(BLOCK, length - token), num_stages=num_stages):
                    T.copy(diagonal[b, token + r, head, :], rows[i])
                    for c in T.Parallel(BLOCK):
                        rows[i][c] = T.if_then_else(c < r, -rows[i][c], 0.0)
                    for m, c in T.Parallel(BLOCK, BLOCK):
                        products[i][m, c] = rows[i][m] * inverted[i][m, c]
                    T.reduce_sum(products[i], row_sum, dim=0)
                    for c in T.Parallel(BLOCK):
                        rows[i][c] += row_sum[c]
                    for m, c in T.Parallel(BLOCK, BLOCK):
                        inverted[i][m, c] = T.if_then_else(m == r, rows[i][c], inverted[i][m, c])
            for i in ALL:
                for r, c in T.Parallel(BLOCK, BLOCK):
                    inverted[i][r, c] += T.if_then_else(r == c, 1.0, 0.0)

            for distance in ALL[1:]:
                for i in ALL[distance:]:
                    j = i - distance
                    n = BELOW.index((i, j))
                    T.clear(solution)
                    for k in ALL[j:i]:
                        above = inverted[j] if k == j else solved[BELOW.index((k, j))]
                        T.gemm(lower[BELOW.index((i, k))], above, solution)
                    T.copy(solution, sums[n])
                    T.gemm(inverted[i], sums[n], solution, clear_accum=True)
                    for r, c in T.Parallel(BLOCK, BLOCK):
                        solved[n][r, c] = -solution[r, c]

            for i in ALL:
                token = first + i * BLOCK
                T.copy(inverted[i], inverse[b, token:token + BLOCK, head, i * BLOCK:(i + 1) * BLOCK])
            for n, (i, j) in enumerate(BELOW):
                token = first + i * BLOCK
                T.copy(solved[n], inverse[b, token:token + BLOCK, head, j * BLOCK:(j + 1) * BLOCK])
                for r, c in T.Parallel(BLOCK, BLOCK):
                    inverse[b, first + j * BLOCK + r, head, i * BLOCK + c] = 0.0

    return main
