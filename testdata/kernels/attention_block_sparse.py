"""Attention forward over those blocks of keys only that a mask names for a block of queries. Rows that see nothing are zero."""
# tilescope: attention --set batch=1 --set heads=2 --set length=256 --set dim=64
# tilescope: attention --set batch=2 --set heads=1 --set length=200 --set dim=32 --set causal=true --set block_M=32 --set threads=64 --set num_stages=2
# tilescope: attention --set batch=1 --set heads=2 --set length=192 --set dim=64 --set causal=true --set num_stages=0
import tilelang
import tilelang.language as T


@tilelang.jit(out_idx=[4], pass_configs={tilelang.PassConfigKey.TL_ENABLE_FAST_MATH: True})
def attention(batch, heads, length, dim, causal=False, block_M=64, block_N=64, num_stages=1, threads=128):
    to_log2 = dim ** -0.5 * 1.4426950408889634
    shape = (batch, heads, length, dim)
    mask_shape = (batch, heads, (length + block_M - 1) // block_M, (length + block_N - 1) // block_N)

    @T.prim_func
    def main(
            Q: T.Tensor(shape, "float16"),
            K: T.Tensor(shape, "float16"),
            V: T.Tensor(shape, "float16"),
            Mask: T.Tensor(mask_shape, "bool"),
            O: T.Tensor(shape, "float16"),
    ):
        with T.Kernel(T.ceildiv(length, block_M), heads, batch, threads=threads) as (bm, head, b):
            Q_shared = T.alloc_shared((block_M, dim), "float16")
            K_shared = T.alloc_shared((block_N, dim), "float16")
            V_shared = T.alloc_shared((block_N, dim), "float16")
            scores = T.alloc_fragment((block_M, block_N), "float32")
            weights = T.alloc_fragment((block_M, block_N), "float16")
            output = T.alloc_fragment((block_M, dim), "float32")
            row_max = T.alloc_fragment((block_M,), "float32")
            before = T.alloc_fragment((block_M,), "float32")
            row_sum = T.alloc_fragment((block_M,), "float32")
            total = T.alloc_fragment((block_M,), "float32")

            T.copy(Q[b, head, bm * block_M, 0], Q_shared)
            T.clear(output)
            T.clear(total)
            # Not minus infinity: a row of a block may see none of its keys.
            T.fill(row_max, -1e30)
            blocks = T.ceildiv(T.min(length, (bm + 1) * block_M), block_N) if causal else T.ceildiv(length, block_N)
            for kb in T.Pipelined(blocks, num_stages=num_stages):
                if Mask[b, head, bm, kb]:
                    T.copy(K[b, head, kb * block_N, 0], K_shared)
                    T.clear(scores)
                    T.gemm(Q_shared, K_shared, scores, transpose_B=True, policy=T.GemmWarpPolicy.FullRow)
                    for i, j in T.Parallel(block_M, block_N):
                        query = bm * block_M + i
                        key = kb * block_N + j
                        visible = key < length and (not causal or key <= query)
                        scores[i, j] = T.if_then_else(visible, scores[i, j], -T.infinity("float32"))
                    T.copy(row_max, before)
                    T.reduce_max(scores, row_max, dim=1, clear=False)
                    for i in T.Parallel(block_M):
                        before[i] = T.exp2((before[i] - row_max[i]) * to_log2)
                    for i, j in T.Parallel(block_M, block_N):
                        scores[i, j] = T.exp2((scores[i, j] - row_max[i]) * to_log2)
                    T.reduce_sum(scores, row_sum, dim=1)
                    for i in T.Parallel(block_M):
                        total[i] = total[i] * before[i] + row_sum[i]
                    for i, j in T.Parallel(block_M, dim):
                        output[i, j] *= before[i]
                    T.copy(scores, weights)
                    T.copy(V[b, head, kb * block_N, 0], V_shared)
                    T.gemm(weights, V_shared, output, policy=T.GemmWarpPolicy.FullRow)

            for i, j in T.Parallel(block_M, dim):
                output[i, j] = T.if_then_else(total[i] > 0, output[i, j] / total[i], 0)
            T.copy(output, O[b, head, bm * block_M, 0])

    return main
