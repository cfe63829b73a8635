"""Attention backward: a block of keys and values walks over the queries that see it.

Four kernels: the forward that leaves the logarithm of each row's sum, the row sums of O * dO, the
gradients, and the gradient of Q brought from the order of the tensor cores to that of Q.
"""
# tilescope: forward --set heads=2 --set length=256 --set dim=64
# tilescope: row_sums --set heads=2 --set length=256 --set dim=64
# tilescope: gradients --set heads=2 --set length=256 --set dim=64
# tilescope: gradients --set heads=2 --set length=256 --set dim=64 --set causal=true
# tilescope-spills-ok: two accumulators of 64 floats a thread, and four tiles
# tilescope: gradients --set heads=1 --set length=256 --set dim=128 --set causal=true --set block_N=32
# tilescope: gradients --set heads=2 --set length=192 --set dim=64 --set num_stages=1 --set tile_add=true --set block_N=32
# tilescope: gradients --set heads=1 --set length=192 --set dim=64 --set num_stages=0 --set block_N=32
# tilescope: reorder --set heads=2 --set length=256 --set dim=64
import tilelang
import tilelang.language as T

FAST = {tilelang.PassConfigKey.TL_ENABLE_FAST_MATH: True}
LOG2_E = 1.4426950408889634


def order_of_fragments(tensor):
    """A warp holds 8 x 8 elements, two a lane: here the 32 first ones lie side by side."""
    return T.Layout(tensor.shape, lambda b, s, h, d: [
        b, s // 8, h, d // 8, d % 2, s % 8 * 4 + d % 8 // 2])


@tilelang.jit(out_idx=[3, 4], pass_configs=FAST)
def forward(batch=1, heads=1, length=256, dim=64, causal=False, block_M=64, block_N=64):
    to_log2 = dim**-0.5 * LOG2_E
    shape = (batch, length, heads, dim)

    @T.prim_func
    def main(
            Q: T.Tensor(shape, "float16"),
            K: T.Tensor(shape, "float16"),
            V: T.Tensor(shape, "float16"),
            O: T.Tensor(shape, "float16"),
            log_sum: T.Tensor((batch, heads, length), "float32"),
    ):
        with T.Kernel(T.ceildiv(length, block_M), heads, batch, threads=128) as (bm, head, b):
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
            T.copy(Q[b, bm * block_M:(bm + 1) * block_M, head, :], Q_shared)
            T.clear(output)
            T.clear(total)
            T.fill(row_max, -T.infinity("float32"))
            blocks = T.ceildiv((bm + 1) * block_M, block_N) if causal else T.ceildiv(length, block_N)
            for kb in T.Pipelined(blocks, num_stages=1):
                T.copy(K[b, kb * block_N:(kb + 1) * block_N, head, :], K_shared)
                for i, j in T.Parallel(block_M, block_N):
                    visible = kb * block_N + j < length
                    if causal:
                        visible = kb * block_N + j <= bm * block_M + i
                    scores[i, j] = T.if_then_else(visible, 0, -T.infinity("float32"))
                T.gemm(Q_shared, K_shared, scores, transpose_B=True,
                       policy=T.GemmWarpPolicy.FullRow)
                T.copy(V[b, kb * block_N:(kb + 1) * block_N, head, :], V_shared)
                T.copy(row_max, before)
                T.reduce_max(scores, row_max, dim=1, clear=False)
                for i in T.Parallel(block_M):
                    before[i] = T.exp2((before[i] - row_max[i]) * to_log2)
                for i, j in T.Parallel(block_M, dim):
                    output[i, j] *= before[i]
                for i, j in T.Parallel(block_M, block_N):
                    scores[i, j] = T.exp2((scores[i, j] - row_max[i]) * to_log2)
                T.copy(scores, weights)
                T.gemm(weights, V_shared, output, policy=T.GemmWarpPolicy.FullRow)
                T.reduce_sum(scores, row_sum, dim=1)
                for i in T.Parallel(block_M):
                    total[i] = total[i] * before[i] + row_sum[i]
            for i, j in T.Parallel(block_M, dim):
                output[i, j] /= total[i]
            T.copy(output, O[b, bm * block_M:(bm + 1) * block_M, head, :])
            for i in T.Parallel(block_M):
                total[i] = T.log2(total[i]) + row_max[i] * to_log2
            T.copy(total, log_sum[b, head, bm * block_M:(bm + 1) * block_M])

    return main


@tilelang.jit(out_idx=[2], pass_configs=FAST)
def row_sums(batch=1, heads=1, length=256, dim=64, block=32):
    """delta[row] = sum of O * dO over the row."""
    shape = (batch, length, heads, dim)

    @T.prim_func
    def main(
            O: T.Tensor(shape, "float16"),
            dO: T.Tensor(shape, "float16"),
            delta: T.Tensor((batch, heads, length), "float32"),
    ):
        with T.Kernel(heads, T.ceildiv(length, block), batch) as (head, bm, b):
            o = T.alloc_fragment((block, block), "float16")
            do = T.alloc_fragment((block, block), "float16")
            product = T.alloc_fragment((block, block), "float32")
            total = T.alloc_fragment((block,), "float32")
            T.clear(product)
            for part in range(T.ceildiv(dim, block)):
                T.copy(O[b, bm * block:(bm + 1) * block, head, part * block:(part + 1) * block], o)
                T.copy(dO[b, bm * block:(bm + 1) * block, head, part * block:(part + 1) * block], do)
                for i, j in T.Parallel(block, block):
                    product[i, j] += o[i, j] * do[i, j]
            T.reduce_sum(product, total, 1)
            T.copy(total, delta[b, head, bm * block:(bm + 1) * block])

    return main


@tilelang.jit(pass_configs=FAST)
def gradients(batch=1, heads=1, length=256, dim=64, causal=False, block_M=64, block_N=64,
              num_stages=2, tile_add=False):
    scale = dim**-0.5
    to_log2 = scale * LOG2_E
    shape = (batch, length, heads, dim)
    rows = (batch, heads, length)

    @T.prim_func
    def main(
            Q: T.Tensor(shape, "float16"),
            K: T.Tensor(shape, "float16"),
            V: T.Tensor(shape, "float16"),
            dO: T.Tensor(shape, "float16"),
            log_sum: T.Tensor(rows, "float32"),
            delta: T.Tensor(rows, "float32"),
            dQ: T.Tensor(shape, "float32"),
            dK: T.Tensor(shape, "float16"),
            dV: T.Tensor(shape, "float16"),
    ):
        with T.Kernel(heads, T.ceildiv(length, block_M), batch, threads=128) as (head, bm, b):
            K_shared = T.alloc_shared((block_M, dim), "float16")
            V_shared = T.alloc_shared((block_M, dim), "float16")
            Q_shared = T.alloc_shared((block_N, dim), "float16")
            dO_shared = T.alloc_shared((block_N, dim), "float16")
            dS_shared = T.alloc_shared((block_M, block_N), "float16")
            log_sum_shared = T.alloc_shared((block_N,), "float32")
            delta_shared = T.alloc_shared((block_N,), "float32")
            dK_shared = T.alloc_shared((block_M, dim), "float16")
            dV_shared = T.alloc_shared((block_M, dim), "float16")
            # Transposed: rows are keys, columns are queries.
            weights = T.alloc_fragment((block_M, block_N), "float32")
            weights_half = T.alloc_fragment((block_M, block_N), "float16")
            dS = T.alloc_fragment((block_M, block_N), "float32")
            dS_half = T.alloc_fragment((block_M, block_N), "float16")
            dK_local = T.alloc_fragment((block_M, dim), "float32")
            dV_local = T.alloc_fragment((block_M, dim), "float32")
            dQ_local = T.alloc_fragment((block_N, dim), "float32")
            T.annotate_layout({dQ: order_of_fragments(dQ)})

            T.copy(K[b, bm * block_M:(bm + 1) * block_M, head, :], K_shared)
            T.copy(V[b, bm * block_M:(bm + 1) * block_M, head, :], V_shared)
            T.clear(dK_local)
            T.clear(dV_local)
            first = T.floordiv(bm * block_M, block_N) if causal else 0
            for qb in T.Pipelined(first, T.ceildiv(length, block_N), num_stages=num_stages):
                T.copy(Q[b, qb * block_N:(qb + 1) * block_N, head, :], Q_shared)
                T.clear(weights)
                T.gemm(K_shared, Q_shared, weights, transpose_B=True,
                       policy=T.GemmWarpPolicy.FullRow)
                T.copy(log_sum[b, head, qb * block_N:(qb + 1) * block_N], log_sum_shared)
                for i, j in T.Parallel(block_M, block_N):
                    weights[i, j] = T.exp2(weights[i, j] * to_log2 - log_sum_shared[j])
                if causal:
                    for i, j in T.Parallel(block_M, block_N):
                        weights[i, j] = T.if_then_else(
                            bm * block_M + i <= qb * block_N + j, weights[i, j], 0)
                T.copy(dO[b, qb * block_N:(qb + 1) * block_N, head, :], dO_shared)
                T.clear(dS)
                T.gemm(V_shared, dO_shared, dS, transpose_B=True, policy=T.GemmWarpPolicy.FullRow)
                T.copy(weights, weights_half)
                T.gemm(weights_half, dO_shared, dV_local, policy=T.GemmWarpPolicy.FullRow)
                T.copy(delta[b, head, qb * block_N:(qb + 1) * block_N], delta_shared)
                for i, j in T.Parallel(block_M, block_N):
                    dS_half[i, j] = weights[i, j] * (dS[i, j] - delta_shared[j]) * scale
                T.gemm(dS_half, Q_shared, dK_local, policy=T.GemmWarpPolicy.FullRow)

                T.copy(dS_half, dS_shared)
                T.clear(dQ_local)
                T.gemm(dS_shared, K_shared, dQ_local, transpose_A=True)
                if tile_add:
                    T.atomic_add(dQ[b, qb * block_N:(qb + 1) * block_N, head, :], dQ_local)
                else:
                    for i, j in T.Parallel(block_N, dim):
                        T.atomic_add(dQ[b, qb * block_N + i, head, j], dQ_local[i, j])
            T.copy(dV_local, dV_shared)
            T.copy(dK_local, dK_shared)
            T.copy(dV_shared, dV[b, bm * block_M:(bm + 1) * block_M, head, :])
            T.copy(dK_shared, dK[b, bm * block_M:(bm + 1) * block_M, head, :])

    return main


@tilelang.jit(out_idx=[1])
def reorder(batch=1, heads=1, length=256, dim=64, block=64):
    shape = (batch, length, heads, dim)

    @T.prim_func
    def main(
            dQ: T.Tensor(shape, "float32"),
            dQ_rows: T.Tensor(shape, "float16"),
    ):
        with T.Kernel(T.ceildiv(length, block), heads, batch, threads=128) as (bm, head, b):
            T.annotate_layout({dQ: order_of_fragments(dQ)})
            T.copy(dQ[b, bm * block:(bm + 1) * block, head, :],
                   dQ_rows[b, bm * block:(bm + 1) * block, head, :])

    return main
