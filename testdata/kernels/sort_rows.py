"""Rows sorted by bitonic exchange in shared memory: barriers by the compiler, and by the kernel's author."""
# tilescope: sort_rows --set M=8 --set N=128
# tilescope: sort_rows --set M=4 --set N=256 --set threads=64 --set descending=true
# tilescope: largest_first --set M=8 --set N=64 --set top=4
# tilescope: largest_first --set M=4 --set N=128 --set top=32 --set threads=64
import tilelang
import tilelang.language as T


def log2(number):
    return number.bit_length() - 1


@T.macro
def exchange(keys, places, size: int, stage, step, descending: bool):
    """Elements whose numbers differ in one bit get into order; the lower one of each pair does it."""
    for i in T.Parallel(size):
        upwards = ((i & (2 << stage)) == 0) != descending
        j = i ^ (1 << (stage - step))
        if i < j and ((upwards and keys[i] > keys[j]) or (not upwards and keys[i] < keys[j])):
            key = keys[i]
            keys[i] = keys[j]
            keys[j] = key
            place = places[i]
            places[i] = places[j]
            places[j] = place


@tilelang.jit(out_idx=[1, 2])
def sort_rows(M, N, descending=False, threads=128):
    assert N == 1 << log2(N)

    @T.prim_func
    def main(
            A: T.Tensor((M, N), "float32"),
            Sorted: T.Tensor((M, N), "float32"),
            Places: T.Tensor((M, N), "int32"),
    ):
        with T.Kernel(M, threads=threads) as row:
            keys = T.alloc_shared((N,), "float32")
            places = T.alloc_shared((N,), "int32")
            for i in T.Parallel(N):
                keys[i] = A[row, i]
                places[i] = i
            for stage in T.serial(log2(N)):
                for step in T.serial(stage + 1):
                    exchange(keys, places, N, stage, step, descending)
            for i in T.Parallel(N):
                Sorted[row, i] = keys[i]
                Places[row, i] = places[i]

    return main


@tilelang.jit(out_idx=[1, 2], pass_configs={tilelang.PassConfigKey.TL_DISABLE_THREAD_STORAGE_SYNC: True})
def largest_first(M, N, top, threads=128):
    """All barriers between accesses of the kernel's own tiles are written out; that of the sum's workspace cannot be."""
    assert N == 1 << log2(N)

    @T.prim_func
    def main(
            A: T.Tensor((M, N), "float32"),
            Largest: T.Tensor((M, top), "float32"),
            Share: T.Tensor((M, top), "float32"),
    ):
        with T.Kernel(M, threads=threads) as row:
            keys = T.alloc_shared((N,), "float32")
            places = T.alloc_shared((N,), "int32")
            weights = T.alloc_fragment((1, N), "float32")
            total = T.alloc_fragment((1,), "float32")
            for i in T.Parallel(N):
                keys[i] = A[row, i]
                places[i] = i
            T.sync_threads()
            for stage in T.serial(log2(N)):
                for step in T.serial(stage + 1):
                    exchange(keys, places, N, stage, step, True)
                    T.sync_threads()
            for i, j in T.Parallel(1, N):
                weights[i, j] = T.exp(keys[j] - keys[0])
            T.reduce_sum(weights, total, dim=1)
            for i in T.Parallel(top):
                Largest[row, i] = keys[i]
                Share[row, i] = T.exp(keys[i] - keys[0]) / total[0]

    return main
