"""Attention forward in the eager style, tensors laid out batch, head, sequence, dim.

Groups of query heads share a head of K and V; queries are the last ones of the sequence, so that the
causal diagonal is shifted; the log of each row's sum is a second output.
"""
# tilescope: attention --set batch=1 --set heads=2 --set kv_heads=2 --set queries=256 --set keys=256 --set dim=64
# tilescope: attention --set batch=1 --set heads=4 --set kv_heads=2 --set queries=128 --set keys=320 --set dim=64 --set causal=true
# tilescope: attention --set batch=2 --set heads=2 --set kv_heads=1 --set queries=200 --set keys=250 --set dim=128 --set num_stages=2
# tilescope: attention --set batch=1 --set heads=4 --set kv_heads=1 --set queries=200 --set keys=250 --set dim=128 --set causal=true --set num_stages=2
# tilescope: attention --set batch=1 --set heads=2 --set kv_heads=1 --set queries=256 --set keys=256 --set dim=64 --set num_stages=0
# tilescope: attention --set batch=1 --set heads=2 --set kv_heads=1 --set queries=256 --set keys=256 --set dim=128 --set block_M=128 --set threads=256 --set causal=true --set num_stages=2
import tilelang
import tilelang.language as T


def online_softmax(block_M, block_N, to_log2):
    """One step over a tile of scores: weights relative to the running maximum of each row."""

    @T.macro
    def step(scores, weights, row_max, rescale, row_sum, total):
        before = T.alloc_fragment((block_M,), "float32")
        T.copy(row_max, before)
        T.reduce_max(scores, row_max, dim=1, clear=False)
        for i in T.Parallel(block_M):
            rescale[i] = T.exp2((before[i] - row_max[i]) * to_log2)
        for i, j in T.Parallel(block_M, block_N):
            scores[i, j] = T.exp2((scores[i, j] - row_max[i]) * to_log2)
        T.reduce_sum(scores, row_sum, dim=1)
        for i in T.Parallel(block_M):
            total[i] = total[i] * rescale[i] + row_sum[i]
        T.copy(scores, weights)

    return step


@tilelang.jit(pass_configs={tilelang.PassConfigKey.TL_ENABLE_FAST_MATH: True})
def attention(Q, K, V, causal: bool = False, block_M: int = 64, block_N: int = 64,
              num_stages: int = 1, threads: int = 128, dtype: T.dtype = T.float16):
    batch, heads, kv_heads, queries, keys, dim = T.const("batch, heads, kv_heads, queries, keys, dim")
    Q: T.Tensor[[batch, heads, queries, dim], dtype]
    K: T.Tensor[[batch, kv_heads, keys, dim], dtype]
    V: T.Tensor[[batch, kv_heads, keys, dim], dtype]
    O = T.empty([batch, heads, queries, dim], dtype)
    log_sum = T.empty([batch, heads, queries], T.float32)

    group = heads // kv_heads
    behind = keys - queries

    with T.Kernel(T.ceildiv(queries, block_M), heads, batch, threads=threads) as (bm, head, b):
        # Here: outside of the launch TileLang knows no values of dimensions.
        to_log2 = dim**-0.5 * 1.4426950408889634
        softmax_step = online_softmax(block_M, block_N, to_log2)
        Q_shared = T.alloc_shared((block_M, dim), dtype)
        K_shared = T.alloc_shared((block_N, dim), dtype)
        V_shared = T.alloc_shared((block_N, dim), dtype)
        O_shared = T.alloc_shared((block_M, dim), dtype)
        scores = T.alloc_fragment((block_M, block_N), T.float32)
        weights = T.alloc_fragment((block_M, block_N), dtype)
        output = T.alloc_fragment((block_M, dim), T.float32)
        row_max = T.alloc_fragment((block_M,), T.float32)
        rescale = T.alloc_fragment((block_M,), T.float32)
        row_sum = T.alloc_fragment((block_M,), T.float32)
        total = T.alloc_fragment((block_M,), T.float32)

        T.copy(Q[b, head, bm * block_M:(bm + 1) * block_M, :], Q_shared)
        T.clear(output)
        T.clear(total)
        T.fill(row_max, -T.infinity(T.float32))

        last_key = T.min(keys, (bm + 1) * block_M + behind) if causal else keys
        for kb in T.Pipelined(T.ceildiv(last_key, block_N), num_stages=num_stages):
            T.copy(K[b, head // group, kb * block_N:(kb + 1) * block_N, :], K_shared)
            T.clear(scores)
            T.gemm(Q_shared, K_shared, scores, transpose_B=True, policy=T.GemmWarpPolicy.FullRow)
            for i, j in T.Parallel(block_M, block_N):
                hidden = kb * block_N + j >= keys
                if causal:
                    hidden = kb * block_N + j > bm * block_M + i + behind
                scores[i, j] = T.if_then_else(hidden, -T.infinity(T.float32), scores[i, j])
            softmax_step(scores, weights, row_max, rescale, row_sum, total)
            for i, j in T.Parallel(block_M, dim):
                output[i, j] = output[i, j] * rescale[i]
            T.copy(V[b, head // group, kb * block_N:(kb + 1) * block_N, :], V_shared)
            T.gemm(weights, V_shared, output, policy=T.GemmWarpPolicy.FullRow)

        for i, j in T.Parallel(block_M, dim):
            output[i, j] /= total[i]
        T.copy(output, O_shared)
        T.copy(O_shared, O[b, head, bm * block_M:(bm + 1) * block_M, :])
        for i in T.Parallel(block_M):
            total[i] = T.log2(total[i]) + row_max[i] * to_log2
        T.copy(total, log_sum[b, head, bm * block_M:(bm + 1) * block_M])
    return O, log_sum
