"""Attention without softmax, chunk after chunk: what a chunk leaves for the later ones is a state of keys times values, which
is carried in registers and fades by a factor a token."""
# tilescope: retention --set batch=1 --set heads=2 --set length=192
# tilescope: retention --set batch=2 --set heads=1 --set length=100 --set dim=32 --set block_V=32 --set num_stages=1
import tilelang
import tilelang.language as T


@tilelang.jit(out_idx=[4, 5])
def retention(batch, heads, length, dim=64, values=64, chunk=64, block_V=64, num_stages=0, threads=128):
    @T.prim_func
    def main(
            Q: T.Tensor((batch, length, heads, dim), "float16"),
            K: T.Tensor((batch, length, heads, dim), "float16"),
            V: T.Tensor((batch, length, heads, values), "float16"),
            log_decay: T.Tensor((heads,), "float32"),
            O: T.Tensor((batch, length, heads, values), "float16"),
            last_state: T.Tensor((batch, heads, dim, values), "float32"),
    ):
        with T.Kernel(values // block_V, heads, batch, threads=threads) as (bv, head, b):
            Q_shared = T.alloc_shared((chunk, dim), "float16")
            K_shared = T.alloc_shared((chunk, dim), "float16")
            V_shared = T.alloc_shared((chunk, block_V), "float16")
            K_faded = T.alloc_shared((chunk, dim), "float16")
            weights = T.alloc_shared((chunk, chunk), "float16")
            state_shared = T.alloc_shared((dim, block_V), "float16")
            scores = T.alloc_fragment((chunk, chunk), "float32")
            output = T.alloc_fragment((chunk, block_V), "float32")
            state = T.alloc_fragment((dim, block_V), "float32")
            fade = T.alloc_var("float32")
            # Per token, below one.
            fade = -T.abs(log_decay[head])

            T.clear(state)
            for c in T.Pipelined(T.ceildiv(length, chunk), num_stages=num_stages):
                T.copy(Q[b, c * chunk:(c + 1) * chunk, head, :], Q_shared)
                T.copy(K[b, c * chunk:(c + 1) * chunk, head, :], K_shared)
                T.copy(V[b, c * chunk:(c + 1) * chunk, head, bv * block_V:(bv + 1) * block_V], V_shared)
                # Of the chunks before.
                T.copy(state, state_shared)
                T.gemm(Q_shared, state_shared, output, clear_accum=True)
                for i, j in T.Parallel(chunk, block_V):
                    output[i, j] *= T.exp2((i + 1) * fade)
                # Of this chunk.
                T.gemm(Q_shared, K_shared, scores, transpose_B=True, clear_accum=True)
                for i, j in T.Parallel(chunk, chunk):
                    weights[i, j] = T.if_then_else(i >= j, scores[i, j] * T.exp2((i - j) * fade), 0)
                T.gemm(weights, V_shared, output)
                T.copy(output, O[b, c * chunk:(c + 1) * chunk, head, bv * block_V:(bv + 1) * block_V])
                # For those behind it; the last one may be shorter.
                rest = T.min(length - c * chunk, chunk)
                for i, d in T.Parallel(chunk, dim):
                    K_faded[i, d] = T.if_then_else(i < rest, K_shared[i, d] * T.exp2((rest - 1 - i) * fade), 0)
                for d, j in T.Parallel(dim, block_V):
                    state[d, j] *= T.exp2(rest * fade)
                T.gemm(K_faded, V_shared, state, transpose_A=True)
            T.copy(state, last_state[b, head, 0, bv * block_V])

    return main
