"""What the kernels of testdata have none of: pinned layouts, the order of blocks, two launches, digits of the thread."""
# tilescope: copies
# tilescope: copies --set which=make_half_bank_swizzled_layout
# tilescope: copies --set which=make_linear_layout
# tilescope: variables
# tilescope: asked
import tilelang
import tilelang.language as T


@tilelang.jit
def copies(n=128, which="make_swizzled_layout"):
    make = getattr(tilelang.layout, which)

    @T.prim_func
    def main(
            A: T.Tensor((n, n), "float16"),
            B: T.StridedTensor((n, n), (2 * n, 1), "float16"),
    ):
        with T.Kernel(n // 16, threads=128) as block:
            tile = T.alloc_shared((16, 64), "float16")
            T.annotate_layout({tile: make(tile)})
            T.use_swizzle(10, order="column")
            T.copy(A[block * 16, 0], tile, coalesced_width=4)
            T.copy(tile, B[block * 16, 0])
        with T.Kernel(n // 16, threads=64) as block:
            tile = T.alloc_shared((16, 64), "float16")
            T.copy(A[block * 16, 0], tile, prefer_instruction="cp_async")
            T.copy(tile, B[block * 16, 0])

    return main


@tilelang.jit
def variables(n=128):

    @T.prim_func
    def main(
            A: T.Tensor((n, n), "float32"),
            scale: T.float32,
            start: T.int32,
    ):
        with T.Kernel(n, threads=(32, 4)) as block:
            lane = T.get_thread_binding(0)
            warp = T.get_thread_binding(1)
            count = T.alloc_var("int32", start)
            for i in T.serial(0, n, 4):
                count += i
            for i in T.unroll(4):
                count = count * 2
            if count > 3 and lane < warp:
                A[block, lane] = -A[block, warp] * scale
            else:
                A[block, lane] = T.clamp(T.abs(A[block, warp]), 0.0, 1.0)
            T.sync_threads()
            A[block, -1] = T.cast((count << 2) + (count >> 1) - (count ^ 3) + ~count // 3 % 5, "float32")

    return main


@tilelang.jit
def asked(n=128):

    @T.prim_func
    def main(A: T.Tensor((n, n), "float16"), B: T.Tensor((n,), "float16")):
        with T.Kernel(n // 64, threads=128) as block:
            T.annotate_min_blocks_per_sm(2)
            rows = T.alloc_shared((64, 64), "float16")
            columns = T.alloc_shared((64, 64), "float16")
            held = T.alloc_fragment((64, 64), "float16")
            largest = T.alloc_fragment((64,), "float16")
            T.annotate_layout({
                rows: T.Layout((64, 64), lambda i, j: i * 72 + j),
                columns: lambda i, j: (j, i),
            })
            T.copy(A[block * 64, 0], rows)
            T.copy(A[block * 64, 64], columns)
            for i, j in T.Parallel(64, 64):
                held[i, j] = rows[i, j] + columns[j, i]
            T.reduce_absmax(held, largest, dim=1, nan_propagate=True)
            T.copy(largest, B[block * 64])

    return main
