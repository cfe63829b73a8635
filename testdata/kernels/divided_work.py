"""Softmax of small rows by one warp while the others scale a long row: work by parts of a block."""
# tilescope: divided --set N=512
import tilelang
import tilelang.language as T


@tilelang.jit
def divided(scores, X, N: int = 512, rows: int = 8, block: int = 128):
    scores: T.Tensor[[rows, rows], T.float32]
    X: T.Tensor[[rows, N], T.float16]
    P = T.empty([rows, rows], T.float32)
    Y = T.empty([rows, N], T.float16)

    with T.Kernel(rows, threads=96) as bx:
        row = T.alloc_shared((rows,), T.float32)
        for j in T.Parallel(rows):
            row[j] = scores[bx, j]
        if T.get_thread_binding() < 32:
            p = T.alloc_fragment((1, rows), T.float32)
            largest = T.alloc_fragment((1,), T.float32)
            total = T.alloc_fragment((1,), T.float32)
            for i, j in T.Parallel(1, rows):
                p[i, j] = row[j]
            T.reduce_max(p, largest, dim=1)
            for i, j in T.Parallel(1, rows):
                p[i, j] = T.exp(p[i, j] - largest[i])
            T.reduce_sum(p, total, dim=1)
            for i, j in T.Parallel(1, rows):
                P[bx, j] = p[i, j] / total[i]
        else:
            factor = T.alloc_shared((1,), T.float32)
            for j in T.Parallel(1):
                factor[j] = row[j] + 1
            for k in T.Pipelined(N // block, num_stages=2):
                part = T.alloc_shared((block,), T.float16)
                T.copy(X[bx, k * block], part)
                for j in T.Parallel(block):
                    Y[bx, k * block + j] = part[j] * factor[0]
    return P, Y
