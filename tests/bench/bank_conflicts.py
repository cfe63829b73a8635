"""Accesses of shared memory whose conflicts are known by hand: in each kernel a warp writes a tile without any, and reads it
with those that are asked about. gpu_bank_conflicts.py runs them under the profiler."""

import tilelang
import tilelang.language as T


def stepping(step):
    """Lane n at word step * n: `step` lanes want one bank, up to 32."""

    @T.prim_func
    def kernel(A: T.Tensor((32 * step,), "float32"), B: T.Tensor((32,), "float32")):
        with T.Kernel(1, threads=32) as bx:
            tile = T.alloc_shared((32 * step,), "float32")
            lane = T.get_thread_binding()
            for i in T.serial(step):
                tile[i * 32 + lane] = A[i * 32 + lane]
            T.sync_threads()
            B[lane] = tile[lane * step]

    return kernel


def free():
    return stepping(1)


def two_way():
    return stepping(2)


def four_way():
    return stepping(4)


def eight_way():
    return stepping(8)


def all_ways():
    return stepping(32)


def broadcast():
    @T.prim_func
    def kernel(A: T.Tensor((32,), "float32"), B: T.Tensor((32,), "float32")):
        with T.Kernel(1, threads=32) as bx:
            tile = T.alloc_shared((32,), "float32")
            lane = T.get_thread_binding()
            tile[lane] = A[lane]
            T.sync_threads()
            B[lane] = tile[7]

    return kernel


def wide(words):
    @T.prim_func
    def kernel(A: T.Tensor((32 * words,), "float32"), B: T.Tensor((32 * words,), "float32")):
        with T.Kernel(1, threads=32) as bx:
            tile = T.alloc_shared((32 * words,), "float32")
            lane = T.get_thread_binding()
            for i in T.vectorized(words):
                tile[lane * words + i] = A[lane * words + i]
            T.sync_threads()
            for i in T.vectorized(words):
                B[lane * words + i] = tile[(31 - lane) * words + i]

    return kernel


def words_of_64_bits():
    return wide(2)


def words_of_128_bits():
    return wide(4)


def column(width, swizzled):
    """Lane n reads row n of one column of 128-bit words."""

    @T.prim_func
    def kernel(A: T.Tensor((32, 32), "float32"), B: T.Tensor((32, 4), "float32")):
        with T.Kernel(1, threads=32) as bx:
            tile = T.alloc_shared((32, width), "float32")
            if swizzled:
                T.annotate_layout({tile: tilelang.layout.make_swizzled_layout(tile)})
            lane = T.get_thread_binding()
            for row in T.serial(32):
                tile[row, lane] = A[row, lane]
            T.sync_threads()
            for i in T.vectorized(4):
                B[lane, i] = tile[lane, 8 + i]

    return kernel


def rows():
    return column(32, False)


def padded():
    return column(36, False)


def swizzled():
    return column(32, True)


def transposed():
    """Lane n reads row n of one column of 16-bit words: half of the lanes want one bank."""

    @T.prim_func
    def kernel(A: T.Tensor((32, 32), "float16"), B: T.Tensor((32,), "float16")):
        with T.Kernel(1, threads=32) as bx:
            tile = T.alloc_shared((32, 32), "float16")
            lane = T.get_thread_binding()
            for row in T.serial(32):
                tile[row, lane] = A[row, lane]
            T.sync_threads()
            B[lane] = tile[lane, 5]

    return kernel
