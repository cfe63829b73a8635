"""Rows of different lengths, one behind the other: where each begins stands in memory."""

import tilelang
import tilelang.language as T


# tilescope-run: --fill Begin=0,70,70,199,200,290,300
# tilescope: ragged_softmax --set rows=6 --set total=300 --set block=64
# tilescope-run: --fill Begin=5,1029,1029,3000,3001,4096
# tilescope: ragged_softmax --set rows=5 --set total=4096 --set block=256 --set threads=256
@tilelang.jit(out_idx=[2])
def ragged_softmax(rows, total, block=128, threads=128):
    """Softmax of each row, block by block: largest and sum first, then the quotients."""

    @T.prim_func
    def main(
            X: T.Tensor((total,), "float32"),
            Begin: T.Tensor((rows + 1,), "int32"),
            Y: T.Tensor((total,), "float32"),
    ):
        with T.Kernel(rows, threads=threads) as row:
            x = T.alloc_fragment((block,), "float32")
            block_largest = T.alloc_fragment((1,), "float32")
            largest = T.alloc_fragment((1,), "float32")
            block_sum = T.alloc_fragment((1,), "float32")
            total_sum = T.alloc_fragment((1,), "float32")
            first = Begin[row]
            length = Begin[row + 1] - first
            T.fill(largest, -T.infinity("float32"))
            T.clear(total_sum)
            for k in T.serial(T.ceildiv(length, block)):
                left = T.min(length - k * block, block)
                T.fill(x, -T.infinity("float32"))
                for i in T.Parallel(left):
                    x[i] = X[first + k * block + i]
                T.reduce_max(x, block_largest, dim=0)
                for i in T.Parallel(1):
                    block_largest[i] = T.max(block_largest[i], largest[i])
                for i in T.Parallel(block):
                    x[i] = T.exp(x[i] - block_largest[0])
                T.reduce_sum(x, block_sum, dim=0)
                for i in T.Parallel(1):
                    total_sum[i] = total_sum[i] * T.exp(largest[i] - block_largest[i]) + block_sum[i]
                    largest[i] = block_largest[i]
            for i in T.Parallel(length):
                Y[first + i] = T.exp(X[first + i] - largest[0]) / total_sum[0]

    return main


# tilescope-run: --fill Begin=0,40,40,41,60
# tilescope: scaled_rows --set groups=4 --set total=60 --set width=32
# tilescope-run: --fill Begin=0,64,70,100
# tilescope: scaled_rows --set groups=3 --set total=100 --set width=64 --set threads=64
@tilelang.jit(out_idx=[3])
def scaled_rows(groups, total, width, longest=64, threads=128):
    """The rows of each group, less their mean and divided by the group's number of rows."""

    @T.prim_func
    def main(
            X: T.Tensor((total, width), "float16"),
            Begin: T.Tensor((groups + 1,), "int32"),
            Bias: T.Tensor((width,), "float32"),
            Y: T.Tensor((total, width), "float32"),
    ):
        with T.Kernel(groups, threads=threads) as group:
            tile = T.alloc_shared((longest, width), "float16")
            numbers = T.alloc_fragment((longest, width), "float32")
            mean = T.alloc_fragment((width,), "float32")
            first = Begin[group]
            count = Begin[group + 1] - first
            T.clear(tile)
            T.copy(X[first:first + count, 0:width], tile[0:count, :])
            T.copy(tile, numbers)
            T.reduce_sum(numbers, mean, dim=0)
            for i, j in T.Parallel(count, width):
                numbers[i, j] = (numbers[i, j] - mean[j] / count) / count
            for i, j in T.Parallel(count, width):
                Y[first + i, j] = numbers[i, j] + Bias[j]

    return main
