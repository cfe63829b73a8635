"""Attention forward with an online softmax: tensors laid out batch, sequence, head, dim; lazy style."""
# tilescope: attention --set batch=1 --set heads=2 --set length=256 --set dim=64
# tilescope: attention --set batch=1 --set heads=2 --set length=300 --set dim=64 --set causal=true
# tilescope: attention --set batch=2 --set heads=1 --set length=256 --set dim=128 --set num_stages=2
# tilescope: attention --set batch=1 --set heads=2 --set length=320 --set dim=128 --set causal=true --set num_stages=2
# tilescope: attention --set batch=1 --set heads=1 --set length=200 --set dim=64 --set num_stages=0
# tilescope: attention --set batch=1 --set heads=1 --set length=200 --set dim=64 --set causal=true --set num_stages=0
# tilescope: attention --set heads=2 --set length=384 --set block_M=128 --set block_N=128 --set threads=256
# tilescope: attention --set heads=2 --set length=384 --set causal=true --set block_M=128 --set threads=256
# tilescope: attention --set heads=2 --set length=256 --set dim=64 --set dtype=bfloat16 --set num_stages=3
# tilescope-spills-ok: two accumulators of 128 floats a thread
# tilescope: attention --set heads=2 --set length=384 --set block_M=128 --set block_N=128 --set num_stages=2 --target sm_80
# tilescope-spills-ok: two accumulators of 128 floats a thread
# tilescope: attention --set heads=2 --set length=384 --set block_M=128 --set block_N=128 --set num_stages=2 --target sm_90a
# tilescope-spills-ok: two accumulators of 128 floats a thread
# tilescope: attention --set heads=2 --set length=384 --set causal=true --set block_M=128 --set block_N=128
import tilelang
import tilelang.language as T

LOG2_E = 1.4426950408889634


@tilelang.jit(
    out_idx=[-1],
    pass_configs={tilelang.PassConfigKey.TL_ENABLE_FAST_MATH: True},
)
def attention(batch=1, heads=1, length=256, dim=128, causal=False, block_M=64, block_N=64,
              num_stages=1, threads=128, dtype="float16"):
    # Scores are kept in units of log2, so that exp2 does.
    to_log2 = dim**-0.5 * LOG2_E
    shape = (batch, length, heads, dim)

    @T.prim_func
    def main(
            Q: T.Tensor(shape, dtype),
            K: T.Tensor(shape, dtype),
            V: T.Tensor(shape, dtype),
            O: T.Tensor(shape, dtype),
    ):
        with T.Kernel(T.ceildiv(length, block_M), heads, batch, threads=threads) as (bm, head, b):
            Q_shared = T.alloc_shared((block_M, dim), dtype)
            K_shared = T.alloc_shared((block_N, dim), dtype)
            V_shared = T.alloc_shared((block_N, dim), dtype)
            O_shared = T.alloc_shared((block_M, dim), dtype)
            scores = T.alloc_fragment((block_M, block_N), "float32")
            weights = T.alloc_fragment((block_M, block_N), dtype)
            output = T.alloc_fragment((block_M, dim), "float32")
            row_max = T.alloc_fragment((block_M,), "float32")
            row_max_before = T.alloc_fragment((block_M,), "float32")
            rescale = T.alloc_fragment((block_M,), "float32")
            row_sum = T.alloc_fragment((block_M,), "float32")
            total = T.alloc_fragment((block_M,), "float32")

            first_row = bm * block_M
            T.copy(Q[b, first_row:first_row + block_M, head, :], Q_shared)
            T.clear(output)
            T.clear(total)
            T.fill(row_max, -T.infinity("float32"))

            # Above the diagonal nothing is left to add.
            blocks = T.ceildiv(length, block_N)
            if causal:
                blocks = T.min(blocks, T.ceildiv(first_row + block_M, block_N))

            for kb in T.Pipelined(blocks, num_stages=num_stages):
                T.copy(K[b, kb * block_N:(kb + 1) * block_N, head, :], K_shared)
                for i, j in T.Parallel(block_M, block_N):
                    column = kb * block_N + j
                    visible = column <= first_row + i if causal else column < length
                    scores[i, j] = T.if_then_else(visible, 0, -T.infinity("float32"))
                T.gemm(Q_shared, K_shared, scores, transpose_B=True,
                       policy=T.GemmWarpPolicy.FullRow)

                T.copy(row_max, row_max_before)
                T.reduce_max(scores, row_max, dim=1, clear=False)
                for i in T.Parallel(block_M):
                    rescale[i] = T.exp2((row_max_before[i] - row_max[i]) * to_log2)
                for i, j in T.Parallel(block_M, block_N):
                    scores[i, j] = T.exp2(scores[i, j] * to_log2 - row_max[i] * to_log2)
                T.reduce_sum(scores, row_sum, dim=1)
                for i in T.Parallel(block_M):
                    total[i] = total[i] * rescale[i] + row_sum[i]
                T.copy(scores, weights)
                for i, j in T.Parallel(block_M, dim):
                    output[i, j] *= rescale[i]

                T.copy(V[b, kb * block_N:(kb + 1) * block_N, head, :], V_shared)
                T.gemm(weights, V_shared, output, policy=T.GemmWarpPolicy.FullRow)

            for i, j in T.Parallel(block_M, dim):
                output[i, j] /= total[i]
            T.copy(output, O_shared)
            T.copy(O_shared, O[b, first_row:first_row + block_M, head, :])

    return main
