"""One query a head over a latent cache that all heads share: its rows are keys and values at once, beside them a part of the
key that turns with the position. How much of the cache is filled differs from sequence to sequence; of several splits of
it, a second launch joins the parts."""
# tilescope-run: --fill lengths=200,77
# tilescope: decode --set batch=2 --set heads=16 --set capacity=256
# tilescope-run: --fill lengths=129
# tilescope: decode --set batch=1 --set heads=32 --set capacity=192 --set splits=3 --set dim=64 --set rotary=16 --set block_N=32 --set threads=64
import tilelang
import tilelang.language as T

LOG2_E = 1.4426950408889634


@tilelang.jit(out_idx=[5])
def decode(batch, heads, capacity, dim=128, rotary=32, splits=2, block_H=16, block_N=64, num_stages=2, threads=128):
    to_log2 = (dim + rotary) ** -0.5 * LOG2_E
    part = capacity // splits

    @T.macro
    def split(Q, Q_rotary, Cache, Cache_rotary, lengths, partial, log_sum):
        with T.Kernel(heads // block_H, splits, batch, threads=threads) as (bh, s, b):
            Q_shared = T.alloc_shared((block_H, dim), "bfloat16")
            Q_rotary_shared = T.alloc_shared((block_H, rotary), "bfloat16")
            rows = T.alloc_shared((block_N, dim), "bfloat16")
            rows_rotary = T.alloc_shared((block_N, rotary), "bfloat16")
            weights = T.alloc_shared((block_H, block_N), "bfloat16")
            scores = T.alloc_fragment((block_H, block_N), "float32")
            output = T.alloc_fragment((block_H, dim), "float32")
            row_max = T.alloc_fragment((block_H,), "float32")
            before = T.alloc_fragment((block_H,), "float32")
            row_sum = T.alloc_fragment((block_H,), "float32")
            total = T.alloc_fragment((block_H,), "float32")

            T.copy(Q[b, bh * block_H, 0], Q_shared)
            T.copy(Q_rotary[b, bh * block_H, 0], Q_rotary_shared)
            T.clear(output)
            T.clear(total)
            T.fill(row_max, -1e30)
            end = T.min(lengths[b], (s + 1) * part)
            for n in T.Pipelined(T.ceildiv(T.max(end - s * part, 0), block_N), num_stages=num_stages):
                first = s * part + n * block_N
                T.copy(Cache[b, first, 0], rows)
                T.copy(Cache_rotary[b, first, 0], rows_rotary)
                T.clear(scores)
                T.gemm(Q_shared, rows, scores, transpose_B=True, policy=T.GemmWarpPolicy.FullCol)
                T.gemm(Q_rotary_shared, rows_rotary, scores, transpose_B=True, policy=T.GemmWarpPolicy.FullCol)
                for i, j in T.Parallel(block_H, block_N):
                    scores[i, j] = T.if_then_else(first + j < end, scores[i, j], -T.infinity("float32"))
                T.copy(row_max, before)
                T.reduce_max(scores, row_max, dim=1, clear=False)
                for i in T.Parallel(block_H):
                    before[i] = T.exp2((before[i] - row_max[i]) * to_log2)
                for i, j in T.Parallel(block_H, block_N):
                    scores[i, j] = T.exp2((scores[i, j] - row_max[i]) * to_log2)
                T.reduce_sum(scores, row_sum, dim=1)
                for i in T.Parallel(block_H):
                    total[i] = total[i] * before[i] + row_sum[i]
                for i, j in T.Parallel(block_H, dim):
                    output[i, j] *= before[i]
                T.copy(scores, weights)
                T.gemm(weights, rows, output, policy=T.GemmWarpPolicy.FullCol)
            for i, j in T.Parallel(block_H, dim):
                output[i, j] /= T.max(total[i], 1e-30)
            for i in T.Parallel(block_H):
                total[i] = T.if_then_else(total[i] > 0, T.log2(total[i]) + row_max[i] * to_log2, -T.infinity("float32"))
            T.copy(output, partial[b, s, bh * block_H, 0])
            T.copy(total, log_sum[b, s, bh * block_H])

    @T.macro
    def join(partial, log_sum, O):
        with T.Kernel(heads, batch, threads=threads) as (head, b):
            output = T.alloc_fragment((dim,), "float32")
            most = T.alloc_var("float32")
            total = T.alloc_var("float32")
            weight = T.alloc_var("float32")
            most = -1e30
            for s in T.serial(splits):
                most = T.max(most, log_sum[b, s, head])
            total = 0
            T.clear(output)
            for s in T.serial(splits):
                weight = T.exp2(log_sum[b, s, head] - most)
                total += weight
                for d in T.Parallel(dim):
                    output[d] += weight * partial[b, s, head, d]
            for d in T.Parallel(dim):
                O[b, head, d] = output[d] / total

    @T.prim_func
    def main(
            Q: T.Tensor((batch, heads, dim), "bfloat16"),
            Q_rotary: T.Tensor((batch, heads, rotary), "bfloat16"),
            Cache: T.Tensor((batch, capacity, dim), "bfloat16"),
            Cache_rotary: T.Tensor((batch, capacity, rotary), "bfloat16"),
            lengths: T.Tensor((batch,), "int32"),
            O: T.Tensor((batch, heads, dim), "bfloat16"),
    ):
        partial = T.alloc_global((batch, splits, heads, dim), "float32")
        log_sum = T.alloc_global((batch, splits, heads), "float32")
        split(Q, Q_rotary, Cache, Cache_rotary, lengths, partial, log_sum)
        join(partial, log_sum, O)

    return main
