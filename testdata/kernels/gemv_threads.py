"""A matrix times a vector, each element by threads of a block that add up what each has."""

import tilelang
import tilelang.language as T


# tilescope: gemv_threads --set n=256 --set k=1024
# tilescope: gemv_threads --set n=96 --set k=768 --set rows=12 --set parts=6
@tilelang.jit
def gemv_threads(A, x, rows: int = 4, parts: int = 32, dtype: T.dtype = T.float16):
    n, k = T.const("n, k")
    A: T.Tensor((n, k), dtype)
    x: T.Tensor((k,), dtype)
    y = T.empty((n,), "float32")
    width = 8

    with T.Kernel(T.ceildiv(n, rows), threads=(rows, parts)) as block:
        row = T.get_thread_binding(0)
        part = T.get_thread_binding(1)
        own = T.alloc_local((1,), "float32")
        total = T.alloc_local((1,), "float32")
        T.clear(own)
        for step in T.serial(T.ceildiv(k, parts * width)):
            for i in T.serial(width):
                column = (step * parts + part) * width + i
                own[0] += A[block * rows + row, column] * x[column]
        with T.attr(T.comm_reducer(lambda a, b: a + b, [T.cast(0, "float32")]), "reduce_scope", 0):
            T.evaluate(T.tvm_thread_allreduce(T.uint32(1), own[0], True, total[0], part, dtype="handle"))
        if part == 0:
            y[block * rows + row] = total[0]

    return y


# tilescope: gemv_tiles --set n=256 --set k=512
# tilescope: gemv_tiles --set n=64 --set k=384 --set block_n=16 --set block_k=96 --set threads=64
@tilelang.jit
def gemv_tiles(A, x, block_n: int = 32, block_k: int = 128, threads: int = 128, dtype: T.dtype = T.float16):
    """The same with a reducer: threads meet once, when all products are added up."""
    n, k = T.const("n, k")
    A: T.Tensor((n, k), dtype)
    x: T.Tensor((k,), dtype)
    y = T.empty((n,), "float32")

    with T.Kernel(T.ceildiv(n, block_n), threads=threads) as block:
        A_shared = T.alloc_shared((block_n, block_k), dtype)
        x_shared = T.alloc_shared((block_k,), dtype)
        sums = T.alloc_reducer(block_n, "float32")
        total = T.alloc_fragment((block_n,), "float32")
        T.reducer_init(sums)
        for step in T.Pipelined(T.ceildiv(k, block_k), num_stages=2):
            T.copy(A[block * block_n, step * block_k], A_shared)
            T.copy(x[step * block_k], x_shared)
            for i, j in T.Parallel(block_n, block_k):
                T.reducer_update(sums[i], T.cast(A_shared[i, j], "float32") * T.cast(x_shared[j], "float32"))
        T.finalize_reducer(sums, total)
        T.copy(total, y[block * block_n])

    return y
