"""Attention of one query a head over keys that are split among blocks; a second launch joins the parts. What the parts give
lies in a workspace that the kernel asks for."""
# tilescope: decode --set batch=1 --set heads=16 --set keys=512
# tilescope: decode --set batch=2 --set heads=8 --set keys=384 --set splits=3 --set dim=32
import tilelang
import tilelang.language as T


@tilelang.jit(out_idx=[3])
def decode(batch, heads, keys, dim=64, splits=4, block_H=16, block_N=64, threads=128):
    part = keys // splits
    scale = dim ** -0.5 * 1.44269504  # exp2 in place of exp

    @T.prim_func
    def main(
            Q: T.Tensor((batch, heads, dim), "float16"),
            K: T.Tensor((batch, keys, dim), "float16"),
            V: T.Tensor((batch, keys, dim), "float16"),
            O: T.Tensor((batch, heads, dim), "float16"),
    ):
        partial = T.alloc_global((batch, splits, heads, dim), "float32")
        weight = T.alloc_global((batch, splits, heads), "float32")

        with T.Kernel(T.ceildiv(heads, block_H), splits, batch, threads=threads) as (h, s, b):
            q = T.alloc_shared((block_H, dim), "float16")
            k = T.alloc_shared((block_N, dim), "float16")
            v = T.alloc_shared((block_N, dim), "float16")
            scores = T.alloc_fragment((block_H, block_N), "float32")
            probabilities = T.alloc_shared((block_H, block_N), "float16")
            out = T.alloc_fragment((block_H, dim), "float32")
            top = T.alloc_fragment((block_H,), "float32")
            top_before = T.alloc_fragment((block_H,), "float32")
            rescale = T.alloc_fragment((block_H,), "float32")
            row_sum = T.alloc_fragment((block_H,), "float32")
            total = T.alloc_fragment((block_H,), "float32")

            T.copy(Q[b, h * block_H, 0], q)
            T.clear(out)
            T.clear(total)
            T.fill(top, -T.infinity("float32"))
            for n in T.Pipelined(part // block_N, num_stages=2):
                T.copy(K[b, s * part + n * block_N, 0], k)
                T.gemm(q, k, scores, transpose_B=True, clear_accum=True, policy=T.GemmWarpPolicy.FullCol)
                T.copy(top, top_before)
                T.reduce_max(scores, top, dim=1, clear=False)
                for i in T.Parallel(block_H):
                    rescale[i] = T.exp2((top_before[i] - top[i]) * scale)
                for i, j in T.Parallel(block_H, block_N):
                    scores[i, j] = T.exp2((scores[i, j] - top[i]) * scale)
                T.reduce_sum(scores, row_sum, dim=1)
                for i in T.Parallel(block_H):
                    total[i] = total[i] * rescale[i] + row_sum[i]
                for i, j in T.Parallel(block_H, dim):
                    out[i, j] *= rescale[i]
                T.copy(scores, probabilities)
                T.copy(V[b, s * part + n * block_N, 0], v)
                T.gemm(probabilities, v, out, policy=T.GemmWarpPolicy.FullCol)
            for i, j in T.Parallel(block_H, dim):
                out[i, j] /= total[i]
            for i in T.Parallel(block_H):
                total[i] = T.log2(total[i]) + top[i] * scale
            T.copy(out, partial[b, s, h * block_H, 0])
            T.copy(total, weight[b, s, h * block_H])

        with T.Kernel(heads, batch, threads=threads) as (h, b):
            joined = T.alloc_fragment((dim,), "float32")
            most = T.alloc_var("float32")
            sum_of_weights = T.alloc_var("float32")
            most = -T.infinity("float32")
            for s in T.serial(splits):
                most = T.max(most, weight[b, s, h])
            sum_of_weights = 0
            for s in T.serial(splits):
                sum_of_weights += T.exp2(weight[b, s, h] - most)
            T.clear(joined)
            for s in T.serial(splits):
                for i in T.Parallel(dim):
                    joined[i] += partial[b, s, h, i] * T.exp2(weight[b, s, h] - most)
            for i in T.Parallel(dim):
                O[b, h, i] = joined[i] / sum_of_weights

    return main
